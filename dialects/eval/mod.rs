//! The reference evaluator of programs over arrays. It is slow and obvious, and the oracle of every pass and lowering.
//!
//! It executes a program op by op and stores the result of each SSA value. It shares no code with passes, rewrite rules
//! or lowerings. `loops.rs` evaluates ops with regions. `bulk.rs` evaluates all other ops: it calls the function that
//! defines the semantics of the op. For our own ops, these functions are in the folder of the dialect (`array/eval/`);
//! for MLIR's ops, they are here: `arith` and `math` in `scalar.rs`, `tensor` in `tensor.rs`, `linalg.generic` in
//! `linalg.rs`.

pub(crate) mod bulk;
mod linalg;
mod loops;
pub(crate) mod scalar;
mod tensor;

use crate::array::eval::{Outcome, Undefined};
use crate::ir::{Block, Dim, Op, Symbols, Type, Value};
use crate::limits;
use crate::ops::array::SameSize;
use crate::ops::func::Call;
use crate::ops::{HasKind, Kind};
use crate::value::Array;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// The reason why a program has no value: undefined behaviour of an `arith` op, a shape that does not fit, too much
/// memory.
#[derive(Debug)]
pub struct EvalError {
    /// `file:line:col`, in MLIR's format of a location.
    pub location: String,
    pub text: String,
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: error: {}", self.location, self.text)
    }
}

impl std::error::Error for EvalError {}

/// The maximum depth of calls, so that endless recursion is an error and not a crash.
const MAX_CALLS: usize = 1000;

/// A callback for every computed value: the op, the number of the result, and the value.
pub type Trace<'t> = &'t mut dyn FnMut(Op, usize, &Array);

/// The ops that end a block and pass on their operands.
const TERMINATORS: &[Kind] =
    &[Kind::FuncReturn, Kind::ArrayYield, Kind::ScfYield, Kind::ScfCondition, Kind::TensorYield, Kind::LinalgYield];

/// The evaluator of the functions of one module.
pub struct Evaluator<'t> {
    module: Op,
    /// The symbols, which are read at the first call.
    symbols: Option<Symbols>,
    trace: Option<Trace<'t>>,
    calls: usize,
    operations: u64,
    /// The number of ops and blocks that may still be run.
    steps: u64,
    /// The current iterations of the loops of `linalg`, the innermost last.
    iterations: Vec<Vec<i64>>,
}

/// A value that several ops read.
pub type Shared = Rc<Array>;

/// The known values, by SSA value.
type Environment = HashMap<Value, Shared>;

impl<'t> Evaluator<'t> {
    /// Creates an evaluator; `module` is a verified `builtin.module`.
    pub fn new(module: Op) -> Evaluator<'t> {
        Evaluator {
            module,
            symbols: None,
            trace: None,
            calls: 0,
            operations: 0,
            steps: limits::steps(),
            iterations: Vec::new(),
        }
    }

    /// Calls `trace` with every computed value: the op, the number of the result, and the value.
    pub fn with_trace(self, trace: Trace<'t>) -> Evaluator<'t> {
        Evaluator { trace: Some(trace), ..self }
    }

    /// Fails after `steps` ops and blocks: for programs that may not end.
    pub fn with_limit(self, steps: u64) -> Evaluator<'t> {
        Evaluator { steps, ..self }
    }

    /// Checks whether no steps are left, so that a failed call took too many.
    pub fn is_exhausted(&self) -> bool {
        self.steps == 0
    }

    /// Returns the number of elementary operations so far: one for each element that is computed, moved, read by a
    /// reduction or added by a scatter (W of `spec/arrays.md` C.8).
    pub fn work(&self) -> u64 {
        self.operations
    }

    /// Returns the results of `@name` at `arguments`, which have the types of its parameters.
    pub fn call(&mut self, name: &str, arguments: &[Array]) -> Result<Vec<Array>, EvalError> {
        let results = self.call_shared(name, arguments.iter().cloned().map(Rc::new).collect())?;
        Ok(results.into_iter().map(Rc::unwrap_or_clone).collect())
    }

    /// Returns the results of one op, where `values` contains its operands and the free variables of its regions.
    pub fn evaluate(
        &mut self,
        op: Op,
        values: impl IntoIterator<Item = (Value, Shared)>,
    ) -> Result<Vec<Shared>, EvalError> {
        limits::step(&mut self.steps).map_err(|text| at(op, text))?;
        let mut environment: Environment = values.into_iter().collect();
        let results = self.op(op, &mut environment)?;
        for (value, result) in op.results().into_iter().zip(&results) {
            check_type(op, value.ty(), result)?;
        }
        Ok(results)
    }

    fn call_shared(&mut self, name: &str, arguments: Vec<Shared>) -> Result<Vec<Shared>, EvalError> {
        let module = self.module;
        let Some(function) = self.symbols.get_or_insert_with(|| Symbols::of(module)).get(name) else {
            return Err(at(self.module, format!("there is no function `@{name}` in this module")));
        };
        let Some(body) = function.body() else {
            return Err(at(function, format!("`@{name}` must have a body to be evaluated, found a declaration")));
        };
        if self.calls == MAX_CALLS {
            return Err(at(function, format!("calls of `@{name}` nest more than {MAX_CALLS} deep")));
        }
        self.calls += 1;
        let mut environment: Environment = body.arguments().into_iter().zip(arguments).collect();
        let results = self.block(body, &mut environment);
        self.calls -= 1;
        results
    }

    /// Runs the ops of `block`. Returns the operands of its terminator.
    fn block(&mut self, block: Block, environment: &mut Environment) -> Result<Vec<Shared>, EvalError> {
        let mut next = block.first_op();
        while let Some(op) = next {
            limits::step(&mut self.steps).map_err(|text| at(op, text))?;
            if TERMINATORS.contains(&op.kind()) {
                return Ok(op.operands().into_iter().map(|v| environment[&v].clone()).collect());
            }
            let results = self.op(op, environment)?;
            for (k, (value, result)) in op.results().into_iter().zip(results).enumerate() {
                check_type(op, value.ty(), &result)?;
                if let Some(trace) = &mut self.trace {
                    trace(op, k, &result);
                }
                environment.insert(value, result);
            }
            next = op.next();
        }
        Ok(Vec::new())
    }

    fn op(&mut self, op: Op, environment: &mut Environment) -> Result<Vec<Shared>, EvalError> {
        let operands: Vec<Shared> = op.operands().iter().map(|v| environment[v].clone()).collect();
        match op.kind() {
            Kind::ArrayBuild => self.build(op.cast(), &operands, environment),
            Kind::ArrayIfold => self.ifold(op.cast(), &operands, environment),
            Kind::ArrayFold | Kind::ArrayMapAccum => self.fold(op, &operands, environment),
            Kind::ArrayGather => self.gather(op.cast(), &operands, environment),
            Kind::ArrayScatter => self.scatter(op.cast(), &operands, environment),
            Kind::ArrayVmap => self.vmap(op.cast(), &operands),
            Kind::ArrayCheck => checked(op, &operands),
            Kind::ArraySameSize => same_size(op.cast(), &operands),
            Kind::TensorGenerate => self.generate(op.cast(), &operands, environment),
            Kind::TensorPad => self.pad(op.cast(), &operands, environment),
            Kind::LinalgGeneric | Kind::LinalgMap => self.linalg(op, &operands, environment),
            Kind::LinalgIndex => self.linalg_index(op),
            Kind::LinalgSoftmax => linalg::softmax(op, &operands[0]),
            Kind::ScfIf => self.scf_if(op, &operands[0], environment),
            Kind::ScfFor => self.scf_for(op.cast(), &operands, environment),
            Kind::ScfWhile => self.scf_while(op.cast(), &operands, environment),
            Kind::FuncCall => self.call_shared(&op.cast::<Call>().callee().0, operands),
            _ => {
                let z = bulk::evaluate(op, &operands).map_err(|text| at(op, text))?;
                self.operations += bulk::work(op, &operands, &z) as u64;
                Ok(vec![Rc::new(z)])
            }
        }
    }
}

/// Evaluates `array.check`: no results, or the error.
fn checked(op: Op, operands: &[Shared]) -> Result<Vec<Shared>, EvalError> {
    if index(&operands[0]) != 0 {
        return Ok(Vec::new());
    }
    let values: Vec<i64> = operands[1..].iter().map(|v| index(v)).collect();
    Err(EvalError { location: op.location().place_text(), text: crate::array::message(op, &values) })
}

/// Evaluates `array.same_size`: no results, or the error.
fn same_size(op: SameSize, operands: &[Shared]) -> Result<Vec<Shared>, EvalError> {
    let (n, m) = (index(&operands[0]), index(&operands[1]));
    if n == m {
        return Ok(Vec::new());
    }
    let text = format!("{}, found {n} and {m}", op.text());
    Err(EvalError { location: op.location().place_text(), text })
}

/// Returns the value of an integer scalar.
fn index(x: &Array) -> i64 {
    scalar::as_i64(x)
}

/// Returns the values of integer scalars.
fn indices(x: &[Shared]) -> Vec<i64> {
    x.iter().map(|x| index(x)).collect()
}

/// Returns the sizes of an array, with each `?` replaced by the next of `extents`. A negative or missing extent counts
/// as zero.
pub(crate) fn sizes(shape: &[Dim], extents: &[Shared]) -> Vec<usize> {
    let mut extents = extents.iter();
    shape.iter().map(|d| d.unwrap_or_else(|| extents.next().map_or(0, |n| index(n).max(0) as usize))).collect()
}

fn at(op: Op, text: impl fmt::Display) -> EvalError {
    EvalError { location: op.location().place_text(), text: format!("'{}' op {text}", op.name()) }
}

/// Checks that run-time sizes fit the static type; a program whose `?` sizes disagree has no meaning in MLIR.
fn check_type(op: Op, ty: Type, x: &Array) -> Result<(), EvalError> {
    if fits(ty, x) {
        return Ok(());
    }
    Err(at(op, format!("returns a value of type {}, expected {ty}", x.type_text())))
}

/// Checks whether `x` may be passed where `ty` is expected.
pub fn fits(ty: Type, x: &Array) -> bool {
    let shape = ty.shape();
    ty.element() == Some(x.element())
        && shape.len() == x.rank()
        && shape.iter().zip(x.shape()).all(|(d, &n)| d.is_none_or(|d| d == n))
}
