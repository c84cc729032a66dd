//! Dependence analysis: determines which values in a body depend on an index of the enclosing build.

use super::ops;
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

/// The values in the body of one `array.build` that depend on some of its indices.
pub struct Dependence {
    values: HashSet<Value>,
    /// The ops that use or define such values, themselves or in their regions.
    ops: HashSet<Op>,
}

impl Dependence {
    /// Computes the dependence. `fixed` tells which ops must not be moved out of the build: their results count as
    /// dependent.
    pub fn of(build: Op, indices: &[Value], fixed: &dyn Fn(Op) -> bool) -> Dependence {
        let mut d = Dependence { values: indices.iter().copied().collect(), ops: HashSet::new() };
        let ops = build.nested_ops();
        ops.iter().filter(|op| fixed(**op)).for_each(|op| d.values.extend(op.results()));
        // Loops carry dependence back to their start: repeat until a fixpoint. Each iteration adds a value.
        loop {
            let before = d.values.len();
            ops.iter().for_each(|&op| d.visit(op));
            if d.values.len() == before {
                break;
            }
        }
        for &op in &ops {
            if d.any(&op.operands()) || d.any(&op.results()) {
                let mut touched = Some(op);
                while let Some(op) = touched.filter(|op| *op != build && d.ops.insert(*op)) {
                    touched = op.parent_op();
                }
            }
        }
        d
    }

    pub fn has(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    /// Checks whether `op`, or an op in its regions, uses or defines a value that depends on the index.
    pub fn touches(&self, op: Op) -> bool {
        self.ops.contains(&op)
    }

    fn any(&self, values: &[Value]) -> bool {
        values.iter().any(|v| self.has(*v))
    }

    fn visit(&mut self, op: Op) {
        let ends = || -> Vec<Vec<Value>> { ops::ends(op).into_iter().map(Op::operands).collect() };
        match op.kind() {
            // Sizes do not depend on an index.
            Kind::ArrayLength => {}
            Kind::ArrayIfold if !self.has(op.operand(0)) => self.carried(op, &op.operands()[1..], 1),
            Kind::ScfFor if !self.any(&op.operands()[..3]) => self.carried(op, &op.operands()[3..], 1),
            Kind::ArrayFold | Kind::ArrayMapAccum => {
                let (arrays, inits) = (op.operand_segment(0), op.operand_segment(1));
                let rows = op.body().map(|b| b.arguments()).unwrap_or_default();
                self.follow(&arrays, &rows);
                self.carried(op, &inits, arrays.len());
                self.follow(&ops::yields(op)[inits.len()..], &op.results()[inits.len()..]);
            }
            Kind::ScfWhile if !self.has(ends()[0][0]) => {
                let [before, after] =
                    [0, 1].map(|k| op.region(k).first_block().map(|b| b.arguments()).unwrap_or_default());
                let ends = ends();
                self.follow(&op.operands(), &before);
                self.follow(&ends[1], &before);
                self.follow(&ends[0][1..], &after);
                self.follow(&ends[0][1..], &op.results());
            }
            Kind::ScfIf if !self.has(op.operand(0)) => {
                ends().iter().for_each(|arm| self.follow(arm, &op.results()));
            }
            _ => {
                let inside = || op.nested_ops().into_iter().any(|inner| self.any(&inner.operands()));
                if self.any(&op.operands()) || inside() {
                    self.values.extend(op.results());
                }
            }
        }
    }

    /// Marks the carried values of a loop, whose region has `before` other arguments in front of them.
    fn carried(&mut self, op: Op, inits: &[Value], before: usize) {
        let body = op.entry();
        for (k, (&init, next)) in inits.iter().zip(ops::yields(op)).enumerate() {
            // The same variable at different times: it depends on the index from the first iteration on.
            let variable = [body.argument(before + k), op.result(k)];
            if self.any(&[init, next]) || self.any(&variable) {
                self.values.extend(variable);
            }
        }
    }

    /// Marks each value of `to` if the corresponding one of `from` depends on the index.
    fn follow(&mut self, from: &[Value], to: &[Value]) {
        for (v, &z) in from.iter().zip(to) {
            if self.values.contains(v) {
                self.values.insert(z);
            }
        }
    }
}

/// Returns the name in the definition, and the first position, of the operands of an op that are sizes of its result.
pub fn first_size(op: Op) -> Option<(&'static str, usize)> {
    Some(match op.kind() {
        Kind::ArrayBuild => ("extents", 0),
        Kind::ArrayGather => ("extents", 1),
        Kind::ArrayIota => ("n", 0),
        Kind::ArrayReplicate => ("n", 1),
        Kind::ArraySlice => ("size", 2),
        Kind::ArrayReshape => ("sizes", 1),
        Kind::ArrayOneHot => ("sizes", 1 + op.operand_segment(1).len()),
        _ => return None,
    })
}

/// Returns the operands of an op that are sizes of its result, with their name in the definition.
pub fn size_operands(op: Op) -> Vec<(&'static str, Value)> {
    let sizes = |(name, first)| op.operands().into_iter().skip(first).map(|n| (name, n)).collect();
    first_size(op).map(sizes).unwrap_or_default()
}

/// Rejects a function in which the size of an array depends on the index of an enclosing build.
pub fn check_sizes(function: Op) -> Result<(), Reported> {
    match dependent_size(function) {
        None => Ok(()),
        Some((build, op, name, n)) => {
            let what = format!("the size in `{name}` must not depend on an index of the enclosing `array.build`");
            Err(op.limitation(what).note_value(name, n).note(build.location(), "the build is here").emit())
        }
    }
}

/// Returns a build, an op inside with a size that depends on its indices, and the name and value of that size.
pub fn dependent_size(function: Op) -> Option<(Op, Op, &'static str, Value)> {
    let mut builds = function.nested_ops().into_iter().filter(|op| op.kind() == Kind::ArrayBuild);
    builds.find_map(|build| {
        let indices = build.entry().arguments();
        let dependence = Dependence::of(build, &indices, &|_| false);
        let size = |op: Op| size_operands(op).into_iter().find(|(_, n)| dependence.has(*n));
        build.nested_ops().into_iter().find_map(|op| size(op).map(|(name, n)| (build, op, name, n)))
    })
}
