// The parameters of attributes for which MLIR's C interface has no accessor: numbers of our own attributes, and MLIR's
// enums.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;

namespace {
struct Kinds {
  std::map<StringRef, mlopt::IntegerParameters> byName;
  DenseMap<TypeID, mlopt::IntegerParameters> byType;
};

Kinds &kinds() {
  static Kinds kinds;
  return kinds;
}

/// Adds an enum of MLIR that is the parameter of an attribute, `#arith.fastmath<fast>`.
template <typename Attr, typename Enum> void add(Kinds &kinds) {
  mlopt::IntegerParameters parameters = {
      [](Attribute attribute, SmallVectorImpl<int64_t> &numbers) {
        numbers.push_back(static_cast<int64_t>(cast<Attr>(attribute).getValue()));
      },
      [](MLIRContext *context, ArrayRef<int64_t> numbers) -> Attribute {
        return numbers.size() == 1 ? Attribute(Attr::get(context, static_cast<Enum>(numbers[0]))) : Attribute();
      }};
  kinds.byName[Attr::name] = parameters;
  kinds.byType[TypeID::get<Attr>()] = parameters;
}

const Kinds &all() {
  static const Kinds complete = [] {
    Kinds result = kinds();
    add<arith::FastMathFlagsAttr, arith::FastMathFlags>(result);
    add<arith::IntegerOverflowFlagsAttr, arith::IntegerOverflowFlags>(result);
    add<vector::CombiningKindAttr, vector::CombiningKind>(result);
    add<gpu::DimensionAttr, gpu::Dimension>(result);
    add<gpu::AllReduceOperationAttr, gpu::AllReduceOperation>(result);
    add<LLVM::FastmathFlagsAttr, LLVM::FastmathFlags>(result);
    add<LLVM::IntegerOverflowFlagsAttr, LLVM::IntegerOverflowFlags>(result);
    add<linalg::IteratorTypeAttr, utils::IteratorType>(result);
    add<vector::IteratorTypeAttr, vector::IteratorType>(result);
    return result;
  }();
  return complete;
}
} // namespace

void mlopt::registerParameters(StringRef name, TypeID type, IntegerParameters parameters) {
  kinds().byName[name] = parameters;
  kinds().byType[type] = parameters;
}

bool mlopt_attribute_integers(MlirAttribute attribute, void (*visit)(int64_t, void *), void *data) {
  auto found = all().byType.find(unwrap(attribute).getTypeID());
  if (found == all().byType.end())
    return false;
  SmallVector<int64_t> numbers;
  found->second.read(unwrap(attribute), numbers);
  for (int64_t number : numbers)
    visit(number, data);
  return true;
}

MlirAttribute mlopt_attribute_of_integers(MlirContext context, MlirStringRef name, intptr_t n, const int64_t *numbers) {
  auto found = all().byName.find(unwrap(name));
  if (found == all().byName.end())
    return wrap(Attribute());
  return wrap(found->second.make(unwrap(context), ArrayRef(numbers, n)));
}
