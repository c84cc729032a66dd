//! From arrays to loop nests on values: ops become `sweep.nest`s, each of which may have several results. This module
//! may use `contraction` and `abi`. It must not depend on `memory`: fusion is decided on values, before buffers exist.

pub mod array_to_sweeps;
