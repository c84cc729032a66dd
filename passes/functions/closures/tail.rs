//! Functions that call each other last are one loop (`spec/functional.md` D.5).
//!
//! A call is in tail position if what it gives is what its function gives, by way of conditionals and cases alone. Functions that lead back to
//! themselves by such calls only become a `lambda.while`, and so does one that calls itself last: what it carries is which of them runs next, with its arguments, or that it is done. What all of
//! them hand on unchanged, as what a group captures, stays outside of the loop.

use super::super::anf::{Body, Code, Function, Program, Stmt, Var};
use super::represent::Declaration;
use super::{Names, callee};
use mlopt_dialects::ir::{Attribute, Context, Location, Op, Type};
use mlopt_dialects::lambda::types;
use mlopt_dialects::value::Element;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The calls of a function of the module after which nothing is left to be done, in the order in which they stand.
pub fn tail_calls(function: Op) -> Vec<Op> {
    fn last(block: mlopt_dialects::ir::Block, out: &mut Vec<Op>) {
        let Some(end) = block.terminator() else { return };
        let given = end.operands();
        let Some((op, _)) = given.first().and_then(|v| v.defining_op()) else { return };
        if op.results() != given || op.block() != Some(block) || op.next() != Some(end) {
            return;
        }
        match op.name() {
            "func.call" => out.push(op),
            "lambda.if" | "lambda.case" => {
                op.regions().into_iter().filter_map(|r| r.first_block()).for_each(|b| last(b, out));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    function.body().into_iter().for_each(|b| last(b, &mut out));
    out
}

/// The statement that gives what a body gives.
fn last(body: &Body) -> Option<&Stmt> {
    body.stmts.last().filter(|s| !s.results.is_empty() && s.results == body.results)
}

/// What a function calls: how often in all, and the calls in tail position.
#[derive(Default)]
struct Calls {
    all: HashMap<String, usize>,
    last: HashMap<String, usize>,
}

impl Calls {
    fn of(function: &Function) -> Calls {
        let mut calls = Calls::default();
        calls.count(&function.code.body);
        calls.count_last(&function.code.body);
        calls
    }

    /// Whether all calls of these functions are in tail position.
    fn end_in(&self, is_one: impl Fn(&String) -> bool) -> bool {
        self.all.iter().filter(|(name, _)| is_one(name)).all(|(name, n)| self.last.get(name) == Some(n))
    }

    fn count(&mut self, body: &Body) {
        for stmt in &body.stmts {
            if let Some(name) = callee(stmt) {
                *self.all.entry(name).or_default() += 1;
            }
            stmt.codes.iter().for_each(|c| self.count(&c.body));
        }
    }

    fn count_last(&mut self, body: &Body) {
        let Some(stmt) = last(body) else { return };
        match &*stmt.op {
            "func.call" => *self.last.entry(callee(stmt).expect("a call names a function")).or_default() += 1,
            "lambda.if" | "lambda.case" => stmt.codes.iter().for_each(|c| self.count_last(&c.body)),
            _ => {}
        }
    }
}

/// Makes loops of all functions that call each other last. Those that are made are added behind; their states are declared.
pub fn loops(
    program: &mut Program,
    functions: &mut Vec<Function>,
    names: &mut Names,
    declarations: &mut Vec<Declaration>,
) {
    let numbers: HashMap<String, usize> = functions.iter().enumerate().map(|(k, f)| (f.symbol.clone(), k)).collect();
    let calls: Vec<Calls> = functions.iter().map(Calls::of).collect();
    let next: Vec<BTreeSet<usize>> =
        calls.iter().map(|c| c.all.keys().filter_map(|name| numbers.get(name).copied()).collect()).collect();
    for group in super::components(&next) {
        // A function that calls itself last is a loop though it calls itself elsewhere too.
        let is_loop = match group[..] {
            [k] => calls[k].last.contains_key(&functions[k].symbol),
            _ => group.iter().all(|k| calls[*k].end_in(|name| numbers.get(name).is_some_and(|k| group.contains(k)))),
        };
        if is_loop && group.iter().all(|k| functions[*k].code.body.results.len() == 1) {
            let made = Loop::new(functions, &group, names).write(program, functions, declarations);
            functions.extend(made);
        }
    }
}

/// Functions that become one loop.
struct Loop {
    group: Vec<usize>,
    symbols: Vec<String>,
    /// The name of the `lambda.data` of what runs next, and that of the alternative that nothing does.
    state: String,
    done: String,
    /// What all hand on unchanged.
    kept: Vec<Var>,
    /// The arguments of each, and those that change.
    all: Vec<Vec<Var>>,
    params: Vec<Vec<Var>>,
    /// The name of the function of the loop, if there are several members.
    together: Option<String>,
    at: Location,
}

impl Loop {
    fn new(functions: &[Function], group: &[usize], names: &mut Names) -> Loop {
        let mut group = group.to_vec();
        group.sort();
        let symbols: Vec<String> = group.iter().map(|k| functions[*k].symbol.clone()).collect();
        let kept = unchanged(functions, &group, &symbols);
        let all: Vec<Vec<Var>> = group.iter().map(|k| functions[*k].code.params.clone()).collect();
        let own = |all: &Vec<Var>| all.iter().copied().filter(|v| !kept.contains(v)).collect();
        let done = Names::new(symbols.clone()).fresh("done");
        Loop {
            state: names.fresh(&format!("{}.state", symbols[0])),
            done,
            params: all.iter().map(own).collect(),
            all,
            together: (group.len() > 1).then(|| names.fresh(&format!("{}.loop", symbols[0]))),
            at: functions[group[0]].location,
            kept,
            symbols,
            group,
        }
    }

    fn write(
        &self,
        program: &mut Program,
        functions: &mut [Function],
        declarations: &mut Vec<Declaration>,
    ) -> Option<Function> {
        let result = program.ty(functions[self.group[0]].code.body.results[0]);
        let types = |vars: &Vec<Var>| vars.iter().map(|v| program.ty(*v)).collect::<Vec<Type>>();
        let mut alternatives: Vec<(String, Vec<Type>)> =
            self.symbols.iter().cloned().zip(self.params.iter().map(types)).collect();
        alternatives.push((self.done.clone(), vec![result]));
        declarations.push(Declaration { symbol: self.state.clone(), alternatives });
        let mut arms = Vec::new();
        for (k, params) in self.group.iter().zip(&self.params) {
            let body = std::mem::take(&mut functions[*k].code.body);
            let body = self.step(program, body);
            arms.push(Code { params: params.clone(), body, end: "lambda.yield".into() });
        }
        let state = types::data(program.context, &self.state);
        let Some(symbol) = &self.together else {
            let k = self.group[0];
            // The arguments of the function are those of the first round.
            let code = &mut functions[k].code;
            let mut stmts = Vec::new();
            let mut first = Vec::new();
            for param in &mut code.params {
                if !self.kept.contains(param) {
                    *param = program.like(*param, program.ty(*param));
                    first.push(*param);
                }
            }
            let start = self.make(program, &mut stmts, &self.symbols[0], &first);
            let result = self.rounds(program, &mut stmts, start, arms, result);
            functions[k].code.body = Body { stmts, results: vec![result] };
            return None;
        };
        for ((k, own), name) in self.group.iter().zip(&self.params).zip(&self.symbols) {
            let mut stmts = Vec::new();
            let start = self.make(program, &mut stmts, name, own);
            let attributes = [("callee", program.context.symbol_attr(symbol))];
            let operands = [self.kept.as_slice(), &[start]].concat();
            let y = program.push_with(&mut stmts, "func.call", &operands, &attributes, result, self.at);
            // The members of the loop have these values as arguments of their own.
            let mut renamed = HashMap::new();
            let params: Vec<Var> = functions[*k]
                .code
                .params
                .iter()
                .map(|v| {
                    let new = program.like(*v, program.ty(*v));
                    renamed.insert(*v, new);
                    new
                })
                .collect();
            let mut body = Body { stmts, results: vec![y] };
            super::prepare::rename(&mut body, &renamed);
            functions[*k].code.params = params;
            functions[*k].code.body = body;
        }
        let start = program.fresh(state, Some("state".into()));
        let mut stmts = Vec::new();
        let y = self.rounds(program, &mut stmts, start, arms, result);
        let params = [self.kept.as_slice(), &[start]].concat();
        let code = Code { params, body: Body { stmts, results: vec![y] }, end: "func.return".into() };
        let attributes = super::private(program.context, symbol);
        Some(Function { symbol: symbol.clone(), attributes, code, location: self.at })
    }

    fn make(&self, program: &mut Program, out: &mut Vec<Stmt>, alternative: &str, fields: &[Var]) -> Var {
        let ty = types::data(program.context, &self.state);
        let name = program.context.string_attr(alternative);
        program.push_with(out, "lambda.make", fields, &[("alternative", name)], ty, self.at)
    }

    fn bool(&self, program: &mut Program, out: &mut Vec<Stmt>, value: bool) -> Var {
        let ty = program.context.scalar(Element::I1);
        let value = [("value", Attribute::integer(ty, i64::from(value)))];
        program.push_with(out, "arith.constant", &[], &value, ty, self.at)
    }

    /// The body of a member, which gives whether there is more to do, and what is next.
    fn step(&self, program: &mut Program, mut body: Body) -> Body {
        let goes_on = last(&body).is_some_and(|s| self.goes_on(s));
        if !goes_on {
            let more = self.bool(program, &mut body.stmts, false);
            let state = self.make(program, &mut body.stmts, &self.done, &body.results.clone());
            return Body { results: vec![more, state], ..body };
        }
        let mut stmt = body.stmts.pop().expect("the last statement");
        if stmt.is("func.call") {
            let k = self.symbols.iter().position(|s| Some(s) == callee(&stmt).as_ref()).expect("a member");
            let arguments = self.arguments(&stmt, k);
            let more = self.bool(program, &mut body.stmts, true);
            let state = self.make(program, &mut body.stmts, &self.symbols[k], &arguments);
            return Body { results: vec![more, state], ..body };
        }
        let (bool, state) = (program.context.scalar(Element::I1), types::data(program.context, &self.state));
        stmt.codes = stmt.codes.into_iter().map(|c| Code { body: self.step(program, c.body), ..c }).collect();
        stmt.results = vec![program.fresh(bool, None), program.fresh(state, None)];
        let results = stmt.results.clone();
        body.stmts.push(stmt);
        Body { results, ..body }
    }

    /// Whether a statement that is the last one calls a member, or something inside of it does.
    fn goes_on(&self, stmt: &Stmt) -> bool {
        match &*stmt.op {
            "func.call" => callee(stmt).is_some_and(|name| self.symbols.contains(&name)),
            "lambda.if" | "lambda.case" => {
                stmt.codes.iter().filter_map(|c| last(&c.body)).any(|inner| self.goes_on(inner))
            }
            _ => false,
        }
    }

    /// What a call hands to member `k` besides what stays the same.
    fn arguments(&self, call: &Stmt, k: usize) -> Vec<Var> {
        let given = self.all[k].iter().zip(&call.operands);
        given.filter(|(param, _)| !self.kept.contains(param)).map(|(_, x)| *x).collect()
    }

    /// The loop, from a first state to the result.
    fn rounds(&self, program: &mut Program, out: &mut Vec<Stmt>, start: Var, arms: Vec<Code>, result: Type) -> Var {
        let context = program.context;
        let (bool, ty) = (context.scalar(Element::I1), types::data(context, &self.state));
        let fresh =
            |program: &mut Program| [program.fresh(bool, Some("more".into())), program.fresh(ty, Some("state".into()))];
        let yes = self.bool(program, out, true);
        let params = fresh(program).to_vec();
        let results = vec![params[0]];
        let condition = Code { params, body: Body { stmts: vec![], results }, end: "lambda.yield".into() };
        let params = fresh(program).to_vec();
        let next = vec![program.fresh(bool, None), program.fresh(ty, None)];
        let mut all = arms;
        // A loop that is done is not run again.
        let never = [bool, ty];
        all.push(self.stuck(program, result, &never));
        let step = self.case(context, params[1], next.clone(), all);
        let body = Code { params, body: Body { stmts: vec![step], results: next }, end: "lambda.yield".into() };
        let ends = fresh(program).to_vec();
        out.push(Stmt {
            op: "lambda.while".into(),
            results: ends.clone(),
            operands: vec![yes, start],
            attributes: Rc::new([]),
            codes: vec![condition, body],
            location: self.at,
        });
        let mut all: Vec<Code> = Vec::new();
        for params in &self.params {
            let params: Vec<Var> = params.iter().map(|v| program.like(*v, program.ty(*v))).collect();
            let mut stmts = Vec::new();
            let y = program.push(&mut stmts, "lambda.unreachable", &[], result, self.at);
            all.push(Code { params, body: Body { stmts, results: vec![y] }, end: "lambda.yield".into() });
        }
        let y = program.fresh(result, None);
        all.push(Code { params: vec![y], body: Body { stmts: vec![], results: vec![y] }, end: "lambda.yield".into() });
        let y = program.fresh(result, None);
        out.push(self.case(context, ends[1], vec![y], all));
        y
    }

    /// The round after the last one.
    fn stuck(&self, program: &mut Program, result: Type, types: &[Type]) -> Code {
        let mut stmts = Vec::new();
        let results =
            types.iter().map(|ty| program.push(&mut stmts, "lambda.unreachable", &[], *ty, self.at)).collect();
        let params = vec![program.fresh(result, None)];
        Code { params, body: Body { stmts, results }, end: "lambda.yield".into() }
    }

    fn case(&self, context: Context, state: Var, results: Vec<Var>, codes: Vec<Code>) -> Stmt {
        let names: Vec<Attribute> =
            self.symbols.iter().chain([&self.done]).map(|name| context.string_attr(name)).collect();
        Stmt {
            op: "lambda.case".into(),
            results,
            operands: vec![state],
            attributes: Rc::new([("alternatives".to_string(), context.array_attr(&names))]),
            codes,
            location: self.at,
        }
    }
}

/// The arguments that all members of a group have, and that each of their calls of each other hands on in its place.
fn unchanged(functions: &[Function], group: &[usize], symbols: &[String]) -> Vec<Var> {
    let mut kept: Vec<Var> = functions[group[0]].code.params.clone();
    kept.retain(|v| group.iter().all(|k| functions[*k].code.params.contains(v)));
    let mut calls = Vec::new();
    for k in group {
        collect(&functions[*k].code.body, symbols, &mut calls);
    }
    for (k, operands) in calls {
        let params = &functions[group[k]].code.params;
        kept.retain(|v| params.iter().zip(&operands).all(|(p, x)| p != v || x == v));
    }
    kept
}

/// The calls of members in tail position: which one, and what it is given.
fn collect(body: &Body, symbols: &[String], out: &mut Vec<(usize, Vec<Var>)>) {
    let Some(stmt) = last(body) else { return };
    match &*stmt.op {
        "func.call" => {
            let k = callee(stmt).and_then(|name| symbols.iter().position(|s| *s == name));
            out.extend(k.map(|k| (k, stmt.operands.clone())));
        }
        "lambda.if" | "lambda.case" => stmt.codes.iter().for_each(|c| collect(&c.body, symbols, out)),
        _ => {}
    }
}
