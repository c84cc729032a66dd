//! Places in other files. A generated text states where its parts come from: `(at "f.py" 3 5 e)` is `e`, from line 3
//! and column 5 of `f.py`. The positions of its terms are replaced before they are read, so that all locations and
//! messages show the other file. A list that starts with `at` and no string is another form, such as a call.

use mlopt_dialects::text::terms::{Form, Number, Term};
use mlopt_dialects::text::{Problem, Span, count};

const AT: &str = "(at \"FILE\" LINE COLUMN e)";

/// Replaces each `(at FILE LINE COLUMN e)` by `e` with that place. Returns the files; their numbers count from one.
///
/// # Errors
/// Such a form has other operands.
pub fn resolve(terms: &mut [Term]) -> Result<Vec<String>, Problem> {
    let mut files = vec![];
    // The nesting may be deep, so the traversal is iterative. Places are inherited from outside.
    let mut open: Vec<(&mut Term, Option<Span>)> = terms.iter_mut().map(|t| (t, None)).collect();
    while let Some((term, mut place)) = open.pop() {
        while let Form::List(items) = &mut term.form
            && items.first().and_then(Term::name) == Some("at")
            && items.get(1).is_some_and(|file| file.string().is_some())
        {
            place = Some(span(term.at, items, &mut files)?);
            let inner = items.pop().expect("five items");
            *term = inner;
        }
        if let Some(place) = place {
            term.at = place;
        }
        if let Form::List(items) = &mut term.form {
            open.extend(items.iter_mut().map(|item| (item, place)));
        }
    }
    Ok(files)
}

/// Returns the place that the items of an `at` state.
fn span(at: Span, items: &[Term], files: &mut Vec<String>) -> Result<Span, Problem> {
    let [_, file, line, column, _] = items else {
        return Err(at.error(format!("expected {AT}, found {}", count(items.len() - 1, "operand"))));
    };
    let name = file.string().unwrap_or_default();
    let number = |t: &Term| match t.number() {
        Some(Number::Int(n)) if n > 0 => Ok(n as usize),
        _ => Err(t.expected("a positive number")),
    };
    let k = files.iter().position(|f| *f == name).unwrap_or_else(|| {
        files.push(name);
        files.len() - 1
    });
    Ok(Span { line: number(line)?, column: number(column)?, file: k as u32 + 1, ..at })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mlopt_dialects::text::terms::read;

    #[test]
    fn terms_have_the_places_of_other_files() {
        let text = r#"(def f (x) (at "a b.py" 3 5 (+ x (at "c.py" 1 2 (* x (at "a b.py" 9 1 x))))))"#;
        let mut terms = read(text).unwrap();
        assert_eq!(resolve(&mut terms).unwrap(), ["a b.py", "c.py"]);
        let body = &terms[0].list().unwrap()[3];
        let place = |t: &Term| (t.at.file, t.at.line, t.at.column);
        let [plus, x, inner] = body.list().unwrap() else { panic!("a sum") };
        assert_eq!([body, plus, x].map(place), [(1, 3, 5); 3]);
        let [_, x, last] = inner.list().unwrap() else { panic!("a product") };
        assert_eq!([inner, x, last].map(place), [(2, 1, 2), (2, 1, 2), (1, 9, 1)]);
        assert_eq!(place(&terms[0]), (0, 1, 1));
    }

    #[test]
    fn other_forms_are_refused() {
        let refused = |text: &str| resolve(&mut read(text).unwrap()).unwrap_err().to_string();
        assert_eq!(refused(r#"(at "f" 0 2 x)"#), "1:9: error: expected a positive number, found `0`");
        assert_eq!(refused(r#"(at "f" 1 x)"#), r#"1:1: error: expected (at "FILE" LINE COLUMN e), found 3 operands"#);
    }
}
