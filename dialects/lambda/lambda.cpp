#include "lambda/lambda.h"
#include "bridge/Bridge.h"
#include "lambdaDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "lambdaAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "lambdaTypes.cpp.inc"
#define GET_OP_CLASSES
#include "lambdaOps.cpp.inc"

void mlopt::lambda::LambdaDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lambdaAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "lambdaTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "lambdaOps.cpp.inc"
      >();
}

mlir::LogicalResult
mlopt::lambda::MatrixAttr::verifyEncoding(llvm::ArrayRef<int64_t> shape, mlir::Type,
                                          llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  const char *wrong = mlopt_rust_verify_matrix(shape.data(), shape.size(), getLower(), getUpper(), getSymmetric());
  if (wrong)
    return emitError() << wrong;
  return mlir::success();
}

MLOPT_VERIFY_ATTRIBUTES(mlopt::lambda::LambdaDialect)
