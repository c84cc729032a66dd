//! Programs with functions as values: reading, calling and timing them. May use the frontend and the runtime. Must
//! never know the command line.

pub mod abstracts;
pub mod run;
pub mod versions;
