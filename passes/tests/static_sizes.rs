//! Tests of `static-sizes` on random programs: values do not change for arguments of the given sizes.

use crate::programs::{Options, program};
use crate::samples::{arguments, parse};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::Array;

#[test]
fn random_programs_keep_their_values() {
    let mut refused = Vec::new();
    for seed in 0..300 {
        let text = program(seed, Options { ops: 40, depth: 3, upstream: false, stable: false });
        let (before, after) = (parse(&text), parse(&text));
        let arguments = arguments(before.module(), [7, 5, 1], seed);
        let sizes = |x: &Array| match x.rank() {
            0 => "-".to_string(),
            _ => x.shape().iter().map(usize::to_string).collect::<Vec<_>>().join("x"),
        };
        let sizes: Vec<String> = arguments.iter().map(sizes).collect();
        let f = after.module().lookup("f").expect("there is `@f`");
        f.set_attribute("array.sizes", f.context().string_attr(&sizes.join(",")));
        if after.run_pipeline("builtin.module(static-sizes)").is_err() {
            refused.push(seed);
            continue;
        }
        let value = |p: &Program| Evaluator::new(p.module()).call("f", &arguments).map_err(|e| e.to_string());
        let (want, got) = (value(&before), value(&after));
        // Compared as text, so that NaN equals NaN.
        assert_eq!(format!("{got:?}"), format!("{want:?}"), "seed {seed}\n{text}");
    }
    assert_eq!(refused, [0; 0], "these programs are refused, and have values");
}
