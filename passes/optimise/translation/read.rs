//! Translation from a plan to terms, which have no order. Elementwise ops on arrays become builds of scalar code.

use super::same_sizes::SameSize;
use crate::optimise::placement::plan::{Plan, Scope, Stmt, Type, Val};
use crate::optimise::terms::op::Op;
use crate::optimise::terms::pool::Pool;
use crate::optimise::terms::prim::Prim;
use egg::Id;
use rustc_hash::FxHashMap;

/// The term of a value, and the number of binders that were open at its definition: deeper inside, it is shifted.
#[derive(Clone, Copy)]
struct Known {
    term: Id,
    depth: u32,
}

pub struct Reader<'a> {
    pool: &'a mut Pool,
    plan: &'a Plan,
    known: FxHashMap<Val, Known>,
    depth: u32,
    promises: bool,
    same_sizes: Vec<SameSize>,
}

impl<'a> Reader<'a> {
    /// Creates a reader. `promises` states that either all statements of the outermost scope run, or none. Then an
    /// elementwise op there on two arrays implies that their sizes are equal.
    pub fn new(pool: &'a mut Pool, plan: &'a Plan, promises: bool) -> Self {
        Reader { pool, plan, known: FxHashMap::default(), depth: 0, promises, same_sizes: vec![] }
    }

    /// Returns the terms of all values. Those of inner scopes are open, in the scope of the definition.
    pub fn read(self) -> FxHashMap<Val, Id> {
        self.read_all().0
    }

    /// Returns the terms of all values, and conditions on sizes that ops of the outermost scope require.
    pub fn read_all(mut self) -> (FxHashMap<Val, Id>, Vec<SameSize>) {
        for results in &self.plan.opaque {
            self.pool.opaque(results.clone());
        }
        for (v, leaf) in self.plan.leaves.iter().enumerate() {
            if leaf.is_some() {
                let ty = &self.plan.types[v];
                let term = self.pool.leaf(ty.element, ty.shape.clone());
                self.known.insert(v as Val, Known { term, depth: 0 });
            }
        }
        self.scope(0);
        for ([a, b], axis, of) in &self.plan.same_sizes {
            let (a, b) = (self.term(*a), self.term(*b));
            self.require(a, b, *axis, *of);
        }
        (self.known.into_iter().map(|(v, k)| (v, k.term)).collect(), self.same_sizes)
    }

    fn term(&mut self, v: Val) -> Id {
        let k = self.known[&v];
        self.pool.shift(k.term, 0, (self.depth - k.depth) as i64)
    }

    fn set(&mut self, v: Val, term: Id) {
        self.known.insert(v, Known { term, depth: self.depth });
    }

    fn ty(&self, v: Val) -> &'a Type {
        &self.plan.types[v as usize]
    }

    fn scope(&mut self, scope: usize) {
        self.plan.scopes[scope].stmts.iter().for_each(|s| self.stmt(s));
    }

    fn terms(&mut self, values: &[Val]) -> Vec<Id> {
        values.iter().map(|&v| self.term(v)).collect()
    }

    /// Reads a scope whose arguments are indices below `extents`. Returns what it yields, under these indices.
    fn under(&mut self, scope: usize, extents: &[Id]) -> Vec<Id> {
        let Scope { args, yields, .. } = &self.plan.scopes[scope];
        let k = extents.len() as u32;
        self.depth += k;
        for (axis, (&arg, &n)) in args.iter().zip(extents).enumerate() {
            let extent = self.pool.shift(n, 0, k as i64);
            let i = self.pool.ix(k - 1 - axis as u32, extent);
            self.set(arg, i);
        }
        self.scope(scope);
        let yields = self.terms(yields);
        self.depth -= k;
        yields
    }

    fn stmt(&mut self, s: &'a Stmt) {
        let t = match s {
            Stmt::Op { op, args, out } => {
                let args = self.terms(args);
                self.op(*op, &args, *out)
            }
            Stmt::Opaque { number, args, outs } => {
                let args = self.terms(args);
                self.pool.opaque_results(*number, &args).into_iter().zip(outs).for_each(|(t, &out)| self.set(out, t));
                return;
            }
            Stmt::Get { array, indices, .. } => {
                let mut t = self.term(*array);
                for &i in indices {
                    let i = self.term(i);
                    t = self.pool.get(t, i);
                }
                t
            }
            Stmt::Build { extents, scope, outs } => {
                let extents = self.terms(extents);
                let rows = self.under(*scope, &extents);
                for (row, &out) in rows.into_iter().zip(outs) {
                    let t = self.pool.builds(&extents, row);
                    self.set(out, t);
                }
                return;
            }
            Stmt::Reduce { reduction, flags, array, axes, .. } => {
                let x = self.term(*array);
                let sizes = self.pool.extents(x);
                // build s.. (Σ_r.. x[..]): the binders of the remaining axes are outside.
                let stay = (0..sizes.len()).filter(|axis| !axes.contains(axis));
                let order: Vec<usize> = stay.chain(axes.iter().copied()).collect();
                let position = |axis| order.iter().position(|&a| a == axis).unwrap_or(axis);
                let mut t = self.pool.element_under(x, &sizes, position);
                for (position, &axis) in order.iter().enumerate().rev() {
                    let n = self.pool.shift(sizes[axis], 0, position as i64);
                    let op = if axes.contains(&axis) { Op::Reduce(*reduction, *flags) } else { Op::Build };
                    t = self.pool.add(op, [n, t]);
                }
                t
            }
            Stmt::Ifold { n, inits, scope, outs } => {
                let n = self.term(*n);
                let inits = self.terms(inits);
                let Scope { args, yields, .. } = &self.plan.scopes[*scope];
                self.depth += 2;
                let extent = self.pool.shift(n, 0, 2);
                let i = self.pool.ix(0, extent);
                self.set(args[0], i);
                for (k, &init) in inits.iter().enumerate() {
                    let s = self.pool.state(init, k as u32);
                    self.set(args[1 + k], s);
                }
                self.scope(*scope);
                let bodies = self.terms(yields);
                self.depth -= 2;
                for (k, &out) in outs.iter().enumerate() {
                    let t = self.pool.ifold(n, &inits, &bodies, k as u32);
                    self.set(out, t);
                }
                return;
            }
            Stmt::Scatter { array, init, scope, .. } => {
                let (x, init) = (self.term(*array), self.term(*init));
                let extents = self.pool.extents(x);
                let (leading, rank) = (self.plan.scopes[*scope].args.len(), extents.len());
                let given = self.under(*scope, &extents[..leading]);
                // Rows are added element by element: their axes are iteration axes too, each at its own position.
                let mut positions: Vec<Id> =
                    given.into_iter().map(|p| self.pool.shift(p, 0, (rank - leading) as i64)).collect();
                let e = self.pool.element_under(x, &extents, |axis| axis);
                for (axis, &n) in extents.iter().enumerate().skip(leading) {
                    let n = self.pool.shift(n, 0, rank as i64);
                    positions.push(self.pool.ix((rank - 1 - axis) as u32, n));
                }
                self.pool.scatter(init, &extents, &positions, e)
            }
            Stmt::Transpose { array, permutation, .. } => {
                let x = self.term(*array);
                let sizes = self.pool.extents(x);
                // z[k..] = x[i..] with i at axis p_j equal to k_j.
                let position = |axis| permutation.iter().position(|&p| p == axis).unwrap_or(axis);
                let e = self.pool.element_under(x, &sizes, position);
                let extents: Vec<Id> = permutation.iter().map(|&p| sizes[p]).collect();
                self.pool.builds(&extents, e)
            }
            Stmt::Slice { array, start, n, .. } => {
                let (x, start, n) = (self.term(*array), self.term(*start), self.term(*n));
                let (inside, start) = (self.pool.shift(x, 0, 1), self.pool.shift(start, 0, 1));
                let i = self.pool.bound_ix(n);
                let at = self.pool.prim2(Prim::AddI, start, i);
                let row = self.pool.get(inside, at);
                self.pool.build(n, row)
            }
            Stmt::Reverse { array, .. } => {
                let x = self.term(*array);
                let n = self.pool.extent(x, 0);
                let (inside, length) = (self.pool.shift(x, 0, 1), self.pool.shift(n, 0, 1));
                let one = self.pool.index(1);
                let last = self.pool.prim2(Prim::SubI, length, one);
                let i = self.pool.bound_ix(n);
                let at = self.pool.prim2(Prim::SubI, last, i);
                let row = self.pool.get(inside, at);
                self.pool.build(n, row)
            }
            Stmt::Reshape { array, sizes, otherwise, out } => {
                let x = self.term(*array);
                let sizes = self.terms(sizes);
                let promised = self.promises && self.depth == 0;
                let reshaped = self.pool.reshape(x, &sizes, promised);
                let promised = std::mem::take(&mut self.pool.promised);
                self.same_sizes.extend(promised.into_iter().map(|sizes| SameSize { sizes, of: *out }));
                match (reshaped, otherwise) {
                    (Some(t), _) => t,
                    (None, Some(operation)) => return self.stmt(operation),
                    (None, None) => unreachable!("placement makes no reshape that it does not know"),
                }
            }
            Stmt::Replicate { x, n, .. } => {
                let (x, n) = (self.term(*x), self.term(*n));
                let row = self.pool.shift(x, 0, 1);
                self.pool.build(n, row)
            }
            Stmt::Retype { array, .. } => self.term(*array),
        };
        self.set(s.outs()[0], t);
    }

    /// Records that the arrays of an elementwise op must have equal sizes along some axes.
    fn promise(&mut self, arrays: &[Id], axes: impl Iterator<Item = usize>, of: Val) {
        for axis in axes {
            arrays.windows(2).for_each(|pair| self.require(pair[0], pair[1], axis, of));
        }
    }

    /// Records that two arrays must have equal sizes along an axis.
    fn require(&mut self, a: Id, b: Id, axis: usize, of: Val) {
        let (a, b) = (self.pool.extent(a, axis), self.pool.extent(b, axis));
        self.equal(a, b, of);
    }

    /// Records that two sizes must be equal, and that they are if the op certainly runs.
    fn equal(&mut self, a: Id, b: Id, of: Val) {
        let sizes = [self.pool.length_of(a), self.pool.length_of(b)];
        if self.depth > 0 || self.pool.equal(sizes[0], sizes[1]) == Some(true) {
            return;
        }
        self.same_sizes.push(SameSize { sizes, of });
        if self.promises {
            self.pool.assume_equal_lengths(a, b);
        }
    }

    /// Returns the term of an op, elementwise if its result is an array.
    fn op(&mut self, op: Op, args: &[Id], out: Val) -> Id {
        let ty = self.ty(out);
        if ty.shape.is_empty()
            || matches!(op, Op::Dim(_) | Op::Stack)
            || (op == Op::Cond && self.pool.rank(args[0]) == 0)
        {
            if let Op::Dim(axis) = op {
                let n = self.pool.extent(args[0], axis as usize);
                return self.pool.length_of(n);
            }
            if op == Op::Stack {
                self.promise(args, 0..ty.shape.len() - 1, out);
            }
            return self.pool.add(op, args);
        }
        let rank = ty.shape.len();
        let arrays: Vec<Id> = args.iter().copied().filter(|&a| self.pool.rank(a) == rank).collect();
        self.promise(&arrays, (0..rank).filter(|&axis| ty.shape[axis].is_none()), out);
        let sizes: Vec<Id> = (0..rank)
            .map(|axis| match ty.shape[axis] {
                Some(n) => self.pool.index(n as i64),
                None => self.pool.extent(arrays[0], axis),
            })
            .collect();
        let elements: Vec<Id> = args
            .iter()
            .map(|&a| match self.pool.rank(a) {
                0 => self.pool.shift(a, 0, rank as i64),
                _ => self.pool.element_under(a, &sizes, |axis| axis),
            })
            .collect();
        let t = self.pool.add(op, elements);
        self.pool.builds(&sizes, t)
    }
}
