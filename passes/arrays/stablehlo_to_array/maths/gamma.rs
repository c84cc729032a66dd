//! The gamma function's logarithm, the logarithm's derivatives, and the Hurwitz zeta function.
//!
//! Large arguments: the asymptotic series of Stirling (Abramowitz and Stegun, 6.1.40, 6.3.18). Small ones: the
//! recurrence leads to the interval from 1 to 2, where Chebyshev series represent the function divided by its zeros
//! there, so that the relative error remains small near them. Negative ones: the reflection formula (6.1.17, 6.3.7).
//! The coefficients were computed from the functions, in 45 digits.

use super::{Real, chebyshev, polynomial, sin_pi};
use std::f64::consts::PI;

/// ln Γ(y) / ((y - 1)(y - 2)) for 1 ≤ y ≤ 2, in t = 2y - 3.
const LGAMMA: &[f64] = &[
    0.49141539302938714,
    -0.07611416167043585,
    0.008432324965932778,
    -0.001079493726328608,
    0.00014900748003692963,
    -2.1512399888556784e-05,
    3.1979329860862186e-06,
    -4.851693012139927e-07,
    7.47148782116316e-08,
    -1.1638296700170518e-08,
    1.829400437118668e-09,
    -2.8969180607129607e-10,
    4.61570140620909e-11,
    -7.392810230497983e-12,
    1.1894280008333085e-12,
    -1.9212068676522805e-13,
    3.113975526387164e-14,
    -5.0628432984486114e-15,
    8.254150281631144e-16,
    -1.3490578987574844e-16,
    2.209876116782623e-17,
    -3.6274129549239766e-18,
];

/// ψ(y) / (y - ROOT) for 1 ≤ y ≤ 2, in t = 2y - 3.
const DIGAMMA: &[f64] = &[
    0.983570260441567,
    -0.2270640863346444,
    0.03336889902393011,
    -0.005320077271596548,
    0.0008788656937820505,
    -0.00014773492650606044,
    2.5060543468359146e-05,
    -4.2721034029993324e-06,
    7.302769272465923e-07,
    -1.2502886813559594e-07,
    2.1425009322359472e-08,
    -3.673295918565179e-09,
    6.299717236108931e-10,
    -1.080593028883266e-10,
    1.853735192053638e-11,
    -3.18023536582553e-12,
    5.456147570322795e-13,
    -9.360993131036438e-14,
    1.606064636295075e-14,
    -2.7555431377438815e-15,
    4.727736178601912e-16,
    -8.11148420346509e-17,
    1.391707769474154e-17,
];

/// The positive zero of ψ, as a sum of two numbers.
const ROOT: [f64; 2] = [1.4616321449683622, 9.549995429965697e-17];

/// The Bernoulli numbers B₂, B₄, B₆, ...
const BERNOULLI: [f64; 12] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
    43867.0 / 798.0,
    -174611.0 / 330.0,
    854513.0 / 138.0,
    -236364091.0 / 2730.0,
];

/// ln √(2π).
const HALF_LOG_TWO_PI: f64 = 0.9189385332046728;

/// Returns Σₖ factor(k) B₂ₖ xᵏ⁻¹ over `count` terms.
fn bernoulli_series(x: Real, count: usize, factor: impl Fn(f64) -> f64) -> Real {
    let coefficients: Vec<f64> = (0..count).rev().map(|k| BERNOULLI[k] * factor((k + 1) as f64)).collect();
    polynomial(x, &coefficients)
}

/// Returns ln |Γ(x)|; ∞ at the poles 0, -1, -2, ...
pub fn lgamma(x: Real) -> Real {
    // ln |Γ(x)| = ln (π / (a |sin πa|)) - ln Γ(a) for a = -x.
    let reflects = x.is_less(-0.5);
    let a = x.abs();
    let z = lgamma_above_minus_half(reflects.select(a, x));
    let reflected = (PI / (a * sin_pi(a).abs())).log() - z;
    a.equals(f64::INFINITY).select(a, reflects.select(reflected, z))
}

fn lgamma_above_minus_half(x: Real) -> Real {
    let is_large = x.is_at_least(8.0);
    // Γ(x) = Γ(y) / p or Γ(y) p, where 1 ≤ y ≤ 2; y - 1 and y - 2 are exact near their zeros.
    let [is_negative, is_below] = [x.is_less(0.0), x.is_less(1.0)];
    let mut y = x;
    let mut p = is_negative.select(x * (x + 1.0), is_below.select(x, 1.0));
    for _ in 0..6 {
        let above = y.is_greater(2.0);
        let previous = y - 1.0;
        [y, p] = [above.select(previous, y), above.select(p * previous, p)];
    }
    let after_one = is_negative.select(x + 1.0, is_below.select(x, y - 1.0));
    let after_two = is_negative.select(x, is_below.select(x - 1.0, y - 2.0));
    let log = is_large.select(x, p.abs()).log();
    let series = chebyshev(after_one + after_two, LGAMMA);
    let small = after_one * after_two * series + is_below.select(-log, log);
    let r = 1.0 / x;
    let correction = r * bernoulli_series(r.square(), 10, |k| 1.0 / (2.0 * k * (2.0 * k - 1.0)));
    let large = (x - 0.5) * log - x + (HALF_LOG_TWO_PI + correction);
    is_large.select(large, small)
}

/// Returns the derivative of `lgamma`; NaN at the poles 0, -1, -2, ...
pub fn digamma(x: Real) -> Real {
    // ψ(x) = ψ(a) - 1/x - π cot πx for a = -x.
    let reflects = x.is_less(0.0);
    let a = x.abs();
    let z = digamma_of_positive(a);
    let cotangent = PI / ((x - x.nearest()) * PI).tan();
    let z = reflects.select(z - 1.0 / x - cotangent, z);
    (x.is_at_most(0.0) & x.is_integer()).select(x.constant(f64::NAN), z)
}

fn digamma_of_positive(x: Real) -> Real {
    let is_large = x.is_at_least(10.0);
    // ψ(x) = ψ(y) + p / q, where 1 ≤ y ≤ 2 and p / q is a sum of 1/y, 1/(y + 1), ... or -1/x.
    let below = x.is_less(1.0);
    let mut y = below.select(x + 1.0, x);
    let mut p = below.select(x.constant(-1.0), 0.0);
    let mut q = below.select(x, 1.0);
    for _ in 0..8 {
        let above = y.is_greater(2.0);
        let previous = y - 1.0;
        p = above.select(p * previous + q, p);
        q = above.select(q * previous, q);
        y = above.select(previous, y);
    }
    let small = (y - ROOT[0] - ROOT[1]) * chebyshev(2.0 * y - 3.0, DIGAMMA) + p / q;
    let r = 1.0 / x;
    let squared = r.square();
    let large = x.log() - 0.5 * r - squared * bernoulli_series(squared, 9, |k| 0.5 / k);
    is_large.select(large, small)
}

/// Returns the Hurwitz zeta function Σₖ (q + k)⁻ˢ for s > 1. For negative `q` the exponent must be an integer,
/// otherwise the result is NaN.
pub fn zeta(s: Real, q: Real) -> Real {
    // The terms of negative numbers are those of positive ones: with f = q - ⌊q⌋,
    // ζ(s, q) = ζ(s, f) + (-1)ˢ (ζ(s, 1 - f) - ζ(s, 1 - q)).
    let is_negative = q.is_less(0.0);
    let fraction = q - q.floor();
    let of_positive = zeta_of_positive(s, is_negative.select(fraction, q));
    let half = 0.5 * s;
    let is_even = half.is_integer();
    let mirrored = zeta_of_positive(s, 1.0 - fraction) - zeta_of_positive(s, 1.0 - q);
    let of_negative = of_positive + is_even.select(mirrored, -mirrored);
    let z = is_negative.select(of_negative, of_positive);
    let is_pole = q.is_at_most(0.0) & q.is_integer();
    let is_undefined = s.is_less(1.0) | (is_negative & !s.is_integer()) | (is_pole & !is_even);
    let z = is_pole.select(z.constant(f64::INFINITY), z);
    let z = is_undefined.select(z.constant(f64::NAN), z);
    s.equals(1.0).select(z.constant(f64::INFINITY), z)
}

/// Returns ζ(s, q) for q > 0 by the Euler-Maclaurin formula, as the Cephes library does: the first terms are added, and
/// the others are approximated by the integral and a series in the Bernoulli numbers.
fn zeta_of_positive(s: Real, q: Real) -> Real {
    const TERMS: usize = 9;
    let sum = (1..TERMS).fold(q.power(-s), |sum, k| sum + (q + k as f64).power(-s));
    let a = q + TERMS as f64;
    let power = a.power(-s);
    let r = 1.0 / a;
    // Σₖ B₂ₖ / (2k)! s (s + 1) ... (s + 2k - 2) a⁻ˢ⁻²ᵏ⁺¹.
    let mut tail = a / (s - 1.0) + 0.5;
    let mut product = s * r;
    let mut factorial = 1.0;
    for (k, bernoulli) in BERNOULLI.iter().enumerate() {
        let n = (2 * k + 1) as f64;
        factorial *= n * (n + 1.0);
        tail = tail + product * (bernoulli / factorial);
        product = product * ((s + n) * r) * ((s + (n + 1.0)) * r);
    }
    // The sum of the other terms is zero if its factor is, even if the rest is infinite.
    sum + power.equals(0.0).select(power, power * tail)
}

/// Returns the derivative of order n + 1 of `lgamma`; NaN if `n` is negative or not an integer.
pub fn polygamma(n: Real, x: Real) -> Real {
    let order = n + 1.0;
    // The factorial of n: exactly, if it is exact in f64.
    const EXACT: i32 = 18;
    let product = |product: Real, k: i32| n.is_at_least(f64::from(k)).select(product * f64::from(k), product);
    let exact = (2..=EXACT).fold(n.constant(1.0), product);
    let factorial = n.is_greater(f64::from(EXACT)).select(lgamma(order).exp(), exact);
    let size = factorial * zeta(order, x);
    let is_odd = !(0.5 * n).is_integer();
    let z = is_odd.select(size, -size);
    let is_undefined = n.is_less(0.0) | !n.is_integer();
    let z = is_undefined.select(z.constant(f64::NAN), z);
    n.equals(0.0).select(digamma(x), z)
}
