//! Tests of the laws of `spec/streams.md` 4.5: equations that hold for all streams, and equations that do not.

use super::equations::{Clock, Generator, Stream, Ty, conditions, inputs};
use super::runs::{Loaded, compile, identical, interpret, load, same, seeds};
use mlopt_cases::{Checked, Failures};
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::Cell;
use mlopt_runtime::streams::chronogram;
use mlopt_runtime::streams::flat::PIPELINE;

const CYCLES: usize = 24;

/// Random operands, and a generator of equations on them.
#[derive(Clone)]
struct Side {
    g: Generator,
    ty: Ty,
    clock: Clock,
    x: Stream,
    y: Stream,
    a: Stream,
    b: Stream,
    /// Conditions.
    c: Stream,
    d: Stream,
    /// Streams sampled where `c` is true, and where it is false.
    yes: Stream,
    no: Stream,
    /// A binary function.
    f: &'static str,
}

impl Side {
    fn new(seed: u64) -> Side {
        let mut g = Generator::new(seed);
        for _ in 0..3 + seed % 12 {
            g.equation();
        }
        g.close();
        let x = g.pick(|_| true).expect("there are inputs");
        let (ty, clock) = (x.ty, x.clock.clone());
        let stream =
            |g: &mut Generator, ty: Ty, clock: &Clock| Stream { name: g.some(ty, clock), ty, clock: clock.clone() };
        let [y, a, b] = [0; 3].map(|_| stream(&mut g, ty, &clock));
        let [c, d] = [0; 2].map(|_| stream(&mut g, Ty::I1, &clock));
        let [yes, no] = [true, false].map(|holds| {
            let inner = [&clock[..], &[(c.name.clone(), holds)]].concat();
            stream(&mut g, ty, &inner)
        });
        // Another equation must determine the clock of each operand, which would otherwise be arbitrary.
        for s in [&x, &y, &a, &b, &c, &d, &yes, &no] {
            g.completed(s.clone());
        }
        let f = match ty {
            Ty::F64 | Ty::Vector => ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"],
            Ty::I1 => ["arith.andi", "arith.ori", "arith.xori", "arith.andi"],
            Ty::I64 => ["arith.addi", "arith.subi", "arith.muli", "arith.maxsi"],
        }[g.below(4)];
        Side { g, ty, clock, x, y, a, b, c, d, yes, no, f }
    }

    fn on(&mut self, clock: &Clock, right: String) -> Stream {
        self.g.define(self.ty, clock, right)
    }

    fn equation(&mut self, right: String) -> Stream {
        let clock = self.clock.clone();
        self.on(&clock, right)
    }

    fn apply(&mut self, a: &Stream, b: &Stream) -> Stream {
        let right = format!("{} {}, {}", self.f, a.name, b.name);
        self.on(&a.clock.clone(), right)
    }

    fn post(&mut self, x: &Stream) -> Stream {
        self.equation(format!("stream.post {}", x.name))
    }

    fn fby(&mut self, i: &Stream, e: &Stream) -> Stream {
        self.equation(format!("stream.fby {}, {}", i.name, e.name))
    }

    fn when(&mut self, x: &Stream, holds: bool) -> Stream {
        let inner = [&self.clock[..], &[(self.c.name.clone(), holds)]].concat();
        let not = if holds { "" } else { "not " };
        let right = format!("stream.when {}, {not}{}", x.name, self.c.name);
        self.on(&inner, right)
    }

    fn merge(&mut self, a: &Stream, b: &Stream) -> Stream {
        self.equation(format!("stream.merge {}, {}, {}", self.c.name, a.name, b.name))
    }

    fn select(&mut self, c: &Stream, a: &Stream, b: &Stream) -> Stream {
        self.equation(format!("stream.select {}, {}, {}", c.name, a.name, b.name))
    }

    /// Defines a condition of the next or the previous cycle.
    fn bool(&mut self, right: String) -> Stream {
        let clock = self.clock.clone();
        self.g.define(Ty::I1, &clock, right)
    }

    /// Returns a stream with the same value in each cycle, wherever it is read.
    fn literal(&mut self) -> Stream {
        let name = self.g.literal(self.ty);
        Stream { name, ty: self.ty, clock: self.clock.clone() }
    }

    /// Returns the node with this stream as output.
    fn text(&self, o: Stream) -> String {
        let mut outputs = conditions(&o, "c");
        outputs.push(("o".into(), o));
        self.g.node(&outputs)
    }
}

type Made = fn(&mut Side, [Stream; 4]) -> Stream;

/// The laws, on operands x, y, a, b.
const LAWS: &[(&str, Made, Made)] = &[
    (
        "post (y fby x) = x",
        |s, [x, y, ..]| {
            let p = s.fby(&y, &x);
            s.post(&p)
        },
        |_, [x, ..]| x,
    ),
    (
        "y fby (post x) = x, but y in the first present cycle",
        |s, [x, y, ..]| {
            let p = s.post(&x);
            s.fby(&y, &p)
        },
        |s, [x, y, ..]| {
            let [yes, no] = ["true", "false"].map(|v| {
                let name = s.g.name();
                s.g.text += &format!("  {name} = arith.constant {v}\n");
                name
            });
            let first = s.bool(format!("stream.fby {yes}, {no}"));
            s.select(&first, &y, &x)
        },
    ),
    (
        "post (f(x, y)) = f(post x, post y)",
        |s, [x, y, ..]| {
            let z = s.apply(&x, &y);
            s.post(&z)
        },
        |s, [x, y, ..]| {
            let (x, y) = (s.post(&x), s.post(&y));
            s.apply(&x, &y)
        },
    ),
    (
        "post (if c then x else y) = if post c then post x else post y",
        |s, [x, y, ..]| {
            let z = s.select(&s.c.clone(), &x, &y);
            s.post(&z)
        },
        |s, [x, y, ..]| {
            let (x, y) = (s.post(&x), s.post(&y));
            let c = s.bool(format!("stream.post {}", s.c.name));
            s.select(&c, &x, &y)
        },
    ),
    (
        "f(a, b) fby f(x, y) = f(a fby x, b fby y)",
        |s, [x, y, a, b]| {
            let (first, next) = (s.apply(&a, &b), s.apply(&x, &y));
            s.fby(&first, &next)
        },
        |s, [x, y, a, b]| {
            let (p, q) = (s.fby(&a, &x), s.fby(&b, &y));
            s.apply(&p, &q)
        },
    ),
    (
        "(if d then a else b) fby (if c then x else y) = if d fby c then a fby x else b fby y",
        |s, [x, y, a, b]| {
            let (first, next) = (s.select(&s.d.clone(), &a, &b), s.select(&s.c.clone(), &x, &y));
            s.fby(&first, &next)
        },
        |s, [x, y, a, b]| {
            let (p, q) = (s.fby(&a, &x), s.fby(&b, &y));
            let c = s.bool(format!("stream.fby {}, {}", s.d.name, s.c.name));
            s.select(&c, &p, &q)
        },
    ),
    (
        "post k = k",
        |s, [x, ..]| {
            let k = s.literal();
            let p = s.post(&k);
            s.apply(&x, &p)
        },
        |s, [x, ..]| {
            let k = s.literal();
            s.apply(&x, &k)
        },
    ),
    (
        "k fby k = k",
        |s, [x, ..]| {
            let k = s.literal();
            let p = s.fby(&k, &k);
            s.apply(&x, &p)
        },
        |s, [x, ..]| {
            let k = s.literal();
            s.apply(&x, &k)
        },
    ),
    (
        "f(x, y) when c = f(x when c, y when c)",
        |s, [x, y, ..]| {
            let z = s.apply(&x, &y);
            s.when(&z, true)
        },
        |s, [x, y, ..]| {
            let (x, y) = (s.when(&x, true), s.when(&y, true));
            s.apply(&x, &y)
        },
    ),
    (
        "f(x, y) when not c = f(x when not c, y when not c)",
        |s, [x, y, ..]| {
            let z = s.apply(&x, &y);
            s.when(&z, false)
        },
        |s, [x, y, ..]| {
            let (x, y) = (s.when(&x, false), s.when(&y, false));
            s.apply(&x, &y)
        },
    ),
    (
        "merge(c, x when c, x when not c) = x",
        |s, [x, ..]| {
            let (a, b) = (s.when(&x, true), s.when(&x, false));
            s.merge(&a, &b)
        },
        |_, [x, ..]| x,
    ),
    (
        "merge(c, f(a), f(b)) = f(merge(c, a, b))",
        |s, _| {
            let k = s.literal();
            let (a, b) = (s.apply(&s.yes.clone(), &k), s.apply(&s.no.clone(), &k));
            s.merge(&a, &b)
        },
        |s, _| {
            let k = s.literal();
            let m = s.merge(&s.yes.clone(), &s.no.clone());
            s.apply(&m, &k)
        },
    ),
    (
        "merge(c, a, b) when c = a",
        |s, _| {
            let m = s.merge(&s.yes.clone(), &s.no.clone());
            s.when(&m, true)
        },
        |s, _| s.yes.clone(),
    ),
    (
        "merge(c, a, b) when not c = b",
        |s, _| {
            let m = s.merge(&s.yes.clone(), &s.no.clone());
            s.when(&m, false)
        },
        |s, _| s.no.clone(),
    ),
    (
        "if c then x else y = merge(c, x when c, y when not c)",
        |s, [x, y, ..]| s.select(&s.c.clone(), &x, &y),
        |s, [x, y, ..]| {
            let (a, b) = (s.when(&x, true), s.when(&y, false));
            s.merge(&a, &b)
        },
    ),
];

/// Equations that resemble laws but do not hold: sampling does not commute with delay.
const NO_LAWS: &[(&str, Made, Made)] = &[
    (
        "(y fby x) when c = (y when c) fby (x when c)",
        |s, [x, y, ..]| {
            let p = s.fby(&y, &x);
            s.when(&p, true)
        },
        |s, [x, y, ..]| {
            let (x, y) = (s.when(&x, true), s.when(&y, true));
            let clock = x.clock.clone();
            s.on(&clock, format!("stream.fby {}, {}", y.name, x.name))
        },
    ),
    (
        "(post x) when c = post (x when c)",
        |s, [x, ..]| {
            let p = s.post(&x);
            s.when(&p, true)
        },
        |s, [x, ..]| {
            let x = s.when(&x, true);
            let clock = x.clock.clone();
            s.on(&clock, format!("stream.post {}", x.name))
        },
    ),
];

/// Returns the programs of both sides.
fn sides(seed: u64, made: [Made; 2]) -> [String; 2] {
    let operands = Side::new(seed);
    made.map(|made| {
        let mut side = operands.clone();
        let o = made(&mut side, [&operands.x, &operands.y, &operands.a, &operands.b].map(Clone::clone));
        side.text(o)
    })
}

type Rows = Vec<(Row, super::runs::Same)>;

/// Returns the rows of the stream: interpreted, and optionally compiled.
fn rows(loaded: &Loaded, seed: u64, compiled: bool) -> Checked<Rows> {
    let (flat, given) = (&loaded.flat, inputs(seed, CYCLES));
    let o = flat.graph.outputs.last().expect("it has one").1;
    let mut all = vec![(interpret(flat, &given, CYCLES, "")?[o].clone(), identical as super::runs::Same)];
    if compiled {
        for optimise in [false, true] {
            all.push((compile(flat, &given, CYCLES, "", optimise)?[o].clone(), same));
        }
    }
    Ok(all)
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
    for (law, left, right) in LAWS {
        let (mut ran, mut values) = (0, 0);
        for seed in all.clone() {
            let texts = sides(seed, [*left, *right]);
            match agree(seed, &texts, seed % 40 == 7) {
                Ok(Some(n)) => (ran, values) = (ran + 1, values + n),
                Ok(None) => {}
                Err(problem) => failures.add(seed, format!("{law}: {problem}"), &texts.concat()),
            }
        }
        println!("{law}: {ran} programs, {values} values");
        let enough = all.end - all.start > 1;
        assert!(
            !enough || (ran as u64 * 3 > all.end - all.start && values > 5 * ran),
            "{law}: {ran} run, {values} values"
        );
    }
    failures.end();
}

#[test]
fn sampling_does_not_commute_with_delay() {
    mlopt::register_passes();
    for (law, left, right) in NO_LAWS {
        let shows =
            |seed: &u64| agree(*seed, &sides(*seed, [*left, *right]), false).is_err_and(|e| e.is::<Different>());
        assert!((0..50).any(|seed| shows(&seed)), "no program shows that it is wrong: {law}");
    }
}
