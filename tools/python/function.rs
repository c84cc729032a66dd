//! Compiled code, its functions, and their calls.
#![allow(unsafe_code)]

use crate::arguments::{Argument, Place, to_number};
use crate::errors::{list, raised, wrong_argument};
use crate::numpy::{dtype, empty};
use mlopt::{Call, DlTensor, Element, ErrorKind, Pipeline, Target, TensorType};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The number of prepared calls that a function keeps, with their scratch memory.
const CALLS: usize = 8;

/// The bytes of scratch memory that they keep together. The call that was used last is kept in any case.
const SCRATCH_BYTES: usize = 64 << 20;

/// A list that rarely needs memory of its own.
type Few<T> = SmallVec<[T; 4]>;

/// The type of an argument or result.
#[pyclass(frozen, eq, hash, module = "mlopt")]
#[derive(PartialEq, Eq, Hash)]
pub struct ArrayType(pub TensorType);

#[pymethods]
impl ArrayType {
    /// NumPy's name of the type of the elements.
    #[getter]
    fn dtype(&self) -> &'static str {
        dtype(self.0.element)
    }

    /// The sizes, outermost first; None where the size is known only at run time.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.shape)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<mlopt.ArrayType {}>", self.0)
    }
}

/// Machine code in this process.
#[pyclass(frozen, module = "mlopt")]
pub struct Code {
    code: mlopt::Code,
    source: Source,
}

/// The program of a function: as an object, which is a `Module`, and as a module of the library.
pub struct Source {
    pub object: Py<PyAny>,
    pub module: Arc<mlopt::Module>,
}

impl Source {
    fn clone_ref(&self, py: Python) -> Source {
        Source { object: self.object.clone_ref(py), module: self.module.clone() }
    }
}

#[pymethods]
impl Code {
    /// The names of the functions, sorted.
    #[getter]
    fn functions(&self) -> Vec<String> {
        self.code.functions()
    }

    /// The warnings and remarks of the compilation.
    #[getter]
    fn diagnostics(&self, py: Python) -> PyResult<Py<PyList>> {
        list(py, self.code.diagnostics())
    }

    /// Returns a function.
    fn function(&self, py: Python, name: &str) -> PyResult<Function> {
        let function = self.code.function(name).map_err(raised)?;
        let name = function.name().to_string();
        Ok(Function { name, source: self.source.clone_ref(py), compiled: Arc::new(Compiled::of(function)).into() })
    }

    fn __getitem__(&self, py: Python, name: &str) -> PyResult<Function> {
        self.function(py, name)
    }

    fn __repr__(&self) -> String {
        format!("<mlopt.Code with functions {}>", self.functions().join(", "))
    }
}

impl Code {
    pub fn new(source: Source, code: mlopt::Code) -> Code {
        Code { code, source }
    }
}

/// A function, which is compiled when it is called for the first time.
#[pyclass(frozen, module = "mlopt")]
pub struct Function {
    #[pyo3(get, name = "__name__")]
    name: String,
    source: Source,
    compiled: OnceLock<Arc<Compiled>>,
}

struct Compiled {
    function: mlopt::Function,
    /// Calls that no thread uses at the moment; the last one was used last.
    #[allow(clippy::vec_box, reason = "calls are large and move often")]
    calls: Mutex<Vec<Box<Prepared>>>,
    /// True if calls cannot be prepared, because the sizes of results depend on values.
    is_sized_by_values: AtomicBool,
}

struct Prepared {
    /// The sizes of all arguments.
    sizes: SmallVec<[usize; 8]>,
    call: Call,
}

/// Addresses of arguments and results.
struct Addresses {
    arguments: Few<*const u8>,
    results: Few<*mut u8>,
}

// SAFETY: the memory belongs to objects that the calling function keeps.
unsafe impl Send for Addresses {}

impl Compiled {
    fn of(function: mlopt::Function) -> Compiled {
        Compiled { function, calls: Mutex::default(), is_sized_by_values: AtomicBool::new(false) }
    }

    /// Returns a call for arguments of these shapes; `None` if calls cannot be prepared.
    fn prepared(&self, arguments: &[Argument]) -> Result<Option<Box<Prepared>>, mlopt::Error> {
        if self.is_sized_by_values.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let sizes: SmallVec<[usize; 8]> = arguments.iter().flat_map(Argument::shape).copied().collect();
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(k) = calls.iter().rposition(|call| call.sizes == sizes) {
            return Ok(Some(calls.remove(k)));
        }
        drop(calls);
        let shapes: Vec<&[usize]> = arguments.iter().map(Argument::shape).collect();
        let call = match self.function.prepare(&shapes) {
            Ok(call) if call.result_shapes().len() == self.function.results().len() => call,
            Err(error) if error.kind() != ErrorKind::NotSupported => return Err(error),
            _ => {
                self.is_sized_by_values.store(true, Ordering::Relaxed);
                return Ok(None);
            }
        };
        Ok(Some(Box::new(Prepared { sizes, call })))
    }

    /// Keeps a call for the next one.
    fn keep(&self, call: Box<Prepared>) {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(call);
        let bytes = |calls: &[Box<Prepared>]| calls.iter().map(|call| call.call.scratch_bytes()).sum::<usize>();
        while calls.len() > CALLS || calls.len() > 1 && bytes(&calls) > SCRATCH_BYTES {
            calls.remove(0);
        }
    }
}

#[pymethods]
impl Function {
    /// Calls the function. Results are numbers and arrays of NumPy; `out` is the memory of results, or a tuple of it.
    #[pyo3(signature = (*arguments, out=None))]
    fn __call__<'py>(&self, arguments: &Bound<'py, PyTuple>, out: Option<&Bound<'py, PyAny>>) -> PyResult<Py<PyAny>> {
        let py = arguments.py();
        let compiled = self.compiled(py)?;
        let inputs = compiled.function.inputs();
        if arguments.len() != inputs.len() {
            let (name, expected, found) = (&self.name, inputs.len(), arguments.len());
            return Err(wrong_argument(py, format!("`@{name}` takes {expected} arguments, found {found}")));
        }
        let mut read: Few<Argument> = SmallVec::new();
        for (position, (object, ty)) in arguments.iter_borrowed().zip(inputs).enumerate() {
            let place = Place { function: &self.name, position, is_result: false };
            read.push(Argument::read(&object, ty, place)?);
        }
        let out = out.map(|out| self.outputs(out, compiled, &read)).transpose()?;
        let prepared = compiled.prepared(&read).map_err(raised)?;
        match prepared {
            Some(prepared) => self.run(py, compiled, prepared, &mut read, out),
            None => self.run_sized_by_values(py, compiled, &mut read, out),
        }
    }

    /// The program that it is from.
    #[getter]
    fn module(&self, py: Python) -> Py<PyAny> {
        self.source.object.clone_ref(py)
    }

    /// The types of the arguments.
    #[getter]
    fn inputs(&self, py: Python) -> PyResult<Vec<ArrayType>> {
        Ok(self.compiled(py)?.function.inputs().iter().cloned().map(ArrayType).collect())
    }

    /// The types of the results.
    #[getter]
    fn results(&self, py: Python) -> PyResult<Vec<ArrayType>> {
        Ok(self.compiled(py)?.function.results().iter().cloned().map(ArrayType).collect())
    }

    /// Returns the bytes of scratch memory of a call with arguments of these shapes.
    fn scratch_bytes(&self, py: Python, shapes: Vec<Vec<usize>>) -> PyResult<usize> {
        let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
        let call = self.compiled(py)?.function.prepare(&shapes).map_err(raised)?;
        Ok(call.scratch_bytes())
    }

    fn __repr__(&self) -> PyResult<String> {
        match self.compiled.get() {
            Some(compiled) => Ok(format!("<mlopt.Function {}>", compiled.function)),
            None => {
                let (inputs, results) = self.source.module.signature(&self.name).map_err(raised)?;
                Ok(format!("<mlopt.Function @{}({}) -> ({})>", self.name, inputs.join(", "), results.join(", ")))
            }
        }
    }
}

impl Function {
    /// Creates a function that is not compiled yet.
    pub fn lazy(source: Source, name: String) -> Function {
        Function { name, source, compiled: OnceLock::new() }
    }

    fn compiled(&self, py: Python) -> PyResult<&Compiled> {
        if self.compiled.get().is_none() {
            let module = &self.source.module;
            let function = py.detach(|| {
                let code = module.extended("", "")?.compile(&Pipeline::default_cpu(), &Target::host())?;
                code.function(&self.name)
            });
            // If another thread was faster, its code is used.
            let _ = self.compiled.set(Arc::new(Compiled::of(function.map_err(raised)?)));
        }
        Ok(self.compiled.get().expect("was set above"))
    }

    /// Reads the argument `out`: for each result its memory and the object.
    fn outputs<'py>(
        &self,
        out: &Bound<'py, PyAny>,
        compiled: &Compiled,
        arguments: &[Argument],
    ) -> PyResult<Vec<(Argument, Bound<'py, PyAny>)>> {
        let py = out.py();
        let types = compiled.function.results();
        let objects: Vec<Bound<PyAny>> = match out.cast::<PyTuple>() {
            Ok(tuple) => tuple.iter().collect(),
            Err(_) => vec![out.clone()],
        };
        if objects.len() != types.len() {
            let (name, expected, found) = (&self.name, types.len(), objects.len());
            return Err(wrong_argument(py, format!("`@{name}` has {expected} results, found memory for {found}")));
        }
        let mut outputs: Vec<(Argument, Bound<PyAny>)> = vec![];
        for (position, (object, ty)) in objects.into_iter().zip(types).enumerate() {
            let place = Place { function: &self.name, position, is_result: true };
            let output = Argument::output(&object, ty, place)?;
            let read = arguments.iter().zip(compiled.function.inputs()).map(|(x, ty)| x.range(ty.element));
            let written = outputs.iter().zip(types).map(|((x, _), ty)| x.range(ty.element));
            let memory = output.range(ty.element);
            let overlaps = |other: std::ops::Range<usize>| {
                memory.as_ref().is_some_and(|memory| memory.start < other.end && other.start < memory.end)
            };
            if read.chain(written).flatten().any(overlaps) {
                return Err(wrong_argument(py, format!("{} overlaps an argument or another result", place.text())));
            }
            outputs.push((output, object));
        }
        Ok(outputs)
    }

    /// Runs a prepared call.
    fn run(
        &self,
        py: Python,
        compiled: &Compiled,
        mut prepared: Box<Prepared>,
        arguments: &mut [Argument],
        out: Option<Vec<(Argument, Bound<PyAny>)>>,
    ) -> PyResult<Py<PyAny>> {
        let types = compiled.function.results();
        let mut results: Few<(Argument, Option<Bound<PyAny>>)> = SmallVec::new();
        match out {
            Some(out) => {
                for (position, (output, object)) in out.into_iter().enumerate() {
                    self.check_shape(py, compiled, position, output.shape(), &prepared.call.result_shapes()[position])?;
                    results.push((output, Some(object)));
                }
            }
            None => {
                for (ty, shape) in types.iter().zip(prepared.call.result_shapes()) {
                    results.push(new_result(py, ty.element, shape)?);
                }
            }
        }
        let addresses = Addresses {
            arguments: arguments.iter_mut().map(|x| x.address().cast_const()).collect(),
            results: results.iter_mut().map(|(x, _)| x.address()).collect(),
        };
        let call = &mut prepared.call;
        let outcome = py.detach(move || {
            // All of it, which may be sent.
            let all = addresses;
            // SAFETY: all arrays have the types and shapes of the prepared call, are contiguous and aligned, and exist
            // until the end of this function. Results are new, or were checked not to overlap with others. As for all
            // libraries that release the lock, the program must not change arrays in other threads meanwhile.
            unsafe { call.call_raw(&all.arguments, &all.results) }
        });
        compiled.keep(prepared);
        outcome.map_err(raised)?;
        collected(py, types, &mut results)
    }

    /// Calls a function whose results have sizes that depend on values.
    fn run_sized_by_values(
        &self,
        py: Python,
        compiled: &Compiled,
        arguments: &mut [Argument],
        out: Option<Vec<(Argument, Bound<PyAny>)>>,
    ) -> PyResult<Py<PyAny>> {
        let (inputs, types) = (compiled.function.inputs(), compiled.function.results());
        let shapes: Vec<Vec<i64>> = arguments.iter().map(|x| x.shape().iter().map(|n| *n as i64).collect()).collect();
        let tensors: Vec<DlTensor> = arguments
            .iter_mut()
            .zip(inputs)
            .zip(&shapes)
            .map(|((x, ty), shape)| tensor(x.address(), ty.element, shape))
            .collect();
        // SAFETY: the arguments exist until the end of this function; they were checked.
        let views: Result<Vec<_>, _> = tensors.iter().map(|tensor| unsafe { tensor.view() }).collect();
        let views = views.map_err(raised)?;
        let found = py.detach(|| compiled.function.call(&views)).map_err(raised)?;
        let mut out = out.map(Vec::into_iter);
        let mut results: Few<(Argument, Option<Bound<PyAny>>)> = SmallVec::new();
        for (position, (ty, value)) in types.iter().zip(&found).enumerate() {
            let (mut result, object) = match out.as_mut().and_then(Iterator::next) {
                Some((output, object)) => {
                    self.check_shape(py, compiled, position, output.shape(), value.shape())?;
                    (output, Some(object))
                }
                None => new_result(py, ty.element, value.shape())?,
            };
            let bytes = value.shape().iter().product::<usize>() * ty.element.bytes();
            // SAFETY: the result has the type and shape of the value.
            unsafe { std::ptr::copy_nonoverlapping(value.view().as_ptr(), result.address(), bytes) };
            results.push((result, object));
        }
        collected(py, types, &mut results)
    }

    fn check_shape(
        &self,
        py: Python,
        compiled: &Compiled,
        position: usize,
        found: &[usize],
        expected: &[usize],
    ) -> PyResult<()> {
        if found == expected {
            return Ok(());
        }
        let element = compiled.function.results()[position].element;
        let ty = |shape: &[usize]| TensorType { element, shape: shape.iter().copied().map(Some).collect() };
        let place = Place { function: &self.name, position, is_result: true };
        let text = format!("{} must be `{}`, found `{}`", place.text(), ty(expected), ty(found));
        Err(wrong_argument(py, text))
    }
}

/// Returns the memory of a new result, and its object if it is an array.
fn new_result<'py>(
    py: Python<'py>,
    element: Element,
    shape: &[usize],
) -> PyResult<(Argument, Option<Bound<'py, PyAny>>)> {
    if shape.is_empty() {
        return Ok((Argument::Number(0), None));
    }
    let array = empty(py, element, shape)?;
    let memory = crate::buffer::Memory::of(&array, true)?;
    let memory = memory.expect("an array of NumPy has a buffer");
    Ok((Argument::Memory(memory), Some(array)))
}

/// Returns the results of a call: None, an object, or a tuple.
fn collected(
    py: Python,
    types: &[TensorType],
    results: &mut [(Argument, Option<Bound<PyAny>>)],
) -> PyResult<Py<PyAny>> {
    let mut objects = types.iter().zip(results).map(|(ty, (result, object))| match (object.take(), result) {
        (Some(object), _) => Ok(object.unbind()),
        (None, Argument::Number(bits)) => to_number(py, *bits, ty.element),
        (None, _) => Ok(py.None()),
    });
    match types.len() {
        0 => Ok(py.None()),
        1 => objects.next().expect("there is one"),
        _ => Ok(PyTuple::new(py, objects.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()),
    }
}

/// Returns an array at an address in the layout of DLPack.
pub fn tensor(data: *mut u8, element: Element, shape: &[i64]) -> DlTensor {
    let code = match element {
        Element::F16 | Element::F32 | Element::F64 => 2,
        Element::BF16 => 4,
        Element::I1 => 6,
        Element::I8 | Element::I16 | Element::I32 | Element::I64 | Element::Index => 0,
    };
    DlTensor {
        data: data.cast(),
        device_type: 1,
        device_id: 0,
        ndim: shape.len() as i32,
        code,
        bits: 8 * element.bytes() as u8,
        lanes: 1,
        shape: shape.as_ptr(),
        strides: std::ptr::null(),
        byte_offset: 0,
    }
}
