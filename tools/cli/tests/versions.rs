//! Tests of functions that Rust calls with data of several types: which versions are compiled, which one is selected,
//! and whether the results agree with the evaluator. The cases are in `test/lambda/versions.txt`.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::Context;
use mlopt_dialects::lambda::eval::{Evaluator, Value};
use mlopt_dialects::text::Span;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_frontend::functions::{Request, import_text, types};
use mlopt_functions::abstracts::Abstract;
use mlopt_functions::versions::{Entry, LAWS_OF_ARRAYS, Versions, in_file, pipeline};
use mlopt_runtime::failure::Failure;
use mlopt_runtime::values;

const CASES: &str = include_str!("../../../test/lambda/versions.txt");

fn said(failure: Failure) -> String {
    match failure {
        Failure::Reported => panic!("it was printed"),
        Failure::Error { place, text } => format!("{place}: {text}"),
    }
}

/// Returns the result of the evaluator for arguments of types `x: T; y: T`.
fn evaluated(text: &str, types: &str, arguments: &[Value]) -> String {
    let pair = |text: &str| {
        let (name, ty) = text.split_once(": ").expect("NAME: TYPE");
        (name.to_string(), types::read(ty, Span::START).expect("a type"))
    };
    let types = types.split("; ").map(pair).collect();
    let program = import_text("f.lambda", text, &Request { entry: Some("main".into()), types }).unwrap();
    let program = program.verified().unwrap();
    program.run_pipeline("builtin.module(lambda-specialise)").unwrap();
    Evaluator::new(program.module()).call("main", arguments).unwrap_or_else(|e| panic!("{e}")).to_string()
}

/// Parses an argument.
fn value(word: &str, context: Context) -> Value {
    if let Some((text, ty)) = word.split_once("::") {
        let ty = context.parse_type(ty).unwrap_or_else(|| panic!("{word} has no type"));
        return values::parse(text, ty).unwrap_or_else(|e| panic!("{word}: {e}"));
    }
    let (kind, sizes) = word.split_at(1);
    let shape: Vec<usize> = sizes.split('x').map(|n| n.parse().expect(word)).collect();
    let first = if kind == "v" { 0.5 } else { -1.5 };
    let numbers = (0..shape.iter().product::<usize>()).map(|k| k as f64 + first).collect();
    Value::array(Array::new(shape, Data::F64(numbers)))
}

/// Checks whether a text is that of a pattern, in which `…` is any text.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    let mut parts = pattern.split('…').enumerate();
    let all = parts.all(|(k, part)| match rest.find(part) {
        Some(at) if at == 0 || k > 0 => {
            rest = &rest[at + part.len()..];
            true
        }
        _ => false,
    });
    all && (rest.is_empty() || pattern.ends_with('…'))
}

/// Formats a version: `tensor<3xf64>, i64 x2`.
fn version(Entry { types, is_joined, calls }: &Entry) -> String {
    let types: Vec<String> = types.iter().map(ToString::to_string).collect();
    format!("{} x{calls}{}", types.join(", "), if *is_joined { ", joined" } else { "" })
}

/// Runs one line of a case.
fn run(line: &str, text: &str, f: &mut Versions, context: Context) {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let read = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        let named = words.first().filter(|word| word.starts_with('@'));
        let arguments = words[usize::from(named.is_some())..].iter().map(|word| value(word, context));
        (named.unwrap_or(&"main").to_string(), arguments.collect::<Vec<Value>>())
    };
    let mut call = |words: &str| {
        let (name, arguments) = read(words);
        (f.call(&name, &arguments).map(|value| value.to_string()).map_err(said), arguments)
    };
    let (words, types) = rest.split_once(" as ").unwrap_or((rest, ""));
    let mut agree = |words: &str| {
        let (found, arguments) = call(words);
        let found = found.unwrap_or_else(|e| panic!("{text}: {line}: {e}"));
        assert!(types.is_empty() || found == evaluated(text, types, &arguments), "{text}: {line}: {found}");
    };
    match command {
        "call" => match rest.split_once(" = ") {
            Some((words, wanted)) => {
                let (found, arguments) = call(words);
                assert_eq!(found, Ok(wanted.replace("$0", &arguments[0].to_string())), "{text}: {line}");
            }
            None => agree(words),
        },
        "each" => words.split(' ').for_each(agree),
        "times" => {
            let (count, words) = rest.split_once(' ').expect("NUMBER ARGUMENTS");
            (0..count.parse::<usize>().expect("a number")).for_each(|_| agree(words));
        }
        "fails" => {
            let (words, message) = rest.split_once(" ! ").expect("ARGUMENTS ! MESSAGE");
            let error = call(words).0.expect_err("it should be refused");
            assert!(is_like(&error, message), "{text}: {line}: {error}");
        }
        "made" => {
            let report = f.report();
            let found: Vec<String> = report.iter().flat_map(|function| &function.versions).map(version).collect();
            assert!(report.len() <= 1 && found.join("; ") == rest, "{text}: {line}: {found:?}");
        }
        "versions" => assert_eq!(f.report()[0].versions.len().to_string(), rest, "{text}"),
        "refused" => {
            let report = f.report();
            let [refused] = &report[0].refused[..] else { panic!("{text}: {:?}", report[0].refused) };
            assert!(is_like(&refused.why, rest), "{text}: {}", refused.why);
        }
        _ => panic!("unknown command: {line}"),
    }
}

#[test]
fn versions_are_those_of_the_cases() {
    mlopt_lowering::register_passes();
    let types = Program::parse(b"module {}", "types").unwrap();
    let text: String = CASES.lines().filter(|line| !line.starts_with(";;")).flat_map(|line| [line, "\n"]).collect();
    let cases: Vec<&str> = text.split("=== ").skip(1).collect();
    assert!(cases.len() > 15, "{} cases", cases.len());
    for case in cases {
        let (title, case) = case.split_once('\n').expect("a program follows");
        println!("{title}");
        let (programs, calls) = case.split_once("\n> ").expect("calls follow");
        for program in programs.trim_end().split("\n\n") {
            let mut f = Versions::of_notation("f.lambda", program).unwrap_or_else(|e| panic!("{}", said(e)));
            if let Some(exact) = title.strip_suffix(" exact").and_then(|t| t.rsplit(' ').next()?.parse().ok()) {
                f = f.with_most_exact(exact);
            }
            calls.trim_end().split("\n> ").for_each(|line| run(line, program, &mut f, types.module().context()));
        }
    }
}

#[test]
fn errors_of_programs_have_places() {
    let failed = |text: &str| said(Versions::of_notation("g.lambda", text).err().expect("it is wrong"));
    assert!(failed("(def main (x) (+ x").starts_with("g.lambda:1:"));
    assert!(failed("(def main (x) (foo x))").contains("unknown function or form `foo`"));
    let message = said(Versions::of_mlir("g.mlir", "func.func @f() {\n  bar\n}").err().expect("it is wrong"));
    assert!(message.contains(":2:3: "), "{message}");
}

#[test]
fn functions_of_mlir() {
    let text = "func.func private @twice(%x: !lambda.any) -> !lambda.any {
      %y = lambda.prim \"+\"(%x, %x) : (!lambda.any, !lambda.any) -> !lambda.any
      return %y : !lambda.any
    }
    func.func @both(%x: f64) -> (f64, f64) {
      return %x, %x : f64, f64
    }";
    let mut module = Versions::of_mlir("f.mlir", text).unwrap_or_else(|e| panic!("{}", said(e)));
    assert_eq!(module.call("@twice", &[Value::vector(&[0.5, 1.5])]).unwrap().to_string(), "[1.0, 3.0]");
    assert_eq!(module.call("both", &[Value::f64(1.0)]).unwrap().to_string(), "(1.0, 1.0)");
    assert_eq!(module.report().len(), 2);
}

#[test]
fn places_are_files_lines_and_columns() {
    assert_eq!(in_file("loc(\"f.lambda\":1:2)"), "f.lambda:1:2");
    assert_eq!(in_file("loc(\"x\"(\"f.lambda\":1:2))"), "f.lambda:1:2");
    assert_eq!(in_file("loc(unknown)"), "loc(unknown)");
}

#[test]
fn laws_of_arrays_are_for_known_sizes() {
    let [exact, open] = [Some(3), None].map(|n| pipeline(&[Abstract::Array(Element::F64, vec![n])]).to_string());
    let laws = format!("func.func({LAWS_OF_ARRAYS}),");
    assert!(exact.contains(&laws) && !open.contains(&laws), "{exact}");
    assert!(!exact.contains("lambda-specialise"), "{exact}");
}
