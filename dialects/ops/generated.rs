//! The generated types. `generator/` writes them when the crate is built.
#![allow(clippy::identity_op, clippy::too_many_arguments)]

use crate::runtime::*;

include!(concat!(env!("OUT_DIR"), "/mod.rs"));
