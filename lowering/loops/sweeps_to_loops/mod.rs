//! Translation of loop nests on buffers to `scf.for`, with reductions and carried scalars in `iter_args`.
//!
//! Input: the output of `plan-memory`. Output: `scf.for`, loads, stores, and the combining ops of reductions; for
//! contractions (`contraction/`) loops over tiles, with `vector`. Preserves: everything else.
//!
//! The order of a reduction is unspecified, so its combining op gets the flag `reassoc`. A product whose result is
//! added may be contracted with the addition, so that both have one rounding (spec/arrays.md A.3). No other deviation
//! from the order of the program is used.
//! ```mlir before
//! func.func @f(%x: memref<?xf64>, %n: index) -> f64 {
//!   %s = sweep.nest (%i < %n) -> (sum f64) {
//!     %e = memref.load %x[%i] : memref<?xf64>
//!     sweep.yield %e : f64
//!   }
//!   return %s : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: memref<?xf64>, %n: index) -> f64 {
//!   %zero = arith.constant 0.0 : f64
//!   %c0 = arith.constant 0 : index
//!   %c1 = arith.constant 1 : index
//!   %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
//!     %e = memref.load %x[%i] : memref<?xf64>
//!     %b = arith.addf %a, %e fastmath<reassoc,contract> : f64
//!     scf.yield %b : f64
//!   }
//!   return %s : f64
//! }
//! ```

use crate::contraction;
use crate::ir::*;
use crate::loops::chunks::divide;
use crate::loops::{invariants, jam, lanes, repeated, rows, transposes};
use crate::nests::{folds, kinds};
use crate::reduction::{combine, neutral, with_flags};
use crate::scf::{CHUNKS, DIVIDE, OUTERMOST, mark_outermost};
use crate::work::{OF_LOOPS, Work};
use mlopt_dialects::bridge::{Pass, PassOption};
use mlopt_dialects::ops::{FastMath, scf::For};
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The pass `--sweeps-to-loops`.
pub const PASS: Pass = Pass {
    name: "sweeps-to-loops",
    description: "Loop nests on buffers become scf.for; reductions may be reassociated",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::flag(
        "scalar",
        "One loop for each axis, without tiles and vectors, as a baseline for comparisons",
    )],
    dialects: &["func", "scf", "arith", "memref", "vector"],
    run: |module, options| run_with(module, options.bool("scalar")),
};

/// Lowers every nest in `root`.
pub fn run(root: Op) -> Result<()> {
    run_with(root, false)
}

/// Lowers every nest in `root`. If `scalar` is set, the loops process single elements, without tiles and vectors.
pub fn run_with(root: Op, scalar: bool) -> Result<()> {
    let of_kind = |kind: Kind| nested_of(root, kind);
    if let Some(op) = of_kind(Kind::SweepRequire).first() {
        return Err(op.not_supported("run `plan-memory` first"));
    }
    let registers = contraction::Registers::of(root);
    let is_marked = |op: &Op| op.attribute(contraction::ATTRIBUTE).is_some();
    let is_inner = |op: &Op| ancestors(*op).any(|op| is_marked(&op));
    let marked = of_kind(Kind::SweepNest).into_iter().filter(is_marked);
    let (inner, contractions): (Vec<Op>, Vec<Op>) = marked.partition(is_inner);
    // The outermost contraction moves or replaces the nests in it, which become plain loops.
    inner.into_iter().for_each(contraction::unmark);
    if scalar {
        // Without tiles, their scratch memory is not needed.
        of_kind(Kind::SweepScratch).into_iter().for_each(Op::erase);
    } else {
        let kernels = Default::default();
        // A contraction that several threads share needs the arena of its function.
        let is_divided = |op: &Op| op.attribute(DIVIDE).is_some() && contraction::is_divided(*op);
        let (divided, others): (Vec<Op>, Vec<Op>) = contractions.into_iter().partition(is_divided);
        let contractions = [divided, repeated::share(others)].concat();
        contractions.into_iter().for_each(|op| contraction::lower(op, registers, &kernels));
    }
    if !scalar {
        let on_processor = of_kind(Kind::SweepNest).into_iter().filter(|op| !is_on_device(*op));
        on_processor.for_each(|op| lanes::split_innermost(op, registers));
    }
    // Outer nests are lowered first: inner ones move with their bodies and keep their handles.
    let mut gone = HashSet::new();
    for op in of_kind(Kind::SweepNest) {
        if gone.contains(&op) {
            continue;
        }
        let registers = (!scalar).then_some(registers);
        match Division::of(op, scalar) {
            None => lower(op, registers, &mut gone)?,
            Some(division) => lower_divided(op, division, registers, &mut gone)?,
        }
    }
    for op in of_kind(Kind::SweepAdd) {
        add(op)?;
    }
    of_kind(Kind::SweepPrivate).into_iter().for_each(alone);
    of_kind(Kind::ArithMulf).into_iter().for_each(contract);
    if !scalar {
        let blocks = root.nested_ops().into_iter().flat_map(Op::regions).flat_map(Region::blocks);
        lanes::join_stores(blocks.collect::<Vec<_>>());
        lanes::join_reads(&of_kind(Kind::VectorFromElements));
        lanes::forward_stores(&of_kind(Kind::VectorStore));
    }
    Ok(())
}

/// The division of a nest into chunks for several threads.
struct Division {
    /// The maximum number of chunks.
    chunks: Value,
    /// The kinds of its reductions.
    kinds: Vec<ResultKind>,
    fastmath: Option<Attribute>,
}

impl Division {
    /// Returns `None` if one thread executes the nest.
    fn of(nest: Op, scalar: bool) -> Option<Division> {
        let b = Builder::before(nest);
        let chunks = match () {
            _ if scalar => None,
            _ if nest.attribute(DIVIDE).is_some() => Work::of(nest, b).chunks(&OF_LOOPS, b),
            _ if nest.attribute(CHUNKS).is_some() => Some(nest.operand(0)),
            _ => None,
        };
        Some(Division { chunks: chunks?, kinds: kinds(nest), fastmath: nest.attribute("fastmath") })
    }
}

/// The extent to which a nest has been vectorised.
enum Vectorised {
    All,
    UpTo(Option<Value>),
}

fn is_on_device(op: Op) -> bool {
    ancestors(op).any(|op| op.kind() == Kind::GpuFunc)
}

/// Lowers a nest, with vectors if `registers` are given. Nests in it that are erased are added to `gone`.
fn lower(op: Op, registers: Option<contraction::Registers>, gone: &mut HashSet<Op>) -> Result<()> {
    let done = vectorised(op, registers, gone)?;
    lower_rest(op, done, gone)
}

/// Lowers a nest as [`lower`] does, and divides its main loop into chunks.
fn lower_divided(
    op: Op,
    Division { chunks, kinds, fastmath }: Division,
    registers: Option<contraction::Registers>,
    gone: &mut HashSet<Op>,
) -> Result<()> {
    let (block, last) = (enclosing_block(op), op.next());
    let first = block.ops().into_iter().take_while(|other| *other != op).last();
    // The loops that the nest has become are between its neighbours, or in conditions there.
    let loops = || -> Vec<Op> {
        let ops = block.ops();
        let at = |op: Op| ops.iter().position(|other| *other == op);
        let (start, end) = (first.and_then(at).map_or(0, |k| k + 1), last.and_then(at).unwrap_or(ops.len()));
        let is_loop = |op: &Op| op.kind() == Kind::ScfFor && op.attribute(OUTERMOST).is_some();
        ops[start..end].iter().copied().flat_map(with_nested).filter(is_loop).collect()
    };
    op.set_attribute(OUTERMOST, op.context().unit_attr());
    let done = vectorised(op, registers, gone)?;
    // Few iterations remain after the first vectorised loop.
    let vectorised: Vec<Op> = loops().into_iter().take(1).collect();
    lower_rest(op, done, gone)?;
    let main = if vectorised.is_empty() { loops() } else { vectorised };
    main.into_iter().for_each(|op| divide(op, chunks, &kinds, fastmath));
    loops().into_iter().for_each(|op| op.remove_attribute(OUTERMOST));
    Ok(())
}

/// Emits loops for the part of a nest that has not been vectorised.
fn lower_rest(op: Op, done: Vectorised, gone: &mut HashSet<Op>) -> Result<()> {
    match done {
        Vectorised::All => {
            gone.extend(op.nested_ops());
            op.erase();
            Ok(())
        }
        Vectorised::UpTo(first) => nest(op, first),
    }
}

/// Vectorises a nest, or processes several of its rows at once, if `registers` are given.
fn vectorised(op: Op, registers: Option<contraction::Registers>, gone: &mut HashSet<Op>) -> Result<Vectorised> {
    if registers.is_none() {
        return Ok(Vectorised::UpTo(None));
    }
    // On a device, neighbouring threads compute neighbouring columns.
    let registers = registers.filter(|_| !is_on_device(op));
    match registers.and_then(|registers| transposes::vectorise(op, registers)) {
        Some(true) => return Ok(Vectorised::All),
        Some(false) => return Ok(Vectorised::UpTo(None)),
        None => {}
    }
    if registers.is_some_and(|registers| lanes::vectorise_short(op, registers)) {
        return Ok(Vectorised::All);
    }
    let mut done = lanes::vectorise(op, registers).or_else(|| registers.and_then(|_| rows::vectorise(op)));
    if done.is_none()
        && let Some(jammed) = registers.and_then(|registers| jam::jam(op, registers))
    {
        // The new nest is lowered here: a later op may have the address of one in `gone`, and would be skipped.
        lower(jammed.columns, registers, gone)?;
        done = Some(jammed.rest);
    }
    let whole = |done| Some((known(done)?, known(op.operand(0))?));
    Ok(match done.and_then(whole) {
        Some((done, n)) if n <= done => Vectorised::All,
        _ => Vectorised::UpTo(done),
    })
}

/// Emits the part of a nest from the index `first` of its outermost axis on, or all of it.
fn nest(op: Op, first: Option<Value>) -> Result<()> {
    let extents = op.operand_segment(0);
    let kinds = kinds(op);
    if kinds.contains(&ResultKind::Map) || op.results().into_iter().any(|r| r.ty().is_tensor()) {
        return Err(op.not_supported("results must not be tensors; run `plan-memory` first"));
    }
    let b = Builder::before(op);
    let body = op.entry();
    // All results are carried; reductions start from the neutral element.
    let inits: HashMap<usize, Value> = folds(op).into_iter().map(|fold| (fold.number, fold.init)).collect();
    let start = |(r, kind): (usize, &ResultKind)| {
        let ty = op.result(r).ty();
        inits.get(&r).copied().unwrap_or_else(|| b.constant(neutral(*kind, ty), ty))
    };
    let start: Vec<Value> = kinds.iter().enumerate().map(start).collect();
    let types = types_of(&start);
    let (first, one) = (first.unwrap_or_else(|| b.index(0)), b.index(1));

    let mut at = b;
    let mut carried = start.clone();
    let mut indices = Vec::new();
    let mut outer: Option<Op> = None;
    let around = invariants::loops_around(op);
    let mut loops = Vec::new();
    for n in &extents {
        let block = block_of([&[b.context().index()], types.as_slice()].concat(), b.location);
        let new = For::create(at, first, *n, one, &carried, &types, block).op();
        if outer.is_some() {
            at.make(Kind::ScfYield, &new.results(), &[], &[]);
        }
        if outer.is_none() {
            mark_outermost(new, op);
            outer = Some(new);
        }
        loops.push(new);
        indices.push(block.argument(0));
        carried = block.arguments()[1..].to_vec();
        at = Builder::at_end(block, b.location);
    }

    let folds = (0..kinds.len()).filter(|r| kinds[*r] == ResultKind::Fold);
    replace_all(body.arguments(), indices.into_iter().chain(folds.map(|r| carried[r])));
    let end = body.end();
    // The innermost block needs an op before which the others are inserted.
    let last = at.make(Kind::ScfYield, &[], &[], &[]);
    for inner in body.ops() {
        if inner != end {
            inner.move_before(around.get(&inner).map_or(last, |k| loops[*k]));
        }
    }
    let before_last = Builder::before(last).at(op.location());
    let mut next = Vec::new();
    for (r, value) in end.operands().into_iter().enumerate() {
        next.push(match kinds[r] {
            ResultKind::Fold => value,
            kind => combine(before_last, kind, carried[r], value, op.attribute("fastmath"), true),
        });
    }
    last.set_operands(&next);

    // A nest without axes runs once: its ops are now at `b`, so its results are the yielded values.
    replace_all(op.results(), outer.map_or(next, Op::results));
    if outer.is_none() {
        last.erase();
    }
    op.erase();
    Ok(())
}

/// Emits `memory[i] = memory[i] + value`.
fn add(op: Op) -> Result<()> {
    if op.num_results() > 0 {
        return Err(op.not_supported("the array must not be a tensor; run `plan-memory` first"));
    }
    let b = Builder::before(op);
    let (value, place) = (op.operand(0), &op.operands()[1..]);
    let before = b.value(Kind::MemrefLoad, place, value.ty(), &[]);
    let sum = combine(b, ResultKind::Sum, before, value, None, false);
    b.make(Kind::MemrefStore, &[&[sum], place].concat(), &[], &[]);
    op.erase();
    Ok(())
}

/// Lowers `sweep.private` for one thread: the private array becomes a view of the arena.
fn alone(op: Op) {
    let operands = [&op.operands()[..2], &op.operands()[4..]].concat();
    let view = Builder::before(op).value(Kind::MemrefView, &operands, op.result(0).ty(), &[]);
    op.replace_with([view]);
}

fn users(op: Op) -> Vec<Op> {
    op.result(0).users().collect()
}

/// Permits the contraction of a product with the additions that use it, if it has no other uses.
fn contract(product: Op) {
    let mut sums = users(product);
    // The additions may use the lanes of a vector of products.
    if sums.iter().all(|op| op.kind() == Kind::VectorShuffle) {
        sums = sums.into_iter().flat_map(users).collect();
    }
    if sums.is_empty() || sums.iter().any(|op| !matches!(op.kind(), Kind::ArithAddf | Kind::ArithSubf)) {
        return;
    }
    for op in sums.into_iter().chain([product]) {
        if let Some(flags) = with_flags(op.context(), op.attribute("fastmath"), FastMath::CONTRACT) {
            op.set_attribute("fastmath", flags);
        }
    }
}
