// RUN: mlopt %s --loops-to-llvm --split-input-file --verify-diagnostics | FileCheck %s

// Buffers are raw pointers without aliases, followed by the sizes; the packed form loads both from arrays.
// CHECK-LABEL: llvm.func @copy(
// CHECK-SAME:    %{{[^:]*}}: !llvm.ptr {llvm.noalias, llvm.nocapture}, %{{[^:]*}}: !llvm.ptr {llvm.noalias, llvm.nocapture}, %{{[^:]*}}: i64, %{{[^:]*}}: i64)
// CHECK-LABEL: llvm.func @copy.packed(
// CHECK-SAME:    %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr)
// CHECK-COUNT-4: llvm.load
// CHECK:         llvm.call @copy(
func.func @copy(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %e = memref.load %x[%i] : memref<?xf64>
    memref.store %e, %y[%i] : memref<?xf64>
  }
  return
}

// -----

// A buffer of one element needs no descriptor, unless LLVM has another type for the element.
// CHECK-LABEL: llvm.func @scalars(
// CHECK-SAME:    %[[X:[^:]*]]: !llvm.ptr {{[^:]*}}, %[[Y:[^:]*]]: !llvm.ptr {{.*}}, %[[N:[^:]*]]: !llvm.ptr
// CHECK:         llvm.insertvalue %[[N]], %{{.*}}[0]
// CHECK-NOT:     llvm.insertvalue %{{.*}}, %{{.*}}[0]
// CHECK:         %[[E:.*]] = llvm.load %[[X]] : !llvm.ptr -> f64
// CHECK-NEXT:    llvm.store %[[E]], %[[Y]] : f64, !llvm.ptr
func.func @scalars(%x: memref<f64>, %y: memref<f64>, %n: memref<index>) {
  %e = memref.load %x[] : memref<f64>
  memref.store %e, %y[] : memref<f64>
  %i = arith.fptosi %e : f64 to i64
  %at = arith.index_cast %i : i64 to index
  memref.store %at, %n[] : memref<index>
  return
}

// -----

// The address of a row is a separate pointer: see addresses.rs.
// CHECK-LABEL: llvm.func @rows(
// CHECK:         %[[ROW:.*]] = llvm.getelementptr %[[X:.*]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NEXT:    %[[AT:.*]] = llvm.getelementptr %[[ROW]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NEXT:    %[[FURTHER:.*]] = llvm.getelementptr %[[AT]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK-NEXT:    llvm.load %[[FURTHER]]
func.func @rows(%x: memref<?x?xf64>, %i: index, %j: index, %k: index) -> f64 {
  %l = arith.addi %j, %k : index
  %e = memref.load %x[%i, %l] : memref<?x?xf64>
  return %e : f64
}

// -----

// `exp` has an intrinsic; `tanh` is a call of the C library, without side effects.
// CHECK:       llvm.func @tanhf(f32) -> f32
// CHECK-LABEL: llvm.func @maths
// CHECK:         llvm.intr.exp
// CHECK:         llvm.call @tanhf
func.func @maths(%a: f32) -> f32 {
  %b = math.exp %a : f32
  %c = math.tanh %b : f32
  return %c : f32
}

// -----

// The conversion of a float that is out of range to an index must be defined: it saturates.
// CHECK-LABEL: llvm.func @saturates
// CHECK:         llvm.call_intrinsic "llvm.fptosi.sat.i64.f64"
func.func @saturates(%a: f64) -> i64 {
  %b = arith.fptosi %a : f64 to i64
  return %b : i64
}

// -----

// A call may pass one buffer twice, so the callee must not assume that its arguments do not alias.
// CHECK-LABEL: llvm.func internal @doubles(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr)
// CHECK-SAME:    attributes {sym_visibility = "private"} {
// CHECK:         %[[A:.*]] = llvm.load %{{[^ ]*}} : !llvm.ptr -> f64
// CHECK-NEXT:    %[[B:.*]] = llvm.fadd %[[A]], %[[A]]
// CHECK:         llvm.store %[[B]], %{{[^ ]*}} : f64, !llvm.ptr
// CHECK-NEXT:    llvm.return
// CHECK-LABEL: llvm.func @in_place(%{{[^:]*}}: !llvm.ptr {llvm.noalias, llvm.nocapture})
// CHECK:         llvm.call @doubles(
// CHECK-LABEL: llvm.func @visible(%{{[^:]*}}: !llvm.ptr)
func.func private @doubles(%x: memref<4xf64>, %z: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0] : memref<4xf64>
  %b = arith.addf %a, %a : f64
  memref.store %b, %z[%c0] : memref<4xf64>
  return
}
func.func @in_place(%x: memref<4xf64>) {
  func.call @doubles(%x, %x) : (memref<4xf64>, memref<4xf64>) -> ()
  func.call @visible(%x) : (memref<4xf64>) -> ()
  return
}
func.func @visible(%x: memref<4xf64>) {
  return
}

// -----

// An external function has the calling convention of upstream: the whole descriptor.
// CHECK:         llvm.func @outside(!llvm.ptr, !llvm.ptr, i64, i64, i64)
// CHECK-LABEL: llvm.func @calls(
// CHECK:         llvm.call @outside(%{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i64, i64) -> ()
func.func private @outside(memref<4xf64>)
func.func @calls(%x: memref<4xf64>) {
  func.call @outside(%x) : (memref<4xf64>) -> ()
  return
}

// -----

// Exponents of 64 bits are truncated if they are in range, which is the common case.
// CHECK-LABEL: llvm.func @powers
// CHECK:         llvm.trunc %{{.*}} : i64 to i32
// CHECK:         llvm.intr.powi(%{{.*}}, %{{.*}}) : (f64, i32) -> f64
// CHECK:         llvm.intr.pow(
func.func @powers(%x: f64, %n: i64) -> f64 {
  %z = math.fpowi %x, %n : f64, i64
  return %z : f64
}

// -----

func.func @tensors(%x: tensor<4xf64>) -> tensor<4xf64> {
  // expected-error @+1 {{not supported: 'tensor.cast': `loops-to-llvm` supports loops on buffers only}}
  %y = tensor.cast %x : tensor<4xf64> to tensor<4xf64>
  return %y : tensor<4xf64>
}

// -----

// A view of part of a buffer, read in a loop: the offset of the view is added to the address.
// CHECK-LABEL: llvm.func @view(
// CHECK:         llvm.cond_br
// CHECK:         %[[OFFSET:.*]] = llvm.mlir.constant(2 : index) : i64
// CHECK:         %[[FROM:.*]] = llvm.getelementptr %{{.*}}[%[[OFFSET]]] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         %[[AT:.*]] = llvm.getelementptr %[[FROM]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f64
// CHECK:         llvm.load %[[AT]] : !llvm.ptr -> f64
func.func @view(%x: memref<8xf64>, %y: memref<4xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %x[2] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: 2>>
  scf.for %i = %c0 to %c4 step %c1 {
    %e = memref.load %v[%i] : memref<4xf64, strided<[1], offset: 2>>
    memref.store %e, %y[%i] : memref<4xf64>
  }
  return
}

// -----

// expected-error @+1 {{not supported: 'func.func': arguments must be scalars or contiguous memrefs, found type memref<4xf64, strided<[2]>>}}
func.func @strided(%x: memref<4xf64, strided<[2]>>) {
  return
}
