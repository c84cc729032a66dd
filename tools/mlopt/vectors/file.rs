//! Files of vectors (`arrays-vectors-1`): programs as terms, their inputs, and the expected numbers.
//!
//! The contents of a vector determine the checks; no program is recognised by its name. Numbers that JSON cannot
//! represent are the strings `"nan"`, `"inf"`, `"-inf"`.

use super::at::At;
use mlopt_dialects::text::terms::element;
use mlopt_dialects::value::{Array, Data, Element};
use serde_json::Value;

/// The maximum difference between a result and the expected one: `absolute + relative · |expected|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

#[derive(Debug)]
pub struct File {
    pub f64: Tolerance,
    pub f32: Tolerance,
    pub vectors: Vec<Vector>,
}

/// A program with its expected results.
#[derive(Debug)]
pub struct Vector {
    pub id: String,
    pub group: String,
    pub term: String,
    /// The inputs with their names, sorted by name.
    pub inputs: Vec<(String, Array)>,
    pub facts: Vec<Fact>,
    /// The reason why the vector cannot be read, in which case it has failed.
    pub problem: Option<String>,
}

/// An expected result. Inputs are indices into [`Vector::inputs`]; numbers are row-major, and pairs are flattened first
/// component first.
#[derive(Debug)]
pub enum Fact {
    /// The arrays of the value.
    Value(Vec<Array>),
    /// J · tangent.
    Jvp { input: usize, tangent: Array, expected: Vec<f64> },
    /// cotangentᵀ · J.
    Vjp { input: usize, cotangent: Vec<f64>, expected: Vec<f64> },
    /// J\[out, in\], with the columns of several inputs side by side.
    Jacobian { inputs: Vec<usize>, expected: Vec<f64> },
    /// ∂²/∂x∂x of a scalar.
    Hessian { input: usize, expected: Vec<f64> },
    /// The Hessian times a direction.
    Hvp { input: usize, direction: Array, expected: Vec<f64> },
}

/// Parses a file. An error message has the position.
pub fn parse(json: &Value) -> Result<File, String> {
    let at = At { json, path: String::new() };
    let tolerance = at.get("header")?.get("tolerance")?;
    let of = |kind: &str| -> Result<Tolerance, String> {
        let relative = tolerance.get(&format!("{kind}_rel"))?.number()?;
        Ok(Tolerance { relative, absolute: tolerance.get(&format!("{kind}_abs"))?.number()? })
    };
    let mut vectors: Vec<Vector> =
        at.get("vectors")?.items()?.iter().map(|at| vector(at).unwrap_or_else(|e| unreadable(at, e))).collect();
    if let Some(pairs) = at.find("rewrite_pairs") {
        for pair in pairs.items()? {
            vectors.extend(sides(&pair).map_or_else(|e| vec![unreadable(&pair, e)], Vec::from));
        }
    }
    Ok(File { f64: of("f64")?, f32: of("f32")?, vectors })
}

fn unreadable(at: &At, problem: String) -> Vector {
    let text = |key: &str| at.get(key).and_then(|at| at.text()).ok();
    Vector {
        id: text("id").unwrap_or_else(|| at.path.clone()),
        group: text("group").unwrap_or_else(|| "vectors".into()),
        term: String::new(),
        inputs: vec![],
        facts: vec![],
        problem: Some(problem),
    }
}

fn vector(at: &At) -> Result<Vector, String> {
    let inputs = inputs(&at.get("inputs")?)?;
    let group = at.find("group").map_or(Ok("vectors".into()), |g| g.text())?;
    let mut facts = vec![];
    if let Some(value) = at.find("value") {
        facts.push(Fact::Value(arrays(&value)?));
    }
    if let Some(derivatives) = at.find("derivatives") {
        let cotangent = at.find("cotangent_flat").map(|c| c.numbers()).transpose()?;
        for (name, derivative) in derivatives.entries()? {
            of_input(&derivative, position(&derivative, &inputs, &name)?, &inputs, cotangent.as_deref(), &mut facts)?;
        }
    }
    if let Some(gradient) = at.find("gradient_flat") {
        // `alphas (3), means (3x2)`: the inputs in order.
        let order = gradient.get("order")?;
        let text = order.text()?;
        let names = text.split(',').filter_map(|part| part.split_whitespace().next());
        let inputs = names.map(|name| position(&order, &inputs, name)).collect::<Result<Vec<_>, _>>()?;
        facts.push(Fact::Jacobian { inputs, expected: gradient.get("data")?.numbers()? });
    }
    for (key, block) in at.entries()? {
        if key.starts_with("block_") {
            facts.push(columns(&block, &inputs)?);
        }
    }
    if let Some(wrt) = at.find("hessian_wrt") {
        let input = position(&wrt, &inputs, &wrt.text()?)?;
        facts.push(Fact::Hessian { input, expected: at.get("hessian")?.get("data")?.numbers()? });
        if let Some(hvp) = at.find("hvp") {
            let direction = like(&inputs[input].1, &at.get("hvp_direction")?)?;
            facts.push(Fact::Hvp { input, direction, expected: hvp.numbers()? });
        }
    }
    if facts.is_empty() {
        return Err(at.error("expected a value or derivatives to check"));
    }
    Ok(Vector { id: at.get("id")?.text()?, group, term: at.get("term")?.text()?, inputs, facts, problem: None })
}

/// Collects tangent, cotangent and Jacobian with respect to one input.
fn of_input(
    at: &At,
    input: usize,
    inputs: &[(String, Array)],
    cotangent: Option<&[f64]>,
    facts: &mut Vec<Fact>,
) -> Result<(), String> {
    if let Some(expected) = at.find("jvp_flat") {
        let tangent = like(&inputs[input].1, &at.get("tangent_flat")?)?;
        facts.push(Fact::Jvp { input, tangent, expected: expected.numbers()? });
    }
    if let Some(expected) = at.find("vjp_flat") {
        let cotangent = cotangent.ok_or_else(|| at.error("expected `cotangent_flat` beside the derivatives"))?;
        facts.push(Fact::Vjp { input, cotangent: cotangent.to_vec(), expected: expected.numbers()? });
    }
    if let Some(jacobian) = at.find("jacobian") {
        facts.push(Fact::Jacobian { inputs: vec![input], expected: jacobian.get("data")?.numbers()? });
    }
    Ok(())
}

/// Parses a block of a Jacobian with columns `11 camera | 3 point | 1 weight`: numbers of elements, and labels for
/// readers. Each group of columns belongs to the first input with this number of elements that has no previous group.
fn columns(block: &At, inputs: &[(String, Array)]) -> Result<Fact, String> {
    let at = block.get("columns")?;
    let mut chosen: Vec<usize> = vec![];
    for group in at.text()?.split('|') {
        let width = group.split_whitespace().next().and_then(|n| n.parse::<usize>().ok());
        let fits = |&k: &usize| Some(inputs[k].1.len()) == width && !chosen.contains(&k);
        let input = (0..inputs.len()).find(fits);
        chosen.push(input.ok_or_else(|| at.error(format!("expected the size of an input, found `{}`", group.trim())))?);
    }
    Ok(Fact::Jacobian { inputs: chosen, expected: block.get("data")?.numbers()? })
}

/// Returns a rewrite pair as two programs with the same value.
fn sides(at: &At) -> Result<[Vector; 2], String> {
    let sample = at.get("sample")?;
    let side = |key: &str| -> Result<Vector, String> {
        Ok(Vector {
            id: format!("{}.{key}", at.get("id")?.text()?),
            group: "rewrite pairs".into(),
            term: at.get(key)?.text()?,
            inputs: inputs(&sample.get("inputs")?)?,
            facts: vec![Fact::Value(arrays(&sample.get("value")?)?)],
            problem: None,
        })
    };
    Ok([side("lhs")?, side("rhs")?])
}

fn inputs(at: &At) -> Result<Vec<(String, Array)>, String> {
    at.entries()?.into_iter().map(|(name, x)| Ok((name, array(&x)?))).collect()
}

fn position(at: &At, inputs: &[(String, Array)], name: &str) -> Result<usize, String> {
    let found = inputs.iter().position(|(n, _)| n == name);
    found.ok_or_else(|| at.error(format!("expected the name of an input, found `{name}`")))
}

/// Parses `{dtype, shape, data}`, or `{pair: […]}`, flattened.
fn arrays(at: &At) -> Result<Vec<Array>, String> {
    match at.find("pair") {
        Some(pair) => Ok(pair.items()?.iter().map(arrays).collect::<Result<Vec<_>, _>>()?.concat()),
        None => Ok(vec![array(at)?]),
    }
}

fn array(at: &At) -> Result<Array, String> {
    let dtype = at.get("dtype")?;
    let kind = dtype.text()?;
    let element = element(&kind).ok_or_else(|| dtype.error(format!("unknown kind `{kind}`")))?;
    let shape = at.get("shape")?.items()?.iter().map(At::size).collect::<Result<Vec<_>, _>>()?;
    fill(element, &shape, &at.get("data")?)
}

/// Parses numbers with the type and shape of `x`.
fn like(x: &Array, at: &At) -> Result<Array, String> {
    fill(x.element(), x.shape(), at)
}

fn fill(element: Element, shape: &[usize], at: &At) -> Result<Array, String> {
    let items = at.items()?;
    let wanted = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    if wanted != Some(items.len()) {
        return Err(at.error(format!("expected as many numbers as shape {shape:?} has, found {}", items.len())));
    }
    fn all<'j, T>(items: &[At<'j>], one: impl Fn(&At<'j>) -> Result<T, String>) -> Result<Vec<T>, String> {
        items.iter().map(one).collect()
    }
    let data = match element {
        Element::F64 => Data::F64(all(&items, At::number)?),
        Element::F32 => Data::F32(all(&items, |x| x.number().map(|x| x as f32))?),
        Element::I64 => Data::I64(all(&items, At::integer)?),
        Element::Index => Data::Index(all(&items, At::integer)?),
        Element::I32 => {
            let narrow = |x: &At| i32::try_from(x.integer()?).map_err(|_| x.error("expected 32 bits"));
            Data::I32(all(&items, narrow)?)
        }
        Element::I1 => Data::I1(all(&items, At::truth)?),
    };
    Ok(Array::new(shape.to_vec(), data))
}
