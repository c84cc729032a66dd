//! Translation of `deriv`. Its expression becomes a separate function, and the derivative a request to differentiate
//! that function.
//!
//! If `x` is a scalar, `(deriv e x)` is the pair of `e` and its derivative (`spec/arrays.md` D.2). If `x` is an array,
//! it is a pair of arrays over the positions in `x`: at each position, the value of `e` and its derivative with respect
//! to that element. Requests are expanded innermost first, so perturbations are not confused (D.3).

use super::scope::{Frame, Import};
use super::value::{Id, Leaf, Type, Typed, Value};
use crate::definitions::operands;
use crate::mlir::{list, splat};
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::Term;

pub(super) fn deriv(import: &mut Import, term: &Term, rest: &[Term]) -> Result<Value, Problem> {
    let [e, x] = operands(term, rest, "(deriv e x)")?;
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
    let shape = point.ty.shape.clone();
    let one = Type::scalar(point.ty.element);
    if shape.is_empty() {
        let seed = import.text().op(format_args!("dual.one : {one}"));
        let duals = request(import, &function, seed, &point.ty);
        return Ok(function.value.with(&mut duals.into_iter().map(|(y, t)| pair(y, t))));
    }
    let one_id = import.text().op(format_args!("dual.one : {one}"));
    let open = import.text().open();
    let indices: Vec<Id> = shape.iter().map(|_| import.text().named("i")).collect();
    let right = format!("array.one_hot {one_id} at [{}] : ({one}) -> {}", list(&indices), point.ty);
    let seed = import.text().op(right);
    let duals = request(import, &function, seed, &point.ty);
    let flat: Vec<&Typed> = duals.iter().flat_map(|(y, t)| [y, t]).collect();
    let types: Vec<Type> = flat.iter().map(|x| x.ty.within(&shape)).collect();
    let space: Vec<String> = indices.iter().zip(&shape).map(|(i, n)| format!("{i} < {n}")).collect();
    let head = format!("array.build ({}) -> ({})", space.join(", "), list(&types));
    let yielded: Vec<(Id, Type)> = flat.iter().map(|x| (x.id, x.ty.clone())).collect();
    let results = import.text().close(open, &yielded, types.len(), head);
    let arrays: Vec<Typed> = results.into_iter().zip(types).map(|(id, ty)| Typed { id, ty }).collect();
    Ok(function.value.with(&mut arrays.chunks(2).map(|c| pair(c[0].clone(), c[1].clone()))))
}

fn pair(y: Typed, t: Typed) -> Value {
    Value::pair(Value::Leaf(Leaf::Typed(y)), Value::Leaf(Leaf::Typed(t)))
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
                parameters.push((parameter.id, parameter.ty.clone()));
            }
        }
    }
    let symbol = format!("{}.deriv{}", import.symbol, import.derivatives);
    import.derivatives += 1;
    let returned: Vec<(Id, Type)> = results.iter().map(|x| (x.id, x.ty.clone())).collect();
    import.functions += &frame.text.function("private ", &symbol, &parameters, &returned);
    Ok(Outlined { symbol, arguments, wrt, value, results: results.into_iter().map(|x| x.ty).collect() })
}

/// Writes `dual.jvp` of the function along `seed`. Returns each result with its tangent, which is zero for results that
/// are not floats.
fn request(import: &mut Import, function: &Outlined, seed: Id, point: &Type) -> Vec<(Typed, Typed)> {
    let floats: Vec<&Type> = function.results.iter().filter(|ty| ty.element.is_float()).collect();
    let inputs: Vec<Id> = function.arguments.iter().map(|x| x.id).collect();
    let types: Vec<&Type> = function.arguments.iter().map(|x| &x.ty).chain([point]).collect();
    let results: Vec<&Type> = function.results.iter().chain(floats).collect();
    let right = format!(
        "dual.jvp @{}({}) tangents({seed}) wrt [{}] : ({}) -> ({})",
        function.symbol,
        list(&inputs),
        function.wrt,
        list(&types),
        list(&results)
    );
    let ids = import.text().ops(results.len(), right);
    let (primals, tangents) = ids.split_at(function.results.len());
    let mut tangents = tangents.iter();
    let mut duals = vec![];
    for (&id, ty) in primals.iter().zip(&function.results) {
        let tangent = if ty.element.is_float() {
            Typed { id: *tangents.next().expect("one for each float"), ty: ty.clone() }
        } else {
            let zero = if ty.element == mlopt_dialects::value::Element::I1 { "false" } else { "0" };
            Typed { id: import.text().constant(&splat(zero, ty.rank()), ty), ty: ty.clone() }
        };
        duals.push((Typed { id, ty: ty.clone() }, tangent));
    }
    duals
}
