//! The representation of arrays: one word for the size of each axis, followed by the elements. An array is updated in
//! place only if it is uniquely owned (`owned.rs`).

use super::emit::Emitter;
use super::layout::Leaf;
use super::llvm_number;
use crate::ir::*;
use crate::llvm::heap::{call, element};
use mlopt_dialects::ops::lambda::Aset;

impl Emitter<'_, '_> {
    /// Returns the size of an axis, a word.
    pub fn size(&self, object: Value, ty: Type, axis: usize, b: Builder) -> Value {
        match ty.shape()[axis] {
            Some(n) => llvm_number(b, self.ctx.int(64), n as i64),
            None => b.value(Kind::LlvmLoad, &[element(b, object, axis)], self.ctx.int(64), &[]),
        }
    }

    /// Returns the address of the first element.
    pub fn elements(&self, object: Value, ty: Type, b: Builder) -> Value {
        element(b, object, ty.rank())
    }

    /// Returns the address of element number `at`.
    pub fn place(&self, object: Value, ty: Type, at: Value, b: Builder) -> Value {
        let item = Leaf::Number(ty.scalar()).wire(self.ctx);
        // Booleans take a byte of memory in arrays.
        let item = if item.is_integer(1) { self.ctx.int(8) } else { item };
        let ints =
            [("rawConstantIndices", self.ctx.i32_array_attr(&[i32::MIN])), ("elem_type", self.ctx.type_attr(item))];
        let start = self.elements(object, ty, b);
        b.value(Kind::LlvmGetelementptr, &[start, at], self.ctx.ptr(), &ints)
    }

    /// Allocates an uninitialised array, of the given sizes for each `?`, or for all axes.
    pub fn new_array(&self, ty: Type, sizes: &[Value], b: Builder) -> Value {
        let word = self.ctx.int(64);
        let mut given = sizes.iter();
        let all = sizes.len() == ty.rank();
        let mut extents = Vec::new();
        for n in ty.shape() {
            extents.push(match n {
                Some(n) if !all => llvm_number(b, word, n as i64),
                _ => *given.next().expect("one size for each `?`"),
            });
        }
        let bytes = element_bytes(ty) as i64;
        let mut length = llvm_number(b, word, bytes);
        for n in &extents {
            length = b.same(Kind::LlvmMul, &[length, *n]);
        }
        // The sizes, and a whole number of words; an array without elements has one that is not used.
        let length = b.same(Kind::LlvmAdd, &[length, llvm_number(b, word, 8 * ty.rank() as i64 + 15)]);
        let object = self.allocate(b.same(Kind::LlvmAnd, &[length, llvm_number(b, word, -8)]), b);
        for (k, n) in extents.iter().enumerate() {
            b.make(Kind::LlvmStore, &[*n, element(b, object, k)], &[], &[]);
        }
        object
    }

    /// Emits the number of the element at the leading indices, after a check of each index, and the number of elements
    /// of the subarray at these indices.
    fn offset(&mut self, op: Op, object: Value, ty: Type, indices: &[Value]) -> (Value, Value) {
        let word = self.ctx.int(64);
        let mut at = llvm_number(self.b(op), word, 0);
        for (axis, i) in indices.iter().enumerate() {
            let b = self.b(op);
            let (i, n) = (self.wire(self.part(*i), b), self.size(object, ty, axis, b));
            let fine = b.compare(Compare::Ult, i, n);
            let message = format!("index-out-of-bounds: index {{}} on axis {axis} must be at least 0 and below {{}}");
            self.stop_unless(fine, &message, &[i, n], op);
            let b = self.b(op);
            at = b.same(Kind::LlvmMul, &[at, n]);
            at = b.same(Kind::LlvmAdd, &[at, i]);
        }
        let b = self.b(op);
        let mut behind = llvm_number(b, word, 1);
        for axis in indices.len()..ty.rank() {
            let n = self.size(object, ty, axis, b);
            at = b.same(Kind::LlvmMul, &[at, n]);
            behind = b.same(Kind::LlvmMul, &[behind, n]);
        }
        (at, behind)
    }

    fn copy(&self, [to, from]: [Value; 2], elements: Value, ty: Type, b: Builder) {
        let bytes = llvm_number(b, self.ctx.int(64), element_bytes(ty) as i64);
        let length = b.same(Kind::LlvmMul, &[elements, bytes]);
        let plain = [("isVolatile", self.ctx.bool_attr(false))];
        b.make(Kind::LlvmIntrMemcpy, &[to, from, length], &[], &plain);
    }

    pub fn aget(&mut self, op: Op) -> Value {
        let (array, ty) = (op.operand(0), op.result(0).ty());
        let object = self.part(array);
        let (at, behind) = self.offset(op, object, array.ty(), &op.operands()[1..]);
        let b = self.b(op);
        let place = self.place(object, array.ty(), at, b);
        if !ty.is_tensor() {
            let part = Leaf::Number(ty);
            let v = b.value(Kind::LlvmLoad, &[place], part.wire(self.ctx), &[]);
            return self.unwire(v, &part, b);
        }
        let first = op.num_operands() - 1;
        let sizes: Vec<Value> = (first..array.ty().rank()).map(|axis| self.size(object, array.ty(), axis, b)).collect();
        let new = self.new_array(ty, &sizes, b);
        self.copy([self.elements(new, ty, b), place], behind, ty, b);
        new
    }

    pub fn aset(&mut self, op: Op) -> Value {
        let (array, ty) = (op.operand(0), op.operand(0).ty());
        let (value, indices) = (op.cast::<Aset>().value(), op.cast::<Aset>().indices());
        let object = self.part(array);
        let (at, behind) = self.offset(op, object, ty, &indices);
        let b = self.b(op);
        let new = if self.program.in_place.contains(&op) { object } else { self.copied(object, ty, b) };
        let place = self.place(new, ty, at, b);
        let part = self.part(value);
        if value.ty().is_tensor() {
            self.copy([place, self.elements(part, value.ty(), b)], behind, ty, b);
        } else {
            b.make(Kind::LlvmStore, &[self.wire(part, b), place], &[], &[]);
        }
        new
    }

    /// Emits a copy of an array.
    pub fn copied(&self, object: Value, ty: Type, b: Builder) -> Value {
        let sizes: Vec<Value> = (0..ty.rank()).map(|axis| self.size(object, ty, axis, b)).collect();
        let new = self.new_array(ty, &sizes, b);
        let length = sizes.iter().copied().reduce(|m, n| b.same(Kind::LlvmMul, &[m, n]));
        let length = length.unwrap_or_else(|| llvm_number(b, self.ctx.int(64), 1));
        self.copy([self.elements(new, ty, b), self.elements(object, ty, b)], length, ty, b);
        new
    }

    /// Allocates this number of bytes, aligned to a cache line.
    pub fn scratch(&self, bytes: Value, b: Builder) -> Value {
        let word = self.ctx.int(64);
        let padded = b.same(Kind::LlvmAdd, &[bytes, llvm_number(b, word, 127)]);
        let padded = b.same(Kind::LlvmAnd, &[padded, llvm_number(b, word, -8)]);
        let memory = call(b, "mlopt.new", &[self.context, padded], &[self.ctx.ptr()]).result(0);
        let start = b.value(Kind::LlvmPtrtoint, &[memory], word, &[]);
        let up = b.same(Kind::LlvmAdd, &[start, llvm_number(b, word, 63)]);
        let aligned = b.same(Kind::LlvmAnd, &[up, llvm_number(b, word, -64)]);
        b.value(Kind::LlvmInttoptr, &[aligned], self.ctx.ptr(), &[])
    }
}
