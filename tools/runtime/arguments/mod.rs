//! Values on the command line and in files as arrays: literals, `.npy` and `.csv` files, generated values, and output
//! in numpy's format. This module may use arrays and the types of compiled functions. It must not depend on programs:
//! it reads and prints a value in the same way for every program.

pub mod argument;
pub mod memory;
pub mod npy;
pub mod numpy_print;
pub mod parameter;
pub mod random;
pub mod table;
