//! The order of the matches of a check file, and the regions in which its patterns are searched: the algorithm of
//! LLVM's FileCheck.
//!
//! The input is first divided at its labels. Within a section, the patterns match in sequence, each from the end of the
//! previous match. `-DAG` patterns match from the end of the previous match in any order and without overlap. `-NOT`
//! patterns must not occur between the positive matches before and after them.

use super::directives::{Directive, DirectiveKind, Step, line_of};
use super::pattern::{self, Error, Match, Miss, Variable, Variables};
use super::{Failure, Options, numeric};
use std::fmt::Display;

/// A run of a check file over one input.
pub struct Checker<'a> {
    options: &'a Options,
    checks: &'a str,
    input_name: &'a str,
    input: &'a str,
    variables: Variables,
}

/// The bytes `start..end` of the input.
#[derive(Debug, Clone, Copy)]
struct Region {
    start: usize,
    end: usize,
}

impl<'a> Checker<'a> {
    pub fn new(options: &'a Options, checks: &'a str, input_name: &'a str, input: &'a str) -> Result<Self, Failure> {
        let mut variables = Variables::new();
        for definition in &options.defines {
            let (name, variable) = define(definition, &variables)
                .map_err(|error| Failure::Invalid(format!("error: `-D {definition}`: {error}")))?;
            variables.insert(name, variable);
        }
        Ok(Self { options, checks, input_name, input, variables })
    }

    pub fn run(&mut self, steps: &[Step]) -> Result<(), Failure> {
        for directive in steps.iter().flat_map(|step| step.before.iter().chain([&step.directive])) {
            pattern::validate(directive).map_err(|error| self.invalid(directive, error))?;
        }
        let mut rest = Region { start: 0, end: self.input.len() };
        let mut first = 0;
        let mut failures = Vec::new();
        while first < steps.len() || first == 0 {
            let label = (first..steps.len()).find(|&i| steps[i].directive.kind == DirectiveKind::Label);
            let mut section = rest;
            if let Some(label) = label {
                // The label only; the directives before it are checked below, within its section.
                let found = self.repeated(&steps[label].directive, rest)?;
                section.end = found.end;
                rest.start = found.end;
            }
            if first != 0 && self.options.enable_var_scope {
                self.variables.retain(|name, _| name.starts_with('$'));
            }
            let last = label.map_or(steps.len(), |label| label + 1);
            if let Err(failure) = self.section(&steps[first..last], section) {
                failures.push(failure);
            }
            if label.is_none() {
                break;
            }
            first = last;
        }
        match failures.into_iter().reduce(join) {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }

    fn section(&mut self, steps: &[Step], mut region: Region) -> Result<(), Failure> {
        for step in steps {
            region.start = self.step(step, region)?.end;
        }
        Ok(())
    }

    /// Checks a positive directive and those before it. Returns its match.
    fn step(&mut self, step: &Step, region: Region) -> Result<Match, Failure> {
        let (start, forbidden) = self.before(step, region)?;
        let found = self.repeated(&step.directive, Region { start, ..region })?;
        let skipped = Region { start, end: found.start };
        self.lines_between(&step.directive, skipped)?;
        self.absent(&forbidden, skipped)?;
        Ok(found)
    }

    /// Matches the `-DAG` groups before a step, and checks the `-NOT` patterns among them. Returns the earliest
    /// position of the step, and the `-NOT` patterns after the last group.
    fn before<'s>(&mut self, step: &'s Step, region: Region) -> Result<(usize, Vec<&'s Directive>), Failure> {
        let mut start = region.start;
        let mut forbidden: Vec<&Directive> = Vec::new();
        // The matches of the current group, in order of position, without overlap.
        let mut taken: Vec<Match> = Vec::new();
        for (i, directive) in step.before.iter().enumerate() {
            if directive.kind == DirectiveKind::Not {
                forbidden.push(directive);
                continue;
            }
            let mut from = start;
            loop {
                let found = self.find(directive, Region { start: from, ..region })?;
                let at = taken.iter().position(|other| found.start < other.end).unwrap_or(taken.len());
                match taken.get(at).filter(|other| other.start < found.end) {
                    Some(overlapping) => from = overlapping.end,
                    None => {
                        taken.insert(at, found);
                        break;
                    }
                }
            }
            if step.before.get(i + 1).is_none_or(|next| next.kind == DirectiveKind::Not) {
                self.absent(&std::mem::take(&mut forbidden), Region { start, end: taken[0].start })?;
                start = taken[taken.len() - 1].end;
                taken.clear();
            }
        }
        Ok((start, forbidden))
    }

    /// Returns the match of a directive, from the first to the last repetition of `-COUNT-n`.
    fn repeated(&mut self, directive: &Directive, region: Region) -> Result<Match, Failure> {
        let mut whole: Option<Match> = None;
        for _ in 0..directive.count {
            let start = whole.map_or(region.start, |m| m.end);
            let found = self.find(directive, Region { start, ..region })?;
            whole = Some(Match { start: whole.map_or(found.start, |m| m.start), end: found.end });
        }
        Ok(whole.unwrap_or(Match { start: region.start, end: region.start }))
    }

    fn find(&mut self, directive: &Directive, region: Region) -> Result<Match, Failure> {
        let text = &self.input[region.start..region.end];
        match pattern::find(self.options, directive, &mut self.variables, text) {
            Ok(found) => Ok(Match { start: region.start + found.start, end: region.start + found.end }),
            Err(Miss::NotFound) => {
                let mut notes = vec![(region.start, "scanning from here")];
                notes.extend(
                    most_similar(&directive.pattern, text).map(|at| (region.start + at, "possible intended match")),
                );
                Err(self.mismatch(directive, "expected string not found in input", &notes))
            }
            Err(Miss::Invalid(error)) => Err(self.invalid(directive, error)),
            Err(Miss::Unusable(error)) => Err(self.mismatch(directive, error, &[(region.start, "scanning from here")])),
        }
    }

    /// Checks the number of line ends between two matches: one for `-NEXT` and `-EMPTY`, none for `-SAME`.
    fn lines_between(&self, directive: &Directive, skipped: Region) -> Result<(), Failure> {
        let ends = self.input[skipped.start..skipped.end].matches('\n').count();
        let message = match (directive.kind, ends) {
            (DirectiveKind::Next | DirectiveKind::Empty, 0) => "is on the same line as the previous match",
            (DirectiveKind::Next | DirectiveKind::Empty, 2..) => "is not on the line after the previous match",
            (DirectiveKind::Same, 1..) => "is not on the same line as the previous match",
            _ => return Ok(()),
        };
        let notes = [(skipped.start, "previous match ended here"), (skipped.end, "the match was here")];
        Err(self.mismatch(directive, message, &notes))
    }

    fn absent(&mut self, forbidden: &[&Directive], region: Region) -> Result<(), Failure> {
        let mut failures = Vec::new();
        for directive in forbidden {
            let text = &self.input[region.start..region.end];
            let failure = match pattern::find(self.options, directive, &mut self.variables, text) {
                Err(Miss::NotFound) => continue,
                Ok(found) => self.mismatch(
                    directive,
                    "excluded string found in input",
                    &[(region.start + found.start, "found here")],
                ),
                Err(Miss::Invalid(error)) => self.invalid(directive, error),
                Err(Miss::Unusable(error)) => self.mismatch(directive, error, &[(region.start, "scanning from here")]),
            };
            failures.push(failure);
        }
        failures.into_iter().reduce(join).map_or(Ok(()), Err)
    }

    /// Formats `file:line:column: error: CHECK-NEXT: message`, the directive's line, and each position in the input
    /// with its lines.
    fn mismatch(&self, directive: &Directive, message: impl Display, notes: &[(usize, &str)]) -> Failure {
        let mut text = self.headline(directive, message);
        for (at, note) in notes {
            let (line, column, source) = position(self.input, *at);
            text.push_str(&format!("{}:{line}:{column}: note: {note}\n{source}\n{:>column$}\n", self.input_name, "^"));
        }
        if self.options.dump_input {
            let lines: Vec<_> = notes.iter().map(|(at, _)| line_of(self.input, *at)).collect();
            text.push_str(&dump(self.input, &lines));
        }
        Failure::Mismatch(text.trim_end().to_owned())
    }

    fn invalid(&self, directive: &Directive, message: impl Display) -> Failure {
        let headline = self.headline(directive, message);
        Failure::Invalid(headline.trim_end().to_owned())
    }

    fn headline(&self, directive: &Directive, message: impl Display) -> String {
        let name = &directive.name;
        match directive.at {
            Some(at) => {
                let (line, column, source) = position(self.checks, at);
                let file = self.options.check_file.display();
                format!("{file}:{line}:{column}: error: {name}: {message}\n{source}\n{:>column$}\n", "^")
            }
            None => format!("error: {name}: {message}\n"),
        }
    }
}

/// Returns line and column from 1 of byte `at`, and the line's text.
fn position(text: &str, at: usize) -> (usize, usize, &str) {
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let line = text[start..].lines().next().unwrap_or("");
    (line_of(text, at), text[start..at].chars().count() + 1, line)
}

/// Formats the lines of the input around the given ones, with numbers.
fn dump(input: &str, lines: &[usize]) -> String {
    const BEFORE: usize = 5;
    const AFTER: usize = 12;
    let mut text = format!("input of {} lines:\n", input.lines().count());
    let mut last = 0;
    for (i, line) in input.lines().enumerate().map(|(i, line)| (i + 1, line)) {
        if !lines.iter().any(|marked| (marked.saturating_sub(BEFORE)..=marked + AFTER).contains(&i)) {
            continue;
        }
        if i != last + 1 {
            text.push_str("        ...\n");
        }
        last = i;
        let mark = if lines.contains(&i) { '>' } else { ' ' };
        text.push_str(&format!("{mark}{i:>6}: {line}\n"));
    }
    text
}

/// Returns the start of the line that is most similar to the pattern, if any is similar.
fn most_similar(pattern: &str, text: &str) -> Option<usize> {
    const LINES: usize = 5000;
    const ALIKE: f64 = 0.6;
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let alike = |at: usize, line: &str| (strsim::sorensen_dice(pattern, line), std::cmp::Reverse(at));
    let scores = starts.zip(text.lines()).take(LINES).map(|(at, line)| alike(at, line));
    let (score, std::cmp::Reverse(at)) = scores.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
    (score > ALIKE).then_some(at)
}

/// Combines two failures of one run. An invalid check file takes precedence over a mismatch.
fn join(a: Failure, b: Failure) -> Failure {
    match (a, b) {
        (Failure::Mismatch(a), Failure::Mismatch(b)) => Failure::Mismatch(format!("{a}\n{b}")),
        (Failure::Mismatch(_), worse) | (worse, _) => worse,
    }
}

/// Parses `NAME=text`, `#NAME=expression` or `#%x,NAME=expression`.
fn define(definition: &str, variables: &Variables) -> Result<(String, Variable), Error> {
    if let Some(numeric) = definition.strip_prefix('#') {
        return numeric::define(numeric, variables);
    }
    let (name, value) = definition.split_once('=').ok_or(Error::Expected("NAME=VALUE"))?;
    pattern::check_name(name)?;
    Ok((name.to_owned(), Variable::Text(value.to_owned())))
}
