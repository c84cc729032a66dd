//! Zeros and sums of tangents (`spec/functional.md` B.3), for values that represent functions and environments. Those
//! of lists and optional values are computed by generated functions.

use super::flow::Node;
use super::represent::Shape;
use super::rewrite::Rewrite;
use super::{case, make, optional};
use crate::functions::anf::{Body, Code, Stmt, Var};
use crate::functions::as_loops;
use mlopt_dialects::ir::{Location, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;

/// The form of a tangent, which determines its sums and its zero.
enum TangentForm {
    /// Floats, scalar or in an array.
    Floats,
    Unit,
    /// The parts of a tuple or record.
    Parts(Vec<Shape>),
    List(Shape),
    Env,
    Function,
    /// A value without tangents.
    Other,
}

impl Rewrite<'_, '_> {
    fn tangent_form(&self, shape: Shape) -> TangentForm {
        let (ty, parts) = match shape {
            Shape::Type(ty) => (ty, ty.parts().into_iter().map(Shape::Type).collect()),
            Shape::Node(id) => match self.represent.graph.node(id) {
                Node::Data(ty) => (*ty, ty.parts().into_iter().map(Shape::Type).collect::<Vec<_>>()),
                Node::Parts(ty, parts) => (*ty, parts.iter().map(|p| Shape::Node(*p)).collect()),
                Node::Env(_) => return TangentForm::Env,
                Node::Function { .. } => return TangentForm::Function,
                Node::SameAs(_) => unreachable!("a root"),
            },
        };
        match TypeKind::of(ty) {
            TypeKind::Array(element) if element.is_float() => TangentForm::Floats,
            TypeKind::Unit => TangentForm::Unit,
            TypeKind::Tuple(_) | TypeKind::Record(..) => TangentForm::Parts(parts),
            TypeKind::List(_) => TangentForm::List(parts[0]),
            _ => TangentForm::Other,
        }
    }

    pub(super) fn sum(&mut self, out: &mut Vec<Stmt>, shape: Shape, a: Var, b: Var, at: Location) -> Var {
        let ty = self.program.ty(a);
        match self.tangent_form(shape) {
            TangentForm::Floats => self.program.push(out, Kind::ArithAddf, &[a, b], ty, at),
            TangentForm::Unit => a,
            TangentForm::Parts(parts) => {
                let mut sums = Vec::new();
                for (k, part) in parts.into_iter().enumerate() {
                    let (x, y) = (self.get(out, a, k, at), self.get(out, b, k, at));
                    sums.push(self.sum(out, part, x, y, at));
                }
                self.program.whole(out, &sums, ty, at)
            }
            TangentForm::Env => {
                let fields = self.fields(shape);
                let (x, y) = (self.unpack(out, a, fields.len(), at), self.unpack(out, b, fields.len(), at));
                let mut sums = Vec::new();
                for (field, (x, y)) in fields.iter().zip(x.into_iter().zip(y)) {
                    let part = Shape::Node(field.node);
                    sums.push(match &field.maybe {
                        None => self.sum(out, part, x, y, at),
                        Some(symbol) => {
                            let function = match field.is_sum {
                                true => self.both(part, symbol, at),
                                false => self.sum_of_maybes(part, symbol, at),
                            };
                            let ty = self.program.ty(x);
                            self.call_made(out, &function, &[x, y], ty, at)
                        }
                    });
                }
                self.pack(out, &sums, at)
            }
            TangentForm::List(element) => {
                let function = self.sum_of_lists(shape, element, ty, at);
                self.call_made(out, &function, &[a, b], ty, at)
            }
            TangentForm::Function | TangentForm::Other => self.program.push(out, Kind::LambdaGadd, &[a, b], ty, at),
        }
    }

    pub(super) fn call_made(&mut self, out: &mut Vec<Stmt>, symbol: &str, x: &[Var], ty: Type, at: Location) -> Var {
        let callee = self.program.context.symbol_attr(symbol);
        self.program.push_with(out, Kind::FuncCall, x, &[("callee", callee)], ty, at)
    }

    /// Adds a function to the module.
    pub(super) fn function(&mut self, symbol: String, params: Vec<Var>, stmts: Vec<Stmt>, result: Var, at: Location) {
        let code = Code::new(params, Body { stmts, results: vec![result] }, Kind::FuncReturn);
        self.made.push(super::private(self.program.context, symbol, code, at));
    }

    /// Returns the function that adds two values of a `lambda.data`. `write` gets its operands, the value of the first
    /// one if it is present, and the arm for the second one if both are. It returns the match on the first operand, and
    /// its result.
    pub(super) fn sum_of_data(
        &mut self,
        part: Shape,
        data: &str,
        at: Location,
        write: impl FnOnce(&mut Self, [Var; 2], Var, Code) -> (Stmt, Var),
    ) -> String {
        let ty = types::data(self.program.context, data);
        let key = Shape::Type(ty);
        if let Some(symbol) = self.sums.get(&key) {
            return symbol.clone();
        }
        let symbol = self.represent.names.free(&format!("sum.{data}"));
        self.sums.insert(key, symbol.clone());
        let held = self.represent.shape_ty(part);
        let [a, b] = ["a", "b"].map(|name| self.program.fresh(ty, Some(name.into())));
        let [x, y] = ["x", "y"].map(|name| self.program.fresh(held, Some(name.into())));
        let mut stmts = Vec::new();
        let total = self.sum(&mut stmts, part, x, y, at);
        let total = make(self.program, &mut stmts, (data, "some"), &[total], at);
        let (case, result) = write(self, [a, b], x, Code::yields(vec![y], stmts, vec![total]));
        self.function(symbol.clone(), vec![a, b], vec![case], result, at);
        symbol
    }

    /// Returns the function that adds two optional values: the present one, or their sum.
    fn sum_of_maybes(&mut self, part: Shape, data: &str, at: Location) -> String {
        self.sum_of_data(part, data, at, |this, [a, b], x, some| {
            let (context, ty) = (this.program.context, this.program.ty(a));
            let [inner, outer] = [(); 2].map(|()| this.program.fresh(ty, None));
            let there = case(context, b, vec![inner], optional(a, some), at);
            let some = Code::yields(vec![x], vec![there], vec![inner]);
            (case(context, a, vec![outer], optional(b, some), at), outer)
        })
    }

    /// Returns the function that adds two lists of one length elementwise.
    fn sum_of_lists(&mut self, shape: Shape, element: Shape, ty: Type, at: Location) -> String {
        if let Some(symbol) = self.sums.get(&shape) {
            return symbol.clone();
        }
        let symbol = self.represent.names.free("sum.list");
        self.sums.insert(shape, symbol.clone());
        let [a, b] = ["a", "b"].map(|name| self.program.fresh(ty, Some(name.into())));
        let each =
            self.element_loop(&[a, b], ty, at, |this, out, heads| this.sum(out, element, heads[0], heads[1], at));
        self.function(symbol.clone(), vec![a, b], each.0, each.1, at);
        symbol
    }

    /// Writes the list of type `ty` of the results for each of the values of `lists`.
    fn element_loop(
        &mut self,
        lists: &[Var],
        ty: Type,
        at: Location,
        body: impl FnOnce(&mut Self, &mut Vec<Stmt>, &[Var]) -> Var,
    ) -> (Vec<Stmt>, Var) {
        let types: Vec<Type> = lists.iter().map(|l| self.program.ty(*l).parts()[0]).collect();
        let heads = self.program.fresh_all(&types);
        let mut inner = Vec::new();
        let made = body(self, &mut inner, &heads);
        let mut out = Vec::new();
        let result = as_loops::map_lists(self.program, &mut out, (lists, ty), at, |program, out, given| {
            let mut names = heads.iter().copied().zip(given.iter().copied()).collect();
            let body = program.copy_body(&Body { stmts: inner, results: vec![made] }, &mut names);
            out.extend(body.stmts);
            body.results[0]
        });
        (out, result)
    }

    /// Writes the zero of a type that determines it, or the empty environment.
    pub(super) fn zero(&mut self, out: &mut Vec<Stmt>, shape: Shape, at: Location) -> Var {
        match self.tangent_form(shape) {
            TangentForm::Floats => {
                let ty = self.represent.shape_ty(shape);
                self.program.push(out, Kind::DualZero, &[], ty, at)
            }
            TangentForm::Parts(parts) => {
                let zeros: Vec<Var> = parts.into_iter().map(|p| self.zero(out, p, at)).collect();
                let ty = self.represent.shape_ty(shape);
                self.program.whole(out, &zeros, ty, at)
            }
            TangentForm::Env => {
                let mut values = Vec::new();
                for field in self.fields(shape) {
                    values.push(match &field.maybe {
                        None => self.zero(out, Shape::Node(field.node), at),
                        Some(symbol) => make(self.program, out, (symbol, "none"), &[], at),
                    });
                }
                self.pack(out, &values, at)
            }
            _ => self.unit(out, at),
        }
    }

    /// Writes the zero of the tangents of `x`, for a value of one type with a tangent of another.
    pub(super) fn zero_like(&mut self, out: &mut Vec<Stmt>, (of, to): (Shape, Shape), x: Var, at: Location) -> Var {
        match (self.tangent_form(of), self.tangent_form(to)) {
            (TangentForm::Floats, _) => {
                let ty = self.represent.shape_ty(to);
                match ty.shape().iter().all(Option::is_some) {
                    true => self.program.push(out, Kind::DualZero, &[], ty, at),
                    false => self.program.push(out, Kind::LambdaZerosLike, &[x], ty, at),
                }
            }
            (TangentForm::Parts(of), TangentForm::Parts(parts)) => {
                let mut zeros = Vec::new();
                for (k, pair) in of.into_iter().zip(parts).enumerate() {
                    let part = self.get(out, x, k, at);
                    zeros.push(self.zero_like(out, pair, part, at));
                }
                let ty = self.represent.shape_ty(to);
                self.program.whole(out, &zeros, ty, at)
            }
            (TangentForm::List(from), TangentForm::List(element)) => {
                let ty = self.represent.shape_ty(to);
                let function = self.zeros_of_list((of, to), (from, element), (self.program.ty(x), ty), at);
                self.call_made(out, &function, &[x], ty, at)
            }
            (TangentForm::Function | TangentForm::Env, TangentForm::Env) => self.zero(out, to, at),
            _ => self.unit(out, at),
        }
    }

    fn zeros_of_list(
        &mut self,
        key: (Shape, Shape),
        element: (Shape, Shape),
        (from, to): (Type, Type),
        at: Location,
    ) -> String {
        if let Some(symbol) = self.zeros.get(&key) {
            return symbol.clone();
        }
        let symbol = self.represent.names.free("zeros.list");
        self.zeros.insert(key, symbol.clone());
        let list = self.program.fresh(from, Some("list".into()));
        let each = self.element_loop(&[list], to, at, |this, out, heads| this.zero_like(out, element, heads[0], at));
        self.function(symbol.clone(), vec![list], each.0, each.1, at);
        symbol
    }
}
