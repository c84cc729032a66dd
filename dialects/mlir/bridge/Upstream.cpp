// The dialects and passes of MLIR that are linked: all of them, or with `MLOPT_SLIM` those that our passes and lowerings
// use.
#include "bridge/Bridge.h"
#include "bridge/Registry.h"
#include "mlir-c/Dialect/Arith.h"
#include "mlir-c/Dialect/ControlFlow.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/GPU.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"
#include "mlir-c/Dialect/Math.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/Dialect/NVVM.h"
#include "mlir-c/Dialect/SCF.h"
#include "mlir-c/Dialect/Tensor.h"
#include "mlir-c/Dialect/Vector.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#ifdef MLOPT_SLIM
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"
#else
#include "mlir-c/RegisterEverything.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#endif

using namespace mlir;

void mlopt::insertUpstream(DialectRegistry &registry, StringRef name) {
  // Handles of the C interface, since the headers of the dialects take 17 seconds.
  const MlirDialectHandle known[] = {
      mlirGetDialectHandle__arith__(), mlirGetDialectHandle__cf__(),     mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__gpu__(),   mlirGetDialectHandle__linalg__(), mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__math__(),  mlirGetDialectHandle__memref__(), mlirGetDialectHandle__nvvm__(),
      mlirGetDialectHandle__scf__(),   mlirGetDialectHandle__tensor__(), mlirGetDialectHandle__vector__(),
  };
  for (MlirDialectHandle handle : known)
    if (unwrap(mlirDialectHandleGetNamespace(handle)) == name)
      mlirDialectHandleInsertDialect(handle, wrap(&registry));
}

#ifdef MLOPT_SLIM
static void registerTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void mlopt::registerUpstream(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, gpu::GPUDialect, index::IndexDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect, tensor::TensorDialect,
                  ub::UBDialect, vector::VectorDialect>();
  arith::registerConvertArithToLLVMInterface(registry);
  cf::registerConvertControlFlowToLLVMInterface(registry);
  registerConvertFuncToLLVMInterface(registry);
  index::registerConvertIndexToLLVMInterface(registry);
  registerConvertMathToLLVMInterface(registry);
  registerConvertMemRefToLLVMInterface(registry);
  registerConvertNVVMToLLVMInterface(registry);
  ub::registerConvertUBToLLVMInterface(registry);
  func::registerInlinerExtension(registry);
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
  registerTranslations(registry);
}

void mlopt::registerUpstreamPasses() {
  registerTransformsPasses();
  registerConvertAffineToStandard();
  registerLinalgGeneralizeNamedOpsPass();
  memref::registerExpandStridedMetadata();
}
#else
static void registerTranslations(DialectRegistry &registry) { registerAllToLLVMIRTranslations(registry); }

// The C interface has these functions compiled; their headers take 50 seconds.
void mlopt::registerUpstream(DialectRegistry &registry) {
  mlirRegisterAllDialects(wrap(&registry));
  registerTranslations(registry);
}

void mlopt::registerUpstreamPasses() { mlirRegisterAllPasses(); }
#endif

void mlopt_register_translations(MlirContext context) {
  DialectRegistry registry;
  registerTranslations(registry);
  unwrap(context)->appendDialectRegistry(registry);
}
