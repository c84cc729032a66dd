//! Translation from terms of the pullback language to ops.

use super::machine::Machine;
use super::primitive::zeros;
use super::term::{Stage, Term, TermKind, Var};
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Block, Builder, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::{Array, Element};
use std::collections::HashMap;

type Scope = HashMap<Var, Value>;

impl Machine {
    /// Writes a closed term as a value of this type.
    pub fn write(&self, b: Builder, term: &Term, ty: Type) -> Result<Value, Reported> {
        self.value_of(b, term, ty, &mut Scope::new())
    }

    fn value_of(&self, b: Builder, t: &Term, ty: Type, scope: &mut Scope) -> Result<Value, Reported> {
        let kind = types::TypeKind::of(ty);
        match (&t.kind, kind) {
            (_, types::TypeKind::Dual(on)) if t.is_closed() && is_covector(t) => self.functional(b, t, on, scope),
            (TermKind::Zero, types::TypeKind::Function(inputs, result)) => {
                self.lambda(b, &inputs, result, scope, |b, _, s| self.value_of(b, t, result, s))
            }
            (TermKind::Zero, kind @ (types::TypeKind::Tuple(_) | types::TypeKind::Record(..))) => {
                let parts = ty.parts().into_iter().map(|p| self.value_of(b, t, p, scope));
                Ok(b.unary(whole(&kind), &parts.collect::<Result<Vec<_>, _>>()?, ty))
            }
            (TermKind::Zero, types::TypeKind::Unit) => Ok(b.unary(Kind::LambdaUnit, &[], ty)),
            (TermKind::Zero, types::TypeKind::Array(_)) => Ok(constant(b, &zeros(ty, t.at)?)),
            (TermKind::Tuple(parts), kind @ (types::TypeKind::Tuple(_) | types::TypeKind::Record(..)))
                if parts.len() == ty.parts().len() =>
            {
                let parts = parts.iter().zip(ty.parts()).map(|(p, t)| self.value_of(b, p, t, scope));
                Ok(b.unary(whole(&kind), &parts.collect::<Result<Vec<_>, _>>()?, ty))
            }
            (TermKind::Tuple(parts), types::TypeKind::Unit) if parts.is_empty() => {
                Ok(b.unary(Kind::LambdaUnit, &[], ty))
            }
            (TermKind::Lambda(x, body), types::TypeKind::Function(inputs, result)) => {
                self.lambda(b, &inputs, result, scope, |b, argument, scope| {
                    scope.insert(*x, argument);
                    self.value_of(b, body, result, scope)
                })
            }
            (TermKind::Let(x, value, body), _) => {
                let value = self.inferred(b, value, scope)?;
                scope.insert(*x, value);
                self.value_of(b, body, ty, scope)
            }
            _ => {
                let value = self.inferred(b, t, scope)?;
                match types::fits(value.ty(), ty) {
                    true => Ok(value),
                    false => {
                        let (t_text, found) = (self.text(t), value.ty());
                        Err(error(t.at, format!("internal error: {t_text} must have type {ty}, found {found}")))
                    }
                }
            }
        }
    }

    /// Writes a function of its argument; several are one tuple.
    fn lambda(
        &self,
        b: Builder,
        inputs: &[Type],
        result: Type,
        scope: &mut Scope,
        body: impl FnOnce(Builder, Value, &mut Scope) -> Result<Value, Reported>,
    ) -> Result<Value, Reported> {
        let block = region(b, inputs, Kind::LambdaReturn, |inner, arguments| {
            let argument = match arguments[..] {
                [one] => one,
                _ => tuple(inner, arguments),
            };
            body(inner, argument, scope)
        })?;
        Ok(with_region(b, b.op(Kind::LambdaLambda), block, types::function(inputs, result)))
    }

    /// Returns the value of a term whose type its parts determine.
    fn inferred(&self, b: Builder, t: &Term, scope: &mut Scope) -> Result<Value, Reported> {
        match &t.kind {
            TermKind::Number(x) => Ok(constant(b, x)),
            TermKind::Variable(v) => match scope.get(v) {
                Some(value) => Ok(*value),
                None => {
                    let text = format!("the variable `{}` must have been written before its use", self.text(t));
                    Err(error(t.at, format!("internal error: {text}")))
                }
            },
            TermKind::Global(symbol) => self.reference(b, symbol, t),
            TermKind::Apply(f, x) => self.written_call(b, f, x, t, scope),
            TermKind::Part { index, tuple, .. } => {
                let tuple = self.inferred(b, tuple, scope)?;
                let ty = tuple.ty().parts().get(*index).copied();
                let found = || format!("internal error: expected a tuple with component {index}, found {}", tuple.ty());
                let ty = ty.ok_or_else(|| error(t.at, found()))?;
                let index = Attribute::integer(b.context().scalar(Element::I64), *index as i64);
                let op = b.op(Kind::LambdaGet).operands(&[tuple]).attribute("index", index).results(&[ty]);
                Ok(b.insert(op.build()).result(0))
            }
            TermKind::Tuple(parts) => {
                Ok(tuple(b, &parts.iter().map(|p| self.inferred(b, p, scope)).collect::<Result<Vec<_>, _>>()?))
            }
            TermKind::Sum(x, y) => {
                let x = self.inferred(b, x, scope)?;
                let y = self.value_of(b, y, x.ty(), scope)?;
                let op = if x.ty().element().is_some() { Kind::ArithAddf } else { Kind::LambdaGadd };
                Ok(b.unary(op, &[x, y], x.ty()))
            }
            TermKind::Let(x, value, body) => {
                let value = self.inferred(b, value, scope)?;
                scope.insert(*x, value);
                self.inferred(b, body, scope)
            }
            TermKind::Lambda(x, body) if self.names.ty(*x).is_some() => {
                let input = self.names.ty(*x).expect("just seen");
                let block = region(b, &[input], Kind::LambdaReturn, |inner, arguments| {
                    scope.insert(*x, arguments[0]);
                    self.inferred(inner, body, scope)
                })?;
                Ok(with_region(b, b.op(Kind::LambdaLambda), block, types::function(&[input], yielded(block))))
            }
            TermKind::Pullback(p) => {
                let before = match &p.stage {
                    Stage::Split(Some(before)) => before,
                    _ => p,
                };
                let [x] = before.pattern[..] else { return Err(self.unwritten(t)) };
                let Some(input) = self.names.ty(x) else { return Err(self.unwritten(t)) };
                let block = region(b, &[input], Kind::LambdaYield, |inner, arguments| {
                    scope.insert(x, arguments[0]);
                    self.inferred(inner, &before.body, scope)
                })?;
                let form = |on: Type| types::function(&[on], types::functionals(on));
                let w = self.value_of(b, &before.form, form(yielded(block)), scope)?;
                Ok(with_region(b, b.op(Kind::LambdaPullback).operands(&[w]), block, form(input)))
            }
            _ => Err(self.unwritten(t)),
        }
    }

    fn unwritten(&self, t: &Term) -> Reported {
        error(t.at, format!("not supported: no op can express the value {}", self.text(t)))
    }

    fn reference(&self, b: Builder, symbol: &str, t: &Term) -> Result<Value, Reported> {
        let function = self.symbols.get(symbol).and_then(|f| f.function_type());
        let Some((inputs, results)) = function else { return Err(self.unwritten(t)) };
        let callee = b.context().symbol_attr(symbol);
        let ty = b.context().function_type(&inputs, &results);
        Ok(b.insert(b.op(Kind::LambdaRef).attribute("callee", callee).results(&[ty]).build()).result(0))
    }

    fn written_call(&self, b: Builder, f: &Term, x: &Term, t: &Term, scope: &mut Scope) -> Result<Value, Reported> {
        if let TermKind::Primitive(p) = &f.kind
            && let Some((name, attributes, result)) = p.as_op()
        {
            let operands = match &x.kind {
                TermKind::Tuple(parts) => {
                    parts.iter().map(|p| self.inferred(b, p, scope)).collect::<Result<Vec<_>, _>>()?
                }
                _ => vec![self.inferred(b, x, scope)?],
            };
            let op = b.op(name).operands(&operands).results(&[result]).attributes(attributes.iter().cloned());
            return Ok(b.insert(op.build()).result(0));
        }
        let f = match &f.kind {
            TermKind::Primitive(p) => self.reference(b, p.name(), t)?,
            _ => self.inferred(b, f, scope)?,
        };
        let types::TypeKind::Function(inputs, result) = types::TypeKind::of(f.ty()) else {
            return Err(self.unwritten(t));
        };
        let operands = self.arguments(b, x, &inputs, t, scope)?;
        Ok(b.unary(Kind::LambdaApply, &[&[f], operands.as_slice()].concat(), result))
    }

    /// Writes the argument `x` of the call `t` as values of these types.
    fn arguments(
        &self,
        b: Builder,
        x: &Term,
        types: &[Type],
        t: &Term,
        scope: &mut Scope,
    ) -> Result<Vec<Value>, Reported> {
        match (types, &x.kind) {
            ([one], _) => Ok(vec![self.value_of(b, x, *one, scope)?]),
            (_, TermKind::Tuple(parts)) if parts.len() == types.len() => {
                parts.iter().zip(types).map(|(part, ty)| self.value_of(b, part, *ty, scope)).collect()
            }
            _ => Err(self.unwritten(t)),
        }
    }

    /// Writes a covector as a functional on a type.
    fn functional(&self, b: Builder, c: &Term, on: Type, scope: &mut Scope) -> Result<Value, Reported> {
        let ty = types::functionals(on);
        let types::TypeKind::Function(..) = types::TypeKind::of(on) else {
            let vector = self.value_of(b, c, on, scope)?;
            return Ok(b.unary(Kind::LambdaCovector, &[vector], ty));
        };
        // The functions are called at the points of the covector, and the results are weighted.
        let (mut reached, mut weights) = (Vec::new(), Vec::new());
        let pack = |b: Builder, all: &[Value]| match all[..] {
            [one] => one,
            _ => tuple(b, all),
        };
        let block = region(b, &[on], Kind::LambdaYield, |inner, arguments| {
            self.reach(b, inner, c, arguments[0], scope, &mut reached, &mut weights)?;
            Ok(pack(inner, &reached))
        })?;
        let weight = pack(b, &weights);
        let w = b.unary(Kind::LambdaCovector, &[weight], types::functionals(weight.ty()));
        Ok(with_region(b, b.op(Kind::LambdaDual).operands(&[w]), block, ty))
    }

    #[allow(clippy::too_many_arguments)]
    fn reach(
        &self,
        b: Builder,
        inner: Builder,
        c: &Term,
        f: Value,
        scope: &mut Scope,
        reached: &mut Vec<Value>,
        weights: &mut Vec<Value>,
    ) -> Result<(), Reported> {
        let ty = f.ty();
        match (&c.kind, types::TypeKind::of(ty)) {
            (TermKind::Sum(x, y), types::TypeKind::Function(..)) => {
                self.reach(b, inner, x, f, scope, reached, weights)?;
                self.reach(b, inner, y, f, scope, reached, weights)
            }
            (TermKind::At(e), types::TypeKind::Function(inputs, result)) if e.along.is_empty() => {
                let operands = self.arguments(b, &e.at, &inputs, &e.at, scope)?;
                let y = inner.unary(Kind::LambdaApply, &[&[f], operands.as_slice()].concat(), result);
                self.reach(b, inner, &e.covector, y, scope, reached, weights)
            }
            (_, types::TypeKind::Function(..)) => Err(self.unwritten(c)),
            _ => {
                weights.push(self.value_of(b, c, ty, scope)?);
                reached.push(f);
                Ok(())
            }
        }
    }
}

/// Returns the op that creates a tuple or a record.
fn whole(kind: &types::TypeKind) -> Kind {
    if let types::TypeKind::Record(..) = kind { Kind::LambdaRecord } else { Kind::LambdaTuple }
}

/// Creates the block of a region with arguments of these types, which ends in the value that `write` returns.
fn region(
    b: Builder,
    types: &[Type],
    end: Kind,
    write: impl FnOnce(Builder, &[Value]) -> Result<Value, Reported>,
) -> Result<Block, Reported> {
    let inner = b.at(b.context().unknown_location()).new_block(types);
    let value = write(inner, &inner.block.arguments())?;
    inner.insert(inner.op(end).operands(&[value]).build());
    Ok(inner.block)
}

/// Inserts an op with a region and one result.
fn with_region(b: Builder, op: OpBuilder, block: Block, result: Type) -> Value {
    b.insert(op.results(&[result]).region(Region::with_block(block)).build()).result(0)
}

fn tuple(b: Builder, parts: &[Value]) -> Value {
    b.unary(Kind::LambdaTuple, parts, b.context().tuple(&types_of(parts)))
}

/// Returns the type of the value in which a block ends.
fn yielded(block: Block) -> Type {
    block.end().operand(0).ty()
}

/// Checks whether a value is a covector in normal form.
fn is_covector(t: &Term) -> bool {
    match &t.kind {
        TermKind::Zero | TermKind::Number(_) => true,
        TermKind::Tuple(parts) => parts.iter().all(is_covector),
        TermKind::Sum(a, b) => is_covector(a) && is_covector(b),
        TermKind::At(e) => is_covector(&e.covector),
        _ => false,
    }
}

fn constant(b: Builder, x: &Array) -> Value {
    let context = b.context();
    let element = context.scalar(x.element());
    let all: Vec<Attribute> = match x.element().is_float() {
        true => x.to_f64().into_iter().map(|x| Attribute::float(element, x)).collect(),
        false => x.data().to_integers().into_iter().map(|x| Attribute::integer(element, x)).collect(),
    };
    if x.shape().is_empty() {
        return b.constant(all[0], element);
    }
    let shape: Vec<Option<usize>> = x.shape().iter().map(|n| Some(*n)).collect();
    let ty = Type::tensor(&shape, element);
    b.constant(Attribute::dense(ty, &all), ty)
}
