//! Recognition of accumulations that are a reduction of `array`, by their combiner.

use crate::analysis::edit;
use mlopt_dialects::ir::{Attribute, Block, Builder, Value};
use mlopt_dialects::ops::{FastMath, FromAttribute, HasKind, Kind};
use mlopt_dialects::value::Element;

/// An accumulation `old ⊕ element` in every iteration.
pub struct Reduction {
    /// The `array` op.
    pub kind: Kind,
    pub element: Value,
    /// The op ⊕.
    operation: Kind,
    attributes: Vec<(String, Attribute)>,
}

/// Returns the accumulation into result `k` of the loops: `body` yields ⊕ of its argument `old` and another value, and
/// has no other use of `old`.
pub fn recognised(body: Block, k: usize, old: Value) -> Option<Reduction> {
    let yielded = body.terminator()?.operand(k);
    let (combine, _) = yielded.defining_op()?;
    let kind = match combine.kind() {
        Kind::ArithAddf | Kind::ArithAddi => Kind::ArraySum,
        Kind::ArithMulf | Kind::ArithMuli => Kind::ArrayProd,
        Kind::ArithMaximumf | Kind::ArithMaxnumf | Kind::ArithMaxsi => Kind::ArrayMax,
        Kind::ArithMinimumf | Kind::ArithMinnumf | Kind::ArithMinsi => Kind::ArrayMin,
        _ => return None,
    };
    let numeric = yielded.ty().element().is_some_and(|e| e != Element::I1);
    let alone = combine.block() == Some(body) && old.is_used_once() && yielded.is_used_once();
    let element = match (combine.operand(0) == old, combine.operand(1) == old) {
        (true, false) => combine.operand(1),
        (false, true) => combine.operand(0),
        _ => return None,
    };
    let reduction = || Reduction { kind, element, operation: combine.kind(), attributes: combine.attributes() };
    (numeric && alone).then(reduction)
}

/// Changes `body` to yield the element that it accumulated into result `k`.
pub fn without_accumulation(body: Block, k: usize, element: Value) {
    let terminator = body.end();
    let (combine, _) = terminator.operand(k).defining_op().expect("recognised: an op accumulates");
    terminator.set_operand(k, element);
    combine.erase();
}

impl Reduction {
    /// Returns the fast-math flags of ⊕ beyond those that every reduction implies.
    pub fn fastmath(&self) -> Option<Attribute> {
        let (_, fastmath) = self.attributes.iter().find(|(name, _)| name == "fastmath")?;
        (FastMath::from_attribute(*fastmath) != Some(FastMath::NONE)).then_some(*fastmath)
    }

    /// Returns `init ⊕ reduced`, elementwise; only `reduced` if all elements of `init` are neutral.
    pub fn combined(&self, b: Builder, init: Value, reduced: Value) -> Value {
        if self.is_neutral(init) {
            return reduced;
        }
        let op = b.op(self.operation).operands(&[init, reduced]).results(&[reduced.ty()]);
        b.insert(op.attributes(self.attributes.clone()).build()).result(0)
    }

    pub fn is_neutral(&self, init: Value) -> bool {
        let Some(value) = constant_everywhere(init) else { return false };
        let element = init.ty().element();
        match (self.kind, value.as_f64(), value.as_i64()) {
            (Kind::ArraySum, Some(x), _) => x == 0.0,
            (Kind::ArrayProd, Some(x), _) => x == 1.0,
            (Kind::ArrayMax, Some(x), _) => x == f64::NEG_INFINITY,
            (Kind::ArrayMin, Some(x), _) => x == f64::INFINITY,
            (Kind::ArraySum, _, Some(n)) => n == 0,
            (Kind::ArrayProd, _, Some(n)) => n == 1,
            (Kind::ArrayMax, _, Some(n)) => element.is_some_and(|e| n == e.range().0),
            (Kind::ArrayMin, _, Some(n)) => element.is_some_and(|e| n == e.range().1),
            _ => false,
        }
    }
}

/// Returns the scalar to which every element is equal.
fn constant_everywhere(x: Value) -> Option<Attribute> {
    if let Some(value) = edit::constant(x) {
        return if x.ty().is_tensor() { value.splat_value() } else { Some(value) };
    }
    let (maker, _) = x.defining_op()?;
    match maker.kind() {
        Kind::ArrayReplicate | Kind::ArrayReshape => constant_everywhere(maker.operand(0)),
        _ => None,
    }
}
