//! Transposition of a matrix before a loop that repeatedly multiplies it by vectors.
//!
//! `z[i] = Σₖ a[i, k]·x[k]` reads `a` row by row. Each sum then ends with adding up the lanes of a vector, and rows
//! start at unaligned addresses. With `t[k, i] = a[i, k]`, neighbouring sums are neighbouring lanes
//! (`lanes/columns.rs`):
//!
//! ```text
//! fold (s < n) { z = map (i < r) { Σ_{k<c} a[i, k]·x[k] }} → t = map (k < c, i < r) { a[i, k] }
//!                                                            fold (s < n) { z = map (i < r) { Σ_{k<c} t[k, i]·x[k] }}
//! ```
//! If `n` is known only at run time, both forms of the product are generated, and for a small `n` the matrix is not
//! transposed.

use crate::contraction::{ATTRIBUTE, depends};
use crate::ir::*;
use crate::nests::{self, are_all, indices, kinds};
use crate::scf::branch;
use mlopt_dialects::sweep::ResultKind;
use std::collections::HashMap;

/// The minimum number of iterations for which transposing is profitable: by measurement, a product becomes faster by a
/// thirtieth of the cost of transposing.
const FEWEST_ITERATIONS: i64 = 32;
/// The minimum numbers of rows and columns with which lanes are full.
const LEAST: [i64; 2] = [16, 8];
/// The maximum number of bytes of a matrix that stays in the L2 cache; larger ones are bound by memory in any order.
const MOST_BYTES: i64 = 1 << 18;

/// Transposes such matrices in every loop of `function`.
pub fn transpose_once(function: Op) {
    let mut made = HashMap::new();
    let products: Vec<Product> = nested_of(function, Kind::SweepNest).into_iter().filter_map(Product::of).collect();
    products.into_iter().for_each(|product| product.transpose(&mut made));
}

/// A product of a matrix and a vector in a loop.
struct Product {
    nest: Op,
    /// The reads of the matrices.
    reads: Vec<Op>,
    /// The loop in which these matrices are invariant.
    around: Op,
}

impl Product {
    fn of(nest: Op) -> Option<Product> {
        let body = nest.body()?;
        let [rows] = nest.operand_segment(0)[..] else { return None };
        let scalars = body.terminator()?.operands().iter().all(|v| v.ty().is_scalar());
        if nest.attribute(ATTRIBUTE).is_some() || !scalars || !are_all(nest, ResultKind::Map) {
            return None;
        }
        let mut nested = body.ops().into_iter().filter(|op| op.num_regions() > 0);
        let (sum, None) = (nested.next()?, nested.next()) else { return None };
        if sum.kind() != Kind::SweepNest || !are_all(sum, ResultKind::Sum) {
            return None;
        }
        let [columns] = sum.operand_segment(0)[..] else { return None };
        let size = [known(rows)?, known(columns)?];
        if size.iter().zip(LEAST).any(|(n, least)| *n < least) {
            return None;
        }
        let at = [indices(nest)[0], indices(sum)[0]];
        let mut reads = Vec::new();
        for op in nest.nested_ops() {
            let position = op.operands().into_iter().skip(1).collect::<Vec<_>>();
            let varies = || position.iter().any(|v| depends(*v, at[0], nest));
            if op.kind() != Kind::TensorExtract || !varies() || position == at[..1] {
                continue;
            }
            let of = op.operand(0).ty();
            let whole = of.shape().iter().map(|n| n.map(|n| n as i64)).eq(size.iter().map(|n| Some(*n)));
            let bytes = of.element()?.bytes() as i64;
            if !whole || position != at || size[0].checked_mul(size[1])?.checked_mul(bytes)? > MOST_BYTES {
                return None;
            }
            reads.push(op);
        }
        let around = reads.first().and_then(|_| loop_around(nest, &reads))?;
        Some(Product { nest, reads, around })
    }

    fn transpose(&self, made: &mut HashMap<(Value, Op), Value>) {
        let before = Builder::before(self.around).at(self.nest.location());
        let iterations = self.around.operand_segment(0)[0];
        let test = || before.compare(Compare::Sge, iterations, before.index(FEWEST_ITERATIONS));
        let many = known(iterations).is_none().then(test);
        let nest = many.map_or(self.nest, |many| self.with_choice(many));
        let ops = nest.nested_ops();
        // The copy has its ops in the same order.
        let reads = self.nest.nested_ops().into_iter().zip(ops).filter(|(old, _)| self.reads.contains(old));
        for (_, read) in reads.collect::<Vec<_>>() {
            let matrix = read.operand(0);
            let t = *made.entry((matrix, self.around)).or_insert_with(|| transposed(matrix, many, before));
            let [i, k] = [read.operand(1), read.operand(2)];
            read.set_operands(&[t, k, i]);
        }
    }

    /// Moves the product into one branch of a condition, and a copy for many iterations into the other. Returns the
    /// copy.
    fn with_choice(&self, many: Value) -> Op {
        let b = Builder::before(self.nest);
        let branches = [Block::new(&[]), Block::new(&[])];
        let choice = branch(b, many, &types_of(&self.nest.results()), branches);
        replace_all(self.nest.results(), choice.results());
        let copy = Builder::at_end(branches[0], b.location).insert(self.nest.clone_op());
        let ends = [copy, self.nest].map(|op| (op, op.results()));
        for (block, (op, results)) in branches.into_iter().zip(ends) {
            let end = Builder::at_end(block, b.location).make(Kind::ScfYield, &results, &[], &[]);
            if op == self.nest {
                op.move_before(end);
            }
        }
        copy
    }
}

/// Returns the outermost loop around `nest` that runs many times, or may do so, and outside of which all arrays that
/// `reads` read are defined.
fn loop_around(nest: Op, reads: &[Op]) -> Option<Op> {
    let stays = |op: &Op| !reads.iter().any(|read| is_made_inside(read.operand(0), *op));
    let around = ancestors(nest).take_while(stays);
    let nests = around.filter(|op| op.kind() == Kind::SweepNest && op.operand_segment(0).len() == 1);
    let runs = |op: &Op| known(op.operand(0)).is_none_or(|n| n >= FEWEST_ITERATIONS);
    nests.filter(|op| kinds(*op).contains(&ResultKind::Fold) && runs(op)).last()
}

/// Returns the transpose of `matrix`, which has no rows unless `many` holds.
fn transposed(matrix: Value, many: Option<Value>, b: Builder) -> Value {
    let (shape, element) = (matrix.ty().shape(), matrix.ty().scalar());
    let [rows, columns] = [0, 1].map(|axis| b.index(shape[axis].expect("known") as i64));
    let (extent, size) = match many {
        None => (columns, shape[1]),
        Some(many) => (b.select(many, columns, b.index(0)), None),
    };
    let block = block_of_indices(2, b.location);
    let inner = Builder::at_end(block, b.location);
    inner.make(Kind::SweepYield, &[inner.read(matrix, &[block.argument(1), block.argument(0)])], &[], &[]);
    nests::map(b, &[extent, rows], &[Type::tensor(&[size, shape[0]], element)], block).result(0)
}
