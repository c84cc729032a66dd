//! Functions in the form that the evaluator runs, in which each value of a function has a numbered slot.

use super::value::Value;
use crate::ir::{self, Attribute, Block, Dim, Op};
use crate::ops::Kind;
use crate::ops::lambda::Lambda;
use crate::value::{Array, Data, Element};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A function of the program.
pub struct Code {
    /// The `func.func`, `lambda.lambda` or op with a region that is a function.
    pub op: Op,
    /// The number of its values.
    pub slots: usize,
    /// The free variables of the function, in order of first use, with their slots.
    pub captures: Vec<(ir::Value, usize)>,
    pub body: Rc<Body>,
}

/// A block of a function.
pub struct Body {
    /// The slots of its arguments.
    pub arguments: Vec<usize>,
    pub steps: Vec<Step>,
}

/// An op.
pub struct Step {
    pub op: Op,
    pub name: String,
    pub operands: Vec<usize>,
    pub results: Vec<usize>,
    /// The element types and sizes that results must have, if they are arrays.
    pub expected: Vec<Option<(Element, Vec<Dim>)>>,
    /// The blocks of its regions that are not functions.
    pub regions: Vec<Rc<Body>>,
    /// The free variables of the regions of an op that the evaluator of arrays runs, with their slots.
    pub outside: Vec<(ir::Value, usize)>,
    /// The function that is its region, and the slots of its captures.
    pub function: Option<(Rc<Code>, Vec<usize>)>,
    /// The functions of `lambda.letrec`, and the slots of their captures.
    pub group: Option<(Rc<Group>, Vec<usize>)>,
    /// The value of a constant.
    pub constant: Option<Value>,
    /// True for the terminator of the block.
    pub is_end: bool,
    /// True if its results are the results of the block: the op is in tail position.
    pub is_tail: bool,
}

/// Mutually recursive functions.
pub struct Group {
    pub members: Vec<(Rc<Code>, Vec<Source>)>,
}

/// The source of a capture of a member of a group.
pub enum Source {
    /// A capture of the group, by its position.
    Outside(usize),
    /// Another member.
    Member(usize),
}

const ENDS: &[&str] = &[
    Kind::FuncReturn.name(),
    Kind::LambdaReturn.name(),
    Kind::LambdaYield.name(),
    Kind::ArrayYield.name(),
    Kind::ScfYield.name(),
    Kind::ScfCondition.name(),
    Kind::TensorYield.name(),
    Kind::LinalgYield.name(),
];

/// Ops whose regions the evaluator of arrays runs.
const FOREIGN: &[&str] = &["linalg.", "tensor."];

impl Code {
    /// Returns the code of the function with body `block`, of `op`.
    pub fn new(op: Op, block: Block) -> Rc<Code> {
        let mut numbering = Numbering::default();
        let body = Rc::new(numbering.body(block));
        Rc::new(Code { op, slots: numbering.count, captures: numbering.captures, body })
    }
}

#[derive(Default)]
struct Numbering {
    slots: HashMap<ir::Value, usize>,
    count: usize,
    captures: Vec<(ir::Value, usize)>,
}

impl Numbering {
    fn define(&mut self, value: ir::Value) -> usize {
        self.slots.insert(value, self.count);
        self.count += 1;
        self.count - 1
    }

    /// Returns the slot of a value that is used; a value that is not defined in the function is captured.
    fn slot(&mut self, value: ir::Value) -> usize {
        if let Some(slot) = self.slots.get(&value) {
            return *slot;
        }
        let slot = self.define(value);
        self.captures.push((value, slot));
        slot
    }

    fn body(&mut self, block: Block) -> Body {
        let arguments = block.arguments().into_iter().map(|v| self.define(v)).collect();
        let mut steps: Vec<Step> = Vec::new();
        for op in block.ops() {
            let step = self.step(op);
            if let Some(before) = steps.last_mut()
                && step.is_end
            {
                before.is_tail = !before.results.is_empty() && before.results == step.operands;
            }
            steps.push(step);
        }
        Body { arguments, steps }
    }

    fn step(&mut self, op: Op) -> Step {
        let name = op.name().to_string();
        let operands = op.operands().into_iter().map(|v| self.slot(v)).collect();
        let (mut regions, mut outside, mut function, mut group) = (Vec::new(), Vec::new(), None, None);
        match Kind::by_name(name.as_str()) {
            Kind::LambdaLambda | Kind::LambdaPullback | Kind::LambdaDual => {
                let code = Code::new(op, op.entry());
                let captured = code.captures.iter().map(|(v, _)| self.slot(*v)).collect();
                function = Some((code, captured));
            }
            Kind::LambdaLetrec => group = Some(self.group(op.entry())),
            _ if FOREIGN.iter().any(|prefix| name.starts_with(prefix)) => outside = self.outside(op),
            _ => {
                for region in op.regions() {
                    let empty = || Body { arguments: Vec::new(), steps: Vec::new() };
                    regions.push(Rc::new(region.first_block().map_or_else(empty, |block| self.body(block))));
                }
            }
        }
        let expected = op.results().iter().map(|v| expected(v.ty())).collect();
        let results = op.results().into_iter().map(|v| self.define(v)).collect();
        let is_end = ENDS.contains(&name.as_str());
        let constant = constant(op, &name);
        Step {
            op,
            name,
            operands,
            results,
            expected,
            regions,
            outside,
            function,
            group,
            constant,
            is_end,
            is_tail: false,
        }
    }

    /// Returns the free variables of the regions of `op`.
    fn outside(&mut self, op: Op) -> Vec<(ir::Value, usize)> {
        let inside = op.nested_ops();
        let mut defined: HashSet<ir::Value> = inside.iter().flat_map(|op| op.results()).collect();
        for op in std::iter::once(&op).chain(&inside) {
            defined.extend(op.regions().iter().flat_map(|r| r.blocks()).flat_map(|block| block.arguments()));
        }
        let mut found = Vec::new();
        for value in inside.iter().flat_map(|op| op.operands()) {
            if defined.insert(value) {
                found.push((value, self.slot(value)));
            }
        }
        found
    }

    /// Returns the captures of the functions of a group, in order of first use (`spec/functional.md` A.3).
    fn group(&mut self, block: Block) -> (Rc<Group>, Vec<usize>) {
        let members: Vec<Lambda> = block.ops().into_iter().filter_map(Lambda::of).collect();
        let numbers: HashMap<ir::Value, usize> = members.iter().enumerate().map(|(k, op)| (op.f(), k)).collect();
        let (mut outside, mut captured): (HashMap<ir::Value, usize>, Vec<usize>) = Default::default();
        let mut codes = Vec::new();
        for member in &members {
            let code = Code::new(member.op(), member.body());
            let source = |(value, _): &(ir::Value, usize)| match numbers.get(value) {
                Some(k) => Source::Member(*k),
                None => Source::Outside(*outside.entry(*value).or_insert_with(|| {
                    captured.push(self.slot(*value));
                    captured.len() - 1
                })),
            };
            let sources = code.captures.iter().map(source).collect();
            codes.push((code, sources));
        }
        (Rc::new(Group { members: codes }), captured)
    }
}

fn expected(ty: ir::Type) -> Option<(Element, Vec<Dim>)> {
    let is_array = ty.is_tensor() || ty.scalar() == ty;
    ty.element().filter(|_| is_array).map(|element| (element, ty.shape()))
}

fn constant(op: Op, name: &str) -> Option<Value> {
    match Kind::by_name(name) {
        Kind::ArithConstant => op.attribute("value")?.as_array_value(op.result(0).ty()).map(Value::array),
        Kind::DualZero => {
            let (element, shape) = expected(op.result(0).ty())?;
            let shape: Option<Vec<usize>> = shape.into_iter().collect();
            Some(Value::Zero(Rc::new(Array::zeros(element, &shape?))))
        }
        Kind::LambdaLiteral => literal(op.attribute("value")?, op.result(0).ty()),
        _ => None,
    }
}

/// Returns the value of a literal of open type: an `f64`, an `i64`, a boolean or a string.
fn literal(value: Attribute, ty: ir::Type) -> Option<Value> {
    if let Some(text) = value.as_string() {
        return Some(Value::String(Rc::new(text)));
    }
    if let Some(x) = value.as_array_value(ty) {
        return Some(Value::array(x));
    }
    if let Some(x) = value.as_f64() {
        return Some(Value::f64(x));
    }
    let is_bool = value.to_string() == "true" || value.to_string() == "false";
    let data = |x: i64| if is_bool { Data::I1(vec![x != 0]) } else { Data::I64(vec![x]) };
    value.as_i64().map(|x| Value::array(Array::new(vec![], data(x))))
}
