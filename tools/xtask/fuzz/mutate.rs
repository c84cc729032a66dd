//! Mutations of a text: tokens and lines are deleted, duplicated or swapped; numbers, types and attributes are changed.

use super::Random;
use super::corpus::{Corpus, Source, part};

/// The element types.
const ELEMENTS: [&str; 6] = ["f64", "f32", "i1", "i32", "i64", "index"];
/// Words for types, which may replace each other.
const TYPES: &str = "f64 f32 i1 i32 i64 index f16 bf16 i8 none tensor<f64> tensor<4xf64> tensor<?xf64> tensor<*xf64> \
                     tensor<0xf64> tensor<3x4xf32> tensor<?x?xi1> memref<4xf64> memref<?xf64> vector<4xf64> \
                     complex<f64> tuple<f64> !lambda.any !lambda.token !lambda.list<f64>";
/// Numbers that are likely to cause errors.
const NUMBERS: &str = "0 1 -1 2 3 5 7 8 16 17 64 257 1000 65536 2147483648 4294967296 1000000000 9223372036854775807 \
                       -9223372036854775808 18446744073709551616 0.0 -0.0 1.0e300 0x7FF0000000000000 \
                       0x7FF8000000000000 nan inf";
/// Attributes of our dialects, valid and invalid, one in each line.
const ATTRIBUTES: &str = include_str!("attributes.txt");

/// Applies one to three mutations to a source.
pub fn mutant(source: &Source, corpus: &Corpus, random: &mut Random) -> Vec<u8> {
    let mut text = part(&source.text, random).to_string();
    // The parser rejects most texts with more than one mutation.
    let count = 1 + (random.one_in(3) as usize) + (random.one_in(6) as usize);
    for _ in 0..count {
        text = match random.below(6) {
            0 => lines(&text, source, corpus, random),
            _ => tokens(&text, source, corpus, random),
        };
    }
    let mut bytes = text.into_bytes();
    if random.one_in(60) && !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = random.pick(&[0, 0x80, 0xff, 0xc3, b'"', b'\\']);
    }
    if random.one_in(80) {
        bytes.truncate(random.below(bytes.len().max(1)));
    }
    bytes
}

fn lines(text: &str, source: &Source, corpus: &Corpus, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    // Mutations of comments have no effect.
    let of_code = |l: &&str| !l.trim().is_empty() && !["//", ";", "--"].iter().any(|c| l.trim().starts_with(c));
    let code: Vec<usize> = (0..lines.len()).filter(|&k| of_code(&lines[k])).collect();
    if code.is_empty() {
        return text.to_string();
    }
    let other: Vec<&str> = corpus.like(source, random).text.lines().filter(of_code).collect();
    let (a, b) = (random.pick(&code), random.pick(&code));
    match random.below(5) {
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        3 => lines.insert(a, lines[a]),
        _ if other.is_empty() => {}
        _ => lines.insert(a, random.pick(&other)),
    }
    lines.join("\n") + "\n"
}

fn tokens(text: &str, source: &Source, corpus: &Corpus, random: &mut Random) -> String {
    let mut tokens = split(text);
    let code: Vec<usize> = (0..tokens.len()).filter(|&k| kind(tokens[k]) != TokenKind::Blank).collect();
    if code.is_empty() {
        return text.to_string();
    }
    let a = random.pick(&code);
    let same: Vec<usize> = code.iter().copied().filter(|&k| kind(tokens[k]) == kind(tokens[a])).collect();
    let b = random.pick(&same);
    let of_kind = |wanted: TokenKind| code.iter().copied().filter(|&k| kind(tokens[k]) == wanted).collect::<Vec<_>>();
    let changed;
    match random.below(20) {
        0 => drop(tokens.remove(a)),
        1 => tokens.insert(a, tokens[a]),
        2 => tokens.swap(a, b),
        3 | 4 => tokens[a] = tokens[b],
        5..=8 => {
            let numbers = of_kind(TokenKind::Number);
            let at = if numbers.is_empty() { a } else { random.pick(&numbers) };
            // The `4` of `4x?xf64` is part of a token.
            changed = match tokens[at].find('x') {
                Some(end) => format!("{}{}", random.pick(&["?", "0", "1", "2", "17", "64"]), &tokens[at][end..]),
                None => random.pick(&words(NUMBERS)).to_string(),
            };
            replace(&mut tokens, at, &changed, random);
        }
        9..=12 => {
            let types: Vec<usize> = code.iter().copied().filter(|&k| ends_in_type(tokens[k])).collect();
            let at = if types.is_empty() { a } else { random.pick(&types) };
            changed = match tokens[at].rsplit_once('x') {
                Some((sizes, _)) => format!("{sizes}x{}", random.pick(&ELEMENTS)),
                None if random.one_in(2) => random.pick(&ELEMENTS).to_string(),
                None => random.pick(&words(TYPES)).to_string(),
            };
            replace(&mut tokens, at, &changed, random);
        }
        13..=15 => {
            // An existing dictionary, or a new one at the end of a line.
            let open: Vec<usize> = (0..tokens.len()).filter(|&k| matches!(tokens[k], "{" | "\n" | ":")).collect();
            let at = if open.is_empty() { a } else { random.pick(&open) };
            let attribute = random.pick(&ATTRIBUTES.lines().collect::<Vec<_>>());
            changed = match tokens[at] {
                "{" if random.one_in(2) => format!("{{{attribute}, "),
                "{" => format!("attributes {{{attribute}}} {{"),
                ":" => format!("{{{attribute}}} :"),
                _ => format!(" {{{attribute}}}\n"),
            };
            tokens[at] = &changed;
        }
        16 | 17 => {
            // Everywhere, so that definitions and uses still agree.
            let (from, to) = (tokens[a], tokens[b]);
            tokens.iter_mut().filter(|t| **t == from).for_each(|t| *t = to);
        }
        _ => {
            let other = split(&corpus.like(source, random).text);
            let alike: Vec<&str> = other.into_iter().filter(|t| kind(t) == kind(tokens[a])).collect();
            changed = if alike.is_empty() { String::new() } else { random.pick(&alike).to_string() };
            replace(&mut tokens, a, &changed, random);
        }
    }
    tokens.concat()
}

/// Replaces the token at `at` by `new`; with probability one half also all equal tokens, so that types still agree.
fn replace<'a>(tokens: &mut [&'a str], at: usize, new: &'a str, random: &mut Random) {
    let old = tokens[at];
    match random.one_in(2) {
        true => tokens.iter_mut().filter(|t| **t == old).for_each(|t| *t = new),
        false => tokens[at] = new,
    }
}

/// Checks for a type such as `f64` or `4x?xf64`.
fn ends_in_type(token: &str) -> bool {
    ELEMENTS.contains(&token.rsplit_once('x').map_or(token, |(_, ty)| ty))
}

fn words(list: &str) -> Vec<&str> {
    list.split_whitespace().collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Blank,
    Word,
    Number,
    /// `%x`, `@f`, `!t`, `#a`.
    Name,
    Sign,
}

fn kind(token: &str) -> TokenKind {
    match token.chars().next() {
        None => TokenKind::Blank,
        Some(c) if c.is_whitespace() => TokenKind::Blank,
        Some('%' | '@' | '!' | '#') if token.len() > 1 => TokenKind::Name,
        Some(c) if c.is_ascii_digit() => TokenKind::Number,
        Some(c) if c.is_alphanumeric() || c == '_' => TokenKind::Word,
        Some(_) => TokenKind::Sign,
    }
}

/// Splits a text into tokens, including blanks and line ends, whose concatenation is the text.
fn split(text: &str) -> Vec<&str> {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut tokens = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let more = &rest[first.len_utf8()..];
        let length = first.len_utf8()
            + match first {
                '\n' => 0,
                c if c.is_whitespace() => more.find(|c: char| !c.is_whitespace() || c == '\n').unwrap_or(more.len()),
                c if in_word(c) || "%@!#".contains(c) => more.find(|c| !in_word(c)).unwrap_or(more.len()),
                _ => 0,
            };
        let (token, after) = rest.split_at(length);
        tokens.push(token);
        rest = after;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text() {
        let text = "%x = array.sum %y {axes = array<i64: 0>} : (tensor<4x?xf64>) -> f64 // é\n\n@f";
        assert_eq!(split(text).concat(), text);
        let found: Vec<&str> = split(text).into_iter().filter(|t| kind(t) != TokenKind::Blank).take(5).collect();
        assert_eq!(found, ["%x", "=", "array.sum", "%y", "{"]);
    }
}
