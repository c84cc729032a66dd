//! The pullback language (`spec/functional.md` C): its terms, their reductions, and the translation between programs
//! and terms.
//!
//! A term is an untyped program. It consists of functions of one argument, tuples, numbers, the pullback
//! `(Omega \x.P).S`, the dual of a linear map `(\x.S1)^*.S2`, and derivatives of primitives along directions `J f.S`.
//! Reductions are applied in a fixed order, arguments before calls, and can be recorded with the numbers of their
//! rules. The compiler itself expands pullbacks by J (`j_transform/pullbacks.rs`). This second implementation serves to
//! test the first.

mod derive;
mod machine;
mod normal;
mod primitive;
mod print;
mod read;
mod term;
mod transpose;
mod write;

pub use machine::{Limits, Machine, Step};
pub use term::{Term, TermKind};
