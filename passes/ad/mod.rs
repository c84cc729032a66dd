//! Differentiation of programs over arrays. `derivatives` is the only table of derivatives; `forward` turns values into
//! duals by it, `transpose_delta` transposes linear maps, and `differentiate` expands requests, innermost first. May
//! use `analysis`, `arrays` and the costs of `optimise`. Must never know closures or streams: these are functions over
//! arrays by then.

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
