#include "stablehlo/stablehlo.h"
#include "stablehloDialect.cpp.inc"
#include "stablehloEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "stablehloAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "stablehloTypes.cpp.inc"
#define GET_OP_CLASSES
#include "stablehloOps.cpp.inc"

using namespace mlir;

void mlopt::stablehlo::StablehloDialect::initialize() {
  allowUnknownOperations();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "stablehloAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "stablehloTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "stablehloOps.cpp.inc"
      >();
}

FailureOr<SmallVector<int64_t>> mlopt::stablehlo::parseDimensions(AsmParser &parser) {
  SmallVector<int64_t> dimensions;
  auto one = [&] { return parser.parseInteger(dimensions.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  return dimensions;
}

void mlopt::stablehlo::printDimensions(AsmPrinter &printer, ArrayRef<int64_t> dimensions) {
  printer << '[';
  llvm::interleaveComma(dimensions, printer);
  printer << ']';
}

namespace {
/// The dimensions of a tensor in a convolution: two with a meaning of their own, and the spatial ones in their order.
struct Labelled {
  int64_t first = -1, second = -1;
  SmallVector<int64_t> spatial;
};

/// Parses `[b, 0, 1, f]`, where `first` and `second` are the letters.
ParseResult parseLabels(AsmParser &parser, StringRef first, StringRef second, Labelled &labels) {
  SMLoc start = parser.getCurrentLocation();
  int64_t position = 0;
  auto one = [&]() -> ParseResult {
    SMLoc at = parser.getCurrentLocation();
    int64_t number = 0;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    int64_t *place = nullptr;
    if (isNumber.has_value()) {
      if (failed(*isNumber))
        return failure();
      if (number < 0 || number > 64)
        return parser.emitError(at, "expected the number of a spatial dimension, found ") << number;
      if (static_cast<size_t>(number) >= labels.spatial.size())
        labels.spatial.resize(number + 1, -1);
      place = &labels.spatial[number];
    } else if (succeeded(parser.parseOptionalKeyword(first))) {
      place = &labels.first;
    } else if (succeeded(parser.parseOptionalKeyword(second))) {
      place = &labels.second;
    } else {
      return parser.emitError(at, "expected `") << first << "`, `" << second << "` or the number of a spatial dimension";
    }
    if (*place != -1)
      return parser.emitError(at, "expected each dimension once");
    *place = position++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one))
    return failure();
  if (labels.first == -1 || labels.second == -1 || llvm::is_contained(labels.spatial, -1))
    return parser.emitError(start, "expected `") << first << "`, `" << second << "` and all spatial dimensions";
  return success();
}

void printLabels(AsmPrinter &printer, char first, char second, int64_t firstAt, int64_t secondAt,
                 ArrayRef<int64_t> spatial) {
  SmallVector<std::string> labels(spatial.size() + 2);
  labels[firstAt] = first;
  labels[secondAt] = second;
  for (auto [number, at] : llvm::enumerate(spatial))
    labels[at] = std::to_string(number);
  printer << '[';
  llvm::interleaveComma(labels, printer, [&](const std::string &label) { printer << label; });
  printer << ']';
}
} // namespace

Attribute mlopt::stablehlo::ConvAttr::parse(AsmParser &parser, Type) {
  Labelled input, kernel, output;
  if (parser.parseLess() || parseLabels(parser, "b", "f", input))
    return {};
  // The lexer reads `x[` as the identifier `x` and a bracket.
  if (parser.parseKeyword("x") || parseLabels(parser, "i", "o", kernel) || parser.parseArrow() ||
      parseLabels(parser, "b", "f", output) || parser.parseGreater())
    return {};
  return get(parser.getContext(), input.first, input.second, input.spatial, kernel.first, kernel.second, kernel.spatial,
             output.first, output.second, output.spatial);
}

void mlopt::stablehlo::ConvAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printLabels(printer, 'b', 'f', getInputBatchDimension(), getInputFeatureDimension(), getInputSpatialDimensions());
  printer << 'x';
  printLabels(printer, 'i', 'o', getKernelInputFeatureDimension(), getKernelOutputFeatureDimension(),
              getKernelSpatialDimensions());
  printer << "->";
  printLabels(printer, 'b', 'f', getOutputBatchDimension(), getOutputFeatureDimension(), getOutputSpatialDimensions());
  printer << '>';
}

Attribute mlopt::stablehlo::BoundsAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> bounds;
  auto one = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion()))
      return bounds.push_back(-1), success();
    return parser.parseInteger(bounds.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, one))
    return {};
  return get(parser.getContext(), bounds);
}

void mlopt::stablehlo::BoundsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getBounds(), printer, [&](int64_t bound) {
    if (bound < 0)
      printer << '?';
    else
      printer << bound;
  });
  printer << '>';
}

LogicalResult mlopt::stablehlo::BoundsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                                           function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() == getBounds().size())
    return success();
  return emitError() << "expected a bound or `?` for each of " << shape.size() << " dimensions, found "
                     << getBounds().size();
}

/// Keeps an attribute that the dialect does not define as text.
static Attribute opaque(const Dialect &dialect, DialectAsmParser &parser) {
  return OpaqueAttr::get(StringAttr::get(dialect.getContext(), dialect.getNamespace()), parser.getFullSymbolSpec(),
                         NoneType::get(dialect.getContext()));
}

Attribute mlopt::stablehlo::StablehloDialect::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef mnemonic;
  Attribute attribute;
  OptionalParseResult known = generatedAttributeParser(parser, &mnemonic, type, attribute);
  return known.has_value() ? attribute : opaque(*this, parser);
}

void mlopt::stablehlo::StablehloDialect::printAttribute(Attribute attribute, DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attribute, printer);
}

namespace {
/// A dialect that concerns other compilers, whose operations and attributes programs may contain.
template <char... letters> struct Foreign : Dialect {
  static constexpr char text[] = {letters..., 0};
  static constexpr StringLiteral getDialectNamespace() { return StringLiteral(text); }
  explicit Foreign(MLIRContext *context) : Dialect(getDialectNamespace(), context, TypeID::get<Foreign>()) {
    allowUnknownOperations();
  }
  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    return opaque(*this, parser);
  }
};
} // namespace

MLOPT_REGISTER_DIALECT(stablehlo, mlopt::stablehlo::StablehloDialect)
using Mhlo = Foreign<'m', 'h', 'l', 'o'>;
using Jax = Foreign<'j', 'a', 'x'>;
using Shardy = Foreign<'s', 'd', 'y'>;
MLOPT_REGISTER_DIALECT(mhlo, Mhlo)
MLOPT_REGISTER_DIALECT(jax, Jax)
MLOPT_REGISTER_DIALECT(sdy, Shardy)

namespace mlopt::stablehlo {
template <typename Attr, typename Storage> using Register = mlopt::RegisterIntegers<Attr, Storage>;
static Register<ComparisonDirectionAttr, detail::ComparisonDirectionAttrStorage> registerComparisonDirection;
static Register<ComparisonTypeAttr, detail::ComparisonTypeAttrStorage> registerComparisonType;
static Register<FftTypeAttr, detail::FftTypeAttrStorage> registerFftType;
static Register<PrecisionAttr, detail::PrecisionAttrStorage> registerPrecision;
static Register<RngAlgorithmAttr, detail::RngAlgorithmAttrStorage> registerRngAlgorithm;
static Register<RngDistributionAttr, detail::RngDistributionAttrStorage> registerRngDistribution;
static Register<TransposeAttr, detail::TransposeAttrStorage> registerTranspose;
static Register<ConvAttr, detail::ConvAttrStorage> registerConv;
static Register<DotAttr, detail::DotAttrStorage> registerDot;
static Register<GatherAttr, detail::GatherAttrStorage> registerGather;
static Register<ScatterAttr, detail::ScatterAttrStorage> registerScatter;
} // namespace mlopt::stablehlo
