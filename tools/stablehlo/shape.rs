//! The attributes of an operation in an artifact, and the form of each attribute in StableHLO.
//!
//! The name of an operation ends with its version. Attributes are in ascending order of their names, the order in
//! which artifacts store them as properties. VHLO has no default values, so the table also states which values
//! StableHLO leaves out.

/// An operation of an artifact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub name: &'static str,
    /// The inherent attributes.
    pub properties: &'static [Property],
}

impl Shape {
    /// Returns the name without its version.
    pub fn base_name(&self) -> &'static str {
        match self.name.rsplit_once("_v") {
            Some((base, version)) if version.bytes().all(|byte| byte.is_ascii_digit()) => base,
            _ => self.name,
        }
    }
}

/// An inherent attribute of an operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Property {
    pub name: &'static str,
    /// True if the attribute may be absent in StableHLO; in VHLO every attribute is present.
    pub optional: bool,
    pub form: Form,
    pub default: Preset,
}

impl Property {
    /// Makes `default` the value that StableHLO leaves out.
    pub(crate) const fn unless(self, default: Preset) -> Property {
        Property { default, ..self }
    }

    /// Makes the attribute optional.
    pub(crate) const fn optional(self) -> Property {
        Property { optional: true, ..self }
    }
}

/// The form of an attribute in StableHLO.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The same as in VHLO.
    Same,
    /// `array<i64: …>` instead of a tensor.
    Integers,
    /// `array<i1: …>` instead of a tensor.
    Booleans,
    /// A symbol instead of a string.
    Symbol,
    /// A list of symbols instead of strings.
    Symbols,
    /// A unit attribute instead of `true`, and nothing instead of `false`.
    Flag,
    /// `channel_handle` instead of the number of the channel.
    Channel,
    /// A field of a record.
    Part,
}

/// A value that StableHLO leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Preset {
    /// No value.
    Never,
    False,
    Integer(i64),
    /// A tensor whose elements all equal the number.
    Splat(i64),
    /// An enumeration with this case.
    Case(&'static str),
    /// A list of enumerations with this case.
    Cases(&'static str),
    EmptyString,
    EmptyArray,
    EmptyDictionary,
    EmptyTensor,
    /// An empty string or dictionary.
    Empty,
    /// An accuracy of a result without requirements.
    DefaultAccuracy,
}

/// Returns an operation of VHLO.
pub(crate) const fn op(name: &'static str, properties: &'static [Property]) -> Shape {
    Shape { name, properties }
}

/// Returns an attribute that is never left out.
pub(crate) const fn property(name: &'static str, form: Form) -> Property {
    Property { name, optional: false, form, default: Preset::Never }
}

pub(crate) const fn same(name: &'static str) -> Property {
    property(name, Form::Same)
}

pub(crate) const fn integers(name: &'static str) -> Property {
    property(name, Form::Integers)
}

pub(crate) const fn booleans(name: &'static str) -> Property {
    property(name, Form::Booleans)
}

pub(crate) const fn symbol(name: &'static str) -> Property {
    property(name, Form::Symbol)
}

pub(crate) const fn symbols(name: &'static str) -> Property {
    property(name, Form::Symbols)
}

pub(crate) const fn flag(name: &'static str) -> Property {
    property(name, Form::Flag)
}

pub(crate) const fn channel(name: &'static str) -> Property {
    property(name, Form::Channel)
}

pub(crate) const fn part(name: &'static str) -> Property {
    property(name, Form::Part)
}
