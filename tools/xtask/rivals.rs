//! `cargo xtask rivals`: measures the tables of `docs/benchmarks` and rewrites them. Between the lines `<!-- rivals:
//! PAGE TABLE -->` and `<!-- end -->` are a table, the machine and the date. The text outside of these lines is not
//! changed.

mod harness;

use crate::error::{Context, Error};
use crate::tree::read;
use crate::{cargo, root};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const OPEN: &str = "<!-- rivals: ";
const CLOSE: &str = "<!-- end -->";
/// The pages, in the order in which they are measured.
const PAGES: [&str; 3] = ["cpu", "streams", "functions"];
/// The load above which times are not those of an idle machine.
const IDLE: f64 = 0.5;

/// The origin of a table.
#[derive(Debug, PartialEq)]
enum Source {
    /// Our programs alone, measured by `mlopt bench`.
    Ours,
    /// Our programs, hand-written C and JAX; needs `--harness`.
    Harness,
    /// The output of `mlopt-bench PAGE TABLE`.
    Bench,
    /// The same, with JAX in another process.
    BenchWithJax,
}

/// The tables, by page and name.
const TABLES: [(&str, &str, Source); 9] = [
    ("cpu", "ratios", Source::Harness),
    ("cpu", "ours", Source::Ours),
    ("streams", "steps", Source::Bench),
    ("streams", "training", Source::BenchWithJax),
    ("streams", "compile", Source::Bench),
    ("functions", "overhead", Source::Bench),
    ("functions", "gradients", Source::Bench),
    ("functions", "surviving", Source::Bench),
    ("functions", "compile", Source::Bench),
];

/// The options of the command line.
#[derive(Debug, Default, PartialEq)]
struct Request {
    /// The pages; all if empty.
    pages: Vec<String>,
    harness: Option<PathBuf>,
}

impl Request {
    fn of(words: &[&str]) -> Result<Request, Error> {
        let mut request = Request::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--harness" => request.harness = Some(words.next().context("--harness: expected a folder")?.into()),
                page if PAGES.contains(&page) => request.pages.push(page.to_string()),
                other => {
                    let pages = PAGES.join(", ");
                    return Err(Error::Unexpected(format!(
                        "rivals: expected {pages} or --harness DIR, found `{other}`"
                    )));
                }
            }
        }
        Ok(request)
    }

    fn wants(&self, page: &str) -> bool {
        self.pages.is_empty() || self.pages.iter().any(|p| p == page)
    }
}

/// Measures and rewrites the pages that `words` name, or all.
pub fn run(words: &[&str]) -> Result<(), Error> {
    let mut request = Request::of(words)?;
    if let Some(harness) = &mut request.harness {
        *harness = harness.canonicalize().context(format_args!("--harness {}", harness.display()))?;
    }
    let load = load();
    if load > IDLE {
        eprintln!("warning: other programs are running (load {load}): times are not those of an idle machine");
    }
    cargo(&["build", "--release", "--workspace"])?;
    let has_jax = || Command::new(python()).args(["-c", "import jax"]).output().is_ok_and(|o| o.status.success());
    for page in PAGES.into_iter().filter(|page| request.wants(page)) {
        let file = page_file(page);
        let mut text = read(&file)?;
        for (_, table, source) in TABLES.iter().filter(|(p, ..)| *p == page) {
            println!("measuring {page} {table}");
            let measured = match source {
                Source::Ours => Some(ours()?),
                Source::Bench => Some(bench(page, table)?),
                Source::BenchWithJax if has_jax() => Some(bench(page, table)?),
                Source::BenchWithJax => {
                    println!("{page} {table}: left as it is; it needs a Python with JAX: MLOPT_PYTHON=/DIR/bin/python");
                    None
                }
                Source::Harness => match &request.harness {
                    Some(harness) => Some(harness::ratios(harness, &root().join("target/rivals"), &python())?),
                    None => {
                        println!("{page} {table}: unchanged; hand-written C and JAX need --harness DIR");
                        None
                    }
                },
            };
            if let Some(measured) = measured {
                let block = format!("{}\n\n{}", measured.trim_end(), machine(load));
                text = replaced(&text, page, table, &block)?;
                fs::write(&file, &text).context(file.display())?;
            }
        }
    }
    Ok(())
}

fn page_file(page: &str) -> PathBuf {
    root().join("docs/benchmarks").join(format!("{page}.md"))
}

/// Returns the Python that has JAX.
fn python() -> String {
    std::env::var("MLOPT_PYTHON").unwrap_or_else(|_| "python3".into())
}

/// Returns the load of the last minute, from Linux.
fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0.0)
}

/// Describes the machine, the date and the commit in one line.
fn machine(load: f64) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpu.lines().find(|l| l.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_string())
    };
    let name = field("model name").unwrap_or_else(|| "unknown processor".into());
    let vectors = if field("flags").is_some_and(|f| f.contains("avx512f")) { " with AVX-512" } else { "" };
    let cores = cpu.lines().filter(|l| l.starts_with("processor")).count();
    let date = said("date", &["-u", "+%F"]);
    let commit = said("git", &["rev-parse", "--short", "HEAD"]);
    let state = if load > IDLE { format!("load {load}") } else { "otherwise idle".into() };
    format!("{name}{vectors}, {cores} cores, {state}; {date}, commit {commit}.")
}

fn said(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_string()).unwrap_or_default()
}

/// Replaces the block of one table in `text`.
fn replaced(text: &str, page: &str, table: &str, block: &str) -> Result<String, Error> {
    let open = format!("{OPEN}{page} {table} -->\n");
    let missing = format!("docs/benchmarks/{page}.md: expected `{}` … `{CLOSE}`", open.trim_end());
    let (before, rest) = text.split_once(&open).context(&missing)?;
    let (_, after) = rest.split_once(CLOSE).context(missing)?;
    Ok(format!("{before}{open}{}\n{CLOSE}{after}", block.trim_end()))
}

/// Runs one of our programs and returns its output.
fn output(program: &str, arguments: &[&str]) -> Result<String, Error> {
    let path = root().join("target/release").join(program);
    println!("$ {program} {}", arguments.join(" "));
    let output = Command::new(&path).args(arguments).current_dir(root()).output();
    let output = output.context(path.display())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let (status, errors) = (output.status, String::from_utf8_lossy(&output.stderr));
        return Err(Error::Program(format!("{program}: {status}\n{text}{errors}")));
    }
    Ok(text)
}

fn bench(page: &str, table: &str) -> Result<String, Error> {
    output("mlopt-bench", &[page, table])
}

/// Measures our programs, each compared with its reference.
fn ours() -> Result<String, Error> {
    let [medium, large] = ["medium", "large"].map(|size| output("mlopt", &["bench", "--size", size]));
    ours_table(&medium?, &large?)
}

/// Formats the two outputs of `mlopt bench` side by side.
fn ours_table(medium: &str, large: &str) -> Result<String, Error> {
    let rows = |text: &str| -> Vec<Vec<String>> {
        let lines = text.lines().skip(1).filter(|l| !l.trim().is_empty());
        lines.map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
    };
    let mut table = String::from(
        "| | medium: compiled in | a call | error | large: compiled in | a call | error |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (m, l) in std::iter::zip(rows(medium), rows(large)) {
        match (m.as_slice(), l.as_slice()) {
            ([name, c, t, e], [other, compile, time, error]) if name == other => {
                table += &format!("| {name} | {c} | {t} | {e} | {compile} | {time} | {error} |\n");
            }
            _ => {
                let found = format!("{m:?} and {l:?}");
                return Err(Error::Unexpected(format!("mlopt bench: expected lines of four columns, found {found}")));
            }
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the tables of a page, by the names in its lines.
    fn tables(page: &str) -> Vec<String> {
        let text = fs::read_to_string(page_file(page)).unwrap();
        assert_eq!(text.matches(OPEN).count(), text.matches(CLOSE).count(), "{page}: a block is not closed");
        let names = text.lines().filter_map(|l| l.strip_prefix(OPEN)?.strip_suffix(" -->"));
        names.map(str::to_string).collect()
    }

    #[test]
    fn every_table_is_measured_and_says_where_and_when() {
        for page in PAGES {
            let known: Vec<String> =
                TABLES.iter().filter(|t| t.0 == page).map(|(p, table, _)| format!("{p} {table}")).collect();
            let mut found = tables(page);
            found.sort_unstable_by_key(|name| known.iter().position(|k| k == name));
            assert_eq!(found, known, "docs/benchmarks/{page}.md");
            let text = fs::read_to_string(page_file(page)).unwrap();
            let blocks = text.split(OPEN).skip(1).map(|rest| rest.split(CLOSE).next().unwrap());
            // A table that has never been measured has only its first line.
            for block in blocks.filter(|block| block.lines().count() > 1) {
                let last = block.trim_end().lines().last().unwrap();
                assert!(last.contains(" cores, ") && last.contains("; 20"), "{page}: no machine and date in `{last}`");
            }
            // Measured tables are in blocks only.
            let outside = text.split(OPEN).map(|rest| rest.split_once(CLOSE).map_or(rest, |(_, prose)| prose));
            assert!(outside.skip(1).all(|prose| !prose.contains("\n|")), "{page}: a table outside of the blocks");
        }
    }

    #[test]
    fn a_block_is_replaced_and_nothing_else() {
        let text = "a\n<!-- rivals: cpu ours -->\nold\n<!-- end -->\nb\n";
        let new = replaced(text, "cpu", "ours", "| new |\n").unwrap();
        assert_eq!(new, "a\n<!-- rivals: cpu ours -->\n| new |\n<!-- end -->\nb\n");
        let problem = replaced(text, "cpu", "ratios", "").unwrap_err().to_string();
        assert!(problem.contains("expected `<!-- rivals: cpu ratios -->`"), "{problem}");
    }

    #[test]
    fn the_command_line_is_read() {
        assert_eq!(Request::of(&[]).unwrap(), Request::default());
        let request = Request::of(&["streams", "--harness", "/h"]).unwrap();
        assert!(request.wants("streams") && !request.wants("cpu") && request.harness == Some("/h".into()));
        assert!(Request::of(&["gpu"]).unwrap_err().to_string().contains("found `gpu`"));
        assert!(Request::of(&["--harness"]).is_err());
    }

    #[test]
    fn two_outputs_of_the_bench_stand_side_by_side() {
        let medium = "program compile call error\nbn_grad 1ms 2ms 1e-16\n";
        let table = ours_table(medium, "program compile call error\nbn_grad 3ms 4ms 0e0\n").unwrap();
        assert!(table.ends_with("| bn_grad | 1ms | 2ms | 1e-16 | 3ms | 4ms | 0e0 |\n"), "{table}");
        assert!(ours_table(medium, "program compile call error\ngmm_grad 3ms 4ms 0e0\n").is_err());
    }
}
