//! Equations on data and gradients (`spec/functional.md` B.9 ii). Each rule matches an op and the definitions of its
//! operands.

use super::Simplify;
use crate::functions::anf::{Stmt, Var};
use crate::functions::statements::is_static;
use mlopt_dialects::ir::Attribute;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::Kind;
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
        use Kind::*;
        if let Some(folded) = self.folded(stmt) {
            return Some(folded);
        }
        let x = &stmt.operands;
        match stmt.kind() {
            LambdaGet | LambdaField => self.part(stmt),
            LambdaTset | LambdaWith => self.replaced(stmt),
            LambdaTuple | LambdaRecord => self.put_together(stmt),
            LambdaHead => self.made_by(x[0], LambdaCons).map(|c| Simpler::Value(c.operands[0])),
            LambdaTail => self.made_by(x[0], LambdaCons).map(|c| Simpler::Value(c.operands[1])),
            LambdaIsEmpty => {
                let is_empty = self.made_by(x[0], LambdaNil).is_some();
                (is_empty || self.made_by(x[0], LambdaCons).is_some()).then(|| self.constant_bool(stmt, is_empty))
            }
            LambdaAget => {
                let row = self.made_by(x[0], LambdaAget)?;
                Some(Simpler::Op(Stmt { operands: [&row.operands, &x[1..]].concat(), ..stmt.clone() }))
            }
            LambdaSwitch | ArithSelect => self.choice(stmt),
            LambdaLambda => self.eta(stmt),
            LambdaGadd => self.other_than_zero(x).or_else(|| self.sum(stmt)),
            LambdaZerosLike => self.zeros(stmt),
            LambdaEnvSet => self.is_zero(x[1]).then(|| self.without(stmt)).flatten(),
            LambdaEnvGet => self.looked_up(stmt),
            LambdaStopGradient => None,
            LambdaEnvAdd | ArithAddf => self.other_than_zero(x),
            ArithSubf if self.is_zero(x[1]) => Some(Simpler::Value(x[0])),
            ArithSubf if self.is_zero(x[0]) => {
                Some(Simpler::Op(Stmt { op: ArithNegf.into(), operands: vec![x[1]], ..stmt.clone() }))
            }
            // A strong zero is zero for any other factor.
            ArithMulf if self.is_zero(x[0]) => Some(Simpler::Value(x[0])),
            ArithMulf if self.is_zero(x[1]) => Some(Simpler::Value(x[1])),
            ArithMulf if self.is_one(x[0]) => Some(Simpler::Value(x[1])),
            ArithMulf if self.is_one(x[1]) => Some(Simpler::Value(x[0])),
            ArithDivf if self.is_one(x[1]) || self.is_zero(x[0]) => Some(Simpler::Value(x[0])),
            ArithNegf if self.is_zero(x[0]) => Some(Simpler::Value(x[0])),
            ArithNegf => self.made_by(x[0], ArithNegf).map(|n| Simpler::Value(n.operands[0])),
            ArraySum | ArrayTranspose | ArrayReshape | ArrayReplicate | ArrayGet | ArrayReverse
                if self.is_zero(x[0]) && is_static(self.program.ty(stmt.result())) =>
            {
                Some(instead(stmt, DualZero, vec![]))
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
                (Kind::ArithXori, [a, b]) => Some(self.constant_bool(stmt, a != b)),
                (Kind::ArithAndi, [a, b]) => Some(self.constant_bool(stmt, *a && *b)),
                (Kind::ArithOri, [a, b]) => Some(self.constant_bool(stmt, *a || *b)),
                _ => None,
            };
        }
        if ty.element() != Some(Element::F64) {
            return None;
        }
        let known: Vec<f64> = stmt.operands.iter().map(|v| self.number(*v)).collect::<Option<_>>()?;
        let value = match (stmt.kind(), &known[..]) {
            (Kind::ArithAddf, [a, b]) => a + b,
            (Kind::ArithSubf, [a, b]) => a - b,
            (Kind::ArithMulf, [a, b]) => a * b,
            (Kind::ArithDivf, [a, b]) => a / b,
            (Kind::ArithNegf, [a]) => -a,
            _ => return None,
        };
        Some(constant(stmt, Attribute::float(ty, value)))
    }

    /// Returns the value of a float constant.
    fn number(&self, var: Var) -> Option<f64> {
        self.made_by(var, Kind::ArithConstant)?.attribute("value")?.as_f64()
    }

    /// Checks whether a value is a strong zero, or the empty environment.
    pub(super) fn is_zero(&self, var: Var) -> bool {
        let Some(made) = self.made(var) else { return false };
        match made.kind() {
            Kind::DualZero | Kind::LambdaEnvEmpty | Kind::LambdaZerosLike | Kind::LambdaUnit => true,
            Kind::LambdaTuple | Kind::LambdaRecord => made.operands.iter().all(|v| self.is_zero(*v)),
            _ => false,
        }
    }

    fn is_one(&self, var: Var) -> bool {
        let Some(made) = self.made(var) else { return false };
        match made.kind() {
            Kind::DualOne => true,
            Kind::ArithConstant => {
                let value = made.attribute("value");
                let scalar = value.and_then(|a| a.splat_value().or(Some(a)));
                self.program.ty(var).is_differentiable() && scalar.and_then(Attribute::as_f64) == Some(1.0)
            }
            _ => false,
        }
    }

    /// Returns the statement that constructs a tuple or a record.
    fn construction(&self, var: Var) -> Option<&Rc<Stmt>> {
        self.made(var).filter(|m| matches!(m.kind(), Kind::LambdaTuple | Kind::LambdaRecord))
    }

    /// Returns an element of a value that is constructed here.
    fn part(&mut self, stmt: &Stmt) -> Option<Simpler> {
        use Kind::*;
        let made = self.made(stmt.operands[0])?.clone();
        let k = self.program.position(stmt);
        match made.kind() {
            LambdaTuple | LambdaRecord => Some(Simpler::Value(made.operands[k])),
            LambdaTset | LambdaWith if self.program.position(&made) == k => Some(Simpler::Value(made.operands[1])),
            LambdaTset | LambdaWith => Some(Simpler::Op(Stmt { operands: vec![made.operands[0]], ..stmt.clone() })),
            // An element of a choice between two constructed values is a choice between the elements.
            LambdaSwitch => {
                let put = |v: Var| self.construction(v).map(|m| m.operands[k]);
                let (a, b) = (put(made.operands[1])?, put(made.operands[2])?);
                Some(instead(stmt, LambdaSwitch, vec![made.operands[0], a, b]))
            }
            _ => None,
        }
    }

    /// Returns a constructed value with an element replaced.
    fn replaced(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let made = self.construction(stmt.operands[0])?;
        let mut operands = made.operands.clone();
        operands[self.program.position(stmt)] = stmt.operands[1];
        Some(instead(stmt, made.kind(), operands))
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
                matches!(m.kind(), Kind::LambdaGet | Kind::LambdaField)
                    && m.operands[0] == whole
                    && self.program.position(m) == k
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
        if stmt.is(Kind::LambdaSwitch) && matches!(TypeKind::of(self.program.ty(stmt.result())), TypeKind::Array(_)) {
            return Some(Simpler::Op(Stmt { op: Kind::ArithSelect.into(), ..stmt.clone() }));
        }
        None
    }

    /// Replaces a function that calls another with its own arguments by that function.
    fn eta(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let code = &stmt.codes[0];
        let [only] = &code.body.stmts[..] else { return None };
        if !only.is(Kind::LambdaApply) || only.operands[1..] != code.params[..] || code.body.results != only.results {
            return None;
        }
        let f = self.name(only.operands[0]);
        if self.postponed.contains_key(&f) {
            return None;
        }
        (!code.params.contains(&f) && self.program.ty(f) == self.program.ty(stmt.result())).then_some(Simpler::Value(f))
    }

    /// Returns the sum of two values one of which is zero.
    fn other_than_zero(&self, x: &[Var]) -> Option<Simpler> {
        let zero = (0..2).find(|k| self.is_zero(x[*k]))?;
        Some(Simpler::Value(x[1 - zero]))
    }

    fn sum(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let (a, b, ty) = (stmt.operands[0], stmt.operands[1], self.program.ty(stmt.result()));
        match TypeKind::of(ty) {
            TypeKind::Unit => Some(Simpler::Value(a)),
            TypeKind::Array(_) => Some(Simpler::Op(Stmt { op: Kind::ArithAddf.into(), ..stmt.clone() })),
            TypeKind::Env => Some(Simpler::Op(Stmt { op: Kind::LambdaEnvAdd.into(), ..stmt.clone() })),
            TypeKind::Tuple(_) | TypeKind::Record(..) => {
                if self.construction(a).is_none() && self.construction(b).is_none() {
                    return None;
                }
                let mut stmts = Vec::new();
                let mut parts = Vec::new();
                for (k, part) in ty.parts().into_iter().enumerate() {
                    let [p, q] = [a, b].map(|whole| self.program.part(&mut stmts, whole, k, stmt.location));
                    parts.push(self.program.push(&mut stmts, Kind::LambdaGadd, &[p, q], part, stmt.location));
                }
                let value = self.program.whole(&mut stmts, &parts, ty, stmt.location);
                Some(Simpler::Ops(stmts, value))
            }
            _ => None,
        }
    }

    /// Returns the zero of a type that determines it.
    fn zeros(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let ty = self.program.ty(stmt.result());
        if !is_static(ty) {
            return None;
        }
        let mut stmts = Vec::new();
        let value = self.program.zero(&mut stmts, ty, stmt.location);
        Some(Simpler::Ops(stmts, value))
    }

    /// Simplifies an environment in which a key is set to zero, which removes it.
    fn without(&mut self, stmt: &Stmt) -> Option<Simpler> {
        let made = self.made(stmt.operands[0])?.clone();
        match made.kind() {
            Kind::LambdaEnvEmpty => Some(Simpler::Value(stmt.operands[0])),
            Kind::LambdaEnvSet if made.attribute("key") == stmt.attribute("key") => {
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
            Kind::LambdaEnvEmpty => Some(Simpler::Value(zero)),
            Kind::LambdaEnvSet if made.attribute("key") == stmt.attribute("key") => {
                Some(Simpler::Value(made.operands[1]))
            }
            Kind::LambdaEnvSet => Some(Simpler::Op(in_other(made.operands[0]))),
            Kind::LambdaEnvAdd | Kind::LambdaSwitch => {
                let ty = self.program.ty(stmt.result());
                let last = made.operands.len() - 2;
                let mut stmts = Vec::new();
                let key = stmt.required("key");
                let parts = [made.operands[last], made.operands[last + 1]].map(|e| {
                    let (kind, operands, key) = (Kind::LambdaEnvGet, [e, zero], [("key", key)]);
                    self.program.push_with(&mut stmts, kind, &operands, &key, ty, stmt.location)
                });
                let (op, operands) = match made.kind() {
                    Kind::LambdaEnvAdd => (Kind::LambdaGadd, parts.to_vec()),
                    _ => (Kind::LambdaSwitch, vec![made.operands[0], parts[0], parts[1]]),
                };
                let value = self.program.push(&mut stmts, op, &operands, ty, stmt.location);
                Some(Simpler::Ops(stmts, value))
            }
            _ => None,
        }
    }

    fn constant_bool(&self, stmt: &Stmt, value: bool) -> Simpler {
        constant(stmt, self.program.context.bool_attr(value))
    }
}

/// Returns a constant that replaces a statement.
fn constant(stmt: &Stmt, value: Attribute) -> Simpler {
    let new = Stmt::new(Kind::ArithConstant, stmt.results.clone(), vec![], vec![], stmt.location);
    Simpler::Op(new.with("value", value))
}

/// Returns an op without attributes that replaces a statement.
fn instead(stmt: &Stmt, op: Kind, operands: Vec<Var>) -> Simpler {
    Simpler::Op(Stmt::new(op, stmt.results.clone(), operands, vec![], stmt.location))
}

/// The replacement of an op.
enum Simpler {
    Value(Var),
    /// An op with the same result.
    Op(Stmt),
    /// Several ops, one of which defines the value.
    Ops(Vec<Stmt>, Var),
}
