// RUN: mlopt check-calls %s --way plain --way kernels
// The gradient of a masked sum of squares, where rows and columns are known: `$m` by `$n`.

// WITH: $m,$n = 64,16 3,8 9,10 33,33
// CALL: @gradient random:$mx$nxi1:seed=1 random:$mx$nxf64:seed=2:normal random:$nxf64:seed=3:normal
func.func @gradient(%m: tensor<$mx$nxi1>, %x: tensor<$mx$nxf64>, %b: tensor<$nxf64>)
    -> (tensor<$nxf64>, tensor<$nxf64>, tensor<$mxf64>) {
  %zeros = arith.constant dense<0.0> : tensor<$mx$nxf64>
  %y = array.replicate %b : (tensor<$nxf64>) -> tensor<$mx$nxf64>
  %d = arith.subf %x, %y : tensor<$mx$nxf64>
  %s = arith.select %m, %d, %zeros : tensor<$mx$nxi1>, tensor<$mx$nxf64>
  %z = array.sum %s : (tensor<$mx$nxf64>) -> tensor<$nxf64>
  %t = array.max %s : (tensor<$mx$nxf64>) -> tensor<$nxf64>
  %u = array.sum %s axes [1] : (tensor<$mx$nxf64>) -> tensor<$mxf64>
  return %z, %t, %u : tensor<$nxf64>, tensor<$nxf64>, tensor<$mxf64>
}
