//! The operations of artifacts: those of VHLO, and of dialects that programs may mix with it.

use crate::shape::{Preset, Property, Shape, op, same};
use crate::vhlo;

/// Returns the operation `name` of `dialect`.
pub(crate) fn find(dialect: &str, name: &str) -> Option<Shape> {
    match dialect {
        "vhlo" => find_in(vhlo::OPS, name).or_else(|| find_named(PLAIN, name, &[])).or_else(|| {
            find_named(WITH_ACCURACY, name, const { &[same("result_accuracy").unless(Preset::DefaultAccuracy)] })
        }),
        "chlo" => find_in(CHLO, name)
            .or_else(|| find_named(CHLO_PLAIN, name, &[]))
            .or_else(|| find_named(CHLO_BROADCAST, name, const { &[same("broadcast_dimensions").optional()] })),
        "sdy" => find_in(SDY, name),
        "builtin" => find_in(BUILTIN, name),
        _ => None,
    }
}

/// Returns the operation `name` of a table in ascending order of names.
fn find_in(ops: &[Shape], name: &str) -> Option<Shape> {
    ops.binary_search_by(|op| op.name.cmp(name)).ok().map(|index| ops[index])
}

/// Returns the operation `name` of a list of operations that all have the attributes `properties`.
fn find_named(names: &'static str, name: &str, properties: &'static [Property]) -> Option<Shape> {
    names.split_ascii_whitespace().find(|found| *found == name).map(|name| op(name, properties))
}

/// The operations of the builtin dialect.
const BUILTIN: &[Shape] = &[
    op("module", &[same("sym_name").optional(), same("sym_visibility").optional()]),
    op("unrealized_conversion_cast", &[]),
];

/// Operations of CHLO, which artifacts contain in programs that mix dialects.
const CHLO: &[Shape] =
    &[op("constant", &[same("value")]), op("constant_like", &[same("value")]), op("top_k", &[same("k")])];

/// Operations of Shardy's dialect, which artifacts of JAX contain.
const SDY: &[Shape] = &[
    op("manual_computation", &[same("in_shardings"), same("manual_axes"), same("out_shardings")]),
    op("mesh", &[same("mesh"), same("sym_name")]),
    op("named_computation", &[same("in_shardings").optional(), same("name"), same("out_shardings").optional()]),
    op("reshard", &[same("sharding")]),
    op("return", &[]),
    op("sharding_constraint", &[same("sharding")]),
    op("sharding_group", &[same("group_id")]),
];

/// Operations of CHLO without attributes.
const CHLO_PLAIN: &str = "
    acos acosh asin asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf is_neg_inf is_pos_inf
    lgamma next_after polygamma sinh square tan zeta
";

/// Operations of CHLO that broadcast their operands.
const CHLO_BROADCAST: &str = "
    broadcast_add broadcast_and broadcast_atan2 broadcast_complex broadcast_divide broadcast_maximum
    broadcast_minimum broadcast_multiply broadcast_next_after broadcast_or broadcast_polygamma broadcast_power
    broadcast_remainder broadcast_shift_left broadcast_shift_right_arithmetic broadcast_shift_right_logical
    broadcast_subtract broadcast_xor broadcast_zeta
";

/// Operations of VHLO without attributes.
const PLAIN: &str = "
    abs_v1 add_v1 after_all_v1 and_v1 async_done_v1 async_start_v1 atan2_v1 bitcast_convert_v1 case_v1 cbrt_v1
    ceil_v1 clamp_v1 complex_v1 convert_v1 cosine_v1 count_leading_zeros_v1 create_token_v1 divide_v1 dynamic_pad_v1
    dynamic_reshape_v1 dynamic_update_slice_v1 exponential_minus_one_v1 exponential_v1 floor_v1 if_v1 imag_v1
    is_finite_v1 log_plus_one_v1 log_v1 logistic_v1 maximum_v1 minimum_v1 multiply_v1 negate_v1 not_v1
    optimization_barrier_v1 or_v1 partition_id_v1 popcnt_v1 power_v1 real_dynamic_slice_v1 real_v1 remainder_v1
    replica_id_v1 reshape_v1 return_v1 round_nearest_afz_v1 round_nearest_even_v1 rsqrt_v1 select_v1 shift_left_v1
    shift_right_arithmetic_v1 shift_right_logical_v1 sign_v1 sine_v1 sqrt_v1 subtract_v1 tan_v1 tanh_v1 tuple_v1
    uniform_dequantize_v1 uniform_quantize_v1 while_v1 xor_v1
";

/// Operations of VHLO whose only attribute is the required accuracy of the result.
const WITH_ACCURACY: &str = "
    cbrt_v2 cosine_v2 exponential_minus_one_v2 exponential_v2 log_plus_one_v2 log_v2 logistic_v2 rsqrt_v2 sine_v2
    sqrt_v2 tan_v2 tanh_v2
";

#[cfg(test)]
mod tests {
    use super::{BUILTIN, CHLO, SDY};
    use crate::vhlo;

    /// Binary search and the order of properties rely on ascending names.
    #[test]
    fn names_are_sorted() {
        for ops in [vhlo::OPS, CHLO, SDY, BUILTIN] {
            assert!(ops.is_sorted_by(|a, b| a.name < b.name));
            assert!(ops.iter().all(|op| op.properties.is_sorted_by(|a, b| a.name < b.name)));
        }
    }
}
