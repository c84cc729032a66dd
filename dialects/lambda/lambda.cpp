#include "lambda/lambda.h"
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
  return mlopt::verifyEncoding(*this, shape, emitError);
}

MLOPT_VERIFY_ATTRIBUTES(mlopt::lambda::LambdaDialect)
MLOPT_REGISTER_DIALECT(lambda, mlopt::lambda::LambdaDialect)

static mlopt::RegisterIntegers<mlopt::lambda::MatrixAttr, mlopt::lambda::detail::MatrixAttrStorage> matrix;
