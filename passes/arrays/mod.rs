//! Passes within the array language: the import of `tensor` and `linalg`, `array.vmap`, static sizes, and bulk
//! operations in place of builds. May use `analysis`. Must never know derivatives: requests are left unchanged.

pub mod bulk_operations;
pub mod keep_sizes;
pub mod static_sizes;
pub mod upstream_to_array;
pub mod verify_bulk;
pub mod vmap;
