//! Measures the time of a prepared call of a scalar function: `cargo run --release -p mlopt --example call_cost`.

use mlopt::{Session, View, ViewMut};
use std::hint::black_box;
use std::time::Instant;

/// The number of calls of one measurement, and of measurements, of which the shortest counts.
const CALLS: u32 = 100_000;
const MEASUREMENTS: usize = 50;

fn main() -> mlopt::Result<()> {
    let text = "func.func @f(%x: f64) -> f64 { %z = arith.mulf %x, %x : f64  return %z : f64 }";
    let f = Session::new().compile("f.mlir", text)?.function("f")?;
    let mut call = f.prepare(&[&[]])?;
    let (x, mut z) = (1.5, 0.0);
    let mut time = |name: &str, call: &mut dyn FnMut(&f64, &mut f64)| {
        let measure = |_| {
            let start = Instant::now();
            (0..CALLS).for_each(|_| call(black_box(&x), &mut z));
            start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS)
        };
        let best = (0..MEASUREMENTS).map(measure).fold(f64::INFINITY, f64::min);
        assert_eq!(z, 2.25);
        println!("{name}: {best:.1} ns");
    };
    time("prepared", &mut |x, z| call.call(&[View::scalar(x)], &mut [ViewMut::scalar(z)]).expect("a number"));
    time("not prepared", &mut |x, z| f.call_into(&[View::scalar(x)], &mut [ViewMut::scalar(z)]).expect("a number"));
    Ok(())
}
