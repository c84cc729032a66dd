#include "sweep/sweep.h"
#include "sweepDialect.cpp.inc"
#define GET_OP_CLASSES
#include "sweepOps.cpp.inc"

void mlopt::sweep::SweepDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "sweepOps.cpp.inc"
      >();
}

MLOPT_VERIFY_ATTRIBUTES(mlopt::sweep::SweepDialect)
MLOPT_REGISTER_DIALECT(sweep, mlopt::sweep::SweepDialect)
