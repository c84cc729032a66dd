//! The forward transformation. A value is *varying* if it depends on the inputs of the derivative. Each varying value
//! becomes two values, the primal and its tangent (`spec/arrays.md` C.3, D.1).
//!
//! Both modes use this transformation. Forward mode computes primals and tangents in the same code (`joint.rs`).
//! Reverse mode needs the tangents separately, as code that is linear in them, so it splits each loop or branch
//! into one that computes primals and one that is linear in the tangents (`unzipped.rs`).

mod custom;
mod joint;
mod path;
mod residuals;
mod unzipped;
mod while_loop;

pub use path::{note_steps, reached};
pub use unzipped::trip_count;
pub use while_loop::{copied_block, copied_iteration, counted};

use crate::ad::activity::{Activity, Calls};
use crate::ad::derivatives::{self, Point, Rule};
use crate::analysis::derivative_rules::rules_of;
use mlopt_dialects::Reported;
use mlopt_dialects::dual::{Request, delta_type};
use mlopt_dialects::ir::{Block, Builder, Location, Op, OpBuilder, Value, types_of};
use mlopt_dialects::ops::dual::{Linear, Transpose};
use mlopt_dialects::ops::{HasKind, Kind};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use unzipped::remove_dead;

/// An attribute of a primal loop: the number of results, the last ones, that only the reverse sweep needs.
pub const KEEPS: &str = "dual.keeps";

/// A value of the differentiated program: the primal, and the tangent unless it is zero.
#[derive(Clone, Copy)]
pub struct Dual {
    pub primal: Value,
    pub tangent: Option<Value>,
}

/// The dual of each value of the differentiated function.
pub type Scope = HashMap<Value, Dual>;

/// The builders of primals and of tangents.
#[derive(Clone, Copy)]
pub struct Builders {
    pub primal: Builder,
    /// The position of tangents and of code that only they need. The same as `primal` in forward mode.
    pub tangent: Builder,
    /// True inside of a loop that is split in two. Inner loops run again with the tangents, so that their states are
    /// kept for one iteration of the outer loop only.
    pub inside: bool,
}

impl Builders {
    /// Returns builders that emit primals and tangents together.
    pub fn joint(b: Builder) -> Builders {
        Builders { primal: b, tangent: b, inside: false }
    }

    fn at(self, location: Location) -> Builders {
        Builders { primal: self.primal.at(location), tangent: self.tangent.at(location), inside: self.inside }
    }
}

/// The way in which loops carry tangents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Loops {
    /// One loop carries primals and tangents.
    Joint,
    /// One loop for the primals, which keeps the given residuals, and a linear one for the tangents.
    Unzipped(Keep),
}

/// The residuals that primal loops keep for the tangents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// The states before each iteration. All other values are recomputed.
    States,
    /// Also values that are expensive to compute: see `residuals.rs`.
    Costly,
}

/// The functions of a module, by name.
pub type Functions = HashMap<String, Op>;

/// The call stack of the functions that are being differentiated for a request, to detect recursion, and the memoised
/// analyses of callees.
pub struct Callers {
    names: RefCell<HashSet<String>>,
    calls: RefCell<Calls>,
}

impl Callers {
    /// Returns the callers for the function of a request.
    pub fn of(request: &Request) -> Callers {
        let names = RefCell::new(HashSet::from([request.callee.clone()]));
        Callers { names, calls: RefCell::default() }
    }

    /// Returns the result of `work` with the function `name` added; `None` if it is present already.
    fn within<T>(&self, name: &str, work: impl FnOnce() -> T) -> Option<T> {
        if !self.names.borrow_mut().insert(name.to_string()) {
            return None;
        }
        let done = work();
        self.names.borrow_mut().remove(name);
        Some(done)
    }

    fn activity(&self, function: Op, varies: &[bool], functions: &Functions) -> Activity {
        let find = |name: &str| functions.get(name).copied();
        Activity::of(function, varies, &find, &mut self.calls.borrow_mut())
    }
}

/// Creates the linear map at `points` with the code of `inner`, which computes `results`. Returns a function that emits
/// its transpose.
pub fn linear_map(
    b: Builder,
    inner: Builder,
    points: &[Value],
    results: &[Value],
) -> impl Fn(Builder, &[Value]) -> Vec<Value> + use<> {
    inner.insert(inner.op(Kind::DualYield).operands(results).build());
    remove_dead(inner.block);
    let inputs = types_of(points);
    let delta = delta_type(b.context(), &inputs, &types_of(results));
    let delta = Linear::create(b, points, delta, inner.block).delta();
    move |b: Builder, cotangents: &[Value]| Transpose::create(b, delta, cotangents, &inputs).results()
}

/// A request, and the form of the code that replaces it.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub loops: Loops,
    pub functions: &'a Functions,
    pub request: &'a Request,
    /// The functions that are being differentiated, including the current one.
    pub callers: &'a Callers,
}

impl Setting<'_> {
    /// Differentiates `function` on duals, by its own rule or by its body.
    pub fn differentiate(self, at: Builders, function: Op, arguments: &[Dual]) -> Result<Vec<Dual>, Reported> {
        if rules_of(function).is_empty() {
            return self.body_on_duals(at, function, arguments);
        }
        Forward { setting: self, function, activity: Activity::none() }.by_rule(at, function, arguments)
    }

    fn body_on_duals(self, at: Builders, function: Op, arguments: &[Dual]) -> Result<Vec<Dual>, Reported> {
        let varies: Vec<bool> = arguments.iter().map(|a| a.tangent.is_some()).collect();
        let activity = self.callers.activity(function, &varies, self.functions);
        let forward = Forward { setting: self, function, activity };
        let body = function.entry();
        let mut scope = Scope::new();
        for (argument, d) in body.arguments().into_iter().zip(arguments) {
            bind(&mut scope, argument, *d);
        }
        if function.region(0).blocks().len() > 1 {
            return Err(function
                .not_supported("a function with several blocks cannot be differentiated; use `scf` instead of `cf`"));
        }
        forward.block(at, body, &mut scope)
    }
}

/// The transformation of one function.
struct Forward<'a> {
    setting: Setting<'a>,
    /// The function whose body is being transformed.
    function: Op,
    activity: Activity,
}

impl Forward<'_> {
    /// Emits the ops of `block`. Returns the duals of the operands of its terminator.
    fn block(&self, at: Builders, block: Block, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        for op in block.ops() {
            let at = at.at(op.location());
            if matches!(op.kind(), Kind::FuncReturn | Kind::ArrayYield | Kind::ScfYield | Kind::ScfCondition) {
                return Ok(duals(scope, &op.operands()));
            }
            let active = op.results().into_iter().any(|r| self.activity.is_active(r));
            self.refuse_other_types(op)?;
            let results = if active { self.op(at, op, scope)? } else { copied(at.primal, op, scope) };
            for (value, result) in op.results().into_iter().zip(results) {
                bind_new(scope, value, result);
            }
        }
        Ok(Vec::new())
    }

    fn op(&self, at: Builders, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        match (derivatives::rule(op.kind()), op.kind()) {
            (Some(Rule::Elementwise(partials)), _) => {
                let duals = duals(scope, &op.operands());
                let z = copied(at.primal, op, scope)[0].primal;
                let primals = primals(&duals);
                let tangents: Vec<Option<Value>> = duals.iter().map(|d| d.tangent).collect();
                let point = Point { builder: at.tangent, op, x: &primals, z };
                Ok(vec![Dual { primal: z, tangent: derivatives::tangent(&point, partials, &tangents) }])
            }
            (Some(Rule::Array(tangent)), _) => {
                let x = dual(scope, op.operand(0));
                let z = copied(at.primal, op, scope)[0].primal;
                let point = Point { builder: at.tangent, op, x: &[x.primal], z };
                Ok(vec![Dual { primal: z, tangent: x.tangent.map(|t| tangent(&point, t)) }])
            }
            (Some(Rule::Linear), _) => Ok(vec![linear(at, op, scope)]),
            (Some(Rule::Structured), Kind::FuncCall) => self.call(at, op, scope),
            (Some(Rule::Structured), _) => match self.setting.loops {
                Loops::Joint => self.joint(at.primal, op, scope),
                Loops::Unzipped(keep) => self.unzipped(at, keep, op, scope),
            },
            _ => Err(self.without_rule(op, "the op has no derivative rule")),
        }
    }

    /// Rejects varying values in memory, in vectors or in float types other than f32 and f64, whose tangents would be
    /// lost.
    fn refuse_other_types(&self, op: Op) -> Result<(), Reported> {
        for op in std::iter::once(op).chain(op.nested_ops()) {
            let odd = op.results().into_iter().find(|&r| self.varies(r) && !r.ty().is_differentiable());
            let written = || {
                let memory = op.operands().into_iter().find(|v| v.ty().is_memref());
                memory.filter(|_| op.operands().into_iter().any(|v| self.varies(v)))
            };
            if let Some(v) = odd.or_else(written) {
                return Err(self.without_rule(op, &format!("values of type {} have no derivative", v.ty())));
            }
        }
        Ok(())
    }

    /// Emits the body of the callee on the duals of the arguments, in place of the call.
    fn call(&self, at: Builders, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let name = op.callee().unwrap_or_default();
        let function = self.setting.functions.get(&name).copied().filter(|f| f.body().is_some());
        let Some(function) = function else {
            return Err(self
                .not_supported(op, &format!("`@{name}` must have a body to be differentiated, found a declaration")));
        };
        let arguments = duals(scope, &op.operands());
        let inner = || self.setting.differentiate(at, function, &arguments);
        self.setting.callers.within(&name, inner).unwrap_or_else(|| {
            let what = format!("`@{name}` is recursive and cannot be differentiated; use a loop, such as `scf.while`");
            Err(self.not_supported(op, &what))
        })
    }

    fn varies(&self, value: Value) -> bool {
        self.activity.is_active(value)
    }
}

/// Differentiates an op that is linear in all its float operands together: emits the op itself on their tangents.
fn linear(at: Builders, op: Op, scope: &Scope) -> Dual {
    let primal = copied(at.primal, op, scope)[0].primal;
    let duals = duals(scope, &op.operands());
    if duals.iter().all(|d| d.tangent.is_none()) {
        return Dual { primal, tangent: None };
    }
    // A scatter adds to its second operand: it is a sum of two linear parts.
    let copy = copy_of(op, scope);
    copy.set_location(at.tangent.location);
    for (k, d) in duals.iter().enumerate().filter(|(_, d)| d.primal.ty().is_differentiable()) {
        copy.set_operand(k, tangent(at.tangent, *d));
    }
    Dual { primal, tangent: Some(at.tangent.insert(copy).result(0)) }
}

/// Binds `value` to `d`. The tangent of `x` is called `x_t`.
fn bind(scope: &mut Scope, value: Value, d: Dual) {
    if let Some(name) = value.name() {
        d.tangent.into_iter().for_each(|t| t.suggest_name(&format!("{name}_t")));
    }
    scope.insert(value, d);
}

/// As `bind`, for a new primal, which gets the name of `value`.
fn bind_new(scope: &mut Scope, value: Value, d: Dual) {
    value.name().into_iter().for_each(|name| d.primal.suggest_name(&name));
    bind(scope, value, d);
}

/// Binds values to new primals; those at the positions `active` have these tangents.
fn bind_all(scope: &mut Scope, values: &[Value], primals: &[Value], active: &[usize], tangents: &[Value]) {
    for (k, (&v, &primal)) in values.iter().zip(primals).enumerate() {
        let tangent = active.iter().position(|&a| a == k).map(|p| tangents[p]);
        bind_new(scope, v, Dual { primal, tangent });
    }
}

/// Returns the dual of `value`; values from outside the function are unchanged.
pub fn dual(scope: &Scope, value: Value) -> Dual {
    scope.get(&value).copied().unwrap_or(Dual { primal: value, tangent: None })
}

fn duals(scope: &Scope, values: &[Value]) -> Vec<Dual> {
    values.iter().map(|v| dual(scope, *v)).collect()
}

fn primals(duals: &[Dual]) -> Vec<Value> {
    duals.iter().map(|d| d.primal).collect()
}

pub fn constants(values: &[Value]) -> Vec<Dual> {
    values.iter().map(|&primal| Dual { primal, tangent: None }).collect()
}

/// Returns the tangent, or a structural zero of the type of the primal.
pub fn tangent(b: Builder, d: Dual) -> Value {
    d.tangent.unwrap_or_else(|| b.zero_like(d.primal))
}

/// Emits a copy of `op` with its regions on the primals; its results do not vary.
fn copied(b: Builder, op: Op, scope: &Scope) -> Vec<Dual> {
    constants(&b.insert(copy_of(op, scope)).results())
}

/// Returns a detached copy of `op` on the primals.
fn copy_of(op: Op, scope: &Scope) -> Op {
    let copy = if op.num_regions() == 0 { shallow_copy(op) } else { op.clone_op() };
    copy.replace_operands(|operand| scope.get(&operand).map(|d| d.primal));
    copy
}

/// Returns a copy of an op without its regions.
fn shallow_copy(op: Op) -> Op {
    let copy = OpBuilder::new(op.name(), op.location()).operands(&op.operands());
    copy.results(&types_of(&op.results())).attributes(op.attributes()).build()
}

/// Creates a block with the arguments of the body of `op`, and binds these in `scope`.
fn enter(b: Builder, body: Block, scope: &mut Scope) -> Builder {
    let arguments: Vec<_> = body.arguments().into_iter().map(|a| (a.ty(), a.location())).collect();
    let block = Block::new(&arguments);
    scope.extend(body.arguments().into_iter().zip(constants(&block.arguments())));
    Builder::at_end(block, b.location)
}
