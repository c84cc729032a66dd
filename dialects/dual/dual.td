// Differentiation as a program: requests for derivatives, and the structural zero and one that derivatives are made of.
#ifndef MLOPT_DUAL_TD
#define MLOPT_DUAL_TD

include "bridge/base.td"
include "mlir/IR/EnumAttr.td"

def Dual_Dialect : Dialect {
  let name = "dual";
  let cppNamespace = "::mlopt::dual";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let summary = "Requests for derivatives; structural zeros and ones";
  let description = [{
    A request names a function and the point: `%g = dual.grad @f(%x) wrt [0]`. It is a value like any other, so requests
    compose and nest; the pass `jvp` and the pipeline `vjp` replace each by code. `dual.zero` and `dual.one` are the
    constants that differentiation creates. They are exactly absorbing and neutral (spec/arrays.md E.0), which a user's
    `0.0` is not. `dual.linear` is the tangent part of a dual number in reverse mode: the derivative at a point, as a
    linear map in code. `dual.transpose` applies its transpose (spec/arrays.md C.2 to C.4).

    The function of a request is a symbol or a region. The region may use values that are defined outside it; these are
    constant with respect to differentiation:
    ```mlir
    %g = dual.grad (%a = %x : f64) {
      %y = arith.mulf %a, %w : f64
      dual.yield %y : f64
    } : (f64) -> f64
    ```

    A function may have a user-defined derivative: an attribute of its `func.func` names it. For
    `@f : (x...) -> (y...)`, with tangents and cotangents of floats only:
    - (R1) `dual.jvp` and `dual.vjp` are attributes of a `func.func` and name another one, with a body.
    - (R2) The function that `dual.jvp` names is of type (x..., tangents of x...) to (y..., tangents of y...); its
      tangents are linear in those that it takes.
    - (R3) The function that `dual.vjp` names is of type (x..., cotangents of y...) to (y..., cotangents of x...); its
      cotangents are linear in those that it takes.
    ```mlir
    func.func @f(%x: f64) -> f64 attributes {dual.jvp = @f_jvp} {
      %y = math.sin %x : f64
      return %y : f64
    }
    func.func @f_jvp(%x: f64, %x_t: f64) -> (f64, f64) {
      %y = math.sin %x : f64
      %c = math.cos %x : f64
      %y_t = arith.mulf %c, %x_t : f64
      return %y, %y_t : f64, f64
    }
    ```
    Forward mode takes `dual.jvp`, or transposes `dual.vjp`; reverse mode takes `dual.vjp`, or transposes `dual.jvp`.
    For derivatives of higher order the code of the rule is differentiated.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Dual_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Dual_Dialect, mnemonic, traits>;
/// The function is `callee`, or else `body`.
class Dual_Request<string mnemonic, list<Trait> traits = []>
    : Mlopt_SymbolUserOp<Dual_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let results = (outs Variadic<Mlopt_Value>:$results);
  let regions = (region MaxSizedRegion<1>:$body);
}
/// A request in a direction for each float that varies.
class Dual_Directed<string mnemonic, string directions> : Dual_Request<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$callee, Variadic<Mlopt_Value>:$inputs,
                       Variadic<Mlopt_Value>:$directions, OptionalAttr<DenseI64ArrayAttr>:$wrt);
  let assemblyFormat = "custom<Function>($callee, $inputs, $body) `" # directions # [{` `(` $directions `)`
    (`wrt` $wrt^)? attr-dict `:` functional-type(operands, results)
  }];
}

//===-- structural constants ------------------------------------------------------------------------------------===//

class Dual_ConstantAttr<string name, string mnemonic_, string text> : AttrDef<Dual_Dialect, name, [TypedAttrInterface]> {
  let mnemonic = mnemonic_;
  let summary = text;
  let parameters = (ins AttributeSelfTypeParameter<"">:$type);
  let assemblyFormat = "";
}
def Dual_ZeroAttr : Dual_ConstantAttr<"Zero", "zero", "The structural zero, as a constant">;
def Dual_OneAttr : Dual_ConstantAttr<"One", "one", "The structural one, as a constant">;

def Dual_Tangent : AnyTypeOf<[F16, BF16, F32, F64, StaticShapeTensorOf<[F16, BF16, F32, F64]>],
                             "f16, bf16, f32, f64, or a static tensor of these">;

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
    Has the value 0, and `0 · e = 0`, `0 + e = e`, `-0 = 0`, `0 / e = 0` hold exactly for every `e`: the zero states
    that the tangent does not depend on the input (spec/arrays.md E.0). A user's `arith.constant 0.0` is never
    absorbing.
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

def Dual_StopGradientOp : Dual_Op<"stop_gradient", [Pure, AllTypesMatch<["x", "z"]>]> {
  let summary = "A value that is constant with respect to differentiation";
  let description = [{
    `z = x`, and the derivative of `z` is zero.
    ```mlir
    %c = dual.stop_gradient %x : tensor<3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Value:$x);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

//===-- linear maps ---------------------------------------------------------------------------------------------===//

def Dual_DeltaType : TypeDef<Dual_Dialect, "Delta"> {
  let mnemonic = "delta";
  let summary = "A linear map from tangents of inputs to tangents of results";
  let parameters = (ins "::mlir::FunctionType":$map);
  let assemblyFormat = "`<` $map `>`";
}

def Dual_LinearOp : Dual_Op<"linear", [Pure, SingleBlock]> {
  let summary = "The derivative of a function at a point, as a linear map";
  let description = [{
    The region takes a tangent for each of `points`, of its type and sizes, and yields tangents of results. It is linear
    in its arguments: values that depend on them are operands of linear maps only (spec/arrays.md C.2, here ops of
    `array` and `arith`). All other values in the region are computed from values that are defined outside it.
    - (C1) The region's arguments have the types of `points`, and those are floats.
    - (C2) The region ends in `dual.yield` of floats, and the type of `delta` is that of the map.
    ```mlir
    %d = dual.linear (%x_t = %x : f64) {
      %y_t = arith.mulf %w, %x_t : f64
      dual.yield %y_t : f64
    } : !dual.delta<(f64) -> f64>
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Value>:$points);
  let results = (outs Dual_DeltaType:$delta);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Points>($points, type($points), $body) attr-dict `:` type($delta)";
}

def Dual_TransposeOp : Dual_Op<"transpose", [Pure]> {
  let summary = "Application of the transpose of a linear map";
  let description = [{
    The cotangents of the inputs of `delta` for the given cotangents of its results: `Jᵀ · cotangents`.
    - (C1) `cotangents` have the types of the results of `delta`, and the results those of its inputs.
    ```mlir
    %x_ct = dual.transpose %d(%y_ct) : (!dual.delta<(tensor<3xf64>) -> f64>, f64) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins Dual_DeltaType:$delta, Variadic<Mlopt_Value>:$cotangents);
  let results = (outs Variadic<Mlopt_Value>:$results);
  let assemblyFormat = "$delta `(` $cotangents `)` attr-dict `:` functional-type(operands, results)";
}

def Dual_YieldOp : Dual_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["LinearOp", "JvpOp", "VjpOp", "HvpOp",
    "GradOp", "ValueAndGradOp", "JacobianOp", "HessianOp"]>]> {
  let summary = "The results of a linear map, or of the function of a request";
  let description = [{
    Ends the region of `dual.linear` or of a request.
    ```mlir
    %d = dual.linear (%x_t = %x : f64) {
      dual.yield %x_t : f64
    } : !dual.delta<(f64) -> f64>
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

//===-- requests ------------------------------------------------------------------------------------------------===//

def Dual_JvpOp : Dual_Directed<"jvp", "tangents"> {
  let summary = "Values of a function and their tangents in one direction";
  let description = [{
    For `f : x → y`: the results of `f` at `inputs`, then for each result that is a float its derivative along
    `tangents`. `wrt` lists the positions of the arguments that carry a tangent (default: every float argument);
    the others are constant.
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) `tangents` have the types of the arguments in `wrt`.
    - (C4) The results are those of the function, then the float results once more.
    ```mlir
    func.func @f(%x: f64, %w: f64) -> f64 {
      %y = arith.mulf %x, %w : f64
      return %y : f64
    }
    %y, %y_t = dual.jvp @f(%x, %w) tangents(%x_t) wrt [0] : (f64, f64, f64) -> (f64, f64)
    ```
  }];
}

def Dual_VjpOp : Dual_Directed<"vjp", "cotangents"> {
  let summary = "Values of a function and the cotangents of its inputs for cotangents of its results";
  let description = [{
    For `f : x → y`: the results of `f` at `inputs`, then for each argument in `wrt` the cotangent `Jᵀ · cotangents`:
    reverse mode (spec/arrays.md C.4c). `wrt` lists positions of arguments (default: every float argument).
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) `cotangents` have the types of the float results of the function.
    - (C4) The results are those of the function, then one for each argument in `wrt`, of its type.
    ```mlir
    func.func @f(%x: f64, %w: f64) -> f64 {
      %y = arith.mulf %x, %w : f64
      return %y : f64
    }
    %y, %x_ct = dual.vjp @f(%x, %w) cotangents(%y_ct) wrt [0] : (f64, f64, f64) -> (f64, f64)
    ```
  }];
}

def Dual_HvpOp : Dual_Directed<"hvp", "tangents"> {
  let summary = "Hessian of a scalar function times a vector";
  let description = [{
    `H · tangents`, for the Hessian `H` of the function at `inputs`: the derivative of its gradient along `tangents`,
    without ever forming `H` (forward over reverse).
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) The function has one result, a float scalar.
    - (C4) `tangents` and the results have the types of the arguments in `wrt`.
    ```mlir
    func.func @f(%x: f64) -> f64 {
      %y = arith.mulf %x, %x : f64
      return %y : f64
    }
    %h = dual.hvp @f(%x) tangents(%x_t) : (f64, f64) -> f64
    ```
  }];
}

def Dual_ModeAttr : I32EnumAttr<"Mode", "How a derivative is computed", [
    I32EnumAttrCase<"Forward", 0, "forward">, I32EnumAttrCase<"Reverse", 1, "reverse">,
    I32EnumAttrCase<"Auto", 2, "auto">]> {
  let cppNamespace = "::mlopt::dual";
}

class Dual_DerivativeOp<string mnemonic> : Dual_Request<mnemonic> {
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$callee, Variadic<Mlopt_Value>:$inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$wrt, OptionalAttr<Dual_ModeAttr>:$mode);
  let assemblyFormat = [{
    custom<Function>($callee, $inputs, $body) (`wrt` $wrt^)? (`mode` $mode^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Dual_GradOp : Dual_DerivativeOp<"grad"> {
  let summary = "Gradient of a scalar function";
  let description = [{
    One result for each argument in `wrt` (default: every float argument), with the type of that argument: `g[i...] =
    ∂f/∂x[i...]`. `mode` is `forward` (one direction at a time, to be simplified by `egg-optimize`), `reverse` (all
    directions at once, at a small multiple of the cost of `f`) or `auto` (the mode with less estimated work; a remark
    reports it). Without `mode`, the pass `differentiate` chooses as for `auto`, without a remark, and `jvp` and the
    pipeline `vjp` use their own mode.
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) The function has one result, a float scalar.
    - (C4) The results have the types of the arguments in `wrt`.
    ```mlir
    func.func @f(%w: tensor<3xf64>, %x: tensor<3xf64>) -> f64 {
      %products = arith.mulf %w, %x : tensor<3xf64>
      %y = array.sum %products : (tensor<3xf64>) -> f64
      return %y : f64
    }
    %g = dual.grad @f(%w, %x) wrt [0] mode reverse : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    ```
  }];
}

def Dual_ValueAndGradOp : Dual_DerivativeOp<"value_and_grad"> {
  let summary = "Value and gradient of a scalar function";
  let description = [{
    The value of the function, then its gradient as by `dual.grad`.
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) The function has one result, a float scalar.
    - (C4) The results are that of the function, then one for each argument in `wrt`, of its type.
    ```mlir
    func.func @f(%x: f64) -> f64 {
      %y = arith.mulf %x, %x : f64
      return %y : f64
    }
    %y, %g = dual.value_and_grad @f(%x) mode reverse : (f64) -> (f64, f64)
    ```
  }];
}

def Dual_JacobianOp : Dual_DerivativeOp<"jacobian"> {
  let summary = "Jacobian of a function";
  let description = [{
    For each result of the function, one result for each argument in `wrt` (default: every float argument):
    `J[out..., in...] = ∂f[out...]/∂x[in...]`. `mode` as in `dual.grad`.
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) The function has results, and they are floats.
    - (C4) The results are ordered by result of the function, then by argument in `wrt`. Each has the sizes of that
      result followed by the sizes of that argument.
    ```mlir
    func.func @f(%x: tensor<3xf64>) -> tensor<3xf64> {
      %y = arith.mulf %x, %x : tensor<3xf64>
      return %y : tensor<3xf64>
    }
    %j = dual.jacobian @f(%x) wrt [0] : (tensor<3xf64>) -> tensor<3x3xf64>
    ```
  }];
}

def Dual_HessianOp : Dual_Request<"hessian"> {
  let summary = "Hessian of a scalar function";
  let description = [{
    For each pair of arguments `x`, `y` in `wrt` (default: every float argument), ordered by `x` first, one result
    `H[i..., j...] = ∂²f/∂x[i...]∂y[j...]`: the gradient in reverse mode, and its Jacobian forward.
    - (C1) The function is `callee`, a `func.func` with a body, or `body`, which ends in `dual.yield`, and not both;
      `inputs` have the types of its arguments.
    - (C2) `wrt` is strictly increasing and names float arguments.
    - (C3) The function has one result, a float scalar.
    - (C4) The result of a pair has the sizes of its first argument, then those of its second.
    ```mlir
    func.func @f(%x: f64, %y: f64) -> f64 {
      %z = arith.mulf %x, %y : f64
      return %z : f64
    }
    %xx, %xy, %yx, %yy = dual.hessian @f(%x, %y) : (f64, f64) -> (f64, f64, f64, f64)
    ```
  }];
  let arguments = (ins OptionalAttr<FlatSymbolRefAttr>:$callee, Variadic<Mlopt_Value>:$inputs,
                       OptionalAttr<DenseI64ArrayAttr>:$wrt);
  let assemblyFormat = [{
    custom<Function>($callee, $inputs, $body) (`wrt` $wrt^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MLOPT_DUAL_TD
