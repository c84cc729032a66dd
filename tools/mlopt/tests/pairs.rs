//! Tests of the pairs of equal terms in the specification. Each pair is proved with the named rules and the named
//! `fastmath` flags alone. It is not proved without the rule that it tests, and not without the flags.

use mlopt::cli::equiv::{PAIR, PREPARED, pair};
use mlopt_dialects::bridge::program::Program;
use mlopt_frontend::terms::{self, Zeros};
use mlopt_passes::optimise::equivalence::{self, Verdict};
use mlopt_passes::optimise::phases::Options;
use mlopt_passes::optimise::rules::Laws;
use serde_json::Value;

/// For each pair, the sets of rules that prove it, and the rules that are necessary. Without a set, no rule is used,
/// not even definitions of operations: lets are SSA values.
const PAIRS: &[(&str, &[&str], &[&str])] = &[
    ("a1_beta_let", &[], &[]),
    ("a3_dead_let", &[], &[]),
    ("a4_let_let", &[], &[]),
    ("a5_cse", &[], &[]),
    ("a6_swap", &[], &[]),
    ("a7_float_out", &[], &[]),
    ("a8_licm", &[], &[]),
    ("a8_licm_ifold", &[], &[]),
    ("b5_distribute", &["choice"], &["factor"]),
    ("c1_get_build", &["array"], &["get-of-build"]),
    ("c1_get_build_guarded", &["array", "index"], &["get-of-build"]),
    ("c2_length_build", &["index"], &["read-length"]),
    ("d4_cond_prop", &["cond"], &["cond-context", "cond-equal"]),
    ("d5_push_fun", &["choice", "index", "ring"], &["cond-into", "unroll-build"]),
    ("f1_ifold_zero", &["ifold"], &["loop-empty"]),
    ("f2_peel", &["index", "peel"], &["peel-first", "peel-last"]),
    ("f3_id_loop", &["ifold"], &["loop-identity"]),
    ("f4_single_access", &["cond", "ifold", "index"], &["loop-single"]),
    ("f4_single_access_oob", &["ifold", "index"], &["loop-single", "unroll-loop"]),
    ("g_fission", &["ifold"], &["fission"]),
    ("x_last_writer", &["ifold", "index"], &["last-writer"]),
    ("x_map_fusion", &["array"], &["get-of-build"]),
    ("x_build_eta", &["array"], &["build-of-get"]),
    ("x_build_eta2", &["array"], &["build-of-get"]),
    ("x_transpose", &["reading"], &["read-transpose"]),
    ("x_tr_tr", &["array"], &["get-of-build"]),
    ("x_reshape_reshape", &["array", "index"], &["get-of-build"]),
    ("x_sum_replicate", &["array", "index", "sum"], &["sum-of-invariant"]),
    ("x_sum_hoist_scalar", &["array", "contract"], &["sum-of-products", "sum-factor-out"]),
    ("x_sum_split", &["array", "contract"], &["sum-split"]),
    ("x_sum_swap", &["array", "choice"], &["sum-exchange"]),
    ("x_onehot_sum", &["array", "cond", "index", "sum"], &["sum-one-hot"]),
    ("x_onehot_sum_oob", &["array", "index", "sum"], &["sum-one-hot"]),
    ("x_gather_gather", &["array", "index"], &["get-of-build"]),
    ("x_scatter_scatter", &["scatter"], &["scatter-scatter"]),
    ("x_gather_id", &["array"], &["build-of-get"]),
    ("x_scatter_id", &["array", "index", "ring", "scatter"], &["scatter-onto", "scatter-into"]),
    ("x_scatter_rev", &["array", "ring", "scatter"], &["scatter-onto", "scatter-into"]),
    ("x_sum_scatter", &["scatter"], &["sum-of-scatter"]),
    ("x_sum_gather_scatter", &["array", "scatter"], &["sum-of-scatter"]),
    ("x_dot", &["reading"], &["read-elementwise"]),
    ("x_matmul", &["array"], &["get-of-build"]),
    ("x_matmul_bulk", &["array", "index"], &["get-of-build"]),
    ("x_matmul_tr", &["array", "index"], &["get-of-build"]),
    ("x_matvec_assoc", &["array", "contract", "index"], &["sum-of-products"]),
    ("x_ifold_to_sum", &["array", "ifold", "index"], &["loop-to-sum"]),
    ("x_sum_build_interchange", &["array"], &["get-of-build"]),
    ("x_hfuse", &["ifold", "index"], &["fission"]),
    ("x_neg_oob_counterexample_fixed", &["array"], &["get-outside"]),
];

/// In the notation, `length` is evaluated to a number during import. Here it is the MLIR operation.
const LENGTH: (&str, &str) = (
    "c2_length_build",
    "func.func @f(%v: tensor<3xf64>) -> f64 {
      %zero = arith.constant 0 : index
      %x = array.get %v[%zero] : (tensor<3xf64>) -> f64
      %b = array.build (%i < 7) -> (tensor<7xf64>) {
        array.yield %x : f64
      }
      %n = array.length %b : tensor<7xf64>
      %z = arith.index_cast %n : index to i64
      %y = arith.sitofp %z : i64 to f64
      return %y : f64
    }",
);

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
    let text = terms::import_text(&text, zeros).unwrap_or_else(|e| panic!("{}: {e}", pair["id"]));
    let program = Program::parse(text.as_bytes(), which).expect("what is imported parses");
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
    mlopt::register_passes();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/vectors/arrays_vectors.json");
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    let json: Value = serde_json::from_str(&text).expect("they are JSON");
    json["rewrite_pairs"].as_array().expect("with rewrite pairs").clone()
}

fn entry(json: &Value) -> &'static (&'static str, &'static [&'static str], &'static [&'static str]) {
    let id = json["id"].as_str().unwrap();
    PAIRS.iter().find(|p| p.0 == id).unwrap_or_else(|| panic!("{id} is not in the list"))
}

#[test]
fn pairs_are_proved_with_their_rules_under_their_licence() {
    for json in all() {
        let (id, sets, _) = entry(&json);
        // Without sets, no rule is used.
        let rules = if sets.is_empty() { &["-all"][..] } else { sets };
        assert!(proved(&json, rules, true), "{id} is not proved by {sets:?}");
    }
}

#[test]
fn no_pair_is_proved_without_the_rule_that_it_is_about() {
    let mut wrong = Vec::new();
    for json in all() {
        let (id, sets, needed) = entry(&json);
        if needed.is_empty() {
            continue;
        }
        let without: Vec<String> = needed.iter().map(|r| format!("-{r}")).collect();
        // Peeling would prove more than expected.
        let all = if sets.contains(&"peel") { &["all", "peel"][..] } else { &["all"] };
        let rules: Vec<&str> = all.iter().copied().chain(without.iter().map(String::as_str)).collect();
        if proved(&json, &rules, true) {
            wrong.push(format!("{id} is proved without {needed:?}"));
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
