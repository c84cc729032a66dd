//! Reactive nodes.
//!
//! A running node refers to its program and its code, so all of them belong to one thread, which answers requests.

use crate::elements::TensorType;
use crate::error::{Error, ErrorKind, Result};
use crate::module::Module;
use crate::tensor::Tensor;
use crate::view::View;
use mlopt_dialects::bridge::program::{Program, collecting};
use mlopt_dialects::bridge::stack::start_on_large_stack;
use mlopt_dialects::diagnostics::Messages;
use mlopt_dialects::eval::EvalError;
use mlopt_dialects::ir::Op;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use mlopt_lowering::pipelines::default_pipeline;
use mlopt_passes::streams::nodes::plan::Class;
use mlopt_runtime::entry::place;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::streams::columns::Column;
use mlopt_runtime::streams::compiled::{CompileError, Compiled};
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use mlopt_runtime::streams::initial;
use mlopt_runtime::streams::memory;
use mlopt_runtime::streams::session::Session;
use std::fmt;
use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The time between two questions whether a caller still waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// A reactive node that runs: it computes outputs from inputs, cycle by cycle. A value that is absent in a cycle is
/// `None`.
///
/// ```
/// use mlopt::{Session, Tensor, View};
///
/// let module = Session::new().parse("total.mlir", "stream.node @total(%x: f64) -> (y: f64) {
///     %zero = arith.constant 0.0 : f64
///     %before = stream.fby %zero, %y : f64
///     %y = arith.addf %before, %x : f64
///     stream.yield %y : f64
/// }")?;
/// let mut total = module.node("total")?;
/// assert_eq!(total.step(&[Some(View::scalar(&2.0))])?, [Some(Tensor::scalar(2.0))]);
/// assert_eq!(total.step(&[None])?, [None]);
/// assert_eq!(total.step(&[Some(View::scalar(&3.0))])?, [Some(Tensor::scalar(5.0))]);
/// # Ok::<(), mlopt::Error>(())
/// ```
///
/// The gradient of a node is another node, which a pass adds to the module:
///
/// ```
/// # use mlopt::{Pipeline, Session, View};
/// let mut module = Session::new().parse("scaled.mlir", "stream.node @scaled(%x: f64) -> (y: f64) {
///     %init = arith.constant 3.0 : f64
///     %k = stream.param \"k\" %init : f64
///     %y = arith.mulf %k, %x : f64
///     stream.yield %y : f64
/// }")?;
/// module.run(&Pipeline::of(&["stream-grad"]))?;
/// let mut gradient = module.node("scaled_grad")?;
/// let names: Vec<&str> = gradient.outputs().iter().map(|(name, _)| name.as_str()).collect();
/// assert_eq!(names, ["y", "x_ct", "k_ct"]);
/// let (x, y_ct) = ([2.0, 5.0], [1.0, 1.0]);
/// let found = gradient.run(&[View::new(&x, &[2])?, View::new(&y_ct, &[2])?])?;
/// assert_eq!(found[2].elements::<f64>()?, [2.0, 5.0]);
/// # Ok::<(), mlopt::Error>(())
/// ```
pub struct Node {
    signature: Signature,
    requests: Option<Sender<Request>>,
    answers: Receiver<Result<Answer>>,
    worker: Option<JoinHandle<()>>,
    /// The process that has started the thread: a child by `fork` does not have it.
    process: u32,
    /// The number of answers to which no caller waits any more.
    abandoned: usize,
}

/// The values of an input or output in some cycles.
///
/// ```
/// use mlopt::{Stream, Tensor};
///
/// let stream = Stream::of(Tensor::new(&[3], vec![1.0, 2.0, 3.0])?)?;
/// assert_eq!(stream.present, [Some(true); 3]);
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// One row for each cycle, along the first axis. The row of a cycle without a value is arbitrary.
    pub values: Tensor,
    /// For each cycle whether there is a value; `None` if the inputs end before this is known.
    pub present: Vec<Option<bool>>,
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
    Reset,
}

enum Answer {
    Started(Box<Signature>),
    Known(Vec<Column>),
}

impl Stream {
    /// Returns the stream with a value in each cycle: the rows of an array.
    ///
    /// ```
    /// let error = mlopt::Stream::of(mlopt::Tensor::scalar(1.0)).unwrap_err();
    /// assert_eq!(error.to_string(), "error: expected an array whose first axis are the cycles, found `f64`");
    /// ```
    ///
    /// # Errors
    /// The array has no axis.
    pub fn of(values: Tensor) -> Result<Stream> {
        match values.shape().first() {
            Some(&cycles) => Ok(Stream { values, present: vec![Some(true); cycles] }),
            None => {
                let ty = TensorType { element: values.element(), shape: vec![] };
                Err(argument(format!("expected an array whose first axis are the cycles, found `{ty}`")))
            }
        }
    }

    fn of_column(column: &Column) -> Stream {
        let shape = [&[column.len()], column.shape()].concat();
        let present = column.marks().iter().map(|mark| match mark {
            Cell::Value(()) => Some(true),
            Cell::Absent => Some(false),
            Cell::Undetermined | Cell::Mistimed => None,
        });
        Stream { values: Tensor::of(Array::new(shape, column.data().clone())), present: present.collect() }
    }
}

impl Module {
    /// Compiles a node and starts it. The module remains.
    ///
    /// ```
    /// let module = mlopt::Session::new().parse("f.mlir", "stream.node @f(%x: f64) -> (y: f64) {
    ///     stream.yield %x : f64
    /// }")?;
    /// assert_eq!(module.node("@f")?.inputs()[0].0, "x");
    /// let error = module.node("g").unwrap_err();
    /// assert!(error.to_string().contains("unknown node `@g`"), "{error}");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such node, it is not causal, or there is no memory for a thread.
    pub fn node(&self, name: &str) -> Result<Node> {
        let (file, text, source) = self.located()?;
        let (requests, received) = channel();
        let (sender, answers) = channel();
        let name = name.to_string();
        let to_caller = sender.clone();
        let work = move || {
            let messages = Messages::default();
            let failed = collecting(&messages, || run(&text, &file, &name, &received, &sender)).err();
            // The caller may be gone.
            let _ = failed.map(|failure| sender.send(Err(explained(failure, &messages, &file, source.as_deref()))));
        };
        let worker = start_on_large_stack("mlopt node", work, move |panic| {
            let _ = to_caller.send(Err(panic.into()));
        })?;
        let mut node = Node {
            signature: Signature::default(),
            requests: Some(requests),
            answers,
            worker: Some(worker),
            process: process::id(),
            abandoned: 0,
        };
        match node.answer(&mut || false)? {
            Answer::Started(signature) => node.signature = *signature,
            Answer::Known(_) => return Err(ended()),
        }
        Ok(node)
    }
}

impl Node {
    /// Returns the names and types of the inputs.
    ///
    /// ```
    /// # let text = "stream.node @f(%x: tensor<2xf32>) -> (y: tensor<2xf32>) { stream.yield %x : tensor<2xf32> }";
    /// # let node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// assert_eq!(node.inputs()[0].1.to_string(), "tensor<2xf32>");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn inputs(&self) -> &[(String, TensorType)] {
        &self.signature.inputs
    }

    /// Returns the names and types of the outputs.
    ///
    /// ```
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) { stream.yield %x : f64 }";
    /// # let node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// assert_eq!(node.outputs()[0].0, "y");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn outputs(&self) -> &[(String, TensorType)] {
        &self.signature.outputs
    }

    /// Returns true if outputs depend on no later cycle. Only such nodes have [`Node::step`].
    ///
    /// ```
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) { stream.yield %x : f64 }";
    /// # let node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// assert!(node.is_forward());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn is_forward(&self) -> bool {
        self.signature.is_forward
    }

    /// Returns the memory of the node, part by part, and why it is bounded.
    ///
    /// ```
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) { stream.yield %x : f64 }";
    /// # let node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// assert!(node.memory().contains("bytes"), "{}", node.memory());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn memory(&self) -> &str {
        &self.signature.memory
    }

    /// Starts again from the first cycle.
    ///
    /// ```
    /// # use mlopt::{Tensor, View};
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) {
    /// #   %z = arith.constant 0.0 : f64
    /// #   %y = stream.fby %z, %x : f64
    /// #   stream.yield %y : f64
    /// # }";
    /// # let mut node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// for _ in 0..2 {
    ///     node.reset()?;
    ///     assert_eq!(node.step(&[Some(View::scalar(&1.0))])?, [Some(Tensor::scalar(0.0))]);
    /// }
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The node has ended by an internal error.
    pub fn reset(&mut self) -> Result<()> {
        self.ask(Request::Reset, &mut || false).map(drop)
    }

    /// Runs one cycle. Takes a value for each input and returns one for each output.
    ///
    /// ```
    /// # use mlopt::{Tensor, View};
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) { stream.yield %x : f64 }";
    /// # let mut node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// assert_eq!(node.step(&[Some(View::scalar(&1.0))])?, [Some(Tensor::scalar(1.0))]);
    /// let error = node.step(&[Some(View::scalar(&true))]).unwrap_err();
    /// assert_eq!(error.to_string(), "error: the input `x` must be `f64`, found `i1`");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The values have other types than the inputs, the node stops itself, or outputs depend on later cycles.
    pub fn step(&mut self, inputs: &[Option<View>]) -> Result<Vec<Option<Tensor>>> {
        if !self.is_forward() {
            let text = "not supported: outputs of this node depend on later cycles; run it by `run` or `feed`";
            return Err(Error::new(ErrorKind::NotSupported, text));
        }
        self.check_count(inputs.len())?;
        let streams = inputs.iter().zip(&self.signature.inputs).map(|(value, (name, ty))| {
            let (tensor, is_present) = match value {
                Some(view) if ty.accepts(view.element(), view.shape()) => (view.try_to_tensor()?, true),
                Some(view) => {
                    let shape = view.shape().iter().copied().map(Some).collect();
                    let found = TensorType { element: view.element(), shape };
                    return Err(argument(format!("the input `{name}` must be `{ty}`, found `{found}`")));
                }
                None => (Tensor::zeros(ty.element, &sizes(ty))?, false),
            };
            let row = tensor.array();
            let values = Tensor::of(Array::new([&[1], row.shape()].concat(), row.data().clone()));
            Ok(Stream { values, present: vec![Some(is_present)] })
        });
        let streams: Result<Vec<Stream>> = streams.collect();
        let outputs = self.feed(&streams?, false)?;
        let value = |(stream, (name, ty)): (Stream, &(String, TensorType))| match stream.present[..] {
            [Some(true)] => Ok(Some(Tensor::of(Array::new(sizes(ty), stream.values.array().data().clone())))),
            [Some(false)] => Ok(None),
            _ => Err(unknown(name)),
        };
        outputs.into_iter().zip(&self.signature.outputs).map(value).collect()
    }

    /// Runs the node from the first cycle to the end of its inputs. Takes an array for each input, whose first axis are
    /// the cycles, and returns such an array for each output.
    ///
    /// ```
    /// # use mlopt::View;
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) {
    /// #   %y = arith.addf %x, %x : f64
    /// #   stream.yield %y : f64
    /// # }";
    /// # let mut node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// let doubled = node.run(&[View::new(&[1.0, 2.0, 3.0], &[3])?])?;
    /// assert_eq!(doubled[0].elements::<f64>()?, [2.0, 4.0, 6.0]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Node::feed`]; an output is absent in a cycle, or the inputs end before it is known.
    pub fn run(&mut self, inputs: &[View]) -> Result<Vec<Tensor>> {
        let streams: Result<Vec<Stream>> = inputs.iter().map(|view| Stream::of(view.try_to_tensor()?)).collect();
        let streams = streams?;
        self.reset()?;
        let outputs = self.feed(&streams, true)?;
        let tensor = |(stream, (name, _)): (Stream, &(String, TensorType))| match stream
            .present
            .iter()
            .position(|present| *present != Some(true))
        {
            None => Ok(stream.values),
            Some(cycle) if stream.present[cycle].is_some() => Err(Error::new(
                ErrorKind::Argument,
                format!("the output `{name}` is absent in cycle {cycle}; use `feed`"),
            )),
            Some(_) => Err(unknown(name)),
        };
        outputs.into_iter().zip(&self.signature.outputs).map(tensor).collect()
    }

    /// Appends cycles: for each input its values in them. Returns the values of the outputs in the cycles that are
    /// known now, which may be fewer or more. `is_end` states that these are the last cycles.
    ///
    /// ```
    /// # use mlopt::{Stream, Tensor};
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) { stream.yield %x : f64 }";
    /// # let mut node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// let mut x = Stream::of(Tensor::new(&[2], vec![1.0, 2.0])?)?;
    /// x.present[1] = Some(false);
    /// let outputs = node.feed(&[x], true)?;
    /// assert_eq!(outputs[0].present, [Some(true), Some(false)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The streams have other types than the inputs, or different numbers of cycles; the node stops itself; it has
    /// ended, and must be reset first.
    pub fn feed(&mut self, inputs: &[Stream], is_end: bool) -> Result<Vec<Stream>> {
        self.feed_unless(inputs, is_end, || false)
    }

    /// Does the same, and asks a few times in a second whether the caller no longer waits. If it does not, the node
    /// must be reset.
    ///
    /// ```
    /// # use mlopt::{Stream, Tensor};
    /// # let text = "stream.node @f(%x: f64) -> (y: f64) { stream.yield %x : f64 }";
    /// # let mut node = mlopt::Session::new().parse("f.mlir", text)?.node("f")?;
    /// let x = Stream::of(Tensor::new(&[1], vec![1.0])?)?;
    /// let outputs = node.feed_unless(&[x], false, || false)?;
    /// assert_eq!(outputs[0].values.elements::<f64>()?, [1.0]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Node::feed`]; the caller no longer waits.
    pub fn feed_unless(
        &mut self,
        inputs: &[Stream],
        is_end: bool,
        mut is_interrupted: impl FnMut() -> bool,
    ) -> Result<Vec<Stream>> {
        self.check_count(inputs.len())?;
        let cycles = inputs.first().map_or(usize::from(!is_end), |stream| stream.present.len());
        let mut columns = vec![];
        for (stream, (name, ty)) in inputs.iter().zip(&self.signature.inputs) {
            let wanted = TensorType { element: ty.element, shape: [&[Some(cycles)], &ty.shape[..]].concat() };
            let (element, shape) = (stream.values.element(), stream.values.shape());
            if !wanted.accepts(element, shape) || stream.present.len() != cycles {
                let found = TensorType { element, shape: shape.iter().copied().map(Some).collect() };
                let marks = stream.present.len();
                let text = format!("the input `{name}` must be `{wanted}`, found `{found}` with {marks} cycles");
                return Err(argument(text));
            }
            let marks = stream.present.iter().map(|p| if *p == Some(true) { Cell::Value(()) } else { Cell::Absent });
            let none = Array::new([&[0], &shape[1..]].concat(), Data::zeros(ty.element, 0));
            let mut column = Column::of_rows(none);
            column.push_first(marks.collect(), stream.values.array().data());
            columns.push(column);
        }
        match self.ask(Request::Feed { columns, cycles, is_end }, &mut is_interrupted)? {
            Answer::Known(columns) => Ok(columns.iter().map(Stream::of_column).collect()),
            Answer::Started(_) => Err(ended()),
        }
    }

    fn check_count(&self, found: usize) -> Result<()> {
        let expected = self.signature.inputs.len();
        match expected == found {
            true => Ok(()),
            false => Err(argument(format!("the node has {expected} inputs, found {found}"))),
        }
    }

    fn ask(&mut self, request: Request, is_interrupted: &mut dyn FnMut() -> bool) -> Result<Answer> {
        if self.process != process::id() {
            let text = "the node runs in the process that has created it, of which this one is a copy by `fork`";
            return Err(Error::new(ErrorKind::NotSupported, format!("not supported: {text}")));
        }
        if self.abandoned > 0 && !matches!(request, Request::Reset) {
            return Err(Error::new(ErrorKind::Stopped, "the node was interrupted; it must be reset first"));
        }
        while self.abandoned > 0 {
            let _old = self.answer(is_interrupted);
            self.abandoned -= 1;
        }
        self.requests.as_ref().ok_or_else(ended)?.send(request).map_err(|_| ended())?;
        self.answer(is_interrupted)
    }

    fn answer(&mut self, is_interrupted: &mut dyn FnMut() -> bool) -> Result<Answer> {
        loop {
            match self.answers.recv_timeout(PATIENCE) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) if is_interrupted() => {
                    self.abandoned += 1;
                    return Err(Error::new(ErrorKind::Stopped, "the node was interrupted; it must be reset first"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        drop(self.requests.take());
        // A thread that still computes ends by itself.
        if self.abandoned == 0 && self.process == process::id() {
            let _ended = self.worker.take().map(JoinHandle::join);
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let types = |list: &[(String, TensorType)]| list.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        let (inputs, outputs): (Vec<String>, Vec<String>) = (types(self.inputs()), types(self.outputs()));
        f.debug_struct("Node").field("inputs", &inputs).field("outputs", &outputs).finish_non_exhaustive()
    }
}

fn sizes(ty: &TensorType) -> Vec<usize> {
    ty.shape.iter().map(|size| size.unwrap_or(0)).collect()
}

fn argument(text: String) -> Error {
    Error::new(ErrorKind::Argument, text)
}

fn unknown(output: &str) -> Error {
    Error::new(ErrorKind::Stopped, format!("the inputs end before the output `{output}` is known"))
}

fn ended() -> Error {
    Error::new(ErrorKind::Stopped, "the node has ended by an earlier error")
}

/// Returns the error of a failure whose diagnostics are in a list.
fn explained(failure: Failure, messages: &Messages, file: &str, source: Option<&str>) -> Error {
    let error = match failure {
        Failure::Error { place, text } => Error::at(ErrorKind::Program, &place, text),
        Failure::Reported => Error::reported(messages.take()),
    };
    match source {
        Some(source) => error.with_lines(file, source),
        None => error,
    }
}

/// Compiles a node, and answers requests until there are no more.
fn run(
    source: &str,
    file: &str,
    node: &str,
    requests: &Receiver<Request>,
    answers: &Sender<Result<Answer>>,
) -> Result<(), Failure> {
    // The text has the positions of the source, but not its lines.
    let program = Program::parse(source.as_bytes(), &format!("{file} as MLIR"))?;
    program.run_pipeline(PIPELINE)?;
    let flat = Flat::new(Flat::named(&program, node)?)?;
    let here = place(flat.graph.node.location());
    let code = Compiled::new(&flat, &[], &default_pipeline()).map_err(|error| match error {
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
    // If the caller has been dropped, the channel is closed and no request follows.
    let _ = answers.send(Ok(Answer::Started(Box::new(signature))));
    let stopped = |place: &str, text: String| Err(Error::at(ErrorKind::Stopped, place, text));
    let mut is_ended = false;
    for request in requests {
        let answer = match request {
            Request::Reset => {
                (session, is_ended) = (start()?, false);
                Ok(Answer::Started(Box::default()))
            }
            Request::Feed { .. } if is_ended => stopped("", "the node has ended; it must be reset first".to_string()),
            Request::Feed { columns, cycles, is_end } => {
                session.feed(&columns, cycles);
                match session.advance(is_end) {
                    Err(error) => stopped(&error.location, error.text),
                    Ok(known) => {
                        is_ended = is_end || known.stop.is_some();
                        match known.stop {
                            None => Ok(Answer::Known(known.shown)),
                            Some((n, stop)) => {
                                let (at, text) = flat.stopped(n, &stop);
                                stopped(at.as_deref().unwrap_or(&here), text)
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

/// Returns the initial value of an instance by its method.
fn initial_value(op: Op) -> Result<Array, EvalError> {
    let text = |name: &str| op.attribute(name).and_then(|a| a.as_string()).unwrap_or_default();
    let column = Column::new(op.result(0).ty());
    let value = initial::value(&text("method"), &text("initial_name"), column.element(), column.shape());
    value.map_err(|e| EvalError { location: place(op.location()), text: e.to_string() })
}
