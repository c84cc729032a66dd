//! Tables: arrays of the values of a scalar term for all values of its index variables. Placement reads a term from a
//! table where this saves work ([`super::place`]). This module also finds terms that several loops compute for the same
//! indices: rules inline what they rewrite into each of its consumers, and a table restores what the consumers shared.

use crate::optimise::terms::cost;
use crate::optimise::terms::op::Op;
use crate::optimise::terms::pool::Pool;
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Returns `get (build .. t) ix` over the index variables at the levels `own`, innermost axis of the table first.
pub(super) fn table(pool: &mut Pool, t: Id, own: &[u32]) -> Option<Id> {
    let mut variables = Vec::new();
    for &l in own {
        variables.push(find_variable(pool, t, l)?);
    }
    // Extents must be available outside of the table.
    if variables.iter().any(|&v| own.iter().any(|&l| pool.mentions(pool.child(v, 0), l))) {
        return None;
    }
    let k = own.len() as i64;
    // Under k new binders; own[0], the innermost, becomes level 0.
    let mut body = pool.shift(t, 0, k);
    for (new, &l) in own.iter().enumerate() {
        let old = l + k as u32;
        let extent = pool.shift(pool.child(variables[new], 0), 0, k);
        let to = pool.ix(new as u32, extent);
        body = pool.rename(body, old, to);
    }
    let mut table = body;
    for (done, &v) in variables.iter().enumerate() {
        // The build for own[done] is under k - 1 - done further binders.
        let extent = pool.shift(pool.child(v, 0), 0, k - 1 - done as i64);
        table = pool.build(extent, table);
    }
    let mut read = table;
    for &v in variables.iter().rev() {
        read = pool.get(read, v);
    }
    Some(read)
}

/// Returns the variable at `level` as it occurs in `t`, outside of the binders of `t`.
fn find_variable(pool: &mut Pool, t: Id, level: u32) -> Option<Id> {
    if !pool.mentions(t, level) {
        return None;
    }
    let node = pool.node(t).clone();
    if node.op == Op::Ix(level) {
        return Some(t);
    }
    for (k, &c) in node.children.iter().enumerate() {
        let b = node.binds(k);
        if let Some(v) = find_variable(pool, c, level + b) {
            return Some(pool.shift(v, 0, -(b as i64)));
        }
    }
    None
}

/// The binders of the free variables of a term, by ascending level.
type Bound = SmallVec<[u32; 4]>;

/// A term that is computed in several places for the same indices.
pub struct Shared {
    /// The read of the term from its table, for each form of the term: forms differ in the levels of their variables.
    reads: FxHashMap<Id, Id>,
    /// The work that the table saves, by the cost model.
    pub gain: f64,
    /// The table, closed.
    pub table: Id,
}

impl Shared {
    /// Returns the term with reads from the table in place of the shared term.
    pub fn read_in(&self, pool: &mut Pool, t: Id) -> Id {
        self.rewrite(pool, t, &mut FxHashMap::default())
    }

    fn rewrite(&self, pool: &mut Pool, t: Id, memo: &mut FxHashMap<Id, Id>) -> Id {
        if let Some(&read) = self.reads.get(&t).or_else(|| memo.get(&t)) {
            return read;
        }
        // A table that exists already stays what it is.
        if t == self.table {
            return t;
        }
        let node = pool.node(t).clone();
        let children: SmallVec<[Id; 4]> = node.children.iter().map(|&c| self.rewrite(pool, c, memo)).collect();
        let new = if children == node.children { t } else { pool.add(node.op, children) };
        memo.insert(t, new);
        new
    }
}

/// Returns the terms that loops of `roots` (closed) compute several times for the same indices and that a table would
/// make cheaper, the largest gain first, and the number of examined terms. `total` is the cost of the plan without the
/// table: terms that cost a small part of it are skipped. Returns no terms if more than `room` would have to be
/// examined.
pub fn shared(pool: &mut Pool, roots: &[Id], total: f64, room: usize, known: &mut Tables) -> (Vec<Shared>, usize) {
    let least = total * SMALLEST_PART;
    let mut search = Search {
        pool,
        least,
        known,
        binders: FxHashMap::default(),
        seen: FxHashSet::default(),
        tables: FxHashMap::default(),
        room,
    };
    for &root in roots {
        search.visit(root, &mut Vec::new());
    }
    let Search { pool, seen, tables, .. } = search;
    if seen.len() > room {
        return (Vec::new(), seen.len());
    }
    let mut found: Vec<Shared> = Vec::new();
    for (table, Occurrences { reads, places }) in tables {
        let Some(&any) = reads.keys().min() else { continue };
        let info = pool.info(any);
        let elements: f64 = info.free.iter().filter_map(|f| f.extent).product();
        let loads = cost::STORE + places as f64 * cost::GET;
        let gain = (places as f64 - 1.0) * info.cost - loads * elements - cost::LOOP;
        if places > 1 && gain > 0.0 {
            found.push(Shared { reads, gain, table });
        }
    }
    found.sort_by(|a, b| b.gain.total_cmp(&a.gain).then(a.table.cmp(&b.table)));
    (found, seen.len())
}

/// The occurrences of the terms with one table.
struct Occurrences {
    reads: FxHashMap<Id, Id>,
    /// The number of different loops, or sets of loops, that compute the term.
    places: usize,
}

/// The table of each examined term and its read from it, `None` for terms that need no table.
pub type Tables = FxHashMap<Id, Option<(Id, Id)>>;

/// The part of the cost of a plan that a term must have for a table of its own.
const SMALLEST_PART: f64 = 1.0 / 512.0;

struct Search<'a> {
    pool: &'a mut Pool,
    /// The minimum cost of a term for which a table is considered.
    least: f64,
    known: &'a mut Tables,
    /// The number of each binder: a term, the level of the variable among those that it binds, and the binders of the
    /// variables of the term.
    binders: FxHashMap<(Id, u32, Bound), u32>,
    /// The visited terms with the binders of their variables.
    seen: FxHashSet<(Id, Bound)>,
    tables: FxHashMap<Id, Occurrences>,
    room: usize,
}

impl Search<'_> {
    /// Visits a term; `around` are the binders around it, outermost first.
    fn visit(&mut self, t: Id, around: &mut Vec<u32>) {
        let free = &self.pool.info(t).free;
        let bound: Bound = free.iter().map(|f| around[around.len() - 1 - f.level as usize]).collect();
        // The cost of a term includes that of its parts.
        if self.pool.info(t).cost <= self.least || self.seen.len() > self.room || !self.seen.insert((t, bound.clone()))
        {
            return;
        }
        let table = match self.known.get(&t) {
            Some(known) => *known,
            None => self.tabulated(t),
        };
        self.known.insert(t, table);
        if let Some((table, read)) = table {
            let at = self.tables.entry(table).or_insert_with(|| Occurrences { reads: FxHashMap::default(), places: 0 });
            at.reads.insert(t, read);
            at.places += 1;
        }
        let node = self.pool.node(t).clone();
        if matches!(node.op, Op::Ix(_) | Op::State(..) | Op::Dim(_)) {
            return;
        }
        for (k, &c) in node.children.iter().enumerate() {
            let levels = node.binds(k);
            for level in 0..levels {
                let next = self.binders.len() as u32;
                around.push(*self.binders.entry((t, level, bound.clone())).or_insert(next));
            }
            self.visit(c, around);
            around.truncate(around.len() - levels as usize);
        }
    }

    /// Returns the table of a term over all of its variables, and the read of the term from it, if its operations may
    /// be worth a table.
    fn tabulated(&mut self, t: Id) -> Option<(Id, Id)> {
        let info = self.pool.info(t);
        let is_work = matches!(self.pool.op(t), Op::Prim(..) | Op::Cond | Op::Reduce(..));
        let elements: f64 = info.free.iter().map(|f| f.extent).try_fold(1.0, |n, extent| Some(n * extent?))?;
        let is_worth = info.cost > (cost::STORE + 2.0 * cost::GET) * elements;
        if !is_work || info.rank > 0 || info.free.is_empty() || !info.speculatable || !is_worth {
            return None;
        }
        let own: SmallVec<[u32; 4]> = info.free.iter().map(|f| f.level).collect();
        let mut best: Option<(Id, Id)> = None;
        for order in self.orders(t, &own) {
            let read = table(self.pool, t, &order)?;
            let table = order.iter().fold(read, |t, _| self.pool.child(t, 0));
            if self.pool.is_closed(table) && best.is_none_or(|(least, _)| table < least) {
                best = Some((table, read));
            }
        }
        best
    }

    /// Returns the orders of axes, innermost first, in which most of the arrays that `t` reads are read along their
    /// rows.
    fn orders(&self, t: Id, own: &[u32]) -> Vec<SmallVec<[u32; 4]>> {
        if own.len() == 1 || own.len() > LARGEST_ORDERED {
            return vec![own.into()];
        }
        let mut along = vec![0; own.len()];
        let (mut seen, mut todo) = (FxHashSet::default(), vec![(t, 0)]);
        while let Some((t, depth)) = todo.pop() {
            if !seen.insert((t, depth)) || own.iter().all(|&l| !self.pool.mentions(t, l + depth)) {
                continue;
            }
            let node = self.pool.node(t);
            let axis = |i: Id| match self.pool.op(i) {
                Op::Ix(level) => own.iter().position(|&l| l + depth == level),
                _ => None,
            };
            if node.op == Op::Get
                && let (Op::Get, Some(last)) = (self.pool.op(node.children[0]), axis(node.children[1]))
            {
                along[last] += 1;
            }
            todo.extend(node.children.iter().enumerate().map(|(k, &c)| (c, depth + node.binds(k))));
        }
        let most = along.iter().copied().max().unwrap_or(0);
        let mut orders = permutations(own);
        orders.retain(|order| own.iter().position(|l| *l == order[0]).is_some_and(|first| along[first] == most));
        orders
    }
}

/// The maximum number of axes that are permuted.
const LARGEST_ORDERED: usize = 3;

fn permutations(of: &[u32]) -> Vec<SmallVec<[u32; 4]>> {
    let [first, rest @ ..] = of else { return vec![SmallVec::new()] };
    let insert = |order: SmallVec<[u32; 4]>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, *first);
            order
        })
    };
    permutations(rest).into_iter().flat_map(insert).collect()
}
