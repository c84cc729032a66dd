//! Why two terms are equal, as a path of single steps, and those steps as text. May use `terms`, `rules`, `translation`
//! and the steps that the normaliser logs. Must never search: it only reads what the phases found.

pub mod explain;
pub mod proof;
