//! Loops over records, which run on vectors with a remainder; small arrays in loops, which become scalars.

mod common;

use common::*;
use mlopt_dialects::value::{Array, Data};

/// Whole vectors, remainders, both, and neither.
const LENGTHS: [usize; 8] = [0, 1, 7, 8, 9, 16, 17, 35];

fn f32s(seed: u64, shape: &[usize]) -> Array {
    let values = random(seed, shape.iter().product()).into_iter().map(|x| x as f32).collect();
    Array::new(shape.to_vec(), Data::F32(values))
}

/// Three components in, five out, one of them constant; something that is the same for all; a unit stride.
fn records(ty: &str) -> String {
    format!(
        "func.func @f(%x: tensor<?x3x{ty}>, %w: tensor<?x{ty}>, %c: tensor<4x{ty}>) -> tensor<?x5x{ty}> {{
          %n = array.length %x : tensor<?x3x{ty}>
          %i0 = arith.constant 0 : index
          %i1 = arith.constant 1 : index
          %i2 = arith.constant 2 : index
          %one = arith.constant 1.0 : {ty}
          %z = array.build (%i < %n) -> (tensor<?x5x{ty}>) {{
            %a = array.get %x[%i, %i0] : tensor<?x3x{ty}> -> {ty}
            %b = array.get %x[%i, %i1] : tensor<?x3x{ty}> -> {ty}
            %d = array.get %x[%i, %i2] : tensor<?x3x{ty}> -> {ty}
            %wi = array.get %w[%i] : tensor<?x{ty}> -> {ty}
            %c2 = array.get %c[%i2] : tensor<4x{ty}> -> {ty}
            %e = math.exp %a : {ty}
            %p = arith.mulf %b, %wi : {ty}
            %q = arith.addf %p, %d : {ty}
            %less = arith.cmpf olt, %a, %b : {ty}
            %s = arith.select %less, %d, %c2 : {ty}
            %r = array.stack %e, %q, %one, %s, %c2 : ({ty}, {ty}, {ty}, {ty}, {ty}) -> tensor<5x{ty}>
            array.yield %r : tensor<5x{ty}>
          }}
          return %z : tensor<?x5x{ty}>
        }}"
    )
}

#[test]
fn records_of_components() {
    // `w` has its own length: reads behind its end are masked.
    let lengths = LENGTHS.iter().flat_map(|n| [(*n, *n), (*n, n / 2)]);
    agrees(
        &records("f64"),
        &lengths.clone().map(|(n, m)| vec![array(1, &[n, 3]), array(2, &[m]), array(3, &[4])]).collect::<Vec<_>>(),
    );
    agrees(
        &records("f32"),
        &lengths.map(|(n, m)| vec![f32s(1, &[n, 3]), f32s(2, &[m]), f32s(3, &[4])]).collect::<Vec<_>>(),
    );
}

/// Positions from data, some of them outside; nested conditions; functions that are called for each lane.
#[test]
fn records_from_anywhere() {
    agrees(
        "func.func @f(%at: tensor<?x2xf64>, %x: tensor<?x3xf64>) -> tensor<?x2x3xf64> {
          %n = array.length %at : tensor<?x2xf64>
          %i0 = arith.constant 0 : index
          %i1 = arith.constant 1 : index
          %z = array.build (%i < %n) -> (tensor<?x2x3xf64>) {
            %f = array.get %at[%i, %i0] : tensor<?x2xf64> -> f64
            %g = array.get %at[%i, %i1] : tensor<?x2xf64> -> f64
            %k = array.floor %f : f64 -> index
            %row = array.get %x[%k] : tensor<?x3xf64> -> tensor<3xf64>
            %s = math.sin %g : f64
            %ss = array.replicate %s : (f64) -> tensor<3xf64>
            %p = arith.mulf %row, %ss : tensor<3xf64>
            %m = arith.cmpi slt, %k, %i1 : index
            %q = scf.if %m -> (tensor<3xf64>) {
              scf.yield %row : tensor<3xf64>
            } else {
              %l = array.get %x[%i1] : tensor<?x3xf64> -> tensor<3xf64>
              scf.yield %l : tensor<3xf64>
            }
            %r = array.stack %p, %q : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
            array.yield %r : tensor<2x3xf64>
          }
          return %z : tensor<?x2x3xf64>
        }",
        &LENGTHS
            .iter()
            .flat_map(|n| [(*n, 4), (*n, 1), (*n, 0)])
            .map(|(n, m)| {
                let mut at: Vec<f64> = random(1, 2 * n).iter().map(|x| 2.0 * x).collect();
                if n > 2 {
                    at[4] = f64::NAN;
                    at[2] = 1e300;
                }
                vec![Array::new(vec![n, 2], Data::F64(at)), array(2, &[m, 3])]
            })
            .collect::<Vec<_>>(),
    );
}

/// A loop inside a loop that carries a small array: changed at constant positions, by rows and as a whole.
#[test]
fn small_arrays_are_carried() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>, %a: tensor<3xf64>) -> (tensor<3xf64>, tensor<?x2x3xf64>, tensor<?xf64>) {
          %i1 = arith.constant 1 : index
          %b, %z, %t = array.map_accum (%row = %x : tensor<?x3xf64>) iter_args(%s = %a)
              -> (tensor<3xf64>, tensor<?x2x3xf64>, tensor<?xf64>) {
            %p = arith.mulf %row, %s : tensor<3xf64>
            %q = array.sum %p : (tensor<3xf64>) -> f64
            %v = array.reverse %p : tensor<3xf64>
            %m = array.max %v : (tensor<3xf64>) -> f64
            %o = array.one_hot %m at [%i1] : f64 -> tensor<3xf64>
            %next = arith.addf %o, %v : tensor<3xf64>
            %both = array.stack %s, %next : (tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
            array.yield %next, %both, %q : tensor<3xf64>, tensor<2x3xf64>, f64
          }
          return %b, %z, %t : tensor<3xf64>, tensor<?x2x3xf64>, tensor<?xf64>
        }",
        &[0, 1, 2, 9].map(|n| vec![array(1, &[n, 3]), array(2, &[3])]),
    );
}

/// Read at positions that only the data knows, an array stays whole.
#[test]
fn small_arrays_that_are_indexed_stay() {
    agrees(
        "func.func @f(%k: tensor<?xindex>, %a: tensor<3xf64>) -> (tensor<3xf64>, tensor<?xf64>) {
          %b, %t = array.map_accum (%i = %k : tensor<?xindex>) iter_args(%s = %a) -> (tensor<3xf64>, tensor<?xf64>) {
            %e = array.get %s[%i] : tensor<3xf64> -> f64
            %o = array.one_hot %e at [%i] : f64 -> tensor<3xf64>
            %next = arith.addf %o, %s : tensor<3xf64>
            array.yield %next, %e : tensor<3xf64>, f64
          }
          return %b, %t : tensor<3xf64>, tensor<?xf64>
        }",
        &[vec![], vec![2], vec![1, 1, 7, 0, -1, 2]]
            .map(|k| vec![Array::new(vec![k.len()], Data::Index(k)), array(2, &[3])]),
    );
}
