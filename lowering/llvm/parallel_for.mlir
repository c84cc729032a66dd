// RUN: mlopt %s | FileCheck %s
// The default of the function that executes the chunks of a parallel loop: one after the other, on the calling thread.
// CHECK: llvm.func weak @mlopt_parallel_for(
llvm.func weak @mlopt_parallel_for(%body: !llvm.ptr, %context: !llvm.ptr, %chunks: i64) attributes {passthrough = ["nounwind"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%k: i64):
  %more = llvm.icmp "slt" %k, %chunks : i64
  llvm.cond_br %more, ^chunk, ^end
^chunk:
  llvm.call %body(%context, %k) : !llvm.ptr, (!llvm.ptr, i64) -> ()
  %next = llvm.add %k, %one : i64
  llvm.br ^head(%next : i64)
^end:
  llvm.return
}
