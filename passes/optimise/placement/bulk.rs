//! Placement of permutations of axes and reductions over axes as operations on whole arrays. This leaves the order of
//! the loops to the lowering. If they were placed as loops, the order would be fixed: a sum along columns would be a
//! loop over columns that contains the sum, which is the slower order.

use super::place::{Env, Placer, TABLE_PAYS};
use super::plan::{Stmt, Type, Val};
use super::share;
use crate::optimise::terms::op::{Flags, Op, Reduction};
use crate::optimise::terms::prim::Prim;
use egg::Id;
use rustc_hash::FxHashMap;

/// A nest `build (k..) { reduce (r..) { body } }` whose extents depend on none of its own indices.
pub(super) struct Nest {
    /// Extents of all axes, outermost first, as terms outside of the nest.
    extents: Vec<Id>,
    /// The number of builds; the other levels are reductions.
    builds: usize,
    reduction: Reduction,
    flags: Flags,
    /// The body, under all axes.
    body: Id,
}

impl Nest {
    /// Returns the level, seen from the body, of the axis at `position`.
    fn level(&self, position: usize) -> u32 {
        (self.extents.len() - 1 - position) as u32
    }
}

/// The maximum number of elements of a reduction that is a part of the work on a row.
const FEW: i64 = 16;

/// The indices of one read of an array in a nest: for each axis of the array, the position of the axis of the nest
/// whose index alone is read there.
type Reading = Vec<Option<usize>>;

impl Placer<'_> {
    /// Places a nest of builds that is an axis permutation of an existing array.
    pub(super) fn as_view(&mut self, t: Id, env: &Env, home: usize) -> Option<Val> {
        let (mut body, mut extents) = (t, Vec::new());
        while self.pool.op(body) == Op::Build {
            extents.push(self.pool.child(body, 0));
            body = self.pool.child(body, 1);
        }
        let depth = extents.len() as u32;
        let mut levels = Vec::new();
        while self.pool.op(body) == Op::Get {
            let Op::Ix(level) = self.pool.op(self.pool.child(body, 1)) else { return None };
            levels.push(level);
            body = self.pool.child(body, 0);
        }
        levels.reverse();
        if levels.len() != depth as usize
            || self.pool.rank(body) != levels.len()
            || (0..depth).any(|l| self.pool.mentions(body, l))
        {
            return None;
        }
        // Axis k of the array is read at the binder `position[k]`, counted from the outermost.
        let position: Vec<usize> =
            levels.iter().map(|&l| if l < depth { (depth - 1 - l) as usize } else { usize::MAX }).collect();
        if (0..depth as usize).any(|p| !position.contains(&p)) {
            return None;
        }
        let array = self.pool.shift(body, 0, -(depth as i64));
        for (axis, &p) in position.iter().enumerate() {
            let length = self.pool.extent(array, axis);
            // The extent of a binder is a term under the binders before it.
            let n = extents[p];
            if (0..p as u32).any(|l| self.pool.mentions(n, l)) {
                return None;
            }
            let n = self.pool.shift(n, 0, -(p as i64));
            if self.pool.equal(length, n) != Some(true) {
                return None;
            }
        }
        // Result axis j is source axis p_j.
        let permutation: Vec<usize> =
            (0..depth as usize).map(|j| position.iter().position(|&p| p == j).unwrap_or(j)).collect();
        let array = self.emit(array, env);
        if permutation.iter().enumerate().all(|(j, &p)| j == p) {
            return Some(array);
        }
        Some(self.emit_stmt(t, home, |out| Stmt::Transpose { array, permutation, out }))
    }

    /// Places a nest of builds that reads all elements of an existing array in order.
    pub(super) fn as_reshape(&mut self, t: Id, env: &Env, home: usize) -> Option<Val> {
        let array = self.pool.reshape_of(t)?;
        let rank = self.pool.rank(t);
        let array = self.emit(array, env);
        let sizes = (0..rank)
            .map(|axis| {
                let n = self.pool.extent(t, axis);
                let n = self.pool.length_of(n);
                self.emit(n, env)
            })
            .collect();
        Some(self.emit_stmt(t, home, |out| Stmt::Reshape { array, sizes, otherwise: None, out }))
    }

    /// Places rows of an existing array, consecutive ones or all in reverse order.
    pub(super) fn as_rows(&mut self, t: Id, env: &Env, home: usize) -> Option<Val> {
        let (n, body) = (self.pool.child(t, 0), self.pool.child(t, 1));
        if self.pool.op(body) != Op::Get {
            return None;
        }
        let (array, at) = (self.pool.child(body, 0), self.pool.child(body, 1));
        if self.pool.mentions(array, 0) || !self.pool.may_leave(array, n) {
            return None;
        }
        let (up, start) = self.pool.unit_term(at, 0)?;
        let (array, start) = (self.pool.shift(array, 0, -1), self.pool.shift(start, 0, -1));
        if up {
            let (array, start, n) = (self.emit(array, env), self.emit(start, env), self.emit(n, env));
            return Some(self.emit_stmt(t, home, |out| Stmt::Slice { array, start, n, out }));
        }
        let length = self.pool.extent(array, 0);
        let one = self.pool.index(1);
        let last = self.pool.prim2(Prim::SubI, length, one);
        if self.pool.equal(length, n) != Some(true) || self.pool.equal(last, start) != Some(true) {
            return None;
        }
        let array = self.emit(array, env);
        Some(self.emit_stmt(t, home, |out| Stmt::Reverse { array, out }))
    }

    /// Places a reduction, over all axes at once if reductions are nested.
    pub(super) fn emit_reduction(&mut self, t: Id, env: &Env, home: usize) -> Val {
        match self.reduction_nest(t) {
            Some(nest) => self.emit_nest(t, nest, env, home),
            None => unreachable!("the extent of an outermost axis depends on no other axis"),
        }
    }

    /// Returns the nest of `t`. An inner reduction of another kind, or over a triangle, belongs to its body.
    pub(super) fn reduction_nest(&mut self, t: Id) -> Option<Nest> {
        let (mut body, mut extents, mut builds) = (t, Vec::new(), 0);
        let mut kind = None;
        loop {
            let node = self.pool.node(body);
            match (node.op, kind) {
                (Op::Build, None) => builds += 1,
                (Op::Reduce(r, f), None) => kind = Some((r, f)),
                (Op::Reduce(r, f), Some(first)) if (r, f) == first && !r.searches() => {}
                _ => break,
            }
            let (n, inner) = (node.children[0], node.children[1]);
            let depth = extents.len() as u32;
            if (0..depth).any(|level| self.pool.mentions(n, level)) {
                if kind.is_none() || extents.len() == builds {
                    return None;
                }
                break;
            }
            extents.push(self.pool.shift(n, 0, -(depth as i64)));
            body = inner;
        }
        let (reduction, flags) = kind?;
        (extents.len() > builds).then_some(Nest { extents, builds, reduction, flags, body })
    }

    /// Returns the nest of a build if it is better placed as a reduction of a whole array: not if its loops end in a
    /// reduction of a few elements, which is a part of the work on a row.
    pub(super) fn bulk_nest(&mut self, build: Id) -> Option<Nest> {
        let nest = self.reduction_nest(build)?;
        let reduced: Option<i64> =
            nest.extents[nest.builds..].iter().try_fold(1, |n: i64, &m| n.checked_mul(self.pool.as_int(m)?));
        let is_small = reduced.is_some_and(|n| n <= FEW);
        (!is_small || self.is_contraction(&nest) || self.is_along_columns(&nest)).then_some(nest)
    }

    fn is_along_columns(&self, nest: &Nest) -> bool {
        self.best_order(nest).last().is_some_and(|&p| p < nest.builds)
    }

    /// Emits the array of all elements, with its axes in the best order for the reads, and the reduction over some of
    /// them.
    pub(super) fn emit_nest(&mut self, t: Id, nest: Nest, env: &Env, home: usize) -> Val {
        let order = self.best_order(&nest);
        let rank = order.len();
        let nest = Nest { body: self.with_tables(nest.body, rank as u32), ..nest };
        let mut array = self.pool.shift(nest.body, 0, rank as i64);
        if order.iter().enumerate().any(|(k, &p)| k != p) {
            for (axis, &position) in order.iter().enumerate() {
                let extent = self.pool.shift(nest.extents[position], 0, 2 * rank as i64);
                let index = self.pool.ix((rank - 1 - axis) as u32, extent);
                array = self.pool.rename(array, nest.level(position) + rank as u32, index);
            }
            array = self.pool.shift(array, rank as u32, -(rank as i64));
        } else {
            array = nest.body;
        }
        let extents: Vec<Id> = order.iter().map(|&position| nest.extents[position]).collect();
        let array = self.pool.builds(&extents, array);
        let array = self.existing(array);
        let array = self.emit(array, env);
        let axes: Vec<usize> = (0..rank).filter(|&axis| order[axis] >= nest.builds).collect();
        let kept: Vec<usize> = order.iter().copied().filter(|&p| p < nest.builds).collect();
        let out = self.out(t);
        let Nest { reduction, flags, .. } = nest;
        if kept.is_sorted() {
            self.push(home, Stmt::Reduce { reduction, flags, array, axes, out });
            return out;
        }
        let ty = self.plan.types[out as usize].clone();
        let shape = kept.iter().map(|&p| ty.shape[p]).collect();
        let reduced = self.plan.value(Type { shape, ..ty });
        self.push(home, Stmt::Reduce { reduction, flags, array, axes, out: reduced });
        let permutation = (0..kept.len()).map(|p| kept.iter().position(|&q| q == p).unwrap_or(p)).collect();
        self.push(home, Stmt::Transpose { array: reduced, permutation, out });
        out
    }

    /// Returns the body of a nest of `rank` axes with reads from tables in place of the scalars that depend on some of
    /// the axes only, if a table pays. Without statements in its outer loops, a nest is computed in any order of its
    /// axes, in the loop that reduces it.
    fn with_tables(&mut self, body: Id, rank: u32) -> Id {
        let mut memo = FxHashMap::default();
        self.tabulated(body, rank, &mut memo)
    }

    fn tabulated(&mut self, t: Id, rank: u32, memo: &mut FxHashMap<Id, Id>) -> Id {
        if let Some(&known) = memo.get(&t) {
            return known;
        }
        let own: Vec<u32> = (0..rank).filter(|&level| self.pool.mentions(t, level)).collect();
        let node = self.pool.node(t).clone();
        let is_scalar = self.pool.rank(t) == 0 && matches!(node.op, Op::Prim(..) | Op::Cond | Op::Reduce(..));
        let is_part = !own.is_empty() && own.len() < rank as usize && self.pool.info(t).speculatable;
        let pays = is_scalar && is_part && self.work(t, &own) >= TABLE_PAYS;
        let new = match if pays { share::table(self.pool, t, &own) } else { None } {
            Some(read) => read,
            None if (0..node.children.len()).any(|k| node.binds(k) > 0) => t,
            None => {
                let children: Vec<Id> = node.children.iter().map(|&c| self.tabulated(c, rank, memo)).collect();
                self.pool.add(node.op, children)
            }
        };
        memo.insert(t, new);
        new
    }

    /// Returns a for η-reducible `build n (i → a[i])`.
    fn existing(&mut self, build: Id) -> Id {
        let (n, body) = (self.pool.child(build, 0), self.pool.child(build, 1));
        if self.pool.op(body) != Op::Get || self.pool.op(self.pool.child(body, 1)) != Op::Ix(0) {
            return build;
        }
        let a = self.pool.child(body, 0);
        if self.pool.mentions(a, 0) {
            return build;
        }
        let a = self.pool.shift(a, 0, -1);
        let length = self.pool.extent(a, 0);
        if self.pool.equal(length, n) == Some(true) { a } else { build }
    }

    /// Returns the positions of the axes, outermost first, such that arrays are read along their rows.
    fn best_order(&self, nest: &Nest) -> Vec<usize> {
        let rank = nest.extents.len();
        let natural: Vec<usize> = (0..rank).collect();
        let covered = |r: &Reading| r.iter().flatten().count();
        let readings = self.readings(nest);
        let most = readings.iter().map(covered).max().unwrap_or(0);
        let mut best = readings.iter().filter(|r| covered(r) == most);
        // A contraction is tiled, regardless of its order.
        if most < 2 || (rank > 2 && most < rank) || best.clone().any(|r| r.last() == Some(&Some(rank - 1))) {
            return natural;
        }
        // Of several orders, one that keeps the order of the axes of the result is selected.
        let order = |r: &Reading| -> Vec<usize> {
            let read: Vec<usize> = r.iter().flatten().copied().collect();
            natural.iter().copied().filter(|p| !read.contains(p)).chain(read.iter().copied()).collect()
        };
        let keeps = |order: &Vec<usize>| order.iter().filter(|&&p| p < nest.builds).is_sorted();
        let orders: Vec<Vec<usize>> = best.by_ref().map(order).collect();
        orders.iter().find(|o| keeps(o)).or(orders.first()).cloned().unwrap_or(natural)
    }

    /// Returns the reads in the body of arrays that are defined outside of the nest.
    fn readings(&self, nest: &Nest) -> Vec<Reading> {
        let rank = nest.extents.len() as u32;
        let (mut out, mut seen, mut todo) = (Vec::new(), std::collections::HashSet::new(), vec![(nest.body, 0)]);
        while let Some((t, depth)) = todo.pop() {
            if !seen.insert((t, depth)) || (0..rank).all(|level| !self.pool.mentions(t, level + depth)) {
                continue;
            }
            let node = self.pool.node(t);
            if node.op == Op::Get {
                let (mut array, mut reading) = (t, Reading::new());
                while self.pool.op(array) == Op::Get {
                    let index = self.pool.child(array, 1);
                    reading.push(match self.pool.op(index) {
                        Op::Ix(level) if level >= depth && level - depth < rank => {
                            Some((rank - 1 - (level - depth)) as usize)
                        }
                        _ => {
                            todo.push((index, depth));
                            None
                        }
                    });
                    array = self.pool.child(array, 0);
                }
                reading.reverse();
                let mut distinct: Vec<usize> = reading.iter().flatten().copied().collect();
                distinct.sort_unstable();
                distinct.dedup();
                if distinct.len() == reading.iter().flatten().count() {
                    out.push(reading);
                }
                todo.push((array, depth));
                continue;
            }
            for (k, &c) in node.children.iter().enumerate() {
                todo.push((c, depth + node.binds(k)));
            }
        }
        // The order must not depend on that of the traversal.
        out.sort();
        out
    }

    /// Checks whether every array that the nest reads is read again for other indices. The lowering tiles such a nest.
    fn is_contraction(&self, nest: &Nest) -> bool {
        let rank = nest.extents.len();
        rank > 2 && self.readings(nest).iter().all(|r| r.iter().flatten().count() < rank)
    }

    /// Returns the read of a reduction from the array of all reductions over the variables at the levels `own`, if a
    /// loop over these with the reduction inside would read along columns or hide a contraction.
    pub(super) fn bulk_table(&mut self, t: Id, own: &[u32]) -> Option<Id> {
        if own.is_empty() {
            return None;
        }
        let read = share::table(self.pool, t, own)?;
        let table = own.iter().fold(read, |t, _| self.pool.child(t, 0));
        let nest = self.reduction_nest(table)?;
        (self.is_along_columns(&nest) || self.is_contraction(&nest)).then_some(read)
    }
}
