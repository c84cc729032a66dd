//! Translation of the syntax tree to MLIR text. The location of an op is its position in the source, and values keep
//! their names.
//!
//! Unknown types are `!lambda.any`. A function with effects takes a token before its parameters and returns a tuple of
//! its value and a token. In its body, each op with effects takes the current token and returns the next one.

use super::syntax::{Definition, Expr, Kind, Lambda, Loop, Op, Program, Var};
use crate::mlir::{Taken, float, identifier, indentation, list, location, quoted, symbol};
use mlopt_dialects::ops::Kind as OpKind;
use mlopt_dialects::text::Span;
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Display, Write};

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

/// Prints the name, as an operand.
impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.ssa)
    }
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
    token: Option<Value>,
}

/// Formats `(type, …) -> type`.
fn signature(types: impl IntoIterator<Item = impl Display>, result: &str) -> String {
    format!("({}) -> {result}", list(types))
}

/// Returns the type of a function of this arity.
fn function_type(arity: usize, effects: bool) -> String {
    signature(effects.then_some(TOKEN).into_iter().chain(vec![ANY; arity]), result_type(effects))
}

/// Returns the type of the result of a function.
fn result_type(effects: bool) -> &'static str {
    if effects { RESULT } else { ANY }
}

fn types(values: &[Value]) -> impl Iterator<Item = &str> {
    values.iter().map(|v| v.ty.as_str())
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
        let header = self.header(takes_token.then_some(at), typed(definition));
        if effects && !takes_token {
            self.first_token(at);
        }
        let value = self.body(&definition.body, takes_token);
        self.line(&format!("return {value} : {}", value.ty), definition.body.at, None);
        // A function that takes or returns functions cannot be called from outside of the program.
        let is_part = is_used && (takes_function || value.ty.starts_with('('));
        let visibility = if is_open || takes_token || is_part { "private " } else { "" };
        let name = &self.symbols[id];
        let result = if value.ty.starts_with('(') { format!("({})", value.ty) } else { value.ty };
        let place = self.location(at, None);
        let text = format!("func.func {visibility}{}({header}) -> {result} {{\n{}}} {place}\n", symbol(name), self.out);
        if !takes_token || is_open {
            return text;
        }
        text + &Writer::new(self.program, self.symbols, self.file).beginning(definition, name)
    }

    /// Writes the public function that calls `@inner` with the first token.
    fn beginning(mut self, definition: &Definition, inner: &str) -> String {
        let at = definition.at;
        let header = self.header(None, typed(definition));
        self.first_token(at);
        let f = self.op(&format!("lambda.ref {} : {ANY}", symbol(inner)), ANY, at, None);
        let arguments = definition.parameters.iter().map(|(v, _)| self.value(*v)).collect();
        let value = self.call(f, arguments, true, at, None);
        self.line(&format!("return {value} : {ANY}"), at, None);
        let place = self.location(at, None);
        format!("func.func {}({header}) -> {ANY} {{\n{}}} {place}\n", symbol(&definition.symbol), self.out)
    }

    /// Formats the parameters of a function: a token, if it takes one at this position, then the others with their
    /// types.
    fn header<'t>(&mut self, token: Option<Span>, parameters: impl Iterator<Item = (Var, &'t str)>) -> String {
        let token = token.map(|at| self.token_argument(at));
        let arguments: Vec<_> = token.into_iter().chain(parameters.map(|(v, ty)| self.argument(v, ty))).collect();
        list(arguments.iter().map(|(x, place)| format!("{x}: {} {place}", x.ty)))
    }

    /// Writes the body of a function or branch, whose value may be paired with the token.
    fn body(&mut self, e: &Expr, with_token: bool) -> Value {
        let value = self.expr(e, None);
        if with_token { self.with_token(value, e.at) } else { value }
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

    /// Ends a region of an op and opens the next one.
    fn next_region(&mut self, between: &str) {
        let _ = writeln!(self.out, "{:1$}}} {between} {{", "", indentation(self.indent - 1));
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

    /// Returns an argument of a region and its location.
    fn argument(&mut self, v: Var, ty: &str) -> (Value, String) {
        let name = self.name(v);
        let value = Value { ssa: self.fresh(Some(name)), ty: ty.into() };
        self.values.insert(v, value.clone());
        (value, self.location(self.program.variables[v].at, Some(name)))
    }

    /// Returns a token argument of a region, which becomes the current token.
    fn token_argument(&mut self, at: Span) -> (Value, String) {
        let token = Value { ssa: self.fresh(Some("token")), ty: TOKEN.into() };
        self.token = Some(token.clone());
        (token, self.location(at, Some("token")))
    }

    /// Writes the op that creates the first token.
    fn first_token(&mut self, at: Span) {
        self.token = Some(self.op("lambda.token : () -> !lambda.token", TOKEN, at, Some("token")));
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
            format!("lambda.{mnemonic}{space}{}{attributes} : {}", list(operands), signature(types(operands), ty));
        self.op(&right, ty, at, name)
    }

    fn get(&mut self, tuple: &Value, k: i64, ty: &str, at: Span, name: Option<&str>) -> Value {
        let right = format!("lambda.get {tuple}[{k}] : ({}) -> {ty}", tuple.ty);
        self.op(&right, ty, at, name)
    }

    fn token(&self) -> Value {
        self.token.clone().expect("a function with effects has a token")
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
        self.token = Some(self.get(pair, 1, TOKEN, at, Some("token")));
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
        self.token = Some(self.plain(mnemonic, &all, "", TOKEN, at, Some("token")));
    }

    fn call(&mut self, f: Value, mut arguments: Vec<Value>, effects: bool, at: Span, name: Option<&str>) -> Value {
        if effects {
            arguments.insert(0, self.token());
        }
        let called = signature(types(&arguments), result_type(effects));
        let declared = if f.ty == called { String::new() } else { format!("{} ", f.ty) };
        let right = format!("lambda.apply {f}({}) : {declared}{called}", list(&arguments));
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
            Kind::Do(before, last) => {
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
            Kind::Op(Op::Action(mnemonic), operands) => {
                let operands = self.all(operands);
                self.action(mnemonic, &operands, e.at);
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
        let header = self.header(effects.then_some(lambda.at), lambda.parameters.iter().map(|&v| (v, ANY)));
        self.open(&format!("{ssa} = lambda.lambda ({header}) -> {}", result_type(effects)));
        let value = self.body(&lambda.body, effects);
        self.line(&format!("lambda.return {value} : {}", value.ty), lambda.body.at, None);
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
        self.close(&format!(" : {}", list(types(&inside))), at, Some(&list(&names)));
        for (((v, _), value), ssa) in members.iter().zip(inside).zip(results) {
            self.values.insert(*v, Value { ssa, ty: value.ty });
        }
    }

    fn yielded(&mut self, values: &[Value], at: Span) {
        let operands = match values {
            [] => String::new(),
            _ => format!(" {} : {}", list(values), list(types(values))),
        };
        self.line(&format!("lambda.yield{operands}"), at, None);
    }

    fn choice(&mut self, parts: &[Expr; 3], at: Span, name: Option<&str>) -> Value {
        let [condition, a, b] = parts;
        let condition = self.expr(condition, None);
        let effects = a.effects || b.effects;
        let (result, before) = (result_type(effects), self.token.clone());
        let result_name = if effects { None } else { name };
        let ssa = self.fresh(result_name);
        self.open(&format!("{ssa} = lambda.if {condition} : {} -> {result}", condition.ty));
        let value = self.body(a, effects);
        self.yielded(&[value], a.at);
        self.next_region("else");
        self.token = before.clone();
        let value = self.body(b, effects);
        self.yielded(&[value], b.at);
        self.close("", at, result_name);
        self.token = before;
        let value = Value { ssa, ty: result.into() };
        if effects { self.without_token(&value, ANY, at, name) } else { value }
    }

    fn repeat(&mut self, l: &Loop, at: Span, name: Option<&str>) -> Value {
        let count = l.index.map(|i| (i, self.expr(&l.control, None)));
        let mut inits: Vec<Value> = l.carried.iter().map(|(_, e)| self.expr(e, None)).collect();
        let effects = l.next.iter().any(|e| e.effects);
        let outside = self.token.clone();
        inits.extend(effects.then(|| self.token()));
        let carried = l.carried.iter().map(|(v, _)| (self.name(*v), ANY));
        let carried: Vec<(&str, &str)> = carried.chain(effects.then_some(("token", TOKEN))).collect();
        let result = |&(name, ty): &(&str, &str)| Value { ssa: self.fresh(Some(name)), ty: ty.into() };
        let results: Vec<Value> = carried.iter().map(result).collect();
        let left = if results.is_empty() { String::new() } else { format!("{} = ", list(&results)) };
        let head = match &count {
            Some((i, count)) => {
                let (index, place) = self.argument(*i, &count.ty);
                format!("lambda.for ({index} {place} < {count}) iter_args")
            }
            None => "lambda.while iter_args".into(),
        };
        let arguments = self.arguments(l, effects, at);
        let arguments = list(arguments.iter().zip(&inits).map(|((x, place), init)| format!("{x} {place} = {init}")));
        let operands = count.iter().map(|(_, count)| count).chain(&inits).map(|v| &v.ty);
        let ty = signature(operands, &format!("({})", list(types(&results))));
        self.open(&format!("{left}{head}({arguments}) : {ty}"));
        if count.is_none() {
            let condition = self.expr(&l.control, None);
            self.yielded(&[condition], l.control.at);
            let again = self.arguments(l, effects, at);
            self.next_region(&format!("do ({})", list(again.iter().map(|(x, place)| format!("{x} {place}")))));
        }
        let mut next = self.all(&l.next);
        next.extend(effects.then(|| self.token()));
        self.yielded(&next, at);
        let names = list(carried.iter().map(|(name, _)| name));
        self.close("", at, Some(names.as_str()).filter(|names| !names.is_empty()));
        self.token = results.get(l.carried.len()).cloned().or(outside);
        for ((v, _), value) in l.carried.iter().zip(results) {
            self.values.insert(*v, value);
        }
        self.expr(&l.result, name)
    }

    /// Returns the arguments of a loop's region, with their locations. The token is the last one.
    fn arguments(&mut self, l: &Loop, effects: bool, at: Span) -> Vec<(Value, String)> {
        let mut arguments: Vec<_> = l.carried.iter().map(|(v, _)| self.argument(*v, ANY)).collect();
        if effects {
            arguments.push(self.token_argument(at));
        }
        arguments
    }

    fn operation(&mut self, op: &Op, written: &[Expr], at: Span, name: Option<&str>) -> Value {
        if let (Op::WithMap(mnemonic), [Expr { kind: Kind::Lambda(map), .. }, form]) = (op, written) {
            return self.with_map(mnemonic, map, form, at, name);
        }
        let operands = self.all(written);
        let all = signature(types(&operands), ANY);
        let first = list(operands.first());
        match op {
            Op::Prim(primitive) => {
                let right = format!("lambda.prim {}({}) : {all}", quoted(primitive), list(&operands));
                self.op(&right, ANY, at, name)
            }
            Op::Plain(mnemonic) | Op::HigherOrder(mnemonic) | Op::WithMap(mnemonic) => {
                self.plain(mnemonic, &operands, "", ANY, at, name)
            }
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
                let fields = list(fields.iter().map(|f| quoted(f)));
                let attributes = format!(" {{fields = [{fields}], name = {}}}", quoted(record));
                self.plain("record", &operands, &attributes, ANY, at, name)
            }
            Op::Field(field) => self.op(&format!("lambda.field {first}[{}] : {all}", quoted(field)), ANY, at, name),
            Op::With(fields) => {
                let mut record = operands[0].clone();
                for (k, (field, value)) in fields.iter().zip(&operands[1..]).enumerate() {
                    let ty = signature([&record.ty, &value.ty], ANY);
                    let right = format!("lambda.with {record}[{}], {value} : {ty}", quoted(field));
                    record = self.op(&right, ANY, at, name.filter(|_| k + 1 == fields.len()));
                }
                record
            }
            Op::Aget => self.op(&format!("lambda.aget {first}[{}] : {all}", list(&operands[1..])), ANY, at, name),
            Op::Aset => {
                let (value, indices) = operands[1..].split_last().expect("an index and a value");
                let right = format!("lambda.aset {first}[{}], {value} : {all}", list(indices));
                self.op(&right, ANY, at, name)
            }
            Op::The(ty) => self.plain("the", &operands, &format!(" {{type = {ty}}}"), ANY, at, name),
            Op::Grad { wrt, arity, value } => {
                let wrt = if *wrt == 0 { String::new() } else { format!(", wrt = array<i64: {wrt}>") };
                let value = if *value { ", value" } else { "" };
                self.plain("grad", &operands, &format!(" {{arity = {arity} : i64{value}{wrt}}}"), ANY, at, name)
            }
            Op::Channel { carries, dest, buffer } => {
                let arrays = carries.is_none().then(|| "arrays".to_string());
                let buffer = buffer.map(|n| format!("buffer = {n} : i64"));
                let attributes = list(
                    arrays.into_iter().chain(buffer).chain(dest.as_ref().map(|d| format!("dest = {}", quoted(d)))),
                );
                let attributes = if attributes.is_empty() { attributes } else { format!(" {{{attributes}}}") };
                let ty = format!("!lambda.chan<{}>", carries.as_deref().unwrap_or(ANY));
                self.effect("channel", &[], &attributes, &ty, at, name)
            }
            Op::Receive(mnemonic) => self.effect(mnemonic, &operands, "", ANY, at, name),
            Op::Join => {
                // A task returns the results of its function: a value and a token.
                let ended = self.effect("join", &operands, "", ANY, at, None);
                self.get(&ended, 0, ANY, at, name)
            }
            Op::Action(mnemonic) => {
                self.action(mnemonic, &operands, at);
                self.unit(at, name)
            }
            Op::Spawn(device) => self.spawn(device, written, operands, at, name),
        }
    }

    /// Writes `lambda.pullback` or `lambda.dual`, whose region is the function.
    fn with_map(&mut self, mnemonic: &str, map: &Lambda, form: &Expr, at: Span, name: Option<&str>) -> Value {
        let form = self.expr(form, None);
        let (ssa, header) = (self.fresh(name), self.header(None, map.parameters.iter().map(|&v| (v, ANY))));
        self.open(&format!("{ssa} = lambda.{mnemonic} {form} ({header})"));
        let value = self.expr(&map.body, None);
        self.yielded(&[value], map.body.at);
        self.close(&format!(" : {}", signature([&form.ty], ANY)), at, name);
        Value { ssa, ty: ANY.into() }
    }

    fn unit(&mut self, at: Span, name: Option<&str>) -> Value {
        self.op(OpKind::LambdaUnit.name(), "none", at, name)
    }

    /// Starts a task. A task is a function with effects; a function without effects is wrapped in one.
    fn spawn(
        &mut self,
        device: &str,
        written: &[Expr],
        mut operands: Vec<Value>,
        at: Span,
        name: Option<&str>,
    ) -> Value {
        let id = written[0].function(&self.program.variables);
        let effects = id.is_some_and(|id| self.program.functions[id].effects);
        if !effects {
            operands[0] = self.task(operands[0].clone(), written.len() - 1, at);
        }
        self.effect("spawn", &operands, &format!(" {{device = {}}}", quoted(device)), ANY, at, name)
    }

    /// Writes the function that calls `f` and passes its token through.
    fn task(&mut self, f: Value, arity: usize, at: Span) -> Value {
        let outside = self.token.take();
        let ssa = self.fresh(Some("task"));
        let (token, place) = self.token_argument(at);
        let mut header = vec![format!("{token}: {TOKEN} {place}")];
        let mut arguments = vec![];
        for _ in 0..arity {
            let argument = Value { ssa: self.fresh(Some("a")), ty: ANY.into() };
            header.push(format!("{argument}: {ANY} {}", self.location(at, Some("a"))));
            arguments.push(argument);
        }
        self.open(&format!("{ssa} = lambda.lambda ({}) -> {RESULT}", list(&header)));
        let value = self.call(f, arguments, false, at, None);
        let pair = self.with_token(value, at);
        self.line(&format!("lambda.return {pair} : {RESULT}"), at, None);
        self.close("", at, Some("task"));
        self.token = outside;
        Value { ssa, ty: function_type(arity, true) }
    }
}

/// Returns the parameters of a definition with their types.
fn typed(definition: &Definition) -> impl Iterator<Item = (Var, &str)> {
    definition.parameters.iter().map(|(v, ty)| (*v, ty.as_deref().unwrap_or(ANY)))
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
