//! What is run for each fact of a vector: functions with requests for derivatives, around the imported program.

use super::file::{Fact, Vector};
use super::request::Writer;
use mlopt_dialects::value::{Array, Element};
use mlopt_frontend::terms::{self, Input, Type, Zeros};

/// How derivatives are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// By dual.jvp, dual.grad, dual.jacobian
    Forward,
    /// By dual.vjp, dual.grad and dual.jacobian in mode reverse, dual.hvp
    Reverse,
}

/// A vector as MLIR.
pub struct Program {
    /// The program alone, `@f`.
    pub text: String,
    pub checks: Vec<Check>,
}

/// One fact, and the call that must agree with it.
pub struct Check {
    /// `jvp/x`.
    pub name: String,
    pub mode: Mode,
    pub function: String,
    /// The functions that it needs besides the program.
    pub text: String,
    pub arguments: Vec<Array>,
    pub expected: Expected,
}

pub enum Expected {
    /// These arrays, one for each result.
    Arrays(Vec<Array>),
    /// These numbers in the results, one result after the other.
    Flat(Vec<f64>),
    /// These rows of a Jacobian: for each array that the program gives there is one result for each input.
    Rows { numbers: Vec<f64>, columns: Vec<usize> },
}

/// The program of a vector.
///
/// # Errors
/// What is wrong with the vector, its term or its numbers.
pub fn program(vector: &Vector) -> Result<Program, String> {
    if let Some(problem) = &vector.problem {
        return Err(problem.clone());
    }
    let input = |(name, x): &(String, Array)| Input { name: name.clone(), ty: Type::new(x.element(), x.shape()) };
    let inputs: Vec<Input> = vector.inputs.iter().map(input).collect();
    let imported = terms::read_one(&vector.term).and_then(|term| terms::import("f", &inputs, &term, Zeros::Numbers));
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

/// A flat cotangent as one array for each float result.
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
