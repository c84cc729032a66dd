// RUN: mlopt %s | FileCheck %s
// The function that compiled code calls to allocate an array whose size depends on data (`heap.rs`).
// CHECK: llvm.func internal @mlopt.reserve(

llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr attributes {passthrough = ["nounwind"]}
llvm.func @free(!llvm.ptr) attributes {passthrough = ["nounwind"]}
llvm.func internal @mlopt.reserve(%slot: !llvm.ptr, %bytes: i64) -> !llvm.ptr attributes {passthrough = ["nounwind"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %alignment = llvm.mlir.constant(64 : i64) : i64
  %second = llvm.getelementptr %slot[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %had = llvm.load %second : !llvm.ptr -> i64
  %old = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %enough = llvm.icmp "ule" %bytes, %had : i64
  llvm.cond_br %enough, ^again, ^more
^again:
  llvm.return %old : !llvm.ptr
^more:
  llvm.call @free(%old) : (!llvm.ptr) -> ()
  %new = llvm.call @aligned_alloc(%alignment, %bytes) : (i64, i64) -> !llvm.ptr
  %none = llvm.icmp "eq" %new, %null : !llvm.ptr
  %has = llvm.select %none, %zero, %bytes : i1, i64
  llvm.store %new, %slot : !llvm.ptr, !llvm.ptr
  llvm.store %has, %second : i64, !llvm.ptr
  llvm.return %new : !llvm.ptr
}
