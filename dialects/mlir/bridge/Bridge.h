// The C functions that cross between the C++ of MLIR and the Rust of this project; `lib.rs` and `hooks.rs` are their other half.
#ifndef MLOPT_BRIDGE_H
#define MLOPT_BRIDGE_H

#include "mlir-c/IR.h"

extern "C" {

//===-- Rust calls C++ ------------------------------------------------------------------------------------------===//

enum MloptOptionKind { MLOPT_OPTION_STRING, MLOPT_OPTION_INTEGER, MLOPT_OPTION_BOOL, MLOPT_OPTION_LIST };

struct MloptOption {
  MlirStringRef name, description, initial;
  int32_t kind; // MloptOptionKind
};

/// A pass written in Rust. All that it points to lives as long as the program.
struct MloptPass {
  const void *self; // handed back to `mlopt_rust_run_pass`
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
/// All dialects of MLIR and ours, with their extensions.
void mlopt_register_all_dialects(MlirDialectRegistry registry);
/// All passes of MLIR. Once per process.
void mlopt_register_all_passes();
int32_t mlopt_opt_main(int32_t argc, char **argv, MlirStringRef toolName, MlirStringRef version);
int32_t mlopt_lsp_main(int32_t argc, char **argv);
int32_t mlopt_reduce_main(int32_t argc, char **argv);
/// Checks for a registered pass or pipeline.
bool mlopt_is_pass_name(MlirStringRef name);
bool mlopt_is_pipeline_name(MlirStringRef name);
/// Calls `visit` with the name of every registered pass and pipeline. No command line can be parsed afterwards.
void mlopt_visit_pass_names(void (*visit)(MlirStringRef name, void *data), void *data);
/// Calls `visit` with the name of every 64-bit x86 processor, or of every feature of such processors.
void mlopt_visit_x86_names(bool features, void (*visit)(MlirStringRef name, void *data), void *data);
/// Sets one of LLVM's boolean options, if this LLVM has it.
void mlopt_set_llvm_option(MlirStringRef name, MlirStringRef value);
/// Calls `visit` with the name of every option of a pass or pipeline; false when none of that name is registered.
bool mlopt_visit_option_names(MlirStringRef name, void (*visit)(MlirStringRef option, void *data), void *data);
/// Parses the text between the braces as the options of a pass or pipeline.
bool mlopt_accepts_options(MlirStringRef name, MlirStringRef text);
/// A context with all dialects and the module in `source`, text or bytecode, which errors call `name`; null, after
/// diagnostics on the error stream, when it is not valid.
void *mlopt_program_parse(MlirStringRef source, MlirStringRef name);
MlirOperation mlopt_program_module(void *program);
/// Runs `builtin.module(...)` on the module; false after diagnostics.
bool mlopt_program_run(void *program, MlirStringRef pipeline);
void mlopt_program_free(void *program);
/// From here on crashes of MLIR and LLVM end the process with one diagnostic. Call on the thread that does the work.
void mlopt_install_crash_handler(void);
/// What stands before and after `error: internal error: ` when it crashes.
void mlopt_set_crash_place(MlirStringRef text);
void mlopt_set_crash_cause(MlirStringRef text);
/// From here on the process may take this much processor time, at least a microsecond; then it ends with a diagnostic at the
/// place of crashes.
void mlopt_limit_seconds(double seconds);
/// For the threads that are made later.
void mlopt_set_thread_stack_size(size_t bytes);
/// severity: 0 error, 1 warning, 2 remark.
void mlopt_emit(MlirLocation location, int32_t severity, MlirStringRef text, const MloptNote *notes, intptr_t numNotes);
/// No memory effects of its own and none in its regions, and safe to speculate.
bool mlopt_is_pure(MlirOperation op);
/// The name of a kind of types: `builtin.tuple`.
MlirStringRef mlopt_type_name(MlirType type);
/// Calls `visit` with each type that `type` is made of, and `attribute` with each attribute, in order.
void mlopt_type_parts(MlirType type, void (*visit)(MlirType part, void *data),
                      void (*attribute)(MlirAttribute part, void *data), void *data);
/// `type` made of these types instead of its own, which are as many.
MlirType mlopt_type_of_parts(MlirType type, intptr_t n, const MlirType *parts);
/// Calls `visit` with each integer that an attribute is made of, in the order of its definition: a value of an enum, or the
/// parameters of an attribute of ours. False for attributes that are made of something else.
bool mlopt_attribute_integers(MlirAttribute attribute, void (*visit)(int64_t number, void *data), void *data);
/// The attribute `name`, as in `arith.fastmath`, made of these integers; null if none of that name is made of so many.
MlirAttribute mlopt_attribute_of_integers(MlirContext context, MlirStringRef name, intptr_t n, const int64_t *numbers);
/// A `func.func`.
bool mlopt_is_function(MlirOperation op);
/// No memory effects of its own, or only those of the ops in its regions.
bool mlopt_has_no_own_effects(MlirOperation op);
/// Removes an op, with all that is inside, in time linear in its size.
void mlopt_erase(MlirOperation op);
bool mlopt_is_registered(MlirOperation op);
/// Calls `visit` with the names of the discardable attributes that an op has, or of the inherent ones that it may have.
void mlopt_visit_attribute_names(MlirOperation op, bool discardable, void (*visit)(MlirStringRef name, void *data),
                                 void *data);
/// The symbol `name` of `table`, or null; `tables` is a `SymbolTableCollection`.
MlirOperation mlopt_symbol(void *tables, MlirOperation table, MlirStringRef name);
void mlopt_set_operands(MlirOperation op, intptr_t n, const MlirValue *operands);
/// The name around a location, or nothing; and the location without it.
MlirStringRef mlopt_location_name(MlirLocation location);
MlirLocation mlopt_location_unnamed(MlirLocation location);
/// The first place in a file that a location holds; false when it holds none.
bool mlopt_location_place(MlirLocation location, MlirStringRef *file, uint32_t *line, uint32_t *column);
/// Where an op's result is computed, or a block's argument is declared.
MlirLocation mlopt_value_location(MlirValue value);
void mlopt_set_location(MlirOperation op, MlirLocation location);
void mlopt_set_argument_location(MlirValue argument, MlirLocation location);
/// The text that the modules of a context were parsed from, and how locations call it; false when it is not known.
bool mlopt_source(MlirContext context, MlirStringRef *name, MlirStringRef *text);

//===-- C++ calls Rust ------------------------------------------------------------------------------------------===//

bool mlopt_rust_verify(MlirOperation op);
/// `tables` is a `SymbolTableCollection`.
bool mlopt_rust_verify_symbols(MlirOperation op, void *tables);
bool mlopt_rust_verify_attribute(MlirOperation op, MlirStringRef name, MlirAttribute value);
/// An attribute on the argument or result (`kind`) of this number of a function.
bool mlopt_rust_verify_argument_attribute(MlirOperation op, MlirStringRef kind, uint32_t number, MlirStringRef name);
/// What is wrong with the encoding of a tensor of this shape; null if nothing is.
const char *mlopt_rust_verify_encoding(const int64_t *shape, intptr_t rank, MlirAttribute encoding);
/// `values` holds one text per option, in the order of `MloptPass::options`.
bool mlopt_rust_run_pass(const void *self, MlirOperation op, const MlirStringRef *values, intptr_t numValues);
}

#endif // MLOPT_BRIDGE_H
