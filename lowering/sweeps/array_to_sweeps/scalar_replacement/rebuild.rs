//! Emission of the chosen nests, in which arrays are lists of elements.

use super::choice::is_folded;
use super::lanes::{apart, erase_unused_lanes, pack, parts};
use super::*;
use crate::contraction::Registers;
use crate::nests::folds;
use crate::reduction::combine;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The replacement of an old value.
#[derive(Clone)]
pub(super) enum New {
    One(Value),
    /// The elements of an array in row-major order.
    Apart(Vec<Value>),
}

/// The form in which a loop or a condition passes on the replacement of an old value.
enum Form {
    One,
    /// An array as this number of scalars.
    Apart(usize),
    /// An array as vectors, each with these elements.
    Vectors(Vec<Range<usize>>),
}

/// The state of rebuilding one nest of a function's body, including its nested ops.
pub(super) struct Rebuild<'c> {
    root: Op,
    choice: &'c Choice,
    registers: Registers,
    new: HashMap<Value, New>,
    constants: HashMap<(i64, Type), Value>,
    /// Set if a position is not known or lies outside its array: the nest is left unchanged.
    failed: bool,
}

impl<'c> Rebuild<'c> {
    pub fn new(root: Op, choice: &'c Choice, registers: Registers) -> Rebuild<'c> {
        Rebuild { root, choice, registers, new: HashMap::new(), constants: HashMap::new(), failed: false }
    }

    /// Returns the results of the new nest, which is placed before the old one, or `None` if rebuilding failed.
    pub fn run(mut self) -> Option<Vec<Value>> {
        let block = enclosing_block(self.root);
        let there: HashSet<Op> = block.ops().into_iter().collect();
        let b = Builder::before(self.root);
        self.nest(self.root, b);
        let results = self.root.results().into_iter().map(|z| self.whole(z, b)).collect();
        let made = block.ops().into_iter().rev().filter(|op| !there.contains(op));
        made.for_each(if self.failed { Op::erase } else { erase_unused_lanes });
        (!self.failed).then_some(results)
    }

    //===-- values ----------------------------------------------------------------------------------------------===//

    /// Returns the new value of an old scalar, or of an array that is not replaced.
    pub(super) fn value(&self, old: Value) -> Value {
        self.value_if_one(old).expect("whoever reads an array that has been taken apart reads its elements")
    }

    /// Returns an array as one value.
    fn whole(&self, old: Value, b: Builder) -> Value {
        match self.new.get(&old) {
            Some(New::Apart(elements)) => join(elements, old.ty(), b),
            _ => self.value(old),
        }
    }

    /// Returns the elements of an array, which are read if it has not been replaced.
    pub(super) fn elements(&mut self, old: Value, b: Builder) -> Vec<Value> {
        if let Some(New::Apart(elements)) = self.new.get(&old) {
            return elements.clone();
        }
        let array = self.value(old);
        let shape: Vec<i64> = old.ty().shape().into_iter().map(|n| n.map_or(0, |n| n as i64)).collect();
        let mut read = Vec::new();
        for position in positions(&shape) {
            let at: Vec<Value> = position.into_iter().map(|i| self.constant(i, b.context().index())).collect();
            read.push(b.read(array, &at));
        }
        read
    }

    /// Returns the elements of an array, or a scalar.
    fn parts(&mut self, old: Value, b: Builder) -> Vec<Value> {
        if old.ty().is_tensor() { self.elements(old, b) } else { vec![self.value(old)] }
    }

    pub(super) fn set(&mut self, old: Value, new: New) {
        self.new.insert(old, new);
    }

    pub(super) fn is_apart(&self, old: Value) -> bool {
        self.choice.apart.contains(&old)
    }

    /// Returns the number of elements that a register holds.
    pub(super) fn lanes_in_register(&self, element: Type) -> usize {
        (self.registers.bits / 8 / element_bytes(element)).max(1)
    }

    /// Creates an integer constant before the nest, once.
    pub(super) fn constant(&mut self, n: i64, ty: Type) -> Value {
        let before = Builder::before(self.root);
        *self.constants.entry((n, ty)).or_insert_with(|| before.constant(Attribute::integer(ty, n), ty))
    }

    //===-- ops -------------------------------------------------------------------------------------------------===//

    /// Emits all ops of an old block except its terminator, whose operands the caller looks up.
    fn block(&mut self, old: Block, b: Builder) {
        let end = old.end();
        for op in old.ops() {
            if op != end {
                self.op(op, b.at(op.location()));
            }
        }
    }

    fn op(&mut self, op: Op, b: Builder) {
        match op.kind() {
            Kind::SweepNest => match known_extents(op) {
                Some(extents) if self.choice.in_lanes.contains(&op) => self.in_lanes(op, &extents, b),
                Some(extents) if self.choice.unrolled.contains(&op) => self.unroll(op, &extents, b),
                _ => self.nest(op, b),
            },
            Kind::ScfIf => self.branch(op, b),
            Kind::TensorExtract if self.is_apart(op.operand(0)) => {
                let at = self.position(op.operand(0), &op.operands()[1..]);
                let element = self.elements(op.operand(0), b)[at];
                self.new.insert(op.result(0), New::One(element));
            }
            Kind::SweepAdd if op.num_results() > 0 && self.is_apart(op.result(0)) => {
                let at = self.position(op.operand(1), &op.operands()[2..]);
                let mut elements = self.elements(op.operand(1), b);
                elements[at] = combine(b, ResultKind::Sum, elements[at], self.value(op.operand(0)), None, false);
                self.new.insert(op.result(0), New::Apart(elements));
            }
            Kind::SweepReshape if self.is_apart(op.result(0)) => {
                let elements = self.elements(op.operand(0), b);
                self.new.insert(op.result(0), New::Apart(elements));
            }
            Kind::SweepJoin if self.is_apart(op.result(0)) => {
                let elements = op.operand_segment(0).into_iter().flat_map(|part| self.parts(part, b)).collect();
                self.new.insert(op.result(0), New::Apart(elements));
            }
            _ => {
                let operands = self.values_if_one(op);
                if let Some(v) = operands.and_then(|operands| self.folded(op, &operands)) {
                    self.new.insert(op.result(0), New::One(v));
                    return;
                }
                let copy = op.clone_op();
                copy.replace_operands(|v| self.new.contains_key(&v).then(|| self.whole(v, b)));
                b.insert(copy);
                self.new.extend(op.results().into_iter().zip(copy.results().into_iter().map(New::One)));
            }
        }
    }

    /// Returns the row-major number of a constant position.
    pub(super) fn position(&mut self, array: Value, indices: &[Value]) -> usize {
        let mut at = Some(0);
        for (i, n) in indices.iter().zip(array.ty().shape()) {
            let i = self.known(*i).and_then(|i| usize::try_from(i).ok());
            at = at.zip(i).zip(n).and_then(|((at, i), n)| (i < n).then_some(at * n + i));
        }
        self.failed |= at.is_none();
        at.unwrap_or(0)
    }

    /// Returns the constant value of an integer, even if ops before the nest compute it.
    fn known(&mut self, v: Value) -> Option<i64> {
        if let Some(c) = known(self.value_if_one(v)?) {
            return Some(c);
        }
        let (op, _) = v.defining_op().filter(|(op, _)| is_folded(op.kind()))?;
        for operand in op.operands() {
            let c = self.known(operand)?;
            let c = self.constant(c, operand.ty());
            self.new.insert(operand, New::One(c));
        }
        let operands = self.values_if_one(op)?;
        self.folded(op, &operands).and_then(known)
    }

    /// Returns the value of an op that needs no code, with these operands.
    pub(super) fn folded(&mut self, op: Op, operands: &[Value]) -> Option<Value> {
        if op.kind() == Kind::ArithSelect {
            return known(operands[0]).map(|c| operands[if c != 0 { 1 } else { 2 }]);
        }
        if op.kind() == Kind::ArithMulf {
            // x·1 is x for every x.
            let is_one = |v: Value| constant(v).and_then(Attribute::as_f64) == Some(1.0);
            return [0, 1].into_iter().find(|k| is_one(operands[*k])).map(|k| operands[1 - k]);
        }
        if !is_folded(op.kind()) {
            return None;
        }
        let ty = op.result(0).ty();
        if op.kind() == Kind::ArithAddi && known(operands[0]) == Some(0) {
            return Some(operands[1]);
        }
        let known: Vec<i64> = operands.iter().map(|v| known(*v)).collect::<Option<_>>()?;
        let (x, y) = (known[0], known.get(1).copied().unwrap_or(0));
        let (ux, uy) = (x as u64, y as u64);
        let predicate = || op.attribute("predicate").and_then(Attribute::as_i64);
        let n = match op.kind() {
            Kind::ArithAddi => x.checked_add(y)?,
            Kind::ArithSubi => x.checked_sub(y)?,
            Kind::ArithMuli => x.checked_mul(y)?,
            Kind::ArithDivui => ux.checked_div(uy)? as i64,
            Kind::ArithRemui => ux.checked_rem(uy)? as i64,
            Kind::ArithMaxsi => x.max(y),
            Kind::ArithMinsi => x.min(y),
            Kind::ArithAndi => x & y,
            Kind::ArithOri => x | y,
            Kind::ArithIndexCast => x,
            Kind::ArithCmpi => i64::from(match predicate()? {
                0 => x == y,
                1 => x != y,
                2 => x < y,
                3 => x <= y,
                4 => x > y,
                5 => x >= y,
                6 => ux < uy,
                _ => return None,
            }),
            _ => return None,
        };
        // Narrow integers wrap around; they are left to LLVM.
        let fits = ty.is_index() || ty.is_integer(64) || (ty.is_integer(1) && op.kind() != Kind::ArithAddi);
        fits.then(|| self.constant(n, ty))
    }

    fn values_if_one(&self, op: Op) -> Option<Vec<Value>> {
        op.operands().into_iter().map(|v| self.value_if_one(v)).collect()
    }

    fn value_if_one(&self, old: Value) -> Option<Value> {
        match self.new.get(&old) {
            None => Some(old),
            Some(New::One(v)) => Some(*v),
            Some(New::Apart(_)) => None,
        }
    }

    //===-- regions ---------------------------------------------------------------------------------------------===//

    fn unroll(&mut self, op: Op, extents: &[i64], b: Builder) {
        let body = op.entry();
        let yields = body.end().operands();
        let (arguments, kinds) = (body.arguments(), kinds(op));
        for fold in folds(op) {
            let start = self.taken(fold.init, fold.argument, b);
            self.new.insert(fold.argument, start);
        }
        let mut results: Vec<New> = Vec::new();
        for position in positions(extents) {
            for (argument, i) in arguments.iter().zip(position) {
                let i = self.constant(i, b.context().index());
                self.new.insert(*argument, New::One(i));
            }
            self.block(body, b);
            let mut next = Vec::new();
            for (r, kind) in kinds.iter().enumerate() {
                next.push(match (kind, results.get(r)) {
                    (ResultKind::Map, Some(New::Apart(so_far))) => {
                        New::Apart([so_far.as_slice(), self.parts(yields[r], b).as_slice()].concat())
                    }
                    (ResultKind::Map, _) => New::Apart(self.parts(yields[r], b)),
                    (ResultKind::Fold, _) => self.taken(yields[r], op.result(r), b),
                    (kind, Some(New::One(so_far))) => {
                        let (value, fastmath) = (self.value(yields[r]), op.attribute("fastmath"));
                        New::One(combine(b, *kind, *so_far, value, fastmath, true))
                    }
                    _ => New::One(self.value(yields[r])),
                });
            }
            results = next;
            // All are read before any is written.
            self.new.extend(folds(op).into_iter().map(|fold| (fold.argument, results[fold.number].clone())));
        }
        self.new.extend(op.results().into_iter().zip(results));
    }

    /// Returns `value` in the form of `like`.
    fn taken(&mut self, value: Value, like: Value, b: Builder) -> New {
        if self.is_apart(like) { New::Apart(self.elements(value, b)) } else { New::One(self.whole(value, b)) }
    }

    /// Emits a nest that is not unrolled. Carried arrays that are replaced are carried as scalars or as vectors.
    fn nest(&mut self, op: Op, b: Builder) {
        let extents: Vec<Value> = op.operand_segment(0).into_iter().map(|v| self.value(v)).collect();
        let old_body = op.entry();
        let yields = old_body.end().operands();
        let mut inits = Vec::new();
        folds(op).into_iter().for_each(|fold| inits.extend(self.handed_on(fold.init, fold.argument, b)));
        let block = nests::body(extents.len(), &inits, op.location());
        let inner = Builder::at_end(block, op.location());
        self.hand_out(&old_body.arguments(), block.arguments(), inner);
        self.block(old_body, inner);
        let (mut new_kinds, mut new_types, mut yielded) = (Vec::new(), Vec::new(), Vec::new());
        for (r, kind) in kinds(op).into_iter().enumerate() {
            let apart = self.is_apart(op.result(r));
            for v in self.handed_on(yields[r], op.result(r), inner) {
                new_kinds.push(kind);
                new_types.push(if apart { v.ty() } else { op.result(r).ty() });
                yielded.push(v);
            }
        }
        inner.make(Kind::SweepYield, &yielded, &[], &[]);
        let new = nests::nest(b, &extents, &inits, &new_kinds, &new_types, block);
        let kept = op.attributes().into_iter().filter(|(name, _)| name != "kinds" && name != "operandSegmentSizes");
        kept.for_each(|(name, value)| new.set_attribute(&name, value));
        self.hand_out(&op.results(), new.results(), b);
    }

    fn branch(&mut self, op: Op, b: Builder) {
        let condition = self.value(op.operand(0));
        let blocks = [0, 1].map(|r| block_in(op, r));
        if let Some(c) = known(condition) {
            let taken = blocks[usize::from(c == 0)];
            self.block(taken, b);
            let yields = taken.end().operands();
            for (z, v) in op.results().into_iter().zip(yields) {
                let new = self.taken(v, z, b);
                self.new.insert(z, new);
            }
            return;
        }
        let mut types = Vec::new();
        for z in op.results() {
            match self.form(z) {
                Form::One => types.push(z.ty()),
                Form::Apart(n) => types.extend(std::iter::repeat_n(z.ty().scalar(), n)),
                Form::Vectors(parts) => {
                    let lanes = parts.into_iter().map(|part| part.len().next_power_of_two());
                    types.extend(lanes.map(|n| b.context().vector(n, z.ty().scalar())));
                }
            }
        }
        let mut new = b.op(Kind::ScfIf).operands(&[condition]).results(&types);
        for old in blocks {
            let block = Block::new(&[]);
            let inner = Builder::at_end(block, op.location());
            self.block(old, inner);
            let mut yielded = Vec::new();
            for (z, v) in op.results().into_iter().zip(old.end().operands()) {
                yielded.extend(self.handed_on(v, z, inner));
            }
            inner.make(Kind::ScfYield, &yielded, &[], &[]);
            new = new.region(Region::with_block(block));
        }
        let results = b.insert(new.build()).results();
        self.hand_out(&op.results(), results, b);
    }

    /// Returns the form in which `old` is carried.
    fn form(&self, old: Value) -> Form {
        match few_elements(old).filter(|_| self.is_apart(old)) {
            None => Form::One,
            Some(_) if self.choice.vectors.contains(&old) => {
                let shape: Vec<i64> = old.ty().shape().into_iter().flatten().map(|n| n as i64).collect();
                Form::Vectors(parts(&shape, self.lanes_in_register(old.ty().scalar())))
            }
            Some(n) => Form::Apart(n),
        }
    }

    /// Returns `value` in the form in which `like` is carried.
    fn handed_on(&mut self, value: Value, like: Value, b: Builder) -> Vec<Value> {
        match (self.taken(value, like, b), self.form(like)) {
            (New::One(v), _) => vec![v],
            (New::Apart(elements), Form::Vectors(parts)) => {
                parts.into_iter().map(|part| pack(&elements[part], b)).collect()
            }
            (New::Apart(elements), _) => elements,
        }
    }

    /// Records the new values of old ones, in order.
    fn hand_out(&mut self, old: &[Value], new: Vec<Value>, b: Builder) {
        let mut new = new.into_iter();
        for z in old {
            let form = self.form(*z);
            let mut next = || new.next().expect("one for each");
            let value = match form {
                Form::One => New::One(next()),
                Form::Apart(n) => New::Apart(new.by_ref().take(n).collect()),
                Form::Vectors(parts) => New::Apart(
                    parts.into_iter().flat_map(|part| apart(next(), b).into_iter().take(part.len())).collect(),
                ),
            };
            self.new.insert(*z, value);
        }
    }
}

/// Returns all positions in a box, with the last index fastest.
pub(super) fn positions(extents: &[i64]) -> Vec<Vec<i64>> {
    extents.iter().fold(vec![Vec::new()], |before, n| {
        before.iter().flat_map(|p| (0..*n).map(move |i| [p.as_slice(), &[i]].concat())).collect()
    })
}

/// Returns an array of these elements.
fn join(elements: &[Value], ty: Type, b: Builder) -> Value {
    let shape = ty.shape();
    let parts: Vec<Value> = match &shape[1..] {
        [] => elements.to_vec(),
        rest => {
            let row = Type::tensor(rest, ty.scalar());
            let rows = shape[0].expect("static");
            elements.chunks(elements.len() / rows).map(|row_of| join(row_of, row, b)).collect()
        }
    };
    let join = b.op(Kind::SweepJoin).operand_segments(&[&parts, &[]]).results(&[ty]);
    b.insert(join.build()).result(0)
}
