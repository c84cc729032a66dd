//! Values of the functional language as trees whose leaves are scalars and arrays.

use mlopt_dialects::ir::{Type, Value, types_of};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::value::Element;
use std::cell::RefCell;
use std::rc::Rc;

/// The conversion of a value.
#[derive(Clone, Debug)]
pub enum Tree {
    One(Value),
    /// A tuple, a record, or nothing: units and tokens have no contents at run time.
    Many(Rc<[Tree]>),
    List(List),
    /// A value that is not known yet, while a loop is executed to count its iterations.
    Missing,
}

#[derive(Clone, Debug)]
pub enum List {
    /// A list of these values, from the head on.
    Known(Rc<[Tree]>),
    Stack(Stack),
    /// A list whose element form is being determined: the first prepended value.
    Probe(Rc<RefCell<Option<Tree>>>),
}

/// A list as an array for each leaf of its values, with the last value of the list in row 0, and with room for more.
#[derive(Clone, Debug)]
pub struct Stack {
    pub arrays: Rc<[Value]>,
    /// The number of used rows, an `index`.
    pub length: Value,
    /// The type of the values.
    pub element: Type,
    /// A value with the form of all of them, if the type does not determine it: lists in a list have the same room.
    pub template: Option<Rc<Tree>>,
    /// The number of rows, an `index`.
    pub room: Value,
    /// A lower bound of the remaining room in values; in the form of a carried value, per iteration.
    pub spare: i64,
    /// In such a form, the lower bound after the loop.
    pub behind: i64,
}

impl Stack {
    /// Creates a list without room for more.
    pub fn new(arrays: Rc<[Value]>, length: Value, room: Value, element: Type) -> Stack {
        Stack { arrays, length, element, template: None, room, spare: 0, behind: 0 }
    }
}

impl Tree {
    pub fn unit() -> Tree {
        Tree::Many(Rc::new([]))
    }

    /// Returns the value of a scalar or an array.
    pub fn one(&self) -> Value {
        let Tree::One(value) = self else { panic!("internal error: expected a scalar or an array, found {self:?}") };
        *value
    }

    /// Returns element `k` of a tuple or a record.
    pub fn part(&self, k: usize) -> Tree {
        let Tree::Many(parts) = self else { panic!("internal error: expected a tuple, found {self:?}") };
        parts[k].clone()
    }

    /// Returns a tuple or record with element `k` replaced.
    pub fn with(&self, k: usize, part: Tree) -> Tree {
        let Tree::Many(parts) = self else { panic!("internal error: expected a tuple, found {self:?}") };
        let mut parts = parts.to_vec();
        parts[k] = part;
        Tree::Many(parts.into())
    }

    /// Returns all values, in order.
    pub fn leaves(&self) -> Vec<Value> {
        let mut all = Vec::new();
        self.collect(&mut all);
        all
    }

    fn collect(&self, all: &mut Vec<Value>) {
        match self {
            Tree::Missing | Tree::List(List::Probe(_)) => {}
            Tree::One(value) => all.push(*value),
            Tree::Many(parts) | Tree::List(List::Known(parts)) => parts.iter().for_each(|p| p.collect(all)),
            Tree::List(List::Stack(stack)) => {
                all.extend(stack.arrays.iter());
                all.push(stack.length);
            }
        }
    }

    /// Returns the same tree with other values.
    pub fn rebuilt(&self, values: &mut dyn Iterator<Item = Value>) -> Tree {
        let mut next = |_: &Value| values.next().expect("one for each leaf");
        match self {
            Tree::Missing | Tree::List(List::Probe(_)) => self.clone(),
            Tree::One(value) => Tree::One(next(value)),
            Tree::Many(parts) => Tree::Many(parts.iter().map(|p| p.rebuilt(values)).collect()),
            Tree::List(List::Known(parts)) => {
                Tree::List(List::Known(parts.iter().map(|p| p.rebuilt(values)).collect()))
            }
            Tree::List(List::Stack(stack)) => {
                let arrays = stack.arrays.iter().map(&mut next).collect();
                let length = next(&stack.length);
                Tree::List(List::Stack(Stack { arrays, length, ..stack.clone() }))
            }
        }
    }

    /// Returns the result of a loop, from the form of the carried value.
    pub fn behind_loop(&self) -> Tree {
        self.with_spare(&|stack| stack.behind)
    }

    /// Returns the tree without guaranteed room for further values.
    pub fn with_no_spare(&self) -> Tree {
        self.with_spare(&|_| 0)
    }

    /// Returns one of two trees of one form, with the facts that hold for both.
    pub fn either(&self, other: &Tree) -> Tree {
        match (self, other) {
            (Tree::Many(x), Tree::Many(y)) => Tree::Many(x.iter().zip(y.iter()).map(|(x, y)| x.either(y)).collect()),
            (Tree::List(List::Stack(_)), Tree::List(List::Stack(y))) => self.with_spare(&|x| x.spare.min(y.spare)),
            _ => self.clone(),
        }
    }

    fn with_spare(&self, spare: &dyn Fn(&Stack) -> i64) -> Tree {
        match self {
            Tree::Many(parts) => Tree::Many(parts.iter().map(|p| p.with_spare(spare)).collect()),
            Tree::List(List::Stack(stack)) => {
                Tree::List(List::Stack(Stack { spare: spare(stack), behind: 0, ..stack.clone() }))
            }
            _ => self.clone(),
        }
    }

    /// Returns the leaves of two trees of one form in pairs; `None` if lists differ.
    pub fn paired(&self, other: &Tree) -> Option<Vec<(Value, Value)>> {
        self.is_like(other).then(|| self.leaves().into_iter().zip(other.leaves()).collect())
    }

    /// Checks whether both have the same form, and leaves of the same types.
    pub fn is_like(&self, other: &Tree) -> bool {
        let all = |x: &[Tree], y: &[Tree]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.is_like(y));
        match (self, other) {
            (Tree::One(x), Tree::One(y)) => x.ty() == y.ty(),
            (Tree::Many(x), Tree::Many(y)) => all(x, y),
            (Tree::List(List::Known(x)), Tree::List(List::Known(y))) => all(x, y),
            (Tree::List(List::Stack(x)), Tree::List(List::Stack(y))) => types_of(&x.arrays) == types_of(&y.arrays),
            (Tree::List(List::Probe(x)), Tree::List(List::Probe(y))) => Rc::ptr_eq(x, y),
            _ => false,
        }
    }

    /// Checks whether some tree in it is of a kind, besides those in lists that a loop grows.
    fn any(&self, is_one: fn(&Tree) -> bool) -> bool {
        is_one(self)
            || match self {
                Tree::Many(parts) | Tree::List(List::Known(parts)) => parts.iter().any(|p| p.any(is_one)),
                _ => false,
            }
    }

    pub fn is_missing(&self) -> bool {
        self.any(|tree| matches!(tree, Tree::Missing))
    }

    /// Returns the scalars and arrays that are not parts of lists.
    pub fn arrays(&self) -> Vec<Value> {
        match self {
            Tree::One(value) => vec![*value],
            Tree::Many(parts) => parts.iter().flat_map(Tree::arrays).collect(),
            Tree::List(_) | Tree::Missing => vec![],
        }
    }

    /// Returns the rooms of all lists in it.
    pub fn rooms(&self) -> Vec<Value> {
        match self {
            Tree::Many(parts) | Tree::List(List::Known(parts)) => parts.iter().flat_map(Tree::rooms).collect(),
            Tree::List(List::Stack(stack)) => {
                let inside = stack.template.iter().flat_map(|t| t.rooms());
                std::iter::once(stack.room).chain(inside).collect()
            }
            _ => vec![],
        }
    }

    pub fn has_probes(&self) -> bool {
        match self {
            Tree::Many(parts) => parts.iter().any(Tree::has_probes),
            Tree::List(List::Probe(_)) => true,
            _ => false,
        }
    }

    pub fn has_lists(&self) -> bool {
        self.any(|tree| matches!(tree, Tree::List(_)))
    }

    /// Gives the new values the name of the old one.
    pub fn name(&self, old: Value) {
        if let Some(name) = old.name() {
            self.name_parts(&name, old.ty());
        }
    }

    fn name_parts(&self, name: &str, ty: Type) {
        match self {
            Tree::One(value) if value.name().is_none() => value.suggest_name(name),
            Tree::Many(parts) => {
                let fields = match TypeKind::of(ty) {
                    TypeKind::Record(_, fields) => fields,
                    _ => ty.parts().into_iter().enumerate().map(|(k, t)| (k.to_string(), t)).collect(),
                };
                for (part, (field, ty)) in parts.iter().zip(fields) {
                    part.name_parts(&format!("{name}.{field}"), ty);
                }
            }
            _ => {}
        }
    }
}

/// Checks whether a value of this type is one scalar or array.
pub fn is_plain(ty: Type) -> bool {
    matches!(TypeKind::of(ty), TypeKind::Array(_))
}

/// A part of a type that is not data at the boundary of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotData {
    #[error("lists of lists are not supported")]
    ListOfLists,
    #[error("lists of values without data, such as empty tuples, are not supported")]
    ListOfUnits,
    #[error("the type is not yet known; run `lambda-specialise` first")]
    Open,
    #[error("functions cannot be arguments or results of a function over arrays; run `closure-convert` first")]
    Function,
    #[error("channels and tasks cannot be arguments or results of a function over arrays")]
    Message,
    #[error("a linear functional cannot be converted to arrays; run `j-transform` first")]
    Functional,
    #[error("sum types cannot be converted to arrays")]
    Alternatives,
    #[error("only scalars and arrays can be converted")]
    Foreign,
}

/// Returns the types of the leaves of a value at the boundary of a function, where a list is an array for each leaf of
/// its values.
///
/// # Errors
/// The part of the type that is not data.
pub fn leaves(ty: Type) -> Result<Vec<Type>, NotData> {
    Ok(match TypeKind::of(ty) {
        TypeKind::Unit | TypeKind::String | TypeKind::Token => vec![],
        TypeKind::Array(_) => vec![ty.with_encoding(None)],
        TypeKind::Tuple(parts) => all(&parts)?,
        TypeKind::Record(..) => all(&ty.parts())?,
        TypeKind::List(element) => {
            let rows = flat(element).ok_or(NotData::ListOfLists)?;
            if rows.is_empty() {
                return Err(NotData::ListOfUnits);
            }
            rows.into_iter().map(|t| t.stacked(&[None])).collect()
        }
        TypeKind::Rng => vec![ty.context().scalar(Element::I64); 4],
        TypeKind::Any => return Err(NotData::Open),
        TypeKind::Function(..) | TypeKind::Env => return Err(NotData::Function),
        TypeKind::Chan(_) | TypeKind::Task(_) => return Err(NotData::Message),
        TypeKind::Dual(_) => return Err(NotData::Functional),
        TypeKind::Data(_) => return Err(NotData::Alternatives),
        TypeKind::Foreign => return Err(NotData::Foreign),
    })
}

fn all(types: &[Type]) -> Result<Vec<Type>, NotData> {
    Ok(types.iter().map(|ty| leaves(*ty)).collect::<Result<Vec<_>, _>>()?.concat())
}

/// Returns the leaves of a type without lists whose arrays have static sizes; `None` for other types.
pub fn flat(ty: Type) -> Option<Vec<Type>> {
    let all = |types: Vec<Type>| {
        types.into_iter().map(flat).collect::<Option<Vec<_>>>().map(|parts| parts.into_iter().flatten().collect())
    };
    match TypeKind::of(ty) {
        TypeKind::List(_) => None,
        TypeKind::Tuple(parts) => all(parts),
        TypeKind::Record(..) => all(ty.parts()),
        TypeKind::Array(_) if ty.shape().iter().any(Option::is_none) => None,
        _ => leaves(ty).ok(),
    }
}

/// Assembles a tree of this type from its leaves, without its lists.
pub fn assembled(ty: Type, values: &mut dyn Iterator<Item = Value>) -> Tree {
    match TypeKind::of(ty) {
        TypeKind::Tuple(_) | TypeKind::Record(..) => {
            Tree::Many(ty.parts().into_iter().map(|t| assembled(t, values)).collect())
        }
        TypeKind::Rng => Tree::Many((0..4).map(|_| Tree::One(values.next().expect("one for each leaf"))).collect()),
        TypeKind::Array(_) => Tree::One(values.next().expect("one for each leaf")),
        TypeKind::List(_) => {
            // The list is not needed here; its leaves are skipped.
            let count = leaves(ty).map_or(0, |types| types.len());
            values.take(count).for_each(|_| ());
            Tree::unit()
        }
        _ => Tree::unit(),
    }
}
