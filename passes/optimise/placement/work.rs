//! The cost of a plan: the sum over its statements of their work times the number of iterations of the loops around
//! them.

use super::plan::{Plan, Scope, Stmt, Val};
use crate::optimise::terms::cost;
use crate::optimise::terms::op::Op;
use rustc_hash::FxHashSet;

/// The uses of a value: the number of reads, the number of reads that need an array, the scope in which it is computed
/// row by row, if any, and the value of which it is a view, if any.
#[derive(Clone, Copy, Default)]
struct Uses {
    count: usize,
    others: usize,
    by_rows: Option<usize>,
    view_of: Option<Val>,
    /// True if the value is copied to its own memory even if it is a view: it is returned, carried by a loop, or read
    /// by an op that needs an array.
    is_placed: bool,
    /// The loops, by the depth of their scopes, on whose states the value depends.
    carried: Carried,
}

/// One bit for each depth; depths greater than 63 count as 63.
type Carried = u64;

fn depth_bit(depth: usize) -> Carried {
    1 << depth.min(63)
}

impl Plan {
    fn trips(&self, n: Val) -> f64 {
        self.constants[n as usize].map_or(self.assumed_length.0, |n| n.max(0) as f64)
    }

    /// Returns the work of the whole plan, which computes `results`, with each statement counted once per iteration of
    /// its loops. An array that is read by one bulk op only is not stored in compiled code: its elements are computed
    /// where they are read.
    pub fn cost(&self, results: &[Val]) -> f64 {
        self.scope_cost(0, &self.uses(results))
    }

    /// Checks whether more than half of the work that computes `results` is outside of all loops.
    pub fn is_straight_line(&self, results: &[Val]) -> bool {
        let uses = self.uses(results);
        let outside = self.scopes[0].stmts.iter().filter(|s| s.scope().is_none());
        let outside: f64 = outside.map(|s| self.stmt_cost(s, 0, &uses)).sum();
        2.0 * outside > self.scope_cost(0, &uses)
    }

    fn uses(&self, results: &[Val]) -> Vec<Uses> {
        let mut uses = vec![Uses::default(); self.types.len()];
        let source = |s: &Stmt| match s {
            Stmt::Transpose { array, .. } | Stmt::Slice { array, .. } | Stmt::Reverse { array, .. } => Some(*array),
            Stmt::Replicate { x, .. } => Some(*x),
            _ => None,
        };
        for s in self.scopes.iter().flat_map(|scope| &scope.stmts) {
            s.outs().iter().for_each(|&v| uses[v as usize].view_of = source(s));
        }
        for (number, scope) in self.scopes.iter().enumerate() {
            for s in &scope.stmts {
                let fuses = matches!(
                    s,
                    Stmt::Op { op: Op::Prim(..) | Op::Cond, .. } | Stmt::Reduce { .. } | Stmt::Scatter { .. }
                );
                // The length of an array does not read its elements.
                let read = if matches!(s, Stmt::Op { op: Op::Dim(_), .. }) { vec![] } else { s.args() };
                for v in &read {
                    let at = &mut uses[*v as usize];
                    at.count += 1;
                    // A computed value is not recomputed for each copy.
                    let is_copied = matches!(s, Stmt::Replicate { .. }) && at.view_of.is_none();
                    let looks = source(s) == Some(*v) && !is_copied;
                    at.others += usize::from(!fuses && !looks);
                }
                // Rows are computed in the memory of their destination.
                if matches!(s, Stmt::Build { .. } | Stmt::Op { op: Op::Stack, .. }) {
                    s.outs().iter().for_each(|&v| uses[v as usize].by_rows = Some(number));
                }
            }
            for &v in &scope.yields {
                uses[v as usize].others += 1;
            }
        }
        self.find_placed(results, &mut uses);
        self.follow_states(0, 0, &mut uses);
        uses
    }

    /// Records the values that are copied to their own memory. The operand of such a copy is computed in the order of
    /// the copy, unless it is computed row by row by more than a nest of loops: then it is stored.
    fn find_placed(&self, results: &[Val], uses: &mut [Uses]) {
        let mut by_rows: FxHashSet<Val> = FxHashSet::default();
        let mut placed = results.to_vec();
        for s in self.scopes.iter().flat_map(|scope| &scope.stmts) {
            match s {
                Stmt::Ifold { inits, scope, .. } => placed.extend(inits.iter().chain(&self.scopes[*scope].yields)),
                Stmt::Opaque { args, .. } => placed.extend(args),
                Stmt::Build { scope, outs, .. } if !self.is_plain_nest(*scope) => by_rows.extend(outs),
                _ => {}
            }
        }
        for v in placed {
            let source = self.source(v, uses);
            uses[v as usize].is_placed = true;
            if source != v && by_rows.contains(&source) {
                uses[source as usize].others += 1;
            }
        }
    }

    /// Checks whether the elements of a build with this body are scalars, or the body only builds a row of scalars.
    fn is_plain_nest(&self, scope: usize) -> bool {
        let Scope { stmts, yields, .. } = &self.scopes[scope];
        let is_scalar = |v: Val| self.types[v as usize].shape.is_empty();
        let inner = stmts.iter().filter_map(|s| match s {
            Stmt::Build { scope, outs, .. } => Some((*scope, outs)),
            _ => None,
        });
        yields.iter().all(|&v| is_scalar(v))
            || matches!(inner.collect::<Vec<_>>()[..], [(inner, outs)] if outs == yields && self.is_plain_nest(inner))
                && stmts.iter().all(|s| matches!(s, Stmt::Build { .. }) || s.outs().iter().all(|&v| is_scalar(v)))
    }

    /// Returns the value of which `v` is a view, or `v` itself.
    fn source(&self, v: Val, uses: &[Uses]) -> Val {
        std::iter::successors(Some(v), |&v| uses[v as usize].view_of).last().unwrap_or(v)
    }

    /// Records for all values of a scope, and of nested scopes, the loops on whose states they depend. Returns the
    /// union of these loops.
    fn follow_states(&self, scope: usize, depth: usize, uses: &mut [Uses]) -> Carried {
        let mut all = 0;
        for s in &self.scopes[scope].stmts {
            let mut on = s.args().iter().fold(0, |on, &v| on | uses[v as usize].carried);
            if let Some(inner) = s.scope() {
                if let Stmt::Ifold { .. } = s {
                    self.scopes[inner].args[1..].iter().for_each(|&v| uses[v as usize].carried = depth_bit(depth + 1));
                }
                on |= self.follow_states(inner, depth + 1, uses) & !depth_bit(depth + 1);
            }
            s.outs().iter().for_each(|&v| uses[v as usize].carried = on);
            all |= on;
        }
        self.scopes[scope].yields.iter().fold(all, |all, &v| all | uses[v as usize].carried)
    }

    /// Checks whether a scalar at this depth is on the critical path of the next iteration.
    fn is_awaited(&self, out: Val, depth: usize, uses: &[Uses]) -> bool {
        self.types[out as usize].shape.is_empty() && depth_bit(depth) & uses[out as usize].carried != 0
    }

    fn scope_cost(&self, scope: usize, uses: &[Uses]) -> f64 {
        self.scopes[scope].stmts.iter().map(|s| self.stmt_cost(s, scope, uses)).sum()
    }

    /// Returns the cost of one execution of a statement of a scope.
    fn stmt_cost(&self, s: &Stmt, home: usize, uses: &[Uses]) -> f64 {
        let ty = |v: Val| &self.types[v as usize];
        let is_stored = |v: Val| {
            let at = uses[v as usize];
            let is_shared = at.others > 0 || (at.count != 1 || at.is_placed) && at.view_of.is_none();
            !ty(v).shape.is_empty() && (is_shared || self.leaves[v as usize].is_some())
        };
        let length = |n: Option<u64>| n.map_or(self.assumed_length.0, |n| n as f64);
        let elements = |v: Val| ty(v).shape.iter().map(|&n| length(n)).product::<f64>();
        let store = |v: Val| if is_stored(v) { cost::STORE * elements(v) + cost::LOOP } else { 0.0 };
        let load = |v: Val| if is_stored(v) || is_stored(self.source(v, uses)) { cost::GET * elements(v) } else { 0.0 };
        match s {
            // A row that only this array uses is computed in its memory.
            Stmt::Op { op: Op::Stack, args, .. } => {
                let in_place = |v: Val| {
                    let at = uses[v as usize];
                    (at.count, at.others, at.by_rows) == (1, 1, Some(home))
                };
                args.iter().filter(|&&a| !in_place(a)).map(|&a| cost::STORE * elements(a)).sum()
            }
            Stmt::Op { op, args, out } => {
                let each = match op {
                    Op::Prim(p, _) => cost::prim(*p),
                    Op::Cond => cost::COND,
                    // Constants cost nothing at any position.
                    Op::Const(..) | Op::Zero(_) | Op::One(_) => return 0.0,
                    _ => return cost::LEAF,
                };
                let most = args.iter().map(|&a| elements(a)).fold(elements(*out), f64::max);
                let waited = if self.is_awaited(*out, self.depth(home), uses) { cost::SEQUENTIAL } else { 1.0 };
                waited * each * most + args.iter().map(|&a| load(a)).sum::<f64>() + store(*out)
            }
            Stmt::Opaque { args, outs, .. } => {
                let most = args.iter().chain(outs).map(|&v| elements(v)).fold(1.0, f64::max);
                let moved: f64 = args.iter().map(|&a| load(a)).chain(outs.iter().map(|&o| store(o))).sum();
                cost::OPAQUE * most + moved
            }
            Stmt::Get { out, .. } => cost::GET.min(cost::GET * elements(*out)),
            Stmt::Build { extents, scope, outs } => {
                let n: f64 = extents.iter().map(|&e| self.trips(e)).product();
                let yields = &self.scopes[*scope].yields;
                let stored: f64 = yields
                    .iter()
                    .zip(outs)
                    .map(|(&y, &out)| {
                        // A row that is computed by rows in the scope is computed in its destination.
                        let in_place = uses[y as usize].by_rows == Some(*scope);
                        if in_place || !is_stored(out) { 0.0 } else { elements(y) }
                    })
                    .sum();
                debug_assert_eq!(outs.len(), yields.len());
                cost::LOOP + n * (self.scope_cost(*scope, uses) + cost::STORE * stored)
            }
            Stmt::Reduce { array, .. } => cost::LOOP + elements(*array) + load(*array),
            Stmt::Ifold { n, scope, outs, .. } => {
                let stores = outs.iter().filter(|&&o| !ty(o).shape.is_empty()).count() as f64;
                cost::LOOP + self.trips(*n) * (self.scope_cost(*scope, uses) + cost::STORE * stores)
            }
            Stmt::Scatter { array, init, scope, .. } => {
                let args = self.scopes[*scope].args.len();
                let n: f64 = ty(*array).shape[..args].iter().map(|&n| length(n)).product();
                let added = elements(*array);
                cost::LOOP + n * self.scope_cost(*scope, uses) + cost::SCATTER * added + cost::STORE * elements(*init)
            }
            // A view: reads through it are strided. A view that is needed as an array is a copy.
            Stmt::Transpose { array, out, .. } | Stmt::Slice { array, out, .. } | Stmt::Reverse { array, out } => {
                let is_copied = uses[*out as usize].is_placed;
                let reads = is_stored(*array) || is_copied && is_stored(self.source(*array, uses));
                let each = if reads { 0.25 } else { 0.0 } + if is_copied { cost::STORE } else { 0.0 };
                cost::LOOP + each * elements(*out)
            }
            // A view of the same memory. If it is not stored, its elements are read from the source.
            Stmt::Reshape { out, .. } => cost::LOOP + if is_stored(*out) { 0.0 } else { cost::GET * elements(*out) },
            Stmt::Replicate { out, .. } if uses[*out as usize].is_placed => cost::LOOP + cost::STORE * elements(*out),
            Stmt::Replicate { out, .. } => cost::LOOP + store(*out),
            Stmt::Retype { .. } => cost::LEAF,
        }
    }
}
