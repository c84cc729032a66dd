//! Tests of the laws of `spec/streams.md` 4.5: equations that hold for all streams, and equations that do not.

use super::equations::{Clock, Generator, Stream, Ty, conditions, inputs};
use super::runs::{Loaded, Same, every_way, load, seeds};
use mlopt_cases::{Checked, Failures};
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::text::terms::{Form, Term, read_one};
use mlopt_runtime::streams::chronogram;
use mlopt_runtime::streams::flat::PIPELINE;
use std::collections::HashMap;

const CYCLES: usize = 24;

/// The streams of the names in laws, and a generator of equations on them.
#[derive(Clone)]
pub struct Side {
    pub g: Generator,
    ty: Ty,
    clock: Clock,
    operands: HashMap<String, Stream>,
    /// A binary function.
    f: &'static str,
}

impl Side {
    /// Returns operands for an existing stream; the others are chosen where a term names them.
    pub fn on(g: Generator, x: Stream) -> Side {
        let f = match x.ty {
            Ty::F64 | Ty::Vector => "arith.addf",
            Ty::I1 => "arith.xori",
            Ty::I64 => "arith.addi",
        };
        Side { g, ty: x.ty, clock: x.clock.clone(), operands: HashMap::from([("x".to_string(), x)]), f }
    }

    /// Returns random operands.
    fn new(seed: u64) -> Side {
        let mut g = Generator::new(seed);
        for _ in 0..3 + seed % 12 {
            g.equation();
        }
        g.close();
        let x = g.pick(|_| true).expect("there are inputs");
        let mut side = Side::on(g, x);
        // Another equation must determine the clock of each operand, which would otherwise be arbitrary.
        for operand in ["x", "y", "a", "b", "c", "d", "yes", "no"].map(|name| side.named(name)) {
            side.g.completed(operand);
        }
        side.f = match side.ty {
            Ty::F64 | Ty::Vector => ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"],
            Ty::I1 => ["arith.andi", "arith.ori", "arith.xori", "arith.andi"],
            Ty::I64 => ["arith.addi", "arith.subi", "arith.muli", "arith.maxsi"],
        }[side.g.below(4)];
        side
    }

    fn named(&mut self, name: &str) -> Stream {
        if let Some(known) = self.operands.get(name) {
            return known.clone();
        }
        let (mut ty, mut clock) = (self.ty, self.clock.clone());
        let stream = match name {
            "k" | "l" => self.g.literal(ty),
            "yes" | "no" => {
                clock = self.sampled(name == "yes");
                self.g.some(ty, &clock)
            }
            "true" | "false" => {
                ty = Ty::I1;
                let stream = self.g.name();
                self.g.text += &format!("  {stream} = arith.constant {name}\n");
                stream
            }
            _ => {
                ty = if matches!(name, "c" | "d") { Ty::I1 } else { ty };
                self.g.some(ty, &clock)
            }
        };
        let stream = Stream { name: stream, ty, clock };
        self.operands.insert(name.to_string(), stream.clone());
        stream
    }

    /// Returns the clock of streams that are sampled where c is true, or where it is false.
    fn sampled(&mut self, holds: bool) -> Clock {
        let c = self.named("c").name;
        [&self.clock[..], &[(c, holds)]].concat()
    }

    /// Defines the stream of a term of a law.
    pub fn made(&mut self, term: &Term) -> Stream {
        let parts = match &term.form {
            Form::Atom(name) => return self.named(name),
            Form::List(parts) => parts,
        };
        let op = parts[0].name().expect("an operation");
        if op == "when" {
            let (x, holds) = (self.made(&parts[1]), parts[2].name().is_some());
            let (inner, not) = (self.sampled(holds), if holds { "" } else { "not " });
            let right = format!("stream.when {}, {not}{}", x.name, self.named("c").name);
            return self.g.define(x.ty, &inner, right);
        }
        let op = match op {
            "f" => self.f.to_string(),
            "if" => "stream.select".to_string(),
            op => format!("stream.{op}"),
        };
        let operands: Vec<Stream> = parts[1..].iter().map(|part| self.made(part)).collect();
        let names: Vec<&str> = operands.iter().map(|s| s.name.as_str()).collect();
        // A literal is on every clock, and a condition on that of the result.
        let (first, last) = (&operands[0], &operands[operands.len() - 1]);
        self.g.define(last.ty, &first.clock, format!("{op} {}", names.join(", ")))
    }

    /// Returns the node with this stream as output.
    fn text(&self, o: Stream) -> String {
        let mut outputs = conditions(&o, "c");
        outputs.push(("o".into(), o));
        self.g.node(&outputs)
    }
}

/// The laws, on streams x, y, a, b, conditions c and d, streams `yes` and `no` that are sampled where c is true and
/// where it is false, a literal k, and a binary function f.
const LAWS: &[[&str; 2]] = &[
    ["(post (fby y x))", "x"],
    ["(fby y (post x))", "(if (fby true false) y x)"],
    ["(post (f x y))", "(f (post x) (post y))"],
    ["(post (if c x y))", "(if (post c) (post x) (post y))"],
    ["(fby (f a b) (f x y))", "(f (fby a x) (fby b y))"],
    ["(fby (if d a b) (if c x y))", "(if (fby d c) (fby a x) (fby b y))"],
    ["(f x (post k))", "(f x k)"],
    ["(f x (fby k k))", "(f x k)"],
    ["(when (f x y) c)", "(f (when x c) (when y c))"],
    ["(when (f x y) (not c))", "(f (when x (not c)) (when y (not c)))"],
    ["(merge c (when x c) (when x (not c)))", "x"],
    ["(merge c (f yes k) (f no k))", "(f (merge c yes no) k)"],
    ["(when (merge c yes no) c)", "yes"],
    ["(when (merge c yes no) (not c))", "no"],
    ["(if c x y)", "(merge c (when x c) (when y (not c)))"],
];

/// Equations that resemble laws but do not hold: sampling does not commute with delay.
const NO_LAWS: &[[&str; 2]] =
    &[["(when (fby y x) c)", "(fby (when y c) (when x c))"], ["(when (post x) c)", "(post (when x c))"]];

/// Returns the programs of both sides.
fn sides(seed: u64, law: [&str; 2]) -> [String; 2] {
    let operands = Side::new(seed);
    law.map(|term| {
        let mut side = operands.clone();
        let o = side.made(&read_one(term).expect("a term"));
        side.text(o)
    })
}

type Rows = Vec<(Row, Same)>;

/// Returns the rows of the stream: interpreted, and optionally compiled.
fn rows(loaded: &Loaded, seed: u64, compiled: bool) -> Checked<Rows> {
    let (flat, given) = (&loaded.flat, inputs(seed, CYCLES));
    let o = flat.graph.outputs.last().expect("it has one").1;
    let all = every_way(flat, &given, CYCLES, compiled)?;
    Ok(all.into_iter().map(|(rows, is_same)| (rows[o].clone(), is_same)).collect())
}

/// A cycle in which the sides of a law differ.
#[derive(Debug, thiserror::Error)]
#[error("cycle {cycle}: the left side is {left}, the right side {right}")]
struct Different {
    cycle: usize,
    left: String,
    right: String,
}

/// Checks both sides. Returns the number of cycles in which both have a value, or `None` for a program that is
/// rejected.
fn agree(seed: u64, texts: &[String; 2], compiled: bool) -> Checked<Option<usize>> {
    let mut both = Vec::new();
    for text in texts {
        match load(text, "f", PIPELINE) {
            Ok(loaded) => both.push(rows(&loaded, seed, compiled)?),
            Err(e) if e.code.is_empty() => return Err(e.into()),
            Err(_) => return Ok(None),
        }
    }
    let mut values = 0;
    for ((left, is_same), (right, _)) in both[0].iter().zip(&both[1]) {
        for (cycle, (left, right)) in left.iter().zip(right).enumerate() {
            if [left, right].contains(&&Cell::Undetermined) {
                continue;
            }
            if !is_same(left, right) {
                let [left, right] = [left, right].map(chronogram::cell);
                return Err(Different { cycle, left, right }.into());
            }
            values += usize::from(left.value().is_some());
        }
    }
    Ok(Some(values))
}

#[test]
fn laws_hold_on_random_operands() {
    let mut failures = Failures::default();
    let all = seeds(40);
    for law in LAWS {
        let (mut ran, mut values) = (0, 0);
        for seed in all.clone() {
            let texts = sides(seed, *law);
            match agree(seed, &texts, seed % 40 == 7) {
                Ok(Some(n)) => (ran, values) = (ran + 1, values + n),
                Ok(None) => {}
                Err(problem) => failures.add(seed, format!("{law:?}: {problem}"), &texts.concat()),
            }
        }
        println!("{law:?}: {ran} programs, {values} values");
        let enough = all.end - all.start > 1;
        assert!(
            !enough || (ran as u64 * 3 > all.end - all.start && values > 5 * ran),
            "{law:?}: {ran} run, {values} values"
        );
    }
    failures.end();
}

#[test]
fn sampling_does_not_commute_with_delay() {
    mlopt_lowering::register_passes();
    for law in NO_LAWS {
        let shows = |seed: &u64| agree(*seed, &sides(*seed, *law), false).is_err_and(|e| e.is::<Different>());
        assert!((0..50).any(|seed| shows(&seed)), "no program shows that it is wrong: {law:?}");
    }
}
