// A context with one module and its text, so that diagnostics show the line.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace {
struct Program {
  explicit Program(const DialectRegistry &registry)
      // One thread: functions that recurse with the program's nesting run on the caller's large stack.
      : context(registry, MLIRContext::Threading::DISABLED), handler(sources, &context) {}
  ~Program() {
    if (module)
      mlopt_erase(wrap(module.release().getOperation()));
    mlopt::forgetSource(&context);
  }

  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};
} // namespace

void *mlopt_program_parse(MlirStringRef source, MlirStringRef name) {
  DialectRegistry registry;
  mlopt_register_all_dialects(wrap(&registry));
  auto program = std::make_unique<Program>(registry);
  // The copy ends with a zero byte, which the lexer reads.
  program->sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(unwrap(source), unwrap(name)), SMLoc());
  llvm::MemoryBufferRef text = *program->sources.getMemoryBuffer(program->sources.getMainFileID());
  if (failed(mlopt::checkOwnOperands(text, &program->context)))
    return nullptr;
  mlopt::setSource(&program->context, text);
  program->module = parseSourceFile<ModuleOp>(program->sources, ParserConfig(&program->context));
  return program->module ? program.release() : nullptr;
}

MlirOperation mlopt_program_module(void *program) { return wrap(static_cast<Program *>(program)->module->getOperation()); }

bool mlopt_program_run(void *opaque, MlirStringRef pipeline) {
  auto *program = static_cast<Program *>(opaque);
  FailureOr<OpPassManager> parsed = parsePassPipeline(unwrap(pipeline));
  if (failed(parsed))
    return false;
  PassManager manager(&program->context, parsed->getOpAnchorName());
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  return succeeded(manager.run(*program->module));
}

void mlopt_program_free(void *program) { delete static_cast<Program *>(program); }
