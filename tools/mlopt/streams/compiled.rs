//! A node as code of the machine: what `stream-to-loops` makes of it, called for many cycles at a time.

use super::flat::Flat;
use super::interpret::{Input, Row};
use super::rows::{part, row, stack, zeros};
use crate::compile::{default_pipeline, pipeline_without};
use crate::entry::place;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::{EvalError, Shared};
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::native::{Compiled as Module, Function, Target};
use mlopt_passes::stream_to_loops::{ARGUMENTS, BACK, FAULTS, INIT, RESULTS};
use mlopt_passes::streams::Var;
use mlopt_passes::streams::clocks::Clock;
use mlopt_passes::streams::names::strings;
use std::collections::HashMap;

/// Cycles of one call: enough that calling costs nothing, and few enough that rows stay in the cache.
const CYCLES: usize = 1024;

/// The fewest cycles that a node that looks ahead is given at once.
const WINDOW: usize = 32;

/// What makes functions of nodes.
const TO_FUNCTIONS: &str = "builtin.module(stream-to-loops,func.func(upstream-to-array))";

/// What an argument or a result of the function is, with the name of the stream.
#[derive(Clone, Debug, PartialEq)]
struct Slot {
    role: String,
    name: String,
}

pub struct Compiled {
    init: Function,
    forward: Function,
    /// For a node that looks ahead.
    back: Option<Function>,
    /// Arguments and results of each, by its function's name without that of the node.
    slots: HashMap<&'static str, [Vec<Slot>; 2]>,
    /// The quotients, by name.
    faults: Vec<String>,
    /// The streams that are shown: outputs first.
    shown: Vec<Var>,
}

/// Values with what each is.
struct Made<'a> {
    slots: &'a [Slot],
    values: Vec<Array>,
}

impl Made<'_> {
    fn find(&self, role: &str, name: &str) -> Option<&Array> {
        self.slots.iter().position(|s| s.role == role && s.name == name).map(|k| &self.values[k])
    }

    /// A mask in one cycle: true where there is none.
    fn holds(&self, role: &str, name: &str, k: usize) -> bool {
        self.find(role, name).is_none_or(|x| matches!(x.data(), Data::I1(v) if v[k]))
    }

    fn state(&self) -> Vec<Array> {
        let is_state = |s: &&Slot| matches!(s.role.as_str(), "state" | "state?" | "ticked" | "ticked?");
        self.values[..self.slots.iter().take_while(is_state).count()].to_vec()
    }
}

/// The rows of a run, by stream, and what stopped it before the inputs ended.
pub struct Ran {
    pub rows: Vec<Row>,
    pub overrun: Option<Overrun>,
    /// A cycle without a result, and why.
    pub fault: Option<(usize, EvalError)>,
}

impl Ran {
    /// Nothing stopped it.
    pub fn whole(rows: Vec<Row>) -> Ran {
        Ran { rows, overrun: None, fault: None }
    }
}

/// A cycle that does not fit: so many are held already, from `start` on, and nothing tells what comes of them (E-RT-HORIZON).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overrun {
    pub start: usize,
    pub cycle: usize,
}

/// Some cycles that are looked at together.
struct Window<'a> {
    flat: &'a Flat,
    inputs: &'a [Input],
    cycles: &'a [usize],
    state: &'a [Array],
    initials: &'a HashMap<String, Array>,
}

impl Compiled {
    /// Compiles the node of `flat`. The streams `more` are known of a run besides inputs and outputs.
    ///
    /// # Errors
    /// What does not fit the target, and streams whose clock nobody outside can know.
    pub fn new(flat: &Flat, more: &[Var], optimise: bool) -> Result<Compiled, String> {
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
        let find = |suffix: &str| program.module().lookup(&format!("{symbol}{suffix}"));
        let mut slots = HashMap::new();
        for suffix in ["", INIT, BACK] {
            if let Some(op) = find(suffix) {
                slots.insert(suffix, [ARGUMENTS, RESULTS].map(|a| slots_of(op, a)));
            }
        }
        let faults = find("").map(|op| strings(op, FAULTS)).unwrap_or_default();
        let target = Target::host().map_err(|e| e.to_string())?;
        target.describe(program.module());
        let pipeline = if optimise { default_pipeline() } else { pipeline_without("egg-optimize") };
        program.run_pipeline(&pipeline).map_err(reported)?;
        let code = Module::new(program.module(), &target).map_err(|e| e.to_string())?;
        let call = |suffix: &str| code.function(&format!("{symbol}{suffix}")).map_err(|e| e.to_string());
        let back = if slots.contains_key(BACK) { Some(call(BACK)?) } else { None };
        let shown = flat.graph.outputs.iter().map(|o| o.1).chain(more.iter().copied()).collect();
        Ok(Compiled { init: call(INIT)?, forward: call("")?, back, slots, faults, shown })
    }

    /// Inputs, outputs and what else is shown, by number; of other streams nothing is known. From a cycle on in which an input is present
    /// where its clock is not, or the reverse, nothing is known. At most `horizon` cycles are held that wait for others.
    ///
    /// # Errors
    /// What `initial` says of a value that it cannot make.
    pub fn run(
        &self,
        flat: &Flat,
        inputs: &[Input],
        cycles: usize,
        horizon: Option<usize>,
        initial: &mut dyn FnMut(Op) -> Result<Array, EvalError>,
    ) -> Result<Ran, EvalError> {
        let mut initials: HashMap<String, Array> = HashMap::new();
        for op in flat.initials() {
            let name = op.attribute("initial_name").and_then(|a| a.as_string()).unwrap_or_default();
            initials.insert(name, initial(op)?);
        }
        let given: Vec<Array> = self.slots[INIT][0].iter().map(|s| initials[&s.name].clone()).collect();
        let mut state = self.init.call(&given).map_err(broken)?;
        let mut rows: Vec<Row> = vec![vec![Cell::Undetermined; cycles]; flat.graph.len()];
        let (active, wrong) = base(flat, inputs, cycles);
        let end = wrong.map_or(cycles, |w| w.0);
        for n in (0..end).filter(|&n| !active[n]) {
            self.shown.iter().for_each(|&v| rows[v][n] = Cell::Absent);
            flat.graph.inputs().for_each(|v| rows[v][n] = Cell::Absent);
        }
        let running: Vec<usize> = (0..end).filter(|&n| active[n]).collect();
        let (mut start, mut length) = (0, if self.back.is_some() { WINDOW } else { CYCLES });
        let most = horizon.filter(|_| self.back.is_some()).unwrap_or(usize::MAX).max(1);
        while start < running.len() {
            length = length.min(most);
            let cycles = &running[start..running.len().min(start + length)];
            let window = Window { flat, inputs, cycles, state: &state, initials: &initials };
            let (made, resolved) = self.resolve(&window)?;
            let next = running.get(start + cycles.len());
            if resolved == 0 && next.is_some() && length < most {
                length *= 2;
                continue;
            }
            // At the end of the inputs what is known is said, cell by cell.
            let said = if resolved == 0 { cycles.len() } else { resolved };
            if let Some(fault) = self.unpack(&window, &made, said, &mut rows) {
                return Ok(Ran { fault: Some(fault), ..Ran::whole(rows) });
            }
            if flat.graph.inputs().any(|v| cycles.iter().any(|&n| rows[v][n] == Cell::Mistimed)) {
                return Ok(Ran::whole(rows));
            }
            if resolved == 0 {
                if let Some(&cycle) = next {
                    let overrun = Some(Overrun { start: cycles[0], cycle });
                    return Ok(Ran { overrun, ..Ran::whole(rows) });
                }
                break;
            }
            if resolved < cycles.len() / 4 {
                length = WINDOW.max(4 * resolved);
            }
            start += resolved;
            state = made.state();
        }
        if let Some((n, v)) = wrong {
            rows[v][n] = Cell::Mistimed;
        }
        Ok(Ran::whole(rows))
    }

    /// What can be known of a window, and of how many of its first cycles all is: those need not be looked at again.
    fn resolve(&self, window: &Window) -> Result<(Made<'_>, usize), EvalError> {
        let Some(back) = &self.back else {
            return Ok((self.forward(window, &[])?, window.cycles.len()));
        };
        let mut posts: Vec<Array> = Vec::new();
        loop {
            let made = self.forward(window, &posts)?;
            let n = window.cycles.len();
            let settled = (0..n).take_while(|&k| made.holds("settled", "", k)).count();
            let resolved = (0..settled).rev().find(|&k| made.holds("closed", "", k)).map_or(0, |k| k + 1);
            if resolved == n {
                return Ok((made, n));
            }
            let arguments = self.arguments(BACK, window, &|slot| match slot.role.as_str() {
                "fby" | "fby?" => made.find(&slot.role, &slot.name).cloned(),
                _ => None,
            });
            let seen = back.call(&arguments).map_err(broken)?;
            // Values that are not known yet may be anything: only masks say whether there is something new.
            let is_known = |x: &Array| matches!(x.data(), Data::I1(v) if v.contains(&true));
            let is_at_rest = match posts.is_empty() {
                true => !self.masks(&seen).any(is_known),
                false => self.masks(&seen).eq(self.masks(&posts)),
            };
            posts = seen;
            if !is_at_rest && resolved < n / 2 {
                continue;
            }
            if resolved == 0 {
                return Ok((made, 0));
            }
            // Once more, as far as all is known: for the state after it.
            let first = |x: &Array| {
                let shape = [&[resolved], &x.shape()[1..]].concat();
                Array::new(shape.clone(), part(x.data(), 0, shape.iter().product()))
            };
            let posts: Vec<Array> = posts.iter().map(first).collect();
            let cut = Window { cycles: &window.cycles[..resolved], ..*window };
            return Ok((self.forward(&cut, &posts)?, resolved));
        }
    }

    /// Those of the results of the sweep backward that are masks.
    fn masks<'m>(&self, seen: &'m [Array]) -> impl Iterator<Item = &'m Array> {
        let roles: Vec<bool> = self.slots[BACK][1].iter().map(|s| s.role == "post?").collect();
        seen.iter().zip(roles).filter(|(_, is_mask)| *is_mask).map(|(x, _)| x)
    }

    /// The sweep forward. Without `posts` nothing is known of the future.
    fn forward(&self, window: &Window, posts: &[Array]) -> Result<Made<'_>, EvalError> {
        let order = self.slots.get(BACK).map(|s| &s[1]);
        let arguments = self.arguments("", window, &|slot| {
            let order = order.filter(|_| slot.role.starts_with("post"))?;
            let k = order.iter().position(|s| s == slot).expect("the sweep backward gives it");
            Some(posts.get(k).cloned().unwrap_or_else(|| {
                let ty = &self.back.as_ref().expect("a node that looks ahead").signature().results[k];
                let rest = ty.shape[1..].iter().map(|n| n.unwrap_or(0) as usize);
                let shape: Vec<usize> = std::iter::once(window.cycles.len()).chain(rest).collect();
                Array::zeros(ty.element, &shape)
            }))
        });
        let values = self.forward.call(&arguments).map_err(broken)?;
        Ok(Made { slots: &self.slots[""][1], values })
    }

    /// Arguments of a sweep over a window; `special` gives some.
    fn arguments(&self, suffix: &str, window: &Window, special: &dyn Fn(&Slot) -> Option<Array>) -> Vec<Array> {
        let Window { flat, inputs, cycles, state, initials } = window;
        let mut states = state.iter();
        let one = |slot: &Slot| {
            if let Some(x) = special(slot) {
                return x;
            }
            match slot.role.as_str() {
                "input" => {
                    let v = flat.graph.inputs().find(|&v| flat.graph.label(v) == slot.name).expect("an input");
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
            }
        };
        self.slots[suffix][0].iter().map(one).collect()
    }

    /// Writes the rows of the first `count` cycles of a window. The first division by zero is the error.
    fn unpack(&self, window: &Window, made: &Made, count: usize, rows: &mut [Row]) -> Option<(usize, EvalError)> {
        let Window { flat, inputs, cycles, .. } = window;
        let fault = made.find("fault", "").and_then(|x| {
            let Data::I64(codes) = x.data() else { return None };
            codes[..count].iter().position(|&c| c != 0).map(|k| (k, codes[k] as usize - 1))
        });
        let mut end = fault.map_or(count, |f| f.0);
        for v in flat.graph.inputs() {
            let name = flat.graph.label(v);
            for (k, &n) in cycles.iter().enumerate().take(end) {
                let is_on = made.holds("clock", &name, k);
                rows[v][n] = match &inputs[v] {
                    _ if !made.holds("clock?", &name, k) => Cell::Undetermined,
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
        let mut outputs = made.slots.iter().zip(&made.values).filter(|(s, _)| s.role == "output");
        for &v in &self.shown {
            let (slot, values) = outputs.next().expect("one for each");
            let name = &slot.name;
            for (k, &n) in cycles.iter().enumerate().take(end) {
                rows[v][n] = match made.holds("presence?", name, k) {
                    false => Cell::Undetermined,
                    true if !made.holds("presence", name, k) => Cell::Absent,
                    true if !made.holds("output?", name, k) => Cell::Undetermined,
                    true => Cell::Value(Shared::new(row(values, k))),
                };
            }
        }
        let (k, number) = fault.filter(|f| f.0 <= end)?;
        let name = self.faults.get(number)?;
        let op =
            flat.graph.vars().find(|&v| flat.graph.label(v) == *name).map_or(flat.graph.node, |v| flat.graph.op(v));
        let text = format!("E-RT-OP: division by zero in cycle {}", cycles[k]);
        Some((cycles[k], EvalError { location: place(op.location()), text }))
    }
}

fn broken(e: mlopt_lowering::native::Error) -> EvalError {
    EvalError { location: "code".into(), text: e.to_string() }
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
    let mut names = strings(node, "outputs");
    let mut vars: Vec<Var> = more.to_vec();
    for &v in more {
        vars.extend(flat.clocks.literals(flat.clocks.of(v)).map(|l| l.condition));
    }
    let (inputs, mut types) = node.function_type().unwrap_or_default();
    let mut values = end.operands();
    let taken: Vec<String> = names.iter().cloned().chain(strings(node, "inputs")).collect();
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

fn slots_of(op: Op, attribute: &str) -> Vec<Slot> {
    let one = |text: String| {
        let (role, name) = text.split_once(' ').unwrap_or((&text, ""));
        Slot { role: role.into(), name: name.into() }
    };
    strings(op, attribute).into_iter().map(one).collect()
}
