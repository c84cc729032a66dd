//! Conversion of tail recursion to loops (`spec/functional.md` A.10, D.5).

use crate::functions::anf::{Body, Code, Program, Stmt, Var, free_in};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// A function that either ends or calls itself with new arguments: the statements before the decision, the ending, and
/// the continuation.
struct Tail<'c> {
    before: &'c [Stmt],
    condition: Var,
    /// True if it continues when the condition is true.
    goes_on_if: bool,
    last: &'c Body,
    next: &'c [Stmt],
    arguments: &'c [Var],
}

/// The maximum number of statements that are recomputed rather than carried.
const MOST_REPEATED: usize = 8;

/// Returns the code of `function` as a loop, if all its recursive calls are in tail position. The loop carries the
/// parameters. Values that are computed before the decision are carried too, so that they are computed once per
/// iteration, unless they are cheap.
pub(super) fn as_loop(program: &mut Program, function: Var, code: &Code) -> Option<Code> {
    let tail = Tail::of(function, code)?;
    let at = tail.before.first().or(tail.next.first()).map_or(code.body.stmts[0].location, |s| s.location);
    let is_cheap = |s: &Stmt| s.codes.is_empty() && s.results.iter().all(|v| is_cheap(program, s.kind(), *v));
    let repeated = tail.before.len() <= MOST_REPEATED && tail.before.iter().all(is_cheap);
    let read_later = if repeated { vec![] } else { tail.read_later() };
    let again = if repeated { tail.before } else { &[] };
    let carried: Vec<Var> = code.params.iter().copied().chain(read_later).collect();
    let known = &carried[code.params.len()..];
    let copied = |program: &mut Program, from: &[Var], to: &[Var], stmts: &[Stmt], results: &[Var]| {
        let mut names = from.iter().copied().zip(to.iter().copied()).collect();
        program.copy_body(&Body { stmts: stmts.to_vec(), results: results.to_vec() }, &mut names)
    };

    let params = program.all_like(&carried);
    let mut condition = copied(program, &carried, &params, again, &[tail.condition]);
    if !tail.goes_on_if {
        let bool = program.context.scalar(Element::I1);
        let yes = program.bool(&mut condition.stmts, true, at);
        let operands = [condition.results[0], yes];
        condition.results[0] = program.push(&mut condition.stmts, Kind::ArithXori, &operands, bool, at);
    }
    let condition = Code::new(params, condition, Kind::LambdaYield);

    let params = program.all_like(&carried);
    let mut body = copied(program, &carried, &params, &[again, tail.next].concat(), tail.arguments);
    if !repeated {
        let after = copied(program, &code.params, &body.results.clone(), tail.before, known);
        body.stmts.extend(after.stmts);
        body.results.extend(after.results);
    }
    let body = Code::new(params, body, Kind::LambdaYield);

    let params = program.all_like(&code.params);
    let first = if repeated { Body::default() } else { copied(program, &code.params, &params, tail.before, known) };
    let mut stmts = first.stmts;
    let results = program.all_like(&carried);
    let operands = [params.as_slice(), &first.results].concat();
    stmts.push(Stmt::new(Kind::LambdaWhile, results.clone(), operands, vec![condition, body], at));
    let end = copied(program, &carried, &results, &[again, &tail.last.stmts].concat(), &tail.last.results);
    stmts.extend(end.stmts);
    Some(Code { params, body: Body { stmts, results: end.results }, end: code.end.clone() })
}

/// Checks whether an op without regions is on numbers.
fn is_cheap(program: &Program, kind: Kind, result: Var) -> bool {
    (kind.dialect() == "arith" || kind == Kind::LambdaAget) && !program.ty(result).is_tensor()
}

/// As `as_loop`, for a function of the module, which calls itself by its name.
pub fn of_module(program: &mut Program, symbol: &str, code: &Code) -> Option<Code> {
    let mut references = Vec::new();
    let mut code = code.clone();
    take_references(&mut code.body, symbol, &mut references);
    let first = *references.first()?;
    let itself = program.like(first, program.ty(first));
    code.body.rename(&references.into_iter().map(|r| (r, itself)).collect());
    as_loop(program, itself, &code)
}

/// Removes references to a function of the module.
fn take_references(body: &mut Body, symbol: &str, references: &mut Vec<Var>) {
    body.stmts.retain_mut(|stmt| {
        stmt.codes.iter_mut().for_each(|c| take_references(&mut c.body, symbol, references));
        let is_one = stmt.is(Kind::LambdaRef) && stmt.callee().is_some_and(|name| name == symbol);
        if is_one {
            references.push(stmt.result());
        }
        !is_one
    });
}

impl<'c> Tail<'c> {
    /// Returns the values of `before` that are read after it, in order.
    fn read_later(&self) -> Vec<Var> {
        let mut read = free_in(self.next, self.arguments);
        read.extend(free_in(&self.last.stmts, &self.last.results));
        read.push(self.condition);
        self.before.iter().flat_map(|s| s.results.iter().copied()).filter(|v| read.contains(v)).collect()
    }

    fn of(function: Var, code: &'c Code) -> Option<Tail<'c>> {
        let (choice, before) = code.body.stmts.split_last()?;
        if !choice.is(Kind::LambdaIf) || choice.results != code.body.results || code.params.is_empty() {
            return None;
        }
        let calls_it = |body: &Body| free_in(&body.stmts, &body.results).contains(&function);
        let [then, other] = [&choice.codes[0].body, &choice.codes[1].body];
        let (goes_on_if, on, last) = match (calls_it(then), calls_it(other)) {
            (true, false) => (true, then, other),
            (false, true) => (false, other, then),
            _ => return None,
        };
        let (call, next) = on.stmts.split_last()?;
        if !call.is(Kind::LambdaApply) {
            return None;
        }
        let is_last = call.operands[0] == function && call.results == on.results;
        let (condition, arguments) = (choice.operands[0], &call.operands[1..]);
        let elsewhere = free_in(before, &[]).contains(&function)
            || free_in(next, arguments).contains(&function)
            || condition == function;
        (is_last && !elsewhere).then_some(Tail { before, condition, goes_on_if, last, next, arguments })
    }
}
