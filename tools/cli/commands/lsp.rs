//! `mlopt lsp`: MLIR's language server, with the documentation of our ops in hovers.
//!
//! MLIR's server does not read our `.td` files. Therefore `mlopt lsp` runs it as a child process (`mlopt lsp --serve`),
//! whose input comes directly from the editor. The parent process adds the documentation to the answers of the server,
//! and forwards them to the editor.

use mlopt_dialects::docs;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The option with which this program is the server itself.
pub const SERVE: &str = "--serve";

/// Runs the server with `arguments` and enriches its answers. Returns the exit status.
pub fn run(arguments: &[String]) -> std::io::Result<i32> {
    let program = std::env::current_exe()?;
    let mut server = Command::new(program).arg("lsp").arg(SERVE).args(arguments).stdout(Stdio::piped()).spawn()?;
    let answers = BufReader::new(server.stdout.take().expect("the server's output is piped"));
    let forwarded = forward(answers, &mut std::io::stdout().lock());
    let status = server.wait()?;
    forwarded?;
    Ok(status.code().unwrap_or(1))
}

/// Copies framed messages from `answers` to `out`, each enriched; text between frames is copied as it is.
pub fn forward(mut answers: impl BufRead, out: &mut impl Write) -> std::io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if answers.read_until(b'\n', &mut line)? == 0 {
            return out.flush();
        }
        let Some(length) = content_length(&line) else {
            out.write_all(&line)?;
            continue;
        };
        let mut blank = Vec::new();
        answers.read_until(b'\n', &mut blank)?;
        let mut body = vec![0; length];
        answers.read_exact(&mut body)?;
        if let Ok(mut message) = serde_json::from_slice::<Value>(&body)
            && enrich(&mut message)
        {
            // Keep the server's layout.
            let pretty = body.contains(&b'\n');
            body = if pretty { serde_json::to_vec_pretty(&message)? } else { serde_json::to_vec(&message)? };
        }
        write!(out, "Content-Length: {}\r\n\r\n", body.len())?;
        out.write_all(&body)?;
        out.flush()?;
    }
}

fn content_length(line: &[u8]) -> Option<usize> {
    std::str::from_utf8(line).ok()?.strip_prefix("Content-Length: ")?.trim().parse().ok()
}

/// Adds documentation to the answer of a hover over one of our ops. Returns whether the answer has changed.
fn enrich(message: &mut Value) -> bool {
    let Some(Value::String(text)) = message.pointer_mut("/result/contents/value") else { return false };
    // A hover over an op begins with its quoted name.
    let name = text.trim_start_matches('"').split('"').next().unwrap_or_default();
    let Some(documentation) = docs::op(name) else { return false };
    text.push_str(&format!("\n---\n\n{documentation}\n"));
    true
}
