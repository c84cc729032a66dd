//! Passes on programs over arrays. They import programs in `tensor` and `linalg`, expand `array.vmap`, specialise
//! functions for static sizes, and replace `array.build`s by *bulk operations*, which are operations on whole arrays.
//! Requests for derivatives are left unchanged. This module may use `analysis`, and must not depend on `ad`, which uses
//! this module.

pub mod bulk_operations;
pub mod keep_sizes;
pub mod shapes;
pub mod stablehlo_to_array;
pub mod static_sizes;
pub mod upstream_to_array;
pub mod verify_bulk;
pub mod vmap;
pub mod widen_halves;
