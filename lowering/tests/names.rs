//! Tests of the symbols of machine code.

use mlopt_lowering::abi::names::{KEYWORDS, LIBRARY, identifier, symbol};

#[test]
fn lists_are_sorted() {
    assert!(LIBRARY.split(' ').is_sorted() && KEYWORDS.split(' ').is_sorted());
}

#[test]
fn names_that_mean_something_get_others() {
    for name in ["exp", "expf", "sqrtl", "malloc", "main", "__powidf2", "llvm.sin", "mlopt.reserve"] {
        assert_eq!(symbol(name), format!("mlopt.{name}"));
    }
    for name in ["f", "loss", "expo", "main.root"] {
        assert_eq!(symbol(name), name);
    }
    let ids = ["f", "a.b", "double", "2d", "exp", "llvm.sin"].map(identifier);
    assert_eq!(ids, ["f", "a_b", "mlopt_double", "mlopt_2d", "mlopt_exp", "mlopt_llvm_sin"]);
}
