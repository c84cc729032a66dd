//! The representation of functions, and of environments (`!lambda.env`, records of cotangents), as data
//! (`spec/functional.md` D.2, D.3, D.4).
//!
//! A *class* is the set of functions that a value may be (`flow.rs`). A class with one function is represented by the
//! captures of that function: nothing, one value, or a tuple. In a class with several functions, each is a variant of a
//! `lambda.data`. A single function that may capture a function of its own class is a variant too: a tuple cannot
//! contain itself.
//!
//! An environment has a field for each key that can occur in its class:
//! - The field of a number, or of a type that consists of numbers, is zero if the key is missing, because programs
//!   cannot distinguish a missing key from zero (B.4). So it needs no tag and no branch, and `env.add` is an addition.
//! - The field of a list is `none` or `some`, because the zero of a list has a length. A field through which an
//!   environment would contain its own type is `none` or `some` too.
//! - The field of an array is an addition that is not computed yet: `none`, `some` array, a number `at` a position, or
//!   `both` of two such fields. A recursive function that reads one element per call then adds one cell per call
//!   instead of one array per call (`sparse.rs`).
//!
//! Two programs of the test vectors serve as examples; their conversions were derived by hand before the pass was
//! written:
//! - `F10.recursive_capture_each_level`: `g` is `u·u`, or `x·g'(u)`, which captured `x` and the `g'` of the level
//!   below. So its type has two variants, and the second has a field of this type. The backpropagator of `x·g'(u)`
//!   captures the value of `g'(u)`, `x` and the backpropagator of `g'`: again two variants, one of which contains its
//!   own type. The environment has the key of `x`, a number, and the key of `g'`, an environment of the same class. So
//!   its fields are a number and a `none` or `some`. The result has three declarations.
//! - `F11.mutual.second`: `f` and `g` are only called, so what they capture, `x`, becomes a parameter. The result of
//!   `f` contains two functions, each of which is alone in its class. Each captures a function that the conditional in
//!   `f` returns, with one variant for each branch. The variant of the branch that calls `g` captures the result of
//!   `g`, and so on back to `f`. A cycle of types needs a `lambda.data` in one place, which is here these variants; all
//!   other classes are tuples.

use super::flow::{Node, NodeId, TypeGraph};
use super::lift::KnownFunction;
use crate::analysis::fresh_names::FreshNames;
use crate::functions::anf::{Program, Var};
use mlopt_dialects::ir::{Context, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::value::Element;
use std::collections::{BTreeSet, HashMap};

/// A `lambda.data`: its name, and its variants with their fields.
pub struct Declaration {
    pub symbol: String,
    pub alternatives: Vec<(String, Vec<Type>)>,
}

/// The representation of a function value.
#[derive(Clone)]
pub enum Form {
    /// The captures of this function.
    Captures(usize),
    /// A variant of this `lambda.data`, one for each function.
    Data(String, Vec<usize>),
}

/// A field for a key of an environment.
#[derive(Clone)]
pub struct Field {
    pub key: String,
    pub node: NodeId,
    /// The `lambda.data` of an optional value; `None` where zero represents a missing value.
    pub maybe: Option<String>,
    /// True if the value is a deferred sum of arrays and of numbers at positions of arrays.
    pub is_sum: bool,
}

/// A type with or without functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    Type(Type),
    Node(NodeId),
}

pub struct Represent<'p> {
    pub graph: TypeGraph,
    pub known: &'p [KnownFunction],
    pub names: &'p mut FreshNames,
    pub declarations: Vec<Declaration>,
    /// The classes of functions, in the order in which their types were requested.
    pub classes: Vec<NodeId>,
    context: Context,
    /// The captures of the functions.
    captures: Vec<Vec<Shape>>,
    /// The groups of classes that contain each other.
    cycles: HashMap<NodeId, usize>,
    types: HashMap<NodeId, Type>,
    /// The `lambda.data` of classes of functions, and of optional values.
    symbols: HashMap<NodeId, String>,
    maybes: HashMap<Shape, String>,
    never: Option<String>,
}

impl<'p> Represent<'p> {
    pub fn new(
        program: &Program,
        graph: TypeGraph,
        known: &'p [KnownFunction],
        names: &'p mut FreshNames,
    ) -> Represent<'p> {
        let shape = |v: &Var| graph.of(*v).map_or_else(|| Shape::Type(program.ty(*v)), Shape::Node);
        let captures = known.iter().map(|k| k.captures.iter().map(shape).collect()).collect();
        let mut this = Represent {
            graph,
            known,
            names,
            declarations: Vec::new(),
            classes: Vec::new(),
            context: program.context,
            captures,
            cycles: HashMap::new(),
            types: HashMap::new(),
            symbols: HashMap::new(),
            maybes: HashMap::new(),
            never: None,
        };
        this.find_cycles();
        this
    }

    /// Collects the classes whose values a value at this position contains, so that their types are parts of its type.
    fn held(&self, shape: Shape, out: &mut BTreeSet<NodeId>) {
        let Shape::Node(id) = shape else { return };
        match self.graph.node(id) {
            Node::Parts(_, parts) => parts.iter().for_each(|p| self.held(Shape::Node(*p), out)),
            Node::Function { members, .. } if members.len() != 1 => {}
            Node::Function { .. } | Node::Env(_) => {
                out.insert(self.graph.root(id));
            }
            _ => {}
        }
    }

    fn successors(&self, id: NodeId) -> BTreeSet<NodeId> {
        let mut out = BTreeSet::new();
        match self.graph.node(id) {
            Node::Function { members, .. } if members.len() == 1 => {
                members.iter().flat_map(|k| &self.captures[*k]).for_each(|s| self.held(*s, &mut out));
            }
            Node::Env(keys) => {
                let fields = keys.values().filter(|p| self.has_zero(Shape::Node(**p)));
                fields.for_each(|p| self.held(Shape::Node(*p), &mut out));
            }
            _ => {}
        }
        out
    }

    /// Numbers the groups of classes that contain each other.
    fn find_cycles(&mut self) {
        let roots: Vec<NodeId> = self.graph.roots().collect();
        let numbers: HashMap<NodeId, usize> = roots.iter().enumerate().map(|(k, r)| (*r, k)).collect();
        let next: Vec<BTreeSet<usize>> =
            roots.iter().map(|r| self.successors(*r).into_iter().map(|p| numbers[&p]).collect()).collect();
        for (number, group) in super::components(&next).into_iter().enumerate() {
            let is_cycle = group.len() > 1 || next[group[0]].contains(&group[0]);
            if is_cycle {
                self.cycles.extend(group.into_iter().map(|k| (roots[k], number)));
            }
        }
    }

    /// Checks whether a tangent of this type has a static zero without storage: numbers, units, and types made of
    /// these.
    fn has_zero(&self, shape: Shape) -> bool {
        match shape {
            Shape::Type(ty) => match TypeKind::of(ty) {
                TypeKind::Unit => true,
                TypeKind::Array(element) => element.is_float() && !ty.is_tensor(),
                TypeKind::Tuple(_) | TypeKind::Record(..) => {
                    ty.parts().into_iter().all(|t| self.has_zero(Shape::Type(t)))
                }
                _ => false,
            },
            Shape::Node(id) => match self.graph.node(id) {
                Node::Data(ty) => self.has_zero(Shape::Type(*ty)),
                Node::Parts(ty, parts) => {
                    matches!(TypeKind::of(*ty), TypeKind::Tuple(_) | TypeKind::Record(..))
                        && parts.iter().all(|p| self.has_zero(Shape::Node(*p)))
                }
                Node::Env(_) => true,
                _ => false,
            },
        }
    }

    pub fn shape_ty(&mut self, shape: Shape) -> Type {
        match shape {
            Shape::Type(ty) => ty,
            Shape::Node(id) => self.ty(id),
        }
    }

    /// Returns the type at a position.
    pub fn ty(&mut self, id: NodeId) -> Type {
        let id = self.graph.root(id);
        if let Some(ty) = self.types.get(&id) {
            return *ty;
        }
        let ty = match self.graph.node(id).clone() {
            Node::Data(ty) => ty,
            Node::Parts(ty, parts) => {
                let parts: Vec<Type> = parts.into_iter().map(|p| self.ty(p)).collect();
                ty.with_parts(&parts)
            }
            Node::Function { members, .. } => {
                self.classes.push(id);
                return self.function_ty(id, &members);
            }
            Node::Env(_) => {
                let types: Vec<Type> = self.fields(id).iter().map(|field| self.field_ty(field)).collect();
                self.packed(&types)
            }
            Node::SameAs(_) => unreachable!("a root"),
        };
        self.types.insert(id, ty);
        ty
    }

    fn function_ty(&mut self, id: NodeId, members: &BTreeSet<usize>) -> Type {
        let is_one = members.len() == 1 && !self.cycles.contains_key(&id);
        if let (true, Some(k)) = (is_one, members.first()) {
            let types: Vec<Type> = self.stored(*k).into_iter().map(|(_, ty)| ty).collect();
            let ty = self.packed(&types);
            self.types.insert(id, ty);
            return ty;
        }
        let symbol = match (members.is_empty(), &self.never) {
            (true, Some(symbol)) => symbol.clone(),
            (true, None) => self.names.free("never"),
            _ => self.names.free("closure"),
        };
        let ty = types::data(self.context, &symbol);
        self.types.insert(id, ty);
        self.symbols.insert(id, symbol.clone());
        if members.is_empty() && self.never.replace(symbol.clone()).is_some() {
            return ty;
        }
        let position = self.declarations.len();
        self.declarations.push(Declaration { symbol, alternatives: Vec::new() });
        let mut alternatives = Vec::new();
        for k in members {
            let fields = self.stored(*k).into_iter().map(|(_, ty)| ty).collect();
            alternatives.push((self.known[*k].symbol.clone(), fields));
        }
        self.declarations[position].alternatives = alternatives;
        ty
    }

    /// Returns the stored captures of a function, and their types: units are not stored.
    pub fn stored(&mut self, k: usize) -> Vec<(usize, Type)> {
        let captures = self.captures[k].clone();
        let types = captures.into_iter().map(|s| self.shape_ty(s)).enumerate();
        types.filter(|(_, ty)| TypeKind::of(*ty) != TypeKind::Unit).collect()
    }

    /// Returns the type of values of these types together.
    fn packed(&self, types: &[Type]) -> Type {
        match types {
            [] => self.context.unit(),
            [ty] => *ty,
            _ => self.context.tuple(types),
        }
    }

    /// Returns the representation of functions at this position.
    pub fn form(&mut self, id: NodeId) -> Form {
        let id = self.graph.root(id);
        self.ty(id);
        let Node::Function { members, .. } = self.graph.node(id) else { unreachable!("a function") };
        let members: Vec<usize> = members.iter().copied().collect();
        match self.symbols.get(&id) {
            Some(symbol) => Form::Data(symbol.clone(), members),
            None => Form::Captures(members[0]),
        }
    }

    /// Returns the fields of environments at this position, in the order of their keys.
    pub fn fields(&mut self, id: NodeId) -> Vec<Field> {
        let id = self.graph.root(id);
        let Node::Env(keys) = self.graph.node(id).clone() else { unreachable!("an environment") };
        let cycle = self.cycles.get(&id).copied();
        let mut fields = Vec::new();
        for (key, part) in keys {
            let part = self.graph.root(part);
            let mut held = BTreeSet::new();
            self.held(Shape::Node(part), &mut held);
            let holds_itself = cycle.is_some() && held.iter().any(|p| self.cycles.get(p).copied() == cycle);
            let is_optional = holds_itself || !self.has_zero(Shape::Node(part));
            let maybe = if is_optional { Some(self.maybe(part)) } else { None };
            let is_sum = is_optional && self.is_array(part);
            fields.push(Field { key, node: part, maybe, is_sum });
        }
        fields
    }

    /// Checks whether a tangent is an array whose elements are at positions.
    fn is_array(&self, id: NodeId) -> bool {
        matches!(self.graph.node(id), Node::Data(ty) if ty.is_tensor() && ty.rank() > 0
            && matches!(TypeKind::of(*ty), TypeKind::Array(e) if e.is_float()))
    }

    pub fn field_ty(&mut self, field: &Field) -> Type {
        match &field.maybe {
            Some(symbol) => types::data(self.context, symbol),
            None => self.ty(field.node),
        }
    }

    /// Returns the `lambda.data` of an optional value of a type. For arrays, it also has variants for a number at a
    /// position, and for two sums.
    fn maybe(&mut self, id: NodeId) -> String {
        let shape = match self.graph.node(id) {
            Node::Data(ty) => Shape::Type(*ty),
            _ => Shape::Node(id),
        };
        if let Some(symbol) = self.maybes.get(&shape) {
            return symbol.clone();
        }
        let symbol = self.names.free("maybe");
        self.maybes.insert(shape, symbol.clone());
        let position = self.declarations.len();
        self.declarations.push(Declaration { symbol: symbol.clone(), alternatives: Vec::new() });
        let ty = self.shape_ty(shape);
        let mut alternatives = vec![("none".into(), vec![]), ("some".into(), vec![ty])];
        if self.is_array(id) {
            let index = self.context.scalar(Element::I64);
            let itself = types::data(self.context, &symbol);
            alternatives.push(("at".into(), [vec![index; ty.rank()], vec![ty.scalar()]].concat()));
            alternatives.push(("both".into(), vec![itself, itself]));
        }
        self.declarations[position].alternatives = alternatives;
        symbol
    }
}
