// RUN: mlopt check-calls %s --way plain --mcpu x86-64 --mcpu x86-64-v3 --mcpu native --tolerance 1e-11
// Products of matrices of known sizes, as sums of explicit broadcasts: (i, k) → (i, j, k) along j. `$m` by `$k`,
// `$k` by `$n`, with each operand stored in either order.

// WITH: $m,$n,$k = 0,5,7 1,70,9 16,33,17 4,4,4 5,46,47
// CALL: @product random:$mx$kxf64:seed=1:normal random:$kx$nxf64:seed=2:normal
func.func @product(%a: tensor<$mx$kxf64>, %b: tensor<$kx$nxf64>) -> tensor<$mx$nxf64> {
  %a1 = array.transpose %a [0, 1] : (tensor<$mx$kxf64>) -> tensor<$mx$kxf64>
  %b1 = array.transpose %b [1, 0] : (tensor<$kx$nxf64>) -> tensor<$nx$kxf64>
  %a2 = array.replicate %a1 : (tensor<$mx$kxf64>) -> tensor<$nx$mx$kxf64>
  %a3 = array.transpose %a2 [1, 0, 2] : (tensor<$nx$mx$kxf64>) -> tensor<$mx$nx$kxf64>
  %b2 = array.replicate %b1 : (tensor<$nx$kxf64>) -> tensor<$mx$nx$kxf64>
  %p = arith.mulf %a3, %b2 : tensor<$mx$nx$kxf64>
  %z = array.sum %p axes [2] : (tensor<$mx$nx$kxf64>) -> tensor<$mx$nxf64>
  return %z : tensor<$mx$nxf64>
}

// -----

// WITH: $m,$n,$k = 5,0,7 70,1,9 9,15,64 13,47,66 52,59,65
// CALL: @product random:$kx$mxf32:seed=1:normal random:$kx$nxf32:seed=2:normal
func.func @product(%a: tensor<$kx$mxf32>, %b: tensor<$kx$nxf32>) -> tensor<$mx$nxf32> {
  %a1 = array.transpose %a [1, 0] : (tensor<$kx$mxf32>) -> tensor<$mx$kxf32>
  %b1 = array.transpose %b [1, 0] : (tensor<$kx$nxf32>) -> tensor<$nx$kxf32>
  %a2 = array.replicate %a1 : (tensor<$mx$kxf32>) -> tensor<$nx$mx$kxf32>
  %a3 = array.transpose %a2 [1, 0, 2] : (tensor<$nx$mx$kxf32>) -> tensor<$mx$nx$kxf32>
  %b2 = array.replicate %b1 : (tensor<$nx$kxf32>) -> tensor<$mx$nx$kxf32>
  %p = arith.mulf %a3, %b2 : tensor<$mx$nx$kxf32>
  %z = array.sum %p axes [2] : (tensor<$mx$nx$kxf32>) -> tensor<$mx$nxf32>
  return %z : tensor<$mx$nxf32>
}

// -----

// WITH: $m,$n,$k = 5,7,0 8,16,3 7,31,1 68,65,35 2,2,38
// CALL: @product random:$mx$kxf64:seed=1:normal random:$nx$kxf64:seed=2:normal
func.func @product(%a: tensor<$mx$kxf64>, %b: tensor<$nx$kxf64>) -> tensor<$mx$nxf64> {
  %a1 = array.transpose %a [0, 1] : (tensor<$mx$kxf64>) -> tensor<$mx$kxf64>
  %b1 = array.transpose %b [0, 1] : (tensor<$nx$kxf64>) -> tensor<$nx$kxf64>
  %a2 = array.replicate %a1 : (tensor<$mx$kxf64>) -> tensor<$nx$mx$kxf64>
  %a3 = array.transpose %a2 [1, 0, 2] : (tensor<$nx$mx$kxf64>) -> tensor<$mx$nx$kxf64>
  %b2 = array.replicate %b1 : (tensor<$nx$kxf64>) -> tensor<$mx$nx$kxf64>
  %p = arith.mulf %a3, %b2 : tensor<$mx$nx$kxf64>
  %z = array.sum %p axes [2] : (tensor<$mx$nx$kxf64>) -> tensor<$mx$nxf64>
  return %z : tensor<$mx$nxf64>
}

// -----

// WITH: $m,$n,$k = 1,1,1 8,32,16 6,8,40 40,25,15
// CALL: @product random:$kx$mxf32:seed=1:normal random:$nx$kxf32:seed=2:normal
func.func @product(%a: tensor<$kx$mxf32>, %b: tensor<$nx$kxf32>) -> tensor<$mx$nxf32> {
  %a1 = array.transpose %a [1, 0] : (tensor<$kx$mxf32>) -> tensor<$mx$kxf32>
  %b1 = array.transpose %b [0, 1] : (tensor<$nx$kxf32>) -> tensor<$nx$kxf32>
  %a2 = array.replicate %a1 : (tensor<$mx$kxf32>) -> tensor<$nx$mx$kxf32>
  %a3 = array.transpose %a2 [1, 0, 2] : (tensor<$nx$mx$kxf32>) -> tensor<$mx$nx$kxf32>
  %b2 = array.replicate %b1 : (tensor<$nx$kxf32>) -> tensor<$mx$nx$kxf32>
  %p = arith.mulf %a3, %b2 : tensor<$mx$nx$kxf32>
  %z = array.sum %p axes [2] : (tensor<$mx$nx$kxf32>) -> tensor<$mx$nxf32>
  return %z : tensor<$mx$nxf32>
}
