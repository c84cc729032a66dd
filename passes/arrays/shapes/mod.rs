//! The common part of the imports of other dialects: sizes that are constants or values, and reads, updates and copies
//! of parts of arrays as ops of the dialect `array`.

pub mod index;
pub mod parts;
pub mod sizes;
