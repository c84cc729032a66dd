// RUN: mlopt check-calls %s --way plain --way optimised --way kernels --mcpu x86-64 --mcpu native
// Copies that transpose, with sizes around those of a square in registers. Results that are computed twice show that
// the copies are arrays in memory.
// WITH: f32 = f32 f64 i32 i64 i8 i1

// CALL: @matrix random:{m}x{n}xf32 for m,n = 0,0 0,1 0,4 0,7 0,16 0,31 0,32 1,0 1,1 1,4 1,7 1,16 1,31 1,32 3,0 3,1 \
//   3,4 3,7 3,16 3,31 3,32 4,0 4,1 4,4 4,7 4,16 4,31 4,32 5,0 5,1 5,4 5,7 5,16 5,31 5,32 15,0 15,1 15,4 15,7 15,16 \
//   15,31 15,32 16,0 16,1 16,4 16,7 16,16 16,31 16,32 17,0 17,1 17,4 17,7 17,16 17,31 17,32 33,0 33,1 33,4 33,7 \
//   33,16 33,31 33,32
func.func @matrix(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %t = array.transpose %x [1, 0] : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %t : tensor<?x?xf32>
}

// The middle axis is an outer loop, and the sides of a square have other axes between them.
// CALL: @turned random:{m}x{n}x{n}xf32 for m,n = 0,0 0,1 0,4 0,7 0,16 0,33 1,0 1,1 1,4 1,7 1,16 1,33 4,0 4,1 4,4 4,7 \
//   4,16 4,33 17,0 17,1 17,4 17,7 17,16 17,33
func.func @turned(%x: tensor<?x?x?xf32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %t = array.transpose %x [2, 1, 0] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %u = array.transpose %x [1, 2, 0] : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %t, %u : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// CALL: @known random:19x40xf32 random:16x4xf32:seed=1 random:5x3xf32:seed=2
func.func @known(%x: tensor<19x40xf32>, %y: tensor<16x4xf32>, %z: tensor<5x3xf32>)
    -> (tensor<40x19xf32>, tensor<4x16xf32>, tensor<3x5xf32>) {
  %t = array.transpose %x [1, 0] : (tensor<19x40xf32>) -> tensor<40x19xf32>
  %u = array.transpose %y [1, 0] : (tensor<16x4xf32>) -> tensor<4x16xf32>
  %v = array.transpose %z [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %t, %u, %v : tensor<40x19xf32>, tensor<4x16xf32>, tensor<3x5xf32>
}
