//! Threads, and the depth of programs.

use mlopt::{Session, View};
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
