//! Macros, and conversions of attributes, that the generated types use.

pub(crate) use crate::builder::Builder;
pub(crate) use crate::ir::{Attribute, Block, Context, Op, Region, Type, TypedOp, Value};
pub(crate) use crate::kind::{HasKind, Kind};
use crate::value::Element;
pub(crate) use std::ops::Range;

macro_rules! typed_op {
    ($(#[$doc:meta])* $ty:ident, $name:literal, $kind:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $ty(Op);

        impl $ty {
            /// The name of the op.
            pub const NAME: &'static str = $name;
            pub const KIND: Kind = Kind::$kind;

            /// Returns `op` as this type; `None` if it is of another kind.
            pub fn of(op: Op) -> Option<Self> {
                (op.kind() == Kind::$kind).then_some(Self(op))
            }

            pub fn op(self) -> Op {
                self.0
            }
        }

        impl TypedOp for $ty {
            const NAME: &'static str = $name;

            fn of(op: Op) -> Option<Self> {
                $ty::of(op)
            }

            fn op(self) -> Op {
                self.0
            }
        }

        impl std::ops::Deref for $ty {
            type Target = Op;

            fn deref(&self) -> &Op {
                &self.0
            }
        }

        impl From<$ty> for Op {
            fn from(op: $ty) -> Op {
                op.0
            }
        }
    };
}
pub(crate) use typed_op;

macro_rules! dialect_enum {
    ($(#[$doc:meta])* $name:ident, [$($ty:ident = $kind:ident,)*]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($ty($ty),)* }

        impl $name {
            pub const KINDS: &'static [Kind] = &[$(Kind::$kind,)*];

            /// Returns `op` as a member of the enum; `None` if it is of another kind.
            pub fn of(op: Op) -> Option<Self> {
                match op.kind() {
                    $(Kind::$kind => Some(Self::$ty($ty(op))),)*
                    _ => None,
                }
            }

            pub fn op(self) -> Op {
                match self { $(Self::$ty(op) => op.0,)* }
            }
        }

        impl std::ops::Deref for $name {
            type Target = Op;

            fn deref(&self) -> &Op {
                match self { $(Self::$ty(op) => &op.0,)* }
            }
        }

        $(impl From<$ty> for $name {
            fn from(op: $ty) -> $name {
                $name::$ty(op)
            }
        })*
    };
}
pub(crate) use dialect_enum;

macro_rules! any_op {
    ([$($dialect:ident($ty:path),)*]) => {
        /// Any op, by dialect.
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub enum AnyOp {
            $($dialect($ty),)*
            /// An op of a dialect without generated types.
            Other(Op),
        }

        impl AnyOp {
            pub fn of(op: Op) -> AnyOp {
                let kind = op.kind();
                // Kinds are sorted by name, so the kinds of a dialect are consecutive.
                $(if let (Some(first), Some(last)) = (<$ty>::KINDS.first(), <$ty>::KINDS.last())
                    && (first..=last).contains(&&kind)
                {
                    return <$ty>::of(op).map_or(AnyOp::Other(op), AnyOp::$dialect);
                })*
                AnyOp::Other(op)
            }

            pub fn op(self) -> Op {
                match self {
                    $(AnyOp::$dialect(op) => op.op(),)*
                    AnyOp::Other(op) => op,
                }
            }
        }
    };
}
pub(crate) use any_op;

/// Returns the only block of a region of a verified op.
#[track_caller]
pub(crate) fn only_block(op: Op, i: usize) -> Block {
    op.region(i).first_block().unwrap_or_else(|| panic!("verified: region {i} of '{}' has a block", op.name()))
}

pub(crate) fn segment(op: Op, sizes: &str, group: usize) -> Range<usize> {
    op.segment(sizes, group)
}

/// Returns the positions of a group, where `open` groups of equal size and `fixed` single values make up `total`. The
/// `…_before` parameters count those before it; `is_open` states that it is one of the open groups.
pub(crate) fn equal(
    total: usize,
    fixed: usize,
    open: usize,
    fixed_before: usize,
    open_before: usize,
    is_open: bool,
) -> Range<usize> {
    let size = (total - fixed) / open;
    let start = fixed_before + open_before * size;
    start..start + if is_open { size } else { 1 }
}

/// A Rust value that can be read from an attribute.
pub trait FromAttribute: Sized {
    /// Returns the value; `None` if the attribute contains something else.
    fn from_attribute(attribute: Attribute) -> Option<Self>;
}

/// A Rust value that can be stored in an attribute.
pub trait ToAttribute {
    fn to_attribute(&self, context: Context) -> Attribute;
}

pub(crate) fn is_set(op: Op, name: &str) -> bool {
    op.attribute(name).is_some()
}

pub(crate) fn optional<T: FromAttribute>(op: Op, name: &str) -> Option<T> {
    op.attribute(name).and_then(T::from_attribute)
}

#[track_caller]
pub(crate) fn required<T: FromAttribute>(op: Op, name: &str) -> T {
    optional(op, name).unwrap_or_else(|| panic!("verified: '{}' has the attribute `{name}`", op.name()))
}

pub(crate) fn set(op: Op, name: &str, value: impl ToAttribute) {
    op.set_attribute(name, value.to_attribute(op.context()))
}

/// A reference to a symbol: `@f`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol(pub String);

/// An array of integer attributes, in contrast to a dense array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct List<T>(pub Vec<T>);

macro_rules! held {
    ($ty:ty, |$a:ident| $read:expr, |$v:ident, $c:ident| $make:expr) => {
        impl FromAttribute for $ty {
            fn from_attribute($a: Attribute) -> Option<Self> {
                $read
            }
        }

        impl ToAttribute for $ty {
            fn to_attribute(&self, $c: Context) -> Attribute {
                let $v = self;
                $make
            }
        }
    };
    (owned $ty:ty, $borrowed:ty, |$a:ident| $read:expr, |$v:ident, $c:ident| $make:expr) => {
        impl FromAttribute for $ty {
            fn from_attribute($a: Attribute) -> Option<Self> {
                $read
            }
        }

        impl ToAttribute for $borrowed {
            fn to_attribute(&self, $c: Context) -> Attribute {
                let $v = self;
                $make
            }
        }
    };
}

held!(Attribute, |a| Some(a), |v, _c| *v);
held!(i64, |a| a.as_i64(), |v, c| Attribute::integer(c.scalar(Element::I64), *v));
held!(i32, |a| a.as_i64().map(|n| n as i32), |v, c| Attribute::integer(c.scalar(Element::I32), *v as i64));
held!(usize, |a| a.as_i64().map(|n| n as usize), |v, c| Attribute::integer(c.index(), *v as i64));
held!(bool, |a| a.as_i64().map(|n| n != 0), |v, c| c.bool_attr(*v));
held!(Type, |a| a.as_type(), |v, c| c.type_attr(*v));
held!(owned Symbol, &Symbol, |a| a.as_symbol().map(Symbol), |v, c| c.symbol_attr(&v.0));
held!(List<i64>, |a| a.as_array()?.into_iter().map(Attribute::as_i64).collect::<Option<_>>().map(List), |v, c| {
    let i64 = c.scalar(Element::I64);
    c.array_attr(&v.0.iter().map(|n| Attribute::integer(i64, *n)).collect::<Vec<_>>())
});
held!(owned String, &str, |a| a.as_string(), |v, c| c.string_attr(v));
held!(owned Vec<i64>, &[i64], |a| a.as_i64_array(), |v, c| c.i64_array_attr(v));
held!(owned Vec<i32>, &[i32], |a| a.as_i32_array(), |v, c| c.i32_array_attr(v));
held!(owned Vec<String>, &[String], |a| a.as_array()?.into_iter().map(Attribute::as_string).collect(), |v, c| {
    c.array_attr(&v.iter().map(|s| c.string_attr(s)).collect::<Vec<_>>())
});

/// The storage of an enum.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// An integer attribute of this number of bits.
    Integer(u32),
    /// Its own attribute: `arith.fastmath`.
    Attribute(&'static str),
}

impl Form {
    pub(crate) fn read(self, attribute: Attribute) -> Option<i64> {
        match self {
            Form::Integer(_) => attribute.as_i64(),
            Form::Attribute(_) => attribute.integers().filter(|list| list.len() == 1).map(|list| list[0]),
        }
    }

    pub(crate) fn make(self, context: Context, value: i64) -> Attribute {
        match self {
            Form::Integer(32) => Attribute::integer(context.scalar(Element::I32), value),
            Form::Integer(_) => Attribute::integer(context.scalar(Element::I64), value),
            Form::Attribute(name) => {
                let made = Attribute::of_integers(context, name, &[value]);
                made.unwrap_or_else(|| panic!("the bridge cannot create `#{name}`"))
            }
        }
    }
}

macro_rules! plain_enum {
    ($(#[$doc:meta])* $ty:ident, $form:expr, [$(($case:ident, $text:literal, $value:literal),)*]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $ty { $(#[doc = concat!("`", $text, "`")] $case = $value),* }

        impl $ty {
            pub const ALL: &'static [$ty] = &[$($ty::$case),*];

            /// Returns the keyword in the text of a program.
            pub fn text(self) -> &'static str {
                match self { $(Self::$case => $text),* }
            }

            /// Returns the case whose C++ name is `name`: a default in the definition of an op.
            #[allow(dead_code)]
            pub(crate) fn default_case(name: &str) -> $ty {
                let is_it = |case: &&$ty| format!("{case:?}").eq_ignore_ascii_case(name);
                *Self::ALL.iter().find(is_it).unwrap_or_else(|| panic!("no default `{name}`"))
            }
        }

        impl FromAttribute for $ty {
            fn from_attribute(a: Attribute) -> Option<Self> {
                match $form.read(a)? { $($value => Some(Self::$case),)* _ => None }
            }
        }

        impl ToAttribute for $ty {
            fn to_attribute(&self, context: Context) -> Attribute {
                $form.make(context, *self as i64)
            }
        }
    };
}
pub(crate) use plain_enum;

macro_rules! bit_enum {
    ($(#[$doc:meta])* $ty:ident, $form:expr, [$(($case:ident, $text:literal, $value:literal),)*]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
        pub struct $ty(u32);

        impl $ty {
            $(#[doc = concat!("`", $text, "`")] pub const $case: $ty = $ty($value);)*

            /// All cases, and their keywords in the text of a program.
            const CASES: &'static [($ty, &'static str)] = &[$(($ty($value), $text)),*];

            /// Checks whether all bits of `other` are set.
            pub fn contains(self, other: $ty) -> bool {
                self.0 & other.0 == other.0
            }

            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            pub fn bits(self) -> u32 {
                self.0
            }

            /// Returns the case, or the cases separated by commas, as in the text of a program.
            pub fn text(self) -> String {
                match Self::CASES.iter().find(|(case, _)| *case == self) {
                    Some((_, word)) => word.to_string(),
                    None => {
                        let single = Self::CASES.iter().filter(|(c, _)| c.0.count_ones() == 1 && self.contains(*c));
                        single.map(|(_, word)| *word).collect::<Vec<_>>().join(",")
                    }
                }
            }

            /// Returns the case whose C++ name is `name`: a default in the definition of an op.
            #[allow(dead_code)]
            pub(crate) fn default_case(name: &str) -> $ty {
                let found = Self::CASES.iter().find(|(_, word)| word.eq_ignore_ascii_case(name));
                found.unwrap_or_else(|| panic!("no default `{name}`")).0
            }
        }

        impl std::ops::BitOr for $ty {
            type Output = $ty;

            fn bitor(self, other: $ty) -> $ty {
                $ty(self.0 | other.0)
            }
        }

        impl std::ops::BitAnd for $ty {
            type Output = $ty;

            fn bitand(self, other: $ty) -> $ty {
                $ty(self.0 & other.0)
            }
        }

        impl FromAttribute for $ty {
            fn from_attribute(a: Attribute) -> Option<Self> {
                $form.read(a).map(|bits| $ty(bits as u32))
            }
        }

        impl ToAttribute for $ty {
            fn to_attribute(&self, context: Context) -> Attribute {
                $form.make(context, self.0 as i64)
            }
        }
    };
}
pub(crate) use bit_enum;

/// A parameter of one of our attributes, as integers.
pub(crate) trait Parameter: Sized {
    /// Takes the parameter from the front of `numbers`.
    fn take(numbers: &mut &[i64]) -> Option<Self>;
    fn append(&self, numbers: &mut Vec<i64>);
}

impl Parameter for i64 {
    fn take(numbers: &mut &[i64]) -> Option<i64> {
        numbers.split_off_first().copied()
    }

    fn append(&self, numbers: &mut Vec<i64>) {
        numbers.push(*self);
    }
}

impl Parameter for bool {
    fn take(numbers: &mut &[i64]) -> Option<bool> {
        i64::take(numbers).map(|n| n != 0)
    }

    fn append(&self, numbers: &mut Vec<i64>) {
        numbers.push(*self as i64);
    }
}

/// The number of elements comes first.
impl Parameter for Vec<i64> {
    fn take(numbers: &mut &[i64]) -> Option<Vec<i64>> {
        let length = usize::try_from(i64::take(numbers)?).ok()?;
        numbers.split_off(..length).map(<[i64]>::to_vec)
    }

    fn append(&self, numbers: &mut Vec<i64>) {
        numbers.push(self.len() as i64);
        numbers.extend(self);
    }
}

macro_rules! integers_attribute {
    ($(#[$meta:meta])* $ty:ident, $name:literal, [$($field:ident: $field_ty:ty),*]) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub struct $ty { $(pub $field: $field_ty),* }

        impl FromAttribute for $ty {
            fn from_attribute(a: Attribute) -> Option<Self> {
                let numbers = a.integers()?;
                let numbers = &mut &numbers[..];
                // Two kinds may have the same number of integers; the name distinguishes them.
                let made = $ty { $($field: Parameter::take(numbers)?),* };
                (made.to_attribute(a.context()) == a).then_some(made)
            }
        }

        impl ToAttribute for $ty {
            fn to_attribute(&self, context: Context) -> Attribute {
                let mut numbers = Vec::new();
                $(self.$field.append(&mut numbers);)*
                let made = Attribute::of_integers(context, $name, &numbers);
                made.unwrap_or_else(|| panic!("the bridge cannot create `#{}`", $name))
            }
        }
    };
}
pub(crate) use integers_attribute;

/// The number of values in a group of operands or results.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    One,
    Optional,
    Variadic,
}

/// A group of operands or results, for tests.
#[doc(hidden)]
pub struct Group {
    pub count: Count,
    /// The values that the accessor returns.
    pub get: fn(Op) -> Option<Vec<Value>>,
}

/// The groups of an op, for tests.
#[doc(hidden)]
pub struct Layout {
    pub kind: Kind,
    pub operands: &'static [Group],
    pub results: &'static [Group],
    pub has_operand_segments: bool,
    pub has_result_segments: bool,
    /// Minimum numbers of regions and successors of the op.
    pub regions: usize,
    pub successors: usize,
    pub infers_results: bool,
}
