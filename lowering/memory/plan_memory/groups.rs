//! Groups of arrays that share memory. They are decided before any code is emitted.
//!
//! Two arrays share memory if one becomes the other and neither is written while the other is live. Otherwise the
//! contents are copied. Cases in which one becomes the other: the initial and the next value of a carried array, a
//! value in a branch and the result of the branch, an array and its update. This is copy coalescing as in the
//! translation out of SSA form, with arrays instead of registers; copies in innermost loops have priority. Then each
//! group is assigned memory: an output buffer, a row of an array that is computed row by row, a part of a joined array,
//! or otherwise a part of the arena.

use super::live::{Live, is_loop};
use super::sizes::Sizes;
use crate::ir::*;
use crate::nests::{Fold, folds, kinds};
use mlopt_dialects::sweep::ResultKind;
use std::collections::HashMap;

/// The memory of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Home {
    Arena,
    /// The buffer of an argument or a constant, which is never written.
    ReadOnly,
    /// This output buffer.
    Output(usize),
    /// The row of this result that the current iteration of this nest computes.
    Row(Op, usize),
    /// This part of the array that this op joins.
    Part(Op, usize),
}

struct Group {
    members: Vec<Value>,
    home: Home,
}

/// An array, true if it has the sizes of the array to which it is compared, and its [`layout`].
type Member = (Value, bool, Option<Vec<usize>>);

/// The groups of one function.
#[derive(Default)]
pub struct Groups {
    /// The union-find structure over `groups`.
    parents: Vec<usize>,
    groups: Vec<Group>,
    ids: HashMap<Value, usize>,
    /// A second union-find structure, over values: members of a group with the same root have the same sizes.
    shapes: HashMap<Value, Value>,
    pub live: Live,
}

impl Groups {
    /// Computes the groups of `function`.
    pub fn of(function: Op, sizes: &Sizes) -> Groups {
        let mut groups = Groups::default();
        let body = function.entry();
        for argument in body.arguments() {
            groups.add(argument, Home::ReadOnly);
        }
        let ops = function.nested_ops();
        for op in &ops {
            op.blocks().into_iter().flat_map(Block::arguments).for_each(|v| groups.add(v, Home::Arena));
            let home = if op.kind() == Kind::ArithConstant { Home::ReadOnly } else { Home::Arena };
            op.results().into_iter().for_each(|v| groups.add(v, home));
        }
        for op in &ops {
            if op.kind() != Kind::SweepReshape {
                continue;
            }
            let (x, z) = (op.operand(0), op.result(0));
            let Some(same_sizes) = sizes.reshapes_in_place(*op) else {
                groups.live.copies.insert(*op);
                continue;
            };
            groups.unite(x, z);
            if same_sizes {
                groups.same_shape(x, z);
            }
        }
        let mut ties: Vec<(usize, Value, Value)> = Vec::new();
        for op in &ops {
            let depth = depth(*op, function);
            for (certain, inner, x, z) in ties_of(*op) {
                if !groups.ids.contains_key(&x) {
                    continue;
                }
                if certain {
                    groups.unite(x, z);
                    groups.same_shape(x, z);
                } else {
                    ties.push((depth + usize::from(inner), x, z));
                }
            }
        }
        // A stable sort: ties of the same depth keep the order of the program.
        ties.sort_by_key(|(depth, ..)| std::cmp::Reverse(*depth));
        for (_, x, z) in ties {
            if sizes.have_same_layout(x, z) && groups.try_unite(x, z) {
                groups.same_shape(x, z);
            }
        }
        // A result that is returned twice, or is an argument, is copied to the caller's buffer.
        for (k, value) in body.end().operands().into_iter().enumerate().filter(|(_, v)| v.ty().is_tensor()) {
            groups.claim(groups.group(value), Home::Output(k));
        }
        groups.rows(&ops, sizes);
        groups.parts(&ops, sizes);
        groups
    }

    fn add(&mut self, value: Value, home: Home) {
        if value.ty().is_tensor() {
            self.ids.insert(value, self.groups.len());
            self.parents.push(self.groups.len());
            self.groups.push(Group { members: vec![value], home });
        }
    }

    /// Returns the group of an array.
    pub fn group(&self, value: Value) -> usize {
        let mut id = self.ids[&value];
        while self.parents[id] != id {
            id = self.parents[id];
        }
        id
    }

    pub fn home(&self, group: usize) -> Home {
        self.groups[group].home
    }

    pub fn members(&self, group: usize) -> &[Value] {
        &self.groups[group].members
    }

    /// Returns the representative of the members of the group that have the same sizes as `value`.
    pub fn shape(&self, value: Value) -> Value {
        std::iter::successors(Some(value), |at| self.shapes.get(at).copied()).last().expect("starts with one")
    }

    fn same_shape(&mut self, x: Value, z: Value) {
        let (x, z) = (self.shape(x), self.shape(z));
        if x != z {
            self.shapes.insert(z, x);
        }
    }

    fn unite(&mut self, x: Value, z: Value) {
        let (a, b) = (self.group(x), self.group(z));
        if a == b {
            return;
        }
        let moved = std::mem::take(&mut self.groups[b].members);
        if self.groups[b].home == Home::ReadOnly {
            self.groups[a].home = Home::ReadOnly;
        }
        self.groups[a].members.extend(moved);
        self.parents[b] = a;
    }

    fn try_unite(&mut self, x: Value, z: Value) -> bool {
        let (a, b) = (self.group(x), self.group(z));
        if a == b {
            return true;
        }
        // The memory of an argument or a constant must not be written.
        if [a, b].iter().any(|g| self.groups[*g].home == Home::ReadOnly) || self.conflict(x, z) {
            return false;
        }
        self.unite(x, z);
        true
    }

    /// Checks whether the groups of `x` and `z`, which have the same sizes, must not share memory. All arrays of both
    /// groups have the same number of elements. Therefore two of them are aligned if both have the sizes of `x`, or
    /// equal static sizes, or one axis each.
    fn conflict(&mut self, x: Value, z: Value) -> bool {
        let [first, second] = [x, z].map(|like| {
            let (shape, members) = (self.shape(like), self.members(self.group(like)));
            members.iter().map(|v| (*v, self.shape(*v) == shape, layout(v.ty()))).collect::<Vec<_>>()
        });
        let mut may_not = |(u, like_x, layout_u): &Member, (v, like_z, layout_v): &Member| {
            let aligned = (*like_x && *like_z) || (layout_u.is_some() && layout_u == layout_v);
            self.live.conflict(*u, *v, aligned)
        };
        first.iter().any(|u| second.iter().any(|v| may_not(u, v)))
    }

    /// Assigns a group to other memory, if it is in the arena.
    fn claim(&mut self, group: usize, home: Home) {
        if self.groups[group].home == Home::Arena {
            self.groups[group].home = home;
        }
    }

    /// Assigns the rows that nests yield to the memory of the resulting arrays.
    fn rows(&mut self, ops: &[Op], sizes: &Sizes) {
        for op in ops.iter().filter(|op| op.kind() == Kind::SweepNest) {
            let body = op.entry();
            let yields = body.end().operands();
            for (r, kind) in kinds(*op).into_iter().enumerate() {
                if kind != ResultKind::Map || !yields[r].ty().is_tensor() {
                    continue;
                }
                let group = self.group(yields[r]);
                let made_here =
                    |v: &Value| is_made_inside(*v, *op) && v.block_argument().is_none_or(|(block, _)| block != body);
                let fits = self.fits(group, self.group(op.result(r)), sizes);
                if fits && self.members(group).iter().all(made_here) {
                    self.claim(group, Home::Row(*op, r));
                }
            }
        }
    }

    /// Assigns the parts of joined arrays to the memory of the results, unless another array needs that memory at the
    /// same time.
    fn parts(&mut self, ops: &[Op], sizes: &Sizes) {
        let is_early = |op: &&Op| op.operand_segment(1).into_iter().all(|n| sizes.is_early(n));
        for op in ops.iter().rev().filter(|op| op.kind() == Kind::SweepJoin).filter(is_early) {
            let (parts, whole) = (op.operand_segment(0), self.group(op.result(0)));
            for (k, part) in parts.iter().enumerate().filter(|(_, part)| part.ty().is_tensor()) {
                // The position of the part must be known before the part is computed.
                let before = &parts[..k];
                let rank = op.result(0).ty().rank();
                let known = |v: &Value| v.ty().rank() < rank || sizes.is_early_size(*v, 0);
                let group = self.group(*part);
                let root = self.root_of(whole);
                let free = self.groups[group].home == Home::Arena && group != root && self.fits(group, root, sizes);
                if free && before.iter().all(known) && !self.conflict_in_tree(group, *op, whole) {
                    self.groups[group].home = Home::Part(*op, k);
                }
            }
        }
    }

    /// Checks whether the arrays of `group` can be in the memory of `outer`. If sizes are not known at the entry, this
    /// memory may have longer rows than the arrays; but reshaped arrays need contiguous rows.
    fn fits(&self, group: usize, outer: usize, sizes: &Sizes) -> bool {
        let is_reshaped = |v: &Value| self.shape(*v) != self.shape(self.members(self.group(*v))[0]);
        self.is_contiguous(outer, sizes) || !self.tree(group).iter().any(is_reshaped)
    }

    /// Checks whether the memory that contains `group` has exactly the sizes of the arrays in it.
    fn is_contiguous(&self, group: usize, sizes: &Sizes) -> bool {
        let root = self.root_of(group);
        self.tree(root).into_iter().all(|v| sizes.is_early_array(v))
            && match self.groups[root].home {
                Home::Row(nest, r) => self.is_contiguous(self.group(nest.result(r)), sizes),
                _ => true,
            }
    }

    /// Returns the outermost group whose memory contains `group`, and the joins on the path to it.
    fn root(&self, group: usize) -> (usize, Vec<(Op, usize)>) {
        let (mut at, mut path) = (group, Vec::new());
        while let Home::Part(op, k) = self.groups[at].home {
            path.push((op, k));
            at = self.group(op.result(0));
        }
        path.reverse();
        (at, path)
    }

    /// Returns the outermost group whose memory contains `group`: `group` itself if it is not a part.
    pub fn root_of(&self, group: usize) -> usize {
        self.root(group).0
    }

    /// Returns all arrays in the memory of `group`, which must be the root of its tree.
    pub fn tree(&self, group: usize) -> Vec<Value> {
        let inside = |g: &usize| self.root_of(*g) == group;
        let pieces = (0..self.groups.len()).filter(|g| !self.groups[*g].members.is_empty()).filter(inside);
        pieces.flat_map(|g| self.groups[g].members.clone()).collect()
    }

    /// Checks whether `group`, as a part of the result of the join `op`, would overlap memory that is needed for
    /// another array.
    fn conflict_in_tree(&mut self, group: usize, op: Op, whole: usize) -> bool {
        let (root, path) = self.root(whole);
        let mut others = Vec::new();
        for g in (0..self.groups.len()).filter(|g| *g != group && !self.groups[*g].members.is_empty()) {
            let (its_root, its_path) = self.root(g);
            // Different parts of the same join, of this or an outer one, are disjoint.
            let beside =
                its_path.len() > path.len() && its_path[..path.len()] == path[..] && its_path[path.len()].0 == op
                    || its_path.iter().zip(&path).any(|(x, y)| x.0 == y.0 && x.1 != y.1);
            if its_root == root && !beside {
                others.push(g);
            }
        }
        let inside = self.tree(group);
        // A part is not aligned with the other arrays, because it may start at a later row.
        others.into_iter().any(|g| {
            let members = &self.groups[g].members;
            members.iter().any(|u| inside.iter().any(|v| self.live.conflict(*u, *v, false)))
        })
    }

    /// Returns the groups of the arena with their lifetimes: a block that encloses all uses of the group's memory, and
    /// the positions of the first and the last op in this block that need it.
    pub fn ranges(&mut self) -> Vec<(usize, Block, usize, usize)> {
        let mut trees: Vec<Vec<Value>> = vec![Vec::new(); self.groups.len()];
        for g in 0..self.groups.len() {
            let (root, _) = self.root(g);
            trees[root].extend(self.groups[g].members.clone());
        }
        let mut ranges = Vec::new();
        for (g, values) in trees.into_iter().enumerate().filter(|(g, _)| self.groups[*g].home == Home::Arena) {
            let Some(block) = values.iter().map(|v| lifetime_block(*v)).reduce(common_block) else { continue };
            let (mut first, mut last) = (usize::MAX, 0);
            for v in values {
                let (start, end) = self.live.range(v, block);
                (first, last) = (first.min(start), last.max(end));
            }
            ranges.push((g, block, first, last));
        }
        ranges
    }
}

/// Returns a key with this property: arrays with the same number of elements and equal keys have their elements at the
/// same positions. The key contains the sizes if they are static, and is empty for a single axis.
fn layout(ty: Type) -> Option<Vec<usize>> {
    if ty.rank() == 1 { Some(Vec::new()) } else { ty.shape().into_iter().collect() }
}

/// Returns the block that encloses the lifetime of the memory of a value. For a value that a loop carries, this is the
/// block of the loop.
fn lifetime_block(value: Value) -> Block {
    match value.block_argument() {
        Some((block, _)) => outer_block(block),
        None => defining_block(value),
    }
}

fn common_block(a: Block, b: Block) -> Block {
    let mut around = a;
    while around != b && b.parent_op().is_none_or(|op| ancestor_in(op, around).is_none()) {
        around = outer_block(around);
    }
    around
}

fn depth(op: Op, function: Op) -> usize {
    ancestors(op).take_while(|around| *around != function).filter(|around| is_loop(*around)).count()
}

/// Returns the pairs of arrays of which the first becomes the second at `op`. Each pair comes after two flags: the
/// arrays must share memory, and the first becomes the second in each iteration of `op`.
fn ties_of(op: Op) -> Vec<(bool, bool, Value, Value)> {
    let tensors = |pairs: Vec<(bool, bool, Value, Value)>| -> Vec<(bool, bool, Value, Value)> {
        pairs.into_iter().filter(|(_, _, x, _)| x.ty().is_tensor()).collect()
    };
    let yields = |r: usize| block_in(op, r).end().operands();
    let arguments = |r: usize| block_in(op, r).arguments();
    match op.kind() {
        Kind::SweepNest => {
            let ties = folds(op).into_iter().flat_map(|Fold { init, argument, next, result, .. }| {
                [(true, true, argument, result), (false, true, next, argument), (false, false, init, argument)]
            });
            tensors(ties.collect())
        }
        Kind::SweepAdd | Kind::SweepPut if op.num_results() == 1 => {
            vec![(false, false, op.operand(1), op.result(0))]
        }
        Kind::ScfIf => {
            let sides = (0..op.num_regions()).filter(|_| op.num_results() > 0);
            let ties = sides.flat_map(|r| yields(r).into_iter().zip(op.results()));
            tensors(ties.map(|(x, z)| (false, false, x, z)).collect())
        }
        Kind::ScfWhile => {
            let handed = &yields(0)[1..];
            let mut ties: Vec<_> =
                arguments(1).into_iter().zip(op.results()).map(|(x, z)| (true, true, x, z)).collect();
            ties.extend(handed.iter().copied().zip(arguments(1)).map(|(x, z)| (false, true, x, z)));
            ties.extend(yields(1).into_iter().zip(arguments(0)).map(|(x, z)| (false, true, x, z)));
            ties.extend(op.operands().into_iter().zip(arguments(0)).map(|(x, z)| (false, false, x, z)));
            tensors(ties)
        }
        _ => Vec::new(),
    }
}
