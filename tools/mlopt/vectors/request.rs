//! Functions that request derivatives of `@f`. Only this module depends on the syntax of requests.

use mlopt_frontend::mlir::list;
use mlopt_frontend::terms::{Input, Type};

/// The mode of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Forward mode: dual.jvp, dual.grad, dual.jacobian
    Forward,
    /// Reverse mode: dual.vjp, dual.grad and dual.jacobian in mode reverse, dual.hvp
    Reverse,
}

pub struct Writer<'a> {
    /// The inputs of `@f`.
    pub inputs: &'a [Input],
    pub results: &'a [Type],
}

/// The name of a function, and the text of it and of its callees other than `@f`.
type Function = (String, String);

impl Writer<'_> {
    /// Returns the results that have derivatives.
    pub fn floats(&self) -> impl Iterator<Item = &Type> {
        self.results.iter().filter(|ty| ty.element.is_float())
    }

    pub fn gives_float_scalar(&self) -> bool {
        matches!(self.results, [ty] if ty.element.is_float() && ty.shape.is_empty())
    }

    /// Writes (point, tangent of input `k`) → tangents.
    pub fn jvp(&self, k: usize) -> Function {
        let symbol = format!("jvp.{k}");
        let n = self.results.len();
        let results: Vec<Type> = self.results.iter().chain(self.floats()).cloned().collect();
        let line = self.tangents("%r", "f", k, &results);
        let returned: Vec<(String, Type)> =
            results.iter().enumerate().skip(n).map(|(i, ty)| (part("%r", i, results.len()), ty.clone())).collect();
        let text = self.function("", &symbol, &[("%t".into(), self.inputs[k].ty.clone())], &[line], &returned);
        (symbol, text)
    }

    /// Writes `%r = dual.jvp @callee(…) tangents(%t)`.
    fn tangents(&self, r: &str, callee: &str, k: usize, results: &[Type]) -> String {
        let types = self.types([&self.inputs[k].ty]);
        let many = if results.len() > 1 { format!(":{}", results.len()) } else { String::new() };
        format!(
            "{r}{many} = dual.jvp @{callee}({}) tangents(%t) wrt [{k}] : ({types}) -> ({})",
            self.point(),
            list(results)
        )
    }

    /// Writes (point, cotangents) → cotangent of input `k`.
    pub fn vjp(&self, k: usize) -> Function {
        let symbol = format!("vjp.{k}");
        let given: Vec<(String, Type)> =
            self.floats().enumerate().map(|(i, ty)| (format!("%c{i}"), ty.clone())).collect();
        // The results of `@f`, then the cotangent.
        let results: Vec<Type> = self.results.iter().chain([&self.inputs[k].ty]).cloned().collect();
        let line = format!(
            "%r:{} = dual.vjp @f({}) cotangents({}) wrt [{k}] : ({}) -> ({})",
            results.len(),
            self.point(),
            list(given.iter().map(|(name, _)| name)),
            self.types(self.floats()),
            list(&results)
        );
        let returned = (part("%r", results.len() - 1, results.len()), self.inputs[k].ty.clone());
        let text = self.function("", &symbol, &given, &[line], &[returned]);
        (symbol, text)
    }

    /// Writes point → ∂result/∂input for each float result and each input, by `dual.grad` or `dual.jacobian`.
    pub fn jacobian(&self, mode: Mode, inputs: &[usize]) -> Function {
        let symbol = format!("jacobian.{mode:?}.{}", numbers(inputs));
        let (mut text, mut lines, mut returned) = (String::new(), vec![], vec![]);
        for (at, out) in self.results.iter().enumerate().filter(|(_, ty)| ty.element.is_float()) {
            let mut callee = "f".to_string();
            if self.results.len() > 1 {
                callee = format!("f.result{at}.{symbol}");
                text += &self.result_only(&callee, at, out);
            }
            for &k in inputs {
                let ty = out.by(&self.inputs[k].ty);
                let name = format!("%j{at}_{k}");
                let request = if out.shape.is_empty() { "grad" } else { "jacobian" };
                lines.push(self.derivative(&name, request, &callee, mode, k, &ty));
                returned.push((name, ty));
            }
        }
        text += &self.function("", &symbol, &[], &lines, &returned);
        (symbol, text)
    }

    /// Writes `%r = dual.grad @callee(…)` and similar requests.
    fn derivative(&self, r: &str, request: &str, callee: &str, mode: Mode, k: usize, ty: &Type) -> String {
        let mode = if mode == Mode::Reverse { " mode reverse" } else { " mode forward" };
        format!("{r} = dual.{request} @{callee}({}) wrt [{k}]{mode} : ({}) -> {ty}", self.point(), self.types([]))
    }

    /// Writes the program with only one of its results.
    fn result_only(&self, symbol: &str, at: usize, ty: &Type) -> String {
        let n = self.results.len();
        let call =
            format!("%r:{n} = func.call @f({}) : ({}) -> ({})", self.point(), self.types([]), list(self.results));
        self.function("private ", symbol, &[], &[call], &[(part("%r", at, n), ty.clone())])
    }

    /// Writes point → ∂²f/∂x∂x of the scalar program: the Jacobian of a function that returns its gradient.
    pub fn hessian(&self, mode: Mode, k: usize) -> Function {
        let x = &self.inputs[k].ty;
        let symbol = format!("hessian.{mode:?}.{k}");
        let (gradient, mut text) = self.gradient(mode, k, &symbol);
        let line = self.derivative("%h", "jacobian", &gradient, Mode::Forward, k, &x.by(x));
        text += &self.function("", &symbol, &[], &[line], &[("%h".into(), x.by(x))]);
        (symbol, text)
    }

    /// Writes (point, direction) → the Hessian times the direction: in forward mode the tangent of the gradient, in
    /// reverse mode `dual.hvp`.
    pub fn hvp(&self, mode: Mode, k: usize) -> Function {
        let x = self.inputs[k].ty.clone();
        let symbol = format!("hvp.{mode:?}.{k}");
        let given = [("%t".to_string(), x.clone())];
        if mode == Mode::Reverse {
            let types = self.types([&x]);
            let line = format!("%h = dual.hvp @f({}) tangents(%t) wrt [{k}] : ({types}) -> {x}", self.point());
            let text = self.function("", &symbol, &given, &[line], &[("%h".into(), x)]);
            return (symbol, text);
        }
        let (gradient, mut text) = self.gradient(mode, k, &symbol);
        let line = self.tangents("%r", &gradient, k, &[x.clone(), x.clone()]);
        text += &self.function("", &symbol, &given, &[line], &[("%r#1".into(), x)]);
        (symbol, text)
    }

    /// Writes a function that returns the gradient, for the function `user`.
    fn gradient(&self, mode: Mode, k: usize, user: &str) -> Function {
        let symbol = format!("f.gradient.{user}");
        let x = self.inputs[k].ty.clone();
        let line = self.derivative("%g", "grad", "f", mode, k, &x);
        let text = self.function("private ", &symbol, &[], &[line], &[("%g".into(), x)]);
        (symbol, text)
    }

    /// Writes a function of the inputs of `@f`, and of more.
    fn function(
        &self,
        visibility: &str,
        symbol: &str,
        more: &[(String, Type)],
        lines: &[String],
        returned: &[(String, Type)],
    ) -> String {
        let own = self.inputs.iter().enumerate().map(|(k, i)| format!("%x{k}: {}", i.ty));
        let parameters = list(own.chain(more.iter().map(|(name, ty)| format!("{name}: {ty}"))));
        let (names, types) = (list(returned.iter().map(|(name, _)| name)), list(returned.iter().map(|(_, ty)| ty)));
        let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        let ret = if names.is_empty() { "return".into() } else { format!("return {names} : {types}") };
        format!("func.func {visibility}@{symbol}({parameters}) -> ({types}) {{\n{body}  {ret}\n}}\n")
    }

    /// Returns the arguments at which `@f` is called.
    fn point(&self) -> String {
        list((0..self.inputs.len()).map(|k| format!("%x{k}")))
    }

    /// Returns the types of these arguments, and more.
    fn types<'t>(&'t self, more: impl IntoIterator<Item = &'t Type>) -> String {
        list(self.inputs.iter().map(|i| &i.ty).chain(more))
    }
}

/// Returns the name of result `i` of an op that has `n`.
fn part(name: &str, i: usize, n: usize) -> String {
    if n > 1 { format!("{name}#{i}") } else { name.into() }
}

fn numbers(inputs: &[usize]) -> String {
    inputs.iter().map(|k| k.to_string()).collect::<Vec<_>>().join(".")
}
