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
#include "llvm/ADT/TypeSwitch.h"

namespace mlopt {
/// The numbered constraints of the op, checked in Rust.
llvm::LogicalResult verify(mlir::Operation *op);
/// The symbols that the op names, checked in Rust.
llvm::LogicalResult verifySymbolUses(mlir::Operation *op);
} // namespace mlopt

#include "bridge/Syntax.h"

#endif // MLOPT_BRIDGE_DIALECT_H
