// RUN: mlopt check-calls %s --way plain
// Arrays of booleans: one byte for each element in memory, one bit for each in a vector register. Masked sums,
// products, maxima and updates of rows, with column counts of one vector, one less and one more, and of several
// vectors.

// Computations under a mask of `$k` columns: reductions over both axes, also of booleans, the transpose of a broadcast,
// products of elements, and a state that is updated where a row of the mask is true.
// WITH: $k,f64,0.0,1.0,addf,mulf = 3,f64,0.0,1.0,addf,mulf 7,f64,0.0,1.0,addf,mulf 8,f64,0.0,1.0,addf,mulf \
//   9,f64,0.0,1.0,addf,mulf 10,f64,0.0,1.0,addf,mulf 15,f64,0.0,1.0,addf,mulf 16,f64,0.0,1.0,addf,mulf \
//   17,f64,0.0,1.0,addf,mulf 25,f64,0.0,1.0,addf,mulf 31,f64,0.0,1.0,addf,mulf 32,f64,0.0,1.0,addf,mulf \
//   33,f64,0.0,1.0,addf,mulf \
//   16,f32,0.0,1.0,addf,mulf 31,f32,0.0,1.0,addf,mulf 10,i64,0,1,addi,muli 17,i64,0,1,addi,muli \
//   9,i32,0,1,addi,muli 32,i32,0,1,addi,muli
// CALL: @masked random:{r}x$kxi1:seed=1 random:{r}x$kxf64:seed=2:uniform=-5,6 random:$kxf64:seed=3:uniform=-5,6 \
//   random:{r}x$kxf64:seed=4:uniform=-5,6 for r = 0 1 5 33
func.func @masked(%m: tensor<?x$kxi1>, %x: tensor<?x$kxf64>, %s: tensor<$kxf64>, %w: tensor<?x$kxf64>)
    -> (tensor<$kxf64>, tensor<?xf64>, tensor<$kxf64>, tensor<$kxf64>, tensor<$kxi1>, tensor<$kxi1>,
        tensor<$kxf64>, tensor<?x$kxf64>, tensor<$kxf64>, tensor<$kxf64>, tensor<$kxi1>,
        tensor<?x$kx$kxf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = array.length %x : tensor<?x$kxf64>
  %c = array.length %s : tensor<$kxf64>
  %zero_row = array.build (%j < $k) -> (tensor<$kxf64>) { array.yield %zero : f64 }
  %zeros = array.build (%i < %n) -> (tensor<?x$kxf64>) { array.yield %zero_row : tensor<$kxf64> }
  %one_row = array.build (%j < $k) -> (tensor<$kxf64>) { array.yield %one : f64 }
  %ones = array.build (%i < %n) -> (tensor<?x$kxf64>) { array.yield %one_row : tensor<$kxf64> }
  %kept = arith.select %m, %x, %zeros : tensor<?x$kxi1>, tensor<?x$kxf64>
  %factors = arith.select %m, %x, %ones : tensor<?x$kxi1>, tensor<?x$kxf64>
  %down = array.sum %kept : (tensor<?x$kxf64>) -> tensor<$kxf64>
  %along = array.sum %kept axes [1] : (tensor<?x$kxf64>) -> tensor<?xf64>
  %greatest = array.max %kept : (tensor<?x$kxf64>) -> tensor<$kxf64>
  %product = array.prod %factors : (tensor<?x$kxf64>) -> tensor<$kxf64>
  %no = arith.constant false
  %yes = arith.constant true
  %none = array.build (%j < $k) -> (tensor<$kxi1>) { array.yield %no : i1 }
  %all = array.build (%j < $k) -> (tensor<$kxi1>) { array.yield %yes : i1 }
  %any, %every = array.ifold (%i < %n) iter_args(%a = %none, %b = %all) -> (tensor<$kxi1>, tensor<$kxi1>) {
    %r = array.get %m[%i] : (tensor<?x$kxi1>) -> tensor<$kxi1>
    %either = arith.ori %a, %r : tensor<$kxi1>
    %both = arith.andi %b, %r : tensor<$kxi1>
    array.yield %either, %both : tensor<$kxi1>, tensor<$kxi1>
  }
  %spread = array.build (%i < %n) -> (tensor<?x$kxf64>) {
    %r = array.get %m[%i] : (tensor<?x$kxi1>) -> tensor<$kxi1>
    %t = arith.select %r, %s, %zero_row : tensor<$kxi1>, tensor<$kxf64>
    array.yield %t : tensor<$kxf64>
  }
  %weighed = arith.mulf %w, %kept : tensor<?x$kxf64>
  %back = array.sum %weighed : (tensor<?x$kxf64>) -> tensor<$kxf64>
  %state, %last = array.ifold (%i < %n) iter_args(%a = %s, %seen = %any) -> (tensor<$kxf64>, tensor<$kxi1>) {
    %r = array.get %m[%i] : (tensor<?x$kxi1>) -> tensor<$kxi1>
    %y = array.get %x[%i] : (tensor<?x$kxf64>) -> tensor<$kxf64>
    %b = arith.addf %a, %y : tensor<$kxf64>
    %next = arith.select %r, %b, %a : tensor<$kxi1>, tensor<$kxf64>
    %now = arith.xori %seen, %r : tensor<$kxi1>
    array.yield %next, %now : tensor<$kxf64>, tensor<$kxi1>
  }
  %products = array.build (%i < %n, %p < $k, %q < $k) -> (tensor<?x$kx$kxf64>) {
    %u = array.get %m[%i, %p] : (tensor<?x$kxi1>) -> i1
    %v = array.get %m[%i, %q] : (tensor<?x$kxi1>) -> i1
    %g = arith.andi %u, %v : i1
    %y = array.get %x[%i, %p] : (tensor<?x$kxf64>) -> f64
    %z = array.get %w[%i, %q] : (tensor<?x$kxf64>) -> f64
    %e = arith.mulf %y, %z : f64
    %h = arith.select %g, %e, %zero : f64
    array.yield %h : f64
  }
  return %down, %along, %greatest, %product, %any, %every, %back, %spread, %zero_row, %state, %last, %products
    : tensor<$kxf64>, tensor<?xf64>, tensor<$kxf64>, tensor<$kxf64>, tensor<$kxi1>, tensor<$kxi1>,
        tensor<$kxf64>, tensor<?x$kxf64>, tensor<$kxf64>, tensor<$kxf64>, tensor<$kxi1>,
        tensor<?x$kx$kxf64>
}

// -----

// Sizes that are known at run time.
// WITH: f64,0.0,1.0,addf,mulf = f64,0.0,1.0,addf,mulf f32,0.0,1.0,addf,mulf i64,0,1,addi,muli
// CALL: @masked random:{r}x{c}xi1:seed=1 random:{r}x{c}xf64:seed=2:uniform=-5,6 random:{c}xf64:seed=3:uniform=-5,6 \
//   random:{r}x{c}xf64:seed=4:uniform=-5,6 for r,c = 0,3 1,3 5,3 33,3 0,7 1,7 5,7 33,7 0,8 1,8 5,8 33,8 0,9 1,9 5,9 \
//   33,9 0,10 1,10 5,10 33,10 0,15 1,15 5,15 33,15 0,16 1,16 5,16 33,16 0,17 1,17 5,17 33,17 0,25 1,25 5,25 33,25 \
//   0,31 1,31 5,31 33,31 0,32 1,32 5,32 33,32 0,33 1,33 5,33 33,33
func.func @masked(%m: tensor<?x?xi1>, %x: tensor<?x?xf64>, %s: tensor<?xf64>, %w: tensor<?x?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xi1>, tensor<?xi1>, tensor<?xf64>,
        tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xi1>,
        tensor<?x?x?xf64>) {
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %n = array.length %x : tensor<?x?xf64>
  %c = array.length %s : tensor<?xf64>
  %zero_row = array.build (%j < %c) -> (tensor<?xf64>) { array.yield %zero : f64 }
  %zeros = array.build (%i < %n) -> (tensor<?x?xf64>) { array.yield %zero_row : tensor<?xf64> }
  %one_row = array.build (%j < %c) -> (tensor<?xf64>) { array.yield %one : f64 }
  %ones = array.build (%i < %n) -> (tensor<?x?xf64>) { array.yield %one_row : tensor<?xf64> }
  %kept = arith.select %m, %x, %zeros : tensor<?x?xi1>, tensor<?x?xf64>
  %factors = arith.select %m, %x, %ones : tensor<?x?xi1>, tensor<?x?xf64>
  %down = array.sum %kept : (tensor<?x?xf64>) -> tensor<?xf64>
  %along = array.sum %kept axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %greatest = array.max %kept : (tensor<?x?xf64>) -> tensor<?xf64>
  %product = array.prod %factors : (tensor<?x?xf64>) -> tensor<?xf64>
  %no = arith.constant false
  %yes = arith.constant true
  %none = array.build (%j < %c) -> (tensor<?xi1>) { array.yield %no : i1 }
  %all = array.build (%j < %c) -> (tensor<?xi1>) { array.yield %yes : i1 }
  %any, %every = array.ifold (%i < %n) iter_args(%a = %none, %b = %all) -> (tensor<?xi1>, tensor<?xi1>) {
    %r = array.get %m[%i] : (tensor<?x?xi1>) -> tensor<?xi1>
    %either = arith.ori %a, %r : tensor<?xi1>
    %both = arith.andi %b, %r : tensor<?xi1>
    array.yield %either, %both : tensor<?xi1>, tensor<?xi1>
  }
  %spread = array.build (%i < %n) -> (tensor<?x?xf64>) {
    %r = array.get %m[%i] : (tensor<?x?xi1>) -> tensor<?xi1>
    %t = arith.select %r, %s, %zero_row : tensor<?xi1>, tensor<?xf64>
    array.yield %t : tensor<?xf64>
  }
  %weighed = arith.mulf %w, %kept : tensor<?x?xf64>
  %back = array.sum %weighed : (tensor<?x?xf64>) -> tensor<?xf64>
  %state, %last = array.ifold (%i < %n) iter_args(%a = %s, %seen = %any) -> (tensor<?xf64>, tensor<?xi1>) {
    %r = array.get %m[%i] : (tensor<?x?xi1>) -> tensor<?xi1>
    %y = array.get %x[%i] : (tensor<?x?xf64>) -> tensor<?xf64>
    %b = arith.addf %a, %y : tensor<?xf64>
    %next = arith.select %r, %b, %a : tensor<?xi1>, tensor<?xf64>
    %now = arith.xori %seen, %r : tensor<?xi1>
    array.yield %next, %now : tensor<?xf64>, tensor<?xi1>
  }
  %products = array.build (%i < %n, %p < %c, %q < %c) -> (tensor<?x?x?xf64>) {
    %u = array.get %m[%i, %p] : (tensor<?x?xi1>) -> i1
    %v = array.get %m[%i, %q] : (tensor<?x?xi1>) -> i1
    %g = arith.andi %u, %v : i1
    %y = array.get %x[%i, %p] : (tensor<?x?xf64>) -> f64
    %z = array.get %w[%i, %q] : (tensor<?x?xf64>) -> f64
    %e = arith.mulf %y, %z : f64
    %h = arith.select %g, %e, %zero : f64
    array.yield %h : f64
  }
  return %down, %along, %greatest, %product, %any, %every, %back, %spread, %zero_row, %state, %last, %products
    : tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xi1>, tensor<?xi1>, tensor<?xf64>,
        tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xi1>,
        tensor<?x?x?xf64>
}

// -----

// A product of matrices whose elements are kept where a mask is true: tiles with a computation on them.
// WITH: f64 = f64 f32
// WITH: $n,$e = 16,16 33,33 64,64
// CALL: @product random:$nx$nxf64:seed=1:normal random:$nx$nxf64:seed=2:normal random:$nx$nxi1:seed=3
func.func @product(%a: tensor<$nx$nxf64>, %b: tensor<$nx$nxf64>, %m: tensor<$nx$nxi1>)
    -> tensor<$nx$nxf64> {
  %zero = arith.constant 0.0 : f64
  %n = array.length %a : tensor<$nx$nxf64>
  %z = array.build (%i < $e, %j < $e) -> (tensor<$nx$nxf64>) {
    %p = array.build (%k < $e) -> (tensor<$nxf64>) {
      %x = array.get %a[%i, %k] : (tensor<$nx$nxf64>) -> f64
      %y = array.get %b[%k, %j] : (tensor<$nx$nxf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<$nxf64>) -> f64
    %c = array.get %m[%i, %j] : (tensor<$nx$nxi1>) -> i1
    %t = arith.select %c, %s, %zero : f64
    array.yield %t : f64
  }
  return %z : tensor<$nx$nxf64>
}

// -----

// CALL: @product random:{m}x{m}xf64:seed=1:normal random:{m}x{m}xf64:seed=2:normal random:{m}x{m}xi1:seed=3 for m = \
//   0 1 16 33 64
func.func @product(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %m: tensor<?x?xi1>)
    -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %n = array.length %a : tensor<?x?xf64>
  %z = array.build (%i < %n, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%k < %n) -> (tensor<?xf64>) {
      %x = array.get %a[%i, %k] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%k, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    %c = array.get %m[%i, %j] : (tensor<?x?xi1>) -> i1
    %t = arith.select %c, %s, %zero : f64
    array.yield %t : f64
  }
  return %z : tensor<?x?xf64>
}
