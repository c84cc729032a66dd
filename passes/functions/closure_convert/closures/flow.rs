//! Flow analysis: determines which functions can be values of each function type, and which keys can occur in each
//! environment (`!lambda.env`, a record of cotangents).
//!
//! In the type of a value, each occurrence of a function type or of `!lambda.env` has a *class*: the set of the
//! functions or keys that can occur there. If one value flows to another, the classes in their types are unified. So
//! this is type inference in which a function type is a set of functions. It takes nearly linear time in the size of
//! the program, and ignores the order of execution. A function is analysed once for all its callers;
//! `lambda-specialise` has already made separate copies for different types.

use super::is_closure;
use super::lift::KnownFunction;
use crate::functions::anf::{Body, Function, Program, Stmt, Var};
use crate::functions::holds_functions;
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Type};
use mlopt_dialects::lambda::types::{TypeKind, fits};
use mlopt_dialects::ops::Kind;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(u32);

/// A position in the type of a value.
#[derive(Clone, Debug)]
pub enum Node {
    /// A type without functions and environments.
    Data(Type),
    /// A tuple, record, list, channel or task, with its parts.
    Parts(Type, Vec<NodeId>),
    /// The functions that reach this position, by their numbers.
    Function {
        inputs: Vec<NodeId>,
        result: NodeId,
        members: BTreeSet<usize>,
    },
    /// The keys that reach this environment.
    Env(BTreeMap<String, NodeId>),
    SameAs(NodeId),
}

pub struct Flow<'p> {
    program: &'p Program,
    known: &'p [KnownFunction],
    by_symbol: HashMap<&'p str, usize>,
    graph: TypeGraph,
    /// True if two incompatible positions were unified.
    clash: bool,
}

/// Returns the reason for which an op must not occur here: an earlier pass removes it.
fn pass_before(kind: Kind) -> Option<&'static str> {
    use Kind::*;
    Some(match kind {
        LambdaJ | LambdaJinv | LambdaGrad | LambdaVjp | LambdaJvp | LambdaHvp | LambdaPullback | LambdaDual
        | LambdaJacobian | LambdaCovector | LambdaPairWith => "run `j-transform` first",
        LambdaPrim | LambdaLiteral | LambdaWalk => "run `lambda-specialise` first",
        _ => return None,
    })
}

impl<'p> Flow<'p> {
    /// Analyses all functions.
    pub fn new(program: &'p Program, known: &'p [KnownFunction], functions: &[Function]) -> Result<Flow<'p>, Reported> {
        let by_symbol = known.iter().enumerate().map(|(k, f)| (f.symbol.as_str(), k)).collect();
        let mut flow = Flow { program, known, by_symbol, graph: TypeGraph::default(), clash: false };
        for function in functions {
            flow.body(&function.code.body)?;
        }
        Ok(flow)
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.graph.nodes.push(node);
        NodeId(self.graph.nodes.len() as u32 - 1)
    }

    fn fresh(&mut self, ty: Type) -> NodeId {
        let node = match TypeKind::of(ty) {
            _ if !holds_functions(ty) => Node::Data(ty),
            TypeKind::Function(inputs, result) => {
                let inputs = inputs.into_iter().map(|t| self.fresh(t)).collect();
                Node::Function { inputs, result: self.fresh(result), members: BTreeSet::new() }
            }
            TypeKind::Env => Node::Env(BTreeMap::new()),
            _ => Node::Parts(ty, ty.parts().into_iter().map(|t| self.fresh(t)).collect()),
        };
        self.add(node)
    }

    /// Returns the position of the type of a value.
    fn of(&mut self, var: Var) -> NodeId {
        if let Some(id) = self.graph.values.get(&var) {
            return *id;
        }
        let id = self.fresh(self.program.ty(var));
        self.graph.values.insert(var, id);
        id
    }

    fn unify(&mut self, a: NodeId, b: NodeId) {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let (a, b) = (self.graph.root(a), self.graph.root(b));
            if a == b {
                continue;
            }
            let node = std::mem::replace(&mut self.graph.nodes[a.0 as usize], Node::SameAs(b));
            match (node, &mut self.graph.nodes[b.0 as usize]) {
                (Node::Data(x), Node::Data(y)) => self.clash |= !fits(x, *y),
                (Node::Parts(s, x), Node::Parts(t, y)) if x.len() == y.len() && s.name() == t.name() => {
                    open.extend(x.into_iter().zip(y.iter().copied()));
                }
                (
                    Node::Function { inputs: x, result: r, members: m },
                    Node::Function { inputs: y, result: s, members: n },
                ) if x.len() == y.len() => {
                    n.extend(m);
                    open.extend(x.into_iter().zip(y.iter().copied()));
                    open.push((r, *s));
                }
                (Node::Env(x), Node::Env(y)) => {
                    for (key, id) in x {
                        match y.get(&key) {
                            Some(other) => open.push((id, *other)),
                            None => {
                                y.insert(key, id);
                            }
                        }
                    }
                }
                _ => self.clash = true,
            }
        }
    }

    /// Unifies two values of one type.
    fn same(&mut self, a: Var, b: Var) {
        if holds_functions(self.program.ty(a)) {
            let (a, b) = (self.of(a), self.of(b));
            self.unify(a, b);
        }
    }

    fn all_same(&mut self, a: &[Var], b: &[Var]) {
        a.iter().zip(b).for_each(|(a, b)| self.same(*a, *b));
    }

    /// Returns part `k` of a type with parts.
    fn part(&self, whole: NodeId, k: usize) -> Option<NodeId> {
        match self.graph.node(whole) {
            Node::Parts(_, parts) => parts.get(k).copied(),
            _ => None,
        }
    }

    /// Unifies a value with part `k` of another one.
    fn is_part(&mut self, value: Var, whole: Var, k: usize) {
        if !holds_functions(self.program.ty(value)) {
            return;
        }
        let (value, whole) = (self.of(value), self.of(whole));
        if let Some(part) = self.part(whole, k) {
            self.unify(value, part);
        }
    }

    /// Visits every value, so that all have positions.
    pub fn visit_all(&mut self, functions: &[Function]) {
        for value in functions.iter().flat_map(|f| f.code.values()) {
            if holds_functions(self.program.ty(value)) {
                self.of(value);
            }
        }
    }

    /// Returns the positions of values that may contain functions, and the kinds of all positions.
    pub fn finish(self) -> TypeGraph {
        self.graph
    }

    fn body(&mut self, body: &Body) -> Result<(), Reported> {
        for stmt in &body.stmts {
            self.stmt(stmt)?;
            for code in &stmt.codes {
                self.body(&code.body)?;
            }
            if std::mem::take(&mut self.clash) {
                let text = "combines two `!lambda.env` with values of different types under the same key";
                return Err(error(stmt.location, format!("not supported: '{}' {text}", stmt.op)));
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Reported> {
        use Kind::*;
        let x = &stmt.operands;
        match stmt.kind() {
            FuncCall => self.named(stmt),
            _ if is_closure(stmt) => self.named(stmt),
            LambdaSpawn => self.task(stmt),
            LambdaApply => {
                if let Node::Function { inputs, result, .. } = self.called(x[0]) {
                    self.given(&inputs, &x[1..]);
                    let y = self.of(stmt.result());
                    self.unify(y, result);
                }
            }
            LambdaSwitch | ArithSelect => {
                self.same(x[1], x[2]);
                self.same(x[1], stmt.result());
            }
            LambdaIf | LambdaCase => {
                stmt.codes.iter().for_each(|c| self.all_same(&c.body.results, &stmt.results));
            }
            LambdaFor | LambdaWhile => self.iterate(stmt),
            LambdaTuple | LambdaRecord => {
                x.iter().enumerate().for_each(|(k, v)| self.is_part(*v, stmt.result(), k));
            }
            LambdaGet | LambdaField => self.is_part(stmt.result(), x[0], self.program.position(stmt)),
            LambdaTset | LambdaWith => {
                self.is_part(x[1], x[0], self.program.position(stmt));
                self.same(x[0], stmt.result());
            }
            LambdaCons => {
                self.is_part(x[0], x[1], 0);
                self.same(x[1], stmt.result());
            }
            LambdaHead => self.is_part(stmt.result(), x[0], 0),
            LambdaConcat | LambdaGadd | LambdaEnvAdd => {
                self.same(x[0], x[1]);
                self.same(x[0], stmt.result());
            }
            LambdaTail | LambdaThe | LambdaStopGradient | LambdaTransfer => {
                self.same(x[0], stmt.result());
            }
            LambdaCheck => self.same(x[1], stmt.result()),
            LambdaEnvSet | LambdaEnvGet => self.keyed(stmt),
            LambdaChannel | LambdaNil | LambdaEnvEmpty | LambdaZerosLike | LambdaIsEmpty | LambdaLength
            | LambdaUnreachable | LambdaClose => {}
            LambdaSend => self.is_part(x[2], x[1], 0),
            LambdaRecv | LambdaJoin => self.receive(stmt),
            _ => return self.other(stmt),
        }
        Ok(())
    }

    /// Processes an op that does not involve functions.
    fn other(&mut self, stmt: &Stmt) -> Result<(), Reported> {
        if let Some(why) = pass_before(stmt.kind()) {
            let text = format!("not supported: `closure-convert` cannot convert '{}'; {why}", stmt.op);
            return Err(error(stmt.location, text));
        }
        let inside = stmt.codes.iter().flat_map(|c| &c.params);
        let mut values = stmt.operands.iter().chain(&stmt.results).chain(inside).map(|v| self.program.ty(*v));
        let Some(ty) = values.find(|ty| holds_functions(*ty)) else { return Ok(()) };
        let text = format!("'{}' must not take or return functions, found a value of type {ty}", stmt.op);
        Err(error(stmt.location, format!("not supported: {text}")))
    }

    fn called(&mut self, f: Var) -> Node {
        let id = self.of(f);
        self.graph.node(id).clone()
    }

    fn given(&mut self, inputs: &[NodeId], arguments: &[Var]) {
        for (input, argument) in inputs.iter().zip(arguments) {
            let argument = self.of(*argument);
            self.unify(*input, argument);
        }
    }

    /// Returns the number of the function that a statement names.
    fn callee(&self, stmt: &Stmt) -> Option<usize> {
        stmt.callee().and_then(|name| self.by_symbol.get(name.as_str()).copied())
    }

    /// Unifies the parameters of a known function with the arguments of a call.
    fn call(&mut self, known: &KnownFunction, arguments: &[Var]) {
        let params = super::given(self.program, &known.captures, &known.params);
        self.all_same(&params, arguments);
    }

    /// Processes a known function, as a value or called.
    fn named(&mut self, stmt: &Stmt) {
        let Some(k) = self.callee(stmt) else { return };
        let known = &self.known[k];
        if !is_closure(stmt) {
            self.call(known, &stmt.operands);
            self.all_same(&known.results, &stmt.results);
            return;
        }
        let (params, result) = (known.params.clone(), known.results[0]);
        let inputs = params.into_iter().map(|p| self.of(p)).collect();
        let result = self.of(result);
        let function = self.add(Node::Function { inputs, result, members: BTreeSet::from([k]) });
        let value = self.of(stmt.result());
        self.unify(function, value);
    }

    /// Processes `lambda.spawn`: a call whose result is returned with the task.
    fn task(&mut self, stmt: &Stmt) {
        let result = match self.callee(stmt) {
            Some(k) => {
                let known = &self.known[k];
                self.call(known, &stmt.operands);
                self.of(known.results[0])
            }
            None => {
                let Node::Function { inputs, result, .. } = self.called(stmt.operands[1]) else { return };
                let arguments = [&stmt.operands[..1], &stmt.operands[2..]].concat();
                self.given(&inputs, &arguments);
                result
            }
        };
        let pair = self.of(stmt.result());
        if let Some(task) = self.part(pair, 0)
            && let Some(given) = self.part(task, 0)
        {
            self.unify(given, result);
        }
    }

    /// Processes the value received from a channel or a task, in a tuple with a token.
    fn receive(&mut self, stmt: &Stmt) {
        let (pair, from) = (self.of(stmt.result()), self.of(stmt.operands[1]));
        if let (Some(value), Some(held)) = (self.part(pair, 0), self.part(from, 0)) {
            self.unify(value, held);
        }
    }

    /// Processes a loop.
    fn iterate(&mut self, stmt: &Stmt) {
        let skipped = usize::from(stmt.is(Kind::LambdaFor));
        self.all_same(&stmt.operands[skipped..], &stmt.results);
        for code in &stmt.codes {
            let own = code.params.len() - stmt.results.len();
            self.all_same(&code.params[own..], &stmt.results);
        }
        self.all_same(&stmt.body().body.results, &stmt.results);
    }

    /// Processes an op that reads or writes the value of a key of an environment.
    fn keyed(&mut self, stmt: &Stmt) {
        let (env, value) = (stmt.operands[0], stmt.operands[1]);
        if stmt.is(Kind::LambdaEnvSet) {
            self.same(env, stmt.result());
        } else {
            self.same(value, stmt.result());
        }
        let (env, value) = (self.of(env), self.of(value));
        let root = self.graph.root(env);
        let Node::Env(keys) = &mut self.graph.nodes[root.0 as usize] else { return };
        match keys.get(&key(stmt)).copied() {
            Some(id) => self.unify(id, value),
            None => {
                keys.insert(key(stmt), value);
            }
        }
    }
}

/// The result of the analysis: the positions of all types, by their nodes.
#[derive(Default)]
pub struct TypeGraph {
    values: HashMap<Var, NodeId>,
    nodes: Vec<Node>,
}

impl TypeGraph {
    /// Returns the position of a value that may contain functions.
    pub fn of(&self, var: Var) -> Option<NodeId> {
        self.values.get(&var).map(|id| self.root(*id))
    }

    pub fn root(&self, mut id: NodeId) -> NodeId {
        while let Node::SameAs(next) = self.nodes[id.0 as usize] {
            id = next;
        }
        id
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[self.root(id).0 as usize]
    }

    /// Returns all representatives, in the order in which they were found.
    pub fn roots(&self) -> impl Iterator<Item = NodeId> {
        (0..self.nodes.len()).filter(|k| !matches!(self.nodes[*k], Node::SameAs(_))).map(|k| NodeId(k as u32))
    }
}

/// Returns the key of an op on environments.
pub fn key(stmt: &Stmt) -> String {
    stmt.attribute("key").and_then(Attribute::as_string).unwrap_or_default()
}
