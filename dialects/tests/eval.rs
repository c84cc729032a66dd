//! Tests of the evaluator: the work that it counts, and sizes of arrays without rows. The tests of the semantics of ops
//! are in `eval/semantics.mlir`.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Element};

/// Returns the results of `@f` at `arguments` and the counted work, or the text of the error.
fn run(source: &str, arguments: &[Array]) -> Result<(Vec<Array>, u64), String> {
    let program =
        Program::parse(source.as_bytes(), "test.mlir").unwrap_or_else(|_| panic!("does not parse:\n{source}"));
    let mut evaluator = Evaluator::new(program.module());
    let results = evaluator.call("f", arguments).map_err(|e| e.to_string())?;
    Ok((results, evaluator.work()))
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
        run(&source, &[Array::zeros(Element::F64, &[4, 3]), Array::index(1)]).unwrap().1
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
        run(&source, &[vector(&[1.0, 2.0]), vector(&[0.0; 100])]).unwrap().1 - 100
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
    assert_eq!(run(carried, &arguments).unwrap().1, 20);
}

/// The rows of an array without rows have the sizes that its body would yield; if the body fails or never ends, the
/// sizes are unknown. No work is counted for the trial.
#[test]
fn rows_have_sizes_where_there_are_none() {
    let source = |row: &str| {
        format!(
            "func.func @f(%m: tensor<?x?xf64>) -> (tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>) {{
               %zero = arith.constant 0.0 : f64
               %three = arith.constant 3 : index
               %rows = array.length %m : tensor<?x?xf64>
               %columns = array.length %m axis 1 : tensor<?x?xf64>
               %init = array.replicate %zero, %columns : (f64) -> tensor<?xf64>
               %s, %e = array.map_accum (%a = %m : tensor<?x?xf64>) iter_args(%s = %init)
                   -> (tensor<?xf64>, tensor<?x?xf64>) {{
                 %next = arith.addf %s, %a : tensor<?xf64>
                 {row}
                 array.yield %next, %row : tensor<?xf64>, tensor<?xf64>
               }}
               %b = array.build (%i < %rows) -> (tensor<?x?xf64>) {{
                 %a = array.get %m[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
                 array.yield %a : tensor<?xf64>
               }}
               return %s, %e, %b : tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xf64>
             }}"
        )
    };
    let shapes = |row: &str| {
        let (results, work) = run(&source(row), &[Array::zeros(Element::F64, &[0, 2])]).unwrap();
        assert_eq!(work, 2, "the replicated start, and no row");
        results.into_iter().map(|x| x.shape().to_vec()).collect::<Vec<_>>()
    };
    let append = "%row = array.append %s, %next : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>";
    assert_eq!(shapes(append), [vec![2], vec![0, 4], vec![0, 2]]);
    let misfit = "%other = array.replicate %zero, %three : (f64) -> tensor<?xf64>
                  %row = arith.addf %s, %other : tensor<?xf64>";
    assert_eq!(shapes(misfit), [vec![2], vec![0, 0], vec![0, 2]]);
    let endless = "%always = arith.constant true
                   %row = scf.while (%r = %next) : (tensor<?xf64>) -> tensor<?xf64> {
                     scf.condition(%always) %r : tensor<?xf64>
                   } do {
                   ^bb0(%r: tensor<?xf64>):
                     scf.yield %r : tensor<?xf64>
                   }";
    assert_eq!(shapes(endless), [vec![2], vec![0, 0], vec![0, 2]]);
}
