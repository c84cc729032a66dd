//! Translation of functions on buffers to a list of launches and the kernels that they launch.
//!
//! Input: `sweep` on buffers, the output of `plan-memory{threads=…}`. Output: a `gpu.module` with one kernel for each
//! launch; in `@f`, only `gpu.launch_func` remains. Loops inside kernels stay `sweep.nest`.
//!
//! An outermost `parallel` nest is a kernel, whose threads share the iterations. Ops between such nests, and nests that
//! must run in order, are kernels of one thread. All kernels have the parameters of `@f`. The host computes only the
//! number of blocks of each launch. The results are the same bits for every number of blocks (docs/gpu.md).
//! - A reduction has three steps: each of at most [`THREADS`] threads reduces its share, then [`GROUPS`] threads reduce
//!   the partial results, then one thread reduces theirs.
//! - Scalars and vectors that one kernel computes and another needs are passed in scratch memory; cheap ones are
//!   computed again.
//! - Additions of integers to an array, whose sums do not depend on the order, are atomic operations. Floating-point
//!   additions are ordered, because one thread executes all additions to the same element.
//! ```text
//! func.func @f(%x, %out, %arena) {                 gpu.func @f.0(%x, %out, %arena) kernel {
//!   %n = memref.dim %x, %c0                          %n = memref.dim %x, %c0
//!   sweep.nest (%i < %n) {                           scf.for %i = %thread to %n step %threads {
//!     %e = memref.load %x[%i]           becomes        %e = memref.load %x[%i]
//!     memref.store %e, %out[%i]                        memref.store %e, %out[%i]
//!     sweep.yield                                    }
//!   } {parallel}                                     gpu.return
//! }                                                }
//! ```

mod adds;
mod host;
mod kernels;
mod reductions;

use crate::abi::SIGNATURE;
use crate::ir::*;
use mlopt_dialects::bridge::{Pass, PassOption};
use std::collections::{HashMap, HashSet};

/// The pass `--sweeps-to-kernels`.
pub const PASS: Pass = Pass {
    name: "sweeps-to-kernels",
    description: "Parallel loop nests on buffers become GPU kernels; code between them becomes kernels of one thread",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::flag(
        "float-atomics",
        "Add floating-point numbers in any order of threads: faster, but results differ between runs",
    )],
    dialects: &["gpu", "sweep", "memref", "arith", "scf", "func"],
    run: |module, options| run_with(module, options.bool("float-atomics")),
};

/// The maximum number of threads that run one nest. It is also the maximum number of partial results of a reduction,
/// and of copies of the memory of iterations.
pub const THREADS: i64 = 16384;
/// The number of threads that combine the partial results of a reduction before the last one.
const GROUPS: i64 = 128;
/// The number of threads of a block.
const BLOCK: i64 = 256;
/// The maximum number of blocks of a launch.
const MOST_BLOCKS: i64 = 1024;
/// The maximum number of ops for which a scalar is recomputed in each kernel; a more expensive one is kept in memory.
const CHEAP: usize = 32;
/// The alignment in bytes of arrays in scratch memory.
const ALIGNMENT: i64 = 64;
/// The number of bytes of a scalar in scratch memory.
const SLOT: i64 = 8;

pub fn run(module: Op) -> Result<()> {
    run_with(module, false)
}

/// Lowers the functions of `module`, with floating-point additions to arrays in any order if `atomics`.
pub fn run_with(module: Op, atomics: bool) -> Result<()> {
    let is_planned = |op: &Op| op.attribute(SIGNATURE).is_some() && op.body().is_some();
    let planned: Vec<Op> = children_of(module, Kind::FuncFunc).into_iter().filter(is_planned).collect();
    if let Some(nest) = nested_of(module, Kind::SweepRequire).first() {
        return Err(nest.not_supported("run `plan-memory` first"));
    }
    if planned.is_empty() {
        return Ok(());
    }
    let (ctx, symbols) = (module.context(), Symbols::of(module));
    let name = symbols.free((0..).map(|n| if n == 0 { "kernels".into() } else { format!("kernels.{n}") }));
    let kernels = Block::new(&[]);
    for function in planned {
        let symbol = name_of(function);
        let sizes = symbols.get(&format!("{symbol}.sizes"));
        let sizes = sizes
            .ok_or_else(|| function.error(format!("expected `@{symbol}.sizes`; run `plan-memory` first")).emit())?;
        let mut split = Split::of(function, atomics)?;
        split.run(sizes, &name, kernels)?;
    }
    copy_globals(module, kernels);
    Builder::at_end(kernels, module.location()).make(Kind::GpuModuleEnd, &[], &[], &[]);
    let made = OpBuilder::new(Kind::GpuModule, module.location())
        .attribute("sym_name", ctx.string_attr(&name))
        .region(Region::with_block(kernels))
        .build();
    module.set_attribute("gpu.container_module", ctx.unit_attr());
    prepend(module.entry(), made);
    Ok(())
}

/// Constants move to the kernels that read them; the host reads none.
fn copy_globals(module: Op, kernels: Block) {
    let reads = kernels.ops().into_iter().flat_map(|op| nested_of(op, Kind::MemrefGetGlobal));
    let needed: HashSet<String> = reads.filter_map(|op| op.attribute("name")?.as_symbol()).collect();
    let b = at_start(kernels, module.location());
    for global in children_of(module, Kind::MemrefGlobal) {
        if global.symbol().is_some_and(|name| needed.contains(&name)) {
            b.insert(global.detach());
        }
    }
}

/// The work of one kernel.
enum Launch {
    /// These ops, executed by one thread.
    Alone(Vec<Op>),
    /// The iterations of this nest, executed by many threads.
    Shared(Op),
}

/// The state of splitting one function.
struct Split {
    function: Op,
    ctx: Context,
    entry: Block,
    /// True if floating-point numbers may be added in any order.
    atomics: bool,
    /// The caller's scratch memory. It begins with the values that kernels pass to each other.
    scratch: Value,
    /// The start of the planned arrays: an `arith.constant` that gets its value at the end.
    begin: Op,
    /// The number of bytes of partial results at the beginning of the scratch memory.
    partials: i64,
    launches: Vec<Launch>,
    /// The launch of each op, except ops that are recomputed in every kernel that needs them.
    home: HashMap<Op, usize>,
    /// The number of ops that compute a scalar.
    costs: HashMap<Value, usize>,
    /// The first slot in scratch memory of each scalar or vector that is kept there.
    slots: HashMap<Value, i64>,
    /// The number of slots.
    used: i64,
}

impl Split {
    fn of(function: Op, atomics: bool) -> Result<Split> {
        let (ctx, entry) = (function.context(), function.entry());
        let scratch = entry.arguments().last().copied().filter(|v| *v.ty().to_string() == *"memref<?xi8>");
        let Some(scratch) = scratch else {
            return Err(function.not_supported("the function has no scratch memory; run `plan-memory` first"));
        };
        let uses = scratch.uses();
        let b = at_start(entry, function.location());
        let zero = [("value", Attribute::integer(ctx.index(), 0))];
        let begin = b.make(Kind::ArithConstant, &[], &[ctx.index()], &zero);
        let bytes = b.size_of(scratch, 0);
        let rest = b.subi(bytes, begin.result(0));
        let behind = b.value(Kind::MemrefView, &[scratch, begin.result(0), rest], scratch.ty(), &[]);
        uses.into_iter().for_each(|(user, operand)| user.set_operand(operand, behind));
        Ok(Split {
            function,
            ctx,
            entry,
            atomics,
            scratch,
            begin,
            partials: 0,
            launches: vec![],
            home: HashMap::new(),
            costs: HashMap::new(),
            slots: HashMap::new(),
            used: 0,
        })
    }

    fn run(&mut self, sizes: Op, module: &str, kernels: Block) -> Result<()> {
        for op in self.entry.ops() {
            if is_parallel(op) {
                self.order_additions(op);
            }
        }
        for op in self.entry.ops() {
            if is_parallel(op) && op.num_results() > 0 {
                self.split_reduction(op);
            }
        }
        self.assign();
        self.find_slots();
        let kept = self.partials + SLOT * self.used;
        let before = (kept + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        self.begin.set_attribute("value", Attribute::integer(self.ctx.index(), before));
        host::more_scratch(sizes, before)?;
        self.emit(sizes, module, kernels)
    }

    /// Assigns a launch to each op, except to cheap pure scalar code.
    fn assign(&mut self) {
        // Values that depend only on the inputs and that many kernels need are computed first.
        self.launches.push(Launch::Alone(vec![]));
        for op in self.entry.ops() {
            match op.kind() {
                Kind::FuncReturn => {}
                _ if is_parallel(op) => {
                    self.home.insert(op, self.launches.len());
                    self.launches.push(Launch::Shared(op));
                }
                _ if self.is_free(op) => {
                    let cost = op.operands().into_iter().map(|v| self.cost(v)).fold(1usize, usize::saturating_add);
                    let cost = if op.kind() == Kind::ArithConstant { 0 } else { cost };
                    self.costs.extend(op.results().into_iter().map(|v| (v, cost)));
                    if cost > CHEAP && op.results().iter().all(|v| v.ty().is_scalar()) {
                        let inputs_alone = op.operands().iter().all(|v| self.launch_of(*v).unwrap_or(0) == 0);
                        self.keep(op, inputs_alone);
                    }
                }
                _ => self.keep(op, false),
            }
        }
    }

    /// Assigns `op` to one thread of the first launch or of the current one.
    fn keep(&mut self, op: Op, first: bool) {
        if !first && !matches!(self.launches.last(), Some(Launch::Alone(_))) {
            self.launches.push(Launch::Alone(vec![]));
        }
        let number = if first { 0 } else { self.launches.len() - 1 };
        if let Launch::Alone(ops) = &mut self.launches[number] {
            ops.push(op);
        }
        self.home.insert(op, number);
        // The results will be loaded.
        self.costs.extend(op.results().into_iter().map(|v| (v, 1)));
    }

    /// Checks whether any kernel may recompute this op's results whenever it needs them.
    fn is_free(&self, op: Op) -> bool {
        // Inputs and constants are never written.
        let is_constant = |memory: Value| match memory.block_argument() {
            Some((_, k)) => k < host::num_inputs(self.function),
            None => memory.defining_op().is_some_and(|(op, _)| op.kind() == Kind::MemrefGetGlobal),
        };
        let is_free = if op.kind() == Kind::MemrefLoad { is_constant(op.operand(0)) } else { op.has_no_own_effects() };
        op.num_regions() == 0 && op.num_results() > 0 && is_free
    }

    fn cost(&self, value: Value) -> usize {
        self.costs.get(&value).copied().unwrap_or(0)
    }

    /// Returns the launch that must precede a value of the entry; `None` if it depends on inputs only.
    fn launch_of(&self, value: Value) -> Option<usize> {
        let home = |v: &Value| self.home.get(&v.defining_op()?.0).copied();
        let before = |v: &Value| match v.defining_op() {
            Some((op, _)) if home(v).is_none() => op.operands(),
            _ => Vec::new(),
        };
        reached(vec![value], before).iter().filter_map(home).max()
    }

    /// Assigns slots to the scalars and vectors that one launch computes and another needs.
    fn find_slots(&mut self) {
        for number in 0..self.launches.len() {
            let mut seen: HashSet<Value> = HashSet::new();
            let mut next = match &self.launches[number] {
                Launch::Alone(ops) => ops.iter().flat_map(|op| outer_values(*op, self.entry)).collect(),
                Launch::Shared(op) => outer_values(*op, self.entry),
            };
            next.reverse();
            while let Some(value) = next.pop() {
                let Some((op, _)) = value.defining_op().filter(|_| seen.insert(value)) else { continue };
                match self.home.get(&op) {
                    None => next.extend(op.operands()),
                    Some(home) if *home != number => {
                        self.slots.entry(value).or_insert_with(|| {
                            let slot = self.used;
                            self.used += if value.ty().is_vector() { value.ty().lanes() as i64 } else { 1 };
                            slot
                        });
                    }
                    Some(_) => {}
                }
            }
        }
    }
}

fn is_parallel(op: Op) -> bool {
    op.kind() == Kind::SweepNest && op.attribute("parallel").is_some()
}

/// Returns the values of the block `entry` that `op` or its nested ops use.
fn outer_values(op: Op, entry: Block) -> Vec<Value> {
    operands_of(op).filter(|v| v.block() == Some(entry)).collect()
}
