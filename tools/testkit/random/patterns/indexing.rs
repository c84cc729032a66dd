//! Patterns: reads and additions at positions that depend on data, which may be repeated or out of range.

use crate::random::builder::Builder;
use mlopt_dialects::ops::Kind;

/// Reads rows or elements by position: by an op, or by reads in a build.
pub fn gather(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(0.5);
    let [k] = b.dims::<1>(3.0 * b.size(m).max(1) as f64);
    let z = match b.below(4) {
        0 => {
            let at = b.positions(&[k], n);
            b.gather(&x, &[k], |b, i| vec![b.get(&at, i)])
        }
        1 => {
            let at = b.positions(&[k], n);
            b.build(&[k], |b, i| {
                let j = b.get(&at, i);
                b.get(&x, &[j])
            })
        }
        2 => {
            let (rows, columns) = (b.positions(&[k], n), b.positions(&[k], m));
            b.gather(&x, &[k], |b, i| vec![b.get(&rows, i), b.get(&columns, i)])
        }
        _ if b.affords(&[n, m], 6.0) => {
            // Along an axis, with one position for each element.
            let at = b.positions(&[n, m], m);
            b.build(&[n, m], |b, i| {
                let j = b.get(&at, i);
                b.get(&x, &[&i[0], &j])
            })
        }
        _ => {
            // Every third row, in reverse.
            let (three, last) = (b.index(3), b.length(n));
            b.gather(&x, &[k], |b, i| {
                let j = b.binary(Kind::ArithMuli, &i[0], &three);
                vec![b.binary(Kind::ArithSubi, &last, &j)]
            })
        }
    };
    let z = b.perhaps_scaled(z);
    b.keep(&z);
}

/// Adds rows or elements by position, to zeros or to an array.
pub fn scatter(b: &mut Builder) {
    let (x, [n, m]) = b.input::<2>(3.0);
    let [k] = b.dims::<1>(0.5 * b.size(m).max(1) as f64);
    let from_zeros = b.coin();
    let z = if b.coin() {
        let at = b.positions(&[n], k);
        let init = if from_zeros { b.zeros(&[k, m]) } else { b.floats(&[k, m]) };
        b.scatter(&x, 1, &init, |b, i| vec![b.get(&at, i)])
    } else {
        let at = b.positions(&[n, m], k);
        let init = if from_zeros { b.zeros(&[k]) } else { b.floats(&[k]) };
        b.scatter(&x, 2, &init, |b, i| vec![b.get(&at, i)])
    };
    b.keep(&z);
}

/// Counts and sums classes, by loops that add one-hot arrays or by comparisons.
pub fn histogram(b: &mut Builder) {
    let (x, [n]) = b.input::<1>(8.0);
    let [k] = b.dims::<1>(8.0 * b.size(n).max(1) as f64);
    let classes = b.positions(&[n], k);
    let z = if b.coin() {
        let zeros = b.zeros(&[k]);
        let count = b.length(n);
        let times = b.size(n) as f64;
        let sums = b.ifold(&count, times, &[zeros], 1.0, |b, i, s| {
            let (c, e) = (b.get(&classes, &[i]), b.get(&x, &[i]));
            let hot = b.one_hot(&e, &[c], &[k]);
            vec![b.binary(Kind::ArithAddf, &s[0], &hot)]
        });
        sums[0].clone()
    } else {
        b.build(&[k], |b, at| {
            b.sum_over(n, |b, i| {
                let (c, e) = (b.get(&classes, &[i]), b.get(&x, &[i]));
                let (here, zero) = (b.compare("eq", &c, &at[0]), b.real(0.0));
                b.select(&here, &e, &zero)
            })
        })
    };
    b.keep(&z.bounded(x.bound * b.size(n).max(1) as f64));
}
