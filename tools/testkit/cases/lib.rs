//! Cases of tests on random programs: their seeds, the random choices of generators, and reports of failures.
//! `MLOPT_SEED` repeats one case, `MLOPT_CASES` runs more.
#![forbid(unsafe_code)]

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use std::error::Error;
use std::fmt::Display;
use std::ops::Range;

/// Returns a number from an environment variable.
pub fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Checks whether one case is repeated, in which case a test expects nothing of its cases together.
pub fn is_one() -> bool {
    variable("MLOPT_SEED").is_some()
}

/// Returns the number of cases.
pub fn count(usual: u64) -> u64 {
    variable("MLOPT_CASES").unwrap_or(if is_one() { 1 } else { usual })
}

/// Returns the seeds of the cases, which start at `MLOPT_SEED` or at `first`.
pub fn seeds(first: u64, usual: u64) -> Range<u64> {
    let first = variable("MLOPT_SEED").unwrap_or(first);
    first..first + count(usual)
}

/// The result of the check of one case. The error says why the property does not hold.
pub type Checked<T = ()> = Result<T, Box<dyn Error>>;

/// The seeds for which a property does not hold. The test fails if there are any.
#[derive(Default)]
pub struct Failures(Vec<u64>);

impl Failures {
    pub fn add(&mut self, seed: u64, problem: impl Display, program: &str) {
        println!("MLOPT_SEED={seed}: {problem}\n{program}");
        self.0.push(seed);
    }

    #[track_caller]
    pub fn end(self) {
        assert!(self.0.is_empty(), "{} cases fail: {:?}", self.0.len(), self.0);
    }
}

/// The random choices of a generator, which a seed determines.
#[derive(Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number from 0 to `n`, exclusive.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Returns a number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        (1..items.len()).rev().for_each(|k| items.swap(k, self.below(k + 1)));
    }
}

/// The random choices of generators that are older than [`Random`], so that a seed still names the same program:
/// Marsaglia's xorshift64. The state is not 0.
pub struct Xorshift(pub u64);

impl Xorshift {
    /// Returns a number from 0 to `n`, exclusive.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }
}

/// The random choices of generators that are older than [`Random`]: Knuth's linear congruential generator of MMIX ("The
/// Art of Computer Programming" 3.3.4).
pub struct Knuth(pub u64);

impl Knuth {
    /// Returns a number from 0 to 2³¹, exclusive.
    pub fn bits(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize
    }

    /// Returns a number from 0 to `n`, exclusive.
    pub fn below(&mut self, n: usize) -> usize {
        self.bits() % n
    }
}
