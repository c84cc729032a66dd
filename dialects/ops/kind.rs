//! `Kind`, an enum of all ops. Passes use it to compare ops and as the index of sets and tables.

use crate::ir::Op;
use std::cell::Cell;

/// The kind of an op.
pub trait HasKind {
    fn kind(self) -> Kind;
}

const CACHE_BITS: u32 = 11;

thread_local! {
    /// A cache of kinds of ops, by [`Op::type_id`].
    static KINDS: [Cell<(usize, Kind)>; 1 << CACHE_BITS] =
        const { [const { Cell::new((0, Kind::Other)) }; 1 << CACHE_BITS] };
}

impl HasKind for Op {
    fn kind(self) -> Kind {
        let id = self.type_id();
        if id == 0 {
            return Kind::by_name(self.name());
        }
        KINDS.with(|kinds| {
            // The addresses are close together; multiplication distributes them over the table.
            let cell = &kinds[id.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (usize::BITS - CACHE_BITS)];
            let (known, kind) = cell.get();
            if known == id {
                return kind;
            }
            let kind = Kind::by_name(self.name());
            cell.set((id, kind));
            kind
        })
    }
}

macro_rules! kinds {
    ([$($kind:ident = $name:literal,)*]) => {
        /// The kind of an op; `Other` for ops of dialects without generated types.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u16)]
        pub enum Kind {
            $(#[doc = concat!("`", $name, "`")] $kind,)*
            Other,
        }

        impl Kind {
            /// All kinds except `Other`, in the order of their names.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind,)*];
            const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Returns the name of the op: `array.sum`; empty for `Other`.
            pub const fn name(self) -> &'static str {
                let number = self as usize;
                if number < Self::NAMES.len() { Self::NAMES[number] } else { "" }
            }

            /// Returns the kind of the ops with this name.
            pub fn by_name(name: &str) -> Kind {
                Self::NAMES.binary_search(&name).map_or(Kind::Other, |k| Self::ALL[k])
            }

            /// Returns the dialect of the op: `array`; empty for `Other`.
            pub fn dialect(self) -> &'static str {
                self.name().split_once('.').map_or("", |(dialect, _)| dialect)
            }
        }

        impl AsRef<str> for Kind {
            fn as_ref(&self) -> &str {
                self.name()
            }
        }

        impl std::fmt::Display for Kind {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/kinds.rs"));
