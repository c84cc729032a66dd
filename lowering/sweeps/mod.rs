//! From arrays to loop nests on tensors: ops become `sweep.nest`s, each of which may have several results. This module
//! may use `contraction` and `abi`. It must not depend on `memory`: fusion is decided on tensors, before buffers exist.

pub mod array_to_sweeps;
