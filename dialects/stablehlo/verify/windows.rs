//! Constraints of ops on windows: reductions of windows, their transpose, and convolutions.

use super::functions::{combines, reduced};
use super::{at_least, axis, has_length, has_rank, has_sizes, has_type, is_array, is_function, same_kind, scalar};
use crate::constraints::{Verdict, Violation, ensure, violates};
use crate::ir::{Attribute, Dim, Type, Value};
use crate::ops::FromAttribute;
use crate::ops::stablehlo::{ConvAttr, Convolution, DynamicConv, ReduceWindow, SelectAndScatter};

/// The attributes of windows, of which each has an element for each axis.
struct Windows {
    sizes: Vec<i64>,
    /// The least size of a window: 1 for an attribute, 0 for the size of a kernel.
    least: i64,
    strides: Option<Vec<i64>>,
    base_dilations: Option<Vec<i64>>,
    dilations: Option<Vec<i64>>,
    padding: Padding,
}

/// The padding of each axis.
enum Padding {
    Known(Option<Attribute>),
    Computed,
}

impl Windows {
    /// Checks the attributes of windows on `rank` axes, and returns the numbers of windows on axes of these sizes.
    fn counts(&self, label: &'static str, whole: &[Dim]) -> Result<Vec<Dim>, Violation> {
        let rank = whole.len();
        has_length(label, "window_dimensions", self.sizes.len(), rank)?;
        at_least(label, "window_dimensions", &self.sizes, self.least)?;
        let list = |name: &str, list: &Option<Vec<i64>>| {
            let mut list = list.clone().unwrap_or_else(|| vec![1; rank]);
            // JAX writes more elements than needed where the padding is computed.
            if matches!(self.padding, Padding::Computed) && list.len() > rank {
                list.truncate(rank);
            }
            has_length(label, name, list.len(), rank)?;
            at_least(label, name, &list, 1)?;
            Ok(list)
        };
        let strides = list("window_strides", &self.strides)?;
        let base = list("base_dilations", &self.base_dilations)?;
        let dilations = list("window_dilations", &self.dilations)?;
        let padding = match self.padding {
            Padding::Known(None) => vec![0; 2 * rank],
            Padding::Known(Some(attribute)) => pairs(label, attribute, rank)?,
            Padding::Computed => return Ok(vec![None; rank]),
        };
        let count = |k: usize| {
            let n = whole[k]? as i128;
            let dilated = if n == 0 { 0 } else { (n - 1) * base[k] as i128 + 1 };
            let padded = dilated + padding[2 * k] as i128 + padding[2 * k + 1] as i128;
            let extent = (self.sizes[k] as i128 - 1).max(0) * dilations[k] as i128 + 1;
            let extent = if self.sizes[k] == 0 { 0 } else { extent };
            let is_empty = padded <= 0 || extent > padded;
            usize::try_from(if is_empty { 0 } else { (padded - extent) / strides[k] as i128 + 1 }).ok()
        };
        Ok((0..rank).map(count).collect())
    }
}

/// Returns the elements of `padding`, an array of `rank` pairs.
fn pairs(label: &'static str, attribute: Attribute, rank: usize) -> Result<Vec<i64>, Violation> {
    let expected = Type::tensor(&[Some(rank), Some(2)], attribute.context().signless(64));
    let Some(bytes) = (attribute.ty() == expected).then(|| attribute.dense_bytes(8)).flatten() else {
        return violates(label, format!("`padding` must have type {expected}, found {attribute}"));
    };
    let numbers = bytes.chunks_exact(8).map(|n| i64::from_le_bytes(n.try_into().expect("chunks of 8 bytes")));
    // A splat has one element.
    Ok(numbers.cycle().take(2 * rank).collect())
}

pub fn reduce_window(op: ReduceWindow) -> Verdict {
    let inputs = op.inputs();
    reduced(&inputs, &op.init_values(), &op.results())?;
    let windows = Windows {
        sizes: op.window_dimensions(),
        least: 1,
        strides: op.window_strides(),
        base_dilations: op.base_dilations(),
        dilations: op.window_dilations(),
        padding: Padding::Known(op.padding()),
    };
    let sizes = windows.counts("C2", &inputs[0].ty().shape())?;
    op.results().into_iter().try_for_each(|z| has_sizes("C3", ("results", z), &sizes))?;
    combines("C4", "body", op.body(), &op.results())
}

pub fn select_and_scatter(op: SelectAndScatter) -> Verdict {
    let x = op.operand().ty();
    has_type("C1", ("init_value", op.init_value()), scalar(x))?;
    let windows = Windows {
        sizes: op.window_dimensions().unwrap_or_else(|| vec![1; x.rank()]),
        least: 1,
        strides: op.window_strides(),
        base_dilations: None,
        dilations: None,
        padding: Padding::Known(op.padding()),
    };
    let sizes = windows.counts("C2", &x.shape())?;
    is_array("C3", ("source", op.source()), &sizes, x.scalar())?;
    has_sizes("C4", ("result", op.result()), &x.shape())?;
    let boolean = Type::tensor(&[], x.context().signless(1));
    is_function("C5", "select", op.select(), &[scalar(x); 2], &[boolean])?;
    combines("C5", "scatter", op.scatter(), &[op.result()])
}

pub fn convolution(op: Convolution) -> Verdict {
    let sides = Sides { lhs: op.lhs(), rhs: op.rhs(), result: op.result() };
    let groups = (op.feature_group_count(), op.batch_group_count());
    let windows = (op.window_strides(), op.lhs_dilation(), op.rhs_dilation());
    convolved(sides, op.dimension_numbers(), groups, windows, op.window_reversal(), Padding::Known(op.padding()))
}

pub fn dynamic_conv(op: DynamicConv) -> Verdict {
    let sides = Sides { lhs: op.lhs(), rhs: op.rhs(), result: op.result() };
    let groups = (op.feature_group_count(), op.batch_group_count());
    let windows = (op.window_strides(), op.lhs_dilation(), op.rhs_dilation());
    convolved(sides, op.dimension_numbers(), groups, windows, op.window_reversal(), Padding::Computed)?;
    let padding = op.padding().ty();
    let rank = op.lhs().ty().rank() - 2;
    has_sizes("C5", ("padding", op.padding()), &[Some(rank), Some(2)])?;
    super::has_elements("C5", ("padding", op.padding()), super::INTEGERS)?;
    ensure(padding.rank() == 2, "C5", || format!("`padding` must have 2 axes, found {padding}"))
}

struct Sides {
    lhs: Value,
    rhs: Value,
    result: Value,
}

fn convolved(
    sides: Sides,
    numbers: Attribute,
    (feature_groups, batch_groups): (i64, i64),
    (strides, base_dilations, dilations): (Option<Vec<i64>>, Option<Vec<i64>>, Option<Vec<i64>>),
    reversal: Option<Attribute>,
    padding: Padding,
) -> Verdict {
    let Some(numbers) = ConvAttr::from_attribute(numbers) else { return violates("C1", "expected `#stablehlo.conv`") };
    let spatial = numbers.input_spatial_dimensions.len();
    let rank = spatial + 2;
    for cause in [("lhs", sides.lhs), ("rhs", sides.rhs), ("result", sides.result)] {
        has_rank("C1", cause, rank)?;
    }
    has_length("C1", "dimension_numbers", numbers.kernel_spatial_dimensions.len(), spatial)?;
    has_length("C1", "dimension_numbers", numbers.output_spatial_dimensions.len(), spatial)?;
    same_kind("C1", ("lhs", sides.lhs), ("rhs", sides.rhs))?;
    same_kind("C1", ("lhs", sides.lhs), ("result", sides.result))?;
    let (x, w) = (sides.lhs.ty().shape(), sides.rhs.ty().shape());
    let at = |sizes: &[Dim], number: i64| axis("C1", "dimension_numbers", number, rank).map(|k| sizes[k]);
    at_least("C2", "feature_group_count", &[feature_groups], 1)?;
    at_least("C2", "batch_group_count", &[batch_groups], 1)?;
    ensure(feature_groups == 1 || batch_groups == 1, "C2", || {
        format!("only one kind of group may have more than one, found {feature_groups} and {batch_groups}")
    })?;
    let (batch, channels) = (at(&x, numbers.input_batch_dimension)?, at(&x, numbers.input_feature_dimension)?);
    let inner = at(&w, numbers.kernel_input_feature_dimension)?;
    let features = at(&w, numbers.kernel_output_feature_dimension)?;
    let divides = |n: Dim, groups: i64| n.is_none_or(|n| n as i64 % groups == 0);
    let of_group = channels.map(|n| n / feature_groups as usize);
    let fits = divides(batch, batch_groups)
        && divides(channels, feature_groups)
        && divides(features, feature_groups)
        && divides(features, batch_groups)
        && super::size_agrees(inner, of_group);
    ensure(fits, "C3", || {
        format!(
            "the groups must divide batch and features of {} and {}, found {feature_groups} and {batch_groups}",
            sides.lhs.ty(),
            sides.rhs.ty()
        )
    })?;
    if let Some(reversal) = reversal.and_then(Attribute::as_bool_array) {
        has_length("C4", "window_reversal", reversal.len(), spatial)?;
    }
    let part = |sizes: &[Dim], numbers: &[i64]| numbers.iter().map(|&k| at(sizes, k)).collect::<Result<Vec<Dim>, _>>();
    let kernel = part(&w, &numbers.kernel_spatial_dimensions)?;
    let is_known = kernel.iter().all(Option::is_some);
    let sizes = kernel.into_iter().map(|n| n.unwrap_or(1) as i64).collect();
    let windows = Windows { sizes, least: 0, strides, base_dilations, dilations, padding };
    let counts = windows.counts("C4", &part(&x, &numbers.input_spatial_dimensions)?)?;
    let mut expected = vec![None; rank];
    let mut set = |number: i64, n: Dim| axis("C1", "dimension_numbers", number, rank).map(|k| expected[k] = n);
    set(numbers.output_batch_dimension, batch.map(|n| n / batch_groups as usize))?;
    set(numbers.output_feature_dimension, features)?;
    for (&number, &n) in numbers.output_spatial_dimensions.iter().zip(&counts) {
        set(number, n.filter(|_| is_known))?;
    }
    has_sizes("C5", ("result", sides.result), &expected)
}
