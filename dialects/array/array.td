// The functional array language (spec/arrays.md A): total, pure, strict; regions with block arguments are its lambdas.
#ifndef MLOPT_ARRAY_TD
#define MLOPT_ARRAY_TD

include "bridge/base.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"

def Array_Dialect : Dialect {
  let name = "array";
  let cppNamespace = "::mlopt::array";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let summary = "Functional arrays: loops with values, total indexing, bulk operations, reductions";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let description = [{
    Values are scalars and ranked tensors; tuples are several results (structure of arrays).
    Every op is pure and total: a read outside an array gives zero, so no op traps and every op may be moved.
    The exception is `array.check`, which stops a program with an error. Front ends of other languages create it.
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
    An extent is written as an integer if the size in the result type is static, and as an `index` operand if it is
    `?`. A negative run-time extent counts as zero.
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
    The loop is strictly sequential. If `count` is not positive, the results are `inits`. The sizes of a carried array
    do not change.
    - (C1) There is at least one carried value.
    - (C2) The region's arguments are the `index` and the carried values, with the types of the results.
    - (C3) The region ends in `array.yield` of the next carried values, with the types of the results.
    - (C4) The body has no side effects.
    ```mlir
    %s = array.ifold (%i < %n) iter_args(%a = %zero) -> (f64) {
      %x = array.get %v[%i] : (tensor<?xf64>) -> f64
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

def Array_FoldOp : Array_Op<"fold", [Pure, SingleBlock, AttrSizedOperandSegments]> {
  let summary = "Sequential loop over the rows of arrays";
  let description = [{
    `s_0 = inits`, `s_{i+1} = body(xs[i]..., s_i)`; the results are `s_n`, where `n` is the size of the outermost axis
    of the arrays. Strictly sequential. The sizes of a carried array do not change.
    - (C1) There is at least one array and at least one carried value; all arrays have the same outermost size.
    - (C2) The region's arguments are one row of each array, then the carried values, with the types of the results.
    - (C3) The region ends in `array.yield` of the next carried values, with the types of the results.
    - (C4) The body has no side effects.
    - (C5) The results have the types of the inits.
    ```mlir
    %s = array.fold (%x = %xs : tensor<?xf64>) iter_args(%a = %zero) -> (f64) {
      %b = arith.addf %a, %x : f64
      array.yield %b : f64
    }
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Array>:$arrays, Variadic<Mlopt_Value>:$inits);
  let results = (outs Variadic<Mlopt_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<RowSpace>($arrays, type($arrays), $inits, type($inits), type($results), $body) attr-dict";
}

def Array_MapAccumOp : Array_Op<"map_accum", [Pure, SingleBlock, AttrSizedOperandSegments]> {
  let summary = "Sequential loop over the rows of arrays that also emits rows";
  let description = [{
    As `array.fold`, but the body yields, after the next carried values, one row for each further result. That result
    holds the rows of all iterations: `s_{i+1}, e_i = body(xs[i]..., s_i)`, with results `s_n..., e...`.
    - (C1) There is at least one array. All arrays and all emitted results have the same outermost size.
    - (C2) The region's arguments are one row of each array, then the carried values, with the types of the inits.
    - (C3) The region ends in `array.yield` of the next carried values and one row for each emitted result.
    - (C4) The body has no side effects.
    - (C5) The first results have the types of the inits.
    ```mlir
    %last, %sums = array.map_accum (%x = %xs : tensor<?xf64>) iter_args(%a = %zero) -> (f64, tensor<?xf64>) {
      %b = arith.addf %a, %x : f64
      array.yield %b, %b : f64, f64
    }
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Array>:$arrays, Variadic<Mlopt_Value>:$inits);
  let results = (outs Variadic<Mlopt_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<RowSpace>($arrays, type($arrays), $inits, type($inits), type($results), $body) attr-dict";
}

def Array_YieldOp : Array_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["BuildOp", "IfoldOp", "FoldOp", "MapAccumOp", "GatherOp", "ScatterOp"]>]> {
  let summary = "The value of a region";
  let description = [{
    Ends the region of `array.build`, `array.ifold`, `array.gather` and similar ops. The parent op defines the values
    that it must yield.
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
    %row = array.get %x[%i] : (tensor<4x3xf64>) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, Variadic<Index>:$indices);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x `[` $indices `]` attr-dict `:` custom<TypeOfCall>(type($x), type($z))";
}

def Array_GatherOp : Array_Op<"gather", [Pure, SingleBlock]> {
  let summary = "Reads at computed positions, in bulk";
  let description = [{
    `z[i...] = x[e(i...)...]` for all indices below the extents: total indexing as by `array.get`, with the positions
    that the region yields. Extents are written as those of `array.build`.
    Shapes: `x` (m..., s...), `z` (n..., s...), one index argument for each of n, one yielded index for each of m.
    - (C1) The region has `k` ≥ 1 arguments of type `index`, and `z` has at least `k` axes.
    - (C2) The region ends in `array.yield` of 1 to rank(`x`) values of type `index`.
    - (C3) `z` has the element type of `x`; after its `k` leading sizes come the sizes of `x` after the indexed axes.
    - (C4) There is one extent operand for each `?` among the `k` leading sizes of `z`.
    - (C5) The body has no side effects.
    ```mlir
    %z = array.gather %x : tensor<4x3xf64> (%i < 2) -> (tensor<2x3xf64>) {
      %j = arith.muli %i, %i : index
      array.yield %j : index
    }
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, Variadic<Index>:$extents);
  let results = (outs Mlopt_Array:$z);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$x `:` type($x) custom<IndexSpaceOfOne>($extents, type($z), $body) attr-dict";
}

def Array_ScatterOp : Array_Op<"scatter", [Pure, SingleBlock, AllTypesMatch<["init", "z"]>]> {
  let summary = "Adds at computed positions, in bulk";
  let description = [{
    `z` is `init` with `x[i...]` added at the position `e(i...)`, for every index of the leading axes of `x`; the
    positions are what the region yields. Contributions outside `init` are dropped, colliding ones are added in any
    order (spec/arrays.md A.3.2 and 3). With a structural zero for `init` it is the transpose of `array.gather`. Shapes:
    `x` (n..., s...), `init` and `z` (m..., s...), one index argument for each of n, one yielded index for each of m.
    - (C1) The region has at most rank(`x`) arguments, of type `index`.
    - (C2) The region ends in `array.yield` of 1 to rank(`init`) values of type `index`.
    - (C3) `x` and `init` have the same numeric element type, and the same sizes after the indexed axes.
    - (C4) The body has no side effects.
    ```mlir
    %z = array.scatter %x into %zeros : tensor<9xf64> into tensor<6xf64> (%i) {
      %bin = array.div %i, %two : index
      array.yield %bin : index
    }
    ```
  }];
  let arguments = (ins Mlopt_Value:$x, Mlopt_Array:$init);
  let results = (outs Mlopt_Array:$z);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$x `into` $init `:` type($x) `into` type($init) custom<Indices>($body) attr-dict";
}

def Array_OneHotOp : Array_Op<"one_hot", [Pure, AttrSizedOperandSegments]> {
  let summary = "An array that is zero except at one position";
  let description = [{
    `z[k...] = x` where `k...` are `indices`, and zero elsewhere; if the position is out of range, `z` is all zero
    (spec/arrays.md A.3.2). There is one extent in `sizes` for each leading axis of `z` that is `?`. A negative extent
    counts as zero.
    - (C1) There is at least one index. `z` has the element type of `x`, one axis for each index, then the axes of `x`.
    - (C2) There is one extent for each `?` among the sizes of those axes.
    ```mlir
    %z = array.one_hot %x at [%i, %j] sizes(%n) : (f64) -> tensor<4x?xf64>
    ```
  }];
  let arguments = (ins Mlopt_Value:$x, Variadic<Index>:$indices, Variadic<Index>:$sizes);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = [{
    $x `at` ` ` `[` $indices `]` (`sizes` `(` $sizes^ `)`)? attr-dict `:` custom<TypeOfCall>(type($x), type($z))
  }];
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

//===-- reductions ----------------------------------------------------------------------------------------------===//

def Array_Axes : DefaultValuedAttr<DenseI64ArrayAttr, "::llvm::ArrayRef<int64_t>(int64_t(0))">;
def Array_FastMath : DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">;

class Array_ReductionOp<string mnemonic> : Array_Op<mnemonic, [Pure]> {
  let arguments = (ins Mlopt_Array:$x, Array_Axes:$axes, Array_FastMath:$fastmath);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = [{
    $x (`axes` $axes^)? (`fastmath` `` $fastmath^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Array_SumOp : Array_ReductionOp<"sum"> {
  let summary = "Sum over axes";
  let description = [{
    `z[s] = Σ_r x[r, s]`, where `r` runs over `axes` (default: the outermost) and `s` over the others, in their order;
    the order of the additions is unspecified (spec/arrays.md A.3.8). The empty sum is zero.
    - (C1) `axes` are strictly increasing axes of `x`, at least one, and its elements are numeric.
    - (C2) `z` is `x` without `axes`, a scalar when none is left.
    ```mlir
    %z = array.sum %x : (tensor<4x3xf64>) -> tensor<3xf64>
    %s = array.sum %x axes [0, 1] fastmath<reassoc> : (tensor<4x3xf64>) -> f64
    ```
  }];
}

def Array_ProdOp : Array_ReductionOp<"prod"> {
  let summary = "Product over axes";
  let description = [{
    `z[s] = Π_r x[r, s]`, in any order; the empty product is one.
    - (C1) `axes` are strictly increasing axes of `x`, at least one, and its elements are numeric.
    - (C2) `z` is `x` without `axes`, a scalar when none is left.
    ```mlir
    %z = array.prod %x : (tensor<4x3xf64>) -> tensor<3xf64>
    ```
  }];
}

def Array_MaxOp : Array_ReductionOp<"max"> {
  let summary = "Maximum over axes";
  let description = [{
    `z[s] = max_r x[r, s]`; the derivative belongs to the first maximum in row-major order (spec/arrays.md A.3.7, A.4).
    The maximum of no elements is the least number of the type (−∞ for floats). NaN: unspecified.
    - (C1) `axes` are strictly increasing axes of `x`, at least one, and its elements are numeric.
    - (C2) `z` is `x` without `axes`, a scalar when none is left.
    ```mlir
    %z = array.max %x : (tensor<4x3xf64>) -> tensor<3xf64>
    ```
  }];
}

def Array_MinOp : Array_ReductionOp<"min"> {
  let summary = "Minimum over axes";
  let description = [{
    `z[s] = min_r x[r, s]`; the derivative belongs to the first minimum in row-major order (spec/arrays.md A.3.7, A.4).
    The minimum of no elements is the greatest number of the type (+∞ for floats). NaN: unspecified.
    - (C1) `axes` are strictly increasing axes of `x`, at least one, and its elements are numeric.
    - (C2) `z` is `x` without `axes`, a scalar when none is left.
    ```mlir
    %z = array.min %x axes [1] : (tensor<4x3xf64>) -> tensor<4xf64>
    ```
  }];
}

class Array_SearchOp<string mnemonic> : Array_Op<mnemonic, [Pure]> {
  let arguments = (ins Mlopt_Array:$x, DefaultValuedAttr<I64Attr, "0">:$axis);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x (`axis` $axis^)? attr-dict `:` functional-type(operands, results)";
}

def Array_ArgmaxOp : Array_SearchOp<"argmax"> {
  let summary = "Index of the maximum along an axis";
  let description = [{
    `z[s]` is the lowest `r` with `x[r, s] = max_r x[r, s]`, where `r` runs over `axis` (default: the outermost); zero
    when the axis is empty. NaN: unspecified.
    - (C1) `axis` is an axis of `x`, and its elements are numeric.
    - (C2) `z` has the sizes of `x` without `axis`, and elements of type `index`.
    ```mlir
    %i = array.argmax %x : (tensor<4xf64>) -> index
    ```
  }];
}

def Array_ArgminOp : Array_SearchOp<"argmin"> {
  let summary = "Index of the minimum along an axis";
  let description = [{
    `z[s]` is the lowest `r` with `x[r, s] = min_r x[r, s]`, where `r` runs over `axis` (default: the outermost); zero
    when the axis is empty. NaN: unspecified.
    - (C1) `axis` is an axis of `x`, and its elements are numeric.
    - (C2) `z` has the sizes of `x` without `axis`, and elements of type `index`.
    ```mlir
    %i = array.argmin %x axis 1 : (tensor<4x3xf64>) -> tensor<4xindex>
    ```
  }];
}

//===-- arrays from arrays --------------------------------------------------------------------------------------===//

def Array_ReplicateOp : Array_Op<"replicate", [Pure]> {
  let summary = "Copies along a new outermost axis";
  let description = [{
    `z[i] = x` for every `i`; `n` is given when the new axis of `z` is `?`, and a negative `n` counts as zero.
    - (C1) `z` is `x` with an additional outermost axis.
    - (C2) `n` is given if and only if that axis is `?`.
    ```mlir
    %z = array.replicate %x : (tensor<3xf64>) -> tensor<4x3xf64>
    %w = array.replicate %x, %n : (tensor<3xf64>) -> tensor<?x3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Value:$x, Optional<Index>:$n);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x (`,` $n^)? attr-dict `:` custom<TypeOfCall>(type($x), type($z))";
}

def Array_TransposeOp : Array_Op<"transpose", [Pure]> {
  let summary = "Permutation of the axes";
  let description = [{
    Axis `j` of `z` is axis `permutation[j]` of `x` (numpy's convention): `z[p(y)] = x[y]`, spec/arrays.md A.2 `tr`.
    - (C1) `permutation` is a permutation of the axes of `x`.
    - (C2) `z` has the element type of `x` and its sizes, permuted.
    ```mlir
    %z = array.transpose %x [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x $permutation attr-dict `:` custom<TypeOfCall>(type($x), type($z))";
}

def Array_ReshapeOp : Array_Op<"reshape", [Pure]> {
  let summary = "The same elements in row-major order with other sizes";
  let description = [{
    There is one extent in `sizes` for each `?` in the type of `z`. A negative extent counts as zero. At run time, sizes
    with another number of elements than `x` are an error.
    - (C1) `x` and `z` have the same element type, and the same number of elements where both are known.
    - (C2) There is one extent for each `?` in the type of `z`.
    ```mlir
    %z = array.reshape %x : (tensor<4x3xf64>) -> tensor<2x6xf64>
    %w = array.reshape %x sizes(%n) : (tensor<4x3xf64>) -> tensor<?x6xf64>
    ```
  }];
  let arguments = (ins Mlopt_Value:$x, Variadic<Index>:$sizes);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x (`sizes` `(` $sizes^ `)`)? attr-dict `:` custom<TypeOfCall>(type($x), type($z))";
}

def Array_StackOp : Array_Op<"stack", [Pure]> {
  let summary = "Array of operands with equal types";
  let description = [{
    `z[k]` is the `k`-th operand: an array literal with computed elements.
    - (C1) There is at least one operand, and all have the same type.
    - (C2) `z` has the type of an operand with a new outermost axis, whose size is the number of operands.
    ```mlir
    %z = array.stack %a, %b : (f64, f64) -> tensor<2xf64>
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Value>:$elements);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$elements attr-dict `:` functional-type(operands, results)";
}

def Array_AppendOp : Array_Op<"append", [Pure]> {
  let summary = "Concatenation along the outermost axis";
  let description = [{
    The rows of `x`, then those of `y`.
    - (C1) `x`, `y` and `z` have the same element type, and rows of the same shape.
    - (C2) The outermost size of `z` is the sum of those of `x` and `y`, `?` when one of them is.
    ```mlir
    %z = array.append %x, %y : (tensor<4x3xf64>, tensor<2x3xf64>) -> tensor<6x3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, Mlopt_Array:$y);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x `,` $y attr-dict `:` functional-type(operands, results)";
}

def Array_SliceOp : Array_Op<"slice", [Pure]> {
  let summary = "A range of rows";
  let description = [{
    `z[i] = x[start + i]` for `i` below the outermost size of `z`, which is `size` when it is `?` (a negative one
    counts as zero); rows outside `x` are zero, as everywhere (spec/arrays.md A.3.1).
    - (C1) `x` and `z` have the same element type, and rows of the same shape.
    - (C2) `size` is given if and only if the outermost axis of `z` is `?`.
    ```mlir
    %z = array.slice %x from %start : (tensor<5x3xf64>) -> tensor<2x3xf64>
    %w = array.slice %x from %start size %n : (tensor<5x3xf64>) -> tensor<?x3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x, Index:$start, Optional<Index>:$size);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x `from` $start (`size` $size^)? attr-dict `:` custom<TypeOfCall>(type($x), type($z))";
}

def Array_ReverseOp : Array_Op<"reverse", [Pure, AllTypesMatch<["x", "z"]>]> {
  let summary = "Rows in reverse order";
  let description = [{
    `z[i] = x[n-1-i]`, where `n` is the outermost size.
    - (C1) `x` has at least one axis.
    ```mlir
    %z = array.reverse %x : tensor<4x3xf64>
    ```
  }];
  let arguments = (ins Mlopt_Array:$x);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "$x attr-dict `:` type($x)";
}

def Array_IotaOp : Array_Op<"iota", [Pure]> {
  let summary = "0, 1, 2, ...";
  let description = [{
    `z[i] = i`; `n` is given when the axis of `z` is `?`, and a negative `n` counts as zero.
    - (C1) `z` has one axis, and elements of type `index`.
    - (C2) `n` is given if and only if that axis is `?`.
    ```mlir
    %z = array.iota : tensor<4xindex>
    %w = array.iota %n : tensor<?xindex>
    ```
  }];
  let arguments = (ins Optional<Index>:$n);
  let results = (outs Mlopt_Array:$z);
  let assemblyFormat = "($n^)? attr-dict `:` type($z)";
}

//===-- total arithmetic ----------------------------------------------------------------------------------------===//

class Array_DivisionOp<string mnemonic> : Array_Op<mnemonic, [Pure, AllTypesMatch<["x", "y", "z"]>]> {
  let arguments = (ins Mlopt_Value:$x, Mlopt_Value:$y);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($x)";
}

def Array_DivOp : Array_DivisionOp<"div"> {
  let summary = "Total integer division, towards -∞";
  let description = [{
    Elementwise `⌊x / y⌋`; `x div 0 = 0`, and the least number divided by -1 wraps to itself (spec/arrays.md A.3.4).
    - (C1) The elements are i8, i16, i32, i64 or index.
    ```mlir
    %z = array.div %x, %y : index
    ```
  }];
}

def Array_ModOp : Array_DivisionOp<"mod"> {
  let summary = "Total remainder, with the sign of the divisor";
  let description = [{
    Elementwise `x - y · (x div y)`; `x mod 0 = x` (spec/arrays.md A.3.4).
    - (C1) The elements are i8, i16, i32, i64 or index.
    ```mlir
    %z = array.mod %x, %y : tensor<4xi64>
    ```
  }];
}

def Array_FloorOp : Array_Op<"floor", [Pure]> {
  let summary = "Floor, as an integer";
  let description = [{
    Elementwise `⌊x⌋` as an integer. A number outside the range of the type saturates, NaN gives 0 (spec/arrays.md
    A.3b). The result may be used as an index.
    - (C1) `x` has float elements, `z` the same sizes and elements of type i8, i16, i32, i64 or index.
    ```mlir
    %i = array.floor %x : (f64) -> index
    ```
  }];
  let arguments = (ins Mlopt_Value:$x);
  let results = (outs Mlopt_Value:$z);
  let assemblyFormat = "$x attr-dict `:` custom<TypeOfCall>(type($x), type($z))";
}

//===-- errors --------------------------------------------------------------------------------------------------===//

def Array_CheckOp : Array_Op<"check"> {
  let summary = "Run-time check that stops the program with an error";
  let description = [{
    If `ok` is false, the program stops with the error `code` at the location of this op. The message is `text`, in
    which each `{}` is replaced by one of `values`. The op has a side effect: it is not moved, and later ops are not
    moved before it. It may be in branches and loops of `scf`, not in the pure loops of this dialect.
    - (C1) `text` has one `{}` for each of `values`, of which there are at most 4.
    ```mlir
    array.check %ok, "index-out-of-bounds", "index {} of extent {}"(%i, %n : i64, i64)
    ```
  }];
  let arguments = (ins I1:$ok, StrAttr:$code, StrAttr:$text, Variadic<AnyTypeOf<[I64, Index]>>:$values);
  let assemblyFormat = "$ok `,` $code `,` $text (`(` $values^ `:` type($values) `)`)? attr-dict";
}

def Array_SameSizeOp : Array_Op<"same_size"> {
  let summary = "Condition that two sizes are equal";
  let description = [{
    If `n` and `m` differ, the program stops with the error `text`. Unlike `array.check`, the op has no place among
    other effects, so compiled code may stop before the function begins. The optimiser adds it where it replaces an op
    whose operands must have equal sizes. It may be in branches and loops of `scf`, not in the pure loops of this
    dialect.
    ```mlir
    array.same_size %n, %m, "operands of 'arith.addf' have different sizes"
    ```
  }];
  let arguments = (ins Index:$n, Index:$m, StrAttr:$text);
  let assemblyFormat = "$n `,` $m `,` $text attr-dict";
}

//===-- functions in bulk ---------------------------------------------------------------------------------------===//

def Array_VmapOp : Mlopt_SymbolUserOp<Array_Dialect, "vmap", [Pure]> {
  let summary = "A function applied along an axis of its arguments";
  let description = [{
    `z[i] = f(x[i]..., w...)`: `in_axes` has one entry for each argument, the axis that is mapped or -1 for an argument
    that is the same in every call (default: axis 0 of every argument). The results are stacked along a new outermost
    axis. The pass `vmap` replaces it by an `array.build` of calls, `bulk-operations` that by bulk operations.
    - (C1) `callee` is a `func.func` with a body, and there is one input for each of its arguments.
    - (C2) `in_axes` has one entry for each argument: -1 or an axis of the input, at least one of them mapped; the
      mapped axes have the same size.
    - (C3) Each input, without its mapped axis, has the type of the argument.
    - (C4) The results are those of `callee` with the mapped size as a new outermost axis.
    ```mlir
    func.func @f(%x: f64, %w: f64) -> f64 {
      %y = arith.mulf %x, %w : f64
      return %y : f64
    }
    %z = array.vmap @f(%xs, %w) in_axes [0, -1] : (tensor<4xf64>, f64) -> tensor<4xf64>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Variadic<Mlopt_Value>:$inputs, OptionalAttr<DenseI64ArrayAttr>:$in_axes);
  let results = (outs Variadic<Mlopt_Array>:$results);
  let assemblyFormat = [{
    $callee `(` $inputs `)` (`in_axes` $in_axes^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MLOPT_ARRAY_TD
