//! Tests that programs of `tensor` and `linalg` keep their meaning as arrays: the evaluator runs both. It implements
//! the loops of `linalg` directly, so that it shares no code with the pass.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data, Element};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Once;

fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        mlopt_dialects::bridge::register_upstream_passes();
        mlopt_passes::register();
    });
}

fn after(source: &str, pipeline: &str) -> Program {
    register();
    let program =
        Program::parse(source.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("does not parse:\n{source}"));
    program.run_pipeline(pipeline).unwrap_or_else(|_| panic!("{pipeline} fails on:\n{source}"));
    program
}

const GENERIC: &str = "builtin.module(func.func(linalg-generalize-named-ops))";
const ARRAY: &str = "builtin.module(func.func(linalg-generalize-named-ops,upstream-to-array))";

fn random(rng: &mut ChaCha8Rng, element: Element, shape: &[usize]) -> Array {
    let n = shape.iter().product();
    let mut floats = || (0..n).map(|_| rng.random_range(-8..8) as f64 / 4.0).collect::<Vec<f64>>();
    let data = match element {
        Element::F32 => Data::F32(floats().into_iter().map(|x| x as f32).collect()),
        Element::F64 => Data::F64(floats()),
        Element::I1 => Data::I1((0..n).map(|_| rng.random_bool(0.5)).collect()),
        Element::I32 => Data::I32((0..n).map(|_| rng.random_range(-9..9)).collect()),
        Element::I64 => Data::I64((0..n).map(|_| rng.random_range(-9..9)).collect()),
        Element::Index => Data::Index((0..n).map(|_| rng.random_range(0..9)).collect()),
    };
    Array::new(shape.to_vec(), data)
}

/// Checks that `@f` returns the same before and after for random arguments; `sizes` are the `?` of its parameters, in
/// order. The elements are multiples of a quarter, so that sums are exact in any order.
fn agrees(source: &str, sizes: &[usize]) -> Vec<Array> {
    agrees_at(source, sizes, &[])
}

/// As `agrees`, with `fixed` as the last arguments.
fn agrees_at(source: &str, sizes: &[usize], fixed: &[Array]) -> Vec<Array> {
    let (before, after) = (after(source, GENERIC), after(source, ARRAY));
    let text = after.module().to_string();
    assert!(!text.contains("tensor.") && !text.contains("linalg."), "{text}");
    let body = before.module().lookup("f").and_then(|f| f.body()).expect("a function");
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut sizes = sizes.iter().copied();
    let parameters = body.arguments();
    let mut arguments: Vec<Array> = parameters[..parameters.len() - fixed.len()]
        .iter()
        .map(|v| {
            let shape: Vec<usize> =
                v.ty().shape().into_iter().map(|d| d.unwrap_or_else(|| sizes.next().expect("a size"))).collect();
            random(&mut rng, v.ty().element().expect("an array"), &shape)
        })
        .collect();
    assert_eq!(sizes.next(), None, "each `?` has its size");
    arguments.extend_from_slice(fixed);
    let [expected, found] = [&before, &after]
        .map(|p| Evaluator::new(p.module()).call("f", &arguments).unwrap_or_else(|e| panic!("{e}\n{}", p.module())));
    assert_eq!(expected, found, "{text}");
    found
}

#[test]
fn named_operations() {
    let matmul = |m: &str, k: &str, n: &str| {
        format!(
            "func.func @f(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>, %c: tensor<{m}x{n}xf32>) \
                -> tensor<{m}x{n}xf32> {{
              %z = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
                outs(%c : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
              return %z : tensor<{m}x{n}xf32>
            }}"
        )
    };
    agrees(&matmul("3", "4", "2"), &[]);
    agrees(&matmul("?", "?", "?"), &[3, 4, 4, 2, 3, 2]);
    agrees(&matmul("?", "?", "?"), &[3, 0, 0, 2, 3, 2]);
    agrees(&matmul("?", "4", "1"), &[0, 0]);

    let two = |op: &str, a: &str, b: &str, c: &str| {
        format!(
            "func.func @f(%a: tensor<{a}xf64>, %b: tensor<{b}xf64>, %c: tensor<{c}xf64>) -> tensor<{c}xf64> {{
              %z = {op} ins(%a, %b : tensor<{a}xf64>, tensor<{b}xf64>) outs(%c : tensor<{c}xf64>) -> tensor<{c}xf64>
              return %z : tensor<{c}xf64>
            }}"
        )
        .replace("<xf64>", "<f64>")
    };
    agrees(&two("linalg.matvec", "3x?", "?", "3"), &[5, 5]);
    agrees(&two("linalg.vecmat", "?", "?x4", "4"), &[5, 5]);
    agrees(&two("linalg.dot", "6", "6", ""), &[]);
    agrees(&two("linalg.batch_matmul", "2x3x?", "2x?x4", "2x3x4"), &[5, 5]);
    agrees(&two("linalg.conv_1d", "?", "3", "?"), &[7, 5]);
    let softmax = |sizes: &str, axis: usize| {
        format!(
            "func.func @f(%x: tensor<{sizes}xf64>, %o: tensor<{sizes}xf64>) -> tensor<{sizes}xf64> {{
              %z = linalg.softmax dimension({axis}) ins(%x : tensor<{sizes}xf64>) outs(%o : tensor<{sizes}xf64>)
                -> tensor<{sizes}xf64>
              return %z : tensor<{sizes}xf64>
            }}"
        )
    };
    agrees(&softmax("5", 0), &[]);
    (0..3).for_each(|axis| drop(agrees(&softmax("2x?x3", axis), &[4, 4])));
    agrees(&softmax("2x?x3", 0), &[0, 0]);
    agrees(&softmax("2x?x3", 1), &[0, 0]);
    let strided =
        "linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}";
    agrees(&two(strided, "2x7x6x3", "3x2x3x4", "2x3x4x4"), &[]);
    agrees(&two("linalg.conv_2d_nchw_fchw", "1x2x5x5", "3x2x3x3", "1x3x3x3"), &[]);
    agrees(&two("linalg.pooling_nhwc_max", "1x4x4x2", "2x2", "1x3x3x2"), &[]);
    agrees(&two("linalg.add", "3x?", "3x?", "3x?"), &[2, 2, 2]);
}

/// With rows of three, x[i, j] - x[i+1, j+1] = -4 in each of two channels.
#[test]
fn a_convolution_of_a_ramp_is_constant() {
    let source = "func.func @f(%x: tensor<1x2x3x3xf64>, %k: tensor<1x2x2x2xf64>) -> tensor<1x1x2x2xf64> {
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<1x1x2x2xf64>
      %o = linalg.fill ins(%zero : f64) outs(%e : tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
      %z = linalg.conv_2d_nchw_fchw ins(%x, %k : tensor<1x2x3x3xf64>, tensor<1x2x2x2xf64>)
        outs(%o : tensor<1x1x2x2xf64>) -> tensor<1x1x2x2xf64>
      return %z : tensor<1x1x2x2xf64>
    }";
    let x = Array::new(vec![1, 2, 3, 3], Data::F64((0..18).map(f64::from).collect()));
    let k = Array::new(vec![1, 2, 2, 2], Data::F64([1.0, 0.0, 0.0, -1.0].repeat(2)));
    let z = agrees_at(source, &[], &[x, k]);
    assert_eq!(z, [Array::new(vec![1, 1, 2, 2], Data::F64(vec![-8.0; 4]))]);
}

#[test]
fn fills_copies_maps_and_reductions() {
    agrees(
        "func.func @f(%x: tensor<?x3xf64>, %v: tensor<3xf64>, %s: f64, %n: index) \
            -> (tensor<3x?xf64>, tensor<?x3xf64>, tensor<?x3xf64>) {
          %c1 = arith.constant 0 : index
          %m = tensor.dim %x, %c1 : tensor<?x3xf64>
          %a = tensor.empty(%m) : tensor<3x?xf64>
          %t = linalg.transpose ins(%x : tensor<?x3xf64>) outs(%a : tensor<3x?xf64>) permutation = [1, 0]
          %b = tensor.empty(%m) : tensor<?x3xf64>
          %r = linalg.broadcast ins(%v : tensor<3xf64>) outs(%b : tensor<?x3xf64>) dimensions = [0]
          %f = linalg.fill ins(%s : f64) outs(%b : tensor<?x3xf64>) -> tensor<?x3xf64>
          %g = linalg.map { arith.mulf } ins(%r, %f : tensor<?x3xf64>, tensor<?x3xf64>) outs(%b : tensor<?x3xf64>)
          return %t, %r, %g : tensor<3x?xf64>, tensor<?x3xf64>, tensor<?x3xf64>
        }",
        &[4],
    );
    for (op, element) in [
        ("arith.addf", "f32"),
        ("arith.mulf", "f64"),
        ("arith.maximumf", "f64"),
        ("arith.minnumf", "f32"),
        ("arith.addi", "i32"),
        ("arith.muli", "i64"),
        ("arith.maxsi", "i32"),
        ("arith.minsi", "index"),
        // Combiners without a reduction in the array language become loops.
        ("arith.xori", "i32"),
        ("arith.maxui", "i64"),
        ("arith.subf", "f64"),
        ("arith.andi", "i1"),
    ] {
        for (dimensions, left, sizes) in
            [("[1]", "2x4", &[][..]), ("[0, 2]", "3", &[]), ("[0, 1, 2]", "", &[]), ("[2]", "2x3", &[])]
        {
            let result = format!("tensor<{left}x{element}>").replace("<x", "<");
            agrees(
                &format!(
                    "func.func @f(%x: tensor<2x3x4x{element}>, %o: {result}) -> {result} {{
                      %z = linalg.reduce {{ {op} }} ins(%x : tensor<2x3x4x{element}>) outs(%o : {result}) \
                          dimensions = {dimensions}
                      return %z : {result}
                    }}"
                ),
                sizes,
            );
        }
    }
}

/// The position of the maximum: two results that are carried together, and an index.
#[test]
fn loops_that_are_no_reduction() {
    let z = agrees(
        "func.func @f(%x: tensor<?x?xf64>, %m: tensor<?xf64>, %p: tensor<?xindex>) -> (tensor<?xf64>, tensor<?xindex>) {
          %z:2 = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
            iterator_types = [\"parallel\", \"reduction\"]}
            ins(%x : tensor<?x?xf64>) outs(%m, %p : tensor<?xf64>, tensor<?xindex>) {
          ^bb0(%a: f64, %best: f64, %at: index):
            %j = linalg.index 1 : index
            %greater = arith.cmpf ogt, %a, %best : f64
            %b = arith.select %greater, %a, %best : f64
            %k = arith.select %greater, %j, %at : index
            linalg.yield %b, %k : f64, index
          } -> (tensor<?xf64>, tensor<?xindex>)
          return %z#0, %z#1 : tensor<?xf64>, tensor<?xindex>
        }",
        &[5, 3, 3, 3],
    );
    assert_eq!(z[1].shape(), [3]);
}

#[test]
fn results_in_another_order_and_positions_that_are_computed() {
    agrees(
        "func.func @f(%x: tensor<9xf64>, %y: tensor<2x3xf64>, %o: tensor<3x2xf64>, %q: tensor<2x3xf64>) \
            -> (tensor<3x2xf64>, tensor<2x3xf64>) {
          %z:2 = linalg.generic {
            indexing_maps = [affine_map<(i, j) -> (3 * i + (j + 4) mod 3 + j floordiv 2 + i ceildiv 2)>, \
                affine_map<(i, j) -> (i, j)>,
                             affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
            iterator_types = [\"parallel\", \"parallel\"]}
            ins(%x, %y : tensor<9xf64>, tensor<2x3xf64>) outs(%o, %q : tensor<3x2xf64>, tensor<2x3xf64>) {
          ^bb0(%a: f64, %b: f64, %old: f64, %other: f64):
            %s = arith.addf %a, %b : f64
            %t = arith.mulf %s, %old : f64
            linalg.yield %t, %a : f64, f64
          } -> (tensor<3x2xf64>, tensor<2x3xf64>)
          return %z#0, %z#1 : tensor<3x2xf64>, tensor<2x3xf64>
        }",
        &[],
    );
    // Nested loops, with elements read by position.
    agrees(
        "func.func @f(%x: tensor<?xf64>, %p: tensor<4xindex>, %o: tensor<4xf64>) -> tensor<4xf64> {
          %c0 = arith.constant 0 : index
          %z = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], \
              iterator_types = [\"parallel\"]}
            ins(%p : tensor<4xindex>) outs(%o : tensor<4xf64>) {
          ^bb0(%k: index, %old: f64):
            %i = linalg.index 0 : index
            %w = tensor.extract %x[%k] : tensor<?xf64>
            %e = tensor.from_elements %w, %old : tensor<2xf64>
            %init = tensor.from_elements %old : tensor<f64>
            %s = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> ()>], \
                iterator_types = [\"reduction\"]}
              ins(%e : tensor<2xf64>) outs(%init : tensor<f64>) {
            ^bb0(%a: f64, %sum: f64):
              %j = linalg.index 0 : index
              %n = arith.addi %i, %j : index
              %n32 = arith.index_cast %n : index to i32
              %f = arith.sitofp %n32 : i32 to f64
              %t = arith.mulf %a, %f : f64
              %u = arith.addf %sum, %t : f64
              linalg.yield %u : f64
            } -> tensor<f64>
            %v = tensor.extract %s[] : tensor<f64>
            linalg.yield %v : f64
          } -> tensor<4xf64>
          return %z : tensor<4xf64>
        }",
        &[9],
    );
}

#[test]
fn elements_and_shapes() {
    agrees_at(
        "func.func @f(%x: tensor<2x3xf64>, %y: tensor<?x3xf64>, %i: index, %n: index)
            -> (f64, tensor<2x2xf64>, tensor<3x?xf64>, tensor<6xf64>, tensor<?x2x3xf64>, tensor<?x3xf64>, \
                tensor<?x2xindex>, index, index, tensor<0xi1>) {
          %c1 = arith.constant 1 : index
          %a = tensor.extract %x[%c1, %i] : tensor<2x3xf64>
          %b = tensor.from_elements %a, %a, %a, %a : tensor<2x2xf64>
          %c = tensor.splat %a[%n] : tensor<3x?xf64>
          %d = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf64> into tensor<6xf64>
          %g = tensor.collapse_shape %y [[0, 1]] : tensor<?x3xf64> into tensor<?xf64>
          %e = tensor.expand_shape %y [[0, 1], [2]] output_shape [%n, 2, 3] : tensor<?x3xf64> into tensor<?x2x3xf64>
          %u = tensor.cast %x : tensor<2x3xf64> to tensor<?x3xf64>
          %h = tensor.generate %n {
          ^bb0(%p: index, %q: index):
            %s = arith.addi %p, %q : index
            tensor.yield %s : index
          } : tensor<?x2xindex>
          %r = tensor.dim %y, %i : tensor<?x3xf64>
          %k = tensor.dim %g, %none : tensor<?xf64>
          %l = tensor.from_elements : tensor<0xi1>
          return %a, %b, %c, %d, %e, %u, %h, %r, %k, %l : f64, tensor<2x2xf64>, tensor<3x?xf64>, tensor<6xf64>, \
              tensor<?x2x3xf64>, tensor<?x3xf64>, tensor<?x2xindex>, index, index, tensor<0xi1>
        }"
        .replace("%c1 = arith.constant 1 : index", "%c1 = arith.constant 1 : index\n%none = arith.constant 0 : index")
        .as_str(),
        &[4],
        &[Array::index(1), Array::index(2)],
    );
    agrees_at(
        "func.func @f(%x: tensor<?xf64>, %s: tensor<2xi32>) -> tensor<?x?xf64> {
          %z = tensor.reshape %x(%s) : (tensor<?xf64>, tensor<2xi32>) -> tensor<?x?xf64>
          return %z : tensor<?x?xf64>
        }",
        &[6],
        &[Array::new(vec![2], Data::I32(vec![2, 3]))],
    );
}

#[test]
fn slices() {
    let at = |i, n| [Array::index(i), Array::index(n)];
    let source = "func.func @f(%x: tensor<6x4x5xf32>, %y: tensor<?x4xf32>, %i: index, %n: index)
        -> (tensor<?x4x5xf32>, tensor<4x5xf32>, tensor<6x2x?xf32>, tensor<5xf32>, tensor<?xf32>, \
            tensor<3x2x5xf32>, f32) {
      %a = tensor.extract_slice %x[%i, 0, 0] [%n, 4, 5] [1, 1, 1] : tensor<6x4x5xf32> to tensor<?x4x5xf32>
      %b = tensor.extract_slice %x[%i, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<6x4x5xf32> to tensor<4x5xf32>
      %c = tensor.extract_slice %x[0, %i, 1] [6, 2, %n] [1, 1, 2] : tensor<6x4x5xf32> to tensor<6x2x?xf32>
      %d = tensor.extract_slice %x[2, %i, 0] [1, 1, 5] [1, 1, 1] : tensor<6x4x5xf32> to tensor<5xf32>
      %e = tensor.extract_slice %y[0, %i] [%n, 1] [1, 1] : tensor<?x4xf32> to tensor<?xf32>
      %g = tensor.extract_slice %x[0, %i, 0] [3, 2, 5] [2, 1, 1] : tensor<6x4x5xf32> to tensor<3x2x5xf32>
      %h = tensor.extract_slice %x[%i, %i, %i] [1, 1, 1] [1, 1, 1] : tensor<6x4x5xf32> to tensor<f32>
      %k = tensor.extract %h[] : tensor<f32>
      return %a, %b, %c, %d, %e, %g, %k : tensor<?x4x5xf32>, tensor<4x5xf32>, tensor<6x2x?xf32>, tensor<5xf32>, \
          tensor<?xf32>, tensor<3x2x5xf32>, f32
    }";
    agrees_at(source, &[3], &at(1, 2));
    agrees_at(source, &[3], &at(2, 0));

    let source = "func.func @f(%x: tensor<6x4xf64>, %p: tensor<?x4xf64>, %q: tensor<4xf64>, %r: tensor<2x2xf64>, \
          %w: tensor<6x4xf64>, %s: f64, %i: index, %n: index)
        -> (tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>) {
      %a = tensor.insert_slice %p into %x[%i, 0] [%n, 4] [1, 1] : tensor<?x4xf64> into tensor<6x4xf64>
      %b = tensor.insert_slice %q into %x[%i, 0] [1, 4] [1, 1] : tensor<4xf64> into tensor<6x4xf64>
      %c = tensor.insert_slice %r into %x[%i, 1] [2, 2] [3, 2] : tensor<2x2xf64> into tensor<6x4xf64>
      %d = tensor.insert_slice %w into %x[0, 0] [6, 4] [1, 1] : tensor<6x4xf64> into tensor<6x4xf64>
      %e = tensor.insert %s into %x[%n, %i] : tensor<6x4xf64>
      return %a, %b, %c, %d, %e : tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>
    }";
    agrees_at(source, &[2], &at(1, 2));
    agrees_at(source, &[0], &at(0, 0));
}

#[test]
fn joining_and_padding() {
    agrees(
        "func.func @f(%x: tensor<2x3xf64>, %y: tensor<2x?xf64>, %w: tensor<?x3xf64>) \
            -> (tensor<2x?xf64>, tensor<?x3xf64>, tensor<4x3xf64>) {
          %a = tensor.concat dim(1) %x, %y, %x : (tensor<2x3xf64>, tensor<2x?xf64>, tensor<2x3xf64>) -> tensor<2x?xf64>
          %b = tensor.concat dim(0) %w, %x : (tensor<?x3xf64>, tensor<2x3xf64>) -> tensor<?x3xf64>
          %c = tensor.concat dim(0) %x, %x : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<4x3xf64>
          return %a, %b, %c : tensor<2x?xf64>, tensor<?x3xf64>, tensor<4x3xf64>
        }",
        &[4, 1],
    );
    for padding in ["%zero", "%half", "%computed"] {
        for (low, high, result, sizes) in [
            ("1, 0, 0", "2, 0, 0", "?x3x4", &[2][..]),
            ("0, 1, 0", "0, %n, 0", "?x?x4", &[2]),
            ("%n, 1, 2", "0, 1, 3", "?x5x9", &[2]),
            ("0, 0, 0", "0, 0, 0", "?x3x4", &[0]),
            ("1, 1, 1", "1, 1, 1", "?x5x6", &[0]),
        ] {
            agrees_at(
                &format!(
                    "func.func @f(%x: tensor<?x3x4xf64>, %n: index) -> tensor<{result}xf64> {{
                      %zero = arith.constant 0.0 : f64
                      %half = arith.constant 0.5 : f64
                      %z = tensor.pad %x low[{low}] high[{high}] {{
                      ^bb0(%i: index, %j: index, %k: index):
                        %s = arith.addi %i, %k : index
                        %t = arith.index_cast %s : index to i64
                        %computed = arith.sitofp %t : i64 to f64
                        tensor.yield {padding} : f64
                      }} : tensor<?x3x4xf64> to tensor<{result}xf64>
                      return %z : tensor<{result}xf64>
                    }}"
                ),
                sizes,
                &[Array::index(2)],
            );
        }
    }
}

/// Arrays that loops of `scf` fill; the contents of an empty one are read, and are zero.
#[test]
fn loops_of_scf_stay() {
    let z = agrees(
        "func.func @f(%x: tensor<?xf64>) -> (tensor<?xf64>, tensor<3xi32>) {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %n = tensor.dim %x, %c0 : tensor<?xf64>
          %e = tensor.empty(%n) : tensor<?xf64>
          %k = tensor.empty() : tensor<3xi32>
          %z = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %e) -> (tensor<?xf64>) {
            %a = tensor.extract %x[%i] : tensor<?xf64>
            %b = arith.addf %a, %a : f64
            %next = tensor.insert %b into %acc[%i] : tensor<?xf64>
            scf.yield %next : tensor<?xf64>
          }
          return %z, %k : tensor<?xf64>, tensor<3xi32>
        }",
        &[4],
    );
    assert_eq!(z[1].data(), &Data::I32(vec![0; 3]));
}

/// The result is valid input of later passes: the gradient of a matrix product.
#[test]
fn derivatives_go_through() {
    let source = "func.func @loss(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>) -> f64 {
      %zero = arith.constant 0.0 : f64
      %e = tensor.empty() : tensor<2x2xf64>
      %o = linalg.fill ins(%zero : f64) outs(%e : tensor<2x2xf64>) -> tensor<2x2xf64>
      %c = linalg.matmul ins(%a, %b : tensor<2x3xf64>, tensor<3x2xf64>) outs(%o : tensor<2x2xf64>) -> tensor<2x2xf64>
      %i = arith.constant 0 : index
      %j = arith.constant 1 : index
      %z = tensor.extract %c[%i, %j] : tensor<2x2xf64>
      return %z : f64
    }
    func.func @f(%a: tensor<2x3xf64>, %b: tensor<3x2xf64>) -> tensor<2x3xf64> {
      %g = dual.grad @loss(%a, %b) wrt [0] : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<2x3xf64>
      return %g : tensor<2x3xf64>
    }";
    let gradient = after(
        source,
        "builtin.module(func.func(linalg-generalize-named-ops,upstream-to-array),jvp,func.func(egg-optimize))",
    );
    let a = Array::new(vec![2, 3], Data::F64(vec![1.0; 6]));
    let b = Array::new(vec![3, 2], Data::F64((0..6).map(f64::from).collect()));
    let z = Evaluator::new(gradient.module()).call("f", &[a, b]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(z, [Array::new(vec![2, 3], Data::F64(vec![1.0, 3.0, 5.0, 0.0, 0.0, 0.0]))]);
}
