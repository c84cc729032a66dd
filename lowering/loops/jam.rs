//! Unroll-and-jam: a loop over the rows of a matrix, in which one inner loop reads a row, processes several rows at
//! once, so that the inner loop reads and writes what the rows share only once.
//!
//! ```text
//! nest (i < m) {                              for (i = 0; i < m - m mod 4; i += 4) {
//!   s = nest (j < n) -> sum {                   s0 … s3 = nest (j < n) -> sum … sum {
//!     t[j] = t[j] + a[i, j] · u[i]                t[j] = t[j] + a[i, j] · u[i] + … + a[i + 3, j] · u[i + 3]
//!     a[i, j] · v[j]                   →          a[i, j] · v[j] … a[i + 3, j] · v[j]
//!   }                                           }
//!   z[i] = s                                    z[i] = s0 … z[i + 3] = s3
//! }                                           }
//! ```
//! Each element of `t` adds the rows in the same order as before. The loop over the columns is left to LLVM, which
//! vectorises it. A loop over single rows computes the last ones.

use crate::contraction::Registers;
use crate::ir::*;
use crate::loops::invariants::root;
use crate::nests::{self, are_all, kinds, shift};
use crate::scf::for_outermost;
use mlopt_dialects::sweep::ResultKind;
use std::collections::{HashMap, HashSet};

/// The new value of each value of the nest.
type Known = HashMap<Value, Value>;

/// The minimum number of columns, if it is known. The code for an unknown number takes longer to start.
const LEAST_COLUMNS: i64 = 16;
const LEAST_OF_UNKNOWN: i64 = 64;
/// The maximum number of arithmetic operations on an element of a row.
const MOST_OPS: usize = 24;

/// The first part of a nest, in which several rows are processed at once.
pub struct Jammed {
    /// The new nest over the columns, which has to be lowered.
    pub columns: Op,
    /// The index at which the remaining nest starts.
    pub rest: Value,
}

/// Processes several rows of `nest` at once, if it has this form.
pub fn jam(nest: Op, registers: Registers) -> Option<Jammed> {
    let plan = Plan::of(nest)?;
    // Each row needs a register for each of its sums, and one for each value that it multiplies with all columns.
    let rows = registers.accumulators() / 2 / plan.columns.num_results().max(1);
    let n = nest.operand_segment(0)[0];
    // The sums of the last rows have another order than those of several rows at once. The rows of a thread, whose
    // number depends on how many threads there are, must have the same sums for every number.
    if plan.columns.num_results() > 0 && !is_size(n) {
        return None;
    }
    if rows < 2 || known(n).is_some_and(|n| n < 2 * rows as i64) {
        return None;
    }
    let b = Builder::before(nest);
    let step = b.index(rows as i64);
    let mut whole = b.subi(n, b.same(Kind::ArithRemsi, &[n, step]));
    let columns = plan.columns.operand_segment(0)[0];
    if known(columns).is_none() {
        let are_many = b.compare(Compare::Sge, columns, b.index(LEAST_OF_UNKNOWN));
        whole = b.select(are_many, whole, b.index(0));
    }
    let (inside, first) = for_outermost(b, nest, b.index(0), whole, step);
    let columns = plan.write(rows, first, inside);
    // As elsewhere, a negative extent means an empty loop.
    Some(Jammed { columns, rest: b.maxsi(whole, b.index(0)) })
}

/// Checks whether an extent is the size of an array, and no computed number.
fn is_size(n: Value) -> bool {
    let is_function = |block: Block| block.parent_op().is_some_and(|op| op.kind() == Kind::FuncFunc);
    match n.defining_op() {
        Some((op, _)) => known(n).is_some() || op.kind() == Kind::MemrefDim,
        None => n.block().is_some_and(is_function),
    }
}

struct Plan {
    nest: Op,
    columns: Op,
    /// The values that differ between rows.
    by_row: HashSet<Value>,
    /// The arrays whose elements each row changes, with the read and the store in the body of `columns`.
    carried: Vec<(Op, Op)>,
}

impl Plan {
    fn of(nest: Op) -> Option<Plan> {
        let body = nest.body()?;
        let columns = *body.ops().iter().find(|op| op.kind() == Kind::SweepNest)?;
        let [extent] = columns.operand_segment(0)[..] else { return None };
        if nest.operand_segment(0).len() != 1
            || nest.num_results() > 0
            || body.num_arguments() != 1
            || !are_all(columns, ResultKind::Sum)
            || known(extent).is_some_and(|n| n < LEAST_COLUMNS)
            || is_made_inside(extent, nest)
            || [nest, columns].iter().any(|op| op.attribute("parallel").is_some())
        {
            return None;
        }
        let mut plan = Plan { nest, columns, by_row: HashSet::from([body.argument(0)]), carried: Vec::new() };
        plan.look_at()?;
        Some(plan)
    }

    /// Analyses the ops. Returns `None` if rows depend on each other in other ways than by the elements that they
    /// change one after the other, or if they share nothing.
    fn look_at(&mut self) -> Option<()> {
        let (i, j) = (self.nest.entry().argument(0), self.columns.entry().argument(0));
        let inner = self.columns.entry().ops();
        let is_column = |v: Value| shift(v, j, self.nest).is_some();
        let ops: Vec<Op> = self.nest.entry().ops().into_iter().flat_map(|op| self.with_columns(op)).collect();
        let of_kind = |kind: Kind| ops.iter().copied().filter(move |op| op.kind() == kind);
        let (reads, stores) = (of_kind(Kind::MemrefLoad).collect::<Vec<_>>(), of_kind(Kind::MemrefStore));
        for store in stores {
            let memory = root(store.operand(1));
            let is_other = |op: &Op| *op != store && root(op.operand(1)) == memory;
            let reads: Vec<Op> = reads.iter().copied().filter(|op| root(op.operand(0)) == memory).collect();
            let at = &store.operands()[1..];
            let place = |op: Op| inner.iter().position(|other| *other == op);
            let is_before =
                |read: Op, store: Op| place(read).zip(place(store)).is_some_and(|(read, store)| read < store);
            match reads[..] {
                _ if of_kind(Kind::MemrefStore).any(|op| is_other(&op)) => return None,
                // Each row has elements of its own.
                _ if at[1..].contains(&i) && reads.iter().all(|read| read.operands() == at) => {}
                [read] if read.operands() == at && at[1..].iter().any(|v| is_column(*v)) && is_before(read, store) => {
                    self.carried.push((read, store));
                }
                _ => return None,
            }
        }
        self.by_row.extend(self.carried.iter().map(|(read, _)| read.result(0)));
        let mut by_column = HashSet::from([j]);
        let depends = |op: Op, on: &HashSet<Value>| op.operands().iter().any(|v| on.contains(v));
        for op in ops.iter().copied() {
            if op == self.columns || depends(op, &self.by_row) {
                self.by_row.extend(op.results());
            }
            if depends(op, &by_column) {
                by_column.extend(op.results());
            }
        }
        let is_plain = |op: Op| {
            let is_in_columns = inner.contains(&op);
            let computes = op.kind().dialect() == "arith" || op.kind().dialect() == "math" && !is_in_columns;
            let is_number = |v: Value| v.ty().is_scalar();
            computes && op.num_regions() == 0 && op.num_results() == 1 && is_number(op.result(0))
        };
        let is_known = |op: Op| {
            op == self.columns
                || matches!(op.kind(), Kind::SweepYield | Kind::MemrefDim | Kind::MemrefLoad | Kind::MemrefStore)
        };
        // The elements that rows change are the same in all rows, and different in all columns.
        let is_same = |v: Value| is_column(v) || !by_column.contains(&v) && !self.by_row.contains(&v);
        let is_shared = |op: Op| !depends(op, &self.by_row) && depends(op, &by_column);
        let count = inner.iter().filter(|op| is_plain(**op)).count();
        let fits = ops.iter().all(|op| is_known(*op) || is_plain(*op))
            && self.carried.iter().all(|(read, _)| read.operands()[1..].iter().all(|v| is_same(*v)))
            && count <= MOST_OPS;
        let shares = !self.carried.is_empty() || reads.iter().any(|op| is_shared(*op));
        (fits && shares).then_some(())
    }

    /// Returns an op of the nest, after the ops in it.
    fn with_columns(&self, op: Op) -> Vec<Op> {
        let inner = if op == self.columns { self.columns.entry().ops() } else { Vec::new() };
        inner.into_iter().chain([op]).collect()
    }

    /// Emits one iteration for `rows` rows from `first` on. Returns the nest over the columns.
    fn write(&self, rows: usize, first: Value, b: Builder) -> Op {
        let (body, columns) = (self.nest.entry(), self.columns.entry());
        let mut own: Vec<Known> = (0..rows).map(|r| HashMap::from([(body.argument(0), b.plus(first, r))])).collect();
        let mut made = None;
        for op in body.ops() {
            let b = b.at(op.location());
            match op.kind() {
                Kind::SweepYield => {}
                Kind::SweepNest => {
                    let block = nests::body(1, &[], op.location());
                    own.iter_mut().for_each(|row| row.extend([(columns.argument(0), block.argument(0))]));
                    let sums = self.write_columns(&mut own, Builder::at_end(block, op.location()));
                    let (new_kinds, types) = (kinds(op).repeat(rows), types_of(&sums));
                    let extent = find(op.operand_segment(0)[0], &own[0]);
                    let new = nests::nest(b, &[extent], &[], &new_kinds, &types, block);
                    nests::keep(new, op, &["fastmath"]);
                    let mut results = new.results().into_iter();
                    for row in &mut own {
                        row.extend(std::iter::zip(op.results(), results.by_ref()));
                    }
                    made = Some(new);
                }
                _ => self.copy(op, &mut own, b),
            }
        }
        made.expect("the plan has a nest over columns")
    }

    /// Emits the body of the nest over the columns, row by row. Returns the terms of the sums.
    fn write_columns(&self, own: &mut [Known], b: Builder) -> Vec<Value> {
        let columns = self.columns.entry();
        let is_own = |op: Op| op.results().iter().any(|z| self.by_row.contains(z));
        let mut terms = Vec::new();
        for r in 0..own.len() {
            for op in columns.ops() {
                let b = b.at(op.location());
                let carried = |k: fn(&(Op, Op)) -> Op| self.carried.iter().find(|pair| k(pair) == op);
                if op == columns.end() {
                    terms.extend(op.operands().into_iter().map(|v| find(v, &own[r])));
                } else if let Some((_, store)) = carried(|(read, _)| *read).filter(|_| r > 0) {
                    let last = find(store.operand(0), &own[r - 1]);
                    own[r].insert(op.result(0), last);
                } else if carried(|(_, store)| *store).is_some() && r + 1 < own.len() {
                    // The next row continues with the value.
                } else if r > 0 && op.num_results() > 0 && !is_own(op) {
                    let same = own[0][&op.result(0)];
                    own[r].insert(op.result(0), same);
                } else {
                    b.copy(op, &mut own[r]);
                }
            }
        }
        b.make(Kind::SweepYield, &terms, &[], &[]);
        terms
    }

    /// Emits `op` for each row, or once if it is the same in all rows.
    fn copy(&self, op: Op, own: &mut [Known], b: Builder) {
        let is_own = op.num_results() == 0 || self.by_row.contains(&op.result(0));
        if is_own {
            for row in own {
                b.copy(op, row);
            }
            return;
        }
        b.copy(op, &mut own[0]);
        let new = own[0][&op.result(0)];
        own[1..].iter_mut().for_each(|row| row.extend([(op.result(0), new)]));
    }
}

fn find(v: Value, row: &Known) -> Value {
    row.get(&v).copied().unwrap_or(v)
}
