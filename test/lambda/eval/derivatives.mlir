// RUN: mlopt run %s --entry @first --interpret --pass-pipeline='builtin.module()' --arg=-0.4 | FileCheck %s --check-prefix=FIRST
// RUN: mlopt run %s --entry @first --arg=-0.4 | FileCheck %s --check-prefix=FIRST
// RUN: mlopt run %s --entry @second --interpret --pass-pipeline='builtin.module()' --arg=-0.4 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @second --arg=-0.4 | FileCheck %s --check-prefix=SECOND
// RUN: mlopt run %s --entry @third --interpret --pass-pipeline='builtin.module()' --arg=-0.4 | FileCheck %s --check-prefix=THIRD
// RUN: mlopt run %s --entry @third --arg=-0.4 | FileCheck %s --check-prefix=THIRD
// RUN: mlopt run %s --entry @fourth --interpret --pass-pipeline='builtin.module()' --arg=-0.4 | FileCheck %s --check-prefix=FOURTH
// RUN: mlopt run %s --entry @fourth --arg=-0.4 | FileCheck %s --check-prefix=FOURTH
// RUN: mlopt run %s --entry @max --interpret --pass-pipeline='builtin.module()' --arg 3.0 | FileCheck %s --check-prefix=MAX
// RUN: mlopt run %s --entry @max --arg 3.0 | FileCheck %s --check-prefix=MAX
// RUN: mlopt run %s --entry @abs --interpret --pass-pipeline='builtin.module()' --arg 0.0 | FileCheck %s --check-prefix=ABS
// RUN: mlopt run %s --entry @abs --arg 0.0 | FileCheck %s --check-prefix=ABS
// RUN: mlopt run %s --entry @power_zero --interpret --pass-pipeline='builtin.module()' --arg 0.0 | FileCheck %s --check-prefix=POWER-ZERO
// RUN: mlopt run %s --entry @power_zero --arg 0.0 | FileCheck %s --check-prefix=POWER-ZERO
// RUN: mlopt run %s --entry @square --interpret --pass-pipeline='builtin.module()' --arg=-3.0 | FileCheck %s --check-prefix=SQUARE
// RUN: mlopt run %s --entry @square --arg=-3.0 | FileCheck %s --check-prefix=SQUARE
// RUN: mlopt run %s --entry @exponent --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=EXPONENT
// RUN: mlopt run %s --entry @exponent --arg 1.0 | FileCheck %s --check-prefix=EXPONENT
// RUN: mlopt run %s --entry @floor --interpret --pass-pipeline='builtin.module()' --arg 1.5 | FileCheck %s --check-prefix=FLOOR
// RUN: mlopt run %s --entry @floor --arg 1.5 | FileCheck %s --check-prefix=FLOOR
// RUN: mlopt run %s --entry @stop --interpret --pass-pipeline='builtin.module()' --arg 3.0 | FileCheck %s --check-prefix=STOP
// RUN: mlopt run %s --entry @stop --arg 3.0 | FileCheck %s --check-prefix=STOP
// RUN: mlopt run %s --entry @branch --interpret --pass-pipeline='builtin.module()' --arg=-1.0 | FileCheck %s --check-prefix=BELOW
// RUN: mlopt run %s --entry @branch --arg=-1.0 | FileCheck %s --check-prefix=BELOW
// RUN: mlopt run %s --entry @branch --interpret --pass-pipeline='builtin.module()' --arg 4.0 | FileCheck %s --check-prefix=ABOVE
// RUN: mlopt run %s --entry @branch --arg 4.0 | FileCheck %s --check-prefix=ABOVE
// RUN: mlopt run %s --entry @confused --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=CONFUSED
// RUN: mlopt run %s --entry @confused --arg 1.0 | FileCheck %s --check-prefix=CONFUSED
// RUN: mlopt run %s --entry @products --interpret --pass-pipeline='builtin.module()' --arg 3.0 | FileCheck %s --check-prefix=PRODUCTS
// RUN: mlopt run %s --entry @products --arg 3.0 | FileCheck %s --check-prefix=PRODUCTS
// RUN: mlopt run %s --entry @captured --interpret --pass-pipeline='builtin.module()' --arg 4.5 --arg 6.7 | FileCheck %s --check-prefix=CAPTURED
// RUN: mlopt run %s --entry @captured --arg 4.5 --arg 6.7 | FileCheck %s --check-prefix=CAPTURED
// RUN: mlopt run %s --entry @recursion --interpret --pass-pipeline='builtin.module()' --arg 1.5 --arg 5 | FileCheck %s --check-prefix=RECURSION
// RUN: mlopt run %s --entry @recursion --arg 1.5 --arg 5 | FileCheck %s --check-prefix=RECURSION
// RUN: mlopt run %s --entry @squares --interpret --pass-pipeline='builtin.module()' --arg 4.0 | FileCheck %s --check-prefix=SQUARES
// RUN: mlopt run %s --entry @squares --arg 4.0 | FileCheck %s --check-prefix=SQUARES
// RUN: mlopt run %s --entry @squares_twice --interpret --pass-pipeline='builtin.module()' --arg 4.0 | FileCheck %s --check-prefix=AGAIN
// RUN: mlopt run %s --entry @squares_twice --arg 4.0 | FileCheck %s --check-prefix=AGAIN
// RUN: mlopt run %s --entry @counted --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=COUNTED
// RUN: mlopt run %s --entry @counted --arg 1.0 | FileCheck %s --check-prefix=COUNTED
// RUN: mlopt run %s --entry @counted_grad --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=COUNTED-GRAD
// RUN: mlopt run %s --entry @counted_grad --arg 1.0 | FileCheck %s --check-prefix=COUNTED-GRAD
// RUN: mlopt run %s --entry @conditioned --interpret --pass-pipeline='builtin.module()' --arg 3.0 | FileCheck %s --check-prefix=CONDITIONED
// RUN: mlopt run %s --entry @conditioned --arg 3.0 | FileCheck %s --check-prefix=CONDITIONED
// RUN: mlopt run %s --entry @conditioned_grad --interpret --pass-pipeline='builtin.module()' --arg 3.0 | FileCheck %s --check-prefix=CONDITIONED-GRAD
// RUN: mlopt run %s --entry @conditioned_grad --arg 3.0 | FileCheck %s --check-prefix=CONDITIONED-GRAD
// RUN: mlopt run %s --entry @inner_value --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=COSINE
// RUN: mlopt run %s --entry @inner_value --arg 0.3 | FileCheck %s --check-prefix=COSINE
// RUN: mlopt run %s --entry @inner_value_twice --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=SINE
// RUN: mlopt run %s --entry @inner_value_twice --arg 0.3 | FileCheck %s --check-prefix=SINE
// RUN: mlopt run %s --entry @inner_vjp --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=COSINE
// RUN: mlopt run %s --entry @inner_vjp --arg 0.3 | FileCheck %s --check-prefix=COSINE
// RUN: mlopt run %s --entry @inner_vjp_twice --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=SINE
// RUN: mlopt run %s --entry @inner_vjp_twice --arg 0.3 | FileCheck %s --check-prefix=SINE
// RUN: mlopt run %s --entry @inner_j --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=COSINE
// RUN: mlopt run %s --entry @inner_j --arg 0.3 | FileCheck %s --check-prefix=COSINE
// RUN: mlopt run %s --entry @inner_j_twice --interpret --pass-pipeline='builtin.module()' --arg 0.3 | FileCheck %s --check-prefix=SINE
// RUN: mlopt run %s --entry @inner_j_twice --arg 0.3 | FileCheck %s --check-prefix=SINE
// RUN: mlopt run %s --entry @first_max --interpret --pass-pipeline='builtin.module()' --arg '[2, 2, 2]' | FileCheck %s --check-prefix=FIRST-ELEMENT
// RUN: mlopt run %s --entry @first_max --arg '[2, 2, 2]' | FileCheck %s --check-prefix=FIRST-ELEMENT
// RUN: mlopt run %s --entry @first_min --interpret --pass-pipeline='builtin.module()' --arg '[2, 2, 2]' | FileCheck %s --check-prefix=FIRST-ELEMENT
// RUN: mlopt run %s --entry @first_min --arg '[2, 2, 2]' | FileCheck %s --check-prefix=FIRST-ELEMENT
// RUN: mlopt run %s --entry @loops --interpret --pass-pipeline='builtin.module()' --arg '[1, -2, 3, 0.5]' --arg 2.0 | FileCheck %s --check-prefix=LOOPS
// RUN: mlopt run %s --entry @loops --arg '[1, -2, 3, 0.5]' --arg 2.0 | FileCheck %s --check-prefix=LOOPS
// RUN: mlopt run %s --entry @structure --interpret --pass-pipeline='builtin.module()' --arg '{u: 3, n: 2, l: [5, 7], t: (1, true)}' | FileCheck %s --check-prefix=STRUCTURE
// RUN: mlopt run %s --entry @structure --arg '{u: 3, n: 2, l: [5, 7], t: (1, true)}' | FileCheck %s --check-prefix=STRUCTURE
// RUN: mlopt run %s --entry @back --interpret --pass-pipeline='builtin.module()' --arg 0.4 | FileCheck %s --check-prefix=BACK
// RUN: mlopt run %s --entry @back --arg 0.4 | FileCheck %s --check-prefix=BACK
// RUN: mlopt run %s --entry @augmented --interpret --pass-pipeline='builtin.module()' --arg 2.0 --arg 3.0 | FileCheck %s --check-prefix=AUGMENTED
// RUN: mlopt run %s --entry @made --interpret --pass-pipeline='builtin.module()' --arg 3.0 --arg 5.0 | FileCheck %s --check-prefix=MADE
// RUN: mlopt run %s --entry @made --arg 3.0 --arg 5.0 | FileCheck %s --check-prefix=MADE
// RUN: mlopt run %s --entry @opaque_value --interpret --pass-pipeline='builtin.module()' --arg 1.0 | FileCheck %s --check-prefix=OPAQUE-VALUE
// RUN: not mlopt run %s --entry @opaque --interpret --pass-pipeline='builtin.module()' --arg 1.0 2>&1 | FileCheck %s --check-prefix=OPAQUE
// RUN: not mlopt run %s --entry @sends --interpret --pass-pipeline='builtin.module()' --arg 1.0 2>&1 | FileCheck %s --check-prefix=SENDS
// RUN: mlopt run %s --entry @generated --interpret --pass-pipeline='builtin.module()' --arg 2.0 | FileCheck %s --check-prefix=GENERATED
// RUN: not mlopt run %s --entry @generated_grad --interpret --pass-pipeline='builtin.module()' --arg 2.0 2>&1 | FileCheck %s --check-prefix=GENERATED-GRAD
// Derivatives of functions: of every order, of closures, and through recursion and loops. Numbers are those of
// `spec/functional.md` F or of a closed form.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

!thunk = () -> f64
!e = tuple<!lambda.env, f64>
!b = (f64) -> !e
!g = (f64) -> tuple<f64, !b>
!c = (!lambda.env) -> !e
!p = !lambda.record<"P", u: f64, n: i64, l: !lambda.list<f64>, t: tuple<f64, i1>>
!t = !lambda.record<"P", u: f64, n: none, l: !lambda.list<f64>, t: tuple<f64, none>>

// tanh eˣ.
// FIRST: {{^}}0.4407704422{{[0-9]*}}
func.func @first(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %e = math.exp %x : f64
    %y = math.tanh %e : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// SECOND: {{^}}0.09497295239{{[0-9]*}}
func.func @second(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %e = math.exp %x : f64
    %y = math.tanh %e : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d2(%at) : (f64) -> f64
  return %y : f64
}

// THIRD: {{^}}-0.5857912935{{[0-9]*}}
func.func @third(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %e = math.exp %x : f64
    %y = math.tanh %e : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %d3 = lambda.grad %d2 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d3(%at) : (f64) -> f64
  return %y : f64
}

// FOURTH: {{^}}-1.310314336{{[0-9]*}}
func.func @fourth(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %e = math.exp %x : f64
    %y = math.tanh %e : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %d3 = lambda.grad %d2 : ((f64) -> f64) -> ((f64) -> f64)
  %d4 = lambda.grad %d3 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d4(%at) : (f64) -> f64
  return %y : f64
}

// Of equal operands, one has the whole derivative.
// MAX: {{^}}1.0{{$}}
func.func @max(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %y = arith.maximumf %x, %x : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// ABS: {{^}}1.0{{$}}
func.func @abs(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %y = math.absf %x : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// POWER-ZERO: {{^}}0.0{{$}}
func.func @power_zero(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %n = arith.constant 0 : i32
    %y = math.fpowi %x, %n : f64, i32
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// The logarithm of the base is not computed where the exponent is constant.
// SQUARE: {{^}}-6.0{{$}}
func.func @square(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %p = arith.constant 2.0 : f64
    %y = math.powf %x, %p : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// 0 to the power of p is constant for p > 0.
// EXPONENT: {{^}}0.0{{$}}
func.func @exponent(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %o = arith.constant 1.0 : f64
    %z = arith.constant 0.0 : f64
    %p = arith.addf %x, %o : f64
    %y = math.powf %z, %p : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// FLOOR: {{^}}0.0{{$}}
func.func @floor(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %y = math.floor %x : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// STOP: {{^}}9.0{{$}}
func.func @stop(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %q = arith.mulf %x, %x : f64
    %s = lambda.stop_gradient %q : (f64) -> f64
    %y = arith.mulf %x, %s : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// The derivative of the branch that is not taken would be NaN.
// BELOW: {{^}}2.0{{$}}
// ABOVE: {{^}}0.25{{$}}
func.func @branch(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %zero = arith.constant 0.0 : f64
    %two = arith.constant 2.0 : f64
    %c = arith.cmpf ogt, %x, %zero : f64
    %y = lambda.if %c : i1 -> f64 {
      %s = math.sqrt %x : f64
      lambda.yield %s : f64
    } else {
      %s = arith.mulf %two, %x : f64
      lambda.yield %s : f64
    }
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// d/dx [x · d/dy (x + y)] is 1; perturbation confusion gives 2.
// CONFUSED: {{^}}1.0{{$}}
func.func @confused(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = arith.addf %x, %u : f64
      lambda.return %s : f64
    }
    %dg = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
    %one = arith.constant 1.0 : f64
    %p = lambda.apply %dg(%one) : (f64) -> f64
    %y = arith.mulf %x, %p : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// d/dx [x · d/dy (x y)] is 2 x.
// PRODUCTS: {{^}}6.0{{$}}
func.func @products(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = arith.mulf %x, %u : f64
      lambda.return %s : f64
    }
    %dg = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
    %one = arith.constant 1.0 : f64
    %p = lambda.apply %dg(%one) : (f64) -> f64
    %y = arith.mulf %x, %p : f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// Closures in a tuple: d/dx (x y + x + y) = y + 1.
// CAPTURED: {{^}}7.7{{$}}
func.func @captured(%a: f64, %b: f64) -> f64 {
  %g = lambda.lambda (%x: f64, %y: f64) -> f64 {
    %m = lambda.lambda () -> f64 {
      %p = arith.mulf %x, %y : f64
      lambda.return %p : f64
    }
    %s = lambda.lambda () -> f64 {
      %p = arith.addf %x, %y : f64
      lambda.return %p : f64
    }
    %t = lambda.tuple %m, %s : (!thunk, !thunk) -> tuple<!thunk, !thunk>
    %m1 = lambda.get %t[0] : (tuple<!thunk, !thunk>) -> !thunk
    %s1 = lambda.get %t[1] : (tuple<!thunk, !thunk>) -> !thunk
    %u = lambda.apply %m1() : () -> f64
    %v = lambda.apply %s1() : () -> f64
    %w = arith.addf %u, %v : f64
    lambda.return %w : f64
  }
  %d = lambda.grad %g : ((f64, f64) -> f64) -> ((f64, f64) -> f64)
  %y = lambda.apply %d(%a, %b) : (f64, f64) -> f64
  return %y : f64
}

// The third derivative of x⁵ by recursion is 60 x².
// RECURSION: {{^}}135.0{{$}}
func.func @recursion(%at: f64, %n: i64) -> f64 {
  %g = lambda.lambda (%x: f64, %m: i64) -> f64 {
    %zero = arith.constant 0 : i64
    %step = arith.constant 1 : i64
    %one = arith.constant 1.0 : f64
    %power = lambda.letrec {
      %go = lambda.lambda (%k: i64) -> f64 {
        %end = arith.cmpi eq, %k, %zero : i64
        %y = lambda.if %end : i1 -> f64 {
          lambda.yield %one : f64
        } else {
          %l = arith.subi %k, %step : i64
          %r = lambda.apply %go(%l) : (i64) -> f64
          %p = arith.mulf %x, %r : f64
          lambda.yield %p : f64
        }
        lambda.return %y : f64
      }
      lambda.yield %go : (i64) -> f64
    } : (i64) -> f64
    %y = lambda.apply %power(%m) : (i64) -> f64
    lambda.return %y : f64
  }
  %d = lambda.grad %g : ((f64, i64) -> f64) -> ((f64, i64) -> f64)
  %dd = lambda.grad %d : ((f64, i64) -> f64) -> ((f64, i64) -> f64)
  %ddd = lambda.grad %dd : ((f64, i64) -> f64) -> ((f64, i64) -> f64)
  %y = lambda.apply %ddd(%at, %n) : (f64, i64) -> f64
  return %y : f64
}

// A loop whose number of iterations depends on data: 4, 16, 256 is x⁴.
// SQUARES: {{^}}256.0{{$}}
func.func @squares(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %limit = arith.constant 100.0 : f64
    %y = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
      %c = arith.cmpf olt, %a, %limit : f64
      lambda.yield %c : i1
    } do (%b) {
      %d = arith.mulf %b, %b : f64
      lambda.yield %d : f64
    }
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// AGAIN: {{^}}192.0{{$}}
func.func @squares_twice(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %limit = arith.constant 100.0 : f64
    %y = lambda.while iter_args(%a = %x) : (f64) -> (f64) {
      %c = arith.cmpf olt, %a, %limit : f64
      lambda.yield %c : i1
    } do (%b) {
      %d = arith.mulf %b, %b : f64
      lambda.yield %d : f64
    }
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d2(%at) : (f64) -> f64
  return %y : f64
}

// Σ i x for i = 1, 4, 7 by `scf.for`.
// COUNTED: {{^}}12.0{{$}}
func.func @counted(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = arith.constant 8 : index
    %zero = arith.constant 0.0 : f64
    %y = scf.for %i = %c1 to %n step %c3 iter_args(%s = %zero) -> (f64) {
      %k = arith.index_cast %i : index to i64
      %q = arith.sitofp %k : i64 to f64
      %p = arith.mulf %q, %x : f64
      %t = arith.addf %s, %p : f64
      scf.yield %t : f64
    }
    lambda.return %y : f64
  }
  %y = lambda.apply %d0(%at) : (f64) -> f64
  return %y : f64
}

// COUNTED-GRAD: {{^}}12.0{{$}}
func.func @counted_grad(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %n = arith.constant 8 : index
    %zero = arith.constant 0.0 : f64
    %y = scf.for %i = %c1 to %n step %c3 iter_args(%s = %zero) -> (f64) {
      %k = arith.index_cast %i : index to i64
      %q = arith.sitofp %k : i64 to f64
      %p = arith.mulf %q, %x : f64
      %t = arith.addf %s, %p : f64
      scf.yield %t : f64
    }
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// Squares of x until one is more than 50 by `scf.while`, whose regions have their own arguments: 3, 9, 81 is x⁴.
// CONDITIONED: {{^}}81.0{{$}}
func.func @conditioned(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %limit = arith.constant 50.0 : f64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %n, %y = scf.while (%k = %zero, %a = %x) : (i64, f64) -> (i64, f64) {
      %c = arith.cmpf olt, %a, %limit : f64
      scf.condition(%c) %k, %a : i64, f64
    } do {
    ^bb0(%k: i64, %a: f64):
      %l = arith.addi %k, %one : i64
      %b = arith.mulf %a, %a : f64
      scf.yield %l, %b : i64, f64
    }
    lambda.return %y : f64
  }
  %y = lambda.apply %d0(%at) : (f64) -> f64
  return %y : f64
}

// CONDITIONED-GRAD: {{^}}108.0{{$}}
func.func @conditioned_grad(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %limit = arith.constant 50.0 : f64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %n, %y = scf.while (%k = %zero, %a = %x) : (i64, f64) -> (i64, f64) {
      %c = arith.cmpf olt, %a, %limit : f64
      scf.condition(%c) %k, %a : i64, f64
    } do {
    ^bb0(%k: i64, %a: f64):
      %l = arith.addi %k, %one : i64
      %b = arith.mulf %a, %a : f64
      scf.yield %l, %b : i64, f64
    }
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// The value of a derivative is constant at its own level, and varies at outer levels: cos, then
// -sin.
// COSINE: {{^}}0.9553364891{{[0-9]*}}
func.func @inner_value(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = math.sin %u : f64
      lambda.return %s : f64
    }
    %d = lambda.grad %g {value} : ((f64) -> f64) -> ((f64) -> tuple<f64, f64>)
    %t = lambda.apply %d(%x) : (f64) -> tuple<f64, f64>
    %y = lambda.get %t[0] : (tuple<f64, f64>) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// SINE: {{^}}-0.2955202066{{[0-9]*}}
func.func @inner_value_twice(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = math.sin %u : f64
      lambda.return %s : f64
    }
    %d = lambda.grad %g {value} : ((f64) -> f64) -> ((f64) -> tuple<f64, f64>)
    %t = lambda.apply %d(%x) : (f64) -> tuple<f64, f64>
    %y = lambda.get %t[0] : (tuple<f64, f64>) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d2(%at) : (f64) -> f64
  return %y : f64
}

func.func @inner_vjp(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = math.sin %u : f64
      lambda.return %s : f64
    }
    %d = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
    %t = lambda.apply %d(%x) : (f64) -> tuple<f64, (f64) -> f64>
    %y = lambda.get %t[0] : (tuple<f64, (f64) -> f64>) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

func.func @inner_vjp_twice(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = math.sin %u : f64
      lambda.return %s : f64
    }
    %d = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
    %t = lambda.apply %d(%x) : (f64) -> tuple<f64, (f64) -> f64>
    %y = lambda.get %t[0] : (tuple<f64, (f64) -> f64>) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d2(%at) : (f64) -> f64
  return %y : f64
}

func.func @inner_j(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = math.sin %u : f64
      lambda.return %s : f64
    }
    %d = lambda.J %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
    %t = lambda.apply %d(%x) : (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>
    %y = lambda.get %t[0] : (tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

func.func @inner_j_twice(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %g = lambda.lambda (%u: f64) -> f64 {
      %s = math.sin %u : f64
      lambda.return %s : f64
    }
    %d = lambda.J %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
    %t = lambda.apply %d(%x) : (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>
    %y = lambda.get %t[0] : (tuple<f64, (f64) -> tuple<!lambda.env, f64>>) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %d2 = lambda.grad %d1 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d2(%at) : (f64) -> f64
  return %y : f64
}

// Of equal elements the first has the whole derivative.
// FIRST-ELEMENT: {{^}}[1. 0. 0.]{{$}}
func.func private @max_of_three(%x: tensor<3xf64>) -> f64 {
  %y = array.max %x : (tensor<3xf64>) -> f64
  return %y : f64
}
func.func @first_max(%x: tensor<3xf64>) -> tensor<3xf64> {
  %g = lambda.ref @max_of_three : (tensor<3xf64>) -> f64
  %d = lambda.grad %g : ((tensor<3xf64>) -> f64) -> ((tensor<3xf64>) -> tensor<3xf64>)
  %y = lambda.apply %d(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}

func.func private @min_of_three(%x: tensor<3xf64>) -> f64 {
  %y = array.min %x : (tensor<3xf64>) -> f64
  return %y : f64
}
func.func @first_min(%x: tensor<3xf64>) -> tensor<3xf64> {
  %g = lambda.ref @min_of_three : (tensor<3xf64>) -> f64
  %d = lambda.grad %g : ((tensor<3xf64>) -> f64) -> ((tensor<3xf64>) -> tensor<3xf64>)
  %y = lambda.apply %d(%x) : (tensor<3xf64>) -> tensor<3xf64>
  return %y : tensor<3xf64>
}

// The loops of `array` and `scf` are differentiated; those of `scf` may hold calls. y = Σ (a x)² + Σ_{a x > 0} a x + x₁ + x₂
// has the value 4·14.25 + 9 + 1 and the derivatives 2a²x + a (where positive) + 1 (for x₁ and x₂), and 2a·14.25 + 4.5.
// LOOPS: {{^}}(67.0, ([ 10. -15. 27. 6.], 61.5)){{$}}
func.func private @loops_of_arrays(%x: tensor<4xf64>, %a: f64) -> f64 {
  %zero = arith.constant 0.0 : f64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %scale = lambda.lambda (%u: f64) -> f64 {
    %v = arith.mulf %a, %u : f64
    lambda.return %v : f64
  }
  %b = array.build (%i < 4) -> (tensor<4xf64>) {
    %e = array.get %x[%i] : (tensor<4xf64>) -> f64
    %s = arith.mulf %a, %e : f64
    array.yield %s : f64
  }
  %d = array.fold (%r = %b : tensor<4xf64>) iter_args(%s = %zero) -> (f64) {
    %q = arith.mulf %r, %r : f64
    %t = arith.addf %s, %q : f64
    array.yield %t : f64
  }
  %h = scf.for %i = %c0 to %n step %c1 iter_args(%s = %d) -> (f64) {
    %p0 = array.get %x[%i] : (tensor<4xf64>) -> f64
    %e = lambda.apply %scale(%p0) : (f64) -> f64
    %big = arith.cmpf ogt, %e, %zero : f64
    %t = scf.if %big -> (f64) {
      %p = arith.addf %s, %e : f64
      scf.yield %p : f64
    } else {
      scf.yield %s : f64
    }
    scf.yield %t : f64
  }
  %k = array.gather %x : tensor<4xf64> (%i < 2) -> (tensor<2xf64>) {
    %j = arith.addi %i, %c1 : index
    array.yield %j : index
  }
  %init = arith.constant dense<0.0> : tensor<3xf64>
  %m = array.scatter %k into %init : tensor<2xf64> into tensor<3xf64> (%i) {
    array.yield %c1 : index
  }
  %w = array.sum %m : (tensor<3xf64>) -> f64
  %y = arith.addf %h, %w : f64
  return %y : f64
}
func.func @loops(%x: tensor<4xf64>, %a: f64) -> tuple<f64, tuple<tensor<4xf64>, f64>> {
  %g = lambda.ref @loops_of_arrays : (tensor<4xf64>, f64) -> f64
  %d = lambda.grad %g {wrt = array<i64: 0, 1>, value} : ((tensor<4xf64>, f64) -> f64) -> ((tensor<4xf64>, f64) -> tuple<f64, tuple<tensor<4xf64>, f64>>)
  %y = lambda.apply %d(%x, %a) : (tensor<4xf64>, f64) -> tuple<f64, tuple<tensor<4xf64>, f64>>
  return %y : tuple<f64, tuple<tensor<4xf64>, f64>>
}

// A gradient has the structure of its argument, with unit values for integers.
// STRUCTURE: {{^}}P{u: 5.0, n: none, l: [3.0, 0.0], t: (0.0, none)}{{$}}
func.func @structure(%p: !p) -> !t {
  %g = lambda.lambda (%r: !p) -> f64 {
    %u = lambda.field %r["u"] : (!p) -> f64
    %l = lambda.field %r["l"] : (!p) -> !lambda.list<f64>
    %h = lambda.head %l : (!lambda.list<f64>) -> f64
    %y = arith.mulf %u, %h : f64
    lambda.return %y : f64
  }
  %d = lambda.grad %g : ((!p) -> f64) -> ((!p) -> !t)
  %y = lambda.apply %d(%p) : (!p) -> !t
  return %y : !t
}

// A backpropagator may be called again, and inside another derivative: d/dx (1 + x) 3 cos 3x, sin 3x, 3 cos 3x + x² cos 3x
// and -27 sin 3x.
// BACK: {{^}}(-10.6566192{{[0-9]*}}, 0.932039085{{[0-9]*}}, 1.14505050{{[0-9]*}}, -25.1650553{{[0-9]*}}){{$}}
func.func @back(%at: f64) -> tuple<f64, f64, f64, f64> {
  %g = lambda.lambda (%x: f64, %y: f64) -> f64 {
    %e = arith.mulf %x, %y : f64
    %z = math.sin %e : f64
    lambda.return %z : f64
  }
  %three = arith.constant 3.0 : f64
  %one = arith.constant 1.0 : f64
  %v = lambda.vjp %g {wrt = array<i64: 0>} : ((f64, f64) -> f64) -> ((f64, f64) -> tuple<f64, (f64) -> f64>)
  %h = lambda.lambda (%x: f64) -> f64 {
    %t = lambda.apply %v(%x, %three) : (f64, f64) -> tuple<f64, (f64) -> f64>
    %b = lambda.get %t[1] : (tuple<f64, (f64) -> f64>) -> ((f64) -> f64)
    %d = lambda.apply %b(%one) : (f64) -> f64
    %d2 = lambda.apply %b(%x) : (f64) -> f64
    %s = arith.addf %d, %d2 : f64
    lambda.return %s : f64
  }
  %dh = lambda.grad %h : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %dh(%at) : (f64) -> f64
  %j = lambda.jvp %g : ((f64, f64) -> f64) -> ((f64, f64, f64, f64) -> tuple<f64, f64>)
  %w = lambda.apply %j(%at, %three, %one, %at) : (f64, f64, f64, f64) -> tuple<f64, f64>
  %w0 = lambda.get %w[0] : (tuple<f64, f64>) -> f64
  %w1 = lambda.get %w[1] : (tuple<f64, f64>) -> f64
  %k = lambda.hvp %g : ((f64, f64) -> f64) -> ((f64, f64, f64) -> f64)
  %q = lambda.apply %k(%at, %three, %three) : (f64, f64, f64) -> f64
  %r = lambda.tuple %y, %w0, %w1, %q : (f64, f64, f64, f64) -> tuple<f64, f64, f64, f64>
  return %r : tuple<f64, f64, f64, f64>
}

// J f(x) is the value and the backpropagator to the captures of `f` and to x.
// AUGMENTED: {{^}}(18.0, 12.0, 18.0){{$}}
func.func @augmented(%a: f64, %at: f64) -> tuple<f64, f64, f64> {
  %f = lambda.lambda (%x: f64) -> f64 {
    %q = arith.mulf %x, %x : f64
    %y = arith.mulf %a, %q : f64
    lambda.return %y : f64
  }
  %J = lambda.J %f : ((f64) -> f64) -> !g
  %t = lambda.apply %J(%at) : (f64) -> tuple<f64, !b>
  %y = lambda.get %t[0] : (tuple<f64, !b>) -> f64
  %b = lambda.get %t[1] : (tuple<f64, !b>) -> !b
  %one = arith.constant 1.0 : f64
  %s = lambda.apply %b(%one) : (f64) -> tuple<!lambda.env, f64>
  %x_ct = lambda.get %s[1] : (tuple<!lambda.env, f64>) -> f64
  %p = lambda.Jinv %J : (!g) -> ((f64) -> f64)
  %z = lambda.apply %p(%at) : (f64) -> f64
  %r = lambda.tuple %y, %x_ct, %z : (f64, f64, f64) -> tuple<f64, f64, f64>
  return %r : tuple<f64, f64, f64>
}

// J of a function that returns one: the environment that a call of the result returns is the cotangent for J of
// the function. a² x, a², 2 a x.
// MADE: {{^}}(45.0, 9.0, 30.0){{$}}
func.func @made(%a: f64, %at: f64) -> tuple<f64, f64, f64> {
  %mk = lambda.lambda (%u: f64) -> (f64) -> f64 {
    %s = arith.mulf %u, %u : f64
    %h = lambda.lambda (%x: f64) -> f64 {
      %y = arith.mulf %s, %x : f64
      lambda.return %y : f64
    }
    lambda.return %h : (f64) -> f64
  }
  %J = lambda.J %mk : ((f64) -> ((f64) -> f64)) -> ((f64) -> tuple<!g, !c>)
  %t = lambda.apply %J(%a) : (f64) -> tuple<!g, !c>
  %h = lambda.get %t[0] : (tuple<!g, !c>) -> !g
  %b = lambda.get %t[1] : (tuple<!g, !c>) -> !c
  %u = lambda.apply %h(%at) : (f64) -> tuple<f64, !b>
  %z = lambda.get %u[0] : (tuple<f64, !b>) -> f64
  %b2 = lambda.get %u[1] : (tuple<f64, !b>) -> !b
  %one = arith.constant 1.0 : f64
  %s = lambda.apply %b2(%one) : (f64) -> !e
  %env = lambda.get %s[0] : (!e) -> !lambda.env
  %x_ct = lambda.get %s[1] : (!e) -> f64
  %r = lambda.apply %b(%env) : (!lambda.env) -> !e
  %a_ct = lambda.get %r[1] : (!e) -> f64
  %all = lambda.tuple %z, %x_ct, %a_ct : (f64, f64, f64) -> tuple<f64, f64, f64>
  return %all : tuple<f64, f64, f64>
}

// OPAQUE-VALUE: {{^}}1.0{{$}}
func.func @opaque_value(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %y = lambda.opaque %x : (f64) -> f64
    lambda.return %y : f64
  }
  %y = lambda.apply %d0(%at) : (f64) -> f64
  return %y : f64
}

// A function without a derivative is rejected.
// OPAQUE: eval/derivatives.mlir:[[#@LINE+3]]:10: error: 'lambda.opaque' op no-backpropagator: 
func.func @opaque(%at: f64) -> f64 {
  %d0 = lambda.lambda (%x: f64) -> f64 {
    %y = lambda.opaque %x : (f64) -> f64
    lambda.return %y : f64
  }
  %d1 = lambda.grad %d0 : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d1(%at) : (f64) -> f64
  return %y : f64
}

// SENDS: eval/derivatives.mlir:[[#@LINE+4]]:10: error: 'lambda.channel' op effect-in-gradient: 
func.func @sends(%at: f64) -> f64 {
  %g = lambda.lambda (%x: f64) -> f64 {
    %t = lambda.token : () -> !lambda.token
    %c = lambda.channel %t {buffer = 1} : (!lambda.token) -> tuple<!lambda.chan<f64>, !lambda.token>
    lambda.return %x : f64
  }
  %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d(%at) : (f64) -> f64
  return %y : f64
}

// Ops that only the evaluator of arrays supports can be used, but not differentiated.
// GENERATED: {{^}}12.0{{$}}
func.func @generated(%x: f64) -> f64 {
  %t = tensor.generate {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i64
    %q = arith.sitofp %k : i64 to f64
    %p = arith.mulf %q, %x : f64
    tensor.yield %p : f64
  } : tensor<4xf64>
  %y = array.sum %t : (tensor<4xf64>) -> f64
  return %y : f64
}

// GENERATED-GRAD: eval/derivatives.mlir:[[#@LINE-11]]:8: error: 'tensor.generate' op no-backpropagator: 
func.func @generated_grad(%x: f64) -> f64 {
  %g = lambda.ref @generated : (f64) -> f64
  %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %y = lambda.apply %d(%x) : (f64) -> f64
  return %y : f64
}
