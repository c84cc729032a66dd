//! Vectorisation of sums along the rows of a matrix, for several rows at once.
//!
//! For `z[i] = Σₖ a[i, k]·x[k]` with few columns, LLVM computes one sum after the other. Each of these ends with adding
//! up the lanes of one vector, and each reads `x` again. Here four rows are computed together: they read `x` once, and
//! their lanes are added up together.
//!
//! The pass accepts a nest over one axis that only stores, and whose body contains one nest of sums that reads along
//! rows of known length. A scalar loop computes the last `n mod 4` rows.

use crate::ir::*;
use crate::loops::invariants::root;
use crate::nests::are_all;
use crate::reduction::combine;
use crate::scf::{carry, for_outermost};
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The new value of each value in the nest of sums.
type Known = HashMap<Value, Value>;

/// The number of rows at once.
const ROWS: usize = 4;
/// The maximum number of sums per row; each takes a register for each of the rows at once.
const MOST_SUMS: usize = 4;
/// The maximum length of a row; longer rows are as fast one after the other.
const LONGEST: i64 = 512;
/// The maximum number of vectors of a row that are unrolled; more become a loop.
const MOST_WRITTEN: i64 = 8;

/// Vectorises `nest` if possible. The remaining nest then starts at the returned index.
pub fn vectorise(nest: Op) -> Option<Value> {
    let plan = Plan::of(nest)?;
    let b = Builder::before(nest);
    let n = nest.operand_segment(0)[0];
    let rows = b.index(ROWS as i64);
    // As elsewhere, a negative extent means an empty loop.
    let rest = b.same(Kind::ArithRemsi, &[n, rows]);
    let whole = b.subi(n, rest);
    let zero = b.index(0);
    let (inner, row) = for_outermost(b, nest, zero, whole, rows);
    plan.write(inner, row);
    Some(b.maxsi(whole, zero))
}

struct Plan {
    nest: Op,
    sums: Op,
    /// The length of a row.
    length: i64,
    lanes: usize,
    element: Type,
    /// The values in the sums that differ between columns.
    varying: HashSet<Value>,
    /// The values that differ between rows.
    by_row: HashSet<Value>,
}

impl Plan {
    fn of(nest: Op) -> Option<Plan> {
        let body = nest.body()?;
        let sums = *body.ops().iter().find(|op| op.kind() == Kind::SweepNest)?;
        let columns = sums.body()?;
        if [nest, sums].iter().any(|nest| nest.operand_segment(0).len() != 1)
            || nest.num_results() > 0
            || body.num_arguments() != 1
            || !are_all(sums, ResultKind::Sum)
            || !(1..=MOST_SUMS).contains(&sums.num_results())
        {
            return None;
        }
        let element = sums.result(0).ty();
        let lanes = 64 / element.element().filter(|_| element.is_float())?.bytes();
        let length = known(sums.operand(0))?;
        if !(lanes as i64..=LONGEST).contains(&length) || known(nest.operand(0)).is_some_and(|n| n < ROWS as i64) {
            return None;
        }
        let varying = HashSet::from([columns.argument(0)]);
        let by_row = HashSet::from([body.argument(0)]);
        let mut plan = Plan { nest, sums, length, lanes, element, varying, by_row };
        plan.fits().then_some(plan)
    }

    fn fits(&mut self) -> bool {
        let (body, columns) = (self.nest.entry(), self.sums.entry());
        let (mut read, mut written) = (HashSet::new(), HashSet::new());
        for op in body.ops() {
            match op.kind() {
                Kind::SweepYield => continue,
                Kind::SweepNest if op != self.sums => return false,
                Kind::SweepNest => {}
                Kind::MemrefStore => {
                    written.insert(root(op.operand(1)));
                }
                Kind::MemrefLoad => {
                    read.insert(root(op.operand(0)));
                }
                _ if op.num_regions() > 0 || !is_plain(op) => return false,
                _ => {}
            }
            if op == self.sums || op.operands().iter().any(|v| self.by_row.contains(v)) {
                self.by_row.extend(op.results());
            }
        }
        let k = columns.argument(0);
        for op in columns.ops() {
            let varies = op.operands().iter().any(|v| self.varying.contains(v));
            let kind = op.kind();
            let fine = match kind {
                Kind::SweepYield => op.operands().iter().all(|v| v.ty() == self.element),
                Kind::MemrefLoad => {
                    read.insert(root(op.operand(0)));
                    let mut outer = op.operands()[1..].to_vec();
                    let element = op.result(0).ty() == self.element;
                    let along = outer.pop() == Some(k) && element && op.operand(0).ty().is_contiguous_memref();
                    !varies || (along && !outer.iter().any(|v| self.varying.contains(v)))
                }
                Kind::ArithCmpf if varies => true,
                _ if varies && kind.dialect() == "arith" => {
                    op.result(0).ty() == self.element && (is_float_arithmetic(kind) || kind == Kind::ArithSelect)
                }
                _ if varies && kind.dialect() == "math" => is_vector_math(kind) && op.result(0).ty() == self.element,
                _ => is_plain(op),
            };
            if !fine || op.num_regions() > 0 {
                return false;
            }
            if varies {
                self.varying.extend(op.results());
            }
            if op.operands().iter().any(|v| self.by_row.contains(v)) {
                self.by_row.extend(op.results());
            }
        }
        columns.end().operands().iter().all(|v| self.varying.contains(v)) && read.is_disjoint(&written)
    }

    /// Emits the rows from `first` on.
    fn write(&self, b: Builder, first: Value) {
        let body = self.nest.entry();
        let row = |r: usize| HashMap::from([(body.argument(0), b.plus(first, r))]);
        let mut rows: Vec<Known> = (0..ROWS).map(row).collect();
        for op in body.ops() {
            let b = b.at(op.location());
            match op.kind() {
                Kind::SweepYield => {}
                Kind::SweepNest => self.write_sums(b, &mut rows),
                _ => rows.iter_mut().for_each(|row| {
                    b.copy(op, row);
                }),
            }
        }
    }

    fn write_sums(&self, b: Builder, rows: &mut [Known]) {
        let (ctx, lanes) = (b.context(), self.lanes as i64);
        let ty = ctx.vector(self.lanes, self.element);
        let count = self.sums.num_results() * ROWS;
        let zeros = b.zeros(ty);
        let whole = self.length / lanes;
        let mut so_far = vec![zeros; count];
        if whole > MOST_WRITTEN {
            let (from, to) = (b.index(0), b.index(whole * lanes));
            so_far = carry(b, from, to, self.lanes, &so_far, |b, k, so_far| self.add(b, k, None, rows, so_far));
        } else {
            for k in 0..whole {
                so_far = self.add(b, b.index(k * lanes), None, rows, &so_far);
            }
        }
        let rest = self.length % lanes;
        if rest > 0 {
            let truth = ctx.vector(self.lanes, ctx.int(1));
            let is_there: Vec<String> = (0..lanes).map(|k| (k < rest).to_string()).collect();
            let mask = b.constant(ctx.attribute(&format!("dense<[{}]> : {truth}", is_there.join(", "))), truth);
            so_far = self.add(b, b.index(whole * lanes), Some((mask, zeros)), rows, &so_far);
        }
        for (s, z) in self.sums.results().into_iter().enumerate() {
            let of_rows = so_far.iter().skip(s).step_by(self.sums.num_results()).copied().collect();
            let all = self.total(of_rows, b);
            for (r, row) in rows.iter_mut().enumerate() {
                row.insert(z, b.extract(all, r as i64));
            }
        }
    }

    /// Adds one vector of columns, from `k` on, to the sums of each row; with a mask, only the columns in it.
    fn add(&self, b: Builder, k: Value, mask: Option<(Value, Value)>, rows: &[Known], so_far: &[Value]) -> Vec<Value> {
        let columns = self.sums.entry();
        let fastmath = self.sums.attribute("fastmath");
        // Values that all rows share are computed once.
        let mut common = HashMap::from([(columns.argument(0), k)]);
        let mut next = Vec::new();
        for (r, row) in rows.iter().enumerate() {
            let mut own = row.clone();
            for op in columns.ops() {
                let b = b.at(op.location());
                if op.kind() == Kind::SweepYield {
                    for (s, v) in op.operands().into_iter().enumerate() {
                        let v = find(v, &own, &common);
                        let v = mask.map_or(v, |(mask, zeros)| b.select(mask, v, zeros));
                        let before = so_far[r * op.num_operands() + s];
                        next.push(combine(b, ResultKind::Sum, before, v, fastmath, true));
                    }
                    continue;
                }
                let is_own = self.by_row.contains(&op.result(0));
                if is_own || r == 0 {
                    let new = self.in_lanes(op, b, mask, &own, &mut common);
                    if is_own {
                        own.insert(op.result(0), new)
                    } else {
                        common.insert(op.result(0), new)
                    };
                }
            }
        }
        next
    }

    /// Emits one op of the sums, as a vector if it varies.
    fn in_lanes(&self, op: Op, b: Builder, mask: Option<(Value, Value)>, own: &Known, common: &mut Known) -> Value {
        let ty = op.result(0).ty();
        let found: Vec<Value> = op.operands().into_iter().map(|v| find(v, own, common)).collect();
        if !self.varying.contains(&op.result(0)) {
            return b.remake(op, &found, &[ty]).result(0);
        }
        let wide = b.context().vector(self.lanes, ty);
        if op.kind() == Kind::MemrefLoad {
            return match mask {
                None => b.value(Kind::VectorLoad, &found, wide, &[]),
                Some((mask, zeros)) => {
                    b.value(Kind::VectorMaskedload, &[&found[..], &[mask, zeros]].concat(), wide, &[])
                }
            };
        }
        let widened = found.into_iter().map(|v| if v.ty().is_vector() { v } else { b.broadcast(v, self.lanes) });
        b.remake(op, &widened.collect::<Vec<_>>(), &[wide]).result(0)
    }

    /// Returns one vector with the sum of all lanes of each of these vectors: pairs of vectors exchange halves until
    /// one is left, whose lanes are then added within each row.
    fn total(&self, mut vectors: Vec<Value>, b: Builder) -> Value {
        let mut partial = self.lanes as i64;
        let halves = |groups: i64, size: i64, second: bool| {
            let start = if second { size / 2 } else { 0 };
            (0..groups).flat_map(move |g| (0..size / 2).map(move |k| g * size + start + k)).collect::<Vec<i64>>()
        };
        let add = |b: Builder, x: Value, y: Value| combine(b, ResultKind::Sum, x, y, None, true);
        while vectors.len() > 1 {
            // The groups of the second vector continue the numbering of those of the first.
            let groups = 2 * self.lanes as i64 / partial;
            let [low, high] = [false, true].map(|second| halves(groups, partial, second));
            vectors =
                vectors.chunks(2).map(|p| add(b, b.shuffle(p[0], p[1], &low), b.shuffle(p[0], p[1], &high))).collect();
            partial /= 2;
        }
        let mut all = vectors[0];
        while partial > 1 {
            let [low, high] = [false, true].map(|second| halves(ROWS as i64, partial, second));
            all = add(b, b.shuffle(all, all, &low), b.shuffle(all, all, &high));
            partial /= 2;
        }
        all
    }
}

fn find(v: Value, own: &Known, common: &Known) -> Value {
    own.get(&v).or_else(|| common.get(&v)).copied().unwrap_or(v)
}

/// Checks whether an op computes numbers from numbers, and has no other effect.
fn is_plain(op: Op) -> bool {
    let is_number = |v: Value| v.ty().is_scalar();
    let computes = matches!(op.kind().dialect(), "arith" | "math");
    op.kind() == Kind::MemrefDim
        || (computes && op.num_results() == 1 && op.operands().into_iter().chain(op.results()).all(is_number))
}
