// RUN: mlopt %s | FileCheck %s
// The functions that entry points for C call: they begin and end a context of 384 bytes (`lambda_to_llvm/memory.rs`),
// and determine the stack limit once per thread. The first chunk of memory has 65,536 bytes, and 262,144 bytes of the
// stack are reserved for code that does not check the limit.
// CHECK: llvm.func internal @mlopt.begin(
// CHECK: llvm.func internal @mlopt.end(
// CHECK: llvm.func internal @mlopt.stack_limit(

llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr attributes {passthrough = ["nounwind"]}
llvm.func @malloc(i64) -> !llvm.ptr attributes {passthrough = ["nounwind"]}
llvm.func @free(!llvm.ptr) attributes {passthrough = ["nounwind"]}
llvm.func @pthread_self() -> i64
llvm.func @pthread_getattr_np(i64, !llvm.ptr) -> i32
llvm.func @pthread_attr_getstack(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
llvm.func @pthread_attr_getguardsize(!llvm.ptr, !llvm.ptr) -> i32
llvm.func @pthread_attr_destroy(!llvm.ptr) -> i32
llvm.mlir.global internal thread_local @mlopt.stack_end(0 : i64) {addr_space = 0 : i32} : i64
llvm.func internal @mlopt.begin(%context: !llvm.ptr) attributes {passthrough = ["nounwind"]} {
  %zero = llvm.mlir.constant(0 : i8) : i8
  %size = llvm.mlir.constant(384 : i64) : i64
  "llvm.intr.memset"(%context, %zero, %size) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %first = llvm.mlir.constant(65536 : i64) : i64
  %a = llvm.getelementptr %context[3] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %first, %a : i64, !llvm.ptr
  %limit = llvm.call @mlopt.stack_limit() : () -> i64
  %b = llvm.getelementptr %context[4] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %limit, %b : i64, !llvm.ptr
  llvm.return
}
llvm.func internal @mlopt.end(%context: !llvm.ptr) attributes {passthrough = ["nounwind"]} {
  %null = llvm.mlir.zero : !llvm.ptr
  %a = llvm.getelementptr %context[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %last = llvm.load %a : !llvm.ptr -> !llvm.ptr
  llvm.br ^next(%last : !llvm.ptr)
^next(%chunk: !llvm.ptr):
  %ends = llvm.icmp "eq" %chunk, %null : !llvm.ptr
  llvm.cond_br %ends, ^done, ^free
^free:
  %before = llvm.load %chunk : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%chunk) : (!llvm.ptr) -> ()
  llvm.br ^next(%before : !llvm.ptr)
^done:
  llvm.return
}
llvm.func internal @mlopt.stack_limit() -> i64 attributes {passthrough = ["nounwind"]} {
  %known = llvm.mlir.addressof @mlopt.stack_end : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i64) : i64
  %none = llvm.mlir.constant(0 : i32) : i32
  %end = llvm.load %known : !llvm.ptr -> i64
  %asked = llvm.icmp "ne" %end, %zero : i64
  llvm.cond_br %asked, ^known, ^ask
^known:
  llvm.return %end : i64
^ask:
  %words = llvm.mlir.constant(32 : i64) : i64
  %three = llvm.mlir.constant(3 : i64) : i64
  %about = llvm.alloca %words x i64 : (i64) -> !llvm.ptr
  %said = llvm.alloca %three x i64 : (i64) -> !llvm.ptr
  %size = llvm.getelementptr %said[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %guard = llvm.getelementptr %said[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %zero, %said : i64, !llvm.ptr
  llvm.store %zero, %guard : i64, !llvm.ptr
  %self = llvm.call @pthread_self() : () -> i64
  %status = llvm.call @pthread_getattr_np(%self, %about) : (i64, !llvm.ptr) -> i32
  %failed = llvm.icmp "ne" %status, %none : i32
  llvm.cond_br %failed, ^unknown, ^told
^unknown:
  llvm.return %zero : i64
^told:
  %r = llvm.call @pthread_attr_getstack(%about, %said, %size) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
  %s = llvm.call @pthread_attr_getguardsize(%about, %guard) : (!llvm.ptr, !llvm.ptr) -> i32
  %t = llvm.call @pthread_attr_destroy(%about) : (!llvm.ptr) -> i32
  %lowest = llvm.load %said : !llvm.ptr -> i64
  %page = llvm.load %guard : !llvm.ptr -> i64
  %kept = llvm.mlir.constant(262144 : i64) : i64
  %above = llvm.add %lowest, %page : i64
  %limit = llvm.add %above, %kept : i64
  llvm.store %limit, %known : i64, !llvm.ptr
  llvm.return %limit : i64
}
