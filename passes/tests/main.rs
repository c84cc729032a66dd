//! Tests of the passes on whole programs, for values, gradients and work, and of the rules of the optimiser on terms.
//!
//! All tests of this folder are one executable, so that LLVM and MLIR are linked only once.

mod asymptotics;
mod bulk;
mod chains;
mod constants;
mod derivatives;
#[path = "../testing/edges.rs"]
mod edges;
mod egg_optimize;
#[path = "../testing/gradients.rs"]
mod gradients;
mod growth;
#[path = "../testing/laws.rs"]
mod laws;
mod measure;
mod optimised;
#[path = "../testing/profile.rs"]
mod profile;
#[path = "../testing/programs/mod.rs"]
mod programs;
#[path = "../testing/proof.rs"]
mod proof;
#[path = "../testing/refinement.rs"]
mod refinement;
#[path = "../testing/requests.rs"]
mod requests;
mod reverse;
#[path = "../testing/samples.rs"]
mod samples;
#[path = "../testing/sizes.rs"]
mod sizes;
mod static_sizes;
mod structures;
#[path = "../testing/text.rs"]
mod text;
#[path = "../testing/text_rules.rs"]
mod text_rules;
#[path = "../testing/user_rules.rs"]
mod user_rules;
mod work;
