#ifndef MLOPT_BRIDGE_REGISTRY_H
#define MLOPT_BRIDGE_REGISTRY_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <tuple>
#include <utility>

namespace mlopt {
/// Makes a dialect known to every context, and to passes by its name. A static object for each dialect of ours stands in
/// the source of the dialect: the bridge itself names none of them.
struct Registration {
  using Insert = void (*)(mlir::DialectRegistry &);
  Registration(llvm::StringRef name, Insert insert);
};
/// How the integers that an attribute of a dialect of ours is made of are read, and how it is made of them.
struct IntegerParameters {
  void (*read)(mlir::Attribute attribute, llvm::SmallVectorImpl<int64_t> &numbers);
  mlir::Attribute (*make)(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> numbers);
};
void registerParameters(llvm::StringRef name, mlir::TypeID type, IntegerParameters parameters);

/// A static object for each attribute whose parameters are integers stands in the source of its dialect. MLIR has no
/// interface for such parameters; the storage class, which is generated, has them as a tuple.
template <typename Attr, typename Storage> struct RegisterIntegers {
  using Key = typename Storage::KeyTy;
  RegisterIntegers() {
    registerParameters(Attr::name, mlir::TypeID::get<Attr>(),
                       {[](mlir::Attribute attribute, llvm::SmallVectorImpl<int64_t> &numbers) {
                          // The dialect's constructor of storage keeps the parameters in this order.
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
/// Adds the dialect of that name, ours or one of MLIR's, to `registry`; a name that is not known is ignored.
void insertDialect(mlir::DialectRegistry &registry, llvm::StringRef name);
/// Lets ops of MLIR name their values by their locations, as ours do.
void registerNames(mlir::DialectRegistry &registry);
/// The text that modules of `context` are parsed from, until it is forgotten; of all contexts for null.
void setSource(mlir::MLIRContext *context, llvm::MemoryBufferRef text);
void forgetSource(mlir::MLIRContext *context);
} // namespace mlopt

#endif // MLOPT_BRIDGE_REGISTRY_H
