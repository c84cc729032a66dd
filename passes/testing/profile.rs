//! Tests of the table of a profile.

use mlopt_passes::optimise::rules::Laws;
use mlopt_passes::optimise::rules::profile::{Columns, Count, Profile};
use std::time::Duration;

#[test]
fn the_table_is_aligned_and_in_the_order_of_the_sets() {
    let laws = Laws::named(&["array", "sum-split"]).unwrap();
    let mut profile = Profile::default();
    *profile.of("sum-split") = Count { matches: 12, applications: 3, ..Count::default() };
    let mut more = Profile::default();
    *more.of("get-of-build") = Count { matches: 1, applications: 1, nodes: 4, steps: 2, time: Duration::ZERO };
    profile.add(&more);
    profile.add(&more);
    let expected = "\
rule                     set       matches  applied  nodes  steps
get-of-build             array           2        2      8      4
sum-split                contract       12        3      0      0
7 rules without a match
";
    assert_eq!(profile.table(&laws, Columns::Counts), expected);
    assert!(profile.table(&laws, Columns::Times).contains("  steps     ms\n"));
}
