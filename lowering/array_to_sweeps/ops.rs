//! One case for each op of an array program.

use super::arrays::{Arr, How, Scope, Val};
use super::fuse::is_elementwise;
use super::sizes::Size;
use super::{Kind, Lower, single_block};
use crate::ir::*;
use mlopt_dialects::Reported;
use std::rc::Rc;

/// An array with more elements is refused even where it would not be stored: nobody waits for a loop of that length.
const MAX_ELEMENTS: i64 = 1 << 40;

impl Lower<'_> {
    /// Emits one op and records what its results are.
    pub(super) fn op(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<(), Reported> {
        let name = op.name();
        for ty in op.results().into_iter().map(Value::ty).filter(|t| t.is_tensor()) {
            let known = ty.shape().into_iter().flatten().try_fold(1i64, |n, d| n.checked_mul(i64::try_from(d).ok()?));
            if known.is_none_or(|n| n > MAX_ELEMENTS) {
                let text = format!("an array of type {ty} is too large: expected at most {MAX_ELEMENTS} elements");
                return Err(op.error(text).emit());
            }
        }
        if name != "func.call" && !op.results().is_empty() && op.results().into_iter().all(Value::is_unused) {
            return Ok(());
        }
        let one = |val: Val| scope.set(op.result(0), val);
        let ty = || op.result(0).ty();
        match name {
            "arith.constant" => one(self.constant_op(op)?),
            "dual.zero" | "dual.one" => {
                let number = if name == "dual.one" { 1.0 } else { 0.0 };
                let value = self.constant(Attribute::float(ty().scalar(), number), ty().scalar());
                one(splat(ty(), value));
            }
            "array.build" => self.build(op, scope, b)?,
            "array.ifold" => self.ifold(op, scope, b)?,
            "scf.for" => self.scf_for(op, scope, b)?,
            "scf.if" => self.scf_if(op, scope, b)?,
            "func.call" => self.call(op, scope, b)?,
            "array.get" | "tensor.extract" => one(self.get(op, scope, b)?),
            "array.length" => {
                let axis = op.attribute("axis").and_then(Attribute::as_i64).unwrap_or(0) as usize;
                let size = scope.get(op.operand(0)).array().sizes[axis];
                one(Val::Scalar(self.size_value(size)));
            }
            "array.sum" => {
                let x = scope.get(op.operand(0)).array();
                let a = Rc::new(Arr { sizes: x.sizes[1..].to_vec(), ty: ty(), how: How::Sum(x) });
                let sum = if ty().is_tensor() {
                    self.fused_or_stored(op.result(0), a, b)?
                } else {
                    Val::Scalar(self.element(&a, &[], b)?)
                };
                one(sum);
            }
            "array.replicate" => {
                let x = scope.get(op.operand(0));
                let n = match op.operands().get(1) {
                    Some(n) => self.extent(scope.get(*n).scalar(), op, b),
                    None => Size::Known(ty().shape()[0].expect("verified: static without `n`") as i64),
                };
                let (sizes, how) = match &x {
                    Val::Scalar(v) => (vec![n], How::Splat(*v)),
                    Val::Array(x) => ([&[n], x.sizes.as_slice()].concat(), How::Replicate(x.clone())),
                };
                one(Val::Array(Rc::new(Arr { sizes, ty: ty(), how })));
            }
            "array.transpose" => {
                let x = scope.get(op.operand(0)).array();
                let p = op.attribute("permutation").and_then(Attribute::as_i64_array).expect("verified");
                let p: Vec<usize> = p.into_iter().map(|j| j as usize).collect();
                let sizes = p.iter().map(|j| x.sizes[*j]).collect();
                one(Val::Array(Rc::new(Arr { sizes, ty: ty(), how: How::Transpose(x, p) })));
            }
            "tensor.cast" => {
                let x = scope.get(op.operand(0)).array();
                let sizes = self.sizes_as(&x.sizes, ty(), op)?;
                one(Val::Array(Rc::new(Arr { sizes, ty: ty(), how: How::Get { of: x, leading: vec![], when: None } })));
            }
            _ if is_elementwise(op) && op.num_results() == 1 && op.num_regions() == 0 => {
                let operands: Vec<Val> = op.operands().into_iter().map(|v| scope.get(v)).collect();
                if ty().is_tensor() {
                    let a = self.elementwise(op, operands);
                    one(self.fused_or_stored(op.result(0), a, b)?);
                } else {
                    let operands: Vec<Value> = operands.iter().map(Val::scalar).collect();
                    one(Val::Scalar(self.scalar_op(op, &operands, ty(), b)));
                }
            }
            _ => return Err(op.not_supported("it has no lowering from arrays to loops")),
        }
        Ok(())
    }

    fn fused_or_stored(&mut self, old: Value, a: Rc<Arr>, b: Builder) -> Result<Val, Reported> {
        if self.fusion.is_fused(old) {
            return Ok(Val::Array(a));
        }
        let value = self.store(&a, b)?;
        Ok(self.stored(value, Some(a.sizes.clone())))
    }

    fn constant_op(&mut self, op: Op) -> Result<Val, Reported> {
        let ty = op.result(0).ty();
        let value = op.attribute("value").expect("verified");
        if !ty.is_tensor() {
            return Ok(Val::Scalar(self.constant(value, ty)));
        }
        if !value.is_dense_elements() {
            return Err(op.not_supported("a constant array that is not `dense`"));
        }
        if let Some(element) = splat_value(value) {
            return Ok(splat(ty, self.constant(element, ty.scalar())));
        }
        let stored = self.constant(value, ty);
        Ok(self.stored(stored, None))
    }

    /// A size out of an `index`: a negative one counts as zero.
    fn size_from(&mut self, n: Value, b: Builder) -> Size {
        if let Some(k) = self.facts.constant(n) {
            return Size::Known(k.max(0));
        }
        if self.facts.at_least_zero(n) {
            return Size::Value(n);
        }
        let zero = self.index(0);
        let clamped = b.same("arith.maxsi", &[n, zero]);
        self.facts.is_chosen_size(clamped);
        Size::Value(clamped)
    }

    /// The extent of an array that `op` makes: a size, and not an absurd one.
    fn extent(&mut self, n: Value, op: Op, b: Builder) -> Size {
        let size = self.size_from(n, b);
        if let Size::Value(v) = size
            && self.facts.is_new(v)
        {
            let at = Builder::at_end(self.entry, op.location());
            if let Some(v) = self.lift(v, at) {
                let most = self.index(MAX_ELEMENTS);
                let fits = at.compare(Compare::Sle, v, most);
                let text = format!("an extent of '{}' is too large ({})", op.name(), place(op.location()));
                at.make("sweep.require", &[fits], &[], &[("message", self.ctx.string_attr(&text))]);
            }
        }
        size
    }

    /// `sizes` where `ty` says `?`, else what `ty` says; that both agree is required of the caller.
    fn sizes_as(&mut self, sizes: &[Size], ty: Type, op: Op) -> Result<Vec<Size>, Reported> {
        let mut out = Vec::new();
        for (size, dim) in sizes.iter().zip(ty.shape()) {
            let Some(n) = dim else {
                out.push(*size);
                continue;
            };
            let known = Size::Known(n as i64);
            if !self.facts.same(*size, known) && !self.require_same(*size, known, op) {
                return Err(op.not_supported("a size that depends on the iteration"));
            }
            out.push(known);
        }
        Ok(out)
    }

    /// Requires of the caller that two sizes are equal. `false` when they are not known at the function's entry.
    fn require_same(&mut self, a: Size, b: Size, op: Op) -> bool {
        let at = Builder::at_end(self.entry, op.location());
        let (a, b) = (self.size_value(a), self.size_value(b));
        let (Some(a), Some(b)) = (self.lift(a, at), self.lift(b, at)) else { return false };
        let same = at.compare(Compare::Eq, a, b);
        let message = format!("operands of '{}' have different sizes ({})", op.name(), place(op.location()));
        at.make("sweep.require", &[same], &[], &[("message", self.ctx.string_attr(&message))]);
        self.facts.unify(Size::Value(a), Size::Value(b));
        true
    }

    /// One op on elements. Operands whose sizes cannot be proved or required equal are padded with zeros: MLIR gives
    /// such a program no meaning, and we give it no access outside its arrays.
    fn elementwise(&mut self, op: Op, mut operands: Vec<Val>) -> Rc<Arr> {
        let arrays: Vec<Rc<Arr>> = operands
            .iter()
            .filter_map(|v| match v {
                Val::Array(a) => Some(a.clone()),
                Val::Scalar(_) => None,
            })
            .collect();
        let mut sizes = arrays[0].sizes.clone();
        for (axis, size) in sizes.iter_mut().enumerate() {
            // A known size is the better one to loop over.
            if let Some(n) = arrays.iter().find_map(|a| self.facts.known(a.sizes[axis])) {
                *size = Size::Known(n);
            }
        }
        for operand in &mut operands {
            if let Val::Array(a) = operand {
                *operand = Val::Array(self.fitted(a, &sizes, op));
            }
        }
        Rc::new(Arr { sizes, ty: op.result(0).ty(), how: How::Elementwise { op, operands } })
    }

    /// `a`, made sure to have these sizes.
    fn fitted(&mut self, a: &Rc<Arr>, sizes: &[Size], op: Op) -> Rc<Arr> {
        let mut equal = true;
        for (want, have) in sizes.iter().zip(&a.sizes) {
            equal &= self.facts.same(*want, *have) || self.require_same(*want, *have, op);
        }
        if equal {
            return a.clone();
        }
        Rc::new(Arr { sizes: sizes.to_vec(), ty: a.ty, how: How::Padded(a.clone()) })
    }

    fn get(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<Val, Reported> {
        let x = scope.get(op.operand(0)).array();
        let indices: Vec<Value> = op.operands()[1..].iter().map(|v| scope.get(*v).scalar()).collect();
        let ty = op.result(0).ty();
        if !ty.is_tensor() {
            return Ok(Val::Scalar(self.checked(&x, &indices, b)?));
        }
        let when = self.in_range(&x.sizes, &indices, b);
        // The body of a fused build is emitted here and once, not for each element of its row.
        if let How::Build { op: build, scope: outer, result } = &x.how
            && when.is_none()
        {
            let (leading, trailing) =
                indices.split_at(build.body().expect("verified").num_arguments().min(indices.len()));
            if leading.len() == build.body().expect("verified").num_arguments() {
                let row = self.run_body(*build, outer, leading, b)?.swap_remove(*result).array();
                let sizes = row.sizes[trailing.len()..].to_vec();
                return Ok(Val::Array(Rc::new(Arr {
                    sizes,
                    ty,
                    how: How::Get { of: row, leading: trailing.to_vec(), when },
                })));
            }
        }
        let sizes = x.sizes[indices.len()..].to_vec();
        Ok(Val::Array(Rc::new(Arr { sizes, ty, how: How::Get { of: x, leading: indices, when } })))
    }

    fn build(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<(), Reported> {
        let body = op.body().expect("verified");
        let k = body.num_arguments();
        let mut given = op.operands().into_iter();
        let mut extents = Vec::new();
        for dim in &op.result(0).ty().shape()[..k] {
            extents.push(match dim {
                Some(n) => Size::Known(*n as i64),
                None => self.extent(scope.get(given.next().expect("verified: one per `?`")).scalar(), op, b),
            });
        }
        let used: Vec<usize> = (0..op.num_results()).filter(|r| !op.result(*r).is_unused()).collect();
        if let [r] = used[..]
            && self.fusion.is_fused(op.result(r))
        {
            let ty = op.result(r).ty();
            let static_size = |d: &Dim| Size::Known(d.expect("only such builds are fused") as i64);
            let sizes = extents.iter().copied().chain(ty.shape()[k..].iter().map(static_size)).collect();
            let how = How::Build { op, scope: scope.clone(), result: r };
            scope.set(op.result(r), Val::Array(Rc::new(Arr { sizes, ty, how })));
            return Ok(());
        }
        let mut rows: Vec<Vec<Size>> = Vec::new();
        let nest = self.nest(b, &extents, &[], |lower, b, indices, _| {
            let yielded = lower.run_body(op, scope, indices, b)?;
            let mut results = Vec::new();
            for r in &used {
                let ty = op.result(*r).ty();
                let element = Type::array(&ty.shape()[k..], ty.scalar());
                rows.push(match &yielded[*r] {
                    Val::Scalar(_) => Vec::new(),
                    Val::Array(a) => a.sizes.clone(),
                });
                results.push((Kind::Map, lower.exactly(&yielded[*r], element, None, b)?, ty));
            }
            Ok(results)
        })?;
        for (n, r) in used.iter().enumerate() {
            let mut sizes = extents.clone();
            for (axis, size) in rows[n].iter().enumerate() {
                let size = match (op.result(*r).ty().shape()[k + axis], size) {
                    (Some(n), _) => Size::Known(n as i64),
                    (None, Size::Known(n)) => Size::Known(*n),
                    // Around the nest: before it, so that the nest can be told.
                    (None, Size::Value(v)) => match self.lift(*v, Builder { next: Some(nest), ..b }) {
                        Some(v) => Size::Value(v),
                        None => return Err(op.not_supported("elements whose sizes depend on the index")),
                    },
                };
                sizes.push(size);
            }
            let val = self.stored(nest.result(n), Some(sizes));
            scope.set(op.result(*r), val);
        }
        Ok(())
    }

    fn ifold(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<(), Reported> {
        let count = self.size_from(scope.get(op.operand(0)).scalar(), b);
        let inits: Vec<Val> = op.operands()[1..].iter().map(|v| scope.get(*v)).collect();
        self.fold(op, count, &inits, scope, b, |_, i, _| i)
    }

    /// `scf.for` with any bounds and step, as a fold over the number of iterations.
    fn scf_for(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<(), Reported> {
        let scalar = |k: usize| scope.get(op.operand(k)).scalar();
        let (from, to, step) = (scalar(0), scalar(1), scalar(2));
        let counter = from.ty();
        let one = self.constant(Attribute::integer(counter, 1), counter);
        let zero = self.zero(counter);
        // A step that is not positive has no meaning; it must not trap either.
        let step = b.same("arith.maxsi", &[step, one]);
        let distance = b.same("arith.subi", &[to, from]);
        let distance = b.same("arith.maxsi", &[distance, zero]);
        let count = match self.facts.constant(step) {
            Some(1) => distance,
            _ => b.same("arith.ceildivsi", &[distance, step]),
        };
        let to_index =
            |b: Builder, v: Value, ty: Type| if v.ty() == ty { v } else { b.value("arith.index_cast", &[v], ty, &[]) };
        let count = to_index(b, count, self.ctx.index());
        let count = self.size_from(count, b);
        let inits: Vec<Val> = op.operands()[3..].iter().map(|v| scope.get(*v)).collect();
        self.fold(op, count, &inits, scope, b, |lower, i, b| {
            let i = to_index(b, i, counter);
            let scaled = b.same("arith.muli", &[i, step]);
            lower.note(scaled);
            let at = b.same("arith.addi", &[from, scaled]);
            lower.note(at);
            at
        })
    }

    /// A loop that carries `inits`; `counter` makes the body's first argument out of the iteration's number.
    fn fold(
        &mut self,
        op: Op,
        count: Size,
        inits: &[Val],
        scope: &Rc<Scope>,
        b: Builder,
        counter: impl FnOnce(&mut Self, Value, Builder) -> Value,
    ) -> Result<(), Reported> {
        let body = op.body().expect("verified");
        let types: Vec<Type> = op.results().into_iter().map(Value::ty).collect();
        let mut stored = Vec::new();
        for (val, ty) in inits.iter().zip(&types) {
            stored.push(self.exactly(val, *ty, None, b)?);
        }
        let sizes: Vec<Vec<Size>> = inits
            .iter()
            .map(|val| match val {
                Val::Scalar(_) => Vec::new(),
                Val::Array(a) => a.sizes.clone(),
            })
            .collect();
        let nest = self.nest(b, &[count], &stored, |lower, b, indices, carried| {
            let inner = Scope::new(Some(scope.clone()));
            let i = counter(lower, indices[0], b);
            inner.set(body.argument(0), Val::Scalar(i));
            for (k, value) in carried.iter().enumerate() {
                let val = lower.stored(*value, Some(sizes[k].clone()));
                inner.set(body.argument(k + 1), val);
            }
            let yielded = lower.block(body, &inner, b)?;
            let mut results = Vec::new();
            for (k, val) in yielded.iter().enumerate() {
                if let Val::Array(a) = val {
                    for (have, want) in a.sizes.iter().zip(&sizes[k]) {
                        // Else the value is padded: the evaluator refuses such a program.
                        let _ = lower.facts.same(*have, *want) || lower.require_same(*have, *want, op);
                    }
                }
                results.push((Kind::Fold, lower.exactly(val, types[k], Some(&sizes[k]), b)?, types[k]));
            }
            Ok(results)
        })?;
        for (k, old) in op.results().into_iter().enumerate() {
            let val = self.stored(nest.result(k), Some(sizes[k].clone()));
            scope.set(old, val);
        }
        Ok(())
    }

    /// A branch on scalars stays one. With arrays both sides are computed and elements chosen: everything is total.
    fn scf_if(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<(), Reported> {
        let condition = scope.get(op.operand(0)).scalar();
        if op.num_results() == 0 {
            return Ok(());
        }
        if op.results().into_iter().any(|z| z.ty().is_tensor()) {
            let mut sides = Vec::new();
            for r in 0..2 {
                let block = op.region(r).first_block().expect("verified: a branch with results has both sides");
                sides.push(self.block(block, &Scope::new(Some(scope.clone())), b)?);
            }
            for (k, z) in op.results().into_iter().enumerate() {
                let (x, y) = (&sides[0][k], &sides[1][k]);
                let val = match (x, y) {
                    (Val::Array(x), Val::Array(y)) => {
                        let sizes = x.sizes.clone();
                        let other = self.fitted(y, &sizes, op);
                        let how = How::Choose { condition, then: x.clone(), other };
                        let value = self.store(&Rc::new(Arr { sizes: sizes.clone(), ty: z.ty(), how }), b)?;
                        self.stored(value, Some(sizes))
                    }
                    _ => Val::Scalar(b.select(condition, x.scalar(), y.scalar())),
                };
                scope.set(z, val);
            }
            return Ok(());
        }
        let mut blocks = Vec::new();
        for r in 0..2 {
            let old = op.region(r).first_block().expect("verified: a branch with results has both sides");
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, b.location);
            let values = self.inside(block, |lower| lower.block(old, &Scope::new(Some(scope.clone())), inner))?;
            let values: Vec<Value> = values.iter().map(Val::scalar).collect();
            inner.make("scf.yield", &values, &[], &[]);
            blocks.push(block);
        }
        let types: Vec<Type> = op.results().into_iter().map(Value::ty).collect();
        let new = b.op("scf.if").operands(&[condition]).results(&types);
        let new = new.region(Region::with_block(blocks[0])).region(Region::with_block(blocks[1])).build();
        let new = b.insert(new);
        for (old, new) in op.results().into_iter().zip(new.results()) {
            scope.set(old, Val::Scalar(new));
        }
        Ok(())
    }

    /// The callee's body, here.
    fn call(&mut self, op: Op, scope: &Rc<Scope>, b: Builder) -> Result<(), Reported> {
        let name = op.attribute("callee").and_then(Attribute::as_symbol).expect("verified");
        let callee = self.functions.get(&name).copied().expect("verified: the symbol exists");
        if callee.body().is_none() {
            return Err(op.not_supported(format!("a call of `@{name}`, which has no body")));
        }
        if self.calls.contains(&name) {
            return Err(op.not_supported(format!("recursion through `@{name}`")));
        }
        let body = single_block(callee)?;
        let inner = Scope::new(None);
        for (parameter, argument) in body.arguments().into_iter().zip(op.operands()) {
            inner.set(parameter, scope.get(argument));
        }
        self.calls.push(name);
        let values = self.block(body, &inner, b)?;
        self.calls.pop();
        for (old, val) in op.results().into_iter().zip(values) {
            scope.set(old, val);
        }
        Ok(())
    }
}

fn splat(ty: Type, value: Value) -> Val {
    if !ty.is_tensor() {
        return Val::Scalar(value);
    }
    let sizes = ty.shape().into_iter().map(|d| Size::Known(d.expect("constants have static types") as i64)).collect();
    Val::Array(Rc::new(Arr { sizes, ty, how: How::Splat(value) }))
}

/// `file:line:col` of a location, for messages that outlive the program text.
fn place(location: Location) -> String {
    location.to_string().trim_start_matches("loc(").trim_end_matches(')').replace('"', "")
}
