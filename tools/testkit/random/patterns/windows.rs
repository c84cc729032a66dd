//! Patterns: convolutions, stencils and pooling, which are builds that read around a position, possibly out of range.

use super::elementwise;
use crate::random::builder::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;

/// Computes i · stride + j · dilation − shift.
fn place(b: &mut Builder, i: &Value, j: &Value, stride: i64, dilation: i64, shift: i64) -> Value {
    let times = |b: &mut Builder, i: &Value, n: i64| {
        if n == 1 {
            return i.clone();
        }
        let n = b.index(n);
        b.binary(Kind::ArithMuli, i, &n)
    };
    let (i, j) = (times(b, i, stride), times(b, j, dilation));
    let sum = b.binary(Kind::ArithAddi, &i, &j);
    if shift == 0 {
        return sum;
    }
    let shift = b.index(shift);
    b.binary(Kind::ArithSubi, &sum, &shift)
}

/// Computes a convolution of channels with a kernel of up to 10 elements, with padding, stride or dilation.
pub fn convolution(b: &mut Builder) {
    let [n, c, o] = b.dims::<3>(60.0);
    let taps = b.one_of(&[1, 2, 3, 4, 5, 7, 8, 9, 10]);
    let k = b.literal(taps);
    let (x, w) = (b.floats(&[c, n]), b.floats(&[o, c, k]));
    let (stride, dilation) = (b.one_of(&[1, 1, 1, 2, 3]), b.one_of(&[1, 1, 1, 2]));
    let padding = if b.coin() { (taps as i64 - 1) / 2 } else { 0 };
    let valid = padding == 0 && stride == 1 && dilation == 1;
    let length: Dim = if stride > 1 {
        let by = b.literal(stride as usize);
        b.computed("div", n, by)
    } else if valid {
        let less = b.literal(taps - 1);
        b.computed("sub", n, less)
    } else {
        n
    };
    let z = b.build(&[o, length], |b, at| {
        b.sum_over(c, |b, l| {
            b.dot(k, |b, j| {
                let from = place(b, &at[1], j, stride, dilation, padding);
                (b.get(&x, &[l, &from]), b.get(&w, &[&at[0], l, j]))
            })
        })
    });
    b.keep(&z);
}

/// Computes a convolution of an image with a kernel of about 3 × 3.
pub fn convolution_2d(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(150.0);
    let sides = [b.one_of(&[1, 2, 3, 4]), b.one_of(&[2, 3, 5])];
    let [p, q] = sides.map(|s| b.literal(s));
    let w = b.floats(&[p, q]);
    let padding = if b.coin() { 1 } else { 0 };
    let stride = b.one_of(&[1, 1, 2]);
    let z = b.build(&[n, m], |b, at| {
        b.sum_over(p, |b, k| {
            b.dot(q, |b, l| {
                let (i, j) = (place(b, &at[0], k, stride, 1, padding), place(b, &at[1], l, 1, 1, padding));
                (b.get(&x, &[i, j]), b.get(&w, &[k, l]))
            })
        })
    });
    b.keep(&z);
}

/// Returns the position of a neighbour at a distance: out of range (which reads as zero), clamped, or periodic.
fn neighbour(b: &mut Builder, i: &Value, by: i64, dim: Dim, kind: usize) -> Value {
    let by = b.index(by);
    let j = b.binary(Kind::ArithAddi, i, &by);
    match kind {
        0 => j,
        1 => {
            let (zero, one, n) = (b.index(0), b.index(1), b.length(dim));
            let last = b.binary(Kind::ArithSubi, &n, &one);
            let low = b.binary(Kind::ArithMaxsi, &j, &zero);
            b.binary(Kind::ArithMinsi, &low, &last)
        }
        _ => {
            let n = b.length(dim);
            b.binary(Kind::ArrayMod, &j, &n)
        }
    }
}

/// Writes a few steps of a stencil in one or two dimensions.
pub fn stencil(b: &mut Builder) {
    let kind = b.below(3);
    let steps = b.one_of(&[1, 1, 2, 3]);
    let nonlinear = b.once_in(3);
    if b.coin() {
        let (x, [n]) = b.input::<1>(30.0 * steps as f64);
        let z = stepped(b, x, steps, move |b, x| {
            b.build(&[n], |b, at| {
                let (left, right) = (neighbour(b, &at[0], -1, n, kind), neighbour(b, &at[0], 1, n, kind));
                let (l, c, r) = (b.get(x, &[left]), b.get(x, at), b.get(x, &[right]));
                let sum = b.binary(Kind::ArithAddf, &l, &r);
                weighted(b, &c, &sum, 0.25, nonlinear)
            })
        });
        b.keep(&z);
    } else {
        let (x, [n, m]) = b.input::<2>(60.0 * steps as f64);
        let z = stepped(b, x, steps, move |b, x| {
            b.build(&[n, m], |b, at| {
                let mut sum = None;
                for (di, dj) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                    let i = if di == 0 { at[0].clone() } else { neighbour(b, &at[0], di, n, kind) };
                    let j = if dj == 0 { at[1].clone() } else { neighbour(b, &at[1], dj, m, kind) };
                    let e = b.get(x, &[i, j]);
                    sum = Some(match sum {
                        Some(s) => b.binary(Kind::ArithAddf, &s, &e),
                        None => e,
                    });
                }
                let c = b.get(x, at);
                weighted(b, &c, &sum.expect("four of them"), 0.125, nonlinear)
            })
        });
        b.keep(&z);
    }
}

/// Computes c / 2 + w · sum, followed by a function if nonlinear.
fn weighted(b: &mut Builder, c: &Value, sum: &Value, w: f64, nonlinear: bool) -> Value {
    let half = b.with_constant(Kind::ArithMulf, c, 0.5);
    let rest = b.with_constant(Kind::ArithMulf, sum, w);
    let z = b.binary(Kind::ArithAddf, &half, &rest).bounded(c.bound);
    if nonlinear { b.unary(Kind::MathSin, &z) } else { z }
}

/// Runs `step` once, or in a loop.
fn stepped(b: &mut Builder, x: Value, steps: usize, step: impl Fn(&mut Builder, &Value) -> Value) -> Value {
    if steps == 1 {
        return step(b, &x);
    }
    let count = b.index(steps as i64);
    let bound = x.bound;
    b.ifold(&count, steps as f64, &[x], bound, |b, _, s| vec![step(b, &s[0])]).remove(0)
}

/// Computes maxima or means of windows.
pub fn pooling(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(12.0);
    let width = b.one_of(&[2, 2, 3, 4, 8]);
    let k = b.literal(width);
    let fewer = b.computed("div", m, k);
    let by_maximum = b.coin();
    let z = b.build(&[n, fewer], |b, at| {
        let window = b.build(&[k], |b, j| {
            let from = place(b, &at[1], &j[0], width as i64, 1, 0);
            b.get(&x, &[&at[0], &from])
        });
        if by_maximum { b.reduce("max", &window, &[0]) } else { b.mean(&window, &[0]) }
    });
    let z = if b.coin() { elementwise::function(b, &z) } else { z };
    b.keep(&z);
}
