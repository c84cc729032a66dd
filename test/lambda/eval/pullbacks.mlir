// RUN: mlopt run %s --entry @rows --interpret --pass-pipeline='builtin.module()' --arg '(1, 3)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=ONE-THREE
// RUN: mlopt run %s --entry @rows --arg '(1, 3)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=ONE-THREE
// RUN: mlopt run %s --entry @rows --interpret --pass-pipeline='builtin.module()' --arg '(0, 1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=ZERO-ONE
// RUN: mlopt run %s --entry @rows --arg '(0, 1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=ZERO-ONE
// RUN: mlopt run %s --entry @rows --interpret --pass-pipeline='builtin.module()' --arg '(-2, 0.5)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=NEGATIVE
// RUN: mlopt run %s --entry @rows --arg '(-2, 0.5)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=NEGATIVE
// RUN: mlopt run %s --entry @second --interpret --pass-pipeline='builtin.module()' --arg 2.0 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @second --arg 2.0 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @second --interpret --pass-pipeline='builtin.module()' --arg=-1.5 | FileCheck %s --check-prefix=SECOND-NEGATIVE
// RUN: mlopt run %s --entry @second --arg=-1.5 | FileCheck %s --check-prefix=SECOND-NEGATIVE
// RUN: mlopt run %s --entry @sum --interpret --pass-pipeline='builtin.module()' --arg '(7, -1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=SUM
// RUN: mlopt run %s --entry @sum --arg '(7, -1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=SUM
// RUN: mlopt run %s --entry @squares --interpret --pass-pipeline='builtin.module()' --arg '(7, -1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=SQUARES
// RUN: mlopt run %s --entry @squares --arg '(7, -1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=SQUARES
// RUN: mlopt run %s --entry @product --interpret --pass-pipeline='builtin.module()' --arg '(7, -1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=PRODUCT
// RUN: mlopt run %s --entry @product --arg '(7, -1)' --arg '(1, 0)' --arg '(0, 1)' | FileCheck %s --check-prefix=PRODUCT
// RUN: mlopt run %s --entry @functional --interpret --pass-pipeline='builtin.module()' --arg 3.0 --arg 5.0 | FileCheck %s --check-prefix=FUNCTIONAL
// RUN: mlopt run %s --entry @functional --arg 3.0 --arg 5.0 | FileCheck %s --check-prefix=FUNCTIONAL
// Forms and pullbacks (C.8, C.9, C.10 of the specification): rows of the Jacobian, by any function.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

!q = tuple<f64, f64>
!f = (f64, f64) -> f64
!l = (!f, f64) -> f64

// f(x, y) = ((x + 1)(2x + y²))² and the form that is 1 everywhere.
// ONE-THREE: {{^}}(660.0, 528.0){{$}}
// ZERO-ONE: {{^}}(6.0, 4.0){{$}}
// NEGATIVE: {{^}}(-43.125, -7.5){{$}}
func.func @rows(%p: !q, %ex: !q, %ey: !q) -> !q {
  %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %one = arith.constant 1.0 : f64
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %w = lambda.pullback %form (%a: !q) {
    %x = lambda.get %a[0] : (!q) -> f64
    %y = lambda.get %a[1] : (!q) -> f64
    %one = arith.constant 1.0 : f64
    %u = arith.addf %x, %one : f64
    %x2 = arith.addf %x, %x : f64
    %yy = arith.mulf %y, %y : f64
    %v = arith.addf %x2, %yy : f64
    %m = arith.mulf %u, %v : f64
    %z = arith.mulf %m, %m : f64
    lambda.yield %z : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((!q) -> !lambda.dual<!q>)
  %c = lambda.apply %w(%p) : (!q) -> !lambda.dual<!q>
  %rx = lambda.pair_with %c, %ex : (!lambda.dual<!q>, !q) -> f64
  %ry = lambda.pair_with %c, %ey : (!lambda.dual<!q>, !q) -> f64
  %r = lambda.tuple %rx, %ry : (f64, f64) -> !q
  return %r : !q
}

// The pullback of a pullback is the second derivative, of x³.
// SECOND: {{^}}12.0{{$}}
// SECOND-NEGATIVE: {{^}}-9.0{{$}}
func.func @second(%s: f64) -> f64 {
  %one = arith.constant 1.0 : f64
  %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %outer = lambda.pullback %form (%x: f64) {
    %inner = lambda.pullback %form (%u: f64) {
      %q = arith.mulf %u, %u : f64
      %z = arith.mulf %u, %q : f64
      lambda.yield %z : f64
    } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
    %c = lambda.apply %inner(%x) : (f64) -> !lambda.dual<f64>
    %d = lambda.pair_with %c, %one : (!lambda.dual<f64>, f64) -> f64
    lambda.yield %d : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  %c = lambda.apply %outer(%s) : (f64) -> !lambda.dual<f64>
  %y = lambda.pair_with %c, %one : (!lambda.dual<f64>, f64) -> f64
  return %y : f64
}

// Church lists: a list is a function that folds its argument, and the rows are the result of the builder of the
// list. The folds are a sum, a sum of squares and a product.
// SUM: {{^}}(1.0, 1.0){{$}}
func.func @sum(%p: !q, %ex: !q, %ey: !q) -> tuple<f64, f64> {
  %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %one = arith.constant 1.0 : f64
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %w = lambda.pullback %form (%q: !q) {
    %x1 = lambda.get %q[0] : (!q) -> f64
    %x2 = lambda.get %q[1] : (!q) -> f64
    %list = lambda.lambda (%f: !f, %d: f64) -> f64 {
      %r = lambda.apply %f(%x2, %d) : (f64, f64) -> f64
      %s = lambda.apply %f(%x1, %r) : (f64, f64) -> f64
      lambda.return %s : f64
    }
    %fold = lambda.lambda (%x: f64, %y: f64) -> f64 {
      %z = arith.addf %x, %y : f64
      lambda.return %z : f64
    }
    %start = arith.constant 0.0 : f64
    %y = lambda.apply %list(%fold, %start) : (!f, f64) -> f64
    lambda.yield %y : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((!q) -> !lambda.dual<!q>)
  %c = lambda.apply %w(%p) : (!q) -> !lambda.dual<!q>
  %rx = lambda.pair_with %c, %ex : (!lambda.dual<!q>, !q) -> f64
  %ry = lambda.pair_with %c, %ey : (!lambda.dual<!q>, !q) -> f64
  %r = lambda.tuple %rx, %ry : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// SQUARES: {{^}}(14.0, -2.0){{$}}
func.func @squares(%p: !q, %ex: !q, %ey: !q) -> tuple<f64, f64> {
  %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %one = arith.constant 1.0 : f64
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %w = lambda.pullback %form (%q: !q) {
    %x1 = lambda.get %q[0] : (!q) -> f64
    %x2 = lambda.get %q[1] : (!q) -> f64
    %list = lambda.lambda (%f: !f, %d: f64) -> f64 {
      %r = lambda.apply %f(%x2, %d) : (f64, f64) -> f64
      %s = lambda.apply %f(%x1, %r) : (f64, f64) -> f64
      lambda.return %s : f64
    }
    %fold = lambda.lambda (%x: f64, %y: f64) -> f64 {
      %s = arith.mulf %x, %x : f64
      %z = arith.addf %s, %y : f64
      lambda.return %z : f64
    }
    %start = arith.constant 0.0 : f64
    %y = lambda.apply %list(%fold, %start) : (!f, f64) -> f64
    lambda.yield %y : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((!q) -> !lambda.dual<!q>)
  %c = lambda.apply %w(%p) : (!q) -> !lambda.dual<!q>
  %rx = lambda.pair_with %c, %ex : (!lambda.dual<!q>, !q) -> f64
  %ry = lambda.pair_with %c, %ey : (!lambda.dual<!q>, !q) -> f64
  %r = lambda.tuple %rx, %ry : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// PRODUCT: {{^}}(-1.0, 7.0){{$}}
func.func @product(%p: !q, %ex: !q, %ey: !q) -> tuple<f64, f64> {
  %form = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %one = arith.constant 1.0 : f64
    %w = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %w : !lambda.dual<f64>
  }
  %w = lambda.pullback %form (%q: !q) {
    %x1 = lambda.get %q[0] : (!q) -> f64
    %x2 = lambda.get %q[1] : (!q) -> f64
    %list = lambda.lambda (%f: !f, %d: f64) -> f64 {
      %r = lambda.apply %f(%x2, %d) : (f64, f64) -> f64
      %s = lambda.apply %f(%x1, %r) : (f64, f64) -> f64
      lambda.return %s : f64
    }
    %fold = lambda.lambda (%x: f64, %y: f64) -> f64 {
      %z = arith.mulf %x, %y : f64
      lambda.return %z : f64
    }
    %start = arith.constant 1.0 : f64
    %y = lambda.apply %list(%fold, %start) : (!f, f64) -> f64
    lambda.yield %y : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((!q) -> !lambda.dual<!q>)
  %c = lambda.apply %w(%p) : (!q) -> !lambda.dual<!q>
  %rx = lambda.pair_with %c, %ex : (!lambda.dual<!q>, !q) -> f64
  %ry = lambda.pair_with %c, %ey : (!lambda.dual<!q>, !q) -> f64
  %r = lambda.tuple %rx, %ry : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// The composition of a functional and a linear map; a derivative with its direction first.
// FUNCTIONAL: {{^}}(45.0, 30.0){{$}}
func.func private @square(%x: f64) -> f64 {
  %y = arith.mulf %x, %x : f64
  return %y : f64
}
func.func @functional(%a: f64, %v: f64) -> tuple<f64, f64> {
  %w = lambda.covector %a : (f64) -> !lambda.dual<f64>
  %d = lambda.dual %w (%u: f64) {
    %y = arith.mulf %u, %a : f64
    lambda.yield %y : f64
  } : (!lambda.dual<f64>) -> !lambda.dual<f64>
  %r = lambda.pair_with %d, %v : (!lambda.dual<f64>, f64) -> f64
  %j = lambda.jacobian @square, %v : (f64) -> ((f64) -> f64)
  %s = lambda.apply %j(%a) : (f64) -> f64
  %t = lambda.tuple %r, %s : (f64, f64) -> tuple<f64, f64>
  return %t : tuple<f64, f64>
}
