//! Patterns: integers and booleans, whose results must be exact.

use crate::random::builder::{Builder, Draw, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Applies a total function of two integers.
fn operation(b: &mut Builder, x: &Value, y: &Value) -> Value {
    match b.below(9) {
        0 => b.binary(Kind::ArithAddi, x, y),
        1 => b.binary(Kind::ArithSubi, x, y),
        2 => b.binary(Kind::ArithMuli, x, y),
        3 => b.binary(Kind::ArrayDiv, x, y),
        4 => b.binary(Kind::ArrayMod, x, y),
        5 => {
            let op = b.one_of(&[Kind::ArithMaxsi, Kind::ArithMinsi, Kind::ArithMaxui, Kind::ArithMinui]);
            b.binary(op, x, y)
        }
        6 => {
            let op = b.one_of(&[Kind::ArithAndi, Kind::ArithOri, Kind::ArithXori]);
            b.binary(op, x, y)
        }
        7 => {
            let by = b.constant_like(3.0, x);
            let op = b.one_of(&[Kind::ArithShli, Kind::ArithShrsi, Kind::ArithShrui]);
            b.binary(op, x, &by)
        }
        _ => {
            let predicate = b.one_of(&["slt", "sge", "ult", "eq", "ne"]);
            let c = b.compare(predicate, x, y);
            b.select(&c, x, y)
        }
    }
}

/// Writes arithmetic on arrays of integers, whole or in a build, then a reduction.
pub fn arithmetic(b: &mut Builder) {
    let element = b.one_of(&[Element::I32, Element::I64, Element::Index, Element::I8, Element::I16]);
    let dims = b.dims::<2>(20.0);
    let (least, greatest) = Element::I32.range();
    let draw = b.one_of(&[(-9, 9), (-1000, 1000), (least, greatest), (0, 255)]);
    let (least, greatest) = element.range();
    let draw = (draw.0.max(least), draw.1.min(greatest));
    let draw = Draw::Integer { low: draw.0, high: draw.1 };
    let (x, y) = (b.parameter(&dims, element, draw), b.parameter(&dims, element, draw));
    let ops = 1 + b.below(4);
    let expression = |b: &mut Builder, x: &Value, y: &Value| (0..ops).fold(x.clone(), |z, _| operation(b, &z, y));
    let whole = b.coin();
    let z = b.pointwise(whole, &x, &y, expression);
    let axes: &[usize] = b.one_of(&[&[0], &[1], &[0, 1]]);
    let kind = b.one_of(&["sum", "max", "min", "prod", "sum"]);
    let reduced = b.reduce(kind, &z, axes);
    b.results.push(reduced);
    if b.coin() {
        let axis = b.below(2);
        let at = b.search("argmax", &z, axis);
        b.results.push(at);
    }
    if b.coin() {
        // Converts the result to floats.
        let four = b.constant_like(4.0, &z);
        let small = b.binary(Kind::ArrayMod, &z, &four);
        let wide =
            if element == Element::Index { b.convert("arith.index_cast", &small, Element::I64, 0.0) } else { small };
        let float = b.float;
        let f = b.convert("arith.sitofp", &wide, float, 4.0);
        b.keep(&f);
    }
    b.results.push(z);
}

/// Writes operations on arrays of booleans: logic, counts, any and all, floors.
pub fn bits(b: &mut Builder) {
    let dims = b.dims::<2>(8.0);
    let chance = b.one_of(&[0.5, 0.05, 0.95]);
    let p = b.parameter(&dims, Element::I1, Draw::Bool(chance));
    let x = b.floats(&dims);
    let zero = b.constant_like(0.0, &x);
    let q = b.compare("ogt", &x, &zero);
    let inside = b.coin();
    let op = b.one_of(&[Kind::ArithAndi, Kind::ArithOri, Kind::ArithXori]);
    let r = b.pointwise(!inside, &p, &q, |b, p, q| b.binary(op, p, q));
    let element = b.one_of(&[Element::I32, Element::I64]);
    let counted = b.convert("arith.extui", &r, element, 0.0);
    let axes: &[usize] = b.one_of(&[&[0], &[1], &[0, 1]]);
    let kind = b.one_of(&["sum", "max", "min"]);
    let count = b.reduce(kind, &counted, axes);
    b.results.push(count);
    match b.below(4) {
        0 => {
            let z = b.select(&r, &x, &zero);
            b.keep(&z);
        }
        1 => {
            let t = b.transpose(&r, &[1, 0]);
            b.results.push(t);
        }
        2 => {
            let ten = b.with_constant(Kind::ArithMulf, &x, 10.0);
            let cells = b.convert("array.floor", &ten, element, 0.0);
            b.results.push(cells);
        }
        _ => {
            let rows = b.reverse(&r);
            let (t, f) = (b.convert("arith.extui", &rows, element, 0.0), b.constant_like(-7.0, &counted));
            let z = b.select(&r, &t, &f);
            b.results.push(z);
        }
    }
    b.results.push(r);
}
