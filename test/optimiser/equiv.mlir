// RUN: mlopt equiv %s %s --function @norm --with @dot | FileCheck %s --check-prefix=EQUAL
// RUN: mlopt equiv %s %s --function @norm --with @norm | FileCheck %s --check-prefix=SAME
// RUN: not mlopt equiv %s %s --function @norm --with @sum | FileCheck %s --check-prefix=DIFFERENT
// RUN: not mlopt equiv %s %s --function @norm --with @twice | FileCheck %s --check-prefix=UNKNOWN
// RUN: mlopt equiv %s %s --function @norm --with @twice --fastmath=reassoc | FileCheck %s --check-prefix=LICENSED
// RUN: mlopt equiv %s %s --function @gradient --with @by_hand | FileCheck %s --check-prefix=GRADIENT
// RUN: not mlopt equiv %s %s --function @norm --with @other 2>&1 | FileCheck %s --check-prefix=TYPES
// RUN: not mlopt equiv %s %s 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not mlopt equiv %s %s --function @norm --with @dot --fastmath=fats 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not mlopt equiv %s %s --function @half --with @floor_half | FileCheck %s --check-prefix=NEGATIVE
// RUN: not mlopt equiv %s %s --function @tripled_third --with @integer | FileCheck %s --check-prefix=OVERFLOW
// RUN: not mlopt equiv %s %s --function @lowest --with @zero | FileCheck %s --check-prefix=LOWEST
// RUN: not mlopt equiv %s %s --function @tiny --with @zero | FileCheck %s --check-prefix=TINY
// RUN: not mlopt equiv %s %s --function @small --with @twice_as_small | FileCheck %s --check-prefix=SMALL
// RUN: not mlopt equiv %s %s --function @plus_zero --with @other | FileCheck %s --check-prefix=ZERO
// RUN: not mlopt equiv %s %s --function @quotient --with @negated_quotient | FileCheck %s --check-prefix=QUOTIENT
// RUN: not mlopt equiv %s %s --function @maximum --with @greater | FileCheck %s --check-prefix=NUMBER
// RUN: not mlopt equiv %s %s --function @max --with @max_from_first | FileCheck %s --check-prefix=EMPTY
// RUN: not mlopt equiv %s %s --function @exp_of_get --with @get_of_exp | FileCheck %s --check-prefix=OUTSIDE
// RUN: not mlopt equiv %s %s --function @recursive --with @negated_recursive | FileCheck %s --check-prefix=RECURSIVE
// RUN: not mlopt equiv %s %s --function @there_and_back --with @stay | FileCheck %s --check-prefix=ROUNDING
// RUN: not mlopt equiv %s %s --function @is_back --with @is_there | FileCheck %s --check-prefix=ROUNDING
// RUN: not mlopt equiv %s %s --function @maximum --with @greater --range=0.5,2 | FileCheck %s --check-prefix=RANGE
// RUN: mlopt equiv %s %s --function @plus_zero --with @other --fastmath=fast | FileCheck %s --check-prefix=FAST
// Equal with a proof, different with an input, or unknown.

// EQUAL:          equal, in 1 step from the first to the second
// EQUAL:          build-of-get (array, exact)
// SAME:           equal: both functions are the same term
// DIFFERENT:      different: result #0 is {{[-0-9.]+}} in the first, {{[-0-9.]+}} in the second, at %x = [{{.*}}]
// UNKNOWN:        not known: no difference at {{[0-9]+}} points of (%x: tensor<?xf64>), no proof for result #0
// LICENSED:       equal, in
// LICENSED:       (contract, fast)
// GRADIENT:       equal, in
// NEGATIVE:       different: result #0 is {{-?[0-9]+}} in the first, -{{[0-9]+}} in the second, at %x = -{{[0-9]+}}
// OVERFLOW:       different: result #0 is {{.*}} in the first, {{.*}} in the second, at %x = {{-?[0-9]+}}
// LOWEST:         different: result #0 is -inf in the first, 0.0 in the second, at %x = {{.*}}
// TINY:           different: result #0 is 1e-30 in the first, 0.0 in the second, at %x = {{.*}}
// SMALL:          different: result #0 is {{.*}}e-{{[0-9]+}} in the first, {{.*}}e-{{[0-9]+}} in the second, at %x = {{.*}}
// ZERO:           different: result #0 is 0.0 in the first, -0.0 in the second, at %x = -0.0
// FAST:           equal, in
// QUOTIENT:       different: result #0 is {{-?}}inf in the first, {{-?}}inf in the second, at %x = {{.*}}
// NUMBER:         different: result #0 is {{.*}} in the first, {{.*}} in the second, at %x = {{.*}}, %y = {{.*}}
// RANGE:          not known: no difference at {{[0-9]+}} points
// EMPTY:          different: result #0 is -inf in the first, 0.0 in the second, at %x = []
// OUTSIDE:        different: result #0 is 1.0 in the first, 0.0 in the second, at %x = [{{.*}}], %k = {{.*}}
// RECURSIVE:      not known: no point at which both are defined of (%x: f64), no proof for result #0
// ROUNDING:       not known: no difference at {{[0-9]+}} points
// TYPES:          equiv.mlir:[[@LINE+52]]:1: error: `@other` cannot equal `@norm`: expected (tensor<?xf64>) -> (f64), found (f64) -> (f64)
// WHICH:          error: expected `--function` with the name of a function, one of `@norm`
// FLAG:           error: set-fastmath: unknown flag `fats`; expected one of fast, reassoc

func.func @norm(%x: tensor<?xf64>) -> f64 {
  %y = arith.mulf %x, %x : tensor<?xf64>
  %s = array.sum %y : (tensor<?xf64>) -> f64
  return %s : f64
}

func.func @dot(%x: tensor<?xf64>) -> f64 {
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
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

// 2 (½x · x): the half and the two are moved out of the sum only if additions may be distributed.
func.func @twice(%x: tensor<?xf64>) -> f64 {
  %half = arith.constant 0.5 : f64
  %two = arith.constant 2.0 : f64
  %n = array.length %x : tensor<?xf64>
  %y = array.build (%i < %n) -> (tensor<?xf64>) {
    %a = array.get %x[%i] : (tensor<?xf64>) -> f64
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

// Towards zero, and towards -∞.
func.func @half(%x: i64) -> i64 {
  %two = arith.constant 2 : i64
  %r = arith.divsi %x, %two : i64
  return %r : i64
}

func.func @floor_half(%x: i64) -> i64 {
  %two = arith.constant 2 : i64
  %r = array.div %x, %two : i64
  return %r : i64
}

func.func @tripled_third(%x: i64) -> i64 {
  %three = arith.constant 3 : i64
  %p = arith.muli %x, %three : i64
  %r = array.div %p, %three : i64
  return %r : i64
}

func.func @integer(%x: i64) -> i64 {
  return %x : i64
}

func.func @lowest(%x: f64) -> f64 {
  %c = arith.constant 0xFFF0000000000000 : f64
  return %c : f64
}

func.func @zero(%x: f64) -> f64 {
  %c = arith.constant 0.0 : f64
  return %c : f64
}

func.func @tiny(%x: f64) -> f64 {
  %c = arith.constant 1.0e-30 : f64
  return %c : f64
}

func.func @small(%x: f64) -> f64 {
  %c = arith.constant 1.0e-12 : f64
  %r = arith.mulf %x, %c : f64
  return %r : f64
}

func.func @twice_as_small(%x: f64) -> f64 {
  %c = arith.constant 2.0e-12 : f64
  %r = arith.mulf %x, %c : f64
  return %r : f64
}

func.func @plus_zero(%x: f64) -> f64 {
  %c = arith.constant 0.0 : f64
  %r = arith.addf %x, %c : f64
  return %r : f64
}

func.func @quotient(%x: f64) -> f64 {
  %c = arith.constant 0.0 : f64
  %r = arith.divf %x, %c : f64
  return %r : f64
}

func.func @negated_quotient(%x: f64) -> f64 {
  %c = arith.constant 0.0 : f64
  %y = arith.negf %x : f64
  %r = arith.divf %y, %c : f64
  return %r : f64
}

func.func @there_and_back(%x: f64, %y: f64, %z: f64) -> f64 {
  %a = arith.addf %x, %y fastmath<reassoc> : f64
  %b = arith.addf %a, %z fastmath<reassoc> : f64
  %c = arith.subf %b, %z fastmath<reassoc> : f64
  %d = arith.subf %c, %y fastmath<reassoc> : f64
  return %d : f64
}

func.func @stay(%x: f64, %y: f64, %z: f64) -> f64 {
  return %x : f64
}

// Rounding determines whether the numbers are equal.
func.func @is_back(%x: f64, %y: f64, %z: f64) -> i1 {
  %a = arith.addf %x, %y fastmath<reassoc> : f64
  %b = arith.addf %a, %z fastmath<reassoc> : f64
  %c = arith.subf %b, %z fastmath<reassoc> : f64
  %d = arith.subf %c, %y fastmath<reassoc> : f64
  %e = arith.cmpf oeq, %d, %x fastmath<reassoc> : f64
  return %e : i1
}

func.func @is_there(%x: f64, %y: f64, %z: f64) -> i1 {
  %e = arith.cmpf oeq, %x, %x : f64
  return %e : i1
}

func.func @maximum(%x: f64, %y: f64) -> f64 {
  %r = arith.maximumf %x, %y : f64
  return %r : f64
}

func.func @greater(%x: f64, %y: f64) -> f64 {
  %c = arith.cmpf ogt, %x, %y : f64
  %r = arith.select %c, %x, %y : f64
  return %r : f64
}

func.func @max(%x: tensor<?xf64>) -> f64 {
  %m = array.max %x : (tensor<?xf64>) -> f64
  return %m : f64
}

func.func @max_from_first(%x: tensor<?xf64>) -> f64 {
  %zero = arith.constant 0 : index
  %n = array.length %x : tensor<?xf64>
  %first = array.get %x[%zero] : (tensor<?xf64>) -> f64
  %m = array.ifold (%i < %n) iter_args(%s = %first) -> (f64) {
    %e = array.get %x[%i] : (tensor<?xf64>) -> f64
    %t = arith.maximumf %s, %e : f64
    array.yield %t : f64
  }
  return %m : f64
}

// A read out of range gives zero.
func.func @exp_of_get(%x: tensor<?xf64>, %k: index) -> f64 {
  %e = array.get %x[%k] : (tensor<?xf64>) -> f64
  %r = math.exp %e : f64
  return %r : f64
}

func.func @get_of_exp(%x: tensor<?xf64>, %k: index) -> f64 {
  %y = math.exp %x : tensor<?xf64>
  %r = array.get %y[%k] : (tensor<?xf64>) -> f64
  return %r : f64
}

func.func private @endless(%x: f64) -> f64 {
  %r = func.call @endless(%x) : (f64) -> f64
  return %r : f64
}

func.func @recursive(%x: f64) -> f64 {
  %r = func.call @endless(%x) : (f64) -> f64
  return %r : f64
}

func.func @negated_recursive(%x: f64) -> f64 {
  %y = func.call @endless(%x) : (f64) -> f64
  %r = arith.negf %y : f64
  return %r : f64
}
