//! Horizontal fusion of the loops of a plan (X.25): loops of equal extent that read the same arrays become one loop, in
//! which common subexpressions are computed once. Placement itself creates one loop for each array, so it does not find
//! computations that are common to different arrays.

use super::plan::{Plan, Scope, Stmt, Type, Val};
use crate::optimise::terms::op::Op;
use rustc_hash::{FxHashMap, FxHashSet};

/// The maximum number of iterations over one scope. Each makes at least one value equal to another.
const ROUNDS: usize = 8;

/// The maximum number of statements in a scope that is searched for partners.
const LARGEST: usize = 2000;

/// The value numbering key of a statement; statements with equal keys compute the same. Local values of a loop have
/// numbers of their own, by position.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// The statement without its results and its scope.
    stmt: Stmt,
    /// The type of the result of a statement that its operands do not determine.
    ty: Option<Type>,
    body: Option<Body>,
}

/// The computation of one iteration of a loop.
#[derive(PartialEq, Eq, Hash)]
struct Body {
    stmts: Vec<Key>,
    yields: Vec<Val>,
    types: Vec<Type>,
}

/// The numbers of local values of a loop, descending from the maximum; numbers of a plan ascend.
type Own = FxHashMap<Val, Val>;

/// The arrays that each loop of one scope reads, by the scope of the loop, before equalities are applied.
type Arrays = FxHashMap<usize, Vec<Val>>;

/// The stage of each value after which it is available.
type Stages = FxHashMap<Val, usize>;

struct Fusion<'a> {
    plan: &'a mut Plan,
    /// The value to which each value was found to be equal.
    alias: Vec<Val>,
    /// Values that only reductions read.
    reduced: FxHashSet<Val>,
}

impl Plan {
    /// Fuses loops in every scope. `segment[k]` is the group of statement `k` of the outermost scope. Other ops
    /// separate statements of different groups, so these are not fused. Returns the groups of the remaining statements.
    pub fn fuse(&mut self, segment: Vec<usize>) -> Vec<usize> {
        let alias = (0..self.types.len() as Val).collect();
        let reduced = self.only_reduced();
        let mut fusion = Fusion { plan: self, alias, reduced };
        let segment = fusion.scope(0, segment);
        fusion.apply();
        segment
    }

    fn only_reduced(&self) -> FxHashSet<Val> {
        let stmts = || self.scopes.iter().flat_map(|s| &s.stmts);
        let is_reduction = |s: &&Stmt| matches!(s, Stmt::Reduce { .. });
        let mut found: FxHashSet<Val> = stmts().filter(is_reduction).flat_map(Stmt::args).collect();
        for v in stmts().filter(|s| !is_reduction(s)).flat_map(Stmt::args) {
            found.remove(&v);
        }
        for v in self.scopes.iter().flat_map(|s| &s.yields) {
            found.remove(v);
        }
        found
    }
}

impl Fusion<'_> {
    fn find(&self, mut v: Val) -> Val {
        while self.alias[v as usize] != v {
            v = self.alias[v as usize];
        }
        v
    }

    /// Replaces `old` by `new`. Types and constants are those of `new`.
    fn merge(&mut self, old: Val, new: Val) {
        let (old, new) = (self.find(old), self.find(new));
        if old != new {
            self.alias[old as usize] = new;
        }
    }

    fn resolved(&self, mut s: Stmt) -> Stmt {
        s.map_args(&|v| self.find(v));
        s
    }

    fn scope(&mut self, scope: usize, mut segment: Vec<usize>) -> Vec<usize> {
        for _ in 0..ROUNDS {
            let before = self.plan.scopes[scope].stmts.len();
            segment = self.round(scope, segment);
            let mut changed = self.plan.scopes[scope].stmts.len() != before;
            for k in 0..self.plan.scopes[scope].stmts.len() {
                let Some(inner) = self.plan.scopes[scope].stmts[k].scope() else { continue };
                let count = self.plan.scopes[inner].stmts.len();
                self.scope(inner, vec![0; count]);
                changed |= self.equal_results(scope, k);
            }
            if !changed {
                break;
            }
        }
        segment
    }

    /// Processes the statements in order: merges equal statements, and fuses a loop with an earlier partner.
    fn round(&mut self, scope: usize, segment: Vec<usize>) -> Vec<usize> {
        let stmts = std::mem::take(&mut self.plan.scopes[scope].stmts);
        let search = stmts.len() <= LARGEST;
        let mut seen: FxHashMap<Key, Vec<Val>> = FxHashMap::default();
        let mut arrays = Arrays::default();
        let mut kept: Vec<(Stmt, usize)> = Vec::new();
        let mut stages = Stages::default();
        for (s, group) in stmts.into_iter().zip(segment) {
            let s = self.resolved(s);
            let stage = self.stage(&s, &mut stages);
            let key = self.key(&s);
            if let Some(outs) = seen.get(&key) {
                let outs = outs.clone();
                s.outs().iter().zip(outs).for_each(|(&old, new)| self.merge(old, new));
                continue;
            }
            seen.insert(key, s.outs().to_vec());
            if s.scope().is_none() {
                kept.push((s, group));
                continue;
            }
            let has_loops = self.has_loops(&s);
            let at_stage = |other: &Stmt| {
                let is_same = |out: &Val| stages.get(out).copied().unwrap_or(0) == stage;
                self.has_loops(other) == has_loops && other.outs().iter().all(is_same)
            };
            let partner = if search { self.partner(&kept, &mut arrays, &s, group, at_stage) } else { None };
            match partner {
                Some((k, needed)) => {
                    if let (Some(into), Some(from)) = (kept[k].0.scope(), s.scope()) {
                        let more = arrays.remove(&from).unwrap_or_default();
                        arrays.entry(into).or_default().extend(more);
                    }
                    self.join(&mut kept, k, &needed, s);
                }
                None => kept.push((s, group)),
            }
        }
        let (stmts, segment) = kept.into_iter().unzip();
        self.plan.scopes[scope].stmts = stmts;
        segment
    }

    fn key(&self, s: &Stmt) -> Key {
        self.key_with(s, &mut Own::default())
    }

    fn key_with(&self, s: &Stmt, own: &mut Own) -> Key {
        let mut stmt = s.clone();
        stmt.map_args(&|v| self.named(v, own));
        stmt.clear_results();
        if let Stmt::Op { op: Op::Prim(p, _), args, .. } = &mut stmt
            && p.commutes()
        {
            args.sort_unstable();
        }
        let is_typed = matches!(
            s,
            Stmt::Op { .. } | Stmt::Slice { .. } | Stmt::Reshape { .. } | Stmt::Replicate { .. } | Stmt::Retype { .. }
        );
        let ty = s.outs().first().filter(|_| is_typed).map(|&o| self.plan.types[o as usize].clone());
        Key { stmt, ty, body: s.scope().map(|scope| self.body(scope, own)) }
    }

    fn named(&self, v: Val, own: &Own) -> Val {
        let v = self.find(v);
        own.get(&v).copied().unwrap_or(v)
    }

    fn body(&self, scope: usize, own: &mut Own) -> Body {
        fn name(own: &mut Own, v: Val) {
            let next = Val::MAX - own.len() as Val;
            own.entry(v).or_insert(next);
        }
        let scope = &self.plan.scopes[scope];
        let types = scope.args.iter().chain(&scope.yields).map(|&v| self.plan.types[v as usize].clone()).collect();
        scope.args.iter().for_each(|&v| name(own, self.find(v)));
        let mut stmts = Vec::new();
        for s in &scope.stmts {
            stmts.push(self.key_with(s, own));
            s.outs().iter().for_each(|&v| name(own, self.find(v)));
        }
        Body { stmts, yields: scope.yields.iter().map(|&v| self.named(v, own)).collect(), types }
    }

    /// Returns every value that a statement reads, also in its scopes.
    fn reads(&self, s: &Stmt) -> FxHashSet<Val> {
        let mut out: FxHashSet<Val> = s.args().into_iter().map(|v| self.find(v)).collect();
        for scope in s.scope().into_iter().flat_map(|scope| self.plan.inside(scope)) {
            let Scope { stmts, yields, .. } = &self.plan.scopes[scope];
            out.extend(stmts.iter().flat_map(Stmt::args).chain(yields.iter().copied()).map(|v| self.find(v)));
        }
        out
    }

    /// Returns the arrays that a loop reads, before equalities are applied.
    fn arrays(&self, loop_scope: usize) -> Vec<Val> {
        let stmts = self.plan.inside(loop_scope).into_iter().flat_map(|scope| &self.plan.scopes[scope].stmts);
        let array = |s: &Stmt| if let Stmt::Get { array, .. } = s { Some(*array) } else { None };
        let mut out: Vec<Val> = stmts.filter_map(array).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Returns the stage of a statement: the number of reductions of arrays, one after the other, before it. Records
    /// that of its results.
    fn stage(&self, s: &Stmt, stages: &mut Stages) -> usize {
        let stage = self.reads(s).iter().filter_map(|v| stages.get(v)).max().copied().unwrap_or(0);
        let waits = matches!(s, Stmt::Reduce { .. } | Stmt::Ifold { .. } | Stmt::Scatter { .. });
        stages.extend(s.outs().iter().map(|&out| (out, stage + usize::from(waits))));
        stage
    }

    /// Checks whether the body of a statement contains loops.
    fn has_loops(&self, s: &Stmt) -> bool {
        let inside = s.scope().into_iter().flat_map(|scope| &self.plan.scopes[scope].stmts);
        inside.into_iter().any(|s| s.scope().is_some() || matches!(s, Stmt::Reduce { .. }))
    }

    /// Returns an earlier loop with which `s` can be fused: of the same kind, extents and stage, with a common array,
    /// and without a dependence in between. Loops of different stages stay apart, and so do loops with and without
    /// inner loops: the result of the one would be available only after the work that the other waits for or does. Also
    /// returns the statements after it that `s` depends on, which must move before it.
    fn partner(
        &self,
        kept: &[(Stmt, usize)],
        all: &mut Arrays,
        s: &Stmt,
        group: usize,
        at_stage: impl Fn(&Stmt) -> bool,
    ) -> Option<(usize, Vec<usize>)> {
        let same = |a: &Stmt| match (a, s) {
            (Stmt::Build { extents: x, .. }, Stmt::Build { extents: y, .. }) => {
                x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.same_extent(x, y))
            }
            (Stmt::Ifold { n: x, .. }, Stmt::Ifold { n: y, .. }) => self.same_extent(*x, *y),
            _ => false,
        };
        // An array that is only reduced is not stored in compiled code; the lowering decides which reductions are
        // fused.
        let is_reduced =
            |s: &Stmt| matches!(s, Stmt::Build { outs, .. } if outs.iter().all(|o| self.reduced.contains(o)));
        if is_reduced(s) {
            return None;
        }
        let own = all.entry(s.scope()?).or_insert_with_key(|scope| self.arrays(*scope));
        let own: FxHashSet<Val> = own.iter().map(|&v| self.find(v)).collect();
        for k in 0..kept.len() {
            if kept[k].1 != group || !same(&kept[k].0) || is_reduced(&kept[k].0) || !at_stage(&kept[k].0) {
                continue;
            }
            let other = all.entry(kept[k].0.scope()?).or_insert_with_key(|scope| self.arrays(*scope));
            if !other.iter().any(|&v| own.contains(&self.find(v))) {
                continue;
            }
            if let Some(needed) = self.can_move(kept, k, s) {
                return Some((k, needed));
            }
        }
        None
    }

    fn same_extent(&self, x: Val, y: Val) -> bool {
        let (x, y) = (self.find(x), self.find(y));
        let known = |v: Val| self.plan.constants[v as usize];
        x == y || (known(x).is_some() && known(x) == known(y))
    }

    /// Returns the statements after `k` that `s` depends on, if none of them depends on `k`.
    fn can_move(&self, kept: &[(Stmt, usize)], k: usize, s: &Stmt) -> Option<Vec<usize>> {
        let mut wanted = self.reads(s);
        let mut needed = Vec::new();
        for j in (k + 1..kept.len()).rev() {
            if kept[j].0.outs().iter().any(|&o| wanted.contains(&self.find(o))) {
                needed.push(j);
                wanted.extend(self.reads(&kept[j].0));
            }
        }
        if kept[k].0.outs().iter().any(|&o| wanted.contains(&self.find(o))) {
            return None;
        }
        needed.reverse();
        Some(needed)
    }

    fn join(&mut self, kept: &mut Vec<(Stmt, usize)>, k: usize, needed: &[usize], s: Stmt) {
        let moved: Vec<(Stmt, usize)> = needed.iter().map(|&j| kept[j].clone()).collect();
        for &j in needed.iter().rev() {
            kept.remove(j);
        }
        let at = k + moved.len();
        for (offset, m) in moved.into_iter().enumerate() {
            kept.insert(k + offset, m);
        }
        let (Some(into), Some(from)) = (kept[at].0.scope(), s.scope()) else { return };
        let body = std::mem::take(&mut self.plan.scopes[from]);
        let shared = match &s {
            Stmt::Build { .. } => body.args.len(),
            // The index comes first; new states come after the existing ones.
            _ => 1,
        };
        for (position, &arg) in body.args.iter().enumerate() {
            if position < shared {
                let other = self.plan.scopes[into].args[position];
                self.merge(arg, other);
            } else {
                self.plan.scopes[into].args.push(arg);
            }
        }
        for inner in body.stmts.iter().filter_map(Stmt::scope).collect::<Vec<_>>() {
            self.plan.scopes[inner].parent = Some(into);
        }
        self.plan.scopes[into].stmts.extend(body.stmts);
        self.plan.scopes[into].yields.extend(body.yields);
        match (&mut kept[at].0, s) {
            (Stmt::Build { outs, .. }, Stmt::Build { outs: more, .. }) => outs.extend(more),
            (Stmt::Ifold { inits, outs, .. }, Stmt::Ifold { inits: z, outs: more, .. }) => {
                inits.extend(z);
                outs.extend(more);
            }
            _ => {}
        }
    }

    /// Merges equal results of one loop.
    fn equal_results(&mut self, scope: usize, k: usize) -> bool {
        let (inner, is_fold) = match &self.plan.scopes[scope].stmts[k] {
            Stmt::Build { scope, .. } => (*scope, false),
            Stmt::Ifold { scope, .. } => (*scope, true),
            _ => return false,
        };
        let mut changed = false;
        let mut first = 0;
        while first < self.plan.scopes[inner].yields.len() {
            let mut second = first + 1;
            while second < self.plan.scopes[inner].yields.len() {
                let equal = if is_fold {
                    self.equal_states(scope, k, inner, first, second)
                } else {
                    let yields = &self.plan.scopes[inner].yields;
                    self.find(yields[first]) == self.find(yields[second])
                };
                if equal {
                    self.drop_result(scope, k, inner, first, second, is_fold);
                    changed = true;
                } else {
                    second += 1;
                }
            }
            first += 1;
        }
        changed
    }

    /// Checks whether two states are equal: their initial values are equal, and if they are equal before an iteration,
    /// they are equal after it. The assumption is tried on the first level of the body, on its statements in order.
    fn equal_states(&self, scope: usize, k: usize, inner: usize, a: usize, b: usize) -> bool {
        let Stmt::Ifold { inits, outs, .. } = &self.plan.scopes[scope].stmts[k] else { return false };
        if self.find(inits[a]) != self.find(inits[b])
            || self.plan.types[outs[a] as usize] != self.plan.types[outs[b] as usize]
        {
            return false;
        }
        let body = &self.plan.scopes[inner];
        let mut equal: FxHashMap<Val, Val> =
            std::iter::once((self.find(body.args[1 + b]), self.find(body.args[1 + a]))).collect();
        let mut seen: FxHashMap<Key, Vec<Val>> = FxHashMap::default();
        for s in &body.stmts {
            if s.scope().is_some() {
                continue;
            }
            let mut s = s.clone();
            s.map_args(&|v| {
                let v = self.find(v);
                equal.get(&v).copied().unwrap_or(v)
            });
            match seen.get(&self.key(&s)) {
                Some(outs) => equal.extend(s.outs().iter().copied().zip(outs.iter().copied())),
                None => {
                    seen.insert(self.key(&s), s.outs().to_vec());
                }
            }
        }
        let resolve = |v: Val| {
            let v = self.find(v);
            equal.get(&v).copied().unwrap_or(v)
        };
        resolve(body.yields[a]) == resolve(body.yields[b])
    }

    fn drop_result(&mut self, scope: usize, k: usize, inner: usize, a: usize, b: usize, is_fold: bool) {
        let body = &mut self.plan.scopes[inner];
        body.yields.remove(b);
        let arg = is_fold.then(|| (body.args.remove(1 + b), body.args[1 + a]));
        let (old, new) = match &mut self.plan.scopes[scope].stmts[k] {
            Stmt::Build { outs, .. } => (outs.remove(b), outs[a]),
            Stmt::Ifold { inits, outs, .. } => {
                inits.remove(b);
                (outs.remove(b), outs[a])
            }
            _ => return,
        };
        self.merge(old, new);
        if let Some((old, new)) = arg {
            self.merge(old, new);
        }
    }

    /// Applies the equalities to the plan.
    fn apply(&mut self) {
        for scope in 0..self.plan.scopes.len() {
            let stmts = std::mem::take(&mut self.plan.scopes[scope].stmts);
            let stmts = stmts.into_iter().map(|s| self.resolved(s)).collect();
            self.plan.scopes[scope].stmts = stmts;
            let yields = self.plan.scopes[scope].yields.iter().map(|&v| self.find(v)).collect();
            self.plan.scopes[scope].yields = yields;
        }
        self.plan.alias = std::mem::take(&mut self.alias);
    }
}
