//! Types of the functional language, and the types that derive from them: the types of tangents, and the types of
//! values that the transform J produces (`spec/functional.md` A.2, B.1).

use crate::ir::{Attribute, Context, Dim, Type};
use crate::value::Element;

/// The kind of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// A type that is not known yet.
    Any,
    Unit,
    /// A scalar, or an array of at least one axis.
    Array(Element),
    Tuple(Vec<Type>),
    /// Its name, and its fields.
    Record(String, Vec<(String, Type)>),
    List(Type),
    Function(Vec<Type>, Type),
    Env,
    String,
    Rng,
    Token,
    Chan(Type),
    Task(Type),
    Dual(Type),
    /// The name of its `lambda.data`.
    Data(String),
    /// A type outside this language.
    Foreign,
}

impl TypeKind {
    pub fn of(ty: Type) -> TypeKind {
        match ty.name() {
            "builtin.none" => TypeKind::Unit,
            "builtin.tuple" => TypeKind::Tuple(ty.parts()),
            "builtin.function" => match ty.signature() {
                Some((inputs, results)) if results.len() == 1 => TypeKind::Function(inputs, results[0]),
                _ => TypeKind::Foreign,
            },
            "lambda.any" => TypeKind::Any,
            "lambda.env" => TypeKind::Env,
            "lambda.str" => TypeKind::String,
            "lambda.rng" => TypeKind::Rng,
            "lambda.token" => TypeKind::Token,
            "lambda.list" => TypeKind::List(ty.parts()[0]),
            "lambda.chan" => TypeKind::Chan(ty.parts()[0]),
            "lambda.task" => TypeKind::Task(ty.parts()[0]),
            "lambda.dual" => TypeKind::Dual(ty.parts()[0]),
            "lambda.data" => {
                let symbol = ty.attributes().into_iter().find_map(Attribute::as_symbol);
                TypeKind::Data(symbol.unwrap_or_default())
            }
            "lambda.record" => {
                let mut names = ty.attributes().into_iter().filter_map(Attribute::as_string);
                let name = names.next().unwrap_or_default();
                TypeKind::Record(name, names.zip(ty.parts()).collect())
            }
            _ => match ty.element() {
                Some(element) if ty.is_tensor() || ty.scalar() == ty => TypeKind::Array(element),
                _ => TypeKind::Foreign,
            },
        }
    }
}

/// Returns a type of this dialect with one type parameter: `list`, `chan`, `task`, `dual`.
pub fn of(name: &str, element: Type) -> Type {
    element.context().ty(&format!("!lambda.{name}<none>")).with_parts(&[element])
}

pub fn list(element: Type) -> Type {
    of("list", element)
}

pub fn chan(element: Type) -> Type {
    of("chan", element)
}

pub fn task(result: Type) -> Type {
    of("task", result)
}

pub fn functionals(on: Type) -> Type {
    of("dual", on)
}

/// Returns the type of the values of a `lambda.data`.
pub fn data(context: Context, symbol: &str) -> Type {
    context.ty(&format!("!lambda.data<{}>", context.symbol_attr(symbol)))
}

/// Returns a type of this dialect without parameters: `any`, `env`, `rng`, `str`, `token`.
pub fn plain(context: Context, name: &str) -> Type {
    context.ty(&format!("!lambda.{name}"))
}

pub fn any(context: Context) -> Type {
    plain(context, "any")
}

pub fn record(context: Context, name: &str, fields: &[(String, Type)]) -> Type {
    let mut text = format!("!lambda.record<{}", context.string_attr(name));
    for (field, _) in fields {
        text += &format!(", {}: none", context.string_attr(field));
    }
    context.ty(&(text + ">")).with_parts(&fields.iter().map(|f| f.1).collect::<Vec<_>>())
}

/// Returns the function type `(inputs) -> result`.
pub fn function(inputs: &[Type], result: Type) -> Type {
    result.context().function_type(inputs, &[result])
}

/// Returns the type of tangents of values of this type (`spec/functional.md` A.2): floats and arrays of floats are
/// their own tangent types, that of discrete types is `none`, and that of a function is the environment of its
/// captures.
pub fn tangent(ty: Type) -> Type {
    let context = ty.context();
    match TypeKind::of(ty) {
        TypeKind::Any => ty,
        TypeKind::Array(element) if element.is_float() => ty.with_encoding(None),
        TypeKind::Tuple(parts) => context.tuple(&parts.into_iter().map(tangent).collect::<Vec<_>>()),
        TypeKind::Record(..) => ty.with_parts(&ty.parts().into_iter().map(tangent).collect::<Vec<_>>()),
        TypeKind::List(element) => list(tangent(element)),
        TypeKind::Function(..) | TypeKind::Env => plain(context, "env"),
        TypeKind::Dual(on) => tangent(on),
        _ => context.unit(),
    }
}

/// Returns the type of transformed values (`spec/functional.md` B.1): `(A…) -> R` becomes `(J A…) -> tuple<J R, (T R)
/// -> tuple<env, T A…>>`.
pub fn transformed(ty: Type) -> Type {
    let context = ty.context();
    match TypeKind::of(ty) {
        TypeKind::Function(inputs, result) => {
            let augmented: Vec<Type> = inputs.iter().map(|t| transformed(*t)).collect();
            function(&augmented, context.tuple(&[transformed(result), backpropagator(&inputs, result)]))
        }
        TypeKind::Tuple(_) | TypeKind::Record(..) | TypeKind::List(_) => {
            ty.with_parts(&ty.parts().into_iter().map(transformed).collect::<Vec<_>>())
        }
        _ => ty,
    }
}

/// Returns the type of the backpropagator of a function: from the cotangent of its result to those of itself and of
/// its arguments.
pub fn backpropagator(inputs: &[Type], result: Type) -> Type {
    let context = result.context();
    let mut sensitivities = vec![plain(context, "env")];
    sensitivities.extend(inputs.iter().map(|t| tangent(*t)));
    function(&[tangent(result)], context.tuple(&sensitivities))
}

/// Checks whether values of this type contain a float, so that a gradient in them is defined.
pub fn is_differentiable(ty: Type) -> bool {
    match TypeKind::of(ty) {
        TypeKind::Any | TypeKind::Function(..) => true,
        TypeKind::Array(element) => element.is_float(),
        TypeKind::Tuple(_) | TypeKind::Record(..) | TypeKind::List(_) => ty.parts().into_iter().any(is_differentiable),
        _ => false,
    }
}

/// Checks whether no part of the type is open.
pub fn is_closed(ty: Type) -> bool {
    TypeKind::of(ty) != TypeKind::Any && (ty.is_tensor() || ty.parts().into_iter().all(is_closed))
}

/// Checks whether two types may be the same: open types fit everything, and the structure of matrices is ignored.
pub fn fits(a: Type, b: Type) -> bool {
    if a == b || TypeKind::of(a) == TypeKind::Any || TypeKind::of(b) == TypeKind::Any {
        return true;
    }
    if a.is_tensor() && b.is_tensor() {
        return a.with_encoding(None) == b.with_encoding(None);
    }
    let (x, y) = (a.parts(), b.parts());
    !x.is_empty()
        && x.len() == y.len()
        && a.name() == b.name()
        && a.attributes() == b.attributes()
        && match (a.signature(), b.signature()) {
            (Some((a, _)), Some((b, _))) => a.len() == b.len(),
            _ => true,
        }
        && x.into_iter().zip(y).all(|(x, y)| fits(x, y))
}

/// Returns the type of an array of these leading sizes, whose elements have the scalar or array type `element`. `None`
/// for other element types.
pub fn array(shape: &[Dim], element: Type) -> Option<Type> {
    matches!(TypeKind::of(element), TypeKind::Array(_)).then(|| {
        let inner = element.shape();
        Type::array(&[shape, inner.as_slice()].concat(), element.scalar())
    })
}
