//! Tests of the work that the evaluator counts. The tests of the semantics of ops are in `eval/semantics.mlir`.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Element};

/// Returns the counted work of `@f` at `arguments`.
fn work(source: &str, arguments: &[Array]) -> u64 {
    let program =
        Program::parse(source.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("does not parse:\n{source}"));
    let mut evaluator = Evaluator::new(program.module());
    evaluator.call("f", arguments).unwrap_or_else(|e| panic!("{e}"));
    evaluator.work()
}

fn vector(v: &[f64]) -> Array {
    Array::vector(v)
}

/// W of spec/arrays.md C.8 for one op on 4×3 elements.
#[test]
fn work_is_counted_by_elements() {
    let work = |op: &str, result: &str| {
        let source = format!(
            "func.func @f(%x: tensor<4x3xf64>, %c: index) -> {result} {{\n  %z = {op}\n  return %z : {result}\n}}"
        );
        self::work(&source, &[Array::zeros(Element::F64, &[4, 3]), Array::index(1)])
    };
    let row = "tensor<3xf64>";
    assert_eq!(work("arith.addf %x, %x : tensor<4x3xf64>", "tensor<4x3xf64>"), 12);
    assert_eq!(work("array.sum %x : (tensor<4x3xf64>) -> tensor<3xf64>", row), 12);
    assert_eq!(work("array.argmax %x axis 1 : (tensor<4x3xf64>) -> tensor<4xindex>", "tensor<4xindex>"), 12);
    assert_eq!(work("array.get %x[%c] : (tensor<4x3xf64>) -> tensor<3xf64>", row), 3);
    assert_eq!(work("array.slice %x from %c : (tensor<4x3xf64>) -> tensor<2x3xf64>", "tensor<2x3xf64>"), 6);
    assert_eq!(work("array.replicate %x : (tensor<4x3xf64>) -> tensor<2x4x3xf64>", "tensor<2x4x3xf64>"), 24);
    let one_hot = "array.one_hot %x at [%c] : (tensor<4x3xf64>) -> tensor<2x4x3xf64>";
    assert_eq!(work(one_hot, "tensor<2x4x3xf64>"), 12 + 24);
    assert_eq!(work("array.length %x : tensor<4x3xf64>", "index"), 0);
    let gather = "array.gather %x : tensor<4x3xf64> (%i < 5) -> (tensor<5x3xf64>) {\narray.yield %i : index\n}";
    assert_eq!(work(gather, "tensor<5x3xf64>"), 15);
}

/// No work is counted for the trial that determines the sizes of missing rows, only the two elements of the start.
#[test]
fn sizes_of_missing_rows_are_no_work() {
    for name in ["@appended", "@misfit", "@endless"] {
        let source = include_str!("../eval/empty_rows.mlir").replace(name, "@f");
        assert_eq!(work(&source, &[Array::zeros(Element::F64, &[0, 2])]), 2, "{name}");
    }
}

/// A scatter costs a copy of its `init` unless it may write into it.
#[test]
fn scatters_in_place_cost_what_they_add() {
    let work = |init: &str, more: &str| {
        let source = format!(
            "func.func @f(%x: tensor<2xf64>, %a: tensor<100xf64>) -> tensor<100xf64> {{
              %s = arith.negf %a : tensor<100xf64>
              %o = dual.zero : tensor<100xf64>
              %z = array.scatter %x into {init} : tensor<2xf64> into tensor<100xf64> (%i) {{
                array.yield %i : index
              }}
              {more}
              return %z : tensor<100xf64>
            }}"
        );
        self::work(&source, &[vector(&[1.0, 2.0]), vector(&[0.0; 100])]) - 100
    };
    assert_eq!(work("%s", ""), 2);
    assert_eq!(work("%o", ""), 102);
    assert_eq!(work("%a", ""), 102);
    // `%s` is read again, so it must be kept. The second read costs 100 too.
    assert_eq!(work("%s", "%t = arith.negf %s : tensor<100xf64>"), 202);

    let carried = "func.func @f(%x: tensor<2xf64>, %a: tensor<100xf64>, %n: index) -> tensor<100xf64> {
      %z = array.ifold (%k < %n) iter_args(%s = %a) -> (tensor<100xf64>) {
        %t = array.scatter %x into %s : tensor<2xf64> into tensor<100xf64> (%i) {
          array.yield %i : index
        }
        array.yield %t : tensor<100xf64>
      }
      return %z : tensor<100xf64>
    }";
    let arguments = [vector(&[1.0, 2.0]), vector(&[0.0; 100]), Array::index(10)];
    assert_eq!(self::work(carried, &arguments), 20);
}
