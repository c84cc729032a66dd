//! Tests of the translation of views: the axes that a reshape regroups together.

use mlopt_lowering::sweeps::array_to_sweeps::regroup;
use mlopt_passes::analysis::facts::Size;
use std::ops::Range;

fn groups(new: &[i64], old: &[i64]) -> Vec<(Range<usize>, Range<usize>)> {
    let sizes = |ns: &[i64]| ns.iter().map(|n| Size::Known(*n)).collect::<Vec<_>>();
    regroup(&sizes(new), &sizes(old))
}

#[test]
fn axes_with_equal_products_stand_together() {
    assert_eq!(groups(&[12], &[4, 3]), [(0..1, 0..2)]);
    assert_eq!(groups(&[4, 3], &[12]), [(0..2, 0..1)]);
    assert_eq!(groups(&[4, 6, 5], &[4, 2, 3, 5]), [(0..1, 0..1), (1..2, 1..3), (2..3, 3..4)]);
    assert_eq!(groups(&[2, 6], &[4, 3]), [(0..2, 0..2)]);
    assert_eq!(groups(&[3, 1], &[3]), [(0..1, 0..1), (1..2, 1..1)]);
    assert_eq!(groups(&[3], &[1, 3]), [(0..1, 0..2)]);
    assert_eq!(groups(&[], &[1]), [(0..0, 0..1)]);
    assert_eq!(groups(&[0, 5], &[7, 0]), [(0..2, 0..2)]);
}
