// RUN: mlopt %s --lambda-specialise --split-input-file --verify-diagnostics | FileCheck %s

// An operation of both kinds of numbers is chosen by the type of its operands.
// CHECK-LABEL: func.func @strict(
// CHECK:         arith.addi %{{.*}}, %{{.*}} : i64
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f64
// CHECK:         arith.maxsi %{{.*}}, %{{.*}} : i64
// CHECK:         arith.cmpi sge, %{{.*}}, %{{.*}} : i64
// CHECK:         arith.cmpi ne, %{{.*}}, %{{.*}} : i1
// CHECK:         arith.subi %{{.*}}, %{{.*}} : i64
func.func @strict(%n: i64, %x: f64, %c: i1) -> !lambda.any {
  %0 = lambda.prim "+"(%n, %n) : (i64, i64) -> !lambda.any
  %1 = lambda.prim "+"(%x, %x) : (f64, f64) -> !lambda.any
  %2 = lambda.prim "max"(%n, %0) : (i64, !lambda.any) -> !lambda.any
  %3 = lambda.prim ">="(%n, %0) : (i64, !lambda.any) -> !lambda.any
  %4 = lambda.prim "!="(%c, %3) : (i1, !lambda.any) -> !lambda.any
  %5 = lambda.prim "neg"(%2) : (!lambda.any) -> !lambda.any
  %t = lambda.tuple %0, %1, %2, %3, %4, %5 : (!lambda.any, !lambda.any, !lambda.any, !lambda.any, !lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// -----

// An integer beside a float becomes a float of its type; a number is repeated in the shape of an array, a vector for
// each row of a matrix.
// CHECK-LABEL: func.func @promotion(
// CHECK-SAME:    %[[N:.*]]: i64, %[[X:.*]]: f32, %[[V:.*]]: tensor<3xf32>, %[[M:.*]]: tensor<2x3xf32>)
// CHECK:         %[[F:.*]] = arith.sitofp %[[N]] : i64 to f32
// CHECK:         %[[S:.*]] = arith.addf %[[F]], %[[X]] : f32
// CHECK:         %[[SS:.*]] = array.replicate %[[S]] : (f32) -> tensor<3xf32>
// CHECK:         %[[P:.*]] = arith.mulf %[[SS]], %[[V]] : tensor<3xf32>
// CHECK:         %[[PP:.*]] = array.replicate %[[P]] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK:         arith.subf %[[M]], %[[PP]] : tensor<2x3xf32>
func.func @promotion(%n: i64, %x: f32, %v: tensor<3xf32>, %m: tensor<2x3xf32>) -> !lambda.any {
  %s = lambda.prim "add"(%n, %x) : (i64, f32) -> !lambda.any
  %p = lambda.prim "mul"(%s, %v) : (!lambda.any, tensor<3xf32>) -> !lambda.any
  %q = lambda.prim "sub"(%m, %p) : (tensor<2x3xf32>, !lambda.any) -> !lambda.any
  return %q : !lambda.any
}

// -----

// Quotients of integers are floats with `div`, and round down with `floordiv`, whose divisor is checked.
// CHECK-LABEL: func.func @division(
// CHECK-SAME:    %[[N:.*]]: i64, %[[M:.*]]: i64)
// CHECK:         arith.divf %{{.*}}, %{{.*}} : f64
// CHECK:         %[[OK:.*]] = arith.cmpi ne, %[[M]], %{{.*}} : i64
// CHECK:         %[[D:.*]] = lambda.check %[[OK]], %[[M]] {code = "division-by-zero", text = "an integer is divided by zero"} : (i1, i64) -> i64
// CHECK:         array.div %[[N]], %[[D]] : i64
func.func @division(%n: i64, %m: i64) -> !lambda.any {
  %0 = lambda.prim "div"(%n, %m) : (i64, i64) -> !lambda.any
  %1 = lambda.prim "floordiv"(%n, %m) : (i64, i64) -> !lambda.any
  %t = lambda.tuple %0, %1 : (!lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// -----

// Floats are divided exactly: the remainder is that of truncation for |y|, plus |y| below zero.
// CHECK-LABEL: func.func @remainder(
// CHECK-SAME:    %[[X:.*]]: f64, %[[Y:.*]]: f64)
// CHECK:         %[[NEGATIVE:.*]] = arith.cmpf olt, %[[Y]], %{{.*}} : f64
// CHECK:         %[[MINUS:.*]] = arith.negf %[[X]]
// CHECK:         %[[A:.*]] = arith.select %[[NEGATIVE]], %[[MINUS]], %[[X]]
// CHECK:         %[[B:.*]] = math.absf %[[Y]]
// CHECK:         %[[R:.*]] = arith.remf %[[A]], %[[B]]
// CHECK:         %[[BELOW:.*]] = arith.cmpf olt, %[[R]], %{{.*}} : f64
// CHECK:         %[[MORE:.*]] = arith.select %[[BELOW]], %[[B]], %{{.*}} : f64
// CHECK:         %[[SUM:.*]] = arith.addf %[[R]], %[[MORE]]
// CHECK:         %[[OPPOSITE:.*]] = arith.negf %[[SUM]]
// CHECK:         arith.select %[[NEGATIVE]], %[[OPPOSITE]], %[[SUM]]
func.func @remainder(%x: f64, %y: f64) -> !lambda.any {
  %0 = lambda.prim "mod"(%x, %y) : (f64, f64) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// An i64 is compared with an f64 exactly: as integers, if it is rounded to this float. A small literal is exact.
// CHECK-LABEL: func.func @compared(
// CHECK-SAME:    %[[N:.*]]: i64, %[[X:.*]]: f64)
// CHECK:         %[[F:.*]] = arith.sitofp %[[N]]
// CHECK:         %[[ROUNDED:.*]] = arith.cmpf olt, %[[F]], %[[X]]
// CHECK:         %[[M:.*]] = arith.minsi %[[N]], %{{.*}} : i64
// CHECK:         %[[I:.*]] = array.floor
// CHECK:         %[[SAME:.*]] = arith.cmpf oeq, %[[F]], %[[X]]
// CHECK:         %[[EXACT:.*]] = arith.cmpi slt, %[[M]], %[[I]]
// CHECK:         arith.select %[[SAME]], %[[EXACT]], %[[ROUNDED]]
// CHECK:         arith.cmpf olt, %[[X]], %{{.*}} : f64
// CHECK-NOT:     arith.cmpi
func.func @compared(%n: i64, %x: f64) -> !lambda.any {
  %0 = lambda.prim "lt"(%n, %x) : (i64, f64) -> !lambda.any
  %seven = lambda.literal 7 : i64 -> !lambda.any
  %1 = lambda.prim "lt"(%x, %seven) : (f64, !lambda.any) -> !lambda.any
  %t = lambda.tuple %0, %1 : (!lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// -----

// Operations on bits; the count of a shift is checked, and may be the width or more.
// CHECK-LABEL: func.func @bits(
// CHECK-SAME:    %[[N:.*]]: i64, %[[K:.*]]: i64, %[[V:.*]]: tensor<3xi1>)
// CHECK:         arith.andi %[[N]], %[[K]] : i64
// CHECK:         arith.xori %[[V]], %{{.*}} : tensor<3xi1>
// CHECK:         %[[OK:.*]] = arith.cmpi sge, %[[K]], %{{.*}} : i64
// CHECK:         %[[C:.*]] = lambda.check %[[OK]], %[[K]] {code = "negative-shift",
// CHECK:         %[[M:.*]] = arith.minsi %[[C]], %{{.*}} : i64
// CHECK:         %[[INSIDE:.*]] = arith.cmpi slt, %[[C]], %{{.*}} : i64
// CHECK:         %[[S:.*]] = arith.shli %[[N]], %[[M]] : i64
// CHECK:         arith.select %[[INSIDE]], %[[S]], %{{.*}} : i64
func.func @bits(%n: i64, %k: i64, %v: tensor<3xi1>) -> !lambda.any {
  %0 = lambda.prim "bitand"(%n, %k) : (i64, i64) -> !lambda.any
  %1 = lambda.prim "invert"(%v) : (tensor<3xi1>) -> !lambda.any
  %2 = lambda.prim "shl"(%n, %k) : (i64, i64) -> !lambda.any
  %t = lambda.tuple %0, %1, %2 : (!lambda.any, !lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// -----

// The quotient, rounded up, is an i64; that of an integer by 1 is the integer.
// CHECK-LABEL: func.func @rounded_up(
// CHECK-SAME:    %[[N:.*]]: i64, %[[X:.*]]: f64)
// CHECK:         %[[Q:.*]] = arith.divf
// CHECK:         %[[C:.*]] = math.ceil %[[Q]]
// CHECK:         %[[T:.*]] = math.trunc %[[C]]
// CHECK:         %[[I:.*]] = array.floor %[[T]]
// CHECK:         lambda.tuple %[[N]], %[[I]]
func.func @rounded_up(%n: i64, %x: f64) -> !lambda.any {
  %one = lambda.literal 1 : i64 -> !lambda.any
  %0 = lambda.prim "ceildiv"(%n, %one) : (i64, !lambda.any) -> !lambda.any
  %1 = lambda.prim "ceildiv"(%x, %n) : (f64, i64) -> !lambda.any
  %t = lambda.tuple %0, %1 : (!lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// -----

// A number beside an array gets the type of its elements, and an axis may be counted from the end.
// CHECK-LABEL: func.func @beside_arrays(
// CHECK-SAME:    %[[X:.*]]: f64, %[[V:.*]]: tensor<2x3xf32>)
// CHECK:         arith.truncf %[[X]] : f64 to f32
// CHECK:         arith.mulf %{{.*}}, %[[V]] : tensor<2x3xf32>
// CHECK:         array.sum %[[V]] axes [1]
func.func @beside_arrays(%x: f64, %v: tensor<2x3xf32>) -> !lambda.any {
  %0 = lambda.prim "mul"(%x, %v) : (f64, tensor<2x3xf32>) -> !lambda.any
  %last = lambda.literal -1 : i64 -> !lambda.any
  %1 = lambda.prim "sum-along"(%last, %v) : (!lambda.any, tensor<2x3xf32>) -> !lambda.any
  %t = lambda.tuple %0, %1 : (!lambda.any, !lambda.any) -> !lambda.any
  return %t : !lambda.any
}

// -----

// A literal beside literals has no type of its own: it gets that of the array.
// CHECK-LABEL: func.func @literals(
// CHECK:         arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : tensor<3xf32>
func.func @literals(%v: tensor<3xf32>) -> !lambda.any {
  %a = lambda.literal 1.5 : f64 -> !lambda.any
  %s = lambda.prim "add"(%a, %a) : (!lambda.any, !lambda.any) -> !lambda.any
  %p = lambda.prim "mul"(%s, %v) : (!lambda.any, tensor<3xf32>) -> !lambda.any
  return %p : !lambda.any
}

// -----

// Values of tuples, lists and arrays; a negative literal counts from the end.
// CHECK-LABEL: func.func @items(
// CHECK-SAME:    %[[T:.*]]: tuple<f64, i64>, %[[L:.*]]: !lambda.list<f64>, %[[V:.*]]: tensor<3xf64>)
// CHECK:         lambda.get %[[T]][1] : (tuple<f64, i64>) -> i64
// CHECK:         %[[TAIL:.*]] = lambda.tail %[[L]]
// CHECK:         lambda.head %[[TAIL]]
// CHECK:         %[[K:.*]] = arith.constant 2 : i64
// CHECK:         lambda.aget %[[V]][%[[K]]] : (tensor<3xf64>, i64) -> f64
func.func @items(%t: tuple<f64, i64>, %l: !lambda.list<f64>, %v: tensor<3xf64>) -> !lambda.any {
  %last = lambda.literal -1 : i64 -> !lambda.any
  %one = lambda.literal 1 : i64 -> !lambda.any
  %a = lambda.prim "item"(%t, %last) : (tuple<f64, i64>, !lambda.any) -> !lambda.any
  %b = lambda.prim "item"(%l, %one) : (!lambda.list<f64>, !lambda.any) -> !lambda.any
  %c = lambda.prim "item"(%v, %last) : (tensor<3xf64>, !lambda.any) -> !lambda.any
  %r = lambda.tuple %a, %b, %c : (!lambda.any, !lambda.any, !lambda.any) -> !lambda.any
  return %r : !lambda.any
}

// -----

// A fold over a tuple calls its function once for each value.
// CHECK-LABEL: func.func @fold_of_a_tuple(
// CHECK:         %[[A:.*]] = lambda.get %{{.*}}[0] : (tuple<f64, i64>) -> f64
// CHECK:         %[[B:.*]] = lambda.get %{{.*}}[1] : (tuple<f64, i64>) -> i64
// CHECK:         lambda.apply %{{.*}}(%{{.*}}, %[[A]]) : (f64, f64) -> f64
// CHECK:         lambda.apply %{{.*}}(%{{.*}}, %{{.*}}) : (f64, i64) -> f64
func.func @fold_of_a_tuple(%t: tuple<f64, i64>, %z: f64) -> !lambda.any {
  %f = lambda.lambda (%a: !lambda.any, %x: !lambda.any) -> !lambda.any {
    %s = lambda.prim "add"(%a, %x) : (!lambda.any, !lambda.any) -> !lambda.any
    lambda.return %s : !lambda.any
  }
  %y = lambda.fold %f, %z, %t : ((!lambda.any, !lambda.any) -> !lambda.any, f64, tuple<f64, i64>) -> !lambda.any
  return %y : !lambda.any
}

// -----

// expected-note @+2 {{operand #0 is defined here}}
// expected-note @+1 {{operand #1 is defined here}}
func.func @kinds(%x: f64, %y: f32) -> !lambda.any {
  // expected-error @+1 {{type-mismatch: the operands must have elements of one type, found f64 and f32; convert one}}
  %0 = lambda.prim "add"(%x, %y) : (f64, f32) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+2 {{operand #0 is defined here}}
// expected-note @+1 {{operand #1 is defined here}}
func.func @shapes(%x: tensor<2xf64>, %y: tensor<2x3xf64>) -> !lambda.any {
  // expected-error @+1 {{shape-mismatch: the operands must have the sizes of the last axes, found tensor<2xf64> and tensor<2x3xf64>}}
  %0 = lambda.prim "add"(%x, %y) : (tensor<2xf64>, tensor<2x3xf64>) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+2 {{operand #0 is defined here}}
// expected-note @+1 {{operand #1 is defined here}}
func.func @index(%t: tuple<f64, i64>, %n: i64) -> !lambda.any {
  // expected-error @+1 {{cannot-infer: the index of a tuple must be a literal}}
  %0 = lambda.prim "item"(%t, %n) : (tuple<f64, i64>, i64) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+2 {{operand #0 is defined here}}
// expected-note @+1 {{operand #1 is defined here}}
func.func @by_an_array(%v: tensor<2xi64>) -> !lambda.any {
  // expected-error @+1 {{not supported: `mod` by an array of integers}}
  %0 = lambda.prim "mod"(%v, %v) : (tensor<2xi64>, tensor<2xi64>) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+1 {{operand #1 is defined here}}
func.func @axis(%v: tensor<2xf64>) -> !lambda.any {
  // expected-note @+1 {{operand #0 is defined here; it is an integer}}
  %n = lambda.literal 1 : i64 -> !lambda.any
  // expected-error @+1 {{rank-mismatch: the axis must be a literal from -1 to 0, for tensor<2xf64>}}
  %0 = lambda.prim "sum-along"(%n, %v) : (!lambda.any, tensor<2xf64>) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+1 {{operand #0 is defined here}}
func.func @count(%t: tuple<f64, i64>) -> !lambda.any {
  // expected-note @+1 {{operand #1 is defined here; it is an integer}}
  %n = lambda.literal 3 : i64 -> !lambda.any
  // expected-error @+1 {{shape-mismatch: expected 3 values, found 2}}
  %0 = lambda.prim "unpack"(%t, %n) : (tuple<f64, i64>, !lambda.any) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+2 {{operand #0 is defined here}}
// expected-note @+1 {{operand #1 is defined here}}
func.func @bits_of_floats(%x: f64, %n: i64) -> !lambda.any {
  // expected-error @+1 {{type-mismatch: bit operations take integers and Booleans, found f64 and i64}}
  %0 = lambda.prim "bitor"(%x, %n) : (f64, i64) -> !lambda.any
  return %0 : !lambda.any
}

// -----

// expected-note @+1 {{operand #0 is defined here}}
func.func @inverted_boolean(%c: i1) -> !lambda.any {
  // expected-error @+1 {{type-mismatch: expected an integer or an array of Booleans, found i1}}
  %0 = lambda.prim "invert"(%c) : (i1) -> !lambda.any
  return %0 : !lambda.any
}
