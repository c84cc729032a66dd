#include "bridge/Syntax.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace {
using Argument = OpAsmParser::Argument;
using UnresolvedOperand = OpAsmParser::UnresolvedOperand;

/// One written extent: an operand (`value` is -1) or an integer.
struct Extent {
  llvm::SMLoc location;
  int64_t value = -1;
};

ParseResult parseResultTypes(OpAsmParser &parser, SmallVectorImpl<Type> &results) {
  return failure(parser.parseArrow() ||
                 parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
                   return parser.parseType(results.emplace_back());
                 }));
}

void printResultTypes(OpAsmPrinter &printer, TypeRange results) {
  printer << " -> (";
  llvm::interleaveComma(results, printer);
  printer << ") ";
}
} // namespace

ParseResult mlopt::parseIndexSpace(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &extents,
                                   SmallVectorImpl<Type> &results, Region &body) {
  Type index = parser.getBuilder().getIndexType();
  SmallVector<Argument> arguments;
  SmallVector<Extent> written;
  auto parseOne = [&]() -> ParseResult {
    Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseLess())
      return failure();
    argument.type = index;
    Extent extent;
    extent.location = parser.getCurrentLocation();
    OptionalParseResult integer = parser.parseOptionalInteger(extent.value);
    if (integer.has_value()) {
      if (failed(*integer))
        return failure();
      if (extent.value < 0)
        return parser.emitError(extent.location, "an extent must not be negative");
    } else if (parser.parseOperand(extents.emplace_back())) {
      return failure();
    }
    written.push_back(extent);
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne) ||
      parseResultTypes(parser, results))
    return failure();
  // The integers repeat sizes of the result type; they must agree with it.
  auto type = results.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(results.front());
  for (auto [axis, extent] : llvm::enumerate(written)) {
    bool known = type && static_cast<int64_t>(axis) < type.getRank();
    int64_t size = known ? type.getDimSize(axis) : -1;
    if (known && extent.value != -1 && extent.value != size)
      return parser.emitError(extent.location)
             << "extent " << extent.value << " does not fit axis " << axis << " of result type " << type
             << (ShapedType::isDynamic(size) ? "; a run-time extent is an operand" : "");
    if (known && extent.value == -1 && !ShapedType::isDynamic(size))
      return parser.emitError(extent.location)
             << "axis " << axis << " of result type " << type << " is static: write its extent as the integer " << size;
  }
  return parser.parseRegion(body, arguments);
}

void mlopt::printIndexSpace(OpAsmPrinter &printer, Operation *op, OperandRange extents, TypeRange results,
                            Region &body) {
  auto type = results.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(results.front());
  printer << '(';
  unsigned next = 0;
  if (!body.empty())
    llvm::interleaveComma(llvm::enumerate(body.getArguments()), printer, [&](auto entry) {
      auto [axis, argument] = entry;
      printer.printRegionArgument(argument, {}, /*omitType=*/true);
      printer << " < ";
      bool isStatic = type && static_cast<int64_t>(axis) < type.getRank() && !type.isDynamicDim(axis);
      if (isStatic)
        printer << type.getDimSize(axis);
      else if (next < extents.size())
        printer << extents[next++];
      else
        printer << "?";
    });
  printer << ')';
  printResultTypes(printer, results);
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseIndexSpaceOfOne(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &extents, Type &result,
                                        Region &body) {
  SmallVector<Type> results;
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parseIndexSpace(parser, extents, results, body))
    return failure();
  if (results.size() != 1)
    return parser.emitError(location) << "expected one result type, found " << results.size();
  result = results.front();
  return success();
}

void mlopt::printIndexSpaceOfOne(OpAsmPrinter &printer, Operation *op, OperandRange extents, Type result,
                                 Region &body) {
  printIndexSpace(printer, op, extents, TypeRange(result), body);
}

ParseResult mlopt::parseIndices(OpAsmParser &parser, Region &body) {
  SmallVector<Argument> arguments;
  auto parseOne = [&]() -> ParseResult {
    Argument &argument = arguments.emplace_back();
    argument.type = parser.getBuilder().getIndexType();
    return parser.parseArgument(argument);
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  return parser.parseRegion(body, arguments);
}

void mlopt::printIndices(OpAsmPrinter &printer, Operation *op, Region &body) {
  printer << '(';
  if (!body.empty())
    llvm::interleaveComma(body.getArguments(), printer,
                          [&](BlockArgument a) { printer.printRegionArgument(a, {}, /*omitType=*/true); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

/// Returns the type of one row of an array, or the type itself if it has no rows, which the verifier rejects.
static Type rowType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0)
    return type;
  if (tensor.getRank() == 1)
    return tensor.getElementType();
  return tensor.clone(tensor.getShape().drop_front());
}

ParseResult mlopt::parseRowSpace(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &arrays,
                                 SmallVectorImpl<Type> &arrayTypes, SmallVectorImpl<UnresolvedOperand> &inits,
                                 SmallVectorImpl<Type> &initTypes, SmallVectorImpl<Type> &results, Region &body) {
  SmallVector<Argument> arguments;
  auto parseRow = [&]() -> ParseResult {
    Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(arrays.emplace_back()) ||
        parser.parseColonType(arrayTypes.emplace_back()))
      return failure();
    argument.type = rowType(arrayTypes.back());
    return success();
  };
  auto parseCarried = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseRow) ||
      parser.parseKeyword("iter_args"))
    return failure();
  llvm::SMLoc listLocation = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseCarried) || parseResultTypes(parser, results))
    return failure();
  if (results.size() < inits.size())
    return parser.emitError(listLocation) << "expected result types for all carried values (" << inits.size()
                                          << "), found " << results.size();
  initTypes.append(results.begin(), results.begin() + inits.size());
  for (auto [argument, type] : llvm::zip(llvm::drop_begin(arguments, arrays.size()), initTypes))
    argument.type = type;
  return parser.parseRegion(body, arguments);
}

void mlopt::printRowSpace(OpAsmPrinter &printer, Operation *op, OperandRange arrays, TypeRange arrayTypes,
                          OperandRange inits, TypeRange initTypes, TypeRange results, Region &body) {
  auto arguments = body.empty() ? Block::BlockArgListType() : Block::BlockArgListType(body.getArguments());
  auto rows = arguments.take_front(arrays.size());
  printer << '(';
  llvm::interleaveComma(llvm::zip(rows, arrays), printer, [&](auto pair) {
    printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
    printer << " = " << std::get<1>(pair) << " : " << std::get<1>(pair).getType();
  });
  printer << ") iter_args(";
  llvm::interleaveComma(llvm::zip(arguments.drop_front(rows.size()), inits), printer, [&](auto pair) {
    printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
    printer << " = " << std::get<1>(pair);
  });
  printer << ')';
  printResultTypes(printer, results);
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parsePoints(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &points,
                               SmallVectorImpl<Type> &types, Region &body) {
  SmallVector<Argument> arguments;
  auto parseOne = [&]() -> ParseResult {
    Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(points.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    argument.type = types.back();
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne))
    return failure();
  return parser.parseRegion(body, arguments);
}

void mlopt::printPoints(OpAsmPrinter &printer, Operation *op, OperandRange points, TypeRange types, Region &body) {
  printer << '(';
  if (!body.empty())
    llvm::interleaveComma(llvm::zip(body.getArguments(), points), printer, [&](auto pair) {
      printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
      printer << " = " << std::get<1>(pair) << " : " << std::get<1>(pair).getType();
    });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseFunction(OpAsmParser &parser, FlatSymbolRefAttr &callee,
                                 SmallVectorImpl<UnresolvedOperand> &inputs, Region &body) {
  StringAttr name;
  if (failed(parser.parseOptionalSymbolName(name))) {
    // The types are repeated after the colon, where the operands are resolved.
    SmallVector<Type> types;
    return parsePoints(parser, inputs, types, body);
  }
  callee = FlatSymbolRefAttr::get(name);
  return parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren);
}

void mlopt::printFunction(OpAsmPrinter &printer, Operation *op, FlatSymbolRefAttr callee, OperandRange inputs,
                          Region &body) {
  if (!callee)
    return printPoints(printer, op, inputs, inputs.getTypes(), body);
  printer.printSymbolName(callee.getValue());
  printer << '(' << inputs << ')';
}

ParseResult mlopt::parseIterSpace(OpAsmParser &parser, UnresolvedOperand &count,
                                  SmallVectorImpl<UnresolvedOperand> &inits, SmallVectorImpl<Type> &results,
                                  Region &body) {
  SmallVector<Argument> arguments(1);
  if (parser.parseLParen() || parser.parseArgument(arguments[0]) || parser.parseLess() || parser.parseOperand(count) ||
      parser.parseRParen() || parser.parseKeyword("iter_args"))
    return failure();
  arguments[0].type = parser.getBuilder().getIndexType();
  llvm::SMLoc listLocation = parser.getCurrentLocation();
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne) || parseResultTypes(parser, results))
    return failure();
  if (results.size() != inits.size())
    return parser.emitError(listLocation) << "expected as many result types as carried values (" << inits.size()
                                          << "), found " << results.size();
  for (auto [argument, type] : llvm::zip(llvm::drop_begin(arguments), results))
    argument.type = type;
  return parser.parseRegion(body, arguments);
}

void mlopt::printIterSpace(OpAsmPrinter &printer, Operation *op, Value count, OperandRange inits, TypeRange results,
                           Region &body) {
  printer << '(';
  if (!body.empty() && body.getNumArguments() > 0)
    printer.printRegionArgument(body.getArgument(0), {}, /*omitType=*/true);
  printer << " < " << count << ") iter_args(";
  if (!body.empty() && body.getNumArguments() > 0)
    llvm::interleaveComma(llvm::zip(body.getArguments().drop_front(), inits), printer, [&](auto pair) {
      printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
      printer << " = " << std::get<1>(pair);
    });
  printer << ')';
  printResultTypes(printer, results);
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

static constexpr llvm::StringLiteral nestKinds[] = {"map", "sum", "fold", "prod", "max", "min"};

ParseResult mlopt::parseNest(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &extents,
                             SmallVectorImpl<UnresolvedOperand> &inits, SmallVectorImpl<Type> &initTypes,
                             DenseI64ArrayAttr &kinds, SmallVectorImpl<Type> &results, Region &body) {
  SmallVector<Argument> arguments;
  auto parseIndex = [&]() -> ParseResult {
    Argument &argument = arguments.emplace_back();
    argument.type = parser.getBuilder().getIndexType();
    return failure(parser.parseArgument(argument) || parser.parseLess() ||
                   parser.parseOperand(extents.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseIndex))
    return failure();
  auto parseCarried = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  };
  llvm::SMLoc foldLocation = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword("fold")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseCarried))
    return failure();
  SmallVector<int64_t> codes;
  auto parseResult = [&]() -> ParseResult {
    llvm::SMLoc location = parser.getCurrentLocation();
    StringRef kind;
    if (parser.parseKeyword(&kind))
      return failure();
    const auto *found = llvm::find(nestKinds, kind);
    if (found == std::end(nestKinds))
      return parser.emitError(location) << "expected `map`, `fold`, `sum`, `prod`, `max` or `min`, found `" << kind << "`";
    codes.push_back(found - std::begin(nestKinds));
    if (parser.parseType(results.emplace_back()))
      return failure();
    if (codes.back() == 2)
      initTypes.push_back(results.back());
    return success();
  };
  if (succeeded(parser.parseOptionalArrow()) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseResult))
    return failure();
  if (initTypes.size() != inits.size())
    return parser.emitError(foldLocation) << "expected as many carried values as `fold` results (" << initTypes.size()
                                          << "), found " << inits.size();
  for (auto [argument, type] : llvm::zip(llvm::drop_begin(arguments, extents.size()), initTypes))
    argument.type = type;
  kinds = parser.getBuilder().getDenseI64ArrayAttr(codes);
  return parser.parseRegion(body, arguments);
}

void mlopt::printNest(OpAsmPrinter &printer, Operation *op, OperandRange extents, OperandRange inits,
                      TypeRange initTypes, DenseI64ArrayAttr kinds, TypeRange results, Region &body) {
  auto arguments = body.empty() ? Block::BlockArgListType() : Block::BlockArgListType(body.getArguments());
  auto printPairs = [&](auto from, auto values, const char *between) {
    printer << '(';
    llvm::interleaveComma(llvm::zip(from, values), printer, [&](auto pair) {
      printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
      printer << between << std::get<1>(pair);
    });
    printer << ')';
  };
  printPairs(arguments.take_front(extents.size()), extents, " < ");
  if (!inits.empty()) {
    printer << " fold";
    printPairs(arguments.drop_front(std::min(extents.size(), arguments.size())), inits, " = ");
  }
  if (!results.empty()) {
    printer << " -> (";
    llvm::interleaveComma(llvm::zip(kinds.asArrayRef(), results), printer, [&](auto pair) {
      size_t code = std::get<0>(pair);
      printer << (code < std::size(nestKinds) ? nestKinds[code] : llvm::StringLiteral("?")) << ' ' << std::get<1>(pair);
    });
    printer << ')';
  }
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseNode(OpAsmParser &parser, TypeAttr &type, ArrayAttr &inputs, ArrayAttr &outputs,
                             Region &body) {
  Builder &builder = parser.getBuilder();
  SmallVector<Argument> arguments;
  SmallVector<Attribute> inputNames, outputNames;
  SmallVector<Type> inputTypes, outputTypes;
  auto parseInput = [&]() -> ParseResult {
    Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument, /*allowType=*/true))
      return failure();
    inputNames.push_back(builder.getStringAttr(argument.ssaName.name.drop_front()));
    inputTypes.push_back(argument.type);
    return success();
  };
  auto parseOutput = [&]() -> ParseResult {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseColonType(outputTypes.emplace_back()))
      return failure();
    outputNames.push_back(builder.getStringAttr(name));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput) || parser.parseArrow() ||
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOutput))
    return failure();
  type = TypeAttr::get(builder.getFunctionType(inputTypes, outputTypes));
  inputs = builder.getArrayAttr(inputNames);
  outputs = builder.getArrayAttr(outputNames);
  return parser.parseRegion(body, arguments);
}

void mlopt::printNode(OpAsmPrinter &printer, Operation *op, TypeAttr type, ArrayAttr inputs, ArrayAttr outputs,
                      Region &body) {
  printer << '(';
  llvm::interleaveComma(body.getArguments(), printer,
                        [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") -> (";
  auto results = cast<FunctionType>(type.getValue()).getResults();
  llvm::interleaveComma(llvm::zip(outputs, results), printer, [&](auto pair) {
    printer.printKeywordOrString(cast<StringAttr>(std::get<0>(pair)).getValue());
    printer << ": " << std::get<1>(pair);
  });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseTypeOfCall(OpAsmParser &parser, Type &operand, Type &result) {
  llvm::SMLoc location = parser.getCurrentLocation();
  bool parenthesised = succeeded(parser.parseOptionalLParen());
  if (parser.parseType(operand) || (parenthesised && parser.parseRParen()) || parser.parseArrow() ||
      parser.parseType(result))
    return failure();
  if (!parenthesised) {
    std::string types;
    llvm::raw_string_ostream(types) << '(' << operand << ") -> " << result;
    emitWarning(parser.getEncodedSourceLoc(location)) << "write the types of operands in parentheses, as in `" << types
                                                      << "`; the next version will not read the form without them";
  }
  return success();
}

void mlopt::printTypeOfCall(OpAsmPrinter &printer, Operation *op, Type operand, Type result) {
  printer << '(' << operand << ") -> " << result;
}
