//! The layout of values in machine code. Each value is a list of parts, which are numbers or pointers. In memory, every
//! part takes one word.

use crate::ir::*;
use mlopt_dialects::lambda::types::TypeKind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    Number(Type),
    /// A pointer to its sizes, a word for each axis, followed by its elements in row-major order.
    Array(Type),
    /// Null, or a pointer to the parts of the head and the tail, a word for each. The type is that of its elements.
    List(Type),
    /// `2k + 1` for variant `k` without fields, or a pointer to `k` and the parts of the fields. The string is the name
    /// of the type.
    Data(String),
}

impl Leaf {
    /// Returns the type in LLVM.
    pub fn wire(&self, ctx: Context) -> Type {
        match self {
            Leaf::Number(ty) if ty.is_index() => ctx.int(64),
            Leaf::Number(ty) => *ty,
            _ => ctx.ptr(),
        }
    }
}

/// Returns the parts of values of a type, or `None` if it has no form in machine code.
pub fn leaves(ty: Type) -> Option<Vec<Leaf>> {
    Some(match TypeKind::of(ty) {
        TypeKind::Unit | TypeKind::Token => vec![],
        TypeKind::Array(_) if ty.is_tensor() => vec![Leaf::Array(ty)],
        TypeKind::Array(_) => vec![Leaf::Number(ty)],
        TypeKind::Tuple(_) | TypeKind::Record(..) => {
            components(ty).into_iter().map(leaves).collect::<Option<Vec<_>>>()?.concat()
        }
        TypeKind::List(ty) => vec![Leaf::List(ty)],
        // The key, the stream, the next block, and the number of splits from which it comes.
        TypeKind::Rng => vec![Leaf::Number(ty.context().int(64)); 4],
        TypeKind::Data(name) => vec![Leaf::Data(name)],
        // Its number.
        TypeKind::Chan(ty) | TypeKind::Task(ty) => leaves(ty).map(|_| vec![Leaf::Number(ty.context().int(64))])?,
        _ => return None,
    })
}

/// Returns the types of the components of a tuple or record.
fn components(ty: Type) -> Vec<Type> {
    match TypeKind::of(ty) {
        TypeKind::Tuple(types) => types,
        TypeKind::Record(_, fields) => fields.into_iter().map(|(_, ty)| ty).collect(),
        _ => vec![],
    }
}

/// Returns the number of parts before component `k` of a tuple or record, and the number of its parts.
pub fn component(ty: Type, k: usize) -> (usize, usize) {
    let types = components(ty);
    let count = |ty: &Type| leaves(*ty).map_or(0, |parts| parts.len());
    (types[..k].iter().map(count).sum(), count(&types[k]))
}

/// Returns the position of a field.
pub fn field(ty: Type, name: &str) -> usize {
    let fields = if let TypeKind::Record(_, fields) = TypeKind::of(ty) { fields } else { vec![] };
    fields.iter().position(|(n, _)| n == name).expect("verified: the record has the field")
}
