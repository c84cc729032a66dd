//! Difference quotients, estimates of their accuracy, and their comparison with derivatives.

use mlopt_dialects::value::Array;

/// A sum of products, and the sum of their absolute values, to which its rounding error is proportional.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    pub value: f64,
    pub size: f64,
}

/// Computes ⟨a, b⟩ over all elements of both lists.
pub fn dot(a: &[&Array], b: &[Array]) -> Sum {
    let products = a.iter().zip(b).flat_map(|(a, b)| a.to_f64().into_iter().zip(b.to_f64())).map(|(a, b)| a * b);
    let (value, size) = products.fold((0.0, 0.0), |(value, size), p| (value + p, size + p.abs()));
    Sum { value, size }
}

/// Computes x + step · t.
pub fn moved(x: &Array, t: &Array, step: f64) -> Array {
    x.with_f64(x.to_f64().into_iter().zip(t.to_f64()).map(|(x, t)| x + step * t))
}

/// The backward and forward quotients at one step, and a bound of their rounding error.
#[derive(Clone, Copy)]
struct Quotient {
    before: f64,
    after: f64,
    rounding: f64,
}

impl Quotient {
    fn central(&self) -> f64 {
        0.5 * (self.before + self.after)
    }

    fn gap(&self) -> f64 {
        (self.after - self.before).abs()
    }
}

/// Quotients for decreasing steps.
pub struct Differences(Vec<Quotient>);

impl Differences {
    /// Computes the quotients of `f(step)` at 0. `single`: f has the precision of f32.
    pub fn take<E>(f: &dyn Fn(f64) -> Result<Sum, E>, single: bool) -> Result<Differences, E> {
        let (first, count, epsilon) =
            if single { (0.0625, 5, f32::EPSILON as f64) } else { (0.015625, 9, f64::EPSILON) };
        let here = f(0.0)?;
        let mut all = vec![];
        for k in 0..count {
            let step = first / f64::from(4u32.pow(k));
            let (up, down) = (f(step)?, f(-step)?);
            all.push(Quotient {
                before: (here.value - down.value) / step,
                after: (up.value - here.value) / step,
                rounding: 8.0 * epsilon * (here.size + up.size + down.size) / step,
            });
        }
        Ok(Differences(all))
    }

    /// Returns the best quotient and an estimate of its error: its rounding error plus the change from the previous
    /// step.
    fn best(&self) -> Option<(Quotient, f64)> {
        let error = |w: &[Quotient]| (w[0].central() - w[1].central()).abs() + w[1].rounding;
        let all = self.0.windows(2).map(|w| (w[1], error(w))).filter(|(_, e)| e.is_finite());
        all.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Returns the quotients on the two sides of a kink or jump, if there is one: the quotients of a smooth function
    /// approach each other as the step decreases.
    fn kink(&self, tolerance: f64) -> Option<(f64, f64)> {
        let clear = |q: &Quotient| q.gap() > tolerance && q.gap() > 4.0 * q.rounding;
        let last = self.0.iter().rposition(clear)?;
        let stays = last > 0 && self.0[last].gap() > 0.6 * self.0[last - 1].gap();
        stays.then_some((self.0[last].before, self.0[last].after))
    }
}

/// The result for one input at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The relative differences between the modes, and between forward mode and differences.
    Agree {
        modes: f64,
        differences: f64,
    },
    /// The derivative, and the quotients on both sides of the point.
    Kink {
        derivative: f64,
        before: f64,
        after: f64,
    },
    /// The value and the derivative are not finite.
    NotFinite,
    /// The differences do not converge.
    Unclear {
        derivative: f64,
        difference: f64,
        error: f64,
    },
    ModesDisagree {
        jvp: f64,
        vjp: f64,
    },
    DifferencesDisagree {
        derivative: f64,
        difference: f64,
        error: f64,
    },
}

impl Verdict {
    pub fn of(jvp: Sum, vjp: Sum, differences: &Differences, single: bool) -> Verdict {
        let (modes_tolerance, tolerance) = if single { (1e-3, 2e-2) } else { (1e-9, 1e-5) };
        let value = jvp.value;
        let scale = jvp.size.max(vjp.size);
        let best = differences.best();
        if !scale.is_finite() {
            let finite_somewhere = jvp.size.is_finite() || vjp.size.is_finite();
            return match best {
                // The derivative exists if it is finite in one mode, or has finite differences.
                _ if finite_somewhere => Verdict::ModesDisagree { jvp: value, vjp: vjp.value },
                Some((q, error)) if error <= tolerance * (1.0 + q.central().abs()) => {
                    Verdict::DifferencesDisagree { derivative: value, difference: q.central(), error }
                }
                _ => Verdict::NotFinite,
            };
        }
        let unit = scale.max(1e-3);
        let modes = (value - vjp.value).abs() / unit;
        if modes > modes_tolerance {
            return Verdict::ModesDisagree { jvp: value, vjp: vjp.value };
        }
        let Some((q, error)) = best else { return Verdict::NotFinite };
        let off = (q.central() - value).abs();
        let unit = unit.max(q.central().abs());
        if error <= tolerance * unit && off <= tolerance * unit + error {
            return Verdict::Agree { modes, differences: off / unit };
        }
        if let Some((before, after)) = differences.kink(tolerance * unit) {
            return Verdict::Kink { derivative: value, before, after };
        }
        if error > tolerance * unit {
            return Verdict::Unclear { derivative: value, difference: q.central(), error };
        }
        Verdict::DifferencesDisagree { derivative: value, difference: q.central(), error }
    }
}
