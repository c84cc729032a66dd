//! Properties of reactive programs. `MLOPT_CASES` says how many are tried.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};
use std::path::{Path, PathBuf};

fn cases(few: u64) -> u64 {
    std::env::var("MLOPT_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/vectors/streams_vectors.json")
}

fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for k in (1..items.len()).rev() {
        items.swap(k, random.next_u64() as usize % (k + 1));
    }
}

/// The program with nodes, and the equations of each, in another order.
fn permuted(library: &str, random: &mut ChaCha8Rng) -> String {
    let text: String = library.lines().map(|l| l.split("--").next().unwrap_or("").to_string() + "\n").collect();
    let mut nodes: Vec<String> = Vec::new();
    for node in text.split_inclusive("tel").filter(|n| n.contains("let")) {
        let (head, body) = node.split_once(" let").expect("a node has equations");
        let body = body.trim_end().strip_suffix("tel").expect("they end");
        let mut equations: Vec<&str> = body.split(';').map(str::trim).filter(|e| !e.is_empty()).collect();
        shuffle(&mut equations, random);
        let equations: String = equations.iter().map(|e| format!("  {e};\n")).collect();
        nodes.push(format!("{head} let\n{equations}tel\n"));
    }
    shuffle(&mut nodes, random);
    nodes.concat()
}

#[test]
fn the_order_of_equations_means_nothing() {
    let original = std::fs::read_to_string(vectors()).expect("the vectors are there");
    let mut json: serde_json::Value = serde_json::from_str(&original).expect("they are JSON");
    let library = json["library"].as_str().expect("a text").to_string();
    let file = std::env::temp_dir().join(format!("mlopt-permuted-{}.json", std::process::id()));
    let runs = fancy_regex::Regex::new("^(?!reject/|prim/|fig/(apply|fby$|when|merge|post$))").expect("it is one");
    for seed in 0..cases(10) {
        let library = permuted(&library, &mut ChaCha8Rng::seed_from_u64(seed));
        json["library"] = serde_json::Value::from(library.clone());
        std::fs::write(&file, json.to_string()).expect("it is written");
        let selection = mlopt::vectors::Selection {
            path: &file,
            ways: &[mlopt::vectors::WayName::Eval],
            mode: None,
            filter: Some(&runs),
            jobs: 1,
            verbose: false,
        };
        assert_eq!(mlopt::vectors::run(&selection), Ok(true), "seed {seed}:\n{library}");
    }
    std::fs::remove_file(&file).expect("it is there");
}

/// Processor time of this thread, in nanoseconds: what else the machine does is not in it.
fn thread_time() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    text.split_whitespace().next().and_then(|n| n.parse().ok()).expect("its first number")
}

/// A program of `n` equations, nodes or instances, of one kind each.
fn large(kind: &str, n: usize) -> String {
    let list = |of: &dyn Fn(usize) -> String| (1..=n).map(of).collect::<Vec<_>>();
    let equations = match kind {
        "chain" => list(&|k| format!("a{k} = 0.5 * a{} + (0.0 fby a{k});", k - 1)),
        "reversed" => list(&|k| format!("a{} = 0.5 * a{} + x;", n + 1 - k, n - k)),
        "recurrence" => list(&|k| format!("a{k} = 0.5 * a{} + {};", k - 1, if k == 1 { "(0.0 fby y)" } else { "x" })),
        "backward" => list(&|k| format!("a{k} = a{} + (if e then 0.0 else post a{k});", k - 1)),
        "aliases" => list(&|k| format!("a{k} = a{};", k - 1)),
        "parameters" => list(&|k| format!("a{k} = tanh(a{} * param({k}.0));", k - 1)),
        "nodes" => list(&|k| format!("a{k} = g{k}(a{});", k - 1)),
        "instances" => list(&|k| format!("a{k} = g1(a{});", k - 1)),
        _ => panic!("no kind {kind}"),
    };
    let nodes = match kind {
        "nodes" => list(&|k| format!("node g{k}(x) -> (y) let y = {k}.5 * x + (0.0 fby y); tel\n")).concat(),
        _ => "node g1(x) -> (y) let y = 1.5 * x + (0.0 fby y); tel\n".into(),
    };
    format!("{nodes}node f(x, e) -> (y) let\na0 = x;\n{}\ny = a{n};\ntel\n", equations.join("\n"))
}

/// Time to import a program and to run each pipeline on it.
fn times(text: &str, pipelines: &[&str]) -> Vec<u64> {
    use mlopt::streams::{Kind, Request, Type, import};
    let scalar = |name: &str, kind| (name.to_string(), Type { kind, shape: vec![] });
    let types = vec![scalar("x", Kind::Float), scalar("e", Kind::Bool)];
    let float = mlopt_dialects::value::Element::F64;
    let request = Request { node: Some("f".into()), statics: vec![], types, float };
    let start = thread_time();
    let module = import(text, "large", &request).expect("it is right");
    let mut all = vec![thread_time() - start];
    for pipeline in pipelines {
        let program = mlopt_dialects::bridge::program::Program::parse(module.as_bytes(), "large").expect("it parses");
        let start = thread_time();
        program.run_pipeline(&format!("builtin.module({pipeline})")).expect("it goes through");
        all.push(thread_time() - start);
    }
    all
}

#[test]
fn work_grows_as_programs_do() {
    mlopt::cli::register_passes();
    let pipelines = ["stream-inline,stream-plan", "stream-inline,stream-simplify", "stream-inline,stream-to-loops"];
    let (few, many) = (400, 3200);
    for kind in ["chain", "reversed", "recurrence", "backward", "aliases", "parameters", "nodes", "instances"] {
        let least = |n: usize| {
            let text = large(kind, n);
            let runs = [0; 2].map(|_| times(&text, &pipelines));
            runs[0].iter().zip(&runs[1]).map(|(a, b)| *a.min(b)).collect::<Vec<u64>>()
        };
        let (small, large) = (least(few), least(many));
        for (k, (small, large)) in small.iter().zip(&large).enumerate() {
            let what = if k == 0 { "import" } else { pipelines[k - 1] };
            let ratio = *large as f64 / (*small).max(1_000_000) as f64;
            println!("{kind}, {what}: {small} and {large} ns, {ratio:.1} times");
            // Eight times the program; in proportion to its square it would be 64.
            assert!(ratio < 20.0, "{kind}, {what}: {ratio:.1} times the work for {} times the program", many / few);
        }
    }
}
