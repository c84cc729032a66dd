//! Simplifies programs with functions as values: inlines calls of known functions, replaces the reads of parts of newly
//! constructed data by these parts, and removes unused code.
//!
//! Requires: typed programs. Preserves: the meaning of the program, except that an op whose result is unused may be
//! removed even if it would have stopped with an error at run time.
//! ```mlir before
//! func.func @f(%x: f64) -> f64 {
//!   %twice = lambda.lambda (%f: (f64) -> f64) -> (f64) -> f64 {
//!     %g = lambda.lambda (%y: f64) -> f64 {
//!       %a = lambda.apply %f(%y) : (f64) -> f64
//!       %b = lambda.apply %f(%a) : (f64) -> f64
//!       lambda.return %b : f64
//!     }
//!     lambda.return %g : (f64) -> f64
//!   }
//!   %sin = lambda.lambda (%y: f64) -> f64 {
//!     %a = math.sin %y : f64
//!     lambda.return %a : f64
//!   }
//!   %g = lambda.apply %twice(%sin) : ((f64) -> f64) -> ((f64) -> f64)
//!   %y = lambda.apply %g(%x) : (f64) -> f64
//!   return %y : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64) -> f64 {
//!   %a = math.sin %x : f64
//!   %b = math.sin %a : f64
//!   return %b : f64
//! }
//! ```

pub mod simplify;

use crate::functions;
use crate::functions::anf::Program;
use crate::functions::lambda_simplify::simplify::{Limits, simplify_all};
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::Kind;

pub const PASS: Pass = Pass {
    name: "lambda-simplify",
    description: "Inline calls of known functions, and remove unused data and functions",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::integer("small", "12", "Maximum size, in operations, of a function that is inlined at every call"),
        PassOption::integer("budget", "200000", "Maximum growth of a function by inlining, in operations"),
    ],
    dialects: &["arith", "array", "dual", "func", "lambda"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let small = options.integer("small").max(0) as usize;
    let limits = Limits { small, budget: options.integer("budget").max(0) as usize };
    let functions = functions::of_module(module);
    functions::check_types(&functions, PASS.name)?;
    let mut program = Program::new(module.context());
    let mut read = functions.iter().map(|op| program.read(*op)).collect::<Result<Vec<_>, _>>()?;
    simplify_all(&mut program, &mut read.iter_mut().collect::<Vec<_>>(), limits);
    for (op, function) in functions.iter().zip(&read) {
        program.replace(*op, function);
    }
    Ok(())
}
