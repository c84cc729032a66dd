#ifndef MLOPT_ARRAY_H
#define MLOPT_ARRAY_H

#include "bridge/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

#include "arrayDialect.h.inc"
#define GET_OP_CLASSES
#include "arrayOps.h.inc"

#endif // MLOPT_ARRAY_H
