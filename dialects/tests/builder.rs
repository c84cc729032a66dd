//! Tests of the builder: its methods infer the right result types, and the created ops pass the verifier.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Builder, Value};
use mlopt_dialects::value::Element;

/// The ops in `@g` load the dialects that the builder needs, as passes do by declaring them.
const SOURCE: &str = "func.func @f(%x: tensor<4x3xf64>, %y: tensor<?x3xf64>, %v: tensor<?xf64>, %s: f64, %n: index) {
  return
}
func.func @g(%row: tensor<3xf64>, %s: f64) -> (f64, tensor<3xf64>) {
  %c = arith.constant 0 : index
  %x = array.get %row[%c] : (tensor<3xf64>) -> f64
  return %x, %row : f64, tensor<3xf64>
}";

/// Builds into `@f` and returns the types of the created values; the module must verify.
fn built(make: impl FnOnce(Builder, &[Value]) -> Vec<Value>) -> Vec<String> {
    let program = Program::parse(SOURCE.as_bytes(), "test.mlir").expect("the test's program parses");
    let body = program.module().lookup("f").and_then(|f| f.body()).expect("a function");
    let before_return = Builder::before(body.terminator().expect("a return"));
    let types = make(before_return, &body.arguments()).into_iter().map(|v| v.ty().to_string()).collect();
    assert!(program.module().verify(), "{}", program.module());
    types
}

#[test]
fn loops_take_rows_and_carried_values() {
    let types = built(|b, a| {
        let [x, y, v, s, _] = a else { unreachable!() };
        let fold = b.fold(&[*y, *v], &[*s, *y], |b, rows, state| {
            let z = b.get(rows[0], &[b.index(0)]);
            assert_eq!(rows[1].ty(), z.ty());
            vec![z, state[1]]
        });
        let scan = b.map_accum(&[*x], &[*s], |_, rows, state| vec![state[0], rows[0], state[0]]);
        [fold, scan].concat()
    });
    assert_eq!(types, ["f64", "tensor<?x3xf64>", "f64", "tensor<4x3xf64>", "tensor<4xf64>"]);
}

#[test]
fn accesses_are_static_or_run_time_sized() {
    let types = built(|b, a| {
        let [x, y, v, s, n] = a else { unreachable!() };
        vec![
            b.gather(*x, &[Some(2), None], &[*n], |_, i| vec![i[1]]),
            b.gather(*y, &[Some(2)], &[], |_, i| vec![i[0], i[0]]),
            b.scatter(*x, *y, 1, |_, i| vec![i[0]]),
            b.scatter(*s, *v, 0, |_, _| vec![*n]),
            b.one_hot(*v, &[*n, *n], &[None, Some(5)], &[*n]),
            b.slice(*y, *n, Some(2), None),
            b.slice(*x, *n, None, Some(*n)),
            b.reverse(*y),
            b.extents(*y, 2)[0],
        ]
    });
    let expected = ["tensor<2x?x3xf64>", "tensor<2xf64>", "tensor<?x3xf64>", "tensor<?xf64>", "tensor<?x5x?xf64>"];
    assert_eq!(types[..5], expected);
    assert_eq!(types[5..], ["tensor<2x3xf64>", "tensor<?x3xf64>", "tensor<?x3xf64>", "index"]);
}

#[test]
fn reductions_drop_their_axes() {
    let types = built(|b, a| {
        let [x, y, v, ..] = a else { unreachable!() };
        let flags = b.context().parse_attribute("#arith.fastmath<reassoc>");
        vec![
            b.sum(*x),
            b.sum_axes(*y, &[1]),
            b.prod(*x, &[0, 1]),
            b.max(*v, &[0]),
            b.min(*y, &[1]),
            b.reduce("array.sum", *x, &[0], flags),
            b.argmax(*x, 1),
            b.argmin(*v, 0),
        ]
    });
    assert_eq!(types[..4], ["tensor<3xf64>", "tensor<?xf64>", "f64", "f64"]);
    assert_eq!(types[4..], ["tensor<?xf64>", "tensor<3xf64>", "tensor<4xindex>", "index"]);
}

#[test]
fn arrangements_know_their_sizes() {
    let types = built(|b, a| {
        let [x, y, v, s, n] = a else { unreachable!() };
        let i = b.iota(Some(4), None);
        vec![
            b.reshape(*x, &[Some(2), Some(6)], &[]),
            b.reshape(*v, &[None, Some(1)], &[*n]),
            b.reshape(b.stack(&[*s]), &[], &[]),
            b.stack(&[*y, *y]),
            b.append(*x, *x),
            b.append(*x, *y),
            b.iota(None, Some(*n)),
            b.div(i, i),
            b.modulo(*n, *n),
            b.floor(*y, Element::I32),
            b.floor(*s, Element::Index),
        ]
    });
    assert_eq!(types[..4], ["tensor<2x6xf64>", "tensor<?x1xf64>", "f64", "tensor<2x?x3xf64>"]);
    assert_eq!(types[4..8], ["tensor<8x3xf64>", "tensor<?x3xf64>", "tensor<?xindex>", "tensor<4xindex>"]);
    assert_eq!(types[8..], ["index", "tensor<?x3xi32>", "index"]);
}

#[test]
fn vmaps_stack_the_results() {
    let types = built(|b, a| {
        let [x, y, _, s, _] = a else { unreachable!() };
        let results = [s.ty(), b.get(*y, &[b.index(0)]).ty()];
        let run_time = b.vmap("g", &[*y, *s], &[Some(0), None], &results);
        [run_time, b.vmap("g", &[*x, *s], &[Some(0), None], &results)].concat()
    });
    assert_eq!(types, ["tensor<?xf64>", "tensor<?x3xf64>", "tensor<4xf64>", "tensor<4x3xf64>"]);
}
