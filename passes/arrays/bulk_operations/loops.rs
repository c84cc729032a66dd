//! Bulk forms of loops and branches in the body of a build. A loop remains a loop, which carries bulk values. A branch
//! whose condition depends on the index becomes a select between the results of both arms.
//!
//! Some ops stay inside a loop over the index instead: a loop whose number of iterations depends on the index, or that
//! must not be executed if the build is empty; a branch whose condition depends on the index, with an arm that may be
//! executed only where it is selected; and every op without a bulk form.

use super::lift::Lifting;
use super::ops::{self, Emit};
use super::ranges::Ranges;
use super::sizes::{self, Size};
use crate::analysis::edit::yielded;
use mlopt_dialects::ir::{Block, Op, Region, Type, Value};
use mlopt_dialects::ops::scf::While;
use mlopt_dialects::ops::{HasKind, Kind};

impl Lifting<'_> {
    /// Emits a loop, a branch, or an unknown op for all values of the index.
    pub fn control(&mut self, op: Op) {
        if self.is_sequential(op) {
            return self.sequential(op);
        }
        match op.kind() {
            Kind::ArrayIfold => self.counted(op, 1),
            Kind::ScfFor => self.counted(op, 3),
            Kind::ArrayFold | Kind::ArrayMapAccum => self.over_rows(op),
            Kind::ScfWhile => self.while_loop(op),
            _ if self.depends(op.operand(0)) => self.choice(op),
            _ => self.branch(op),
        }
    }

    /// Checks whether an op that depends on the index stays in a loop over it.
    pub fn is_sequential(&self, op: Op) -> bool {
        let depends = |operands: &[Value]| operands.iter().any(|v| self.depends(*v));
        let bounds = match op.kind() {
            _ if op.kind().dialect() == "array" && op.kind() != Kind::ArrayIfold => return false,
            Kind::ArrayIfold => op.operands()[..1].to_vec(),
            Kind::ScfFor => op.operands()[..3].to_vec(),
            Kind::ScfWhile => ops::ends(op)[0].operands()[..1].to_vec(),
            Kind::ScfIf => {
                return self.depends(op.operand(0)) && !op.nested_ops().into_iter().all(ops::is_total);
            }
            _ => return !ops::is_elementwise(op),
        };
        self.is_fixed(op) || depends(&bounds)
    }

    fn lifted(&self, values: &[Value]) -> Vec<bool> {
        values.iter().map(|v| self.depends(*v)).collect()
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|v| if self.depends(*v) { self.bulk_type(v.ty()) } else { v.ty() }).collect()
    }

    /// Returns the new values of `values`, bulk values where `lifted`.
    pub fn all(&mut self, values: &[Value], lifted: &[bool]) -> Vec<Value> {
        values.iter().zip(lifted).map(|(&v, &lifted)| self.either(v, lifted)).collect()
    }

    /// Emits a loop op with these parts, whose results replace those of `op`.
    fn finish(&mut self, op: Op, operands: &[&[Value]], types: &[Type], regions: &[Region]) -> Vec<Value> {
        let b = self.b();
        let made = b.op(op.name()).results(types).operands(&operands.concat()).regions(regions);
        // The attributes contain the sizes of operand groups, which do not change.
        let results = b.insert(made.attributes(op.attributes()).build()).results();
        self.set(op, &results);
        results
    }

    /// `array.ifold`, `scf.for`: the first `k` operands are bounds; the first argument of the region is the index.
    fn counted(&mut self, op: Op, k: usize) {
        let results = op.results();
        let lifted = self.lifted(&results);
        let bounds: Vec<Value> = op.operands()[..k].iter().map(|v| self.free(*v)).collect();
        let inits = self.all(&op.operands()[k..], &lifted);
        let types = self.types(&results);
        let body = self.region(op.entry(), true, &lifted);
        self.finish(op, &[&bounds, &inits], &types, &[body]);
    }

    /// `array.fold`, `array.map_accum`: the axis of rows stays outermost.
    fn over_rows(&mut self, op: Op) {
        let (arrays, inits, results) = (op.operand_segment(0), op.operand_segment(1), op.results());
        let lifted = self.lifted(&results);
        let rows: Vec<Value> = arrays
            .iter()
            .map(|&x| {
                if !self.depends(x) {
                    return self.free(x);
                }
                let x = self.bulk(x);
                self.b().swapped(x)
            })
            .collect();
        let carried = self.all(&inits, &lifted);
        let mut types = self.types(&results);
        for k in (inits.len()..results.len()).filter(|k| lifted[*k]) {
            types[k] = self.rows_outside(results[k].ty());
        }
        let body = self.region(op.entry(), true, &lifted);
        let mut values = self.finish(op, &[&rows, &carried], &types, &[body]);
        for k in (inits.len()..results.len()).filter(|k| lifted[*k]) {
            values[k] = self.emitted(values[k], rows[0]);
        }
        self.set(op, &values);
    }

    /// Returns the rows that a loop over the rows of `rows` emitted, grouped by the value of the index.
    fn emitted(&self, emitted: Value, rows: Value) -> Value {
        let (b, shape) = (self.b(), emitted.ty().shape());
        // A loop that emitted nothing does not know the extent of the index.
        let knows = shape[1].is_some() || Ranges::default().is_not_empty(sizes::of(rows, 0));
        if knows {
            return b.swapped(emitted);
        }
        let sizes = (0..shape.len()).filter(|&axis| shape[axis].is_none()).map(|axis| match axis {
            0 => sizes::value(b, sizes::of(rows, 0)),
            1 => sizes::value(b, Size::from(self.extent)),
            _ => b.length(emitted, axis),
        });
        b.swapped(b.reshape(emitted, &shape, &sizes.collect::<Vec<_>>()))
    }

    fn while_loop(&mut self, op: Op) {
        let blocks = op.cast::<While>();
        let (before, after) = (blocks.before(), blocks.after());
        let carried = self.lifted(&before.arguments());
        let results = op.results();
        let passed = self.lifted(&results);
        let inits = self.all(&op.operands(), &carried);
        let types = self.types(&results);
        let condition: Vec<bool> = std::iter::once(false).chain(passed).collect();
        let regions = [self.region(before, true, &condition), self.region(after, true, &carried)];
        self.finish(op, &[&inits], &types, &regions);
    }

    /// Emits a branch on a condition that does not depend on the index.
    fn branch(&mut self, op: Op) {
        let results = op.results();
        let lifted = self.lifted(&results);
        let condition = self.free(op.operand(0));
        let types = self.types(&results);
        let blocks = op.regions().into_iter().map(|r| r.first_block());
        let lift = |block: Option<Block>| block.map_or_else(Region::new, |block| self.region(block, false, &lifted));
        let regions: Vec<Region> = blocks.map(lift).collect();
        self.finish(op, &[&[condition]], &types, &regions);
    }

    /// ⟦if c then a else b⟧ = select ⟦c⟧ ⟦a⟧ ⟦b⟧: both arms are executed.
    fn choice(&mut self, op: Op) {
        let mut arms = Vec::new();
        for block in op.regions().into_iter().filter_map(|r| r.first_block()) {
            self.block(block);
            arms.push(yielded(block));
        }
        let [yes, no] = arms.as_slice() else { return };
        let mut values = Vec::new();
        for (&a, &c) in yes.iter().zip(no) {
            let (a, c) = (self.bulk(a), self.bulk(c));
            let condition = self.condition(op.operand(0), a);
            values.push(self.b().select(condition, a, c));
        }
        self.set(op, &values);
    }
}
