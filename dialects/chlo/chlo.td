// CHLO, the functions that JAX uses in addition to StableHLO.
#ifndef MLOPT_CHLO_TD
#define MLOPT_CHLO_TD

include "bridge/base.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mlopt::chlo";
  let summary = "Functions that JAX uses in addition to StableHLO";
  let description = [{
    The operations of CHLO (https://openxla.org/stablehlo/generated/chlo), with the names and the generic syntax that
    CHLO itself has. `stablehlo-to-array` converts them together with those of `stablehlo`. An operation that is not
    listed here parses, and the pass reports it.
  }];
}

class Chlo_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Chlo_Dialect, mnemonic, traits>;
/// (C1) The elements are floats, or also complex numbers where the function has them. (C2) The sizes of `result` agree with
/// those of `operand`; its elements are booleans for tests, and otherwise those of `operand`.
class Chlo_UnaryOp<string mnemonic> : Chlo_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyRankedTensor:$operand);
  let results = (outs AnyRankedTensor:$result);
}
/// (C1) The elements are floats. (C2) The types of the operands agree. (C3) So does that of `result`.
class Chlo_BinaryOp<string mnemonic> : Chlo_Op<mnemonic, [Pure]> {
  let arguments = (ins AnyRankedTensor:$lhs, AnyRankedTensor:$rhs);
  let results = (outs AnyRankedTensor:$result);
}

def Chlo_AcosOp : Chlo_UnaryOp<"acos"> {
  let summary = "The inverse cosine";
}
def Chlo_AcoshOp : Chlo_UnaryOp<"acosh"> {
  let summary = "The inverse hyperbolic cosine";
}
def Chlo_AsinOp : Chlo_UnaryOp<"asin"> {
  let summary = "The inverse sine";
}
def Chlo_AsinhOp : Chlo_UnaryOp<"asinh"> {
  let summary = "The inverse hyperbolic sine";
}
def Chlo_AtanOp : Chlo_UnaryOp<"atan"> {
  let summary = "The inverse tangent";
}
def Chlo_AtanhOp : Chlo_UnaryOp<"atanh"> {
  let summary = "The inverse hyperbolic tangent";
}
def Chlo_BesselI1eOp : Chlo_UnaryOp<"bessel_i1e"> {
  let summary = "The modified Bessel function of order 1, scaled by `exp(-|x|)`";
}
def Chlo_ConjOp : Chlo_UnaryOp<"conj"> {
  let summary = "The complex conjugate";
}
def Chlo_CoshOp : Chlo_UnaryOp<"cosh"> {
  let summary = "The hyperbolic cosine";
}
def Chlo_DigammaOp : Chlo_UnaryOp<"digamma"> {
  let summary = "The derivative of `lgamma`";
}
def Chlo_ErfOp : Chlo_UnaryOp<"erf"> {
  let summary = "The error function";
}
def Chlo_ErfInvOp : Chlo_UnaryOp<"erf_inv"> {
  let summary = "The inverse of the error function";
}
def Chlo_ErfcOp : Chlo_UnaryOp<"erfc"> {
  let summary = "The complement of the error function";
}
def Chlo_IsInfOp : Chlo_UnaryOp<"is_inf"> {
  let summary = "Whether a float is infinite";
}
def Chlo_IsNegInfOp : Chlo_UnaryOp<"is_neg_inf"> {
  let summary = "Whether a float is the negative infinity";
}
def Chlo_IsPosInfOp : Chlo_UnaryOp<"is_pos_inf"> {
  let summary = "Whether a float is the positive infinity";
}
def Chlo_LgammaOp : Chlo_UnaryOp<"lgamma"> {
  let summary = "The logarithm of the modulus of the gamma function";
}
def Chlo_SinhOp : Chlo_UnaryOp<"sinh"> {
  let summary = "The hyperbolic sine";
}
def Chlo_SquareOp : Chlo_UnaryOp<"square"> {
  let summary = "The square";
}
def Chlo_TanOp : Chlo_UnaryOp<"tan"> {
  let summary = "The tangent";
}
def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after"> {
  let summary = "The neighbour of a float in the direction of another one";
}
def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma"> {
  let summary = "The derivative of `lgamma` of a given order";
}
def Chlo_ZetaOp : Chlo_BinaryOp<"zeta"> {
  let summary = "The Hurwitz zeta function";
}
def Chlo_ConstantOp : Chlo_Op<"constant", [Pure]> {
  let summary = "A constant";
  let description = [{
    - (C1) the type of `result` agrees with that of `value`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
}
def Chlo_TopKOp : Chlo_Op<"top_k", [Pure]> {
  let summary = "The greatest elements of each row, in descending order, and their indices";
  let description = [{
    - (C1) `operand` has integers or floats.
    - (C2) `operand` has an axis, and `k` is at least 0 and at most the size of the last one.
    - (C3) `values` has the sizes of `operand`, with `k` in place of the last one, and its elements; `indices` has these
      sizes and elements of type `i32`.
  }];
  let arguments = (ins AnyRankedTensor:$operand, I64Attr:$k);
  let results = (outs AnyRankedTensor:$values, AnyRankedTensor:$indices);
}

#endif // MLOPT_CHLO_TD
