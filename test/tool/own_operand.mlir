// MLIR 19's parser reads freed memory if a region defines an operand of its own op. Here it is an error with its
// location, before the text is parsed.
// RUN: split-file %s %t
// RUN: not mlopt %t/if.mlir 2>&1 | FileCheck %t/if.mlir
// RUN: not mlopt run %t/for.mlir --arg 1 2>&1 | FileCheck %t/for.mlir
// RUN: not mlopt explain %t/block.mlir 2>&1 | FileCheck %t/block.mlir
// RUN: not mlopt compile %t/nested.mlir --emit=llvm 2>&1 | FileCheck %t/nested.mlir
// RUN: not mlopt %t/end.mlir 2>&1 | FileCheck %t/end.mlir
// RUN: not mlopt %t/bound.mlir 2>&1 | FileCheck %t/bound.mlir
// RUN: mlopt %t/split.mlir --split-input-file --verify-diagnostics
// RUN: mlopt %t/valid.mlir --allow-unregistered-dialect | FileCheck %t/valid.mlir

//--- if.mlir
// CHECK: if.mlir:[[#@LINE+4]]:10: error: operand %c must be defined before this op, not in the op's region
// CHECK: if.mlir:[[#@LINE+4]]:5: note: defined here
// CHECK-NOT: error
func.func @choose() {
  scf.if %c {
    %c = arith.constant true
  }
  return
}

//--- for.mlir
// CHECK: for.mlir:[[#@LINE+5]]:27: error: operand %b must be defined before this op, not in the op's region
// CHECK: for.mlir:[[#@LINE+5]]:9: note: defined here
func.func @count(%n: index) -> index {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %r = scf.for %i = %z to %b#1 step %o iter_args(%s = %z) -> (index) { // %b in a comment, "}" too
    %a, %b:2 = "test.three"() : () -> (index, index, index)
    scf.yield %s : index
  }
  return %r : index
}

//--- block.mlir
// CHECK: block.mlir:[[#@LINE+3]]:10: error: operand %c must be defined before this op, not in the op's region
// CHECK: block.mlir:[[#@LINE+5]]:10: note: defined here
func.func @choose(%x: f64) {
  scf.if %c {
    scf.execute_region {
      cf.br ^bb1(%x : f64)
    ^bb1(%c : f64):
      scf.yield
    }
  }
  return
}

//--- nested.mlir
// CHECK: nested.mlir:[[#@LINE+3]]:10: error: operand %c must be defined before this op, not in the op's region
// CHECK: nested.mlir:[[#@LINE+5]]:7: note: defined here
func.func @choose(%d: i1) {
  scf.if %c {
  } else {
    scf.if %d {
      %c = arith.constant true
    }
  }
  return
}

//--- bound.mlir
// CHECK: bound.mlir:[[#@LINE+4]]:53: error: operand %c must be defined before this op, not in the op's region
// CHECK: bound.mlir:[[#@LINE+4]]:5: note: defined here
func.func @bound() {
  // ----- A comment does not end a part.
  affine.for %i = max affine_map<()[s] -> (s, 0)>()[%c] to 10 {
    %c = arith.constant 1 : index
  }
  return
}

//--- split.mlir
// The parts of a split file are independent.
func.func @incomplete(%n: index) {
  // expected-error @+1 {{expected operation name in quotes}}
  scf.if %c {
// -----
func.func @other() -> i1 {
  %c = arith.constant true
  return %c : i1
}
//--- end.mlir
// CHECK: end.mlir:[[#@LINE+1]]:10: error: expected '{' to begin a region
scf.if %d, %c:
//--- valid.mlir
// Names that are free again after a region, successors with operands, forward references, and braces in strings.
// CHECK-LABEL: func.func @names({{.*}}
func.func @names(%d: i1) attributes {test.text = "scf.if %c { %c = "} {
  cf.br ^bb2
^bb1:
  // CHECK: scf.if %[[C:.*]] {
  scf.if %c {
    %e = arith.constant true
  }
  // CHECK: "test.wrap"(%[[C]]) ({
  // CHECK-NEXT: %{{.*}} = arith.constant true
  "test.wrap"(%c) ({
    %f = arith.constant true
  }) : (i1) -> ()
  return
^bb2:
  // The arguments of the second region may have the names of those of the first.
  // CHECK: scf.while (%{{.*}} = %{{.*}}) : (i1) -> i1 {
  %w = scf.while (%s = %d) : (i1) -> i1 {
    scf.condition(%s) %s : i1
  } do {
  ^bb0(%s : i1):
    scf.yield %s : i1
  }
  scf.if %d {
    %e = arith.constant false
  }
  // CHECK: %[[C]] = arith.constant true
  %c = arith.constant true
  cf.br ^bb1
}

llvm.func @personality(...) -> i32
llvm.func @called()
// CHECK-LABEL: llvm.func @unwound
llvm.func @unwound(%x: i32) -> i32 attributes {personality = @personality} {
  // CHECK: llvm.invoke @called({{.*}} unwind ^bb2(
  llvm.invoke @called() to ^bb1 unwind ^bb2(%x : i32) : () -> ()
^bb1:
  llvm.return %x : i32
^bb2(%u: i32):
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %u : i32
}
