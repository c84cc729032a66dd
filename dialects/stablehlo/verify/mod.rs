//! The numbered constraints of `stablehlo.td` and `chlo.td`. They are those of StableHLO's specification on operands,
//! attributes, results and regions, so that `stablehlo-to-array` need not check them again. Sizes that are not known
//! agree with all sizes, and element types that are not in the specification, such as quantised ones, with all types;
//! that pass refuses them.

mod control;
mod elements;
mod functions;
mod indexed;
mod products;
mod shapes;
mod windows;

use crate::constraints::{Verdict, Violation, ensure, ensure_by, violates};
use crate::ir::{Block, Dim, Lookup, Type, Value, types_of};
use crate::ops::chlo::{self, ChloOp};
use crate::ops::stablehlo::{BinaryOp, CollectiveOp, Return, StablehloOp, UnaryOp};
use crate::text::count;

/// A value with its name in the `.td`; a note shows its definition.
type Cause = (&'static str, Value);

/// Checks the constraints of one op that depend on the op alone.
pub fn verify(op: StablehloOp) -> Verdict {
    use StablehloOp::*;
    match op {
        Abs(_)
        | BitcastConvert(_)
        | Cbrt(_)
        | Ceil(_)
        | Convert(_)
        | Cosine(_)
        | CountLeadingZeros(_)
        | Exponential(_)
        | ExponentialMinusOne(_)
        | Floor(_)
        | Imag(_)
        | IsFinite(_)
        | Log(_)
        | LogPlusOne(_)
        | Logistic(_)
        | Negate(_)
        | Not(_)
        | Popcnt(_)
        | Real(_)
        | RoundNearestAfz(_)
        | RoundNearestEven(_)
        | Rsqrt(_)
        | Sign(_)
        | Sine(_)
        | Sqrt(_)
        | Tan(_)
        | Tanh(_) => UnaryOp::of(op.op()).map_or(Ok(()), elements::unary),
        Add(_)
        | And(_)
        | Atan2(_)
        | Complex(_)
        | Divide(_)
        | Maximum(_)
        | Minimum(_)
        | Multiply(_)
        | Or(_)
        | Power(_)
        | Remainder(_)
        | ShiftLeft(_)
        | ShiftRightArithmetic(_)
        | ShiftRightLogical(_)
        | Subtract(_)
        | Xor(_) => BinaryOp::of(op.op()).map_or(Ok(()), elements::binary),
        Compare(op) => elements::compare(op),
        Select(op) => elements::select(op),
        Clamp(op) => elements::clamp(op),
        ReducePrecision(op) => elements::reduce_precision(op),
        Constant(op) => shapes::constant(op.value(), op.result()),
        Iota(op) => shapes::iota(op),
        DynamicIota(op) => shapes::dynamic_iota(op),
        Broadcast(op) => shapes::broadcast(op),
        BroadcastInDim(op) => shapes::broadcast_in_dim(op),
        DynamicBroadcastInDim(op) => shapes::dynamic_broadcast_in_dim(op),
        Reshape(op) => shapes::reshape(op),
        DynamicReshape(op) => shapes::dynamic_reshape(op),
        Transpose(op) => shapes::transpose(op),
        Reverse(op) => shapes::reverse(op),
        Concatenate(op) => shapes::concatenate(op),
        Pad(op) => shapes::pad(op),
        DynamicPad(op) => shapes::dynamic_pad(op),
        Slice(op) => shapes::slice(op),
        RealDynamicSlice(op) => shapes::real_dynamic_slice(op),
        GetDimensionSize(op) => shapes::get_dimension_size(op),
        SetDimensionSize(op) => shapes::set_dimension_size(op),
        DynamicSlice(op) => indexed::dynamic_slice(op),
        DynamicUpdateSlice(op) => indexed::dynamic_update_slice(op),
        Gather(op) => indexed::gather(op),
        DynamicGather(op) => indexed::dynamic_gather(op),
        TorchIndexSelect(op) => indexed::torch_index_select(op),
        Scatter(op) => indexed::scatter(op),
        Reduce(op) => functions::reduce(op),
        Sort(op) => functions::sort(op),
        Map(op) => functions::map(op),
        ReduceWindow(op) => windows::reduce_window(op),
        SelectAndScatter(op) => windows::select_and_scatter(op),
        Convolution(op) => windows::convolution(op),
        DynamicConv(op) => windows::dynamic_conv(op),
        DotGeneral(op) => products::dot_general(op),
        Dot(op) => products::dot(op),
        Einsum(op) => products::einsum(op),
        UnaryEinsum(op) => products::unary_einsum(op),
        Fft(op) => products::fft(op),
        Cholesky(op) => products::cholesky(op),
        TriangularSolve(op) => products::triangular_solve(op),
        BatchNormTraining(op) => products::batch_norm_training(op),
        BatchNormInference(op) => products::batch_norm_inference(op),
        BatchNormGrad(op) => products::batch_norm_grad(op),
        Rng(op) => products::rng(op),
        RngBitGenerator(op) => products::rng_bit_generator(op),
        While(op) => control::while_loop(op),
        If(op) => control::branch(op),
        Case(op) => control::case(op),
        Return(op) => control::end(op),
        Tuple(op) => control::tuple(op),
        GetTupleElement(op) => control::get_tuple_element(op),
        OptimizationBarrier(op) => control::optimization_barrier(op),
        CreateToken(op) => control::token("C1", ("output", op.output())),
        AfterAll(op) => control::after_all(op),
        AllReduce(_)
        | ReduceScatter(_)
        | AllGather(_)
        | AllToAll(_)
        | CollectiveBroadcast(_)
        | CollectivePermute(_)
        | CrossReplicaSum(_) => CollectiveOp::of(op.op()).map_or(Ok(()), control::collective),
        PartitionId(_) | ReplicaId(_) => control::number_of_device(op.op().result(0)),
        // Their meaning is that of the functions that they name.
        Composite(_) | CustomCall(_) => Ok(()),
    }
}

/// Checks the constraints of one op of CHLO.
pub fn verify_chlo(op: ChloOp) -> Verdict {
    use ChloOp::*;
    match op {
        Acos(_) | Acosh(_) | Asin(_) | Asinh(_) | Atan(_) | Atanh(_) | BesselI1e(_) | Conj(_) | Cosh(_)
        | Digamma(_) | Erf(_) | ErfInv(_) | Erfc(_) | IsInf(_) | IsNegInf(_) | IsPosInf(_) | Lgamma(_) | Sinh(_)
        | Square(_) | Tan(_) => chlo::UnaryOp::of(op.op()).map_or(Ok(()), elements::chlo_unary),
        NextAfter(_) | Polygamma(_) | Zeta(_) => chlo::BinaryOp::of(op.op()).map_or(Ok(()), elements::chlo_binary),
        Constant(op) => shapes::constant(op.value(), op.result()),
        TopK(op) => functions::top_k(op),
    }
}

/// Checks the constraints of the symbols to which an op refers.
pub fn verify_symbols(op: StablehloOp, lookup: Lookup) -> Verdict {
    match op {
        StablehloOp::Composite(op) => control::composite(op, lookup),
        _ => Ok(()),
    }
}

/// A set of kinds of elements.
type Elements = u8;
const BOOLEANS: Elements = 1;
const INTEGERS: Elements = 2;
const FLOATS: Elements = 4;
const COMPLEX: Elements = 8;
const ALL: Elements = 15;

/// Returns the kind of the elements of `ty`: a set of one, or of all for elements that the specification does not have.
fn elements_of(ty: Type) -> Elements {
    let scalar = ty.scalar();
    match scalar.integer() {
        Some((1, _)) => BOOLEANS,
        Some(_) => INTEGERS,
        None if scalar.is_index() => INTEGERS,
        None if scalar.complex_part().is_some() => COMPLEX,
        None if scalar.float_width().is_some() => FLOATS,
        None => ALL,
    }
}

/// Formats a set: `integers, floats or complex numbers`.
fn in_words(elements: Elements) -> String {
    let names = [(BOOLEANS, "booleans"), (INTEGERS, "integers"), (FLOATS, "floats"), (COMPLEX, "complex numbers")];
    let names: Vec<&str> = names.iter().filter(|(kind, _)| elements & kind != 0).map(|(_, name)| *name).collect();
    match names.split_last() {
        Some((last, [])) => last.to_string(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Checks that the elements of a value are of one of these kinds.
fn has_elements(label: &'static str, cause: Cause, allowed: Elements) -> Verdict {
    let ty = cause.1.ty();
    ensure_by(cause, elements_of(ty) & allowed != 0, label, || {
        format!("`{}` must be an array of {}, found {ty}", cause.0, in_words(allowed))
    })
}

/// Checks that two values have elements of the same kind.
fn same_kind(label: &'static str, x: Cause, y: Cause) -> Verdict {
    let (of_x, of_y) = (x.1.ty(), y.1.ty());
    ensure_by(x, elements_of(of_x) & elements_of(of_y) != 0, label, || {
        format!("`{}` and `{}` must have elements of the same kind, found {of_x} and {of_y}", x.0, y.0)
    })
}

/// Checks whether two lists of sizes are equal as far as they are known.
fn sizes_agree(x: &[Dim], y: &[Dim]) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| size_agrees(x, y))
}

fn size_agrees(x: Dim, y: Dim) -> bool {
    x.is_none() || y.is_none() || x == y
}

/// Checks whether two types are equal, apart from sizes that are not known and from encodings.
fn agrees(x: Type, y: Type) -> bool {
    x == y || x.is_tensor() && y.is_tensor() && x.scalar() == y.scalar() && sizes_agree(&x.shape(), &y.shape())
}

/// Checks that a value has the type `expected`.
fn has_type(label: &'static str, cause: Cause, expected: Type) -> Verdict {
    let found = cause.1.ty();
    ensure_by(cause, agrees(found, expected), label, || {
        format!("`{}` must have type {expected}, found {found}", cause.0)
    })
}

/// Checks that a value has these sizes, and the elements of type `element`.
fn is_array(label: &'static str, cause: Cause, sizes: &[Dim], element: Type) -> Verdict {
    has_type(label, cause, Type::tensor(sizes, element))
}

/// Checks that a value has these sizes.
fn has_sizes(label: &'static str, cause: Cause, sizes: &[Dim]) -> Verdict {
    is_array(label, cause, sizes, cause.1.ty().scalar())
}

/// Checks that a value has this number of axes.
fn has_rank(label: &'static str, cause: Cause, rank: usize) -> Verdict {
    let ty = cause.1.ty();
    ensure_by(cause, ty.rank() == rank, label, || {
        format!("`{}` must have {}, found {ty}", cause.0, count(rank, "axis"))
    })
}

/// Checks that a value is a scalar integer.
fn is_position(label: &'static str, cause: Cause) -> Verdict {
    has_rank(label, cause, 0)?;
    has_elements(label, cause, INTEGERS)
}

/// Checks that a value is a vector of `length` integers.
fn is_list(label: &'static str, cause: Cause, length: usize) -> Verdict {
    let ty = cause.1.ty();
    let is_list = ty.shape() == [Some(length)] && elements_of(ty) & INTEGERS != 0;
    ensure_by(cause, is_list, label, || {
        format!("`{}` must be a vector of {}, found {ty}", cause.0, count(length, "integer"))
    })
}

/// Checks that a list in an attribute has this length.
fn has_length(label: &'static str, name: &str, found: usize, expected: usize) -> Verdict {
    ensure(found == expected, label, || format!("`{name}` must have {}, found {found}", count(expected, "element")))
}

/// Checks that the numbers in an attribute are at least `least`.
fn at_least(label: &'static str, name: &str, numbers: &[i64], least: i64) -> Verdict {
    match numbers.iter().find(|&&n| n < least) {
        Some(n) => violates(label, format!("`{name}` must be at least {least}, found {n}")),
        None => Ok(()),
    }
}

/// Returns the number of an axis of an array of rank `rank`.
fn axis(label: &'static str, name: &str, number: i64, rank: usize) -> Result<usize, Violation> {
    match usize::try_from(number) {
        Ok(axis) if axis < rank => Ok(axis),
        _ => violates(label, format!("`{name}` must be at least 0 and less than {rank}, found {number}")),
    }
}

/// Returns different axes of an array of rank `rank`.
fn axes(label: &'static str, name: &str, numbers: &[i64], rank: usize) -> Result<Vec<usize>, Violation> {
    let axes: Vec<usize> = numbers.iter().map(|&n| axis(label, name, n, rank)).collect::<Result<_, _>>()?;
    match (1..axes.len()).find(|&k| axes[..k].contains(&axes[k])) {
        Some(k) => violates(label, format!("`{name}` must contain each axis once, found {} again", axes[k])),
        None => Ok(axes),
    }
}

/// Checks that two lists of axes have no axis in common.
fn disjoint(label: &'static str, (x, xs): (&str, &[usize]), (y, ys): (&str, &[usize])) -> Verdict {
    match xs.iter().find(|axis| ys.contains(axis)) {
        Some(axis) => violates(label, format!("`{x}` and `{y}` must not have axis {axis} in common")),
        None => Ok(()),
    }
}

/// Returns a size that was computed from other sizes.
fn size(label: &'static str, axis: usize, n: i128) -> Result<Dim, Violation> {
    match i64::try_from(n) {
        Ok(n) if n >= 0 => Ok(Some(n as usize)),
        _ => violates(label, format!("axis {axis} of the result must have a size of at least 0, found {n}")),
    }
}

/// Checks that a function in a region takes values of the types `arguments`, and returns values of the types `results`.
fn is_function(label: &'static str, name: &str, block: Block, arguments: &[Type], results: &[Type]) -> Verdict {
    let all_agree = |x: &[Type], y: &[Type]| x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| agrees(x, y));
    let found = types_of(&block.arguments());
    ensure(all_agree(&found, arguments), label, || {
        format!("the region `{name}` must take {}, found {}", list(arguments), list(&found))
    })?;
    let Some(end) = block.terminator().and_then(Return::of) else {
        return violates(label, format!("the region `{name}` must end in `stablehlo.return`"));
    };
    let found = types_of(&end.results());
    ensure(all_agree(&found, results), label, || {
        format!("the region `{name}` must return {}, found {}", list(results), list(&found))
    })
}

/// Formats types: `(tensor<f32>, tensor<f32>)`.
fn list(types: &[Type]) -> String {
    let types: Vec<String> = types.iter().map(Type::to_string).collect();
    format!("({})", types.join(", "))
}

/// Returns the type of a scalar with elements like those of `ty`.
fn scalar(ty: Type) -> Type {
    Type::tensor(&[], ty.scalar())
}
