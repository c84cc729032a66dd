//! Proofs that two terms are equal, as sequences of single rewriting steps, and the text of these steps. This module
//! may use `terms`, `rules`, `translation`, and the steps that the normaliser and saturation record. It must not apply
//! rules to search for a proof: it only reads what the phases have recorded.

pub mod explain;
pub mod proof;
