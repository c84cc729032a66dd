// RUN: mlopt %s --loops-to-llvm | FileCheck %s
// A function with more than 127 arguments reads them from an array. Its loads and stores are moved near their uses, but
// only those of arguments: other memory may be read or written in between.

memref.global @g : memref<f64> = dense<1.0>

// CHECK-LABEL: llvm.func @global.packed(
// CHECK:         %[[V:.*]] = llvm.fadd
// CHECK:         %[[OLD:.*]] = llvm.load %[[G:.*]] : !llvm.ptr -> f64
// CHECK:         llvm.store %[[OLD]], %{{.*}} : f64, !llvm.ptr
// CHECK:         llvm.store %[[V]], %{{.*}} : f64, !llvm.ptr
func.func @global(
    %a0: memref<f64>, %a1: memref<f64>, %a2: memref<f64>, %a3: memref<f64>,
    %a4: memref<f64>, %a5: memref<f64>, %a6: memref<f64>, %a7: memref<f64>,
    %a8: memref<f64>, %a9: memref<f64>, %a10: memref<f64>, %a11: memref<f64>,
    %a12: memref<f64>, %a13: memref<f64>, %a14: memref<f64>, %a15: memref<f64>,
    %a16: memref<f64>, %a17: memref<f64>, %a18: memref<f64>, %a19: memref<f64>,
    %a20: memref<f64>, %a21: memref<f64>, %a22: memref<f64>, %a23: memref<f64>,
    %a24: memref<f64>, %a25: memref<f64>, %a26: memref<f64>, %a27: memref<f64>,
    %a28: memref<f64>, %a29: memref<f64>, %a30: memref<f64>, %a31: memref<f64>,
    %a32: memref<f64>, %a33: memref<f64>, %a34: memref<f64>, %a35: memref<f64>,
    %a36: memref<f64>, %a37: memref<f64>, %a38: memref<f64>, %a39: memref<f64>,
    %a40: memref<f64>, %a41: memref<f64>, %a42: memref<f64>, %a43: memref<f64>,
    %a44: memref<f64>, %a45: memref<f64>, %a46: memref<f64>, %a47: memref<f64>,
    %a48: memref<f64>, %a49: memref<f64>, %a50: memref<f64>, %a51: memref<f64>,
    %a52: memref<f64>, %a53: memref<f64>, %a54: memref<f64>, %a55: memref<f64>,
    %a56: memref<f64>, %a57: memref<f64>, %a58: memref<f64>, %a59: memref<f64>,
    %a60: memref<f64>, %a61: memref<f64>, %a62: memref<f64>, %a63: memref<f64>,
    %a64: memref<f64>, %a65: memref<f64>, %a66: memref<f64>, %a67: memref<f64>,
    %a68: memref<f64>, %a69: memref<f64>, %a70: memref<f64>, %a71: memref<f64>,
    %a72: memref<f64>, %a73: memref<f64>, %a74: memref<f64>, %a75: memref<f64>,
    %a76: memref<f64>, %a77: memref<f64>, %a78: memref<f64>, %a79: memref<f64>,
    %a80: memref<f64>, %a81: memref<f64>, %a82: memref<f64>, %a83: memref<f64>,
    %a84: memref<f64>, %a85: memref<f64>, %a86: memref<f64>, %a87: memref<f64>,
    %a88: memref<f64>, %a89: memref<f64>, %a90: memref<f64>, %a91: memref<f64>,
    %a92: memref<f64>, %a93: memref<f64>, %a94: memref<f64>, %a95: memref<f64>,
    %a96: memref<f64>, %a97: memref<f64>, %a98: memref<f64>, %a99: memref<f64>,
    %a100: memref<f64>, %a101: memref<f64>, %a102: memref<f64>, %a103: memref<f64>,
    %a104: memref<f64>, %a105: memref<f64>, %a106: memref<f64>, %a107: memref<f64>,
    %a108: memref<f64>, %a109: memref<f64>, %a110: memref<f64>, %a111: memref<f64>,
    %a112: memref<f64>, %a113: memref<f64>, %a114: memref<f64>, %a115: memref<f64>,
    %a116: memref<f64>, %a117: memref<f64>, %a118: memref<f64>, %a119: memref<f64>,
    %a120: memref<f64>, %a121: memref<f64>, %a122: memref<f64>, %a123: memref<f64>,
    %a124: memref<f64>, %a125: memref<f64>, %a126: memref<f64>, %a127: memref<f64>,
    %out: memref<f64>) {
  %a = memref.load %a0[] : memref<f64>
  %b = memref.load %a1[] : memref<f64>
  %g1 = memref.get_global @g : memref<f64>
  %g2 = memref.get_global @g : memref<f64>
  %v = arith.addf %a, %b : f64
  %old = memref.load %g2[] : memref<f64>
  memref.store %v, %g1[] : memref<f64>
  memref.store %old, %out[] : memref<f64>
  return
}

// An element that nothing in the first block uses.
// CHECK-LABEL: llvm.func @unused.packed(
// CHECK:         %[[E:.*]] = llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK:         llvm.store %[[E]], %{{.*}} : f64, !llvm.ptr
// CHECK:         llvm.cond_br
// CHECK:         llvm.return
func.func @unused(
    %a0: memref<f64>, %a1: memref<f64>, %a2: memref<f64>, %a3: memref<f64>,
    %a4: memref<f64>, %a5: memref<f64>, %a6: memref<f64>, %a7: memref<f64>,
    %a8: memref<f64>, %a9: memref<f64>, %a10: memref<f64>, %a11: memref<f64>,
    %a12: memref<f64>, %a13: memref<f64>, %a14: memref<f64>, %a15: memref<f64>,
    %a16: memref<f64>, %a17: memref<f64>, %a18: memref<f64>, %a19: memref<f64>,
    %a20: memref<f64>, %a21: memref<f64>, %a22: memref<f64>, %a23: memref<f64>,
    %a24: memref<f64>, %a25: memref<f64>, %a26: memref<f64>, %a27: memref<f64>,
    %a28: memref<f64>, %a29: memref<f64>, %a30: memref<f64>, %a31: memref<f64>,
    %a32: memref<f64>, %a33: memref<f64>, %a34: memref<f64>, %a35: memref<f64>,
    %a36: memref<f64>, %a37: memref<f64>, %a38: memref<f64>, %a39: memref<f64>,
    %a40: memref<f64>, %a41: memref<f64>, %a42: memref<f64>, %a43: memref<f64>,
    %a44: memref<f64>, %a45: memref<f64>, %a46: memref<f64>, %a47: memref<f64>,
    %a48: memref<f64>, %a49: memref<f64>, %a50: memref<f64>, %a51: memref<f64>,
    %a52: memref<f64>, %a53: memref<f64>, %a54: memref<f64>, %a55: memref<f64>,
    %a56: memref<f64>, %a57: memref<f64>, %a58: memref<f64>, %a59: memref<f64>,
    %a60: memref<f64>, %a61: memref<f64>, %a62: memref<f64>, %a63: memref<f64>,
    %a64: memref<f64>, %a65: memref<f64>, %a66: memref<f64>, %a67: memref<f64>,
    %a68: memref<f64>, %a69: memref<f64>, %a70: memref<f64>, %a71: memref<f64>,
    %a72: memref<f64>, %a73: memref<f64>, %a74: memref<f64>, %a75: memref<f64>,
    %a76: memref<f64>, %a77: memref<f64>, %a78: memref<f64>, %a79: memref<f64>,
    %a80: memref<f64>, %a81: memref<f64>, %a82: memref<f64>, %a83: memref<f64>,
    %a84: memref<f64>, %a85: memref<f64>, %a86: memref<f64>, %a87: memref<f64>,
    %a88: memref<f64>, %a89: memref<f64>, %a90: memref<f64>, %a91: memref<f64>,
    %a92: memref<f64>, %a93: memref<f64>, %a94: memref<f64>, %a95: memref<f64>,
    %a96: memref<f64>, %a97: memref<f64>, %a98: memref<f64>, %a99: memref<f64>,
    %a100: memref<f64>, %a101: memref<f64>, %a102: memref<f64>, %a103: memref<f64>,
    %a104: memref<f64>, %a105: memref<f64>, %a106: memref<f64>, %a107: memref<f64>,
    %a108: memref<f64>, %a109: memref<f64>, %a110: memref<f64>, %a111: memref<f64>,
    %a112: memref<f64>, %a113: memref<f64>, %a114: memref<f64>, %a115: memref<f64>,
    %a116: memref<f64>, %a117: memref<f64>, %a118: memref<f64>, %a119: memref<f64>,
    %a120: memref<f64>, %a121: memref<f64>, %a122: memref<f64>, %a123: memref<f64>,
    %a124: memref<f64>, %a125: memref<f64>, %a126: memref<f64>, %a127: memref<f64>,
    %y: memref<2xf64>, %out: memref<f64>, %more: memref<f64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.load %y[%c0] : memref<2xf64>
  %e = memref.load %y[%c1] : memref<2xf64>
  memref.store %e, %out[] : memref<f64>
  %zero = arith.constant 0.0 : f64
  %is = arith.cmpf olt, %e, %zero : f64
  cf.cond_br %is, ^then, ^end
^then:
  memref.store %d, %more[] : memref<f64>
  cf.br ^end
^end:
  return
}

// Inputs are loaded when they are needed, and results stored when they are known.
// CHECK-LABEL: llvm.func @delays.packed(
// CHECK:         %[[V0:.*]] = llvm.fadd
// CHECK:         llvm.store %[[V0]], %{{.*}} : f64, !llvm.ptr
// CHECK:         llvm.load %{{.*}} : !llvm.ptr -> f64
// CHECK:         %[[V1:.*]] = llvm.fadd
// CHECK:         llvm.store %[[V1]], %{{.*}} : f64, !llvm.ptr
func.func @delays(
    %a0: memref<f64>, %a1: memref<f64>, %a2: memref<f64>, %a3: memref<f64>,
    %a4: memref<f64>, %a5: memref<f64>, %a6: memref<f64>, %a7: memref<f64>,
    %a8: memref<f64>, %a9: memref<f64>, %a10: memref<f64>, %a11: memref<f64>,
    %a12: memref<f64>, %a13: memref<f64>, %a14: memref<f64>, %a15: memref<f64>,
    %a16: memref<f64>, %a17: memref<f64>, %a18: memref<f64>, %a19: memref<f64>,
    %a20: memref<f64>, %a21: memref<f64>, %a22: memref<f64>, %a23: memref<f64>,
    %a24: memref<f64>, %a25: memref<f64>, %a26: memref<f64>, %a27: memref<f64>,
    %a28: memref<f64>, %a29: memref<f64>, %a30: memref<f64>, %a31: memref<f64>,
    %a32: memref<f64>, %a33: memref<f64>, %a34: memref<f64>, %a35: memref<f64>,
    %a36: memref<f64>, %a37: memref<f64>, %a38: memref<f64>, %a39: memref<f64>,
    %a40: memref<f64>, %a41: memref<f64>, %a42: memref<f64>, %a43: memref<f64>,
    %a44: memref<f64>, %a45: memref<f64>, %a46: memref<f64>, %a47: memref<f64>,
    %a48: memref<f64>, %a49: memref<f64>, %a50: memref<f64>, %a51: memref<f64>,
    %a52: memref<f64>, %a53: memref<f64>, %a54: memref<f64>, %a55: memref<f64>,
    %a56: memref<f64>, %a57: memref<f64>, %a58: memref<f64>, %a59: memref<f64>,
    %a60: memref<f64>, %a61: memref<f64>, %a62: memref<f64>, %a63: memref<f64>,
    %a64: memref<f64>, %a65: memref<f64>, %a66: memref<f64>, %a67: memref<f64>,
    %a68: memref<f64>, %a69: memref<f64>, %a70: memref<f64>, %a71: memref<f64>,
    %a72: memref<f64>, %a73: memref<f64>, %a74: memref<f64>, %a75: memref<f64>,
    %a76: memref<f64>, %a77: memref<f64>, %a78: memref<f64>, %a79: memref<f64>,
    %a80: memref<f64>, %a81: memref<f64>, %a82: memref<f64>, %a83: memref<f64>,
    %a84: memref<f64>, %a85: memref<f64>, %a86: memref<f64>, %a87: memref<f64>,
    %a88: memref<f64>, %a89: memref<f64>, %a90: memref<f64>, %a91: memref<f64>,
    %a92: memref<f64>, %a93: memref<f64>, %a94: memref<f64>, %a95: memref<f64>,
    %a96: memref<f64>, %a97: memref<f64>, %a98: memref<f64>, %a99: memref<f64>,
    %a100: memref<f64>, %a101: memref<f64>, %a102: memref<f64>, %a103: memref<f64>,
    %a104: memref<f64>, %a105: memref<f64>, %a106: memref<f64>, %a107: memref<f64>,
    %a108: memref<f64>, %a109: memref<f64>, %a110: memref<f64>, %a111: memref<f64>,
    %a112: memref<f64>, %a113: memref<f64>, %a114: memref<f64>, %a115: memref<f64>,
    %a116: memref<f64>, %a117: memref<f64>, %a118: memref<f64>, %a119: memref<f64>,
    %a120: memref<f64>, %a121: memref<f64>, %a122: memref<f64>, %a123: memref<f64>,
    %a124: memref<f64>, %a125: memref<f64>, %a126: memref<f64>, %a127: memref<f64>,
    %r0: memref<f64>, %r1: memref<f64>) {
  %a = memref.load %a0[] : memref<f64>
  %b = memref.load %a1[] : memref<f64>
  %c = memref.load %a2[] : memref<f64>
  %v0 = arith.addf %a, %b : f64
  %v1 = arith.addf %a, %c : f64
  memref.store %v0, %r0[] : memref<f64>
  memref.store %v1, %r1[] : memref<f64>
  return
}
