//! The program of docs/tutorial/arrays-in-rust-programs.md: fits an exponential decay to measurements.

use mlopt::{Cache, ErrorKind, Pipeline, Session, Target, View, ViewMut};
use ndarray::{Array1, array};
use std::fmt::Write as _;
use std::path::Path;

pub const DECAY: &str = "\
; The mean squared error of the model a·exp(-k·t) at readings ys at times ts, with p = [a, k].
(def model (p t) (* (aget p 0) (exp (neg (* (aget p 1) t)))))
(def loss (p ts ys)
  (/ (sum (map2 (lam (t y) (powi (- (model p t) y) 2)) ts ys)) (itof (len ts))))
; The loss, and its gradient with respect to p.
(def step ((p array<2xf64>) (ts array<?xf64>) (ys array<?xf64>))
  ((vgrad 0 3 loss) p ts ys))
";

/// Returns what the program prints. The cache is in `folder`, which must be empty.
pub fn run(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut said = String::new();

    let session = Session::new();
    let code = session.compile("decay.lambda", DECAY)?;
    let step = code.function("step")?;
    for ty in step.inputs() {
        writeln!(said, "takes {ty}")?;
    }
    for ty in step.results() {
        writeln!(said, "returns {ty}")?;
    }

    let times = Array1::linspace(0.0, 4.0, 9);
    let readings = array![3.1, 2.05, 1.52, 1.04, 0.71, 0.55, 0.36, 0.26, 0.19];
    let mut p = array![1.0, 1.0];
    let results = step.call(&[View::from(&p), View::from(&times), View::from(&readings)])?;
    let (loss, gradient) = (results[0].elements::<f64>()?[0], results[1].elements::<f64>()?);
    writeln!(said, "loss {loss:.4}, gradient [{:.4}, {:.4}]", gradient[0], gradient[1])?;

    let mut call = step.prepare(&[p.shape(), times.shape(), readings.shape()])?;
    let (mut loss, mut gradient) = (0.0, Array1::zeros(2));
    for _ in 0..1000 {
        call.call(
            &[View::from(&p), View::from(&times), View::from(&readings)],
            &mut [ViewMut::scalar(&mut loss), ViewMut::try_from(&mut gradient)?],
        )?;
        p.scaled_add(-0.2, &gradient);
    }
    writeln!(said, "a = {:.3}, k = {:.3}, loss {loss:.6}", p[0], p[1])?;

    let slopes: Vec<f64> = std::thread::scope(|scope| {
        let start = |k: f64| {
            let (step, times, readings) = (step.clone(), times.view(), readings.view());
            scope.spawn(move || -> mlopt::Result<f64> {
                let p = array![3.0, k];
                let results = step.call(&[View::from(&p), View::from(&times), View::from(&readings)])?;
                Ok(results[1].elements::<f64>()?[1])
            })
        };
        let threads = [0.5, 0.7, 0.9].map(start);
        threads.into_iter().map(|thread| thread.join().expect("the thread ends")).collect::<mlopt::Result<_>>()
    })?;
    writeln!(said, "slopes along k: {slopes:.3?}")?;

    let wrong = DECAY.replace("(aget p 1)", "(aget q 1)");
    if let Err(error) = session.compile("wrong.lambda", wrong) {
        let found = &error.diagnostics()[0];
        assert_eq!(error.kind(), ErrorKind::Program);
        let (line, column) = (found.line.unwrap_or(0), found.column.unwrap_or(0));
        writeln!(said, "line {line}, column {column}: {}", found.text)?;
    }
    if let Err(error) = step.call(&[View::from(&times), View::from(&times), View::from(&readings)]) {
        assert_eq!(error.kind(), ErrorKind::Argument);
        writeln!(said, "{error}")?;
    }

    let cached = Session::with_cache(Cache::open(folder)?);
    for _ in 0..2 {
        cached.compile("decay.lambda", DECAY)?;
    }
    if let Some(cache) = cached.cache() {
        writeln!(said, "compiled {}, read from the cache {}", cache.misses(), cache.hits())?;
    }

    let mut module = session.parse("decay.lambda", DECAY)?;
    writeln!(said, "{:?}", module.functions()?)?;
    module.run(&Pipeline::of(&["canonicalize"]))?;
    let code = module.compile(&Pipeline::default_cpu(), &Target::named("x86-64", "")?)?;
    writeln!(said, "{:?}", code.functions())?;
    Ok(said)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join(format!("mlopt-decay-{}", std::process::id()));
    print!("{}", run(&folder)?);
    Ok(std::fs::remove_dir_all(folder)?)
}
