//! Loops, branches and calls.

use super::emit::Emit;
use super::positions::Position;
use super::types::{self, Number};
use super::{INLINED_OPS, Import, MAX_CALLS, Parts, Result};
use crate::arrays::shapes::index::Index;
use mlopt_dialects::diagnostics::error;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, Region, Type, Value, types_of};
use mlopt_dialects::ops::stablehlo::{Compare, While};
use mlopt_dialects::ops::{ComparisonDirection, HasKind, Kind};

/// A loop that counts up by one to a bound.
struct Counter {
    /// The number of the carried value that counts.
    number: usize,
    /// The bound, which is computed before the loop.
    bound: Value,
    inclusive: bool,
}

impl Counter {
    fn of(op: While) -> Option<Counter> {
        let (ops, end) = op.cond().split_end();
        let (compare, _) = end.operand(0).defining_op()?;
        let compare = Compare::of(compare)?;
        // Other ops of the condition may only be the constant bound.
        if ops.iter().any(|&o| o != compare.op() && o.kind() != Kind::StablehloConstant) {
            return None;
        }
        let (block, number) = compare.lhs().block_argument()?;
        let inclusive = match compare.comparison_direction() {
            ComparisonDirection::Lt => false,
            ComparisonDirection::Le => true,
            _ => return None,
        };
        let is_integer = matches!(Number::of(compare.lhs().ty()), Number::Signed | Number::Unsigned);
        if block != op.cond() || !is_integer || compare.lhs().ty().rank() > 0 {
            return None;
        }
        let counted = op.body().end().operand(number);
        let (add, _) = counted.defining_op().filter(|(add, _)| add.kind() == Kind::StablehloAdd)?;
        let argument = op.body().argument(number);
        let step = match (add.operand(0) == argument, add.operand(1) == argument) {
            (true, false) => add.operand(1),
            (false, true) => add.operand(0),
            _ => return None,
        };
        let bound = match compare.rhs().block_argument() {
            // Another carried value that no iteration changes.
            Some((block, k)) if block == op.cond() => is_invariant(op, k).then(|| op.op().operand(k))?,
            _ => compare.rhs(),
        };
        (number_of(step)? == 1).then_some(Counter { number, bound, inclusive })
    }
}

/// Returns the value of an integer constant.
fn number_of(v: Value) -> Option<i64> {
    let (op, _) = v.defining_op().filter(|(op, _)| op.kind() == Kind::StablehloConstant)?;
    op.attribute("value")?.splat_value()?.as_i64()
}

/// Checks whether every iteration passes on carried value `k` unchanged.
fn is_invariant(op: While, k: usize) -> bool {
    op.body().end().operand(k) == op.body().argument(k)
}

impl Import {
    pub(super) fn while_loop(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let loop_op: While = op.cast();
        let mut inits = self.operands(op);
        for (k, init) in inits.iter_mut().enumerate() {
            *init = self.fitted(b, init, &types::parts(op.result(k).ty()).expect("checked: a counterpart exists"));
        }
        let invariant: Vec<bool> = (0..inits.len()).map(|k| is_invariant(loop_op, k)).collect();
        match Counter::of(loop_op) {
            Some(counter) => self.counted(b, loop_op, &counter, &inits, &invariant),
            None => self.general(b, loop_op, &inits, &invariant),
        }
    }

    /// Converts a loop whose number of iterations is known before it.
    fn counted(
        &mut self,
        b: Builder,
        op: While,
        counter: &Counter,
        inits: &[Parts],
        invariant: &[bool],
    ) -> Result<Vec<Parts>> {
        let ty = op.op().operand(counter.number).ty();
        let number = Number::of(ty);
        let start = self.index_of(b, inits[counter.number][0], number);
        let bound = match number_of(counter.bound) {
            Some(n) if number == Number::Signed => Index::Known(n),
            _ => {
                let bound = match self.values.get(&counter.bound) {
                    Some(parts) => parts[0],
                    None => super::constants::constant(b, counter.bound.defining_op().expect("a constant").0)?[0],
                };
                self.index_of(b, bound, number)
            }
        };
        let count = bound.subtract(b, start).add(b, Index::Known(i64::from(counter.inclusive)));
        let count = count.maximum(b, Index::Known(0));
        let varies: Vec<usize> = (0..inits.len()).filter(|&k| !invariant[k] && k != counter.number).collect();
        let state: Vec<Parts> = varies.iter().map(|&k| inits[k].clone()).collect();
        let counts: Vec<usize> = state.iter().map(Vec::len).collect();
        let scalar = types::scalar(ty.scalar()).expect("checked: the type has a counterpart");
        // The numbers of the iterations, if they are known, and of the state after the last one.
        let range = match (start, bound) {
            (Index::Known(first), Index::Known(_)) => {
                let Index::Known(n) = count else { unreachable!("the count of known bounds is known") };
                Some((first, first.saturating_add(n)))
            }
            _ => None,
        };
        let counted = |import: &mut Import, b: Builder, i: Index, last: i64| {
            let index = start.add(b, i);
            let (least, greatest) = range.map_or((i64::MIN, i64::MAX), |(first, end)| (first, end - last));
            import.counter(b, ty, scalar, Position { index, least, greatest })
        };
        let mut results = inits.to_vec();
        if !state.concat().is_empty() {
            let mut failed = None;
            let z = b.ifold(count.value(b), &state.concat(), |b, i, state| {
                let mut arguments = inits.to_vec();
                arguments[counter.number] = vec![counted(self, b, Index::Value(i), 1)];
                for (&k, parts) in varies.iter().zip(super::reductions::grouped(state, &counts)) {
                    arguments[k] = parts;
                }
                match self.region(b, op.body(), &arguments) {
                    Ok(next) => {
                        let next = varies.iter().map(|&k| self.fitted(b, &next[k], &types_of(&inits[k])));
                        next.collect::<Vec<_>>().concat()
                    }
                    Err(reported) => {
                        failed = Some(reported);
                        state.to_vec()
                    }
                }
            });
            if let Some(reported) = failed {
                return Err(reported);
            }
            for (&k, parts) in varies.iter().zip(super::reductions::grouped(&z, &counts)) {
                results[k] = parts;
            }
        }
        if !op.op().result(counter.number).is_unused() {
            results[counter.number] = vec![counted(self, b, count, 0)];
        }
        Ok(results)
    }

    /// Converts a loop to `scf.while`.
    fn general(&mut self, b: Builder, op: While, inits: &[Parts], invariant: &[bool]) -> Result<Vec<Parts>> {
        let varies: Vec<usize> = (0..inits.len()).filter(|&k| !invariant[k]).collect();
        let state: Vec<Parts> = varies.iter().map(|&k| inits[k].clone()).collect();
        let counts: Vec<usize> = state.iter().map(Vec::len).collect();
        let types = types_of(&state.concat());
        let arguments = |block: Block| {
            let mut arguments = inits.to_vec();
            for (&k, parts) in varies.iter().zip(super::reductions::grouped(&block.arguments(), &counts)) {
                arguments[k] = parts;
            }
            arguments
        };
        let before = b.new_block(&types);
        let condition = self.region(before, op.cond(), &arguments(before.block))?;
        let operands = [&[condition[0][0]], before.block.arguments().as_slice()].concat();
        before.insert(before.op(Kind::ScfCondition).operands(&operands).build());
        let after = b.new_block(&types);
        let next = self.region(after, op.body(), &arguments(after.block))?;
        let next: Vec<Parts> = varies.iter().map(|&k| self.fitted(after, &next[k], &types_of(&inits[k]))).collect();
        after.insert(after.op(Kind::ScfYield).operands(&next.concat()).build());
        let regions = [Region::with_block(before.block), Region::with_block(after.block)];
        let new = b.op(Kind::ScfWhile).operands(&state.concat()).results(&types).regions(&regions);
        let z = b.insert(new.build()).results();
        let mut results = inits.to_vec();
        for (&k, parts) in varies.iter().zip(super::reductions::grouped(&z, &counts)) {
            results[k] = parts;
        }
        Ok(results)
    }

    /// Returns values at these types, which may have other static sizes.
    pub(super) fn fitted(&mut self, b: Builder, values: &[Value], types: &[Type]) -> Parts {
        let fit = |(&x, &ty): (&Value, &Type)| {
            if x.ty() == ty {
                return x;
            }
            let sizes = self.sizes.sizes(b, x);
            self.sizes.retyped(b, x, ty, &sizes)
        };
        values.iter().zip(types).map(fit).collect()
    }

    pub(super) fn branch(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let condition = self.one(op.operand(0));
        self.choice(b, op, condition, &mut |import, b| import.arm(b, op, 0), &mut |import, b| import.arm(b, op, 1))
    }

    /// Converts one region of a branch in `b`; returns its results at the types of the results of the op.
    fn arm(&mut self, b: Builder, op: Op, region: usize) -> Result<Parts> {
        let block = op.region(region).first_block().expect("verified: each region has a block");
        let results = self.region(b, block, &[])?;
        let types = op.results().into_iter().map(|z| types::parts(z.ty()).expect("checked: a counterpart exists"));
        let parts: Vec<Parts> = results.iter().zip(types).map(|(parts, types)| self.fitted(b, parts, &types)).collect();
        Ok(parts.concat())
    }

    /// Converts a choice between two computations.
    fn choice(
        &mut self,
        b: Builder,
        op: Op,
        condition: Value,
        yes: &mut dyn FnMut(&mut Import, Builder) -> Result<Parts>,
        no: &mut dyn FnMut(&mut Import, Builder) -> Result<Parts>,
    ) -> Result<Vec<Parts>> {
        let groups = op.results().into_iter().map(|z| types::parts(z.ty()).expect("checked: a counterpart exists"));
        let groups: Vec<Vec<Type>> = groups.collect();
        let mut regions = Vec::new();
        for is_yes in [true, false] {
            let inner = b.new_block(&[]);
            let values = if is_yes { yes(self, inner)? } else { no(self, inner)? };
            inner.insert(inner.op(Kind::ScfYield).operands(&values).build());
            regions.push(Region::with_block(inner.block));
        }
        let new = b.op(Kind::ScfIf).operands(&[condition]).results(&groups.concat()).regions(&regions);
        let counts: Vec<usize> = groups.iter().map(Vec::len).collect();
        Ok(super::reductions::grouped(&b.insert(new.build()).results(), &counts))
    }

    /// Converts a choice among several regions, the last of which is for all other numbers.
    pub(super) fn case(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let number = self.one(op.operand(0));
        self.case_from(b, op, number, 0)
    }

    fn case_from(&mut self, b: Builder, op: Op, number: Value, k: usize) -> Result<Vec<Parts>> {
        let counts: Vec<usize> =
            op.results().into_iter().map(|z| types::parts(z.ty()).map_or(0, |parts| parts.len())).collect();
        if k + 1 == op.num_regions() {
            return self.arm(b, op, k).map(|z| super::reductions::grouped(&z, &counts));
        }
        let here = b.equal(number, Emit(b).integer(number, k as i64));
        self.choice(b, op, here, &mut |import, b| import.arm(b, op, k), &mut |import, b| {
            import.case_from(b, op, number, k + 1).map(|z| z.concat())
        })
    }

    /// Converts a call: in place, or to a call of the converted function if the program has become large.
    pub(super) fn call(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let attribute = if op.kind() == Kind::FuncCall { "callee" } else { "decomposition" };
        let name = op.attribute(attribute).and_then(Attribute::as_symbol).unwrap_or_default();
        let Some((callee, body)) = self.symbols.get(&name).and_then(|f| Some((f, f.body()?))) else {
            return Err(op.not_supported(format!("`@{name}` must have a body; define it in this module")));
        };
        if self.calls.contains(&name) || self.calls.len() >= MAX_CALLS {
            return Err(op.not_supported(format!("`@{name}` must not call itself; use a loop")));
        }
        let operands = self.operands(op);
        let (_, results) = callee.signature();
        let types: Vec<Vec<Type>> = results.iter().map(|&ty| self.parts_of(op, ty)).collect::<Result<_>>()?;
        let results = if self.ops > INLINED_OPS {
            self.called.push(name.clone());
            let callee = b.context().symbol_attr(&name);
            let call = b.op(Kind::FuncCall).operands(&operands.concat()).results(&types.concat());
            let z = b.insert(call.attribute("callee", callee).build()).results();
            super::reductions::grouped(&z, &types.iter().map(Vec::len).collect::<Vec<_>>())
        } else {
            self.calls.push(name);
            let results = self.region(b, body, &operands);
            self.calls.pop();
            results.map_err(|_| {
                error(op.location(), format!("in this call of `@{}`", callee.symbol().unwrap_or_default()))
            })?
        };
        Ok(results.iter().zip(&types).map(|(parts, types)| self.fitted(b, parts, types)).collect())
    }

    pub(super) fn tuple_element(&self, op: Op) -> Parts {
        let elements = op.operand(0).ty().parts();
        let k = op.attribute("index").and_then(Attribute::as_i64).unwrap_or(0).max(0) as usize;
        let counts: Vec<usize> = elements.iter().map(|&ty| types::parts(ty).map_or(0, |parts| parts.len())).collect();
        let parts = super::reductions::grouped(&self.values[&op.operand(0)], &counts);
        parts[k].clone()
    }

    /// Converts communication in a group of one device, which keeps its arrays.
    pub(super) fn collective(&mut self, b: Builder, op: Op, kind: Kind) -> Result<Vec<Parts>> {
        let groups = op.attribute("replica_groups").or(op.attribute("source_target_pairs"));
        let numbers = groups.and_then(types::integers);
        let is_permutation = kind == Kind::StablehloCollectivePermute;
        let alone = match numbers.as_deref() {
            Some([]) => true,
            Some([0]) => !is_permutation,
            Some([0, 0]) => is_permutation,
            _ => false,
        };
        let agree = |(x, z): (&Value, &Value)| types::parts(x.ty()) == types::parts(z.ty());
        if !alone || !op.operands().iter().zip(&op.results()).all(agree) {
            return Err(op.not_supported("communication between devices; a program runs on one device"));
        }
        let operands = self.operands(op);
        if !is_permutation || numbers.is_some_and(|pairs| !pairs.is_empty()) {
            return Ok(operands);
        }
        // An array that no device sends is zero.
        Ok(operands.into_iter().map(|parts| parts.into_iter().map(|x| b.zero_like(x)).collect()).collect())
    }

    /// Converts calls of functions that only annotate values.
    pub(super) fn custom_call(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let name = op.attribute("call_target_name").and_then(Attribute::as_string).unwrap_or_default();
        match name.as_str() {
            "Sharding" | "SPMDFullToShardShape" | "SPMDShardToFullShape" | "annotate_device_placement" => {
                let (operands, results) = (op.operands(), op.results());
                let agree = |(x, z): (&Value, &Value)| types::parts(x.ty()) == types::parts(z.ty());
                if operands.len() < results.len() || !operands.iter().zip(&results).all(agree) {
                    return Err(op.not_supported(format!("a call of `{name}` with results of other types")));
                }
                Ok(self.operands(op)[..results.len()].to_vec())
            }
            "ApproxTopK" => self.approximate_top_k(b, op),
            "shape_assertion" if op.num_operands() > 0 => self.shape_assertion(b, op),
            _ => Err(op.not_supported(format!("a call of `{name}`"))),
        }
    }
}
