//! Moves reads past the definitions of arrays (spec/arrays.md B.3), until only the needed elements are computed.
//!
//! A read out of range returns zero, but the code that replaces the read may compute another value at such an index.
//! Therefore a moved read is guarded by a test of its indices, unless they are proved to be in range (spec/arrays.md
//! B.1). The specification omits the guard for ops that map zero to zero; this module guards negation nevertheless,
//! because the negation of 0 is −0.

use super::normal;
use super::ops::{self, Emit, Extent, Splat};
use super::ranges::Ranges;
use super::simplify::{simplify, transposed, unfold};
use super::sizes::{self, Size};
use crate::analysis::kinds;
use mlopt_dialects::ir::{Block, Builder, Op, Region, Type, Value};
use mlopt_dialects::ops::arith::Cmpi;
use mlopt_dialects::ops::{CmpIPredicate, HasKind, Kind};
use std::collections::HashMap;

/// Moves the reads in `root` as far as possible; `wanted` may exclude ops. Returns whether a read has moved.
pub fn push_all(root: Op, wanted: &dyn Fn(Op) -> bool) -> bool {
    let mut changed = false;
    // Ops that are erased during the traversal precede the read, so they have been visited.
    for op in root.nested_ops() {
        if op.kind() != Kind::ArrayGet {
            continue;
        }
        let mut pending = vec![Read { get: op, inside: false }];
        while let Some(read) = pending.pop() {
            if let Some(made) = normal::movable(read.get).filter(|made| wanted(*made)) {
                pending.extend(push(read, made));
                changed = true;
            }
        }
    }
    changed
}

/// A read that is being moved.
#[derive(Clone, Copy)]
struct Read {
    get: Op,
    /// True if its result matters only where its indices are in range, because of a guard around it.
    inside: bool,
}

/// Replaces the read of a result of `made`. Returns the new reads.
fn push(read: Read, made: Op) -> Vec<Read> {
    let get = read.get;
    let indices = get.operands()[1..].to_vec();
    let b = Builder::before(get);
    let mut step = Step { b, get, made, indices, inside: read.inside, reads: HashMap::new(), made_reads: Vec::new() };
    let value = step.run();
    let reads = step.made_reads;
    get.replace_with([value]);
    if made.results().into_iter().all(Value::is_unused) {
        made.erase();
    }
    reads.into_iter().filter(|r| !r.get.result(0).is_unused()).collect()
}

/// A read, and the op that it moves past.
pub struct Step {
    pub b: Builder,
    get: Op,
    pub made: Op,
    pub indices: Vec<Value>,
    inside: bool,
    /// The emitted reads, one for each array.
    reads: HashMap<Value, Value>,
    made_reads: Vec<Read>,
}

impl Step {
    fn run(&mut self) -> Value {
        let (b, made) = (self.b, self.made);
        let i = self.indices.clone();
        match made.kind() {
            Kind::ArrayGet => self.read(made.operand(0), &[&made.operands()[1..], &i].concat()),
            Kind::ArrayReplicate => {
                let e = self.read(made.operand(0), &i[1..]);
                self.guarded(1, e)
            }
            Kind::ArrayIota => self.guarded(1, i[0]),
            Kind::ArrayStack => self.stack(),
            Kind::ArrayReverse => {
                let n = sizes::value(b, sizes::of(made.operand(0), 0));
                let last = b.binary(Kind::ArithSubi, n, b.index(1));
                let first = b.binary(Kind::ArithSubi, last, i[0]);
                self.read(made.operand(0), &[&[first], &i[1..]].concat())
            }
            Kind::ArraySlice => {
                let first = b.binary(Kind::ArithAddi, made.operand(1), i[0]);
                let e = self.read(made.operand(0), &[&[first], &i[1..]].concat());
                self.guarded(1, e)
            }
            Kind::ArrayAppend => self.append(),
            Kind::ArrayTranspose => self.transpose(),
            Kind::ArrayReshape => super::reshape::read(self),
            Kind::ArrayGather => self.gather(),
            Kind::ScfIf => self.branch(),
            _ if ops::is_reduction(made.kind()) || ops::is_search(made.kind()) => self.reduction(),
            _ => self.elementwise(),
        }
    }

    /// Returns the type of the result of the read.
    pub fn ty(&self) -> Type {
        self.get.result(0).ty()
    }

    /// Emits `x[indices...]`, once for each array.
    pub fn read(&mut self, x: Value, indices: &[Value]) -> Value {
        if indices.is_empty() {
            return x;
        }
        if let Some(&read) = self.reads.get(&x) {
            return read;
        }
        let read = self.constant(x, indices).unwrap_or_else(|| {
            let read = self.b.get(x, indices);
            self.follow(read);
            read
        });
        self.reads.insert(x, read);
        read
    }

    /// Schedules the read that defines `value`. It is in range where the replaced one is, unless it reads at computed
    /// positions.
    fn follow(&mut self, value: Value) {
        let computed = matches!(self.made.kind(), Kind::ArrayGet | Kind::ArrayGather | Kind::ArraySlice);
        let inside = self.inside && !computed;
        self.made_reads.extend(value.defining_op().map(|(get, _)| Read { get, inside }));
    }

    /// Returns an element of a constant with equal elements.
    fn constant(&self, x: Value, indices: &[Value]) -> Option<Value> {
        let splat = Splat::of(x)?;
        let shape = x.ty().shape();
        let inside = |k: usize| self.inside || Ranges::default().is_inside(indices[k], x, k);
        if !matches!(splat, Splat::Dual(Kind::DualZero)) && !(0..indices.len()).all(inside) {
            return None;
        }
        Some(splat.at_type(self.b, Type::array(&shape[indices.len()..], x.ty().scalar())))
    }

    /// Returns `e` where the first `k` indices are in range of the result of the op, zero elsewhere.
    fn guarded(&self, k: usize, e: Value) -> Value {
        self.guarded_at(0..k, e)
    }

    /// Returns `e` where the indices of these axes are in range, zero elsewhere.
    pub fn guarded_at(&self, axes: std::ops::Range<usize>, e: Value) -> Value {
        if self.inside {
            return e;
        }
        let (b, array) = (self.b, self.get.operand(0));
        let mut conditions = Vec::new();
        for axis in axes {
            let (i, size) = (self.indices[axis], sizes::of(array, axis));
            let mut ranges = Ranges::default();
            if ranges.is_outside(i, array, axis) {
                return b.zeros_like(e);
            }
            if !ranges.is_nonnegative(i) {
                conditions.push(Cmpi::create(b, i, b.index(0), CmpIPredicate::Sge).result());
            }
            if !ranges.is_below(i, size) {
                // A nonnegative index is never less than a negative extent.
                let n = if let Size::Extent(n) = size { n } else { sizes::value(b, size) };
                conditions.push(Cmpi::create(b, i, n, CmpIPredicate::Slt).result());
            }
        }
        let Some(inside) = conditions.into_iter().reduce(|p, q| b.binary(Kind::ArithAndi, p, q)) else {
            return e;
        };
        b.select(inside, e, b.zeros_like(e))
    }

    /// op(u...)[i] = op(u[i]...).
    fn elementwise(&mut self) -> Value {
        let (indices, guarded) = (self.indices.clone(), !keeps_zero(self.made));
        // Under a guard, the values of the operands out of range do not matter.
        let around = self.inside;
        self.inside |= guarded;
        let operands = self.made.operands();
        let read = |u| if ops::is_scalar(u) { u } else { self.read(u, &indices) };
        let operands: Vec<Value> = operands.into_iter().map(read).collect();
        self.inside = around;
        let e = self.b.at(self.made.location()).rebuild(self.made, &operands, &[self.ty()], &[])[0];
        if guarded { self.guarded(indices.len(), e) } else { e }
    }

    /// stack(u...)[c, i...] = u_c[i...], and with a computed index stack(u[i...]...)[k].
    fn stack(&mut self) -> Value {
        let (b, parts) = (self.b, self.made.operands());
        let (first, rest) = (self.indices[0], self.indices[1..].to_vec());
        if let Some(c) = Ranges::default().constant(first) {
            let part = usize::try_from(c).ok().and_then(|c| parts.get(c).copied());
            return match part {
                Some(part) => self.read(part, &rest),
                None => {
                    let sizes = sizes::dynamic(b, parts[0], rest.len());
                    b.zeros(self.ty(), &sizes)
                }
            };
        }
        let elements: Vec<Value> = parts.iter().map(|&u| self.read(u, &rest)).collect();
        b.get(b.stack(&elements), &[first])
    }

    /// append(u, v)[k, i...] = u[k, i...] for k below the size n of u, else v[k - n, i...].
    fn append(&mut self) -> Value {
        let (b, u, v) = (self.b, self.made.operand(0), self.made.operand(1));
        let (k, rest) = (self.indices[0], self.indices[1..].to_vec());
        let size = sizes::of(u, 0);
        if Ranges::default().is_below(k, size) {
            return self.read(u, &self.indices.clone());
        }
        let n = sizes::value(b, size);
        let further = b.binary(Kind::ArithSubi, k, n);
        if Ranges::default().is_at_least(k, size) {
            return self.read(v, &[&[further], rest.as_slice()].concat());
        }
        let first = b.get(u, &self.indices);
        let second = b.get(v, &[&[further], rest.as_slice()].concat());
        self.follow(first);
        self.follow(second);
        b.select(Cmpi::create(b, k, n, CmpIPredicate::Slt).result(), first, second)
    }

    /// transpose(u, p)[i...] = u[j...] with j[p[k]] = i[k].
    fn transpose(&mut self) -> Value {
        let (b, u, p) = (self.b, self.made.operand(0), ops::permutation(self.made));
        let m = self.indices.len();
        if p[..m].iter().all(|&axis| axis < m) {
            // The other axes keep their order.
            let mut position = self.indices.clone();
            p[..m].iter().zip(&self.indices).for_each(|(&axis, &i)| position[axis] = i);
            let rest: Vec<usize> = p[m..].iter().map(|axis| axis - m).collect();
            return transposed(b, self.read(u, &position), &rest);
        }
        // From axis q on no axis moves; the axes before it that are not fixed are read by a gather.
        let q = (0..p.len()).rev().find(|&k| p[k] != k).map_or(m, |k| k + 1);
        let extents: Vec<Extent> = (m..q).map(|axis| sizes::extent(b, u, p[axis])).collect();
        let gather = b.gather_over(u, &extents, |_, free| {
            let mut position = vec![free[0]; q];
            p[..q].iter().zip(self.indices.iter().chain(free)).for_each(|(&axis, &i)| position[axis] = i);
            position
        });
        simplify(gather)
    }

    /// gather(u, f)[i..., k...] = u[f(i...)..., k...].
    fn gather(&mut self) -> Value {
        let (b, made) = (self.b, self.made);
        let extents = ops::extents(made);
        let arguments = made.entry().arguments();
        let (q, m) = (extents.len(), self.indices.len());
        let known = arguments.iter().copied().zip(self.indices.iter().copied());
        if m >= q {
            let position = unfold(made, b, known.collect());
            let e = self.read(made.operand(0), &[&position, &self.indices[q..]].concat());
            return self.guarded(q, e);
        }
        let gather = b.gather_over(made.operand(0), &extents[m..], |b, free| {
            let free = arguments[m..].iter().copied().zip(free.iter().copied());
            unfold(made, b, known.chain(free).collect())
        });
        self.guarded(m, simplify(gather))
    }

    /// (Σ over some axes of u)[i...] = Σ of u with the other axes at i.
    fn reduction(&mut self) -> Value {
        let (b, made, u) = (self.b, self.made, self.made.operand(0));
        let (reduced, m) = (ops::axes(made), self.indices.len());
        let kept: Vec<usize> = (0..u.ty().rank()).filter(|a| !reduced.contains(a)).collect();
        // The axes before `end` are indexed: by a fixed index, or, if they are reduced, by a gather.
        let end = kept[m - 1] + 1;
        let (before, after): (Vec<usize>, Vec<usize>) = reduced.iter().copied().partition(|&a| a < end);
        let x = if before.is_empty() {
            self.read(u, &self.indices.clone())
        } else {
            let extents: Vec<Extent> = before.iter().map(|&axis| sizes::extent(b, u, axis)).collect();
            let gather = b.gather_over(u, &extents, |_, free| {
                let mut position = vec![free[0]; end];
                before.iter().zip(free).for_each(|(&axis, &j)| position[axis] = j);
                kept.iter().zip(&self.indices).for_each(|(&axis, &i)| position[axis] = i);
                position
            });
            simplify(gather)
        };
        let axes = (0..before.len()).chain(after.iter().map(|a| before.len() + a - end));
        let attribute = ops::axes_attribute(made, axes);
        let e = b.at(made.location()).rebuild(made, &[x], &[self.ty()], &[attribute])[0];
        // A sum of zeros is zero, and the first of them is at 0; but an empty product is one.
        let of_nothing = !matches!(made.kind(), Kind::ArraySum | Kind::ArrayArgmax | Kind::ArrayArgmin)
            && !reduced.iter().all(|&axis| Ranges::default().is_not_empty(sizes::of(u, axis)));
        if of_nothing { self.guarded(m, e) } else { e }
    }

    /// Changes the branch to yield the element instead of the array, and moves it to the position of the read.
    fn branch(&mut self) -> Value {
        let result = self.get.operand(0).defining_op().map_or(0, |(_, k)| k);
        let mut branch = self.b.at(self.made.location()).op(Kind::ScfIf).operands(&[self.made.operand(0)]);
        branch = branch.results(&[self.ty()]);
        for old in self.made.blocks() {
            let block = Block::new(&[]);
            let (ops, end) = old.split_end();
            let array = end.operand(result);
            let b = Builder::at_end(block, end.location());
            // A position to which the ops are moved.
            let moved = b.insert(b.op(Kind::ScfYield).operands(&[array]).build());
            ops.into_iter().for_each(|op| op.move_before(moved));
            let e = Builder::before(moved).get(array, &self.indices);
            self.follow(e);
            moved.set_operand(0, e);
            branch = branch.region(Region::with_block(block));
        }
        self.b.insert(branch.build()).result(0)
    }
}

/// Checks whether an elementwise op returns zero for zero elements (spec/arrays.md B.1).
fn keeps_zero(op: Op) -> bool {
    let predicate = op.attribute("predicate").and_then(|a| a.as_i64());
    match op.kind() {
        // The predicates that are false for two zeros: <, >, ≠, ordered or not, `uno`, and the constant false.
        Kind::ArithCmpf => matches!(predicate, Some(0 | 2 | 4 | 6 | 9 | 11 | 13 | 14)),
        Kind::ArithCmpi => matches!(predicate, Some(1 | 2 | 4 | 6 | 8)),
        _ => KEEP_ZERO.contains(&op.kind()),
    }
}

const KEEP_ZERO: &[Kind] = kinds![
    ArithAddf ArithAddi ArithAndi ArithExtf ArithExtsi ArithExtui ArithFptosi ArithFptoui ArithIndexCast
    ArithIndexCastui ArithMaximumf ArithMaxnumf ArithMaxsi ArithMaxui ArithMinimumf ArithMinnumf ArithMinsi ArithMinui
    ArithMulf ArithMuli ArithOri ArithSelect ArithShli ArithShrsi ArithShrui ArithSitofp ArithSubf ArithSubi
    ArithTruncf ArithTrunci ArithUitofp ArithXori ArrayDiv ArrayFloor ArrayMod MathAbsf MathAbsi MathAsin MathAsinh
    MathAtan MathAtan2 MathAtanh MathCbrt MathCopysign MathErf MathExpm1 MathFloor MathFma MathLog1p MathRound
    MathRoundeven MathSin MathSinh MathSqrt MathTan MathTanh MathTrunc
];
