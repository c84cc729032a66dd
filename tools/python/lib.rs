//! The extension module `mlopt._mlopt` of the Python package `mlopt`, on the Rust library of the same name. It is also
//! the plugin for JAX: one library exports `PyInit__mlopt` and `GetPjrtApi`.
//!
//! `errors` are exceptions with diagnostics, `module` has programs before they are compiled, `function` compiled
//! functions and their calls, `node` reactive nodes, `source` programs that are compiled
//! for the types of arguments, `reports` the steps of the optimiser, drawings and code for C, `arguments`
//! the conversion of Python's objects to memory and back, and `buffer` and `numpy` the ways in which objects show their
//! memory. Derivatives, other transformations, and the display in notebooks are written in Python (`python/mlopt/`).
//!
//! **Invariant.** Contiguous arguments are not copied. The interpreter's lock is released while a program is parsed,
//! compiled or called. A failed call changes no argument and loses no module.

mod arguments;
mod buffer;
mod errors;
mod function;
mod module;
mod node;
mod numpy;
mod reports;
mod source;

pub use mlopt_pjrt::GetPjrtApi;

use pyo3::prelude::*;

/// The compiler mlopt.
#[pymodule]
mod _mlopt {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::errors::Diagnostic;
    #[pymodule_export]
    use crate::function::{ArrayType, Code, Function};
    #[pymodule_export]
    use crate::module::{Module, Session};
    #[pymodule_export]
    use crate::node::Node;
    #[pymodule_export]
    use crate::reports::Step;
    #[pymodule_export]
    use crate::source::Program;

    /// Sets the number of threads that execute a parallel loop of compiled code, the calling one included. 0 stands for
    /// the environment variable MLOPT_THREADS, or else the number of processors that the process may use. Results do
    /// not depend on it.
    #[pyfunction]
    fn set_threads(threads: usize) {
        mlopt::set_threads(threads);
    }

    /// Returns the number of threads that execute a parallel loop of compiled code.
    #[pyfunction]
    fn threads() -> usize {
        mlopt::threads()
    }

    /// Adds the passes from functional programs to array programs.
    #[pymodule_init]
    fn init(module: &Bound<PyModule>) -> PyResult<()> {
        module.add("_TO_ARRAYS", mlopt_lowering::pipelines::FUNCTIONS_TO_ARRAYS.join(","))
    }
}
