//! Bulk operations through the whole lowering, compared with the evaluator: static and run-time sizes, every element
//! type.

use crate::common::*;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::ir::module_op;

fn indices(values: &[i64]) -> Array {
    Array::new(vec![values.len()], Data::Index(values.to_vec()))
}

/// Returns an array of small numbers of any numeric type, with ties and zeros.
fn small(element: Element, seed: i64, shape: &[usize]) -> Array {
    let n: usize = shape.iter().product();
    let values = (0..n as i64).map(|i| (i * 7 + seed) % 5 - 2);
    let data = match element {
        Element::F32 => Data::F32(values.map(|x| x as f32 * 0.5).collect()),
        Element::F64 => Data::F64(values.map(|x| x as f64 * 0.5).collect()),
        Element::I32 => Data::I32(values.map(|x| x as i32).collect()),
        Element::I64 => Data::I64(values.collect()),
        Element::Index => Data::Index(values.collect()),
        Element::I1 => Data::I1(values.map(|x| x > 0).collect()),
    };
    Array::new(shape.to_vec(), data)
}

const NUMBERS: [Element; 5] = [Element::F32, Element::F64, Element::I32, Element::I64, Element::Index];

#[test]
fn reductions_over_any_axes() {
    for element in NUMBERS {
        let t = element.name();
        for kind in ["sum", "prod", "max", "min"] {
            let mut source = format!("func.func @f(%x: tensor<?x3x2x{t}>) -> (");
            let mut body = String::new();
            let (mut names, mut types) = (Vec::new(), Vec::new());
            for (k, (axes, kept)) in [
                ("[0]", "tensor<3x2x"),
                ("[1]", "tensor<?x2x"),
                ("[2]", "tensor<?x3x"),
                ("[0, 1]", "tensor<2x"),
                ("[0, 2]", "tensor<3x"),
                ("[1, 2]", "tensor<?x"),
                ("[0, 1, 2]", ""),
            ]
            .into_iter()
            .enumerate()
            {
                let ty = if kept.is_empty() { t.to_string() } else { format!("{kept}{t}>") };
                body += &format!("%z{k} = array.{kind} %x axes {axes} : (tensor<?x3x2x{t}>) -> {ty}\n");
                names.push(format!("%z{k}"));
                types.push(ty);
            }
            source += &format!("{}) {{\n{body}return {} : {} }}", types.join(", "), names.join(", "), types.join(", "));
            agrees(&source, &[0, 1, 4].map(|n| vec![small(element, 3, &[n, 3, 2])]));
        }
    }
}

#[test]
fn reductions_of_views_and_products() {
    agrees(
        "func.func @f(%x: tensor<?x4xf64>, %y: tensor<4x?xf64>) \
            -> (tensor<4xf64>, tensor<?xf64>, f64, tensor<?xindex>) {
          %t = array.transpose %y [1, 0] : tensor<4x?xf64> -> tensor<?x4xf64>
          %p = arith.mulf %x, %t : tensor<?x4xf64>
          %a = array.max %p : (tensor<?x4xf64>) -> tensor<4xf64>
          %q = arith.addf %x, %t : tensor<?x4xf64>
          %b = array.sum %q axes [1] fastmath<fast> : (tensor<?x4xf64>) -> tensor<?xf64>
          %r = array.reverse %x : tensor<?x4xf64>
          %s = math.cos %r : tensor<?x4xf64>
          %c = array.min %s axes [0, 1] : (tensor<?x4xf64>) -> f64
          %d = array.argmin %t axis 1 : (tensor<?x4xf64>) -> tensor<?xindex>
          return %a, %b, %c, %d : tensor<4xf64>, tensor<?xf64>, f64, tensor<?xindex>
        }",
        &[3, 0, 17].map(|n| vec![array(1, &[n, 4]), array(2, &[4, n])]),
    );
}

#[test]
fn searches_find_the_lowest_index() {
    for element in NUMBERS {
        let t = element.name();
        agrees(
            &format!(
                "func.func @f(%x: tensor<?x3x{t}>, %y: tensor<?x{t}>)
                    -> (tensor<3xindex>, tensor<?xindex>, tensor<3xindex>, index, index) {{
                  %a = array.argmax %x : (tensor<?x3x{t}>) -> tensor<3xindex>
                  %b = array.argmax %x axis 1 : (tensor<?x3x{t}>) -> tensor<?xindex>
                  %c = array.argmin %x axis 0 : (tensor<?x3x{t}>) -> tensor<3xindex>
                  %d = array.argmax %y : (tensor<?x{t}>) -> index
                  %e = array.argmin %y : (tensor<?x{t}>) -> index
                  return %a, %b, %c, %d, %e : tensor<3xindex>, tensor<?xindex>, tensor<3xindex>, index, index
                }}"
            ),
            &[0, 1, 6].map(|n| vec![small(element, 1, &[n, 3]), small(element, 4, &[n])]),
        );
    }
}

/// A block has 2048 elements: the best one is in any of them, equal ones are in two, or at the borders.
#[test]
fn searches_through_blocks() {
    let mut cases = Vec::new();
    for (n, places) in
        [(2047, vec![2046]), (2048, vec![0, 2047]), (2049, vec![2048]), (5000, vec![2047, 2048]), (6144, vec![6143])]
    {
        let mut x = random(3, n);
        places.iter().for_each(|p| x[*p] = 9.0);
        cases.push(vec![Array::vector(&x)]);
        cases.push(vec![Array::vector(&x.iter().map(|v| -v).collect::<Vec<_>>())]);
    }
    cases.push(vec![Array::vector(&vec![f64::NEG_INFINITY; 4100])]);
    agrees(
        "func.func @f(%x: tensor<?xf64>) -> (index, index, index) {
          %a = array.argmax %x : (tensor<?xf64>) -> index
          %b = array.argmin %x : (tensor<?xf64>) -> index
          %y = arith.mulf %x, %x : tensor<?xf64>
          %c = array.argmax %y : (tensor<?xf64>) -> index
          return %a, %b, %c : index, index, index
        }",
        &cases,
    );
}

/// The index found among NaNs is unspecified, but it is an index of the array.
#[test]
fn searches_among_nan_stay_inside() {
    let context = context();
    let module = parse(
        &context,
        "func.func @f(%x: tensor<?xf64>) -> index {
          %a = array.argmax %x : (tensor<?xf64>) -> index
          return %a : index
        }",
    );
    let compiled = compile(module_op(&module));
    for n in [1, 2048, 4100] {
        let found = compiled.function("f").unwrap().call(&[Array::vector(&vec![f64::NAN; n])]).unwrap();
        assert!((0.0..n as f64).contains(&found[0].to_f64()[0]), "{found:?} of {n}");
    }
}

/// All elements are infinite, or the minimum of the type: the search starts there and must still return index 0.
#[test]
fn searches_among_extremes() {
    let infinite = Array::vector(&[f64::NEG_INFINITY, f64::NEG_INFINITY]);
    let least = Array::new(vec![2], Data::I32(vec![i32::MIN; 2]));
    agrees(
        "func.func @f(%x: tensor<2xf64>, %y: tensor<2xi32>) -> (index, index, f64, i32) {
          %a = array.argmax %x : (tensor<2xf64>) -> index
          %b = array.argmax %y : (tensor<2xi32>) -> index
          %c = array.max %x : (tensor<2xf64>) -> f64
          %d = array.max %y : (tensor<2xi32>) -> i32
          return %a, %b, %c, %d : index, index, f64, i32
        }",
        &[vec![infinite, least]],
    );
}

#[test]
fn gathers() {
    for element in [Element::F32, Element::I1, Element::I64] {
        let t = element.name();
        agrees(
            &format!(
                "func.func @f(%x: tensor<?x3x{t}>, %p: tensor<?xindex>, %n: index)
                    -> (tensor<?x3x{t}>, tensor<?x2x{t}>, tensor<4x{t}>) {{
                  %c2 = arith.constant 2 : index
                  %rows = array.gather %x : tensor<?x3x{t}> (%i < %n) -> (tensor<?x3x{t}>) {{
                    %k = array.get %p[%i] : tensor<?xindex> -> index
                    array.yield %k : index
                  }}
                  %all = array.gather %x : tensor<?x3x{t}> (%i < %n, %j < 2) -> (tensor<?x2x{t}>) {{
                    %k = array.get %p[%i] : tensor<?xindex> -> index
                    %l = arith.muli %j, %c2 : index
                    array.yield %k, %l : index, index
                  }}
                  %few = array.gather %rows : tensor<?x3x{t}> (%i < 4) -> (tensor<4x{t}>) {{
                    %k = array.mod %i, %c2 : index
                    array.yield %k, %i : index, index
                  }}
                  return %rows, %all, %few : tensor<?x3x{t}>, tensor<?x2x{t}>, tensor<4x{t}>
                }}"
            ),
            &[
                vec![small(element, 0, &[4, 3]), indices(&[3, 0, -1, 4, 3]), index(5)],
                vec![small(element, 0, &[0, 3]), indices(&[0, 1]), index(2)],
                vec![small(element, 0, &[4, 3]), indices(&[1]), index(-2)],
            ],
        );
    }
}

#[test]
fn scatters_add_and_drop() {
    for element in NUMBERS {
        let t = element.name();
        agrees(
            &format!(
                "func.func @f(%x: tensor<?x{t}>, %rows: tensor<?x2x{t}>, %init: tensor<4x2x{t}>, \
                      %p: tensor<?xindex>, %a: {t})
                    -> (tensor<4x2x{t}>, tensor<4x2x{t}>, tensor<4x2x{t}>, tensor<4x2x{t}>) {{
                  %c1 = arith.constant 1 : index
                  %cells = array.scatter %x into %init : tensor<?x{t}> into tensor<4x2x{t}> (%i) {{
                    %k = array.get %p[%i] : tensor<?xindex> -> index
                    array.yield %k, %c1 : index, index
                  }}
                  %some = array.scatter %rows into %cells : tensor<?x2x{t}> into tensor<4x2x{t}> (%i) {{
                    %k = array.get %p[%i] : tensor<?xindex> -> index
                    array.yield %k : index
                  }}
                  %one = array.scatter %a into %init : {t} into tensor<4x2x{t}> () {{
                    array.yield %c1, %c1 : index, index
                  }}
                  return %cells, %some, %one, %init : tensor<4x2x{t}>, tensor<4x2x{t}>, tensor<4x2x{t}>, tensor<4x2x{t}>
                }}"
            ),
            &[
                vec![
                    small(element, 1, &[6]),
                    small(element, 2, &[6, 2]),
                    small(element, 3, &[4, 2]),
                    indices(&[0, 3, 3, -1, 4, 3]),
                    small(element, 4, &[]),
                ],
                vec![
                    small(element, 1, &[0]),
                    small(element, 2, &[0, 2]),
                    small(element, 3, &[4, 2]),
                    indices(&[]),
                    small(element, 4, &[]),
                ],
            ],
        );
    }
}

#[test]
fn sums_of_scatters_and_one_hot_arrays() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %y: tensor<4xf64>, %v: tensor<?xf64>, %k: index)
            -> (tensor<4xf64>, tensor<4xf64>, tensor<?xf64>, tensor<4x?xf64>, f64) {
          %zero = dual.zero : tensor<4xf64>
          %n = array.length %v : tensor<?xf64>
          %a = array.scatter %x into %zero : tensor<?xf64> into tensor<4xf64> (%i) {
            array.yield %i : index
          }
          %s = arith.addf %a, %y : tensor<4xf64>
          %e = array.get %x[%k] : tensor<?xf64> -> f64
          %h = array.one_hot %e at [%k] : f64 -> tensor<4xf64>
          %t = arith.addf %s, %h : tensor<4xf64>
          %g = array.one_hot %e at [%k] sizes(%n) : f64 -> tensor<?xf64>
          %u = arith.addf %v, %g : tensor<?xf64>
          %rows = array.one_hot %v at [%k] : tensor<?xf64> -> tensor<4x?xf64>
          %p = arith.mulf %h, %y : tensor<4xf64>
          %r = array.sum %p : (tensor<4xf64>) -> f64
          return %s, %t, %u, %rows, %r : tensor<4xf64>, tensor<4xf64>, tensor<?xf64>, tensor<4x?xf64>, f64
        }",
        &[
            vec![array(1, &[6]), array(2, &[4]), array(3, &[5]), index(2)],
            vec![array(1, &[6]), array(2, &[4]), array(3, &[5]), index(4)],
            vec![array(1, &[6]), array(2, &[4]), array(3, &[2]), index(-1)],
            vec![array(1, &[0]), array(2, &[4]), array(3, &[0]), index(i64::MAX)],
        ],
    );
}

#[test]
fn arrangements() {
    for element in [Element::F64, Element::I32, Element::I1] {
        let t = element.name();
        agrees(
            &format!(
                "func.func @f(%x: tensor<?x3x{t}>, %y: tensor<2x3x{t}>, %k: index, %n: index)
                    -> (tensor<?x3x{t}>, tensor<?x3x{t}>, tensor<2x3x{t}>, tensor<?x3x{t}>, tensor<3x2x3x{t}>, \
                        tensor<?xindex>,
                        tensor<4xindex>) {{
                  %a = array.append %x, %y : (tensor<?x3x{t}>, tensor<2x3x{t}>) -> tensor<?x3x{t}>
                  %r = array.reverse %a : tensor<?x3x{t}>
                  %s = array.slice %r from %k : tensor<?x3x{t}> -> tensor<2x3x{t}>
                  %w = array.slice %x from %k size %n : tensor<?x3x{t}> -> tensor<?x3x{t}>
                  %st = array.stack %y, %s, %y : (tensor<2x3x{t}>, tensor<2x3x{t}>, tensor<2x3x{t}>) \
                      -> tensor<3x2x3x{t}>
                  %i = array.iota %n : tensor<?xindex>
                  %j = array.iota : tensor<4xindex>
                  %m = array.reverse %j : tensor<4xindex>
                  return %a, %r, %s, %w, %st, %i, %m : tensor<?x3x{t}>, tensor<?x3x{t}>, tensor<2x3x{t}>, \
                      tensor<?x3x{t}>,
                      tensor<3x2x3x{t}>, tensor<?xindex>, tensor<4xindex>
                }}"
            ),
            &[
                vec![small(element, 0, &[4, 3]), small(element, 1, &[2, 3]), index(1), index(3)],
                vec![small(element, 0, &[0, 3]), small(element, 1, &[2, 3]), index(-1), index(-3)],
                vec![small(element, 0, &[1, 3]), small(element, 1, &[2, 3]), index(i64::MAX), index(2)],
                vec![small(element, 0, &[1, 3]), small(element, 1, &[2, 3]), index(i64::MIN), index(0)],
            ],
        );
    }
}

/// Joined arrays that are never stored, and ones that share parts.
#[test]
fn joins_that_are_consumed() {
    agrees(
        "func.func @f(%x: tensor<?xf64>, %y: tensor<?xf64>, %a: f64)
            -> (f64, tensor<4xf64>, tensor<2x?xf64>, f64, tensor<?xf64>) {
          %e = math.exp %x : tensor<?xf64>
          %l = array.append %e, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
          %s = array.sum %l : (tensor<?xf64>) -> f64
          %b = math.sin %a : f64
          %v = array.stack %a, %b, %s, %a : (f64, f64, f64, f64) -> tensor<4xf64>
          %w = math.cos %v : tensor<4xf64>
          %d = array.stack %x, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
          %c2 = arith.constant 2 : index
          %q = array.stack %a, %b, %s : (f64, f64, f64) -> tensor<3xf64>
          %g = array.get %q[%c2] : tensor<3xf64> -> f64
          %once = array.append %y, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
          %twice = array.append %once, %l : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
          return %s, %w, %d, %g, %twice : f64, tensor<4xf64>, tensor<2x?xf64>, f64, tensor<?xf64>
        }",
        &[
            vec![array(1, &[3]), array(2, &[2]), Array::f64(0.5)],
            vec![array(1, &[0]), array(2, &[2]), Array::f64(0.5)],
            vec![array(1, &[1]), array(2, &[0]), Array::f64(0.5)],
        ],
    );
}

#[test]
fn reshapes() {
    agrees(
        "func.func @f(%x: tensor<4x3xf64>, %y: tensor<?x6xf64>, %n: index, %a: f64)
            -> (tensor<2x6xf64>, tensor<12xf64>, tensor<?x2x3xf64>, tensor<?xf64>, tensor<3x4xf64>, \
                tensor<1x1xf64>, f64, f64) {
          %c6 = arith.constant 6 : index
          %b = array.reshape %x : tensor<4x3xf64> -> tensor<2x6xf64>
          %e = math.exp %x : tensor<4x3xf64>
          %flat = array.reshape %e : tensor<4x3xf64> -> tensor<12xf64>
          %split = array.reshape %y sizes(%n) : tensor<?x6xf64> -> tensor<?x2x3xf64>
          %m = arith.muli %n, %c6 : index
          %t = array.transpose %y [1, 0] : tensor<?x6xf64> -> tensor<6x?xf64>
          %all = array.reshape %t sizes(%m) : tensor<6x?xf64> -> tensor<?xf64>
          %u = array.transpose %x [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
          %v = array.reshape %u : tensor<3x4xf64> -> tensor<4x3xf64>
          %w = array.transpose %v [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
          %one = array.reshape %a : f64 -> tensor<1x1xf64>
          %back = array.reshape %one : tensor<1x1xf64> -> f64
          %sin = math.sin %flat : tensor<12xf64>
          %rows = array.reshape %sin : tensor<12xf64> -> tensor<4x3xf64>
          %r = array.sum %rows axes [0, 1] : (tensor<4x3xf64>) -> f64
          return %b, %flat, %split, %all, %w, %one, %back, %r : tensor<2x6xf64>, tensor<12xf64>, tensor<?x2x3xf64>,
              tensor<?xf64>, tensor<3x4xf64>, tensor<1x1xf64>, f64, f64
        }",
        &[
            vec![array(1, &[4, 3]), array(2, &[3, 6]), index(3), Array::f64(2.0)],
            vec![array(1, &[4, 3]), array(2, &[0, 6]), index(0), Array::f64(2.0)],
        ],
    );
}

/// Reshaped rows, carried arrays, and arrays in scratch memory that is larger than they are.
#[test]
fn reshapes_in_loops() {
    agrees(
        "func.func @f(%x: tensor<?x6xf64>, %w: tensor<2x3xf64>) -> (tensor<?x3x2xf64>, tensor<6xf64>, tensor<?xf64>) {
          %n = array.length %x : tensor<?x6xf64>
          %two = arith.constant 2 : index
          %z = array.build (%i < %n) -> (tensor<?x3x2xf64>) {
            %row = array.get %x[%i] : tensor<?x6xf64> -> tensor<6xf64>
            %m = array.reshape %row : tensor<6xf64> -> tensor<3x2xf64>
            %e = math.exp %m : tensor<3x2xf64>
            array.yield %e : tensor<3x2xf64>
          }
          %v = array.ifold (%i < %n) iter_args(%s = %w) -> (tensor<2x3xf64>) {
            %flat = array.reshape %s : tensor<2x3xf64> -> tensor<6xf64>
            %row = array.get %x[%i] : tensor<?x6xf64> -> tensor<6xf64>
            %t = arith.addf %flat, %row : tensor<6xf64>
            %u = array.reshape %t : tensor<6xf64> -> tensor<2x3xf64>
            array.yield %u : tensor<2x3xf64>
          }
          %vf = array.reshape %v : tensor<2x3xf64> -> tensor<6xf64>
          %sums = array.build (%i < %n) -> (tensor<?xf64>) {
            %k = arith.muli %i, %two : index
            %part = array.build (%a < %i, %b < 2) -> (tensor<?x2xf64>) {
              %e = array.get %x[%a, %b] : tensor<?x6xf64> -> f64
              %c = math.cos %e : f64
              array.yield %c : f64
            }
            %turned = array.transpose %part [1, 0] : tensor<?x2xf64> -> tensor<2x?xf64>
            %stored = array.append %turned, %turned : (tensor<2x?xf64>, tensor<2x?xf64>) -> tensor<4x?xf64>
            %l = arith.muli %k, %two : index
            %line = array.reshape %stored sizes(%l) : tensor<4x?xf64> -> tensor<?xf64>
            %first = array.get %line[%k] : tensor<?xf64> -> f64
            %s = array.sum %line : (tensor<?xf64>) -> f64
            %r = arith.addf %s, %first : f64
            array.yield %r : f64
          }
          return %z, %vf, %sums : tensor<?x3x2xf64>, tensor<6xf64>, tensor<?xf64>
        }",
        &[vec![array(1, &[5, 6]), array(2, &[2, 3])], vec![array(1, &[0, 6]), array(2, &[2, 3])]],
    );
}

#[test]
fn reshapes_to_other_sizes_are_refused() {
    let source = "func.func @f(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
                    %y = array.reshape %x sizes(%n, %m) : tensor<?xf64> -> tensor<?x?xf64>
                    return %y : tensor<?x?xf64>
                  }";
    let context = context();
    let module = parse(&context, source);
    let f = compile(module_op(&module)).function("f").unwrap();
    assert_eq!(f.call(&[array(1, &[6]), index(2), index(3)]).unwrap()[0].shape(), [2, 3]);
    // The product of the last is zero in 64 bits.
    for (n, m, len) in [(2, 4, 6), (-1, 3, 6), (1 << 32, 1 << 32, 0)] {
        let error = f.call(&[array(1, &[len]), index(n), index(m)]).unwrap_err().to_string();
        let expected = ["reshapes an array to a different number of elements", "too large"];
        assert!(expected.iter().any(|e| error.contains(e)), "{n} x {m}: {error}");
    }
}

#[test]
fn total_division() {
    for (element, t) in [(Element::I32, "i32"), (Element::I64, "i64"), (Element::Index, "index")] {
        let mut body = String::new();
        let mut names = vec!["%q".to_string(), "%r".to_string()];
        for (k, c) in [-7i64, -2, -1, 0, 1, 3, 8].into_iter().enumerate() {
            body += &format!(
                "%c{k} = arith.constant dense<{c}> : tensor<9x{t}>
                 %d{k} = array.div %x, %c{k} : tensor<9x{t}>
                 %m{k} = array.mod %x, %c{k} : tensor<9x{t}>\n"
            );
            names.extend([format!("%d{k}"), format!("%m{k}")]);
        }
        let types = vec![format!("tensor<9x{t}>"); names.len()].join(", ");
        let source = format!(
            "func.func @f(%x: tensor<9x{t}>, %y: tensor<9x{t}>) -> ({types}) {{
               {body}%q = array.div %x, %y : tensor<9x{t}>
               %r = array.mod %x, %y : tensor<9x{t}>
               return {} : {types} }}",
            names.join(", ")
        );
        let least = if element == Element::I32 { i32::MIN as i64 } else { i64::MIN };
        let x = [7, -7, 7, -7, 0, least, least, least + 1, -least - 1];
        let y = [2, 2, -2, -2, 0, -1, 0, 3, least];
        let of = |v: [i64; 9]| {
            let data = match element {
                Element::I32 => Data::I32(v.iter().map(|x| *x as i32).collect()),
                Element::I64 => Data::I64(v.to_vec()),
                _ => Data::Index(v.to_vec()),
            };
            Array::new(vec![9], data)
        };
        agrees(&source, &[vec![of(x), of(y)]]);
    }
}

#[test]
fn floors_saturate() {
    let x = [1.5, -1.5, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -3e9, 3e9];
    agrees(
        "func.func @f(%x: tensor<9xf64>, %y: tensor<9xf32>, %v: tensor<4xf64>)
            -> (tensor<9xi32>, tensor<9xi64>, tensor<9xindex>, tensor<9xindex>, tensor<9xf64>) {
          %a = array.floor %x : tensor<9xf64> -> tensor<9xi32>
          %b = array.floor %x : tensor<9xf64> -> tensor<9xi64>
          %c = array.floor %x : tensor<9xf64> -> tensor<9xindex>
          %d = array.floor %y : tensor<9xf32> -> tensor<9xindex>
          %e = array.gather %v : tensor<4xf64> (%i < 9) -> (tensor<9xf64>) {
            %u = array.get %x[%i] : tensor<9xf64> -> f64
            %k = array.floor %u : f64 -> index
            array.yield %k : index
          }
          return %a, %b, %c, %d, %e : tensor<9xi32>, tensor<9xi64>, tensor<9xindex>, tensor<9xindex>, tensor<9xf64>
        }",
        &[vec![
            Array::vector(&x),
            Array::new(vec![9], Data::F32(x.iter().map(|x| *x as f32).collect())),
            array(1, &[4]),
        ]],
    );
}
