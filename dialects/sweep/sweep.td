// Loop nests with several results: what arrays become on the way to loops, first on values, then on buffers.
#ifndef MLOPT_SWEEP_TD
#define MLOPT_SWEEP_TD

include "bridge/base.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"

def Sweep_Dialect : Dialect {
  let name = "sweep";
  let cppNamespace = "::mlopt::sweep";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let summary = "Loop nests with several results";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let description = [{
    One `sweep.nest` is one loop nest. Before `plan-memory` its arrays are tensors, read by `tensor.extract`; after it
    they are buffers, read and written by `memref.load` and `memref.store` with the destination given from outside.
  }];
}

class Sweep_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Sweep_Dialect, mnemonic, traits>;

def Sweep_FastMath : OptionalAttr<Arith_FastMathAttr>;

def Sweep_NestOp : Sweep_Op<"nest", [SingleBlock, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "Loop nest over a box of indices";
  let description = [{
    Runs the body for all indices `0 ≤ i < extent`; the last index varies fastest. If an extent is not positive, there
    is no iteration. The body yields one value for each result, and `kinds` defines its use: `map` stores it at the
    indices of the iteration (a yielded array is the trailing part). `sum`, `prod`, `max` and `min` reduce it, in any
    order, starting from 0, 1, the least and the greatest number of the type (NaN: unspecified). `fold` carries it to
    the next iteration, starting from its `init`, strictly in order; only elements of an array that are changed by
    `sweep.add` alone may be changed in any order. `fastmath` holds the flags of the ops that combine values in
    reductions. The region's arguments are the indices, then the values carried by the folds. On buffers, `parallel`
    asserts that iterations may run in any order or concurrently, provided that each thread has its own `sweep.private`
    memory and that each `sweep.add` is atomic.
    - (C1) The region has one `index` argument for each extent, then one argument for each fold, of the type of its
      init.
    - (C2) `kinds` has one entry for each result (0 `map`, 1 `sum`, 2 `fold`, 3 `prod`, 4 `max`, 5 `min`), and there is
      one init for each fold.
    - (C3) The region ends in `sweep.yield` with one value for each result, of the result's type. The result of a `map`
      has the element type of the value, and one axis for each extent followed by the axes of the value.
    - (C4) A reduction is a number.

    `contraction` states that the body sums products of two factors, each of which depends on only some of the indices,
    so that tiling the loops for registers is profitable. It does not change the meaning.
    - (C5) A nest with `contraction` has `map` results only, of numbers, and a nest with a `sum` in its body.
    - (C6) A `parallel` nest has no `map` and no `fold`.
    ```mlir
    %c, %s, %f = sweep.nest (%i < %n) fold(%a = %a0) -> (map tensor<?xf64>, sum f64, fold f64) {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %b = arith.mulf %a, %e : f64
      sweep.yield %e, %e, %b : f64, f64, f64
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, Variadic<AnyType>:$inits, DenseI64ArrayAttr:$kinds,
                       Sweep_FastMath:$fastmath, UnitAttr:$contraction, UnitAttr:$parallel);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Nest>($extents, $inits, type($inits), $kinds, type($results), $body) attr-dict";
}

def Sweep_YieldOp : Sweep_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["NestOp"]>]> {
  let summary = "The values of one iteration";
  let description = [{
    Ends the region of `sweep.nest`, whose `kinds` define the use of each value.
    ```mlir
    %z = sweep.nest (%i < %n) -> (map tensor<?xindex>) {
      sweep.yield %i : index
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Sweep_RequireOp : Sweep_Op<"require"> {
  let summary = "A condition on sizes that the caller must satisfy";
  let description = [{
    If `condition` is false, the call fails with `message`. `plan-memory` moves the op to the size function `@f.sizes`,
    so that it is checked before the function runs.
    ```mlir
    sweep.require %same, "operands of 'arith.addf' have different sizes"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

def Sweep_AddOp : Sweep_Op<"add"> {
  let summary = "Addition to one element of an array";
  let description = [{
    On a tensor, `z` is `array` with `value` added at the position. On a buffer, the op changes the element and has no
    result. The position is in range. The iterations of a nest that only adds to its carried arrays may run in any
    order.
    - (C1) `array` is a tensor or a memref of numbers with one axis for each index, and `value` one of its elements.
    - (C2) There is one result, of the type of `array`, if that is a tensor, and none otherwise.
    ```mlir
    %z = sweep.add %v, %a[%i] : f64, tensor<?xf64> -> tensor<?xf64>
    sweep.add %v, %m[%i] : f64, memref<?xf64>
    ```
  }];
  let arguments = (ins AnyType:$value, AnyShaped:$array, Variadic<Index>:$indices);
  let results = (outs Optional<AnyRankedTensor>:$z);
  let assemblyFormat = [{
    $value `,` $array `[` $indices `]` attr-dict `:` type($value) `,` type($array) (`->` type($z)^)?
  }];
}

def Sweep_PutOp : Sweep_Op<"put", [Pure, AllTypesMatch<["array", "z"]>]> {
  let summary = "An array with one element replaced";
  let description = [{
    `z` is `array` with `value` at the position, which is in range. `plan-memory` turns the op into a store, in place if
    the old array is not used afterwards.
    - (C1) `array` is a tensor with one axis for each index, and `value` one of its elements.
    ```mlir
    %z = sweep.put %v, %a[%i] : f64, tensor<?xf64>
    ```
  }];
  let arguments = (ins AnyType:$value, AnyRankedTensor:$array, Variadic<Index>:$indices);
  let results = (outs AnyRankedTensor:$z);
  let assemblyFormat = "$value `,` $array `[` $indices `]` attr-dict `:` type($value) `,` type($array)";
}

def Sweep_ScratchOp : Sweep_Op<"scratch"> {
  let summary = "Scratch memory for the loops of a contraction";
  let description = [{
    Occurs in the body of a nest with `contraction`, after bufferization. The contents of `memory` before and after the
    nest are unspecified.
    - (C1) `memory` has one axis of floating-point numbers.
    - (C2) It is in the body of a nest with `contraction`.
    ```mlir
    sweep.nest (%i < %n, %j < %m) {
      sweep.scratch %panel : memref<?xf64>
      %s = sweep.nest (%k < %l) -> (sum f64) {
        %a = memref.load %x[%i, %k] : memref<?x?xf64>
        %b = memref.load %y[%k, %j] : memref<?x?xf64>
        %p = arith.mulf %a, %b : f64
        sweep.yield %p : f64
      }
      memref.store %s, %z[%i, %j] : memref<?x?xf64>
      sweep.yield
    } {contraction}
    ```
  }];
  let arguments = (ins AnyMemRef:$memory);
  let assemblyFormat = "$memory attr-dict `:` type($memory)";
}

def Sweep_JoinOp : Sweep_Op<"join", [Pure, AttrSizedOperandSegments]> {
  let summary = "Concatenation of parts";
  let description = [{
    The rows of the parts, in order: a part with as many axes as `z` gives its rows, a part with one axis less (or a
    scalar) is one row. There is one extent in `sizes` for each `?` in the type of `z`. After `plan-memory` each part is
    computed directly in its slice of the memory of `z`.
    - (C1) There is at least one part; each has the element type of `z`, and its sizes after the outermost axis where
      both are known.
    - (C2) There is one extent for each `?` in the type of `z`.
    ```mlir
    %z = sweep.join %x, %row sizes(%n) : (tensor<?x3xf64>, tensor<3xf64>) -> tensor<?x3xf64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$parts, Variadic<Index>:$sizes);
  let results = (outs AnyRankedTensor:$z);
  let assemblyFormat = [{
    $parts (`sizes` `(` $sizes^ `)`)? attr-dict `:` `(` type($parts) `)` `->` type($z)
  }];
}

def Sweep_ReshapeOp : Sweep_Op<"reshape", [Pure]> {
  let summary = "The same memory with other sizes";
  let description = [{
    `array.reshape` of a stored array, without computation. There is one extent in `sizes` for each `?` in the type of
    `z`; the number of elements is the same. With equal types the op states the sizes of an array with a dynamic type.
    - (C1) `x` and `z` have the same element type.
    - (C2) There is one extent for each `?` in the type of `z`.
    ```mlir
    %z = sweep.reshape %x sizes(%n) : tensor<4x3xf64> -> tensor<?x6xf64>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$x, Variadic<Index>:$sizes);
  let results = (outs AnyRankedTensor:$z);
  let assemblyFormat = "$x (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($x) `->` type($z)";
}

def Sweep_PrivateOp : Sweep_Op<"private", [Pure]> {
  let summary = "Memory for an array of one iteration";
  let description = [{
    In the body of a nest: an array at byte `start` of `base`, like `memref.view`, that one iteration writes and reads.
    If the nest is `parallel`, up to `copies` threads may run it at the same time: thread `t` has the array at
    `start + t * stride`. Run by one thread, it is the array at `start`.
    - (C1) `base` is a `memref<?xi8>`, and `z` a contiguous memref.
    - (C2) There is one extent in `sizes` for each `?` in the type of `z`.
    ```mlir
    %row = sweep.private %arena[%start] stride(%bytes) copies(%threads) sizes(%n) : memref<?xi8> -> memref<?xf64>
    ```
  }];
  let arguments = (ins AnyMemRef:$base, Index:$start, Index:$stride, Index:$copies, Variadic<Index>:$sizes);
  let results = (outs AnyMemRef:$z);
  let assemblyFormat = [{
    $base `[` $start `]` `stride` `(` $stride `)` `copies` `(` $copies `)` (`sizes` `(` $sizes^ `)`)? attr-dict `:`
    type($base) `->` type($z)
  }];
}

#endif // MLOPT_SWEEP_TD
