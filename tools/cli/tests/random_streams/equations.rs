//! A generator of random nodes in MLIR syntax, and of values of their inputs.

use mlopt_cases::Random;
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::Input;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data};
use std::fmt::Write;

/// The clock of a stream: conditions from outside to inside, each with its value.
pub type Clock = Vec<(String, bool)>;

#[derive(Clone, Copy, PartialEq)]
pub enum Ty {
    F64,
    I1,
    I64,
    Vector,
}

impl Ty {
    pub fn text(self) -> &'static str {
        match self {
            Ty::F64 => "f64",
            Ty::I1 => "i1",
            Ty::I64 => "i64",
            Ty::Vector => "tensor<3xf64>",
        }
    }
}

#[derive(Clone)]
pub struct Stream<T = Ty> {
    pub name: String,
    pub ty: T,
    pub clock: Clock,
}

pub const INPUTS: [(&str, Ty); 6] =
    [("x", Ty::F64), ("y", Ty::F64), ("c", Ty::I1), ("d", Ty::I1), ("n", Ty::I64), ("w", Ty::Vector)];

#[derive(Clone)]
pub struct Generator<T = Ty> {
    random: Random,
    pub streams: Vec<Stream<T>>,
    pub text: String,
    pub fresh: usize,
    /// Streams with an operand that is chosen when all streams exist.
    pub open: Vec<(Stream<T>, String)>,
}

impl<T: Clone> Generator<T> {
    pub fn with(streams: Vec<Stream<T>>, seed: u64) -> Generator<T> {
        Generator { random: Random::new(seed), streams, text: String::new(), fresh: 0, open: vec![] }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    /// Returns a stream that satisfies `fits`; recent ones are more likely.
    pub fn pick(&mut self, fits: impl Fn(&Stream<T>) -> bool) -> Option<Stream<T>> {
        let all: Vec<usize> = (0..self.streams.len()).filter(|&k| fits(&self.streams[k])).collect();
        if all.is_empty() {
            return None;
        }
        let (a, b) = (self.below(all.len()), self.below(all.len()));
        Some(self.streams[all[a.max(b)]].clone())
    }
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        let stream = |&(name, ty): &(&str, Ty)| Stream { name: format!("%{name}"), ty, clock: vec![] };
        Generator::with(INPUTS.iter().map(stream).collect(), seed)
    }

    pub fn name(&mut self) -> String {
        self.fresh += 1;
        format!("%v{}", self.fresh)
    }

    pub fn define(&mut self, ty: Ty, clock: &Clock, right: String) -> Stream {
        let name = self.name();
        let _ = writeln!(self.text, "  {name} = {right} : {}", ty.text());
        let stream = Stream { name, ty, clock: clock.clone() };
        self.streams.push(stream.clone());
        stream
    }

    pub fn literal(&mut self, ty: Ty) -> String {
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

    pub fn on(&mut self, ty: Ty, clock: &Clock) -> Option<Stream> {
        self.pick(|s| s.ty == ty && s.clock == *clock)
    }

    /// Returns a stream of the type on a clock. It is created if there is none.
    pub fn some(&mut self, ty: Ty, clock: &Clock) -> String {
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

    pub fn equation(&mut self) {
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
                    // Bounded, so that long runs remain comparable.
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
                    // Prefer to merge on the clock's own condition.
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
                // The first operand is sometimes a stream too.
                let first = if self.below(3) == 0 { self.some(ty, &clock) } else { self.literal(ty) };
                let hole = self.name();
                let y = self.define(ty, &clock, format!("stream.fby {first}, {hole}"));
                self.open.push((y, hole));
            }
            12 => {
                self.define(ty, &clock, format!("stream.post {}", x.name));
            }
            13 | 14 => {
                // A recurrence backward in time, which ends where a condition is true.
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

    /// Chooses the operands of delays.
    pub fn close(&mut self) {
        for (y, hole) in std::mem::take(&mut self.open) {
            let e = self.some(y.ty, &y.clock);
            self.text = self.text.replace(&format!("{hole} :"), &format!("{e} :"));
        }
    }

    /// Returns the node `@f` with these outputs.
    pub fn node(&self, outputs: &[(String, Stream)]) -> String {
        let list = |all: Vec<String>| all.join(", ");
        let parameters = list(INPUTS.iter().map(|(n, t)| format!("%{n}: {}", t.text())).collect());
        let results = list(outputs.iter().map(|(n, s)| format!("{n}: {}", s.ty.text())).collect());
        let names = list(outputs.iter().map(|o| o.1.name.clone()).collect());
        let types = list(outputs.iter().map(|o| o.1.ty.text().to_string()).collect());
        format!("stream.node @f({parameters}) -> ({results}) {{\n{}  stream.yield {names} : {types}\n}}\n", self.text)
    }

    /// Merges a stream on a slower clock to the base clock.
    pub fn completed(&mut self, s: Stream) -> Stream {
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

/// Generates a node `@f` of about this number of equations.
pub fn program(seed: u64, equations: usize) -> String {
    let mut g = Generator::new(seed);
    for _ in 0..equations {
        g.equation();
    }
    let outputs = outputs(&mut g);
    g.close();
    g.node(&outputs)
}

/// Generates a node with parameters that have named initial values. All outputs are on the clock of the inputs: a
/// stream that depends on no input would be on the base clock of its context.
pub fn program_with_parameters(seed: u64, equations: usize) -> String {
    let mut g = Generator::new(seed);
    for (name, ty) in [("k", Ty::F64), ("m", Ty::Vector)] {
        let first = g.name();
        let _ = writeln!(g.text, "  {first} = stream.initial \"{name}0\" \"glorot_uniform\" : {}", ty.text());
        g.define(ty, &vec![], format!("stream.param \"{name}\" {first}"));
    }
    for _ in 0..equations {
        g.equation();
    }
    let outputs = outputs(&mut g);
    for (_, s) in &outputs {
        let base = g.completed(s.clone());
        g.define(base.ty, &base.clock, format!("stream.select %c, {0}, {0}", base.name));
    }
    g.close();
    g.node(&outputs)
}

/// Returns some streams as outputs, with the conditions of their clocks.
pub fn outputs(g: &mut Generator) -> Vec<(String, Stream)> {
    let mut outputs: Vec<(String, Stream)> = Vec::new();
    for k in 0..3 {
        let s = g.pick(|_| true).expect("there are inputs");
        if g.below(2) == 0 {
            outputs.push((format!("o{k}"), g.completed(s)));
            continue;
        }
        outputs.extend(conditions(&s, &format!("c{k}")));
        outputs.push((format!("o{k}"), s));
    }
    outputs
}

/// Returns the conditions of the clock of a stream, as outputs.
pub fn conditions(s: &Stream, name: &str) -> Vec<(String, Stream)> {
    let one = |(level, (c, _)): (usize, &(String, bool))| {
        let clock = s.clock[..level].to_vec();
        (format!("{name}_{level}"), Stream { name: c.clone(), ty: Ty::I1, clock })
    };
    s.clock.iter().enumerate().map(one).collect()
}

/// Generates values for all [`INPUTS`]; in some cycles all are absent.
pub fn inputs(seed: u64, cycles: usize) -> Vec<Input> {
    let mut random = Random::new(seed ^ 0x5eed);
    let absent: Vec<bool> = (0..cycles).map(|_| random.below(8) == 0).collect();
    let mut row = |make: fn(&mut Random) -> Array| {
        let cell = |&gone: &bool| if gone { Cell::Absent } else { Cell::Value(Shared::new(make(&mut random))) };
        Input::Cells(absent.iter().map(cell).collect())
    };
    vec![
        row(|r| Array::f64(number(r))),
        row(|r| Array::f64(number(r))),
        row(|r| Array::new(vec![], Data::I1(vec![r.below(3) == 0]))),
        row(|r| Array::new(vec![], Data::I1(vec![r.below(2) == 0]))),
        row(|r| Array::new(vec![], Data::I64(vec![r.below(7) as i64 - 3]))),
        row(|r| Array::vector(&[number(r), number(r), number(r)])),
    ]
}

fn number(random: &mut Random) -> f64 {
    random.below(17) as f64 / 4.0 - 2.0
}
