//! Tests of the pairs of equal terms in the specification, which gives the `fastmath` flags. `pairs.txt` lists for each
//! pair the sets of rules that together suffice to prove it, and the necessary rules. With these sets and flags the
//! pair is proved. It is not proved by all rules except the necessary ones, nor by all rules without the flags.

use mlopt_cli::commands::equiv::{PAIR, PREPARED, pair};
use mlopt_dialects::bridge::program::Program;
use mlopt_frontend::terms::{self, Zeros};
use mlopt_passes::optimise::equivalence::{self, Verdict};
use mlopt_passes::optimise::phases::Options;
use mlopt_passes::optimise::rules::Laws;
use serde_json::Value;

/// Lines `pair | sets of rules that prove it | necessary rules`.
const PAIRS: &str = include_str!("../../../test/optimiser/Inputs/pairs.txt");

/// In the notation, `length` is evaluated to a number during import. Here it is the MLIR operation.
const LENGTH: (&str, &str) = ("c2_length_build", include_str!("../../../test/optimiser/Inputs/length_of_build.mlir"));

/// Returns one side after the passes of `equiv`. If licensed, zeros that the notation does not write are structural.
fn side(pair: &Value, which: &str, licensed: bool) -> Program {
    if pair["id"] == LENGTH.0 && which == "lhs" {
        return Program::parse(LENGTH.1.as_bytes(), which).expect("it parses");
    }
    let inputs: Vec<String> = pair["input_shapes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, shape)| {
            let sizes: String = shape.as_array().unwrap().iter().map(|n| format!(" {n}")).collect();
            format!("({name} f64{sizes})")
        })
        .collect();
    let text = format!("(def f ({}) {})", inputs.join(" "), pair[which].as_str().unwrap());
    let zeros = if licensed { Zeros::Structural } else { Zeros::Numbers };
    let program = terms::import_text(which, &text, zeros).unwrap_or_else(|e| panic!("{}: {e}", pair["id"]));
    let program = program.verified().expect("what is imported is valid");
    program.run_pipeline(PREPARED).expect("what is imported has no derivatives left");
    program
}

/// Returns the fast-math flags that the pair's licence grants.
fn flags(pair: &Value) -> Option<&str> {
    match pair["flag"].as_str().unwrap() {
        "exact" | "free" => None,
        "exact0" => Some("nnan,ninf,nsz"),
        other => other.strip_prefix("fast:"),
    }
}

fn proved(json: &Value, rules: &[&str], licensed: bool) -> bool {
    let flags = flags(json).filter(|_| licensed);
    let (a, b) = (side(json, "lhs", flags.is_some()), side(json, "rhs", flags.is_some()));
    let function = |p: &Program| p.module().lookup("f").expect("it is there");
    let both = pair(function(&a), function(&b)).expect("both fit");
    if let Some(flags) = flags {
        both.run_pipeline(&format!("builtin.module(set-fastmath{{flags={flags}}})")).expect("flags are known");
    }
    let laws = Laws::named(rules).unwrap_or_else(|name| panic!("{}: no rule {name}", json["id"]));
    let function = both.module().lookup(PAIR).expect("it is there");
    matches!(equivalence::compare(function, &laws, Options::default()), Verdict::Equal(_))
}

fn all() -> Vec<Value> {
    mlopt_lowering::register_passes();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/vectors/arrays_vectors.json");
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    let json: Value = serde_json::from_str(&text).expect("they are JSON");
    json["rewrite_pairs"].as_array().expect("with rewrite pairs").clone()
}

/// Returns the sets of rules that prove a pair, and the necessary rules.
fn rules(json: &Value) -> [Vec<&'static str>; 2] {
    let id = json["id"].as_str().unwrap();
    let cells = |line: &'static str| line.split('|').map(|cell| cell.split_whitespace().collect::<Vec<_>>());
    let row = PAIRS.lines().map(cells).find_map(|mut row| (row.next()? == [id]).then_some(row));
    let mut row = row.unwrap_or_else(|| panic!("{id} is not in the list"));
    [(); 2].map(|()| row.next().expect("three columns"))
}

#[test]
fn pairs_are_proved_with_their_rules_under_their_licence() {
    for json in all() {
        let [sets, _] = rules(&json);
        // Without sets, no rule is used.
        let rules = if sets.is_empty() { &["-all"][..] } else { &sets };
        assert!(proved(&json, rules, true), "{} is not proved by {sets:?}", json["id"]);
    }
}

#[test]
fn no_pair_is_proved_without_the_rule_that_it_is_about() {
    let mut wrong = Vec::new();
    for json in all() {
        let [sets, needed] = rules(&json);
        if needed.is_empty() {
            continue;
        }
        let without: Vec<String> = needed.iter().map(|r| format!("-{r}")).collect();
        // Peeling would prove more than expected.
        let all = if sets.contains(&"peel") { &["all", "peel"][..] } else { &["all"] };
        let rules: Vec<&str> = all.iter().copied().chain(without.iter().map(String::as_str)).collect();
        if proved(&json, &rules, true) {
            wrong.push(format!("{} is proved without {needed:?}", json["id"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_pair_is_proved_without_its_licence() {
    for json in all().iter().filter(|json| flags(json).is_some()) {
        assert!(!proved(json, &["all", "peel"], false), "{} needs no licence", json["id"]);
    }
}
