//! Wrong input at every function, threads, and deep programs.

use mlopt_c::call::*;
use mlopt_c::compile::*;
use mlopt_c::errors::*;
use mlopt_c::status::mlopt_status::{self, *};
use mlopt_c::types::*;
use std::ffi::c_char;
use std::ptr::{null, null_mut};
use std::thread;

fn text(text: &str) -> (*const c_char, usize) {
    (text.as_ptr().cast(), text.len())
}

fn string(text: mlopt_string) -> String {
    // SAFETY: the library returns texts in UTF-8.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.size) };
    std::str::from_utf8(bytes).unwrap().to_string()
}

/// Calls a function that stores an error, and returns its status with the text of the error.
fn call(function: impl FnOnce(*mut *mut mlopt_error) -> mlopt_status) -> (mlopt_status, String) {
    let mut error = null_mut();
    let status = function(&mut error);
    assert_eq!(status == MLOPT_OK, error.is_null());
    if error.is_null() {
        return (status, String::new());
    }
    // SAFETY: the error is one.
    unsafe {
        assert_eq!(mlopt_error_status(error), status);
        let message = string(mlopt_error_message(error));
        mlopt_error_free(error);
        (status, message)
    }
}

fn succeed(function: impl FnOnce(*mut *mut mlopt_error) -> mlopt_status) {
    assert_eq!(call(function), (MLOPT_OK, String::new()));
}

/// Checks that a function fails because of an argument.
fn argument(expected: &str, function: impl FnOnce(*mut *mut mlopt_error) -> mlopt_status) {
    assert_eq!(call(function), (MLOPT_ERROR_ARGUMENT, format!("error: {expected}")));
}

fn session() -> *mut mlopt_session {
    let mut session = null_mut();
    // SAFETY: the addresses may be written.
    succeed(|error| unsafe { mlopt_session_new(&mut session, error) });
    session
}

fn compile(session: *const mlopt_session, source: &str, code: &mut *mut mlopt_code) -> (mlopt_status, String) {
    let ((name, name_size), (source, size)) = (text("test.mlir"), text(source));
    // SAFETY: the session is one, and the texts have these sizes.
    call(|error| unsafe { mlopt_compile(session, name, name_size, source, size, code, error) })
}

const DOUBLE: &str = "func.func @double(%x: tensor<?xf64>) -> tensor<?xf64> {
  %z = arith.addf %x, %x : tensor<?xf64>
  return %z : tensor<?xf64>
}";

fn function() -> (*mut mlopt_code, *mut mlopt_function) {
    let (session, mut code, mut function) = (session(), null_mut(), null_mut());
    assert_eq!(compile(session, DOUBLE, &mut code).0, MLOPT_OK);
    let (name, size) = text("double");
    // SAFETY: the objects are alive.
    unsafe {
        succeed(|error| mlopt_code_function(code, name, size, &mut function, error));
        mlopt_session_free(session);
    }
    (code, function)
}

fn vector(data: &mut [f64], shape: &[i64]) -> mlopt_tensor {
    mlopt_tensor {
        data: data.as_mut_ptr().cast(),
        device_type: 1,
        device_id: 0,
        ndim: shape.len() as i32,
        dtype: mlopt_element { code: 2, bits: 64, lanes: 1 },
        shape: shape.as_ptr(),
        strides: null(),
        byte_offset: 0,
    }
}

#[test]
fn wrong_objects() {
    let (code, f) = function();
    let session = session();
    let mut other = null_mut();
    let ((name, size), (source, length)) = (text("f.mlir"), text("func.func @f() { return }"));
    // SAFETY: objects are null, alive, of another kind, or among the last ones that were freed.
    unsafe {
        argument("the session must not be null", |error| {
            mlopt_compile(null(), name, size, source, length, &mut other, error)
        });
        argument("the session is another object", |error| {
            mlopt_compile(code.cast(), name, size, source, length, &mut other, error)
        });
        argument("the session is not an object of mlopt", |error| {
            mlopt_compile(code.byte_add(1).cast(), name, size, source, length, &mut other, error)
        });
        mlopt_session_free(session);
        mlopt_session_free(session);
        mlopt_session_free(null_mut());
        mlopt_session_free(code.cast());
        argument("the session has been freed", |error| {
            mlopt_compile(session, name, size, source, length, &mut other, error)
        });
        let (name, size) = text("double");
        let mut g = null_mut();
        argument("the code must not be null", |error| mlopt_code_function(null(), name, size, &mut g, error));
        argument("the code is another object", |error| mlopt_code_function(f.cast(), name, size, &mut g, error));
        argument("the function must not be null", |error| mlopt_function_call(null(), null(), 0, null(), 0, error));
        argument("the call must not be null", |error| mlopt_call_run(null_mut(), null(), 0, null(), 0, error));
        argument("the call must not be null", |error| mlopt_call_run_raw(null_mut(), null(), 0, null(), 0, error));
        argument("the module must not be null", |error| mlopt_module_run(null_mut(), null(), 0, error));
        let mut module_text = mlopt_string::EMPTY;
        argument("the module must not be null", |error| mlopt_module_text(null(), &mut module_text, error));
        mlopt_string_free(mlopt_string { data: null(), size: 0 });
        // Functions that cannot fail return nothing for such objects.
        assert_eq!(mlopt_session_cache_hits(null()) + mlopt_session_cache_misses(null()), 0);
        assert_eq!(mlopt_code_function_count(null()), 0);
        assert_eq!(mlopt_code_diagnostic_count(null()), 0);
        assert_eq!(mlopt_module_function_count(null()), 0);
        assert_eq!(mlopt_function_input_count(code.cast()) + mlopt_function_result_count(null()), 0);
        assert_eq!(string(mlopt_function_name(null())), "");
        assert_eq!(mlopt_call_scratch_size(null()) + mlopt_result_count(null()), 0);
        assert_eq!(mlopt_error_status(null()), MLOPT_ERROR_ARGUMENT);
        assert_eq!(string(mlopt_error_message(null())), "");
        assert_eq!(mlopt_error_diagnostic_count(null()), 0);
        let mut diagnostic = std::mem::zeroed();
        assert!(!mlopt_error_diagnostic(null(), 0, &mut diagnostic));
        assert!(!mlopt_error_note(null(), 0, 0, &mut diagnostic));
        assert!(!mlopt_code_diagnostic(code, 0, &mut diagnostic));
        let (mut ty, mut tensor) = (std::mem::zeroed(), std::mem::zeroed());
        assert!(!mlopt_function_input_type(f, 1, &mut ty) && !mlopt_function_result_type(f, 1, &mut ty));
        assert!(!mlopt_function_input_type(f, 0, null_mut()));
        assert!(!mlopt_result_tensor(null_mut(), 0, &mut tensor));
        assert!(!mlopt_call_result_shape(null(), 0, null_mut(), null_mut()));
        mlopt_function_free(f);
        assert_eq!(mlopt_function_input_count(f), 0);
        mlopt_code_free(code);
    }
}

#[test]
fn wrong_texts_and_addresses() {
    let session = session();
    let (name, size) = text("f.mlir");
    let mut code = null_mut();
    let wrong = b"\xff";
    // SAFETY: texts are null or have these sizes.
    unsafe {
        argument("the address of the source must not be null", |error| {
            mlopt_compile(session, name, size, null(), 1, &mut code, error)
        });
        argument("the address of the name of the source must not be null", |error| {
            mlopt_compile(session, null(), 1, name, size, &mut code, error)
        });
        let (status, said) =
            call(|error| mlopt_compile(session, wrong.as_ptr().cast(), 1, name, size, &mut code, error));
        assert_eq!(status, MLOPT_ERROR_ARGUMENT);
        assert!(said.starts_with("error: the name of the source must be UTF-8"), "{said}");
        argument("the address of the result must not be null", |error| {
            mlopt_compile(session, name, size, name, 0, null_mut(), error)
        });
        argument("the address of the result must not be null", |error| mlopt_session_new(null_mut(), error));
        // Without an address for the error, the status is all.
        assert_eq!(mlopt_compile(session, name, size, name, size, &mut code, null_mut()), MLOPT_ERROR_PROGRAM);
        assert!(code.is_null());
        mlopt_session_free(session);
        let mut cached = null_mut();
        let (folder, folder_size) = text("/proc/mlopt");
        let (status, _) = call(|error| mlopt_session_new_with_cache(folder, folder_size, 0, &mut cached, error));
        assert_eq!(status, MLOPT_ERROR_FILE);
    }
}

#[test]
fn modules() {
    let session = session();
    let ((name, size), (source, length)) = (text("f.mlir"), text(DOUBLE));
    let (mut module, mut code) = (null_mut(), null_mut());
    // SAFETY: the objects are alive, and texts have these sizes.
    unsafe {
        succeed(|error| mlopt_module_parse(session, name, size, source, length, &mut module, error));
        mlopt_session_free(session);
        assert_eq!(mlopt_module_function_count(module), 1);
        let (passes, passes_size) = text("builtin.module(canonicalize,cse)");
        succeed(|error| mlopt_module_run(module, passes, passes_size, error));
        let (passes, passes_size) = text("builtin.module(cze)");
        let (status, said) = call(|error| mlopt_module_run(module, passes, passes_size, error));
        assert_eq!(status, MLOPT_ERROR_PIPELINE);
        assert!(said.starts_with("pipeline:1:16: error: unknown pass `cze`"), "{said}");
        let mut module_text = mlopt_string::EMPTY;
        succeed(|error| mlopt_module_text(module, &mut module_text, error));
        assert!(string(module_text).contains("func.func @double"));
        mlopt_string_free(module_text);
        let (cpu, cpu_size) = text("8086");
        let (status, said) =
            call(|error| mlopt_module_compile(module, null(), 0, cpu, cpu_size, null(), 0, &mut code, error));
        assert_eq!(status, MLOPT_ERROR_TARGET);
        assert!(said.starts_with("error: unknown processor `8086`"), "{said}");
        // The module survives wrong arguments of a compilation.
        let (status, said) =
            call(|error| mlopt_module_compile(module, passes, passes_size, null(), 0, null(), 0, &mut code, error));
        assert_eq!(status, MLOPT_ERROR_PIPELINE);
        assert!(said.starts_with("pipeline:1:16: error: unknown pass `cze`"), "{said}");
        succeed(|error| mlopt_module_compile(module, null(), 0, null(), 0, null(), 0, &mut code, error));
        argument("the module has been consumed by a compilation", |error| {
            mlopt_module_compile(module, null(), 0, null(), 0, null(), 0, &mut code, error)
        });
        argument("the module has been consumed by a compilation", |error| {
            mlopt_module_text(module, &mut module_text, error)
        });
        mlopt_module_free(module);
        assert_eq!(mlopt_code_function_count(code), 1);
        let mut f = null_mut();
        succeed(|error| mlopt_code_function_at(code, 0, &mut f, error));
        assert_eq!(string(mlopt_function_name(f)), "double");
        argument("expected a position below 1, found 1", |error| mlopt_code_function_at(code, 1, &mut f, error));
        let (name, size) = text("single");
        let (status, said) = call(|error| mlopt_code_function(code, name, size, &mut f, error));
        assert_eq!(status, MLOPT_ERROR_UNKNOWN_FUNCTION);
        assert_eq!(said, "error: there is no function `@single`; the module has `@double`");
        mlopt_function_free(f);
        mlopt_code_free(code);
    }
}

/// Compiles a program in which the order of the additions decides, and returns its result.
fn sum_with(pipeline: &str) -> f64 {
    let source = "func.func @sum(%x: tensor<1xf64>) -> tensor<1xf64> {
      %large = arith.constant dense<1.0e16> : tensor<1xf64>
      %y = arith.addf %x, %large : tensor<1xf64>
      %z = arith.subf %y, %large : tensor<1xf64>
      return %z : tensor<1xf64>
    }";
    let (session, mut module, mut code, mut f) = (session(), null_mut(), null_mut(), null_mut());
    let ((name, name_size), (source, size), (passes, passes_size)) = (text("sum.mlir"), text(source), text(pipeline));
    let (mut x, mut z, shape) = ([1.0], [f64::NAN], [1_i64]);
    let (input, output) = (vector(&mut x, &shape), vector(&mut z, &shape));
    // SAFETY: the objects are alive, the texts have these sizes, and the tensors describe arrays that exist.
    unsafe {
        succeed(|error| mlopt_module_parse(session, name, name_size, source, size, &mut module, error));
        succeed(|error| mlopt_module_compile(module, passes, passes_size, null(), 0, null(), 0, &mut code, error));
        succeed(|error| mlopt_code_function_at(code, 0, &mut f, error));
        succeed(|error| mlopt_function_call(f, &input, 1, &output, 1, error));
        mlopt_function_free(f);
        mlopt_code_free(code);
        mlopt_module_free(module);
        mlopt_session_free(session);
    }
    z[0]
}

#[test]
fn fast_code() {
    assert_eq!([sum_with(""), sum_with("fast")], [0.0, 1.0]);
}

#[test]
fn calls() {
    let (code, f) = function();
    let (mut x, mut z, shape) = ([1.0, 2.0, 3.0], [0.0; 3], [3_i64]);
    let input = vector(&mut x, &shape);
    let output = vector(&mut z, &shape);
    // SAFETY: the tensors describe arrays that exist, or the error is found before they are used.
    unsafe {
        mlopt_code_free(code);
        let mut ty = std::mem::zeroed::<mlopt_type>();
        assert!(mlopt_function_input_type(f, 0, &mut ty));
        assert_eq!((ty.ndim, *ty.shape, ty.dtype), (1, -1, mlopt_element { code: 2, bits: 64, lanes: 1 }));
        succeed(|error| mlopt_function_call(f, &input, 1, &output, 1, error));
        assert_eq!(z, [2.0, 4.0, 6.0]);
        argument("`@double` takes 1 argument, found 0", |error| mlopt_function_call(f, null(), 0, &output, 1, error));
        argument("`@double` has 1 results, found memory for 0", |error| {
            mlopt_function_call(f, &input, 1, null(), 0, error)
        });
        argument("the address of the arguments must not be null", |error| {
            mlopt_function_call(f, null(), 1, &output, 1, error)
        });
        argument("the memory of result #0 overlaps that of argument #0", |error| {
            mlopt_function_call(f, &input, 1, &input, 1, error)
        });
        let on_device = mlopt_tensor { device_type: 2, ..input };
        argument("a tensor must be in the memory of the CPU, found DLPack's device 2", |error| {
            mlopt_function_call(f, &on_device, 1, &output, 1, error)
        });
        let integers = mlopt_tensor { dtype: mlopt_element { code: 0, bits: 64, lanes: 1 }, ..input };
        argument("argument #0 of `@double` must be `tensor<?xf64>`, found `tensor<3xi64>`", |error| {
            mlopt_function_call(f, &integers, 1, &output, 1, error)
        });
        // Strides of arguments.
        let (backwards, two) = ([-1_i64], [2_i64]);
        let every = mlopt_tensor { strides: backwards.as_ptr(), byte_offset: 16, ..input };
        assert!(mlopt_is_zero_copy(&input, 1) && !mlopt_is_zero_copy(&every, 1));
        succeed(|error| mlopt_function_call(f, &every, 1, &output, 1, error));
        assert_eq!(z, [6.0, 4.0, 2.0]);
        // Truth values of any bytes.
        let dtype = mlopt_element { code: 6, bits: 8, lanes: 1 };
        for (mut bytes, is_zero_copy) in [([0_u8, 2, 1], false), ([0, 1, 1], true)] {
            let truths = mlopt_tensor { data: bytes.as_mut_ptr().cast(), dtype, ..input };
            assert_eq!(mlopt_is_zero_copy(&truths, 1), is_zero_copy);
        }
        let wide = mlopt_tensor { strides: two.as_ptr(), ..output };
        let (_, said) = call(|error| mlopt_function_call(f, &input, 1, &wide, 1, error));
        assert_eq!(said, "error: the memory of a result must be contiguous and row-major");
        // New memory.
        let mut result = null_mut();
        succeed(|error| mlopt_function_call_new(f, &input, 1, &mut result, error));
        assert_eq!(mlopt_result_count(result), 1);
        let mut tensor = std::mem::zeroed::<mlopt_tensor>();
        assert!(mlopt_result_tensor(result, 0, &mut tensor));
        assert_eq!((tensor.ndim, *tensor.shape), (1, 3));
        assert_eq!(std::slice::from_raw_parts(tensor.data.cast::<f64>(), 3), [2.0, 4.0, 6.0]);
        assert!(!mlopt_result_tensor(result, 1, &mut tensor));
        mlopt_result_free(result);
        // Prepared calls.
        let mut prepared = null_mut();
        argument("argument #0 of `@double` must have elements of type f64, found i64", |error| {
            mlopt_function_prepare(f, &integers, 1, &mut prepared, error)
        });
        let scalar = mlopt_tensor { ndim: 0, ..input };
        argument("argument #0 of `@double` must be `tensor<?xf64>`, found `f64`", |error| {
            mlopt_function_prepare(f, &scalar, 1, &mut prepared, error)
        });
        let no_data = mlopt_tensor { data: null_mut(), ..input };
        succeed(|error| mlopt_function_prepare(f, &no_data, 1, &mut prepared, error));
        mlopt_function_free(f);
        let (mut ndim, mut sizes) = (0, null());
        assert!(mlopt_call_result_shape(prepared, 0, &mut ndim, &mut sizes));
        assert_eq!((ndim, *sizes), (1, 3));
        succeed(|error| mlopt_call_run(prepared, &input, 1, &output, 1, error));
        assert_eq!(z, [2.0, 4.0, 6.0]);
        z = [0.0; 3];
        let (from, to) = (x.as_ptr().cast(), z.as_mut_ptr().cast());
        succeed(|error| mlopt_call_run_raw(prepared, &from, 1, &to, 1, error));
        assert_eq!(z, [2.0, 4.0, 6.0]);
        argument("expected 1 addresses of arguments and 1 of results, found 0 and 0", |error| {
            mlopt_call_run_raw(prepared, null(), 0, null(), 0, error)
        });
        // Results that overlap arguments in part, or from the other end.
        let mut shared = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let input = vector(&mut shared, &shape);
        let last = mlopt_tensor { byte_offset: 16, ..input };
        let backwards = mlopt_tensor { strides: backwards.as_ptr(), byte_offset: 24, ..input };
        for (from, to) in [(&input, &last), (&last, &input), (&backwards, &last)] {
            argument("the memory of result #0 overlaps that of argument #0", |error| {
                mlopt_call_run(prepared, from, 1, to, 1, error)
            });
        }
        let after = mlopt_tensor { byte_offset: 24, ..input };
        succeed(|error| mlopt_call_run(prepared, &input, 1, &after, 1, error));
        assert_eq!(shared, [1.0, 2.0, 3.0, 2.0, 4.0, 6.0]);
        let short = [2_i64];
        let short = mlopt_tensor { shape: short.as_ptr(), ..input };
        argument("argument #0 of `@double` must be `tensor<3xf64>`, found `tensor<2xf64>`", |error| {
            mlopt_call_run(prepared, &short, 1, &output, 1, error)
        });
        mlopt_call_free(prepared);
        argument("the call has been freed", |error| mlopt_call_run(prepared, &input, 1, &output, 1, error));
    }
}

/// The shapes of results that depend on values are those of the last call; memory for others is not written.
#[test]
fn raw_calls_of_unexpected_sizes() {
    let source = "func.func @ones(%n: index) -> tensor<?xf64> {
        %one = arith.constant 1.0 : f64
        %z = array.replicate %one, %n : (f64) -> tensor<?xf64>
        return %z : tensor<?xf64>
    }";
    let (session, mut code, mut f, mut prepared) = (session(), null_mut(), null_mut(), null_mut());
    assert_eq!(compile(session, source, &mut code).0, MLOPT_OK);
    let (name, size) = text("ones");
    let mut z = [0.0; 8];
    let dtype = mlopt_element { code: 0, bits: 64, lanes: 1 };
    let number = mlopt_tensor { ndim: 0, dtype, ..vector(&mut z, &[]) };
    // SAFETY: the objects are ones of this test, and the memory of results is large enough for all of them.
    unsafe {
        succeed(|error| mlopt_code_function(code, name, size, &mut f, error));
        succeed(|error| mlopt_function_prepare(f, &number, 1, &mut prepared, error));
        let (mut ndim, mut sizes) = (0, null());
        assert!(!mlopt_call_result_shape(prepared, 0, &mut ndim, &mut sizes));
        for (n, known) in [(3_i64, "which were not known before this call"), (5, "and not [[3]] as before")] {
            let (from, to) = ((&raw const n).cast(), z.as_mut_ptr().cast());
            argument(&format!("these arguments give results of `@ones` of shapes [[{n}]], {known}"), |error| {
                mlopt_call_run_raw(prepared, &from, 1, &to, 1, error)
            });
            assert!(mlopt_call_result_shape(prepared, 0, &mut ndim, &mut sizes));
            assert_eq!((ndim, *sizes, z.iter().sum::<f64>()), (1, n, 0.0));
            succeed(|error| mlopt_call_run_raw(prepared, &from, 1, &to, 1, error));
            assert_eq!(z.iter().sum::<f64>(), n as f64);
            z = [0.0; 8];
        }
        mlopt_call_free(prepared);
        mlopt_function_free(f);
        mlopt_code_free(code);
        mlopt_session_free(session);
    }
}

#[test]
fn diagnostics() {
    let (session, mut code) = (session(), null_mut());
    let ((name, size), (source, length)) =
        (text("f.mlir"), text("func.func @f() { return }\nfunc.func @f() { return }"));
    let mut error = null_mut();
    // SAFETY: the objects are alive, and texts have these sizes.
    unsafe {
        assert_eq!(mlopt_compile(session, name, size, source, length, &mut code, &mut error), MLOPT_ERROR_PROGRAM);
        assert_eq!(mlopt_error_diagnostic_count(error), 1);
        let mut found = std::mem::zeroed::<mlopt_diagnostic>();
        assert!(mlopt_error_diagnostic(error, 0, &mut found));
        assert_eq!((found.severity, found.line, found.column), (mlopt_severity::MLOPT_SEVERITY_ERROR, 2, 1));
        assert_eq!(
            (string(found.file), string(found.source_line)),
            ("f.mlir".into(), "func.func @f() { return }".into())
        );
        assert_eq!((string(found.code), found.note_count), (String::new(), 1));
        assert!(mlopt_error_note(error, 0, 0, &mut found));
        assert_eq!((found.severity, found.line), (mlopt_severity::MLOPT_SEVERITY_NOTE, 1));
        assert!(!mlopt_error_note(error, 0, 1, &mut found) && !mlopt_error_diagnostic(error, 1, &mut found));
        mlopt_error_free(error);
        mlopt_session_free(session);
    }
}

/// Returns a small program, and a function that computes the same.
fn small_program(number: usize) -> (String, impl Fn(f64) -> f64) {
    let (factor, shift, depth) = (1.0 + number as f64, (number % 7) as f64, number % 5);
    let mut body = String::from("%v0 = arith.mulf %a, %x : tensor<?xf64>\n");
    (0..depth).for_each(|k| body += &format!("%v{} = arith.addf %v{k}, %b : tensor<?xf64>\n", k + 1));
    let source = format!(
        "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {{
           %n = array.length %x : tensor<?xf64>
           %factor = arith.constant {factor:?} : f64
           %shift = arith.constant {shift:?} : f64
           %a = array.replicate %factor, %n : (f64) -> tensor<?xf64>
           %b = array.replicate %shift, %n : (f64) -> tensor<?xf64>
           {body}
           return %v{depth} : tensor<?xf64>
         }}"
    );
    (source, move |x| (0..depth).fold(factor * x, |v, _| v + shift))
}

/// Compiles and calls different programs on eight threads. `MLOPT_PROGRAMS` is their number for each thread.
#[test]
fn eight_threads() {
    let session = session() as usize;
    let count = std::env::var("MLOPT_PROGRAMS").map_or(125, |count| count.parse::<usize>().expect("a number"));
    thread::scope(|scope| {
        for number in 0..8 {
            scope.spawn(move || {
                for k in 0..count {
                    let (source, expected) = small_program(number * count + k);
                    let mut code = null_mut();
                    assert_eq!(compile(session as *const mlopt_session, &source, &mut code), (MLOPT_OK, String::new()));
                    let (name, size) = text("f");
                    let (mut f, mut x, mut z, shape) = (null_mut(), [1.0, 2.0], [0.0; 2], [2_i64]);
                    let (input, output) = (vector(&mut x, &shape), vector(&mut z, &shape));
                    // SAFETY: the objects are alive, and the tensors describe arrays that exist.
                    unsafe {
                        succeed(|error| mlopt_code_function(code, name, size, &mut f, error));
                        mlopt_code_free(code);
                        succeed(|error| mlopt_function_call(f, &input, 1, &output, 1, error));
                        mlopt_function_free(f);
                    }
                    assert_eq!(z, [expected(1.0), expected(2.0)]);
                    let (status, _) = compile(session as *const mlopt_session, &source[..source.len() - 2], &mut code);
                    assert_eq!(status, MLOPT_ERROR_PROGRAM);
                }
            });
        }
    });
    // SAFETY: no thread uses the session any more.
    unsafe { mlopt_session_free(session as *mut mlopt_session) };
}

#[test]
fn deep_programs_on_a_small_stack() {
    let depth = 10_000;
    let mut source = String::from("func.func @f(%c: i1) {\n");
    (0..depth).for_each(|_| source += "scf.if %c {\n");
    (0..depth).for_each(|_| source += "}\n");
    source += "return\n}\n";
    let thread = thread::Builder::new().stack_size(512 << 10).spawn(move || {
        let (session, mut module) = (session(), null_mut());
        let ((name, size), (source, length)) = (text("deep.mlir"), text(&source));
        // SAFETY: the session is one, and the texts have these sizes.
        unsafe {
            succeed(|error| mlopt_module_parse(session, name, size, source, length, &mut module, error));
            mlopt_module_free(module);
            mlopt_session_free(session);
        }
    });
    thread.unwrap().join().unwrap();
}
