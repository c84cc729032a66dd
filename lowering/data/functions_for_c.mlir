// RUN: mlopt %s --functions-for-c | FileCheck %s

// A function of data for programs in C: the context is created, sizes and elements of arrays are copied contiguously, results are
// written to the memory of the caller or to new memory, and all other memory is freed.
// CHECK:         llvm.func @f(%[[X:.*]]: !llvm.ptr, %[[A:.*]]: !llvm.ptr, %[[Y:.*]]: !llvm.ptr, %[[N:.*]]: i64, %[[M:.*]]: !llvm.ptr, %[[MESSAGE:.*]]: !llvm.ptr, %[[ROOM:.*]]: i64) -> i64
// CHECK-SAME:      lambda.for_c = (tuple<f64, tensor<?xf64>>) -> tensor<?xf64>
// CHECK:         llvm.call @mlopt.begin(%[[CONTEXT:.*]]) : (!llvm.ptr) -> ()
// CHECK:         llvm.call @aligned_alloc(
// CHECK:         %[[STATUS:.*]] = llvm.call @f.entry(%{{.*}}, %{{.*}}, %[[CONTEXT]])
// CHECK:         %[[MEMORY:.*]] = llvm.call @malloc(
// CHECK:         llvm.store %[[MEMORY]], %{{.*}} : !llvm.ptr, !llvm.ptr
// CHECK:         llvm.call @mlopt.end(%[[CONTEXT]]) : (!llvm.ptr) -> ()
// CHECK:         llvm.call @mlopt.say(%[[CONTEXT]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         llvm.func internal @mlopt.say(
// CHECK:         llvm.switch %{{.*}} : i64, ^{{.*}} [
// CHECK-NEXT:      1: ^
// CHECK-NEXT:      2: ^[[KERNEL:.*]]
// CHECK:         ^[[KERNEL]]:
// CHECK-NEXT:      %[[OWN:.*]] = llvm.load
// CHECK-NEXT:      llvm.switch %[[OWN]] : i64, ^{{.*}} [
// CHECK-NEXT:      18446744073709551615: ^
// CHECK:         llvm.mlir.global internal constant @mlopt.text.2("f.lambda:3:4: index %lld of %lld\00")
// CHECK:         llvm.mlir.global internal constant @mlopt.text.1("f.lambda:1:2: index-out-of-bounds: 100%% of %lld\00")
// CHECK:         llvm.func internal @f.entry(
// CHECK:         llvm.func internal @f.arrays.0(
module attributes {lambda.stops = [["f.lambda:1:2", "index-out-of-bounds: 100% of {}"], ["", "@f.arrays.0"]]} {
  llvm.func @f.entry(%arguments: !llvm.ptr, %results: !llvm.ptr, %context: !llvm.ptr) -> i64
      attributes {lambda.entry = (tuple<f64, tensor<?xf64>>) -> tensor<?xf64>, lambda.name = "f"} {
    %zero = llvm.mlir.constant(0 : i64) : i64
    llvm.return %zero : i64
  }
  // A function of arrays that it calls may also stop with an error.
  llvm.func @f.arrays.0(%x: !llvm.ptr, %scratch: !llvm.ptr, %bytes: i64) -> i64
      attributes {lambda.kernel, sweep.traps = [["f.lambda:3:4", "index {} of {}"]]} {
    %status = llvm.mlir.constant(-1 : i64) : i64
    llvm.return %status : i64
  }
}
