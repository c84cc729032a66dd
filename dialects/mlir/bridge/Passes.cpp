// One generic pass class: its options, anchor and dependent dialects come from Rust, which also runs the pass.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include <mutex>

using namespace mlir;

namespace {

std::optional<StringRef> anchorOf(const MloptPass &spec) {
  if (spec.anchor.length == 0)
    return std::nullopt;
  return unwrap(spec.anchor);
}

class RustPass : public Pass {
public:
  // The description is never freed, so its address identifies the kind of pass.
  explicit RustPass(const MloptPass &spec)
      : Pass(TypeID::getFromOpaquePointer(&spec), anchorOf(spec)), spec(spec) {
    for (const MloptOption &option : llvm::ArrayRef(spec.options, spec.numOptions))
      options.push_back(makeOption(option));
  }
  RustPass(const RustPass &other) : RustPass(other.spec) {}

  StringRef getName() const override { return unwrap(spec.name); }
  StringRef getArgument() const override { return unwrap(spec.name); }
  StringRef getDescription() const override { return unwrap(spec.description); }

  bool canScheduleOn(RegisteredOperationName name) const override {
    std::optional<StringRef> anchor = anchorOf(spec);
    return !anchor || name.getStringRef() == *anchor;
  }

  // An op of a dialect that is not loaded would be created unregistered.
  void getDependentDialects(DialectRegistry &registry) const override {
    for (MlirStringRef name : llvm::ArrayRef(spec.dialects, spec.numDialects))
      mlopt::insertDialect(registry, unwrap(name));
  }

  void runOnOperation() override {
    SmallVector<std::string> texts;
    for (auto &option : options)
      texts.push_back(option->text());
    SmallVector<MlirStringRef> values;
    for (const std::string &text : texts)
      values.push_back(wrap(StringRef(text)));
    if (!mlopt_rust_run_pass(spec.self, wrap(getOperation()), values.data(), values.size()))
      signalPassFailure();
  }

protected:
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<RustPass>(spec); }

private:
  /// A typed option of MLIR that returns its value as text.
  struct AnyOption {
    virtual ~AnyOption() = default;
    virtual std::string text() = 0;
  };
  template <typename T> struct ScalarOption : AnyOption {
    ScalarOption(Pass &pass, const MloptOption &spec, T initial)
        : option(pass, unwrap(spec.name), llvm::cl::desc(unwrap(spec.description)), llvm::cl::init(initial)) {}
    std::string text() override {
      if constexpr (std::is_same_v<T, std::string>)
        return option;
      else if constexpr (std::is_same_v<T, bool>)
        return option ? "true" : "false";
      else
        return std::to_string(option.getValue());
    }
    Pass::Option<T> option;
  };
  struct ListOption : AnyOption {
    ListOption(Pass &pass, const MloptOption &spec)
        : option(pass, unwrap(spec.name), llvm::cl::desc(unwrap(spec.description))) {}
    std::string text() override { return llvm::join(option.begin(), option.end(), ","); }
    Pass::ListOption<std::string> option;
  };

  std::unique_ptr<AnyOption> makeOption(const MloptOption &option) {
    StringRef initial = unwrap(option.initial);
    switch (option.kind) {
    case MLOPT_OPTION_INTEGER: {
      int64_t value = 0;
      initial.getAsInteger(10, value);
      return std::make_unique<ScalarOption<int64_t>>(*this, option, value);
    }
    case MLOPT_OPTION_BOOL:
      return std::make_unique<ScalarOption<bool>>(*this, option, initial == "true");
    case MLOPT_OPTION_LIST:
      return std::make_unique<ListOption>(*this, option);
    default:
      return std::make_unique<ScalarOption<std::string>>(*this, option, initial.str());
    }
  }

  const MloptPass &spec;
  std::vector<std::unique_ptr<AnyOption>> options;
};

} // namespace

std::shared_mutex &mlopt::registryMutex() {
  static std::shared_mutex mutex;
  return mutex;
}

void mlopt_register_pass(const MloptPass *pass) {
  std::unique_lock<std::shared_mutex> lock(mlopt::registryMutex());
  registerPass([pass] { return std::make_unique<RustPass>(*pass); });
}

void mlopt_register_pipeline(MlirStringRef name, MlirStringRef description, MlirStringRef pipeline) {
  std::string text = unwrap(pipeline).str();
  std::unique_lock<std::shared_mutex> lock(mlopt::registryMutex());
  registerPassPipeline(
      unwrap(name), unwrap(description),
      [text](OpPassManager &pm, StringRef options, function_ref<LogicalResult(const Twine &)> onError) {
        if (!options.empty())
          return onError("a named pipeline takes no options; write its passes out to set theirs");
        return parsePassPipeline(text, pm);
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}
