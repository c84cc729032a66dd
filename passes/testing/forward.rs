//! Naive forward-mode differentiation of terms, as in `spec/arrays.md` D.1. It generates the inputs of other tests.

use crate::optimise::terms::prim::{Cast, Prim};
use crate::optimise::terms::{Flags, Op, Pool};
use egg::Id;
use std::collections::HashMap;

pub struct Forward<'a> {
    pub pool: &'a mut Pool,
    /// The tangents of leaves, as terms in the scope in which differentiation starts.
    pub seeds: HashMap<Id, Id>,
    memo: HashMap<(Id, u32), (Id, Id)>,
    /// By binder, outermost first: for the states of a loop, the tangent component of each component.
    tangents: Vec<Option<Vec<Option<u32>>>>,
}

impl<'a> Forward<'a> {
    pub fn new(pool: &'a mut Pool, seeds: HashMap<Id, Id>) -> Self {
        Forward { pool, seeds, memo: HashMap::new(), tangents: Vec::new() }
    }

    /// Returns the tangent of a term.
    pub fn tangent(&mut self, t: Id) -> Id {
        self.dual(t).1
    }

    fn zero_like(&mut self, t: Id) -> Id {
        let element = self.pool.element(t);
        let mut z = self.pool.zero(element);
        for axis in (0..self.pool.rank(t)).rev() {
            let n = self.pool.extent(t, axis);
            let inner = self.pool.shift(z, 0, 1);
            z = self.pool.build(n, inner);
        }
        z
    }

    fn dual(&mut self, t: Id) -> (Id, Id) {
        let depth = self.tangents.len() as u32;
        if self.tangents.iter().all(|b| b.is_none())
            && let Some(&r) = self.memo.get(&(t, depth))
        {
            return r;
        }
        let r = self.step(t);
        if self.tangents.iter().all(|b| b.is_none()) {
            self.memo.insert((t, depth), r);
        }
        r
    }

    fn step(&mut self, t: Id) -> (Id, Id) {
        let node = self.pool.node(t).clone();
        let depth = self.tangents.len();
        let c = node.children.clone();
        match node.op {
            Op::Leaf(..) => match self.seeds.get(&t).copied() {
                Some(seed) => (t, self.pool.shift(seed, 0, depth as i64)),
                None => (t, self.zero_like(t)),
            },
            Op::State(level, k, e) => {
                let map = self.tangents[depth - 1 - level as usize].clone().unwrap_or_default();
                match map[k as usize] {
                    Some(tk) => (t, self.pool.add(Op::State(level, tk, e), c)),
                    None => (t, self.zero_like(t)),
                }
            }
            Op::Build | Op::Reduce(..) => {
                self.tangents.push(None);
                let (p, d) = self.dual(c[1]);
                self.tangents.pop();
                (self.pool.add(node.op, [c[0], p]), self.pool.add(node.op, [c[0], d]))
            }
            Op::Stack => {
                let rows: Vec<(Id, Id)> = c.iter().map(|&row| self.dual(row)).collect();
                let [p, d] = [0, 1].map(|k| rows.iter().map(|r| [r.0, r.1][k]).collect::<Vec<Id>>());
                (self.pool.stack(&p), self.pool.stack(&d))
            }
            Op::Proj(k) => {
                let fold = self.pool.node(c[0]).clone();
                let Op::Ifold(m) = fold.op else { unreachable!("a projection of a loop") };
                let m = m as usize;
                let mut map = Vec::new();
                let mut next = m as u32;
                for j in 0..m {
                    let float = self.pool.element(fold.children[1 + j]).is_float();
                    map.push(float.then_some(next));
                    next += u32::from(float);
                }
                let inits: Vec<(Id, Id)> = (0..m).map(|j| self.dual(fold.children[1 + j])).collect();
                self.tangents.push(Some(map.clone()));
                self.tangents.push(None);
                let bodies: Vec<(Id, Id)> = (0..m).map(|j| self.dual(fold.children[1 + m + j])).collect();
                self.tangents.pop();
                self.tangents.pop();
                let with = |pairs: &[(Id, Id)]| -> Vec<Id> {
                    let tangents = (0..m).filter(|&j| map[j].is_some()).map(|j| pairs[j].1);
                    pairs.iter().map(|p| p.0).chain(tangents).collect()
                };
                let (inits, bodies) = (with(&inits), with(&bodies));
                let p = self.pool.ifold(fold.children[0], &inits, &bodies, k);
                let d = match map[k as usize] {
                    Some(tk) => self.pool.ifold(fold.children[0], &inits, &bodies, tk),
                    None => self.zero_like(p),
                };
                (p, d)
            }
            Op::Get => {
                let (a, d) = self.dual(c[0]);
                let i = self.dual(c[1]).0;
                (self.pool.get(a, i), self.pool.get(d, i))
            }
            Op::Cond => {
                let k = self.dual(c[0]).0;
                let ((a, da), (b, db)) = (self.dual(c[1]), self.dual(c[2]));
                (self.pool.cond(k, a, b), self.pool.cond(k, da, db))
            }
            Op::Prim(p, f) if self.pool.element(t).is_float() && self.pool.element(c[0]).is_float() => {
                let duals: Vec<(Id, Id)> = c.iter().map(|&x| self.dual(x)).collect();
                let args: Vec<Id> = duals.iter().map(|d| d.0).collect();
                let value = self.pool.prim(p, f, &args);
                let tangent = self.primitive(p, f, value, &duals);
                (value, tangent)
            }
            Op::Prim(..) | Op::Dim(_) | Op::Opaque(..) => {
                let args: Vec<Id> = c.iter().map(|&x| self.dual(x).0).collect();
                let p = self.pool.add(node.op, args);
                (p, self.zero_like(p))
            }
            _ => (t, self.zero_like(t)),
        }
    }

    fn primitive(&mut self, p: Prim, f: Flags, y: Id, d: &[(Id, Id)]) -> Id {
        let pool = &mut *self.pool;
        let e = pool.element(y);
        let mul = |pool: &mut Pool, a, b| pool.prim(Prim::MulF, f, &[a, b]);
        let (a, at) = d[0];
        let b = d.get(1).copied();
        match (p, b) {
            (Prim::AddF | Prim::SubF, Some((_, bt))) => pool.prim(p, f, &[at, bt]),
            (Prim::MulF, Some((b, bt))) => {
                let (l, r) = (mul(pool, at, b), mul(pool, a, bt));
                pool.prim(Prim::AddF, f, &[l, r])
            }
            (Prim::DivF, Some((b, bt))) => {
                let (l, r) = (mul(pool, at, b), mul(pool, a, bt));
                let (top, bottom) = (pool.prim(Prim::SubF, f, &[l, r]), mul(pool, b, b));
                pool.prim(Prim::DivF, f, &[top, bottom])
            }
            (Prim::MaximumF, Some((b, bt))) => {
                let c = pool.prim(Prim::CmpF(3), f, &[a, b]);
                pool.cond(c, at, bt)
            }
            (Prim::NegF, _) => pool.prim(Prim::NegF, f, &[at]),
            (Prim::Exp, _) => mul(pool, at, y),
            (Prim::Log, _) => pool.prim(Prim::DivF, f, &[at, a]),
            (Prim::Log1p, _) => {
                let one = pool.float(e, 1.0);
                let bottom = pool.prim(Prim::AddF, f, &[one, a]);
                pool.prim(Prim::DivF, f, &[at, bottom])
            }
            (Prim::Sin, _) => {
                let c = pool.prim(Prim::Cos, f, &[a]);
                mul(pool, at, c)
            }
            (Prim::Tanh, _) => {
                let one = pool.float(e, 1.0);
                let square = mul(pool, y, y);
                let factor = pool.prim(Prim::SubF, f, &[one, square]);
                mul(pool, at, factor)
            }
            (Prim::Cast(Cast::ExtF | Cast::TruncF, _), _) => pool.prim(p, f, &[at]),
            other => unreachable!("no test differentiates {other:?}"),
        }
    }
}

/// Returns the one-hot of the shape of `x` at the innermost `rank x` bound indices (outermost axis at the highest
/// level).
fn one_hot(pool: &mut Pool, x: Id) -> Id {
    let rank = pool.rank(x);
    let e = pool.element(x);
    // Inside: `rank` own indices at levels 0.., then the `rank` indices of the position.
    let zero = pool.zero(e);
    let mut body = pool.add(Op::One(e), []);
    for axis in (0..rank).rev() {
        let extent = pool.extent(x, axis);
        let own = (rank - 1 - axis) as u32;
        let (i, k) = (pool.ix(own, extent), pool.ix(own + rank as u32, extent));
        let c = pool.prim2(Prim::CmpI(crate::optimise::terms::prim::EQ), i, k);
        body = pool.cond(c, body, zero);
    }
    for axis in (0..rank).rev() {
        let extent = pool.extent(x, axis);
        body = pool.build(extent, body);
    }
    body
}

/// Returns the naive gradient (or Jacobian, input axes outermost) of a closed term with respect to a leaf.
pub fn gradient(pool: &mut Pool, f: Id, x: Id) -> Id {
    let rank = pool.rank(x);
    let seed = if rank == 0 {
        let e = pool.element(x);
        pool.add(Op::One(e), [])
    } else {
        one_hot(pool, x)
    };
    let mut t = Forward::new(pool, HashMap::from([(x, seed)])).tangent(f);
    for axis in (0..rank).rev() {
        let extent = pool.extent(x, axis);
        t = pool.build(extent, t);
    }
    t
}
