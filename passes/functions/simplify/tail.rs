//! Recursion that ends in itself is a loop (`spec/functional.md` A.10, D.5).

use super::super::anf::{Body, Code, Stmt, Var, free_in};
use super::Simplify;
use mlopt_dialects::ir::Attribute;
use mlopt_dialects::value::Element;
use std::collections::HashMap;
use std::rc::Rc;

/// A function that either ends or calls itself with new arguments: what it does before it knows, how it ends, how it goes on.
struct Tail<'c> {
    before: &'c [Stmt],
    condition: Var,
    /// Whether it goes on where the condition holds.
    goes_on_if: bool,
    last: &'c Body,
    next: &'c [Stmt],
    arguments: &'c [Var],
}

impl Simplify<'_> {
    /// The code of `function` as a loop, if all calls of itself are the last thing that it does.
    pub(super) fn tail_recursion(&mut self, function: Var, code: &Code) -> Option<Code> {
        let tail = Tail::of(function, code)?;
        let at = tail.before.first().or(tail.next.first()).map_or(code.body.stmts[0].location, |s| s.location);
        let copied = |this: &mut Self, params: &[Var], rest: &[Stmt], results: &[Var]| {
            let mut names: HashMap<Var, Var> = code.params.iter().copied().zip(params.iter().copied()).collect();
            let body = Body { stmts: [tail.before, rest].concat(), results: results.to_vec() };
            this.program.copy_body(&body, &mut names)
        };
        let fresh = |this: &mut Self| {
            code.params.iter().map(|p| this.program.like(*p, this.program.ty(*p))).collect::<Vec<Var>>()
        };
        let params = fresh(self);
        let mut condition = copied(self, &params, &[], &[tail.condition]);
        if !tail.goes_on_if {
            let bool = self.program.context.scalar(Element::I1);
            let yes = [("value", Attribute::integer(bool, 1))];
            let yes = self.program.push_with(&mut condition.stmts, "arith.constant", &[], &yes, bool, at);
            let operands = [condition.results[0], yes];
            condition.results[0] = self.program.push(&mut condition.stmts, "arith.xori", &operands, bool, at);
        }
        let condition = Code { params, body: condition, end: "lambda.yield".into() };
        let params = fresh(self);
        let body = copied(self, &params, tail.next, tail.arguments);
        let body = Code { params, body, end: "lambda.yield".into() };
        let (params, results) = (fresh(self), fresh(self));
        let mut stmts = vec![Stmt {
            op: "lambda.while".into(),
            results: results.clone(),
            operands: params.clone(),
            attributes: Rc::new([]),
            codes: vec![condition, body],
            location: at,
        }];
        let end = copied(self, &results, &tail.last.stmts, &tail.last.results);
        stmts.extend(end.stmts);
        Some(Code { params, body: Body { stmts, results: end.results }, end: code.end.clone() })
    }
}

impl<'c> Tail<'c> {
    fn of(function: Var, code: &'c Code) -> Option<Tail<'c>> {
        let (choice, before) = code.body.stmts.split_last()?;
        if !choice.is("lambda.if") || choice.results != code.body.results || code.params.is_empty() {
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
        if !call.is("lambda.apply") {
            return None;
        }
        let is_last = call.operands[0] == function && call.results == on.results;
        let elsewhere = free_in(before, &[]).contains(&function)
            || free_in(next, &call.operands[1..]).contains(&function)
            || choice.operands[0] == function;
        let condition = choice.operands[0];
        (is_last && !elsewhere).then_some(Tail {
            before,
            condition,
            goes_on_if,
            last,
            next,
            arguments: &call.operands[1..],
        })
    }
}
