//! Functions that differentiate what they are given: a parameter whose derivative is asked for is passed together with its
//! image under J.
//!
//! `f(g, x) = … (grad g) … f(g, x')` becomes `f(g, x, gJ)`, and a call `f(s, x)` becomes `f(s, x, J s)`; within `f` the image of
//! `g` is `gJ`. Calls that can be written out need none of this: what is left is recursion, and functions too large for
//! that. Functions are changed of which every use is a call; a function that is used as a value keeps its type.

use super::anf::{Body, Code, Function, Program, Stmt, Var, free_of};
use super::is_request;
use mlopt_dialects::ir::{Attribute, Type};
use mlopt_dialects::lambda::types::{self, Kind};
use std::collections::{HashMap, HashSet};

/// The images of parameters.
pub type Paired = HashMap<Var, Var>;

/// A function that is called.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Target {
    Symbol(String),
    /// A `lambda.lambda`.
    Value(Var),
}

/// Adds parameters for the images that are asked for, and to calls what they are.
pub fn pair(program: &mut Program, functions: &mut [Function], paired: &mut Paired) {
    let mut uses = Uses::default();
    for function in functions.iter() {
        let target = Target::Symbol(function.symbol.clone());
        let private = function.attributes.iter().find(|a| a.0 == "sym_visibility").and_then(|a| a.1.as_string());
        if private.as_deref() != Some("private") {
            uses.escaping.insert(target.clone());
        }
        uses.owns(target, &function.code.params);
        uses.body(program, &function.code.body);
        // What a function gives is a value elsewhere.
        uses.escape(&function.code.body.results);
    }
    let needed = uses.needed(program, paired);
    if needed.is_empty() {
        return;
    }
    let mut more: HashMap<Target, Vec<usize>> = HashMap::new();
    for (target, k) in needed {
        more.entry(target).or_default().push(k);
    }
    let mut change = Change { program, more, uses: &uses, paired };
    for function in functions.iter_mut() {
        change.code(&Target::Symbol(function.symbol.clone()), &mut function.code);
        change.body(&mut function.code.body);
    }
}

/// How the functions of a program are used.
#[derive(Default)]
struct Uses {
    /// What the image of a value is made of.
    sources: HashMap<Var, Vec<Var>>,
    /// The functions that values are; a member of a group has two names.
    targets: HashMap<Var, Target>,
    owners: HashMap<Var, (Target, usize)>,
    calls: HashMap<Target, Vec<Vec<Var>>>,
    escaping: HashSet<Target>,
    requests: Vec<Var>,
}

impl Uses {
    fn owns(&mut self, target: Target, params: &[Var]) {
        for (k, param) in params.iter().enumerate() {
            self.owners.insert(*param, (target.clone(), k));
        }
    }

    fn escape(&mut self, values: &[Var]) {
        let targets = values.iter().filter_map(|v| self.targets.get(v));
        self.escaping.extend(targets.cloned());
    }

    fn body(&mut self, program: &Program, body: &Body) {
        for stmt in &body.stmts {
            self.stmt(program, stmt);
        }
        self.escape(&body.results);
    }

    fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        let callee = stmt.attribute("callee").and_then(Attribute::as_symbol).map(Target::Symbol);
        let mut given = &stmt.operands[..];
        match (&*stmt.op, callee) {
            ("lambda.ref", Some(target)) => drop(self.targets.insert(stmt.result(), target)),
            ("func.call", Some(target)) => self.calls.entry(target).or_default().push(stmt.operands.clone()),
            (_, Some(target)) => drop(self.escaping.insert(target)),
            ("lambda.apply", None) => {
                if let Some(target) = self.targets.get(&stmt.operands[0]) {
                    self.calls.entry(target.clone()).or_default().push(stmt.operands[1..].to_vec());
                    given = &stmt.operands[1..];
                }
            }
            _ => {}
        }
        self.escape(given);
        if is_request(&stmt.op) {
            self.requests.push(stmt.operands[0]);
        }
        let mut sources = Vec::new();
        if stmt.results.iter().any(|v| types::transformed(program.ty(*v)) != program.ty(*v)) {
            sources.extend(&stmt.operands);
            sources.extend(free_of(&stmt.codes.iter().collect::<Vec<_>>()));
            self.sources.extend(stmt.results.iter().map(|v| (*v, sources.clone())));
        }
        match &*stmt.op {
            "lambda.lambda" => self.lambda(program, stmt),
            "lambda.letrec" => {
                let group = &stmt.codes[0].body;
                for (outside, inside) in stmt.results.iter().zip(&group.results) {
                    self.targets.insert(*inside, Target::Value(*inside));
                    self.targets.insert(*outside, Target::Value(*inside));
                }
                for member in &group.stmts {
                    self.targets.insert(member.result(), Target::Value(member.result()));
                    self.sources.insert(member.result(), sources.clone());
                }
                group.stmts.iter().for_each(|member| self.lambda(program, member));
            }
            _ => stmt.codes.iter().for_each(|code| self.body(program, &code.body)),
        }
    }

    fn lambda(&mut self, program: &Program, stmt: &Stmt) {
        let target = Target::Value(stmt.result());
        self.targets.insert(stmt.result(), target.clone());
        self.owns(target, &stmt.codes[0].params);
        self.body(program, &stmt.codes[0].body);
    }

    /// The parameters whose images are asked for, directly or for those of other functions.
    fn needed(&self, program: &Program, paired: &Paired) -> Vec<(Target, usize)> {
        let (mut seen, mut needed) = (HashSet::new(), Vec::new());
        let mut open = self.requests.clone();
        while let Some(var) = open.pop() {
            let ty = program.ty(var);
            if types::transformed(ty) == ty || paired.contains_key(&var) || !seen.insert(var) {
                continue;
            }
            open.extend(self.sources.get(&var).into_iter().flatten());
            if let Some((target, k)) = self.owners.get(&var)
                && !self.escaping.contains(target)
            {
                needed.push((target.clone(), *k));
                open.extend(self.calls.get(target).into_iter().flatten().filter_map(|call| call.get(*k)));
            }
        }
        needed.sort_by_key(|(_, k)| *k);
        needed
    }
}

struct Change<'a> {
    program: &'a mut Program,
    /// The parameters of functions whose images are parameters from now on.
    more: HashMap<Target, Vec<usize>>,
    uses: &'a Uses,
    paired: &'a mut Paired,
}

impl Change<'_> {
    fn code(&mut self, target: &Target, code: &mut Code) {
        for k in self.more.get(target).cloned().unwrap_or_default() {
            let param = code.params[k];
            let image = self.program.like(param, types::transformed(self.program.ty(param)));
            self.paired.insert(param, image);
            code.params.push(image);
        }
    }

    /// The type of a function with more parameters.
    fn retype(&mut self, var: Var) {
        let Some(ks) = self.uses.targets.get(&var).and_then(|target| self.more.get(target)) else { return };
        let Kind::Function(inputs, result) = Kind::of(self.program.ty(var)) else { unreachable!("it is called") };
        let images: Vec<Type> = ks.iter().map(|&k| types::transformed(inputs[k])).collect();
        self.program.set_ty(var, types::function(&[inputs, images].concat(), result));
    }

    fn body(&mut self, body: &mut Body) {
        let mut out = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            stmt.results.clone().into_iter().for_each(|v| self.retype(v));
            if stmt.is("lambda.letrec") {
                // Members know each other before their bodies are read.
                stmt.codes[0].body.stmts.iter().map(Stmt::result).collect::<Vec<_>>().into_iter().for_each(|v| {
                    if !stmt.results.contains(&v) {
                        self.retype(v);
                    }
                });
                for member in &mut stmt.codes[0].body.stmts {
                    self.lambda(member);
                }
            } else if stmt.is("lambda.lambda") {
                self.lambda(&mut stmt);
            } else {
                stmt.codes.iter_mut().for_each(|code| self.body(&mut code.body));
            }
            let target = match &*stmt.op {
                "func.call" => stmt.attribute("callee").and_then(Attribute::as_symbol).map(Target::Symbol),
                "lambda.apply" => self.uses.targets.get(&stmt.operands[0]).cloned(),
                _ => None,
            };
            let first = stmt.is("lambda.apply") as usize;
            for k in target.and_then(|t| self.more.get(&t)).cloned().unwrap_or_default() {
                let argument = stmt.operands[first + k];
                let ty = types::transformed(self.program.ty(argument));
                let image = self.program.push(&mut out, "lambda.J", &[argument], ty, stmt.location);
                stmt.operands.push(image);
            }
            out.push(stmt);
        }
        body.stmts = out;
    }

    fn lambda(&mut self, stmt: &mut Stmt) {
        let target = Target::Value(stmt.result());
        self.code(&target, &mut stmt.codes[0]);
        self.body(&mut stmt.codes[0].body);
    }
}
