//! Constraints of the loops, whose region is a function of an index or of rows.

use super::{extents, has_no_effects, list, takes_indices, yields};
use crate::constraints::{Verdict, Violation, ensure, ensure_by, violates};
use crate::ir::{Block, Dim, Type, Value, types_of};
use crate::ops::array::{Build, Fold, Ifold, MapAccum};
use crate::text::count;

/// Checks `array.build`: extents (k dynamic ones), results (k sizes, then those of the yielded element).
pub fn build(op: Build) -> Verdict {
    let types = types_of(&op.results());
    let Some(first) = types.first() else { return violates("C1", "expected at least one result, found none") };
    let body = op.body();
    let k = body.num_arguments();
    ensure(k != 0, "C2", || "the region must have at least one argument of type `index`, found none")?;
    takes_indices("C2", body)?;
    if let Some(ty) = types.iter().find(|t| t.rank() < k) {
        let axes = count(k, "axis");
        return violates("C2", format!("every result must have at least {axes}, one per index, found {ty}"));
    }
    let leading = first.shape()[..k].to_vec();
    if let Some(ty) = types.iter().find(|t| t.shape()[..k] != leading) {
        let rule = "all results must have the same sizes along the axes of the indices";
        return violates("C3", format!("{rule}, found {first} and {ty}"));
    }
    extents("C4", &leading, op.extents().len())?;
    let elements: Vec<Type> = types.iter().map(|t| Type::array(&t.shape()[k..], t.scalar())).collect();
    yields("C5", body, &elements)?;
    has_no_effects("C6", *op)
}

/// Checks `array.ifold`: count, initial values; the region takes the index and the carried values.
pub fn ifold(op: Ifold) -> Verdict {
    let types = types_of(&op.results());
    ensure(!types.is_empty(), "C1", || "expected at least one carried value, found none")?;
    let body = op.body();
    let index = op.context().index();
    takes("C2", body, &std::iter::once(index).chain(types.iter().copied()).collect::<Vec<_>>())?;
    yields("C3", body, &types)?;
    has_no_effects("C4", *op)
}

/// Checks `array.fold`: arrays (n, r...), initial values; the region takes rows (r...) and the carried values.
pub fn fold(op: Fold) -> Verdict {
    let (arrays, inits) = (op.arrays(), op.inits());
    outermost("C1", &arrays)?;
    ensure(!inits.is_empty(), "C1", || "expected at least one carried value, found none")?;
    let (results, inits) = (types_of(&op.results()), types_of(&inits));
    let body = op.body();
    takes("C2", body, &[rows(&arrays), results.clone()].concat())?;
    yields("C3", body, &results)?;
    has_no_effects("C4", *op)?;
    if results != inits {
        let (inits, results) = (list(&inits), list(&results));
        return violates("C5", format!("the results must have the types of the inits, {inits}, found {results}"));
    }
    Ok(())
}

/// Checks `array.map_accum`: arrays (n, r...), initial values; results like the initial values, then (n, e...) for each
/// emitted row (e...).
pub fn map_accum(op: MapAccum) -> Verdict {
    let (arrays, inits) = (op.arrays(), op.inits());
    let n = outermost("C1", &arrays)?;
    let (results, inits) = (types_of(&op.results()), types_of(&inits));
    let emitted = results.get(inits.len()..).unwrap_or_default();
    if let Some(z) = emitted.iter().find(|z| z.shape().first() != Some(&n)) {
        let n = n.map_or("`?`".to_string(), |n| n.to_string());
        let text = format!("an emitted result must have the outermost size of the arrays, {n}, found {z}");
        return violates("C1", text);
    }
    let body = op.body();
    takes("C2", body, &[rows(&arrays), inits.clone()].concat())?;
    let emitted: Vec<Type> = emitted.iter().copied().map(Type::row).collect();
    yields("C3", body, &[inits.clone(), emitted].concat())?;
    has_no_effects("C4", *op)?;
    if !results.starts_with(&inits) {
        let (inits, results) = (list(&inits), list(&results));
        return violates("C5", format!("the first results must have the types of the inits, {inits}, found {results}"));
    }
    Ok(())
}

/// Returns the outermost size, which all arrays have; there is at least one array.
fn outermost(label: &'static str, arrays: &[Value]) -> Result<Dim, Violation> {
    let Some(first) = arrays.first() else { return violates(label, "expected at least one array, found none") };
    for &x in arrays {
        ensure_by(("x", x), x.ty().rank() != 0, label, || {
            format!("every array must have at least one axis, found {}", x.ty())
        })?;
        ensure_by(("x", x), x.ty().shape()[0] == first.ty().shape()[0], label, || {
            format!("all arrays must have the same outermost size, found {} and {}", first.ty(), x.ty())
        })?;
    }
    Ok(first.ty().shape()[0])
}

fn rows(arrays: &[Value]) -> Vec<Type> {
    arrays.iter().map(|x| x.ty().row()).collect()
}

/// Checks that the region's arguments have the types `expected`.
fn takes(label: &'static str, body: Block, expected: &[Type]) -> Verdict {
    let found = types_of(&body.arguments());
    ensure(found == expected, label, || {
        format!("region arguments must have types {}, found {}", list(expected), list(&found))
    })
}
