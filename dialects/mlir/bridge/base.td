// What every dialect of ours shares: verifiers written in Rust, and the types that values may have.
#ifndef MLOPT_BASE_TD
#define MLOPT_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

/// The scalar kinds of the array language (`spec/arrays.md` A.1).
def Mlopt_Scalar : AnyTypeOf<[F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index],
                             "scalar (f16, bf16, f32, f64, i1, i8, i16, i32, i64 or index)">;
def Mlopt_Float : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def Mlopt_Array : RankedTensorOf<[F16, BF16, F32, F64, I1, I8, I16, I32, I64, Index]>;
/// A value of the array language: a scalar, or a ranked tensor of scalars with static or run-time sizes.
def Mlopt_Value : AnyTypeOf<[Mlopt_Scalar, Mlopt_Array], "scalar or ranked tensor">;

/// An op whose constraints, numbered (C1), (C2)… in its description, are checked by `verify.rs` of its dialect.
class Mlopt_Op<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, !listconcat([DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames", "getAsmBlockArgumentNames"]>], traits)> {
  let hasVerifier = 1;
  code verifier = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::mlopt::verify(getOperation()); }
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn suggest) {
      ::mlopt::suggestResultNames(getOperation(), suggest);
    }
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region, ::mlir::OpAsmSetValueNameFn suggest) {
      ::mlopt::suggestArgumentNames(region, suggest);
    }
  }];
  let extraClassDefinition = verifier;
}

/// As above, for ops that name symbols: those are checked when the symbol table's op is verified.
class Mlopt_SymbolUserOp<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Mlopt_Op<dialect, mnemonic, !listconcat([DeclareOpInterfaceMethods<SymbolUserOpInterface>], traits)> {
  let extraClassDefinition = verifier # [{
    ::llvm::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &tables) {
      return ::mlopt::verifySymbolUses(getOperation(), tables);
    }
  }];
}

#endif // MLOPT_BASE_TD
