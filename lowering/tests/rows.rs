//! Tests of matrices with rows of all lengths around the width of registers: maps, sums along rows and columns, and the
//! state of a recurrence, for known and unknown sizes, for this machine and for plain x86-64.

use crate::common::*;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;
use mlopt_passes::arrays::static_sizes;

const PROGRAM: &str = "func.func @f(%a: tensor<?x?xT>, %u: tensor<?xT>, %v: tensor<?xT>)
    -> (tensor<?x?xT>, tensor<?xT>, tensor<?xT>, tensor<?xT>, T, T) {
  %m = array.length %a : tensor<?x?xT>
  %n = array.length %a axis 1 : tensor<?x?xT>
  %vs = array.replicate %v, %m : (tensor<?xT>) -> tensor<?x?xT>
  %ut = array.replicate %u, %n : (tensor<?xT>) -> tensor<?x?xT>
  %us = array.transpose %ut [1, 0] : (tensor<?x?xT>) -> tensor<?x?xT>
  %av = arith.mulf %a, %vs : tensor<?x?xT>
  %au = arith.mulf %a, %us : tensor<?x?xT>
  %e = math.exp %au : tensor<?x?xT>
  %map = arith.subf %e, %vs : tensor<?x?xT>
  %rows = array.sum %av axes [1] : (tensor<?x?xT>) -> tensor<?xT>
  %columns = array.sum %au axes [0] : (tensor<?x?xT>) -> tensor<?xT>
  %state = array.fold (%x = %a : tensor<?x?xT>) iter_args(%s = %v) -> (tensor<?xT>) {
    %p = arith.mulf %s, %v : tensor<?xT>
    %q = arith.addf %p, %x : tensor<?xT>
    %t = math.tanh %q : tensor<?xT>
    array.yield %t : tensor<?xT>
  }
  %vv = arith.mulf %v, %v : tensor<?xT>
  %sum = array.sum %vv : (tensor<?xT>) -> T
  %max = array.max %v : (tensor<?xT>) -> T
  return %map, %rows, %columns, %state, %sum, %max
    : tensor<?x?xT>, tensor<?xT>, tensor<?xT>, tensor<?xT>, T, T
}
";

/// The numbers of rows and columns.
const SIZES: [(usize, usize); 22] = [
    (3, 1),
    (5, 3),
    (1, 4),
    (3, 5),
    (4, 7),
    (3, 8),
    (2, 9),
    (3, 13),
    (3, 14),
    (5, 15),
    (3, 16),
    (3, 17),
    (2, 31),
    (9, 40),
    (13, 24),
    (11, 33),
    (1, 63),
    (5, 64),
    (7, 65),
    (8, 66),
    (17, 131),
    (101, 100),
];

fn arguments(m: usize, n: usize, single: bool) -> Vec<Array> {
    let shapes = [vec![m, n], vec![m], vec![n]];
    let number = |(seed, shape): (usize, &Vec<usize>)| {
        let xs = random(seed as u64 + 1, shape.iter().product());
        let data = if single { Data::F32(xs.iter().map(|x| *x as f32).collect()) } else { Data::F64(xs) };
        Array::new(shape.clone(), data)
    };
    shapes.iter().enumerate().map(number).collect()
}

fn check(single: bool, dims: Option<(usize, usize)>, target: &Target, cases: &[(usize, usize)]) {
    let context = context();
    let source = PROGRAM.replace('T', if single { "f32" } else { "f64" });
    let (original, lowered) = (parse(&context, &source), parse(&context, &source));
    let lowered = module_op(&lowered);
    if let Some((m, n)) = dims {
        let entry = lowered.lookup("f").unwrap();
        static_sizes::specialise(entry, &[vec![Some(m), Some(n)], vec![Some(m)], vec![Some(n)]]).unwrap();
    }
    let compiled = compile_for(lowered, target);
    for (m, n) in cases {
        let args = arguments(*m, *n, single);
        let want = Evaluator::new(module_op(&original)).call("f", &args).unwrap();
        let got = compiled.function("f").unwrap().call(&args).unwrap();
        for (k, (g, w)) in got.iter().zip(&want).enumerate() {
            let difference = differs(g, w, 1e-9);
            assert_eq!(difference, None, "result {k} of {m} rows and {n} columns, sizes {dims:?}, f32: {single}");
        }
    }
}

fn targets() -> [Target; 2] {
    [Target::host().unwrap(), Target::named("x86-64", "").unwrap()]
}

#[test]
fn known_sizes() {
    for target in &targets() {
        for sizes in SIZES {
            for single in [false, true] {
                check(single, Some(sizes), target, &[sizes]);
            }
        }
    }
}

#[test]
fn unknown_sizes() {
    let cases = [&SIZES[..], &[(0, 0), (0, 9), (9, 0), (1, 1), (4, 300), (300, 4)]].concat();
    for target in &targets() {
        for single in [false, true] {
            check(single, None, target, &cases);
        }
    }
}
