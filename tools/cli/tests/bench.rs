//! Tests of `mlopt bench`: its sizes, inputs and references, and the comparison of results.

use mlopt_cli::commands::bench::Measured;
use mlopt_cli::commands::bench::programs::{BENCHMARKS, Benchmark};
use mlopt_cli::commands::bench::reference::{Difference, Reference, compare};
use mlopt_cli::commands::bench::size::Size;
use mlopt_cli::commands::bench::values::arguments;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::default_pipeline;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::threads::set_threads;
use std::slice::from_ref;

#[test]
fn polynomials_are_read() {
    assert_eq!(Size::parse("11", "n").at(&[5]), 11);
    assert_eq!(Size::parse("4b", "lcb").at(&[2, 3, 5]), 20);
    assert_eq!(Size::parse("t+p-1", "tp").at(&[7, 3]), 9);
    assert_eq!(Size::parse("(dd+d)/2", "dk").at(&[4, 9]), 10);
}

#[test]
fn indices_are_in_range_and_labels_are_one_hot() {
    let benchmark = |name: &str| BENCHMARKS.iter().find(|b| b.name == name).expect("it is in the table");
    let ba = benchmark("ba_adbench");
    let observed = arguments(ba, &[3, 5, 200]).unwrap()[4].to_f64();
    for (column, limit) in [(0, 3.0), (1, 5.0)] {
        let of: Vec<f64> = observed.iter().skip(column).step_by(2).copied().collect();
        assert!(of.iter().all(|&i| i.fract() == 0.0 && (0.0..limit).contains(&i)), "{of:?}");
        assert!((0..limit as usize).all(|i| of.contains(&(i as f64))), "{of:?}");
    }
    let labels = arguments(benchmark("mlp_step"), &[40, 5, 7, 4]).unwrap()[1].to_f64();
    assert!(labels.chunks(4).all(|row| row.iter().sum::<f64>() == 1.0), "{labels:?}");
    assert!((0..4).all(|k| labels.chunks(4).any(|row| row[k] == 1.0)), "{labels:?}");
}

#[test]
fn a_wrong_element_is_named() {
    let array = |v: Vec<f64>| Array::new(vec![2, 2], Data::F64(v));
    let right = array(vec![1.0, 2.0, 4.0, f64::INFINITY]);
    assert_eq!(compare(from_ref(&right), from_ref(&right), 1e-9), Ok(0.0));
    let finite = array(vec![1.0, 2.0, 4.0, 0.0]);
    let near = array(vec![1.0, 2.0, 4.0 + 2e-9, 0.0]);
    assert!(compare(&[near], from_ref(&finite), 1e-9).is_ok_and(|e| e > 4e-10));
    let text = compare(&[array(vec![1.0, 2.0, 5.0, 0.0])], from_ref(&finite), 1e-9).unwrap_err();
    assert_eq!(
        text.to_string(),
        "result 0: 1 of 4 elements differ by more than 1e-9 times the largest expected element, 4e0; at [1, 0], \
         the first of them: expected 4e0, found 5e0"
    );
    for wrong in [vec![1.0, f64::NAN, 4.0, 0.0], vec![1.0, 2.0, f64::INFINITY, 0.0]] {
        assert!(compare(&[array(wrong)], from_ref(&finite), 1e-9).is_err());
    }
    assert!(
        compare(&[Array::vector(&[1.0])], from_ref(&finite), 1e-9)
            .is_err_and(|e| matches!(e, Difference::Shape { .. }))
    );
    assert_eq!(compare(&[], &[finite], 1e-9), Err(Difference::Count { expected: 1, found: 0 }));
}

/// Compares `dot_grad`, whose gradient with respect to `a` is `b`, with the results of a text with another
/// gradient.
#[test]
fn a_wrong_result_is_an_error_with_the_size_and_the_element() {
    mlopt_lowering::register_passes();
    let right = BENCHMARKS.iter().find(|b| b.name == "dot_grad").expect("it is in the table");
    let wrong: &'static Benchmark = Box::leak(Box::new(Benchmark {
        text: Box::leak(right.text.replace("%p = arith.mulf %a, %b", "%p = arith.addf %a, %b").into_boxed_str()),
        ..*right
    }));
    assert_ne!(wrong.text, right.text);
    let target = Target::host().unwrap();
    let outcome = |measured: &'static Benchmark, reference: Reference| {
        let pipeline = default_pipeline();
        let dims = measured.medium;
        Measured::new(measured, false, Some(dims), dims, &pipeline, &target).and_then(|mut m| m.compare(&reference))
    };
    type Make = fn(&'static Benchmark) -> Reference<'static>;
    let plain: Make = |b| Reference::plain(b).unwrap_or_else(|_| panic!("unoptimised code is wrong"));
    for reference in [Reference::Evaluator as Make, plain] {
        assert!(outcome(right, reference(right)).is_ok());
        let Err(Failure::Error { place, text }) = outcome(wrong, reference(right)) else {
            panic!("a wrong gradient is taken for right");
        };
        assert_eq!(place, "dot_grad");
        let name = reference(right).name();
        assert!(text.starts_with(&format!("expected the values of {name} at n = 100000; result 0: ")), "{text}");
        assert!(text.contains("at [0], the first of them: expected") && text.ends_with("found 1e0"), "{text}");
    }
}

/// Compares the bits of all results for different numbers of threads, for sizes known to the compiler and for others.
#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    mlopt_lowering::register_passes();
    let target = Target::host().unwrap();
    for benchmark in BENCHMARKS {
        for made_for in [None, Some(benchmark.medium)] {
            let measured =
                Measured::new(benchmark, false, made_for, benchmark.medium, &default_pipeline(), &target).unwrap();
            let mut bits = [1, 2, 3, 8].map(|threads| {
                set_threads(threads);
                let results = measured.results().unwrap();
                results.iter().flat_map(|array| array.to_f64()).map(f64::to_bits).collect::<Vec<_>>()
            });
            bits.sort();
            assert!(bits[0] == bits[3], "{} for {made_for:?}", benchmark.name);
        }
    }
    set_threads(0);
}
