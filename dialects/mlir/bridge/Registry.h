#ifndef MLOPT_BRIDGE_REGISTRY_H
#define MLOPT_BRIDGE_REGISTRY_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <shared_mutex>
#include <tuple>
#include <utility>

namespace mlopt {
/// Makes a dialect known to every context, and to passes by its name. Each of our dialects has a static object of this
/// type in its source, so the bridge itself refers to none of them.
struct Registration {
  using Insert = void (*)(mlir::DialectRegistry &);
  Registration(llvm::StringRef name, Insert insert);
};
/// Functions that read the integer parameters of an attribute of our dialects, and that create it from them.
struct IntegerParameters {
  void (*read)(mlir::Attribute attribute, llvm::SmallVectorImpl<int64_t> &numbers);
  mlir::Attribute (*make)(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> numbers);
};
void registerParameters(llvm::StringRef name, mlir::TypeID type, IntegerParameters parameters);

/// The source of a dialect contains a static object of this type for each attribute whose parameters are integers. MLIR
/// has no interface for such parameters; the generated storage class has them as a tuple.
template <typename Attr, typename Storage> struct RegisterIntegers {
  using Key = typename Storage::KeyTy;
  RegisterIntegers() {
    registerParameters(Attr::name, mlir::TypeID::get<Attr>(),
                       {[](mlir::Attribute attribute, llvm::SmallVectorImpl<int64_t> &numbers) {
                          // The storage constructor of the dialect keeps the parameters in this order.
                          Key key = static_cast<const Storage *>(attribute.getImpl())->getAsKey();
                          std::apply([&](auto... n) { (numbers.push_back(n), ...); }, key);
                        },
                        [](mlir::MLIRContext *context, llvm::ArrayRef<int64_t> numbers) -> mlir::Attribute {
                          return make(context, numbers, std::make_index_sequence<std::tuple_size_v<Key>>());
                        }});
  }

private:
  template <size_t... I>
  static mlir::Attribute make(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> numbers, std::index_sequence<I...>) {
    if (numbers.size() != sizeof...(I))
      return {};
    return Attr::get(context, static_cast<std::tuple_element_t<I, Key>>(numbers[I])...);
  }
};
/// Adds the dialects of MLIR with their extensions and translations to LLVM IR, and registers the passes of MLIR.
void registerUpstream(mlir::DialectRegistry &registry);
void registerUpstreamPasses();
/// Adds the dialect of MLIR of this name to `registry`, if it is one that our passes create ops of.
void insertUpstream(mlir::DialectRegistry &registry, llvm::StringRef name);
/// Adds the dialect of this name, ours or one of MLIR's, to `registry`; an unknown name is ignored.
void insertDialect(mlir::DialectRegistry &registry, llvm::StringRef name);
/// Reports an operand that a region of its own op defines, on which MLIR's parser crashes. Bytecode has none. Parts of
/// the text between markers know nothing of each other; without a marker it is one part.
mlir::LogicalResult checkOwnOperands(llvm::MemoryBufferRef text, mlir::MLIRContext *context,
                                     llvm::StringRef splitMarker = "");
/// Guards MLIR's registry of passes, which has no lock of its own. Shared for looking up, exclusive for registering.
std::shared_mutex &registryMutex();
/// Lets ops of MLIR name their values by their locations, as ours do.
void registerNames(mlir::DialectRegistry &registry);
/// Sets the text from which modules of `context` are parsed, until it is reset; null stands for all contexts.
void setSource(mlir::MLIRContext *context, llvm::MemoryBufferRef text);
void forgetSource(mlir::MLIRContext *context);
} // namespace mlopt

#endif // MLOPT_BRIDGE_REGISTRY_H
