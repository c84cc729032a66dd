//! Translation of arrays to loop nests on tensors: every `array` op, and every `arith` or `math` op on tensors, becomes
//! a `sweep.nest`.
//!
//! Input: `array`, `dual.zero`, `dual.one`, `arith`, `math`, `scf.if`, `scf.for`, `scf.while`, `func.call`,
//! `tensor.cast`. Output: `sweep`, `tensor.extract`, `tensor.dim`, scalar `arith` and `math`, `scf.if`, `scf.while`.
//! Preserves: public functions and their types. Calls are inlined, and private functions are removed.
//!
//! An array is stored only if necessary (`fuse/`); otherwise its elements are computed where they are read. Reads
//! outside an array are zero. The test for this is omitted where `analysis::facts` proves it redundant; otherwise it is
//! a branch, which LLVM converts to masked loads. Sums of products that can be tiled are marked (`contractions.rs`).
//! The loops of reductions along columns are interchanged, apart from those that are tiled (`store.rs`,
//! `interchange.rs`). A matrix that a loop repeatedly multiplies by vectors is transposed once before the loop
//! (`transposed.rs`). Chains of nests over a long axis are executed block by block (`blocks/`). A scatter adds to its
//! destination array one element at a time, which `plan-memory` does in place.
//! ```mlir before
//! func.func @f(%x: tensor<4xf64>, %y: tensor<4xf64>) -> f64 {
//!   %p = arith.mulf %x, %y : tensor<4xf64>
//!   %s = array.sum %p : (tensor<4xf64>) -> f64
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: tensor<4xf64>, %y: tensor<4xf64>) -> f64 {
//!   %n = arith.constant 4 : index
//!   %s = sweep.nest (%i < %n) -> (sum f64) {
//!     %a = tensor.extract %x[%i] : tensor<4xf64>
//!     %b = tensor.extract %y[%i] : tensor<4xf64>
//!     %p = arith.mulf %a, %b : f64
//!     sweep.yield %p : f64
//!   }
//!   return %s : f64
//! }
//! ```

mod arrays;
mod blocks;
mod branches;
mod contractions;
mod elements;
mod extents;
mod fuse;
mod horizontal_fusion;
mod interchange;
mod loops;
mod ops;
mod orient;
mod plain_nests;
mod scalar_replacement;
mod scalars;
mod scatters;
mod search;
mod spaces;
mod store;
mod transposed;
mod views;

use crate::contraction::Registers;
use crate::ir::*;
use crate::nests;
use arrays::{Arr, Definition, Scope, Val};
pub use blocks::Blocks;
use fuse::Fusion;
use mlopt_dialects::bridge::{Pass, PassOption};
use mlopt_dialects::sweep::ResultKind;
use mlopt_passes::analysis::facts::{Facts, Size};
use mlopt_passes::arrays::widen_halves;
use std::collections::HashMap;
use std::rc::Rc;
pub use views::regroup;

/// The pass `--array-to-sweeps`.
pub const PASS: Pass = Pass {
    name: "array-to-sweeps",
    description: "Arrays become loop nests with several results, on tensors",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::integer(
        "block",
        "0",
        "Indices of the long axis in each block of a chain of nests; 0: chosen where blocks are profitable, -1: no \
         blocks",
    )],
    dialects: &["sweep", "tensor", "arith", "scf", "vector"],
    run: |module, options| {
        run_with(
            module,
            match options.integer("block") {
                ..0 => Blocks::Never,
                0 => Blocks::Profitable,
                size => Blocks::Of(size),
            },
        )
    },
};

/// The maximum number of ops of a function after the inlining of all calls: longer code takes minutes to compile.
const MAX_OPS: usize = 1 << 18;

/// Lowers every function. Private functions are inlined where they are called, and erased.
pub fn run(module: Op) -> Result<()> {
    run_with(module, Blocks::Profitable)
}

/// Lowers every function, and cuts the chains of nests that `blocks` selects into blocks.
pub fn run_with(module: Op, blocks: Blocks) -> Result<()> {
    widen_halves::run(module);
    module.child_ops().into_iter().for_each(plain_nests::flatten);
    let all = children_of(module, Kind::FuncFunc);
    let functions: HashMap<String, Op> = all.iter().filter_map(|op| Some((op.symbol()?, *op))).collect();
    let (mut done, mut counts) = (Vec::new(), HashMap::new());
    for op in all.iter().copied().filter(|op| op.body().is_some() && !is_private(*op)) {
        let count = inlined_ops(op, &functions, &mut counts);
        if count > MAX_OPS {
            let text =
                format!("expected at most {MAX_OPS} ops after the inlining of all calls, found {count}; use a loop");
            return Err(op.not_supported(text));
        }
        done.push((op, Lower::function(op, &functions, blocks)?));
    }
    all.into_iter().filter(|op| is_private(*op)).for_each(Op::erase);
    for (old, new) in done {
        Builder::before(old).insert(new);
        old.erase();
    }
    Ok(())
}

/// Returns the number of ops of a function after the inlining of all calls. `counts` has those of other functions.
/// Recursion is not counted; it is rejected where it would be inlined.
fn inlined_ops(function: Op, functions: &HashMap<String, Op>, counts: &mut HashMap<Op, usize>) -> usize {
    if let Some(count) = counts.get(&function) {
        return *count;
    }
    counts.insert(function, 0);
    let ops = function.nested_ops();
    let callees = ops.iter().filter(|op| op.kind() == Kind::FuncCall).filter_map(|op| functions.get(&op.callee()?));
    let count = callees.fold(ops.len(), |sum, callee| sum.saturating_add(inlined_ops(*callee, functions, counts)));
    counts.insert(function, count);
    count
}

/// Elements that were computed in one MLIR block, by array and indices. They may be reused in this block and the blocks
/// inside it.
type Memo = HashMap<(*const Arr, Vec<Value>), (Rc<Arr>, Value)>;

/// The state of the translation of one function.
struct Lower<'f> {
    functions: &'f HashMap<String, Op>,
    /// The names of the functions whose bodies are being inlined.
    calls: Vec<String>,
    ctx: Context,
    entry: Block,
    /// The blocks around the insertion point, outermost first.
    open: Vec<Block>,
    fusion: Fusion,
    facts: Facts,
    memo: Vec<Memo>,
    /// The sizes of arrays of the new function, each computed once.
    dims: HashMap<(Value, usize), Value>,
    constants: HashMap<(String, Type), Value>,
}

impl<'f> Lower<'f> {
    fn function(old: Op, functions: &'f HashMap<String, Op>, blocks: Blocks) -> Result<Op> {
        let (inputs, results) = signature(old);
        let loc = old.location();
        let body = single_block(old)?;
        let is_supported = |ty: &Type| ty.element().is_some() && (ty.is_tensor() || ty.is_scalar());
        if let Some(odd) = inputs.iter().chain(&results).find(|ty| !is_supported(ty)) {
            return Err(old.not_supported(format!(
                "arguments and results must be scalars or tensors of numbers, found type {odd}"
            )));
        }
        let entry = block_of(inputs, loc);
        let mut lower = Lower {
            functions,
            calls: vec![old.symbol().unwrap_or_default()],
            ctx: old.context(),
            entry,
            open: vec![entry],
            fusion: Fusion::default(),
            facts: Facts::default(),
            memo: vec![Memo::new()],
            dims: HashMap::new(),
            constants: HashMap::new(),
        };
        let scope = Scope::new(None);
        for (old, new) in body.arguments().into_iter().zip(entry.arguments()) {
            scope.set(old, lower.stored(new, None));
        }
        let b = Builder::at_end(entry, loc);
        let values = lower.block(body, &scope, b)?;
        let b = b.at(body.end().location());
        let returned = lower.all_exactly(&values, &results, b)?;
        b.make(Kind::FuncReturn, &returned, &[], &[]);
        let new = with_body(old, entry);
        contractions::mark(new);
        blocks::cut(new, blocks);
        // Loop interchange expects one sum along columns in each nest, so it precedes the merging of nests.
        interchange::interchange(new);
        horizontal_fusion::merge(new);
        let registers = old.module().map_or(Registers::BASELINE, Registers::of);
        scalar_replacement::keep_in_registers(new, registers);
        transposed::transpose_once(new);
        Ok(new)
    }

    /// Emits the ops of an old block. Returns the operands of its terminator.
    fn block(&mut self, old: Block, scope: &Rc<Scope>, b: Builder) -> Result<Vec<Val>> {
        for op in old.ops() {
            if matches!(op.kind(), Kind::FuncReturn | Kind::ArrayYield | Kind::ScfYield | Kind::ScfCondition) {
                break;
            }
            self.op(op, scope, b.at(op.location()))?;
        }
        Ok(old.end().operands().into_iter().map(|v| scope.get(v)).collect())
    }

    //===-- stored arrays ---------------------------------------------------------------------------------------===//

    /// Wraps a value of the new program. Arrays that are arguments of the function determine their own sizes.
    fn stored(&mut self, value: Value, sizes: Option<Vec<Size>>) -> Val {
        let ty = value.ty();
        if !ty.is_tensor() {
            return Val::Scalar(value);
        }
        let sizes = sizes.unwrap_or_else(|| {
            let axis = |(k, d): (usize, Dim)| match d {
                Some(n) => Size::Known(n as i64),
                None => Size::Value(self.dim(value, k)),
            };
            ty.shape().into_iter().enumerate().map(axis).collect()
        });
        Val::Array(Arr::shared(sizes, ty, Definition::Stored(value)))
    }

    fn dim(&mut self, value: Value, axis: usize) -> Value {
        if let Some(d) = self.dims.get(&(value, axis)) {
            return *d;
        }
        let b = Builder::at_end(self.entry, self.ctx.unknown_location());
        let d = b.value(Kind::TensorDim, &[value, self.index(axis as i64)], b.context().index(), &[]);
        self.facts.is_size(d);
        self.dims.insert((value, axis), d);
        d
    }

    /// Creates a constant at the end of the entry block, which is before the nest under construction, so that every
    /// block can use it.
    fn constant(&mut self, value: Attribute, ty: Type) -> Value {
        let key = (value.to_string(), ty);
        if let Some(c) = self.constants.get(&key) {
            return *c;
        }
        let c = Builder::at_end(self.entry, ty.context().unknown_location()).constant(value, ty);
        self.note(c);
        self.constants.insert(key, c);
        c
    }

    fn index(&mut self, n: i64) -> Value {
        let ty = self.ctx.index();
        self.constant(Attribute::integer(ty, n), ty)
    }

    fn size_value(&mut self, size: Size) -> Value {
        match size {
            Size::Known(n) => self.index(n),
            Size::Value(v) => v,
        }
    }

    fn zero(&mut self, ty: Type) -> Value {
        self.constant(zero_of(ty), ty)
    }

    /// Creates an op on two integers and records it in the facts.
    fn arith(&mut self, kind: Kind, x: Value, y: Value, b: Builder) -> Value {
        let z = b.same(kind, &[x, y]);
        self.note(z);
        z
    }

    /// Records a new value in the facts.
    fn note(&mut self, value: Value) {
        if let Some((op, _)) = value.defining_op() {
            self.facts.define(op);
        }
    }

    //===-- nests -----------------------------------------------------------------------------------------------===//

    /// Emits a nest at the end of `b`'s block. `body` emits one iteration and returns, for each result, its kind, the
    /// yielded value and the type of the result.
    fn nest(
        &mut self,
        b: Builder,
        extents: &[Size],
        inits: &[Value],
        body: impl FnOnce(&mut Self, Builder, &[Value], &[Value]) -> Result<Vec<(ResultKind, Value, Type)>>,
    ) -> Result<Op> {
        let extent_values: Vec<Value> = extents.iter().map(|n| self.size_value(*n)).collect();
        let block = nests::body(extents.len(), inits, b.location);
        let arguments = block.arguments();
        let (indices, carried) = arguments.split_at(extents.len());
        indices.iter().zip(extents).for_each(|(i, n)| self.facts.enter(*i, *n));
        let inner = Builder::at_end(block, b.location);
        let results = self.inside(block, |lower| body(lower, inner, indices, carried))?;
        extents.iter().for_each(|_| self.facts.leave());
        let (kinds, yielded, types): (Vec<ResultKind>, Vec<Value>, Vec<Type>) = results.into_iter().collect();
        inner.make(Kind::SweepYield, &yielded, &[], &[]);
        Ok(nests::nest(b, &extent_values, inits, &kinds, &types, block))
    }

    /// Runs `emit`, which fills `block`. The values that it computes are not visible afterwards.
    fn inside<T>(&mut self, block: Block, emit: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.open.push(block);
        self.memo.push(Memo::new());
        let supposed = self.facts.supposed();
        let result = emit(self);
        self.facts.forget(supposed);
        self.memo.pop();
        self.open.pop();
        result
    }

    /// Returns `value` at the end of `b`'s block, which encloses its definition: the scalar arithmetic that computes it
    /// is repeated there if necessary. `None` if it depends on values of the inner blocks.
    fn lift(&mut self, value: Value, b: Builder) -> Option<Value> {
        self.lift_once(value, b, &mut HashMap::new())
    }

    /// As [`Lower::lift`], with the memo table `lifted`, so that each op is repeated at most once.
    fn lift_once(&mut self, value: Value, b: Builder, lifted: &mut HashMap<Value, Option<Value>>) -> Option<Value> {
        let around = self.open.iter().position(|block| *block == b.block).map_or(0, |p| p + 1);
        if value.block().is_some_and(|home| self.open[..around].contains(&home)) {
            return Some(value);
        }
        if let Some(known) = lifted.get(&value) {
            return *known;
        }
        let there = self.repeat(value, b, lifted);
        lifted.insert(value, there);
        there
    }

    fn repeat(&mut self, value: Value, b: Builder, lifted: &mut HashMap<Value, Option<Value>>) -> Option<Value> {
        let (op, _) = value.defining_op()?;
        let is_arithmetic = op.kind().dialect() == "arith" || op.kind() == Kind::TensorDim;
        if op.num_regions() > 0 || op.num_results() != 1 || !is_arithmetic {
            return None;
        }
        let operands = op.operands().into_iter().map(|v| self.lift_once(v, b, lifted)).collect::<Option<Vec<_>>>()?;
        let there = b.copy_with(op, &operands).result(0);
        self.note(there);
        Some(there)
    }
}

fn single_block(function: Op) -> Result<Block> {
    match function.region(0).blocks()[..] {
        [block] => Ok(block),
        _ => Err(function.not_supported("a function must have one block; use `scf` instead of `cf`")),
    }
}
