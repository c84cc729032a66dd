// Names of values where they are printed, and the text that defines the names; `names.rs` reads it.
#include "bridge/Bridge.h"
#include "bridge/Dialect.h"
#include "bridge/Registry.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <mutex>

using namespace mlir;

/// Returns the name around a location, or an empty string.
static StringRef nameOf(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  return name ? name.getName().getValue() : StringRef();
}

/// Names in locations are arbitrary strings of a frontend; values are only given names that are identifiers.
static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name.front()) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; });
}

void mlopt::suggestResultNames(Operation *op, OpAsmSetValueNameFn suggest) {
  SmallVector<StringRef> names;
  nameOf(op->getLoc()).split(names, ", ");
  // If a pass has changed the number of results, the names do not apply.
  if (names.size() != op->getNumResults())
    return;
  for (auto [result, name] : llvm::zip(op->getResults(), names))
    if (isIdentifier(name))
      suggest(result, name);
}

void mlopt::suggestArgumentNames(Region &region, OpAsmSetValueNameFn suggest) {
  // A block that a pass has moved elsewhere is not named.
  for (BlockArgument argument : region.getArguments())
    if (StringRef name = nameOf(argument.getLoc()); isIdentifier(name))
      suggest(argument, name);
}

void mlopt::suggestArgumentNames(Region &region, ArrayAttr names, OpAsmSetValueNameFn suggest) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    if (auto text = dyn_cast<StringAttr>(name); text && isIdentifier(text))
      suggest(argument, text);
}

namespace {
/// The interface by which ops name their values, for ops of MLIR that lack it.
struct Named : OpAsmOpInterface::FallbackModel<Named> {
  void getAsmResultNames(Operation *op, OpAsmSetValueNameFn suggest) const { mlopt::suggestResultNames(op, suggest); }
  void getAsmBlockArgumentNames(Operation *, Region &region, OpAsmSetValueNameFn suggest) const {
    mlopt::suggestArgumentNames(region, suggest);
  }
  void getAsmBlockNames(Operation *, OpAsmSetBlockNameFn) const {}
  static StringRef getDefaultDialect() { return ""; }
};

template <typename Dialect> void nameValuesOf(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, Dialect *dialect) {
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (&name.getDialect() == dialect && !name.hasInterface<OpAsmOpInterface>())
        name.attachInterface<Named>();
  });
}

void nameFunctionArguments(MLIRContext *context, func::FuncDialect *) {
  // Functions have the interface, but without names for their arguments: that entry of its table is set.
  auto name = RegisteredOperationName::lookup(func::FuncOp::getOperationName(), context);
  name->getInterface<OpAsmOpInterface>()->getAsmBlockArgumentNames =
      [](const OpAsmOpInterface::Concept *, Operation *, Region &region, OpAsmSetValueNameFn suggest) {
        mlopt::suggestArgumentNames(region, suggest);
      };
}

/// The texts from which contexts were parsed. The null context stands for the only text of a program like `mlir-opt`.
struct Sources {
  std::mutex mutex;
  std::map<MLIRContext *, llvm::MemoryBufferRef> texts;
};

Sources &sources() {
  static Sources all;
  return all;
}
} // namespace

void mlopt::registerNames(DialectRegistry &registry) {
  nameValuesOf<arith::ArithDialect>(registry);
  nameValuesOf<func::FuncDialect>(registry);
  nameValuesOf<linalg::LinalgDialect>(registry);
  nameValuesOf<math::MathDialect>(registry);
  nameValuesOf<scf::SCFDialect>(registry);
  nameValuesOf<tensor::TensorDialect>(registry);
  registry.addExtension(+nameFunctionArguments);
}

void mlopt::setSource(MLIRContext *context, llvm::MemoryBufferRef text) {
  std::lock_guard<std::mutex> lock(sources().mutex);
  sources().texts.insert_or_assign(context, text);
}

void mlopt::forgetSource(MLIRContext *context) {
  std::lock_guard<std::mutex> lock(sources().mutex);
  sources().texts.erase(context);
}

bool mlopt_source(MlirContext context, MlirStringRef *name, MlirStringRef *text) {
  std::lock_guard<std::mutex> lock(sources().mutex);
  auto found = sources().texts.find(unwrap(context));
  if (found == sources().texts.end())
    found = sources().texts.find(nullptr);
  if (found == sources().texts.end())
    return false;
  *name = wrap(found->second.getBufferIdentifier());
  *text = wrap(found->second.getBuffer());
  return true;
}

MlirStringRef mlopt_location_name(MlirLocation location) { return wrap(nameOf(unwrap(location))); }

MlirLocation mlopt_location_unnamed(MlirLocation location) {
  auto name = dyn_cast<NameLoc>(unwrap(location));
  return name ? wrap(name.getChildLoc()) : location;
}

bool mlopt_location_place(MlirLocation location, MlirStringRef *file, uint32_t *line, uint32_t *column) {
  auto place = unwrap(location)->findInstanceOf<FileLineColLoc>();
  if (!place)
    return false;
  *file = wrap(place.getFilename().getValue());
  *line = place.getLine();
  *column = place.getColumn();
  return true;
}

MlirLocation mlopt_value_location(MlirValue value) { return wrap(unwrap(value).getLoc()); }

void mlopt_set_location(MlirOperation op, MlirLocation location) { unwrap(op)->setLoc(unwrap(location)); }

void mlopt_set_argument_location(MlirValue argument, MlirLocation location) {
  cast<BlockArgument>(unwrap(argument)).setLoc(unwrap(location));
}
