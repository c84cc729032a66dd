//! How programs improve at one level. Knowledge of targets is absent on purpose.
#![deny(unsafe_code)]

pub mod activity;
pub mod contract;
pub mod cost;
pub mod derivatives;
pub mod egg_optimize;
pub mod jvp;
pub mod normalise;
pub mod optimise;
pub mod rules;
pub mod saturate;
pub mod terms;
pub mod unroll;
pub mod upstream_to_array;

#[cfg(test)]
mod testing;

use mlopt_dialects::bridge::{Pass, register_pass};

/// Every pass of this storey.
pub const PASSES: &[Pass] = &[egg_optimize::PASS, jvp::PASS, upstream_to_array::PASS];

/// Makes the passes available by name.
pub fn register() {
    PASSES.iter().for_each(register_pass);
}
