/* The C interface of mlopt. Generated from tools/capi by `cargo test -p mlopt-capi`: do not edit.
 *
 * Functions that can fail return a status and take the address of an error as their last argument, which may be null.
 * If they fail, they store an error there, which the caller frees, and change nothing else; otherwise they store null.
 * Objects are freed by their own functions, which accept null. Strings are not terminated; they have a length.
 *
 * Different objects may be used by several threads at once, and the same session, code and function, too. A call and
 * a module must be used by one thread at a time. An object may be freed before those that were made from it. */


#ifndef MLOPT_H
#define MLOPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* The version of this interface: it changes when programs must be compiled again. */
#define MLOPT_ABI_VERSION 1


/**
 * The result of a function.
 */
typedef enum mlopt_status {
  MLOPT_OK = 0,
  /**
   * The program is not valid, or a pass rejects it.
   */
  MLOPT_ERROR_PROGRAM = 1,
  /**
   * The program uses something that this compiler does not support.
   */
  MLOPT_ERROR_NOT_SUPPORTED = 2,
  /**
   * A pass or an option of a pipeline does not exist.
   */
  MLOPT_ERROR_PIPELINE = 3,
  /**
   * The processor or one of its features does not exist.
   */
  MLOPT_ERROR_TARGET = 4,
  /**
   * The code has no function of this name.
   */
  MLOPT_ERROR_UNKNOWN_FUNCTION = 5,
  /**
   * An argument is wrong: null, freed, or with another number, element type, shape or strides than expected.
   */
  MLOPT_ERROR_ARGUMENT = 6,
  /**
   * The program stopped itself: a check of its own failed.
   */
  MLOPT_ERROR_STOPPED = 7,
  /**
   * There is not enough memory.
   */
  MLOPT_ERROR_MEMORY = 8,
  /**
   * A file cannot be read or written.
   */
  MLOPT_ERROR_FILE = 9,
  /**
   * A bug of the compiler.
   */
  MLOPT_ERROR_INTERNAL = 10,
} mlopt_status;

/**
 * The severity of a diagnostic.
 */
typedef enum mlopt_severity {
  MLOPT_SEVERITY_ERROR = 0,
  MLOPT_SEVERITY_WARNING = 1,
  MLOPT_SEVERITY_REMARK = 2,
  MLOPT_SEVERITY_NOTE = 3,
} mlopt_severity;

/**
 * A function with arguments of fixed shapes, and memory for its calls.
 */
typedef struct mlopt_call mlopt_call;

/**
 * Compiled code.
 */
typedef struct mlopt_code mlopt_code;

/**
 * The reason why a function failed.
 */
typedef struct mlopt_error mlopt_error;

/**
 * A function of compiled code, which keeps the code.
 */
typedef struct mlopt_function mlopt_function;

/**
 * A program.
 */
typedef struct mlopt_module mlopt_module;

/**
 * The results of a call, in memory of their own.
 */
typedef struct mlopt_result mlopt_result;

/**
 * The compiler, with its cache of compiled code.
 */
typedef struct mlopt_session mlopt_session;

/**
 * A text of `size` bytes in UTF-8, which is not terminated.
 */
typedef struct mlopt_string {
  const char *data;
  size_t size;
} mlopt_string;

/**
 * The type of elements, as in DLPack.
 */
typedef struct mlopt_element {
  /**
   * 0 for integers, 2 for floats, 4 for bf16, 6 for truth values of one byte, which are false if it is 0.
   */
  uint8_t code;
  /**
   * The size of an element.
   */
  uint8_t bits;
  /**
   * 1.
   */
  uint16_t lanes;
} mlopt_element;

/**
 * The type of an argument or result.
 */
typedef struct mlopt_type {
  struct mlopt_element dtype;
  /**
   * The number of axes; 0 for a scalar.
   */
  int32_t ndim;
  /**
   * The sizes; -1 for a size that is known only at run time.
   */
  const int64_t *shape;
} mlopt_type;

/**
 * An array in memory that others own, in the layout of `DLTensor` of DLPack.
 */
typedef struct mlopt_tensor {
  void *data;
  /**
   * 1: the memory of the CPU.
   */
  int32_t device_type;
  int32_t device_id;
  /**
   * The number of axes; 0 for a scalar.
   */
  int32_t ndim;
  struct mlopt_element dtype;
  const int64_t *shape;
  /**
   * In elements; null for a contiguous, row-major array.
   */
  const int64_t *strides;
  uint64_t byte_offset;
} mlopt_tensor;

/**
 * A message about a position in a program. Its texts live as long as the object that it comes from.
 */
typedef struct mlopt_diagnostic {
  enum mlopt_severity severity;
  /**
   * The name of the error or of the constraint that is violated, or empty.
   */
  struct mlopt_string code;
  struct mlopt_string text;
  /**
   * The name of the source, or empty.
   */
  struct mlopt_string file;
  /**
   * From one; 0 if there is no position.
   */
  uint32_t line;
  uint32_t column;
  /**
   * The text of the line, or empty.
   */
  struct mlopt_string source_line;
  /**
   * The number of notes.
   */
  size_t note_count;
} mlopt_diagnostic;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the name of a function, which lives as long as the function.
 */
struct mlopt_string mlopt_function_name(const struct mlopt_function *function);

/**
 * Returns the number of arguments.
 */
size_t mlopt_function_input_count(const struct mlopt_function *function);

/**
 * Returns the number of results.
 */
size_t mlopt_function_result_count(const struct mlopt_function *function);

/**
 * Returns the type of an argument, which lives as long as the function. Returns false if there is none at this
 * position.
 */
bool mlopt_function_input_type(const struct mlopt_function *function, size_t position, struct mlopt_type *ty);

/**
 * Returns the type of a result, which lives as long as the function. Returns false if there is none at this position.
 */
bool mlopt_function_result_type(const struct mlopt_function *function, size_t position, struct mlopt_type *ty);

/**
 * Calls a function and writes the results into these arrays, which must be contiguous and must not overlap the
 * arguments. Arguments may have any strides.
 */
enum mlopt_status mlopt_function_call(const struct mlopt_function *function,
                                      const struct mlopt_tensor *inputs,
                                      size_t input_count,
                                      const struct mlopt_tensor *results,
                                      size_t result_count,
                                      struct mlopt_error **error);

/**
 * Calls a function and returns the results in new memory.
 */
enum mlopt_status mlopt_function_call_new(const struct mlopt_function *function,
                                          const struct mlopt_tensor *inputs,
                                          size_t input_count,
                                          struct mlopt_result **result,
                                          struct mlopt_error **error);

/**
 * Prepares calls with arguments of these types and shapes; the addresses of the data are not used.
 */
enum mlopt_status mlopt_function_prepare(const struct mlopt_function *function,
                                         const struct mlopt_tensor *inputs,
                                         size_t input_count,
                                         struct mlopt_call **call,
                                         struct mlopt_error **error);

/**
 * Checks whether a call with these arguments copies none of them: whether all are contiguous, row-major and aligned,
 * and all truth values are bytes that are 0 or 1.
 */
bool mlopt_is_zero_copy(const struct mlopt_tensor *inputs, size_t input_count);

/**
 * Frees a function. Calls that were prepared from it remain.
 */
void mlopt_function_free(struct mlopt_function *function);

/**
 * Calls the function of a prepared call, as `mlopt_function_call`.
 */
enum mlopt_status mlopt_call_run(struct mlopt_call *call,
                                 const struct mlopt_tensor *inputs,
                                 size_t input_count,
                                 const struct mlopt_tensor *results,
                                 size_t result_count,
                                 struct mlopt_error **error);

/**
 * Calls the function of a prepared call with contiguous, row-major and aligned arrays at these addresses, which are
 * not checked: they must have the prepared shapes, and results those of `mlopt_call_result_shape`. Truth values must
 * be bytes that are 0 or 1. If the sizes of results depend on values of arguments, and these arguments give other
 * shapes than `mlopt_call_result_shape` before the call, the call computes nothing and returns `MLOPT_ERROR_ARGUMENT`.
 * Then `mlopt_call_result_shape` returns the new shapes, and the call can be repeated with memory for them.
 */
enum mlopt_status mlopt_call_run_raw(struct mlopt_call *call,
                                     const void *const *inputs,
                                     size_t input_count,
                                     void *const *results,
                                     size_t result_count,
                                     struct mlopt_error **error);

/**
 * Returns the bytes of scratch memory that a prepared call keeps.
 */
size_t mlopt_call_scratch_size(const struct mlopt_call *call);

/**
 * Returns the sizes of a result of a prepared call, which live until the next call. Returns false if there is no
 * result at this position, or if its sizes depend on values of arguments and there was no call yet.
 */
bool mlopt_call_result_shape(const struct mlopt_call *call, size_t position, int32_t *ndim, const int64_t **shape);

/**
 * Frees a prepared call.
 */
void mlopt_call_free(struct mlopt_call *call);

/**
 * Returns the number of results.
 */
size_t mlopt_result_count(const struct mlopt_result *result);

/**
 * Returns a result, whose memory lives as long as the object. Returns false if there is none at this position.
 */
bool mlopt_result_tensor(struct mlopt_result *result, size_t position, struct mlopt_tensor *tensor);

/**
 * Frees the results of a call.
 */
void mlopt_result_free(struct mlopt_result *result);

/**
 * Returns the version of this interface in the library. Programs compare it with `MLOPT_ABI_VERSION`.
 */
uint32_t mlopt_abi_version(void);

/**
 * Returns the version of the compiler.
 */
struct mlopt_string mlopt_version(void);

/**
 * Sets the number of threads that execute a parallel loop of compiled code, the calling one included. 0 stands for
 * $MLOPT_THREADS, or else the number of processors that the process may use. The results of calls do not depend on it.
 */
void mlopt_set_threads(size_t threads);

/**
 * Returns the number of threads that execute a parallel loop of compiled code.
 */
size_t mlopt_threads(void);

/**
 * Creates a session.
 */
enum mlopt_status mlopt_session_new(struct mlopt_session **session, struct mlopt_error **error);

/**
 * Creates a session that keeps compiled code in a folder of mode 700, which is created if it does not exist. An empty
 * name stands for $MLOPT_CACHE_DIR, or `mlopt` in the cache folder of the user. `limit` is the maximum number of bytes
 * of all entries; 0 stands for 1 GiB.
 */
enum mlopt_status mlopt_session_new_with_cache(const char *folder,
                                               size_t folder_size,
                                               uint64_t limit,
                                               struct mlopt_session **session,
                                               struct mlopt_error **error);

/**
 * Returns the number of programs whose code was found in the cache.
 */
uint64_t mlopt_session_cache_hits(const struct mlopt_session *session);

/**
 * Returns the number of programs that were compiled because their code was not found in the cache.
 */
uint64_t mlopt_session_cache_misses(const struct mlopt_session *session);

/**
 * Frees a session. Modules and code that were made by it remain.
 */
void mlopt_session_free(struct mlopt_session *session);

/**
 * Parses a program. `name` is the name of the source in diagnostics; if it ends in `.terms` or `.lambda`, the source
 * is in the notation of arrays or functions, otherwise it is MLIR text or bytecode.
 */
enum mlopt_status mlopt_module_parse(const struct mlopt_session *session,
                                     const char *name,
                                     size_t name_size,
                                     const char *source,
                                     size_t source_size,
                                     struct mlopt_module **module,
                                     struct mlopt_error **error);

/**
 * Returns the number of public functions of a module; 0 if it is not valid.
 */
size_t mlopt_module_function_count(const struct mlopt_module *module);

/**
 * Runs passes: a pipeline such as `builtin.module(canonicalize,cse)`. After a pass has failed, the module can only be
 * freed.
 */
enum mlopt_status mlopt_module_run(struct mlopt_module *module,
                                   const char *pipeline,
                                   size_t pipeline_size,
                                   struct mlopt_error **error);

/**
 * Returns a module as MLIR text, to be freed by `mlopt_string_free`.
 */
enum mlopt_status mlopt_module_text(const struct mlopt_module *module,
                                    struct mlopt_string *text,
                                    struct mlopt_error **error);

/**
 * Frees the text of `mlopt_module_text`.
 */
void mlopt_string_free(struct mlopt_string text);

/**
 * Compiles a module, which can only be freed afterwards, unless an argument is wrong. An empty pipeline stands for the
 * default passes, `fast` for those with the permission of `fastmath<fast>` on every op, an empty processor for that of
 * this machine. `features` are added to the processor or removed: `+avx2,-fma`.
 */
enum mlopt_status mlopt_module_compile(struct mlopt_module *module,
                                       const char *pipeline,
                                       size_t pipeline_size,
                                       const char *cpu,
                                       size_t cpu_size,
                                       const char *features,
                                       size_t features_size,
                                       struct mlopt_code **code,
                                       struct mlopt_error **error);

/**
 * Frees a module.
 */
void mlopt_module_free(struct mlopt_module *module);

/**
 * Parses a program and compiles it for this machine with the default passes.
 */
enum mlopt_status mlopt_compile(const struct mlopt_session *session,
                                const char *name,
                                size_t name_size,
                                const char *source,
                                size_t source_size,
                                struct mlopt_code **code,
                                struct mlopt_error **error);

/**
 * Returns the number of functions that can be called.
 */
size_t mlopt_code_function_count(const struct mlopt_code *code);

/**
 * Returns a function by its position in the order of the names.
 */
enum mlopt_status mlopt_code_function_at(const struct mlopt_code *code,
                                         size_t position,
                                         struct mlopt_function **function,
                                         struct mlopt_error **error);

/**
 * Returns a function by its name, with or without `@`.
 */
enum mlopt_status mlopt_code_function(const struct mlopt_code *code,
                                      const char *name,
                                      size_t name_size,
                                      struct mlopt_function **function,
                                      struct mlopt_error **error);

/**
 * Returns the number of warnings and remarks of the compilation.
 */
size_t mlopt_code_diagnostic_count(const struct mlopt_code *code);

/**
 * Returns a warning or remark of the compilation. Returns false if there is none at this position.
 */
bool mlopt_code_diagnostic(const struct mlopt_code *code, size_t position, struct mlopt_diagnostic *diagnostic);

/**
 * Frees code. Its functions remain.
 */
void mlopt_code_free(struct mlopt_code *code);

/**
 * Returns the status that the function has returned with this error.
 */
enum mlopt_status mlopt_error_status(const struct mlopt_error *error);

/**
 * Returns all diagnostics as one text, which lives as long as the error.
 */
struct mlopt_string mlopt_error_message(const struct mlopt_error *error);

/**
 * Returns the number of diagnostics. There are none for wrong arguments of a function of this interface.
 */
size_t mlopt_error_diagnostic_count(const struct mlopt_error *error);

/**
 * Returns a diagnostic. Returns false if there is none at this position.
 */
bool mlopt_error_diagnostic(const struct mlopt_error *error, size_t position, struct mlopt_diagnostic *diagnostic);

/**
 * Returns a note of a diagnostic. Returns false if there is none at these positions.
 */
bool mlopt_error_note(const struct mlopt_error *error,
                      size_t position,
                      size_t note,
                      struct mlopt_diagnostic *diagnostic);

/**
 * Frees an error.
 */
void mlopt_error_free(struct mlopt_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MLOPT_H */
