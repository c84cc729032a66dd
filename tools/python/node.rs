//! Reactive nodes.
//!
//! A running node refers to its program and its code, so all of them belong to one thread, which answers requests.

use crate::arguments::{Argument, Place};
use crate::errors::{Problem, failed};
use crate::function::ArrayType;
use crate::numpy::empty;
use mlopt::{Element, ErrorKind, TensorType};
use mlopt_dialects::bridge::crash::silently;
use mlopt_dialects::bridge::program::{Program, collecting};
use mlopt_dialects::diagnostics::Messages;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::ir::{Location, Op};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_dialects::with_data;
use mlopt_passes::streams::nodes::plan::Class;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::streams::columns::Column;
use mlopt_runtime::streams::compiled::{CompileError, Compiled};
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use mlopt_runtime::streams::initial;
use mlopt_runtime::streams::memory;
use mlopt_runtime::streams::session::Session;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// The stack of a thread that compiles: parsers and verifiers recurse with the nesting of the program.
const STACK_BYTES: usize = 512 << 20;

/// A running node.
#[pyclass(frozen, module = "mlopt", name = "_Node")]
pub struct Node {
    worker: Mutex<Worker>,
    signature: Signature,
}

struct Worker {
    requests: Sender<Request>,
    answers: Receiver<Result<Answer, Problem>>,
}

/// The properties of a node that are known before a run.
#[derive(Clone, Default)]
struct Signature {
    inputs: Vec<(String, TensorType)>,
    outputs: Vec<(String, TensorType)>,
    is_forward: bool,
    memory: String,
}

enum Request {
    /// A column for each input, and whether these are the last cycles.
    Feed { columns: Vec<Column>, cycles: usize, is_end: bool },
    /// Starts again from the first cycle.
    Restart,
}

enum Answer {
    Started(Box<Signature>),
    Known(Vec<Column>),
}

#[pymethods]
impl Node {
    /// Compiles and starts the node of a program, MLIR; the name of the source is for messages.
    #[new]
    fn new(py: Python, source: &str, name: &str, node: &str) -> PyResult<Node> {
        let (requests, received) = channel();
        let (sender, answers) = channel();
        let (source, name, node) = (source.to_string(), name.to_string(), node.to_string());
        let (started, answers) = py.detach(move || {
            let worker = thread::Builder::new().name("mlopt node".into()).stack_size(STACK_BYTES);
            let spawned = worker.spawn(move || {
                let messages = Messages::default();
                let work = || collecting(&messages, || run(&source, &name, &node, &received, &sender));
                // After a panic, the other side finds no sender.
                if let Ok(Err(failure)) = silently(work) {
                    let _ = sender.send(Err(Problem::of(failure, &messages)));
                }
            });
            let started = match spawned {
                Ok(_) => answers.recv().unwrap_or_else(|_| Err(ended())),
                Err(error) => Err(Problem::new("", format!("a thread cannot be started: {error}"))),
            };
            (started, answers)
        });
        match started {
            Ok(Answer::Started(signature)) => {
                Ok(Node { worker: Mutex::new(Worker { requests, answers }), signature: *signature })
            }
            Ok(Answer::Known(_)) => Err(failed(py, ErrorKind::Internal, ended())),
            Err(problem) => Err(failed(py, ErrorKind::Program, problem)),
        }
    }

    /// The names and types of the inputs.
    #[getter]
    fn inputs(&self) -> Vec<(String, ArrayType)> {
        self.signature.inputs.iter().map(|(name, ty)| (name.clone(), ArrayType(ty.clone()))).collect()
    }

    /// The names and types of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<(String, ArrayType)> {
        self.signature.outputs.iter().map(|(name, ty)| (name.clone(), ArrayType(ty.clone()))).collect()
    }

    /// True if outputs depend on no later cycle.
    #[getter]
    fn is_forward(&self) -> bool {
        self.signature.is_forward
    }

    /// The memory of the node, part by part.
    #[getter]
    fn memory(&self) -> &str {
        &self.signature.memory
    }

    /// Starts again from the first cycle.
    fn restart(&self, py: Python) -> PyResult<()> {
        self.ask(py, Request::Restart).map(drop)
    }

    /// Appends cycles: for each input its rows, and for each row a byte, 0 if it is absent. Returns the outputs of the
    /// cycles that are known now: rows, and for each a byte, 0 if absent, 1 if present, 2 if unknown.
    fn feed<'py>(
        &self,
        py: Python<'py>,
        columns: &Bound<'py, PyDict>,
        cycles: usize,
        is_end: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut read = vec![];
        for (position, (name, ty)) in self.signature.inputs.iter().enumerate() {
            let (rows, marks): (Bound<PyAny>, Vec<u8>) = match columns.get_item(name)? {
                Some(column) => column.extract()?,
                None => {
                    let text = format!("expected values of the input `{name}`");
                    return Err(failed(py, ErrorKind::Argument, Problem::new("", text)));
                }
            };
            let shape = [&[Some(cycles)], &ty.shape[..]].concat();
            let place = Place { function: "node", position, is_result: false };
            let mut argument = Argument::read(&rows, &TensorType { element: ty.element, shape }, place)?;
            let marks = marks.iter().map(|mark| if *mark > 0 { Cell::Value(()) } else { Cell::Absent }).collect();
            read.push(column(&mut argument, ty.element, marks));
        }
        let found = self.ask(py, Request::Feed { columns: read, cycles, is_end })?;
        let outputs = PyDict::new(py);
        if let Answer::Known(columns) = found {
            for ((name, _), column) in self.signature.outputs.iter().zip(&columns) {
                let marks: Vec<u8> = column.marks().iter().map(mark).collect();
                outputs.set_item(name, (rows(py, column)?, PyBytes::new(py, &marks)))?;
            }
        }
        Ok(outputs)
    }
}

impl Node {
    fn ask(&self, py: Python, request: Request) -> PyResult<Answer> {
        let answer = py.detach(|| {
            let worker = self.worker.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            worker.requests.send(request).map_err(|_| ended())?;
            worker.answers.recv().unwrap_or_else(|_| Err(ended()))
        });
        answer.map_err(|problem| failed(py, ErrorKind::Stopped, problem))
    }
}

fn ended() -> Problem {
    Problem::new("", "the node has ended by an earlier error")
}

fn mark(cell: &Cell<()>) -> u8 {
    match cell {
        Cell::Value(()) => 1,
        Cell::Absent => 0,
        Cell::Undetermined | Cell::Mistimed => 2,
    }
}

/// Copies an array with a row for each mark.
#[allow(unsafe_code)]
fn column(argument: &mut Argument, element: Element, marks: Vec<Cell<()>>) -> Column {
    let shape = argument.shape().to_vec();
    let mut data = Data::zeros(element, shape.iter().product());
    let start = argument.address().cast_const();
    with_data!(&mut data, v => {
        let bytes = std::mem::size_of_val(&v[..]);
        // SAFETY: the argument has this shape and elements of this size.
        unsafe { std::ptr::copy_nonoverlapping(start, v.as_mut_ptr().cast::<u8>(), bytes) }
    });
    let mut column = Column::of_rows(Array::new([&[0], &shape[1..]].concat(), Data::zeros(element, 0)));
    column.push_first(marks, &data);
    column
}

/// Returns the rows of a column as an array of NumPy.
#[allow(unsafe_code)]
fn rows<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    let shape = [&[column.len()], column.shape()].concat();
    let array = empty(py, column.element(), &shape)?;
    let ty = TensorType { element: column.element(), shape: shape.into_iter().map(Some).collect() };
    let mut memory = Argument::output(&array, &ty, Place { function: "node", position: 0, is_result: true })?;
    with_data!(column.data(), v => {
        // SAFETY: the new array has this shape and elements of this type.
        unsafe {
            std::ptr::copy_nonoverlapping(v.as_ptr().cast::<u8>(), memory.address(), std::mem::size_of_val(&v[..]))
        }
    });
    Ok(array)
}

/// Compiles a node, and answers requests until there are no more.
fn run(
    source: &str,
    name: &str,
    node: &str,
    requests: &Receiver<Request>,
    answers: &Sender<Result<Answer, Problem>>,
) -> Result<(), Failure> {
    let program = Program::parse(source.as_bytes(), name)?;
    program.run_pipeline(PIPELINE)?;
    let flat = Flat::new(Flat::named(&program, node)?)?;
    let here = place(flat.graph.node.location());
    let code = Compiled::new(&flat, &[], true).map_err(|error| match error {
        CompileError::Reported(_) => Failure::Reported,
        CompileError::Native(error) => Failure::at(&here, error),
    })?;
    let start = || {
        let lenient = vec![true; flat.inputs().count()];
        let session = Session::new(&code, &flat, lenient, None, &mut initial_value);
        session.map_err(|e: EvalError| Failure::at(e.location, e.text))
    };
    let mut session = start()?;
    let ty = |column: &Column| TensorType {
        element: column.element(),
        shape: column.shape().iter().copied().map(Some).collect(),
    };
    let outputs = flat.graph.outputs.iter();
    let signature = Signature {
        inputs: flat.inputs().map(|(name, of)| (name, ty(&Column::new(of)))).collect(),
        outputs: outputs.map(|o| (o.0.clone(), ty(&Column::new(flat.graph.value(o.1).ty())))).collect(),
        is_forward: flat.plan.class == Class::Forward,
        memory: memory::of_session(&flat, &session, None, 1).to_string(),
    };
    let _ = answers.send(Ok(Answer::Started(Box::new(signature.clone()))));
    let mut is_ended = false;
    for request in requests {
        let answer = match request {
            Request::Restart => {
                (session, is_ended) = (start()?, false);
                Ok(Answer::Started(Box::default()))
            }
            Request::Feed { .. } if is_ended => Err(Problem::new("", "the node has ended; it must be restarted first")),
            Request::Feed { columns, cycles, is_end } => {
                session.feed(&columns, cycles);
                match session.advance(is_end) {
                    Err(error) => Err(Problem::new(&error.location, error.text)),
                    Ok(known) => {
                        is_ended = is_end || known.stop.is_some();
                        match known.stop {
                            None => Ok(Answer::Known(known.shown)),
                            Some((n, stop)) => {
                                let (at, text) = flat.stopped(n, &stop);
                                Err(Problem::new(at.as_deref().unwrap_or(&here), text))
                            }
                        }
                    }
                }
            }
        };
        if answers.send(answer).is_err() {
            break;
        }
    }
    Ok(())
}

fn place(location: Location) -> String {
    mlopt_runtime::entry::place(location)
}

/// Returns the initial value of an instance by its method.
fn initial_value(op: Op) -> Result<Array, EvalError> {
    let text = |name: &str| op.attribute(name).and_then(|a| a.as_string()).unwrap_or_default();
    let column = Column::new(op.result(0).ty());
    let value = initial::value(&text("method"), &text("initial_name"), column.element(), column.shape());
    value.map_err(|e| EvalError { location: place(op.location()), text: e.to_string() })
}
