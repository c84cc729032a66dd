//! Translation of typed equations to MLIR text: one `stream.node` for each combination of node, static arguments and
//! types.
//!
//! The location of an op is its position in the source, and streams keep their names.

use super::Source;
use super::elaborate::{Equation, Instance, Op, Program, Var};
use super::functions::Function;
use crate::mlir::{self, Taken, Type, list};
use mlopt_dialects::ops::Kind as OpKind;
use mlopt_dialects::primitives::{Computation, Elements, Notation, Primitive, named};
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Returns the module. Callees come before their users, in the order of the text.
///
/// # Errors
/// E-CAUSALITY for streams that are defined as themselves.
pub fn write(program: &Program, types: &[Type], source: &Source) -> Result<String, Vec<Problem>> {
    let symbols = symbols(program, types);
    let mut instances: BTreeMap<(usize, &str), &Instance> = BTreeMap::new();
    for (instance, symbol) in program.instances.iter().zip(&symbols) {
        instances.entry((instance.node, symbol)).or_insert(instance);
    }
    let mut module = String::new();
    let mut errors = Vec::new();
    for ((_, symbol), instance) in instances {
        match Writer::new(program, instance, types, source, &symbols) {
            Ok(writer) => module += &writer.node(symbol),
            Err(circular) => errors.extend(circular),
        }
    }
    if errors.is_empty() { Ok(module) } else { Err(errors) }
}

/// Returns the symbol of each instance. Instances with the same node, static arguments and types share one.
fn symbols(program: &Program, types: &[Type]) -> Vec<String> {
    type Version<'t> = (usize, Vec<usize>, &'t [Type], String);
    // Callees have higher numbers.
    let mut version = vec![0; program.instances.len()];
    let mut versions: Vec<(usize, String)> = Vec::new();
    let mut known: HashMap<Version, usize> = HashMap::new();
    for (k, instance) in program.instances.iter().enumerate().rev() {
        let callees = instance.equations.iter().filter_map(|e| match e.op {
            Op::Instance(_, number) => Some(version[number]),
            _ => None,
        });
        let statics: Vec<String> = instance.statics.iter().map(|s| format!("{s:?}")).collect();
        let key = (instance.node, callees.collect(), &types[instance.vars.clone()], statics.join(", "));
        version[k] = *known.entry(key).or_insert_with(|| {
            let numbers: String = statics.concat().chars().map(|c| if c.is_ascii_digit() { c } else { ' ' }).collect();
            let suffix: String = numbers.split_whitespace().map(|n| format!("_{n}")).collect();
            versions.push((instance.node, suffix));
            versions.len() - 1
        });
    }
    let mut count: HashMap<usize, usize> = HashMap::new();
    versions.iter().for_each(|(node, _)| *count.entry(*node).or_default() += 1);
    let mut taken = Taken::default();
    program.nodes.iter().for_each(|node| drop(taken.unique(&node.name.text)));
    let name = |(k, (node, suffix)): (usize, &(usize, String))| {
        let name = &program.nodes[*node].name.text;
        // The outermost node keeps its name, and so does a node with a single version.
        if k == version[0] || count[node] == 1 { name.clone() } else { taken.unique(&format!("{name}{suffix}")) }
    };
    let names: Vec<String> = versions.iter().enumerate().map(name).collect();
    version.into_iter().map(|v| names[v].clone()).collect()
}

/// The maximum number of characters of an expression in messages.
const SHOWN: usize = 60;

struct Writer<'a> {
    program: &'a Program<'a>,
    instance: &'a Instance,
    types: &'a [Type],
    source: &'a Source<'a>,
    symbols: &'a [String],
    /// The variable that each variable is an alias of, itself for most.
    stands_for: HashMap<Var, Var>,
    /// Unnamed constants. They are written at each use, in the shape that is required there.
    literals: HashMap<Var, Number>,
    /// The numbers of values without a name.
    numbers: HashMap<Var, usize>,
    next: usize,
    out: String,
}

impl<'a> Writer<'a> {
    fn new(
        program: &'a Program<'a>,
        instance: &'a Instance,
        types: &'a [Type],
        source: &'a Source<'a>,
        symbols: &'a [String],
    ) -> Result<Writer<'a>, Vec<Problem>> {
        let mut same: HashMap<Var, Var> = HashMap::new();
        let mut literals = HashMap::new();
        for e in &instance.equations {
            let &[result] = &e.results[..] else { continue };
            let is_scalar = |v: Var| types[v].shape.is_empty();
            match &e.op {
                Op::Same => drop(same.insert(result, e.args[0])),
                Op::Function(Function::Sum) if is_scalar(e.args[0]) => drop(same.insert(result, e.args[0])),
                Op::Function(Function::Reshape(_)) if types[result] == types[e.args[0]] => {
                    same.insert(result, e.args[0]);
                }
                Op::Constant(value, _) if program.vars[result].name.is_none() => {
                    literals.insert(result, *value);
                }
                _ => {}
            }
        }
        let stands_for = program.origins(instance.vars.clone(), &same)?;
        Ok(Writer {
            program,
            instance,
            types,
            source,
            symbols,
            stands_for,
            literals,
            numbers: HashMap::new(),
            next: 0,
            out: String::new(),
        })
    }

    fn node(mut self, symbol: &str) -> String {
        let node = &self.program.nodes[self.instance.node];
        let parameter = |s: &mut Self, v: Var| {
            let at = s.location(s.program.vars[v].at, None);
            format!("{}: {} {at}", s.ssa(v), s.types[v])
        };
        let inputs: Vec<String> = self.instance.inputs.iter().map(|&v| parameter(&mut self, v)).collect();
        let all = self.types;
        let types: Vec<&Type> = self.instance.outputs.iter().map(|&v| &all[v]).collect();
        let outputs = list(node.outputs.iter().zip(&types).map(|(n, ty)| format!("{}: {ty}", n.text)));
        for e in &self.instance.equations {
            self.equation(e);
        }
        let results: Vec<String> = self.instance.outputs.iter().map(|&v| self.operand(v, None)).collect();
        let yielded =
            if results.is_empty() { String::new() } else { format!(" {} : {}", list(&results), list(&types)) };
        let at = self.location_of(node.name.at, None, Some(format!("node `{}`", node.name.text)));
        let _ = writeln!(self.out, "  stream.yield{yielded} {at}");
        let aliases = list(self.instance.vars.clone().filter(|v| self.stands_for[v] != *v).filter_map(|v| {
            let name = self.program.vars[v].name.as_ref()?;
            let of = self.program.vars[self.stands_for[&v]].name.as_ref()?;
            Some(format!("\"{name} = {of}\""))
        }));
        let aliases = match aliases.is_empty() {
            true => aliases,
            false => format!(" {{stream.aliases = [{aliases}]}}"),
        };
        let inputs = list(&inputs);
        format!("stream.node @{symbol}({inputs}) -> ({outputs}) {{\n{}}}{aliases} {at}\n", self.out)
    }

    fn location(&self, at: Span, names: Option<&str>) -> String {
        self.location_of(at, names, self.phrase(at))
    }

    fn location_of(&self, at: Span, names: Option<&str>, phrase: Option<String>) -> String {
        let names: Vec<&str> = names.into_iter().chain(phrase.as_deref()).collect();
        mlir::location(self.source.name, at, &names)
    }

    /// Formats an expression for messages: `` `x + y` (in the equation of `z`) ``.
    fn phrase(&self, at: Span) -> Option<String> {
        let equation = self.program.nodes[self.instance.node].equation(at)?;
        Some(format!("`{}` (in the equation of `{}`)", shown(&self.source.text[at.start..at.end]), equation.name()))
    }

    fn number(&mut self) -> String {
        self.next += 1;
        format!("%{}", self.next - 1)
    }

    /// Returns the SSA name of a stream.
    fn ssa(&mut self, v: Var) -> String {
        let v = self.stands_for[&v];
        match &self.program.vars[v].name {
            Some(name) => format!("%{name}"),
            None => {
                let next = self.next;
                let number = *self.numbers.entry(v).or_insert(next);
                self.next += usize::from(number == next);
                format!("%{number}")
            }
        }
    }

    fn line(&mut self, text: &str, at: Span, name: Option<&str>) {
        let location = self.location(at, name);
        let _ = writeln!(self.out, "  {text} {location}");
    }

    /// Returns an operand, broadcast to `shape` if given.
    fn operand(&mut self, v: Var, shape: Option<&[usize]>) -> String {
        let of = self.stands_for[&v];
        let own = &self.types[of];
        let shape = shape.unwrap_or(&own.shape);
        let at = self.program.vars[of].at;
        if let Some(&value) = self.literals.get(&of) {
            return self.constant(value, &Type::new(own.element, shape), at, None);
        }
        let mut value = self.ssa(of);
        if own.shape == shape {
            return value;
        }
        // The axes are added one by one, innermost first, by ops that have derivatives.
        let mut from = own.clone();
        for &size in shape.iter().rev() {
            let to = from.within(&[size]);
            value = self.step(format!("array.replicate {value} : ({from}) -> {to}"), at);
            from = to;
        }
        value
    }

    fn operands(&mut self, e: &Equation) -> Vec<String> {
        e.args.iter().map(|&a| self.operand(a, None)).collect()
    }

    /// Writes a literal, or a named constant, which has one clock.
    fn constant(&mut self, value: Number, ty: &Type, at: Span, result: Option<(&str, &str)>) -> String {
        let (ssa, name, op) = match result {
            Some((ssa, name)) => (ssa.to_string(), Some(name), OpKind::StreamConstant),
            None => (self.number(), None, OpKind::ArithConstant),
        };
        let number = match value {
            Number::Float(x) => mlir::float(x, Element::F64),
            value => value.to_string(),
        };
        let attribute = match (value, ty.rank()) {
            (Number::Bool(_), 0) => number,
            (_, rank) => format!("{} : {ty}", mlir::splat(&number, rank)),
        };
        self.line(&format!("{ssa} = {op} {attribute}"), at, name);
        ssa
    }

    fn equation(&mut self, e: &'a Equation) {
        if let Op::Instance(name, callee) = &e.op {
            return self.instance(e, name, *callee);
        }
        let r = e.results[0];
        if self.stands_for[&r] != r || self.literals.contains_key(&r) {
            return;
        }
        let program = self.program;
        let name = program.vars[r].name.as_deref();
        let ssa = self.ssa(r);
        let ty = &self.types[r];
        let op = match &e.op {
            Op::Constant(value, _) => {
                self.constant(*value, ty, e.at, name.map(|name| (ssa.as_str(), name)));
                return;
            }
            Op::Pointwise(p) => self.pointwise(p, e, ty),
            Op::Initial(name, method, _) => format!("stream.initial {name:?} {method:?} : {ty}"),
            Op::Param(name) => format!("stream.param {name:?} {} : {ty}", list(self.operands(e))),
            Op::Fby => format!("stream.fby {} : {ty}", list(self.operands(e))),
            Op::Post => format!("stream.post {} : {ty}", list(self.operands(e))),
            Op::When(true) => format!("stream.when {} : {ty}", list(self.operands(e))),
            Op::When(false) => format!("stream.when {} : {ty}", self.operands(e).join(", not ")),
            Op::Merge => format!("stream.merge {} : {ty}", list(self.operands(e))),
            Op::Optimiser(name, node) => {
                let (all, rate) = (list(self.operands(e)), &self.types[e.args[2]]);
                format!("stream.instance {name:?} @{node}({all}) : ({ty}, {ty}, {rate}) -> {ty}")
            }
            Op::Select => format!("stream.select {} : {ty}", list(self.operands(e))),
            Op::Function(f) => {
                let x = self.operands(e);
                self.function(f, &x, e, ty)
            }
            // An instance is written above, and the result of `Same` stands for its operand.
            Op::Instance(..) | Op::Same => return,
        };
        self.line(&format!("{ssa} = {op}"), e.at, name);
    }

    fn instance(&mut self, e: &Equation, name: &str, callee: usize) {
        let names = list(e.results.iter().map(|&r| self.program.vars[r].name.as_deref().unwrap_or_default()));
        let results = list(e.results.iter().map(|&r| self.ssa(r)));
        let results = if results.is_empty() { results } else { format!("{results} = ") };
        let args = list(self.operands(e));
        let (of, types) = (&self.program.instances[callee], self.types);
        let [inputs, outputs] = [&of.inputs, &of.outputs].map(|vars| list(vars.iter().map(|&v| &types[v])));
        let symbol = &self.symbols[callee];
        let text = format!("{results}stream.instance {name:?} @{symbol}({args}) : ({inputs}) -> ({outputs})");
        let is_named = e.results.iter().any(|&r| self.program.vars[r].name.is_some());
        self.line(&text, e.at, is_named.then_some(names.as_str()));
    }

    fn pointwise(&mut self, p: &Primitive, e: &Equation, ty: &Type) -> String {
        let of = ty.of(self.types[e.args[0]].element);
        let x = list(e.args.iter().map(|&a| self.operand(a, Some(&ty.shape))));
        let name = p.name(Notation::Streams);
        let mut same = named(Notation::Streams, name).filter(|q| q.arity == p.arity);
        let primitive = same.find(|q| q.elements == Elements::of(of.element)).expect("types are checked");
        match primitive.computation {
            Computation::Op(kind) => format!("{kind} {x} : {of}"),
            Computation::CompareFloats(p) => format!("arith.cmpf {}, {x} : {of}", p.text()),
            Computation::CompareIntegers(p) => format!("arith.cmpi {}, {x} : {of}", p.text()),
            Computation::Several => self.several(name, &x, &of, e.at),
        }
    }

    /// Writes a primitive of one operand that is several ops, and returns the last one.
    fn several(&mut self, name: &str, x: &str, ty: &Type, at: Span) -> String {
        match name {
            "-" => {
                let zero = self.constant(Number::Int(0), ty, at, None);
                format!("arith.subi {zero}, {x} : {ty}")
            }
            "not" => {
                let all = self.constant(Number::Bool(true), ty, at, None);
                format!("arith.xori {x}, {all} : {ty}")
            }
            "sigmoid" => {
                let one = self.constant(Number::Float(1.0), ty, at, None);
                let negated = self.step(format!("arith.negf {x} : {ty}"), at);
                let power = self.step(format!("math.exp {negated} : {ty}"), at);
                let sum = self.step(format!("arith.addf {one}, {power} : {ty}"), at);
                format!("arith.divf {one}, {sum} : {ty}")
            }
            "relu" => {
                // NaN is preserved.
                let zero = self.constant(Number::Float(0.0), ty, at, None);
                let is_cut = self.step(format!("arith.cmpf ole, {x}, {zero} : {ty}"), at);
                let condition = match ty.rank() {
                    0 => String::new(),
                    _ => format!("{}, ", ty.of(Element::I1)),
                };
                format!("arith.select {is_cut}, {zero}, {x} : {condition}{ty}")
            }
            _ => unreachable!("no other primitive of streams is several ops"),
        }
    }

    /// Writes an op that precedes the requested one.
    fn step(&mut self, op: String, at: Span) -> String {
        let ssa = self.number();
        self.line(&format!("{ssa} = {op}"), at, None);
        ssa
    }

    fn index(&mut self, k: u64, at: Span) -> String {
        self.step(format!("arith.constant {k} : index"), at)
    }

    fn function(&mut self, f: &Function, x: &[String], e: &Equation, result: &Type) -> String {
        let all = self.types;
        let types: Vec<&Type> = e.args.iter().map(|&a| &all[a]).collect();
        let at = e.at;
        match f {
            Function::Sum => {
                let axes = list(0..types[0].rank());
                format!("array.sum {} axes [{axes}] : ({}) -> {result}", x[0], types[0])
            }
            Function::Matmul => self.matmul(&types, x, result, at),
            Function::Outer => {
                let [i, j, u, v, p] = std::array::from_fn(|_| self.number());
                let (m, n) = (result.shape[0], result.shape[1]);
                let (scalar, mul) = scalar_product(result);
                format!(
                    "array.build ({i} < {m}, {j} < {n}) -> ({result}) {{ \
                     {u} = array.get {}[{i}] : ({}) -> {scalar} {v} = array.get {}[{j}] : ({}) -> {scalar} \
                     {p} = {mul} {u}, {v} : {scalar} array.yield {p} : {scalar} }}",
                    x[0], types[0], x[1], types[1]
                )
            }
            Function::Transpose => format!("array.transpose {} [1, 0] : ({}) -> {result}", x[0], types[0]),
            Function::Concat => {
                format!("array.append {}, {} : ({}, {}) -> {result}", x[0], x[1], types[0], types[1])
            }
            Function::Reshape(_) => format!("array.reshape {} : ({}) -> {result}", x[0], types[0]),
            Function::Slice(low, _) => {
                let low = self.index(*low, at);
                format!("array.slice {} from {low} : ({}) -> {result}", x[0], types[0])
            }
            Function::Index(k) => {
                let k = self.index(*k, at);
                format!("array.get {}[{k}] : ({}) -> {result}", x[0], types[0])
            }
            Function::Stack => format!("array.stack {} : ({}) -> {result}", list(x), list(&types)),
        }
    }

    fn matmul(&mut self, types: &[&Type], x: &[String], result: &Type, at: Span) -> String {
        let matrix = types[0];
        let row_type = matrix.after(1);
        let (scalar, mul) = scalar_product(result);
        let [i, row, p, s] = std::array::from_fn(|_| self.number());
        let mut space = format!("{i} < {}", result.shape[0]);
        let mut column = x[1].clone();
        let mut read = String::new();
        if let &[_, columns] = &result.shape[..] {
            let turned_type = row_type.within(&[columns]);
            let turned = self.step(format!("array.transpose {column} [1, 0] : ({}) -> {turned_type}", types[1]), at);
            let j = self.number();
            column = self.number();
            let _ = write!(space, ", {j} < {columns}");
            let _ = write!(read, "{column} = array.get {turned}[{j}] : ({turned_type}) -> {row_type} ");
        }
        format!(
            "array.build ({space}) -> ({result}) {{ {row} = array.get {}[{i}] : ({matrix}) -> {row_type} {read}\
             {p} = {mul} {row}, {column} : {row_type} {s} = array.sum {p} : ({row_type}) -> {scalar} \
             array.yield {s} : {scalar} }}",
            x[0]
        )
    }
}

/// Returns the type of an element, and the multiplication op of that type.
fn scalar_product(ty: &Type) -> (Type, OpKind) {
    let mul = if ty.element.is_float() { OpKind::ArithMulf } else { OpKind::ArithMuli };
    (Type::scalar(ty.element), mul)
}

/// Formats an expression for messages: without comments, with single blanks between words, truncated. Only the
/// necessary part of `text` is read.
fn shown(text: &str) -> String {
    let (mut shown, mut length, mut is_after_blank) = (String::new(), 0, false);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("--") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c.is_whitespace() {
            is_after_blank = length > 0;
            continue;
        }
        let blank = if std::mem::take(&mut is_after_blank) { " " } else { "" };
        if length + blank.len() >= SHOWN {
            shown.extend(blank.chars().take(SHOWN - length));
            return shown + "...";
        }
        shown.push_str(blank);
        shown.push(c);
        length += blank.len() + 1;
    }
    shown
}
