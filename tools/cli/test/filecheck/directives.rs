//! Recognition of the directives of a check file, by LLVM's rules. A directive is a prefix at the start of a word, an
//! optional suffix (`-NEXT`, `-COUNT-3`…), an optional `{LITERAL}`, and a colon; its pattern is the rest of the line.

use super::{Failure, Options};

/// The kind of a directive, from its suffix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DirectiveKind {
    Plain,
    Next,
    Same,
    Not,
    Dag,
    Label,
    Empty,
    /// The end of the input, which the `CHECK-NOT` and `CHECK-DAG` directives at the end of a file refer to.
    End,
}

/// A directive.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    pub kind: DirectiveKind,
    /// Its spelling without the colon: `CHECK-NEXT`.
    pub name: String,
    /// The text to find, with blanks treated according to the options.
    pub pattern: String,
    /// True if `{LITERAL}` is given: braces and brackets are not special.
    pub literal: bool,
    /// The number n of `CHECK-COUNT-n`, otherwise 1.
    pub count: u32,
    /// The byte offset of the pattern in the check file's text; `None` for `--implicit-check-not`.
    pub at: Option<usize>,
    /// The line in the check file, from 1, which is the value of `@LINE`.
    pub line: usize,
}

/// A positive directive, and the `-DAG` and `-NOT` directives between the previous positive one and it.
#[derive(Debug, PartialEq)]
pub struct Step {
    pub before: Vec<Directive>,
    pub directive: Directive,
}

/// Parses `text`, in which runs of blanks have been replaced by one (see [`super::canonical`]).
pub fn parse(options: &Options, text: &str) -> Result<Vec<Step>, Failure> {
    let prefixes = Prefixes::new(options)?;
    let implicit: Vec<_> = options.implicit_check_not.iter().map(|pattern| implicit_not(options, pattern)).collect();
    let mut steps: Vec<Step> = Vec::new();
    let mut before = implicit.clone();
    let mut used = Vec::new();
    let mut at = 0;
    while let Some(found) = prefixes.find(options, text, at)? {
        let line_end = text[found.end..].find('\n').map_or(text.len(), |n| found.end + n);
        at = line_end;
        let Some((kind, literal, count)) = found.directive else { continue };
        used.push(found.prefix);
        let directive = directive(options, text, &found, kind, literal, count, line_end)?;
        let anchored = matches!(kind, DirectiveKind::Next | DirectiveKind::Same | DirectiveKind::Empty);
        if anchored && steps.is_empty() {
            let (name, prefix) = (&directive.name, found.prefix);
            return Err(located(
                options,
                text,
                found.start,
                &format!("found `{name}` without a previous `{prefix}:` line"),
            ));
        }
        if matches!(kind, DirectiveKind::Dag | DirectiveKind::Not) {
            before.push(directive);
        } else {
            steps.push(Step { before: std::mem::replace(&mut before, implicit.clone()), directive });
        }
    }
    prefixes.all_used(options, &used)?;
    if !before.is_empty() {
        let name = options.check_prefixes()[0].to_owned();
        let line = text.matches('\n').count() + 1;
        let directive = Directive {
            kind: DirectiveKind::End,
            name,
            pattern: String::new(),
            literal: true,
            count: 1,
            at: None,
            line,
        };
        steps.push(Step { before, directive });
    }
    Ok(steps)
}

fn implicit_not(options: &Options, pattern: &str) -> Directive {
    Directive {
        kind: DirectiveKind::Not,
        name: format!("--implicit-check-not={pattern}"),
        pattern: super::canonical(pattern, options.strict_whitespace).trim_matches([' ', '\t']).to_owned(),
        literal: false,
        count: 1,
        at: None,
        line: 1,
    }
}

fn directive(
    options: &Options,
    text: &str,
    found: &Found,
    kind: DirectiveKind,
    literal: bool,
    count: u32,
    line_end: usize,
) -> Result<Directive, Failure> {
    let blanks = [' ', '\t'];
    let keep = options.strict_whitespace && options.match_full_lines;
    let rest = &text[found.end..line_end];
    let (start, pattern) = match keep {
        true => (found.end, rest),
        false => (found.end + rest.len() - rest.trim_start_matches(blanks).len(), rest.trim_matches(blanks)),
    };
    let name = text[found.start..found.end].trim_end_matches(':').to_owned();
    let complain = |message: String| Err(located(options, text, start, &message));
    if kind == DirectiveKind::Empty && !pattern.is_empty() {
        return complain(format!("found non-empty check string for empty check with prefix `{name}:`"));
    }
    if kind != DirectiveKind::Empty && pattern.is_empty() {
        return complain(format!("found empty check string with prefix `{name}:`"));
    }
    Ok(Directive {
        kind,
        name,
        pattern: pattern.to_owned(),
        literal,
        count,
        at: Some(start),
        line: line_of(text, start),
    })
}

/// An occurrence of a prefix: its start, and the start of the text after its colon.
struct Found<'a> {
    prefix: &'a str,
    start: usize,
    end: usize,
    /// The directive; `None` for a comment.
    directive: Option<(DirectiveKind, bool, u32)>,
}

struct Prefixes<'a> {
    check: Vec<&'a str>,
    /// All prefixes, longest first, each with a flag that it starts a comment.
    all: Vec<(&'a str, bool)>,
}

impl<'a> Prefixes<'a> {
    fn new(options: &'a Options) -> Result<Self, Failure> {
        let (check, comment) = (options.check_prefixes(), options.comment_prefixes());
        let mut all: Vec<(&str, bool)> = Vec::new();
        for (prefix, is_comment) in comment.iter().map(|p| (*p, true)).chain(check.iter().map(|p| (*p, false))) {
            let kind = if is_comment { "comment" } else { "check" };
            let valid = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            if prefix.is_empty() || !prefix.chars().all(valid) {
                return Err(Failure::Invalid(format!(
                    "error: supplied {kind} prefix must consist of letters, digits, hyphens and underscores: `{prefix}`"
                )));
            }
            if all.iter().any(|(other, _)| *other == prefix) {
                return Err(Failure::Invalid(format!(
                    "error: supplied {kind} prefix must be unique among check and comment prefixes: `{prefix}`"
                )));
            }
            all.push((prefix, is_comment));
        }
        all.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
        Ok(Self { check, all })
    }

    /// Returns the first directive or comment at or after byte `at`.
    fn find(&self, options: &Options, text: &str, mut at: usize) -> Result<Option<Found<'a>>, Failure> {
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        loop {
            let earliest = self
                .all
                .iter()
                .filter_map(|(prefix, comment)| Some((at + text[at..].find(prefix)?, *prefix, *comment)));
            // On a tie the longest prefix wins, because `min_by_key` returns the first minimum.
            let Some((start, prefix, comment)) = earliest.min_by_key(|(start, ..)| *start) else { return Ok(None) };
            let whole = !text[..start].ends_with(in_word);
            if whole {
                let read = suffix(&text[start + prefix.len()..], comment);
                let read = read.map_err(|message| located(options, text, start, &format!("{message} `{prefix}`")))?;
                if let Some((directive, length)) = read {
                    return Ok(Some(Found { prefix, start, end: start + prefix.len() + length, directive }));
                }
            }
            at = start + prefix.len();
            at += text[at..].find(|c| !in_word(c)).unwrap_or(text.len() - at);
        }
    }

    fn all_used(&self, options: &Options, used: &[&str]) -> Result<(), Failure> {
        let default = options.prefixes.is_empty();
        let unused: Vec<_> = self.check.iter().filter(|p| !used.contains(p)).map(|p| format!("`{p}:`")).collect();
        let none_found = unused.len() == self.check.len();
        // Implicit checks suffice if no prefix was given explicitly.
        let excused = default && !options.implicit_check_not.is_empty();
        if !excused && (none_found || !default && !options.allow_unused_prefixes && !unused.is_empty()) {
            let file = options.check_file.display();
            return Err(Failure::Invalid(format!(
                "error: no check strings found in {file} with prefix {}",
                unused.join(", ")
            )));
        }
        Ok(())
    }
}

/// A directive (`None` for a comment), and the length of its suffix including the colon.
type Suffix = (Option<(DirectiveKind, bool, u32)>, usize);

/// Parses the text after a prefix, up to the colon. `Ok(None)` means that this is not a directive.
fn suffix(rest: &str, comment: bool) -> Result<Option<Suffix>, &'static str> {
    if comment {
        return Ok(rest.starts_with(':').then_some((None, 1)));
    }
    let named = rest.strip_prefix(['-', '_']);
    let (kind, count, after) = match named {
        None => (DirectiveKind::Plain, 1, rest),
        Some(name) => match name.strip_prefix("COUNT-") {
            Some(number) => {
                let (count, after) = repetitions(number).ok_or("invalid count in -COUNT specification on prefix")?;
                (DirectiveKind::Plain, count, after)
            }
            None => match kind(name)? {
                Some((kind, after)) => (kind, 1, after),
                None => return Ok(None),
            },
        },
    };
    let Some((literal, after)) = modifiers(after) else { return Ok(None) };
    if rest.starts_with('_') {
        return Err("misspelled directive (`_` for `-`) with prefix");
    }
    Ok(Some((Some((kind, literal, count)), rest.len() - after.len())))
}

/// Parses the number after `-COUNT-`, which a colon or a modifier must follow.
fn repetitions(number: &str) -> Option<(u32, &str)> {
    let digits = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let (number, after) = number.split_at(digits);
    let count = number.parse::<u32>().ok().filter(|n| *n > 0 && *n <= i32::MAX as u32)?;
    after.starts_with([':', '{']).then_some((count, after))
}

/// Parses the kind after the hyphen. Returns it with the text that follows.
fn kind(name: &str) -> Result<Option<(DirectiveKind, &str)>, &'static str> {
    const COMBINED: [&str; 8] =
        ["DAG-NOT:", "NOT-DAG:", "NEXT-NOT:", "NOT-NEXT:", "SAME-NOT:", "NOT-SAME:", "EMPTY-NOT:", "NOT-EMPTY:"];
    const KINDS: [(&str, DirectiveKind); 6] = [
        ("NEXT", DirectiveKind::Next),
        ("SAME", DirectiveKind::Same),
        ("NOT", DirectiveKind::Not),
        ("DAG", DirectiveKind::Dag),
        ("LABEL", DirectiveKind::Label),
        ("EMPTY", DirectiveKind::Empty),
    ];
    if COMBINED.iter().any(|combined| name.starts_with(combined)) {
        return Err("unsupported -NOT combo on prefix");
    }
    Ok(KINDS.iter().find_map(|(text, kind)| Some((*kind, name.strip_prefix(text)?))))
}

/// Parses `:` or `{LITERAL}:`. Returns whether the pattern is literal, and the text after the colon.
fn modifiers(text: &str) -> Option<(bool, &str)> {
    if let Some(after) = text.strip_prefix(':') {
        return Some((false, after));
    }
    let (inside, after) = text.strip_prefix('{')?.split_once('}')?;
    let literal = inside.split(',').all(|modifier| modifier.trim() == "LITERAL");
    Some((literal, after.strip_prefix(':')?)).filter(|_| literal)
}

/// Returns the line, from 1, of byte `at`.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn located(options: &Options, text: &str, at: usize, message: &str) -> Failure {
    let column = at - text[..at].rfind('\n').map_or(0, |n| n + 1) + 1;
    Failure::Invalid(format!("{}:{}:{column}: error: {message}", options.check_file.display(), line_of(text, at)))
}
