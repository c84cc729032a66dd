// The C++ interface of mlopt: objects that free themselves, and exceptions. C++17.
#ifndef MLOPT_HPP
#define MLOPT_HPP

#include "mlopt.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mlopt {

/// A message about a position in a program.
struct Diagnostic {
  mlopt_severity severity;
  std::string code, text, file;
  /// From one; 0 if there is no position.
  std::uint32_t line, column;
  std::string source_line;
  std::vector<Diagnostic> notes;
};

/// The failure of a function.
class Error : public std::runtime_error {
public:
  Error(mlopt_status status, std::string message, std::vector<Diagnostic> diagnostics)
      : std::runtime_error(std::move(message)), kind(status), said(std::move(diagnostics)) {}
  mlopt_status status() const noexcept { return kind; }
  const std::vector<Diagnostic> &diagnostics() const noexcept { return said; }

private:
  mlopt_status kind;
  std::vector<Diagnostic> said;
};

namespace detail {
inline std::string string(mlopt_string text) { return std::string(text.data, text.size); }

inline Diagnostic diagnostic(const mlopt_diagnostic &d) {
  return {d.severity, string(d.code), string(d.text), string(d.file), d.line, d.column, string(d.source_line), {}};
}

/// Throws if a function has failed. The error is passed by reference, because the call that stores it is an argument, too.
inline void check(mlopt_status status, mlopt_error *&error) {
  if (status == MLOPT_OK)
    return;
  std::unique_ptr<mlopt_error, void (*)(mlopt_error *)> owned(error, mlopt_error_free);
  std::vector<Diagnostic> all;
  mlopt_diagnostic found;
  for (std::size_t i = 0; mlopt_error_diagnostic(error, i, &found); ++i) {
    all.push_back(diagnostic(found));
    mlopt_diagnostic note;
    for (std::size_t k = 0; mlopt_error_note(error, i, k, &note); ++k)
      all.back().notes.push_back(diagnostic(note));
  }
  throw Error(status, string(mlopt_error_message(error)), std::move(all));
}

template <typename T, void (*Free)(T *)> struct Deleter {
  void operator()(T *object) const noexcept { Free(object); }
};
template <typename T, void (*Free)(T *)> using Owned = std::unique_ptr<T, Deleter<T, Free>>;

template <typename T> constexpr mlopt_element element() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, bool> ||
                    (std::is_integral_v<T> && std::is_signed_v<T>),
                "elements are float, double, signed integers or bool");
  std::uint8_t code = std::is_same_v<T, bool> ? 6 : std::is_floating_point_v<T> ? 2 : 0;
  return {code, static_cast<std::uint8_t>(8 * sizeof(T)), 1};
}
} // namespace detail

/// A contiguous, row-major array in memory of the caller, which is only read: an argument.
class ConstTensor {
public:
  template <typename T>
  ConstTensor(const T *data, std::vector<std::int64_t> shape)
      : sizes(std::move(shape)), start(data), type(detail::element<T>()) {}
  /// A scalar.
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  explicit ConstTensor(const T &number) : ConstTensor(&number, {}) {}

  /// The tensor for the C interface, which has one type for memory that is read and memory that is written.
  mlopt_tensor raw() const noexcept {
    return {const_cast<void *>(start), 1, 0, static_cast<std::int32_t>(sizes.size()), type, sizes.data(), nullptr, 0};
  }

private:
  std::vector<std::int64_t> sizes;
  const void *start;
  mlopt_element type;
};

/// A contiguous, row-major array in memory of the caller, which may be written: a result, or an argument.
class Tensor : public ConstTensor {
public:
  template <typename T, typename = std::enable_if_t<!std::is_const_v<T>>>
  Tensor(T *data, std::vector<std::int64_t> shape) : ConstTensor(data, std::move(shape)) {}
  /// A scalar.
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T> && !std::is_const_v<T>>>
  explicit Tensor(T &number) : ConstTensor(number) {}
};

namespace detail {
template <typename T> std::vector<mlopt_tensor> raw(const std::vector<T> &tensors) {
  std::vector<mlopt_tensor> all;
  for (const T &tensor : tensors)
    all.push_back(tensor.raw());
  return all;
}
} // namespace detail

/// The results of a call, in memory of their own.
class Result {
public:
  explicit Result(mlopt_result *object) : object(object) {}
  std::size_t size() const noexcept { return mlopt_result_count(object.get()); }
  /// Returns a result, whose memory lives as long as this object.
  mlopt_tensor operator[](std::size_t position) const {
    mlopt_tensor tensor;
    if (!mlopt_result_tensor(object.get(), position, &tensor))
      throw std::out_of_range("there is no result at this position");
    return tensor;
  }

private:
  detail::Owned<mlopt_result, mlopt_result_free> object;
};

/// A function with arguments of fixed shapes, for many calls.
class Call {
public:
  explicit Call(mlopt_call *object) : object(object) {}
  void operator()(const std::vector<ConstTensor> &inputs, const std::vector<Tensor> &results) {
    auto in = detail::raw(inputs), out = detail::raw(results);
    mlopt_error *error = nullptr;
    detail::check(mlopt_call_run(object.get(), in.data(), in.size(), out.data(), out.size(), &error), error);
  }
  std::size_t scratch_size() const noexcept { return mlopt_call_scratch_size(object.get()); }
  mlopt_call *get() const noexcept { return object.get(); }

private:
  detail::Owned<mlopt_call, mlopt_call_free> object;
};

/// A compiled function.
class Function {
public:
  explicit Function(mlopt_function *object) : object(object) {}
  std::string name() const { return detail::string(mlopt_function_name(object.get())); }
  Result operator()(const std::vector<ConstTensor> &inputs) const {
    auto in = detail::raw(inputs);
    mlopt_error *error = nullptr;
    mlopt_result *result = nullptr;
    detail::check(mlopt_function_call_new(object.get(), in.data(), in.size(), &result, &error), error);
    return Result(result);
  }
  void operator()(const std::vector<ConstTensor> &inputs, const std::vector<Tensor> &results) const {
    auto in = detail::raw(inputs), out = detail::raw(results);
    mlopt_error *error = nullptr;
    detail::check(mlopt_function_call(object.get(), in.data(), in.size(), out.data(), out.size(), &error), error);
  }
  /// Prepares calls with arguments of the types and shapes of these.
  Call prepare(const std::vector<ConstTensor> &inputs) const {
    auto in = detail::raw(inputs);
    mlopt_error *error = nullptr;
    mlopt_call *call = nullptr;
    detail::check(mlopt_function_prepare(object.get(), in.data(), in.size(), &call, &error), error);
    return Call(call);
  }
  mlopt_function *get() const noexcept { return object.get(); }

private:
  detail::Owned<mlopt_function, mlopt_function_free> object;
};

/// Compiled code.
class Code {
public:
  explicit Code(mlopt_code *object) : object(object) {}
  Function function(std::string_view name) const {
    mlopt_error *error = nullptr;
    mlopt_function *function = nullptr;
    detail::check(mlopt_code_function(object.get(), name.data(), name.size(), &function, &error), error);
    return Function(function);
  }
  std::size_t size() const noexcept { return mlopt_code_function_count(object.get()); }
  mlopt_code *get() const noexcept { return object.get(); }

private:
  detail::Owned<mlopt_code, mlopt_code_free> object;
};

/// A program.
class Module {
public:
  explicit Module(mlopt_module *object) : object(object) {}
  void run(std::string_view pipeline) {
    mlopt_error *error = nullptr;
    detail::check(mlopt_module_run(object.get(), pipeline.data(), pipeline.size(), &error), error);
  }
  std::string text() const {
    mlopt_error *error = nullptr;
    mlopt_string text;
    detail::check(mlopt_module_text(object.get(), &text, &error), error);
    std::string copy = detail::string(text);
    mlopt_string_free(text);
    return copy;
  }
  /// Compiles the module, which must not be used afterwards, unless an argument is wrong.
  Code compile(std::string_view pipeline = {}, std::string_view cpu = {}, std::string_view features = {}) {
    mlopt_error *error = nullptr;
    mlopt_code *code = nullptr;
    detail::check(mlopt_module_compile(object.get(), pipeline.data(), pipeline.size(), cpu.data(), cpu.size(),
                                       features.data(), features.size(), &code, &error),
                  error);
    return Code(code);
  }
  mlopt_module *get() const noexcept { return object.get(); }

private:
  detail::Owned<mlopt_module, mlopt_module_free> object;
};

/// The compiler.
class Session {
public:
  Session() {
    mlopt_error *error = nullptr;
    mlopt_session *session = nullptr;
    detail::check(mlopt_session_new(&session, &error), error);
    object.reset(session);
  }
  /// With a folder of compiled code; an empty name stands for that of the user.
  explicit Session(std::string_view cache, std::uint64_t limit = 0) {
    mlopt_error *error = nullptr;
    mlopt_session *session = nullptr;
    detail::check(mlopt_session_new_with_cache(cache.data(), cache.size(), limit, &session, &error), error);
    object.reset(session);
  }
  Module parse(std::string_view name, std::string_view source) const {
    mlopt_error *error = nullptr;
    mlopt_module *module = nullptr;
    detail::check(mlopt_module_parse(object.get(), name.data(), name.size(), source.data(), source.size(), &module, &error),
                  error);
    return Module(module);
  }
  Code compile(std::string_view name, std::string_view source) const {
    mlopt_error *error = nullptr;
    mlopt_code *code = nullptr;
    detail::check(mlopt_compile(object.get(), name.data(), name.size(), source.data(), source.size(), &code, &error), error);
    return Code(code);
  }
  mlopt_session *get() const noexcept { return object.get(); }

private:
  detail::Owned<mlopt_session, mlopt_session_free> object;
};

} // namespace mlopt

#endif // MLOPT_HPP
