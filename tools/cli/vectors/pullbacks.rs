//! Cases of the pullback language (`spec/functional.md` C.8 to C.10), computed by two methods: reduction of terms, and
//! derivatives by J.
//!
//! Cases refer to functions that the text of the specification defines; they are repeated here.

use super::function_cases::{DERIVATIVES, TRANSFORM_ALONE, evaluated};
use super::functions::{Pullback, Row, Value, are_close};
use super::passes::{Diagnostics, through};
use super::{Error, compiled_functions, function, wrong};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::ir::{Attribute, Op};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::terms::read_one;
use mlopt_frontend::functions;
use mlopt_passes::functions::pullback_reduce::pullbacks::{Limits, Machine, Term, TermKind};
use std::collections::BTreeMap;

/// Checks a case: in the evaluator by both methods, or in code that `pipeline` compiles by J.
pub fn check(id: &str, case: &Pullback, pipeline: Option<&str>) -> Result<(), Error> {
    let by_j = |program: Program, name: &str, inputs: &[Value]| -> Result<Vec<f64>, Error> {
        match pipeline {
            Some(pipeline) => numbers(&compiled_functions::called(&program, pipeline, name, inputs)?),
            None => {
                through(&program, DERIVATIVES)?;
                numbers(&evaluated(&program, name, inputs)?)
            }
        }
    };
    let reduces = pipeline.is_none();
    // Messages name the method where there are two.
    let method = if reduces { " by J" } else { "" };
    match case {
        Pullback::Composition { term, points, evaluations, rtol } => {
            let chain = chain(term)?;
            for row in points {
                let text = module(&chain, &row.at);
                if reduces {
                    composition(id, &text, row, evaluations, *rtol)?;
                }
                let inputs = [point(row)];
                are_close("the value", &by_j(parsed(id, &text)?, "value", &inputs)?, &[row.value], *rtol)?;
                are_close("the row", &by_j(parsed(id, &text)?, "row", &inputs)?, &row.row, *rtol)?;
            }
        }
        Pullback::ChurchSum { list, sum, rows, rtol } => {
            if reduces {
                church_sum(id, list, *sum, rows, *rtol)?;
            }
            for (name, wanted) in rows {
                let found = by_j(row_of_fold(id, list, name)?, "f", &[tuple(list)])?;
                are_close(&format!("the row of {name}{method}"), &found, wanted, *rtol)?;
            }
        }
        Pullback::Twice { at, cube, sin_sq, rtol } => {
            for (body, wanted) in [("(* x (* x x))", *cube), ("(sin (* x x))", *sin_sq)] {
                for term in twice(body) {
                    if reduces {
                        let closed = typed(id, &format!("({term} {at:?})"))?;
                        are_close(body, &reduced(&closed, "f")?.0, &[wanted], *rtol)?;
                    }
                    let open = imported(id, &["f64"], &format!("(lam (s) ({term} s))"))?;
                    let found = by_j(open, "f", &[Value::Float(*at)])?;
                    are_close(&format!("{body}{method}"), &found, &[wanted], *rtol)?;
                }
            }
        }
    }
    Ok(())
}

//===-- compositions of primitives --------------------------------------------------------------------------------===//

/// A function that terms name: its input and result types.
struct Known {
    name: &'static str,
    input: &'static str,
    result: &'static str,
}

const PAIR: &str = "tuple<f64, f64>";

/// The functions of [`PRIMITIVES`].
const KNOWN: &[Known] = &[
    Known { name: "g", input: PAIR, result: PAIR },
    Known { name: "mul", input: PAIR, result: "f64" },
    Known { name: "pow2", input: "f64", result: "f64" },
];
const PRIMITIVES: &str = include_str!("primitives.mlir");
const MODULE: &str = include_str!("pullbacks.txt");

/// Returns the functions of a term `f(g(p))`, the innermost first.
fn chain(term: &str) -> Result<Vec<&'static Known>, Error> {
    let mut chain = Vec::new();
    let mut rest = term.trim();
    while let Some((name, inner)) = rest.split_once('(') {
        let found = KNOWN.iter().find(|k| k.name == name.trim());
        let unknown = || Error::Wrong(format!("the term `{term}` names `{name}`, which is not known"));
        chain.push(found.ok_or_else(unknown)?);
        let open = || Error::Wrong(format!("the term `{term}` is not closed"));
        rest = inner.strip_suffix(')').ok_or_else(open)?.trim();
    }
    chain.reverse();
    Ok(chain)
}

/// Returns a module with `@value` and `@row` of a point, and with `@value_there` and `@row_there` at `at`.
fn module(chain: &[&Known], at: &[f64]) -> String {
    let mut text = String::new();
    for Known { name, .. } in chain {
        let symbol = format!("@{name}(");
        text.extend(PRIMITIVES.split_inclusive("\n}\n").find(|f| f.contains(&symbol)));
    }
    let (from, last, result) = (chain[0].input, chain[chain.len() - 1], format!("%z{}", chain.len()));
    let calls: String = chain
        .iter()
        .enumerate()
        .map(|(k, f)| {
            let (input, result) = (f.input, f.result);
            let ty = format!("({input}) -> {result}");
            format!("    %f{k} = lambda.ref @{} : {ty}\n    %z{} = lambda.apply %f{k}(%z{k}) : {ty}\n", f.name, k + 1)
        })
        .collect();
    let point = match at {
        [x] => format!("  %p = arith.constant {x:?} : f64\n"),
        _ => {
            let each = |(k, x): (usize, &f64)| format!("  %x{k} = arith.constant {x:?} : f64\n");
            let names: Vec<String> = (0..at.len()).map(|k| format!("%x{k}")).collect();
            let types = vec!["f64"; at.len()].join(", ");
            let parts: String = at.iter().enumerate().map(each).collect();
            format!("{parts}  %p = lambda.tuple {} : ({types}) -> {from}\n", names.join(", "))
        }
    };
    let marks =
        [("$calls", &*calls), ("$point", &*point), ("$result", &*result), ("$from", from), ("$to", last.result)];
    text + &marks.iter().fold(MODULE.to_string(), |text, (mark, part)| text.replace(mark, part))
}

/// Checks a composition by reduction, and the calls of primitives after the J transform alone.
fn composition(id: &str, text: &str, row: &Row, evaluations: &BTreeMap<String, usize>, rtol: f64) -> Result<(), Error> {
    let program = parsed(id, text)?;
    let (value, _) = reduced(&program, "value_there")?;
    are_close("the value", &value, &[row.value], rtol)?;
    let (found, counts) = reduced(&program, "row_there")?;
    are_close("the row", &found, &row.row, rtol)?;
    for (name, wanted) in evaluations {
        let found = counts.get(name).copied().unwrap_or(0);
        if found != *wanted {
            return wrong(format!("`{name}` is evaluated {found} times in the reduction, expected {wanted}"));
        }
    }
    let program = parsed(id, text)?;
    through(&program, TRANSFORM_ALONE)?;
    let inputs = [point(row)];
    are_close("the value", &numbers(&evaluated(&program, "value", &inputs)?)?, &[row.value], rtol)?;
    are_close("the row", &numbers(&evaluated(&program, "row", &inputs)?)?, &row.row, rtol)?;
    let row = function(program.module(), "row")?;
    evaluations.iter().try_for_each(|(name, wanted)| is_called(row, name, *wanted))
}

/// Returns the argument of a composition.
fn point(row: &Row) -> Value {
    match row.at[..] {
        [x] => Value::Float(x),
        _ => tuple(&row.at),
    }
}

fn tuple(numbers: &[f64]) -> Value {
    Value::Tuple(numbers.iter().map(|x| Value::Float(*x)).collect())
}

/// Checks that straight-line code calls a primitive, or its image under J, `wanted` times.
fn is_called(function: Op, name: &str, wanted: usize) -> Result<(), Error> {
    let image = format!("{name}.J");
    let ops = function.nested_ops();
    let symbol = |op: &Op| op.attribute("callee").and_then(Attribute::as_symbol);
    let names = |op: &Op| symbol(op).is_some_and(|s| s == name || s == image);
    let mut calls: Vec<Op> = Vec::new();
    for reference in ops.iter().filter(|op| op.kind() == Kind::LambdaRef && names(op)) {
        calls.extend(
            reference.result(0).uses().into_iter().map(|(op, _)| op).filter(|op| op.kind() == Kind::LambdaApply),
        );
    }
    // A function with a single use is called at most once, and one without uses never.
    let uses = |op: &Op| {
        let around = std::iter::successors(op.parent_op(), |op| op.parent_op());
        around.filter(|op| op.kind() == Kind::LambdaLambda).map(|op| op.result(0).uses().len()).collect::<Vec<_>>()
    };
    calls.retain(|op| !uses(op).contains(&0));
    if let Some(n) = calls.iter().flat_map(uses).find(|n| *n > 1) {
        return wrong(format!("`{name}` is called in a function that is used {n} times"));
    }
    match calls.len() {
        n if n == wanted => Ok(()),
        n => wrong(format!("`{name}` is called {n} times after {TRANSFORM_ALONE}, expected {wanted}")),
    }
}

//===-- lists as functions ----------------------------------------------------------------------------------------===//

/// Returns the step of a fold, and its initial value.
fn fold(name: &str) -> Result<(&'static str, &'static str), Error> {
    Ok(match name {
        "sum" => ("(lam (x) (lam (y) (+ x y)))", "0.0"),
        "sum_of_squares" => ("(lam (x) (lam (y) (+ (* x x) y)))", "0.0"),
        "product" => ("(lam (x) (lam (y) (* x y)))", "1.0"),
        _ => return wrong(format!("the fold `{name}` is not known")),
    })
}

/// Returns `\f.\d. f x1 (f x2 (.. (f xn d)))`.
fn church(elements: impl DoubleEndedIterator<Item = String>) -> String {
    let body = elements.rev().fold("d".to_string(), |rest, x| format!("((f {x}) {rest})"));
    format!("(the func<[func<[f64]->func<[f64]->f64>>]->func<[f64]->f64>> (lam (f) (lam (d) {body})))")
}

/// Checks the sum of a list, and the rows of folds, by reduction.
fn church_sum(id: &str, list: &[f64], sum: f64, rows: &BTreeMap<String, Vec<f64>>, rtol: f64) -> Result<(), Error> {
    let (add, zero) = fold("sum")?;
    let literal = church(list.iter().map(|x| format!("{x:?}")));
    let value = typed(id, &format!("(({literal} {add}) {zero})"))?;
    are_close("the sum", &reduced(&value, "f")?.0, &[sum], rtol)?;
    // The functional at the list itself shows where the list is evaluated.
    let form = "(lam (y) (covector 1.0))";
    let covector = typed(id, &format!("((pullback (l) ((l {add}) {zero}) {form}) {literal})"))?;
    let (value, machine) = reduction(&covector, "f")?;
    let normal = machine.text(&value);
    if normal != COVECTOR_OF_SUM {
        return wrong(format!("expected the covector {COVECTOR_OF_SUM}, found {normal}"));
    }
    for (name, wanted) in rows {
        let (step, start) = fold(name)?;
        let pulled = pulled_fold(list, step, start);
        let point = format!("(tuple {})", list.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" "));
        let closed = typed(id, &format!("({pulled} {point})"))?;
        are_close(&format!("the row of {name}"), &reduced(&closed, "f")?.0, wanted, rtol)?;
    }
    Ok(())
}

/// Returns the pullback along the function that folds a list of this length.
fn pulled_fold(list: &[f64], step: &str, start: &str) -> String {
    let built = church((0..list.len()).map(|k| format!("(get {k} q)")));
    format!("(pullback (q) (let ((l {built})) ((l {step}) {start})) (lam (y) (covector 1.0)))")
}

/// Returns the row of a fold as a function of the numbers in the list.
fn row_of_fold(id: &str, list: &[f64], name: &str) -> Result<Program, Error> {
    let (step, start) = fold(name)?;
    let ty = format!("tuple<{}>", vec!["f64"; list.len()].join(","));
    imported(id, &[&ty], &format!("(lam (q) ({} q))", pulled_fold(list, step, start)))
}

/// The list is evaluated at (add, 0), with weight 1.
const COVECTOR_OF_SUM: &str = r"[(\x.\y.x + y) |> [0 |> 1]]";

//===-- pullbacks of pullbacks ------------------------------------------------------------------------------------===//

/// Returns the second derivative of `body`, a function of `x`: as a functional on functionals, and as that of the
/// number that the first one is.
fn twice(body: &str) -> [String; 2] {
    let first = format!("((pullback (x) {body} (lam (y) (covector 1.0))) s)");
    let of_functional = format!("(pullback (s) {first} (lam (y) (covector (covector 1.0))))");
    let of_number = format!("(pullback (s) (pair-with {first} 1.0) (lam (y) (covector 1.0)))");
    [of_functional, of_number]
}

//===-- shared ----------------------------------------------------------------------------------------------------===//

fn parsed(id: &str, text: &str) -> Result<Program, Error> {
    Program::parse(text.as_bytes(), id).map_err(|_| Error::Invalid("the program of the case"))
}

fn imported(id: &str, types: &[&str], term: &str) -> Result<Program, Error> {
    let types: Vec<String> = types.iter().map(|t| t.to_string()).collect();
    let program = functions::import(id, "f", &types, &read_one(term)?)?;
    program.verified().map_err(|_| Error::Invalid("the program of the case"))
}

/// Returns the program of a term without parameters, with its types.
fn typed(id: &str, term: &str) -> Result<Program, Error> {
    let program = imported(id, &[], &format!("(lam () {term})"))?;
    through(&program, "builtin.module(lambda-specialise)")?;
    Ok(program)
}

/// Returns the value of a function without arguments by reduction, and the number of evaluations of each primitive.
fn reduced(program: &Program, name: &str) -> Result<(Vec<f64>, BTreeMap<String, usize>), Error> {
    let (value, machine) = reduction(program, name)?;
    let mut found = Vec::new();
    let other = || Error::Wrong(format!("expected numbers, found {}", machine.text(&value)));
    leaves(&value, &mut found).ok_or_else(other)?;
    Ok((found, machine.evaluations.clone()))
}

/// Returns the value of a function without arguments by reduction, and the machine that reduced it.
fn reduction(program: &Program, name: &str) -> Result<(Term, Machine), Error> {
    let module = program.module();
    let (function, mut machine) = (function(module, name)?, Machine::new(module, Limits::default()));
    let (value, said) = captured(module.context(), || machine.read(function).and_then(|term| machine.eval(&term)));
    Ok((value.map_err(|_| Diagnostics(said))?, machine))
}

fn leaves(term: &Term, out: &mut Vec<f64>) -> Option<()> {
    match &term.kind {
        TermKind::Zero => out.push(0.0),
        TermKind::Number(x) => out.extend(x.to_f64()),
        TermKind::Tuple(parts) => parts.iter().try_for_each(|p| leaves(p, out))?,
        _ => return None,
    }
    Some(())
}

fn numbers(value: &Value) -> Result<Vec<f64>, Error> {
    match value {
        Value::Float(x) => Ok(vec![*x]),
        Value::Tuple(parts) => {
            Ok(parts.iter().map(numbers).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        }
        other => wrong(format!("expected numbers, found {other:?}")),
    }
}
