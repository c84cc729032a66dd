//! The gradients of the experiment with which the design of the optimiser began, and what its designs made of them: beside what
//! `egg-optimize` makes of them now.

use crate::optimiser::{COLUMNS, GROWTH, arguments, laws, parse, power, work};
use crate::timing::median;
use mlopt_passes::egg_optimize::Rewriter;
use mlopt_passes::optimise::{Options, Phases};
use std::time::Instant;

/// One gradient, and figures of the experiment: the design without an e-graph that it recommended (D), that with one (B), and everything in
/// the e-graph (A). Milliseconds at n = 6.
struct Case {
    name: &'static str,
    /// The least power of n with which the work can grow.
    optimal: f64,
    d: (f64, f64),
    /// Milliseconds and e-nodes.
    b: (f64, usize),
    /// `None` where it ran out of fuel, or was not run to the end.
    a: Option<(f64, usize)>,
}

const fn case(name: &'static str, optimal: f64, d: (f64, f64), b: (f64, usize), a: Option<(f64, usize)>) -> Case {
    Case { name, optimal, d, b, a }
}

const CASES: [Case; 17] = [
    case("dot_a", 0.0, (0.0, 0.1), (0.7, 1), Some((1.9, 250))),
    case("max_v", 1.0, (1.0, 0.1), (0.7, 28), Some((1.1, 85))),
    case("squares_v", 1.0, (1.0, 0.1), (0.8, 5), Some((1.5, 224))),
    case("self_convolution_v", 1.0, (1.0, 0.1), (0.7, 7), Some((1.3, 208))),
    case("trace_m", 2.0, (2.0, 0.1), (0.7, 8), Some((1.2, 132))),
    case("bilinear_m", 2.0, (2.0, 0.2), (0.8, 9), Some((18.0, 1903))),
    case("least_squares_x", 2.0, (2.0, 0.1), (0.8, 18), Some((3.0, 529))),
    case("least_squares_m", 2.0, (2.0, 0.1), (0.7, 17), Some((3.4, 585))),
    case("nnmf_h", 2.0, (2.0, 0.3), (1.1, 39), Some((34.0, 2404))),
    case("nnmf_rank3_h", 2.0, (2.0, 0.3), (1.7, 78), Some((10.0, 1049))),
    case("log_sum_exp_v", 1.0, (1.0, 0.3), (1.5, 71), Some((18.0, 1537))),
    case("mlp_w2", 2.0, (1.9, 0.6), (1.4, 52), Some((563.0, 21634))),
    case("mlp_w1", 2.0, (1.95, 0.7), (4.2, 148), Some((1261.0, 39162))),
    case("mixture_mu", 2.0, (1.9, 1.3), (48.0, 454), None),
    case("two_layers_x", 2.0, (1.96, 0.3), (2.8, 84), Some((15.0, 2394))),
    case("all_points", 1.0, (1.0, 7.8), (57.0, 3519), None),
    case("product_v", 1.0, (2.0, f64::NAN), (f64::NAN, 0), None),
];

/// What the fit may exceed the power by: terms of lower order.
const TOLERANCE: f64 = 0.12;

/// Prints the table; false where a power is not the optimal one.
pub fn table() -> Result<bool, String> {
    println!(
        "| gradient | optimal | D | egg-optimize | D, ms | B, ms | A, ms | normalise, ms | both, ms | B, e-nodes | A | both |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut good = true;
    for case in &CASES {
        let name = case.name;
        let (text, mode): (&str, &[&str]) = match name {
            "all_points" => (COLUMNS, &["jvp", "inline"]),
            "product_v" => (GROWTH, &["bulk-operations", "differentiate"]),
            _ => (GROWTH, &["jvp"]),
        };
        // Each time a program that was not seen before: the median of seven.
        let timed = |phases: Phases| -> Result<(f64, usize), String> {
            let (mut times, mut nodes) = (Vec::new(), 0);
            for _ in 0..7 {
                let program = parse(text, mode)?;
                let target = program.module().lookup(name).ok_or("the function is there")?;
                let mut rewriter = Rewriter::new(laws(), Options { phases, ..Options::default() });
                let started = Instant::now();
                rewriter.rewrite(target);
                times.push(1e3 * started.elapsed().as_secs_f64());
                nodes = rewriter.reports.iter().map(|r| r.nodes).max().unwrap_or(0);
            }
            Ok((median(times), nodes))
        };
        let (alone, _) = timed(Phases::DETERMINISTIC)?;
        let (both, nodes) = timed(Phases::ALL)?;
        let optimised = parse(text, &[mode, &["egg-optimize"]].concat())?;
        let function = optimised.module().lookup(name).ok_or("the function is there")?;
        let counted = |n: usize| work(&optimised, name, &arguments(function, n)?);
        let found = power(counted(12)?, counted(24)?);
        good &= found <= case.optimal + TOLERANCE;
        let number = |x: f64| if x.is_nan() { "-".to_string() } else { format!("{x:.1}") };
        let (a_time, a_nodes) = case.a.map_or(("-".into(), "-".into()), |(t, n)| (number(t), n.to_string()));
        println!(
            "| {name} | n^{} | n^{} | n^{found:.2} | {} | {} | {a_time} | {alone:.1} | {both:.1} | {} | {a_nodes} | {nodes} |",
            case.optimal,
            case.d.0,
            number(case.d.1),
            number(case.b.0),
            if case.b.1 == 0 { "-".to_string() } else { case.b.1.to_string() },
        );
    }
    println!();
    Ok(good)
}
