//! Tools for tests: forward-mode differentiation of terms, and evaluation of plans that counts their work.

mod edges;
mod forward;
mod gradients;
mod interpret;
mod laws;
pub mod text;
mod text_rules;
