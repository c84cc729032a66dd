//! Tests of `static-sizes` on random programs: values do not change for arguments of the given sizes.

use crate::programs::{ARGUMENTS, Options, program};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data};

const N: usize = 7;
const M: usize = 5;

/// Returns the sizes of an argument; in arrays of rank 3 and in `%v`, `?` is M.
fn shape(name: &str, ty: &str) -> Option<Vec<usize>> {
    let inside = ty.strip_prefix("tensor<")?;
    let sizes: Vec<&str> =
        inside.split('x').take_while(|s| s.starts_with(|c: char| c == '?' || c.is_ascii_digit())).collect();
    let dynamic = if name == "%v" || sizes.len() == 3 { M } else { N };
    Some(sizes.iter().map(|s| s.parse().unwrap_or(dynamic)).collect())
}

/// Returns an argument of this name and type: unordered numbers from -2 to 2.
fn argument(k: usize, name: &str, ty: &str) -> Array {
    let shape = shape(name, ty).unwrap_or_default();
    let len = shape.iter().product::<usize>();
    let v: Vec<f64> = (0..len).map(|i| ((i * 37 + k * 11) % 17) as f64 / 4.0 - 2.0).collect();
    let element = ty.trim_end_matches('>').rsplit('x').next().unwrap_or(ty);
    let data = match (name, if ty.ends_with("index>") || ty == "index" { "index" } else { element }) {
        ("%n", _) => Data::Index(vec![N as i64]),
        ("%m", _) => Data::Index(vec![M as i64]),
        (_, "index") => Data::Index(v.iter().map(|x| *x as i64).collect()),
        (_, "f64") => Data::F64(v),
        (_, "f32") => Data::F32(v.iter().map(|x| *x as f32).collect()),
        (_, "i64") => Data::I64(v.iter().map(|x| *x as i64).collect()),
        (_, "i1") => Data::I1(v.iter().map(|x| *x > 0.0).collect()),
        (_, other) => unreachable!("no argument has elements of type {other}"),
    };
    Array::new(shape, data)
}

#[test]
fn random_programs_keep_their_values() {
    mlopt_dialects::bridge::register_upstream_passes();
    mlopt_passes::register();
    let arguments: Vec<Array> = ARGUMENTS.iter().enumerate().map(|(k, (name, ty))| argument(k, name, ty)).collect();
    let sizes = |(name, ty): &(&str, &str)| {
        let list = |s: Vec<usize>| s.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
        shape(name, ty).map_or("-".to_string(), list)
    };
    let sizes: Vec<String> = ARGUMENTS.iter().map(sizes).collect();
    let mut refused = Vec::new();
    for seed in 0..300 {
        let text = program(seed, Options { ops: 40, depth: 3, upstream: false });
        let parse = || Program::parse(text.as_bytes(), "test").expect("random programs parse");
        let (before, after) = (parse(), parse());
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
