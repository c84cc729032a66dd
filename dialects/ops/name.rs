//! The type of the names of ops. It also represents ops of dialects without generated types.

use crate::ir::Op;
use crate::kind::{HasKind, Kind};
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;

/// The name of an op: its kind, or the text for ops of dialects without generated types.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum OpName {
    Known(Kind),
    Other(Rc<str>),
}

impl OpName {
    pub fn of(op: Op) -> OpName {
        match op.kind() {
            Kind::Other => OpName::Other(op.name().into()),
            kind => OpName::Known(kind),
        }
    }

    pub fn read(text: &str) -> OpName {
        match Kind::by_name(text) {
            Kind::Other => OpName::Other(text.into()),
            kind => OpName::Known(kind),
        }
    }

    /// Returns the kind; `Kind::Other` if the op has only a text.
    pub fn kind(&self) -> Kind {
        match self {
            OpName::Known(kind) => *kind,
            OpName::Other(_) => Kind::Other,
        }
    }

    pub fn text(&self) -> &str {
        match self {
            OpName::Known(kind) => kind.name(),
            OpName::Other(text) => text,
        }
    }
}

impl From<Kind> for OpName {
    fn from(kind: Kind) -> OpName {
        OpName::Known(kind)
    }
}

impl PartialEq<Kind> for OpName {
    fn eq(&self, kind: &Kind) -> bool {
        *self == OpName::Known(*kind)
    }
}

impl AsRef<str> for OpName {
    fn as_ref(&self) -> &str {
        self.text()
    }
}

impl Display for OpName {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(self.text())
    }
}
