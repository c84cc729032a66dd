//! Emits a remark at each op whose result is a known idiom: dot, matrix and outer products, convolution, softmax and
//! log-sum-exp. The remark states the sizes of the indices. It does not matter whether the program uses loops,
//! operations on whole arrays, or transposed operands. If nested ops form one idiom, the remark is at the outermost
//! one.
//!
//! `array-to-sweeps` recognises and compiles contractions independently of this pass.
//!
//! Requires: nothing. Preserves: the program.
//! ```mlir before
//! func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x3xf64>) -> tensor<4x3xf64> {
//!   %c = array.build (%i < 4, %j < 3) -> (tensor<4x3xf64>) {
//!     %r = array.get %a[%i] : (tensor<4x5xf64>) -> tensor<5xf64>
//!     %p = array.build (%k < 5) -> (tensor<5xf64>) {
//!       %x = array.get %r[%k] : (tensor<5xf64>) -> f64
//!       %y = array.get %b[%k, %j] : (tensor<5x3xf64>) -> f64
//!       %z = arith.mulf %x, %y : f64
//!       array.yield %z : f64
//!     }
//!     %s = array.sum %p : (tensor<5xf64>) -> f64
//!     array.yield %s : f64
//!   }
//!   return %c : tensor<4x3xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x3xf64>) -> tensor<4x3xf64> {
//!   %c = array.build (%i < 4, %j < 3) -> (tensor<4x3xf64>) {
//!     %r = array.get %a[%i] : (tensor<4x5xf64>) -> tensor<5xf64>
//!     %p = array.build (%k < 5) -> (tensor<5xf64>) {
//!       %x = array.get %r[%k] : (tensor<5xf64>) -> f64
//!       %y = array.get %b[%k, %j] : (tensor<5x3xf64>) -> f64
//!       %z = arith.mulf %x, %y : f64
//!       array.yield %z : f64
//!     }
//!     %s = array.sum %p : (tensor<5xf64>) -> f64
//!     array.yield %s : f64
//!   }
//!   return %c : tensor<4x3xf64>
//! }
//! ```

pub mod idioms;

use crate::analysis::stack::on_large_stack;
use crate::optimise::egg_optimize::{TakenPiece, take_piece};
use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::phases::{LARGEST_PIECE, NORMALISER_FUEL, room_for};
use crate::optimise::placement::plan::Val;
use crate::optimise::recognise_idioms::idioms::recognise;
use crate::optimise::rules::Laws;
use crate::optimise::terms::Pool;
use crate::optimise::terms::cost::Assumed;
use crate::optimise::translation::import::Importer;
use crate::optimise::translation::read::Reader;
use mlopt_dialects::bridge::{Options, Pass};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::Kind;
use rustc_hash::FxHashSet;

/// The pass `--recognise-idioms`.
pub const PASS: Pass = Pass {
    name: "recognise-idioms",
    description: "Report which operations are matrix products, convolutions, softmax and similar idioms",
    anchor: Kind::FuncFunc.name(),
    options: &[],
    dialects: crate::optimise::egg_optimize::options::DIALECTS,
    run,
};

fn run(function: Op, _: &Options) -> Result<(), Reported> {
    let laws = Laws::all();
    let mut blocks = function.blocks();
    while let Some(block) = blocks.pop() {
        let ops = block.ops();
        let mut start = 0;
        while start < ops.len() {
            let TakenPiece { importer, taken, left, end, .. } =
                take_piece(&ops, start, LARGEST_PIECE, &laws, Assumed::default());
            if !taken.is_empty() {
                name_all(&importer, &laws);
            }
            blocks.extend(left.into_iter().flat_map(Op::blocks));
            start = end;
        }
    }
    Ok(())
}

/// Emits remarks at the ops of a piece, in order.
fn name_all(importer: &Importer, laws: &Laws) {
    let mut values: Vec<(Val, Value)> = importer.origins.iter().map(|(&v, &value)| (v, value)).collect();
    // Outer ops come before inner ones, and inner ones before their users.
    values.sort_unstable_by_key(|v| v.0);
    let plan = &importer.plan;
    let wanted: Vec<Val> = values.iter().map(|v| v.0).collect();
    let found = on_large_stack(|| {
        let mut pool = Pool::new();
        let terms = Reader::new(&mut pool, plan, false).read();
        let mut normaliser = Normaliser::new(&laws.directed, NORMALISER_FUEL);
        normaliser.room = room_for(&pool);
        let mut named = FxHashSet::default();
        let one = |v: &Val| {
            let t = normaliser.normalise(&mut pool, *terms.get(v)?);
            // Equal values get one remark.
            if named.insert(t) { recognise(&mut pool, t) } else { None }
        };
        wanted.iter().map(one).collect::<Vec<Option<String>>>()
    });
    let mut inside_of = FxHashSet::default();
    for ((_, value), text) in values.into_iter().zip(found) {
        let (Some(text), Some((op, _))) = (text, value.defining_op()) else { continue };
        let around = std::iter::successors(op.parent_op(), |op| op.parent_op());
        if around.into_iter().any(|op| inside_of.contains(&op)) {
            continue;
        }
        inside_of.insert(op);
        let _reported = op.remark(text).emit();
    }
}
