//! Translation of the syntax tree to MLIR text. The location of an op is its position in the source, and values keep
//! their names.
//!
//! Unknown types are `!lambda.any`. A function with effects takes a token before its parameters and returns a tuple of
//! its value and a token. In its body, each op with effects takes the current token and returns the next one.

use super::syntax::{Definition, Expr, Head, Kind, Lambda, Loop, Op, Program, Var};
use crate::mlir::{Taken, float, identifier, indentation, list, location, quoted, symbol};
use mlopt_dialects::ops::Kind as OpKind;
use mlopt_dialects::text::Span;
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

const ANY: &str = "!lambda.any";
const TOKEN: &str = "!lambda.token";
/// The result type of a function with effects.
const RESULT: &str = "tuple<!lambda.any, !lambda.token>";

/// Returns the module of all definitions, in order.
pub fn write(program: &Program, file: &str) -> String {
    let symbols = symbols(program);
    (0..program.definitions.len()).map(|id| Writer::new(program, &symbols, file).definition(id)).collect()
}

#[derive(Clone)]
struct Value {
    /// The name, with `%`.
    ssa: String,
    ty: String,
}

struct Writer<'a> {
    program: &'a Program,
    /// The symbol of each definition.
    symbols: &'a [String],
    file: &'a str,
    out: String,
    indent: usize,
    names: Taken,
    /// The next number of a value without a name.
    number: usize,
    /// The current values of the variables.
    values: HashMap<Var, Value>,
    /// The current token, in a function with effects.
    token: Option<String>,
}

/// Formats `(type, …) -> type`.
fn signature(types: &[&str], result: &str) -> String {
    format!("({}) -> {result}", types.join(", "))
}

/// Returns the type of a function of this arity.
fn function_type(arity: usize, effects: bool) -> String {
    let mut types = vec![ANY; arity];
    if effects {
        types.insert(0, TOKEN);
    }
    signature(&types, if effects { RESULT } else { ANY })
}

fn ssa(values: &[Value]) -> String {
    list(&values.iter().map(|v| v.ssa.as_str()).collect::<Vec<_>>())
}

fn types(values: &[Value]) -> Vec<&str> {
    values.iter().map(|v| v.ty.as_str()).collect()
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, symbols: &'a [String], file: &'a str) -> Writer<'a> {
        Writer {
            program,
            symbols,
            file,
            out: String::new(),
            indent: 1,
            names: Taken::default(),
            number: 0,
            values: HashMap::new(),
            token: None,
        }
    }

    /// Writes a definition: a public function if all parameters have types, otherwise a private one for calls by other
    /// definitions. A definition with effects that the program calls becomes two functions: the public one creates the
    /// first token.
    fn definition(mut self, id: usize) -> String {
        let definition = &self.program.definitions[id];
        let is_open = definition.parameters.iter().any(|(_, ty)| ty.is_none());
        let is_used = self.program.used.contains(&id);
        let takes_function =
            definition.parameters.iter().any(|(_, ty)| ty.as_ref().is_some_and(|ty| ty.starts_with('(')));
        let effects = self.program.functions[id].effects;
        let takes_token = effects && (is_open || is_used);
        let at = definition.at;
        let mut header = vec![];
        if takes_token {
            header.push(self.token_parameter(at));
        }
        header.extend(definition.parameters.iter().map(|(v, ty)| self.parameter(*v, ty.as_deref().unwrap_or(ANY))));
        if effects && !takes_token {
            let token = self.op("lambda.token : () -> !lambda.token", TOKEN, at, Some("token"));
            self.token = Some(token.ssa);
        }
        let mut value = self.expr(&definition.body, None);
        if takes_token {
            value = self.with_token(value, definition.body.at);
        }
        self.line(&format!("return {} : {}", value.ssa, value.ty), definition.body.at, None);
        // A function that takes or returns functions cannot be called from outside of the program.
        let is_part = is_used && (takes_function || value.ty.starts_with('('));
        let visibility = if is_open || takes_token || is_part { "private " } else { "" };
        let name = &self.symbols[id];
        let result = if value.ty.starts_with('(') { format!("({})", value.ty) } else { value.ty };
        let place = self.location(at, None);
        let text = format!(
            "func.func {visibility}{}({}) -> {result} {{\n{}}} {place}\n",
            symbol(name),
            header.join(", "),
            self.out
        );
        if !takes_token || is_open {
            return text;
        }
        text + &Writer::new(self.program, self.symbols, self.file).beginning(definition, name)
    }

    /// Writes the public function that calls `@inner` with the first token.
    fn beginning(mut self, definition: &Definition, inner: &str) -> String {
        let at = definition.at;
        let typed = definition.parameters.iter().map(|(v, ty)| (*v, ty.as_deref().unwrap_or(ANY)));
        let header: Vec<String> = typed.map(|(v, ty)| self.parameter(v, ty)).collect();
        let token = self.op("lambda.token : () -> !lambda.token", TOKEN, at, Some("token"));
        self.token = Some(token.ssa);
        let f = self.op(&format!("lambda.ref {} : {ANY}", symbol(inner)), ANY, at, None);
        let arguments = definition.parameters.iter().map(|(v, _)| self.value(*v)).collect();
        let value = self.call(f, arguments, true, at, None);
        self.line(&format!("return {} : {ANY}", value.ssa), at, None);
        let (header, place) = (header.join(", "), self.location(at, None));
        format!("func.func {}({header}) -> {ANY} {{\n{}}} {place}\n", symbol(&definition.symbol), self.out)
    }

    /// Formats a location. Results are printed under `name`, which may be several names.
    fn location(&self, at: Span, name: Option<&str>) -> String {
        let names = name.map(|names| names.split(", ").map(identifier).collect::<Vec<_>>().join(", "));
        location(self.file, at, names.as_deref().as_slice())
    }

    fn line(&mut self, text: &str, at: Span, name: Option<&str>) {
        let location = self.location(at, name);
        let _ = writeln!(self.out, "{:1$}{text} {location}", "", indentation(self.indent));
    }

    /// Opens an op with regions.
    fn open(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text} {{", "", indentation(self.indent));
        self.indent += 1;
    }

    fn close(&mut self, rest: &str, at: Span, name: Option<&str>) {
        self.indent -= 1;
        self.line(&format!("}}{rest}"), at, name);
    }

    /// Returns a fresh name `%name`, or a number.
    fn fresh(&mut self, name: Option<&str>) -> String {
        match name {
            Some(name) => format!("%{}", self.names.unique(&identifier(name))),
            None => {
                self.number += 1;
                format!("%{}", self.number - 1)
            }
        }
    }

    fn name(&self, v: Var) -> &'a str {
        &self.program.variables[v].name
    }

    fn value(&self, v: Var) -> Value {
        self.values[&v].clone()
    }

    /// Formats a parameter: `%x: type loc(…)`.
    fn parameter(&mut self, v: Var, ty: &str) -> String {
        let (ssa, location) = self.argument(v, ty);
        format!("{ssa}: {ty} {location}")
    }

    /// Returns an argument of a region and its location.
    fn argument(&mut self, v: Var, ty: &str) -> (String, String) {
        let name = self.name(v);
        let ssa = self.fresh(Some(name));
        self.values.insert(v, Value { ssa: ssa.clone(), ty: ty.into() });
        (ssa, self.location(self.program.variables[v].at, Some(name)))
    }

    fn token_parameter(&mut self, at: Span) -> String {
        let (ssa, location) = self.token_argument(at);
        format!("{ssa}: {TOKEN} {location}")
    }

    /// Returns a token argument of a region, which becomes the current token.
    fn token_argument(&mut self, at: Span) -> (String, String) {
        let ssa = self.fresh(Some("token"));
        self.token = Some(ssa.clone());
        (ssa, self.location(at, Some("token")))
    }

    /// Writes `%r = RIGHT`.
    fn op(&mut self, right: &str, ty: &str, at: Span, name: Option<&str>) -> Value {
        let ssa = self.fresh(name);
        self.line(&format!("{ssa} = {right}"), at, name);
        Value { ssa, ty: ty.into() }
    }

    /// Writes an op in the most common form.
    fn plain(
        &mut self,
        mnemonic: &str,
        operands: &[Value],
        attributes: &str,
        ty: &str,
        at: Span,
        name: Option<&str>,
    ) -> Value {
        let space = if operands.is_empty() { "" } else { " " };
        let right =
            format!("lambda.{mnemonic}{space}{}{attributes} : {}", ssa(operands), signature(&types(operands), ty));
        self.op(&right, ty, at, name)
    }

    fn get(&mut self, tuple: &Value, k: i64, ty: &str, at: Span, name: Option<&str>) -> Value {
        let right = format!("lambda.get {}[{k}] : ({}) -> {ty}", tuple.ssa, tuple.ty);
        self.op(&right, ty, at, name)
    }

    fn token(&self) -> Value {
        Value { ssa: self.token.clone().expect("a function with effects has a token"), ty: TOKEN.into() }
    }

    /// Returns the tuple of a value and the current token.
    fn with_token(&mut self, value: Value, at: Span) -> Value {
        let token = self.token();
        self.plain("tuple", &[value, token], "", RESULT, at, None)
    }

    /// Returns the value of a pair made by [`Writer::with_token`]; its token becomes the current one.
    fn without_token(&mut self, pair: &Value, ty: &str, at: Span, name: Option<&str>) -> Value {
        let value = self.get(pair, 0, ty, at, name);
        self.next_token(pair, at);
        value
    }

    fn next_token(&mut self, pair: &Value, at: Span) {
        let token = self.get(pair, 1, TOKEN, at, Some("token"));
        self.token = Some(token.ssa);
    }

    /// Writes an op that takes the token, and returns a value of this type and the next token.
    fn effect(
        &mut self,
        mnemonic: &str,
        operands: &[Value],
        attributes: &str,
        ty: &str,
        at: Span,
        name: Option<&str>,
    ) -> Value {
        let all = [&[self.token()], operands].concat();
        let pair = self.plain(mnemonic, &all, attributes, &format!("tuple<{ty}, {TOKEN}>"), at, None);
        self.without_token(&pair, ty, at, name)
    }

    /// Writes an op that takes the token and returns only the next one.
    fn action(&mut self, mnemonic: &str, operands: &[Value], at: Span) {
        let all = [&[self.token()], operands].concat();
        let next = self.plain(mnemonic, &all, "", TOKEN, at, Some("token"));
        self.token = Some(next.ssa);
    }

    fn call(&mut self, f: Value, mut arguments: Vec<Value>, effects: bool, at: Span, name: Option<&str>) -> Value {
        if effects {
            arguments.insert(0, self.token());
        }
        let result = if effects { RESULT } else { ANY };
        let called = signature(&types(&arguments), result);
        let declared = if f.ty == called { String::new() } else { format!("{} ", f.ty) };
        let right = format!("lambda.apply {}({}) : {declared}{called}", f.ssa, ssa(&arguments));
        if !effects {
            return self.op(&right, ANY, at, name);
        }
        let pair = self.op(&right, RESULT, at, None);
        self.without_token(&pair, ANY, at, name)
    }

    /// Writes an expression and returns its value. A new value is called `name`.
    fn expr(&mut self, e: &Expr, name: Option<&str>) -> Value {
        let at = e.at;
        match &e.kind {
            Kind::Literal(number) => self.literal(*number, at, name),
            Kind::Variable(v) => self.value(*v),
            Kind::Definition(id) => {
                let right = format!("lambda.ref {} : {ANY}", symbol(&self.symbols[*id]));
                self.op(&right, ANY, at, name)
            }
            Kind::Lambda(lambda) => {
                let ssa = self.fresh(name);
                self.lambda(lambda, ssa, name)
            }
            Kind::Call(f, arguments) => {
                let effects = f.function(&self.program.variables).is_some_and(|id| self.program.functions[id].effects);
                let f = self.expr(f, None);
                let arguments = self.all(arguments);
                self.call(f, arguments, effects, at, name)
            }
            Kind::Let(bindings, body) => {
                for (v, value) in bindings {
                    let value = self.expr(value, Some(self.name(*v)));
                    self.values.insert(*v, value);
                }
                self.expr(body, name)
            }
            Kind::Letrec(members, body) => {
                self.letrec(members, at);
                self.expr(body, name)
            }
            Kind::If(parts) => self.choice(parts, at, name),
            Kind::Loop(l) => self.repeat(l, at, name),
            Kind::Do(all) => {
                let (last, before) = all.split_last().expect("a `do` has operands");
                before.iter().for_each(|e| self.statement(e));
                self.expr(last, name)
            }
            Kind::Op(op, operands) => self.operation(op, operands, at, name),
        }
    }

    fn all(&mut self, all: &[Expr]) -> Vec<Value> {
        all.iter().map(|e| self.expr(e, None)).collect()
    }

    /// Writes an expression whose value is not used.
    fn statement(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Op(op @ (Op::Send | Op::Close | Op::Print), operands) => {
                let operands = self.all(operands);
                self.action(action(op), &operands, e.at);
            }
            Kind::Op(Op::Unit, _) => {}
            _ => drop(self.expr(e, None)),
        }
    }

    fn literal(&mut self, number: Number, at: Span, name: Option<&str>) -> Value {
        let text = match number {
            Number::Bool(b) => b.to_string(),
            Number::Int(n) => format!("{n} : i64"),
            Number::Float(x) => format!("{} : f64", float(x, Element::F64)),
        };
        self.op(&format!("lambda.literal {text} -> {ANY}"), ANY, at, name)
    }

    fn lambda(&mut self, lambda: &Lambda, ssa: String, name: Option<&str>) -> Value {
        let effects = self.program.functions[lambda.id].effects;
        let outside = self.token.take();
        let mut header = vec![];
        if effects {
            header.push(self.token_parameter(lambda.at));
        }
        header.extend(lambda.parameters.iter().map(|&v| self.parameter(v, ANY)));
        let result = if effects { RESULT } else { ANY };
        self.open(&format!("{ssa} = lambda.lambda ({}) -> {result}", header.join(", ")));
        let at = lambda.body.at;
        let mut value = self.expr(&lambda.body, None);
        if effects {
            value = self.with_token(value, at);
        }
        self.line(&format!("lambda.return {} : {}", value.ssa, value.ty), at, None);
        self.close("", lambda.at, name);
        self.token = outside;
        Value { ssa, ty: function_type(lambda.parameters.len(), effects) }
    }

    /// Writes a group of recursive functions. They have the same names inside of the group and after it.
    fn letrec(&mut self, members: &[(Var, Lambda)], at: Span) {
        if members.is_empty() {
            return;
        }
        let mut inside = vec![];
        for (v, lambda) in members {
            let effects = self.program.functions[lambda.id].effects;
            let ssa = self.fresh(Some(self.name(*v)));
            inside.push(Value { ssa, ty: function_type(lambda.parameters.len(), effects) });
        }
        let names: Vec<&str> = members.iter().map(|(v, _)| self.name(*v)).collect();
        let results: Vec<String> = names.iter().map(|name| self.fresh(Some(name))).collect();
        self.open(&format!("{} = lambda.letrec", list(&results)));
        for ((v, _), value) in members.iter().zip(&inside) {
            self.values.insert(*v, value.clone());
        }
        for (((_, lambda), value), name) in members.iter().zip(&inside).zip(&names) {
            self.lambda(lambda, value.ssa.clone(), Some(name));
        }
        self.yielded(&inside, at);
        let types = types(&inside).join(", ");
        let name = self.joined(&names);
        self.close(&format!(" : {types}"), at, name.as_deref());
        for (((v, _), value), ssa) in members.iter().zip(inside).zip(results) {
            self.values.insert(*v, Value { ssa, ty: value.ty });
        }
    }

    /// Joins the names of the results of one op.
    fn joined(&self, names: &[&str]) -> Option<String> {
        (!names.is_empty()).then(|| names.join(", "))
    }

    fn yielded(&mut self, values: &[Value], at: Span) {
        let types = types(values).join(", ");
        let colon = if values.is_empty() { "" } else { " : " };
        let space = if values.is_empty() { "" } else { " " };
        self.line(&format!("lambda.yield{space}{}{colon}{types}", ssa(values)), at, None);
    }

    fn choice(&mut self, parts: &[Expr; 3], at: Span, name: Option<&str>) -> Value {
        let [condition, a, b] = parts;
        let condition = self.expr(condition, None);
        let effects = a.effects || b.effects;
        let (result, before) = (if effects { RESULT } else { ANY }, self.token.clone());
        let result_name = if effects { None } else { name };
        let ssa = self.fresh(result_name);
        self.open(&format!("{ssa} = lambda.if {} : {} -> {result}", condition.ssa, condition.ty));
        for (branch, rest) in [(a, Some(" else {")), (b, None)] {
            self.token = before.clone();
            let mut value = self.expr(branch, None);
            if effects {
                value = self.with_token(value, branch.at);
            }
            self.yielded(&[value], branch.at);
            if let Some(rest) = rest {
                let _ = writeln!(self.out, "{:1$}}}{rest}", "", indentation(self.indent - 1));
            }
        }
        self.close("", at, result_name);
        self.token = before;
        let value = Value { ssa, ty: result.into() };
        if effects { self.without_token(&value, ANY, at, name) } else { value }
    }

    fn repeat(&mut self, l: &Loop, at: Span, name: Option<&str>) -> Value {
        let count = match &l.head {
            Head::While(_) => None,
            Head::For(_, count) => Some(self.expr(count, None)),
        };
        let mut inits: Vec<Value> = l.carried.iter().map(|(_, e)| self.expr(e, None)).collect();
        let effects = l.next.iter().any(|e| e.effects);
        let outside = self.token.clone();
        if effects {
            inits.push(self.token());
        }
        let names: Vec<&str> = l.carried.iter().map(|(v, _)| self.name(*v)).chain(effects.then_some("token")).collect();
        let mut result_types = vec![ANY; l.carried.len()];
        result_types.extend(effects.then_some(TOKEN));
        let results: Vec<Value> = names
            .iter()
            .zip(&result_types)
            .map(|(n, ty)| Value { ssa: self.fresh(Some(n)), ty: ty.to_string() })
            .collect();
        let left = if results.is_empty() { String::new() } else { format!("{} = ", ssa(&results)) };
        match (&l.head, count) {
            (Head::For(i, _), Some(count)) => {
                let (index, place) = self.argument(*i, &count.ty);
                let carried = self.carried(l, &inits, effects, at);
                let mut operands = vec![count.ty.as_str()];
                operands.extend(types(&inits));
                let ty = signature(&operands, &format!("({})", result_types.join(", ")));
                self.open(&format!("{left}lambda.for ({index} {place} < {}) iter_args({carried}) : {ty}", count.ssa));
            }
            (Head::While(condition), _) => {
                let carried = self.carried(l, &inits, effects, at);
                let ty = signature(&types(&inits), &format!("({})", result_types.join(", ")));
                self.open(&format!("{left}lambda.while iter_args({carried}) : {ty}"));
                let condition_at = condition.at;
                let condition = self.expr(condition, None);
                self.yielded(&[condition], condition_at);
                let again = self.arguments(l, effects, at);
                let again: Vec<String> = again.iter().map(|(ssa, place)| format!("{ssa} {place}")).collect();
                let _ = writeln!(self.out, "{:1$}}} do ({2}) {{", "", indentation(self.indent - 1), again.join(", "));
            }
            _ => unreachable!("a `for` has a count"),
        }
        let mut next = self.all(&l.next);
        if effects {
            next.push(self.token());
        }
        self.yielded(&next, at);
        let joined = self.joined(&names);
        self.close("", at, joined.as_deref());
        self.token = outside;
        if let Some(token) = results.get(l.carried.len()) {
            self.token = Some(token.ssa.clone());
        }
        for ((v, _), value) in l.carried.iter().zip(results) {
            self.values.insert(*v, value);
        }
        self.expr(&l.result, name)
    }

    /// Returns the arguments of a loop's region, with their locations. The token is the last one.
    fn arguments(&mut self, l: &Loop, effects: bool, at: Span) -> Vec<(String, String)> {
        let mut arguments: Vec<(String, String)> = l.carried.iter().map(|(v, _)| self.argument(*v, ANY)).collect();
        if effects {
            arguments.push(self.token_argument(at));
        }
        arguments
    }

    /// Formats the carried values: `%a loc(…) = %x, …`.
    fn carried(&mut self, l: &Loop, inits: &[Value], effects: bool, at: Span) -> String {
        let arguments = self.arguments(l, effects, at);
        let one = |((ssa, place), init): (&(String, String), &Value)| format!("{ssa} {place} = {}", init.ssa);
        arguments.iter().zip(inits).map(one).collect::<Vec<_>>().join(", ")
    }

    fn operation(&mut self, op: &Op, written: &[Expr], at: Span, name: Option<&str>) -> Value {
        if let Op::Spawn(device) = op {
            return self.spawn(device, written, at, name);
        }
        if let Op::WithMap(mnemonic) = op {
            return self.with_map(mnemonic, written, at, name);
        }
        let operands = self.all(written);
        let all = signature(&types(&operands), ANY);
        let first = operands.first().map(|v| v.ssa.clone()).unwrap_or_default();
        match op {
            Op::Prim(primitive) => {
                let right = format!("lambda.prim {}({}) : {all}", quoted(primitive), ssa(&operands));
                self.op(&right, ANY, at, name)
            }
            Op::Plain(mnemonic) | Op::HigherOrder(mnemonic) => self.plain(mnemonic, &operands, "", ANY, at, name),
            Op::Unit => self.unit(at, name),
            Op::List => {
                let mut tail = self.plain("nil", &[], "", ANY, at, name.filter(|_| operands.is_empty()));
                for (k, head) in operands.into_iter().enumerate().rev() {
                    tail = self.plain("cons", &[head, tail], "", ANY, at, name.filter(|_| k == 0));
                }
                tail
            }
            Op::Nil(ty) => self.plain("nil", &[], "", ty.as_deref().unwrap_or(ANY), at, name),
            Op::Get(k) => self.get(&operands[0], *k, ANY, at, name),
            Op::Record(record, fields) => {
                let fields: Vec<String> = fields.iter().map(|f| quoted(f)).collect();
                let attributes = format!(" {{fields = [{}], name = {}}}", fields.join(", "), quoted(record));
                self.plain("record", &operands, &attributes, ANY, at, name)
            }
            Op::Field(field) => self.op(&format!("lambda.field {first}[{}] : {all}", quoted(field)), ANY, at, name),
            Op::With(fields) => {
                let mut record = operands[0].clone();
                for (k, (field, value)) in fields.iter().zip(&operands[1..]).enumerate() {
                    let ty = signature(&[&record.ty, &value.ty], ANY);
                    let right = format!("lambda.with {}[{}], {} : {ty}", record.ssa, quoted(field), value.ssa);
                    record = self.op(&right, ANY, at, name.filter(|_| k + 1 == fields.len()));
                }
                record
            }
            Op::Aget => self.op(&format!("lambda.aget {first}[{}] : {all}", ssa(&operands[1..])), ANY, at, name),
            Op::Aset => {
                let (value, indices) = operands[1..].split_last().expect("an index and a value");
                let right = format!("lambda.aset {first}[{}], {} : {all}", ssa(indices), value.ssa);
                self.op(&right, ANY, at, name)
            }
            Op::The(ty) => self.plain("the", &operands, &format!(" {{type = {ty}}}"), ANY, at, name),
            Op::Grad { wrt, arity, value } => {
                let wrt = if *wrt == 0 { String::new() } else { format!(", wrt = array<i64: {wrt}>") };
                let value = if *value { ", value" } else { "" };
                self.plain("grad", &operands, &format!(" {{arity = {arity} : i64{value}{wrt}}}"), ANY, at, name)
            }
            Op::Channel { carries, dest, buffer } => {
                let mut attributes: Vec<String> = vec![];
                attributes.extend(carries.is_none().then(|| "arrays".into()));
                attributes.extend(buffer.map(|n| format!("buffer = {n} : i64")));
                attributes.extend(dest.as_ref().map(|d| format!("dest = {}", quoted(d))));
                let ty = format!("!lambda.chan<{}>", carries.as_deref().unwrap_or(ANY));
                let attributes =
                    if attributes.is_empty() { String::new() } else { format!(" {{{}}}", attributes.join(", ")) };
                self.effect("channel", &[], &attributes, &ty, at, name)
            }
            Op::Recv => self.effect("recv", &operands, "", ANY, at, name),
            Op::Read => self.effect("read", &operands, "", ANY, at, name),
            Op::Join => {
                // A task returns the results of its function: a value and a token.
                let ended = self.effect("join", &operands, "", ANY, at, None);
                self.get(&ended, 0, ANY, at, name)
            }
            Op::Send | Op::Close | Op::Print => {
                self.action(action(op), &operands, at);
                self.unit(at, name)
            }
            Op::Spawn(_) | Op::WithMap(_) => unreachable!("handled above"),
        }
    }

    /// Writes `lambda.pullback` or `lambda.dual`, whose region is the function.
    fn with_map(&mut self, mnemonic: &str, written: &[Expr], at: Span, name: Option<&str>) -> Value {
        let [Expr { kind: Kind::Lambda(map), .. }, form] = written else { unreachable!("a function and a form") };
        let form = self.expr(form, None);
        let (ssa, parameter) = (self.fresh(name), self.parameter(map.parameters[0], ANY));
        self.open(&format!("{ssa} = lambda.{mnemonic} {} ({parameter})", form.ssa));
        let value = self.expr(&map.body, None);
        self.yielded(&[value], map.body.at);
        self.close(&format!(" : {}", signature(&[&form.ty], ANY)), at, name);
        Value { ssa, ty: ANY.into() }
    }

    fn unit(&mut self, at: Span, name: Option<&str>) -> Value {
        self.op(OpKind::LambdaUnit.name(), "none", at, name)
    }

    /// Starts a task. A task is a function with effects; a function without effects is wrapped in one.
    fn spawn(&mut self, device: &str, written: &[Expr], at: Span, name: Option<&str>) -> Value {
        let id = written[0].function(&self.program.variables);
        let effects = id.is_some_and(|id| self.program.functions[id].effects);
        let mut operands = self.all(written);
        if !effects {
            operands[0] = self.task(operands[0].clone(), written.len() - 1, at);
        }
        self.effect("spawn", &operands, &format!(" {{device = {}}}", quoted(device)), ANY, at, name)
    }

    /// Writes the function that calls `f` and passes its token through.
    fn task(&mut self, f: Value, arity: usize, at: Span) -> Value {
        let outside = self.token.take();
        let ssa = self.fresh(Some("task"));
        let mut header = vec![self.token_parameter(at)];
        let mut arguments = vec![];
        for _ in 0..arity {
            let argument = Value { ssa: self.fresh(Some("a")), ty: ANY.into() };
            header.push(format!("{}: {ANY} {}", argument.ssa, self.location(at, Some("a"))));
            arguments.push(argument);
        }
        self.open(&format!("{ssa} = lambda.lambda ({}) -> {RESULT}", header.join(", ")));
        let value = self.call(f, arguments, false, at, None);
        let pair = self.with_token(value, at);
        self.line(&format!("lambda.return {} : {RESULT}", pair.ssa), at, None);
        self.close("", at, Some("task"));
        self.token = outside;
        Value { ssa, ty: function_type(arity, true) }
    }
}

/// Returns the mnemonic of an operation whose only result is a token.
fn action(op: &Op) -> &'static str {
    match op {
        Op::Send => "send",
        Op::Close => "close",
        _ => "print",
    }
}

/// Returns the symbols by which the program calls its definitions.
fn symbols(program: &Program) -> Vec<String> {
    let taken: HashSet<&str> = program.definitions.iter().map(|d| d.symbol.as_str()).collect();
    let name = |(id, definition): (usize, &Definition)| {
        let is_open = definition.parameters.iter().any(|(_, ty)| ty.is_none());
        let is_used = program.used.contains(&id);
        let mut symbol = definition.symbol.clone();
        if program.functions[id].effects && is_used && !is_open {
            symbol += ".effects";
            while taken.contains(symbol.as_str()) {
                symbol += "_";
            }
        }
        symbol
    };
    program.definitions.iter().enumerate().map(name).collect()
}
