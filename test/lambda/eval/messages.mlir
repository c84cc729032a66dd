// RUN: mlopt run %s --entry @sent --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --entry @sent | FileCheck %s --check-prefix=BOTH
// RUN: sed 's/buffer = 0/buffer = 1/' %s | mlopt run - --entry @sent --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=BOTH
// RUN: sed 's/buffer = 0/buffer = 1/' %s | mlopt run - --entry @sent | FileCheck %s --check-prefix=BOTH
// RUN: sed 's/buffer = 0/buffer = 5/' %s | mlopt run - --entry @sent --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=BOTH
// RUN: sed 's/buffer = 0/buffer = 5/' %s | mlopt run - --entry @sent | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --entry @own --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --entry @own | FileCheck %s --check-prefix=BOTH
// RUN: not mlopt run %s --entry @own_full --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: mlopt run %s --entry @doubled --interpret --pass-pipeline='builtin.module()' --arg '[1, 2, 3]' | FileCheck %s --check-prefix=DOUBLED
// RUN: mlopt run %s --entry @doubled --arg '[1, 2, 3]' | FileCheck %s --check-prefix=DOUBLED
// RUN: mlopt run %s --entry @many --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=MANY
// RUN: mlopt run %s --entry @many | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 1/' %s | mlopt run - --entry @many --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 1/' %s | mlopt run - --entry @many | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 2/' %s | mlopt run - --entry @many --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 2/' %s | mlopt run - --entry @many | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 3/' %s | mlopt run - --entry @many --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 3/' %s | mlopt run - --entry @many | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 4/' %s | mlopt run - --entry @many --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=MANY
// RUN: sed 's/buffer = 0/buffer = 4/' %s | mlopt run - --entry @many | FileCheck %s --check-prefix=MANY
// RUN: mlopt run %s --entry @after --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=AFTER
// RUN: mlopt run %s --entry @after | FileCheck %s --check-prefix=AFTER
// RUN: not mlopt run %s --entry @alone --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not mlopt run %s --entry @cross --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=CROSS
// RUN: mlopt run %s --entry @left --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=BOTH
// RUN: mlopt run %s --entry @left | FileCheck %s --check-prefix=BOTH
// RUN: not mlopt run %s --entry @too_few --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=TOO-FEW
// RUN: not mlopt run %s --entry @late --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not mlopt run %s --entry @closed --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=CLOSED
// RUN: mlopt run %s --entry @joined --interpret --pass-pipeline='builtin.module()' | FileCheck %s --check-prefix=JOINED
// RUN: mlopt run %s --entry @joined | FileCheck %s --check-prefix=JOINED
// RUN: not mlopt run %s --entry @joined_error --interpret --pass-pipeline='builtin.module()' 2>&1 | FileCheck %s --check-prefix=JOINED-ERROR
// Tasks and the messages between them: channels keep the order, a deadlock names the
// tasks that wait, and an error in a task fails the program that joins it.
// The evaluator runs each program as it is written, without a pass; compiled code computes the same.

!c = !lambda.chan<f64>
!t = !lambda.token
!v = tuple<f64, !t>
!a = tensor<3xf64>
!ca = !lambda.chan<!a>
!va = tuple<!a, !t>
!w = tuple<!ca, !t>
!h = tuple<!lambda.task<!t>, !t>
!l = !lambda.list<f64>

// Messages arrive in order, for any buffer size.
// BOTH: {{^}}(1.0, 2.0){{$}}
func.func @sent() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 0} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %go = lambda.lambda (%s: !t, %k: !c) -> !t {
    %s1 = lambda.send %s, %k, %one : (!t, !c, f64) -> !t
    %s2 = lambda.send %s1, %k, %two : (!t, !c, f64) -> !t
    lambda.return %s2 : !t
  }
  %h = lambda.spawn %t0, %go, %c {device = "cpu:1"} : (!t, (!t, !c) -> !t, !c) -> tuple<!lambda.task<!t>, !t>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// A buffer that is not full does not block the only task; a full one does.
func.func @own() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 2} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
  %t1 = lambda.send %s1, %c, %two : (!t, !c, f64) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// FULL: eval/messages.mlir:[[#@LINE+9]]:9: error: 'lambda.send' op deadlock: 
func.func @own_full() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 1} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
  %t1 = lambda.send %s1, %c, %two : (!t, !c, f64) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// Two tasks in sequence (`M.double_then_double`).
// DOUBLED: {{^}}[ 4. 8. 12.]{{$}}
func.func @doubled(%x: !a) -> !a {
  %t = lambda.token : () -> !t
  %ct = lambda.channel %t {buffer = 10, dest = "cpu:1"} : (!t) -> !w
  %c = lambda.get %ct[0] : (!w) -> !ca
  %t0 = lambda.get %ct[1] : (!w) -> !t
  %rt = lambda.channel %t0 : (!t) -> !w
  %r = lambda.get %rt[0] : (!w) -> !ca
  %t1 = lambda.get %rt[1] : (!w) -> !t
  %first = lambda.lambda (%s: !t, %k: !ca, %y: !a) -> !t {
    %z = arith.addf %y, %y : !a
    %s1 = lambda.send %s, %k, %z : (!t, !ca, !a) -> !t
    lambda.return %s1 : !t
  }
  %second = lambda.lambda (%s: !t, %k: !ca, %l: !ca) -> !t {
    %m = lambda.recv %s, %k : (!t, !ca) -> !va
    %y = lambda.get %m[0] : (!va) -> !a
    %s1 = lambda.get %m[1] : (!va) -> !t
    %z = arith.addf %y, %y : !a
    %s2 = lambda.send %s1, %l, %z : (!t, !ca, !a) -> !t
    lambda.return %s2 : !t
  }
  %h = lambda.spawn %t1, %first, %c, %x {device = "cpu:0"} : (!t, (!t, !ca, !a) -> !t, !ca, !a) -> !h
  %t2 = lambda.get %h[1] : (!h) -> !t
  %i = lambda.spawn %t2, %second, %c, %r {device = "cpu:1"} : (!t, (!t, !ca, !ca) -> !t, !ca, !ca) -> !h
  %t3 = lambda.get %i[1] : (!h) -> !t
  %m = lambda.recv %t3, %r : (!t, !ca) -> !va
  %y = lambda.get %m[0] : (!va) -> !a
  return %y : !a
}

// Values in the channel are received before those of a task that waits to send.
// MANY: {{^}}(1234.0, 1234.0){{$}}
func.func @many() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 0} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %three = arith.constant 3.0 : f64
  %four = arith.constant 4.0 : f64
  %go = lambda.lambda (%s: !t, %k: !c) -> !t {
    %s1 = lambda.send %s, %k, %one : (!t, !c, f64) -> !t
    %s2 = lambda.send %s1, %k, %two : (!t, !c, f64) -> !t
    %s3 = lambda.send %s2, %k, %three : (!t, !c, f64) -> !t
    %s4 = lambda.send %s3, %k, %four : (!t, !c, f64) -> !t
    lambda.return %s4 : !t
  }
  %h = lambda.spawn %t0, %go, %c {device = "cpu:1"} : (!t, (!t, !c) -> !t, !c) -> tuple<!lambda.task<!t>, !t>
  %n = arith.constant 4 : i64
  %zero = arith.constant 0.0 : f64
  %ten = arith.constant 10.0 : f64
  %th = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
  %sum, %t1 = lambda.for (%i < %n) iter_args(%a = %zero, %s = %th) : (i64, f64, !t) -> (f64, !t) {
    %m = lambda.recv %s, %c : (!t, !c) -> !v
    %x = lambda.get %m[0] : (!v) -> f64
    %s1 = lambda.get %m[1] : (!v) -> !t
    %b = arith.mulf %a, %ten : f64
    %d = arith.addf %b, %x : f64
    lambda.yield %d, %s1 : f64, !t
  }
  %r = lambda.tuple %sum, %sum : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// Messages are allowed after a derivative, and in a task that computes none.
// AFTER: {{^}}(2.0, 4.0){{$}}
func.func @after() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 2} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %g = lambda.lambda (%x: f64) -> f64 {
    %y = arith.mulf %x, %x : f64
    lambda.return %y : f64
  }
  %d = lambda.grad %g : ((f64) -> f64) -> ((f64) -> f64)
  %e = lambda.apply %d(%one) : (f64) -> f64
  %w = lambda.vjp %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> f64>)
  %u = lambda.apply %w(%one) : (f64) -> tuple<f64, (f64) -> f64>
  %j = lambda.jvp %g : ((f64) -> f64) -> ((f64, f64) -> tuple<f64, f64>)
  %k = lambda.apply %j(%one, %e) : (f64, f64) -> tuple<f64, f64>
  %p = lambda.J %g : ((f64) -> f64) -> ((f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>)
  %q = lambda.apply %p(%one) : (f64) -> tuple<f64, (f64) -> tuple<!lambda.env, f64>>
  %k1 = lambda.get %k[1] : (tuple<f64, f64>) -> f64
  %s1 = lambda.send %t0, %c, %e : (!t, !c, f64) -> !t
  %t1 = lambda.send %s1, %c, %k1 : (!t, !c, f64) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// ALONE: error: {{.*}}op deadlock: {{.*}}the program waits in 'lambda.recv' at {{.*}}eval/messages.mlir:[[#@LINE+9]]:8 for channel 0 ({{.*}}eval/messages.mlir:[[#@LINE+5]]:9)
func.func @alone() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 0} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %t1 = lambda.join_tokens %t0 : (!t) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// Two tasks that wait for each other.
// CROSS: error: {{.*}}op deadlock: {{.*}}the program waits in 'lambda.recv' at {{.*}}eval/messages.mlir:[[#@LINE+17]]:{{.*}}task 1 ({{.*}}eval/messages.mlir:[[#@LINE+15]]:8) waits in 'lambda.recv' at {{.*}}eval/messages.mlir:[[#@LINE+11]]
func.func @cross() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 0} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %dt = lambda.channel %t0 : (!t) -> tuple<!c, !t>
  %d = lambda.get %dt[0] : (tuple<!c, !t>) -> !c
  %go = lambda.lambda (%s: !t, %k: !c, %l: !c) -> !t {
    %m = lambda.recv %s, %k : (!t, !c) -> !v
    %s1 = lambda.send %s, %l, %one : (!t, !c, f64) -> !t
    lambda.return %s1 : !t
  }
  %h = lambda.spawn %t0, %go, %c, %d {device = "cpu:0"} : (!t, (!t, !c, !c) -> !t, !c, !c) -> tuple<!lambda.task<!t>, !t>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
  %m = lambda.recv %t1, %d : (!t, !c) -> !v
  %x = lambda.get %m[0] : (!v) -> f64
  %r = lambda.tuple %x, %x : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// The remaining values of a closed channel can be received.
func.func @left() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 2} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
  %s2 = lambda.send %s1, %c, %two : (!t, !c, f64) -> !t
  %t1 = lambda.close %s2, %c : (!t, !c) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// TOO-FEW: eval/messages.mlir:[[#@LINE+13]]:8: error: 'lambda.recv' op closed-channel: 
func.func @too_few() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 2} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %s1 = lambda.send %t0, %c, %one : (!t, !c, f64) -> !t
  %t1 = lambda.close %s1, %c : (!t, !c) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// `M.send_on_closed`.
// LATE: eval/messages.mlir:[[#@LINE+9]]:9: error: 'lambda.send' op closed-channel: 
func.func @late() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 1} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %s1 = lambda.close %t0, %c : (!t, !c) -> !t
  %t1 = lambda.send %s1, %c, %one : (!t, !c, f64) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// A task that waits on a channel that is closed fails, and so does the program.
// CLOSED: eval/messages.mlir:[[#@LINE+14]]:8: error: 'lambda.recv' op closed-channel: 
func.func @closed() -> tuple<f64, f64> {
  %t = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %ct = lambda.channel %t {buffer = 0} : (!t) -> tuple<!c, !t>
  %c = lambda.get %ct[0] : (tuple<!c, !t>) -> !c
  %t0 = lambda.get %ct[1] : (tuple<!c, !t>) -> !t
  %go = lambda.lambda (%s: !t, %k: !c) -> !t {
    %s1 = lambda.close %s, %k : (!t, !c) -> !t
    lambda.return %s1 : !t
  }
  %h = lambda.spawn %t0, %go, %c {device = "cpu:1"} : (!t, (!t, !c) -> !t, !c) -> tuple<!lambda.task<!t>, !t>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<!t>, !t>) -> !t
  %a = lambda.recv %t1, %c : (!t, !c) -> !v
  %x = lambda.get %a[0] : (!v) -> f64
  %t2 = lambda.get %a[1] : (!v) -> !t
  %b = lambda.recv %t2, %c : (!t, !c) -> !v
  %y = lambda.get %b[0] : (!v) -> f64
  %r = lambda.tuple %x, %y : (f64, f64) -> tuple<f64, f64>
  return %r : tuple<f64, f64>
}

// Tasks are joined, and their errors with them.
// JOINED: {{^}}2.0{{$}}
func.func @joined() -> f64 {
  %t0 = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %nil = lambda.nil : () -> !l
  %l = lambda.cons %one, %nil : (f64, !l) -> !l
  %go = lambda.lambda (%s: !t, %x: f64) -> f64 {
    %h = lambda.head %l : (!l) -> f64
    %y = arith.addf %h, %x : f64
    lambda.return %y : f64
  }
  %h = lambda.spawn %t0, %go, %one {device = "cpu:1"} : (!t, (!t, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !t>
  %task = lambda.get %h[0] : (tuple<!lambda.task<f64>, !t>) -> !lambda.task<f64>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<f64>, !t>) -> !t
  %j = lambda.join %t1, %task : (!t, !lambda.task<f64>) -> tuple<f64, !t>
  %y = lambda.get %j[0] : (tuple<f64, !t>) -> f64
  return %y : f64
}

// JOINED-ERROR: eval/messages.mlir:[[#@LINE+7]]:10: error: 'lambda.head' op empty-list: 
func.func @joined_error() -> f64 {
  %t0 = lambda.token : () -> !t
  %one = arith.constant 1.0 : f64
  %nil = lambda.nil : () -> !l
  %l = lambda.cons %one, %nil : (f64, !l) -> !l
  %go = lambda.lambda (%s: !t, %x: f64) -> f64 {
    %h = lambda.head %nil : (!l) -> f64
    %y = arith.addf %h, %x : f64
    lambda.return %y : f64
  }
  %h = lambda.spawn %t0, %go, %one {device = "cpu:1"} : (!t, (!t, f64) -> f64, f64) -> tuple<!lambda.task<f64>, !t>
  %task = lambda.get %h[0] : (tuple<!lambda.task<f64>, !t>) -> !lambda.task<f64>
  %t1 = lambda.get %h[1] : (tuple<!lambda.task<f64>, !t>) -> !t
  %j = lambda.join %t1, %task : (!t, !lambda.task<f64>) -> tuple<f64, !t>
  %y = lambda.get %j[0] : (tuple<f64, !t>) -> f64
  return %y : f64
}
