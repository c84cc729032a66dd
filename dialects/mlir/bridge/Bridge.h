// The C functions that cross between the C++ of MLIR and the Rust of this project. Their counterparts are in `lib.rs`
// and `hooks.rs`.
#ifndef MLOPT_BRIDGE_H
#define MLOPT_BRIDGE_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

extern "C" {

//===-- Rust calls C++ ------------------------------------------------------------------------------------------===//

enum MloptOptionKind { MLOPT_OPTION_STRING, MLOPT_OPTION_INTEGER, MLOPT_OPTION_BOOL, MLOPT_OPTION_LIST };

struct MloptOption {
  MlirStringRef name, description, initial;
  int32_t kind; // MloptOptionKind
};

/// A pass written in Rust. All objects to which it points live as long as the program.
struct MloptPass {
  const void *self; // passed to `mlopt_rust_run_pass`
  MlirStringRef name, description;
  MlirStringRef anchor; // op that the pass runs on; empty: any
  const MloptOption *options;
  intptr_t numOptions;
  const MlirStringRef *dialects; // dependent dialects
  intptr_t numDialects;
};

struct MloptNote {
  MlirLocation location;
  MlirStringRef text;
};

void mlopt_register_pass(const MloptPass *pass);
void mlopt_register_pipeline(MlirStringRef name, MlirStringRef description, MlirStringRef pipeline);
/// Registers all dialects of MLIR and ours, with their extensions.
void mlopt_register_all_dialects(MlirDialectRegistry registry);
/// Makes the dialects of `context` translatable to LLVM IR.
void mlopt_register_translations(MlirContext context);
/// Registers all passes of MLIR. Call once per process.
void mlopt_register_all_passes();
int32_t mlopt_opt_main(int32_t argc, char **argv, MlirStringRef toolName, MlirStringRef version);
int32_t mlopt_lsp_main(int32_t argc, char **argv);
int32_t mlopt_reduce_main(int32_t argc, char **argv);
/// Checks whether a pass or pipeline of this name is registered.
bool mlopt_is_pass_name(MlirStringRef name);
bool mlopt_is_pipeline_name(MlirStringRef name);
/// Calls `visit` with the name of every registered pass and pipeline. No command line can be parsed afterwards.
void mlopt_visit_pass_names(void (*visit)(MlirStringRef name, void *data), void *data);
/// Registers the code generators of x86-64 and NVPTX, without disassemblers.
void mlopt_initialize_targets();
/// Calls `visit` with the name of every 64-bit x86 processor, or of every feature of such processors.
void mlopt_visit_x86_names(bool features, void (*visit)(MlirStringRef name, void *data), void *data);
/// Calls `visit` with the name of every feature of an x86-64 processor that this machine lacks.
void mlopt_visit_missing_features(MlirStringRef cpu, MlirStringRef features,
                                  void (*visit)(MlirStringRef name, void *data), void *data);
/// Sets one of LLVM's boolean options, if this LLVM has it.
void mlopt_set_llvm_option(MlirStringRef name, MlirStringRef value);
/// Calls `visit` with the name of every option of a pass or pipeline. Returns false if none of this name is registered.
bool mlopt_visit_option_names(MlirStringRef name, void (*visit)(MlirStringRef option, void *data), void *data);
/// Parses the text between the braces as the options of a pass or pipeline.
bool mlopt_accepts_options(MlirStringRef name, MlirStringRef text);
/// Returns a context with all dialects and the module in `source`, text or bytecode, which errors call `name`. Returns
/// null, after diagnostics, if it is not valid. Diagnostics are passed to `receive`, or written to the error stream if it
/// is null.
void *mlopt_program_parse(MlirStringRef source, MlirStringRef name, MlirDiagnosticHandler receive, void *data);
MlirOperation mlopt_program_module(void *program);
/// Runs `builtin.module(...)` on the module. Returns false after diagnostics.
bool mlopt_program_run(void *program, MlirStringRef pipeline);
void mlopt_program_free(void *program);
/// Makes later crashes of MLIR and LLVM end the process with one diagnostic. Call on the thread that does the work.
void mlopt_install_crash_handler(void);
/// Sets the text before and after `error: internal error: ` in the diagnostic of a crash.
void mlopt_set_crash_place(MlirStringRef text);
void mlopt_set_crash_cause(MlirStringRef text);
/// Limits the processor time of the process from here on, to at least a microsecond. At the limit the process ends with
/// a diagnostic at the place of crashes.
void mlopt_limit_seconds(double seconds);
/// Sets the stack size of threads that are created later.
void mlopt_set_thread_stack_size(size_t bytes);
/// Emits a diagnostic. The severity is 0 for an error, 1 for a warning, 2 for a remark.
void mlopt_emit(MlirLocation location, int32_t severity, MlirStringRef text, const MloptNote *notes, intptr_t numNotes);
/// Returns the number of bytes in which dense elements are stored.
intptr_t mlopt_raw_data_size(MlirAttribute elements);
/// Checks that an op and its regions have no memory effects, and that it is safe to speculate.
bool mlopt_is_pure(MlirOperation op);
/// Returns 1 if an op is pure, whatever its regions contain; 2 if it is pure provided that all ops in its regions are;
/// otherwise 0.
int32_t mlopt_purity(MlirOperation op);
/// Returns the name of a kind of types: `builtin.tuple`.
MlirStringRef mlopt_type_name(MlirType type);
/// Calls `visit` with each type of which `type` consists, and `attribute` with each attribute, in order.
void mlopt_type_parts(MlirType type, void (*visit)(MlirType part, void *data),
                      void (*attribute)(MlirAttribute part, void *data), void *data);
/// Returns `type` with these parts instead of its own; their number is the same.
MlirType mlopt_type_of_parts(MlirType type, intptr_t n, const MlirType *parts);
/// Calls `visit` with each integer parameter of an attribute, in the order of its definition: the value of an enum, or
/// the parameters of an attribute of ours. Returns false for attributes with other parameters.
bool mlopt_attribute_integers(MlirAttribute attribute, void (*visit)(int64_t number, void *data), void *data);
/// Returns the attribute `name`, as in `arith.fastmath`, with these integer parameters, or null if no attribute of this
/// name has this number of parameters.
MlirAttribute mlopt_attribute_of_integers(MlirContext context, MlirStringRef name, intptr_t n, const int64_t *numbers);
/// Checks whether an op is a `func.func`.
bool mlopt_is_function(MlirOperation op);
/// Checks that an op has no memory effects, or only those of the ops in its regions.
bool mlopt_has_no_own_effects(MlirOperation op);
/// Erases an op with its nested ops, in time linear in its size.
void mlopt_erase(MlirOperation op);
bool mlopt_is_registered(MlirOperation op);
/// Calls `visit` with the names of the discardable attributes of an op, or of the inherent ones that its kind defines.
void mlopt_visit_attribute_names(MlirOperation op, bool discardable, void (*visit)(MlirStringRef name, void *data),
                                 void *data);
/// Returns the symbol `name` of `table`, or null; `tables` is a `SymbolTableCollection`.
MlirOperation mlopt_symbol(void *tables, MlirOperation table, MlirStringRef name);
void mlopt_set_operands(MlirOperation op, intptr_t n, const MlirValue *operands);
/// Erases the first `n` arguments of a block, which must be unused.
void mlopt_erase_first_arguments(MlirBlock block, intptr_t n);
/// Return the name around a location, or an empty string; and the location without it.
MlirStringRef mlopt_location_name(MlirLocation location);
MlirLocation mlopt_location_unnamed(MlirLocation location);
/// Finds the first position in a file that a location contains. Returns false if it contains none.
bool mlopt_location_place(MlirLocation location, MlirStringRef *file, uint32_t *line, uint32_t *column);
/// Returns the location of the op that defines a value, or of the declaration of a block argument.
MlirLocation mlopt_value_location(MlirValue value);
void mlopt_set_location(MlirOperation op, MlirLocation location);
void mlopt_set_argument_location(MlirValue argument, MlirLocation location);
/// Finds the text from which the modules of a context were parsed, and its name in locations. Returns false if it is
/// not known.
bool mlopt_source(MlirContext context, MlirStringRef *name, MlirStringRef *text);

//===-- C++ calls Rust ------------------------------------------------------------------------------------------===//

// Hidden, so that a shared library that contains the compiler does not export them.
#pragma GCC visibility push(hidden)
bool mlopt_rust_verify(MlirOperation op);
/// Verifies symbols; `tables` is a `SymbolTableCollection`.
bool mlopt_rust_verify_symbols(MlirOperation op, void *tables);
bool mlopt_rust_verify_attribute(MlirOperation op, MlirStringRef name, MlirAttribute value);
/// Verifies an attribute of the argument or result (`kind`) with this number of a function.
bool mlopt_rust_verify_argument_attribute(MlirOperation op, MlirStringRef kind, uint32_t number, MlirStringRef name);
/// Returns the error in the encoding of a tensor of this shape, or null if it is valid.
const char *mlopt_rust_verify_encoding(const int64_t *shape, intptr_t rank, MlirAttribute encoding);
/// Runs a pass; `values` holds one text per option, in the order of `MloptPass::options`.
bool mlopt_rust_run_pass(const void *self, MlirOperation op, const MlirStringRef *values, intptr_t numValues);
#pragma GCC visibility pop
}

#endif // MLOPT_BRIDGE_H
