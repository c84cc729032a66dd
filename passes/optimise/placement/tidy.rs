//! Simplification of plans, so that the emitted code is readable: joins nested builds, and removes unused statements.

use super::plan::{Plan, Stmt, Val};
use crate::optimise::terms::op::Op;
use mlopt_dialects::value::Element;
use rustc_hash::FxHashSet;

impl Plan {
    /// Joins nests of builds and removes statements that neither `keep` nor the remaining statements need. `segment` is
    /// the group of each statement of the outermost scope. Returns the groups of the remaining statements.
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

    /// Joins `build (i < n) { build (j < m) { .. } }` to `build (i < n, j < m) { .. }`, if the outer body contains only
    /// reads besides the inner build and m does not depend on i. The reads move inwards, because a joined nest helps
    /// later passes more than the position of a load.
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
        // The middle scope is no longer used. It is emptied so that its loop is not joined a second time.
        let middle = std::mem::take(&mut self.scopes[outer]);
        let args = [middle.args, std::mem::take(&mut self.scopes[inner].args)].concat();
        self.scopes[inner].args = args;
        self.scopes[inner].stmts.splice(0..0, reads);
        self.scopes[inner].parent = Some(scope);
        self.scopes[scope].stmts[k] = Stmt::Build { extents, scope: inner, outs };
        true
    }

    /// Marks the statements of a scope that are used, in reverse order. Returns a flag for each statement.
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
            // An extent that the type determines is not an operand.
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
