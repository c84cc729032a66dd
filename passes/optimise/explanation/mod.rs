//! Proofs that two terms are equal, as paths of single steps, and the text of these steps. May use `terms`, `rules`,
//! `translation` and the steps that the normaliser logs. Must never search: it only reads the results of the phases.

pub mod explain;
pub mod proof;
