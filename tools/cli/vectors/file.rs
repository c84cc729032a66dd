//! Files of vectors in the format `arrays-vectors-1`: programs as terms, their inputs, and the expected numbers.
//!
//! The contents of a vector determine the checks; no program is recognised by its name. Numbers that JSON cannot
//! represent are the strings `"nan"`, `"inf"`, `"-inf"`.

use super::read::{Numbers, ReadError, read};
use mlopt_dialects::text::terms;
use mlopt_dialects::value::{Array, Data, Element};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The maximum difference between a result and the expected one: `absolute + relative · |expected|`.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
pub struct Tolerance {
    #[serde(rename = "rtol")]
    pub relative: f64,
    #[serde(rename = "atol")]
    pub absolute: f64,
}

impl Tolerance {
    pub fn is_close(self, found: f64, expected: f64) -> bool {
        is_within(found, expected, self.absolute + self.relative * expected.abs())
    }
}

/// Checks whether a number differs from the expected one by at most `bound`. NaN matches NaN, and an infinity matches
/// only itself.
pub fn is_within(found: f64, expected: f64, bound: f64) -> bool {
    found == expected
        || (found.is_nan() && expected.is_nan())
        || (expected.is_finite() && (found - expected).abs() <= bound)
}

pub struct File {
    pub f64: Tolerance,
    pub f32: Tolerance,
    pub vectors: Vec<Vector>,
}

/// A program with its expected results.
pub struct Vector {
    pub id: String,
    pub group: String,
    /// The place in the file.
    pub path: String,
    /// The contents, or the reason why they cannot be read, in which case the vector has failed.
    pub contents: Result<Contents, ReadError>,
}

/// A file as it is written.
#[derive(Deserialize)]
struct Document {
    header: Header,
    vectors: Vec<Json>,
    #[serde(default)]
    rewrite_pairs: Vec<Json>,
}

#[derive(Deserialize)]
struct Header {
    tolerance: Tolerances,
}

#[derive(Deserialize)]
struct Tolerances {
    f64_rel: f64,
    f64_abs: f64,
    f32_rel: f64,
    f32_abs: f64,
}

/// A program and facts about it. Numbers are row-major; pairs are flattened first component first.
#[derive(Default, Deserialize)]
pub struct Contents {
    #[serde(rename = "id")]
    _id: String,
    #[serde(rename = "group")]
    _group: Option<String>,
    pub inputs: BTreeMap<String, Tensor>,
    pub term: String,
    pub value: Option<Results>,
    pub cotangent_flat: Option<Numbers>,
    /// By name of the input.
    #[serde(default)]
    pub derivatives: BTreeMap<String, Derivative>,
    pub gradient_flat: Option<Matrix>,
    /// ∂²/∂x∂x of a scalar, and the name of x.
    pub hessian: Option<Matrix>,
    pub hessian_wrt: Option<String>,
    /// The Hessian times a direction.
    pub hvp: Option<Numbers>,
    pub hvp_direction: Option<Vec<Json>>,
    /// Among others, blocks of a Jacobian.
    #[serde(flatten)]
    pub others: BTreeMap<String, Json>,
}

/// J · tangent, cotangentᵀ · J, and J with respect to one input.
#[derive(Deserialize)]
pub struct Derivative {
    pub tangent_flat: Option<Vec<Json>>,
    pub jvp_flat: Option<Numbers>,
    pub vjp_flat: Option<Numbers>,
    pub jacobian: Option<Matrix>,
}

/// J\[out, in\].
#[derive(Deserialize)]
pub struct Matrix {
    pub data: Numbers,
    /// The inputs in order: `alphas (3), means (3x2)`.
    #[serde(default)]
    pub order: String,
    /// Columns `11 camera | 3 point | 1 weight`: numbers of elements, and labels for readers.
    #[serde(default)]
    pub columns: String,
}

/// Two terms with the same value for a sample of inputs.
#[derive(Deserialize)]
struct Pair {
    lhs: String,
    rhs: String,
    sample: Sample,
}

#[derive(Deserialize)]
struct Sample {
    inputs: BTreeMap<String, Tensor>,
    value: Results,
}

/// An array, or a pair of results.
#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected `pair`, or `dtype`, `shape` and as many `data` as the shape has elements")]
pub enum Results {
    Pair { pair: Vec<Results> },
    Array(Tensor),
}

impl Results {
    pub fn arrays(&self) -> Vec<Array> {
        match self {
            Results::Pair { pair } => pair.iter().flat_map(Results::arrays).collect(),
            Results::Array(Tensor(array)) => vec![array.clone()],
        }
    }
}

#[derive(Clone, Deserialize)]
#[serde(try_from = "WrittenTensor")]
pub struct Tensor(pub Array);

#[derive(Deserialize)]
struct WrittenTensor {
    dtype: String,
    shape: Vec<usize>,
    data: Vec<Json>,
}

impl TryFrom<WrittenTensor> for Tensor {
    type Error = ReadError;

    fn try_from(WrittenTensor { dtype, shape, data }: WrittenTensor) -> Result<Tensor, ReadError> {
        let unknown = || ReadError::new("dtype", format!("unknown kind `{dtype}`"));
        let element = terms::element(&dtype).ok_or_else(unknown)?;
        fill(element, &shape, &data, "data").map(Tensor)
    }
}

/// Reads the elements of an array; `path` is their place.
pub fn fill(element: Element, shape: &[usize], data: &[Json], path: &str) -> Result<Array, ReadError> {
    let wanted = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    if wanted != Some(data.len()) {
        let text = format!("expected as many numbers as shape {shape:?} has, found {}", data.len());
        return Err(ReadError::new(path, text));
    }
    fn all<T: DeserializeOwned>(data: &[Json], path: &str) -> Result<Vec<T>, ReadError> {
        data.iter().enumerate().map(|(i, x)| read(x, &format!("{path}[{i}]"))).collect()
    }
    let numbers = || Ok::<_, ReadError>(Numbers::from(all(data, path)?).0);
    let data = match element {
        Element::I64 => Data::I64(all(data, path)?),
        Element::Index => Data::Index(all(data, path)?),
        Element::I8 => Data::I8(all(data, path)?),
        Element::I16 => Data::I16(all(data, path)?),
        Element::I32 => Data::I32(all(data, path)?),
        Element::I1 => Data::I1(all(data, path)?),
        _ => Data::of_f64(element, numbers()?),
    };
    Ok(Array::new(shape.to_vec(), data))
}

/// Parses a file.
pub fn parse(json: &Json) -> Result<File, ReadError> {
    let Document { header: Header { tolerance }, vectors, rewrite_pairs } = read(json, "")?;
    let vector = |(i, json): (usize, &Json)| {
        let path = format!("vectors[{i}]");
        let contents = read(json, &path);
        let text = |key: &str, default: &str| json[key].as_str().unwrap_or(default).to_string();
        Vector { id: text("id", &path), group: text("group", "vectors"), contents, path }
    };
    let vectors = vectors.iter().enumerate().map(vector);
    Ok(File {
        f64: Tolerance { relative: tolerance.f64_rel, absolute: tolerance.f64_abs },
        f32: Tolerance { relative: tolerance.f32_rel, absolute: tolerance.f32_abs },
        vectors: vectors.chain(rewrite_pairs.iter().enumerate().flat_map(sides)).collect(),
    })
}

/// Reads a rewrite pair as two programs with the same value.
fn sides((i, json): (usize, &Json)) -> Vec<Vector> {
    let path = format!("rewrite_pairs[{i}]");
    let id = json["id"].as_str().unwrap_or(&path);
    let vector = |id: String, contents| Vector { id, group: "rewrite pairs".into(), path: path.clone(), contents };
    match read::<Pair>(json, &path) {
        Err(problem) => vec![vector(id.to_string(), Err(problem))],
        Ok(Pair { lhs, rhs, sample: Sample { inputs, value } }) => [("lhs", lhs), ("rhs", rhs)]
            .map(|(side, term)| {
                let contents =
                    Contents { term, inputs: inputs.clone(), value: Some(value.clone()), ..Contents::default() };
                vector(format!("{id}.{side}"), Ok(contents))
            })
            .into(),
    }
}
