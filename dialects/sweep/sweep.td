// Loop nests with several results: what arrays become on the way to loops, first on values, then on buffers.
#ifndef MLOPT_SWEEP_TD
#define MLOPT_SWEEP_TD

include "bridge/base.td"

def Sweep_Dialect : Dialect {
  let name = "sweep";
  let cppNamespace = "::mlopt::sweep";
  let summary = "Loop nests with several results";
  let description = [{
    One `sweep.nest` is one loop nest. Before `plan-memory` its arrays are tensors, read by `tensor.extract`; after it
    they are buffers, read and written by `memref.load` and `memref.store` with the destination given from outside.
  }];
}

class Sweep_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Sweep_Dialect, mnemonic, traits>;

def Sweep_NestOp : Sweep_Op<"nest", [SingleBlock, AttrSizedOperandSegments, RecursiveMemoryEffects]> {
  let summary = "Loop nest over a box of indices";
  let description = [{
    Runs the body for all indices `0 ≤ i < extent`, the last index fastest; an extent that is not positive gives no
    iteration. The body yields one value for each result, and `kinds` says what becomes of it:
    `map` stores it at the indices of the iteration (a yielded array is the trailing part), `sum` adds it, in any order,
    starting from zero, and `fold` carries it to the next iteration, starting from its `init`, strictly in order.
    The region's arguments are the indices, then the values carried by the folds.
    - (C1) The region has one `index` argument for each extent, then one argument for each fold, of the type of its init.
    - (C2) `kinds` has one entry for each result (0 `map`, 1 `sum`, 2 `fold`), and there is one init for each fold.
    - (C3) The region ends in `sweep.yield` with one value for each result: of the result's type for `sum` and `fold`;
      for `map`, the result has the element type of the value and its axes after one axis for each extent.
    - (C4) A `sum` is a number.
    ```mlir
    %c, %s, %f = sweep.nest (%i < %n) fold(%a = %a0) -> (map tensor<?xf64>, sum f64, fold f64) {
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %b = arith.mulf %a, %e : f64
      sweep.yield %e, %e, %b : f64, f64, f64
    }
    ```
  }];
  let arguments = (ins Variadic<Index>:$extents, Variadic<AnyType>:$inits, DenseI64ArrayAttr:$kinds);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<Nest>($extents, $inits, type($inits), $kinds, type($results), $body) attr-dict";
}

def Sweep_YieldOp : Sweep_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["NestOp"]>]> {
  let summary = "The values of one iteration";
  let description = [{
    Ends the region of `sweep.nest`, which says what becomes of each value.
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
  let summary = "A condition on sizes that the caller must meet";
  let description = [{
    If `condition` is false the function has no result; `message` says why. `plan-memory` moves it to the function that
    answers for sizes, so that it is checked before anything runs.
    ```mlir
    sweep.require %same, "operands of 'arith.addf' have different sizes"
    ```
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
}

#endif // MLOPT_SWEEP_TD
