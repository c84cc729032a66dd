//! Tests of the refinement of partitions, by which streams are found to be equal.

use mlopt_passes::streams::stream_simplify::equal::refined;

/// Computes the classes by definition: splits them by the classes of operands until a fixpoint.
fn slowly(start: &[usize], operands: &[Vec<usize>]) -> Vec<usize> {
    let (mut class, mut count) = (start.to_vec(), 0);
    loop {
        let mut seen: Vec<(usize, Vec<usize>)> = vec![];
        let mut number = |e: usize| {
            let key = (class[e], operands[e].iter().map(|&o| class[o]).collect());
            let known = seen.iter().position(|s| *s == key);
            if known.is_none() {
                seen.push(key);
            }
            known.unwrap_or(seen.len() - 1)
        };
        class = (0..start.len()).map(&mut number).collect();
        if seen.len() == count {
            return class;
        }
        count = seen.len();
    }
}

#[test]
fn classes_are_those_of_the_definition() {
    let mut random = 1u64;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % n
    };
    for round in 0..500 {
        let n = 1 + round % 30;
        let start: Vec<usize> = (0..n).map(|_| below(3)).collect();
        // All elements of a class have the same number of operands.
        let operands: Vec<Vec<usize>> = start.iter().map(|&k| (0..k).map(|_| below(n)).collect()).collect();
        let (fast, slow) = (refined(&start, &operands), slowly(&start, &operands));
        for a in 0..n {
            for b in 0..n {
                assert_eq!(fast[a] == fast[b], slow[a] == slow[b], "{start:?} {operands:?}");
            }
        }
    }
}
