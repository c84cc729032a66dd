//! Patterns: reductions over some axes, and searches.

use super::elementwise;
use crate::random::builder::Builder;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Writes a reduction of a function of an array.
pub fn reduction(b: &mut Builder) {
    let (x, _) = b.input::<3>(0.3);
    let x = elementwise::function(b, &x);
    let kind = b.one_of(&["sum", "sum", "max", "min", "prod"]);
    let x = if kind == "prod" { b.unary(Kind::MathCos, &x) } else { x };
    let axes: &[usize] = b.one_of(&[&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]]);
    let x = b.tame(x);
    let z = b.reduce(kind, &x, axes);
    let z = if kind == "prod" { z.bounded(1.0) } else { z };
    b.keep(&z);
}

/// Computes the position of the greatest or least element, and the element.
pub fn search(b: &mut Builder) {
    let (x, dims) = b.input::<2>(6.0);
    let kind = b.one_of(&["argmax", "argmin"]);
    let axis = b.below(2);
    let at = b.search(kind, &x, axis);
    let other = dims[1 - axis];
    let z = b.build(&[other], |b, i| {
        let j = b.get(&at, i);
        b.get(&x, &if axis == 0 { [&j, &i[0]] } else { [&i[0], &j] })
    });
    if b.coin() {
        let at = if b.coin() { b.convert("arith.index_cast", &at, Element::I64, 0.0) } else { at };
        b.results.push(at);
    }
    b.keep(&z);
}
