// Assembly that the declarative format cannot express: loops that bind indices, `(%i < %n, %j < 4)`. Syntax only.
#ifndef MLOPT_BRIDGE_SYNTAX_H
#define MLOPT_BRIDGE_SYNTAX_H

#include "mlir/IR/OpImplementation.h"

namespace mlopt {

/// `(%i < %n, %j < 4) -> (types) { body }`: one region argument per leading dimension of the results.
/// An extent is written as an integer where the result type is static and as an operand where it is `?`.
mlir::ParseResult parseIndexSpace(mlir::OpAsmParser &parser,
                                  llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &extents,
                                  llvm::SmallVectorImpl<mlir::Type> &results, mlir::Region &body);
void printIndexSpace(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange extents,
                     mlir::TypeRange results, mlir::Region &body);

/// The same for an op with one result.
mlir::ParseResult parseIndexSpaceOfOne(mlir::OpAsmParser &parser,
                                       llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &extents,
                                       mlir::Type &result, mlir::Region &body);
void printIndexSpaceOfOne(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange extents,
                          mlir::Type result, mlir::Region &body);

/// `(%i, %j) { body }`: indices whose extents the operands determine.
mlir::ParseResult parseIndices(mlir::OpAsmParser &parser, mlir::Region &body);
void printIndices(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Region &body);

/// `(%x = %xs : type, ...) iter_args(%a = %a0, ...) -> (types) { body }`: one row of each array, then the carried
/// values; the first results have the types of the initial values.
mlir::ParseResult parseRowSpace(mlir::OpAsmParser &parser,
                                llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &arrays,
                                llvm::SmallVectorImpl<mlir::Type> &arrayTypes,
                                llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inits,
                                llvm::SmallVectorImpl<mlir::Type> &initTypes,
                                llvm::SmallVectorImpl<mlir::Type> &results, mlir::Region &body);
void printRowSpace(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange arrays,
                   mlir::TypeRange arrayTypes, mlir::OperandRange inits, mlir::TypeRange initTypes,
                   mlir::TypeRange results, mlir::Region &body);

/// `(%x_t = %x : type, ...) { body }`: an argument for each value, of its type.
mlir::ParseResult parsePoints(mlir::OpAsmParser &parser,
                              llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &points,
                              llvm::SmallVectorImpl<mlir::Type> &types, mlir::Region &body);
void printPoints(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange points, mlir::TypeRange types,
                 mlir::Region &body);

/// `@f(%x, ...)`, or `(%a = %x : type, ...) { body }` for a function written in its place.
mlir::ParseResult parseFunction(mlir::OpAsmParser &parser, mlir::FlatSymbolRefAttr &callee,
                                llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inputs,
                                mlir::Region &body);
void printFunction(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::FlatSymbolRefAttr callee,
                   mlir::OperandRange inputs, mlir::Region &body);

/// `(%i < %n) iter_args(%a = %a0, ...) -> (types) { body }`: the index, then the carried values.
mlir::ParseResult parseIterSpace(mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &count,
                                 llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inits,
                                 llvm::SmallVectorImpl<mlir::Type> &results, mlir::Region &body);
void printIterSpace(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value count, mlir::OperandRange inits,
                    mlir::TypeRange results, mlir::Region &body);

/// `(%i < %n, ...) fold(%a = %a0, ...) -> (map type, sum type, fold type) { body }`; `fold` and the arrow are printed
/// only if needed.
mlir::ParseResult parseNest(mlir::OpAsmParser &parser,
                            llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &extents,
                            llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inits,
                            llvm::SmallVectorImpl<mlir::Type> &initTypes, mlir::DenseI64ArrayAttr &kinds,
                            llvm::SmallVectorImpl<mlir::Type> &results, mlir::Region &body);
void printNest(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange extents, mlir::OperandRange inits,
               mlir::TypeRange initTypes, mlir::DenseI64ArrayAttr kinds, mlir::TypeRange results, mlir::Region &body);

/// `(%x: type, ...) -> (y: type, ...) { body }`: the names of the inputs are those of the region's arguments.
mlir::ParseResult parseNode(mlir::OpAsmParser &parser, mlir::TypeAttr &type, mlir::ArrayAttr &inputs,
                            mlir::ArrayAttr &outputs, mlir::Region &body);
void printNode(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::TypeAttr type, mlir::ArrayAttr inputs,
               mlir::ArrayAttr outputs, mlir::Region &body);

/// `(%x: type, ...) -> type { body }`: a function with the region's arguments; its type is that of the value.
mlir::ParseResult parseLambda(mlir::OpAsmParser &parser, mlir::Type &function, mlir::Region &body);
void printLambda(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type function, mlir::Region &body);

/// `(%x: type) { body }`: a region with one argument.
mlir::ParseResult parseParameter(mlir::OpAsmParser &parser, mlir::Region &body);
void printParameter(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Region &body);

/// `%f(%a, ...) : (types) -> type`: the callee has this type, or another one, which precedes it: `: type (types) ->
/// type`.
mlir::ParseResult parseApply(mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &f, mlir::Type &function,
                             llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inputs,
                             llvm::SmallVectorImpl<mlir::Type> &inputTypes, mlir::Type &result);
void printApply(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value f, mlir::Type function,
                mlir::OperandRange inputs, mlir::TypeRange inputTypes, mlir::Type result);

/// `(%i < %n) iter_args(%a = %a0, ...) : (types) -> (types) { body }`: the types of `n` and of the initial values, then
/// those of the results.
mlir::ParseResult parseCounted(mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &n, mlir::Type &nType,
                               llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inits,
                               llvm::SmallVectorImpl<mlir::Type> &initTypes,
                               llvm::SmallVectorImpl<mlir::Type> &results, mlir::Region &body);
void printCounted(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Value n, mlir::Type nType,
                  mlir::OperandRange inits, mlir::TypeRange initTypes, mlir::TypeRange results, mlir::Region &body);

/// `iter_args(%a = %a0, ...) : (types) -> (types) { condition } do (%b, ...) { body }`.
mlir::ParseResult parseWhile(mlir::OpAsmParser &parser,
                             llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inits,
                             llvm::SmallVectorImpl<mlir::Type> &initTypes, llvm::SmallVectorImpl<mlir::Type> &results,
                             mlir::Region &condition, mlir::Region &body);
void printWhile(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::OperandRange inits, mlir::TypeRange initTypes,
                mlir::TypeRange results, mlir::Region &condition, mlir::Region &body);

/// `(type) -> type`: the types of the array operand and of the result. Without the parentheses it is read with a warning.
mlir::ParseResult parseTypeOfCall(mlir::OpAsmParser &parser, mlir::Type &operand, mlir::Type &result);
void printTypeOfCall(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type operand, mlir::Type result);

/// A keyword, or a string if the word is not a keyword.
mlir::ParseResult parseWord(mlir::OpAsmParser &parser, mlir::StringAttr &word);
void printWord(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::StringAttr word);

/// `{name(type, ...), ...}`
mlir::ParseResult parseAlternatives(mlir::OpAsmParser &parser, mlir::ArrayAttr &names, mlir::ArrayAttr &fields);
void printAlternatives(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr names, mlir::ArrayAttr fields);

/// `{name(%x: type, ...) { body } ...}`, one for each region.
mlir::ParseResult parseArms(mlir::OpAsmParser &parser, mlir::ArrayAttr &names,
                            llvm::SmallVectorImpl<std::unique_ptr<mlir::Region>> &arms);
void printArms(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr names,
               llvm::MutableArrayRef<mlir::Region> arms);

/// `, name: type` for each field.
mlir::ParseResult parseFields(mlir::AsmParser &parser, llvm::SmallVectorImpl<mlir::StringAttr> &names,
                              llvm::SmallVectorImpl<mlir::Type> &types);
void printFields(mlir::AsmPrinter &printer, llvm::ArrayRef<mlir::StringAttr> names, llvm::ArrayRef<mlir::Type> types);

/// `, symmetric`, or nothing.
mlir::ParseResult parseSymmetric(mlir::AsmParser &parser, bool &symmetric);
void printSymmetric(mlir::AsmPrinter &printer, bool symmetric);

} // namespace mlopt

#endif // MLOPT_BRIDGE_SYNTAX_H
