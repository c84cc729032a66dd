#ifndef MLOPT_BRIDGE_REDUCE_H
#define MLOPT_BRIDGE_REDUCE_H

#include "mlir/IR/DialectRegistry.h"

namespace mlopt {
/// The patterns that `mlir-reduce` applies beside erasing ops.
void registerReductions(mlir::DialectRegistry &registry);
} // namespace mlopt

#endif // MLOPT_BRIDGE_REDUCE_H
