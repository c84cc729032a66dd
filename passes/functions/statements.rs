//! Builders of statements: constants, tuples and records, functions and their calls, environments.

use super::anf::{Code, Program, Stmt, Var};
use super::position_in;
use mlopt_dialects::ir::{Attribute, Location, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

impl Program {
    pub fn types_of(&self, values: &[Var]) -> Vec<Type> {
        values.iter().map(|v| self.ty(*v)).collect()
    }

    /// Creates a value without a name for each type.
    pub fn fresh_all(&mut self, types: &[Type]) -> Vec<Var> {
        types.iter().map(|t| self.fresh(*t, None)).collect()
    }

    /// Creates values with the names and types of others.
    pub fn all_like(&mut self, values: &[Var]) -> Vec<Var> {
        values.iter().map(|v| self.like(*v, self.ty(*v))).collect()
    }

    pub fn constant(&mut self, out: &mut Vec<Stmt>, value: Attribute, ty: Type, at: Location) -> Var {
        self.push_with(out, Kind::ArithConstant, &[], &[("value", value)], ty, at)
    }

    /// Appends a constant of an integer type.
    pub fn integer(&mut self, out: &mut Vec<Stmt>, n: i64, ty: Type, at: Location) -> Var {
        self.constant(out, Attribute::integer(ty, n), ty, at)
    }

    pub fn bool(&mut self, out: &mut Vec<Stmt>, value: bool, at: Location) -> Var {
        self.integer(out, i64::from(value), self.context.scalar(Element::I1), at)
    }

    /// Appends the zero of a type of tangents that determines it ([`is_static`]).
    pub fn zero(&mut self, out: &mut Vec<Stmt>, ty: Type, at: Location) -> Var {
        let op = match TypeKind::of(ty) {
            TypeKind::Unit => Kind::LambdaUnit,
            TypeKind::Env => Kind::LambdaEnvEmpty,
            TypeKind::Array(_) => Kind::DualZero,
            _ => {
                let parts: Vec<Var> = ty.parts().into_iter().map(|t| self.zero(out, t, at)).collect();
                return self.whole(out, &parts, ty, at);
            }
        };
        self.push(out, op, &[], ty, at)
    }

    /// Appends a value that is never read, of a type for which there is one ([`has_placeholder`]).
    pub fn placeholder(&mut self, out: &mut Vec<Stmt>, ty: Type, at: Location) -> Var {
        let op = match TypeKind::of(ty) {
            TypeKind::Array(_) => return self.constant(out, zero_attribute(ty), ty, at),
            TypeKind::Tuple(_) | TypeKind::Record(..) => {
                let parts: Vec<Var> = ty.parts().into_iter().map(|t| self.placeholder(out, t, at)).collect();
                return self.whole(out, &parts, ty, at);
            }
            TypeKind::List(_) => Kind::LambdaNil,
            TypeKind::Token => Kind::LambdaToken,
            TypeKind::Env => Kind::LambdaEnvEmpty,
            _ => Kind::LambdaUnit,
        };
        self.push(out, op, &[], ty, at)
    }

    pub fn tuple(&mut self, out: &mut Vec<Stmt>, parts: &[Var], at: Location) -> Var {
        let ty = self.context.tuple(&self.types_of(parts));
        self.push(out, Kind::LambdaTuple, parts, ty, at)
    }

    /// Returns the only part, or appends a tuple of several.
    pub fn packed(&mut self, out: &mut Vec<Stmt>, parts: &[Var], at: Location) -> Var {
        if let [one] = parts { *one } else { self.tuple(out, parts, at) }
    }

    /// Appends the tuple or record of type `ty` with these parts.
    pub fn whole(&mut self, out: &mut Vec<Stmt>, parts: &[Var], ty: Type, at: Location) -> Var {
        let op = if matches!(TypeKind::of(ty), TypeKind::Record(..)) { Kind::LambdaRecord } else { Kind::LambdaTuple };
        self.push(out, op, parts, ty, at)
    }

    /// Appends element `k` of a tuple, or field `k` of a record.
    pub fn part(&mut self, out: &mut Vec<Stmt>, whole: Var, k: usize, at: Location) -> Var {
        let result = self.fresh(self.ty(whole).parts()[k], None);
        self.part_into(out, result, whole, k, at);
        result
    }

    /// As [`Program::part`], for a given result.
    pub fn part_into(&mut self, out: &mut Vec<Stmt>, result: Var, whole: Var, k: usize, at: Location) {
        let (op, name, value) = match TypeKind::of(self.ty(whole)) {
            TypeKind::Record(_, fields) => (Kind::LambdaField, "field", self.context.string_attr(&fields[k].0)),
            _ => (Kind::LambdaGet, "index", Attribute::integer(self.context.scalar(Element::I64), k as i64)),
        };
        out.push(Stmt::new(op, vec![result], vec![whole], vec![], at).with(name, value));
    }

    /// Returns the position of the part of its first operand to which an op on a tuple or record refers.
    pub fn position(&self, stmt: &Stmt) -> usize {
        let position = position_in(self.ty(stmt.operands[0]), |name| stmt.attribute(name));
        position.expect("verified: the part exists, and the pass has checked that types are known")
    }

    /// Appends a function, and returns its value.
    pub fn lambda(&mut self, out: &mut Vec<Stmt>, code: Code, at: Location) -> Var {
        let ty = types::function(&self.types_of(&code.params), self.ty(code.body.results[0]));
        let result = self.fresh(ty, None);
        out.push(Stmt::new(Kind::LambdaLambda, vec![result], vec![], vec![code], at));
        result
    }

    /// Appends a reference to a function of the module, whose symbol is `callee`.
    pub fn reference(&mut self, out: &mut Vec<Stmt>, callee: Attribute, ty: Type, at: Location) -> Var {
        self.push_with(out, Kind::LambdaRef, &[], &[("callee", callee)], ty, at)
    }

    /// Returns the types of the arguments and of the result of a function value.
    pub fn signature(&self, f: Var) -> (Vec<Type>, Type) {
        let TypeKind::Function(inputs, result) = TypeKind::of(self.ty(f)) else { unreachable!("verified: a function") };
        (inputs, result)
    }

    /// Appends a call of a function value.
    pub fn apply(&mut self, out: &mut Vec<Stmt>, f: Var, arguments: &[Var], at: Location) -> Var {
        let (_, ty) = self.signature(f);
        self.push(out, Kind::LambdaApply, &[&[f], arguments].concat(), ty, at)
    }

    pub fn env_empty(&mut self, out: &mut Vec<Stmt>, at: Location) -> Var {
        self.push(out, Kind::LambdaEnvEmpty, &[], types::plain(self.context, "env"), at)
    }

    /// Appends an environment with the value of a key replaced.
    pub fn env_set(&mut self, out: &mut Vec<Stmt>, env: Var, key: Attribute, value: Var, at: Location) -> Var {
        self.push_with(out, Kind::LambdaEnvSet, &[env, value], &[("key", key)], self.ty(env), at)
    }

    /// Appends the value of a key, or `zero` if the environment does not contain it.
    pub fn env_get(&mut self, out: &mut Vec<Stmt>, env: Var, key: Attribute, zero: Var, at: Location) -> Var {
        self.push_with(out, Kind::LambdaEnvGet, &[env, zero], &[("key", key)], self.ty(zero), at)
    }
}

/// Returns the constant zero of a scalar type, or of an array type of static sizes.
pub fn zero_attribute(ty: Type) -> Attribute {
    let scalar = ty.scalar();
    let zero = if scalar.is_differentiable() { Attribute::float(scalar, 0.0) } else { Attribute::integer(scalar, 0) };
    if ty.is_tensor() { Attribute::splat(ty, zero) } else { zero }
}

/// Checks whether the type of a tangent determines its zero.
pub fn is_static(ty: Type) -> bool {
    match TypeKind::of(ty) {
        TypeKind::Array(_) => has_static_sizes(ty) && ty == types::tangent(ty),
        TypeKind::Tuple(_) | TypeKind::Record(..) => ty.parts().into_iter().all(is_static),
        TypeKind::Unit | TypeKind::Env => true,
        _ => false,
    }
}

/// Checks whether a placeholder of a type can be written.
pub fn has_placeholder(ty: Type) -> bool {
    match TypeKind::of(ty) {
        TypeKind::Array(_) => has_static_sizes(ty),
        TypeKind::Tuple(_) | TypeKind::Record(..) => ty.parts().into_iter().all(has_placeholder),
        TypeKind::Unit | TypeKind::List(_) | TypeKind::Env | TypeKind::Token => true,
        _ => false,
    }
}

pub fn has_static_sizes(ty: Type) -> bool {
    ty.shape().iter().all(Option::is_some)
}
