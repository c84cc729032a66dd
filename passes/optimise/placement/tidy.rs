//! Plans as people would write them: nests of builds as one, nothing that is not used.

use super::plan::{Plan, Stmt, Val};
use crate::optimise::terms::op::Op;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashSet;

impl Plan {
    /// Joins nests of builds and drops what `keep` and the statements that stay do not need. `segment` is the group of each statement
    /// of the outermost scope; the groups of those that remain are returned.
    pub fn tidy(&mut self, keep: &[Val], segment: &[usize]) -> Vec<usize> {
        for scope in 0..self.scopes.len() {
            for k in 0..self.scopes[scope].stmts.len() {
                while self.join_nest(scope, k) {}
            }
        }
        let mut used: FxHashSet<Val> = keep.iter().copied().collect();
        let kept = self.sweep(0, &mut used);
        segment.iter().zip(kept).filter(|(_, kept)| *kept).map(|(&s, _)| s).collect()
    }

    /// `build (i < n) { build (j < m) { .. } }` with nothing else inside but reads is `build (i < n, j < m) { .. }`, when m does not
    /// depend on i. The reads move inwards: a nest says more than where a load stands.
    fn join_nest(&mut self, scope: usize, k: usize) -> bool {
        let Stmt::Build { extents, scope: outer, outs } = &self.scopes[scope].stmts[k] else { return false };
        let body = &self.scopes[*outer];
        let Some((Stmt::Build { extents: more, scope: inner, outs: rows }, reads)) = body.stmts.split_last() else {
            return false;
        };
        let moves = |s: &Stmt| match s {
            Stmt::Get { out, .. } => self.types[*out as usize].shape.is_empty(),
            Stmt::Op { op: Op::Prim(..), out, .. } => {
                let ty = &self.types[*out as usize];
                ty.shape.is_empty() && ty.element == Element::Index
            }
            _ => false,
        };
        if body.yields != *rows
            || more.iter().any(|m| body.args.contains(m) || reads.iter().any(|s| s.outs().contains(m)))
            || !reads.iter().all(moves)
        {
            return false;
        }
        let reads = reads.to_vec();
        let (extents, outs, outer, inner) = ([extents.as_slice(), more].concat(), outs.clone(), *outer, *inner);
        // Nobody runs the middle scope any more; left as it is, its own turn would join its loop a second time.
        let middle = std::mem::take(&mut self.scopes[outer]);
        let args = [middle.args, std::mem::take(&mut self.scopes[inner].args)].concat();
        self.scopes[inner].args = args;
        self.scopes[inner].stmts.splice(0..0, reads);
        self.scopes[inner].parent = Some(scope);
        self.scopes[scope].stmts[k] = Stmt::Build { extents, scope: inner, outs };
        true
    }

    /// Backwards over a scope: what nobody reads goes. Says which statements stay.
    fn sweep(&mut self, scope: usize, used: &mut FxHashSet<Val>) -> Vec<bool> {
        used.extend(self.scopes[scope].yields.iter().copied());
        let stmts = std::mem::take(&mut self.scopes[scope].stmts);
        let mut kept: Vec<Option<Stmt>> = Vec::new();
        for s in stmts.into_iter().rev() {
            if !s.outs().iter().any(|o| used.contains(o)) {
                kept.push(None);
                continue;
            }
            if let Some(inner) = s.scope() {
                self.sweep(inner, used);
            }
            // An extent that the type tells is not written as an operand.
            let is_extent = |a: &Val| match &s {
                Stmt::Build { .. } => self.constants[*a as usize].is_some(),
                Stmt::Slice { array, start, n, .. } => {
                    a == n && a != array && a != start && self.constants[*a as usize].is_some()
                }
                Stmt::Reshape { array, .. } => a != array && self.constants[*a as usize].is_some(),
                Stmt::Replicate { x, n, .. } => a == n && a != x && self.constants[*a as usize].is_some(),
                _ => false,
            };
            used.extend(s.args().into_iter().filter(|a| !is_extent(a)));
            kept.push(Some(s));
        }
        kept.reverse();
        let stays = kept.iter().map(Option::is_some).collect();
        self.scopes[scope].stmts = kept.into_iter().flatten().collect();
        stays
    }
}
