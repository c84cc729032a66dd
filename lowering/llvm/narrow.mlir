// RUN: mlopt %s --loops-to-llvm | FileCheck %s
// An array of Booleans has one byte per element in memory; LLVM uses one bit per lane in vectors.

// CHECK-LABEL: llvm.func @masked(
// CHECK-NOT:     llvm.load {{.*}} -> vector<8xi1>
// CHECK:         %[[BYTES:.*]] = llvm.load %{{.*}} -> vector<8xi8>
// CHECK:         %[[MASK:.*]] = llvm.trunc %[[BYTES]] : vector<8xi8> to vector<8xi1>
// CHECK:         llvm.select %[[MASK]]
func.func @masked(%m: memref<?xi1>, %x: memref<?xf64>) {
  %i = arith.constant 3 : index
  %zeros = arith.constant dense<0.0> : vector<8xf64>
  %c = vector.load %m[%i] : memref<?xi1>, vector<8xi1>
  %v = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
  %s = arith.select %c, %v, %zeros : vector<8xi1>, vector<8xf64>
  vector.store %s, %x[%i] : memref<?xf64>, vector<8xf64>
  return
}

// CHECK-LABEL: llvm.func @compared(
// CHECK:         %[[LESS:.*]] = llvm.fcmp "olt"
// CHECK:         %[[BYTES:.*]] = llvm.zext %[[LESS]] : vector<8xi1> to vector<8xi8>
// CHECK:         llvm.store %[[BYTES]], %{{.*}} : vector<8xi8>, !llvm.ptr
func.func @compared(%m: memref<?xi1>, %x: memref<?xf64>) {
  %i = arith.constant 3 : index
  %zeros = arith.constant dense<0.0> : vector<8xf64>
  %v = vector.load %x[%i] : memref<?xf64>, vector<8xf64>
  %c = arith.cmpf olt, %v, %zeros : vector<8xf64>
  vector.store %c, %m[%i] : memref<?xi1>, vector<8xi1>
  return
}

// The mask of a masked read is not an element; the values of masked lanes are elements.
// CHECK-LABEL: llvm.func @partly(
// CHECK:         %[[ELSE:.*]] = llvm.zext %{{.*}} : vector<8xi1> to vector<8xi8>
// CHECK:         llvm.intr.masked.load %{{.*}}, %[[WHICH:.*]], %[[ELSE]] {{.*}} -> vector<8xi8>
// CHECK:         llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[WHICH]] {{.*}} : vector<8xi8>
func.func @partly(%m: memref<?xi1>, %which: memref<1xvector<8xi1>>) {
  %i = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %w = memref.load %which[%c0] : memref<1xvector<8xi1>>
  %c = vector.maskedload %m[%i], %w, %w : memref<?xi1>, vector<8xi1>, vector<8xi1> into vector<8xi1>
  vector.maskedstore %m[%c0], %w, %c : memref<?xi1>, vector<8xi1>, vector<8xi1>
  return
}
