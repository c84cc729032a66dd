// RUN: mlopt %s --verify-diagnostics --split-input-file
// One rejected program for each numbered constraint of `stream.td`, and for the syntax.

// expected-error @+1 {{'stream.node' op (C1) expected 1 name in `inputs`, found 0}}
"stream.node"() <{sym_name = "f", function_type = (f64) -> (), inputs = [], outputs = []}> ({
^bb0(%x: f64):
  "stream.yield"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'stream.node' op (C1) the name of an input must consist of letters, digits and `_`, and must not begin with a digit, found '0'}}
stream.node @f(%0: f64) -> () {
  stream.yield
}

// -----

// expected-error @+1 {{'stream.node' op (C1) inputs and outputs must have different names, found 'x' twice}}
stream.node @f(%x: f64) -> (x: f64) {
  stream.yield %x : f64
}

// -----

// expected-error @+1 {{'stream.node' op (C2) region arguments must have types [f64], found [f32]}}
"stream.node"() <{sym_name = "f", function_type = (f64) -> (), inputs = ["x"], outputs = []}> ({
^bb0(%x: f32):
  "stream.yield"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'stream.node' op (C3) the region must end in 'stream.yield'}}
"stream.node"() <{sym_name = "f", function_type = () -> (), inputs = [], outputs = []}> ({
  %c = arith.constant 1.0 : f64
}) : () -> ()

// -----

// expected-error @+1 {{'stream.node' op (C3) the region must yield values of types [f64], found [f32]}}
stream.node @f(%x: f32) -> (y: f64) {
  stream.yield %x : f32
}

// -----

// expected-error @+1 {{'stream.node' op (C4) parameters, initial values and instances must have different names, found 'k' twice}}
stream.node @f(%x: f64) -> (y: f64) {
  %k = stream.param "k" %x : f64
  %y = stream.param "k" %k : f64
  stream.yield %y : f64
}

// -----

// expected-error @+1 {{'stream.node' op (C5) the attribute `stream.segment_constant` requires `stream.boundary`, the name of the input that ends sequences; found none}}
stream.node @f(%x: f64, %bp: i1) -> (y: f64) {
  stream.yield %x : f64
} {stream.segment_constant = ["bp"]}

// -----

// expected-error @+1 {{'stream.node' op (C5) the attribute `stream.segment_constant` must name an input of this node, found 'pb'}}
stream.node @f(%x: f64, %bp: i1, %end: i1) -> (y: f64) {
  stream.yield %x : f64
} {stream.boundary = "end", stream.segment_constant = ["pb"]}

// -----

// expected-error @+1 {{'stream.node' op (C5) the input 'x', which the attribute `stream.boundary` names, must have type i1, found f64}}
stream.node @f(%x: f64) -> (y: f64) {
  stream.yield %x : f64
} {stream.boundary = "x"}

// -----

// expected-error @+1 {{'stream.node' op the attribute `stream.boundary` must be of type string, found 3 : i64}}
stream.node @f(%x: f64) -> (y: f64) {
  stream.yield %x : f64
} {stream.boundary = 3 : i64}

// -----

stream.node @f(%x: f64) -> (y: f64) {
  // expected-error @+1 {{'stream.instance' op (C1) there is no node `@g` in this module; define it, or correct `callee`}}
  %y = stream.instance "y" @g(%x) : (f64) -> f64
  stream.yield %y : f64
}

// -----

stream.node @f(%x: f64) -> (y: f64) {
  // expected-error @+1 {{'stream.instance' op (C2) operands must have types [f32], found [f64]}}
  %y = stream.instance "y" @g(%x) : (f64) -> f64
  stream.yield %y : f64
}
stream.node @g(%x: f32) -> (y: f32) {
  stream.yield %x : f32
}

// -----

stream.node @f(%p: tensor<2xf64>, %rate: f32) -> (y: tensor<2xf64>) {
  // expected-error @+1 {{'stream.instance' op (C2) the type of the optimiser `@adam` must be `(T, T, e) -> T`, where `e` is a float type, and `T` is `e` or a tensor of `e` of static sizes, found [tensor<2xf64>, tensor<2xf64>, f32] -> [tensor<2xf64>]}}
  %y = stream.instance "y" @adam(%p, %p, %rate) : (tensor<2xf64>, tensor<2xf64>, f32) -> tensor<2xf64>
  stream.yield %y : tensor<2xf64>
}

// -----

stream.node @f(%x: f64) -> (y: f64) {
  // expected-error @+1 {{'stream.div' op (C1) the operands must be integers, wider than one bit, found f64}}
  %y = stream.div %x, %x : f64
  stream.yield %y : f64
}

// -----

func.func @f(%x: f64) -> f64 {
  // expected-error @+1 {{'stream.post' op expects parent op 'stream.node'}}
  %y = stream.post %x : f64
  return %y : f64
}

// -----

// expected-error @+1 {{'stream.node' op the attribute `stream.truncate` must be of type string or integer, found @x}}
stream.node @truncate_type(%x: f64) -> (y: f64) {
  stream.yield %x : f64
} {stream.truncate = @x}

// -----

// expected-error @+1 {{'stream.node' op the attribute `stream.truncate` must be of type string or integer, found 5.000000e-01 : f64}}
stream.node @half(%x: f64) -> (y: f64) {
  %y = arith.mulf %x, %x : f64
  stream.yield %y : f64
} {stream.truncate = 0.5}

// -----

// expected-error @+1 {{'stream.node' op (A1) the attribute `stream.truncate` must be a positive number of cycles, found 0 : i64}}
stream.node @never(%x: f64) -> (y: f64) {
  stream.yield %x : f64
} {stream.truncate = 0}

// -----

func.func @clock_place(%x: f64) -> f64 {
  // expected-error @+1 {{'arith.negf' op (A3) must not have the attribute `stream.clock`, which belongs on an equation of a 'stream.node'}}
  %y = arith.negf %x {stream.clock = []} : f64
  return %y : f64
}

// -----

// The node is verified before the ops of its body.
stream.node @name_of_a_parameter(%init: f64) -> (k: f64) {
  // expected-error @+1 {{'stream.param' op requires attribute 'param_name'}}
  %k = "stream.param"(%init) : (f64) -> f64
  stream.yield %k : f64
}
