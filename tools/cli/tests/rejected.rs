//! Checks of lists of terms and definitions with errors: the comment after each states the expected error.

/// Checks that each text of a list is rejected with its error. `error` returns the error of a text. `line` is the start
/// of all errors that the list omits.
#[track_caller]
pub fn check(list: &str, line: &str, error: impl Fn(&str) -> Option<String>) {
    let lines: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.starts_with(";;")).collect();
    assert!(!lines.is_empty() && lines.len().is_multiple_of(2), "expected terms, each before its error");
    let mut wrong = vec![];
    for pair in lines.chunks(2) {
        let (term, wanted) = (pair[0], pair[1].strip_prefix("; ").expect("an error after its term"));
        let found = error(term);
        if found != Some(format!("{line}{wanted}")) {
            wrong.push(format!("{term}: expected {line}{wanted}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
