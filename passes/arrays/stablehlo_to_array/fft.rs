//! Fourier transforms.
//!
//! A transform of length n is a product with the matrix exp(-2πi jk/n) if n is small. Otherwise n is factorised (J.
//! Cooley and J. Tukey, 1965): with n = pq, j = qj₁ + j₂ and k = k₁ + pk₂, the transforms of length p over j₁ are
//! multiplied by exp(-2πi j₂k₁/n), and transformed with length q over j₂. A transform whose length is a large prime
//! becomes a convolution with the sequence exp(-πi k²/n), which needs transforms of a power of two (L. Bluestein,
//! 1970). A real transform of even length is a complex one of half the length. The tables of these numbers are computed
//! in f64 at import time.
//!
//! An array here is (n, m): the transform runs over the outermost axis, and all other axes are one.

use super::emit::Emit;
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::{self, Index};
use crate::arrays::shapes::sizes::{spread, turned};
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::Fft;
use mlopt_dialects::ops::{FftType, Kind};
use std::f64::consts::FRAC_PI_2;

/// The greatest factor that becomes a product with a matrix, if there is a choice.
const MAX_FACTOR: usize = 16;

/// The greatest prime that becomes a product with a matrix.
const MAX_DIRECT_PRIME: usize = 64;

/// A complex number: its real and its imaginary part.
type Pair = [f64; 2];

/// Returns exp(-2πi k/n). The angle is reduced to a right angle, so that it has a small error.
fn root(n: usize, k: usize) -> Pair {
    let k = 4 * (k as u128 % n as u128);
    let (turns, rest) = (k / n as u128, (k % n as u128) as f64 / n as f64);
    let (sin, cos) = (FRAC_PI_2 * rest).sin_cos();
    match turns {
        0 => [cos, -sin],
        1 => [-sin, -cos],
        2 => [-cos, sin],
        _ => [sin, cos],
    }
}

fn multiply(x: Pair, y: Pair) -> Pair {
    [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]
}

fn conjugate(x: Pair) -> Pair {
    [x[0], -x[1]]
}

/// Returns exp(-πi k²/n).
fn chirp(n: usize, k: usize) -> Pair {
    root(2 * n, (k as u128 * k as u128 % (2 * n as u128)) as usize)
}

/// Returns the transform of numbers whose count is a power of two.
fn transformed(x: &[Pair]) -> Vec<Pair> {
    if x.len() == 1 {
        return x.to_vec();
    }
    let half = |parity: usize| transformed(&x.iter().skip(parity).step_by(2).copied().collect::<Vec<_>>());
    let (even, odd) = (half(0), half(1));
    let at = |k: usize| {
        let (x, y) = (even[k % even.len()], multiply(root(x.len(), k), odd[k % odd.len()]));
        [x[0] + y[0], x[1] + y[1]]
    };
    (0..x.len()).map(at).collect()
}

/// Returns the greatest factor up to `MAX_FACTOR`, or else the least prime factor.
fn factor(n: usize) -> usize {
    let divides = |d: &usize| n.is_multiple_of(*d);
    (2..=MAX_FACTOR).rev().find(divides).or_else(|| (2..=n.isqrt()).find(divides)).unwrap_or(n)
}

/// Checks whether a transform of length n is computed as a product with a matrix.
fn is_direct(n: usize) -> bool {
    n <= MAX_FACTOR || (n <= MAX_DIRECT_PRIME && factor(n) == n)
}

impl Import {
    /// Converts a Fourier transform over the last axes.
    pub(super) fn fft(&mut self, b: Builder, op: Op) -> Result<Parts> {
        let typed: Fft = op.cast();
        let (kind, lengths) = (typed.fft_type(), super::shapes::axes(&typed.fft_length()));
        let rank = op.operand(0).ty().rank();
        let mut x = self.operands(op).remove(0);
        let first = rank - lengths.len();
        if lengths.contains(&0) {
            let sizes = super::shapes::static_sizes(op)?;
            let scalar = x[0].ty().scalar();
            let zero = b.constant(Attribute::float(scalar, 0.0), scalar);
            let count = if kind == FftType::Irfft { 1 } else { 2 };
            return Ok(vec![self.filled(b, zero, &sizes); count]);
        }
        let [other @ .., last] = &lengths[..] else { unreachable!("checked: there is a length") };
        let is_inverse = matches!(kind, FftType::Ifft | FftType::Irfft);
        if kind == FftType::Rfft {
            x = self.over_axis(b, &x, rank - 1, |import, x| import.real_transform(b, x, *last));
        }
        let complex = if matches!(kind, FftType::Rfft | FftType::Irfft) { other } else { &lengths[..] };
        for (&n, axis) in complex.iter().zip(first..) {
            x = self.over_axis(b, &x, axis, |import, x| match is_inverse {
                true => import.inverse_transform(b, x, n),
                false => import.transform(b, x, n),
            });
        }
        if kind == FftType::Irfft {
            x = self.over_axis(b, &x, rank - 1, |import, x| vec![import.inverse_real_transform(b, x, *last)]);
        }
        Ok(x)
    }

    /// Applies a function of arrays (n, m) to the axis `axis`.
    fn over_axis(
        &mut self,
        b: Builder,
        x: &[Value],
        axis: usize,
        f: impl FnOnce(&mut Import, &[Value]) -> Parts,
    ) -> Parts {
        let sizes = self.sizes.sizes(b, x[0]);
        let identity: Vec<usize> = (0..sizes.len()).collect();
        let order: Vec<usize> = std::iter::once(axis).chain(identity.iter().copied().filter(|&k| k != axis)).collect();
        let mut turned_sizes: Vec<Index> = order.iter().map(|&k| sizes[k]).collect();
        let rest = turned_sizes[1..].iter().fold(Index::Known(1), |n, &size| n.multiply(b, size));
        let columns: Parts =
            x.iter().map(|&x| self.with_sizes(b, turned(b, x, &identity, &order), &[turned_sizes[0], rest])).collect();
        let z = f(self, &columns);
        turned_sizes[0] = self.sizes.size(b, z[0], 0);
        z.iter().map(|&z| turned(b, self.with_sizes(b, z, &turned_sizes), &order, &identity)).collect()
    }

    fn with_sizes(&mut self, b: Builder, x: Value, sizes: &[Index]) -> Value {
        let ty = Type::tensor(&index::sizes(b, sizes).0, x.ty().scalar());
        self.sizes.retyped(b, x, ty, sizes)
    }

    /// Returns the transform of complex numbers, or of real ones, which have one part.
    fn transform(&mut self, b: Builder, x: &[Value], n: usize) -> Parts {
        if is_direct(n) {
            return self.matrix_product(b, x, n, n);
        }
        let p = factor(n);
        if p == n {
            return self.prime_transform(b, x, n);
        }
        let q = n / p;
        let m = self.sizes.size(b, x[0], 1);
        let [of_p, of_q] = [p, q].map(|n| Index::Known(n as i64));
        // (p, q, m) to (p, q m) and back.
        let x: Parts = x.iter().map(|&x| self.with_sizes(b, x, &[of_p, of_q.multiply(b, m)])).collect();
        let x = self.transform(b, &x, p);
        let x: Parts = x.iter().map(|&x| self.with_sizes(b, x, &[of_p, of_q, m])).collect();
        let x = self.times_table(b, &x, &[p, q], |position| root(n, position[0] * position[1]));
        let x: Parts = x.iter().map(|&x| b.transpose(x, &[1, 0, 2])).collect();
        let x: Parts = x.iter().map(|&x| self.with_sizes(b, x, &[of_q, of_p.multiply(b, m)])).collect();
        let x = self.transform(b, &x, q);
        x.iter().map(|&x| self.with_sizes(b, x, &[Index::Known(n as i64), m])).collect()
    }

    /// Returns the inverse transform of complex numbers.
    fn inverse_transform(&mut self, b: Builder, x: &[Value], n: usize) -> Parts {
        let e = Emit(b);
        // The conjugate of the transform of the conjugate.
        let z = self.transform(b, &[x[0], e.op(Kind::ArithNegf, &[x[1]])], n);
        let scale = 1.0 / n as f64;
        vec![e.mul(z[0], e.float(z[0], scale)), e.mul(z[1], e.float(z[1], -scale))]
    }

    /// Returns the first rows of the transform, as a product with a matrix.
    fn matrix_product(&mut self, b: Builder, x: &[Value], n: usize, rows: usize) -> Parts {
        let tables = table(b, x[0].ty().scalar(), &[rows, n], |position| root(n, position[0] * position[1]));
        let product = |import: &mut Import, table: Value, x: Value| import.sum_of_products(b, table, x);
        super::complex::product(Emit(b), &tables, x, |table, x| product(self, table, x))
    }

    /// Returns the product of a matrix and an array (n, m).
    fn sum_of_products(&mut self, b: Builder, matrix: Value, x: Value) -> Value {
        let [rows, n] = [0, 1].map(|axis| self.sizes.size(b, matrix, axis));
        let m = self.sizes.size(b, x, 1);
        let extents = [rows, m, n];
        let factors = [spread(b, matrix, &[0, 2], &[0, 1, 2], &extents), spread(b, x, &[2, 1], &[0, 1, 2], &extents)];
        let z = b.sum_axes(Emit(b).mul(factors[0], factors[1]), &[2]);
        self.sizes.sized(z, &[rows, m])
    }

    /// Multiplies complex or real numbers by numbers that depend on the outer axes, which have these sizes.
    fn times_table(&mut self, b: Builder, x: &[Value], sizes: &[usize], f: impl Fn(&[usize]) -> Pair) -> Parts {
        let extents = self.sizes.sizes(b, x[0]);
        let from: Vec<usize> = (0..sizes.len()).collect();
        let to: Vec<usize> = (0..extents.len()).collect();
        let tables = table(b, x[0].ty().scalar(), sizes, f).map(|table| spread(b, table, &from, &to, &extents));
        super::complex::product(Emit(b), &tables, x, |x, y| Emit(b).mul(x, y))
    }

    /// Returns rows of `x` from `start` on; those outside are zero.
    fn rows(&mut self, b: Builder, x: &[Value], start: i64, count: usize) -> Parts {
        let m = self.sizes.size(b, x[0], 1);
        let rows = |&x: &Value| {
            self.sizes.sized(b.slice(x, b.index(start), Some(count), None), &[Index::Known(count as i64), m])
        };
        x.iter().map(rows).collect()
    }

    /// Returns the transform as a convolution: jk = (j² + k² - (k - j)²) / 2.
    fn prime_transform(&mut self, b: Builder, x: &[Value], n: usize) -> Parts {
        let length = (2 * n - 1).next_power_of_two();
        let x = self.times_table(b, x, &[n], |position| chirp(n, position[0]));
        let x = self.rows(b, &x, 0, length);
        let x = self.transform(b, &x, length);
        let mut kernel = vec![[0.0; 2]; length];
        for k in 0..n {
            kernel[k] = conjugate(chirp(n, k));
            kernel[(length - k) % length] = kernel[k];
        }
        let kernel = transformed(&kernel);
        let x = self.times_table(b, &x, &[length], |position| kernel[position[0]]);
        let x = self.inverse_transform(b, &x, length);
        let x = self.rows(b, &x, 0, n);
        self.times_table(b, &x, &[n], |position| chirp(n, position[0]))
    }

    /// Returns the first half of the transform of real numbers, n/2 + 1 rows.
    fn real_transform(&mut self, b: Builder, x: &[Value], n: usize) -> Parts {
        let half = n / 2;
        if is_direct(n) {
            return self.matrix_product(b, x, n, half + 1);
        }
        if n % 2 == 1 {
            let z = self.transform(b, x, n);
            return self.rows(b, &z, 0, half + 1);
        }
        // The even elements are the real parts, the odd ones the imaginary parts.
        let m = self.sizes.size(b, x[0], 1);
        let pairs = self.with_sizes(b, x[0], &[Index::Known(half as i64), Index::Known(2), m]);
        let pairs = b.transpose(pairs, &[1, 0, 2]);
        let parts = [0, 1].map(|k| b.get(pairs, &[b.index(k)]));
        let z = self.transform(b, &parts, half);
        let z: Parts = z.iter().map(|&z| b.append(z, b.slice(z, b.index(0), Some(1), None))).collect();
        let [even, odd] = halves(b, &z);
        // The odd elements are -i times the difference.
        let odd = [odd[1], Emit(b).op(Kind::ArithNegf, &[odd[0]])];
        let odd = self.times_table(b, &odd, &[half + 1], |position| root(n, position[0]));
        even.iter().zip(&odd).map(|(&x, &y)| Emit(b).add(x, y)).collect()
    }

    /// Returns the n real numbers whose transform starts with the rows of `x`. The imaginary parts of the first row,
    /// and of the last one if n is even, have no effect.
    fn inverse_real_transform(&mut self, b: Builder, x: &[Value], n: usize) -> Value {
        let (e, half) = (Emit(b), n / 2);
        if is_direct(n) {
            // Σₖ (re cos + im sin), where rows that stand for their conjugates too count twice.
            let tables = table(b, x[0].ty().scalar(), &[n, half + 1], |position| {
                let count = if position[1] == 0 || 2 * position[1] == n { 1.0 } else { 2.0 };
                root(n, position[0] * position[1]).map(|part| part * count / n as f64)
            });
            return e.add(self.sum_of_products(b, tables[0], x[0]), self.sum_of_products(b, tables[1], x[1]));
        }
        let inner = if n.is_multiple_of(2) { half - 1 } else { half };
        let im = self.rows(b, &x[1..], 1, inner);
        let im = self.rows(b, &im, -1, half + 1);
        let x = [x[0], im[0]];
        if n % 2 == 1 {
            let mirrored = self.rows(b, &x, 1, half);
            let [re, im] = [b.reverse(mirrored[0]), e.op(Kind::ArithNegf, &[b.reverse(mirrored[1])])];
            return self.inverse_transform(b, &[b.append(x[0], re), b.append(x[1], im)], n)[0];
        }
        let [even, odd] = halves(b, &x);
        let odd = self.times_table(b, &odd, &[half + 1], |position| conjugate(root(n, position[0])));
        let packed = [e.sub(even[0], odd[1]), e.add(even[1], odd[0])];
        let packed = self.rows(b, &packed, 0, half);
        let z = self.inverse_transform(b, &packed, half);
        let m = self.sizes.size(b, z[0], 1);
        self.with_sizes(b, b.transpose(b.stack(&z), &[1, 0, 2]), &[Index::Known(n as i64), m])
    }
}

/// Returns (x[k] + x̄[n - k]) / 2 and (x[k] - x̄[n - k]) / 2 for the rows k from 0 to n.
fn halves(b: Builder, x: &[Value]) -> [[Value; 2]; 2] {
    let e = Emit(b);
    let [re, im] = [x[0], x[1]].map(|x| e.mul(x, e.float(x, 0.5)));
    let mirrored = [b.reverse(re), b.reverse(im)];
    let sum = [e.add(re, mirrored[0]), e.sub(im, mirrored[1])];
    let difference = [e.sub(re, mirrored[0]), e.add(im, mirrored[1])];
    [sum, difference]
}

/// Creates the constants with the real and the imaginary parts of `f` at each position.
fn table(b: Builder, scalar: Type, sizes: &[usize], f: impl Fn(&[usize]) -> Pair) -> [Value; 2] {
    let count: usize = sizes.iter().product();
    let at = |k: usize| {
        let mut left = k;
        let mut position = vec![0; sizes.len()];
        for (p, &n) in position.iter_mut().zip(sizes).rev() {
            (*p, left) = (left % n, left / n);
        }
        f(&position)
    };
    let numbers: Vec<Pair> = (0..count).map(at).collect();
    let ty = Type::tensor(&sizes.iter().map(|&n| Some(n)).collect::<Vec<_>>(), scalar);
    [0, 1].map(|part| {
        let bytes: Vec<u8> = match scalar.float_width() {
            Some(32) => numbers.iter().flat_map(|number| (number[part] as f32).to_ne_bytes()).collect(),
            _ => numbers.iter().flat_map(|number| number[part].to_ne_bytes()).collect(),
        };
        b.constant(Attribute::of_dense_bytes(ty, &bytes).expect("one number for each element"), ty)
    })
}
