//! Tests of functional updates in place, in random programs with lists and recursion: an update must not be visible
//! through other uses of the original array. `MLOPT_SEED` repeats one case, `MLOPT_CASES` runs more. Tests with written
//! programs are in `test/lambda/updates_in_place.test`.

use mlopt_cases::{Failures, Knuth, seeds};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions::import;
use mlopt_functions::run::machine;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, FUNCTIONS_PLAIN};
use mlopt_runtime::code::{Compiled, blocks_held};

fn parse(types: &[&str], term: &str) -> Program {
    mlopt_lowering::register_passes();
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    import("updates", "f", &types, &read_one(term).unwrap()).unwrap().verified().unwrap()
}

/// Returns the compiled program, and the lowering's messages on updates that copy.
fn compiled(types: &[&str], term: &str, passes: &[&str]) -> (Program, Compiled, Vec<String>) {
    let program = parse(types, term);
    let target = Target::host().unwrap();
    target.describe(program.module());
    let passes: Vec<&str> =
        passes.iter().map(|p| if *p == "lambda-to-llvm" { "lambda-to-llvm{report=true}" } else { *p }).collect();
    let pipeline = pipeline_text(&passes);
    let (outcome, said) = captured(program.module().context(), || program.run_pipeline(&pipeline));
    outcome.unwrap_or_else(|_| panic!("{said:?}: {term}"));
    let code = Compiled::new(program.module(), &target).unwrap();
    (program, code, said.into_iter().filter(|s| s.contains("copies its array")).collect())
}

/// A generator of programs on arrays of four numbers.
struct Programs {
    random: Knuth,
    names: usize,
    calls: bool,
}

impl Programs {
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn number(&mut self, scope: &[String], depth: usize) -> String {
        match self.random.below(if depth == 0 { 2 } else { 5 }) {
            0 => format!("{}.5", self.random.below(4)),
            1 => format!("(aget {} {})", self.pick(scope), self.random.below(4)),
            2 => format!("(sum {})", self.array(scope, depth - 1)),
            3 => format!("(+ (head l) {})", self.number(scope, depth - 1)),
            _ => format!("(* 0.5 {})", self.number(scope, depth - 1)),
        }
    }

    fn pick(&mut self, scope: &[String]) -> String {
        scope[self.random.below(scope.len())].clone()
    }

    fn array(&mut self, scope: &[String], depth: usize) -> String {
        if depth == 0 {
            return self.pick(scope);
        }
        let less = depth - 1;
        match self.random.below(if self.calls { 14 } else { 13 }) {
            0 => self.pick(scope),
            1..=4 => {
                let (a, i, x) = (self.array(scope, less), self.random.below(4), self.number(scope, less));
                format!("(aset {a} {i} {x})")
            }
            5 | 6 => {
                let (value, name) = (self.array(scope, less), self.name());
                let inner = [scope, std::slice::from_ref(&name)].concat();
                format!("(let (({name} {value})) {})", self.array(&inner, less))
            }
            7 => {
                let condition = format!("(< {} {})", self.number(scope, less), self.number(scope, less));
                format!("(if {condition} {} {})", self.array(scope, less), self.array(scope, less))
            }
            8 => {
                let (start, name) = (self.array(scope, less), self.name());
                let inner = [scope, std::slice::from_ref(&name)].concat();
                format!("(for i 3 (({name} {start})) (next {}) {name})", self.array(&inner, less))
            }
            9 => {
                let (start, name, x) = (self.array(scope, less), self.name(), self.name());
                let inner = [scope, std::slice::from_ref(&name)].concat();
                format!("(fold (lam ({name} {x}) {}) {start} l)", self.array(&inner, less))
            }
            10 => {
                let k = self.random.below(2);
                format!("(get {k} (tuple {} {}))", self.array(scope, less), self.array(scope, less))
            }
            11 => {
                let (first, second) = (self.array(scope, less), self.array(scope, less));
                let place = ["head", "(lam (x) (head (tail x)))"][self.random.below(2)];
                format!("({place} (list {first} {second}))")
            }
            12 => format!("(+ {} {})", self.array(scope, less), self.array(scope, less)),
            _ => format!("(go {} 2)", self.array(scope, less)),
        }
    }

    /// Generates a function of a list and a number whose result depends on every named array.
    fn program(seed: u64) -> String {
        let mut p = Programs { random: Knuth(seed * 2 + 1), names: 0, calls: false };
        let scope = ["a".to_string()];
        let depth = 2 + p.random.below(3);
        let step = p.array(&scope, depth);
        let (more, place) = (p.array(&scope, 2), p.random.below(4));
        p.calls = true;
        let mut all = vec!["s".to_string()];
        let mut text = String::new();
        for _ in 0..1 + p.random.below(4) {
            let value = p.array(&all, depth);
            let name = p.name();
            text += &format!("({name} {value}) ");
            all.push(name);
        }
        let weights = "(list 1.0 10.0 100.0 1000.0)";
        let seen: Vec<String> = all.iter().enumerate().map(|(k, a)| format!("(* {}.0 (dot {a} w))", k + 1)).collect();
        let sum = seen.into_iter().reduce(|x, y| format!("(+ {x} {y})")).expect("there is one");
        // The recursion uses its argument after the call. Its result is a new array, or its argument.
        format!(
            "(lam (l x) (letrec ((go (lam (a k) (if (i< k 1) {more} (aset (go {step} (i- k 1)) {place} (aget a 0))))))
              (let ((w (toarray {weights})) (s (scale x w)) {text}) {sum})))"
        )
    }
}

#[test]
fn nobody_sees_a_change() {
    let seeds = seeds(0, 60);
    let types = ["list<f64>", "f64"];
    let inputs = [Value::list([0.25, -1.5, 2.0].map(Value::f64).to_vec()), Value::f64(0.75)];
    let (mut in_data, mut copies, mut failures) = (0, 0, Failures::default());
    for seed in seeds.clone() {
        let term = Programs::program(seed);
        let wanted = Evaluator::new(parse(&types, &term).module()).call("f", &inputs).unwrap().as_f64().unwrap();
        for passes in [FUNCTIONS_PLAIN, FUNCTIONS_CPU] {
            let (program, code, said) = compiled(&types, &term, passes);
            let found = machine(program.module(), &code, "f", &inputs).unwrap().remove(0).0.as_f64().unwrap();
            if (found - wanted).abs() > 1e-9 * wanted.abs().max(1.0) {
                failures.add(seed, format!("expected {wanted}, found {found}"), &term);
            }
            in_data += usize::from(code.program("f").is_some());
            copies += said.len();
        }
    }
    println!("{in_data} programs of data, {copies} updates copy");
    failures.end();
    assert!(seeds.end - seeds.start == 1 || in_data as u64 > seeds.end / 2, "only {in_data} programs have data");
    assert_eq!(blocks_held(), 0, "memory is not freed");
}
