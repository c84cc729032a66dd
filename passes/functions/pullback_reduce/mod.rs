//! Computes the values of programs in the pullback language, by the reductions that define the language
//! (`spec/functional.md` C). It is the reference semantics of `lambda.pullback`.
//!
//! Requires: functions with known types and without arguments, which contain functions, tuples, sums and elementwise
//! ops. Result: each of these functions directly returns its value. The attribute `lambda.primitive` marks functions of
//! the module that are primitives, which are evaluated in one step.
//! ```mlir before
//! func.func @slope() -> !lambda.dual<f64> {
//!   %one = arith.constant 1.0 : f64
//!   %x = arith.constant 3.0 : f64
//!   %w = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
//!     %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
//!     lambda.return %c : !lambda.dual<f64>
//!   }
//!   %p = lambda.pullback %w (%y: f64) {
//!     %q = arith.mulf %y, %y : f64
//!     lambda.yield %q : f64
//!   } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
//!   %s = lambda.apply %p(%x) : (f64) -> !lambda.dual<f64>
//!   return %s : !lambda.dual<f64>
//! }
//! ```
//! ```mlir after
//! func.func @slope() -> !lambda.dual<f64> {
//!   %six = arith.constant 6.0 : f64
//!   %s = lambda.covector %six : (f64) -> !lambda.dual<f64>
//!   return %s : !lambda.dual<f64>
//! }
//! ```

pub mod pullbacks;

use crate::functions;
use crate::functions::pullback_reduce::pullbacks::{Limits, Machine};
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Block, Builder, Op};
use mlopt_dialects::ops::Kind;

pub const PASS: Pass = Pass {
    name: "pullback-reduce",
    description: "Reduce programs with pullbacks to their values, step by step",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::text("function", "", "The function to reduce; default: all functions without arguments"),
        PassOption::flag("trace", "Print each step on the standard error: its rule, the reduced term, and the result"),
        PassOption::integer("steps", "1000000", "Maximum number of reductions of a function"),
    ],
    dialects: &["arith", "lambda"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let wanted = options.text("function");
    let mut chosen = Vec::new();
    for function in functions::of_module(module) {
        let is_named = function.symbol().is_some_and(|s| s == wanted);
        let (inputs, _) = function.signature();
        if is_named && !inputs.is_empty() {
            let text = format!("only functions without arguments can be reduced; `@{wanted}` has {}", inputs.len());
            return Err(function.error(text).emit());
        }
        if is_named || wanted.is_empty() && inputs.is_empty() {
            chosen.push(function);
        }
    }
    if chosen.is_empty() && !wanted.is_empty() {
        return Err(module
            .error(format!("expected the name of a function of this module in the option `function`, found `{wanted}`"))
            .emit());
    }
    chosen.into_iter().try_for_each(|function| reduce(module, function, options))
}

fn reduce(module: Op, function: Op, options: &Options) -> Result<(), Reported> {
    let limits = Limits { steps: options.integer("steps").max(0) as u64, ..Limits::default() };
    let mut machine = Machine::new(module, limits);
    machine.traces = options.bool("trace");
    let term = machine.read(function)?;
    let value = machine.eval(&term);
    if options.bool("trace") {
        let name = function.symbol().unwrap_or_default();
        eprintln!("@{name} = {}", machine.text(&term));
        machine.steps.iter().for_each(|step| eprintln!("{step}"));
        if let Ok(value) = &value {
            eprintln!("@{name} = {}", machine.text(value));
        }
    }
    let value = value?;
    let (_, results) = function.signature();
    let block = function.entry();
    let fresh = Block::new(&[]);
    let b = Builder::at_end(fresh, function.location().unnamed());
    let result = machine.write(b, &value, results[0])?;
    b.insert(b.op(Kind::FuncReturn).operands(&[result]).build());
    replace(block, fresh);
    Ok(())
}

/// Replaces the ops of a block without arguments by those of another one.
fn replace(block: Block, by: Block) {
    for op in block.ops().into_iter().rev() {
        op.erase();
    }
    for op in by.ops() {
        block.append(op.detach());
    }
    by.erase();
}
