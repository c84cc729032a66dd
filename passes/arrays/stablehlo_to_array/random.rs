//! Random bits: the counter-based generators Threefry-2x32 and Philox-4x32 (Salmon, Moraes, Dror, Shaw: Parallel random
//! numbers: as easy as 1, 2, 3, SC 2011), applied to arrays of counters.
//!
//! The specification leaves the order of the bits to the implementation. It is XLA's here, so that a program gets the
//! numbers that it gets from JAX. The state is a key and a counter; that of Philox has 128 bits, of which a state of
//! two words contains the low half.

use super::emit::Emit;
use super::shapes::bits_as;
use super::types;
use super::{Import, Parts, Result};
use crate::arrays::shapes::index::Index;
use crate::arrays::shapes::parts::{Range, extracted};
use mlopt_dialects::ir::{Builder, Op, Type, Value};
use mlopt_dialects::ops::stablehlo::RngBitGenerator;
use mlopt_dialects::ops::{CmpIPredicate, Kind, RngAlgorithm};

/// The rotations of the rounds of Threefry, which repeat.
const ROTATIONS: [[i64; 4]; 2] = [[13, 15, 26, 6], [17, 29, 16, 24]];
/// The constant that is combined with the words of the key of Threefry.
const PARITY: i64 = 0x1BD1_1BDA;
/// The numbers that are added to the words of the key after each round of Philox.
const PHILOX_KEYS: [i64; 2] = [0x9E37_79B9, 0xBB67_AE85];
/// The factors of Philox.
const PHILOX_FACTORS: [i64; 2] = [0xD251_1F53, 0xCD9E_8D57];

impl Import {
    /// Converts `stablehlo.rng_bit_generator`.
    pub(super) fn random_bits(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let ty = op.result(1).ty();
        let sizes: Option<Vec<usize>> = ty.shape().into_iter().collect();
        let Some(sizes) = sizes else {
            return Err(op.not_supported(format!("expected a result of static sizes, found {ty}")));
        };
        let scalar = types::scalar(ty.scalar()).expect("checked: the type has a counterpart");
        let width = scalar.integer().map(|(width, _)| width).or(scalar.float_width()).unwrap_or(64);
        if width < 8 {
            return Err(op.not_supported(format!("expected elements of at least 8 bits, found {ty}")));
        }
        let state = self.one(op.operand(0));
        let words: Vec<Value> = (0..state.ty().shape()[0].unwrap_or(2)).map(|k| word(b, state, k)).collect();
        let (numbers, counters) = match op.cast::<RngBitGenerator>().rng_algorithm() {
            RngAlgorithm::ThreeFry => self.threefry_bits(b, &words, &sizes, width),
            _ => self.philox_bits(b, &words, &sizes, width),
        };
        // Fewer than 32 bits are the low ones of a word.
        let e = Emit(b);
        let numbers =
            if width < 32 { e.cast(Kind::ArithTrunci, numbers, b.context().signless(width)) } else { numbers };
        let next = b.stack(&[&words[..1], &counters].concat());
        Ok(vec![vec![next], vec![bits_as(b, numbers, scalar)]])
    }

    /// Returns words of an array with these sizes, and the next counter. Of 32 bits, both halves of an axis are
    /// computed from one array of counters.
    fn threefry_bits(&mut self, b: Builder, state: &[Value], sizes: &[usize], width: u32) -> (Value, Vec<Value>) {
        let key = halves(Emit(b), state[0]);
        let count: usize = sizes.iter().product();
        if width == 64 {
            let (low, high) = threefry(b, counters(b, state[1], count), key);
            return (self.shaped(b, joined(Emit(b), low, high), sizes), vec![advanced(b, state[1], count)]);
        }
        if sizes.is_empty() {
            let (low, _) = threefry(b, counters(b, state[1], 1), key);
            return (self.shaped(b, low, sizes), vec![advanced(b, state[1], 1)]);
        }
        // The first axis of even size, or else the first of the longest ones.
        let longest = |&k: &usize| (sizes[k], std::cmp::Reverse(k));
        let axis = (0..sizes.len())
            .find(|&k| sizes[k].is_multiple_of(2))
            .or((0..sizes.len()).max_by_key(longest))
            .unwrap_or(0);
        let before: usize = sizes[..axis].iter().product();
        let after: usize = sizes[axis + 1..].iter().product();
        let half = sizes[axis].div_ceil(2);
        let (low, high) = threefry(b, counters(b, state[1], before * half * after), key);
        let pair = self.shaped(b, b.stack(&[low, high]), &[2, before, half, after]);
        let pairs = b.transpose(pair, &[1, 2, 0, 3]);
        let all = self.shaped(b, pairs, &[before, 2 * half, after]);
        let all = self.first(b, all, &[before, sizes[axis], after]);
        (self.shaped(b, all, sizes), vec![advanced(b, state[1], before * half * after)])
    }

    /// Returns words of an array with these sizes, and the next counter. A counter gives four words of 32 bits.
    fn philox_bits(&mut self, b: Builder, state: &[Value], sizes: &[usize], width: u32) -> (Value, Vec<Value>) {
        let e = Emit(b);
        let count: usize = sizes.iter().product();
        let per_counter = if width == 64 { 2 } else { 4 };
        let groups = count.div_ceil(per_counter);
        // The high half of the counter of a state of two words is the key.
        let high = state.get(2).copied().unwrap_or(state[0]);
        let low = counters(b, state[1], groups);
        let carried = |low: Value| {
            let like = Some(low).filter(|v| v.ty().is_tensor());
            let start = e.filled(like, state[1]);
            let high = e.filled(like, high);
            let next = e.op(Kind::ArithAddi, &[high, e.integer(high, 1)]);
            e.select(e.compare_integers(CmpIPredicate::Ult, low, start), next, high)
        };
        let (a, c) = (halves(e, low), halves(e, carried(low)));
        let words = philox(b, [a.0, a.1, c.0, c.1], halves(e, state[0]));
        let numbers = match width {
            64 => vec![joined(e, words[0], words[1]), joined(e, words[2], words[3])],
            _ => words.to_vec(),
        };
        let rows = b.transpose(b.stack(&numbers), &[1, 0]);
        let all = self.shaped(b, rows, &[groups * per_counter]);
        let all = self.first(b, all, &[count]);
        let next = advanced(b, state[1], groups);
        let mut counters = vec![next, carried(next)];
        counters.truncate(state.len() - 1);
        (self.shaped(b, all, sizes), counters)
    }

    /// Returns the elements of `x` with these sizes.
    fn shaped(&mut self, b: Builder, x: Value, sizes: &[usize]) -> Value {
        if sizes.is_empty() {
            return b.get(x, &[b.index(0)]);
        }
        let shape: Vec<_> = sizes.iter().map(|&n| Some(n)).collect();
        let known: Vec<Index> = sizes.iter().map(|&n| Index::Known(n as i64)).collect();
        self.sizes.retyped(b, x, Type::tensor(&shape, x.ty().scalar()), &known)
    }

    /// Returns the first elements of each axis, as many as `sizes` states.
    fn first(&mut self, b: Builder, x: Value, sizes: &[usize]) -> Value {
        let range = |&n: &usize| Range {
            offset: Index::Known(0),
            size: Index::Known(n as i64),
            stride: Index::Known(1),
            dropped: false,
        };
        extracted(&mut self.sizes, b, x, &sizes.iter().map(range).collect::<Vec<_>>())
    }
}

/// Returns word `k` of a state.
fn word(b: Builder, state: Value, k: usize) -> Value {
    b.get(state, &[b.index(k as i64)])
}

/// Returns `count` counters from `start` on.
fn counters(b: Builder, start: Value, count: usize) -> Value {
    let e = Emit(b);
    let numbers = e.cast(Kind::ArithIndexCast, b.iota(Some(count), None), b.context().signless(64));
    e.op(Kind::ArithAddi, &[numbers, e.filled(Some(numbers), start)])
}

/// Returns the counter after `count` numbers.
fn advanced(b: Builder, start: Value, count: usize) -> Value {
    Emit(b).op(Kind::ArithAddi, &[start, Emit(b).integer(start, count as i64)])
}

/// Returns the low and the high half of numbers of 64 bits.
fn halves(e: Emit, x: Value) -> (Value, Value) {
    let i32 = e.0.context().signless(32);
    let low = e.cast(Kind::ArithTrunci, x, i32);
    (low, e.cast(Kind::ArithTrunci, e.op(Kind::ArithShrui, &[x, e.integer(x, 32)]), i32))
}

/// Returns the numbers with these halves.
fn joined(e: Emit, low: Value, high: Value) -> Value {
    let i64 = e.0.context().signless(64);
    let high = e.cast(Kind::ArithExtui, high, i64);
    e.or(e.cast(Kind::ArithExtui, low, i64), e.op(Kind::ArithShli, &[high, e.integer(high, 32)]))
}

/// Returns the two words of Threefry-2x32 with 20 rounds for each counter.
fn threefry(b: Builder, counters: Value, key: (Value, Value)) -> (Value, Value) {
    let e = Emit(b);
    let add = |x: Value, y: Value| e.op(Kind::ArithAddi, &[x, y]);
    let third = e.xor(e.xor(key.0, key.1), e.integer(key.0, PARITY));
    let keys = [key.0, key.1, third].map(|k| e.filled(Some(counters), k));
    let (mut x, mut y) = halves(e, counters);
    (x, y) = (add(x, keys[0]), add(y, keys[1]));
    for group in 0..5 {
        for rotation in ROTATIONS[group % 2] {
            x = add(x, y);
            let left = e.op(Kind::ArithShli, &[y, e.integer(y, rotation)]);
            let right = e.op(Kind::ArithShrui, &[y, e.integer(y, 32 - rotation)]);
            y = e.xor(x, e.or(left, right));
        }
        x = add(x, keys[(group + 1) % 3]);
        y = add(add(y, keys[(group + 2) % 3]), e.integer(y, group as i64 + 1));
    }
    (x, y)
}

/// Returns the four words of Philox-4x32 with 10 rounds for each counter.
fn philox(b: Builder, counters: [Value; 4], key: (Value, Value)) -> [Value; 4] {
    let e = Emit(b);
    let i64 = b.context().signless(64);
    let product = |x: Value, factor: i64| {
        let x = e.cast(Kind::ArithExtui, x, i64);
        halves(e, e.op(Kind::ArithMuli, &[x, e.integer(x, factor)]))
    };
    let mut x = counters;
    let mut key = [key.0, key.1].map(|k| e.filled(Some(x[0]), k));
    for _ in 0..10 {
        let (low0, high0) = product(x[0], PHILOX_FACTORS[0]);
        let (low1, high1) = product(x[2], PHILOX_FACTORS[1]);
        x = [e.xor(e.xor(high1, x[1]), key[0]), low1, e.xor(e.xor(high0, x[3]), key[1]), low0];
        key = [0, 1].map(|k| e.op(Kind::ArithAddi, &[key[k], e.integer(key[k], PHILOX_KEYS[k])]));
    }
    x
}
