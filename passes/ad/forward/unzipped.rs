//! Forward transformation of loops for reverse mode. A loop is split into two (`spec/arrays.md` C.5): a primal loop,
//! which stores its states and the values that are expensive to compute, and a loop for the tangents, which is linear
//! in them and computes the other primals again (`residuals.rs`).
//!
//! Every loop is treated as a loop over rows. A loop over an index is a loop over the rows of `array.iota`. An
//! `array.build` is a loop that carries no state and emits its elements as rows.

use super::KEEPS;
use super::joint::zipped;
use super::{Builders, Dual, Forward, Keep, Scope, bind_all, copied, dual, duals, primals, residuals, tangent};
use crate::analysis::edit::{self, Extent};
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Dim, Op, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};

/// The meaning of an index argument of the original body, if the row is the number of the iteration.
enum Index {
    /// The arguments are the rows.
    Rows,
    /// The indices of a build with these extents, the last one fastest.
    Of(Vec<Value>),
    /// `start + number · step`.
    Stepped(Value, Value),
}

impl Index {
    /// Returns the values of the index arguments in iteration `number`; empty if they are rows.
    fn values(&self, b: Builder, number: Value) -> Vec<Value> {
        match self {
            Index::Rows => Vec::new(),
            Index::Of(extents) => unflattened(b, number, extents),
            Index::Stepped(start, step) => {
                let number = as_type(b, number, step.ty());
                let distance = b.unary(Kind::ArithMuli, &[number, *step], step.ty());
                vec![b.unary(Kind::ArithAddi, &[*start, distance], step.ty())]
            }
        }
    }
}

/// A loop over rows, on the primals.
pub(super) struct Rows {
    /// The arrays of which an iteration reads one row each.
    arrays: Vec<Value>,
    inits: Vec<Value>,
    /// The tangents of the varying arrays.
    array_tangents: Vec<Option<Value>>,
    /// The tangents of the inits; zero if the carried value varies only later.
    init_tangents: Vec<Option<Value>>,
    /// The arguments of the original body that are rows, in order.
    rows: Vec<Value>,
    index: Index,
    carried: Vec<Value>,
    /// The results that are rows, one for each iteration.
    emitted: Vec<Value>,
    /// The carried values after the loop, if they are known already.
    finals: Option<Vec<Value>>,
}

impl Rows {
    /// Creates a loop of `count` iterations that read nothing.
    pub(super) fn counted(b: Builder, count: Value, carried: Vec<Value>, inits: &[Dual], finals: Vec<Value>) -> Rows {
        Rows {
            arrays: vec![b.iota(None, Some(count))],
            inits: primals(inits),
            array_tangents: vec![None],
            init_tangents: inits.iter().map(|d| d.tangent).collect(),
            rows: Vec::new(),
            index: Index::Rows,
            carried,
            emitted: Vec::new(),
            finals: Some(finals),
        }
    }
}

impl Forward<'_> {
    pub(super) fn unzipped(&self, at: Builders, keep: Keep, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        use Kind::*;
        match op.kind() {
            ScfIf => self.branch(at, op, scope),
            ScfWhile | ArrayBuild | ArrayIfold | ArrayFold | ArrayMapAccum | ScfFor if at.inside => {
                let primals = copied(at.primal, op, scope);
                let again = self.unzipped(Builders::joint(at.tangent), keep, op, scope)?;
                Ok(primals.iter().zip(again).map(|(p, d)| Dual { primal: p.primal, ..d }).collect())
            }
            ScfWhile => self.split_while(at, keep, op, scope),
            ArrayBuild | ArrayIfold | ArrayFold | ArrayMapAccum | ScfFor => {
                let rows = self.as_rows(at.primal, op, scope);
                self.split(at, keep, op, &rows, scope)
            }
            _ => Err(op.not_supported("reverse mode has no rule for this op")),
        }
    }

    /// Returns the loop as a loop over rows, and emits its arrays.
    fn as_rows(&self, b: Builder, op: Op, scope: &Scope) -> Rows {
        let body = op.entry();
        let mut index = Index::Rows;
        let (arrays, inits) = match op.kind() {
            Kind::ArrayBuild => {
                let sizes = extents(b, op, scope);
                let leading = &op.result(0).ty().shape()[..sizes.len()];
                let known = leading.iter().try_fold(1, |n, d| d.map(|d| n * d));
                let extent = known.is_none().then(|| {
                    let zero = b.index(0);
                    let sizes = sizes.iter().map(|&n| b.unary(Kind::ArithMaxsi, &[n, zero], n.ty()));
                    sizes.reduce(|n, m| b.unary(Kind::ArithMuli, &[n, m], n.ty())).expect("at least one index")
                });
                index = Index::Of(sizes);
                (super::constants(&[b.iota(known, extent)]), Vec::new())
            }
            Kind::ScfFor => {
                let bound = |k: usize| dual(scope, op.operand(k)).primal;
                let (start, step) = (bound(0), bound(2));
                let count = trip_count(b, start, bound(1), step);
                index = Index::Stepped(start, step);
                (super::constants(&[b.iota(None, Some(count))]), duals(scope, &op.operands()[3..]))
            }
            Kind::ArrayIfold => {
                let count = dual(scope, op.operand(0)).primal;
                let known = edit::known(count).map(|n| n.max(0) as usize);
                let rows = if known.is_some() { b.iota(known, None) } else { b.iota(None, Some(count)) };
                (super::constants(&[rows]), duals(scope, &op.operands()[1..]))
            }
            _ => (duals(scope, &op.operand_segment(0)), duals(scope, &op.operand_segment(1))),
        };
        let arguments = body.arguments();
        Rows {
            array_tangents: arrays.iter().map(|d| d.tangent).collect(),
            arrays: primals(&arrays),
            rows: arguments[..arguments.len() - inits.len()].to_vec(),
            carried: arguments[arguments.len() - inits.len()..].to_vec(),
            index,
            inits: primals(&inits),
            init_tangents: inits.iter().map(|d| d.tangent).collect(),
            emitted: op.results().split_off(inits.len()),
            finals: None,
        }
    }

    /// Returns the carried values after the loop `op`, then the rows that it emits.
    pub(super) fn split(
        &self,
        at: Builders,
        keep: Keep,
        op: Op,
        rows: &Rows,
        scope: &mut Scope,
    ) -> Result<Vec<Dual>, Reported> {
        let varies: Vec<bool> = rows.carried.iter().chain(&rows.emitted).map(|r| self.varies(*r)).collect();
        let count = rows.carried.len();
        let active: Vec<usize> = (0..rows.arrays.len()).filter(|&k| rows.array_tangents[k].is_some()).collect();
        let moving: Vec<usize> = (0..count).filter(|&k| varies[k]).collect();

        // The arguments of the primal loop: rows, states. Those of the linear loop: the same, rows of tangents, carried
        // tangents.
        let mut types: Vec<Type> = rows.arrays.iter().map(|v| v.ty().row()).collect();
        types.extend(rows.inits.iter().map(|v| v.ty()));
        let first = at.primal.new_block(&types);
        types.extend(active.iter().map(|&k| rows.arrays[k].ty().row()));
        types.extend(moving.iter().map(|&k| rows.inits[k].ty()));
        let b = at.tangent;
        let inner = b.new_block(&types);
        let (primal, linear) = (first.block, inner.block);
        let (n, m) = (rows.arrays.len(), active.len());
        let (given, arguments) = (primal.arguments(), linear.arguments());
        let indices = rows.index.values(first, given[0]);
        if indices.is_empty() {
            bind_all(scope, &rows.rows, &given, &active, &arguments[n + count..]);
        } else {
            bind_all(scope, &rows.rows, &indices, &[], &[]);
        }
        bind_all(scope, &rows.carried, &given[n..], &moving, &arguments[n + count + m..]);
        let next = self.iteration(Builders { primal: first, tangent: inner, inside: true }, op, scope)?;
        let mut passed = primals(&next);
        let (next, emitted) = next.split_at(count);
        let mut yielded: Vec<Value> = moving.iter().map(|&k| tangent(inner, next[k])).collect();
        let emits: Vec<usize> = (0..emitted.len()).filter(|&k| varies[count + k]).collect();
        yielded.extend(emits.iter().map(|&k| tangent(inner, emitted[k])));
        inner.insert(inner.op(Kind::ArrayYield).operands(&yielded).build());
        remove_dead(linear);

        // A loop that carries nothing is best recomputed, fused with its users.
        let keep = if count == 0 { Keep::States } else { keep };
        let residuals = residuals::separate(primal, linear, &passed, n + count, keep);
        // Rows and states that the tangents do not need are removed; one array stays, for the number of iterations.
        let kept: Vec<usize> = (0..n + count).filter(|&k| !arguments[k].is_unused()).collect();
        let kept = if kept.is_empty() && m + residuals.len() == 0 { vec![0] } else { kept };
        let states: Vec<usize> = kept.iter().filter(|&&k| k >= n).map(|&k| k - n).collect();
        (0..n + count).rev().filter(|k| !kept.contains(k)).for_each(|k| linear.erase_argument(k));

        // Residuals that are emitted already are not emitted again.
        let own: Vec<Value> = residuals.iter().copied().filter(|v| !passed[count..].contains(v)).collect();
        let place = |v: &Value| passed[count..].iter().position(|p| p == v);
        let places: Vec<Option<usize>> = residuals.iter().map(place).collect();
        let mut stacked: Vec<Value> = states.iter().map(|&k| given[n + k]).collect();
        stacked.extend(own);
        let carried_again = !residuals.is_empty() || !states.is_empty();
        let results = if carried_again {
            passed.extend(&stacked);
            primal_loop(at.primal, primal, rows, &passed, &stacked)
        } else {
            primal.erase();
            Vec::new()
        };
        let mut arrays: Vec<Value> = kept.iter().filter(|&&k| k < n).map(|&k| rows.arrays[k]).collect();
        let mut stacks = results.get(count + rows.emitted.len()..).unwrap_or_default().iter().copied();
        arrays.extend(stacks.by_ref().take(states.len()));
        arrays.extend(places.iter().map(|place| match place {
            Some(k) => results[count + k],
            None => stacks.next().expect("one for each that is not emitted"),
        }));
        let primals = match &rows.finals {
            Some(finals) => finals.clone(),
            None if carried_again => results[..count + rows.emitted.len()].to_vec(),
            None => primals(&copied(at.primal, op, scope)),
        };
        arrays.extend(active.iter().filter_map(|&k| rows.array_tangents[k]));
        let inits = moving.iter().map(|&k| Dual { primal: rows.inits[k], tangent: rows.init_tangents[k] });
        let starts: Vec<Value> = inits.map(|init| tangent(b, init)).collect();
        let mut results = types_of(&starts);
        let flat = rows.arrays[0].ty().shape()[0];
        results.extend(emits.iter().map(|&k| {
            let z = rows.emitted[k].ty();
            let trailing = z.shape().split_off(if indices.is_empty() { 1 } else { indices.len() });
            Type::tensor(&[&[flat], trailing.as_slice()].concat(), z.scalar())
        }));
        let op = b.op(Kind::ArrayMapAccum).operand_segments(&[&arrays, &starts]).results(&results);
        let mut tangents = b.insert(op.region(Region::with_block(linear)).build()).results();
        if matches!(&rows.index, Index::Of(extents) if extents.len() > 1) {
            for (t, &k) in tangents.iter_mut().zip(&emits) {
                let z = rows.emitted[k].ty();
                let sizes = b.extents(primals[k], z.rank());
                *t = b.reshape(*t, &z.shape(), &sizes);
            }
        }
        Ok(zipped(&[primals, tangents].concat(), &varies))
    }
}

/// Emits the primal loop with the body `block`, which yields `passed`, then the residuals `stacked`, of which each
/// iteration emits a row.
fn primal_loop(b: Builder, block: Block, rows: &Rows, passed: &[Value], stacked: &[Value]) -> Vec<Value> {
    let inner = Builder::at_end(block, b.location);
    inner.insert(inner.op(Kind::ArrayYield).operands(passed).build());
    remove_dead(block);
    let n: Dim = rows.arrays[0].ty().shape()[0];
    let mut types: Vec<Type> = rows.inits.iter().chain(&rows.emitted).map(|v| v.ty()).collect();
    types.extend(stacked.iter().map(|v| v.ty().stacked(&[n])));
    let new = b.op(Kind::ArrayMapAccum).operand_segments(&[&rows.arrays, &rows.inits]).results(&types);
    let new = new.attribute(KEEPS, Attribute::integer(b.context().index(), stacked.len() as i64));
    b.insert(new.region(Region::with_block(block)).build()).results()
}

fn as_type(b: Builder, x: Value, ty: Type) -> Value {
    if x.ty() == ty { x } else { b.unary(Kind::ArithIndexCast, &[x], ty) }
}

/// Returns the number of iterations of a loop from `start` to below `end`, as an index.
pub fn trip_count(b: Builder, start: Value, end: Value, step: Value) -> Value {
    let context = b.context();
    let ty = start.ty();
    let [zero, one] = [0, 1].map(|n| b.constant(Attribute::integer(ty, n), ty));
    let op = |kind: Kind, x: Value, y: Value| b.unary(kind, &[x, y], ty);
    let distance = op(Kind::ArithMaxsi, op(Kind::ArithSubi, end, start), zero);
    let step = op(Kind::ArithMaxsi, step, one);
    as_type(b, op(Kind::ArithCeildivsi, distance, step), context.index())
}

/// Returns the extents of a build; static ones are constants.
fn extents(b: Builder, op: Op, scope: &Scope) -> Vec<Value> {
    let (rank, given) = (op.entry().num_arguments(), primals(&duals(scope, &op.operands())));
    let value = |extent| match extent {
        Extent::Known(n) => b.index(n as i64),
        Extent::Value(n) => n,
    };
    Extent::all(&op.result(0).ty().shape()[..rank], &given).into_iter().map(value).collect()
}

/// Returns the indices of a build for the number of an iteration, the last one fastest.
fn unflattened(b: Builder, number: Value, extents: &[Value]) -> Vec<Value> {
    let (mut indices, mut rest) = (Vec::new(), number);
    for &n in extents[1..].iter().rev() {
        indices.push(b.modulo(rest, n));
        rest = b.div(rest, n);
    }
    indices.push(rest);
    indices.reverse();
    indices
}

/// Removes ops with unused results, in reverse order; all are pure.
pub fn remove_dead(block: Block) {
    for op in block.ops().into_iter().rev() {
        if Some(op) != block.terminator() && op.results().iter().all(|r| r.is_unused()) {
            op.erase();
        }
    }
}
