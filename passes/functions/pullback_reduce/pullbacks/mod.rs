//! The pullback language (`spec/functional.md` C): terms, their reductions, and the way from programs to terms and
//! back.
//!
//! A term is what a program says, without types: functions of one argument, tuples, numbers, the pullback `(Omega
//! \x.P).S`, the dual of a linear map `(\x.S1)^*.S2`, derivatives of primitives along directions `J f.S`. Reductions
//! are applied in a fixed order, arguments before calls, and each says its rule's number. Passes that make code of
//! pullbacks do it by J (`functions::pullbacks`); this is the second implementation, to judge the first.

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
