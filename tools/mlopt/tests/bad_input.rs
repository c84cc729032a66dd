//! Wrong input at every function: an error with its cause, and nothing is lost.

use crate::code;
use mlopt::{Cache, DlTensor, Error, ErrorKind, Pipeline, Session, Target, Tensor, View, ViewMut};
use std::os::unix::fs::PermissionsExt;

/// Returns the kind and the text of an error.
fn failure<T>(result: Result<T, Error>) -> (ErrorKind, String) {
    let error = result.err().expect("an error");
    (error.kind(), error.to_string())
}

#[test]
fn programs() {
    let session = Session::new();
    let (kind, text) =
        failure(session.parse("f.mlir", "func.func @f() {\n  %z = arith.addf %x, %x : f64\n  return\n}"));
    assert_eq!(kind, ErrorKind::Program);
    assert!(text.starts_with("f.mlir:2:19: error: use of undeclared SSA value name\n  %z = arith.addf %x"), "{text}");
    let (kind, text) = failure(session.parse("f.mlir", "\"array.sum\"() : () -> ()"));
    assert_eq!(kind, ErrorKind::Program);
    assert!(text.starts_with("f.mlir:1:1: error: 'array.sum' op"), "{text}");
    for source in [&b"\xff\xfe"[..], b"ML\xefR", b"ML\xefR\x0d\x00garbage", b"\0", b"(((("] {
        for name in ["f.mlir", "f.lambda", "f.terms", ""] {
            let _either = session.parse(name, source);
        }
    }
    assert_eq!(failure(session.parse("f.lambda", b"\xff")).0, ErrorKind::Program);
}

#[test]
fn constraints_have_labels_and_notes_have_places() {
    let text = "func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
  %z = array.sum %x : (tensor<3xf64>) -> tensor<3xf64>
  return %z : tensor<3xf64>
}";
    let error = Session::new().parse("f.mlir", text).unwrap_err();
    let found = &error.diagnostics()[0];
    assert_eq!(found.code.as_deref(), Some("C2"), "{error}");
    assert_eq!((found.line, found.column), (Some(2), Some(8)), "{error}");
    let twice = "func.func @f() { return }\nfunc.func @f() { return }";
    let error = Session::new().parse("f.mlir", twice).unwrap_err();
    assert_eq!(error.diagnostics()[0].notes[0].line, Some(1), "{error}");
    assert_eq!(error.diagnostics()[0].notes[0].source_line.as_deref(), Some("func.func @f() { return }"));
}

#[test]
fn a_program_that_harms_the_parser_of_mlir() {
    // The first function uses a name that the second one defines. After the later error, MLIR 19 writes to freed memory
    // unless the operands are dropped: `valgrind` shows it.
    let text = "func.func @undeclared(%x: f64) -> f64 {
  %e = arith.mulf %d, %x : f64
  return %e : f64
}
func.func @twice(%x: f64) -> f64 {
  %d = arith.negf %x : f64
  %d = arith.negf %x : f64
  return %d : f64
}";
    for _ in 0..100 {
        let text = failure(Session::new().parse("f.mlir", text)).1;
        assert!(text.starts_with("f.mlir:7:3: error: redefinition of SSA value '%d'"), "{text}");
    }
}

#[test]
fn pipelines() {
    let session = Session::new();
    let mut module = session.parse("f.mlir", "func.func @f() { return }").unwrap();
    let mut run = |text: &str| failure(module.run(&Pipeline::parse(text)));
    let (kind, text) = run("builtin.module(cse,differentate)");
    assert_eq!(kind, ErrorKind::Pipeline);
    let expected = "pipeline:1:20: error: unknown pass `differentate`; did you mean `differentiate`?";
    assert!(text.starts_with(expected), "{text}");
    let (kind, text) = run("builtin.module(differentiate{memory-budget=much})");
    assert_eq!(kind, ErrorKind::Pipeline);
    let expected = "option `memory-budget` of pass `differentiate`: expected an integer, found `much`";
    assert_eq!(text, format!("pipeline:1:30: error: {expected}"));
    let (kind, text) = run("builtin.module(differentiate{memory=1})");
    assert_eq!(kind, ErrorKind::Pipeline);
    assert!(text.contains("pass `differentiate` has no option `memory`"), "{text}");
    assert!(module.text().is_ok(), "the module is not lost");
}

#[test]
fn syntax_of_pipelines_is_a_diagnostic() {
    let session = Session::new();
    for text in [
        "builtin.module(cse",
        "builtin.module(cse))",
        "cse(",
        "",
        "func.func(cse)",
        "builtin.module(func.func(symbol-dce))",
    ] {
        let mut module = session.parse("f.mlir", "func.func @f() { return }").unwrap();
        let (_, said) = failure(module.run(&Pipeline::parse(text)));
        assert!(said.contains("error: "), "`{text}`: {said}");
        assert!(!said.contains("internal error"), "`{text}`: {said}");
    }
}

#[test]
fn a_failed_pass_loses_only_its_module() {
    let session = Session::new();
    let text = "func.func @f(%x: f64) -> f64 {
  %z = \"foreign.op\"(%x) : (f64) -> f64
  return %z : f64
}";
    assert_eq!(failure(session.parse("f.mlir", text)).0, ErrorKind::Program);
    let text = "func.func private @g(%x: f64) -> f64
func.func @f(%x: f64) -> f64 {
  %z = call @g(%x) : (f64) -> f64
  return %z : f64
}";
    let mut module = session.parse("f.mlir", text).unwrap();
    let (_, said) = failure(module.run(&Pipeline::of(&["array-to-sweeps"])));
    assert!(said.starts_with("f.mlir:"), "{said}");
    assert_eq!(failure(module.text()).1, "error: the module is lost: a pass has failed on it before");
    assert!(session.compile("f.mlir", "func.func @f() { return }").is_ok());
}

#[test]
fn a_pipeline_that_does_not_end_in_machine_code() {
    let module = Session::new().parse("f.mlir", "func.func @f() { return }").unwrap();
    let (_, text) = failure(module.compile(&Pipeline::of(&["cse"]), &Target::host()));
    assert!(text.contains("expected ops of the LLVM dialect"), "{text}");
}

#[test]
fn targets() {
    assert_eq!(failure(Target::named("8086", "")).0, ErrorKind::Target);
    assert_eq!(failure(Target::named("native", "avx2")).1, "error: expected `+` or `-` before a feature, found `avx2`");
    assert_eq!(failure(Target::named("native", "+avx22")).1.split(';').next(), Some("error: unknown feature `avx22`"));
}

/// No processor has the instructions of AMD's FMA4 and those of AVX-512.
#[test]
fn a_target_that_this_machine_is_not() {
    let compile = |cpu: &str| {
        let module = Session::new().parse("f.mlir", "func.func @f() { return }").unwrap();
        module.compile(&Pipeline::default(), &Target::named(cpu, "").unwrap())
    };
    let failures = ["bdver2", "x86-64-v4"].map(|cpu| compile(cpu).err().map(|error| (error.kind(), error.to_string())));
    let foreign: Vec<_> = failures.into_iter().flatten().collect();
    assert!(!foreign.is_empty());
    for (kind, text) in foreign {
        assert_eq!(kind, ErrorKind::Target);
        assert!(text.contains("cannot run on this machine, which lacks "), "{text}");
    }
    assert!(compile("x86-64").is_ok());
    assert!(compile("native").is_ok());
}

#[test]
fn arguments_and_results() {
    let code = code("func.func @f(%x: tensor<?x2xf64>) -> tensor<?x2xf64> { return %x : tensor<?x2xf64> }");
    let f = code.function("f").unwrap();
    let data = [1.0, 2.0, 3.0, 4.0];
    let x = View::new(&data, &[2, 2]).unwrap();
    assert_eq!(failure(f.call(&[])).1, "error: `@f` takes 1 argument, found 0");
    assert_eq!(failure(f.call(&[x, x])).1, "error: `@f` takes 1 argument, found 2");
    let wrong = View::new(&data, &[1, 4]).unwrap();
    let text = "error: argument #0 of `@f` must be `tensor<?x2xf64>`, found `tensor<1x4xf64>`";
    assert_eq!(failure(f.call(&[wrong])), (ErrorKind::Argument, text.into()));
    let floats = [1.0_f32, 2.0];
    let wrong = View::new(&floats, &[1, 2]).unwrap();
    let text = "error: argument #0 of `@f` must be `tensor<?x2xf64>`, found `tensor<1x2xf32>`";
    assert_eq!(failure(f.call(&[wrong])).1, text);
    assert_eq!(failure(f.prepare(&[])).1, "error: `@f` takes 1 argument, found 0");
    let text = "error: argument #0 of `@f` must be `tensor<?x2xf64>`, found `tensor<3xf64>`";
    assert_eq!(failure(f.prepare(&[&[3]])).1, text);
    let mut call = f.prepare(&[&[2, 2]]).unwrap();
    let text = "error: argument #0 of `@f` must be `tensor<2x2xf64>`, found `tensor<1x2xf64>`";
    let mut z = [0.0; 4];
    let short = View::new(&data[..2], &[1, 2]).unwrap();
    assert_eq!(failure(call.call(&[short], &mut [ViewMut::new(&mut z, &[2, 2]).unwrap()])).1, text);
    assert_eq!(failure(call.call(&[x], &mut [])).1, "error: `@f` has 1 results, found memory for 0");
    let text = "error: the memory of result #0 of `@f` must be `tensor<2x2xf64>`, found `tensor<4xf64>`";
    assert_eq!(failure(call.call(&[x], &mut [ViewMut::new(&mut z, &[4]).unwrap()])).1, text);
    let mut integers = [0_i64; 4];
    let text = "error: the memory of result #0 of `@f` must be `tensor<2x2xf64>`, found `tensor<2x2xi64>`";
    assert_eq!(failure(call.call(&[x], &mut [ViewMut::new(&mut integers, &[2, 2]).unwrap()])).1, text);
    assert_eq!(failure(f.call_into(&[x], &mut [])).1, "error: `@f` has 1 results, found memory for 0");
    // SAFETY: the call checks the number of addresses before it uses one.
    #[allow(unsafe_code)]
    let found = failure(unsafe { call.call_raw(&[], &[]) });
    assert_eq!(found.1, "error: expected 1 addresses of arguments and 1 of results, found 0 and 0");
    // After all that, the call still works.
    call.call(&[x], &mut [ViewMut::new(&mut z, &[2, 2]).unwrap()]).unwrap();
    assert_eq!(z, data);
    assert_eq!(failure(code.function("g")).0, ErrorKind::UnknownFunction);
}

#[test]
fn tensors() {
    assert_eq!(failure(Tensor::new(&[2, 2], vec![1.0])).1, "error: an array of shape [2, 2] has 4 elements, found 1");
    assert_eq!(failure(Tensor::new(&[usize::MAX, 2], vec![1.0])).0, ErrorKind::Argument);
    assert_eq!(failure(Tensor::zeros(mlopt::Element::F64, &[1 << 60])).0, ErrorKind::Memory);
    assert_eq!(failure(Tensor::zeros(mlopt::Element::F64, &[usize::MAX, 4])).0, ErrorKind::Memory);
    assert!(Tensor::new::<f64>(&[usize::MAX, 2, 0], vec![]).is_ok());
}

#[test]
#[allow(unsafe_code)]
fn tensors_of_other_libraries() {
    let (shape, strides, data) = ([2_i64, 2], [1_i64, 2], [1.0, 2.0, 3.0, 4.0]);
    let good = DlTensor {
        data: data.as_ptr().cast_mut().cast(),
        device_type: 1,
        device_id: 0,
        ndim: 2,
        code: 2,
        bits: 64,
        lanes: 1,
        shape: shape.as_ptr(),
        strides: strides.as_ptr(),
        byte_offset: 0,
    };
    // SAFETY: the fields describe `data`, or the error is found before they are used.
    let view = |tensor: DlTensor| unsafe { tensor.view().map(|view| view.to_tensor()) };
    assert_eq!(view(good).unwrap().elements::<f64>().unwrap(), [1.0, 3.0, 2.0, 4.0]);
    let (negative, enormous, nothing) = ([-1_i64, 2], [1_i64 << 32; 2], [0_i64; 2]);
    for (bad, text) in [
        (DlTensor { device_type: 2, ..good }, "a tensor must be in the memory of the CPU, found DLPack's device 2"),
        (DlTensor { bits: 8, ..good }, "not supported: elements of DLPack's type code 2, 8 bits, 1 lanes"),
        (DlTensor { lanes: 4, ..good }, "not supported: elements of DLPack's type code 2, 64 bits, 4 lanes"),
        (DlTensor { ndim: -1, ..good }, "the number of axes must not be negative"),
        (DlTensor { shape: std::ptr::null(), ..good }, "a tensor must have a shape"),
        (DlTensor { shape: negative.as_ptr(), ..good }, "a size must not be negative, found -1"),
        (
            DlTensor { shape: enormous.as_ptr(), strides: nothing.as_ptr(), ..good },
            "a tensor must have less than 2^63 bytes, found sizes [4294967296, 4294967296]",
        ),
        (DlTensor { data: std::ptr::null_mut(), ..good }, "the address of a tensor must not be null"),
    ] {
        assert_eq!(failure(view(bad)), (ErrorKind::Argument, format!("error: {text}")));
    }
    let mut bad = good;
    // SAFETY: as above.
    let text = failure(unsafe { bad.view_mut() }).1;
    assert_eq!(text, "error: the memory of a result must be contiguous and row-major");
    bad = DlTensor { strides: std::ptr::null(), byte_offset: 4, ..good };
    // SAFETY: as above.
    let text = failure(unsafe { bad.view_mut() }).1;
    assert_eq!(text, "error: the address of elements of type f64 must be a multiple of 8");
}

/// Memory of other libraries may be misaligned, and have truth values other than 0 and 1: the code works on a copy.
#[test]
#[allow(unsafe_code)]
fn elements_of_other_libraries() {
    let code = code(
        "func.func @not(%c: tensor<?xi1>) -> (tensor<?xi32>, tensor<?xi1>) {
           %t = arith.constant true
           %n = array.length %c : tensor<?xi1>
           %a = arith.extui %c : tensor<?xi1> to tensor<?xi32>
           %ts = array.replicate %t, %n : (i1) -> tensor<?xi1>
           %b = arith.xori %c, %ts : tensor<?xi1>
           return %a, %b : tensor<?xi32>, tensor<?xi1>
         }
         func.func @sum(%x: tensor<?xf64>) -> f64 {
           %s = array.sum %x : (tensor<?xf64>) -> f64
           return %s : f64
         }",
    );
    let (bytes, shape, back) = ([0_u8, 1, 2, 255, 128], [5_i64], [-1_i64]);
    let first = DlTensor {
        data: bytes.as_ptr().cast_mut().cast(),
        device_type: 1,
        device_id: 0,
        ndim: 1,
        code: 6,
        bits: 8,
        lanes: 1,
        shape: shape.as_ptr(),
        strides: std::ptr::null(),
        byte_offset: 0,
    };
    let backwards = DlTensor { strides: back.as_ptr(), byte_offset: 4, ..first };
    let two = [2_i64];
    let usual = DlTensor { shape: two.as_ptr(), ..first };
    // SAFETY: the fields describe `bytes`.
    let [truths, backwards, usual] = unsafe { [first.view(), backwards.view(), usual.view()] }.map(Result::unwrap);
    assert_eq!([truths, backwards, usual].map(|view| view.is_zero_copy()), [false, false, true]);
    assert_eq!(truths.to_tensor().elements::<bool>().unwrap(), [false, true, true, true, true]);
    for (view, ones) in [(truths, [0, 1, 1, 1, 1]), (backwards, [1, 1, 1, 1, 0])] {
        let found = code.function("not").unwrap().call(&[view]).unwrap();
        assert_eq!(found[0].elements::<i32>().unwrap(), ones);
        assert_eq!(found[1].elements::<bool>().unwrap(), ones.map(|one| one == 0));
    }
    let mut words = [0_u64; 4];
    let start = words.as_mut_ptr().cast::<u8>();
    for (k, x) in [1.5_f64, 2.0, 4.0].into_iter().enumerate() {
        // SAFETY: the elements are in `words`, from its second byte on.
        unsafe { start.add(1 + 8 * k).cast::<f64>().write_unaligned(x) };
    }
    let (data, three) = (start.cast(), [3_i64]);
    let misaligned = DlTensor { data, shape: three.as_ptr(), code: 2, bits: 64, byte_offset: 1, ..first };
    // SAFETY: the fields describe these elements.
    let view = unsafe { misaligned.view() }.unwrap();
    assert!(!view.is_zero_copy());
    assert_eq!(code.function("sum").unwrap().call(&[view]).unwrap(), [Tensor::scalar(7.5)]);
}

#[test]
fn folders_of_the_cache() {
    let folder = std::env::temp_dir().join(format!("mlopt-bad-cache-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (kind, text) = failure(Cache::open(&folder));
    assert_eq!(kind, ErrorKind::File);
    assert!(text.ends_with("error: the folder of the cache must have mode 700, found 755"), "{text}");
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    assert_eq!(failure(Cache::open(&file)).0, ErrorKind::File);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn names_of_passes() {
    use mlopt_dialects::bridge::Pass;
    const PASS: Pass =
        Pass { name: "cse", description: "", anchor: "", options: &[], dialects: &[], run: |_, _| Ok(()) };
    let session = Session::new();
    assert_eq!(failure(session.register_pass(&PASS)).1, "error: there is already a pass `cse`");
    assert_eq!(failure(session.register_pass(&Pass { name: "a b", ..PASS })).0, ErrorKind::Pipeline);
    session.register_pass(&Pass { name: "mine", ..PASS }).unwrap();
    assert_eq!(
        failure(session.register_pass(&Pass { name: "mine", ..PASS })).1,
        "error: there is already a pass `mine`"
    );
    // Another session does not see it, and may have its own.
    let other = Session::new();
    let mut module = other.parse("f.mlir", "func.func @f() { return }").unwrap();
    assert_eq!(failure(module.run(&Pipeline::of(&["mine"]))).0, ErrorKind::Pipeline);
    let panics: fn(_, &_) -> _ = |_, _| panic!("a bug in a pass");
    other.register_pass(&Pass { name: "mine", run: panics, ..PASS }).unwrap();
    let (kind, text) = failure(module.run(&Pipeline::of(&["mine"])));
    assert_eq!(kind, ErrorKind::Internal);
    assert!(text.contains("internal error: ") && text.contains("a bug in a pass"), "{text}");
}
