#include "chlo/chlo.h"
#include "chloDialect.cpp.inc"
#define GET_OP_CLASSES
#include "chloOps.cpp.inc"

void mlopt::chlo::ChloDialect::initialize() {
  allowUnknownOperations();
  addOperations<
#define GET_OP_LIST
#include "chloOps.cpp.inc"
      >();
}

MLOPT_REGISTER_DIALECT(chlo, mlopt::chlo::ChloDialect)
