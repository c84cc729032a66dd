//! How programs improve at one level. Knowledge of targets is absent on purpose.
#![deny(unsafe_code)]

pub mod activity;
pub mod affine;
pub mod bottom_up;
pub mod bulk_operations;
pub mod checkpoint;
pub mod choose_mode;
pub mod closure_convert;
pub mod contract_sums;
pub mod cost;
pub mod dead_code;
pub mod derivatives;
pub mod differentiate;
pub mod discrete;
pub mod dual_arrays;
pub mod egg_optimize;
pub mod equivalence;
pub mod explain;
pub mod facts;
pub mod forward;
pub mod functions;
pub mod idioms;
pub mod infer_structure;
pub mod j_transform;
pub mod jvp;
pub mod keep_sizes;
pub mod lambda_simplify;
pub mod lambda_specialise;
pub mod lambda_to_array;
pub mod mark_pure;
pub mod normalise;
pub mod normalise_terms;
pub mod notation;
pub mod optimise;
pub mod outline;
pub mod phases;
pub mod place_terms;
pub mod profile;
pub mod proof;
pub mod pullback_reduce;
pub mod pullbacks;
pub mod random;
pub mod recognise_idioms;
pub mod record;
pub mod requests;
pub mod rules;
pub mod saturate;
pub mod saturate_terms;
pub mod set_fastmath;
pub mod shrink;
pub mod static_sizes;
pub mod stream_grad;
pub mod stream_inline;
pub mod stream_plan;
pub mod stream_simplify;
pub mod stream_to_loops;
pub mod stream_train;
pub mod streams;
pub mod structures;
pub mod terms;
pub mod top_down;
pub mod transpose_delta;
pub mod unroll_small_loops;
pub mod upstream_to_array;
pub mod user_rules;
pub mod verify_bulk;
pub mod verify_first_order;
pub mod vmap;

#[cfg(test)]
mod testing;

use mlopt_dialects::bridge::{Pass, register_pass, register_pipeline};

/// Every pass of this storey.
pub const PASSES: &[Pass] = &[
    bulk_operations::PASS,
    closure_convert::PASS,
    contract_sums::PASS,
    differentiate::PASS,
    dual_arrays::PASS,
    egg_optimize::PASS,
    infer_structure::PASS,
    j_transform::PASS,
    jvp::PASS,
    keep_sizes::PASS,
    lambda_simplify::PASS,
    lambda_specialise::PASS,
    lambda_to_array::PASS,
    normalise_terms::PASS,
    place_terms::PASS,
    pullback_reduce::PASS,
    recognise_idioms::PASS,
    saturate_terms::PASS,
    mark_pure::PASS,
    set_fastmath::PASS,
    static_sizes::PASS,
    stream_grad::PASS,
    stream_inline::PASS,
    stream_plan::PASS,
    stream_simplify::PASS,
    stream_to_loops::PASS,
    stream_train::PASS,
    transpose_delta::PASS,
    unroll_small_loops::PASS,
    upstream_to_array::PASS,
    verify_bulk::PASS,
    verify_first_order::PASS,
    vmap::PASS,
];

/// Reverse mode, for requests that are not nested in others: bulk operations first, so that linear maps are small.
pub const VJP: &[&str] = &["bulk-operations", "dual-arrays", "transpose-delta"];

/// Makes the passes available by name, and the pipeline `vjp`.
pub fn register() {
    PASSES.iter().for_each(register_pass);
    let description = "Reverse-mode differentiation: bulk-operations, dual-arrays, transpose-delta";
    register_pipeline("vjp", description, &VJP.join(","));
}
