//! Measurements on the gradients of the experiment that preceded the design of the optimiser. The results of
//! `egg-optimize` are compared with those of the designs that were tried.

use crate::error::{Context, Error};
use crate::optimiser::{COLUMNS, GROWTH, LAWS, alone, arguments, parse, power, work};
use crate::print_head;
use crate::timing::median;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Dim, Type};
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_passes::arrays::static_sizes;
use mlopt_passes::optimise::egg_optimize::Rewriter;
use mlopt_passes::optimise::phases::{Options, Phases};
use mlopt_passes::optimise::saturate::Graph;
use mlopt_passes::optimise::terms::Op;
use std::time::Instant;

/// A gradient, and figures of the experiment for three designs: without an e-graph, which it recommended (D), with one
/// (B), and everything in the e-graph (A). Milliseconds at n = 6.
struct Case {
    name: &'static str,
    /// The least possible exponent of the work in n.
    optimal: f64,
    d: (f64, f64),
    /// Milliseconds and e-nodes.
    b: (f64, usize),
    /// `None` if it ran out of fuel or was not completed.
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

/// The amount by which the fit may exceed the exponent, due to terms of lower order.
const TOLERANCE: f64 = 0.12;

/// The size of the timed programs.
const TIMED: usize = 6;

/// The stack size; compilers need large stacks.
const STACK: usize = 1 << 30;

/// Prints the table. Returns false if an exponent is not optimal.
pub fn table() -> Result<bool, Error> {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(rows)?;
    thread.join().ok().context("the measurement panicked")?
}

fn rows() -> Result<bool, Error> {
    print_head(
        "| gradient | optimal | D | egg-optimize | D, ms | normalise | B, ms | A, ms | egg-optimize | the whole \
         pass | B, e-nodes | A | egg-optimize | without lengths |",
    );
    let mut good = true;
    for case in &CASES {
        let (text, mode): (&str, &[&str]) = match case.name {
            "all_points" => (COLUMNS, &["jvp", "inline"]),
            "product_v" => (GROWTH, &["bulk-operations", "differentiate"]),
            _ => (GROWTH, &["jvp"]),
        };
        let text = alone(text, case.name)?;
        // Measures the rewriting of terms, as in the experiment, and the whole pass: translation to terms and back, and
        // a second run that changes nothing.
        let timed = |phases: Phases| -> Result<(f64, f64, usize), Error> {
            let (mut on_terms, mut whole, mut nodes) = (Vec::new(), Vec::new(), 0);
            // Each iteration uses a new program.
            for _ in 0..21 {
                let program = sized(&text, case.name, TIMED, mode)?;
                let target = program.module().lookup(case.name).context("the function is there")?;
                let mut rewriter = Rewriter::new(&LAWS, Options { phases, ..Options::default() });
                let started = Instant::now();
                rewriter.rewrite(target);
                whole.push(1e3 * started.elapsed().as_secs_f64());
                on_terms.push(1e3 * rewriter.on_terms[0].as_secs_f64());
                nodes = rewriter.reports.iter().map(|r| r.nodes).max().unwrap_or(0);
            }
            Ok((median(on_terms), median(whole), nodes))
        };
        let (directed, ..) = timed(Phases::DETERMINISTIC)?;
        let (both, whole, nodes) = timed(Phases::ALL)?;
        let without_lengths = {
            let program = sized(&text, case.name, TIMED, mode)?;
            let mut rewriter = Rewriter::new(&LAWS, Options::default());
            rewriter.graphs = Some(Vec::new());
            rewriter.rewrite(program.module().lookup(case.name).context("the function is there")?);
            rewriter.graphs.iter().flatten().map(|s| besides_lengths(&s.graph)).max().unwrap_or(0)
        };
        let counted = |n: usize| -> Result<f64, Error> {
            let optimised = sized(&text, case.name, n, &[mode, &["egg-optimize"]].concat())?;
            let function = optimised.module().lookup(case.name).context("the function is there")?;
            work(&optimised, case.name, &arguments(function, n)?)
        };
        let found = power(counted(12)?, counted(24)?);
        good &= found <= case.optimal + TOLERANCE;
        let number = |x: f64| if x.is_nan() { "-".to_string() } else { format!("{x:.1}") };
        let (a_time, a_nodes) = case.a.map_or(("-".into(), "-".into()), |(t, n)| (number(t), n.to_string()));
        println!(
            "| {} | n^{} | n^{} | n^{found:.2} | {} | {directed:.2} | {} | {a_time} | {both:.2} | {whole:.2} | {} | \
             {a_nodes} | {nodes} | {without_lengths} |",
            case.name,
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

/// Counts the e-nodes of a graph as the experiment did, in which lengths were parts of loops and indices.
fn besides_lengths(graph: &Graph) -> usize {
    let mut is_used = vec![false; graph.classes.len()];
    graph.roots.iter().for_each(|&root| is_used[root] = true);
    for form in graph.classes.iter().flat_map(|class| &class.forms) {
        let lengths = match form.op {
            Op::Ix(_) | Op::Build | Op::Reduce(..) | Op::Ifold(_) => 0..1,
            Op::State(..) => 0..form.operands.len(),
            Op::Scatter(loops, _) => 1..1 + usize::from(loops),
            _ => 0..0,
        };
        for (k, &class) in form.operands.iter().enumerate() {
            is_used[class] |= !lengths.contains(&k);
        }
    }
    graph.classes.iter().zip(is_used).filter(|(_, is_used)| *is_used).map(|(class, _)| class.forms.len()).sum()
}

/// Returns the program with arguments of size `n`, after some passes.
fn sized(text: &str, name: &str, n: usize, passes: &[&str]) -> Result<Program, Error> {
    let program = parse(text, &[])?;
    let function = program.module().lookup(name).context("the function is there")?;
    let (inputs, _) = function.function_type().context("a function has a type")?;
    let shape = |ty: Type| ty.shape().into_iter().map(|d| Some(d.unwrap_or(n))).collect();
    let shapes: Vec<Vec<Dim>> = inputs.into_iter().map(shape).collect();
    static_sizes::specialise(function, &shapes)?;
    program.run_pipeline(&pipeline_text(passes))?;
    Ok(program)
}
