//! The meaning of operations on whole arrays as terms with loops. These *reading rules* are applied when ops are
//! translated to terms. Such a rule is never a step of a proof, because the op and its meaning become the same term. If
//! the reading rule of an op is disabled, the op is opaque to the optimiser.

use super::{Apply, Requirement, Rule};
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};

/// Returns a reading. It is exact, since the order of a reduction is unspecified on both sides.
const fn reading(name: &'static str, law: &'static str, when: &'static str, accepts: fn(Op) -> bool) -> Rule<'static> {
    Rule { name, law, when, requirement: Requirement::Exact, at: |_| false, apply: Apply::Reading(accepts) }
}

pub const RULES: &[Rule<'static>] = &[
    reading(
        "read-elementwise",
        "f(a, b) = build (i..) f(a[i..], b[i..]), for arithmetic, functions of `math`, comparisons and choices (X.20)",
        "",
        |op| {
            let kind = op.kind();
            let is_elementwise = matches!(kind.dialect(), "arith" | "math")
                || matches!(kind, Kind::ArrayDiv | Kind::ArrayMod | Kind::ArrayFloor);
            is_elementwise && op.num_operands() > 0 && op.results().iter().all(|r| r.ty().is_tensor())
        },
    ),
    reading("read-length", "length (build n e) = n (c2)", "", |op| {
        matches!(op.kind(), Kind::ArrayLength | Kind::TensorDim)
    }),
    reading(
        "read-transpose",
        "transpose a = build (j, i) a[i, j], and similarly for every permutation (X.3)",
        "",
        |op| op.kind() == Kind::ArrayTranspose,
    ),
    reading(
        "read-reshape",
        "reshape a = build (i..) a[j..] with the same row-major position",
        "only the outermost length may be dynamic",
        |op| matches!(op.kind(), Kind::ArrayReshape | Kind::TensorCollapseShape | Kind::TensorExpandShape),
    ),
    reading("read-replicate", "replicate n x = build n x", "", |op| {
        matches!(op.kind(), Kind::ArrayReplicate | Kind::TensorSplat)
    }),
    reading(
        "read-reduction",
        "sum a axes (i) = build (j..) Σ_i a[i, j..]; products, maxima and minima likewise",
        "",
        |op| {
            matches!(
                op.kind(),
                Kind::ArraySum
                    | Kind::ArrayProd
                    | Kind::ArrayMax
                    | Kind::ArrayMin
                    | Kind::ArrayArgmax
                    | Kind::ArrayArgmin
            )
        },
    ),
    reading("read-gather", "gather a (i..) p = build (i..) a[p..]", "", |op| op.kind() == Kind::ArrayGather),
    reading("read-scatter", "scatter adds a[i..] at p(i..) for every i", "", |op| op.kind() == Kind::ArrayScatter),
    reading("read-slice", "slice a s n = build (i < n) a[s + i]", "strides of one", |op| {
        matches!(op.kind(), Kind::ArraySlice | Kind::TensorExtractSlice)
    }),
    reading("read-reverse", "reverse a = build (i < n) a[n - 1 - i]", "", |op| op.kind() == Kind::ArrayReverse),
    reading("read-iota", "iota n = build (i < n) i", "", |op| op.kind() == Kind::ArrayIota),
    reading(
        "read-append",
        "append a b = build (i < n + m) cond(i < n, a[i], b[i - n])",
        "along the outermost axis",
        |op| matches!(op.kind(), Kind::ArrayAppend | Kind::TensorConcat),
    ),
    reading("read-one-hot", "one_hot x at p = build (i..) cond(i.. = p.., x, 0)", "", |op| {
        op.kind() == Kind::ArrayOneHot
    }),
    reading(
        "read-fold",
        "fold and map_accum = an ifold over the rows, and a build of the emitted values",
        "the emitted values do not depend on the carried values",
        |op| matches!(op.kind(), Kind::ArrayFold | Kind::ArrayMapAccum),
    ),
];
