//! Differentiation of programs over arrays. `derivatives` is the only table of derivatives. `forward` uses it to
//! compute a tangent for each value, `transpose_delta` transposes linear maps, and `differentiate` expands requests,
//! innermost first. This module may use `analysis`, `arrays` and the costs that `optimise` defines. It must not depend
//! on `functions` or `streams`: both use this module for the derivatives of their ops.

pub mod activity;
pub mod checkpoint;
pub mod choose_mode;
pub mod derivatives;
pub mod differentiate;
pub mod discrete;
pub mod dual_arrays;
pub mod forward;
pub mod jvp;
pub mod outline;
pub mod requests;
pub mod transpose_delta;
