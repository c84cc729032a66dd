//! Translation of typed equations to a module: one `stream.node` for each combination of node, static arguments and
//! types.
//!
//! The location of an op is its position in the source, and streams keep their names.

use super::Source;
use super::elaborate::{self, Equation, Instance, Op, Var};
use super::functions::Function;
use super::types::{self, element};
use crate::mlir::{self, Taken, product};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Block, Builder, Context, Dim, Location, Type, Value};
use mlopt_dialects::ops::{CmpFPredicate, Kind, Symbol, stream};
use mlopt_dialects::primitives::{Elements, Notation, Primitive, named};
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::text::{Problem, Span};
use mlopt_dialects::value::Element;
use mlopt_passes::streams::nodes::names;
use std::collections::{BTreeMap, HashMap};

/// Returns the module, whose floats have the type `float`. Callees come before their users, in the order of the text.
///
/// # Errors
/// E-CAUSALITY for streams that are defined as themselves.
pub fn write(
    program: &elaborate::Program,
    types: &[types::Type],
    float: Element,
    source: &Source,
) -> Result<Program, Vec<Problem>> {
    let written = Program::empty(source.name).expect("an empty text is a module");
    let module = written.module();
    let context = module.context();
    context.load_dialects(&["arith", "array", "math", "stream"]);
    let in_context = |ty: &types::Type| {
        let sizes: Vec<Dim> = ty.shape.iter().map(|&n| Some(n as usize)).collect();
        Type::array(&sizes, context.scalar(element(ty.kind, float)))
    };
    let types: Vec<Type> = types.iter().map(in_context).collect();
    let symbols = symbols(program, &types);
    let mut instances: BTreeMap<(usize, &str), &Instance> = BTreeMap::new();
    for (instance, symbol) in program.instances.iter().zip(&symbols) {
        instances.entry((instance.node, symbol)).or_insert(instance);
    }
    let mut errors = Vec::new();
    for ((_, symbol), instance) in instances {
        match Writer::new(context, program, instance, &types, source, &symbols) {
            Ok(writer) => writer.node(symbol, module.entry()),
            Err(circular) => errors.extend(circular),
        }
    }
    if errors.is_empty() { Ok(written) } else { Err(errors) }
}

/// Returns the symbol of each instance. Instances with the same node, static arguments and types share one.
fn symbols(program: &elaborate::Program, types: &[Type]) -> Vec<String> {
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
    program: &'a elaborate::Program<'a>,
    instance: &'a Instance,
    types: &'a [Type],
    source: &'a Source<'a>,
    symbols: &'a [String],
    /// The variable that each variable is an alias of, itself for most.
    stands_for: HashMap<Var, Var>,
    /// Unnamed constants. They are created at each use, in the shape that is required there.
    literals: HashMap<Var, Number>,
    /// The values of streams. Before its equation, the value of a stream is an argument of the block `later`.
    values: HashMap<Var, Value>,
    later: Block,
    /// The insertion point at the end of the node's body, with the location of the node.
    b: Builder,
}

impl<'a> Writer<'a> {
    fn new(
        context: Context,
        program: &'a elaborate::Program<'a>,
        instance: &'a Instance,
        types: &'a [Type],
        source: &'a Source<'a>,
        symbols: &'a [String],
    ) -> Result<Writer<'a>, Vec<Problem>> {
        let mut same: HashMap<Var, Var> = HashMap::new();
        let mut literals = HashMap::new();
        for e in &instance.equations {
            let &[result] = &e.results[..] else { continue };
            match &e.op {
                Op::Same => drop(same.insert(result, e.args[0])),
                Op::Function(_, Function::Sum) if types[e.args[0]].rank() == 0 => drop(same.insert(result, e.args[0])),
                Op::Function(_, Function::Reshape(_)) if types[result] == types[e.args[0]] => {
                    same.insert(result, e.args[0]);
                }
                Op::Constant(value, _) if program.vars[result].name.is_none() => {
                    literals.insert(result, *value);
                }
                _ => {}
            }
        }
        let stands_for = program.origins(instance.vars.clone(), &same)?;
        let name = &program.nodes[instance.node].name;
        let phrase = format!("node `{}`", name.text);
        let location = mlir::location(context, source.name, name.at, &[&phrase]);
        Ok(Writer {
            program,
            instance,
            types,
            source,
            symbols,
            stands_for,
            literals,
            values: HashMap::new(),
            later: Block::new(&[]),
            b: Builder::at_end(Block::new(&[]), location),
        })
    }

    /// Creates the node at the end of the block `module`.
    fn node(mut self, symbol: &str, module: Block) {
        let (instance, all) = (self.instance, self.types);
        for &v in &instance.inputs {
            let input = self.b.block.add_argument(all[v], self.location(self.program.vars[v].at));
            self.values.insert(v, input);
        }
        for e in &instance.equations {
            self.equation(e);
        }
        let results: Vec<Value> = instance.outputs.iter().map(|&v| self.operand(v, all[v])).collect();
        stream::Yield::create(self.b, &results);
        self.later.erase();
        let [inputs, outputs] =
            [&instance.inputs, &instance.outputs].map(|vars| vars.iter().map(|&v| all[v]).collect::<Vec<_>>());
        let ty = self.b.context().function_type(&inputs, &outputs);
        let node = &self.program.nodes[instance.node];
        let [inputs, outputs] =
            [&node.inputs, &node.outputs].map(|names| names.iter().map(|n| n.text.clone()).collect::<Vec<_>>());
        let b = Builder::at_end(module, self.b.location);
        let node = stream::Node::create(b, symbol, ty, &inputs, &outputs, self.b.block);
        let aliases = instance.vars.clone().filter(|v| self.stands_for[v] != *v).filter_map(|v| {
            let [name, of] = [v, self.stands_for[&v]].map(|v| self.program.vars[v].name.clone());
            name.zip(of)
        });
        names::add_aliases(node.op(), aliases.collect());
    }

    /// Returns the location of an expression.
    fn location(&self, at: Span) -> Location {
        let phrase = self.phrase(at);
        mlir::location(self.b.context(), self.source.name, at, phrase.as_deref().as_slice())
    }

    /// Returns the insertion point, with the location of an expression.
    fn at(&self, at: Span) -> Builder {
        self.b.at(self.location(at))
    }

    /// Formats an expression for messages: `` `x + y` (in the equation of `z`) ``.
    fn phrase(&self, at: Span) -> Option<String> {
        let equation = self.program.nodes[self.instance.node].equation(at)?;
        Some(format!("`{}` (in the equation of `{}`)", shown(&self.source.text[at.start..at.end]), equation.name()))
    }

    /// Returns an operand, broadcast to the shape of `like`.
    fn operand(&mut self, v: Var, like: Type) -> Value {
        let of = self.stands_for[&v];
        let (own, at, shape) = (self.types[of], self.program.vars[of].at, like.shape());
        if let Some(&number) = self.literals.get(&of) {
            let ty = Type::array(&shape, own.scalar());
            return self.at(at).constant(mlir::constant(number, ty), ty);
        }
        let value = *self.values.entry(of).or_insert_with(|| self.later.add_argument(own, self.b.location));
        if own.shape() == shape {
            return value;
        }
        // The axes are added one by one, innermost first, by ops that have derivatives.
        let b = self.at(at);
        shape.into_iter().rev().fold(value, |x, n| b.replicate(x, n, x))
    }

    /// Sets the value of a stream, also in the equations before its own.
    fn define(&mut self, v: Var, value: Value) {
        if let Some(earlier) = self.values.insert(v, value) {
            earlier.replace_all_uses_with(value);
        }
    }

    fn equation(&mut self, e: &Equation) {
        let r = e.results[0];
        if self.stands_for[&r] != r || self.literals.contains_key(&r) {
            return;
        }
        let (b, ty) = (self.at(e.at), self.types[r]);
        let is_pointwise = matches!(e.op, Op::Pointwise(_));
        let operand = |&a: &Var| self.operand(a, if is_pointwise { ty } else { self.types[a] });
        let x: Vec<Value> = e.args.iter().map(operand).collect();
        let value = match &e.op {
            Op::Constant(number, _) => stream::Constant::create(b, mlir::constant(*number, ty), ty).y(),
            Op::Pointwise(p) => pointwise(b, p, &x),
            Op::Initial(name, method, _) => stream::Initial::create(b, name, method, ty).y(),
            Op::Param(name) => stream::Param::create(b, x[0], name, ty).y(),
            Op::Fby => b.unary(Kind::StreamFby, &x, ty),
            Op::Post => b.unary(Kind::StreamPost, &x, ty),
            Op::When(true) => b.unary(Kind::StreamWhen, &x, ty),
            Op::When(false) => stream::When::create(b, x[0], x[1], ty).with_negated().y(),
            Op::Merge => b.unary(Kind::StreamMerge, &x, ty),
            Op::Select => b.unary(Kind::StreamSelect, &x, ty),
            Op::Function(_, f) => function(b, f, &x, ty),
            Op::Optimiser(name, node) => return self.instance(b, e, &x, name, node),
            Op::Instance(name, callee) => return self.instance(b, e, &x, name, &self.symbols[*callee]),
            // The result stands for the operand.
            Op::Same => return,
        };
        if let Some(name) = &self.program.vars[r].name {
            value.suggest_name(name);
        }
        self.define(r, value);
    }

    fn instance(&mut self, b: Builder, e: &Equation, x: &[Value], name: &str, callee: &str) {
        let types: Vec<Type> = e.results.iter().map(|&r| self.types[r]).collect();
        let op = stream::Instance::create(b, x, name, &Symbol(callee.into()), &types);
        let names = e.results.iter().map(|&r| self.program.vars[r].name.as_deref().unwrap_or_default());
        let names: Vec<&str> = names.collect();
        if names.iter().any(|name| !name.is_empty()) {
            op.set_location(b.location.named(&names.join(", ")));
        }
        for (&r, value) in e.results.iter().zip(op.results()) {
            self.define(r, value);
        }
    }
}

/// Creates a primitive whose operands have one type.
fn pointwise(b: Builder, p: &Primitive, x: &[Value]) -> Value {
    let name = p.name(Notation::Streams);
    let elements = x[0].ty().element().map(Elements::of);
    let mut same = named(Notation::Streams, name).filter(|q| q.arity == p.arity);
    let primitive = same.find(|q| Some(q.elements) == elements).expect("types are checked");
    mlir::primitive(b, primitive, x, || several(b, name, x[0]))
}

/// Creates a primitive of one operand that is several ops.
fn several(b: Builder, name: &str, x: Value) -> Value {
    let ty = x.ty();
    let constant = |number| b.constant(mlir::constant(number, ty), ty);
    match name {
        "-" => b.unary(Kind::ArithSubi, &[constant(Number::Int(0)), x], ty),
        "not" => b.unary(Kind::ArithXori, &[x, constant(Number::Bool(true))], ty),
        "sigmoid" => {
            let one = constant(Number::Float(1.0));
            let negated = b.unary(Kind::ArithNegf, &[x], ty);
            let power = b.unary(Kind::MathExp, &[negated], ty);
            let sum = b.unary(Kind::ArithAddf, &[one, power], ty);
            b.unary(Kind::ArithDivf, &[one, sum], ty)
        }
        "relu" => {
            // NaN is preserved.
            let zero = constant(Number::Float(0.0));
            b.select(b.compare_floats(CmpFPredicate::Ole, x, zero), zero, x)
        }
        _ => unreachable!("no other primitive of streams is several ops"),
    }
}

/// Creates a function of whole arrays, with a result of type `ty`.
fn function(b: Builder, f: &Function, x: &[Value], ty: Type) -> Value {
    match f {
        Function::Sum => b.sum_axes(x[0], &(0..x[0].ty().rank()).collect::<Vec<_>>()),
        Function::Matmul => {
            let sizes = ty.shape();
            // The columns of a matrix are the rows of its transpose.
            let columns = if sizes.len() == 2 { b.transpose(x[1], &[1, 0]) } else { x[1] };
            let element = |b: Builder, at: &[Value]| {
                let row = b.get(x[0], &at[..1]);
                let column = if at.len() == 2 { b.get(columns, &at[1..]) } else { columns };
                vec![b.sum(product(b, row, column))]
            };
            b.build(&sizes, &[], element)[0]
        }
        Function::Outer => {
            let element = |b: Builder, at: &[Value]| {
                let (u, v) = (b.get(x[0], &at[..1]), b.get(x[1], &at[1..]));
                vec![product(b, u, v)]
            };
            b.build(&ty.shape(), &[], element)[0]
        }
        Function::Transpose => b.transpose(x[0], &[1, 0]),
        Function::Concat => b.append(x[0], x[1]),
        Function::Reshape(_) => b.unary(Kind::ArrayReshape, x, ty),
        Function::Slice(low, _) => b.slice(x[0], b.index(*low as i64), ty.shape()[0], None),
        Function::Index(k) => b.get(x[0], &[b.index(*k as i64)]),
        Function::Stack => b.stack(x),
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
