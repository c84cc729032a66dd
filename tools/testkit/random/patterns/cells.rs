//! Patterns: layers and cells of neural networks.

use crate::random::builder::{Builder, Dim, Value};
use mlopt_dialects::ops::Kind;

/// Computes w · x + bias.
fn affine(b: &mut Builder, w: &Value, x: &Value, bias: &Value) -> Value {
    let (n, k) = (w.shape[0], w.shape[1]);
    let y = b.build(&[n], |b, at| b.dot(k, |b, l| (b.get(w, &[&at[0], l]), b.get(x, &[l]))));
    let scale = 1.0 / (b.size(k).max(1) as f64).sqrt();
    let y = b.with_constant(Kind::ArithMulf, &y, scale).bounded(4.0);
    b.binary(Kind::ArithAddf, &y, bias)
}

/// Returns the four gates: parts of one array, cut in rows.
fn gates(b: &mut Builder, z: &Value, units: Dim) -> [Value; 4] {
    let mut start = b.index(0);
    let step = b.length(units);
    std::array::from_fn(|k| {
        if k > 0 {
            start = b.binary(Kind::ArithAddi, &start, &step);
        }
        b.slice(z, &start, units)
    })
}

/// Writes an LSTM over a sequence, with all gates in one matrix.
pub fn lstm(b: &mut Builder) {
    let [units, inputs, time] = b.dims::<3>(120.0);
    if !b.affords(&[units, units, time], 30.0) {
        return perceptron(b);
    }
    let four = b.literal(4);
    let all = b.computed("mul", four, units);
    let (w, u, bias) = (b.floats(&[all, inputs]), b.floats(&[all, units]), b.floats(&[all]));
    let xs = b.floats(&[time, inputs]);
    let (h, c) = (b.floats(&[units]), b.floats(&[units]));
    let each = b.coin();
    let z = b.rows(&[xs], &[h, c], 1.5, |b, x, s| {
        let from_input = affine(b, &w, &x[0], &bias);
        let z = affine(b, &u, &s[0], &from_input);
        let [i, f, o, g] = gates(b, &z, units);
        let [i, f, o] = [i, f, o].map(|gate| b.sigmoid(&gate));
        let g = b.unary(Kind::MathTanh, &g);
        let (kept, new) = (b.binary(Kind::ArithMulf, &f, &s[1]), b.binary(Kind::ArithMulf, &i, &g));
        let c = b.binary(Kind::ArithAddf, &kept, &new);
        let t = b.unary(Kind::MathTanh, &c);
        let h = b.binary(Kind::ArithMulf, &o, &t);
        if each { vec![h.clone(), c, h] } else { vec![h, c] }
    });
    b.keep(&z.last().expect("states").clone().bounded(3.0));
}

/// Writes a perceptron with one hidden layer, over a batch.
pub fn perceptron(b: &mut Builder) {
    let (x, [n, inputs]) = b.input::<2>(30.0);
    let [hidden] = b.dims::<1>(10.0 * b.elements(&[n, inputs]).max(1.0));
    let (w, bias) = (b.floats(&[hidden, inputs]), b.floats(&[hidden]));
    let v = b.floats(&[hidden]);
    let rectified = b.coin();
    let z = b.build(&[n], |b, at| {
        let row = b.get(&x, at);
        let y = affine(b, &w, &row, &bias);
        let y = if rectified { b.with_constant(Kind::ArithMaximumf, &y, 0.0) } else { b.unary(Kind::MathTanh, &y) };
        let p = b.binary(Kind::ArithMulf, &y, &v);
        b.reduce("sum", &p, &[0])
    });
    b.keep(&z);
}
