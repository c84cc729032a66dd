//! Builders of programs.

use mlopt::{Builder, Element, Error, ErrorKind, ModuleBuilder, Result, Session, Tensor, Type, Value, View};
use mlopt_dialects::ops::arith::ArithOp;
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::dual::DualOp;
use mlopt_dialects::ops::lambda::LambdaOp;
use mlopt_dialects::ops::math::MathOp;
use mlopt_dialects::ops::stream::StreamOp;
use std::collections::BTreeSet;

/// Ops that builders create themselves: those that end a region, and those with a name.
const WITHOUT_METHOD: &[&str] =
    &["array.yield", "dual.yield", "lambda.return", "lambda.yield", "stream.node", "stream.yield"];

#[test]
fn every_op_has_a_method() {
    let methods = include_str!(concat!(env!("OUT_DIR"), "/methods.rs"));
    let name = |line: &str| Some(line.trim().strip_prefix("pub fn ")?.split(['(', '<']).next()?.to_string());
    let methods: BTreeSet<String> = methods.lines().filter_map(name).collect();
    let kinds = [ArithOp::KINDS, ArrayOp::KINDS, DualOp::KINDS, LambdaOp::KINDS, MathOp::KINDS, StreamOp::KINDS];
    let names = kinds.concat().into_iter().map(|kind| kind.name());
    let ops = names.filter(|name| !WITHOUT_METHOD.contains(name)).map(|name| name.replace('.', "_").to_lowercase());
    let ops: BTreeSet<String> = ops.collect();
    let other: Vec<&String> = methods.symmetric_difference(&ops).collect();
    assert!(other.is_empty(), "{other:?}");
}

fn builder(source: &str) -> ModuleBuilder {
    ModuleBuilder::new(&Session::new(), "test.calc", source).unwrap()
}

fn function(inputs: &[&str], body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>) -> Result<String> {
    let mut module = builder("first line\nsecond line\n");
    let types: Vec<Type> = inputs.iter().map(|ty| Type::parse(ty)).collect();
    module.function("f", &types, body)?;
    module.finish()?.text()
}

fn first(error: Error) -> String {
    assert_eq!(error.kind(), ErrorKind::Program, "{error}");
    error.diagnostics()[0].text.clone()
}

#[test]
fn types_of_results_are_inferred() {
    let types = |b: &Builder, values: &[Value]| -> Vec<String> {
        values.iter().map(|value| b.type_of(*value).unwrap().to_string()).collect()
    };
    function(&["tensor<4x?xf64>", "index", "tensor<4x?xf64>"], |b, x| {
        let (matrix, i) = (x[0], x[1]);
        let found = [
            b.array_sum(matrix, &[1])?,
            b.array_max(matrix, &[0, 1])?,
            b.array_get(matrix, &[i])?,
            b.array_get(matrix, &[i, i])?,
            b.array_transpose(matrix, &[1, 0])?,
            b.array_append(matrix, x[2])?,
            b.array_stack(&[matrix, matrix])?,
            b.array_argmin(matrix, 0)?,
            b.array_length(matrix, 1)?,
            b.array_reverse(matrix)?,
            b.arith_addf(matrix, x[2])?,
            b.arith_cmpf(matrix, x[2], mlopt::enums::CmpFPredicate::Olt)?,
            b.math_sin(matrix)?,
            b.array_slice(matrix, i, None, &Type::tensor(Element::F64, &[Some(2), None]))?,
        ];
        let wanted = [
            "tensor<4xf64>",
            "f64",
            "tensor<?xf64>",
            "f64",
            "tensor<?x4xf64>",
            "tensor<8x?xf64>",
            "tensor<2x4x?xf64>",
            "tensor<?xindex>",
            "index",
            "tensor<4x?xf64>",
            "tensor<4x?xf64>",
            "tensor<4x?xi1>",
            "tensor<4x?xf64>",
            "tensor<2x?xf64>",
        ];
        assert_eq!(types(b, &found), wanted);
        let zero = b.number(Element::F64, 0.0)?;
        let ones = b.scan(&[found[0]], &[zero], |b, rows, carried| {
            let sum = b.arith_addf(rows[0], carried[0])?;
            Ok(vec![sum, sum, rows[0]])
        })?;
        assert_eq!(types(b, &ones), ["f64", "tensor<4xf64>", "tensor<4xf64>"]);
        let pair = b.lambda_tuple(&[zero, i])?;
        let part = b.lambda_get(pair, 1)?;
        assert_eq!(types(b, &[pair, part]), ["tuple<f64, index>", "index"]);
        Ok(ones)
    })
    .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn wrong_calls_are_errors() {
    type Body = fn(&mut Builder, &[Value]) -> Result<Vec<Value>>;
    let cases: &[(&str, Body, &str)] = &[
        ("f64", |b, x| Ok(vec![b.array_sum(x[0], &[0])?]), "'array.sum' op has the axes [0] for `x` of type f64"),
        ("tensor<3xf64>", |b, x| Ok(vec![b.array_sum(x[0], &[-1])?]), "'array.sum' op has the axes [-1]"),
        ("tensor<3xf64>", |b, x| Ok(vec![b.array_get(x[0], &[x[0]])?]), "'array.get' op operand #1 must be"),
        (
            "tensor<3xf64>",
            |b, x| Ok(vec![b.array_transpose(x[0], &[7])?]),
            "'array.transpose' op has the permutation [7]",
        ),
        ("i64", |b, x| Ok(vec![b.arith_addf(x[0], x[0])?]), "'arith.addf' op operand #0 must be"),
        ("i64", |b, x| Ok(vec![b.math_sin(x[0])?]), "'math.sin' op operand #0 must be"),
        ("f64", |b, x| Ok(vec![b.stream_post(x[0])?]), "'stream.post' op expects parent op 'stream.node'"),
        ("f64", |b, x| b.scan(x, &[], |_, _, _| Ok(vec![])), "expected arrays of at least one axis, found f64"),
        ("f64", |b, x| Ok(vec![b.lambda_apply(x[0], &[])?]), "'lambda.apply' op must have a function"),
        ("f64", |b, x| Ok(vec![b.arith_constant("?")?, x[0]]), "expected an attribute, found `?`"),
        ("f64", |b, x| Ok(vec![b.arith_sitofp(x[0], &"tensor<".into())?]), "expected a type, found `tensor<`"),
        ("f64", |b, _| Ok(vec![b.number(Element::I8, 300.0)?]), "a number of type i8 is in -128 to 127, found 300"),
        ("f64", |b, x| b.call("nothing", x), "there is no function `@nothing`"),
        ("f64", |b, x| b.build(&[2.into()], |_, _| Ok(vec![])).map(|_| x.to_vec()), "'array.build' op"),
        ("f64", |b, x| b.build(&[x[0].into()], |_, i| Ok(vec![i[0]])), "'array.build' op operand #0 must be"),
        ("tensor<2xf64>", |b, x| b.choose(x[0], |_| Ok(vec![]), |_| Ok(vec![])), "'scf.if' op operand #0 must be"),
    ];
    for (ty, body, expected) in cases {
        let error = function(&[ty], |b, x| body(b.at(2, 3), x)).unwrap_err();
        let place = error.diagnostics()[0].clone();
        assert!(place.text.starts_with(expected), "expected {expected}, found {}", place.text);
        assert_eq!((place.line, place.column, place.source_line.as_deref()), (Some(2), Some(3), Some("second line")));
    }
}

#[test]
fn values_are_used_where_they_are_visible() {
    let (mut one, mut other) = (builder(""), builder(""));
    let mut kept = None;
    one.function("f", &["f64".into()], |b, x| {
        let mut inner = None;
        b.build(&[3.into()], |_, i| {
            inner = Some(i[0]);
            Ok(vec![x[0]])
        })?;
        let error = b.arith_addi(inner.unwrap(), inner.unwrap()).unwrap_err();
        assert_eq!(first(error), "a value of another function or region is not visible here");
        kept = Some(x[0]);
        Ok(x.to_vec())
    })
    .unwrap();
    let kept = kept.unwrap();
    let error = other.function("f", &[], |_, _| Ok(vec![kept])).unwrap_err();
    assert_eq!(first(error), "a value of another program cannot be used here");
    let error = one.function("g", &["f64".into()], |b, x| Ok(vec![b.arith_addf(x[0], kept)?])).unwrap_err();
    assert_eq!(first(error), "a value of another function or region is not visible here");
    // Errors leave the program as it was.
    let error = one.function("f", &[], |_, _| Ok(vec![])).unwrap_err();
    assert_eq!(first(error), "there is already a function or node `@f`");
    assert_eq!(one.finish().unwrap().functions().unwrap(), ["f"]);
}

#[test]
fn an_error_in_a_region_leaves_nothing() {
    let text = function(&["f64"], |b, x| {
        let error = b.build(&[3.into()], |b, i| Ok(vec![b.arith_addf(i[0], x[0])?]));
        assert!(error.is_err());
        let error = b.repeat(x[0], &[x[0]], |_, _, carried| Ok(carried.to_vec()));
        assert!(first(error.unwrap_err()).starts_with("'array.ifold' op operand #0 must be"));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = b.build(&[3.into()], |_, _| std::panic::resume_unwind(Box::new("a front end's bug")));
        }));
        assert!(panicked.is_err());
        Ok(x.to_vec())
    });
    let text = text.unwrap();
    assert!(!text.contains("array."), "{text}");
}

/// The same program by calls and as text.
#[test]
fn a_program_of_each_kind() {
    let session = Session::new();
    let mut module = ModuleBuilder::new(&session, "all.calc", "").unwrap();
    let vector = Type::tensor(Element::F64, &[None]);
    module
        .private_function("loss", &[vector.clone(), vector.clone()], |b, x| {
            let product = b.arith_mulf(x[0], x[1])?;
            let sine = b.math_sin(product)?;
            Ok(vec![b.array_sum(sine, &[0])?])
        })
        .unwrap();
    module.function("gradient", &[vector.clone(), vector], |b, x| b.grad("loss", x, &[0, 1])).unwrap();
    let code = module.finish().unwrap().compile(&Default::default(), &mlopt::Target::host()).unwrap();
    let (x, y) = ([1.0_f64, 2.0], [0.5, 0.25]);
    let found = code.function("gradient").unwrap();
    let found = found.call(&[View::new(&x, &[2]).unwrap(), View::new(&y, &[2]).unwrap()]).unwrap();
    for k in 0..2 {
        let slope = (x[k] * y[k]).cos();
        assert!((found[0].elements::<f64>().unwrap()[k] - y[k] * slope).abs() < 1e-12);
        assert!((found[1].elements::<f64>().unwrap()[k] - x[k] * slope).abs() < 1e-12);
    }
    // A node with a list of clocks: every second value.
    let mut module = ModuleBuilder::new(&session, "all.calc", "").unwrap();
    let outputs = ["sampled", "merged"];
    module
        .node("n", &[("x", Element::F64.into()), ("c", Element::I1.into())], &outputs, |b, x| {
            let sampled = b.stream_when(x[0], x[1], false)?;
            let other = b.stream_when(x[0], x[1], true)?;
            let negated = b.arith_negf(other)?;
            Ok(vec![sampled, b.stream_merge(x[1], sampled, negated)?])
        })
        .unwrap();
    let mut node = module.finish().unwrap().node("n").unwrap();
    let mut step = |x: f64, c: bool| node.step(&[Some(View::scalar(&x)), Some(View::scalar(&c))]).unwrap();
    assert_eq!(step(1.0, true), [Some(Tensor::scalar(1.0)), Some(Tensor::scalar(1.0))]);
    assert_eq!(step(2.0, false), [None, Some(Tensor::scalar(-2.0))]);
}
