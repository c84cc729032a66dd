//! The term pool: hash-consed nodes, with memoised free variables, types, sizes and costs.
//!
//! A term is represented by a number, and equal terms have equal numbers. A small pool can contain terms that would be
//! trees of millions of nodes.

use super::data;
use super::op::{Flags, Node, Op, Operands, Reduction};
use super::prim::{Prim, Scalar};
use crate::optimise::terms::cost::{self, Assumed};
use egg::Id;
use hashbrown::HashTable;
use mlopt_dialects::value::Element;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::hash::BuildHasher;

/// A free variable of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Free {
    pub level: u32,
    /// The (assumed) extent of an index variable; `None` for the states of a loop.
    pub extent: Option<f64>,
}

/// The memoised facts about a term.
#[derive(Clone, Debug)]
pub struct Info {
    pub element: Element,
    pub rank: u8,
    /// Free variables by ascending level.
    pub free: SmallVec<[Free; 2]>,
    /// The number of nodes of the term as a tree, saturating.
    pub size: u64,
    /// False if the term contains an op that must not run where the program would not run it.
    pub speculatable: bool,
    /// The cost outside of all loops whose state the term reads.
    pub cost: f64,
    /// The cost of one iteration of the innermost loop whose state it reads, by the level of that state.
    pub per_iteration: SmallVec<[(u32, f64); 1]>,
}

/// The type of a leaf, of a result of an opaque op, or of a value of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub element: Element,
    /// The sizes of the axes, `None` for dynamic ones.
    pub shape: Vec<Option<u64>>,
}

impl Type {
    pub const INDEX: Type = Type { element: Element::Index, shape: Vec::new() };
}

/// The initial capacity in terms, sufficient for a small program.
const FEW: usize = 256;

#[derive(Default)]
pub struct Pool {
    nodes: Vec<Node>,
    info: Vec<Info>,
    /// All terms by their nodes.
    numbers: HashTable<Id>,
    leaves: Vec<Type>,
    opaque: Vec<Vec<Type>>,
    pub(super) shifted: FxHashMap<(Id, u32, i64), Id>,
    /// Lengths that the program promises to be equal: each is replaced by the other.
    equal_lengths: FxHashMap<Id, Id>,
    /// Numbers of elements that reshapes promise to be equal.
    pub(crate) promised: Vec<[Id; 2]>,
    /// The length that costs assume where none is known.
    pub(crate) assumed_length: Assumed,
    /// Quotients that the program promises to have no remainder.
    exact: FxHashSet<Id>,
    /// The types of data of functional programs.
    pub types: data::Types,
}

impl Pool {
    pub fn new() -> Pool {
        Pool::default()
    }

    /// Creates a pool whose costs assume this length for dynamic axes and unknown trip counts. The pool must be empty,
    /// because costs are memoised.
    pub fn assuming(length: Assumed) -> Pool {
        let mut pool = Pool { assumed_length: length, ..Pool::default() };
        pool.nodes.reserve(FEW);
        pool.info.reserve(FEW);
        pool.numbers.reserve(FEW, |_| 0);
        pool
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn node(&self, t: Id) -> &Node {
        &self.nodes[usize::from(t)]
    }

    pub fn op(&self, t: Id) -> Op {
        self.node(t).op
    }

    pub fn child(&self, t: Id, k: usize) -> Id {
        self.node(t).children[k]
    }

    pub fn info(&self, t: Id) -> &Info {
        &self.info[usize::from(t)]
    }

    pub fn element(&self, t: Id) -> Element {
        self.info(t).element
    }

    pub fn rank(&self, t: Id) -> usize {
        self.info(t).rank as usize
    }

    /// Checks whether the variable at `level` occurs free in `t`.
    pub fn mentions(&self, t: Id, level: u32) -> bool {
        self.info(t).free.iter().any(|f| f.level == level)
    }

    pub fn is_closed(&self, t: Id) -> bool {
        self.info(t).free.is_empty()
    }

    /// Returns the cost of a term. Open loops around it are assumed to have the assumed length.
    pub fn cost(&self, t: Id) -> f64 {
        let info = self.info(t);
        info.cost + self.assumed_length.0 * info.per_iteration.iter().map(|p| p.1).sum::<f64>()
    }

    /// Compares terms in a total order that depends only on the order of their construction: by cost, size, number.
    pub fn cheaper(&self, a: Id, b: Id) -> bool {
        let key = |t: Id| (self.cost(t), self.info(t).size, usize::from(t));
        key(a).partial_cmp(&key(b)) == Some(std::cmp::Ordering::Less)
    }

    pub fn add(&mut self, op: Op, children: impl AsRef<[Id]>) -> Id {
        self.add_node(Node::new(op, children))
    }

    pub fn add_node(&mut self, node: Node) -> Id {
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(&t) = self.numbers.find(hash, |&t| *self.node(t) == node) {
            return t;
        }
        let info = self.describe(&node);
        let t = Id::from(self.nodes.len());
        self.nodes.push(node);
        self.info.push(info);
        let nodes = &self.nodes;
        self.numbers.insert_unique(hash, t, |&t| FxBuildHasher.hash_one(&nodes[usize::from(t)]));
        t
    }

    pub fn leaf(&mut self, element: Element, shape: Vec<Option<u64>>) -> Id {
        let rank = shape.len() as u8;
        let number = self.leaves.len() as u32;
        self.leaves.push(Type { element, shape });
        self.add(Op::Leaf(number, element, rank), [])
    }

    /// Registers an opaque op by its results.
    pub fn opaque(&mut self, results: Vec<Type>) -> u32 {
        self.opaque.push(results);
        self.opaque.len() as u32 - 1
    }

    /// Returns all results of an opaque op with operands.
    pub fn opaque_results(&mut self, number: u32, args: &[Id]) -> Vec<Id> {
        (0..self.opaque[number as usize].len()).map(|k| self.opaque_result(number, k, args)).collect()
    }

    /// Returns result `k` of an opaque op.
    pub fn opaque_result(&mut self, number: u32, k: usize, args: &[Id]) -> Id {
        let result = &self.opaque[number as usize][k];
        self.add(Op::Opaque(number, k as u32, result.element, result.shape.len() as u8), args)
    }

    // Constructors.

    pub fn index(&mut self, x: i64) -> Id {
        self.int(Element::Index, x)
    }

    pub fn int(&mut self, element: Element, x: i64) -> Id {
        self.add(Op::Const(element, element.wrap(x) as u64), vec![])
    }

    pub fn float(&mut self, element: Element, x: f64) -> Id {
        self.add(Op::Const(element, Scalar::F(x).to_bits(element).unwrap_or(0)), [])
    }

    pub fn bool(&mut self, x: bool) -> Id {
        self.add(Op::Const(Element::I1, x as u64), [])
    }

    /// Returns the zero of an element type that a read out of range returns.
    pub fn plain_zero(&mut self, element: Element) -> Id {
        self.add(Op::Const(element, 0), [])
    }

    pub fn zero(&mut self, element: Element) -> Id {
        if element.is_float() { self.add(Op::Zero(element), []) } else { self.plain_zero(element) }
    }

    pub fn ix(&mut self, level: u32, extent: Id) -> Id {
        self.add(Op::Ix(level), [extent])
    }

    /// Returns the index variable of a binder of extent `extent` (a term outside of the binder), seen from directly
    /// inside.
    pub fn bound_ix(&mut self, extent: Id) -> Id {
        let extent = self.shift(extent, 0, 1);
        self.ix(0, extent)
    }

    pub fn prim(&mut self, p: Prim, flags: Flags, args: &[Id]) -> Id {
        self.add(Op::Prim(p, flags), args)
    }

    pub fn prim1(&mut self, p: Prim, a: Id) -> Id {
        self.prim(p, Flags::NONE, &[a])
    }

    pub fn prim2(&mut self, p: Prim, a: Id, b: Id) -> Id {
        self.prim(p, Flags::NONE, &[a, b])
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        self.prim2(Prim::AndI, a, b)
    }

    pub fn cond(&mut self, c: Id, a: Id, b: Id) -> Id {
        self.add(Op::Cond, [c, a, b])
    }

    pub fn get(&mut self, a: Id, i: Id) -> Id {
        self.add(Op::Get, [a, i])
    }

    pub fn build(&mut self, n: Id, body: Id) -> Id {
        self.add(Op::Build, [n, body])
    }

    /// Returns a nest of builds around `body` over `extents`, outermost first, which are terms outside of the nest.
    pub fn builds(&mut self, extents: &[Id], body: Id) -> Id {
        let around = |t, (axis, &n): (usize, &Id)| {
            let n = self.shift(n, 0, axis as i64);
            self.build(n, t)
        };
        extents.iter().enumerate().rev().fold(body, around)
    }

    /// Returns the element of `x` at the indices of new binders, one for each axis. `sizes` are the lengths of the
    /// axes, and `position` returns the binder of an axis, counted from the outermost one.
    pub fn element_under(&mut self, x: Id, sizes: &[Id], position: impl Fn(usize) -> usize) -> Id {
        let rank = sizes.len();
        let mut e = self.shift(x, 0, rank as i64);
        for (axis, &n) in sizes.iter().enumerate() {
            let n = self.shift(n, 0, rank as i64);
            let i = self.ix((rank - 1 - position(axis)) as u32, n);
            e = self.get(e, i);
        }
        e
    }

    /// Returns the array of these rows, one or more.
    pub fn stack(&mut self, rows: &[Id]) -> Id {
        self.add(Op::Stack, rows)
    }

    pub fn sum(&mut self, n: Id, body: Id) -> Id {
        self.add(Op::Reduce(Reduction::Sum, Flags::NONE), [n, body])
    }

    /// Returns `init` with `e` added at `positions`, for all indices below `extents`. `positions` and `e` are under
    /// these indices.
    pub fn scatter(&mut self, init: Id, extents: &[Id], positions: &[Id], e: Id) -> Id {
        let op = Op::Scatter(extents.len() as u8, positions.len() as u8);
        self.add(op, [&[init], extents, positions, &[e]].concat())
    }

    /// Returns component `k` of a loop with trip count `n`.
    pub fn ifold(&mut self, n: Id, inits: &[Id], bodies: &[Id], k: u32) -> Id {
        let children = [&[n], inits, bodies].concat();
        let fold = self.add(Op::Ifold(inits.len() as u32), children);
        self.add(Op::Proj(k), [fold])
    }

    /// Returns the state variable of component `k`, seen from inside a loop that carries `init` (a term outside of the
    /// loop).
    pub fn state(&mut self, init: Id, k: u32) -> Id {
        let children: Operands = (0..self.rank(init))
            .map(|axis| {
                let n = self.extent(init, axis);
                self.shift(n, 0, 2)
            })
            .collect();
        self.add(Op::State(1, k, self.element(init)), children)
    }

    /// Returns the length of an axis, as a term in the scope of `t`.
    pub fn extent(&mut self, t: Id, axis: usize) -> Id {
        let node = self.node(t).clone();
        let size = match node.op {
            Op::Build if axis == 0 => return node.children[0],
            Op::Build => {
                let inner = self.extent(node.children[1], axis - 1);
                // Arrays are regular: if the length seems to depend on the index, that of the first row is used.
                let first = self.index(0);
                return self.substitute(inner, first);
            }
            Op::Stack if axis == 0 => Some(node.children.len() as u64),
            Op::Stack => return self.extent(node.children[0], axis - 1),
            Op::Get => return self.extent(node.children[0], axis + 1),
            Op::Scatter(..) => return self.extent(node.children[0], axis),
            Op::Cond => {
                let (a, b) = (self.extent(node.children[1], axis), self.extent(node.children[2], axis));
                return if matches!(self.op(b), Op::Const(..)) { b } else { a };
            }
            Op::Proj(k) => {
                let init = self.child(node.children[0], 1 + k as usize);
                return self.extent(init, axis);
            }
            Op::State(..) => return node.children[axis],
            Op::Leaf(number, ..) => self.leaves[number as usize].shape[axis],
            Op::Opaque(number, result, ..) => self.opaque[number as usize][result as usize].shape[axis],
            _ => None,
        };
        match size {
            Some(n) => self.index(n as i64),
            None => {
                let n = self.add(Op::Dim(axis as u8), [t]);
                self.representative(n)
            }
        }
    }

    /// Returns the lengths of all axes.
    pub fn extents(&mut self, t: Id) -> Vec<Id> {
        (0..self.rank(t)).map(|axis| self.extent(t, axis)).collect()
    }

    /// Records that two lengths of arrays from outside are equal, which an elementwise op on both promises.
    pub fn assume_equal_lengths(&mut self, a: Id, b: Id) {
        let (a, b) = (self.representative(a), self.representative(b));
        if a != b
            && matches!((self.op(a), self.op(b)), (Op::Dim(_), Op::Dim(_)))
            && self.is_closed(a)
            && self.is_closed(b)
        {
            self.equal_lengths.insert(a.max(b), a.min(b));
        }
    }

    /// Records that the length `n` is `known`, which a reshape promises.
    pub(super) fn assume_length(&mut self, n: Id, known: Id) {
        let n = self.representative(n);
        let is_length = matches!(self.op(n), Op::Dim(_)) && matches!(self.op(self.child(n, 0)), Op::Leaf(..));
        if !is_length || !self.is_closed(known) || self.as_int(known).is_some() {
            return;
        }
        // Leaves are numbered in the order of their first use, so earlier leaves are available wherever `n` is used.
        let (leaf, mut todo) = (self.child(n, 0), vec![known]);
        while let Some(t) = todo.pop() {
            let t = self.representative(t);
            match self.op(t) {
                Op::Leaf(..) if t >= leaf => return,
                Op::Opaque(..) => return,
                _ => todo.extend(&self.node(t).children),
            }
        }
        self.equal_lengths.insert(n, known);
    }

    /// Records that a quotient has no remainder.
    pub(super) fn assume_exact(&mut self, quotient: Id) {
        self.exact.insert(quotient);
    }

    pub fn is_exact(&self, quotient: Id) -> bool {
        self.exact.contains(&quotient)
    }

    pub fn representative(&self, mut n: Id) -> Id {
        while let Some(&other) = self.equal_lengths.get(&n) {
            n = other;
        }
        n
    }

    /// Returns the value of a constant.
    pub fn scalar(&self, t: Id) -> Option<Scalar> {
        match self.op(t) {
            Op::Const(e, bits) => Some(Scalar::from_bits(e, bits)),
            _ => None,
        }
    }

    pub fn as_int(&self, t: Id) -> Option<i64> {
        match self.scalar(t) {
            Some(Scalar::I(x)) => Some(x),
            _ => None,
        }
    }

    /// Returns the number of iterations that the cost model assumes for an extent.
    pub fn assumed(&self, n: Id) -> f64 {
        match self.as_int(n) {
            Some(n) => n.max(0) as f64,
            None => self.assumed_length.0,
        }
    }

    /// Returns the product of `assumed` over the axes.
    fn assumed_elements(&mut self, t: Id) -> f64 {
        self.extents(t).into_iter().map(|n| self.assumed(n)).product()
    }

    fn describe(&mut self, node: &Node) -> Info {
        let (element, rank) = self.type_of(node);
        let mut free: SmallVec<[Free; 2]> = SmallVec::new();
        let mut size: u64 = 1;
        let mut speculatable = match node.op {
            Op::Prim(p, _) => !p.may_trap() || self.is_total(node),
            Op::Data(form, _) => !form.may_trap(&self.types),
            _ => true,
        };
        let mut total = 0.0;
        let mut per: SmallVec<[(u32, f64); 1]> = SmallVec::new();
        for (k, &c) in node.children.iter().enumerate() {
            let bound = node.binds(k);
            let info = self.info(c);
            size = size.saturating_add(info.size);
            speculatable &= info.speculatable;
            free.extend(info.free.iter().filter(|f| f.level >= bound).map(|f| Free { level: f.level - bound, ..*f }));
            // The extent of a variable and the lengths of a state are not work, and neither is the operand of `Dim`.
            if matches!(node.op, Op::Ix(_) | Op::State(..) | Op::Dim(_)) {
                continue;
            }
            total += info.cost;
            per.extend(info.per_iteration.iter().filter(|p| p.0 >= bound).map(|p| (p.0 - bound, p.1)));
        }
        match node.op {
            Op::Ix(level) => free.push(Free { level, extent: Some(self.assumed(node.children[0])) }),
            Op::State(level, ..) => free.push(Free { level, extent: None }),
            _ => {}
        }
        free.sort_by_key(|f| f.level);
        free.dedup_by_key(|f| f.level);

        let mut own = self.weight(node);
        if let Op::Ifold(m) = node.op {
            // The cost per iteration of the bodies of the closed loop, now that the number of iterations is known.
            let once: f64 = node.children[1 + m as usize..]
                .iter()
                .flat_map(|&b| self.info(b).per_iteration.iter())
                .filter(|p| p.0 == 1)
                .map(|p| p.1)
                .sum();
            own += self.assumed(node.children[0]) * once;
        }
        // A loop binds its index one level inside of its states.
        let state = free.iter().find(|f| f.extent.is_none()).map(|f| f.level);
        let inside = |f: &&Free| state.is_none_or(|s| f.level + 1 < s);
        let times: f64 = free.iter().filter(inside).filter_map(|f| f.extent).product();
        match state {
            None => total += own * times,
            Some(s) => {
                let is_scalar = rank == 0 && matches!(node.op, Op::Prim(..) | Op::Cond);
                let is_awaited = is_scalar && !free.iter().any(|f| inside(&f));
                per.push((s, own * times * if is_awaited { cost::SEQUENTIAL } else { 1.0 }))
            }
        }
        per.sort_by_key(|p| p.0);
        let mut merged: SmallVec<[(u32, f64); 1]> = SmallVec::new();
        for (level, c) in per {
            match merged.last_mut() {
                Some(last) if last.0 == level => last.1 += c,
                _ => merged.push((level, c)),
            }
        }
        Info { element, rank, free, size, speculatable, cost: total, per_iteration: merged }
    }

    /// Checks whether an op cannot trap: division by a constant other than 0 and -1, or a shift by a constant less than
    /// the width.
    pub(super) fn is_total(&self, node: &Node) -> bool {
        let constant = node.children.get(1).and_then(|&c| self.as_int(c));
        match node.op {
            Op::Prim(Prim::IPowI, _) => false,
            Op::Prim(Prim::ShLI | Prim::ShRSI | Prim::ShRUI, _) => {
                let width = self.element(node.children[0]).bits();
                constant.is_some_and(|by| (0..width.into()).contains(&by))
            }
            // The divisor `true` is -1.
            _ => constant.is_some_and(|d| d != 0 && d != -1) && self.element(node.children[0]) != Element::I1,
        }
    }

    /// Returns the cost of a term without its operands.
    pub fn own_cost(&mut self, t: Id) -> f64 {
        let node = self.node(t).clone();
        self.weight(&node)
    }

    /// Returns the cost of one evaluation of the node itself.
    fn weight(&mut self, node: &Node) -> f64 {
        match node.op {
            Op::Const(..)
            | Op::Zero(_)
            | Op::One(_)
            | Op::Ix(_)
            | Op::State(..)
            | Op::Leaf(..)
            | Op::Dim(_)
            | Op::Proj(_) => cost::LEAF,
            Op::Build => {
                let (n, body) = (node.children[0], node.children[1]);
                cost::LOOP + self.assumed(n) * self.store_row(body)
            }
            Op::Stack => node.children.iter().map(|&row| self.store_row(row)).sum(),
            Op::Reduce(..) => cost::LOOP + self.assumed(node.children[0]),
            Op::Ifold(m) => {
                let n = self.assumed(node.children[0]);
                let inits: Vec<Id> = node.children[1..=m as usize].to_vec();
                // A carried array is stored again in each iteration.
                let stores: f64 = inits.iter().filter(|&&i| self.rank(i) > 0).map(|_| cost::STORE).sum();
                cost::LOOP + n * stores
            }
            Op::Scatter(axes, _) => {
                let added: f64 = node.children[1..=axes as usize].iter().map(|&n| self.assumed(n)).product();
                let array = self.assumed_elements(node.children[0]);
                cost::LOOP + cost::SCATTER * added + cost::STORE * array
            }
            Op::Get => {
                if self.info(node.children[0]).rank == 1 {
                    cost::GET
                } else {
                    cost::LEAF
                }
            }
            Op::Cond => cost::COND * (0..1).map(|_| self.assumed_elements(node.children[1])).sum::<f64>(),
            Op::Prim(p, _) => cost::prim(p),
            Op::Opaque(..) => cost::OPAQUE,
            Op::Data(form, _) => form.cost(&self.types),
        }
    }

    /// Returns the cost of storing a row in its array; a row that is computed in parts is computed there.
    fn store_row(&mut self, row: Id) -> f64 {
        match self.op(row) {
            Op::Build | Op::Stack => 0.0,
            _ => cost::STORE * self.assumed_elements(row),
        }
    }

    fn type_of(&self, node: &Node) -> (Element, u8) {
        let of = |k: usize| {
            let info = self.info(node.children[k]);
            (info.element, info.rank)
        };
        match node.op {
            Op::Const(e, _) | Op::Zero(e) | Op::One(e) => (e, 0),
            Op::Ix(_) | Op::Dim(_) => (Element::Index, 0),
            Op::State(_, _, e) => (e, node.children.len() as u8),
            Op::Leaf(_, e, r) | Op::Opaque(_, _, e, r) => (e, r),
            Op::Build => (of(1).0, of(1).1 + 1),
            Op::Stack => (of(0).0, of(0).1 + 1),
            Op::Reduce(r, _) => (if r.searches() { Element::Index } else { of(1).0 }, 0),
            Op::Ifold(_) => (Element::I1, 0),
            Op::Scatter(..) => of(0),
            Op::Proj(k) => {
                let init = self.child(node.children[0], 1 + k as usize);
                (self.element(init), self.info(init).rank)
            }
            Op::Get => (of(0).0, of(0).1.saturating_sub(1)),
            Op::Cond => of(1),
            Op::Data(_, ty) => (self.types.element(ty), 0),
            Op::Prim(p, _) => (p.result(of(0).0), 0),
        }
    }
}
