//! The order in which requests are expanded, innermost first. The requests in a function are replaced before the
//! function itself is differentiated, so that perturbations of nested derivatives are never confused (`spec/arrays.md`
//! D.3).

use crate::ad::forward::Functions;
use crate::ad::outline;
use crate::analysis::derivative_rules::rules_of;
use mlopt_dialects::Reported;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::HashSet;

/// A function that returns the replacement of a request: one value for each of its results. It may exchange functions
/// of the module.
pub type Replace<'a> = &'a dyn Fn(&mut Functions, &Request, Op) -> Result<Vec<Value>, Reported>;

/// Replaces the requests that `is_mine` accepts. A request is deferred if its function contains another request or a
/// linear map that has not been transposed.
pub fn expand(module: Op, is_mine: fn(&Request) -> bool, replace: Replace) -> Result<(), Reported> {
    outline::outline(module);
    let functions = module.child_ops().into_iter().filter_map(|op| Some((op.symbol()?, op))).collect();
    let mut expansion = Expansion { functions, open: HashSet::new(), is_mine, replace };
    for function in module.child_ops() {
        expansion.expand_in(function)?;
    }
    outline::remove_temporary(module);
    Ok(())
}

struct Expansion<'a> {
    functions: Functions,
    /// The functions that are being differentiated or searched for requests.
    open: HashSet<String>,
    is_mine: fn(&Request) -> bool,
    replace: Replace<'a>,
}

impl Expansion<'_> {
    /// Expands the requests in `function`. Returns whether the function can then be differentiated.
    fn expand_in(&mut self, function: Op) -> Result<bool, Reported> {
        let (mut clear, mut has_replaced) = (true, false);
        for op in function.nested_ops() {
            match Request::of(op) {
                Some(request) if self.expand(&request)? => has_replaced = true,
                Some(_) => clear = false,
                None => clear &= !matches!(op.kind(), Kind::DualLinear | Kind::DualTranspose),
            }
        }
        // The replacement of a request may contain a map to transpose.
        let is_left = |op: Op| op.kind() == Kind::DualTranspose;
        Ok(clear && !(has_replaced && function.nested_ops().into_iter().any(is_left)))
    }

    /// Replaces `request`. Returns whether this was possible now.
    fn expand(&mut self, request: &Request) -> Result<bool, Reported> {
        let op = request.op;
        if self.open.contains(&request.callee) {
            let text = format!("the derivative of `@{}` depends on itself; remove this recursion", request.callee);
            return Err(op.error(text).emit());
        }
        // The verifier has checked that the function exists and has the right type.
        let callee = self.functions[&request.callee];
        self.open.insert(request.callee.clone());
        let clear = self.expand_in_called(callee)?;
        self.open.remove(&request.callee);
        if !clear || !(self.is_mine)(request) {
            return Ok(false);
        }
        let replacement = (self.replace)(&mut self.functions, request, callee)?;
        op.replace_with(replacement);
        Ok(true)
    }

    /// Expands the requests in `function`, in all its callees, and in its derivative rules.
    fn expand_in_called(&mut self, function: Op) -> Result<bool, Reported> {
        let mut clear = self.expand_in(function)?;
        let calls = function.nested_ops().into_iter().filter(|op| op.kind() == Kind::FuncCall);
        let called: Vec<String> = calls.filter_map(Op::callee).chain(rules_of(function)).collect();
        for name in called {
            if self.open.contains(&name) {
                continue; // recursion is refused where the call is differentiated
            }
            if let Some(&called) = self.functions.get(&name) {
                self.open.insert(name.clone());
                clear &= self.expand_in_called(called)?;
                self.open.remove(&name);
            }
        }
        Ok(clear)
    }
}
