//! The language of RUN lines: the subset of `sh` that LLVM's lit runs without a shell.
//!
//! It has words with quotes, `|`, `&&`, `||`, `;`, `<`, `>`, `>>`, `2>`, `2>>`, `2>&1`, `&>`. Variables and globs are
//! not expanded. An unquoted `*` or `?` is an error, because lit would expand it.

/// An error in a RUN line.
#[derive(Debug, PartialEq, thiserror::Error)]
pub enum Error {
    #[error("expected a command before `{0}`")]
    NoCommand(&'static str),
    #[error("expected a command, found the end of the line")]
    End,
    #[error("expected a file after `{0}`")]
    NoFile(&'static str),
    #[error("expected a character after `\\`")]
    NoCharacter,
    #[error("expected a closing {0}")]
    NoQuote(char),
    /// Syntax of `sh`, or of lit, that does not belong to this language.
    #[error("not supported: {0}")]
    NotSupported(String),
}

fn not_supported<T>(what: impl Into<String>) -> Result<T, Error> {
    Err(Error::NotSupported(what.into()))
}

/// Pipelines from left to right, `a && b; c`, each except the first with the connector before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    pub first: Pipeline,
    pub rest: Vec<(Connector, Pipeline)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Connector {
    And,
    Or,
    Then,
}

/// Commands `a | b | c`; never empty.
#[derive(Debug, Clone, PartialEq)]
pub struct Pipeline(pub Vec<Command>);

/// The words of a command, its name first (never empty), and its redirections in the order of the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    pub words: Vec<String>,
    pub redirects: Vec<Redirect>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Redirect {
    Stdin(String),
    Stdout { file: String, append: bool },
    Stderr { file: String, append: bool },
    Both(String),
    StderrToStdout,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    /// An operator: `|`, `&&`, `||`, `;`.
    Operator(&'static str),
    /// A redirection: `<`, `>`, `>>`, `>&`, `&>`, with the number before it, if any.
    Redirect(&'static str, Option<u32>),
}

/// Parses one RUN line after substitution.
pub fn parse(line: &str) -> Result<Script, Error> {
    let mut tokens = lex(line)?.into_iter().peekable();
    let first = pipeline(&mut tokens)?;
    let mut rest = Vec::new();
    while let Some(token) = tokens.next() {
        let connector = match token {
            Token::Operator("&&") => Connector::And,
            Token::Operator("||") => Connector::Or,
            // Only `;` remains: the pipeline has consumed `|` and words.
            _ => Connector::Then,
        };
        if connector == Connector::Then && tokens.peek().is_none() {
            break;
        }
        rest.push((connector, pipeline(&mut tokens)?));
    }
    Ok(Script { first, rest })
}

type Tokens = std::iter::Peekable<std::vec::IntoIter<Token>>;

fn pipeline(tokens: &mut Tokens) -> Result<Pipeline, Error> {
    let mut commands = vec![command(tokens)?];
    while tokens.peek() == Some(&Token::Operator("|")) {
        tokens.next();
        commands.push(command(tokens)?);
    }
    Ok(Pipeline(commands))
}

fn command(tokens: &mut Tokens) -> Result<Command, Error> {
    let (mut words, mut redirects) = (Vec::new(), Vec::new());
    while let Some(token) = tokens.next_if(|t| !matches!(t, Token::Operator(_))) {
        match token {
            Token::Word(word) => words.push(word),
            Token::Redirect(operator, fd) => redirects.push(redirect(operator, fd, tokens.next())?),
            Token::Operator(_) => break,
        }
    }
    if words.is_empty() {
        return Err(match tokens.peek() {
            Some(Token::Operator(operator)) => Error::NoCommand(operator),
            _ => Error::End,
        });
    }
    Ok(Command { words, redirects })
}

fn redirect(operator: &'static str, fd: Option<u32>, target: Option<Token>) -> Result<Redirect, Error> {
    let Some(Token::Word(file)) = target else { return Err(Error::NoFile(operator)) };
    match (operator, fd) {
        ("<", None | Some(0)) => Ok(Redirect::Stdin(file)),
        (">" | ">>", None | Some(1)) => Ok(Redirect::Stdout { file, append: operator == ">>" }),
        (">" | ">>", Some(2)) => Ok(Redirect::Stderr { file, append: operator == ">>" }),
        (">&", Some(2)) if file == "1" => Ok(Redirect::StderrToStdout),
        ("&>", None) => Ok(Redirect::Both(file)),
        _ => {
            let fd = fd.map(|n| n.to_string()).unwrap_or_default();
            not_supported(format!("redirection `{fd}{operator}{file}`"))
        }
    }
}

fn lex(line: &str) -> Result<Vec<Token>, Error> {
    let mut tokens = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let (token, after) = match operator(rest)? {
            Some(found) => found,
            None => word(rest)?,
        };
        tokens.push(token);
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// Returns the operator or redirection at the start of `text`, with the text that follows.
fn operator(text: &str) -> Result<Option<(Token, &str)>, Error> {
    const OPERATORS: [&str; 4] = ["&&", "||", "|", ";"];
    const REDIRECTS: [&str; 5] = ["&>", ">>", ">&", ">", "<"];
    if let Some(found) = OPERATORS.into_iter().find(|o| text.starts_with(o)) {
        return Ok(Some((Token::Operator(found), &text[found.len()..])));
    }
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let at = &text[digits..];
    if at.starts_with("<<") || at.starts_with("<&") {
        return not_supported(format!("`{}`", &at[..2]));
    }
    if let Some(found) = REDIRECTS.into_iter().find(|o| at.starts_with(o)) {
        // `2&>` is the word 2 in sh, but does not occur in practice.
        let fd = match &text[..digits] {
            "" => None,
            number => Some(number.parse().or_else(|_| not_supported(format!("file descriptor {number}")))?),
        };
        return Ok(Some((Token::Redirect(found, fd), &at[found.len()..])));
    }
    match text.starts_with('&') {
        true => not_supported("`&` (commands in the background)"),
        false => Ok(None),
    }
}

/// Returns the word at the start of `text`, without its quotes, with the text that follows.
fn word(text: &str) -> Result<(Token, &str), Error> {
    let mut word = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c.is_whitespace() || "|&;<>".contains(c) => return Ok((Token::Word(word), &text[at..])),
            '\'' | '"' => quoted(c, &mut chars, &mut word)?,
            '\\' => match chars.next() {
                Some((_, escaped)) => word.push(escaped),
                None => return Err(Error::NoCharacter),
            },
            '*' | '?' => return not_supported(format!("the glob `{c}`; quote it to use the character itself")),
            '`' => return not_supported("command substitution; quote the back quote to use the character itself"),
            _ => word.push(c),
        }
    }
    Ok((Token::Word(word), ""))
}

/// Appends the text up to the closing `quote`. In double quotes, `\` escapes only `"` and `\`, as in lit.
fn quoted(quote: char, chars: &mut std::str::CharIndices, word: &mut String) -> Result<(), Error> {
    while let Some((_, c)) = chars.next() {
        match c {
            _ if c == quote => return Ok(()),
            '\\' if quote == '"' => match chars.next() {
                Some((_, escaped @ ('"' | '\\'))) => word.push(escaped),
                Some((_, other)) => word.extend(['\\', other]),
                None => break,
            },
            _ => word.push(c),
        }
    }
    Err(Error::NoQuote(quote))
}
