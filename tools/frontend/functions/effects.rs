//! Effect analysis: determines which functions have effects. Such functions take a token and return one
//! (`spec/functional.md` A.9).
//!
//! A function has effects if its body sends, receives, prints, starts a task, or calls a function with effects. A
//! function with effects may be called only where the callee is known statically, or started by `spawn`; using it as a
//! value is an error. Therefore an unknown function, such as a parameter or a component of a tuple, has no effects.

use super::syntax::{Expr, ExprKind, Lambda, Op, Program};
use mlopt_dialects::text::Problem;
use std::collections::VecDeque;

/// Marks the functions and expressions with effects.
///
/// # Errors
/// Functions with effects as values; effects in the condition of a loop.
pub fn analyse(program: &mut Program) -> Result<(), Problem> {
    let mut definitions = std::mem::take(&mut program.definitions);
    // Definitions may call each other in any order, so the marks are computed as a fixpoint: when a definition turns
    // out to have effects, its users are visited again.
    let mut users: Vec<Vec<usize>> = vec![vec![]; definitions.len()];
    program.uses.iter().for_each(|&(user, used)| users[used].push(user));
    let mut open: VecDeque<usize> = (0..definitions.len()).collect();
    let mut is_open = vec![true; definitions.len()];
    let mut marker = Marker { program, changed: true };
    while let Some(id) = open.pop_front() {
        is_open[id] = false;
        let known = marker.program.functions[id].effects;
        loop {
            marker.changed = false;
            let effects = marker.mark(&mut definitions[id].body);
            marker.set(id, effects);
            if !marker.changed {
                break;
            }
        }
        if marker.program.functions[id].effects && !known {
            for &user in &users[id] {
                if !std::mem::replace(&mut is_open[user], true) {
                    open.push_back(user);
                }
            }
        }
    }
    let checker = Checker { program: marker.program };
    let checked = definitions.iter().try_for_each(|d| checker.check(&d.body, Use::Value));
    marker.program.definitions = definitions;
    checked
}

struct Marker<'a> {
    program: &'a mut Program,
    changed: bool,
}

impl Marker<'_> {
    fn set(&mut self, id: usize, effects: bool) {
        let function = &mut self.program.functions[id];
        self.changed |= effects && !function.effects;
        function.effects |= effects;
    }

    fn lambda(&mut self, lambda: &mut Lambda) {
        let effects = self.mark(&mut lambda.body);
        self.set(lambda.id, effects);
    }

    fn any<'e>(&mut self, all: impl IntoIterator<Item = &'e mut Expr>) -> bool {
        all.into_iter().fold(false, |any, e| self.mark(e) | any)
    }

    fn mark(&mut self, e: &mut Expr) -> bool {
        e.effects = match &mut e.kind {
            ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Definition(_) => false,
            ExprKind::Lambda(lambda) => {
                self.lambda(lambda);
                false
            }
            ExprKind::Call(f, arguments) => {
                let before = self.mark(f) | self.any(arguments);
                before || f.is_effectful(self.program)
            }
            ExprKind::Let(bindings, body) => self.any(bindings.iter_mut().map(|b| &mut b.1)) | self.mark(body),
            ExprKind::Letrec(members, body) => {
                members.iter_mut().for_each(|(_, lambda)| self.lambda(lambda));
                self.mark(body)
            }
            ExprKind::If(parts) => self.any(parts.iter_mut()),
            ExprKind::Loop(l) => {
                let control = self.mark(&mut l.control);
                let first = self.any(l.carried.iter_mut().map(|c| &mut c.1));
                control | first | self.any(&mut l.next) | self.mark(&mut l.result)
            }
            ExprKind::Do(before, last) => self.any(before) | self.mark(last),
            ExprKind::Op(op, operands) => {
                // A `lam` that is the operand of `spawn` takes the token of its task.
                if let (Op::Spawn(_), Some(ExprKind::Lambda(task))) = (&op, operands.first().map(|f| &f.kind)) {
                    self.set(task.id, true);
                }
                self.any(operands) | op.has_effects()
            }
        };
        e.effects
    }
}

/// The use of an expression.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    /// The expression is called, started, or bound to a name.
    Seen,
    Differentiated,
    Value,
}

struct Checker<'a> {
    program: &'a Program,
}

impl Checker<'_> {
    fn values<'e>(&self, all: impl IntoIterator<Item = &'e Expr>) -> Result<(), Problem> {
        all.into_iter().try_for_each(|e| self.check(e, Use::Value))
    }

    fn check(&self, e: &Expr, by: Use) -> Result<(), Problem> {
        match &e.kind {
            ExprKind::Literal(_) => Ok(()),
            ExprKind::Variable(_) | ExprKind::Definition(_) => self.function(e, by),
            ExprKind::Lambda(lambda) => {
                self.function(e, by)?;
                self.check(&lambda.body, Use::Value)
            }
            ExprKind::Call(f, arguments) => {
                self.check(f, Use::Seen)?;
                self.values(arguments)
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().try_for_each(|(_, e)| self.check(e, Use::Seen))?;
                self.check(body, by)
            }
            ExprKind::Letrec(members, body) => {
                self.values(members.iter().map(|(_, lambda)| &*lambda.body))?;
                self.check(body, by)
            }
            ExprKind::If(parts) => {
                let [condition, a, b] = &**parts;
                self.check(condition, Use::Value)?;
                if a.is_effectful(self.program) != b.is_effectful(self.program) {
                    let text = "both branches must have effects, or neither; found one with and one without";
                    return Err(Problem::with_code("effect-in-branch-mismatch", e.at, text));
                }
                self.values([a, b])
            }
            ExprKind::Loop(l) => {
                if l.index.is_none() && l.control.effects {
                    return Err(l.control.at.error("not supported: the condition of `while` must have no effects"));
                }
                let first = l.carried.iter().map(|c| &c.1);
                self.values([&l.control].into_iter().chain(first).chain(&l.next).chain([&l.result]))
            }
            ExprKind::Do(before, last) => {
                before.iter().try_for_each(|e| self.check(e, Use::Seen))?;
                self.check(last, by)
            }
            ExprKind::Op(op, operands) => {
                let (first, rest) = match op {
                    Op::Spawn(_) => (Use::Seen, &operands[1..]),
                    Op::Grad { .. } => (Use::Differentiated, &operands[1..]),
                    _ => return self.values(operands),
                };
                self.check(&operands[0], first)?;
                self.values(rest)
            }
        }
    }

    fn function(&self, e: &Expr, by: Use) -> Result<(), Problem> {
        match by {
            _ if !e.is_effectful(self.program) => Ok(()),
            Use::Seen => Ok(()),
            Use::Differentiated => {
                let text = "a function with effects cannot be differentiated";
                Err(Problem::with_code("effect-in-gradient", e.at, text))
            }
            Use::Value => {
                let text = "not supported: a function with effects must not be a value; call it by its name, or start \
                            it by `spawn`";
                Err(e.at.error(text))
            }
        }
    }
}
