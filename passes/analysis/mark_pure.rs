//! Marks pure functions, and calls of them, with the attribute `array.pure`. This permits `egg-optimize`, which
//! optimises one function at a time, to merge, move and remove the calls.
//!
//! A function is pure if it has one block, each op in it is pure or calls a pure function, and it is not recursive.
//! Recursion may not terminate, so moving a recursive call could make a program run forever. The mark of a function
//! without a body is trusted; all other marks are computed again.
//!
//! Requires: nothing. Preserves: everything except the marks.
//! ```mlir before
//! func.func private @scale(%x: f64) -> f64 {
//!   %y = arith.mulf %x, %x : f64
//!   return %y : f64
//! }
//! func.func @f(%x: f64) -> f64 {
//!   %y = func.call @scale(%x) : (f64) -> f64
//!   return %y : f64
//! }
//! ```
//! ```mlir after
//! func.func private @scale(%x: f64) -> f64 attributes {array.pure} {
//!   %y = arith.mulf %x, %x : f64
//!   return %y : f64
//! }
//! func.func @f(%x: f64) -> f64 attributes {array.pure} {
//!   %y = func.call @scale(%x) {array.pure} : (f64) -> f64
//!   return %y : f64
//! }
//! ```

use mlopt_dialects::array::PURE;
use mlopt_dialects::bridge::{Options, Pass};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::Op;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "mark-pure",
    description: "Mark pure functions and their calls, for egg-optimize",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["array"],
    run,
};

/// Checks whether a call is marked.
pub fn is_marked(call: Op) -> bool {
    call.kind() == Kind::FuncCall && call.attribute(PURE).is_some()
}

fn run(module: Op, _: &Options) -> Result<(), Reported> {
    let inside = module.nested_ops();
    let functions: HashMap<String, Op> =
        inside.iter().filter(|op| op.kind() == Kind::FuncFunc).filter_map(|&f| Some((f.symbol()?, f))).collect();
    let mut known = HashMap::new();
    let mut names: Vec<&String> = functions.keys().collect();
    names.sort_unstable();
    for name in &names {
        is_pure(name, &functions, &mut known);
    }
    let mark = |op: Op, pure: bool| match pure {
        true => op.set_attribute(PURE, op.context().unit_attr()),
        false => op.remove_attribute(PURE),
    };
    let pure = |name: &str| known.get(name) == Some(&State::Pure);
    for name in names {
        mark(functions[name], pure(name));
    }
    for call in inside.into_iter().filter(|op| op.kind() == Kind::FuncCall) {
        mark(call, call.callee().is_some_and(|name| pure(&name)));
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    /// The analysis is in progress: a caller that reaches it is recursive.
    Open,
    Pure,
    Impure,
}

fn is_pure(name: &str, functions: &HashMap<String, Op>, known: &mut HashMap<String, State>) -> bool {
    if let Some(&state) = known.get(name) {
        return state == State::Pure;
    }
    let Some(&function) = functions.get(name) else { return false };
    let blocks = function.blocks();
    let pure = match blocks.as_slice() {
        [] => function.attribute(PURE).is_some(),
        [_] => {
            known.insert(name.to_string(), State::Open);
            function.nested_ops().into_iter().all(|op| match op.kind() {
                Kind::FuncCall => op.callee().is_some_and(|name| is_pure(&name, functions, known)),
                // Its regions are visited with all other nested ops.
                Kind::ScfIf => true,
                _ => op.is_registered() && op.is_pure(),
            })
        }
        _ => false,
    };
    known.insert(name.to_string(), if pure { State::Pure } else { State::Impure });
    pure
}
