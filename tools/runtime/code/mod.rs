//! Compiled code in this process: loading it, calling functions of arrays (`call`, and `fixed` for arrays in memory of
//! the caller) and of data (`program`), and the runtime of its tasks and memory. This module may use `native` and `abi`
//! of the lowerings. It must not depend on `arguments`: it is called with arrays, wherever they come from. This module
//! and `gpu` contain all `unsafe` code of this crate.

mod call;
mod data;
mod exports;
mod fixed;
pub mod folder;
mod heap;
mod jit;
mod needs;
mod object;
mod prepared;
pub mod program;
mod tasks;
pub use call::{Compiled, Function};
pub use exports::first_site;
pub use fixed::Fixed;
pub use heap::blocks_held;
pub use needs::Needs;
pub use object::Object;
pub use prepared::Prepared;
