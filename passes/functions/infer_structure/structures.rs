//! The analysis of the structure of matrices, one rule for each op (`spec/functional.md` A.7).

use crate::ad::derivatives::{self, Rule};
use crate::analysis::edit;
use mlopt_dialects::ir::{Attribute, Op, Value};
use mlopt_dialects::lambda::structure::{DIAGONAL, GENERAL, Structure};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

/// The structures of matrices. A missing matrix has the structure of its type.
#[derive(Default)]
pub struct Structures {
    known: HashMap<Value, Structure>,
}

/// The product of `x` and `y`, as `array.build` of sums of products; `columns` is the transpose of `y`.
#[derive(Clone, Copy)]
pub struct Product {
    pub x: Value,
    pub columns: Value,
}

/// The product of a matrix and a vector, likewise.
#[derive(Clone, Copy)]
pub struct Action {
    pub matrix: Value,
    pub vector: Value,
}

impl Structures {
    /// Computes the structure of all matrices in a function.
    pub fn of_function(function: Op) -> Structures {
        let mut all = Structures::default();
        // Ops come after the definitions of their operands.
        for op in function.nested_ops() {
            for result in op.results().into_iter().filter(|r| r.ty().rank() == 2) {
                let found = all.result(op).within(&result.ty().shape()).and(Structure::of_type(result.ty()));
                if !found.is_general() {
                    all.known.insert(result, found);
                }
            }
        }
        all
    }

    pub fn of(&self, value: Value) -> Structure {
        self.known.get(&value).copied().unwrap_or_else(|| Structure::of_type(value.ty()))
    }

    /// Records that a value replaces another one.
    pub fn replace(&mut self, old: Value, new: Value) {
        let found = self.of(old);
        self.known.insert(new, found);
    }

    fn result(&self, op: Op) -> Structure {
        use Kind::*;
        let of = |k: usize| self.of(op.operand(k));
        match op.kind() {
            ArithConstant => {
                op.attribute("value").and_then(|a| Structure::of_constant(a, op.result(0).ty())).unwrap_or(GENERAL)
            }
            DualZero => DIAGONAL,
            ArithAddf | ArithSubf | ArithMaximumf | ArithMinimumf | ArithMaxnumf | ArithMinnumf | LambdaGadd => {
                self.or_transposes(op, of(0).sum(of(1)))
            }
            ArithMulf => self.or_transposes(op, of(0).elementwise_product(of(1))),
            ArithDivf if has_no_zero(op.operand(1)) => Structure { symmetric: false, ..of(0) },
            ArithSelect if op.operand(0).ty().rank() == 0 => of(1).sum(of(2)),
            ArithSelect => Structure { symmetric: false, ..of(1).sum(of(2)) },
            LambdaSwitch => of(1).sum(of(2)),
            LambdaIf | ScfIf => self.branches(op),
            LambdaCheck => of(1),
            TensorCast | LambdaThe | LambdaStopGradient | DualStopGradient | LambdaTransfer => of(0),
            ArrayTranspose if is_transpose(op) => of(0).transpose(),
            ArrayReplicate => uniform(op),
            LambdaAset => match &op.operands()[1..] {
                [i, j, _] => match (edit::known(*i), edit::known(*j)) {
                    (Some(i), Some(j)) => of(0).with_element(i, j),
                    _ => GENERAL,
                },
                _ => GENERAL,
            },
            ArrayBuild => match product(op) {
                Some(product) => self.product(product),
                None if is_diagonal(op) => DIAGONAL,
                None => GENERAL,
            },
            _ if op.num_operands() != 1 || op.operand(0).ty().rank() != 2 => GENERAL,
            // Functions that map zero to zero.
            ArithNegf | ArithExtf | ArithTruncf | MathAbsf | MathSin | MathTan | MathTanh | MathSqrt | MathCbrt
            | MathFloor | MathCeil | MathTrunc | MathRound | MathRoundeven | MathAsin | MathAtan | MathSinh
            | MathAsinh | MathAtanh | MathErf | MathExpm1 | MathLog1p => of(0),
            _ if matches!(derivatives::rule(op.kind()), Some(Rule::Elementwise(_))) => of(0).elementwise(false),
            _ => GENERAL,
        }
    }

    /// Adds symmetry: the sum or product of a matrix and its transpose is symmetric.
    fn or_transposes(&self, op: Op, found: Structure) -> Structure {
        let [(a, at), (b, bt)] = [0, 1].map(|k| base(op.operand(k)));
        let is_symmetric = op.kind() != Kind::ArithSubf && a == b && at != bt;
        Structure { symmetric: found.symmetric || is_symmetric, ..found }
    }

    /// Returns the structure that holds for every region.
    fn branches(&self, op: Op) -> Structure {
        let ends = op.regions().into_iter().filter_map(|r| r.first_block()?.terminator());
        let ends: Vec<Op> = ends.collect();
        match ends[..] {
            [a, b] if a.num_operands() == 1 && b.num_operands() == 1 => {
                self.of(a.operand(0)).sum(self.of(b.operand(0)))
            }
            _ => GENERAL,
        }
    }

    fn product(&self, Product { x, columns }: Product) -> Structure {
        let found = self.of(x).product(self.of(columns).transpose());
        Structure { symmetric: found.symmetric || self.is_gram(x, columns), ..found }
    }

    /// Checks whether the product is A·Aᵀ or A·S·Aᵀ with a symmetric S.
    fn is_gram(&self, x: Value, columns: Value) -> bool {
        if base(x) == base(columns) {
            return true;
        }
        // (A S) Aᵀ, whose right factor has the columns A; A (S Aᵀ), whose columns are the transpose of a product.
        let inner = |v: Value| v.defining_op().and_then(|(op, _)| product(op));
        let (y, is_transposed) = base(columns);
        let left = inner(x).is_some_and(|p| base(p.x) == base(columns) && self.of(p.columns).symmetric);
        let right = || inner(y).is_some_and(|p| base(p.columns) == base(x) && self.of(p.x).symmetric);
        left || is_transposed && right()
    }
}

/// Returns a matrix, and whether the value is its transpose.
pub fn base(mut value: Value) -> (Value, bool) {
    let mut transposed = false;
    while let Some((op, _)) = value.defining_op() {
        match op.kind() {
            Kind::ArrayTranspose if is_transpose(op) => transposed = !transposed,
            Kind::TensorCast => {}
            _ => break,
        }
        value = op.operand(0);
    }
    (value, transposed)
}

/// Checks whether the op exchanges both axes of a matrix.
pub fn is_transpose(op: Op) -> bool {
    let axes = op.attributes().into_iter().find_map(|(_, a)| a.as_i64_array());
    op.kind() == Kind::ArrayTranspose && axes == Some(vec![1, 0])
}

/// Checks whether a value is a constant without zero elements.
fn has_no_zero(value: Value) -> bool {
    let Some((op, _)) = value.defining_op() else { return false };
    match op.kind() {
        Kind::ArithConstant => edit::numbers(value).is_some_and(|x| x.iter().all(|x| *x != 0.0 && x.is_finite())),
        Kind::ArrayReplicate => has_no_zero(op.operand(0)),
        _ => false,
    }
}

/// Returns the structure of a matrix with equal elements: a square one is symmetric.
fn uniform(op: Op) -> Structure {
    let mut value = op.operand(0);
    while let Some((op, _)) = value.defining_op().filter(|(op, _)| op.kind() == Kind::ArrayReplicate) {
        value = op.operand(0);
    }
    let shape = op.result(0).ty().shape();
    let is_square = shape[0].is_some() && shape[0] == shape[1];
    Structure { symmetric: value.ty().rank() == 0 && is_square, ..GENERAL }
}

/// Returns the indices and ops of a loop, and the yielded value, if it is one.
fn body(op: Op, rank: usize) -> Option<(Vec<Value>, Vec<Op>, Value)> {
    if op.kind() != Kind::ArrayBuild || op.num_results() != 1 || op.result(0).ty().rank() != rank {
        return None;
    }
    let block = op.body()?;
    let ops = block.ops();
    let (end, ops) = ops.split_last()?;
    (block.num_arguments() == rank && end.num_operands() == 1)
        .then(|| (block.arguments(), ops.to_vec(), end.operand(0)))
}

/// Returns the factors of a sum of products along vectors.
fn sum_of_products(y: Value) -> Option<[Value; 2]> {
    let (sum, _) = y.defining_op().filter(|(op, _)| op.kind() == Kind::ArraySum)?;
    let x = sum.operand(0);
    let (product, _) = x.defining_op().filter(|(op, _)| op.kind() == Kind::ArithMulf && x.ty().rank() == 1)?;
    Some([product.operand(0), product.operand(1)])
}

/// Returns the matrix whose row at `index` is this value.
fn row(value: Value, index: Value) -> Option<Value> {
    let (op, _) = value.defining_op().filter(|(op, _)| op.kind() == Kind::ArrayGet && op.num_operands() == 2)?;
    (op.operand(1) == index && op.operand(0).ty().rank() == 2).then(|| op.operand(0))
}

/// Returns the product of two matrices, if the op is one.
pub fn product(op: Op) -> Option<Product> {
    let (indices, ops, y) = body(op, 2)?;
    let [a, b] = sum_of_products(y).filter(|_| ops.len() == 4)?;
    let both = |a, b| Some(Product { x: row(a, indices[0])?, columns: row(b, indices[1])? });
    both(a, b).or_else(|| both(b, a))
}

/// Returns the product of a matrix and a vector, if the op is one.
pub fn action(op: Op) -> Option<Action> {
    let (indices, ops, y) = body(op, 1)?;
    let [a, b] = sum_of_products(y).filter(|_| ops.len() == 3)?;
    let block = op.body()?;
    let both = |a: Value, b: Value| {
        let is_outside = b.defining_op().is_none_or(|(d, _)| d.block() != Some(block));
        is_outside.then(|| Some(Action { matrix: row(a, indices[0])?, vector: b })).flatten()
    };
    both(a, b).or_else(|| both(b, a))
}

/// Checks whether the loop yields a value where its two indices are equal, and zero elsewhere.
fn is_diagonal(op: Op) -> bool {
    let Some((indices, _, y)) = body(op, 2) else { return false };
    let Some((select, _)) = y.defining_op().filter(|(op, _)| op.kind() == Kind::ArithSelect) else { return false };
    let Some((equal, _)) = select.operand(0).defining_op() else { return false };
    let is_equal =
        equal.kind() == Kind::ArithCmpi && equal.attribute("predicate").and_then(Attribute::as_i64) == Some(0);
    let compares =
        is_equal && (equal.operands() == [indices[0], indices[1]] || equal.operands() == [indices[1], indices[0]]);
    let zero = select.operand(2);
    let zero = zero.defining_op().is_some_and(|(op, _)| op.kind() == Kind::DualZero)
        || edit::constant(zero).and_then(Attribute::as_f64) == Some(0.0);
    compares && zero
}
