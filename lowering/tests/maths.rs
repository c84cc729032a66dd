//! Tests that compare inlined elementary functions with the C library: over the whole range and at its ends, for f32
//! and f64, on vectors and on scalars.

use crate::common::*;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;

const FUNCTIONS: [&str; 5] = ["exp", "expm1", "log", "log1p", "tanh"];

/// Returns `@f_NAME`, which applies `math.NAME` to each element, and `@f_NAME.chain`, which does so in a sequential
/// loop: the state that it carries is stored at every step.
fn program(ty: &str) -> String {
    let one = |name: &str| {
        format!(
            "func.func @f_{name}(%x: tensor<?x{ty}>) -> tensor<?x{ty}> {{
  %z = math.{name} %x : tensor<?x{ty}>
  return %z : tensor<?x{ty}>
}}
func.func @f_{name}.chain(%x: tensor<?x{ty}>, %a: {ty}) -> ({ty}, tensor<?x{ty}>) {{
  %b, %z = array.map_accum (%e = %x : tensor<?x{ty}>) iter_args(%s = %a) -> ({ty}, tensor<?x{ty}>) {{
    %t = arith.mulf %s, %s : {ty}
    %v = math.{name} %e : {ty}
    array.yield %t, %v : {ty}, {ty}
  }}
  return %b, %z : {ty}, tensor<?x{ty}>
}}
"
        )
    };
    FUNCTIONS.map(one).concat()
}

fn library(name: &str, x: f64) -> f64 {
    match name {
        "exp" => x.exp(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log1p" => x.ln_1p(),
        "tanh" => x.tanh(),
        _ => unreachable!("{name}"),
    }
}

/// Returns samples with all exponents and both signs, then in the range where the functions vary, then the ends.
fn samples() -> Vec<f64> {
    let bits = |k: u64| (k.wrapping_mul(0x9E37_79B9_7F4A_7C15)).rotate_left(23);
    let mut xs: Vec<f64> = (0..200_000).map(|k| f64::from_bits(bits(k))).collect();
    for scale in [1e-9, 1e-3, 0.1, 0.5, 1.0, 5.0, 60.0, 375.0] {
        xs.extend(random(7, 100_000).iter().map(|x| x * scale));
        xs.extend(random(8, 20_000).iter().map(|x| 1.0 + x * scale));
    }
    for x in
        [0.0, 1.0, f64::MIN_POSITIVE, 5e-324, 1e-310, f64::MAX, f64::INFINITY, f64::NAN, 709.0, 709.7, 709.782712893384]
    {
        xs.extend([x, -x, f64::from_bits(x.to_bits() + 1), f64::from_bits(x.to_bits().wrapping_sub(1))]);
    }
    xs.extend([
        710.0, -708.4, -709.0, -740.0, -744.4, -745.1, -745.2, -746.0, -1000.0, 88.7, 88.73, -87.3, -103.9, -104.0,
    ]);
    xs.extend([3.4028235e38, 1.17549435e-38, 1.4e-45, 1e-40]);
    xs
}

/// Returns the documented maximum distance: see `maths.rs`.
fn promised(name: &str) -> u64 {
    match name {
        "exp" | "log" | "log1p" => 1,
        "expm1" => 2,
        _ => 3,
    }
}

#[test]
fn f64_agrees_with_the_library() {
    let context = context();
    let module = parse(&context, &program("f64"));
    let compiled = compile(module_op(&module));
    let xs = samples();
    for name in FUNCTIONS {
        let x = Array::new(vec![xs.len()], Data::F64(xs.clone()));
        let vector = compiled.function(&format!("f_{name}")).unwrap().call(std::slice::from_ref(&x)).unwrap().remove(0);
        let chain =
            compiled.function(&format!("f_{name}.chain")).unwrap().call(&[x, Array::f64(0.5)]).unwrap().remove(1);
        let mut worst = (0, 0.0);
        for (x, (z, c)) in xs.iter().zip(vector.to_f64().into_iter().zip(chain.to_f64())) {
            let want = library(name, *x);
            let far = distance_f64(z, want).max(distance_f64(c, want));
            assert!(far <= promised(name), "{name}({x:e}) = {z:e} and {c:e}, want {want:e}: {far} ulp");
            worst = if far > worst.0 { (far, *x) } else { worst };
        }
        println!("{name} f64: {} ulp at {:e}", worst.0, worst.1);
    }
}

#[test]
fn f32_agrees_with_the_library() {
    let context = context();
    let module = parse(&context, &program("f32"));
    let compiled = compile(module_op(&module));
    let mut xs: Vec<f32> = samples().into_iter().map(|x| x as f32).collect();
    xs.extend((0..=u32::MAX).step_by(4099).map(f32::from_bits));
    for name in FUNCTIONS {
        let x = Array::new(vec![xs.len()], Data::F32(xs.clone()));
        let z = compiled.function(&format!("f_{name}")).unwrap().call(&[x]).unwrap().remove(0);
        let mut worst = (0, 0.0);
        for (x, z) in xs.iter().zip(z.to_f64()) {
            let want = library(name, f64::from(*x)) as f32;
            let far = distance_f32(z as f32, want);
            assert!(far <= promised(name), "{name}({x:e}) = {z:e}, want {want:e}: {far} ulp");
            worst = if far > worst.0 { (far, *x) } else { worst };
        }
        println!("{name} f32: {} ulp at {:e}", worst.0, worst.1);
    }
}

/// On a machine without fused multiply-add, wide vectors or vector rounding the same bounds hold.
#[test]
fn the_baseline_target_needs_no_more() {
    let context = context();
    let module = parse(&context, &program("f64"));
    let compiled = compile_for(module_op(&module), &Target::named("x86-64", "").unwrap());
    let xs = samples();
    for name in FUNCTIONS {
        let x = Array::new(vec![xs.len()], Data::F64(xs.clone()));
        let z = compiled.function(&format!("f_{name}")).unwrap().call(&[x]).unwrap().remove(0);
        for (x, z) in xs.iter().zip(z.to_f64()) {
            let far = distance_f64(z, library(name, *x));
            assert!(far <= promised(name), "{name}({x:e}) = {z:e}: {far} ulp");
        }
    }
}
