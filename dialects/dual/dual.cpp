#include "dual/dual.h"
#include "dualDialect.cpp.inc"
#include "dualEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dualAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dualTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dualOps.cpp.inc"

void mlopt::dual::DualDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dualAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dualTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dualOps.cpp.inc"
      >();
  addInterfaces<mlopt::Inliner>();
}

mlir::Operation *mlopt::dual::DualDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                                               mlir::Type type, mlir::Location loc) {
  if (llvm::isa<ZeroAttr>(value))
    return builder.create<ZeroOp>(loc, type);
  if (llvm::isa<OneAttr>(value))
    return builder.create<OneOp>(loc, type);
  return nullptr;
}

MLOPT_VERIFY_ATTRIBUTES(mlopt::dual::DualDialect)
MLOPT_REGISTER_DIALECT(dual, mlopt::dual::DualDialect)
