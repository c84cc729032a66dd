#include "array/array.h"
#include "arrayDialect.cpp.inc"
#define GET_OP_CLASSES
#include "arrayOps.cpp.inc"

void mlopt::array::ArrayDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "arrayOps.cpp.inc"
      >();
  addInterfaces<mlopt::Inliner>();
}

MLOPT_VERIFY_ATTRIBUTES(mlopt::array::ArrayDialect)
MLOPT_REGISTER_DIALECT(array, mlopt::array::ArrayDialect)
