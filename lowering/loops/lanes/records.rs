//! Memory accesses of vectorised loops over records: whole vectors and shuffles for records, gathers for other reads.

use super::{Emitter, Record};
use crate::contraction::transpose;
use crate::ir::*;

/// The maximum number of components of a record that is read as a whole. The components of longer records are gathered
/// separately.
const WIDEST_RECORD: usize = 16;

/// Returns the component of the record at `i` that `indices` select: a constant position after `i`, in contiguous rows
/// of known size.
pub(super) fn component(ty: Type, indices: &[Value], i: Value) -> Option<usize> {
    let (first, rest) = indices.split_first()?;
    if *first != i || rest.is_empty() || !ty.is_contiguous_memref() {
        return None;
    }
    let sizes = ty.shape();
    rest.iter().zip(&sizes[1..]).try_fold(0, |at, (k, n)| Some(at * (*n)? + usize::try_from(known(*k)?).ok()?))
}

/// Returns the value of an index that is a constant or a sum of constants, which `plan-memory` emits for the numbers of
/// rows.
pub(super) fn known(v: Value) -> Option<i64> {
    let (op, _) = v.defining_op()?;
    match op.kind() {
        Kind::ArithConstant => op.attribute("value")?.as_i64(),
        Kind::ArithAddi => known(op.operand(0))?.checked_add(known(op.operand(1))?),
        _ => None,
    }
}

impl Emitter<'_> {
    /// Emits a read in the lanes of `mask`, or in all lanes.
    pub(super) fn load(&mut self, op: Op, mask: Option<Value>) -> Value {
        let (memory, indices) = (op.operand(0), &op.operands()[1..]);
        let element = op.result(0).ty();
        let varies = |this: &Self, v: &Value| this.plan.varying.contains(v);
        if !indices.iter().any(|v| varies(self, v)) && mask.is_none() {
            let at: Vec<Value> = indices.iter().map(|v| self.scalar(*v)).collect();
            let read = self.b.value(Kind::MemrefLoad, &[&[memory], at.as_slice()].concat(), element, &[]);
            let varies = self.plan.varying.contains(&op.result(0));
            return if varies { self.b.broadcast(read, self.plan.lanes) } else { read };
        }
        let is_lane = |this: &Self, v: &Value| varies(this, v) && this.scalar(*v) == this.at;
        if mask.is_none()
            && let [outer @ .., last] = indices
            && is_lane(self, last)
            && !outer.iter().any(|v| varies(self, v))
            && memory.ty().is_contiguous_memref()
        {
            let at: Vec<Value> = indices.iter().map(|v| self.scalar(*v)).collect();
            return self.b.value(Kind::VectorLoad, &[&[memory], at.as_slice()].concat(), self.vector(element), &[]);
        }
        let lane = indices.iter().copied().find(|v| is_lane(self, v));
        if mask.is_none()
            && let Some(k) = lane.and_then(|i| component(memory.ty(), indices, i))
            && memory.ty().shape()[1..].iter().flatten().product::<usize>() <= WIDEST_RECORD
        {
            return self.component_of_records(memory, k, element);
        }
        self.gather(memory, indices, element, mask)
    }

    /// Returns component `k` of one record per lane. All components are read together, so that the reads for the other
    /// components are the same and LLVM merges them.
    fn component_of_records(&mut self, memory: Value, k: usize, element: Type) -> Value {
        let size: usize = memory.ty().shape()[1..].iter().flatten().product();
        let all = self.b.context().vector(self.plan.lanes * size, element);
        let zero = self.b.index(0);
        let mut operands = vec![memory, self.at];
        operands.extend(memory.ty().shape()[1..].iter().map(|_| zero));
        let read = self.b.value(Kind::VectorLoad, &operands, all, &[]);
        let mask: Vec<i64> = (0..self.plan.lanes).map(|l| (l * size + k) as i64).collect();
        self.b.shuffle(read, read, &mask)
    }

    /// Emits a read at arbitrary positions, which are in range in the lanes of `mask`.
    fn gather(&mut self, memory: Value, indices: &[Value], element: Type, mask: Option<Value>) -> Value {
        let ctx = self.b.context();
        let mask = mask.unwrap_or_else(|| self.b.everywhere(self.vector(ctx.int(1)), ctx.bool_attr(true)));
        // The innermost index of a gather may exceed the size of its axis, because it counts elements from the first
        // one.
        let zero = self.b.index(0);
        let mut at: Option<Value> = None;
        for (axis, i) in indices.iter().enumerate() {
            let i = self.lanes(*i);
            at = Some(match at {
                None => i,
                Some(at) => {
                    let n = match memory.ty().shape()[axis] {
                        Some(n) => self.b.index(n as i64),
                        None => self.b.size_of(memory, axis),
                    };
                    self.b.addi(self.b.muli(at, self.b.broadcast(n, self.plan.lanes)), i)
                }
            });
        }
        let at = at.unwrap_or_else(|| self.b.broadcast(zero, self.plan.lanes));
        let ty = self.vector(element);
        let nothing = self.b.zeros(ty);
        let origin: Vec<Value> = indices.iter().map(|_| zero).collect();
        let operands = [&[memory], origin.as_slice(), &[at, mask, nothing]].concat();
        self.b.value(Kind::VectorGather, &operands, ty, &[])
    }

    /// Stores all components of the records of all lanes: they are transposed in squares, and stored record by record.
    pub(super) fn store(&mut self, record: &Record) {
        let (lanes, memory) = (self.plan.lanes, record.memory);
        let zero = self.b.zeros(self.vector(memory.ty().scalar()));
        let shape: Vec<usize> = memory.ty().shape().into_iter().skip(1).flatten().collect();
        let square = |part: &[Value]| {
            let mut rows: Vec<Value> = part.iter().map(|v| self.lanes(*v)).collect();
            rows.resize(lanes, zero);
            transpose(rows, self.b)
        };
        let squares: Vec<Vec<Value>> = record.values.chunks(lanes).map(square).collect();
        for lane in 0..lanes {
            let i = self.b.plus(self.at, lane);
            for (s, square) in squares.iter().enumerate() {
                // Some lanes of the last square have no column; the rest is stored in pieces.
                let (mut from, end) = (0, lanes.min(record.values.len() - s * lanes));
                while from < end {
                    let length = 1usize << (end - from).ilog2();
                    let piece = if length == lanes { square[lane] } else { self.piece(square[lane], from, length) };
                    let mut operands = vec![piece, memory, i];
                    let mut rest = s * lanes + from;
                    let mut position = Vec::new();
                    for n in shape.iter().rev() {
                        position.push(self.b.index((rest % n) as i64));
                        rest /= n;
                    }
                    operands.extend(position.into_iter().rev());
                    self.b.make(Kind::VectorStore, &operands, &[], &[]);
                    from += length;
                }
            }
        }
    }

    fn piece(&self, of: Value, from: usize, length: usize) -> Value {
        self.b.shuffle(of, of, &(from..from + length).map(|k| k as i64).collect::<Vec<_>>())
    }
}
