// Differentiation as a program: requests for derivatives, and the structural zero and one that derivatives are made of.
#ifndef MLOPT_DUAL_TD
#define MLOPT_DUAL_TD

include "bridge/base.td"

def Dual_Dialect : Dialect {
  let name = "dual";
  let cppNamespace = "::mlopt::dual";
  let summary = "Requests for derivatives; structural zeros and ones";
  let description = [{
    A request names a function and the point: `%g = dual.grad @f(%x) wrt [0]`. It is a value like any other, so requests
    compose and nest; the pass `jvp` replaces each by code. `dual.zero` and `dual.one` are the constants that
    differentiation creates: they absorb and vanish exactly (spec/arrays.md E.0), which a user's `0.0` does not.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Dual_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Dual_Dialect, mnemonic, traits>;
class Dual_Request<string mnemonic, list<Trait> traits = []>
    : Mlopt_SymbolUserOp<Dual_Dialect, mnemonic, !listconcat([Pure], traits)>;

//===-- structural constants ------------------------------------------------------------------------------------===//

class Dual_ConstantAttr<string name, string mnemonic_, string text> : AttrDef<Dual_Dialect, name, [TypedAttrInterface]> {
  let mnemonic = mnemonic_;
  let summary = text;
  let parameters = (ins AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "";
}
def Dual_ZeroAttr : Dual_ConstantAttr<"Zero", "zero", "The structural zero, as a constant">;
def Dual_OneAttr : Dual_ConstantAttr<"One", "one", "The structural one, as a constant">;

def Dual_Tangent : AnyTypeOf<[F32, F64, StaticShapeTensorOf<[F32, F64]>],
                             "f32, f64, or a static tensor of these">;

class Dual_ConstantOp<string mnemonic, string attr> : Dual_Op<mnemonic, [Pure, ConstantLike]> {
  let results = (outs Dual_Tangent:$z);
  let assemblyFormat = "attr-dict `:` type($z)";
  let hasFolder = 1;
  let extraClassDefinition = verifier # [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return }] # attr # [{::get(getContext(), getType()); }
  }];
}

def Dual_ZeroOp : Dual_ConstantOp<"zero", "ZeroAttr"> {
  let summary = "The structural zero: an absent dependency";
  let description = [{
    Has the value 0, and `0 · e = 0`, `0 + e = e`, `-0 = 0`, `0 / e = 0` hold exactly, whatever `e` is: the zero says
    that the tangent does not depend on the input (spec/arrays.md E.0). A user's `arith.constant 0.0` never absorbs.
    ```mlir
    %z = dual.zero : tensor<3xf64>
    ```
  }];
}

def Dual_OneOp : Dual_ConstantOp<"one", "OneAttr"> {
  let summary = "The structural one: the seed of a derivative";
  let description = [{
    Has the value 1, and `1 · e = e` holds exactly (spec/arrays.md E.0).
    ```mlir
    %o = dual.one : f64
    ```
  }];
}

//===-- requests ------------------------------------------------------------------------------------------------===//

def Dual_JvpOp : Dual_Request<"jvp", [AttrSizedOperandSegments]> {
  let summary = "Values of a function and their tangents in one direction";
  let description = [{
    For `f : x → y`: the results of `f` at `inputs`, then for each result that is a float its derivative along
    `tangents`. `wrt` lists the positions of the arguments that carry a tangent (default: every float argument);
    the others are constant.
    - (C1) `callee` is a `func.func` with a body, and `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) `tangents` have the types of the arguments in `wrt`.
    - (C4) The results are those of `callee`, then the float results once more.
    ```mlir
    func.func @f(%x: f64, %w: f64) -> f64 {
      %y = arith.mulf %x, %w : f64
      return %y : f64
    }
    %y, %y_t = dual.jvp @f(%x, %w) tangents(%x_t) wrt [0] : (f64, f64, f64) -> (f64, f64)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Mlopt_Value>:$inputs, Variadic<Mlopt_Value>:$tangents,
                       OptionalAttr<DenseI64ArrayAttr>:$wrt);
  let results = (outs Variadic<Mlopt_Value>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` `tangents` `(` $tangents `)` (`wrt` $wrt^)? attr-dict `:` functional-type(operands, results)
  }];
}

class Dual_DerivativeOp<string mnemonic> : Dual_Request<mnemonic> {
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Mlopt_Value>:$inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$wrt);
  let results = (outs Variadic<Mlopt_Value>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`wrt` $wrt^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Dual_GradOp : Dual_DerivativeOp<"grad"> {
  let summary = "Gradient of a scalar function";
  let description = [{
    One result for each argument in `wrt` (default: every float argument), with the type of that argument:
    `g[i...] = ∂f/∂x[i...]`.
    - (C1) `callee` is a `func.func` with a body, and `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) `callee` has one result, a float scalar.
    - (C4) The results have the types of the arguments in `wrt`.
    ```mlir
    func.func @f(%w: tensor<3xf64>, %x: tensor<3xf64>) -> f64 {
      %products = arith.mulf %w, %x : tensor<3xf64>
      %y = array.sum %products : (tensor<3xf64>) -> f64
      return %y : f64
    }
    %g = dual.grad @f(%w, %x) wrt [0] : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    ```
  }];
}

def Dual_JacobianOp : Dual_DerivativeOp<"jacobian"> {
  let summary = "Jacobian of a function";
  let description = [{
    One result for each argument in `wrt` (default: every float argument): `J[out..., in...] = ∂f[out...]/∂x[in...]`.
    - (C1) `callee` is a `func.func` with a body, and `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) `callee` has one result, a float scalar or array.
    - (C4) Result `k` has the sizes of the result of `callee`, then those of the argument `wrt[k]`.
    ```mlir
    func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
      %y = arith.mulf %x, %x : tensor<3xf64>
      return %y : tensor<3xf64>
    }
    %j = dual.jacobian @f(%x) wrt [0] : (tensor<3xf64>) -> tensor<3x3xf64>
    ```
  }];
}

#endif // MLOPT_DUAL_TD
