//! Forward transformation of loops and branches for forward mode: one loop or branch computes primals and tangents
//! together (`spec/arrays.md` D.1).

use super::{At, Dual, Forward, Loops, Scope, bind, bind_new, constants, dual, enter, tangent};
use mlopt_dialects::Reported;
use mlopt_dialects::ir::{Builder, Op, Region, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};

impl Forward<'_> {
    pub(super) fn joint(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        match op.kind() {
            Kind::ArrayBuild => self.build(b, op, scope),
            Kind::ArrayIfold => self.counted(b, op, 1, scope),
            Kind::ScfFor => self.counted(b, op, 3, scope),
            Kind::ScfWhile => self.joint_while(b, op, scope),
            Kind::ArrayFold | Kind::ArrayMapAccum => self.rows(b, op, scope),
            Kind::ScfIf => self.branch(At::joint(b), op, scope),
            _ => Err(op.not_supported("its derivative")),
        }
    }

    /// 𝔽[build n f] = build n (i → 𝔽[f] i): a second array for each varying result.
    fn build(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let extents: Vec<Value> = op.operands().iter().map(|v| dual(scope, *v).primal).collect();
        let body = op.body().expect("verified: one block");
        let inner = enter(b, body, scope);
        let elements = self.block(At::joint(inner), body, scope)?;
        let mut yielded: Vec<Value> = elements.iter().map(|e| e.primal).collect();
        let mut types: Vec<_> = op.results().iter().map(|r| r.ty()).collect();
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
        Ok(elements
            .iter()
            .zip(&results)
            .map(|(e, &primal)| Dual { primal, tangent: e.tangent.and_then(|_| tangents.next()) })
            .collect())
    }

    /// 𝔽[ifold f z n] = ifold 𝔽[f] 𝔽[z] n: a second carried value for each varying one. The first `fixed` operands are
    /// bounds; the body has one argument, the counter, before the carried values.
    fn counted(&self, b: Builder, op: Op, fixed: usize, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let bounds: Vec<Value> = op.operands()[..fixed].iter().map(|v| dual(scope, *v).primal).collect();
        let inits: Vec<Dual> = op.operands()[fixed..].iter().map(|v| dual(scope, *v)).collect();
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let body = op.body().expect("verified: one block");
        let inner = enter(b, body, scope);
        let mut operands: Vec<Value> = bounds.into_iter().chain(inits.iter().map(|d| d.primal)).collect();
        for (k, init) in inits.iter().enumerate().filter(|(k, _)| varies[*k]) {
            let start = tangent(b, *init);
            operands.push(start);
            let carried = body.argument(k + 1);
            let t = inner.block.add_argument(start.ty(), b.location);
            bind(scope, carried, Dual { primal: scope[&carried].primal, tangent: Some(t) });
        }
        let next = self.block(At::joint(inner), body, scope)?;
        let mut yielded: Vec<Value> = next.iter().map(|d| d.primal).collect();
        yielded.extend(next.iter().zip(&varies).filter(|(_, v)| **v).map(|(d, _)| tangent(inner, *d)));
        let end = body.terminator().expect("verified: a terminator");
        inner.insert(inner.op(end.name()).operands(&yielded).build());
        let types: Vec<_> = operands[fixed..].iter().map(|v| v.ty()).collect();
        let new = b.op(op.name()).operands(&operands).results(&types).region(Region::with_block(inner.block));
        let results = b.insert(new.build()).results();
        Ok(zipped(&results, &varies))
    }

    /// Differentiates a loop over rows: a second array of rows for each varying one, and carried values as above.
    fn rows(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let arrays: Vec<Dual> = op.operand_segment(0).iter().map(|v| dual(scope, *v)).collect();
        let inits: Vec<Dual> = op.operand_segment(1).iter().map(|v| dual(scope, *v)).collect();
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let body = op.body().expect("verified: one block");
        // Arguments: rows, rows of tangents, carried values, carried tangents.
        let old = body.arguments();
        let (rows, carried) = old.split_at(arrays.len());
        let row = |v: Value| Type::array(&v.ty().shape()[1..], v.ty().scalar());
        let active: Vec<usize> = (0..arrays.len()).filter(|&k| arrays[k].tangent.is_some()).collect();
        let row_tangents: Vec<Value> = active.iter().filter_map(|&k| arrays[k].tangent).collect();
        let states: Vec<usize> = (0..inits.len()).filter(|&k| varies[k]).collect();
        let state_tangents: Vec<Value> = states.iter().map(|&k| tangent(b, inits[k])).collect();
        let mut types: Vec<Type> = rows.iter().map(|v| v.ty()).collect();
        types.extend(row_tangents.iter().map(|&t| row(t)));
        types.extend(carried.iter().map(|v| v.ty()));
        types.extend(state_tangents.iter().map(|t| t.ty()));
        let inner = b.new_block(&types);
        let block = inner.block;
        let new = block.arguments();
        let (n, m, c) = (rows.len(), row_tangents.len(), carried.len());
        for (k, &v) in rows.iter().enumerate() {
            let t = active.iter().position(|&a| a == k).map(|p| new[n + p]);
            bind_new(scope, v, Dual { primal: new[k], tangent: t });
        }
        for (k, &v) in carried.iter().enumerate() {
            let t = states.iter().position(|&s| s == k).map(|p| new[n + m + c + p]);
            bind_new(scope, v, Dual { primal: new[n + m + k], tangent: t });
        }
        let next = self.block(At::joint(inner), body, scope)?;
        let (next, emitted) = next.split_at(c);
        let mut yielded: Vec<Value> = next.iter().map(|d| d.primal).collect();
        yielded.extend(states.iter().map(|&k| tangent(inner, next[k])));
        yielded.extend(emitted.iter().map(|d| d.primal));
        let emits: Vec<bool> = varies[c..].to_vec();
        yielded.extend(emitted.iter().zip(&emits).filter(|(_, v)| **v).map(|(d, _)| tangent(inner, *d)));
        inner.insert(inner.op(Kind::ArrayYield).operands(&yielded).build());
        let types: Vec<Type> = op.results().iter().map(|v| v.ty()).collect();
        let varying =
            |range: std::ops::Range<usize>| range.filter(|&k| varies[k]).map(|k| types[k]).collect::<Vec<_>>();
        let results = [types[..c].to_vec(), varying(0..c), types[c..].to_vec(), varying(c..types.len())].concat();
        let primals = |duals: &[Dual]| duals.iter().map(|d| d.primal).collect::<Vec<_>>();
        let arrays = [primals(&arrays), row_tangents].concat();
        let starts = [primals(&inits), state_tangents].concat();
        let new = b.op(op.name()).operand_segments(&[&arrays, &starts]).results(&results);
        let results = b.insert(new.region(Region::with_block(block)).build()).results();
        let (carried, emitted) = results.split_at(c + states.len());
        Ok([zipped(carried, &varies[..c]), zipped(emitted, &emits)].concat())
    }

    /// 𝔽[if c a b] = if c 𝔽[a] 𝔽[b]. Reverse mode has one branch for the primals and one, which is linear, for the
    /// tangents.
    pub(super) fn branch(&self, at: At, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let joint = self.loops == Loops::Joint;
        let condition = dual(scope, op.operand(0)).primal;
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.varies(r)).collect();
        let primals = if joint { Vec::new() } else { super::copied(at.primal, op, scope) };
        let mut new = at.tangent.op(Kind::ScfIf).operands(&[condition]);
        for region in op.regions() {
            let body = region.first_block().expect("verified: a branch with results has both sides");
            let inner = enter(at.tangent, body, scope);
            let yielded = self.block(At::joint(inner), body, scope)?;
            let mut values: Vec<Value> = if joint { yielded.iter().map(|d| d.primal).collect() } else { Vec::new() };
            values.extend(yielded.iter().zip(&varies).filter(|(_, v)| **v).map(|(d, _)| tangent(inner, *d)));
            inner.insert(inner.op(Kind::ScfYield).operands(&values).build());
            new = new.region(Region::with_block(inner.block));
        }
        let types: Vec<Type> = op.results().iter().map(|v| v.ty()).collect();
        let tangents = types.iter().zip(&varies).filter(|(_, v)| **v).map(|(t, _)| *t);
        let all: Vec<Type> = if joint { types.iter().copied().chain(tangents).collect() } else { tangents.collect() };
        let results = at.tangent.insert(new.results(&all).build()).results();
        if joint {
            return Ok(zipped(&results, &varies));
        }
        let values: Vec<Value> = primals.iter().map(|d| d.primal).chain(results).collect();
        Ok(zipped(&values, &varies))
    }
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
