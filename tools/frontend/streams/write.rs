//! Translation of typed equations to MLIR text: one `stream.node` for each combination of node, static arguments and
//! types.
//!
//! The location of an op is its position in the source, and streams keep their names.

use super::Source;
use super::elaborate::{Equation, Instance, Op, Program, Var};
use super::functions::Function;
use super::types::{Kind, Shape, Type};
use crate::mlir;
use mlopt_dialects::ops::Kind as OpKind;
use mlopt_dialects::primitives::{Computation, Notation, Primitive, named};
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// Returns the module. Callees come before their users, in the order of the text.
///
/// # Errors
/// E-CAUSALITY for streams that are defined as themselves.
pub fn write(program: &Program, types: &[Type], float: Element, source: &Source) -> Result<String, Vec<Problem>> {
    let symbols = symbols(program, types);
    let mut instances: BTreeMap<(usize, &str), &Instance> = BTreeMap::new();
    for (instance, symbol) in program.instances.iter().zip(&symbols) {
        instances.entry((instance.node, symbol)).or_insert(instance);
    }
    let mut module = String::new();
    let mut errors = Vec::new();
    for ((_, symbol), instance) in instances {
        match Writer::new(program, instance, types, float, source, &symbols) {
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
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut used: HashSet<String> = program.nodes.iter().map(|n| n.name.text.clone()).collect();
    let mut names: Vec<String> = vec![String::new(); versions.len()];
    // The outermost node keeps its name, and so does a node with a single version.
    names[version[0]] = program.nodes[program.instances[0].node].name.text.clone();
    for (k, (node, suffix)) in versions.iter().enumerate() {
        let name = &program.nodes[*node].name.text;
        if !names[k].is_empty() {
            continue;
        }
        if count[node] == 1 {
            names[k] = name.clone();
            continue;
        }
        let first = format!("{name}{suffix}");
        let next = numbers.entry(first.clone()).or_default();
        while names[k].is_empty() {
            let name = if *next == 0 { first.clone() } else { format!("{first}_{next}") };
            *next += 1;
            if used.insert(name.clone()) {
                names[k] = name;
            }
        }
    }
    version.into_iter().map(|v| names[v].clone()).collect()
}

/// The maximum number of characters of an expression in messages.
const SHOWN: usize = 60;

struct Writer<'a> {
    program: &'a Program<'a>,
    instance: &'a Instance,
    types: &'a [Type],
    float: Element,
    source: &'a Source<'a>,
    symbols: &'a [String],
    /// The variable that each variable is an alias of, itself for most.
    stands_for: HashMap<Var, Var>,
    /// Unnamed constants. They are written at each use, in the shape that is required there.
    literals: HashMap<Var, &'a Op>,
    /// The numbers of values without a name.
    numbers: HashMap<Var, usize>,
    next: usize,
    out: String,
    indent: usize,
}

impl<'a> Writer<'a> {
    fn new(
        program: &'a Program<'a>,
        instance: &'a Instance,
        types: &'a [Type],
        float: Element,
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
                Op::Constant(_) | Op::Fill(..) if program.vars[result].name.is_none() => {
                    literals.insert(result, &e.op);
                }
                _ => {}
            }
        }
        let stands_for = program.origins(instance.vars.clone(), &same)?;
        Ok(Writer {
            program,
            instance,
            types,
            float,
            source,
            symbols,
            stands_for,
            literals,
            numbers: HashMap::new(),
            next: 0,
            out: String::new(),
            indent: 1,
        })
    }

    fn node(mut self, symbol: &str) -> String {
        let node = &self.program.nodes[self.instance.node];
        let parameter = |s: &mut Self, v: Var| {
            let at = s.location(s.program.vars[v].at, None);
            format!("{}: {} {at}", s.ssa(v), s.ty(v))
        };
        let inputs: Vec<String> = self.instance.inputs.iter().map(|&v| parameter(&mut self, v)).collect();
        let named = node.outputs.iter().zip(&self.instance.outputs);
        let outputs: Vec<String> = named.map(|(n, &v)| format!("{}: {}", n.text, self.ty(v))).collect();
        for e in &self.instance.equations {
            self.equation(e);
        }
        let results: Vec<String> = self.instance.outputs.iter().map(|&v| self.operand(v, None)).collect();
        let types: Vec<String> = self.instance.outputs.iter().map(|&v| self.ty(v)).collect();
        let yielded =
            if results.is_empty() { String::new() } else { format!(" {} : {}", results.join(", "), types.join(", ")) };
        let at = self.location_of(node.name.at, None, Some(format!("node `{}`", node.name.text)));
        let _ = writeln!(self.out, "  stream.yield{yielded} {at}");
        let aliases: Vec<String> = self
            .instance
            .vars
            .clone()
            .filter(|v| self.stands_for[v] != *v)
            .filter_map(|v| {
                let name = self.program.vars[v].name.as_ref()?;
                let of = self.program.vars[self.stands_for[&v]].name.as_ref()?;
                Some(format!("\"{name} = {of}\""))
            })
            .collect();
        let aliases = match aliases.is_empty() {
            true => String::new(),
            false => format!(" {{stream.aliases = [{}]}}", aliases.join(", ")),
        };
        let (inputs, outputs) = (inputs.join(", "), outputs.join(", "));
        format!("stream.node @{symbol}({inputs}) -> ({outputs}) {{\n{}}}{aliases} {at}\n", self.out)
    }

    fn location(&self, at: Span, names: Option<&str>) -> String {
        self.location_of(at, names, self.phrase(at))
    }

    fn location_of(&self, at: Span, names: Option<&str>, phrase: Option<String>) -> String {
        let names: Vec<&str> = names.into_iter().chain(phrase.as_deref()).collect();
        mlir::location(self.source.name, at, &names)
    }

    /// Formats an expression for messages: `` `x + y` in `z` ``.
    fn phrase(&self, at: Span) -> Option<String> {
        let equation = self.program.nodes[self.instance.node].equation(at)?;
        Some(format!("`{}` in `{}`", shown(&self.source.text[at.start..at.end]), equation.name()))
    }

    fn ty(&self, v: Var) -> String {
        self.type_text(&self.types[v])
    }

    fn type_text(&self, ty: &Type) -> String {
        ty.text(self.float)
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
        let _ = writeln!(self.out, "{:1$}{text} {location}", "", 2 * self.indent);
    }

    /// Returns an operand, broadcast to `shape` if given.
    fn operand(&mut self, v: Var, shape: Option<&Shape>) -> String {
        let of = self.stands_for[&v];
        let own = self.types[of].clone();
        let wanted = Type { kind: own.kind, shape: shape.cloned().unwrap_or_else(|| own.shape.clone()) };
        let at = self.program.vars[of].at;
        if let Some(literal) = self.literals.get(&of) {
            let value = match literal {
                Op::Constant(value) => *value,
                Op::Fill(x, _) => Number::Float(*x),
                _ => unreachable!("only these are literals"),
            };
            return self.constant(value, &wanted, at, None);
        }
        let ssa = self.ssa(of);
        if own.shape == wanted.shape {
            return ssa;
        }
        // The axes are added one by one, innermost first, by ops that have derivatives.
        let (mut value, mut from) = (ssa, own);
        for &size in wanted.shape.iter().rev() {
            let to = Type { kind: from.kind, shape: [&[size], &from.shape[..]].concat() };
            let (next, [of, ty]) = (self.number(), [&from, &to].map(|ty| self.type_text(ty)));
            self.line(&format!("{next} = array.replicate {value} : ({of}) -> {ty}"), at, None);
            (value, from) = (next, to);
        }
        value
    }

    /// Writes a literal, or a named constant, which has one clock.
    fn constant(&mut self, value: Number, ty: &Type, at: Span, result: Option<(&str, &str)>) -> String {
        let (ssa, name, op) = match result {
            Some((ssa, name)) => (ssa.to_string(), Some(name), OpKind::StreamConstant.name()),
            None => (self.number(), None, OpKind::ArithConstant.name()),
        };
        let number = match value {
            Number::Bool(b) => b.to_string(),
            Number::Int(n) => n.to_string(),
            Number::Float(x) => mlir::float(x, Element::F64),
        };
        let text = self.type_text(ty);
        let attribute = match (value, ty.shape.is_empty()) {
            (Number::Bool(_), true) => number,
            _ => format!("{} : {text}", mlir::splat(&number, ty.shape.len())),
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
        let name = self.program.vars[r].name.clone();
        let ssa = self.ssa(r);
        let ty = self.types[r].clone();
        let text = self.type_text(&ty);
        let same = |s: &mut Self| e.args.iter().map(|&a| s.operand(a, None)).collect::<Vec<_>>().join(", ");
        let op = match &e.op {
            Op::Constant(value) => {
                self.constant(*value, &ty, e.at, name.as_deref().map(|n| (ssa.as_str(), n)));
                return;
            }
            Op::Fill(x, _) => {
                self.constant(Number::Float(*x), &ty, e.at, name.as_deref().map(|n| (ssa.as_str(), n)));
                return;
            }
            Op::Initial(name, method, _) => format!("stream.initial {name:?} {method:?} : {text}"),
            Op::Param(name) => format!("stream.param {name:?} {} : {text}", same(self)),
            Op::Fby => format!("stream.fby {} : {text}", same(self)),
            Op::Post => format!("stream.post {} : {text}", same(self)),
            Op::When(holds) => {
                let (x, c) = (self.operand(e.args[0], None), self.operand(e.args[1], None));
                format!("stream.when {x}, {}{c} : {text}", if *holds { "" } else { "not " })
            }
            Op::Merge => format!("stream.merge {} : {text}", same(self)),
            Op::Optimiser(name, node) => {
                let rate = self.ty(e.args[2]);
                format!("stream.instance {name:?} @{node}({}) : ({text}, {text}, {rate}) -> {text}", same(self))
            }
            Op::Select => format!("stream.select {} : {text}", same(self)),
            Op::Pointwise(p) => self.pointwise(p, e, &ty),
            Op::Function(f) => self.function(f, e, &ty),
            Op::Same | Op::Instance(..) => unreachable!("written above"),
        };
        self.line(&format!("{ssa} = {op}"), e.at, name.as_deref());
    }

    fn instance(&mut self, e: &Equation, name: &str, callee: usize) {
        let mut ssa = Vec::new();
        let mut names = Vec::new();
        for &r in &e.results {
            names.push(self.program.vars[r].name.clone().unwrap_or_default());
            ssa.push(self.ssa(r));
        }
        let args: Vec<String> = e.args.iter().map(|&a| self.operand(a, None)).collect();
        let of = &self.program.instances[callee];
        let list = |vars: &[Var]| vars.iter().map(|&v| self.ty(v)).collect::<Vec<_>>().join(", ");
        let ty = format!("({}) -> ({})", list(&of.inputs), list(&of.outputs));
        let results = if ssa.is_empty() { String::new() } else { format!("{} = ", ssa.join(", ")) };
        let (symbol, args) = (&self.symbols[callee], args.join(", "));
        let text = format!("{results}stream.instance {name:?} @{symbol}({args}) : {ty}");
        let is_named = names.iter().any(|n| !n.is_empty());
        self.line(&text, e.at, is_named.then(|| names.join(", ")).as_deref());
    }

    fn pointwise(&mut self, p: &Primitive, e: &Equation, ty: &Type) -> String {
        let kind = self.types[e.args[0]].kind;
        let of = Type { kind, shape: ty.shape.clone() };
        let operands: Vec<String> = e.args.iter().map(|&a| self.operand(a, Some(&ty.shape))).collect();
        let (list, text) = (operands.join(", "), self.type_text(&of));
        let name = p.name(Notation::Streams);
        let mut same = named(Notation::Streams, name).filter(|q| q.arity == p.arity);
        let primitive = same.find(|q| q.elements == kind.elements()).expect("types are checked");
        match primitive.computation {
            Computation::Op(kind) => format!("{kind} {list} : {text}"),
            Computation::CompareFloats(p) => format!("arith.cmpf {}, {list} : {text}", p.text()),
            Computation::CompareIntegers(p) => format!("arith.cmpi {}, {list} : {text}", p.text()),
            Computation::Several => self.several(name, &list, &of, e.at),
        }
    }

    /// Writes a primitive of one operand that is several ops, and returns the last one.
    fn several(&mut self, name: &str, x: &str, ty: &Type, at: Span) -> String {
        let text = self.type_text(ty);
        match name {
            "-" => {
                let zero = self.constant(Number::Int(0), ty, at, None);
                format!("arith.subi {zero}, {x} : {text}")
            }
            "not" => {
                let all = self.constant(Number::Bool(true), ty, at, None);
                format!("arith.xori {x}, {all} : {text}")
            }
            "sigmoid" => {
                let one = self.constant(Number::Float(1.0), ty, at, None);
                let negated = self.step(format!("arith.negf {x} : {text}"), at);
                let power = self.step(format!("math.exp {negated} : {text}"), at);
                let sum = self.step(format!("arith.addf {one}, {power} : {text}"), at);
                format!("arith.divf {one}, {sum} : {text}")
            }
            "relu" => {
                // NaN is preserved.
                let zero = self.constant(Number::Float(0.0), ty, at, None);
                let is_cut = self.step(format!("arith.cmpf ole, {x}, {zero} : {text}"), at);
                let condition = match ty.shape.is_empty() {
                    true => String::new(),
                    false => format!("{}, ", self.type_text(&Type { kind: Kind::Bool, shape: ty.shape.clone() })),
                };
                format!("arith.select {is_cut}, {zero}, {x} : {condition}{text}")
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

    fn function(&mut self, f: &Function, e: &Equation, ty: &Type) -> String {
        let types: Vec<Type> = e.args.iter().map(|&a| self.types[a].clone()).collect();
        let texts: Vec<String> = types.iter().map(|t| self.type_text(t)).collect();
        let x: Vec<String> = e.args.iter().map(|&a| self.operand(a, None)).collect();
        let result = self.type_text(ty);
        let at = e.at;
        match f {
            Function::Sum => {
                let axes: Vec<String> = (0..types[0].shape.len()).map(|k| k.to_string()).collect();
                format!("array.sum {} axes [{}] : ({}) -> {result}", x[0], axes.join(", "), texts[0])
            }
            Function::Matmul => self.matmul(&types, &x, ty, at),
            Function::Outer => {
                let [i, j, u, v, p] = std::array::from_fn(|_| self.number());
                let (m, n) = (ty.shape[0], ty.shape[1]);
                let (scalar, mul) = self.scalar_product(ty);
                format!(
                    "array.build ({i} < {m}, {j} < {n}) -> ({result}) {{ \
                     {u} = array.get {}[{i}] : ({}) -> {scalar} {v} = array.get {}[{j}] : ({}) -> {scalar} \
                     {p} = {mul} {u}, {v} : {scalar} array.yield {p} : {scalar} }}",
                    x[0], texts[0], x[1], texts[1]
                )
            }
            Function::Transpose => format!("array.transpose {} [1, 0] : ({}) -> {result}", x[0], texts[0]),
            Function::Concat => {
                format!("array.append {}, {} : ({}, {}) -> {result}", x[0], x[1], texts[0], texts[1])
            }
            Function::Reshape(_) => format!("array.reshape {} : ({}) -> {result}", x[0], texts[0]),
            Function::Slice(low, _) => {
                let low = self.index(*low, at);
                format!("array.slice {} from {low} : ({}) -> {result}", x[0], texts[0])
            }
            Function::Index(k) => {
                let k = self.index(*k, at);
                format!("array.get {}[{k}] : ({}) -> {result}", x[0], texts[0])
            }
            Function::Stack => format!("array.stack {} : ({}) -> {result}", x.join(", "), texts.join(", ")),
        }
    }

    /// Returns the type of an element, and the multiplication op of that type.
    fn scalar_product(&self, ty: &Type) -> (String, &'static str) {
        let scalar = self.type_text(&Type { kind: ty.kind, shape: vec![] });
        (scalar, if ty.kind == Kind::Float { OpKind::ArithMulf.name() } else { OpKind::ArithMuli.name() })
    }

    fn matmul(&mut self, types: &[Type], x: &[String], ty: &Type, at: Span) -> String {
        let (kind, inner) = (ty.kind, types[0].shape[1]);
        let row_text = self.type_text(&Type { kind, shape: vec![inner] });
        let (scalar, mul) = self.scalar_product(ty);
        let (matrix, result) = (self.type_text(&types[0]), self.type_text(ty));
        let [i, row, p, s] = std::array::from_fn(|_| self.number());
        let mut space = format!("{i} < {}", ty.shape[0]);
        let mut column = x[1].clone();
        let mut read = String::new();
        if let &[_, columns] = &ty.shape[..] {
            let (before, turned_text) =
                (self.type_text(&types[1]), self.type_text(&Type { kind, shape: vec![columns, inner] }));
            let turned = self.step(format!("array.transpose {column} [1, 0] : ({before}) -> {turned_text}"), at);
            let j = self.number();
            column = self.number();
            let _ = write!(space, ", {j} < {columns}");
            let _ = write!(read, "{column} = array.get {turned}[{j}] : ({turned_text}) -> {row_text} ");
        }
        format!(
            "array.build ({space}) -> ({result}) {{ {row} = array.get {}[{i}] : ({matrix}) -> {row_text} {read}\
             {p} = {mul} {row}, {column} : {row_text} {s} = array.sum {p} : ({row_text}) -> {scalar} \
             array.yield {s} : {scalar} }}",
            x[0]
        )
    }
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
