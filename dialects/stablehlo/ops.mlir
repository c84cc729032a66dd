// RUN: mlopt %s | mlopt | FileCheck %s
// RUN: mlopt %s --mlir-print-op-generic | mlopt | FileCheck %s
// RUN: mlopt %s --emit-bytecode | mlopt | FileCheck %s
// Every op of `stablehlo` is preserved by printing and by bytecode.

// CHECK-LABEL: func.func @unary(
func.func @unary(%x: tensor<2x3xf32>, %n: tensor<2x3xi32>) {
  // CHECK: "stablehlo.abs"(%{{.*}})
  %abs = "stablehlo.abs"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.ceil"(%{{.*}})
  %ceil = "stablehlo.ceil"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.convert"(%{{.*}})
  %convert = "stablehlo.convert"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.count_leading_zeros"(%{{.*}})
  %count_leading_zeros = "stablehlo.count_leading_zeros"(%n) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.floor"(%{{.*}})
  %floor = "stablehlo.floor"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.negate"(%{{.*}})
  %negate = "stablehlo.negate"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.not"(%{{.*}})
  %not = "stablehlo.not"(%n) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.popcnt"(%{{.*}})
  %popcnt = "stablehlo.popcnt"(%n) : (tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.round_nearest_afz"(%{{.*}})
  %round_nearest_afz = "stablehlo.round_nearest_afz"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.round_nearest_even"(%{{.*}})
  %round_nearest_even = "stablehlo.round_nearest_even"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.sign"(%{{.*}})
  %sign = "stablehlo.sign"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.cbrt"(%{{.*}})
  %cbrt = "stablehlo.cbrt"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.cosine"(%{{.*}})
  %cosine = "stablehlo.cosine"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.exponential"(%{{.*}})
  %exponential = "stablehlo.exponential"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.exponential_minus_one"(%{{.*}})
  %exponential_minus_one = "stablehlo.exponential_minus_one"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.log"(%{{.*}})
  %log = "stablehlo.log"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.log_plus_one"(%{{.*}})
  %log_plus_one = "stablehlo.log_plus_one"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.logistic"(%{{.*}})
  %logistic = "stablehlo.logistic"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.rsqrt"(%{{.*}})
  %rsqrt = "stablehlo.rsqrt"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.sine"(%{{.*}})
  %sine = "stablehlo.sine"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.sqrt"(%{{.*}})
  %sqrt = "stablehlo.sqrt"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.tan"(%{{.*}})
  %tan = "stablehlo.tan"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.tanh"(%{{.*}})
  %tanh = "stablehlo.tanh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.sine"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}>
  %accurate = "stablehlo.sine"(%x) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.bitcast_convert"(%{{.*}})
  %bitcast_convert = "stablehlo.bitcast_convert"(%x) : (tensor<2x3xf32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.is_finite"(%{{.*}})
  %is_finite = "stablehlo.is_finite"(%x) : (tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: "stablehlo.reduce_precision"(%{{.*}}) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}>
  %reduce_precision = "stablehlo.reduce_precision"(%x) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @binary(
func.func @binary(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>, %f: tensor<2x3xf32>) {
  // CHECK: "stablehlo.add"(%{{.*}}, %{{.*}})
  %add = "stablehlo.add"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.and"(%{{.*}}, %{{.*}})
  %and = "stablehlo.and"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.atan2"(%{{.*}}, %{{.*}})
  %atan2 = "stablehlo.atan2"(%f, %f) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.divide"(%{{.*}}, %{{.*}})
  %divide = "stablehlo.divide"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.maximum"(%{{.*}}, %{{.*}})
  %maximum = "stablehlo.maximum"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.minimum"(%{{.*}}, %{{.*}})
  %minimum = "stablehlo.minimum"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.multiply"(%{{.*}}, %{{.*}})
  %multiply = "stablehlo.multiply"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.or"(%{{.*}}, %{{.*}})
  %or = "stablehlo.or"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.power"(%{{.*}}, %{{.*}})
  %power = "stablehlo.power"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.remainder"(%{{.*}}, %{{.*}})
  %remainder = "stablehlo.remainder"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.shift_left"(%{{.*}}, %{{.*}})
  %shift_left = "stablehlo.shift_left"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.shift_right_arithmetic"(%{{.*}}, %{{.*}})
  %shift_right_arithmetic = "stablehlo.shift_right_arithmetic"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.shift_right_logical"(%{{.*}}, %{{.*}})
  %shift_right_logical = "stablehlo.shift_right_logical"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.subtract"(%{{.*}}, %{{.*}})
  %subtract = "stablehlo.subtract"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: "stablehlo.xor"(%{{.*}}, %{{.*}})
  %xor = "stablehlo.xor"(%x, %y) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @complex(
func.func @complex(%x: tensor<2xf32>) {
  // CHECK: "stablehlo.complex"(%{{.*}}, %{{.*}})
  %complex = "stablehlo.complex"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f32>>
  // CHECK: "stablehlo.real"(%{{.*}})
  %real = "stablehlo.real"(%complex) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: "stablehlo.imag"(%{{.*}})
  %imag = "stablehlo.imag"(%complex) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @choices(
func.func @choices(%x: tensor<2x3xf32>, %p: tensor<2x3xi1>, %s: tensor<f32>) {
  // CHECK: "stablehlo.compare"(%{{.*}}, %{{.*}}) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}>
  %compare = "stablehlo.compare"(%x, %x) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  // CHECK: "stablehlo.select"(%{{.*}}, %{{.*}}, %{{.*}})
  %select = "stablehlo.select"(%p, %x, %x) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.clamp"(%{{.*}}, %{{.*}}, %{{.*}})
  %clamp = "stablehlo.clamp"(%s, %x, %s) : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @shapes(
func.func @shapes(%x: tensor<2x3xf32>, %s: tensor<2xi64>, %d: tensor<?x3xf32>, %z: tensor<f32>, %i: tensor<i32>) {
  // CHECK: "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2xf32>}>
  %constant = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  // CHECK: "stablehlo.iota"() <{iota_dimension = 1 : i64}>
  %iota = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3xi32>
  // CHECK: "stablehlo.dynamic_iota"(%{{.*}}) <{iota_dimension = 0 : i64}>
  %dynamic_iota = "stablehlo.dynamic_iota"(%s) <{iota_dimension = 0 : i64}> : (tensor<2xi64>) -> tensor<?x?xi32>
  // CHECK: "stablehlo.broadcast"(%{{.*}}) <{broadcast_sizes = array<i64: 4>}>
  %broadcast = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 4>}> : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: "stablehlo.broadcast_in_dim"(%{{.*}}) <{broadcast_dimensions = array<i64: 0, 2>}>
  %broadcast_in_dim = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: "stablehlo.dynamic_broadcast_in_dim"(%{{.*}}, %{{.*}}) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>}>
  %dynamic_broadcast_in_dim = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64>, known_nonexpanding_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.reshape"(%{{.*}})
  %reshape = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK: "stablehlo.dynamic_reshape"(%{{.*}}, %{{.*}})
  %dynamic_reshape = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.transpose"(%{{.*}}) <{permutation = array<i64: 1, 0>}>
  %transpose = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: "stablehlo.reverse"(%{{.*}}) <{dimensions = array<i64: 0>}>
  %reverse = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.concatenate"(%{{.*}}, %{{.*}}) <{dimension = 0 : i64}>
  %concatenate = "stablehlo.concatenate"(%x, %x) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // CHECK: "stablehlo.pad"(%{{.*}}, %{{.*}}) <{edge_padding_high = array<i64: 1, 2>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}>
  %pad = "stablehlo.pad"(%x, %z) <{edge_padding_high = array<i64: 1, 2>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x7xf32>
  // CHECK: "stablehlo.dynamic_pad"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %dynamic_pad = "stablehlo.dynamic_pad"(%x, %z, %s, %s, %s) : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.slice"(%{{.*}}) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}>
  %slice = "stablehlo.slice"(%x) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 2>}> : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK: "stablehlo.dynamic_slice"(%{{.*}}, %{{.*}}, %{{.*}}) <{slice_sizes = array<i64: 1, 2>}>
  %dynamic_slice = "stablehlo.dynamic_slice"(%x, %i, %i) <{slice_sizes = array<i64: 1, 2>}> : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  // CHECK: "stablehlo.real_dynamic_slice"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %real_dynamic_slice = "stablehlo.real_dynamic_slice"(%x, %s, %s, %s) : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK: "stablehlo.dynamic_update_slice"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %dynamic_update_slice = "stablehlo.dynamic_update_slice"(%x, %slice, %i, %i) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}>
  %gather = "stablehlo.gather"(%x, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.dynamic_gather"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
  %dynamic_gather = "stablehlo.dynamic_gather"(%x, %s, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.torch_index_select"(%{{.*}}, %{{.*}}) <{batch_dims = 0 : i64, dim = 0 : i64}>
  %torch_index_select = "stablehlo.torch_index_select"(%x, %s) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.get_dimension_size"(%{{.*}}) <{dimension = 0 : i64}>
  %get_dimension_size = "stablehlo.get_dimension_size"(%x) <{dimension = 0 : i64}> : (tensor<2x3xf32>) -> tensor<i32>
  // CHECK: -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  %sized = "stablehlo.set_dimension_size"(%x, %i) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<?x3xf32, #stablehlo.bounds<2, ?>>
  return
}

// CHECK-LABEL: func.func @regions(
func.func @regions(%x: tensor<2x3xf32>, %z: tensor<f32>, %i: tensor<2x1xi32>, %u: tensor<2x3xf32>, %w: tensor<1x1xf32>) {
  // CHECK: "stablehlo.reduce"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 1>}> ({
  %reduce = "stablehlo.reduce"(%x, %z) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{padding = dense<{{\[\[}}0, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
  %reduce_window = "stablehlo.reduce_window"(%x, %z) <{padding = dense<[[0, 0], [1, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x2xf32>
  // CHECK: "stablehlo.select_and_scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{window_dimensions = array<i64: 2, 3>}> ({
  %select_and_scatter = "stablehlo.select_and_scatter"(%x, %w, %z) <{window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  %scatter = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x1xi32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 1 : i64, is_stable = true}> ({
  %sort = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%c) : (tensor<i1>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}> ({
  %map = "stablehlo.map"(%x, %x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

func.func private @square(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = "stablehlo.multiply"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @control(
func.func @control(%n: tensor<i32>, %p: tensor<i1>, %x: tensor<2x3xf32>) {
  // CHECK: "stablehlo.while"(%{{.*}}, %{{.*}}) ({
  %while:2 = "stablehlo.while"(%n, %x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<2x3xf32>):
    "stablehlo.return"(%p) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<2x3xf32>):
    "stablehlo.return"(%a, %b) : (tensor<i32>, tensor<2x3xf32>) -> ()
  }) : (tensor<i32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>)
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  %if = "stablehlo.if"(%p) ({
    "stablehlo.return"(%x) : (tensor<2x3xf32>) -> ()
  }, {
    "stablehlo.return"(%x) : (tensor<2x3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.case"(%{{.*}}) ({
  %case = "stablehlo.case"(%n) ({
    "stablehlo.return"(%x) : (tensor<2x3xf32>) -> ()
  }) : (tensor<i32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.composite"(%{{.*}}) <{decomposition = @square, name = "a.name", version = 1 : i32}>
  %composite = "stablehlo.composite"(%x) <{decomposition = @square, name = "a.name", version = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.custom_call"(%{{.*}}) <{api_version = 4 : i32, backend_config = {a = 1 : i64}, call_target_name = "lapack_spotrf_ffi", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<operand_index = 0>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}>
  %custom_call = "stablehlo.custom_call"(%x) <{api_version = 4 : i32, backend_config = {a = 1 : i64}, call_target_name = "lapack_spotrf_ffi", operand_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<operand_index = 0>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.create_token"()
  %create_token = "stablehlo.create_token"() : () -> !stablehlo.token
  // CHECK: "stablehlo.after_all"(%{{.*}})
  %after_all = "stablehlo.after_all"(%create_token) : (!stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.tuple"(%{{.*}}, %{{.*}})
  %tuple = "stablehlo.tuple"(%x, %n) : (tensor<2x3xf32>, tensor<i32>) -> tuple<tensor<2x3xf32>, tensor<i32>>
  // CHECK: "stablehlo.get_tuple_element"(%{{.*}}) <{index = 1 : i32}>
  %get_tuple_element = "stablehlo.get_tuple_element"(%tuple) <{index = 1 : i32}> : (tuple<tensor<2x3xf32>, tensor<i32>>) -> tensor<i32>
  // CHECK: "stablehlo.optimization_barrier"(%{{.*}})
  %optimization_barrier = "stablehlo.optimization_barrier"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @products(
func.func @products(%x: tensor<2x3xf32>, %m: tensor<3x3xf32>, %g: tensor<1x4x4x2xf32>, %k: tensor<3x3x2x5xf32>, %v: tensor<2x2xi64>, %s: tensor<3xf32>) {
  // CHECK: "stablehlo.dot_general"(%{{.*}}, %{{.*}}) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}>
  %dot_general = "stablehlo.dot_general"(%x, %m) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.dot"(%{{.*}}, %{{.*}})
  %dot = "stablehlo.dot"(%x, %m) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.einsum"(%{{.*}}, %{{.*}}) <{einsum_config = "ij,jk->ik"}>
  %einsum = "stablehlo.einsum"(%x, %m) <{einsum_config = "ij,jk->ik"}> : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.unary_einsum"(%{{.*}}) <{einsum_config = "ij->i"}>
  %unary_einsum = "stablehlo.unary_einsum"(%x) <{einsum_config = "ij->i"}> : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: "stablehlo.convolution"(%{{.*}}, %{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}>
  %convolution = "stablehlo.convolution"(%g, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x4x4x5xf32>
  // CHECK: "stablehlo.dynamic_conv"(%{{.*}}, %{{.*}}, %{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}>
  %dynamic_conv = "stablehlo.dynamic_conv"(%g, %k, %v) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>, tensor<2x2xi64>) -> tensor<1x?x?x5xf32>
  // CHECK: "stablehlo.cholesky"(%{{.*}}) <{lower = true}>
  %cholesky = "stablehlo.cholesky"(%m) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}>
  %triangular_solve = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  // CHECK: "stablehlo.fft"(%{{.*}}) <{fft_length = array<i64: 3>, fft_type = #stablehlo<fft_type RFFT>}>
  %fft = "stablehlo.fft"(%s) <{fft_length = array<i64: 3>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<3xf32>) -> tensor<2xcomplex<f32>>
  // CHECK: "stablehlo.batch_norm_training"
  %bn:3 = "stablehlo.batch_norm_training"(%m, %s, %s) <{epsilon = 1.0e-03 : f32, feature_index = 1 : i64}> : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>)
  // CHECK: "stablehlo.batch_norm_inference"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}>
  %batch_norm_inference = "stablehlo.batch_norm_inference"(%m, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  // CHECK: "stablehlo.batch_norm_grad"
  %bg:3 = "stablehlo.batch_norm_grad"(%m, %s, %s, %s, %m) <{epsilon = 1.0e-03 : f32, feature_index = 1 : i64}> : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// CHECK-LABEL: func.func @random(
func.func @random(%s: tensor<2xui64>, %a: tensor<f32>, %n: tensor<1xi64>) {
  // CHECK: "stablehlo.rng"(%{{.*}}, %{{.*}}, %{{.*}}) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}>
  %rng = "stablehlo.rng"(%a, %a, %n) <{rng_distribution = #stablehlo<rng_distribution NORMAL>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
  // CHECK: "stablehlo.rng_bit_generator"(%{{.*}}) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
  %bits:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  return
}

// CHECK-LABEL: func.func @communication(
func.func @communication(%x: tensor<2x3xf32>) {
  // CHECK: "stablehlo.all_reduce"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}>
  %all_reduce = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.reduce_scatter"(%{{.*}}) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}>
  %reduce_scatter = "stablehlo.reduce_scatter"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.all_gather"(%{{.*}}) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>}>
  %all_gather = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.all_to_all"(%{{.*}}) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}>
  %all_to_all = "stablehlo.all_to_all"(%x) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.collective_broadcast"(%{{.*}}) <{replica_groups = dense<0> : tensor<1x1xi64>}>
  %collective_broadcast = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.collective_permute"(%{{.*}}) <{source_target_pairs = dense<0> : tensor<1x2xi64>}>
  %collective_permute = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.cross-replica-sum"(%{{.*}}) <{replica_groups = dense<0> : tensor<1x1xi64>}>
  %cross_replica_sum = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: "stablehlo.partition_id"()
  %partition_id = "stablehlo.partition_id"() : () -> tensor<ui32>
  // CHECK: "stablehlo.replica_id"()
  %replica_id = "stablehlo.replica_id"() : () -> tensor<ui32>
  return
}

// Attributes and operations that are not defined here, and those of dialects for other compilers, are kept.
// CHECK: module @devices attributes {mhlo.num_partitions = 1 : i32}
module @devices attributes {mhlo.num_partitions = 1 : i32} {
  // CHECK: "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}>
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  // CHECK: func.func @f(%{{.*}}: tensor<f32> {jax.buffer_donor = true})
  func.func @f(%x: tensor<f32> {jax.buffer_donor = true}) {
    // CHECK: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}>
    %t = "stablehlo.recv"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> : (tensor<f32>) -> tensor<f32>
    return
  }
}
