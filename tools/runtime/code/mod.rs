//! Compiled code in this process: loading it, calling functions of arrays (`call`) and of data (`program`), and the
//! runtime of its tasks and memory. May use the lowering's `native` and `abi`. Must never know where arguments come
//! from. This module and `gpu` contain all `unsafe` code of this crate.

mod call;
mod data;
mod exports;
mod heap;
mod jit;
mod limit;
mod needs;
pub mod program;
mod tasks;
pub use call::{Compiled, Function};
pub use exports::first_site;
pub use heap::blocks_held;
pub use needs::Needs;
