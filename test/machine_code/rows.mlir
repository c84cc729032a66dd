// RUN: mlopt check-calls %s --way plain --way optimised --mcpu x86-64 --mcpu native
// Matrices with rows of all lengths around the width of registers: a map, sums along rows and along columns, and the
// state of a recurrence.
// WITH: f64 = f64 f32

// CALL: @any random:{m}x{n}xf64:seed=1 random:{m}xf64:seed=2 random:{n}xf64:seed=3 \
//   for m,n = 3,5 3,8 2,9 3,14 5,15 3,17 9,40 13,24 5,64 11,66 17,131 0,9 9,0 1,1 3,1 4,7 3,16 2,31 1,63 7,65 \
//   101,100 4,300 300,4
func.func @any(%a: tensor<?x?xf64>, %u: tensor<?xf64>, %v: tensor<?xf64>)
    -> (tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64) {
  %m = array.length %a : tensor<?x?xf64>
  %n = array.length %a axis 1 : tensor<?x?xf64>
  %vs = array.replicate %v, %m : (tensor<?xf64>) -> tensor<?x?xf64>
  %ut = array.replicate %u, %n : (tensor<?xf64>) -> tensor<?x?xf64>
  %us = array.transpose %ut [1, 0] : (tensor<?x?xf64>) -> tensor<?x?xf64>
  %av = arith.mulf %a, %vs : tensor<?x?xf64>
  %au = arith.mulf %a, %us : tensor<?x?xf64>
  %e = math.exp %au : tensor<?x?xf64>
  %map = arith.subf %e, %vs : tensor<?x?xf64>
  %rows = array.sum %av axes [1] : (tensor<?x?xf64>) -> tensor<?xf64>
  %columns = array.sum %au axes [0] : (tensor<?x?xf64>) -> tensor<?xf64>
  %state = array.fold (%x = %a : tensor<?x?xf64>) iter_args(%s = %v) -> (tensor<?xf64>) {
    %p = arith.mulf %s, %v : tensor<?xf64>
    %q = arith.addf %p, %x : tensor<?xf64>
    %t = math.tanh %q : tensor<?xf64>
    array.yield %t : tensor<?xf64>
  }
  %vv = arith.mulf %v, %v : tensor<?xf64>
  %sum = array.sum %vv : (tensor<?xf64>) -> f64
  %max = array.max %v : (tensor<?xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>, tensor<?xf64>, f64, f64
}

// CALL: @of_3_5 random:3x5xf64:seed=1 random:3xf64:seed=2 random:5xf64:seed=3
func.func @of_3_5(%a: tensor<3x5xf64>, %u: tensor<3xf64>, %v: tensor<5xf64>)
    -> (tensor<3x5xf64>, tensor<3xf64>, tensor<5xf64>, tensor<5xf64>, f64, f64) {
  %m = array.length %a : tensor<3x5xf64>
  %n = array.length %a axis 1 : tensor<3x5xf64>
  %vs = array.replicate %v : (tensor<5xf64>) -> tensor<3x5xf64>
  %ut = array.replicate %u : (tensor<3xf64>) -> tensor<5x3xf64>
  %us = array.transpose %ut [1, 0] : (tensor<5x3xf64>) -> tensor<3x5xf64>
  %av = arith.mulf %a, %vs : tensor<3x5xf64>
  %au = arith.mulf %a, %us : tensor<3x5xf64>
  %e = math.exp %au : tensor<3x5xf64>
  %map = arith.subf %e, %vs : tensor<3x5xf64>
  %rows = array.sum %av axes [1] : (tensor<3x5xf64>) -> tensor<3xf64>
  %columns = array.sum %au axes [0] : (tensor<3x5xf64>) -> tensor<5xf64>
  %state = array.fold (%x = %a : tensor<3x5xf64>) iter_args(%s = %v) -> (tensor<5xf64>) {
    %p = arith.mulf %s, %v : tensor<5xf64>
    %q = arith.addf %p, %x : tensor<5xf64>
    %t = math.tanh %q : tensor<5xf64>
    array.yield %t : tensor<5xf64>
  }
  %vv = arith.mulf %v, %v : tensor<5xf64>
  %sum = array.sum %vv : (tensor<5xf64>) -> f64
  %max = array.max %v : (tensor<5xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<3x5xf64>, tensor<3xf64>, tensor<5xf64>, tensor<5xf64>, f64, f64
}

// CALL: @of_3_8 random:3x8xf64:seed=1 random:3xf64:seed=2 random:8xf64:seed=3
func.func @of_3_8(%a: tensor<3x8xf64>, %u: tensor<3xf64>, %v: tensor<8xf64>)
    -> (tensor<3x8xf64>, tensor<3xf64>, tensor<8xf64>, tensor<8xf64>, f64, f64) {
  %m = array.length %a : tensor<3x8xf64>
  %n = array.length %a axis 1 : tensor<3x8xf64>
  %vs = array.replicate %v : (tensor<8xf64>) -> tensor<3x8xf64>
  %ut = array.replicate %u : (tensor<3xf64>) -> tensor<8x3xf64>
  %us = array.transpose %ut [1, 0] : (tensor<8x3xf64>) -> tensor<3x8xf64>
  %av = arith.mulf %a, %vs : tensor<3x8xf64>
  %au = arith.mulf %a, %us : tensor<3x8xf64>
  %e = math.exp %au : tensor<3x8xf64>
  %map = arith.subf %e, %vs : tensor<3x8xf64>
  %rows = array.sum %av axes [1] : (tensor<3x8xf64>) -> tensor<3xf64>
  %columns = array.sum %au axes [0] : (tensor<3x8xf64>) -> tensor<8xf64>
  %state = array.fold (%x = %a : tensor<3x8xf64>) iter_args(%s = %v) -> (tensor<8xf64>) {
    %p = arith.mulf %s, %v : tensor<8xf64>
    %q = arith.addf %p, %x : tensor<8xf64>
    %t = math.tanh %q : tensor<8xf64>
    array.yield %t : tensor<8xf64>
  }
  %vv = arith.mulf %v, %v : tensor<8xf64>
  %sum = array.sum %vv : (tensor<8xf64>) -> f64
  %max = array.max %v : (tensor<8xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<3x8xf64>, tensor<3xf64>, tensor<8xf64>, tensor<8xf64>, f64, f64
}

// CALL: @of_2_9 random:2x9xf64:seed=1 random:2xf64:seed=2 random:9xf64:seed=3
func.func @of_2_9(%a: tensor<2x9xf64>, %u: tensor<2xf64>, %v: tensor<9xf64>)
    -> (tensor<2x9xf64>, tensor<2xf64>, tensor<9xf64>, tensor<9xf64>, f64, f64) {
  %m = array.length %a : tensor<2x9xf64>
  %n = array.length %a axis 1 : tensor<2x9xf64>
  %vs = array.replicate %v : (tensor<9xf64>) -> tensor<2x9xf64>
  %ut = array.replicate %u : (tensor<2xf64>) -> tensor<9x2xf64>
  %us = array.transpose %ut [1, 0] : (tensor<9x2xf64>) -> tensor<2x9xf64>
  %av = arith.mulf %a, %vs : tensor<2x9xf64>
  %au = arith.mulf %a, %us : tensor<2x9xf64>
  %e = math.exp %au : tensor<2x9xf64>
  %map = arith.subf %e, %vs : tensor<2x9xf64>
  %rows = array.sum %av axes [1] : (tensor<2x9xf64>) -> tensor<2xf64>
  %columns = array.sum %au axes [0] : (tensor<2x9xf64>) -> tensor<9xf64>
  %state = array.fold (%x = %a : tensor<2x9xf64>) iter_args(%s = %v) -> (tensor<9xf64>) {
    %p = arith.mulf %s, %v : tensor<9xf64>
    %q = arith.addf %p, %x : tensor<9xf64>
    %t = math.tanh %q : tensor<9xf64>
    array.yield %t : tensor<9xf64>
  }
  %vv = arith.mulf %v, %v : tensor<9xf64>
  %sum = array.sum %vv : (tensor<9xf64>) -> f64
  %max = array.max %v : (tensor<9xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<2x9xf64>, tensor<2xf64>, tensor<9xf64>, tensor<9xf64>, f64, f64
}

// CALL: @of_3_14 random:3x14xf64:seed=1 random:3xf64:seed=2 random:14xf64:seed=3
func.func @of_3_14(%a: tensor<3x14xf64>, %u: tensor<3xf64>, %v: tensor<14xf64>)
    -> (tensor<3x14xf64>, tensor<3xf64>, tensor<14xf64>, tensor<14xf64>, f64, f64) {
  %m = array.length %a : tensor<3x14xf64>
  %n = array.length %a axis 1 : tensor<3x14xf64>
  %vs = array.replicate %v : (tensor<14xf64>) -> tensor<3x14xf64>
  %ut = array.replicate %u : (tensor<3xf64>) -> tensor<14x3xf64>
  %us = array.transpose %ut [1, 0] : (tensor<14x3xf64>) -> tensor<3x14xf64>
  %av = arith.mulf %a, %vs : tensor<3x14xf64>
  %au = arith.mulf %a, %us : tensor<3x14xf64>
  %e = math.exp %au : tensor<3x14xf64>
  %map = arith.subf %e, %vs : tensor<3x14xf64>
  %rows = array.sum %av axes [1] : (tensor<3x14xf64>) -> tensor<3xf64>
  %columns = array.sum %au axes [0] : (tensor<3x14xf64>) -> tensor<14xf64>
  %state = array.fold (%x = %a : tensor<3x14xf64>) iter_args(%s = %v) -> (tensor<14xf64>) {
    %p = arith.mulf %s, %v : tensor<14xf64>
    %q = arith.addf %p, %x : tensor<14xf64>
    %t = math.tanh %q : tensor<14xf64>
    array.yield %t : tensor<14xf64>
  }
  %vv = arith.mulf %v, %v : tensor<14xf64>
  %sum = array.sum %vv : (tensor<14xf64>) -> f64
  %max = array.max %v : (tensor<14xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<3x14xf64>, tensor<3xf64>, tensor<14xf64>, tensor<14xf64>, f64, f64
}

// CALL: @of_5_15 random:5x15xf64:seed=1 random:5xf64:seed=2 random:15xf64:seed=3
func.func @of_5_15(%a: tensor<5x15xf64>, %u: tensor<5xf64>, %v: tensor<15xf64>)
    -> (tensor<5x15xf64>, tensor<5xf64>, tensor<15xf64>, tensor<15xf64>, f64, f64) {
  %m = array.length %a : tensor<5x15xf64>
  %n = array.length %a axis 1 : tensor<5x15xf64>
  %vs = array.replicate %v : (tensor<15xf64>) -> tensor<5x15xf64>
  %ut = array.replicate %u : (tensor<5xf64>) -> tensor<15x5xf64>
  %us = array.transpose %ut [1, 0] : (tensor<15x5xf64>) -> tensor<5x15xf64>
  %av = arith.mulf %a, %vs : tensor<5x15xf64>
  %au = arith.mulf %a, %us : tensor<5x15xf64>
  %e = math.exp %au : tensor<5x15xf64>
  %map = arith.subf %e, %vs : tensor<5x15xf64>
  %rows = array.sum %av axes [1] : (tensor<5x15xf64>) -> tensor<5xf64>
  %columns = array.sum %au axes [0] : (tensor<5x15xf64>) -> tensor<15xf64>
  %state = array.fold (%x = %a : tensor<5x15xf64>) iter_args(%s = %v) -> (tensor<15xf64>) {
    %p = arith.mulf %s, %v : tensor<15xf64>
    %q = arith.addf %p, %x : tensor<15xf64>
    %t = math.tanh %q : tensor<15xf64>
    array.yield %t : tensor<15xf64>
  }
  %vv = arith.mulf %v, %v : tensor<15xf64>
  %sum = array.sum %vv : (tensor<15xf64>) -> f64
  %max = array.max %v : (tensor<15xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<5x15xf64>, tensor<5xf64>, tensor<15xf64>, tensor<15xf64>, f64, f64
}

// CALL: @of_3_17 random:3x17xf64:seed=1 random:3xf64:seed=2 random:17xf64:seed=3
func.func @of_3_17(%a: tensor<3x17xf64>, %u: tensor<3xf64>, %v: tensor<17xf64>)
    -> (tensor<3x17xf64>, tensor<3xf64>, tensor<17xf64>, tensor<17xf64>, f64, f64) {
  %m = array.length %a : tensor<3x17xf64>
  %n = array.length %a axis 1 : tensor<3x17xf64>
  %vs = array.replicate %v : (tensor<17xf64>) -> tensor<3x17xf64>
  %ut = array.replicate %u : (tensor<3xf64>) -> tensor<17x3xf64>
  %us = array.transpose %ut [1, 0] : (tensor<17x3xf64>) -> tensor<3x17xf64>
  %av = arith.mulf %a, %vs : tensor<3x17xf64>
  %au = arith.mulf %a, %us : tensor<3x17xf64>
  %e = math.exp %au : tensor<3x17xf64>
  %map = arith.subf %e, %vs : tensor<3x17xf64>
  %rows = array.sum %av axes [1] : (tensor<3x17xf64>) -> tensor<3xf64>
  %columns = array.sum %au axes [0] : (tensor<3x17xf64>) -> tensor<17xf64>
  %state = array.fold (%x = %a : tensor<3x17xf64>) iter_args(%s = %v) -> (tensor<17xf64>) {
    %p = arith.mulf %s, %v : tensor<17xf64>
    %q = arith.addf %p, %x : tensor<17xf64>
    %t = math.tanh %q : tensor<17xf64>
    array.yield %t : tensor<17xf64>
  }
  %vv = arith.mulf %v, %v : tensor<17xf64>
  %sum = array.sum %vv : (tensor<17xf64>) -> f64
  %max = array.max %v : (tensor<17xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<3x17xf64>, tensor<3xf64>, tensor<17xf64>, tensor<17xf64>, f64, f64
}

// CALL: @of_9_40 random:9x40xf64:seed=1 random:9xf64:seed=2 random:40xf64:seed=3
func.func @of_9_40(%a: tensor<9x40xf64>, %u: tensor<9xf64>, %v: tensor<40xf64>)
    -> (tensor<9x40xf64>, tensor<9xf64>, tensor<40xf64>, tensor<40xf64>, f64, f64) {
  %m = array.length %a : tensor<9x40xf64>
  %n = array.length %a axis 1 : tensor<9x40xf64>
  %vs = array.replicate %v : (tensor<40xf64>) -> tensor<9x40xf64>
  %ut = array.replicate %u : (tensor<9xf64>) -> tensor<40x9xf64>
  %us = array.transpose %ut [1, 0] : (tensor<40x9xf64>) -> tensor<9x40xf64>
  %av = arith.mulf %a, %vs : tensor<9x40xf64>
  %au = arith.mulf %a, %us : tensor<9x40xf64>
  %e = math.exp %au : tensor<9x40xf64>
  %map = arith.subf %e, %vs : tensor<9x40xf64>
  %rows = array.sum %av axes [1] : (tensor<9x40xf64>) -> tensor<9xf64>
  %columns = array.sum %au axes [0] : (tensor<9x40xf64>) -> tensor<40xf64>
  %state = array.fold (%x = %a : tensor<9x40xf64>) iter_args(%s = %v) -> (tensor<40xf64>) {
    %p = arith.mulf %s, %v : tensor<40xf64>
    %q = arith.addf %p, %x : tensor<40xf64>
    %t = math.tanh %q : tensor<40xf64>
    array.yield %t : tensor<40xf64>
  }
  %vv = arith.mulf %v, %v : tensor<40xf64>
  %sum = array.sum %vv : (tensor<40xf64>) -> f64
  %max = array.max %v : (tensor<40xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<9x40xf64>, tensor<9xf64>, tensor<40xf64>, tensor<40xf64>, f64, f64
}

// CALL: @of_13_24 random:13x24xf64:seed=1 random:13xf64:seed=2 random:24xf64:seed=3
func.func @of_13_24(%a: tensor<13x24xf64>, %u: tensor<13xf64>, %v: tensor<24xf64>)
    -> (tensor<13x24xf64>, tensor<13xf64>, tensor<24xf64>, tensor<24xf64>, f64, f64) {
  %m = array.length %a : tensor<13x24xf64>
  %n = array.length %a axis 1 : tensor<13x24xf64>
  %vs = array.replicate %v : (tensor<24xf64>) -> tensor<13x24xf64>
  %ut = array.replicate %u : (tensor<13xf64>) -> tensor<24x13xf64>
  %us = array.transpose %ut [1, 0] : (tensor<24x13xf64>) -> tensor<13x24xf64>
  %av = arith.mulf %a, %vs : tensor<13x24xf64>
  %au = arith.mulf %a, %us : tensor<13x24xf64>
  %e = math.exp %au : tensor<13x24xf64>
  %map = arith.subf %e, %vs : tensor<13x24xf64>
  %rows = array.sum %av axes [1] : (tensor<13x24xf64>) -> tensor<13xf64>
  %columns = array.sum %au axes [0] : (tensor<13x24xf64>) -> tensor<24xf64>
  %state = array.fold (%x = %a : tensor<13x24xf64>) iter_args(%s = %v) -> (tensor<24xf64>) {
    %p = arith.mulf %s, %v : tensor<24xf64>
    %q = arith.addf %p, %x : tensor<24xf64>
    %t = math.tanh %q : tensor<24xf64>
    array.yield %t : tensor<24xf64>
  }
  %vv = arith.mulf %v, %v : tensor<24xf64>
  %sum = array.sum %vv : (tensor<24xf64>) -> f64
  %max = array.max %v : (tensor<24xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<13x24xf64>, tensor<13xf64>, tensor<24xf64>, tensor<24xf64>, f64, f64
}

// CALL: @of_5_64 random:5x64xf64:seed=1 random:5xf64:seed=2 random:64xf64:seed=3
func.func @of_5_64(%a: tensor<5x64xf64>, %u: tensor<5xf64>, %v: tensor<64xf64>)
    -> (tensor<5x64xf64>, tensor<5xf64>, tensor<64xf64>, tensor<64xf64>, f64, f64) {
  %m = array.length %a : tensor<5x64xf64>
  %n = array.length %a axis 1 : tensor<5x64xf64>
  %vs = array.replicate %v : (tensor<64xf64>) -> tensor<5x64xf64>
  %ut = array.replicate %u : (tensor<5xf64>) -> tensor<64x5xf64>
  %us = array.transpose %ut [1, 0] : (tensor<64x5xf64>) -> tensor<5x64xf64>
  %av = arith.mulf %a, %vs : tensor<5x64xf64>
  %au = arith.mulf %a, %us : tensor<5x64xf64>
  %e = math.exp %au : tensor<5x64xf64>
  %map = arith.subf %e, %vs : tensor<5x64xf64>
  %rows = array.sum %av axes [1] : (tensor<5x64xf64>) -> tensor<5xf64>
  %columns = array.sum %au axes [0] : (tensor<5x64xf64>) -> tensor<64xf64>
  %state = array.fold (%x = %a : tensor<5x64xf64>) iter_args(%s = %v) -> (tensor<64xf64>) {
    %p = arith.mulf %s, %v : tensor<64xf64>
    %q = arith.addf %p, %x : tensor<64xf64>
    %t = math.tanh %q : tensor<64xf64>
    array.yield %t : tensor<64xf64>
  }
  %vv = arith.mulf %v, %v : tensor<64xf64>
  %sum = array.sum %vv : (tensor<64xf64>) -> f64
  %max = array.max %v : (tensor<64xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<5x64xf64>, tensor<5xf64>, tensor<64xf64>, tensor<64xf64>, f64, f64
}

// CALL: @of_11_66 random:11x66xf64:seed=1 random:11xf64:seed=2 random:66xf64:seed=3
func.func @of_11_66(%a: tensor<11x66xf64>, %u: tensor<11xf64>, %v: tensor<66xf64>)
    -> (tensor<11x66xf64>, tensor<11xf64>, tensor<66xf64>, tensor<66xf64>, f64, f64) {
  %m = array.length %a : tensor<11x66xf64>
  %n = array.length %a axis 1 : tensor<11x66xf64>
  %vs = array.replicate %v : (tensor<66xf64>) -> tensor<11x66xf64>
  %ut = array.replicate %u : (tensor<11xf64>) -> tensor<66x11xf64>
  %us = array.transpose %ut [1, 0] : (tensor<66x11xf64>) -> tensor<11x66xf64>
  %av = arith.mulf %a, %vs : tensor<11x66xf64>
  %au = arith.mulf %a, %us : tensor<11x66xf64>
  %e = math.exp %au : tensor<11x66xf64>
  %map = arith.subf %e, %vs : tensor<11x66xf64>
  %rows = array.sum %av axes [1] : (tensor<11x66xf64>) -> tensor<11xf64>
  %columns = array.sum %au axes [0] : (tensor<11x66xf64>) -> tensor<66xf64>
  %state = array.fold (%x = %a : tensor<11x66xf64>) iter_args(%s = %v) -> (tensor<66xf64>) {
    %p = arith.mulf %s, %v : tensor<66xf64>
    %q = arith.addf %p, %x : tensor<66xf64>
    %t = math.tanh %q : tensor<66xf64>
    array.yield %t : tensor<66xf64>
  }
  %vv = arith.mulf %v, %v : tensor<66xf64>
  %sum = array.sum %vv : (tensor<66xf64>) -> f64
  %max = array.max %v : (tensor<66xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<11x66xf64>, tensor<11xf64>, tensor<66xf64>, tensor<66xf64>, f64, f64
}

// CALL: @of_17_131 random:17x131xf64:seed=1 random:17xf64:seed=2 random:131xf64:seed=3
func.func @of_17_131(%a: tensor<17x131xf64>, %u: tensor<17xf64>, %v: tensor<131xf64>)
    -> (tensor<17x131xf64>, tensor<17xf64>, tensor<131xf64>, tensor<131xf64>, f64, f64) {
  %m = array.length %a : tensor<17x131xf64>
  %n = array.length %a axis 1 : tensor<17x131xf64>
  %vs = array.replicate %v : (tensor<131xf64>) -> tensor<17x131xf64>
  %ut = array.replicate %u : (tensor<17xf64>) -> tensor<131x17xf64>
  %us = array.transpose %ut [1, 0] : (tensor<131x17xf64>) -> tensor<17x131xf64>
  %av = arith.mulf %a, %vs : tensor<17x131xf64>
  %au = arith.mulf %a, %us : tensor<17x131xf64>
  %e = math.exp %au : tensor<17x131xf64>
  %map = arith.subf %e, %vs : tensor<17x131xf64>
  %rows = array.sum %av axes [1] : (tensor<17x131xf64>) -> tensor<17xf64>
  %columns = array.sum %au axes [0] : (tensor<17x131xf64>) -> tensor<131xf64>
  %state = array.fold (%x = %a : tensor<17x131xf64>) iter_args(%s = %v) -> (tensor<131xf64>) {
    %p = arith.mulf %s, %v : tensor<131xf64>
    %q = arith.addf %p, %x : tensor<131xf64>
    %t = math.tanh %q : tensor<131xf64>
    array.yield %t : tensor<131xf64>
  }
  %vv = arith.mulf %v, %v : tensor<131xf64>
  %sum = array.sum %vv : (tensor<131xf64>) -> f64
  %max = array.max %v : (tensor<131xf64>) -> f64
  return %map, %rows, %columns, %state, %sum, %max : tensor<17x131xf64>, tensor<17xf64>, tensor<131xf64>, tensor<131xf64>, f64, f64
}
