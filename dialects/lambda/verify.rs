//! The numbered constraints of `lambda.td`. The open type `!lambda.any` satisfies every constraint on types.

use super::types::{self, TypeKind, fits};
use crate::constraints::{Verdict, Violation, ensure, ensure_by, violates, violates_by};
use crate::ir::{Attribute, Block, Lookup, Op, Region, Type, Value, types_of};
use crate::ops::lambda::{Case, Dual, For, If, Lambda, LambdaOp, Letrec, Literal, Pullback, The, While};
use crate::ops::{HasKind, Kind};
use crate::primitives;
use crate::suggest::did_you_mean;
use crate::text::count;
use crate::value::Element;

/// Checks the constraints of one op that depend on the op alone.
pub fn verify(op: LambdaOp) -> Verdict {
    use LambdaOp::*;
    match op {
        Lambda(op) => lambda(op),
        Letrec(op) => letrec(op),
        Apply(op) => apply(*op),
        Switch(op) => switch(*op),
        If(op) => conditional(op),
        For(op) => counted(op),
        While(op) => conditioned(op),
        Literal(op) => literal(op),
        The(op) => the(op),
        Tuple(op) => tuple(*op),
        Get(op) => element(*op, Part::Index(op.index())),
        Tset(op) => replaced(*op, Part::Index(op.index())),
        Record(op) => record(*op),
        Field(op) => element(*op, Part::Field(op.field())),
        With(op) => replaced(*op, Part::Field(op.field())),
        Nil(op) => is_list("C1", "the result", op.result(0).ty()).map(|_| ()),
        Cons(op) => cons(*op),
        Head(op) => of_list(*op, |_, element| element),
        Tail(op) => of_list(*op, |list, _| list),
        IsEmpty(op) => of_list(*op, |list, _| list.context().scalar(Element::I1)),
        Length(op) => of_list(*op, |list, _| list.context().scalar(Element::I64)),
        Concat(op) => concat(*op),
        ToList(op) => to_list(*op),
        ToArray(op) => to_array(*op),
        Data(op) => data(*op),
        Map(op) => map(*op),
        Reduce(op) => reduce(*op),
        Fold(op) => fold(*op),
        Scan(op) => fold(*op),
        Walk(op) => walk(*op),
        Aget(op) => same("C2", "the result", at(*op, &op.operands()[1..])?, op.result(0).ty()),
        Aset(op) => aset(*op),
        SliceGet(op) => slices(*op, &op.operands()[1..], op.result(0).ty()),
        SliceSet(op) => slice_set(*op),
        Prim(op) => prim(*op),
        Check(op) => check(*op),
        Opaque(op) => opaque(*op),
        J(op) => same("C1", "the result", types::transformed(operand(*op, 0)), op.result(0).ty()),
        Jinv(op) => same("C1", "`x`", types::transformed(op.result(0).ty()), operand(*op, 0)),
        Grad(op) => grad(*op),
        Vjp(op) => vjp(*op),
        Jvp(op) => jvp(*op),
        Hvp(op) => hvp(*op),
        ZerosLike(op) => same("C1", "the result", types::tangent(operand(*op, 0)), op.result(0).ty()),
        Gadd(op) => sum(*op),
        EnvEmpty(op) => is("C1", "the result", "env", op.result(0).ty()),
        EnvGet(op) => env_get(*op),
        EnvSet(op) => all_are(*op, 1, "env"),
        EnvAdd(op) => all_are(*op, 2, "env"),
        StopGradient(op) => same("C1", "the result", operand(*op, 0), op.result(0).ty()),
        Pullback(op) => pullback(op),
        Dual(op) => dual(op),
        Covector(op) => same("C1", "the result", types::functionals(operand(*op, 0)), op.result(0).ty()),
        PairWith(op) => pair_with(*op),
        RngSeed(op) => seed(*op),
        RngUniform(op) => draw(*op),
        RngNormal(op) => draw(*op),
        RngSplit(op) => split(*op),
        Print(op) => all_are(*op, 1, "token"),
        Read(op) => with_token(*op).map(|_| ()),
        Token(op) => is("C1", "the result", "token", op.result(0).ty()),
        JoinTokens(op) => all_are(*op, op.num_operands(), "token"),
        Channel(op) => channel(*op),
        Send(op) => send(*op),
        Recv(op) => taken(*op, "chan"),
        Close(op) => close(*op),
        Spawn(op) => spawn(*op),
        Join(op) => taken(*op, "task"),
        Transfer(op) => transfer(*op),
        Case(_) | Jacobian(_) | Make(_) | Ref(_) | Return(_) | Unit(_) | Unreachable(_) | Yield(_) => Ok(()),
    }
}

/// Checks the constraints of the symbols to which an op refers.
pub fn verify_symbols(op: LambdaOp, lookup: Lookup) -> Verdict {
    match op {
        LambdaOp::Ref(op) => reference(*op, lookup),
        LambdaOp::Jacobian(op) => jacobian(*op, lookup),
        LambdaOp::Data(op) => listed(*op, lookup),
        LambdaOp::Make(op) => make(*op, lookup),
        LambdaOp::Case(op) => case(op, lookup),
        LambdaOp::Spawn(op) => started(*op, lookup),
        _ => Ok(()),
    }
}

//===-- shared --------------------------------------------------------------------------------------------------===//

fn operand(op: Op, k: usize) -> Type {
    op.operand(k).ty()
}

/// Checks that `what` has type `wanted`; `None` is a type that is still open.
fn same(label: &'static str, what: &str, wanted: impl Into<Option<Type>>, found: Type) -> Verdict {
    let Some(wanted) = wanted.into() else { return Ok(()) };
    ensure(fits(wanted, found), label, || format!("{what} must have type {wanted}, found {found}"))
}

/// Checks that `what` has a type of this dialect, or of `builtin`, with this name.
fn is(label: &'static str, what: &str, name: &str, ty: Type) -> Verdict {
    ensure(has_name(ty, name), label, || format!("{what} must have type !lambda.{name}, found {ty}"))
}

fn has_name(ty: Type, name: &str) -> bool {
    TypeKind::of(ty) == TypeKind::Any || ty.name() == format!("lambda.{name}")
}

/// Checks (C1): the first `n` operands and the result have a type of this dialect with this name.
fn all_are(op: Op, n: usize, name: &str) -> Verdict {
    let operands = op.operands().into_iter().take(n).enumerate().map(|(k, v)| (format!("operand #{k}"), v));
    let results = op.results().into_iter().map(|v| ("the result".to_string(), v));
    operands.chain(results).try_for_each(|(what, v)| {
        ensure_by(("this value", v), has_name(v.ty(), name), "C1", || {
            format!("{what} must have type !lambda.{name}, found {}", v.ty())
        })
    })
}

fn is_bool(label: &'static str, condition: Value) -> Verdict {
    same(label, "`condition`", condition.ty().context().scalar(Element::I1), condition.ty())
}

/// Returns the type of the elements of a list, or `None` while it is open.
fn is_list(label: &'static str, what: &str, ty: Type) -> Result<Option<Type>, Violation> {
    match TypeKind::of(ty) {
        TypeKind::List(element) => Ok(Some(element)),
        TypeKind::Any => Ok(None),
        _ => violates(label, format!("{what} must be a list, found {ty}")),
    }
}

/// Returns the arguments and result of a function, or `None` while its type is open.
fn is_function(label: &'static str, what: &str, ty: Type) -> Result<Option<(Vec<Type>, Type)>, Violation> {
    match TypeKind::of(ty) {
        TypeKind::Function(inputs, result) => Ok(Some((inputs, result))),
        TypeKind::Any => Ok(None),
        _ => violates(label, format!("{what} must be a function with one result, found {ty}")),
    }
}

fn is_integer(ty: Type) -> bool {
    !ty.is_tensor() && ty.element().is_some_and(Element::is_integer)
}

/// Checks that `what` is a function from these types to that one.
fn takes(label: &'static str, what: &str, ty: Type, inputs: &[Type], result: Type) -> Verdict {
    same(label, what, types::function(inputs, result), ty)
}

fn end(block: Block, name: &str, label: &'static str) -> Result<Vec<Value>, Violation> {
    match block.terminator().filter(|t| t.name() == name) {
        Some(end) => Ok(end.operands()),
        None => violates(label, format!("the region must end in `{name}`")),
    }
}

/// Checks that values have these types, one by one.
fn all_same(label: &'static str, what: &str, wanted: &[Type], found: &[Value]) -> Verdict {
    ensure(wanted.len() == found.len(), label, || format!("{what}: expected {}, found {}", wanted.len(), found.len()))?;
    for (k, (wanted, found)) in wanted.iter().zip(found).enumerate() {
        same(label, &format!("{what}: value #{k}"), *wanted, found.ty())?;
    }
    Ok(())
}

//===-- functions, choice, loops --------------------------------------------------------------------------------===//

fn lambda(op: Lambda) -> Verdict {
    let Some((inputs, result)) = is_function("C1", "the result", op.result(0).ty())? else {
        return violates("C1", "the result must have a function type, found the open type !lambda.any");
    };
    let body = op.body();
    all_same("C1", "arguments of the region", &inputs, &body.arguments())?;
    all_same("C2", "returned values", &[result], &end(body, Kind::LambdaReturn.name(), "C2")?)
}

fn letrec(op: Letrec) -> Verdict {
    let body = op.body();
    let yielded = end(body, Kind::LambdaYield.name(), "C1")?;
    let ops = body.ops();
    let members: Vec<Op> = ops.iter().copied().filter(|m| m.kind() == Kind::LambdaLambda).collect();
    if let Some(odd) = ops[..ops.len() - 1].iter().find(|m| m.kind() != Kind::LambdaLambda) {
        return violates("C1", format!("the region must contain only 'lambda.lambda' ops, found '{}'", odd.name()));
    }
    ensure(
        yielded.len() == members.len() && !yielded.iter().zip(&members).any(|(v, m)| Some(v) != m.results().first()),
        "C1",
        || "the region must yield each of its functions, in the order of their definitions",
    )?;
    all_same("C2", "results", &types_of(&yielded), &op.results())
}

fn apply(op: Op) -> Verdict {
    let Some((inputs, result)) = is_function("C1", "`f`", operand(op, 0))? else { return Ok(()) };
    all_same("C1", "arguments", &inputs, &op.operands()[1..])?;
    same("C1", "the result", result, op.result(0).ty())
}

fn switch(op: Op) -> Verdict {
    is_bool("C1", op.operand(0))?;
    same("C2", "`b`", operand(op, 1), operand(op, 2))?;
    same("C2", "the result", operand(op, 1), op.result(0).ty())
}

fn conditional(op: If) -> Verdict {
    is_bool("C1", op.operand(0))?;
    for block in [op.consequent(), op.alternative()] {
        ensure(block.num_arguments() == 0, "C2", || "the regions must have no arguments")?;
        let yielded = end(block, Kind::LambdaYield.name(), "C2")?;
        all_same("C2", "values of `lambda.yield`", &types_of(&op.results()), &yielded)?;
    }
    ensure(op.num_results() != 0, "C2", || "expected at least one result, found none")
}

/// Checks that the initial values, results and yielded values of a loop agree.
fn carried(op: Op, inits: &[Value], yielded: &[Value]) -> Verdict {
    let results = types_of(&op.results());
    all_same("C2", "inits", &results, inits)?;
    all_same("C2", "yielded values", &results, yielded)
}

fn counted(op: For) -> Verdict {
    let (n, body) = (op.n().ty(), op.body());
    ensure(is_integer(n) || TypeKind::of(n) == TypeKind::Any, "C1", || format!("`n` must be an integer, found {n}"))?;
    let arguments = body.arguments();
    let Some((index, arguments)) = arguments.split_first() else {
        let text = "the first argument of the region must be the index of the iteration, found no argument";
        return violates("C1", text);
    };
    same("C1", "the region's first argument", n, index.ty())?;
    all_same("C2", "arguments of the region", &types_of(&op.results()), arguments)?;
    carried(*op, &op.inits(), &end(body, Kind::LambdaYield.name(), "C2")?)
}

fn conditioned(op: While) -> Verdict {
    let (condition, body) = (op.condition(), op.body());
    let bool = op.context().scalar(Element::I1);
    all_same("C1", "values that the condition yields", &[bool], &end(condition, Kind::LambdaYield.name(), "C1")?)?;
    let results = types_of(&op.results());
    all_same("C2", "arguments of the condition", &results, &condition.arguments())?;
    all_same("C2", "arguments of the body", &results, &body.arguments())?;
    carried(*op, &op.inits(), &end(body, Kind::LambdaYield.name(), "C2")?)
}

fn reference(op: Op, lookup: Lookup) -> Verdict {
    let Some((inputs, results)) = callee("C1", op, lookup)? else { return Ok(()) };
    let [result] = results[..] else {
        return violates("C1", format!("`callee` must have one result, found {}", results.len()));
    };
    takes("C1", "`f`", op.result(0).ty(), &inputs, result)
}

/// Returns the signature of the callee, or `None` if there is no module in which to look it up.
fn callee(label: &'static str, op: Op, lookup: Lookup) -> Result<Option<(Vec<Type>, Vec<Type>)>, Violation> {
    if op.module().is_none() {
        return Ok(None);
    }
    let name = op.callee().unwrap_or_default();
    let function = lookup(&name).filter(|f| f.kind() == Kind::FuncFunc);
    match function.and_then(Op::function_type) {
        Some(signature) => Ok(Some(signature)),
        None => {
            violates(label, format!("there is no function `@{name}` in this module; define it, or correct `callee`"))
        }
    }
}

//===-- data ----------------------------------------------------------------------------------------------------===//

fn literal(op: Literal) -> Verdict {
    let (value, ty) = (op.value(), op.y().ty());
    let fine = match TypeKind::of(ty) {
        TypeKind::Any => value.as_string().is_some() || value.as_i64().is_some() || value.as_f64().is_some(),
        TypeKind::String => value.as_string().is_some(),
        TypeKind::Array(element) if element.is_float() => value.as_f64().is_some(),
        TypeKind::Array(_) => value.as_i64().is_some(),
        _ => false,
    };
    let expected = match TypeKind::of(ty) {
        TypeKind::Any => "a number, a Boolean or a string".to_string(),
        _ => format!("a constant of type {ty}"),
    };
    ensure(fine, "C1", || format!("`value` must be {expected}, found {value}"))
}

fn the(op: The) -> Verdict {
    same("C1", "`x`", op.ty(), op.x().ty())?;
    same("C1", "the result", op.ty(), op.y().ty())
}

fn tuple(op: Op) -> Verdict {
    same("C1", "the result", op.context().tuple(&types_of(&op.operands())), op.result(0).ty())
}

/// An element of a tuple, or a field of a record.
enum Part {
    Index(i64),
    Field(String),
}

/// Returns the type of a part of the first operand, or `None` while it is open.
fn part(op: Op, part: Part) -> Result<Option<Type>, Violation> {
    let whole = operand(op, 0);
    let what = if matches!(part, Part::Index(_)) { "tuple" } else { "record" };
    let fail = |text: String| violates_by((what, op.operand(0)), "C1", text);
    match (TypeKind::of(whole), part) {
        (TypeKind::Any, _) => Ok(None),
        (TypeKind::Tuple(parts), Part::Index(k)) => match usize::try_from(k).ok().and_then(|k| parts.get(k)) {
            Some(ty) => Ok(Some(*ty)),
            None => fail(format!("`index`, counted from 0, must be below {}, found {k}", parts.len())),
        },
        (TypeKind::Record(name, fields), Part::Field(field)) => match fields.iter().find(|f| f.0 == field) {
            Some((_, ty)) => Ok(Some(*ty)),
            None => {
                let names: Vec<&str> = fields.iter().map(|f| f.0.as_str()).collect();
                let (found, hint) = (names.join(", "), did_you_mean(&field, names.iter().copied()));
                fail(format!("unknown-field: `{name}` must have the field `{field}`, found only {found}{hint}"))
            }
        },
        _ => fail(format!("`{what}` must be a {what}, found {whole}")),
    }
}

fn element(op: Op, selected: Part) -> Verdict {
    same("C1", "the result", part(op, selected)?, op.result(0).ty())
}

fn replaced(op: Op, selected: Part) -> Verdict {
    same("C1", "`value`", part(op, selected)?, operand(op, 1))?;
    same("C2", "the result", operand(op, 0), op.result(0).ty())
}

fn record(op: Op) -> Verdict {
    match TypeKind::of(op.result(0).ty()) {
        TypeKind::Record(_, fields) => {
            let wanted: Vec<Type> = fields.iter().map(|f| f.1).collect();
            all_same("C1", "fields", &wanted, &op.operands())
        }
        TypeKind::Any => {
            let fields = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
            ensure(
                op.attribute("name").is_some() && fields.len() == op.num_operands(),
                "C1",
                || "a record of type !lambda.any must have the attributes `name` and `fields`, one field per value",
            )
        }
        _ => violates("C1", format!("the result must be a record, found {}", op.result(0).ty())),
    }
}

fn cons(op: Op) -> Verdict {
    same("C1", "`head`", is_list("C1", "`tail`", operand(op, 1))?, operand(op, 0))?;
    same("C1", "the result", operand(op, 1), op.result(0).ty())
}

fn of_list(op: Op, result: fn(Type, Type) -> Type) -> Verdict {
    let list = operand(op, 0);
    let result = is_list("C1", "`list`", list)?.map(|element| result(list, element));
    same("C1", "the result", result, op.result(0).ty())
}

fn concat(op: Op) -> Verdict {
    is_list("C1", "`a`", operand(op, 0))?;
    sum(op)
}

/// Returns the type of one element of `xs` in a fold: a value of a list, a row of an array. `None` while it is open.
fn row(label: &'static str, what: &str, xs: Type) -> Result<Option<Type>, Violation> {
    match TypeKind::of(xs) {
        TypeKind::Any => Ok(None),
        TypeKind::List(element) => Ok(Some(element)),
        TypeKind::Array(_) if xs.rank() > 0 => Ok(Some(xs.row())),
        _ => violates(label, format!("{what} must be a list or an array with at least one axis, found {xs}")),
    }
}

fn to_list(op: Op) -> Verdict {
    let array = operand(op, 0);
    if let TypeKind::Tuple(_) | TypeKind::List(_) = TypeKind::of(array) {
        return is_list("C1", "the result", op.result(0).ty()).map(|_| ());
    }
    ensure(matches!(TypeKind::of(array), TypeKind::Any) || array.rank() != 0, "C1", || {
        format!("`array` must have at least one axis, found {array}")
    })?;
    match (row("C1", "`array`", array)?, is_list("C1", "the result", op.result(0).ty())?) {
        (Some(row), Some(element)) => same("C1", "the values of the result", row, element),
        _ => Ok(()),
    }
}

fn to_array(op: Op) -> Verdict {
    let array = op.result(0).ty();
    match (is_list("C1", "`list`", operand(op, 0))?, row("C1", "the result", array)?) {
        (Some(element), Some(row)) => same("C1", "the rows of the result", element, row),
        _ => Ok(()),
    }
}

//===-- alternatives --------------------------------------------------------------------------------------------===//

/// Returns the names of the variants of a `lambda.data`, and the types of their fields.
pub fn alternatives(data: Op) -> Vec<(String, Vec<Type>)> {
    let list = |name: &str| data.attribute(name).and_then(Attribute::as_array).unwrap_or_default();
    let types = |a: Attribute| a.as_array().unwrap_or_default().into_iter().filter_map(Attribute::as_type).collect();
    let names = list("alternatives").into_iter().filter_map(Attribute::as_string);
    names.zip(list("fields").into_iter().map(types)).collect()
}

fn data(op: Op) -> Verdict {
    let names = op.attribute("alternatives").and_then(Attribute::as_array).unwrap_or_default();
    let fields = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
    let is_list = |a: &Attribute| a.as_array().is_some_and(|types| types.into_iter().all(|t| t.as_type().is_some()));
    ensure(fields.len() == names.len() && fields.iter().all(is_list), "C1", || {
        let lists = count(names.len(), "list");
        let found = op.attribute("fields").map_or("none".to_string(), |fields| fields.to_string());
        format!("`fields` must contain {lists} of types, one for each variant, found {found}")
    })?;
    let twice = (1..names.len()).find(|k| names[..*k].contains(&names[*k]));
    twice.map_or(Ok(()), |k| violates("C1", format!("variants must have different names, found {} twice", names[k])))
}

fn listed(op: Op, lookup: Lookup) -> Verdict {
    let mut open: Vec<Type> = alternatives(op).into_iter().flat_map(|a| a.1).collect();
    while let Some(ty) = open.pop() {
        data_of("C2", "a field", op, ty, lookup)?;
        open.extend(ty.parts());
    }
    Ok(())
}

/// The names of variants, and the types of their fields.
type Alternatives = Vec<(String, Vec<Type>)>;

/// Returns the variants of a type. `None` for types without variants, and if there is no module in which to look it up.
fn data_of(
    label: &'static str,
    what: &str,
    op: Op,
    ty: Type,
    lookup: Lookup,
) -> Result<Option<Alternatives>, Violation> {
    let (TypeKind::Data(name), Some(_)) = (TypeKind::of(ty), op.module()) else { return Ok(None) };
    match lookup(&name).filter(|d| d.kind() == Kind::LambdaData) {
        Some(data) => Ok(Some(alternatives(data))),
        None => violates(label, format!("{what} has type {ty}, but there is no such `lambda.data` in this module")),
    }
}

/// Returns [`data_of`] of a type that must have variants.
fn is_data(op: Op, what: &str, ty: Type, lookup: Lookup) -> Result<Option<Alternatives>, Violation> {
    match TypeKind::of(ty) {
        TypeKind::Data(_) => data_of("C1", what, op, ty, lookup),
        _ => violates("C1", format!("{what} must have a type `!lambda.data`, found {ty}")),
    }
}

fn make(op: Op, lookup: Lookup) -> Verdict {
    let Some(alternatives) = is_data(op, "the result", op.result(0).ty(), lookup)? else { return Ok(()) };
    let name = op.attribute("alternative").and_then(Attribute::as_string).unwrap_or_default();
    match alternatives.iter().find(|a| a.0 == name) {
        Some((_, fields)) => all_same("C2", "fields", fields, &op.operands()),
        None => {
            let names: Vec<&str> = alternatives.iter().map(|a| a.0.as_str()).collect();
            violates("C1", format!("there is no variant `{name}`; expected one of {}", names.join(", ")))
        }
    }
}

fn case(op: Case, lookup: Lookup) -> Verdict {
    let Some(alternatives) = is_data(*op, "`data`", op.data().ty(), lookup)? else { return Ok(()) };
    let names = op.alternatives();
    let wanted: Vec<String> = alternatives.iter().map(|a| a.0.clone()).collect();
    let quoted = |names: &[String]| match names {
        [] => "none".to_string(),
        _ => format!("`{}`", names.join("`, `")),
    };
    ensure(names == wanted && op.num_regions() == wanted.len(), "C1", || {
        let (wanted, found) = (quoted(&wanted), quoted(&names));
        format!("expected one region for each variant, in the order {wanted}; found {found}")
    })?;
    ensure(op.num_results() != 0, "C3", || "expected at least one result, found none")?;
    for ((name, fields), arm) in alternatives.iter().zip(op.arms().into_iter().filter_map(Region::first_block)) {
        all_same("C2", &format!("arguments of the region of `{name}`"), fields, &arm.arguments())?;
        let yielded = end(arm, Kind::LambdaYield.name(), "C3")?;
        all_same("C3", "values of `lambda.yield`", &types_of(&op.results()), &yielded)?;
    }
    Ok(())
}

//===-- higher order --------------------------------------------------------------------------------------------===//

fn map(op: Op) -> Verdict {
    let xs = &op.operands()[1..];
    let Some(first) = xs.first() else { return violates("C1", "expected at least one array or list, found none") };
    let function = is_function("C1", "`f`", operand(op, 0))?;
    if let Some((inputs, _)) = &function
        && inputs.len() != xs.len()
    {
        return violates("C1", format!("`f` must take {}, found {}", count(xs.len(), "element"), inputs.len()));
    }
    let result = op.result(0).ty();
    for (k, x) in xs.iter().enumerate() {
        let ty = x.ty();
        let element = match TypeKind::of(ty) {
            TypeKind::Any => continue,
            TypeKind::List(element) => element,
            TypeKind::Array(_) if first.ty().shape() == ty.shape() || TypeKind::of(first.ty()) == TypeKind::Any => {
                ty.scalar()
            }
            TypeKind::Array(_) => {
                return violates("C1", format!("all arrays must have the same shape, found {} and {ty}", first.ty()));
            }
            _ => return violates("C1", format!("expected an array or a list, found {ty}")),
        };
        if let Some((inputs, _)) = &function {
            same("C1", &format!("argument {k} of `f`"), element, inputs[k])?;
        }
    }
    let Some((_, element)) = function else { return Ok(()) };
    match (TypeKind::of(first.ty()), TypeKind::of(result)) {
        (TypeKind::List(_), _) => same("C2", "the result", types::list(element), result),
        (TypeKind::Array(_), TypeKind::Array(_)) => {
            let wanted = types::array(&first.ty().shape(), element).unwrap_or(element);
            same("C2", "the result", wanted, result)
        }
        (_, TypeKind::Any) | (TypeKind::Any, _) => Ok(()),
        _ => {
            let expected = "an array with the shape of the operands and the elements that `f` returns";
            violates("C2", format!("the result must be {expected}, found {result}"))
        }
    }
}

fn reduce(op: Op) -> Verdict {
    let (init, x) = (operand(op, 1), operand(op, 2));
    let dims = op.attribute("dims").and_then(Attribute::as_i64_array).unwrap_or_default();
    let TypeKind::Array(_) = TypeKind::of(x) else {
        return ensure(TypeKind::of(x) == TypeKind::Any, "C1", || format!("`x` must be an array, found {x}"));
    };
    let fits = dims.windows(2).all(|d| d[0] < d[1]) && dims.iter().all(|d| (0..x.rank() as i64).contains(d));
    ensure(fits, "C1", || format!("`dims` must be strictly increasing axes of {x}, counted from 0, found {dims:?}"))?;
    takes("C2", "`f`", operand(op, 0), &[init, x.scalar()], init)?;
    let shape = x.shape();
    let rest: Vec<_> = (0..shape.len()).filter(|k| !dims.contains(&(*k as i64))).map(|k| shape[k]).collect();
    let wanted = types::array(&rest, init).filter(|_| !rest.is_empty()).unwrap_or(init);
    same("C3", "the result", wanted, op.result(0).ty())
}

fn fold(op: Op) -> Verdict {
    let (init, result) = (operand(op, 1), op.result(0).ty());
    if op.kind() == Kind::LambdaFold && matches!(TypeKind::of(operand(op, 2)), TypeKind::Tuple(_)) {
        return same("C2", "the result", init, result);
    }
    let Some(row) = row("C1", "`xs`", operand(op, 2))? else { return Ok(()) };
    takes("C2", "`f`", operand(op, 0), &[init, row], init)?;
    if op.kind() == Kind::LambdaFold {
        return same("C2", "the result", init, result);
    }
    self::row("C2", "the result", result)?.map_or(Ok(()), |row| same("C2", "the values of the result", init, row))
}

fn walk(op: Op) -> Verdict {
    let records = op.operands()[1..].to_vec();
    let Some(first) = records.first() else { return violates("C1", "expected at least one record, found none") };
    for record in &records[1..] {
        same("C1", "all records", first.ty(), record.ty())?;
    }
    Ok(())
}

//===-- arrays --------------------------------------------------------------------------------------------------===//

/// Returns the type of the element or subarray at these indices of an array, or `None` while it is open.
fn at(op: Op, indices: &[Value]) -> Result<Option<Type>, Violation> {
    let array = operand(op, 0);
    if let Some(odd) = indices.iter().find(|i| !is_integer(i.ty()) && TypeKind::of(i.ty()) != TypeKind::Any) {
        return violates_by(("this index", *odd), "C1", format!("an index must be an integer, found {}", odd.ty()));
    }
    match TypeKind::of(array) {
        TypeKind::Any => Ok(None),
        TypeKind::Array(_) if array.rank() >= indices.len() => {
            Ok(Some(Type::array(&array.shape()[indices.len()..], array.scalar())))
        }
        _ => violates("C1", format!("`array` must have at least {}, found {array}", count(indices.len(), "axis"))),
    }
}

fn aset(op: Op) -> Verdict {
    let last = op.num_operands() - 1;
    same("C1", "`value`", at(op, &op.operands()[1..last])?, operand(op, last))?;
    same("C2", "the result", operand(op, 0), op.result(0).ty())
}

fn slices(op: Op, begins: &[Value], part: Type) -> Verdict {
    let array = operand(op, 0);
    at(op, begins)?;
    if TypeKind::of(array) == TypeKind::Any {
        return Ok(());
    }
    let strides = op.attribute("strides").and_then(Attribute::as_i64_array).unwrap_or_default();
    ensure(
        begins.len() == array.rank() && strides.len() == array.rank() && !strides.iter().any(|s| *s < 1),
        "C1",
        || {
            let found = count(begins.len(), "begin");
            format!(
                "expected a begin and a positive stride for each axis of {array}, found {found} and strides {strides:?}"
            )
        },
    )?;
    let fine = TypeKind::of(part) == TypeKind::Any || (part.rank() == array.rank() && part.scalar() == array.scalar());
    ensure(fine, "C2", || {
        let axes = count(array.rank(), "axis");
        format!("the slice must have {axes}, and elements of type {}, found {part}", array.scalar())
    })
}

fn slice_set(op: Op) -> Verdict {
    let last = op.num_operands() - 1;
    slices(op, &op.operands()[1..last], operand(op, last))?;
    same("C2", "the result", operand(op, 0), op.result(0).ty())
}

fn prim(op: Op) -> Verdict {
    let name = op.attribute("name").and_then(Attribute::as_string).unwrap_or_default();
    match primitives::function(&name) {
        None => violates("C1", format!("`name` must be the name of a primitive, found `{name}`")),
        Some(p) if p.arity != op.num_operands() => {
            violates("C1", format!("`{name}` must have {}, found {}", count(p.arity, "operand"), op.num_operands()))
        }
        Some(_) => Ok(()),
    }
}

fn check(op: Op) -> Verdict {
    let ok = operand(op, 0);
    same("C1", "`ok`", ok.context().scalar(Element::I1), ok)?;
    same("C2", "the result", operand(op, 1), op.result(0).ty())
}

fn opaque(op: Op) -> Verdict {
    let ty = operand(op, 0);
    ensure(TypeKind::of(ty) == TypeKind::Any || !ty.is_tensor() && ty.is_differentiable(), "C1", || {
        format!("`x` must be a float, found {ty}")
    })?;
    same("C1", "the result", ty, op.result(0).ty())
}

//===-- derivatives ---------------------------------------------------------------------------------------------===//

/// Returns the types of the arguments in `wrt`.
fn wrt(op: Op, inputs: &[Type], label: &'static str) -> Result<Vec<Type>, Violation> {
    let fail = |text: String| violates(label, text);
    let all = (0..inputs.len() as i64).collect();
    let default = if op.kind() == Kind::LambdaGrad { vec![0] } else { all };
    let wrt = op.attribute("wrt").and_then(Attribute::as_i64_array).unwrap_or(default);
    if wrt.windows(2).any(|w| w[0] >= w[1]) {
        return fail(format!("`wrt` must be a strictly increasing list of arguments, counted from 0, found {wrt:?}"));
    }
    if wrt.is_empty() && op.kind() == Kind::LambdaGrad {
        return fail("`wrt` must name at least one argument, found none".into());
    }
    let named = |k: &i64| usize::try_from(*k).ok().and_then(|k| inputs.get(k)).copied();
    match wrt.iter().find(|k| named(k).is_none()) {
        Some(k) => {
            let arguments = count(inputs.len(), "argument");
            fail(format!("`wrt` names argument {k}, counted from 0, but `f` has {arguments}"))
        }
        None => Ok(wrt.iter().filter_map(named).collect()),
    }
}

/// Returns one type, or the tuple of several.
fn packed(op: Op, types: Vec<Type>) -> Type {
    if let [ty] = types[..] { ty } else { op.context().tuple(&types) }
}

fn is_scalar(label: &'static str, result: Type) -> Verdict {
    ensure(TypeKind::of(result) == TypeKind::Any || (result.is_differentiable() && !result.is_tensor()), label, || {
        format!("grad-of-non-scalar: `f` must have one float as its result, found {result}")
    })
}

fn grad(op: Op) -> Verdict {
    let Some((inputs, result)) = is_function("C1", "`f`", operand(op, 0))? else { return Ok(()) };
    is_scalar("C1", result)?;
    let chosen = wrt(op, &inputs, "C2")?;
    let positions = op.attribute("wrt").and_then(Attribute::as_i64_array).unwrap_or(vec![0]);
    if let Some((odd, k)) = chosen.iter().zip(positions).find(|(t, _)| !types::is_differentiable(**t)) {
        let text = format!("argument #{k} of `f`, which `wrt` selects, must contain a float, found type {odd}");
        return violates("C2", format!("grad-of-non-differentiable: {text}"));
    }
    let gradient = packed(op, chosen.into_iter().map(types::tangent).collect());
    let value = op.attribute("value").is_some();
    let given = if value { op.context().tuple(&[result, gradient]) } else { gradient };
    takes("C3", "`g`", op.result(0).ty(), &inputs, given)
}

fn vjp(op: Op) -> Verdict {
    let Some((inputs, result)) = is_function("C1", "`f`", operand(op, 0))? else { return Ok(()) };
    let chosen = wrt(op, &inputs, "C2")?;
    let sensitivities = packed(op, chosen.into_iter().map(types::tangent).collect());
    let back = types::function(&[types::tangent(result)], sensitivities);
    takes("C3", "`g`", op.result(0).ty(), &inputs, op.context().tuple(&[result, back]))
}

fn jvp(op: Op) -> Verdict {
    let Some((inputs, result)) = is_function("C1", "`f`", operand(op, 0))? else { return Ok(()) };
    let is_data = |t: &Type| !matches!(TypeKind::of(*t), TypeKind::Function(..));
    if let Some(odd) = inputs.iter().chain([&result]).find(|t| !is_data(t)) {
        return violates("C1", format!("no argument or result of `f` may be a function, found one of type {odd}"));
    }
    let tangents = inputs.iter().map(|t| types::tangent(*t));
    let all: Vec<Type> = inputs.iter().copied().chain(tangents).collect();
    takes("C2", "`g`", op.result(0).ty(), &all, op.context().tuple(&[result, types::tangent(result)]))
}

fn hvp(op: Op) -> Verdict {
    let Some((inputs, result)) = is_function("C1", "`f`", operand(op, 0))? else { return Ok(()) };
    is_scalar("C1", result)?;
    let wrt = op.attribute("wrt").and_then(Attribute::as_i64).unwrap_or(0);
    let selected = usize::try_from(wrt).ok().and_then(|k| inputs.get(k)).copied();
    let Some(chosen) = selected.filter(|t| types::is_differentiable(*t)).map(types::tangent) else {
        let found = match selected {
            Some(ty) => format!("argument #{wrt} has type {ty}"),
            None => format!("there is no argument #{wrt}"),
        };
        return violates("C2", format!("`wrt` must select an argument of `f` that contains a float; {found}"));
    };
    takes("C3", "`g`", op.result(0).ty(), &[inputs.as_slice(), &[chosen]].concat(), chosen)
}

/// Checks that two operands and the result have the same type.
fn sum(op: Op) -> Verdict {
    same("C1", "`b`", operand(op, 0), operand(op, 1))?;
    same("C1", "the result", operand(op, 0), op.result(0).ty())
}

fn env_get(op: Op) -> Verdict {
    is("C1", "`env`", "env", operand(op, 0))?;
    same("C1", "the result", operand(op, 1), op.result(0).ty())
}

//===-- pullbacks -----------------------------------------------------------------------------------------------===//

/// Returns the argument and the yielded value of a region with one of each.
fn map_of(body: Block) -> Result<(Value, Value), Violation> {
    match (&body.arguments()[..], &end(body, Kind::LambdaYield.name(), "C1")?[..]) {
        ([x], [y]) => Ok((*x, *y)),
        (x, y) => {
            let (n, m) = (count(x.len(), "argument"), count(y.len(), "value"));
            violates("C1", format!("the region must have one argument and yield one value, found {n} and {m}"))
        }
    }
}

fn form(on: Type) -> Type {
    types::function(&[on], types::functionals(on))
}

fn pullback(op: Pullback) -> Verdict {
    let (x, y) = map_of(op.body())?;
    same("C2", "`form`", form(y.ty()), op.form().ty())?;
    same("C2", "the result", form(x.ty()), op.result(0).ty())
}

fn dual(op: Dual) -> Verdict {
    let (x, y) = map_of(op.body())?;
    same("C2", "`functional`", types::functionals(y.ty()), op.functional().ty())?;
    same("C2", "the result", types::functionals(x.ty()), op.result(0).ty())?;
    super::linear::check(op.body(), x)
}

fn jacobian(op: Op, lookup: Lookup) -> Verdict {
    let Some((inputs, results)) = callee("C1", op, lookup)? else { return Ok(()) };
    let ([input], [result]) = (&inputs[..], &results[..]) else {
        let (n, m) = (count(inputs.len(), "argument"), count(results.len(), "result"));
        return violates("C1", format!("`callee` must have one argument and one result, found {n} and {m}"));
    };
    same("C1", "`direction`", *input, operand(op, 0))?;
    takes("C2", "`y`", op.result(0).ty(), &[*input], *result)
}

fn pair_with(op: Op) -> Verdict {
    same("C1", "`functional`", types::functionals(operand(op, 1)), operand(op, 0))?;
    same("C1", "the result", op.context().scalar(Element::F64), op.result(0).ty())
}

//===-- random numbers, effects, messages -----------------------------------------------------------------------===//

fn seed(op: Op) -> Verdict {
    same("C1", "`seed`", op.context().scalar(Element::I64), operand(op, 0))?;
    is("C1", "the result", "rng", op.result(0).ty())
}

fn draw(op: Op) -> Verdict {
    is("C1", "`state`", "rng", operand(op, 0))?;
    match TypeKind::of(op.result(0).ty()) {
        TypeKind::Any => Ok(()),
        TypeKind::Tuple(parts)
            if parts.len() == 2
                && matches!(parts[0].element(), Some(Element::F32 | Element::F64))
                && parts[0].is_differentiable()
                && !parts[0].shape().contains(&None) =>
        {
            is("C1", "the second result", "rng", parts[1])
        }
        _ => {
            let expected = "`tuple<T, !lambda.rng>`, where `T` is f32, f64 or an array of these with static sizes";
            violates("C1", format!("the result must have type {expected}, found {}", op.result(0).ty()))
        }
    }
}

fn split(op: Op) -> Verdict {
    let rng = types::plain(op.context(), "rng");
    is("C1", "`state`", "rng", operand(op, 0))?;
    same("C1", "the result", op.context().tuple(&[rng, rng]), op.result(0).ty())
}

/// Checks (C1) of ops that take a token and return a tuple of a value and the next token. Returns the type of the
/// value, or `None` while it is open.
fn with_token(op: Op) -> Result<Option<Type>, Violation> {
    is("C1", "`token`", "token", operand(op, 0))?;
    match TypeKind::of(op.result(0).ty()) {
        TypeKind::Any => Ok(None),
        TypeKind::Tuple(parts) if parts.len() == 2 => {
            is("C1", "the second value of the result", "token", parts[1])?;
            Ok(Some(parts[0]))
        }
        _ => violates("C1", format!("the result must be a tuple of a value and a token, found {}", op.result(0).ty())),
    }
}

/// Checks whether a name is a device: `cpu:0`, `gpu:1`; `cpu` is `cpu:0`.
pub fn is_device(name: &str) -> bool {
    let (kind, number) = name.split_once(':').unwrap_or((name, "0"));
    matches!(kind, "cpu" | "gpu") && number.parse::<u16>().is_ok()
}

fn device(op: Op, attribute: &str, label: &'static str) -> Verdict {
    match op.attribute(attribute).and_then(Attribute::as_string) {
        Some(name) if !is_device(&name) => {
            violates(label, format!("`{attribute}` must be a device, `cpu:N` or `gpu:N`, found `{name}`"))
        }
        _ => Ok(()),
    }
}

fn channel(op: Op) -> Verdict {
    if let Some(ty) = with_token(op)? {
        is("C1", "the first value of the result", "chan", ty)?;
    }
    let buffer = op.attribute("buffer").and_then(Attribute::as_i64).unwrap_or(0);
    ensure(buffer >= 0, "C2", || format!("`buffer` must not be negative, found {buffer}"))?;
    device(op, "dest", "C2")
}

fn send(op: Op) -> Verdict {
    all_are(op, 1, "token")?;
    same("C2", "`channel`", types::chan(operand(op, 2)), operand(op, 1))
}

/// Checks `lambda.recv` and `lambda.join`, which take a value from a channel or a task.
fn taken(op: Op, from: &str) -> Verdict {
    let Some(ty) = with_token(op)? else { return Ok(()) };
    let wanted = if from == "chan" { types::chan(ty) } else { types::task(ty) };
    let what = if from == "chan" { "`channel`" } else { "`task`" };
    same("C2", what, wanted, operand(op, 1))
}

fn close(op: Op) -> Verdict {
    all_are(op, 1, "token")?;
    is("C2", "`channel`", "chan", operand(op, 1))
}

fn spawn(op: Op) -> Verdict {
    let handle = with_token(op)?;
    device(op, "device", "C3")?;
    if op.attribute("callee").is_some() {
        return Ok(());
    }
    let Some(f) = op.operands().get(1).copied() else {
        return violates("C2", "expected a function, as an operand or as `callee`, found none");
    };
    let Some((inputs, result)) = is_function("C2", "the function", f.ty())? else { return Ok(()) };
    runs(op, handle, (&inputs, result), &op.operands()[2..])
}

/// Checks the function of the module that a task runs.
fn started(op: Op, lookup: Lookup) -> Verdict {
    if op.attribute("callee").is_none() {
        return Ok(());
    }
    let Some((inputs, results)) = callee("C2", op, lookup)? else { return Ok(()) };
    let [result] = results[..] else {
        return violates("C2", format!("`callee` must have one result, found {}", results.len()));
    };
    runs(op, with_token(op)?, (&inputs, result), &op.operands()[1..])
}

/// Checks (C2) of `lambda.spawn`, for a function of this type.
fn runs(op: Op, handle: Option<Type>, (inputs, result): (&[Type], Type), given: &[Value]) -> Verdict {
    all_same("C2", "arguments of the function", inputs, &[&[op.operand(0)], given].concat())?;
    handle.map_or(Ok(()), |handle| same("C2", "the task", types::task(result), handle))
}

fn transfer(op: Op) -> Verdict {
    same("C1", "the result", operand(op, 0), op.result(0).ty())?;
    device(op, "device", "C1")
}
