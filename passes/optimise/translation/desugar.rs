//! Translation of operations on whole arrays to builds of reads. After optimisation, `place` and `bulk` recognise
//! transposes, reshapes and reductions again.

use super::import::{Importer, plan_type};
use crate::analysis::edit::with_nested;
use crate::analysis::kinds;
use crate::optimise::placement::plan::{Scope, Stmt, Type, Val};
use crate::optimise::terms::op::{Flags, Op as Operator};
use crate::optimise::terms::prim::{EQ, Prim, SLT};
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;
use rustc_hash::FxHashSet;

/// The ops that `desugar` translates.
pub const SUGAR: &[Kind] = kinds![ArrayGather ArrayScatter ArraySlice ArrayReverse ArrayIota ArrayAppend ArrayOneHot];

/// Checks whether a row that a `map_accum` emits depends on a carried value.
pub(super) fn emits_what_it_carries(op: Op) -> bool {
    let (carried, rows) = (op.operand_segment(1).len(), op.operand_segment(0).len());
    let Some((body, end)) = op.body().and_then(|b| Some((b, b.terminator()?))) else { return true };
    let mut depends: FxHashSet<Value> = body.arguments()[rows..].iter().copied().collect();
    for inner in body.ops() {
        let reads = with_nested(inner).flat_map(Op::operands);
        if inner != end && reads.into_iter().any(|v| depends.contains(&v)) {
            depends.extend(inner.results());
        }
    }
    end.operands()[carried..].iter().any(|v| depends.contains(v))
}

impl Importer {
    /// Returns the statement that computes `out`, the result of an op in [`SUGAR`].
    pub(super) fn desugar(&mut self, op: Op, out: Val) -> Stmt {
        let x = || op.operand(0);
        match op.kind() {
            Kind::ArrayGather => {
                let body = op.entry();
                let extents = self.extents(op, out, body.num_arguments(), 1);
                let source = self.value(x());
                let scope = self.region(body);
                let row = self.row(out, extents.len());
                let body = &mut self.plan.scopes[scope];
                let indices = std::mem::replace(&mut body.yields, vec![row]);
                body.stmts.push(Stmt::Get { array: source, indices, out: row });
                Stmt::Build { extents, scope, outs: vec![out] }
            }
            Kind::ArrayScatter => {
                let (array, init) = (self.value(x()), self.value(op.operand(1)));
                let scope = self.region(op.entry());
                Stmt::Scatter { array, init, scope, out }
            }
            Kind::ArraySlice => {
                let (array, start) = (self.value(x()), self.value(op.operand(1)));
                let n = self.extents(op, out, 1, 2)[0];
                Stmt::Slice { array, start, n, out }
            }
            Kind::ArrayReverse => Stmt::Reverse { array: self.value(x()), out },
            Kind::ArrayIota => {
                let extents = self.extents(op, out, 1, 0);
                self.build(extents, out, |_, i| i[0])
            }
            Kind::ArrayAppend => {
                let (a, b) = (self.value(x()), self.value(op.operand(1)));
                let (n, m) = (self.length(a, 0), self.length(b, 0));
                (1..self.plan.types[out as usize].shape.len()).for_each(|axis| self.same_size(a, b, axis, out));
                let both = match self.plan.types[out as usize].shape[0] {
                    Some(n) => self.index(n as usize),
                    None => self.integer(Prim::AddI, n, m),
                };
                self.build(vec![both], out, |me, i| {
                    let first = me.integer(Prim::CmpI(SLT), i[0], n);
                    let at = me.integer(Prim::SubI, i[0], n);
                    let (x, y) = (me.read(a, i[0], out), me.read(b, at, out));
                    me.choose(first, x, y)
                })
            }
            _ => {
                debug_assert_eq!(op.kind(), Kind::ArrayOneHot, "the only other op in SUGAR");
                let value = self.value(x());
                // The indices, then the dynamic sizes; the last axes are those of the value.
                let trailing = self.plan.types[value as usize].shape.len();
                let leading = self.plan.types[out as usize].shape.len() - trailing;
                let mut extents = self.extents(op, out, leading, 1 + leading);
                extents.extend((0..trailing).map(|axis| self.length(value, axis)));
                let at: Vec<Val> = (0..leading).map(|axis| self.value(op.operand(1 + axis))).collect();
                let element = self.plan.types[out as usize].element;
                self.build(extents, out, |me, i| {
                    let value = if trailing == 0 { value } else { me.element(value, &i[leading..]) };
                    let here: Vec<Val> = i.iter().zip(&at).map(|(&i, &at)| me.integer(Prim::CmpI(EQ), i, at)).collect();
                    let here = here.into_iter().reduce(|a, b| me.integer(Prim::AndI, a, b)).expect("an index");
                    let zero = me.op(Operator::Const(element, 0), vec![], element);
                    me.choose(here, value, zero)
                })
            }
        }
    }

    /// Opens the scope of a loop over rows, whose body reads them first. Returns the number of rows.
    pub(super) fn rows(&mut self, op: Op) -> (Val, usize) {
        let body = op.entry();
        let arrays: Vec<Val> = op.operand_segment(0).into_iter().map(|v| self.value(v)).collect();
        // All arrays have the same length: a static one is preferred.
        let known = |&&a: &&Val| self.plan.types[a as usize].shape[0].is_some();
        let first = *arrays.iter().find(known).unwrap_or(&arrays[0]);
        let n = self.length(first, 0);
        let of = self.values[&op.result(0)];
        arrays.iter().for_each(|array| self.same_size(first, *array, 0, of));
        let index = self.plan.value(Type::INDEX);
        let arguments = body.arguments();
        let (rows, states) = arguments.split_at(arrays.len());
        let args = std::iter::once(index).chain(states.iter().map(|&s| self.argument(s))).collect();
        let outer = self.open(args);
        for (&array, &row) in arrays.iter().zip(rows) {
            let out = self.argument(row);
            self.push(Stmt::Get { array, indices: vec![index], out });
        }
        self.body(body);
        (n, std::mem::replace(&mut self.scope, outer))
    }

    /// Translates a `map_accum`. One whose emitted rows depend on no carried value is a fold and a build.
    pub(super) fn map_accum(&mut self, op: Op, results: Vec<Val>) -> Stmt {
        let inits: Vec<Val> = op.operand_segment(1).into_iter().map(|v| self.value(v)).collect();
        let (carried, emitted) = results.split_at(inits.len());
        if emitted.is_empty() {
            let (n, scope) = self.rows(op);
            self.plan.scopes[scope].yields.truncate(carried.len());
            return Stmt::Ifold { n, inits, scope, outs: carried.to_vec() };
        }
        if !carried.is_empty() {
            let (n, scope) = self.rows(op);
            self.plan.scopes[scope].yields.truncate(carried.len());
            self.push(Stmt::Ifold { n, inits, scope, outs: carried.to_vec() });
        }
        let (n, scope) = self.rows(op);
        self.plan.scopes[scope].args.truncate(1);
        self.plan.scopes[scope].yields.drain(..carried.len());
        self.drop_unused(scope);
        Stmt::Build { extents: vec![n], scope, outs: emitted.to_vec() }
    }

    /// Records that two arrays of an op in the outermost scope must have equal sizes along an axis.
    fn same_size(&mut self, a: Val, b: Val, axis: usize, of: Val) {
        if self.scope == 0 && a != b {
            self.plan.same_sizes.push(([a, b], axis, of));
        }
    }

    /// Drops the statements of a scope that its yields do not need.
    fn drop_unused(&mut self, scope: usize) {
        let mut used: FxHashSet<Val> = self.plan.scopes[scope].yields.iter().copied().collect();
        let stmts = std::mem::take(&mut self.plan.scopes[scope].stmts);
        let mut kept = Vec::new();
        for s in stmts.into_iter().rev() {
            if !s.outs().iter().any(|o| used.contains(o)) {
                continue;
            }
            used.extend(s.args());
            for inner in s.scope().into_iter().flat_map(|scope| self.plan.inside(scope)) {
                let Scope { stmts, yields, .. } = &self.plan.scopes[inner];
                used.extend(stmts.iter().flat_map(Stmt::args).chain(yields.iter().copied()));
            }
            kept.push(s);
        }
        kept.reverse();
        self.plan.scopes[scope].stmts = kept;
    }

    /// Returns the extents of the `k` leading axes of `out`. Dynamic ones are the operands from number `first` on.
    pub(super) fn extents(&mut self, op: Op, out: Val, k: usize, first: usize) -> Vec<Val> {
        let shape = self.plan.types[out as usize].shape[..k].to_vec();
        let mut next = first;
        shape
            .into_iter()
            .map(|n| match n {
                Some(n) => self.index(n as usize),
                None => {
                    next += 1;
                    self.value(op.operand(next - 1))
                }
            })
            .collect()
    }

    pub(super) fn build(&mut self, extents: Vec<Val>, out: Val, value: impl FnOnce(&mut Self, &[Val]) -> Val) -> Stmt {
        let args: Vec<Val> = extents.iter().map(|_| self.plan.value(Type::INDEX)).collect();
        let outer = self.open(args.clone());
        let e = value(self, &args);
        let scope = std::mem::replace(&mut self.scope, outer);
        self.plan.scopes[scope].yields = vec![e];
        Stmt::Build { extents, scope, outs: vec![out] }
    }

    pub(super) fn push(&mut self, s: Stmt) {
        self.plan.scopes[self.scope].stmts.push(s);
    }

    /// Creates a value like `out` without its `k` leading axes.
    fn row(&mut self, out: Val, k: usize) -> Val {
        let ty = self.plan.types[out as usize].clone();
        self.plan.value(Type { shape: ty.shape[k..].to_vec(), ..ty })
    }

    /// Emits `array[at]`, a row of the type of `like`.
    pub(super) fn read(&mut self, array: Val, at: Val, like: Val) -> Val {
        let out = self.row(like, 1);
        self.push(Stmt::Get { array, indices: vec![at], out });
        out
    }

    /// Emits the read of the scalar at a position.
    fn element(&mut self, array: Val, indices: &[Val]) -> Val {
        let out = self.scalar(self.plan.types[array as usize].element);
        self.push(Stmt::Get { array, indices: indices.to_vec(), out });
        out
    }

    pub(super) fn choose(&mut self, c: Val, a: Val, b: Val) -> Val {
        let out = self.plan.value(self.plan.types[a as usize].clone());
        self.push(Stmt::Op { op: Operator::Cond, args: vec![c, a, b], out });
        out
    }

    pub(super) fn length(&mut self, array: Val, axis: usize) -> Val {
        match self.plan.types[array as usize].shape[axis] {
            Some(n) => self.index(n as usize),
            None => self.op(Operator::Dim(axis as u8), vec![array], Element::Index),
        }
    }

    pub(super) fn integer(&mut self, p: Prim, a: Val, b: Val) -> Val {
        let element = p.result(self.plan.types[a as usize].element);
        self.op(Operator::Prim(p, Flags::NONE), vec![a, b], element)
    }

    /// Creates a scalar value.
    pub(super) fn scalar(&mut self, element: Element) -> Val {
        self.plan.value(Type { element, shape: vec![] })
    }

    fn op(&mut self, op: Operator, args: Vec<Val>, element: Element) -> Val {
        let out = self.scalar(element);
        self.push(Stmt::Op { op, args, out });
        out
    }
}

/// Checks whether terms can represent the types of an op.
pub(super) fn has_known_types(op: Op) -> bool {
    op.operands().into_iter().chain(op.results()).all(|v| plan_type(v.ty()).is_some())
}
