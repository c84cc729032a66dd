//! Estimates of the work of loop nests, from which the number of chunks for several threads follows.
//!
//! The unit is one arithmetic operation or access of memory in vectorised code, of which a processor executes about
//! four per nanosecond. An estimate is computed at run time if sizes are dynamic. It depends on sizes only, so that the
//! chunks, and with them the bits of the results, are the same for every number of threads.

use crate::ir::*;
use mlopt_dialects::value::Element;

/// Bounds of the number of chunks of a loop.
pub struct Limits {
    /// The least work of a chunk.
    pub work: f64,
    /// The number of chunks below which another thread does not pay: it would have to read data that the caches of the
    /// first one have.
    pub fewest: i64,
    pub most: i64,
}

/// Chunks of a loop take at least about 10 µs.
pub const OF_LOOPS: Limits = Limits { work: 65536.0, fewest: 6, most: 256 };
/// The assumed number of iterations of a loop whose extent depends on the iterations around it.
const USUAL: f64 = 16.0;

/// An amount of work: a product or sum whose constants are folded.
#[derive(Clone, Copy)]
pub enum Work {
    Known(f64),
    At(Value),
}

impl Work {
    fn value(self, b: Builder) -> Value {
        match self {
            Work::Known(n) => {
                let float = b.context().scalar(Element::F64);
                b.constant(Attribute::float(float, n), float)
            }
            Work::At(value) => value,
        }
    }

    fn plus(self, other: Work, b: Builder) -> Work {
        match (self, other) {
            (Work::Known(x), Work::Known(y)) => Work::Known(x + y),
            (Work::Known(0.0), rest) | (rest, Work::Known(0.0)) => rest,
            (x, y) => Work::At(b.same(Kind::ArithAddf, &[x.value(b), y.value(b)])),
        }
    }

    fn times(self, other: Work, b: Builder) -> Work {
        match (self, other) {
            (Work::Known(x), Work::Known(y)) => Work::Known(x * y),
            (Work::Known(1.0), rest) | (rest, Work::Known(1.0)) => rest,
            (x, y) => Work::At(b.same(Kind::ArithMulf, &[x.value(b), y.value(b)])),
        }
    }

    /// Returns the number of iterations of an extent. `nest` is the outermost nest.
    fn of_extent(extent: Value, nest: Op, b: Builder) -> Work {
        match most(extent) {
            Some(n) => Work::Known(n.max(0) as f64),
            None => available(extent, nest, b).map_or(Work::Known(USUAL), |n| Work::of_value(n, b)),
        }
    }

    /// Returns an extent that is available at `b`.
    fn of_value(extent: Value, b: Builder) -> Work {
        if let Some(n) = known(extent) {
            return Work::Known(n.max(0) as f64);
        }
        let (ctx, zero) = (b.context(), b.index(0));
        let n = b.value(Kind::ArithIndexCast, &[b.maxsi(extent, zero)], ctx.int(64), &[]);
        Work::At(b.value(Kind::ArithSitofp, &[n], ctx.scalar(Element::F64), &[]))
    }

    /// Returns the work of the ops of a block, executed once.
    fn of_block(block: Block, nest: Op, b: Builder) -> Work {
        block.ops().into_iter().fold(Work::Known(0.0), |sum, op| {
            let nested = || {
                let blocks = op.regions().into_iter().flat_map(Region::blocks);
                blocks.fold(Work::Known(0.0), |sum, block| sum.plus(Work::of_block(block, nest, b), b))
            };
            let work = match op.kind() {
                Kind::SweepNest => Work::of_nest(op, nest, b),
                Kind::ScfFor | Kind::ScfWhile => Work::Known(USUAL).times(nested(), b),
                Kind::ScfIf => nested(),
                _ => Work::Known(units(op)),
            };
            sum.plus(work, b)
        })
    }

    fn of_nest(op: Op, outermost: Op, b: Builder) -> Work {
        let extents = op.operand_segment(0);
        let all = extents.into_iter().fold(Work::Known(1.0), |all, n| all.times(Work::of_extent(n, outermost, b), b));
        all.times(Work::of_block(op.entry(), outermost, b), b)
    }

    /// Returns the product of extents that are available at `b`.
    pub fn product(extents: &[Value], b: Builder) -> Work {
        extents.iter().fold(Work::Known(1.0), |all, n| all.times(Work::of_value(*n, b), b))
    }

    /// Checks whether a nest of one axis only copies or fills memory. Threads hardly help, so they are not worth the
    /// time to compile the loop as a function of its own.
    pub fn is_copy(nest: Op) -> bool {
        let ops = nest.entry().ops();
        nest.operand_segment(0).len() == 1
            && nest.num_results() == 0
            && ops.iter().all(|op| op.num_regions() == 0)
            && ops.iter().map(|op| units(*op)).sum::<f64>() <= 2.0
    }

    /// Returns the work of a nest, computed at `b`, which is before the nest.
    pub fn of(nest: Op, b: Builder) -> Work {
        Work::of_nest(nest, nest, b)
    }

    /// Returns the number of chunks: 1 if one thread is fastest. `None` means that this is known to be so.
    pub fn chunks(self, limits: &Limits, b: Builder) -> Option<Value> {
        let (ctx, most) = (b.context(), limits.most);
        match self {
            Work::Known(work) => {
                let chunks = ((work / limits.work) as i64).min(most);
                (chunks >= limits.fewest).then(|| b.index(chunks))
            }
            Work::At(work) => {
                let number = |n: f64| b.constant(Attribute::float(work.ty(), n), work.ty());
                let chunks = b.same(Kind::ArithMulf, &[work, number(1.0 / limits.work)]);
                // Infinity times zero is NaN, for which the maximum is the other operand.
                let chunks = b.same(Kind::ArithMaxnumf, &[chunks, number(1.0)]);
                let chunks = b.same(Kind::ArithMinnumf, &[chunks, number(most as f64)]);
                let chunks = b.value(Kind::ArithFptosi, &[chunks], ctx.int(64), &[]);
                let chunks = b.value(Kind::ArithIndexCast, &[chunks], ctx.index(), &[]);
                let is_enough = b.compare(Compare::Sge, chunks, b.index(limits.fewest));
                Some(b.select(is_enough, chunks, b.index(1)))
            }
        }
    }
}

/// Returns an upper bound of an extent that depends on no size of an array, as that of a block of iterations.
fn most(extent: Value) -> Option<i64> {
    let minimum = extent.defining_op().map(|(op, _)| op).filter(|op| op.kind() == Kind::ArithMinsi);
    let bounds = minimum.map_or_else(|| vec![extent], Op::operands);
    bounds.into_iter().filter_map(|v| exact(v, 8)).min()
}

/// Returns the value of arithmetic on constants, of at most `depth` ops in a chain.
fn exact(value: Value, depth: usize) -> Option<i64> {
    if let Some(n) = known(value) {
        return Some(n);
    }
    let (op, _) = value.defining_op().filter(|(op, _)| depth > 0 && op.num_operands() == 2)?;
    let apply = match op.kind() {
        Kind::ArithAddi => i64::checked_add,
        Kind::ArithSubi => i64::checked_sub,
        Kind::ArithMuli => i64::checked_mul,
        Kind::ArithDivui => |x: i64, y: i64| if x < 0 || y <= 0 { None } else { Some(x / y) },
        Kind::ArithMaxsi => |x: i64, y: i64| Some(x.max(y)),
        Kind::ArithMinsi => |x: i64, y: i64| Some(x.min(y)),
        _ => return None,
    };
    apply(exact(op.operand(0), depth - 1)?, exact(op.operand(1), depth - 1)?)
}

/// Returns `extent` as a value before `nest`, if it is one there, or the size of an array there.
fn available(extent: Value, nest: Op, b: Builder) -> Option<Value> {
    if !is_made_inside(extent, nest) {
        return Some(extent);
    }
    let (op, _) = extent.defining_op().filter(|(op, _)| op.kind() == Kind::MemrefDim)?;
    let axis = known(op.operand(1))?;
    (!is_made_inside(op.operand(0), nest)).then(|| b.size_of(op.operand(0), axis as usize))
}

/// Returns the work of an op without regions.
fn units(op: Op) -> f64 {
    use Kind::*;
    match op.kind() {
        ArithConstant | MemrefDim | MemrefView | MemrefReinterpretCast | MemrefGetGlobal | SweepYield => 0.0,
        ScfYield | ScfCondition | SweepScratch => 0.0,
        ArithDivf | ArithRemf | MathSqrt | MathRsqrt => 4.0,
        kind if divides_integers(kind) => 8.0,
        kind if kind.dialect() == "math" => 20.0,
        _ if op.num_results() == 1 && op.result(0).ty().is_index() => 0.0,
        _ => 1.0,
    }
}
