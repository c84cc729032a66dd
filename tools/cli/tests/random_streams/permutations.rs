//! Tests that the order of equations has no meaning (`spec/streams.md` 2).

use super::equations::{inputs, program};
use super::runs::{differs, every_way, interpret, judge, load};
use mlopt_cases::{Checked, Random};
use mlopt_runtime::streams::flat::PIPELINE;

const CYCLES: usize = 20;

/// Returns the node with its equations in another order.
fn permuted(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let (head, rest) = lines.split_first().expect("a node has lines");
    let (equations, end) = rest.split_at(rest.len() - 2);
    let mut equations = equations.to_vec();
    random.shuffle(&mut equations);
    [&[*head], &equations[..], end].concat().join("\n") + "\n"
}

/// Compares the node with another order of its equations. Returns whether they ran.
fn problem(original: &str, other: &str, seed: u64, compiled: bool) -> Checked<bool> {
    let [first, second] = [original, other].map(|text| load(text, "f", PIPELINE));
    let (first, second) = match (first, second) {
        (Ok(first), Ok(second)) => (first, second),
        // If there are several errors, the first one may differ.
        (Err(_), Err(_)) => return Ok(false),
        (Err(e), _) | (_, Err(e)) => return Err(format!("one order is refused, with {}: {e}", e.code).into()),
    };
    let (first, second) = (&first.flat, &second.flat);
    if first.plan.class.name() != second.plan.class.name() {
        return Err(format!("{} becomes {}", first.plan.class.name(), second.plan.class.name()).into());
    }
    let given = inputs(seed, CYCLES);
    let want = interpret(first, &given, CYCLES, "")?;
    let got = every_way(second, &given, CYCLES, compiled)?;
    for ((name, a), (_, b)) in first.graph.outputs.iter().zip(&second.graph.outputs) {
        if let Some(text) = got.iter().find_map(|(rows, is_same)| differs(name, &want[*a], &rows[*b], *is_same)) {
            return Err(text.into());
        }
    }
    Ok(true)
}

#[test]
fn the_order_of_equations_means_nothing() {
    // Four orders of each program.
    let original = |seed: u64| program(seed / 4, 3 + (seed / 4) as usize % 20);
    judge(1000, original, |seed, text| {
        let other = permuted(text, &mut Random::new(seed));
        problem(text, &other, seed, seed.is_multiple_of(100)).map_err(|e| format!("{e}\n{other}").into())
    });
}
