//! Lambda lifting (`spec/functional.md` D.1): every `lambda.lambda` becomes a function of the module. The values that
//! it captures become parameters before its own ones, in the order of first use. Functions of a mutually recursive
//! group all take the captures of the whole group.

use super::prepare::rename;
use super::{Names, callee, closure, given, is_closure};
use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var};
use mlopt_dialects::ir::{Attribute, Location};
use mlopt_dialects::ops::Kind;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

/// A function that can be called by its name.
pub struct Known {
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
    names: &'p mut Names,
    /// All functions, those of the module first; a lambda has a smaller number than nested ones.
    pub known: Vec<Known>,
    by_value: HashMap<Var, usize>,
    by_symbol: HashMap<String, usize>,
    /// Function values with other uses than calls.
    escaping: HashSet<Var>,
    lifted: Vec<Function>,
}

impl<'p> Lift<'p> {
    pub fn new(program: &'p mut Program, names: &'p mut Names) -> Lift<'p> {
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
        self.known.push(Known {
            symbol: symbol.to_string(),
            captures: Vec::new(),
            params: code.params.clone(),
            results: code.body.results.clone(),
            is_global: true,
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

    //===-- functions -------------------------------------------------------------------------------------------===//

    /// Rewrites a function of a group that uses a member as a value: it creates that value from the captures of the
    /// group, so that no closure contains itself.
    fn itself(&mut self, body: &mut Body) {
        for stmt in &mut body.stmts {
            stmt.codes.iter_mut().for_each(|c| self.itself(&mut c.body));
            if !stmt.is(Kind::LambdaLetrec) {
                continue;
            }
            let members: Vec<Var> = stmt.codes[0].body.stmts.iter().map(Stmt::result).collect();
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
                    made.push(Stmt {
                        op: closure(),
                        results: vec![value],
                        operands: vec![*other],
                        attributes: Rc::new([]),
                        codes: vec![],
                        location: at,
                    });
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
                    for (member, result) in stmt.codes[0].body.stmts.iter().zip(&stmt.results) {
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
                    if let Some(k) = callee(stmt).and_then(|name| self.by_symbol.get(&name)) {
                        self.by_value.insert(stmt.result(), *k);
                    }
                }
                _ => stmt.codes.iter().for_each(|c| self.collect(around, &c.body)),
            }
        }
    }

    /// Adds a lambda; `outside` is its name outside of its group.
    fn add(&mut self, around: &str, lambda: &Stmt, outside: Var) {
        let code = &lambda.codes[0];
        let name = self.program.name_of(outside).unwrap_or("lambda").to_string();
        self.by_value.insert(lambda.result(), self.known.len());
        self.known.push(Known {
            symbol: self.names.fresh(&format!("{around}.{name}")),
            captures: Vec::new(),
            params: code.params.clone(),
            results: code.body.results.clone(),
            is_global: false,
            location: lambda.location,
            group: 0..0,
        });
    }

    /// Collects the functions that are used as values.
    fn escapes(&mut self, body: &Body) {
        let mut used = Vec::new();
        values(body, &mut used);
        self.escaping.extend(used.into_iter().filter(|v| self.by_value.contains_key(v)));
    }

    //===-- captures --------------------------------------------------------------------------------------------===//

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
                    let members = &stmt.codes[0].body.stmts;
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
        let mut free = Captures {
            known: &self.known,
            by_value: &self.by_value,
            group: &self.known[k].group,
            made: HashSet::new(),
            seen: HashSet::new(),
            found: Vec::new(),
        };
        codes.iter().for_each(|c| free.code(c));
        free.found
    }

    /// Returns the number of the callee, if it is known.
    fn called(&self, stmt: &Stmt) -> Option<usize> {
        target(stmt).and_then(|k| self.by_value.get(&stmt.operands[k])).copied()
    }

    //===-- rewriting -------------------------------------------------------------------------------------------===//

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
                let code = stmt.codes.pop().expect("verified: a region");
                self.write(k, code);
            }
            Kind::LambdaLetrec => {
                for (member, value) in
                    std::mem::take(&mut stmt.codes[0].body.stmts).into_iter().zip(stmt.results.clone())
                {
                    let k = self.by_value[&value];
                    self.close(k, value, stmt.location, out);
                    let code = member.codes.into_iter().next().expect("verified: a region");
                    self.write(k, code);
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
                stmt.codes = std::mem::take(&mut stmt.codes)
                    .into_iter()
                    .map(|c| Code { body: self.body(c.body), ..c })
                    .collect();
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
        let attributes = super::private(self.program.context, &known.symbol);
        let function = Function {
            symbol: known.symbol.clone(),
            attributes,
            code: Code { params, body, end: Kind::FuncReturn.into() },
            location: known.location,
        };
        self.lifted.insert(at, function);
    }

    /// Creates the value of a function at a use.
    fn close(&self, k: usize, value: Var, at: Location, out: &mut Vec<Stmt>) {
        if !self.escaping.contains(&value) {
            return;
        }
        out.push(Stmt {
            op: closure(),
            results: vec![value],
            operands: self.known[k].captures.clone(),
            attributes: self.names_it(k),
            codes: vec![],
            location: at,
        });
    }

    fn names_it(&self, k: usize) -> Rc<[(String, Attribute)]> {
        Rc::new([("callee".to_string(), self.program.context.symbol_attr(&self.known[k].symbol))])
    }

    /// Returns a call of a known function, or a task that runs it.
    fn call(&self, k: usize, stmt: Stmt) -> Stmt {
        let position = target(&stmt).expect("a call");
        let arguments: Vec<Var> =
            stmt.operands.iter().enumerate().filter(|(k, _)| *k != position).map(|(_, v)| *v).collect();
        let operands = given(self.program, &self.known[k].captures, &arguments);
        let attributes = stmt.attributes.iter().cloned().chain(self.names_it(k).iter().cloned()).collect();
        let op = if stmt.is(Kind::LambdaApply) { Kind::FuncCall.into() } else { stmt.op.clone() };
        Stmt { op, operands, attributes, ..stmt }
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
            stmt.codes[0].body.stmts.iter().for_each(|m| values(&m.codes[0].body, out));
        } else {
            stmt.codes.iter().for_each(|c| values(&c.body, out));
        }
    }
    out.extend(&body.results);
}

/// Replaces `old` by `new` wherever it is used as a value and not called.
fn replace_values(body: &mut Body, old: Var, new: Var) {
    let names = HashMap::from([(old, new)]);
    let mut calls = Vec::new();
    keep_calls(body, old, &mut calls);
    rename(body, &names);
    restore_calls(body, old, &mut calls.into_iter());
}

/// Records for each call in a body whether it is one of `old`.
fn keep_calls(body: &Body, old: Var, calls: &mut Vec<bool>) {
    for stmt in &body.stmts {
        calls.extend(target(stmt).map(|k| stmt.operands[k] == old));
        stmt.codes.iter().for_each(|c| keep_calls(&c.body, old, calls));
    }
}

fn restore_calls(body: &mut Body, old: Var, calls: &mut impl Iterator<Item = bool>) {
    for stmt in &mut body.stmts {
        if let Some(k) = target(stmt)
            && calls.next() == Some(true)
        {
            stmt.operands[k] = old;
        }
        stmt.codes.iter_mut().for_each(|c| restore_calls(&mut c.body, old, calls));
    }
}

/// The collection of the captures of functions.
struct Captures<'l> {
    known: &'l [Known],
    by_value: &'l HashMap<Var, usize>,
    /// Functions whose captures are collected here anyway.
    group: &'l Range<usize>,
    made: HashSet<Var>,
    seen: HashSet<Var>,
    found: Vec<Var>,
}

impl Captures<'_> {
    fn uses(&mut self, var: Var) {
        if !self.made.contains(&var) && self.seen.insert(var) {
            self.found.push(var);
        }
    }

    fn code(&mut self, code: &Code) {
        self.made.extend(&code.params);
        code.body.stmts.iter().for_each(|s| self.stmt(s));
        code.body.results.iter().for_each(|v| self.uses(*v));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind() {
            _ if is_closure(stmt) => self.captures_of(self.by_value[&stmt.operands[0]]),
            _ => {
                let position = target(stmt);
                for (k, operand) in stmt.operands.iter().enumerate() {
                    match self.by_value.get(operand) {
                        Some(known) if Some(k) == position => self.captures_of(*known),
                        _ => self.uses(*operand),
                    }
                }
            }
        }
        if stmt.is(Kind::LambdaLetrec) {
            // The functions of a group are values only outside of it.
            stmt.codes[0].body.stmts.iter().for_each(|m| self.code(&m.codes[0]));
        } else {
            stmt.codes.iter().for_each(|c| self.code(c));
        }
        self.made.extend(&stmt.results);
    }

    fn captures_of(&mut self, k: usize) {
        if !self.group.contains(&k) {
            let captures = self.known[k].captures.clone();
            captures.into_iter().for_each(|v| self.uses(v));
        }
    }
}
