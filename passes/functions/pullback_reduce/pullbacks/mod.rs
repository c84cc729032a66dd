//! The pullback language (`spec/functional.md` C): terms, their reductions, and the translation between programs and
//! terms.
//!
//! A term is an untyped program: functions of one argument, tuples, numbers, the pullback `(Omega \x.P).S`, the dual of
//! a linear map `(\x.S1)^*.S2`, derivatives of primitives along directions `J f.S`. Reductions are applied in a fixed
//! order, arguments before calls, and each records the number of its rule. Compiling passes implement pullbacks by J
//! (`j_transform/pullbacks.rs`); this is a second implementation, to test the first.

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
pub use term::{Kind, Term};
