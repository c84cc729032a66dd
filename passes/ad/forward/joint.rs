//! Forward transformation of loops and branches for forward mode: one loop or branch computes primals and tangents
//! together (`spec/arrays.md` D.1).

use super::{
    Builders, Dual, Forward, Loops, Scope, bind, bind_all, constants, copied, dual, duals, enter, primals, tangent,
};
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Builder, Op, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind};

impl Forward<'_> {
    pub(super) fn joint(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        match op.kind() {
            Kind::ArrayBuild => self.build(b, op, scope),
            Kind::ArrayIfold => self.counted(b, op, 1, scope),
            Kind::ScfFor => self.counted(b, op, 3, scope),
            Kind::ScfWhile => self.joint_while(b, op, scope),
            Kind::ArrayFold | Kind::ArrayMapAccum => self.rows(b, op, scope),
            Kind::ScfIf => self.branch(Builders::joint(b), op, scope),
            _ => Err(op.not_supported("forward mode has no rule for this op")),
        }
    }

    /// 𝔽[build n f] = build n (i → 𝔽[f] i): a second array for each varying result.
    fn build(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let extents = primals(&duals(scope, &op.operands()));
        let body = op.entry();
        let inner = enter(b, body, scope);
        let elements = self.block(Builders::joint(inner), body, scope)?;
        let mut yielded = primals(&elements);
        let mut types = types_of(&op.results());
        for (element, result) in elements.iter().zip(op.results()) {
            if let Some(t) = element.tangent {
                yielded.push(t);
                types.push(result.ty());
            }
        }
        inner.insert(inner.op(Kind::ArrayYield).operands(&yielded).build());
        let build = b.op(Kind::ArrayBuild).operands(&extents).results(&types).region(Region::with_block(inner.block));
        let results = b.insert(build.build()).results();
        let mut tangents = results[elements.len()..].iter().copied();
        let zip = |(e, &primal): (&Dual, &Value)| Dual { primal, tangent: e.tangent.and_then(|_| tangents.next()) };
        Ok(elements.iter().zip(&results).map(zip).collect())
    }

    /// 𝔽[ifold f z n] = ifold 𝔽[f] 𝔽[z] n: a second carried value for each varying one. The first `fixed` operands are
    /// bounds; the body has one argument, the counter, before the carried values.
    fn counted(&self, b: Builder, op: Op, fixed: usize, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let bounds = primals(&duals(scope, &op.operands()[..fixed]));
        let inits = duals(scope, &op.operands()[fixed..]);
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let body = op.entry();
        let inner = enter(b, body, scope);
        let operands = [bounds, flat(b, &inits, &varies)].concat();
        add_tangents(inner, &body.arguments()[1..], &varies, scope);
        let next = self.block(Builders::joint(inner), body, scope)?;
        let yielded = flat(inner, &next, &varies);
        let end = body.end();
        inner.insert(inner.op(end.name()).operands(&yielded).build());
        let new = b.op(op.name()).operands(&operands).results(&types_of(&operands[fixed..]));
        let results = b.insert(new.region(Region::with_block(inner.block)).build()).results();
        Ok(zipped(&results, &varies))
    }

    /// Differentiates a loop over rows: a second array of rows for each varying one, and carried values as above.
    fn rows(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let arrays = duals(scope, &op.operand_segment(0));
        let inits = duals(scope, &op.operand_segment(1));
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let body = op.entry();
        // Arguments: rows, rows of tangents, carried values, carried tangents.
        let old = body.arguments();
        let (rows, carried) = old.split_at(arrays.len());
        let active: Vec<usize> = (0..arrays.len()).filter(|&k| arrays[k].tangent.is_some()).collect();
        let row_tangents: Vec<Value> = active.iter().filter_map(|&k| arrays[k].tangent).collect();
        let states: Vec<usize> = (0..inits.len()).filter(|&k| varies[k]).collect();
        let starts = flat(b, &inits, &varies);
        let mut types = types_of(rows);
        types.extend(row_tangents.iter().map(|t| t.ty().row()));
        types.extend(carried.iter().chain(&starts[carried.len()..]).map(|v| v.ty()));
        let inner = b.new_block(&types);
        let block = inner.block;
        let new = block.arguments();
        let (n, m, c) = (rows.len(), row_tangents.len(), carried.len());
        bind_all(scope, rows, &new, &active, &new[n..]);
        bind_all(scope, carried, &new[n + m..], &states, &new[n + m + c..]);
        let next = self.block(Builders::joint(inner), body, scope)?;
        let (next, emitted) = next.split_at(c);
        let (moves, emits) = varies.split_at(c);
        let yielded = [flat(inner, next, moves), flat(inner, emitted, emits)].concat();
        inner.insert(inner.op(Kind::ArrayYield).operands(&yielded).build());
        let types = types_of(&op.results());
        let varying =
            |range: std::ops::Range<usize>| range.filter(|&k| varies[k]).map(|k| types[k]).collect::<Vec<_>>();
        let results = [types[..c].to_vec(), varying(0..c), types[c..].to_vec(), varying(c..types.len())].concat();
        let arrays = [primals(&arrays), row_tangents].concat();
        let new = b.op(op.name()).operand_segments(&[&arrays, &starts]).results(&results);
        let results = b.insert(new.region(Region::with_block(block)).build()).results();
        let (carried, emitted) = results.split_at(c + states.len());
        Ok([zipped(carried, moves), zipped(emitted, emits)].concat())
    }

    /// 𝔽[if c a b] = if c 𝔽[a] 𝔽[b]. Reverse mode has one branch for the primals and one, which is linear, for the
    /// tangents.
    pub(super) fn branch(&self, at: Builders, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let joint = self.setting.loops == Loops::Joint;
        let condition = dual(scope, op.operand(0)).primal;
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let unchanged = if joint { Vec::new() } else { copied(at.primal, op, scope) };
        let mut new = at.tangent.op(Kind::ScfIf).operands(&[condition]);
        for body in op.blocks() {
            let inner = enter(at.tangent, body, scope);
            let yielded = self.block(Builders::joint(inner), body, scope)?;
            let values = flat(inner, &yielded, &varies);
            let values = if joint { &values[..] } else { &values[yielded.len()..] };
            inner.insert(inner.op(Kind::ScfYield).operands(values).build());
            new = new.region(Region::with_block(inner.block));
        }
        let types = types_of(&op.results());
        let tangents = types.iter().zip(&varies).filter(|(_, v)| **v).map(|(t, _)| *t);
        let all: Vec<Type> = if joint { types.iter().copied().chain(tangents).collect() } else { tangents.collect() };
        let results = at.tangent.insert(new.results(&all).build()).results();
        if joint {
            return Ok(zipped(&results, &varies));
        }
        Ok(zipped(&[primals(&unchanged), results].concat(), &varies))
    }
}

/// Adds arguments for the tangents of the varying values of `old`, which are arguments of the original block.
pub(super) fn add_tangents(inner: Builder, old: &[Value], varies: &[bool], scope: &mut Scope) {
    for (&v, _) in old.iter().zip(varies).filter(|(_, varies)| **varies) {
        let t = inner.block.add_argument(v.ty(), inner.location);
        bind(scope, v, Dual { primal: scope[&v].primal, tangent: Some(t) });
    }
}

/// Returns the primals, then the tangents of those that vary.
pub(super) fn flat(b: Builder, duals: &[Dual], varies: &[bool]) -> Vec<Value> {
    let mut values = primals(duals);
    values.extend(duals.iter().zip(varies).filter(|(_, v)| **v).map(|(d, _)| tangent(b, *d)));
    values
}

/// Splits values into duals. The values are primals, then the tangents of those that vary.
pub(super) fn zipped(values: &[Value], varies: &[bool]) -> Vec<Dual> {
    let (primals, tangents) = values.split_at(varies.len());
    let mut tangents = tangents.iter().copied();
    let mut duals = constants(primals);
    for (d, _) in duals.iter_mut().zip(varies).filter(|(_, v)| **v) {
        d.tangent = tangents.next();
    }
    duals
}
