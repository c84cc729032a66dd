//! The handles of `mlopt_dialects::ir`, together with builders of scalar arithmetic for lowerings.

pub use mlopt_dialects::ir::*;
pub use mlopt_dialects::ops::OpName;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

/// The predicates of `arith.cmpi`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    Eq = 0,
    Ne = 1,
    Slt = 2,
    Sle = 3,
    Sgt = 4,
    Sge = 5,
    Ult = 6,
}

/// Builders of scalar code.
pub trait Emit {
    fn make(self, op: impl Into<OpName>, operands: &[Value], results: &[Type], attributes: &[(&str, Attribute)]) -> Op;
    /// Creates an op with one result.
    fn value(self, op: impl Into<OpName>, operands: &[Value], result: Type, attributes: &[(&str, Attribute)]) -> Value;
    /// Creates an op whose result has the type of its first operand.
    fn same(self, op: impl Into<OpName>, operands: &[Value]) -> Value;
    /// Creates the constant `n` of any scalar type.
    fn number(self, ty: Type, n: i64) -> Value;
    fn compare(self, how: Compare, a: Value, b: Value) -> Value;
    fn select(self, c: Value, a: Value, b: Value) -> Value;
    /// Creates a shuffle: the lanes of two vectors that `mask` selects, with those of `a` numbered first.
    fn shuffle(self, a: Value, b: Value, mask: &[i64]) -> Value;
}

impl Emit for Builder {
    fn make(self, op: impl Into<OpName>, operands: &[Value], results: &[Type], attributes: &[(&str, Attribute)]) -> Op {
        let mut op = self.op(op.into()).operands(operands).results(results);
        for (n, a) in attributes {
            op = op.attribute(n, *a);
        }
        self.insert(op.build())
    }

    fn value(self, op: impl Into<OpName>, operands: &[Value], result: Type, attributes: &[(&str, Attribute)]) -> Value {
        self.make(op, operands, &[result], attributes).result(0)
    }

    fn same(self, op: impl Into<OpName>, operands: &[Value]) -> Value {
        self.value(op, operands, operands[0].ty(), &[])
    }

    fn number(self, ty: Type, n: i64) -> Value {
        let value = if ty.is_float() { Attribute::float(ty, n as f64) } else { Attribute::integer(ty, n) };
        self.constant(value, ty)
    }

    fn compare(self, how: Compare, a: Value, b: Value) -> Value {
        let c = self.context();
        self.value(Kind::ArithCmpi, &[a, b], c.int(1), &[("predicate", Attribute::integer(c.int(64), how as i64))])
    }

    fn select(self, c: Value, a: Value, b: Value) -> Value {
        self.value(Kind::ArithSelect, &[c, a, b], a.ty(), &[])
    }

    fn shuffle(self, a: Value, b: Value, mask: &[i64]) -> Value {
        let c = self.context();
        // The form in LLVM 19.
        let lanes = c.array_attr(&mask.iter().map(|k| Attribute::integer(c.int(64), *k)).collect::<Vec<_>>());
        self.value(Kind::VectorShuffle, &[a, b], c.vector(mask.len(), a.ty().scalar()), &[("mask", lanes)])
    }
}

/// Returns `file:line:col` of a location, for messages that outlive the program text.
pub fn place(location: Location) -> String {
    location.place_text()
}

/// Checks whether a symbol is `private`, and thus not exported.
pub fn is_private(op: Op) -> bool {
    op.attribute("sym_visibility").and_then(Attribute::as_string).is_some_and(|v| v == "private")
}

/// Returns the value of an integer constant.
pub fn known(value: Value) -> Option<i64> {
    value.defining_op().filter(|(op, _)| op.kind() == Kind::ArithConstant)?.0.attribute("value")?.as_i64()
}

/// Returns the operands of `op` and of its nested ops.
pub fn operands_of(op: Op) -> impl Iterator<Item = Value> {
    std::iter::once(op).chain(op.nested_ops()).flat_map(Op::operands)
}

/// Returns the values defined outside that `op` and its nested ops need.
pub fn operands_inside(op: Op) -> Vec<Value> {
    let mut values = op.operands();
    for inner in op.nested_ops() {
        values.extend(inner.operands().into_iter().filter(|v| match v.defining_op() {
            Some((maker, _)) => !is_inside(maker, op),
            None => v.block().and_then(Block::parent_op).is_none_or(|p| p != op && !is_inside(p, op)),
        }));
    }
    values
}

/// Checks whether `op` is in a region of `around`.
pub fn is_inside(op: Op, around: Op) -> bool {
    std::iter::successors(op.parent_op(), |p| p.parent_op()).any(|p| p == around)
}

/// Returns the `builtin.module` that `module` owns.
pub fn module_op(module: &melior::ir::Module) -> Op {
    Op::from_raw(module.as_operation().to_raw())
}

/// Checks whether a size is arithmetic on values that an `scf.while` computes.
pub fn is_counted(size: Value) -> bool {
    let (mut seen, mut values) = (HashSet::new(), vec![size]);
    while let Some(value) = values.pop() {
        let Some((op, _)) = value.defining_op().filter(|(op, _)| seen.insert(*op)) else { continue };
        if op.kind() == Kind::ScfWhile {
            return true;
        }
        if op.num_regions() == 0 && op.kind().dialect() != "tensor" {
            values.extend(op.operands());
        }
    }
    false
}

/// Checks whether LLVM supports a `math` op on vectors, or `maths.rs` expands it.
pub fn is_vector_math(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        MathAbsf
            | MathCeil
            | MathCopysign
            | MathCos
            | MathExp
            | MathExp2
            | MathExpm1
            | MathFloor
            | MathFma
            | MathLog
            | MathLog1p
            | MathLog2
            | MathPowf
            | MathRsqrt
            | MathSin
            | MathSqrt
            | MathTanh
            | MathTrunc
    )
}

/// Checks whether an op of `arith` is on floats, and gives floats or an `i1`.
pub fn is_float_arithmetic(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        ArithAddf
            | ArithSubf
            | ArithMulf
            | ArithDivf
            | ArithRemf
            | ArithNegf
            | ArithMaximumf
            | ArithMinimumf
            | ArithMaxnumf
            | ArithMinnumf
            | ArithCmpf
            | ArithExtf
            | ArithTruncf
    )
}

/// Checks whether an op divides integers, which is undefined for some of them.
pub fn divides_integers(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        ArithDivsi | ArithDivui | ArithRemsi | ArithRemui | ArithFloordivsi | ArithCeildivsi | ArithCeildivui
    )
}
