//! The optimiser. `translation` translates a block to hash-consed terms. Rules rewrite the terms, in `normaliser` and
//! in the e-graph (`saturate`). Extraction selects the cheapest equal term, and `placement` assigns its parts to loops
//! and blocks; the result is translated back to a block. `phases` defines the order of these steps. This module may use
//! `analysis`. It must not use the passes that produce its input. No rule may be specific to a target or to a
//! benchmark.

pub mod contract_sums;
pub mod egg_optimize;
pub mod equivalence;
pub mod explanation;
pub mod functional;
pub mod normalise_terms;
pub mod normaliser;
pub mod phases;
pub mod place_terms;
pub mod placement;
pub mod recognise_idioms;
pub mod rules;
pub mod saturate;
pub mod saturate_terms;
pub mod set_fastmath;
pub mod terms;
pub mod translation;
pub mod unroll_small_loops;
pub mod user_rules;
