//! Transposition of linear loops and branches (`spec/arrays.md` C.5). The transposed loop runs the iterations in
//! reverse order and carries cotangents.

use super::Transposition;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Builder, Op, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};

impl Transposition {
    /// Transposes `t', e[i] = A(rows[i])·(t, r[i], captured)`. The cotangents of captured values are carried.
    pub(super) fn rows(&mut self, b: Builder, op: Op) -> Result<(), Reported> {
        let (arrays, inits) = match op.kind() {
            Kind::ArrayIfold => {
                return Err(op.not_supported(
                    "a loop over an index cannot be transposed; first run `dual-arrays`, which replaces it with a loop \
                     over rows",
                ));
            }
            _ => (op.operand_segment(0), op.operand_segment(1)),
        };
        let body = op.entry();
        let arguments = body.arguments();
        let (rows, carried) = arguments.split_at(arrays.len());
        let captured = self.captured(op);
        let mask = op.results().iter().any(|z| self.masked.contains(z)) || has_choice(op);

        // The reversed arrays that the iterations read: nonlinear ones, then the cotangents of the emitted rows.
        let plain: Vec<usize> = (0..arrays.len()).filter(|&k| !self.linear.contains(&arrays[k])).collect();
        let reached: Vec<usize> =
            (inits.len()..op.num_results()).filter(|&k| self.cotangent.contains_key(&op.result(k))).collect();
        let mut read: Vec<Value> = plain.iter().map(|&k| b.reverse(self.primal(arrays[k]))).collect();
        read.extend(reached.iter().map(|&k| b.reverse(self.cotangent[&op.result(k)])));
        if read.is_empty() {
            let n = arrays[0].ty().shape()[0];
            let extent = if n.is_none() { Some(self.extent(b, arrays[0], 0)?) } else { None };
            read.push(b.iota(n, extent));
        }
        let mut start = Vec::new();
        for (k, init) in inits.iter().enumerate() {
            start.push(match self.cotangent.get(&op.result(k)) {
                Some(&c) => c,
                None => self.zeros_like_init(b, *init)?,
            });
        }
        start.extend(self.totals(b, captured.iter().copied())?);

        let types: Vec<Type> = read.iter().map(|v| v.ty().row()).chain(types_of(&start)).collect();
        let inner = b.new_block(&types);
        let block = inner.block;
        let new = block.arguments();
        let (new_rows, new_carried) = new.split_at(read.len());
        for (k, &p) in plain.iter().enumerate() {
            rows[p].name().into_iter().for_each(|name| new_rows[k].suggest_name(&name));
            self.copies.insert(rows[p], new_rows[k]);
        }
        let emits: Vec<usize> = (0..arrays.len()).filter(|k| !plain.contains(k)).collect();
        self.linear.extend(emits.iter().map(|&k| rows[k]));
        self.linear.extend(carried.iter().copied());
        if mask {
            let end = body.end().operands();
            self.masked.extend(end);
        }
        for (v, c) in captured.iter().zip(&new_carried[inits.len()..]) {
            self.set(*v, *c);
        }
        for v in &arguments {
            self.cotangent.remove(v);
            self.flags.remove(v);
        }
        let mut given: Vec<Option<Value>> = new_carried[..inits.len()].iter().copied().map(Some).collect();
        given.extend(
            (inits.len()..op.num_results())
                .map(|k| reached.iter().position(|&r| r == k).map(|p| new_rows[plain.len() + p])),
        );
        // Copies inside of the loop are not available after it.
        let (around, granted) = (self.copies.clone(), self.granted);
        self.block(inner, body, &given)?;
        self.granted = granted;
        let mut yielded = self.totals(inner, carried.iter().chain(&captured).copied())?;
        let emitted = self.totals(inner, emits.iter().map(|&k| rows[k]))?;
        self.copies = around;
        yielded.extend(&emitted);
        inner.insert(inner.op(Kind::ArrayYield).operands(&yielded).build());
        let mut results = types_of(&start);
        let n = read[0].ty().shape()[0];
        results.extend(emitted.iter().map(|v| v.ty().stacked(&[n])));
        let new = b.op(Kind::ArrayMapAccum).operand_segments(&[&read, &start]).results(&results);
        let results = b.insert(new.region(Region::with_block(block)).build()).results();

        // The accumulators started from the previous cotangents.
        for (v, c) in captured.iter().zip(&results[inits.len()..]) {
            self.set(*v, *c);
        }
        for (init, c) in inits.iter().zip(&results) {
            self.add(b, *init, *c);
        }
        for (&k, c) in emits.iter().zip(&results[start.len()..]) {
            let back = b.reverse(*c);
            let back =
                if back.ty() == arrays[k].ty() { back } else { b.unary(Kind::TensorCast, &[back], arrays[k].ty()) };
            self.add(b, arrays[k], back);
        }
        if mask {
            self.masked.extend(captured.into_iter().chain(inits).chain(arrays));
        }
        Ok(())
    }

    /// Emits a branch on the same condition that adds to the cotangents of the values that its arms use.
    pub(super) fn branch(&mut self, b: Builder, op: Op) -> Result<(), Reported> {
        let captured = self.captured(op);
        let before = self.totals(b, captured.iter().copied())?;
        let given: Vec<Option<Value>> = op.results().iter().map(|z| self.cotangent.get(z).copied()).collect();
        let mut new = b.op(Kind::ScfIf).operands(&[self.primal(op.operand(0))]).results(&types_of(&captured));
        for body in op.blocks() {
            let inner = b.new_block(&[]);
            for (v, c) in captured.iter().zip(&before) {
                self.set(*v, *c);
            }
            for (z, y) in op.results().into_iter().zip(body.end().operands()) {
                self.inherit_mask(z, y);
            }
            let (around, granted) = (self.copies.clone(), self.granted);
            self.block(inner, body, &given)?;
            self.granted = granted;
            let yielded = self.totals(inner, captured.iter().copied())?;
            self.copies = around;
            inner.insert(inner.op(Kind::ScfYield).operands(&yielded).build());
            new = new.region(Region::with_block(inner.block));
        }
        let results = b.insert(new.build()).results();
        for (v, c) in captured.into_iter().zip(results) {
            self.set(v, c);
            self.masked.insert(v);
        }
        Ok(())
    }

    /// Returns the linear values from outside that the regions of `op` use, in order of use.
    fn captured(&self, op: Op) -> Vec<Value> {
        let mut captured = Vec::new();
        for v in op.nested_ops().into_iter().flat_map(Op::operands) {
            if self.linear.contains(&v) && !captured.contains(&v) {
                captured.push(v);
            }
        }
        captured
    }

    /// Returns the zero cotangent of a carried value that is unused after the loop.
    fn zeros_like_init(&mut self, b: Builder, init: Value) -> Result<Value, Reported> {
        if self.linear.contains(&init) {
            return self.zeros(b, init);
        }
        let init = self.primal(init);
        Ok(b.zero_like(init))
    }
}

/// Checks whether a choice inside may make cotangents zero (C.6).
fn has_choice(op: Op) -> bool {
    op.nested_ops().iter().any(|op| matches!(op.kind(), Kind::ArithSelect | Kind::ArrayStack | Kind::ScfIf))
}
