//! Patterns: softmax, normalisation, attention, losses.

use super::masks;
use crate::random::builder::{Builder, Value};
use mlopt_dialects::ops::Kind;

/// Computes softmax along an axis, by bulk operations.
fn softmax_along(b: &mut Builder, x: &Value, axis: usize) -> Value {
    let dim = x.shape[axis];
    let top = b.reduce("max", x, &[axis]);
    let tops = b.broadcast(&top, axis, dim);
    let shifted = b.binary(Kind::ArithSubf, x, &tops);
    let e = b.unary(Kind::MathExp, &shifted);
    let sum = b.reduce("sum", &e, &[axis]);
    let sums = b.broadcast(&sum, axis, dim);
    b.binary(Kind::ArithDivf, &e, &sums).bounded(1.0)
}

pub fn softmax(b: &mut Builder) {
    let axis = b.below(2);
    let inside = b.coin();
    let (x, [n, m]) = b.input::<2>(if inside { 20.0 } else { 1.0 });
    let z = if inside {
        // Row by row, in a build.
        b.build(&[n], |b, at| {
            let row = b.get(&x, at);
            softmax_along(b, &row, 0)
        })
    } else {
        softmax_along(b, &x, axis)
    };
    let z = match b.below(3) {
        0 => z,
        1 => {
            let w = b.floats(&[n, m]);
            b.binary(Kind::ArithMulf, &z, &w)
        }
        _ => {
            // The logarithm of a sum of exponentials instead.
            let e = b.unary(Kind::MathExp, &x);
            let s = b.reduce("sum", &e, &[axis]);
            let s = b.with_constant(Kind::ArithAddf, &s, 0.125);
            let l = b.unary(Kind::MathLog, &s).bounded(10.0);
            let l = b.broadcast(&l, axis, x.shape[axis]);
            b.binary(Kind::ArithSubf, &z, &l)
        }
    };
    b.keep(&z);
}

/// Normalises by means and deviations over rows or columns.
pub fn normalisation(b: &mut Builder) {
    let (x, dims) = b.input::<2>(1.0);
    let axis = b.below(2);
    let mean = b.mean(&x, &[axis]);
    let means = b.broadcast(&mean, axis, dims[axis]);
    let centred = b.binary(Kind::ArithSubf, &x, &means);
    let square = b.binary(Kind::ArithMulf, &centred, &centred);
    let variance = b.mean(&square, &[axis]);
    let above = b.with_constant(Kind::ArithAddf, &variance, 0.0625);
    let deviation = b.unary(Kind::MathSqrt, &above);
    let z = if b.coin() {
        let deviations = b.broadcast(&deviation, axis, dims[axis]);
        b.binary(Kind::ArithDivf, &centred, &deviations)
    } else {
        let one = b.constant_like(1.0, &deviation);
        let inverse = b.binary(Kind::ArithDivf, &one, &deviation);
        let inverse = b.broadcast(&inverse, axis, dims[axis]);
        b.binary(Kind::ArithMulf, &centred, &inverse)
    };
    let z = z.bounded(6.0);
    let other = 1 - axis;
    let scale = b.floats(&[dims[axis]]);
    let scales = b.broadcast(&scale, other, dims[other]);
    let z = b.binary(Kind::ArithMulf, &z, &scales);
    b.keep(&z);
}

/// Computes softmax(q · kᵀ / √d under a mask) · v.
pub fn attention(b: &mut Builder) {
    let [n, m, d] = b.dims::<3>(16.0);
    let (q, k, v) = (b.floats(&[n, d]), b.floats(&[m, d]), b.floats(&[m, d]));
    let scale = 1.0 / (b.size(d).max(1) as f64).sqrt();
    let scores = b.build(&[n, m], |b, at| {
        let dot = b.dot(d, |b, l| (b.get(&q, &[&at[0], l]), b.get(&k, &[&at[1], l])));
        let scale = b.real(scale);
        b.binary(Kind::ArithMulf, &dot, &scale)
    });
    let scores = if b.below(3) > 0 {
        let m = masks::mask(b, &scores);
        let low = b.constant_like(-200.0, &scores);
        b.select(&m, &scores, &low)
    } else {
        scores
    };
    let weights = softmax_along(b, &scores, 1);
    let z = b.build(&[n, d], |b, at| b.dot(m, |b, l| (b.get(&weights, &[&at[0], l]), b.get(&v, &[l, &at[1]]))));
    b.keep(&z.bounded(1.5));
}

/// Computes a loss over a batch: squared error, Huber's loss, hinge loss, or the cross-entropy of classes given by
/// number.
pub fn loss(b: &mut Builder) {
    let kind = b.below(4);
    let (x, [n, m]) = b.input::<2>(if kind == 3 { 2.0 } else { 1.0 });
    let z = if kind == 3 {
        let classes = b.positions(&[n], m);
        let p = softmax_along(b, &x, 1);
        let p = b.with_constant(Kind::ArithAddf, &p, 0.01);
        let log = b.unary(Kind::MathLog, &p);
        let picked: Value = b.build(&[n], |b, at| {
            let c = b.get(&classes, at);
            b.get(&log, &[&at[0], &c])
        });
        b.mean(&picked.bounded(5.0), &[0])
    } else {
        let y = b.floats(&[n, m]);
        let d = b.binary(Kind::ArithSubf, &x, &y);
        let each = match kind {
            0 => b.binary(Kind::ArithMulf, &d, &d),
            1 => {
                let size = b.unary(Kind::MathAbsf, &d);
                let square = b.binary(Kind::ArithMulf, &d, &d);
                let half = b.with_constant(Kind::ArithMulf, &square, 0.5);
                let line = b.with_constant(Kind::ArithSubf, &size, 0.5);
                let one = b.constant_like(1.0, &size);
                let near = b.compare("ole", &size, &one);
                b.select(&near, &half, &line)
            }
            _ => {
                let p = b.binary(Kind::ArithMulf, &x, &y);
                let minus = b.unary(Kind::ArithNegf, &p);
                let margin = b.with_constant(Kind::ArithAddf, &minus, 1.0);
                b.with_constant(Kind::ArithMaximumf, &margin, 0.0)
            }
        };
        let axes: &[usize] = b.one_of(&[&[0, 1], &[0], &[1]]);
        b.mean(&each, axes)
    };
    b.keep(&z);
}
