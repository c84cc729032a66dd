// RUN: mlopt %s --lambda-to-llvm --split-input-file | FileCheck %s
// RUN: mlopt %s --lambda-to-llvm --array-to-sweeps --plan-memory --sweeps-to-loops --loops-to-llvm --split-input-file | FileCheck %s --check-prefix=CODE

// Variants without fields are numbers; other variants are cells that contain the number of the variant and its fields.
// CHECK-LABEL: llvm.func internal @f.code
// CHECK:         %[[THREE:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK-NEXT:    %[[END:.*]] = llvm.inttoptr %[[THREE]]
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(24 : i64) : i64
// CHECK-NEXT:    llvm.call @mlopt.new(%{{.*}}, %[[BYTES]])
// The entry point: the parts of arguments and results are words, and errors are caught here.
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
// CODE-SAME:     %[[ARGUMENTS:.*]]: !llvm.ptr, %[[RESULTS:.*]]: !llvm.ptr, %[[CONTEXT:.*]]: !llvm.ptr) -> i64
// CODE:          %[[AT:.*]] = llvm.getelementptr %[[ARGUMENTS]][0]
// CODE-NEXT:     %[[X:.*]] = llvm.load %[[AT]] : !llvm.ptr -> f64
// CODE-NEXT:     %[[N:.*]] = llvm.call @f.code(%[[CONTEXT]], %[[X]])
// CODE-NEXT:     %[[TO:.*]] = llvm.getelementptr %[[RESULTS]][0]
// CODE-NEXT:     llvm.store %[[N]], %[[TO]] : i64, !llvm.ptr
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

// Computations on arrays become a function of arrays; functions that use arrays only are unchanged.
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

// -----

// Channels and tasks are numbers; a message is a sequence of words; each op that may wait has its location, and the task ends on request.
// CHECK:       module attributes {lambda.sites = {{.*}}lambda_to_llvm.mlir{{.*}}:{{[0-9]+}}:{{[0-9]+}}", "lambda.channel", () -> ()],
// CHECK-SAME:    "lambda.read", () -> f64]
// CHECK-SAME:    "lambda.print", (f64, tuple<i64, none>) -> ()]
// CHECK:         llvm.func @mlopt.spawn(!llvm.ptr, i64, !llvm.ptr, i64, i64, !llvm.ptr) -> i64
// CHECK-NOT:     @mlopt.close
// CHECK-LABEL: llvm.func internal @f.code
// CHECK:         %[[SITE:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK-NEXT:    %[[WIDTH:.*]] = llvm.mlir.constant(2 : i64) : i64
// CHECK-NEXT:    %[[BUFFER:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK-NEXT:    %[[STATUS:.*]] = llvm.call @mlopt.channel(%[[CONTEXT:[^ ]*]], %[[SITE]], %[[WIDTH]], %[[BUFFER]], %{{[^ ]*}})
// CHECK:         %[[FINE:.*]] = arith.cmpi eq, %[[STATUS]]
// CHECK-NEXT:    llvm.cond_br %[[FINE]] weights([2000, 1]), ^[[REST:.*]], ^[[STOP:.*]]
// CHECK:       ^[[REST]]:
// CHECK:         %[[CHANNEL:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i64
// CHECK:         llvm.store %[[CHANNEL]]
// CHECK:         %[[WAY_IN:.*]] = llvm.mlir.addressof @work.task
// CHECK:         llvm.call @mlopt.spawn(%[[CONTEXT]], %{{.*}}, %[[WAY_IN]]
// CHECK:       ^[[STOP]]:
// CHECK-NEXT:    %[[ENDED:.*]] = llvm.mlir.constant(-2 : i64) : i64
// CHECK-NEXT:    llvm.call @mlopt.stop(%[[CONTEXT]], %[[ENDED]])
// CHECK:         llvm.call @mlopt.recv(%[[CONTEXT]], %{{.*}}, %[[CHANNEL]], %{{.*}})
// CHECK:       llvm.func @f.entry(
// CHECK-LABEL: llvm.func internal @work.code
// CHECK:         llvm.call @mlopt.send
// CHECK-LABEL: llvm.func internal @work.task(
// CHECK-NOT:     lambda.entry
// CHECK:         llvm.call @_setjmp
// CHECK:         llvm.call @work.code
!t = !lambda.token
!v = tuple<f64, i64>
func.func @f() -> f64 {
  %t0 = lambda.token : () -> !t
  %c0 = lambda.channel %t0 {buffer = 3} : (!t) -> tuple<!lambda.chan<!v>, !t>
  %c = lambda.get %c0[0] : (tuple<!lambda.chan<!v>, !t>) -> !lambda.chan<!v>
  %t1 = lambda.get %c0[1] : (tuple<!lambda.chan<!v>, !t>) -> !t
  %s = lambda.spawn %t1, %c {callee = @work, device = "cpu:1"} : (!t, !lambda.chan<!v>) -> tuple<!lambda.task<tuple<none, !t>>, !t>
  %t2 = lambda.get %s[1] : (tuple<!lambda.task<tuple<none, !t>>, !t>) -> !t
  %r = lambda.recv %t2, %c : (!t, !lambda.chan<!v>) -> tuple<!v, !t>
  %v = lambda.get %r[0] : (tuple<!v, !t>) -> !v
  %x = lambda.get %v[0] : (!v) -> f64
  return %x : f64
}
func.func private @work(%t0: !t, %c: !lambda.chan<!v>) -> tuple<none, !t> {
  %k = arith.constant 7 : i64
  %u = lambda.unit
  %p = lambda.tuple %k, %u : (i64, none) -> tuple<i64, none>
  %r = lambda.read %t0 : (!t) -> tuple<f64, !t>
  %x = lambda.get %r[0] : (tuple<f64, !t>) -> f64
  %t1 = lambda.get %r[1] : (tuple<f64, !t>) -> !t
  %t2 = lambda.print %t1, %x, %p : (!t, f64, tuple<i64, none>) -> !t
  %v = lambda.tuple %x, %k : (f64, i64) -> !v
  %t3 = lambda.send %t2, %c, %v : (!t, !lambda.chan<!v>, !v) -> !t
  %e = lambda.tuple %u, %t3 : (none, !t) -> tuple<none, !t>
  return %e : tuple<none, !t>
}

// -----

// A check that fails stops the program with the number of its message, which the module contains.
// CHECK:       module attributes {lambda.stops = {{\[\[}}"{{.*}}", "assertion: a list of numbers"]]}
// CHECK-LABEL: llvm.func internal @checked.code(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[L:.*]]: !llvm.ptr, %[[OK:.*]]: i1) -> !llvm.ptr
// CHECK-NEXT:    llvm.cond_br %[[OK]] weights([2000, 1]), ^[[GO:.*]], ^[[STOP:.*]]
// CHECK:       ^[[GO]]:
// CHECK-NEXT:    llvm.return %[[L]]
// CHECK:       ^[[STOP]]:
// CHECK-NEXT:    %[[NUMBER:.*]] = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:    llvm.call @mlopt.stop(%[[CONTEXT]], %[[NUMBER]])
// CHECK-NEXT:    llvm.unreachable
// CODE-LABEL:  llvm.func internal @checked.code
// CODE:          llvm.call @mlopt.stop
lambda.data @numbers {more(f64, !lambda.data<@numbers>), end()}
func.func @checked(%l: !lambda.data<@numbers>, %ok: i1) -> !lambda.data<@numbers> {
  %m = lambda.check %ok, %l {code = "assertion", text = "a list of numbers"} : (i1, !lambda.data<@numbers>) -> !lambda.data<@numbers>
  return %m : !lambda.data<@numbers>
}
