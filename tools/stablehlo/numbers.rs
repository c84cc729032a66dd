//! Numbers as MLIR's text. A floating-point number has six digits after the point if they determine it, otherwise as
//! many as needed, and is hexadecimal if it is not finite.

use crate::ir::{FloatKind, Signedness, Type};

/// Returns a floating-point number of the format `kind` with the given bits.
pub(crate) fn float(kind: FloatKind, bits: u64) -> String {
    let Some(value) = decode(kind, bits) else {
        return format!("0x{bits:0width$X}", width = hexadecimal_digits(kind));
    };
    let candidates = [format!("{value:.6e}"), format!("{:e}", value as f32)];
    let short = candidates.into_iter().find(|text| determines(text, kind, bits, value));
    scientific(&short.unwrap_or_else(|| format!("{value:e}")))
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
    // A tie goes to the even number.
    let nearer = |neighbour: Option<f64>| {
        let other = neighbour.map_or(f64::INFINITY, |neighbour| (parsed - neighbour).abs());
        distance < other || distance == other && bits.is_multiple_of(2)
    };
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

#[cfg(test)]
mod tests {
    use super::{decode, float};
    use crate::ir::FloatKind;

    /// Checks that the number nearest to the text of a finite number is the number itself.
    fn check_f32(bits: u32) {
        if f32::from_bits(bits).is_finite() {
            let parsed: f64 = float(FloatKind::F32, bits.into()).parse().expect("the text is a number");
            assert_eq!((parsed as f32).to_bits(), bits);
        }
    }

    #[test]
    fn text_determines_numbers_of_32_bits() {
        (0..200_000_u32).for_each(|number| check_f32(number.wrapping_mul(0x9E37_79B1)));
        [0, 1, 0x8000_0000, 0x007F_FFFF, 0x0080_0000, 0x7F7F_FFFF, 0xFF7F_FFFF].into_iter().for_each(check_f32);
    }

    /// The text is nearer to the number than to its neighbours, or as near and the number is even.
    #[test]
    fn text_determines_numbers_of_16_bits() {
        for kind in [FloatKind::F16, FloatKind::Bf16] {
            for bits in (0..0x8000).filter(|bits| decode(kind, *bits).is_some()) {
                let parsed: f64 = float(kind, bits).parse().expect("the text is a number");
                let distance = |bits| decode(kind, bits).map_or(f64::INFINITY, |value| (parsed - value).abs());
                let neighbours = distance(bits + 1).min(if bits == 0 { f64::INFINITY } else { distance(bits - 1) });
                let tie = distance(bits) == neighbours && bits.is_multiple_of(2);
                assert!(distance(bits) < neighbours || tie, "{bits:X}: {parsed}");
            }
        }
    }

    #[test]
    fn forms_of_numbers() {
        assert_eq!(float(FloatKind::F32, 0x3F80_0000), "1.000000e+00");
        assert_eq!(float(FloatKind::F32, 3.0e10_f32.to_bits().into()), "3.000000e+10");
        assert_eq!(float(FloatKind::F32, 0x7FC0_0000), "0x7FC00000");
        assert_eq!(float(FloatKind::F16, 0x7C00), "0x7C00");
        assert_eq!(float(FloatKind::F64, 1), "4.940656e-324");
        assert_eq!(float(FloatKind::F64, 0.1_f64.to_bits()), "1.000000e-01");
        assert_eq!(float(FloatKind::Other { name: "f8E5M2", bits: 8 }, 0x3C), "0x3C");
    }
}
