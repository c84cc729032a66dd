//! Programs before they are compiled.

use crate::errors::{list, raised};
use crate::function::{Code, Function, Source};
use crate::reports;
use mlopt::{Cache, Pipeline, Target};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::path::PathBuf;
use std::sync::Arc;

/// The compiler, with a cache of compiled code in files if a folder is given.
#[pyclass(frozen, module = "mlopt")]
pub struct Session(mlopt::Session);

#[pymethods]
impl Session {
    /// Creates a session. `cache` is a folder, or True for that of the user, or None.
    #[new]
    #[pyo3(signature = (cache=None))]
    fn new(cache: Option<Bound<PyAny>>) -> PyResult<Session> {
        let cache = match cache {
            None => None,
            Some(flag) if flag.extract::<bool>().is_ok() => {
                flag.extract::<bool>()?.then(Cache::of_user).transpose().map_err(raised)?
            }
            Some(folder) => Some(Cache::open(folder.extract::<PathBuf>()?).map_err(raised)?),
        };
        Ok(Session(cache.map_or_else(mlopt::Session::new, mlopt::Session::with_cache)))
    }

    /// Parses a program: text, or bytes. The extension of the name selects the notation. A program of JAX has XLA's
    /// meaning where StableHLO's is another one.
    #[pyo3(signature = (source, name="program.mlir", *, jax=false))]
    fn parse(&self, py: Python, source: &Bound<PyAny>, name: &str, jax: bool) -> PyResult<Module> {
        let bytes = if let Ok(text) = source.cast::<PyString>() {
            text.to_cow()?.into_owned().into_bytes()
        } else if let Ok(bytes) = source.cast::<PyBytes>() {
            bytes.as_bytes().to_vec()
        } else {
            let text = format!("a program must be `str` or `bytes`, found `{}`", source.get_type().name()?);
            return Err(PyTypeError::new_err(text));
        };
        let parse = || if jax { self.0.parse_jax(name, bytes) } else { self.0.parse(name, bytes) };
        let module = py.detach(parse).map_err(raised)?;
        Ok(Module { module: module.into(), diagnostics: PyList::empty(py).unbind() })
    }

    /// The number of programs whose code was found in the cache, and of those that were compiled.
    #[getter]
    fn cache_counts(&self) -> Option<(u64, u64)> {
        self.0.cache().map(|cache| (cache.hits(), cache.misses()))
    }
}

/// A verified program, which does not change.
#[pyclass(frozen, module = "mlopt")]
pub struct Module {
    module: Arc<mlopt::Module>,
    /// Warnings and remarks of the passes that have created it.
    #[pyo3(get)]
    diagnostics: Py<PyList>,
}

/// Returns the pipeline of an argument: a text in the format of `--pass-pipeline`, a list of passes, or None.
fn pipeline(argument: Option<&Bound<PyAny>>) -> PyResult<Pipeline> {
    let Some(argument) = argument else {
        return Ok(Pipeline::default_cpu());
    };
    if let Ok(text) = argument.extract::<String>() {
        let is_list = !text.trim_start().starts_with("builtin.module(");
        return Ok(if is_list { Pipeline::of(&[&text]) } else { Pipeline::parse(&text) });
    }
    let passes = argument.extract::<Vec<String>>()?;
    Ok(Pipeline::of(&passes.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// Returns the module that shows programs, steps and drawings in notebooks.
fn display(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("mlopt._display")
}

#[pymethods]
impl Module {
    /// Runs passes on a copy of the program and returns it.
    fn run(&self, py: Python, pipeline: &Bound<PyAny>) -> PyResult<Module> {
        let pipeline = self::pipeline(Some(pipeline))?;
        let ran = py.detach(|| {
            let mut copy = self.module.extended("", "")?;
            let diagnostics = copy.run(&pipeline)?;
            Ok((copy, diagnostics))
        });
        let (module, diagnostics) = ran.map_err(raised)?;
        Ok(Module { module: module.into(), diagnostics: list(py, &diagnostics)? })
    }

    /// Compiles the program.
    #[pyo3(signature = (pipeline=None, *, target="native", features="", options=None, fast=false))]
    fn compile(
        slf: &Bound<Module>,
        pipeline: Option<&Bound<PyAny>>,
        target: &str,
        features: &str,
        options: Option<&Bound<PyDict>>,
        fast: bool,
    ) -> PyResult<Code> {
        let mut pipeline = self::pipeline(pipeline)?;
        if fast {
            pipeline = pipeline.fast();
        }
        for (pass, text) in options.into_iter().flatten() {
            pipeline = pipeline.with_options(&pass.extract::<String>()?, &text.extract::<String>()?);
        }
        let module = &slf.get().module;
        let compiled = slf.py().detach(|| {
            let target = Target::named(target, features)?;
            module.extended("", "")?.compile(&pipeline, &target)
        });
        Ok(Code::new(Module::source(slf), compiled.map_err(raised)?))
    }

    /// Returns a copy with the functions of a text in MLIR.
    #[pyo3(signature = (text, name="extension.mlir"))]
    fn extended(&self, py: Python, text: &str, name: &str) -> PyResult<Module> {
        let module = py.detach(|| self.module.extended(name, text)).map_err(raised)?;
        Ok(Module { module: module.into(), diagnostics: PyList::empty(py).unbind() })
    }

    /// The names of the public functions.
    #[getter]
    fn functions(&self, py: Python) -> PyResult<Vec<String>> {
        py.detach(|| self.module.functions()).map_err(raised)
    }

    /// The types of the arguments and results of a function, in MLIR.
    fn signature(&self, py: Python, function: &str) -> PyResult<(Vec<String>, Vec<String>)> {
        py.detach(|| self.module.signature(function)).map_err(raised)
    }

    /// Returns a function, which is compiled when it is called.
    fn function(slf: &Bound<Module>, name: &str) -> PyResult<Function> {
        let name = name.trim_start_matches('@');
        slf.get().signature(slf.py(), name)?;
        Ok(Function::lazy(Module::source(slf), name.to_string()))
    }

    fn __getitem__(slf: &Bound<Module>, name: &str) -> PyResult<Function> {
        Module::function(slf, name)
    }

    /// Returns the steps of the optimiser in the functions, or in one of them.
    #[pyo3(signature = (function=None))]
    fn explain<'py>(&self, py: Python<'py>, function: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(name) = function {
            self.signature(py, name)?;
        }
        display(py)?.call_method1("Steps", (reports::explain(py, &self.text(py)?, function)?,))
    }

    /// Draws the dataflow of a function or of a node, or of the functions or the node of the program.
    #[pyo3(signature = (name=None, *, limit=150))]
    fn dataflow<'py>(&self, py: Python<'py>, name: Option<&str>, limit: usize) -> PyResult<Bound<'py, PyAny>> {
        display(py)?.call_method1("Drawing", reports::dataflow(py, &self.text(py)?, name, limit)?)
    }

    /// Writes code for C programs to a folder: the object file `NAME.o` and its header `NAME.h`.
    #[pyo3(signature = (folder, name="program", *, target="x86-64", features=""))]
    fn export_c(&self, py: Python, folder: PathBuf, name: &str, target: &str, features: &str) -> PyResult<()> {
        let target = Target::named(target, features).map_err(raised)?;
        reports::export_c(py, &self.text(py)?, &folder, name, &target)
    }

    /// True if a function of the program works with functions or data that are not arrays.
    #[getter]
    fn _is_functional(&self, py: Python) -> PyResult<bool> {
        py.detach(|| self.module.is_functional()).map_err(raised)
    }

    /// The program as MLIR.
    #[getter]
    fn text(&self, py: Python) -> PyResult<String> {
        py.detach(|| self.module.text()).map_err(raised)
    }

    fn __str__(&self, py: Python) -> PyResult<String> {
        self.text(py)
    }

    /// The program as a part of a page, for notebooks.
    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        display(py)?.call_method1("program", (self.text(py)?,))
    }

    fn __repr__(&self, py: Python) -> PyResult<String> {
        Ok(format!("<mlopt.Module with functions {}>", self.functions(py)?.join(", ")))
    }
}

impl Module {
    /// Returns the module of the library.
    pub fn module(&self) -> &mlopt::Module {
        &self.module
    }

    fn source(slf: &Bound<Module>) -> Source {
        Source { object: slf.clone().into_any().unbind(), module: slf.get().module.clone() }
    }
}
