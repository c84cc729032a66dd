#ifndef MLOPT_BRIDGE_REGISTRY_H
#define MLOPT_BRIDGE_REGISTRY_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlopt {
/// Adds the dialect of that name, ours or one of MLIR's, to `registry`; a name that is not known is ignored.
void insertDialect(mlir::DialectRegistry &registry, llvm::StringRef name);
/// Lets ops of MLIR name their values by their locations, as ours do.
void registerNames(mlir::DialectRegistry &registry);
/// The text that modules of `context` are parsed from, until it is forgotten; of all contexts for null.
void setSource(mlir::MLIRContext *context, llvm::MemoryBufferRef text);
void forgetSource(mlir::MLIRContext *context);
} // namespace mlopt

#endif // MLOPT_BRIDGE_REGISTRY_H
