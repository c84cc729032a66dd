//! Calls of LAPACK, as JAX writes them for CPUs: interfaces of the decompositions in `linear_algebra`.
//!
//! A call takes and returns arrays of matrices with the same leading axes, the batch. The last result of a routine that
//! can fail is `info`, one number for each matrix: 0, or where it failed. Options are in the attribute
//! `mhlo.backend_config`, as the codes of LAPACK's letters.

use super::emit::Emit;
use super::linear_algebra::{
    Triangle, apply_reflections, cholesky, eigen, householder, lu, pivoted_householder, reflected, solved, tridiagonal,
};
use super::types::{self, Number};
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::{Index, compare};
use mlopt_dialects::ir::{Attribute, Builder, Op, Value};
use mlopt_dialects::ops::stablehlo::{Cholesky, TriangularSolve};
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate, HasKind, Kind, Transpose};

/// A routine, or several that only differ in the type of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Routine {
    /// `geqrf`: the reflections of a QR decomposition.
    Qr,
    /// `geqp3`: the same, with columns in the order of their sizes.
    PivotedQr,
    /// `orgqr`: the product of reflections.
    Product,
    /// `ormqr`: the product of reflections with a matrix.
    Apply,
    /// `potrf`: the Cholesky factor.
    Cholesky,
    /// `getrf`: the factors of Gauss' elimination.
    Lu,
    /// `trsm`: the solution of triangular systems.
    Triangular,
    /// `gtsv`: the solution of tridiagonal systems.
    Tridiagonal,
    /// `syevd`: eigenvectors and eigenvalues of a symmetric matrix.
    Eigen,
    /// `gesdd`: the singular value decomposition.
    Singular,
}

impl Routine {
    fn of(name: &str) -> Option<Routine> {
        // The two names without LAPACK's are those for other targets than CPUs.
        let routine = match name.strip_prefix("lapack_").and_then(|name| name.strip_suffix("_ffi")) {
            Some(name) => name.strip_prefix(['s', 'd'])?,
            None => name,
        };
        Some(match routine {
            "geqrf" | "Qr" => Routine::Qr,
            "geqp3" => Routine::PivotedQr,
            "orgqr" | "ProductOfElementaryHouseholderReflectors" => Routine::Product,
            "ormqr" => Routine::Apply,
            "potrf" => Routine::Cholesky,
            "getrf" => Routine::Lu,
            "trsm" => Routine::Triangular,
            "gtsv" => Routine::Tridiagonal,
            "syevd" => Routine::Eigen,
            "gesdd" => Routine::Singular,
            _ => return None,
        })
    }

    /// Returns the numbers of axes of the operands, apart from those of the batch.
    fn ranks(self) -> &'static [usize] {
        match self {
            Routine::Qr | Routine::Cholesky | Routine::Lu | Routine::Eigen | Routine::Singular => &[2],
            Routine::PivotedQr | Routine::Product => &[2, 1],
            Routine::Apply => &[2, 1, 2],
            Routine::Triangular => &[2, 2],
            Routine::Tridiagonal => &[1, 1, 1, 2],
        }
    }

    /// Checks whether the operands may have these sizes, which are without those of the batch.
    fn fits(self, sizes: &[Vec<usize>], left: bool) -> bool {
        match (self, sizes) {
            (Routine::Cholesky | Routine::Eigen, [a]) => a[0] == a[1],
            (Routine::Qr | Routine::Lu | Routine::Singular, [_]) => true,
            (Routine::PivotedQr, [a, order]) => a[1] == order[0],
            (Routine::Product, [a, factors]) => factors[0] <= a[1] && factors[0] <= a[0],
            (Routine::Apply, [a, factors, c]) => {
                factors[0] <= a[1] && factors[0] <= a[0] && a[0] == c[if left { 0 } else { 1 }]
            }
            (Routine::Triangular, [a, b]) => a[0] == a[1] && a[0] == b[if left { 0 } else { 1 }],
            (Routine::Tridiagonal, [below, diagonal, above, b]) => {
                below == diagonal && above == diagonal && b[0] == diagonal[0]
            }
            _ => false,
        }
    }
}

/// A function of matrices at one position of a batch.
type OfMatrices<'c> = dyn FnMut(&mut Import, Builder, &[Value]) -> Result<Vec<Value>> + 'c;

impl Import {
    /// Converts a decomposition; returns `None` for other ops.
    pub(super) fn linear_algebra(&mut self, b: Builder, op: Op) -> Result<Option<Vec<Parts>>> {
        let z = match op.kind() {
            Kind::StablehloCholesky => {
                let lower = op.cast::<Cholesky>().lower();
                let x = self.parts_of_matrices(op)?.concat();
                return Ok(Some(vec![self.batched(b, &x, 2, &mut |_, b, x| Ok(cholesky(b, x, lower)))?]));
            }
            Kind::StablehloTriangularSolve => {
                let solve: TriangularSolve = op.cast();
                let form = Triangle {
                    left: solve.left_side(),
                    lower: solve.lower(),
                    unit: solve.unit_diagonal(),
                    transposed: solve.transpose_a() != Transpose::NoTranspose,
                    conjugated: solve.transpose_a() == Transpose::Adjoint,
                };
                let x = self.parts_of_matrices(op)?;
                let count = x[0].len();
                let z = self.batched(b, &x.concat(), 2, &mut |_, b, x| {
                    let (a, right) = x.split_at(count);
                    Ok(solved(b, a, right, form))
                })?;
                return Ok(Some(vec![z]));
            }
            Kind::StablehloCustomCall => {
                let name = op.attribute("call_target_name").and_then(Attribute::as_string).unwrap_or_default();
                let Some(routine) = Routine::of(&name) else { return Ok(None) };
                self.lapack(b, op, routine)?
            }
            _ => return Ok(None),
        };
        Ok(Some(z.into_iter().map(|z| vec![z]).collect()))
    }

    /// Returns the parts of the operands, which are arrays of static sizes.
    fn parts_of_matrices(&self, op: Op) -> Result<Vec<Parts>> {
        match op.operands().into_iter().find(|old| old.ty().shape().iter().any(Option::is_none)) {
            Some(old) => Err(op.not_supported(format!("expected matrices of static sizes, found {}", old.ty()))),
            None => Ok(self.operands(op)),
        }
    }

    /// Returns the operands, which are arrays of static sizes and not complex.
    fn matrices(&self, op: Op) -> Result<Vec<Value>> {
        if let Some(old) = op.operands().into_iter().find(|old| Number::of(old.ty()) == Number::Complex) {
            return Err(op.not_supported(format!("expected matrices of floats, found {}", old.ty())));
        }
        Ok(self.parts_of_matrices(op)?.concat())
    }

    /// Applies a function of matrices to each element of a batch. The first operand has `rank` axes that are none of
    /// the batch.
    fn batched(&mut self, b: Builder, x: &[Value], rank: usize, f: &mut OfMatrices) -> Result<Vec<Value>> {
        let batch = x[0].ty().rank() - rank;
        if batch == 0 {
            return f(self, b, x);
        }
        let shape = x[0].ty().shape()[..batch].to_vec();
        let mut failed = None;
        let z = b.build(&shape, &[], |b, position| {
            let rows: Vec<Value> = x.iter().map(|&x| b.get(x, position)).collect();
            f(self, b, &rows).unwrap_or_else(|reported| {
                failed = Some(reported);
                rows
            })
        });
        failed.map_or(Ok(z), Err)
    }

    /// Converts a call of LAPACK.
    fn lapack(&mut self, b: Builder, op: Op, routine: Routine) -> Result<Vec<Value>> {
        let config = op.attribute("mhlo.backend_config").or(op.attribute("backend_config"));
        let option = |key: &str| config.and_then(|config| config.entry(key)).and_then(Attribute::as_i64);
        let letter = |key: &str, letter: u8| option(key) == Some(i64::from(letter));
        let left = if routine == Routine::Apply { option("left") != Some(0) } else { !letter("side", b'R') };
        let x = self.matrices(op)?;
        let ranks = routine.ranks();
        let is_list = |ty: mlopt_dialects::ir::Type, rank: usize| ty.rank().checked_sub(rank);
        let batches: Vec<Option<usize>> = x.iter().zip(ranks).map(|(x, &rank)| is_list(x.ty(), rank)).collect();
        let sizes = |x: &Value| x.ty().shape().into_iter().map(|n| n.unwrap_or(0)).collect::<Vec<usize>>();
        let batch = batches.first().copied().flatten();
        let found = op.operands().iter().map(|v| v.ty().to_string()).collect::<Vec<_>>().join(", ");
        let malformed = || op.not_supported(format!("operands of types {found} in a call of LAPACK"));
        let batch = batch.filter(|_| x.len() == ranks.len() && batches.iter().all(|&n| n == batch));
        let batch = batch.ok_or_else(malformed)?;
        let inner: Vec<Vec<usize>> = x.iter().map(|x| sizes(x)[batch..].to_vec()).collect();
        let one_batch = x.iter().all(|v| sizes(v)[..batch] == sizes(&x[0])[..batch]);
        let is_float = |k: usize| routine == Routine::PivotedQr && k == 1 || x[k].ty().scalar().is_float();
        if !one_batch || !(0..x.len()).all(is_float) || !routine.fits(&inner, left) {
            return Err(malformed());
        }
        let result = op.results().first().map(|z| z.ty()).ok_or_else(malformed)?;
        let last = result.shape().last().copied().flatten().unwrap_or(0);
        let z = self.batched(b, &x, ranks[0], &mut |import, b, x| {
            Ok(match routine {
                Routine::Qr => householder(b, x[0]),
                Routine::PivotedQr => pivoted_householder(b, x[0], x[1]),
                Routine::Product => vec![reflected(b, x[0], x[1], last)],
                Routine::Apply => {
                    let transposed = option("transpose") == Some(1);
                    vec![apply_reflections(b, x[0], x[1], x[2], left, transposed)]
                }
                Routine::Cholesky => factored(b, x[0], !letter("uplo", b'U')),
                Routine::Lu => lu(b, x[0]),
                Routine::Triangular => {
                    let form = Triangle {
                        left,
                        lower: !letter("uplo", b'U'),
                        unit: letter("diag", b'U'),
                        transposed: letter("trans_x", b'T') || letter("trans_x", b'C'),
                        conjugated: false,
                    };
                    solved(b, &x[..1], &x[1..], form)
                }
                Routine::Tridiagonal => tridiagonal(b, x),
                Routine::Eigen => {
                    let (vectors, values) = eigen(b, x[0], !letter("uplo", b'U'));
                    let (values, vectors) = import.sorted_columns(b, values, &[vectors], false)?;
                    vec![vectors[0], values, number(b, 0)]
                }
                Routine::Singular => {
                    // Without vectors, the types are those of square ones.
                    let (m, n) = (inner[0][0], inner[0][1]);
                    let is_square = |k: usize, n: usize| {
                        let shape = op.results().get(k).map(|z| z.ty().shape()).unwrap_or_default();
                        shape.ends_with(&[Some(n), Some(n)])
                    };
                    let (u, s, v) = import.singular(b, x[0], is_square(2, m) && is_square(3, n))?;
                    vec![x[0], s, u, b.transpose(v, &[1, 0]), number(b, 0)]
                }
            })
        })?;
        let expected: Vec<_> = op.results().into_iter().map(|z| types::parts(z.ty()).unwrap_or_default()).collect();
        let agree = expected.len() <= z.len() && expected.iter().zip(&z).all(|(parts, z)| *parts == [z.ty()]);
        if !agree {
            let found = op.results().iter().map(|v| v.ty().to_string()).collect::<Vec<_>>().join(", ");
            return Err(op.not_supported(format!("results of types {found} in a call of LAPACK")));
        }
        Ok(z.into_iter().take(expected.len()).collect())
    }
}

/// Creates the number `n` of type `i32`.
fn number(b: Builder, n: i64) -> Value {
    let i32 = b.context().signless(32);
    b.constant(Attribute::integer(i32, n), i32)
}

/// Returns the Cholesky factor in LAPACK's form, in which the other triangle is that of `x`; and 0, or 1 + the number
/// of the first pivot that is not positive.
fn factored(b: Builder, x: Value, lower: bool) -> Vec<Value> {
    let factor = cholesky(b, &[x], lower)[0];
    let n = x.ty().shape()[0];
    let z = b.build(&[n, n], &[], |b, i| {
        let predicate = if lower { CmpIPredicate::Sge } else { CmpIPredicate::Sle };
        let inside = compare(b, predicate, Index::Value(i[0]), Index::Value(i[1]));
        vec![b.select(inside, b.get(factor, i), b.get(x, i))]
    })[0];
    let failed = b.build(&[n], &[], |b, i| {
        let e = Emit(b);
        let pivot = b.get(factor, &[i[0], i[0]]);
        let is_positive = e.compare_floats(CmpFPredicate::Ogt, pivot, e.float(pivot, 0.0));
        vec![b.select(is_positive, number(b, 0), number(b, 1))]
    })[0];
    vec![z, first_failure(b, failed)]
}

/// Returns 1 + the position of the first 1 among numbers 0 and 1, or 0.
pub fn first_failure(b: Builder, failed: Value) -> Value {
    if failed.ty().shape() == [Some(0)] {
        return number(b, 0);
    }
    let e = Emit(b);
    let first = e.cast(Kind::ArithIndexCast, b.argmax(failed, 0), b.context().signless(32));
    let next = e.op(Kind::ArithAddi, &[first, number(b, 1)]);
    e.op(Kind::ArithMuli, &[next, b.max(failed, &[0])])
}
