//! The types of the arguments of a call, as determined by their data: element types, ranks, sizes and structure.

use mlopt_dialects::ir::Type;
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::value::Element;
use mlopt_frontend::mlir::{list, quoted};
use std::fmt;

/// The type of a value, determined by its data and by the declared type of its parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Abstract {
    /// An unknown type: that of a parameter without a type, or of the elements of an empty list.
    Open,
    Unit,
    Number(Element),
    /// An array; a size is `None` if it is dynamic.
    Array(Element, Vec<Option<usize>>),
    Tuple(Vec<Abstract>),
    /// A record: its name, and its fields.
    Record(String, Vec<(String, Abstract)>),
    List(Box<Abstract>),
    Random,
    /// A type that is not a type of data, in MLIR syntax.
    Other(String),
}

/// A reason why a value is not an argument of machine code for its parameter. The message lacks the error code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    #[error("expected {expected}, found {found}")]
    Type { expected: Abstract, found: String },
    #[error("all values of a list must have the same type, found {first} and {other}")]
    MixedList { first: Abstract, other: Abstract },
    #[error("machine code cannot take {kind} as an argument")]
    Value { kind: String },
    #[error("machine code cannot take a parameter of type {ty}")]
    Parameter { ty: String },
}

impl Unfit {
    /// Returns the error code.
    pub fn code(&self) -> &'static str {
        match self {
            Unfit::Type { .. } | Unfit::MixedList { .. } => "type-mismatch",
            Unfit::Value { .. } | Unfit::Parameter { .. } => "not supported",
        }
    }
}

impl Abstract {
    /// Returns the declared type of a parameter, without the structure of matrices.
    pub fn declared(ty: Type) -> Abstract {
        match TypeKind::of(ty) {
            TypeKind::Any => Abstract::Open,
            TypeKind::Unit => Abstract::Unit,
            TypeKind::Array(element) if ty.is_tensor() => Abstract::Array(element, ty.shape()),
            TypeKind::Array(element) => Abstract::Number(element),
            TypeKind::Tuple(parts) => Abstract::Tuple(parts.into_iter().map(Abstract::declared).collect()),
            TypeKind::Record(name, fields) => {
                Abstract::Record(name, fields.into_iter().map(|(f, ty)| (f, Abstract::declared(ty))).collect())
            }
            TypeKind::List(ty) => Abstract::List(Box::new(Abstract::declared(ty))),
            TypeKind::Rng => Abstract::Random,
            _ => Abstract::Other(ty.to_string()),
        }
    }

    /// Returns the type of a value for a parameter of declared type `declared`. Open parts are taken from the value.
    ///
    /// # Errors
    /// The value does not have the declared type, or is not data.
    pub fn of(value: &Value, declared: &Abstract) -> Result<Abstract, Unfit> {
        let wrong = || Unfit::Type { expected: declared.clone(), found: value.kind() };
        let array = value.as_array();
        Ok(match (declared, value) {
            (Abstract::Open, Value::Tuple(parts)) => {
                Abstract::Tuple(parts.iter().map(known).collect::<Result<_, _>>()?)
            }
            (Abstract::Open, Value::Record(names, parts)) => {
                let field = |(name, value): (&String, &Value)| Ok((name.clone(), known(value)?));
                let fields = names.fields.iter().zip(parts.iter()).map(field).collect::<Result<_, Unfit>>()?;
                Abstract::Record(names.record.clone(), fields)
            }
            (Abstract::Open, Value::List(list)) => Abstract::List(Box::new(common(list.iter(), &Abstract::Open)?)),
            (Abstract::Open | Abstract::Unit, Value::Unit) => Abstract::Unit,
            (Abstract::Open | Abstract::Random, Value::Rng(_)) => Abstract::Random,
            (Abstract::Open, _) => match array {
                Some(x) if x.rank() == 0 => Abstract::Number(x.element()),
                Some(x) => Abstract::Array(x.element(), x.shape().iter().copied().map(Some).collect()),
                None => return Err(Unfit::Value { kind: value.kind() }),
            },
            (Abstract::Number(element), _) => match array {
                Some(x) if x.rank() == 0 && x.element() == *element => declared.clone(),
                _ => return Err(wrong()),
            },
            (Abstract::Array(element, sizes), _) => {
                let fits =
                    |x: &[usize]| sizes.len() == x.len() && sizes.iter().zip(x).all(|(s, n)| s.is_none_or(|s| s == *n));
                match array {
                    Some(x) if x.element() == *element && fits(x.shape()) => declared.clone(),
                    _ => return Err(wrong()),
                }
            }
            (Abstract::Tuple(types), Value::Tuple(parts)) if types.len() == parts.len() => {
                let parts = parts.iter().zip(types).map(|(v, ty)| Abstract::of(v, ty));
                Abstract::Tuple(parts.collect::<Result<_, _>>()?)
            }
            (Abstract::Record(name, fields), Value::Record(names, parts))
                if *name == names.record && fields.iter().map(|f| &f.0).eq(&names.fields) =>
            {
                let field =
                    |((name, ty), value): (&(String, Abstract), &Value)| Ok((name.clone(), Abstract::of(value, ty)?));
                let fields = fields.iter().zip(parts.iter()).map(field).collect::<Result<_, Unfit>>()?;
                Abstract::Record(name.clone(), fields)
            }
            (Abstract::List(ty), Value::List(list)) => Abstract::List(Box::new(common(list.iter(), ty)?)),
            (Abstract::Other(ty), _) => return Err(Unfit::Parameter { ty: ty.clone() }),
            _ => return Err(wrong()),
        })
    }

    /// Returns the least type that contains the values of both, which may differ in sizes only; otherwise `None`.
    pub fn join(&self, other: &Abstract) -> Option<Abstract> {
        Some(match (self, other) {
            (Abstract::Open, ty) | (ty, Abstract::Open) => ty.clone(),
            (Abstract::Array(a, x), Abstract::Array(b, y)) if a == b && x.len() == y.len() => {
                Abstract::Array(*a, x.iter().zip(y).map(|(n, m)| n.filter(|_| n == m)).collect())
            }
            (Abstract::Tuple(x), Abstract::Tuple(y)) => Abstract::Tuple(join_all(x, y)?),
            (Abstract::Record(name, x), Abstract::Record(other, y)) if name == other && x.len() == y.len() => {
                let field = |((f, x), (g, y)): (&(String, Abstract), &(String, Abstract))| {
                    (f == g).then(|| Some((f.clone(), x.join(y)?)))?
                };
                Abstract::Record(name.clone(), x.iter().zip(y).map(field).collect::<Option<_>>()?)
            }
            (Abstract::List(x), Abstract::List(y)) => Abstract::List(Box::new(x.join(y)?)),
            _ => (self == other).then(|| self.clone())?,
        })
    }

    /// Checks whether code for this type accepts all values of the other one.
    pub fn covers(&self, other: &Abstract) -> bool {
        self.join(other).is_some_and(|both| both == *self)
    }

    /// Returns the number of dynamic sizes.
    pub fn unknown_sizes(&self) -> usize {
        match self {
            Abstract::Array(_, sizes) => sizes.iter().filter(|n| n.is_none()).count(),
            _ => self.parts().into_iter().map(Abstract::unknown_sizes).sum(),
        }
    }

    pub fn is_closed(&self) -> bool {
        *self != Abstract::Open && self.parts().into_iter().all(Abstract::is_closed)
    }

    /// Returns the type with all sizes dynamic that the parameter leaves open.
    pub fn of_any_size(&self, declared: &Abstract) -> Abstract {
        let each = |x: &[Abstract], y: &[Abstract]| x.iter().zip(y).map(|(x, y)| x.of_any_size(y)).collect();
        match (self, declared) {
            (Abstract::Array(element, sizes), Abstract::Open) => Abstract::Array(*element, vec![None; sizes.len()]),
            (Abstract::Tuple(x), Abstract::Open) => {
                Abstract::Tuple(x.iter().map(|x| x.of_any_size(&Abstract::Open)).collect())
            }
            (Abstract::Tuple(x), Abstract::Tuple(y)) => Abstract::Tuple(each(x, y)),
            (Abstract::Record(name, x), declared) => {
                let of = |k: usize| match declared {
                    Abstract::Record(_, y) => &y[k].1,
                    _ => declared,
                };
                let fields = x.iter().enumerate().map(|(k, (f, x))| (f.clone(), x.of_any_size(of(k))));
                Abstract::Record(name.clone(), fields.collect())
            }
            (Abstract::List(x), Abstract::Open) => Abstract::List(Box::new(x.of_any_size(&Abstract::Open))),
            (Abstract::List(x), Abstract::List(y)) => Abstract::List(Box::new(x.of_any_size(y))),
            _ => self.clone(),
        }
    }

    fn parts(&self) -> Vec<&Abstract> {
        match self {
            Abstract::Tuple(parts) => parts.iter().collect(),
            Abstract::Record(_, fields) => fields.iter().map(|f| &f.1).collect(),
            Abstract::List(ty) => vec![ty],
            _ => vec![],
        }
    }
}

/// Applies [`Abstract::join`] to types pairwise.
pub fn join_all(x: &[Abstract], y: &[Abstract]) -> Option<Vec<Abstract>> {
    if x.len() != y.len() {
        return None;
    }
    x.iter().zip(y).map(|(x, y)| x.join(y)).collect()
}

/// Returns the type of a value of which nothing is declared.
pub fn known(value: &Value) -> Result<Abstract, Unfit> {
    Abstract::of(value, &Abstract::Open)
}

/// Returns the common type of the values of a list.
fn common<'v>(values: impl Iterator<Item = &'v Value>, declared: &Abstract) -> Result<Abstract, Unfit> {
    let mut all = declared.clone();
    let mut before: Option<Abstract> = None;
    for value in values {
        let ty = Abstract::of(value, declared)?;
        all = match before {
            None => ty,
            Some(first) => first.join(&ty).ok_or(Unfit::MixedList { first, other: ty })?,
        };
        before = Some(all.clone());
    }
    Ok(all)
}

/// Prints the type in MLIR syntax.
impl fmt::Display for Abstract {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Abstract::Open => f.write_str("!lambda.any"),
            Abstract::Unit => f.write_str("none"),
            Abstract::Number(element) => write!(f, "{element}"),
            Abstract::Array(element, sizes) => {
                f.write_str("tensor<")?;
                for n in sizes {
                    match n {
                        Some(n) => write!(f, "{n}x")?,
                        None => f.write_str("?x")?,
                    }
                }
                write!(f, "{element}>")
            }
            Abstract::Tuple(parts) => write!(f, "tuple<{}>", list(parts)),
            Abstract::Record(name, fields) => {
                write!(f, "!lambda.record<{}", quoted(name))?;
                fields.iter().try_for_each(|(field, ty)| write!(f, ", {}: {ty}", quoted(field)))?;
                f.write_str(">")
            }
            Abstract::List(ty) => write!(f, "!lambda.list<{ty}>"),
            Abstract::Random => f.write_str("!lambda.rng"),
            Abstract::Other(ty) => f.write_str(ty),
        }
    }
}
