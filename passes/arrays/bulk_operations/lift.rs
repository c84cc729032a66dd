//! Removal of one index of an `array.build`. An op of the body that depends on the index is computed for all values of
//! the index at once, and all other ops are computed once (spec/arrays.md B.2).
//!
//! A value that depends on the index becomes a *bulk value*, which has one more axis, the outermost one. An op without
//! a bulk form stays in a loop over the index: an `array.map_accum` over an `array.iota`.

use super::depend::{self, Dependence};
use super::ops::{self, Emit, Extent, Map};
use super::ranges::Ranges;
use super::sizes::{self, Size};
use super::terms::Terms;
use crate::analysis::edit::{is_made_in, with_nested};
use mlopt_dialects::ir::{Block, Builder, Location, Op, Region, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

/// Removes the innermost index of `build`, whose body contains no build. Returns the build of the other indices, if
/// any.
pub fn remove_index(build: Op) -> Option<Op> {
    let body = build.entry();
    let outer = body.num_arguments() - 1;
    let index = body.argument(outer);
    let extents = ops::extents(build);
    let extent = extents[outer];
    let inner = (outer > 0).then(|| Block::new(&vec![(index.ty(), build.location()); outer]));
    let builder = inner.map_or(Builder::before(build), |block| Builder::at_end(block, build.location()));
    let fixed = is_fixed(extent);
    let dependence = Dependence::of(build, &[index], &fixed);
    let mut lifting = Lifting {
        index,
        extent,
        dependence,
        fixed: &fixed,
        map: Map::new(),
        frames: vec![Frame { builder, is_loop: false, spread: HashMap::new() }],
        terms: Terms::default(),
        location: build.location(),
    };
    if let Some(block) = inner {
        lifting.map.extend(body.arguments().into_iter().zip(block.arguments()));
    }
    let results = if lifting.is_regular(build) {
        lifting.block(body);
        ops::yields(build).into_iter().map(|v| lifting.bulk(v)).collect()
    } else {
        lifting.whole_body(build)
    };
    let Some(block) = inner else {
        build.replace_with(results);
        return None;
    };
    builder.insert(builder.op(Kind::ArrayYield).operands(&results).build());
    let types: Vec<Type> = build.results().into_iter().map(Value::ty).collect();
    let b = Builder::before(build);
    let smaller = b.op(Kind::ArrayBuild).operands(&ops::operands(&extents[..outer])).results(&types);
    let smaller = b.insert(smaller.region(Region::with_block(block)).build());
    build.replace_with(smaller.results());
    Some(smaller)
}

/// Returns a predicate that tells whether an op must not be executed if a build of this extent is empty.
pub fn is_fixed(extent: Extent) -> impl Fn(Op) -> bool {
    let never_empty = Ranges::default().is_not_empty(extent.into());
    move |op| !never_empty && op.num_results() > 0 && !ops::is_total(op)
}

/// A block under construction.
struct Frame {
    builder: Builder,
    /// True if the block is executed repeatedly, so that invariant values are computed outside. Otherwise the block may
    /// not be executed at all, so that no value is.
    is_loop: bool,
    /// The copies along the index of invariant values, by the original.
    spread: HashMap<Value, Value>,
}

pub struct Lifting<'a> {
    /// The removed index.
    pub index: Value,
    pub extent: Extent,
    pub dependence: Dependence,
    fixed: &'a dyn Fn(Op) -> bool,
    /// The new values: bulk values for those that depend on the index.
    map: Map,
    frames: Vec<Frame>,
    pub terms: Terms,
    location: Location,
}

impl Lifting<'_> {
    /// Returns the builder at the current position, with the location of the current op.
    pub fn b(&self) -> Builder {
        self.frame(self.frames.len() - 1)
    }

    fn frame(&self, k: usize) -> Builder {
        self.frames[k].builder.at(self.location)
    }

    pub fn depends(&self, v: Value) -> bool {
        self.dependence.has(v)
    }

    /// Returns the type of a bulk value.
    pub fn bulk_type(&self, ty: Type) -> Type {
        Type::tensor(&[&[self.extent.dim()], ty.shape().as_slice()].concat(), ty.scalar())
    }

    /// Returns the new value of one that does not depend on the index.
    pub fn free(&self, v: Value) -> Value {
        debug_assert!(!self.depends(v), "a value that depends on the index has no single value");
        *self.map.get(&v).unwrap_or(&v)
    }

    /// Returns the values of `v` for all values of the index.
    pub fn bulk(&mut self, v: Value) -> Value {
        if v == self.index {
            return match self.map.get(&v) {
                Some(&iota) => iota,
                None => {
                    let iota = self.frame(0).iota(self.extent.dim(), self.extent.operand());
                    self.map.insert(v, iota);
                    iota
                }
            };
        }
        if self.depends(v) { self.map[&v] } else { self.spread(self.free(v)) }
    }

    /// Returns [`Lifting::bulk`] if `lifted`, else [`Lifting::free`].
    pub fn either(&mut self, v: Value, lifted: bool) -> Value {
        if lifted { self.bulk(v) } else { self.free(v) }
    }

    /// Copies a new value along a new outermost axis, in the outermost block in which the value is available.
    fn spread(&mut self, v: Value) -> Value {
        let home = v.block();
        let mut k = self.frames.len() - 1;
        while k > 0 && self.frames[k].is_loop && home != Some(self.frames[k].builder.block) {
            k -= 1;
        }
        if let Some(&copies) = self.frames[k].spread.get(&v) {
            return copies;
        }
        let (b, ty) = (self.frame(k), self.bulk_type(v.ty()));
        let copies = match ops::Splat::of(v) {
            Some(splat) if ops::is_static(ty) => splat.at_type(b, ty),
            _ => b.replicated(v, self.extent),
        };
        self.frames[k].spread.insert(v, copies);
        copies
    }

    /// Records the new values of the results of an op.
    pub fn set(&mut self, op: Op, values: &[Value]) {
        self.map.extend(op.results().into_iter().zip(values.iter().copied()));
    }

    /// Lifts the ops of a block except its terminator.
    pub fn block(&mut self, block: Block) {
        let end = block.terminator();
        for op in block.ops().into_iter().filter(|op| Some(*op) != end) {
            let around = std::mem::replace(&mut self.location, op.location());
            if self.dependence.touches(op) {
                self.op(op);
            } else {
                self.b().copy(op, &mut self.map);
            }
            self.location = around;
            self.terms.visit(op, self.index, &self.dependence);
        }
    }

    /// Lifts a block of a loop or branch. Arguments are bulk values if they depend on the index, yielded values
    /// according to `lifted`.
    pub fn region(&mut self, old: Block, is_loop: bool, lifted: &[bool]) -> Region {
        let types: Vec<(Type, Location)> = old
            .arguments()
            .into_iter()
            .map(|a| (if self.depends(a) { self.bulk_type(a.ty()) } else { a.ty() }, a.location()))
            .collect();
        let block = Block::new(&types);
        self.map.extend(old.arguments().into_iter().zip(block.arguments()));
        let builder = Builder::at_end(block, self.location);
        self.frames.push(Frame { builder, is_loop, spread: HashMap::new() });
        self.block(old);
        let end = old.end();
        let values = self.all(&end.operands(), lifted);
        let b = self.b().at(end.location());
        b.insert(b.op(end.name()).operands(&values).build());
        self.frames.pop();
        Region::with_block(block)
    }

    /// Checks whether the whole body can be lifted: the sizes that it needs are known even if the build is empty.
    fn is_regular(&self, build: Op) -> bool {
        let array_of_no_axes = |v: &Value| v.ty().is_tensor() && v.ty().rank() == 0 && self.depends(*v);
        let may_be_empty = !Ranges::default().is_not_empty(self.extent.into());
        build.nested_ops().into_iter().all(|op| {
            let known = depend::size_operands(op).iter().all(|(_, n)| !self.depends(*n));
            let sized = !op.results().iter().any(array_of_no_axes);
            known && sized && (!self.dependence.touches(op) || self.has_sizes(op, may_be_empty))
        })
    }

    /// Checks whether the sizes of the results are known without executing the op.
    fn has_sizes(&self, op: Op, may_be_empty: bool) -> bool {
        let mut axes = op.results().into_iter().flat_map(|v| (0..v.ty().rank()).map(move |axis| (v, axis)));
        if self.is_sequential(op) {
            return !may_be_empty || axes.all(|(v, axis)| self.is_known_around(op, sizes::of(v, axis)));
        }
        // Both arms of a choice must have the same size.
        let is_choice = op.kind() == Kind::ScfIf && self.depends(op.operand(0));
        !is_choice || axes.all(|(v, axis)| sizes::of(v, axis) != Size::Of(v, axis))
    }

    /// Checks whether a size is that of a value that is defined before `op`.
    fn is_known_around(&self, op: Op, size: Size) -> bool {
        let around = |v: Value| !is_made_in(v, op);
        match size {
            Size::Known(_) => true,
            Size::Extent(n) => around(n) && !self.depends(n),
            Size::Of(v, _) => around(v),
            Size::Sum(x, y) => [x, y].into_iter().all(|v| self.is_known_around(op, sizes::of(v, 0))),
        }
    }

    /// Returns a size of the body as a value outside of it.
    fn size_around(&mut self, size: Size) -> Value {
        let b = self.b();
        match size {
            Size::Known(n) => b.index(n as i64),
            Size::Extent(n) => sizes::value(b, Size::Extent(self.free(n))),
            Size::Of(v, axis) if self.depends(v) => sizes::value(b, sizes::of(self.bulk(v), axis + 1)),
            Size::Of(v, axis) => sizes::value(b, sizes::of(self.free(v), axis)),
            Size::Sum(x, y) => {
                let (m, n) = (self.size_around(sizes::of(x, 0)), self.size_around(sizes::of(y, 0)));
                b.binary(Kind::ArithAddi, m, n)
            }
        }
    }

    /// Emits a loop over the index, whose iterations get the values of `rows` at the index. `iteration` emits an
    /// iteration, which yields values of the types of `yielded`, for these new values.
    fn scan(&mut self, rows: &[Value], yielded: &[Value], iteration: impl FnOnce(Builder, &mut Map)) -> Vec<Value> {
        let arrays: Vec<Value> = rows.iter().map(|&v| self.bulk(v)).collect();
        let b = self.b();
        let arguments: Vec<(Type, Location)> = rows.iter().map(|v| (v.ty(), v.location())).collect();
        let block = Block::new(&arguments);
        let mut map = self.map.clone();
        map.extend(rows.iter().copied().zip(block.arguments()));
        iteration(Builder::at_end(block, self.location), &mut map);
        let types: Vec<Type> = yielded.iter().map(|v| self.bulk_type(v.ty())).collect();
        let scan = b.op(Kind::ArrayMapAccum).operand_segments(&[&arrays, &[]]).results(&types);
        b.insert(scan.region(Region::with_block(block)).build()).results()
    }

    /// Emits the unchanged body in a loop over the index.
    fn whole_body(&mut self, build: Op) -> Vec<Value> {
        let body = build.entry();
        self.scan(&[self.index], &ops::yields(build), |inner, map| {
            for op in body.ops() {
                inner.copy(op, map);
            }
        })
    }

    /// Emits an unchanged op in a loop over the index.
    pub fn sequential(&mut self, op: Op) {
        let mut rows: Vec<Value> = Vec::new();
        for v in with_nested(op).flat_map(Op::operands) {
            if self.depends(v) && !rows.contains(&v) && !is_made_in(v, op) {
                rows.push(v);
            }
        }
        if rows.is_empty() {
            // The only dependence on the index is that the op must not be executed if the build is empty.
            rows.push(self.index);
        }
        let scanned = self.scan(&rows, &op.results(), |inner, map| {
            let copy = inner.copy(op, map);
            inner.insert(inner.op(Kind::ArrayYield).operands(&copy.results()).build());
        });
        let b = self.b();
        let mut results = Vec::new();
        for (old, new) in op.results().into_iter().zip(scanned) {
            let dynamic = (0..old.ty().rank()).filter(|&axis| old.ty().shape()[axis].is_none());
            let sizes: Vec<Size> = dynamic.map(|axis| sizes::of(old, axis)).collect();
            // A loop without iterations does not know the sizes of its rows.
            if sizes.is_empty() || Ranges::default().is_not_empty(self.extent.into()) {
                results.push(new);
                continue;
            }
            let outer = self.extent.operand().map(|_| sizes::value(b, Size::from(self.extent)));
            let inner: Vec<Value> = sizes.into_iter().map(|size| self.size_around(size)).collect();
            results.push(b.reshape(new, &new.ty().shape(), &outer.into_iter().chain(inner).collect::<Vec<_>>()));
        }
        self.set(op, &results);
    }

    /// Checks whether an op must stay in the iterations of the build.
    pub fn is_fixed(&self, op: Op) -> bool {
        (self.fixed)(op)
    }

    /// Returns the extents of an op of the body, which never depend on the index, as values outside.
    pub fn extents(&self, extents: &[Extent]) -> Vec<Extent> {
        extents
            .iter()
            .map(|e| match *e {
                Extent::Value(n) => Extent::Value(self.free(n)),
                known => known,
            })
            .collect()
    }
}
