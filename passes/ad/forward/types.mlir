// RUN: not mlopt %s --differentiate --split-input-file 2>&1 | FileCheck %s
// A dependence must not be lost in values that carry no derivative.

// CHECK: error: 'vector.splat' op cannot be differentiated: values of type vector<4xf64> have no derivative
// CHECK: note: the value reaches the result through 'arith.mulf'
// CHECK: note: the value reaches the result through 'vector.reduction'
func.func @vectors(%x: f64) -> f64 {
  %a = math.exp %x : f64
  %v = vector.splat %a : vector<4xf64>
  %s = vector.reduction <add>, %v : vector<4xf64> into f64
  %z = arith.mulf %s, %a : f64
  return %z : f64
}
func.func @vectors_gradient(%x: f64) -> f64 {
  %d = dual.grad @vectors(%x) : (f64) -> f64
  return %d : f64
}

// -----

// CHECK: error: 'arith.truncf' op cannot be differentiated: values of type f8E5M2 have no derivative
func.func @halves(%x: f64) -> f64 {
  %h = arith.truncf %x : f64 to f8E5M2
  %s = arith.mulf %h, %h : f8E5M2
  %z = arith.extf %s : f8E5M2 to f64
  return %z : f64
}
func.func @halves_gradient(%x: f64) -> f64 {
  %d = dual.grad @halves(%x) mode reverse : (f64) -> f64
  return %d : f64
}

// -----

// CHECK: error: 'memref.store' op cannot be differentiated: values of type memref<1xf64> have no derivative
func.func @memory(%x: f64) -> f64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = memref.alloc() : memref<1xf64>
  scf.for %i = %zero to %one step %one {
    %y = math.exp %x : f64
    memref.store %y, %m[%i] : memref<1xf64>
  }
  %z = memref.load %m[%zero] : memref<1xf64>
  return %z : f64
}
func.func @memory_gradient(%x: f64) -> f64 {
  %d = dual.grad @memory(%x) : (f64) -> f64
  return %d : f64
}
