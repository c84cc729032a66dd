//! Conversion of functions that call each other in tail position to one loop (`spec/functional.md` D.5).
//!
//! A call is in tail position if its result is the result of its function, directly or through conditionals and cases.
//! If the functions of a group are recursive only through such calls, the group becomes one `lambda.while`. A function
//! that calls itself in tail position also becomes a `lambda.while`, even if it calls itself elsewhere too.
//!
//! The loop carries the number of the function that runs next, the arguments of all functions, and the result. The
//! arguments that the next function does not use are placeholders, such as zeros or empty lists. Some types have no
//! constant that could be a placeholder: closures, and arrays of unknown size. In that case the loop carries a
//! `lambda.data` of the next function and its arguments instead. Arguments that all functions pass on unchanged, such
//! as the captures of a group, are not carried by the loop.
//!
//! [`tail_calls`] determines the remaining calls in tail position when they are needed. They are not marked by an
//! attribute, because a mark would become wrong when code moves.

use super::represent::Declaration;
use super::{case, make, private};
use crate::analysis::fresh_names::FreshNames;
use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var};
use crate::functions::statements::has_placeholder;
use mlopt_dialects::ir::{Attribute, Block, Context, Location, Op, Type};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use std::collections::{BTreeSet, HashMap};

/// Returns the calls of a function of the module in tail position, in order.
pub fn tail_calls(function: Op) -> Vec<Op> {
    fn last(block: Block, out: &mut Vec<Op>) {
        let Some(end) = block.terminator() else { return };
        let given = end.operands();
        let Some((op, _)) = given.first().and_then(|v| v.defining_op()) else { return };
        if op.results() != given || op.block() != Some(block) || op.next() != Some(end) {
            return;
        }
        match op.kind() {
            Kind::FuncCall => out.push(op),
            Kind::LambdaIf | Kind::LambdaCase => {
                op.regions().into_iter().filter_map(|r| r.first_block()).for_each(|b| last(b, out));
            }
            _ => {}
        }
    }
    let mut out = Vec::new();
    function.body().into_iter().for_each(|b| last(b, &mut out));
    out
}

/// Returns the statement that defines the results of a body.
fn last(body: &Body) -> Option<&Stmt> {
    body.stmts.last().filter(|s| !s.results.is_empty() && s.results == body.results)
}

/// Returns the calls in tail position, in order.
fn last_calls(body: &Body) -> Vec<&Stmt> {
    match last(body) {
        Some(stmt) if stmt.is(Kind::FuncCall) => vec![stmt],
        Some(stmt) if matches!(stmt.kind(), Kind::LambdaIf | Kind::LambdaCase) => {
            stmt.codes.iter().flat_map(|c| last_calls(&c.body)).collect()
        }
        _ => vec![],
    }
}

/// The calls of a function: the counts of all, and the calls in tail position.
#[derive(Default)]
struct Calls {
    all: HashMap<String, usize>,
    last: HashMap<String, usize>,
}

impl Calls {
    fn of(function: &Function) -> Calls {
        let mut calls = Calls::default();
        function.code.body.visit(&mut |stmt| {
            if let Some(name) = stmt.callee() {
                *calls.all.entry(name).or_default() += 1;
            }
        });
        for name in last_calls(&function.code.body).into_iter().filter_map(Stmt::callee) {
            *calls.last.entry(name).or_default() += 1;
        }
        calls
    }

    /// Checks whether all calls of these functions are in tail position.
    fn end_in(&self, is_one: impl Fn(&String) -> bool) -> bool {
        self.all.iter().filter(|(name, _)| is_one(name)).all(|(name, n)| self.last.get(name) == Some(n))
    }
}

/// Makes loops of all functions that call each other in tail position. New functions are appended; their states are
/// declared.
pub fn loops(
    program: &mut Program,
    functions: &mut Vec<Function>,
    names: &mut FreshNames,
    declarations: &mut Vec<Declaration>,
) {
    let numbers: HashMap<String, usize> = functions.iter().enumerate().map(|(k, f)| (f.symbol.clone(), k)).collect();
    let calls: Vec<Calls> = functions.iter().map(Calls::of).collect();
    let next: Vec<BTreeSet<usize>> =
        calls.iter().map(|c| c.all.keys().filter_map(|name| numbers.get(name).copied()).collect()).collect();
    for group in super::components(&next) {
        // A function that calls itself in tail position is a loop, even if it also calls itself elsewhere.
        let is_loop = match group[..] {
            [k] => calls[k].last.contains_key(&functions[k].symbol),
            _ => group.iter().all(|k| calls[*k].end_in(|name| numbers.get(name).is_some_and(|k| group.contains(k)))),
        };
        if is_loop && group.iter().all(|k| functions[*k].code.body.results.len() == 1) {
            let made = Loop::new(program, functions, &group, names).write(program, functions, declarations);
            functions.extend(made);
        }
    }
}

/// Functions that become one loop.
struct Loop {
    group: Vec<usize>,
    symbols: Vec<String>,
    /// The arguments that all members pass on unchanged.
    kept: Vec<Var>,
    /// The parameters of each member, and those that change.
    all: Vec<Vec<Var>>,
    params: Vec<Vec<Var>>,
    result: Type,
    form: Form,
    /// The name of the function of the loop, if there are several members.
    together: Option<String>,
    at: Location,
}

/// The carried values, besides the condition.
enum Form {
    /// The number of the member that runs next, if there are several, the arguments of all of them, and the result.
    /// Unused slots contain placeholders.
    Values { which: Option<Var>, result: Var },
    /// A `lambda.data` of the next member with its arguments, or of the result in the variant `done`.
    Data { symbol: String, done: String, state: Var },
}

impl Loop {
    fn new(program: &mut Program, functions: &mut [Function], group: &[usize], names: &mut FreshNames) -> Loop {
        let mut group = group.to_vec();
        group.sort();
        let symbols: Vec<String> = group.iter().map(|k| functions[*k].symbol.clone()).collect();
        let kept = unchanged(functions, &group, &symbols);
        // A parameter that a member has captured is a value in another member, too: the loop carries both.
        for k in group.iter().filter(|_| group.len() > 1) {
            let code = &mut functions[*k].code;
            let own: Vec<Var> = code.params.iter().copied().filter(|v| !kept.contains(v)).collect();
            let names = own.iter().copied().zip(program.all_like(&own)).collect();
            code.body.rename(&names);
            for param in &mut code.params {
                *param = names.get(param).copied().unwrap_or(*param);
            }
        }
        let all: Vec<Vec<Var>> = group.iter().map(|k| functions[*k].code.params.clone()).collect();
        let own = |all: &Vec<Var>| all.iter().copied().filter(|v| !kept.contains(v)).collect();
        let params: Vec<Vec<Var>> = all.iter().map(own).collect();
        let result = program.ty(functions[group[0]].code.body.results[0]);
        // The arguments of the first member are available.
        let others = if group.len() > 1 { params.concat() } else { vec![] };
        let form = match others.iter().map(|v| program.ty(*v)).chain([result]).all(has_placeholder) {
            true => {
                let number = program.context.scalar(Element::I64);
                let which = (group.len() > 1).then(|| program.fresh(number, Some("which".into())));
                Form::Values { which, result: program.fresh(result, Some("result".into())) }
            }
            false => {
                let symbol = names.free(&format!("{}.state", symbols[0]));
                let state = program.fresh(types::data(program.context, &symbol), Some("state".into()));
                Form::Data { symbol, done: FreshNames::except(symbols.clone()).free("done"), state }
            }
        };
        Loop {
            form,
            params,
            all,
            result,
            together: (group.len() > 1).then(|| names.free(&format!("{}.loop", symbols[0]))),
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
        self.declare(program, declarations);
        let mut steps = Vec::new();
        for k in &self.group {
            let body = std::mem::take(&mut functions[*k].code.body);
            steps.push(self.step(program, body));
        }
        let Some(symbol) = &self.together else {
            // The parameters of the function are those of the first iteration.
            let code = &mut functions[self.group[0]].code;
            let mut stmts = Vec::new();
            let mut first = Vec::new();
            for param in &mut code.params {
                if !self.kept.contains(param) {
                    *param = program.like(*param, program.ty(*param));
                    first.push(*param);
                }
            }
            let start = self.first(program, &mut stmts, 0, &first);
            let result = self.rounds(program, &mut stmts, &start, steps);
            code.body = Body { stmts, results: vec![result] };
            return None;
        };
        for (number, k) in self.group.iter().enumerate() {
            let mut stmts = Vec::new();
            let start = self.first(program, &mut stmts, number, &self.params[number]);
            let attributes = [("callee", program.context.symbol_attr(symbol))];
            let operands = [self.kept.clone(), start].concat();
            let y = program.push_with(&mut stmts, Kind::FuncCall, &operands, &attributes, self.result, self.at);
            let mut body = Body { stmts, results: vec![y] };
            // The loop has these values as arguments of its own.
            let code = &mut functions[*k].code;
            let params = program.all_like(&code.params);
            body.rename(&code.params.iter().copied().zip(params.iter().copied()).collect());
            code.params = params;
            code.body = body;
        }
        let start = program.all_like(&self.carried());
        let mut stmts = Vec::new();
        let y = self.rounds(program, &mut stmts, &start, steps);
        let params = [self.kept.clone(), start].concat();
        let code = Code::new(params, Body { stmts, results: vec![y] }, Kind::FuncReturn);
        Some(private(program.context, symbol.clone(), code, self.at))
    }

    fn declare(&self, program: &Program, declarations: &mut Vec<Declaration>) {
        let Form::Data { symbol, done, .. } = &self.form else { return };
        let members = self.symbols.iter().cloned().zip(self.params.iter().map(|vars| program.types_of(vars)));
        let alternatives = members.chain([(done.clone(), vec![self.result])]).collect();
        declarations.push(Declaration { symbol: symbol.clone(), alternatives });
    }

    /// Returns the carried values of an iteration.
    fn carried(&self) -> Vec<Var> {
        match &self.form {
            Form::Values { which, result } => {
                which.iter().copied().chain(self.params.concat()).chain([*result]).collect()
            }
            Form::Data { state, .. } => vec![*state],
        }
    }

    /// Returns the initial carried values, for member `k` with these arguments.
    fn first(&self, program: &mut Program, out: &mut Vec<Stmt>, k: usize, arguments: &[Var]) -> Vec<Var> {
        if let Form::Data { .. } = &self.form {
            return vec![self.make(program, out, &self.symbols[k], arguments)];
        }
        let mut values = self.number(program, out, k);
        for (other, params) in self.params.iter().enumerate() {
            if other == k {
                values.extend(arguments);
            } else {
                values.extend(params.iter().map(|v| program.placeholder(out, program.ty(*v), self.at)));
            }
        }
        values.push(program.placeholder(out, self.result, self.at));
        values
    }

    /// Returns the next carried values, for member `k` with these arguments.
    fn next(&self, program: &mut Program, out: &mut Vec<Stmt>, k: usize, arguments: &[Var]) -> Vec<Var> {
        let Form::Values { result, .. } = &self.form else {
            return vec![self.make(program, out, &self.symbols[k], arguments)];
        };
        let mut values = self.number(program, out, k);
        let all = self.params.iter().enumerate();
        values.extend(all.flat_map(|(other, params)| if other == k { arguments } else { params.as_slice() }));
        values.push(*result);
        values
    }

    /// Returns the carried values after the last iteration.
    fn end(&self, program: &mut Program, out: &mut Vec<Stmt>, value: Var) -> Vec<Var> {
        match &self.form {
            Form::Values { which, .. } => which.iter().copied().chain(self.params.concat()).chain([value]).collect(),
            Form::Data { done, .. } => vec![self.make(program, out, done, &[value])],
        }
    }

    /// Returns the number of a member, if there are several.
    fn number(&self, program: &mut Program, out: &mut Vec<Stmt>, k: usize) -> Vec<Var> {
        if self.together.is_none() {
            return vec![];
        }
        let ty = program.context.scalar(Element::I64);
        vec![program.integer(out, k as i64, ty, self.at)]
    }

    fn make(&self, program: &mut Program, out: &mut Vec<Stmt>, alternative: &str, fields: &[Var]) -> Var {
        let Form::Data { symbol, .. } = &self.form else { unreachable!("a loop that carries a state") };
        make(program, out, (symbol, alternative), fields, self.at)
    }

    /// Returns the body of a member, which yields the condition and the next carried values.
    fn step(&self, program: &mut Program, mut body: Body) -> Body {
        let goes_on = self.goes_on(&body);
        if !goes_on {
            let more = program.bool(&mut body.stmts, false, self.at);
            let values = self.end(program, &mut body.stmts, body.results[0]);
            return Body { results: [vec![more], values].concat(), ..body };
        }
        let mut stmt = body.stmts.pop().expect("the last statement");
        if stmt.is(Kind::FuncCall) {
            let k = self.symbols.iter().position(|s| Some(s) == stmt.callee().as_ref()).expect("a member");
            let arguments = self.arguments(&stmt, k);
            let more = program.bool(&mut body.stmts, true, self.at);
            let values = self.next(program, &mut body.stmts, k, &arguments);
            return Body { results: [vec![more], values].concat(), ..body };
        }
        for code in &mut stmt.codes {
            code.body = self.step(program, std::mem::take(&mut code.body));
        }
        stmt.results = self.outcome(program);
        let results = stmt.results.clone();
        body.stmts.push(stmt);
        Body { results, ..body }
    }

    /// Creates values for the condition and the carried values.
    fn outcome(&self, program: &mut Program) -> Vec<Var> {
        let more = program.fresh(program.context.scalar(Element::I1), Some("more".into()));
        [vec![more], program.all_like(&self.carried())].concat()
    }

    /// Checks whether a body calls a member in tail position.
    fn goes_on(&self, body: &Body) -> bool {
        last_calls(body).into_iter().filter_map(Stmt::callee).any(|name| self.symbols.contains(&name))
    }

    /// Returns the arguments of a call of member `k` without the unchanged ones.
    fn arguments(&self, call: &Stmt, k: usize) -> Vec<Var> {
        let given = self.all[k].iter().zip(&call.operands);
        given.filter(|(param, _)| !self.kept.contains(param)).map(|(_, x)| *x).collect()
    }

    /// Writes the loop, from the initial carried values to the result.
    fn rounds(&self, program: &mut Program, out: &mut Vec<Stmt>, start: &[Var], steps: Vec<Body>) -> Var {
        let yes = program.bool(out, true, self.at);
        let params = self.outcome(program);
        let more = params[0];
        let condition = Code::yields(params, vec![], vec![more]);
        let more = program.fresh(program.context.scalar(Element::I1), Some("more".into()));
        let params = [vec![more], self.carried()].concat();
        let body = Code::new(params, self.round(program, steps), Kind::LambdaYield);
        let results = self.outcome(program);
        let operands = [&[yes], start].concat();
        out.push(Stmt::new(Kind::LambdaWhile, results.clone(), operands, vec![condition, body], self.at));
        match &self.form {
            Form::Values { .. } => results[results.len() - 1],
            Form::Data { .. } => self.ending(program, out, results[1]),
        }
    }

    /// Returns the body of the loop, which runs the current member.
    fn round(&self, program: &mut Program, steps: Vec<Body>) -> Body {
        let yields = |params: Vec<Var>, body: Body| Code::new(params, body, Kind::LambdaYield);
        let Form::Values { which, .. } = &self.form else {
            let arms = self.params.iter().zip(steps).map(|(params, body)| yields(params.clone(), body));
            let mut arms: Vec<Code> = arms.collect();
            arms.push(self.stuck(program));
            let results = self.outcome(program);
            let case = self.case(program.context, self.carried()[0], results.clone(), arms);
            return Body { stmts: vec![case], results };
        };
        // The last one runs if no other does.
        let mut steps = steps.into_iter().enumerate().rev();
        let mut rest = steps.next().map(|(_, body)| body).unwrap_or_default();
        for (k, body) in steps {
            let mut stmts = Vec::new();
            let number = self.number(program, &mut stmts, k)[0];
            let which = which.expect("several members");
            let equal = [("predicate", Attribute::integer(program.context.scalar(Element::I64), 0))];
            let bool = program.context.scalar(Element::I1);
            let is_it = program.push_with(&mut stmts, Kind::ArithCmpi, &[which, number], &equal, bool, self.at);
            let results = self.outcome(program);
            let codes = vec![yields(vec![], body), yields(vec![], rest)];
            stmts.push(Stmt::new(Kind::LambdaIf, results.clone(), vec![is_it], codes, self.at));
            rest = Body { stmts, results };
        }
        rest
    }

    /// Returns a placeholder for the iteration after the last one, which never runs.
    fn stuck(&self, program: &mut Program) -> Code {
        let mut stmts = Vec::new();
        let mut results = Vec::new();
        for value in self.outcome(program) {
            let ty = program.ty(value);
            results.push(program.push(&mut stmts, Kind::LambdaUnreachable, &[], ty, self.at));
        }
        let params = vec![program.fresh(self.result, None)];
        Code::yields(params, stmts, results)
    }

    /// Returns the result in the last state.
    fn ending(&self, program: &mut Program, out: &mut Vec<Stmt>, state: Var) -> Var {
        let mut arms: Vec<Code> = Vec::new();
        for params in &self.params {
            let params = program.all_like(params);
            let mut stmts = Vec::new();
            let y = program.push(&mut stmts, Kind::LambdaUnreachable, &[], self.result, self.at);
            arms.push(Code::yields(params, stmts, vec![y]));
        }
        let y = program.fresh(self.result, None);
        arms.push(Code::yields(vec![y], vec![], vec![y]));
        let y = program.fresh(self.result, None);
        out.push(self.case(program.context, state, vec![y], arms));
        y
    }

    fn case(&self, context: Context, state: Var, results: Vec<Var>, codes: Vec<Code>) -> Stmt {
        let Form::Data { done, .. } = &self.form else { unreachable!("a loop that carries a state") };
        case(context, state, results, self.symbols.iter().chain([done]).cloned().zip(codes), self.at)
    }
}

/// Returns the parameters that all members of a group have, and that all calls between members pass on in the same
/// position.
fn unchanged(functions: &[Function], group: &[usize], symbols: &[String]) -> Vec<Var> {
    let mut kept: Vec<Var> = functions[group[0]].code.params.clone();
    kept.retain(|v| group.iter().all(|k| functions[*k].code.params.contains(v)));
    for call in group.iter().flat_map(|k| last_calls(&functions[*k].code.body)) {
        let Some(k) = call.callee().and_then(|name| symbols.iter().position(|s| *s == name)) else { continue };
        let (params, operands) = (&functions[group[k]].code.params, &call.operands);
        kept.retain(|v| params.iter().zip(operands).all(|(p, x)| p != v || x == v));
    }
    kept
}
