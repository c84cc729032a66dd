//! The optimiser: blocks become hash-consed terms (`translation`), rules rewrite them (`normaliser`, `saturate`), and
//! the cheapest form becomes a plan of loops (`placement`), which is translated back to a block. `phases` defines the
//! order of the steps. May use `analysis`. Must never know the producer of the code that it reads, a target, or a
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
