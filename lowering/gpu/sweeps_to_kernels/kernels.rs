//! Emission of the kernels of one function.

use super::host::Host;
use super::reductions::{inline, product};
use super::{Launch, SLOT, Split, outer_values};
use crate::ir::*;
use crate::scf::for_each;
use std::collections::HashMap;

impl Split {
    /// Emits the kernels, and replaces the function by their launches.
    pub(super) fn emit(&self, sizes: Op, module: &str, kernels: Block) -> Result<()> {
        let name = name_of(self.function);
        let mut host = Host::of(self);
        let mut number = 0;
        for (k, launch) in self.launches.iter().enumerate() {
            let location = match launch {
                Launch::Alone(ops) if !self.is_needed(ops) => continue,
                Launch::Alone(ops) => ops[0].location(),
                Launch::Shared(op) => op.location(),
            };
            let symbol = format!("{name}.{number}");
            number += 1;
            let kernel = Kernel::of(self.function, location);
            let kernel = match launch {
                Launch::Alone(ops) => self.alone(kernel, k, ops),
                Launch::Shared(op) => self.shared(kernel, *op),
            };
            kernels.append(kernel.finish(&symbol, self.function.attribute("arg_attrs")));
            let nest = if let Launch::Shared(op) = launch { Some(*op) } else { None };
            let path = [module, &symbol].map(|s| self.ctx.symbol_attr(s).to_string()).join("::");
            host.launch(&path, nest, location);
        }
        // The function that computes sizes also runs on the device, where the inputs are.
        let kernel = Kernel::of(sizes, sizes.location());
        let body = sizes.entry().ops();
        let (mut kernel, inner) = kernel.one_thread();
        for op in &body[..body.len() - 1] {
            inner.copy(*op, &mut kernel.known);
        }
        kernels.append(kernel.finish(&format!("{name}.sizes"), sizes.attribute("arg_attrs")));
        host.finish();
        Ok(())
    }

    /// Checks whether ops have an effect, or results that another kernel loads.
    fn is_needed(&self, ops: &[Op]) -> bool {
        let kept = |v: &Value| self.slots.contains_key(v);
        ops.iter().any(|op| !op.has_no_own_effects() || op.num_regions() > 0 || op.results().iter().any(kept))
    }

    /// Emits the ops of launch `number` for the first thread. Values that other launches need are stored in their
    /// slots.
    fn alone(&self, kernel: Kernel, number: usize, ops: &[Op]) -> Kernel {
        let (mut kernel, b) = kernel.one_thread();
        for op in ops {
            outer_values(*op, self.entry).into_iter().for_each(|v| self.value(&mut kernel, b, Some(number), v));
            b.at(op.location()).copy(*op, &mut kernel.known);
            for v in op.results() {
                if let Some(slot) = self.slots.get(&v) {
                    let place = self.slot(&kernel, b, *slot, v.ty());
                    let kind = if v.ty().is_vector() { Kind::VectorStore } else { Kind::MemrefStore };
                    b.make(kind, &[&[kernel.known[&v]], &place[..]].concat(), &[], &[]);
                }
            }
        }
        kernel
    }

    /// Emits the iterations of a nest: thread t of n executes the iterations t, t + n, t + 2n, …
    fn shared(&self, mut kernel: Kernel, nest: Op) -> Kernel {
        let b = kernel.b;
        outer_values(nest, self.entry).into_iter().for_each(|v| self.value(&mut kernel, b, None, v));
        let copy = nest.clone_op();
        copy.replace_operands(|v| kernel.known.get(&v).copied());
        let (zero, one) = (b.index(0), b.index(1));
        let total = product(b, one, zero, &copy.operand_segment(0));
        let (first, step) = kernel.threads();
        let private = nested_of(copy, Kind::SweepPrivate);
        let inner = match private.first().map(|op| op.operand(3)) {
            None => for_each(b, first, total, step).0,
            Some(copies) => {
                // There are at most as many threads as copies, and each thread has its own copy.
                let (b, t) = for_each(b, first, copies, step);
                private.into_iter().for_each(|op| own(op, t));
                for_each(b, t, total, copies).0
            }
        };
        inline(inner, copy, inner.block.argument(0));
        let adds = inner.block.ops().into_iter().flat_map(with_nested);
        for op in adds.filter(|op| op.kind() == Kind::SweepAdd && self.is_atomic(*op)).collect::<Vec<_>>() {
            atomic(op);
        }
        kernel
    }

    /// Makes a value of the function's entry available at `b`: it is loaded if another launch than `here` computes it,
    /// else recomputed.
    fn value(&self, kernel: &mut Kernel, b: Builder, here: Option<usize>, old: Value) {
        // All arguments are known.
        let Some((op, _)) = old.defining_op().filter(|_| !kernel.known.contains_key(&old)) else { return };
        let b = b.at(op.location());
        match self.home.get(&op) {
            Some(home) if Some(*home) != here => {
                let slot = self.slots[&old];
                let place = self.slot(kernel, b, slot, old.ty());
                let kind = if old.ty().is_vector() { Kind::VectorLoad } else { Kind::MemrefLoad };
                kernel.known.insert(old, b.value(kind, &place, old.ty(), &[]));
            }
            _ => {
                op.operands().into_iter().for_each(|v| self.value(kernel, b, here, v));
                b.copy(op, &mut kernel.known);
            }
        }
    }

    /// Returns the memory of a value that starts in slot `slot`, and the index of its first element. A vector is in an
    /// array of its elements, whose alignment is theirs.
    fn slot(&self, kernel: &Kernel, b: Builder, slot: i64, ty: Type) -> Vec<Value> {
        let at = b.index(self.partials + slot * SLOT);
        let shape = if ty.is_vector() { vec![Some(ty.lanes())] } else { vec![] };
        let memory = self.ctx.memref(&shape, ty.scalar());
        let memory = b.value(Kind::MemrefView, &[kernel.known[&self.scratch], at], memory, &[]);
        std::iter::once(memory).chain(shape.iter().map(|_| b.index(0))).collect()
    }
}

/// A kernel under construction.
struct Kernel {
    /// The end of its body.
    b: Builder,
    /// The new values, by those of the original function.
    known: HashMap<Value, Value>,
}

impl Kernel {
    fn of(function: Op, location: Location) -> Kernel {
        let old = function.entry().arguments();
        let block = block_of(types_of(&old), location);
        let known = old.into_iter().zip(block.arguments()).collect();
        Kernel { b: Builder::at_end(block, location), known }
    }

    /// Returns the number of this thread, and the number of threads.
    fn threads(&self) -> (Value, Value) {
        let ask = |kind: Kind| {
            let dimension = [("dimension", self.b.context().attribute("#gpu<dim x>"))];
            self.b.value(kind, &[], self.b.context().index(), &dimension)
        };
        let names = [Kind::GpuBlockId, Kind::GpuBlockDim, Kind::GpuThreadId, Kind::GpuGridDim];
        let [block, size, thread, blocks] = names.map(ask);
        (self.b.addi(self.b.muli(block, size), thread), self.b.muli(blocks, size))
    }

    /// Starts a region that only the first thread executes, once.
    fn one_thread(self) -> (Kernel, Builder) {
        let (first, step) = self.threads();
        let one = self.b.index(1);
        let (inner, _) = for_each(self.b, first, one, step);
        (self, inner)
    }

    fn finish(self, symbol: &str, attributes: Option<Attribute>) -> Op {
        let ctx = self.b.context();
        self.b.make(Kind::GpuReturn, &[], &[], &[]);
        OpBuilder::function(Kind::GpuFunc, symbol, self.b.block, &[], self.b.location)
            .attribute("gpu.kernel", ctx.unit_attr())
            .attribute("workgroup_attributions", Attribute::integer(ctx.int(64), 0))
            .attributes(attributes.map(|a| ("arg_attrs", a)))
            .build()
    }
}

/// Selects the memory of thread `t`.
fn own(op: Op, t: Value) {
    let b = Builder::before(op);
    let operands = op.operands();
    let (base, start, stride, sizes) = (operands[0], operands[1], operands[2], &operands[4..]);
    let start = b.addi(start, b.muli(t, stride));
    op.replace_with([b.value(Kind::MemrefView, &[&[base, start], sizes].concat(), op.result(0).ty(), &[])]);
}

/// Converts an addition to memory to an atomic operation.
fn atomic(op: Op) {
    let b = Builder::before(op);
    let kind = if op.operand(0).ty().is_float() { 0 } else { 1 };
    let kind = [("kind", Attribute::integer(b.context().int(64), kind))];
    b.value(Kind::MemrefAtomicRmw, &op.operands(), op.operand(0).ty(), &kind);
    op.erase();
}
