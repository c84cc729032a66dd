//! The search for the first match of a resolved pattern. It uses backtracking if the pattern repeats a variable that it
//! defines.

use std::collections::BTreeMap;

use super::Options;
use super::ere::Translated;
use super::pattern::{Error, Match, Miss};

/// A part of a resolved pattern.
#[derive(Debug)]
pub enum Part<'a> {
    Regex(Translated),
    Define(&'a str, Translated),
    /// The text of the variable that the same pattern defines to the left.
    Again(&'a str),
}

#[derive(Debug, PartialEq)]
pub struct Found {
    pub at: Match,
    /// The text of each variable that the pattern defines.
    pub captured: BTreeMap<String, String>,
}

/// Returns the first match in `text`, or `None` if there is none. If `reversed`, the branches of alternations are in
/// reverse order.
pub fn search(options: &Options, parts: &[Part], reversed: bool, text: &str) -> Result<Option<Found>, Miss> {
    let mut pattern = String::from(if options.ignore_case { "(?i)" } else { "" });
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        match part {
            Part::Regex(regex) => pattern.push_str(regex.ordered(reversed)),
            Part::Define(name, regex) => {
                names.push(name);
                pattern.push_str(&format!("({})", regex.ordered(reversed)));
            }
            Part::Again(name) => {
                let group = names.iter().rposition(|own| own == name).map_or(0, |i| i + 1);
                pattern.push_str(&format!("(?:\\{group})"));
            }
        }
    }
    let regex = fancy_regex::Regex::new(&pattern).map_err(Miss::Invalid)?;
    let found = regex.captures(text).map_err(Error::Search)?;
    Ok(found.map(|found| {
        let whole = found.get(0).map_or(0..0, |m| m.range());
        let group = |i: usize| found.get(i + 1).map_or(String::new(), |m| m.as_str().to_owned());
        let captured = names.iter().enumerate().map(|(i, name)| ((*name).to_owned(), group(i))).collect();
        Found { at: Match { start: whole.start, end: whole.end }, captured }
    }))
}
