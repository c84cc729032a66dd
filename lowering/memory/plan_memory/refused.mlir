// RUN: mlopt %s --plan-memory --split-input-file --verify-diagnostics
// A program without a plan is rejected at the op at fault, before planning starts.

func.func @two_ops(%x: tensor<?xf64>) -> tensor<?xf64> {
  // expected-error @+1 {{not supported: 'math.exp': `plan-memory` supports only scalar code, and `sweep` ops on tensors}}
  %y = math.exp %x : tensor<?xf64>
  %z = math.sin %y : tensor<?xf64>
  return %z : tensor<?xf64>
}

// -----

func.func @nested(%c: i1, %x: tensor<4xf64>) -> tensor<4xf64> {
  %y = scf.if %c -> tensor<4xf64> {
    // expected-error @+1 {{not supported: 'arith.addf': `plan-memory` supports}}
    %z = arith.addf %x, %x : tensor<4xf64>
    scf.yield %z : tensor<4xf64>
  } else {
    scf.yield %x : tensor<4xf64>
  }
  return %y : tensor<4xf64>
}

// -----

// expected-error @+1 {{not supported: 'func.func': `plan-memory` requires arguments and results that are tensors or scalars, found type memref<4xf64>}}
func.func @buffer(%x: memref<4xf64>) {
  return
}

// -----

// expected-error @+1 {{not supported: 'func.func': `plan-memory` requires functions of one block; use `scf` instead of `cf`}}
func.func @blocks(%c: i1, %x: f64, %y: f64) -> f64 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : f64
^b:
  return %y : f64
}

// -----

func.func @size(%x: tensor<?x?xf64>, %k: index) -> index {
  // expected-error @+1 {{not supported: 'tensor.dim': the op must read a size of a function argument, and the axis must be a constant below the rank}}
  %n = tensor.dim %x, %k : tensor<?x?xf64>
  return %n : index
}

// -----

func.func @no_axis(%x: tensor<?x?xf64>) -> index {
  %c7 = arith.constant 7 : index
  // expected-error @+1 {{not supported: 'tensor.dim': the op must read a size of a function argument, and the axis must be a constant below the rank}}
  %n = tensor.dim %x, %c7 : tensor<?x?xf64>
  return %n : index
}
