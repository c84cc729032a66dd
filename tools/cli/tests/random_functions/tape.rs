//! Tests of the evaluator's derivatives on random smooth functions with closures, loops, recursion, data and gradients:
//! first and second derivatives agree with finite differences.

use super::meanings::parse;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::lambda::philox::State;

/// A generator of random terms with one float in the scope `vars`.
struct Terms {
    state: State,
    names: usize,
}

impl Terms {
    fn below(&mut self, n: usize) -> usize {
        let (x, next) = self.state.uniform(1);
        self.state = next;
        (x[0] * n as f64) as usize
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn with(&mut self, vars: &[String], depth: usize) -> (String, String) {
        let name = self.name();
        let scope = [vars, std::slice::from_ref(&name)].concat();
        let body = self.term(&scope, depth);
        (name, body)
    }

    fn term(&mut self, vars: &[String], depth: usize) -> String {
        if depth == 0 {
            return match self.below(4) {
                0 => format!("{:?}", 0.25 + self.below(5) as f64 / 4.0),
                _ => vars[self.below(vars.len())].clone(),
            };
        }
        let d = depth - 1;
        let k = self.below(17);
        let (a, b) = (self.term(vars, d), self.term(vars, d));
        let (v, body) = self.with(vars, d);
        match k {
            0 | 1 => format!("(+ {a} {b})"),
            2 | 3 => format!("(* {a} {b})"),
            4 => format!("(sin {a})"),
            5 => format!("(tanh (- {a} {b}))"),
            6 => format!("(let (({v} {a})) (* {body} {v}))"),
            7 => format!("((lam ({v}) {body}) {a})"),
            // The condition is constant, so that the function is continuous.
            8 => format!("(if (< 0.5 {:?}) {a} {b})", self.below(2) as f64),
            9 => format!("(for i 3 (({v} {a})) (next (sin {body})) {v})"),
            10 => format!("(fold (lam (p {v}) (tanh (+ p {body}))) {a} (list {a} {b}))"),
            11 => format!("(get {} (tuple {a} {b}))", self.below(2)),
            12 => format!("((compose (lam ({v}) {body}) sin) {a})"),
            13 => format!("(letrec ((f (lam (k {v}) (if (i= k 0) {v} (f (i- k 1) (sin {body})))))) (f 2 {a}))"),
            14 => format!("(sin ((grad (lam ({v}) {body})) {a}))"),
            15 => format!("(field u (with (record P (u {a}) (w {b})) (u (* {a} {b}))))"),
            _ => format!("(let ((a (toarray (list {a} {b})))) (dot (aset a 1 (aget a 0)) (map (lam ({v}) {body}) a)))"),
        }
    }
}

#[test]
fn gradients_of_random_programs_agree_with_differences() {
    // Dropping nested values may recurse.
    let work = || {
        let mut wrong = Vec::new();
        for seed in 0..300 {
            let mut terms = Terms { state: State::new(seed), names: 0 };
            let body = terms.term(&["x".to_string()], 3);
            let term =
                format!("(lam (x) (let ((f (lam (x) {body})) (df (grad f))) (tuple (f x) (df x) ((grad df) x))))");
            let program = parse(&term, 1).unwrap_or_else(|e| panic!("{e}: {term}"));
            let at = |x: f64| -> [f64; 3] {
                let value = Evaluator::new(program.module()).call("f", &[Value::f64(x)]);
                let Ok(Value::Tuple(parts)) = value else { panic!("{body}: {value:?}") };
                std::array::from_fn(|k| parts[k].as_f64().expect("a float"))
            };
            let h = 1e-4;
            let (down, here, up) = (at(0.4 - h), at(0.4), at(0.4 + h));
            for k in 0..2 {
                let quotient = (up[k] - down[k]) / (2.0 * h);
                // Differences of fast-growing functions are inaccurate.
                if here.iter().all(|x| x.abs() < 1e3) && (here[k + 1] - quotient).abs() > 1e-4 * quotient.abs().max(1.0)
                {
                    wrong.push(format!("{seed}, order {}: {} but {quotient}: {body}", k + 1, here[k + 1]));
                }
            }
        }
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    };
    std::thread::Builder::new().stack_size(1 << 28).spawn(work).unwrap().join().expect("the test's thread");
}
