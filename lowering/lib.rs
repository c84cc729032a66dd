//! Placeholder until the storey is built.
