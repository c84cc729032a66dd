//! The reader of the calls in the comments of a program.
//!
//! ```text
//! // CALL: @f random:5xf64 2.0
//! // CALL: @f random:{n}xf64 [1, 2] for n = 0 1 7
//! // CALL: @f [1, 2] 3 -> [3, 6]
//! // CALL: @f [1, 2] [1] fails: different sizes
//! // CALL: @f 7 0 returns
//! // WITH: f64,2x = f32,2x f64,3x
//! // -----
//! ```
//! `WITH:` repeats the program for each group of texts after `=` (here `f32,2x` and `f64,3x`), which replace the texts
//! before it. If comments of a notation start with `;`, so do these lines. A `\` at the end continues a line.

/// An error in the comments, with the line number, from 1.
pub type Wrong = (usize, Malformed);

/// Comments that do not list calls.
#[derive(Debug, thiserror::Error)]
pub enum Malformed {
    #[error("expected a line `CALL: @function ARGUMENTS`, found none")]
    NoCall,
    #[error("expected `@function ARGUMENTS`, found `{0}`")]
    Call(String),
    #[error("expected `NAMES = VALUES`, as in `n,m = 0,1 2,3`, found `{0}`")]
    Table(String),
}

/// One of the programs of a file, separated by `// -----`.
#[derive(Debug)]
pub struct Section {
    /// The number of lines of the file before the section.
    before: usize,
    lines: Vec<String>,
    tables: Vec<Table>,
}

/// Names, and the rows of their values: `n,m = 0,1 2,3`.
#[derive(Debug, PartialEq)]
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// A section after the replacements of one row of each `WITH:` line.
#[derive(Debug, PartialEq)]
pub struct Variant {
    /// The replacements, such as `f64 = f32`; empty if there are none.
    pub replaced: String,
    /// The program, preceded by empty lines so that its lines have the numbers that they have in the file.
    pub text: String,
    pub calls: Vec<Call>,
}

#[derive(Debug, PartialEq)]
pub struct Call {
    /// The number of its line in the file.
    pub line: usize,
    /// The call as written, after replacements.
    pub text: String,
    /// The name of the function, without `@`.
    pub function: String,
    pub arguments: Vec<String>,
    pub end: End,
}

/// The expected end of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Compiled code has the results of the evaluator.
    Agrees,
    /// Compiled code and evaluator have these results.
    Gives(Vec<String>),
    /// The call stops with a message that contains this text.
    Fails(String),
    /// The call ends; its results are unspecified.
    Returns,
}

/// Returns the text of a comment line.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("//").or_else(|| line.strip_prefix(';')).map(str::trim)
}

/// Joins a text with the comments after it as long as it ends in `\`, as in `RUN:` lines.
fn continued(text: &str, after: &[String]) -> String {
    let mut whole = text.to_string();
    for line in after {
        let Some(open) = whole.strip_suffix('\\') else { break };
        whole = format!("{open}{}", comment(line).unwrap_or_default());
    }
    whole
}

/// Returns the sections of a file.
///
/// # Errors
/// A `WITH:` line is malformed, or a section lists no call.
pub fn sections(source: &str) -> Result<Vec<Section>, Wrong> {
    let mut sections = vec![Section { before: 0, lines: vec![], tables: vec![] }];
    let lines: Vec<String> = source.lines().map(str::to_string).collect();
    for (k, line) in lines.iter().enumerate() {
        let section = sections.last_mut().expect("there is one from the start");
        match comment(line) {
            Some("-----") => sections.push(Section { before: k + 1, lines: vec![], tables: vec![] }),
            Some(text) if text.starts_with("WITH:") => {
                let table = Table::parse(&continued(&text["WITH:".len()..], &lines[k + 1..]));
                section.tables.push(table.map_err(|e| (k + 1, e))?);
                section.lines.push(String::new());
            }
            _ => section.lines.push(line.clone()),
        }
    }
    let is_call = |line: &String| comment(line).is_some_and(|text| text.starts_with("CALL:"));
    match sections.iter().find(|s| !s.lines.iter().any(is_call)) {
        Some(section) => Err((section.before + 1, Malformed::NoCall)),
        None => Ok(sections),
    }
}

impl Section {
    /// Returns the section with each combination of replacements.
    ///
    /// # Errors
    /// A `CALL:` line is malformed.
    pub fn variants(&self) -> Result<Vec<Variant>, Wrong> {
        let mut rows: Vec<Vec<(&str, &str)>> = vec![vec![]];
        for table in &self.tables {
            rows = rows.iter().flat_map(|row| table.pairs().map(|more| [row.clone(), more].concat())).collect();
        }
        rows.into_iter().map(|row| self.variant(&row)).collect()
    }

    fn variant(&self, row: &[(&str, &str)]) -> Result<Variant, Wrong> {
        let replace = |line: &String| row.iter().fold(line.clone(), |text, (old, new)| text.replace(old, new));
        let lines: Vec<String> = self.lines.iter().map(replace).collect();
        let mut calls = vec![];
        for (k, line) in lines.iter().enumerate() {
            if let Some(text) = comment(line).and_then(|text| text.strip_prefix("CALL:")) {
                let number = self.before + k + 1;
                let text = continued(text, &lines[k + 1..]);
                calls.extend(Call::parse(number, &text).map_err(|e| (number, e))?);
            }
        }
        let replaced: Vec<String> = row.iter().map(|(old, new)| format!("{old} = {new}")).collect();
        let text = "\n".repeat(self.before) + &lines.join("\n") + "\n";
        Ok(Variant { replaced: replaced.join(", "), text, calls })
    }
}

impl Table {
    fn parse(text: &str) -> Result<Table, Malformed> {
        let wrong = || Malformed::Table(text.trim().to_string());
        let split = |text: &str| text.split(',').map(|part| part.trim().to_string()).collect::<Vec<_>>();
        let (names, rows) = text.split_once('=').ok_or_else(wrong)?;
        let (names, rows) = (split(names), rows.split_whitespace().map(split).collect::<Vec<_>>());
        let fits = |row: &Vec<String>| row.len() == names.len();
        if rows.is_empty() || !rows.iter().all(fits) || names.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Table { names, rows })
    }

    /// Returns each row as pairs of a name and its value.
    fn pairs(&self) -> impl Iterator<Item = Vec<(&str, &str)>> {
        self.rows.iter().map(|row| self.names.iter().map(String::as_str).zip(row.iter().map(String::as_str)).collect())
    }
}

impl Call {
    /// Parses the text after `CALL:`, which is one call for each row of `for NAMES = VALUES`.
    fn parse(line: usize, text: &str) -> Result<Vec<Call>, Malformed> {
        let text = text.trim();
        let (rest, end) = match text.split_once(" fails: ") {
            Some((rest, message)) => (rest, End::Fails(message.trim().to_string())),
            None => match (text.split_once(" -> "), text.strip_suffix(" returns")) {
                (Some((rest, results)), _) => (rest, End::Gives(words(results))),
                (None, Some(rest)) => (rest, End::Returns),
                (None, None) => (text, End::Agrees),
            },
        };
        let (call, table) = match rest.split_once(" for ") {
            Some((call, table)) => (call, Table::parse(table)?),
            None => (rest, Table { names: vec![], rows: vec![vec![]] }),
        };
        let words = words(call);
        let Some((function, arguments)) = words.split_first().and_then(|(f, a)| Some((f.strip_prefix('@')?, a))) else {
            return Err(Malformed::Call(call.to_string()));
        };
        let at = |row: Vec<(&str, &str)>| {
            let fill = |text: &String| {
                row.iter().fold(text.clone(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
            };
            let end = match &end {
                End::Gives(results) => End::Gives(results.iter().map(fill).collect()),
                End::Fails(message) => End::Fails(fill(message)),
                End::Agrees | End::Returns => end.clone(),
            };
            let arguments: Vec<String> = arguments.iter().map(fill).collect();
            let text = [&[format!("@{function}")], &arguments[..]].concat().join(" ");
            Call { line, text, function: function.to_string(), arguments, end }
        };
        Ok(table.pairs().map(at).collect())
    }
}

/// Splits a text at white space outside of brackets.
fn words(text: &str) -> Vec<String> {
    let (mut depth, mut words, mut word) = (0, vec![], String::new());
    for c in text.trim().chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && c.is_whitespace() {
            words.extend(Some(std::mem::take(&mut word)).filter(|w| !w.is_empty()));
        } else {
            word.push(c);
        }
    }
    words.extend(Some(word).filter(|w| !w.is_empty()));
    words
}
