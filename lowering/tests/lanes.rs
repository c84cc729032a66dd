//! Loops over records, which run on vectors with a remainder, and small arrays in loops, which become scalars.

use crate::common::*;
use mlopt_dialects::value::{Array, Data};

/// Lengths with whole vectors, remainders, both, and neither.
const LENGTHS: [usize; 8] = [0, 1, 7, 8, 9, 16, 17, 35];

fn f32s(seed: u64, shape: &[usize]) -> Array {
    let values = random(seed, shape.iter().product()).into_iter().map(|x| x as f32).collect();
    Array::new(shape.to_vec(), Data::F32(values))
}

/// Returns a program with three components in, five out, one of them constant; a value that all iterations share; a
/// unit stride.
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
    // `w` has its own length: reads after its end are masked.
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

/// A loop inside a loop that carries a small array: updated at constant positions, by rows and as a whole.
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

/// An array that is read at positions from data is not replaced by scalars.
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

/// Returns a recurrence with arrays of `n` elements, which reverses, shifts and sums them and computes their maximum.
fn recurrence(n: usize, ty: &str) -> String {
    let rest = n - 1;
    format!(
        "func.func @f(%x: tensor<?x{ty}>, %a: tensor<{n}x{ty}>, %b: tensor<{n}x{ty}>, %w: tensor<{n}x{ty}>) \
            -> (tensor<{n}x{ty}>, tensor<{n}x{ty}>, tensor<?x{ty}>) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %half = arith.constant 0.5 : {ty}
          %z:3 = array.map_accum (%e = %x : tensor<?x{ty}>) iter_args(%s = %a, %t = %b) \
              -> (tensor<{n}x{ty}>, tensor<{n}x{ty}>, tensor<?x{ty}>) {{
            %first = array.reshape %e : {ty} -> tensor<1x{ty}>
            %older = array.slice %s from %c0 : tensor<{n}x{ty}> -> tensor<{rest}x{ty}>
            %shifted = array.append %first, %older : (tensor<1x{ty}>, tensor<{rest}x{ty}>) -> tensor<{n}x{ty}>
            %p = arith.mulf %shifted, %t : tensor<{n}x{ty}>
            %sum = array.sum %p : (tensor<{n}x{ty}>) -> {ty}
            %most = array.max %p : (tensor<{n}x{ty}>) -> {ty}
            %less = arith.cmpf olt, %e, %sum : {ty}
            %m = arith.select %less, %most, %half : {ty}
            %all = array.replicate %m : ({ty}) -> tensor<{n}x{ty}>
            %turned = array.reverse %shifted : tensor<{n}x{ty}>
            %q = arith.mulf %turned, %w : tensor<{n}x{ty}>
            %u = arith.addf %q, %all : tensor<{n}x{ty}>
            %v = math.tanh %u : tensor<{n}x{ty}>
            %one = array.get %v[%c1] : tensor<{n}x{ty}> -> {ty}
            %r = arith.addf %sum, %one : {ty}
            array.yield %shifted, %v, %r : tensor<{n}x{ty}>, tensor<{n}x{ty}>, {ty}
          }}
          return %z#0, %z#1, %z#2 : tensor<{n}x{ty}>, tensor<{n}x{ty}>, tensor<?x{ty}>
        }}"
    )
}

#[test]
fn arrays_that_recurrences_carry() {
    for n in [2, 4, 5, 7, 16, 31, 32, 33] {
        let given = |length: usize| vec![array(1, &[length]), array(2, &[n]), array(3, &[n]), array(4, &[n])];
        agrees(&recurrence(n, "f64"), &LENGTHS.map(given));
        let given = |length: usize| vec![f32s(1, &[length]), f32s(2, &[n]), f32s(3, &[n]), f32s(4, &[n])];
        agrees(&recurrence(n, "f32"), &LENGTHS.map(given));
    }
}

#[test]
fn matrices_that_recurrences_carry() {
    let program = "func.func @f(%x: tensor<?xf64>, %a: tensor<3x4xf64>) -> tensor<4x3xf64> {
      %z = array.fold (%e = %x : tensor<?xf64>) iter_args(%s = %a) -> (tensor<3x4xf64>) {
        %t = array.transpose %s [1, 0] : tensor<3x4xf64> -> tensor<4x3xf64>
        %r = array.reshape %t : tensor<4x3xf64> -> tensor<3x4xf64>
        %row = array.replicate %e : (f64) -> tensor<4xf64>
        %c = array.replicate %row : (tensor<4xf64>) -> tensor<3x4xf64>
        %p = arith.mulf %r, %c : tensor<3x4xf64>
        %q = arith.addf %p, %s : tensor<3x4xf64>
        array.yield %q : tensor<3x4xf64>
      }
      %y = array.transpose %z [1, 0] : tensor<3x4xf64> -> tensor<4x3xf64>
      return %y : tensor<4x3xf64>
    }";
    agrees(program, &LENGTHS.map(|n| vec![array(1, &[n]), array(2, &[3, 4])]));
}

/// Returns a layer: sums along rows of this number of columns, and a computation on them.
fn layer(columns: usize, ty: &str) -> String {
    format!(
        "func.func @f(%w: tensor<?x{columns}x{ty}>, %x: tensor<{columns}x{ty}>, %b: tensor<?x{ty}>) \
            -> (tensor<?x{ty}>, tensor<?x{ty}>) {{
          %n = array.length %w : tensor<?x{columns}x{ty}>
          %z:2 = array.build (%i < %n) -> (tensor<?x{ty}>, tensor<?x{ty}>) {{
            %row = array.get %w[%i] : tensor<?x{columns}x{ty}> -> tensor<{columns}x{ty}>
            %p = arith.mulf %row, %x : tensor<{columns}x{ty}>
            %s = array.sum %p : (tensor<{columns}x{ty}>) -> {ty}
            %e = math.exp %x : tensor<{columns}x{ty}>
            %q = arith.addf %row, %e : tensor<{columns}x{ty}>
            %t = array.sum %q : (tensor<{columns}x{ty}>) -> {ty}
            %c = array.get %b[%i] : tensor<?x{ty}> -> {ty}
            %u = arith.addf %s, %c : {ty}
            %y = math.tanh %u : {ty}
            array.yield %y, %t : {ty}, {ty}
          }}
          return %z#0, %z#1 : tensor<?x{ty}>, tensor<?x{ty}>
        }}"
    )
}

#[test]
fn sums_along_rows() {
    for columns in [7, 8, 9, 16, 23, 49, 72, 130] {
        let given = |n: usize| vec![array(1, &[n, columns]), array(2, &[columns]), array(3, &[n])];
        agrees(&layer(columns, "f64"), &LENGTHS.map(given));
        let given = |n: usize| vec![f32s(1, &[n, columns]), f32s(2, &[columns]), f32s(3, &[n])];
        agrees(&layer(columns, "f32"), &LENGTHS.map(given));
    }
}

/// Returns sums along `columns` columns, two at once, and a computation on them; in a loop, which is not interchanged.
fn down(columns: usize, ty: &str) -> String {
    format!(
        "func.func @f(%a: tensor<?x{columns}x{ty}>, %b: tensor<{columns}x{ty}>, %x: tensor<?x?x{ty}>) \
            -> tensor<?x{columns}x{ty}> {{
          %n = array.length %a : tensor<?x{columns}x{ty}>
          %z:2 = array.map_accum (%row = %x : tensor<?x?x{ty}>) iter_args(%last = %b) \
              -> (tensor<{columns}x{ty}>, tensor<?x{columns}x{ty}>) {{
            %y = array.build (%i < {columns}) -> (tensor<{columns}x{ty}>) {{
              %p = array.build (%k < %n) -> (tensor<?x{ty}>) {{
                %e = array.get %a[%k, %i] : tensor<?x{columns}x{ty}> -> {ty}
                %f = array.get %row[%k] : tensor<?x{ty}> -> {ty}
                %q = arith.mulf %e, %f : {ty}
                array.yield %q : {ty}
              }}
              %s = array.sum %p : (tensor<?x{ty}>) -> {ty}
              %c = array.get %b[%i] : tensor<{columns}x{ty}> -> {ty}
              %u = arith.addf %s, %c : {ty}
              %v = math.tanh %u : {ty}
              array.yield %v : {ty}
            }}
            array.yield %y, %y : tensor<{columns}x{ty}>, tensor<{columns}x{ty}>
          }}
          return %z#1 : tensor<?x{columns}x{ty}>
        }}"
    )
}

#[test]
fn sums_down_columns() {
    for columns in [7, 8, 9, 16, 23, 49, 72, 140, 300] {
        let given = |n: usize| vec![array(1, &[n, columns]), array(2, &[columns]), array(3, &[3, n])];
        agrees(&down(columns, "f64"), &LENGTHS.map(given));
        let given = |n: usize| vec![f32s(1, &[n, columns]), f32s(2, &[columns]), f32s(3, &[3, n])];
        agrees(&down(columns, "f32"), &LENGTHS.map(given));
    }
}

/// Returns a recurrence whose state is multiplied by a matrix, and then mapped.
fn network(rows: usize, columns: usize, ty: &str) -> String {
    let rest = columns - rows;
    format!(
        "func.func @f(%x: tensor<?x{rest}x{ty}>, %w: tensor<{rows}x{columns}x{ty}>, %h: tensor<{rows}x{ty}>) \
            -> (tensor<{rows}x{ty}>, tensor<?x{rows}x{ty}>) {{
          %z:2 = array.map_accum (%e = %x : tensor<?x{rest}x{ty}>) iter_args(%s = %h) \
              -> (tensor<{rows}x{ty}>, tensor<?x{rows}x{ty}>) {{
            %both = array.append %e, %s : (tensor<{rest}x{ty}>, tensor<{rows}x{ty}>) -> tensor<{columns}x{ty}>
            %p = array.build (%i < {rows}) -> (tensor<{rows}x{ty}>) {{
              %row = array.get %w[%i] : tensor<{rows}x{columns}x{ty}> -> tensor<{columns}x{ty}>
              %q = arith.mulf %row, %both : tensor<{columns}x{ty}>
              %t = array.sum %q : (tensor<{columns}x{ty}>) -> {ty}
              array.yield %t : {ty}
            }}
            %a = math.tanh %p : tensor<{rows}x{ty}>
            %c = math.exp %a : tensor<{rows}x{ty}>
            %next = arith.subf %c, %s : tensor<{rows}x{ty}>
            array.yield %next, %a : tensor<{rows}x{ty}>, tensor<{rows}x{ty}>
          }}
          return %z#0, %z#1 : tensor<{rows}x{ty}>, tensor<?x{rows}x{ty}>
        }}"
    )
}

/// Numbers of iterations for which the matrix is transposed, and for which it is not.
#[test]
fn matrices_in_recurrences() {
    for (rows, columns) in [(16, 17), (20, 49), (32, 40), (128, 130), (140, 141)] {
        let given = |n: usize| vec![array(1, &[n, columns - rows]), array(2, &[rows, columns]), array(3, &[rows])];
        let small = |x: Array| match x.data() {
            Data::F64(v) => Array::new(x.shape().to_vec(), Data::F64(v.iter().map(|v| v / 16.0).collect())),
            _ => unreachable!("made so"),
        };
        agrees(&network(rows, columns, "f64"), &[0, 1, 31, 32, 40].map(|n| given(n).into_iter().map(small).collect()));
    }
}

/// More arguments than a call in C may have, a loop that carries more values than the limit for LLVM's passes, and
/// consecutive ops that are cut into pieces.
#[test]
fn functions_of_a_thousand_arguments() {
    const STATES: usize = 1500;
    let each = |f: &dyn Fn(usize) -> String| (0..STATES).map(f).collect::<Vec<_>>().join(", ");
    let (arguments, types) = (each(&|k| format!("%a{k}: f64")), each(&|_| "f64".into()));
    let carried = each(&|k| format!("%s{k} = %a{k}"));
    let steps: String = (0..STATES)
        .map(|k| {
            let before = (k + STATES - 1) % STATES;
            format!("%p{k} = arith.mulf %s{before}, %half : f64\n%t{k} = arith.addf %p{k}, %e : f64\n")
        })
        .collect();
    let next = each(&|k| format!("%t{k}"));
    let results = each(&|k| format!("%z#{k}"));
    let text = format!(
        "func.func @f(%x: tensor<?xf64>, {arguments}) -> ({types}, tensor<?xf64>) {{
          %half = arith.constant 0.5 : f64
          %z:{} = array.map_accum (%e = %x : tensor<?xf64>) iter_args({carried}) -> ({types}, tensor<?xf64>) {{
            {steps}
            array.yield {next}, %t0 : {types}, f64
          }}
          return {results}, %z#{STATES} : {types}, tensor<?xf64>
        }}",
        STATES + 1
    );
    let given = |n: usize| {
        let mut all = vec![array(1, &[n])];
        all.extend((0..STATES).map(|k| array(k as u64 + 2, &[])));
        all
    };
    agrees(&text, &[given(0), given(1), given(17)]);
}
