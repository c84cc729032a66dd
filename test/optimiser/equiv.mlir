// RUN: mlopt equiv %s %s --function @norm --with @dot | FileCheck %s --check-prefix=EQUAL
// RUN: mlopt equiv %s %s --function @norm --with @norm | FileCheck %s --check-prefix=SAME
// RUN: not mlopt equiv %s %s --function @norm --with @sum | FileCheck %s --check-prefix=DIFFERENT
// RUN: not mlopt equiv %s %s --function @norm --with @twice | FileCheck %s --check-prefix=UNKNOWN
// RUN: mlopt equiv %s %s --function @norm --with @twice --fastmath=reassoc | FileCheck %s --check-prefix=LICENSED
// RUN: mlopt equiv %s %s --function @gradient --with @by_hand | FileCheck %s --check-prefix=GRADIENT
// RUN: not mlopt equiv %s %s --function @norm --with @other 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not mlopt equiv %s %s 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not mlopt equiv %s %s --function @norm --with @dot --fastmath=fats 2>&1 | FileCheck %s --check-prefix=FLAG
// Equal with a proof, different with an input, or not known.

// EQUAL:          equal, in 1 step from the first to the second
// EQUAL:          build-of-get (array, exact)
// SAME:           equal: both functions say the same
// DIFFERENT:      different: result #0 is {{[-0-9.]+}} in the first, {{[-0-9.]+}} in the second, at %x = [{{.*}}]
// UNKNOWN:        not known: no difference at 20 points of (%x: tensor<?xf64>), no proof for result #0
// LICENSED:       equal, in
// LICENSED:       (contract, fast)
// GRADIENT:       equal, in
// TYPES:          equiv.mlir:[[@LINE+52]]:1: error: `@other` cannot equal `@norm`: expected (tensor<?xf64>) -> (f64), found (f64) -> (f64)
// WHICH:          error: expected `--entry`, one of the functions: `@norm`
// FLAG:           error: set-fastmath: unknown flag `fats`; expected fast or some of reassoc

func.func @norm(%x: tensor<?xf64>) -> f64 {
  %y = arith.mulf %x, %x : tensor<?xf64>
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s : f64
}

func.func @dot(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : tensor<?xf64> -> f64
    array.yield %a : f64
  }
  %z = arith.mulf %y, %x : tensor<?xf64>
  %s = array.sum %z : (tensor<?xf64>) -> f64
  return %s : f64
}

func.func @sum(%x: tensor<?xf64>) -> f64 {
  %s = array.sum %x : (tensor<?xf64>) -> f64
  return %s : f64
}

// 2 (½x · x): the half and the two leave the sum only if additions may be distributed.
func.func @twice(%x: tensor<?xf64>) -> f64 {
  %half = arith.constant 0.5 : f64
  %two = arith.constant 2.0 : f64
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : tensor<?xf64> -> f64
    %h = arith.mulf %a, %half : f64
    %p = arith.mulf %h, %a : f64
    array.yield %p : f64
  }
  %s = array.sum %y : (tensor<?xf64>) -> f64
  %r = arith.mulf %s, %two : f64
  return %r : f64
}

func.func @gradient(%x: tensor<?xf64>) -> tensor<?xf64> {
  %g = dual.grad @norm(%x) mode reverse : (tensor<?xf64>) -> tensor<?xf64>
  return %g : tensor<?xf64>
}

func.func @by_hand(%x: tensor<?xf64>) -> tensor<?xf64> {
  %g = arith.addf %x, %x : tensor<?xf64>
  return %g : tensor<?xf64>
}

func.func @other(%x: f64) -> f64 {
  return %x : f64
}
