// RUN: mlopt check-calls %s --way plain --way kernels
// Bulk operations as machine code: sizes that are known at run time, views, searches through blocks, reshapes.
// `bulk_elements.mlir` has those that exist for every element type.

// CALL: @reductions_of_views random:{n}x4xf64:seed=1:normal random:4x{n}xf64:seed=2:normal for n = 3 0 17
func.func @reductions_of_views(%x: tensor<?x4xf64>, %y: tensor<4x?xf64>)
    -> (tensor<4xf64>, tensor<?xf64>, f64, tensor<?xindex>) {
  %t = array.transpose %y [1, 0] : (tensor<4x?xf64>) -> tensor<?x4xf64>
  %p = arith.mulf %x, %t : tensor<?x4xf64>
  %a = array.max %p : (tensor<?x4xf64>) -> tensor<4xf64>
  %q = arith.addf %x, %t : tensor<?x4xf64>
  %b = array.sum %q axes [1] fastmath<fast> : (tensor<?x4xf64>) -> tensor<?xf64>
  %r = array.reverse %x : tensor<?x4xf64>
  %s = math.cos %r : tensor<?x4xf64>
  %c = array.min %s axes [0, 1] : (tensor<?x4xf64>) -> f64
  %d = array.argmin %t axis 1 : (tensor<?x4xf64>) -> tensor<?xindex>
  return %a, %b, %c, %d : tensor<4xf64>, tensor<?xf64>, f64, tensor<?xindex>
}

// A block has 2048 elements: the best one is in any of them, equal ones are in two, or at the borders. `@peaks` has
// one or two elements 7 or -7 between numbers from -2 to 2.
// CALL: @peaks random:{n}xf64:seed=3:uniform=-2,2 [{p}, {q}] [{s}, {s}] for n,p,q,s = \
//   2047,2046,-1,9 2048,0,2047,9 2049,2048,-1,9 5000,2047,2048,9 6144,6143,-1,9 \
//   2047,2046,-1,-9 2048,0,2047,-9 2049,2048,-1,-9 5000,2047,2048,-9 6144,6143,-1,-9
func.func @peaks(%x: tensor<?xf64>, %at: tensor<2xindex>, %peaks: tensor<2xf64>)
    -> (tensor<?xf64>, index, index, index) {
  %y = array.scatter %peaks into %x : tensor<2xf64> into tensor<?xf64> (%i) {
    %k = array.get %at[%i] : (tensor<2xindex>) -> index
    array.yield %k : index
  }
  %n = array.length %x : tensor<?xf64>
  %seven = arith.constant 7.0 : f64
  %most = array.replicate %seven, %n : (f64) -> tensor<?xf64>
  %cut = arith.minimumf %y, %most : tensor<?xf64>
  %least = arith.negf %most : tensor<?xf64>
  %z = arith.maximumf %cut, %least : tensor<?xf64>
  %a, %b, %c = call @searches(%z) : (tensor<?xf64>) -> (index, index, index)
  return %z, %a, %b, %c : tensor<?xf64>, index, index, index
}

// CALL: @searches random:{n}xf64:normal for n = 0 1 2048 4100
func.func @searches(%x: tensor<?xf64>) -> (index, index, index) {
  %a = array.argmax %x : (tensor<?xf64>) -> index
  %b = array.argmin %x : (tensor<?xf64>) -> index
  %y = arith.mulf %x, %x : tensor<?xf64>
  %c = array.argmax %y : (tensor<?xf64>) -> index
  return %a, %b, %c : index, index, index
}

// All elements are minus infinity: the search starts there and must still return index 0.
// CALL: @of_infinities 4100 -> 0 0 0
func.func @of_infinities(%n: index) -> (index, index, index) {
  %least = arith.constant 0xFFF0000000000000 : f64
  %x = array.replicate %least, %n : (f64) -> tensor<?xf64>
  %a, %b, %c = call @searches(%x) : (tensor<?xf64>) -> (index, index, index)
  return %a, %b, %c : index, index, index
}

// The index found among NaNs is unspecified, but it is an index of the array.
// CALL: @of_nans {n} for n = 1 2048 4100 -> true
func.func @of_nans(%n: index) -> i1 {
  %nan = arith.constant 0x7FF8000000000000 : f64
  %x = array.replicate %nan, %n : (f64) -> tensor<?xf64>
  %a = array.argmax %x : (tensor<?xf64>) -> index
  %inside = arith.cmpi ult, %a, %n : index
  return %inside : i1
}

// All elements are infinite, or the minimum of the type.
// CALL: @extremes [-inf, -inf] [-2147483648, -2147483648] -> 0 0 -inf -2147483648
func.func @extremes(%x: tensor<2xf64>, %y: tensor<2xi32>) -> (index, index, f64, i32) {
  %a = array.argmax %x : (tensor<2xf64>) -> index
  %b = array.argmax %y : (tensor<2xi32>) -> index
  %c = array.max %x : (tensor<2xf64>) -> f64
  %d = array.max %y : (tensor<2xi32>) -> i32
  return %a, %b, %c, %d : index, index, f64, i32
}

// CALL: @sums_of_scatters random:6xf64:seed=1:normal random:4xf64:seed=2:normal random:5xf64:seed=3:normal 2
// CALL: @sums_of_scatters random:6xf64:seed=1:normal random:4xf64:seed=2:normal random:5xf64:seed=3:normal 4
// CALL: @sums_of_scatters random:6xf64:seed=1:normal random:4xf64:seed=2:normal random:2xf64:seed=3:normal -1
// CALL: @sums_of_scatters random:0xf64:seed=1:normal random:4xf64:seed=2:normal random:0xf64:seed=3:normal \
//   9223372036854775807
func.func @sums_of_scatters(%x: tensor<?xf64>, %y: tensor<4xf64>, %v: tensor<?xf64>, %k: index)
    -> (tensor<4xf64>, tensor<4xf64>, tensor<?xf64>, tensor<4x?xf64>, f64) {
  %zero = dual.zero : tensor<4xf64>
  %n = array.length %v : tensor<?xf64>
  %a = array.scatter %x into %zero : tensor<?xf64> into tensor<4xf64> (%i) {
    array.yield %i : index
  }
  %s = arith.addf %a, %y : tensor<4xf64>
  %e = array.get %x[%k] : (tensor<?xf64>) -> f64
  %h = array.one_hot %e at [%k] : (f64) -> tensor<4xf64>
  %t = arith.addf %s, %h : tensor<4xf64>
  %g = array.one_hot %e at [%k] sizes(%n) : (f64) -> tensor<?xf64>
  %u = arith.addf %v, %g : tensor<?xf64>
  %rows = array.one_hot %v at [%k] : (tensor<?xf64>) -> tensor<4x?xf64>
  %p = arith.mulf %h, %y : tensor<4xf64>
  %r = array.sum %p : (tensor<4xf64>) -> f64
  return %s, %t, %u, %rows, %r : tensor<4xf64>, tensor<4xf64>, tensor<?xf64>, tensor<4x?xf64>, f64
}

// Joined arrays that are never stored, and ones that share parts.
// CALL: @joins_that_are_consumed random:3xf64:seed=1:normal random:2xf64:seed=2:normal 0.5
// CALL: @joins_that_are_consumed random:0xf64:seed=1:normal random:2xf64:seed=2:normal 0.5
// CALL: @joins_that_are_consumed random:1xf64:seed=1:normal random:0xf64:seed=2:normal 0.5
func.func @joins_that_are_consumed(%x: tensor<?xf64>, %y: tensor<?xf64>, %a: f64)
    -> (f64, tensor<4xf64>, tensor<2x?xf64>, f64, tensor<?xf64>) {
  %e = math.exp %x : tensor<?xf64>
  %l = array.append %e, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %s = array.sum %l : (tensor<?xf64>) -> f64
  %b = math.sin %a : f64
  %v = array.stack %a, %b, %s, %a : (f64, f64, f64, f64) -> tensor<4xf64>
  %w = math.cos %v : tensor<4xf64>
  %d = array.stack %x, %x : (tensor<?xf64>, tensor<?xf64>) -> tensor<2x?xf64>
  %c2 = arith.constant 2 : index
  %q = array.stack %a, %b, %s : (f64, f64, f64) -> tensor<3xf64>
  %g = array.get %q[%c2] : (tensor<3xf64>) -> f64
  %once = array.append %y, %y : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %twice = array.append %once, %l : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %s, %w, %d, %g, %twice : f64, tensor<4xf64>, tensor<2x?xf64>, f64, tensor<?xf64>
}

// CALL: @reshapes random:4x3xf64:seed=1:normal random:3x6xf64:seed=2:normal 3 2.0
// CALL: @reshapes random:4x3xf64:seed=1:normal random:0x6xf64:seed=2:normal 0 2.0
func.func @reshapes(%x: tensor<4x3xf64>, %y: tensor<?x6xf64>, %n: index, %a: f64)
    -> (tensor<2x6xf64>, tensor<12xf64>, tensor<?x2x3xf64>, tensor<?xf64>, tensor<3x4xf64>,
        tensor<1x1xf64>, f64, f64) {
  %c6 = arith.constant 6 : index
  %b = array.reshape %x : (tensor<4x3xf64>) -> tensor<2x6xf64>
  %e = math.exp %x : tensor<4x3xf64>
  %flat = array.reshape %e : (tensor<4x3xf64>) -> tensor<12xf64>
  %split = array.reshape %y sizes(%n) : (tensor<?x6xf64>) -> tensor<?x2x3xf64>
  %m = arith.muli %n, %c6 : index
  %t = array.transpose %y [1, 0] : (tensor<?x6xf64>) -> tensor<6x?xf64>
  %all = array.reshape %t sizes(%m) : (tensor<6x?xf64>) -> tensor<?xf64>
  %u = array.transpose %x [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %v = array.reshape %u : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %w = array.transpose %v [1, 0] : (tensor<4x3xf64>) -> tensor<3x4xf64>
  %one = array.reshape %a : (f64) -> tensor<1x1xf64>
  %back = array.reshape %one : (tensor<1x1xf64>) -> f64
  %sin = math.sin %flat : tensor<12xf64>
  %rows = array.reshape %sin : (tensor<12xf64>) -> tensor<4x3xf64>
  %r = array.sum %rows axes [0, 1] : (tensor<4x3xf64>) -> f64
  return %b, %flat, %split, %all, %w, %one, %back, %r : tensor<2x6xf64>, tensor<12xf64>, tensor<?x2x3xf64>,
      tensor<?xf64>, tensor<3x4xf64>, tensor<1x1xf64>, f64, f64
}

// Reshaped rows, carried arrays, and arrays in scratch memory that is larger than they are.
// CALL: @reshapes_in_loops random:5x6xf64:seed=1:normal random:2x3xf64:seed=2:normal
// CALL: @reshapes_in_loops random:0x6xf64:seed=1:normal random:2x3xf64:seed=2:normal
func.func @reshapes_in_loops(%x: tensor<?x6xf64>, %w: tensor<2x3xf64>)
    -> (tensor<?x3x2xf64>, tensor<6xf64>, tensor<?xf64>) {
  %n = array.length %x : tensor<?x6xf64>
  %two = arith.constant 2 : index
  %z = array.build (%i < %n) -> (tensor<?x3x2xf64>) {
    %row = array.get %x[%i] : (tensor<?x6xf64>) -> tensor<6xf64>
    %m = array.reshape %row : (tensor<6xf64>) -> tensor<3x2xf64>
    %e = math.exp %m : tensor<3x2xf64>
    array.yield %e : tensor<3x2xf64>
  }
  %v = array.ifold (%i < %n) iter_args(%s = %w) -> (tensor<2x3xf64>) {
    %flat = array.reshape %s : (tensor<2x3xf64>) -> tensor<6xf64>
    %row = array.get %x[%i] : (tensor<?x6xf64>) -> tensor<6xf64>
    %t = arith.addf %flat, %row : tensor<6xf64>
    %u = array.reshape %t : (tensor<6xf64>) -> tensor<2x3xf64>
    array.yield %u : tensor<2x3xf64>
  }
  %vf = array.reshape %v : (tensor<2x3xf64>) -> tensor<6xf64>
  %sums = array.build (%i < %n) -> (tensor<?xf64>) {
    %k = arith.muli %i, %two : index
    %part = array.build (%a < %i, %b < 2) -> (tensor<?x2xf64>) {
      %e = array.get %x[%a, %b] : (tensor<?x6xf64>) -> f64
      %c = math.cos %e : f64
      array.yield %c : f64
    }
    %turned = array.transpose %part [1, 0] : (tensor<?x2xf64>) -> tensor<2x?xf64>
    %stored = array.append %turned, %turned : (tensor<2x?xf64>, tensor<2x?xf64>) -> tensor<4x?xf64>
    %l = arith.muli %k, %two : index
    %line = array.reshape %stored sizes(%l) : (tensor<4x?xf64>) -> tensor<?xf64>
    %first = array.get %line[%k] : (tensor<?xf64>) -> f64
    %s = array.sum %line : (tensor<?xf64>) -> f64
    %r = arith.addf %s, %first : f64
    array.yield %r : f64
  }
  return %z, %vf, %sums : tensor<?x3x2xf64>, tensor<6xf64>, tensor<?xf64>
}

// The product of the last sizes is zero in 64 bits.
// CALL: @other_sizes [1, 2, 3, 4, 5, 6] 2 3 -> [[1, 2, 3], [4, 5, 6]]
// CALL: @other_sizes random:6xf64 {n} {m} for n,m = 2,4 -1,3 fails: reshapes an array to a different number of elements
// CALL: @other_sizes random:0xf64 4294967296 4294967296 fails: reshapes an array to a different number of elements
func.func @other_sizes(%x: tensor<?xf64>, %n: index, %m: index) -> tensor<?x?xf64> {
  %y = array.reshape %x sizes(%n, %m) : (tensor<?xf64>) -> tensor<?x?xf64>
  return %y : tensor<?x?xf64>
}

// CALL: @floors_saturate [1.5, -1.5, -0.0, nan, inf, -inf, 1e300, -3e9, 3e9] \
//   [1.5, -1.5, -0.0, nan, inf, -inf, inf, -3e9, 3e9] random:4xf64:seed=1:normal
func.func @floors_saturate(%x: tensor<9xf64>, %y: tensor<9xf32>, %v: tensor<4xf64>)
    -> (tensor<9xi32>, tensor<9xi64>, tensor<9xindex>, tensor<9xindex>, tensor<9xf64>) {
  %a = array.floor %x : (tensor<9xf64>) -> tensor<9xi32>
  %b = array.floor %x : (tensor<9xf64>) -> tensor<9xi64>
  %c = array.floor %x : (tensor<9xf64>) -> tensor<9xindex>
  %d = array.floor %y : (tensor<9xf32>) -> tensor<9xindex>
  %e = array.gather %v : tensor<4xf64> (%i < 9) -> (tensor<9xf64>) {
    %u = array.get %x[%i] : (tensor<9xf64>) -> f64
    %k = array.floor %u : (f64) -> index
    array.yield %k : index
  }
  return %a, %b, %c, %d, %e : tensor<9xi32>, tensor<9xi64>, tensor<9xindex>, tensor<9xindex>, tensor<9xf64>
}
