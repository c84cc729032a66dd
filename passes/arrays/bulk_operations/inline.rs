//! Inlining of calls in the bodies of builds, because all ops must be visible there.

use super::ops::{Emit, Map};
use crate::analysis::derivative_rules::rules_of;
use crate::analysis::edit;
use crate::arrays::vmap;
use mlopt_dialects::Reported;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Builder, Op, Symbols};
use mlopt_dialects::ops::{HasKind, Kind};

/// The functions of a module, and whether the module contains a request for a derivative.
#[derive(Default)]
pub struct Callees {
    symbols: Symbols,
    is_any_asked: bool,
}

impl Callees {
    pub fn of(module: Op) -> Callees {
        let is_any_asked = module.nested_ops().into_iter().any(|op| Request::of(op).is_some());
        Callees { symbols: Symbols::of(module), is_any_asked }
    }

    fn get(&self, call: Op) -> Option<Op> {
        self.symbols.get(&call.callee()?)
    }

    /// Checks whether a build that contains `call` must stay: the function has a custom derivative, and a derivative is
    /// requested.
    fn has_rule(&self, call: Op) -> bool {
        self.is_any_asked && self.get(call).is_some_and(|f| !rules_of(f).is_empty())
    }
}

/// Expands `array.vmap` in `function`, and inlines the calls in builds.
pub fn inline_in(function: Op, callees: &Callees) -> Result<(), Reported> {
    vmap::expand_in(function);
    let callers = vec![function.symbol().unwrap_or_default()];
    for call in calls_in_builds(function) {
        inline(call, callees, &callers)?;
    }
    Ok(())
}

/// Returns the calls in the outermost builds, which contain all others.
fn calls_in_builds(root: Op) -> Vec<Op> {
    let in_build = |op: &Op| edit::ancestors(*op).any(|p| p.kind() == Kind::ArrayBuild);
    root.nested_ops().into_iter().filter(|op| op.kind() == Kind::FuncCall).filter(in_build).collect()
}

/// Replaces a call by the body of its callee, and then the calls in that body. `callers` are the enclosing functions.
fn inline(call: Op, callees: &Callees, callers: &[String]) -> Result<(), Reported> {
    let name = call.callee().unwrap_or_default();
    if callers.contains(&name) {
        return Err(call.not_supported(format!(
            "`@{name}` is recursive, and an `array.build` calls it; use a loop, such as `array.ifold`"
        )));
    }
    if callees.has_rule(call) {
        return Ok(());
    }
    let Some(function) = callees.get(call).filter(|f| f.body().is_some()) else {
        return Err(call
            .not_supported(format!("`@{name}` has no body, and an `array.build` calls it; define it in this module")));
    };
    if function.region(0).blocks().len() > 1 {
        return Err(call.not_supported(format!(
            "`@{name}` has several blocks, and an `array.build` calls it; use `scf` instead of `cf`"
        )));
    }
    if let Some(op) = function.nested_ops().into_iter().find(|op| !is_harmless(*op)) {
        let what = format!("`@{name}` has side effects, and an `array.build` calls it");
        return Err(call.limitation(what).note(op.location(), format!("'{}' has side effects", op.name())).emit());
    }
    let body = function.entry();
    let b = Builder::before(call);
    let mut map: Map = body.arguments().into_iter().zip(call.operands()).collect();
    let mut copies = Vec::new();
    for op in body.ops() {
        if op.kind() == Kind::FuncReturn {
            for (old, value) in call.results().into_iter().zip(op.operands()) {
                old.replace_all_uses_with(*map.get(&value).unwrap_or(&value));
            }
            break;
        }
        copies.push(b.copy(op, &mut map));
    }
    call.erase();
    let callers = [callers, &[name]].concat();
    let mut calls = Vec::new();
    for copy in copies {
        let copy = if copy.kind() == Kind::ArrayVmap { vmap::expand(copy) } else { Some(copy) };
        let Some(copy) = copy else { continue };
        vmap::expand_in(copy);
        calls.extend(edit::with_nested(copy).filter(|op| op.kind() == Kind::FuncCall));
    }
    calls.into_iter().try_for_each(|call| inline(call, callees, &callers))
}

/// Checks whether an op of a function has no effects; a callee is checked when it is inlined.
fn is_harmless(op: Op) -> bool {
    op.has_no_own_effects() || matches!(op.kind(), Kind::FuncCall | Kind::FuncReturn)
}
