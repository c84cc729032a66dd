//! CHLO's functions of real elements.

use super::elementwise::in_f32;
use super::emit::Emit;
use super::maths::{Real, gamma, in_f64, special};
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{CmpFPredicate, HasKind, Kind};

/// Checks whether an op of CHLO computes each element of its result from the elements at the same position.
pub fn is_elementwise(kind: Kind) -> bool {
    kind.dialect() == "chlo" && !matches!(kind, Kind::ChloConstant | Kind::ChloTopK)
}

/// Returns the result of an op of CHLO that is a function of real elements; `None` for other ops. `x` are the converted
/// operands.
pub fn convert(e: Emit, op: Op, x: &[Value]) -> Option<Value> {
    let x = &*e.unified(x);
    if !x[0].ty().scalar().is_float() {
        return None;
    }
    // A function that the array language has.
    let math = |kind: Kind| in_f32(e, x[0], |x| e.op(kind, &[x]));
    let unary = |f: fn(Real) -> Real| in_f64(e, x, |x| vec![f(x[0])])[0];
    let binary = |f: fn(Real, Real) -> Real| in_f64(e, x, |x| vec![f(x[0], x[1])])[0];
    let equals = |c: f64| e.compare_floats(CmpFPredicate::Oeq, x[0], e.float(x[0], c));
    Some(match op.kind() {
        Kind::ChloAcos => math(Kind::MathAcos),
        Kind::ChloAcosh => math(Kind::MathAcosh),
        Kind::ChloAsin => math(Kind::MathAsin),
        Kind::ChloAsinh => math(Kind::MathAsinh),
        Kind::ChloAtan => math(Kind::MathAtan),
        Kind::ChloAtanh => math(Kind::MathAtanh),
        Kind::ChloCosh => math(Kind::MathCosh),
        Kind::ChloErf => math(Kind::MathErf),
        Kind::ChloSinh => math(Kind::MathSinh),
        Kind::ChloTan => math(Kind::MathTan),
        Kind::ChloBesselI1e => unary(special::bessel_i1e),
        Kind::ChloErfc => unary(special::erfc),
        Kind::ChloErfInv if x[0].ty().scalar().float_width() == Some(64) => unary(special::erf_inv),
        Kind::ChloErfInv => in_f32(e, x[0], |x| special::erf_inv_f32(Real::of(e, x)).value()),
        Kind::ChloDigamma => unary(gamma::digamma),
        Kind::ChloLgamma => unary(gamma::lgamma),
        Kind::ChloPolygamma => binary(gamma::polygamma),
        Kind::ChloZeta => binary(gamma::zeta),
        Kind::ChloNextAfter => special::next_after(Real::of(e, x[0]), Real::of(e, x[1])).value(),
        Kind::ChloConj => x[0],
        Kind::ChloSquare => e.op(Kind::ArithMulf, &[x[0], x[0]]),
        Kind::ChloIsInf => Real::of(e, x[0]).is_infinite().value(),
        Kind::ChloIsNegInf => equals(f64::NEG_INFINITY),
        Kind::ChloIsPosInf => equals(f64::INFINITY),
        _ => return None,
    })
}
