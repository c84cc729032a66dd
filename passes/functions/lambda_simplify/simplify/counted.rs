//! Conversion of counting loops to `lambda.for` (`spec/functional.md` A.10). A `lambda.for` always terminates, and its
//! derivative knows the number of iterations.

use super::Simplify;
use crate::functions::anf::{Stmt, Var};
use mlopt_dialects::ir::{Attribute, Location, Type};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// Predicates of `arith.cmpi`.
const SLT: i64 = 2;
const SLE: i64 = 3;
const SGT: i64 = 4;
const SGE: i64 = 5;

/// A carried number that starts at `start` and changes by `step`, 1 or -1, while it is less than `end`, or greater, or
/// also equal if `reaches`.
struct Counter {
    position: usize,
    step: i64,
    end: End,
    reaches: bool,
}

/// A value from before the loop, or a constant in its condition.
enum End {
    Before(Var),
    Constant(i64),
}

impl Simplify<'_> {
    /// Converts a loop to one with a count, if it continues while a carried number is on one side of an invariant
    /// value.
    pub(super) fn counted(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let Some(Counter { position, step, end, reaches }) = self.counter(stmt) else { return };
        let (start, at) = (stmt.operands[position], stmt.location);
        let ty = self.program.ty(start);
        let end = match end {
            End::Before(end) => end,
            End::Constant(n) => self.program.integer(out, n, ty, at),
        };
        // Unused parts of this are removed later.
        let rounds = self.rounds_between((start, end), step, reaches, (at, ty), out);
        let count = if self.integer(start) == Some(0) && step == 1 && !reaches { end } else { rounds };
        let last = self.moved(start, rounds, step, (at, ty), out);
        self.replace(stmt.results[position], last);
        let mut body = stmt.codes.remove(1);
        let round = self.program.like(body.params[position], ty);
        let mut stmts = Vec::new();
        let current = self.moved(start, round, step, (at, ty), &mut stmts);
        let names = [(body.params[position], current)].into();
        body.body.rename(&names);
        body.body.stmts.splice(0..0, stmts);
        body.body.results.remove(position);
        body.params[position] = round;
        let counter = body.params.remove(position);
        body.params.insert(0, counter);
        stmt.op = Kind::LambdaFor.into();
        stmt.operands.remove(position);
        stmt.operands.insert(0, count);
        stmt.results.remove(position);
        stmt.codes = vec![body];
    }

    /// Returns the counter of a loop, if its condition consists of its comparison.
    fn counter(&self, stmt: &Stmt) -> Option<Counter> {
        let [condition, body] = &stmt.codes[..] else { return None };
        if stmt.results.len() < 2
            || !condition.body.stmts.iter().all(|s| s.codes.is_empty() && s.kind().dialect() == "arith")
        {
            return None;
        }
        let inside = |v: Var| condition.body.stmts.iter().find(|s| s.results.contains(&v));
        let mut result = inside(condition.body.results[0])?;
        let mut negated = false;
        while result.is(Kind::ArithXori) && self.bool_of(result.operands[1], inside) == Some(true) {
            negated = !negated;
            result = inside(result.operands[0])?;
        }
        if !result.is(Kind::ArithCmpi) {
            return None;
        }
        let predicate = result.attribute("predicate")?.as_i64()?;
        let [a, b] = [result.operands[0], result.operands[1]];
        let of = |v: Var| condition.params.iter().position(|p| *p == v);
        let (position, end, is_left) = match (of(a), of(b)) {
            (Some(k), None) => (k, b, true),
            (None, Some(k)) => (k, a, false),
            _ => return None,
        };
        // A distance that does not fit in 64 bits would never be counted to its end.
        if self.program.ty(stmt.operands[position]) != self.program.context.scalar(Element::I64) {
            return None;
        }
        let end = match inside(end) {
            None => End::Before(end),
            Some(s) if s.is(Kind::ArithConstant) => End::Constant(s.attribute("value")?.as_i64()?),
            Some(_) => return None,
        };
        // True if the number is below the end, and if it may be equal.
        let (below, reaches) = match predicate {
            SLT => (true, false),
            SLE => (true, true),
            SGT => (false, false),
            SGE => (false, true),
            _ => return None,
        };
        let below = below == is_left;
        let (below, reaches) = if negated { (!below, !reaches) } else { (below, reaches) };
        let step = if below { 1 } else { -1 };
        let next = body.body.stmts.iter().find(|s| s.results.contains(&body.body.results[position]))?;
        let within = |v: Var| body.body.stmts.iter().find(|s| s.results.contains(&v));
        let [x, by] = next.operands[..] else { return None };
        let by = self.integer_of(by, within)?;
        let moves = match next.kind() {
            Kind::ArithAddi => by,
            Kind::ArithSubi => by.checked_neg()?,
            _ => return None,
        };
        (x == body.params[position] && moves == step).then_some(Counter { position, step, end, reaches })
    }

    fn integer(&self, var: Var) -> Option<i64> {
        self.integer_of(var, |_| None)
    }

    /// Returns the value of a constant that is defined before, or by a statement in a region.
    fn integer_of<'s>(&self, var: Var, inside: impl Fn(Var) -> Option<&'s Stmt>) -> Option<i64> {
        let stmt = inside(var).or_else(|| self.made(var).map(|s| &**s))?;
        if stmt.is(Kind::ArithConstant) { stmt.attribute("value")?.as_i64() } else { None }
    }

    fn bool_of<'s>(&self, var: Var, inside: impl Fn(Var) -> Option<&'s Stmt>) -> Option<bool> {
        let is_bool = self.program.ty(var).is_integer(1);
        if is_bool { self.integer_of(var, inside).map(|n| n != 0) } else { None }
    }

    /// Writes the number of steps from one number to past another: 0 if that is already passed.
    fn rounds_between(
        &mut self,
        (start, end): (Var, Var),
        step: i64,
        reaches: bool,
        (at, ty): (Location, Type),
        out: &mut Vec<Stmt>,
    ) -> Var {
        let bool = self.program.context.scalar(Element::I1);
        let (low, high) = if step == 1 { (start, end) } else { (end, start) };
        let mut distance = self.program.push(out, Kind::ArithSubi, &[high, low], ty, at);
        if reaches {
            let one = self.program.integer(out, 1, ty, at);
            distance = self.program.push(out, Kind::ArithAddi, &[distance, one], ty, at);
        }
        let holds = if reaches { SLE } else { SLT };
        let holds = [("predicate", Attribute::integer(self.program.context.scalar(Element::I64), holds))];
        let goes = self.program.push_with(out, Kind::ArithCmpi, &[low, high], &holds, bool, at);
        let none = self.program.integer(out, 0, ty, at);
        self.program.push(out, Kind::ArithSelect, &[goes, distance, none], ty, at)
    }

    /// Writes `from` after `count` steps.
    fn moved(&mut self, from: Var, count: Var, step: i64, (at, ty): (Location, Type), out: &mut Vec<Stmt>) -> Var {
        match self.integer(from) {
            Some(0) if step == 1 => count,
            _ => {
                let op = if step == 1 { Kind::ArithAddi } else { Kind::ArithSubi };
                self.program.push(out, op, &[from, count], ty, at)
            }
        }
    }
}
