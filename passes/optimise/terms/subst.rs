//! Shifting and substitution of variables: one memoised traversal that maps free variables, and rebuilds only the terms
//! that contain them.

use super::op::{Node, Op, Operands};
use super::pool::Pool;
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The replacement of a free variable; `None` keeps it (shifted by the rule of the traversal).
type Replace<'a> = dyn FnMut(&mut Pool, &Node, u32) -> Option<Id> + 'a;

/// The results of a traversal, by term and depth.
type Memo = FxHashMap<(Id, u32), Id>;

impl Pool {
    /// Adds `by` to every free level that is at least `from`.
    pub fn shift(&mut self, t: Id, from: u32, by: i64) -> Id {
        if by == 0 || self.info(t).free.iter().all(|f| f.level < from) {
            return t;
        }
        if let Some(&r) = self.shifted.get(&(t, from, by)) {
            return r;
        }
        let node = self.node(t).clone();
        let op = match node.op {
            Op::Ix(l) if l >= from => Op::Ix((l as i64 + by) as u32),
            Op::State(l, k, e) if l >= from => Op::State((l as i64 + by) as u32, k, e),
            op => op,
        };
        let children: Operands =
            (0..node.children.len()).map(|k| self.shift(node.children[k], from + node.binds(k), by)).collect();
        let r = self.add(op, children);
        self.shifted.insert((t, from, by), r);
        r
    }

    /// Returns `body[#0 := arg]` for a body under one binder; the binder disappears.
    pub fn substitute(&mut self, body: Id, arg: Id) -> Id {
        self.apply(body, 1, &|_, _| Some(arg))
    }

    /// Returns `body`, a term under `gone` binders, with the terms of `arguments`, by level and component, in place of
    /// their variables; the binders disappear. Every variable of them that the body reads must be given.
    pub fn apply(&mut self, body: Id, gone: u32, arguments: &dyn Fn(u32, u32) -> Option<Id>) -> Id {
        if (0..gone).all(|level| !self.mentions(body, level)) {
            return self.shift(body, 0, -i64::from(gone));
        }
        let own = |level: u32, depth: u32| level.checked_sub(depth).filter(|&level| level < gone);
        let mut replace = |_: &mut Pool, node: &Node, depth: u32| match node.op {
            Op::Ix(level) => arguments(own(level, depth)?, 0),
            Op::State(level, k, _) => arguments(own(level, depth)?, k),
            _ => None,
        };
        self.map_free(body, 0, gone, &mut replace, &mut FxHashMap::default())
    }

    /// Returns a loop body (two binders) with its index and its states replaced; both binders disappear. `states[k]`
    /// must be given for every component that the body reads.
    pub fn substitute_loop(&mut self, body: Id, index: Id, states: &[Id]) -> Id {
        self.apply(body, 2, &|level, k| Some(if level == 0 { index } else { states[k as usize] }))
    }

    /// Replaces the states at level `depth + 1` for which `replace` returns a term in the scope of the body; no level
    /// disappears.
    pub fn replace_states(&mut self, body: Id, replace: &dyn Fn(u32) -> Option<Id>) -> Id {
        let mut f = |_: &mut Pool, node: &Node, depth: u32| match node.op {
            Op::State(l, k, _) if l == depth + 1 => replace(k),
            _ => None,
        };
        self.map_free(body, 0, 0, &mut f, &mut FxHashMap::default())
    }

    /// Replaces every occurrence of `from` (a term in the scope of `t`, closed under the binders between) by `to`.
    pub fn replace_term(&mut self, t: Id, from: Id, to: Id) -> Id {
        fn go(pool: &mut Pool, t: Id, from: Id, to: Id, memo: &mut FxHashMap<(Id, Id), Id>) -> Id {
            if t == from {
                return to;
            }
            // A functional op that may trap runs at its position, whatever is known elsewhere.
            let is_in_place = matches!(pool.op(t), Op::Data(form, _) if form.may_trap(&pool.types));
            if is_in_place || pool.info(t).size < pool.info(from).size {
                return t;
            }
            if let Some(&r) = memo.get(&(t, from)) {
                return r;
            }
            let node = pool.node(t).clone();
            let children: Operands = (0..node.children.len())
                .map(|k| {
                    let b = node.binds(k) as i64;
                    let (from, to) = (pool.shift(from, 0, b), pool.shift(to, 0, b));
                    go(pool, node.children[k], from, to, memo)
                })
                .collect();
            let r = pool.add(node.op, children);
            memo.insert((t, from), r);
            r
        }
        go(self, t, from, to, &mut FxHashMap::default())
    }

    /// Exchanges the index variables at levels 0 and 1.
    pub fn swap(&mut self, t: Id) -> Id {
        fn go(pool: &mut Pool, t: Id, depth: u32, memo: &mut Memo) -> Id {
            if !pool.mentions(t, depth) && !pool.mentions(t, depth + 1) {
                return t;
            }
            if let Some(&r) = memo.get(&(t, depth)) {
                return r;
            }
            let node = pool.node(t).clone();
            let op = match node.op {
                Op::Ix(l) if l == depth => Op::Ix(depth + 1),
                Op::Ix(l) if l == depth + 1 => Op::Ix(depth),
                op => op,
            };
            let children: Operands =
                (0..node.children.len()).map(|k| go(pool, node.children[k], depth + node.binds(k), memo)).collect();
            let r = pool.add(op, children);
            memo.insert((t, depth), r);
            r
        }
        go(self, t, 0, &mut FxHashMap::default())
    }

    /// Returns a term in which the index variable at level `old` is replaced by the term `to` of the same scope; no
    /// level disappears.
    pub fn rename(&mut self, t: Id, old: u32, to: Id) -> Id {
        let mut replace =
            |_: &mut Pool, node: &Node, depth: u32| matches!(node.op, Op::Ix(l) if l == old + depth).then_some(to);
        self.map_free(t, 0, 0, &mut replace, &mut FxHashMap::default())
    }

    /// Traverses a term. `depth` counts the binders passed; `gone` levels at `depth` disappear. A replacement is a term
    /// outside of the binders passed and is shifted by `depth`.
    fn map_free(&mut self, t: Id, depth: u32, gone: u32, replace: &mut Replace, memo: &mut Memo) -> Id {
        if self.info(t).free.iter().all(|f| f.level < depth) {
            return t;
        }
        if let Some(&r) = memo.get(&(t, depth)) {
            return r;
        }
        let node = self.node(t).clone();
        let r = match replace(self, &node, depth) {
            Some(arg) => self.shift(arg, 0, depth as i64),
            None => {
                let op = match node.op {
                    Op::Ix(l) if l >= depth => Op::Ix(l - gone),
                    Op::State(l, k, e) if l >= depth => Op::State(l - gone, k, e),
                    op => op,
                };
                let children: Operands = (0..node.children.len())
                    .map(|k| self.map_free(node.children[k], depth + node.binds(k), gone, replace, memo))
                    .collect();
                self.add(op, children)
            }
        };
        memo.insert((t, depth), r);
        r
    }

    /// Returns the components of the states at level 1 that a loop body reads, ascending.
    pub fn states_read(&self, body: Id) -> Vec<u32> {
        self.variables_at(body, 1).into_keys().collect()
    }

    /// Returns the variables at `level` as they occur in `t`: states by component, an index as component 0.
    pub fn variables_at(&self, t: Id, level: u32) -> BTreeMap<u32, Id> {
        let (mut found, mut seen, mut todo) = (BTreeMap::new(), FxHashSet::default(), vec![(t, level)]);
        while let Some((t, level)) = todo.pop() {
            if !self.mentions(t, level) || !seen.insert((t, level)) {
                continue;
            }
            let node = self.node(t);
            match node.op {
                Op::State(l, k, _) if l == level => found.insert(k, t),
                Op::Ix(l) if l == level => found.insert(0, t),
                _ => None,
            };
            todo.extend(node.children.iter().enumerate().map(|(k, &c)| (c, level + node.binds(k))));
        }
        found
    }
}
