//! Translation of nests, branches and loops. The new ops carry and return only scalars, because arrays stay in their
//! memory.

use super::Plan;
use super::copies::Move;
use super::groups::Home;
use crate::contraction;
use crate::ir::*;
use crate::nests::{self, Fold};
use mlopt_dialects::ops::scf::While;
use mlopt_dialects::sweep::ResultKind;

impl Plan<'_> {
    pub(super) fn nest(&mut self, op: Op, b: Builder) -> Result<()> {
        let old_body = op.entry();
        let is_array = |fold: &Fold| fold.result.ty().is_tensor();
        let (arrays, numbers): (Vec<Fold>, Vec<Fold>) = nests::folds(op).into_iter().partition(is_array);
        let base = self.arena.depth();
        let parallel = self.may_be_parallel(op);
        let mut starts = Vec::new();
        for fold in &arrays {
            starts.extend(self.move_to(fold.init, fold.result, b)?);
        }
        self.copy_together(starts, op, b)?;
        let extents = self.all_scalars(&op.operand_segment(0));
        let inits: Vec<Value> = numbers.iter().map(|fold| self.scalar(fold.init)).collect();
        let block = nests::body(extents.len(), &inits, op.location());
        let arguments = block.arguments();
        let indices = &arguments[..extents.len()];
        let old = nests::indices(op).into_iter().chain(numbers.iter().map(|fold| fold.argument));
        self.scalars.extend(old.zip(block.arguments()));
        let inner = Builder::at_end(block, op.location());
        if parallel {
            self.arena.private();
        }
        self.scratch_of_contraction(op, inner);
        let yields = old_body.end().operands();
        for (r, value) in yields.iter().enumerate().filter(|(_, v)| v.ty().is_tensor()) {
            let group = self.groups.group(*value);
            if self.groups.home(group) == Home::Row(op, r) {
                let row = self.slice_of(op.result(r), b)?.at(inner, indices);
                self.homes.insert(group, (self.groups.shape(*value), row));
                self.create_views(group, inner)?;
            }
        }
        self.open.push(old_body);
        self.ops(old_body, inner)?;
        self.end_of_iteration(op, &arrays, indices, inner)?;
        self.free_dead(old_body, usize::MAX, inner);
        self.open.pop();
        self.arena.cut(base);
        if parallel {
            self.arena.shared(self.threads, op.location());
        }

        let kept: Vec<usize> = (0..op.num_results()).filter(|r| !op.result(*r).ty().is_tensor()).collect();
        let yielded: Vec<Value> = kept.iter().map(|r| self.scalar(yields[*r])).collect();
        inner.make(Kind::SweepYield, &yielded, &[], &[]);
        let old_kinds = nests::kinds(op);
        let kinds: Vec<ResultKind> = kept.iter().map(|r| old_kinds[*r]).collect();
        let new = nests::nest(b, &extents, &inits, &kinds, &types_of(&yielded), block);
        nests::keep(new, op, if self.threads == 0 { &["fastmath", contraction::ATTRIBUTE] } else { &["fastmath"] });
        if parallel {
            new.set_attribute("parallel", self.ctx.unit_attr());
        }
        self.scalars.extend(kept.into_iter().map(|r| op.result(r)).zip(new.results()));
        Ok(())
    }

    /// Allocates memory for intermediate results of the tiles of a contraction, until the nest is complete.
    fn scratch_of_contraction(&mut self, op: Op, b: Builder) {
        let marked = op.attribute(contraction::ATTRIBUTE).is_some();
        // Tiles are for the vectors of one thread; threads that share iterations compute single elements.
        let alone = self.threads == 0;
        let Some(form) = contraction::Contraction::of(op).filter(|_| marked && alone) else { return };
        let element = form.sum.result(0).ty();
        let mut size = self.entry_index(contraction::scratch_elements(&form) as i64);
        // Each chunk of a contraction that several threads share has its own memory.
        let entry = Builder::at_end(self.entry, op.location());
        let bound = |extent: Value| self.entry_bound(extent, op).ok().flatten();
        if let Some(copies) = contraction::copies(&form, entry, bound) {
            size = match known(size).zip(known(copies)) {
                Some((size, copies)) => entry.index(size * copies),
                None => entry.muli(size, copies),
            };
        }
        let memory = self.arena.place(Type::tensor(&[None], element), &[size], None, b.at(op.location()));
        b.make(Kind::SweepScratch, &[memory], &[], &[]);
    }

    /// Emits the stores at the end of an iteration: first of the elements and rows of maps, then of the next values of
    /// carried arrays, as if these were stored simultaneously.
    fn end_of_iteration(&mut self, op: Op, arrays: &[Fold], indices: &[Value], b: Builder) -> Result<()> {
        let (yields, kinds) = (op.entry().end().operands(), nests::kinds(op));
        for r in (0..op.num_results()).filter(|r| kinds[*r] == ResultKind::Map) {
            let (value, home) = (yields[r], self.slice_of(op.result(r), b)?);
            if !value.ty().is_tensor() {
                home.store(b, self.scalar(value), indices);
            } else if self.groups.home(self.groups.group(value)) != Home::Row(op, r) {
                let from = self.slice_of(value, b)?;
                self.copy(value, &from, &home.at(b, indices), b)?;
            }
        }
        let mut moves = Vec::new();
        for fold in arrays {
            moves.extend(self.move_to(fold.next, fold.argument, b)?);
        }
        self.copy_together(moves, op, b)
    }

    pub(super) fn branch(&mut self, op: Op, b: Builder) -> Result<()> {
        let results = scalars(op.results());
        let mut new = b.op(Kind::ScfIf).operands(&[self.scalar(op.operand(0))]).results(&types_of(&results));
        for region in op.regions() {
            // A branch without results may have only one side.
            let Some(old) = region.first_block() else {
                new = new.region(Region::new());
                continue;
            };
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, op.location());
            let yielded = self.region(op, old, &old.end().operands(), &op.results(), inner)?;
            inner.make(Kind::ScfYield, &yielded, &[], &[]);
            new = new.region(Region::with_block(block));
        }
        let new = b.insert(new.build());
        self.scalars.extend(results.into_iter().zip(new.results()));
        Ok(())
    }

    /// Lowers `scf.while`. The arrays that it carries are in the memory of the arguments of its two regions.
    pub(super) fn while_loop(&mut self, op: Op, b: Builder) -> Result<()> {
        let [before, after] = [0, 1].map(|r| block_in(op, r));
        let base = self.arena.depth();
        let starts = self.moves(&op.operands(), &before.arguments(), b)?;
        self.copy_together(starts, op, b)?;
        let mut blocks = Vec::new();
        for (old, targets) in [(before, after.arguments()), (after, before.arguments())] {
            let arguments = scalars(old.arguments());
            let block = block_of(types_of(&arguments), op.location());
            self.scalars.extend(arguments.into_iter().zip(block.arguments()));
            let inner = Builder::at_end(block, op.location());
            let end = old.end();
            let handed = &end.operands()[end.num_operands() - targets.len()..];
            let mut yielded = self.region(op, old, handed, &targets, inner)?;
            if end.kind() == Kind::ScfCondition {
                yielded.insert(0, self.scalar(end.operand(0)));
            }
            inner.make(OpName::of(end), &yielded, &[], &[]);
            blocks.push(block);
        }
        self.arena.cut(base);
        let inits = self.all_scalars(&scalars(op.operands()));
        let results = scalars(op.results());
        let new = While::create(b, &inits, &types_of(&results), blocks[0], blocks[1]);
        self.scalars.extend(results.into_iter().zip(new.results()));
        Ok(())
    }

    /// Emits a region of `op` that passes on `values`. The arrays among them are copied to the memory of `targets`,
    /// unless they are in it; the new scalars are returned.
    fn region(&mut self, op: Op, old: Block, values: &[Value], targets: &[Value], b: Builder) -> Result<Vec<Value>> {
        let base = self.arena.depth();
        self.open.push(old);
        self.ops(old, b)?;
        let moves = self.moves(values, targets, b)?;
        self.copy_together(moves, op, b)?;
        self.free_dead(old, usize::MAX, b);
        self.open.pop();
        self.arena.cut(base);
        Ok(self.all_scalars(&scalars(values.to_vec())))
    }

    fn moves(&mut self, values: &[Value], targets: &[Value], b: Builder) -> Result<Vec<Move>> {
        let mut moves = Vec::new();
        for (value, target) in values.iter().zip(targets).filter(|(v, _)| v.ty().is_tensor()) {
            moves.extend(self.move_to(*value, *target, b)?);
        }
        Ok(moves)
    }
}

/// Returns the values that are not arrays.
fn scalars(mut values: Vec<Value>) -> Vec<Value> {
    values.retain(|v| !v.ty().is_tensor());
    values
}
