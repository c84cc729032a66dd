//! Checks that a program contains no function value and no `!lambda.env` (record of cotangents): all functions are
//! functions of the module, and are called by their names.
//!
//! Requires: nothing. Preserves: the program.

use crate::functions::{arguments_of, holds_functions};
use mlopt_dialects::bridge::{Options, Pass};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};

pub const PASS: Pass = Pass {
    name: "verify-first-order",
    description: "Check that the program contains no function values and no `!lambda.env`",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &[],
    run: |module, _: &Options| check(module),
};

/// Reports at the first op of each function of the module which functions as values remain.
pub fn check(module: Op) -> Result<(), Reported> {
    let mut outcome = Ok(());
    for op in module.child_ops() {
        if let Err(reported) = check_one(op) {
            outcome = Err(reported);
        }
    }
    outcome
}

fn check_one(op: Op) -> Result<(), Reported> {
    // A function without a body has a type alone.
    let written = |o: Op| o.function_type().map(|(inputs, results)| [inputs, results].concat()).unwrap_or_default();
    if let Some(ty) = [written(op), listed(op)].concat().into_iter().find(|t| holds_functions(*t)) {
        return Err(said(op, ty, op.body().and_then(|b| b.arguments().into_iter().find(|v| v.ty() == ty))));
    }
    for inner in op.nested_ops() {
        let values = [inner.results(), inner.operands(), arguments_of(inner)].concat();
        if let Some(value) = values.into_iter().find(|v| holds_functions(v.ty())) {
            return Err(said(inner, value.ty(), Some(value)));
        }
    }
    Ok(())
}

/// Returns the types of the fields of a `lambda.data`.
fn listed(op: Op) -> Vec<Type> {
    let lists = op.attribute("fields").filter(|_| op.kind() == Kind::LambdaData).and_then(Attribute::as_array);
    let all = lists.unwrap_or_default().into_iter().flat_map(|list| list.as_array().unwrap_or_default());
    all.filter_map(Attribute::as_type).collect()
}

fn said(op: Op, ty: Type, value: Option<Value>) -> Reported {
    let error = op.error(format!("first-order code must not contain functions as values or `!lambda.env`, found {ty}"));
    match value {
        Some(value) => error.note_value("this value", value).emit(),
        None => error.emit(),
    }
}
