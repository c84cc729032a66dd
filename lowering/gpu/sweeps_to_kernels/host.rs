//! Emission of the host code: the launches in order, each with a number of blocks that depends on sizes; and the
//! function `@f.sizes`.

use super::{BLOCK, CHEAP, MOST_BLOCKS, Split};
use crate::abi::SIGNATURE;
use crate::ir::*;
use std::collections::HashMap;

/// Checks whether a plan of launches can express an op.
fn is_in_plan(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, ArithConstant | MemrefDim | ArithAddi | ArithSubi | ArithMuli | ArithDivui | ArithMinsi | ArithMaxsi)
}

/// Returns the number of arguments that are inputs.
pub(super) fn num_inputs(function: Op) -> usize {
    function.attribute(SIGNATURE).and_then(|a| a.as_type()?.signature()).map_or(0, |(inputs, _)| inputs.len())
}

/// Adds `bytes` to the scratch memory that `sizes` requests.
pub(super) fn more_scratch(sizes: Op, bytes: i64) -> Result<()> {
    let answer = sizes.body().and_then(|b| b.arguments().last().copied());
    let is_it = |op: &Op| Some(op.operand(1)) == answer && op.num_operands() == 3 && known(op.operand(2)) == Some(1);
    let store = nested_of(sizes, Kind::MemrefStore).into_iter().find(is_it);
    let Some(store) = store else {
        return Err(sizes
            .error(
                "expected a store of the size of the scratch memory, in bytes, to element 1 of the last argument; \
                 found none",
            )
            .emit());
    };
    let b = Builder::before(store);
    let old = store.operand(0);
    store.set_operand(0, b.addi(old, b.number(old.ty(), bytes)));
    Ok(())
}

/// A function that consists of launches.
pub(super) struct Host<'a> {
    split: &'a Split,
    b: Builder,
    known: HashMap<Value, Value>,
}

impl Host<'_> {
    pub fn of(split: &Split) -> Host<'_> {
        let loc = split.function.location();
        let arguments = split.entry.arguments();
        let block = block_of(types_of(&arguments), loc);
        let known = arguments.into_iter().zip(block.arguments()).collect();
        Host { split, b: Builder::at_end(block, loc), known }
    }

    /// Launches a kernel with one thread per iteration of `nest`, up to the maximum number of blocks, or with one
    /// thread if there is no nest.
    pub fn launch(&mut self, kernel: &str, nest: Option<Op>, location: Location) {
        let b = self.b.at(location);
        let one = b.index(1);
        let (blocks, threads) = match nest {
            None => (one, one),
            Some(nest) => (self.blocks(nest, b), b.index(BLOCK)),
        };
        let arguments = b.block.arguments();
        let size = [blocks, one, one, threads, one, one].map(|v| [v]);
        let none: &[Value] = &[];
        let mut groups = vec![none];
        groups.extend(size.iter().map(|v| v.as_slice()));
        groups.extend([none, none, none, none, &arguments, none]);
        let launch =
            b.op(Kind::GpuLaunchFunc).operand_segments(&groups).attribute("kernel", b.context().attribute(kernel));
        b.insert(launch.build());
    }

    fn blocks(&mut self, nest: Op, b: Builder) -> Value {
        let most = b.index(MOST_BLOCKS);
        let (zero, one, less, block) = (b.index(0), b.index(1), b.index(BLOCK - 1), b.index(BLOCK));
        let mut threads = one;
        for n in nest.operand_segment(0) {
            // A size that depends on data is not known here.
            let Some(n) = self.value(n, b, &mut 0) else { return most };
            threads = b.muli(threads, b.maxsi(n, zero));
        }
        let blocks = b.same(Kind::ArithDivui, &[b.addi(threads, less), block]);
        let blocks = b.same(Kind::ArithMinui, &[blocks, most]);
        b.same(Kind::ArithMaxui, &[blocks, one])
    }

    /// Returns the value of the entry recomputed here, if that is cheap and needs only sizes.
    fn value(&mut self, old: Value, b: Builder, ops: &mut usize) -> Option<Value> {
        if let Some(known) = self.known.get(&old) {
            return Some(*known);
        }
        let (op, r) = old.defining_op()?;
        *ops += 1;
        if !is_in_plan(op.kind()) || !old.ty().is_index() || *ops > CHEAP {
            return None;
        }
        let operands = op.operands().into_iter().map(|v| self.value(v, b, ops)).collect::<Option<Vec<_>>>()?;
        let copy = b.copy_with(op, &operands).result(r);
        self.known.insert(old, copy);
        Some(copy)
    }

    /// Replaces the original function by the new one.
    pub fn finish(self) {
        self.b.make(Kind::FuncReturn, &[], &[], &[]);
        let old = self.split.function;
        Builder::before(old).insert(with_body(old, self.b.block));
        old.erase();
    }
}
