//! A generator of random nodes in the notation of `spec/streams.md` 3 that are smooth in all floats: conditions depend
//! on Boolean inputs only.

use super::equations::{Clock, Generator, Stream};
use super::runs::seeds;
use mlopt_cases::{Checked, Failures, count};
use mlopt_dialects::value::Element;
use mlopt_frontend::streams::{Elements, Request, Type};
use std::collections::BTreeMap;

/// Recurrences that restart at the end of a sequence (8.6).
const LIBRARY: &str = include_str!("networks.rml2");

#[derive(Clone, Debug, PartialEq)]
enum Ty {
    Bool,
    Float(Vec<u64>),
}
use Ty::{Bool, Float};

/// The inputs: name, shape, and whether Boolean.
pub const INPUTS: [(&str, &[u64], bool); 6] =
    [("x", &[], false), ("y", &[], false), ("w", &[2], false), ("c", &[], true), ("d", &[], true), ("e", &[], true)];

fn shape_text(shape: &[u64]) -> String {
    format!("{shape:?}")
}

impl Generator<Ty> {
    fn name(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    fn define(&mut self, ty: &Ty, clock: &Clock, right: &str) -> Stream<Ty> {
        let name = self.name();
        self.text += &format!("  {name} = {right};\n");
        let stream = Stream { name, ty: ty.clone(), clock: clock.clone() };
        self.streams.push(stream.clone());
        stream
    }

    fn literal(&mut self, ty: &Ty) -> String {
        match ty {
            Bool => ["false", "true"][self.below(2)].into(),
            Float(shape) if shape.is_empty() => ["0.5", "-0.25", "1.5"][self.below(3)].into(),
            Float(shape) => format!("{}{{{}}}()", ["zeros", "ones"][self.below(2)], shape_text(shape)),
        }
    }

    /// Returns a stream of the type on a clock. It is created if there is none.
    fn some(&mut self, ty: &Ty, clock: &Clock) -> String {
        if let Some(s) = self.pick(|s| s.ty == *ty && s.clock == *clock) {
            return s.name;
        }
        match (clock.split_last(), ty) {
            (Some(((condition, holds), around)), _) if self.below(4) > 0 => {
                let x = self.some(ty, &around.to_vec());
                let not = if *holds { "" } else { "not " };
                self.define(ty, clock, &format!("{x} when {not}{condition}")).name
            }
            (_, Bool) => self.define(ty, clock, "true fby false").name,
            (_, Float(shape)) => {
                let shape = shape.clone();
                self.parameter(&shape, clock)
            }
        }
    }

    /// Defines a parameter on a clock, with a named initial value.
    fn parameter(&mut self, shape: &[u64], clock: &Clock) -> String {
        let first = self.name();
        self.text += &format!("  {first} = glorot_uniform{{{}}}();\n", shape_text(shape));
        let ty = Float(shape.to_vec());
        let Some(((c, holds), around)) = clock.split_last() else {
            return self.define(&ty, clock, &format!("param({first})")).name;
        };
        // A used stream determines the clock: unused equations are removed together with their constraints on clocks.
        let (p, x) = (self.name(), self.some(&Float(vec![]), &around.to_vec()));
        self.text += &format!("  {p} = param({first});\n");
        let not = if *holds { "" } else { "not " };
        self.define(&ty, clock, &format!("{p} + 0.0 * ({x} when {not}{c})")).name
    }

    /// Returns a function of streams of the same cycle.
    fn function(&mut self, x: &Stream<Ty>, shape: &[u64]) -> (Vec<u64>, String) {
        let clock = x.clock.clone();
        let name = x.name.clone();
        let same = Float(shape.to_vec());
        let other = |g: &mut Self, shape: &[u64]| g.some(&Float(shape.to_vec()), &clock);
        match (self.below(12), shape) {
            (0, _) => (shape.to_vec(), format!("tanh({name})")),
            (1, _) => (shape.to_vec(), format!("sigmoid({name})")),
            (2, _) => (shape.to_vec(), format!("exp(tanh({name}))")),
            (3, _) => (shape.to_vec(), format!("sqrt(2.0 + tanh({name}))")),
            (4, _) => {
                let y = self.some(&same, &clock);
                (shape.to_vec(), format!("tanh({name} * {y})"))
            }
            (5, _) => {
                let y = self.some(&same, &clock);
                (shape.to_vec(), format!("{name} / (2.0 + tanh({y}))"))
            }
            (6 | 7, _) => {
                // An elementwise operand may be a scalar.
                let shape_of = if self.below(3) == 0 { vec![] } else { shape.to_vec() };
                let y = other(self, &shape_of);
                let op = ["+", "-", "*"][self.below(3)];
                (shape.to_vec(), format!("tanh(0.5 * {name}) {op} sigmoid({y})"))
            }
            (8, [2]) => (vec![], format!("{name}[{}]", self.below(2))),
            (8, [2, 2]) => (vec![2, 2], format!("transpose({name})")),
            (8, [4]) => (vec![2, 2], format!("reshape{{[2, 2]}}({name})")),
            (9, []) => {
                let y = other(self, &[]);
                (vec![2], format!("[{name}, {y}]"))
            }
            (9, [2]) => {
                let y = other(self, &[2]);
                (vec![4], format!("concat({name}, {y})"))
            }
            (9, [2, 2]) => (vec![4], format!("reshape{{[4]}}({name})")),
            (9, _) => {
                let low = self.below(3);
                (vec![2], format!("slice{{{low}, {}}}({name})", low + 2))
            }
            (10, [2]) => {
                let a = other(self, &[2, 2]);
                (vec![2], format!("matmul({a}, {name})"))
            }
            (10, [2, 2]) => {
                let y = other(self, &[2]);
                (vec![2], format!("matmul({name}, {y})"))
            }
            (11, [2]) => {
                let y = other(self, &[2]);
                (vec![2, 2], format!("outer({name}, {y})"))
            }
            (11, [2, 2]) => {
                let y = other(self, &[2, 2]);
                (vec![2, 2], format!("tanh(matmul({name}, {y}))"))
            }
            _ => (vec![], format!("tanh(sum({name}))")),
        }
    }

    fn equation(&mut self) {
        let x = self.pick(|s| s.ty != Bool).expect("there are inputs");
        let (ty, clock) = (x.ty.clone(), x.clock.clone());
        let Float(shape) = &ty else { unreachable!("it is no condition") };
        match self.below(20) {
            0..=5 => {
                let (shape, right) = self.function(&x, shape);
                self.define(&Float(shape), &clock, &right);
            }
            6 | 7 => {
                let c = self.some(&Bool, &clock);
                let holds = self.below(2) == 0;
                let inner: Clock = [&clock[..], &[(c.clone(), holds)]].concat();
                if inner.len() < 3 {
                    self.define(&ty, &inner, &format!("{} when {}{c}", x.name, if holds { "" } else { "not " }));
                }
            }
            8 => {
                let (c, around) = match clock.split_last() {
                    // Prefer to merge on the clock's own condition.
                    Some(((c, _), around)) => (c.clone(), around.to_vec()),
                    None => (self.some(&Bool, &clock), clock),
                };
                let inner = |holds: bool| [&around[..], &[(c.clone(), holds)]].concat();
                let (a, b) = (self.some(&ty, &inner(true)), self.some(&ty, &inner(false)));
                self.define(&ty, &around, &format!("merge({c}, {a}, {b})"));
            }
            9 => {
                let (c, y) = (self.some(&Bool, &clock), self.some(&ty, &clock));
                self.define(&ty, &clock, &format!("if {c} then {} else {y}", x.name));
            }
            10 | 11 => {
                let first = if self.below(2) == 0 { self.some(&ty, &clock) } else { self.literal(&ty) };
                let y = self.define(&ty, &clock, &format!("{first} fby {}", x.name));
                if self.below(2) == 0 {
                    self.define(&ty, &clock, &format!("tanh({} + {})", y.name, x.name));
                }
            }
            12 => {
                self.define(&ty, &clock, &format!("post {}", x.name));
            }
            // Recurrences forward and backward in time that restart after each sequence.
            13..=15 => {
                let (end, hole) = (self.some(&Bool, &clock), self.name());
                let first = if self.below(2) == 0 { self.some(&ty, &clock) } else { self.literal(&ty) };
                let node = ["fby_end", "post_end"][self.below(2)];
                let right = format!("{node}{{{}}}({end}, {first}, {hole})", shape_text(shape));
                let p = self.define(&ty, &clock, &right);
                let next = self.define(&ty, &clock, &format!("tanh({} + 0.75 * {})", x.name, p.name));
                if self.below(4) == 0 {
                    self.open.push((next, hole));
                } else {
                    self.text = self.text.replace(&format!("{hole})"), &format!("{})", next.name));
                }
            }
            16 => {
                let end = self.some(&Bool, &clock);
                self.define(&ty, &clock, &format!("backfill({}, {end})", x.name));
            }
            17 => {
                let shape = shape.clone();
                let p = self.parameter(&shape, &clock);
                if self.below(2) == 0 {
                    let end = self.some(&Bool, &clock);
                    self.define(&ty, &clock, &format!("param_end{{{}}}({end}, {p})", shape_text(&shape)));
                }
            }
            18 => {
                let (c, d) = (self.some(&Bool, &clock), self.some(&Bool, &clock));
                let right = match self.below(4) {
                    0 => format!("not {c}"),
                    1 => format!("{c} and {d}"),
                    2 => format!("true fby {c}"),
                    _ => format!("{c} or {d}"),
                };
                self.define(&Bool, &clock, &right);
            }
            _ => {
                // A recurrence that may not end.
                if self.below(4) == 0 {
                    let hole = self.name();
                    let y = self.define(&ty, &clock, &format!("0.5 * ({} fby {hole})", x.name));
                    self.open.push((y, hole));
                }
            }
        }
    }

    /// Merges a stream on a slower clock to the base clock.
    fn completed(&mut self, s: Stream<Ty>) -> Stream<Ty> {
        let mut s = s;
        while let Some(((c, holds), around)) = s.clock.clone().split_last() {
            let other: Clock = [around, &[(c.clone(), !holds)]].concat();
            let b = self.some(&s.ty, &other);
            let (x, y) = if *holds { (s.name.clone(), b) } else { (b, s.name.clone()) };
            s = self.define(&s.ty, &around.to_vec(), &format!("merge({c}, {x}, {y})"));
        }
        s
    }
}

/// Generates a node `f` of about this number of equations.
pub fn network(seed: u64, equations: usize) -> String {
    let stream = |&(name, shape, is_bool): &(&str, &[u64], bool)| Stream {
        name: name.to_string(),
        ty: if is_bool { Bool } else { Float(shape.to_vec()) },
        clock: vec![],
    };
    let mut g: Generator<Ty> = Generator::with(INPUTS.iter().map(stream).collect(), seed ^ 0x6ead);
    g.parameter(&[], &vec![]);
    g.parameter(&[2, 2], &vec![]);
    for _ in 0..equations {
        g.equation();
    }
    for (y, hole) in std::mem::take(&mut g.open) {
        let e = g.some(&y.ty, &y.clock);
        g.text = g.text.replace(&format!("{hole})"), &format!("{e})"));
    }
    let mut outputs = String::new();
    for k in 0..2 {
        let s = g.pick(|s| s.ty != Bool).expect("there are inputs");
        if g.below(2) == 0 {
            let o = g.completed(s);
            g.text += &format!("  o{k} = {};\n", o.name);
        } else {
            // The conditions of the clock are outputs.
            for (level, (c, _)) in s.clock.iter().enumerate() {
                g.text += &format!("  c{k}_{level} = {c};\n");
                outputs += &format!("c{k}_{level}, ");
            }
            g.text += &format!("  o{k} = {};\n", s.name);
        }
        outputs += &format!("o{k}, ");
    }
    // An output that depends on many streams.
    let mut parts = Vec::new();
    for _ in 0..5 {
        let s = g.pick(|s| s.ty != Bool).expect("there are inputs");
        let s = g.completed(s);
        parts.push(format!("tanh(sum({}))", s.name));
    }
    g.text += &format!("  total = {};\n", parts.join(" + "));
    outputs += "total";
    let inputs: Vec<&str> = INPUTS.iter().map(|i| i.0).collect();
    format!("{LIBRARY}node f({}) -> ({outputs}) let\n{}tel\n", inputs.join(", "), g.text)
}

/// Checks random nodes of 4 to `most` + 3 equations, until `usual` of them have an outcome that `counts`, or fail.
/// Prints and returns how many have each outcome. The last argument of `check` is the number of nodes that counted.
pub fn judge(
    usual: u64,
    most: usize,
    counts: impl Fn(&str) -> bool,
    mut check: impl FnMut(u64, &str, usize) -> Checked<String>,
) -> BTreeMap<String, usize> {
    let wanted = count(usual) as usize;
    let (mut outcomes, mut failures): (BTreeMap<String, usize>, Failures) = Default::default();
    let mut checked = 0;
    for seed in seeds(1).start.. {
        if checked == wanted {
            break;
        }
        let text = network(seed, 4 + seed as usize % most);
        match check(seed, &text, checked) {
            Ok(outcome) => {
                checked += usize::from(counts(&outcome));
                *outcomes.entry(outcome).or_default() += 1;
            }
            Err(problem) => {
                checked += 1;
                failures.add(seed, problem, &text);
            }
        }
    }
    println!("{outcomes:#?}");
    failures.end();
    outcomes
}

/// Imports the node as MLIR. The text and the MLIR have different file names, because names are looked up by positions
/// in the MLIR.
pub fn imported(text: &str) -> Checked<String> {
    let ty = |&(name, shape, is_bool): &(&str, &[u64], bool)| {
        let kind = if is_bool { Elements::Bool } else { Elements::Float };
        (name.to_string(), Type { kind, shape: shape.to_vec() })
    };
    let types = INPUTS.iter().map(ty).collect();
    let request = Request { node: Some("f".into()), statics: vec![], types, float: Element::F64 };
    let program =
        mlopt_frontend::streams::import(text, "network", &request).map_err(|e| format!("network:{}", e[0]))?;
    Ok(program.module().with_locations())
}
