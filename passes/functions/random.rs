//! Random numbers by integer arithmetic: Philox4x32 with 10 rounds (`spec/functional.md` A.9).
//! `dialects/lambda/philox.rs` defines the numbers.

use mlopt_dialects::ir::*;
use mlopt_dialects::lambda::philox::SPLITS;
use mlopt_dialects::ops::{CmpIPredicate, Kind, arith};
use mlopt_dialects::value::Element;

/// A state as words: key, stream, next block, and the number of splits.
pub type State = [Value; 4];

const MULTIPLIERS: [i64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const INCREMENTS: [i64; 2] = [0x9E37_79B9, 0xBB67_AE85];
const LOW: i64 = 0xFFFF_FFFF;
const ROUNDS: usize = 10;

/// Returns the first state of a key.
pub fn seed(b: Builder, key: Value) -> State {
    let zero = Words::new(b).number(0);
    [key, zero, zero, zero]
}

/// The two states of a split, and its precondition.
pub struct Split {
    pub children: [State; 2],
    /// The condition that the number of splits is small enough, and the numbers for the message.
    pub fits: Value,
    pub splits: [Value; 2],
}

/// The error message of a split that does not fit.
pub const TOO_MANY: (&str, &str) = ("too-many-splits", "found a state after {} splits, expected at most {}");

/// Splits a state: streams 2s+1 and 2s+2 of stream s, each from block 0.
pub fn split(b: Builder, [key, stream, _, splits]: State) -> Split {
    let w = Words::new(b);
    let more = w.op(Kind::ArithAddi, splits, w.number(1));
    let most = w.number(i64::from(SPLITS));
    let fits = arith::Cmpi::create(b, more, most, CmpIPredicate::Sle).result();
    let twice = w.op(Kind::ArithMuli, stream, w.number(2));
    let children = [1, 2].map(|k| [key, w.op(Kind::ArithAddi, twice, w.number(k)), w.number(0), more]);
    Split { children, fits, splits: [more, most] }
}

/// Returns the state after a number or an array of this type.
pub fn after(b: Builder, ty: Type, [key, stream, block, splits]: State) -> State {
    let w = Words::new(b);
    let count: usize = ty.shape().into_iter().flatten().product();
    [key, stream, w.op(Kind::ArithAddi, block, w.number(count.div_ceil(per_block(ty)) as i64)), splits]
}

/// Returns the next number of type `ty`, uniform in [0, 1) or of the standard normal distribution.
pub fn number(b: Builder, ty: Type, [key, stream, block, _]: State, normal: bool) -> Value {
    let w = Words::new(b);
    w.numbers(w.block(key, stream, block), ty.element().expect("verified: a float"), normal)[0]
}

/// Returns an array of random numbers, in row-major order, from the words of a state without the last.
pub fn array(b: Builder, ty: Type, [key, stream, first]: [Value; 3], normal: bool) -> Value {
    let (shape, per_block) = (ty.shape(), per_block(ty));
    let element = ty.element().expect("verified: floats");
    b.build(&shape, &[], |b, at| {
        let w = Words::new(b);
        let mut number = b.index(0);
        for (i, n) in at.iter().zip(shape.iter().flatten()) {
            number = w.op(Kind::ArithAddi, w.op(Kind::ArithMuli, number, b.index(*n as i64)), *i);
        }
        let number = b.unary(Kind::ArithIndexCast, &[number], w.word);
        let shift = w.number(i64::from(per_block.trailing_zeros()));
        let block = w.op(Kind::ArithAddi, first, w.op(Kind::ArithShrui, number, shift));
        let place = w.op(Kind::ArithAndi, number, w.number(per_block as i64 - 1));
        let all = w.numbers(w.block(key, stream, block), element, normal);
        let (last, others) = all.split_last().expect("a block gives some");
        let chosen = others.iter().enumerate().rev().fold(*last, |so_far, (k, x)| {
            let here = b.equal(place, w.number(k as i64));
            b.select(here, *x, so_far)
        });
        vec![chosen]
    })[0]
}

/// Returns the number of numbers of a type in a block.
fn per_block(ty: Type) -> usize {
    if ty.element() == Some(Element::F32) { 4 } else { 2 }
}

/// Arithmetic on words of 64 bits, at one location.
#[derive(Clone, Copy)]
struct Words {
    b: Builder,
    word: Type,
}

impl Words {
    fn new(b: Builder) -> Words {
        Words { b, word: b.context().scalar(Element::I64) }
    }

    fn number(self, n: i64) -> Value {
        self.b.constant(Attribute::integer(self.word, n), self.word)
    }

    fn op(self, kind: Kind, x: Value, y: Value) -> Value {
        self.b.unary(kind, &[x, y], x.ty())
    }

    fn low(self, x: Value) -> Value {
        self.op(Kind::ArithAndi, x, self.number(LOW))
    }

    fn high(self, x: Value) -> Value {
        self.op(Kind::ArithShrui, x, self.number(32))
    }

    /// Returns the four words of a block.
    fn block(self, key: Value, stream: Value, block: Value) -> [Value; 4] {
        let mut x = [self.low(block), self.high(block), self.low(stream), self.high(stream)];
        let mut key = [self.low(key), self.high(key)];
        for _ in 0..ROUNDS {
            let a = self.op(Kind::ArithMuli, x[0], self.number(MULTIPLIERS[0]));
            let b = self.op(Kind::ArithMuli, x[2], self.number(MULTIPLIERS[1]));
            let mixed = |product: Value, other: Value, key: Value| {
                self.op(Kind::ArithXori, self.op(Kind::ArithXori, self.high(product), other), key)
            };
            x = [mixed(b, x[1], key[0]), self.low(b), mixed(a, x[3], key[1]), self.low(a)];
            let [first, second] = INCREMENTS.map(|n| self.number(n));
            key =
                [self.low(self.op(Kind::ArithAddi, key[0], first)), self.low(self.op(Kind::ArithAddi, key[1], second))];
        }
        x
    }

    /// Returns the number in [0, 1) of 53 bits.
    fn unit(self, high: Value, low: Value) -> Value {
        let bits = self.op(Kind::ArithOri, self.op(Kind::ArithShli, high, self.number(32)), low);
        let bits = self.op(Kind::ArithShrui, bits, self.number(11));
        self.scaled(bits, Element::F64, 1.0 / (1u64 << 53) as f64)
    }

    /// Returns the number in [0, 1) of 24 bits.
    fn unit_f32(self, word: Value) -> Value {
        self.scaled(self.op(Kind::ArithShrui, word, self.number(8)), Element::F32, 1.0 / (1u32 << 24) as f64)
    }

    fn scaled(self, bits: Value, element: Element, factor: f64) -> Value {
        let ty = self.b.context().scalar(element);
        let x = self.b.unary(Kind::ArithSitofp, &[bits], ty);
        self.op(Kind::ArithMulf, x, self.b.constant(Attribute::float(ty, factor), ty))
    }

    /// Returns two numbers of the standard normal distribution.
    fn normal(self, u: Value, v: Value) -> [Value; 2] {
        let ty = u.ty();
        let number = |x: f64| self.b.constant(Attribute::float(ty, x), ty);
        let log = self.b.unary(Kind::MathLog, &[self.op(Kind::ArithSubf, number(1.0), u)], ty);
        let radius = self.b.unary(Kind::MathSqrt, &[self.op(Kind::ArithMulf, number(-2.0), log)], ty);
        let turn = self.op(Kind::ArithMulf, number(std::f64::consts::TAU), v);
        [Kind::MathCos, Kind::MathSin].map(|f| self.op(Kind::ArithMulf, radius, self.b.unary(f, &[turn], ty)))
    }

    /// Returns the numbers of one block: two of `f64` or four of `f32`.
    fn numbers(self, words: [Value; 4], element: Element, normal: bool) -> Vec<Value> {
        let units: Vec<Value> = match element {
            Element::F32 => words.into_iter().map(|w| self.unit_f32(w)).collect(),
            _ => vec![self.unit(words[1], words[0]), self.unit(words[3], words[2])],
        };
        if normal { units.chunks(2).flat_map(|p| self.normal(p[0], p[1])).collect() } else { units }
    }
}
