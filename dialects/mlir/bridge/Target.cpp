// The names of processors and of their features, so that unknown ones can be rejected; LLVM itself only warns. Also the
// settings of its code generator that are accessible only as options.
#include "bridge/Bridge.h"
#include "mlir/CAPI/Support.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include <mutex>

extern "C" {
void LLVMInitializeX86TargetInfo(void);
void LLVMInitializeX86Target(void);
void LLVMInitializeX86TargetMC(void);
void LLVMInitializeX86AsmPrinter(void);
void LLVMInitializeX86AsmParser(void);
void LLVMInitializeNVPTXTargetInfo(void);
void LLVMInitializeNVPTXTarget(void);
void LLVMInitializeNVPTXTargetMC(void);
void LLVMInitializeNVPTXAsmPrinter(void);
}

void mlopt_initialize_targets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    // For inline assembly.
    LLVMInitializeX86AsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

static const char *const triple = "x86_64-unknown-linux-gnu";

static std::unique_ptr<llvm::MCSubtargetInfo> subtarget(llvm::StringRef cpu, llvm::StringRef features) {
  mlopt_initialize_targets();
  std::string problem;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, problem);
  llvm::MCSubtargetInfo *info = target ? target->createMCSubtargetInfo(triple, cpu, features) : nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(info);
}

void mlopt_visit_x86_names(bool features, void (*visit)(MlirStringRef name, void *data), void *data) {
  llvm::SmallVector<llvm::StringRef> names;
  if (!features) {
    llvm::X86::fillValidCPUArchList(names, /*Only64Bit=*/true);
  } else {
    if (auto info = subtarget("", ""))
      for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
        visit(wrap(llvm::StringRef(feature.Key)), data);
  }
  for (llvm::StringRef name : names)
    visit(wrap(name), data);
}

void mlopt_visit_missing_features(MlirStringRef cpu, MlirStringRef features,
                                  void (*visit)(MlirStringRef name, void *data), void *data) {
  auto info = subtarget(unwrap(cpu), unwrap(features));
  if (!info)
    return;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (!feature.second && info->checkFeatures(("+" + feature.first()).str()))
      visit(wrap(feature.first()), data);
}

void mlopt_set_llvm_option(MlirStringRef name, MlirStringRef value) {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(unwrap(name));
  if (found == options.end())
    return;
  // An option may be given once. Some passes read it only if it was given, so setting the value alone would have no
  // effect.
  found->second->reset();
  if (!unwrap(value).empty())
    found->second->addOccurrence(0, unwrap(name), unwrap(value));
}
