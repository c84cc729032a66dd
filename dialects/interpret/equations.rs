//! The equations of a node, in the form that the interpreter runs.

use super::Rejected;
use crate::ir::{Op, Value};
use crate::ops::{HasKind, Kind};
use std::collections::HashMap;

/// A stream: its place in [`Equations::values`].
pub type Stream = usize;

/// The right side of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equation {
    /// None: an input of the node.
    Input,
    /// A constant value that every reader has on its own clock, since `canonicalize` merges equal ones.
    Literal,
    /// A constant value on one clock.
    Constant,
    /// A function of its operands in the same cycle.
    Pointwise,
    /// Initial value, then the operand delayed by one cycle.
    Fby,
    /// The operand in the next cycle.
    Post,
    /// Operand, condition: present where the condition has this value.
    When(bool),
    /// Condition, operand where it is true, operand where it is false.
    Merge,
    /// The same with operands on the clock of the condition.
    Select,
}

pub struct Equations {
    pub node: Op,
    /// Inputs of the node, then results of its equations in the order of the text.
    pub values: Vec<Value>,
    kinds: Vec<Equation>,
    operands: Vec<Vec<Stream>>,
}

impl Equations {
    /// # Errors
    /// For an instance, whose equations the node does not contain.
    pub fn of(node: Op) -> Result<Equations, Rejected> {
        let body = node.entry();
        let end = body.end();
        let mut values = body.arguments();
        for op in body.ops().into_iter().filter(|&op| op != end) {
            if op.kind() == Kind::StreamInstance {
                return Err(Rejected::Instance);
            }
            values.extend(op.results());
        }
        let streams: HashMap<Value, Stream> = values.iter().enumerate().map(|(s, &v)| (v, s)).collect();
        let reads = |v: &Value| v.defining_op().map_or(vec![], |(op, _)| reads(op));
        let operands: Vec<Vec<Stream>> =
            values.iter().map(|v| reads(v).iter().filter_map(|v| streams.get(v).copied()).collect()).collect();
        let kinds = values.iter().zip(&operands).map(|(v, operands)| kind(*v, operands)).collect();
        let mut equations = Equations { node, values, kinds, operands };
        equations.find_literals();
        Ok(equations)
    }

    /// Marks functions of literals, which are literals themselves. Equations stand in any order, so it looks at the
    /// readers of each new literal.
    fn find_literals(&mut self) {
        let mut readers = vec![vec![]; self.len()];
        for s in 0..self.len() {
            self.operands[s].iter().for_each(|&operand| readers[operand].push(s));
        }
        let mut open: Vec<Stream> = (0..self.len()).filter(|&s| self.kinds[s] == Equation::Literal).collect();
        while let Some(literal) = open.pop() {
            for &s in &readers[literal] {
                if self.kinds[s] == Equation::Pointwise
                    && self.op(s).kind() != Kind::StreamParam
                    && self.operands[s].iter().all(|&a| self.kinds[a] == Equation::Literal)
                {
                    self.kinds[s] = Equation::Literal;
                    open.push(s);
                }
            }
        }
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn inputs(&self) -> impl Iterator<Item = Stream> + '_ {
        (0..self.len()).filter(|&s| self.kinds[s] == Equation::Input)
    }

    pub fn kind(&self, s: Stream) -> Equation {
        self.kinds[s]
    }

    /// Returns the streams that the equation of `s` reads: its operands, then the values that its regions read.
    pub fn operands(&self, s: Stream) -> &[Stream] {
        &self.operands[s]
    }

    /// Returns the op that defines `s`; the node for an input.
    pub fn op(&self, s: Stream) -> Op {
        self.values[s].defining_op().map_or(self.node, |(op, _)| op)
    }

    /// Returns the name of a stream in the text, or its number.
    pub fn label(&self, s: Stream) -> String {
        self.values[s].name().unwrap_or_else(|| s.to_string())
    }

    /// Returns the value of a Boolean constant.
    pub fn boolean_constant(&self, s: Stream) -> Option<bool> {
        let op = self.op(s);
        let is_constant =
            matches!(op.kind(), Kind::ArithConstant | Kind::StreamConstant) && self.values[s].ty().is_integer(1);
        Some(is_constant.then(|| op.attribute("value")?.as_i64())?? != 0)
    }
}

fn kind(value: Value, operands: &[Stream]) -> Equation {
    let Some((op, _)) = value.defining_op() else { return Equation::Input };
    match op.kind() {
        Kind::StreamFby => Equation::Fby,
        Kind::StreamPost => Equation::Post,
        Kind::StreamWhen => Equation::When(op.attribute("negated").is_none()),
        Kind::StreamMerge => Equation::Merge,
        Kind::StreamSelect => Equation::Select,
        Kind::StreamConstant | Kind::StreamInitial => Equation::Constant,
        _ if operands.is_empty() => Equation::Literal,
        _ => Equation::Pointwise,
    }
}

/// Returns the values that an op reads: its operands, then the values of the node that its regions read.
fn reads(op: Op) -> Vec<Value> {
    let mut all = op.operands();
    if op.num_regions() > 0 {
        let node = op.block();
        all.extend(op.nested_ops().into_iter().flat_map(|o| o.operands()).filter(|v| v.block() == node));
    }
    all
}
