//! Replacement of functions and environments by the data that represent them.

use super::flow::key;
use super::lift::target;
use super::represent::{Field, Form, Represent, Shape};
use super::{call_of, case, given, is_closure, make, optional};
use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var, last_name};
use mlopt_dialects::ir::Location;
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::Kind;
use std::collections::HashMap;

/// The maximum number of functions of a class that are called in place. Calls of a larger class share a dispatch
/// function, so that the code size is the sum of the numbers of calls and functions, not their product.
const ARMS: usize = 8;

pub struct Rewrite<'p, 'r> {
    pub program: &'p mut Program,
    pub represent: Represent<'r>,
    /// The generated functions for sums and zeros of types, with their names.
    pub made: Vec<Function>,
    pub(super) sums: HashMap<Shape, String>,
    pub(super) zeros: HashMap<(Shape, Shape), String>,
    /// The dispatch functions, by the names of their `lambda.data`.
    calls: HashMap<String, String>,
    /// The new names of values.
    names: HashMap<Var, Var>,
    /// The parts of tuples that were created here.
    packed: HashMap<Var, Vec<Var>>,
    /// Arrays that result from deferred sums, with these sums.
    pub(super) collected: HashMap<Var, Var>,
}

impl<'p, 'r> Rewrite<'p, 'r> {
    pub fn new(program: &'p mut Program, represent: Represent<'r>) -> Rewrite<'p, 'r> {
        Rewrite {
            program,
            represent,
            made: Vec::new(),
            sums: HashMap::new(),
            zeros: HashMap::new(),
            calls: HashMap::new(),
            names: HashMap::new(),
            packed: HashMap::new(),
            collected: HashMap::new(),
        }
    }

    /// Rewrites all functions.
    pub fn functions(&mut self, functions: &mut [Function]) {
        for value in functions.iter().flat_map(|f| f.code.values()) {
            if let Some(id) = self.represent.graph.of(value) {
                let ty = self.represent.ty(id);
                self.program.set_ty(value, ty);
            }
        }
        for function in functions {
            // A capture has the same number in the lifted function, but is its parameter there.
            self.names.clear();
            self.packed.clear();
            self.collected.clear();
            let body = std::mem::take(&mut function.code.body);
            function.code.body = self.body(body);
        }
    }

    /// Returns the original type of a value.
    pub(super) fn shape(&self, value: Var) -> Shape {
        self.represent.graph.of(value).map_or_else(|| Shape::Type(self.program.ty(value)), Shape::Node)
    }

    pub(super) fn unit(&mut self, out: &mut Vec<Stmt>, at: Location) -> Var {
        let ty = self.program.context.unit();
        self.program.push(out, Kind::LambdaUnit, &[], ty, at)
    }

    pub(super) fn get(&mut self, out: &mut Vec<Stmt>, tuple: Var, k: usize, at: Location) -> Var {
        if let Some(parts) = self.packed.get(&tuple) {
            return parts[k];
        }
        self.program.part(out, tuple, k, at)
    }

    /// Packs zero, one or several values into one.
    pub(super) fn pack(&mut self, out: &mut Vec<Stmt>, values: &[Var], at: Location) -> Var {
        match values {
            [] => self.unit(out, at),
            [value] => *value,
            _ => {
                let whole = self.program.tuple(out, values, at);
                self.packed.insert(whole, values.to_vec());
                whole
            }
        }
    }

    /// Unpacks one value into `n`.
    pub(super) fn unpack(&mut self, out: &mut Vec<Stmt>, whole: Var, n: usize, at: Location) -> Vec<Var> {
        match n {
            0 => vec![],
            1 => vec![whole],
            _ => (0..n).map(|k| self.get(out, whole, k, at)).collect(),
        }
    }

    fn name(&self, var: Var) -> Var {
        last_name(&self.names, var)
    }

    fn body(&mut self, body: Body) -> Body {
        let mut out = Vec::with_capacity(body.stmts.len());
        for stmt in body.stmts {
            self.stmt(stmt, &mut out);
        }
        Body { stmts: out, results: body.results.into_iter().map(|v| self.name(v)).collect() }
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        // The types of positions are looked up by the original values.
        let before = stmt.operands.clone();
        stmt.operands.iter_mut().for_each(|v| *v = self.name(*v));
        let (at, written) = (stmt.location, out.len());
        let value = match stmt.kind() {
            _ if is_closure(&stmt) => self.closure(&stmt, out),
            Kind::LambdaApply | Kind::LambdaSpawn if target(&stmt).is_some() => {
                return self.call(stmt, &before, out);
            }
            Kind::LambdaEnvEmpty => {
                let shape = self.shape(stmt.result());
                self.zero(out, shape, at)
            }
            Kind::LambdaEnvSet => self.set(&stmt, out),
            Kind::LambdaEnvGet => self.look_up(&stmt, &before, out),
            Kind::LambdaEnvAdd | Kind::LambdaGadd => {
                let shape = self.shape(stmt.result());
                self.sum(out, shape, stmt.operands[0], stmt.operands[1], at)
            }
            Kind::LambdaZerosLike => {
                let (of, to) = (self.shape(before[0]), self.shape(stmt.result()));
                self.zero_like(out, (of, to), stmt.operands[0], at)
            }
            Kind::LambdaThe => stmt.operands[0],
            _ => {
                for code in &mut stmt.codes {
                    code.body = self.body(std::mem::take(&mut code.body));
                }
                out.push(stmt);
                return;
            }
        };
        // A new value gets the name of the original one.
        let is_new = out.len() > written;
        match out.last_mut() {
            Some(made) if is_new && made.results == [value] => {
                made.results = stmt.results.clone();
                if let Some(parts) = self.packed.remove(&value) {
                    self.packed.insert(stmt.result(), parts);
                }
            }
            _ => {
                self.names.insert(stmt.result(), value);
            }
        }
    }

    fn form(&mut self, f: Var) -> Form {
        let id = self.represent.graph.of(f).expect("a function has a node");
        self.represent.form(id)
    }

    /// Writes the representation of a closure that is created here.
    fn closure(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) -> Var {
        let symbol = stmt.callee().expect("a closure names its function");
        let form = self.form(stmt.result());
        let (k, data) = match form {
            Form::Captures(k) => (k, None),
            Form::Data(data, members) => {
                let k = members.into_iter().find(|k| self.represent.known[*k].symbol == symbol);
                (k.expect("a closure reaches its own class"), Some(data))
            }
        };
        let kept: Vec<Var> = self.represent.stored(k).into_iter().map(|(i, _)| stmt.operands[i]).collect();
        match data {
            None => self.pack(out, &kept, stmt.location),
            Some(data) => make(self.program, out, (&data, &symbol), &kept, stmt.location),
        }
    }

    /// Writes a call of a function value, or a task that runs one.
    fn call(&mut self, stmt: Stmt, before: &[Var], out: &mut Vec<Stmt>) {
        let position = target(&stmt).expect("a call");
        let f = stmt.operands[position];
        let members = match self.form(before[position]) {
            Form::Captures(k) => {
                let n = self.represent.stored(k).len();
                let kept = self.unpack(out, f, n, stmt.location);
                let results = stmt.results.clone();
                return self.direct(&stmt, k, &kept, results, out);
            }
            Form::Data(data, members) if members.len() > ARMS => {
                let symbol = self.one_of_many(&data, &members, &stmt);
                out.push(call_of(self.program, &stmt, &symbol, &[f], stmt.results.clone()));
                return;
            }
            Form::Data(_, members) => members,
        };
        let case = self.one_of(&stmt, f, members, stmt.results.clone());
        out.push(case);
    }

    /// Returns the dispatch function that calls any of many functions.
    fn one_of_many(&mut self, data: &str, members: &[usize], stmt: &Stmt) -> String {
        if let Some(symbol) = self.calls.get(data) {
            return symbol.clone();
        }
        let symbol = self.represent.names.free(&format!("apply.{data}"));
        self.calls.insert(data.to_string(), symbol.clone());
        let known = &self.represent.known[members[0]];
        let f = self.program.fresh(types::data(self.program.context, data), Some("f".into()));
        let params = self.program.all_like(&known.params);
        let result = self.program.fresh(self.program.ty(known.results[0]), None);
        let operands = [&[f], params.as_slice()].concat();
        let call = Stmt::new(Kind::LambdaApply, vec![result], operands, vec![], stmt.location);
        let case = self.one_of(&call, f, members.to_vec(), vec![result]);
        let params = given(self.program, &[f], &params);
        self.function(symbol.clone(), params, vec![case], result, stmt.location);
        symbol
    }

    /// Writes the call of the function that a value represents.
    fn one_of(&mut self, stmt: &Stmt, f: Var, members: Vec<usize>, results: Vec<Var>) -> Stmt {
        let mut arms = Vec::new();
        for k in members {
            let captures = self.represent.known[k].captures.clone();
            let stored = self.represent.stored(k);
            let params: Vec<Var> = stored.iter().map(|(i, ty)| self.program.like(captures[*i], *ty)).collect();
            let results = self.program.all_like(&stmt.results);
            let mut stmts = Vec::new();
            self.direct(stmt, k, &params, results.clone(), &mut stmts);
            arms.push((self.represent.known[k].symbol.clone(), Code::yields(params, stmts, results)));
        }
        case(self.program.context, f, results, arms, stmt.location)
    }

    /// Writes the call of a function, with its stored captures.
    fn direct(&mut self, stmt: &Stmt, k: usize, kept: &[Var], results: Vec<Var>, out: &mut Vec<Stmt>) {
        let stored: Vec<usize> = self.represent.stored(k).into_iter().map(|(i, _)| i).collect();
        let mut captures = Vec::new();
        for i in 0..self.represent.known[k].captures.len() {
            captures.push(match stored.iter().position(|s| *s == i) {
                Some(j) => kept[j],
                None => self.unit(out, stmt.location),
            });
        }
        let symbol = self.represent.known[k].symbol.clone();
        out.push(call_of(self.program, stmt, &symbol, &captures, results));
    }

    pub(super) fn fields(&mut self, shape: Shape) -> Vec<Field> {
        let Shape::Node(id) = shape else { unreachable!("an environment has a node") };
        self.represent.fields(id)
    }

    fn set(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) -> Var {
        let at = stmt.location;
        let shape = self.shape(stmt.result());
        let fields = self.fields(shape);
        let mut values = self.unpack(out, stmt.operands[0], fields.len(), at);
        let k = fields.iter().position(|f| f.key == key(stmt)).expect("a key that is set has a field");
        values[k] = match &fields[k].maybe {
            Some(symbol) if fields[k].is_sum => {
                let part = Shape::Node(fields[k].node);
                self.uncollected(out, (part, symbol), stmt.operands[1], at)
            }
            Some(symbol) => make(self.program, out, (symbol, "some"), &[stmt.operands[1]], at),
            None => stmt.operands[1],
        };
        self.pack(out, &values, at)
    }

    fn look_up(&mut self, stmt: &Stmt, before: &[Var], out: &mut Vec<Stmt>) -> Var {
        let at = stmt.location;
        let shape = self.shape(before[0]);
        let fields = self.fields(shape);
        let k = fields.iter().position(|f| f.key == key(stmt)).expect("a key that is read has a field");
        let value = match fields.len() {
            1 => stmt.operands[0],
            _ => self.get(out, stmt.operands[0], k, at),
        };
        match &fields[k].maybe {
            None => return value,
            Some(symbol) if fields[k].is_sum => {
                let part = Shape::Node(fields[k].node);
                let result = self.collect(out, (part, symbol), [stmt.operands[1], value], at);
                if self.is_zero(out, stmt.operands[1]) {
                    self.collected.extend([(result, value), (stmt.result(), value)]);
                }
                return result;
            }
            Some(_) => {}
        }
        let ty = self.program.ty(stmt.result());
        let found = self.program.fresh(ty, None);
        let arms = optional(stmt.operands[1], Code::yields(vec![found], vec![], vec![found]));
        let result = self.program.like(stmt.result(), ty);
        out.push(case(self.program.context, value, vec![result], arms, at));
        result
    }
}
