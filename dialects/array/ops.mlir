// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// RUN: mlopt %s --emit-bytecode | mlopt | FileCheck %s
// Every op of `array`, in each of its spellings, is preserved by printing, the generic form and bytecode.

// Integers where the result type is static, operands where it is `?`; several arrays at once; array elements.
// CHECK-LABEL: func.func @build
// CHECK-SAME:    %[[N:.*]]: index
func.func @build(%n: index, %row: tensor<3xf32>) -> (tensor<4x?xindex>, tensor<?xf64>, tensor<?xi1>, tensor<2x3xf32>) {
  // CHECK: array.build (%{{.*}} < 4, %{{.*}} < %[[N]]) -> (tensor<4x?xindex>) {
  // CHECK:   array.yield %{{.*}} : index
  %a = array.build (%i < 4, %j < %n) -> (tensor<4x?xindex>) {
    %s = arith.addi %i, %j : index
    array.yield %s : index
  }
  // CHECK: %{{.*}}:2 = array.build (%{{.*}} < %[[N]]) -> (tensor<?xf64>, tensor<?xi1>) {
  // CHECK:   array.yield %{{.*}}, %{{.*}} : f64, i1
  %b, %c = array.build (%i < %n) -> (tensor<?xf64>, tensor<?xi1>) {
    %x = dual.one : f64
    %p = arith.cmpi eq, %i, %n : index
    array.yield %x, %p : f64, i1
  }
  // CHECK: array.build (%{{.*}} < 2) -> (tensor<2x3xf32>) {
  // CHECK:   array.yield %{{.*}} : tensor<3xf32>
  %d = array.build (%i < 2) -> (tensor<2x3xf32>) {
    array.yield %row : tensor<3xf32>
  }
  return %a, %b, %c, %d : tensor<4x?xindex>, tensor<?xf64>, tensor<?xi1>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @ifold
// CHECK-SAME:    %[[N:.*]]: index, %[[X:.*]]: f64, %[[Y:.*]]: tensor<?xi32>
func.func @ifold(%n: index, %x: f64, %y: tensor<?xi32>) -> (f64, tensor<?xi32>) {
  // CHECK: array.ifold (%{{.*}} < %[[N]]) iter_args(%[[S:.*]] = %[[X]], %[[T:.*]] = %[[Y]]) -> (f64, tensor<?xi32>) {
  // CHECK:   array.yield %[[S]], %[[T]] : f64, tensor<?xi32>
  %s:2 = array.ifold (%i < %n) iter_args(%a = %x, %b = %y) -> (f64, tensor<?xi32>) {
    array.yield %a, %b : f64, tensor<?xi32>
  }
  return %s#0, %s#1 : f64, tensor<?xi32>
}

// CHECK-LABEL: func.func @bulk
func.func @bulk(%x: tensor<4x?x3xf64>, %i: index) -> index {
  // CHECK: array.get %{{.*}}[%{{.*}}, %{{.*}}] : (tensor<4x?x3xf64>) -> tensor<3xf64>
  %a = array.get %x[%i, %i] : (tensor<4x?x3xf64>) -> tensor<3xf64>
  // CHECK: array.get %{{.*}}[%{{.*}}] : (tensor<3xf64>) -> f64
  %b = array.get %a[%i] : (tensor<3xf64>) -> f64
  // CHECK: array.length %{{.*}} axis 1 : tensor<4x?x3xf64>
  %n = array.length %x axis 1 : tensor<4x?x3xf64>
  // CHECK: array.length %{{.*}} : tensor<4x?x3xf64>
  %m = array.length %x : tensor<4x?x3xf64>
  // CHECK: array.sum %{{.*}} : (tensor<4x?x3xf64>) -> tensor<?x3xf64>
  %s = array.sum %x : (tensor<4x?x3xf64>) -> tensor<?x3xf64>
  // CHECK: array.replicate %{{.*}} : (f64) -> tensor<5xf64>
  %r = array.replicate %b : (f64) -> tensor<5xf64>
  // CHECK: array.replicate %{{.*}}, %{{.*}} : (tensor<3xf64>) -> tensor<?x3xf64>
  %q = array.replicate %a, %n : (tensor<3xf64>) -> tensor<?x3xf64>
  // CHECK: array.transpose %{{.*}} [2, 0, 1] : (tensor<4x?x3xf64>) -> tensor<3x4x?xf64>
  %t = array.transpose %x [2, 0, 1] : (tensor<4x?x3xf64>) -> tensor<3x4x?xf64>
  return %m : index
}

// Rows of several arrays, scalars and arrays carried; no rows emitted, some, and nothing carried.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[X:.*]]: tensor<?xf64>, %[[Y:.*]]: tensor<?x3xf32>, %[[A:.*]]: f64, %[[B:.*]]: tensor<3xf32>
func.func @rows(%x: tensor<?xf64>, %y: tensor<?x3xf32>, %a: f64, %b: tensor<3xf32>)
    -> (f64, tensor<3xf32>, f64, tensor<?x3xf32>, tensor<?xf64>, tensor<?xf64>) {
  // CHECK: array.fold (%[[R:.*]] = %[[X]] : tensor<?xf64>, %[[Q:.*]] = %[[Y]] : tensor<?x3xf32>) iter_args(%[[S:.*]] = %[[A]], %[[T:.*]] = %[[B]]) -> (f64, tensor<3xf32>) {
  // CHECK:   array.yield %[[R]], %[[Q]] : f64, tensor<3xf32>
  %s:2 = array.fold (%r = %x : tensor<?xf64>, %q = %y : tensor<?x3xf32>) iter_args(%c = %a, %d = %b) -> (f64, tensor<3xf32>) {
    array.yield %r, %q : f64, tensor<3xf32>
  }
  // CHECK: array.map_accum (%[[R:.*]] = %[[X]] : tensor<?xf64>, %[[Q:.*]] = %[[Y]] : tensor<?x3xf32>) iter_args(%[[S:.*]] = %[[A]]) -> (f64, tensor<?x3xf32>, tensor<?xf64>) {
  // CHECK:   array.yield %[[R]], %[[Q]], %[[S]] : f64, tensor<3xf32>, f64
  %t:3 = array.map_accum (%r = %x : tensor<?xf64>, %q = %y : tensor<?x3xf32>) iter_args(%c = %a) -> (f64, tensor<?x3xf32>, tensor<?xf64>) {
    array.yield %r, %q, %c : f64, tensor<3xf32>, f64
  }
  // CHECK: array.map_accum (%[[R:.*]] = %[[X]] : tensor<?xf64>) iter_args() -> (tensor<?xf64>) {
  %u = array.map_accum (%r = %x : tensor<?xf64>) iter_args() -> (tensor<?xf64>) {
    array.yield %r : f64
  }
  return %s#0, %s#1, %t#0, %t#1, %t#2, %u : f64, tensor<3xf32>, f64, tensor<?x3xf32>, tensor<?xf64>, tensor<?xf64>
}

// CHECK-LABEL: func.func @access
func.func @access(%x: tensor<4x3xf64>, %z: tensor<?x3xf64>, %p: f64, %i: index, %n: index) {
  // CHECK: array.gather %{{.*}} : tensor<4x3xf64> (%[[I:.*]] < 2, %[[J:.*]] < %{{.*}}) -> (tensor<2x?xf64>) {
  // CHECK:   array.yield %[[J]], %[[I]] : index, index
  %a = array.gather %x : tensor<4x3xf64> (%k < 2, %l < %n) -> (tensor<2x?xf64>) {
    array.yield %l, %k : index, index
  }
  // CHECK: array.gather %{{.*}} : tensor<4x3xf64> (%[[I:.*]] < 2) -> (tensor<2x3xf64>) {
  // CHECK:   array.yield %[[I]] : index
  %b = array.gather %x : tensor<4x3xf64> (%k < 2) -> (tensor<2x3xf64>) {
    array.yield %k : index
  }
  // CHECK: array.scatter %{{.*}} into %{{.*}} : tensor<4x3xf64> into tensor<?x3xf64> (%[[I:.*]]) {
  // CHECK:   array.yield %[[I]] : index
  %c = array.scatter %x into %z : tensor<4x3xf64> into tensor<?x3xf64> (%k) {
    array.yield %k : index
  }
  // CHECK: array.scatter %{{.*}} into %{{.*}} : tensor<4x3xf64> into tensor<?x3xf64> (%[[I:.*]], %[[J:.*]]) {
  %d = array.scatter %x into %z : tensor<4x3xf64> into tensor<?x3xf64> (%k, %l) {
    array.yield %l, %k : index, index
  }
  // CHECK: array.scatter %{{.*}} into %{{.*}} : f64 into tensor<?x3xf64> () {
  %e = array.scatter %p into %z : f64 into tensor<?x3xf64> () {
    array.yield %i, %i : index, index
  }
  // CHECK: array.one_hot %{{.*}} at [%{{.*}}] : (f64) -> tensor<4xf64>
  %f = array.one_hot %p at [%i] : (f64) -> tensor<4xf64>
  // CHECK: array.one_hot %{{.*}} at [%{{.*}}, %{{.*}}] sizes(%{{.*}}) : (tensor<4x3xf64>) -> tensor<5x?x4x3xf64>
  %g = array.one_hot %x at [%i, %i] sizes(%n) : (tensor<4x3xf64>) -> tensor<5x?x4x3xf64>
  // CHECK: array.slice %{{.*}} from %{{.*}} : (tensor<4x3xf64>) -> tensor<2x3xf64>
  %h = array.slice %x from %i : (tensor<4x3xf64>) -> tensor<2x3xf64>
  // CHECK: array.slice %{{.*}} from %{{.*}} size %{{.*}} : (tensor<4x3xf64>) -> tensor<?x3xf64>
  %j = array.slice %x from %i size %n : (tensor<4x3xf64>) -> tensor<?x3xf64>
  // CHECK: array.reverse %{{.*}} : tensor<?x3xf64>
  %m = array.reverse %z : tensor<?x3xf64>
  return
}

// The outermost axis and the absence of flags are defaults that are not printed.
// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<4x?x3xf32>, %k: tensor<7xi32>) {
  // CHECK: array.sum %{{.*}} : (tensor<4x?x3xf32>) -> tensor<?x3xf32>
  %a = array.sum %x axes [0] fastmath<none> : (tensor<4x?x3xf32>) -> tensor<?x3xf32>
  // CHECK: array.sum %{{.*}} axes [0, 2] fastmath<reassoc,contract> : (tensor<4x?x3xf32>) -> tensor<?xf32>
  %b = array.sum %x axes [0, 2] fastmath<reassoc,contract> : (tensor<4x?x3xf32>) -> tensor<?xf32>
  // CHECK: array.prod %{{.*}} axes [1] : (tensor<4x?x3xf32>) -> tensor<4x3xf32>
  %c = array.prod %x axes [1] : (tensor<4x?x3xf32>) -> tensor<4x3xf32>
  // CHECK: array.max %{{.*}} axes [0, 1, 2] fastmath<nnan> : (tensor<4x?x3xf32>) -> f32
  %d = array.max %x axes [0, 1, 2] fastmath<nnan> : (tensor<4x?x3xf32>) -> f32
  // CHECK: array.min %{{.*}} : (tensor<7xi32>) -> i32
  %e = array.min %k : (tensor<7xi32>) -> i32
  // CHECK: array.argmax %{{.*}} : (tensor<7xi32>) -> index
  %f = array.argmax %k axis 0 : (tensor<7xi32>) -> index
  // CHECK: array.argmin %{{.*}} axis 2 : (tensor<4x?x3xf32>) -> tensor<4x?xindex>
  %g = array.argmin %x axis 2 : (tensor<4x?x3xf32>) -> tensor<4x?xindex>
  return
}

// CHECK-LABEL: func.func @arrange
func.func @arrange(%x: tensor<4x3xi64>, %y: tensor<?x3xi64>, %b: i1, %n: index) {
  // CHECK: array.reshape %{{.*}} : (tensor<4x3xi64>) -> tensor<2x6xi64>
  %a = array.reshape %x : (tensor<4x3xi64>) -> tensor<2x6xi64>
  // CHECK: array.reshape %{{.*}} sizes(%{{.*}}, %{{.*}}) : (tensor<?x3xi64>) -> tensor<?x?xi64>
  %c = array.reshape %y sizes(%n, %n) : (tensor<?x3xi64>) -> tensor<?x?xi64>
  // CHECK: array.reshape %{{.*}} : (i1) -> tensor<1x1xi1>
  %d = array.reshape %b : (i1) -> tensor<1x1xi1>
  // CHECK: array.stack %{{.*}} : (i1) -> tensor<1xi1>
  %e = array.stack %b : (i1) -> tensor<1xi1>
  // CHECK: array.stack %{{.*}}, %{{.*}} : (tensor<?x3xi64>, tensor<?x3xi64>) -> tensor<2x?x3xi64>
  %f = array.stack %y, %y : (tensor<?x3xi64>, tensor<?x3xi64>) -> tensor<2x?x3xi64>
  // CHECK: array.append %{{.*}}, %{{.*}} : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<8x3xi64>
  %g = array.append %x, %x : (tensor<4x3xi64>, tensor<4x3xi64>) -> tensor<8x3xi64>
  // CHECK: array.append %{{.*}}, %{{.*}} : (tensor<4x3xi64>, tensor<?x3xi64>) -> tensor<?x3xi64>
  %h = array.append %x, %y : (tensor<4x3xi64>, tensor<?x3xi64>) -> tensor<?x3xi64>
  // CHECK: array.iota : tensor<4xindex>
  %i = array.iota : tensor<4xindex>
  // CHECK: array.iota %{{.*}} : tensor<?xindex>
  %j = array.iota %n : tensor<?xindex>
  return
}

// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%x: tensor<4x3xi64>, %i: index, %k: i32, %f: tensor<?xf32>, %g: f64) {
  // CHECK: array.div %{{.*}}, %{{.*}} : tensor<4x3xi64>
  %a = array.div %x, %x : tensor<4x3xi64>
  // CHECK: array.div %{{.*}}, %{{.*}} : i32
  %b = array.div %k, %k : i32
  // CHECK: array.mod %{{.*}}, %{{.*}} : index
  %c = array.mod %i, %i : index
  // CHECK: array.floor %{{.*}} : (tensor<?xf32>) -> tensor<?xi32>
  %d = array.floor %f : (tensor<?xf32>) -> tensor<?xi32>
  // CHECK: array.floor %{{.*}} : (f64) -> index
  %e = array.floor %g : (f64) -> index
  return
}

// CHECK-LABEL: func.func @vmap
func.func @vmap(%x: tensor<4x?xf64>, %w: tensor<?xf64>, %v: tensor<?xf64>) -> (tensor<?xf64>, tensor<?x4xf64>, tensor<4xf64>) {
  // CHECK: array.vmap @scaled(%{{.*}}, %{{.*}}) in_axes [1, -1] : (tensor<4x?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?x4xf64>)
  %a:2 = array.vmap @scaled(%x, %w) in_axes [1, -1] : (tensor<4x?xf64>, tensor<?xf64>) -> (tensor<?xf64>, tensor<?x4xf64>)
  // CHECK: array.vmap @first(%{{.*}}) : (tensor<4x?xf64>) -> tensor<4xf64>
  %b = array.vmap @first(%x) : (tensor<4x?xf64>) -> tensor<4xf64>
  return %a#0, %a#1, %b : tensor<?xf64>, tensor<?x4xf64>, tensor<4xf64>
}

func.func @scaled(%x: tensor<4xf64>, %w: tensor<?xf64>) -> (f64, tensor<4xf64>) {
  %s = array.sum %w : (tensor<?xf64>) -> f64
  return %s, %x : f64, tensor<4xf64>
}

func.func @first(%x: tensor<?xf64>) -> f64 {
  %i = arith.constant 0 : index
  %z = array.get %x[%i] : (tensor<?xf64>) -> f64
  return %z : f64
}

// CHECK-LABEL: func.func @checks
func.func @checks(%ok: i1, %i: i64, %n: index) {
  // CHECK: array.same_size %{{.*}}, %{{.*}}, "operands of 'arith.addf' have different sizes"
  array.same_size %n, %n, "operands of 'arith.addf' have different sizes"
  // CHECK: array.check %{{.*}}, "index-out-of-bounds", "index {} of extent {}"(%{{.*}}, %{{.*}} : i64, index)
  array.check %ok, "index-out-of-bounds", "index {} of extent {}"(%i, %n : i64, index)
  // CHECK: array.check %{{.*}}, "too-large", "it is too large"
  array.check %ok, "too-large", "it is too large"
  return
}

// Every type of integers.
// CHECK-LABEL: func.func @integers
func.func @integers(%x: tensor<?xi8>, %y: i16) -> (i8, tensor<2xi16>, tensor<3xi8>) {
  // CHECK: arith.constant -128 : i8
  %a = arith.constant -128 : i8
  // CHECK: arith.constant dense<[1, -1, 127]> : tensor<3xi8>
  %b = arith.constant dense<[1, -1, 127]> : tensor<3xi8>
  // CHECK: arith.constant dense<-300> : tensor<2xi16>
  %c = arith.constant dense<-300> : tensor<2xi16>
  // CHECK: array.max %{{.*}} : (tensor<?xi8>) -> i8
  %d = array.max %x : (tensor<?xi8>) -> i8
  // CHECK: array.div %{{.*}}, %{{.*}} : i8
  %e = array.div %d, %a : i8
  // CHECK: array.stack %{{.*}}, %{{.*}} : (i16, i16) -> tensor<2xi16>
  %f = array.stack %y, %y : (i16, i16) -> tensor<2xi16>
  %g = arith.muli %f, %c : tensor<2xi16>
  return %e, %g, %b : i8, tensor<2xi16>, tensor<3xi8>
}

// The floats of 16 bits.
// CHECK-LABEL: func.func @halves
func.func @halves(%x: tensor<?xbf16>, %y: f16) -> (bf16, tensor<2xf16>, tensor<2xbf16>) {
  // CHECK: arith.constant dense<[1.000000e+00, -2.500000e+00]> : tensor<2xbf16>
  %a = arith.constant dense<[1.0, -2.5]> : tensor<2xbf16>
  // CHECK: array.sum %{{.*}} : (tensor<?xbf16>) -> bf16
  %b = array.sum %x : (tensor<?xbf16>) -> bf16
  // CHECK: array.stack %{{.*}}, %{{.*}} : (f16, f16) -> tensor<2xf16>
  %c = array.stack %y, %y : (f16, f16) -> tensor<2xf16>
  return %b, %c, %a : bf16, tensor<2xf16>, tensor<2xbf16>
}
