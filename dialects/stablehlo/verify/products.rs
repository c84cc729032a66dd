//! Constraints of products, transforms and decompositions, of normalisation, and of random numbers.

use super::{
    COMPLEX, Cause, FLOATS, INTEGERS, axes, axis, elements_of, has_elements, has_rank, has_type, in_words, is_array,
    is_list, same_kind, scalar, size_agrees, sizes_agree,
};
use crate::constraints::{Verdict, Violation, ensure, ensure_by, violates};
use crate::ir::{Dim, Type, Value};
use crate::ops::stablehlo::{
    BatchNormGrad, BatchNormInference, BatchNormTraining, Cholesky, Dot, DotAttr, DotGeneral, Einsum, Fft, Rng,
    RngBitGenerator, TriangularSolve, UnaryEinsum,
};
use crate::ops::{FftType, FromAttribute, RngAlgorithm};
use std::collections::HashMap;

/// Checks that the elements of both factors and of the product are of the same kind.
fn is_product(lhs: Value, rhs: Value, result: Value) -> Verdict {
    same_kind("C1", ("lhs", lhs), ("rhs", rhs))?;
    same_kind("C1", ("lhs", lhs), ("result", result))
}

/// Checks that the axes of the two operands in each pair have the same size.
fn pairs(name: &str, x: Type, y: Type, axes_of_x: &[usize], axes_of_y: &[usize]) -> Verdict {
    let (of_x, of_y) = (x.shape(), y.shape());
    ensure(axes_of_x.len() == axes_of_y.len(), "C2", || {
        format!("expected as many {name} axes of both operands, found {} and {}", axes_of_x.len(), axes_of_y.len())
    })?;
    match axes_of_x.iter().zip(axes_of_y).find(|&(&i, &j)| !size_agrees(of_x[i], of_y[j])) {
        Some((i, j)) => violates("C3", format!("axis {i} of {x} and axis {j} of {y} must have the same size")),
        None => Ok(()),
    }
}

pub fn dot_general(op: DotGeneral) -> Verdict {
    is_product(op.lhs(), op.rhs(), op.result())?;
    let Some(numbers) = DotAttr::from_attribute(op.dot_dimension_numbers()) else {
        return violates("C2", "expected `#stablehlo.dot`");
    };
    let (x, y) = (op.lhs().ty(), op.rhs().ty());
    let batch_of_x = axes("C2", "lhs_batching_dimensions", &numbers.lhs_batching_dimensions, x.rank())?;
    let batch_of_y = axes("C2", "rhs_batching_dimensions", &numbers.rhs_batching_dimensions, y.rank())?;
    let summed_of_x = axes("C2", "lhs_contracting_dimensions", &numbers.lhs_contracting_dimensions, x.rank())?;
    let summed_of_y = axes("C2", "rhs_contracting_dimensions", &numbers.rhs_contracting_dimensions, y.rank())?;
    pairs("batching", x, y, &batch_of_x, &batch_of_y)?;
    pairs("contracting", x, y, &summed_of_x, &summed_of_y)?;
    super::disjoint("C2", ("lhs_batching_dimensions", &batch_of_x), ("lhs_contracting_dimensions", &summed_of_x))?;
    super::disjoint("C2", ("rhs_batching_dimensions", &batch_of_y), ("rhs_contracting_dimensions", &summed_of_y))?;
    let others = |ty: Type, batch: &[usize], summed: &[usize]| -> Vec<Dim> {
        let is_other = |k: &usize| !batch.contains(k) && !summed.contains(k);
        (0..ty.rank()).filter(is_other).map(|k| ty.shape()[k]).collect()
    };
    let mut sizes: Vec<Dim> =
        batch_of_x.iter().zip(&batch_of_y).map(|(&i, &j)| x.shape()[i].or(y.shape()[j])).collect();
    sizes.extend(others(x, &batch_of_x, &summed_of_x));
    sizes.extend(others(y, &batch_of_y, &summed_of_y));
    is_array("C4", ("result", op.result()), &sizes, op.result().ty().scalar())
}

pub fn dot(op: Dot) -> Verdict {
    is_product(op.lhs(), op.rhs(), op.result())?;
    let (x, y) = (op.lhs().ty(), op.rhs().ty());
    let fits = |ty: Type| (1..=2).contains(&ty.rank());
    ensure(fits(x) && fits(y), "C2", || format!("expected vectors or matrices, found {x} and {y}"))?;
    pairs("contracting", x, y, &[x.rank() - 1], &[0])?;
    let sizes = [&x.shape()[..x.rank() - 1], &y.shape()[1..]].concat();
    is_array("C4", ("result", op.result()), &sizes, op.result().ty().scalar())
}

/// The letters of the axes of each operand and of the result: `ij,jk->ik`.
fn letters(config: &str, operands: usize) -> Result<Vec<Vec<char>>, Violation> {
    let malformed =
        || format!("`einsum_config` must name the axes of {operands} operands by letters, found {config:?}");
    let Some((left, right)) = config.split_once("->") else { return violates("C2", malformed()) };
    let parts: Vec<Vec<char>> =
        left.split(',').chain([right]).map(|part| part.chars().filter(|c| *c != ' ').collect()).collect();
    let is_letter = |c: &char| c.is_ascii_alphabetic();
    let fits = parts.len() == operands + 1 && parts.iter().flatten().all(is_letter);
    ensure(fits, "C2", malformed)?;
    Ok(parts)
}

/// Checks that the axes of each operand have the sizes of their letters, and the result those of its own.
fn has_letters(config: &str, operands: &[Cause], result: Value) -> Verdict {
    let parts = letters(config, operands.len())?;
    let (last, parts) = parts.split_last().expect("there is a result");
    let mut sizes: HashMap<char, Dim> = HashMap::new();
    for (&cause, part) in operands.iter().zip(parts) {
        has_rank("C3", cause, part.len())?;
        for (&letter, n) in part.iter().zip(cause.1.ty().shape()) {
            let known = sizes.entry(letter).or_default();
            ensure_by(cause, size_agrees(*known, n), "C3", || {
                format!("all axes `{letter}` must have the same size, found {}", cause.1.ty())
            })?;
            *known = known.or(n);
        }
    }
    let mut expected = Vec::new();
    for (k, letter) in last.iter().enumerate() {
        let known = sizes.get(letter).filter(|_| !last[..k].contains(letter));
        let Some(&n) = known else {
            return violates("C2", format!("the result must name axes of the operands once each, found {config:?}"));
        };
        expected.push(n);
    }
    super::has_sizes("C4", ("result", result), &expected)
}

pub fn einsum(op: Einsum) -> Verdict {
    is_product(op.lhs(), op.rhs(), op.result())?;
    has_letters(&op.einsum_config(), &[("lhs", op.lhs()), ("rhs", op.rhs())], op.result())
}

pub fn unary_einsum(op: UnaryEinsum) -> Verdict {
    same_kind("C1", ("operand", op.operand()), ("result", op.result()))?;
    has_letters(&op.einsum_config(), &[("operand", op.operand())], op.result())
}

pub fn fft(op: Fft) -> Verdict {
    let cause = ("operand", op.operand());
    let (x, z) = (cause.1.ty(), op.result().ty());
    let kind = op.fft_type();
    let (from, to) = match kind {
        FftType::Fft | FftType::Ifft => (COMPLEX, COMPLEX),
        FftType::Rfft => (FLOATS, COMPLEX),
        FftType::Irfft => (COMPLEX, FLOATS),
    };
    has_elements("C1", cause, from)?;
    let part = |ty: Type| ty.scalar().complex_part().unwrap_or(ty.scalar());
    ensure_by(("result", op.result()), elements_of(z) == to && part(x) == part(z), "C1", || {
        format!("`result` must be an array of {} with parts like those of {x}, found {z}", in_words(to))
    })?;
    let lengths = op.fft_length();
    let most = x.rank().min(3);
    ensure((1..=most).contains(&lengths.len()), "C2", || {
        format!("expected at least 1 and at most {most} transformed axes, found {}", lengths.len())
    })?;
    super::at_least("C2", "fft_length", &lengths, 0)?;
    let first = x.rank() - lengths.len();
    let real: Vec<Dim> = x.shape()[..first].iter().copied().chain(lengths.iter().map(|&n| Some(n as usize))).collect();
    let mut half = real.clone();
    // Zero elements have no transform with half of them.
    half[x.rank() - 1] = real[x.rank() - 1].map(|n| if n == 0 { 0 } else { n / 2 + 1 });
    let (of_x, of_z) = match kind {
        FftType::Fft | FftType::Ifft => (&real, &real),
        FftType::Rfft => (&real, &half),
        FftType::Irfft => (&half, &real),
    };
    super::has_sizes("C3", cause, of_x)?;
    super::has_sizes("C4", ("result", op.result()), of_z)
}

/// Checks that a value is an array of square matrices, and returns its type.
fn are_square(label: &'static str, cause: Cause) -> Result<Type, Violation> {
    let ty = cause.1.ty();
    has_elements(label, cause, FLOATS | COMPLEX)?;
    let fits = matches!(ty.shape()[..], [.., m, n] if size_agrees(m, n));
    ensure_by(cause, fits, label, || format!("`{}` must be square matrices, found {ty}", cause.0))?;
    Ok(ty)
}

pub fn cholesky(op: Cholesky) -> Verdict {
    let a = are_square("C1", ("a", op.a()))?;
    has_type("C2", ("result", op.result()), a)
}

pub fn triangular_solve(op: TriangularSolve) -> Verdict {
    let a = are_square("C1", ("a", op.a()))?;
    let cause = ("b", op.b());
    let b = cause.1.ty();
    let rank = a.rank();
    let axis = if op.left_side() { rank - 2 } else { rank - 1 };
    let fits = b.rank() == rank
        && b.scalar() == a.scalar()
        && sizes_agree(&a.shape()[..rank - 2], &b.shape()[..rank - 2])
        && size_agrees(a.shape()[rank - 1], b.shape()[axis]);
    ensure_by(cause, fits, "C2", || format!("`b` must be right sides for the matrices {a}, found {b}"))?;
    let is_form = op.transpose_a() != crate::ops::Transpose::TransposeInvalid;
    ensure(is_form, "C3", || "`transpose_a` must be a form of the matrix, found `TRANSPOSE_INVALID`")?;
    has_type("C4", ("result", op.result()), b)
}

/// Checks an array and vectors with an element for each of its features.
fn has_features(x: Cause, feature: i64, vectors: &[Cause]) -> Verdict {
    let ty = x.1.ty();
    has_elements("C1", x, FLOATS)?;
    let axis = axis("C2", "feature_index", feature, ty.rank())?;
    vectors.iter().try_for_each(|&vector| is_array("C3", vector, &[ty.shape()[axis]], ty.scalar()))
}

pub fn batch_norm_training(op: BatchNormTraining) -> Verdict {
    let vectors = [
        ("scale", op.scale()),
        ("offset", op.offset()),
        ("batch_mean", op.batch_mean()),
        ("batch_var", op.batch_var()),
    ];
    has_features(("operand", op.operand()), op.feature_index(), &vectors)?;
    has_type("C4", ("output", op.output()), op.operand().ty())
}

pub fn batch_norm_inference(op: BatchNormInference) -> Verdict {
    let vectors = [("scale", op.scale()), ("offset", op.offset()), ("mean", op.mean()), ("variance", op.variance())];
    has_features(("operand", op.operand()), op.feature_index(), &vectors)?;
    has_type("C4", ("result", op.result()), op.operand().ty())
}

pub fn batch_norm_grad(op: BatchNormGrad) -> Verdict {
    let vectors = [
        ("scale", op.scale()),
        ("mean", op.mean()),
        ("variance", op.variance()),
        ("grad_scale", op.grad_scale()),
        ("grad_offset", op.grad_offset()),
    ];
    let x = op.operand().ty();
    has_features(("operand", op.operand()), op.feature_index(), &vectors)?;
    has_type("C4", ("grad_output", op.grad_output()), x)?;
    has_type("C4", ("grad_operand", op.grad_operand()), x)
}

pub fn rng(op: Rng) -> Verdict {
    let (a, z) = (op.a().ty(), op.result().ty());
    has_rank("C1", ("a", op.a()), 0)?;
    has_type("C1", ("b", op.b()), scalar(a))?;
    is_list("C2", ("shape", op.shape()), z.rank())?;
    has_type("C3", ("result", op.result()), Type::tensor(&z.shape(), a.scalar()))
}

pub fn rng_bit_generator(op: RngBitGenerator) -> Verdict {
    let cause = ("initial_state", op.initial_state());
    let state = cause.1.ty();
    let lengths: &[usize] = match op.rng_algorithm() {
        RngAlgorithm::ThreeFry => &[2],
        _ => &[2, 3],
    };
    let is_word = state.scalar().integer().is_some_and(|(width, is_unsigned)| width == 64 && is_unsigned);
    let fits = is_word && lengths.iter().any(|&n| state.shape() == [Some(n)]);
    ensure_by(cause, fits, "C1", || {
        format!("`initial_state` must be a vector of {} elements of type ui64, found {state}", in_list(lengths))
    })?;
    has_type("C2", ("output_state", op.output_state()), state)?;
    has_elements("C3", ("output", op.output()), INTEGERS | FLOATS)
}

/// Formats `2 or 3`.
fn in_list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ")
}
