//! Expressions in sources that are found by their tokens, so that they do not depend on formatting, comments or the
//! lines around them.

use std::collections::BTreeSet;
use std::ops::Range;

/// Returns the place of an expression in an item `fn NAME` of a source, or anywhere in it if `item` is empty. The
/// expression is between `«` and `»` in `pattern`, or it is the whole pattern.
///
/// # Errors
/// The number of its occurrences, if it is not one.
pub fn find(text: &str, item: &str, pattern: &str) -> Result<Range<usize>, usize> {
    let all = tokens(text);
    let word = |k: usize| &text[all[k].clone()];
    let is_at =
        |k: usize, words: &[&str]| k + words.len() <= all.len() && (0..words.len()).all(|i| word(k + i) == words[i]);
    let (before, rest) = pattern.split_once('«').unwrap_or(("", pattern));
    let (expression, after) = rest.split_once('»').unwrap_or((rest, ""));
    let [before, expression, after, item] = [before, expression, after, item].map(words);
    let pattern = [&before[..], &expression, &after].concat();
    let mut found = BTreeSet::new();
    for start in (0..all.len()).filter(|&k| is_at(k, &item)) {
        let end = if item.is_empty() { all.len() } else { end(start, all.len(), word) };
        found.extend((start..end).filter(|&k| is_at(k, &pattern)));
        if item.is_empty() {
            break;
        }
    }
    let (Some(k), 1) = (found.first().map(|k| k + before.len()), found.len()) else {
        return Err(found.len());
    };
    Ok(all[k].start..all[k + expression.len() - 1].end)
}

/// Returns the index after the last token of the item that starts at a token.
fn end<'t>(start: usize, tokens: usize, word: impl Fn(usize) -> &'t str) -> usize {
    let mut depth = 0;
    let is_last = |k: &usize| {
        match word(*k) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(word(*k), ";" | "}")
    };
    (start..tokens).find(is_last).map_or(tokens, |k| k + 1)
}

fn words(text: &str) -> Vec<&str> {
    tokens(text).into_iter().map(|token| &text[token]).collect()
}

/// Returns the tokens of Rust or C++, which may be unbalanced: words, literals, and single characters of punctuation.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c == '_' || c.is_alphanumeric();
    let (mut found, mut at) = (vec![], 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let through = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |k| from + k + end.len());
        let is_comment = rest.starts_with("//") || rest.starts_with("/*");
        let raw =
            rest.strip_prefix('r').and_then(|rest| rest.split_once('"')).filter(|raw| raw.0.chars().all(|c| c == '#'));
        let length = match (c, raw) {
            ('/', _) if is_comment => through(if rest.starts_with("//") { "\n" } else { "*/" }, 0),
            (_, Some((hashes, _))) => through(&format!("\"{hashes}"), hashes.len() + 2),
            ('"', _) => quoted(rest, '"'),
            ('\'', _) if rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'') => quoted(rest, '\''),
            _ if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => c.len_utf8(),
        };
        if !is_comment && !c.is_whitespace() {
            found.push(at..at + length);
        }
        at += length;
    }
    found
}

/// Returns the length of a literal, which ends at the first quote without a backslash.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let is_end = |(k, c): &(usize, char)| {
        let is_end = *k > 0 && *c == quote && !escaped;
        escaped = *c == '\\' && !escaped;
        is_end
    };
    text.char_indices().find(is_end).map_or(text.len(), |(k, c)| k + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = r##"
const A: [u8; 1] = [f(1)]; // fn b() { f(1) }
impl<'a> S<'a> { fn b(&self) -> char { if f( 1,
  2) > g("f(1)\"", r#"f(1)"#) { '"' } else { f(3) + f(1) } } }"##;

    #[test]
    fn expressions_are_found_by_their_tokens() {
        let found = |item: &str, pattern: &str| find(SOURCE, item, pattern).map(|place| &SOURCE[place]);
        assert_eq!(found("const A", "f(1)"), Ok("f(1)"));
        assert_eq!(found("fn b", "f(1)"), Ok("f(1)"));
        assert_eq!(found("fn b", "f(1, 2)>g"), Ok("f( 1,\n  2) > g"));
        assert_eq!(found("fn b", "else { «f(3)»"), Ok("f(3)"));
        assert_eq!(found("", "f(«3»)"), Ok("3"));
        assert_eq!(found("", "f(1)"), Err(2));
        assert_eq!(found("fn b", "f(4)"), Err(0));
        assert_eq!(found("fn c", "f(1)"), Err(0));
    }
}
