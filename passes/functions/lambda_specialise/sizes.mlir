// RUN: mlopt %s --lambda-specialise | FileCheck %s
// Types that leave a size open agree with types that determine it. Where the size is needed, it is compared.

// CHECK-LABEL: func.func @operands
// CHECK-SAME:  (%[[A:.*]]: tensor<?xf64>, %[[B:.*]]: tensor<2xf64>) -> tensor<2xf64>
// CHECK:         %[[N:.*]] = array.length %[[A]]
// CHECK:         %[[OK:.*]] = arith.cmpi eq, %[[N]], %{{.*}} : index
// CHECK:         %[[CHECKED:.*]] = lambda.check %[[OK]], %[[A]] {code = "shape-mismatch", text = "the operands have different sizes: axis 0 of one of them must have size 2"}
// CHECK:         %[[KNOWN:.*]] = tensor.cast %[[CHECKED]] : tensor<?xf64> to tensor<2xf64>
// CHECK:         arith.mulf %[[KNOWN]], %[[B]] : tensor<2xf64>
func.func @operands(%a: tensor<?xf64>, %b: tensor<2xf64>) -> !lambda.any {
  %z = lambda.prim "mul"(%a, %b) : (tensor<?xf64>, tensor<2xf64>) -> !lambda.any
  return %z : !lambda.any
}

// Both factors of a product get the size of their common axis.
// CHECK-LABEL: func.func @product
// CHECK:         lambda.check
// CHECK:         %[[ROWS:.*]] = tensor.cast %{{.*}} : tensor<3x?xf64> to tensor<3x2xf64>
// CHECK:         array.get %[[ROWS]]
// CHECK:         arith.mulf %{{.*}}, %{{.*}} : tensor<2xf64>
func.func @product(%a: tensor<3x?xf64>, %b: tensor<2xf64>) -> !lambda.any {
  %z = lambda.prim "@"(%a, %b) : (tensor<3x?xf64>, tensor<2xf64>) -> !lambda.any
  return %z : !lambda.any
}

// A value of one type or the other needs no check.
// CHECK-LABEL: func.func @branches
// CHECK-SAME:  -> tuple<tensor<?xf64>, f64>
// CHECK-NOT:     lambda.check
// CHECK:         tensor.cast %{{.*}} : tensor<2xf64> to tensor<?xf64>
func.func @branches(%c: i1, %a: tensor<?xf64>, %b: tensor<2xf64>, %x: f64) -> !lambda.any {
  %z = lambda.if %c : i1 -> !lambda.any {
    %s = lambda.tuple %a, %x : (tensor<?xf64>, f64) -> !lambda.any
    lambda.yield %s : !lambda.any
  } else {
    %t = lambda.tuple %b, %x : (tensor<2xf64>, f64) -> !lambda.any
    lambda.yield %t : !lambda.any
  }
  return %z : !lambda.any
}

// CHECK-LABEL: func.func @carried
// CHECK:         lambda.for
// CHECK:           lambda.check
// CHECK:           %[[NEXT:.*]] = tensor.cast %{{.*}} : tensor<?xf64> to tensor<2xf64>
// CHECK:           lambda.yield %[[NEXT]] : tensor<2xf64>
func.func @carried(%n: i64, %a: tensor<?xf64>, %b: tensor<2xf64>) -> !lambda.any {
  %z = lambda.for (%i < %n) iter_args(%s = %b) : (i64, tensor<2xf64>) -> (!lambda.any) {
    lambda.yield %a : tensor<?xf64>
  }
  return %z : !lambda.any
}

// A display has the size that it shows.
// CHECK-LABEL: func.func @display
// CHECK-SAME:  -> tensor<2xf64>
func.func @display(%x: f64) -> !lambda.any {
  %nil = lambda.nil : () -> !lambda.any
  %one = lambda.cons %x, %nil : (f64, !lambda.any) -> !lambda.any
  %two = lambda.cons %x, %one : (f64, !lambda.any) -> !lambda.any
  %z = lambda.to_array %two : (!lambda.any) -> !lambda.any
  return %z : !lambda.any
}

// The stated type of a result may leave the size open.
// CHECK-LABEL: func.func @stated
// CHECK-SAME:  -> tensor<?xf64>
// CHECK:         %[[OPEN:.*]] = tensor.cast %{{.*}} : tensor<2xf64> to tensor<?xf64>
// CHECK:         return %[[OPEN]]
func.func @stated(%a: tensor<2xf64>) -> tensor<?xf64> {
  %z = lambda.prim "neg"(%a) : (tensor<2xf64>) -> tensor<?xf64>
  return %z : tensor<?xf64>
}
