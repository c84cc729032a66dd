//! Evaluation of the checked function, of its tangent and of its gradient.

use crate::commands::domain::Domain;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::{EvalError, Evaluator};
use mlopt_dialects::ir::{Block, Builder, Op, OpBuilder, Region, Type};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::{Array, Element};
use mlopt_lowering::pipelines::{pipeline_text, with_import, with_import_for_evaluator};
use mlopt_runtime::entry::{self, Entry};
use mlopt_runtime::failure::Failure;
use std::path::Path;

pub struct Subject<'a> {
    /// The original program, with its requests expanded.
    plain: &'a Program,
    /// The program in bulk operations, with functions that compute the derivatives.
    derived: Program,
    name: String,
    /// One for each entry of `wrt`: (inputs, tangent) → tangents of the float results.
    jvps: Vec<String>,
    /// (inputs, cotangents of the float results) → cotangents of `wrt`.
    vjp: String,
    /// The inputs to differentiate with respect to.
    pub wrt: Vec<usize>,
    pub results: Vec<Type>,
    /// True if an input or result is f32, whose precision then bounds that of the differences.
    pub single: bool,
}

impl<'a> Subject<'a> {
    pub fn new(
        plain: &'a Program,
        source: &[u8],
        file: &Path,
        entry: &Entry,
        wrt: &[usize],
    ) -> Result<Subject<'a>, Failure> {
        let derived = Program::parse(source, &file.to_string_lossy())?;
        let module = derived.module();
        module.context().load_dialects(&["dual"]);
        let function = entry::function(module, Some(&format!("@{}", entry.name)), "--entry")?;
        let (inputs, results) = function.function_type().unwrap_or_default();
        if !results.iter().any(|t| t.is_differentiable()) {
            let found = results.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
            let found = if found.is_empty() { "none".into() } else { found };
            let text = format!("`@{}` has no derivative: expected a result of floats, found {found}", entry.name);
            return Err(Failure::at(&entry.place, text));
        }
        let ask = |what: &str, wrt: &[usize]| add_request(module, function, (&inputs, &results), what, wrt);
        let jvps = wrt.iter().map(|&k| ask("jvp", &[k])).collect();
        let vjp = ask("vjp", wrt);
        derived.run_pipeline(&with_import(&pipeline_text(&["bulk-operations", "differentiate"]), module))?;
        plain.run_pipeline(&with_import_for_evaluator(&pipeline_text(&["differentiate"]), plain.module()))?;
        let single = inputs.iter().chain(&results).any(|t| t.element() == Some(Element::F32));
        Ok(Subject { plain, derived, name: entry.name.clone(), jvps, vjp, wrt: wrt.to_vec(), results, single })
    }

    /// Returns the results that have derivatives, among all results or among tangents.
    pub fn floats<'b>(&self, results: &'b [Array]) -> Vec<&'b Array> {
        results.iter().filter(|r| r.element().is_float()).collect()
    }

    pub fn value(&self, x: &[Array]) -> Result<Vec<Array>, EvalError> {
        Evaluator::new(self.plain.module()).call(&self.name, x)
    }

    /// Computes the tangents of the float results along `t`, a tangent of input `wrt[row]`.
    pub fn jvp(&self, x: &[Array], row: usize, t: &Array) -> Result<Vec<Array>, EvalError> {
        let arguments = [x, std::slice::from_ref(t)].concat();
        Evaluator::new(self.derived.module()).call(&self.jvps[row], &arguments)
    }

    /// Computes the cotangents of the inputs in `wrt`.
    pub fn vjp(&self, x: &[Array], c: &[Array]) -> Result<Vec<Array>, EvalError> {
        Evaluator::new(self.derived.module()).call(&self.vjp, &[x, c].concat())
    }

    /// Returns the program in bulk operations, and the names of the function, its tangent along the first input, and
    /// its gradient.
    pub fn functions(&self) -> (&Program, [&str; 3]) {
        (&self.derived, [&self.name, &self.jvps[0], &self.vjp])
    }
}

/// Returns the failure of an evaluation, with the sizes, which are its most frequent cause.
pub fn refused(error: EvalError, domain: &Domain) -> Failure {
    let sizes = domain.describe(1);
    Failure::at(&error.location, format!("{} (sizes: {sizes}; `--size` and `--set` choose others)", error.text))
}

/// Adds a function that requests `dual.jvp` or `dual.vjp` of `function` and returns the derivatives. Returns its name.
fn add_request(module: Op, function: Op, (inputs, results): (&[Type], &[Type]), what: &str, wrt: &[usize]) -> String {
    let (location, context) = (function.location(), module.context());
    let callee = function.symbol().unwrap_or_default();
    let base = format!("{callee}.{what}");
    let name = (0..).map(|k| format!("{base}.{k}")).find(|n| module.lookup(n).is_none()).expect("some number is free");
    let varying: Vec<Type> = wrt.iter().map(|&k| inputs[k]).collect();
    let floats: Vec<Type> = results.iter().copied().filter(|t| t.is_differentiable()).collect();
    let (directions, derivatives) = if what == "jvp" { (&varying, &floats) } else { (&floats, &varying) };
    let parameters = [inputs, directions].concat();
    let body = Block::new(&parameters.iter().map(|&t| (t, location)).collect::<Vec<_>>());
    let b = Builder::at_end(body, location);
    let (point, along) = (&body.arguments()[..inputs.len()], &body.arguments()[inputs.len()..]);
    let wrt: Vec<i64> = wrt.iter().map(|&k| k as i64).collect();
    let request = b
        .op(format!("dual.{what}"))
        .region(Region::new())
        .operand_segments(&[point, along])
        .attribute("callee", context.symbol_attr(&callee))
        .attribute("wrt", context.i64_array_attr(&wrt))
        .results(&[results, derivatives].concat());
    let values = b.insert(request.build()).results();
    b.insert(b.op(Kind::FuncReturn).operands(&values[results.len()..]).build());
    let added = OpBuilder::new(Kind::FuncFunc, location)
        .attribute("sym_name", context.string_attr(&name))
        .attribute("function_type", context.type_attr(context.function_type(&parameters, derivatives)))
        .region(Region::with_block(body));
    module.entry().append(added.build());
    name
}
