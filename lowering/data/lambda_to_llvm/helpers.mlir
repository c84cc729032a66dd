// RUN: mlopt %s | FileCheck %s
// The functions that code with lists, trees and tasks calls to allocate cells and to stop. `memory.rs` describes the
// context, and adds these functions to programs.
// CHECK: llvm.func internal @mlopt.stop(
// CHECK: llvm.func internal @mlopt.new(
// CHECK: llvm.func internal @mlopt.back(
// CHECK: llvm.func internal @mlopt.less(
// CHECK: llvm.func internal @mlopt.more(

llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr attributes {passthrough = ["nounwind"]}
llvm.func @free(!llvm.ptr) attributes {passthrough = ["nounwind"]}
llvm.func @_setjmp(!llvm.ptr) -> i32 attributes {passthrough = ["nounwind", "returns_twice"]}
llvm.func @longjmp(!llvm.ptr, i32) attributes {passthrough = ["noreturn", "nounwind"]}
llvm.func internal @mlopt.stop(%context: !llvm.ptr, %status: i64)
    attributes {passthrough = ["cold", "noinline", "noreturn", "nounwind"]} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %place = llvm.getelementptr %context[5] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %status, %place : i64, !llvm.ptr
  %state = llvm.getelementptr %context[16] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.call @longjmp(%state, %one) : (!llvm.ptr, i32) -> ()
  llvm.unreachable
}
llvm.func internal @mlopt.new(%context: !llvm.ptr, %bytes: i64) -> !llvm.ptr attributes {passthrough = ["nounwind"]} {
  %next = llvm.load %context : !llvm.ptr -> !llvm.ptr
  %after = llvm.getelementptr %next[%bytes] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %second = llvm.getelementptr %context[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %end = llvm.load %second : !llvm.ptr -> !llvm.ptr
  %begins = llvm.ptrtoint %next : !llvm.ptr to i64
  %ends = llvm.ptrtoint %end : !llvm.ptr to i64
  %left = llvm.sub %ends, %begins : i64
  %fits = llvm.icmp "ule" %bytes, %left : i64
  llvm.cond_br %fits weights([2000, 1]), ^here, ^more
^here:
  llvm.store %after, %context : !llvm.ptr, !llvm.ptr
  llvm.return %next : !llvm.ptr
^more:
  %new = llvm.call @mlopt.more(%context, %bytes) : (!llvm.ptr, i64) -> !llvm.ptr
  llvm.return %new : !llvm.ptr
}
llvm.func internal @mlopt.back(%context: !llvm.ptr, %next: !llvm.ptr, %chunk: !llvm.ptr)
    attributes {passthrough = ["nounwind"]} {
  %third = llvm.getelementptr %context[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %now = llvm.load %third : !llvm.ptr -> !llvm.ptr
  %same = llvm.icmp "eq" %now, %chunk : !llvm.ptr
  llvm.cond_br %same weights([2000, 1]), ^here, ^more
^here:
  llvm.store %next, %context : !llvm.ptr, !llvm.ptr
  llvm.return
^more:
  llvm.call @mlopt.less(%context, %next, %chunk, %now) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
llvm.func internal @mlopt.less(%context: !llvm.ptr, %next: !llvm.ptr, %chunk: !llvm.ptr, %now: !llvm.ptr)
    attributes {passthrough = ["cold", "noinline", "nounwind"]} {
  %null = llvm.mlir.zero : !llvm.ptr
  %most = llvm.mlir.constant(67108864 : i64) : i64
  %second = llvm.getelementptr %context[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %third = llvm.getelementptr %context[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %before = llvm.load %now : !llvm.ptr -> !llvm.ptr
  llvm.br ^next(%before : !llvm.ptr)
^next(%this: !llvm.ptr):
  %last = llvm.icmp "eq" %this, %chunk : !llvm.ptr
  llvm.cond_br %last, ^done, ^free
^free:
  %link = llvm.load %this : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%this) : (!llvm.ptr) -> ()
  llvm.br ^next(%link : !llvm.ptr)
^done:
  %ends = llvm.load %second : !llvm.ptr -> !llvm.ptr
  %from = llvm.ptrtoint %now : !llvm.ptr to i64
  %to = llvm.ptrtoint %ends : !llvm.ptr to i64
  %size = llvm.sub %to, %from : i64
  %large = llvm.icmp "uge" %size, %most : i64
  %has = llvm.icmp "ne" %chunk, %null : !llvm.ptr
  %goes = llvm.and %large, %has : i1
  llvm.cond_br %goes, ^back, ^stay
^back:
  llvm.call @free(%now) : (!llvm.ptr) -> ()
  %word = llvm.getelementptr %chunk[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %end = llvm.load %word : !llvm.ptr -> !llvm.ptr
  llvm.store %next, %context : !llvm.ptr, !llvm.ptr
  llvm.store %end, %second : !llvm.ptr, !llvm.ptr
  llvm.store %chunk, %third : !llvm.ptr, !llvm.ptr
  llvm.return
^stay:
  llvm.store %chunk, %now : !llvm.ptr, !llvm.ptr
  %start = llvm.getelementptr %now[64] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.store %start, %context : !llvm.ptr, !llvm.ptr
  llvm.return
}
llvm.func internal @mlopt.more(%context: !llvm.ptr, %bytes: i64) -> !llvm.ptr
    attributes {passthrough = ["cold", "noinline", "nounwind"]} {
  %null = llvm.mlir.zero : !llvm.ptr
  %minus = llvm.mlir.constant(-1 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %line = llvm.mlir.constant(64 : i64) : i64
  %round = llvm.mlir.constant(127 : i64) : i64
  %mask = llvm.mlir.constant(-64 : i64) : i64
  %most = llvm.mlir.constant(67108864 : i64) : i64
  %large = llvm.mlir.constant(4611686018427387904 : i64) : i64
  %too = llvm.icmp "ugt" %bytes, %large : i64
  llvm.cond_br %too weights([1, 2000]), ^none, ^ask
^ask:
  %second = llvm.getelementptr %context[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %third = llvm.getelementptr %context[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %fourth = llvm.getelementptr %context[3] : (!llvm.ptr) -> !llvm.ptr, i64
  %usual = llvm.load %fourth : !llvm.ptr -> i64
  %padded = llvm.add %bytes, %round : i64
  %needed = llvm.and %padded, %mask : i64
  %size = llvm.intr.umax(%usual, %needed) : (i64, i64) -> i64
  %chunk = llvm.call @aligned_alloc(%line, %size) : (i64, i64) -> !llvm.ptr
  %failed = llvm.icmp "eq" %chunk, %null : !llvm.ptr
  llvm.cond_br %failed weights([1, 2000]), ^none, ^has
^none:
  llvm.call @mlopt.stop(%context, %minus) : (!llvm.ptr, i64) -> ()
  llvm.unreachable
^has:
  %old = llvm.load %third : !llvm.ptr -> !llvm.ptr
  llvm.store %old, %chunk : !llvm.ptr, !llvm.ptr
  llvm.store %chunk, %third : !llvm.ptr, !llvm.ptr
  %twice = llvm.shl %usual, %one : i64
  %then = llvm.intr.umin(%twice, %most) : (i64, i64) -> i64
  llvm.store %then, %fourth : i64, !llvm.ptr
  %start = llvm.getelementptr %chunk[64] : (!llvm.ptr) -> !llvm.ptr, i8
  %next = llvm.getelementptr %start[%bytes] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %end = llvm.getelementptr %chunk[%size] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  llvm.store %next, %context : !llvm.ptr, !llvm.ptr
  llvm.store %end, %second : !llvm.ptr, !llvm.ptr
  %word = llvm.getelementptr %chunk[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %end, %word : !llvm.ptr, !llvm.ptr
  llvm.return %start : !llvm.ptr
}
