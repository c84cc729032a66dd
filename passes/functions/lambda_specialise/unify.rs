//! Types that contain unknown types, and their unification.

use mlopt_dialects::ir::{Context, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::text::count;
use mlopt_dialects::value::Element;
use std::fmt::Write;

/// An incomplete type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Ty(u32);

/// The default of an unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numeral {
    Integer,
    Float,
}

/// The known structure of a type. `M` is the type of the possible functions before a call.
#[derive(Clone)]
pub enum Node<M> {
    Unknown(Option<Numeral>),
    /// An atomic type: scalars, arrays, `none`, states, tokens.
    Leaf(Type),
    Tuple(Vec<Ty>),
    Record(String, Vec<(String, Ty)>),
    List(Ty),
    Chan(Ty),
    Task(Ty),
    Dual(Ty),
    /// Arguments and result, once there has been a call, and the possible functions, which are inferred when it is
    /// called.
    Function {
        arrow: Option<(Vec<Ty>, Ty)>,
        members: Vec<M>,
    },
}

enum Entry<M> {
    Is(Node<M>),
    SameAs(Ty),
}

/// The reason for which two types are not unifiable: the code of `spec/functional.md` A.6, and both as text.
#[derive(Debug, Clone)]
pub struct Clash {
    pub code: &'static str,
    pub text: String,
}

pub struct Types<M> {
    entries: Vec<Entry<M>>,
    pub context: Context,
}

impl<M: Clone + PartialEq> Types<M> {
    pub fn new(context: Context) -> Types<M> {
        Types { entries: Vec::new(), context }
    }

    pub fn add(&mut self, node: Node<M>) -> Ty {
        self.entries.push(Entry::Is(node));
        Ty(self.entries.len() as u32 - 1)
    }

    pub fn unknown(&mut self) -> Ty {
        self.add(Node::Unknown(None))
    }

    pub fn leaf(&mut self, ty: Type) -> Ty {
        self.add(Node::Leaf(ty))
    }

    pub fn bool(&mut self) -> Ty {
        self.leaf(self.context.scalar(Element::I1))
    }

    pub fn root(&self, mut ty: Ty) -> Ty {
        while let Entry::SameAs(next) = self.entries[ty.0 as usize] {
            ty = next;
        }
        ty
    }

    pub fn node(&self, ty: Ty) -> &Node<M> {
        match &self.entries[self.root(ty).0 as usize] {
            Entry::Is(node) => node,
            Entry::SameAs(_) => unreachable!("a root"),
        }
    }

    pub fn set(&mut self, ty: Ty, node: Node<M>) {
        let root = self.root(ty);
        self.entries[root.0 as usize] = Entry::Is(node);
    }

    /// Returns a written type; its open parts become unknowns.
    pub fn written(&mut self, ty: Type) -> Ty {
        let node = match TypeKind::of(ty) {
            TypeKind::Any => Node::Unknown(None),
            TypeKind::Tuple(parts) => Node::Tuple(parts.into_iter().map(|t| self.written(t)).collect()),
            TypeKind::Record(name, fields) => {
                Node::Record(name, fields.into_iter().map(|(f, t)| (f, self.written(t))).collect())
            }
            TypeKind::List(t) => Node::List(self.written(t)),
            TypeKind::Chan(t) => Node::Chan(self.written(t)),
            TypeKind::Task(t) => Node::Task(self.written(t)),
            TypeKind::Dual(t) => Node::Dual(self.written(t)),
            TypeKind::Function(inputs, result) => {
                let inputs = inputs.into_iter().map(|t| self.written(t)).collect();
                Node::Function { arrow: Some((inputs, self.written(result))), members: vec![] }
            }
            _ => Node::Leaf(ty.with_encoding(None)),
        };
        self.add(node)
    }

    /// Returns the MLIR type; `None` if a part is unknown. A function that is never called has type `none`: it is
    /// removed.
    pub fn closed(&self, ty: Ty) -> Option<Type> {
        let all = |parts: &[Ty]| parts.iter().map(|t| self.closed(*t)).collect::<Option<Vec<_>>>();
        Some(match self.node(ty) {
            Node::Unknown(_) => return None,
            Node::Leaf(ty) => *ty,
            Node::Tuple(parts) => self.context.tuple(&all(parts)?),
            Node::Record(name, fields) => {
                let fields = fields.iter().map(|(f, t)| Some((f.clone(), self.closed(*t)?)));
                types::record(self.context, name, &fields.collect::<Option<Vec<_>>>()?)
            }
            Node::List(t) => types::list(self.closed(*t)?),
            Node::Chan(t) => types::chan(self.closed(*t)?),
            Node::Task(t) => types::task(self.closed(*t)?),
            Node::Dual(t) => types::functionals(self.closed(*t)?),
            Node::Function { arrow: None, .. } => self.context.unit(),
            Node::Function { arrow: Some((inputs, result)), .. } => {
                types::function(&all(inputs)?, self.closed(*result)?)
            }
        })
    }

    /// Returns the parts of a type.
    fn parts(&self, ty: Ty) -> Vec<Ty> {
        match self.node(ty) {
            Node::Unknown(_) | Node::Leaf(_) => vec![],
            Node::Tuple(parts) => parts.clone(),
            Node::Record(_, fields) => fields.iter().map(|f| f.1).collect(),
            Node::List(t) | Node::Chan(t) | Node::Task(t) | Node::Dual(t) => vec![*t],
            Node::Function { arrow, .. } => {
                arrow.iter().flat_map(|(inputs, result)| inputs.iter().chain([result])).copied().collect()
            }
        }
    }

    /// Checks whether `part` is `ty` or a part of it.
    pub fn occurs(&self, part: Ty, ty: Ty) -> bool {
        let part = self.root(part);
        let mut open = vec![ty];
        let mut seen = std::collections::HashSet::new();
        while let Some(ty) = open.pop() {
            let root = self.root(ty);
            if root == part {
                return true;
            }
            if seen.insert(root) {
                open.extend(self.parts(root));
            }
        }
        false
    }

    /// Checks whether two types are the same already, with unknowns and functions compared by identity.
    pub fn same(&self, a: Ty, b: Ty) -> bool {
        if self.root(a) == self.root(b) {
            return true;
        }
        match (self.node(a), self.node(b)) {
            (Node::Leaf(a), Node::Leaf(b)) => a == b,
            (Node::Function { .. }, _) | (Node::Unknown(_), _) => false,
            (x, y) => alike(x, y) && self.parts(a).iter().zip(self.parts(b)).all(|(a, b)| self.same(*a, b)),
        }
    }

    /// Checks whether two types are unifiable.
    pub fn could_be_same(&self, a: Ty, b: Ty) -> bool {
        if self.root(a) == self.root(b) {
            return true;
        }
        match (self.node(a), self.node(b)) {
            (Node::Unknown(n), other) | (other, Node::Unknown(n)) => takes(*n, other),
            (Node::Leaf(a), Node::Leaf(b)) => a == b,
            (Node::Function { arrow: None, .. }, Node::Function { .. })
            | (Node::Function { .. }, Node::Function { arrow: None, .. }) => true,
            (x, y) => {
                let (p, q) = (self.parts(a), self.parts(b));
                alike(x, y) && p.len() == q.len() && p.iter().zip(q).all(|(a, b)| self.could_be_same(*a, b))
            }
        }
    }

    /// Unifies two types. Function types with a new arrow or new members, which must be inferred, are added
    /// to `called`.
    pub fn unify(&mut self, a: Ty, b: Ty, called: &mut Vec<Ty>) -> Result<(), Clash> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (x, y) = (self.node(a).clone(), self.node(b).clone());
        match (x, y) {
            (Node::Unknown(n), other) => {
                if !takes(n, &other) {
                    return Err(self.clash(b, a));
                }
                self.bind(a, b, n)
            }
            (other, Node::Unknown(n)) => {
                if !takes(n, &other) {
                    return Err(self.clash(a, b));
                }
                self.bind(b, a, n)
            }
            (Node::Leaf(s), Node::Leaf(t)) if s == t => {
                self.entries[a.0 as usize] = Entry::SameAs(b);
                Ok(())
            }
            (Node::Function { arrow: p, members: m }, Node::Function { arrow: q, members: n }) => {
                let mut members = n;
                members.extend(m.into_iter().filter(|m| !members.contains(m)).collect::<Vec<_>>());
                let agree = match (&p, &q) {
                    (Some(p), Some(q)) => Some((p.clone(), q.clone())),
                    _ => None,
                };
                if let Some(((p, _), (q, _))) = &agree
                    && p.len() != q.len()
                {
                    let [q, p] = [q.len(), p.len()].map(|n| count(n, "argument"));
                    let text = format!("a function of {q} is used as a function of {p}");
                    return Err(Clash { code: "arity-mismatch", text });
                }
                let arrow = q.or(p);
                for part in arrow.iter().flat_map(|(inputs, result)| inputs.iter().chain([result])) {
                    if self.occurs(a, *part) || self.occurs(b, *part) {
                        return Err(self.infinite());
                    }
                }
                self.entries[a.0 as usize] = Entry::SameAs(b);
                self.set(b, Node::Function { arrow, members });
                called.push(b);
                if let Some(((p, r), (q, s))) = agree {
                    for (p, q) in p.into_iter().zip(q) {
                        self.unify(p, q, called)?;
                    }
                    self.unify(r, s, called)?;
                }
                Ok(())
            }
            (x, y) if alike(&x, &y) => {
                let (p, q) = (self.parts(a), self.parts(b));
                self.entries[a.0 as usize] = Entry::SameAs(b);
                p.into_iter().zip(q).try_for_each(|(p, q)| self.unify(p, q, called))
            }
            _ => Err(self.clash(a, b)),
        }
    }

    /// Binds the unknown `a` to `b`.
    fn bind(&mut self, a: Ty, b: Ty, numeral: Option<Numeral>) -> Result<(), Clash> {
        if self.parts(b).iter().any(|part| self.occurs(a, *part)) {
            return Err(self.infinite());
        }
        if let (Node::Unknown(None), Some(_)) = (self.node(b), numeral) {
            self.set(b, Node::Unknown(numeral));
        }
        self.entries[a.0 as usize] = Entry::SameAs(b);
        Ok(())
    }

    fn infinite(&self) -> Clash {
        Clash { code: "infinite-type", text: "a function must not be an argument or a result of itself".into() }
    }

    /// Describes the difference of `a`, which is expected, and `b`.
    fn clash(&self, a: Ty, b: Ty) -> Clash {
        let code = match (self.node(a), self.node(b)) {
            (Node::Leaf(s), Node::Leaf(t)) if s.is_tensor() && t.is_tensor() && s.scalar() == t.scalar() => {
                if s.rank() == t.rank() { "shape-mismatch" } else { "rank-mismatch" }
            }
            _ => "type-mismatch",
        };
        let is_float = |t: Ty| match self.node(t) {
            Node::Unknown(numeral) => *numeral == Some(Numeral::Float),
            Node::Leaf(t) => !t.is_tensor() && t.is_differentiable(),
            _ => false,
        };
        let is_integer = |t: Ty| match self.node(t) {
            Node::Unknown(numeral) => *numeral == Some(Numeral::Integer),
            Node::Leaf(t) => !t.is_tensor() && t.is_discrete() && !t.is_integer(1),
            _ => false,
        };
        let is_mixed = is_float(a) && is_integer(b) || is_integer(a) && is_float(b);
        let advice = if is_mixed { "; write the integer as a float, such as `0.0`" } else { "" };
        Clash { code, text: format!("expected {}, found {}{advice}", self.text(a), self.text(b)) }
    }

    /// Formats a type; an unknown is `?`.
    pub fn text(&self, ty: Ty) -> String {
        let mut out = String::new();
        self.write(ty, 0, &mut out);
        out
    }

    fn write(&self, ty: Ty, depth: usize, out: &mut String) {
        if depth > 3 {
            return out.push('…');
        }
        let list = |parts: &[Ty], out: &mut String| {
            for (k, part) in parts.iter().enumerate() {
                if k > 0 {
                    out.push_str(", ");
                }
                self.write(*part, depth + 1, out);
            }
        };
        let mut wrapped = |name: &str, parts: &[Ty]| {
            let _ = write!(out, "{name}<");
            list(parts, out);
            out.push('>');
        };
        match self.node(ty) {
            Node::Unknown(None) => out.push('?'),
            Node::Unknown(Some(Numeral::Integer)) => out.push_str("an integer"),
            Node::Unknown(Some(Numeral::Float)) => out.push_str("a float"),
            Node::Leaf(ty) => out.push_str(&ty.to_string()),
            Node::Tuple(parts) => wrapped("tuple", parts),
            Node::Record(name, _) => wrapped(&format!("record {name} "), &self.parts(ty)),
            Node::List(t) => wrapped("list", &[*t]),
            Node::Chan(t) => wrapped("chan", &[*t]),
            Node::Task(t) => wrapped("task", &[*t]),
            Node::Dual(t) => wrapped("dual", &[*t]),
            Node::Function { arrow: None, .. } => out.push_str("a function"),
            Node::Function { arrow: Some((inputs, result)), .. } => {
                out.push('(');
                list(inputs, out);
                out.push_str(") -> ");
                self.write(*result, depth + 1, out);
            }
        }
    }

    /// Gives the remaining unknown numbers their defaults. Returns whether there were any.
    pub fn take_defaults(&mut self) -> bool {
        let mut any = false;
        for k in 0..self.entries.len() {
            if let Entry::Is(Node::Unknown(Some(numeral))) = self.entries[k] {
                let element = if numeral == Numeral::Float { Element::F64 } else { Element::I64 };
                self.entries[k] = Entry::Is(Node::Leaf(self.context.scalar(element)));
                any = true;
            }
        }
        any
    }
}

/// Checks whether an unknown of this kind may be bound to a type.
fn takes<M>(numeral: Option<Numeral>, node: &Node<M>) -> bool {
    match (numeral, node) {
        (None, _) | (_, Node::Unknown(None)) => true,
        (Some(n), Node::Unknown(Some(m))) => n == *m,
        (Some(Numeral::Float), Node::Leaf(ty)) => !ty.is_tensor() && ty.is_differentiable(),
        (Some(Numeral::Integer), Node::Leaf(ty)) => !ty.is_tensor() && ty.is_discrete() && !ty.is_integer(1),
        _ => false,
    }
}

/// Checks whether two types have the same constructor.
fn alike<M>(a: &Node<M>, b: &Node<M>) -> bool {
    match (a, b) {
        (Node::Tuple(a), Node::Tuple(b)) => a.len() == b.len(),
        (Node::Record(a, f), Node::Record(b, g)) => {
            a == b && f.len() == g.len() && f.iter().zip(g).all(|(f, g)| f.0 == g.0)
        }
        (Node::List(_), Node::List(_))
        | (Node::Chan(_), Node::Chan(_))
        | (Node::Task(_), Node::Task(_))
        | (Node::Dual(_), Node::Dual(_)) => true,
        (Node::Function { arrow: Some(_), .. }, Node::Function { arrow: Some(_), .. }) => true,
        _ => false,
    }
}
