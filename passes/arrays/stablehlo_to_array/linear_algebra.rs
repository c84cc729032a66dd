//! Decompositions of matrices, and triangular systems: loops over rows of the array language.
//!
//! Sources: Golub and Van Loan, Matrix Computations, 4th edition: Cholesky 4.2, Householder QR 5.2, Jacobi's method for
//! eigenvalues 8.5 with the round-robin order of rotations, and its one-sided form for singular values 8.6; Gaussian
//! elimination 3.4, QR with column pivoting 5.4. `lapack` has the interfaces.

use super::emit::Emit;
use super::lapack::first_failure;
use super::maths::Real;
use super::maths::complex::Complex;
use super::{Import, Result, complex};
use crate::arrays::shapes::index::{Index, compare};
use mlopt_dialects::ir::{Attribute, Builder, Region, Value, types_of};
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, Kind};

/// The number of sweeps of rotations after which Jacobi's method stops. It converges quadratically, in fewer than ten.
const SWEEPS: i64 = 40;

impl Import {
    /// Returns `keys` in ascending or descending order, and the columns of matrices in the same order.
    pub(super) fn sorted_columns(
        &mut self,
        b: Builder,
        keys: Value,
        matrices: &[Value],
        descending: bool,
    ) -> Result<(Value, Vec<Value>)> {
        let n = Index::Known(keys.ty().shape()[0].unwrap_or(0) as i64);
        let before = &mut |_: &mut Import, b: Builder, x: &[Value], y: &[Value]| {
            let predicate = if descending { CmpFPredicate::Ogt } else { CmpFPredicate::Olt };
            Ok(b.compare_floats(predicate, x[0], y[0]))
        };
        let places = self.sorted_positions(b, &[keys], n, before)?;
        let sorted = b.gather(keys, &keys.ty().shape(), &[], |b, i| vec![b.get(places, i)]);
        let columns = |&x: &Value| {
            b.gather(x, &[x.ty().shape()[0], keys.ty().shape()[0]], &[], |b, i| vec![i[0], b.get(places, &i[1..])])
        };
        Ok((sorted, matrices.iter().map(columns).collect()))
    }

    /// Returns the singular value decomposition of a matrix: U, the singular values in descending order, V. With
    /// `complete`, U and V are square.
    pub(super) fn singular(&mut self, b: Builder, x: Value, complete: bool) -> Result<(Value, Value, Value)> {
        let (m, n) = sizes_of(x);
        if m < n {
            let (v, s, u) = self.singular(b, b.transpose(x, &[1, 0]), complete)?;
            return Ok((u, s, v));
        }
        let e = Emit(b);
        // Rotations make the columns orthogonal. Matrices are stored by columns.
        let (columns, rotation) = orthogonal_columns(b, b.transpose(x, &[1, 0]));
        let norms = b.sum_axes(e.mul(columns, columns), &[1]);
        let norms = e.op(Kind::MathSqrt, &[norms]);
        let (u, v) = (b.transpose(columns, &[1, 0]), b.transpose(rotation, &[1, 0]));
        let (s, sorted) = self.sorted_columns(b, norms, &[u, v], true)?;
        let (u, v) = (sorted[0], sorted[1]);
        // Columns without length are completed by those of a QR decomposition, whose others are equal up to signs.
        let is_positive = e.compare_floats(CmpFPredicate::Ogt, s, e.float(s, 0.0));
        let safe = e.select(is_positive, s, e.float(s, 1.0));
        let unit = e.div(u, b.replicate(safe, Some(m), safe));
        let factors = householder(b, unit);
        let wide = if complete { m } else { n };
        let q = reflected(b, factors[0], factors[1], wide);
        let u = b.build(&[Some(m), Some(wide)], &[], |b, i| {
            let has_length = b.get(is_positive, &i[1..]);
            vec![b.select(has_length, b.get(unit, i), b.get(q, i))]
        })[0];
        Ok((u, s, v))
    }
}

/// Returns the sizes of a matrix.
fn sizes_of(x: Value) -> (usize, usize) {
    let shape = x.ty().shape();
    (shape[0].unwrap_or(0), shape[1].unwrap_or(0))
}

fn scalar(b: Builder, like: Value, c: f64) -> Value {
    let ty = like.ty().scalar();
    b.constant(Attribute::float(ty, c), ty)
}

fn zeros(b: Builder, like: Value, sizes: &[usize]) -> Value {
    let shape: Vec<_> = sizes.iter().map(|&n| Some(n)).collect();
    let ty = mlopt_dialects::ir::Type::array(&shape, like.ty().scalar());
    b.splat(Attribute::float(like.ty().scalar(), 0.0), ty)
}

/// Returns zeros with these sizes for each part of `like`.
fn zeros_like(b: Builder, like: &[Value], sizes: &[usize]) -> Vec<Value> {
    like.iter().map(|&part| zeros(b, part, sizes)).collect()
}

/// Returns the parts of an element.
fn element(b: Builder, x: &[Value], place: &[Value]) -> Vec<Value> {
    x.iter().map(|&part| b.get(part, place)).collect()
}

/// Returns the parts of the conjugate.
fn conjugate(e: Emit, x: &[Value]) -> Vec<Value> {
    x.iter().enumerate().map(|(k, &part)| if k == 0 { part } else { e.op(Kind::ArithNegf, &[part]) }).collect()
}

/// Returns the parts of a quotient.
fn quotient(e: Emit, x: &[Value], y: &[Value]) -> Vec<Value> {
    match (x, y) {
        (&[a, b], &[c, d]) => {
            let number = |re: Value, im: Value| Complex { re: Real::of(e, re), im: Real::of(e, im) };
            let z = number(a, b) / number(c, d);
            vec![z.re.value(), z.im.value()]
        }
        _ => vec![e.div(x[0], y[0])],
    }
}

fn difference(e: Emit, x: &[Value], y: &[Value]) -> Vec<Value> {
    x.iter().zip(y).map(|(&x, &y)| e.sub(x, y)).collect()
}

fn choice(b: Builder, condition: Value, x: &[Value], y: &[Value]) -> Vec<Value> {
    x.iter().zip(y).map(|(&x, &y)| b.select(condition, x, y)).collect()
}

/// Returns the sum over k from 0 to `n` of products, of which `factors` returns the parts.
fn sum_of_products(
    b: Builder,
    n: usize,
    factors: impl FnOnce(Builder, Value) -> (Vec<Value>, Vec<Value>),
) -> Vec<Value> {
    let products = b.build(&[Some(n)], &[], |b, k| {
        let (x, y) = factors(b, k[0]);
        let e = Emit(b);
        complex::product(e, &x, &y, |x, y| e.mul(x, y))
    });
    products.into_iter().map(|x| b.sum(x)).collect()
}

/// Returns the parts of the Cholesky factor of a real or complex matrix, of which one triangle is read; zero in the
/// other triangle.
pub fn cholesky(b: Builder, x: &[Value], lower: bool) -> Vec<Value> {
    let (n, _) = sizes_of(x[0]);
    // Row j of the state is column j of the lower factor.
    let factor = b.ifold(b.index(n as i64), &zeros_like(b, x, &[n, n]), |b, j, known| {
        let column = b.build(&[Some(n)], &[], |b, i| {
            let e = Emit(b);
            let own = if lower { element(b, x, &[i[0], j]) } else { conjugate(e, &element(b, x, &[j, i[0]])) };
            let sum = sum_of_products(b, n, |b, k| {
                (element(b, known, &[k, i[0]]), conjugate(Emit(b), &element(b, known, &[k, j])))
            });
            difference(e, &own, &sum)
        });
        let pivot = Emit(b).op(Kind::MathSqrt, &[b.get(column[0], &[j])]);
        let row = b.build(&[Some(n)], &[], |b, i| {
            let e = Emit(b);
            let is_pivot = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(j));
            let is_above = compare(b, CmpIPredicate::Slt, Index::Value(i[0]), Index::Value(j));
            let zero = scalar(b, x[0], 0.0);
            let part = |(k, &part): (usize, &Value)| {
                let below = e.div(b.get(part, i), pivot);
                let diagonal = if k == 0 { pivot } else { zero };
                b.select(is_above, zero, b.select(is_pivot, diagonal, below))
            };
            column.iter().enumerate().map(part).collect()
        });
        row.iter().zip(known).map(|(&row, &known)| b.insert_row(row, known, &[j], &[])).collect()
    });
    if lower {
        return factor.into_iter().map(|part| b.transpose(part, &[1, 0])).collect();
    }
    conjugate(Emit(b), &factor)
}

/// A triangular system.
#[derive(Clone, Copy)]
pub struct Triangle {
    /// A·X = B, and not X·A = B.
    pub left: bool,
    pub lower: bool,
    pub unit: bool,
    pub transposed: bool,
    pub conjugated: bool,
}

/// Returns the parts of the solution of a real or complex triangular system, row by row.
pub fn solved(b: Builder, a: &[Value], right: &[Value], form: Triangle) -> Vec<Value> {
    if !form.left {
        // X·A = B if and only if Aᵀ·Xᵀ = Bᵀ.
        let form = Triangle { left: true, transposed: !form.transposed, ..form };
        let turned = |x: &[Value]| x.iter().map(|&part| b.transpose(part, &[1, 0])).collect::<Vec<_>>();
        return turned(&solved(b, a, &turned(right), form));
    }
    let (n, m) = sizes_of(right[0]);
    let forward = form.lower != form.transposed;
    let of_matrix = |b: Builder, i: Value, j: Value| {
        let z = element(b, a, &if form.transposed { [j, i] } else { [i, j] });
        if form.conjugated { conjugate(Emit(b), &z) } else { z }
    };
    b.ifold(b.index(n as i64), &zeros_like(b, right, &[n, m]), |b, k, known| {
        let last = Index::Known(n as i64 - 1);
        let i = if forward { k } else { last.subtract(b, Index::Value(k)).value(b) };
        let row = b.build(&[Some(m)], &[], |b, c| {
            let sum = sum_of_products(b, n, |b, j| {
                let predicate = if forward { CmpIPredicate::Slt } else { CmpIPredicate::Sgt };
                let inside = compare(b, predicate, Index::Value(j), Index::Value(i));
                let zero = vec![scalar(b, a[0], 0.0); a.len()];
                (choice(b, inside, &of_matrix(b, i, j), &zero), element(b, known, &[j, c[0]]))
            });
            let e = Emit(b);
            let left = difference(e, &element(b, right, &[i, c[0]]), &sum);
            if form.unit { left } else { quotient(e, &left, &of_matrix(b, i, i)) }
        });
        row.iter().zip(known).map(|(&row, &known)| b.insert_row(row, known, &[i], &[])).collect()
    })
}

/// Returns the QR decomposition in LAPACK's form: R above the diagonal, below it the vectors of the reflections, whose
/// first element is 1; and the factors of the reflections.
pub fn householder(b: Builder, x: Value) -> Vec<Value> {
    let (m, n) = sizes_of(x);
    let count = m.min(n);
    b.ifold(b.index(count as i64), &[x, zeros(b, x, &[count])], |b, j, state| {
        let (next, tau) = reflect_column(b, state[0], j);
        vec![next, b.insert_row(tau, state[1], &[j], &[])]
    })
}

/// Returns the QR decomposition of `x` with columns in another order, as [`householder`] does, and between the results
/// the original numbers of the columns, from 1 on. In each step the column with the greatest rest is first. `order` is
/// not read: every column is free.
pub fn pivoted_householder(b: Builder, x: Value, order: Value) -> Vec<Value> {
    let (m, n) = sizes_of(x);
    let count = m.min(n);
    let e = Emit(b);
    let numbers = e.cast(Kind::ArithIndexCast, b.iota(Some(n), None), order.ty().scalar());
    let numbers = e.op(Kind::ArithAddi, &[numbers, e.integer(numbers, 1)]);
    let z = b.ifold(b.index(count as i64), &[x, numbers, zeros(b, x, &[count])], |b, j, state| {
        let (a, order) = (state[0], state[1]);
        let norms = b.build(&[Some(n)], &[], |b, c| {
            let squares = b.build(&[Some(m)], &[], |b, i| {
                let value = b.get(a, &[i[0], c[0]]);
                let is_below = compare(b, CmpIPredicate::Sge, Index::Value(i[0]), Index::Value(j));
                vec![b.select(is_below, Emit(b).mul(value, value), scalar(b, x, 0.0))]
            })[0];
            let is_free = compare(b, CmpIPredicate::Sge, Index::Value(c[0]), Index::Value(j));
            vec![b.select(is_free, b.sum(squares), scalar(b, x, -1.0))]
        })[0];
        let greatest = b.argmax(norms, 0);
        let swapped = |b: Builder, k: Value| exchanged(b, k, j, greatest);
        let a = b.build(&[Some(m), Some(n)], &[], |b, i| vec![b.get(a, &[i[0], swapped(b, i[1])])])[0];
        let order = b.build(&[Some(n)], &[], |b, c| vec![b.get(order, &[swapped(b, c[0])])])[0];
        let (next, tau) = reflect_column(b, a, j);
        vec![next, order, b.insert_row(tau, state[2], &[j], &[])]
    });
    vec![z[0], z[1], z[2]]
}

/// Returns `k`, or the other one if it is `i` or `j`.
fn exchanged(b: Builder, k: Value, i: Value, j: Value) -> Value {
    let is = |other: Value| compare(b, CmpIPredicate::Eq, Index::Value(k), Index::Value(other));
    b.select(is(i), j, b.select(is(j), i, k))
}

/// Returns `a` after the reflection that makes column `j` zero below the diagonal, with the vector of the reflection in
/// place of the zeros; and the factor of the reflection.
fn reflect_column(b: Builder, a: Value, j: Value) -> (Value, Value) {
    let (m, n) = sizes_of(a);
    let e = Emit(b);
    let below = |b: Builder, i: Value| compare(b, CmpIPredicate::Sgt, Index::Value(i), Index::Value(j));
    let zero = scalar(b, a, 0.0);
    let squares = b.build(&[Some(m)], &[], |b, i| {
        let value = b.get(a, &[i[0], j]);
        vec![b.select(below(b, i[0]), Emit(b).mul(value, value), zero)]
    })[0];
    let rest = b.sum(squares);
    let alpha = b.get(a, &[j, j]);
    let norm = e.op(Kind::MathSqrt, &[e.add(e.mul(alpha, alpha), rest)]);
    let is_zero = e.compare_floats(CmpFPredicate::Oeq, rest, zero);
    let beta = e.op(Kind::ArithNegf, &[e.op(Kind::MathCopysign, &[norm, alpha])]);
    let one = scalar(b, a, 1.0);
    let tau = e.select(is_zero, zero, e.div(e.sub(beta, alpha), beta));
    let beta = e.select(is_zero, alpha, beta);
    let scale = e.select(is_zero, one, e.sub(alpha, beta));
    let vector = b.build(&[Some(m)], &[], |b, i| {
        let is_first = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(j));
        let value = Emit(b).div(b.get(a, &[i[0], j]), scale);
        vec![b.select(is_first, one, b.select(below(b, i[0]), value, zero))]
    })[0];
    let products = b.build(&[Some(n)], &[], |b, c| {
        let products = b.build(&[Some(m)], &[], |b, i| vec![Emit(b).mul(b.get(vector, i), b.get(a, &[i[0], c[0]]))])[0];
        vec![Emit(b).mul(tau, b.sum(products))]
    })[0];
    let next = b.build(&[Some(m), Some(n)], &[], |b, i| {
        let e = Emit(b);
        let old = b.get(a, i);
        let reflected = e.sub(old, e.mul(b.get(vector, &i[..1]), b.get(products, &i[1..])));
        let is_column = compare(b, CmpIPredicate::Eq, Index::Value(i[1]), Index::Value(j));
        let is_right = compare(b, CmpIPredicate::Sgt, Index::Value(i[1]), Index::Value(j));
        let is_pivot = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(j));
        let in_column = b.select(is_pivot, beta, b.select(below(b, i[0]), b.get(vector, &i[..1]), old));
        vec![b.select(is_right, reflected, b.select(is_column, in_column, old))]
    })[0];
    (next, tau)
}

/// Returns the first `columns` columns of the product of the reflections of [`householder`].
pub fn reflected(b: Builder, a: Value, factors: Value, columns: usize) -> Value {
    let (m, _) = sizes_of(a);
    let identity = b.build(&[Some(m), Some(columns)], &[], |b, i| {
        let is_diagonal = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(i[1]));
        vec![b.select(is_diagonal, scalar(b, a, 1.0), scalar(b, a, 0.0))]
    })[0];
    apply_reflections(b, a, factors, identity, true, false)
}

/// Returns Q·C or C·Q, where Q is the product of the reflections of [`householder`], or its transpose.
pub fn apply_reflections(b: Builder, a: Value, factors: Value, c: Value, left: bool, transposed: bool) -> Value {
    if !left {
        let z = apply_reflections(b, a, factors, b.transpose(c, &[1, 0]), true, !transposed);
        return b.transpose(z, &[1, 0]);
    }
    let (m, columns) = sizes_of(c);
    let count = factors.ty().shape()[0].unwrap_or(0);
    let (zero, one) = (scalar(b, a, 0.0), scalar(b, a, 1.0));
    b.ifold(b.index(count as i64), &[c], |b, k, state| {
        let last = Index::Known(count as i64 - 1);
        let j = if transposed { k } else { last.subtract(b, Index::Value(k)).value(b) };
        let vector = b.build(&[Some(m)], &[], |b, i| {
            let is_first = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(j));
            let is_below = compare(b, CmpIPredicate::Sgt, Index::Value(i[0]), Index::Value(j));
            vec![b.select(is_first, one, b.select(is_below, b.get(a, &[i[0], j]), zero))]
        })[0];
        let tau = b.get(factors, &[j]);
        let products = b.build(&[Some(columns)], &[], |b, c| {
            let products =
                b.build(&[Some(m)], &[], |b, i| vec![Emit(b).mul(b.get(vector, i), b.get(state[0], &[i[0], c[0]]))])[0];
            vec![Emit(b).mul(tau, b.sum(products))]
        })[0];
        b.build(&[Some(m), Some(columns)], &[], |b, i| {
            let e = Emit(b);
            vec![e.sub(b.get(state[0], i), e.mul(b.get(vector, &i[..1]), b.get(products, &i[1..])))]
        })
    })[0]
}

/// Returns Gauss' elimination with partial pivoting in LAPACK's form: U on and above the diagonal, and below it L,
/// whose diagonal is 1; the row from 1 on with which each row is exchanged; and 0, or 1 + the number of the first pivot
/// that is 0.
pub fn lu(b: Builder, x: Value) -> Vec<Value> {
    let (m, n) = sizes_of(x);
    let count = m.min(n);
    let i32 = b.context().signless(32);
    let none = b.splat(Attribute::integer(i32, 0), mlopt_dialects::ir::Type::tensor(&[Some(count)], i32));
    let z = b.ifold(b.index(count as i64), &[x, none, none], |b, j, state| {
        let a = state[0];
        let (zero, one) = (scalar(b, x, 0.0), scalar(b, x, 1.0));
        let column = b.build(&[Some(m)], &[], |b, i| {
            let is_free = compare(b, CmpIPredicate::Sge, Index::Value(i[0]), Index::Value(j));
            let size = Emit(b).op(Kind::MathAbsf, &[b.get(a, &[i[0], j])]);
            vec![b.select(is_free, size, scalar(b, x, -1.0))]
        })[0];
        let row = b.argmax(column, 0);
        let e = Emit(b);
        let pivot = b.get(a, &[row, j]);
        let is_zero = e.compare_floats(CmpFPredicate::Oeq, pivot, zero);
        let divisor = b.select(is_zero, one, pivot);
        let factors =
            b.build(&[Some(m)], &[], |b, i| vec![Emit(b).div(b.get(a, &[exchanged(b, i[0], j, row), j]), divisor)])[0];
        let next = b.build(&[Some(m), Some(n)], &[], |b, i| {
            let e = Emit(b);
            let old = b.get(a, &[exchanged(b, i[0], j, row), i[1]]);
            let factor = b.get(factors, &i[..1]);
            let reduced = e.sub(old, e.mul(factor, b.get(a, &[row, i[1]])));
            let is_below = compare(b, CmpIPredicate::Sgt, Index::Value(i[0]), Index::Value(j));
            let is_right = compare(b, CmpIPredicate::Sgt, Index::Value(i[1]), Index::Value(j));
            let is_column = compare(b, CmpIPredicate::Eq, Index::Value(i[1]), Index::Value(j));
            let below = b.select(is_right, reduced, b.select(is_column, factor, old));
            vec![b.select(is_below, below, old)]
        })[0];
        let one = e.integer_of(pivot, i32, 1);
        let number = e.op(Kind::ArithAddi, &[e.cast(Kind::ArithIndexCast, row, i32), one]);
        let failed = b.select(is_zero, one, e.integer_of(pivot, i32, 0));
        vec![next, b.insert_row(number, state[1], &[j], &[]), b.insert_row(failed, state[2], &[j], &[])]
    });
    vec![z[0], z[1], first_failure(b, z[2])]
}

/// Returns the solution of a tridiagonal system by elimination with partial pivoting, as the fourth result of LAPACK's
/// five. `x` are the numbers below, on and above the diagonal, and the right sides. The last result is 0, or 1 + the
/// number of the first pivot that is 0.
pub fn tridiagonal(b: Builder, x: &[Value]) -> Vec<Value> {
    let n = x[1].ty().shape()[0].unwrap_or(0);
    let i32 = b.context().signless(32);
    let zero = scalar(b, x[1], 0.0);
    let last = n as i64 - 1;
    let above = b.build(&[Some(n)], &[], |b, i| {
        let is_last = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Known(last));
        vec![b.select(is_last, zero, b.get(x[2], i))]
    })[0];
    // The matrix becomes an upper one with two diagonals above the main one.
    let start = [x[1], above, zeros(b, x[1], &[n]), x[3]];
    let z = b.ifold(b.index(last.max(0)), &start, |b, i, state| {
        let e = Emit(b);
        let next = Index::Value(i).add(b, Index::Known(1)).value(b);
        let at = |k: usize, i: Value| b.get(state[k], &[i]);
        let (own, below) = (at(0, i), b.get(x[0], &[next]));
        let abs = |x: Value| e.op(Kind::MathAbsf, &[x]);
        let keeps = e.compare_floats(CmpFPredicate::Oge, abs(own), abs(below));
        let choose = |kept: Value, exchanged: Value| b.select(keeps, kept, exchanged);
        let pivot = choose(own, below);
        let is_zero = e.compare_floats(CmpFPredicate::Oeq, pivot, zero);
        let divisor = b.select(is_zero, scalar(b, pivot, 1.0), pivot);
        let factor = e.div(choose(below, own), divisor);
        // The two rows, the pivot's first: (pivot, p, q) and (…, r, s).
        let (p, q) = (choose(at(1, i), at(0, next)), choose(zero, at(1, next)));
        let (r, s) = (choose(at(0, next), at(1, i)), choose(at(1, next), zero));
        let rows = [b.get(state[3], &[i]), b.get(state[3], &[next])];
        let like = Some(rows[0]).filter(|v| v.ty().is_tensor());
        let (first, second) = (choose(rows[0], rows[1]), choose(rows[1], rows[0]));
        let second = e.sub(second, e.mul(e.filled(like, factor), first));
        let put = |array: Value, at: Value, value: Value| b.insert_row(value, array, &[at], &[]);
        vec![
            put(put(state[0], i, pivot), next, e.sub(r, e.mul(factor, p))),
            put(put(state[1], i, p), next, e.sub(s, e.mul(factor, q))),
            put(state[2], i, q),
            put(put(state[3], i, first), next, second),
        ]
    });
    let (diagonal, above, second, right) = (z[0], z[1], z[2], z[3]);
    let solution = b.ifold(b.index(n as i64), &[right], |b, k, state| {
        let e = Emit(b);
        let i = Index::Known(last).subtract(b, Index::Value(k));
        let row = |b: Builder, distance: i64| {
            // Rows after the last one have the factor 0.
            let place = i.add(b, Index::Known(distance)).minimum(b, Index::Known(last)).value(b);
            b.get(state[0], &[place])
        };
        let i = i.value(b);
        let own = row(b, 0);
        let like = Some(own).filter(|v| v.ty().is_tensor());
        let term = |array: Value, distance: i64| e.mul(e.filled(like, b.get(array, &[i])), row(b, distance));
        let rest = e.sub(e.sub(own, term(above, 1)), term(second, 2));
        vec![b.insert_row(e.div(rest, e.filled(like, b.get(diagonal, &[i]))), state[0], &[i], &[])]
    })[0];
    let failed = b.build(&[Some(n)], &[], |b, i| {
        let e = Emit(b);
        let pivot = b.get(diagonal, i);
        let is_zero = e.compare_floats(CmpFPredicate::Oeq, pivot, zero);
        let number = |n: i64| b.constant(Attribute::integer(i32, n), i32);
        vec![b.select(is_zero, number(1), number(0))]
    })[0];
    vec![x[0], diagonal, above, solution, first_failure(b, failed)]
}

/// Returns the partner of row `i` in round `round` of `n` - 1 rounds, for an even `n`: every pair meets once.
fn partner(b: Builder, i: Value, round: Value, n: usize) -> Index {
    let (i, round, cycle) = (Index::Value(i), Index::Value(round), Index::Known(n as i64 - 1));
    // Rows i and j meet in round i + j; the row that would meet itself meets the last one.
    let other = round.subtract(b, i).modulo(b, cycle);
    let alone = round.multiply(b, Index::Known(n as i64 / 2)).modulo(b, cycle);
    let is_last = compare(b, CmpIPredicate::Eq, i, cycle);
    let is_alone = compare(b, CmpIPredicate::Eq, i, alone);
    let others = b.select(is_alone, cycle.value(b), other.value(b));
    Index::Value(b.select(is_last, alone.value(b), others))
}

/// Returns the cosine and the sine of each row of the rotations of round `round` that make a symmetric matrix, of which
/// `entry` returns elements, zero where the pairs of rows and columns meet.
fn rotations(
    b: Builder,
    like: Value,
    n: usize,
    round: Value,
    entry: &dyn Fn(Builder, Value, Value) -> Value,
) -> (Value, Value) {
    let even = n + n % 2;
    let z = b.build(&[Some(n)], &[], |b, i| {
        let e = Emit(b);
        let i = i[0];
        let j = partner(b, i, round, even);
        let is_first = compare(b, CmpIPredicate::Slt, Index::Value(i), j);
        let (p, q) = (b.select(is_first, i, j.value(b)), b.select(is_first, j.value(b), i));
        let (pp, qq, pq) = (entry(b, p, p), entry(b, q, q), entry(b, p, q));
        let (zero, one) = (scalar(b, like, 0.0), scalar(b, like, 1.0));
        let skipped = e.compare_floats(CmpFPredicate::Oeq, pq, zero);
        let safe = e.select(skipped, one, pq);
        let theta = e.div(e.sub(qq, pp), e.add(safe, safe));
        let root = e.op(Kind::MathSqrt, &[e.add(e.mul(theta, theta), one)]);
        let size = e.div(one, e.add(e.op(Kind::MathAbsf, &[theta]), root));
        let tangent = e.op(Kind::MathCopysign, &[size, theta]);
        let is_there = compare(b, CmpIPredicate::Slt, j, Index::Known(n as i64));
        let off = e.or(skipped, e.not(is_there));
        let tangent = e.select(off, zero, tangent);
        let cosine = e.div(one, e.op(Kind::MathSqrt, &[e.add(e.mul(tangent, tangent), one)]));
        let sine = e.mul(tangent, cosine);
        // The first of a pair gets c·p - s·q, the second s·p + c·q.
        vec![cosine, b.select(is_first, e.op(Kind::ArithNegf, &[sine]), sine)]
    });
    (z[0], z[1])
}

/// Returns the rows of `x`, each combined with its partner.
fn rotated(b: Builder, x: Value, round: Value, (cosine, sine): (Value, Value)) -> Value {
    let (n, m) = sizes_of(x);
    let even = n + n % 2;
    b.build(&[Some(n), Some(m)], &[], |b, i| {
        let e = Emit(b);
        let j = partner(b, i[0], round, even).value(b);
        let own = e.mul(b.get(cosine, &i[..1]), b.get(x, i));
        vec![e.add(own, e.mul(b.get(sine, &i[..1]), b.get(x, &[j, i[1]])))]
    })[0]
}

/// Repeats sweeps of rotations until `measure` of the state is at most `bound` of it.
fn sweeps(
    b: Builder,
    n: usize,
    state: &[Value],
    is_done: &dyn Fn(Builder, &[Value]) -> Value,
    round: &dyn Fn(Builder, Value, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let even = n + n % 2;
    let types = [&[b.context().index()], types_of(state).as_slice()].concat();
    let before = b.new_block(&types);
    let arguments = before.block.arguments();
    let left = compare(before, CmpIPredicate::Slt, Index::Value(arguments[0]), Index::Known(SWEEPS));
    let e = Emit(before);
    let more = e.and(left, e.not(is_done(before, &arguments[1..])));
    before.insert(before.op(Kind::ScfCondition).operands(&[&[more], arguments.as_slice()].concat()).build());
    let after = b.new_block(&types);
    let arguments = after.block.arguments();
    let rounds = after.index((even as i64 - 1).max(0));
    let next = after.ifold(rounds, &arguments[1..], |b, r, state| round(b, r, state));
    let count = Index::Value(arguments[0]).add(after, Index::Known(1)).value(after);
    after.insert(after.op(Kind::ScfYield).operands(&[&[count], next.as_slice()].concat()).build());
    let operands = [&[b.index(0)], state].concat();
    let regions = [Region::with_block(before.block), Region::with_block(after.block)];
    let new = b.op(Kind::ScfWhile).operands(&operands).results(&types).regions(&regions);
    b.insert(new.build()).results()[1..].to_vec()
}

/// Returns the square of the rounding error of numbers like `x`.
fn precision(x: Value) -> f64 {
    if x.ty().scalar().float_width() == Some(64) { f64::EPSILON * f64::EPSILON } else { 1e-14 }
}

/// Returns eigenvectors, as columns, and eigenvalues of a symmetric matrix of which one triangle is read.
pub fn eigen(b: Builder, x: Value, lower: bool) -> (Value, Value) {
    let (n, _) = sizes_of(x);
    let symmetric = b.build(&[Some(n), Some(n)], &[], |b, i| {
        let is_below = compare(b, CmpIPredicate::Sge, Index::Value(i[0]), Index::Value(i[1]));
        let (row, column) = (b.select(is_below, i[0], i[1]), b.select(is_below, i[1], i[0]));
        vec![b.get(x, &if lower { [row, column] } else { [column, row] })]
    })[0];
    let identity = b.build(&[Some(n), Some(n)], &[], |b, i| {
        let is_diagonal = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(i[1]));
        vec![b.select(is_diagonal, scalar(b, x, 1.0), scalar(b, x, 0.0))]
    })[0];
    let is_done = |b: Builder, state: &[Value]| {
        let e = Emit(b);
        let squares = b.build(&[Some(n), Some(n)], &[], |b, i| {
            let value = b.get(state[0], i);
            let square = Emit(b).mul(value, value);
            let is_diagonal = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(i[1]));
            vec![b.select(is_diagonal, scalar(b, x, 0.0), square), square]
        });
        let (off, all) = (b.sum_axes(squares[0], &[0, 1]), b.sum_axes(squares[1], &[0, 1]));
        // Also true of NaN.
        let limit = e.mul(all, scalar(b, x, precision(x)));
        e.not(e.compare_floats(CmpFPredicate::Ogt, off, limit))
    };
    let round = |b: Builder, r: Value, state: &[Value]| {
        let (a, v) = (state[0], state[1]);
        let angles = rotations(b, x, n, r, &|b, p, q| b.get(a, &[p, q]));
        let rows = rotated(b, a, r, angles);
        let both = rotated(b, b.transpose(rows, &[1, 0]), r, angles);
        vec![both, rotated(b, v, r, angles)]
    };
    let z = sweeps(b, n, &[symmetric, identity], &is_done, &round);
    let values = b.build(&[Some(n)], &[], |b, i| vec![b.get(z[0], &[i[0], i[0]])])[0];
    (b.transpose(z[1], &[1, 0]), values)
}

/// Returns rows that are orthogonal to each other, and the product of the rotations, which transforms the rows of `x`
/// to them.
fn orthogonal_columns(b: Builder, x: Value) -> (Value, Value) {
    let (n, m) = sizes_of(x);
    let identity = b.build(&[Some(n), Some(n)], &[], |b, i| {
        let is_diagonal = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(i[1]));
        vec![b.select(is_diagonal, scalar(b, x, 1.0), scalar(b, x, 0.0))]
    })[0];
    let product = move |b: Builder, rows: Value, p: Value, q: Value| {
        let products =
            b.build(&[Some(m)], &[], |b, k| vec![Emit(b).mul(b.get(rows, &[p, k[0]]), b.get(rows, &[q, k[0]]))])[0];
        b.sum(products)
    };
    let is_done = |b: Builder, state: &[Value]| {
        let (zero, e) = (scalar(b, x, 0.0), Emit(b));
        // The greatest squared cosine of an angle between two rows.
        let cosines = b.build(&[Some(n), Some(n)], &[], |b, i| {
            let e = Emit(b);
            let (pq, pp) = (product(b, state[0], i[0], i[1]), product(b, state[0], i[0], i[0]));
            let scale = e.mul(pp, product(b, state[0], i[1], i[1]));
            let is_pair = compare(b, CmpIPredicate::Slt, Index::Value(i[0]), Index::Value(i[1]));
            let has_length = e.compare_floats(CmpFPredicate::Ogt, scale, zero);
            let cosine = e.div(e.mul(pq, pq), e.select(has_length, scale, scalar(b, x, 1.0)));
            vec![b.select(e.and(is_pair, has_length), cosine, zero)]
        })[0];
        let greatest = b.max(cosines, &[0, 1]);
        e.not(e.compare_floats(CmpFPredicate::Ogt, greatest, scalar(b, x, 4.0 * precision(x))))
    };
    let round = |b: Builder, r: Value, state: &[Value]| {
        let rows = state[0];
        let angles = rotations(b, x, n, r, &|b, p, q| product(b, rows, p, q));
        vec![rotated(b, rows, r, angles), rotated(b, state[1], r, angles)]
    };
    let z = sweeps(b, n, &[x, identity], &is_done, &round);
    (z[0], z[1])
}
