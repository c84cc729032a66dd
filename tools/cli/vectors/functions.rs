//! Files of functional programs (`spec/functional.md` F.1), with several kinds of cases and values. The contents of a
//! case determine the checks; no program is recognised by its name.

use super::by_kind::Head;
use super::file::is_within;
use super::read::{Number, ReadError, nested, read};
use super::{Error, wrong};
use mlopt_dialects::bridge::program::Program as Module;
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions;
use mlopt_functions::run::Stop;
use mlopt_lowering::native::Error::Stopped;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Checks whether a file has this form.
pub fn is_one(json: &Json) -> bool {
    json.get("cases").is_some() && json.get("values").is_some()
}

/// A program with the facts to check.
#[derive(Debug)]
pub struct Case {
    pub id: String,
    pub kind: CaseKind,
}

/// The kind of a case, with its program and the expected facts.
#[derive(Debug)]
pub enum CaseKind {
    /// The results of a program at points.
    Run(Program, Facts),
    /// The code of the error with which a program is rejected.
    Error {
        program: Program,
        code: String,
    },
    /// A program that sends messages.
    Message {
        program: Program,
        inputs: Vec<Value>,
        end: End,
    },
    Pullback(Pullback),
    Attributes(Attributes),
    Rng(Draws),
}

/// A term, and the types of its inputs in the notation.
#[derive(Debug, Deserialize)]
pub struct Program {
    #[serde(rename = "program")]
    pub term: String,
    #[serde(rename = "in_types")]
    pub types: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Facts {
    pub points: Vec<Point>,
    #[serde(default = "rtol")]
    pub rtol: f64,
    #[serde(default)]
    pub structure: Structures,
}

/// Returns the default tolerance of numbers.
fn rtol() -> f64 {
    1e-12
}

#[derive(Debug, Deserialize)]
pub struct Point {
    #[serde(rename = "in")]
    pub inputs: Vec<Value>,
    pub out: Value,
}

#[derive(Debug, Default, Deserialize)]
pub struct Structures {
    pub after_optimisation: Structure,
}

/// Expected properties of a program after optimisation; none by default.
#[derive(Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Structure {
    pub no_loop: bool,
    /// Neither calls nor functions as values.
    pub no_call: bool,
    pub returns_constant: Option<f64>,
    /// No loop computes values of the original program.
    pub forward_loop_removed: bool,
    pub max_loops: Option<usize>,
    /// No values are kept from the iterations of one loop for another loop.
    pub stack_free: bool,
}

#[derive(Deserialize)]
struct Rejection {
    error: String,
}

/// A program of tasks, whose inputs determine their types.
#[derive(Deserialize)]
struct Tasks {
    program: String,
    #[serde(rename = "in")]
    inputs: Vec<Value>,
    #[serde(flatten)]
    end: End,
}

/// The end of a program that sends messages: its value, or the code of a run-time error.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    Out(Value),
    Error(String),
}

impl End {
    /// Checks that a program ends in this way, if `found` is its value or error.
    pub fn agrees(&self, found: Result<Value, Error>) -> Result<(), Error> {
        let has_code = |error: &Error, code: &str| match error {
            Error::Functions(error) => error.code == code,
            Error::Stop(Stop::Code(Stopped { text, .. })) => text.starts_with(&format!("{code}: ")),
            _ => false,
        };
        match (found, self) {
            (Ok(found), End::Out(wanted)) => found.agrees(wanted, 0.0),
            (Ok(_), End::Error(code)) => wrong(format!("expected {code}, but the program ends")),
            (Err(error), End::Error(code)) if has_code(&error, code) => Ok(()),
            (Err(error), _) => Err(error),
        }
    }
}

/// Data of section C. The names of the functions are those of its text.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected the facts of a pullback: those of a `term`, of a `list`, or `at` a number")]
pub enum Pullback {
    /// A composition of functions: values and rows of its Jacobian, and the number of evaluations of each primitive.
    Composition {
        term: String,
        points: Vec<Row>,
        #[serde(rename = "primitive_evaluations")]
        evaluations: BTreeMap<String, usize>,
        #[serde(default = "rtol")]
        rtol: f64,
    },
    /// The sum of a list as a function of it; for functions that build a list, rows of the Jacobian of the sum.
    ChurchSum {
        list: Vec<f64>,
        sum: f64,
        #[serde(rename = "rows_through_list_builder")]
        rows: BTreeMap<String, Vec<f64>>,
        #[serde(default = "rtol")]
        rtol: f64,
    },
    /// Second derivatives.
    Twice {
        at: f64,
        #[serde(rename = "cube_second")]
        cube: f64,
        #[serde(rename = "sin_sq_second")]
        sin_sq: f64,
        #[serde(default = "rtol")]
        rtol: f64,
    },
}

#[derive(Debug, Deserialize)]
pub struct Row {
    pub at: Vec<f64>,
    pub value: f64,
    pub row: Vec<f64>,
}

/// Bands of matrices of this size.
#[derive(Debug, Deserialize)]
pub struct Attributes {
    pub size: usize,
    pub rows: Vec<Bands>,
}

/// The lower and upper bandwidths of the operands and of the result of an operation; -1 is unlimited.
#[derive(Debug, Deserialize)]
pub struct Bands {
    pub op: String,
    a: [i64; 2],
    b: Option<[i64; 2]>,
    pub out: [i64; 2],
}

impl Bands {
    pub fn operands(&self) -> Vec<[i64; 2]> {
        [Some(self.a), self.b].into_iter().flatten().collect()
    }
}

#[derive(Debug, Deserialize)]
pub struct Draws {
    pub cases: Vec<Rng>,
    #[serde(default = "rtol")]
    pub rtol: f64,
}

#[derive(Debug, Deserialize)]
pub struct Rng {
    pub seed: i64,
    /// The words of blocks 0 and 1.
    pub raw_block0: Vec<i64>,
    pub raw_block1: Vec<i64>,
    pub uniform4: Vec<f64>,
    /// The numbers drawn after `uniform4`, and the number of blocks that they use.
    pub then_uniform3: Vec<f64>,
    pub blocks_used_by_uniform3: usize,
    pub normal4: Vec<f64>,
}

/// A value: a number is a float; every other value but a Boolean is tagged.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(
    rename_all = "lowercase",
    deny_unknown_fields,
    expecting = "expected a value: a number, a boolean, or an object with `int`, `array`, `tuple`, `list` or `record`"
)]
pub enum Value {
    Int(i64),
    /// An array in row-major order.
    #[serde(deserialize_with = "rows")]
    Array {
        shape: Vec<usize>,
        numbers: Vec<f64>,
    },
    Tuple(Vec<Value>),
    List(Vec<Value>),
    #[serde(untagged)]
    Bool(bool),
    #[serde(untagged, deserialize_with = "float")]
    Float(f64),
    #[serde(untagged)]
    Record {
        record: String,
        fields: BTreeMap<String, Value>,
    },
}

fn float<'de, D: Deserializer<'de>>(json: D) -> Result<f64, D::Error> {
    Number::deserialize(json).map(|x| x.0)
}

/// Reads nested lists of equal length.
fn rows<'de, D: Deserializer<'de>>(json: D) -> Result<(Vec<usize>, Vec<f64>), D::Error> {
    let json = Json::deserialize(json)?;
    let (shape, numbers) = nested(&json).ok_or_else(|| D::Error::custom("expected rows of equal length"))?;
    let numbers = numbers.into_iter().map(|x| Number::try_from(x.clone()).map(|x| x.0));
    Ok((shape, numbers.collect::<Result<_, _>>().map_err(D::Error::custom)?))
}

impl Value {
    /// Returns the type in the notation, if the value determines it; empty lists and records do not.
    pub fn type_text(&self) -> Option<String> {
        Some(match self {
            Value::Float(_) => "f64".into(),
            Value::Int(_) => "i64".into(),
            Value::Bool(_) => "bool".into(),
            Value::Array { shape, .. } => {
                format!("array<{}f64>", shape.iter().map(|n| format!("{n}x")).collect::<String>())
            }
            Value::Tuple(parts) => {
                let parts = parts.iter().map(Value::type_text).collect::<Option<Vec<_>>>()?;
                format!("tuple<{}>", parts.join(","))
            }
            Value::List(values) => format!("list<{}>", values.first()?.type_text()?),
            Value::Record { .. } => return None,
        })
    }

    /// Checks that this value is `wanted`. Each float may differ by `rtol` times the maximum of 1 and the expected
    /// magnitude.
    pub fn agrees(&self, wanted: &Value, rtol: f64) -> Result<(), Error> {
        self.difference(wanted, rtol, "").map_or(Ok(()), wrong)
    }

    /// Describes the first difference from `wanted` of the part at `path`.
    fn difference(&self, wanted: &Value, rtol: f64, path: &str) -> Option<String> {
        let at = if path.is_empty() { String::new() } else { format!("at {path}: ") };
        let fail = |wanted: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
            Some(format!("{at}expected {wanted:?}, found {found:?}"))
        };
        let all = |found: &[Value], wanted: &[Value]| {
            let pairs = found.iter().zip(wanted).enumerate();
            pairs.into_iter().find_map(|(k, (f, w))| f.difference(w, rtol, &format!("{path}[{k}]")))
        };
        match (self, wanted) {
            (Value::Float(found), Value::Float(wanted)) if is_close(*found, *wanted, rtol) => None,
            (Value::Float(found), Value::Float(wanted)) => fail(wanted, found),
            (Value::Array { shape, numbers }, Value::Array { shape: wanted_shape, numbers: wanted_numbers })
                if shape == wanted_shape =>
            {
                let k = numbers.iter().zip(wanted_numbers).position(|(f, w)| !is_close(*f, *w, rtol))?;
                let at = format!("{at}element {k} in shape {shape:?}: ");
                Some(format!("{at}expected {:?}, found {:?}", wanted_numbers[k], numbers[k]))
            }
            (Value::Tuple(found), Value::Tuple(wanted)) | (Value::List(found), Value::List(wanted))
                if found.len() == wanted.len() =>
            {
                all(found, wanted)
            }
            (Value::Record { record, fields }, Value::Record { record: wanted_record, fields: wanted_fields })
                if record == wanted_record && fields.len() == wanted_fields.len() =>
            {
                wanted_fields.iter().find_map(|(field, wanted)| match fields.get(field) {
                    Some(found) => found.difference(wanted, rtol, &format!("{path}.{field}")),
                    None => Some(format!("{at}there is no field `{field}`")),
                })
            }
            (found, wanted) if found == wanted => None,
            (found, wanted) => fail(wanted, found),
        }
    }
}

fn is_close(found: f64, wanted: f64, rtol: f64) -> bool {
    is_within(found, wanted, rtol * wanted.abs().max(1.0))
}

/// Checks that numbers are close to those wanted.
pub fn are_close(what: &str, found: &[f64], wanted: &[f64], rtol: f64) -> Result<(), Error> {
    match found.len() == wanted.len() && found.iter().zip(wanted).all(|(f, w)| is_close(*f, *w, rtol)) {
        true => Ok(()),
        false => wrong(format!("{what}: expected {wanted:?}, found {found:?}")),
    }
}

impl Case {
    /// Returns the program of a case, if it has one.
    pub fn program(&self) -> Option<&Program> {
        match &self.kind {
            CaseKind::Run(program, _) | CaseKind::Error { program, .. } | CaseKind::Message { program, .. } => {
                Some(program)
            }
            _ => None,
        }
    }
}

impl Program {
    /// Imports the program as `@f` of a module, which is not verified; the file name of its locations is `id`.
    pub fn import(&self, id: &str) -> Result<Module, Problem> {
        functions::import(id, "f", &self.types, &read_one(&self.term)?)
    }
}

/// Parses the cases of a file.
pub fn parse(json: &Json) -> Result<Vec<Case>, ReadError> {
    let cases = read::<File>(json, "")?.cases;
    let case = |(i, json): (usize, &Json)| {
        let path = format!("cases[{i}]");
        case(&read(json, &path)?, json, &path)
    };
    cases.iter().enumerate().map(case).collect()
}

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) cases: Vec<Json>,
}

/// Parses the case with this head at `path` of a file.
pub(super) fn case(head: &Head, json: &Json, path: &str) -> Result<Case, ReadError> {
    let kind = match head.kind.as_str() {
        "run" => CaseKind::Run(read(json, path)?, read(json, path)?),
        "error" => CaseKind::Error { program: read(json, path)?, code: read::<Rejection>(json, path)?.error },
        "message" => {
            let Tasks { program: term, inputs, end } = read(json, path)?;
            let types = inputs.iter().map(Value::type_text).collect::<Option<Vec<_>>>();
            let open = || ReadError::new(format!("{path}.in"), "expected inputs that determine their types");
            let types = types.ok_or_else(open)?;
            CaseKind::Message { program: Program { term, types }, inputs, end }
        }
        "pullback" => CaseKind::Pullback(read(json, path)?),
        "attributes" => CaseKind::Attributes(read(json, path)?),
        "rng" => CaseKind::Rng(read(json, path)?),
        other => return Err(ReadError::new(format!("{path}.kind"), format!("unknown kind `{other}`"))),
    };
    Ok(Case { id: head.id.clone(), kind })
}
