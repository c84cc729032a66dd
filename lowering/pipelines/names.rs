//! The names of passes and options in a pipeline, which are checked before MLIR parses it. For an unknown name the most
//! similar one is suggested, which MLIR's errors do not do. The known names are those that MLIR itself looks up, so no
//! name that MLIR accepts is rejected.

use mlopt_dialects::bridge::{self, OptionKind, PassOption};
use mlopt_dialects::suggest::did_you_mean;

/// `(place, message)`; the place is `PLACE:1:COLUMN`.
pub type Problem = (String, String);

/// A name in a pipeline: a pass, a named pipeline, or the op that the passes in parentheses run on.
struct Element<'a> {
    /// The position in bytes.
    at: usize,
    name: &'a str,
    /// The text between braces, with its position.
    options: Option<(usize, &'a str)>,
    is_anchor: bool,
}

/// The names of passes as users write them.
pub struct Names<'n> {
    /// Returns the name under which MLIR knows a pass.
    pub resolve: &'n dyn Fn(&str) -> String,
    /// Returns all names, for suggestions.
    pub known: &'n dyn Fn() -> Vec<String>,
}

impl Names<'_> {
    /// Checks every name in a pipeline. MLIR checks its syntax. `place` is its origin in errors.
    pub fn check(&self, pipeline: &str, place: &str) -> Result<(), Problem> {
        for element in elements(pipeline).iter().filter(|e| !e.is_anchor) {
            let resolved = (self.resolve)(element.name);
            if !bridge::is_pass_name(&resolved) {
                let hint = did_you_mean(element.name, (self.known)().iter().map(String::as_str));
                let text = format!("unknown pass `{}`{hint}; expected the name of a pass or pipeline", element.name);
                return Err(located(pipeline, place, element.at, text));
            }
            if let Some((start, options)) = element.options {
                let problem = check_options(&resolved, element.name, options);
                problem.map_err(|(at, message)| located(pipeline, place, start + at, message))?;
            }
        }
        Ok(())
    }

    /// Checks the values of numbers and truth values among the options of our passes. MLIR, which checks them too,
    /// writes the error to the error stream.
    pub fn check_values(&self, pipeline: &str, place: &str) -> Result<(), Problem> {
        for element in elements(pipeline) {
            let pass = mlopt_passes::PASSES.iter().chain(crate::PASSES).find(|pass| pass.name == element.name);
            let (Some(pass), Some((start, options))) = (pass, element.options) else { continue };
            for (at, word) in words(options) {
                let (name, value) = word.split_once('=').unwrap_or((word, ""));
                let Some(option) = pass.options.iter().find(|option| option.name == name) else { continue };
                if let Some(expected) = expected(option, value) {
                    let text = format!("option `{name}` of pass `{}`: expected {expected}, found `{value}`", pass.name);
                    return Err(located(pipeline, place, start + at, text));
                }
            }
        }
        Ok(())
    }

    /// Returns the pipeline with the names under which MLIR knows the passes.
    pub fn resolved(&self, pipeline: &str) -> String {
        let (mut text, mut end) = (String::new(), 0);
        for element in elements(pipeline).iter().filter(|e| !e.is_anchor) {
            text += &pipeline[end..element.at];
            text += &(self.resolve)(element.name);
            end = element.at + element.name.len();
        }
        text + &pipeline[end..]
    }
}

fn located(pipeline: &str, place: &str, at: usize, message: String) -> Problem {
    (format!("{place}:1:{}", pipeline[..at].chars().count() + 1), message)
}

/// Returns what a value of an option must be, if this text is no such value.
fn expected(option: &PassOption, value: &str) -> Option<&'static str> {
    match option.kind {
        OptionKind::Integer => {
            let digits = value.trim_start_matches('-').to_ascii_lowercase();
            let (digits, radix) = digits.strip_prefix("0x").map_or((&digits[..], 10), |digits| (digits, 16));
            i64::from_str_radix(digits, radix).err().map(|_| "an integer")
        }
        OptionKind::Bool => {
            let is_known = ["", "0", "1", "true", "True", "TRUE", "false", "False", "FALSE"].contains(&value);
            (!is_known).then_some("`true` or `false`")
        }
        OptionKind::Text | OptionKind::List => None,
    }
}

/// Checks the names of the options of a pass or pipeline, whose name for users is `shown`. An error has its position in
/// the text. Options that MLIR can parse are always accepted.
pub fn check_options(name: &str, shown: &str, options: &str) -> Result<(), (usize, String)> {
    let known = bridge::option_names(name).unwrap_or_default();
    let is_known = |option: &str| known.iter().any(|k| k == option);
    let Some((at, option)) = option_names(options).into_iter().find(|(_, option)| !is_known(option)) else {
        return Ok(());
    };
    if bridge::accepts_options(name, options) {
        return Ok(());
    }
    let hint = did_you_mean(option, known.iter().map(String::as_str));
    let is_pipeline = bridge::is_pipeline_name(name);
    let expected = match known.len() {
        0 if is_pipeline => "it has no options; list its passes to set their options".into(),
        0 => "it has no options".into(),
        _ => format!("expected {}", known.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ")),
    };
    let kind = if is_pipeline { "pipeline" } else { "pass" };
    Err((at, format!("{kind} `{shown}` has no option `{option}`{hint}; {expected}")))
}

/// Returns the names before `=`, with their positions.
fn option_names(options: &str) -> Vec<(usize, &str)> {
    words(options).into_iter().map(|(at, word)| (at, word.split_once('=').map_or(word, |(name, _)| name))).collect()
}

/// Returns the options, with their positions. Blanks separate options; braces and quotes enclose values.
fn words(options: &str) -> Vec<(usize, &str)> {
    let (mut found, mut depth, mut quote, mut start) = (vec![], 0usize, None, None);
    for (at, c) in options.char_indices().chain([(options.len(), ' ')]) {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if c.is_whitespace() && depth == 0 => {
                found.extend(start.take().map(|start: usize| (start, &options[start..at])));
                continue;
            }
            _ => {}
        }
        start = start.or(Some(at));
    }
    found
}

/// Returns the names of a pipeline in the order of the text.
fn elements(pipeline: &str) -> Vec<Element<'_>> {
    const MARKS: [char; 5] = [',', '(', ')', '{', '}'];
    let (mut found, mut at) = (vec![], 0);
    while at < pipeline.len() {
        let rest = &pipeline[at..];
        let end = rest.find(MARKS).unwrap_or(rest.len());
        let name = rest[..end].trim();
        let name_at = at + rest[..end].len() - rest[..end].trim_start().len();
        at += end;
        let mut options = None;
        if pipeline[at..].starts_with('{') {
            let length = braced(&pipeline[at..]);
            let inside = &pipeline[at + 1..at + length];
            options = Some((at + 1, inside.strip_suffix('}').unwrap_or(inside)));
            at += length;
        }
        let is_anchor = pipeline[at..].starts_with('(');
        if !name.is_empty() {
            found.push(Element { at: name_at, name, options, is_anchor });
        }
        at += pipeline[at..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// Returns the length in bytes of the text from `{` to the matching `}`, inclusive; the whole length if there is none.
fn braced(text: &str) -> usize {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}
