#include "bridge/Syntax.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace {
using Argument = OpAsmParser::Argument;
using UnresolvedOperand = OpAsmParser::UnresolvedOperand;

/// `(%x: type, ...)`
ParseResult parseParameters(OpAsmParser &parser, SmallVectorImpl<Argument> &arguments) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    return parser.parseArgument(arguments.emplace_back(), /*allowType=*/true);
  });
}

void printParameters(OpAsmPrinter &printer, Region &body) {
  printer << '(';
  if (!body.empty())
    llvm::interleaveComma(body.getArguments(), printer, [&](BlockArgument a) { printer.printRegionArgument(a); });
  printer << ')';
}

/// `iter_args(%a = %a0, ...)`; the arguments get their types later.
ParseResult parseCarried(OpAsmParser &parser, SmallVectorImpl<Argument> &arguments,
                         SmallVectorImpl<UnresolvedOperand> &inits) {
  if (parser.parseKeyword("iter_args"))
    return failure();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                   parser.parseOperand(inits.emplace_back()));
  });
}

void printCarried(OpAsmPrinter &printer, Block::BlockArgListType arguments, OperandRange inits) {
  printer << "iter_args(";
  llvm::interleaveComma(llvm::zip(arguments, inits), printer, [&](auto pair) {
    printer.printRegionArgument(std::get<0>(pair), {}, /*omitType=*/true);
    printer << " = " << std::get<1>(pair);
  });
  printer << ')';
}

ParseResult parseTypes(OpAsmParser &parser, SmallVectorImpl<Type> &types) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                        [&]() -> ParseResult { return parser.parseType(types.emplace_back()); });
}

/// `: (types) -> (types)`
ParseResult parseLoopType(OpAsmParser &parser, size_t count, SmallVectorImpl<Type> &operands,
                          SmallVectorImpl<Type> &results, size_t carried) {
  if (parser.parseColon())
    return failure();
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parseTypes(parser, operands) || parser.parseArrow() || parseTypes(parser, results))
    return failure();
  if (operands.size() != count || results.size() != carried)
    return parser.emitError(location) << "expected " << count << " operand types and " << carried
                                      << " result types, found " << operands.size() << " and " << results.size();
  return success();
}

void printTypes(OpAsmPrinter &printer, TypeRange types) {
  printer << '(';
  llvm::interleaveComma(types, printer);
  printer << ')';
}

Block::BlockArgListType argumentsOf(Region &body) {
  return body.empty() ? Block::BlockArgListType() : Block::BlockArgListType(body.getArguments());
}
} // namespace

ParseResult mlopt::parseLambda(OpAsmParser &parser, Type &function, Region &body) {
  SmallVector<Argument> arguments;
  Type result;
  if (parseParameters(parser, arguments) || parser.parseArrow() || parser.parseType(result))
    return failure();
  SmallVector<Type> inputs;
  for (const Argument &argument : arguments)
    inputs.push_back(argument.type);
  function = FunctionType::get(parser.getContext(), inputs, result);
  return parser.parseRegion(body, arguments);
}

void mlopt::printLambda(OpAsmPrinter &printer, Operation *op, Type function, Region &body) {
  printParameters(printer, body);
  printer << " -> ";
  auto type = dyn_cast<FunctionType>(function);
  if (type && type.getNumResults() == 1)
    printer << type.getResult(0);
  else
    printer << function;
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseParameter(OpAsmParser &parser, Region &body) {
  SmallVector<Argument> arguments;
  return failure(parseParameters(parser, arguments) || parser.parseRegion(body, arguments));
}

void mlopt::printParameter(OpAsmPrinter &printer, Operation *op, Region &body) {
  printParameters(printer, body);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseApply(OpAsmParser &parser, UnresolvedOperand &f, Type &function,
                              SmallVectorImpl<UnresolvedOperand> &inputs, SmallVectorImpl<Type> &inputTypes,
                              Type &result) {
  if (parser.parseOperand(f) || parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren) || parser.parseColon())
    return failure();
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseType(function))
    return failure();
  // The type with which it is called follows its own, if it differs.
  Type called = function;
  llvm::SMLoc written = parser.getCurrentLocation();
  OptionalParseResult another = parser.parseOptionalType(called);
  if (another.has_value() && failed(*another))
    return failure();
  auto type = dyn_cast<FunctionType>(called);
  if (!type)
    return parser.emitError(another.has_value() ? written : location)
           << "expected the type of a function, found " << called;
  if (type.getNumResults() != 1)
    return parser.emitError(location) << "expected a function with one result, found " << type;
  if (type.getNumInputs() != inputs.size())
    return parser.emitError(location) << "expected " << inputs.size() << " argument types, found "
                                      << type.getNumInputs();
  llvm::append_range(inputTypes, type.getInputs());
  result = type.getResult(0);
  return success();
}

void mlopt::printApply(OpAsmPrinter &printer, Operation *op, Value f, Type function, OperandRange inputs,
                       TypeRange inputTypes, Type result) {
  Type called = FunctionType::get(op->getContext(), inputTypes, result);
  printer << f << '(' << inputs << ") : ";
  if (called != function)
    printer << function << ' ';
  printer << called;
}

ParseResult mlopt::parseCounted(OpAsmParser &parser, UnresolvedOperand &n, Type &nType,
                                SmallVectorImpl<UnresolvedOperand> &inits, SmallVectorImpl<Type> &initTypes,
                                SmallVectorImpl<Type> &results, Region &body) {
  SmallVector<Argument> arguments(1);
  SmallVector<Type> operands;
  if (parser.parseLParen() || parser.parseArgument(arguments[0]) || parser.parseLess() || parser.parseOperand(n) ||
      parser.parseRParen() || parseCarried(parser, arguments, inits) ||
      parseLoopType(parser, inits.size() + 1, operands, results, inits.size()))
    return failure();
  nType = operands.front();
  initTypes.append(operands.begin() + 1, operands.end());
  arguments[0].type = nType;
  for (auto [argument, type] : llvm::zip(llvm::drop_begin(arguments), results))
    argument.type = type;
  return parser.parseRegion(body, arguments);
}

void mlopt::printCounted(OpAsmPrinter &printer, Operation *op, Value n, Type nType, OperandRange inits,
                         TypeRange initTypes, TypeRange results, Region &body) {
  Block::BlockArgListType arguments = argumentsOf(body);
  printer << '(';
  if (!arguments.empty())
    printer.printRegionArgument(arguments[0], {}, /*omitType=*/true);
  printer << " < " << n << ") ";
  printCarried(printer, arguments.empty() ? arguments : arguments.drop_front(), inits);
  printer << " : (" << nType;
  for (Type type : initTypes)
    printer << ", " << type;
  printer << ") -> ";
  printTypes(printer, results);
  printer << ' ';
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseWhile(OpAsmParser &parser, SmallVectorImpl<UnresolvedOperand> &inits,
                              SmallVectorImpl<Type> &initTypes, SmallVectorImpl<Type> &results, Region &condition,
                              Region &body) {
  SmallVector<Argument> arguments, again;
  if (parseCarried(parser, arguments, inits) ||
      parseLoopType(parser, inits.size(), initTypes, results, inits.size()))
    return failure();
  for (auto [argument, type] : llvm::zip(arguments, results))
    argument.type = type;
  if (parser.parseRegion(condition, arguments) || parser.parseKeyword("do"))
    return failure();
  llvm::SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&]() -> ParseResult { return parser.parseArgument(again.emplace_back()); }))
    return failure();
  if (again.size() != results.size())
    return parser.emitError(location) << "expected " << results.size() << " arguments, found " << again.size();
  for (auto [argument, type] : llvm::zip(again, results))
    argument.type = type;
  return parser.parseRegion(body, again);
}

void mlopt::printWhile(OpAsmPrinter &printer, Operation *op, OperandRange inits, TypeRange initTypes, TypeRange results,
                       Region &condition, Region &body) {
  printCarried(printer, argumentsOf(condition), inits);
  printer << " : ";
  printTypes(printer, initTypes);
  printer << " -> ";
  printTypes(printer, results);
  printer << ' ';
  printer.printRegion(condition, /*printEntryBlockArgs=*/false);
  printer << " do (";
  llvm::interleaveComma(argumentsOf(body), printer,
                        [&](BlockArgument a) { printer.printRegionArgument(a, {}, /*omitType=*/true); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
}

ParseResult mlopt::parseFields(AsmParser &parser, SmallVectorImpl<StringAttr> &names, SmallVectorImpl<Type> &types) {
  while (succeeded(parser.parseOptionalComma())) {
    std::string name;
    if (parser.parseKeywordOrString(&name) || parser.parseColonType(types.emplace_back()))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
  }
  return success();
}

void mlopt::printFields(AsmPrinter &printer, ArrayRef<StringAttr> names, ArrayRef<Type> types) {
  for (auto [name, type] : llvm::zip(names, types)) {
    printer << ", ";
    printer.printKeywordOrString(name);
    printer << ": " << type;
  }
}

ParseResult mlopt::parseSymmetric(AsmParser &parser, bool &symmetric) {
  symmetric = false;
  if (failed(parser.parseOptionalComma()))
    return success();
  symmetric = true;
  return parser.parseKeyword("symmetric");
}

void mlopt::printSymmetric(AsmPrinter &printer, bool symmetric) {
  if (symmetric)
    printer << ", symmetric";
}

ParseResult mlopt::parseWord(OpAsmParser &parser, StringAttr &word) {
  std::string text;
  if (parser.parseKeywordOrString(&text))
    return failure();
  word = parser.getBuilder().getStringAttr(text);
  return success();
}

void mlopt::printWord(OpAsmPrinter &printer, Operation *op, StringAttr word) {
  printer.printKeywordOrString(word.getValue());
}

ParseResult mlopt::parseAlternatives(OpAsmParser &parser, ArrayAttr &names, ArrayAttr &fields) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> all, lists;
  auto parseOne = [&]() -> ParseResult {
    StringAttr name;
    SmallVector<Type> types;
    if (parseWord(parser, name) || parseTypes(parser, types))
      return failure();
    all.push_back(name);
    lists.push_back(builder.getTypeArrayAttr(types));
    return success();
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Braces, parseOne))
    return failure();
  names = builder.getArrayAttr(all);
  fields = builder.getArrayAttr(lists);
  return success();
}

void mlopt::printAlternatives(OpAsmPrinter &printer, Operation *op, ArrayAttr names, ArrayAttr fields) {
  printer << '{';
  llvm::interleaveComma(llvm::zip(names, fields), printer, [&](auto pair) {
    printer.printKeywordOrString(cast<StringAttr>(std::get<0>(pair)).getValue());
    printer << '(';
    if (auto types = dyn_cast<ArrayAttr>(std::get<1>(pair)))
      llvm::interleaveComma(types, printer, [&](Attribute type) { printer.printAttributeWithoutType(type); });
    printer << ')';
  });
  printer << '}';
}

ParseResult mlopt::parseArms(OpAsmParser &parser, ArrayAttr &names, SmallVectorImpl<std::unique_ptr<Region>> &arms) {
  SmallVector<Attribute> all;
  if (parser.parseLBrace())
    return failure();
  while (failed(parser.parseOptionalRBrace())) {
    std::string name;
    SmallVector<Argument> arguments;
    Region &body = *arms.emplace_back(std::make_unique<Region>());
    if (parser.parseKeywordOrString(&name) || parseParameters(parser, arguments) || parser.parseRegion(body, arguments))
      return failure();
    all.push_back(parser.getBuilder().getStringAttr(name));
  }
  names = parser.getBuilder().getArrayAttr(all);
  return success();
}

void mlopt::printArms(OpAsmPrinter &printer, Operation *op, ArrayAttr names, MutableArrayRef<Region> arms) {
  printer << '{';
  printer.increaseIndent();
  for (auto [name, body] : llvm::zip(names, arms)) {
    printer.printNewline();
    printer.printKeywordOrString(cast<StringAttr>(name).getValue());
    printParameters(printer, body);
    printer << ' ';
    printer.printRegion(body, /*printEntryBlockArgs=*/false);
  }
  printer.decreaseIndent();
  if (!names.empty())
    printer.printNewline();
  printer << '}';
}
