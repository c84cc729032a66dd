// RUN: mlopt check-calls %s --way plain --way kernels
// Bulk operations as machine code, for every element type. `WITH` replaces the element type.

// WITH: f64 = f64 f32 i32 i64 index
// CALL: @sum random:{n}x3x2xf64:seed=3:uniform=-2,3 for n = 0 1 4
func.func @sum(%x: tensor<?x3x2xf64>)
    -> (tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64) {
  %z0 = array.sum %x axes [0] : (tensor<?x3x2xf64>) -> tensor<3x2xf64>
  %z1 = array.sum %x axes [1] : (tensor<?x3x2xf64>) -> tensor<?x2xf64>
  %z2 = array.sum %x axes [2] : (tensor<?x3x2xf64>) -> tensor<?x3xf64>
  %z3 = array.sum %x axes [0, 1] : (tensor<?x3x2xf64>) -> tensor<2xf64>
  %z4 = array.sum %x axes [0, 2] : (tensor<?x3x2xf64>) -> tensor<3xf64>
  %z5 = array.sum %x axes [1, 2] : (tensor<?x3x2xf64>) -> tensor<?xf64>
  %z6 = array.sum %x axes [0, 1, 2] : (tensor<?x3x2xf64>) -> f64
  return %z0, %z1, %z2, %z3, %z4, %z5, %z6
    : tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64
}

// CALL: @prod random:{n}x3x2xf64:seed=3:uniform=-2,3 for n = 0 1 4
func.func @prod(%x: tensor<?x3x2xf64>)
    -> (tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64) {
  %z0 = array.prod %x axes [0] : (tensor<?x3x2xf64>) -> tensor<3x2xf64>
  %z1 = array.prod %x axes [1] : (tensor<?x3x2xf64>) -> tensor<?x2xf64>
  %z2 = array.prod %x axes [2] : (tensor<?x3x2xf64>) -> tensor<?x3xf64>
  %z3 = array.prod %x axes [0, 1] : (tensor<?x3x2xf64>) -> tensor<2xf64>
  %z4 = array.prod %x axes [0, 2] : (tensor<?x3x2xf64>) -> tensor<3xf64>
  %z5 = array.prod %x axes [1, 2] : (tensor<?x3x2xf64>) -> tensor<?xf64>
  %z6 = array.prod %x axes [0, 1, 2] : (tensor<?x3x2xf64>) -> f64
  return %z0, %z1, %z2, %z3, %z4, %z5, %z6
    : tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64
}

// CALL: @max random:{n}x3x2xf64:seed=3:uniform=-2,3 for n = 0 1 4
func.func @max(%x: tensor<?x3x2xf64>)
    -> (tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64) {
  %z0 = array.max %x axes [0] : (tensor<?x3x2xf64>) -> tensor<3x2xf64>
  %z1 = array.max %x axes [1] : (tensor<?x3x2xf64>) -> tensor<?x2xf64>
  %z2 = array.max %x axes [2] : (tensor<?x3x2xf64>) -> tensor<?x3xf64>
  %z3 = array.max %x axes [0, 1] : (tensor<?x3x2xf64>) -> tensor<2xf64>
  %z4 = array.max %x axes [0, 2] : (tensor<?x3x2xf64>) -> tensor<3xf64>
  %z5 = array.max %x axes [1, 2] : (tensor<?x3x2xf64>) -> tensor<?xf64>
  %z6 = array.max %x axes [0, 1, 2] : (tensor<?x3x2xf64>) -> f64
  return %z0, %z1, %z2, %z3, %z4, %z5, %z6
    : tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64
}

// CALL: @min random:{n}x3x2xf64:seed=3:uniform=-2,3 for n = 0 1 4
func.func @min(%x: tensor<?x3x2xf64>)
    -> (tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64) {
  %z0 = array.min %x axes [0] : (tensor<?x3x2xf64>) -> tensor<3x2xf64>
  %z1 = array.min %x axes [1] : (tensor<?x3x2xf64>) -> tensor<?x2xf64>
  %z2 = array.min %x axes [2] : (tensor<?x3x2xf64>) -> tensor<?x3xf64>
  %z3 = array.min %x axes [0, 1] : (tensor<?x3x2xf64>) -> tensor<2xf64>
  %z4 = array.min %x axes [0, 2] : (tensor<?x3x2xf64>) -> tensor<3xf64>
  %z5 = array.min %x axes [1, 2] : (tensor<?x3x2xf64>) -> tensor<?xf64>
  %z6 = array.min %x axes [0, 1, 2] : (tensor<?x3x2xf64>) -> f64
  return %z0, %z1, %z2, %z3, %z4, %z5, %z6
    : tensor<3x2xf64>, tensor<?x2xf64>, tensor<?x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<?xf64>, f64
}

// The lowest index of equal elements is found.
// CALL: @searches random:{n}x3xf64:seed=1:uniform=-2,3 random:{n}xf64:seed=4:uniform=-2,3 for n = 0 1 6
// CALL: @searches [[1, 2, 0], [1, 0, 0]] [2, 0, 2] -> [0, 0, 0] [1, 0] [0, 1, 0] 0 1
func.func @searches(%x: tensor<?x3xf64>, %y: tensor<?xf64>)
    -> (tensor<3xindex>, tensor<?xindex>, tensor<3xindex>, index, index) {
  %a = array.argmax %x : (tensor<?x3xf64>) -> tensor<3xindex>
  %b = array.argmax %x axis 1 : (tensor<?x3xf64>) -> tensor<?xindex>
  %c = array.argmin %x axis 0 : (tensor<?x3xf64>) -> tensor<3xindex>
  %d = array.argmax %y : (tensor<?xf64>) -> index
  %e = array.argmin %y : (tensor<?xf64>) -> index
  return %a, %b, %c, %d, %e : tensor<3xindex>, tensor<?xindex>, tensor<3xindex>, index, index
}

// CALL: @scatters random:6xf64:seed=1:uniform=-2,3 random:6x2xf64:seed=2:uniform=-2,3 \
//   random:4x2xf64:seed=3:uniform=-2,3 \
//   [0, 3, 3, -1, 4, 3] 2
// CALL: @scatters random:0xf64 random:0x2xf64 random:4x2xf64:seed=3:uniform=-2,3 [] 2
func.func @scatters(%x: tensor<?xf64>, %rows: tensor<?x2xf64>, %init: tensor<4x2xf64>,
      %p: tensor<?xindex>, %a: f64)
    -> (tensor<4x2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<4x2xf64>) {
  %c1 = arith.constant 1 : index
  %cells = array.scatter %x into %init : tensor<?xf64> into tensor<4x2xf64> (%i) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    array.yield %k, %c1 : index, index
  }
  %some = array.scatter %rows into %cells : tensor<?x2xf64> into tensor<4x2xf64> (%i) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    array.yield %k : index
  }
  %one = array.scatter %a into %init : f64 into tensor<4x2xf64> () {
    array.yield %c1, %c1 : index, index
  }
  return %cells, %some, %one, %init : tensor<4x2xf64>, tensor<4x2xf64>, tensor<4x2xf64>, tensor<4x2xf64>
}

// -----

// WITH: f64 = f32 i1 i64
// CALL: @gathers random:4x3xf64 [3, 0, -1, 4, 3] 5
// CALL: @gathers random:0x3xf64 [0, 1] 2
// CALL: @gathers random:4x3xf64 [1] -2
func.func @gathers(%x: tensor<?x3xf64>, %p: tensor<?xindex>, %n: index)
    -> (tensor<?x3xf64>, tensor<?x2xf64>, tensor<4xf64>) {
  %c2 = arith.constant 2 : index
  %rows = array.gather %x : tensor<?x3xf64> (%i < %n) -> (tensor<?x3xf64>) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    array.yield %k : index
  }
  %all = array.gather %x : tensor<?x3xf64> (%i < %n, %j < 2) -> (tensor<?x2xf64>) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %l = arith.muli %j, %c2 : index
    array.yield %k, %l : index, index
  }
  %few = array.gather %rows : tensor<?x3xf64> (%i < 4) -> (tensor<4xf64>) {
    %k = array.mod %i, %c2 : index
    array.yield %k, %i : index, index
  }
  return %rows, %all, %few : tensor<?x3xf64>, tensor<?x2xf64>, tensor<4xf64>
}

// -----

// WITH: f64 = f64 i32 i1
// CALL: @arrangements random:{m}x3xf64 random:2x3xf64:seed=1 {k} {n} \
//   for m,k,n = 4,1,3 0,-1,-3 1,9223372036854775807,2 1,-9223372036854775808,0
func.func @arrangements(%x: tensor<?x3xf64>, %y: tensor<2x3xf64>, %k: index, %n: index)
    -> (tensor<?x3xf64>, tensor<?x3xf64>, tensor<2x3xf64>, tensor<?x3xf64>, tensor<3x2x3xf64>,
        tensor<?xindex>,
        tensor<4xindex>) {
  %a = array.append %x, %y : (tensor<?x3xf64>, tensor<2x3xf64>) -> tensor<?x3xf64>
  %r = array.reverse %a : tensor<?x3xf64>
  %s = array.slice %r from %k : (tensor<?x3xf64>) -> tensor<2x3xf64>
  %w = array.slice %x from %k size %n : (tensor<?x3xf64>) -> tensor<?x3xf64>
  %st = array.stack %y, %s, %y : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>)
      -> tensor<3x2x3xf64>
  %i = array.iota %n : tensor<?xindex>
  %j = array.iota : tensor<4xindex>
  %m = array.reverse %j : tensor<4xindex>
  return %a, %r, %s, %w, %st, %i, %m : tensor<?x3xf64>, tensor<?x3xf64>, tensor<2x3xf64>,
      tensor<?x3xf64>,
      tensor<3x2x3xf64>, tensor<?xindex>, tensor<4xindex>
}

// -----

// Division rounds to minus infinity; by zero it gives zero. It does not trap.
// WITH: i64,MOST,LEAST = i32,2147483647,-2147483648 i64,9223372036854775807,-9223372036854775808 \
//   index,9223372036854775807,-9223372036854775808
// CALL: @total_division [7, -7, 7, -7, 0, LEAST, LEAST, -MOST, MOST] [2, 2, -2, -2, 0, -1, 0, 3, LEAST]
func.func @total_division(%x: tensor<9xi64>, %y: tensor<9xi64>)
    -> (tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>,
         tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>,
         tensor<9xi64>, tensor<9xi64>) {
  %c0 = arith.constant dense<-7> : tensor<9xi64>
  %d0 = array.div %x, %c0 : tensor<9xi64>
  %m0 = array.mod %x, %c0 : tensor<9xi64>
  %c1 = arith.constant dense<-2> : tensor<9xi64>
  %d1 = array.div %x, %c1 : tensor<9xi64>
  %m1 = array.mod %x, %c1 : tensor<9xi64>
  %c2 = arith.constant dense<-1> : tensor<9xi64>
  %d2 = array.div %x, %c2 : tensor<9xi64>
  %m2 = array.mod %x, %c2 : tensor<9xi64>
  %c3 = arith.constant dense<0> : tensor<9xi64>
  %d3 = array.div %x, %c3 : tensor<9xi64>
  %m3 = array.mod %x, %c3 : tensor<9xi64>
  %c4 = arith.constant dense<1> : tensor<9xi64>
  %d4 = array.div %x, %c4 : tensor<9xi64>
  %m4 = array.mod %x, %c4 : tensor<9xi64>
  %c5 = arith.constant dense<3> : tensor<9xi64>
  %d5 = array.div %x, %c5 : tensor<9xi64>
  %m5 = array.mod %x, %c5 : tensor<9xi64>
  %c6 = arith.constant dense<8> : tensor<9xi64>
  %d6 = array.div %x, %c6 : tensor<9xi64>
  %m6 = array.mod %x, %c6 : tensor<9xi64>
  %q = array.div %x, %y : tensor<9xi64>
  %r = array.mod %x, %y : tensor<9xi64>
  return %q, %r, %d0, %m0, %d1, %m1, %d2,
         %m2, %d3, %m3, %d4, %m4, %d5, %m5,
         %d6, %m6
    : tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>,
         tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>, tensor<9xi64>,
         tensor<9xi64>, tensor<9xi64>
}
