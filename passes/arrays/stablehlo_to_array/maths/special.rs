//! The error function's complement and inverse, a Bessel function, and neighbouring floats.
//!
//! The coefficients of the Chebyshev series were computed from the functions, in 45 digits.

use super::{Real, chebyshev, polynomial};
use mlopt_dialects::ops::{CmpIPredicate, Kind};

/// (1 + 2x) exp(x²) erfc(x) for x ≥ 0, in t = (x - 3.75) / (x + 3.75).
const ERFC: &[f64] = &[
    1.1775789345674017,
    -0.004590054580646478,
    -0.08424913336651792,
    0.05920993999819189,
    -0.026658668435305753,
    0.009074997670705265,
    -0.002413163540417608,
    0.0004907758365258086,
    -6.916973302501207e-05,
    4.13902798607301e-06,
    7.74038306619849e-07,
    -2.1886401049234397e-07,
    1.076499946567091e-08,
    4.521959811218287e-09,
    -7.754400208831351e-10,
    -6.318088340886684e-11,
    2.86879501093067e-11,
    1.9455868545777347e-13,
    -9.65469674843344e-13,
    3.25254814814874e-14,
    3.3478119482868056e-14,
    -1.864562880419313e-15,
    -1.2507950530688648e-15,
    7.418235256624044e-17,
    5.068148904796111e-17,
];

/// I₁(x) exp(-x) / x for 0 ≤ x ≤ 8, in t = x/4 - 1.
const I1E_SMALL: &[f64] = &[
    0.12629359322181682,
    -0.17641651835783406,
    0.1026436586898471,
    -0.05294598120809499,
    0.024726449030626516,
    -0.010564084894626197,
    0.004156422944312888,
    -0.0015135724506312532,
    0.0005122859561685758,
    -0.00016176081582589674,
    4.781565107550054e-05,
    -1.3273163656039436e-05,
    3.4702513081376785e-06,
    -8.568720264695455e-07,
    2.0032947535521353e-07,
    -4.445059128796328e-08,
    9.381537386495773e-09,
    -1.8872497517228294e-09,
    3.625590281552117e-10,
    -6.663489723502027e-11,
    1.1736186298890901e-11,
    -1.9839743977649436e-12,
    3.223793365945575e-13,
    -5.042185504727912e-14,
    7.600684294735408e-15,
    -1.1055969477353862e-15,
    1.5536319577362005e-16,
    -2.111421214358166e-17,
    2.7779141127610464e-18,
];

/// I₁(x) exp(-x) √x for x ≥ 8, in t = 16/x - 1.
const I1E_LARGE: &[f64] = &[
    0.38928811750914005,
    -0.009761097491361469,
    -0.00011058893876262371,
    -3.882564808877691e-06,
    -2.512236237870209e-07,
    -2.6314688468895196e-08,
    -3.835380385964237e-09,
    -5.589743462196584e-10,
    -1.8974958123505413e-11,
    3.2526035830154884e-11,
    1.4125807436613782e-11,
    2.0356285441470896e-12,
    -7.198551776245908e-13,
    -4.0835511110921974e-13,
    -2.1015418427726643e-14,
    4.272440016711951e-14,
    1.0420276984128802e-14,
    -3.8144030724370075e-15,
    -1.8803547755107825e-15,
    3.3082023109209285e-16,
    2.96262899764595e-16,
    -3.209525921993424e-17,
    -4.6503053684893586e-17,
    4.414348323071708e-18,
    7.517296310842105e-18,
];

/// Returns 1 - erf(x). The method is that of Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²)
/// erfc x in 0 ≤ x < ∞" (1981).
pub fn erfc(x: Real) -> Real {
    // From 27 on the result is zero.
    let a = x.abs().minimum(30.0);
    let series = chebyshev((a - 3.75) / (a + 3.75), ERFC) / (1.0 + 2.0 * a);
    // exp(-a²) = exp(-h²) exp(-(a - h)(a + h)), where h² is exact.
    let h = (a * 16.0).truncated() / 16.0;
    let z = (-h.square()).exp() * (-(a - h) * (a + h)).exp() * series;
    x.is_less(0.0).select(2.0 - z, z)
}

/// Returns the inverse of `erf` for f64, by polynomials of M. Giles, "Approximating the erfinv function" (2010), in
/// w = -ln(1 - x²) and √w.
pub fn erf_inv(x: Real) -> Real {
    const CENTRAL: &[f64] = &[
        -3.64441206401782e-21,
        -1.6850591381820166e-19,
        1.28584807152564e-18,
        1.1157877678025181e-17,
        -1.333171662854621e-16,
        2.0972767875968562e-17,
        6.637638134358324e-15,
        -4.054566272975207e-14,
        -8.151934197605472e-14,
        2.6335093153082323e-12,
        -1.2975133253453532e-11,
        -5.415412054294628e-11,
        1.0512122733215323e-09,
        -4.112633980346984e-09,
        -2.9070369957882005e-08,
        4.2347877827932404e-07,
        -1.3654692000834679e-06,
        -1.3882523362786469e-05,
        0.00018673420803405714,
        -0.000740702534166267,
        -0.006033670871430149,
        0.24015818242558962,
        1.6536545626831027,
    ];
    const MIDDLE: &[f64] = &[
        2.2137376921775787e-09,
        9.075656193888539e-08,
        -2.7517406297064545e-07,
        1.8239629214389228e-08,
        1.5027403968909828e-06,
        -4.013867526981546e-06,
        2.9234449089955446e-06,
        1.2475304481671779e-05,
        -4.7318229009055734e-05,
        6.828485145957318e-05,
        2.4031110387097894e-05,
        -0.0003550375203628475,
        0.0009532893797373805,
        -0.0016882755560235047,
        0.002491442096107851,
        -0.003751208507569241,
        0.005370914553590064,
        1.0052589676941592,
        3.0838856104922208,
    ];
    const TAIL: &[f64] = &[
        -2.7109920616438573e-11,
        -2.555641816996525e-10,
        1.5076572693500548e-09,
        -3.789465440126737e-09,
        7.61570120807834e-09,
        -1.496002662714924e-08,
        2.914795345090108e-08,
        -6.771199775845234e-08,
        2.2900482228026655e-07,
        -9.9298272942317e-07,
        4.526062597223154e-06,
        -1.968177810553167e-05,
        7.599527703001776e-05,
        -0.00021503011930044477,
        -0.00013871931833623122,
        1.0103004648645344,
        4.849906401408584,
    ];
    // ln(1 - x²) with the rounding error of the square.
    let square = x.square();
    let error = x.multiply_add(x, -square);
    let log = (-square).log1p();
    let w = error / (1.0 - square) - log;
    let root = w.sqrt();
    let outer = w.is_less(16.0).select(polynomial(root - 3.25, MIDDLE), polynomial(root - 5.0, TAIL));
    let series = w.is_less(6.25).select(polynomial(w - 3.125, CENTRAL), outer);
    // Infinite at -1 and 1.
    x * log.is_infinite().select(-log, series)
}

/// Returns the inverse of `erf` for f32, by the polynomials of the same source.
pub fn erf_inv_f32(x: Real) -> Real {
    const CENTRAL: &[f64] = &[
        2.81022636e-08,
        3.43273939e-07,
        -3.5233877e-06,
        -4.39150654e-06,
        0.00021858087,
        -0.00125372503,
        -0.00417768164,
        0.246640727,
        1.50140941,
    ];
    const TAIL: &[f64] = &[
        -0.000200214257,
        0.000100950558,
        0.00134934322,
        -0.00367342844,
        0.00573950773,
        -0.0076224613,
        0.00943887047,
        1.00167406,
        2.83297682,
    ];
    let w = -((1.0 - x) * (1.0 + x)).log();
    let series = w.is_less(5.0).select(polynomial(w - 2.5, CENTRAL), polynomial(w.sqrt() - 3.0, TAIL));
    x * w.is_infinite().select(w, series)
}

/// Returns exp(-|x|) I₁(x), where I₁ is the modified Bessel function; the intervals are those of the Cephes library.
pub fn bessel_i1e(x: Real) -> Real {
    let a = x.abs();
    let small = a * chebyshev(a * 0.25 - 1.0, I1E_SMALL);
    let large = chebyshev(16.0 / a - 1.0, I1E_LARGE) / a.sqrt();
    a.is_at_most(8.0).select(small, large).with_sign(x)
}

/// Returns the neighbour of `x` in the direction of `y`; `y` if both are equal, NaN if one is NaN. The numbers have any
/// float type.
pub fn next_after(x: Real, y: Real) -> Real {
    let e = x.e;
    let bits = super::super::elementwise::bits(e, x.value);
    let number = |n: i64| e.integer(bits, n);
    let width = bits.ty().scalar().integer().map_or(64, |(width, _)| width);
    // Without their sign, the bits of floats are in the order of their sizes.
    let grows = e.compare_integers(CmpIPredicate::Eq, x.is_less(y).value, x.is_greater(0.0).value);
    let next = e.op(Kind::ArithAddi, &[bits, e.select(grows, number(1), number(-1))]);
    let next = e.cast(Kind::ArithBitcast, next, x.value.ty().scalar());
    let least = e.or(e.and(super::super::elementwise::bits(e, y.value), number(i64::MIN >> (64 - width))), number(1));
    let least = e.cast(Kind::ArithBitcast, least, x.value.ty().scalar());
    let z = x.equals(0.0).select(Real { value: least, ..x }, Real { value: next, ..x });
    let z = x.equals(y).select(y, z);
    (x.is_nan() | y.is_nan()).select(x.constant(f64::NAN), z)
}
