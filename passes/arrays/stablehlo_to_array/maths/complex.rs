//! Functions of complex numbers.
//!
//! The branch cuts, and the signs of zeros along them, are those of C99, annex G. Results with an infinite part are
//! those of C99 unless the operand contains NaN, which then may be the result.

use super::Real;
use std::f64::consts::{FRAC_PI_2, LN_2};
use std::ops::{Add, Div, Mul, Neg, Sub};

#[derive(Clone, Copy)]
pub struct Complex {
    pub re: Real,
    pub im: Real,
}

impl Add for Complex {
    type Output = Complex;

    fn add(self, y: Complex) -> Complex {
        Complex { re: self.re + y.re, im: self.im + y.im }
    }
}

impl Sub for Complex {
    type Output = Complex;

    fn sub(self, y: Complex) -> Complex {
        Complex { re: self.re - y.re, im: self.im - y.im }
    }
}

impl Mul for Complex {
    type Output = Complex;

    fn mul(self, y: Complex) -> Complex {
        Complex { re: self.re * y.re - self.im * y.im, im: self.re * y.im + self.im * y.re }
    }
}

impl Neg for Complex {
    type Output = Complex;

    fn neg(self) -> Complex {
        Complex { re: -self.re, im: -self.im }
    }
}

impl Div for Complex {
    type Output = Complex;

    /// Divides. The operands are scaled by powers of two, so that no intermediate result overflows; infinite results
    /// and operands are treated as in C99, G.5.1.
    fn div(self, y: Complex) -> Complex {
        let quotient = |x: Complex, y: Complex| {
            let size = y.re.square() + y.im.square();
            let re = sum_of_products([x.re, y.re], [x.im, y.im]);
            let im = sum_of_products([x.im, y.re], [-x.re, y.im]);
            Complex { re: re / size, im: im / size }
        };
        let z = if self.re.is_rounded {
            quotient(self, y)
        } else {
            let [of_x, of_y] = [self, y].map(|x| x.sizes()[0].power_of_two_below());
            let ratio = (of_x / of_y).minimum(2f64.powi(1023));
            quotient(self.divided_by(of_x), y.divided_by(of_y)).times(ratio)
        };
        // 1 for an infinite part, 0 for a finite one, with its sign.
        let unit = |part: Real| part.is_infinite().select(part.constant(1.0), 0.0).with_sign(part);
        let product = |x: Complex, y: Complex, factor: f64| {
            let [re, im] = [x.re * y.re + x.im * y.im, x.im * y.re - x.re * y.im];
            Complex { re: re * factor, im: im * factor }
        };
        let is_finite = |x: Complex| x.re.is_finite() & x.im.is_finite();
        let units = |x: Complex| Complex { re: unit(x.re), im: unit(x.im) };
        let infinity = z.re.constant(f64::INFINITY).with_sign(y.re);
        let by_zero = Complex { re: infinity * self.re, im: infinity * self.im };
        let is_lost = z.re.is_nan() & z.im.is_nan();
        let of_infinite = is_lost & (self.re.is_infinite() | self.im.is_infinite()) & is_finite(y);
        let by_infinite = is_lost & (y.re.is_infinite() | y.im.is_infinite()) & is_finite(self);
        let is_by_zero = is_lost & y.re.equals(0.0) & y.im.equals(0.0);
        let z = Complex::select(of_infinite, product(units(self), y, f64::INFINITY), z);
        let z = Complex::select(by_infinite, product(self, units(y), 0.0), z);
        Complex::select(is_by_zero, by_zero, z)
    }
}

impl Complex {
    pub fn select(condition: super::Mask, yes: Complex, no: Complex) -> Complex {
        Complex { re: condition.select(yes.re, no.re), im: condition.select(yes.im, no.im) }
    }

    pub fn conjugate(self) -> Complex {
        Complex { im: -self.im, ..self }
    }

    pub fn equals(self, y: Complex) -> super::Mask {
        self.re.equals(y.re) & self.im.equals(y.im)
    }

    /// Checks whether `self` comes before `y` in the lexicographic order.
    pub fn is_less(self, y: Complex) -> super::Mask {
        self.re.is_less(y.re) | (self.re.equals(y.re) & self.im.is_less(y.im))
    }

    /// Returns the product with the imaginary unit.
    fn times_i(self) -> Complex {
        Complex { re: -self.im, im: self.re }
    }

    /// Returns the product with the negative imaginary unit.
    fn times_minus_i(self) -> Complex {
        Complex { re: self.im, im: -self.re }
    }

    fn divided_by(self, size: Real) -> Complex {
        Complex { re: self.re / size, im: self.im / size }
    }

    fn times(self, factor: Real) -> Complex {
        Complex { re: self.re * factor, im: self.im * factor }
    }

    /// Returns the greater and the smaller of the sizes of both parts.
    fn sizes(self) -> [Real; 2] {
        let [x, y] = [self.re.abs(), self.im.abs()];
        [x.maximum(y), x.minimum(y)]
    }

    pub fn abs(self) -> Real {
        if self.re.is_rounded {
            return (self.re.square() + self.im.square()).sqrt();
        }
        let [m, n] = self.sizes();
        (m.equals(0.0) | m.is_infinite()).select(m, m * (1.0 + (n / m).square()).sqrt())
    }

    fn angle(self) -> Real {
        self.im.atan2(self.re)
    }

    /// Returns the number with this size and angle.
    fn polar(size: Real, angle: Real) -> Complex {
        // The sine of zero times infinity is zero.
        let im = angle.equals(0.0).select(angle, size * angle.sin());
        Complex { re: size * angle.cos(), im }
    }

    /// Returns z / |z|, or zero.
    pub fn sign(self) -> Complex {
        let size = self.abs();
        Complex::select(size.equals(0.0), self, self.divided_by(size))
    }

    /// Returns the logarithm of |z|, given |z|² - 1 where that is small.
    fn log_of_size(self, square_minus_one: Real) -> Real {
        let [m, n] = self.sizes();
        let ratio = (m.equals(0.0) | m.is_infinite()).select(m.constant(0.0), n / m);
        // ln |z| = ln m + ln(1 + (n / m)²) / 2. The terms cancel near |z| = 1.
        let is_near = square_minus_one.abs().is_less(0.5);
        let argument = is_near.select(square_minus_one, ratio.square());
        is_near.select(m.constant(0.0), m.log()) + 0.5 * argument.log1p()
    }

    /// Returns |z|² - 1.
    fn square_minus_one(self) -> Real {
        let [m, n] = self.sizes();
        let [[p, p_error], [q, q_error]] = [exact_square(m), exact_square(n)];
        ((p - 1.0) + q) + (p_error + q_error)
    }

    pub fn log(self) -> Complex {
        Complex { re: self.log_of_size(self.square_minus_one()), im: self.angle() }
    }

    /// Returns ln(1 + z).
    pub fn log1p(self) -> Complex {
        let (x, y) = (self.re, self.im);
        let [[p, p_error], [q, q_error]] = [exact_square(x), exact_square(y)];
        let [sum, error] = exact_sum(2.0 * x, p);
        let [sum, next_error] = exact_sum(sum, q);
        let moved = Complex { re: x + 1.0, im: y };
        let square_minus_one = sum + ((error + next_error) + (p_error + q_error));
        Complex { re: moved.log_of_size(square_minus_one), im: moved.angle() }
    }

    pub fn exp(self) -> Complex {
        let [size, factor] = large_exp(self.re);
        let im = self.im.equals(0.0).select(self.im, size * self.im.sin() * factor);
        Complex { re: size * self.im.cos() * factor, im }
    }

    /// Returns exp(z) - 1.
    pub fn expm1(self) -> Complex {
        // exp(x) cos y - 1 = (exp(x) - 1) cos y - 2 sin² (y / 2).
        let half = (0.5 * self.im).sin();
        let re = self.re.expm1() * self.im.cos() - 2.0 * half.square();
        // Far from zero, the 1 changes nothing, and exp(x) may overflow before the product does.
        let z = self.exp();
        Complex { re: self.re.is_greater(40.0).select(z.re, re), im: z.im }
    }

    pub fn sqrt(self) -> Complex {
        let m = self.sizes()[0];
        let [factor, back] = if self.re.is_rounded {
            [m.constant(1.0); 2]
        } else {
            let (is_large, is_small) = (m.is_greater(2f64.powi(1000)), m.is_less(2f64.powi(-900)));
            let factor = |of_large: i32, of_small: i32| {
                let other = is_small.select(m.constant(2f64.powi(of_small)), 1.0);
                is_large.select(m.constant(2f64.powi(of_large)), other)
            };
            [factor(-4, 120), factor(2, -60)]
        };
        let z = self.times(factor);
        let greater = (0.5 * (z.re.abs() + z.abs())).sqrt();
        let smaller = z.im.abs() / (2.0 * greater);
        let smaller = (greater.equals(0.0) | z.im.is_infinite()).select(z.im.abs(), smaller);
        let is_right = z.re.is_at_least(0.0);
        let [re, im] = [is_right.select(greater, smaller), is_right.select(smaller, greater)];
        Complex { re: re * back, im: (im * back).with_sign(self.im) }
    }

    /// Returns 1 / √z.
    pub fn rsqrt(self) -> Complex {
        Complex { re: self.re.constant(1.0), im: self.re.constant(0.0) } / self.sqrt()
    }

    /// Returns the cube root that is nearest to the positive real axis.
    pub fn cbrt(self) -> Complex {
        Complex::polar(self.abs().cbrt(), self.angle() / 3.0)
    }

    pub fn sin(self) -> Complex {
        let (x, [cosh, sinh, factor]) = (self.re, large_cosh_sinh(self.im));
        // Zero times infinity is zero.
        let re = x.equals(0.0).select(x, x.sin() * cosh * factor);
        Complex { re, im: x.cos() * sinh * factor }
    }

    pub fn cos(self) -> Complex {
        let (x, [cosh, sinh, factor]) = (self.re, large_cosh_sinh(self.im));
        let im = x.equals(0.0).select(x * x.constant(1.0).with_sign(sinh), x.sin() * sinh * factor);
        Complex { re: x.cos() * cosh * factor, im: -im }
    }

    pub fn sinh(self) -> Complex {
        // sinh z = -i sin iz.
        self.times_i().sin().times_minus_i()
    }

    pub fn cosh(self) -> Complex {
        // cosh z = cos iz.
        self.times_i().cos()
    }

    pub fn tan(self) -> Complex {
        // tan z = -i tanh iz.
        self.times_i().tanh().times_minus_i()
    }

    /// Returns the hyperbolic tangent by the algorithm of W. Kahan, "Branch cuts for complex elementary functions"
    /// (1987).
    pub fn tanh(self) -> Complex {
        let (x, y) = (self.re, self.im);
        let is_large = x.abs().is_greater(20.0);
        let [t, s] = [y.tan(), x.sinh()];
        let beta = 1.0 + t.square();
        let rho = (1.0 + s.square()).sqrt();
        let divisor = 1.0 + beta * s.square();
        let small = Complex { re: beta * rho * s / divisor, im: t / divisor };
        let rest = 4.0 * y.sin() * y.cos() * (-2.0 * x.abs()).exp();
        let im = x.is_infinite().select(x.constant(0.0).with_sign(y), rest);
        Complex::select(is_large, Complex { re: x.constant(1.0).with_sign(x), im }, small)
    }

    /// Returns 1 / (1 + exp(-z)).
    pub fn logistic(self) -> Complex {
        // The exponential that does not overflow: of -z right of the imaginary axis, of z left of it.
        let is_right = self.re.is_at_least(0.0);
        let power = Complex::select(is_right, -self, self).exp();
        let one = Complex { re: self.re.constant(1.0), im: self.re.constant(0.0) };
        Complex::select(is_right, one, power) / (one + power)
    }

    /// Returns z to the power w: exp(w ln z), and 0 to a power with a positive real part is 0.
    pub fn power(self, w: Complex) -> Complex {
        let (size, angle) = (self.abs(), self.angle());
        let zero = size.constant(0.0);
        // A part of zero has no effect, even if the other factor is infinite.
        let product = |x: Real, y: Real| (x.equals(0.0) | y.equals(0.0)).select(zero, x * y);
        let log = self.log_of_size(self.square_minus_one());
        let new_size = size.power(w.re) * (-product(w.im, angle)).exp();
        let z = Complex::polar(new_size, product(w.re, angle) + product(w.im, log));
        let [is_zero, of_zero] = [size.equals(0.0), w.re.equals(0.0) & w.im.equals(0.0)];
        let z = Complex::select(is_zero & w.re.is_greater(0.0), Complex { re: zero, im: zero }, z);
        Complex::select(of_zero, Complex { re: zero.constant(1.0), im: zero }, z)
    }

    /// Returns the angle of the point (x, self): -i ln((x + i self) / √(x² + self²)).
    pub fn atan2(self, x: Complex) -> Complex {
        let quotient = (x + self.times_i()) / (x * x + self * self).sqrt();
        quotient.log().times_minus_i()
    }

    /// Returns the parts of asin and acos of |Re z| + i |Im z|: the real part of acos z as the angle of the point
    /// (Re z, `height`), and the size of the imaginary parts.
    ///
    /// The algorithm is that of T. Hull, T. Fairgrieve and P. Tang, "Implementing the complex arcsine and arccosine
    /// functions using exception handling" (1997), with the arctangent of two numbers in place of its crossover.
    fn arcs(self) -> [Real; 2] {
        let (x, y) = (self.re.abs(), self.im.abs());
        let [above, below] = [x + 1.0, x - 1.0];
        let r = Complex { re: above, im: y }.abs();
        let s = Complex { re: below, im: y }.abs();
        let a = 0.5 * (r + s);
        let is_inner = x.is_less(1.0);
        // a - x and a - 1 without cancellation.
        let first = 0.5 / (r + above);
        let second = 0.5 / (s + below.abs());
        let square = y.square();
        let inner_height = ((a + x) * (square * first + 0.5 * (s - below))).sqrt();
        let outer_height = y * ((a + x) * (first + second)).sqrt();
        let height = x.is_at_most(1.0).select(inner_height, outer_height);
        let inner_sum = first + second;
        let inner = square * inner_sum + y * (inner_sum * (a + 1.0)).sqrt();
        let a_minus_one = square * first + 0.5 * (s + below);
        let outer = a_minus_one + (a_minus_one * (a + 1.0)).sqrt();
        let im = is_inner.select(inner, outer).log1p();
        // Far from zero, asin z = ±i ln 2z.
        let is_large = self.sizes()[0].is_greater(1e10);
        let log = self.log_of_size(x.constant(1.0)) + LN_2;
        [is_large.select(y, height), is_large.select(log, im)]
    }

    pub fn asin(self) -> Complex {
        let [height, im] = self.arcs();
        Complex { re: self.re.atan2(height), im: im.with_sign(self.im) }
    }

    pub fn acos(self) -> Complex {
        let [height, im] = self.arcs();
        Complex { re: height.atan2(self.re), im: im.with_sign(-self.im) }
    }

    pub fn acosh(self) -> Complex {
        // acosh z = ±i acos z, with the sign that makes the real part positive.
        let [height, re] = self.arcs();
        Complex { re, im: height.atan2(self.re).with_sign(self.im) }
    }

    pub fn asinh(self) -> Complex {
        // asinh z = -i asin iz.
        self.times_i().asin().times_minus_i()
    }

    pub fn atan(self) -> Complex {
        // atan z = -i atanh iz.
        self.times_i().atanh().times_minus_i()
    }

    /// Returns the inverse of `tanh`: its parts are ln(1 + 4x / ((1 - x)² + y²)) / 4 and half of the angle of the point
    /// ((1 - x)(1 + x) - y², 2y), for x ≥ 0.
    pub fn atanh(self) -> Complex {
        let (x, y) = (self.re.abs(), self.im);
        let below = 1.0 - x;
        let re = 0.25 * (4.0 * x / (below.square() + y.square())).log1p();
        // Near 1 the square of y may be too small a number.
        let tiny = below.equals(0.0) & y.abs().is_less(1e-100);
        let re = tiny.select(-0.5 * (0.5 * y.abs()).log(), re);
        let im = 0.5 * (2.0 * y).atan2(below * (1.0 + x) - y.square());
        // Far from zero, atanh z = 1/z ± πi/2.
        let [m, n] = self.sizes();
        let is_large = m.is_greater(1e10);
        let ratio = m.is_infinite().select(m.constant(0.0), n / m);
        let inverse = (x / m) / (m * (1.0 + ratio.square()));
        let inverse = m.is_infinite().select(m.constant(0.0), inverse);
        let [re, im] = [is_large.select(inverse, re), is_large.select(y.constant(FRAC_PI_2).with_sign(y), im)];
        Complex { re: re.with_sign(self.re), im }
    }
}

/// Returns x² as a sum of two numbers, the first of which is the rounded square.
fn exact_square(x: Real) -> [Real; 2] {
    let square = x.square();
    [square, x.multiply_add(x, -square)]
}

/// Returns ab + cd, accurate also if the products cancel, by the algorithm of W. Kahan.
fn sum_of_products([a, b]: [Real; 2], [c, d]: [Real; 2]) -> Real {
    if a.is_rounded {
        return a * b + c * d;
    }
    let product = c * d;
    let error = c.multiply_add(d, -product);
    a.multiply_add(b, product) + error
}

/// Returns the sum of two numbers and its rounding error, by the algorithm of D. Knuth.
fn exact_sum(x: Real, y: Real) -> [Real; 2] {
    let sum = x + y;
    let of_y = sum - x;
    [sum, (x - (sum - of_y)) + (y - of_y)]
}

/// A number whose exponential is finite, and near the greatest such.
const LARGE: f64 = 700.0;

/// Returns exp(x) as a product of two numbers, the first of which is finite if x is not much above the greatest number
/// with a finite exponential.
fn large_exp(x: Real) -> [Real; 2] {
    if x.is_rounded {
        return [x.exp(), x.constant(1.0)];
    }
    let is_large = x.is_greater(LARGE);
    [is_large.select(x - LARGE, x).exp(), is_large.select(x.constant(LARGE.exp()), 1.0)]
}

/// Returns factors of cosh x and sinh x, and a common one.
fn large_cosh_sinh(x: Real) -> [Real; 3] {
    if x.is_rounded {
        return [x.cosh(), x.sinh(), x.constant(1.0)];
    }
    let a = x.abs();
    let is_large = a.is_greater(LARGE);
    let [power, factor] = large_exp(a);
    let half = 0.5 * power;
    [is_large.select(half, x.cosh()), is_large.select(half.with_sign(x), x.sinh()), factor]
}
