//! Tests of the tables of the dialects, which list attributes, documentation and primitives, and of the search for
//! similar names in them.

use mlopt_dialects::attributes::{TABLES, row, rows};
use mlopt_dialects::docs;
use mlopt_dialects::primitives::{Notation, Primitive, all, named};
use mlopt_dialects::suggest::{did_you_mean, nearest};

#[test]
fn tables_are_read() {
    assert!(rows().len() > 30);
    for (dialect, text) in TABLES {
        assert!(text.starts_with("| attribute | type | on | meaning |\n|---|---|---|---|\n"), "{dialect}");
        let names: Vec<&str> = text.lines().skip(2).map(|line| row(line).name).collect();
        let prefix = format!("{dialect}.");
        assert!(names.iter().all(|name| name.starts_with(&prefix)), "{dialect}: {names:?}");
    }
}

#[test]
fn every_op_is_documented_by_its_own_section() {
    let sum = docs::op("array.sum").expect("array.sum has a section");
    assert!(sum.starts_with("_Sum over axes_"), "{sum}");
    assert!(sum.contains("strictly increasing axes of `x`") && !sum.contains("array.transpose"), "{sum}");
    assert!(docs::op("array.summ").is_none());
}

#[test]
fn a_name_has_one_row_for_each_kind_of_elements() {
    for notation in [Notation::Terms, Notation::Functions, Notation::Streams] {
        for p in all(notation) {
            let same = |q: &&Primitive| q.arity == p.arity && q.elements == p.elements;
            assert_eq!(named(notation, p.name(notation)).filter(same).count(), 1, "{p:?}");
        }
    }
}

#[test]
fn suggests_only_close_names() {
    let names = ["canonicalize", "cse", "egg-optimize", "jvp"];
    assert_eq!(nearest("cannonicalize", names), Some("canonicalize"));
    assert_eq!(nearest("ces", names), Some("cse"));
    assert_eq!(nearest("eg-optimise", names), Some("egg-optimize"));
    assert_eq!(nearest("inline", names), None);
    assert_eq!(did_you_mean("jpv", names), "; did you mean `jvp`?");
    assert_eq!(did_you_mean("zzz", names), "");
}
