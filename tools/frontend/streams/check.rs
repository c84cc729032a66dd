//! Checks of each node by itself (`spec/streams.md` 5.1): names, numbers of operands, recursion.

use super::functions;
use super::syntax::{Expr, ExprKind, Name, Node, Static};
use mlopt_dialects::stream::OPTIMISERS;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::{Problem, Span, count};
use mlopt_passes::streams::nodes::graph::components;
use std::collections::{HashMap, HashSet};

/// Returns all errors in the definitions.
pub fn check(nodes: &[Node]) -> Vec<Problem> {
    let mut by_name = HashMap::new();
    let mut errors = Vec::new();
    for node in nodes {
        if by_name.insert(node.name.text.as_str(), node).is_some() {
            errors.push(defined_twice("node", &node.name));
        }
    }
    for node in nodes {
        let variables = node.inputs.iter().chain(node.equations.iter().flat_map(|e| &e.results));
        let variables = variables.map(|n| n.text.as_str()).filter(|&n| n != "_").collect();
        let statics = node.statics.iter().map(|n| n.text.as_str()).collect();
        Check { nodes: &by_name, variables, statics, errors: &mut errors }.node(node);
    }
    recursion(nodes, &by_name, &mut errors);
    errors
}

fn defined_twice(what: &str, name: &Name) -> Problem {
    Problem::with_code("E-MULTIDEF", name.at, format!("{what} `{}` is defined twice", name.text))
}

struct Check<'a, 'e> {
    nodes: &'e HashMap<&'a str, &'a Node>,
    variables: HashSet<&'a str>,
    statics: HashSet<&'a str>,
    errors: &'e mut Vec<Problem>,
}

impl<'a> Check<'a, '_> {
    fn fail(&mut self, code: &'static str, at: Span, text: impl Into<String>) {
        self.errors.push(Problem::with_code(code, at, text));
    }

    fn undefined<'b>(&mut self, what: &str, name: &str, at: Span, known: impl IntoIterator<Item = &'b str>) {
        self.fail("E-UNDEF", at, format!("unknown {what} `{name}`{}", did_you_mean(name, known)));
    }

    fn node(&mut self, node: &'a Node) {
        let mut defined = HashSet::new();
        for (what, names) in [("static parameter", &node.statics), ("input", &node.inputs)] {
            defined.clear();
            let again = names.iter().filter(|n| !defined.insert(&n.text));
            self.errors.extend(again.map(|name| defined_twice(what, name)));
        }
        for name in node.equations.iter().flat_map(|e| &e.results).filter(|n| n.text != "_") {
            if !defined.insert(&name.text) {
                let what = if node.inputs.iter().any(|i| i.text == name.text) { "input" } else { "variable" };
                self.errors.push(defined_twice(what, name));
            }
        }
        let mut outputs = HashSet::new();
        for name in &node.outputs {
            if !outputs.insert(&name.text) {
                self.errors.push(defined_twice("output", name));
            } else if !defined.contains(&name.text) {
                self.fail("E-UNDEF", name.at, format!("output `{}` has no equation", name.text));
            }
        }
        for e in &node.equations {
            let results = e.results.len();
            match &e.value.kind {
                ExprKind::Call(name, statics) => self.call(name, statics, &e.value.args, results),
                _ if results != 1 => {
                    let expected = count(results, "result");
                    let text = format!("expected an expression with {expected}, found one with 1 result");
                    self.fail("E-ARITY", e.value.at, text);
                }
                _ => self.expr(&e.value),
            }
        }
    }

    fn variable(&mut self, name: &str, at: Span) {
        if !self.variables.contains(name) {
            let known = self.variables.clone();
            self.undefined("variable", name, at, known);
        }
    }

    fn expr(&mut self, e: &'a Expr) {
        match &e.kind {
            ExprKind::Variable(name) => self.variable(name, e.at),
            ExprKind::When(condition, _) | ExprKind::Merge(condition) => self.variable(&condition.text, condition.at),
            ExprKind::Stack if e.args.is_empty() => {
                self.fail("E-SHAPE", e.at, "expected elements between `[` and `]`, found none");
            }
            ExprKind::Call(name, statics) => return self.call(name, statics, &e.args, 1),
            _ => {}
        }
        e.args.iter().for_each(|e| self.expr(e));
    }

    fn call(&mut self, name: &'a Name, statics: &'a [Static], args: &'a [Expr], results: usize) {
        args.iter().for_each(|a| self.expr(a));
        statics.iter().for_each(|s| self.given(s));
        let (what, expected) = if let Some(node) = self.nodes.get(name.text.as_str()) {
            ("node", [node.statics.len(), node.inputs.len(), node.outputs.len()])
        } else if let Some(f) = functions::find(&name.text) {
            ("function", [f.statics, f.operands, 1])
        } else if OPTIMISERS.contains(&name.text.as_str()) {
            ("node", [0, 3, 1])
        } else {
            let functions: Vec<&str> = functions::names().collect();
            let known: Vec<&str> = self.nodes.keys().copied().chain(functions).chain(OPTIMISERS).collect();
            return self.undefined("node or function", &name.text, name.at, known);
        };
        let found = [statics.len(), args.len(), results];
        let names = ["static argument", "input", "result"];
        for ((expected, found), of) in expected.into_iter().zip(found).zip(names) {
            if expected != found {
                let text = format!("{what} `{}` has {}, but is used with {found}", name.text, count(expected, of));
                self.fail("E-ARITY", name.at, text);
            }
        }
    }

    fn given(&mut self, s: &'a Static) {
        match s {
            Static::Int(_) => {}
            Static::Name(n) => {
                if !self.statics.contains(n.text.as_str()) {
                    let known = self.statics.clone();
                    self.undefined("static parameter", &n.text, n.at, known);
                }
            }
            Static::List(all) => all.iter().for_each(|s| self.given(s)),
            Static::Arithmetic(_, ab) => ab.iter().for_each(|s| self.given(s)),
        }
    }
}

/// Collects the nodes that an expression instantiates, in the order of the text.
fn instances<'a>(e: &'a Expr, out: &mut Vec<&'a Name>) {
    if let ExprKind::Call(name, _) = &e.kind {
        out.push(name);
    }
    e.args.iter().for_each(|e| instances(e, out));
}

/// Returns the names of all instantiated nodes and called functions.
pub fn instantiated(nodes: &[Node]) -> HashSet<&str> {
    let mut found = Vec::new();
    nodes.iter().flat_map(|n| &n.equations).for_each(|e| instances(&e.value, &mut found));
    found.into_iter().map(|n| n.text.as_str()).collect()
}

fn recursion(nodes: &[Node], by_name: &HashMap<&str, &Node>, errors: &mut Vec<Problem>) {
    let mut edges: Vec<(&str, &Name)> = Vec::new();
    for node in nodes {
        let mut found = Vec::new();
        node.equations.iter().for_each(|e| instances(&e.value, &mut found));
        let is_node = |n: &&Name| by_name.contains_key(n.text.as_str());
        edges.extend(found.into_iter().filter(is_node).map(|n| (node.name.text.as_str(), n)));
    }
    let names = nodes.iter().map(|n| n.name.text.as_str());
    let components = components(names, edges.iter().map(|&(a, b)| (a, b.text.as_str())));
    let home: HashMap<&str, usize> =
        components.iter().enumerate().flat_map(|(k, c)| c.iter().map(move |&n| (n, k))).collect();
    for (node, callee) in edges.iter().filter(|e| home[e.0] == home[e.1.text.as_str()]) {
        let text = match components[home[node]].len() {
            1 => format!("node `{node}` must not contain itself"),
            _ => format!(
                "node `{node}` must not contain itself, but contains `{}`, which contains `{node}`",
                callee.text
            ),
        };
        errors.push(Problem::with_code("E-RECURSION", callee.at, text));
    }
}
