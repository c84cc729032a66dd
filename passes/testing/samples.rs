//! Arguments for the random programs of `programs.rs`, and comparing results. A test includes this file by its path.

use super::programs;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::value::{Array, Data, Element};

/// Different for each argument and position.
fn noise(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    for _ in 0..3 {
        x ^= x >> 29;
        x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    x >> 11
}

/// Numbers in (-1.5, 1.5) and small indices.
pub fn array(element: Element, shape: &[usize], seed: u64) -> Array {
    let len: usize = shape.iter().product();
    let at = |i: usize| noise(seed.wrapping_mul(1009).wrapping_add(i as u64));
    let float = |i: usize| at(i) as f64 / (1u64 << 53) as f64 * 3.0 - 1.5;
    let integer = |i: usize| (at(i) % 8) as i64 - 2;
    let data = match element {
        Element::F32 => Data::F32((0..len).map(|i| float(i) as f32).collect()),
        Element::F64 => Data::F64((0..len).map(float).collect()),
        Element::I1 => Data::I1((0..len).map(|i| at(i) % 2 == 1).collect()),
        Element::I32 => Data::I32((0..len).map(|i| integer(i) as i32).collect()),
        Element::I64 => Data::I64((0..len).map(integer).collect()),
        Element::Index => Data::Index((0..len).map(integer).collect()),
    };
    Array::new(shape.to_vec(), data)
}

/// The arguments of `@f` for run-time sizes `n`, `m` and an extent `k` that may be negative.
pub fn arguments(module: Op, [n, m, k]: [i64; 3], seed: u64) -> Vec<Array> {
    let types: Vec<Type> = module.lookup("f").and_then(Op::function_type).expect("there is `@f`").0;
    programs::ARGUMENTS
        .iter()
        .zip(types)
        .enumerate()
        .map(|(position, ((name, _), ty))| {
            let size = if *name == "%v" || ty.rank() == 3 { m } else { n };
            let shape: Vec<usize> = ty.shape().into_iter().map(|d| d.unwrap_or(size as usize)).collect();
            match *name {
                "%n" => Array::index(n),
                "%m" => Array::index(m),
                "%k" => Array::index(k),
                _ => array(ty.element().expect("an element type"), &shape, seed * 31 + position as u64),
            }
        })
        .collect()
}
