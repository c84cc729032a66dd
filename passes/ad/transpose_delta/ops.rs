//! The transpose of each op of a linear map. If the op is `z = A·x`, its transpose is `x_ct += Aᵀ·z_ct`
//! (`spec/arrays.md` C.4).

use super::Transposition;
use crate::analysis::edit;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Block, Builder, Op, Region, Value, types_of};
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::tensor::InsertSlice;
use mlopt_dialects::ops::{CmpFPredicate, HasKind, Kind, ToAttribute};
use std::collections::HashSet;

/// Returns the leading indices at which an op overwrites an element or a row; `None` if it overwrites another part.
fn position(b: Builder, op: Op) -> Option<Vec<Value>> {
    if op.kind() == Kind::TensorInsert {
        return Some(op.operands()[2..].to_vec());
    }
    let (slice, shape): (InsertSlice, _) = (op.cast(), op.operand(1).ty().shape());
    let leading = shape.len() - op.operand(0).ty().rank();
    let (sizes, offsets) = (slice.static_sizes(), slice.static_offsets());
    let is_whole =
        |axis: usize| offsets[axis] == 0 && shape[axis].map_or(sizes[axis] == i64::MIN, |n| sizes[axis] == n as i64);
    let is_row = sizes[..leading].iter().all(|n| *n == 1) && (leading..shape.len()).all(is_whole);
    let mut given = slice.offsets().into_iter();
    let offset = |n: &i64| if *n == i64::MIN { given.next() } else { Some(b.index(*n)) };
    let offsets: Option<Vec<Value>> = offsets[..leading].iter().map(offset).collect();
    offsets.filter(|_| is_row && slice.static_strides().iter().all(|n| *n == 1))
}

impl Transposition {
    pub(super) fn op(&mut self, b: Builder, op: Op) -> Result<(), Reported> {
        self.granted = self.flags_of(op);
        if matches!(op.kind(), Kind::ArrayMapAccum | Kind::ArrayFold | Kind::ArrayIfold) {
            return self.rows(b, op);
        }
        if op.kind() == Kind::ScfIf {
            return self.branch(b, op);
        }
        if op.kind() == Kind::DualTranspose {
            return self.twice(b, op);
        }
        let z = op.result(0);
        let c = self.cotangent[&z];
        for x in op.operands() {
            self.inherit_mask(z, x);
        }
        if let Some(array) = ArrayOp::of(op) {
            return self.array_op(b, array, c);
        }
        let x = op.operand(0);
        match op.kind() {
            // z = x + y.   x̄ += z̄, ȳ += z̄.
            Kind::ArithAddf => op.operands().into_iter().for_each(|x| self.add(b, x, c)),
            // z = x − y.   x̄ += z̄, ȳ −= z̄.
            Kind::ArithSubf => {
                self.add(b, x, c);
                if self.linear.contains(&op.operand(1)) {
                    self.add(b, op.operand(1), b.elementwise(op, Kind::ArithNegf, &[c]));
                }
            }
            Kind::ArithNegf => self.add(b, x, b.elementwise(op, Kind::ArithNegf, &[c])),
            // z = w·x.   x̄ += w·z̄.
            Kind::ArithMulf => {
                let k = usize::from(!self.linear.contains(&x));
                let (x, w) = (op.operand(k), self.primal(op.operand(1 - k)));
                let product = b.elementwise(op, Kind::ArithMulf, &[w, c]);
                let tame = self.masked.contains(&z) && self.is_tame(w);
                let product = if tame { product } else { self.absorbed(b, z, c, product) };
                self.add(b, x, product);
            }
            // z = x / w.   x̄ += z̄ / w.
            Kind::ArithDivf => {
                let w = self.primal(op.operand(1));
                let quotient = b.elementwise(op, Kind::ArithDivf, &[c, w]);
                let quotient = self.absorbed(b, z, c, quotient);
                self.add(b, x, quotient);
            }
            // z = m ? x : y.   x̄ += m ? z̄ : 0, ȳ += m ? 0 : z̄.
            Kind::ArithSelect => {
                let (mask, zero) = (self.primal(x), b.zero_like(c));
                for (k, arms) in [(1, [c, zero]), (2, [zero, c])] {
                    if self.linear.contains(&op.operand(k)) {
                        self.add(b, op.operand(k), b.select(mask, arms[0], arms[1]));
                    }
                    self.masked.insert(op.operand(k));
                }
            }
            Kind::ArithExtf | Kind::ArithTruncf => {
                let back = if op.kind() == Kind::ArithExtf { Kind::ArithTruncf } else { Kind::ArithExtf };
                self.add(b, x, b.unary(back, &[c], x.ty()));
            }
            Kind::TensorCast => self.add(b, x, b.unary(Kind::TensorCast, &[c], x.ty())),
            // z = y, z[i] = x.   x̄ += z̄[i], ȳ += z̄ with zero at i.
            Kind::TensorInsert | Kind::TensorInsertSlice => {
                let y = op.operand(1);
                let position = position(b, op).ok_or_else(|| not_linear(op))?;
                let position: Vec<Value> = position.into_iter().map(|i| self.primal(i)).collect();
                let part = b.get(c, &position);
                if self.linear.contains(&y) {
                    let sizes = part.ty().shape().into_iter().enumerate().filter(|(_, n)| n.is_none());
                    let extents: Vec<Value> = sizes.map(|(axis, _)| b.length(part, axis)).collect();
                    self.add(b, y, b.insert_row(b.zero_like(part), c, &position, &extents));
                }
                self.add(b, x, part);
            }
            _ => return Err(not_linear(op)),
        }
        Ok(())
    }

    /// As [`Self::op`], of an op of `array` with the cotangent `c`.
    fn array_op(&mut self, b: Builder, array: ArrayOp, c: Value) -> Result<(), Reported> {
        let op = array.op();
        let (x, z) = (op.operand(0), op.result(0));
        match array {
            // z = x[i].   x̄[i] += z̄, in place.
            ArrayOp::Get(_) => {
                let indices: Vec<Value> = op.operands()[1..].iter().map(|i| self.primal(*i)).collect();
                let so_far = self.total(b, x)?;
                let total = b.scatter(c, so_far, 0, |_, _| indices);
                self.join_flags(x);
                self.set(x, total);
            }
            // z[i] = x[e(i)].   x̄[e(i)] += z̄[i].
            ArrayOp::Gather(_) => {
                let so_far = self.total(b, x)?;
                let region = Region::with_block(self.copied_body(b, op));
                let scatter = b.op(Kind::ArrayScatter).operands(&[c, so_far]).results(&[so_far.ty()]).region(region);
                let total = b.insert(scatter.build()).result(0);
                self.join_flags(x);
                self.set(x, total);
            }
            // z = y, z[e(i)] += x[i].   ȳ += z̄, x̄[i] += z̄[e(i)].
            ArrayOp::Scatter(_) => {
                self.add(b, op.operand(1), c);
                if self.linear.contains(&x) {
                    let part = self.gathered(b, op, c)?;
                    self.add(b, x, part);
                }
            }
            ArrayOp::OneHot(_) => {
                let indices: Vec<Value> = op.operand_segment(1).iter().map(|i| self.primal(*i)).collect();
                self.add(b, x, b.get(c, &indices));
            }
            // z = Σ_r x[r].   x̄[r] += z̄ for every r.
            ArrayOp::Sum(_) => {
                let spread = self.spread(b, op, c)?;
                self.add(b, x, spread);
            }
            // Without copies there is no cotangent, and nothing to multiply it by (C.6).
            ArrayOp::Replicate(_) => {
                if z.ty().shape()[0] != Some(0) {
                    let flags = (!self.granted.is_empty()).then(|| self.granted.to_attribute(b.context()));
                    self.add(b, x, b.reduce(Kind::ArraySum, c, &[0], flags));
                }
            }
            ArrayOp::Transpose(transpose) => {
                let p = transpose.permutation();
                let mut inverse = vec![0; p.len()];
                p.iter().enumerate().for_each(|(j, &axis)| inverse[axis as usize] = j);
                self.add(b, x, b.transpose(c, &inverse));
            }
            ArrayOp::Reshape(_) => {
                let extents = self.extents(b, x)?;
                self.add(b, x, b.reshape(c, &x.ty().shape(), &extents));
            }
            // A literal may represent a choice (C.6).
            ArrayOp::Stack(_) => {
                for (k, x) in op.operands().into_iter().enumerate() {
                    if self.linear.contains(&x) {
                        self.add(b, x, b.get(c, &[b.index(k as i64)]));
                        self.masked.insert(x);
                    }
                }
            }
            ArrayOp::Append(_) => {
                let y = op.operand(1);
                let m = self.extent(b, x, 0)?;
                for (part, start) in [(x, b.index(0)), (y, m)] {
                    if self.linear.contains(&part) {
                        let size = part.ty().shape()[0];
                        let extent = if size.is_none() { Some(self.extent(b, part, 0)?) } else { None };
                        self.add(b, part, b.slice(c, start, size, extent));
                    }
                }
            }
            ArrayOp::Slice(_) => {
                let (so_far, start) = (self.total(b, x)?, self.primal(op.operand(1)));
                let total = b.scatter(c, so_far, 1, |b, i| vec![b.unary(Kind::ArithAddi, &[start, i[0]], start.ty())]);
                self.join_flags(x);
                self.set(x, total);
            }
            ArrayOp::Reverse(_) => {
                let back = b.reverse(c);
                self.add(b, x, back);
            }
            // `rows` transposes these loops.
            ArrayOp::Ifold(_) | ArrayOp::Fold(_) | ArrayOp::MapAccum(_) => return Err(not_linear(op)),
            // The linear map has reads and loops in place of builds and maps.
            ArrayOp::Build(_) | ArrayOp::Vmap(_) | ArrayOp::Yield(_) => return Err(not_linear(op)),
            ArrayOp::Prod(_) | ArrayOp::Max(_) | ArrayOp::Min(_) => return Err(not_linear(op)),
            ArrayOp::Argmax(_) | ArrayOp::Argmin(_) | ArrayOp::Length(_) | ArrayOp::Iota(_) => {
                return Err(not_linear(op));
            }
            ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) | ArrayOp::Check(_) | ArrayOp::SameSize(_) => {
                return Err(not_linear(op));
            }
        }
        Ok(())
    }

    /// Checks whether `factor` is finite for finite inputs: it is computed from them without a division, a logarithm or
    /// another function that has poles, without an exponential, and without products of several of them. Zero times
    /// such a factor is zero without a guard.
    fn is_tame(&mut self, factor: Value) -> bool {
        self.degree(factor).is_some()
    }

    /// Returns the maximum number of inputs of which `factor` is a product: 0 if it is bounded, 1 if it is of the order
    /// of an input; `None` if it may be infinite. A sum of products of two, as in a matrix product, counts as 1
    /// (decision 015).
    fn degree(&mut self, factor: Value) -> Option<u32> {
        if let Some(&known) = self.degrees.get(&factor) {
            return known;
        }
        let degree = self.product_of(factor).filter(|&degree| degree <= 1);
        self.degrees.insert(factor, degree);
        degree
    }

    /// As `degree`, without a limit.
    fn product_of(&mut self, factor: Value) -> Option<u32> {
        use Kind::*;
        if !factor.ty().is_differentiable() {
            return Some(0);
        }
        let Some((op, _)) = factor.defining_op() else {
            // A carried value may grow; an argument of a function is an input.
            let (block, _) = factor.block_argument().expect("a value has an origin");
            return block.parent_op().filter(|op| op.kind() == FuncFunc).map(|_| 1);
        };
        match op.kind() {
            ArithConstant => edit::numbers(factor)?.into_iter().all(f64::is_finite).then_some(0),
            DualZero | DualOne | ArithSitofp => Some(0),
            MathSin | MathCos | MathTanh | MathAtan => self.degree(op.operand(0)).map(|_| 0),
            ArithMulf => Some(self.degree(op.operand(0))? + self.degree(op.operand(1))?),
            ArraySum => self.terms(op.operand(0)).map(|degree| degree.min(1)),
            ArrayBuild => self.greatest(op.body().and_then(Block::terminator)?.operands()),
            ArithAddf | ArithSubf | ArithNegf | ArithMaximumf | ArithMinimumf | ArithMaxnumf | ArithMinnumf
            | ArithSelect | ArithExtf | MathAbsf | ArrayGet | ArrayGather | ArrayScatter | ArrayOneHot
            | ArrayReplicate | ArrayTranspose | ArrayReshape | ArrayStack | ArrayAppend | ArraySlice | ArrayReverse
            | DualStopGradient | TensorCast => self.greatest(op.operands()),
            _ => None,
        }
    }

    fn greatest(&mut self, values: Vec<Value>) -> Option<u32> {
        values.into_iter().try_fold(0, |most, v| Some(most.max(self.degree(v)?)))
    }

    /// Applies [`Self::product_of`] to the terms of a sum.
    fn terms(&mut self, x: Value) -> Option<u32> {
        match x.defining_op() {
            Some((op, r)) if op.kind() == Kind::ArrayBuild => {
                self.product_of(op.body().and_then(Block::terminator)?.operand(r))
            }
            _ => self.product_of(x),
        }
    }

    /// Emits the code of the map itself, the transpose of a transposed map.
    fn twice(&mut self, b: Builder, op: Op) -> Result<(), Reported> {
        let body = super::map_of(op)?.body();
        let masked = op.results().iter().any(|z| self.masked.contains(z));
        let mut along: HashSet<Value> = body.arguments().into_iter().collect();
        for (argument, z) in body.arguments().into_iter().zip(op.results()) {
            let c = self.total(b, z)?;
            self.copies.insert(argument, c);
        }
        let (ops, end) = body.split_end();
        for inner in ops {
            let b = b.at(inner.location());
            self.copy(b, inner);
            let Some(c) = inner.operands().into_iter().find(|x| along.contains(x)) else { continue };
            along.extend(inner.results());
            if masked && matches!(inner.kind(), Kind::ArithMulf | Kind::ArithDivf) {
                let product = absorbed(b, self.primal(c), self.primal(inner.result(0)));
                self.copies.insert(inner.result(0), product);
            }
        }
        for (x, part) in op.operands()[1..].iter().zip(end.operands()) {
            let part = self.primal(part);
            self.add(b, *x, part);
        }
        Ok(())
    }

    /// Returns `product`, but zero where the cotangent of `z` is zero, if a choice may have made it zero: the factor
    /// may be infinite.
    fn absorbed(&self, b: Builder, z: Value, cotangent: Value, product: Value) -> Value {
        if self.masked.contains(&z) { absorbed(b, cotangent, product) } else { product }
    }

    /// Copies the body of an op that maps indices to a position.
    fn copied_body(&mut self, b: Builder, op: Op) -> Block {
        let body = op.entry();
        let inner = b.new_block(&types_of(&body.arguments()));
        self.copies.extend(body.arguments().into_iter().zip(inner.block.arguments()));
        for op in body.ops() {
            self.copy(inner.at(op.location()), op);
        }
        inner.block
    }

    /// Gathers z̄[e(i)] for every index of the scattered axes of x.
    fn gathered(&mut self, b: Builder, scatter: Op, c: Value) -> Result<Value, Reported> {
        let (x, body) = (scatter.operand(0), scatter.entry());
        let rank = body.num_arguments();
        if rank == 0 {
            let (ops, end) = body.split_end();
            ops.into_iter().for_each(|op| self.copy(b, op));
            let position: Vec<Value> = end.operands().into_iter().map(|v| self.primal(v)).collect();
            return Ok(b.get(c, &position));
        }
        let mut operands = vec![c];
        for axis in (0..rank).filter(|&axis| x.ty().shape()[axis].is_none()) {
            operands.push(self.extent(b, x, axis)?);
        }
        let region = Region::with_block(self.copied_body(b, scatter));
        Ok(b.insert(b.op(Kind::ArrayGather).operands(&operands).results(&[x.ty()]).region(region).build()).result(0))
    }

    /// Replicates `c` along the axes that `sum` has reduced.
    fn spread(&mut self, b: Builder, sum: Op, c: Value) -> Result<Value, Reported> {
        let x = sum.operand(0);
        let axes = sum.attribute("axes").and_then(|a| a.as_i64_array()).unwrap_or(vec![0]);
        let axes: Vec<usize> = axes.into_iter().map(|a| a as usize).collect();
        let mut spread = c;
        for &axis in axes.iter().rev() {
            let n = x.ty().shape()[axis];
            let extent = if n.is_none() { self.extent(b, x, axis)? } else { spread };
            spread = b.replicate(spread, n, extent);
        }
        let rest = (0..x.ty().rank()).filter(|a| !axes.contains(a));
        let order: Vec<usize> = axes.iter().copied().chain(rest).collect();
        if order.is_sorted() {
            return Ok(spread);
        }
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &axis)| place[axis] = at);
        Ok(b.transpose(spread, &place))
    }
}

/// Reports an op that differentiation does not put into a linear map.
fn not_linear(op: Op) -> Reported {
    op.error("internal error: transpose-delta expected an op that is linear in the tangents, found this one").emit()
}

/// Returns `product`, but zero where `cotangent` is zero.
fn absorbed(b: Builder, cotangent: Value, product: Value) -> Value {
    let zero = b.float_like(cotangent, 0.0);
    let absent = b.compare_floats(CmpFPredicate::Oeq, cotangent, zero);
    b.select(absent, b.zero_like(cotangent), product)
}
