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

/// The source of a dialect contains a static object of this type for each attribute whose parameters are integers, enums
/// or lists of integers; the number of elements of a list comes first. MLIR has no interface for such parameters; the
/// generated storage class has them as a tuple.
template <typename Attr, typename Storage> struct RegisterIntegers {
  using Key = typename Storage::KeyTy;
  RegisterIntegers() {
    registerParameters(Attr::name, mlir::TypeID::get<Attr>(),
                       {[](mlir::Attribute attribute, llvm::SmallVectorImpl<int64_t> &numbers) {
                          // The storage constructor of the dialect keeps the parameters in this order.
                          Key key = static_cast<const Storage *>(attribute.getImpl())->getAsKey();
                          std::apply([&](auto... n) { (append(numbers, n), ...); }, key);
                        },
                        [](mlir::MLIRContext *context, llvm::ArrayRef<int64_t> numbers) -> mlir::Attribute {
                          return make(context, numbers, std::make_index_sequence<std::tuple_size_v<Key>>());
                        }});
  }

private:
  static void append(llvm::SmallVectorImpl<int64_t> &numbers, llvm::ArrayRef<int64_t> list) {
    numbers.push_back(list.size());
    numbers.append(list.begin(), list.end());
  }
  template <typename T>
  static void append(llvm::SmallVectorImpl<int64_t> &numbers, T number) {
    numbers.push_back(static_cast<int64_t>(number));
  }

  /// Takes a parameter from the front of `numbers`; `complete` becomes false if they do not suffice.
  template <typename T> static T take(llvm::ArrayRef<int64_t> &numbers, bool &complete) {
    if constexpr (std::is_same_v<T, llvm::ArrayRef<int64_t>>) {
      uint64_t size = take<int64_t>(numbers, complete);
      complete &= size <= numbers.size();
      T list = numbers.take_front(size);
      numbers = numbers.drop_front(list.size());
      return list;
    } else {
      complete &= !numbers.empty();
      if (numbers.empty())
        return T();
      T number = static_cast<T>(numbers.front());
      numbers = numbers.drop_front();
      return number;
    }
  }
  template <size_t... I>
  static mlir::Attribute make(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> numbers, std::index_sequence<I...>) {
    bool complete = true;
    // The elements of a list in braces are evaluated in order.
    Key key{take<std::tuple_element_t<I, Key>>(numbers, complete)...};
    if (!complete || !numbers.empty())
      return {};
    return Attr::get(context, std::get<I>(key)...);
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
