// The names of registered passes and pipelines, and of their options, as MLIR itself looks them up.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <shared_mutex>

using namespace mlir;

// The registry passes the options of a pass or pipeline to a function, but only to print help. The member that does so
// is private. Its name is permitted in an explicit instantiation, from which the friend takes it.
namespace {
using OptionVisitor = std::function<void(function_ref<void(const mlir::detail::PassOptions &)>)>;
OptionVisitor PassRegistryEntry::*optionVisitor();
template <OptionVisitor PassRegistryEntry::*member> struct OpenEntry {
  friend OptionVisitor PassRegistryEntry::*optionVisitor() { return member; }
};
template struct OpenEntry<&PassRegistryEntry::optHandler>;

const PassRegistryEntry *lookup(MlirStringRef name) {
  if (const PassRegistryEntry *pass = PassInfo::lookup(unwrap(name)))
    return pass;
  return PassPipelineInfo::lookup(unwrap(name));
}
} // namespace

bool mlopt_is_pass_name(MlirStringRef name) {
  std::shared_lock<std::shared_mutex> lock(mlopt::registryMutex());
  return lookup(name);
}

bool mlopt_is_pipeline_name(MlirStringRef name) {
  std::shared_lock<std::shared_mutex> lock(mlopt::registryMutex());
  return PassPipelineInfo::lookup(unwrap(name));
}

bool mlopt_visit_option_names(MlirStringRef name, void (*visit)(MlirStringRef, void *), void *data) {
  std::shared_lock<std::shared_mutex> lock(mlopt::registryMutex());
  const PassRegistryEntry *entry = lookup(name);
  if (!entry)
    return false;
  (entry->*optionVisitor())([&](const mlir::detail::PassOptions &options) {
    // A protected base class, which such a cast can access.
    for (auto &option : ((const llvm::cl::SubCommand &)options).OptionsMap)
      visit(wrap(option.getKey()), data);
  });
  return true;
}

bool mlopt_accepts_options(MlirStringRef name, MlirStringRef text) {
  std::shared_lock<std::shared_mutex> lock(mlopt::registryMutex());
  const PassRegistryEntry *entry = lookup(name);
  if (!entry)
    return false;
  bool accepted = false;
  (entry->*optionVisitor())([&](const mlir::detail::PassOptions &options) {
    // The registry creates these options for this call only.
    auto &scratch = const_cast<mlir::detail::PassOptions &>(options);
    accepted = succeeded(scratch.parseFromString(unwrap(text), llvm::nulls()));
  });
  return accepted;
}
