//! Translation of `deriv`. Its expression becomes a separate function, and the derivative a request to differentiate
//! that function.
//!
//! If `x` is a scalar, `(deriv e x)` is the pair of `e` and its derivative (`spec/arrays.md` D.2). If `x` is an array,
//! it is a pair of arrays over the positions in `x`: at each position, the value of `e` and its derivative with respect
//! to that element. Requests are expanded innermost first, so perturbations are not confused (D.3).

use super::scope::{Frame, Import};
use super::value::{Leaf, Outcome, Type, Typed, Value};
use crate::definitions::Call;
use crate::mlir::list;
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::value::Element;

pub(super) fn deriv(import: &mut Import, call: Call) -> Outcome {
    let [e, x] = call.operands("(deriv e x)")?;
    let name = import.binder(x)?;
    let Some(position) = import.position(name) else {
        // Reports the error in the variable.
        return import.term(x);
    };
    let point = match import.term(x)? {
        Value::Leaf(Leaf::Typed(point)) if point.ty.element.is_float() => point,
        found => return Err(x.error(format!("expected a variable of floats, found {found}"))),
    };
    let function = outline(import, e, position)?;
    let shape = &point.ty.shape;
    let ty = Type::scalar(point.ty.element);
    let one = import.op(format!("dual.one : {ty}"), ty);
    if shape.is_empty() {
        let duals = request(import, &function, &one, &point.ty);
        return Ok(function.value.with(&mut duals.into_iter().map(|(y, t)| Value::pair(y.into(), t.into()))));
    }
    let open = import.text().open();
    let indices: Vec<Typed> = shape.iter().map(|_| import.text().named("i", Type::scalar(Element::Index))).collect();
    let seed = import.one_hot_at(&one, &indices, shape);
    let duals = request(import, &function, &seed, &point.ty);
    let elements: Vec<Typed> = duals.into_iter().flat_map(|(y, t)| [y, t]).collect();
    let mut arrays = import.close_build(open, &indices, shape, &elements).into_iter().map(Value::from);
    let mut pairs = std::iter::from_fn(|| Some(Value::pair(arrays.next()?, arrays.next()?)));
    Ok(function.value.with(&mut pairs))
}

/// A function outlined from an expression.
struct Outlined {
    symbol: String,
    /// The arguments of the call.
    arguments: Vec<Typed>,
    /// The position of the argument with respect to which the function is differentiated.
    wrt: usize,
    /// The structure of the expression's value; `results` has the types of its leaves.
    value: Value,
    results: Vec<Type>,
}

/// Outlines a function of the free variables of `e`. The variable at `position` is always a parameter.
fn outline(import: &mut Import, e: &Term, position: usize) -> Result<Outlined, Problem> {
    import.frames.push(Frame::new(import.scope.len()));
    let inner = import.frames.len() - 1;
    import.visible(position, inner);
    let value = import.term(e)?;
    let results = import.typed_leaves(&value);
    let frame = import.frames.pop().expect("pushed above");
    let (mut arguments, mut parameters, mut wrt) = (vec![], vec![], 0);
    for (captured, inside) in &frame.captured {
        if *captured == position {
            wrt = arguments.len();
        }
        let outside = import.visible(*captured, inner - 1);
        for (given, parameter) in outside.leaves().into_iter().zip(inside.leaves()) {
            if let (Leaf::Typed(given), Leaf::Typed(parameter)) = (given, parameter) {
                arguments.push(given.clone());
                parameters.push(parameter.clone());
            }
        }
    }
    let symbol = format!("{}.deriv{}", import.symbol, import.derivatives);
    import.derivatives += 1;
    import.functions += &frame.text.function("private ", &symbol, &parameters, &results);
    Ok(Outlined { symbol, arguments, wrt, value, results: results.into_iter().map(|x| x.ty).collect() })
}

/// Writes `dual.jvp` of the function along `seed`. Returns each result with its tangent, which is zero for results that
/// are not floats.
fn request(import: &mut Import, function: &Outlined, seed: &Typed, point: &Type) -> Vec<(Typed, Typed)> {
    let floats = function.results.iter().filter(|ty| ty.element.is_float());
    let types: Vec<Type> = function.results.iter().chain(floats).cloned().collect();
    let right = format!(
        "dual.jvp @{}({}) tangents({seed}) wrt [{}] : ({}) -> ({})",
        function.symbol,
        list(&function.arguments),
        function.wrt,
        list(function.arguments.iter().map(|x| &x.ty).chain([point])),
        list(&types)
    );
    let mut primals = import.text().ops(right, types);
    let mut tangents = primals.split_off(function.results.len()).into_iter();
    let dual = |y: Typed| {
        let zero = if y.ty.element == Element::I1 { "false" } else { "0" };
        let tangent = if y.ty.element.is_float() { tangents.next() } else { None };
        let tangent = tangent.unwrap_or_else(|| import.filled(zero, &y.ty));
        (y, tangent)
    };
    primals.into_iter().map(dual).collect()
}
