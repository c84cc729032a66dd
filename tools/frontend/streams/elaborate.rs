//! Elaboration (`spec/streams.md` 5.1): expands a node and all its instances to equations with one operation each, and
//! evaluates static arguments.

use super::functions::{self, Function, Meaning, Static};
use super::syntax::{self, Expr, ExprKind, Name, Node};
use super::types::Shape;
use crate::mlir::Taken;
use mlopt_dialects::primitives::{Notation, Primitive};
use mlopt_dialects::stream::OPTIMISERS;
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::text::{Problem, Span};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

pub type Var = usize;

#[derive(Clone, Debug)]
pub enum Op {
    /// An array of this shape whose elements all have this value.
    Constant(Number, Shape),
    /// An array that is created once: its name, its initialiser, and its shape.
    Initial(String, String, Shape),
    Pointwise(&'static Primitive),
    /// A function, preceded by its name in messages.
    Function(&'static str, Function),
    Param(String),
    Fby,
    Post,
    /// The first operand, sampled where the condition, operand 1, has this value.
    When(bool),
    /// Operands: the condition, the value where it is true, the value where it is false.
    Merge,
    Select,
    /// An alias of its operand.
    Same,
    /// The name and the number of an instance.
    Instance(String, usize),
    /// An instance of a built-in optimiser: its name, and the node. Operands: parameter, gradient, rate.
    Optimiser(String, &'static str),
}

#[derive(Clone, Debug)]
pub struct Equation {
    pub op: Op,
    pub args: Vec<Var>,
    pub results: Vec<Var>,
    pub at: Span,
}

/// One instance of a node. Each instance has variables of its own.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The number of the node.
    pub node: usize,
    pub statics: Vec<Static>,
    /// The path with a final point; empty for the outermost instance.
    pub path: String,
    /// The variables of the instance, which are contiguous.
    pub vars: Range<Var>,
    pub inputs: Vec<Var>,
    pub outputs: Vec<Var>,
    pub equations: Vec<Equation>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// `None` for a variable without a name in the text.
    pub name: Option<String>,
    pub at: Span,
}

/// The outermost instance comes first. Other instances follow the one that contains them.
pub struct Program<'a> {
    pub nodes: &'a [Node],
    pub vars: Vec<Variable>,
    pub instances: Vec<Instance>,
}

/// The maximum number of equations. Nodes that instantiate each other can double the number at each level.
const MOST: usize = 1_000_000;
/// The maximum number of elements of an array.
const MOST_ELEMENTS: u64 = 1 << 31;

/// Elaborates the node `root`. `nodes` must have been checked, and `statics` has one argument for each static
/// parameter.
pub fn elaborate(nodes: &[Node], root: usize, statics: Vec<Static>) -> Result<Program<'_>, Vec<Problem>> {
    let by_name = nodes.iter().enumerate().map(|(k, n)| (n.name.text.as_str(), k)).collect();
    let program = Program { nodes, vars: vec![], instances: vec![] };
    let mut elaborator = Elaborator { by_name, program, errors: vec![], equations: 0 };
    elaborator.instance(root, statics, String::new(), nodes[root].name.at);
    if elaborator.errors.is_empty() { Ok(elaborator.program) } else { Err(elaborator.errors) }
}

struct Elaborator<'a> {
    by_name: HashMap<&'a str, usize>,
    program: Program<'a>,
    errors: Vec<Problem>,
    equations: usize,
}

/// The scope of the current instance.
#[derive(Default)]
struct Scope<'a> {
    variables: HashMap<&'a str, Var>,
    statics: HashMap<&'a str, Static>,
    /// The names of variables, parameters, initial values and instances.
    names: Taken,
    path: String,
    equations: Vec<Equation>,
    /// Instances that are elaborated after all variables of this one exist: equation, node, static arguments, name,
    /// place.
    waiting: Vec<(usize, usize, Vec<Static>, String, Span)>,
}

impl Scope<'_> {
    /// Returns a name derived from `base` that is unused in this instance; the name of a variable itself for the
    /// definition of its equation.
    fn name(&mut self, base: &str, is_direct: bool) -> String {
        if is_direct && self.variables.contains_key(base) { base.to_string() } else { self.names.unique(base) }
    }
}

/// The target of an expression: the results of its equation, the base of derived names, and whether the expression is
/// the whole right side of the equation.
struct Target<'t> {
    results: Vec<Var>,
    name: &'t str,
    is_direct: bool,
}

impl<'a> Elaborator<'a> {
    fn fail(&mut self, code: &'static str, at: Span, text: impl Into<String>) {
        self.errors.push(Problem::with_code(code, at, text));
    }

    fn variable(&mut self, name: Option<&str>, at: Span) -> Var {
        self.program.vars.push(Variable { name: name.map(str::to_string), at });
        self.program.vars.len() - 1
    }

    fn instance(&mut self, number: usize, statics: Vec<Static>, path: String, at: Span) -> usize {
        let node = &self.program.nodes[number];
        let first = self.program.vars.len();
        let here = self.program.instances.len();
        self.equations += node.equations.len();
        if self.equations > MOST {
            if self.errors.is_empty() {
                let text = format!("after all nodes are expanded, the program has more than {MOST} equations");
                self.fail("E-RECURSION", at, text);
            }
            return here;
        }
        let given = node.statics.iter().map(|n| n.text.as_str()).zip(statics.iter().cloned());
        let mut scope = Scope { statics: given.collect(), path, ..Scope::default() };
        let mut declare = |n: &'a Name| {
            let v = self.variable(Some(&n.text), n.at);
            scope.variables.insert(&n.text, v);
            scope.names.unique(&n.text);
            v
        };
        let inputs: Vec<Var> = node.inputs.iter().map(&mut declare).collect();
        let results = node.equations.iter().flat_map(|e| &e.results).filter(|n| n.text != "_");
        results.for_each(|n| {
            declare(n);
        });
        for e in &node.equations {
            // A discarded result is a stream like others: its equation has types and clocks.
            let result = |n: &Name| match n.text.as_str() {
                "_" => self.variable(None, n.at),
                name => scope.variables[name],
            };
            let results: Vec<Var> = e.results.iter().map(result).collect();
            self.equation(&mut scope, Target { results, name: e.name(), is_direct: true }, &e.value);
        }
        let outputs = node.outputs.iter().filter_map(|n| scope.variables.get(n.text.as_str()).copied()).collect();
        let vars = first..self.program.vars.len();
        let Scope { equations, waiting, path, .. } = scope;
        let prefix = path.clone();
        self.program.instances.push(Instance { node: number, statics, path, vars, inputs, outputs, equations });
        for (equation, node, statics, name, at) in waiting {
            let number = self.instance(node, statics, format!("{prefix}{name}."), at);
            self.program.instances[here].equations[equation].op = Op::Instance(name, number);
        }
        here
    }

    fn operand(&mut self, scope: &mut Scope<'a>, name: &str, e: &'a Expr) -> Var {
        if let ExprKind::Variable(name) = &e.kind {
            return scope.variables[name.as_str()];
        }
        let v = self.variable(None, e.at);
        self.equation(scope, Target { results: vec![v], name, is_direct: false }, e);
        v
    }

    fn equation(&mut self, scope: &mut Scope<'a>, target: Target, e: &'a Expr) {
        let negated = match (&e.kind, &e.args[..]) {
            (ExprKind::Operator(p), [Expr { kind: ExprKind::Number(number), .. }])
                if p.name(Notation::Streams) == "-" =>
            {
                match number {
                    Number::Int(n) => Some(Number::Int(-n)),
                    Number::Float(x) => Some(Number::Float(-x)),
                    Number::Bool(_) => None,
                }
            }
            _ => None,
        };
        let operands: &[Expr] = if negated.is_some() { &[] } else { &e.args[..] };
        let mut args: Vec<Var> = operands.iter().map(|a| self.operand(scope, target.name, a)).collect();
        let op = match &e.kind {
            ExprKind::Number(number) => Op::Constant(*number, vec![]),
            ExprKind::Variable(name) => {
                args.push(scope.variables[name.as_str()]);
                Op::Same
            }
            ExprKind::Stack => Op::Function("[a, b, ...]", Function::Stack),
            ExprKind::If => Op::Select,
            ExprKind::Operator(p) => negated.map_or(Op::Pointwise(p), |number| Op::Constant(number, vec![])),
            ExprKind::Fby => Op::Fby,
            ExprKind::Post => Op::Post,
            ExprKind::When(condition, holds) => {
                args.push(scope.variables[condition.text.as_str()]);
                Op::When(*holds)
            }
            ExprKind::Merge(condition) => {
                args.insert(0, scope.variables[condition.text.as_str()]);
                Op::Merge
            }
            ExprKind::Index(k) => Op::Function("x[k]", Function::Index(*k)),
            ExprKind::Call(name, statics) => return self.call(scope, target, name, statics, args, e.at),
        };
        scope.equations.push(Equation { op, args, results: target.results, at: e.at });
    }

    fn call(
        &mut self,
        scope: &mut Scope<'a>,
        target: Target,
        name: &'a Name,
        statics: &'a [syntax::Static],
        args: Vec<Var>,
        at: Span,
    ) {
        let given: Option<Vec<Static>> = statics.iter().map(|s| self.evaluate(scope, s, name.at)).collect();
        let Some(given) = given else { return };
        let mut equation = Equation { op: Op::Same, args, results: target.results, at };
        if let Some(&node) = self.by_name.get(name.text.as_str()) {
            let name = scope.name(target.name, target.is_direct);
            scope.waiting.push((scope.equations.len(), node, given, name, at));
            return scope.equations.push(equation);
        }
        if let Some(node) = OPTIMISERS.iter().find(|o| **o == name.text) {
            equation.op = Op::Optimiser(scope.name(target.name, target.is_direct), node);
            return scope.equations.push(equation);
        }
        let Some(signature) = functions::find(&name.text) else {
            return self.fail("E-UNDEF", name.at, format!("unknown node or function `{}`", name.text));
        };
        equation.op = match signature.meaning {
            Meaning::Pointwise(p) => Op::Pointwise(p),
            Meaning::Param => Op::Param(scope.name(target.name, target.is_direct)),
            Meaning::Function(of) => match of(&given) {
                Some(function) => Op::Function(signature.name, function),
                None => {
                    let expected = if given.len() == 1 { "a shape like `[2, 3]`" } else { "sizes like `2`" };
                    let found = given.iter().map(|s| match s {
                        Static::Int(n) => format!("`{n}`"),
                        Static::Shape(shape) => format!("`{shape:?}`"),
                    });
                    let found = found.collect::<Vec<_>>().join(" and ");
                    let text = format!("`{}` expects {expected}, found {found}", name.text);
                    return self.fail("E-SHAPE", name.at, text);
                }
            },
            Meaning::Fill(_) | Meaning::Initial => {
                let Some(shape) = given[0].shape().cloned() else {
                    let text = format!("`{}` expects a shape like `[2, 3]`, found a size", name.text);
                    return self.fail("E-SHAPE", name.at, text);
                };
                match signature.meaning {
                    Meaning::Fill(x) => Op::Constant(Number::Float(x), shape),
                    _ => Op::Initial(scope.name(target.name, target.is_direct), name.text.clone(), shape),
                }
            }
        };
        scope.equations.push(equation);
    }

    fn evaluate(&mut self, scope: &Scope, s: &syntax::Static, at: Span) -> Option<Static> {
        match s {
            syntax::Static::Int(n) => Some(Static::Int(*n)),
            syntax::Static::Name(n) => scope.statics.get(n.text.as_str()).cloned(),
            syntax::Static::List(items) => {
                let mut sizes = Vec::new();
                for item in items {
                    match self.evaluate(scope, item, at)? {
                        Static::Shape(more) => sizes.extend(more),
                        Static::Int(n) => match u64::try_from(n) {
                            Ok(n) => sizes.push(n),
                            Err(_) => {
                                self.fail("E-SHAPE", at, format!("expected a size that is not negative, found {n}"));
                                return None;
                            }
                        },
                    }
                }
                if functions::elements(&sizes).is_none_or(|n| n > MOST_ELEMENTS) {
                    let text = format!("an array of shape {sizes:?} has more than {MOST_ELEMENTS} elements");
                    self.fail("E-SHAPE", at, text);
                    return None;
                }
                Some(Static::Shape(sizes))
            }
            syntax::Static::Arithmetic(mark, ab) => {
                let f = match *mark {
                    "+" => i64::checked_add,
                    "-" => i64::checked_sub,
                    _ => i64::checked_mul,
                };
                let problem = match (self.evaluate(scope, &ab[0], at)?, self.evaluate(scope, &ab[1], at)?) {
                    (Static::Int(a), Static::Int(b)) => match f(a, b) {
                        Some(n) => return Some(Static::Int(n)),
                        None => "a size is larger than 64 bits",
                    },
                    _ => "expected sizes around `+`, `-` and `*`, found a shape",
                };
                self.fail("E-SHAPE", at, problem);
                None
            }
        }
    }
}

impl Program<'_> {
    /// Formats a variable for messages, with the path of its instance.
    pub fn name(&self, v: Var) -> String {
        let path = self.instance(v).path.as_str();
        match &self.vars[v].name {
            Some(name) => format!("`{path}{name}`"),
            None => format!("a value in the equation of {}", self.equation(v)),
        }
    }

    /// Formats, for messages, the equation whose value contains the definition of a variable.
    pub fn equation(&self, v: Var) -> String {
        let (instance, variable) = (self.instance(v), &self.vars[v]);
        let around = || self.nodes[instance.node].equation(variable.at).map_or("_", |e| e.name());
        let name = variable.name.as_deref().unwrap_or_else(around);
        format!("`{}{name}`", instance.path)
    }

    /// Resolves aliases: maps each variable to the variable that it is ultimately an alias of, which is itself for
    /// most. `same` maps each alias to the next variable.
    ///
    /// # Errors
    /// E-CAUSALITY for each cycle of aliases.
    pub fn origins(&self, vars: Range<Var>, same: &HashMap<Var, Var>) -> Result<HashMap<Var, Var>, Vec<Problem>> {
        let mut origins: HashMap<Var, Var> = HashMap::new();
        let mut errors = Vec::new();
        for v in vars {
            let (mut path, mut inside) = (Vec::new(), HashSet::new());
            let mut of = v;
            while let Some(&next) = same.get(&of).filter(|_| !origins.contains_key(&of) && inside.insert(of)) {
                path.push(of);
                of = next;
            }
            if let Some(start) = path.iter().position(|&p| p == of) {
                let names: Vec<String> = path[start..].iter().chain([&of]).map(|&v| self.name(v)).collect();
                let text = format!("{} is defined as itself: {}", names[0], names.join(" = "));
                errors.push(Problem::with_code("E-CAUSALITY", self.vars[of].at, text));
            }
            let origin = origins.get(&of).copied().unwrap_or(of);
            origins.extend(path.into_iter().chain([v]).map(|v| (v, origin)));
        }
        if errors.is_empty() { Ok(origins) } else { Err(errors) }
    }

    /// Returns the aliases that the equations define, within instances and across them.
    pub fn copies(&self) -> HashMap<Var, Var> {
        let mut copies = HashMap::new();
        for e in self.instances.iter().flat_map(|i| &i.equations) {
            match e.op {
                Op::Same => drop(copies.insert(e.results[0], e.args[0])),
                Op::Instance(_, number) => {
                    let callee = &self.instances[number];
                    copies.extend(callee.inputs.iter().copied().zip(e.args.iter().copied()));
                    copies.extend(e.results.iter().copied().zip(callee.outputs.iter().copied()));
                }
                _ => {}
            }
        }
        copies
    }

    fn instance(&self, v: Var) -> &Instance {
        // Instances are in the order of their variables.
        let next = self.instances.partition_point(|i| i.vars.start <= v);
        self.instances[..next].iter().rev().find(|i| i.vars.contains(&v)).expect("a variable has an instance")
    }
}
