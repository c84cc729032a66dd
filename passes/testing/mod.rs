//! Test tools: forward differentiation of terms, evaluation of plans with a count of their work.

mod edges;
mod forward;
mod gradients;
mod interpret;
mod laws;
pub mod text;
mod text_rules;
