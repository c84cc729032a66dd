//! Printing of terms in the notation of `spec/functional.md` C.2, on one line.

use super::term::{self, Names, Point, Pullback, Term, TermKind, Var, pattern};
use mlopt_dialects::ir::Location;
use mlopt_dialects::value::Array;
use std::fmt::Write;

/// The precedence of the context of a term.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Precedence {
    /// In brackets, or at the top level.
    Free,
    /// An operand of `+`.
    Summand,
    /// A callee, or an argument.
    Atom,
}

/// Formats a term; variables with the same name are distinguished by primes.
pub fn text(names: &Names, term: &Term) -> String {
    let mut printer = Printer { names, scope: Vec::new(), out: String::new() };
    printer.term(term, Precedence::Free);
    printer.out
}

struct Printer<'a> {
    names: &'a Names,
    /// Bound variables with their printed names, innermost last.
    scope: Vec<(Var, String)>,
    out: String,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn bind(&mut self, var: Var) {
        let mut name = self.names.name(var).to_string();
        while self.scope.iter().any(|(v, n)| *v != var && *n == name) {
            name.push('\'');
        }
        self.scope.push((var, name));
    }

    fn variable(&mut self, var: Var) {
        let name = self.scope.iter().rev().find(|(v, _)| *v == var).map(|(_, n)| n.clone());
        let name = name.unwrap_or_else(|| self.names.name(var).to_string());
        self.push(&name);
    }

    /// Prints `\x.body` with the bound variables.
    fn binder(&mut self, bound: &[Var], body: impl FnOnce(&mut Self)) {
        let outer = self.scope.len();
        bound.iter().for_each(|v| self.bind(*v));
        self.push("\\");
        self.pattern(bound);
        self.push(".");
        body(self);
        self.scope.truncate(outer);
    }

    fn pattern(&mut self, vars: &[Var]) {
        match vars {
            [one] => self.variable(*one),
            [rest @ .., last] => {
                self.push("<");
                self.pattern(rest);
                self.push(",");
                self.variable(*last);
                self.push(">");
            }
            [] => {}
        }
    }

    fn all(&mut self, open: &str, parts: &[Term], close: &str) {
        self.push(open);
        for (k, part) in parts.iter().enumerate() {
            self.push(if k == 0 { "" } else { ", " });
            self.term(part, Precedence::Free);
        }
        self.push(close);
    }

    fn bracketed(&mut self, needed: bool, body: impl FnOnce(&mut Self)) {
        self.push(if needed { "(" } else { "" });
        body(self);
        self.push(if needed { ")" } else { "" });
    }

    fn term(&mut self, term: &Term, precedence: Precedence) {
        match &term.kind {
            TermKind::Zero => self.push("0"),
            TermKind::Number(x) => {
                let text = number(x);
                self.bracketed(precedence > Precedence::Free && text.starts_with('-'), |p| p.push(&text));
            }
            TermKind::Variable(v) => self.variable(*v),
            TermKind::Primitive(p) => self.push(p.name()),
            TermKind::Global(symbol) => self.push(symbol),
            TermKind::Lambda(x, body) => {
                self.bracketed(precedence > Precedence::Free, |p| p.binder(&[*x], |p| p.term(body, Precedence::Free)));
            }
            TermKind::Apply(f, x) => match &f.kind {
                TermKind::Primitive(p) => {
                    self.push(p.name());
                    self.push("(");
                    self.term(x, Precedence::Free);
                    self.push(")");
                }
                _ => self.bracketed(precedence == Precedence::Atom, |p| {
                    let is_call = matches!(&f.kind, TermKind::Apply(g, _) if !matches!(g.kind, TermKind::Primitive(_)));
                    p.term(f, if is_call { Precedence::Summand } else { Precedence::Atom });
                    p.push(" ");
                    p.term(x, Precedence::Atom);
                }),
            },
            TermKind::Let(x, value, body) => self.bracketed(precedence > Precedence::Free, |p| {
                p.push("let ");
                let outer = p.scope.len();
                let named = {
                    p.bind(*x);
                    p.scope.pop().expect("bound")
                };
                p.push(&named.1);
                p.push(" = ");
                p.term(value, Precedence::Free);
                p.push(" in ");
                p.scope.push(named);
                p.term(body, Precedence::Free);
                p.scope.truncate(outer);
            }),
            TermKind::Tuple(parts) => self.all("<", parts, ">"),
            TermKind::Part { index, tuple, .. } => self.bracketed(precedence == Precedence::Atom, |p| {
                let _ = write!(p.out, "pi_{} ", index + 1);
                p.term(tuple, Precedence::Atom);
            }),
            TermKind::Sum(a, b) => self.bracketed(precedence == Precedence::Atom, |p| {
                p.term(a, Precedence::Summand);
                p.push(" + ");
                p.term(b, Precedence::Summand);
            }),
            TermKind::Jacobian(f, s) => self.bracketed(precedence == Precedence::Atom, |p| {
                p.push("J ");
                p.term(f, Precedence::Atom);
                p.push(".");
                p.term(s, Precedence::Atom);
            }),
            TermKind::Dual(x, body, value) => self.bracketed(precedence == Precedence::Atom, |p| {
                p.push("(");
                p.binder(&[*x], |p| p.term(body, Precedence::Free));
                p.push(")^*.");
                p.term(value, Precedence::Atom);
            }),
            TermKind::Pullback(pullback) => {
                self.bracketed(precedence == Precedence::Atom, |p| p.pullback(pullback, term))
            }
            TermKind::Derivative(points, body) => {
                self.bracketed(precedence == Precedence::Atom, |p| p.derivative(points, body, term.at));
            }
            TermKind::At(e) => {
                self.push("[");
                self.term(&e.at, Precedence::Summand);
                for (k, u) in e.along.iter().enumerate() {
                    self.push(if k == 0 { "; " } else { ", " });
                    self.term(u, Precedence::Summand);
                }
                self.push(" |> ");
                self.term(&e.covector, Precedence::Free);
                self.push("]");
            }
            TermKind::Pairing(w, x) => self.bracketed(precedence == Precedence::Atom, |p| {
                p.term(w, Precedence::Atom);
                p.push(" * ");
                p.term(x, Precedence::Atom);
            }),
        }
    }

    fn pullback(&mut self, pullback: &Pullback, term: &Term) {
        self.push("(Omega ");
        self.binder(&pullback.pattern, |p| {
            if pullback.keeps {
                p.push("<");
                p.term(&pattern(&pullback.pattern, term.at), Precedence::Free);
                p.push(", ");
            }
            p.term(&pullback.body, Precedence::Free);
            p.push(if pullback.keeps { ">" } else { "" });
        });
        self.push(").");
        self.term(&pullback.form, Precedence::Atom);
    }

    /// Prints `D[<y,z>, L, <V,W>].<v,w>`.
    fn derivative(&mut self, points: &[Point], body: &Term, at: Location) {
        let bound = term::variables(points);
        let value = term::nested(points.iter().map(|p| p.value.clone()), at);
        let along = term::nested(points.iter().map(|p| p.along.clone()), at);
        let outer = self.scope.len();
        bound.iter().for_each(|v| self.bind(*v));
        self.push("D[");
        self.pattern(&bound);
        self.push(", ");
        self.term(body, Precedence::Free);
        self.scope.truncate(outer);
        self.push(", ");
        self.term(&value, Precedence::Free);
        self.push("].");
        self.term(&along, Precedence::Atom);
    }
}

/// Formats `2`, `0.5`, or `[1, 2]` for a vector.
fn number(x: &Array) -> String {
    fn rows(shape: &[usize], numbers: &[f64]) -> String {
        match shape {
            [] => format!("{}", numbers[0]),
            [n, rest @ ..] => {
                let size: usize = rest.iter().product();
                let parts: Vec<String> = (0..*n).map(|k| rows(rest, &numbers[k * size..(k + 1) * size])).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }
    rows(x.shape(), &x.to_f64())
}
