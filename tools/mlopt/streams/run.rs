//! `mlopt run --node`: a node on given streams.

use super::chronogram;
use super::compiled::{Compiled, Ran};
use super::flat::{Flat, PIPELINE};
use super::initial;
use super::interpret::{Input, Row};
use super::rows::{part, row};
use crate::argument;
use crate::cli::Failure;
use crate::entry::place;
use crate::parameter::Parameter;
use crate::suggest::did_you_mean;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::{EvalError, Shared};
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::Var;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::io::{self, Write};

/// Options for nodes.
#[derive(clap::Args)]
pub struct NodeOptions {
    /// Run a reactive node instead of a function
    #[arg(long, value_name = "@NAME", conflicts_with_all = ["entry", "arguments", "outputs", "trace", "pass_pipeline"])]
    pub node: Option<String>,
    /// With --node: the values of an input, cycle by cycle, as for --arg with one more axis: in [1, 2, ., 4] the
    /// input is absent in cycle 2; without `.`, it has a value for every cycle, read where its clock says so
    #[arg(long = "input", value_name = "NAME=VALUES", requires = "node")]
    inputs: Vec<String>,
    /// With --node: a value for an initial value of an instance, by its full name, as for --arg
    #[arg(long = "initial", value_name = "NAME=VALUE", requires = "node")]
    initials: Vec<String>,
    /// With --node: how many cycles; all that the inputs have
    #[arg(long, value_name = "N", requires = "node")]
    ticks: Option<usize>,
    /// With --node: print a table of inputs and outputs against cycles instead of a line of JSON for each cycle
    #[arg(long, requires = "node")]
    chronogram: bool,
    /// With --node: another stream to print, by its full name
    #[arg(long = "show", value_name = "NAME", requires = "node")]
    shown: Vec<String>,
    /// With --node: how many cycles may wait for others at most; without a limit they are as many as it takes
    #[arg(long, value_name = "CYCLES", requires = "node", conflicts_with = "interpret",
          value_parser = clap::value_parser!(u32).range(1..))]
    horizon: Option<u32>,
    /// With --node: what to do with cycles in which an output is not known when the inputs end
    #[arg(long, value_name = "error|show", default_value = "error", value_parser = ["error", "show"], requires = "node")]
    tail: String,
}

/// A cell before it is known which input it is for.
enum Given {
    Cells(Vec<Cell<Shared>>),
    Slots(Vec<Shared>),
}

impl Given {
    fn len(&self) -> usize {
        match self {
            Given::Cells(c) => c.len(),
            Given::Slots(s) => s.len(),
        }
    }
}

impl NodeOptions {
    pub fn execute(&self, program: &Program, name: &str, interpreted: bool) -> Result<(), Failure> {
        program.run_pipeline(PIPELINE)?;
        let node = find(program, name)?;
        let here = place(node.location());
        let flat = Flat::new(node)?;
        let shown = self.shown(&flat).map_err(|e| Failure::at(&here, e))?;
        let given = self.given(&flat).map_err(|e| Failure::at(&here, e))?;
        let shortest = given.iter().map(Given::len).min();
        let cycles = match (self.ticks, shortest) {
            (Some(n), Some(have)) if n > have => {
                let text = format!("--ticks: expected at most as many cycles as the inputs have, {have}, found {n}");
                return Err(Failure::at(&here, text));
            }
            (Some(n), _) | (None, Some(n)) => n,
            (None, None) => return Err(Failure::at(&here, "expected `--ticks` for a node without inputs")),
        };
        let first = |given| match given {
            Given::Cells(mut c) => {
                c.truncate(cycles);
                Input::Cells(c)
            }
            Given::Slots(mut s) => {
                s.truncate(cycles);
                Input::Slots(s)
            }
        };
        let inputs: Vec<Input> = given.into_iter().map(first).collect();
        let mut initials = self.initials(&flat).map_err(|e| Failure::at(&here, e))?;
        let mut initial = |op: Op| {
            let name = text(op, "initial_name");
            let known = initials.remove(&name).map(Ok);
            let made = || {
                let parameter = parameter(op.result(0).ty())?;
                let shape: Vec<usize> = parameter.shape.iter().map(|n| n.unwrap_or(0)).collect();
                initial::value(&text(op, "method"), &name, parameter.element, &shape)
            };
            known.unwrap_or_else(made).map_err(|text| EvalError { location: place(op.location()), text })
        };
        let ran = if interpreted {
            flat.interpret(&inputs, cycles, &mut initial).map(Ran::whole)
        } else {
            let code = Compiled::new(&flat, &shown, true).map_err(|e| Failure::at(&here, e))?;
            code.run(&flat, &inputs, cycles, self.horizon.map(|n| n as usize), &mut initial)
        };
        let Ran { rows, overrun, fault } = ran.map_err(|e| Failure::at(&e.location, e.text))?;
        let mistimed = flat.mistimed(&inputs, &rows).map(|(n, text)| (n, Failure::at(&here, text)));
        let late = overrun.zip(self.horizon).map(|(o, h)| (o.cycle, Failure::at(&here, flat.overrun(o, h as usize))));
        let fault = fault.map(|(n, e)| (n, Failure::at(&e.location, e.text)));
        // Nothing is said after the first error [D7].
        let stopped = [fault, mistimed, late].into_iter().flatten().min_by_key(|(n, _)| *n);
        let end = stopped.as_ref().map_or(cycles, |m| m.0);
        self.print(&flat, &shown, &rows, end).map_err(|e| Failure::at("standard output", e))?;
        let undetermined = if self.tail == "error" { flat.undetermined(&rows) } else { None };
        match stopped.map(|s| s.1).or_else(|| undetermined.map(|text| Failure::at(here, text))) {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    /// One for each input of the node.
    fn given(&self, flat: &Flat) -> Result<Vec<Given>, String> {
        let all = named(&self.inputs, "--input")?;
        let names: Vec<String> = flat.inputs().map(|i| i.0).collect();
        if let Some((name, _)) = all.iter().find(|(name, _)| !names.iter().any(|n| n == name)) {
            let hint = did_you_mean(name, names.iter().map(String::as_str));
            return Err(format!("--input: the node has no input `{name}`{hint}"));
        }
        let one = |(name, ty): (String, Type)| {
            let text = all.iter().rev().find(|(n, _)| *n == name).map(|(_, text)| *text);
            let text =
                text.ok_or_else(|| format!("no values for the input `{name}`, as in `--input {name}=[1, 2]`"))?;
            given(text, ty).map_err(|e| format!("--input {name}: {e}"))
        };
        flat.inputs().map(one).collect()
    }

    fn initials(&self, flat: &Flat) -> Result<HashMap<String, Array>, String> {
        let known: Vec<Op> = flat.initials().collect();
        let mut values = HashMap::new();
        for (name, value) in named(&self.initials, "--initial")? {
            let Some(&op) = known.iter().find(|&&op| text(op, "initial_name") == name) else {
                let names: Vec<String> = known.iter().map(|&op| text(op, "initial_name")).collect();
                let hint = did_you_mean(name, names.iter().map(String::as_str));
                return Err(format!("--initial: the node has no initial value `{name}`{hint}"));
            };
            let parameter = parameter(op.result(0).ty())?;
            let value = argument::read(value, &parameter).map_err(|e| format!("--initial {name}: {e}"))?;
            values.insert(name.to_string(), value);
        }
        Ok(values)
    }

    /// The streams that are asked for besides inputs and outputs.
    fn shown(&self, flat: &Flat) -> Result<Vec<Var>, String> {
        let one = |name: &String| {
            let hint = || did_you_mean(name, flat.names());
            flat.find(name).ok_or_else(|| format!("--show: the node has no stream `{name}`{}", hint()))
        };
        self.shown.iter().map(one).collect()
    }

    fn print(&self, flat: &Flat, shown: &[Var], rows: &[Row], end: usize) -> io::Result<()> {
        let mut all: Vec<(String, Row)> = Vec::new();
        let mut add = |name: &str, row: &Row| all.push((name.to_string(), row[..end].to_vec()));
        if self.chronogram {
            flat.graph.inputs().for_each(|v| add(&flat.graph.label(v), &rows[v]));
        }
        flat.graph.outputs.iter().for_each(|(name, v)| add(name, &rows[*v]));
        self.shown.iter().zip(shown).for_each(|(name, &v)| add(name, &rows[v]));
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.chronogram {
            return out.write_all(chronogram::table(&all).as_bytes());
        }
        for n in 0..end {
            let mut line = Map::from_iter([("cycle".to_string(), Value::from(n))]);
            for (name, row) in &all {
                if let Some(x) = row[n].value() {
                    line.insert(name.clone(), json(x.data(), x.shape()));
                }
            }
            writeln!(out, "{}", Value::Object(line))?;
        }
        out.flush()
    }
}

/// The node of a name, with or without `@`.
fn find(program: &Program, name: &str) -> Result<Op, Failure> {
    let nodes = Flat::nodes(program);
    let name = name.strip_prefix('@').unwrap_or(name);
    nodes.iter().find(|n| n.symbol().as_deref() == Some(name)).copied().ok_or_else(|| {
        let names: Vec<String> = nodes.iter().filter_map(|n| n.symbol()).collect();
        let hint = did_you_mean(name, names.iter().map(String::as_str));
        Failure::at(place(program.module().location()), format!("no node `@{name}`{hint}"))
    })
}

fn text(op: Op, attribute: &str) -> String {
    op.attribute(attribute).and_then(|a| a.as_string()).unwrap_or_default()
}

fn parameter(ty: Type) -> Result<Parameter, String> {
    let text = ty.to_string();
    Parameter::parse(&text).ok_or_else(|| format!("expected a scalar or a tensor of numbers, found {text}"))
}

/// `NAME=VALUE` for each.
fn named<'a>(all: &'a [String], option: &str) -> Result<Vec<(&'a str, &'a str)>, String> {
    let one = |text: &'a String| text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    all.iter().map(|text| one(text).ok_or_else(|| format!("{option}: expected `NAME=VALUE`, found `{text}`"))).collect()
}

/// The values of a stream of this type.
fn given(text: &str, ty: Type) -> Result<Given, String> {
    let cell = parameter(ty)?;
    if let Some(items) = with_absences(text) {
        let one = |item: &str| match item {
            "." => Ok(Cell::Absent),
            _ => argument::read(item, &cell).map(|x| Cell::Value(Shared::new(x))),
        };
        return items.into_iter().map(one).collect::<Result<_, _>>().map(Given::Cells);
    }
    let shape = std::iter::once(None).chain(cell.shape.iter().copied()).collect();
    let all = argument::read(text, &Parameter { element: cell.element, shape })?;
    Ok(Given::Slots((0..all.shape()[0]).map(|n| Shared::new(row(&all, n))).collect()))
}

/// The items of a list in brackets, if one of them is `.`.
fn with_absences(text: &str) -> Option<Vec<&str>> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (mut items, mut depth, mut start) = (vec![], 0, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                items.push(inner[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(inner[start..].trim());
    items.contains(&".").then_some(items)
}

/// A number, or nested lists; JSON has no NaN and no infinity: these are strings.
fn json(data: &Data, shape: &[usize]) -> Value {
    let Some((&n, inner)) = shape.split_first() else {
        let float = |x: f64| serde_json::Number::from_f64(x).map_or_else(|| Value::from(x.to_string()), Value::Number);
        return match data {
            Data::F32(v) => float(v[0] as f64),
            Data::F64(v) => float(v[0]),
            Data::I1(v) => Value::from(v[0]),
            Data::I32(v) => Value::from(v[0]),
            Data::I64(v) | Data::Index(v) => Value::from(v[0]),
        };
    };
    let size = inner.iter().product();
    Value::Array((0..n).map(|k| json(&part(data, k * size, size), inner)).collect())
}
