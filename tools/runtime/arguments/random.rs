//! Generated arguments: `random:4x3xf64:seed=1`, `random:100xf64:seed=7:normal=0,2`, `zeros:4x3xf64`.
//!
//! The numbers are the same on every machine and in every release of mlopt. They are computed by the formulas below
//! from words of ChaCha8, one or two per element in row-major order, seeded by `rand`'s portable `seed_from_u64`. `ln`
//! and `cos` come from the crate `libm`, not from the machine's C library.

use crate::arguments::memory::{self, TooLarge};
use crate::arguments::parameter;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::{Array, Data, Element};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};

/// The distribution of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Distribution {
    /// Uniform in [low, high): floats evenly spaced by (high - low) 2^-53, integers by 1.
    Uniform { low: f64, high: f64 },
    /// Normal, by the formula of Box and Muller, Ann. Math. Stat. 29 (1958).
    Normal { mean: f64, deviation: f64 },
}

/// An error in the description of an array.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum RandomError {
    #[error("expected a shape and an element type like `4x3xf64`, found `{0}`")]
    Type(String),
    #[error("expected `seed=` and a number from 0 to 2^64-1, found `{0}`")]
    Seed(String),
    #[error("unknown option `{name}`{hint}; expected {}", SYNTAX)]
    Option { name: String, hint: String },
    #[error("`{name}`: expected two numbers like `{name}=-1,1`, found `{found}`")]
    Pair { name: &'static str, found: String },
    #[error("`uniform`: expected LOW < HIGH, found `{0}`")]
    EmptyRange(String),
    #[error("`uniform`: expected whole numbers for {element}, found `{found}`")]
    Fraction { element: Element, found: String },
    #[error("`uniform`: expected a range within [{least}, {most}] for {element}, found `{found}`")]
    Range { least: f64, most: f64, element: Element, found: String },
    #[error("`normal`: expected floats, found {0}")]
    NormalIntegers(Element),
    #[error("`normal`: expected a deviation of 0 or more, found {0}")]
    Deviation(f64),
    #[error(transparent)]
    Memory(#[from] TooLarge),
}

pub const SYNTAX: &str = "random:SHAPExTYPE[:seed=N][:uniform=LOW,HIGH|:normal=MEAN,DEVIATION]";

/// Parses `random:` without its prefix, such as `4x3xf64:seed=1:normal`, and generates the array. The seed defaults
/// to 0, and the distribution to a uniform one: floats in [0, 1), integers in [0, 10), booleans with equal
/// probabilities.
pub fn random(text: &str) -> Result<Array, RandomError> {
    let mut options = text.split(':');
    let (shape, element) = parse_type(options.next().unwrap_or(""))?;
    let mut seed = 0;
    let mut distribution = match element {
        Element::I1 => Distribution::Uniform { low: 0.0, high: 2.0 },
        _ if element.is_float() => Distribution::Uniform { low: 0.0, high: 1.0 },
        _ => Distribution::Uniform { low: 0.0, high: 10.0 },
    };
    for option in options {
        let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        match name {
            "seed" => {
                let value = value.unwrap_or("");
                seed = value.parse().map_err(|_| RandomError::Seed(value.into()))?;
            }
            "uniform" => distribution = uniform(element, value, distribution)?,
            "normal" => distribution = normal(element, value)?,
            _ => {
                let hint = did_you_mean(name, ["seed", "uniform", "normal"]);
                return Err(RandomError::Option { name: name.into(), hint });
            }
        }
    }
    let count = memory::elements(&shape, element.bytes())?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let numbers = (0..count).map(|_| draw(&mut rng, element, distribution));
    Ok(Array::new(shape, Data::of_f64(element, numbers)))
}

/// Parses `zeros:` without its prefix, such as `4x3xf64`, and generates the array.
pub fn zeros(text: &str) -> Result<Array, RandomError> {
    let (shape, element) = parse_type(text)?;
    memory::elements(&shape, element.bytes())?;
    Ok(Array::zeros(element, &shape))
}

/// Parses `4x3xf64`, or `f64` for a scalar.
fn parse_type(text: &str) -> Result<(Vec<usize>, Element), RandomError> {
    let ty = parameter::parse(&format!("tensor<{text}>"));
    let ty = ty.and_then(|ty| Some((ty.shape.into_iter().collect::<Option<_>>()?, ty.element)));
    ty.ok_or_else(|| RandomError::Type(text.into()))
}

fn uniform(element: Element, range: Option<&str>, default: Distribution) -> Result<Distribution, RandomError> {
    let Some(range) = range else { return Ok(default) };
    let (low, high) = pair("uniform", range)?;
    if low >= high {
        return Err(RandomError::EmptyRange(range.into()));
    }
    if !element.is_float() && (low.fract() != 0.0 || high.fract() != 0.0) {
        return Err(RandomError::Fraction { element, found: range.into() });
    }
    let (least, most) = match element {
        Element::F64 => (f64::MIN / 2.0, f64::MAX / 2.0),
        Element::F16 | Element::BF16 | Element::F32 => (-element.greatest(), element.greatest()),
        Element::I1 => (0.0, 2.0),
        // Not all integers beyond 2^53 are representable in the f64 of the range.
        Element::I64 | Element::Index => (-(2f64.powi(53)), 2f64.powi(53)),
        Element::I8 | Element::I16 | Element::I32 => (element.range().0 as f64, element.range().1 as f64 + 1.0),
    };
    if low < least || high > most {
        return Err(RandomError::Range { least, most, element, found: range.into() });
    }
    Ok(Distribution::Uniform { low, high })
}

fn normal(element: Element, parameters: Option<&str>) -> Result<Distribution, RandomError> {
    if !element.is_float() {
        return Err(RandomError::NormalIntegers(element));
    }
    let (mean, deviation) = parameters.map_or(Ok((0.0, 1.0)), |text| pair("normal", text))?;
    if deviation < 0.0 {
        return Err(RandomError::Deviation(deviation));
    }
    Ok(Distribution::Normal { mean, deviation })
}

/// Returns the greatest number of a float type that is less than `x`.
fn below(element: Element, x: f64) -> f64 {
    let near = element.rounded(x);
    let bits = element.to_bits(near);
    let sign = 1 << (element.bits() - 1);
    match near {
        _ if near < x => near,
        _ if near > 0.0 => element.of_bits(bits - 1),
        _ if near < 0.0 => element.of_bits(bits + 1),
        _ => element.of_bits(sign | 1),
    }
}

fn pair(name: &'static str, text: &str) -> Result<(f64, f64), RandomError> {
    let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
    text.split_once(',')
        .and_then(|(a, b)| Some((number(a)?, number(b)?)))
        .ok_or_else(|| RandomError::Pair { name, found: text.into() })
}

/// Draws one element; an integer for every type other than the floats.
fn draw(rng: &mut ChaCha8Rng, element: Element, distribution: Distribution) -> f64 {
    match distribution {
        Distribution::Uniform { low, high } if element.is_float() => {
            let x = low + (high - low) * unit(rng);
            // Rounding may reach `high`, which is excluded.
            element.rounded(x).min(below(element, high))
        }
        Distribution::Uniform { low, high } => {
            // The high half of a 64 × 64 bit product: its bias is less than 2^-10 for the largest range.
            let span = (high - low) as u64;
            low + ((rng.next_u64() as u128 * span as u128) >> 64) as f64
        }
        Distribution::Normal { mean, deviation } => {
            // 1 - u is in (0, 1], so the logarithm is finite.
            let radius = (-2.0 * libm::log(1.0 - unit(rng))).sqrt();
            mean + deviation * radius * libm::cos(2.0 * std::f64::consts::PI * unit(rng))
        }
    }
}

/// Draws a number uniform in [0, 1): the high 53 bits of a word, over 2^53.
fn unit(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * 2f64.powi(-53)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers and messages are in `test/tool/arguments.md`.
    #[test]
    fn moments_are_those_of_the_distribution() {
        let moments = |text| {
            let x = random(text).unwrap().to_f64();
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            (mean, x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / x.len() as f64)
        };
        // With 10^5 samples, four standard errors of the mean are below 0.013 × the deviation.
        let (mean, variance) = moments("100000xf64:seed=3:normal=2,3");
        assert!((mean - 2.0).abs() < 0.04 && (variance - 9.0).abs() < 0.2, "{mean} {variance}");
        let (mean, variance) = moments("100000xf32:seed=3:uniform=-1,1");
        assert!(mean.abs() < 0.01 && (variance - 1.0 / 3.0).abs() < 0.01, "{mean} {variance}");
        let (mean, _) = moments("100000xi64:seed=3:uniform=-2,3");
        assert!(mean.abs() < 0.02, "{mean}");
        let (mean, _) = moments("100000xi1:seed=3");
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
    }
}
