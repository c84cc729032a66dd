//! Random reactive programs: those that are accepted never get out of step, and compiled code gives what the interpreter gives, cell by
//! cell; those that are refused are refused with a code. `MLOPT_SEED` repeats one, `MLOPT_CASES` runs more.

use mlopt::streams::chronogram;
use mlopt::streams::compiled::Compiled;
use mlopt::streams::flat::{Flat, PIPELINE};
use mlopt::streams::interpret::{Input, Row};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::eval::Shared;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::collections::BTreeMap;
use std::fmt::Write;

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Where a stream is present: from outside to inside, a condition and whether it holds.
type Clock = Vec<(String, bool)>;

#[derive(Clone, Copy, PartialEq)]
enum Ty {
    F64,
    I1,
    I64,
    Vector,
}

impl Ty {
    fn text(self) -> &'static str {
        match self {
            Ty::F64 => "f64",
            Ty::I1 => "i1",
            Ty::I64 => "i64",
            Ty::Vector => "tensor<3xf64>",
        }
    }
}

#[derive(Clone)]
struct Stream {
    name: String,
    ty: Ty,
    clock: Clock,
}

struct Generator {
    random: ChaCha8Rng,
    streams: Vec<Stream>,
    text: String,
    fresh: usize,
    /// Delays whose operand is chosen when all streams are there.
    open: Vec<(Stream, String)>,
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.random.next_u64() as usize % n
    }

    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("%v{}", self.fresh)
    }

    fn define(&mut self, ty: Ty, clock: &Clock, right: String) -> Stream {
        let name = self.name();
        let _ = writeln!(self.text, "  {name} = {right} : {}", ty.text());
        let stream = Stream { name, ty, clock: clock.clone() };
        self.streams.push(stream.clone());
        stream
    }

    fn literal(&mut self, ty: Ty) -> String {
        let name = self.name();
        let value = match ty {
            Ty::F64 => format!("{}.5", self.below(3)),
            Ty::I1 => ["false", "true"][self.below(2)].into(),
            Ty::I64 => format!("{}", self.below(4)),
            Ty::Vector => format!("dense<{}.25>", self.below(3)),
        };
        let ty = if ty == Ty::I1 { String::new() } else { format!(" : {}", ty.text()) };
        let _ = writeln!(self.text, "  {name} = arith.constant {value}{ty}");
        name
    }

    /// Recent ones more often.
    fn pick(&mut self, fits: impl Fn(&Stream) -> bool) -> Option<Stream> {
        let all: Vec<usize> = (0..self.streams.len()).filter(|&k| fits(&self.streams[k])).collect();
        if all.is_empty() {
            return None;
        }
        let (a, b) = (self.below(all.len()), self.below(all.len()));
        Some(self.streams[all[a.max(b)]].clone())
    }

    fn on(&mut self, ty: Ty, clock: &Clock) -> Option<Stream> {
        self.pick(|s| s.ty == ty && s.clock == *clock)
    }

    /// A stream of the type on a clock, made if there is none.
    fn some(&mut self, ty: Ty, clock: &Clock) -> String {
        if let Some(s) = self.on(ty, clock) {
            return s.name;
        }
        match clock.split_last() {
            Some(((condition, holds), around)) if self.below(3) > 0 => {
                let x = self.some(ty, &around.to_vec());
                let not = if *holds { "" } else { "not " };
                self.define(ty, clock, format!("stream.when {x}, {not}{condition}")).name
            }
            _ => {
                let (first, next) = (self.literal(ty), self.literal(ty));
                self.define(ty, clock, format!("stream.fby {first}, {next}")).name
            }
        }
    }

    fn equation(&mut self) {
        let Some(x) = self.pick(|_| true) else { return };
        let (ty, clock) = (x.ty, x.clock.clone());
        match self.below(16) {
            0..=2 => {
                let y = self.some(ty, &clock);
                let op = match ty {
                    Ty::F64 | Ty::Vector => ["addf", "subf", "mulf", "maximumf"][self.below(4)],
                    Ty::I1 => ["andi", "ori", "xori"][self.below(3)],
                    Ty::I64 => ["addi", "subi", "muli", "maxsi"][self.below(4)],
                };
                let z = self.define(ty, &clock, format!("arith.{op} {}, {y}", x.name));
                if matches!(ty, Ty::F64 | Ty::Vector) {
                    // Bounded, so that long runs stay comparable.
                    self.define(ty, &clock, format!("math.sin {}", z.name));
                }
            }
            3 if ty == Ty::F64 => {
                let y = self.some(ty, &clock);
                let name = self.name();
                let _ = writeln!(self.text, "  {name} = arith.cmpf olt, {}, {y} : f64", x.name);
                self.streams.push(Stream { name, ty: Ty::I1, clock });
            }
            3 if ty == Ty::I64 => {
                let y = self.some(ty, &clock);
                let name = self.name();
                let _ = writeln!(self.text, "  {name} = arith.cmpi slt, {}, {y} : i64", x.name);
                self.streams.push(Stream { name, ty: Ty::I1, clock });
            }
            4..=6 => {
                let c = self.some(Ty::I1, &clock);
                let holds = self.below(2) == 0;
                let not = if holds { "" } else { "not " };
                let inner: Clock = clock.iter().cloned().chain([(c.clone(), holds)]).collect();
                if inner.len() < 4 {
                    self.define(ty, &inner, format!("stream.when {}, {not}{c}", x.name));
                }
            }
            7 | 8 => {
                let c = match clock.last() {
                    // Close what is open.
                    Some((c, _)) if self.below(3) > 0 => (c.clone(), clock[..clock.len() - 1].to_vec()),
                    _ => (self.some(Ty::I1, &clock), clock.clone()),
                };
                let (c, around) = c;
                let inner = |holds: bool| around.iter().cloned().chain([(c.clone(), holds)]).collect::<Clock>();
                let (a, b) = (self.some(ty, &inner(true)), self.some(ty, &inner(false)));
                self.define(ty, &around, format!("stream.merge {c}, {a}, {b}"));
            }
            9 => {
                let (c, y) = (self.some(Ty::I1, &clock), self.some(ty, &clock));
                self.define(ty, &clock, format!("stream.select {c}, {}, {y}", x.name));
            }
            10 | 11 => {
                // Sometimes what comes first is a stream too.
                let first = if self.below(3) == 0 { self.some(ty, &clock) } else { self.literal(ty) };
                let hole = self.name();
                let y = self.define(ty, &clock, format!("stream.fby {first}, {hole}"));
                self.open.push((y, hole));
            }
            12 => {
                self.define(ty, &clock, format!("stream.post {}", x.name));
            }
            13 | 14 => {
                // A recurrence backward, up to where a condition holds.
                let (c, first) = (self.some(Ty::I1, &clock), self.literal(ty));
                let hole = self.name();
                let next = self.define(ty, &clock, format!("stream.post {hole}"));
                let y = self.define(ty, &clock, format!("stream.select {c}, {first}, {}", next.name));
                let op = match ty {
                    Ty::F64 | Ty::Vector => "arith.addf",
                    Ty::I1 => "arith.xori",
                    Ty::I64 => "arith.addi",
                };
                let z = self.define(ty, &clock, format!("{op} {}, {}", x.name, y.name));
                let _ = writeln!(self.text, "  // {hole} is {}", z.name);
                self.text = self.text.replace(&format!("{hole} :"), &format!("{} :", z.name));
            }
            _ => {
                let (y, c) = (self.some(ty, &clock), self.literal(Ty::I1));
                self.define(ty, &clock, format!("arith.select {c}, {}, {y}", x.name));
            }
        }
    }

    /// What stands on a slower clock, completed.
    fn completed(&mut self, s: Stream) -> Stream {
        let mut s = s;
        while let Some(((c, holds), around)) = s.clock.clone().split_last() {
            let other: Clock = around.iter().cloned().chain([(c.clone(), !holds)]).collect();
            let b = self.some(s.ty, &other);
            let (x, y) = if *holds { (s.name.clone(), b) } else { (b, s.name.clone()) };
            s = self.define(s.ty, &around.to_vec(), format!("stream.merge {c}, {x}, {y}"));
        }
        s
    }
}

/// A node of about so many equations.
fn program(seed: u64, equations: usize) -> String {
    let mut g = Generator {
        random: ChaCha8Rng::seed_from_u64(seed),
        streams: vec![],
        text: String::new(),
        fresh: 0,
        open: vec![],
    };
    let inputs = [("x", Ty::F64), ("y", Ty::F64), ("c", Ty::I1), ("d", Ty::I1), ("n", Ty::I64), ("w", Ty::Vector)];
    for (name, ty) in inputs {
        g.streams.push(Stream { name: format!("%{name}"), ty, clock: vec![] });
    }
    for _ in 0..equations {
        g.equation();
    }
    let mut outputs: Vec<(String, Stream)> = Vec::new();
    for k in 0..3 {
        let s = g.pick(|_| true).expect("there are inputs");
        if g.below(2) == 0 {
            outputs.push((format!("o{k}"), g.completed(s)));
            continue;
        }
        // Those outside see the conditions.
        for (level, (c, _)) in s.clock.iter().enumerate() {
            let clock = s.clock[..level].to_vec();
            outputs.push((format!("c{k}_{level}"), Stream { name: c.clone(), ty: Ty::I1, clock }));
        }
        outputs.push((format!("o{k}"), s));
    }
    for (y, hole) in std::mem::take(&mut g.open) {
        let e = g.some(y.ty, &y.clock);
        g.text = g.text.replace(&format!("{hole} :"), &format!("{e} :"));
    }
    let list = |all: Vec<String>| all.join(", ");
    let parameters = list(inputs.iter().map(|(n, t)| format!("%{n}: {}", t.text())).collect());
    let results = list(outputs.iter().map(|(n, s)| format!("{n}: {}", s.ty.text())).collect());
    let names = list(outputs.iter().map(|o| o.1.name.clone()).collect());
    let types = list(outputs.iter().map(|o| o.1.ty.text().to_string()).collect());
    format!("stream.node @f({parameters}) -> ({results}) {{\n{}  stream.yield {names} : {types}\n}}\n", g.text)
}

/// Values for all inputs; in some cycles all are absent.
fn inputs(seed: u64, cycles: usize) -> Vec<Input> {
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
    let mut next = |n: u64| random.next_u64() % n;
    let absent: Vec<bool> = (0..cycles).map(|_| next(8) == 0).collect();
    let mut row = |make: &mut dyn FnMut(&mut dyn FnMut(u64) -> u64) -> Array| {
        let cell = |&gone: &bool| if gone { Cell::Absent } else { Cell::Value(Shared::new(make(&mut next))) };
        Input::Cells(absent.iter().map(cell).collect())
    };
    let number = |next: &mut dyn FnMut(u64) -> u64| next(17) as f64 / 4.0 - 2.0;
    let scalar = |data: Data| Array::new(vec![], data);
    vec![
        row(&mut |next| Array::f64(number(next))),
        row(&mut |next| Array::f64(number(next))),
        row(&mut |next| scalar(Data::I1(vec![next(3) == 0]))),
        row(&mut |next| scalar(Data::I1(vec![next(2) == 0]))),
        row(&mut |next| scalar(Data::I64(vec![next(7) as i64 - 3]))),
        row(&mut |next| Array::vector(&[number(next), number(next), number(next)])),
    ]
}

fn same(a: &Cell<Shared>, b: &Cell<Shared>) -> bool {
    match (a, b) {
        (Cell::Value(a), Cell::Value(b)) => {
            let near = |(x, y): (&f64, &f64)| {
                x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-9 * (1.0 + x.abs().max(y.abs()))
            };
            a.shape() == b.shape() && a.element() == b.element() && a.to_f64().iter().zip(&b.to_f64()).all(near)
        }
        (a, b) => a.map(|_| ()) == b.map(|_| ()),
    }
}

/// The plan of a program that was run, or the code with which it is refused.
fn check(seed: u64, text: &str, cycles: usize) -> Result<String, String> {
    let program = Program::parse(text.as_bytes(), "random").map_err(|_| "it does not parse".to_string())?;
    let (flat, messages) = captured(program.module().context(), || {
        program.run_pipeline(PIPELINE)?;
        Flat::new(Flat::nodes(&program)[0])
    });
    let Ok(flat) = flat else {
        let text = messages.into_iter().next().unwrap_or_default();
        let code = text.split_whitespace().find(|w| w.starts_with("E-")).map(|w| w.trim_end_matches(':').to_string());
        return code.ok_or(format!("refused without a code: {text}"));
    };
    let given = inputs(seed, cycles);
    let mut none = |_| unreachable!("there are no initial values");
    let want = flat.interpret(&given, cycles, &mut none).map_err(|e| format!("the interpreter: {e}"))?;
    if let Some(v) = flat.graph.vars().find(|&v| want[v].contains(&Cell::Mistimed)) {
        return Err(format!("{} gets out of step", flat.graph.name(v)));
    }
    for optimise in [false, true] {
        let code = Compiled::new(&flat, &[], optimise)?;
        let ran = code.run(&flat, &given, cycles, None, &mut none).map_err(|e| format!("the code: {e}"))?;
        if let Some((n, stop)) = ran.stop {
            return Err(format!("the code: {}", flat.stopped(n, &stop).1));
        }
        let got: Vec<Row> = ran.rows;
        for (name, v) in &flat.graph.outputs {
            for n in 0..cycles {
                let (want, got) = (&want[*v][n], &got[*v][n]);
                if !same(want, got) {
                    let [want, got] = [want, got].map(chronogram::cell);
                    let plan = flat.plan.class.name();
                    let how = if optimise { ", optimised" } else { "" };
                    return Err(format!("{plan}{how}: `{name}` in cycle {n}: expected {want}, found {got}"));
                }
            }
        }
    }
    Ok(flat.plan.class.name().to_string())
}

#[test]
fn compiled_code_does_what_the_interpreter_does() {
    mlopt::cli::register_passes();
    let one = variable("MLOPT_SEED");
    let seeds = one.map_or(0..variable("MLOPT_CASES").unwrap_or(60), |s| s..s + 1);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for seed in seeds {
        // Small ones are easier to read; windows end in long runs.
        let text = program(seed, 3 + seed as usize % 20);
        match check(seed, &text, if seed % 3 == 0 { 90 } else { 25 }) {
            Ok(plan) => *counts.entry(plan).or_default() += 1,
            Err(problem) => {
                println!("MLOPT_SEED={seed}: {problem}\n{text}");
                failures.push(seed);
            }
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{} programs fail: {failures:?}", failures.len());
    if one.is_none() {
        for plan in ["forward", "retimed", "waiting", "segmented"] {
            assert!(counts.contains_key(plan), "no program is {plan}: {counts:?}");
        }
    }
}
