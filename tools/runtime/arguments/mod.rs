//! Values of the command line and of files as arrays: literals, `.npy`, `.csv`, generated values, and how numpy prints
//! them. May use the dialects' arrays. Must never know a program.

pub mod argument;
pub mod memory;
pub mod npy;
pub mod numpy_print;
pub mod parameter;
pub mod random;
pub mod table;
