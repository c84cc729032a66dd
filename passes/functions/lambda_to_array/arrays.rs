//! Conversion of reads and updates of elements and parts of arrays.

use super::Writer;
use super::tree::Tree;
use crate::analysis::facts::Size;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::*;
use mlopt_dialects::ops::array::Check;
use mlopt_dialects::ops::{CmpIPredicate, Kind};

/// A slice: along each axis, the position of its first element, the stride, and the number of elements.
struct Slice {
    begins: Vec<Value>,
    strides: Vec<i64>,
    extents: Vec<Value>,
}

impl Writer {
    /// Converts `lambda.aget`.
    pub(super) fn element(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let (array, at) = self.position(op, b, op.num_operands());
        Ok(Tree::One(b.get(array, &at)))
    }

    /// Converts `lambda.aset`.
    pub(super) fn changed(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let last = op.num_operands() - 1;
        let (array, at) = self.position(op, b, last);
        let value = self.value(op.operand(last));
        if at.is_empty() {
            return Ok(Tree::One(value));
        }
        Ok(Tree::One(self.put(b, value, array, &at)))
    }

    /// Returns the array, and indices that are in range, of the operands before number `end`.
    fn position(&mut self, op: Op, b: Builder, end: usize) -> (Value, Vec<Value>) {
        let array = self.value(op.operand(0));
        let mut at = Vec::new();
        for k in 1..end {
            let i = self.value(op.operand(k));
            let i = self.to_index(b, i);
            let n = self.extent(b, array, k - 1);
            self.check_index(b, i, n);
            at.push(i);
        }
        (array, at)
    }

    /// Returns `array` with `value` at leading indices that are in range: an element, or a subarray.
    pub(super) fn put(&mut self, b: Builder, value: Value, array: Value, at: &[Value]) -> Value {
        let shape = array.ty().shape();
        let open = (at.len()..shape.len()).filter(|&axis| shape[axis].is_none());
        let open: Vec<Value> = open.map(|axis| self.extent(b, array, axis)).collect();
        b.insert_row(value, array, at, &open)
    }

    /// Returns the extent of an axis, which is not negative.
    pub(super) fn extent(&mut self, b: Builder, array: Value, axis: usize) -> Value {
        let n = self.with_facts(b.length(array, axis));
        self.facts.is_size(n);
        n
    }

    /// Converts `lambda.slice_get`.
    pub(super) fn slice(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let array = self.value(op.operand(0));
        let result = op.result(0).ty().shape();
        let slice =
            self.slice_of(op, b, array, op.num_operands(), &|w, b, axis, begin, n, stride| match result[axis] {
                Some(known) => w.index(b, known as i64),
                None => w.room(b, begin, n, stride),
            });
        let dynamic: Vec<Value> =
            slice.extents.iter().zip(&result).filter(|(_, d)| d.is_none()).map(|(n, _)| *n).collect();
        let z = b.build(&result, &dynamic, |b, position| {
            let at: Vec<Value> = (0..position.len())
                .map(|k| {
                    let far = self.scaled(b, position[k], slice.strides[k]);
                    b.unary(Kind::ArithAddi, &[slice.begins[k], far], far.ty())
                })
                .collect();
            vec![b.get(array, &at)]
        })[0];
        Ok(Tree::One(z))
    }

    /// Converts `lambda.slice_set`.
    pub(super) fn changed_slice(&mut self, op: Op, b: Builder) -> Result<Tree, Reported> {
        let last = op.num_operands() - 1;
        let (array, value) = (self.value(op.operand(0)), self.value(op.operand(last)));
        let slice = self.slice_of(op, b, array, last, &|w, b, axis, _, _, _| w.extent(b, value, axis));
        let rank = array.ty().rank();
        let z = b.build_like(array, rank, |b, position| {
            let (mut inside, mut at) = (Vec::new(), Vec::new());
            for (k, i) in position.iter().enumerate() {
                let stride = b.index(slice.strides[k]);
                let distance = b.unary(Kind::ArithSubi, &[*i, slice.begins[k]], i.ty());
                let step = b.div(distance, stride);
                inside.push(b.compare_integers(CmpIPredicate::Ult, step, slice.extents[k]));
                if slice.strides[k] != 1 {
                    let zero = b.index(0);
                    inside.push(b.compare_integers(CmpIPredicate::Eq, b.modulo(distance, stride), zero));
                }
                at.push(step);
            }
            let inside = self.all(b, &inside);
            vec![b.select(inside, b.get(value, &at), b.get(array, position))]
        })[0];
        Ok(Tree::One(z))
    }

    /// Returns the number of elements from `begin` on, `stride` apart, in an axis of extent `n`.
    fn room(&mut self, b: Builder, begin: Value, n: Value, stride: i64) -> Value {
        let index = self.context.index();
        let (zero, more) = (self.index(b, 0), self.index(b, stride - 1));
        let left = self.arith(b, Kind::ArithSubi, &[n, begin], index);
        let left = self.arith(b, Kind::ArithMaxsi, &[left, zero], index);
        let left = self.arith(b, Kind::ArithAddi, &[left, more], index);
        let stride = self.index(b, stride);
        b.div(left, stride)
    }

    fn scaled(&mut self, b: Builder, i: Value, factor: i64) -> Value {
        if factor == 1 { i } else { b.unary(Kind::ArithMuli, &[i, b.index(factor)], i.ty()) }
    }

    /// Returns the slice that an op names by its operands before number `end`. The program stops unless it is empty or
    /// in range.
    fn slice_of(
        &mut self,
        op: Op,
        b: Builder,
        array: Value,
        end: usize,
        extent: &dyn Fn(&mut Self, Builder, usize, Value, Value, i64) -> Value,
    ) -> Slice {
        let strides = op.attribute("strides").and_then(Attribute::as_i64_array).unwrap_or_default();
        let mut slice = Slice { begins: vec![], strides: strides.clone(), extents: vec![] };
        for (axis, stride) in strides.into_iter().enumerate().take(end - 1) {
            let begin = self.value(op.operand(axis + 1));
            let begin = self.to_index(b, begin);
            let n = self.extent(b, array, axis);
            let m = extent(self, b, axis, begin, n, stride);
            slice.begins.push(begin);
            slice.extents.push(m);
        }
        let certain = slice.extents.iter().all(|m| self.facts.is_positive(Size::Value(*m)));
        let empty: Vec<Value> = match certain {
            true => vec![],
            false => {
                let zero = b.index(0);
                let none: Vec<Value> = slice.extents.iter().map(|m| b.equal(*m, zero)).collect();
                let i1 = none[0].ty();
                vec![none[1..].iter().fold(none[0], |x, y| b.unary(Kind::ArithOri, &[x, *y], i1))]
            }
        };
        for axis in 0..slice.begins.len() {
            let (begin, m) = (slice.begins[axis], slice.extents[axis]);
            let n = self.extent(b, array, axis);
            let one = self.index(b, 1);
            let index = self.context.index();
            let before = self.arith(b, Kind::ArithSubi, &[m, one], index);
            let far = match slice.strides[axis] {
                1 => before,
                stride => {
                    let stride = self.index(b, stride);
                    self.arith(b, Kind::ArithMuli, &[before, stride], index)
                }
            };
            let last = self.arith(b, Kind::ArithAddi, &[begin, far], index);
            for i in [begin, last] {
                if certain {
                    self.check_index(b, i, n);
                    continue;
                }
                let inside = b.compare_integers(CmpIPredicate::Ult, i, n);
                let ok = b.unary(Kind::ArithOri, &[inside, empty[0]], inside.ty());
                Check::create(b, ok, &[i, n], "index-out-of-bounds", "index {} must be at least 0 and below {}");
            }
        }
        slice
    }

    /// Checks whether `x` is positive.
    pub(super) fn positive(&mut self, b: Builder, x: Value) -> Value {
        let zero = self.index(b, 0);
        b.compare_integers(CmpIPredicate::Sgt, x, zero)
    }
}
