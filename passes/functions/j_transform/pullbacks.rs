//! Expansion of pullbacks as derivatives (`spec/functional.md` C.7). `(Omega \x.P).w` becomes the function
//! `lambda(x) { (y, b) = J(\x.P)(x); get 1 (b(w(y))) }`, where part 1 of the result of `b` is the cotangent of `x`.
//!
//! A functional on values of a type is represented by a cotangent of such a value. The composition of a functional with
//! a linear map is therefore the result of the backpropagator of the map for that cotangent. The backpropagator of a
//! linear map is the same at every point, so it is taken at zero.

use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var};
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Context, Location, Op, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;

/// Rewrites pullbacks and functionals as calls of derivatives.
pub fn lower(program: &mut Program, functions: &mut [Function]) -> Result<(), Reported> {
    for function in functions.iter_mut() {
        Lower { program }.body(&mut function.code.body)?;
    }
    program.map_types(vectors);
    Ok(())
}

/// Replaces functionals by vectors in the types of functions without a body.
pub fn declare(module: Op) {
    for function in module.child_ops().into_iter().filter(|f| f.kind() == Kind::FuncFunc && f.body().is_none()) {
        let Some((inputs, results)) = function.function_type() else { continue };
        let new = [inputs.as_slice(), &results].concat().into_iter().map(vectors).collect::<Vec<_>>();
        let ty = function.context().function_type(&new[..inputs.len()], &new[inputs.len()..]);
        function.set_attribute("function_type", function.context().type_attr(ty));
    }
}

fn no_functional(ty: Type, at: Location) -> Reported {
    error(at, format!("not supported: a functional must take floats or tuples of floats, found {ty}"))
}

/// Returns the type with functionals replaced by their vectors.
fn vectors(ty: Type) -> Type {
    match TypeKind::of(ty) {
        TypeKind::Dual(on) => types::tangent(vectors(on)),
        TypeKind::Function(inputs, result) => {
            types::function(&inputs.into_iter().map(vectors).collect::<Vec<_>>(), vectors(result))
        }
        TypeKind::Tuple(_) | TypeKind::Record(..) | TypeKind::List(_) | TypeKind::Chan(_) | TypeKind::Task(_) => {
            ty.with_parts(&ty.parts().into_iter().map(vectors).collect::<Vec<_>>())
        }
        _ => ty,
    }
}

struct Lower<'a> {
    program: &'a mut Program,
}

impl Lower<'_> {
    fn body(&mut self, body: &mut Body) -> Result<(), Reported> {
        let mut out = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            for code in &mut stmt.codes {
                self.body(&mut code.body)?;
            }
            match stmt.kind() {
                Kind::LambdaPullback => self.pullback(stmt, &mut out),
                Kind::LambdaDual => self.dual(stmt, &mut out)?,
                Kind::LambdaJacobian => self.jacobian(stmt, &mut out)?,
                Kind::LambdaCovector => self.covector(stmt, &mut out)?,
                Kind::LambdaPairWith => self.pair_with(stmt, &mut out)?,
                _ => out.push(stmt),
            }
        }
        body.stmts = out;
        Ok(())
    }

    fn ty(&self, var: Var) -> Type {
        vectors(self.program.ty(var))
    }

    fn context(&self) -> Context {
        self.program.context
    }

    fn get(&mut self, out: &mut Vec<Stmt>, tuple: Var, k: usize, at: Location) -> Var {
        let result = self.program.fresh(self.ty(tuple).parts()[k], None);
        self.program.part_into(out, result, tuple, k, at);
        result
    }

    /// Writes the value of a function of one argument at `x`, and its backpropagator.
    fn there_and_back(&mut self, out: &mut Vec<Stmt>, mut code: Code, x: Var, at: Location) -> (Var, Var) {
        let (input, result) = (self.ty(code.params[0]), self.ty(code.body.results[0]));
        code.end = Kind::LambdaReturn.into();
        let f = self.program.lambda(out, code, at);
        let back = types::function(&[types::tangent(result)], types::tangent(input));
        let pair = self.context().tuple(&[result, back]);
        let ty = types::function(&[input], pair);
        let vjp = self.program.push(out, Kind::LambdaVjp, &[f], ty, at);
        let t = self.program.push(out, Kind::LambdaApply, &[vjp, x], pair, at);
        (self.get(out, t, 0, at), self.get(out, t, 1, at))
    }

    fn pullback(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) {
        let at = stmt.location;
        let code = stmt.codes.remove(0);
        let x = self.program.like(code.params[0], self.ty(code.params[0]));
        let mut stmts = Vec::new();
        let (y, back) = self.there_and_back(&mut stmts, code, x, at);
        let w = self.program.apply(&mut stmts, stmt.operands[0], &[y], at);
        let result = self.program.apply(&mut stmts, back, &[w], at);
        let code = Code::returns(vec![x], stmts, vec![result]);
        out.push(Stmt::new(Kind::LambdaLambda, stmt.results, vec![], vec![code], at));
    }

    fn dual(&mut self, mut stmt: Stmt, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let at = stmt.location;
        let code = stmt.codes.remove(0);
        let zero = self.zero(out, self.ty(code.params[0]), at)?;
        let (_, back) = self.there_and_back(out, code, zero, at);
        out.push(Stmt::new(Kind::LambdaApply, stmt.results, vec![back, stmt.operands[0]], vec![], at));
        Ok(())
    }

    fn jacobian(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let at = stmt.location;
        let (inputs, result) = self.program.signature(stmt.result());
        let input = inputs[0];
        if types::tangent(input) != input || types::tangent(result) != result {
            let text = format!("not supported: 'lambda.jacobian' must map floats to floats, found {input} to {result}");
            return Err(error(at, text));
        }
        let x = self.program.fresh(input, None);
        let mut stmts = Vec::new();
        let callee = stmt.required("callee");
        let ty = types::function(&[input], result);
        let f = self.program.reference(&mut stmts, callee, ty, at);
        let pair = self.context().tuple(&[result, result]);
        let ty = types::function(&[input, input], pair);
        let jvp = self.program.push(&mut stmts, Kind::LambdaJvp, &[f], ty, at);
        let t = self.program.push(&mut stmts, Kind::LambdaApply, &[jvp, x, stmt.operands[0]], pair, at);
        let y = self.get(&mut stmts, t, 1, at);
        let code = Code::returns(vec![x], stmts, vec![y]);
        out.push(Stmt::new(Kind::LambdaLambda, stmt.results, vec![], vec![code], at));
        Ok(())
    }

    fn covector(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let at = stmt.location;
        let vector = self.as_tangent(out, stmt.operands[0], at)?;
        self.renamed(out, stmt.result(), vector, at);
        Ok(())
    }

    /// Writes a statement whose result is a given value, so that the uses of the result need not change.
    fn renamed(&mut self, out: &mut Vec<Stmt>, result: Var, value: Var, at: Location) {
        let ty = self.context().tuple(&[self.ty(value)]);
        let tuple = self.program.push(out, Kind::LambdaTuple, &[value], ty, at);
        self.program.part_into(out, result, tuple, 0, at);
    }

    /// Writes a vector as a cotangent: its discrete parts have none.
    fn as_tangent(&mut self, out: &mut Vec<Stmt>, v: Var, at: Location) -> Result<Var, Reported> {
        let ty = self.ty(v);
        let tangent = types::tangent(ty);
        if ty == tangent {
            return Ok(v);
        }
        match TypeKind::of(ty) {
            TypeKind::Array(element) if !element.is_float() => {
                Ok(self.program.push(out, Kind::LambdaUnit, &[], tangent, at))
            }
            TypeKind::Tuple(parts) => {
                let parts = (0..parts.len()).map(|k| {
                    let part = self.get(out, v, k, at);
                    self.as_tangent(out, part, at)
                });
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(self.program.push(out, Kind::LambdaTuple, &parts, tangent, at))
            }
            _ => Err(no_functional(ty, at)),
        }
    }

    fn pair_with(&mut self, stmt: Stmt, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let at = stmt.location;
        let float = self.context().scalar(Element::F64);
        let sum = self.dot(out, stmt.operands[0], stmt.operands[1], at)?;
        let sum = sum.unwrap_or_else(|| self.program.constant(out, Attribute::float(float, 0.0), float, at));
        self.renamed(out, stmt.result(), sum, at);
        Ok(())
    }

    /// Writes w · v over all floats, as an `f64`; returns `None` if there are none.
    fn dot(&mut self, out: &mut Vec<Stmt>, w: Var, v: Var, at: Location) -> Result<Option<Var>, Reported> {
        let ty = self.ty(v);
        let float = self.context().scalar(Element::F64);
        match TypeKind::of(ty) {
            TypeKind::Array(element) if element.is_float() => {
                let mut product = self.program.push(out, Kind::ArithMulf, &[w, v], types::tangent(ty), at);
                for _ in 0..ty.rank() {
                    let rest = Type::array(&self.ty(product).shape()[1..], ty.scalar());
                    product = self.program.push(out, Kind::ArraySum, &[product], rest, at);
                }
                if element != Element::F64 {
                    product = self.program.push(out, Kind::ArithExtf, &[product], float, at);
                }
                Ok(Some(product))
            }
            TypeKind::Array(_) | TypeKind::Unit => Ok(None),
            TypeKind::Tuple(parts) => {
                let mut sum = None;
                for k in 0..parts.len() {
                    let (w, v) = (self.get(out, w, k, at), self.get(out, v, k, at));
                    let part = self.dot(out, w, v, at)?;
                    sum = match (sum, part) {
                        (Some(a), Some(b)) => Some(self.program.push(out, Kind::ArithAddf, &[a, b], float, at)),
                        (a, b) => a.or(b),
                    };
                }
                Ok(sum)
            }
            _ => Err(no_functional(ty, at)),
        }
    }

    /// Writes the zero of a type of data.
    fn zero(&mut self, out: &mut Vec<Stmt>, ty: Type, at: Location) -> Result<Var, Reported> {
        match TypeKind::of(ty) {
            TypeKind::Array(element) if element.is_float() && ty.shape().iter().all(Option::is_some) => {
                Ok(self.program.push(out, Kind::DualZero, &[], ty, at))
            }
            TypeKind::Unit => Ok(self.program.push(out, Kind::LambdaUnit, &[], ty, at)),
            TypeKind::Tuple(parts) => {
                let parts = parts.into_iter().map(|t| self.zero(out, t, at)).collect::<Result<Vec<_>, _>>()?;
                Ok(self.program.push(out, Kind::LambdaTuple, &parts, ty, at))
            }
            _ => {
                let expected = "a float, an array of floats with static sizes, or a tuple of these";
                let text = format!("the region argument of 'lambda.dual' must be {expected}, found {ty}");
                Err(error(at, format!("not supported: {text}")))
            }
        }
    }
}
