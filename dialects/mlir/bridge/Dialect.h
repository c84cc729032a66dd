// The declarations that the generated code of every dialect needs before it is included. No semantics are defined here.
#ifndef MLOPT_BRIDGE_DIALECT_H
#define MLOPT_BRIDGE_DIALECT_H

#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlopt {
/// Verifies the numbered constraints of the op, in Rust.
inline llvm::LogicalResult verify(mlir::Operation *op) { return llvm::success(mlopt_rust_verify(wrap(op))); }
/// Verifies the symbols to which the op refers, in Rust.
inline llvm::LogicalResult verifySymbolUses(mlir::Operation *op, mlir::SymbolTableCollection &tables) {
  return llvm::success(mlopt_rust_verify_symbols(wrap(op), &tables));
}
/// Verifies an attribute of one of our dialects on any op, or on an argument or result of a function, in Rust.
inline llvm::LogicalResult verifyAttribute(mlir::Operation *op, mlir::NamedAttribute attribute) {
  return llvm::success(
      mlopt_rust_verify_attribute(wrap(op), wrap(attribute.getName().strref()), wrap(attribute.getValue())));
}
inline llvm::LogicalResult verifyArgumentAttribute(mlir::Operation *op, const char *kind, unsigned number,
                                                   mlir::NamedAttribute attribute) {
  return llvm::success(mlopt_rust_verify_argument_attribute(wrap(op), wrap(llvm::StringRef(kind)), number,
                                                            wrap(attribute.getName().strref())));
}
/// Verifies an encoding of tensors of this shape, in Rust.
inline llvm::LogicalResult verifyEncoding(mlir::Attribute encoding, llvm::ArrayRef<int64_t> shape,
                                          llvm::function_ref<mlir::InFlightDiagnostic()> emitError) {
  if (const char *wrong = mlopt_rust_verify_encoding(shape.data(), shape.size(), wrap(encoding)))
    return emitError() << wrong;
  return llvm::success();
}
/// Suggests the names in the location of an op or of a block argument: `loc("x, y"(...))`.
void suggestResultNames(mlir::Operation *op, mlir::OpAsmSetValueNameFn suggest);
void suggestArgumentNames(mlir::Region &region, mlir::OpAsmSetValueNameFn suggest);
/// Suggests the names in an attribute.
void suggestArgumentNames(mlir::Region &region, mlir::ArrayAttr names, mlir::OpAsmSetValueNameFn suggest);

/// Permits inlining of functions of the dialect's ops, and of calls in the regions of its ops, which have one block.
struct Inliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
  bool isLegalToInline(mlir::Region *, mlir::Region *source, bool, mlir::IRMapping &) const final {
    return source->hasOneBlock();
  }
};
} // namespace mlopt

/// Registers a dialect in every context.
#define MLOPT_REGISTER_DIALECT(name, Dialect)                                                                          \
  static mlopt::Registration registration_##name(                                                                      \
      #name, [](mlir::DialectRegistry &registry) { registry.insert<Dialect>(); });

/// The hooks of a dialect for attributes with its prefix.
#define MLOPT_VERIFY_ATTRIBUTES(Dialect)                                                                               \
  llvm::LogicalResult Dialect::verifyOperationAttribute(mlir::Operation *op, mlir::NamedAttribute attribute) {         \
    return mlopt::verifyAttribute(op, attribute);                                                                      \
  }                                                                                                                    \
  llvm::LogicalResult Dialect::verifyRegionArgAttribute(mlir::Operation *op, unsigned, unsigned number,                \
                                                        mlir::NamedAttribute attribute) {                              \
    return mlopt::verifyArgumentAttribute(op, "argument", number, attribute);                                          \
  }                                                                                                                    \
  llvm::LogicalResult Dialect::verifyRegionResultAttribute(mlir::Operation *op, unsigned, unsigned number,             \
                                                           mlir::NamedAttribute attribute) {                           \
    return mlopt::verifyArgumentAttribute(op, "result", number, attribute);                                            \
  }

#include "bridge/Syntax.h"

#endif // MLOPT_BRIDGE_DIALECT_H
