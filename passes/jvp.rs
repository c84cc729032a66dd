//! Forward-mode differentiation: every `dual.jvp`, `dual.grad` and `dual.jacobian` becomes code.
//!
//! A value that varies becomes two: itself and its tangent (`spec/arrays.md` D, arrays of duals stored as two arrays).
//! A gradient is an array built of one tangent for each input, each along a one-hot direction. This costs as many
//! evaluations as there are inputs until `egg-optimize` has removed the work that the zeros make idle.
//!
//! Needs: ops with a rule in `derivatives.rs`. Leaves: the functions themselves, unchanged; no request.
//! ```mlir before
//! func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @df(%x: f64, %y: f64) -> f64 {
//!   %g = dual.grad @f(%x, %y) wrt [0] : (f64, f64) -> f64
//!   return %g : f64
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func @df(%x: f64, %y: f64) -> f64 {
//!   %x_t = dual.one : f64
//!   %z = arith.mulf %x, %y : f64
//!   %z_t = arith.mulf %y, %x_t : f64
//!   return %z_t : f64
//! }
//! ```

use crate::activity::Activity;
use crate::derivatives::{self, Point, Rule};
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::dual::Request;
use mlopt_dialects::ir::{Block, Builder, Op, OpBuilder, Region, Value};
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "jvp",
    description: "Forward-mode differentiation: replace dual.jvp, dual.grad and dual.jacobian by code",
    anchor: "builtin.module",
    options: &[],
    dialects: &["arith", "array", "dual", "math"],
    run: |module, _| {
        let functions = module.child_ops().into_iter().filter_map(|op| Some((op.symbol()?, op))).collect();
        let mut expansion = Expansion { functions, stack: Vec::new() };
        for function in module.child_ops() {
            expansion.expand_in(function)?;
        }
        Ok(())
    },
};

/// A value of the differentiated program: the primal, and the tangent unless that is zero.
#[derive(Clone, Copy)]
struct Dual {
    primal: Value,
    tangent: Option<Value>,
}

/// What stands for each value of the function that is differentiated.
type Scope = HashMap<Value, Dual>;

struct Expansion {
    functions: HashMap<String, Op>,
    /// The functions that are being differentiated or searched for requests, outermost first.
    stack: Vec<String>,
}

impl Expansion {
    /// Replaces the requests in `function`, those in the functions that they name first: innermost first, so that
    /// nested derivatives never confuse their perturbations (D.3).
    fn expand_in(&mut self, function: Op) -> Result<(), Reported> {
        for op in function.nested_ops() {
            if let Some(request) = Request::of(op) {
                self.expand(&request)?;
                op.erase();
            }
        }
        Ok(())
    }

    fn expand(&mut self, request: &Request) -> Result<(), Reported> {
        let op = request.op;
        if self.stack.contains(&request.callee) {
            return Err(op
                .error(format!("asks for the derivative of `@{}` while that is being computed", request.callee))
                .emit());
        }
        // The verifier has seen that the function exists and fits.
        let callee = self.functions[&request.callee];
        self.stack.push(request.callee.clone());
        self.expand_in_called(callee)?;
        let replacement = match op.name() {
            "dual.jvp" => self.jvp(request, callee),
            _ => request.wrt.iter().map(|&k| self.derivative(request, callee, k)).collect(),
        };
        self.stack.pop();
        for (old, new) in op.results().into_iter().zip(replacement?) {
            old.replace_all_uses_with(new);
        }
        Ok(())
    }

    /// Requests in `function` and in all that it calls.
    fn expand_in_called(&mut self, function: Op) -> Result<(), Reported> {
        self.expand_in(function)?;
        for op in function.nested_ops().into_iter().filter(|op| op.name() == "func.call") {
            let name = op.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default();
            if self.stack.contains(&name) {
                continue; // recursion is refused where the call is differentiated
            }
            if let Some(&called) = self.functions.get(&name) {
                self.stack.push(name);
                self.expand_in_called(called)?;
                self.stack.pop();
            }
        }
        Ok(())
    }

    /// The results of the callee, then the tangents of its float results.
    fn jvp(&self, request: &Request, callee: Op) -> Result<Vec<Value>, Reported> {
        let b = Builder::before(request.op);
        let mut arguments: Vec<Dual> = constants(&request.inputs);
        for (&k, &t) in request.wrt.iter().zip(&request.tangents) {
            arguments[k].tangent = Some(t);
        }
        let results = self.differentiate(b, request, callee, &arguments, std::slice::from_ref(&request.callee))?;
        let tangents = results.iter().filter(|r| r.primal.ty().is_differentiable()).map(|r| tangent(b, *r));
        Ok(results.iter().map(|r| r.primal).chain(tangents.collect::<Vec<_>>()).collect())
    }

    /// ∂f/∂x for `x`, argument `k`: (out..., in...).
    fn derivative(&self, request: &Request, callee: Op, k: usize) -> Result<Value, Reported> {
        let b = Builder::before(request.op);
        let x = request.inputs[k];
        let rank = x.ty().rank();
        let along = |b: Builder, seed: Value| -> Result<Value, Reported> {
            let mut arguments = constants(&request.inputs);
            arguments[k].tangent = Some(seed);
            let results = self.differentiate(b, request, callee, &arguments, std::slice::from_ref(&request.callee))?;
            Ok(tangent(b, results[0]))
        };
        if rank == 0 {
            let one = b.unary("dual.one", &[], x.ty());
            return along(b, one);
        }
        let mut failure = None;
        let columns = b.build_like(x, rank, |b, i| {
            let seed = one_hot(b, x, i);
            let column = along(b, seed).unwrap_or_else(|reported| {
                failure = Some(reported);
                seed
            });
            vec![column]
        })[0];
        if let Some(reported) = failure {
            return Err(reported);
        }
        let out_rank = columns.ty().rank() - rank;
        if out_rank == 0 {
            return Ok(columns);
        }
        let axes: Vec<usize> = (rank..rank + out_rank).chain(0..rank).collect();
        Ok(b.transpose(columns, &axes))
    }

    /// The body of `function` on duals, at the place of `b`. `callers` are the functions around it, itself included.
    fn differentiate(
        &self,
        b: Builder,
        request: &Request,
        function: Op,
        arguments: &[Dual],
        callers: &[String],
    ) -> Result<Vec<Dual>, Reported> {
        let varies: Vec<bool> = arguments.iter().map(|a| a.tangent.is_some()).collect();
        let find = |name: &str| self.functions.get(name).copied();
        let pass = Forward { expansion: self, request, activity: Activity::of(function, &varies, &find), callers };
        let body = function.body().expect("verified: the function has a body");
        let mut scope: Scope = body.arguments().into_iter().zip(arguments.iter().copied()).collect();
        if function.region(0).blocks().len() > 1 {
            return Err(function.not_supported("differentiation of a function with several blocks"));
        }
        pass.block(b, body, &mut scope)
    }
}

/// One body on its way to duals.
struct Forward<'a> {
    expansion: &'a Expansion,
    request: &'a Request,
    activity: Activity,
    callers: &'a [String],
}

impl Forward<'_> {
    /// Emits the ops of `block` at `b`; returns the duals of what its terminator passes on.
    fn block(&self, b: Builder, block: Block, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        for op in block.ops() {
            let b = b.at(op.location());
            if matches!(op.name(), "func.return" | "array.yield") {
                return Ok(op.operands().iter().map(|v| dual(scope, *v)).collect());
            }
            let active = op.results().into_iter().any(|r| self.activity.is_active(r));
            let results = if active { self.op(b, op, scope)? } else { copied(b, op, scope) };
            scope.extend(op.results().into_iter().zip(results));
        }
        Ok(Vec::new())
    }

    fn op(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        match (derivatives::rule(op.name()), op.name()) {
            (Some(Rule::Elementwise(partials)), _) => {
                let duals: Vec<Dual> = op.operands().iter().map(|v| dual(scope, *v)).collect();
                let z = copied(b, op, scope)[0].primal;
                let primals: Vec<Value> = duals.iter().map(|d| d.primal).collect();
                let tangents: Vec<Option<Value>> = duals.iter().map(|d| d.tangent).collect();
                let point = Point { builder: b, op, x: &primals, z };
                Ok(vec![Dual { primal: z, tangent: derivatives::tangent(&point, partials, &tangents) }])
            }
            (Some(Rule::Linear), _) => {
                let primal = copied(b, op, scope)[0].primal;
                let tangent = dual(scope, op.operand(0)).tangent.map(|t| {
                    let mut operands: Vec<Value> = op.operands().iter().map(|v| dual(scope, *v).primal).collect();
                    operands[0] = t;
                    let mut linear = b.op(op.name()).operands(&operands).results(&[op.result(0).ty()]);
                    for (name, value) in op.attributes() {
                        linear = linear.attribute(&name, value);
                    }
                    b.insert(linear.build()).result(0)
                });
                Ok(vec![Dual { primal, tangent }])
            }
            (Some(Rule::Structured), "array.build") => self.build(b, op, scope),
            (Some(Rule::Structured), "array.ifold") => self.ifold(b, op, scope),
            (Some(Rule::Structured), "func.call") => self.call(b, op, scope),
            _ => Err(op
                .error(
                    "cannot be differentiated: there is no rule for it, and a result depends on an input that varies",
                )
                .note(
                    self.request.op.location(),
                    format!("the derivative of `@{}` is asked for here", self.request.callee),
                )
                .emit()),
        }
    }

    /// 𝔽[build n f] = build n (i → 𝔽[f] i): a second array for each result that varies.
    fn build(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let extents: Vec<Value> = op.operands().iter().map(|v| dual(scope, *v).primal).collect();
        let (inner, body) = self.enter(b, op, scope);
        let elements = self.block(inner, body, scope)?;
        let mut yielded: Vec<Value> = elements.iter().map(|e| e.primal).collect();
        let mut types: Vec<_> = op.results().iter().map(|r| r.ty()).collect();
        for (element, result) in elements.iter().zip(op.results()) {
            if let Some(t) = element.tangent {
                yielded.push(t);
                types.push(result.ty());
            }
        }
        inner.insert(inner.op("array.yield").operands(&yielded).build());
        let build = b.op("array.build").operands(&extents).results(&types).region(Region::with_block(inner.block));
        let results = b.insert(build.build()).results();
        let mut tangents = results[elements.len()..].iter().copied();
        Ok(elements
            .iter()
            .zip(&results)
            .map(|(e, &primal)| Dual { primal, tangent: e.tangent.and_then(|_| tangents.next()) })
            .collect())
    }

    /// 𝔽[ifold f z n] = ifold 𝔽[f] 𝔽[z] n: a second carried value for each that varies.
    fn ifold(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let count = dual(scope, op.operand(0)).primal;
        let inits: Vec<Dual> = op.operands()[1..].iter().map(|v| dual(scope, *v)).collect();
        let varies: Vec<bool> = op.results().into_iter().map(|r| self.activity.is_active(r)).collect();
        let (inner, body) = self.enter(b, op, scope);
        let mut operands: Vec<Value> = std::iter::once(count).chain(inits.iter().map(|d| d.primal)).collect();
        for (k, init) in inits.iter().enumerate().filter(|(k, _)| varies[*k]) {
            let start = tangent(b, *init);
            operands.push(start);
            let carried = body.argument(k + 1);
            let t = inner.block.add_argument(start.ty(), carried.location());
            scope.insert(carried, Dual { primal: scope[&carried].primal, tangent: Some(t) });
        }
        let next = self.block(inner, body, scope)?;
        let mut yielded: Vec<Value> = next.iter().map(|d| d.primal).collect();
        yielded.extend(next.iter().zip(&varies).filter(|(_, v)| **v).map(|(d, _)| tangent(inner, *d)));
        inner.insert(inner.op("array.yield").operands(&yielded).build());
        let types: Vec<_> = operands[1..].iter().map(|v| v.ty()).collect();
        let ifold = b.op("array.ifold").operands(&operands).results(&types).region(Region::with_block(inner.block));
        let results = b.insert(ifold.build()).results();
        let mut tangents = results[next.len()..].iter().copied();
        Ok((0..next.len())
            .map(|k| Dual { primal: results[k], tangent: varies[k].then(|| tangents.next()).flatten() })
            .collect())
    }

    /// The callee's body on the duals of the arguments, in place of the call.
    fn call(&self, b: Builder, op: Op, scope: &mut Scope) -> Result<Vec<Dual>, Reported> {
        let name = op.attribute("callee").and_then(|a| a.as_symbol()).unwrap_or_default();
        let function = self.expansion.functions.get(&name).copied().filter(|f| f.body().is_some());
        let Some(function) = function else {
            return Err(op.not_supported(format!("`@{name}` has no body to differentiate")));
        };
        if self.callers.contains(&name) {
            return Err(op.not_supported(format!("`@{name}` is recursive, and only loops can be differentiated")));
        }
        let arguments: Vec<Dual> = op.operands().iter().map(|v| dual(scope, *v)).collect();
        let callers = [self.callers, &[name]].concat();
        self.expansion.differentiate(b, self.request, function, &arguments, &callers)
    }

    /// A new block with the arguments of the body of `op`, which stand for those in `scope`.
    fn enter(&self, b: Builder, op: Op, scope: &mut Scope) -> (Builder, Block) {
        let body = op.body().expect("verified: one block");
        let arguments: Vec<_> = body.arguments().into_iter().map(|a| (a.ty(), b.location)).collect();
        let block = Block::new(&arguments);
        for (old, new) in body.arguments().into_iter().zip(block.arguments()) {
            scope.insert(old, Dual { primal: new, tangent: None });
        }
        (Builder::at_end(block, b.location), body)
    }
}

/// What stands for `value`; values from outside the function are themselves.
fn dual(scope: &Scope, value: Value) -> Dual {
    scope.get(&value).copied().unwrap_or(Dual { primal: value, tangent: None })
}

fn constants(values: &[Value]) -> Vec<Dual> {
    values.iter().map(|&primal| Dual { primal, tangent: None }).collect()
}

/// The tangent, or a structural zero of the primal's type.
fn tangent(b: Builder, d: Dual) -> Value {
    d.tangent.unwrap_or_else(|| b.zero_like(d.primal))
}

/// A copy of `op` on the primals, with all in its regions; its results do not vary.
fn copied(b: Builder, op: Op, scope: &Scope) -> Vec<Dual> {
    let copy = if op.num_regions() == 0 { shallow_copy(b, op) } else { op.clone_op() };
    for inner in std::iter::once(copy).chain(copy.nested_ops()) {
        for (k, operand) in inner.operands().into_iter().enumerate() {
            if let Some(d) = scope.get(&operand) {
                inner.set_operand(k, d.primal);
            }
        }
    }
    constants(&b.insert(copy).results())
}

/// A copy of an op without regions, at the builder's location.
fn shallow_copy(b: Builder, op: Op) -> Op {
    let types: Vec<_> = op.results().into_iter().map(Value::ty).collect();
    let mut copy = OpBuilder::new(op.name(), b.location).operands(&op.operands()).results(&types);
    for (name, value) in op.attributes() {
        copy = copy.attribute(&name, value);
    }
    copy.build()
}

/// The array like `x` that is one at the position `i` and zero elsewhere, both structural (E.0).
fn one_hot(b: Builder, x: Value, i: &[Value]) -> Value {
    let scalar = x.ty().scalar();
    b.build_like(x, i.len(), |b, k| {
        let mut here = b.equal(i[0], k[0]);
        for (&i, &k) in i.iter().zip(k).skip(1) {
            let equal = b.equal(i, k);
            here = b.unary("arith.andi", &[here, equal], equal.ty());
        }
        let (one, zero) = (b.unary("dual.one", &[], scalar), b.unary("dual.zero", &[], scalar));
        vec![b.select(here, one, zero)]
    })[0]
}
