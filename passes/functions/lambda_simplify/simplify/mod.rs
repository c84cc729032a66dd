//! Simplification of programs with functions (`spec/functional.md` B.9): calls of known functions are inlined, reads of
//! parts of constructed data are replaced by these parts, known branches are selected, and unused code is removed.
//!
//! An iteration traverses the program once, outer code first, with the known facts about each value. Iterations are
//! repeated until a fixpoint. A budget limits the growth of code. An op that can stop with an error or run forever may
//! be moved, but only to places where the program would execute it anyway.

mod counted;
pub mod dead;
mod inline;
mod loops;
mod rules;
mod tail;

use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var, free_of, last_name};
use mlopt_dialects::ir::{Attribute, Type};
use mlopt_dialects::ops::{Kind, OpName};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The maximum number of iterations.
const ROUNDS: usize = 64;

/// The limits on the growth of a program.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The maximum number of statements of a function that is inlined at every call.
    pub small: usize,
    /// The maximum total number of statements that inlining may copy.
    pub budget: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { small: 12, budget: 200_000 }
    }
}

/// Simplifies a function of the module. `others` are functions to which it may refer.
pub fn simplify(program: &mut Program, code: &mut Code, others: &HashMap<String, Code>, limits: Limits) {
    let mut budget = limits.budget;
    for _ in 0..ROUNDS {
        let (uses, called_once) = count(&code.body);
        let mut round = Simplify {
            program,
            names: HashMap::new(),
            made: HashMap::new(),
            uses,
            called_once,
            postponed: HashMap::new(),
            others,
            limits,
            budget,
            changed: false,
            known: Known::default(),
        };
        let body = std::mem::take(&mut code.body);
        code.body = round.body(body);
        budget = round.budget;
        let changed = round.changed | dead::remove(program, &mut code.body);
        if !changed {
            return;
        }
    }
}

/// Simplifies the functions of a module, callees first.
pub fn simplify_all(program: &mut Program, functions: &mut [&mut Function], limits: Limits) {
    let mut others: HashMap<String, Code> = HashMap::new();
    for k in callees_first(functions) {
        let function = &mut *functions[k];
        simplify(program, &mut function.code, &others, limits);
        if let Some(code) = tail::of_module(program, &function.symbol, &function.code) {
            function.code = code;
            simplify(program, &mut function.code, &others, limits);
        }
        if !named(&function.code).contains(&function.symbol) {
            others.insert(function.symbol.clone(), function.code.clone());
        }
    }
}

/// Returns an order in which callees come before callers, as far as possible.
fn callees_first(functions: &[&mut Function]) -> Vec<usize> {
    fn visit(k: usize, functions: &[&mut Function], seen: &mut [bool], order: &mut Vec<usize>) {
        if std::mem::replace(&mut seen[k], true) {
            return;
        }
        for name in named(&functions[k].code) {
            if let Some(callee) = functions.iter().position(|f| f.symbol == name) {
                visit(callee, functions, seen, order);
            }
        }
        order.push(k);
    }
    let (mut seen, mut order) = (vec![false; functions.len()], Vec::new());
    (0..functions.len()).for_each(|k| visit(k, functions, &mut seen, &mut order));
    order
}

/// Returns the functions of the module to which a function refers. A recursive function is never inlined, because that
/// would not terminate.
pub fn named(code: &Code) -> Vec<String> {
    let mut found = Vec::new();
    code.body.visit(&mut |s| found.extend(s.callee()));
    found
}

/// Counts the uses of each value as an operand or a result. Returns also the values whose only use is a call.
fn count(body: &Body) -> (HashMap<Var, usize>, HashSet<Var>) {
    let mut uses: HashMap<Var, usize> = HashMap::new();
    let mut called = HashSet::new();
    let mut count = |values: &[Var]| values.iter().for_each(|v| *uses.entry(*v).or_default() += 1);
    body.visit(&mut |stmt| {
        count(&stmt.operands);
        stmt.codes.iter().for_each(|code| count(&code.body.results));
        called.extend(stmt.operands.first().filter(|_| stmt.is(Kind::LambdaApply)));
    });
    count(&body.results);
    called.retain(|v| uses[v] == 1);
    (uses, called)
}

/// The key by which equal statements are found.
type Key = (OpName, Rc<[(String, Attribute)]>, Vec<Var>, Vec<Type>);

struct Simplify<'p> {
    program: &'p mut Program,
    /// The new names of values.
    names: HashMap<Var, Var>,
    /// The simplified statements that define values, apart from ops whose regions are not functions.
    made: HashMap<Var, Rc<Stmt>>,
    /// The numbers of uses at the beginning of the iteration, without copies.
    uses: HashMap<Var, usize>,
    /// The values whose only use was as the callee of a call at the beginning of the iteration, and their copies.
    called_once: HashSet<Var>,
    /// Functions that are called once and whose call has not been reached. They are simplified where they are called,
    /// and not also where they are defined, which would double the work at each level of nested calls.
    postponed: HashMap<Var, Stmt>,
    others: &'p HashMap<String, Code>,
    limits: Limits,
    budget: usize,
    changed: bool,
    known: Known,
}

/// The results of statements in the enclosing blocks, by their keys. There is one table for all blocks, so that a
/// lookup does not search each enclosing block.
#[derive(Default)]
struct Known {
    results: HashMap<Key, Vec<Var>>,
    /// The keys of each enclosing block.
    blocks: Vec<Vec<Key>>,
}

impl Known {
    fn open_block(&mut self) {
        self.blocks.push(Vec::new());
    }

    fn close_block(&mut self) {
        for key in self.blocks.pop().unwrap_or_default() {
            self.results.remove(&key);
        }
    }

    /// Adds a statement whose key is not known.
    fn add(&mut self, key: Key, results: &[Var]) {
        if let Some(block) = self.blocks.last_mut() {
            block.push(key.clone());
            self.results.insert(key, results.to_vec());
        }
    }
}

impl Simplify<'_> {
    fn name(&self, var: Var) -> Var {
        last_name(&self.names, var)
    }

    fn rename(&self, values: &mut [Var]) {
        values.iter_mut().for_each(|v| *v = self.name(*v));
    }

    /// Replaces `old` by `new` from here on.
    fn replace(&mut self, old: Var, new: Var) {
        self.changed = true;
        let new = self.name(new);
        if old != new {
            self.names.insert(old, new);
        }
    }

    fn replace_all(&mut self, old: &[Var], new: &[Var]) {
        old.iter().zip(new).for_each(|(old, new)| self.replace(*old, *new));
    }

    fn made(&self, var: Var) -> Option<&Rc<Stmt>> {
        self.made.get(&var)
    }

    /// Returns the statement that defines a value, if it is this op.
    fn made_by(&self, var: Var, kind: Kind) -> Option<Rc<Stmt>> {
        self.made(var).filter(|s| s.is(kind)).cloned()
    }

    fn body(&mut self, body: Body) -> Body {
        self.known.open_block();
        let mut out = Vec::with_capacity(body.stmts.len());
        for stmt in body.stmts {
            self.stmt(stmt, &mut out);
        }
        let mut results = body.results;
        self.rename(&mut results);
        self.known.close_block();
        Body { stmts: out, results }
    }

    fn code(&mut self, code: Code) -> Code {
        Code { body: self.body(code.body), ..code }
    }

    /// Simplifies statements that replace one.
    fn all(&mut self, stmts: Vec<Stmt>, out: &mut Vec<Stmt>) {
        for stmt in stmts {
            self.stmt(stmt, out);
        }
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        self.rename(&mut stmt.operands);
        let Some(stmt) = self.inlined(stmt, out) else { return };
        let Some(stmt) = self.chosen_branch(stmt, out) else { return };
        let Some(stmt) = self.as_loop(stmt, out) else { return };
        let Some(stmt) = self.rounds_over_known_list(stmt, out) else { return };
        let Some(mut stmt) = self.by_rules(stmt, out) else { return };
        if stmt.is(Kind::LambdaLetrec) {
            let Some(group) = self.group(stmt, out) else { return };
            return self.keep(group, out);
        }
        if stmt.is(Kind::LambdaLambda) && self.called_once.contains(&stmt.result()) {
            self.postponed.insert(stmt.result(), stmt);
            return;
        }
        if stmt.is(Kind::LambdaFor) || stmt.is(Kind::LambdaWhile) {
            self.invariants(&mut stmt);
        }
        stmt.codes = std::mem::take(&mut stmt.codes).into_iter().map(|c| self.code(c)).collect();
        if stmt.is(Kind::LambdaWhile) {
            self.counted(&mut stmt, out);
        }
        if stmt.is(Kind::LambdaIf) {
            self.equal_branches(&mut stmt, out);
            if stmt.results.is_empty() && !stmt.codes.iter().flat_map(|c| &c.body.stmts).any(|s| is_effect(s.kind())) {
                return;
            }
        }
        if stmt.codes.is_empty() && !is_effect(stmt.kind()) {
            let types = self.program.types_of(&stmt.results);
            let key = (stmt.op.clone(), stmt.attributes.clone(), stmt.operands.clone(), types);
            if let Some(had) = self.known.results.get(&key).cloned() {
                return self.replace_all(&stmt.results, &had);
            }
            self.known.add(key, &stmt.results);
        }
        self.keep(stmt, out);
    }

    fn keep(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) {
        self.remember(&stmt);
        out.push(stmt);
    }

    fn remember(&mut self, stmt: &Stmt) {
        if !stmt.codes.is_empty() && !stmt.is(Kind::LambdaLambda) {
            return;
        }
        let shared = Rc::new(stmt.clone());
        for result in &stmt.results {
            self.made.insert(*result, shared.clone());
        }
    }

    /// Simplifies functions that see each other. A group without recursive calls is dissolved.
    fn group(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        let members: Vec<Var> = stmt.members().iter().map(Stmt::result).collect();
        let free = free_of(stmt.members().iter().flat_map(|m| &m.codes));
        if !members.iter().any(|m| free.contains(m)) {
            let results = stmt.results.clone();
            for (member, result) in std::mem::take(&mut stmt.codes[0].body.stmts).into_iter().zip(results) {
                self.replace(result, member.result());
                self.stmt(member, out);
            }
            return None;
        }
        if let [member] = stmt.members()
            && let Some(code) = tail::as_loop(self.program, member.result(), &member.codes[0])
        {
            self.changed = true;
            self.keep_callees(std::slice::from_ref(&code), out);
            self.stmt(Stmt { op: Kind::LambdaLambda.into(), codes: vec![code], ..stmt }, out);
            return None;
        }
        for member in &mut stmt.codes[0].body.stmts {
            self.known.open_block();
            member.codes = std::mem::take(&mut member.codes).into_iter().map(|c| self.code(c)).collect();
            self.known.close_block();
        }
        Some(stmt)
    }
}

/// Checks whether an op has effects besides its results.
pub fn is_effect(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        LambdaPrint | LambdaRead | LambdaChannel | LambdaSend | LambdaRecv | LambdaClose | LambdaSpawn | LambdaJoin
    )
}
