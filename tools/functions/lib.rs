//! Programs with functions as values, for the command line and for other programs: parsing, calling and timing them.
//! This crate may use the front end and the runtime. It must not depend on the command line, which is only one of its
//! users.
#![forbid(unsafe_code)]

pub mod abstracts;
pub mod run;
pub mod versions;
