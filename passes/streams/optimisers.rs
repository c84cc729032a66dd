//! Optimisers of parameters (gradient descent, momentum, Adam) as nodes. The inputs are a parameter, its gradient and a
//! learning rate, and the output is the updated parameter. They are defined for one number; for an array they are
//! applied to each element.

use crate::streams::equations;
use crate::streams::nodes::names;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
pub use mlopt_dialects::stream::OPTIMISERS;
use std::collections::{HashMap, HashSet};

const INPUTS: [&str; 3] = ["p", "g", "rate"];

/// Returns the optimiser of this name for numbers of type `ty`; the name must be one of [`OPTIMISERS`].
///
/// - `sgd`: gradient descent, p - rate·g.
/// - `momentum`: v' = 0.9·v - rate·g, p + v'; I. Sutskever et al., ICML 2013, formulas 1 and 2 (classical momentum, B.
///   Polyak 1964).
/// - `adam`: D. Kingma and J. Ba, ICLR 2015, algorithm 1, with the constants given there.
pub fn known(name: &str, ty: Type, like: Op) -> Op {
    let location = like.location().unnamed();
    let body = Block::new(&INPUTS.map(|name| (ty, location.named(name))));
    let [p, g, rate] = [0, 1, 2].map(|k| body.argument(k));
    let e = Equations { b: Builder::at_end(body, location), ty };
    let next = match name {
        "sgd" => e.sub(p, e.mul(rate, g)),
        "momentum" => {
            let v = e.state("v", e.number(0.0));
            let kept = e.mul(e.number(0.9), v.result(0));
            let after = e.sub(kept, e.mul(rate, g));
            v.set_operand(1, after);
            e.add(p, after)
        }
        _ => e.adam(p, g, rate),
    };
    next.suggest_name("next");
    body.append(OpBuilder::new(Kind::StreamYield, location).operands(&[next]).build());
    let context = like.context();
    OpBuilder::new(Kind::StreamNode, location)
        .attribute("sym_name", context.string_attr(name))
        .attribute("function_type", context.type_attr(context.function_type(&[ty; 3], &[ty])))
        .attribute("inputs", context.strings_attr(INPUTS))
        .attribute("outputs", context.strings_attr(["next"]))
        .region(Region::with_block(body))
        .build()
}

/// A builder of equations of numbers of one type.
struct Equations {
    b: Builder,
    ty: Type,
}

impl Equations {
    fn number(&self, x: f64) -> Value {
        self.b.constant(Attribute::float(self.ty, x), self.ty)
    }

    fn add(&self, x: Value, y: Value) -> Value {
        self.b.unary(Kind::ArithAddf, &[x, y], self.ty)
    }

    fn sub(&self, x: Value, y: Value) -> Value {
        self.b.unary(Kind::ArithSubf, &[x, y], self.ty)
    }

    fn mul(&self, x: Value, y: Value) -> Value {
        self.b.unary(Kind::ArithMulf, &[x, y], self.ty)
    }

    fn div(&self, x: Value, y: Value) -> Value {
        self.b.unary(Kind::ArithDivf, &[x, y], self.ty)
    }

    /// Returns a `stream.fby` whose second operand is set later.
    fn state(&self, name: &str, first: Value) -> Op {
        let state = equations::state(self.b, first);
        state.result(0).suggest_name(name);
        state
    }

    /// Returns m' = β₁·m + (1 - β₁)·g, v' = β₂·v + (1 - β₂)·g², p - rate·(m' / (1 - β₁ᵗ)) / (√(v' / (1 - β₂ᵗ)) + ε).
    fn adam(&self, p: Value, g: Value, rate: Value) -> Value {
        let moment = |name: &str, beta: f64, x: Value| {
            let state = self.state(name, self.number(0.0));
            let kept = self.mul(self.number(beta), state.result(0));
            // The same rounding as below, so that the first step is exact in f32 too.
            let rest = self.sub(self.number(1.0), self.number(beta));
            let next = self.add(kept, self.mul(rest, x));
            state.set_operand(1, next);
            // βᵗ for t from 1.
            let power = self.state(&format!("{name}_power"), self.number(beta));
            power.set_operand(1, self.mul(power.result(0), self.number(beta)));
            self.div(next, self.sub(self.number(1.0), power.result(0)))
        };
        let m = moment("m", 0.9, g);
        let v = moment("v", 0.999, self.mul(g, g));
        let spread = self.add(self.b.unary(Kind::MathSqrt, &[v], self.ty), self.number(1e-8));
        self.sub(p, self.div(self.mul(rate, m), spread))
    }
}

/// Converts the optimiser `node` for numbers to one for arrays of type `ty`.
///
/// # Errors
/// For nodes that are not optimisers of numbers of this type, and equations that are not elementwise.
pub fn lift(node: Op, ty: Type) -> Result<(), Reported> {
    let number = ty.scalar();
    let (inputs, outputs) = node.function_type().unwrap_or_default();
    if inputs != [number; 3] || outputs != [number] {
        let context = node.context();
        let [expected, found] =
            [context.function_type(&[number; 3], &[number]), context.function_type(&inputs, &outputs)];
        let what = "it takes a parameter, its gradient and a learning rate, and returns the updated parameter";
        return Err(node.error(format!("an optimiser must have type {expected}: {what}; found {found}")).emit());
    }
    if !ty.is_tensor() {
        return Ok(());
    }
    let body = node.entry();
    let ops = body.ops();
    let mut elements: HashSet<Value> = [body.argument(0), body.argument(1)].into();
    while ops.iter().any(|op| {
        let is_new = op.operands().iter().any(|v| elements.contains(v));
        is_new && op.results().into_iter().filter(|&r| elements.insert(r)).count() > 0
    }) {}
    elements.iter().for_each(|v| v.set_type(Type::array(&ty.shape(), v.ty().scalar())));
    let end = body.end();
    let mut copies: HashMap<Value, Value> = HashMap::new();
    let mut spread = |op: Op, k: usize| {
        let v = op.operand(k);
        if !elements.contains(&v) {
            op.set_operand(k, *copies.entry(v).or_insert_with(|| replicated(Builder::before(end), v, ty)));
        }
    };
    for &op in ops.iter().filter(|op| op.operands().iter().any(|v| elements.contains(v))) {
        let dialect = op.name().split('.').next().unwrap_or_default();
        if !matches!(dialect, "arith" | "math" | "stream") {
            let text = "an optimiser of arrays must use only ops of `arith`, `math` and `stream`";
            return Err(op.error(format!("not supported: {text}, found '{}'", op.name())).emit());
        }
        if op.kind() == Kind::StreamInstance {
            return Err(op.error("expected a node without instances: run `stream-inline` first").emit());
        }
        let is_condition =
            |k: usize| matches!((op.kind(), k), (Kind::StreamWhen, 1) | (Kind::StreamMerge | Kind::StreamSelect, 0));
        for k in 0..op.num_operands() {
            match (is_condition(k), elements.contains(&op.operand(k))) {
                (true, true) => {
                    let what = "the condition of this op must not depend on elements of the array that an optimiser \
                                updates; use `arith.select` instead";
                    return Err(op.error(format!("not supported: {what}")).emit());
                }
                (true, false) => {}
                // A select of whole arrays.
                (false, false) if op.kind() == Kind::ArithSelect && k == 0 => {}
                _ => spread(op, k),
            }
        }
    }
    spread(end, 0);
    names::set_interface(node, &[ty, ty, number], &[ty]);
    Ok(())
}

/// Returns an array of type `ty` with every element `x`.
fn replicated(b: Builder, x: Value, ty: Type) -> Value {
    let value = x.defining_op().filter(|d| d.0.kind() == Kind::ArithConstant).and_then(|d| d.0.attribute("value"));
    let array = |shape: &[_]| Type::array(shape, x.ty());
    if let Some(value) = value {
        let ty = array(&ty.shape());
        return b.constant(Attribute::splat(ty, value), ty);
    }
    let shape = ty.shape();
    (0..shape.len()).rev().fold(x, |x, k| b.unary(Kind::ArrayReplicate, &[x], array(&shape[k..])))
}
