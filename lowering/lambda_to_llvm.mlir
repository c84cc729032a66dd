// RUN: mlopt %s --lambda-to-llvm --split-input-file | FileCheck %s
// RUN: mlopt %s --lambda-to-llvm --array-to-sweeps --plan-memory --sweeps-to-loops --loops-to-llvm --split-input-file | FileCheck %s --check-prefix=CODE

// Alternatives without fields are numbers, the others cells: which one, and the parts of the fields.
// CHECK-LABEL: llvm.func internal @f.code
// CHECK:         %[[THREE:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK-NEXT:    %[[END:.*]] = llvm.inttoptr %[[THREE]]
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(24 : i64) : i64
// CHECK-NEXT:    llvm.call @mlopt.new(%{{.*}}, %[[BYTES]])
// From outside: the parts of arguments and results are words, and a stop ends here.
// CHECK-LABEL: llvm.func @f.entry(
// CHECK-SAME:    lambda.entry = (f64) -> i64
// CHECK:         llvm.call @_setjmp
// CHECK:         llvm.call @f.code
// CHECK-LABEL: llvm.func internal @length.code
// CHECK-SAME:    (%[[CONTEXT:.*]]: !llvm.ptr, %[[L:.*]]: !llvm.ptr, %{{.*}}: i64) -> i64
// CHECK:         %[[LIMIT:.*]] = llvm.getelementptr %[[CONTEXT]][4]
// CHECK:         llvm.icmp "ugt"
// CHECK:         llvm.ptrtoint %[[L]]
// CHECK:         llvm.lshr
// CHECK:         llvm.getelementptr %[[L]][2]
// CHECK:         llvm.load {{.*}} -> !llvm.ptr
// CHECK:         llvm.call @length.code(%[[CONTEXT]]
// CODE-LABEL:  llvm.func @f.entry(
// CODE-NOT:    func.func
lambda.data @numbers {more(f64, !lambda.data<@numbers>), end()}
func.func @f(%x: f64) -> i64 {
  %zero = arith.constant 0 : i64
  %e = lambda.make end() : () -> !lambda.data<@numbers>
  %l = lambda.make more(%x, %e) : (f64, !lambda.data<@numbers>) -> !lambda.data<@numbers>
  %n = func.call @length(%l, %zero) : (!lambda.data<@numbers>, i64) -> i64
  return %n : i64
}
func.func private @length(%l: !lambda.data<@numbers>, %n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %z = lambda.case %l : !lambda.data<@numbers> -> i64 {
    more(%x: f64, %rest: !lambda.data<@numbers>) {
      %m = arith.addi %n, %one : i64
      %r = func.call @length(%rest, %m) : (!lambda.data<@numbers>, i64) -> i64
      lambda.yield %r : i64
    }
    end() {
      lambda.yield %n : i64
    }
  }
  return %z : i64
}

// -----

// What is computed with arrays is a function of arrays; functions of arrays alone stay as they are.
// CHECK-LABEL: func.func @f.arrays.0(%{{.*}}: tensor<?xf64>) -> tensor<?xf64> attributes {lambda.kernel}
// CHECK:         math.sin
// CHECK-NEXT:    arith.mulf
// CHECK-LABEL: llvm.func internal @f.code
// CHECK:         llvm.call @f.arrays.0.sizes.packed
// CHECK:         llvm.call @f.arrays.0.packed
// CHECK-LABEL: func.func @alone(
func.func @f(%a: tensor<?xf64>, %n: i64) -> tensor<?xf64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ends = arith.cmpi eq, %n, %zero : i64
  %r = lambda.if %ends : i1 -> tensor<?xf64> {
    lambda.yield %a : tensor<?xf64>
  } else {
    %s = math.sin %a : tensor<?xf64>
    %p = arith.mulf %s, %a : tensor<?xf64>
    %m = arith.subi %n, %one : i64
    %q = func.call @f(%p, %m) : (tensor<?xf64>, i64) -> tensor<?xf64>
    lambda.yield %q : tensor<?xf64>
  }
  return %r : tensor<?xf64>
}
func.func @alone(%a: tensor<?xf64>) -> tensor<?xf64> {
  %s = math.sin %a : tensor<?xf64>
  return %s : tensor<?xf64>
}
