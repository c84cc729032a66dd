#ifndef MLOPT_LAMBDA_H
#define MLOPT_LAMBDA_H

#include "bridge/Dialect.h"
#include "dual/dual.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/IR/RegionKindInterface.h"

#include "lambdaDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "lambdaAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "lambdaTypes.h.inc"
#define GET_OP_CLASSES
#include "lambdaOps.h.inc"

#endif // MLOPT_LAMBDA_H
