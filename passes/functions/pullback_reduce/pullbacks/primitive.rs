//! Evaluation of primitives in one step, and their derivatives as terms, from the table of derivatives.

use super::machine::Machine;
use super::term::{self, Term, TermKind, Var, substitute};
use crate::ad::derivatives::{self, Partial, Point, Rule};
use crate::functions::function;
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Attribute, Block, Builder, Location, Op, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Array;
use std::cell::OnceCell;
use std::rc::Rc;

/// A function that is evaluated in one step.
pub enum Primitive {
    /// An elementwise op of the table of derivatives; its argument is a tuple if it has several operands.
    Op(Elementwise),
    /// A function of the module that is marked `lambda.primitive`.
    Function(Rc<str>),
}

pub struct Elementwise {
    name: String,
    attributes: Vec<(String, Attribute)>,
    inputs: Vec<Type>,
    result: Type,
    op: String,
    partials: Option<fn(&Point, usize) -> Partial>,
    /// The op itself, on the arguments of a block.
    own: Op,
    tangent: OnceCell<Rc<Code>>,
    cotangent: OnceCell<Rc<Code>>,
}

/// The code of a derivative, as a function of the operands of an op and of a direction or a cotangent.
pub struct Code {
    operands: Vec<Var>,
    along: Vec<Var>,
    term: Term,
}

impl Primitive {
    pub fn name(&self) -> &str {
        match self {
            Primitive::Op(op) => &op.name,
            Primitive::Function(symbol) => symbol,
        }
    }

    /// Checks whether its result is constant.
    pub fn is_constant(&self) -> bool {
        matches!(self, Primitive::Op(Elementwise { partials: None, .. }))
    }

    /// Returns the op, with attributes and the type of its result.
    pub fn as_op(&self) -> Option<(&str, &[(String, Attribute)], Type)> {
        match self {
            Primitive::Op(op) => Some((&op.op, &op.attributes, op.result)),
            Primitive::Function(_) => None,
        }
    }
}

/// Returns the short name of an op: `mul` for `arith.mulf`.
fn short(op: &str) -> String {
    let (dialect, name) = op.split_once('.').unwrap_or(("", op));
    let is_of_floats = dialect == "arith" || matches!(name, "powf" | "absf");
    let name = if is_of_floats { name.strip_suffix('f').unwrap_or(name) } else { name };
    name.to_string()
}

/// Returns the op as a primitive, if the table differentiates it elementwise or it is constant.
pub fn of_op(op: Op, scratch: Block) -> Option<Primitive> {
    let partials = match derivatives::rule(op.kind())? {
        Rule::Elementwise(partials) => Some(partials),
        Rule::Constant => None,
        _ => return None,
    };
    let is_plain = op.num_regions() == 0 && op.num_results() == 1 && op.num_operands() > 0;
    if !is_plain || op.kind().dialect() == "dual" {
        return None;
    }
    let inputs = types_of(&op.operands());
    let (name, attributes, result) = (op.name().to_string(), op.attributes(), op.result(0).ty());
    // A function of the scratch module contains the op.
    let at = op.location().unnamed();
    let block = Block::new(&inputs.iter().map(|t| (*t, at)).collect::<Vec<_>>());
    let b = Builder::at_end(block, at);
    let own = insert(b, &name, &attributes, &block.arguments(), result);
    b.insert(b.op(Kind::FuncReturn).operands(&[own.result(0)]).build());
    scratch.append(function("op", &inputs, &[result], block, at));
    Some(Primitive::Op(Elementwise {
        name: short(&name),
        attributes,
        inputs,
        result,
        op: name,
        partials,
        own,
        tangent: OnceCell::new(),
        cotangent: OnceCell::new(),
    }))
}

fn insert(b: Builder, name: &str, attributes: &[(String, Attribute)], x: &[Value], result: Type) -> Op {
    b.insert(b.op(name).operands(x).results(&[result]).attributes(attributes.iter().cloned()).build())
}

/// Returns the zero of a type of arrays.
pub(super) fn zeros(ty: Type, at: Location) -> Result<Array, Reported> {
    let shape: Option<Vec<usize>> = ty.shape().into_iter().collect();
    match (shape, ty.element()) {
        (Some(shape), Some(element)) => Ok(Array::zeros(element, &shape)),
        _ => Err(error(at, format!("not supported: a zero must have static sizes, found type {ty}"))),
    }
}

impl Machine {
    /// Rule 3: returns the value of a primitive.
    pub(super) fn evaluate(&mut self, p: &Primitive, x: &Term, at: Location) -> Result<Term, Reported> {
        match p {
            Primitive::Function(symbol) => {
                let f = self.global(symbol, at)?;
                self.quietly(|this| this.eval(&term::apply(f.clone(), x.clone())))
            }
            Primitive::Op(op) => {
                let n = op.inputs.len();
                let mut values = Vec::new();
                for (k, ty) in op.inputs.iter().enumerate() {
                    let operand = if n == 1 { x.clone() } else { term::part(k, n, x.clone()) };
                    values.push((op.own.operand(k), Rc::new(self.array(p, &operand, *ty, at)?)));
                }
                let found = Evaluator::new(self.scratch).evaluate(op.own, values);
                let found = found.map_err(|e| error(at, e.text))?;
                Ok(term::number((*found[0]).clone(), at))
            }
        }
    }

    fn array(&self, p: &Primitive, x: &Term, ty: Type, at: Location) -> Result<Array, Reported> {
        match &x.kind {
            TermKind::Number(x) => Ok((**x).clone()),
            TermKind::Zero => zeros(ty, at),
            _ => Err(self.unexpected(at, format!("numbers as operands of `{}`", p.name()), x)),
        }
    }

    /// Returns the derivative of a primitive at `a` along `u`, as a term of primitives.
    pub(super) fn derivative_of(&mut self, p: &Primitive, a: &Term, u: &Term) -> Result<Term, Reported> {
        match p {
            Primitive::Function(symbol) => {
                let f = self.global(symbol, a.at)?;
                self.derivative_of_lambda(&f, a, u)
            }
            Primitive::Op(op) => {
                let Some(partials) = op.partials else { return Ok(term::zero(a.at)) };
                let code = match op.tangent.get() {
                    Some(code) => code.clone(),
                    None => {
                        let code = Rc::new(self.tangent_code(op, partials)?);
                        op.tangent.get_or_init(|| code).clone()
                    }
                };
                Ok(instantiate(&code, a, u))
            }
        }
    }

    /// Returns `Jf(a)^T c`.
    pub(super) fn transposed(&mut self, p: &Primitive, a: &Term, c: &Term) -> Result<Term, Reported> {
        match p {
            Primitive::Function(symbol) => {
                let f = self.global(symbol, a.at)?;
                self.quietly(|this| this.pull_constant(&f, a, c))
            }
            Primitive::Op(op) => {
                let Some(partials) = op.partials else { return Ok(term::zero(a.at)) };
                let code = match op.cotangent.get() {
                    Some(code) => code.clone(),
                    None => {
                        let code = Rc::new(self.cotangent_code(op, partials)?);
                        op.cotangent.get_or_init(|| code).clone()
                    }
                };
                let term = instantiate(&code, a, c);
                self.quietly(|this| this.eval(&term))
            }
        }
    }

    /// Creates a block with the op, with arguments for its operands and further ones of these types.
    fn around(op: &Elementwise, more: &[Type]) -> (Builder, Op) {
        let at = op.own.location().unnamed();
        let types = op.inputs.iter().chain(more).map(|t| (*t, at)).collect::<Vec<_>>();
        let block = Block::new(&types);
        let b = Builder::at_end(block, at);
        let x = block.arguments()[..op.inputs.len()].to_vec();
        let own = insert(b, &op.op, &op.attributes, &x, op.result);
        (b, own)
    }

    fn tangent_code(&mut self, op: &Elementwise, partials: fn(&Point, usize) -> Partial) -> Result<Code, Reported> {
        let n = op.inputs.len();
        let (b, own) = Self::around(op, &op.inputs);
        let arguments = b.block.arguments();
        let (x, t) = arguments.split_at(n);
        let point = Point { builder: b, op: own, x, z: own.result(0) };
        let tangents: Vec<Option<Value>> =
            t.iter().map(|t| t.ty().element().is_some_and(|e| e.is_float()).then_some(*t)).collect();
        let results = derivatives::tangent(&point, partials, &tangents).into_iter().collect();
        self.code(b, n, results, false)
    }

    fn cotangent_code(&mut self, op: &Elementwise, partials: fn(&Point, usize) -> Partial) -> Result<Code, Reported> {
        let n = op.inputs.len();
        let (b, own) = Self::around(op, &[op.result]);
        let arguments = b.block.arguments();
        let point = Point { builder: b, op: own, x: &arguments[..n], z: own.result(0) };
        let part = |k: usize| {
            let is_float = op.inputs[k].element().is_some_and(|e| e.is_float());
            let zero = || b.insert(b.op(Kind::DualZero).results(&[op.inputs[k]]).build()).result(0);
            let found = is_float.then(|| derivatives::cotangent(&point, partials, k, arguments[n])).flatten();
            found.unwrap_or_else(zero)
        };
        let results: Vec<Value> = (0..n).map(part).collect();
        self.code(b, n, results, n > 1)
    }

    /// Returns the block as a term; an empty one is zero.
    fn code(&mut self, b: Builder, n: usize, results: Vec<Value>, is_tuple: bool) -> Result<Code, Reported> {
        b.insert(b.op(Kind::FuncReturn).operands(&results).build());
        let vars: Vec<Var> = b.block.arguments().iter().map(|v| self.names.fresh("x", Some(v.ty()))).collect();
        let term = self.read_code(b.block, &vars, is_tuple)?;
        b.block.erase();
        Ok(Code { operands: vars[..n].to_vec(), along: vars[n..].to_vec(), term })
    }
}

/// Returns the code for these operands, and this direction or cotangent.
fn instantiate(code: &Code, x: &Term, along: &Term) -> Term {
    let parts = |vars: &[Var], whole: &Term| -> Vec<(Var, Term)> {
        let n = vars.len();
        let part = |k| if n == 1 { whole.clone() } else { term::part(k, n, whole.clone()) };
        vars.iter().enumerate().map(|(k, v)| (*v, part(k))).collect()
    };
    substitute(&code.term, &[parts(&code.operands, x), parts(&code.along, along)].concat())
}
