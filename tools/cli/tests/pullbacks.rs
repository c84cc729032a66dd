//! Tests on random programs with pullbacks of constant forms: reducing a pullback as a term and computing it by J give
//! the same numbers. `test/lambda/pullback_forms.test` has forms that depend on their point. `MLOPT_SEED` repeats one
//! case, `MLOPT_CASES` runs more.

use mlopt_cases::{Checked, Failures, Random, is_one, seeds};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;
use mlopt_passes::functions::pullback_reduce::pullbacks::{Limits, Machine, Term, TermKind};
use std::error::Error;

const DERIVATIVES: &str = "builtin.module(lambda-specialise,lambda-simplify,j-transform,lambda-simplify)";
const FORM: &str = "(lam (any) (covector 1.0))";

struct Maker {
    random: Random,
    named: usize,
    /// The number of terms that may still be generated.
    left: usize,
    /// The kinds of terms that occur.
    kinds: Vec<&'static str>,
}

impl Maker {
    fn fresh(&mut self, stem: &str) -> String {
        self.named += 1;
        format!("{stem}{}", self.named)
    }

    fn with<'a>(scope: &[&'a str], name: &'a str) -> Vec<&'a str> {
        [scope, &[name]].concat()
    }

    /// Generates a number that depends on the variables.
    fn number(&mut self, scope: &[&str], order: usize) -> String {
        self.left = self.left.saturating_sub(1);
        let choice = self.random.below(if self.left == 0 { 3 } else { 16 });
        match choice {
            0 | 1 => scope[self.random.below(scope.len())].to_string(),
            2 => format!("{:?}", self.random.below(16) as f64 / 4.0 - 2.0),
            3 | 4 => format!("(+ {} {})", self.number(scope, order), self.number(scope, order)),
            5 | 6 => format!("(* {} {})", self.number(scope, order), self.number(scope, order)),
            7 => format!("(- {} {})", self.number(scope, order), self.number(scope, order)),
            8 => {
                let f = ["sin", "cos", "tanh", "neg", "sigmoid"][self.random.below(5)];
                format!("({f} {})", self.number(scope, order))
            }
            9 => format!("(/ {} (+ 2.0 (sin {})))", self.number(scope, order), self.number(scope, order)),
            10 => {
                self.kinds.push("let");
                let (value, x) = (self.number(scope, order), self.fresh("l"));
                format!("(let (({x} {value})) {})", self.number(&Self::with(scope, &x), order))
            }
            11 => {
                self.kinds.push("closure");
                let (f, u) = (self.fresh("f"), self.fresh("u"));
                let body = self.number(&Self::with(scope, &u), order);
                let (a, b) = (self.number(scope, order), self.number(scope, order));
                format!("(let (({f} (lam ({u}) {body}))) (+ ({f} {a}) (* ({f} {b}) 0.5)))")
            }
            12 => {
                self.kinds.push("function of a function");
                let (g, u) = (self.fresh("g"), self.fresh("u"));
                let body = self.number(&Self::with(scope, &u), order);
                format!("((lam ({g}) ({g} ({g} {}))) (lam ({u}) {body}))", self.number(scope, order))
            }
            13 => {
                self.kinds.push("function that gives a function");
                let (a, b) = (self.fresh("a"), self.fresh("b"));
                let inner = Self::with(scope, &a);
                let body = self.number(&Self::with(&inner, &b), order);
                let (x, y) = (self.number(scope, order), self.number(scope, order));
                format!("(((lam ({a}) (lam ({b}) {body})) {x}) {y})")
            }
            14 => {
                self.kinds.push("tuple");
                let (x, y) = (self.number(scope, order), self.number(scope, order));
                let t = self.fresh("t");
                format!("(let (({t} (tuple {x} {y}))) (* (get 1 {t}) (+ 0.5 (get 0 {t}))))")
            }
            _ if order > 0 => {
                self.kinds.push("pullback");
                let u = self.fresh("u");
                let body = self.number(&Self::with(scope, &u), order - 1);
                format!("(pair-with ((pullback ({u}) {body} {FORM}) {}) 1.0)", self.number(scope, order - 1))
            }
            _ => scope[0].to_string(),
        }
    }
}

/// Generates a pullback along a random function of two numbers.
fn pullback(seed: u64) -> (String, [f64; 2], Vec<&'static str>) {
    let mut random = Random::new(seed);
    let point = [0, 1].map(|_| random.below(24) as f64 / 8.0 - 1.4);
    let mut maker = Maker { random, named: 0, left: 4 + seed as usize % 17, kinds: Vec::new() };
    let body = maker.number(&["x", "y"], 1);
    let term = format!("(pullback (q) (let ((x (get 0 q)) (y (get 1 q))) (+ {body} (* 0.0 (+ x y)))) {FORM})");
    (term, point, maker.kinds)
}

fn parsed(types: &[String], term: &str) -> Program {
    let read = read_one(term).expect("a term");
    let program = import("random", "f", types, &read).unwrap_or_else(|e| panic!("{term}: {e}"));
    program.verified().unwrap_or_else(|_| panic!("{term} is not valid"))
}

fn reduced(term: &str) -> Checked<Vec<f64>> {
    fn leaves(term: &Term, out: &mut Vec<f64>) -> bool {
        match &term.kind {
            TermKind::Zero => out.push(0.0),
            TermKind::Number(x) => out.extend(x.to_f64()),
            TermKind::Tuple(parts) => return parts.iter().all(|p| leaves(p, out)),
            _ => return false,
        }
        true
    }
    let program = parsed(&[], &format!("(lam () {term})"));
    program.run_pipeline("builtin.module(lambda-specialise)").map_err(|_| "it has no types")?;
    let module = program.module();
    let mut machine = Machine::new(module, Limits::default());
    let function = module.lookup("f").expect("the function");
    let value = machine.read(function).and_then(|t| machine.eval(&t)).map_err(|_| "it is not reduced")?;
    let mut found = Vec::new();
    match leaves(&value, &mut found) {
        true => Ok(found),
        false => Err(format!("it is reduced to {}", machine.text(&value)).into()),
    }
}

fn differentiated(term: &str, point: [f64; 2]) -> Checked<Vec<f64>> {
    let program = parsed(&["tuple<f64,f64>".to_string()], &format!("(lam (q) ({term} q))"));
    program.run_pipeline(DERIVATIVES).map_err(|_| "it is not differentiated")?;
    let input = Value::tuple(point.map(Value::f64).to_vec());
    match Evaluator::new(program.module()).call("f", &[input])? {
        Value::Tuple(parts) => Ok(parts.iter().filter_map(|v| v.as_f64()).collect()),
        other => Err(format!("it gives {}", other.kind()).into()),
    }
}

fn check(seed: u64) -> Checked<Vec<&'static str>> {
    let (term, point, kinds) = pullback(seed);
    let fail = |problem: Box<dyn Error>| format!("{problem}\n{term}\nat {point:?}");
    let wanted = differentiated(&term, point).map_err(fail)?;
    let found = reduced(&format!("({term} (tuple {:?} {:?}))", point[0], point[1])).map_err(fail)?;
    let close = |(f, w): (&f64, &f64)| !w.is_finite() || (f - w).abs() <= 1e-9 * w.abs().max(1.0);
    match found.len() == 2 && found.iter().zip(&wanted).all(close) {
        true => Ok(kinds),
        false => Err(fail(format!("reduced to {found:?}, by J {wanted:?}").into()).into()),
    }
}

#[test]
fn reductions_agree_with_derivatives() {
    mlopt_lowering::register_passes();
    let (mut kinds, mut failures) = (Vec::new(), Failures::default());
    for seed in seeds(0, 200) {
        match check(seed) {
            Ok(found) => kinds.extend(found),
            Err(problem) => failures.add(seed, problem, ""),
        }
    }
    failures.end();
    let all = ["let", "closure", "function of a function", "function that gives a function", "tuple", "pullback"];
    for kind in all {
        assert!(is_one() || kinds.iter().filter(|k| **k == kind).count() >= 10, "few programs have a {kind}");
    }
}
