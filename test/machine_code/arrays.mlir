// RUN: mlopt check-calls %s --way plain --way kernels
// Array programs as machine code: elements, views, reductions, sizes that are known at run time, and empty arrays.

// CALL: @elementwise_and_sum random:5xf64:seed=1:uniform=-2,2 random:5xf64:seed=2:uniform=-2,2
func.func @elementwise_and_sum(%x: tensor<5xf64>, %y: tensor<5xf64>) -> (f64, tensor<5xf64>) {
  %p = arith.mulf %x, %y : tensor<5xf64>
  %e = math.exp %p : tensor<5xf64>
  %s = array.sum %p : (tensor<5xf64>) -> f64
  return %s, %e : f64, tensor<5xf64>
}

// CALL: @dynamic_sizes random:5xf64:seed=1:normal random:5xf64:seed=2:normal
// CALL: @dynamic_sizes random:0xf64:seed=1:normal random:0xf64:seed=2:normal
// CALL: @dynamic_sizes random:1000xf64:seed=3:normal random:1000xf64:seed=4:normal
func.func @dynamic_sizes(%x: tensor<?xf64>, %y: tensor<?xf64>) -> (f64, tensor<?xf64>, index) {
  %p = arith.mulf %x, %y : tensor<?xf64>
  %s = array.sum %p : (tensor<?xf64>) -> f64
  %n = array.length %p : tensor<?xf64>
  return %s, %p, %n : f64, tensor<?xf64>, index
}

// CALL: @repeated_results random:3x2xf64:seed=1:normal 0.5
// CALL: @repeated_results random:0x2xf64:seed=1:normal 0.5
func.func @repeated_results(%x: tensor<?x2xf64>, %a: f64) -> (tensor<?x2xf64>, tensor<?x2xf64>, f64, tensor<?x2xf64>) {
  %y = arith.negf %x : tensor<?x2xf64>
  return %x, %y, %a, %y : tensor<?x2xf64>, tensor<?x2xf64>, f64, tensor<?x2xf64>
}

// CALL: @builds_of_any_rank random:5xf64:seed=1:normal 3
// CALL: @builds_of_any_rank random:5xf64:seed=1:normal 8
// CALL: @builds_of_any_rank random:0xf64:seed=1:normal 2
// CALL: @builds_of_any_rank random:2xf64:seed=1:normal 0
// CALL: @builds_of_any_rank random:2xf64:seed=1:normal -3
func.func @builds_of_any_rank(%x: tensor<?xf64>, %n: index) -> (tensor<?x3xf64>, tensor<?x?xf64>, tensor<4x?xindex>) {
  %a, %b = array.build (%i < %n) -> (tensor<?x3xf64>, tensor<?x?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %row = array.replicate %e : (f64) -> tensor<3xf64>
    %scaled = array.build (%j < %n) -> (tensor<?xf64>) {
      %f = array.get %x[%j] : (tensor<?xf64>) -> f64
      %g = arith.mulf %e, %f : f64
      array.yield %g : f64
    }
    array.yield %row, %scaled : tensor<3xf64>, tensor<?xf64>
  }
  %c = array.build (%i < 4, %j < %n) -> (tensor<4x?xindex>) {
    %s = arith.addi %i, %j : index
    array.yield %s : index
  }
  return %a, %b, %c : tensor<?x3xf64>, tensor<?x?xf64>, tensor<4x?xindex>
}

// CALL: @reads_outside random:4x3xf64:seed=1:normal 1 2
// CALL: @reads_outside random:4x3xf64:seed=1:normal 4 0
// CALL: @reads_outside random:4x3xf64:seed=1:normal -1 0
// CALL: @reads_outside random:4x3xf64:seed=1:normal 9223372036854775807 -9223372036854775808
// CALL: @reads_outside random:4x3xf64:seed=1:normal 0 3
func.func @reads_outside(%x: tensor<4x3xf64>, %i: index, %j: index) -> (f64, tensor<3xf64>, tensor<6xf64>) {
  %e = array.get %x[%i, %j] : (tensor<4x3xf64>) -> f64
  %row = array.get %x[%i] : (tensor<4x3xf64>) -> tensor<3xf64>
  %cos = math.cos %row : tensor<3xf64>
  %c1 = arith.constant 1 : index
  %w = array.build (%k < 6) -> (tensor<6xf64>) {
    %m = arith.subi %k, %c1 : index
    %v = array.get %x[%m, %j] : (tensor<4x3xf64>) -> f64
    array.yield %v : f64
  }
  return %e, %cos, %w : f64, tensor<3xf64>, tensor<6xf64>
}

// CALL: @reads_outside_of_rows random:0x3xf64:seed=1:normal 0
// CALL: @reads_outside_of_rows random:3x0xf64:seed=1:normal 0
// CALL: @reads_outside_of_rows random:3x3xf64:seed=1:normal 2
// CALL: @reads_outside_of_rows random:3x3xf64:seed=1:normal 5
func.func @reads_outside_of_rows(%x: tensor<?x?xf64>, %i: index) -> (f64, f64) {
  %e = array.get %x[%i, %i] : (tensor<?x?xf64>) -> f64
  %row = array.get %x[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
  %s = array.sum %row : (tensor<?xf64>) -> f64
  return %e, %s : f64, f64
}

// CALL: @sums_of_matrices random:4x3xf64:seed=1:normal
// CALL: @sums_of_matrices random:0x3xf64:seed=1:normal
// CALL: @sums_of_matrices random:33x3xf64:seed=5:normal
func.func @sums_of_matrices(%x: tensor<?x3xf64>) -> (tensor<3xf64>, f64, tensor<?xf64>, tensor<3xf64>) {
  %columns = array.sum %x : (tensor<?x3xf64>) -> tensor<3xf64>
  %all = array.sum %columns : (tensor<3xf64>) -> f64
  %t = array.transpose %x [1, 0] : (tensor<?x3xf64>) -> tensor<3x?xf64>
  %rows = array.sum %t : (tensor<3x?xf64>) -> tensor<?xf64>
  %e = math.exp %x : tensor<?x3xf64>
  %s = array.sum %e : (tensor<?x3xf64>) -> tensor<3xf64>
  return %columns, %all, %rows, %s : tensor<3xf64>, f64, tensor<?xf64>, tensor<3xf64>
}

// CALL: @replicate_and_transpose random:2x3x4xf64:seed=1:normal random:3xf64:seed=2:normal 4
// CALL: @replicate_and_transpose random:2x3x4xf64:seed=1:normal random:0xf64:seed=2:normal 4
// CALL: @replicate_and_transpose random:2x3x4xf64:seed=1:normal random:3xf64:seed=2:normal -1
func.func @replicate_and_transpose(%x: tensor<2x3x4xf64>, %v: tensor<?xf64>, %n: index)
    -> (tensor<4x2x3xf64>, tensor<?x?xf64>, f64) {
  %t = array.transpose %x [2, 0, 1] : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>
  %r = array.replicate %v, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %t2 = array.transpose %r [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %c = array.sum %t2 : (tensor<?x?xf64>) -> tensor<?xf64>
  %s = array.sum %c : (tensor<?xf64>) -> f64
  return %t, %r, %s : tensor<4x2x3xf64>, tensor<?x?xf64>, f64
}

// CALL: @ifold_with_scalars_and_arrays random:5xf64:seed=1:normal random:3xf64:seed=2:normal 5
// CALL: @ifold_with_scalars_and_arrays random:5xf64:seed=1:normal random:3xf64:seed=2:normal 7
// CALL: @ifold_with_scalars_and_arrays random:5xf64:seed=1:normal random:3xf64:seed=2:normal 0
// CALL: @ifold_with_scalars_and_arrays random:5xf64:seed=1:normal random:3xf64:seed=2:normal -4
// CALL: @ifold_with_scalars_and_arrays random:5xf64:seed=1:normal random:3xf64:seed=2:normal 1
func.func @ifold_with_scalars_and_arrays(%x: tensor<?xf64>, %w0: tensor<3xf64>, %n: index)
    -> (f64, f64, tensor<3xf64>, tensor<3xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %s, %p, %w, %v = array.ifold (%i < %n) iter_args(%a = %zero, %b = %one, %u = %w0, %q = %w0)
      -> (f64, f64, tensor<3xf64>, tensor<3xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %a1 = arith.addf %a, %e : f64
    %b1 = arith.mulf %b, %a1 : f64
    %r = array.replicate %e : (f64) -> tensor<3xf64>
    %u1 = arith.addf %u, %r : tensor<3xf64>
    array.yield %a1, %b1, %u1, %u : f64, f64, tensor<3xf64>, tensor<3xf64>
  }
  return %s, %p, %w, %v : f64, f64, tensor<3xf64>, tensor<3xf64>
}

// States that are swapped, read at neighbours, or reversed: none may be overwritten while it is read.
// CALL: @carried_arrays_that_cannot_be_updated_in_place random:5xf64:seed=1:normal 3
// CALL: @carried_arrays_that_cannot_be_updated_in_place random:5xf64:seed=1:normal 4
// CALL: @carried_arrays_that_cannot_be_updated_in_place random:5xf64:seed=1:normal 0
// CALL: @carried_arrays_that_cannot_be_updated_in_place random:0xf64:seed=1:normal 2
func.func @carried_arrays_that_cannot_be_updated_in_place(%x: tensor<?xf64>, %n: index)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
  %c1 = arith.constant 1 : index
  %m = array.length %x : tensor<?xf64>
  %y = arith.negf %x : tensor<?xf64>
  %a, %b, %c = array.ifold (%i < %n) iter_args(%u = %x, %v = %y, %w = %x)
      -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>) {
    %next = array.build (%j < %m) -> (tensor<?xf64>) {
      %k = arith.addi %j, %c1 : index
      %e = array.get %w[%k] : (tensor<?xf64>) -> f64
      %f = array.get %w[%j] : (tensor<?xf64>) -> f64
      %g = arith.addf %e, %f : f64
      array.yield %g : f64
    }
    array.yield %v, %u, %next : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
  }
  return %a, %b, %c : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>
}

// CALL: @training_loop_with_temporaries random:20x3xf64:seed=1:normal random:20xf64:seed=2:normal \
//   random:3xf64:seed=3:normal 10
// CALL: @training_loop_with_temporaries random:20x3xf64:seed=1:normal random:20xf64:seed=2:normal \
//   random:3xf64:seed=3:normal 0
// CALL: @training_loop_with_temporaries random:0x3xf64:seed=1:normal random:0xf64:seed=2:normal \
//   random:3xf64:seed=3:normal 2
func.func @training_loop_with_temporaries(%x: tensor<?x3xf64>, %y: tensor<?xf64>, %w0: tensor<3xf64>, %epochs: index)
    -> (tensor<3xf64>, f64) {
  %one = arith.constant 1.0 : f64
  %rate = arith.constant 0.1 : f64
  %zero = arith.constant 0.0 : f64
  %n = array.length %x : tensor<?x3xf64>
  %w, %loss = array.ifold (%e < %epochs) iter_args(%u = %w0, %l = %zero) -> (tensor<3xf64>, f64) {
    %r = array.build (%i < %n) -> (tensor<?xf64>) {
      %row = array.get %x[%i] : (tensor<?x3xf64>) -> tensor<3xf64>
      %p = arith.mulf %row, %u : tensor<3xf64>
      %z = array.sum %p : (tensor<3xf64>) -> f64
      %nz = arith.negf %z : f64
      %ex = math.exp %nz : f64
      %d = arith.addf %one, %ex : f64
      %s = arith.divf %one, %d : f64
      %t = array.get %y[%i] : (tensor<?xf64>) -> f64
      %diff = arith.subf %s, %t : f64
      array.yield %diff : f64
    }
    %g = array.build (%j < 3) -> (tensor<3xf64>) {
      %terms = array.build (%i < %n) -> (tensor<?xf64>) {
        %a = array.get %x[%i, %j] : (tensor<?x3xf64>) -> f64
        %b = array.get %r[%i] : (tensor<?xf64>) -> f64
        %c = arith.mulf %a, %b : f64
        array.yield %c : f64
      }
      %s = array.sum %terms : (tensor<?xf64>) -> f64
      array.yield %s : f64
    }
    %rates = array.replicate %rate : (f64) -> tensor<3xf64>
    %step = arith.mulf %g, %rates : tensor<3xf64>
    %u1 = arith.subf %u, %step : tensor<3xf64>
    %sq = arith.mulf %r, %r : tensor<?xf64>
    %l1 = array.sum %sq : (tensor<?xf64>) -> f64
    array.yield %u1, %l1 : tensor<3xf64>, f64
  }
  return %w, %loss : tensor<3xf64>, f64
}

// CALL: @element_types_select_and_constants [1.0, -3.0, 0.5, 9.0] [2147483647, -1, 7, 3] [-9223372036854775808, -1, \
//   7, 3] [true, false, false, true] {b} for b = false true
func.func @element_types_select_and_constants(%x: tensor<4xf32>, %i: tensor<4xi32>, %l: tensor<4xi64>, %c:
    tensor<4xi1>, %b: i1)
    -> (tensor<4xf32>, tensor<4xi32>, tensor<4xi64>, tensor<4xi1>, tensor<4xf64>, i32, i1) {
  %k = arith.constant dense<[1.5, -2.0, 0.25, 8.0]> : tensor<4xf32>
  %s = arith.select %c, %x, %k : tensor<4xi1>, tensor<4xf32>
  %m = arith.muli %i, %i : tensor<4xi32>
  %sum = array.sum %i : (tensor<4xi32>) -> i32
  %two = arith.constant dense<2> : tensor<4xi64>
  %q = arith.divsi %l, %two : tensor<4xi64>
  %lt = arith.cmpf olt, %x, %k : tensor<4xf32>
  %both = arith.andi %lt, %c : tensor<4xi1>
  %w = arith.extf %x : tensor<4xf32> to tensor<4xf64>
  %neg = arith.negf %w : tensor<4xf64>
  %pick = arith.select %b, %w, %neg : tensor<4xf64>
  %mask = arith.constant dense<[true, false, true, true]> : tensor<4xi1>
  %c2 = arith.constant 2 : index
  %one = array.get %mask[%c2] : (tensor<4xi1>) -> i1
  return %s, %m, %q, %both, %pick, %sum, %one : tensor<4xf32>, tensor<4xi32>, tensor<4xi64>, tensor<4xi1>,
      tensor<4xf64>, i32, i1
}

// CALL: @structural_constants random:3xf64:seed=1:normal
func.func @structural_constants(%x: tensor<3xf64>) -> (tensor<3xf64>, tensor<2xf64>, f64) {
  %z = dual.zero : tensor<3xf64>
  %o = dual.one : f64
  %y = arith.addf %x, %z : tensor<3xf64>
  %t = dual.one : tensor<2xf64>
  return %y, %t, %o : tensor<3xf64>, tensor<2xf64>, f64
}

// CALL: @calls_branches_loops random:5xf64:seed=1:normal 1.5 true 6
// CALL: @calls_branches_loops random:5xf64:seed=1:normal 1.5 false -1
func.func private @square(%a: f64) -> f64 {
  %r = arith.mulf %a, %a : f64
  return %r : f64
}
func.func private @scaled(%x: tensor<?xf64>, %a: f64) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %r = array.replicate %a, %n : (f64) -> tensor<?xf64>
  %y = arith.mulf %x, %r : tensor<?xf64>
  return %y : tensor<?xf64>
}
func.func @calls_branches_loops(%x: tensor<?xf64>, %a: f64, %c: i1, %n: index) -> (tensor<?xf64>, f64, tensor<?xf64>) {
  %b = call @square(%a) : (f64) -> f64
  %y = call @scaled(%x, %b) : (tensor<?xf64>, f64) -> tensor<?xf64>
  %v = scf.if %c -> (f64) {
    %s = array.sum %y : (tensor<?xf64>) -> f64
    scf.yield %s : f64
  } else {
    scf.yield %a : f64
  }
  %w = scf.if %c -> (tensor<?xf64>) {
    scf.yield %y : tensor<?xf64>
  } else {
    scf.yield %x : tensor<?xf64>
  }
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c1 to %n step %c2 iter_args(%acc = %v) -> f64 {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.addf %acc, %e : f64
    scf.yield %t : f64
  }
  return %y, %r, %w : tensor<?xf64>, f64, tensor<?xf64>
}

// Work on rows of varying length: scratch memory is bounded by the longest.
// CALL: @triangle random:6xf64:seed=1:normal
// CALL: @triangle random:0xf64:seed=1:normal
// CALL: @triangle random:1xf64:seed=1:normal
func.func @triangle(%x: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %head = array.build (%j < %i) -> (tensor<?xf64>) {
      %e = array.get %x[%j] : (tensor<?xf64>) -> f64
      %s = math.sin %e : f64
      array.yield %s : f64
    }
    %a = array.sum %head : (tensor<?xf64>) -> f64
    %m = array.ifold (%k < %i) iter_args(%q = %a) -> (f64) {
      %e = array.get %head[%k] : (tensor<?xf64>) -> f64
      %r = arith.mulf %e, %q : f64
      array.yield %r : f64
    }
    array.yield %m : f64
  }
  return %y : tensor<?xf64>
}

// CALL: @naive_gradient random:6xf64:seed=1:normal random:6xf64:seed=2:normal
// CALL: @naive_gradient random:6xf64:seed=1:normal random:3xf64:seed=2:normal
// CALL: @naive_gradient random:0xf64:seed=1:normal random:3xf64:seed=2:normal
func.func @naive_gradient(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %n = array.length %x : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %g = array.build (%k < %n) -> (tensor<?xf64>) {
    %v, %t = array.ifold (%i < %n) iter_args(%a = %zero, %b = %zero) -> (f64, f64) {
      %xi = array.get %x[%i] : (tensor<?xf64>) -> f64
      %yi = array.get %y[%i] : (tensor<?xf64>) -> f64
      %is = arith.cmpi eq, %i, %k : index
      %one = dual.one : f64
      %none = dual.zero : f64
      %seed = arith.select %is, %one, %none : f64
      %p = arith.mulf %xi, %yi : f64
      %a1 = arith.addf %a, %p : f64
      %d = arith.mulf %seed, %yi : f64
      %b1 = arith.addf %b, %d : f64
      array.yield %a1, %b1 : f64, f64
    }
    array.yield %t : f64
  }
  return %g : tensor<?xf64>
}

// CALL: @maximum random:100xf64:seed=1:normal
// CALL: @maximum random:1xf64:seed=2:normal
// CALL: @maximum random:0xf64:seed=2:normal
func.func @maximum(%x: tensor<?xf64>) -> (f64, index, tensor<?xf64>) {
  %n = array.length %x : tensor<?xf64>
  %low = arith.constant 0xFFF0000000000000 : f64
  %c0 = arith.constant 0 : index
  %m, %at = array.ifold (%i < %n) iter_args(%a = %low, %k = %c0) -> (f64, index) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %gt = arith.cmpf ogt, %e, %a : f64
    %a1 = arith.select %gt, %e, %a : f64
    %k1 = arith.select %gt, %i, %k : index
    array.yield %a1, %k1 : f64, index
  }
  %g = array.build (%i < %n) -> (tensor<?xf64>) {
    %is = arith.cmpi eq, %i, %at : index
    %one = dual.one : f64
    %none = dual.zero : f64
    %s = arith.select %is, %one, %none : f64
    array.yield %s : f64
  }
  return %m, %at, %g : f64, index, tensor<?xf64>
}

// CALL: @conversions random:3xf64:seed=1:normal [-3, 1099511627776] -2.75
func.func @conversions(%x: tensor<?xf64>, %i: tensor<?xi64>, %y: f32)
    -> (tensor<?xi32>, tensor<?xf32>, tensor<?xindex>, i64, f64) {
  %a = arith.fptosi %x : tensor<?xf64> to tensor<?xi32>
  %b = arith.sitofp %i : tensor<?xi64> to tensor<?xf32>
  %c = arith.index_cast %i : tensor<?xi64> to tensor<?xindex>
  %d = arith.fptosi %y : f32 to i64
  %e = arith.extf %y : f32 to f64
  return %a, %b, %c, %d, %e : tensor<?xi32>, tensor<?xf32>, tensor<?xindex>, i64, f64
}

// A size may depend on an array: `f.sizes` reads it, and sums it if necessary.
// CALL: @sizes_from_data [1, 4, 2] random:6xf64:seed=1:normal
// CALL: @sizes_from_data [1, 4, 2] random:2xf64:seed=1:normal
// CALL: @sizes_from_data [3] random:2xf64:seed=1:normal
// CALL: @sizes_from_data [] random:0xf64:seed=1:normal
func.func @sizes_from_data(%k: tensor<?xindex>, %x: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xindex>) {
  %c1 = arith.constant 1 : index
  %n = array.get %k[%c1] : (tensor<?xindex>) -> index
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    array.yield %e : f64
  }
  %m = array.sum %k : (tensor<?xindex>) -> index
  %z = array.build (%i < %m) -> (tensor<?xindex>) {
    array.yield %i : index
  }
  return %y, %z : tensor<?xf64>, tensor<?xindex>
}

// Sums along columns, with work before and after the sum.
// CALL: @columns random:7x3xf64:seed=1:normal random:7xf64:seed=2:normal random:3xf64:seed=3:normal
// CALL: @columns random:7x3xf64:seed=1:normal random:5xf64:seed=2:normal random:3xf64:seed=3:normal
// CALL: @columns random:0x3xf64:seed=1:normal random:0xf64:seed=2:normal random:3xf64:seed=3:normal
func.func @columns(%x: tensor<?x3xf64>, %r: tensor<?xf64>, %w: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xi64>) {
  %n = array.length %x : tensor<?x3xf64>
  %g = array.build (%j < 3) -> (tensor<3xf64>) {
    %wj = array.get %w[%j] : (tensor<3xf64>) -> f64
    %terms = array.build (%i < %n) -> (tensor<?xf64>) {
      %a = array.get %x[%i, %j] : (tensor<?x3xf64>) -> f64
      %b = array.get %r[%i] : (tensor<?xf64>) -> f64
      %c = arith.mulf %a, %b : f64
      %d = arith.addf %c, %wj : f64
      array.yield %d : f64
    }
    %s = array.sum %terms : (tensor<?xf64>) -> f64
    %e = math.tanh %s : f64
    %f = arith.mulf %e, %wj : f64
    array.yield %f : f64
  }
  %zero = arith.constant 0.0 : f64
  %h = array.build (%j < 3) -> (tensor<3xi64>) {
    %terms = array.build (%i < %n) -> (tensor<?xi64>) {
      %a = array.get %x[%i, %j] : (tensor<?x3xf64>) -> f64
      %p = arith.cmpf ogt, %a, %zero : f64
      %q = arith.extui %p : i1 to i64
      array.yield %q : i64
    }
    %s = array.sum %terms : (tensor<?xi64>) -> i64
    array.yield %s : i64
  }
  return %g, %h : tensor<3xf64>, tensor<3xi64>
}

// CALL: @functions random:17xf64:seed=1:normal 0.75
func.func @functions(%x: tensor<?xf64>, %a: f32)
    -> (tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32,
        tensor<?xf64>, f32,
        tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32,
            tensor<?xf64>, f32,
        tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32) {
  %x0 = math.exp %x : tensor<?xf64>
  %a0 = math.exp %a : f32
  %x1 = math.exp2 %x : tensor<?xf64>
  %a1 = math.exp2 %a : f32
  %x2 = math.expm1 %x : tensor<?xf64>
  %a2 = math.expm1 %a : f32
  %x3 = math.sin %x : tensor<?xf64>
  %a3 = math.sin %a : f32
  %x4 = math.cos %x : tensor<?xf64>
  %a4 = math.cos %a : f32
  %x5 = math.tan %x : tensor<?xf64>
  %a5 = math.tan %a : f32
  %x6 = math.tanh %x : tensor<?xf64>
  %a6 = math.tanh %a : f32
  %x7 = math.sinh %x : tensor<?xf64>
  %a7 = math.sinh %a : f32
  %x8 = math.cosh %x : tensor<?xf64>
  %a8 = math.cosh %a : f32
  %x9 = math.atan %x : tensor<?xf64>
  %a9 = math.atan %a : f32
  %x10 = math.absf %x : tensor<?xf64>
  %a10 = math.absf %a : f32
  %x11 = math.floor %x : tensor<?xf64>
  %a11 = math.floor %a : f32
  %x12 = math.ceil %x : tensor<?xf64>
  %a12 = math.ceil %a : f32
  %x13 = math.round %x : tensor<?xf64>
  %a13 = math.round %a : f32
  %x14 = math.roundeven %x : tensor<?xf64>
  %a14 = math.roundeven %a : f32
  %x15 = math.trunc %x : tensor<?xf64>
  %a15 = math.trunc %a : f32
  %x16 = math.cbrt %x : tensor<?xf64>
  %a16 = math.cbrt %a : f32
  return %x0, %a0, %x1, %a1, %x2, %a2, %x3, %a3, %x4, %a4, %x5, %a5,
         %x6, %a6, %x7, %a7, %x8, %a8, %x9, %a9, %x10, %a10, %x11, %a11,
         %x12, %a12, %x13, %a13, %x14, %a14, %x15, %a15, %x16, %a16
    : tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32,
        tensor<?xf64>, f32,
      tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32,
          tensor<?xf64>, f32,
      tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32, tensor<?xf64>, f32
}

// The last call stops before it reads outside of the shorter operand.
// CALL: @different_sizes random:5xf64:seed=1 random:5xf64:seed=2
// CALL: @different_sizes random:5xf64:seed=1 random:4xf64:seed=2 fails: operands of 'arith.mulf' have different sizes
func.func @different_sizes(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %p = arith.mulf %x, %y : tensor<?xf64>
  return %p : tensor<?xf64>
}

// Undefined in LLVM, a trap on the processor: here it must return, with any value.
// CALL: @integer_division {a} {b} for a,b = 7,0 -9223372036854775808,-1 -9223372036854775808,0 0,0 returns
// CALL: @integer_division -7 2 -> -3 -1 -4
func.func @integer_division(%a: i64, %b: i64) -> (i64, i64, i64) {
  %q = arith.divsi %a, %b : i64
  %r = arith.remsi %a, %b : i64
  %u = arith.floordivsi %a, %b : i64
  return %q, %r, %u : i64, i64, i64
}

// CALL: @enormous 3 -> [[0, 1, 2], [1, 2, 3], [2, 3, 4]] 18
// CALL: @enormous 9223372036854775807 fails: an extent of 'array.build' is too large
// CALL: @enormous 1099511627776 fails: bytes of memory for a result of shape [1099511627776, 1099511627776]
// CALL: @enormous 4294967296 fails: bytes of memory
// CALL: @enormous 16777216 fails: needs 2251799813685248 bytes of memory
func.func @enormous(%n: index) -> (tensor<?x?xf64>, f64) {
  %y = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
    %s = arith.addi %i, %j : index
    %t = arith.index_cast %s : index to i64
    %e = arith.sitofp %t : i64 to f64
    array.yield %e : f64
  }
  %a = array.sum %y : (tensor<?x?xf64>) -> tensor<?xf64>
  %b = array.sum %a : (tensor<?xf64>) -> f64
  return %y, %b : tensor<?x?xf64>, f64
}

// An array that would not be stored is also rejected if a loop over it would not end.
// CALL: @absurd 5 -> 10
// CALL: @absurd 9223372036854775807 fails: an extent of 'array.build' is too large
func.func @absurd(%n: index) -> index {
  %y = array.build (%i < %n) -> (tensor<?xindex>) {
    array.yield %i : index
  }
  %s = array.sum %y : (tensor<?xindex>) -> index
  return %s : index
}
