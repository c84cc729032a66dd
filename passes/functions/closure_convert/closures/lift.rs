//! Lambda lifting (`spec/functional.md` D.1): every `lambda.lambda` becomes a function of the module. The values that
//! it captures become parameters before its own ones, in the order of first use. Functions of a mutually recursive
//! group all take the captures of the whole group.

use super::{call_of, closure, given, is_closure, private};
use crate::analysis::fresh_names::FreshNames;
use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var, free_by};
use mlopt_dialects::ir::Location;
use mlopt_dialects::ops::Kind;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A function that can be called by its name.
pub struct KnownFunction {
    pub symbol: String,
    /// Its captures, which come before its own parameters.
    pub captures: Vec<Var>,
    /// Its own parameters, and its results.
    pub params: Vec<Var>,
    pub results: Vec<Var>,
    /// True for a function of the module, false for a lambda.
    pub is_global: bool,
    pub location: Location,
    /// The numbers of the functions of its group and of nested functions, whose captures are collected where they are.
    group: Range<usize>,
}

/// The lifting of all lambdas out of functions of the module.
pub struct Lift<'p> {
    program: &'p mut Program,
    names: &'p mut FreshNames,
    /// All functions, those of the module first; a lambda has a smaller number than nested ones.
    pub known: Vec<KnownFunction>,
    by_value: HashMap<Var, usize>,
    by_symbol: HashMap<String, usize>,
    /// Function values with other uses than calls.
    escaping: HashSet<Var>,
    lifted: Vec<Function>,
}

impl<'p> Lift<'p> {
    pub fn new(program: &'p mut Program, names: &'p mut FreshNames) -> Lift<'p> {
        Lift {
            program,
            names,
            known: Vec::new(),
            by_value: HashMap::new(),
            by_symbol: HashMap::new(),
            escaping: HashSet::new(),
            lifted: Vec::new(),
        }
    }

    /// Declares a function of the module, to which others may refer.
    pub fn declare(&mut self, symbol: &str, code: &Code, location: Location) {
        self.by_symbol.insert(symbol.to_string(), self.known.len());
        self.know(symbol.to_string(), code, true, location);
    }

    fn know(&mut self, symbol: String, code: &Code, is_global: bool, location: Location) {
        let (params, results) = (code.params.clone(), code.body.results.clone());
        self.known.push(KnownFunction {
            symbol,
            captures: Vec::new(),
            params,
            results,
            is_global,
            location,
            group: 0..0,
        });
    }

    /// Lifts the lambdas of a function. Returns the function without lambdas, followed by the lifted ones.
    pub fn function(&mut self, mut function: Function) -> Vec<Function> {
        self.itself(&mut function.code.body);
        self.collect(&function.symbol, &function.code.body);
        self.escapes(&function.code.body);
        self.capture(&function.code.body);
        function.code.body = self.body(function.code.body);
        let mut all = vec![function];
        all.append(&mut self.lifted);
        all
    }

    /// Rewrites a function of a group that uses a member as a value: it creates that value from the captures of the
    /// group, so that no closure contains itself.
    fn itself(&mut self, body: &mut Body) {
        for stmt in &mut body.stmts {
            stmt.codes.iter_mut().for_each(|c| self.itself(&mut c.body));
            if !stmt.is(Kind::LambdaLetrec) {
                continue;
            }
            let members: Vec<Var> = stmt.members().iter().map(Stmt::result).collect();
            for member in &mut stmt.codes[0].body.stmts {
                let at = member.location;
                let code = &mut member.codes[0];
                let mut used = Vec::new();
                values(&code.body, &mut used);
                let mut made = Vec::new();
                for other in members.iter().filter(|m| used.contains(m)) {
                    let value = self.program.like(*other, self.program.ty(*other));
                    replace_values(&mut code.body, *other, value);
                    // It represents the member until its captures are known.
                    made.push(Stmt::new(closure(), vec![value], vec![*other], vec![], at));
                }
                code.body.stmts.splice(0..0, made);
            }
        }
    }

    /// Numbers the lambdas in a function, outer ones first.
    fn collect(&mut self, around: &str, body: &Body) {
        for stmt in &body.stmts {
            match stmt.kind() {
                Kind::LambdaLambda => {
                    let first = self.known.len();
                    self.add(around, stmt, stmt.result());
                    self.collect(around, &stmt.codes[0].body);
                    self.known[first].group = first..self.known.len();
                }
                Kind::LambdaLetrec => {
                    let first = self.known.len();
                    let mut members = Vec::new();
                    for (member, result) in stmt.members().iter().zip(&stmt.results) {
                        members.push(self.known.len());
                        self.by_value.insert(*result, self.known.len());
                        self.add(around, member, *result);
                        self.collect(around, &member.codes[0].body);
                    }
                    for k in members {
                        self.known[k].group = first..self.known.len();
                    }
                }
                Kind::LambdaRef => {
                    if let Some(k) = stmt.callee().and_then(|name| self.by_symbol.get(&name)) {
                        self.by_value.insert(stmt.result(), *k);
                    }
                }
                _ => stmt.codes.iter().for_each(|c| self.collect(around, &c.body)),
            }
        }
    }

    /// Adds a lambda; `outside` is its name outside of its group.
    fn add(&mut self, around: &str, lambda: &Stmt, outside: Var) {
        let name = self.program.name_of(outside).unwrap_or("lambda").to_string();
        let symbol = self.names.free(&format!("{around}.{name}"));
        self.by_value.insert(lambda.result(), self.known.len());
        self.know(symbol, &lambda.codes[0], false, lambda.location);
    }

    /// Collects the functions that are used as values.
    fn escapes(&mut self, body: &Body) {
        let mut used = Vec::new();
        values(body, &mut used);
        self.escaping.extend(used.into_iter().filter(|v| self.by_value.contains_key(v)));
    }

    /// Collects the captures of the lambdas in a body, outer ones first: a call of a known function uses the captures
    /// of the callee.
    fn capture(&mut self, body: &Body) {
        for stmt in &body.stmts {
            match stmt.kind() {
                Kind::LambdaLambda => {
                    let k = self.by_value[&stmt.result()];
                    self.known[k].captures = self.captured(k, &[&stmt.codes[0]]);
                }
                Kind::LambdaLetrec => {
                    let members = stmt.members();
                    let codes: Vec<&Code> = members.iter().flat_map(|m| &m.codes).collect();
                    let Some(first) = members.first() else { continue };
                    let captures = self.captured(self.by_value[&first.result()], &codes);
                    for member in members {
                        let k = self.by_value[&member.result()];
                        self.known[k].captures.clone_from(&captures);
                    }
                    members.iter().for_each(|m| self.capture(&m.codes[0].body));
                    continue;
                }
                _ => {}
            }
            stmt.codes.iter().for_each(|c| self.capture(&c.body));
        }
    }

    fn captured(&self, k: usize, codes: &[&Code]) -> Vec<Var> {
        free_by(codes.iter().copied(), &|stmt, uses| {
            let position = if is_closure(stmt) { Some(0) } else { target(stmt) };
            for (i, operand) in stmt.operands.iter().enumerate() {
                match self.by_value.get(operand) {
                    Some(known) if Some(i) == position => self.captures_of(&self.known[k].group, *known, uses),
                    _ => uses(*operand),
                }
            }
        })
    }

    /// Visits the captures of a function, unless it is in the group whose captures are collected anyway.
    fn captures_of(&self, group: &Range<usize>, k: usize, uses: &mut dyn FnMut(Var)) {
        if !group.contains(&k) {
            self.known[k].captures.iter().for_each(|v| uses(*v));
        }
    }

    /// Returns the number of the callee, if it is known.
    fn called(&self, stmt: &Stmt) -> Option<usize> {
        target(stmt).and_then(|k| self.by_value.get(&stmt.operands[k])).copied()
    }

    fn body(&mut self, body: Body) -> Body {
        let mut out = Vec::with_capacity(body.stmts.len());
        for stmt in body.stmts {
            self.stmt(stmt, &mut out);
        }
        Body { stmts: out, results: body.results }
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        if let Some(k) = self.called(&stmt) {
            out.push(self.call(k, stmt));
            return;
        }
        match stmt.kind() {
            Kind::LambdaLambda => {
                let value = stmt.result();
                let k = self.by_value[&value];
                self.close(k, value, stmt.location, out);
                self.write(k, stmt.codes.remove(0));
            }
            Kind::LambdaLetrec => {
                for (mut member, value) in
                    std::mem::take(&mut stmt.codes[0].body.stmts).into_iter().zip(stmt.results.clone())
                {
                    let k = self.by_value[&value];
                    self.close(k, value, stmt.location, out);
                    self.write(k, member.codes.remove(0));
                }
            }
            Kind::LambdaRef => {
                if let Some(k) = self.by_value.get(&stmt.result()) {
                    self.close(*k, stmt.result(), stmt.location, out);
                }
            }
            _ if is_closure(&stmt) => {
                let k = self.by_value[&stmt.operands[0]];
                self.escaping.insert(stmt.result());
                self.close(k, stmt.result(), stmt.location, out);
            }
            _ => {
                for code in &mut stmt.codes {
                    code.body = self.body(std::mem::take(&mut code.body));
                }
                out.push(stmt);
            }
        }
    }

    /// Writes the function of a lambda.
    fn write(&mut self, k: usize, code: Code) {
        // Functions are in the module in the order of their numbers.
        let at = self.lifted.len();
        let body = self.body(code.body);
        let known = &self.known[k];
        let params = given(self.program, &known.captures, &code.params);
        let code = Code::new(params, body, Kind::FuncReturn);
        let function = private(self.program.context, known.symbol.clone(), code, known.location);
        self.lifted.insert(at, function);
    }

    /// Creates the value of a function at a use.
    fn close(&self, k: usize, value: Var, at: Location, out: &mut Vec<Stmt>) {
        if self.escaping.contains(&value) {
            let known = &self.known[k];
            let made = Stmt::new(closure(), vec![value], known.captures.clone(), vec![], at);
            out.push(made.with("callee", self.program.context.symbol_attr(&known.symbol)));
        }
    }

    /// Returns a call of a known function, or a task that runs it.
    fn call(&self, k: usize, stmt: Stmt) -> Stmt {
        let known = &self.known[k];
        call_of(self.program, &stmt, &known.symbol, &known.captures, stmt.results.clone())
    }
}

/// Returns the number of the operand that is called.
pub fn target(stmt: &Stmt) -> Option<usize> {
    match stmt.kind() {
        Kind::LambdaApply => Some(0),
        Kind::LambdaSpawn if stmt.attribute("callee").is_none() => Some(1),
        _ => None,
    }
}

/// Collects values with other uses than calls. The results of a group are its own functions, which is not a use.
fn values(body: &Body, out: &mut Vec<Var>) {
    for stmt in &body.stmts {
        let position = target(stmt);
        out.extend(stmt.operands.iter().enumerate().filter(|(k, _)| Some(*k) != position).map(|(_, v)| *v));
        if stmt.is(Kind::LambdaLetrec) {
            stmt.members().iter().for_each(|m| values(&m.codes[0].body, out));
        } else {
            stmt.codes.iter().for_each(|c| values(&c.body, out));
        }
    }
    out.extend(&body.results);
}

/// Replaces `old` by `new` wherever it is used as a value and not called.
fn replace_values(body: &mut Body, old: Var, new: Var) {
    for stmt in &mut body.stmts {
        let position = target(stmt);
        let operands = stmt.operands.iter_mut().enumerate();
        operands.filter(|(k, v)| **v == old && Some(*k) != position).for_each(|(_, v)| *v = new);
        stmt.codes.iter_mut().for_each(|c| replace_values(&mut c.body, old, new));
    }
    body.results.iter_mut().filter(|v| **v == old).for_each(|v| *v = new);
}
