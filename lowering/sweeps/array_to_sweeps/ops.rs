//! Translation of single ops, one case for each op.

use super::arrays::{Arr, Definition, Scope, Val};
use super::fuse::is_elementwise;
use super::{Lower, ResultKind, Size, single_block};
use crate::abi::checks;
use crate::ir::*;
use mlopt_dialects::ops::arith::Constant;
use mlopt_dialects::ops::array::{self, ArrayOp};
use mlopt_dialects::ops::func::Call;
use mlopt_dialects::ops::tensor::InsertSlice;
use std::rc::Rc;

impl Lower<'_> {
    /// Emits one op and records its results.
    pub(super) fn op(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let kind = op.kind();
        self.check_sizes(op)?;
        let idle = !op.results().is_empty() && op.results().into_iter().all(Value::is_unused);
        if idle && kind != Kind::FuncCall && !checks::has_checks(op) {
            return Ok(());
        }
        if let Some(array) = ArrayOp::of(op) {
            return self.array_op(array, scope, b);
        }
        let val = match kind {
            Kind::ScfFor => return self.scf_for(op, scope, b),
            Kind::ScfWhile => return self.scf_while(op, scope, b),
            Kind::ScfIf => return self.scf_if(op, scope, b),
            Kind::FuncCall => return self.call(op, scope, b),
            Kind::TensorInsert => {
                let at = op.operands()[2..].iter().map(|v| scope.get(*v).scalar()).collect();
                self.put(op, at, scope, b)?
            }
            Kind::TensorInsertSlice => {
                let at = self.row_position(op, scope)?;
                self.put(op, at, scope, b)?
            }
            Kind::ArithConstant => self.constant_op(op)?,
            Kind::DualZero | Kind::DualOne => {
                let (number, ty) = (if kind == Kind::DualOne { 1.0 } else { 0.0 }, op.result(0).ty());
                splat(ty, self.constant(Attribute::float(ty.scalar(), number), ty.scalar()))
            }
            // Differentiation has already been done.
            Kind::DualStopGradient => scope.get(op.operand(0)),
            Kind::TensorExtract => self.get(op, scope, b)?,
            Kind::TensorCast => self.cast(op, &scope.get(op.operand(0)).array(), b)?,
            _ if is_elementwise(op) && op.num_results() == 1 && op.num_regions() == 0 => {
                self.elementwise_of(op, scope, b)?
            }
            _ => return Err(no_lowering(op)),
        };
        scope.set(op.result(0), val);
        Ok(())
    }

    /// Emits an op of `array`.
    fn array_op(&mut self, array: ArrayOp, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let op = array.op();
        let operand = |k: usize| scope.get(op.operand(k));
        let val = match array {
            ArrayOp::Build(_) => return self.build(op, scope, b),
            ArrayOp::Ifold(_) => return self.ifold(op, scope, b),
            ArrayOp::Fold(_) | ArrayOp::MapAccum(_) => return self.fold(op, scope, b),
            ArrayOp::Check(_) => {
                self.check(op, scope, b);
                return Ok(());
            }
            ArrayOp::SameSize(same) => {
                let (n, m) = (Size::Value(operand(0).scalar()), Size::Value(operand(1).scalar()));
                if !self.facts.same(n, m) && !self.require_equal(n, m, &same.text(), op) {
                    let ok = b.compare(Compare::Eq, operand(0).scalar(), operand(1).scalar());
                    array::Check::create(b.at(op.location()), ok, &[], "shape-mismatch", &same.text());
                }
                return Ok(());
            }
            // `vmap` expands the maps, and `block` ends at a yield.
            ArrayOp::Vmap(_) | ArrayOp::Yield(_) => return Err(no_lowering(op)),
            ArrayOp::Get(_) => self.get(op, scope, b)?,
            ArrayOp::Length(length) => {
                let size = operand(0).array().sizes[length.axis() as usize];
                Val::Scalar(self.size_value(size))
            }
            ArrayOp::Gather(_) => {
                let a = self.gather(op, scope, b);
                self.fused_or_stored(op, a, b)?
            }
            ArrayOp::Scatter(_) => {
                let a = self.scatter(op, scope);
                if self.fusion.is_accumulated(op) { Val::Array(a) } else { self.kept(&a, b)? }
            }
            ArrayOp::OneHot(_) => {
                let a = self.one_hot(op, scope, b);
                // One comparison instead of a read.
                let cheap = matches!(operand(0), Val::Scalar(_)) || self.fusion.is_accumulated(op);
                if cheap { Val::Array(a) } else { self.fused_or_stored(op, a, b)? }
            }
            ArrayOp::Sum(_) => self.reduction(op, ResultKind::Sum, scope, b)?,
            ArrayOp::Prod(_) => self.reduction(op, ResultKind::Prod, scope, b)?,
            ArrayOp::Max(_) => self.reduction(op, ResultKind::Max, scope, b)?,
            ArrayOp::Min(_) => self.reduction(op, ResultKind::Min, scope, b)?,
            ArrayOp::Argmax(_) => self.search(op, ResultKind::Max, scope, b)?,
            ArrayOp::Argmin(_) => self.search(op, ResultKind::Min, scope, b)?,
            ArrayOp::Replicate(_) => self.replicate(op, scope, b),
            ArrayOp::Transpose(_) => self.transpose(op, scope),
            ArrayOp::Slice(_) => self.slice(op, scope, b),
            ArrayOp::Reverse(_) => self.reverse(op, scope),
            ArrayOp::Iota(_) => self.iota(op, scope, b),
            ArrayOp::Reshape(_) => {
                let sizes = self.sizes_of(&op.result(0).ty().shape(), &op.operands()[1..], op, scope, b);
                self.reshape(op, &operand(0), sizes, b)?
            }
            ArrayOp::Stack(_) => {
                let a = self.stack(op, scope);
                self.fused_or_stored(op, a, b)?
            }
            ArrayOp::Append(_) => {
                let a = self.append(op, scope, b);
                self.fused_or_stored(op, a, b)?
            }
            ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => self.elementwise_of(op, scope, b)?,
        };
        scope.set(op.result(0), val);
        Ok(())
    }

    fn elementwise_of(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<Val> {
        let operands: Vec<Val> = op.operands().into_iter().map(|v| scope.get(v)).collect();
        self.elementwise_op(op, operands, b)
    }

    fn elementwise_op(&mut self, op: Op, operands: Vec<Val>, b: Builder) -> Result<Val> {
        let ty = op.result(0).ty();
        if !ty.is_tensor() {
            let operands: Vec<Value> = operands.iter().map(Val::scalar).collect();
            return Ok(Val::Scalar(self.scalar_op(op, &operands, ty, b)));
        }
        let mut operands = operands;
        if let Some(k) = self.fusion.accumulates(op) {
            let (pending, other) = (operands[k].array(), operands[1 - k].array());
            if let Some(sum) = self.accumulated(op, &pending, &other, b)? {
                return Ok(sum);
            }
            operands[k] = self.kept(&pending, b)?;
        }
        let a = self.elementwise(op, operands);
        self.fused_or_stored(op, a, b)
    }

    fn fused_or_stored(&mut self, op: Op, a: Rc<Arr>, b: Builder) -> Result<Val> {
        if self.fusion.is_fused(op.result(0)) {
            return Ok(Val::Array(a));
        }
        self.kept(&a, b)
    }

    /// Returns `a` as a stored array.
    fn kept(&mut self, a: &Rc<Arr>, b: Builder) -> Result<Val> {
        let value = self.store(a, a.ty, b)?;
        Ok(self.stored(value, Some(a.sizes.clone())))
    }

    fn reduction(&mut self, op: Op, kind: ResultKind, scope: &Rc<Scope>, b: Builder) -> Result<Val> {
        let of = scope.get(op.operand(0)).array();
        let axes = op.attribute("axes").and_then(Attribute::as_i64_array).unwrap_or_else(|| vec![0]);
        let axes: Vec<usize> = axes.into_iter().map(|k| k as usize).collect();
        let sizes = (0..of.sizes.len()).filter(|k| !axes.contains(k)).map(|k| of.sizes[k]).collect();
        let fastmath = op.attribute("fastmath").filter(|a| a.to_string() != "#arith.fastmath<none>");
        self.reduced(op, Arr::shared(sizes, op.result(0).ty(), Definition::Reduce { of, axes, kind, fastmath }), b)
    }

    fn search(&mut self, op: Op, kind: ResultKind, scope: &Rc<Scope>, b: Builder) -> Result<Val> {
        let of = scope.get(op.operand(0)).array();
        let axis = op.attribute("axis").and_then(Attribute::as_i64).unwrap_or(0) as usize;
        let mut sizes = of.sizes.clone();
        sizes.remove(axis);
        self.reduced(op, Arr::shared(sizes, op.result(0).ty(), Definition::Search { of, axis, kind }), b)
    }

    fn reduced(&mut self, op: Op, a: Rc<Arr>, b: Builder) -> Result<Val> {
        if a.ty.is_tensor() { self.fused_or_stored(op, a, b) } else { Ok(Val::Scalar(self.element(&a, &[], b)?)) }
    }

    fn constant_op(&mut self, op: Op) -> Result<Val> {
        let ty = op.result(0).ty();
        let value = op.cast::<Constant>().value();
        if !ty.is_tensor() {
            return Ok(Val::Scalar(self.constant(value, ty)));
        }
        if ty.shape().iter().any(Option::is_none) {
            let text = format!("the type {ty} of this constant must determine its sizes");
            return Err(op.limitation(text).note(op.location(), "run `keep-sizes` before `canonicalize`").emit());
        }
        if !value.is_dense_elements() {
            return Err(op.not_supported("a constant array must be `dense`"));
        }
        if let Some(element) = value.splat_value() {
            return Ok(splat(ty, self.constant(element, ty.scalar())));
        }
        let stored = self.constant(value, ty);
        Ok(self.stored(stored, None))
    }

    /// Returns one op on elements, with operands of the same sizes.
    fn elementwise(&mut self, op: Op, operands: Vec<Val>) -> Rc<Arr> {
        let arrays: Vec<Rc<Arr>> =
            operands.iter().filter_map(|v| if let Val::Array(a) = v { Some(a.clone()) } else { None }).collect();
        let mut sizes = arrays[0].sizes.clone();
        for (axis, size) in sizes.iter_mut().enumerate() {
            // A known size is the preferred loop bound.
            if let Some(n) = arrays.iter().find_map(|a| self.facts.known(a.sizes[axis])) {
                *size = Size::Known(n);
            }
        }
        let operands = operands.into_iter().map(|operand| self.fitted_value(operand, &sizes, op)).collect();
        Arr::shared(sizes, op.result(0).ty(), Definition::Elementwise { op, operands })
    }

    /// Emits `array.check`, unless it is proved. The facts about indices that it states hold from here on.
    fn check(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) {
        let operands: Vec<Value> = op.operands().into_iter().map(|v| scope.get(v).scalar()).collect();
        if !self.holds(operands[0]) {
            b.copy_with(op, &operands);
            self.suppose(operands[0]);
        }
    }

    /// Checks whether a condition certainly holds.
    fn holds(&mut self, condition: Value) -> bool {
        let Some((op, _)) = condition.defining_op() else { return false };
        match op.kind() {
            Kind::ArithConstant => op.attribute("value").and_then(Attribute::as_i64).is_some_and(|v| v != 0),
            Kind::ArithCmpi if op.attribute("predicate").and_then(Attribute::as_i64) == Some(Compare::Eq as i64) => {
                self.facts.same(Size::Value(op.operand(0)), Size::Value(op.operand(1)))
            }
            Kind::ArithAndi => self.holds(op.operand(0)) && self.holds(op.operand(1)),
            _ => is_below(op).is_some_and(|(i, n)| self.facts.in_range(i, Size::Value(n))),
        }
    }

    /// Records that the rest of this block is executed only if `condition` holds.
    fn suppose(&mut self, condition: Value) {
        let Some((op, _)) = condition.defining_op() else { return };
        if op.kind() == Kind::ArithAndi {
            self.suppose(op.operand(0));
            self.suppose(op.operand(1));
        } else if let Some((i, n)) = is_below(op) {
            self.facts.suppose_below(i, Size::Value(n));
        }
    }

    /// Returns the second operand with the element or subarray at leading indices replaced by the first operand.
    /// `plan-memory` does it in place where possible.
    fn put(&mut self, op: Op, at: Vec<Value>, scope: &Rc<Scope>, b: Builder) -> Result<Val> {
        let ty = op.result(0).ty();
        let (value, array) = (scope.get(op.operand(0)), scope.get(op.operand(1)));
        let sizes = array.array().sizes.clone();
        let old = self.exactly(&array, ty, None, b)?;
        let value = self.fitted_value(value, &sizes[at.len()..], op);
        let new = match self.in_range(&sizes, &at, b) {
            None => self.put_at(old, &value, &sizes, &at, b)?,
            // A position outside the array has no meaning; no memory outside the array is written.
            Some(c) => self.branch(c, ty, b, |lower, b| lower.put_at(old, &value, &sizes, &at, b), |_, _| Ok(old))?,
        };
        Ok(self.stored(new, Some(sizes)))
    }

    fn put_at(&mut self, old: Value, value: &Val, sizes: &[Size], at: &[Value], b: Builder) -> Result<Value> {
        let put = |b: Builder, z: Value, element: Value, at: &[Value]| {
            b.value(Kind::SweepPut, &[&[element, z], at].concat(), z.ty(), &[])
        };
        match value {
            Val::Scalar(element) => Ok(put(b, old, *element, at)),
            Val::Array(row) => {
                let nest = self.nest(b, &sizes[at.len()..], &[old], |lower, b, inner, so_far| {
                    let element = lower.element(row, inner, b)?;
                    Ok(vec![(ResultKind::Fold, put(b, so_far[0], element, &[at, inner].concat()), old.ty())])
                })?;
                Ok(nest.result(0))
            }
        }
    }

    /// Returns the leading indices of a `tensor.insert_slice` that replaces the whole subarray at them.
    fn row_position(&mut self, op: Op, scope: &Rc<Scope>) -> Result<Vec<Value>> {
        let (row, array) = (op.operand(0).ty(), scope.get(op.operand(1)).array());
        let leading = array.sizes.len() - row.rank();
        let part = |(numbers, given): (Vec<i64>, Vec<Value>)| {
            let mut given = given.into_iter();
            let size = |n: i64| match n {
                i64::MIN => Size::Value(scope.get(given.next().expect("verified")).scalar()),
                n => Size::Known(n),
            };
            numbers.into_iter().map(size).collect::<Vec<_>>()
        };
        let slice: InsertSlice = op.cast();
        let offsets = part((slice.static_offsets(), slice.offsets()));
        let sizes = part((slice.static_sizes(), slice.sizes()));
        let strides = part((slice.static_strides(), slice.strides()));
        let mut is_row = true;
        for (axis, whole) in array.sizes.iter().enumerate() {
            let size = if axis < leading { Size::Known(1) } else { *whole };
            is_row &= self.facts.same(sizes[axis], size) && self.facts.known(strides[axis]) == Some(1);
            is_row &= axis < leading || self.facts.known(offsets[axis]) == Some(0);
        }
        if !is_row {
            let text = "the slice must have stride 1, size 1 along leading axes, and the full size along the others; \
                        run `bulk-operations` first";
            return Err(op.not_supported(text));
        }
        Ok(offsets[..leading].iter().map(|offset| self.size_value(*offset)).collect())
    }

    /// Emits the callee's body at the call.
    fn call(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<()> {
        let name = op.cast::<Call>().callee().0;
        let callee = self.functions.get(&name).copied().filter(|callee| callee.body().is_some());
        let Some(callee) = callee else {
            return Err(op.not_supported(format!("`@{name}` must have a body; define it in this module")));
        };
        if self.calls.contains(&name) {
            return Err(op.not_supported(format!("`@{name}` must not be recursive; use a loop, such as `scf.while`")));
        }
        let body = single_block(callee)?;
        let inner = Scope::new(None);
        std::iter::zip(body.arguments(), op.operands()).for_each(|(old, new)| inner.set(old, scope.get(new)));
        self.calls.push(name);
        let values = self.block(body, &inner, b)?;
        self.calls.pop();
        std::iter::zip(op.results(), values).for_each(|(old, val)| scope.set(old, val));
        Ok(())
    }
}

fn splat(ty: Type, value: Value) -> Val {
    if !ty.is_tensor() {
        return Val::Scalar(value);
    }
    let sizes = ty.shape().into_iter().map(|d| Size::Known(d.expect("constants have static types") as i64)).collect();
    Val::Array(Arr::shared(sizes, ty, Definition::Splat(value)))
}

/// Returns `i` and `n` of the comparison `0 ≤ i < n` of nonnegative numbers.
fn is_below(op: Op) -> Option<(Value, Value)> {
    let unsigned = op.kind() == Kind::ArithCmpi && op.attribute("predicate")?.as_i64() == Some(Compare::Ult as i64);
    unsigned.then(|| (op.operand(0), op.operand(1)))
}

/// Reports an op that only earlier passes replace.
fn no_lowering(op: Op) -> Reported {
    op.not_supported("`array-to-sweeps` has no loops for this op")
}
