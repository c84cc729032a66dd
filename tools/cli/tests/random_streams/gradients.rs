//! Tests of `stream-grad` against finite differences. All operations of the programs are smooth, and no condition
//! depends on the perturbed values.

use super::networks::{INPUTS, imported, judge};
use super::runs::{Loaded, compare_compiled, initial, initial_name, interpret, load, refused, shape};
use mlopt_cases::{Checked, Random, is_one};
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::pipelines::pipeline_without;
use mlopt_runtime::streams::compiled::Compiled;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use mlopt_runtime::streams::session;
use std::collections::HashMap;

/// The number of cycles of the loss.
const LOSS: usize = 7;
/// The number of all cycles. In the additional ones, conditions take all combinations of values: sequences end, and the
/// adjoints of the others become known.
pub const CYCLES: usize = LOSS + 16;

const PIPELINE_OF_GRADIENTS: &str = "builtin.module(stream-inline,stream-grad{node=f},differentiate,inline)";

/// The accuracy of differences is limited by the third derivative times the square of the step, and by rounding divided
/// by the step.
const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 1e-6;

pub fn random_inputs(seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed ^ 0x1095);
    let mut next = |n: u64| random.bits() % n;
    let absent: Vec<bool> = (0..CYCLES).map(|n| next(10) == 0 && n < LOSS).collect();
    let row = |(k, &(_, shape, is_bool)): (usize, &(&str, &[u64], bool))| {
        let cell = |(n, &gone): (usize, &bool)| {
            let size = shape.iter().product::<u64>();
            let data = if is_bool {
                let after = n.checked_sub(LOSS).map(|n| n >> (k % 3) & 1 == 0);
                Data::I1(vec![after.unwrap_or(next(2) == 0)])
            } else {
                Data::F64((0..size).map(|_| next(2001) as f64 / 1000.0 - 1.0).collect())
            };
            let value = Array::new(shape.iter().map(|&n| n as usize).collect(), data);
            if gone { Cell::Absent } else { Cell::Value(Shared::new(value)) }
        };
        Input::Cells(absent.iter().enumerate().map(cell).collect())
    };
    INPUTS.iter().enumerate().map(row).collect()
}

/// The program with everything that it depends on.
struct Point<'a> {
    flat: &'a Flat,
    code: Compiled,
    inputs: Vec<Row>,
    initials: HashMap<String, Array>,
    /// For each output and cycle, the weights of its elements in the loss; zero where the output is unknown.
    seeds: Vec<(usize, Vec<Vec<f64>>)>,
}

impl Point<'_> {
    fn run(&self, inputs: &[Row], initials: &HashMap<String, Array>) -> Checked<Vec<Row>> {
        let given: Vec<Input> = inputs.iter().map(|row| Input::Cells(row.clone())).collect();
        let mut initial = |op: Op| Ok(initials[&initial_name(op)].clone());
        Ok(session::run(&self.code, self.flat, &given, CYCLES, None, &mut initial)?.rows)
    }

    fn loss(&self, inputs: &[Row], initials: &HashMap<String, Array>) -> Checked<f64> {
        let rows = self.run(inputs, initials)?;
        let mut sum = 0.0;
        for (v, seeds) in &self.seeds {
            for (cell, seed) in rows[*v].iter().zip(seeds) {
                let values = cell.value().map(|x| x.to_f64()).unwrap_or_default();
                sum += values.iter().zip(seed).map(|(x, s)| x * s).sum::<f64>();
            }
        }
        Ok(sum)
    }

    /// Returns the loss with element `k` of one input cell changed by `h`.
    fn input(&self, input: usize, n: usize, k: usize, h: f64) -> Checked<f64> {
        let mut inputs = self.inputs.clone();
        let Cell::Value(x) = &inputs[input][n] else { unreachable!("it is there") };
        inputs[input][n] = Cell::Value(Shared::new(moved(x, k, h)));
        self.loss(&inputs, &self.initials)
    }

    fn initial(&self, name: &str, k: usize, h: f64) -> Checked<f64> {
        let mut initials = self.initials.clone();
        let new = moved(&initials[name], k, h);
        initials.insert(name.into(), new);
        self.loss(&self.inputs, &initials)
    }
}

fn moved(x: &Array, k: usize, h: f64) -> Array {
    let mut numbers = x.to_f64();
    numbers[k] += h;
    Array::new(x.shape().to_vec(), Data::F64(numbers))
}

/// Checks a derivative against differences. Returns the expected value if they disagree and the differences are
/// accurate.
fn agrees(found: f64, at: impl Fn(f64) -> Checked<f64>) -> Checked<Option<f64>> {
    let difference = |h: f64| -> Checked<f64> { Ok((at(h)? - at(-h)?) / (2.0 * h)) };
    let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE * (1.0 + a.abs().max(b.abs()));
    let want = difference(STEP)?;
    if near(found, want) || !near(want, difference(10.0 * STEP)?) && near(found, difference(0.1 * STEP)?) {
        return Ok(None);
    }
    Ok(Some(want))
}

/// Counts of the checks.
#[derive(Default, Debug)]
struct Counts {
    inputs: usize,
    /// Cells whose adjoint is unknown, because their sequence does not end.
    unknown: usize,
    parameters: usize,
    parameters_unknown: usize,
    compiled: usize,
    nonzero: usize,
}

fn check(seed: u64, text: &str, pipeline: &str, compiled: bool, counts: &mut Counts) -> Checked<String> {
    let module = imported(text)?;
    let primal = match load(&module, "f", PIPELINE) {
        Ok(primal) => primal,
        Err(e) => return refused(e, "not accepted:"),
    };
    let gradient = match load(&module, "f_grad", pipeline) {
        Ok(gradient) => gradient,
        Err(e) if !matches!(e.code.as_str(), "E-DIFF" | "E-PRODUCTIVITY") => {
            return Err(format!("the gradient is refused with `{}`: {e}", e.code).into());
        }
        Err(e) => return refused(e, "no gradient:"),
    };
    compare(seed, &primal, &gradient, compiled, counts)?;
    Ok(primal.flat.plan.class.name().into())
}

fn compare(seed: u64, primal: &Loaded, gradient: &Loaded, compiled: bool, counts: &mut Counts) -> Checked {
    let (flat, adjoint) = (&primal.flat, &gradient.flat);
    let given = random_inputs(seed);
    let rows = interpret(flat, &given, CYCLES, "")?;
    let mut random = Random::new(seed ^ 0x5eed);
    let mut seeds: Vec<(usize, Vec<Vec<f64>>)> = Vec::new();
    let mut given_adjoint: Vec<Input> = random_inputs(seed);
    for (name, v) in &flat.graph.outputs {
        let ty = flat.graph.value(*v).ty();
        if !ty.is_differentiable() {
            continue;
        }
        // An output that depends on no input and no parameter has no seed.
        if !adjoint.inputs().any(|(input, _)| input == format!("{name}_ct")) {
            continue;
        }
        let shape = shape(ty);
        let size = shape.iter().product::<usize>();
        let one = |(n, cell): (usize, &Cell<Shared>)| -> Vec<f64> {
            let counts = n < LOSS && cell.value().is_some();
            (0..size).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).map(|x| if counts { x } else { 0.0 }).collect()
        };
        let row: Vec<Vec<f64>> = rows[*v].iter().enumerate().map(one).collect();
        let cell = |(cell, seed): (&Cell<Shared>, &Vec<f64>)| match cell {
            Cell::Absent => Cell::Absent,
            _ => Cell::Value(Shared::new(Array::new(shape.clone(), Data::F64(seed.clone())))),
        };
        let cells = rows[*v].iter().zip(&row).map(cell).collect();
        given_adjoint.push(Input::Cells(cells));
        seeds.push((*v, row));
    }
    let adjoints = interpret(adjoint, &given_adjoint, CYCLES, "")?;
    if compiled {
        compare_compiled(adjoint, &given_adjoint, CYCLES, &adjoints)?;
        counts.compiled += 1;
    }
    let cells = |input: Input| match input {
        Input::Cells(row) => row,
        Input::Slots(_) => unreachable!("they are cells"),
    };
    let initials =
        flat.initials().map(|op| (initial_name(op), initial(&initial_name(op), &shape(op.result(0).ty())))).collect();
    let inputs = given.into_iter().map(cells).collect();
    let point =
        Point { flat, code: Compiled::new(flat, &[], &pipeline_without("egg-optimize"))?, inputs, initials, seeds };
    for (number, (name, _, is_bool)) in INPUTS.iter().enumerate() {
        if *is_bool {
            continue;
        }
        let row = output(adjoint, &adjoints, &format!("{name}_ct"))?;
        // Later cycles contribute little.
        for (n, (given, found)) in point.inputs[number].iter().zip(row.iter()).enumerate().take(LOSS + 4) {
            let Cell::Value(_) = given else { continue };
            let Cell::Value(found) = found else {
                counts.unknown += 1;
                continue;
            };
            for (k, &found) in found.to_f64().iter().enumerate() {
                counts.inputs += 1;
                counts.nonzero += usize::from(found != 0.0);
                if let Some(want) = agrees(found, |h| point.input(number, n, k, h))? {
                    return Err(format!("`{name}`, cycle {n}, element {k}: expected {want}, found {found}").into());
                }
            }
        }
    }
    parameters(&point, adjoint, &adjoints, counts)
}

fn parameters(point: &Point, adjoint: &Flat, adjoints: &[Row], counts: &mut Counts) -> Checked {
    for (name, output_name) in pairs(adjoint)? {
        let row = output(adjoint, adjoints, &output_name)?;
        // The gradient may not need the parameter's value.
        let first = first_value(point.flat, &name).ok_or("there is no such parameter")?;
        let initial = initial_name(first);
        let is_nonzero = |cell: &Cell<Shared>| cell.value().is_some_and(|x| x.to_f64().iter().any(|&x| x != 0.0));
        // Unknown adjoints are zero if all later ones are zero.
        let is_settled = !row[..CYCLES - 4].contains(&Cell::Undetermined);
        let is_over = is_settled && !row[CYCLES - 8..].iter().any(is_nonzero);
        if row.contains(&Cell::Undetermined) && !is_over {
            counts.parameters_unknown += 1;
            continue;
        }
        let size = point.initials[&initial].to_f64().len();
        let mut sum = vec![0.0; size];
        for x in row.iter().filter_map(|c| c.value()) {
            sum.iter_mut().zip(x.to_f64()).for_each(|(s, x)| *s += x);
        }
        for (k, &found) in sum.iter().enumerate() {
            counts.parameters += 1;
            if let Some(want) = agrees(found, |h| point.initial(&initial, k, h))? {
                return Err(format!("parameter `{name}`, element {k}: expected {want}, found {found}").into());
            }
        }
    }
    Ok(())
}

/// Returns the names of the parameters of a gradient node, each with the name of the output that is its gradient.
pub fn pairs(flat: &Flat) -> Checked<Vec<(String, String)>> {
    let all = flat.graph.node.attribute("stream.gradients").and_then(|a| a.as_array()).unwrap_or_default();
    let texts = all.into_iter().filter_map(|a| a.as_string());
    let pair = |text: String| text.split_once(" = ").map(|(name, output)| (name.to_string(), output.to_string()));
    texts.map(|text| pair(text).ok_or_else(|| "no ` = ` in `stream.gradients`".into())).collect()
}

/// Returns the op that defines the first value of a parameter.
pub fn first_value(flat: &Flat, name: &str) -> Option<Op> {
    let graph = &flat.graph;
    let own_name = |op: Op| op.attribute("param_name").and_then(|a| a.as_string());
    let is_it = |op: Op| op.name() == "stream.param" && own_name(op).as_deref() == Some(name);
    let param = graph.vars().find(|&v| is_it(graph.op(v)))?;
    Some(graph.op(graph.args(param)[0]))
}

pub fn output<'r>(flat: &Flat, rows: &'r [Row], name: &str) -> Checked<&'r Row> {
    let v = flat.graph.outputs.iter().find(|o| o.0 == name).map(|o| o.1);
    v.map(|v| &rows[v]).ok_or_else(|| format!("there is no output `{name}`").into())
}

#[test]
fn adjoints_are_what_differences_say() {
    agree_with_differences(PIPELINE_OF_GRADIENTS, 60);
}

/// Checks truncated adjoints: nothing is missing, and endless recurrences end.
#[test]
fn adjoints_that_are_cut_behind_the_loss_are_the_same() {
    let truncate = format!("stream-grad{{node=f truncate={CYCLES}}}");
    agree_with_differences(&format!("builtin.module(stream-inline,{truncate},differentiate,inline)"), 30);
}

fn agree_with_differences(pipeline: &str, usual: u64) {
    let mut counts = Counts::default();
    judge(
        usual,
        16,
        |outcome| !outcome.contains("E-"),
        |seed, text, checked| check(seed, text, pipeline, checked % 8 == 0 || is_one(), &mut counts),
    );
    println!("{counts:#?}");
}
