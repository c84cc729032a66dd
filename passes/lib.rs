//! Passes on programs with arrays, functions and streams, including the conversions of functions and streams to arrays.
//! On purpose, no pass depends on the target for which a program is compiled.
//!
//! The folders in reading order are `analysis`, `arrays`, `optimise`, `ad`, `functions` and `streams`. Each may use
//! earlier ones, unless its module doc forbids it; `cargo xtask check layout` reports cycles. The module doc of a pass
//! has three labels: *Requires* (the precondition on its input), *Result* (what holds afterwards) and *Preserves* (what
//! it does not change). References such as `spec/arrays.md` C.4 name a section of the specification (docs/glossary.md).
#![forbid(unsafe_code)]

pub mod ad;
pub mod analysis;
pub mod arrays;
pub mod functions;
pub mod optimise;
pub mod streams;

use mlopt_dialects::bridge::{Pass, register_pass, register_pipeline};

/// Every pass of this crate.
pub const PASSES: &[Pass] = &[
    arrays::bulk_operations::PASS,
    functions::closure_convert::PASS,
    optimise::contract_sums::PASS,
    ad::differentiate::PASS,
    ad::dual_arrays::PASS,
    optimise::egg_optimize::PASS,
    functions::infer_structure::PASS,
    functions::j_transform::PASS,
    ad::jvp::PASS,
    arrays::keep_sizes::PASS,
    functions::lambda_simplify::PASS,
    functions::lambda_specialise::PASS,
    functions::lambda_to_array::PASS,
    optimise::normalise_terms::PASS,
    optimise::place_terms::PASS,
    functions::pullback_reduce::PASS,
    optimise::recognise_idioms::PASS,
    optimise::saturate_terms::PASS,
    analysis::mark_pure::PASS,
    optimise::set_fastmath::PASS,
    arrays::stablehlo_to_array::PASS,
    arrays::static_sizes::PASS,
    streams::stream_grad::PASS,
    streams::stream_inline::PASS,
    streams::stream_plan::PASS,
    streams::stream_simplify::PASS,
    streams::stream_to_loops::PASS,
    streams::stream_train::PASS,
    ad::transpose_delta::PASS,
    optimise::unroll_small_loops::PASS,
    arrays::upstream_to_array::PASS,
    arrays::verify_bulk::PASS,
    functions::verify_first_order::PASS,
    arrays::vmap::PASS,
    arrays::widen_halves::PASS,
];

/// Reverse mode, for requests that are not nested in others: bulk operations first, so that linear maps are small.
pub const VJP: &[&str] = &["bulk-operations", "dual-arrays", "transpose-delta"];

/// Makes the passes available by name, and the pipeline `vjp`. Further calls do nothing.
pub fn register() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        PASSES.iter().for_each(register_pass);
        let description = "Reverse-mode differentiation: bulk-operations, dual-arrays, transpose-delta";
        register_pipeline("vjp", description, &VJP.join(","));
    });
}
