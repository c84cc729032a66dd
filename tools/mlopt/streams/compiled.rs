//! A node as code of the machine: what `stream-to-loops` makes of it, called for many cycles at a time.

use super::flat::Flat;
use super::interpret::{Input, Row};
use super::rows::{row, stack, zeros};
use crate::compile::{default_pipeline, pipeline_without};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::{EvalError, Shared};
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::native::{Compiled as Module, Function, Target};
use mlopt_passes::stream_to_loops::{ARGUMENTS, INIT, RESULTS};
use mlopt_passes::streams::Var;
use mlopt_passes::streams::clocks::Clock;
use mlopt_passes::streams::plan::Class;
use std::collections::HashMap;

/// Cycles of one call: enough that calling costs nothing, and few enough that rows stay in the cache.
const CYCLES: usize = 1024;

/// What makes functions of nodes.
const TO_FUNCTIONS: &str = "builtin.module(stream-to-loops,func.func(upstream-to-array))";

/// What an argument or a result of the function is, with the name of the stream.
#[derive(Clone, Debug, PartialEq)]
struct Slot {
    role: String,
    name: String,
}

pub struct Compiled {
    step: Function,
    init: Function,
    arguments: Vec<Slot>,
    results: Vec<Slot>,
    /// Those of the function of the first state, by name.
    initials: Vec<String>,
    /// Where the divisions stand.
    faults: Vec<String>,
    /// The streams that are shown: outputs first.
    shown: Vec<Var>,
}

impl Compiled {
    /// Compiles the node of `flat`. The streams `more` are known of a run besides inputs and outputs. `None` for a node whose plan
    /// is not compiled yet.
    ///
    /// # Errors
    /// What does not fit the target, and streams whose clock nobody outside can know.
    pub fn new(flat: &Flat, more: &[Var], optimise: bool) -> Result<Option<Compiled>, String> {
        if flat.plan.class != Class::Forward {
            return Ok(None);
        }
        let node = flat.graph.node;
        let module = node.module().expect("a node is in a module");
        let reported = |_| "see above".to_string();
        let program = Program::parse(module.with_locations().as_bytes(), "node").map_err(reported)?;
        let symbol = node.symbol().unwrap_or_default();
        for other in Flat::nodes(&program) {
            match other.symbol() == node.symbol() {
                true => show(other, flat, more),
                false => other.erase(),
            }
        }
        program.run_pipeline(TO_FUNCTIONS).map_err(reported)?;
        let function = |name: &str| program.module().lookup(name).expect("the pass made it");
        let (step, init) = (function(&symbol), function(&format!("{symbol}{INIT}")));
        let arguments = slots(step, ARGUMENTS);
        let results = slots(step, RESULTS);
        let initials = slots(init, ARGUMENTS).into_iter().map(|s| s.name).collect();
        let faults = texts(step, "stream.faults");
        let target = Target::host().map_err(|e| e.to_string())?;
        target.describe(program.module());
        let pipeline = if optimise { default_pipeline() } else { pipeline_without("egg-optimize") };
        program.run_pipeline(&pipeline).map_err(reported)?;
        let code = Module::new(program.module(), &target).map_err(|e| e.to_string())?;
        let call = |name: &str| code.function(name).map_err(|e| e.to_string());
        let shown = flat.graph.outputs.iter().map(|o| o.1).chain(more.iter().copied()).collect();
        let (step, init) = (call(&symbol)?, call(&format!("{symbol}{INIT}"))?);
        Ok(Some(Compiled { step, init, arguments, results, initials, faults, shown }))
    }

    /// Inputs, outputs and what else is shown, by number; of other streams nothing is known. From a cycle on in which an input is present
    /// where its clock is not, or the reverse, nothing is known.
    ///
    /// # Errors
    /// E-RT-OP, and what `initial` says of a value that it cannot make.
    pub fn run(
        &self,
        flat: &Flat,
        inputs: &[Input],
        cycles: usize,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Vec<Row>, EvalError> {
        let broken = |e: mlopt_lowering::native::Error| EvalError { location: "code".into(), text: e.to_string() };
        let mut values: HashMap<String, Array> = HashMap::new();
        for op in flat.initials() {
            let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
            values.insert(name, initial(op)?);
        }
        let given: Vec<Array> = self.initials.iter().map(|name| values[name].clone()).collect();
        let mut state = self.init.call(&given).map_err(broken)?;
        let mut rows: Vec<Row> = vec![vec![Cell::Undetermined; cycles]; flat.graph.len()];
        let (active, wrong) = base(flat, inputs, cycles);
        for n in (0..wrong.map_or(cycles, |w| w.0)).filter(|&n| !active[n]) {
            self.shown.iter().for_each(|&v| rows[v][n] = Cell::Absent);
            flat.graph.inputs().for_each(|v| rows[v][n] = Cell::Absent);
        }
        let running: Vec<usize> = (0..wrong.map_or(cycles, |w| w.0)).filter(|&n| active[n]).collect();
        for chunk in running.chunks(CYCLES) {
            let arguments = self.pack(flat, inputs, chunk, &state, &values);
            let mut made = self.step.call(&arguments).map_err(broken)?;
            let part = made.split_off(state.len());
            state = made;
            if let Some(fault) = self.unpack(flat, inputs, chunk, &part, &mut rows) {
                return Err(fault);
            }
            if flat.graph.inputs().any(|v| rows[v].contains(&Cell::Mistimed)) {
                return Ok(rows);
            }
        }
        if let Some((n, v)) = wrong {
            rows[v][n] = Cell::Mistimed;
        }
        Ok(rows)
    }

    /// Arguments for some cycles.
    fn pack(
        &self,
        flat: &Flat,
        inputs: &[Input],
        cycles: &[usize],
        state: &[Array],
        initials: &HashMap<String, Array>,
    ) -> Vec<Array> {
        let mut states = state.iter();
        let one = |slot: &Slot| match slot.role.as_str() {
            "input" => {
                let v = flat.graph.inputs().find(|&v| flat.graph.label(v) == slot.name).expect("an input of the node");
                let ty = flat.graph.value(v).ty();
                let zero = zeros(ty);
                let cell = |&n: &usize| match &inputs[v] {
                    Input::Slots(values) => &*values[n],
                    Input::Cells(cells) => cells[n].value().map_or(&zero, |x| x),
                };
                stack(ty, cycles.iter().map(cell))
            }
            "cycles" => Array::index(cycles.len() as i64),
            "initial" => initials[&slot.name].clone(),
            _ => states.next().expect("one for each").clone(),
        };
        self.arguments.iter().map(one).collect()
    }

    /// Writes the rows of some cycles. The first division by zero is the error.
    fn unpack(
        &self,
        flat: &Flat,
        inputs: &[Input],
        cycles: &[usize],
        part: &[Array],
        rows: &mut [Row],
    ) -> Option<EvalError> {
        let slots = &self.results[self.results.len() - part.len()..];
        let find = |role: &str, name: &str| {
            slots.iter().position(|s| s.role == role && s.name == name).map(|k| &part[k])
        };
        let holds = |row: Option<&Array>, k: usize| row.is_none_or(|x| matches!(x.data(), Data::I1(v) if v[k]));
        let fault = find("fault", "").and_then(|x| {
            let Data::I64(codes) = x.data() else { return None };
            codes.iter().position(|&c| c != 0).map(|k| (k, codes[k] as usize - 1))
        });
        let mut end = fault.map_or(cycles.len(), |f| f.0);
        for v in flat.graph.inputs() {
            let expected = find("clock", &flat.graph.label(v));
            for (k, &n) in cycles.iter().enumerate().take(end) {
                let is_on = holds(expected, k);
                rows[v][n] = match &inputs[v] {
                    Input::Slots(values) if is_on => Cell::Value(values[n].clone()),
                    Input::Slots(_) => Cell::Absent,
                    Input::Cells(cells) if cells[n].value().is_some() == is_on => cells[n].clone(),
                    Input::Cells(_) => Cell::Mistimed,
                };
                if rows[v][n] == Cell::Mistimed {
                    end = k;
                    break;
                }
            }
        }
        let mut outputs = slots.iter().zip(part).filter(|(s, _)| s.role == "output");
        for &v in &self.shown {
            let (slot, values) = outputs.next().expect("one for each");
            let presence = find("presence", &slot.name);
            for (k, &n) in cycles.iter().enumerate().take(end) {
                rows[v][n] =
                    if holds(presence, k) { Cell::Value(Shared::new(row(values, k))) } else { Cell::Absent };
            }
        }
        let (k, number) = fault?;
        (k <= end).then(|| EvalError {
            location: self.faults.get(number).cloned().unwrap_or_default(),
            text: format!("E-RT-OP: division by zero in cycle {}", cycles[k]),
        })
    }
}

/// In which cycles the base clock ticks, and the first in which some of its inputs are there and others not, with one of them [D1].
fn base(flat: &Flat, inputs: &[Input], cycles: usize) -> (Vec<bool>, Option<(usize, Var)>) {
    let on_base: Vec<Var> = flat.graph.inputs().filter(|&v| flat.clocks.of(v) == Clock::BASE).collect();
    let mut active = vec![true; cycles];
    for n in 0..cycles {
        let is_absent = |v: &&Var| matches!(&inputs[**v], Input::Cells(cells) if cells[n].value().is_none());
        let absent: Vec<&Var> = on_base.iter().filter(is_absent).collect();
        match absent.len() {
            0 => {}
            k if k == on_base.len() => active[n] = false,
            _ => return (active, on_base.first().map(|&v| (n, v))),
        }
    }
    (active, None)
}

/// More outputs, with the conditions by which it is known when they are there.
fn show(node: Op, flat: &Flat, more: &[Var]) {
    let end = node.body().and_then(|b| b.terminator()).expect("a node ends in `stream.yield`");
    let graph = mlopt_passes::streams::Graph::of(node).expect("the same equations");
    let context = node.context();
    let mut names = texts(node, "outputs");
    let mut vars: Vec<Var> = more.to_vec();
    for &v in more {
        vars.extend(flat.clocks.literals(flat.clocks.of(v)).map(|l| l.condition));
    }
    let (inputs, mut types) = node.function_type().unwrap_or_default();
    let mut values = end.operands();
    let taken: Vec<String> = names.iter().cloned().chain(texts(node, "inputs")).collect();
    for (k, v) in vars.into_iter().enumerate() {
        let name = (0..).map(|n| format!("shown{k}{}", "_".repeat(n))).find(|n| !taken.contains(n));
        names.push(name.expect("one is free"));
        values.push(graph.value(v));
        types.push(graph.value(v).ty());
    }
    end.set_operands(&values);
    let names: Vec<_> = names.iter().map(|n| context.string_attr(n)).collect();
    node.set_attribute("outputs", context.array_attr(&names));
    node.set_attribute("function_type", context.type_attr(context.function_type(&inputs, &types)));
}

fn texts(op: Op, attribute: &str) -> Vec<String> {
    let all = op.attribute(attribute).and_then(|a| a.as_array()).unwrap_or_default();
    all.into_iter().filter_map(|a| a.as_string()).collect()
}

fn slots(op: Op, attribute: &str) -> Vec<Slot> {
    let one = |text: String| {
        let (role, name) = text.split_once(' ').unwrap_or((&text, ""));
        Slot { role: role.into(), name: name.into() }
    };
    texts(op, attribute).into_iter().map(one).collect()
}
