//! Numbers as MLIR's text. A floating-point number has six digits after the point if they determine it, otherwise as
//! many as needed, and is hexadecimal if it is not finite.

use crate::ir::{FloatKind, Signedness, Type};

/// Returns a floating-point number of the format `kind` with the given bits.
pub(crate) fn float(kind: FloatKind, bits: u64) -> String {
    let Some(value) = decode(kind, bits) else {
        return format!("0x{bits:0width$X}", width = hexadecimal_digits(kind));
    };
    let short = scientific(&format!("{value:.6e}"));
    if determines(&short, kind, bits, value) {
        return short;
    }
    let shortest = match kind {
        FloatKind::F32 => format!("{:e}", value as f32),
        _ => format!("{value:e}"),
    };
    scientific(&shortest)
}

/// Returns the number of hexadecimal digits of the format `kind`.
fn hexadecimal_digits(kind: FloatKind) -> usize {
    match kind {
        FloatKind::F64 => 16,
        FloatKind::F32 | FloatKind::Tf32 => 8,
        FloatKind::F16 | FloatKind::Bf16 => 4,
        FloatKind::Other { bits, .. } => bits.div_ceil(8) as usize * 2,
    }
}

/// Returns Rust's scientific notation as MLIR's, which has a point, a sign of the exponent and two digits of it.
fn scientific(text: &str) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}{point}e{sign}{digits:0>2}")
}

/// Returns whether the number of the format `kind` that is nearest to `text` has the given bits and value.
fn determines(text: &str, kind: FloatKind, bits: u64, value: f64) -> bool {
    let Ok(parsed) = text.parse::<f64>() else { return false };
    let distance = (parsed - value).abs();
    if distance == 0.0 {
        return true;
    }
    let nearer = |neighbour: Option<f64>| neighbour.is_none_or(|neighbour| distance < (parsed - neighbour).abs());
    let magnitude = bits & (sign_bit(kind) - 1);
    magnitude != 0 && nearer(decode(kind, bits.wrapping_sub(1))) && nearer(decode(kind, bits.wrapping_add(1)))
}

/// Returns the sign bit of the format `kind`.
fn sign_bit(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::F64 => 1 << 63,
        FloatKind::F32 => 1 << 31,
        _ => 1 << 15,
    }
}

/// Returns the value of a finite number, or `None` for other numbers and formats.
fn decode(kind: FloatKind, bits: u64) -> Option<f64> {
    let value = match kind {
        FloatKind::F64 => f64::from_bits(bits),
        FloatKind::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatKind::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
        FloatKind::F16 => decode_half(bits as u16),
        FloatKind::Tf32 | FloatKind::Other { .. } => return None,
    };
    value.is_finite().then_some(value)
}

/// Returns the value of a number of the format `f16`.
fn decode_half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1F);
    let fraction = f64::from(bits & 0x3FF);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        0x1F if fraction == 0.0 => f64::INFINITY,
        0x1F => f64::NAN,
        _ => (fraction + 1024.0) * 2f64.powi(exponent - 25),
    }
}

/// Returns an element of a tensor from its bytes.
pub(crate) fn element(ty: &Type, bytes: &[u8]) -> String {
    match ty {
        Type::Complex(part) => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            format!("({},{})", element(part, re), element(part, im))
        }
        Type::Float(kind) => float(*kind, word(bytes)),
        Type::Quantized(quantization) => element(&quantization.storage, bytes),
        ty if ty.is_boolean() => (word(bytes) != 0).to_string(),
        Type::Integer { width, signedness } => integer(*width, *signedness == Signedness::Unsigned, bytes),
        _ => word(bytes).cast_signed().to_string(),
    }
}

/// Returns an integer of `width` bits, or its bytes in hexadecimal if it has more than 64.
fn integer(width: u32, unsigned: bool, bytes: &[u8]) -> String {
    match width {
        1..=64 if unsigned => (word(bytes) & (u64::MAX >> (64 - width))).to_string(),
        1..=64 => sign_extend(word(bytes).cast_signed(), width).to_string(),
        _ => bytes.iter().rev().fold("0x".to_owned(), |text, byte| text + &format!("{byte:02X}")),
    }
}

/// Returns the number that at most eight bytes encode.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Extends the sign of the lowest `width` bits, which are between 1 and 64.
pub(crate) fn sign_extend(value: i64, width: u32) -> i64 {
    let unused = 64 - width;
    (value << unused) >> unused
}
