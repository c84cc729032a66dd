//! Files of reactive programs (`spec/streams.md` 11): a library of nodes, and several kinds of tests. The contents of a
//! test determine the checks; no program is recognised by its name.

use super::configurations::Runner;
use super::file::Tolerance;
use super::read::{Unexpected, nested};
use super::{Error, wrong};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::{Reported, captured};
use mlopt_dialects::eval::{EvalError, Shared};
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_frontend::streams::{self, Elements, Request, Static, Type};
use mlopt_lowering::pipelines::{default_pipeline, pipeline_without};
use mlopt_passes::streams::Var;
use mlopt_runtime::streams::chronogram;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::{Flat, PIPELINE, Stop};
use mlopt_runtime::streams::session::{self, Ran};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Checks whether a file has this form.
pub fn is_one(json: &Json) -> bool {
    json.get("library").is_some() && json.get("tests").is_some()
}

#[derive(Deserialize)]
pub(super) struct File {
    library: String,
    tolerance: Tolerances,
    pub(super) tests: Vec<Json>,
}

#[derive(Deserialize)]
struct Tolerances {
    f64: Tolerance,
}

/// The node of a test, and its arguments.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    /// `law` if absent: the sides of laws have that name.
    main: Option<String>,
    #[serde(rename = "static")]
    statics: BTreeMap<String, StaticArgument>,
    init: BTreeMap<String, Entry>,
    inputs: Rows,
}

#[derive(Clone, Deserialize)]
#[serde(untagged, expecting = "expected a whole number, or a list of sizes")]
enum StaticArgument {
    Int(i64),
    Shape(Vec<u64>),
}

/// A cell: `"abs"`, `"bot"`, `"err"`, or a value. The elements of a value are those that its JSON shows: Booleans,
/// integers, or floats.
#[derive(Clone, Deserialize)]
#[serde(try_from = "Json")]
pub(super) struct Entry(pub(super) Cell<Shared>);

pub(super) type Rows = BTreeMap<String, Vec<Entry>>;

/// The outputs and inner streams of a run. A row that is shorter than the run has the first and the last cycles.
#[derive(Deserialize)]
pub(super) struct Run {
    cycles: usize,
    outputs: Rows,
    #[serde(default)]
    probes: Rows,
    #[serde(default)]
    probes_last: BTreeMap<String, Entry>,
    #[serde(default)]
    clocks: BTreeMap<String, String>,
    plan_class: Option<String>,
}

/// Two nodes whose first outputs agree in some cycles.
#[derive(Deserialize)]
pub(super) struct Law {
    lhs: String,
    rhs: String,
    lhs_values: Option<Vec<Entry>>,
    rhs_values: Option<Vec<Entry>>,
    equal_on: Vec<usize>,
}

/// Adjoints in the dense form: those of inputs cycle by cycle, those of parameters as sums.
#[derive(Deserialize)]
pub(super) struct Gradient {
    seeds: Rows,
    d_inputs: Rows,
    d_params: BTreeMap<String, Entry>,
}

/// A run that stops, and the cycles before.
#[derive(Deserialize)]
pub(super) struct Runtime {
    error: String,
    horizon: Option<usize>,
    #[serde(default)]
    outputs_already_emitted: Rows,
    /// Among others, fields of the error.
    #[serde(flatten)]
    others: BTreeMap<String, Json>,
}

#[derive(Deserialize)]
pub(super) struct Reject {
    error: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    input_types: BTreeMap<String, InputType>,
}

/// A type like `float64[2, 3]` or `bool[]`.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
struct InputType(Type);

/// The reason why a program is rejected: the first error.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Rejected {
    /// Empty if the error has no code.
    pub code: String,
    pub text: String,
}

/// An imported node with its program.
pub struct Loaded {
    pub flat: Flat,
    _program: Program,
}

/// Loads the node of a program that has this name after the passes.
pub fn load(program: Result<Program, Reported>, name: &str, pipeline: &str) -> Result<Loaded, Rejected> {
    let program = program.map_err(|_| Rejected { code: String::new(), text: "it does not parse".into() })?;
    let (flat, messages) = captured(program.module().context(), || {
        program.run_pipeline(pipeline)?;
        let node = Flat::nodes(&program).into_iter().find(|n| n.symbol().as_deref() == Some(name));
        let none = || program.module().error(format!("internal error: expected the node `@{name}`")).emit();
        Flat::new(node.ok_or_else(none)?)
    });
    flat.map(|flat| Loaded { flat, _program: program }).map_err(|_| {
        let text = messages.into_iter().next().unwrap_or_default();
        let code = text.split_whitespace().find(|w| w.starts_with("E-")).unwrap_or_default();
        Rejected { code: code.trim_end_matches(':').into(), text }
    })
}

impl Node {
    /// Returns the request to import the node for the types of its inputs.
    fn request(&self) -> Request {
        let statics = self.statics.iter().map(|(name, argument)| {
            let argument = match argument.clone() {
                StaticArgument::Int(n) => Static::Int(n),
                StaticArgument::Shape(sizes) => Static::Shape(sizes),
            };
            (name.clone(), argument)
        });
        let node = self.main.clone().or(Some("law".into()));
        Request { node, statics: statics.collect(), types: types(&self.inputs), float: Element::F64 }
    }

    /// Returns the number of cycles of the inputs.
    fn cycles(&self) -> usize {
        self.inputs.values().map(Vec::len).next().unwrap_or(0)
    }
}

/// Imports a node of a text. Returns the node whose name ends in `suffix` after a pipeline.
pub(super) fn import(source: &str, request: &Request, pipeline: &str, suffix: &str) -> Result<Loaded, Rejected> {
    let program = streams::import(source, "library", request).map_err(|problems| {
        let code = problems[0].code.unwrap_or_default().into();
        Rejected { code, text: format!("library:{}", problems[0]) }
    })?;
    let name = format!("{}{suffix}", request.node.as_deref().unwrap_or_default());
    load(program.verified(), &name, pipeline)
}

impl File {
    /// Imports, inlines and analyses a node.
    fn load(&self, more: &str, request: &Request) -> Result<Loaded, Rejected> {
        import(&format!("{}\n{more}", self.library), request, PIPELINE, "")
    }

    pub(super) fn run(&self, node: &Node, test: &Run, runner: Runner) -> Result<(), Error> {
        let loaded = self.load("", &node.request())?;
        let flat = &loaded.flat;
        let shown: Vec<Var> =
            test.probes.keys().chain(test.probes_last.keys()).filter_map(|name| flat.find(name)).collect();
        let rows = execute(runner, flat, &node.inputs, &node.init, test.cycles, &shown)?;
        let mut problems = Vec::new();
        problems.extend(test.outputs.iter().filter_map(|(name, row)| self.compare_output(flat, &rows, name, row)));
        let missing = |name: &String| format!("there is no stream `{name}`");
        for (name, expected) in &test.probes {
            problems.extend(flat.find(name).map_or(Some(missing(name)), |v| self.compare(name, &rows[v], expected)));
        }
        for (name, expected) in &test.probes_last {
            let last = flat.find(name).map(|v| rows[v].iter().rev().find(|c| c.value().is_some()));
            problems.extend(last.map_or(Some(missing(name)), |last| {
                let problem = self.differs(last.unwrap_or(&Cell::Undetermined), expected);
                problem.map(|e| format!("`{name}`: {e}"))
            }));
        }
        for (name, expected) in &test.clocks {
            let clock = flat.find(name).map(|v| flat.clocks.show(&flat.graph, flat.clocks.of(v)));
            if clock.as_ref() != Some(expected) {
                problems
                    .push(format!("the clock of `{name}`: expected {expected}, found {}", clock.unwrap_or_default()));
            }
        }
        let found = flat.plan.class.name();
        if let Some(expected) = test.plan_class.as_ref().filter(|class| **class != found) {
            problems.push(format!("the plan: expected {expected}, found {found}"));
        }
        none(problems)
    }

    pub(super) fn gradient(&self, node: &Node, test: &Gradient, runner: Runner) -> Result<(), Error> {
        let request = node.request();
        let name = request.node.as_deref().unwrap_or_default();
        let passes = format!("stream-inline,stream-grad{{node={name}}},differentiate,inline");
        let loaded = import(&format!("{}\n", self.library), &request, &format!("builtin.module({passes})"), "_grad")?;
        let flat = &loaded.flat;
        let cycles = node.inputs.values().map(Vec::len).max().unwrap_or(0);
        let mut given = node.inputs.clone();
        given.extend(test.seeds.iter().map(|(output, row)| (format!("{output}_ct"), row.clone())));
        let rows = execute(runner, flat, &given, &node.init, cycles, &[])?;
        let mut problems = Vec::new();
        let cotangents = test.d_inputs.iter().map(|(name, row)| (format!("{name}_ct"), row));
        problems.extend(cotangents.filter_map(|(name, row)| self.compare_output(flat, &rows, &name, row)));
        let gradients = flat.graph.node.attribute("stream.gradients").and_then(|a| a.as_array()).unwrap_or_default();
        let gradients: Vec<String> = gradients.into_iter().filter_map(|a| a.as_string()).collect();
        for (name, Entry(expected)) in &test.d_params {
            let row = gradients.iter().find_map(|g| g.strip_prefix(&format!("{name} = ")));
            let Some(v) = row.and_then(|row| output(flat, row)) else {
                problems.push(format!("there is no gradient of `{name}`"));
                continue;
            };
            let (shape, wanted) = expected.value().map_or((&[][..], vec![]), |x| (x.shape(), x.to_f64()));
            let mut sum = vec![0.0; wanted.len()];
            for x in rows[v].iter().filter_map(|c| c.value()) {
                sum.iter_mut().zip(x.to_f64()).for_each(|(s, x)| *s += x);
            }
            if !self.is_close(&sum, &wanted) {
                problems
                    .push(format!("the gradient of `{name}`: expected {wanted:?} in shape {shape:?}, found {sum:?}"));
            }
        }
        none(problems)
    }

    pub(super) fn law(&self, node: &Node, test: &Law, runner: Runner) -> Result<(), Error> {
        let (request, cycles) = (node.request(), node.cycles());
        let mut problems = Vec::new();
        let mut sides = Vec::new();
        for (side, source, values) in [("lhs", &test.lhs, &test.lhs_values), ("rhs", &test.rhs, &test.rhs_values)] {
            let loaded = self.load(source, &request).map_err(|e| Error::from(e).at(side))?;
            let rows = execute(runner, &loaded.flat, &node.inputs, &BTreeMap::new(), cycles, &[]);
            let rows = rows.map_err(|e| e.at(side))?;
            let row = rows[loaded.flat.graph.outputs[0].1].clone();
            problems.extend(values.as_ref().and_then(|expected| self.compare(side, &row, expected)));
            sides.push(row);
        }
        for &n in &test.equal_on {
            let (Some(left), Some(right)) = (sides[0].get(n), sides[1].get(n)) else {
                problems.push(format!("cycle {n}: there are only {cycles}"));
                continue;
            };
            let is_equal = match (left, right) {
                (Cell::Value(a), Cell::Value(b)) => self.is_close(&a.to_f64(), &b.to_f64()),
                _ => left.map(|_| ()) == right.map(|_| ()),
            };
            if !is_equal {
                let [left, right] = [left, right].map(chronogram::cell);
                problems.push(format!("cycle {n}: the left side is {left}, the right side {right}"));
            }
        }
        none(problems)
    }

    pub(super) fn runtime(&self, node: &Node, test: &Runtime, runner: Runner) -> Result<(), Error> {
        let expected = &test.error;
        let loaded = self.load("", &node.request())?;
        let flat = &loaded.flat;
        let ran = ran(runner, flat, &node.inputs, &node.init, node.cycles(), &[], test.horizon)?;
        let endless = || Error::Wrong(format!("expected {expected}, found that nothing stops it"));
        let stop = stop(flat, &ran).ok_or_else(endless)?;
        let mut problems = Vec::new();
        if stop.code != *expected {
            problems.push(format!("expected {expected}, found {}", stop.code));
        }
        let fields = stop.fields.into_iter().chain([("raised_at_cycle", Json::from(stop.cycle))]);
        for (name, found) in fields {
            if let Some(expected) = test.others.get(name).filter(|e| **e != found) {
                problems.push(format!("{name}: expected {expected}, found {found}"));
            }
        }
        for (name, expected) in &test.outputs_already_emitted {
            let row = output(flat, name).map(|v| &ran.rows[v]);
            let known = |c: &&Cell<Shared>| !matches!(c, Cell::Undetermined);
            let emitted: Row = row.map_or(vec![], |r| r[..stop.cycle].iter().take_while(known).cloned().collect());
            if emitted.len() != expected.len() {
                problems.push(format!("`{name}`: {} cells are known before it stops", emitted.len()));
            }
            problems.extend(self.compare(name, &emitted, expected));
        }
        none(problems)
    }

    pub(super) fn reject(&self, node: &Node, test: &Reject) -> Result<(), Error> {
        let types = test.input_types.iter().map(|(name, ty)| (name.clone(), ty.0.clone())).collect();
        let expected = &test.error;
        match self.load(&test.source, &Request { types, ..node.request() }) {
            Ok(_) => wrong(format!("expected {expected}, found that it is accepted")),
            Err(e) if e.code == *expected => Ok(()),
            Err(e) => wrong(format!("expected {expected}, found {e}")),
        }
    }

    fn compare_output(&self, flat: &Flat, rows: &[Row], name: &str, expected: &[Entry]) -> Option<String> {
        match output(flat, name) {
            Some(v) => self.compare(name, &rows[v], expected),
            None => Some(format!("there is no output `{name}`")),
        }
    }

    /// Compares a row. If the expected row is shorter than the run, it has the first and the last cycles.
    fn compare(&self, name: &str, row: &Row, expected: &[Entry]) -> Option<String> {
        let from_end = row.len().saturating_sub(expected.len());
        let head = if from_end == 0 { expected.len() } else { expected.len() / 2 };
        expected.iter().enumerate().find_map(|(k, cell)| {
            let n = if k < head { k } else { k + from_end };
            let Some(found) = row.get(n) else { return Some(format!("`{name}` has no cycle {n}")) };
            self.differs(found, cell).map(|text| format!("`{name}`, cycle {n}: {text}"))
        })
    }

    pub(super) fn differs(&self, found: &Cell<Shared>, Entry(expected): &Entry) -> Option<String> {
        let is_same = match (found, expected) {
            (Cell::Value(x), Cell::Value(y)) => x.shape() == y.shape() && self.is_close(&x.to_f64(), &y.to_f64()),
            (found, expected) => found.map(|_| ()) == expected.map(|_| ()),
        };
        (!is_same).then(|| different(found, expected))
    }

    fn is_close(&self, found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len()
            && found.iter().zip(expected).all(|(&x, &want)| self.tolerance.f64.is_close(x, want))
    }
}

fn stop(flat: &Flat, ran: &Ran) -> Option<Halt> {
    let found = |code, cycle, fields| Some(Halt { code, cycle, fields });
    match &ran.stop {
        Some((cycle, Stop::Mistimed { input, .. } | Stop::Changed { input, .. })) => {
            found("E-RT-CLOCK", *cycle, vec![("offending", Json::from(flat.graph.label(*input)))])
        }
        Some((cycle, Stop::Overrun { start, .. })) => {
            found("E-RT-HORIZON", *cycle, vec![("segment_start", Json::from(*start))])
        }
        Some((cycle, Stop::Fault { .. })) => found("E-RT-OP", *cycle, vec![]),
        None => {
            let rows: Vec<&Row> = flat.graph.outputs.iter().map(|o| &ran.rows[o.1]).collect();
            let cycle = rows.first().map_or(0, |r| r.len());
            let open: Vec<usize> = (0..cycle).filter(|&n| rows.iter().any(|r| r[n] == Cell::Undetermined)).collect();
            if open.is_empty() { None } else { found("E-RT-UNTERMINATED", cycle, vec![("unresolved", open.into())]) }
        }
    }
}

/// Fails if there are problems.
pub(super) fn none(problems: Vec<String>) -> Result<(), Error> {
    if problems.is_empty() { Ok(()) } else { wrong(problems.join("; ")) }
}

/// Returns the rows of a program that runs to its end.
pub(super) fn execute(
    runner: Runner,
    flat: &Flat,
    inputs: &Rows,
    init: &BTreeMap<String, Entry>,
    cycles: usize,
    shown: &[Var],
) -> Result<Vec<Row>, Error> {
    match ran(runner, flat, inputs, init, cycles, shown, None)? {
        Ran { stop: Some((n, stop @ Stop::Fault { .. })), .. } => wrong(flat.stopped(n, &stop).1),
        Ran { rows, .. } => Ok(rows),
    }
}

fn ran(
    runner: Runner,
    flat: &Flat,
    inputs: &Rows,
    init: &BTreeMap<String, Entry>,
    cycles: usize,
    shown: &[Var],
    horizon: Option<usize>,
) -> Result<Ran, Error> {
    let mut given = Vec::new();
    for (name, ty) in flat.inputs() {
        let absent = || Error::Wrong(format!("expected cells of the input `{name}`"));
        let row = inputs.get(&name).ok_or_else(absent)?;
        let element = ty.element().unwrap_or(Element::F64);
        let cells: Row = row.iter().map(|Entry(cell)| cell.map(|x| Shared::new(of(element, x)))).collect();
        if cells.iter().any(|cell| cell.value().is_some_and(|x| !mlopt_dialects::eval::fits(ty, x))) {
            return wrong(format!("expected cells of type {ty} of the input `{name}`"));
        }
        given.push(Input::Cells(cells));
    }
    let values = init.iter().filter_map(|(name, Entry(cell))| Some((name.clone(), of(Element::F64, cell.value()?))));
    let mut values: HashMap<String, Array> = values.collect();
    let mut initial = |op: Op| {
        let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
        let missing = || EvalError { location: name.clone(), text: "no initial value".into() };
        values.remove(&name).ok_or_else(missing)
    };
    let ran = match runner {
        Runner::Eval => flat.interpret(&given, cycles, &mut initial).map(|rows| {
            let stop = flat.mistimed(&given, &rows);
            Ran { rows, stop }
        }),
        _ => {
            let optimises = runner == Runner::Egg;
            let pipeline = if optimises { default_pipeline() } else { pipeline_without("egg-optimize") };
            let code = Compiled::new(flat, shown, &pipeline)?;
            session::run(&code, flat, &given, cycles, horizon, &mut initial)
        }
    };
    Ok(ran?)
}

/// The reason why a run stopped, as far as tests compare it.
struct Halt {
    code: &'static str,
    cycle: usize,
    /// Further fields of the error in the test.
    fields: Vec<(&'static str, Json)>,
}

/// Returns an output of a node.
fn output(flat: &Flat, name: &str) -> Option<Var> {
    flat.graph.outputs.iter().find(|o| o.0 == name).map(|o| o.1)
}

/// Returns the types of inputs, as far as their cells determine them.
pub(super) fn types(inputs: &Rows) -> Vec<(String, Type)> {
    let of_row = |(name, row): (&String, &Vec<Entry>)| {
        let values: Vec<&Shared> = row.iter().filter_map(|Entry(cell)| cell.value()).collect();
        let first = values.first()?;
        let kind = match first.element() {
            _ if values.iter().any(|x| x.element() == Element::F64) => Elements::Float,
            Element::I1 => Elements::Bool,
            _ => Elements::Int,
        };
        Some((name.clone(), Type { kind, shape: first.shape().iter().map(|&n| n as u64).collect() }))
    };
    inputs.iter().filter_map(of_row).collect()
}

impl TryFrom<String> for InputType {
    type Error = Unexpected;

    fn try_from(text: String) -> Result<InputType, Unexpected> {
        let parts = text.split_once('[').and_then(|(kind, rest)| Some((kind, rest.strip_suffix(']')?)));
        let wrong = || Unexpected {
            expected: "a type like `float64[2]` of bool, int64 or float64",
            found: format!("`{text}`"),
        };
        let (kind, sizes) = parts.ok_or_else(wrong)?;
        let kind = match kind {
            "bool" => Elements::Bool,
            "int64" => Elements::Int,
            "float64" => Elements::Float,
            _ => return Err(wrong()),
        };
        let sizes = sizes.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok());
        Ok(InputType(Type { kind, shape: sizes.collect::<Option<_>>().ok_or_else(wrong)? }))
    }
}

impl TryFrom<Json> for Entry {
    type Error = Unexpected;

    fn try_from(json: Json) -> Result<Entry, Unexpected> {
        let wrong = || Unexpected::new("a value or regular lists of values, \"abs\", \"bot\" or \"err\"", &json);
        Ok(Entry(match json.as_str() {
            Some("abs") => Cell::Absent,
            Some("bot") => Cell::Undetermined,
            Some("err") => Cell::Mistimed,
            _ => Cell::Value(Rc::new(value(&json).ok_or_else(wrong)?)),
        }))
    }
}

fn value(json: &Json) -> Option<Array> {
    let (shape, leaves) = nested(json)?;
    fn all<'j, T>(leaves: &[&'j Json], one: impl Fn(&'j Json) -> Option<T>) -> Option<Vec<T>> {
        leaves.iter().map(|x| one(x)).collect()
    }
    let integers = || all(&leaves, Json::as_i64).filter(|_| !leaves.is_empty());
    let booleans = || all(&leaves, Json::as_bool).filter(|_| !leaves.is_empty());
    let data = match (booleans(), integers()) {
        (Some(v), _) => Data::I1(v),
        (_, Some(v)) => Data::I64(v),
        _ => Data::F64(all(&leaves, Json::as_f64)?),
    };
    Some(Array::new(shape, data))
}

/// Converts an array to this element type.
fn of(element: Element, x: &Array) -> Array {
    Array::new(x.shape().to_vec(), Data::of_f64(element, x.to_f64()))
}

pub(super) fn truth(cell: &Cell<Shared>) -> Cell<bool> {
    match cell {
        Cell::Value(x) => match x.data() {
            Data::I1(bits) if x.rank() == 0 => Cell::Value(bits[0]),
            _ => Cell::Mistimed,
        },
        other => other.map(|_| false),
    }
}

/// Describes a difference of cells, with all digits.
pub(super) fn different(found: &Cell<Shared>, expected: &Cell<Shared>) -> String {
    let [expected, found] = [expected, found].map(|cell| match cell {
        Cell::Value(x) if x.rank() == 0 => format!("{:?}", x.to_f64()[0]),
        Cell::Value(x) => format!("{:?}", x.to_f64()),
        other => chronogram::cell(other),
    });
    format!("expected {expected}, found {found}")
}
