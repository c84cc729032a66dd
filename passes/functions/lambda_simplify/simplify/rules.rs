//! Equations on data and gradients (`spec/functional.md` B.9 ii). Each rule matches an op and the definitions of its
//! operands.

use super::Simplify;
use crate::functions::anf::{Stmt, Var};
use mlopt_dialects::ir::{Attribute, Location, Type};
use mlopt_dialects::lambda::types::{self, Kind};
use mlopt_dialects::ops::Kind as OpKind;
use mlopt_dialects::value::Element;
use std::rc::Rc;

impl Simplify<'_> {
    /// Returns the statement, unless a simpler one has replaced it.
    pub(super) fn by_rules(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
        match self.rule(&stmt) {
            None => Some(stmt),
            Some(Simpler::Value(value)) => {
                self.replace(stmt.result(), value);
                None
            }
            Some(Simpler::Op(op)) => {
                self.changed = true;
                self.stmt(Stmt { results: stmt.results, ..op }, out);
                None
            }
            Some(Simpler::Ops(stmts, value)) => {
                self.changed = true;
                self.all(stmts, out);
                self.replace(stmt.result(), value);
                None
            }
        }
    }

    fn rule(&mut self, stmt: &Stmt) -> Option<Simpler> {
        if let Some(folded) = self.folded(stmt) {
            return Some(folded);
        }
        let x = &stmt.operands;
        match stmt.kind() {
            OpKind::LambdaGet | OpKind::LambdaField => self.part(stmt, x[0]),
            OpKind::LambdaTset | OpKind::LambdaWith => self.replaced(stmt),
            OpKind::LambdaTuple | OpKind::LambdaRecord => self.put_together(stmt),
            OpKind::LambdaHead => self.made_by(x[0], OpKind::LambdaCons).map(|c| Simpler::Value(c.operands[0])),
            OpKind::LambdaTail => self.made_by(x[0], OpKind::LambdaCons).map(|c| Simpler::Value(c.operands[1])),
            OpKind::LambdaIsEmpty => {
                let is_empty = self.made_by(x[0], OpKind::LambdaNil).is_some();
                (is_empty || self.made_by(x[0], OpKind::LambdaCons).is_some())
                    .then(|| self.constant_bool(stmt, is_empty))
            }
            OpKind::LambdaAget => {
                let row = self.made_by(x[0], OpKind::LambdaAget)?;
                Some(Simpler::Op(Stmt { operands: [&row.operands, &x[1..]].concat(), ..stmt.clone() }))
            }
            OpKind::LambdaSwitch | OpKind::ArithSelect => self.choice(stmt),
            OpKind::LambdaLambda => self.eta(stmt),
            OpKind::LambdaGadd => self.sum(stmt),
            OpKind::LambdaZerosLike => self.zeros(stmt),
            OpKind::LambdaEnvAdd => match (self.is_zero(x[0]), self.is_zero(x[1])) {
                (true, _) => Some(Simpler::Value(x[1])),
                (_, true) => Some(Simpler::Value(x[0])),
                _ => None,
            },
            OpKind::LambdaEnvSet => self.is_zero(x[1]).then(|| self.without(stmt)).flatten(),
            OpKind::LambdaEnvGet => self.looked_up(stmt),
            OpKind::LambdaStopGradient => None,
            OpKind::ArithAddf => match (self.is_zero(x[0]), self.is_zero(x[1])) {
                (true, _) => Some(Simpler::Value(x[1])),
                (_, true) => Some(Simpler::Value(x[0])),
                _ => None,
            },
            OpKind::ArithSubf if self.is_zero(x[1]) => Some(Simpler::Value(x[0])),
            OpKind::ArithSubf if self.is_zero(x[0]) => {
                Some(Simpler::Op(Stmt { op: OpKind::ArithNegf.into(), operands: vec![x[1]], ..stmt.clone() }))
            }
            // A strong zero is zero for any other factor.
            OpKind::ArithMulf if self.is_zero(x[0]) => Some(Simpler::Value(x[0])),
            OpKind::ArithMulf if self.is_zero(x[1]) => Some(Simpler::Value(x[1])),
            OpKind::ArithMulf if self.is_one(x[0]) => Some(Simpler::Value(x[1])),
            OpKind::ArithMulf if self.is_one(x[1]) => Some(Simpler::Value(x[0])),
            OpKind::ArithDivf if self.is_one(x[1]) || self.is_zero(x[0]) => Some(Simpler::Value(x[0])),
            OpKind::ArithNegf if self.is_zero(x[0]) => Some(Simpler::Value(x[0])),
            OpKind::ArithNegf => self.made_by(x[0], OpKind::ArithNegf).map(|n| Simpler::Value(n.operands[0])),
            OpKind::ArraySum
            | OpKind::ArrayTranspose
            | OpKind::ArrayReshape
            | OpKind::ArrayReplicate
            | OpKind::ArrayGet
            | OpKind::ArrayReverse
                if self.is_zero(x[0]) && is_static(self.program.ty(stmt.result())) =>
            {
                Some(Simpler::Op(self.zero(stmt)))
            }
            _ => None,
        }
    }

    /// Folds arithmetic on constants, with the rounding of run time.
    fn folded(&self, stmt: &Stmt) -> Option<Simpler> {
        let ty = self.program.ty(*stmt.results.first()?);
        if stmt.kind().dialect() != "arith" || ty.is_tensor() {
            return None;
        }
        if ty.is_integer(1) {
            let known: Vec<bool> = stmt.operands.iter().map(|v| self.bool(*v)).collect::<Option<_>>()?;
            return match (stmt.kind(), &known[..]) {
                (OpKind::ArithXori, [a, b]) => Some(self.constant_bool(stmt, a != b)),
                (OpKind::ArithAndi, [a, b]) => Some(self.constant_bool(stmt, *a && *b)),
                (OpKind::ArithOri, [a, b]) => Some(self.constant_bool(stmt, *a || *b)),
                _ => None,
            };
        }
        if ty.element() != Some(Element::F64) {
            return None;
        }
        let known: Vec<f64> = stmt.operands.iter().map(|v| self.number(*v)).collect::<Option<_>>()?;
        let value = match (stmt.kind(), &known[..]) {
            (OpKind::ArithAddf, [a, b]) => a + b,
            (OpKind::ArithSubf, [a, b]) => a - b,
            (OpKind::ArithMulf, [a, b]) => a * b,
            (OpKind::ArithDivf, [a, b]) => a / b,
            (OpKind::ArithNegf, [a]) => -a,
            _ => return None,
        };
        let attributes = Rc::new([("value".to_string(), Attribute::float(ty, value))]);
        Some(Simpler::Op(Stmt { op: OpKind::ArithConstant.into(), operands: vec![], attributes, ..stmt.clone() }))
    }

    /// Returns the value of a float constant.
    fn number(&self, var: Var) -> Option<f64> {
        self.made_by(var, OpKind::ArithConstant)?.attribute("value")?.as_f64()
    }

    /// Returns a strong zero that replaces an op.
    fn zero(&self, stmt: &Stmt) -> Stmt {
        Stmt { op: OpKind::DualZero.into(), operands: vec![], attributes: Rc::new([]), codes: vec![], ..stmt.clone() }
    }

    /// Checks whether a value is a strong zero, or the empty environment.
    pub(super) fn is_zero(&self, var: Var) -> bool {
        let Some(made) = self.made(var) else { return false };
        match made.kind() {
            OpKind::DualZero | OpKind::LambdaEnvEmpty | OpKind::LambdaZerosLike => true,
            OpKind::LambdaUnit => true,
            OpKind::LambdaTuple | OpKind::LambdaRecord => made.operands.clone().into_iter().all(|v| self.is_zero(v)),
            _ => false,
        }
    }

    fn is_one(&self, var: Var) -> bool {
        let Some(made) = self.made(var) else { return false };
        match made.kind() {
            OpKind::DualOne => true,
            OpKind::ArithConstant => {
                let value = made.attribute("value");
                let scalar = value.and_then(|a| a.splat_value().or(Some(a)));
                self.program.ty(var).is_differentiable() && scalar.and_then(Attribute::as_f64) == Some(1.0)
            }
            _ => false,
        }
    }

    fn index(stmt: &Stmt) -> Option<usize> {
        stmt.attribute("index").and_then(Attribute::as_i64).map(|k| k as usize)
    }

    /// Returns the position to which an op on a tuple or record refers.
    fn position(&self, stmt: &Stmt, whole: Var) -> usize {
        Self::index(stmt).unwrap_or_else(|| {
            let field = stmt.attribute("field").and_then(Attribute::as_string).expect("verified");
            let Kind::Record(_, fields) = Kind::of(self.program.ty(whole)) else { unreachable!("verified: a record") };
            fields.iter().position(|f| f.0 == field).expect("verified")
        })
    }

    /// Returns an element of a value that is constructed here.
    fn part(&mut self, stmt: &Stmt, whole: Var) -> Option<Simpler> {
        let made = self.made(whole)?.clone();
        let k = self.position(stmt, whole);
        match made.kind() {
            OpKind::LambdaTuple | OpKind::LambdaRecord => Some(Simpler::Value(made.operands[k])),
            OpKind::LambdaTset | OpKind::LambdaWith if self.position(&made, whole) == k => {
                Some(Simpler::Value(made.operands[1]))
            }
            OpKind::LambdaTset | OpKind::LambdaWith => {
                Some(Simpler::Op(Stmt { operands: vec![made.operands[0]], ..stmt.clone() }))
            }
            // An element of a choice between two constructed values is a choice between the elements.
            OpKind::LambdaSwitch => {
                let put = |v: Var| {
                    self.made(v)
                        .filter(|m| matches!(m.kind(), OpKind::LambdaTuple | OpKind::LambdaRecord))
                        .map(|m| m.operands[k])
                };
                let (a, b) = (put(made.operands[1])?, put(made.operands[2])?);
                let operands = vec![made.operands[0], a, b];
                Some(Simpler::Op(Stmt {
                    op: OpKind::LambdaSwitch.into(),
                    operands,
                    attributes: Rc::new([]),
                    ..stmt.clone()
                }))
            }
            _ => None,
        }
    }

    /// Returns a constructed value with an element replaced.
    fn replaced(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let made = self.made(stmt.operands[0])?.clone();
        if !matches!(made.kind(), OpKind::LambdaTuple | OpKind::LambdaRecord) {
            return None;
        }
        let mut operands = made.operands.clone();
        operands[self.position(stmt, stmt.operands[0])] = stmt.operands[1];
        Some(Simpler::Op(Stmt { op: made.op.clone(), operands, attributes: Rc::new([]), ..stmt.clone() }))
    }

    /// Returns the value whose elements, all in order, are constructed again.
    fn put_together(&self, stmt: &Stmt) -> Option<Simpler> {
        let whole = self.made(*stmt.operands.first()?)?.operands.first().copied()?;
        if self.program.ty(whole) != self.program.ty(stmt.result()) {
            return None;
        }
        let all = stmt.operands.iter().enumerate().all(|(k, v)| {
            let made = self.made(*v);
            made.is_some_and(|m| {
                matches!(m.kind(), OpKind::LambdaGet | OpKind::LambdaField)
                    && m.operands[0] == whole
                    && self.position(m, whole) == k
            })
        });
        all.then_some(Simpler::Value(whole))
    }

    fn choice(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let x = &stmt.operands;
        if x[1] == x[2] || self.is_zero(x[1]) && self.is_zero(x[2]) && is_static(self.program.ty(stmt.result())) {
            return Some(Simpler::Value(x[1]));
        }
        if let Some(condition) = self.bool(x[0]) {
            return Some(Simpler::Value(if condition { x[1] } else { x[2] }));
        }
        // An equal choice before.
        for k in [1, 2] {
            if let Some(inner) = self.made_by(x[k], stmt.kind())
                && inner.operands[0] == x[0]
            {
                let mut operands = x.clone();
                operands[k] = inner.operands[k];
                return Some(Simpler::Op(Stmt { operands, ..stmt.clone() }));
            }
        }
        // On scalars and arrays it becomes an op of another dialect.
        if stmt.is(OpKind::LambdaSwitch) && matches!(Kind::of(self.program.ty(stmt.result())), Kind::Array(_)) {
            return Some(Simpler::Op(Stmt { op: OpKind::ArithSelect.into(), ..stmt.clone() }));
        }
        None
    }

    /// Replaces a function that calls another with its own arguments by that function.
    fn eta(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let code = &stmt.codes[0];
        let [only] = &code.body.stmts[..] else { return None };
        if !only.is(OpKind::LambdaApply) || only.operands[1..] != code.params[..] || code.body.results != only.results {
            return None;
        }
        let f = self.name(only.operands[0]);
        (!code.params.contains(&f) && self.program.ty(f) == self.program.ty(stmt.result())).then_some(Simpler::Value(f))
    }

    fn sum(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let (a, b, ty) = (stmt.operands[0], stmt.operands[1], self.program.ty(stmt.result()));
        if self.is_zero(a) {
            return Some(Simpler::Value(b));
        }
        if self.is_zero(b) {
            return Some(Simpler::Value(a));
        }
        match Kind::of(ty) {
            Kind::Unit => Some(Simpler::Value(a)),
            Kind::Array(_) => Some(Simpler::Op(Stmt { op: OpKind::ArithAddf.into(), ..stmt.clone() })),
            Kind::Env => Some(Simpler::Op(Stmt { op: OpKind::LambdaEnvAdd.into(), ..stmt.clone() })),
            Kind::Tuple(_) | Kind::Record(..) => {
                let is_put = |v: Var| {
                    self.made(v).is_some_and(|m| matches!(m.kind(), OpKind::LambdaTuple | OpKind::LambdaRecord))
                };
                if !is_put(a) && !is_put(b) {
                    return None;
                }
                let mut stmts = Vec::new();
                let mut parts = Vec::new();
                for (k, part) in ty.parts().into_iter().enumerate() {
                    let [p, q] = [a, b].map(|whole| self.get(&mut stmts, whole, k, stmt.location));
                    parts.push(self.program.push(&mut stmts, OpKind::LambdaGadd, &[p, q], part, stmt.location));
                }
                let op =
                    if matches!(Kind::of(ty), Kind::Tuple(_)) { OpKind::LambdaTuple } else { OpKind::LambdaRecord };
                let value = self.program.push(&mut stmts, op, &parts, ty, stmt.location);
                Some(Simpler::Ops(stmts, value))
            }
            _ => None,
        }
    }

    fn get(&mut self, out: &mut Vec<Stmt>, whole: Var, k: usize, at: Location) -> Var {
        let ty = self.program.ty(whole);
        let part = ty.parts()[k];
        match Kind::of(ty) {
            Kind::Record(_, fields) => {
                let field = self.program.context.string_attr(&fields[k].0);
                self.program.push_with(out, OpKind::LambdaField, &[whole], &[("field", field)], part, at)
            }
            _ => {
                let index = Attribute::integer(self.program.context.scalar(Element::I64), k as i64);
                self.program.push_with(out, OpKind::LambdaGet, &[whole], &[("index", index)], part, at)
            }
        }
    }

    /// Returns the zero of a type that determines it.
    fn zeros(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let ty = self.program.ty(stmt.result());
        if !is_static(ty) {
            return None;
        }
        let mut stmts = Vec::new();
        let value = self.zero_of(&mut stmts, ty, stmt.location);
        Some(Simpler::Ops(stmts, value))
    }

    fn zero_of(&mut self, out: &mut Vec<Stmt>, ty: Type, at: Location) -> Var {
        let op = match Kind::of(ty) {
            Kind::Unit => OpKind::LambdaUnit,
            Kind::Env => OpKind::LambdaEnvEmpty,
            Kind::Array(_) => OpKind::DualZero,
            kind => {
                let parts: Vec<Var> = ty.parts().into_iter().map(|t| self.zero_of(out, t, at)).collect();
                let op = if matches!(kind, Kind::Tuple(_)) { OpKind::LambdaTuple } else { OpKind::LambdaRecord };
                return self.program.push(out, op, &parts, ty, at);
            }
        };
        self.program.push(out, op, &[], ty, at)
    }

    /// Simplifies an environment in which a key is set to zero, which removes it.
    fn without(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let made = self.made(stmt.operands[0])?.clone();
        match made.kind() {
            OpKind::LambdaEnvEmpty => Some(Simpler::Value(stmt.operands[0])),
            OpKind::LambdaEnvSet if made.attribute("key") == stmt.attribute("key") => {
                Some(Simpler::Op(Stmt { operands: vec![made.operands[0], stmt.operands[1]], ..stmt.clone() }))
            }
            _ => None,
        }
    }

    /// Returns the value of a key of an environment that is constructed here.
    fn looked_up(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let (e, zero) = (stmt.operands[0], stmt.operands[1]);
        let made = self.made(e)?.clone();
        let in_other = |e: Var| Stmt { operands: vec![e, zero], ..stmt.clone() };
        match made.kind() {
            OpKind::LambdaEnvEmpty => Some(Simpler::Value(zero)),
            OpKind::LambdaEnvSet if made.attribute("key") == stmt.attribute("key") => {
                Some(Simpler::Value(made.operands[1]))
            }
            OpKind::LambdaEnvSet => Some(Simpler::Op(in_other(made.operands[0]))),
            OpKind::LambdaEnvAdd | OpKind::LambdaSwitch => {
                let ty = self.program.ty(stmt.result());
                let last = made.operands.len() - 2;
                let mut stmts = Vec::new();
                let parts = [made.operands[last], made.operands[last + 1]].map(|e| {
                    let key = stmt.attribute("key").expect("verified");
                    self.program.push_with(
                        &mut stmts,
                        OpKind::LambdaEnvGet,
                        &[e, zero],
                        &[("key", key)],
                        ty,
                        stmt.location,
                    )
                });
                let (op, operands) = match made.kind() {
                    OpKind::LambdaEnvAdd => (OpKind::LambdaGadd, parts.to_vec()),
                    _ => (OpKind::LambdaSwitch, vec![made.operands[0], parts[0], parts[1]]),
                };
                let value = self.program.push(&mut stmts, op, &operands, ty, stmt.location);
                Some(Simpler::Ops(stmts, value))
            }
            _ => None,
        }
    }

    fn constant_bool(&self, stmt: &Stmt, value: bool) -> Simpler {
        let attributes = Rc::new([("value".to_string(), self.program.context.bool_attr(value))]);
        Simpler::Op(Stmt { op: OpKind::ArithConstant.into(), operands: vec![], attributes, ..stmt.clone() })
    }
}

/// The replacement of an op.
enum Simpler {
    Value(Var),
    /// An op with the same result.
    Op(Stmt),
    /// Several ops, one of which defines the value.
    Ops(Vec<Stmt>, Var),
}

/// Checks whether a type determines the structure of its zero.
fn is_static(ty: Type) -> bool {
    match Kind::of(ty) {
        Kind::Array(_) => ty.shape().iter().all(Option::is_some) && ty == types::tangent(ty),
        Kind::Tuple(_) | Kind::Record(..) => ty.parts().into_iter().all(is_static),
        Kind::Unit | Kind::Env => true,
        _ => false,
    }
}
