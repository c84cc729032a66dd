//! Random numbers: Philox4x32 with 10 rounds in integer arithmetic (`spec/functional.md` A.9; `dialects/lambda/philox.rs` is the rule).
//!
//! A state is four words: key, stream, next block, and how often it came from splitting.

use super::tree::Tree;
use super::{EQ, Writer};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::*;
use mlopt_dialects::lambda::philox::SPLITS;
use mlopt_dialects::value::Element;

const MULTIPLIERS: [i64; 2] = [0xD251_1F53, 0xCD9E_8D57];
const INCREMENTS: [i64; 2] = [0x9E37_79B9, 0xBB67_AE85];
const LOW: i64 = 0xFFFF_FFFF;
const ROUNDS: usize = 10;

/// Arithmetic on words of 64 bits, at one place.
#[derive(Clone, Copy)]
struct Words {
    b: Builder,
    word: Type,
}

impl Words {
    fn number(self, n: i64) -> Value {
        self.b.constant(Attribute::integer(self.word, n), self.word)
    }

    fn op(self, name: &str, x: Value, y: Value) -> Value {
        self.b.unary(name, &[x, y], x.ty())
    }

    fn low(self, x: Value) -> Value {
        self.op("arith.andi", x, self.number(LOW))
    }

    fn high(self, x: Value) -> Value {
        self.op("arith.shrui", x, self.number(32))
    }

    /// The four words of a block.
    fn block(self, key: Value, stream: Value, block: Value) -> [Value; 4] {
        let mut x = [self.low(block), self.high(block), self.low(stream), self.high(stream)];
        let mut key = [self.low(key), self.high(key)];
        for _ in 0..ROUNDS {
            let a = self.op("arith.muli", x[0], self.number(MULTIPLIERS[0]));
            let b = self.op("arith.muli", x[2], self.number(MULTIPLIERS[1]));
            let mixed = |product: Value, other: Value, key: Value| {
                self.op("arith.xori", self.op("arith.xori", self.high(product), other), key)
            };
            x = [mixed(b, x[1], key[0]), self.low(b), mixed(a, x[3], key[1]), self.low(a)];
            let [first, second] = INCREMENTS.map(|n| self.number(n));
            key = [self.low(self.op("arith.addi", key[0], first)), self.low(self.op("arith.addi", key[1], second))];
        }
        x
    }

    /// The number in [0, 1) of 53 bits.
    fn unit(self, high: Value, low: Value) -> Value {
        let bits = self.op("arith.ori", self.op("arith.shli", high, self.number(32)), low);
        let bits = self.op("arith.shrui", bits, self.number(11));
        self.scaled(bits, Element::F64, 1.0 / (1u64 << 53) as f64)
    }

    /// The number in [0, 1) of 24 bits.
    fn unit_f32(self, word: Value) -> Value {
        self.scaled(self.op("arith.shrui", word, self.number(8)), Element::F32, 1.0 / (1u32 << 24) as f64)
    }

    fn scaled(self, bits: Value, element: Element, factor: f64) -> Value {
        let ty = self.b.context().scalar(element);
        let x = self.b.unary("arith.sitofp", &[bits], ty);
        self.op("arith.mulf", x, self.b.constant(Attribute::float(ty, factor), ty))
    }

    /// Two numbers of the standard normal distribution.
    fn normal(self, u: Value, v: Value) -> [Value; 2] {
        let ty = u.ty();
        let number = |x: f64| self.b.constant(Attribute::float(ty, x), ty);
        let log = self.b.unary("math.log", &[self.op("arith.subf", number(1.0), u)], ty);
        let radius = self.b.unary("math.sqrt", &[self.op("arith.mulf", number(-2.0), log)], ty);
        let turn = self.op("arith.mulf", number(std::f64::consts::TAU), v);
        ["math.cos", "math.sin"].map(|f| self.op("arith.mulf", radius, self.b.unary(f, &[turn], ty)))
    }

    /// What one block gives: two numbers of `f64` or four of `f32`.
    fn numbers(self, words: [Value; 4], element: Element, normal: bool) -> Vec<Value> {
        let units: Vec<Value> = match element {
            Element::F32 => words.into_iter().map(|w| self.unit_f32(w)).collect(),
            _ => vec![self.unit(words[1], words[0]), self.unit(words[3], words[2])],
        };
        if normal { units.chunks(2).flat_map(|p| self.normal(p[0], p[1])).collect() } else { units }
    }
}

impl Writer {
    pub(super) fn random(&mut self, op: Op, own: &str, b: Builder) -> Result<Tree, Reported> {
        let word = self.context.scalar(Element::I64);
        let w = Words { b, word };
        if own == "rng.seed" {
            let zero = w.number(0);
            return Ok(state(self.value(op.operand(0)), zero, zero, zero));
        }
        let given = self.tree(op.operand(0));
        let [key, stream, block, splits] = [0, 1, 2, 3].map(|k| given.part(k).one());
        if own == "rng.split" {
            let more = w.op("arith.addi", splits, w.number(1));
            let most = w.number(i64::from(SPLITS));
            const SLE: i64 = 3;
            let ok = self.compare(b, SLE, more, most);
            self.check(b, ok, "too-many-splits", "a state that comes from {} splits, more than {}", &[more, most]);
            let twice = w.op("arith.muli", stream, w.number(2));
            let child = |k: i64| state(key, w.op("arith.addi", twice, w.number(k)), w.number(0), more);
            return Ok(Tree::Many([child(1), child(2)].into()));
        }
        let ty = op.result(0).ty().parts()[0].with_encoding(None);
        let element = ty.element().expect("verified: floats");
        let shape: Vec<usize> = ty.shape().into_iter().map(|d| d.expect("verified: static sizes")).collect();
        let count: usize = shape.iter().product();
        let normal = own == "rng.normal";
        let per_block = if element == Element::F32 { 4 } else { 2 };
        let next = w.op("arith.addi", block, w.number(count.div_ceil(per_block) as i64));
        let numbers = if ty.is_tensor() {
            self.all_numbers(b, ty, per_block, [key, stream, block], element, normal)
        } else {
            w.numbers(w.block(key, stream, block), element, normal)[0]
        };
        Ok(Tree::Many([Tree::One(numbers), state(key, stream, next, splits)].into()))
    }

    /// An array of numbers, in row-major order.
    fn all_numbers(
        &mut self,
        b: Builder,
        ty: Type,
        per_block: usize,
        [key, stream, first]: [Value; 3],
        element: Element,
        normal: bool,
    ) -> Value {
        let word = self.context.scalar(Element::I64);
        let shape = ty.shape();
        b.build(&shape, &[], |b, at| {
            let w = Words { b, word };
            let mut number = b.index(0);
            for (i, n) in at.iter().zip(&shape) {
                let n = b.index(n.expect("static sizes") as i64);
                number = w.op("arith.addi", w.op("arith.muli", number, n), *i);
            }
            let number = b.unary("arith.index_cast", &[number], word);
            let shift = w.number(per_block.trailing_zeros() as i64);
            let block = w.op("arith.addi", first, w.op("arith.shrui", number, shift));
            let place = w.op("arith.andi", number, w.number(per_block as i64 - 1));
            let all = w.numbers(w.block(key, stream, block), element, normal);
            let (last, others) = all.split_last().expect("a block gives some");
            let chosen = others.iter().enumerate().rev().fold(*last, |so_far, (k, x)| {
                let here = self.compare(b, EQ, place, w.number(k as i64));
                b.select(here, *x, so_far)
            });
            vec![chosen]
        })[0]
    }
}

fn state(key: Value, stream: Value, block: Value, splits: Value) -> Tree {
    Tree::Many([key, stream, block, splits].map(Tree::One).into())
}
