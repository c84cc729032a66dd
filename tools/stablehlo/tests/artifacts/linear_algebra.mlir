"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x4xf32>, tensor<2x4x3xf32>, tensor<i32>) -> tensor<2x4x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x4x3xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.cholesky"(%arg0) <{lower = true}> : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %1 = "stablehlo.triangular_solve"(%0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    %2 = "stablehlo.case"(%arg2) ({
      "stablehlo.return"(%1) : (tensor<2x4x3xf32>) -> ()
    }, {
      "stablehlo.return"(%arg1) : (tensor<2x4x3xf32>) -> ()
    }) : (tensor<i32>) -> tensor<2x4x3xf32>
    "func.return"(%2) : (tensor<2x4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
