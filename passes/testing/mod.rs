//! Tools for tests: terms as text, and the tests of the optimiser on terms.

mod edges;
mod gradients;
mod laws;
mod sizes;
pub mod text;
mod text_rules;
