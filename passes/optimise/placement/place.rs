//! Placement: the translation from terms to statements in loops.
//!
//! Binders are the terms that bind an index variable, such as builds and sums; they become loops. The *home* of a term
//! is the innermost binder among those whose variables it contains. Each term is emitted at its home, once for each
//! combination of binders of its variables. That alone *is* loop-invariant code motion and common subexpression
//! elimination. If a term depends on the indices of some loops but not on that of the loop that reads it, it is
//! computed once for all values of its indices, into an array, if that pays. Without such arrays, fusion would make
//! matrix-vector gradients cubic. A term that may stop with an error is not moved out of the loop that reads it.

use super::plan::{Plan, Scope, Stmt, Type, Val};
use super::share;
use crate::optimise::terms::cost;
use crate::optimise::terms::op::{Node, Op};
use crate::optimise::terms::pool::Pool;
use egg::Id;
use rustc_hash::FxHashMap;

/// The work per evaluation from which on a table over one index pays: a load replaces the work in the loop, and a store
/// is paid once.
pub(super) const TABLE_PAYS: f64 = 2.4;

/// The same for a table over several indices, which may not fit a cache.
const LARGE_TABLE_PAYS: f64 = 8.0;

/// One level of an environment: the index or the states of a loop.
#[derive(Clone, Debug)]
struct Binder {
    scope: usize,
    /// The index, or the components of the state.
    values: Vec<Val>,
    is_state: bool,
}

/// A free variable of a fragment: the index at a level, or a component of the states at a level.
#[derive(Clone, Debug)]
pub struct Variable {
    pub level: u32,
    pub component: Option<u32>,
    pub ty: Type,
}

pub struct Placer<'a> {
    pub(super) pool: &'a mut Pool,
    pub plan: Plan,
    binders: Vec<Binder>,
    placed: FxHashMap<(Id, Vec<usize>), (Val, usize)>,
    loops: FxHashMap<(Id, Vec<usize>), (Vec<Val>, usize)>,
    /// True to emit one statement for each node as written, without tables and bulk ops.
    literal: bool,
    /// The maximum number of values of the plan. A plan that needs more is abandoned.
    pub room: usize,
}

/// The binders from the outermost to the innermost; level 0 is the last one.
pub(super) type Env = Vec<usize>;

impl<'a> Placer<'a> {
    pub fn new(pool: &'a mut Pool) -> Self {
        let assumed_length = pool.assumed_length;
        let plan = Plan { scopes: vec![Scope::default()], assumed_length, ..Plan::default() };
        Placer {
            pool,
            plan,
            binders: Vec::new(),
            placed: FxHashMap::default(),
            loops: FxHashMap::default(),
            literal: false,
            room: usize::MAX,
        }
    }

    /// Places a term with free variables as written, and returns its value. The variables are leaves from `first` on,
    /// outermost level first, the states of a loop one by one. `variables` contains their types and levels.
    pub fn fragment(pool: &'a mut Pool, t: Id, first: u32) -> (Plan, Val, Vec<Variable>) {
        let mut placer = Placer { literal: true, ..Placer::new(pool) };
        let (mut env, mut variables) = (Env::new(), Vec::new());
        let free = placer.pool.info(t).free.to_vec();
        for level in (0..free.iter().map(|f| f.level + 1).max().unwrap_or(0)).rev() {
            let is_state = free.iter().any(|f| f.level == level && f.extent.is_none());
            let found = placer.pool.variables_at(t, level);
            let count = found.keys().max().map_or(0, |&k| k as usize + 1);
            let mut values = Vec::new();
            for k in 0..count {
                let ty = found.get(&(k as u32)).map_or(Type::INDEX, |&v| placer.type_of(v));
                let v = placer.plan.value(ty.clone());
                placer.plan.leaves[v as usize] = Some(first + variables.len() as u32);
                variables.push(Variable { level, component: is_state.then_some(k as u32), ty });
                values.push(v);
            }
            env.push(placer.binders.len());
            placer.binders.push(Binder { scope: 0, values, is_state });
        }
        let value = placer.emit(t, &env);
        (placer.plan, value, variables)
    }

    /// Places a closed term in the region itself, after everything placed before.
    pub fn place(&mut self, t: Id) -> Val {
        self.emit(t, &Vec::new())
    }

    /// Checks whether the plan has exceeded its maximum size, and is therefore incomplete.
    pub fn is_full(&self) -> bool {
        self.plan.types.len() > self.room
    }

    fn bound(&self, t: Id, env: &Env) -> Vec<usize> {
        self.pool.info(t).free.iter().map(|f| env[env.len() - 1 - f.level as usize]).collect()
    }

    fn current(&self, env: &Env) -> usize {
        env.last().map_or(0, |&b| self.binders[b].scope)
    }

    fn home(&self, t: Id, env: &Env) -> usize {
        if !self.pool.info(t).speculatable {
            return self.current(env);
        }
        self.bound(t, env).into_iter().map(|b| self.binders[b].scope).max_by_key(|&s| self.plan.depth(s)).unwrap_or(0)
    }

    pub(super) fn emit(&mut self, t: Id, env: &Env) -> Val {
        if self.is_full() {
            return 0;
        }
        let key = (t, self.bound(t, env));
        if let Some(v) = self.placed(&key, env) {
            return v;
        }
        let home = self.home(t, env);
        let table = if self.literal { None } else { self.tabulate(t, env, home) };
        let v = match table {
            Some(read) => self.emit(read, env),
            None => self.emit_at(t, env, home),
        };
        self.placed.insert(key, (v, home));
        v
    }

    pub(super) fn push(&mut self, scope: usize, s: Stmt) {
        self.plan.scopes[scope].stmts.push(s);
    }

    /// Returns the type of the value of a term. An axis is static if its extent is a constant.
    fn type_of(&mut self, t: Id) -> Type {
        let extents = self.pool.extents(t).into_iter();
        let shape = extents.map(|n| self.pool.as_int(n).map(|n| n.max(0) as u64)).collect();
        Type { element: self.pool.element(t), shape }
    }

    fn emit_at(&mut self, t: Id, env: &Env, home: usize) -> Val {
        let node = self.pool.node(t).clone();
        match node.op {
            Op::Ix(level) => self.binders[env[env.len() - 1 - level as usize]].values[0],
            Op::State(level, k, _) => self.binders[env[env.len() - 1 - level as usize]].values[k as usize],
            Op::Get => {
                if !self.literal
                    && let Some(read) = self.pool.at_plain_indices(t)
                {
                    return self.emit(read, env);
                }
                let (mut array, mut indices) = (t, Vec::new());
                while self.pool.op(array) == Op::Get && !(array != t && self.is_placed(array, env)) {
                    indices.push(self.pool.child(array, 1));
                    array = self.pool.child(array, 0);
                }
                indices.reverse();
                let array = self.emit(array, env);
                let indices = indices.into_iter().map(|i| self.emit(i, env)).collect();
                self.emit_stmt(t, home, |out| Stmt::Get { array, indices, out })
            }
            Op::Reduce(reduction, flags) if self.literal => {
                let array = self.pool.build(node.children[0], node.children[1]);
                let array = self.emit(array, env);
                self.emit_stmt(t, home, |out| Stmt::Reduce { reduction, flags, array, axes: vec![0], out })
            }
            Op::Reduce(..) => self.emit_reduction(t, env, home),
            Op::Build => self.emit_build(t, &node, env, home),
            Op::Scatter(axes, _) => self.emit_scatter(t, &node, axes as usize, env, home),
            Op::Opaque(number, k, ..) => self.emit_opaque(number, k as usize, &node, env, home),
            Op::Proj(k) => self.emit_loop(node.children[0], env, home)[k as usize],
            Op::Stack => {
                let out = self.out(t);
                let Type { element, shape } = self.plan.types[out as usize].clone();
                let row = Type { element, shape: shape[1..].to_vec() };
                let mut args = Vec::new();
                for &c in &node.children {
                    let v = self.emit(c, env);
                    args.push(self.retype(v, &row, home));
                }
                self.push(home, Stmt::Op { op: Op::Stack, args, out });
                out
            }
            _ => {
                let args = node.children.iter().map(|&c| self.emit(c, env)).collect();
                let out = self.out(t);
                if let Op::Leaf(number, ..) = node.op {
                    self.plan.leaves[out as usize] = Some(number);
                } else {
                    self.plan.constants[out as usize] = self.pool.as_int(t);
                    self.push(home, Stmt::Op { op: node.op, args, out });
                }
                out
            }
        }
    }

    /// Returns the value of a term that has been placed where it can be read.
    fn placed(&self, key: &(Id, Vec<usize>), env: &Env) -> Option<Val> {
        let &(v, scope) = self.placed.get(key)?;
        self.plan.encloses(scope, self.current(env)).then_some(v)
    }

    fn is_placed(&self, t: Id, env: &Env) -> bool {
        self.placed(&(t, self.bound(t, env)), env).is_some()
    }

    /// Returns the results of a loop or an opaque op that has been placed where they can be read.
    fn placed_results(&self, key: &(Id, Vec<usize>), env: &Env) -> Option<Vec<Val>> {
        let (outs, scope) = self.loops.get(key)?;
        self.plan.encloses(*scope, self.current(env)).then(|| outs.clone())
    }

    pub(super) fn out(&mut self, t: Id) -> Val {
        let ty = self.type_of(t);
        let out = self.plan.value(ty);
        self.plan.terms[out as usize] = Some(t);
        out
    }

    /// Emits the statement that computes `t`.
    pub(super) fn emit_stmt(&mut self, t: Id, home: usize, stmt: impl FnOnce(Val) -> Stmt) -> Val {
        let out = self.out(t);
        self.push(home, stmt(out));
        out
    }

    fn emit_build(&mut self, t: Id, node: &Node, env: &Env, home: usize) -> Val {
        if self.literal {
            return self.emit_rows(t, node, env, home);
        }
        if let Some(v) =
            self.as_view(t, env, home).or_else(|| self.as_reshape(t, env, home)).or_else(|| self.as_rows(t, env, home))
        {
            return v;
        }
        if matches!(self.pool.op(node.children[1]), Op::Build | Op::Reduce(..))
            && let Some(nest) = self.bulk_nest(t)
        {
            return self.emit_nest(t, nest, env, home);
        }
        let n = self.emit(node.children[0], env);
        if !self.pool.mentions(node.children[1], 0) && self.pool.may_leave(node.children[1], node.children[0]) {
            let row = self.pool.shift(node.children[1], 0, -1);
            let x = self.emit(row, env);
            return self.emit_stmt(t, home, |out| Stmt::Replicate { x, n, out });
        }
        self.emit_rows(t, node, env, home)
    }

    fn emit_rows(&mut self, t: Id, node: &Node, env: &Env, home: usize) -> Val {
        let n = self.emit(node.children[0], env);
        let index = self.plan.value(Type::INDEX);
        let scope = self.open(home, vec![index]);
        self.binders.push(Binder { scope, values: vec![index], is_state: false });
        let inner = [env.as_slice(), &[self.binders.len() - 1]].concat();
        let row = self.emit(node.children[1], &inner);
        self.plan.scopes[scope].yields = vec![row];
        self.emit_stmt(t, home, |out| Stmt::Build { extents: vec![n], scope, outs: vec![out] })
    }

    /// Emits a scatter. Rows that are added unchanged stay rows.
    fn emit_scatter(&mut self, t: Id, node: &Node, axes: usize, env: &Env, home: usize) -> Val {
        let (init, extents) = (node.children[0], &node.children[1..=axes]);
        let (&e, mut positions) = node.children[1 + axes..].split_last().expect("what is added comes last");
        let mut trailing = 0;
        while let [before @ .., last] = positions {
            let own = self.pool.op(*last) == Op::Ix(trailing);
            let whole = self.pool.extent(init, positions.len() - 1);
            if before.is_empty()
                || trailing as usize == axes
                || !own
                || self.pool.equal(whole, extents[axes - 1 - trailing as usize]) != Some(true)
                || before.iter().any(|&p| self.pool.mentions(p, trailing))
            {
                break;
            }
            positions = before;
            trailing += 1;
        }
        let array = self.pool.builds(extents, e);
        let (array, init) = (self.emit(array, env), self.emit(init, env));
        let args: Vec<Val> = (trailing as usize..axes).map(|_| self.plan.value(Type::INDEX)).collect();
        let scope = self.open(home, args.clone());
        let mut inner = env.clone();
        for &arg in &args {
            inner.push(self.binders.len());
            self.binders.push(Binder { scope, values: vec![arg], is_state: false });
        }
        let yields = positions
            .iter()
            .map(|&p| {
                let p = self.pool.shift(p, 0, -(trailing as i64));
                self.emit(p, &inner)
            })
            .collect();
        self.plan.scopes[scope].yields = yields;
        self.emit_stmt(t, home, |out| Stmt::Scatter { array, init, scope, out })
    }

    fn open(&mut self, parent: usize, args: Vec<Val>) -> usize {
        self.plan.scopes.push(Scope { parent: Some(parent), args, ..Scope::default() });
        self.plan.scopes.len() - 1
    }

    /// Returns the results of a loop. Components that are placed separately share the loop.
    fn emit_loop(&mut self, t: Id, env: &Env, home: usize) -> Vec<Val> {
        let key = (t, self.bound(t, env));
        if let Some(outs) = self.placed_results(&key, env) {
            return outs;
        }
        let node = self.pool.node(t).clone();
        let Op::Ifold(m) = node.op else { return Vec::new() };
        let m = m as usize;
        let n = self.emit(node.children[0], env);
        let mut inits: Vec<Val> = node.children[1..=m].iter().map(|&z| self.emit(z, env)).collect();
        // The types of carried values are those of the initial values.
        let types: Vec<Type> = node.children[1..=m].iter().map(|&z| self.type_of(z)).collect();
        for (init, ty) in inits.iter_mut().zip(&types) {
            *init = self.retype(*init, ty, home);
        }
        let index = self.plan.value(Type::INDEX);
        let states: Vec<Val> = types.iter().map(|ty| self.plan.value(ty.clone())).collect();
        let scope = self.open(home, [&[index], states.as_slice()].concat());
        self.binders.push(Binder { scope, values: states, is_state: true });
        self.binders.push(Binder { scope, values: vec![index], is_state: false });
        let count = self.binders.len();
        let inner = [env.as_slice(), &[count - 2, count - 1]].concat();
        let yields = node.children[1 + m..]
            .iter()
            .zip(&types)
            .map(|(&b, ty)| {
                let v = self.emit(b, &inner);
                self.retype(v, ty, scope)
            })
            .collect();
        self.plan.scopes[scope].yields = yields;
        let outs: Vec<Val> = types.into_iter().map(|ty| self.plan.value(ty)).collect();
        self.push(home, Stmt::Ifold { n, inits, scope, outs: outs.clone() });
        self.loops.insert(key, (outs.clone(), home));
        outs
    }

    /// Returns result `k` of an opaque op. Results that are placed separately share the op.
    fn emit_opaque(&mut self, number: u32, k: usize, node: &Node, env: &Env, home: usize) -> Val {
        let first = self.pool.opaque_result(number, 0, &node.children);
        let key = (first, self.bound(first, env));
        if let Some(outs) = self.placed_results(&key, env) {
            return outs[k];
        }
        let results = self.pool.opaque_results(number, &node.children);
        let args = node.children.iter().map(|&c| self.emit(c, env)).collect();
        let outs: Vec<Val> = results.into_iter().map(|t| self.out(t)).collect();
        self.push(home, Stmt::Opaque { number, args, outs: outs.clone() });
        let out = outs[k];
        self.loops.insert(key, (outs, home));
        out
    }

    pub fn retype(&mut self, v: Val, ty: &Type, scope: usize) -> Val {
        if self.plan.types[v as usize] == *ty {
            return v;
        }
        let out = self.plan.value(ty.clone());
        self.push(scope, Stmt::Retype { array: v, out });
        out
    }

    /// Returns the read of `t` from a table, as a term in `env`, if `t` would be computed in loops that it does not
    /// depend on and a table pays.
    fn tabulate(&mut self, t: Id, env: &Env, home: usize) -> Option<Id> {
        let info = self.pool.info(t);
        if info.free.is_empty()
            || !info.speculatable
            || matches!(self.pool.op(t), Op::Ix(_) | Op::State(..) | Op::Dim(_) | Op::Leaf(..))
        {
            return None;
        }
        let free: Vec<u32> = info.free.iter().map(|f| f.level).collect();
        let binder = |s: &Self, level: u32| s.binders[env[env.len() - 1 - level as usize]].clone();
        // The loops around the home, from the innermost one to the innermost one whose state `t` reads.
        let mut known = Vec::new();
        let mut barrier = None;
        for &level in &free {
            let b = binder(self, level);
            known.push(b.scope);
            if b.is_state {
                barrier = barrier.max(Some(self.plan.depth(b.scope)));
            }
        }
        if matches!(self.pool.op(t), Op::Reduce(..)) {
            let is_own = |level: &u32| {
                let b = binder(self, *level);
                !b.is_state && barrier.is_none_or(|at| self.plan.depth(b.scope) > at)
            };
            let own: Vec<u32> = free.iter().copied().filter(is_own).collect();
            if let Some(read) = self.bulk_table(t, &own) {
                return Some(read);
            }
        }
        let (mut scope, mut outermost) = (home, None);
        while let Some(parent) = self.plan.scopes[scope].parent {
            if barrier.is_some_and(|b| self.plan.depth(scope) <= b) {
                break;
            }
            if !known.contains(&scope) {
                outermost = Some(self.plan.depth(scope));
            }
            scope = parent;
        }
        let outermost = outermost?;
        // The indices of loops inside of that loop become indices of the table.
        let own: Vec<u32> = free.into_iter().filter(|&l| self.plan.depth(binder(self, l).scope) > outermost).collect();
        let pays = if own.len() == 1 { TABLE_PAYS } else { LARGE_TABLE_PAYS };
        if own.is_empty() || own.iter().any(|&l| binder(self, l).is_state) || self.work(t, &own) < pays {
            return None;
        }
        share::table(self.pool, t, &own)
    }

    /// Returns the work of one evaluation of `t` that a table over the variables `own` would save.
    pub(super) fn work(&mut self, t: Id, own: &[u32]) -> f64 {
        fn go(pool: &mut Pool, t: Id, own: &[u32], depth: u32, seen: &mut FxHashMap<(Id, u32), f64>) -> f64 {
            if own.iter().all(|&l| !pool.mentions(t, l + depth)) || seen.contains_key(&(t, depth)) {
                return 0.0;
            }
            seen.insert((t, depth), 0.0);
            let node = pool.node(t).clone();
            let (own_work, trips) = match node.op {
                Op::Prim(p, _) => (cost::prim(p), 1.0),
                Op::Build | Op::Reduce(..) | Op::Ifold(_) => (cost::LOOP, pool.assumed(node.children[0])),
                Op::Scatter(axes, _) => {
                    let n: f64 = node.children[1..=axes as usize].iter().map(|&n| pool.assumed(n)).product();
                    (cost::LOOP + cost::SCATTER * n, n)
                }
                Op::Get => (cost::GET, 1.0),
                Op::Cond => (cost::COND, 1.0),
                Op::Opaque(..) => (cost::OPAQUE, 1.0),
                _ => (0.0, 1.0),
            };
            let mut sum = own_work;
            for (k, &c) in node.children.iter().enumerate() {
                if matches!(node.op, Op::Ix(_) | Op::State(..) | Op::Dim(_)) {
                    break;
                }
                let b = node.binds(k);
                sum += go(pool, c, own, depth + b, seen) * if b > 0 { trips } else { 1.0 };
            }
            sum
        }
        go(self.pool, t, own, 0, &mut FxHashMap::default())
    }
}
