//! The builder: an insertion point, and one method for each `array` op, which creates the op there. Result types are
//! derived from the operands.
//!
//! Methods take the sizes that the result type needs, `None` for a dynamic one (`?` in the type). The value of a
//! dynamic size is a further parameter.

mod access;
mod arrange;
mod loops;
mod reduce;
mod values;

use crate::ir::{Attribute, Block, Context, Location, Op, OpBuilder, Type, Value};
use crate::kind::Kind;

/// The position of new ops, before `next` in `block` or at its end, and their location. The location has no name: names
/// belong to values, and [`Value::suggest_name`] sets them.
#[derive(Clone, Copy)]
pub struct Builder {
    pub block: Block,
    pub next: Option<Op>,
    pub location: Location,
}

impl Builder {
    pub fn at_end(block: Block, location: Location) -> Builder {
        Builder { block, next: None, location: location.unnamed() }
    }

    /// Returns the insertion point before `op`, with the location of `op`.
    pub fn before(op: Op) -> Builder {
        Builder { block: op.block().expect("the op is in a block"), next: Some(op), location: op.location().unnamed() }
    }

    /// Creates a detached block with arguments of these types, and returns the insertion point at its end.
    pub fn new_block(self, arguments: &[Type]) -> Builder {
        let arguments: Vec<_> = arguments.iter().map(|&ty| (ty, self.location)).collect();
        Builder::at_end(Block::new(&arguments), self.location)
    }

    pub fn at(self, location: Location) -> Builder {
        Builder { location: location.unnamed(), ..self }
    }

    pub fn context(self) -> Context {
        self.location.context()
    }

    pub fn insert(self, op: Op) -> Op {
        match self.next {
            Some(next) => self.block.insert_before(next, op),
            None => self.block.append(op),
        }
    }

    /// Starts an op with the builder's location; [`Builder::insert`] inserts it.
    pub fn op(self, name: impl AsRef<str>) -> OpBuilder {
        OpBuilder::new(name, self.location)
    }

    /// Creates an op with one result and no attributes.
    pub fn unary(self, name: impl AsRef<str>, operands: &[Value], result: Type) -> Value {
        self.insert(self.op(name).operands(operands).results(&[result]).build()).result(0)
    }

    /// Creates an elementwise op on values of one type, with the fast-math flags of `like`.
    pub fn elementwise(self, like: Op, kind: Kind, operands: &[Value]) -> Value {
        let mut op = self.op(kind).operands(operands).results(&[operands[0].ty()]);
        if let Some(flags) = like.attribute("fastmath") {
            op = op.attribute("fastmath", flags);
        }
        self.insert(op.build()).result(0)
    }

    /// Creates `arith.constant` of type `index`.
    pub fn index(self, value: i64) -> Value {
        let ty = self.context().index();
        self.constant(Attribute::integer(ty, value), ty)
    }

    pub fn constant(self, value: Attribute, ty: Type) -> Value {
        self.insert(self.op(Kind::ArithConstant).attribute("value", value).results(&[ty]).build()).result(0)
    }
}
