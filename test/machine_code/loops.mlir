// RUN: mlopt check-calls %s --way plain --way kernels
// Sequential loops and branches as machine code: carried arrays, loops without iterations, sizes that data decides.

// CALL: @folds_over_rows random:{n}x3xf64:seed=1:normal {y} random:3xf64:seed=3:normal for n,y = 0,[] 1,[-2]
// CALL: @folds_over_rows random:5x3xf64:seed=1:normal [-2, -1, 0, 1, 2] random:3xf64:seed=3:normal
func.func @folds_over_rows(%x: tensor<?x3xf64>, %y: tensor<?xi64>, %w: tensor<3xf64>)
    -> (tensor<3xf64>, i64, tensor<3xf64>) {
  %c0 = arith.constant 0 : i64
  %a, %b = array.fold (%row = %x : tensor<?x3xf64>, %k = %y : tensor<?xi64>) iter_args(%s = %w, %t = %c0)
      -> (tensor<3xf64>, i64) {
    %p = arith.mulf %row, %s : tensor<3xf64>
    %q = math.cos %p : tensor<3xf64>
    %u = arith.muli %t, %k : i64
    %v = arith.addi %u, %k : i64
    array.yield %q, %v : tensor<3xf64>, i64
  }
  %v = arith.sitofp %y : tensor<?xi64> to tensor<?xf64>
  %neg = math.sin %v : tensor<?xf64>
  %c = array.fold (%e = %neg : tensor<?xf64>) iter_args(%s = %w) -> (tensor<3xf64>) {
    %r = array.replicate %e : (f64) -> tensor<3xf64>
    %z = arith.addf %s, %r : tensor<3xf64>
    array.yield %z : tensor<3xf64>
  }
  return %a, %b, %c : tensor<3xf64>, i64, tensor<3xf64>
}

// CALL: @map_accum random:4x3xf64:seed=1:normal random:3xf64:seed=2:normal
// CALL: @map_accum random:1x3xf64:seed=1:normal random:3xf64:seed=2:normal
func.func @map_accum(%x: tensor<?x3xf64>, %w: tensor<3xf64>)
    -> (tensor<3xf64>, f64, tensor<?xf64>, tensor<?x3xf64>, tensor<?x3xf64>) {
  %zero = arith.constant 0.0 : f64
  %s, %a, %sums, %before, %after =
      array.map_accum (%row = %x : tensor<?x3xf64>) iter_args(%u = %w, %t = %zero)
      -> (tensor<3xf64>, f64, tensor<?xf64>, tensor<?x3xf64>, tensor<?x3xf64>) {
    %p = arith.mulf %row, %u : tensor<3xf64>
    %q = math.sin %p : tensor<3xf64>
    %e = array.sum %q : (tensor<3xf64>) -> f64
    %b = arith.addf %t, %e : f64
    array.yield %q, %b, %b, %u, %q : tensor<3xf64>, f64, f64, tensor<3xf64>, tensor<3xf64>
  }
  return %s, %a, %sums, %before, %after : tensor<3xf64>, f64, tensor<?xf64>, tensor<?x3xf64>, tensor<?x3xf64>
}

// CALL: @different_rows random:5xf64:seed=1:normal random:5xf64:seed=2:normal
// CALL: @different_rows random:5xf64 random:4xf64 fails: operands of 'array.fold' have different sizes
func.func @different_rows(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %s = array.fold (%a = %x : tensor<?xf64>, %b = %y : tensor<?xf64>) iter_args(%t = %zero) -> (f64) {
    %p = arith.mulf %a, %b : f64
    %u = arith.addf %t, %p : f64
    array.yield %u : f64
  }
  return %s : f64
}

// CALL: @while_loops random:5xf64:seed=1:normal -100.0
// CALL: @while_loops random:5xf64:seed=1:normal 0.5
// CALL: @while_loops random:5xf64:seed=1:normal 100.0
// CALL: @while_loops random:0xf64:seed=1:normal -1.0
func.func @while_loops(%x: tensor<?xf64>, %limit: f64) -> (tensor<?xf64>, f64, index, tensor<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %y = math.cos %x : tensor<?xf64>
  %r, %t, %k, %q = scf.while (%u = %x, %v = %y, %i = %c0) : (tensor<?xf64>, tensor<?xf64>, index)
      -> (tensor<?xf64>, f64, index, tensor<?xf64>) {
    %s = array.sum %u : (tensor<?xf64>) -> f64
    %big = arith.cmpf ogt, %s, %limit : f64
    %few = arith.cmpi slt, %i, %c9 : index
    %go = arith.andi %big, %few : i1
    scf.condition(%go) %v, %s, %i, %u : tensor<?xf64>, f64, index, tensor<?xf64>
  } do {
  ^bb0(%v: tensor<?xf64>, %s: f64, %i: index, %u: tensor<?xf64>):
    %w = arith.subf %u, %v : tensor<?xf64>
    %j = arith.addi %i, %c1 : index
    scf.yield %v, %w, %j : tensor<?xf64>, tensor<?xf64>, index
  }
  return %r, %t, %k, %q : tensor<?xf64>, f64, index, tensor<?xf64>
}

// CALL: @while_loops_2 8.0 {n} for n = 3 0
func.func @while_loops_2(%a: f64, %n: i32) -> (f64, i32) {
  %c1 = arith.constant 1 : i32
  %c0 = arith.constant 0 : i32
  %half = arith.constant 0.5 : f64
  %x, %k = scf.while (%b = %a, %i = %n) : (f64, i32) -> (f64, i32) {
    %go = arith.cmpi sgt, %i, %c0 : i32
    scf.condition(%go) %b, %i : f64, i32
  } do {
  ^bb0(%b: f64, %i: i32):
    %c = arith.mulf %b, %half : f64
    %j = arith.subi %i, %c1 : i32
    scf.yield %c, %j : f64, i32
  }
  return %x, %k : f64, i32
}

// An array that a loop carries keeps its sizes, which is checked before the loop runs. Without an iteration it does not
// grow.
// CALL: @growing random:5xf64 2 fails: an iteration changes the sizes of an array that 'scf.for' carries
// CALL: @growing [1, 2, 3, 4, 5] 0 -> [1, 2, 3, 4, 5]
func.func @growing(%x: tensor<?xf64>, %n: index) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %t = array.append %s, %s : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
    scf.yield %t : tensor<?xf64>
  }
  return %y : tensor<?xf64>
}

// A carried value of a loop without iterations may have any size.
// CALL: @sizes_after_no_iteration random:5xf64:seed=1:normal random:3xf64:seed=2:normal 0
// CALL: @sizes_after_no_iteration random:2xf64:seed=1:normal random:4xf64:seed=2:normal -1
// CALL: @sizes_after_no_iteration random:3xf64:seed=1:normal random:3xf64:seed=2:normal 2
// CALL: @sizes_after_no_iteration random:0xf64:seed=1:normal random:3xf64:seed=2:normal 0
func.func @sizes_after_no_iteration(%x: tensor<?xf64>, %y: tensor<?xf64>, %n: index) -> (tensor<?xf64>, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %e = math.cos %y : tensor<?xf64>
    scf.yield %e : tensor<?xf64>
  }
  %t = array.sum %r : (tensor<?xf64>) -> f64
  return %r, %t : tensor<?xf64>, f64
}

// Branches with arrays: of one size, of different sizes, in loops, and with branches that are already computed.
// CALL: @branches_with_arrays random:5xf64:seed=1:normal random:5xf64:seed=2:normal true 4
// CALL: @branches_with_arrays random:5xf64:seed=1:normal random:5xf64:seed=2:normal false 3
// CALL: @branches_with_arrays random:5xf64:seed=1:normal random:2xf64:seed=2:normal false 7
// CALL: @branches_with_arrays random:2xf64:seed=1:normal random:5xf64:seed=2:normal true 0
func.func @branches_with_arrays(%x: tensor<?xf64>, %y: tensor<?xf64>, %c: i1, %n: index)
    -> (tensor<?xf64>, tensor<3xf64>, f64, tensor<?xf64>, f64) {
  %one = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf64>
  %a, %b, %s = scf.if %c -> (tensor<?xf64>, tensor<3xf64>, f64) {
    %e = math.exp %x : tensor<?xf64>
    %t = array.sum %e : (tensor<?xf64>) -> f64
    scf.yield %e, %one, %t : tensor<?xf64>, tensor<3xf64>, f64
  } else {
    %zero = arith.constant 0.0 : f64
    %m = math.sin %one : tensor<3xf64>
    scf.yield %y, %m, %zero : tensor<?xf64>, tensor<3xf64>, f64
  }
  %d = array.ifold (%i < %n) iter_args(%u = %x) -> (tensor<?xf64>) {
    %odd = arith.index_cast %i : index to i64
    %bit = arith.trunci %odd : i64 to i1
    %v = scf.if %bit -> (tensor<?xf64>) {
      %w = array.reverse %u : tensor<?xf64>
      scf.yield %w : tensor<?xf64>
    } else {
      %w = array.scatter %s into %u : f64 into tensor<?xf64> () {
        array.yield %i : index
      }
      scf.yield %w : tensor<?xf64>
    }
    array.yield %v : tensor<?xf64>
  }
  %p = scf.if %c -> (tensor<?xf64>) {
    scf.yield %x : tensor<?xf64>
  } else {
    scf.yield %d : tensor<?xf64>
  }
  %q = math.cos %p : tensor<?xf64>
  %z = array.sum %q : (tensor<?xf64>) -> f64
  return %a, %b, %s, %d, %z : tensor<?xf64>, tensor<3xf64>, f64, tensor<?xf64>, f64
}

// Data selects between arrays of different sizes.
// CALL: @chosen_sum random:{n}xf64:seed=1:normal random:3xf64:seed=2:normal for n = 5 0
func.func @chosen_sum(%x: tensor<?xf64>, %y: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0.0 : f64
  %e = math.exp %x : tensor<?xf64>
  %t = array.sum %e : (tensor<?xf64>) -> f64
  %big = arith.cmpf ogt, %t, %zero : f64
  %z = scf.if %big -> (tensor<?xf64>) {
    %u = math.cos %x : tensor<?xf64>
    scf.yield %u : tensor<?xf64>
  } else {
    scf.yield %y : tensor<?xf64>
  }
  %s = array.sum %z : (tensor<?xf64>) -> f64
  return %s : f64
}

// CALL: @chosen random:5xf64:seed=1:normal random:{n}xf64:seed=2:normal for n = 5 3
func.func @chosen(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %zero = arith.constant 0.0 : f64
  %e = math.exp %x : tensor<?xf64>
  %t = array.sum %e : (tensor<?xf64>) -> f64
  %big = arith.cmpf ogt, %t, %zero : f64
  %z = scf.if %big -> (tensor<?xf64>) {
    %u = math.cos %x : tensor<?xf64>
    scf.yield %u : tensor<?xf64>
  } else {
    scf.yield %y : tensor<?xf64>
  }
  %s = array.sum %z : (tensor<?xf64>) -> f64
  return %z : tensor<?xf64>
}

// Updates of a carried array. `plan_memory/carried_updates.mlir` tests that no iteration copies the array.
// CALL: @update random:9xf64:seed=1:normal [0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
// CALL: @update random:0xf64 [0, 4]
func.func @update(%x: tensor<?xf64>, %p: tensor<?xindex>) -> (tensor<?xf64>, f64) {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r, %t = array.ifold (%i < %n) iter_args(%s = %x, %a = %zero) -> (tensor<?xf64>, f64) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %z = array.scatter %one into %s : f64 into tensor<?xf64> () {
      array.yield %k : index
    }
    array.yield %z, %a : tensor<?xf64>, f64
  }
  return %r, %t : tensor<?xf64>, f64
}

// The old state is read after it has been updated; two updates; one of them under a condition.
// CALL: @updates_and_old_state random:9xf64:seed=1:normal [0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
// CALL: @updates_and_old_state random:0xf64 [0, 4]
func.func @updates_and_old_state(%x: tensor<?xf64>, %p: tensor<?xindex>) -> (tensor<?xf64>, f64) {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r, %t = array.ifold (%i < %n) iter_args(%s = %x, %a = %zero) -> (tensor<?xf64>, f64) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %z = array.scatter %one into %s : f64 into tensor<?xf64> () {
      array.yield %k : index
    }
    %old = array.get %s[%i] : (tensor<?xf64>) -> f64
    %c = arith.cmpf olt, %old, %zero : f64
    %y = scf.if %c -> (tensor<?xf64>) {
      %w = array.scatter %old into %z : f64 into tensor<?xf64> () {
        array.yield %i : index
      }
      scf.yield %w : tensor<?xf64>
    } else {
      scf.yield %z : tensor<?xf64>
    }
    %b = arith.addf %a, %old : f64
    array.yield %y, %b : tensor<?xf64>, f64
  }
  return %r, %t : tensor<?xf64>, f64
}

// CALL: @updates_in_inner_loop random:9xf64:seed=1:normal [0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
// CALL: @updates_in_inner_loop random:0xf64 [0, 4]
func.func @updates_in_inner_loop(%x: tensor<?xf64>, %p: tensor<?xindex>) -> (tensor<?xf64>, f64) {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r, %t = array.ifold (%i < %n) iter_args(%s = %x, %a = %zero) -> (tensor<?xf64>, f64) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %z = scf.for %j = %i to %i step %c1 iter_args(%q = %s) -> (tensor<?xf64>) {
      %w = array.scatter %one into %q : f64 into tensor<?xf64> () {
        array.yield %j : index
      }
      scf.yield %w : tensor<?xf64>
    }
    array.yield %z, %a : tensor<?xf64>, f64
  }
  return %r, %t : tensor<?xf64>, f64
}

// CALL: @updates_by_addition random:9xf64:seed=1:normal [0, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
// CALL: @updates_by_addition random:0xf64 [0, 4]
func.func @updates_by_addition(%x: tensor<?xf64>, %p: tensor<?xindex>) -> (tensor<?xf64>, f64) {
  %n = array.length %p : tensor<?xindex>
  %m = array.length %x : tensor<?xf64>
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %c1 = arith.constant 1 : index
  %r, %t = array.ifold (%i < %n) iter_args(%s = %x, %a = %zero) -> (tensor<?xf64>, f64) {
    %k = array.get %p[%i] : (tensor<?xindex>) -> index
    %h = array.one_hot %one at [%k] sizes(%m) : (f64) -> tensor<?xf64>
    %z = arith.addf %s, %h : tensor<?xf64>
    array.yield %z, %a : tensor<?xf64>, f64
  }
  return %r, %t : tensor<?xf64>, f64
}

// The fact that the extent of a loop is at least one holds inside the loop, but not for ops placed before it. Here the
// carried value has other sizes after an iteration, but there is none; nor is there one in a surrounding loop.
// CALL: @replaced_state random:3xf64:seed=1:normal random:2xf64:seed=2:normal random:0xf64
// CALL: @replaced_state random:4xf64:seed=1:normal random:4xf64:seed=2:normal random:2xf64:seed=3:normal
func.func @replaced_state(%x: tensor<?xf64>, %y: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.length %w : tensor<?xf64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
    %e = math.sin %y : tensor<?xf64>
    scf.yield %e : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}

// CALL: @replaced_state_within_loop random:3xf64:seed=1:normal random:2xf64:seed=2:normal random:0xf64
// CALL: @replaced_state_within_loop random:4xf64:seed=1:normal random:4xf64:seed=2:normal random:2xf64:seed=3:normal
func.func @replaced_state_within_loop(%x: tensor<?xf64>, %y: tensor<?xf64>, %w: tensor<?xf64>) -> tensor<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = array.length %w : tensor<?xf64>
  %zero = arith.constant 0.0 : f64
  %last, %sums = array.map_accum (%a = %w : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?xf64>) {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<?xf64>) {
      %e = math.sin %y : tensor<?xf64>
      scf.yield %e : tensor<?xf64>
    }
    %b = array.sum %r : (tensor<?xf64>) -> f64
    array.yield %b, %b : f64, f64
  }
  return %sums : tensor<?xf64>
}

// Rows of n - 1, ⌊(n - 1) / 2⌋ and max(n, 1) elements: with n = 0 these are 0, 0 and 1.
// CALL: @rows_last random:{n}xf64:normal for n = 0 1 6
func.func @rows_last(%x: tensor<?xf64>) -> (f64, tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = array.length %x : tensor<?xf64>
  %s, %e = array.map_accum (%a = %x : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {
    %last = arith.subi %n, %one : index
    %half = array.div %last, %two : index
    %some = arith.maxsi %n, %one : index
    %r = array.replicate %a, %last : (f64) -> tensor<?xf64>
    %u = arith.addf %t, %a : f64
    array.yield %u, %r : f64, tensor<?xf64>
  }
  %sum = array.sum %e axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
  return %s, %e, %sum : f64, tensor<?x?xf64>, tensor<?xf64>
}

// CALL: @rows_half random:{n}xf64:normal for n = 0 1 6
func.func @rows_half(%x: tensor<?xf64>) -> (f64, tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = array.length %x : tensor<?xf64>
  %s, %e = array.map_accum (%a = %x : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {
    %last = arith.subi %n, %one : index
    %half = array.div %last, %two : index
    %some = arith.maxsi %n, %one : index
    %r = array.replicate %a, %half : (f64) -> tensor<?xf64>
    %u = arith.addf %t, %a : f64
    array.yield %u, %r : f64, tensor<?xf64>
  }
  %sum = array.sum %e axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
  return %s, %e, %sum : f64, tensor<?x?xf64>, tensor<?xf64>
}

// CALL: @rows_some random:{n}xf64:normal for n = 0 1 6
func.func @rows_some(%x: tensor<?xf64>) -> (f64, tensor<?x?xf64>, tensor<?xf64>) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %n = array.length %x : tensor<?xf64>
  %s, %e = array.map_accum (%a = %x : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {
    %last = arith.subi %n, %one : index
    %half = array.div %last, %two : index
    %some = arith.maxsi %n, %one : index
    %r = array.replicate %a, %some : (f64) -> tensor<?xf64>
    %u = arith.addf %t, %a : f64
    array.yield %u, %r : f64, tensor<?xf64>
  }
  %sum = array.sum %e axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
  return %s, %e, %sum : f64, tensor<?x?xf64>, tensor<?xf64>
}

// If an array of 3 x 0 positions is read with other sizes, the position is divided by 0. The read is in a loop without
// iterations, and determines sizes before it.
// CALL: @no_division_trap random:{mn}xf64:seed=1:normal random:{m}x{n}xf64:seed=2:normal \
//   for m,n,mn = 3,0,0 0,3,0 3,2,6 1,1,1
func.func @no_division_trap(%y: tensor<?xf64>, %m: tensor<?x?xf64>) -> (f64, tensor<?x?xf64>) {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %rows = array.length %m : tensor<?x?xf64>
  %columns = array.length %m axis 1 : tensor<?x?xf64>
  %n = array.length %y : tensor<?xf64>
  %last = arith.subi %n, %one : index
  %column = array.iota %columns : tensor<?xindex>
  %both = array.replicate %column, %rows : (tensor<?xindex>) -> tensor<?x?xindex>
  %flat = array.reshape %both sizes(%n) : (tensor<?x?xindex>) -> tensor<?xindex>
  %s, %e = array.map_accum (%a = %y : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {
    %size = array.get %flat[%last] : (tensor<?xindex>) -> index
    %r = array.replicate %a, %size : (f64) -> tensor<?xf64>
    %u = arith.addf %t, %a : f64
    array.yield %u, %r : f64, tensor<?xf64>
  }
  return %s, %e : f64, tensor<?x?xf64>
}
