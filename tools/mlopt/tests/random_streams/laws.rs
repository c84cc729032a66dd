//! The laws of `spec/streams.md` 4.5: equations that hold for all streams, and equations that do not.

use super::equations::{Clock, Generator, Stream, Ty, conditions, inputs};
use super::runs::{Loaded, compile, identical, interpret, load, same, seeds};
use mlopt_cases::Failures;
use mlopt_dialects::interpret::Row;
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::text::terms::{Form, Term, read_one};
use mlopt_runtime::streams::chronogram;
use mlopt_runtime::streams::flat::PIPELINE;
use std::collections::HashMap;

const CYCLES: usize = 24;

/// Random operands, and a generator of equations on them.
#[derive(Clone)]
struct Side {
    g: Generator,
    ty: Ty,
    clock: Clock,
    /// The streams of the names in laws.
    operands: HashMap<&'static str, Stream>,
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
        let mut operands = HashMap::from([("x", x)]);
        for (name, ty) in [("y", ty), ("a", ty), ("b", ty), ("c", Ty::I1), ("d", Ty::I1)] {
            operands.insert(name, Stream { name: g.some(ty, &clock), ty, clock: clock.clone() });
        }
        for (name, holds) in [("yes", true), ("no", false)] {
            let clock = [&clock[..], &[(operands["c"].name.clone(), holds)]].concat();
            operands.insert(name, Stream { name: g.some(ty, &clock), ty, clock });
        }
        // Another equation must determine the clock of each operand, which would otherwise be arbitrary.
        for name in ["x", "y", "a", "b", "c", "d", "yes", "no"] {
            g.completed(operands[name].clone());
        }
        let f = match ty {
            Ty::F64 | Ty::Vector => ["arith.addf", "arith.subf", "arith.mulf", "arith.maximumf"],
            Ty::I1 => ["arith.andi", "arith.ori", "arith.xori", "arith.andi"],
            Ty::I64 => ["arith.addi", "arith.subi", "arith.muli", "arith.maxsi"],
        }[g.below(4)];
        Side { g, ty, clock, operands, f }
    }

    fn named(&mut self, name: &str) -> Stream {
        if let Some(known) = self.operands.get(name) {
            return known.clone();
        }
        if name == "k" {
            let k = Stream { name: self.g.literal(self.ty), ty: self.ty, clock: self.clock.clone() };
            self.operands.insert("k", k.clone());
            return k;
        }
        let condition = self.g.name();
        self.g.text += &format!("  {condition} = arith.constant {name}\n");
        Stream { name: condition, ty: Ty::I1, clock: self.clock.clone() }
    }

    /// Defines the stream of a term of a law.
    fn made(&mut self, term: &Term) -> Stream {
        let parts = match &term.form {
            Form::Atom(name) => return self.named(name),
            Form::List(parts) => parts,
        };
        let op = parts[0].name().expect("an operation");
        if op == "when" {
            let (x, holds) = (self.made(&parts[1]), parts[2].name().is_some());
            let (c, not) = (self.operands["c"].name.clone(), if holds { "" } else { "not " });
            let inner = [&self.clock[..], &[(c.clone(), holds)]].concat();
            return self.g.define(x.ty, &inner, format!("stream.when {}, {not}{c}", x.name));
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

type Rows = Vec<(Row, super::runs::Same)>;

/// Returns the rows of the stream: interpreted, and optionally compiled.
fn rows(loaded: &Loaded, seed: u64, compiled: bool) -> Result<Rows, String> {
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

/// Checks both sides. Returns the number of cycles in which both have a value, or `None` for a program that is
/// rejected.
fn agree(seed: u64, texts: &[String; 2], compiled: bool) -> Result<Option<usize>, String> {
    let mut both = Vec::new();
    for text in texts {
        match load(text, "f", PIPELINE) {
            Ok(loaded) => both.push(rows(&loaded, seed, compiled)?),
            Err((code, text)) if code.is_empty() => return Err(text),
            Err(_) => return Ok(None),
        }
    }
    let mut values = 0;
    for ((left, is_same), (right, _)) in both[0].iter().zip(&both[1]) {
        for (n, (left, right)) in left.iter().zip(right).enumerate() {
            if [left, right].contains(&&Cell::Undetermined) {
                continue;
            }
            if !is_same(left, right) {
                let [left, right] = [left, right].map(chronogram::cell);
                return Err(format!("cycle {n}: the left side is {left}, the right side {right}"));
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
    mlopt::register_passes();
    for law in NO_LAWS {
        let shows = |seed: &u64| agree(*seed, &sides(*seed, *law), false).is_err_and(|e| e.contains("the left side"));
        assert!((0..50).any(|seed| shows(&seed)), "no program shows that it is wrong: {law:?}");
    }
}
