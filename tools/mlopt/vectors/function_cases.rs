//! Functional programs under the reference evaluator: as they are imported, and after derivatives have been expanded.

use super::functions::{Case, Kind, Outcome, Point, Program as Term, Rng, Structure, Value};
use super::{pullbacks, structures};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::lambda::eval::{self, Evaluator};
use mlopt_dialects::lambda::{philox, types};
use mlopt_dialects::ops::{HasKind, Kind as OpKind};
use mlopt_dialects::value::{Array, Data, Element};

/// Types, then derivatives of programs that are small, then what is left of them.
pub const DERIVATIVES: &str = "builtin.module(lambda-specialise,lambda-simplify,j-transform,lambda-simplify)";

/// And then without functions that are values.
const FIRST_ORDER: &str =
    "builtin.module(lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert)";

/// The same without anything that makes programs small: there are more functions to convert.
const CONVERTED_ALONE: &str = "builtin.module(lambda-specialise,j-transform,closure-convert)";

/// The same without anything that makes programs small: the transform alone must be right too.
pub const TRANSFORM_ALONE: &str = "builtin.module(lambda-specialise,j-transform)";

/// Checks a case under the evaluator.
pub fn evaluate(case: &Case) -> Outcome {
    let checked = match &case.kind {
        Kind::Run { program, points, rtol, structure } => run(&case.id, program, points, *rtol, structure),
        Kind::Error { program, code } => refused(&case.id, program, code, DERIVATIVES),
        Kind::Message { program, inputs, out } => message(&case.id, program, inputs, out),
        Kind::Rng { cases, rtol } => cases.iter().try_for_each(|c| random(c, *rtol)),
        Kind::Pullback(pullback) => pullbacks::check(&case.id, pullback),
        Kind::Attributes { size, rows } => structures::check(&case.id, *size, rows),
    };
    match checked {
        Ok(()) => Outcome::Passed,
        Err(text) => Outcome::Failed(text),
    }
}

pub fn parse(id: &str, term: &Term) -> Result<Program, String> {
    let text = term.import(id).map_err(|e| e.to_string())?;
    Program::parse(text.as_bytes(), id).map_err(|_| "the imported program is not valid".to_string())
}

fn run(id: &str, term: &Term, points: &[Point], rtol: f64, structure: &Structure) -> Result<(), String> {
    let open = parse(id, term)?;
    agrees(&open, points, rtol)?;
    let after = |pipeline: &str| {
        let program = parse(id, term)?;
        let (ran, said) = captured(program.module().context(), || program.run_pipeline(pipeline));
        ran.map_err(|_| said.join("; "))?;
        agrees(&program, points, rtol).map_err(|text| format!("after {pipeline}: {text}"))?;
        Ok::<_, String>(program)
    };
    // A function that is a parameter where it is differentiated is known once calls are written out, not before.
    for pipeline in [TRANSFORM_ALONE, CONVERTED_ALONE] {
        match after(pipeline) {
            Err(text) if text.contains("unknown-function-value") => {}
            other => drop(other?),
        }
    }
    after(FIRST_ORDER)?;
    let small = after(DERIVATIVES)?;
    is_built_like(small.module(), structure)
}

fn agrees(program: &Program, points: &[Point], rtol: f64) -> Result<(), String> {
    for point in points {
        let found = called(program, &point.inputs).map_err(|e| e.to_string())?;
        let found = read(&found)?;
        if let Some(text) = found.difference(&point.out, rtol) {
            return Err(text);
        }
    }
    Ok(())
}

/// What `@f` gives.
fn called(program: &Program, inputs: &[Value]) -> Result<eval::Value, eval::Error> {
    call(program, "f", inputs)
}

/// What a function gives, as the file has values.
pub fn evaluated(program: &Program, name: &str, inputs: &[Value]) -> Result<Value, String> {
    read(&call(program, name, inputs).map_err(|e| e.to_string())?)
}

fn call(program: &Program, name: &str, inputs: &[Value]) -> Result<eval::Value, eval::Error> {
    let module = program.module();
    let function = module.lookup(name).expect("the function");
    let (types, _) = function.function_type().expect("a function has a type");
    let arguments: Vec<eval::Value> = inputs.iter().zip(types).map(|(v, t)| write(v, t)).collect();
    Evaluator::new(module).call(name, &arguments)
}

pub fn refused(id: &str, term: &Term, code: &str, pipeline: &str) -> Result<(), String> {
    let text = match term.import(id) {
        Err(problem) if problem.to_string().contains(code) => return Ok(()),
        Err(problem) => return Err(format!("expected {code}, found {problem}")),
        Ok(text) => text,
    };
    // Verification speaks before there is a context to listen to.
    let Ok(program) = Program::parse(text.as_bytes(), id) else { return verified(&text, code) };
    let (ran, said) = captured(program.module().context(), || program.run_pipeline(pipeline));
    match ran {
        Err(_) if said.first().is_some_and(|s| s.contains(code)) => Ok(()),
        Err(_) => Err(format!("expected {code}, found {}", said.join("; "))),
        Ok(()) => Err(format!("expected {code}, but the program is accepted")),
    }
}

/// A program that is not valid says why.
fn verified(text: &str, code: &str) -> Result<(), String> {
    let program = Program::parse(b"module {}", "empty").map_err(|_| "no context".to_string())?;
    let context = program.module().context();
    let (parsed, said) = captured(context, || context.parses(text));
    match parsed {
        false if said.iter().any(|s| s.contains(code)) => Ok(()),
        _ => Err(format!("expected {code}, found {}", said.join("; "))),
    }
}

fn message(id: &str, term: &Term, inputs: &[Value], out: &Result<Value, String>) -> Result<(), String> {
    for pipeline in ["", "lambda-specialise", "lambda-specialise,closure-convert"] {
        let program = parse(id, term)?;
        let run = || program.run_pipeline(&format!("builtin.module({pipeline})"));
        let (ran, said) = captured(program.module().context(), run);
        ran.map_err(|_| said.join("; "))?;
        match (called(&program, inputs), out) {
            (Ok(found), Ok(wanted)) => match read(&found)?.difference(wanted, 0.0) {
                Some(text) => return Err(text),
                None => continue,
            },
            (Err(found), Err(code)) if found.code == code => continue,
            (Err(found), _) => return Err(found.to_string()),
            (Ok(_), Err(code)) => return Err(format!("expected {code}, but the program ends")),
        }
    }
    Ok(())
}

fn random(case: &Rng, rtol: f64) -> Result<(), String> {
    let same = |what: &str, found: &[f64], wanted: &[f64]| {
        let close = |(f, w): (&f64, &f64)| (f - w).abs() <= rtol * w.abs().max(1.0);
        let fine = found.len() == wanted.len() && found.iter().zip(wanted).all(close);
        if fine { Ok(()) } else { Err(format!("{what} of seed {}: expected {wanted:?}, found {found:?}", case.seed)) }
    };
    for (block, wanted) in case.blocks.iter().enumerate() {
        let found: Vec<f64> = philox::words(case.seed as u64, 0, block as u64).map(f64::from).to_vec();
        same("words", &found, &wanted.iter().map(|w| *w as f64).collect::<Vec<_>>())?;
    }
    let state = philox::State::new(case.seed as u64);
    let (four, next) = state.uniform(4);
    same("uniform numbers", &four, &case.uniform4)?;
    let (three, after) = next.uniform(3);
    same("uniform numbers", &three, &case.then_uniform3)?;
    // A draw ends with a whole block: so many blocks later the same numbers come.
    let (_, skipped) = next.uniform(2 * case.blocks_used_by_uniform3);
    same("the numbers after", &after.uniform(2).0, &skipped.uniform(2).0)?;
    same("normal numbers", &state.normal(4).0, &case.normal4)
}

/// What is asked of a program after optimisation.
fn is_built_like(module: Op, structure: &Structure) -> Result<(), String> {
    let function = module.lookup("f").expect("the function");
    let ops = function.nested_ops();
    let loops = ops.iter().filter(|op| matches!(op.kind(), OpKind::LambdaFor | OpKind::LambdaWhile)).count();
    let calls = [
        OpKind::LambdaApply.name(),
        OpKind::LambdaLambda.name(),
        OpKind::LambdaLetrec.name(),
        OpKind::LambdaRef.name(),
        OpKind::FuncCall.name(),
    ];
    let has = |names: &[&str]| ops.iter().any(|op| names.contains(&op.name()));
    if structure.no_loop && loops > 0 {
        return Err(format!("expected no loop, found {loops}"));
    }
    if structure.max_loops.is_some_and(|most| loops > most) || structure.forward_loop_removed && loops > 1 {
        return Err(format!("expected fewer loops, found {loops}"));
    }
    if structure.no_call && has(&calls) {
        return Err("expected no call and no function, found one".into());
    }
    if structure.stack_free && has(&[OpKind::LambdaCons.name(), OpKind::LambdaHead.name()]) {
        return Err("expected that nothing is kept, found a list".into());
    }
    if let Some(wanted) = structure.returns_constant {
        let end = function.body().and_then(|b| b.terminator()).expect("a function with an end");
        let made = end.operand(0).defining_op().map(|d| d.0);
        let found = made.and_then(|op| match op.kind() {
            OpKind::ArithConstant => op.attribute("value").and_then(|a| a.as_f64()),
            OpKind::DualZero => Some(0.0),
            _ => None,
        });
        if found != Some(wanted) {
            return Err(format!("expected the constant {wanted}, found {found:?}"));
        }
    }
    Ok(())
}

/// A value as the evaluator takes it; fields stand in the order of the type.
pub fn write(value: &Value, ty: Type) -> eval::Value {
    match (value, types::Kind::of(ty)) {
        (Value::Float(x), _) if ty.element() == Some(Element::F32) => {
            eval::Value::array(Array::new(vec![], Data::F32(vec![*x as f32])))
        }
        (Value::Float(x), _) => eval::Value::f64(*x),
        (Value::Int(n), _) => eval::Value::i64(*n),
        (Value::Bool(b), _) => eval::Value::bool(*b),
        (Value::Array { shape, numbers }, _) => {
            eval::Value::array(Array::new(shape.clone(), Data::F64(numbers.clone())))
        }
        (Value::Tuple(parts), _) => {
            let types = ty.parts();
            eval::Value::tuple(parts.iter().zip(types).map(|(v, t)| write(v, t)).collect())
        }
        (Value::List(values), types::Kind::List(element)) => {
            eval::Value::list(values.iter().map(|v| write(v, element)).collect())
        }
        (Value::Record(_, given), types::Kind::Record(name, fields)) => {
            let of = |field: &str| given.iter().find(|g| g.0 == field).expect("a value for each field");
            let fields = fields.iter().map(|(f, t)| (f.as_str(), write(&of(f).1, *t))).collect();
            eval::Value::record(&name, fields)
        }
        (value, kind) => unreachable!("the value {value:?} for an input that is {kind:?}"),
    }
}

/// A value as the file has them.
pub fn read(value: &eval::Value) -> Result<Value, String> {
    let all = |values: &[eval::Value]| values.iter().map(read).collect::<Result<Vec<_>, _>>();
    if let Some(array) = value.as_array() {
        let shape = array.shape().to_vec();
        return Ok(match array.data() {
            Data::F64(v) if shape.is_empty() => Value::Float(v[0]),
            Data::F32(v) if shape.is_empty() => Value::Float(f64::from(v[0])),
            Data::I64(v) if shape.is_empty() => Value::Int(v[0]),
            Data::I1(v) if shape.is_empty() => Value::Bool(v[0]),
            Data::F64(v) => Value::Array { shape, numbers: v.clone() },
            other => return Err(format!("an array of {:?}", other.element())),
        });
    }
    match value {
        eval::Value::Tuple(parts) => Ok(Value::Tuple(all(parts)?)),
        eval::Value::List(list) => Ok(Value::List(list.iter().map(read).collect::<Result<_, _>>()?)),
        eval::Value::Record(names, parts) => {
            let mut fields: Vec<(String, Value)> = names.fields.iter().cloned().zip(all(parts)?).collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            Ok(Value::Record(names.record.clone(), fields))
        }
        other => Err(format!("expected data, found {}", other.kind())),
    }
}
