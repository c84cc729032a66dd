#ifndef MLOPT_BRIDGE_REGISTRY_H
#define MLOPT_BRIDGE_REGISTRY_H

#include "mlir/IR/DialectRegistry.h"

namespace mlopt {
/// Adds the dialect of that name, ours or one of MLIR's, to `registry`; a name that is not known is ignored.
void insertDialect(mlir::DialectRegistry &registry, llvm::StringRef name);
} // namespace mlopt

#endif // MLOPT_BRIDGE_REGISTRY_H
