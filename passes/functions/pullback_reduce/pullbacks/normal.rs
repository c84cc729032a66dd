//! A-reduction (`spec/functional.md` C.3): converts a term to a sequence of `let`s of elementary terms, so that nothing
//! is computed twice.

use super::machine::Machine;
use super::term::{self, Point, Pullback, Stage, Term, TermKind, Var, substitute};
use mlopt_dialects::diagnostics::Reported;

/// The bindings of a let series, in order.
type Series = Vec<(Var, Term)>;

impl Machine {
    /// Returns the let series of a term.
    pub(super) fn series_of(&mut self, term: &Term) -> Result<Term, Reported> {
        let mut out = Series::new();
        let result = self.named(term, &mut out)?;
        Ok(term::series(out, result))
    }

    /// Returns a variable for the term, bound in `out`.
    fn named(&mut self, term: &Term, out: &mut Series) -> Result<Term, Reported> {
        if is_atom(term) {
            return Ok(term.clone());
        }
        let elementary = self.elementary(term, out)?;
        if is_atom(&elementary) {
            return Ok(elementary);
        }
        let z = self.names.counted();
        let at = term.at;
        out.push((z, elementary));
        Ok(term::variable(z, at))
    }

    /// Returns a function in call position: primitives are not named.
    fn function(&mut self, f: &Term, out: &mut Series) -> Result<Term, Reported> {
        match f.kind {
            TermKind::Primitive(_) | TermKind::Global(_) => Ok(f.clone()),
            _ => self.named(f, out),
        }
    }

    fn elementary(&mut self, t: &Term, out: &mut Series) -> Result<Term, Reported> {
        let kind = match &t.kind {
            TermKind::Zero
            | TermKind::Number(_)
            | TermKind::Variable(_)
            | TermKind::Primitive(_)
            | TermKind::Global(_) => {
                return Ok(t.clone());
            }
            TermKind::Let(x, value, body) => return self.binding(*x, value, body, out),
            TermKind::Apply(f, a) => {
                if let TermKind::Lambda(x, body) = &f.kind {
                    return self.binding(*x, a, body, out);
                }
                let f = self.function(f, out)?;
                TermKind::Apply(f, self.named(a, out)?)
            }
            TermKind::Lambda(x, body) => TermKind::Lambda(*x, self.below_binder(body)?),
            TermKind::Tuple(parts) => {
                TermKind::Tuple(parts.iter().map(|p| self.named(p, out)).collect::<Result<Vec<_>, _>>()?)
            }
            TermKind::Part { index, of, tuple } => {
                let tuple = self.named(tuple, out)?;
                TermKind::Part { index: *index, of: *of, tuple }
            }
            TermKind::Sum(a, b) => {
                let a = self.named(a, out)?;
                TermKind::Sum(a, self.named(b, out)?)
            }
            TermKind::Jacobian(f, s) => {
                let f = self.function(f, out)?;
                TermKind::Jacobian(f, self.named(s, out)?)
            }
            TermKind::Dual(x, body, value) => {
                let body = self.below_binder(body)?;
                TermKind::Dual(*x, body, self.named(value, out)?)
            }
            TermKind::Pullback(p) => {
                let body = if let Stage::Raw = p.stage { self.series_of(&p.body)? } else { p.body.clone() };
                let stage = if let Stage::Raw = p.stage { Stage::Series } else { p.stage.clone() };
                TermKind::Pullback(Pullback { body, form: self.named(&p.form, out)?, stage, ..p.clone() })
            }
            TermKind::Derivative(points, body) => {
                let unfolded = self.unfold(points, body, out)?;
                return self.elementary(&unfolded, out);
            }
            // A covector in normal form is a value.
            TermKind::At(_) => return Ok(t.clone()),
            TermKind::Pairing(w, x) => {
                let w = self.named(w, out)?;
                TermKind::Pairing(w, self.named(x, out)?)
            }
        };
        Ok(term::new(kind, t.at))
    }

    /// Returns a body as a series of its own; a deferred derivative stays deferred.
    fn below_binder(&mut self, body: &Term) -> Result<Term, Reported> {
        if let TermKind::Derivative(..) = body.kind {
            return Ok(body.clone());
        }
        let series = self.series_of(body)?;
        // `let z = E in z` is `E`.
        if let TermKind::Let(z, e, rest) = &series.kind
            && matches!(rest.kind, TermKind::Variable(v) if v == *z)
        {
            return Ok(e.clone());
        }
        Ok(series)
    }

    /// Converts `let x = value in body`: nested lets become one series.
    fn binding(&mut self, x: Var, value: &Term, body: &Term, out: &mut Series) -> Result<Term, Reported> {
        let value = self.elementary(value, out)?;
        let value = match is_atom(&value) {
            true => value,
            false => {
                // The same code may occur twice in one series.
                let own = self.names.like(x);
                let at = value.at;
                out.push((own, value));
                term::variable(own, at)
            }
        };
        self.elementary(&substitute(body, &[(x, value)]), out)
    }

    /// Writes a derivative at unknown points as code that computes values and directions together.
    fn unfold(&mut self, points: &[Point], body: &Term, out: &mut Series) -> Result<Term, Reported> {
        let mut known = Vec::new();
        for point in points {
            let value = self.named(&point.value, out)?;
            let along = if point.along.is_zero() { point.along.clone() } else { self.named(&point.along, out)? };
            known.push(Point { var: point.var, value, along });
        }
        let body = self.series_of(body)?;
        let mut rest = body;
        while let TermKind::Let(z, e, next) = &rest.kind {
            let there = term::values(&known);
            let along = self.derive(&known, e)?;
            let value = self.named(&substitute(e, &there), out)?;
            let along = if along.is_zero() { along } else { self.named(&along, out)? };
            known.push(Point { var: *z, value, along });
            rest = next.clone();
        }
        self.derive(&known, &rest)
    }
}

/// Checks whether a term needs no name: variables, and numbers.
fn is_atom(t: &Term) -> bool {
    match &t.kind {
        TermKind::Zero | TermKind::Number(_) | TermKind::Variable(_) => true,
        TermKind::Tuple(parts) => parts.iter().all(|p| is_atom(p) && !matches!(p.kind, TermKind::Variable(_))),
        _ => false,
    }
}
