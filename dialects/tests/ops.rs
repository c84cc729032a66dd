//! Tests of the generated types of ops: MLIR knows each kind of op, and accessors return the right operands.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Attribute, Block, Builder, CHECKS_ERASED_OPS, Context, Op, OpBuilder, Region, Type, Value};
use mlopt_dialects::ops::layouts::LAYOUTS;
use mlopt_dialects::ops::{self, Count, FastMath, FromAttribute, Group, HasKind, Kind, ToAttribute};
use mlopt_dialects::value::Element;
use std::fmt::Debug;

fn parsed(source: &str) -> Program {
    Program::parse(source.as_bytes(), "test.mlir").expect("the test's program parses")
}

#[test]
fn every_kind_is_registered() {
    let program = parsed("");
    let context = program.module().context();
    assert!(Kind::ALL.len() > 900);
    for kind in Kind::ALL {
        assert!(context.has_op(kind.name()), "{kind} is not registered");
        assert_eq!(Kind::by_name(kind.name()), *kind);
    }
    assert_eq!(Kind::by_name("array.summ"), Kind::Other);
    assert_eq!(program.module().kind(), Kind::BuiltinModule);
}

#[test]
fn result_types_are_inferred_where_mlir_can() {
    let program = parsed("");
    let context = program.module().context();
    for layout in LAYOUTS {
        assert!(context.has_op(layout.kind.name()));
        assert!(!layout.infers_results || context.infers_results(layout.kind.name()), "{}", layout.kind);
    }
}

/// Returns the number of values in a group of an example.
fn size(group: &Group) -> usize {
    match group.count {
        Count::One | Count::Optional => 1,
        Count::Variadic => 2,
    }
}

/// Creates a detached op of this layout with distinct operands.
fn example(context: Context, layout: &ops::Layout, values: &[Value], target: Block) -> Op {
    let sizes = |groups: &[Group]| groups.iter().map(|g| size(g) as i32).collect::<Vec<_>>();
    let total = |groups: &[Group]| groups.iter().map(size).sum::<usize>();
    let mut op = OpBuilder::new(layout.kind.name(), context.unknown_location())
        .operands(&values[..total(layout.operands)])
        .results(&vec![context.index(); total(layout.results)])
        .regions(&(0..layout.regions).map(|_| Region::new()).collect::<Vec<_>>())
        .successors(&vec![target; layout.successors]);
    if layout.has_operand_segments {
        op = op.attribute("operandSegmentSizes", context.i32_array_attr(&sizes(layout.operands)));
    }
    if layout.has_result_segments {
        op = op.attribute("resultSegmentSizes", context.i32_array_attr(&sizes(layout.results)));
    }
    op.build()
}

/// Checks that each accessor returns the values of its group, where the groups are consecutive.
fn check(op: Op, what: &str, groups: &[Group], all: &[Value]) {
    let mut rest = all;
    for (k, group) in groups.iter().enumerate() {
        let (expected, after) = rest.split_at(size(group));
        let found = (group.get)(op).expect("an op of this kind");
        assert_eq!(found, expected, "{what} {k} of {}", op.name());
        rest = after;
    }
    assert_eq!(rest, [], "{what} of {} that no accessor finds", op.name());
}

#[test]
fn accessors_find_operands_and_results() {
    let program = parsed("");
    let context = program.module().context();
    let block = Block::new(&vec![(context.index(), context.unknown_location()); 64]);
    for layout in LAYOUTS {
        assert!(context.has_op(layout.kind.name()));
        let op = example(context, layout, &block.arguments(), block);
        assert_eq!(op.kind(), layout.kind);
        check(op, "operands", layout.operands, &op.operands());
        check(op, "results", layout.results, &op.results());
        op.erase();
    }
    block.erase();
}

fn round_trip<T: FromAttribute + ToAttribute + PartialEq + Debug + Copy>(context: Context, cases: &[T]) {
    for case in cases {
        assert_eq!(T::from_attribute(case.to_attribute(context)), Some(*case));
    }
}

#[test]
fn enums_are_read_as_they_are_written() {
    let program = parsed("");
    let context = program.module().context();
    for op in ["arith.addf", "vector.reduction", "gpu.block_id", "llvm.fadd", "linalg.generic", "dual.grad"] {
        assert!(context.has_op(op));
    }
    round_trip(context, ops::CmpFPredicate::ALL);
    round_trip(context, ops::CmpIPredicate::ALL);
    round_trip(context, &[ops::CombiningKind::ADD, ops::CombiningKind::MAXIMUMF]);
    round_trip(context, ops::Dimension::ALL);
    round_trip(context, ops::AllReduceOperation::ALL);
    round_trip(context, ops::DerivativeMode::ALL);
    round_trip(context, ops::ICmpPredicate::ALL);
    round_trip(context, &[FastMath::NONE, FastMath::FAST, FastMath::NNAN | FastMath::NSZ]);
    round_trip(context, &[ops::Overflow::NONE, ops::Overflow::NSW | ops::Overflow::NUW]);
    round_trip(context, &[ops::LlvmFastMath::CONTRACT, ops::LlvmFastMath::FAST]);
    let read = |text: &str| FastMath::from_attribute(context.parse_attribute(text).expect("an attribute"));
    assert_eq!(read("#arith.fastmath<fast>"), Some(FastMath::FAST));
    assert_eq!(read("#arith.fastmath<reassoc,contract>"), Some(FastMath::REASSOC | FastMath::CONTRACT));
    assert_eq!(read("1 : i64"), None);
    assert_eq!((FastMath::REASSOC | FastMath::CONTRACT).text(), "reassoc,contract");
    let greater = Attribute::integer(context.scalar(Element::I64), 2);
    assert_eq!(ops::CmpFPredicate::from_attribute(greater), Some(ops::CmpFPredicate::Ogt));
}

const SOURCE: &str = "func.func @f(%x: tensor<4x3xf64>, %n: index) -> tensor<3xf64> {
  %c = arith.constant 0 : index
  %a = array.sum %x : (tensor<4x3xf64>) -> tensor<3xf64>
  %b = array.sum %x {axes = array<i64: 0, 1>, fastmath = #arith.fastmath<reassoc>} : (tensor<4x3xf64>) -> f64
  %p = arith.cmpf olt, %b, %b fastmath<nnan> : f64
  %r = array.build (%i < %n) -> (tensor<?xindex>) {
    array.yield %i : index
  }
  return %a : tensor<3xf64>
}";

#[test]
fn attributes_have_types_and_defaults() {
    let program = parsed(SOURCE);
    let body = program.module().lookup("f").and_then(Op::body).expect("a function");
    let [_, a, b, p, r, end] = body.ops()[..] else { panic!("six ops") };
    let (a, b) = (a.cast::<ops::array::Sum>(), b.cast::<ops::array::Sum>());
    assert_eq!((a.axes(), a.fastmath()), (vec![0], FastMath::NONE));
    assert_eq!((b.axes(), b.fastmath()), (vec![0, 1], FastMath::REASSOC));
    let a = a.with_axes(&[1]).with_fastmath(FastMath::FAST);
    assert_eq!((a.axes(), a.fastmath()), (vec![1], FastMath::FAST));
    let p = p.cast::<ops::arith::Cmpf>();
    assert_eq!((p.predicate(), p.fastmath()), (ops::CmpFPredicate::Olt, FastMath::NNAN));
    let build = r.cast::<ops::array::Build>();
    assert_eq!(build.extents(), [body.argument(1)]);
    assert!(build.body().end().is::<ops::array::Yield>());
    assert!(matches!(ops::AnyOp::of(end), ops::AnyOp::Func(ops::func::FuncOp::Return(_))));
    let reduction = ops::array::ReductionOp::of(b.op()).expect("a reduction");
    assert_eq!((reduction.x(), reduction.axes()), (body.argument(0), vec![0, 1]));
    assert!(ops::array::ReductionOp::of(end).is_none());
    assert!(b.z().def::<ops::array::Sum>().is_some() && b.z().def::<ops::array::Prod>().is_none());
}

#[test]
fn ops_are_created_by_their_parts() {
    let program = parsed(SOURCE);
    let body = program.module().lookup("f").and_then(Op::body).expect("a function");
    let b = Builder::before(body.end());
    let (x, n) = (body.argument(0), body.argument(1));
    let f64: Type = x.ty().scalar();
    let total = ops::array::Sum::create(b, x, f64).with_axes(&[0, 1]).with_fastmath(FastMath::REASSOC).z();
    let equal = ops::arith::Cmpf::create(b, total, total, ops::CmpFPredicate::Oeq).result();
    assert_eq!(equal.ty().element(), Some(Element::I1));
    let inner = Block::new(&[(n.ty(), b.location)]);
    ops::array::Yield::create(Builder::at_end(inner, b.location), &[inner.argument(0)]);
    let like = body.ops().into_iter().find_map(ops::array::Build::of).expect("a build").results()[0].ty();
    ops::array::Build::create(b, &[n], &[like], inner);
    assert!(program.module().verify(), "{}", program.module());
}

#[test]
fn encodings_of_matrices_are_read() {
    let program = parsed("func.func private @f(tensor<4x4xf64, #lambda.matrix<bands = [1, 2]>>)");
    let (inputs, _) = program.module().lookup("f").and_then(Op::function_type).expect("a function");
    let encoding = inputs[0].encoding().expect("an encoding");
    let matrix = ops::lambda::MatrixAttr::from_attribute(encoding).expect("a matrix");
    assert_eq!(matrix, ops::lambda::MatrixAttr { lower: 1, upper: 2, symmetric: false });
    assert_eq!(matrix.to_attribute(inputs[0].context()), encoding);
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "builds with debug assertions check this")]
#[allow(clippy::assertions_on_constants)] // The constant depends on how `mlopt-mlir` is built.
fn the_use_of_an_erased_op_is_found() {
    // Without the check the use would be undefined behaviour.
    assert!(CHECKS_ERASED_OPS, "mlopt-mlir is built without debug assertions");
    let program = parsed(SOURCE);
    let body = program.module().lookup("f").and_then(Op::body).expect("a function");
    let unused = Builder::before(body.end()).index(1).defining_op().expect("a constant").0;
    unused.erase();
    let panic = std::panic::catch_unwind(|| unused.num_results()).expect_err("a panic");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"use of an op that was erased"));
}

#[test]
fn a_copy_is_usable_where_its_memory_was_that_of_erased_ops() {
    let program = parsed(SOURCE);
    let function = program.module().lookup("f").expect("a function");
    for _ in 0..8 {
        let copy = function.clone_op();
        assert_eq!(copy.nested_ops().len(), function.nested_ops().len());
        copy.erase();
    }
}
