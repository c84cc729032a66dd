//! The functions that check the facts of a vector: they contain requests for derivatives of the imported program.

use super::file::{Fact, Vector};
use super::request::Writer;
use mlopt_dialects::text::terms::read_one;
use mlopt_dialects::value::{Array, Element};
use mlopt_frontend::terms::{self, Input, Type, Zeros};

/// The mode of differentiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// Forward mode: dual.jvp, dual.grad, dual.jacobian
    Forward,
    /// Reverse mode: dual.vjp, dual.grad and dual.jacobian in mode reverse, dual.hvp
    Reverse,
}

/// A vector in MLIR syntax.
pub struct Program {
    /// The program without requests, `@f`.
    pub text: String,
    pub checks: Vec<Check>,
}

/// A fact, and the call that must agree with it.
pub struct Check {
    /// The name of the fact: `jvp/x`.
    pub name: String,
    pub mode: Mode,
    pub function: String,
    /// The functions that it needs in addition to the program.
    pub text: String,
    pub arguments: Vec<Array>,
    pub expected: Expected,
}

pub enum Expected {
    /// Arrays, one for each result.
    Arrays(Vec<Array>),
    /// Numbers of all results, in order.
    Flat(Vec<f64>),
    /// Rows of a Jacobian. For each array that the program returns, there is one result for each input.
    Rows { numbers: Vec<f64>, columns: Vec<usize> },
}

/// Returns the program of a vector.
///
/// # Errors
/// The vector, its term or its numbers are invalid.
pub fn program(vector: &Vector) -> Result<Program, String> {
    if let Some(problem) = &vector.problem {
        return Err(problem.clone());
    }
    let input = |(name, x): &(String, Array)| Input { name: name.clone(), ty: Type::new(x.element(), x.shape()) };
    let inputs: Vec<Input> = vector.inputs.iter().map(input).collect();
    let imported = read_one(&vector.term).and_then(|term| terms::import("f", &inputs, &term, Zeros::Numbers));
    let imported = imported.map_err(|e| e.to_string())?;
    let writer = Writer { inputs: &inputs, results: &imported.results };
    let mut all = vec![];
    for fact in &vector.facts {
        all.extend(checks(vector, fact, &writer)?);
    }
    Ok(Program { text: imported.text, checks: all })
}

fn checks(vector: &Vector, fact: &Fact, writer: &Writer) -> Result<Vec<Check>, String> {
    let point: Vec<Array> = vector.inputs.iter().map(|(_, x)| x.clone()).collect();
    let named = |what: &str, inputs: &[usize]| -> String {
        let names: Vec<&str> = inputs.iter().map(|&k| vector.inputs[k].0.as_str()).collect();
        format!("{what}/{}", names.join(","))
    };
    let check = |name: String, mode, (function, text): (String, String), extra: &[Array], expected| Check {
        name,
        mode,
        function,
        text,
        arguments: [&point, extra].concat(),
        expected,
    };
    Ok(match fact {
        Fact::Value(arrays) => {
            let expected = Expected::Arrays(arrays.clone());
            vec![check("value".into(), Mode::Forward, ("f".into(), String::new()), &[], expected)]
        }
        Fact::Jvp { input, tangent, expected } => {
            let (name, expected) = (named("jvp", &[*input]), Expected::Flat(expected.clone()));
            vec![check(name, Mode::Forward, writer.jvp(*input), std::slice::from_ref(tangent), expected)]
        }
        Fact::Vjp { input, cotangent, expected } => {
            let (name, expected) = (named("vjp", &[*input]), Expected::Flat(expected.clone()));
            vec![check(name, Mode::Reverse, writer.vjp(*input), &split(cotangent, writer)?, expected)]
        }
        Fact::Jacobian { inputs, expected } => {
            let columns: Vec<usize> = inputs.iter().map(|&k| vector.inputs[k].1.len()).collect();
            let both = [Mode::Forward, Mode::Reverse].into_iter();
            both.map(|mode| {
                let name = named(if writer.gives_float_scalar() { "gradient" } else { "jacobian" }, inputs);
                let expected = Expected::Rows { numbers: expected.clone(), columns: columns.clone() };
                check(name, mode, writer.jacobian(mode, inputs), &[], expected)
            })
            .collect()
        }
        Fact::Hessian { input, expected } => {
            let both = [Mode::Forward, Mode::Reverse].into_iter();
            both.map(|mode| {
                let (name, expected) = (named("hessian", &[*input]), Expected::Flat(expected.clone()));
                check(name, mode, writer.hessian(mode, *input), &[], expected)
            })
            .collect()
        }
        Fact::Hvp { input, direction, expected } => {
            let both = [Mode::Forward, Mode::Reverse].into_iter();
            both.map(|mode| {
                let (name, expected) = (named("hvp", &[*input]), Expected::Flat(expected.clone()));
                check(name, mode, writer.hvp(mode, *input), std::slice::from_ref(direction), expected)
            })
            .collect()
        }
    })
}

/// Splits a flat cotangent into one array for each float result.
fn split(flat: &[f64], writer: &Writer) -> Result<Vec<Array>, String> {
    let wanted: usize = writer.floats().map(|ty| ty.shape.iter().product::<usize>()).sum();
    if flat.len() != wanted {
        return Err(format!(
            "the cotangent must have {wanted} numbers, one for each of the value, found {}",
            flat.len()
        ));
    }
    let mut rest = flat.iter().copied();
    let one = |ty: &Type| {
        let numbers: Vec<f64> = rest.by_ref().take(ty.shape.iter().product()).collect();
        let data = match ty.element {
            Element::F32 => numbers.into_iter().map(|x| x as f32).collect::<Vec<f32>>().into(),
            _ => numbers.into(),
        };
        Array::new(ty.shape.clone(), data)
    };
    Ok(writer.floats().map(one).collect())
}
