// The reduction that `mlopt reduce` tries on every op: an op becomes one of its operands.
#include "bridge/Reduce.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

using namespace mlir;

namespace {
struct BecomesOperand : RewritePattern {
  explicit BecomesOperand(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (op->getNumResults() != 1)
      return failure();
    for (Value operand : op->getOperands())
      if (operand && operand.getType() == op->getResult(0).getType()) {
        rewriter.replaceOp(op, operand);
        return success();
      }
    return failure();
  }
};

struct Reductions : DialectReductionPatternInterface {
  explicit Reductions(Dialect *dialect) : DialectReductionPatternInterface(dialect) {}
  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    patterns.add<BecomesOperand>(patterns.getContext());
  }
};
} // namespace

void mlopt::registerReductions(DialectRegistry &registry) {
  // The builtin dialect is loaded in every context.
  registry.addExtension(+[](MLIRContext *, BuiltinDialect *dialect) { dialect->addInterfaces<Reductions>(); });
}
