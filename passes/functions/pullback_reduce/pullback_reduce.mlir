// RUN: mlopt %s --pullback-reduce="function=row trace=true" -o %t 2> %t.steps
// RUN: FileCheck %s --check-prefix=STEPS < %t.steps
// RUN: mlopt %s --pullback-reduce="function=row" | FileCheck %s
// RUN: mlopt %s --pullback-reduce="function=swell trace=true" -o %t 2> %t.swell
// RUN: FileCheck %s --check-prefix=SWELL < %t.swell
// RUN: mlopt %s --pullback-reduce="function=sum_of_list trace=true" 2> %t.list | FileCheck %s --check-prefix=LIST
// RUN: FileCheck %s --check-prefix=LIST-STEPS < %t.list
// RUN: mlopt %s --pullback-reduce="function=second trace=true" -o %t 2> %t.second
// RUN: FileCheck %s --check-prefix=SECOND < %t.second
// RUN: mlopt %s --pullback-reduce="function=pullback" | FileCheck %s --check-prefix=VALUE
// The worked examples of spec/functional.md, with their reduction steps.

func.func private @g(%p: tuple<f64, f64>) -> tuple<f64, f64> attributes {lambda.primitive} {
  %x = lambda.get %p[0] : (tuple<f64, f64>) -> f64
  %y = lambda.get %p[1] : (tuple<f64, f64>) -> f64
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %a = arith.addf %x, %one : f64
  %b = arith.mulf %two, %x : f64
  %c = arith.mulf %y, %y : f64
  %d = arith.addf %b, %c : f64
  %r = lambda.tuple %a, %d : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}
func.func private @mul(%p: tuple<f64, f64>) -> f64 attributes {lambda.primitive} {
  %x = lambda.get %p[0] : (tuple<f64, f64>) -> f64
  %y = lambda.get %p[1] : (tuple<f64, f64>) -> f64
  %z = arith.mulf %x, %y : f64
  return %z : f64
}
func.func private @pow2(%x: f64) -> f64 attributes {lambda.primitive} {
  %z = arith.mulf %x, %x : f64
  return %z : f64
}

// C.8: values are propagated forward, then covectors backward; each primitive is evaluated once.
// STEPS:      @row = ((Omega \p.pow2(mul(g(p)))).(\y.1)) <1, 3>
// STEPS-NEXT: A {{.*}}->  (Omega \p.let z1 = g(p) in let z2 = mul(z1) in let z3 = pow2(z2) in z3).(\y.1)
// STEPS-NEXT: 8 {{.*}}->  (Omega \p.<p, g(p)>).((Omega \<p,z1>.let z2 = mul(z1) in let z3 = pow2(z2) in z3).(\y.1))
// STEPS-NEXT: 8 {{.*}}->  (Omega \<p,z1>.<<p, z1>, mul(z1)>).((Omega \<<p,z1>,z2>.let z3 = pow2(z2) in z3).(\y.1))
// STEPS-NEXT: 7 {{.*}}->  (Omega \<<p,z1>,z2>.pow2(z2)).(\y.1)
// STEPS-NEXT: 3     g(<1, 3>)  ->  <2, 11>
// STEPS-NEXT: 20b {{.*}}->  (\v.<v, (J g.v) <1, 3>>)^*.({{.*}} <<1, 3>, <2, 11>>)
// STEPS-NEXT: 3     mul(<2, 11>)  ->  22
// STEPS-NEXT: 20b {{.*}}->  (\v.<v, (J mul.(pi_2 v)) <2, 11>>)^*.({{.*}} <<<1, 3>, <2, 11>>, 22>)
// STEPS-NEXT: 3     pow2(22)  ->  484
// STEPS-NEXT: 15 {{.*}}->  (\v.(J pow2.(pi_2 v)) 22)^*.((\y.1) 484)
// STEPS-NEXT: 1     (\y.1) 484  ->  1
// STEPS-NEXT: D6    (\v.(J pow2.(pi_2 v)) 22)^*.1  ->  (\v.pi_2 v)^*.44
// STEPS-NEXT: D3    (\v.pi_2 v)^*.44  ->  (\v.v)^*.<0, 44>
// STEPS-NEXT: D2    (\v.v)^*.<0, 44>  ->  <0, 44>
// STEPS-NEXT: D4    (\v.<v, (J mul.(pi_2 v)) <2, 11>>)^*.<0, 44>  ->  (\v.(J mul.(pi_2 v)) <2, 11>)^*.44
// STEPS-NEXT: D6    (\v.(J mul.(pi_2 v)) <2, 11>)^*.44  ->  (\v.pi_2 v)^*.<484, 88>
// STEPS-NEXT: D3    (\v.pi_2 v)^*.<484, 88>  ->  (\v.v)^*.<0, <484, 88>>
// STEPS-NEXT: D2    (\v.v)^*.<0, <484, 88>>  ->  <0, <484, 88>>
// STEPS-NEXT: D4    (\v.<v, (J g.v) <1, 3>>)^*.<0, <484, 88>>  ->  (\v.(J g.v) <1, 3>)^*.<484, 88>
// STEPS-NEXT: D6    (\v.(J g.v) <1, 3>)^*.<484, 88>  ->  (\v.v)^*.<660, 528>
// STEPS-NEXT: D2    (\v.v)^*.<660, 528>  ->  <660, 528>
// STEPS-NEXT: @row = <660, 528>
// STEPS-NOT: {{.}}
// CHECK-LABEL: func.func @row()
// CHECK-NEXT:    %[[A:.*]] = arith.constant 6.600000e+02
// CHECK-NEXT:    %[[B:.*]] = arith.constant 5.280000e+02
// CHECK-NEXT:    %[[V:.*]] = lambda.tuple %[[A]], %[[B]]
// CHECK-NEXT:    %[[W:.*]] = lambda.covector %[[V]] : (tuple<f64, f64>) -> !lambda.dual<tuple<f64, f64>>
// CHECK-NEXT:    return %[[W]]
func.func @row() -> !lambda.dual<tuple<f64, f64>> {
  %one = arith.constant 1.0 : f64
  %three = arith.constant 3.0 : f64
  %at = lambda.tuple %one, %three : (f64, f64) -> tuple<f64, f64>
  %w = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %c : !lambda.dual<f64>
  }
  %f = lambda.pullback %w (%p: tuple<f64, f64>) {
    %z1 = func.call @g(%p) : (tuple<f64, f64>) -> tuple<f64, f64>
    %z2 = func.call @mul(%z1) : (tuple<f64, f64>) -> f64
    %z3 = func.call @pow2(%z2) : (f64) -> f64
    lambda.yield %z3 : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((tuple<f64, f64>) -> !lambda.dual<tuple<f64, f64>>)
  %row = lambda.apply %f(%at) : (tuple<f64, f64>) -> !lambda.dual<tuple<f64, f64>>
  return %row : !lambda.dual<tuple<f64, f64>>
}

// u ↦ u·u, twelve times: y^4096, whose derivative at 1 is 4096, by exactly twelve products.
// SWELL-COUNT-12: {{^}}3     mul(<{{.*}}>)  ->  1
// SWELL-NOT:  {{^}}3 {{.*}}mul
// SWELL:      @swell = 4096
func.func @swell() -> !lambda.dual<f64> {
  %one = arith.constant 1.0 : f64
  %w = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %c : !lambda.dual<f64>
  }
  %f = lambda.pullback %w (%u0: f64) {
    %p0 = lambda.tuple %u0, %u0 : (f64, f64) -> tuple<f64, f64>
    %u1 = func.call @mul(%p0) : (tuple<f64, f64>) -> f64
    %p1 = lambda.tuple %u1, %u1 : (f64, f64) -> tuple<f64, f64>
    %u2 = func.call @mul(%p1) : (tuple<f64, f64>) -> f64
    %p2 = lambda.tuple %u2, %u2 : (f64, f64) -> tuple<f64, f64>
    %u3 = func.call @mul(%p2) : (tuple<f64, f64>) -> f64
    %p3 = lambda.tuple %u3, %u3 : (f64, f64) -> tuple<f64, f64>
    %u4 = func.call @mul(%p3) : (tuple<f64, f64>) -> f64
    %p4 = lambda.tuple %u4, %u4 : (f64, f64) -> tuple<f64, f64>
    %u5 = func.call @mul(%p4) : (tuple<f64, f64>) -> f64
    %p5 = lambda.tuple %u5, %u5 : (f64, f64) -> tuple<f64, f64>
    %u6 = func.call @mul(%p5) : (tuple<f64, f64>) -> f64
    %p6 = lambda.tuple %u6, %u6 : (f64, f64) -> tuple<f64, f64>
    %u7 = func.call @mul(%p6) : (tuple<f64, f64>) -> f64
    %p7 = lambda.tuple %u7, %u7 : (f64, f64) -> tuple<f64, f64>
    %u8 = func.call @mul(%p7) : (tuple<f64, f64>) -> f64
    %p8 = lambda.tuple %u8, %u8 : (f64, f64) -> tuple<f64, f64>
    %u9 = func.call @mul(%p8) : (tuple<f64, f64>) -> f64
    %p9 = lambda.tuple %u9, %u9 : (f64, f64) -> tuple<f64, f64>
    %u10 = func.call @mul(%p9) : (tuple<f64, f64>) -> f64
    %p10 = lambda.tuple %u10, %u10 : (f64, f64) -> tuple<f64, f64>
    %u11 = func.call @mul(%p10) : (tuple<f64, f64>) -> f64
    %p11 = lambda.tuple %u11, %u11 : (f64, f64) -> tuple<f64, f64>
    %u12 = func.call @mul(%p11) : (tuple<f64, f64>) -> f64
    lambda.yield %u12 : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  %row = lambda.apply %f(%one) : (f64) -> !lambda.dual<f64>
  return %row : !lambda.dual<f64>
}

// C.9: the derivative of the sum of a list, at the list, depends on the primitives of the sum: addition and 0.
// LIST-STEPS: @sum_of_list = let add = \x.\y.x + y in ((Omega \l.l add 0).(\any.1)) (\f.\d.f 7 (f (-1) d))
// LIST-STEPS: hoist
// LIST-STEPS: 8
// LIST-STEPS: 7 {{.*}}->  (Omega \<l,[[Z:z[0-9]+]]>.[[Z]] 0).
// LIST-STEPS: 20b
// LIST-STEPS: 19a {{.*}}->  (\v.(pi_2 v) 0)^*.({{.*}} 6)
// LIST-STEPS: D7    (\v.(pi_2 v) 0)^*.1  ->  (\v.pi_2 v)^*.[0 |> 1]
// LIST-STEPS: D7    (\v.v (\x.\y.x + y))^*.[0 |> 1]  ->  (\v.v)^*.[(\x.\y.x + y) |> [0 |> 1]]
// LIST-STEPS: @sum_of_list = [(\x.\y.x + y) |> [0 |> 1]]
// LIST-LABEL: func.func @sum_of_list(
// LIST:         %[[ONE:.*]] = arith.constant 1.0
// LIST:         %[[W:.*]] = lambda.covector %[[ONE]] : (f64) -> !lambda.dual<f64>
// LIST:         %[[D:.*]] = lambda.dual %[[W]] (%[[L:.*]]: (
// LIST:           lambda.apply %[[L]](%[[ADD:.*]]) :
// LIST:         return %[[D]]
func.func @sum_of_list() -> !lambda.dual<((f64) -> ((f64) -> f64)) -> ((f64) -> f64)> {
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %seven = arith.constant 7.0 : f64
  %minus = arith.constant -1.0 : f64
  %list = lambda.lambda (%f: (f64) -> ((f64) -> f64)) -> (f64) -> f64 {
    %go = lambda.lambda (%d: f64) -> f64 {
      %f2 = lambda.apply %f(%minus) : (f64) -> ((f64) -> f64)
      %d2 = lambda.apply %f2(%d) : (f64) -> f64
      %f1 = lambda.apply %f(%seven) : (f64) -> ((f64) -> f64)
      %d1 = lambda.apply %f1(%d2) : (f64) -> f64
      lambda.return %d1 : f64
    }
    lambda.return %go : (f64) -> f64
  }
  %add = lambda.lambda (%x: f64) -> (f64) -> f64 {
    %to = lambda.lambda (%y: f64) -> f64 {
      %z = arith.addf %x, %y : f64
      lambda.return %z : f64
    }
    lambda.return %to : (f64) -> f64
  }
  %w = lambda.lambda (%any: f64) -> !lambda.dual<f64> {
    %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %c : !lambda.dual<f64>
  }
  %f = lambda.pullback %w (%l: ((f64) -> ((f64) -> f64)) -> ((f64) -> f64)) {
    %a = lambda.apply %l(%add) : ((f64) -> ((f64) -> f64)) -> ((f64) -> f64)
    %b = lambda.apply %a(%zero) : (f64) -> f64
    lambda.yield %b : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((((f64) -> ((f64) -> f64)) -> ((f64) -> f64)) -> !lambda.dual<((f64) -> ((f64) -> f64)) -> ((f64) -> f64)>)
  %c = lambda.apply %f(%list) : (((f64) -> ((f64) -> f64)) -> ((f64) -> f64)) -> !lambda.dual<((f64) -> ((f64) -> f64)) -> ((f64) -> f64)>
  return %c : !lambda.dual<((f64) -> ((f64) -> f64)) -> ((f64) -> f64)>
}

// A function that is not called is a value.
// VALUE-LABEL: func.func @pullback()
// VALUE:         %[[W:.*]] = lambda.lambda
// VALUE:         lambda.pullback %[[W]] (%{{.*}}: f64) {
// VALUE:           math.sin
// VALUE:           lambda.yield
func.func @pullback() -> ((f64) -> !lambda.dual<f64>) {
  %one = arith.constant 1.0 : f64
  %id = lambda.lambda (%y: f64) -> f64 {
    lambda.return %y : f64
  }
  %w = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %c : !lambda.dual<f64>
  }
  %f = lambda.pullback %w (%x: f64) {
    %y = lambda.apply %id(%x) : (f64) -> f64
    %z = math.sin %y : f64
    lambda.yield %z : f64
  } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
  return %f : (f64) -> !lambda.dual<f64>
}

// C.10: the pullback of a pullback is the second derivative. The inner one is a function of its point (17); its derivative stays below a binder
// (16b) until it is applied to a covector (D10, D11); the derivative of a product consists of products (J).
// SECOND:      @second = {{.*}} 2
// SECOND:      {{^}}20a
// SECOND:      {{^}}15 {{.*}}->  (\v.(J mul.(pi_2 v)) <2, 4>)^*.(({{.*}}) 8)
// SECOND:      {{^}}19b {{.*}}->  (\v.(pi_2 v) 2 + (J {{.*}}.(pi_1 v)) 2)^*.({{.*}} 12)
// SECOND:      {{^}}D7    (\v.(pi_2 v) 2)^*.1  ->  (\v.pi_2 v)^*.[2 |> 1]
// SECOND:      {{^}}17 {{.*}}->  \a.let {{.*}} = (\u.D[x, {{.*}}, a].u)^*.1 in
// SECOND:      {{^}}D11 {{.*}}->  (\u.u)^*.12
// SECOND-NEXT: {{^}}D2    (\u.u)^*.12  ->  12
// SECOND-NEXT: {{^}}16b
// SECOND:      {{^}}D10 {{.*}}->  (\v.D[a, D[x, {{.*}}, a].1, 2].{{.*}})^*.1
// SECOND:      {{^}}J     J mul.<1, 1>  ->  \a.mul(<pi_2 a, 1>) + mul(<pi_1 a, 1>)
// SECOND:      {{^}}D11 {{.*}})^*.12
// SECOND:      @second = 12
func.func @second() -> !lambda.dual<f64> {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %w = lambda.lambda (%y: f64) -> !lambda.dual<f64> {
    %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
    lambda.return %c : !lambda.dual<f64>
  }
  %ww = lambda.lambda (%y: !lambda.dual<f64>) -> !lambda.dual<!lambda.dual<f64>> {
    %c = lambda.covector %one : (f64) -> !lambda.dual<f64>
    %cc = lambda.covector %c : (!lambda.dual<f64>) -> !lambda.dual<!lambda.dual<f64>>
    lambda.return %cc : !lambda.dual<!lambda.dual<f64>>
  }
  %f = lambda.pullback %ww (%s: f64) {
    %g = lambda.pullback %w (%x: f64) {
      %q = arith.mulf %x, %x : f64
      %c = arith.mulf %x, %q : f64
      lambda.yield %c : f64
    } : ((f64) -> !lambda.dual<f64>) -> ((f64) -> !lambda.dual<f64>)
    %r = lambda.apply %g(%s) : (f64) -> !lambda.dual<f64>
    lambda.yield %r : !lambda.dual<f64>
  } : ((!lambda.dual<f64>) -> !lambda.dual<!lambda.dual<f64>>) -> ((f64) -> !lambda.dual<f64>)
  %y = lambda.apply %f(%two) : (f64) -> !lambda.dual<f64>
  return %y : !lambda.dual<f64>
}
