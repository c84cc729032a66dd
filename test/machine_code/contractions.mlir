// RUN: mlopt check-calls %s --way plain --mcpu x86-64 --mcpu x86-64-v3 --mcpu native --tolerance 1e-11
// RUN: mlopt %s --split-input-file --array-to-sweeps | FileCheck %s
// RUN: sed s/f64/f32/g %s | mlopt --split-input-file --array-to-sweeps | FileCheck %s
// Tiled contractions, for every layout of the operands: sizes that are and are not multiples of tiles, empty ones,
// known and unknown, on processors with vectors of 128, 256 and 512 bits. Each is recognised as a contraction.

// WITH: f64 = f64 f32
// A read outside an array is zero, as in the second call of each.
// CHECK-LABEL: func.func @rows_by_columns
// CHECK:         contraction
// CALL: @rows_by_columns random:{m}x{l}xf64:seed=1:normal random:{l}x{n}xf64:seed=2:normal {m} {n} {l} \
//   for m,n,l = 0,5,7 5,0,7 5,7,0 1,1,1 1,70,9 70,1,9 8,16,3 8,32,16 16,33,17 9,15,64 7,31,1 6,8,40 4,4,4 13,47,66 \
//   68,65,35 40,25,15 5,46,47 52,59,65 2,2,38
// CALL: @rows_by_columns random:9x12xf64:seed=1:normal random:11x9xf64:seed=2:normal 20 30 10
func.func @rows_by_columns(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %m: index, %n: index, %l: index)
    -> tensor<?x?xf64> {
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%k < %l) -> (tensor<?xf64>) {
      %x = array.get %a[%i, %k] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%k, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @columns_by_columns
// CHECK:         contraction
// CALL: @columns_by_columns random:{l}x{m}xf64:seed=1:normal random:{l}x{n}xf64:seed=2:normal {m} {n} {l} \
//   for m,n,l = 0,5,7 5,0,7 5,7,0 1,1,1 1,70,9 70,1,9 8,16,3 8,32,16 16,33,17 9,15,64 7,31,1 6,8,40 4,4,4 13,47,66 \
//   68,65,35 40,25,15 5,46,47 52,59,65 2,2,38
// CALL: @columns_by_columns random:9x12xf64:seed=1:normal random:11x9xf64:seed=2:normal 20 30 10
func.func @columns_by_columns(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %m: index, %n: index, %l: index)
    -> tensor<?x?xf64> {
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%k < %l) -> (tensor<?xf64>) {
      %x = array.get %a[%k, %i] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%k, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @rows_by_rows
// CHECK:         contraction
// CALL: @rows_by_rows random:{m}x{l}xf64:seed=1:normal random:{n}x{l}xf64:seed=2:normal {m} {n} {l} \
//   for m,n,l = 0,5,7 5,0,7 5,7,0 1,1,1 1,70,9 70,1,9 8,16,3 8,32,16 16,33,17 9,15,64 7,31,1 6,8,40 4,4,4 13,47,66 \
//   68,65,35 40,25,15 5,46,47 52,59,65 2,2,38
// CALL: @rows_by_rows random:9x12xf64:seed=1:normal random:11x9xf64:seed=2:normal 20 30 10
func.func @rows_by_rows(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %m: index, %n: index, %l: index) -> tensor<?x?xf64> {
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%k < %l) -> (tensor<?xf64>) {
      %x = array.get %a[%i, %k] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%j, %k] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// CHECK-LABEL: func.func @columns_by_rows
// CHECK:         contraction
// CALL: @columns_by_rows random:{l}x{m}xf64:seed=1:normal random:{n}x{l}xf64:seed=2:normal {m} {n} {l} \
//   for m,n,l = 0,5,7 5,0,7 5,7,0 1,1,1 1,70,9 70,1,9 8,16,3 8,32,16 16,33,17 9,15,64 7,31,1 6,8,40 4,4,4 13,47,66 \
//   68,65,35 40,25,15 5,46,47 52,59,65 2,2,38
// CALL: @columns_by_rows random:9x12xf64:seed=1:normal random:11x9xf64:seed=2:normal 20 30 10
func.func @columns_by_rows(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %m: index, %n: index, %l: index)
    -> tensor<?x?xf64> {
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%k < %l) -> (tensor<?xf64>) {
      %x = array.get %a[%k, %i] : (tensor<?x?xf64>) -> f64
      %y = array.get %b[%j, %k] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<?x?xf64>
}

// -----

// More terms than a panel holds, and more rows than have partial sums together.
// CHECK-LABEL: func.func @long_9
// CHECK:         contraction
// CALL: @long_9 random:9x1100xf64:seed=1:normal random:5x1100xf64:seed=2:normal
func.func @long_9(%a: tensor<9x?xf64>, %b: tensor<?x1100xf64>) -> tensor<9x?xf64> {
  %n = array.length %b : tensor<?x1100xf64>
  %k = array.length %a axis 1 : tensor<9x?xf64>
  %z = array.build (%i < 9, %j < %n) -> (tensor<9x?xf64>) {
    %p = array.build (%l < 1100) -> (tensor<1100xf64>) {
      %x = array.get %a[%i, %l] : (tensor<9x?xf64>) -> f64
      %y = array.get %b[%j, %l] : (tensor<?x1100xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<1100xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<9x?xf64>
}

// CHECK-LABEL: func.func @long_600
// CHECK:         contraction
// CALL: @long_600 random:600x520xf64:seed=1:normal random:5x520xf64:seed=2:normal
func.func @long_600(%a: tensor<600x?xf64>, %b: tensor<?x520xf64>) -> tensor<600x?xf64> {
  %n = array.length %b : tensor<?x520xf64>
  %k = array.length %a axis 1 : tensor<600x?xf64>
  %z = array.build (%i < 600, %j < %n) -> (tensor<600x?xf64>) {
    %p = array.build (%l < 520) -> (tensor<520xf64>) {
      %x = array.get %a[%i, %l] : (tensor<600x?xf64>) -> f64
      %y = array.get %b[%j, %l] : (tensor<?x520xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<520xf64>) -> f64
    array.yield %s : f64
  }
  return %z : tensor<600x?xf64>
}

// Sums over two axes, repetitions along a third, rows on two axes; computations on the result and on the factors.
// CHECK-LABEL: func.func @other_forms
// CHECK:         contraction
// CALL: @other_forms random:{t}x{k}x{m}xf64:seed=1:normal random:{t}x{k}x{n}xf64:seed=2:normal \
//   random:{m}x{n}xf64:seed=3:normal for t,k,m,n = 3,10,9,35 2,3,20,16 1,9,8,32 0,3,5,6 4,1,1,40
func.func @other_forms(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<?x?xf64>)
    -> (tensor<?x?xf64>, tensor<?x?x?xf64>) {
  %t = array.length %a : tensor<?x?x?xf64>
  %k = array.length %a axis 1 : tensor<?x?x?xf64>
  %m = array.length %a axis 2 : tensor<?x?x?xf64>
  %n = array.length %b axis 2 : tensor<?x?x?xf64>
  %z = array.build (%i < %m, %j < %n) -> (tensor<?x?xf64>) {
    %p = array.build (%u < %t, %v < %k) -> (tensor<?x?xf64>) {
      %x = array.get %a[%u, %v, %i] : (tensor<?x?x?xf64>) -> f64
      %y = array.get %b[%u, %v, %j] : (tensor<?x?x?xf64>) -> f64
      %q = arith.mulf %y, %x : f64
      array.yield %q : f64
    }
    %s = array.sum %p axes [0, 1] : (tensor<?x?xf64>) -> f64
    %old = array.get %c[%i, %j] : (tensor<?x?xf64>) -> f64
    %zero = arith.constant 0.0 : f64
    %new = arith.addf %old, %s : f64
    %cut = arith.maximumf %new, %zero : f64
    array.yield %cut : f64
  }
  %w = array.build (%u < %t, %v < %k, %j < %n) -> (tensor<?x?x?xf64>) {
    %p = array.build (%i < %m) -> (tensor<?xf64>) {
      %x = array.get %a[%u, %v, %i] : (tensor<?x?x?xf64>) -> f64
      %e = math.sin %x : f64
      %y = array.get %c[%i, %j] : (tensor<?x?xf64>) -> f64
      %q = arith.mulf %e, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    %d = math.tanh %s : f64
    array.yield %d : f64
  }
  return %z, %w : tensor<?x?xf64>, tensor<?x?x?xf64>
}

// A batch of products that are summed, and one product inside a loop whose state it updates.
// CHECK-LABEL: func.func @batch
// CHECK:         contraction
// CALL: @batch random:{t}x{m}x{k}xf64:seed=1:normal random:{t}x{k}x{n}xf64:seed=2:normal \
//   random:20x20xf64:seed=3:normal \
//   for t,m,k,n = 3,10,9,35 2,8,16,16 0,4,4,4
func.func @batch(%a: tensor<?x?x?xf64>, %b: tensor<?x?x?xf64>, %c: tensor<20x20xf64>) -> (f64, tensor<20x20xf64>) {
  %t = array.length %a : tensor<?x?x?xf64>
  %m = array.length %a axis 1 : tensor<?x?x?xf64>
  %k = array.length %a axis 2 : tensor<?x?x?xf64>
  %n = array.length %b axis 2 : tensor<?x?x?xf64>
  %z = array.build (%u < %t, %i < %m, %j < %n) -> (tensor<?x?x?xf64>) {
    %p = array.build (%v < %k) -> (tensor<?xf64>) {
      %x = array.get %a[%u, %i, %v] : (tensor<?x?x?xf64>) -> f64
      %y = array.get %b[%u, %v, %j] : (tensor<?x?x?xf64>) -> f64
      %q = arith.mulf %x, %y : f64
      array.yield %q : f64
    }
    %s = array.sum %p : (tensor<?xf64>) -> f64
    array.yield %s : f64
  }
  %total = array.sum %z axes [0, 1, 2] : (tensor<?x?x?xf64>) -> f64
  %w = array.ifold (%r < %t) iter_args(%s = %c) -> (tensor<20x20xf64>) {
    %y = array.build (%i < 20, %j < 20) -> (tensor<20x20xf64>) {
      %p = array.build (%v < 20) -> (tensor<20xf64>) {
        %x = array.get %s[%i, %v] : (tensor<20x20xf64>) -> f64
        %y = array.get %c[%j, %v] : (tensor<20x20xf64>) -> f64
        %q = arith.mulf %x, %y : f64
        array.yield %q : f64
      }
      %d = array.sum %p : (tensor<20xf64>) -> f64
      %e = math.tanh %d : f64
      array.yield %e : f64
    }
    array.yield %y : tensor<20x20xf64>
  }
  return %total, %w : f64, tensor<20x20xf64>
}

// A product that several nests compute is computed once. Products in rows of a reduction, and under a condition inside
// a loop that updates an array, are moved out.
// CHECK-LABEL: func.func @inside_other_loops
// CHECK:         contraction
// CALL: @inside_other_loops random:{m}x{k}xf64:seed=1:normal random:{k}x{n}xf64:seed=2:normal \
//   random:{h}x{n}xf64:seed=3:normal for m,k,n,h = 12,9,21,12 9,20,16,5 6,5,4,11 1,1,1,1 3,2,5,0
func.func @inside_other_loops(%a: tensor<?x?xf64>, %b: tensor<?x?xf64>, %c: tensor<?x?xf64>)
    -> (tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>) {
  %m = array.length %a : tensor<?x?xf64>
  %k = array.length %a axis 1 : tensor<?x?xf64>
  %n = array.length %b axis 1 : tensor<?x?xf64>
  %h = array.length %c : tensor<?x?xf64>
  %top = array.build (%i < %m) -> (tensor<?xf64>) {
    %row = array.build (%j < %n) -> (tensor<?xf64>) {
      %p = array.build (%l < %k) -> (tensor<?xf64>) {
        %x = array.get %a[%i, %l] : (tensor<?x?xf64>) -> f64
        %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
        %q = arith.mulf %x, %y : f64
        array.yield %q : f64
      }
      %s = array.sum %p : (tensor<?xf64>) -> f64
      array.yield %s : f64
    }
    %t = array.max %row : (tensor<?xf64>) -> f64
    array.yield %t : f64
  }
  %sums = array.build (%i < %m) -> (tensor<?xf64>) {
    %row = array.build (%j < %n) -> (tensor<?xf64>) {
      %p = array.build (%l < %k) -> (tensor<?xf64>) {
        %x = array.get %a[%i, %l] : (tensor<?x?xf64>) -> f64
        %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
        %q = arith.mulf %x, %y : f64
        array.yield %q : f64
      }
      %s = array.sum %p : (tensor<?xf64>) -> f64
      %t = array.get %top[%i] : (tensor<?xf64>) -> f64
      %d = arith.subf %s, %t : f64
      %e = math.exp %d : f64
      array.yield %e : f64
    }
    %t = array.sum %row : (tensor<?xf64>) -> f64
    array.yield %t : f64
  }
  %z = array.ifold (%i < %m) iter_args(%s = %c) -> (tensor<?x?xf64>) {
    %in = arith.cmpi ult, %i, %h : index
    %new = scf.if %in -> (tensor<?x?xf64>) {
      %row = array.build (%j < %n) -> (tensor<?xf64>) {
        %p = array.build (%l < %k) -> (tensor<?xf64>) {
          %x = array.get %a[%i, %l] : (tensor<?x?xf64>) -> f64
          %y = array.get %b[%l, %j] : (tensor<?x?xf64>) -> f64
          %q = arith.mulf %y, %x : f64
          array.yield %q : f64
        }
        %t = array.sum %p : (tensor<?xf64>) -> f64
        array.yield %t : f64
      }
      %t = array.scatter %row into %s : tensor<?xf64> into tensor<?x?xf64> (%j) {
        array.yield %i, %j : index, index
      }
      scf.yield %t : tensor<?x?xf64>
    } else {
      scf.yield %s : tensor<?x?xf64>
    }
    array.yield %new : tensor<?x?xf64>
  }
  return %top, %sums, %z : tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>
}
