// First-class functions, their differentiation and their pullbacks (spec/functional.md).
#ifndef MLOPT_LAMBDA_TD
#define MLOPT_LAMBDA_TD

include "bridge/base.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/BuiltinAttributes.td"

def Lambda_Dialect : Dialect {
  let name = "lambda";
  let cppNamespace = "::mlopt::lambda";
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let summary = "Functions as values";
  let description = [{
    A function is a value: `lambda.lambda` creates one, which may capture values of the enclosing scope, and
    `lambda.apply` calls it. Functions are passed, returned, stored in tuples and lists, and differentiated
    (spec/functional.md). Their types are MLIR's, `(f64) -> f64`; a function has one result, which may be a tuple.

    All values are immutable. `lambda.aset` and `lambda.with` return changed copies; the compiler updates memory in
    place where it can prove that this is safe.

    A program may leave types open: `!lambda.any` is a type that `lambda-specialise` infers, once for each
    specialisation of a function. `lambda.prim` is an operation that is overloaded on the types of its operands;
    `lambda-specialise` replaces it by ops of `arith`, `math` or `array`.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlopt::dual::DualDialect"];
}

//===-- types ---------------------------------------------------------------------------------------------------===//

class Lambda_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<Lambda_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}
/// A type with one type parameter.
class Lambda_TypeOf<string name, string typeMnemonic> : Lambda_Type<name, typeMnemonic> {
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Lambda_AnyType : Lambda_Type<"Any", "any"> {
  let summary = "A type that is inferred";
}
def Lambda_RecordType : Lambda_Type<"Record", "record"> {
  let summary = "Named, ordered fields: `!lambda.record<\"P\", u: f64, v: f64>`";
  let parameters = (ins "::mlir::StringAttr":$name, ArrayRefParameter<"::mlir::StringAttr">:$fields,
                        ArrayRefParameter<"::mlir::Type">:$types);
  let assemblyFormat = "`<` $name `` custom<Fields>($fields, $types) `>`";
}
def Lambda_ListType : Lambda_TypeOf<"List", "list"> {
  let summary = "A linked list of values of one type, whose tail may be shared";
}
def Lambda_EnvType : Lambda_Type<"Env", "env"> {
  let summary = "Cotangents of the values that a function captures, by key: the tangent of a function";
}
def Lambda_StringType : Lambda_Type<"String", "str"> {
  let summary = "A constant string";
}
def Lambda_RngType : Lambda_Type<"Rng", "rng"> {
  let summary = "State of a random number generator: key and counter of Philox";
}
def Lambda_TokenType : Lambda_Type<"Token", "token"> {
  let summary = "A token that orders side effects";
}
def Lambda_ChanType : Lambda_TypeOf<"Chan", "chan"> {
  let summary = "A channel of values of one type";
}
def Lambda_TaskType : Lambda_TypeOf<"Task", "task"> {
  let summary = "A concurrent task with a result";
}
def Lambda_DualType : Lambda_TypeOf<"Dual", "dual"> {
  let summary = "Linear functionals on a type";
}
def Lambda_DataType : Lambda_Type<"Data", "data"> {
  let summary = "A sum type, whose variants a `lambda.data` lists: `!lambda.data<@shape>`";
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$symbol);
  let assemblyFormat = "`<` $symbol `>`";
}

def Lambda_MatrixAttr : AttrDef<Lambda_Dialect, "Matrix", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "matrix";
  let summary = "Structure of a matrix, as the encoding of its type: bands and symmetry";
  let description = [{
    `bands = [l, u]` is the number of diagonals that may be nonzero: `l` at and below the main diagonal, `u` at and
    above it. The main diagonal is counted in both, and -1 stands for all diagonals. `tensor<4x4xf64,
    #lambda.matrix<bands = [1, 1]>>` is diagonal. A `symmetric` matrix equals its transpose: it is square and both bands
    are equal. The attribute is the encoding of tensors with two axes. Omitting it is always correct (spec/functional.md
    A.7).
  }];
  let parameters = (ins "int64_t":$lower, "int64_t":$upper, "bool":$symmetric);
  let assemblyFormat = "`<` `bands` `=` `[` $lower `,` $upper `]` `` custom<Symmetric>($symmetric) `>`";
}

//===-- ops: shared ---------------------------------------------------------------------------------------------===//

class Lambda_Op<string mnemonic, list<Trait> traits = []> : Mlopt_Op<Lambda_Dialect, mnemonic, traits>;
/// `op %a, %b : (types) -> type`: an op with one result.
class Lambda_ValueOp<string mnemonic, list<Trait> traits> : Lambda_Op<mnemonic, traits> {
  let results = (outs AnyType:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}
/// An op without side effects.
class Lambda_PureOp<string mnemonic, list<Trait> traits = []> : Lambda_ValueOp<mnemonic, !listconcat([Pure], traits)>;
/// An op that may stop with an error, or not terminate: it may be removed, but not be executed speculatively.
class Lambda_TrappingOp<string mnemonic> : Lambda_ValueOp<mnemonic, [NoMemoryEffect]>;
/// An op that takes a token and returns the next one. It has side effects: it is not removed if its result is unused.
class Lambda_EffectOp<string mnemonic, list<Trait> traits = []> : Lambda_Op<mnemonic, traits> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

//===-- functions -----------------------------------------------------------------------------------------------===//

def Lambda_LambdaOp : Lambda_Op<"lambda", [Pure, SingleBlock]> {
  let summary = "A function";
  let description = [{
    The function from the region's arguments to the returned value. Values that are defined outside the region and used
    in it are captured.
    - (C1) The region's arguments are those of the function's type.
    - (C2) The region ends in `lambda.return` of the result of the function's type.
    ```mlir
    %f = lambda.lambda (%x: f64) -> f64 {
      %y = arith.addf %x, %a : f64
      lambda.return %y : f64
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let results = (outs AnyType:$f);
  let assemblyFormat = "custom<Lambda>(type($f), $body) attr-dict";
}

def Lambda_ReturnOp : Lambda_Op<"return", [Pure, Terminator, ReturnLike, HasParent<"LambdaOp">]> {
  let summary = "The result of a function";
  let description = [{
    Ends the region of `lambda.lambda`.
    ```mlir
    %f = lambda.lambda (%x: f64) -> f64 {
      lambda.return %x : f64
    }
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def Lambda_YieldOp : Lambda_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["LetrecOp", "IfOp", "ForOp", "WhileOp", "CaseOp", "PullbackOp", "DualOp"]>]> {
  let summary = "The results of a region";
  let description = [{
    Ends the regions of conditionals, cases, loops and groups.
    ```mlir
    %y = lambda.if %c : i1 -> f64 {
      lambda.yield %a : f64
    } else {
      lambda.yield %b : f64
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Lambda_LetrecOp : Lambda_Op<"letrec", [Pure, SingleBlock, RegionKindInterface, HasOnlyGraphRegion]> {
  let summary = "Mutually recursive functions";
  let description = [{
    The region contains functions, in any order, that may refer to each other.
    - (C1) The region contains only `lambda.lambda` ops and ends in `lambda.yield` of each of them, in order.
    - (C2) The results have the types of the functions.
    ```mlir
    %power = lambda.letrec {
      %go = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
          lambda.yield %one : f64
        } else {
          %l = arith.subi %k, %step : i64
          %r = lambda.apply %go(%l) : (i64) -> f64
          %p = arith.mulf %x, %r : f64
          lambda.yield %p : f64
        }
        lambda.return %y : f64
      }
      lambda.yield %go : (i64) -> f64
    } : (i64) -> f64
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<AnyType>:$functions);
  let assemblyFormat = "$body attr-dict `:` type($functions)";
}

def Lambda_RefOp : Mlopt_SymbolUserOp<Lambda_Dialect, "ref", [Pure]> {
  let summary = "A function of the module, as a value";
  let description = [{
    The function `callee`, which captures nothing.
    - (C1) `callee` is a `func.func` with one result, and `f` has its type.
    ```mlir
    func.func private @square(f64) -> f64
    %f = lambda.ref @square : (f64) -> f64
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee);
  let results = (outs AnyType:$f);
  let assemblyFormat = "$callee attr-dict `:` type($f)";
}

def Lambda_ApplyOp : Lambda_Op<"apply"> {
  let summary = "A call";
  let description = [{
    The result of `f` for the given arguments, which are evaluated first. A call whose result is not used may be
    removed: effects need tokens.
    - (C1) `f` is a function of arguments of these types, and the result has the type of its result.
    ```mlir
    %y = lambda.apply %f(%a, %b) : (f64, f64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$f, Variadic<AnyType>:$inputs);
  let results = (outs AnyType:$y);
  let assemblyFormat = "custom<Apply>($f, type($f), $inputs, type($inputs), type($y)) attr-dict";
}

//===-- choice and loops ----------------------------------------------------------------------------------------===//

def Lambda_SwitchOp : Lambda_PureOp<"switch"> {
  let summary = "One of two values";
  let description = [{
    `a` if `condition` is true, else `b`. Both are evaluated.
    - (C1) `condition` is an `i1`.
    - (C2) `a`, `b` and the result have one type.
    ```mlir
    %f = lambda.switch %c, %g, %h : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
    ```
  }];
  let arguments = (ins AnyType:$condition, AnyType:$a, AnyType:$b);
}

def Lambda_IfOp : Lambda_Op<"if", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "One of two computations";
  let description = [{
    Evaluates the first region if `condition` is true, else the second. Only one region is evaluated.
    - (C1) `condition` is an `i1`.
    - (C2) Neither region has arguments, and both end in `lambda.yield` of a value for each result, of its type; there
      is at least one result.
    ```mlir
    %y = lambda.if %c : i1 -> f64 {
      lambda.yield %a : f64
    } else {
      lambda.yield %b : f64
    }
    ```
  }];
  let arguments = (ins AnyType:$condition);
  let regions = (region SizedRegion<1>:$consequent, SizedRegion<1>:$alternative);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$condition `:` type($condition) `->` type($results) $consequent `else` $alternative attr-dict";
}

def Lambda_ForOp : Lambda_Op<"for", [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let summary = "A loop that runs a given number of times";
  let description = [{
    Runs the region for 0, 1, …, `n`-1. The carried values are `inits` in the first iteration, then the values that the
    previous iteration yielded. If `n` is not positive, there is no iteration. The reverse pass keeps the carried values
    of every `checkpoint`-th iteration only, and recomputes the others.
    - (C1) `n` is an integer, and the region's first argument has its type.
    - (C2) There is one result for each of `inits`; init, region argument, yielded value and result have the same type.
    ```mlir
    %y = lambda.for (%i < %n) iter_args(%a = %x) : (i64, f64) -> (f64) {
      %b = arith.addf %a, %one : f64
      lambda.yield %b : f64
    }
    ```
  }];
  let arguments = (ins AnyType:$n, Variadic<AnyType>:$inits, OptionalAttr<I64Attr>:$checkpoint);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "custom<Counted>($n, type($n), $inits, type($inits), type($results), $body) attr-dict";
}

def Lambda_WhileOp : Lambda_Op<"while", [RecursiveMemoryEffects, SingleBlock]> {
  let summary = "A loop that runs while a condition holds";
  let description = [{
    Runs the second region while the first one yields true. The carried values are `inits` in the first iteration, then
    the values that the previous iteration yielded.
    - (C1) The first region yields an `i1`.
    - (C2) There is one result for each of `inits`; init, region arguments, value yielded by the second region and
      result have the same type.
    ```mlir
    %y = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
      %c = arith.cmpf olt, %a, %limit : f64
      lambda.yield %c : i1
    } do (%b) {
      %d = arith.mulf %b, %b : f64
      lambda.yield %d : f64
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inits, OptionalAttr<I64Attr>:$checkpoint);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "custom<While>($inits, type($inits), type($results), $condition, $body) attr-dict";
}

//===-- data ----------------------------------------------------------------------------------------------------===//

def Lambda_UnitOp : Lambda_Op<"unit", [Pure]> {
  let summary = "The unit value";
  let description = [{
    The only value of type `none`: the tangent of a value without derivatives.
    ```mlir
    %u = lambda.unit
    ```
  }];
  let results = (outs NoneType:$y);
  let assemblyFormat = "attr-dict";
}

def Lambda_LiteralOp : Lambda_Op<"literal", [Pure]> {
  let summary = "A number, a truth value or a string";
  let description = [{
    The type of a number may be left open: it becomes the type of the other operand of an op that uses it, otherwise
    `f64` or `i64`.
    - (C1) `value` is an integer, a float, a boolean or a string, and `y` a type of that kind.
    ```mlir
    %two = lambda.literal 2.0 : f64 -> !lambda.any
    ```
  }];
  let arguments = (ins AnyAttr:$value);
  let results = (outs AnyType:$y);
  let assemblyFormat = "$value attr-dict `->` type($y)";
}

def Lambda_TheOp : Lambda_PureOp<"the"> {
  let summary = "Type ascription";
  let description = [{
    `x`, which must be of type `type`. Nothing is converted.
    - (C1) `x` and `y` have type `type`, up to open types and the structure of matrices.
    ```mlir
    %y = lambda.the %x {type = f64} : (!lambda.any) -> !lambda.any
    ```
  }];
  let arguments = (ins AnyType:$x, TypeAttr:$type);
}

def Lambda_TupleOp : Lambda_PureOp<"tuple"> {
  let summary = "A tuple";
  let description = [{
    - (C1) The result is the tuple of the types of `elements`.
    ```mlir
    %t = lambda.tuple %a, %b : (f64, i64) -> tuple<f64, i64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$elements);
}

def Lambda_GetOp : Lambda_PureOp<"get"> {
  let summary = "One value of a tuple";
  let description = [{
    - (C1) `tuple` has an element `index`, counted from 0, and the result has its type.
    ```mlir
    %a = lambda.get %t[0] : (tuple<f64, i64>) -> f64
    ```
  }];
  let arguments = (ins AnyType:$tuple, I64Attr:$index);
  let assemblyFormat = "$tuple `[` $index `]` attr-dict `:` functional-type(operands, results)";
}

def Lambda_TsetOp : Lambda_PureOp<"tset"> {
  let summary = "A tuple with one value replaced";
  let description = [{
    - (C1) `tuple` has an element `index`, counted from 0, and `value` has its type.
    - (C2) The result has the type of `tuple`.
    ```mlir
    %u = lambda.tset %t[0], %b : (tuple<f64, i64>, f64) -> tuple<f64, i64>
    ```
  }];
  let arguments = (ins AnyType:$tuple, AnyType:$value, I64Attr:$index);
  let assemblyFormat = "$tuple `[` $index `]` `,` $value attr-dict `:` functional-type(operands, results)";
}

def Lambda_RecordOp : Lambda_PureOp<"record"> {
  let summary = "A record";
  let description = [{
    The record with these values as its fields, in order. While types are open, `name` and `fields` identify the record
    type.
    - (C1) The result is a record whose fields have the types of `values`, or is open with `name` and as many `fields`.
    ```mlir
    %r = lambda.record %a, %b : (f64, f64) -> !lambda.record<"P", u: f64, v: f64>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, OptionalAttr<StrAttr>:$name, OptionalAttr<StrArrayAttr>:$fields);
}

def Lambda_FieldOp : Lambda_PureOp<"field"> {
  let summary = "One field of a record";
  let description = [{
    - (C1) `record` has a field of this name, and the result has its type.
    ```mlir
    %u = lambda.field %r["u"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
    ```
  }];
  let arguments = (ins AnyType:$record, StrAttr:$field);
  let assemblyFormat = "$record `[` $field `]` attr-dict `:` functional-type(operands, results)";
}

def Lambda_WithOp : Lambda_PureOp<"with"> {
  let summary = "A record with one field replaced";
  let description = [{
    - (C1) `record` has a field of this name, and `value` has its type.
    - (C2) The result has the type of `record`.
    ```mlir
    %s = lambda.with %r["u"], %a : (!lambda.record<"P", u: f64, v: f64>, f64) -> !lambda.record<"P", u: f64, v: f64>
    ```
  }];
  let arguments = (ins AnyType:$record, AnyType:$value, StrAttr:$field);
  let assemblyFormat = "$record `[` $field `]` `,` $value attr-dict `:` functional-type(operands, results)";
}

def Lambda_NilOp : Lambda_PureOp<"nil"> {
  let summary = "The empty list";
  let description = [{
    - (C1) The result is a list.
    ```mlir
    %l = lambda.nil : () -> !lambda.list<f64>
    ```
  }];
  let arguments = (ins);
}

def Lambda_ConsOp : Lambda_PureOp<"cons"> {
  let summary = "A list with one value prepended";
  let description = [{
    - (C1) `tail` is a list of the type of `head`, and so is the result.
    ```mlir
    %m = lambda.cons %a, %l : (f64, !lambda.list<f64>) -> !lambda.list<f64>
    ```
  }];
  let arguments = (ins AnyType:$head, AnyType:$tail);
}

def Lambda_HeadOp : Lambda_TrappingOp<"head"> {
  let summary = "The first value of a list";
  let description = [{
    If the list is empty, the program stops with the error `empty-list`.
    - (C1) `list` is a list, and the result has the type of its values.
    ```mlir
    %a = lambda.head %l : (!lambda.list<f64>) -> f64
    ```
  }];
  let arguments = (ins AnyType:$list);
}

def Lambda_TailOp : Lambda_TrappingOp<"tail"> {
  let summary = "A list without its first value";
  let description = [{
    If the list is empty, the program stops with the error `empty-list`.
    - (C1) `list` is a list, and the result has its type.
    ```mlir
    %m = lambda.tail %l : (!lambda.list<f64>) -> !lambda.list<f64>
    ```
  }];
  let arguments = (ins AnyType:$list);
}

def Lambda_IsEmptyOp : Lambda_PureOp<"is_empty"> {
  let summary = "Test for the empty list";
  let description = [{
    - (C1) `list` is a list, and the result is an `i1`.
    ```mlir
    %c = lambda.is_empty %l : (!lambda.list<f64>) -> i1
    ```
  }];
  let arguments = (ins AnyType:$list);
}

def Lambda_LengthOp : Lambda_PureOp<"length"> {
  let summary = "Length of a list";
  let description = [{
    - (C1) `list` is a list, and the result is an `i64`.
    ```mlir
    %n = lambda.length %l : (!lambda.list<f64>) -> i64
    ```
  }];
  let arguments = (ins AnyType:$list);
}

def Lambda_ConcatOp : Lambda_PureOp<"concat"> {
  let summary = "Concatenation of two lists";
  let description = [{
    - (C1) Both are lists of one type, and so is the result.
    ```mlir
    %n = lambda.concat %l, %m : (!lambda.list<f64>, !lambda.list<f64>) -> !lambda.list<f64>
    ```
  }];
  let arguments = (ins AnyType:$a, AnyType:$b);
}

def Lambda_ToListOp : Lambda_PureOp<"to_list"> {
  let summary = "The rows of an array as a list";
  let description = [{
    The operand may also be a tuple of values of one type, or a list, which is the result itself; `lambda-specialise`
    replaces the op then.
    - (C1) `array` has one axis or more, and the result is a list of its rows, or it is a tuple or a list.
    ```mlir
    %l = lambda.to_list %v : (tensor<3xf64>) -> !lambda.list<f64>
    ```
  }];
  let arguments = (ins AnyType:$array);
}

def Lambda_ToArrayOp : Lambda_TrappingOp<"to_array"> {
  let summary = "The values of a list as rows of an array";
  let description = [{
    If the length of the list differs from the static size of the array, the program stops with the error
    `shape-mismatch`.
    - (C1) `list` is a list of the rows of the result.
    ```mlir
    %v = lambda.to_array %l : (!lambda.list<f64>) -> tensor<?xf64>
    ```
  }];
  let arguments = (ins AnyType:$list);
}

//===-- alternatives --------------------------------------------------------------------------------------------===//

def Lambda_DataOp : Mlopt_SymbolUserOp<Lambda_Dialect, "data", [DeclareOpInterfaceMethods<Symbol, ["canDiscardOnUseEmpty"]>]> {
  let summary = "Declaration of a sum type";
  let description = [{
    A value of type `!lambda.data<@sym_name>` is constructed by one of the variants from fields of the given types,
    which may contain values of the same type. Types are nominal: two with the same variants are different. A type that
    names the symbol uses it. MLIR does not count such uses, so the op is never removed as an unused symbol.
    - (C1) The variants have different names, and `fields` has a list of types for each variant.
    - (C2) Types in `fields` name a `lambda.data` of this module.
    ```mlir
    lambda.data @tree {leaf(f64), node(!lambda.data<@tree>, !lambda.data<@tree>)}
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, StrArrayAttr:$alternatives, ArrayAttr:$fields);
  let assemblyFormat = "$sym_name custom<Alternatives>($alternatives, $fields) attr-dict-with-keyword";
  let extraClassDefinition = verifier # [{
    ::llvm::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &tables) {
      return ::mlopt::verifySymbolUses(getOperation(), tables);
    }
    bool $cppClass::canDiscardOnUseEmpty() { return false; }
  }];
}

def Lambda_MakeOp : Mlopt_SymbolUserOp<Lambda_Dialect, "make", [Pure]> {
  let summary = "Construction of a value of a sum type";
  let description = [{
    - (C1) The type of the result names a `lambda.data` of this module with the variant `alternative`.
    - (C2) `fields` have the types of the fields of the variant.
    ```mlir
    lambda.data @tree {leaf(f64), node(!lambda.data<@tree>, !lambda.data<@tree>)}
    %t = lambda.make leaf(%x) : (f64) -> !lambda.data<@tree>
    ```
  }];
  let arguments = (ins StrAttr:$alternative, Variadic<AnyType>:$fields);
  let results = (outs AnyType:$y);
  let assemblyFormat = "custom<Word>($alternative) `(` $fields `)` attr-dict `:` functional-type(operands, results)";
}

def Lambda_CaseOp : Mlopt_SymbolUserOp<Lambda_Dialect, "case", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Match on the variant of a value";
  let description = [{
    Evaluates the region of the variant of `data`, whose arguments are the fields. Only one region is evaluated. A type
    without variants has no values, so a match on it is unreachable.
    - (C1) The type of `data` names a `lambda.data` of this module, and there is one region for each variant, in order.
    - (C2) The arguments of a region have the types of the fields.
    - (C3) A region ends in `lambda.yield` of a value for each result, of its type; there is one result at least.
    ```mlir
    lambda.data @tree {leaf(f64), node(!lambda.data<@tree>, !lambda.data<@tree>)}
    func.func private @sum(!lambda.data<@tree>) -> f64
    %y = lambda.case %t : !lambda.data<@tree> -> f64 {
      leaf(%x: f64) {
        lambda.yield %x : f64
      }
      node(%l: !lambda.data<@tree>, %r: !lambda.data<@tree>) {
        %a = func.call @sum(%l) : (!lambda.data<@tree>) -> f64
        %b = func.call @sum(%r) : (!lambda.data<@tree>) -> f64
        %c = arith.addf %a, %b : f64
        lambda.yield %c : f64
      }
    }
    ```
  }];
  let arguments = (ins AnyType:$data, StrArrayAttr:$alternatives);
  let regions = (region VariadicRegion<SizedRegion<1>>:$arms);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$data `:` type($data) `->` type($results) custom<Arms>($alternatives, $arms) attr-dict";
}

def Lambda_UnreachableOp : Lambda_TrappingOp<"unreachable"> {
  let summary = "A value in unreachable code";
  let description = [{
    A placeholder of any type in code that is never evaluated.
    ```mlir
    %y = lambda.unreachable : () -> f64
    ```
  }];
  let arguments = (ins);
}

//===-- higher order --------------------------------------------------------------------------------------------===//

def Lambda_MapOp : Lambda_TrappingOp<"map"> {
  let summary = "Elementwise application of a function";
  let description = [{
    `f` applied to corresponding elements of `xs`: arrays of one shape, or lists of one length.
    - (C1) `xs` are arrays of one shape, or lists; there is at least one, and `f` takes an element of each.
    - (C2) The result is an array of that shape, or a list, of the results of `f`.
    ```mlir
    %y = lambda.map %f, %x : ((f64) -> f64, tensor<3xf64>) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins AnyType:$f, Variadic<AnyType>:$xs);
}

def Lambda_ReduceOp : Lambda_TrappingOp<"reduce"> {
  let summary = "Reduction of an array along axes";
  let description = [{
    Starting from `init`, `f` combines the accumulator and the next element, in row-major order along `dims`. With
    `assoc` the order is unspecified.
    - (C1) `dims` is strictly increasing and names axes of `x`.
    - (C2) `f` takes an accumulator, of the type of `init`, and an element, and returns an accumulator.
    - (C3) The result is an array of accumulators over the axes that are not in `dims`, or one accumulator if `dims`
      names all axes.
    ```mlir
    %y = lambda.reduce %f, %init, %x {dims = array<i64: 0>} : ((f64, f64) -> f64, f64, tensor<3xf64>) -> f64
    ```
  }];
  let arguments = (ins AnyType:$f, AnyType:$init, AnyType:$x, DenseI64ArrayAttr:$dims, UnitAttr:$assoc);
}

def Lambda_FoldOp : Lambda_TrappingOp<"fold"> {
  let summary = "Left fold over a list";
  let description = [{
    Starting from `init`, `f` combines the accumulator and the next value. `lambda-specialise` expands a fold of a
    tuple, whose values may have different types.
    - (C1) `xs` is a list, a tuple, or an array with at least one axis, as the list of its rows.
    - (C2) `f` takes an accumulator, of the type of `init`, and a value, and returns an accumulator; the result is an
      accumulator.
    ```mlir
    %y = lambda.fold %f, %init, %l : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> f64
    ```
  }];
  let arguments = (ins AnyType:$f, AnyType:$init, AnyType:$xs);
}

def Lambda_ScanOp : Lambda_TrappingOp<"scan"> {
  let summary = "The accumulators of a fold";
  let description = [{
    The accumulator of `lambda.fold` after each value.
    - (C1) `xs` is a list, or an array with at least one axis, as the list of its rows.
    - (C2) `f` takes an accumulator, of the type of `init`, and a value, and returns an accumulator; the result is a
      list or an array of accumulators.
    ```mlir
    %y = lambda.scan %f, %init, %l : ((f64, f64) -> f64, f64, !lambda.list<f64>) -> !lambda.list<f64>
    ```
  }];
  let arguments = (ins AnyType:$f, AnyType:$init, AnyType:$xs);
}

def Lambda_WalkOp : Lambda_TrappingOp<"walk"> {
  let summary = "Application of a function to each leaf of nested records";
  let description = [{
    `f` applied to corresponding scalars and arrays in `records`, which have the same nesting. `lambda-specialise`
    expands the op.
    - (C1) There is at least one record, and all have the same type, up to open types; the result has the same fields.
    ```mlir
    %q = lambda.walk %step, %p, %g : ((f64, f64) -> f64, !lambda.record<"P", u: f64, v: f64>, !lambda.record<"P", u: f64, v: f64>) -> !lambda.record<"P", u: f64, v: f64>
    ```
  }];
  let arguments = (ins AnyType:$f, Variadic<AnyType>:$records);
}

//===-- arrays --------------------------------------------------------------------------------------------------===//

def Lambda_AgetOp : Lambda_TrappingOp<"aget"> {
  let summary = "An element of an array";
  let description = [{
    The element, or the array of the trailing axes, at `indices`. If an index is out of range, the program stops with
    the error `index-out-of-bounds`.
    - (C1) `indices` are integers, and `array` has at least one axis for each of them.
    - (C2) The result is the array of the other axes.
    ```mlir
    %x = lambda.aget %a[%i] : (tensor<3xf64>, i64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$array, Variadic<AnyType>:$indices);
  let assemblyFormat = "$array `[` $indices `]` attr-dict `:` functional-type(operands, results)";
}

def Lambda_AsetOp : Lambda_TrappingOp<"aset"> {
  let summary = "An array with one element replaced";
  let description = [{
    A new array; the old one is unchanged. If an index is out of range, the program stops with the error
    `index-out-of-bounds`.
    - (C1) `indices` are integers, `array` has at least one axis for each of them, and `value` is an array of the other
      axes.
    - (C2) The result has the type of `array`.
    ```mlir
    %b = lambda.aset %a[%i], %x : (tensor<3xf64>, i64, f64) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins AnyType:$array, Variadic<AnyType>:$indices, AnyType:$value);
  let assemblyFormat = "$array `[` $indices `]` `,` $value attr-dict `:` functional-type(operands, results)";
}

def Lambda_SliceGetOp : Lambda_TrappingOp<"slice_get"> {
  let summary = "A strided slice of an array";
  let description = [{
    Along each axis j, the slice starts at `begins[j]` with stride `strides[j]`; its size is that of the result. If an
    element is out of range, the program stops with the error `index-out-of-bounds`.
    - (C1) There is an integer in `begins` and a positive stride for each axis of `array`.
    - (C2) The result has the element type and the rank of `array`.
    ```mlir
    %s = lambda.slice_get %a[%i] {strides = array<i64: 2>} : (tensor<8xf64>, i64) -> tensor<3xf64>
    ```
  }];
  let arguments = (ins AnyType:$array, Variadic<AnyType>:$begins, DenseI64ArrayAttr:$strides);
  let assemblyFormat = "$array `[` $begins `]` attr-dict `:` functional-type(operands, results)";
}

def Lambda_SliceSetOp : Lambda_TrappingOp<"slice_set"> {
  let summary = "An array with a strided slice replaced";
  let description = [{
    A new array in which the slice that `lambda.slice_get` would read is replaced by `value`.
    - (C1) There is an integer in `begins` and a positive stride for each axis of `array`.
    - (C2) `value` has the element type and the rank of `array`; the result has the type of `array`.
    ```mlir
    %b = lambda.slice_set %a[%i], %s {strides = array<i64: 2>} : (tensor<8xf64>, i64, tensor<3xf64>) -> tensor<8xf64>
    ```
  }];
  let arguments = (ins AnyType:$array, Variadic<AnyType>:$begins, AnyType:$value, DenseI64ArrayAttr:$strides);
  let assemblyFormat = "$array `[` $begins `]` `,` $value attr-dict `:` functional-type(operands, results)";
}

def Lambda_PrimOp : Lambda_PureOp<"prim"> {
  let summary = "An overloaded operation";
  let description = [{
    `+ - * /` and the other operations of the notation (spec/functional.md F.1), on scalars or on arrays of equal
    shapes. The types of the operands select the operation; `lambda-specialise` replaces the op.
    - (C1) `name` is one of these operations, and the number of operands is its arity.
    ```mlir
    %y = lambda.prim "+"(%a, %b) : (!lambda.any, !lambda.any) -> !lambda.any
    ```
  }];
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs);
  let assemblyFormat = "$name `(` $inputs `)` attr-dict `:` functional-type(operands, results)";
}

def Lambda_CheckOp : Lambda_TrappingOp<"check"> {
  let summary = "A value under a condition";
  let description = [{
    `x`, if `ok` is true. Otherwise the program stops with the error `code` and the message `text`.
    - (C1) `ok` is an `i1`.
    - (C2) `x` and the result have one type.
    ```mlir
    %y = lambda.check %ok, %x {code = "assertion", text = "x must be positive"} : (i1, f64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$ok, AnyType:$x, StrAttr:$code, StrAttr:$text);
}

def Lambda_OpaqueOp : Lambda_PureOp<"opaque"> {
  let summary = "The identity, without a derivative";
  let description = [{
    `x`, as a value that cannot be differentiated: differentiation is rejected with the error `no-backpropagator`.
    - (C1) `x` and the result have the same float type.
    ```mlir
    %y = lambda.opaque %x : (f64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$x);
}

//===-- derivatives ---------------------------------------------------------------------------------------------===//

def Lambda_JOp : Lambda_PureOp<"J"> {
  let summary = "The J transform: a value with its backpropagator";
  let description = [{
    Data is unchanged, the elements of tuples, records and lists are transformed, and a function `(A…) -> R` becomes `(J
    A…) -> tuple<J R, (T R) -> tuple<env, T A…>>`, from arguments to the result and its backpropagator
    (spec/functional.md B.1). `level` is the number of enclosing transforms (B.7).
    - (C1) The result has the transformed type of `x`.
    ```mlir
    %g = lambda.J %f : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
    ```
  }];
  let arguments = (ins AnyType:$x, OptionalAttr<I64Attr>:$level);
}

def Lambda_JinvOp : Lambda_PureOp<"Jinv"> {
  let summary = "Inverse of the J transform";
  let description = [{
    The value to which `lambda.J` was applied.
    - (C1) `x` has the transformed type of the result.
    ```mlir
    %f = lambda.Jinv %g : ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> ((f64) -> f64)
    ```
  }];
  let arguments = (ins AnyType:$x);
}

def Lambda_GradOp : Lambda_PureOp<"grad"> {
  let summary = "The gradient of a function, as a function";
  let description = [{
    The function that returns the gradient of `f` with respect to the arguments in `wrt` (default: the first), as a
    tuple if there are several. With `value`, it returns the tuple of the value of `f` and the gradient. `arity` is the
    number of arguments of `f` while its type is open.
    - (C1) `f` returns one float, else `grad-of-non-scalar`.
    - (C2) `wrt` is strictly increasing and names arguments that contain a float, else `grad-of-non-differentiable`.
    - (C3) `g` is a function of the same arguments to their tangents.
    ```mlir
    %g = lambda.grad %f : ((f64) -> f64) -> ((f64) -> f64)
    ```
  }];
  let arguments = (ins AnyType:$f, DefaultValuedAttr<DenseI64ArrayAttr, "::llvm::ArrayRef<int64_t>(int64_t(0))">:$wrt, UnitAttr:$value,
                       OptionalAttr<I64Attr>:$arity);
}

def Lambda_VjpOp : Lambda_PureOp<"vjp"> {
  let summary = "Value and pullback of a function, as a function";
  let description = [{
    The function from the arguments of `f` to its result and its pullback. The pullback maps a cotangent of the result
    to cotangents of the arguments in `wrt` (default: all), as a tuple if there are several. It may be called any number
    of times.
    - (C1) `f` is a function.
    - (C2) `wrt` is strictly increasing and names arguments.
    - (C3) `g` has the type of that function.
    ```mlir
    %g = lambda.vjp %f {wrt = array<i64: 0>} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
    ```
  }];
  let arguments = (ins AnyType:$f, OptionalAttr<DenseI64ArrayAttr>:$wrt);
}

def Lambda_JvpOp : Lambda_PureOp<"jvp"> {
  let summary = "Value and directional derivative of a function, as a function";
  let description = [{
    The function from the arguments of `f`, followed by their tangents, to the tuple of the result and its tangent.
    - (C1) No argument or result of `f` is a function.
    - (C2) `g` has the type of that function.
    ```mlir
    %g = lambda.jvp %f : ((f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
    ```
  }];
  let arguments = (ins AnyType:$f);
}

def Lambda_HvpOp : Lambda_PureOp<"hvp"> {
  let summary = "The Hessian of a function times a vector, as a function";
  let description = [{
    The function from the arguments of `f`, followed by a direction for the argument `wrt` (default: the first), to the
    derivative of the gradient with respect to that argument along the direction.
    - (C1) `f` returns one float.
    - (C2) `wrt` names an argument that contains a float.
    - (C3) `g` has the type of that function.
    ```mlir
    %g = lambda.hvp %f : ((f64) -> f64) -> ((f64, f64) -> f64)
    ```
  }];
  let arguments = (ins AnyType:$f, DefaultValuedAttr<I64Attr, "0">:$wrt);
}

def Lambda_ZerosLikeOp : Lambda_PureOp<"zeros_like"> {
  let summary = "The zero tangent of a value";
  let description = [{
    Zero for floats, arrays of zeros of the same sizes, an environment without keys for functions, `none` for values
    without tangents; tuples, records and lists of these (spec/functional.md B.3). It is a strong zero: its product with
    any value, infinity and NaN included, is zero.
    - (C1) The result has the tangent type of `x`.
    ```mlir
    %z = lambda.zeros_like %t : (tuple<f64, i64>) -> tuple<f64, none>
    ```
  }];
  let arguments = (ins AnyType:$x);
}

def Lambda_GaddOp : Lambda_PureOp<"gadd"> {
  let summary = "The sum of two tangents";
  let description = [{
    Floats and arrays are added; environments are merged, with the values of common keys added; tuples, records and
    lists are added elementwise (spec/functional.md B.3).
    - (C1) Both operands and the result have the same tangent type.
    ```mlir
    %c = lambda.gadd %a, %b : (tuple<f64, none>, tuple<f64, none>) -> tuple<f64, none>
    ```
  }];
  let arguments = (ins AnyType:$a, AnyType:$b);
}

def Lambda_EnvEmptyOp : Lambda_PureOp<"env.empty"> {
  let summary = "The empty environment";
  let description = [{
    - (C1) The result is an environment.
    ```mlir
    %e = lambda.env.empty : () -> !lambda.env
    ```
  }];
  let arguments = (ins);
}

def Lambda_EnvGetOp : Lambda_PureOp<"env.get"> {
  let summary = "The cotangent under a key";
  let description = [{
    The value of `key` in `env`, or `zero` if `env` does not contain `key`. A missing key and a zero value are
    indistinguishable.
    - (C1) `env` is an environment, and `zero` and the result have one type.
    ```mlir
    %x_ct = lambda.env.get %e["x"], %z : (!lambda.env, f64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$env, AnyType:$zero, StrAttr:$key);
  let assemblyFormat = "$env `[` $key `]` `,` $zero attr-dict `:` functional-type(operands, results)";
}

def Lambda_EnvSetOp : Lambda_PureOp<"env.set"> {
  let summary = "An environment with a cotangent under a key";
  let description = [{
    - (C1) `env` and the result are environments.
    ```mlir
    %f = lambda.env.set %e["x"], %x_ct : (!lambda.env, f64) -> !lambda.env
    ```
  }];
  let arguments = (ins AnyType:$env, AnyType:$value, StrAttr:$key);
  let assemblyFormat = "$env `[` $key `]` `,` $value attr-dict `:` functional-type(operands, results)";
}

def Lambda_EnvAddOp : Lambda_PureOp<"env.add"> {
  let summary = "The sum of two environments";
  let description = [{
    - (C1) Both and the result are environments.
    ```mlir
    %g = lambda.env.add %e, %f : (!lambda.env, !lambda.env) -> !lambda.env
    ```
  }];
  let arguments = (ins AnyType:$a, AnyType:$b);
}

def Lambda_StopGradientOp : Lambda_PureOp<"stop_gradient"> {
  let summary = "A value that is constant with respect to differentiation";
  let description = [{
    `x`, of any type, with the cotangent zero. `dual.stop_gradient` is the same op for arrays.
    - (C1) The result has the type of `x`.
    ```mlir
    %c = lambda.stop_gradient %t : (tuple<f64, f64>) -> tuple<f64, f64>
    ```
  }];
  let arguments = (ins AnyType:$x);
}

//===-- pullbacks -----------------------------------------------------------------------------------------------===//

def Lambda_PullbackOp : Lambda_Op<"pullback", [Pure, SingleBlock]> {
  let summary = "The pullback of a 1-form along a function";
  let description = [{
    `Ω(λx. P) · form`: for the function that the region defines and a 1-form on its results, the 1-form on its arguments
    (spec/functional.md C.2).
    - (C1) The region has one argument and ends in `lambda.yield` of one value.
    - (C2) `form` is a function from that type to functionals on it, and the result the same for the argument's type.
    ```mlir
    %w = lambda.pullback %form (%x: f64) {
      %y = arith.mulf %x, %x : f64
      lambda.yield %y : f64
    } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
    ```
  }];
  let arguments = (ins AnyType:$form);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs AnyType:$y);
  let assemblyFormat = "$form custom<Parameter>($body) attr-dict `:` functional-type(operands, results)";
}

def Lambda_DualOp : Lambda_Op<"dual", [Pure, SingleBlock]> {
  let summary = "Composition of a functional with a linear map";
  let description = [{
    `(λv. S)* · functional`: the functional that maps `v` to `functional` applied to the value of the region, which is
    linear in `v` (spec/functional.md C.2).
    - (C1) The region has one argument and ends in `lambda.yield` of one value, linear in the argument.
    - (C2) `functional` is a functional on the type of that value, and the result is a functional on the type of the
      argument.
    ```mlir
    %w = lambda.dual %functional (%v: f64) {
      %y = arith.mulf %v, %a : f64
      lambda.yield %y : f64
    } : (!lambda.dual<f64>) -> !lambda.dual<f64>
    ```
  }];
  let arguments = (ins AnyType:$functional);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs AnyType:$y);
  let assemblyFormat = "$functional custom<Parameter>($body) attr-dict `:` functional-type(operands, results)";
}

def Lambda_JacobianOp : Mlopt_SymbolUserOp<Lambda_Dialect, "jacobian", [Pure]> {
  let summary = "Directional derivative of a primitive, as a function of the point";
  let description = [{
    `J f · direction`: the function that maps a point to the derivative of `callee` there along `direction`: the
    direction comes first.
    - (C1) `callee` is a `func.func` of one argument, of the type of `direction`, and one result.
    - (C2) `y` is a function from the argument's type to the result's.
    ```mlir
    func.func private @mul(tensor<2xf64>) -> f64
    %d = lambda.jacobian @mul, %v : (tensor<2xf64>) -> ((tensor<2xf64>) -> f64)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, AnyType:$direction);
  let results = (outs AnyType:$y);
  let assemblyFormat = "$callee `,` $direction attr-dict `:` functional-type(operands, results)";
}

def Lambda_CovectorOp : Lambda_PureOp<"covector"> {
  let summary = "The functional of a vector";
  let description = [{
    `[c]`: maps `v` to `c · v`.
    - (C1) The result is a functional on the type of `c`.
    ```mlir
    %w = lambda.covector %c : (f64) -> !lambda.dual<f64>
    ```
  }];
  let arguments = (ins AnyType:$c);
}

def Lambda_PairWithOp : Lambda_PureOp<"pair_with"> {
  let summary = "Application of a functional to a value";
  let description = [{
    - (C1) `functional` is a functional on the type of `v`, and the result is an `f64`.
    ```mlir
    %r = lambda.pair_with %w, %v : (!lambda.dual<f64>, f64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$functional, AnyType:$v);
}

//===-- random numbers and effects ------------------------------------------------------------------------------===//

def Lambda_RngSeedOp : Lambda_PureOp<"rng.seed"> {
  let summary = "Initial state of a random number generator";
  let description = [{
    State of Philox4x32 with 10 rounds: key `seed`, stream 0, block 0 (spec/functional.md A.9).
    - (C1) `seed` is an `i64`, and the result is a state.
    ```mlir
    %r = lambda.rng.seed %seed : (i64) -> !lambda.rng
    ```
  }];
  let arguments = (ins AnyType:$seed);
}

def Lambda_RngUniformOp : Lambda_PureOp<"rng.uniform"> {
  let summary = "Uniform random numbers in [0, 1)";
  let description = [{
    An array of numbers in [0, 1), generated in row-major order, and the next state.
    - (C1) `state` is a state. The result is a tuple: f32, f64 or an array of these with static sizes, then a state.
    ```mlir
    %t = lambda.rng.uniform %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
    ```
  }];
  let arguments = (ins AnyType:$state);
}

def Lambda_RngNormalOp : Lambda_PureOp<"rng.normal"> {
  let summary = "Random numbers of the standard normal distribution";
  let description = [{
    As `lambda.rng.uniform`; the Box-Muller transform maps two uniform numbers of one block to two normal numbers.
    - (C1) `state` is a state. The result is a tuple: f32, f64 or an array of these with static sizes, then a state.
    ```mlir
    %t = lambda.rng.normal %r : (!lambda.rng) -> tuple<tensor<4xf64>, !lambda.rng>
    ```
  }];
  let arguments = (ins AnyType:$state);
}

def Lambda_RngSplitOp : Lambda_PureOp<"rng.split"> {
  let summary = "Two independent states";
  let description = [{
    The states of streams 2s+1 and 2s+2 at block 0, where s is the stream of `state`.
    - (C1) `state` is a state, and the result is a tuple of two states.
    ```mlir
    %t = lambda.rng.split %r : (!lambda.rng) -> tuple<!lambda.rng, !lambda.rng>
    ```
  }];
  let arguments = (ins AnyType:$state);
}

def Lambda_PrintOp : Lambda_EffectOp<"print"> {
  let summary = "Values on the standard output";
  let description = [{
    Prints a line with the values, after the effects that `token` orders.
    - (C1) `token` and the result are tokens.
    ```mlir
    %t1 = lambda.print %t0, %x : (!lambda.token, f64) -> !lambda.token
    ```
  }];
  let arguments = (ins AnyType:$token, Variadic<AnyType>:$values);
  let results = (outs AnyType:$next);
}

def Lambda_ReadOp : Lambda_EffectOp<"read"> {
  let summary = "A number from the standard input";
  let description = [{
    Reads the number on the next line, after the effects that `token` orders.
    - (C1) `token` is a token, and the result is a tuple of a scalar and a token.
    ```mlir
    %y = lambda.read %t0 : (!lambda.token) -> tuple<f64, !lambda.token>
    ```
  }];
  let arguments = (ins AnyType:$token);
  let results = (outs AnyType:$y);
}

def Lambda_TokenOp : Lambda_PureOp<"token"> {
  let summary = "The initial token";
  let description = [{
    - (C1) The result is a token.
    ```mlir
    %t0 = lambda.token : () -> !lambda.token
    ```
  }];
  let arguments = (ins);
}

def Lambda_JoinTokensOp : Lambda_PureOp<"join_tokens"> {
  let summary = "Join of tokens of unordered effects";
  let description = [{
    - (C1) All operands and the result are tokens.
    ```mlir
    %t3 = lambda.join_tokens %t1, %t2 : (!lambda.token, !lambda.token) -> !lambda.token
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$tokens);
}

//===-- message passing -----------------------------------------------------------------------------------------===//

def Lambda_ChannelOp : Lambda_EffectOp<"channel"> {
  let summary = "A new channel";
  let description = [{
    A channel for values of one type. With `buffer` 0, a sender waits until its value is received; otherwise it waits
    while the channel contains `buffer` values. Values are transferred to the device `dest` if it is given. `arrays`
    states that the type, while it is open, is an array type.
    - (C1) `token` is a token, and the result is a tuple of a channel and a token.
    - (C2) `buffer` is not negative, and `dest` is a device, `cpu:N` or `gpu:N`.
    ```mlir
    %c = lambda.channel %t0 {buffer = 2} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
    ```
  }];
  let arguments = (ins AnyType:$token, DefaultValuedAttr<I64Attr, "0">:$buffer, OptionalAttr<StrAttr>:$dest, UnitAttr:$arrays);
  let results = (outs AnyType:$y);
}

def Lambda_SendOp : Lambda_EffectOp<"send"> {
  let summary = "Send to a channel";
  let description = [{
    Sends `value`, and waits as `lambda.channel` defines. If the channel is closed, the program stops with the error
    `closed-channel`.
    - (C1) `token` and the result are tokens.
    - (C2) `channel` is a channel of values of the type of `value`.
    ```mlir
    %t1 = lambda.send %t0, %c, %x : (!lambda.token, !lambda.chan<f64>, f64) -> !lambda.token
    ```
  }];
  let arguments = (ins AnyType:$token, AnyType:$channel, AnyType:$value);
  let results = (outs AnyType:$next);
}

def Lambda_RecvOp : Lambda_EffectOp<"recv"> {
  let summary = "Receive from a channel";
  let description = [{
    Waits for a value. If the channel is closed and empty, the program stops with the error `closed-channel`.
    - (C1) `token` is a token, and the result is a tuple of a value and a token.
    - (C2) `channel` is a channel of values of that type.
    ```mlir
    %y = lambda.recv %t0, %c : (!lambda.token, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
    ```
  }];
  let arguments = (ins AnyType:$token, AnyType:$channel);
  let results = (outs AnyType:$y);
}

def Lambda_CloseOp : Lambda_EffectOp<"close"> {
  let summary = "Close a channel";
  let description = [{
    Values in the channel can still be received.
    - (C1) `token` and the result are tokens.
    - (C2) `channel` is a channel.
    ```mlir
    %t1 = lambda.close %t0, %c : (!lambda.token, !lambda.chan<f64>) -> !lambda.token
    ```
  }];
  let arguments = (ins AnyType:$token, AnyType:$channel);
  let results = (outs AnyType:$next);
}

def Lambda_SpawnOp : Mlopt_SymbolUserOp<Lambda_Dialect, "spawn"> {
  let summary = "A new task";
  let description = [{
    Starts a function on `device` with a token and values as its arguments. The function is `callee`, a function of the
    module, with `inputs` as the values, or, without `callee`, the first of `inputs`, with the others as the values.
    With `nocopy` the values are not copied to the device.
    - (C1) `token` is a token, and the result is a tuple of a task and a token.
    - (C2) The function takes a token and then the values, and its result is that of the task.
    - (C3) `device` is `cpu:N` or `gpu:N`.
    ```mlir
    %h = lambda.spawn %t0, %f, %x {device = "cpu:1"} : (!lambda.token, (!lambda.token, f64) -> !lambda.token, f64) -> tuple<!lambda.task<!lambda.token>, !lambda.token>
    ```
  }];
  let arguments = (ins AnyType:$token, Variadic<AnyType>:$inputs, OptionalAttr<FlatSymbolRefAttr>:$callee, StrAttr:$device, UnitAttr:$nocopy);
  let results = (outs AnyType:$y);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Lambda_JoinOp : Lambda_EffectOp<"join"> {
  let summary = "The result of a task";
  let description = [{
    Waits for the end of the task. An error in the task is an error of this op.
    - (C1) `token` is a token, and the result is a tuple of a value and a token.
    - (C2) `task` is a task with a result of that type.
    ```mlir
    %y = lambda.join %t1, %task : (!lambda.token, !lambda.task<f64>) -> tuple<f64, !lambda.token>
    ```
  }];
  let arguments = (ins AnyType:$token, AnyType:$task);
  let results = (outs AnyType:$y);
}

def Lambda_TransferOp : Lambda_PureOp<"transfer"> {
  let summary = "A value on another device";
  let description = [{
    - (C1) The result has the type of `x`, and `device` is `cpu:N` or `gpu:N`.
    ```mlir
    %y = lambda.transfer %x {device = "cpu:1"} : (f64) -> f64
    ```
  }];
  let arguments = (ins AnyType:$x, StrAttr:$device);
}

#endif // MLOPT_LAMBDA_TD
