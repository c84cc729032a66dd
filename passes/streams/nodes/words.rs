//! Streams and constructs as they appear in messages: in the notation of streams if the program was written in it, and
//! in MLIR otherwise.

use super::clocks::Literal;
use super::graph::{Graph, Var};

/// The maximum number of streams in a sentence.
const MOST: usize = 8;

impl Graph {
    /// Formats a stream in a sentence: its name, its expression in the notation, or its op.
    pub fn name(&self, v: Var) -> String {
        let unnamed = || self.op(v).location().phrase();
        match self.value(v).name() {
            Some(name) => format!("`{name}`"),
            None => unnamed().unwrap_or_else(|| format!("the result of '{}'", self.op(v).name())),
        }
    }

    /// Formats several streams in a sentence, in the order of the text.
    pub fn names(&self, vars: &[Var]) -> String {
        let mut vars = vars.to_vec();
        vars.sort_unstable();
        let more = vars.len().saturating_sub(MOST);
        let mut names: Vec<String> = vars.iter().take(MOST).map(|&v| self.name(v)).collect();
        names.dedup();
        names.join(", ") + &if more == 0 { String::new() } else { format!(" and {more} more") }
    }

    /// Formats a construct such as `fby`.
    pub fn word(&self, construct: &str) -> String {
        if self.is_notation() { format!("`{construct}`") } else { format!("`stream.{construct}`") }
    }

    /// Formats a stream that is `x` where the conditions of `levels` hold, and absent elsewhere.
    pub fn sampled(&self, x: Var, levels: &[Literal]) -> String {
        let Some((x, conditions)) = self.written(x, levels) else {
            return format!("sample it with {}", self.word("when"));
        };
        let when = |x: String, (l, condition): (&Literal, String)| {
            let x = if x.contains(' ') { format!("({x})") } else { x };
            format!("{x} when {}{condition}", if l.holds { "" } else { "not " })
        };
        format!("sample it, as in `{}`", levels.iter().zip(conditions).fold(x, when))
    }

    /// Formats a stream that is `x`, which is present where the conditions of `levels` hold, and another value
    /// elsewhere. The text calls this stream `name`.
    pub fn completed(&self, name: &str, x: Var, levels: &[Literal]) -> String {
        let [l] = levels else {
            let merge = self.word("merge");
            return format!("complete {name} with a {merge} for each of its conditions, the last one first");
        };
        let Some((x, conditions)) = self.written(x, levels) else {
            return format!("complete {name} with {}", self.word("merge"));
        };
        let condition = &conditions[0];
        let (merged, other) = match l.holds {
            true => (format!("merge({condition}, {x}, v)"), "false"),
            false => (format!("merge({condition}, v, {x})"), "true"),
        };
        format!("complete {name}, as in `{merged}`, with a value `v` for the cycles where `{condition}` is {other}")
    }

    pub(super) fn is_notation(&self) -> bool {
        self.node.location().phrase().is_some()
    }

    /// Returns a stream and conditions as expressions of the notation, if one node can contain them all.
    fn written(&self, x: Var, levels: &[Literal]) -> Option<(String, Vec<String>)> {
        let phrase = self.op(x).location().phrase().filter(|_| self.value(x).defining_op().is_some());
        let mut parts = phrase.as_deref().unwrap_or_default().split('`').skip(1).step_by(2);
        let (expression, equation) = (parts.next(), parts.next().unwrap_or_default());
        let path = equation.rsplit_once('.').map_or(String::new(), |(path, _)| format!("{path}."));
        let local = |v: Var| {
            let name = self.value(v).name()?;
            name.strip_prefix(&path).filter(|name| !name.contains('.')).map(str::to_string)
        };
        let shown = expression.filter(|e| !e.ends_with("...")).map(str::to_string);
        let conditions = levels.iter().map(|l| local(l.condition)).collect::<Option<_>>()?;
        self.is_notation().then_some((local(x).or(shown)?, conditions))
    }

    /// Returns the name of the instance that contains the equation of `v`.
    pub fn instance(&self, v: Var) -> Option<String> {
        let phrase = || Some(self.op(v).location().phrase()?.rsplit('`').nth(1)?.to_string());
        let equation = self.value(v).defining_op().and_then(|_| self.value(v).name()).or_else(phrase)?;
        equation.split_once('.').map(|(instance, _)| instance.to_string())
    }
}
