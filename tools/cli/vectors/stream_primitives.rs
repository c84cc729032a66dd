//! Tests of single primitives of streams: rows of cells, and the expected result.

use super::configurations::Runner;
use super::streams::{Entry, File, Rows, different, execute, import, none, truth, types};
use super::{Error, wrong};
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::{self, Cell, Tick};
use mlopt_dialects::value::Element;
use mlopt_frontend::streams::functions;
use mlopt_frontend::streams::{Elements, Request};
use mlopt_runtime::streams::flat::PIPELINE;
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub struct Primitive {
    op: String,
    operands: Vec<Vec<Entry>>,
    result: Vec<Entry>,
    #[serde(default)]
    clock: Vec<Entry>,
    polarity: Option<bool>,
    #[serde(default, rename = "static")]
    statics: Vec<Json>,
}

impl File {
    /// Checks a table of 4.3, or a function of section 3 cycle by cycle.
    pub(super) fn primitive(&self, test: &Primitive) -> Result<(), Error> {
        let Primitive { op: name, result: expected, .. } = test;
        let wanted = match name.as_str() {
            "when" | "fby" => 2,
            "post" | "param" => 1,
            "merge" | "if" => 3,
            _ => return self.function(test),
        };
        if test.operands.len() != wanted || test.operands.iter().any(|r| r.len() != expected.len()) {
            return wrong(format!("expected {wanted} operands as long as the result"));
        }
        let clock: Vec<Tick> = test.clock.iter().map(|Entry(c)| truth(c)).collect();
        if matches!(name.as_str(), "fby" | "post") && clock.len() != expected.len() {
            return wrong("expected a clock as long as the operands");
        }
        let cell = |k: usize, n: usize| &test.operands[k][n].0;
        let holds = test.polarity.unwrap_or(true);
        let one = |n: usize| match name.as_str() {
            "when" => cells::when(cell(0, n), &truth(cell(1, n)), holds),
            "merge" => cells::merge(&truth(cell(0, n)), cell(1, n), cell(2, n)),
            "if" => cells::select(&truth(cell(0, n)), cell(1, n), cell(2, n)),
            "fby" => cells::fby(cell(0, n), |m| cell(1, m).clone(), &clock, n),
            "post" => cells::post(|m| cell(0, m).clone(), &clock, n),
            _ => cell(0, n).clone(),
        };
        let problems = expected.iter().enumerate().filter_map(|(n, Entry(expected))| {
            let found = one(n);
            (found != *expected).then(|| format!("cell {n}: {}", different(&found, expected)))
        });
        none(problems.collect())
    }

    /// Checks a function of the values of a cycle, lifted to cells. Its values are computed by a node that contains it.
    fn function(&self, test: &Primitive) -> Result<(), Error> {
        let Primitive { op: name, operands: rows, result: expected, statics, .. } = test;
        let statics = statics.iter().map(Json::to_string).collect::<Vec<_>>().join(", ");
        let call = functions::call(name, &statics, rows.len());
        let unknown = || Error::Wrong(format!("unknown primitive `{name}` of {} operands", rows.len()));
        let call = call.ok_or_else(unknown)?;
        if rows.iter().any(|r| r.len() != expected.len()) {
            return wrong("expected operands as long as the result");
        }
        let lifted = |n: usize| cells::lift(&rows.iter().map(|r| &r[n].0).collect::<Vec<_>>());
        let cells: Vec<Cell<Vec<&Shared>>> = (0..expected.len()).map(lifted).collect();
        let present: Vec<&Vec<&Shared>> = cells.iter().filter_map(|c| c.value()).collect();
        let row = |k: usize| present.iter().map(|x| Entry(Cell::Value(x[k].clone()))).collect();
        let names: Vec<String> = (0..rows.len()).map(|k| format!("x{k}")).collect();
        let inputs: Rows = names.iter().enumerate().map(|(k, name)| (name.clone(), row(k))).collect();
        let mut values = Vec::new();
        if !present.is_empty() {
            let mut types = types(&inputs);
            // An integer in JSON may be a float.
            let has_float = types.iter().any(|(_, ty)| ty.kind == Elements::Float);
            let is_of_floats = functions::is_of_floats(name);
            types.iter_mut().filter(|(_, ty)| ty.kind == Elements::Int && (has_float || is_of_floats)).for_each(
                |(_, ty)| {
                    ty.kind = Elements::Float;
                },
            );
            let source = format!("\nnode prim({}) -> (y) let y = {call}; tel", names.join(", "));
            let request = Request { node: Some("prim".into()), statics: vec![], types, float: Element::F64 };
            let loaded = import(&source, &request, PIPELINE, "")?;
            let found = execute(Runner::Eval, &loaded.flat, &inputs, &BTreeMap::new(), present.len(), &[])?;
            values = found[loaded.flat.graph.outputs[0].1].clone();
        }
        let mut values = values.into_iter();
        let found: Row = cells
            .iter()
            .map(|c| match c {
                Cell::Value(_) => values.next().unwrap_or(Cell::Undetermined),
                Cell::Undetermined => Cell::Undetermined,
                Cell::Absent => Cell::Absent,
                Cell::Mistimed => Cell::Mistimed,
            })
            .collect();
        let problems =
            found.iter().zip(expected).enumerate().filter_map(|(n, (found, expected))| {
                self.differs(found, expected).map(|text| format!("cell {n}: {text}"))
            });
        none(problems.collect())
    }
}
