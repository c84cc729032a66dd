#include "stream/stream.h"
#include "streamDialect.cpp.inc"
#define GET_OP_CLASSES
#include "streamOps.cpp.inc"

void mlopt::stream::StreamDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "streamOps.cpp.inc"
      >();
}

MLOPT_VERIFY_ATTRIBUTES(mlopt::stream::StreamDialect)
MLOPT_REGISTER_DIALECT(stream, mlopt::stream::StreamDialect)
