//! Counter-based random numbers: Philox4x32 with 10 rounds, as specified in `spec/functional.md` A.9. The generator is
//! described by Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011).

use std::f64::consts::TAU;

/// The position in a stream of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    pub key: u64,
    pub stream: u64,
    /// The next block.
    pub block: u64,
    /// The number of splits from which it comes.
    pub splits: u32,
}

/// The maximum depth of repeated splits.
pub const SPLITS: u32 = 63;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const INCREMENTS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Returns the four words of a block.
pub fn words(key: u64, stream: u64, block: u64) -> [u32; 4] {
    let mut x = [block as u32, (block >> 32) as u32, stream as u32, (stream >> 32) as u32];
    let mut key = [key as u32, (key >> 32) as u32];
    for _ in 0..10 {
        let [a, b] = [x[0] as u64 * MULTIPLIERS[0] as u64, x[2] as u64 * MULTIPLIERS[1] as u64];
        x = [(b >> 32) as u32 ^ x[1] ^ key[0], b as u32, (a >> 32) as u32 ^ x[3] ^ key[1], a as u32];
        key = [key[0].wrapping_add(INCREMENTS[0]), key[1].wrapping_add(INCREMENTS[1])];
    }
    x
}

/// Returns a number in [0, 1) with 53 bits.
fn unit(high: u32, low: u32) -> f64 {
    (((high as u64) << 32 | low as u64) >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
}

/// Returns a number in [0, 1) with 24 bits.
fn unit_f32(word: u32) -> f32 {
    (word >> 8) as f32 * (1.0 / (1u32 << 24) as f32)
}

impl State {
    pub fn new(seed: u64) -> State {
        State { key: seed, stream: 0, block: 0, splits: 0 }
    }

    /// Draws `n` numbers, of which `per_block` makes `N` from each block. Returns them and the next state.
    fn draw<T, const N: usize>(&self, n: usize, per_block: impl Fn([u32; 4]) -> [T; N]) -> (Vec<T>, State) {
        let blocks = n.div_ceil(N) as u64;
        let words = (0..blocks).map(|k| words(self.key, self.stream, self.block.wrapping_add(k)));
        let numbers = words.flat_map(per_block).take(n).collect();
        (numbers, State { block: self.block.wrapping_add(blocks), ..*self })
    }

    /// Returns `n` numbers in [0, 1), and the next state.
    pub fn uniform(&self, n: usize) -> (Vec<f64>, State) {
        self.draw(n, |r| [unit(r[1], r[0]), unit(r[3], r[2])])
    }

    /// Returns `n` numbers of the standard normal distribution, and the next state.
    pub fn normal(&self, n: usize) -> (Vec<f64>, State) {
        self.draw(n, |r| {
            let (u, v) = (unit(r[1], r[0]), unit(r[3], r[2]));
            let radius = (-2.0 * (1.0 - u).ln()).sqrt();
            [radius * (TAU * v).cos(), radius * (TAU * v).sin()]
        })
    }

    /// Returns `n` numbers in [0, 1), four from each block, and the next state.
    pub fn uniform_f32(&self, n: usize) -> (Vec<f32>, State) {
        self.draw(n, |r| r.map(unit_f32))
    }

    /// Returns `n` normal numbers, four from each block, computed from pairs of words, and the next state.
    pub fn normal_f32(&self, n: usize) -> (Vec<f32>, State) {
        self.draw(n, |r| {
            let pair = |u: f32, v: f32| {
                let radius = (-2.0 * (1.0 - u).ln()).sqrt();
                let turn = std::f32::consts::TAU * v;
                [radius * turn.cos(), radius * turn.sin()]
            };
            let u = r.map(unit_f32);
            let ([a, b], [c, d]) = (pair(u[0], u[1]), pair(u[2], u[3]));
            [a, b, c, d]
        })
    }

    /// Returns two states of independent streams, or `None` if the maximum depth of splits is reached.
    pub fn split(&self) -> Option<(State, State)> {
        let splits = self.splits + 1;
        let child =
            |k: u64| State { key: self.key, stream: self.stream.wrapping_mul(2).wrapping_add(k), block: 0, splits };
        (splits <= SPLITS).then(|| (child(1), child(2)))
    }
}
