// The functional array language (spec/arrays.md A): total, pure, strict; regions with block arguments are its lambdas.
#ifndef MLOPT_ARRAY_TD
#define MLOPT_ARRAY_TD

include "bridge/base.td"

def Array_Dialect : Dialect {
  let name = "array";
  let cppNamespace = "::mlopt::array";
  let summary = "Functional arrays: build, ifold, total indexing, reductions";
  let description = [{
    Values are scalars and ranked tensors; tuples are several results (structure of arrays).
    Every op is pure and total: a read outside an array gives zero, so that nothing traps and everything may be moved.
    `arith` and `math` ops are used as they are, elementwise on tensors.
  }];
}

class Array_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Array_Dialect, mnemonic, traits>;

def Array_BuildOp : Array_Op<"build", [Pure, SingleBlock]> {
  let summary = "Arrays from a function of the index";
  let description = [{
    `z[i, j, ...] = body(i, j, ...)` for all indices below the extents.
    The region has one `index` argument for each of the `k` leading dimensions of the results and yields one element
    for each result: a scalar, or an array that becomes the trailing dimensions.
    An extent stands as an integer where the result type is static, as an `index` operand where it is `?`;
    a negative run-time extent counts as zero.
    - (C1) There is at least one result, and every result is an array.
    - (C2) The region has `k` ≥ 1 arguments of type `index`, and every result has at least `k` axes.
    - (C3) All results have the same `k` leading sizes.
    - (C4) There is one extent operand for each `?` among the `k` leading sizes.
    - (C5) The region ends in `array.yield` with one element for each result, of the element type and the trailing
      sizes of that result.
    - (C6) The body has no side effects.
    ```mlir
    %z = array.build (%i < 4, %j < %n) -> (tensor<4x?xindex>) {
      %s = arith.addi %i, %j : index
      array.yield %s : index
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents);
  let results = (outs Variadic<Mlopt_Array>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<IndexSpace>($extents, type($results), $body) attr-dict";
}

def Array_IfoldOp : Array_Op<"ifold", [Pure, SingleBlock,
    TypesMatchWith<"carried values and results have the same types", "results", "inits", "$_self">]> {
  let summary = "Sequential loop with carried values";
  let description = [{
    `s_0 = inits`, `s_{i+1} = body(i, s_i)` for `i` = 0 to `count`-1; the results are `s_count`.
    Strictly sequential; a `count` that is not positive gives `inits`. The sizes of a carried array do not change.
    - (C1) There is at least one carried value.
    - (C2) The region's arguments are the `index` and the carried values, with the types of the results.
    - (C3) The region ends in `array.yield` of the next carried values, with the types of the results.
    - (C4) The body has no side effects.
    ```mlir
    %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
      %x = array.get %v[%i] : tensor<?xf64> -> f64
      %b = arith.addf %a, %x : f64
      array.yield %b : f64
    }
    ```
  }];
  let arguments = (ins Index:$count, Variadic<Mlopt_Value>:$inits);
  let results = (outs Variadic<Mlopt_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<IterSpace>($count, $inits, type($results), $body) attr-dict";
}

def Array_YieldOp : Array_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["BuildOp", "IfoldOp"]>]> {
  let summary = "The value of a region";
  let description = [{
    Ends the region of `array.build` and `array.ifold`; the parent op says what it must yield.
    ```mlir
    %z = array.build (%i < 4) -> (tensor<4xindex>) {
      array.yield %i : index
    }
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Array_GetOp : Array_Op<"get", [Pure]> {
  let summary = "Total indexing of the leading axes";
  let description = [{
    `z = x[i, j, ...]`: the subarray at the given position of the leading axes.
    If any index is negative or not below its extent, `z` is zero (`false` for `i1`), spec/arrays.md A.3.1.
    - (C1) There is at least one index and `x` has at least as many axes as there are indices.
    - (C2) `z` has the element type of `x` and its sizes after the indexed axes.
    ```mlir
    %row = array.get %x[%i] : tensor<4x3xf64> -> tensor<3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, Variadic<Index>:$indices);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x `[` $indices `]` attr-dict `:` type($x) `->` type($z)";
}

def Array_LengthOp : Array_Op<"length", [Pure]> {
  let summary = "Size of one axis";
  let description = [{
    The extent of `axis` (default 0, the outermost).
    - (C1) `x` has more than `axis` axes, and `axis` is not negative.
    ```mlir
    %n = array.length %x axis 1 : tensor<4x?xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Index:$z);
  let assemblyFormat = "$x (`axis` $axis^)? attr-dict `:` type($x)";
}

def Array_SumOp : Array_Op<"sum", [Pure]> {
  let summary = "Sum over the outermost axis";
  let description = [{
    `z[s] = Σ_i x[i, s]`; the order of the additions is free; the empty sum is zero.
    Shapes: `x` (n, s...), `z` (s...); `z` is a scalar when `x` has one axis.
    - (C1) `x` has at least one axis and numeric elements.
    - (C2) `z` is `x` without its first axis.
    ```mlir
    %z = array.sum %x : (tensor<4x3xf64>) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x attr-dict `:` functional-type(operands, results)";
}

def Array_ReplicateOp : Array_Op<"replicate", [Pure]> {
  let summary = "Copies along a new outermost axis";
  let description = [{
    `z[i] = x` for every `i`; `n` is given when the new axis of `z` is `?`, and a negative `n` counts as zero.
    - (C1) `z` is `x` with one more, outermost axis.
    - (C2) `n` is given if and only if that axis is `?`.
    ```mlir
    %z = array.replicate %x : (tensor<3xf64>) -> tensor<4x3xf64>
    %w = array.replicate %x, %n : (tensor<3xf64>) -> tensor<?x3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Value:$x, Optional<Index>:$n);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x (`,` $n^)? attr-dict `:` `(` type($x) `)` `->` type($z)";
}

def Array_TransposeOp : Array_Op<"transpose", [Pure]> {
  let summary = "Permutation of the axes";
  let description = [{
    Axis `j` of `z` is axis `permutation[j]` of `x` (numpy's convention): `z[p(y)] = x[y]`, spec/arrays.md A.2 `tr`.
    - (C1) `permutation` is a permutation of the axes of `x`.
    - (C2) `z` has the element type of `x` and its sizes, permuted.
    ```mlir
    %z = array.transpose %x [1, 0] : tensor<4x3xf64> -> tensor<3x4xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x $permutation attr-dict `:` type($x) `->` type($z)";
}

#endif // MLOPT_ARRAY_TD
