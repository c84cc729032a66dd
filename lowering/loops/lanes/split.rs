//! Splitting of arithmetic on vectors that occupy several registers: the whole chain of operations is executed for one
//! register after the other.
//!
//! LLVM instead executes each operation for all registers before the next operation. An elementary function is a long
//! chain of operations with many constants. Several such chains at once need more registers than exist, so LLVM spills
//! values to the stack.

use crate::contraction::Registers;
use crate::ir::*;
use std::collections::{HashMap, HashSet};

/// Splits the wide operations in every block of `root`.
pub fn split_wide(root: Op, registers: Registers) {
    let blocks = root.nested_ops().into_iter().flat_map(Op::regions).flat_map(Region::blocks);
    for block in blocks.collect::<Vec<_>>() {
        let mut chain = Chain { registers, ops: Vec::new(), made: HashSet::new() };
        block.ops().into_iter().for_each(|op| chain.meet(op));
    }
}

/// Operations on wide vectors, in order, whose results no other op has needed yet.
struct Chain {
    registers: Registers,
    ops: Vec<Op>,
    made: HashSet<Value>,
}

impl Chain {
    fn meet(&mut self, op: Op) {
        if self.takes(op) {
            self.made.insert(op.result(0));
            self.ops.push(op);
        } else if op.num_regions() > 0
            || super::joined::may_write(op)
            || op.operands().iter().any(|v| self.made.contains(v))
        {
            self.finish(op);
        }
    }

    /// Returns the number of lanes of a register, for vectors that fill several.
    fn width(&self, ty: Type) -> Option<usize> {
        if !ty.is_vector() || !ty.scalar().is_float() {
            return None;
        }
        let width = self.registers.bits / 8 / ty.element()?.bytes();
        (ty.lanes() > width && ty.lanes().is_multiple_of(width)).then_some(width)
    }

    fn takes(&self, op: Op) -> bool {
        let kind = op.kind();
        let known = match kind.dialect() {
            "arith" | "math" => op.operands().iter().all(|v| v.ty() == op.result(0).ty()),
            _ => matches!(kind, Kind::VectorLoad | Kind::VectorBroadcast),
        };
        known && op.num_results() == 1 && op.num_operands() > 0 && self.width(op.result(0).ty()).is_some()
    }

    /// Emits the chain before `next`.
    fn finish(&mut self, next: Op) {
        let ops = std::mem::take(&mut self.ops);
        self.made.clear();
        // A single operation needs no more registers than its results.
        if ops.iter().filter(|op| op.kind().dialect() == "math").count() < 2 {
            return;
        }
        let mut parts: HashMap<Value, Vec<Value>> = HashMap::new();
        let most = ops.iter().map(|op| self.count(op.result(0).ty())).max().unwrap_or(0);
        for part in 0..most {
            for op in ops.iter().filter(|op| part < self.count(op.result(0).ty())) {
                let value = self.part(*op, part, &parts, Builder::before(next).at(op.location()));
                parts.entry(op.result(0)).or_default().push(value);
            }
        }
        for op in ops.iter().rev() {
            let z = op.result(0);
            if z.users().any(|user| !ops.contains(&user))
                && let Some(whole) = joined(&parts[&z], Builder::before(next).at(op.location()))
            {
                z.replace_all_uses_with(whole);
            }
            op.erase();
        }
    }

    fn count(&self, ty: Type) -> usize {
        self.width(ty).map_or(0, |width| ty.lanes() / width)
    }

    fn part(&self, op: Op, part: usize, parts: &HashMap<Value, Vec<Value>>, b: Builder) -> Value {
        let wide = op.result(0).ty();
        let width = self.width(wide).expect("checked by the caller");
        let ty = b.context().vector(width, wide.scalar());
        let mut operands = op.operands();
        match op.kind() {
            Kind::VectorLoad => {
                let last = operands.len() - 1;
                operands[last] = b.addi(operands[last], b.index((part * width) as i64));
            }
            Kind::VectorBroadcast => {}
            _ => {
                for v in &mut operands {
                    *v = parts.get(v).map_or_else(|| slice(*v, part * width, width, b), |all| all[part]);
                }
            }
        }
        b.remake(op, &operands, &[ty]).result(0)
    }
}

fn slice(v: Value, from: usize, width: usize, b: Builder) -> Value {
    let lanes: Vec<i64> = (from..from + width).map(|k| k as i64).collect();
    b.shuffle(v, v, &lanes)
}

/// Concatenates vectors.
fn joined(parts: &[Value], b: Builder) -> Option<Value> {
    parts.iter().copied().reduce(|so_far, next| {
        let all: Vec<i64> = (0..(so_far.ty().lanes() + next.ty().lanes()) as i64).collect();
        b.shuffle(so_far, next, &all)
    })
}
