//! Threads of the caller and of compiled code, and the depth of programs.
#![allow(unsafe_code)]

use mlopt::{Function, Session, View};
use std::thread;

fn is_shared<T: Send + Sync>() {}
fn is_sent<T: Send>() {}

#[test]
fn objects_move_between_threads() {
    is_shared::<(Session, mlopt::Module, mlopt::Code, mlopt::Function, mlopt::Error)>();
    is_shared::<(mlopt::Pipeline, mlopt::Target, mlopt::Cache, mlopt::Tensor, View<'static>)>();
    is_sent::<mlopt::Call>();
}

#[test]
fn threads_compile_and_call_at_once() {
    let session = Session::new();
    thread::scope(|scope| {
        for number in 0..8 {
            let session = session.clone();
            scope.spawn(move || {
                for k in 0..10 {
                    let factor = f64::from(number * 100 + k);
                    let text = format!(
                        "func.func @f(%x: f64) -> f64 {{
                           %a = arith.constant {factor:?} : f64
                           %z = arith.mulf %a, %x : f64
                           return %z : f64
                         }}"
                    );
                    let f = session.compile("f.mlir", &text).unwrap().function("f").unwrap();
                    assert_eq!(f.call(&[View::scalar(&2.0)]).unwrap()[0].elements::<f64>().unwrap(), [2.0 * factor]);
                    assert!(session.parse("f.mlir", &text[..text.len() - 5 - k as usize]).is_err());
                }
            });
        }
    });
}

/// Elements, and sums of many of them.
const LARGE: &str = "
  func.func @f(%x: tensor<?xf64>) -> (tensor<?xf64>, f64) {
    %y = math.exp %x : tensor<?xf64>
    %s = array.sum %y : (tensor<?xf64>) -> f64
    return %y, %s : tensor<?xf64>, f64
  }";

/// Returns the bits of the results for `n` elements.
fn bits(f: &Function, n: usize) -> Vec<u64> {
    let x: Vec<f64> = (0..n).map(|k| (k % 1000) as f64 / 500.0 - 1.0).collect();
    let results = f.call(&[View::new(&x, &[n]).unwrap()]).unwrap();
    results.iter().flat_map(|r| r.elements::<f64>().unwrap()).map(|x| x.to_bits()).collect()
}

#[test]
fn results_have_the_same_bits_for_any_number_of_threads() {
    let f = Session::new().compile("f.mlir", LARGE).unwrap().function("f").unwrap();
    for n in [0, 1, 7, 1000, 100_003, 1_000_000] {
        mlopt::set_threads(1);
        let expected = bits(&f, n);
        for threads in [2, 3, 8] {
            mlopt::set_threads(threads);
            assert_eq!(mlopt::threads(), threads);
            assert!(bits(&f, n) == expected, "{n} elements, {threads} threads");
        }
        // Several threads call at once.
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!((0..5).all(|_| bits(&f, n) == expected), "{n} elements"));
            }
        });
    }
    mlopt::set_threads(0);
    assert!(mlopt::threads() > 0);
}

/// Calls a function in the child of a fork, in which the threads of the parent do not exist.
#[test]
fn the_child_of_a_fork_has_threads_of_its_own() {
    unsafe extern "C" {
        fn fork() -> i32;
        fn waitpid(child: i32, status: *mut i32, options: i32) -> i32;
        fn _exit(status: i32) -> !;
    }
    let f = Session::new().compile("f.mlir", LARGE).unwrap().function("f").unwrap();
    let expected = bits(&f, 1_000_000);
    for _ in 0..3 {
        // SAFETY: the child calls a function, as the library permits, and ends without the destructors of the parent.
        let child = unsafe { fork() };
        if child == 0 {
            let is_right = bits(&f, 1_000_000) == expected;
            // SAFETY: as above.
            unsafe { _exit(if is_right { 0 } else { 1 }) }
        }
        let mut status = -1;
        // SAFETY: `status` is written.
        assert_eq!(unsafe { waitpid(child, &mut status, 0) }, child);
        assert_eq!(status, 0);
        assert!(bits(&f, 1_000_000) == expected);
    }
}

/// Returns a program of `depth` nested conditionals.
fn nested(depth: usize) -> String {
    let mut text = String::from("func.func @f(%c: i1, %x: f64) -> f64 {\n");
    for k in 0..depth {
        text += &format!("%r{k} = scf.if %c -> f64 {{\n");
    }
    text += "scf.yield %x : f64\n";
    for k in (0..depth).rev() {
        text += "} else {\nscf.yield %x : f64\n}\n";
        text += &match k {
            0 => format!("return %r{k} : f64\n"),
            _ => format!("scf.yield %r{k} : f64\n"),
        };
    }
    text + "}\n"
}

#[test]
fn deep_programs_need_no_stack_of_the_caller() {
    let small = thread::Builder::new().stack_size(512 << 10);
    let thread = small.spawn(|| {
        let session = Session::new();
        let module = session.parse("deep.mlir", nested(10_000)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(module.text().unwrap().matches("scf.if").count(), 10_000);
        drop(module);
        // An error at the innermost place destroys all of it.
        let broken = nested(10_000).replacen("scf.yield %x", "scf.yield %y", 1);
        assert!(session.parse("deep.mlir", broken).is_err());
        let deep = format!("(def f ((x f64)) {}x{})", "(sin ".repeat(9_990), ")".repeat(9_990));
        let outcome = session.parse("deep.terms", deep);
        assert!(outcome.is_ok(), "{}", outcome.unwrap_err().diagnostics()[0].text);
    });
    thread.unwrap().join().unwrap();
}
