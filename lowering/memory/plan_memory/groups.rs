//! Groups of arrays that share memory. They are decided before any code is emitted.
//!
//! Two arrays share memory if one becomes the other: the initial and the next value of a carried array, a value in a
//! branch and the result of the branch, an array and its update. They do not share memory if one is written while the
//! other is live; in that case the contents are copied. This is the coalescing of copies known from translation out of
//! SSA form, with arrays in place of registers, and innermost loops have priority. Then each group gets its memory: an
//! output buffer, a row of an array that is computed row by row, a part of a joined array, or otherwise a part of the
//! arena.

use super::Nest;
use super::live::{Live, ancestor_in, is_loop};
use super::sizes::Sizes;
use crate::ir::*;
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use mlopt_dialects::sweep::Kind;
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

/// An array, whether it has the sizes of the array in question, and its [`layout`].
type Member = (Value, bool, Option<Vec<usize>>);

/// The groups of one function.
#[derive(Default)]
pub struct Groups {
    /// The union-find structure over `groups`.
    parents: Vec<usize>,
    groups: Vec<Group>,
    ids: HashMap<Value, usize>,
    /// The members that have the same sizes, as another union-find structure over values.
    shapes: HashMap<Value, Value>,
    pub live: Live,
}

impl Groups {
    /// Computes the groups of `function`.
    pub fn of(function: Op, sizes: &Sizes) -> Groups {
        let mut groups = Groups::default();
        let body = function.body().expect("checked by the caller");
        for argument in body.arguments() {
            groups.add(argument, Home::ReadOnly);
        }
        let ops = function.nested_ops();
        for op in &ops {
            for region in op.regions() {
                for block in region.blocks() {
                    block.arguments().into_iter().for_each(|v| groups.add(v, Home::Arena));
                }
            }
            let home = if op.kind() == OpKind::ArithConstant { Home::ReadOnly } else { Home::Arena };
            op.results().into_iter().for_each(|v| groups.add(v, home));
        }
        for op in &ops {
            if op.kind() != OpKind::SweepReshape {
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
        groups.outputs(body);
        groups.rows(&ops, sizes);
        groups.parts(&ops, sizes);
        groups
    }

    fn add(&mut self, value: Value, home: Home) {
        if !value.ty().is_tensor() {
            return;
        }
        self.ids.insert(value, self.groups.len());
        self.parents.push(self.groups.len());
        self.groups.push(Group { members: vec![value], home });
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
        let mut at = value;
        while let Some(next) = self.shapes.get(&at) {
            at = *next;
        }
        at
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
        // An argument or a constant would be written.
        if [a, b].iter().any(|g| self.groups[*g].home == Home::ReadOnly) || self.conflict(x, z) {
            return false;
        }
        self.unite(x, z);
        true
    }

    /// Checks whether the groups of `x` and `z`, which have the same sizes, may not share memory. All their arrays have
    /// the same number of elements, so two of them are aligned if both have the sizes of `x`, or equal known sizes, or
    /// one axis each.
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

    /// Assigns results to the caller's buffers. A value that is returned twice, or is an argument, is copied.
    fn outputs(&mut self, body: Block) {
        for (k, value) in body.terminator().expect("verified").operands().into_iter().enumerate() {
            if value.ty().is_tensor() {
                let group = self.group(value);
                if self.groups[group].home == Home::Arena {
                    self.groups[group].home = Home::Output(k);
                }
            }
        }
    }

    /// Assigns yielded rows to the memory of their array.
    fn rows(&mut self, ops: &[Op], sizes: &Sizes) {
        for op in ops.iter().filter(|op| op.kind() == OpKind::SweepNest) {
            let body = op.body().expect("verified");
            let yields = body.terminator().expect("verified").operands();
            for (r, kind) in Nest::of(*op).kinds.into_iter().enumerate() {
                if kind != Kind::Map || !yields[r].ty().is_tensor() {
                    continue;
                }
                let group = self.group(yields[r]);
                let made_here = |v: &Value| match v.defining_op() {
                    Some((maker, _)) => is_inside(maker, *op),
                    None => {
                        v.block() != Some(body)
                            && v.block().and_then(Block::parent_op).is_some_and(|p| is_inside(p, *op))
                    }
                };
                let fits = self.fits(group, self.group(op.result(r)), sizes);
                if fits && self.groups[group].home == Home::Arena && self.members(group).iter().all(made_here) {
                    self.groups[group].home = Home::Row(*op, r);
                }
            }
        }
    }

    /// Assigns parts of a joined array to its memory, if the previous contents of that memory are not needed any more.
    fn parts(&mut self, ops: &[Op], sizes: &Sizes) {
        for op in ops.iter().rev().filter(|op| op.kind() == OpKind::SweepJoin) {
            let whole = self.group(op.result(0));
            if !op.operand_segment(1).into_iter().all(|n| sizes.is_early(n)) {
                continue;
            }
            for (k, part) in op.operand_segment(0).into_iter().enumerate() {
                if !part.ty().is_tensor() {
                    continue;
                }
                // The start of the part must be known before it is computed.
                let before = &op.operand_segment(0)[..k];
                let rank = op.result(0).ty().rank();
                let known = |v: &Value| v.ty().rank() < rank || sizes.is_early_size(*v, 0);
                let group = self.group(part);
                let root = self.root_of(whole);
                let free = self.groups[group].home == Home::Arena && group != root && self.fits(group, root, sizes);
                if free && before.iter().all(known) && !self.conflict_in_tree(group, *op, whole) {
                    self.groups[group].home = Home::Part(*op, k);
                }
            }
        }
    }

    /// Checks whether the arrays in the memory of `group` can be in that of `outer`, which may have longer rows if
    /// sizes are not known at the entry: reshaped arrays need contiguous rows.
    fn fits(&self, group: usize, outer: usize, sizes: &Sizes) -> bool {
        let is_reshaped = |v: &Value| self.shape(*v) != self.shape(self.members(self.group(*v))[0]);
        self.is_contiguous(outer, sizes) || !self.tree(group).iter().any(is_reshaped)
    }

    /// Checks whether the memory that contains `group` has the sizes of its arrays.
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

    /// Returns every array in the memory of `group`, which is not a part of another group.
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
        for g in 0..self.groups.len() {
            if self.groups[g].members.is_empty() || g == group {
                continue;
            }
            let (its_root, its_path) = self.root(g);
            // Disjoint pieces of the same array, here or further out, do not conflict.
            let beside =
                its_path.len() > path.len() && its_path[..path.len()] == path[..] && its_path[path.len()].0 == op
                    || its_path.iter().zip(&path).any(|(x, y)| x.0 == y.0 && x.1 != y.1);
            if its_root == root && !beside {
                others.push(g);
            }
        }
        let inside = self.tree(group);
        // A part is not aligned with the other arrays: it may start further back.
        others.into_iter().any(|g| {
            let members = &self.groups[g].members;
            members.iter().any(|u| inside.iter().any(|v| self.live.conflict(*u, *v, false)))
        })
    }

    /// Returns the groups of the arena by the op before which they are placed: the block around all uses of the group's
    /// memory, the position of the first op there that needs it, and that of the last.
    pub fn ranges(&mut self) -> Vec<(usize, Block, usize, usize)> {
        let mut trees: Vec<Vec<Value>> = vec![Vec::new(); self.groups.len()];
        for g in 0..self.groups.len() {
            let (root, _) = self.root(g);
            let members = self.groups[g].members.clone();
            trees[root].extend(members);
        }
        let mut ranges = Vec::new();
        for (g, values) in trees.into_iter().enumerate() {
            if values.is_empty() || self.groups[g].home != Home::Arena {
                continue;
            }
            let block = values.iter().map(|v| lifetime_block(*v)).reduce(common_block).expect("not empty");
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

/// Returns a key that is equal for arrays with the same number of elements in the same order of positions: the sizes,
/// if they are known, and nothing for a single axis.
fn layout(ty: Type) -> Option<Vec<usize>> {
    if ty.rank() == 1 { Some(Vec::new()) } else { ty.shape().into_iter().collect() }
}

/// Returns the block that encloses the lifetime of the memory of a value: it is outside the loop that carries the
/// value.
fn lifetime_block(value: Value) -> Block {
    let block = value.block().expect("a value is in a block");
    match value.block_argument() {
        Some(_) => block.parent_op().and_then(Op::block).expect("an argument of a loop"),
        None => block,
    }
}

fn common_block(a: Block, b: Block) -> Block {
    let mut around = a;
    while around != b && b.parent_op().is_none_or(|op| ancestor_in(op, around).is_none()) {
        around = around.parent_op().and_then(Op::block).expect("both are in one function");
    }
    around
}

fn depth(op: Op, function: Op) -> usize {
    let mut depth = 0;
    let mut at = op;
    while let Some(parent) = at.parent_op().filter(|p| *p != function) {
        depth += usize::from(is_loop(parent));
        at = parent;
    }
    depth
}

/// Returns the pairs of arrays of which one becomes the other: whether that is certain, whether it happens in each
/// iteration of `op`, the source and the target.
fn ties_of(op: Op) -> Vec<(bool, bool, Value, Value)> {
    let tensors = |pairs: Vec<(bool, bool, Value, Value)>| -> Vec<(bool, bool, Value, Value)> {
        pairs.into_iter().filter(|(_, _, x, _)| x.ty().is_tensor()).collect()
    };
    let yields = |r: usize| op.region(r).first_block().and_then(Block::terminator).expect("verified").operands();
    let arguments = |r: usize| op.region(r).first_block().expect("verified").arguments();
    match op.kind() {
        OpKind::SweepNest => {
            let yields = yields(0);
            let ties = Nest::of(op).folds.into_iter().flat_map(|(r, init, argument)| {
                [
                    (true, true, argument, op.result(r)),
                    (false, true, yields[r], argument),
                    (false, false, init, argument),
                ]
            });
            tensors(ties.collect())
        }
        OpKind::SweepAdd | OpKind::SweepPut if op.num_results() == 1 => {
            vec![(false, false, op.operand(1), op.result(0))]
        }
        OpKind::ScfIf => {
            let sides = (0..op.num_regions()).filter(|_| op.num_results() > 0);
            let ties = sides.flat_map(|r| yields(r).into_iter().zip(op.results()));
            tensors(ties.map(|(x, z)| (false, false, x, z)).collect())
        }
        OpKind::ScfWhile => {
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
