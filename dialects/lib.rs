//! What can be said: the dialects, their verifiers and their reference evaluators.

pub mod value;
