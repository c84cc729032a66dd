//! Tests of every row of the tables in docs/derivatives.md, in both modes, interpreted and compiled, for scalars and
//! arrays.

use mlopt_cases::Checked;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::{default_pipeline, pipeline_without};
use mlopt_lowering::register_passes;
use mlopt_runtime::code::Compiled;
use std::collections::BTreeMap;

const PAGE: &str = include_str!("../../../docs/derivatives.md");

/// The length of arrays: more than the widest vector register, and not a multiple of its lanes.
const LENGTH: usize = 19;

/// The derivatives of a function at some points, as rows of numbers: operands, and derivatives with respect to them.
#[derive(Default)]
struct Function {
    points: Vec<Vec<f64>>,
    derivatives: Vec<Vec<f64>>,
}

impl Function {
    fn arity(&self) -> usize {
        self.points[0].len()
    }
}

#[test]
fn every_row_of_the_page_holds() {
    register_passes();
    let functions = functions();
    let rows: usize = functions.values().map(|f| f.points.len()).sum();
    assert!(rows > 40, "only {rows} rows were read");
    let mut wrong = vec![];
    for (name, function) in &functions {
        for element in [Element::F64, Element::F32] {
            wrong.extend(wrong_rows(name, function, element));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the tables of the page, by operation or function.
fn functions() -> BTreeMap<String, Function> {
    let mut functions = BTreeMap::<String, Function>::new();
    for row in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let numbers = |cell: &str| cell.split(',').map(|x| x.trim().parse().expect(row)).collect::<Vec<f64>>();
        let function = functions.entry(cells[1].trim_matches('`').to_string()).or_default();
        function.points.push(numbers(cells[2]));
        function.derivatives.push(numbers(cells[3]));
    }
    functions
}

type Call<'a> = dyn Fn(&str, &[Array]) -> Checked<Vec<Array>> + 'a;

/// Returns the rows that do not hold for a function on numbers of this type.
fn wrong_rows(name: &str, function: &Function, element: Element) -> Vec<String> {
    let text = program(name, function.arity(), element);
    let target = Target::host().unwrap();
    let plain = after(&text, "builtin.module(differentiate)", &target);
    let plain = plain.module();
    let compiled = |pipeline: String| Compiled::new(after(&text, &pipeline, &target).module(), &target).unwrap();
    let (optimised, simple) = (compiled(default_pipeline()), compiled(pipeline_without("egg-optimize")));
    let call =
        |code: &Compiled, entry: &str, x: &[Array]| -> Checked<Vec<Array>> { Ok(code.function(entry)?.call(x)?) };
    let ways: [(&str, &Call); 3] = [
        ("interpreted", &|entry, x| Ok(Evaluator::new(plain).call(entry, x)?)),
        ("compiled", &|entry, x| call(&optimised, entry, x)),
        ("compiled without egg-optimize", &|entry, x| call(&simple, entry, x)),
    ];
    let each: Vec<usize> = (0..function.points.len()).collect();
    let all: Vec<usize> = (0..LENGTH).map(|i| i % each.len()).collect();
    let mut wrong = vec![];
    for (way, call) in ways {
        for mode in modes(function.arity()) {
            let one = each.chunks(1).map(|point| (format!("number_{mode}"), point));
            let many = ["known", "open"].map(|length| (format!("{length}_{mode}"), &all[..]));
            for (entry, points) in one.chain(many) {
                let place = format!("{name}, {}, {way}, @{entry}", element.name());
                wrong.extend(
                    differences(function, element, call, &entry, points).iter().map(|d| format!("{place}: {d}")),
                );
            }
        }
    }
    wrong
}

/// Describes the differences between the derivatives of an entry at these points and the page.
fn differences(function: &Function, element: Element, call: &Call, entry: &str, points: &[usize]) -> Vec<String> {
    let shape: &[usize] = if entry.starts_with("number") { &[] } else { &[LENGTH] };
    let operand = |k: usize| array(element, shape, points.iter().map(|&p| function.points[p][k]));
    let mut arguments: Vec<Array> = (0..function.arity()).map(operand).collect();
    arguments.push(array(element, shape, points.iter().map(|_| 1.0)));
    let results = match call(entry, &arguments) {
        Ok(results) => results,
        Err(problem) => return vec![problem.to_string()],
    };
    let first = if entry.ends_with("forward1") { 1 } else { 0 };
    let mut found = vec![];
    for (k, result) in results.iter().enumerate() {
        for (&p, got) in points.iter().zip(result.to_f64()) {
            let (x, want) = (&function.points[p], function.derivatives[p][first + k]);
            if !agree(want, got, element) {
                found.push(format!("at {x:?} by operand {}: {got}, expected {want}", first + k));
            }
        }
    }
    found.dedup();
    found
}

/// Returns the modes: forward with respect to each operand, and reverse with respect to all.
fn modes(arity: usize) -> Vec<&'static str> {
    [&["forward0", "forward1"][..arity], &["reverse"]].concat()
}

/// The parts of programs, each after a line `=== NAME`. The text between `«` and `»` is repeated for each operand `#`;
/// the repetitions are separated by commas if they are in one line.
const PARTS: &str = include_str!("special_points.txt");

/// Returns the function `@number`; `@known` and `@open`, which apply it to each element of arrays; and the derivatives
/// of the three.
fn program(name: &str, arity: usize, element: Element) -> String {
    let scalar = element.name();
    let part = |name: &str, values: &[(&str, &str)]| {
        let part = PARTS.split("=== ").find_map(|text| text.strip_prefix(name)?.strip_prefix('\n'));
        let mut text = String::new();
        for piece in part.expect("a part of this name").split('«') {
            let Some((form, rest)) = piece.split_once('»') else {
                text += piece;
                continue;
            };
            let operands: Vec<String> = ["x", "y"][..arity].iter().map(|x| form.replace('#', x)).collect();
            text += &operands.join(if form.ends_with('\n') { "" } else { ", " });
            text += rest;
        }
        values.iter().fold(text, |text, (mark, value)| text.replace(mark, value)).replace("$scalar", scalar)
    };
    let mut text = match name.strip_prefix('@') {
        Some(name) => block().replace("f64", scalar).replace(&format!("@{name}("), "@number("),
        None => part("number", &[("$op", name)]),
    };
    let (known, open) = (format!("tensor<{LENGTH}x{scalar}>"), format!("tensor<?x{scalar}>"));
    let (known, open, count) = (known.as_str(), open.as_str(), LENGTH.to_string());
    text += &part("known", &[("$array", known), ("$count", count.as_str())]);
    text += &part("open", &[("$array", open)]);
    for (function, ty) in [("number", scalar), ("known", known), ("open", open)] {
        for mode in modes(arity) {
            let values = [("$function", function), ("$type", ty), ("$input", mode.trim_start_matches("forward"))];
            text += &part(if mode == "reverse" { "reverse" } else { "forward" }, &values);
        }
    }
    text
}

/// Returns the program of the page.
fn block() -> &'static str {
    let (_, rest) = PAGE.split_once("```mlir functions.mlir\n").expect("the page has a program");
    rest.split_once("```").expect("the program ends").0
}

fn after(text: &str, pipeline: &str, target: &Target) -> Program {
    let module = Program::parse(text.as_bytes(), "derivatives.mlir").unwrap();
    target.describe(module.module());
    module.run_pipeline(pipeline).unwrap_or_else(|_| panic!("{pipeline} rejects\n{text}"));
    module
}

fn array(element: Element, shape: &[usize], x: impl Iterator<Item = f64>) -> Array {
    Array::new(shape.to_vec(), Data::of_f64(element, x))
}

/// Compares two numbers; zeros of both signs are equal.
fn agree(want: f64, got: f64, element: Element) -> bool {
    let bound = if element == Element::F32 { 1e-6 } else { 1e-14 };
    want == got || (want.is_nan() && got.is_nan()) || (want - got).abs() <= bound * want.abs()
}
