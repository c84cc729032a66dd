//! Tests of `stream-train` on random nodes: compiled code agrees with the interpreter, the first update agrees with the
//! gradients, and without updates the node computes the same as before.

use super::gradients::{CYCLES, output, random_inputs};
use super::networks::{imported, network};
use super::runs::{
    Loaded, Rejected, compare_compiled, differs, initial, initial_name, interpret, load, same, seeds, shape,
};
use mlopt_cases::{Checked, Failures, Random, count, is_one};
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::plan::Class;
use mlopt_runtime::streams::flat::PIPELINE;
use std::collections::BTreeMap;

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
    let graph = &gradient.flat.graph;
    let pairs = graph.node.attribute("stream.gradients").and_then(|a| a.as_array()).unwrap_or_default();
    let mut compared = 0;
    for text in pairs.into_iter().filter_map(|a| a.as_string()) {
        let (name, output_name) = text.split_once(" = ").ok_or("no ` = ` in `stream.gradients`")?;
        // The node may not need the parameter's value.
        let Some(held) = trained.flat.find(name) else { continue };
        let Some(row) = rows.get(held) else { continue };
        let gradients = output(&gradient.flat, &adjoints, output_name)?;
        let param = graph.vars().find(|&v| {
            let op = graph.op(v);
            let own = op.attribute("param_name").and_then(|a| a.as_string());
            op.name() == "stream.param" && own.as_deref() == Some(name)
        });
        let Some(first) = param.map(|v| graph.op(graph.args(v)[0])) else { continue };
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
    let refused = |e: Rejected, when: &str| -> Checked<String> {
        match e.code.as_str() {
            "" if !e.text.contains("stream-train: ") => Err(format!("refused without a code: {e}").into()),
            "" => Ok(format!("{when} without an end")),
            code => Ok(format!("{when} {code}")),
        }
    };
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
    let wanted = count(40) as usize;
    let (mut counts, mut failures, mut compared) = (BTreeMap::<String, usize>::new(), Failures::default(), 0);
    let mut checked = 0;
    for seed in seeds(1).start.. {
        if checked == wanted {
            break;
        }
        let text = network(seed, 4 + seed as usize % 12);
        match check(seed, &text, &mut compared) {
            Ok(what) => {
                checked += usize::from(what.contains(", "));
                *counts.entry(what).or_default() += 1;
            }
            Err(problem) => {
                checked += 1;
                failures.add(seed, &problem, &text);
            }
        }
    }
    println!("{counts:#?}\n{compared} numbers of parameters");
    failures.end();
    if !is_one() {
        assert!(compared > 20, "few parameters are compared: {compared}");
        for class in ["forward", "segmented"] {
            assert!(counts.keys().any(|k| k.starts_with(class)), "no node is {class}: {counts:?}");
        }
    }
}
