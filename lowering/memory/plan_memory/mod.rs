//! Bufferization: each tensor becomes a buffer with a planned position, in the output buffers of the caller or in one
//! arena of scratch memory.
//!
//! Input: the output of `array-to-sweeps`. Output: `sweep.nest` on buffers (without `map` and without carried arrays),
//! `memref`, and for each function `@f` a function `@f.sizes`, which callers call before `@f`: it returns a status, the
//! size of the scratch memory, and each dynamic size (`?`) of the results (`docs/abi.md`). Preserves: scalar code.
//!
//! Destination-passing style (spec/arrays.md G.1): a result is written directly to the place where it is needed, an
//! output buffer of the caller or a part of the array into which it would otherwise be copied. An array that a loop
//! carries has one buffer. It is updated in place if the new value of each element depends on no other element, and
//! through scratch memory otherwise. Offsets into scratch memory are computed at the entry of the function, and the
//! memory of dead arrays is reused. Inputs are never written.
//! ```mlir before
//! func.func @f(%x: tensor<4xf64>) -> tensor<4xf64> {
//!   %n = arith.constant 4 : index
//!   %y = sweep.nest (%i < %n) -> (map tensor<4xf64>) {
//!     %e = tensor.extract %x[%i] : tensor<4xf64>
//!     %m = arith.mulf %e, %e : f64
//!     sweep.yield %m : f64
//!   }
//!   return %y : tensor<4xf64>
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: memref<4xf64> {llvm.readonly}, %out: memref<4xf64>, %arena: memref<?xi8> {llvm.align = 64 : i64})
//!     attributes {sweep.checks = [], sweep.signature = (tensor<4xf64>) -> tensor<4xf64>} {
//!   %n = arith.constant 4 : index
//!   sweep.nest (%i < %n) {
//!     %e = memref.load %x[%i] : memref<4xf64>
//!     %m = arith.mulf %e, %e : f64
//!     memref.store %m, %out[%i] : memref<4xf64>
//!     sweep.yield
//!   }
//!   %scratch = arith.constant 0 : index
//!   return
//! }
//! func.func @f.sizes(%x: memref<4xf64>, %answer: memref<2xi64>) {
//!   %ok = arith.constant 0 : i64
//!   %bytes = arith.constant 0.0 : f64
//!   %limit = arith.constant 4.0e+18 : f64
//!   %large = arith.cmpf ogt, %bytes, %limit : f64
//!   %overflow = arith.constant -1 : i64
//!   %status = arith.select %large, %overflow, %ok : i64
//!   %scratch = arith.constant 0 : index
//!   %s = arith.index_cast %scratch : index to i64
//!   %c0 = arith.constant 0 : index
//!   memref.store %status, %answer[%c0] : memref<2xi64>
//!   %c1 = arith.constant 1 : index
//!   memref.store %s, %answer[%c1] : memref<2xi64>
//!   return
//! }
//! ```

mod accepted;
mod arena;
mod copies;
mod groups;
mod live;
mod order;
mod parallel;
mod regions;
mod shape_functions;
mod sizes;
mod slices;

use crate::abi::{ALLOCATES, CHECKS, MISMATCH, MISMATCHES, SIGNATURE, names};
use crate::ir::*;
use arena::Arena;
use groups::Groups;
use mlopt_dialects::bridge::{Pass, PassOption};
use mlopt_dialects::ops::arith::Constant;
use sizes::{Interval, Sizes};
use slices::BufferSlice;
use std::collections::HashMap;

/// The pass `--plan-memory`.
pub const PASS: Pass = Pass {
    name: "plan-memory",
    description: "Tensors become output buffers and offsets in one arena; adds the functions that compute sizes",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::integer(
        "threads",
        "0",
        "Mark outermost nests with independent iterations `parallel`, for at most this number of threads",
    )],
    dialects: &["sweep", "memref", "arith", "scf", "func"],
    run: |module, options| run_for(module, options.integer("threads")),
};

/// Plans memory for one thread.
pub fn run(module: Op) -> Result<()> {
    run_for(module, 0)
}

/// Plans memory such that up to `threads` threads may run the outermost nests; if that is zero, no nest is `parallel`.
pub fn run_for(module: Op, threads: i64) -> Result<()> {
    let body = module.entry();
    let mut globals = 0;
    // Globals get fresh numbers, so that `symbols` needs no update.
    let symbols = Symbols::of(module);
    names::check(&module.child_ops())?;
    for old in module.child_ops() {
        if old.kind() != Kind::FuncFunc || old.body().is_none() || is_private(old) {
            continue;
        }
        accepted::check(old)?;
        let mut plan = Plan::new(old, globals, &symbols, threads);
        let (function, sizes) = plan.function()?;
        globals = plan.num_globals;
        for op in plan.globals.into_iter().chain([function, sizes]) {
            body.insert_before(old, op);
        }
        old.erase();
    }
    Ok(())
}

/// A condition on sizes, which is checked before a call.
struct SizeCheck {
    /// A value at the new entry.
    condition: Value,
    message: String,
    /// See [`MISMATCH`].
    mismatch: Option<Attribute>,
}

/// The state of planning one function. "Old" values are those of the function on tensors, "new" ones those on buffers.
struct Plan<'s> {
    old: Op,
    ctx: Context,
    entry: Block,
    /// The old blocks around the op that is being emitted. Values defined in them are visible.
    open: Vec<Block>,
    inputs: Vec<Type>,
    results: Vec<Type>,
    /// The new scalar of each old one.
    scalars: HashMap<Value, Value>,
    /// The groups of old tensors that share memory, with the kind of memory.
    groups: Groups,
    /// The memory of each group, with the member ([`Groups::shape`]) whose sizes it has.
    homes: HashMap<usize, (Value, BufferSlice)>,
    /// The same memory with other sizes, by group and by the member ([`Groups::shape`]) whose sizes it has.
    views: HashMap<(usize, Value), BufferSlice>,
    /// The groups of the arena, by the block and the position of the first op that needs them, each with the position
    /// of the last one.
    starts: HashMap<(Block, usize), Vec<(usize, usize)>>,
    sizes: Sizes,
    arena: Arena,
    /// Memory whose size is known only at its allocation, by the block and position of the last op that needs it.
    allocated: Vec<((Block, usize), Value)>,
    /// True if the function allocates memory of such a size.
    allocates: bool,
    /// The known bounds of old `index` values at the new entry.
    at_entry: HashMap<Value, Interval>,
    /// The memo table of [`Plan::is_answerable`].
    answerable: HashMap<Value, bool>,
    /// The memo tables of [`Plan::is_decidable`] and [`Plan::decided`].
    decidable: HashMap<Value, bool>,
    decided: HashMap<Value, Value>,
    /// The conditions of `sweep.require` that are known before the call.
    checks: Vec<SizeCheck>,
    /// True if the new function checks some conditions itself, because they are not known before the call.
    stops: bool,
    globals: Vec<Op>,
    num_globals: usize,
    symbols: &'s Symbols,
    /// The number of threads that may run an outermost nest.
    threads: i64,
}

impl<'s> Plan<'s> {
    fn new(old: Op, num_globals: usize, symbols: &'s Symbols, threads: i64) -> Plan<'s> {
        order::readers_first(old);
        let (inputs, results) = signature(old);
        let (ctx, loc) = (old.context(), old.location());
        let mut types: Vec<Type> = inputs.iter().chain(&results).map(|t| ctx.memref(&t.shape(), t.scalar())).collect();
        types.push(ctx.memref(&[None], ctx.int(8)));
        let entry = block_of(types, loc);
        let arguments = entry.arguments();
        let sizes = Sizes::of(old);
        let mut groups = Groups::of(old, &sizes);
        let mut starts: HashMap<_, Vec<_>> = HashMap::new();
        for (group, block, first, last) in groups.ranges() {
            starts.entry((block, first)).or_default().push((group, last));
        }
        // The groups with the longest lifetime are placed deepest in the arena.
        starts.values_mut().for_each(|groups| groups.sort_by_key(|(_, last)| std::cmp::Reverse(*last)));
        Plan {
            old,
            ctx,
            entry,
            open: Vec::new(),
            arena: Arena::new(entry, arguments[inputs.len() + results.len()]),
            inputs,
            results,
            scalars: HashMap::new(),
            groups,
            homes: HashMap::new(),
            views: HashMap::new(),
            starts,
            allocated: Vec::new(),
            allocates: false,
            sizes,
            at_entry: HashMap::new(),
            answerable: HashMap::new(),
            decidable: HashMap::new(),
            decided: HashMap::new(),
            checks: Vec::new(),
            stops: false,
            globals: Vec::new(),
            num_globals,
            symbols,
            threads,
        }
    }

    /// Returns the function on buffers and the function that computes sizes.
    fn function(&mut self) -> Result<(Op, Op)> {
        let old = self.old;
        let body = old.entry();
        let end = body.end();
        let b = Builder::at_end(self.entry, old.location());
        for (k, (argument, ty)) in body.arguments().into_iter().zip(self.inputs.clone()).enumerate() {
            let buffer = self.entry.argument(k);
            if ty.is_tensor() {
                self.set_home(argument, buffer);
            } else {
                self.scalars.insert(argument, b.value(Kind::MemrefLoad, &[buffer], ty, &[]));
            }
        }
        for (k, value) in end.operands().into_iter().enumerate() {
            if value.ty().is_tensor() && self.groups.home(self.groups.group(value)) == groups::Home::Output(k) {
                self.set_home(value, self.entry.argument(self.inputs.len() + k));
            }
        }
        self.ops(body, b)?;
        let b = b.at(end.location());
        for (k, value) in end.operands().into_iter().enumerate() {
            let out = self.entry.argument(self.inputs.len() + k);
            match self.scalars.get(&value) {
                Some(scalar) => {
                    b.make(Kind::MemrefStore, &[*scalar, out], &[], &[]);
                }
                None => {
                    let from = self.slice_of(value, b)?;
                    self.copy(value, &from, &BufferSlice::of(out), b)?;
                }
            }
        }
        self.free_dead(body, usize::MAX, b);
        let sizes = self.answers(end)?;
        b.make(Kind::FuncReturn, &[], &[], &[]);
        Ok((self.finished(), sizes))
    }

    /// Returns the new function, with the old one's attributes and the information that the call interface needs.
    fn finished(&self) -> Op {
        let ctx = self.ctx;
        let changes = ["function_type", "arg_attrs", "res_attrs"];
        let kept = self.old.attributes().into_iter().filter(|(name, _)| !changes.contains(&name.as_str()));
        let mut new = OpBuilder::new(Kind::FuncFunc, self.old.location()).attributes(kept);
        let types = types_of(&self.entry.arguments());
        let mut attributes = vec![ctx.attribute("{llvm.readonly}"); self.inputs.len()];
        attributes.resize(types.len() - 1, ctx.attribute("{}"));
        attributes.push(ctx.attribute("{llvm.align = 64 : i64}"));
        if self.allocates {
            new = new.attribute(ALLOCATES, ctx.unit_attr());
        }
        if self.checks.iter().any(|check| check.mismatch.is_some()) {
            let none = ctx.strings_attr(["", ""]);
            let each: Vec<Attribute> = self.checks.iter().map(|check| check.mismatch.unwrap_or(none)).collect();
            new = new.attribute(MISMATCHES, ctx.array_attr(&each));
        }
        new.attribute("function_type", ctx.type_attr(ctx.function_type(&types, &[])))
            .attribute("arg_attrs", ctx.array_attr(&attributes))
            .attribute(SIGNATURE, ctx.type_attr(ctx.function_type(&self.inputs, &self.results)))
            .attribute(CHECKS, ctx.strings_attr(self.checks.iter().map(|check| &check.message)))
            .region(Region::with_block(self.entry))
            .build()
    }

    /// Emits the ops of an old block except its terminator. Arrays that they place in the arena remain there for later
    /// ops.
    fn ops(&mut self, old: Block, b: Builder) -> Result<()> {
        for (position, op) in old.ops().into_iter().enumerate() {
            self.arena.free_dead(old, position);
            self.free_dead(old, position, b.at(op.location()));
            for (group, last) in self.starts.remove(&(old, position)).unwrap_or_default() {
                self.place_group(group, (old, last), op, b)?;
            }
            self.op(op, b.at(op.location()))?;
        }
        Ok(())
    }

    fn op(&mut self, op: Op, b: Builder) -> Result<()> {
        match op.kind() {
            Kind::FuncReturn | Kind::SweepYield | Kind::ScfYield | Kind::ScfCondition => {}
            Kind::SweepNest => self.nest(op, b)?,
            Kind::ScfIf => self.branch(op, b)?,
            Kind::ScfWhile => self.while_loop(op, b)?,
            Kind::SweepAdd | Kind::SweepPut => self.update_element(op, b)?,
            Kind::SweepJoin => self.join(op, b)?,
            Kind::SweepReshape => self.reshape(op, b)?,
            Kind::SweepRequire => {
                let condition = self.scalar(op.operand(0));
                let message = op.attribute("message").and_then(Attribute::as_string).unwrap_or_default();
                if self.is_decidable(condition) {
                    let mismatch = op.attribute(MISMATCH);
                    self.checks.push(SizeCheck { condition, message, mismatch });
                } else {
                    // The condition is known only when the program reaches it.
                    let attributes = [("code", "invalid-size"), ("text", &message)];
                    let attributes = attributes.map(|(name, text)| (name, self.ctx.string_attr(text)));
                    b.make(Kind::ArrayCheck, &[condition], &[], &attributes);
                    self.stops = true;
                }
            }
            Kind::TensorExtract => {
                let slice = self.slice_of(op.operand(0), b)?;
                let value = slice.load(b, &self.all_scalars(&op.operands()[1..]));
                self.scalars.insert(op.result(0), value);
            }
            Kind::TensorDim => {
                let Some(size) = self.entry_interval(op.result(0), op)?.exact() else {
                    return Err(op.not_supported("the op must read a size of a function argument"));
                };
                self.scalars.insert(op.result(0), size);
            }
            Kind::ArithConstant if op.result(0).ty().is_tensor() => self.constant(op),
            _ if accepted::is_scalar_code(op) => {
                let copy = b.copy_with(op, &self.all_scalars(&op.operands()));
                self.scalars.extend(op.results().into_iter().zip(copy.results()));
            }
            _ => return Err(op.not_supported("`plan-memory` supports only scalar code, and `sweep` ops on tensors")),
        }
        Ok(())
    }

    /// Returns the new value of an old scalar.
    ///
    /// # Panics
    ///
    /// Panics if `old` does not dominate its use, which the verifier excludes.
    fn scalar(&self, old: Value) -> Value {
        *self.scalars.get(&old).expect("a value is known before it is used")
    }

    fn all_scalars(&self, old: &[Value]) -> Vec<Value> {
        old.iter().map(|v| self.scalar(*v)).collect()
    }

    fn constant(&mut self, op: Op) {
        let (ctx, ty) = (self.ctx, op.result(0).ty());
        let memref = ctx.memref(&ty.shape(), ty.scalar());
        let name = self.symbols.free((self.num_globals..).map(|k| {
            self.num_globals = k + 1;
            format!("constant.{k}")
        }));
        let value = op.cast::<Constant>().value();
        self.globals.push(
            OpBuilder::new(Kind::MemrefGlobal, op.location())
                .attribute("sym_name", ctx.string_attr(&name))
                .attribute("sym_visibility", ctx.string_attr("private"))
                .attribute("type", ctx.type_attr(memref))
                .attribute("initial_value", value)
                .attribute("constant", ctx.unit_attr())
                .build(),
        );
        let b = Builder::at_end(self.entry, op.location());
        let buffer = b.value(Kind::MemrefGetGlobal, &[], memref, &[("name", ctx.symbol_attr(&name))]);
        self.set_home(op.result(0), buffer);
    }
}
