//! Partial conversion: selects the functions that cannot become functions of arrays, and leaves them for
//! `closure-convert` and `lambda-to-llvm`.

use super::Writer;
use crate::analysis::fresh_names::FreshNames;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::ir::*;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// The suffix of copies that unconverted functions call.
const COPY: &str = "data";

/// Returns the unconverted functions, and the others with their conversions.
///
/// A function is not converted if it is recursive, has no form over arrays, or calls an unconverted function.
pub fn tried(module: Op, functions: &[Op]) -> (Vec<Op>, Vec<(Op, Op)>) {
    let named: BTreeMap<String, Op> =
        module.child_ops().into_iter().filter_map(|op| Some((op.symbol()?, op))).collect();
    let mut left: BTreeSet<String> = BTreeSet::new();
    let mut made: BTreeMap<String, Op> = BTreeMap::new();
    for (name, op) in &named {
        if op.kind() != Kind::FuncFunc {
            continue;
        }
        if reached(&named, name).contains(name) {
            left.insert(name.clone());
        } else if functions.contains(op) {
            match captured(op.context(), || Writer::function(*op)).0 {
                Ok(new) => {
                    made.insert(name.clone(), new);
                }
                Err(_) => {
                    left.insert(name.clone());
                }
            }
        }
    }
    let calls_left: Vec<String> =
        named.keys().filter(|name| reached(&named, name).iter().any(|callee| left.contains(callee))).cloned().collect();
    left.extend(calls_left);
    let written = made.into_iter().filter_map(|(name, new)| {
        if left.contains(&name) {
            new.erase();
            return None;
        }
        Some((named[&name], new))
    });
    let written = written.collect();
    (left.iter().map(|name| named[name]).collect(), written)
}

/// Keeps the originals of converted functions to which unconverted ones refer, under another name.
pub fn keep_for(left: &[Op], written: &[(Op, Op)]) {
    let written: BTreeMap<String, Op> = written.iter().filter_map(|(old, _)| Some((old.symbol()?, *old))).collect();
    let mut kept: BTreeMap<String, String> = BTreeMap::new();
    let taken = left.first().and_then(|f| f.module()).map(Op::child_ops).unwrap_or_default();
    let mut symbols = FreshNames::except(taken.into_iter().filter_map(Op::symbol));
    let mut open: Vec<Op> = left.to_vec();
    while let Some(function) = open.pop() {
        // A task may also run a function, and `lambda.ref` may name it.
        for call in function.nested_ops() {
            let Some(callee) = call.callee() else { continue };
            let Some(old) = written.get(&callee) else { continue };
            let ctx = old.context();
            let name = kept.entry(callee.clone()).or_insert_with(|| {
                let name = symbols.free(&format!("{callee}.{COPY}"));
                let copy = old.clone_op();
                copy.set_attribute("sym_name", ctx.string_attr(&name));
                copy.set_attribute("sym_visibility", ctx.string_attr("private"));
                Builder::before(*old).insert(copy);
                open.push(copy);
                name
            });
            call.set_attribute("callee", ctx.symbol_attr(name));
        }
    }
}

/// Returns the callees of a function, transitively.
fn reached(named: &BTreeMap<String, Op>, name: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open = vec![name.to_string()];
    while let Some(function) = open.pop().and_then(|name| named.get(&name)) {
        for call in function.nested_ops().into_iter().filter(|op| op.kind() == Kind::FuncCall) {
            let callee = call.callee().unwrap_or_default();
            if all.insert(callee.clone()) {
                open.push(callee);
            }
        }
    }
    all
}
