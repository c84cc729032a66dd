//! Functions that request derivatives of `@f`. Only this module depends on the form of requests.

use mlopt_dialects::dual;
use mlopt_dialects::ir::{Block, Builder, Op, OpBuilder, Type, Value, types_of};
use mlopt_dialects::ops::dual::{Grad, Hvp, Jacobian, Jvp, Vjp};
use mlopt_dialects::ops::func::{Call, Return};
use mlopt_dialects::ops::{Kind, Symbol};

/// The mode of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Forward mode: dual.jvp, dual.grad, dual.jacobian
    Forward,
    /// Reverse mode: dual.vjp, dual.grad and dual.jacobian in mode reverse, dual.hvp
    Reverse,
}

impl Mode {
    /// Returns the attribute of requests.
    fn requested(self) -> dual::Mode {
        if self == Mode::Forward { dual::Mode::Forward } else { dual::Mode::Reverse }
    }
}

/// A writer of functions to the module of `@f`.
pub struct Writer {
    pub module: Op,
    /// The types of the inputs and of the results of `@f`.
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

/// The name of a function, and the text of it and of its callees other than `@f`.
type Function = (String, String);

impl Writer {
    /// Returns the results that have derivatives.
    pub fn floats(&self) -> Vec<Type> {
        self.results.iter().copied().filter(|ty| ty.is_differentiable()).collect()
    }

    pub fn gives_float_scalar(&self) -> bool {
        matches!(self.results[..], [ty] if ty.is_differentiable() && !ty.is_tensor())
    }

    /// Writes (point, tangent of input `k`) → tangents.
    pub fn jvp(&self, k: usize) -> Function {
        let types = [self.results.clone(), self.floats()].concat();
        self.function(String::new(), format!("jvp.{k}"), &[self.inputs[k]], |b, x, t| {
            let jvp = Jvp::create(b, x, t, &types, None).with_callee(&symbol("f")).with_wrt(&[k as i64]);
            jvp.results().split_off(self.results.len())
        })
    }

    /// Writes (point, cotangents) → cotangent of input `k`.
    pub fn vjp(&self, k: usize) -> Function {
        let types = [self.results.as_slice(), &[self.inputs[k]]].concat();
        self.function(String::new(), format!("vjp.{k}"), &self.floats(), |b, x, ct| {
            let vjp = Vjp::create(b, x, ct, &types, None).with_callee(&symbol("f")).with_wrt(&[k as i64]);
            vjp.results().split_off(self.results.len())
        })
    }

    /// Writes point → ∂result/∂input for each float result and each input, by `dual.grad` or `dual.jacobian`.
    pub fn jacobian(&self, mode: Mode, inputs: &[usize]) -> Function {
        let positions: Vec<String> = inputs.iter().map(|k| k.to_string()).collect();
        let name = format!("jacobian.{mode:?}.{}", positions.join("."));
        let (mut callees, mut text) = (vec![], String::new());
        for (at, &out) in self.results.iter().enumerate().filter(|(_, ty)| ty.is_differentiable()) {
            let mut callee = "f".to_string();
            if self.results.len() > 1 {
                // The program with only one of its results.
                (callee, text) = self.function(text, format!("f.result{at}.{name}"), &[], |b, x, _| {
                    vec![Call::create(b, x, &symbol("f"), &self.results).results()[at]]
                });
            }
            callees.push((out, symbol(&callee)));
        }
        self.function(text, name, &[], |b, x, _| {
            let derivative = |(out, callee): &(Type, Symbol), k: usize| {
                let (types, wrt, mode) = ([self.derivative(*out, k)], [k as i64], mode.requested());
                if out.is_tensor() {
                    let jacobian = Jacobian::create(b, x, &types, None).with_callee(callee).with_wrt(&wrt);
                    jacobian.with_mode(mode).result(0)
                } else {
                    Grad::create(b, x, &types, None).with_callee(callee).with_wrt(&wrt).with_mode(mode).result(0)
                }
            };
            callees.iter().flat_map(|of| inputs.iter().map(|&k| derivative(of, k)).collect::<Vec<_>>()).collect()
        })
    }

    /// Writes point → ∂²f/∂x∂x of the scalar program: the Jacobian of a function that returns its gradient.
    pub fn hessian(&self, mode: Mode, k: usize) -> Function {
        let name = format!("hessian.{mode:?}.{k}");
        let (gradient, text) = self.gradient(mode, k, &name);
        self.function(text, name, &[], |b, x, _| {
            let jacobian = Jacobian::create(b, x, &[self.derivative(self.inputs[k], k)], None);
            jacobian.with_callee(&symbol(&gradient)).with_wrt(&[k as i64]).with_mode(dual::Mode::Forward).results()
        })
    }

    /// Writes (point, direction) → the Hessian times the direction: in forward mode the tangent of the gradient, in
    /// reverse mode `dual.hvp`.
    pub fn hvp(&self, mode: Mode, k: usize) -> Function {
        let (name, ty) = (format!("hvp.{mode:?}.{k}"), self.inputs[k]);
        if mode == Mode::Reverse {
            return self.function(String::new(), name, &[ty], |b, x, t| {
                Hvp::create(b, x, t, &[ty], None).with_callee(&symbol("f")).with_wrt(&[k as i64]).results()
            });
        }
        let (gradient, text) = self.gradient(mode, k, &name);
        self.function(text, name, &[ty], |b, x, t| {
            let jvp = Jvp::create(b, x, t, &[ty, ty], None).with_callee(&symbol(&gradient)).with_wrt(&[k as i64]);
            vec![jvp.result(1)]
        })
    }

    /// Writes a function that returns the gradient, for the function `user`.
    fn gradient(&self, mode: Mode, k: usize, user: &str) -> Function {
        self.function(String::new(), format!("f.gradient.{user}"), &[], |b, x, _| {
            let grad = Grad::create(b, x, &[self.inputs[k]], None).with_callee(&symbol("f"));
            grad.with_wrt(&[k as i64]).with_mode(mode.requested()).results()
        })
    }

    /// Returns the type of the derivative of a result by input `k`: the axes of the result, then those of the input.
    fn derivative(&self, result: Type, k: usize) -> Type {
        Type::array(&[result.shape(), self.inputs[k].shape()].concat(), result.scalar())
    }

    /// Writes a function of the inputs of `@f` and of values of the types `more`, after its callees. `emit` creates its
    /// results. A callee, whose name starts with `f.`, is private.
    fn function(
        &self,
        callees: String,
        name: String,
        more: &[Type],
        emit: impl FnOnce(Builder, &[Value], &[Value]) -> Vec<Value>,
    ) -> Function {
        let location = self.module.location();
        let arguments: Vec<_> = self.inputs.iter().chain(more).map(|&ty| (ty, location)).collect();
        let body = Block::new(&arguments);
        let b = Builder::at_end(body, location);
        let values = body.arguments();
        let (point, directions) = values.split_at(self.inputs.len());
        let results = emit(b, point, directions);
        Return::create(b, &results);
        let function = OpBuilder::function(Kind::FuncFunc, &name, body, &types_of(&results), location);
        let visibility = name.starts_with("f.").then(|| ("sym_visibility", location.context().string_attr("private")));
        let function = self.module.entry().append(function.attributes(visibility).build());
        (name, callees + &function.valid_text() + "\n")
    }
}

fn symbol(name: &str) -> Symbol {
    Symbol(name.into())
}
