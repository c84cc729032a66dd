//! Arrays of booleans: one byte for each element in memory, one bit for each in a vector register. Masked sums,
//! products, maxima and updates of rows, with column counts of one vector, one less and one more, and of several
//! vectors.

use crate::common::*;
use mlopt_dialects::value::{Array, Data};

/// Numbers around the lanes of one vector, of two and of four.
const COLUMNS: [usize; 12] = [3, 7, 8, 9, 10, 15, 16, 17, 25, 31, 32, 33];

const ROWS: [usize; 4] = [0, 1, 5, 33];

fn mask(seed: u64, shape: &[usize]) -> Array {
    let values = random(seed, shape.iter().product()).into_iter().map(|x| x > 0.0).collect();
    Array::new(shape.to_vec(), Data::I1(values))
}

fn numbers(ty: &str, seed: u64, shape: &[usize]) -> Array {
    let values = random(seed, shape.iter().product());
    let data = match ty {
        "f64" => Data::F64(values),
        "f32" => Data::F32(values.into_iter().map(|x| x as f32).collect()),
        "i64" => Data::I64(values.into_iter().map(|x| (3.0 * x) as i64).collect()),
        _ => Data::I32(values.into_iter().map(|x| (3.0 * x) as i32).collect()),
    };
    Array::new(shape.to_vec(), data)
}

/// Returns computations under a mask of `k` columns, which may be `?`: reductions over both axes, also of booleans, the
/// transpose of a broadcast, products of elements, and a state that is updated where a row of the mask is true.
fn masked(k: &str, ty: &str) -> String {
    let is_float = ty.starts_with('f');
    let (zero, one) = if is_float { ("0.0", "1.0") } else { ("0", "1") };
    let (add, multiply) = if is_float { ("addf", "mulf") } else { ("addi", "muli") };
    let c = if k == "?" { "%c" } else { k };
    let (row, all, truth, truths) = (
        format!("tensor<{k}x{ty}>"),
        format!("tensor<?x{k}x{ty}>"),
        format!("tensor<{k}xi1>"),
        format!("tensor<?x{k}xi1>"),
    );
    format!(
        "func.func @f(%m: {truths}, %x: {all}, %s: {row}, %w: {all})
            -> ({row}, tensor<?x{ty}>, {row}, {row}, {truth}, {truth}, {row}, {all}, {row}, {row}, {truth}, \
                tensor<?x{k}x{k}x{ty}>) {{
          %zero = arith.constant {zero} : {ty}
          %one = arith.constant {one} : {ty}
          %n = array.length %x : {all}
          %c = array.length %s : {row}
          %zero_row = array.build (%j < {c}) -> ({row}) {{ array.yield %zero : {ty} }}
          %zeros = array.build (%i < %n) -> ({all}) {{ array.yield %zero_row : {row} }}
          %one_row = array.build (%j < {c}) -> ({row}) {{ array.yield %one : {ty} }}
          %ones = array.build (%i < %n) -> ({all}) {{ array.yield %one_row : {row} }}
          %kept = arith.select %m, %x, %zeros : {truths}, {all}
          %factors = arith.select %m, %x, %ones : {truths}, {all}
          %down = array.sum %kept : ({all}) -> {row}
          %along = array.sum %kept axes [1] : ({all}) -> tensor<?x{ty}>
          %greatest = array.max %kept : ({all}) -> {row}
          %product = array.prod %factors : ({all}) -> {row}
          %no = arith.constant false
          %yes = arith.constant true
          %none = array.build (%j < {c}) -> ({truth}) {{ array.yield %no : i1 }}
          %all = array.build (%j < {c}) -> ({truth}) {{ array.yield %yes : i1 }}
          %any, %every = array.ifold (%i < %n) iter_args(%a = %none, %b = %all) -> ({truth}, {truth}) {{
            %r = array.get %m[%i] : {truths} -> {truth}
            %either = arith.ori %a, %r : {truth}
            %both = arith.andi %b, %r : {truth}
            array.yield %either, %both : {truth}, {truth}
          }}
          %spread = array.build (%i < %n) -> ({all}) {{
            %r = array.get %m[%i] : {truths} -> {truth}
            %t = arith.select %r, %s, %zero_row : {truth}, {row}
            array.yield %t : {row}
          }}
          %weighed = arith.{multiply} %w, %kept : {all}
          %back = array.sum %weighed : ({all}) -> {row}
          %state, %last = array.ifold (%i < %n) iter_args(%a = %s, %seen = %any) -> ({row}, {truth}) {{
            %r = array.get %m[%i] : {truths} -> {truth}
            %y = array.get %x[%i] : {all} -> {row}
            %b = arith.{add} %a, %y : {row}
            %next = arith.select %r, %b, %a : {truth}, {row}
            %now = arith.xori %seen, %r : {truth}
            array.yield %next, %now : {row}, {truth}
          }}
          %products = array.build (%i < %n, %p < {c}, %q < {c}) -> (tensor<?x{k}x{k}x{ty}>) {{
            %u = array.get %m[%i, %p] : {truths} -> i1
            %v = array.get %m[%i, %q] : {truths} -> i1
            %g = arith.andi %u, %v : i1
            %y = array.get %x[%i, %p] : {all} -> {ty}
            %z = array.get %w[%i, %q] : {all} -> {ty}
            %e = arith.{multiply} %y, %z : {ty}
            %h = arith.select %g, %e, %zero : {ty}
            array.yield %h : {ty}
          }}
          return %down, %along, %greatest, %product, %any, %every, %back, %spread, %zero_row, %state, %last, %products
            : {row}, tensor<?x{ty}>, {row}, {row}, {truth}, {truth}, {row}, {all}, {row}, {row}, {truth}, \
                tensor<?x{k}x{k}x{ty}>
        }}"
    )
}

fn given(ty: &str, rows: usize, columns: usize) -> Vec<Array> {
    let all = [rows, columns];
    vec![mask(1, &all), numbers(ty, 2, &all), numbers(ty, 3, &[columns]), numbers(ty, 4, &all)]
}

#[test]
fn masks_of_known_sizes() {
    for columns in COLUMNS {
        agrees_on_cpu(&masked(&columns.to_string(), "f64"), &ROWS.map(|rows| given("f64", rows, columns)));
    }
}

#[test]
fn masks_of_other_elements() {
    for (ty, columns) in [("f32", 16), ("f32", 31), ("i64", 10), ("i64", 17), ("i32", 9), ("i32", 32)] {
        agrees_on_cpu(&masked(&columns.to_string(), ty), &ROWS.map(|rows| given(ty, rows, columns)));
    }
}

#[test]
fn masks_of_open_sizes() {
    for ty in ["f64", "f32", "i64"] {
        let cases = COLUMNS.iter().flat_map(|columns| ROWS.map(|rows| given(ty, rows, *columns)));
        agrees_on_cpu(&masked("?", ty), &cases.collect::<Vec<_>>());
    }
}

/// The gradient of a masked sum of squares, where rows and columns are known: `m` by `k`.
#[test]
fn masks_in_both_sizes() {
    for (rows, columns) in [(64, 16), (3, 8), (9, 10), (33, 33)] {
        let [row, all] = [format!("tensor<{columns}x"), format!("tensor<{rows}x{columns}x")];
        let source = format!(
            "func.func @f(%m: {all}i1>, %x: {all}f64>, %b: {row}f64>) -> ({row}f64>, {row}f64>, tensor<{rows}xf64>) {{
              %zeros = arith.constant dense<0.0> : {all}f64>
              %y = array.replicate %b : ({row}f64>) -> {all}f64>
              %d = arith.subf %x, %y : {all}f64>
              %s = arith.select %m, %d, %zeros : {all}i1>, {all}f64>
              %z = array.sum %s : ({all}f64>) -> {row}f64>
              %t = array.max %s : ({all}f64>) -> {row}f64>
              %u = array.sum %s axes [1] : ({all}f64>) -> tensor<{rows}xf64>
              return %z, %t, %u : {row}f64>, {row}f64>, tensor<{rows}xf64>
            }}"
        );
        agrees(&source, &[vec![mask(1, &[rows, columns]), array(2, &[rows, columns]), array(3, &[columns])]]);
    }
}

/// A product of matrices whose elements are kept where a mask is true: tiles with a computation on them.
#[test]
fn masked_products_of_matrices() {
    let source = |n: &str, ty: &str| {
        let e = if n == "?" { "%n" } else { n };
        format!(
            "func.func @f(%a: tensor<{n}x{n}x{ty}>, %b: tensor<{n}x{n}x{ty}>, %m: tensor<{n}x{n}xi1>) \
                -> tensor<{n}x{n}x{ty}> {{
              %zero = arith.constant 0.0 : {ty}
              %n = array.length %a : tensor<{n}x{n}x{ty}>
              %z = array.build (%i < {e}, %j < {e}) -> (tensor<{n}x{n}x{ty}>) {{
                %p = array.build (%k < {e}) -> (tensor<{n}x{ty}>) {{
                  %x = array.get %a[%i, %k] : tensor<{n}x{n}x{ty}> -> {ty}
                  %y = array.get %b[%k, %j] : tensor<{n}x{n}x{ty}> -> {ty}
                  %q = arith.mulf %x, %y : {ty}
                  array.yield %q : {ty}
                }}
                %s = array.sum %p : (tensor<{n}x{ty}>) -> {ty}
                %c = array.get %m[%i, %j] : tensor<{n}x{n}xi1> -> i1
                %t = arith.select %c, %s, %zero : {ty}
                array.yield %t : {ty}
              }}
              return %z : tensor<{n}x{n}x{ty}>
            }}"
        )
    };
    let given = |ty: &str, n: usize| vec![numbers(ty, 1, &[n, n]), numbers(ty, 2, &[n, n]), mask(3, &[n, n])];
    for n in [16, 33, 64] {
        agrees_on_cpu(&source(&n.to_string(), "f64"), &[given("f64", n)]);
        agrees_on_cpu(&source(&n.to_string(), "f32"), &[given("f32", n)]);
    }
    agrees_on_cpu(&source("?", "f64"), &[0, 1, 16, 33, 64].map(|n| given("f64", n)));
}
