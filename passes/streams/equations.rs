//! Creation of equations on streams.

use mlopt_dialects::ir::{Builder, Op, Value};
use mlopt_dialects::ops::Kind;

/// Creates `stream.when`: `x` in the cycles in which `condition` has the value `holds`.
pub fn when(b: Builder, x: Value, condition: Value, holds: bool) -> Value {
    let mut when = b.op(Kind::StreamWhen).operands(&[x, condition]).results(&[x.ty()]);
    if !holds {
        when = when.attribute("negated", b.context().unit_attr());
    }
    b.insert(when.build()).result(0)
}

/// Creates `stream.merge`: `there` where `condition` has the value `holds`, `elsewhere` where it has the other one.
pub fn merge(b: Builder, condition: Value, holds: bool, there: Value, elsewhere: Value) -> Value {
    let operands = if holds { [condition, there, elsewhere] } else { [condition, elsewhere, there] };
    b.unary(Kind::StreamMerge, &operands, there.ty())
}

/// Creates a `stream.fby` with this first value, whose second operand is set later.
pub fn state(b: Builder, first: Value) -> Op {
    b.insert(b.op(Kind::StreamFby).operands(&[first, first]).results(&[first.ty()]).build())
}
