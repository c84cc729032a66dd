// RUN: mlopt %s --loops-to-llvm | FileCheck %s --implicit-check-not=f16
// Numbers of f16 and bf16 are integers of 16 bits in compiled code, and conversions are integer arithmetic, so that no
// function of the C library is called.

// CHECK-LABEL: llvm.func @extended(
// CHECK:         %[[H:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK:         %[[W:.*]] = llvm.zext %[[H]] : i16 to i32
// CHECK:         %[[S:.*]] = llvm.shl %[[W]], %{{.*}} : i32
// CHECK:         %[[F:.*]] = llvm.bitcast %[[S]] : i32 to f32
// CHECK:         llvm.store %[[F]], %{{.*}} : f32, !llvm.ptr
func.func @extended(%x: memref<?xbf16>, %z: memref<?xf32>) {
  %i = arith.constant 3 : index
  %v = memref.load %x[%i] : memref<?xbf16>
  %w = arith.extf %v : bf16 to f32
  memref.store %w, %z[%i] : memref<?xf32>
  return
}

// A half of the last place is added, less one unless the last bit is set; NaN stays NaN.
// CHECK-LABEL: llvm.func @truncated(
// CHECK:         %[[F:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK:         %[[B:.*]] = llvm.bitcast %[[F]] : f32 to i32
// CHECK:         llvm.lshr %[[B]], %{{.*}} : i32
// CHECK:         llvm.icmp "uge" %{{.*}}, %{{.*}} : i32
// CHECK:         %[[N:.*]] = llvm.select
// CHECK:         llvm.lshr %[[N]]
// CHECK:         %[[H:.*]] = llvm.trunc %{{.*}} : i32 to i16
// CHECK:         llvm.store %[[H]], %{{.*}} : i16, !llvm.ptr
func.func @truncated(%x: memref<?xf32>, %z: memref<?xbf16>) {
  %i = arith.constant 3 : index
  %v = memref.load %x[%i] : memref<?xf32>
  %w = arith.truncf %v : f32 to bf16
  memref.store %w, %z[%i] : memref<?xbf16>
  return
}

// Vectors too; a bit cast to an integer is nothing; constants are their bits.
// CHECK-LABEL: llvm.func @vectors(
// CHECK:         llvm.mlir.constant(dense<15360> : vector<8xi16>) : vector<8xi16>
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> vector<8xi16>
// CHECK:         llvm.zext %{{.*}} : vector<8xi16> to vector<8xi32>
// CHECK:         llvm.fsub %{{.*}}, %{{.*}} : vector<8xf32>
// CHECK:         llvm.store %{{.*}}, %{{.*}} : vector<8xi16>, !llvm.ptr
func.func @vectors(%x: memref<?xf16>, %z: memref<?xf64>, %y: memref<?xf16>, %n: memref<?xi16>) {
  %i = arith.constant 3 : index
  %one = arith.constant dense<1.0> : vector<8xf16>
  %v = vector.load %x[%i] : memref<?xf16>, vector<8xf16>
  %w = arith.extf %v : vector<8xf16> to vector<8xf64>
  vector.store %w, %z[%i] : memref<?xf64>, vector<8xf64>
  %b = arith.bitcast %v : vector<8xf16> to vector<8xi16>
  vector.store %b, %n[%i] : memref<?xi16>, vector<8xi16>
  vector.store %one, %y[%i] : memref<?xf16>, vector<8xf16>
  return
}
