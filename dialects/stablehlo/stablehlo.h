#ifndef MLOPT_STABLEHLO_H
#define MLOPT_STABLEHLO_H

#include "bridge/Dialect.h"
#include "mlir/IR/TensorEncoding.h"

namespace mlopt::stablehlo {
/// Parses and prints `[0, 1]`.
mlir::FailureOr<llvm::SmallVector<int64_t>> parseDimensions(mlir::AsmParser &parser);
void printDimensions(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dimensions);
} // namespace mlopt::stablehlo

#include "stablehloDialect.h.inc"
#include "stablehloEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "stablehloAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "stablehloTypes.h.inc"
#define GET_OP_CLASSES
#include "stablehloOps.h.inc"

#endif // MLOPT_STABLEHLO_H
