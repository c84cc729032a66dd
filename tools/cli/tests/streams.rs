//! Tests of properties of reactive programs. `MLOPT_CASES` is the number of cases.

use mlopt_cases::Random;
use std::path::{Path, PathBuf};

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/vectors/streams_vectors.json")
}

/// Returns the program with its nodes, and the equations of each, in another order.
fn permuted(library: &str, random: &mut Random) -> String {
    let text: String = library.lines().map(|l| l.split("--").next().unwrap_or("").to_string() + "\n").collect();
    let mut nodes: Vec<String> = Vec::new();
    for node in text.split_inclusive("tel").filter(|n| n.contains("let")) {
        let (head, body) = node.split_once(" let").expect("a node has equations");
        let body = body.trim_end().strip_suffix("tel").expect("they end");
        let mut equations: Vec<&str> = body.split(';').map(str::trim).filter(|e| !e.is_empty()).collect();
        random.shuffle(&mut equations);
        let equations: String = equations.iter().map(|e| format!("  {e};\n")).collect();
        nodes.push(format!("{head} let\n{equations}tel\n"));
    }
    random.shuffle(&mut nodes);
    nodes.concat()
}

#[test]
fn the_order_of_equations_means_nothing() {
    let original = std::fs::read_to_string(vectors()).expect("the vectors are there");
    let mut json: serde_json::Value = serde_json::from_str(&original).expect("they are JSON");
    let library = json["library"].as_str().expect("a text").to_string();
    let file = std::env::temp_dir().join(format!("mlopt-permuted-{}.json", std::process::id()));
    let runs = fancy_regex::Regex::new("^(?!reject/|prim/|fig/(apply|fby$|when|merge|post$))").expect("it is one");
    for seed in mlopt_cases::seeds(0, 10) {
        let library = permuted(&library, &mut Random::new(seed));
        json["library"] = serde_json::Value::from(library.clone());
        std::fs::write(&file, json.to_string()).expect("it is written");
        let selection = mlopt_cli::vectors::Selection {
            path: &file,
            runners: &[mlopt_cli::vectors::Runner::Eval],
            mode: None,
            filter: Some(&runs),
            jobs: 1,
            verbose: false,
        };
        assert!(mlopt_cli::vectors::run(&selection).expect("tests are there"), "seed {seed}:\n{library}");
    }
    std::fs::remove_file(&file).expect("it is there");
}
