//! Generation of MLIR functions whose results must equal the facts of a vector: values and derivatives.

use super::file::{Contents, Matrix, Vector, fill};
use super::read::{Numbers, ReadError, read};
use super::request::{Mode, Writer};
use super::{Error, function, wrong};
use mlopt_dialects::ir::Type;
use mlopt_dialects::text::terms::read_one;
use mlopt_dialects::text::{Span, count};
use mlopt_dialects::value::Array;
use mlopt_frontend::terms::{self, Definition, Input, Zeros};
use serde_json::Value as Json;

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

/// Returns the program of a vector. The contents of the vector determine the checks.
///
/// # Errors
/// The vector, its term or its numbers are invalid.
pub fn program(vector: &Vector) -> Result<Program, Error> {
    let contents = vector.contents.as_ref().map_err(Clone::clone)?;
    let point: Vec<(&String, &Array)> = contents.inputs.iter().map(|(name, x)| (name, &x.0)).collect();
    let input = |(name, x): &(&String, &Array)| {
        let (element, shape) = (x.element(), x.shape().to_vec());
        Input { name: name.to_string(), element, shape }
    };
    let inputs = point.iter().map(input).collect();
    let definition = Definition { at: Span::START, name: "f".into(), inputs, body: read_one(&contents.term)? };
    let imported = terms::import(&vector.path, &[definition], Zeros::Numbers)?;
    let program = imported.verified().map_err(|_| Error::Invalid("the imported program"))?;
    let module = program.module();
    let text = module.child_ops().into_iter().map(|function| function.valid_text() + "\n").collect();
    let (inputs, results) = function(module, "f")?.signature();
    let writer = Writer { module, inputs, results };
    let mut checks = Checks { path: &vector.path, point, writer, all: vec![] };
    checks.add(contents)?;
    match checks.all.is_empty() {
        true => Err(ReadError::new(&vector.path, "expected a value or derivatives to check").into()),
        false => Ok(Program { text, checks: checks.all }),
    }
}

struct Checks<'a> {
    path: &'a str,
    /// The inputs with their names, sorted by name.
    point: Vec<(&'a String, &'a Array)>,
    writer: Writer,
    all: Vec<Check>,
}

const BOTH: [Mode; 2] = [Mode::Forward, Mode::Reverse];

impl Checks<'_> {
    fn add(&mut self, contents: &Contents) -> Result<(), Error> {
        if let Some(value) = &contents.value {
            self.push("value", &[], Mode::Forward, ("f".into(), String::new()), &[], Expected::Arrays(value.arrays()));
        }
        for (name, derivative) in &contents.derivatives {
            let place = format!("derivatives.{name}");
            let k = self.position(&place, name)?;
            if let Some(Numbers(expected)) = &derivative.jvp_flat {
                let tangent = self.like(k, &derivative.tangent_flat, &format!("{place}.tangent_flat"))?;
                self.push("jvp", &[k], Mode::Forward, self.writer.jvp(k), &[tangent], Expected::Flat(expected.clone()));
            }
            if let Some(Numbers(expected)) = &derivative.vjp_flat {
                let flat = contents.cotangent_flat.as_ref().ok_or_else(|| self.missing("cotangent_flat"))?;
                let (cotangents, expected) = (split(&flat.0, &self.writer)?, Expected::Flat(expected.clone()));
                self.push("vjp", &[k], Mode::Reverse, self.writer.vjp(k), &cotangents, expected);
            }
            if let Some(jacobian) = &derivative.jacobian {
                self.jacobian(&[k], jacobian);
            }
        }
        if let Some(gradient) = &contents.gradient_flat {
            let names = gradient.order.split(',').filter_map(|part| part.split_whitespace().next());
            let inputs = names.map(|name| self.position("gradient_flat.order", name)).collect::<Result<Vec<_>, _>>()?;
            self.jacobian(&inputs, gradient);
        }
        for (key, block) in contents.others.iter().filter(|(key, _)| key.starts_with("block_")) {
            let block: Matrix = read(block, &format!("{}.{key}", self.path))?;
            self.jacobian(&self.columns(key, &block)?, &block);
        }
        if let Some(wrt) = &contents.hessian_wrt {
            let k = self.position("hessian_wrt", wrt)?;
            let hessian = contents.hessian.as_ref().ok_or_else(|| self.missing("hessian"))?;
            for mode in BOTH {
                let expected = Expected::Flat(hessian.data.0.clone());
                self.push("hessian", &[k], mode, self.writer.hessian(mode, k), &[], expected);
            }
            if let Some(Numbers(expected)) = &contents.hvp {
                let direction = [self.like(k, &contents.hvp_direction, "hvp_direction")?];
                for mode in BOTH {
                    let expected = Expected::Flat(expected.clone());
                    self.push("hvp", &[k], mode, self.writer.hvp(mode, k), &direction, expected);
                }
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        what: &str,
        inputs: &[usize],
        mode: Mode,
        (function, text): (String, String),
        more: &[Array],
        expected: Expected,
    ) {
        let names: Vec<&str> = inputs.iter().map(|&k| self.point[k].0.as_str()).collect();
        let name = if names.is_empty() { what.into() } else { format!("{what}/{}", names.join(",")) };
        let arguments = self.point.iter().map(|(_, x)| *x).chain(more).cloned().collect();
        self.all.push(Check { name, mode, function, text, arguments, expected });
    }

    /// Adds checks of J, with the columns of several inputs side by side.
    fn jacobian(&mut self, inputs: &[usize], Matrix { data, .. }: &Matrix) {
        let what = if self.writer.gives_float_scalar() { "gradient" } else { "jacobian" };
        for mode in BOTH {
            let columns = inputs.iter().map(|&k| self.point[k].1.len()).collect();
            let expected = Expected::Rows { numbers: data.0.clone(), columns };
            self.push(what, inputs, mode, self.writer.jacobian(mode, inputs), &[], expected);
        }
    }

    /// Returns the inputs of the columns of a block: each group of columns belongs to the first input with this number
    /// of elements that has no previous group.
    fn columns(&self, key: &str, block: &Matrix) -> Result<Vec<usize>, ReadError> {
        let mut chosen: Vec<usize> = vec![];
        for group in block.columns.split('|') {
            let width = group.split_whitespace().next().and_then(|n| n.parse::<usize>().ok());
            let fits = |&k: &usize| Some(self.point[k].1.len()) == width && !chosen.contains(&k);
            let input = (0..self.point.len()).find(fits);
            let found = group.trim();
            let text = || format!("expected the size of an input, found `{found}`");
            chosen.push(input.ok_or_else(|| ReadError::new(format!("{}.{key}.columns", self.path), text()))?);
        }
        Ok(chosen)
    }

    fn position(&self, field: &str, name: &str) -> Result<usize, ReadError> {
        let found = self.point.iter().position(|(n, _)| *n == name);
        let text = || format!("expected the name of an input, found `{name}`");
        found.ok_or_else(|| ReadError::new(format!("{}.{field}", self.path), text()))
    }

    /// Reads numbers with the type and shape of an input.
    fn like(&self, k: usize, numbers: &Option<Vec<Json>>, field: &str) -> Result<Array, ReadError> {
        let (numbers, x) = (numbers.as_ref().ok_or_else(|| self.missing(field))?, self.point[k].1);
        fill(x.element(), x.shape(), numbers, &format!("{}.{field}", self.path))
    }

    fn missing(&self, field: &str) -> ReadError {
        ReadError::new(self.path, format!("expected the field `{field}`"))
    }
}

/// Splits a flat cotangent into one array for each float result.
fn split(flat: &[f64], writer: &Writer) -> Result<Vec<Array>, Error> {
    let zeros = |ty: Type| Some(Array::zeros(ty.element()?, &ty.shape().into_iter().flatten().collect::<Vec<_>>()));
    let like: Vec<Array> = writer.floats().into_iter().filter_map(zeros).collect();
    let wanted: usize = like.iter().map(Array::len).sum();
    if flat.len() != wanted {
        let found = flat.len();
        let numbers = count(wanted, "number");
        return wrong(format!("the cotangent must have {numbers}, one for each number of the value; found {found}"));
    }
    let mut rest = flat.iter().copied();
    Ok(like.iter().map(|x| x.with_f64(rest.by_ref().take(x.len()))).collect())
}
