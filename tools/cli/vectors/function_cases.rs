//! Execution of functional programs in the reference evaluator, as translated, and after the expansion of derivatives.

use super::functions::{End, Facts, Point, Program as Term, Rng, Structure, Value, are_close};
use super::passes::{Diagnostics, through};
use super::{Error, function, wrong};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::lambda::eval::{self, Evaluator};
use mlopt_dialects::lambda::{philox, types};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::{Array, Data, Element};

/// Infers types, then expands derivatives of simplified programs, then simplifies the result.
pub const DERIVATIVES: &str = "builtin.module(lambda-specialise,lambda-simplify,j-transform,lambda-simplify)";

/// The same, followed by closure conversion.
const FIRST_ORDER: &str =
    "builtin.module(lambda-specialise,lambda-simplify,j-transform,lambda-simplify,closure-convert)";

/// Closure conversion without simplification, which leaves more functions to convert.
const CONVERTED_ALONE: &str = "builtin.module(lambda-specialise,j-transform,closure-convert)";

/// The J transform without simplification, which must be correct by itself.
pub const TRANSFORM_ALONE: &str = "builtin.module(lambda-specialise,j-transform)";

pub fn parse(id: &str, term: &Term) -> Result<Program, Error> {
    term.import(id)?.verified().map_err(|_| Error::Invalid("the imported program"))
}

/// Checks the results of a function at points, and its structure after the passes.
pub fn run(id: &str, term: &Term, Facts { points, rtol, structure }: &Facts) -> Result<(), Error> {
    let open = parse(id, term)?;
    agrees(&open, points, *rtol)?;
    let after = |pipeline: &str| {
        let program = parse(id, term)?;
        through(&program, pipeline)?;
        agrees(&program, points, *rtol).map_err(|e| e.at(format!("after {pipeline}")))?;
        Ok::<_, Error>(program)
    };
    // A function that is a parameter where it is differentiated becomes known only by inlining.
    for pipeline in [TRANSFORM_ALONE, CONVERTED_ALONE] {
        match after(pipeline) {
            Err(Error::Passes(said)) if said.have_code("unknown-function-value") => {}
            other => drop(other?),
        }
    }
    after(FIRST_ORDER)?;
    let small = after(DERIVATIVES)?;
    is_built_like(small.module(), &structure.after_optimisation)
}

fn agrees(program: &Program, points: &[Point], rtol: f64) -> Result<(), Error> {
    points.iter().try_for_each(|point| evaluated(program, "f", &point.inputs)?.agrees(&point.out, rtol))
}

/// Returns the result of a function, in the representation of the file.
pub fn evaluated(program: &Program, name: &str, inputs: &[Value]) -> Result<Value, Error> {
    let module = program.module();
    let (types, _) = module.lookup(name).and_then(Op::function_type).unwrap_or_default();
    let arguments: Vec<eval::Value> = inputs.iter().zip(types).map(|(v, t)| write(v, t)).collect();
    read(&Evaluator::new(module).call(name, &arguments)?)
}

/// Checks that a program is rejected with an error of this code, at the latest by the passes.
pub fn refused(id: &str, term: &Term, code: &str, pipeline: &str) -> Result<(), Error> {
    let program = match term.import(id) {
        Err(problem) if problem.code == Some(code) => return Ok(()),
        Err(problem) => return wrong(format!("expected {code}, found {problem}")),
        Ok(program) => program,
    };
    let (verified, said) = captured(program.module().context(), || program.module().verify());
    let outcome = if verified { through(&program, pipeline) } else { Err(Diagnostics(said)) };
    match outcome {
        Err(said) if said.have_code(code) => Ok(()),
        Err(said) => wrong(format!("expected {code}, found {said}")),
        Ok(()) => wrong(format!("expected {code}, but the program is accepted")),
    }
}

/// Checks that a program of tasks returns this value, or stops with an error of this name.
pub fn message(id: &str, term: &Term, inputs: &[Value], end: &End) -> Result<(), Error> {
    for pipeline in ["", "lambda-specialise", "lambda-specialise,closure-convert"] {
        let program = parse(id, term)?;
        through(&program, &format!("builtin.module({pipeline})"))?;
        end.agrees(evaluated(&program, "f", inputs))?;
    }
    Ok(())
}

pub fn random(case: &Rng, rtol: f64) -> Result<(), Error> {
    let same = |what: &str, found: &[f64], wanted: &[f64]| {
        are_close(&format!("{what} of seed {}", case.seed), found, wanted, rtol)
    };
    for (block, wanted) in [&case.raw_block0, &case.raw_block1].into_iter().enumerate() {
        let found: Vec<f64> = philox::words(case.seed as u64, 0, block as u64).map(f64::from).to_vec();
        same("words", &found, &wanted.iter().map(|w| *w as f64).collect::<Vec<_>>())?;
    }
    let state = philox::State::new(case.seed as u64);
    let (four, next) = state.uniform(4);
    same("uniform numbers", &four, &case.uniform4)?;
    let (three, after) = next.uniform(3);
    same("uniform numbers", &three, &case.then_uniform3)?;
    // A draw ends at a block boundary, so the same numbers follow after this number of blocks.
    let (_, skipped) = next.uniform(2 * case.blocks_used_by_uniform3);
    same("the numbers after", &after.uniform(2).0, &skipped.uniform(2).0)?;
    same("normal numbers", &state.normal(4).0, &case.normal4)
}

/// Checks the structure of a program after optimisation.
fn is_built_like(module: Op, structure: &Structure) -> Result<(), Error> {
    use Kind::{FuncCall, LambdaApply, LambdaLambda, LambdaLetrec, LambdaRef};
    let function = function(module, "f")?;
    let ops = function.nested_ops();
    let loops = ops.iter().filter(|op| matches!(op.kind(), Kind::LambdaFor | Kind::LambdaWhile)).count();
    let has = |kinds: &[Kind]| ops.iter().any(|op| kinds.contains(&op.kind()));
    if structure.no_loop && loops > 0 {
        return wrong(format!("expected no loop, found {loops}"));
    }
    if structure.max_loops.is_some_and(|most| loops > most) || structure.forward_loop_removed && loops > 1 {
        return wrong(format!("expected fewer loops, found {loops}"));
    }
    if structure.no_call && has(&[LambdaApply, LambdaLambda, LambdaLetrec, LambdaRef, FuncCall]) {
        return wrong("expected no call and no function, found one");
    }
    if structure.stack_free && has(&[Kind::LambdaCons, Kind::LambdaHead]) {
        return wrong("expected that nothing is kept, found a list");
    }
    if let Some(wanted) = structure.returns_constant {
        let made = function.entry().end().operand(0).defining_op().map(|d| d.0);
        let found = made.and_then(|op| match op.kind() {
            Kind::ArithConstant => op.attribute("value").and_then(|a| a.as_f64()),
            Kind::DualZero => Some(0.0),
            _ => None,
        });
        if found != Some(wanted) {
            return wrong(format!("expected the constant {wanted}, found {found:?}"));
        }
    }
    Ok(())
}

/// Converts a value to that of the evaluator. Fields are in the order of the type.
pub fn write(value: &Value, ty: Type) -> eval::Value {
    match (value, types::TypeKind::of(ty)) {
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
        (Value::List(values), types::TypeKind::List(element)) => {
            eval::Value::list(values.iter().map(|v| write(v, element)).collect())
        }
        (Value::Record { fields: given, .. }, types::TypeKind::Record(name, fields)) => {
            let fields = fields.iter().map(|(f, t)| (f.as_str(), write(&given[f], *t))).collect();
            eval::Value::record(&name, fields)
        }
        (value, kind) => unreachable!("the value {value:?} for an input that is {kind:?}"),
    }
}

/// Converts a value of the evaluator to that of the file.
pub fn read(value: &eval::Value) -> Result<Value, Error> {
    let all = |values: &[eval::Value]| values.iter().map(read).collect::<Result<Vec<_>, _>>();
    if let Some(array) = value.as_array() {
        let shape = array.shape().to_vec();
        return Ok(match array.data() {
            Data::F64(v) if shape.is_empty() => Value::Float(v[0]),
            Data::F32(v) if shape.is_empty() => Value::Float(f64::from(v[0])),
            Data::I64(v) if shape.is_empty() => Value::Int(v[0]),
            Data::I1(v) if shape.is_empty() => Value::Bool(v[0]),
            Data::F64(v) => Value::Array { shape, numbers: v.clone() },
            other => return wrong(format!("an array of {:?}", other.element())),
        });
    }
    match value {
        eval::Value::Tuple(parts) => Ok(Value::Tuple(all(parts)?)),
        eval::Value::List(list) => Ok(Value::List(list.iter().map(read).collect::<Result<_, _>>()?)),
        eval::Value::Record(names, parts) => {
            let fields = names.fields.iter().cloned().zip(all(parts)?).collect();
            Ok(Value::Record { record: names.record.clone(), fields })
        }
        other => wrong(format!("expected data, found {}", other.kind())),
    }
}
