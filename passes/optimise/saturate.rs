//! Equality saturation: all rules are applied in an e-graph, within a match budget (the option `fuel`). The directed
//! rules also run in the normaliser; those of the set `choice`, which add an equal term without removing any, run only
//! here.
//!
//! Each e-class records its cheapest term. A rule reads plain terms, in which each operand is the cheapest term of the
//! operand's class. The [`View`] that a rule receives provides the other terms of a class. Because rules work on terms
//! and not on e-nodes, a rule can substitute a term for a bound variable; e-graphs have no such operation. The terms
//! that rules create are normalised and then inserted. The process is deterministic: classes are ordered by number,
//! matches are sorted, ties are broken by (cost, size, term), and the budget counts e-nodes and examined terms, not
//! time.

pub use crate::optimise::normaliser::record::{Class, Form, Graph};

use crate::optimise::normaliser::normalise::{Normaliser, Step};
use crate::optimise::normaliser::record::Record;
use crate::optimise::rules::profile::Profile;
use crate::optimise::rules::{Classes, Dispatch, Laws, View};
use crate::optimise::terms::{Node, Operands, Pool};
use egg::{Analysis, DidMerge, EGraph, Id, Language};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::time::Instant;

/// The e-class analysis, which keeps the cheapest term of each class. It owns the pool during saturation.
#[derive(Default)]
struct Cheapest {
    pool: Pool,
}

impl Analysis<Node> for Cheapest {
    type Data = Id;

    fn make(egraph: &mut EGraph<Node, Self>, node: &Node, _: Id) -> Id {
        let children: Operands = node.children().iter().map(|&c| egraph[c].data).collect();
        egraph.analysis.pool.add_node(Node::new(node.op, children))
    }

    fn merge(&mut self, a: &mut Id, b: Id) -> DidMerge {
        if self.pool.cheaper(b, *a) {
            *a = b;
            DidMerge(true, false)
        } else {
            DidMerge(false, *a != b)
        }
    }
}

/// The reason for which saturation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Saturated,
    Iterations,
    Fuel,
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            Stop::Saturated => "saturated",
            Stop::Iterations => "iteration limit",
            Stop::Fuel => "fuel used up",
        })
    }
}

/// The statistics of a saturation, for remarks and tests.
#[derive(Clone, Debug)]
pub struct Report {
    pub stop: Stop,
    pub iterations: usize,
    pub nodes: usize,
    /// The number of forms that rules read.
    pub matches: usize,
}

/// The maximum number of applications of one rule in one iteration; the others wait for the next one.
const PER_RULE: usize = 2000;

/// The match budget of all iterations: the number of forms that rules may read, for each e-node of the fuel. Programs
/// that saturate need a tenth of it.
pub const LOOKS_PER_NODE: usize = 2000;

/// Returns the cheapest forms of `roots` that the rules of `laws` find. `directed` normalises new terms.
pub fn saturate<'a>(
    pool: &mut Pool,
    roots: &[Id],
    laws: &Laws<'a>,
    directed: &mut Normaliser<'a>,
    nodes: usize,
    iterations: usize,
    record: &mut Record<'a>,
) -> (Vec<Id>, Report) {
    let mut rules = Dispatch::new(laws.together());
    let mut graph = EGraph::new(Cheapest { pool: std::mem::take(pool) });
    let mut numbers = FxHashMap::default();
    let classes: Vec<Id> = roots.iter().map(|&t| insert(&mut graph, t, &mut numbers)).collect();
    rebuild(&mut graph);

    let most = nodes.saturating_mul(LOOKS_PER_NODE);
    let mut budget = most;
    let mut report = Report { stop: Stop::Iterations, iterations: 0, nodes: 0, matches: 0 };
    for _ in 0..iterations {
        // A program whose terms alone use up the fuel is too large.
        if graph.total_size() >= nodes {
            report.stop = Stop::Fuel;
            break;
        }
        report.iterations += 1;
        let mut pool = std::mem::take(&mut graph.analysis.pool);
        let matches = collect(&graph, &mut pool, &mut rules, directed, &mut budget, &mut record.profile);
        graph.analysis.pool = pool;
        let mut changed = false;
        let mut full = budget == 0;
        for (class, Step { rule, left, right: raw }, right) in matches {
            if graph.total_size() >= nodes {
                full = true;
                break;
            }
            let (size, start) = (graph.total_size(), record.profile.is_some().then(Instant::now));
            let right_class = insert(&mut graph, right, &mut numbers);
            let is_new = graph.find(class) != graph.find(right_class);
            if is_new {
                record.step(Step { rule, left, right: raw });
                changed |= graph.union_trusted(class, right_class, rule);
            }
            if let (Some(profile), Some(start)) = (&mut record.profile, start) {
                let count = profile.of(rule);
                count.applications += usize::from(is_new);
                count.nodes += graph.total_size() - size;
                count.time += start.elapsed();
            }
        }
        rebuild(&mut graph);
        if full {
            report.stop = Stop::Fuel;
            break;
        }
        if !changed {
            report.stop = Stop::Saturated;
            break;
        }
    }
    report.nodes = graph.total_size();
    report.matches = most - budget;
    let best = classes.iter().map(|&c| graph[graph.find(c)].data).collect();
    *pool = std::mem::take(&mut graph.analysis.pool);
    if let Some(wanted) = &mut record.graph {
        *wanted = plain(&graph, pool, &classes);
    }
    (best, report)
}

/// Restores the invariants of the e-graph. egg asks for the time, for its log, and the clock of the crate `quanta`
/// spends up to 0.2 s of a process to calibrate itself; a clock that stands still needs none.
fn rebuild(graph: &mut EGraph<Node, Cheapest>) {
    quanta::with_clock(&quanta::Clock::mock().0, || graph.rebuild());
}

/// Returns the e-graph as plain data, with classes by ascending number.
fn plain(graph: &EGraph<Node, Cheapest>, pool: &mut Pool, roots: &[Id]) -> Graph {
    let mut ids: Vec<Id> = graph.classes().map(|c| c.id).collect();
    ids.sort_unstable();
    let number: FxHashMap<Id, usize> = ids.iter().enumerate().map(|(k, &id)| (id, k)).collect();
    let class = |&id: &Id| {
        let class = &graph[id];
        let mut terms: Vec<(Id, &Node)> = class.nodes.iter().map(|n| (form(graph, pool, n), n)).collect();
        terms.sort_unstable();
        let of = |&(_, node): &(Id, &Node)| {
            let operands = node.children.iter().map(|&c| number[&graph.find(c)]).collect();
            Form { op: node.op, operands }
        };
        // If no e-node has this term, it was built before its operands got cheaper.
        let has_it = terms.iter().position(|&(t, _)| t == class.data);
        let cheapest = || (0..terms.len()).reduce(|a, b| if pool.cheaper(terms[b].0, terms[a].0) { b } else { a });
        let chosen = has_it.or_else(cheapest).unwrap_or(0);
        Class { forms: terms.iter().map(of).collect(), chosen, cost: pool.cost(class.data) }
    };
    let classes = ids.iter().map(class).collect();
    Graph { classes, roots: roots.iter().map(|&r| number[&graph.find(r)]).collect() }
}

/// Returns an e-node as a term with the cheapest operands.
fn form(graph: &EGraph<Node, Cheapest>, pool: &mut Pool, node: &Node) -> Id {
    let children: Operands = node.children.iter().map(|&c| graph[graph.find(c)].data).collect();
    pool.add_node(Node::new(node.op, children))
}

fn insert(graph: &mut EGraph<Node, Cheapest>, t: Id, numbers: &mut FxHashMap<Id, Id>) -> Id {
    if let Some(&class) = numbers.get(&t) {
        return class;
    }
    let node = graph.analysis.pool.node(t).clone();
    let children: Operands = node.children.iter().map(|&c| insert(graph, c, numbers)).collect();
    let class = graph.add(Node::new(node.op, children));
    numbers.insert(t, class);
    class
}

/// Returns all applications, sorted by class, with normalised right-hand sides. `budget` is the remaining match budget.
fn collect<'a>(
    graph: &EGraph<Node, Cheapest>,
    pool: &mut Pool,
    rules: &mut Dispatch<'a>,
    directed: &mut Normaliser<'a>,
    budget: &mut usize,
    profile: &mut Option<Profile<'a>>,
) -> Vec<(Id, Step<'a>, Id)> {
    let mut ids: Vec<Id> = graph.classes().map(|c| c.id).collect();
    ids.sort_unstable();
    let mut view = Classes { match_budget: Cell::new(*budget), ..Classes::default() };
    for &id in &ids {
        let class = &graph[id];
        let mut forms: Vec<Id> = class.nodes.iter().map(|n| form(graph, pool, n)).collect();
        forms.sort_unstable();
        forms.dedup();
        view.kinds.insert(class.data, forms.iter().fold(0u64, |kinds, &f| kinds | 1u64 << pool.op(f).kind()));
        view.forms.insert(class.data, forms);
    }
    let mut found: Vec<(Id, usize, Id, Id)> = Vec::new();
    let mut count = vec![0; rules.rules().len()];
    for &id in &ids {
        for form in view.forms[&graph[id].data].clone() {
            let kinds = View { pool, classes: Some(&view) }.kinds_of_operands(form);
            for candidate in rules.at(pool.op(form)).iter() {
                let r = candidate.0;
                if count[r] >= PER_RULE || view.match_budget.get() == 0 {
                    continue;
                }
                let mut out = Vec::new();
                rules.apply(candidate, profile, &mut View { pool, classes: Some(&view) }, form, &kinds, &mut out);
                count[r] += out.len();
                found.extend(out.into_iter().map(|right| (id, r, form, right)));
            }
        }
    }
    *budget = view.match_budget.get();
    found.sort_unstable();
    found.dedup();
    let step = |r: usize, left: Id, right: Id| Step { rule: rules.rules()[r].name, left, right };
    found.into_iter().map(|(id, r, left, right)| (id, step(r, left, right), directed.normalise(pool, right))).collect()
}
