//! The graph of the equations of a node. Its vertices are the streams that they define.

pub use crate::analysis::components::components;
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

/// The number of a stream: inputs first, then results in the order of the text.
pub type Var = usize;

/// The temporal behaviour of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EquationKind {
    Input,
    /// A constant value, on the clock of each of its uses. Therefore MLIR may merge equal ones.
    Literal,
    /// A constant value, on one clock.
    Constant,
    /// A function of values of the same cycle.
    Pointwise,
    Fby,
    Post,
    /// Sampling where the condition, its second operand, has this value.
    When(bool),
    /// Operands: the condition, the stream where it is true, the stream where it is false.
    Merge,
    /// As `Merge`, for operands on the clock of the condition.
    Select,
}

pub struct Graph {
    pub node: Op,
    vars: Vec<Value>,
    numbers: HashMap<Value, Var>,
    kinds: Vec<EquationKind>,
    args: Vec<Vec<Var>>,
    /// The name and stream of each output.
    pub outputs: Vec<(String, Var)>,
}

impl Graph {
    /// # Errors
    /// Builds the graph of a node without instances, whose behaviour would depend on their position.
    pub fn of(node: Op) -> Result<Graph, Reported> {
        super::names::name_inputs(node);
        let body = node.entry();
        let (mut vars, mut ops) = (body.arguments(), vec![None; body.num_arguments()]);
        let (equations, end) = body.split_end();
        for op in equations {
            if op.kind() == Kind::StreamInstance {
                return Err(op.error("expected a node without instances: run `stream-inline` first").emit());
            }
            vars.extend(op.results());
            ops.extend(op.results().iter().map(|_| Some(op)));
        }
        let number: HashMap<Value, Var> = vars.iter().enumerate().map(|(k, &v)| (v, k)).collect();
        let numbers = |v: Vec<Value>| v.iter().filter_map(|v| number.get(v).copied()).collect::<Vec<Var>>();
        let args: Vec<Vec<Var>> = ops.iter().map(|op| numbers(op.map_or(vec![], reads))).collect();
        let mut kinds: Vec<EquationKind> =
            ops.iter().zip(&args).map(|(op, args)| op.map_or(EquationKind::Input, |op| kind(op, args))).collect();
        let is_literal = |kinds: &[EquationKind], v: Var| {
            let is_function =
                kinds[v] == EquationKind::Pointwise && ops[v].is_some_and(|op| op.kind() != Kind::StreamParam);
            is_function && args[v].iter().all(|&a| kinds[a] == EquationKind::Literal)
        };
        // Functions of literals are literals; equations are in any order.
        let mut readers: Vec<Vec<Var>> = vec![vec![]; kinds.len()];
        args.iter().enumerate().for_each(|(v, args)| args.iter().for_each(|&a| readers[a].push(v)));
        let mut open: Vec<Var> = (0..kinds.len()).filter(|&v| is_literal(&kinds, v)).collect();
        while let Some(v) = open.pop() {
            if std::mem::replace(&mut kinds[v], EquationKind::Literal) != EquationKind::Literal {
                open.extend(readers[v].iter().copied().filter(|&r| is_literal(&kinds, r)));
            }
        }
        let names = super::names::strings(node, "outputs").into_iter();
        let outputs = names.zip(end.operands().iter().map(|v| number[v])).collect();
        Ok(Graph { node, vars, numbers: number, kinds, args, outputs })
    }

    pub fn len(&self) -> usize {
        self.vars.len()
    }

    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }

    pub fn vars(&self) -> std::ops::Range<Var> {
        0..self.vars.len()
    }

    pub fn inputs(&self) -> impl Iterator<Item = Var> {
        self.vars().take_while(|&v| self.kinds[v] == EquationKind::Input)
    }

    pub fn kind(&self, v: Var) -> EquationKind {
        self.kinds[v]
    }

    /// Checks whether a stream has the same value in all cycles: a literal or a constant.
    pub fn is_fixed(&self, v: Var) -> bool {
        matches!(self.kinds[v], EquationKind::Literal | EquationKind::Constant)
    }

    /// Returns the streams that the equation of `v` reads, in order; captured values come last.
    pub fn args(&self, v: Var) -> &[Var] {
        &self.args[v]
    }

    pub fn value(&self, v: Var) -> Value {
        self.vars[v]
    }

    /// Returns the number of a value of the node.
    pub fn var(&self, v: Value) -> Option<Var> {
        self.numbers.get(&v).copied()
    }

    /// Returns the streams that an equation defines, one for each result.
    pub fn results(&self, equation: Op) -> impl Iterator<Item = Var> {
        equation.results().into_iter().filter_map(|v| self.var(v))
    }

    /// Returns the equation, or the node for an input.
    pub fn op(&self, v: Var) -> Op {
        self.vars[v].defining_op().map_or(self.node, |(op, _)| op)
    }

    /// Returns the value of a condition that is a constant.
    pub fn constant(&self, v: Var) -> Option<bool> {
        let op = self.op(v);
        (matches!(op.kind(), Kind::ArithConstant | Kind::StreamConstant) && self.vars[v].ty().is_integer(1))
            .then(|| op.attribute("value")?.as_i64().map(|b| b != 0))
            .flatten()
    }

    /// Returns the name of a stream, or its number.
    pub fn label(&self, v: Var) -> String {
        self.vars[v].name().unwrap_or_else(|| v.to_string())
    }
}

/// Returns the values that an op reads: its operands, then its captures.
fn reads(op: Op) -> Vec<Value> {
    let mut all = op.operands();
    if op.num_regions() > 0 {
        let home = op.block();
        let inside = op.nested_ops().into_iter().flat_map(|o| o.operands());
        all.extend(inside.filter(|v| v.block() == home));
    }
    all
}

fn kind(op: Op, args: &[Var]) -> EquationKind {
    match op.kind() {
        Kind::StreamFby => EquationKind::Fby,
        Kind::StreamPost => EquationKind::Post,
        Kind::StreamWhen => EquationKind::When(op.attribute("negated").is_none()),
        Kind::StreamMerge => EquationKind::Merge,
        Kind::StreamSelect => EquationKind::Select,
        Kind::StreamConstant | Kind::StreamInitial => EquationKind::Constant,
        _ if args.is_empty() => EquationKind::Literal,
        _ => EquationKind::Pointwise,
    }
}

/// Returns a shortest cycle from `start` to itself by `next`, each element followed by one that it leads to.
pub fn shortest_cycle(start: Var, next: impl Fn(Var) -> Vec<Var>) -> Vec<Var> {
    let mut from: HashMap<Var, Var> = HashMap::new();
    let mut open = VecDeque::from([start]);
    while let Some(v) = open.pop_front().filter(|_| !from.contains_key(&start)) {
        for u in next(v) {
            if let Entry::Vacant(entry) = from.entry(u) {
                entry.insert(v);
                open.push_back(u);
            }
        }
    }
    let before = |v: &Var| from.get(v).copied().filter(|&v| v != start);
    let mut path: Vec<Var> = std::iter::successors(before(&start), before).collect();
    path.push(start);
    path.reverse();
    path
}

/// Returns the streams of `from`, and those that are reached from them by `next`.
pub fn reach<I: IntoIterator<Item = Var>>(
    from: impl IntoIterator<Item = Var>,
    next: impl Fn(Var) -> I,
) -> HashSet<Var> {
    let mut open: Vec<Var> = from.into_iter().collect();
    let mut seen: HashSet<Var> = open.iter().copied().collect();
    while let Some(v) = open.pop() {
        open.extend(next(v).into_iter().filter(|&u| seen.insert(u)));
    }
    seen
}

/// As [`components`], with the edges inside of each component. `ends` returns the ends of an edge.
pub fn components_with_edges<N: Copy + Eq + Hash, E: Copy>(
    nodes: impl IntoIterator<Item = N>,
    edges: &[E],
    ends: impl Fn(&E) -> (N, N),
) -> Vec<(Vec<N>, Vec<E>)> {
    let mut all: Vec<(Vec<N>, Vec<E>)> =
        components(nodes, edges.iter().map(&ends)).into_iter().map(|nodes| (nodes, vec![])).collect();
    let home: HashMap<N, usize> =
        all.iter().enumerate().flat_map(|(k, (nodes, _))| nodes.iter().map(move |&n| (n, k))).collect();
    for edge in edges {
        let (from, to) = ends(edge);
        if let Some(&k) = home.get(&from).filter(|&k| home.get(&to) == Some(k)) {
            all[k].1.push(*edge);
        }
    }
    all
}
