//! Tests of one primitive of streams: rows of cells, and the expected result.

use super::at::At;
use super::streams::{File, Outcome, execute, outcome, plain, truth, types};
use super::ways::WayName;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::{self, Cell, Tick};
use mlopt_dialects::value::Element;
use mlopt_frontend::streams::functions;
use mlopt_frontend::streams::{Kind, Request};
use serde_json::Value;

impl File<'_> {
    /// Checks a table of 4.3, or a function of section 3 cycle by cycle.
    pub(super) fn primitive(&self, test: &At) -> Result<Outcome, String> {
        let operands = test.get("operands")?.items()?;
        let rows: Vec<Vec<Cell<Value>>> =
            operands.iter().map(|row| row.items()?.iter().map(plain).collect()).collect::<Result<_, String>>()?;
        let name = test.get("op")?.text()?;
        let expected = test.get("result")?.items()?;
        let wanted = match name.as_str() {
            "when" | "fby" => 2,
            "post" | "param" => 1,
            "merge" | "if" => 3,
            _ => return self.function(test, &name, &rows, &expected),
        };
        if rows.len() != wanted || rows.iter().any(|r| r.len() != expected.len()) {
            return Err(test.error(format!("expected {wanted} operands as long as the result")));
        }
        let clock: Vec<Tick> = match test.find("clock") {
            Some(clock) => clock.items()?.iter().map(|c| Ok(truth(&plain(c)?))).collect::<Result<_, String>>()?,
            None => vec![],
        };
        if matches!(name.as_str(), "fby" | "post") && clock.len() != expected.len() {
            return Err(test.error("expected a clock as long as the operands"));
        }
        let holds = test.find("polarity").map_or(Ok(true), |p| p.truth())?;
        let one = |n: usize| match name.as_str() {
            "when" => cells::when(&rows[0][n], &truth(&rows[1][n]), holds),
            "merge" => cells::merge(&truth(&rows[0][n]), &rows[1][n], &rows[2][n]),
            "if" => cells::select(&truth(&rows[0][n]), &rows[1][n], &rows[2][n]),
            "fby" => cells::fby(&rows[0][n], |m| rows[1][m].clone(), &clock, n),
            "post" => cells::post(|m| rows[0][m].clone(), &clock, n),
            _ => rows[0][n].clone(),
        };
        let mut problems = Vec::new();
        for (n, expected) in expected.iter().enumerate() {
            let (found, expected) = (one(n), plain(expected)?);
            if found != expected {
                problems.push(format!("cell {n}: expected {expected:?}, found {found:?}"));
            }
        }
        Ok(outcome(problems))
    }

    /// Checks a function of the values of a cycle, lifted to cells. Its values are computed by a node that contains it.
    fn function(&self, test: &At, name: &str, rows: &[Vec<Cell<Value>>], expected: &[At]) -> Result<Outcome, String> {
        let op = test.get("op")?;
        let statics = test.find("static").map_or(Ok(vec![]), |s| s.items())?;
        let statics = statics.iter().map(|s| s.json.to_string()).collect::<Vec<_>>().join(", ");
        let call = functions::call(name, &statics, rows.len());
        let call = call.ok_or_else(|| op.error(format!("unknown primitive `{name}` of {} operands", rows.len())))?;
        if rows.iter().any(|r| r.len() != expected.len()) {
            return Err(test.error("expected operands as long as the result"));
        }
        let cells: Vec<Cell<Vec<&Value>>> =
            (0..expected.len()).map(|n| cells::lift(&rows.iter().map(|r| &r[n]).collect::<Vec<_>>())).collect();
        let present: Vec<&Vec<&Value>> = cells.iter().filter_map(|c| c.value()).collect();
        let row = |k: usize| Value::Array(present.iter().map(|x| x[k].clone()).collect());
        let names: Vec<String> = (0..rows.len()).map(|k| format!("x{k}")).collect();
        let inputs = Value::Object(names.iter().enumerate().map(|(k, name)| (name.clone(), row(k))).collect());
        let inputs = At { json: &inputs, path: test.path.clone() };
        let mut values = Vec::new();
        if !present.is_empty() {
            let mut types = types(&inputs)?;
            // An integer in JSON may be a float.
            let has_float = types.iter().any(|(_, ty)| ty.kind == Kind::Float);
            let is_of_floats = functions::is_of_floats(name);
            types.iter_mut().filter(|(_, ty)| ty.kind == Kind::Int && (has_float || is_of_floats)).for_each(
                |(_, ty)| {
                    ty.kind = Kind::Float;
                },
            );
            let source = format!("node prim({}) -> (y) let y = {call}; tel", names.join(", "));
            let request = Request { node: Some("prim".into()), statics: vec![], types, float: Element::F64 };
            let loaded = match (File { library: "", ..*self }).load(&source, &request) {
                Ok(loaded) => loaded,
                Err(e) => return Ok(Outcome::Failed(e.text)),
            };
            match execute(WayName::Eval, &loaded.flat, &inputs, None, present.len(), &[])? {
                Ok(found) => values = found[loaded.flat.graph.outputs[0].1].clone(),
                Err(outcome) => return Ok(outcome),
            }
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
        let mut problems = Vec::new();
        for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
            problems.extend(self.differs(found, expected)?.map(|text| format!("cell {n}: {text}")));
        }
        Ok(outcome(problems))
    }
}
