//! Tests of the parts that the readers of all notations share: places, messages, tokens and S-expressions.

use mlopt_dialects::text::lexer::{Lexer, Syntax, Token, prefix};
use mlopt_dialects::text::terms::{MAX_NESTING, Number, read, read_one};
use mlopt_dialects::text::{Problem, Span, utf8};

#[test]
fn other_bytes_have_a_place() {
    assert_eq!(utf8(b"a\n\xc3\xa9"), Ok("a\n\u{e9}"));
    let problem = utf8(b"a\n\xc3\xa9 \xff").unwrap_err();
    assert_eq!(problem.to_string(), "2:3: error: expected text in UTF-8, found other bytes");
}

#[test]
fn codes_come_before_messages() {
    let problem = Problem::with_code("E-CLOCK", Span::START.after("a\n\né"), "late");
    assert_eq!(problem.to_string(), "3:2: error: E-CLOCK: late");
}

static SYNTAX: Syntax = Syntax {
    comment: Some("--"),
    marks: &["->", "-", ",", ")"],
    keywords: &["let"],
    word: |text| prefix(text, char::is_alphanumeric),
};

#[test]
fn tokens_have_kinds_and_places() {
    let mut lexer = Lexer::new(&SYNTAX, "é->let -- a comment\n  - #");
    let mut found = vec![];
    while lexer.peek().0 != Token::End {
        let (kind, (text, at)) = (lexer.peek().0, lexer.consume());
        found.push(format!("{at} {kind:?} {text}"));
    }
    assert_eq!(found, ["1:1 Word é", "1:2 Mark ->", "1:4 Mark let", "2:3 Mark -", "2:5 Other #"]);
    assert_eq!(lexer.expected("more").to_string(), "2:6: error: expected more, found the end of the text");
}

#[test]
fn lists_end_with_their_mark() {
    let read = |text| Lexer::new(&SYNTAX, text).list(")", |l| Ok(l.word("a name", |_| true)?.0.to_string()));
    assert_eq!(read(")").unwrap(), Vec::<String>::new());
    assert_eq!(read("a, b)").unwrap(), ["a", "b"]);
    assert_eq!(read("a b)").unwrap_err().to_string(), "1:3: error: expected `,` or `)`, found `b`");
    assert_eq!(read("a,)").unwrap_err().to_string(), "1:3: error: expected a name, found `)`");
}

fn error(text: &str) -> String {
    read_one(text).unwrap_err().to_string()
}

#[test]
fn reads_lists_with_positions() {
    let text = "; a comment\n(+ x\n   (* 2.0 y)) ; the end";
    let term = read_one(text).unwrap();
    assert_eq!((term.at.to_string(), &text[term.at.start..term.at.end]), ("2:1".into(), &text[12..30]));
    let items = term.list().unwrap();
    assert_eq!(items[1].name(), Some("x"));
    assert_eq!(items[2].at.to_string(), "3:4");
    assert_eq!(items[2].list().unwrap()[1].number(), Some(Number::Float(2.0)));
    assert_eq!(items[2].list().unwrap()[1].name(), None);
    assert_eq!(read("() é(a)").unwrap().len(), 3);
}

#[test]
fn says_where_parentheses_are_wrong() {
    assert_eq!(error("(+ x\n (* y)"), "2:7: error: expected `)` for the `(` at 1:1, found the end of the text");
    assert_eq!(error("x)"), "1:2: error: expected a term, found `)`");
    assert_eq!(error("x (y)"), "1:3: error: expected the end of the text, found `(y)`");
    assert_eq!(error(" ; nothing"), "1:1: error: expected a term, found none");
    assert_eq!(error(&"(".repeat(MAX_NESTING + 1)), "1:10001: error: expected at most 10000 nested parentheses");
}
