//! The reference evaluator: slow, obvious, and the oracle of every pass and lowering.
//!
//! It walks the IR op by op and keeps the value of each SSA value. It shares no code with folders, rules or lowerings.
//! The meaning of our own ops stands with their dialect (`array/eval.rs`); `arith` and `math` are in `scalar.rs`.

mod scalar;

use crate::array::eval as arrays;
use crate::ir::{Block, Location, Op, Type, Value};
use crate::value::{Array, Element};
use std::collections::HashMap;
use std::fmt;

/// Why a program has no value: undefined behaviour of an `arith` op, a shape that does not fit, too much memory.
#[derive(Debug)]
pub struct EvalError {
    /// `file:line:col`, as MLIR prints a location.
    pub location: String,
    pub text: String,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: error: {}", self.location, self.text)
    }
}

impl std::error::Error for EvalError {}

/// The result of an evaluation step; the caller adds the location.
pub type Outcome<T> = Result<T, String>;

/// At most this many elements in one array: 2^31 doubles are 16 GiB.
const MAX_ELEMENTS: usize = 1 << 31;

/// Calls nest at most this deep, so that endless recursion is an error and not a crash.
const MAX_CALLS: usize = 1000;

/// Told of the location, the name of the op and the value of each result.
type Trace<'t> = &'t mut dyn FnMut(Location, &str, &Array);

/// Evaluates functions of one module.
pub struct Evaluator<'t> {
    module: Op,
    functions: HashMap<String, Op>,
    trace: Option<Trace<'t>>,
    calls: usize,
    operations: u64,
}

/// The values that are known, by SSA value.
type Environment = HashMap<Value, Array>;

impl<'t> Evaluator<'t> {
    /// `module` is a verified `builtin.module`.
    pub fn new(module: Op) -> Evaluator<'t> {
        let functions = module.child_ops().into_iter().filter_map(|op| Some((op.symbol()?, op))).collect();
        Evaluator { module, functions, trace: None, calls: 0, operations: 0 }
    }

    /// Calls `trace` with the location, the op's name and the value of every result.
    pub fn with_trace(self, trace: Trace<'t>) -> Evaluator<'t> {
        Evaluator { trace: Some(trace), ..self }
    }

    /// Elementary operations so far: one per element computed by an `arith` or `math` op, read or summed.
    pub fn work(&self) -> u64 {
        self.operations
    }

    /// The results of `@name` at `arguments`, which have the types of its parameters.
    pub fn call(&mut self, name: &str, arguments: &[Array]) -> Result<Vec<Array>, EvalError> {
        let Some(&function) = self.functions.get(name) else {
            return Err(at(self.module, format!("there is no function `@{name}` in this module")));
        };
        let Some(body) = function.body() else {
            return Err(at(function, format!("`@{name}` has no body to evaluate")));
        };
        if self.calls == MAX_CALLS {
            return Err(at(function, format!("calls of `@{name}` nest more than {MAX_CALLS} deep")));
        }
        self.calls += 1;
        let mut environment: Environment = body.arguments().into_iter().zip(arguments.iter().cloned()).collect();
        let results = self.block(body, &mut environment);
        self.calls -= 1;
        results
    }

    /// Runs the ops of `block`; the result is what its terminator yields.
    fn block(&mut self, block: Block, environment: &mut Environment) -> Result<Vec<Array>, EvalError> {
        let mut next = block.first_op();
        while let Some(op) = next {
            if matches!(op.name(), "func.return" | "array.yield" | "scf.yield") {
                return Ok(op.operands().into_iter().map(|v| environment[&v].clone()).collect());
            }
            let results = self.op(op, environment)?;
            for (value, result) in op.results().into_iter().zip(results) {
                check_type(op, value.ty(), &result)?;
                if let Some(trace) = &mut self.trace {
                    trace(op.location(), op.name(), &result);
                }
                environment.insert(value, result);
            }
            next = op.next();
        }
        Ok(Vec::new())
    }

    fn op(&mut self, op: Op, environment: &mut Environment) -> Result<Vec<Array>, EvalError> {
        let operands: Vec<Array> = op.operands().iter().map(|v| environment[v].clone()).collect();
        let one = |outcome: Outcome<Array>| outcome.map(|x| vec![x]).map_err(|text| at(op, text));
        match op.name() {
            "array.build" => self.build(op, &operands, environment),
            "array.ifold" => self.ifold(op, &operands, environment),
            "array.get" => {
                let indices: Vec<i64> = operands[1..].iter().map(index).collect();
                self.operations += 1;
                one(Ok(arrays::get(&operands[0], &indices)))
            }
            "array.length" => {
                let axis = op.attribute("axis").and_then(|a| a.as_i64()).unwrap_or(0);
                one(Ok(Array::index(operands[0].shape()[axis as usize] as i64)))
            }
            "array.sum" => {
                self.operations += operands[0].len() as u64;
                one(Ok(arrays::sum(&operands[0])))
            }
            "array.replicate" => {
                let n = match operands.get(1) {
                    Some(n) => index(n).max(0) as usize,
                    None => op.result(0).ty().shape()[0].expect("verified: static without `n`"),
                };
                allocatable(op, &[&[n], operands[0].shape()].concat())?;
                one(Ok(arrays::replicate(n, &operands[0])))
            }
            "array.transpose" => {
                let p = op.attribute("permutation").and_then(|a| a.as_i64_array()).expect("verified");
                let p: Vec<usize> = p.into_iter().map(|j| j as usize).collect();
                one(Ok(arrays::transpose(&operands[0], &p)))
            }
            "dual.zero" | "dual.one" => {
                let ty = op.result(0).ty();
                let shape: Vec<usize> = ty.shape().into_iter().map(|d| d.expect("verified: static")).collect();
                allocatable(op, &shape)?;
                let x = if op.name() == "dual.one" { 1.0 } else { 0.0 };
                one(Ok(arrays::filled(ty.element().expect("verified: float"), &shape, x)))
            }
            "func.call" => {
                let callee = op.attribute("callee").and_then(|a| a.as_symbol()).expect("verified");
                self.call(&callee, &operands)
            }
            "scf.if" => {
                let branch = if scalar::truth(&operands[0]) { 0 } else { 1 };
                match op.region(branch).first_block() {
                    Some(block) => self.block(block, environment),
                    None => Ok(Vec::new()),
                }
            }
            "scf.for" => self.scf_for(op, &operands, environment),
            "arith.constant" => {
                let ty = op.result(0).ty();
                let value = op.attribute("value").and_then(|a| a.as_array_value(ty));
                one(value.ok_or_else(|| format!("a constant of type {ty} has no value here")))
            }
            _ => {
                self.operations += operands.iter().map(Array::len).max().unwrap_or(1) as u64;
                one(scalar::evaluate(op, &operands))
            }
        }
    }

    /// z[i...] = body(i...) for all i... below the extents.
    fn build(&mut self, op: Op, extents: &[Array], environment: &mut Environment) -> Result<Vec<Array>, EvalError> {
        let body = op.body().expect("verified");
        let k = body.num_arguments();
        let mut dynamic = extents.iter().map(|n| index(n).max(0) as usize);
        let leading: Vec<usize> = op.result(0).ty().shape()[..k]
            .iter()
            .map(|d| d.unwrap_or_else(|| dynamic.next().expect("verified: one extent per `?`")))
            .collect();
        allocatable(op, &leading)?;
        let mut parts: Vec<Vec<Array>> = vec![Vec::new(); op.num_results()];
        for position in arrays::positions(&leading) {
            for (argument, i) in body.arguments().into_iter().zip(position) {
                environment.insert(argument, Array::index(i as i64));
            }
            for (part, x) in parts.iter_mut().zip(self.block(body, environment)?) {
                part.push(x);
            }
        }
        op.results()
            .into_iter()
            .zip(parts)
            .map(|(z, part)| {
                // An empty build has no element to learn the trailing run-time sizes from: they count as zero.
                let trailing: Vec<usize> = match part.first() {
                    Some(x) => x.shape().to_vec(),
                    None => z.ty().shape()[k..].iter().map(|d| d.unwrap_or(0)).collect(),
                };
                allocatable(op, &[leading.as_slice(), trailing.as_slice()].concat())?;
                let element = z.ty().element().expect("verified");
                arrays::stack(element, &leading, &trailing, &part).map_err(|text| at(op, text))
            })
            .collect()
    }

    fn ifold(&mut self, op: Op, operands: &[Array], environment: &mut Environment) -> Result<Vec<Array>, EvalError> {
        let body = op.body().expect("verified");
        let mut state = operands[1..].to_vec();
        for i in 0..index(&operands[0]) {
            environment.insert(body.argument(0), Array::index(i));
            for (k, s) in state.iter().enumerate() {
                environment.insert(body.argument(k + 1), s.clone());
            }
            let next = self.block(body, environment)?;
            for (k, (old, new)) in state.iter().zip(&next).enumerate() {
                if old.shape() != new.shape() {
                    let text = format!(
                        "carried value #{k} changes its sizes from {:?} to {:?} in iteration {i}",
                        old.shape(),
                        new.shape()
                    );
                    return Err(at(op, text));
                }
            }
            state = next;
        }
        Ok(state)
    }

    fn scf_for(&mut self, op: Op, operands: &[Array], environment: &mut Environment) -> Result<Vec<Array>, EvalError> {
        let body = op.body().expect("verified");
        let (mut i, end, step) = (index(&operands[0]), index(&operands[1]), index(&operands[2]));
        if step <= 0 {
            return Err(at(op, format!("the step must be positive, found {step}")));
        }
        let counter = body.argument(0).ty().element().expect("verified");
        let mut state = operands[3..].to_vec();
        while i < end {
            environment.insert(body.argument(0), scalar::integer(counter, i));
            for (k, s) in state.iter().enumerate() {
                environment.insert(body.argument(k + 1), s.clone());
            }
            state = self.block(body, environment)?;
            i += step;
        }
        Ok(state)
    }
}

/// The value of an integer scalar.
fn index(x: &Array) -> i64 {
    scalar::as_i64(x)
}

fn at(op: Op, text: String) -> EvalError {
    let location = op.location().to_string();
    let location = location.trim_start_matches("loc(").trim_end_matches(')').replace('"', "");
    EvalError { location, text: format!("'{}' op {text}", op.name()) }
}

/// Refuses arrays that no machine holds before anything is allocated.
fn allocatable(op: Op, shape: &[usize]) -> Result<(), EvalError> {
    let elements = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    if elements.is_some_and(|n| n <= MAX_ELEMENTS) {
        return Ok(());
    }
    Err(at(op, format!("an array of shape {shape:?} is too large: expected at most {MAX_ELEMENTS} elements")))
}

/// Run-time sizes must fit the static type; a program whose `?` sizes disagree has no meaning in MLIR.
fn check_type(op: Op, ty: Type, x: &Array) -> Result<(), EvalError> {
    let shape = ty.shape();
    let fits = ty.element() == Some(x.element())
        && shape.len() == x.rank()
        && shape.iter().zip(x.shape()).all(|(d, &n)| d.is_none_or(|d| d == n));
    if fits {
        return Ok(());
    }
    Err(at(op, format!("gives a value of type {}, expected {ty}", x.type_text())))
}

/// Whether `x` may be passed where `ty` is expected.
pub fn fits(ty: Type, x: &Array) -> bool {
    let shape = ty.shape();
    ty.element().is_some_and(|e: Element| e == x.element())
        && shape.len() == x.rank()
        && shape.iter().zip(x.shape()).all(|(d, &n)| d.is_none_or(|d| d == n))
}
