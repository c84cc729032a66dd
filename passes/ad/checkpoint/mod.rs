//! Checkpointing: reverse mode of loops with less memory.
//!
//! Reverse mode needs the states of a loop. Keeping the states of all n iterations takes n times the memory of one
//! state. Instead, the loop is split into ⌊√n⌋ segments, each a loop of its own. Only the states at the starts of the
//! segments are kept; the states inside a segment are computed again when the reverse sweep reaches the segment. This
//! takes the memory of about 2√n states, and at most √n more for the iterations that do not fill a segment. Every
//! iteration is computed once more. Segments inside segments reduce the number of states to about 4·n^(1/3), and so on.
//! The smallest depth of nesting with which the states fit in the memory budget is used.
//!
//! The split is made in a copy of the function, before differentiation, which then sees ordinary nested loops. The
//! order of all additions is preserved, so the derivatives are bitwise identical. Decision 011 has the details.

mod loops;
mod rows;

use crate::ad::forward::KEEPS;
use mlopt_dialects::ir::{Builder, Op, Type, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// The maximum number of levels of segments. More levels would save little memory for the work that they add.
const MAX_LEVELS: u32 = 6;

/// Splits the loops of `function` that keep more than `budget` bytes, if their sizes are known. A loop of unknown size
/// is split into √n segments. Inner loops come first.
pub fn segment(function: Op, budget: f64) {
    for op in function.nested_ops().into_iter().rev() {
        let Some((count, inits)) = loops::counted_by(op) else { continue };
        let levels = levels(count, bytes(&inits), budget);
        if levels > 1 {
            loops::split(op, levels);
        }
    }
}

/// Returns the number of levels into which a loop of `count` iterations with states of `bytes` bytes is split; 1 leaves
/// it whole.
fn levels(count: Option<usize>, bytes: Option<f64>, budget: f64) -> u32 {
    let (Some(n), Some(bytes)) = (count, bytes) else { return 2 };
    let kept = |k: u32| match k {
        1 => n as f64 * bytes,
        _ => f64::from(k + 1) * (n as f64).powf(1.0 / f64::from(k)) * bytes,
    };
    let fits = (1..=MAX_LEVELS).find(|&k| kept(k) <= budget);
    fits.unwrap_or_else(|| (1..=MAX_LEVELS).min_by(|&a, &b| kept(a).total_cmp(&kept(b))).expect("not empty"))
}

/// Returns the size of one state; `None` if it is known only at run time.
fn bytes(inits: &[Value]) -> Option<f64> {
    inits.iter().map(|v| bytes_of(v.ty())).sum()
}

fn bytes_of(ty: Type) -> Option<f64> {
    let elements: Option<usize> = ty.shape().into_iter().product();
    Some((elements? * element_bytes(ty)) as f64)
}

fn element_bytes(ty: Type) -> usize {
    ty.element().map_or(8, Element::bytes)
}

/// Reports the kept values of every primal loop, if `aloud`, and removes the marks.
pub fn report(module: Op, aloud: bool) {
    for op in module.nested_ops() {
        let Some(count) = op.attribute(KEEPS).and_then(|a| a.as_i64()) else { continue };
        op.remove_attribute(KEEPS);
        if !aloud {
            continue;
        }
        let first = op.num_results() - count as usize;
        let kept: Vec<String> = op.results()[first..].iter().map(|v| described(v.ty())).collect();
        let around =
            std::iter::successors(op.parent_op(), |op| op.parent_op()).filter(|op| op.attribute("sym_name").is_none());
        let place = if around.count() > 1 { ", in each iteration of the enclosing loop" } else { "" };
        let _said =
            op.remark(format!("values of this loop that reverse mode keeps: {}{place}", kept.join(", "))).emit();
    }
}

/// Formats a type with its size in bytes. Dynamic sizes are named by their axis.
fn described(ty: Type) -> String {
    let known: usize = ty.shape().into_iter().flatten().product::<usize>() * element_bytes(ty);
    let unknown = ty.shape().into_iter().enumerate().filter(|(_, n)| n.is_none());
    let factors: String = unknown.map(|(axis, _)| if axis == 0 { "·n".into() } else { format!("·d{axis}") }).collect();
    format!("{ty} ({known}{factors} bytes)")
}

/// A number of iterations.
#[derive(Clone, Copy)]
struct Count {
    value: Value,
    known: Option<usize>,
}

impl Count {
    fn constant(b: Builder, n: usize) -> Count {
        Count { value: b.index(n as i64), known: Some(n) }
    }
}

/// The number of iterations of a segment, the number of whole segments, their product, and the number of remaining
/// iterations.
struct Segments {
    length: Count,
    number: Count,
    whole: Count,
    rest: Count,
}

impl Segments {
    /// Splits n iterations for a number of levels. Run-time counts are split as for two levels.
    fn of(b: Builder, n: Count, levels: u32) -> Segments {
        if let Some(n) = n.known {
            let length = ((n as f64).powf(1.0 / f64::from(levels)) as usize).max(1);
            let number = n / length;
            return Segments {
                length: Count::constant(b, length),
                number: Count::constant(b, number),
                whole: Count::constant(b, number * length),
                rest: Count::constant(b, n - number * length),
            };
        }
        let context = b.context();
        let (f64_type, i64_type) = (context.scalar(Element::F64), context.scalar(Element::I64));
        let index = context.index();
        let cast = |kind: Kind, x: Value, ty: Type| b.unary(kind, &[x], ty);
        let two = |kind: Kind, x: Value, y: Value| b.unary(kind, &[x, y], index);
        let count = two(Kind::ArithMaxsi, n.value, b.index(0));
        let wide = cast(Kind::ArithSitofp, cast(Kind::ArithIndexCast, count, i64_type), f64_type);
        let root = cast(Kind::ArithFptosi, cast(Kind::MathSqrt, wide, f64_type), i64_type);
        let length = two(Kind::ArithMaxsi, cast(Kind::ArithIndexCast, root, index), b.index(1));
        let number = two(Kind::ArithDivsi, count, length);
        let whole = two(Kind::ArithMuli, number, length);
        let rest = two(Kind::ArithSubi, count, whole);
        let unknown = |value: Value| Count { value, known: None };
        Segments { length: unknown(length), number: unknown(number), whole: unknown(whole), rest: unknown(rest) }
    }
}
