//! Transposition of linear maps on covectors: `(\v.S)^*.c`, where `S` is linear in `v` (`spec/functional.md` C.5, rules
//! D1 to D11).
//!
//! The covector of a number or vector is a number or vector, that of a tuple is a tuple, and that of a function is a
//! sum of terms `[a |> c]`, which evaluate the function at `a` and apply the covector `c` to the result. Transposition
//! costs as much as the map itself; rules 5 and 6, which compose maps, would copy the inner map for each use.

use super::machine::Machine;
use super::term::{self, Evaluation, Point, Term, TermKind, Var, substitute};
use mlopt_dialects::diagnostics::Reported;

/// A term, unless the reduction fails.
type Reduced = Result<Term, Reported>;

impl Machine {
    /// Reduces `(\v.s)^*.c`, for a covector `c` that is a value.
    pub(super) fn transpose(&mut self, v: Var, s: &Term, c: Term) -> Reduced {
        if c.is_zero() {
            return Ok(c);
        }
        // A linear term without `v` is the zero map.
        if !s.has(v) {
            return Ok(self.noted("D1", v, s, &c, term::zero(s.at)));
        }
        let at = s.at;
        match &s.kind {
            TermKind::Variable(_) => Ok(self.noted("D2", v, s, &c, c.clone())),
            TermKind::Part { index, of, tuple } => {
                let parts = (0..*of).map(|k| if k == *index { c.clone() } else { term::zero(at) });
                let wide = term::tuple(parts.collect(), at);
                self.dual_step("D3", v, s, &c, tuple, &wide);
                self.transpose(v, tuple, wide)
            }
            TermKind::Tuple(parts) => {
                let TermKind::Tuple(covectors) = &c.kind else { return Err(self.misfit(s, &c)) };
                if covectors.len() != parts.len() {
                    return Err(self.misfit(s, &c));
                }
                let pairs: Vec<(Term, Term)> = parts.iter().cloned().zip(covectors.iter().cloned()).collect();
                self.summed("D4", v, s, &c, &pairs)
            }
            TermKind::Sum(a, b) => {
                let pairs = [(a.clone(), c.clone()), (b.clone(), c.clone())];
                self.summed("D5", v, s, &c, &pairs)
            }
            TermKind::Apply(f, a) => self.transpose_call(v, s, f, a, c),
            TermKind::Jacobian(f, u) if u.has(v) && !f.has(v) => {
                // As a function of the point, it is evaluated at the points that the covector determines.
                let mut pairs = Vec::new();
                for e in self.evaluations_of(&c, s)? {
                    pairs.push(match e.along[..] {
                        [] => (term::apply(s.clone(), e.at), e.covector),
                        _ => {
                            let lambda = self.abstraction_of(s)?;
                            (self.evaluated(&lambda, &e)?, e.covector)
                        }
                    });
                }
                self.summed("D8", v, s, &c, &pairs)
            }
            TermKind::Jacobian(f, u) if !u.has(v) => {
                let u = self.eval(u)?;
                let mut further = term::zero(at);
                for e in self.evaluations_of(&c, s)? {
                    let along = [e.along.as_slice(), std::slice::from_ref(&u)].concat();
                    further = term::sum(further, term::new(TermKind::At(Evaluation { along, ..e }), at));
                }
                self.dual_step("D8", v, s, &c, f, &further);
                self.transpose(v, f, further)
            }
            TermKind::Lambda(..) => {
                let all = self.evaluations_of(&c, s)?.into_iter();
                let all = all.map(|e| Ok((self.evaluated(s, &e)?, e.covector)));
                let pairs = all.collect::<Result<Vec<_>, Reported>>()?;
                self.summed("D8", v, s, &c, &pairs)
            }
            TermKind::Pullback(p) => {
                let unfolded = self.unfolded(p, s)?;
                self.transpose(v, &unfolded, c)
            }
            TermKind::Let(u, value, body) => self.transpose_let(v, *u, value, body, (s, c)),
            // A functional of functionals is a value of the type that they are on (R^n** = R^n).
            TermKind::Dual(x, body, functional) if !body.has(v) => {
                let through = self.eval(&substitute(body, &[(*x, c.clone())]))?;
                self.dual_step("D10", v, s, &c, functional, &through);
                self.transpose(v, functional, through)
            }
            TermKind::Dual(x, body, functional) if !functional.has(v) => {
                let functional = self.eval(functional)?;
                let body = substitute(body, &[(*x, c.clone())]);
                self.dual_step("D10", v, s, &c, &body, &functional);
                self.transpose(v, &body, functional)
            }
            TermKind::Derivative(points, body) if !body.has(v) && !points.iter().any(|p| p.value.has(v)) => {
                self.transpose_derivative(v, points, body, (s, c))
            }
            TermKind::Pairing(w, x) if w.has(v) != x.has(v) => {
                let (varying, fixed) = if w.has(v) { (w, x) } else { (x, w) };
                let fixed = self.eval(fixed)?;
                let scaled = self.scaled(&c, &fixed)?;
                self.dual_step("pair", v, s, &c, varying, &scaled);
                self.transpose(v, varying, scaled)
            }
            _ => self.by_pullback(v, s, c),
        }
    }

    /// Uses that a linear map is its own derivative at 0.
    fn by_pullback(&mut self, v: Var, s: &Term, c: Term) -> Reduced {
        let f = term::new(TermKind::Lambda(v, s.clone()), s.at);
        self.pull_constant(&f, &term::zero(s.at), &c)
    }

    fn transpose_call(&mut self, v: Var, s: &Term, f: &Term, a: &Term, c: Term) -> Reduced {
        if a.has(v) {
            // A function that is linear in its argument, where `v` occurs only in some components.
            return self.by_pullback(v, s, c);
        }
        if let TermKind::Jacobian(g, u) = &f.kind
            && !g.has(v)
        {
            let a = self.eval(a)?;
            let g = self.eval(g)?;
            let through = match &g.kind {
                TermKind::Primitive(p) => self.transposed(p, &a, &c)?,
                _ => {
                    let lambda = self.abstraction_of(&g)?;
                    self.pull_constant(&lambda, &a, &c)?
                }
            };
            self.dual_step("D6", v, s, &c, u, &through);
            return self.transpose(v, u, through);
        }
        let a = self.eval(a)?;
        let there = Evaluation { at: a, along: vec![], covector: c.clone() };
        let there = term::new(TermKind::At(there), s.at);
        self.dual_step("D7", v, s, &c, f, &there);
        self.transpose(v, f, there)
    }

    /// D9: transposes the body of a let, then the bound term.
    fn transpose_let(&mut self, v: Var, u: Var, value: &Term, body: &Term, (s, c): (&Term, Term)) -> Reduced {
        if !value.has(v) {
            let value = self.eval(value)?;
            return self.transpose(v, &substitute(body, &[(u, value)]), c);
        }
        // Both parts at once, as those of a pair: otherwise a series would be traversed twice for each of its lets.
        let (at, q) = (s.at, self.names.fresh("q", None));
        let half = |k: usize| term::part(k, 2, term::variable(q, at));
        let both = substitute(body, &[(v, half(0)), (u, half(1))]);
        let parts = self.transpose(q, &both, c.clone())?;
        let parts = term::components(2, &parts);
        self.dual_step("D9", v, s, &c, value, &parts[1]);
        let through = self.transpose(v, value, parts[1].clone())?;
        self.add(parts[0].clone(), through)
    }

    /// D11: a deferred derivative is unfolded by pulling the covector back, then transposed through the directions.
    fn transpose_derivative(&mut self, v: Var, points: &[Point], body: &Term, (s, c): (&Term, Term)) -> Reduced {
        let at = s.at;
        let any = self.names.fresh("_", None);
        let form = term::new(TermKind::Lambda(any, c.clone()), at);
        let values = points.iter().map(|p| self.eval(&p.value)).collect::<Result<Vec<_>, _>>()?;
        let whole = term::nested(values, at);
        let pattern = term::variables(points);
        let series = self.series_of(body)?;
        let split = self.split(pattern.clone(), series, &form, None, at)?;
        let sensitivities = self.eval(&term::apply(split, whole))?;
        let parts = term::components(pattern.len(), &sensitivities);
        let pairs: Vec<(Term, Term)> = points.iter().map(|p| p.along.clone()).zip(parts).collect();
        self.summed("D11", v, s, &c, &pairs)
    }

    /// Returns Σ (\v.sₖ)^*.cₖ.
    fn summed(&mut self, rule: &'static str, v: Var, s: &Term, c: &Term, pairs: &[(Term, Term)]) -> Reduced {
        self.step(rule, || {
            let at = s.at;
            let dual = |s: &Term, c: &Term| term::new(TermKind::Dual(v, s.clone(), c.clone()), at);
            let all = pairs.iter().filter(|(s, c)| s.has(v) && !c.is_zero()).map(|(s, c)| dual(s, c));
            (dual(s, c), all.fold(term::zero(at), term::sum))
        });
        let mut sum = term::zero(s.at);
        for (s, c) in pairs.iter().filter(|(s, c)| s.has(v) && !c.is_zero()) {
            let part = self.transpose(v, s, c.clone())?;
            sum = self.add(sum, part)?;
        }
        Ok(sum)
    }

    /// Returns a covector on functions as the points at which it evaluates them, with the covectors that it applies.
    fn evaluations_of(&self, c: &Term, s: &Term) -> Result<Vec<Evaluation>, Reported> {
        match &c.kind {
            TermKind::Zero => Ok(Vec::new()),
            TermKind::At(e) => Ok(vec![e.clone()]),
            TermKind::Sum(a, b) => {
                let mut all = self.evaluations_of(a, s)?;
                all.extend(self.evaluations_of(b, s)?);
                Ok(all)
            }
            _ => Err(self.misfit(s, c)),
        }
    }

    /// Returns an abstraction at the point of evaluation, or the derivative of its body there.
    fn evaluated(&mut self, f: &Term, e: &Evaluation) -> Reduced {
        let TermKind::Lambda(x, body) = &f.kind else { unreachable!("an abstraction") };
        let mut body = body.clone();
        let mut x = *x;
        for (k, u) in e.along.iter().enumerate() {
            // The derivative as a function of its point, for all but the last direction.
            let next = self.names.like(x);
            let value = if k + 1 == e.along.len() { e.at.clone() } else { term::variable(next, e.at.at) };
            let series = self.series_of(&body)?;
            body = term::new(TermKind::Derivative(vec![Point { var: x, value, along: u.clone() }], series), f.at);
            x = next;
        }
        Ok(if e.along.is_empty() { substitute(&body, &[(x, e.at.clone())]) } else { body })
    }

    /// Returns `c`, a number, times a covector or a vector.
    fn scaled(&mut self, c: &Term, x: &Term) -> Reduced {
        Ok(match (&c.kind, &x.kind) {
            (_, TermKind::Zero) => x.clone(),
            (TermKind::Number(s), TermKind::Number(a)) if s.shape().is_empty() => {
                let scaled = term::scaled(s.to_f64()[0], a);
                term::number(scaled.ok_or_else(|| self.unexpected(x.at, "floats to scale", x))?, x.at)
            }
            (_, TermKind::Tuple(parts)) => {
                let parts = parts.iter().map(|p| self.scaled(c, p)).collect::<Result<Vec<_>, _>>()?;
                term::new(TermKind::Tuple(parts), x.at)
            }
            (_, TermKind::At(e)) => {
                let covector = self.scaled(c, &e.covector)?;
                term::new(TermKind::At(Evaluation { covector, ..e.clone() }), x.at)
            }
            (_, TermKind::Sum(a, b)) => {
                let (a, b) = (self.scaled(c, a)?, self.scaled(c, b)?);
                self.add(a, b)?
            }
            _ => {
                let expected = format!("a scalar as the factor of {}", self.text(x));
                return Err(self.unexpected(x.at, expected, c));
            }
        })
    }

    fn misfit(&self, s: &Term, c: &Term) -> Reported {
        self.unexpected(s.at, format!("a covector of the type of {}", self.text(s)), c)
    }

    fn dual_step(&mut self, rule: &'static str, v: Var, s: &Term, c: &Term, next: &Term, covector: &Term) {
        let at = s.at;
        let dual = |s: &Term, c: &Term| term::new(TermKind::Dual(v, s.clone(), c.clone()), at);
        self.step(rule, || (dual(s, c), dual(next, covector)));
    }

    fn noted(&mut self, rule: &'static str, v: Var, s: &Term, c: &Term, found: Term) -> Term {
        self.step(rule, || (term::new(TermKind::Dual(v, s.clone(), c.clone()), s.at), found.clone()));
        found
    }
}
