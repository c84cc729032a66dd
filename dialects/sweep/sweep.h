#ifndef MLOPT_SWEEP_H
#define MLOPT_SWEEP_H

#include "bridge/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "sweepDialect.h.inc"
#define GET_OP_CLASSES
#include "sweepOps.h.inc"

#endif // MLOPT_SWEEP_H
