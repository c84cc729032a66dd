// RUN: mlopt check-calls %s --way plain
// Rows of a result that are computed part by part, where an iteration of the surrounding loop determines the row:
// joined from rows, joined again, reshaped. `$m` rows of `$k`, like the gates of a recurrent cell and their cotangents.

// WITH: $m,$k,$f,$g = 1,4,4,8 2,2,4,6 2,3,6,9 2,16,32,48 4,3,12,15 4,8,32,40 4,9,36,45 9,7,63,70 16,2,32,34
// CALL: @joined random:{n}x$kxf64:seed=1:normal random:$fxf64:seed=2:normal for n = 0 1 5
func.func @joined(%y: tensor<?x$kxf64>, %w: tensor<$fxf64>)
    -> (tensor<?x$kxf64>, tensor<?x$fxf64>, tensor<?x$kx$fxf64>, tensor<?x$gxf64>) {
  %zero = arith.constant 0.0 : f64
  %first = arith.constant 0 : index
  %z:4 = array.map_accum (%row = %y : tensor<?x$kxf64>) iter_args()
      -> (tensor<?x$kxf64>, tensor<?x$fxf64>, tensor<?x$kx$fxf64>, tensor<?x$gxf64>) {
    %zero_row = array.replicate %zero : (f64) -> tensor<$kxf64>
    %zeros = array.replicate %zero_row : (tensor<$kxf64>) -> tensor<$mx$kxf64>
    %placed = array.scatter %row into %zeros : tensor<$kxf64> into tensor<$mx$kxf64> () {
      array.yield %first : index
    }
    %flat = array.reshape %placed : (tensor<$mx$kxf64>) -> tensor<$fxf64>
    %rows = array.replicate %flat : (tensor<$fxf64>) -> tensor<$kx$fxf64>
    %weighed = arith.mulf %flat, %w : tensor<$fxf64>
    %grid = array.reshape %weighed : (tensor<$fxf64>) -> tensor<$mx$kxf64>
    %sums = array.sum %grid : (tensor<$mx$kxf64>) -> tensor<$kxf64>
    %both = array.append %sums, %flat : (tensor<$kxf64>, tensor<$fxf64>) -> tensor<$gxf64>
    array.yield %sums, %flat, %rows, %both
      : tensor<$kxf64>, tensor<$fxf64>, tensor<$kx$fxf64>, tensor<$gxf64>
  }
  return %z#0, %z#1, %z#2, %z#3 : tensor<?x$kxf64>, tensor<?x$fxf64>, tensor<?x$kx$fxf64>,
      tensor<?x$gxf64>
}
