//! Tests that two instances of a node share neither state nor parameters (`spec/streams.md` 2): each computes the same
//! as a single instance.

use super::equations::{INPUTS, inputs, program_with_parameters};
use super::runs::{differs, every_way, interpret, judge, load};
use mlopt_cases::Checked;
use mlopt_dialects::interpret::Input;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::Data;
use mlopt_frontend::mlir::list;
use mlopt_runtime::streams::flat::PIPELINE;

const CYCLES: usize = 24;

/// The clocks of instances: indices of inputs that are conditions, and their values, from outside to inside.
const CLOCKS: [&[(usize, bool)]; 5] = [&[], &[(2, true)], &[(2, false)], &[(2, true), (3, true)], &[(3, false)]];

/// Returns the outputs of `@f`, with their types.
fn outputs(node: &str) -> Vec<(String, String)> {
    let head = node.lines().next().expect("a node has a head");
    let list = head.split_once("-> (").and_then(|(_, rest)| rest.split_once(')')).expect("it has outputs").0;
    let one = |text: &str| text.split_once(": ").map(|(name, ty)| (name.to_string(), ty.to_string()));
    list.split(", ").filter_map(one).collect()
}

/// Returns a node with two instances of `@f`, `a` and `b`, on two clocks.
fn main_node(node: &str, clocks: [&[(usize, bool)]; 2]) -> String {
    let parameters = list(INPUTS.iter().map(|(n, t)| format!("%{n}: {}", t.text())));
    let types: Vec<&str> = INPUTS.iter().map(|(_, t)| t.text()).collect();
    let results = outputs(node);
    let of = list(results.iter().map(|r| &r.1));
    let (mut body, mut yields) = (String::new(), Vec::<(String, String, String)>::new());
    for (path, clock) in ["a", "b"].into_iter().zip(clocks) {
        let mut operands: Vec<String> = INPUTS.iter().map(|(n, _)| format!("%{n}")).collect();
        for (level, &(k, holds)) in clock.iter().enumerate() {
            let (condition, not) = (operands[k].clone(), if holds { "" } else { "not " });
            // The condition must be an output.
            yields.push((format!("{path}_when{level}"), condition.clone(), "i1".into()));
            for (operand, ty) in operands.iter_mut().zip(&types) {
                let sampled = format!("{operand}_{path}");
                body += &format!("  {sampled} = stream.when {operand}, {not}{condition} : {ty}\n");
                *operand = sampled;
            }
        }
        let left = list(results.iter().map(|(name, _)| format!("%{path}_{name}")));
        let (operands, signature) = (list(&operands), list(&types));
        body += &format!("  {left} = stream.instance \"{path}\" @f({operands}) : ({signature}) -> ({of})\n");
        yields
            .extend(results.iter().map(|(name, ty)| (format!("{path}_{name}"), format!("%{path}_{name}"), ty.clone())));
    }
    let results = list(yields.iter().map(|(name, _, ty)| format!("{name}: {ty}")));
    let (names, types) = (list(yields.iter().map(|y| &y.1)), list(yields.iter().map(|y| &y.2)));
    format!("stream.node @main({parameters}) -> ({results}) {{\n{body}  stream.yield {names} : {types}\n}}\n")
}

fn holds(input: &Input, n: usize) -> Option<bool> {
    let Input::Cells(cells) = input else { return None };
    cells[n].value().map(|x| matches!(x.data(), Data::I1(v) if v[0]))
}

/// Returns the inputs of one instance, absent where it does not run.
fn given(all: &[Input], clock: &[(usize, bool)]) -> Vec<Input> {
    let runs = |n: usize| clock.iter().all(|&(k, h)| holds(&all[k], n) == Some(h));
    let one = |input: &Input| {
        let Input::Cells(cells) = input else { unreachable!("they are cells") };
        let cell = |(n, cell): (usize, &Cell<_>)| if runs(n) { cell.clone() } else { Cell::Absent };
        Input::Cells(cells.iter().enumerate().map(cell).collect())
    };
    all.iter().map(one).collect()
}

fn check(seed: u64, text: &str, clocks: [&[(usize, bool)]; 2], compiled: bool) -> Checked<&'static str> {
    let node = &text[text.find("stream.node @f(").expect("`@f` follows `@main`")..];
    let alone = match load(node, "f", PIPELINE) {
        Ok(alone) => alone,
        Err(_) => return Ok("refused alone"),
    };
    let both = match load(text, "main", PIPELINE) {
        Ok(both) => both,
        // On a slower clock, a `post` may look ahead arbitrarily far, so fewer recurrences are known to end.
        Err(e) if matches!(e.code.as_str(), "E-PRODUCTIVITY" | "E-CAUSALITY") => return Ok("refused together"),
        Err(e) => return Err(e.into()),
    };
    let (alone, both) = (&alone.flat, &both.flat);
    let all = inputs(seed, CYCLES);
    let got = every_way(both, &all, CYCLES, compiled)?;
    for (path, clock) in ["a", "b"].into_iter().zip(clocks) {
        let want = interpret(alone, &given(&all, clock), CYCLES, &format!("{path}."))?;
        for (name, v) in &alone.graph.outputs {
            let name = format!("{path}_{name}");
            let v = &want[*v];
            let together = both.graph.outputs.iter().find(|o| o.0 == name).expect("it has the output").1;
            if let Some(text) = got.iter().find_map(|(rows, is_same)| differs(&name, v, &rows[together], *is_same)) {
                return Err(text.into());
            }
        }
    }
    Ok("run")
}

#[test]
fn two_instances_share_nothing() {
    let clocks = |seed: u64| [CLOCKS[seed as usize % 5], CLOCKS[seed as usize / 5 % 5]];
    let text = |seed: u64| {
        let node = program_with_parameters(seed, 3 + seed as usize % 15);
        format!("{}{node}", main_node(&node, clocks(seed)))
    };
    judge(150, text, |seed, text| check(seed, text, clocks(seed), seed % 30 == 4));
}
