//! Measurement of times on a noisy machine: medians of batches.

use std::time::{Duration, Instant};

/// Returns the seconds per call of `work`: the median of `batches`, each of at least `floor`.
pub fn per_call(batches: usize, floor: Duration, mut work: impl FnMut()) -> f64 {
    let started = Instant::now();
    work();
    let once = started.elapsed().max(Duration::from_nanos(20));
    let calls = (floor.as_secs_f64() / once.as_secs_f64()).ceil().clamp(1.0, 1e7) as u32;
    let batch = || {
        let started = Instant::now();
        (0..calls).for_each(|_| work());
        started.elapsed().as_secs_f64() / calls as f64
    };
    median(std::iter::repeat_with(batch).take(batches).collect())
}

/// # Panics
/// There are no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Returns the exponent `p` of the best fit of `t = c nᵖ`: the slope of the regression line through the logarithms.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(n, t)| (n.ln(), t.ln())).collect();
    let count = logs.len() as f64;
    let (mx, my) = (logs.iter().map(|p| p.0).sum::<f64>() / count, logs.iter().map(|p| p.1).sum::<f64>() / count);
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
    covariance / logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        let points: Vec<(f64, f64)> = [1e3, 1e4, 1e5].iter().map(|&n: &f64| (n, 3.0 * n.powf(1.5))).collect();
        assert!((exponent(&points) - 1.5).abs() < 1e-12);
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
    }
}
