//! The compiler `mlopt` as a library: programs over arrays and functions, with derivatives, become machine code that
//! this process calls.
//!
//! ```
//! use mlopt::{Session, View};
//!
//! let session = Session::new();
//! let code = session.compile(
//!     "dot.mlir",
//!     "func.func private @dot(%a: tensor<?xf64>, %b: tensor<?xf64>) -> f64 {
//!        %n = array.length %a : tensor<?xf64>
//!        %z = array.build (%i < %n) -> (tensor<?xf64>) {
//!          %x = array.get %a[%i] : (tensor<?xf64>) -> f64
//!          %y = array.get %b[%i] : (tensor<?xf64>) -> f64
//!          %p = arith.mulf %x, %y : f64
//!          array.yield %p : f64
//!        }
//!        %s = array.sum %z : (tensor<?xf64>) -> f64
//!        return %s : f64
//!      }
//!      func.func @slope(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
//!        %d:2 = dual.grad @dot(%a, %b) : (tensor<?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>)
//!        return %d#0 : tensor<?xf64>
//!      }",
//! )?;
//! let (a, b) = ([1.0, 2.0], [3.0, 4.0]);
//! let slope = code.function("slope")?.call(&[View::new(&a, &[2])?, View::new(&b, &[2])?])?;
//! assert_eq!(slope[0].elements::<f64>()?, [3.0, 4.0]);
//! # Ok::<(), mlopt::Error>(())
//! ```
//!
//! A [`Session`] parses a text to a [`Module`], which is compiled to [`Code`] by a [`Pipeline`] of passes for a
//! [`Target`]. A [`Function`] of the code takes [`View`]s of memory and returns [`Tensor`]s, or writes to a
//! [`ViewMut`]; a [`Call`] is prepared for many calls. A [`Node`] is a reactive program, which runs cycle by cycle. A
//! [`ModuleBuilder`] builds programs by calls. Every failure is an [`Error`] with [`Diagnostic`]s. Large loops run on
//! several threads, whose number [`set_threads`] sets. Nothing is printed, no stack of a caller needs to be large, and
//! nothing outlives the memory that it refers to.
//!
//! This crate may use all crates below it. It must not depend on the command line, and shows none of the compiler's own
//! types except [`Pass`] and the [`enums`] of attributes. The first use replaces the panic hook of the process by one
//! that passes the panics of other code on to it.
#![deny(missing_docs)]

mod builder;
mod cache;
mod code;
mod elements;
mod error;
mod module;
mod node;
mod pipeline;
mod session;
mod stack;
mod target;
mod tensor;
mod view;

pub use builder::{Builder, ModuleBuilder, Size, Type, Value};
pub use cache::Cache;
pub use code::{Call, Code, Function};
pub use elements::{Element, Scalar, TensorType};
pub use error::{Diagnostic, Error, ErrorKind, Result, Severity};
pub use mlopt_dialects::bridge::Pass;
pub use mlopt_dialects::ops::enums;
pub use mlopt_runtime::threads::{set_threads, threads};
pub use module::Module;
pub use node::{Node, Stream};
pub use pipeline::Pipeline;
pub use session::Session;
pub use target::Target;
pub use tensor::Tensor;
pub use view::{DlTensor, View, ViewMut};
