//! The reference interpreter of reactive nodes. It computes the least fixpoint of the equations of a node on a finite
//! run (`spec/streams.md` 4.4).
//!
//! It is the oracle of all other ways of running nodes. Therefore it shares no code with the passes: it classifies
//! equations ([`equations`]) and infers clocks ([`clocks`]) itself, by the most direct method.

mod clocks;
mod equations;
mod order;

use crate::eval::{EvalError, Evaluator, Shared};
use crate::ir::{Op, Value};
use crate::ops::{HasKind, Kind};
use crate::stream::cells::{self, Cell, Tick};
use crate::value::{Array, Data};
use clocks::{BASE, Clock, Clocks};
use equations::{Equation, Equations, Stream};
use std::collections::HashMap;

/// The cells of a stream, one per cycle.
pub type Row = Vec<Cell<Shared>>;

/// The cells of one input.
pub enum Input {
    /// Cells as given. A cell that is present where the clock of the input does not tick, or absent where it ticks, is
    /// mistimed.
    Cells(Row),
    /// The same, except that a value is ignored where the clock of the input does not tick.
    Slots(Row),
}

/// The reason why a node cannot be interpreted.
#[derive(Debug, thiserror::Error)]
enum Rejected {
    #[error("expected a node without instances, found an instance: run `stream-inline` first")]
    Instance,
    #[error("E-CLOCK: the equation of {stream} reads streams on different clocks")]
    Clocks { stream: String },
}

/// A node without instances, ready to run.
pub struct Interpreter {
    equations: Equations,
    clocks: Clocks,
    /// Every stream after those that it reads in the same cycle. Only the running time depends on it.
    order: Vec<Stream>,
}

impl Interpreter {
    /// # Errors
    /// For an instance in the node, and for equations whose operands are on different clocks.
    pub fn new(node: Op) -> Result<Interpreter, EvalError> {
        let at = |error: Rejected| EvalError { location: node.location().place_text(), text: error.to_string() };
        let equations = Equations::of(node).map_err(at)?;
        let clocks = Clocks::solve(&equations).map_err(at)?;
        let order = order::order(&equations, &clocks);
        Ok(Interpreter { equations, clocks, order })
    }

    /// Returns the streams: inputs of the node, then results of its equations in the order of the text.
    pub fn streams(&self) -> &[Value] {
        &self.equations.values
    }

    /// Computes all [`streams`](Self::streams) in the first `cycles` cycles. `inputs` has one element for each input of
    /// the node; `initial` makes the value of each `stream.initial`.
    ///
    /// # Errors
    /// E-RT-OP where an op has no value on its operands, and the errors of `initial`.
    pub fn run(
        &self,
        inputs: &[Input],
        cycles: usize,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Vec<Row>, EvalError> {
        let Interpreter { equations, clocks, order } = self;
        let node = equations.node;
        let none = || EvalError { location: node.location().place_text(), text: "the node must be in a module".into() };
        let module = node.module().ok_or_else(none)?;
        let mut run = Run {
            equations,
            clocks,
            rows: vec![vec![Cell::Undetermined; cycles]; equations.len()],
            ticks: vec![vec![Cell::Undetermined; cycles]; clocks.len()],
            constants: HashMap::new(),
            evaluator: Evaluator::new(module),
        };
        run.compute_constants(order, initial)?;
        run.compute_base_clock(inputs);
        // A literal that is an output or a condition is on the base clock.
        for (&s, value) in run.constants.iter().filter(|(s, _)| equations.kind(**s) == Equation::Literal) {
            run.rows[s] = run.ticks[BASE].iter().map(|tick| cells::constant(value, tick)).collect();
        }
        // Sweeps alternate in direction: what looks back is known after a sweep forward, what looks ahead after a sweep
        // backward. The fixed point is reached when neither direction finds anything new.
        let mut sweeps_without_change = 0;
        for sweep in 0.. {
            let mut changed = false;
            for k in 0..cycles {
                let n = if sweep % 2 == 0 { k } else { cycles - 1 - k };
                for &s in order {
                    changed |= run.update(s, n, inputs)?;
                }
            }
            sweeps_without_change = if changed { 0 } else { sweeps_without_change + 1 };
            if sweeps_without_change == 2 {
                break;
            }
        }
        Ok(run.rows)
    }
}

/// The state of one run.
struct Run<'a> {
    equations: &'a Equations,
    clocks: &'a Clocks,
    /// Of each stream.
    rows: Vec<Row>,
    /// Of each clock.
    ticks: Vec<Vec<Tick>>,
    constants: HashMap<Stream, Shared>,
    evaluator: Evaluator<'a>,
}

impl Run<'_> {
    fn compute_constants(
        &mut self,
        order: &[Stream],
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<(), EvalError> {
        let is_constant = |s: Stream| matches!(self.equations.kind(s), Equation::Constant | Equation::Literal);
        for s in order.iter().copied().filter(|&s| is_constant(s)) {
            let op = self.equations.op(s);
            let value = match op.kind() {
                Kind::StreamInitial => Shared::new(initial(op)?),
                _ => {
                    let operands = self.equations.operands(s).iter().map(|a| self.constants[a].clone()).collect();
                    self.evaluate(s, operands)?
                }
            };
            self.constants.insert(s, value);
        }
        Ok(())
    }

    /// Computes the base clock: it ticks where all inputs on it are present [D1].
    fn compute_base_clock(&mut self, inputs: &[Input]) {
        let on_base: Vec<&Input> =
            self.equations.inputs().filter(|&s| self.clocks.of(s) == BASE).map(|s| &inputs[s]).collect();
        let is_present = |input: &Input, n: usize| {
            let (Input::Cells(row) | Input::Slots(row)) = input;
            matches!(row[n], Cell::Value(_))
        };
        for (n, base) in self.ticks[BASE].iter_mut().enumerate() {
            let is_undetermined = |input: &&Input| match input {
                Input::Cells(row) | Input::Slots(row) => matches!(row[n], Cell::Undetermined),
            };
            if on_base.iter().any(is_undetermined) {
                continue;
            }
            *base = match on_base.iter().filter(|input| is_present(input, n)).count() {
                k if k == on_base.len() => Cell::Value(true),
                0 => Cell::Value(false),
                _ => Cell::Mistimed,
            };
        }
    }

    /// Returns the value of `s`, whose equation reads `operands`.
    fn evaluate(&mut self, s: Stream, operands: Vec<Shared>) -> Result<Shared, EvalError> {
        let read = self.equations.operands(s).iter().map(|&a| self.equations.values[a]);
        let results = self.evaluator.evaluate(self.equations.op(s), read.zip(operands))?;
        let number = self.equations.values[s].defining_op().map_or(0, |(_, number)| number);
        Ok(results[number].clone())
    }

    /// Computes a clock in cycle `n` from the known cells.
    fn tick(&mut self, clock: Clock, n: usize) -> Tick {
        if let Some((parent, condition, holds)) = self.clocks.level(clock) {
            let parent = self.tick(parent, n);
            self.ticks[clock][n] = cells::tick(&parent, &truth(&self.rows[condition][n]), holds);
        }
        self.ticks[clock][n].clone()
    }

    /// Returns what `s` reads as operand `k` in cycle `n`. A literal is present on the clock of its reader.
    fn operand(&mut self, s: Stream, k: usize, n: usize) -> Cell<Shared> {
        let operand = self.equations.operands(s)[k];
        match self.equations.kind(operand) {
            Equation::Literal => {
                let tick = self.tick(self.clocks.of_operand(s, k), n);
                cells::constant(&self.constants[&operand], &tick)
            }
            _ => self.rows[operand][n].clone(),
        }
    }

    /// Returns the cell that a delay reads as operand `k` in cycle `n`.
    fn delayed(&self, s: Stream, k: usize, n: usize) -> Cell<Shared> {
        let operand = self.equations.operands(s)[k];
        match self.equations.kind(operand) {
            Equation::Literal => cells::constant(&self.constants[&operand], &self.ticks[self.clocks.of(s)][n]),
            _ => self.rows[operand][n].clone(),
        }
    }

    /// Computes the cell of `s` in cycle `n` again, and returns whether more is known of it than before.
    fn update(&mut self, s: Stream, n: usize, inputs: &[Input]) -> Result<bool, EvalError> {
        let (clock, equation) = (self.clocks.of(s), self.equations.kind(s));
        let now = self.tick(clock, n);
        let read = match equation {
            Equation::Input | Equation::Literal | Equation::Constant | Equation::Post => 0,
            Equation::Fby => 1,
            _ => self.equations.operands(s).len(),
        };
        let operands: Vec<Cell<Shared>> = (0..read).map(|k| self.operand(s, k, n)).collect();
        let new = match equation {
            Equation::Literal => return Ok(false),
            Equation::Input => match &inputs[s] {
                Input::Slots(row) if now == Cell::Value(false) && row[n].value().is_some() => Cell::Absent,
                Input::Slots(row) | Input::Cells(row) => on_clock(&row[n], &now),
            },
            Equation::Constant => cells::constant(&self.constants[&s], &now),
            Equation::Pointwise => match cells::lift(&operands.iter().collect::<Vec<_>>()) {
                // Computed once: the operands do not change any more.
                Cell::Value(_) if self.rows[s][n].value().is_some() => return Ok(false),
                Cell::Value(values) if self.equations.op(s).kind() == Kind::StreamParam => {
                    Cell::Value(values[0].clone())
                }
                Cell::Value(values) => {
                    let values = values.into_iter().cloned().collect();
                    Cell::Value(self.evaluate(s, values)?)
                }
                Cell::Undetermined => Cell::Undetermined,
                Cell::Absent => Cell::Absent,
                Cell::Mistimed => Cell::Mistimed,
            },
            Equation::When(holds) => cells::when(&operands[0], &truth(&operands[1]), holds),
            Equation::Merge => cells::merge(&truth(&operands[0]), &operands[1], &operands[2]),
            Equation::Select => cells::select(&truth(&operands[0]), &operands[1], &operands[2]),
            Equation::Fby => cells::fby(&operands[0], |m| self.delayed(s, 1, m), &self.ticks[clock], n),
            Equation::Post => cells::post(|m| self.delayed(s, 0, m), &self.ticks[clock], n),
        };
        let old = &self.rows[s][n];
        if is_same(old, &new) {
            return Ok(false);
        }
        // Primitives are monotone (4.1): a cell that is known does not change, except to mistimed.
        assert!(
            matches!(old, Cell::Undetermined) || matches!(new, Cell::Mistimed),
            "{} is not monotone in cycle {n}",
            self.equations.label(s)
        );
        self.rows[s][n] = new;
        Ok(true)
    }
}

fn truth(cell: &Cell<Shared>) -> Cell<bool> {
    cell.map(|x| matches!(x.data(), Data::I1(v) if v[0]))
}

/// Compares values bit by bit, so that a NaN is equal to itself.
fn is_same(a: &Cell<Shared>, b: &Cell<Shared>) -> bool {
    let (a, b) = match (a, b) {
        (Cell::Value(a), Cell::Value(b)) => (a, b),
        _ => return std::mem::discriminant(a) == std::mem::discriminant(b),
    };
    a.shape() == b.shape()
        && match (a.data(), b.data()) {
            (Data::F64(a), Data::F64(b)) => a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()),
            (Data::F32(a), Data::F32(b)) => a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()),
            (a, b) => a == b,
        }
}

/// Returns the cell of an input, checked against its clock.
fn on_clock(cell: &Cell<Shared>, clock: &Tick) -> Cell<Shared> {
    match (clock, cell) {
        (Cell::Undetermined, _) | (_, Cell::Undetermined) => Cell::Undetermined,
        (Cell::Value(true), Cell::Value(_)) | (Cell::Value(false) | Cell::Absent, Cell::Absent) => cell.clone(),
        _ => Cell::Mistimed,
    }
}
