//! Lists of terms with errors. The comment after each term is its error: the column, and the message.

/// Checks that each term of a list is rejected with its error in line 2. `error` returns the error of a term.
#[track_caller]
pub fn check(list: &str, error: impl Fn(&str) -> Option<String>) {
    let lines: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.starts_with(";;")).collect();
    assert!(!lines.is_empty() && lines.len().is_multiple_of(2), "expected terms, each before its error");
    let mut wrong = vec![];
    for pair in lines.chunks(2) {
        let (term, wanted) = (pair[0], pair[1].strip_prefix("; ").expect("an error after its term"));
        let found = error(term);
        if found != Some(format!("2:{wanted}")) {
            wrong.push(format!("{term}: expected 2:{wanted}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
