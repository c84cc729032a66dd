//! Translation of `deriv`. The expression in it becomes a separate function, and the `deriv` itself becomes a request
//! for the derivative of this function.
//!
//! If `x` is a scalar, `(deriv e x)` is the pair of `e` and its derivative (`spec/arrays.md` D.2). If `x` is an array,
//! it is a pair of arrays over the positions in `x`: at each position, the value of `e` and its derivative with respect
//! to that element. Requests are expanded innermost first, so perturbations are not confused (D.3).

use super::scope::Import;
use super::value::{Leaf, Outcome, Tuple, shape, static_sizes};
use crate::definitions::Call;
use mlopt_dialects::ir::{Type, Value, types_of};
use mlopt_dialects::ops::Symbol;
use mlopt_dialects::ops::dual::{Jvp, One};
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::{Number, Term};

pub(super) fn deriv(import: &mut Import, call: Call) -> Outcome {
    let [e, x] = call.operands()?;
    let name = import.binder(x)?;
    let Some(position) = import.position(name) else {
        // Reports the error in the variable.
        return import.term(x);
    };
    let point = match import.term(x)? {
        Tuple::Leaf(Leaf::Value(point)) if point.ty().scalar().is_float() => point,
        found => {
            return Err(x.error(format!("expected a variable that is a float or an array of floats, found {found}")));
        }
    };
    let function = outline(import, e, position)?;
    let shape = shape(point.ty());
    let one = One::create(import.builder(), point.ty().scalar()).z();
    if shape.is_empty() {
        let duals = request(import, &function, one);
        return Ok(function.value.with(&mut duals.into_iter().map(|(y, t)| Tuple::pair(y.into(), t.into()))));
    }
    let (block, ()) = import.indexed(&vec!["i"; shape.len()], |me, indices| {
        let seed = me.builder().one_hot(one, indices, &static_sizes(&shape), &[]);
        let duals = request(me, &function, seed);
        Ok((duals.into_iter().flat_map(|(y, t)| [y, t]).collect(), ()))
    })?;
    let mut arrays = import.end_build(&shape, block).into_iter().map(Tuple::from);
    let mut pairs = std::iter::from_fn(|| Some(Tuple::pair(arrays.next()?, arrays.next()?)));
    Ok(function.value.with(&mut pairs))
}

/// A function outlined from an expression.
struct Outlined {
    symbol: String,
    /// The arguments of the call.
    arguments: Vec<Value>,
    /// The position of the argument with respect to which the function is differentiated.
    wrt: usize,
    /// The structure of the expression's value; `results` has the types of its leaves.
    value: Tuple,
    results: Vec<Type>,
}

/// Outlines a function of the free variables of `e`. The variable at `position` is always a parameter.
fn outline(import: &mut Import, e: &Term, position: usize) -> Result<Outlined, Problem> {
    let (frame, (value, results)) = import.function(|me| {
        me.visible(position, me.frames.len() - 1);
        let value = me.term(e)?;
        let results = me.values(&value);
        Ok((value, results))
    })?;
    let outer = import.frames.len() - 1;
    let (mut arguments, mut wrt) = (vec![], 0);
    for (captured, _) in &frame.captured {
        if *captured == position {
            wrt = arguments.len();
        }
        let outside = import.visible(*captured, outer);
        arguments
            .extend(outside.leaves().into_iter().filter_map(|x| if let Leaf::Value(x) = x { Some(*x) } else { None }));
    }
    let symbol = format!("{}.deriv{}", import.symbol, import.outlined.len());
    let function = import.end_function(frame, &symbol, &results, true);
    import.outlined.push(function);
    Ok(Outlined { symbol, arguments, wrt, value, results: types_of(&results) })
}

/// Creates `dual.jvp` of the function along `seed`. Returns each result with its tangent, which is zero for results
/// that are not floats.
fn request(import: &mut Import, function: &Outlined, seed: Value) -> Vec<(Value, Value)> {
    let floats = function.results.iter().filter(|ty| ty.scalar().is_float());
    let types: Vec<Type> = function.results.iter().chain(floats).copied().collect();
    let jvp = Jvp::create(import.builder(), &function.arguments, &[seed], &types, None);
    let jvp = jvp.with_callee(&Symbol(function.symbol.clone())).with_wrt(&[function.wrt as i64]);
    let mut primals = jvp.results();
    let mut tangents = primals.split_off(function.results.len()).into_iter();
    let dual = |y: Value| {
        let tangent = if y.ty().scalar().is_float() { tangents.next() } else { None };
        (y, tangent.unwrap_or_else(|| import.filled(Number::Int(0), y.ty())))
    };
    primals.into_iter().map(dual).collect()
}
