//! Tests that compile handwritten loops through LLVM and call them in this process: the calling convention, sizes, the
//! maths library, and errors.

use melior::{Context, dialect::DialectRegistry, ir::Module, utility::register_all_dialects};
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::ir::{Op, module_op};
use mlopt_lowering::llvm::loops_to_llvm;
use mlopt_lowering::native::{Emit, Error, Target};
use mlopt_runtime::code::Compiled;

fn context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context.enable_multi_threading(false);
    context
}

fn lowered<'c>(context: &'c Context, source: &str) -> (Module<'c>, Op) {
    let module = Module::parse(context, source).expect("the test's program parses");
    let op = module_op(&module);
    Target::host().unwrap().describe(op);
    loops_to_llvm::run(op).expect("the test's program lowers");
    assert!(op.verify());
    (module, op)
}

/// `z[i] = exp(x[i]) * tanh(y[i mod y's length])`, and the sum of all `z`; sizes at run time.
const PROGRAM: &str = include_str!("../native/handwritten_loops.mlir");

fn expected(x: &[f64], y: &[f64]) -> Vec<f64> {
    x.iter().enumerate().map(|(i, v)| v.exp() * y[i % 3].tanh()).collect()
}

#[test]
fn dynamic_sizes_scratch_and_libm() {
    let context = context();
    let (_module, op) = lowered(&context, PROGRAM);
    let compiled = Compiled::new(op, &Target::host().unwrap()).unwrap();
    let f = compiled.function("@f").unwrap();
    assert_eq!(f.signature().to_string(), "(tensor<?xf64>, tensor<3xf64>) -> (tensor<?xf64>, f64)");
    let y = [0.5, -1.0, 2.0];
    for n in [0usize, 1, 5, 1000] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let args = [Array::vector(&x), Array::vector(&y)];
        for _ in 0..2 {
            let out = f.call(&args).unwrap();
            let want = expected(&x, &y);
            assert_eq!(out[0].shape(), [n]);
            for (a, b) in out[0].to_f64().iter().zip(&want) {
                assert!((a - b).abs() <= 1e-15 * b.abs(), "{a} {b}");
            }
            let total: f64 = want.iter().sum();
            assert!((out[1].to_f64()[0] - total).abs() < 1e-10);
        }
        assert_eq!(args[0], Array::vector(&x), "inputs are not written");
    }
}

#[test]
fn wrong_arguments_are_errors() {
    let context = context();
    let (_module, op) = lowered(&context, PROGRAM);
    let compiled = Compiled::new(op, &Target::host().unwrap()).unwrap();
    let f = compiled.function("f").unwrap();
    let (x, y) = (Array::vector(&[1.0]), Array::vector(&[1.0, 2.0, 3.0]));
    let text = |r: Result<Vec<Array>, Error>| r.unwrap_err().to_string();
    assert_eq!(text(f.call(std::slice::from_ref(&x))), "`@f` takes 2 arguments, found 1");
    assert_eq!(
        text(f.call(&[x.clone(), x.clone()])),
        "argument #1 of `@f` must be `tensor<3xf64>`, found `tensor<1xf64>`"
    );
    let ints = Array::zeros(Element::I64, &[4]);
    assert_eq!(text(f.call(&[ints, y.clone()])), "argument #0 of `@f` must be `tensor<?xf64>`, found `tensor<4xi64>`");
    assert_eq!(text(f.call(&[Array::zeros(Element::F64, &[1_000_001]), y])), "`@f`: `x` is too long");
    assert_eq!(compiled.function("g").err().unwrap().to_string(), "there is no function `@g`; the module has `@f`");
}

#[test]
fn threads_share_compiled_code() {
    let context = context();
    let (_module, op) = lowered(&context, PROGRAM);
    let f = Compiled::new(op, &Target::host().unwrap()).unwrap().function("f").unwrap();
    std::thread::scope(|s| {
        for t in 0..4 {
            let f = &f;
            s.spawn(move || {
                for n in 0..50 {
                    let x = vec![t as f64; n];
                    let out = f.call(&[Array::vector(&x), Array::vector(&[1.0, 1.0, 1.0])]).unwrap();
                    let want = expected(&x, &[1.0, 1.0, 1.0]);
                    assert_eq!(out[0].shape(), [n]);
                    for (z, w) in out[0].to_f64().iter().zip(want) {
                        assert!((z - w).abs() <= 1e-14 * w.abs(), "{z} instead of {w}");
                    }
                }
            });
        }
    });
}

#[test]
fn capped_targets_have_no_wide_registers() {
    let context = context();
    let (_module, op) = lowered(&context, PROGRAM);
    let target = Target::named("x86-64-v3", "").unwrap();
    target.describe(op);
    let asm = target.emit(op, Emit::Assembly).unwrap();
    assert!(!String::from_utf8(asm).unwrap().contains("zmm"));
    let ir = String::from_utf8(target.emit(op, Emit::LlvmIr).unwrap()).unwrap();
    assert!(ir.contains("define void @f(ptr noalias nocapture"), "{ir}");
    assert!(ir.contains("define void @f.packed("));
}

/// Loops generated for other vectors than the processor has would run slowly, so a missing target is an error.
#[test]
fn modules_lowered_for_other_vectors_are_refused() {
    let context = context();
    let module = Module::parse(&context, PROGRAM).unwrap();
    let op = module_op(&module);
    let (narrow, wide) = (Target::named("x86-64", "").unwrap(), Target::named("x86-64-v3", "").unwrap());
    let refused = |target: &Target| target.emit(op, Emit::Object).unwrap_err().to_string();
    assert!(refused(&narrow).contains("found unknown vectors"), "{}", refused(&narrow));
    narrow.describe(op);
    loops_to_llvm::run(op).unwrap();
    assert!(refused(&wide).contains("found 128-bit vectors"), "{}", refused(&wide));
    assert!(narrow.emit(op, Emit::Object).is_ok());
}

/// An integer result of every element type is returned unchanged.
#[test]
fn element_types() {
    let context = context();
    for (element, one) in [
        (Element::F32, Data::F32(vec![1.5; 3])),
        (Element::F64, Data::F64(vec![1.5; 3])),
        (Element::I1, Data::I1(vec![true, false, true])),
        (Element::I32, Data::I32(vec![-7; 3])),
        (Element::I64, Data::I64(vec![i64::MIN; 3])),
        (Element::Index, Data::Index(vec![5; 3])),
    ] {
        let t = element.name();
        let source = format!(
            "func.func @f(%x: memref<3x{t}>, %z: memref<3x{t}>, %scratch: memref<?xi8>)
                attributes {{sweep.signature = (tensor<3x{t}>) -> tensor<3x{t}>}} {{
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %c3 = arith.constant 3 : index
              scf.for %i = %c0 to %c3 step %c1 {{
                %v = memref.load %x[%i] : memref<3x{t}>
                memref.store %v, %z[%i] : memref<3x{t}>
              }}
              return
            }}
            func.func @f.sizes(%x: memref<3x{t}>, %answer: memref<2xi64>) {{
              %c0 = arith.constant 0 : index
              %c1 = arith.constant 1 : index
              %z = arith.constant 0 : i64
              memref.store %z, %answer[%c0] : memref<2xi64>
              memref.store %z, %answer[%c1] : memref<2xi64>
              return
            }}"
        );
        let (_module, op) = lowered(&context, &source);
        let f = Compiled::new(op, &Target::host().unwrap()).unwrap().function("f").unwrap();
        let x = Array::new(vec![3], one);
        assert_eq!(f.call(std::slice::from_ref(&x)).unwrap(), [x]);
    }
}
