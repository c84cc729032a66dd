//! Tiled contractions, for every layout of the operands, compared with the evaluator: sizes that are and are not
//! multiples of tiles, empty ones, known and unknown, on processors with vectors of 128, 256 and 512 bits.

use crate::common::*;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;

/// Returns sizes (m, n, k): borders of every tile, and random ones below 71.
fn shapes() -> Vec<[usize; 3]> {
    let mut shapes = vec![
        [0, 5, 7],
        [5, 0, 7],
        [5, 7, 0],
        [1, 1, 1],
        [1, 70, 9],
        [70, 1, 9],
        [8, 16, 3],
        [8, 32, 16],
        [16, 33, 17],
        [9, 15, 64],
        [7, 31, 1],
        [6, 8, 40],
        [4, 4, 4],
        [13, 47, 66],
    ];
    let numbers = random(7, 15);
    shapes.extend(numbers.chunks(3).map(|c| [0, 1, 2].map(|i| ((c[i] + 2.0) / 4.0 * 71.0) as usize)));
    shapes
}

/// Returns the processors whose code this machine can run.
fn targets() -> Vec<Target> {
    let mut names = vec!["x86-64"];
    if std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma") {
        names.push("x86-64-v3");
    }
    names.push("native");
    names.into_iter().map(|name| Target::named(name, "").unwrap()).collect()
}

fn values(element: &str, seed: u64, shape: &[usize]) -> Array {
    let numbers = random(seed, shape.iter().product());
    let data = match element {
        "f32" => Data::F32(numbers.into_iter().map(|x| x as f32).collect()),
        _ => Data::F64(numbers),
    };
    Array::new(shape.to_vec(), data)
}

/// Checks `source` for each target on these arguments against the evaluator.
fn check(source: &str, cases: &[Vec<Array>]) {
    assert!(lowers_to_tiles(source), "no contraction is found\n{source}");
    agrees_everywhere(source, cases);
}

fn lowers_to_tiles(source: &str) -> bool {
    let context = context();
    let module = parse(&context, source);
    mlopt_lowering::pipelines::prepare(module_op(&module));
    mlopt_lowering::sweeps::array_to_sweeps::run(module_op(&module)).unwrap();
    module_op(&module).nested_ops().iter().any(|op| op.attribute("contraction").is_some())
}

fn agrees_everywhere(source: &str, cases: &[Vec<Array>]) {
    let context = context();
    let original = parse(&context, source);
    let wanted: Vec<Vec<Array>> = cases
        .iter()
        .map(|args| Evaluator::new(module_op(&original)).call("f", args).unwrap_or_else(|e| panic!("{e}\n{source}")))
        .collect();
    for target in targets() {
        let lowered = parse(&context, source);
        let compiled = compile_for(module_op(&lowered), &target);
        let f = compiled.function("f").unwrap();
        for (args, want) in cases.iter().zip(&wanted) {
            let got = f.call(args).unwrap_or_else(|e| panic!("{e}\n{source}"));
            for (k, (g, w)) in got.iter().zip(want).enumerate() {
                if let Some(difference) = differs(g, w, 1e-11) {
                    let shapes: Vec<&[usize]> = args.iter().map(Array::shape).collect();
                    panic!("result {k}: {difference}\nsizes {shapes:?}\n{source}");
                }
            }
        }
    }
}

/// The four layouts: whether each operand is stored with the index of the sum first.
const LAYOUTS: [[bool; 2]; 4] = [[false, true], [true, true], [false, false], [true, false]];

fn operand(first: usize, second: usize, term_first: bool) -> [usize; 2] {
    if term_first { [second, first] } else { [first, second] }
}

#[test]
fn products_of_matrices_of_unknown_sizes() {
    for element in ["f64", "f32"] {
        for [a, b] in LAYOUTS {
            let at = |x: &str, k_first: bool| if k_first { format!("%k, %{x}") } else { format!("%{x}, %k") };
            let t = format!("tensor<?x?x{element}>");
            let source = format!(
                "func.func @f(%a: {t}, %b: {t}, %m: index, %n: index, %l: index) -> {t} {{
                  %z = array.build (%i < %m, %j < %n) -> ({t}) {{
                    %p = array.build (%k < %l) -> (tensor<?x{element}>) {{
                      %x = array.get %a[{}] : {t} -> {element}
                      %y = array.get %b[{}] : {t} -> {element}
                      %q = arith.mulf %x, %y : {element}
                      array.yield %q : {element}
                    }}
                    %s = array.sum %p : (tensor<?x{element}>) -> {element}
                    array.yield %s : {element}
                  }}
                  return %z : {t}
                }}",
                at("i", a),
                at("j", b)
            );
            let mut cases: Vec<Vec<Array>> = shapes()
                .into_iter()
                .map(|[m, n, k]| {
                    let (x, y) = (operand(m, k, a), operand(n, k, b));
                    let sizes = [m, n, k].map(|n| index(n as i64));
                    [vec![values(element, 1, &x), values(element, 2, &y)], sizes.to_vec()].concat()
                })
                .collect();
            // Reads outside an array are zero.
            let sizes = [20, 30, 10].map(index);
            cases.push([vec![values(element, 1, &[9, 12]), values(element, 2, &[11, 9])], sizes.to_vec()].concat());
            check(&source, &cases);
        }
    }
}

#[test]
fn products_of_matrices_of_known_sizes() {
    for (case, [m, n, k]) in shapes().into_iter().enumerate() {
        let element = if case.is_multiple_of(2) { "f64" } else { "f32" };
        let [a, b] = LAYOUTS[case % 4];
        let (x, y) = (operand(m, k, a), operand(n, k, b));
        let t = |s: [usize; 2]| format!("tensor<{}x{}x{element}>", s[0], s[1]);
        // (i, k) → (i, j, k): an explicit broadcast along j.
        let source = format!(
            "func.func @f(%a: {x}, %b: {y}) -> {z} {{
              %a1 = array.transpose %a [{pa}] : {x} -> {xk}
              %b1 = array.transpose %b [{pb}] : {y} -> {yk}
              %a2 = array.replicate %a1 : ({xk}) -> tensor<{n}x{m}x{k}x{element}>
              %a3 = array.transpose %a2 [1, 0, 2] : tensor<{n}x{m}x{k}x{element}> -> {all}
              %b2 = array.replicate %b1 : ({yk}) -> {all}
              %p = arith.mulf %a3, %b2 : {all}
              %z = array.sum %p axes [2] : ({all}) -> {z}
              return %z : {z}
            }}",
            x = t(x),
            y = t(y),
            z = t([m, n]),
            xk = t([m, k]),
            yk = t([n, k]),
            all = format!("tensor<{m}x{n}x{k}x{element}>"),
            pa = if a { "1, 0" } else { "0, 1" },
            pb = if b { "1, 0" } else { "0, 1" },
        );
        agrees_everywhere(&source, &[vec![values(element, 1, &x), values(element, 2, &y)]]);
    }
}

/// More terms than a panel holds, and more rows than have partial sums together.
#[test]
fn long_sums_and_many_rows() {
    for [m, k] in [[9, 1100], [600, 520]] {
        check(
            &format!(
                "func.func @f(%a: tensor<{m}x?xf64>, %b: tensor<?x{k}xf64>) -> tensor<{m}x?xf64> {{
                  %n = array.length %b : tensor<?x{k}xf64>
                  %k = array.length %a axis 1 : tensor<{m}x?xf64>
                  %z = array.build (%i < {m}, %j < %n) -> (tensor<{m}x?xf64>) {{
                    %p = array.build (%l < {k}) -> (tensor<{k}xf64>) {{
                      %x = array.get %a[%i, %l] : tensor<{m}x?xf64> -> f64
                      %y = array.get %b[%j, %l] : tensor<?x{k}xf64> -> f64
                      %q = arith.mulf %x, %y : f64
                      array.yield %q : f64
                    }}
                    %s = array.sum %p : (tensor<{k}xf64>) -> f64
                    array.yield %s : f64
                  }}
                  return %z : tensor<{m}x?xf64>
                }}"
            ),
            &[vec![array(1, &[m, k]), array(2, &[5, k])]],
        );
    }
}

/// More rows, columns and terms than blocks of a packed left factor hold, for both orders in which it is stored.
#[test]
fn several_blocks() {
    for (case, [m, n, k]) in [[590, 9, 140], [590, 35, 60], [7, 1030, 140], [5, 530, 260]].into_iter().enumerate() {
        for known in [false, true] {
            let size = |n: usize| if known { n.to_string() } else { "?".into() };
            let extent = |name: &str, n: usize| if known { n.to_string() } else { format!("%{name}") };
            let (a, at) = if case.is_multiple_of(2) { ([k, m], "%l, %i") } else { ([m, k], "%i, %l") };
            let (a_type, b_type) =
                (format!("tensor<{}x{}xf64>", size(a[0]), size(a[1])), format!("tensor<{}x{}xf64>", size(k), size(n)));
            let z = format!("tensor<{}x{}xf64>", size(m), size(n));
            let source = format!(
                "func.func @f(%a: {a_type}, %b: {b_type}) -> {z} {{
                  %m = array.length %a axis {axis} : {a_type}
                  %n = array.length %b axis 1 : {b_type}
                  %k = array.length %b : {b_type}
                  %z = array.build (%i < {}, %j < {}) -> ({z}) {{
                    %p = array.build (%l < {}) -> (tensor<{}xf64>) {{
                      %x = array.get %a[{at}] : {a_type} -> f64
                      %y = array.get %b[%l, %j] : {b_type} -> f64
                      %q = arith.mulf %x, %y : f64
                      array.yield %q : f64
                    }}
                    %s = array.sum %p : (tensor<{}xf64>) -> f64
                    array.yield %s : f64
                  }}
                  return %z : {z}
                }}",
                extent("m", m),
                extent("n", n),
                extent("k", k),
                size(k),
                size(k),
                axis = 1 - case % 2,
            );
            check(&source, &[vec![array(1, &a), array(2, &[k, n])]]);
        }
    }
}

/// Sums over two axes, repetitions along a third, rows on two axes; computations on the result and on the factors.
#[test]
fn other_forms() {
    check(
        "func.func @f(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<?x?xf64>) \
            -> (tensor<?x?xf64>, tensor<?x?x?xf64>) {
          %t = array.length %a : tensor<?x?x?xf64>
          %k = array.length %a axis 1 : tensor<?x?x?xf64>
          %m = array.length %a axis 2 : tensor<?x?x?xf64>
          %n = array.length %b axis 2 : tensor<?x?x?xf64>
          %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
            %p = array.build (%u < %t, %v < %k) -> (tensor<?x?xf64>) {
              %x = array.get %a[%u, %v, %i] : tensor<?x?x?xf64> -> f64
              %y = array.get %b[%u, %v, %j] : tensor<?x?x?xf64> -> f64
              %q = arith.mulf %y, %x : f64
              array.yield %q : f64
            }
            %s = array.sum %p axes [0, 1] : (tensor<?x?xf64>) -> f64
            %old = array.get %c[%i, %j] : tensor<?x?xf64> -> f64
            %zero = arith.constant 0.0 : f64
            %new = arith.addf %old, %s : f64
            %cut = arith.maximumf %new, %zero : f64
            array.yield %cut : f64
          }
          %w = array.build (%u < %t, %v < %k, %j < %n) -> (tensor<?x?x?xf64>) {
            %p = array.build (%i < %m) -> (tensor<?xf64>) {
              %x = array.get %a[%u, %v, %i] : tensor<?x?x?xf64> -> f64
              %e = math.sin %x : f64
              %y = array.get %c[%i, %j] : tensor<?x?xf64> -> f64
              %q = arith.mulf %e, %y : f64
              array.yield %q : f64
            }
            %s = array.sum %p : (tensor<?xf64>) -> f64
            %d = math.tanh %s : f64
            array.yield %d : f64
          }
          return %z, %w : tensor<?x?xf64>, tensor<?x?x?xf64>
        }",
        &[[3, 10, 9, 35], [2, 3, 20, 16], [1, 9, 8, 32], [0, 3, 5, 6], [4, 1, 1, 40]]
            .map(|[t, k, m, n]| vec![array(1, &[t, k, m]), array(2, &[t, k, n]), array(3, &[m, n])]),
    );
    // A batch of products that are summed, and one product inside a loop whose state it updates.
    check(
        "func.func @f(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<20x20xf64>) -> (f64, tensor<20x20xf64>) {
          %t = array.length %a : tensor<?x?x?xf64>
          %m = array.length %a axis 1 : tensor<?x?x?xf64>
          %k = array.length %a axis 2 : tensor<?x?x?xf64>
          %n = array.length %b axis 2 : tensor<?x?x?xf64>
          %z = array.build (%u < %t, %i < %m, %j < %n) -> (tensor<?x?x?xf64>) {
            %p = array.build (%v < %k) -> (tensor<?xf64>) {
              %x = array.get %a[%u, %i, %v] : tensor<?x?x?xf64> -> f64
              %y = array.get %b[%u, %v, %j] : tensor<?x?x?xf64> -> f64
              %q = arith.mulf %x, %y : f64
              array.yield %q : f64
            }
            %s = array.sum %p : (tensor<?xf64>) -> f64
            array.yield %s : f64
          }
          %total = array.sum %z axes [0, 1, 2] : (tensor<?x?x?xf64>) -> f64
          %w = array.ifold (%r < %t) iter_args(%s = %c) -> (tensor<20x20xf64>) {
            %y = array.build (%i < 20, %j < 20) -> (tensor<20x20xf64>) {
              %p = array.build (%v < 20) -> (tensor<20xf64>) {
                %x = array.get %s[%i, %v] : tensor<20x20xf64> -> f64
                %y = array.get %c[%j, %v] : tensor<20x20xf64> -> f64
                %q = arith.mulf %x, %y : f64
                array.yield %q : f64
              }
              %d = array.sum %p : (tensor<20xf64>) -> f64
              %e = math.tanh %d : f64
              array.yield %e : f64
            }
            array.yield %y : tensor<20x20xf64>
          }
          return %total, %w : f64, tensor<20x20xf64>
        }",
        &[[3, 10, 9, 35], [2, 8, 16, 16], [0, 4, 4, 4]].map(|[t, m, k, n]| {
            vec![array(1, &[t, m, k]), array(2, &[t, k, n]), array(3, &[20, 20])]
        }),
    );
}

/// A product that several nests compute is computed once. Products in rows of a reduction, and under a condition inside
/// a loop that updates an array, are moved out.
#[test]
fn products_inside_other_loops() {
    let source = "func.func @f(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>) \
            -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) {
          %m = array.length %a : tensor<?x?xf64>
          %k = array.length %a axis 1 : tensor<?x?xf64>
          %n = array.length %b axis 1 : tensor<?x?xf64>
          %h = array.length %c : tensor<?x?xf64>
          %top = array.build (%i < %m) -> (tensor<?xf64>) {
            %row = array.build (%j < %n) -> (tensor<?xf64>) {
              %p = array.build (%l < %k) -> (tensor<?xf64>) {
                %x = array.get %a[%i, %l] : tensor<?x?xf64> -> f64
                %y = array.get %b[%l, %j] : tensor<?x?xf64> -> f64
                %q = arith.mulf %x, %y : f64
                array.yield %q : f64
              }
              %s = array.sum %p : (tensor<?xf64>) -> f64
              array.yield %s : f64
            }
            %t = array.max %row : (tensor<?xf64>) -> f64
            array.yield %t : f64
          }
          %sums = array.build (%i < %m) -> (tensor<?xf64>) {
            %row = array.build (%j < %n) -> (tensor<?xf64>) {
              %p = array.build (%l < %k) -> (tensor<?xf64>) {
                %x = array.get %a[%i, %l] : tensor<?x?xf64> -> f64
                %y = array.get %b[%l, %j] : tensor<?x?xf64> -> f64
                %q = arith.mulf %x, %y : f64
                array.yield %q : f64
              }
              %s = array.sum %p : (tensor<?xf64>) -> f64
              %t = array.get %top[%i] : tensor<?xf64> -> f64
              %d = arith.subf %s, %t : f64
              %e = math.exp %d : f64
              array.yield %e : f64
            }
            %t = array.sum %row : (tensor<?xf64>) -> f64
            array.yield %t : f64
          }
          %z = array.ifold (%i < %m) iter_args(%s = %c) -> (tensor<?x?xf64>) {
            %in = arith.cmpi ult, %i, %h : index
            %new = scf.if %in -> (tensor<?x?xf64>) {
              %row = array.build (%j < %n) -> (tensor<?xf64>) {
                %p = array.build (%l < %k) -> (tensor<?xf64>) {
                  %x = array.get %a[%i, %l] : tensor<?x?xf64> -> f64
                  %y = array.get %b[%l, %j] : tensor<?x?xf64> -> f64
                  %q = arith.mulf %y, %x : f64
                  array.yield %q : f64
                }
                %t = array.sum %p : (tensor<?xf64>) -> f64
                array.yield %t : f64
              }
              %t = array.scatter %row into %s : tensor<?xf64> into tensor<?x?xf64> (%j) {
                array.yield %i, %j : index, index
              }
              scf.yield %t : tensor<?x?xf64>
            } else {
              scf.yield %s : tensor<?x?xf64>
            }
            array.yield %new : tensor<?x?xf64>
          }
          return %top, %sums, %z : tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>
        }";
    let cases = [[12, 9, 21, 12], [9, 20, 16, 5], [6, 5, 4, 11], [1, 1, 1, 1], [3, 2, 5, 0]];
    check(source, &cases.map(|[m, k, n, h]| vec![array(1, &[m, k]), array(2, &[k, n]), array(3, &[h, n])]));
}
