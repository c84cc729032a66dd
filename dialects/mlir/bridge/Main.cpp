// The tools of MLIR, with our dialects and passes.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>
#include <unistd.h>

using namespace mlir;

namespace {
using Insert = mlopt::Registration::Insert;

/// Returns the dialects that have registered themselves, in the order of their names.
std::map<StringRef, Insert> &ours() {
  static std::map<StringRef, Insert> table;
  return table;
}

void registerEverything(DialectRegistry &registry) {
  mlopt::registerUpstream(registry);
  for (auto &[name, insert] : ours())
    insert(registry);
  mlopt::registerNames(registry);
}
} // namespace

mlopt::Registration::Registration(StringRef name, Insert insert) { ours().emplace(name, insert); }

void mlopt::insertDialect(DialectRegistry &registry, StringRef name) {
  if (auto own = ours().find(name); own != ours().end())
    return own->second(registry);
  insertUpstream(registry, name);
}

void mlopt_register_all_dialects(MlirDialectRegistry registry) { registerEverything(*unwrap(registry)); }

void mlopt_register_all_passes() {
  std::unique_lock<std::shared_mutex> lock(mlopt::registryMutex());
  mlopt::registerUpstreamPasses();
}

int32_t mlopt_opt_main(int32_t argc, char **argv, MlirStringRef toolName, MlirStringRef version) {
  static std::string versionText;
  versionText = unwrap(version).str();
  llvm::cl::SetVersionPrinter([](raw_ostream &os) { os << versionText; });
  DialectRegistry registry;
  registerEverything(registry);
  auto [input, output] = registerAndParseCLIOptions(argc, argv, unwrap(toolName), registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // MLIR's own main opens the files if the text is not usable or an error must be reported.
  std::unique_ptr<llvm::MemoryBuffer> text;
  std::unique_ptr<llvm::ToolOutputFile> file;
  bool typed = input == "-" && llvm::sys::Process::FileDescriptorIsDisplayed(STDIN_FILENO);
  if (config.shouldShowDialects() || typed || !(text = openInputFile(input)) || !(file = openOutputFile(output)))
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  {
    MLIRContext context(MLIRContext::Threading::DISABLED);
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(*text), SMLoc());
    SourceMgrDiagnosticHandler handler(sources, &context);
    if (failed(mlopt::checkOwnOperands(*text, &context, config.inputSplitMarker())))
      return EXIT_FAILURE;
  }
  mlopt::setSource(nullptr, *text);
  LogicalResult result = MlirOptMain(file->os(), llvm::MemoryBuffer::getMemBuffer(*text), registry, config);
  if (succeeded(result))
    file->keep();
  mlopt::forgetSource(nullptr);
  return asMainReturnCode(result);
}

int32_t mlopt_lsp_main(int32_t argc, char **argv) {
  DialectRegistry registry;
  registerEverything(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}

int32_t mlopt_reduce_main(int32_t argc, char **argv) {
  DialectRegistry registry;
  registerEverything(registry);
  MLIRContext context(registry);
  return failed(mlirReduceMain(argc, argv, context));
}

void mlopt_visit_pass_names(void (*visit)(MlirStringRef, void *), void *data) {
  // The registry cannot be iterated, but a command-line parser turns every name into an option. The program must not
  // parse a command line afterwards: call this only before it exits with a diagnostic. The parser has no flag of its
  // own, because only then each name becomes an option and not a value.
  static PassPipelineCLParser parser("", "names of passes");
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (mlopt_is_pass_name(wrap(entry.getKey())))
      visit(wrap(entry.getKey()), data);
}
