//! A test that the cases in `test/optimiser/reading_rules.mlir` are complete. Each case proves that an operation on
//! whole arrays equals its loops by its reading rule (`passes/optimise/rules/reading.rs`).

use mlopt_passes::optimise::rules::SETS;

const CASES: &str = include_str!("../../../test/optimiser/reading_rules.mlir");

#[test]
fn every_reading_has_a_case() {
    let (_, _, readings) = SETS.iter().find(|(name, ..)| *name == "reading").expect("a set of rules");
    for reading in readings {
        let name = reading.name;
        assert!(CASES.contains(&format!("--rules=all,-{name} ")), "{name} has no case");
        let function = name.trim_start_matches("read-").replace('-', "_");
        let stopped = CASES.contains(&format!("func.func @{function}.not("));
        assert_eq!(!reading.when.is_empty(), stopped, "{name}: a condition, and a case that it stops");
    }
}
