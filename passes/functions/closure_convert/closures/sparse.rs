//! Cotangents of arrays as sums that are not computed yet: `none`, `some` array, a number `at` a position, or `both` of
//! two sums.
//!
//! Fields of environments are such sums (`represent.rs`). Adding two of them takes constant time. A sum is computed as
//! an array when it is read from the environment. A recursive function that reads one element per call therefore has a
//! gradient in time proportional to the number of calls, not to the number of calls times the size of the array
//! (`spec/functional.md` G.1, 7).

use super::represent::Shape;
use super::rewrite::Rewrite;
use crate::functions::anf::{Body, Code, Stmt, Var};
use mlopt_dialects::ir::{Attribute, Location, Type};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;
use std::rc::Rc;

impl Rewrite<'_, '_> {
    /// Returns the deferred sum of an array, if the previous statements define it.
    pub(super) fn uncollected(
        &mut self,
        out: &mut Vec<Stmt>,
        (part, data): (Shape, &str),
        array: Var,
        at: Location,
    ) -> Var {
        match self.terms(out, (part, data), array, at) {
            Some(sum) => sum,
            None => self.make(out, (data, "some"), &[array], at),
        }
    }

    /// As `uncollected`, only if there is a better form than the array.
    fn terms(&mut self, out: &mut Vec<Stmt>, (part, data): (Shape, &str), array: Var, at: Location) -> Option<Var> {
        if let Some(sum) = self.collected.get(&array) {
            return Some(*sum);
        }
        let made = made_by(out, array)?;
        match made.kind() {
            Kind::LambdaZerosLike | Kind::DualZero => Some(self.make(out, (data, "none"), &[], at)),
            Kind::ArithAddf => {
                let [a, b] = [made.operands[0], made.operands[1]];
                let sums = [a, b].map(|x| self.terms(out, (part, data), x, at));
                if sums == [None, None] {
                    return None;
                }
                let [x, y] = [(a, sums[0]), (b, sums[1])]
                    .map(|(x, sum)| sum.unwrap_or_else(|| self.make(out, (data, "some"), &[x], at)));
                let (function, ty) = (self.both(part, data, at), self.program.ty(x));
                Some(self.call_made(out, &function, &[x, y], ty, at))
            }
            Kind::LambdaAset => {
                let (old, rest) = made.operands.split_first()?;
                let (value, indices) = rest.split_last()?;
                let more = self.added(out, *old, indices, *value)?;
                let place = self.make(out, (data, "at"), &[indices, &[more]].concat(), at);
                if self.is_zero(out, *old) {
                    return Some(place);
                }
                let before = self.uncollected(out, (part, data), *old, at);
                let (function, ty) = (self.both(part, data, at), self.program.ty(place));
                Some(self.call_made(out, &function, &[place, before], ty, at))
            }
            _ => None,
        }
    }

    /// Returns the number that `value` adds to the element of an array at these indices, if it is such a sum or the
    /// array is zero.
    fn added(&self, out: &[Stmt], array: Var, indices: &[Var], value: Var) -> Option<Var> {
        let is_place = |v: &Var| self.program.ty(*v) == self.program.context.scalar(Element::I64);
        if indices.len() != self.program.ty(array).rank() || !indices.iter().all(is_place) {
            return None;
        }
        let element = |v: Var| {
            let read = made_by(out, v).filter(|s| s.is(Kind::LambdaAget));
            read.is_some_and(|s| s.operands[0] == array && s.operands[1..] == *indices)
        };
        match made_by(out, value).filter(|s| s.is(Kind::ArithAddf)) {
            Some(sum) if element(sum.operands[0]) => Some(sum.operands[1]),
            Some(sum) if element(sum.operands[1]) => Some(sum.operands[0]),
            _ => self.is_zero(out, array).then_some(value),
        }
    }

    /// Checks whether an array is defined as zero.
    pub(super) fn is_zero(&self, out: &[Stmt], array: Var) -> bool {
        made_by(out, array).is_some_and(|s| s.is(Kind::LambdaZerosLike) || s.is(Kind::DualZero))
    }

    /// Returns the function that adds two deferred sums: arrays are added, and `none` is neutral.
    pub(super) fn both(&mut self, part: Shape, data: &str, at: Location) -> String {
        let ty = types::data(self.program.context, data);
        let key = Shape::Type(ty);
        if let Some(symbol) = self.sums.get(&key) {
            return symbol.clone();
        }
        let symbol = self.represent.names.fresh(&format!("sum.{data}"));
        self.sums.insert(key, symbol.clone());
        let held = self.represent.shape_ty(part);
        let [a, b] = ["a", "b"].map(|name| self.program.fresh(ty, Some(name.into())));
        let [x, y] = ["x", "y"].map(|name| self.program.fresh(held, Some(name.into())));

        let mut added = Vec::new();
        let total = self.sum(&mut added, part, x, y, at);
        let total = self.make(&mut added, (data, "some"), &[total], at);
        // Two arrays.
        let inner = self.program.fresh(ty, None);
        let arms = [
            arm(vec![], vec![], vec![a]),
            arm(vec![y], added, vec![total]),
            self.joined(a, b, data, at),
            self.joined(a, b, data, at),
        ];
        let arrays = self.cases(b, vec![inner], arms, (held, ty), at);
        // A sum, and an optional one.
        let mut others = Vec::new();
        for _ in 0..2 {
            let result = self.program.fresh(ty, None);
            let arms = [
                arm(vec![], vec![], vec![a]),
                self.joined(a, b, data, at),
                self.joined(a, b, data, at),
                self.joined(a, b, data, at),
            ];
            let case = self.cases(b, vec![result], arms, (held, ty), at);
            others.push(arm(vec![], vec![case], vec![result]));
        }
        let [at_place, both] = others.try_into().unwrap_or_else(|_| unreachable!("two"));
        let outer = self.program.fresh(ty, None);
        let arms = [arm(vec![], vec![], vec![b]), arm(vec![x], vec![arrays], vec![inner]), at_place, both];
        let stmts = vec![self.cases(a, vec![outer], arms, (held, ty), at)];
        self.function(symbol.clone(), vec![a, b], stmts, outer, at);
        symbol
    }

    fn joined(&mut self, a: Var, b: Var, data: &str, at: Location) -> Code {
        let mut stmts = Vec::new();
        let both = self.make(&mut stmts, (data, "both"), &[a, b], at);
        arm(vec![], stmts, vec![both])
    }

    /// Writes a match on the four variants. Arms without parameters get unused ones.
    fn cases(&mut self, data: Var, results: Vec<Var>, arms: [Code; 4], (held, ty): (Type, Type), at: Location) -> Stmt {
        let index = self.program.context.scalar(Element::I64);
        let fields = [vec![], vec![held], [vec![index; held.rank()], vec![held.scalar()]].concat(), vec![ty, ty]];
        let names = ["none", "some", "at", "both"];
        let mut all = Vec::new();
        for ((name, fields), mut code) in names.into_iter().zip(fields).zip(arms) {
            if code.params.is_empty() {
                code.params = fields.into_iter().map(|ty| self.program.fresh(ty, None)).collect();
            }
            all.push((name.to_string(), code));
        }
        self.case(data, results, all, at)
    }

    /// Adds an array and a deferred sum to an array.
    pub(super) fn collect(
        &mut self,
        out: &mut Vec<Stmt>,
        (part, data): (Shape, &str),
        [zero, sum]: [Var; 2],
        at: Location,
    ) -> Var {
        let function = self.collecting(part, data, at);
        let (held, ty) = (self.represent.shape_ty(part), self.program.ty(sum));
        let [some, result] = [(); 2].map(|()| self.program.fresh(held, None));
        let mut called = || {
            let mut stmts = Vec::new();
            let array = self.call_made(&mut stmts, &function, &[zero, sum], held, at);
            arm(vec![], stmts, vec![array])
        };
        let arms = [arm(vec![], vec![], vec![zero]), arm(vec![some], vec![], vec![some]), called(), called()];
        let case = self.cases(sum, vec![result], arms, (held, ty), at);
        out.push(case);
        result
    }

    /// Returns the function that adds a deferred sum to an array, in a loop with a worklist: the second part of `both`
    /// is prepended to it.
    fn collecting(&mut self, part: Shape, data: &str, at: Location) -> String {
        let key = (part, Shape::Type(types::data(self.program.context, data)));
        if let Some(symbol) = self.zeros.get(&key) {
            return symbol.clone();
        }
        let symbol = self.represent.names.fresh(&format!("array.{data}"));
        self.zeros.insert(key, symbol.clone());
        let held = self.represent.shape_ty(part);
        let ty = types::data(self.program.context, data);
        let mut pair = || [(held, "array"), (ty, "sum")].map(|(ty, name)| self.program.fresh(ty, Some(name.into())));
        let [given, seen, round, result] = [pair(), pair(), pair(), pair()];

        // True while the worklist is not empty.
        let bool = self.program.context.scalar(Element::I1);
        let answer = |this: &mut Self, is: i64| {
            let mut stmts = Vec::new();
            let value = [("value", Attribute::integer(bool, is))];
            let yes = this.program.push_with(&mut stmts, Kind::ArithConstant, &[], &value, bool, at);
            arm(vec![], stmts, vec![yes])
        };
        let arms = [0, 1, 1, 1].map(|is| answer(self, is));
        let goes_on = self.program.fresh(bool, None);
        let case = self.cases(seen[1], vec![goes_on], arms, (held, ty), at);
        let condition = Code { params: seen.to_vec(), ..arm(vec![], vec![case], vec![goes_on]) };

        // The first part of `both`, then the second.
        let [array, sum] = round;
        let [first, rest] = [(); 2].map(|()| self.program.fresh(ty, None));
        let none = arm(vec![], vec![], vec![array, rest]);
        let [some, place] = [true, false].map(|is_whole| {
            let (params, stmts, more) = self.more(part, array, is_whole, at);
            arm(params, stmts, vec![more, rest])
        });
        let [p, q] = [(); 2].map(|()| self.program.fresh(ty, None));
        let mut turned = Vec::new();
        let later = self.make(&mut turned, (data, "both"), &[q, rest], at);
        let whole = self.make(&mut turned, (data, "both"), &[p, later], at);
        let two = arm(vec![p, q], turned, vec![array, whole]);
        let next = vec![self.program.fresh(held, None), self.program.fresh(ty, None)];
        let case = self.cases(first, next.clone(), [none, some, place, two], (held, ty), at);
        let both = arm(vec![first, rest], vec![case], next);

        let [some, place] = [true, false].map(|is_whole| {
            let (params, mut stmts, more) = self.more(part, array, is_whole, at);
            let nothing = self.make(&mut stmts, (data, "none"), &[], at);
            arm(params, stmts, vec![more, nothing])
        });
        let none = arm(vec![], vec![], vec![array, sum]);
        let next = vec![self.program.fresh(held, None), self.program.fresh(ty, None)];
        let case = self.cases(sum, next.clone(), [none, some, place, both], (held, ty), at);
        let body = Code { params: round.to_vec(), ..arm(vec![], vec![case], next) };
        let all = Stmt {
            op: Kind::LambdaWhile.into(),
            results: result.to_vec(),
            operands: given.to_vec(),
            attributes: Rc::new([]),
            codes: vec![condition, body],
            location: at,
        };
        self.function(symbol.clone(), given.to_vec(), vec![all], result[0], at);
        symbol
    }

    /// Returns the arm that adds an array, or a number at a position: its parameters, its statements, the array.
    fn more(&mut self, part: Shape, array: Var, is_whole: bool, at: Location) -> (Vec<Var>, Vec<Stmt>, Var) {
        let held = self.program.ty(array);
        let mut stmts = Vec::new();
        if is_whole {
            let x = self.program.fresh(held, None);
            let sum = self.sum(&mut stmts, part, array, x, at);
            return (vec![x], stmts, sum);
        }
        let (index, element) = (self.program.context.scalar(Element::I64), held.scalar());
        let indices: Vec<Var> = (0..held.rank()).map(|_| self.program.fresh(index, None)).collect();
        let d = self.program.fresh(element, None);
        let read = self.push(&mut stmts, Kind::LambdaAget, &[&[array], indices.as_slice()].concat(), element, at);
        let sum = self.push(&mut stmts, Kind::ArithAddf, &[read, d], element, at);
        let new = self.push(&mut stmts, Kind::LambdaAset, &[&[array], indices.as_slice(), &[sum]].concat(), held, at);
        ([indices, vec![d]].concat(), stmts, new)
    }
}

fn arm(params: Vec<Var>, stmts: Vec<Stmt>, results: Vec<Var>) -> Code {
    Code { params, body: Body { stmts, results }, end: Kind::LambdaYield.into() }
}

/// Returns the statement of a block that defines a value.
fn made_by(out: &[Stmt], value: Var) -> Option<Stmt> {
    out.iter().rev().find(|s| s.results.contains(&value)).cloned()
}
