//! Files of functional programs (`spec/functional.md` F.1), with several kinds of cases and values. The contents of a
//! case determine the checks; no program is recognised by its name.

use super::Selection;
use super::at::At;
use super::streams::{Counts, WAYS, scoreboard, title};
use super::ways::WayName;
use super::{compiled_functions, function_cases};
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use serde_json::Value as Json;

/// The default tolerance of numbers.
const RTOL: f64 = 1e-12;

/// Checks whether a file has this form.
pub fn is_one(json: &Json) -> bool {
    json.get("cases").is_some() && json.get("values").is_some()
}

#[derive(Debug)]
pub struct Case {
    pub id: String,
    pub kind: Kind,
}

#[derive(Debug)]
pub enum Kind {
    /// The results of a program at points.
    Run {
        program: Program,
        points: Vec<Point>,
        rtol: f64,
        structure: Structure,
    },
    /// The code of the error with which a program is rejected.
    Error {
        program: Program,
        code: String,
    },
    /// The result of a program that sends messages: a value, or the code of a run-time error.
    Message {
        program: Program,
        inputs: Vec<Value>,
        out: Result<Value, String>,
    },
    Pullback(Pullback),
    /// Bands of matrices of this size.
    Attributes {
        size: usize,
        rows: Vec<Bands>,
    },
    Rng {
        cases: Vec<Rng>,
        rtol: f64,
    },
}

/// A term, and the types of its inputs in the notation.
#[derive(Debug)]
pub struct Program {
    pub term: String,
    pub types: Vec<String>,
}

#[derive(Debug)]
pub struct Point {
    pub inputs: Vec<Value>,
    pub out: Value,
}

/// Expected properties of a program after optimisation; none by default.
#[derive(Debug, Default, PartialEq)]
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

/// Data of section C. The names of the functions are those of its text.
#[derive(Debug)]
pub enum Pullback {
    /// A composition of functions: values and rows of its Jacobian, and the number of evaluations of each primitive.
    Composition { term: String, points: Vec<Row>, evaluations: Vec<(String, usize)>, rtol: f64 },
    /// The sum of a list as a function of it; for functions that build a list, rows of the Jacobian of the sum.
    ChurchSum { list: Vec<f64>, sum: f64, rows: Vec<(String, Vec<f64>)>, rtol: f64 },
    /// Second derivatives.
    Twice { at: f64, cube: f64, sin_sq: f64, rtol: f64 },
}

#[derive(Debug)]
pub struct Row {
    pub at: Vec<f64>,
    pub value: f64,
    pub row: Vec<f64>,
}

/// The lower and upper bandwidths of the operands and of the result of an operation; -1 is unlimited.
#[derive(Debug)]
pub struct Bands {
    pub op: String,
    pub operands: Vec<[i64; 2]>,
    pub out: [i64; 2],
}

#[derive(Debug)]
pub struct Rng {
    pub seed: i64,
    /// The words of blocks 0 and 1.
    pub blocks: [Vec<i64>; 2],
    pub uniform4: Vec<f64>,
    /// The numbers drawn after `uniform4`, and the number of blocks that they use.
    pub then_uniform3: Vec<f64>,
    pub blocks_used_by_uniform3: usize,
    pub normal4: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Float(f64),
    Int(i64),
    Bool(bool),
    /// An array in row-major order.
    Array {
        shape: Vec<usize>,
        numbers: Vec<f64>,
    },
    Tuple(Vec<Value>),
    List(Vec<Value>),
    /// The name of a record, and its fields in the order of their names.
    Record(String, Vec<(String, Value)>),
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
            Value::Record(..) => return None,
        })
    }

    /// Describes the first difference from `wanted`. Each float may differ by `rtol` times the maximum of 1 and the
    /// expected magnitude.
    pub fn difference(&self, wanted: &Value, rtol: f64) -> Option<String> {
        self.differs(wanted, rtol, "")
    }

    fn differs(&self, wanted: &Value, rtol: f64, path: &str) -> Option<String> {
        let at = if path.is_empty() { String::new() } else { format!("at {path}: ") };
        let fail = |wanted: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
            Some(format!("{at}expected {wanted:?}, found {found:?}"))
        };
        let all = |found: &[Value], wanted: &[Value]| {
            let pairs = found.iter().zip(wanted).enumerate();
            pairs.into_iter().find_map(|(k, (f, w))| f.differs(w, rtol, &format!("{path}[{k}]")))
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
            (Value::Record(name, fields), Value::Record(wanted_name, wanted_fields))
                if name == wanted_name && fields.len() == wanted_fields.len() =>
            {
                wanted_fields.iter().find_map(|(field, wanted)| match fields.iter().find(|f| f.0 == *field) {
                    Some((_, found)) => found.differs(wanted, rtol, &format!("{path}.{field}")),
                    None => Some(format!("{at}there is no field `{field}`")),
                })
            }
            (found, wanted) if found == wanted => None,
            (found, wanted) => fail(wanted, found),
        }
    }
}

fn is_close(found: f64, wanted: f64, rtol: f64) -> bool {
    found == wanted || (found.is_nan() && wanted.is_nan()) || (found - wanted).abs() <= rtol * wanted.abs().max(1.0)
}

impl Case {
    /// Returns the program of a case, if it has one.
    pub fn program(&self) -> Option<&Program> {
        match &self.kind {
            Kind::Run { program, .. } | Kind::Error { program, .. } | Kind::Message { program, .. } => Some(program),
            _ => None,
        }
    }
}

impl Program {
    /// Imports the program to MLIR as `@f`; the file name of its locations is `id`.
    pub fn import(&self, id: &str) -> Result<String, Problem> {
        functions::import(id, "f", &self.types, &read_one(&self.term)?)
    }
}

/// Parses the cases of a file. An error message has the position.
pub fn parse(json: &Json) -> Result<Vec<Case>, String> {
    let at = At { json, path: String::new() };
    at.get("cases")?.items()?.iter().map(case).collect()
}

fn case(at: &At) -> Result<Case, String> {
    let kind = at.get("kind")?;
    let rtol = || at.find("rtol").map_or(Ok(RTOL), |r| r.number());
    let kind = match kind.text()?.as_str() {
        "run" => {
            let structure = at.find("structure").map_or(Ok(Structure::default()), |s| structure(&s))?;
            let points = at.get("points")?.items()?.iter().map(point).collect::<Result<Vec<_>, _>>()?;
            Kind::Run { program: typed(at)?, points, rtol: rtol()?, structure }
        }
        "error" => Kind::Error { program: typed(at)?, code: at.get("error")?.text()? },
        "message" => {
            let inputs = at.get("in")?.items()?.iter().map(value).collect::<Result<Vec<_>, _>>()?;
            let types = inputs.iter().map(Value::type_text).collect::<Option<Vec<_>>>();
            let types = types.ok_or_else(|| at.error("expected inputs that say their types"))?;
            let program = Program { term: at.get("program")?.text()?, types };
            let out = match at.find("error") {
                Some(code) => Err(code.text()?),
                None => Ok(value(&at.get("out")?)?),
            };
            Kind::Message { program, inputs, out }
        }
        "pullback" => Kind::Pullback(pullback(at, rtol()?)?),
        "attributes" => {
            let rows = at.get("rows")?.items()?.iter().map(bands).collect::<Result<Vec<_>, _>>()?;
            Kind::Attributes { size: at.get("size")?.size()?, rows }
        }
        "rng" => {
            let cases = at.get("cases")?.items()?.iter().map(rng).collect::<Result<Vec<_>, _>>()?;
            Kind::Rng { cases, rtol: rtol()? }
        }
        other => return Err(kind.error(format!("unknown kind `{other}`"))),
    };
    Ok(Case { id: at.get("id")?.text()?, kind })
}

/// Parses a program with `in_types`.
fn typed(at: &At) -> Result<Program, String> {
    let types = at.get("in_types")?.items()?.iter().map(At::text).collect::<Result<Vec<_>, _>>()?;
    Ok(Program { term: at.get("program")?.text()?, types })
}

fn point(at: &At) -> Result<Point, String> {
    let inputs = at.get("in")?.items()?.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    Ok(Point { inputs, out: value(&at.get("out")?)? })
}

fn structure(at: &At) -> Result<Structure, String> {
    let mut structure = Structure::default();
    for (key, fact) in at.get("after_optimisation")?.entries()? {
        match key.as_str() {
            "no_loop" => structure.no_loop = fact.truth()?,
            "no_call" => structure.no_call = fact.truth()?,
            "returns_constant" => structure.returns_constant = Some(fact.number()?),
            "forward_loop_removed" => structure.forward_loop_removed = fact.truth()?,
            "max_loops" => structure.max_loops = Some(fact.size()?),
            "stack_free" => structure.stack_free = fact.truth()?,
            _ => return Err(fact.error("unknown property")),
        }
    }
    Ok(structure)
}

fn pullback(at: &At, rtol: f64) -> Result<Pullback, String> {
    if let Some(term) = at.find("term") {
        let point = |p: &At| -> Result<Row, String> {
            let (value, row) = (p.get("value")?.number()?, p.get("row")?.numbers()?);
            Ok(Row { at: p.get("at")?.numbers()?, value, row })
        };
        let points = at.get("points")?.items()?.iter().map(point).collect::<Result<Vec<_>, _>>()?;
        let counts = at.get("primitive_evaluations")?.entries()?;
        let evaluations =
            counts.iter().map(|(name, n)| Ok((name.clone(), n.size()?))).collect::<Result<_, String>>()?;
        return Ok(Pullback::Composition { term: term.text()?, points, evaluations, rtol });
    }
    if let Some(list) = at.find("list") {
        let rows = at.get("rows_through_list_builder")?.entries()?;
        let rows = rows.iter().map(|(name, row)| Ok((name.clone(), row.numbers()?))).collect::<Result<_, String>>()?;
        return Ok(Pullback::ChurchSum { list: list.numbers()?, sum: at.get("sum")?.number()?, rows, rtol });
    }
    let (cube, sin_sq) = (at.get("cube_second")?.number()?, at.get("sin_sq_second")?.number()?);
    Ok(Pullback::Twice { at: at.get("at")?.number()?, cube, sin_sq, rtol })
}

fn bands(at: &At) -> Result<Bands, String> {
    let pair = |at: &At| -> Result<[i64; 2], String> {
        let both = at.items()?.iter().map(At::integer).collect::<Result<Vec<_>, _>>()?;
        both.try_into().map_err(|_| at.expected("two numbers, `[lower, upper]`"))
    };
    let operands = [Some(at.get("a")?), at.find("b")].into_iter().flatten();
    let operands = operands.map(|o| pair(&o)).collect::<Result<Vec<_>, _>>()?;
    Ok(Bands { op: at.get("op")?.text()?, operands, out: pair(&at.get("out")?)? })
}

fn rng(at: &At) -> Result<Rng, String> {
    let words = |key: &str| at.get(key)?.items()?.iter().map(At::integer).collect::<Result<Vec<_>, _>>();
    Ok(Rng {
        seed: at.get("seed")?.integer()?,
        blocks: [words("raw_block0")?, words("raw_block1")?],
        uniform4: at.get("uniform4")?.numbers()?,
        then_uniform3: at.get("then_uniform3")?.numbers()?,
        blocks_used_by_uniform3: at.get("blocks_used_by_uniform3")?.size()?,
        normal4: at.get("normal4")?.numbers()?,
    })
}

/// Parses a value: a number is a float; every other value is tagged.
fn value(at: &At) -> Result<Value, String> {
    const WHAT: &str = "a value: a number, a boolean, or an object with `int`, `array`, `tuple`, `list` or `record`";
    let all = |at: &At| at.items()?.iter().map(value).collect::<Result<Vec<_>, _>>();
    match at.json {
        Json::Bool(b) => Ok(Value::Bool(*b)),
        Json::Number(_) | Json::String(_) => Ok(Value::Float(at.number()?)),
        _ => {
            let keys: Vec<String> = at.entries()?.into_iter().map(|e| e.0).collect();
            match keys.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["int"] => Ok(Value::Int(at.get("int")?.integer()?)),
                ["array"] => {
                    let (shape, numbers) = array(&at.get("array")?)?;
                    Ok(Value::Array { shape, numbers })
                }
                ["tuple"] => Ok(Value::Tuple(all(&at.get("tuple")?)?)),
                ["list"] => Ok(Value::List(all(&at.get("list")?)?)),
                ["fields", "record"] => {
                    let fields = at.get("fields")?.entries()?;
                    let fields = fields.into_iter().map(|(name, x)| Ok((name, value(&x)?)));
                    Ok(Value::Record(at.get("record")?.text()?, fields.collect::<Result<_, String>>()?))
                }
                _ => Err(at.expected(WHAT)),
            }
        }
    }
}

/// Returns shape and elements of nested lists.
fn array(at: &At) -> Result<(Vec<usize>, Vec<f64>), String> {
    if at.json.as_array().is_none() {
        return Ok((vec![], vec![at.number()?]));
    }
    let rows = at.items()?;
    let (mut inner, mut numbers) = (None, vec![]);
    for row in &rows {
        let (shape, elements) = array(row)?;
        if *inner.get_or_insert(shape.clone()) != shape {
            return Err(row.expected("a row of the shape of those before it"));
        }
        numbers.extend(elements);
    }
    Ok(([vec![rows.len()], inner.unwrap_or_default()].concat(), numbers))
}

/// The outcome of a case.
pub enum Outcome {
    Passed,
    Failed(String),
    /// This way does not run the case.
    NotRun,
}

/// Runs a case in one way and compares the result.
fn run_case(way: WayName, case: &Case) -> Outcome {
    match way {
        WayName::Eval => function_cases::evaluate(case),
        WayName::Jit => compiled_functions::run(case, FUNCTIONS_PLAIN),
        WayName::Egg => compiled_functions::run(case, FUNCTIONS_CPU),
        WayName::Bulk => Outcome::NotRun,
    }
}

/// Runs the cases and prints a scoreboard by kind. Returns whether none failed.
///
/// # Errors
/// The file is invalid, or no case was run.
pub fn run(json: &Json, selection: &Selection) -> Result<bool, String> {
    let mut kinds: Vec<(String, [Counts; 3])> = Vec::new();
    let mut some = false;
    for at in (At { json, path: String::new() }).get("cases")?.items()? {
        let id = at.get("id").and_then(|id| id.text()).unwrap_or_else(|_| at.path.clone());
        if selection.filter.is_some_and(|f| !f.is_match(&id).unwrap_or(false)) {
            continue;
        }
        some = true;
        let kind = at.get("kind").and_then(|kind| kind.text()).unwrap_or_else(|_| "no kind".into());
        let case = case(&at);
        if !kinds.iter().any(|(k, _)| *k == kind) {
            kinds.push((kind.clone(), [[0; 3]; 3]));
        }
        let counts = &mut kinds.iter_mut().find(|(k, _)| *k == kind).expect("it is there").1;
        for (way, counts) in WAYS.into_iter().zip(counts) {
            if !selection.ways.is_empty() && !selection.ways.contains(&way) {
                continue;
            }
            // A case that cannot be read has failed; the others run.
            match case.as_ref().map_or_else(|e| Outcome::Failed(e.clone()), |case| run_case(way, case)) {
                Outcome::Passed => counts[0] += 1,
                Outcome::Failed(text) => {
                    counts[1] += 1;
                    println!("FAILED {id}, {}: {text}", title(way));
                }
                Outcome::NotRun => counts[2] += 1,
            }
        }
        if selection.verbose {
            println!("{id}");
        }
    }
    if !some {
        return Err("no case matches".into());
    }
    print!("{}", scoreboard(&kinds));
    let counts = || kinds.iter().flat_map(|(_, counts)| counts);
    if counts().all(|c| c[0] + c[1] == 0) {
        return Err("not supported: no way runs these cases yet".into());
    }
    Ok(counts().all(|c| c[1] == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Value, String> {
        value(&At { json: &serde_json::from_str(text).unwrap(), path: "x".into() })
    }

    #[test]
    fn values_are_read() {
        assert_eq!(read("1"), Ok(Value::Float(1.0)));
        assert_eq!(read(r#"{"int": 1}"#), Ok(Value::Int(1)));
        assert_eq!(read("true"), Ok(Value::Bool(true)));
        assert_eq!(
            read(r#"{"array": [[1, 2.5, 3], [4, 5, 6]]}"#),
            Ok(Value::Array { shape: vec![2, 3], numbers: vec![1.0, 2.5, 3.0, 4.0, 5.0, 6.0] })
        );
        let tuple = read(r#"{"tuple": [1, {"list": [{"int": 2}]}]}"#).unwrap();
        assert_eq!(tuple, Value::Tuple(vec![Value::Float(1.0), Value::List(vec![Value::Int(2)])]));
        assert_eq!(tuple.type_text().unwrap(), "tuple<f64,list<i64>>");
        let record = read(r#"{"record": "P", "fields": {"v": 1, "u": false}}"#).unwrap();
        let fields = vec![("u".to_string(), Value::Bool(false)), ("v".to_string(), Value::Float(1.0))];
        assert_eq!(record, Value::Record("P".into(), fields));
        for wrong in [r#"{"array": [[1], [1, 2]]}"#, r#"{"int": 1.5}"#, r#"{"ints": 1}"#, "[1]", r#"{"record": "P"}"#] {
            assert!(read(wrong).unwrap_err().starts_with("x"), "{wrong}");
        }
    }

    #[test]
    fn values_are_compared_leaf_by_leaf() {
        let differs = |found: &str, wanted: &str| read(found).unwrap().difference(&read(wanted).unwrap(), 1e-9);
        assert_eq!(differs("1000.0000001", "1000"), None);
        assert_eq!(differs("1e-10", "0"), None);
        assert_eq!(differs("1.00001", "1").unwrap(), "expected 1.0, found 1.00001");
        assert_eq!(differs(r#""nan""#, r#""nan""#), None);
        assert!(differs(r#""nan""#, "1").is_some());
        assert!(differs("1", r#"{"int": 1}"#).is_some());
        assert_eq!(differs(r#"{"list": []}"#, r#"{"list": []}"#), None);
        assert!(differs(r#"{"list": [1]}"#, r#"{"tuple": [1]}"#).is_some());
        assert!(differs(r#"{"list": [1]}"#, r#"{"list": [1, 2]}"#).is_some());
        assert_eq!(
            differs(r#"{"tuple": [{"array": [[1, 2]]}]}"#, r#"{"tuple": [{"array": [[1, 3]]}]}"#).unwrap(),
            "at [0]: element 1 in shape [1, 2]: expected 3.0, found 2.0"
        );
        assert!(differs(r#"{"array": [[1, 2]]}"#, r#"{"array": [1, 2]}"#).is_some());
        let record = |v: f64| format!(r#"{{"record": "P", "fields": {{"u": 1, "v": {v}}}}}"#);
        assert_eq!(differs(&record(2.0), &record(2.0)), None);
        assert_eq!(differs(&record(2.0), &record(3.0)).unwrap(), "at .v: expected 3.0, found 2.0");
        assert!(differs(&record(2.0), r#"{"record": "Q", "fields": {"u": 1, "v": 2}}"#).is_some());
    }
}
