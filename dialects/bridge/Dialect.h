// What the generated code of every dialect needs before it is included. No meaning lives here.
#ifndef MLOPT_BRIDGE_DIALECT_H
#define MLOPT_BRIDGE_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
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
/// The numbered constraints of the op, checked in Rust.
llvm::LogicalResult verify(mlir::Operation *op);
/// The symbols that the op names, checked in Rust.
llvm::LogicalResult verifySymbolUses(mlir::Operation *op, mlir::SymbolTableCollection &tables);
/// An attribute of one of our dialects on any op, checked in Rust.
llvm::LogicalResult verifyAttribute(mlir::Operation *op, llvm::StringRef name);
/// Suggests the names that the location of an op or of a block argument holds: `loc("x, y"(...))`.
void suggestResultNames(mlir::Operation *op, mlir::OpAsmSetValueNameFn suggest);
void suggestArgumentNames(mlir::Region &region, mlir::OpAsmSetValueNameFn suggest);
/// Suggests the names that an attribute lists.
void suggestArgumentNames(mlir::Region &region, mlir::ArrayAttr names, mlir::OpAsmSetValueNameFn suggest);

/// Functions of the dialect's ops may be inlined, and calls in the regions of its ops: these have one block.
struct Inliner : mlir::DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(mlir::Operation *, mlir::Region *, bool, mlir::IRMapping &) const final { return true; }
  bool isLegalToInline(mlir::Region *, mlir::Region *source, bool, mlir::IRMapping &) const final {
    return source->hasOneBlock();
  }
};
} // namespace mlopt

#include "bridge/Syntax.h"

#endif // MLOPT_BRIDGE_DIALECT_H
