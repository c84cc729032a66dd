//! Tests of the random numbers of functional programs: blocks, splits and distributions.

use mlopt_dialects::lambda::philox::{SPLITS, State, words};

#[test]
fn draws_use_whole_blocks() {
    let state = State::new(7);
    let (three, next) = state.uniform(3);
    let (four, same) = state.uniform(4);
    assert_eq!((three.as_slice(), next), (&four[..3], same));
    assert_eq!(next.block, 2);
    assert_eq!(state.uniform(0), (vec![], state));
    assert_eq!(state.uniform_f32(5).1.block, 2);
    assert!(state.uniform_f32(100).0.iter().all(|u| (0.0..1.0).contains(u)));
    // Four words make four numbers.
    let (numbers, _) = state.uniform_f32(4);
    let expected = words(7, 0, 0).map(|w| (w >> 8) as f32 / 16777216.0);
    assert_eq!(numbers, expected);
}

#[test]
fn splits_are_streams_of_their_own() {
    let state = State::new(7).uniform(8).1;
    let (left, right) = state.split().unwrap();
    assert_eq!((left.stream, left.block, right.stream, right.block), (1, 0, 2, 0));
    let (low, high) = right.split().unwrap();
    assert_eq!((low.stream, high.stream), (5, 6));
    let mut deep = state;
    for _ in 0..SPLITS {
        deep = deep.split().unwrap().0;
    }
    assert!(deep.split().is_none());
}

#[test]
fn normals_have_the_moments_of_the_normal_distribution() {
    let (x, _) = State::new(3).normal(100_000);
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let variance = x.iter().map(|x| x * x).sum::<f64>() / n;
    assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    let (x, _) = State::new(3).normal_f32(100_000);
    let variance = x.iter().map(|&x| x as f64 * x as f64).sum::<f64>() / n;
    assert!((variance - 1.0).abs() < 0.02, "{variance}");
}
