// RUN: mlopt %s --verify-diagnostics --split-input-file
// One rejected program for each numbered constraint of `lambda.td`, and several if a constraint has several parts.

func.func @f() {
  // expected-error @+1 {{'lambda.lambda' op (C1) arguments of the region: value #0 must have type f64, found f32}}
  %0 = "lambda.lambda"() ({
  ^bb0(%x: f32):
    "lambda.return"(%x) : (f32) -> ()
  }) : () -> ((f64) -> f32)
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.lambda' op (C1) the result must have a function type, found the open type !lambda.any}}
  %0 = "lambda.lambda"() ({
  ^bb0(%x: f64):
    "lambda.return"(%x) : (f64) -> ()
  }) : () -> !lambda.any
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.lambda' op (C2) returned values: value #0 must have type f32, found f64}}
  %0 = lambda.lambda (%x: f64) -> f32 {
    lambda.return %x : f64
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.lambda' op (C2) the region must end in `lambda.return`}}
  %0 = "lambda.lambda"() ({
  ^bb0(%x: f64):
    %y = arith.negf %x : f64
  }) : () -> ((f64) -> f64)
  return
}

// -----

func.func @f(%c: f64) {
  // expected-error @+1 {{'lambda.letrec' op (C1) the region must contain only 'lambda.lambda' ops, found 'arith.negf'}}
  %0 = lambda.letrec {
    %x = arith.negf %c : f64
    lambda.yield %x : f64
  } : f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.letrec' op (C1) the region must yield each of its functions, in the order of their definitions}}
  %0 = lambda.letrec {
    %g = lambda.lambda (%x: f64) -> f64 {
      lambda.return %x : f64
    }
    %h = lambda.lambda (%x: f64) -> f64 {
      lambda.return %x : f64
    }
    lambda.yield %h : (f64) -> f64
  } : (f64) -> f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.letrec' op (C2) results: value #0 must have type (f64) -> f64, found (f32) -> f32}}
  %0 = lambda.letrec {
    %g = lambda.lambda (%x: f64) -> f64 {
      lambda.return %x : f64
    }
    lambda.yield %g : (f64) -> f64
  } : (f32) -> f32
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.ref' op (C1) there is no function `@missing` in this module; define it, or correct `callee`}}
  %0 = lambda.ref @missing : (f64) -> f64
  return
}

// -----

func.func private @g(f64) -> f64
func.func @f() {
  // expected-error @+1 {{'lambda.ref' op (C1) `f` must have type (f64) -> f64, found (f64) -> f32}}
  %0 = lambda.ref @g : (f64) -> f32
  return
}

// -----

func.func private @g(f64) -> (f64, f64)
func.func @f() {
  // expected-error @+1 {{'lambda.ref' op (C1) `callee` must have one result, found 2}}
  %0 = lambda.ref @g : (f64) -> f64
  return
}

// -----

func.func @f(%g: (f64) -> f64, %x: f32) {
  // expected-error @+1 {{'lambda.apply' op (C1) arguments: value #0 must have type f64, found f32}}
  %0 = "lambda.apply"(%g, %x) : ((f64) -> f64, f32) -> f64
  return
}

// -----

func.func @f(%g: (f64) -> f64, %x: f64) {
  // expected-error @+1 {{'lambda.apply' op (C1) arguments: expected 1, found 2}}
  %0 = "lambda.apply"(%g, %x, %x) : ((f64) -> f64, f64, f64) -> f64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.apply' op (C1) `f` must be a function with one result, found f64}}
  %0 = "lambda.apply"(%x, %x) : (f64, f64) -> f64
  return
}

// -----

func.func @f(%c: i32, %x: f64) {
  // expected-error @+1 {{'lambda.switch' op (C1) `condition` must have type i1, found i32}}
  %0 = lambda.switch %c, %x, %x : (i32, f64, f64) -> f64
  return
}

// -----

func.func @f(%c: i1, %x: f64, %y: f32) {
  // expected-error @+1 {{'lambda.switch' op (C2) `b` must have type f64, found f32}}
  %0 = lambda.switch %c, %x, %y : (i1, f64, f32) -> f64
  return
}

// -----

func.func @f(%c: f64, %x: f64) {
  // expected-error @+1 {{'lambda.if' op (C1) `condition` must have type i1, found f64}}
  %0 = lambda.if %c : f64 -> f64 {
    lambda.yield %x : f64
  } else {
    lambda.yield %x : f64
  }
  return
}

// -----

func.func @f(%c: i1, %x: f64, %y: f32) {
  // expected-error @+1 {{'lambda.if' op (C2) values of `lambda.yield`: value #0 must have type f64, found f32}}
  %0 = lambda.if %c : i1 -> f64 {
    lambda.yield %x : f64
  } else {
    lambda.yield %y : f32
  }
  return
}

// -----

func.func @f(%c: i1, %x: f64) {
  // expected-error @+1 {{'lambda.if' op (C2) the regions must have no arguments}}
  %0 = "lambda.if"(%c) ({
  ^bb0(%y: f64):
    "lambda.yield"(%y) : (f64) -> ()
  }, {
    "lambda.yield"(%x) : (f64) -> ()
  }) : (i1) -> f64
  return
}

// -----

func.func @f(%n: f64, %x: f64) {
  // expected-error @+1 {{'lambda.for' op (C1) `n` must be an integer, found f64}}
  %0 = lambda.for (%i < %n) iter_args(%a = %x) : (f64, f64) -> (f64) {
    lambda.yield %a : f64
  }
  return
}

// -----

func.func @f(%n: i64, %x: f64) {
  // expected-error @+1 {{'lambda.for' op (C1) the region's first argument must have type i64, found index}}
  %0 = "lambda.for"(%n, %x) ({
  ^bb0(%i: index, %a: f64):
    "lambda.yield"(%a) : (f64) -> ()
  }) : (i64, f64) -> f64
  return
}

// -----

func.func @f(%n: i64, %x: f64, %y: f32) {
  // expected-error @+1 {{'lambda.for' op (C2) yielded values: value #0 must have type f64, found f32}}
  %0 = lambda.for (%i < %n) iter_args(%a = %x) : (i64, f64) -> (f64) {
    lambda.yield %y : f32
  }
  return
}

// -----

func.func @f(%n: i64, %x: f64) {
  // expected-error @+1 {{'lambda.for' op (C2) arguments of the region: value #0 must have type f32, found f64}}
  %0 = "lambda.for"(%n, %x) ({
  ^bb0(%i: i64, %a: f64):
    "lambda.yield"(%a) : (f64) -> ()
  }) : (i64, f64) -> f32
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.while' op (C1) values that the condition yields: value #0 must have type i1, found f64}}
  %0 = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
    lambda.yield %a : f64
  } do (%b) {
    lambda.yield %b : f64
  }
  return
}

// -----

func.func @f(%x: f64, %c: i1) {
  // expected-error @+1 {{'lambda.while' op (C2) yielded values: value #0 must have type f64, found i1}}
  %0 = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
    lambda.yield %c : i1
  } do (%b) {
    lambda.yield %c : i1
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.literal' op (C1) `value` must be a constant of type i64, found 2.000000e+00 : f64}}
  %0 = lambda.literal 2.0 : f64 -> i64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.literal' op (C1) `value` must be a number, a Boolean or a string, found unit}}
  %0 = lambda.literal unit -> !lambda.any
  return
}

// -----

func.func @f(%x: f32) {
  // expected-error @+1 {{'lambda.the' op (C1) `x` must have type f64, found f32}}
  %0 = lambda.the %x {type = f64} : (f32) -> f64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.tuple' op (C1) the result must have type tuple<f64, f64>, found tuple<f64>}}
  %0 = lambda.tuple %x, %x : (f64, f64) -> tuple<f64>
  return
}

// -----

// expected-note @+1 {{`tuple` is defined here, with type tuple<f64>}}
func.func @f(%t: tuple<f64>) {
  // expected-error @+1 {{'lambda.get' op (C1) `index`, counted from 0, must be below 1, found 1}}
  %0 = lambda.get %t[1] : (tuple<f64>) -> f64
  return
}

// -----

func.func @f(%t: tuple<f64>) {
  // expected-error @+1 {{'lambda.get' op (C1) the result must have type f64, found f32}}
  %0 = lambda.get %t[0] : (tuple<f64>) -> f32
  return
}

// -----

// expected-note @+1 {{`tuple` is defined here, with type f64}}
func.func @f(%t: f64) {
  // expected-error @+1 {{'lambda.get' op (C1) `tuple` must be a tuple, found f64}}
  %0 = lambda.get %t[0] : (f64) -> f64
  return
}

// -----

func.func @f(%t: tuple<f64>, %x: f32) {
  // expected-error @+1 {{'lambda.tset' op (C1) `value` must have type f64, found f32}}
  %0 = lambda.tset %t[0], %x : (tuple<f64>, f32) -> tuple<f64>
  return
}

// -----

func.func @f(%t: tuple<f64>, %x: f64) {
  // expected-error @+1 {{'lambda.tset' op (C2) the result must have type tuple<f64>, found tuple<f32>}}
  %0 = lambda.tset %t[0], %x : (tuple<f64>, f64) -> tuple<f32>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.record' op (C1) fields: expected 2, found 1}}
  %0 = lambda.record %x : (f64) -> !lambda.record<"P", u: f64, v: f64>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.record' op (C1) a record of type !lambda.any must have the attributes `name` and `fields`, one field per value}}
  %0 = lambda.record %x {name = "P"} : (f64) -> !lambda.any
  return
}

// -----

// expected-note @+1 {{`record` is defined here, with type !lambda.record<"P", u: f64, v: f64>}}
func.func @f(%r: !lambda.record<"P", u: f64, v: f64>) {
  // expected-error @+1 {{'lambda.field' op (C1) unknown-field: `P` must have the field `w`, found only u, v}}
  %0 = lambda.field %r["w"] : (!lambda.record<"P", u: f64, v: f64>) -> f64
  return
}

// -----

func.func @f(%r: !lambda.record<"P", u: f64, v: f64>, %x: f32) {
  // expected-error @+1 {{'lambda.with' op (C1) `value` must have type f64, found f32}}
  %0 = lambda.with %r["u"], %x : (!lambda.record<"P", u: f64, v: f64>, f32) -> !lambda.record<"P", u: f64, v: f64>
  return
}

// -----

func.func @f(%r: !lambda.record<"P", u: f64, v: f64>, %x: f64) {
  // expected-error @+1 {{'lambda.with' op (C2) the result must have type !lambda.record<"P", u: f64, v: f64>, found f64}}
  %0 = lambda.with %r["u"], %x : (!lambda.record<"P", u: f64, v: f64>, f64) -> f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.nil' op (C1) the result must be a list, found f64}}
  %0 = lambda.nil : () -> f64
  return
}

// -----

func.func @f(%x: f32, %l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.cons' op (C1) `head` must have type f64, found f32}}
  %0 = lambda.cons %x, %l : (f32, !lambda.list<f64>) -> !lambda.list<f64>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.head' op (C1) `list` must be a list, found f64}}
  %0 = lambda.head %x : (f64) -> f64
  return
}

// -----

func.func @f(%l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.tail' op (C1) the result must have type !lambda.list<f64>, found f64}}
  %0 = lambda.tail %l : (!lambda.list<f64>) -> f64
  return
}

// -----

func.func @f(%l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.is_empty' op (C1) the result must have type i1, found i64}}
  %0 = lambda.is_empty %l : (!lambda.list<f64>) -> i64
  return
}

// -----

func.func @f(%l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.length' op (C1) the result must have type i64, found index}}
  %0 = lambda.length %l : (!lambda.list<f64>) -> index
  return
}

// -----

func.func @f(%l: !lambda.list<f64>, %m: !lambda.list<!lambda.list<f64>>) {
  // expected-error @+1 {{'lambda.concat' op (C1) `b` must have type !lambda.list<f64>, found !lambda.list<!lambda.list<f64>>}}
  %0 = lambda.concat %l, %m : (!lambda.list<f64>, !lambda.list<!lambda.list<f64>>) -> !lambda.list<f64>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.to_list' op (C1) `array` must have at least one axis, found f64}}
  %0 = lambda.to_list %x : (f64) -> !lambda.list<f64>
  return
}

// -----

func.func @f(%x: tensor<2x3xf64>) {
  // expected-error @+1 {{'lambda.to_list' op (C1) the values of the result must have type tensor<3xf64>, found f64}}
  %0 = lambda.to_list %x : (tensor<2x3xf64>) -> !lambda.list<f64>
  return
}

// -----

func.func @f(%l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.to_array' op (C1) the rows of the result must have type f64, found f32}}
  %0 = lambda.to_array %l : (!lambda.list<f64>) -> tensor<?xf32>
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.map' op (C1) expected at least one array or list, found none}}
  %0 = lambda.map %g : ((f64) -> f64) -> tensor<3xf64>
  return
}

// -----

func.func @f(%g: (f64, f64) -> f64, %x: tensor<3xf64>, %y: tensor<4xf64>) {
  // expected-error @+1 {{'lambda.map' op (C1) all arrays must have the same shape, found tensor<3xf64> and tensor<4xf64>}}
  %0 = lambda.map %g, %x, %y : ((f64, f64) -> f64, tensor<3xf64>, tensor<4xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @f(%g: (f64) -> i64, %x: tensor<3xf64>) {
  // expected-error @+1 {{'lambda.map' op (C2) the result must have type tensor<3xi64>, found tensor<3xf64>}}
  %0 = lambda.map %g, %x : ((f64) -> i64, tensor<3xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @f(%g: (f64, f64) -> f64, %z: f64, %x: tensor<2x3xf64>) {
  // expected-error @+1 {{'lambda.reduce' op (C1) `dims` must be strictly increasing axes of tensor<2x3xf64>, counted from 0, found [2]}}
  %0 = lambda.reduce %g, %z, %x {dims = array<i64: 2>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%g: (f64) -> f64, %z: f64, %x: tensor<3xf64>) {
  // expected-error @+1 {{'lambda.reduce' op (C2) `f` must have type (f64, f64) -> f64, found (f64) -> f64}}
  %0 = lambda.reduce %g, %z, %x {dims = array<i64: 0>} : ((f64) -> f64, f64, tensor<3xf64>) -> f64
  return
}

// -----

func.func @f(%g: (f64, f64) -> f64, %z: f64, %x: tensor<2x3xf64>) {
  // expected-error @+1 {{'lambda.reduce' op (C3) the result must have type tensor<3xf64>, found tensor<2xf64>}}
  %0 = lambda.reduce %g, %z, %x {dims = array<i64: 0>} : ((f64, f64) -> f64, f64, tensor<2x3xf64>) -> tensor<2xf64>
  return
}

// -----

func.func @f(%g: (f64, f64) -> f64, %z: f64, %x: f64) {
  // expected-error @+1 {{'lambda.fold' op (C1) `xs` must be a list or an array with at least one axis, found f64}}
  %0 = lambda.fold %g, %z, %x : ((f64, f64) -> f64, f64, f64) -> f64
  return
}

// -----

func.func @f(%g: (f64, f32) -> f64, %z: f64, %l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.fold' op (C2) `f` must have type (f64, f64) -> f64, found (f64, f32) -> f64}}
  %0 = lambda.fold %g, %z, %l : ((f64, f32) -> f64, f64, !lambda.list<f64>) -> f64
  return
}

// -----

func.func @f(%g: (f64, f64) -> f64, %z: f64, %x: f64) {
  // expected-error @+1 {{'lambda.scan' op (C1) `xs` must be a list or an array with at least one axis, found f64}}
  %0 = lambda.scan %g, %z, %x : ((f64, f64) -> f64, f64, f64) -> f64
  return
}

// -----

func.func @f(%g: (f64, f32) -> f64, %z: f64, %l: !lambda.list<f64>) {
  // expected-error @+1 {{'lambda.scan' op (C2) `f` must have type (f64, f64) -> f64, found (f64, f32) -> f64}}
  %0 = lambda.scan %g, %z, %l : ((f64, f32) -> f64, f64, !lambda.list<f64>) -> f64
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.walk' op (C1) expected at least one record, found none}}
  %0 = lambda.walk %g : ((f64) -> f64) -> f64
  return
}

// -----

func.func @f(%g: (f64, f64) -> f64, %p: !lambda.record<"P", u: f64, v: f64>, %q: f64) {
  // expected-error @+1 {{'lambda.walk' op (C1) all records must have type !lambda.record<"P", u: f64, v: f64>, found f64}}
  %0 = lambda.walk %g, %p, %q : ((f64, f64) -> f64, !lambda.record<"P", u: f64, v: f64>, f64) -> !lambda.record<"P", u: f64, v: f64>
  return
}

// -----

// expected-note @+1 {{this index is defined here, with type f64}}
func.func @f(%a: tensor<3xf64>, %i: f64) {
  // expected-error @+1 {{'lambda.aget' op (C1) an index must be an integer, found f64}}
  %0 = lambda.aget %a[%i] : (tensor<3xf64>, f64) -> f64
  return
}

// -----

func.func @f(%a: tensor<3xf64>, %i: i64) {
  // expected-error @+1 {{'lambda.aget' op (C1) `array` must have at least 2 axes, found tensor<3xf64>}}
  %0 = lambda.aget %a[%i, %i] : (tensor<3xf64>, i64, i64) -> f64
  return
}

// -----

func.func @f(%a: tensor<2x3xf64>, %i: i64) {
  // expected-error @+1 {{'lambda.aget' op (C2) the result must have type tensor<3xf64>, found f64}}
  %0 = lambda.aget %a[%i] : (tensor<2x3xf64>, i64) -> f64
  return
}

// -----

func.func @f(%a: tensor<2x3xf64>, %i: i64, %x: f64) {
  // expected-error @+1 {{'lambda.aset' op (C1) `value` must have type tensor<3xf64>, found f64}}
  %0 = lambda.aset %a[%i], %x : (tensor<2x3xf64>, i64, f64) -> tensor<2x3xf64>
  return
}

// -----

func.func @f(%a: tensor<3xf64>, %i: i64, %x: f64) {
  // expected-error @+1 {{'lambda.aset' op (C2) the result must have type tensor<3xf64>, found tensor<4xf64>}}
  %0 = lambda.aset %a[%i], %x : (tensor<3xf64>, i64, f64) -> tensor<4xf64>
  return
}

// -----

func.func @f(%a: tensor<8xf64>, %i: i64) {
  // expected-error @+1 {{'lambda.slice_get' op (C1) expected a begin and a positive stride for each axis of tensor<8xf64>, found 1 begin and strides [0]}}
  %0 = lambda.slice_get %a[%i] {strides = array<i64: 0>} : (tensor<8xf64>, i64) -> tensor<3xf64>
  return
}

// -----

func.func @f(%a: tensor<8xf64>, %i: i64) {
  // expected-error @+1 {{'lambda.slice_get' op (C2) the slice must have 1 axis, and elements of type f64, found tensor<3xf32>}}
  %0 = lambda.slice_get %a[%i] {strides = array<i64: 1>} : (tensor<8xf64>, i64) -> tensor<3xf32>
  return
}

// -----

func.func @f(%a: tensor<8xf64>, %i: i64, %s: tensor<3xf64>) {
  // expected-error @+1 {{'lambda.slice_set' op (C1) `array` must have at least 2 axes, found tensor<8xf64>}}
  %0 = lambda.slice_set %a[%i, %i], %s {strides = array<i64: 1>} : (tensor<8xf64>, i64, i64, tensor<3xf64>) -> tensor<8xf64>
  return
}

// -----

func.func @f(%a: tensor<8xf64>, %i: i64, %s: tensor<3x3xf64>) {
  // expected-error @+1 {{'lambda.slice_set' op (C2) the slice must have 1 axis, and elements of type f64, found tensor<3x3xf64>}}
  %0 = lambda.slice_set %a[%i], %s {strides = array<i64: 1>} : (tensor<8xf64>, i64, tensor<3x3xf64>) -> tensor<8xf64>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.prim' op (C1) `name` must be the name of a primitive, found `exponent`}}
  %0 = lambda.prim "exponent"(%x) : (f64) -> f64
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.prim' op (C1) `+` must have 2 operands, found 1}}
  %0 = lambda.prim "+"(%x) : (f64) -> f64
  return
}

// -----

func.func @f(%x: i64) {
  // expected-error @+1 {{'lambda.check' op (C1) `ok` must have type i1, found i64}}
  %0 = lambda.check %x, %x {code = "assertion", text = "x"} : (i64, i64) -> i64
  return
}

// -----

func.func @f(%c: i1, %x: i64) {
  // expected-error @+1 {{'lambda.check' op (C2) the result must have type i64, found f64}}
  %0 = lambda.check %c, %x {code = "assertion", text = "x"} : (i1, i64) -> f64
  return
}

// -----

func.func @f(%x: i64) {
  // expected-error @+1 {{'lambda.opaque' op (C1) `x` must be a float, found i64}}
  %0 = lambda.opaque %x : (i64) -> i64
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.J' op (C1) the result must have type (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>, found (f64) -> f64}}
  %0 = lambda.J %g : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.Jinv' op (C1) `x` must have type (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>, found (f64) -> f64}}
  %0 = lambda.Jinv %g : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%g: (f64) -> tensor<2xf64>) {
  // expected-error @+1 {{'lambda.grad' op (C1) grad-of-non-scalar: `f` must have one float as its result, found tensor<2xf64>}}
  %0 = lambda.grad %g : ((f64) -> tensor<2xf64>) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%g: (i64) -> f64) {
  // expected-error @+1 {{'lambda.grad' op (C2) grad-of-non-differentiable: argument #0 of `f`, which `wrt` selects, must contain a float, found type i64}}
  %0 = lambda.grad %g : ((i64) -> f64) -> ((i64) -> none)
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.grad' op (C2) `wrt` names argument 1, counted from 0, but `f` has 1 argument}}
  %0 = lambda.grad %g {wrt = array<i64: 1>} : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.grad' op (C3) `g` must have type (f64) -> tuple<f64, f64>, found (f64) -> f64}}
  %0 = lambda.grad %g {value} : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.vjp' op (C1) `f` must be a function with one result, found f64}}
  %0 = lambda.vjp %x : (f64) -> f64
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.vjp' op (C2) `wrt` must be a strictly increasing list of arguments, counted from 0, found [0, 0]}}
  %0 = lambda.vjp %g {wrt = array<i64: 0, 0>} : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.vjp' op (C3) `g` must have type (f64) -> tuple<f64, (f64) -> f64>, found (f64) -> f64}}
  %0 = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%g: ((f64) -> f64) -> f64) {
  // expected-error @+1 {{'lambda.jvp' op (C1) no argument or result of `f` may be a function, found one of type (f64) -> f64}}
  %0 = lambda.jvp %g : (((f64) -> f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.jvp' op (C2) `g` must have type (f64, f64) -> tuple<f64, f64>, found (f64) -> f64}}
  %0 = lambda.jvp %g : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%g: (f64) -> i64) {
  // expected-error @+1 {{'lambda.hvp' op (C1) grad-of-non-scalar: `f` must have one float as its result, found i64}}
  %0 = lambda.hvp %g : ((f64) -> i64) -> ((f64, f64) -> f64)
  return
}

// -----

func.func @f(%g: (i64) -> f64) {
  // expected-error @+1 {{'lambda.hvp' op (C2) `wrt` must select an argument of `f` that contains a float; argument #0 has type i64}}
  %0 = lambda.hvp %g : ((i64) -> f64) -> ((i64, i64) -> i64)
  return
}

// -----

func.func @f(%g: (f64) -> f64) {
  // expected-error @+1 {{'lambda.hvp' op (C3) `g` must have type (f64, f64) -> f64, found (f64) -> f64}}
  %0 = lambda.hvp %g : ((f64) -> f64) -> ((f64) -> f64)
  return
}

// -----

func.func @f(%t: tuple<f64, i64>) {
  // expected-error @+1 {{'lambda.zeros_like' op (C1) the result must have type tuple<f64, none>, found tuple<f64, i64>}}
  %0 = lambda.zeros_like %t : (tuple<f64, i64>) -> tuple<f64, i64>
  return
}

// -----

func.func @f(%a: f64, %b: f32) {
  // expected-error @+1 {{'lambda.gadd' op (C1) `b` must have type f64, found f32}}
  %0 = lambda.gadd %a, %b : (f64, f32) -> f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.env.empty' op (C1) the result must have type !lambda.env, found f64}}
  %0 = lambda.env.empty : () -> f64
  return
}

// -----

func.func @f(%e: !lambda.env, %z: f64) {
  // expected-error @+1 {{'lambda.env.get' op (C1) the result must have type f64, found f32}}
  %0 = lambda.env.get %e["x"], %z : (!lambda.env, f64) -> f32
  return
}

// -----

// expected-note @+1 {{this value is defined here, with type f64}}
func.func @f(%e: f64, %z: f64) {
  // expected-error @+1 {{'lambda.env.set' op (C1) operand #0 must have type !lambda.env, found f64}}
  %0 = lambda.env.set %e["x"], %z : (f64, f64) -> !lambda.env
  return
}

// -----

// expected-note @+1 {{this value is defined here, with type f64}}
func.func @f(%e: !lambda.env, %z: f64) {
  // expected-error @+1 {{'lambda.env.add' op (C1) operand #1 must have type !lambda.env, found f64}}
  %0 = lambda.env.add %e, %z : (!lambda.env, f64) -> !lambda.env
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.stop_gradient' op (C1) the result must have type f64, found f32}}
  %0 = lambda.stop_gradient %x : (f64) -> f32
  return
}

// -----

func.func @f(%form: (f64) -> !lambda.dual<f64>) {
  // expected-error @+1 {{'lambda.pullback' op (C1) the region must have one argument and yield one value, found 2 arguments and 1 value}}
  %0 = lambda.pullback %form (%x: f64, %y: f64) {
    lambda.yield %x : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  return
}

// -----

func.func @f(%form: (f32) -> !lambda.dual<f64>) {
  // expected-error @+1 {{'lambda.pullback' op (C2) `form` must have type (f64) -> !lambda.dual<f64>, found (f32) -> !lambda.dual<f64>}}
  %0 = lambda.pullback %form (%x: f64) {
    lambda.yield %x : f64
  } : ((f32) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  return
}

// -----

func.func @f(%w: !lambda.dual<f64>) {
  // expected-error @+1 {{'lambda.dual' op (C1) the region must be linear in its argument, found 'arith.mulf', which is not linear in values that depend on that argument}}
  %0 = lambda.dual %w (%v: f64) {
    // expected-note @+1 {{the nonlinear value is defined here, with type f64}}
    %y = arith.mulf %v, %v : f64
    lambda.yield %y : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  return
}

// -----

// MLIR verifies nested ops after `lambda.dual`, whose verifier reads them.
func.func @f(%w: !lambda.dual<f64>) {
  %0 = lambda.dual %w (%v: f64) {
    // expected-error @+1 {{'lambda.lambda' op expects region #0 to have 0 or 1 blocks}}
    %f = "lambda.lambda"() ({
    ^first(%x: f64):
    ^second:
      lambda.return %v : f64
    }) : () -> ((f64) -> f64)
    lambda.yield %v : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  return
}

// -----

// Affine is not linear.
func.func @f(%w: !lambda.dual<f64>, %a: f64) {
  // expected-error @+1 {{'lambda.dual' op (C1) the region must be linear in its argument, found 'arith.addf', which is not linear in values that depend on that argument, because an operand that does not depend on it is not zero}}
  %0 = lambda.dual %w (%v: f64) {
    // expected-note @+1 {{the nonlinear value is defined here, with type f64}}
    %y = arith.addf %v, %a : f64
    lambda.yield %y : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  return
}

// -----

// A tuple may combine a linear value with zero, and with nothing else.
func.func @f(%w: !lambda.dual<tuple<f64, f64>>, %a: f64) {
  %zero = dual.zero : f64
  %0 = lambda.dual %w (%v: f64) {
    %y = lambda.tuple %v, %zero : (f64, f64) -> tuple<f64, f64>
    lambda.yield %y : tuple<f64, f64>
  } : (!lambda.dual<tuple<f64, f64>>) -> !lambda.dual<f64>
  // expected-error @+1 {{'lambda.dual' op (C1) the region must be linear in its argument, found 'lambda.tuple', which is not linear in values that depend on that argument, because an operand that does not depend on it is not zero}}
  %1 = lambda.dual %w (%v: f64) {
    // expected-note @+1 {{the nonlinear value is defined here, with type tuple<f64, f64>}}
    %y = lambda.tuple %v, %a : (f64, f64) -> tuple<f64, f64>
    lambda.yield %y : tuple<f64, f64>
  } : (!lambda.dual<tuple<f64, f64>>) -> !lambda.dual<f64>
  return
}

// -----

// expected-note @+1 {{the nonlinear value is defined here, with type f64}}
func.func @f(%w: !lambda.dual<f64>, %a: f64) {
  // expected-error @+1 {{'lambda.dual' op (C1) the region must be linear in its argument, found a nonzero result that does not depend on that argument}}
  %0 = lambda.dual %w (%v: f64) {
    lambda.yield %a : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  return
}

// -----

// A call is linear in its callee, not in its arguments.
func.func @f(%w: !lambda.dual<f64>, %g: (f64) -> f64, %a: f64) {
  %0 = lambda.dual %w (%v: (f64) -> f64) {
    %y = lambda.apply %v(%a) : (f64) -> f64
    lambda.yield %y : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<(f64) -> f64>
  // expected-error @+1 {{'lambda.dual' op (C1) the region must be linear in its argument, found 'lambda.apply', which is not linear in values that depend on that argument}}
  %1 = lambda.dual %w (%v: f64) {
    // expected-note @+1 {{the nonlinear value is defined here, with type f64}}
    %y = lambda.apply %g(%v) : (f64) -> f64
    lambda.yield %y : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  return
}

// -----

// The composition of a functional and a linear map is linear in each, not in both jointly.
func.func @f(%w: !lambda.dual<!lambda.dual<f64>>) {
  // expected-error @+1 {{'lambda.dual' op (C1) the region must be linear in its argument, found 'lambda.dual', which is not linear in values that depend on that argument}}
  %0 = lambda.dual %w (%v: f64) {
    %c = lambda.covector %v : (f64) -> !lambda.dual<f64>
    // expected-note @+1 {{the nonlinear value is defined here, with type !lambda.dual<f64>}}
    %y = lambda.dual %c (%u: f64) {
      %z = arith.mulf %u, %v : f64
      lambda.yield %z : f64
    } : (!lambda.dual<f64>) -> !lambda.dual<f64>
    lambda.yield %y : !lambda.dual<f64>
  } : (!lambda.dual<!lambda.dual<f64>>) -> !lambda.dual<f64>
  return
}

// -----

func.func @f(%w: !lambda.dual<f64>) {
  // expected-error @+1 {{'lambda.dual' op (C2) `functional` must have type !lambda.dual<f32>, found !lambda.dual<f64>}}
  %0 = lambda.dual %w (%v: f32) {
    lambda.yield %v : f32
  } : (!lambda.dual<f64>) -> !lambda.dual<f32>
  return
}

// -----

func.func private @g(f64, f64) -> f64
func.func @f(%v: f64) {
  // expected-error @+1 {{'lambda.jacobian' op (C1) `callee` must have one argument and one result, found 2 arguments and 1 result}}
  %0 = lambda.jacobian @g, %v : (f64) -> ((f64) -> f64)
  return
}

// -----

func.func private @g(f64) -> f64
func.func @f(%v: f64) {
  // expected-error @+1 {{'lambda.jacobian' op (C2) `y` must have type (f64) -> f64, found (f64) -> f32}}
  %0 = lambda.jacobian @g, %v : (f64) -> ((f64) -> f32)
  return
}

// -----

func.func @f(%c: f64) {
  // expected-error @+1 {{'lambda.covector' op (C1) the result must have type !lambda.dual<f64>, found f64}}
  %0 = lambda.covector %c : (f64) -> f64
  return
}

// -----

func.func @f(%w: !lambda.dual<f64>, %v: f32) {
  // expected-error @+1 {{'lambda.pair_with' op (C1) `functional` must have type !lambda.dual<f32>, found !lambda.dual<f64>}}
  %0 = lambda.pair_with %w, %v : (!lambda.dual<f64>, f32) -> f64
  return
}

// -----

func.func @f(%s: f64) {
  // expected-error @+1 {{'lambda.rng.seed' op (C1) `seed` must have type i64, found f64}}
  %0 = lambda.rng.seed %s : (f64) -> !lambda.rng
  return
}

// -----

func.func @f(%r: !lambda.rng) {
  // expected-error @+1 {{'lambda.rng.uniform' op (C1) the result must have type `tuple<T, !lambda.rng>`, where `T` is f32, f64 or an array of these with static sizes, found tuple<tensor<?xf64>, !lambda.rng>}}
  %0 = lambda.rng.uniform %r : (!lambda.rng) -> tuple<tensor<?xf64>, !lambda.rng>
  return
}

// -----

func.func @f(%r: !lambda.rng) {
  // expected-error @+1 {{'lambda.rng.normal' op (C1) the result must have type `tuple<T, !lambda.rng>`, where `T` is f32, f64 or an array of these with static sizes, found tuple<tensor<?xf64>, !lambda.rng>}}
  %0 = lambda.rng.normal %r : (!lambda.rng) -> tuple<tensor<?xf64>, !lambda.rng>
  return
}

// -----

func.func @f(%r: !lambda.rng) {
  // expected-error @+1 {{'lambda.rng.split' op (C1) the result must have type tuple<!lambda.rng, !lambda.rng>, found tuple<!lambda.rng>}}
  %0 = lambda.rng.split %r : (!lambda.rng) -> tuple<!lambda.rng>
  return
}

// -----

// expected-note @+1 {{this value is defined here, with type f64}}
func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.print' op (C1) operand #0 must have type !lambda.token, found f64}}
  %0 = lambda.print %x, %x : (f64, f64) -> !lambda.token
  return
}

// -----

func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.read' op (C1) the result must be a tuple of a value and a token, found f64}}
  %0 = lambda.read %t : (!lambda.token) -> f64
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{'lambda.token' op (C1) the result must have type !lambda.token, found f64}}
  %0 = lambda.token : () -> f64
  return
}

// -----

// expected-note @+1 {{this value is defined here, with type f64}}
func.func @f(%t: !lambda.token, %x: f64) {
  // expected-error @+1 {{'lambda.join_tokens' op (C1) operand #1 must have type !lambda.token, found f64}}
  %0 = lambda.join_tokens %t, %x : (!lambda.token, f64) -> !lambda.token
  return
}

// -----

func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.channel' op (C1) the first value of the result must have type !lambda.chan, found f64}}
  %0 = lambda.channel %t : (!lambda.token) -> tuple<f64, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.channel' op (C2) `buffer` must not be negative, found -1}}
  %0 = lambda.channel %t {buffer = -1} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.channel' op (C2) `dest` must be a device, `cpu:N` or `gpu:N`, found `tpu:0`}}
  %0 = lambda.channel %t {dest = "tpu:0"} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token, %c: !lambda.chan<f64>, %x: f64) {
  // expected-note @+2 {{this value is defined here, with type f64}}
  // expected-error @+1 {{'lambda.send' op (C1) the result must have type !lambda.token, found f64}}
  %0 = lambda.send %t, %c, %x : (!lambda.token, !lambda.chan<f64>, f64) -> f64
  return
}

// -----

func.func @f(%t: !lambda.token, %c: !lambda.chan<f64>, %x: f32) {
  // expected-error @+1 {{'lambda.send' op (C2) `channel` must have type !lambda.chan<f32>, found !lambda.chan<f64>}}
  %0 = lambda.send %t, %c, %x : (!lambda.token, !lambda.chan<f64>, f32) -> !lambda.token
  return
}

// -----

func.func @f(%t: f64, %c: !lambda.chan<f64>) {
  // expected-error @+1 {{'lambda.recv' op (C1) `token` must have type !lambda.token, found f64}}
  %0 = lambda.recv %t, %c : (f64, !lambda.chan<f64>) -> tuple<f64, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token, %c: !lambda.chan<f64>) {
  // expected-error @+1 {{'lambda.recv' op (C2) `channel` must have type !lambda.chan<f32>, found !lambda.chan<f64>}}
  %0 = lambda.recv %t, %c : (!lambda.token, !lambda.chan<f64>) -> tuple<f32, !lambda.token>
  return
}

// -----

// expected-note @+1 {{this value is defined here, with type f64}}
func.func @f(%t: f64, %c: !lambda.chan<f64>) {
  // expected-error @+1 {{'lambda.close' op (C1) operand #0 must have type !lambda.token, found f64}}
  %0 = lambda.close %t, %c : (f64, !lambda.chan<f64>) -> !lambda.token
  return
}

// -----

func.func @f(%t: !lambda.token, %c: f64) {
  // expected-error @+1 {{'lambda.close' op (C2) `channel` must have type !lambda.chan, found f64}}
  %0 = lambda.close %t, %c : (!lambda.token, f64) -> !lambda.token
  return
}

// -----

func.func @f(%t: !lambda.token, %g: (!lambda.token, f64) -> f64, %x: f64) {
  // expected-error @+1 {{'lambda.spawn' op (C1) the result must be a tuple of a value and a token, found !lambda.task<f64>}}
  %0 = lambda.spawn %t, %g, %x {device = "cpu:0"} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> !lambda.task<f64>
  return
}

// -----

func.func @f(%t: !lambda.token, %g: (!lambda.token, f64) -> f64, %x: f32) {
  // expected-error @+1 {{'lambda.spawn' op (C2) arguments of the function: value #1 must have type f64, found f32}}
  %0 = lambda.spawn %t, %g, %x {device = "cpu:0"} : (!lambda.token, (!lambda.token, f64) -> f64, f32) -> tuple<!lambda.task<f64>, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token, %g: (!lambda.token, f64) -> f64, %x: f64) {
  // expected-error @+1 {{'lambda.spawn' op (C2) the task must have type !lambda.task<f64>, found !lambda.task<f32>}}
  %0 = lambda.spawn %t, %g, %x {device = "cpu:0"} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> tuple<!lambda.task<f32>, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token, %g: (!lambda.token, f64) -> f64, %x: f64) {
  // expected-error @+1 {{'lambda.spawn' op (C3) `device` must be a device, `cpu:N` or `gpu:N`, found `cpu:x`}}
  %0 = lambda.spawn %t, %g, %x {device = "cpu:x"} : (!lambda.token, (!lambda.token, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token, %k: !lambda.task<f64>) {
  // expected-error @+1 {{'lambda.join' op (C1) the result must be a tuple of a value and a token, found f64}}
  %0 = lambda.join %t, %k : (!lambda.token, !lambda.task<f64>) -> f64
  return
}

// -----

func.func @f(%t: !lambda.token, %k: !lambda.task<f64>) {
  // expected-error @+1 {{'lambda.join' op (C2) `task` must have type !lambda.task<f32>, found !lambda.task<f64>}}
  %0 = lambda.join %t, %k : (!lambda.token, !lambda.task<f64>) -> tuple<f32, !lambda.token>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.transfer' op (C1) the result must have type f64, found f32}}
  %0 = lambda.transfer %x {device = "cpu:1"} : (f64) -> f32
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.transfer' op (C1) `device` must be a device, `cpu:N` or `gpu:N`, found `disk`}}
  %0 = lambda.transfer %x {device = "disk"} : (f64) -> f64
  return
}

// -----

// expected-error @+1 {{'lambda.data' op (C1) `fields` must contain 2 lists of types, one for each variant, found [[f64]]}}
"lambda.data"() {sym_name = "d", alternatives = ["a", "b"], fields = [[f64]]} : () -> ()

// -----

// expected-error @+1 {{'lambda.data' op (C1) variants must have different names, found "a" twice}}
lambda.data @d {a(f64), a()}

// -----

// expected-error @+1 {{'lambda.data' op (C2) a field has type !lambda.data<@missing>, but there is no such `lambda.data` in this module}}
lambda.data @d {a(!lambda.list<!lambda.data<@missing>>)}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.make' op (C1) the result must have a type `!lambda.data`, found f64}}
  %0 = lambda.make a(%x) : (f64) -> f64
  return
}

// -----

func.func @d(%x: f64) {
  // expected-error @+1 {{'lambda.make' op (C1) the result has type !lambda.data<@d>, but there is no such `lambda.data` in this module}}
  %0 = lambda.make a(%x) : (f64) -> !lambda.data<@d>
  return
}

// -----

lambda.data @d {a(f64), b()}
func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.make' op (C1) there is no variant `c`; expected one of a, b}}
  %0 = lambda.make c(%x) : (f64) -> !lambda.data<@d>
  return
}

// -----

lambda.data @d {a(f64), b()}
func.func @f(%x: i64) {
  // expected-error @+1 {{'lambda.make' op (C2) fields: value #0 must have type f64, found i64}}
  %0 = lambda.make a(%x) : (i64) -> !lambda.data<@d>
  return
}

// -----

func.func @f(%x: f64) {
  // expected-error @+1 {{'lambda.case' op (C1) `data` must have a type `!lambda.data`, found f64}}
  %0 = lambda.case %x : f64 -> f64 {}
  return
}

// -----

lambda.data @d {a(f64), b()}
func.func @f(%x: !lambda.data<@d>) {
  // expected-error @+1 {{'lambda.case' op (C1) expected one region for each variant, in the order `a`, `b`; found `a`}}
  %0 = lambda.case %x : !lambda.data<@d> -> f64 {
    a(%y: f64) {
      lambda.yield %y : f64
    }
  }
  return
}

// -----

lambda.data @d {a(f64)}
func.func @f(%x: !lambda.data<@d>, %z: f64) {
  // expected-error @+1 {{'lambda.case' op (C2) arguments of the region of `a`: value #0 must have type f64, found i64}}
  %0 = lambda.case %x : !lambda.data<@d> -> f64 {
    a(%y: i64) {
      lambda.yield %z : f64
    }
  }
  return
}

// -----

lambda.data @d {a(f64)}
func.func @f(%x: !lambda.data<@d>) {
  // expected-error @+1 {{'lambda.case' op (C3) values of `lambda.yield`: value #0 must have type i64, found f64}}
  %0 = lambda.case %x : !lambda.data<@d> -> i64 {
    a(%y: f64) {
      lambda.yield %y : f64
    }
  }
  return
}

// -----

lambda.data @d {a(f64)}
func.func @f(%x: !lambda.data<@d>) {
  // expected-error @+1 {{'lambda.case' op (C3) expected at least one result, found none}}
  "lambda.case"(%x) <{alternatives = ["a"]}> ({
  ^bb0(%y: f64):
    "lambda.yield"() : () -> ()
  }) : (!lambda.data<@d>) -> ()
  return
}

// -----

func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.spawn' op (C2) expected a function, as an operand or as `callee`, found none}}
  %0 = lambda.spawn %t {device = "cpu:0"} : (!lambda.token) -> tuple<!lambda.task<f64>, !lambda.token>
  return
}

// -----

func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.spawn' op (C2) there is no function `@g` in this module; define it, or correct `callee`}}
  %0 = lambda.spawn %t {callee = @g, device = "cpu:0"} : (!lambda.token) -> tuple<!lambda.task<f64>, !lambda.token>
  return
}

// -----

func.func private @g(!lambda.token, f64) -> f64
func.func @f(%t: !lambda.token) {
  // expected-error @+1 {{'lambda.spawn' op (C2) arguments of the function: expected 2, found 1}}
  %0 = lambda.spawn %t {callee = @g, device = "cpu:0"} : (!lambda.token) -> tuple<!lambda.task<f64>, !lambda.token>
  return
}

// -----

// expected-error @+1 {{'llvm.func' op the attribute `lambda.name` must be of type string, found 1 : i64}}
llvm.func @name_type() attributes {lambda.name = 1 : i64}

// -----

// expected-error @+1 {{'llvm.func' op (A1) the attribute `lambda.entry` requires `lambda.name`, the name of the function}}
llvm.func @entry_without_name() attributes {lambda.entry = () -> f64}

// -----

// expected-error @+1 {{'builtin.module' op the attribute `lambda.stops` must be of type list of pairs of strings, found ["a"]}}
module attributes {lambda.stops = ["a"]} {
}

// -----

func.func private @print(f64)
func.func @call_without_results(%g: !lambda.dual<f64>) {
  // expected-error @+1 {{'func.call', which is not linear in values that depend on that argument}}
  %d = "lambda.dual"(%g) ({
   // expected-note @+1 {{the nonlinear value is defined here, with type f64}}
   ^bb0(%a: f64):
    "func.call"(%a) {callee = @print} : (f64) -> ()
    "lambda.yield"(%a) : (f64) -> ()
  }) : (!lambda.dual<f64>) -> (!lambda.dual<f64>)
  return
}

// -----

func.func @member_without_result() {
  // expected-error @+1 {{'lambda.letrec' op (C1) the region must yield each of its functions, in the order of their definitions}}
  %f = "lambda.letrec"() ({
    "lambda.lambda"() ({
    ^bb0(%x: f64):
      "lambda.return"(%x) : (f64) -> ()
    }) : () -> ()
    %g = "lambda.lambda"() ({
    ^bb0(%x: f64):
      "lambda.return"(%x) : (f64) -> ()
    }) : () -> ((f64) -> f64)
    "lambda.yield"(%g) : ((f64) -> f64) -> ()
  }) : () -> ((f64) -> f64)
  return
}
