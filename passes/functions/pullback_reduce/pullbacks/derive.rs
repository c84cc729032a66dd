//! The reduction of `D[y,E,V]`, the derivative of an elementary term `E` with respect to `y`, at the point `V` along a
//! direction (`spec/functional.md` C.4, rules 9 to 20).

use super::machine::Machine;
use super::term::{self, Point, Pullback, Stage, Term, TermKind, Var, substitute};
use mlopt_dialects::diagnostics::{Reported, error};

impl Machine {
    /// Returns the derivative of `e` with its variables at `points`; it is linear in their directions. `e` is
    /// elementary.
    pub(super) fn derive(&mut self, points: &[Point], e: &Term) -> Result<Term, Reported> {
        let vars = term::variables(points);
        if !e.has_any(&vars) {
            return Ok(term::zero(e.at));
        }
        let there = term::values(points);
        let value = |z: &Term| substitute(z, &there);
        let along = |z: &Term| match &z.kind {
            TermKind::Variable(v) => {
                points.iter().find(|p| p.var == *v).map_or_else(|| term::zero(z.at), |p| p.along.clone())
            }
            _ => term::zero(z.at),
        };
        let at = e.at;
        Ok(match &e.kind {
            TermKind::Variable(_) => along(e),
            TermKind::Sum(a, b) => term::sum(along(a), along(b)),
            TermKind::Part { index, of, tuple } => term::part(*index, *of, along(tuple)),
            TermKind::Tuple(parts) => term::tuple(parts.iter().map(along).collect(), at),
            // Differentiation along a direction is linear in the direction, and in the function.
            TermKind::Jacobian(f, z) => {
                let of_function = term::jacobian(along(f), value(z));
                term::sum(of_function, term::jacobian(value(f), along(z)))
            }
            TermKind::Apply(f, z) => match &f.kind {
                TermKind::Primitive(p) if p.is_constant() => term::zero(at),
                _ => {
                    let of_function = term::apply(along(f), value(z));
                    term::sum(of_function, term::apply(term::jacobian(value(f), along(z)), value(z)))
                }
            },
            TermKind::Dual(x, body, z) => {
                let mut parts = term::zero(at);
                if body.has_any(&vars) {
                    let inner = below(points, body);
                    parts = term::new(TermKind::Dual(*x, inner, value(z)), at);
                }
                let functional = along(z);
                if !functional.is_zero() {
                    parts = term::sum(parts, term::new(TermKind::Dual(*x, value(body), functional), at));
                }
                parts
            }
            TermKind::Pullback(p) => {
                let unfolded = self.unfolded(p, e)?;
                self.derive(points, &unfolded)?
            }
            TermKind::Lambda(x, body) => term::new(TermKind::Lambda(*x, below(points, body)), at),
            TermKind::Pairing(w, x) => {
                let of = |w: Term, x: Term| match w.is_zero() || x.is_zero() {
                    true => term::zero(at),
                    false => term::new(TermKind::Pairing(w, x), at),
                };
                term::sum(of(along(w), value(x)), of(value(w), along(x)))
            }
            _ => return Err(error(at, format!("not supported: no rule gives the derivative of {}", self.text(e)))),
        })
    }

    /// Rule 17: returns a pullback as a function.
    pub(super) fn unfolded(&mut self, p: &Pullback, e: &Term) -> Result<Term, Reported> {
        let at = e.at;
        if let Stage::Split(before) = &p.stage {
            let Some(before) = before.clone() else {
                return Err(error(at, "internal error: a pullback of several variables must be called on all of them"));
            };
            return self.unfolded(&before, e);
        }
        let [x] = p.pattern[..] else { unreachable!("only split pullbacks have patterns") };
        let a = self.names.fresh("a", self.names.ty(x));
        let (t1, t2, u) = (self.names.fresh("b", None), self.names.fresh("w", None), self.names.fresh("u", None));
        let there = |v: Var| term::variable(v, at);
        let point = Point { var: x, value: there(a), along: there(u) };
        let linear = term::new(TermKind::Derivative(vec![point], p.body.clone()), at);
        let dual = term::new(TermKind::Dual(u, linear, there(t2)), at);
        let form = term::new(TermKind::Let(t2, term::apply(p.form.clone(), there(t1)), dual), at);
        let body = term::new(TermKind::Let(t1, substitute(&p.body, &[(x, there(a))]), form), at);
        let body = self.series_of(&body)?;
        let found = term::new(TermKind::Lambda(a, body), at);
        self.step("17", || (e.clone(), found.clone()));
        Ok(found)
    }
}

/// Returns the derivative of the body of a binder, which is deferred until the bound variable is known.
fn below(points: &[Point], body: &Term) -> Term {
    let used: Vec<Point> = points.iter().filter(|p| body.has(p.var)).cloned().collect();
    match used[..] {
        [] => term::zero(body.at),
        _ => term::new(TermKind::Derivative(used, body.clone()), body.at),
    }
}
