//! Contractions that a module contains several times, as in the layers of a network, become calls of one function: the
//! code of a product is compiled once for all factors of the same types. So do all contractions of a function that
//! contains many.
//!
//! ```text
//! nest { Σ_k a[i, k] · b[k, j] → x } {contraction}    call @product.1(a, b, x)
//! nest { Σ_k x[i, k] · c[k, j] → y } {contraction} →  call @product.1(x, c, y)
//! ```

use crate::ir::*;
use crate::loops::invariants::root;
use std::collections::HashMap;

/// The number of contractions in a function from which each of them is moved to a function. The time of LLVM's analyses
/// of loops grows with the square of the number of loops in a function, because a question about one loop is answered
/// with the conditions of all loops before it. The gradient of attention: 0.23 instead of 0.31 s in LLVM's optimiser.
const MANY: usize = 8;

/// Replaces those of `nests` that differ only in the arrays and scalars they read from outside, and those in functions
/// of [`MANY`]. Returns the nests to lower, some of which are in new functions.
pub fn share(nests: Vec<Op>) -> Vec<Op> {
    let function = |op: &Op| ancestors(*op).find(|op| op.kind() == Kind::FuncFunc);
    let mut counts: HashMap<Option<Op>, usize> = HashMap::new();
    nests.iter().for_each(|op| *counts.entry(function(op)).or_default() += 1);
    let Some(module) = nests.first().and_then(|op| op.module()) else { return nests };
    let symbols = Symbols::of(module);
    let mut names = (1..).map(|k| format!("product.{k}")).filter(|name| !symbols.contains(name));
    let mut groups: Vec<(Vec<String>, Vec<Nest>)> = Vec::new();
    let mut numbers: HashMap<Vec<String>, usize> = HashMap::new();
    for op in nests {
        let (text, nest) = Nest::described(op);
        let number = *numbers.entry(text.clone()).or_insert(groups.len());
        if number == groups.len() {
            groups.push((text, Vec::new()));
        }
        groups[number].1.push(nest);
    }
    let is_shared = |nests: &[Nest]| nests.len() > 1 || nests.iter().any(|nest| counts[&function(&nest.op)] >= MANY);
    let lowered = |(_, nests): (_, Vec<Nest>)| match is_shared(&nests) && nests.iter().all(Nest::is_movable) {
        true => vec![moved(module, &nests, names.next().expect("some name is free"))],
        false => nests.into_iter().map(|nest| nest.op).collect(),
    };
    groups.into_iter().flat_map(lowered).collect()
}

/// A nest, with the values from outside that it uses, constants excepted, in order of first use.
struct Nest {
    op: Op,
    captured: Vec<Value>,
}

impl Nest {
    /// Returns a nest and its text, in which values have numbers.
    fn described(op: Op) -> (Vec<String>, Nest) {
        let mut description = Description::default();
        description.add(op);
        (description.text, Nest { op, captured: description.captured })
    }

    /// Checks whether everything that the nest uses can be passed to a function on the same processor.
    fn is_movable(&self) -> bool {
        let is_passed = |ty: Type| ty.is_contiguous_memref() || ty.is_scalar();
        self.op.num_results() == 0
            && self.captured.iter().all(|v| is_passed(v.ty()))
            && !ancestors(self.op).any(|op| op.kind() == Kind::GpuFunc)
    }

    /// Checks whether argument `k` is an array that no other argument shares.
    fn is_alone(&self, k: usize) -> bool {
        let memory = |v: &Value| v.ty().is_memref().then(|| root(*v));
        let own = memory(&self.captured[k]);
        own.is_some() && self.captured.iter().filter(|v| memory(v) == own).count() == 1
    }
}

#[derive(Default)]
struct Description {
    text: Vec<String>,
    numbers: HashMap<Value, usize>,
    captured: Vec<Value>,
}

impl Description {
    fn number(&mut self, value: Value) {
        self.numbers.insert(value, self.numbers.len());
    }

    fn add(&mut self, op: Op) {
        self.text.push(op.name().to_string());
        self.text.extend(op.attributes().into_iter().map(|(name, value)| format!("{name} = {value}")));
        for v in op.operands() {
            if !self.numbers.contains_key(&v) {
                if let Some(constant) = constant_of(v) {
                    self.text.push(constant.attribute("value").map_or_else(String::new, |value| value.to_string()));
                    continue;
                }
                self.captured.push(v);
                self.number(v);
            }
            self.text.push(format!("%{} : {}", self.numbers[&v], v.ty()));
        }
        for v in op.results() {
            self.text.push(format!("-> {}", v.ty()));
            self.number(v);
        }
        for block in op.blocks() {
            for v in block.arguments() {
                self.text.push(format!("({})", v.ty()));
                self.number(v);
            }
            block.ops().into_iter().for_each(|op| self.add(op));
            self.text.push("end".to_string());
        }
    }
}

/// Returns the constant op that defines a value.
fn constant_of(v: Value) -> Option<Op> {
    v.defining_op().map(|(op, _)| op).filter(|op| op.kind() == Kind::ArithConstant)
}

/// Moves the first of equal nests to a function of this name, which replaces each of them. Returns the nest there.
fn moved(module: Op, nests: &[Nest], name: String) -> Op {
    let first = &nests[0];
    let (loc, ctx) = (first.op.location(), first.op.context());
    let types: Vec<Type> = types_of(&first.captured);
    let block = block_of(types.iter().copied(), loc);
    let b = Builder::at_end(block, loc);
    let mut new: HashMap<Value, Value> = first.captured.iter().copied().zip(block.arguments()).collect();
    for v in operands_of(first.op).chain(first.op.nested_ops().into_iter().flat_map(Op::operands)) {
        if let Some(constant) = constant_of(v).filter(|op| !is_inside(*op, first.op)) {
            new.entry(v).or_insert_with(|| b.insert(constant.clone_op()).result(0));
        }
    }
    let nest = b.copy(first.op, &mut new);
    b.make(Kind::FuncReturn, &[], &[], &[]);
    let text = |k: usize| match nests.iter().all(|nest| nest.is_alone(k)) {
        true => "{llvm.noalias, llvm.nocapture}",
        false => "{}",
    };
    let attributes: Vec<Attribute> = (0..types.len()).map(|k| ctx.attribute(text(k))).collect();
    let function = OpBuilder::function(Kind::FuncFunc, &name, block, &[], loc)
        .attribute("sym_visibility", ctx.string_attr("private"))
        .attribute("arg_attrs", ctx.array_attr(&attributes))
        .attribute("passthrough", ctx.array_attr(&["noinline", "nounwind"].map(|s| ctx.string_attr(s))))
        .build();
    module.entry().append(function);
    let callee = ctx.symbol_attr(&name);
    for nest in nests {
        Builder::before(nest.op).make(Kind::FuncCall, &nest.captured, &[], &[("callee", callee)]);
        nest.op.erase();
    }
    nest
}
