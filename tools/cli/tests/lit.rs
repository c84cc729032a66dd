//! Tests of the RUN and REQUIRES lines of textual tests.

use mlopt_cli::test::features::{self, missing};
use mlopt_cli::test::script;
use mlopt_cli::test::shell::parse;

#[test]
fn every_missing_feature_is_named_and_unknown_ones_are_errors() {
    let requires = ["gpu", "python3", "valgrind"].map(str::to_owned);
    assert_eq!(missing(&requires, |feature| Ok(feature == "python3")), Ok(vec!["gpu", "valgrind"]));
    assert_eq!(missing(&requires, |_| Ok(true)), Ok(vec![]));
    let unknown = ["gnu".to_owned()];
    assert_eq!(missing(&unknown, features::available), Err(script::Error::Feature("gnu".to_owned())));
}

/// In a file, a line that ends in `\` continues. `test/runner/commands.test` has the other errors.
#[test]
fn a_backslash_at_the_end_is_an_error() {
    for (line, message) in [("a \"b\\", "expected a closing \""), ("a \\", "expected a character after `\\`")] {
        assert_eq!(parse(line).unwrap_err().to_string(), message, "{line}");
    }
}
