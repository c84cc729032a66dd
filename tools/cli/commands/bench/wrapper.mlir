llvm.func @"$raw$.sizes"($ask$)
llvm.func @"$raw$"($call$)
llvm.mlir.global internal @"$symbol$.scratch"() : !llvm.ptr {
  %z = llvm.mlir.zero : !llvm.ptr
  llvm.return %z : !llvm.ptr
}
llvm.mlir.global internal @"$symbol$.room"() : i64 {
  %z = llvm.mlir.constant(0 : i64) : i64
  llvm.return %z : i64
}
llvm.func internal @"$symbol$"(%dims: !llvm.ptr, %in: !llvm.ptr, %out: !llvm.ptr) {
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c64 = llvm.mlir.constant(64 : i64) : i64
  %words = llvm.mlir.constant($words$ : i64) : i64
  %answer = llvm.alloca %words x i64 : (i64) -> !llvm.ptr
$loads$$sizes$  llvm.call @"$raw$.sizes"($known$) : ($ask$) -> ()
  %status = llvm.load %answer : !llvm.ptr -> i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %failed = llvm.icmp "ne" %status, %zero : i64
  llvm.cond_br %failed, ^failed, ^sized
^failed:
  "llvm.intr.trap"() : () -> ()
  llvm.unreachable
^sized:
$answers$  %room_at = llvm.mlir.addressof @"$symbol$.room" : !llvm.ptr
  %scratch_at = llvm.mlir.addressof @"$symbol$.scratch" : !llvm.ptr
  %room = llvm.load %room_at : !llvm.ptr -> i64
  %short = llvm.icmp "slt" %room, %a0 : i64
  llvm.cond_br %short, ^grow, ^call
^grow:
  %old = llvm.load %scratch_at : !llvm.ptr -> !llvm.ptr
  llvm.call @free(%old) : (!llvm.ptr) -> ()
  %blocks = llvm.udiv %a0, %c64 : i64
  %enough = llvm.add %blocks, %c1 : i64
  %bytes = llvm.mul %enough, %c64 : i64
  %new = llvm.call @aligned_alloc(%c64, %bytes) : (i64, i64) -> !llvm.ptr
  llvm.store %new, %scratch_at : !llvm.ptr, !llvm.ptr
  llvm.store %bytes, %room_at : i64, !llvm.ptr
  llvm.br ^call
^call:
  %scratch = llvm.load %scratch_at : !llvm.ptr -> !llvm.ptr
  llvm.call @"$raw$"($arguments$) : ($call$) -> ()
  llvm.return
}
