"builtin.module"() <{sym_name = "calls"}> ({
  "func.func"() <{arg_attrs = [{mhlo.sharding = "{devices=[2,1]<=[2]}"}, {}], function_type = (tensor<2x3xf32>, !stablehlo.token) -> tensor<3x2xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: !stablehlo.token):
    %0 = "stablehlo.custom_call"(%arg0) <{api_version = 4 : i32, backend_config = {alpha = 1.500000e+00 : f32, "not an identifier" = "\\ \22 \0A"}, call_target_name = "typed"}> {mhlo.backend_config = {}} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %1 = "stablehlo.custom_call"(%0) <{backend_config = "\00\FF", call_target_name = "sharding constraint", called_computations = [@inner], has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
    %2:2 = "func.call"(%1) <{callee = @inner}> : (tensor<3x2xf32>) -> (tensor<3x2xf32>, tuple<tensor<i1>, tensor<3x2xf32>>)
    %3 = "stablehlo.all_reduce"(%2#0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<3x2xf32>) -> tensor<3x2xf32>
    "func.return"(%3) : (tensor<3x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x2xf32>) -> (tensor<3x2xf32>, tuple<tensor<i1>, tensor<3x2xf32>>), sym_name = "inner", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x2xf32>):
    %0 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %1 = "stablehlo.tuple"(%0, %arg0) : (tensor<i1>, tensor<3x2xf32>) -> tuple<tensor<i1>, tensor<3x2xf32>>
    %2 = "stablehlo.if"(%0) ({
      "stablehlo.return"(%arg0) : (tensor<3x2xf32>) -> ()
    }, {
      %3 = "stablehlo.negate"(%arg0) : (tensor<3x2xf32>) -> tensor<3x2xf32>
      "stablehlo.return"(%3) : (tensor<3x2xf32>) -> ()
    }) : (tensor<i1>) -> tensor<3x2xf32>
    "func.return"(%2, %1) : (tensor<3x2xf32>, tuple<tensor<i1>, tensor<3x2xf32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
