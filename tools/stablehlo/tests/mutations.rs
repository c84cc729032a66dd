//! Mutated artifacts: reading them gives a program or an error, never a panic.
//!
//! The number of mutations is `MLOPT_STABLEHLO_MUTATIONS`, or a number that takes about a second.

use mlopt_stablehlo::read;
use std::path::Path;
use std::{env, fs, thread};

/// The default number of mutations.
const MUTATIONS: u64 = 40_000;
/// The size of the stack on which artifacts must be readable; without optimisation, functions need more of it.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };

/// A generator of pseudo-random numbers: xorshift64*.
struct Random(u64);

impl Random {
    /// Returns a number less than `bound`, or 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let word = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        (word % bound.max(1) as u64) as usize
    }

    /// Returns a short range in a sequence of `len` bytes.
    fn range(&mut self, len: usize) -> std::ops::Range<usize> {
        let start = self.below(len);
        start..(start + 1 + self.below(8)).min(len)
    }
}

/// Changes `bytes` in one place; `other` is another artifact.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let range = random.range(bytes.len());
    match random.below(8) {
        0 => bytes.truncate(range.start),
        1 => drop(bytes.drain(range)),
        2 => {
            let copy = bytes[range.clone()].to_vec();
            bytes.splice(range.end..range.end, copy);
        }
        3 => {
            let source = random.range(other.len());
            bytes.splice(range, other[source].iter().copied());
        }
        4 => bytes[range].iter_mut().for_each(|byte| *byte = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][random.below(6)]),
        5 => bytes[range].iter_mut().for_each(|byte| *byte = byte.wrapping_add(2)),
        6 => bytes[range.start] ^= 1 << random.below(8),
        _ => bytes[range.start] = random.below(256) as u8,
    }
}

/// Reads `count` mutated artifacts and returns how many of them are valid.
fn run(count: u64) -> u64 {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/artifacts");
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("the folder exists").map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bc"));
    paths.sort();
    let artifacts: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).expect("the artifact exists")).collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut valid = 0;
    for _ in 0..count {
        let mut bytes = artifacts[random.below(artifacts.len())].clone();
        for _ in 0..=random.below(3) {
            if !bytes.is_empty() {
                let other = &artifacts[random.below(artifacts.len())];
                mutate(&mut bytes, other, &mut random);
            }
        }
        if let Ok(artifact) = read(&bytes) {
            valid += 1;
            assert!(!artifact.module.to_string().is_empty());
        }
    }
    valid
}

#[test]
fn mutated_artifacts_do_not_panic() {
    let count = env::var("MLOPT_STABLEHLO_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTATIONS);
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || run(count)).expect("a thread starts");
    let valid = reader.join().expect("no mutated artifact panics");
    assert!(valid > 0, "some mutations leave the artifact valid");
}
