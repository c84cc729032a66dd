//! From tensors to buffers: each tensor is assigned memory, in an output buffer of the caller or in one arena of
//! scratch memory. This module may use `contraction` and `abi`. It must not depend on `loops` or `llvm`: the plan
//! depends only on the reads and writes of nests, not on the loops that they will become.

pub mod plan_memory;
