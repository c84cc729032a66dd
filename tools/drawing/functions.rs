//! The functions of a program, both functions of the module and function values: which function creates which, and
//! which functions a value may be.
//!
//! If the op that defines a value does not determine a single function, the value may be any function that flows there.
//! A data structure is treated as a single value: a function that is put into a tuple or a list may come out at every
//! position. So all calls that can occur are found, and possibly some that cannot.

use mlopt_dialects::ir::{Block, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_passes::analysis::edit::captured;
use std::collections::{BTreeSet, HashMap};

/// All functions in the order of the text, each after the one that contains it.
pub struct Functions {
    pub all: Vec<Function>,
    by_op: HashMap<Op, usize>,
}

/// A function with a body: `func.func` or `lambda.lambda`.
pub struct Function {
    pub op: Op,
    /// The function that contains it.
    pub around: Option<usize>,
    /// `@main`, `go`, or `λ3` if it has no name.
    pub name: String,
    /// The `lambda.letrec` of which it is a member.
    pub group: Option<Op>,
}

impl Functions {
    pub fn new(module: Op) -> Functions {
        let mut functions = Functions { all: Vec::new(), by_op: HashMap::new() };
        for op in module.child_ops() {
            if op.kind() == Kind::FuncFunc && op.body().is_some() {
                functions.add(op, None);
            }
        }
        functions
    }

    fn add(&mut self, op: Op, around: Option<usize>) {
        let id = self.all.len();
        let group = op.parent_op().filter(|p| p.kind() == Kind::LambdaLetrec);
        let name = match op.symbol() {
            Some(symbol) => format!("@{symbol}"),
            None => op.result(0).name().unwrap_or_else(|| format!("λ{id}")),
        };
        self.all.push(Function { op, around, name, group });
        self.by_op.insert(op, id);
        self.inside(op, id);
    }

    /// Adds the functions in the regions of an op, which is in the function `around`.
    fn inside(&mut self, op: Op, around: usize) {
        for child in op.child_ops() {
            match child.kind() {
                Kind::LambdaLambda => self.add(child, Some(around)),
                _ => self.inside(child, around),
            }
        }
    }

    pub fn of(&self, op: Op) -> Option<usize> {
        self.by_op.get(&op).copied()
    }

    /// Returns the function whose body or argument defines a value.
    pub fn home(&self, value: Value) -> Option<usize> {
        std::iter::successors(value.block()?.parent_op(), |op| op.parent_op()).find_map(|op| self.of(op))
    }

    pub fn body(&self, id: usize) -> Option<Block> {
        self.all[id].op.body()
    }

    /// Returns the ops of a function without those of nested functions.
    pub fn own_ops(&self, id: usize) -> Vec<Op> {
        fn collect(op: Op, out: &mut Vec<Op>) {
            for child in op.child_ops() {
                out.push(child);
                if child.kind() != Kind::LambdaLambda {
                    collect(child, out);
                }
            }
        }
        let mut out = Vec::new();
        collect(self.all[id].op, &mut out);
        out
    }

    /// Returns the captured values of each function, in the order of first use, without functions of its own group.
    pub fn captured(&self) -> Vec<Vec<Value>> {
        let of = |(id, function): (usize, &Function)| {
            captured(function.op).into_iter().filter(|v| !self.is_of_group(id, *v)).collect()
        };
        self.all.iter().enumerate().map(of).collect()
    }

    /// Checks whether a value is a function of this function's group.
    fn is_of_group(&self, id: usize, value: Value) -> bool {
        let group = self.all[id].group;
        group.is_some() && value.defining_op().is_some_and(|(op, _)| op.parent_op() == group)
    }
}

/// A function that a value may be: the function itself, or its derivative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct May {
    pub function: usize,
    pub is_derivative: bool,
}

/// The functions that each value may be.
pub struct Flow<'f> {
    functions: &'f Functions,
    values: HashMap<Value, BTreeSet<May>>,
    symbols: HashMap<String, usize>,
    changed: bool,
}

impl<'f> Flow<'f> {
    pub fn new(functions: &'f Functions) -> Flow<'f> {
        let named = functions.all.iter().enumerate().filter_map(|(k, f)| Some((f.op.symbol()?, k)));
        let symbols = named.collect();
        let mut flow = Flow { functions, values: HashMap::new(), symbols, changed: true };
        let ops: Vec<Op> =
            functions.all.iter().filter(|f| f.around.is_none()).flat_map(|f| f.op.nested_ops()).collect();
        // Terminates, because the sets only grow and the number of functions is finite.
        while std::mem::take(&mut flow.changed) {
            ops.iter().for_each(|op| flow.op(*op));
        }
        flow
    }

    pub fn of(&self, value: Value) -> BTreeSet<May> {
        self.values.get(&value).cloned().unwrap_or_default()
    }

    /// Returns the functions that an op may call.
    pub fn called(&self, op: Op) -> BTreeSet<May> {
        match op.kind() {
            Kind::FuncCall => self.symbol(op).into_iter().collect(),
            _ => called_operand(op.name()).map_or(BTreeSet::new(), |k| self.of(op.operand(k))),
        }
    }

    fn symbol(&self, op: Op) -> Option<May> {
        let callee = op.attribute("callee")?.as_symbol()?;
        Some(May { function: *self.symbols.get(&callee)?, is_derivative: false })
    }

    fn flows(&mut self, set: &BTreeSet<May>, to: Value) {
        if set.is_empty() {
            return;
        }
        let had = self.values.entry(to).or_default();
        let before = had.len();
        had.extend(set);
        self.changed |= had.len() > before;
    }

    fn op(&mut self, op: Op) {
        match op.kind() {
            Kind::LambdaLambda => {
                let me = self.functions.of(op).map(|function| May { function, is_derivative: false });
                self.flows(&BTreeSet::from_iter(me), op.result(0));
            }
            Kind::LambdaRef => {
                let known = self.symbol(op).into_iter().collect();
                self.flows(&known, op.result(0));
            }
            Kind::LambdaSend => {
                let set = self.of(op.operand(2));
                self.flows(&set, op.operand(1));
            }
            Kind::LambdaGrad | Kind::LambdaVjp | Kind::LambdaJvp | Kind::LambdaHvp | Kind::LambdaJ => {
                let set = self.of(op.operand(0)).into_iter().map(|m| May { is_derivative: true, ..m }).collect();
                self.flows(&set, op.result(0));
            }
            Kind::LambdaReturn | Kind::FuncReturn => {}
            Kind::LambdaYield | Kind::ScfYield | Kind::ScfCondition => self.yielded(op),
            _ => {
                let called = self.called(op);
                let from = called_operand(op.name()).map_or(0, |k| k + 1);
                let is_call = op.kind() == Kind::FuncCall || called_operand(op.name()).is_some();
                let arguments: Vec<BTreeSet<May>> = op.operands()[from..].iter().map(|v| self.of(*v)).collect();
                let all: BTreeSet<May> = arguments.iter().flatten().copied().collect();
                if is_call {
                    // The callee of `lambda.map` and similar ops receives elements of the operands.
                    let is_plain = matches!(Kind::by_name(op.name()), Kind::LambdaApply | Kind::FuncCall);
                    for may in called {
                        self.call(may, is_plain.then_some(&arguments[..]), &all, op);
                    }
                    if !is_plain {
                        op.results().into_iter().for_each(|r| self.flows(&all, r));
                    }
                    return;
                }
                op.results().into_iter().for_each(|r| self.flows(&all, r));
                // Arguments of loops and cases receive the operands.
                for argument in op.regions().into_iter().flat_map(|r| r.blocks()).flat_map(|b| b.arguments()) {
                    self.flows(&all, argument);
                }
            }
        }
    }

    /// Propagates yielded values to the results of the parent op and to the arguments of its regions.
    fn yielded(&mut self, op: Op) {
        let Some(parent) = op.parent_op() else { return };
        for (k, operand) in op.operands().into_iter().enumerate() {
            let set = self.of(operand);
            if parent.kind() == Kind::LambdaLetrec {
                self.flows(&set, parent.result(k));
                continue;
            }
            parent.results().into_iter().for_each(|r| self.flows(&set, r));
            for argument in parent.regions().into_iter().flat_map(|r| r.blocks()).flat_map(|b| b.arguments()) {
                self.flows(&set, argument);
            }
        }
    }

    fn call(&mut self, may: May, arguments: Option<&[BTreeSet<May>]>, all: &BTreeSet<May>, op: Op) {
        let Some(body) = self.functions.body(may.function) else { return };
        for (k, parameter) in body.arguments().into_iter().enumerate() {
            match arguments {
                Some(each) => each.get(k).into_iter().for_each(|set| self.flows(set, parameter)),
                None => self.flows(all, parameter),
            }
        }
        let results = body.terminator().map(Op::operands).unwrap_or_default();
        let given: BTreeSet<May> = results.iter().flat_map(|v| self.of(*v)).collect();
        op.results().into_iter().for_each(|r| self.flows(&given, r));
    }
}

/// Returns the position of the operand that an op calls.
pub fn called_operand(name: &str) -> Option<usize> {
    match Kind::by_name(name) {
        Kind::LambdaApply
        | Kind::LambdaMap
        | Kind::LambdaReduce
        | Kind::LambdaFold
        | Kind::LambdaScan
        | Kind::LambdaWalk => Some(0),
        Kind::LambdaSpawn => Some(1),
        _ => None,
    }
}
