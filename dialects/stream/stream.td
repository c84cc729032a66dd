// Reactive streams: nodes of equations over time, with delays forward and backward (spec/streams.md).
#ifndef MLOPT_STREAM_TD
#define MLOPT_STREAM_TD

include "bridge/base.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/BuiltinAttributes.td"

def Stream_Dialect : Dialect {
  let name = "stream";
  let cppNamespace = "::mlopt::stream";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let summary = "Reactive streams";
  let description = [{
    A program transforms streams. In each cycle a stream is present, and has a value, or is absent. A `stream.node` is a
    set of equations, one op each, in any order. Cyclic dependencies are allowed if they contain a delay. Inside a node
    every value is a stream: `arith.addf` adds the values of each cycle, and its result is absent where its operands are
    absent. The type of a stream is the type of its values. Its *clock*, the set of cycles in which it is present, is
    inferred (spec/streams.md 5.3).

    `stream.fby` looks back by one cycle of its own clock, `stream.post` looks ahead by one. `stream.when` samples a
    stream, and `stream.merge` combines two complementary streams.
  }];
}

class Stream_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Stream_Dialect, mnemonic, traits>;
/// An equation with one result that is a stream.
class Stream_Equation<string mnemonic, list<Trait> traits = []>
    : Stream_Op<mnemonic, !listconcat([Pure, HasParent<"NodeOp">], traits)>;

def Stream_NodeOp : Op<Stream_Dialect, "node",
    [IsolatedFromAbove, SingleBlock, Symbol, RegionKindInterface, HasOnlyGraphRegion,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "A node: equations that define outputs from inputs";
  let description = [{
    The equations may be in any order and refer to each other. The names of inputs and outputs are part of the
    interface: a run assigns data to inputs by name.
    - (C1) `inputs` and `outputs` have one name for each input and output, all different; a name matches
      `[A-Za-z_][A-Za-z0-9_]*`.
    - (C2) The region has one argument for each input, of the type in `function_type`.
    - (C3) The region ends in `stream.yield` with one value for each output, of the type in `function_type`.
    - (C4) Parameters, initial values and instances of a node have different names.
    - (C5) `stream.segment_constant` names inputs of type `i1`, and `stream.boundary` the input of type `i1` that ends
      sequences. The environment guarantees that the former do not change within a sequence; runs check this
      (E-RT-CLOCK).
    ```mlir
    stream.node @counter() -> (o: i64) {
      %zero = arith.constant 0 : i64
      %one = arith.constant 1 : i64
      %o = stream.fby %zero, %u : i64
      %u = arith.addi %o, %one : i64
      stream.yield %o : i64
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<StrAttr>:$sym_visibility, TypeAttrOf<FunctionType>:$function_type,
                       StrArrayAttr:$inputs, StrArrayAttr:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `` custom<Node>($function_type, $inputs, $outputs, $body) attr-dict";
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() { return ::mlopt::verify(getOperation()); }
    void $cppClass::getAsmBlockArgumentNames(::mlir::Region &region, ::mlir::OpAsmSetValueNameFn suggest) {
      ::mlopt::suggestArgumentNames(region, getInputs(), suggest);
    }
  }];
}

def Stream_YieldOp : Stream_Op<"yield", [Pure, Terminator, ReturnLike, HasParent<"NodeOp">]> {
  let summary = "The outputs of a node";
  let description = [{
    Ends the region of `stream.node`.
    ```mlir
    stream.node @both(%x: f64, %y: f64) -> (a: f64, b: f64) {
      stream.yield %y, %x : f64, f64
    }
    ```
  }];
  let arguments = (ins Variadic<Mlopt_Value>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Stream_FbyOp : Stream_Equation<"fby", [AllTypesMatch<["i", "e", "y"]>]> {
  let summary = "The value of the previous cycle";
  let description = [{
    In the first cycle of the clock, `i`; in each later one, the value of `e` in the previous cycle of the clock. All
    three are on the same clock. A dependency cycle through `e` is a recurrence forward in time.
    ```mlir
    stream.node @f(%i: f64, %e: f64) -> (y: f64) {
      %y = stream.fby %i, %e : f64
      stream.yield %y : f64
    }
    ```
  }];
  let arguments = (ins Mlopt_Value:$i, Mlopt_Value:$e);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$i `,` $e attr-dict `:` type($y)";
}

def Stream_PostOp : Stream_Equation<"post", [AllTypesMatch<["e", "y"]>]> {
  let summary = "The value of the next cycle";
  let description = [{
    The value of `e` in the next cycle of the clock. Both are on the same clock. A dependency cycle through `e` is a
    recurrence backward in time: it must be ended repeatedly by a condition under which the next value is not needed.
    ```mlir
    stream.node @f(%e: f64) -> (y: f64) {
      %y = stream.post %e : f64
      stream.yield %y : f64
    }
    ```
  }];
  let arguments = (ins Mlopt_Value:$e);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$e attr-dict `:` type($y)";
}

def Stream_WhenOp : Stream_Equation<"when", [AllTypesMatch<["x", "y"]>]> {
  let summary = "Sampling of a stream by a condition";
  let description = [{
    `x` where `condition` is true (with `not`: false), and absent elsewhere. The result does not wait for values that
    are not selected. The operands are on the same clock. `not` is part of the clock: sampling by a condition that
    another op negates gives a different clock.
    ```mlir
    stream.node @f(%x: f64, %c: i1) -> (a: f64, b: f64) {
      %a = stream.when %x, %c : f64
      %b = stream.when %x, not %c : f64
      stream.yield %a, %b : f64, f64
    }
    ```
  }];
  let arguments = (ins Mlopt_Value:$x, I1:$condition, UnitAttr:$negated);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$x `,` (`not` $negated^)? $condition attr-dict `:` type($y)";
}

def Stream_MergeOp : Stream_Equation<"merge", [AllTypesMatch<["a", "b", "y"]>]> {
  let summary = "Merge of two complementary streams";
  let description = [{
    `a` where `condition` is true, `b` where it is false. `a` must be present exactly where the condition is true, `b`
    exactly where it is false.
    ```mlir
    stream.node @f(%c: i1, %a: f64, %b: f64) -> (y: f64) {
      %y = stream.merge %c, %a, %b : f64
      stream.yield %y : f64
    }
    ```
  }];
  let arguments = (ins I1:$condition, Mlopt_Value:$a, Mlopt_Value:$b);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$condition `,` $a `,` $b attr-dict `:` type($y)";
}

def Stream_SelectOp : Stream_Equation<"select", [AllTypesMatch<["a", "b", "y"]>]> {
  let summary = "One of two values in each cycle";
  let description = [{
    `a` where `condition` is true, `b` where it is false, all on the same clock. The result does not wait for a value
    that is not selected, but both operands are present in every cycle, so their state advances. The op equals `merge(c,
    a when c, b when not c)`. Unlike `arith.select`, it may be part of a recurrence backward in time.
    ```mlir
    stream.node @f(%c: i1, %a: f64, %b: f64) -> (y: f64) {
      %y = stream.select %c, %a, %b : f64
      stream.yield %y : f64
    }
    ```
  }];
  let arguments = (ins I1:$condition, Mlopt_Value:$a, Mlopt_Value:$b);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$condition `,` $a `,` $b attr-dict `:` type($y)";
}

def Stream_ParamOp : Stream_Equation<"param", [AllTypesMatch<["init", "y"]>]> {
  let summary = "A parameter that can be trained";
  let description = [{
    `init`, until training changes it. The parameter is read and set from outside by its name, prefixed by the names of
    the enclosing instances: `x.k`.
    ```mlir
    stream.node @f(%init: f64) -> (k: f64) {
      %k = stream.param "k" %init : f64
      stream.yield %k : f64
    }
    ```
  }];
  let arguments = (ins StrAttr:$param_name, Mlopt_Value:$init);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$param_name $init attr-dict `:` type($y)";
}

def Stream_ConstantOp : Stream_Equation<"constant", [AllTypesMatch<["value", "y"]>]> {
  let summary = "A constant stream on one clock";
  let description = [{
    The same value in each cycle of one clock, which is inferred from its uses: all uses are on the same clock. A
    constant of `arith`, in contrast, may be used on different clocks.
    ```mlir
    stream.node @f(%x: f64) -> (y: f64) {
      %k = stream.constant 2.0 : f64
      %y = arith.mulf %k, %x : f64
      stream.yield %y : f64
    }
    ```
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$value attr-dict";
}

def Stream_InitialOp : Stream_Equation<"initial"> {
  let summary = "A value that is computed once, before the first cycle";
  let description = [{
    A constant for each instance, which `method` computes or which is set from outside by its name. The name is prefixed
    by the names of the enclosing instances, as for `stream.param`.
    ```mlir
    stream.node @f() -> (k: tensor<8x4xf64>) {
      %kernel0 = stream.initial "kernel0" "glorot_uniform" : tensor<8x4xf64>
      stream.yield %kernel0 : tensor<8x4xf64>
    }
    ```
  }];
  let arguments = (ins StrAttr:$initial_name, StrAttr:$method);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$initial_name $method attr-dict `:` type($y)";
}

def Stream_InstanceOp : Mlopt_SymbolUserOp<Stream_Dialect, "instance", [Pure, HasParent<"NodeOp">]> {
  let summary = "An instance of a node, with its own state and parameters";
  let description = [{
    Equivalent to the equations of the node `callee`, inlined with fresh names. Instances share no state. Names in an
    instance are prefixed by the name of the instance: `x.k`. If the operands of an instance are sampled, its state
    advances only in the cycles in which they are present. The optimisers `sgd`, `momentum` and `adam` are predefined,
    unless the module has a node of that name. They map a parameter, its gradient and a learning rate to the parameter
    after a step: `(T, T, e) -> T`, where `T` is a float `e` or a tensor of them.
    - (C1) There is a node `callee` in this module, or it is an optimiser.
    - (C2) Operands and results have the types of its inputs and outputs.
    `stream-inline` reports a node that contains itself, directly or through others, as an error (E-RECURSION).
    ```mlir
    stream.node @twice(%i: f64) -> (o: f64) {
      %o = arith.addf %i, %i : f64
      stream.yield %o : f64
    }
    stream.node @f(%i: f64) -> (x: f64) {
      %x = stream.instance "x" @twice(%i) : (f64) -> f64
      stream.yield %x : f64
    }
    ```
  }];
  let arguments = (ins StrAttr:$instance_name, FlatSymbolRefAttr:$callee, Variadic<Mlopt_Value>:$operands_);
  let results = (outs Variadic<Mlopt_Value>:$results_);
  let assemblyFormat = "$instance_name $callee `(` $operands_ `)` attr-dict `:` functional-type($operands_, $results_)";
}

def Stream_DivOp : Stream_Equation<"div", [AllTypesMatch<["a", "b", "y"]>]> {
  let summary = "Integer division, rounded towards zero";
  let description = [{
    If the divisor is zero, the program stops with the error E-RT-OP, which names the cycle.
    - (C1) The operands are integers of more than one bit.
    ```mlir
    stream.node @f(%a: i64, %b: i64) -> (y: i64) {
      %y = stream.div %a, %b : i64
      stream.yield %y : i64
    }
    ```
  }];
  let arguments = (ins Mlopt_Value:$a, Mlopt_Value:$b);
  let results = (outs Mlopt_Value:$y);
  let assemblyFormat = "$a `,` $b attr-dict `:` type($y)";
}

#endif // MLOPT_STREAM_TD
