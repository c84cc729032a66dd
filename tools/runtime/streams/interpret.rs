//! What a node means on a finite run: the least fixed point of its equations (`spec/streams.md` 4.4). Slow and obvious, the oracle
//! of everything that executes streams.

use mlopt_dialects::eval::{EvalError, Evaluator, Shared};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use mlopt_dialects::stream::cells::{self, Cell, Tick};
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::clocks::{Clock, Clocks};
use mlopt_passes::streams::{Graph, Kind, Var};
use std::borrow::Cow;
use std::collections::HashMap;

/// The cells of a stream, cycle by cycle.
pub type Row = Vec<Cell<Shared>>;

/// What an input is given.
pub enum Input {
    /// As it is: what is present where the clock is not, or the reverse, is mistimed.
    Cells(Row),
    /// The same, but values are read only where the clock of the input says so.
    Slots(Row),
}

/// A node with what is known of it.
pub struct Interpreter<'a> {
    pub graph: &'a Graph,
    pub clocks: &'a Clocks,
    /// In which a cycle can be computed.
    pub order: &'a [Var],
}

impl Interpreter<'_> {
    /// All streams in the first `cycles` cycles. There is one input for each of the node's; `initial` makes the values of `stream.initial`.
    ///
    /// # Errors
    /// Where an op has no value: E-RT-OP, what `initial` says.
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
            let value = match op.kind() {
                OpKind::StreamInitial => Shared::new(initial(op)?),
                _ => {
                    let operands: Vec<Shared> = graph.args(v).iter().map(|a| run.constants[a].clone()).collect();
                    run.evaluate(v, operands)?
                }
            };
            run.constants.insert(v, value);
        }
        run.base(inputs, cycles);
        // By itself a literal is on the base clock: so it is as an output and as a condition.
        for (&v, value) in run.constants.iter().filter(|(v, _)| graph.kind(**v) == Kind::Literal) {
            run.rows[v] = run.ticks[&Clock::BASE].iter().map(|tick| cells::constant(value, tick)).collect();
        }
        // Forward and backward in turns: what looks back is known after the first, what looks ahead after the second. At rest when
        // neither finds anything new.
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

/// To the bit: NaN is what it was.
fn is_same(a: &Array, b: &Array) -> bool {
    a.shape() == b.shape()
        && match (a.data(), b.data()) {
            (Data::F64(a), Data::F64(b)) => a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()),
            (Data::F32(a), Data::F32(b)) => a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits()),
            (a, b) => a == b,
        }
}

impl Run<'_> {
    /// The base clock: where the inputs on it are present [D1].
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

    /// Whether a clock ticks in a cycle, as far as that is known.
    fn tick(&mut self, clock: Clock, n: usize) -> Tick {
        let Some((around, literal)) = self.clocks.level(clock) else { return self.ticks[&clock][n].clone() };
        let around = self.tick(around, n);
        let tick = cells::tick(&around, &truth(&self.rows[literal.condition][n]), literal.holds);
        let cycles = self.rows[literal.condition].len();
        self.ticks.entry(clock).or_insert_with(|| vec![Cell::Undetermined; cycles])[n] = tick.clone();
        tick
    }

    /// What `v` reads in a cycle. A literal is there on the clock on which it is read.
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

    /// What a delay reads, in all cycles.
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

    /// Computes a cell again; whether more is known of it.
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
                    if self.graph.op(v).kind() == OpKind::StreamParam {
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
        // Primitives are monotone (4.1): what is known stays.
        assert!(
            matches!(old, Cell::Undetermined) || matches!(new, Cell::Mistimed),
            "{} is not monotone in cycle {n}",
            self.graph.name(v)
        );
        self.rows[v][n] = new;
        Ok(true)
    }
}

/// What is given, where it fits the clock.
fn expected(cell: &Cell<Shared>, clock: &Tick) -> Cell<Shared> {
    match (clock, cell) {
        (Cell::Undetermined, _) => Cell::Undetermined,
        (Cell::Value(true), Cell::Value(_)) | (Cell::Value(false) | Cell::Absent, Cell::Absent) => cell.clone(),
        (_, Cell::Undetermined) => Cell::Undetermined,
        _ => Cell::Mistimed,
    }
}
