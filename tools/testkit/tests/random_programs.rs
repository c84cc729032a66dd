//! A test that runs some of the random programs of `cargo xtask random`, with fixed seeds. `MLOPT_SEED` repeats one,
//! `MLOPT_CASES` runs more.

use mlopt_testkit::random::builder::Form;
use mlopt_testkit::random::campaign::Campaign;
use mlopt_testkit::random::generate;
use mlopt_testkit::random::patterns::PATTERNS;
use std::path::Path;

#[test]
fn compiled_programs_agree_with_the_evaluator_at_real_sizes() {
    let seeds = mlopt_cases::seeds(1, 150);
    let campaign = Campaign {
        first: seeds.start,
        count: seeds.end - seeds.start,
        jobs: 2,
        log: None,
        folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join("random"),
        patience: 600,
    };
    let tally = campaign.run(Path::new(env!("CARGO_BIN_EXE_mlopt-random"))).unwrap();
    println!("{tally}");
    let failed: Vec<String> = tally.failed().iter().map(|l| format!("MLOPT_SEED={}: {}", l.seed, l.text)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_pattern_is_drawn_and_a_seed_says_which_program() {
    let programs: Vec<_> = (1..=600).map(|seed| generate(seed, Form::Dynamic, &[])).collect();
    for pattern in PATTERNS {
        let count = programs.iter().filter(|p| p.patterns.contains(&pattern.name)).count();
        assert!(count >= 5, "{count} programs have {}", pattern.name);
    }
    let again = generate(7, Form::Dynamic, &[]);
    assert_eq!(programs[6].text, again.text);
    // The same program in every form: only sizes differ.
    let fixed = generate(7, Form::Static, &[]);
    assert_eq!(format!("{:?}", fixed.arguments), format!("{:?}", again.arguments));
    assert!(!fixed.text.contains('?'), "{}", fixed.text);
}
