//! The operations of VHLO with attributes other than the required accuracy of the result.

use crate::shape::Preset::{
    Case, Cases, Empty, EmptyArray, EmptyDictionary, EmptyString, EmptyTensor, False, Integer, Splat,
};
use crate::shape::{Property, Shape, booleans, channel, flag, integers, op, part, same, symbol, symbols};

/// The attributes of `all_gather_v1` and `all_gather_v2`.
const ALL_GATHER: &[Property] = &[
    same("all_gather_dim"),
    channel("channel_id").unless(Integer(0)),
    same("replica_groups"),
    flag("use_global_device_ids"),
];

/// The attributes of `all_reduce_v1` and `all_reduce_v2`.
const ALL_REDUCE: &[Property] =
    &[channel("channel_id").unless(Integer(0)), same("replica_groups"), flag("use_global_device_ids")];

/// The attributes of `all_to_all_v1` and `all_to_all_v2`.
const ALL_TO_ALL: &[Property] = &[
    channel("channel_id").unless(Integer(0)),
    same("concat_dimension"),
    same("replica_groups"),
    same("split_count"),
    same("split_dimension"),
];

/// The attributes of `batch_norm_grad_v1`, `batch_norm_inference_v1` and `batch_norm_training_v1`.
const BATCH_NORM: &[Property] = &[same("epsilon"), same("feature_index")];

/// The attributes of `composite_v1` and `composite_v2`.
const COMPOSITE: &[Property] = &[
    same("composite_attributes").unless(EmptyDictionary),
    symbol("decomposition"),
    same("name"),
    same("version").unless(Integer(0)),
];

/// The attributes of `concatenate_v1`, `get_dimension_size_v1` and `set_dimension_size_v1`.
const DIMENSION: &[Property] = &[same("dimension")];

/// The attributes of `convolution_v1` and `dynamic_conv_v1`.
const CONVOLUTION: &[Property] = &[
    same("batch_group_count"),
    same("feature_group_count"),
    part("input_batch_dimension"),
    part("input_feature_dimension"),
    part("input_spatial_dimensions"),
    part("kernel_input_feature_dimension"),
    part("kernel_output_feature_dimension"),
    part("kernel_spatial_dimensions"),
    integers("lhs_dilation").unless(Splat(1)),
    part("output_batch_dimension"),
    part("output_feature_dimension"),
    part("output_spatial_dimensions"),
    same("padding").unless(Splat(0)),
    same("precision_config").unless(Cases("DEFAULT")),
    integers("rhs_dilation").unless(Splat(1)),
    booleans("window_reversal").unless(Splat(0)),
    integers("window_strides").unless(Splat(1)),
];

/// The attributes of `dynamic_iota_v1` and `iota_v1`.
const IOTA: &[Property] = &[same("iota_dimension")];

/// The attributes of `einsum_v1` and `unary_einsum_v1`.
const EINSUM: &[Property] = &[same("einsum_config")];

/// The attributes of `map_v1`, `reduce_v1` and `reverse_v1`.
const DIMENSIONS: &[Property] = &[integers("dimensions")];

/// The attributes of `recv_v1` and `send_v1`.
const RECV: &[Property] = &[part("channel_id"), part("channel_type"), same("is_host_transfer").unless(False)];

/// The attributes of `recv_v2` and `send_v2`.
const TRANSFER: &[Property] = &[
    part("channel_id"),
    part("channel_type"),
    same("is_host_transfer").unless(False),
    same("source_target_pairs").unless(EmptyTensor),
];

/// The operations in ascending order of their names.
pub(crate) const OPS: &[Shape] = &[
    op("all_gather_v1", ALL_GATHER),
    op("all_gather_v2", ALL_GATHER),
    op("all_reduce_v1", ALL_REDUCE),
    op("all_reduce_v2", ALL_REDUCE),
    op("all_to_all_v1", ALL_TO_ALL),
    op("all_to_all_v2", ALL_TO_ALL),
    op("batch_norm_grad_v1", BATCH_NORM),
    op("batch_norm_inference_v1", BATCH_NORM),
    op("batch_norm_training_v1", BATCH_NORM),
    op("broadcast_in_dim_v1", &[integers("broadcast_dimensions")]),
    op("broadcast_v1", &[integers("broadcast_sizes")]),
    op("call_v1", &[symbol("callee")]),
    op("cholesky_v1", &[same("lower").unless(False)]),
    op("collective_broadcast_v1", &[channel("channel_id").unless(Integer(0)), same("replica_groups")]),
    op(
        "collective_broadcast_v2",
        &[channel("channel_id").unless(Integer(0)), flag("has_dynamic_root"), same("replica_groups")],
    ),
    op("collective_permute_v1", &[channel("channel_id").unless(Integer(0)), same("source_target_pairs")]),
    op(
        "collective_reduce_v1",
        &[
            channel("channel_id").unless(Integer(0)),
            flag("has_dynamic_root"),
            same("replica_groups"),
            flag("use_global_device_ids"),
        ],
    ),
    op("compare_v1", &[same("compare_type").unless(Case("NOTYPE")), same("comparison_direction")]),
    op("composite_v1", COMPOSITE),
    op("composite_v2", COMPOSITE),
    op("concatenate_v1", DIMENSION),
    op("constant_v1", &[same("value")]),
    op("convolution_v1", CONVOLUTION),
    op("cross-replica-sum_v1", &[same("replica_groups")]),
    op(
        "custom_call_v1",
        &[
            same("api_version").unless(Integer(1)),
            same("backend_config").unless(Empty),
            same("call_target_name"),
            symbols("called_computations").unless(EmptyArray),
            same("has_side_effect").unless(False),
            same("operand_layouts"),
            same("output_operand_aliases").unless(EmptyArray),
            same("result_layouts"),
        ],
    ),
    op(
        "custom_call_v2",
        &[
            same("api_version").unless(Integer(1)),
            same("backend_config").unless(Empty),
            same("call_target_name"),
            symbols("called_computations").unless(EmptyArray),
            same("has_side_effect").unless(False),
            same("operand_layouts"),
            same("output_operand_aliases").unless(EmptyArray),
            same("result_layouts"),
            same("result_tilings").unless(EmptyArray),
        ],
    ),
    op(
        "dot_general_v1",
        &[
            part("lhs_batching_dimensions"),
            part("lhs_contracting_dimensions"),
            same("precision_config").unless(Cases("DEFAULT")),
            part("rhs_batching_dimensions"),
            part("rhs_contracting_dimensions"),
        ],
    ),
    op(
        "dot_general_v2",
        &[
            part("accumulation_type"),
            part("allow_imprecise_accumulation"),
            part("lhs_batching_dimensions"),
            part("lhs_component_count"),
            part("lhs_contracting_dimensions"),
            part("lhs_precision_type"),
            part("num_primitive_operations"),
            same("precision_config").unless(Cases("DEFAULT")),
            part("rhs_batching_dimensions"),
            part("rhs_component_count"),
            part("rhs_contracting_dimensions"),
            part("rhs_precision_type"),
        ],
    ),
    op("dot_v1", &[same("precision_config").unless(Cases("DEFAULT"))]),
    op(
        "dynamic_broadcast_in_dim_v1",
        &[
            integers("broadcast_dimensions"),
            integers("known_expanding_dimensions").unless(EmptyTensor),
            integers("known_nonexpanding_dimensions").unless(EmptyTensor),
        ],
    ),
    op("dynamic_conv_v1", CONVOLUTION),
    op(
        "dynamic_conv_v2",
        &[
            same("batch_group_count"),
            same("feature_group_count"),
            part("input_batch_dimension"),
            part("input_feature_dimension"),
            part("input_spatial_dimensions"),
            part("kernel_input_feature_dimension"),
            part("kernel_output_feature_dimension"),
            part("kernel_spatial_dimensions"),
            integers("lhs_dilation").unless(Splat(1)),
            part("output_batch_dimension"),
            part("output_feature_dimension"),
            part("output_spatial_dimensions"),
            same("precision_config").unless(Cases("DEFAULT")),
            integers("rhs_dilation").unless(Splat(1)),
            booleans("window_reversal").unless(Splat(0)),
            integers("window_strides").unless(Splat(1)),
        ],
    ),
    op(
        "dynamic_gather_v1",
        &[
            part("collapsed_slice_dims"),
            part("index_vector_dim"),
            same("indices_are_sorted").unless(False),
            part("offset_dims"),
            part("start_index_map"),
        ],
    ),
    op(
        "dynamic_gather_v2",
        &[
            part("collapsed_slice_dims"),
            part("index_vector_dim"),
            same("indices_are_sorted").unless(False),
            part("offset_dims"),
            part("operand_batching_dims"),
            part("start_index_map"),
            part("start_indices_batching_dims"),
        ],
    ),
    op("dynamic_iota_v1", IOTA),
    op("dynamic_slice_v1", &[integers("slice_sizes")]),
    op("einsum_v1", EINSUM),
    op("fft_v1", &[integers("fft_length"), same("fft_type")]),
    op(
        "func_v1",
        &[
            same("arg_attrs").unless(EmptyArray),
            same("function_type"),
            same("res_attrs").unless(EmptyArray),
            same("sym_name"),
            same("sym_visibility").unless(EmptyString),
        ],
    ),
    op(
        "gather_v1",
        &[
            part("collapsed_slice_dims"),
            part("index_vector_dim"),
            same("indices_are_sorted").unless(False),
            part("offset_dims"),
            integers("slice_sizes"),
            part("start_index_map"),
        ],
    ),
    op(
        "gather_v2",
        &[
            part("collapsed_slice_dims"),
            part("index_vector_dim"),
            same("indices_are_sorted").unless(False),
            part("offset_dims"),
            part("operand_batching_dims"),
            integers("slice_sizes"),
            part("start_index_map"),
            part("start_indices_batching_dims"),
        ],
    ),
    op("get_dimension_size_v1", DIMENSION),
    op("get_tuple_element_v1", &[same("index")]),
    op("infeed_v1", &[same("infeed_config"), same("layout").unless(EmptyArray)]),
    op("iota_v1", IOTA),
    op("map_v1", DIMENSIONS),
    op("outfeed_v1", &[same("outfeed_config")]),
    op("pad_v1", &[integers("edge_padding_high"), integers("edge_padding_low"), integers("interior_padding")]),
    op("recv_v1", RECV),
    op("recv_v2", TRANSFER),
    op("reduce_precision_v1", &[same("exponent_bits"), same("mantissa_bits")]),
    op(
        "reduce_scatter_v1",
        &[
            channel("channel_id").unless(Integer(0)),
            same("replica_groups"),
            same("scatter_dimension"),
            flag("use_global_device_ids"),
        ],
    ),
    op("reduce_v1", DIMENSIONS),
    op(
        "reduce_window_v1",
        &[
            integers("base_dilations").unless(Splat(1)),
            same("padding").unless(Splat(0)),
            integers("window_dilations").unless(Splat(1)),
            integers("window_dimensions"),
            integers("window_strides").unless(Splat(1)),
        ],
    ),
    op("reverse_v1", DIMENSIONS),
    op("rng_bit_generator_v1", &[same("rng_algorithm")]),
    op("rng_v1", &[same("rng_distribution")]),
    op(
        "scatter_v1",
        &[
            part("index_vector_dim"),
            same("indices_are_sorted").unless(False),
            part("inserted_window_dims"),
            part("scatter_dims_to_operand_dims"),
            same("unique_indices").unless(False),
            part("update_window_dims"),
        ],
    ),
    op(
        "scatter_v2",
        &[
            part("index_vector_dim"),
            same("indices_are_sorted").unless(False),
            part("input_batching_dims"),
            part("inserted_window_dims"),
            part("scatter_dims_to_operand_dims"),
            part("scatter_indices_batching_dims"),
            same("unique_indices").unless(False),
            part("update_window_dims"),
        ],
    ),
    op(
        "select_and_scatter_v1",
        &[same("padding").unless(Splat(0)), integers("window_dimensions"), integers("window_strides").unless(Splat(1))],
    ),
    op("send_v1", RECV),
    op("send_v2", TRANSFER),
    op("set_dimension_size_v1", DIMENSION),
    op("slice_v1", &[integers("limit_indices"), integers("start_indices"), integers("strides")]),
    op("sort_v1", &[same("dimension").unless(Integer(-1)), same("is_stable").unless(False)]),
    op("torch_index_select_v1", &[same("batch_dims"), same("dim")]),
    op("transpose_v1", &[integers("permutation")]),
    op("triangular_solve_v1", &[same("left_side"), same("lower"), same("transpose_a"), same("unit_diagonal")]),
    op("unary_einsum_v1", EINSUM),
];
