//! The generated types, which `generator/` writes when the crate is built.
// The generator writes one form for arguments of all kinds.
#![allow(clippy::eq_op, clippy::identity_op, clippy::redundant_closure, clippy::unnecessary_lazy_evaluations)]
#![allow(clippy::self_named_constructors, clippy::too_many_arguments)]

use crate::runtime::*;

include!(concat!(env!("OUT_DIR"), "/mod.rs"));
