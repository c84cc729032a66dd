// StableHLO, the interface between JAX and compilers: the operations of its specification, version 1.
#ifndef MLOPT_STABLEHLO_TD
#define MLOPT_STABLEHLO_TD

include "bridge/base.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

def Stablehlo_Dialect : Dialect {
  let name = "stablehlo";
  let cppNamespace = "::mlopt::stablehlo";
  let summary = "Programs of JAX and other front ends, to be imported";
  let description = [{
    The operations, attributes and types of StableHLO (https://openxla.org/stablehlo/spec), with the names and the
    generic syntax that StableHLO itself has. `stablehlo-to-array` converts programs to the dialect `array`, and relies
    on the constraints, which the verifier checks. Two sizes *agree* if they are equal or one of them is not known, and
    two types agree if their elements are equal and their sizes agree.

    An operation or attribute that is not listed here parses, and the pass reports it: communication between devices,
    for example.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

//===-- types ----------------------------------------------------------------------------------------------------===//

def Stablehlo_TokenType : TypeDef<Stablehlo_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "Order of side effects";
}

def Stablehlo_Tensor : AnyTypeOf<[AnyRankedTensor], "ranked tensor">;
/// An array, a token, or a tuple of these.
def Stablehlo_Value : AnyTypeOf<[AnyRankedTensor, Stablehlo_TokenType, AnyTuple], "ranked tensor, token or tuple">;

//===-- enums ----------------------------------------------------------------------------------------------------===//

class Stablehlo_Enum<string name, string text, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::mlopt::stablehlo";
  let genSpecializedAttr = 0;
}
class Stablehlo_EnumAttr<EnumAttrInfo info, string mnemonic> : EnumAttr<Stablehlo_Dialect, info, mnemonic>;

def Stablehlo_ComparisonDirection : Stablehlo_Enum<"ComparisonDirection", "Relation of a comparison", [
  I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>, I32EnumAttrCase<"GT", 3>,
  I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]>;
def Stablehlo_ComparisonDirectionAttr : Stablehlo_EnumAttr<Stablehlo_ComparisonDirection, "comparison_direction">;

def Stablehlo_ComparisonType : Stablehlo_Enum<"ComparisonType", "Order of a comparison", [
  I32EnumAttrCase<"NOTYPE", 0>, I32EnumAttrCase<"FLOAT", 1>, I32EnumAttrCase<"TOTALORDER", 2>,
  I32EnumAttrCase<"SIGNED", 3>, I32EnumAttrCase<"UNSIGNED", 4>]>;
def Stablehlo_ComparisonTypeAttr : Stablehlo_EnumAttr<Stablehlo_ComparisonType, "comparison_type">;

def Stablehlo_Precision : Stablehlo_Enum<"Precision", "Permitted error of a product", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGH", 1>, I32EnumAttrCase<"HIGHEST", 2>]>;
def Stablehlo_PrecisionAttr : Stablehlo_EnumAttr<Stablehlo_Precision, "precision">;

def Stablehlo_FftType : Stablehlo_Enum<"FftType", "Kind of a Fourier transform", [
  I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>, I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]>;
def Stablehlo_FftTypeAttr : Stablehlo_EnumAttr<Stablehlo_FftType, "fft_type">;

def Stablehlo_Transpose : Stablehlo_Enum<"Transpose", "Form of a matrix in a triangular system", [
  I32EnumAttrCase<"TRANSPOSE_INVALID", 0>, I32EnumAttrCase<"NO_TRANSPOSE", 1>, I32EnumAttrCase<"TRANSPOSE", 2>,
  I32EnumAttrCase<"ADJOINT", 3>]>;
def Stablehlo_TransposeAttr : Stablehlo_EnumAttr<Stablehlo_Transpose, "transpose">;

def Stablehlo_RngDistribution : Stablehlo_Enum<"RngDistribution", "Distribution of random numbers", [
  I32EnumAttrCase<"UNIFORM", 1>, I32EnumAttrCase<"NORMAL", 2>]>;
def Stablehlo_RngDistributionAttr : Stablehlo_EnumAttr<Stablehlo_RngDistribution, "rng_distribution">;

def Stablehlo_RngAlgorithm : Stablehlo_Enum<"RngAlgorithm", "Generator of random bits", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"THREE_FRY", 1>, I32EnumAttrCase<"PHILOX", 2>]>;
def Stablehlo_RngAlgorithmAttr : Stablehlo_EnumAttr<Stablehlo_RngAlgorithm, "rng_algorithm">;

def Stablehlo_ResultAccuracyMode : Stablehlo_Enum<"ResultAccuracyMode", "Accuracy of a function", [
  I32EnumAttrCase<"DEFAULT", 0>, I32EnumAttrCase<"HIGHEST", 1>, I32EnumAttrCase<"TOLERANCE", 2>]>;
def Stablehlo_ResultAccuracyModeAttr : Stablehlo_EnumAttr<Stablehlo_ResultAccuracyMode, "result_accuracy_mode"> {
  let assemblyFormat = "`<` $value `>`";
}

def Stablehlo_CustomCallApiVersion : I32EnumAttr<"CustomCallApiVersion", "Interface of a custom call", [
  I32EnumAttrCase<"API_VERSION_UNSPECIFIED", 0>, I32EnumAttrCase<"API_VERSION_ORIGINAL", 1>,
  I32EnumAttrCase<"API_VERSION_STATUS_RETURNING", 2>, I32EnumAttrCase<"API_VERSION_STATUS_RETURNING_UNIFIED", 3>,
  I32EnumAttrCase<"API_VERSION_TYPED_FFI", 4>]> {
  let cppNamespace = "::mlopt::stablehlo";
}

//===-- records --------------------------------------------------------------------------------------------------===//

/// A list of dimensions, `[0, 1]`; empty if it is left out.
def Stablehlo_Dimensions : OptionalArrayRefParameter<"int64_t"> {
  let parser = "::mlopt::stablehlo::parseDimensions($_parser)";
  let printer = "::mlopt::stablehlo::printDimensions($_printer, $_self)";
}
class Stablehlo_Record<string name, string mnemonic_, string text> : AttrDef<Stablehlo_Dialect, name> {
  let mnemonic = mnemonic_;
  let summary = text;
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stablehlo_DotAttr : Stablehlo_Record<"Dot", "dot", "Dimensions of a product of arrays"> {
  let parameters = (ins Stablehlo_Dimensions:$lhs_batching_dimensions, Stablehlo_Dimensions:$rhs_batching_dimensions,
                        Stablehlo_Dimensions:$lhs_contracting_dimensions,
                        Stablehlo_Dimensions:$rhs_contracting_dimensions);
}
def Stablehlo_GatherAttr : Stablehlo_Record<"Gather", "gather", "Dimensions of a gather"> {
  let parameters = (ins Stablehlo_Dimensions:$offset_dims, Stablehlo_Dimensions:$collapsed_slice_dims,
                        Stablehlo_Dimensions:$operand_batching_dims, Stablehlo_Dimensions:$start_indices_batching_dims,
                        Stablehlo_Dimensions:$start_index_map,
                        DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
}
def Stablehlo_ScatterAttr : Stablehlo_Record<"Scatter", "scatter", "Dimensions of a scatter"> {
  let parameters = (ins Stablehlo_Dimensions:$update_window_dims, Stablehlo_Dimensions:$inserted_window_dims,
                        Stablehlo_Dimensions:$input_batching_dims,
                        Stablehlo_Dimensions:$scatter_indices_batching_dims,
                        Stablehlo_Dimensions:$scatter_dims_to_operand_dims,
                        DefaultValuedParameter<"int64_t", "0">:$index_vector_dim);
}
def Stablehlo_ConvAttr : AttrDef<Stablehlo_Dialect, "Conv"> {
  let mnemonic = "conv";
  let summary = "Dimensions of a convolution: `#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>`";
  let parameters = (ins "int64_t":$input_batch_dimension, "int64_t":$input_feature_dimension,
                        ArrayRefParameter<"int64_t">:$input_spatial_dimensions,
                        "int64_t":$kernel_input_feature_dimension, "int64_t":$kernel_output_feature_dimension,
                        ArrayRefParameter<"int64_t">:$kernel_spatial_dimensions, "int64_t":$output_batch_dimension,
                        "int64_t":$output_feature_dimension, ArrayRefParameter<"int64_t">:$output_spatial_dimensions);
  let hasCustomAssemblyFormat = 1;
}
def Stablehlo_DotAlgorithmAttr : Stablehlo_Record<"DotAlgorithm", "dot_algorithm", "Computation of a product"> {
  let parameters = (ins "::mlir::Type":$lhs_precision_type, "::mlir::Type":$rhs_precision_type,
                        "::mlir::Type":$accumulation_type, "int64_t":$lhs_component_count,
                        "int64_t":$rhs_component_count, "int64_t":$num_primitive_operations,
                        "bool":$allow_imprecise_accumulation);
}
def Stablehlo_OutputOperandAliasAttr
    : Stablehlo_Record<"OutputOperandAlias", "output_operand_alias", "A result of a call in the memory of an operand"> {
  let parameters = (ins Stablehlo_Dimensions:$output_tuple_indices, "int64_t":$operand_index,
                        Stablehlo_Dimensions:$operand_tuple_indices);
}
def Stablehlo_BoundsAttr
    : AttrDef<Stablehlo_Dialect, "Bounds", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "bounds";
  let summary = "Upper bounds of the sizes of a tensor, as its encoding; -1 without a bound";
  let parameters = (ins ArrayRefParameter<"int64_t">:$bounds);
  let hasCustomAssemblyFormat = 1;
}
//===-- ops: classes ---------------------------------------------------------------------------------------------===//

/// An operation in generic syntax.
class Stablehlo_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Stablehlo_Dialect, mnemonic, traits>;
class Stablehlo_NullaryOp<string mnemonic> : Stablehlo_Op<mnemonic, [Pure]> {
  let results = (outs Stablehlo_Tensor:$result);
}
/// (C1) The elements are of a kind that the function has. (C2) The sizes of `result` agree with those of `operand`, and
/// its elements are those of the function: for example booleans for `is_finite`, real numbers for `abs`.
class Stablehlo_UnaryOp<string mnemonic> : Stablehlo_Op<mnemonic, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
}
/// A function of elements whose accuracy a program may state; the attribute is ignored.
class Stablehlo_AccurateOp<string mnemonic> : Stablehlo_UnaryOp<mnemonic> {
  let arguments = (ins Stablehlo_Tensor:$operand, OptionalAttr<AnyAttr>:$result_accuracy);
}
/// (C1) The elements are of a kind that the function has. (C2) The types of the operands agree. (C3) So does that of
/// `result`, or it has complex elements for `complex`.
class Stablehlo_BinaryOp<string mnemonic> : Stablehlo_Op<mnemonic, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs);
  let results = (outs Stablehlo_Tensor:$result);
}

//===-- ops: functions of elements -------------------------------------------------------------------------------===//

def Stablehlo_AbsOp : Stablehlo_UnaryOp<"abs"> {
  let summary = "The absolute value, or the modulus of a complex number";
}
def Stablehlo_BitcastConvertOp : Stablehlo_UnaryOp<"bitcast_convert"> {
  let summary = "The same bits with another element type";
}
def Stablehlo_CeilOp : Stablehlo_UnaryOp<"ceil"> {
  let summary = "The least integer that is not less";
}
def Stablehlo_ConvertOp : Stablehlo_UnaryOp<"convert"> {
  let summary = "Conversion to another element type";
}
def Stablehlo_CountLeadingZerosOp : Stablehlo_UnaryOp<"count_leading_zeros"> {
  let summary = "The number of leading zero bits";
}
def Stablehlo_FloorOp : Stablehlo_UnaryOp<"floor"> {
  let summary = "The greatest integer that is not greater";
}
def Stablehlo_ImagOp : Stablehlo_UnaryOp<"imag"> {
  let summary = "The imaginary part";
}
def Stablehlo_IsFiniteOp : Stablehlo_UnaryOp<"is_finite"> {
  let summary = "Whether a float is neither infinite nor NaN";
}
def Stablehlo_NegateOp : Stablehlo_UnaryOp<"negate"> {
  let summary = "The negative value";
}
def Stablehlo_NotOp : Stablehlo_UnaryOp<"not"> {
  let summary = "The negation of a boolean, or of each bit";
}
def Stablehlo_PopcntOp : Stablehlo_UnaryOp<"popcnt"> {
  let summary = "The number of bits that are 1";
}
def Stablehlo_RealOp : Stablehlo_UnaryOp<"real"> {
  let summary = "The real part";
}
def Stablehlo_RoundNearestAfzOp : Stablehlo_UnaryOp<"round_nearest_afz"> {
  let summary = "The nearest integer; ties are rounded away from zero";
}
def Stablehlo_RoundNearestEvenOp : Stablehlo_UnaryOp<"round_nearest_even"> {
  let summary = "The nearest integer; ties are rounded to the even one";
}
def Stablehlo_SignOp : Stablehlo_UnaryOp<"sign"> {
  let summary = "The sign: -1, 0, or 1";
}

def Stablehlo_CbrtOp : Stablehlo_AccurateOp<"cbrt"> {
  let summary = "The cube root";
}
def Stablehlo_CosineOp : Stablehlo_AccurateOp<"cosine"> {
  let summary = "The cosine";
}
def Stablehlo_ExponentialOp : Stablehlo_AccurateOp<"exponential"> {
  let summary = "The exponential function";
}
def Stablehlo_ExponentialMinusOneOp : Stablehlo_AccurateOp<"exponential_minus_one"> {
  let summary = "`exp(x) - 1`, also exact near 0";
}
def Stablehlo_LogOp : Stablehlo_AccurateOp<"log"> {
  let summary = "The natural logarithm";
}
def Stablehlo_LogPlusOneOp : Stablehlo_AccurateOp<"log_plus_one"> {
  let summary = "`log(1 + x)`, also exact near 0";
}
def Stablehlo_LogisticOp : Stablehlo_AccurateOp<"logistic"> {
  let summary = "`1 / (1 + exp(-x))`";
}
def Stablehlo_RsqrtOp : Stablehlo_AccurateOp<"rsqrt"> {
  let summary = "The reciprocal of the square root";
}
def Stablehlo_SineOp : Stablehlo_AccurateOp<"sine"> {
  let summary = "The sine";
}
def Stablehlo_SqrtOp : Stablehlo_AccurateOp<"sqrt"> {
  let summary = "The square root";
}
def Stablehlo_TanOp : Stablehlo_AccurateOp<"tan"> {
  let summary = "The tangent";
}
def Stablehlo_TanhOp : Stablehlo_AccurateOp<"tanh"> {
  let summary = "The hyperbolic tangent";
}

def Stablehlo_AddOp : Stablehlo_BinaryOp<"add"> {
  let summary = "The sum, or the disjunction of booleans";
}
def Stablehlo_AndOp : Stablehlo_BinaryOp<"and"> {
  let summary = "The conjunction of booleans, or of each bit";
}
def Stablehlo_Atan2Op : Stablehlo_BinaryOp<"atan2"> {
  let summary = "The angle of a point";
}
def Stablehlo_ComplexOp : Stablehlo_BinaryOp<"complex"> {
  let summary = "The complex number with these parts";
}
def Stablehlo_DivideOp : Stablehlo_BinaryOp<"divide"> {
  let summary = "The quotient; that of integers is rounded towards zero";
}
def Stablehlo_MaximumOp : Stablehlo_BinaryOp<"maximum"> {
  let summary = "The maximum; NaN if an operand is NaN";
}
def Stablehlo_MinimumOp : Stablehlo_BinaryOp<"minimum"> {
  let summary = "The minimum; NaN if an operand is NaN";
}
def Stablehlo_MultiplyOp : Stablehlo_BinaryOp<"multiply"> {
  let summary = "The product, or the conjunction of booleans";
}
def Stablehlo_OrOp : Stablehlo_BinaryOp<"or"> {
  let summary = "The disjunction of booleans, or of each bit";
}
def Stablehlo_PowerOp : Stablehlo_BinaryOp<"power"> {
  let summary = "The power";
}
def Stablehlo_RemainderOp : Stablehlo_BinaryOp<"remainder"> {
  let summary = "The remainder of a division, with the sign of the dividend";
}
def Stablehlo_ShiftLeftOp : Stablehlo_BinaryOp<"shift_left"> {
  let summary = "Bits shifted left; 0 for a shift by the width or more";
}
def Stablehlo_ShiftRightArithmeticOp : Stablehlo_BinaryOp<"shift_right_arithmetic"> {
  let summary = "Bits shifted right; the sign bit fills them up, also for a shift by the width or more";
}
def Stablehlo_ShiftRightLogicalOp : Stablehlo_BinaryOp<"shift_right_logical"> {
  let summary = "Bits shifted right; 0 for a shift by the width or more";
}
def Stablehlo_SubtractOp : Stablehlo_BinaryOp<"subtract"> {
  let summary = "The difference";
}
def Stablehlo_XorOp : Stablehlo_BinaryOp<"xor"> {
  let summary = "The exclusive disjunction of booleans, or of each bit";
}

def Stablehlo_CompareOp : Stablehlo_Op<"compare", [Pure]> {
  let summary = "Whether a relation holds between elements";
  let description = [{
    - (C1) the types of `lhs` and `rhs` agree.
    - (C2) complex numbers are compared by `EQ` or `NE`.
    - (C3) `result` has booleans, and sizes that agree with those of `lhs`.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       Stablehlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Stablehlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_SelectOp : Stablehlo_Op<"select", [Pure]> {
  let summary = "One of two arrays, by a scalar or by elements";
  let description = [{
    - (C1) `pred` has booleans, and is a scalar or has sizes that agree with those of `on_true`.
    - (C2) the types of `on_true` and `on_false` agree.
    - (C3) the type of `result` agrees with that of `on_true`.
  }];
  let arguments = (ins Stablehlo_Tensor:$pred, Stablehlo_Tensor:$on_true, Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_ClampOp : Stablehlo_Op<"clamp", [Pure]> {
  let summary = "Elements limited to a range, whose ends may be scalars";
  let description = [{
    - (C1) `operand` has no complex numbers.
    - (C2) `min` and `max` are scalars, or have sizes that agree with those of `operand`; the elements are those of
      `operand`.
    - (C3) the type of `result` agrees with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$min, Stablehlo_Tensor:$operand, Stablehlo_Tensor:$max);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_ReducePrecisionOp : Stablehlo_Op<"reduce_precision", [Pure]> {
  let summary = "Floats rounded to a format with fewer bits";
  let description = [{
    - (C1) `operand` has floats.
    - (C2) `exponent_bits` is at least 1, and `mantissa_bits` at least 0.
    - (C3) the type of `result` agrees with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs Stablehlo_Tensor:$result);
}

//===-- ops: constants, shapes and parts of arrays ---------------------------------------------------------------===//

def Stablehlo_ConstantOp : Stablehlo_Op<"constant", [Pure, ConstantLike]> {
  let summary = "A constant";
  let description = [{
    - (C1) the type of `result` agrees with that of `value`.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_Tensor:$result);
  let hasFolder = 1;
  let extraClassDefinition = verifier # [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return getValue(); }
  }];
}
def Stablehlo_IotaOp : Stablehlo_Op<"iota", [Pure]> {
  let summary = "The index in a dimension";
  let description = [{
    - (C1) `result` has numbers.
    - (C2) `iota_dimension` is an axis of `result`.
  }];
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicIotaOp : Stablehlo_Op<"dynamic_iota", [Pure]> {
  let summary = "The index in a dimension, with computed sizes";
  let description = [{
    - (C1) `result` has numbers.
    - (C2) `iota_dimension` is an axis of `result`.
    - (C3) `output_shape` has an integer for each axis of `result`.
  }];
  let arguments = (ins Stablehlo_Tensor:$output_shape, I64Attr:$iota_dimension);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_BroadcastOp : Stablehlo_Op<"broadcast", [Pure]> {
  let summary = "Copies along new dimensions in front";
  let description = [{
    - (C1) `broadcast_sizes` are at least 0.
    - (C2) the sizes of `result` are `broadcast_sizes` and those of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_BroadcastInDimOp : Stablehlo_Op<"broadcast_in_dim", [Pure]> {
  let summary = "Copies along dimensions; the list states where the dimensions of the operand are in the result";
  let description = [{
    - (C1) `broadcast_dimensions` has a number for each axis of `operand`.
    - (C2) these are different axes of `result`.
    - (C3) each axis of `operand` has size 1 or that of its axis of `result`, and the elements are the same.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicBroadcastInDimOp : Stablehlo_Op<"dynamic_broadcast_in_dim", [Pure]> {
  let summary = "Copies along dimensions, with computed sizes";
  let description = [{
    - (C1) `broadcast_dimensions` has a number for each axis of `operand`.
    - (C2) these are different axes of `result`.
    - (C3) each axis of `operand` has size 1 or that of its axis of `result`, and the elements are the same.
    - (C4) `output_dimensions` has an integer for each axis of `result`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$output_dimensions,
                       DenseI64ArrayAttr:$broadcast_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_ReshapeOp : Stablehlo_Op<"reshape", [Pure]> {
  let summary = "The same elements in row-major order, with other sizes";
  let description = [{
    - (C1) `result` has as many elements as `operand`, of the same type.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicReshapeOp : Stablehlo_Op<"dynamic_reshape", [Pure]> {
  let summary = "The same elements in row-major order, with computed sizes";
  let description = [{
    - (C1) `result` has as many elements as `operand`, of the same type.
    - (C2) `output_shape` has an integer for each axis of `result`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$output_shape);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_TransposeOp : Stablehlo_Op<"transpose", [Pure]> {
  let summary = "Dimensions in another order";
  let description = [{
    - (C1) `permutation` contains each axis of `operand` once.
    - (C2) axis k of `result` is axis `permutation[k]` of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$permutation);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_ReverseOp : Stablehlo_Op<"reverse", [Pure]> {
  let summary = "The elements of some dimensions in reverse order";
  let description = [{
    - (C1) `dimensions` are different axes of `operand`.
    - (C2) the type of `result` agrees with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_ConcatenateOp : Stablehlo_Op<"concatenate", [Pure]> {
  let summary = "Arrays one after the other in a dimension";
  let description = [{
    - (C1) there is an operand, and the types of all agree but for their sizes in `dimension`.
    - (C2) `dimension` is an axis.
    - (C3) `result` has the sum of the sizes in `dimension`.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_PadOp : Stablehlo_Op<"pad", [Pure]> {
  let summary = "Elements inserted before, after and between; negative numbers remove elements";
  let description = [{
    - (C1) `padding_value` is a scalar with elements like those of `operand`.
    - (C2) the lists have a number for each axis of `operand`.
    - (C3) `interior_padding` is at least 0.
    - (C4) axis k of `result` has size n + low + high + (n - 1) · interior, which is at least 0.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$padding_value, DenseI64ArrayAttr:$edge_padding_low,
                       DenseI64ArrayAttr:$edge_padding_high, DenseI64ArrayAttr:$interior_padding);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicPadOp : Stablehlo_Op<"dynamic_pad", [Pure]> {
  let summary = "Elements inserted in computed numbers";
  let description = [{
    - (C1) `padding_value` is a scalar with elements like those of `operand`.
    - (C2) the lists have an integer for each axis of `operand`.
    - (C3) `result` has the rank and elements of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$padding_value, Stablehlo_Tensor:$edge_padding_low,
                       Stablehlo_Tensor:$edge_padding_high, Stablehlo_Tensor:$interior_padding);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_SliceOp : Stablehlo_Op<"slice", [Pure]> {
  let summary = "Every n-th element of a range in each dimension";
  let description = [{
    - (C1) the lists have a number for each axis of `operand`.
    - (C2) each range is inside of `operand`, and `strides` are at least 1.
    - (C3) axis k of `result` has size (limit - start) / stride, rounded up.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, DenseI64ArrayAttr:$start_indices, DenseI64ArrayAttr:$limit_indices,
                       DenseI64ArrayAttr:$strides);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicSliceOp : Stablehlo_Op<"dynamic_slice", [Pure]> {
  let summary = "A part from a computed position, which is limited so that the part is inside";
  let description = [{
    - (C1) there is a scalar integer for each axis of `operand`.
    - (C2) `slice_sizes` are at most the sizes of `operand`.
    - (C3) the sizes of `result` are `slice_sizes`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Variadic<Stablehlo_Tensor>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_RealDynamicSliceOp : Stablehlo_Op<"real_dynamic_slice", [Pure]> {
  let summary = "Every n-th element of a computed range";
  let description = [{
    - (C1) the lists have an integer for each axis of `operand`.
    - (C2) `result` has the rank and elements of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$start_indices, Stablehlo_Tensor:$limit_indices,
                       Stablehlo_Tensor:$strides);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicUpdateSliceOp : Stablehlo_Op<"dynamic_update_slice", [Pure]> {
  let summary = "An array with a part replaced, at a computed position that is limited so that the part is inside";
  let description = [{
    - (C1) there is a scalar integer for each axis of `operand`.
    - (C2) `update` has the rank and elements of `operand`, and at most its sizes.
    - (C3) the type of `result` agrees with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$update, Variadic<Stablehlo_Tensor>:$start_indices);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_GatherOp : Stablehlo_Op<"gather", [Pure]> {
  let summary = "Parts at computed positions, which are limited so that the parts are inside";
  let description = [{
    - (C1) `dimension_numbers` are different axes: `offset_dims` of `result`, in order, `start_indices_batching_dims` of
      `start_indices`, the others of `operand`. There is an offset axis for each axis of `operand` that is neither
      collapsed nor a batch axis, and as many batch axes on both sides.
    - (C2) `start_indices` has integers, an index vector as long as `start_index_map`, and batch axes of the sizes of
      `operand`.
    - (C3) `slice_sizes` are at most the sizes of `operand`, and at most 1 in collapsed axes and batch axes.
    - (C4) the offset axes of `result` have the sizes of a part, the others those of `start_indices`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$start_indices,
                       Stablehlo_GatherAttr:$dimension_numbers, DenseI64ArrayAttr:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicGatherOp : Stablehlo_Op<"dynamic_gather", [Pure]> {
  let summary = "Parts of computed sizes at computed positions";
  let description = [{
    - (C1) `dimension_numbers` are as for `gather`.
    - (C2) `start_indices` are as for `gather`.
    - (C3) `slice_sizes` has an integer for each axis of `operand`.
    - (C4) the other axes of `result` than the offset axes have the sizes of `start_indices`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$start_indices, Stablehlo_Tensor:$slice_sizes,
                       Stablehlo_GatherAttr:$dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_TorchIndexSelectOp : Stablehlo_Op<"torch_index_select", [Pure]> {
  let summary = "Rows with computed numbers";
  let description = [{
    - (C1) `index` has integers.
    - (C2) `dim` is an axis of `operand`, and the first `batch_dims` sizes of `operand` and `index`, at most `dim`,
      agree.
    - (C3) `result` has the sizes of `operand`, with those of `index` after the batch in place of `dim`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_GetDimensionSizeOp : Stablehlo_Op<"get_dimension_size", [Pure]> {
  let summary = "The size of a dimension, as an `i32`";
  let description = [{
    - (C1) `dimension` is an axis of `operand`.
    - (C2) `result` is a scalar of type `i32`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_SetDimensionSizeOp : Stablehlo_Op<"set_dimension_size", [Pure]> {
  let summary = "An array with a computed size in a dimension that has a bound";
  let description = [{
    - (C1) `size` is a scalar integer.
    - (C2) `dimension` is an axis of `operand`.
    - (C3) the type of `result` agrees with that of `operand` but for the size of `dimension`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$size, I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor:$result);
}

//===-- ops: reductions and other operations with functions ------------------------------------------------------===//

def Stablehlo_ReduceOp : Stablehlo_Op<"reduce", [Pure, SameVariadicOperandSize]> {
  let summary = "Elements along dimensions combined by a function, in any order";
  let description = [{
    - (C1) there is an array, and as many results; the sizes of all arrays agree, and `init_values` are scalars with
      their elements.
    - (C2) `dimensions` are different axes.
    - (C3) `results` have the sizes of the other axes.
    - (C4) `body` takes two elements of each of the results, and returns one.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Tensor>:$init_values,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}
def Stablehlo_ReduceWindowOp : Stablehlo_Op<"reduce_window", [Pure, SameVariadicOperandSize]> {
  let summary = "Elements of each window combined by a function";
  let description = [{
    - (C1) there is an array, and as many results; the sizes of all arrays agree, and `init_values` are scalars with
      their elements.
    - (C2) the attributes of windows have an element for each axis: sizes, strides and dilations of at least 1, pairs of
      paddings.
    - (C3) axis k of `results` has the number of windows on that axis.
    - (C4) `body` takes two elements of each of the results, and returns one.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Variadic<Stablehlo_Tensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions, OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dilations, OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
}
def Stablehlo_SelectAndScatterOp : Stablehlo_Op<"select_and_scatter", [Pure]> {
  let summary = "The transpose of pooling: elements are added where a function selects one of each window";
  let description = [{
    - (C1) `init_value` is a scalar with elements like those of `operand`.
    - (C2) the attributes of windows are as for `reduce_window`.
    - (C3) `source` has an element for each window.
    - (C4) `result` has the sizes of `operand`.
    - (C5) `select` takes two elements and returns a boolean; `scatter` takes two and returns one.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$source, Stablehlo_Tensor:$init_value,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides, OptionalAttr<I64ElementsAttr>:$padding);
  let results = (outs Stablehlo_Tensor:$result);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}
def Stablehlo_ScatterOp : Stablehlo_Op<"scatter", [Pure, SameVariadicOperandSize]> {
  let summary = "Arrays whose parts at computed positions are combined with updates, if they are inside";
  let description = [{
    - (C1) there is an array; `scatter_dimension_numbers` are as for `gather`, with the updates in place of its result.
    - (C2) `scatter_indices` are as for `gather`.
    - (C3) there are as many results as arrays, and the sizes of all arrays agree.
    - (C4) the window axes of `updates` have at most the sizes of the array, the others those of `scatter_indices`; the
      elements are those of the array.
    - (C5) the types of `results` agree with those of the arrays.
    - (C6) `update_computation` takes two elements of each of the arrays, and returns one.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, Stablehlo_Tensor:$scatter_indices,
                       Variadic<Stablehlo_Tensor>:$updates, Stablehlo_ScatterAttr:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$update_computation);
}
def Stablehlo_SortOp : Stablehlo_Op<"sort", [Pure]> {
  let summary = "Arrays sorted along a dimension by a relation";
  let description = [{
    - (C1) there is an array, and the sizes of all arrays agree.
    - (C2) `dimension` is an axis, counted from the last one if it is negative.
    - (C3) the types of `results` agree with those of the arrays.
    - (C4) `comparator` takes two elements of each array, and returns a boolean.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
  let regions = (region SizedRegion<1>:$comparator);
}
def Stablehlo_MapOp : Stablehlo_Op<"map", [Pure]> {
  let summary = "A function of elements";
  let description = [{
    - (C1) there is an array, and the sizes of all arrays agree.
    - (C2) `dimensions` are all axes in their order.
    - (C3) `result` has the sizes of the arrays.
    - (C4) `computation` takes an element of each array, and returns one of `result`.
  }];
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  let regions = (region SizedRegion<1>:$computation);
}
def Stablehlo_WhileOp : Stablehlo_Op<"while"> {
  let summary = "A loop";
  let description = [{
    - (C1) the types of `results` agree with those of `operand`.
    - (C2) `cond` takes values of these types, and returns a boolean.
    - (C3) `body` takes and returns values of these types.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$operand);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
}
def Stablehlo_IfOp : Stablehlo_Op<"if"> {
  let summary = "One of two computations";
  let description = [{
    - (C1) `pred` is a scalar boolean.
    - (C2) the regions take nothing, and return values with the types of `results`.
  }];
  let arguments = (ins Stablehlo_Tensor:$pred);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}
def Stablehlo_CaseOp : Stablehlo_Op<"case"> {
  let summary = "One of several computations: the last one, if there is none with the number";
  let description = [{
    - (C1) `index` is a scalar of type `i32`.
    - (C2) there is a region; the regions take nothing, and return values with the types of `results`.
  }];
  let arguments = (ins Stablehlo_Tensor:$index);
  let results = (outs Variadic<Stablehlo_Value>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}
def Stablehlo_CompositeOp : Mlopt_SymbolUserOp<Stablehlo_Dialect, "composite"> {
  let summary = "A call of a function with a name";
  let description = [{
    - (C1) `decomposition` is a function of this module.
    - (C2) its type is that of the operands and results.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes, FlatSymbolRefAttr:$decomposition,
                       OptionalAttr<I32Attr>:$version);
  let results = (outs Variadic<Stablehlo_Value>:$results);
}
def Stablehlo_ReturnOp : Stablehlo_Op<"return", [Pure, Terminator]> {
  let summary = "The results of a region";
  let description = [{
    - (C1) the parent is not a function.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$results);
}

//===-- ops: products and linear algebra -------------------------------------------------------------------------===//

def Stablehlo_DotGeneralOp : Stablehlo_Op<"dot_general", [Pure]> {
  let summary = "A product of arrays, summed over the contracting dimensions";
  let description = [{
    - (C1) the elements of `lhs`, `rhs` and `result` are of the same kind.
    - (C2) `dot_dimension_numbers` are different axes of the operands, as many of each kind on both sides.
    - (C3) axes that belong together have sizes that agree.
    - (C4) `result` has the batch axes, the other axes of `lhs`, and those of `rhs`.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs, Stablehlo_DotAttr:$dot_dimension_numbers,
                       OptionalAttr<ArrayAttr>:$precision_config, OptionalAttr<Stablehlo_DotAlgorithmAttr>:$algorithm);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DotOp : Stablehlo_Op<"dot", [Pure]> {
  let summary = "A product of matrices or vectors";
  let description = [{
    - (C1) the elements of `lhs`, `rhs` and `result` are of the same kind.
    - (C2) the operands are vectors or matrices.
    - (C3) the last axis of `lhs` and the first of `rhs` have sizes that agree.
    - (C4) `result` has the other axes.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs, OptionalAttr<ArrayAttr>:$precision_config);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_EinsumOp : Stablehlo_Op<"einsum", [Pure]> {
  let summary = "A product in Einstein's notation";
  let description = [{
    - (C1) the elements of `lhs`, `rhs` and `result` are of the same kind.
    - (C2) `einsum_config` has the form `ij,jk->ik`; the letters of the result are different letters of the operands.
    - (C3) the operands have an axis for each letter, and axes with the same letter have sizes that agree.
    - (C4) the axes of `result` have the sizes of their letters.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs, StrAttr:$einsum_config);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_UnaryEinsumOp : Stablehlo_Op<"unary_einsum", [Pure]> {
  let summary = "A sum in Einstein's notation";
  let description = [{
    - (C1) the elements of `operand` and `result` are of the same kind.
    - (C2) `einsum_config` has the form `ij->i`; the letters of the result are different letters of the operand.
    - (C3) the operand has an axis for each letter, and axes with the same letter have sizes that agree.
    - (C4) the axes of `result` have the sizes of their letters.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_ConvolutionOp : Stablehlo_Op<"convolution", [Pure]> {
  let summary = "A convolution";
  let description = [{
    - (C1) `lhs`, `rhs` and `result` have the axes in `dimension_numbers`, and elements of the same kind.
    - (C2) the numbers of groups are at least 1, and one of them is 1.
    - (C3) the groups divide batch and features, and the kernel has the input features of a group.
    - (C4) the attributes of windows are as for `reduce_window`.
    - (C5) `result` has the batch, the output features, and the numbers of windows.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs, OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<I64ElementsAttr>:$padding, OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation, OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       Stablehlo_ConvAttr:$dimension_numbers, I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<ArrayAttr>:$precision_config);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_DynamicConvOp : Stablehlo_Op<"dynamic_conv", [Pure]> {
  let summary = "A convolution with a computed padding";
  let description = [{
    - (C1) `lhs`, `rhs` and `result` have the axes in `dimension_numbers`, and elements of the same kind.
    - (C2) the numbers of groups are at least 1, and one of them is 1.
    - (C3) the groups divide batch and features, and the kernel has the input features of a group.
    - (C4) the attributes of windows are as for `reduce_window`.
    - (C5) `padding` has two integers for each spatial axis, and `result` has the batch and the output features.
  }];
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs, Stablehlo_Tensor:$padding,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides, OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation, OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       Stablehlo_ConvAttr:$dimension_numbers, I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<ArrayAttr>:$precision_config);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_FftOp : Stablehlo_Op<"fft", [Pure]> {
  let summary = "A Fourier transform";
  let description = [{
    - (C1) `operand` and `result` have floats or complex numbers, as `fft_type` states, with the same parts.
    - (C2) `fft_length` has 1 to 3 elements, at most one for each axis, of at least 0.
    - (C3) the last axes of `operand` have these sizes; that of `IRFFT` has n / 2 + 1 elements in the last one.
    - (C4) so has `result`; that of `RFFT` has n / 2 + 1 elements in the last one.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_FftTypeAttr:$fft_type, DenseI64ArrayAttr:$fft_length);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_CholeskyOp : Stablehlo_Op<"cholesky", [Pure]> {
  let summary = "The Cholesky factor of matrices";
  let description = [{
    - (C1) `a` is square matrices of floats or complex numbers.
    - (C2) the type of `result` agrees with that of `a`.
  }];
  let arguments = (ins Stablehlo_Tensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_TriangularSolveOp : Stablehlo_Op<"triangular_solve", [Pure]> {
  let summary = "The solution of triangular systems";
  let description = [{
    - (C1) `a` is square matrices of floats or complex numbers.
    - (C2) `b` is an array of matrices with the batch axes and elements of `a`, and its size in rows, or columns if
      `left_side` is false.
    - (C3) `transpose_a` is not `TRANSPOSE_INVALID`.
    - (C4) the type of `result` agrees with that of `b`.
  }];
  let arguments = (ins Stablehlo_Tensor:$a, Stablehlo_Tensor:$b, BoolAttr:$left_side, BoolAttr:$lower,
                       BoolAttr:$unit_diagonal, Stablehlo_TransposeAttr:$transpose_a);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_BatchNormTrainingOp : Stablehlo_Op<"batch_norm_training", [Pure]> {
  let summary = "Normalisation, with mean and variance";
  let description = [{
    - (C1) `operand` has floats.
    - (C2) `feature_index` is an axis of `operand`.
    - (C3) the vectors have an element for each feature.
    - (C4) the type of `output` agrees with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$scale, Stablehlo_Tensor:$offset, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs Stablehlo_Tensor:$output, Stablehlo_Tensor:$batch_mean, Stablehlo_Tensor:$batch_var);
}
def Stablehlo_BatchNormInferenceOp : Stablehlo_Op<"batch_norm_inference", [Pure]> {
  let summary = "Normalisation with a given mean and variance";
  let description = [{
    - (C1) `operand` has floats.
    - (C2) `feature_index` is an axis of `operand`.
    - (C3) the vectors have an element for each feature.
    - (C4) the type of `result` agrees with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$scale, Stablehlo_Tensor:$offset,
                       Stablehlo_Tensor:$mean, Stablehlo_Tensor:$variance, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_BatchNormGradOp : Stablehlo_Op<"batch_norm_grad", [Pure]> {
  let summary = "The gradient of a normalisation";
  let description = [{
    - (C1) `operand` has floats.
    - (C2) `feature_index` is an axis of `operand`.
    - (C3) the vectors have an element for each feature.
    - (C4) the types of `grad_output` and `grad_operand` agree with that of `operand`.
  }];
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$scale, Stablehlo_Tensor:$mean,
                       Stablehlo_Tensor:$variance, Stablehlo_Tensor:$grad_output, F32Attr:$epsilon,
                       I64Attr:$feature_index);
  let results = (outs Stablehlo_Tensor:$grad_operand, Stablehlo_Tensor:$grad_scale, Stablehlo_Tensor:$grad_offset);
}

//===-- ops: communication between devices ------------------------------------------------------------------------===//

/// An operation on the arrays of all devices of a group. Programs run on one device. (C1) There is a result for each
/// array, with its rank and elements. (C2) A function takes two elements and returns one.
class Stablehlo_CollectiveOp<string mnemonic, dag more = (ins)> : Stablehlo_Op<mnemonic> {
  let arguments = !con((ins Variadic<Stablehlo_Tensor>:$inputs), more,
                       (ins OptionalAttr<AnyAttr>:$channel_handle, OptionalAttr<UnitAttr>:$use_global_device_ids));
  let results = (outs Variadic<Stablehlo_Tensor>:$results);
}
def Stablehlo_AllReduceOp : Stablehlo_CollectiveOp<"all_reduce", (ins I64ElementsAttr:$replica_groups)> {
  let summary = "Arrays of all devices combined by a function";
  let regions = (region SizedRegion<1>:$computation);
}
def Stablehlo_ReduceScatterOp
    : Stablehlo_CollectiveOp<"reduce_scatter", (ins I64Attr:$scatter_dimension, I64ElementsAttr:$replica_groups)> {
  let summary = "Arrays of all devices combined by a function, of which each device gets a part";
  let regions = (region SizedRegion<1>:$computation);
}
def Stablehlo_AllGatherOp
    : Stablehlo_CollectiveOp<"all_gather", (ins I64Attr:$all_gather_dim, I64ElementsAttr:$replica_groups)> {
  let summary = "Arrays of all devices one after the other";
}
def Stablehlo_AllToAllOp
    : Stablehlo_CollectiveOp<"all_to_all", (ins I64Attr:$split_dimension, I64Attr:$concat_dimension,
                                            I64Attr:$split_count, I64ElementsAttr:$replica_groups)> {
  let summary = "Parts of arrays, exchanged among all devices";
}
def Stablehlo_CollectiveBroadcastOp
    : Stablehlo_CollectiveOp<"collective_broadcast", (ins I64ElementsAttr:$replica_groups)> {
  let summary = "The array of one device";
}
def Stablehlo_CollectivePermuteOp
    : Stablehlo_CollectiveOp<"collective_permute", (ins I64ElementsAttr:$source_target_pairs)> {
  let summary = "The array of another device";
}
def Stablehlo_CrossReplicaSumOp
    : Stablehlo_CollectiveOp<"cross-replica-sum", (ins I64ElementsAttr:$replica_groups)> {
  let summary = "The sum of the arrays of all devices";
}
def Stablehlo_PartitionIdOp : Stablehlo_NullaryOp<"partition_id"> {
  let summary = "The number of the part of the program that this device executes";
  let description = [{
    - (C1) `result` is a scalar of type `ui32`.
  }];
}
def Stablehlo_ReplicaIdOp : Stablehlo_NullaryOp<"replica_id"> {
  let summary = "The number of the copy of the program that this device executes";
  let description = [{
    - (C1) `result` is a scalar of type `ui32`.
  }];
}

//===-- ops: random numbers, tuples and calls --------------------------------------------------------------------===//

def Stablehlo_RngOp : Stablehlo_Op<"rng"> {
  let summary = "Random numbers";
  let description = [{
    - (C1) `a` and `b` are scalars of the same type.
    - (C2) `shape` has an integer for each axis of `result`.
    - (C3) `result` has elements like `a`.
  }];
  let arguments = (ins Stablehlo_Tensor:$a, Stablehlo_Tensor:$b, Stablehlo_Tensor:$shape,
                       Stablehlo_RngDistributionAttr:$rng_distribution);
  let results = (outs Stablehlo_Tensor:$result);
}
def Stablehlo_RngBitGeneratorOp : Stablehlo_Op<"rng_bit_generator", [Pure]> {
  let summary = "Random bits of a state, with the next state";
  let description = [{
    - (C1) `initial_state` has 2 elements of type `ui64`, or 3 unless the algorithm is `THREE_FRY`.
    - (C2) the type of `output_state` agrees with that of `initial_state`.
    - (C3) `output` has integers or floats.
  }];
  let arguments = (ins Stablehlo_Tensor:$initial_state, Stablehlo_RngAlgorithmAttr:$rng_algorithm);
  let results = (outs Stablehlo_Tensor:$output_state, Stablehlo_Tensor:$output);
}
def Stablehlo_TupleOp : Stablehlo_Op<"tuple", [Pure]> {
  let summary = "A tuple";
  let description = [{
    - (C1) `result` is a tuple of the operands.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$val);
  let results = (outs Stablehlo_Value:$result);
}
def Stablehlo_GetTupleElementOp : Stablehlo_Op<"get_tuple_element", [Pure]> {
  let summary = "An element of a tuple";
  let description = [{
    - (C1) `operand` is a tuple.
    - (C2) `index` is the number of an element.
    - (C3) `result` has the type of that element.
  }];
  let arguments = (ins Stablehlo_Value:$operand, I32Attr:$index);
  let results = (outs Stablehlo_Value:$result);
}
def Stablehlo_OptimizationBarrierOp : Stablehlo_Op<"optimization_barrier", [Pure]> {
  let summary = "The operands, across which nothing is moved";
  let description = [{
    - (C1) the types of the results agree with those of the operands.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$operand);
  let results = (outs Variadic<Stablehlo_Value>:$result);
}
def Stablehlo_CreateTokenOp : Stablehlo_Op<"create_token"> {
  let summary = "A token";
  let description = [{
    - (C1) `output` is a token.
  }];
  let results = (outs Stablehlo_Value:$output);
}
def Stablehlo_AfterAllOp : Stablehlo_Op<"after_all"> {
  let summary = "A token after others";
  let description = [{
    - (C1) operands and `result` are tokens.
  }];
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs);
  let results = (outs Stablehlo_Value:$result);
}
def Stablehlo_CustomCallOp : Stablehlo_Op<"custom_call"> {
  let summary = "A call of a function by name, such as one of LAPACK";
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
                       OptionalAttr<AnyAttr>:$backend_config, OptionalAttr<Stablehlo_CustomCallApiVersion>:$api_version,
                       OptionalAttr<ArrayAttr>:$called_computations, OptionalAttr<ArrayAttr>:$operand_layouts,
                       OptionalAttr<ArrayAttr>:$result_layouts, OptionalAttr<ArrayAttr>:$result_tilings,
                       OptionalAttr<ArrayAttr>:$output_operand_aliases);
  let results = (outs Variadic<Stablehlo_Value>:$results);
}

#endif // MLOPT_STABLEHLO_TD
