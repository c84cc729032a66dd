//! Cotangents of arrays as sums that are not computed yet: `none`, `some` array, a number `at` a position, or `both` of
//! two sums.
//!
//! The fields for arrays in environments (`!lambda.env`) are such sums (`represent.rs`). Adding two sums takes constant
//! time. A sum is computed as an array when it is read from the environment. A recursive function that reads one
//! element per call therefore has a gradient in time proportional to the number of calls, not to the number of calls
//! times the size of the array (`spec/functional.md` G.1, 7).

use super::represent::Shape;
use super::rewrite::Rewrite;
use super::{case, make};
use crate::functions::anf::{Code, Stmt, Var};
use mlopt_dialects::ir::{Location, Type};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

impl Rewrite<'_, '_> {
    /// Returns the deferred sum of an array, if the previous statements define it.
    pub(super) fn uncollected(
        &mut self,
        out: &mut Vec<Stmt>,
        (part, data): (Shape, &str),
        array: Var,
        at: Location,
    ) -> Var {
        let sum = self.terms(out, (part, data), array, at);
        sum.unwrap_or_else(|| make(self.program, out, (data, "some"), &[array], at))
    }

    /// As `uncollected`, only if there is a better form than the array.
    fn terms(&mut self, out: &mut Vec<Stmt>, (part, data): (Shape, &str), array: Var, at: Location) -> Option<Var> {
        if let Some(sum) = self.collected.get(&array) {
            return Some(*sum);
        }
        let made = made_by(out, array)?;
        match made.kind() {
            Kind::LambdaZerosLike | Kind::DualZero => Some(make(self.program, out, (data, "none"), &[], at)),
            Kind::ArithAddf => {
                let [a, b] = [made.operands[0], made.operands[1]];
                let sums = [a, b].map(|x| self.terms(out, (part, data), x, at));
                if sums == [None, None] {
                    return None;
                }
                let [x, y] = [(a, sums[0]), (b, sums[1])]
                    .map(|(x, sum)| sum.unwrap_or_else(|| make(self.program, out, (data, "some"), &[x], at)));
                let (function, ty) = (self.both(part, data, at), self.program.ty(x));
                Some(self.call_made(out, &function, &[x, y], ty, at))
            }
            Kind::LambdaAset => {
                let (old, rest) = made.operands.split_first()?;
                let (value, indices) = rest.split_last()?;
                let more = self.added(out, *old, indices, *value)?;
                let place = make(self.program, out, (data, "at"), &[indices, &[more]].concat(), at);
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
        self.sum_of_data(part, data, at, |this, [a, b], x, some| {
            let (held, ty) = (this.program.ty(x), this.program.ty(a));
            let left = || Code::yields(vec![], vec![], vec![a]);
            let mut joined = || {
                let mut stmts = Vec::new();
                let both = make(this.program, &mut stmts, (data, "both"), &[a, b], at);
                Code::yields(vec![], stmts, vec![both])
            };
            // Two arrays, a number at a position and an optional sum, and a sum and an optional sum.
            let rows = [
                [left(), some, joined(), joined()],
                [left(), joined(), joined(), joined()],
                [left(), joined(), joined(), joined()],
            ];
            let [some, place, both] = rows.map(|arms| {
                let result = this.program.fresh(ty, None);
                let case = this.cases(b, vec![result], arms, (held, ty), at);
                Code::yields(vec![], vec![case], vec![result])
            });
            let outer = this.program.fresh(ty, None);
            let arms = [Code::yields(vec![], vec![], vec![b]), Code { params: vec![x], ..some }, place, both];
            (this.cases(a, vec![outer], arms, (held, ty), at), outer)
        })
    }

    /// Writes a match on the four variants. Arms without parameters get unused ones.
    fn cases(&mut self, data: Var, results: Vec<Var>, arms: [Code; 4], (held, ty): (Type, Type), at: Location) -> Stmt {
        let index = self.program.context.scalar(Element::I64);
        let fields = [vec![], vec![held], [vec![index; held.rank()], vec![held.scalar()]].concat(), vec![ty, ty]];
        let names = ["none", "some", "at", "both"];
        let mut all = Vec::new();
        for ((name, fields), mut code) in names.into_iter().zip(fields).zip(arms) {
            if code.params.is_empty() {
                code.params = self.program.fresh_all(&fields);
            }
            all.push((name.to_string(), code));
        }
        case(self.program.context, data, results, all, at)
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
            Code::yields(vec![], stmts, vec![array])
        };
        let arms = [
            Code::yields(vec![], vec![], vec![zero]),
            Code::yields(vec![some], vec![], vec![some]),
            called(),
            called(),
        ];
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
        let symbol = self.represent.names.free(&format!("array.{data}"));
        self.zeros.insert(key, symbol.clone());
        let held = self.represent.shape_ty(part);
        let ty = types::data(self.program.context, data);
        let mut pair = || [(held, "array"), (ty, "sum")].map(|(ty, name)| self.program.fresh(ty, Some(name.into())));
        let [given, seen, round, result] = [pair(), pair(), pair(), pair()];

        // True while the worklist is not empty.
        let bool = self.program.context.scalar(Element::I1);
        let arms = [false, true, true, true].map(|is| {
            let mut stmts = Vec::new();
            let yes = self.program.bool(&mut stmts, is, at);
            Code::yields(vec![], stmts, vec![yes])
        });
        let goes_on = self.program.fresh(bool, None);
        let case = self.cases(seen[1], vec![goes_on], arms, (held, ty), at);
        let condition = Code::yields(seen.to_vec(), vec![case], vec![goes_on]);

        // The first part of `both`, then the second.
        let [array, sum] = round;
        let [first, rest] = [(); 2].map(|()| self.program.fresh(ty, None));
        let none = Code::yields(vec![], vec![], vec![array, rest]);
        let [some, place] = [true, false].map(|is_whole| {
            let (params, stmts, more) = self.more(part, array, is_whole, at);
            Code::yields(params, stmts, vec![more, rest])
        });
        let [p, q] = [(); 2].map(|()| self.program.fresh(ty, None));
        let mut turned = Vec::new();
        let later = make(self.program, &mut turned, (data, "both"), &[q, rest], at);
        let whole = make(self.program, &mut turned, (data, "both"), &[p, later], at);
        let two = Code::yields(vec![p, q], turned, vec![array, whole]);
        let next = self.program.fresh_all(&[held, ty]);
        let case = self.cases(first, next.clone(), [none, some, place, two], (held, ty), at);
        let both = Code::yields(vec![first, rest], vec![case], next);

        let [some, place] = [true, false].map(|is_whole| {
            let (params, mut stmts, more) = self.more(part, array, is_whole, at);
            let nothing = make(self.program, &mut stmts, (data, "none"), &[], at);
            Code::yields(params, stmts, vec![more, nothing])
        });
        let none = Code::yields(vec![], vec![], vec![array, sum]);
        let next = self.program.fresh_all(&[held, ty]);
        let case = self.cases(sum, next.clone(), [none, some, place, both], (held, ty), at);
        let body = Code::yields(round.to_vec(), vec![case], next);
        let (codes, results) = (vec![condition, body], result.to_vec());
        let all = Stmt::new(Kind::LambdaWhile, results, given.to_vec(), codes, at);
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
        let indices = self.program.fresh_all(&vec![index; held.rank()]);
        let d = self.program.fresh(element, None);
        let read =
            self.program.push(&mut stmts, Kind::LambdaAget, &[&[array], indices.as_slice()].concat(), element, at);
        let sum = self.program.push(&mut stmts, Kind::ArithAddf, &[read, d], element, at);
        let new =
            self.program.push(&mut stmts, Kind::LambdaAset, &[&[array], indices.as_slice(), &[sum]].concat(), held, at);
        ([indices, vec![d]].concat(), stmts, new)
    }
}

/// Returns the statement of a block that defines a value.
fn made_by(out: &[Stmt], value: Var) -> Option<Stmt> {
    out.iter().rev().find(|s| s.results.contains(&value)).cloned()
}
