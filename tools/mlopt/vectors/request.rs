//! Functions that ask for derivatives of `@f`: the one place that knows how requests are written.

use super::program::Mode;
use crate::terms::{Input, Type};
use mlopt_dialects::value::Element;

pub struct Writer<'a> {
    /// Of `@f`.
    pub inputs: &'a [Input],
    pub results: &'a [Type],
}

/// The name of a function, and the text of it and of what it calls besides `@f`.
type Function = (String, String);

impl Writer<'_> {
    /// The results that have derivatives.
    pub fn floats(&self) -> impl Iterator<Item = &Type> {
        self.results.iter().filter(|ty| ty.element.is_float())
    }

    pub fn gives_float_scalar(&self) -> bool {
        matches!(self.results, [ty] if ty.element.is_float() && ty.shape.is_empty())
    }

    /// (point, tangent of input `k`) → tangents.
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

    /// `%r = dual.jvp @callee(…) tangents(%t)`.
    fn tangents(&self, r: &str, callee: &str, k: usize, results: &[Type]) -> String {
        let types = self.types(&[self.inputs[k].ty.clone()]);
        let many = if results.len() > 1 { format!(":{}", results.len()) } else { String::new() };
        format!(
            "{r}{many} = dual.jvp @{callee}({}) tangents(%t) wrt [{k}] : ({types}) -> ({})",
            self.point(),
            list(results)
        )
    }

    /// (point, cotangents) → cotangent of input `k`.
    pub fn vjp(&self, k: usize) -> Function {
        let symbol = format!("vjp.{k}");
        let given: Vec<(String, Type)> =
            self.floats().enumerate().map(|(i, ty)| (format!("%c{i}"), ty.clone())).collect();
        let cotangents: Vec<String> = given.iter().map(|(name, _)| name.clone()).collect();
        let (line, result) = self.cotangent("%g", k, &cotangents);
        let text = self.function("", &symbol, &given, &[line], &[(result, self.inputs[k].ty.clone())]);
        (symbol, text)
    }

    /// `dual.vjp @f(…) cotangents(…)`: the results of `@f`, then the cotangent of input `k`, whose name is returned.
    fn cotangent(&self, r: &str, k: usize, cotangents: &[String]) -> (String, String) {
        let floats: Vec<Type> = self.floats().cloned().collect();
        let results: Vec<Type> = self.results.iter().chain([&self.inputs[k].ty]).cloned().collect();
        let line = format!(
            "{r}:{} = dual.vjp @f({}) cotangents({}) wrt [{k}] : ({}) -> ({})",
            results.len(),
            self.point(),
            cotangents.join(", "),
            self.types(&floats),
            list(&results)
        );
        (line, part(r, results.len() - 1, results.len()))
    }

    /// point → for each float result and each input: ∂result/∂input, by `dual.grad` or `dual.jacobian`.
    pub fn jacobian(&self, inputs: &[usize]) -> Function {
        let symbol = format!("jacobian.{}", numbers(inputs));
        let (mut text, mut lines, mut returned) = (String::new(), vec![], vec![]);
        for (at, out) in self.results.iter().enumerate().filter(|(_, ty)| ty.element.is_float()) {
            let mut callee = "f".to_string();
            if self.results.len() > 1 {
                callee = format!("f.result{at}");
                text += &self.result_only(&callee, at, out);
            }
            for &k in inputs {
                let ty = out.by(&self.inputs[k].ty);
                let name = format!("%j{at}_{k}");
                let request = if out.shape.is_empty() { "grad" } else { "jacobian" };
                let types = self.types(&[]);
                lines
                    .push(format!("{name} = dual.{request} @{callee}({}) wrt [{k}] : ({types}) -> {ty}", self.point()));
                returned.push((name, ty));
            }
        }
        text += &self.function("", &symbol, &[], &lines, &returned);
        (symbol, text)
    }

    /// The program with one of its results.
    fn result_only(&self, symbol: &str, at: usize, ty: &Type) -> String {
        let n = self.results.len();
        let call =
            format!("%r:{n} = func.call @f({}) : ({}) -> ({})", self.point(), self.types(&[]), list(self.results));
        self.function("private ", symbol, &[], &[call], &[(part("%r", at, n), ty.clone())])
    }

    /// As [`Writer::jacobian`], row by row with one-hot cotangents.
    pub fn rows(&self, inputs: &[usize]) -> Function {
        let symbol = format!("rows.{}", numbers(inputs));
        let (mut lines, mut returned) = (vec![], vec![]);
        for (place, ty) in self.floats().enumerate() {
            let one = Type::new(ty.element, &[]);
            let zero =
                |(other, ty): (usize, &Type)| (other != place).then(|| format!("%z{place}_{other} = dual.zero : {ty}"));
            lines.extend(self.floats().enumerate().filter_map(zero));
            lines.push(format!("%one{place} = dual.one : {one}"));
            let cotangents = |own: String| -> Vec<String> {
                (0..self.floats().count())
                    .map(|o| if o == place { own.clone() } else { format!("%z{place}_{o}") })
                    .collect()
            };
            for &k in inputs {
                let row = ty.by(&self.inputs[k].ty);
                let name = format!("%v{place}_{k}");
                if ty.shape.is_empty() {
                    let (line, result) = self.cotangent(&name, k, &cotangents(format!("%one{place}")));
                    lines.push(line);
                    returned.push((result, row));
                    continue;
                }
                let indices: Vec<String> = (0..ty.shape.len()).map(|axis| format!("%i{axis}")).collect();
                let space: Vec<String> = indices.iter().zip(&ty.shape).map(|(i, n)| format!("{i} < {n}")).collect();
                let (line, result) = self.cotangent("%g", k, &cotangents("%c".into()));
                lines.push(format!("{name} = array.build ({}) -> ({row}) {{", space.join(", ")));
                lines.push(format!("  %c = array.one_hot %one{place} at [{}] : {one} -> {ty}", indices.join(", ")));
                lines.push(format!("  {line}"));
                lines.push(format!("  array.yield {result} : {}", self.inputs[k].ty));
                lines.push("}".into());
                returned.push((name, row));
            }
        }
        let text = self.function("", &symbol, &[], &lines, &returned);
        (symbol, text)
    }

    /// point → ∂²f/∂x∂x of the scalar program: the Jacobian of a function that returns its gradient.
    pub fn hessian(&self, mode: Mode, k: usize) -> Function {
        let (gradient, mut text) = self.gradient(mode, k, "hessian");
        let x = &self.inputs[k].ty;
        let ty = x.by(x);
        let line =
            format!("%h = dual.jacobian @{gradient}({}) wrt [{k}] : ({}) -> {ty}", self.point(), self.types(&[]));
        let symbol = format!("hessian.{mode:?}.{k}");
        text += &self.function("", &symbol, &[], &[line], &[("%h".into(), ty)]);
        (symbol, text)
    }

    /// (point, direction) → the Hessian times the direction: the tangent of the gradient.
    pub fn hvp(&self, mode: Mode, k: usize) -> Function {
        let (gradient, mut text) = self.gradient(mode, k, "hvp");
        let x = self.inputs[k].ty.clone();
        let line = self.tangents("%r", &gradient, k, &[x.clone(), x.clone()]);
        let symbol = format!("hvp.{mode:?}.{k}");
        text += &self.function("", &symbol, &[("%t".into(), x.clone())], &[line], &[("%r#1".into(), x)]);
        (symbol, text)
    }

    /// A function that returns the gradient, for another that is called `user`.
    fn gradient(&self, mode: Mode, k: usize, user: &str) -> Function {
        let symbol = format!("f.gradient.{user}.{mode:?}.{k}");
        let x = self.inputs[k].ty.clone();
        let (lines, result) = match mode {
            Mode::Forward => {
                let line = format!("%g = dual.grad @f({}) wrt [{k}] : ({}) -> {x}", self.point(), self.types(&[]));
                (vec![line], "%g".to_string())
            }
            Mode::Reverse => {
                let (line, result) = self.cotangent("%g", k, &["%one".into()]);
                (vec![format!("%one = dual.one : {}", Type::new(self.element(), &[])), line], result)
            }
        };
        let text = self.function("private ", &symbol, &[], &lines, &[(result, x)]);
        (symbol, text)
    }

    /// The element type of the first float result.
    fn element(&self) -> Element {
        self.floats().next().map_or(Element::F64, |ty| ty.element)
    }

    /// A function of the inputs of `@f`, and of more.
    fn function(
        &self,
        visibility: &str,
        symbol: &str,
        more: &[(String, Type)],
        lines: &[String],
        returned: &[(String, Type)],
    ) -> String {
        let own = self.inputs.iter().enumerate().map(|(k, i)| format!("%x{k}: {}", i.ty));
        let parameters: Vec<String> = own.chain(more.iter().map(|(name, ty)| format!("{name}: {ty}"))).collect();
        let names: Vec<&str> = returned.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<Type> = returned.iter().map(|(_, ty)| ty.clone()).collect();
        let body: String = lines.iter().map(|line| format!("  {line}\n")).collect();
        let ret =
            if names.is_empty() { "return".into() } else { format!("return {} : {}", names.join(", "), list(&types)) };
        format!(
            "func.func {visibility}@{symbol}({}) -> ({}) {{\n{body}  {ret}\n}}\n",
            parameters.join(", "),
            list(&types)
        )
    }

    /// The arguments at which `@f` is called.
    fn point(&self) -> String {
        (0..self.inputs.len()).map(|k| format!("%x{k}")).collect::<Vec<_>>().join(", ")
    }

    /// Their types, and more.
    fn types(&self, more: &[Type]) -> String {
        self.inputs.iter().map(|i| &i.ty).chain(more).map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// Result `i` of an op that has `n`.
fn part(name: &str, i: usize, n: usize) -> String {
    if n > 1 { format!("{name}#{i}") } else { name.into() }
}

fn list(types: &[Type]) -> String {
    types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ")
}

fn numbers(inputs: &[usize]) -> String {
    inputs.iter().map(|k| k.to_string()).collect::<Vec<_>>().join(".")
}
