//! Compiled code, its functions, and their calls.
#![allow(unsafe_code)]

use crate::arguments::{Argument, Place, Sizes, shapes, to_number};
use crate::errors::{list, raised, wrong_argument};
use crate::numpy::{dtype, empty};
use mlopt::{Call, DlTensor, Element, ErrorKind, Pipeline, Target, TensorType};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;
use std::ops::Range;
use std::ptr::{null, null_mut};
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
    sizes: Sizes,
    call: Call,
    /// The addresses of arguments and results in this call.
    arguments: Vec<*const u8>,
    results: Vec<*mut u8>,
}

// SAFETY: the memory belongs to objects that the calling function keeps during the call; other calls set all addresses.
unsafe impl Send for Prepared {}

impl Prepared {
    /// Runs the call.
    ///
    /// # Safety
    /// As for [`Call::call_raw`].
    unsafe fn run(&mut self) -> Result<(), mlopt::Error> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.call.call_raw(&self.arguments, &self.results) }
    }
}

/// The memory of results, which the caller gives or which is added when the shapes are known.
#[derive(Default)]
struct Results<'py> {
    memory: Few<Argument>,
    /// The object of each result; a number has none.
    objects: Few<Option<Bound<'py, PyAny>>>,
    /// The sizes of the memory that the caller gives.
    sizes: Sizes,
}

impl<'py> Results<'py> {
    /// Adds new memory for results of a function, or checks the shapes of the memory that the caller gives.
    fn complete<'a>(
        &mut self,
        py: Python<'py>,
        function: &str,
        types: &[TensorType],
        expected: impl Iterator<Item = &'a [usize]>,
    ) -> PyResult<()> {
        if !self.memory.is_empty() {
            return self.check(py, function, types, expected);
        }
        for (ty, shape) in types.iter().zip(expected) {
            if shape.is_empty() {
                self.memory.push(Argument::Number(0));
                self.objects.push(None);
            } else {
                let (array, start) = empty(py, ty.element, shape)?;
                self.memory.push(Argument::Array(start));
                self.objects.push(Some(array));
            }
        }
        Ok(())
    }

    /// Checks the shapes of the memory that the caller gives.
    fn check<'a>(
        &self,
        py: Python,
        function: &str,
        types: &[TensorType],
        expected: impl Iterator<Item = &'a [usize]>,
    ) -> PyResult<()> {
        for (position, (found, expected)) in shapes(types, &self.sizes).zip(expected).enumerate() {
            if found != expected {
                let element = types[position].element;
                let ty = |shape: &[usize]| TensorType { element, shape: shape.iter().copied().map(Some).collect() };
                let place = Place { function, position, is_result: true };
                let text = format!("{} must be `{}`, found `{}`", place.text(), ty(expected), ty(found));
                return Err(wrong_argument(py, text));
            }
        }
        Ok(())
    }

    /// Returns the results of a call: None, an object, or a tuple.
    fn collected(&mut self, py: Python, types: &[TensorType]) -> PyResult<Py<PyAny>> {
        let results = self.memory.iter().zip(&mut self.objects).zip(types);
        let mut objects = results.map(|((memory, object), ty)| match (memory, object.take()) {
            (_, Some(object)) => Ok(object.unbind()),
            (Argument::Number(bits), None) => to_number(py, *bits, ty.element),
            (_, None) => unreachable!("only numbers have no object"),
        });
        match types.len() {
            0 => Ok(py.None()),
            1 => objects.next().expect("there is one"),
            _ => Ok(PyTuple::new(py, objects.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()),
        }
    }
}

impl Compiled {
    fn of(function: mlopt::Function) -> Compiled {
        Compiled { function, calls: Mutex::default(), is_sized_by_values: AtomicBool::new(false) }
    }

    /// Returns a call for arguments of these sizes; `None` if calls cannot be prepared.
    fn prepared(&self, sizes: &Sizes) -> Result<Option<Box<Prepared>>, mlopt::Error> {
        if self.is_sized_by_values.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(k) = calls.iter().rposition(|call| call.sizes == *sizes) {
            return Ok(Some(calls.remove(k)));
        }
        drop(calls);
        let (inputs, results) = (self.function.inputs(), self.function.results());
        let shapes: Vec<&[usize]> = shapes(inputs, sizes).collect();
        let call = match self.function.prepare(&shapes) {
            Ok(call) if call.result_shapes().len() == results.len() => call,
            Err(error) if error.kind() != ErrorKind::NotSupported => return Err(error),
            _ => {
                self.is_sized_by_values.store(true, Ordering::Relaxed);
                return Ok(None);
            }
        };
        let (arguments, results) = (vec![null(); inputs.len()], vec![null_mut(); results.len()]);
        Ok(Some(Box::new(Prepared { sizes: sizes.clone(), call, arguments, results })))
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
        let (mut read, mut sizes): (Few<Argument>, Sizes) = Default::default();
        for (position, (object, ty)) in arguments.iter_borrowed().zip(inputs).enumerate() {
            let place = Place { function: &self.name, position, is_result: false };
            read.push(Argument::read(&object, ty, place, &mut sizes)?);
        }
        let mut results = Results::default();
        if let Some(out) = out {
            self.read_outputs(out, compiled, &read, &sizes, &mut results)?;
        }
        let prepared = compiled.prepared(&sizes).map_err(raised)?;
        match prepared {
            Some(prepared) => self.run(py, compiled, prepared, &mut read, &mut results),
            None => self.run_sized_by_values(py, compiled, &mut read, &sizes, &mut results),
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

    /// Reads the argument `out`, which must not overlap with arguments of these sizes.
    fn read_outputs<'py>(
        &self,
        out: &Bound<'py, PyAny>,
        compiled: &Compiled,
        arguments: &[Argument],
        sizes: &[usize],
        results: &mut Results<'py>,
    ) -> PyResult<()> {
        let py = out.py();
        let types = compiled.function.results();
        match out.cast::<PyTuple>() {
            Ok(tuple) => results.objects.extend(tuple.iter().map(Some)),
            Err(_) => results.objects.push(Some(out.clone())),
        }
        if results.objects.len() != types.len() {
            let (name, expected, found) = (&self.name, types.len(), results.objects.len());
            return Err(wrong_argument(py, format!("`@{name}` has {expected} results, found memory for {found}")));
        }
        let bytes = |ty: &TensorType, shape: &[usize]| shape.iter().product::<usize>() * ty.element.bytes();
        let inputs = compiled.function.inputs();
        let shapes_of_inputs = shapes(inputs, sizes);
        let read = arguments.iter().zip(inputs).zip(shapes_of_inputs).map(|((x, ty), shape)| x.range(bytes(ty, shape)));
        let mut used: Few<Range<usize>> = read.flatten().collect();
        for (position, (object, ty)) in results.objects.iter().flatten().zip(types).enumerate() {
            let place = Place { function: &self.name, position, is_result: true };
            let first = results.sizes.len();
            let memory = Argument::output(object, ty, place, &mut results.sizes)?;
            if let Some(range) = memory.range(bytes(ty, &results.sizes[first..])) {
                if used.iter().any(|other| range.start < other.end && other.start < range.end) {
                    return Err(wrong_argument(py, format!("{} overlaps an argument or another result", place.text())));
                }
                used.push(range);
            }
            results.memory.push(memory);
        }
        Ok(())
    }

    /// Runs a prepared call.
    fn run<'py>(
        &self,
        py: Python<'py>,
        compiled: &Compiled,
        mut prepared: Box<Prepared>,
        arguments: &mut [Argument],
        results: &mut Results<'py>,
    ) -> PyResult<Py<PyAny>> {
        let types = compiled.function.results();
        let expected = prepared.call.result_shapes();
        results.complete(py, &self.name, types, expected.iter().map(Vec::as_slice))?;
        prepared.arguments.iter_mut().zip(arguments).for_each(|(address, x)| *address = x.address());
        prepared.results.iter_mut().zip(&mut results.memory).for_each(|(address, x)| *address = x.address());
        let call = &mut *prepared;
        // SAFETY: all arrays have the types and shapes of the prepared call, are contiguous and aligned, and exist
        // until the end of this function. Results are new, or were checked not to overlap with others. As for all
        // libraries that release the lock, the program must not change arrays in other threads meanwhile.
        let outcome = py.detach(|| unsafe { call.run() });
        compiled.keep(prepared);
        outcome.map_err(raised)?;
        results.collected(py, types)
    }

    /// Calls a function whose results have sizes that depend on values.
    fn run_sized_by_values<'py>(
        &self,
        py: Python<'py>,
        compiled: &Compiled,
        arguments: &mut [Argument],
        sizes: &[usize],
        results: &mut Results<'py>,
    ) -> PyResult<Py<PyAny>> {
        let (inputs, types) = (compiled.function.inputs(), compiled.function.results());
        let all: Vec<Vec<i64>> = shapes(inputs, sizes).map(|x| x.iter().map(|n| *n as i64).collect()).collect();
        let arrays = arguments.iter_mut().zip(inputs).zip(&all);
        let tensors: Vec<_> = arrays.map(|((x, ty), shape)| tensor(x.address(), ty.element, shape)).collect();
        // SAFETY: the arguments exist until the end of this function; they were checked.
        let views: Result<Vec<_>, _> = tensors.iter().map(|tensor| unsafe { tensor.view() }).collect();
        let views = views.map_err(raised)?;
        let found = py.detach(|| compiled.function.call(&views)).map_err(raised)?;
        results.complete(py, &self.name, types, found.iter().map(mlopt::Tensor::shape))?;
        for (value, memory) in found.iter().zip(&mut results.memory) {
            let bytes = value.shape().iter().product::<usize>() * value.element().bytes();
            // SAFETY: the result has the type and shape of the value.
            unsafe { std::ptr::copy_nonoverlapping(value.view().as_ptr(), memory.address(), bytes) };
        }
        results.collected(py, types)
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
