//! Custom derivatives of functions. If a `func.func` has the attribute `dual.jvp` or `dual.vjp`, the function that the
//! attribute names is used in place of the derivative of the body.
//!
//! The named function is linear in its tangents (`dual.jvp`) or cotangents (`dual.vjp`). The derivative of a linear
//! function at zero is the function itself. So forward mode is applied to the named function, at zero tangents or
//! cotangents; this yields the primal code and the linear map. The map of a `dual.jvp` function is used unchanged; that
//! of a `dual.vjp` function is transposed.

use super::{Builders, Dual, Forward, Keep, Loops, Setting, linear_map, tangent};
use crate::ad::activity::Activity;
use crate::ad::derivatives::{self, Rule};
use crate::analysis::edit;
use mlopt_dialects::Reported;
use mlopt_dialects::dual::{COTANGENT_RULE, TANGENT_RULE};
use mlopt_dialects::ir::{Op, Type, Value};
use mlopt_dialects::ops::func::{Call, Func};
use mlopt_dialects::ops::{HasKind, Kind, Symbol};

impl Forward<'_> {
    /// Computes the results on duals of `function`, which has a rule.
    pub(super) fn by_rule(&self, at: Builders, function: Op, arguments: &[Dual]) -> Result<Vec<Dual>, Reported> {
        let (_, results) = function.signature();
        let forward = self.setting.loops == Loops::Joint;
        let (tangents, cotangents) = (self.rule(function, TANGENT_RULE), self.rule(function, COTANGENT_RULE));
        match (tangents, cotangents) {
            (Some(rule), None) => self.by_tangents(at, rule, arguments, results.len()),
            (Some(rule), _) if forward => self.by_tangents(at, rule, arguments, results.len()),
            (_, Some(rule)) => self.by_cotangents(at, function, rule, arguments),
            (None, None) => {
                Err(function.not_supported("the derivative rule of the function must be defined in this module"))
            }
        }
    }

    fn rule(&self, function: Op, name: &str) -> Option<Op> {
        self.setting.functions.get(&function.attribute(name)?.as_symbol()?).copied()
    }

    /// Applies a function from (x..., tangents) to (y..., tangents).
    fn by_tangents(&self, at: Builders, rule: Op, arguments: &[Dual], values: usize) -> Result<Vec<Dual>, Reported> {
        let floats = arguments.iter().filter(|a| a.primal.ty().is_differentiable());
        let primals = super::primals(arguments);
        if self.setting.loops == Loops::Joint {
            let tangents: Vec<Value> = floats.map(|a| tangent(at.tangent, *a)).collect();
            let given = super::constants(&[primals, tangents].concat());
            let results = super::primals(&self.inlined(at, Loops::Joint, rule, &given)?);
            return Ok(paired(&results[..values], results[values..].iter().copied().map(Some)));
        }
        let directions: Vec<Dual> =
            floats.map(|a| Dual { primal: at.primal.zero_like(a.primal), tangent: a.tangent }).collect();
        let (values, tangents) = self.linearised(at, rule, &primals, &directions, values)?;
        Ok(paired(&values, tangents.into_iter().map(|d| d.tangent)))
    }

    /// Applies a function from (x..., cotangents of y) to (y..., cotangents of x), whose map is transposed. The map is
    /// separate code in either mode.
    fn by_cotangents(&self, at: Builders, function: Op, rule: Op, arguments: &[Dual]) -> Result<Vec<Dual>, Reported> {
        let b = at.primal;
        let primals = super::primals(arguments);
        let (_, results) = function.signature();
        let outputs: Vec<usize> = (0..results.len()).filter(|&k| results[k].is_differentiable()).collect();
        // If a result has dynamic sizes, only the result itself determines them.
        let known = outputs.iter().all(|&k| results[k].shape().iter().all(Option::is_some));
        let called = match known {
            true => Vec::new(),
            false => {
                let name = Symbol(function.cast::<Func>().sym_name());
                Call::create(b, &primals, &name, &results).results()
            }
        };
        let types: Vec<Type> = outputs.iter().map(|&k| results[k]).collect();
        let inner = b.new_block(&types);
        let zero = |k: usize| if known { b.unary(Kind::DualZero, &[], results[k]) } else { b.zero_like(called[k]) };
        let directions = outputs.iter().zip(inner.block.arguments());
        let directions: Vec<Dual> = directions.map(|(&k, c)| Dual { primal: zero(k), tangent: Some(c) }).collect();
        let (values, cotangents) =
            self.linearised(Builders { tangent: inner, ..at }, rule, &primals, &directions, results.len())?;
        // The rule returns cotangents of all floats; only those of varying arguments are requested.
        let floats = arguments.iter().filter(|a| a.primal.ty().is_differentiable());
        let varying: Vec<(Value, Dual)> = floats.zip(cotangents).filter_map(|(a, c)| Some((a.tangent?, c))).collect();
        let yielded: Vec<Value> = varying.iter().map(|(_, c)| tangent(inner, *c)).collect();
        let points: Vec<Value> = outputs.iter().map(|&k| values[k]).collect();
        let transpose = linear_map(b, inner, &points, &yielded);
        let tangents = transpose(at.tangent, &varying.iter().map(|(t, _)| *t).collect::<Vec<_>>());
        Ok(paired(&values, tangents.into_iter().map(Some)))
    }

    /// Returns the values of the rule at `primals`, and its results for `directions`. These are the tangents of its
    /// results at zero directions, with `directions` as the tangents.
    fn linearised(
        &self,
        at: Builders,
        rule: Op,
        primals: &[Value],
        directions: &[Dual],
        values: usize,
    ) -> Result<(Vec<Value>, Vec<Dual>), Reported> {
        self.check_linear(rule, primals.len(), values)?;
        let given = [super::constants(primals), directions.to_vec()].concat();
        let loops = if self.setting.loops == Loops::Joint { Loops::Unzipped(Keep::Costly) } else { self.setting.loops };
        let results = self.inlined(at, loops, rule, &given)?;
        Ok((super::primals(&results[..values]), results[values..].to_vec()))
    }

    /// Emits the body of `rule` on duals; rules of `rule` itself are ignored.
    fn inlined(&self, at: Builders, loops: Loops, rule: Op, arguments: &[Dual]) -> Result<Vec<Dual>, Reported> {
        let name = rule.symbol().unwrap_or_default();
        let inner = || Setting { loops, ..self.setting }.body_on_duals(at, rule, arguments);
        let refused = || {
            Err(rule.not_supported(format!(
                "the derivative of the rule `@{name}` depends on itself; write the rule without recursion"
            )))
        };
        self.setting.callers.within(&name, inner).unwrap_or_else(refused)
    }

    /// Rejects a rule that is not linear in its tangents: its transpose would be a wrong gradient.
    fn check_linear(&self, rule: Op, primals: usize, values: usize) -> Result<(), Reported> {
        let body = rule.entry();
        let arguments = body.arguments().into_iter().enumerate();
        let varies: Vec<bool> = arguments.map(|(k, a)| k >= primals && a.ty().is_differentiable()).collect();
        let activity = self.setting.callers.activity(rule, &varies, self.setting.functions);
        for op in rule.nested_ops() {
            if let Some(what) = not_linear(op, &activity, values) {
                let name = rule.symbol().unwrap_or_default();
                let text = format!(
                    "the derivative rule `@{name}` must be linear in its arguments #{primals} and later, but {what}"
                );
                return Err(op
                    .error(text)
                    .note(self.setting.request.op.location(), "the transpose of the rule is requested here")
                    .emit());
            }
        }
        Ok(())
    }
}

/// Returns the reason for which `op` is not linear in the active values. The first `values` results of the rule must
/// not be active.
fn not_linear(op: Op, activity: &Activity, values: usize) -> Option<&'static str> {
    let active = |v: Value| activity.is_active(v);
    let of: Vec<usize> = (0..op.num_operands()).filter(|&k| active(op.operand(k))).collect();
    // A sum with a tangent is linear only if the other terms are tangents or zero.
    let constant = |v: Value| v.ty().is_differentiable() && !active(v) && !is_zero(v);
    let affine = |operands: &[Value]| {
        operands.iter().any(|v| constant(*v)).then_some("this op adds a value that does not depend on these arguments")
    };
    let results = op.results();
    match op.kind() {
        Kind::FuncReturn => {
            let returned = op.operands();
            let (fixed, linear) = returned.split_at(values);
            let leaks = fixed.iter().any(|v| active(*v)).then_some("a returned primal depends on these arguments");
            leaks.or_else(|| affine(linear))
        }
        Kind::ArrayYield | Kind::ScfYield | Kind::ScfCondition => {
            let skip = usize::from(op.kind() == Kind::ScfCondition);
            let around = op.parent_op().map(Op::results).unwrap_or_default();
            let pairs = op.operands().into_iter().skip(skip).zip(around);
            let mixed = pairs.filter(|(_, r)| active(*r)).any(|(v, _)| constant(v));
            (mixed && !is_while_body(op)).then_some("this op yields a value that does not depend on these arguments")
        }
        _ if of.is_empty() => None,
        Kind::ArrayLength => None,
        _ if !results.iter().any(|r| active(*r)) => {
            Some("this op depends on these arguments, and its result has no tangent")
        }
        Kind::ArithAddf | Kind::ArithSubf | Kind::ArrayStack | Kind::ArrayAppend | Kind::ArrayScatter => {
            affine(&op.operands())
        }
        Kind::ArithSelect => affine(&op.operands()[1..]),
        Kind::ArithNegf => None,
        Kind::ArithMulf if of.len() == 1 => None,
        Kind::ArithDivf if of == [0] => None,
        _ => match derivatives::rule(op.kind()) {
            Some(Rule::Linear | Rule::Structured) => None,
            _ => Some("this op is not linear"),
        },
    }
}

/// Checks whether a terminator passes values to the other block of an `scf.while`.
fn is_while_body(end: Op) -> bool {
    end.parent_op().is_some_and(|op| op.kind() == Kind::ScfWhile)
}

/// Checks whether a value is a constant zero, or an array of zeros.
fn is_zero(v: Value) -> bool {
    let Some((op, _)) = v.defining_op() else { return false };
    match op.kind() {
        Kind::DualZero => true,
        Kind::ArrayReplicate => is_zero(op.operand(0)),
        Kind::ArithConstant => edit::numbers(v).is_some_and(|x| x.iter().all(|&x| x == 0.0)),
        _ => false,
    }
}

/// Returns the values as duals, with a tangent for each float.
fn paired(values: &[Value], tangents: impl IntoIterator<Item = Option<Value>>) -> Vec<Dual> {
    let mut tangents = tangents.into_iter();
    let with = |&primal: &Value| Dual {
        primal,
        tangent: if primal.ty().is_differentiable() { tangents.next().flatten() } else { None },
    };
    values.iter().map(with).collect()
}
