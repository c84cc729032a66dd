//! Files of reactive programs (`spec/streams.md` 11): a library of nodes, and several kinds of tests. The contents of a
//! test determine the checks; no program is recognised by its name.

use super::Selection;
use super::at::At;
use super::file::Tolerance;
use super::ways::WayName;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::eval::{EvalError, Shared};
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::stream::interpret::{Input, Row};
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_frontend::streams::{self, Kind, Request, Static, Type};
use mlopt_passes::streams::Var;
use mlopt_runtime::streams::chronogram;
use mlopt_runtime::streams::compiled::{Compiled, Ran};
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use mlopt_runtime::streams::session::Stop;
use serde_json::Value;
use std::collections::HashMap;

/// Checks whether a file has this form.
pub fn is_one(json: &Value) -> bool {
    json.get("library").is_some() && json.get("tests").is_some()
}

/// The interpreter, machine code, and machine code after `egg-optimize`.
pub const WAYS: [WayName; 3] = [WayName::Eval, WayName::Jit, WayName::Egg];

/// The outcome of a test.
pub(super) enum Outcome {
    Passed,
    Failed(String),
    /// The test does not apply to this way.
    NotAbout,
}

/// The numbers of passed, failed and skipped tests.
pub type Counts = [usize; 3];

pub(super) struct File<'j> {
    pub(super) library: &'j str,
    pub(super) tolerance: Tolerance,
}

/// Runs the tests and prints a scoreboard by kind. Returns whether none failed.
pub fn run(json: &Value, selection: &Selection) -> Result<bool, String> {
    let at = At { json, path: String::new() };
    let tolerance = at.get("tolerance")?.get("f64")?;
    let tolerance =
        Tolerance { relative: tolerance.get("rtol")?.number()?, absolute: tolerance.get("atol")?.number()? };
    let library = at.get("library")?;
    let library = library.json.as_str().ok_or_else(|| library.expected("a text"))?;
    let file = File { library, tolerance };
    let mut kinds: Vec<(String, [Counts; 3])> = Vec::new();
    let mut some = false;
    for test in at.get("tests")?.items()? {
        let id = test.get("id").and_then(|id| id.text()).unwrap_or_else(|_| test.path.clone());
        let kind = test.get("kind").and_then(|kind| kind.text()).unwrap_or_else(|_| "no kind".into());
        if selection.filter.is_some_and(|f| !f.is_match(&id).unwrap_or(false)) {
            continue;
        }
        some = true;
        if !kinds.iter().any(|(k, _)| *k == kind) {
            kinds.push((kind.clone(), [[0; 3]; 3]));
        }
        let counts = &mut kinds.iter_mut().find(|(k, _)| *k == kind).expect("it is there").1;
        for (way, counts) in WAYS.into_iter().zip(counts) {
            if !selection.ways.is_empty() && !selection.ways.contains(&way) {
                continue;
            }
            let outcome = match kind.as_str() {
                "prim" | "reject" if way != WayName::Eval => Ok(Outcome::NotAbout),
                "prim" => file.primitive(&test),
                "reject" => file.reject(&test),
                "run" => file.run(&test, way),
                "law" => file.law(&test, way),
                "grad" => file.gradient(&test, way),
                "runtime" => file.runtime(&test, way),
                _ => test.get("kind").and_then(|at| Err(at.error(format!("unknown kind {}", at.json)))),
            };
            // A test that cannot be read has failed; the others run.
            match outcome.unwrap_or_else(Outcome::Failed) {
                Outcome::Passed => counts[0] += 1,
                Outcome::Failed(text) => {
                    counts[1] += 1;
                    println!("FAILED {id}, {}: {text}", title(way));
                }
                Outcome::NotAbout => {}
            }
        }
        if selection.verbose {
            println!("{id}");
        }
    }
    if !some {
        return Err("no test matches".into());
    }
    print!("{}", scoreboard(&kinds));
    Ok(kinds.iter().all(|(_, counts)| counts.iter().all(|c| c[1] == 0)))
}

pub fn title(way: WayName) -> String {
    format!("{way:?}").to_lowercase()
}

/// Returns a line for each kind, and one for all, with a column for each way.
pub fn scoreboard(kinds: &[(String, [Counts; 3])]) -> String {
    let width = kinds.iter().map(|(name, _)| name.len() + 1).max().unwrap_or(0).max(8);
    let head: String = WAYS.iter().map(|&way| format!("{:>13}", title(way))).collect();
    let mut text = format!("{:width$}{head}\n", "");
    let mut sum = [[0; 3]; 3];
    let cell = |[passed, failed, not_run]: &Counts| match (passed + failed + not_run, passed + failed) {
        (0, _) => format!("{:>13}", "-"),
        (_, 0) => format!("{:>13}", "not run"),
        (all, _) => format!("{:>13}", format!("{passed}/{all}")),
    };
    let row = |name: &str, counts: &[Counts; 3]| {
        format!("{name:width$}{}", counts.iter().map(cell).collect::<String>()).trim_end().to_string() + "\n"
    };
    for (name, counts) in kinds {
        for (sum, counts) in sum.iter_mut().zip(counts) {
            sum.iter_mut().zip(counts).for_each(|(s, c)| *s += c);
        }
        text += &row(name, counts);
    }
    text + &row("all", &sum)
}

/// The reason why a program is rejected: the first error.
pub(super) struct Rejected {
    code: String,
    pub(super) text: String,
}

/// An imported node with its program.
pub(super) struct Loaded {
    pub(super) flat: Flat,
    _program: Program,
}

impl File<'_> {
    fn request(&self, test: &At) -> Result<Request, String> {
        let mut statics = Vec::new();
        for (name, value) in test.find("static").map_or(Ok(vec![]), |s| s.entries())? {
            statics.push((name, static_argument(&value)?));
        }
        let node = test.find("main").map_or(Ok("law".into()), |m| m.text())?;
        Ok(Request { node: Some(node), statics, types: vec![], float: Element::F64 })
    }

    /// Imports, inlines and analyses a node.
    pub(super) fn load(&self, more: &str, request: &Request) -> Result<Loaded, Rejected> {
        self.load_through(more, request, PIPELINE, "")
    }

    /// Returns the node whose name ends in `suffix` after a pipeline.
    fn load_through(&self, more: &str, request: &Request, pipeline: &str, suffix: &str) -> Result<Loaded, Rejected> {
        let source = format!("{}\n{more}", self.library);
        let module = streams::import(&source, "library", request).map_err(|problems| {
            let code = problems[0].code.unwrap_or_default().into();
            Rejected { code, text: format!("library:{}", problems[0]) }
        })?;
        let internal = |text: String| Rejected { code: "internal".into(), text };
        let program =
            Program::parse(module.as_bytes(), "library").map_err(|_| internal("the import is refused".into()))?;
        let context = program.module().context();
        let (flat, messages) = captured(context, || {
            program.run_pipeline(pipeline)?;
            let wanted = request.node.as_ref().map(|name| format!("{name}{suffix}"));
            let nodes = Flat::nodes(&program);
            let node = nodes.into_iter().find(|n| n.symbol() == wanted).expect("it was imported");
            Flat::new(node)
        });
        match flat {
            Ok(flat) => Ok(Loaded { flat, _program: program }),
            Err(_) => {
                let text = messages.into_iter().next().unwrap_or_default();
                let code = text.split_whitespace().find(|w| w.starts_with("E-")).unwrap_or_default();
                Err(Rejected { code: code.trim_end_matches(':').into(), text: text.clone() })
            }
        }
    }

    /// Loads the node of a test, for inputs of these types.
    fn main(&self, test: &At, inputs: &At) -> Result<Result<Loaded, Rejected>, String> {
        let mut request = self.request(test)?;
        request.types = types(inputs)?;
        Ok(self.load("", &request))
    }

    fn run(&self, test: &At, way: WayName) -> Result<Outcome, String> {
        let inputs = test.get("inputs")?;
        let loaded = match self.main(test, &inputs)? {
            Ok(loaded) => loaded,
            Err(e) => return Ok(Outcome::Failed(e.text)),
        };
        let flat = &loaded.flat;
        let cycles = test.get("cycles")?.size()?;
        let mut shown = Vec::new();
        for key in ["probes", "probes_last"] {
            let names = test.find(key).map_or(Ok(vec![]), |p| p.entries())?;
            shown.extend(names.iter().filter_map(|(name, _)| flat.find(name)));
        }
        let rows = match execute(way, flat, &inputs, test.find("init").as_ref(), cycles, &shown)? {
            Ok(rows) => rows,
            Err(outcome) => return Ok(outcome),
        };
        let mut problems = Vec::new();
        for (name, expected) in test.get("outputs")?.entries()? {
            match flat.graph.outputs.iter().find(|o| o.0 == name) {
                Some((_, v)) => problems.extend(self.compare(&name, &rows[*v], &expected)?),
                None => problems.push(format!("there is no output `{name}`")),
            }
        }
        for key in ["probes", "probes_last"] {
            for (name, expected) in test.find(key).map_or(Ok(vec![]), |p| p.entries())? {
                let Some(v) = flat.find(&name) else {
                    problems.push(format!("there is no stream `{name}`"));
                    continue;
                };
                problems.extend(match key {
                    "probes" => self.compare(&name, &rows[v], &expected)?,
                    _ => {
                        let last = rows[v].iter().rev().find(|c| c.value().is_some());
                        self.differs(last.unwrap_or(&Cell::Undetermined), &expected)?.map(|e| format!("`{name}`: {e}"))
                    }
                });
            }
        }
        for (name, expected) in test.find("clocks").map_or(Ok(vec![]), |c| c.entries())? {
            let clock = flat.find(&name).map(|v| flat.clocks.show(&flat.graph, flat.clocks.of(v)));
            let expected = expected.text()?;
            if clock.as_deref() != Some(expected.as_str()) {
                problems
                    .push(format!("the clock of `{name}`: expected {expected}, found {}", clock.unwrap_or_default()));
            }
        }
        if let Some(class) = test.find("plan_class") {
            let (expected, found) = (class.text()?, flat.plan.class.name());
            if expected != found {
                problems.push(format!("the plan: expected {expected}, found {found}"));
            }
        }
        Ok(outcome(problems))
    }

    /// Checks adjoints in the dense form: those of inputs cycle by cycle, those of parameters as sums.
    fn gradient(&self, test: &At, way: WayName) -> Result<Outcome, String> {
        let inputs = test.get("inputs")?;
        let mut request = self.request(test)?;
        request.types = types(&inputs)?;
        let name = request.node.clone().unwrap_or_default();
        let passes = format!("stream-inline,stream-grad{{node={name}}},differentiate,inline");
        let loaded = match self.load_through("", &request, &format!("builtin.module({passes})"), "_grad") {
            Ok(loaded) => loaded,
            Err(e) => return Ok(Outcome::Failed(e.text)),
        };
        let flat = &loaded.flat;
        let mut given = inputs.json.as_object().cloned().unwrap_or_default();
        let cycles = given.values().filter_map(Value::as_array).map(Vec::len).max().unwrap_or(0);
        let seeds = test.get("seeds")?;
        for (output, row) in seeds.entries()? {
            given.insert(format!("{output}_ct"), row.json.clone());
        }
        let given = Value::Object(given);
        let given = At { json: &given, path: inputs.path.clone() };
        let rows = match execute(way, flat, &given, test.find("init").as_ref(), cycles, &[])? {
            Ok(rows) => rows,
            Err(outcome) => return Ok(outcome),
        };
        let mut problems = Vec::new();
        for (name, expected) in test.get("d_inputs")?.entries()? {
            let output = format!("{name}_ct");
            match flat.graph.outputs.iter().find(|o| o.0 == output) {
                Some((_, v)) => problems.extend(self.compare(&output, &rows[*v], &expected)?),
                None => problems.push(format!("there is no output `{output}`")),
            }
        }
        let gradients = flat.graph.node.attribute("stream.gradients").and_then(|a| a.as_array()).unwrap_or_default();
        let gradients: Vec<String> = gradients.into_iter().filter_map(|a| a.as_string()).collect();
        for (name, expected) in test.get("d_params")?.entries()? {
            let output = gradients.iter().find_map(|g| g.strip_prefix(&format!("{name} = ")));
            let row = output.and_then(|output| flat.graph.outputs.iter().find(|o| o.0 == output));
            let Some((_, v)) = row else {
                problems.push(format!("there is no gradient of `{name}`"));
                continue;
            };
            let (shape, wanted) = regular(&expected)?;
            let mut sum = vec![0.0; wanted.len()];
            for x in rows[*v].iter().filter_map(|c| c.value()) {
                sum.iter_mut().zip(x.to_f64()).for_each(|(s, x)| *s += x);
            }
            if !self.is_close(&sum, &wanted) {
                problems
                    .push(format!("the gradient of `{name}`: expected {wanted:?} in shape {shape:?}, found {sum:?}"));
            }
        }
        Ok(outcome(problems))
    }

    fn law(&self, test: &At, way: WayName) -> Result<Outcome, String> {
        let inputs = test.get("inputs")?;
        let mut request = self.request(test)?;
        request.types = types(&inputs)?;
        let cycles = inputs.entries()?.first().map_or(Ok(0), |(_, row)| row.items().map(|r| r.len()))?;
        let mut problems = Vec::new();
        let mut sides = Vec::new();
        for side in ["lhs", "rhs"] {
            let loaded = match self.load(&test.get(side)?.text()?, &request) {
                Ok(loaded) => loaded,
                Err(e) => return Ok(Outcome::Failed(format!("{side}: {}", e.text))),
            };
            let rows = match execute(way, &loaded.flat, &inputs, None, cycles, &[])? {
                Ok(rows) => rows,
                Err(Outcome::Failed(text)) => return Ok(Outcome::Failed(format!("{side}: {text}"))),
                Err(outcome) => return Ok(outcome),
            };
            let row = rows[loaded.flat.graph.outputs[0].1].clone();
            if let Some(expected) = test.find(&format!("{side}_values")) {
                problems.extend(self.compare(side, &row, &expected)?);
            }
            sides.push(row);
        }
        for n in test.get("equal_on")?.items()? {
            let n = n.size()?;
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
        Ok(outcome(problems))
    }

    /// Checks a run that stops, and the cycles before.
    fn runtime(&self, test: &At, way: WayName) -> Result<Outcome, String> {
        let inputs = test.get("inputs")?;
        let expected = test.get("error")?.text()?;
        if way == WayName::Eval && expected == "E-RT-HORIZON" {
            return Ok(Outcome::NotAbout);
        }
        let loaded = match self.main(test, &inputs)? {
            Ok(loaded) => loaded,
            Err(e) => return Ok(Outcome::Failed(e.text)),
        };
        let flat = &loaded.flat;
        let cycles = inputs.entries()?.first().map_or(Ok(0), |(_, row)| row.items().map(|r| r.len()))?;
        let horizon = test.find("horizon").map(|h| h.size()).transpose()?;
        let ran = match ran(way, flat, &inputs, test.find("init").as_ref(), cycles, &[], horizon)? {
            Ok(ran) => ran,
            Err(outcome) => return Ok(outcome),
        };
        let Some(stop) = stop(flat, &ran) else {
            return Ok(Outcome::Failed(format!("expected {expected}, found that nothing stops it")));
        };
        let mut problems = Vec::new();
        if stop.code != expected {
            problems.push(format!("expected {expected}, found {}", stop.code));
        }
        let fields = stop.fields.into_iter().chain([("raised_at_cycle", Value::from(stop.cycle))]);
        for (name, found) in fields {
            if let Some(expected) = test.find(name).filter(|e| *e.json != found) {
                problems.push(format!("{name}: expected {}, found {found}", expected.json));
            }
        }
        for (name, expected) in test.find("outputs_already_emitted").map_or(Ok(vec![]), |o| o.entries())? {
            let row = flat.graph.outputs.iter().find(|o| o.0 == name).map(|o| &ran.rows[o.1]);
            let known = |c: &&Cell<Shared>| !matches!(c, Cell::Undetermined);
            let emitted: Row = row.map_or(vec![], |r| r[..stop.cycle].iter().take_while(known).cloned().collect());
            if emitted.len() != expected.items()?.len() {
                problems.push(format!("`{name}`: {} cells are known before it stops", emitted.len()));
            }
            problems.extend(self.compare(&name, &emitted, &expected)?);
        }
        Ok(outcome(problems))
    }

    fn reject(&self, test: &At) -> Result<Outcome, String> {
        let mut request = self.request(test)?;
        for (name, ty) in test.find("input_types").map_or(Ok(vec![]), |t| t.entries())? {
            request.types.push((name, input_type(&ty)?));
        }
        let source = test.find("source").map_or(Ok(String::new()), |s| s.text())?;
        let expected = test.get("error")?.text()?;
        Ok(match self.load(&source, &request) {
            Ok(_) => Outcome::Failed(format!("expected {expected}, found that it is accepted")),
            Err(e) if e.code == expected => Outcome::Passed,
            Err(e) => Outcome::Failed(format!("expected {expected}, found {}", e.text)),
        })
    }

    /// Compares a row. If the expected row is shorter than the run, it has the first and the last cycles.
    fn compare(&self, name: &str, row: &Row, expected: &At) -> Result<Option<String>, String> {
        let expected = expected.items()?;
        let from_end = row.len().saturating_sub(expected.len());
        let head = if from_end == 0 { expected.len() } else { expected.len() / 2 };
        for (k, cell) in expected.iter().enumerate() {
            let n = if k < head { k } else { k + from_end };
            let Some(found) = row.get(n) else { return Ok(Some(format!("`{name}` has no cycle {n}"))) };
            if let Some(text) = self.differs(found, cell)? {
                return Ok(Some(format!("`{name}`, cycle {n}: {text}")));
            }
        }
        Ok(None)
    }

    pub(super) fn differs(&self, found: &Cell<Shared>, expected: &At) -> Result<Option<String>, String> {
        let wanted = plain(expected)?;
        let is_same = match (found, &wanted) {
            (Cell::Value(x), Cell::Value(json)) => {
                let (shape, numbers) = numbers(json);
                x.shape() == shape && self.is_close(&x.to_f64(), &numbers)
            }
            (found, wanted) => found.map(|_| ()) == wanted.map(|_| ()),
        };
        Ok((!is_same).then(|| format!("expected {}, found {}", expected.json, chronogram::cell(found))))
    }

    fn is_close(&self, a: &[f64], b: &[f64]) -> bool {
        let close = |a: f64, b: f64| {
            a == b
                || (a.is_nan() && b.is_nan())
                || (a - b).abs() <= self.tolerance.absolute + self.tolerance.relative * b.abs()
        };
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| close(a, b))
    }
}

fn stop(flat: &Flat, ran: &Ran) -> Option<Halt> {
    let found = |code, cycle, fields| Some(Halt { code, cycle, fields });
    match &ran.stop {
        Some((cycle, Stop::Mistimed { input, .. } | Stop::Changed { input, .. })) => {
            found("E-RT-CLOCK", *cycle, vec![("offending", Value::from(flat.graph.label(*input)))])
        }
        Some((cycle, Stop::Overrun { start, .. })) => {
            found("E-RT-HORIZON", *cycle, vec![("segment_start", Value::from(*start))])
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

pub(super) fn outcome(problems: Vec<String>) -> Outcome {
    if problems.is_empty() { Outcome::Passed } else { Outcome::Failed(problems.join("; ")) }
}

/// Returns the rows of a program, or the outcome of a test that has none.
pub(super) fn execute(
    way: WayName,
    flat: &Flat,
    inputs: &At,
    init: Option<&At>,
    cycles: usize,
    shown: &[Var],
) -> Result<Result<Vec<Row>, Outcome>, String> {
    Ok(match ran(way, flat, inputs, init, cycles, shown, None)? {
        Ok(Ran { stop: Some((n, stop @ Stop::Fault { .. })), .. }) => Err(Outcome::Failed(flat.stopped(n, &stop).1)),
        ran => ran.map(|ran| ran.rows),
    })
}

fn ran(
    way: WayName,
    flat: &Flat,
    inputs: &At,
    init: Option<&At>,
    cycles: usize,
    shown: &[Var],
    horizon: Option<usize>,
) -> Result<Result<Ran, Outcome>, String> {
    let mut given = Vec::new();
    for (name, ty) in flat.inputs() {
        let row = inputs.get(&name)?;
        let mut cells = Vec::new();
        for cell in row.items()? {
            let value = |json: &Value| {
                let (shape, numbers) = numbers(json);
                let element = ty.element().unwrap_or(Element::F64);
                Shared::new(Array::new(shape, data(element, &numbers)))
            };
            let cell = plain(&cell)?;
            if let Cell::Value(json) = &cell
                && !mlopt_dialects::eval::fits(ty, &value(json))
            {
                return Err(row.error(format!("expected cells of type {ty}")));
            }
            cells.push(cell.map(value));
        }
        given.push(Input::Cells(cells));
    }
    let mut values: HashMap<String, Array> = HashMap::new();
    for (name, value) in init.map_or(Ok(vec![]), |i| i.entries())? {
        let (shape, numbers) = regular(&value)?;
        values.insert(name, Array::new(shape, Data::F64(numbers)));
    }
    let mut initial = |op: Op| {
        let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
        let missing = || EvalError { location: name.clone(), text: "no initial value".into() };
        values.remove(&name).ok_or_else(missing)
    };
    let ran = match way {
        WayName::Eval => flat.interpret(&given, cycles, &mut initial).map(|rows| {
            let stop = flat.mistimed(&given, &rows);
            Ran { rows, stop }
        }),
        _ => Compiled::new(flat, shown, way == WayName::Egg)?.run(flat, &given, cycles, horizon, &mut initial),
    };
    Ok(ran.map_err(|e: EvalError| Outcome::Failed(e.to_string())))
}

/// The reason why a run stopped, as far as tests compare it.
struct Halt {
    code: &'static str,
    cycle: usize,
    /// Further fields of the error in the test.
    fields: Vec<(&'static str, Value)>,
}

fn static_argument(at: &At) -> Result<Static, String> {
    match at.json.as_array() {
        Some(_) => Ok(Static::Shape(at.items()?.iter().map(|n| Ok(n.size()? as u64)).collect::<Result<_, String>>()?)),
        None => Ok(Static::Int(at.integer()?)),
    }
}

/// Returns the types of inputs, as far as their cells determine them.
pub(super) fn types(inputs: &At) -> Result<Vec<(String, Type)>, String> {
    let mut types = Vec::new();
    for (name, row) in inputs.entries()? {
        let cells = row.items()?.iter().map(plain).collect::<Result<Vec<_>, String>>()?;
        let values: Vec<&Value> = cells.iter().filter_map(|c| c.value()).collect();
        let Some(first) = values.first() else { continue };
        let (shape, _) = numbers(first);
        let leaf = |v: &Value| {
            let mut v = v;
            while let Some(inner) = v.as_array().and_then(|a| a.first()) {
                v = inner;
            }
            match v {
                Value::Bool(_) => Kind::Bool,
                Value::Number(n) if !n.is_f64() => Kind::Int,
                _ => Kind::Float,
            }
        };
        let kinds: Vec<Kind> = values.iter().map(|v| leaf(v)).collect();
        let kind = if kinds.contains(&Kind::Float) { Kind::Float } else { kinds[0] };
        types.push((name, Type { kind, shape: shape.into_iter().map(|n| n as u64).collect() }));
    }
    Ok(types)
}

/// Parses `float64[2, 3]` or `bool[]`.
fn input_type(at: &At) -> Result<Type, String> {
    let text = at.text()?;
    let parts = text.split_once('[').and_then(|(kind, rest)| Some((kind, rest.strip_suffix(']')?)));
    let (kind, sizes) = parts.ok_or_else(|| at.expected("a type like `float64[2]`"))?;
    let kind = match kind {
        "bool" => Kind::Bool,
        "int64" => Kind::Int,
        "float64" => Kind::Float,
        _ => return Err(at.expected("a type of bool, int64 or float64")),
    };
    let sizes = sizes.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok());
    let shape = sizes.collect::<Option<Vec<u64>>>().ok_or_else(|| at.expected("sizes that are whole numbers"))?;
    Ok(Type { kind, shape })
}

/// Parses `"abs"`, `"bot"`, `"err"`, or a value.
pub(super) fn plain(at: &At) -> Result<Cell<Value>, String> {
    match at.json.as_str() {
        Some("abs") => Ok(Cell::Absent),
        Some("bot") => Ok(Cell::Undetermined),
        Some("err") => Ok(Cell::Mistimed),
        Some(_) => Err(at.expected("a value, \"abs\", \"bot\" or \"err\"")),
        None => regular(at).map(|_| Cell::Value(at.json.clone())),
    }
}

/// Returns shape and elements, which must be regular.
fn regular(at: &At) -> Result<(Vec<usize>, Vec<f64>), String> {
    let (shape, numbers) = numbers(at.json);
    let is_regular = shape.iter().product::<usize>() == numbers.len() && numbers.iter().all(|x| !x.is_nan());
    if is_regular { Ok((shape, numbers)) } else { Err(at.expected("a number, or lists of equal length of them")) }
}

pub(super) fn truth(cell: &Cell<Value>) -> Cell<bool> {
    match cell {
        Cell::Value(v) => v.as_bool().map_or(Cell::Mistimed, Cell::Value),
        other => other.map(|_| false),
    }
}

/// Returns shape and elements of nested lists; `true` is 1.
fn numbers(json: &Value) -> (Vec<usize>, Vec<f64>) {
    match json {
        Value::Array(items) => {
            let inner: Vec<_> = items.iter().map(numbers).collect();
            let shape = inner.first().map_or(vec![], |(shape, _)| shape.clone());
            let all = inner.into_iter().flat_map(|(_, numbers)| numbers).collect();
            ([vec![items.len()], shape].concat(), all)
        }
        Value::Bool(b) => (vec![], vec![f64::from(*b)]),
        other => (vec![], vec![other.as_f64().unwrap_or(f64::NAN)]),
    }
}

fn data(element: Element, numbers: &[f64]) -> Data {
    match element {
        Element::I1 => Data::I1(numbers.iter().map(|&x| x != 0.0).collect()),
        Element::I64 => Data::I64(numbers.iter().map(|&x| x as i64).collect()),
        _ => Data::F64(numbers.to_vec()),
    }
}
