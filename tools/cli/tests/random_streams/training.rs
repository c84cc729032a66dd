//! Tests of `stream-train` on random nodes: compiled code agrees with the interpreter, the first update agrees with the
//! gradients, and without updates the node computes the same as before.

use super::gradients::{CYCLES, first_value, output, pairs, random_inputs};
use super::networks::{imported, judge};
use super::runs::{Loaded, compare_compiled, differs, initial, initial_name, interpret, load, refused, same, shape};
use mlopt_cases::{Checked, Random, is_one};
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::plan::Class;
use mlopt_runtime::streams::flat::PIPELINE;

const RATE: f64 = 0.125;

fn cells(values: impl Iterator<Item = Data>) -> Vec<Cell<Shared>> {
    values.map(|x| Cell::Value(Shared::new(Array::new(vec![], x)))).collect()
}

/// Returns inputs of a training node, each with a value in all cycles in which the node is active.
fn given(seed: u64, trained: &Loaded, updates: &[bool]) -> Vec<Input> {
    let mut all = random_inputs(seed);
    let Input::Cells(first) = &all[0] else { unreachable!("they are cells") };
    let absent: Vec<bool> = first.iter().map(|c| *c == Cell::Absent).collect();
    for name in trained.flat.inputs().map(|i| i.0).skip(all.len()) {
        let mut row = match name.as_str() {
            "update" => cells(updates.iter().map(|&b| Data::I1(vec![b]))),
            _ => cells(updates.iter().map(|_| Data::F64(vec![RATE]))),
        };
        row.iter_mut().zip(&absent).filter(|c| *c.1).for_each(|c| *c.0 = Cell::Absent);
        all.push(Input::Cells(row));
    }
    all
}

/// Checks the first step of gradient descent of a node without look-ahead: it uses the sum of gradients at the initial
/// parameters.
fn first_step(gradient: &Loaded, trained: &Loaded, rows: &[Row], updates: &[bool], seed: u64) -> Checked<usize> {
    let adjoints = interpret(&gradient.flat, &random_inputs(seed), CYCLES, "")?;
    let mut compared = 0;
    for (name, output_name) in pairs(&gradient.flat)? {
        // The node may not need the parameter's value.
        let Some(held) = trained.flat.find(&name) else { continue };
        let Some(row) = rows.get(held) else { continue };
        let gradients = output(&gradient.flat, &adjoints, &output_name)?;
        let Some(first) = first_value(&gradient.flat, &name) else { continue };
        let mut value = initial(&initial_name(first), &shape(first.result(0).ty())).to_f64();
        let mut sum = vec![0.0; value.len()];
        for n in 0..CYCLES {
            let Cell::Value(found) = &row[n] else { continue };
            for (k, (&want, &found)) in value.iter().zip(&found.to_f64()).enumerate() {
                if (want - found).abs() > 1e-9 * (1.0 + want.abs()) {
                    let text = format!("parameter `{name}`, cycle {n}, element {k}: expected {want}, found {found}");
                    return Err(text.into());
                }
                compared += 1;
            }
            if let Cell::Value(g) = &gradients[n] {
                sum.iter_mut().zip(g.to_f64()).for_each(|(s, g)| *s += g);
            }
            if updates[n] {
                value.iter_mut().zip(&sum).for_each(|(x, s)| *x -= RATE * s);
                // Later values result from changed parameters.
                let Some(Cell::Value(next)) = row[n + 1..].iter().find(|c| **c != Cell::Absent) else { break };
                let is_near = |(a, b): (&f64, f64)| (a - b).abs() <= 1e-9 * (1.0 + a.abs());
                if !value.iter().zip(next.to_f64()).all(is_near) {
                    let next = next.to_f64();
                    return Err(
                        format!("parameter `{name}` after cycle {n}: expected {value:?}, found {next:?}").into()
                    );
                }
                compared += value.len();
                break;
            }
        }
    }
    Ok(compared)
}

fn check(seed: u64, text: &str, compared: &mut usize) -> Checked<String> {
    let module = imported(text)?;
    let primal = match load(&module, "f", PIPELINE) {
        Ok(primal) => primal,
        Err(e) => return refused(e, "not accepted:"),
    };
    let gradients = "stream-inline,stream-grad{node=f loss=total},differentiate,inline";
    let gradient = match load(&module, "f_grad", &format!("builtin.module({gradients})")) {
        Ok(gradient) => gradient,
        Err(e) => return refused(e, "no gradient:"),
    };
    if gradient.flat.graph.node.attribute("stream.gradients").is_none() {
        return Ok("no parameters".into());
    }
    let optimiser = ["sgd", "sgd", "momentum", "adam"][seed as usize % 4];
    let pipeline = format!("builtin.module({gradients},stream-train{{node=f optimiser={optimiser}}})");
    let trained = match load(&module, "f_train", &pipeline) {
        Ok(trained) => trained,
        Err(e) => return refused(e, "not trained:"),
    };
    let frozen = vec![false; CYCLES];
    let rows = interpret(&trained.flat, &given(seed, &trained, &frozen), CYCLES, "")?;
    let before = interpret(&primal.flat, &random_inputs(seed), CYCLES, "")?;
    for (name, v) in &primal.flat.graph.outputs {
        if let Some(text) = differs(name, &before[*v], output(&trained.flat, &rows, name)?, same) {
            return Err(format!("without steps, {text}").into());
        }
    }
    let mut random = Random::new(seed ^ 0x57e9);
    let updates: Vec<bool> = (0..CYCLES).map(|_| random.below(3) == 0).collect();
    let inputs = given(seed, &trained, &updates);
    let rows = interpret(&trained.flat, &inputs, CYCLES, "")?;
    compare_compiled(&trained.flat, &inputs, CYCLES, &rows)?;
    let class = trained.flat.plan.class;
    if class == Class::Forward && optimiser == "sgd" {
        *compared += first_step(&gradient, &trained, &rows, &updates, seed)?;
    }
    Ok(format!("{}, {optimiser}", class.name()))
}

#[test]
fn nodes_that_train_do_what_their_gradients_say() {
    let mut compared = 0;
    let is_trained = |outcome: &str| outcome.contains(", ");
    let counts = judge(40, 12, is_trained, |seed, text, _| check(seed, text, &mut compared));
    println!("{compared} numbers of parameters");
    if !is_one() {
        assert!(compared > 20, "few parameters are compared: {compared}");
        for class in ["forward", "segmented"] {
            assert!(counts.keys().any(|k| k.starts_with(class)), "no node is {class}: {counts:?}");
        }
    }
}
