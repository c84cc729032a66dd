// A context with one module and its text, so that diagnostics show the line.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/CAPI/Diagnostics.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <shared_mutex>

using namespace mlir;

namespace {
struct Program {
  Program(const DialectRegistry &registry, MlirDiagnosticHandler receive, void *data)
      // One thread: functions that recurse with the program's nesting run on the caller's large stack.
      : context(registry, MLIRContext::Threading::DISABLED), isPrinted(!receive) {
    if (isPrinted) {
      printer.emplace(sources, &context);
      return;
    }
    // A note would contain the text of the whole op.
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler([this, receive, data](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        dropOperands();
      receive(wrap(diagnostic), data);
      return success();
    });
  }
  ~Program() {
    if (module)
      mlopt_erase(wrap(module.release().getOperation()));
    mlopt::forgetSource(&context);
  }

  /// Parses the module.
  ///
  /// After a syntax error, MLIR 19's parser destroys ops in the order in which it created them. If a name was used in
  /// one function and defined in a later one, the ops of the former refer to ops that are already freed, and the parser
  /// writes to them. The state of the parser knows the ops, so at the first error their operands are dropped.
  void parse() {
    llvm::MemoryBufferRef text = *sources.getMemoryBuffer(sources.getMainFileID());
    if (isPrinted || isBytecode(text)) {
      module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
      return;
    }
    AsmParserState known;
    Block block;
    parsed = &known;
    LogicalResult result = parseAsmSourceFile(sources, &block, ParserConfig(&context, /*verifyAfterParse=*/false), &known);
    parsed = nullptr;
    if (failed(result) || hasError)
      return;
    Location file = FileLineColLoc::get(&context, text.getBufferIdentifier(), 0, 0);
    module = detail::constructContainerOpForParserIfNecessary<ModuleOp>(&block, &context, file);
    if (module && failed(verify(*module)))
      module = nullptr;
  }

  MLIRContext context;
  llvm::SourceMgr sources;
  /// True if diagnostics are written to the error stream.
  bool isPrinted;
  std::optional<SourceMgrDiagnosticHandler> printer;
  OwningOpRef<ModuleOp> module;

private:
  void dropOperands() {
    if (!parsed || std::exchange(hasError, true))
      return;
    for (const AsmParserState::OperationDefinition &known : parsed->getOpDefs())
      known.op->dropAllReferences();
  }

  /// The state of the parser while it runs.
  AsmParserState *parsed = nullptr;
  bool hasError = false;
};

/// Reports what the parser of pipelines has written, `NAME:1:COLUMN: error: TEXT` and the line, at the module.
void reportPipeline(Program &program, StringRef written) {
  StringRef text = written.split('\n').first;
  Location location = program.module->getLoc();
  auto [place, message] = text.split(": error: ");
  if (message.empty()) {
    message = text;
  } else {
    auto [rest, column] = place.rsplit(':');
    unsigned line = 1, at = 0;
    if (!column.getAsInteger(10, at) && !rest.rsplit(':').second.getAsInteger(10, line))
      location = FileLineColLoc::get(&program.context, "pass pipeline", line, at);
  }
  emitError(location) << message;
}
} // namespace

void *mlopt_program_parse(MlirStringRef source, MlirStringRef name, MlirDiagnosticHandler receive, void *data) {
  DialectRegistry registry;
  mlopt_register_all_dialects(wrap(&registry));
  auto program = std::make_unique<Program>(registry, receive, data);
  // The copy ends with a zero byte, which the lexer reads.
  program->sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(unwrap(source), unwrap(name)), SMLoc());
  llvm::MemoryBufferRef text = *program->sources.getMemoryBuffer(program->sources.getMainFileID());
  mlopt::setSource(&program->context, text);
  if (failed(mlopt::checkOwnOperands(text, &program->context)))
    return nullptr;
  program->parse();
  return program->module ? program.release() : nullptr;
}

MlirOperation mlopt_program_module(void *program) { return wrap(static_cast<Program *>(program)->module->getOperation()); }

bool mlopt_program_run(void *opaque, MlirStringRef pipeline) {
  auto *program = static_cast<Program *>(opaque);
  std::string written;
  llvm::raw_string_ostream stream(written);
  llvm::raw_ostream &errors = program->isPrinted ? static_cast<llvm::raw_ostream &>(llvm::errs()) : stream;
  FailureOr<OpPassManager> parsed = [&] {
    std::shared_lock<std::shared_mutex> lock(mlopt::registryMutex());
    return parsePassPipeline(unwrap(pipeline), errors);
  }();
  if (failed(parsed)) {
    if (!program->isPrinted)
      reportPipeline(*program, written);
    return false;
  }
  PassManager manager(&program->context, parsed->getOpAnchorName());
  static_cast<OpPassManager &>(manager) = std::move(*parsed);
  return succeeded(manager.run(*program->module));
}

void mlopt_program_free(void *program) { delete static_cast<Program *>(program); }
