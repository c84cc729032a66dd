//! Tests that `mlopt bench` compares the functions that it times with their references, at the same sizes.

use std::process::{Command, Output};

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mlopt")).arg("bench").args(arguments).output().expect("mlopt starts")
}

/// Checks all programs at sizes that are multiples of tiles, lanes and blocks, with vector loads of inputs of every
/// element type. The two networks run at their small size, which also has full tiles, because the evaluator is slow.
#[test]
fn all_programs_compute_the_values_of_the_evaluator() {
    let medium =
        "ba_adbench ba_jac bn_grad dot_grad gmm_grad lstm_ad max_grad nnmf_grad stream_lms vadd_jac vscale_jac";
    let run = |names: &str, size, rows: usize| {
        let output = bench(&[names.split(' ').collect(), vec!["--size", size]].concat());
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{err}");
        assert_eq!(out.lines().count(), 1 + rows, "{out}");
    };
    run(medium, "medium", 12);
    run("lstm_train mlp_step", "small", 4);
}

/// Checks fast programs at the large size, which the evaluator does not run.
#[test]
fn unoptimised_code_stands_in_for_the_evaluator_at_large_size() {
    let output = bench(&["dot_grad", "bn_grad", "--size", "large"]);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && out.contains("bn_grad_f32"), "{out}{err}");
}
