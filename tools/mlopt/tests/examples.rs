//! A test that every example in a help text is tested: it must be part of a block of commands in a page, which `mlopt
//! test` runs.

use mlopt::cli::commands;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The help text of one command.
struct Help {
    examples: Vec<String>,
    /// The name and text of each file after `where NAME says`.
    files: Vec<(String, String)>,
}

impl Help {
    fn of(command: &str) -> Help {
        let output = Command::new(env!("CARGO_BIN_EXE_mlopt")).args(["help", command]).output().unwrap();
        Help::read(&String::from_utf8(output.stdout).unwrap())
    }

    fn read(text: &str) -> Help {
        let (mut examples, mut files) = (Vec::new(), Vec::new());
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let file = line.strip_prefix("where ").and_then(|rest| rest.strip_suffix(" says"));
            let is_heading = line.starts_with("Example") && line.ends_with(':');
            let mut indented = Vec::new();
            while file.is_some() || is_heading {
                let Some(line) = lines.next_if(|line| line.starts_with("  ")) else { break };
                indented.push(&line[2..]);
            }
            match file {
                Some(name) => files.push((name.to_string(), indented.join("\n"))),
                // A comment is separated by blanks.
                None => examples.extend(indented.iter().map(|line| match line.split_once("   ") {
                    Some((command, _)) => command.trim_end().to_string(),
                    None => line.to_string(),
                })),
            }
        }
        Help { examples, files }
    }
}

/// Returns the fenced blocks of all pages: the text after the fence, and the content.
fn blocks() -> Vec<(String, String)> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut open: Vec<PathBuf> = vec![project.join("docs"), project.join("README.md")];
    let mut found = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "md") {
            let text = std::fs::read_to_string(path).unwrap();
            let mut lines = text.lines();
            while let Some(info) = lines.by_ref().find_map(|line| line.strip_prefix("```")) {
                let block: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
                found.push((info.to_string(), block.join("\n")));
            }
        }
    }
    found
}

/// Returns the examples and files of a help text that occur in no page.
fn missing(command: &str, help: &Help, blocks: &[(String, String)]) -> Vec<String> {
    let is_run = |example: &String| {
        let commands = blocks.iter().filter(|(info, _)| info == "sh");
        commands.flat_map(|(_, text)| text.lines()).any(|line| {
            // The input of the language server comes from a file instead of an editor.
            line == example || command == "lsp" && line.starts_with(&format!("{example} --lit-test < "))
        })
    };
    let is_there = |(name, text): &&(String, String)| {
        blocks.iter().any(|(info, block)| info.split(' ').nth(1) == Some(name) && block == text)
    };
    let examples = help.examples.iter().filter(|e| !is_run(e)).map(|e| format!("{command}: `{e}`"));
    let files = help.files.iter().filter(|f| !is_there(f)).map(|f| format!("{command}: the file {}", f.0));
    examples.chain(files).collect()
}

#[test]
fn every_example_of_help_is_run() {
    let blocks = blocks();
    let mut lacking = Vec::new();
    for command in commands().iter().filter(|c| *c != "help") {
        let help = Help::of(command);
        assert!(!help.examples.is_empty(), "`mlopt help {command}` has no example");
        lacking.extend(missing(command, &help, &blocks));
    }
    assert!(lacking.is_empty(), "no page runs these examples (docs/commands.md is the place):\n{}", lacking.join("\n"));
}

#[test]
fn an_example_without_a_page_is_found() {
    let text = "Options:\n  --x  y\n\nExamples:\n  mlopt run f.mlir          a remark\n  mlopt run g.mlir\n\n\
                where f.lambda says\n  (def f)\n";
    let help = Help::read(text);
    assert_eq!(help.examples, ["mlopt run f.mlir", "mlopt run g.mlir"]);
    assert_eq!(help.files, [("f.lambda".to_string(), "(def f)".to_string())]);
    let block = |info: &str, text: &str| (info.to_string(), text.to_string());
    let page =
        [block("sh", "mlopt run f.mlir"), block("text", "mlopt run g.mlir"), block("lambda f.lambda", "(def g)")];
    assert_eq!(missing("run", &help, &page), ["run: `mlopt run g.mlir`", "run: the file f.lambda"]);
}
