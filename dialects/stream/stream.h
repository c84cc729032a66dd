#ifndef MLOPT_STREAM_H
#define MLOPT_STREAM_H

#include "bridge/Dialect.h"
#include "mlir/IR/RegionKindInterface.h"

#include "streamDialect.h.inc"
#define GET_OP_CLASSES
#include "streamOps.h.inc"

#endif // MLOPT_STREAM_H
