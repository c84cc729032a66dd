//! Tensors become buffers with a planned place: the caller's output buffers, or one arena of scratch memory.
//!
//! Reads: what `array-to-sweeps` writes. Writes: `sweep.nest` on buffers (no `map`, no carried array), `memref`, and for
//! `@f` a second function `@f.sizes`, which answers for sizes before `@f` runs (`docs/abi.md`). Leaves: scalar code.
//!
//! Destinations are passed inwards (spec/arrays.md G.1): a result is computed where its consumer wants it. Carried arrays
//! live in one buffer, updated in place when each element is read only to write the same element, else through scratch.
//! Scratch has offsets computed at the entry, and is used again when an array is dead. Inputs are never written.
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

mod arena;
mod places;
mod questions;

use crate::ir::*;
use arena::Arena;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::sweep::Kind;
use places::ancestor_in;
use std::collections::HashMap;

/// `--plan-memory`.
pub const PASS: Pass = Pass {
    name: "plan-memory",
    description: "Tensors become output buffers and offsets in one arena; adds the functions that answer for sizes",
    anchor: "builtin.module",
    options: &[],
    dialects: &["sweep", "memref", "arith", "scf", "func"],
    run: |module, _| run(module),
};

pub fn run(module: Op) -> Result<(), Reported> {
    let body = module.body().expect("a module has a body");
    let mut globals = 0;
    for old in module.child_ops() {
        if old.name() != "func.func" || old.body().is_none() || is_private(old) {
            continue;
        }
        let mut plan = Plan::new(old, globals);
        let (function, sizes) = plan.function()?;
        globals = plan.num_globals;
        for op in plan.globals.into_iter().chain([function, sizes]) {
            body.insert_before(old, op);
        }
        old.erase();
    }
    Ok(())
}

/// Where an array lives: a buffer, behind leading indices.
#[derive(Clone, PartialEq)]
struct Place {
    buffer: Value,
    leading: Vec<Value>,
}

impl Place {
    fn of(buffer: Value) -> Place {
        Place { buffer, leading: Vec::new() }
    }

    fn load(&self, b: Builder, indices: &[Value]) -> Value {
        let operands = [&[self.buffer], self.leading.as_slice(), indices].concat();
        b.value("memref.load", &operands, self.buffer.ty().scalar(), &[])
    }

    fn store(&self, b: Builder, value: Value, indices: &[Value]) {
        b.make("memref.store", &[&[value, self.buffer], self.leading.as_slice(), indices].concat(), &[], &[]);
    }

    fn at(&self, indices: &[Value]) -> Place {
        Place { buffer: self.buffer, leading: [self.leading.as_slice(), indices].concat() }
    }
}

/// One function. "Old" values are those of the function on tensors, "new" ones those on buffers.
struct Plan {
    old: Op,
    ctx: Context,
    entry: Block,
    /// The old blocks around the op that is being emitted: what they define is visible.
    open: Vec<Block>,
    /// Positions of old ops in their blocks.
    positions: HashMap<Op, usize>,
    inputs: Vec<Type>,
    results: Vec<Type>,
    /// New scalars, by old ones.
    scalars: HashMap<Value, Value>,
    /// Where old tensors are, once they have been computed.
    places: HashMap<Value, Place>,
    /// Where old tensors will be computed.
    destinations: HashMap<Value, Place>,
    outputs: Vec<Option<Value>>,
    arena: Arena,
    /// Old `index` values (or bounds of them) at the new entry.
    at_entry: HashMap<Value, Value>,
    /// Conditions (at the new entry) and messages of `sweep.require`.
    checks: Vec<(Value, String)>,
    globals: Vec<Op>,
    num_globals: usize,
}

impl Plan {
    fn new(old: Op, num_globals: usize) -> Plan {
        let (inputs, results) = old.function_type().expect("func.func has a type");
        let (ctx, loc) = (old.context(), old.location());
        let mut types: Vec<Type> = inputs.iter().chain(&results).map(|t| ctx.memref(&t.shape(), t.scalar())).collect();
        types.push(ctx.memref(&[None], ctx.int(8)));
        let entry = Block::new(&types.into_iter().map(|t| (t, loc)).collect::<Vec<_>>());
        let arguments = entry.arguments();
        Plan {
            old,
            ctx,
            entry,
            open: Vec::new(),
            positions: HashMap::new(),
            outputs: arguments[inputs.len()..][..results.len()].iter().map(|v| Some(*v)).collect(),
            arena: Arena::new(entry, arguments[inputs.len() + results.len()]),
            inputs,
            results,
            scalars: HashMap::new(),
            places: HashMap::new(),
            destinations: HashMap::new(),
            at_entry: HashMap::new(),
            checks: Vec::new(),
            globals: Vec::new(),
            num_globals,
        }
    }

    /// The function on buffers and the one that answers for sizes.
    fn function(&mut self) -> Result<(Op, Op), Reported> {
        let old = self.old;
        let body = old.body().expect("the caller asked");
        let b = Builder::at_end(self.entry, old.location());
        for (k, (argument, ty)) in body.arguments().into_iter().zip(self.inputs.clone()).enumerate() {
            let buffer = self.entry.argument(k);
            if ty.is_tensor() {
                self.places.insert(argument, Place::of(buffer));
            } else {
                self.scalars.insert(argument, b.value("memref.load", &[buffer], ty, &[]));
            }
        }
        self.ops(body, b)?;
        let end = body.terminator().expect("a body has a terminator");
        let b = b.at(end.location());
        for (k, value) in end.operands().into_iter().enumerate() {
            let out = self.entry.argument(self.inputs.len() + k);
            match self.scalars.get(&value) {
                Some(scalar) => {
                    b.make("memref.store", &[*scalar, out], &[], &[]);
                }
                None => {
                    let from = self.places[&value].clone();
                    self.copy(value, &from, &Place::of(out), b)?;
                }
            }
        }
        let sizes = self.answers(end)?;
        b.make("func.return", &[], &[], &[]);
        Ok((self.finished(), sizes))
    }

    /// The new function, with the old one's attributes and what the call interface needs to know.
    fn finished(&self) -> Op {
        let ctx = self.ctx;
        let mut new = OpBuilder::new("func.func", self.old.location());
        for (name, value) in self.old.attributes() {
            if !matches!(name.as_str(), "function_type" | "arg_attrs" | "res_attrs") {
                new = new.attribute(&name, value);
            }
        }
        let types: Vec<Type> = self.entry.arguments().into_iter().map(Value::ty).collect();
        let attributes: Vec<Attribute> = (0..types.len())
            .map(|k| match k {
                _ if k < self.inputs.len() => ctx.attribute("{llvm.readonly}"),
                _ if k + 1 == types.len() => ctx.attribute("{llvm.align = 64 : i64}"),
                _ => ctx.attribute("{}"),
            })
            .collect();
        let messages: Vec<Attribute> = self.checks.iter().map(|(_, m)| ctx.string_attr(m)).collect();
        new.attribute("function_type", ctx.type_attr(ctx.function_type(&types, &[])))
            .attribute("arg_attrs", ctx.array_attr(&attributes))
            .attribute(crate::native::SIGNATURE, ctx.type_attr(ctx.function_type(&self.inputs, &self.results)))
            .attribute(crate::native::CHECKS, ctx.array_attr(&messages))
            .region(Region::with_block(self.entry))
            .build()
    }

    /// Emits the ops of an old block but its terminator.
    fn ops(&mut self, old: Block, b: Builder) -> Result<(), Reported> {
        let base = self.arena.depth();
        self.open.push(old);
        for (position, op) in old.ops().into_iter().enumerate() {
            self.arena.free_dead(old, position);
            self.op(op, b.at(op.location()))?;
        }
        self.open.pop();
        self.arena.cut(base);
        Ok(())
    }

    fn op(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        match op.name() {
            "func.return" | "sweep.yield" | "scf.yield" => {}
            "sweep.nest" => self.nest(op, b)?,
            "sweep.require" => {
                let condition = self.scalar(op.operand(0));
                let message = op.attribute("message").and_then(Attribute::as_string).unwrap_or_default();
                self.checks.push((condition, message));
            }
            "tensor.extract" => {
                let place = self.place(op.operand(0), op)?;
                let indices: Vec<Value> = op.operands()[1..].iter().map(|v| self.scalar(*v)).collect();
                let value = place.load(b, &indices);
                self.scalars.insert(op.result(0), value);
            }
            "tensor.dim" => {
                let axis = op.operand(1).defining_op().and_then(|(c, _)| c.attribute("value")?.as_i64());
                let Some(axis) = axis else { return Err(op.not_supported("an axis that is not constant")) };
                let size = self.size(op.operand(0), axis as usize, op)?;
                self.scalars.insert(op.result(0), size);
            }
            "arith.constant" if op.result(0).ty().is_tensor() => self.constant(op),
            "scf.if" => {
                let mut new = b.op("scf.if").operands(&[self.scalar(op.operand(0))]);
                new = new.results(&op.results().into_iter().map(Value::ty).collect::<Vec<_>>());
                for region in op.regions() {
                    let old = region.first_block().expect("branches have both sides");
                    let block = Block::new(&[]);
                    let inner = Builder::at_end(block, op.location());
                    self.ops(old, inner)?;
                    let yielded: Vec<Value> =
                        old.terminator().expect("verified").operands().iter().map(|v| self.scalar(*v)).collect();
                    inner.make("scf.yield", &yielded, &[], &[]);
                    new = new.region(Region::with_block(block));
                }
                let new = b.insert(new.build());
                self.scalars.extend(op.results().into_iter().zip(new.results()));
            }
            _ if op.num_regions() == 0 && op.results().into_iter().chain(op.operands()).all(|v| v.ty().is_scalar()) => {
                let copy = op.clone_op();
                for (k, v) in op.operands().into_iter().enumerate() {
                    copy.set_operand(k, self.scalar(v));
                }
                b.insert(copy);
                self.scalars.extend(op.results().into_iter().zip(copy.results()));
            }
            _ => return Err(op.not_supported("`plan-memory` takes sweeps on tensors and scalar code")),
        }
        Ok(())
    }

    /// # Panics
    /// When `old` does not dominate its use, which the verifier excludes.
    fn scalar(&self, old: Value) -> Value {
        *self.scalars.get(&old).expect("a value is known before it is used")
    }

    fn place(&self, old: Value, user: Op) -> Result<Place, Reported> {
        self.places.get(&old).cloned().ok_or_else(|| user.not_supported("an array that no sweep made"))
    }

    fn constant(&mut self, op: Op) {
        let (ctx, ty) = (self.ctx, op.result(0).ty());
        let memref = ctx.memref(&ty.shape(), ty.scalar());
        let name = format!("constant.{}", self.num_globals);
        self.num_globals += 1;
        let value = op.attribute("value").expect("verified");
        self.globals.push(
            OpBuilder::new("memref.global", op.location())
                .attribute("sym_name", ctx.string_attr(&name))
                .attribute("sym_visibility", ctx.string_attr("private"))
                .attribute("type", ctx.type_attr(memref))
                .attribute("initial_value", value)
                .attribute("constant", ctx.unit_attr())
                .build(),
        );
        let b = Builder::at_end(self.entry, op.location());
        let buffer = b.value("memref.get_global", &[], memref, &[("name", ctx.symbol_attr(&name))]);
        self.places.insert(op.result(0), Place::of(buffer));
    }

    //===-- nests -----------------------------------------------------------------------------------------------===//

    fn nest(&mut self, op: Op, b: Builder) -> Result<(), Reported> {
        let nest = Nest::of(op);
        let old_body = op.body().expect("verified");
        // Destinations first: they may be shared with inits, and outlive the nest.
        let mut homes = HashMap::new();
        for r in 0..op.num_results() {
            if op.result(r).ty().is_tensor() {
                homes.insert(r, self.destination(op.result(r))?);
            }
        }
        for (r, init, _) in &nest.folds {
            if let Some(home) = homes.get(r) {
                let from = self.place(*init, op)?;
                if from != *home {
                    self.copy(*init, &from, home, b)?;
                }
            }
        }
        let base = self.arena.depth();
        let extents: Vec<Value> = nest.extents.iter().map(|v| self.scalar(*v)).collect();
        let scalar_folds: Vec<usize> =
            (0..nest.folds.len()).filter(|j| !homes.contains_key(&nest.folds[*j].0)).collect();
        let inits: Vec<Value> = scalar_folds.iter().map(|j| self.scalar(nest.folds[*j].1)).collect();
        let types = extents.iter().map(|_| self.ctx.index()).chain(inits.iter().map(|v| v.ty()));
        let block = Block::new(&types.map(|t| (t, op.location())).collect::<Vec<_>>());
        let arguments = block.arguments();
        let (indices, carried) = arguments.split_at(extents.len());
        self.scalars.extend(old_body.arguments().into_iter().zip(indices.iter().copied()));
        for (j, new) in scalar_folds.iter().zip(carried) {
            self.scalars.insert(nest.folds[*j].2, *new);
        }
        let yields = old_body.terminator().expect("verified").operands();
        // Where the next values of carried arrays are computed.
        for (r, _, argument) in &nest.folds {
            let Some(home) = homes.get(r) else { continue };
            self.places.insert(*argument, home.clone());
            let next = yields[*r];
            if made_by_nest_in(next, old_body) && !self.destinations.contains_key(&next) {
                let place =
                    if self.in_place(*argument, next, old_body) { home.clone() } else { self.scratch(next, op)? };
                self.destinations.insert(next, place);
            }
        }
        for (r, home) in &homes {
            if nest.kinds[*r] == Kind::Map && made_by_nest_in(yields[*r], old_body) {
                self.destinations.entry(yields[*r]).or_insert_with(|| home.at(indices));
            }
        }
        let inner = Builder::at_end(block, op.location());
        self.ops(old_body, inner)?;
        self.end_of_iteration(op, &nest, &homes, indices, inner)?;
        self.arena.cut(base);

        let kept: Vec<usize> = (0..op.num_results()).filter(|r| !homes.contains_key(r)).collect();
        let yielded: Vec<Value> = kept.iter().map(|r| self.scalar(yields[*r])).collect();
        inner.make("sweep.yield", &yielded, &[], &[]);
        let kinds: Vec<i64> = kept.iter().map(|r| nest.kinds[*r] as i64).collect();
        let new = b
            .op("sweep.nest")
            .operand_segments(&[&extents, &inits])
            .attribute("kinds", self.ctx.i64_array_attr(&kinds))
            .results(&yielded.iter().map(|v| v.ty()).collect::<Vec<_>>())
            .region(Region::with_block(block))
            .build();
        b.insert(new);
        for (n, r) in kept.iter().enumerate() {
            self.scalars.insert(op.result(*r), new.result(n));
        }
        for (r, home) in homes {
            self.places.insert(op.result(r), home);
        }
        Ok(())
    }

    /// What an iteration leaves behind: elements and rows of maps first, then the next values of carried arrays, all read
    /// before any is overwritten.
    fn end_of_iteration(
        &mut self,
        op: Op,
        nest: &Nest,
        homes: &HashMap<usize, Place>,
        indices: &[Value],
        b: Builder,
    ) -> Result<(), Reported> {
        let yields = op.body().and_then(Block::terminator).expect("verified").operands();
        for (r, value) in yields.iter().enumerate() {
            if nest.kinds[r] != Kind::Map {
                continue;
            }
            let home = &homes[&r];
            if !value.ty().is_tensor() {
                let element = self.scalar(*value);
                home.store(b, element, indices);
                continue;
            }
            let from = self.place(*value, op)?;
            if from != home.at(indices) {
                self.copy(*value, &from, &home.at(indices), b)?;
            }
        }
        let states: Vec<Place> = nest.folds.iter().filter_map(|(r, ..)| homes.get(r).cloned()).collect();
        let mut pending = Vec::new();
        for (r, _, _) in &nest.folds {
            let Some(home) = homes.get(r) else { continue };
            let value = yields[*r];
            let mut from = self.place(value, op)?;
            if from == *home {
                continue;
            }
            if states.contains(&from) {
                let aside = self.scratch(value, op)?;
                self.copy(value, &from, &aside, b)?;
                from = aside;
            }
            pending.push((value, from, home.clone()));
        }
        for (value, from, home) in pending {
            self.copy(value, &from, &home, b)?;
        }
        Ok(())
    }

    /// Whether `next` may overwrite the carried array `state` while it is computed: it is a map over the whole of it, which
    /// reads `state` only at the element being written, and everything else reads `state` before.
    fn in_place(&mut self, state: Value, next: Value, body: Block) -> bool {
        let Some((maker, r)) = next.defining_op() else { return false };
        let nest = Nest::of(maker);
        if nest.kinds[r] != Kind::Map || nest.extents.len() != state.ty().rank() {
            return false;
        }
        let indices = &maker.body().expect("verified").arguments()[..nest.extents.len()];
        let written = self.position(maker);
        state.uses().into_iter().all(|(user, _)| match ancestor_in(user, body) {
            Some(around) if around == maker => user.name() == "tensor.extract" && user.operands()[1..] == *indices,
            Some(around) => user.name() != "sweep.yield" && self.position(around) < written,
            None => false,
        })
    }

    /// Copies the array `like` from one place to another.
    fn copy(&mut self, like: Value, from: &Place, to: &Place, b: Builder) -> Result<(), Reported> {
        if from == to {
            return Ok(());
        }
        let rank = like.ty().rank();
        let user = self.old;
        let extents: Vec<Value> = (0..rank).map(|k| self.size(like, k, user)).collect::<Result<_, _>>()?;
        let block = Block::new(&vec![(self.ctx.index(), b.location); rank]);
        let inner = Builder::at_end(block, b.location);
        let element = from.load(inner, &block.arguments());
        to.store(inner, element, &block.arguments());
        inner.make("sweep.yield", &[], &[], &[]);
        let nest = b
            .op("sweep.nest")
            .operand_segments(&[&extents, &[]])
            .attribute("kinds", self.ctx.i64_array_attr(&[]))
            .region(Region::with_block(block))
            .build();
        b.insert(nest);
        Ok(())
    }
}

/// The parts of a `sweep.nest`.
struct Nest {
    extents: Vec<Value>,
    kinds: Vec<Kind>,
    /// Result, init and region argument of each fold.
    folds: Vec<(usize, Value, Value)>,
}

impl Nest {
    fn of(op: Op) -> Nest {
        let extents = op.operand_segment(0);
        let codes = op.attribute("kinds").and_then(Attribute::as_i64_array).unwrap_or_default();
        let kinds: Vec<Kind> = codes.into_iter().map(|c| Kind::of(c).expect("verified")).collect();
        let inits = op.operand_segment(1);
        let arguments = op.body().expect("verified").arguments();
        let results = (0..kinds.len()).filter(|r| kinds[*r] == Kind::Fold);
        let folds =
            results.zip(inits).enumerate().map(|(j, (r, init))| (r, init, arguments[extents.len() + j])).collect();
        Nest { extents, kinds, folds }
    }
}

fn made_by_nest_in(value: Value, block: Block) -> bool {
    value.defining_op().is_some_and(|(op, _)| op.name() == "sweep.nest" && op.block() == Some(block))
}
