//! Reactive nodes.
#![allow(unsafe_code)]

use crate::arguments::{Argument, Place, Sizes};
use crate::errors::{Problem, failed, raised};
use crate::function::{ArrayType, tensor};
use crate::module::Module;
use crate::numpy;
use mlopt::{ErrorKind, Session, Stream, Tensor, TensorType};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Mutex, PoisonError};

/// A running node.
#[pyclass(frozen, module = "mlopt", name = "_Node")]
pub struct Node {
    node: Mutex<mlopt::Node>,
    inputs: Vec<(String, TensorType)>,
    outputs: Vec<(String, TensorType)>,
    #[pyo3(get)]
    is_forward: bool,
    #[pyo3(get)]
    memory: String,
}

#[pymethods]
impl Node {
    /// Compiles and starts the node of a program: a module, or MLIR with a name for messages.
    #[new]
    fn new(py: Python, source: &Bound<PyAny>, name: &str, node: &str) -> PyResult<Node> {
        let started = match source.cast::<Module>() {
            Ok(module) => {
                let module = module.get().module();
                py.detach(|| module.node(node))
            }
            Err(_) => {
                let text: String = source.extract()?;
                py.detach(|| Session::new().parse(name, text)?.node(node))
            }
        };
        let node = started.map_err(raised)?;
        let (inputs, outputs) = (node.inputs().to_vec(), node.outputs().to_vec());
        let (is_forward, memory) = (node.is_forward(), node.memory().to_string());
        Ok(Node { node: Mutex::new(node), inputs, outputs, is_forward, memory })
    }

    /// The names and types of the inputs.
    #[getter]
    fn inputs(&self) -> Vec<(String, ArrayType)> {
        self.inputs.iter().map(|(name, ty)| (name.clone(), ArrayType(ty.clone()))).collect()
    }

    /// The names and types of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<(String, ArrayType)> {
        self.outputs.iter().map(|(name, ty)| (name.clone(), ArrayType(ty.clone()))).collect()
    }

    /// Starts again from the first cycle.
    fn restart(&self, py: Python) -> PyResult<()> {
        py.detach(|| self.node.lock().unwrap_or_else(PoisonError::into_inner).reset()).map_err(raised)
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
        let mut streams = vec![];
        for (position, (name, ty)) in self.inputs.iter().enumerate() {
            let (rows, marks): (Bound<PyAny>, Vec<u8>) = match columns.get_item(name)? {
                Some(column) => column.extract()?,
                None => {
                    let text = format!("expected values of the input `{name}`");
                    return Err(failed(py, ErrorKind::Argument, Problem::new("", text)));
                }
            };
            let ty = TensorType { element: ty.element, shape: [&[Some(cycles)], &ty.shape[..]].concat() };
            let place = Place { function: "node", position, is_result: false };
            let mut sizes = Sizes::new();
            let values = copied(Argument::read(&rows, &ty, place, &mut sizes)?, &ty, &sizes)?;
            streams.push(Stream { values, present: marks.iter().map(|mark| Some(*mark > 0)).collect() });
        }
        // Signals of the process are handled while the node computes, of which an interrupt is one.
        let mut raised_by_signal = None;
        let found = py.detach(|| {
            let is_interrupted = || match Python::attach(|py| py.check_signals()) {
                Ok(()) => false,
                Err(error) => {
                    raised_by_signal = Some(error);
                    true
                }
            };
            self.node.lock().unwrap_or_else(PoisonError::into_inner).feed_unless(&streams, is_end, is_interrupted)
        });
        if let Some(error) = raised_by_signal {
            return Err(error);
        }
        let outputs = PyDict::new(py);
        for ((name, _), stream) in self.outputs.iter().zip(found.map_err(raised)?) {
            let mark = |present: &Option<bool>| present.map_or(2, u8::from);
            let marks: Vec<u8> = stream.present.iter().map(mark).collect();
            outputs.set_item(name, (array(py, &stream.values)?, PyBytes::new(py, &marks)))?;
        }
        Ok(outputs)
    }
}

/// Copies an argument of a type and sizes, whose object exists.
fn copied(mut argument: Argument, ty: &TensorType, sizes: &[usize]) -> PyResult<Tensor> {
    let shape: Vec<i64> = sizes.iter().map(|size| *size as i64).collect();
    let tensor = tensor(argument.address(), ty.element, &shape);
    // SAFETY: the argument has this type, is contiguous, and exists until the end of this function.
    let view = unsafe { tensor.view() };
    view.and_then(|view| view.try_to_tensor()).map_err(raised)
}

/// Returns a copy as an array of NumPy.
fn array<'py>(py: Python<'py>, values: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    let (element, shape) = (values.element(), values.shape());
    let bytes = shape.iter().product::<usize>() * element.bytes();
    // SAFETY: a tensor is contiguous and has this number of bytes.
    let bytes = unsafe { std::slice::from_raw_parts(values.view().as_ptr(), bytes) };
    numpy::array(py, element, shape, bytes)
}
