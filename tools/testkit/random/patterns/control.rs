//! Patterns: branches and loops of `scf`.

use super::elementwise;
use crate::random::builder::{Builder, Draw, Value};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Applies one of two functions to an array, selected by a scalar.
pub fn branch(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(15.0);
    let p = if b.coin() {
        b.parameter(&[], Element::I1, Draw::Bool(0.5))
    } else {
        let s = b.mean(&x, &[0, 1]);
        let limit = b.real(0.015625);
        b.compare("olt", &s, &limit)
    };
    let z = b.branch(
        &p,
        |b| {
            let y = elementwise::function(b, &x);
            b.tame(y)
        },
        |b| {
            let y = b.build(&[n, m], |b, at| {
                let e = b.get(&x, at);
                elementwise::function(b, &e)
            });
            b.tame(y)
        },
    );
    b.keep(&z);
}

/// Writes a loop on an array or a scalar.
pub fn for_loop(b: &mut Builder) {
    let (x, [n]) = b.input::<1>(10.0);
    let z = if b.coin() {
        let [k] = b.dims::<1>(12.0 * b.size(n).max(1) as f64);
        let w = b.floats(&[k]);
        b.for_loop(k, &x, 3.0, |b, i, s| {
            let c = b.get(&w, &[i]);
            let cs = b.filled(&c, &[n]);
            let half = b.with_constant(Kind::ArithMulf, s, 0.5);
            b.binary(Kind::ArithAddf, &half, &cs)
        })
    } else {
        let init = b.real(0.25);
        b.for_loop(n, &init, 3.0, |b, i, s| {
            let e = b.get(&x, &[i]);
            let half = b.with_constant(Kind::ArithMulf, s, 0.5);
            let z = b.binary(Kind::ArithAddf, &half, &e);
            b.unary(Kind::MathSin, &z)
        })
    };
    b.keep(&z.bounded(4.0));
}

/// Writes a loop that ends when the state is small.
pub fn while_loop(b: &mut Builder) {
    let (x, [n]) = b.input::<1>(200.0);
    let each = b.coin() && b.affords(&[n], 400.0);
    let halved = |b: &mut Builder, start: &Value| {
        b.while_loop(
            start,
            6.0,
            start.bound,
            |b, s| {
                let (size, limit) = (b.unary(Kind::MathAbsf, s), b.real(0.1171875));
                b.compare("ogt", &size, &limit)
            },
            |b, s| b.with_constant(Kind::ArithMulf, s, 0.5),
        )
    };
    let z = if each {
        b.build(&[n], |b, at| {
            let e = b.get(&x, at);
            halved(b, &e)
        })
    } else {
        let s = b.mean(&x, &[0]);
        let small = halved(b, &s);
        let all = b.filled(&small, &[n]);
        b.binary(Kind::ArithMulf, &all, &x)
    };
    b.keep(&z);
}
