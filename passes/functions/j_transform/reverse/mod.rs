//! The transform J (`spec/functional.md` B): a function becomes one that returns its result together with its
//! backpropagator.
//!
//! The transformed function has two parts. The forward part contains the statements of the function, on transformed
//! operands. The backward part is the backpropagator: a function of the cotangent of the result, which sums the
//! contributions to the cotangent of each value, in reverse order of the statements. Primitives are differentiated in
//! place by the table of derivatives. The forward part of a conditional or loop stores the residuals as values. If the
//! type of a residual does not permit this, the forward part stores the backward part, a function that captures the
//! residuals.

mod loops;
mod sensitivity;
mod table;

use crate::functions::anf::{Body, Code, Program, Stmt, Var, free, free_in};
use crate::functions::statements::is_static;
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Location, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use sensitivity::{BackwardPart, plus};
use std::collections::HashMap;
pub use table::Table;

/// The images of values.
pub type Images = HashMap<Var, Var>;

/// A statement of the forward part with a backward rule.
struct Step {
    /// The original statement.
    stmt: Stmt,
    back: Back,
}

/// The backward rule of a statement.
enum Back {
    /// The rule of the op, from the images of its operands and results.
    Rule,
    /// The function that the call returned.
    Call(Var),
    /// The captures of a function, with their keys.
    Captures(Vec<Var>),
    /// A conditional.
    If(loops::Branches),
    /// A loop.
    Loop(loops::BackwardLoop),
    /// Without cotangents.
    Nowhere,
}

pub struct Transform<'p> {
    pub program: &'p mut Program,
    pub table: &'p mut Table,
}

/// The forward part of a body, with its backward rules.
struct Forward {
    stmts: Vec<Stmt>,
    steps: Vec<Step>,
}

impl Transform<'_> {
    /// Returns J of a function. `images` contains those of captured values that contain functions; `group` are the
    /// functions that are defined together with it.
    pub fn function(&mut self, code: &Code, images: &Images, group: &[Var], at: Location) -> Result<Code, Reported> {
        let mut images = images.clone();
        let params = self.parameters(&code.params, &mut images);
        let mut forward = self.forward(&code.body.stmts, &mut images)?;
        let y = code.body.results[0];
        let mut sums = BackwardPart::new(&images);
        let d = self.cotangent(&mut sums, y, y, "d");
        self.backward(&forward.steps, &mut sums)?;
        let mut results = vec![self.environment(code, group, &mut sums, at)];
        results.extend(code.params.iter().map(|p| sums.total(self, *p, at)));
        let result = self.program.tuple(&mut sums.out, &results, at);
        let b = self.program.lambda(&mut forward.stmts, Code::returns(vec![d], sums.out, vec![result]), at);
        let y = image(&images, y);
        let result = self.program.tuple(&mut forward.stmts, &[y, b], at);
        Ok(Code { params, body: Body { stmts: forward.stmts, results: vec![result] }, end: code.end.clone() })
    }

    /// Creates a value for the cotangent of `of`, which contributes to that of `to`.
    fn cotangent(&mut self, sums: &mut BackwardPart, to: Var, of: Var, name: &str) -> Var {
        let new = self.program.fresh(types::tangent(self.program.ty(of)), Some(name.into()));
        sums.add(self, to, new);
        new
    }

    /// Writes the cotangents of the captures of a function.
    fn environment(&mut self, code: &Code, group: &[Var], sums: &mut BackwardPart, at: Location) -> Var {
        let mut e = self.program.env_empty(&mut sums.out, at);
        let captured: Vec<Var> = free(code).into_iter().filter(|v| sums.has(*v)).collect();
        let (members, others): (Vec<Var>, Vec<Var>) = captured.into_iter().partition(|v| group.contains(v));
        for var in others {
            let s = sums.total(self, var, at);
            let key = self.key(var);
            e = self.program.env_set(&mut sums.out, e, key, s, at);
        }
        // A function of the group is part of the environment of the group, because otherwise its key would have to
        // contain itself. It is added last, since setting a key overwrites its value.
        for var in members {
            let s = sums.total(self, var, at);
            e = self.program.push(&mut sums.out, Kind::LambdaEnvAdd, &[e, s], self.program.ty(e), at);
        }
        e
    }

    fn key(&self, var: Var) -> Attribute {
        self.program.context.string_attr(&self.program.key(var))
    }

    fn parameters(&mut self, params: &[Var], images: &mut Images) -> Vec<Var> {
        params.iter().map(|p| self.new_image(*p, images)).collect()
    }

    fn new_image(&mut self, var: Var, images: &mut Images) -> Var {
        let image = self.program.image(var, types::transformed(self.program.ty(var)));
        images.insert(var, image);
        image
    }

    /// Writes the statements on images.
    fn forward(&mut self, stmts: &[Stmt], images: &mut Images) -> Result<Forward, Reported> {
        let mut forward = Forward { stmts: Vec::new(), steps: Vec::new() };
        for stmt in stmts {
            let back = self.forward_stmt(stmt, images, &mut forward.stmts)?;
            forward.steps.push(Step { stmt: stmt.clone(), back });
        }
        Ok(forward)
    }

    /// Writes one statement on images, for functions that are defined outside of the transformed code.
    pub fn image_of(&mut self, stmt: &Stmt, images: &mut Images, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        self.forward_stmt(stmt, images, out).map(|_| ())
    }

    fn forward_stmt(&mut self, stmt: &Stmt, images: &mut Images, out: &mut Vec<Stmt>) -> Result<Back, Reported> {
        use Kind::*;
        match stmt.kind() {
            LambdaLambda => {
                let captured = free(&stmt.codes[0]);
                let code = self.function(&stmt.codes[0], images, &[], stmt.location)?;
                let result = self.new_image(stmt.result(), images);
                out.push(Stmt { results: vec![result], codes: vec![code], ..stmt.clone() });
                Ok(Back::Captures(captured))
            }
            LambdaLetrec => {
                let captured = free_in(std::slice::from_ref(stmt), &[]);
                let members: Vec<Var> = stmt.members().iter().map(Stmt::result).collect();
                self.parameters(&members, images);
                let mut made = Vec::new();
                for member in stmt.members() {
                    let code = self.function(&member.codes[0], images, &members, member.location)?;
                    made.push(Stmt { results: vec![images[&member.result()]], codes: vec![code], ..member.clone() });
                }
                let results = self.parameters(&stmt.results, images);
                let body = Body { results: made.iter().map(Stmt::result).collect(), stmts: made };
                let code = Code { params: vec![], body, end: stmt.codes[0].end.clone() };
                out.push(Stmt { results, codes: vec![code], ..stmt.clone() });
                Ok(Back::Captures(captured))
            }
            LambdaRef => {
                // The function without its derivative, and its image: the expansion of `lambda.J` knows the function.
                out.push(stmt.clone());
                let image = self.new_image(stmt.result(), images);
                out.push(Stmt::new(LambdaJ, vec![image], stmt.results.clone(), vec![], stmt.location));
                Ok(Back::Nowhere)
            }
            LambdaApply => {
                let operands: Vec<Var> = stmt.operands.iter().map(|v| image(images, *v)).collect();
                let t = self.program.apply(out, operands[0], &operands[1..], stmt.location);
                let y = self.new_image(stmt.result(), images);
                self.program.part_into(out, y, t, 0, stmt.location);
                let b = self.program.part(out, t, 1, stmt.location);
                Ok(Back::Call(b))
            }
            LambdaIf => self.forward_if(stmt, images, out).map(Back::If),
            LambdaFor | LambdaWhile => self.forward_loop(stmt, images, out).map(Back::Loop),
            LambdaChannel | LambdaSend | LambdaRecv | LambdaClose | LambdaSpawn | LambdaJoin => {
                let text = format!(
                    "effect-in-gradient: a function to be differentiated must have no effects, found '{}'",
                    stmt.op
                );
                Err(error(stmt.location, text))
            }
            LambdaOpaque => Err(error(stmt.location, "no-backpropagator: 'lambda.opaque' has no derivative")),
            FuncCall => {
                let text = "in a differentiated function, a call must have one result, which may be a tuple";
                let text = format!("not supported: {text}, found {} results", stmt.results.len());
                Err(error(stmt.location, text))
            }
            LambdaMap | LambdaReduce | LambdaFold | LambdaScan | LambdaConcat => {
                let text = "must have been converted to a loop before it is differentiated";
                Err(error(stmt.location, format!("internal error: '{}' {text}", stmt.op)))
            }
            LambdaGrad | LambdaVjp | LambdaJvp | LambdaHvp | LambdaPullback => {
                let text = "must have been expanded before the enclosing op is differentiated";
                Err(error(stmt.location, format!("internal error: '{}' {text}", stmt.op)))
            }
            _ => {
                self.same_op(stmt, images, out);
                Ok(Back::Rule)
            }
        }
    }

    /// Writes the op on images. Values inside an op of another dialect are data, and their own images.
    fn same_op(&mut self, stmt: &Stmt, images: &mut Images, out: &mut Vec<Stmt>) {
        let mut names = images.clone();
        let copy = self.program.copy_stmt(stmt, &mut names);
        for (old, new) in stmt.results.iter().zip(&copy.results) {
            let ty = types::transformed(self.program.ty(*old));
            self.program.set_ty(*new, ty);
            images.insert(*old, *new);
        }
        out.push(copy);
    }

    /// Writes the backward part of the statements. The remaining entries of `sums` belong to free variables.
    fn backward(&mut self, steps: &[Step], sums: &mut BackwardPart) -> Result<(), Reported> {
        for step in steps.iter().rev() {
            let stmt = &step.stmt;
            if !stmt.results.iter().any(|r| sums.has(*r)) {
                continue;
            }
            match &step.back {
                Back::Nowhere => {}
                Back::Call(b) => {
                    let s = sums.total(self, stmt.result(), stmt.location);
                    let r = self.program.apply(&mut sums.out, *b, &[s], stmt.location);
                    for (k, operand) in stmt.operands.iter().enumerate() {
                        if self.varies(*operand) {
                            let part = self.program.part(&mut sums.out, r, k, stmt.location);
                            sums.add(self, *operand, part);
                        }
                    }
                }
                Back::Captures(captured) => {
                    let given: Vec<Var> = stmt.results.iter().filter(|r| sums.has(**r)).copied().collect();
                    let s = given.into_iter().fold(None, |s, result| {
                        let more = sums.total(self, result, stmt.location);
                        Some(plus(self, &mut sums.out, s, more, stmt.location))
                    });
                    let Some(s) = s else { continue };
                    for var in captured.iter().filter(|v| self.varies(**v)).copied().collect::<Vec<_>>() {
                        let zero = self.zero(var, sums, stmt.location);
                        let key = self.key(var);
                        let part = self.program.env_get(&mut sums.out, s, key, zero, stmt.location);
                        sums.add(self, var, part);
                    }
                }
                Back::If(branches) => self.backward_if(stmt, branches, sums)?,
                Back::Loop(rounds) => self.backward_loop(stmt, rounds, sums)?,
                Back::Rule => self.backward_op(stmt, sums)?,
            }
        }
        Ok(())
    }

    /// Checks whether a value has cotangents.
    fn varies(&self, var: Var) -> bool {
        varies(self.program.ty(var))
    }

    /// Writes the zero of the tangents of a value: a strong one if its type determines it.
    fn zero(&mut self, var: Var, sums: &mut BackwardPart, at: Location) -> Var {
        let (ty, like) = (self.program.ty(var), sums.image(var));
        self.zero_of(&mut sums.out, ty, like, at)
    }

    fn zero_of(&mut self, out: &mut Vec<Stmt>, ty: Type, like: Var, at: Location) -> Var {
        let tangent = types::tangent(ty);
        if is_static(tangent) {
            self.program.zero(out, tangent, at)
        } else {
            self.program.push(out, Kind::LambdaZerosLike, &[like], tangent, at)
        }
    }
}

/// Checks whether values of this type have cotangents.
pub fn varies(ty: Type) -> bool {
    match TypeKind::of(types::tangent(ty)) {
        TypeKind::Unit => false,
        TypeKind::Tuple(parts) => parts.into_iter().any(varies),
        TypeKind::Record(_, fields) => fields.into_iter().any(|f| varies(f.1)),
        TypeKind::List(element) => varies(element),
        _ => true,
    }
}

/// Returns the image of a value. A free variable that is data is its own image.
pub fn image(images: &Images, var: Var) -> Var {
    images.get(&var).copied().unwrap_or(var)
}
