//! From arrays to loop nests on values: one `sweep.nest` for each nest, with several results. May use `contraction` and
//! `abi`. Must never know buffers: fusion is decided on values.

pub mod array_to_sweeps;
