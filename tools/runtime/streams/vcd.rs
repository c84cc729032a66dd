//! Traces of streams for waveform viewers, in the format of value change dumps (IEEE 1364-2005, 18). One cycle is one
//! nanosecond.
//!
//! Booleans are wires and integers are bit vectors. Their value is `z` if the stream is absent, and `x` if it is
//! unknown or has an error of its clock. A real is NaN in both cases, and the wire `NAME?present` distinguishes them: 0
//! is absent, `x` is unknown. This wire is written only for streams that may be absent or unknown.

use super::columns::elements;
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Data, Element};
use std::io::{self, Write};
use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, Value, VarType};

/// A stream to write, with the type of its values.
#[derive(Clone, Debug)]
pub struct Signal {
    /// The name with the path of its instance: `a.b.c` is variable `c` in scope `b` in scope `a`.
    pub name: String,
    pub element: Element,
    /// The shape; an array has a variable for each element, `c[0][1]`.
    pub shape: Vec<usize>,
    /// True if the stream may be absent or undetermined; true for every stream that is not on the base clock.
    pub sometimes: bool,
}

/// A writer that streams its cycles and keeps none.
pub struct Vcd<W: Write> {
    out: vcd::Writer<W>,
    columns: Vec<Column>,
    /// The number of cycles written.
    cycle: u64,
}

/// The variables of one stream.
#[derive(Default)]
struct Column {
    present: Option<Variable>,
    elements: Vec<Variable>,
}

struct Variable {
    id: IdCode,
    element: Element,
    last: Option<State>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Absent,
    Unknown,
    Whole(i64),
    /// The bits of the number, so that NaN equals itself.
    Real(u64),
}

impl<W: Write> Vcd<W> {
    /// Writes the header. All streams are in the scope `top`, the name of the node.
    ///
    /// # Errors
    /// Errors of `out`, also in the other functions.
    pub fn new(out: W, top: &str, signals: &[Signal]) -> io::Result<Vcd<W>> {
        let mut out = vcd::Writer::new(out);
        out.version(concat!("mlopt ", env!("CARGO_PKG_VERSION")))?;
        out.timescale(1, TimescaleUnit::NS)?;
        let mut scope = Scope { name: legal(top), ..Scope::default() };
        for (k, signal) in signals.iter().enumerate() {
            scope.insert(&signal.name, k);
        }
        let mut columns: Vec<Column> = signals.iter().map(|_| Column::default()).collect();
        scope.write(&mut out, signals, &mut columns)?;
        out.enddefinitions()?;
        Ok(Vcd { out, columns, cycle: 0 })
    }

    /// Writes the next cycles: the cells of each stream, in the order of [`Vcd::new`], all for the same cycles.
    pub fn cycles(&mut self, batch: &[Row]) -> io::Result<()> {
        assert_eq!(batch.len(), self.columns.len(), "as many columns as streams");
        for n in 0..batch.first().map_or(0, |column| column.len()) {
            let mut is_timed = self.cycle == 0;
            if is_timed {
                self.out.timestamp(0)?;
                self.out.begin(SimulationCommand::Dumpvars)?;
            }
            for (column, cells) in self.columns.iter_mut().zip(batch) {
                column.write(&mut self.out, &cells[n], self.cycle, &mut is_timed)?;
            }
            if self.cycle == 0 {
                self.out.end()?;
            }
            self.cycle += 1;
        }
        Ok(())
    }

    /// Writes the end of the last cycle.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.timestamp(self.cycle)?;
        self.out.flush()
    }
}

impl Column {
    /// Writes the changes in a cycle, after its time stamp, which is written once.
    fn write<W: Write>(
        &mut self,
        out: &mut vcd::Writer<W>,
        cell: &Cell<Shared>,
        cycle: u64,
        is_timed: &mut bool,
    ) -> io::Result<()> {
        let state = |k: usize| match cell {
            Cell::Absent => State::Absent,
            Cell::Undetermined | Cell::Mistimed => State::Unknown,
            Cell::Value(x) => match x.data() {
                Data::F16(v) => State::Real(f64::from(v[k]).to_bits()),
                Data::BF16(v) => State::Real(f64::from(v[k]).to_bits()),
                Data::F32(v) => State::Real(f64::from(v[k]).to_bits()),
                Data::F64(v) => State::Real(v[k].to_bits()),
                Data::I1(v) => State::Whole(v[k].into()),
                Data::I8(v) => State::Whole(v[k].into()),
                Data::I16(v) => State::Whole(v[k].into()),
                Data::I32(v) => State::Whole(v[k].into()),
                Data::I64(v) | Data::Index(v) => State::Whole(v[k]),
            },
        };
        let presence = match cell {
            Cell::Value(_) => State::Whole(1),
            Cell::Absent => State::Whole(0),
            _ => State::Unknown,
        };
        let present = self.present.iter_mut().map(|variable| (variable, presence));
        let elements = self.elements.iter_mut().enumerate().map(|(k, variable)| (variable, state(k)));
        for (variable, state) in present.chain(elements).filter(|(variable, state)| variable.last != Some(*state)) {
            if !std::mem::replace(is_timed, true) {
                out.timestamp(cycle)?;
            }
            variable.last = Some(state);
            variable.write(out, state)?;
        }
        Ok(())
    }
}

impl Variable {
    fn write<W: Write>(&self, out: &mut vcd::Writer<W>, state: State) -> io::Result<()> {
        let Variable { id, element, .. } = *self;
        match (state, width(element)) {
            (State::Real(x), _) => out.change_real(id, f64::from_bits(x)),
            (_, None) => out.change_real(id, f64::NAN),
            (State::Absent, Some(1)) => out.change_scalar(id, Value::Z),
            (State::Unknown, Some(1)) => out.change_scalar(id, Value::X),
            (State::Whole(x), Some(1)) => out.change_scalar(id, x != 0),
            (State::Absent, _) => out.change_vector(id, [Value::Z]),
            (State::Unknown, _) => out.change_vector(id, [Value::X]),
            (State::Whole(x), Some(width)) => {
                // Two's complement, without leading zeros.
                let x = x as u64 & (u64::MAX >> (64 - width));
                let digits = (64 - x.leading_zeros()).max(1);
                out.change_vector(id, (0..digits).rev().map(|k| ((x >> k) & 1 == 1).into()))
            }
        }
    }
}

/// Returns the width in bits; `None` for reals.
fn width(element: Element) -> Option<u32> {
    (!element.is_float()).then(|| element.bits())
}

/// An instance, with its streams by number, in the order of their first occurrence.
#[derive(Default)]
struct Scope {
    name: String,
    signals: Vec<(String, usize)>,
    inner: Vec<Scope>,
}

impl Scope {
    fn insert(&mut self, path: &str, signal: usize) {
        let Some((first, rest)) = path.split_once('.') else {
            return self.signals.push((legal(path), signal));
        };
        let first = legal(first);
        let k = self.inner.iter().position(|s| s.name == first).unwrap_or_else(|| {
            self.inner.push(Scope { name: first, ..Scope::default() });
            self.inner.len() - 1
        });
        self.inner[k].insert(rest, signal);
    }

    fn write<W: Write>(&self, out: &mut vcd::Writer<W>, signals: &[Signal], columns: &mut [Column]) -> io::Result<()> {
        out.add_module(&self.name)?;
        for (name, k) in &self.signals {
            let Signal { element, sometimes, .. } = signals[*k];
            if sometimes && element.is_float() {
                let id = out.add_wire(1, &format!("{name}?present"))?;
                columns[*k].present = Some(Variable { id, element: Element::I1, last: None });
            }
            for name in elements(name, &signals[*k].shape) {
                let id = match width(element) {
                    None => out.add_var(VarType::Real, 64, &name, None)?,
                    Some(1) => out.add_wire(1, &name)?,
                    Some(width) => {
                        let bits = ReferenceIndex::Range(width as i32 - 1, 0);
                        out.add_var(VarType::Wire, width, &name, Some(bits))?
                    }
                };
                columns[*k].elements.push(Variable { id, element, last: None });
            }
        }
        self.inner.iter().try_for_each(|scope| scope.write(out, signals, columns))?;
        out.upscope()
    }
}

/// Converts a name to one word: viewers end names at spaces, and few accept other characters than ASCII.
fn legal(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect();
    if word.is_empty() { "_".into() } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other files are in `test/streams/vcd.mlir`.
    #[test]
    fn names_are_words_and_mistimed_is_x() {
        let signals = [Signal { name: "a b.p".into(), element: Element::I1, shape: vec![], sometimes: true }];
        let mut out = Vec::new();
        let mut file = Vcd::new(&mut out, "é\t", &signals).unwrap();
        file.cycles(&[vec![Cell::Mistimed]]).unwrap();
        file.finish().unwrap();
        vcd::Parser::new(&out[..]).for_each(|command| drop(command.expect("what is written can be read")));
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("module __ $end\n$scope module a_b $end") && text.contains("\nx!\n"), "{text}");
    }
}
