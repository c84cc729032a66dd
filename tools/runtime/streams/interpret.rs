//! The semantics of a node on a finite run: the least fixpoint of its equations (`spec/streams.md` 4.4). Slow and
//! obvious, and the reference for every other execution of streams.

use mlopt_dialects::eval::{EvalError, Evaluator, Shared};
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::{self, Cell, Tick};
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::clocks::{Clock, Clocks};
use mlopt_passes::streams::{Graph, Kind, Var};
use std::borrow::Cow;
use std::collections::HashMap;

/// The cells of a stream, cycle by cycle.
pub type Row = Vec<Cell<Shared>>;

/// The values of an input.
pub enum Input {
    /// Cells that must agree with the clock of the input: a value off the clock or a missing value on it is mistimed.
    Cells(Row),
    /// Values of all cycles, which are read only on the clock of the input.
    Slots(Row),
}

/// A node with the results of its analyses.
pub struct Interpreter<'a> {
    pub graph: &'a Graph,
    pub clocks: &'a Clocks,
    /// An order in which a cycle can be computed.
    pub order: &'a [Var],
}

impl Interpreter<'_> {
    /// Computes all streams in the first `cycles` cycles. `inputs` has one entry for each input of the node; `initial`
    /// computes the values of `stream.initial`.
    ///
    /// # Errors
    /// An op has no value (E-RT-OP), or `initial` fails.
    pub fn run(
        &self,
        inputs: &[Input],
        cycles: usize,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Vec<Row>, EvalError> {
        let graph = self.graph;
        let module = graph.node.module().expect("a node is in a module");
        let mut run = Run {
            graph,
            clocks: self.clocks,
            rows: vec![vec![Cell::Undetermined; cycles]; graph.len()],
            ticks: HashMap::new(),
            constants: HashMap::new(),
            evaluator: Evaluator::new(module),
        };
        for &v in self.order.iter().filter(|&&v| matches!(graph.kind(v), Kind::Constant | Kind::Literal)) {
            let op = graph.op(v);
            let value = match op.name() {
                "stream.initial" => Shared::new(initial(op)?),
                _ => {
                    let operands: Vec<Shared> = graph.args(v).iter().map(|a| run.constants[a].clone()).collect();
                    run.evaluate(v, operands)?
                }
            };
            run.constants.insert(v, value);
        }
        run.base(inputs, cycles);
        // A literal that is an output or a condition is on the base clock.
        for (&v, value) in run.constants.iter().filter(|(v, _)| graph.kind(**v) == Kind::Literal) {
            run.rows[v] = run.ticks[&Clock::BASE].iter().map(|tick| cells::constant(value, tick)).collect();
        }
        // Sweeps alternate forward and backward: the first one computes what depends on the past, the second one what
        // depends on the future. A fixpoint is reached when two consecutive sweeps change nothing.
        let mut quiet = 0;
        for sweep in 0.. {
            let mut changed = false;
            for k in 0..cycles {
                let n = if sweep % 2 == 0 { k } else { cycles - 1 - k };
                for &v in self.order {
                    changed |= run.update(v, n, inputs)?;
                }
            }
            quiet = if changed { 0 } else { quiet + 1 };
            if quiet == 2 {
                break;
            }
        }
        Ok(run.rows)
    }
}

struct Run<'a> {
    graph: &'a Graph,
    clocks: &'a Clocks,
    rows: Vec<Row>,
    ticks: HashMap<Clock, Vec<Tick>>,
    constants: HashMap<Var, Shared>,
    evaluator: Evaluator<'a>,
}

fn truth(cell: &Cell<Shared>) -> Cell<bool> {
    cell.map(|x| matches!(x.data(), Data::I1(v) if v[0]))
}

/// Checks whether two arrays are equal bit by bit, so that NaN equals itself.
fn is_same(a: &Array, b: &Array) -> bool {
    a.shape() == b.shape()
        && match (a.data(), b.data()) {
            (Data::F64(a), Data::F64(b)) => a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()),
            (Data::F32(a), Data::F32(b)) => a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()),
            (a, b) => a == b,
        }
}

impl Run<'_> {
    /// Computes the base clock, which ticks where the inputs on it are present [D1].
    fn base(&mut self, inputs: &[Input], cycles: usize) {
        let on_base: Vec<Var> = self.graph.inputs().filter(|&v| self.clocks.of(v) == Clock::BASE).collect();
        let tick = |n: usize| {
            let present = |&v: &Var| match &inputs[v] {
                Input::Slots(row) | Input::Cells(row) => matches!(row[n], Cell::Value(_)),
            };
            match on_base.iter().filter(|v| present(v)).count() {
                k if k == on_base.len() => Cell::Value(true),
                0 => Cell::Value(false),
                _ => Cell::Mistimed,
            }
        };
        self.ticks.insert(Clock::BASE, (0..cycles).map(tick).collect());
    }

    fn evaluate(&mut self, v: Var, operands: Vec<Shared>) -> Result<Shared, EvalError> {
        let op = self.graph.op(v);
        let read = self.graph.args(v).iter().map(|&a| self.graph.value(a));
        let results = self.evaluator.evaluate(op, read.zip(operands))?;
        let number = self.graph.value(v).defining_op().map_or(0, |d| d.1);
        Ok(results[number].clone())
    }

    /// Returns whether a clock ticks in a cycle, as far as is known.
    fn tick(&mut self, clock: Clock, n: usize) -> Tick {
        let Some((around, literal)) = self.clocks.level(clock) else { return self.ticks[&clock][n].clone() };
        let around = self.tick(around, n);
        let tick = cells::tick(&around, &truth(&self.rows[literal.condition][n]), literal.holds);
        let cycles = self.rows[literal.condition].len();
        self.ticks.entry(clock).or_insert_with(|| vec![Cell::Undetermined; cycles])[n] = tick.clone();
        tick
    }

    /// Returns an operand of `v` in a cycle. A literal is present on the clock on which it is read.
    fn operand(&mut self, v: Var, k: usize, n: usize) -> Cell<Shared> {
        let from = self.graph.args(v)[k];
        match self.graph.kind(from) {
            Kind::Literal => {
                let tick = self.tick(self.clocks.of_operand(self.graph, v, k), n);
                cells::constant(&self.constants[&from], &tick)
            }
            _ => self.rows[from][n].clone(),
        }
    }

    /// Returns an operand of a delay in all cycles.
    fn operand_row(&self, v: Var, k: usize) -> Cow<'_, Row> {
        let from = self.graph.args(v)[k];
        match self.graph.kind(from) {
            Kind::Literal => {
                let ticks = &self.ticks[&self.clocks.of(v)];
                Cow::Owned(ticks.iter().map(|t| cells::constant(&self.constants[&from], t)).collect())
            }
            _ => Cow::Borrowed(&self.rows[from]),
        }
    }

    /// Recomputes a cell. Returns whether it has changed.
    fn update(&mut self, v: Var, n: usize, inputs: &[Input]) -> Result<bool, EvalError> {
        let clock = self.clocks.of(v);
        let now = self.tick(clock, n);
        let kind = self.graph.kind(v);
        let cell = match kind {
            Kind::Input | Kind::Literal | Kind::Constant | Kind::Post => vec![],
            Kind::Fby => vec![self.operand(v, 0, n)],
            _ => (0..self.graph.args(v).len()).map(|k| self.operand(v, k, n)).collect(),
        };
        let new = match kind {
            Kind::Literal => return Ok(false),
            Kind::Input => match &inputs[v] {
                Input::Slots(row) if now == Cell::Value(false) && row[n].value().is_some() => Cell::Absent,
                Input::Slots(row) | Input::Cells(row) => expected(&row[n], &now),
            },
            Kind::Constant => cells::constant(&self.constants[&v], &now),
            Kind::Pointwise => match cells::lift(&cell.iter().collect::<Vec<_>>()) {
                Cell::Value(values) => {
                    if let Cell::Value(_) = self.rows[v][n] {
                        return Ok(false);
                    }
                    if self.graph.op(v).name() == "stream.param" {
                        Cell::Value(values[0].clone())
                    } else {
                        Cell::Value(self.evaluate(v, values.into_iter().cloned().collect())?)
                    }
                }
                other => other.map(|_| unreachable!("values are evaluated")),
            },
            Kind::When(holds) => cells::when(&cell[0], &truth(&cell[1]), holds),
            Kind::Merge => cells::merge(&truth(&cell[0]), &cell[1], &cell[2]),
            Kind::Select => cells::select(&truth(&cell[0]), &cell[1], &cell[2]),
            Kind::Fby => cells::fby(&cell[0], &self.operand_row(v, 1), &self.ticks[&clock], n),
            Kind::Post => cells::post(&self.operand_row(v, 0), &self.ticks[&clock], n),
        };
        let old = &self.rows[v][n];
        let is_known = match (old, &new) {
            (Cell::Value(a), Cell::Value(b)) => is_same(a, b),
            (Cell::Mistimed, Cell::Mistimed) | (Cell::Absent, Cell::Absent) => true,
            (Cell::Undetermined, Cell::Undetermined) => true,
            _ => false,
        };
        if is_known {
            return Ok(false);
        }
        // Primitives are monotone (4.1), so a known cell does not change.
        assert!(
            matches!(old, Cell::Undetermined) || matches!(new, Cell::Mistimed),
            "{} is not monotone in cycle {n}",
            self.graph.name(v)
        );
        self.rows[v][n] = new;
        Ok(true)
    }
}

/// Returns the cell of an input, mistimed if it does not agree with the clock.
fn expected(cell: &Cell<Shared>, clock: &Tick) -> Cell<Shared> {
    match (clock, cell) {
        (Cell::Undetermined, _) => Cell::Undetermined,
        (Cell::Value(true), Cell::Value(_)) | (Cell::Value(false) | Cell::Absent, Cell::Absent) => cell.clone(),
        (_, Cell::Undetermined) => Cell::Undetermined,
        _ => Cell::Mistimed,
    }
}
