//! Decompositions of matrices, and triangular systems: loops over rows of the array language.
//!
//! Sources: Golub and Van Loan, Matrix Computations, 4th edition: Cholesky 4.2, Householder QR 5.2, Jacobi's method for
//! eigenvalues 8.5 with the round-robin order of rotations, and its one-sided form for singular values 8.6. The
//! interfaces are StableHLO's ops and the calls of LAPACK that JAX writes.

use super::emit::Emit;
use super::types::Number;
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::{Index, compare};
use mlopt_dialects::ir::{Attribute, Builder, Op, Region, Value, types_of};
use mlopt_dialects::ops::stablehlo::{Cholesky, TriangularSolve};
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, HasKind, Kind};

/// The number of sweeps of rotations after which Jacobi's method stops. It converges quadratically, in fewer than ten.
const SWEEPS: i64 = 40;

/// A function of matrices at one position of a batch.
type OfMatrices<'c> = dyn FnMut(Builder, &[Value]) -> Vec<Value> + 'c;

impl Import {
    /// Converts a decomposition; returns `None` for other ops.
    pub(super) fn linear_algebra(&mut self, b: Builder, op: Op) -> Result<Option<Vec<Parts>>> {
        let one = |z: Vec<Value>| z.into_iter().map(|z| vec![z]).collect::<Vec<Parts>>();
        match op.kind() {
            Kind::StablehloCholesky => {
                let lower = op.cast::<Cholesky>().lower();
                let x = self.matrices(op)?;
                Ok(Some(one(self.batched(b, &x, &mut |b, x| vec![cholesky(b, x[0], lower)]))))
            }
            Kind::StablehloTriangularSolve => {
                let solve: TriangularSolve = op.cast();
                let form = Triangle {
                    left: solve.left_side(),
                    lower: solve.lower(),
                    unit: solve.unit_diagonal(),
                    transposed: solve.transpose_a() != mlopt_dialects::ops::Transpose::NoTranspose,
                };
                let x = self.matrices(op)?;
                Ok(Some(one(self.batched(b, &x, &mut |b, x| vec![solved(b, x[0], x[1], form)]))))
            }
            Kind::StablehloCustomCall => self.lapack(b, op),
            _ => Ok(None),
        }
    }

    /// Returns the operands, which are arrays of matrices of real floats of static sizes.
    fn matrices(&self, op: Op) -> Result<Vec<Value>> {
        for old in op.operands() {
            let ty = old.ty();
            if Number::of(ty) != Number::Float || ty.rank() < 1 || ty.shape().iter().any(Option::is_none) {
                return Err(op.not_supported(format!("expected matrices of floats of static sizes, found {ty}")));
            }
        }
        Ok(op.operands().into_iter().map(|v| self.one(v)).collect())
    }

    /// Applies a function of matrices to each element of a batch. The first operand determines the batch axes.
    fn batched(&mut self, b: Builder, x: &[Value], f: &mut OfMatrices) -> Vec<Value> {
        let batch = x[0].ty().rank() - 2;
        if batch == 0 {
            return f(b, x);
        }
        let shape = x[0].ty().shape()[..batch].to_vec();
        b.build(&shape, &[], |b, position| {
            let rows: Vec<Value> = x.iter().map(|&x| b.get(x, position)).collect();
            f(b, &rows)
        })
    }

    /// Converts a call of LAPACK.
    fn lapack(&mut self, b: Builder, op: Op) -> Result<Option<Vec<Parts>>> {
        let name = op.attribute("call_target_name").and_then(Attribute::as_string).unwrap_or_default();
        let routine = name.strip_prefix("lapack_").and_then(|name| name.strip_suffix("_ffi"));
        let routine = routine.and_then(|name| name.strip_prefix(['s', 'd'])).unwrap_or(&name);
        let option = |key: &str| {
            let config = op.attribute("mhlo.backend_config").or(op.attribute("backend_config"));
            config.and_then(|config| config.entry(key)).and_then(Attribute::as_i64).unwrap_or(0) as u8
        };
        let one = |z: Vec<Value>| z.into_iter().map(|z| vec![z]).collect::<Vec<Parts>>();
        let info = |b: Builder| {
            let i32 = b.context().signless(32);
            b.constant(Attribute::integer(i32, 0), i32)
        };
        let known = ["geqrf", "Qr", "orgqr", "ProductOfElementaryHouseholderReflectors", "syevd", "gesdd"];
        if !known.contains(&routine) {
            return Ok(None);
        }
        let x = self.matrices(op)?;
        let z = match routine {
            "geqrf" | "Qr" => self.batched(b, &x, &mut |b, x| householder(b, x[0])),
            "orgqr" | "ProductOfElementaryHouseholderReflectors" => {
                let columns = op.result(0).ty().shape()[x[0].ty().rank() - 1].unwrap_or(0);
                self.batched(b, &x, &mut |b, x| vec![reflected(b, x[0], x[1], columns)])
            }
            "syevd" => {
                let lower = option("uplo") != b'U';
                let mut failed = None;
                let z = self.batched_with(b, &x, &mut |import, b, x| {
                    let (vectors, values) = eigen(b, x[0], lower);
                    let sorted = import.sorted_columns(b, values, &[vectors], false);
                    let (values, vectors) = sorted.unwrap_or_else(|reported| {
                        failed = Some(reported);
                        (values, vec![vectors])
                    });
                    vec![vectors[0], values, info(b)]
                });
                if let Some(reported) = failed {
                    return Err(reported);
                }
                z
            }
            _ => {
                let complete = option("mode") == b'A';
                let mut failed = None;
                let z = self.batched_with(b, &x, &mut |import, b, x| {
                    let (u, s, v) = import.singular(b, x[0], complete).unwrap_or_else(|reported| {
                        failed = Some(reported);
                        (x[0], x[0], x[0])
                    });
                    let vt = if failed.is_some() { v } else { b.transpose(v, &[1, 0]) };
                    vec![x[0], s, u, vt, info(b)]
                });
                if let Some(reported) = failed {
                    return Err(reported);
                }
                z.into_iter().take(op.num_results()).collect()
            }
        };
        Ok(Some(one(z)))
    }

    fn batched_with(
        &mut self,
        b: Builder,
        x: &[Value],
        f: &mut dyn FnMut(&mut Import, Builder, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let batch = x[0].ty().rank() - 2;
        if batch == 0 {
            return f(self, b, x);
        }
        let shape = x[0].ty().shape()[..batch].to_vec();
        b.build(&shape, &[], |b, position| {
            let rows: Vec<Value> = x.iter().map(|&x| b.get(x, position)).collect();
            f(self, b, &rows)
        })
    }

    /// Returns `keys` in ascending or descending order, and the columns of matrices in the same order.
    fn sorted_columns(
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
    fn singular(&mut self, b: Builder, x: Value, complete: bool) -> Result<(Value, Value, Value)> {
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

/// Returns the Cholesky factor of a matrix of which one triangle is read; zero in the other triangle.
fn cholesky(b: Builder, x: Value, lower: bool) -> Value {
    let (n, _) = sizes_of(x);
    // Row j of the state is column j of the lower factor.
    let factor = b.ifold(b.index(n as i64), &[zeros(b, x, &[n, n])], |b, j, state| {
        let known = state[0];
        let column = b.build(&[Some(n)], &[], |b, i| {
            let place = if lower { [i[0], j] } else { [j, i[0]] };
            let products = b.build(&[Some(n)], &[], |b, k| {
                let e = Emit(b);
                vec![e.mul(b.get(known, &[k[0], i[0]]), b.get(known, &[k[0], j]))]
            })[0];
            vec![Emit(b).sub(b.get(x, &place), b.sum(products))]
        })[0];
        let pivot = Emit(b).op(Kind::MathSqrt, &[b.get(column, &[j])]);
        let row = b.build(&[Some(n)], &[], |b, i| {
            let e = Emit(b);
            let below = e.div(b.get(column, i), pivot);
            let is_pivot = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(j));
            let is_above = compare(b, CmpIPredicate::Slt, Index::Value(i[0]), Index::Value(j));
            vec![b.select(is_above, scalar(b, x, 0.0), b.select(is_pivot, pivot, below))]
        })[0];
        vec![b.insert_row(row, known, &[j], &[])]
    })[0];
    if lower { b.transpose(factor, &[1, 0]) } else { factor }
}

/// A triangular system.
#[derive(Clone, Copy)]
struct Triangle {
    /// A·X = B, and not X·A = B.
    left: bool,
    lower: bool,
    unit: bool,
    transposed: bool,
}

/// Returns the solution of a triangular system, row by row.
fn solved(b: Builder, a: Value, right: Value, form: Triangle) -> Value {
    if !form.left {
        // X·A = B if and only if Aᵀ·Xᵀ = Bᵀ.
        let form = Triangle { left: true, transposed: !form.transposed, ..form };
        return b.transpose(solved(b, a, b.transpose(right, &[1, 0]), form), &[1, 0]);
    }
    let (n, m) = sizes_of(right);
    let forward = form.lower != form.transposed;
    let element = |b: Builder, i: Value, j: Value| b.get(a, &if form.transposed { [j, i] } else { [i, j] });
    b.ifold(b.index(n as i64), &[zeros(b, right, &[n, m])], |b, k, state| {
        let last = Index::Known(n as i64 - 1);
        let i = if forward { k } else { last.subtract(b, Index::Value(k)).value(b) };
        let known = state[0];
        let row = b.build(&[Some(m)], &[], |b, c| {
            let products = b.build(&[Some(n)], &[], |b, j| {
                let e = Emit(b);
                let predicate = if forward { CmpIPredicate::Slt } else { CmpIPredicate::Sgt };
                let inside = compare(b, predicate, Index::Value(j[0]), Index::Value(i));
                let factor = b.select(inside, element(b, i, j[0]), scalar(b, a, 0.0));
                vec![e.mul(factor, b.get(known, &[j[0], c[0]]))]
            })[0];
            let e = Emit(b);
            let left = e.sub(b.get(right, &[i, c[0]]), b.sum(products));
            vec![if form.unit { left } else { e.div(left, element(b, i, i)) }]
        })[0];
        vec![b.insert_row(row, known, &[i], &[])]
    })[0]
}

/// Returns the QR decomposition in LAPACK's form: R above the diagonal, below it the vectors of the reflections, whose
/// first element is 1; and the factors of the reflections.
fn householder(b: Builder, x: Value) -> Vec<Value> {
    let (m, n) = sizes_of(x);
    let count = m.min(n);
    b.ifold(b.index(count as i64), &[x, zeros(b, x, &[count])], |b, j, state| {
        let e = Emit(b);
        let (a, factors) = (state[0], state[1]);
        let below = |b: Builder, i: Value| compare(b, CmpIPredicate::Sgt, Index::Value(i), Index::Value(j));
        let zero = scalar(b, x, 0.0);
        let squares = b.build(&[Some(m)], &[], |b, i| {
            let value = b.get(a, &[i[0], j]);
            vec![b.select(below(b, i[0]), Emit(b).mul(value, value), zero)]
        })[0];
        let rest = b.sum(squares);
        let alpha = b.get(a, &[j, j]);
        let norm = e.op(Kind::MathSqrt, &[e.add(e.mul(alpha, alpha), rest)]);
        let is_zero = e.compare_floats(CmpFPredicate::Oeq, rest, zero);
        let beta = e.op(Kind::ArithNegf, &[e.op(Kind::MathCopysign, &[norm, alpha])]);
        let one = scalar(b, x, 1.0);
        let tau = e.select(is_zero, zero, e.div(e.sub(beta, alpha), beta));
        let beta = e.select(is_zero, alpha, beta);
        let scale = e.select(is_zero, one, e.sub(alpha, beta));
        let vector = b.build(&[Some(m)], &[], |b, i| {
            let is_first = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(j));
            let value = Emit(b).div(b.get(a, &[i[0], j]), scale);
            vec![b.select(is_first, one, b.select(below(b, i[0]), value, zero))]
        })[0];
        let products = b.build(&[Some(n)], &[], |b, c| {
            let products =
                b.build(&[Some(m)], &[], |b, i| vec![Emit(b).mul(b.get(vector, i), b.get(a, &[i[0], c[0]]))])[0];
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
        vec![next, b.insert_row(tau, factors, &[j], &[])]
    })
}

/// Returns the first `columns` columns of the product of the reflections of [`householder`].
fn reflected(b: Builder, a: Value, factors: Value, columns: usize) -> Value {
    let (m, _) = sizes_of(a);
    let count = factors.ty().shape()[0].unwrap_or(0);
    let (zero, one) = (scalar(b, a, 0.0), scalar(b, a, 1.0));
    let identity = b.build(&[Some(m), Some(columns)], &[], |b, i| {
        let is_diagonal = compare(b, CmpIPredicate::Eq, Index::Value(i[0]), Index::Value(i[1]));
        vec![b.select(is_diagonal, one, zero)]
    })[0];
    b.ifold(b.index(count as i64), &[identity], |b, k, state| {
        let j = Index::Known(count as i64 - 1).subtract(b, Index::Value(k)).value(b);
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
fn eigen(b: Builder, x: Value, lower: bool) -> (Value, Value) {
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
