//! Programs in the notation of functions, whose functions are compiled for the types of the objects with which they
//! are called.
//!
//! The compiled versions refer to their program and share values without locks, so all of them belong to one thread,
//! which answers requests. A child process has no threads of its parent, and starts its own.

use crate::arguments::to_number;
use crate::buffer::Memory;
use crate::errors::{Problem, failed, wrong_argument};
use crate::numpy;
use mlopt::ErrorKind;
use mlopt_dialects::bridge::crash::silently;
use mlopt_dialects::bridge::program::collecting;
use mlopt_dialects::diagnostics::Messages;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::value::Array;
use mlopt_functions::versions::Versions;
use mlopt_runtime::arguments::npy;
use mlopt_runtime::code::program::Console;
use mlopt_runtime::failure::Failure;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::{mem, process};

/// The stack of a thread that compiles and runs functions.
const STACK_BYTES: usize = 512 << 20;

/// The prefix of the names of functions of Python in messages.
const PREFIX: &str = "@py.";

/// A program whose functions are compiled when they are called.
#[pyclass(frozen, module = "mlopt", name = "_Versions")]
pub struct Program {
    source: String,
    /// The name of the function in Python.
    name: String,
    /// The outer lock is held only while Python's lock is, so that no other thread holds it when the process forks.
    worker: Mutex<Arc<Worker>>,
    /// The name of the record of each class, and the class of each name.
    names: Py<PyDict>,
    classes: Py<PyDict>,
    /// The names of the fields of each class of arguments.
    fields: Py<PyDict>,
}

/// The thread of a program, and the process that has it.
struct Worker {
    process: u32,
    /// None only while this is dropped.
    link: Option<Mutex<Link>>,
}

struct Link {
    requests: Sender<Request>,
    answers: Receiver<Reply>,
    thread: JoinHandle<()>,
}

type Reply = Result<Answer, (ErrorKind, Problem)>;

impl Worker {
    /// Starts a thread, which reads a program.
    fn start(source: String, name: String) -> Result<Worker, (ErrorKind, Problem)> {
        let (requests, received) = channel();
        let (sender, answers) = channel();
        let worker = thread::Builder::new().name("mlopt function".into()).stack_size(STACK_BYTES);
        let spawned = worker.spawn(move || {
            let messages = Messages::default();
            let work = || collecting(&messages, || run(&source, &name, &messages, &received, &sender));
            // After a panic, the other side finds no sender.
            let _ = silently(work);
        });
        let thread = spawned
            .map_err(|error| (ErrorKind::Memory, Problem::new("", format!("a thread cannot be started: {error}"))))?;
        let started = answers.recv().unwrap_or_else(|_| Err(ended()));
        let link = Some(Mutex::new(Link { requests, answers, thread }));
        let worker = Worker { process: process::id(), link };
        started.map(|_| worker)
    }

    fn ask(&self, request: Request) -> Reply {
        let link = self.link.as_ref().ok_or_else(ended)?.lock().unwrap_or_else(PoisonError::into_inner);
        link.requests.send(request).map_err(|_| ended())?;
        link.answers.recv().unwrap_or_else(|_| Err(ended()))
    }
}

/// Waits for the end of the thread: the process must not end while it frees its programs.
impl Drop for Worker {
    fn drop(&mut self) {
        let Some(link) = self.link.take() else { return };
        if self.process == process::id() {
            let Link { requests, thread, .. } = link.into_inner().unwrap_or_else(PoisonError::into_inner);
            drop(requests);
            let _ = thread.join();
        } else {
            // The thread does not exist here, and may have left its channels in any state.
            mem::forget(link);
        }
    }
}

/// A function, and its arguments.
struct Request {
    function: String,
    arguments: Vec<Datum>,
    /// True if the program with typed arguments is wanted, and no call.
    is_text: bool,
}

enum Answer {
    Started,
    Result(Datum),
    /// A program in MLIR, and the name of its function.
    Text(String, String),
}

/// A value that threads may share.
enum Datum {
    Unit,
    Array(Array),
    Tuple(Vec<Datum>),
    List(Vec<Datum>),
    Record(String, Vec<(String, Datum)>),
}

#[pymethods]
impl Program {
    /// Reads a program. `names` has the name of the record of each dataclass, and `classes` the class of each name;
    /// classes of arguments are added to both.
    #[new]
    fn new(py: Python, source: &str, name: &str, names: Py<PyDict>, classes: Py<PyDict>) -> PyResult<Program> {
        let (source, name) = (source.to_string(), name.to_string());
        let started = py.detach(|| Worker::start(source.clone(), name.clone()));
        let worker = started.map_err(|(kind, problem)| failed(py, kind, problem))?;
        let fields = PyDict::new(py).unbind();
        Ok(Program { source, name, worker: Mutex::new(Arc::new(worker)), names, classes, fields })
    }

    /// Calls a function, which is compiled for the types of these arguments if it has not been.
    fn call(&self, py: Python, function: &str, arguments: &Bound<PyTuple>) -> PyResult<Py<PyAny>> {
        match self.ask(py, function, arguments, false)? {
            Answer::Result(result) => self.object(py, result),
            _ => Err(failed(py, ErrorKind::Internal, ended().1)),
        }
    }

    /// Returns the program in MLIR, with a public function for arguments of these types, and the name of the function.
    fn with_types(&self, py: Python, function: &str, arguments: &Bound<PyTuple>) -> PyResult<(String, String)> {
        match self.ask(py, function, arguments, true)? {
            Answer::Text(text, name) => Ok((text, name)),
            _ => Err(failed(py, ErrorKind::Internal, ended().1)),
        }
    }
}

impl Program {
    fn ask(&self, py: Python, function: &str, arguments: &Bound<PyTuple>, is_text: bool) -> PyResult<Answer> {
        let read = |(k, object): (usize, Bound<PyAny>)| {
            self.datum(&object).map_err(|found| {
                let expected = "a number, an array, or a tuple, list or dataclass of these";
                let text = format!("argument #{k} of `{}` must be {expected}, found {found}", self.name);
                wrong_argument(py, text)
            })
        };
        let arguments = arguments.iter().enumerate().map(read).collect::<PyResult<_>>()?;
        let request = Request { function: function.to_string(), arguments, is_text };
        let worker = self.worker();
        let answer = py.detach(|| worker?.ask(request));
        answer.map_err(|(kind, problem)| failed(py, kind, problem))
    }

    /// Returns the worker of this process. The first call in a child process starts one.
    fn worker(&self) -> Result<Arc<Worker>, (ErrorKind, Problem)> {
        let mut worker = self.worker.lock().unwrap_or_else(PoisonError::into_inner);
        if worker.process != process::id() {
            *worker = Arc::new(Worker::start(self.source.clone(), self.name.clone())?);
        }
        Ok(worker.clone())
    }

    /// Reads an object.
    ///
    /// # Errors
    /// A description of an object that is not data.
    fn datum(&self, object: &Bound<PyAny>) -> Result<Datum, String> {
        let py = object.py();
        let scalar = |data| Ok(Datum::Array(Array::new(vec![], data)));
        let all = |objects: Vec<Bound<PyAny>>| objects.iter().map(|x| self.datum(x)).collect::<Result<Vec<_>, _>>();
        if object.is_none() {
            return Ok(Datum::Unit);
        }
        if let Ok(x) = object.cast::<PyBool>() {
            return scalar(vec![x.is_true()].into());
        }
        if let Ok(x) = object.cast::<PyFloat>() {
            return scalar(vec![x.value()].into());
        }
        if object.cast::<PyInt>().is_ok() {
            let x: i64 = object.extract().map_err(|_| format!("{object}, which needs more than 64 bits"))?;
            return scalar(vec![x].into());
        }
        if let Ok(parts) = object.cast::<PyTuple>() {
            return Ok(Datum::Tuple(all(parts.iter().collect())?));
        }
        if let Ok(parts) = object.cast::<PyList>() {
            return Ok(Datum::List(all(parts.iter().collect())?));
        }
        let class = object.get_type();
        let odd = || class.name().map_or("an object".to_string(), |name| format!("`{name}`"));
        if class.hasattr("__dataclass_fields__").unwrap_or(false) {
            let fields = self.fields_of(&class).map_err(|_| odd())?;
            let read = |field: String| {
                let value = object.getattr(field.as_str()).map_err(|_| odd())?;
                Ok((field, self.datum(&value)?))
            };
            let fields = fields.into_iter().map(read).collect::<Result<Vec<_>, String>>()?;
            return Ok(Datum::Record(self.record(&class).map_err(|_| odd())?, fields));
        }
        let memory =
            Memory::of(object, false).map_err(|error| format!("{}: {}", odd(), error.value(py)))?.ok_or_else(odd)?;
        let element = memory.element.clone().map_err(|text| format!("an array of {text}"))?;
        let words = memory.to_row_major(py).map_err(|error| error.value(py).to_string())?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let count = memory.shape.iter().product::<usize>() * element.bytes();
        Ok(Datum::Array(Array::new(memory.shape.to_vec(), npy::elements(element, &bytes[..count]))))
    }

    /// Returns the names of the fields of a dataclass. Other annotations, such as `ClassVar`, are no fields.
    fn fields_of(&self, class: &Bound<PyType>) -> PyResult<Vec<String>> {
        let py = class.py();
        if let Some(found) = self.fields.bind(py).get_item(class)? {
            return found.extract();
        }
        let fields = py.import("dataclasses")?.call_method1("fields", (class,))?;
        let names: Vec<String> =
            fields.try_iter()?.map(|field| field?.getattr("name")?.extract()).collect::<PyResult<_>>()?;
        self.fields.bind(py).set_item(class, &names)?;
        Ok(names)
    }

    /// Returns the name of the record of a dataclass.
    fn record(&self, class: &Bound<PyType>) -> PyResult<String> {
        let (names, classes) = (self.names.bind(class.py()), self.classes.bind(class.py()));
        if let Some(name) = names.get_item(class)? {
            return name.extract();
        }
        let mut name = class.name()?.to_string();
        while classes.contains(&name)? {
            name.push('_');
        }
        names.set_item(class, &name)?;
        classes.set_item(&name, class)?;
        Ok(name)
    }

    /// Returns a result as an object.
    fn object(&self, py: Python, datum: Datum) -> PyResult<Py<PyAny>> {
        let all = |parts: Vec<Datum>| parts.into_iter().map(|x| self.object(py, x)).collect::<PyResult<Vec<_>>>();
        Ok(match datum {
            Datum::Unit => py.None(),
            Datum::Array(x) if x.rank() == 0 => {
                let bits = match x.element() {
                    element if element.is_float() => element.to_bits(x.at(0)),
                    _ => x.data().to_integers()[0] as u64,
                };
                to_number(py, bits, x.element())?
            }
            Datum::Array(x) => numpy::array(py, x.element(), x.shape(), &npy::bytes(x.data()))?.unbind(),
            Datum::Tuple(parts) => PyTuple::new(py, all(parts)?)?.into_any().unbind(),
            Datum::List(parts) => PyList::new(py, all(parts)?)?.into_any().unbind(),
            Datum::Record(name, fields) => {
                // The constructor of the class does not run: fields without derivatives are None.
                let class = self.classes.bind(py).get_item(&name)?;
                let Some(class) = class else {
                    let text = format!("internal error: `{name}` must be the name of a class");
                    return Err(failed(py, ErrorKind::Internal, Problem::new("", text)));
                };
                let plain = py.import("builtins")?.getattr("object")?;
                let object = plain.call_method1("__new__", (class,))?;
                for (field, value) in fields {
                    let field = PyString::new(py, &field);
                    plain.call_method1("__setattr__", (&object, field, self.object(py, value)?))?;
                }
                object.unbind()
            }
        })
    }
}

fn ended() -> (ErrorKind, Problem) {
    (ErrorKind::Internal, Problem::new("", "internal error: the compiler has stopped at an earlier call"))
}

/// Answers requests until there are no more.
fn run(source: &str, name: &str, messages: &Messages, requests: &Receiver<Request>, answers: &Sender<Reply>) {
    let problem = |kind, failure: Failure| {
        let problem = Problem::of(failure, messages).without(PREFIX);
        (if problem.is_unsupported() { ErrorKind::NotSupported } else { kind }, problem)
    };
    let mut versions = match Versions::of_notation(name, source) {
        Ok(versions) => versions.with_shown(name),
        Err(failure) => {
            let _ = answers.send(Err(problem(ErrorKind::Program, failure)));
            return;
        }
    };
    let mut answer = Ok(Answer::Started);
    while answers.send(answer).is_ok() {
        let Ok(Request { function, arguments, is_text }) = requests.recv() else { return };
        let arguments: Vec<Value> = arguments.into_iter().map(value).collect();
        answer = if is_text {
            let found = versions.with_types(&function, &arguments);
            found.map(|(text, name)| Answer::Text(text, name)).map_err(|e| problem(ErrorKind::Program, e))
        } else {
            versions.version(&function, &arguments).map_err(|e| problem(ErrorKind::Program, e)).and_then(|version| {
                let found = versions.run(&function, version, &arguments, Console::standard());
                let found = found.map_err(|e| problem(ErrorKind::Stopped, e))?;
                datum(&found).map(Answer::Result).ok_or_else(|| {
                    let text = format!("not supported: a result must be data, found {}", found.kind());
                    (ErrorKind::NotSupported, Problem::new("", text))
                })
            })
        };
    }
}

fn value(datum: Datum) -> Value {
    let all = |parts: Vec<Datum>| parts.into_iter().map(value).collect::<Vec<_>>();
    match datum {
        Datum::Unit => Value::Unit,
        Datum::Array(x) => Value::array(x),
        Datum::Tuple(parts) => Value::tuple(all(parts)),
        Datum::List(parts) => Value::list(all(parts)),
        Datum::Record(name, fields) => {
            let (names, values): (Vec<String>, Vec<Datum>) = fields.into_iter().unzip();
            Value::record(&name, names.iter().map(String::as_str).zip(all(values)).collect())
        }
    }
}

/// Returns `None` for a value that is not data.
fn datum(value: &Value) -> Option<Datum> {
    Some(match value {
        Value::Unit => Datum::Unit,
        Value::Tuple(parts) => Datum::Tuple(parts.iter().map(datum).collect::<Option<_>>()?),
        Value::List(list) => Datum::List(list.iter().map(datum).collect::<Option<_>>()?),
        Value::Record(names, parts) => {
            let fields = names.fields.iter().zip(parts.iter()).map(|(name, v)| Some((name.clone(), datum(v)?)));
            Datum::Record(names.record.clone(), fields.collect::<Option<_>>()?)
        }
        _ => Datum::Array(Array::clone(&*value.as_array()?)),
    })
}
