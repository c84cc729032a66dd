//! The reference evaluator of programs with functions as values. It is slow and obvious, and the oracle of every pass
//! and lowering of the dialect.
//!
//! It runs programs whose types are known, and programs whose types are still open (`!lambda.any`). In the latter, the
//! values of the operands determine which operation a `lambda.prim` performs. `crate::eval` evaluates ops without
//! regions on arrays; this module evaluates functions, data, derivatives, effects and tasks.
//!
//! Calls are frames on an explicit stack. Therefore the depth of recursion is limited by memory only, a tail call adds
//! no frame, and a task can wait at any point.

mod arrays;
mod code;
mod derive;
mod loops;
mod ops;
mod overloads;
mod prim;
mod primitive;
mod rules;
mod tape;
mod tasks;
mod value;

use crate::ir::{Op, Symbols, Type};
use crate::limits;
use crate::text::count;
use crate::value::Array;
use code::{Body, Code, Step};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::rc::Rc;
use tasks::{Channel, Task};

pub use value::{Function, List, Names, Parts, Value};

/// The reason why a program has no value.
#[derive(Clone, Debug)]
pub struct Error {
    /// `file:line:col`, in MLIR's format of a location.
    pub location: String,
    /// The name of the error in the specification, such as `empty-list`; empty for errors without a name.
    pub code: &'static str,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: error: {}", self.location, self.text)
    }
}

impl std::error::Error for Error {}

/// An error whose location the evaluator adds.
#[derive(Debug)]
pub struct Fault {
    code: &'static str,
    text: String,
}

impl Fault {
    pub fn new(code: &'static str, text: impl Into<String>) -> Fault {
        Fault { code, text: text.into() }
    }

    /// Returns the error that a value is not `what`.
    fn expected(what: impl fmt::Display, found: &Value) -> Fault {
        Fault::new("type-mismatch", format!("expected {what}, found {}", found.kind()))
    }
}

/// Errors of arrays and limits have no names.
impl<E: fmt::Display> From<E> for Fault {
    fn from(error: E) -> Fault {
        Fault::new("", error.to_string())
    }
}

/// Returns an error unless `holds`.
fn ensure<T: Into<String>>(holds: bool, code: &'static str, text: impl FnOnce() -> T) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::new(code, text())) }
}

/// A callback for every computed value: the op, the number of the result, and the value.
pub type Trace = Box<dyn FnMut(Op, usize, &Value)>;

/// The maximum number of frames: calls, and regions that are being run.
const MAX_FRAMES: usize = 1 << 20;

/// The evaluator of the functions of one module.
pub struct Evaluator {
    module: Op,
    /// The symbols, which are read at the first call.
    symbols: Option<Symbols>,
    functions: HashMap<String, Rc<Code>>,
    /// The number of derivatives that have been started.
    levels: u64,
    tasks: Vec<Task>,
    /// The tasks that are ready to run, in order.
    ready: VecDeque<usize>,
    /// The task that runs.
    current: usize,
    channels: Vec<Channel>,
    input: VecDeque<String>,
    output: String,
    frames: usize,
    /// The number of ops that may still be run.
    steps: u64,
    deepest: usize,
    trace: Option<Trace>,
}

/// The values of one call of a function, by slot.
type Environment = Rc<RefCell<Vec<Value>>>;

/// The continuation that receives results.
type Continuation = Box<dyn FnOnce(&mut Evaluator, Vec<Value>) -> Result<Action, Fault>>;

/// Pending work.
enum Frame {
    /// The ops of a block, from one op on. Results that arrive are those of the previous op.
    Block {
        body: Rc<Body>,
        next: usize,
        environment: Environment,
    },
    Then {
        op: Op,
        then: Continuation,
    },
}

/// The next action.
enum Action {
    Return(Vec<Value>),
    Call(Value, Vec<Value>),
    /// Runs a block of the current function.
    Enter(Rc<Body>, Vec<Value>, Environment),
    Then(Box<Action>, Continuation),
    /// The task waits until another task wakes it.
    Wait,
}

impl Action {
    fn one(value: Value) -> Result<Action, Fault> {
        Ok(Action::Return(vec![value]))
    }

    fn then(self, f: impl FnOnce(&mut Evaluator, Vec<Value>) -> Result<Action, Fault> + 'static) -> Action {
        Action::Then(Box::new(self), Box::new(f))
    }
}

impl Evaluator {
    /// Creates an evaluator; `module` is a verified `builtin.module`.
    pub fn new(module: Op) -> Evaluator {
        Evaluator {
            module,
            symbols: None,
            functions: HashMap::new(),
            levels: 0,
            tasks: Vec::new(),
            ready: VecDeque::new(),
            current: 0,
            channels: Vec::new(),
            input: VecDeque::new(),
            output: String::new(),
            frames: MAX_FRAMES,
            steps: limits::steps(),
            deepest: 0,
            trace: None,
        }
    }

    /// Calls `trace` with every value. Tail calls then add frames, because their results are traced at their return.
    pub fn with_trace(self, trace: Trace) -> Evaluator {
        Evaluator { trace: Some(trace), ..self }
    }

    /// Sets the maximum depth of nested calls and regions.
    pub fn with_frames(self, frames: usize) -> Evaluator {
        Evaluator { frames, ..self }
    }

    /// Sets the input of `lambda.read`, line by line.
    pub fn with_input(self, text: &str) -> Evaluator {
        Evaluator { input: text.lines().map(str::to_string).collect(), ..self }
    }

    /// Returns the output of `lambda.print`.
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Returns the maximum depth of nested calls and regions so far.
    pub fn depth(&self) -> usize {
        self.deepest
    }

    /// Returns the result of `@name`, a tuple if there are several, after all tasks that it has started have ended.
    pub fn call(&mut self, name: &str, arguments: &[Value]) -> Result<Value, Error> {
        let code = self.code(name).map_err(|fault| at(self.module, fault))?;
        for (k, (parameter, value)) in code.op.entry().arguments().into_iter().zip(arguments).enumerate() {
            let wrong = |fault: Fault| Fault { text: format!("argument #{k}: {}", fault.text), ..fault };
            check(parameter.ty(), value).map_err(|fault| at(code.op, wrong(fault)))?;
        }
        self.run(code.op, Value::code(code), arguments.to_vec())
    }

    /// Returns the result of a function value.
    pub fn apply(&mut self, function: &Value, arguments: &[Value]) -> Result<Value, Error> {
        self.run(self.module, function.clone(), arguments.to_vec())
    }

    fn code(&mut self, name: &str) -> Result<Rc<Code>, Fault> {
        if let Some(code) = self.functions.get(name) {
            return Ok(code.clone());
        }
        let module = self.module;
        let Some(function) = self.symbols.get_or_insert_with(|| Symbols::of(module)).function(name) else {
            return Err(format!("there is no function `@{name}` in this module").into());
        };
        let Some(body) = function.body() else {
            return Err(format!("`@{name}` must have a body to be evaluated, found a declaration").into());
        };
        let code = Code::new(function, body);
        self.functions.insert(name.to_string(), code.clone());
        Ok(code)
    }

    /// Runs the current task until it ends or waits. Returns `None` if it waits.
    fn run_task(&mut self) -> Result<Option<Vec<Value>>, Error> {
        let mut place = self.tasks[self.current].place;
        let mut pending = self.tasks[self.current].pending.take();
        loop {
            let action = match pending.take() {
                Some(action) => Ok(action),
                None => match self.next_step() {
                    Some((body, k, environment)) => {
                        let step = &body.steps[k];
                        place = step.op;
                        limits::step(&mut self.steps).map_err(|text| at(place, text.into()))?;
                        self.step(step, &environment)
                    }
                    None => Ok(Action::Return(Vec::new())),
                },
            };
            match action.and_then(|action| self.act(action, &mut place)) {
                Ok(Progress::Goes(next)) => pending = next,
                Ok(Progress::Waits) => return Ok(None),
                Ok(Progress::Ends(values)) => return Ok(Some(values)),
                Err(fault) => return Err(at(place, fault)),
            }
        }
    }

    /// Returns the next op of the innermost block, whose frame is popped if the op is the last. `None` at the end of a
    /// block without results.
    fn next_step(&mut self) -> Option<(Rc<Body>, usize, Environment)> {
        let keeps_tails = self.trace.is_some();
        let frames = &mut self.tasks[self.current].frames;
        let Some(Frame::Block { body, next, environment }) = frames.last_mut() else { return None };
        let k = *next;
        let Some(step) = body.steps.get(k) else {
            frames.pop();
            return None;
        };
        *next += 1;
        let (found, is_left) = ((body.clone(), k, environment.clone()), step.is_end || step.is_tail && !keeps_tails);
        if is_left {
            frames.pop();
        }
        Some(found)
    }

    fn step(&mut self, step: &Step, environment: &Environment) -> Result<Action, Fault> {
        if let Some(constant) = &step.constant {
            return Action::one(constant.clone());
        }
        let operands = {
            let values = environment.borrow();
            step.operands.iter().map(|slot| values[*slot].clone()).collect()
        };
        if step.is_end {
            return Ok(Action::Return(operands));
        }
        self.op(step, operands, environment)
    }

    fn act(&mut self, action: Action, place: &mut Op) -> Result<Progress, Fault> {
        match action {
            Action::Return(values) => self.give(values, place),
            Action::Wait => Ok(Progress::Waits),
            Action::Then(action, then) => {
                self.push(Frame::Then { op: *place, then })?;
                self.act(*action, place)
            }
            Action::Enter(body, arguments, environment) => {
                {
                    let mut values = environment.borrow_mut();
                    body.arguments.iter().zip(arguments).for_each(|(slot, value)| values[*slot] = value);
                }
                self.push(Frame::Block { body, next: 0, environment })?;
                Ok(Progress::Goes(None))
            }
            Action::Call(function, arguments) => self.enter(&function, arguments).map(Progress::Goes),
        }
    }

    /// Passes results to the innermost frame.
    fn give(&mut self, values: Vec<Value>, place: &mut Op) -> Result<Progress, Fault> {
        match self.tasks[self.current].frames.pop() {
            None => Ok(Progress::Ends(values)),
            Some(Frame::Then { op, then }) => {
                *place = op;
                then(self, values).map(|action| Progress::Goes(Some(action)))
            }
            Some(Frame::Block { body, next, environment }) => {
                let step = &body.steps[next - 1];
                *place = step.op;
                ensure(step.results.len() == values.len(), "", || {
                    format!("returns {}, expected {}", count(values.len(), "value"), step.results.len())
                })?;
                {
                    let mut slots = environment.borrow_mut();
                    let results = step.results.iter().zip(&step.expected).zip(values).enumerate();
                    for (k, ((slot, expected), value)) in results {
                        if let Some((element, shape)) = expected {
                            fits(*element, shape, &value)?;
                        }
                        if let Some(trace) = &mut self.trace {
                            trace(step.op, k, &value);
                        }
                        slots[*slot] = value;
                    }
                }
                self.tasks[self.current].frames.push(Frame::Block { body, next, environment });
                Ok(Progress::Goes(None))
            }
        }
    }

    fn push(&mut self, frame: Frame) -> Result<(), Fault> {
        let frames = &mut self.tasks[self.current].frames;
        ensure(frames.len() < self.frames, "stack-overflow", || {
            format!("calls and regions nest more than {} deep", self.frames)
        })?;
        frames.push(frame);
        self.deepest = self.deepest.max(frames.len());
        Ok(())
    }

    /// Starts a call.
    fn enter(&mut self, function: &Value, arguments: Vec<Value>) -> Result<Option<Action>, Fault> {
        let Value::Function(function) = function else { return Err(Fault::expected("a function to call", function)) };
        let (code, captured) = match &**function {
            Function::Closure { code, captured } => (code, captured.to_vec()),
            Function::Member { group, captured, index } => {
                let (code, sources) = &group.members[*index];
                let member = |k: usize| {
                    Value::function(Function::Member { group: group.clone(), captured: captured.clone(), index: k })
                };
                let value = |source: &code::Source| match source {
                    code::Source::Outside(k) => captured[*k].clone(),
                    code::Source::Member(k) => member(*k),
                };
                (code, sources.iter().map(value).collect())
            }
            Function::Derived(kind, parts) => return self.derived(kind, parts, arguments).map(Some),
            Function::Back(back) => return derive::back(back, arguments).map(Some),
        };
        let expected = code.body.arguments.len();
        ensure(expected == arguments.len(), "arity-mismatch", || {
            let (expected, found) = (count(expected, "argument"), count(arguments.len(), "value"));
            format!("a function of {expected} is called with {found}")
        })?;
        let mut values = vec![Value::Unit; code.slots];
        code.captures.iter().zip(captured).for_each(|((_, slot), value)| values[*slot] = value);
        code.body.arguments.iter().zip(arguments).for_each(|(slot, value)| values[*slot] = value);
        let environment = Rc::new(RefCell::new(values));
        self.push(Frame::Block { body: code.body.clone(), next: 0, environment })?;
        Ok(None)
    }
}

/// The progress of a task.
enum Progress {
    /// It continues with this action, or with the next op.
    Goes(Option<Action>),
    Waits,
    Ends(Vec<Value>),
}

fn at(op: Op, fault: Fault) -> Error {
    let location = op.location().place_text();
    let code = if fault.code.is_empty() { String::new() } else { format!("{}: ", fault.code) };
    Error { location, code: fault.code, text: format!("'{}' op {code}{}", op.name(), fault.text) }
}

/// Checks whether a value may be passed where an array of this type is expected.
fn fits(element: crate::value::Element, shape: &[crate::ir::Dim], value: &Value) -> Result<(), Fault> {
    let matches =
        |x: &Array| x.rank() == shape.len() && shape.iter().zip(x.shape()).all(|(d, &n)| d.is_none_or(|d| d == n));
    let Some(x) = base(value) else {
        return Err(Fault::new("type-mismatch", format!("returns {}, expected an array", value.kind())));
    };
    ensure(x.element() == element, "type-mismatch", || {
        format!("returns a value of type {}, expected elements of type {element}", x.type_text())
    })?;
    if !matches(x) {
        let shape: Vec<String> = shape.iter().map(|d| d.map_or("?".into(), |d| d.to_string())).collect();
        let text = format!("returns a value of shape {:?}, expected shape [{}]", x.shape(), shape.join(", "));
        return Err(Fault::new("shape-mismatch", text));
    }
    Ok(())
}

/// Returns the numbers of a value.
fn base(value: &Value) -> Option<&Array> {
    match value {
        Value::Array(x) | Value::Zero(x) => Some(x),
        Value::Traced(t) => base(&t.primal),
        _ => None,
    }
}

/// Checks whether an argument may be passed for a parameter of type `ty`, with regard to arrays.
fn check(ty: Type, value: &Value) -> Result<(), Fault> {
    let is_array = (ty.is_tensor() || ty.scalar() == ty) && ty.element().is_some();
    match (is_array, base(value)) {
        (true, Some(x)) if crate::eval::fits(ty, x) => Ok(()),
        (false, None) => Ok(()),
        // A value of open type may be an array.
        (false, Some(_)) if super::TypeKind::of(ty) == super::TypeKind::Any => Ok(()),
        _ => Err(Fault::expected(ty, value)),
    }
}
