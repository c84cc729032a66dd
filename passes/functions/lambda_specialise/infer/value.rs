//! Types that are derived from types that are not completely known: tangents, transformed values, leaves of nested
//! records.

use super::super::unify::{Node, Ty};
use super::Infer;
use mlopt_dialects::ir::Type;
use mlopt_dialects::lambda::types::{self, TypeKind};

impl Infer {
    /// Returns the type of tangents (`spec/functional.md` A.2); `None` while it is not known.
    pub(super) fn tangent(&mut self, ty: Ty) -> Option<Ty> {
        let context = self.types.context;
        let node = match self.types.node(ty).clone() {
            Node::Unknown(_) => return None,
            Node::Leaf(ty) => Node::Leaf(types::tangent(ty)),
            Node::Tuple(parts) => Node::Tuple(self.tangents(&parts)?),
            Node::Record(name, fields) => {
                let (names, parts): (Vec<String>, Vec<Ty>) = fields.into_iter().unzip();
                Node::Record(name, names.into_iter().zip(self.tangents(&parts)?).collect())
            }
            Node::List(t) => Node::List(self.tangent(t)?),
            Node::Function { .. } => Node::Leaf(types::plain(context, "env")),
            Node::Dual(on) => return self.tangent(on),
            Node::Chan(_) | Node::Task(_) => Node::Leaf(context.unit()),
        };
        Some(self.types.add(node))
    }

    pub(super) fn tangents(&mut self, parts: &[Ty]) -> Option<Vec<Ty>> {
        parts.iter().map(|t| self.tangent(*t)).collect()
    }

    /// Returns the type of transformed values (`spec/functional.md` B.1); `None` while it is not known.
    pub(super) fn transformed(&mut self, ty: Ty) -> Option<Ty> {
        let node = match self.types.node(ty).clone() {
            Node::Unknown(_) => return None,
            Node::Tuple(parts) => Node::Tuple(self.all_transformed(&parts)?),
            Node::Record(name, fields) => {
                let (names, parts): (Vec<String>, Vec<Ty>) = fields.into_iter().unzip();
                Node::Record(name, names.into_iter().zip(self.all_transformed(&parts)?).collect())
            }
            Node::List(t) => Node::List(self.transformed(t)?),
            Node::Function { arrow: None, .. } => return None,
            Node::Function { arrow: Some((inputs, result)), .. } => {
                let env = self.types.leaf(types::plain(self.types.context, "env"));
                let mut sensitivities = vec![env];
                sensitivities.extend(self.tangents(&inputs)?);
                let given = self.tangent(result)?;
                let back = self.types.add(Node::Tuple(sensitivities));
                let back = self.types.add(Node::Function { arrow: Some((vec![given], back)), members: vec![] });
                let result = self.transformed(result)?;
                let result = self.types.add(Node::Tuple(vec![result, back]));
                Node::Function { arrow: Some((self.all_transformed(&inputs)?, result)), members: vec![] }
            }
            _ => return Some(ty),
        };
        Some(self.types.add(node))
    }

    fn all_transformed(&mut self, parts: &[Ty]) -> Option<Vec<Ty>> {
        parts.iter().map(|t| self.transformed(*t)).collect()
    }

    /// Checks whether values of this type contain a float; returns `None` while that is not known.
    pub(super) fn is_differentiable(&self, ty: Ty) -> Option<bool> {
        let any = |parts: Vec<Ty>| {
            let known: Vec<Option<bool>> = parts.into_iter().map(|t| self.is_differentiable(t)).collect();
            if known.contains(&Some(true)) {
                Some(true)
            } else {
                known.into_iter().collect::<Option<Vec<_>>>().map(|_| false)
            }
        };
        match self.types.node(ty) {
            Node::Unknown(_) => None,
            Node::Leaf(ty) => Some(types::is_differentiable(*ty)),
            Node::Tuple(parts) => any(parts.clone()),
            Node::Record(_, fields) => any(fields.iter().map(|f| f.1).collect()),
            Node::List(t) => any(vec![*t]),
            Node::Function { .. } => Some(true),
            _ => Some(false),
        }
    }

    /// Returns the scalar or array type; `None` while it is not known, or for other types.
    pub(super) fn leaf(&self, ty: Ty) -> Option<Type> {
        match self.types.node(ty) {
            Node::Leaf(ty) => Some(*ty),
            _ => None,
        }
    }

    /// As `leaf`, for scalars and arrays of the array language.
    pub(super) fn array(&self, ty: Ty) -> Option<Type> {
        self.leaf(ty).filter(|t| matches!(TypeKind::of(*t), TypeKind::Array(_)))
    }

    pub(super) fn is_unknown(&self, ty: Ty) -> bool {
        matches!(self.types.node(ty), Node::Unknown(_))
    }
}
