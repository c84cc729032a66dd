"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32>):
    %0 = "chlo.lgamma"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.add"(%0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2:2 = "chlo.top_k"(%1) <{k = 2 : i64}> : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
    "func.return"(%2#0, %2#1) : (tensor<2xf32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
