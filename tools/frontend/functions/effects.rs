//! Which functions have effects: these take a token and give one back (`spec/functional.md` A.9).
//!
//! A function whose body sends, receives, prints, starts a task or calls such a function has effects. It may be called
//! where one can see which function it is, and started by `spawn`; as a value it is refused. So a function that comes
//! from elsewhere, a parameter or a part of a tuple, has none.

use super::Problem;
use super::syntax::{Expr, Function, Head, Kind, Lambda, Op, Program, Variable, error, wrong};
use std::collections::VecDeque;

/// Marks the functions and expressions with effects.
///
/// # Errors
/// Functions with effects as values; effects in the condition of a loop.
pub fn analyse(program: &mut Program) -> Result<(), Problem> {
    let mut definitions = std::mem::take(&mut program.definitions);
    let mut marker = Marker { variables: &program.variables, functions: &mut program.functions, changed: true };
    // Functions call each other in any order: those that use one that turns out to have effects are read again.
    let mut users: Vec<Vec<usize>> = vec![vec![]; definitions.len()];
    program.uses.iter().for_each(|&(user, used)| users[used].push(user));
    let mut open: VecDeque<usize> = (0..definitions.len()).collect();
    let mut is_open = vec![true; definitions.len()];
    while let Some(id) = open.pop_front() {
        is_open[id] = false;
        let known = marker.functions[id].effects;
        loop {
            marker.changed = false;
            let effects = marker.mark(&mut definitions[id].body);
            marker.set(id, effects);
            if !marker.changed {
                break;
            }
        }
        if marker.functions[id].effects && !known {
            for &user in &users[id] {
                if !std::mem::replace(&mut is_open[user], true) {
                    open.push_back(user);
                }
            }
        }
    }
    let checker = Checker { variables: &program.variables, functions: &program.functions };
    let checked = definitions.iter().try_for_each(|d| checker.check(&d.body, Place::Value));
    program.definitions = definitions;
    checked
}

struct Marker<'a> {
    variables: &'a [Variable],
    functions: &'a mut [Function],
    changed: bool,
}

impl Marker<'_> {
    fn set(&mut self, id: usize, effects: bool) {
        self.changed |= effects && !self.functions[id].effects;
        self.functions[id].effects |= effects;
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
            Kind::Literal(_) | Kind::Variable(_) | Kind::Definition(_) => false,
            Kind::Lambda(lambda) => {
                self.lambda(lambda);
                false
            }
            Kind::Call(f, arguments) => {
                let before = self.mark(f) | self.any(arguments);
                before || f.function(self.variables).is_some_and(|id| self.functions[id].effects)
            }
            Kind::Let(bindings, body) => self.any(bindings.iter_mut().map(|b| &mut b.1)) | self.mark(body),
            Kind::Letrec(members, body) => {
                members.iter_mut().for_each(|(_, lambda)| self.lambda(lambda));
                self.mark(body)
            }
            Kind::If(parts) => self.any(parts.iter_mut()),
            Kind::Loop(l) => {
                let head = match &mut l.head {
                    Head::While(condition) => self.mark(condition),
                    Head::For(_, count) => self.mark(count),
                };
                let first = self.any(l.carried.iter_mut().map(|c| &mut c.1));
                head | first | self.any(&mut l.next) | self.mark(&mut l.result)
            }
            Kind::Do(all) => self.any(all),
            Kind::Op(op, operands) => {
                // A function that is written where it is started takes the token of its task.
                if let (Op::Spawn(_), Some(Kind::Lambda(task))) = (&op, operands.first().map(|f| &f.kind)) {
                    self.set(task.id, true);
                }
                self.any(operands) | op.has_effects()
            }
        };
        e.effects
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// It is called, started, or gets a name.
    Seen,
    Differentiated,
    Value,
}

struct Checker<'a> {
    variables: &'a [Variable],
    functions: &'a [Function],
}

impl Checker<'_> {
    /// Whether this is a function with effects.
    fn is_effectful(&self, e: &Expr) -> bool {
        e.function(self.variables).is_some_and(|id| self.functions[id].effects)
    }

    fn values<'e>(&self, all: impl IntoIterator<Item = &'e Expr>) -> Result<(), Problem> {
        all.into_iter().try_for_each(|e| self.check(e, Place::Value))
    }

    fn check(&self, e: &Expr, place: Place) -> Result<(), Problem> {
        match &e.kind {
            Kind::Literal(_) => Ok(()),
            Kind::Variable(_) | Kind::Definition(_) => self.function(e, place),
            Kind::Lambda(lambda) => {
                self.function(e, place)?;
                self.check(&lambda.body, Place::Value)
            }
            Kind::Call(f, arguments) => {
                self.check(f, Place::Seen)?;
                self.values(arguments)
            }
            Kind::Let(bindings, body) => {
                bindings.iter().try_for_each(|(_, e)| self.check(e, Place::Seen))?;
                self.check(body, place)
            }
            Kind::Letrec(members, body) => {
                self.values(members.iter().map(|(_, lambda)| &*lambda.body))?;
                self.check(body, place)
            }
            Kind::If(parts) => {
                let [condition, a, b] = &**parts;
                self.check(condition, Place::Value)?;
                if self.is_effectful(a) != self.is_effectful(b) {
                    let text = "one branch is a function with effects, the other one is not";
                    return Err(wrong(e.at, "effect-in-branch-mismatch", text));
                }
                self.values([a, b])
            }
            Kind::Loop(l) => {
                match &l.head {
                    Head::While(condition) if condition.effects => {
                        return Err(error(condition.at, "not supported: effects in the condition of `while`"));
                    }
                    Head::While(e) | Head::For(_, e) => self.check(e, Place::Value)?,
                }
                self.values(l.carried.iter().map(|c| &c.1).chain(&l.next).chain([&l.result]))
            }
            Kind::Do(all) => match all.split_last() {
                Some((last, before)) => {
                    before.iter().try_for_each(|e| self.check(e, Place::Seen))?;
                    self.check(last, place)
                }
                None => Ok(()),
            },
            Kind::Op(op, operands) => {
                let (first, rest) = match op {
                    Op::Spawn(_) => (Place::Seen, &operands[1..]),
                    Op::Grad { .. } => (Place::Differentiated, &operands[1..]),
                    _ => return self.values(operands),
                };
                self.check(&operands[0], first)?;
                self.values(rest)
            }
        }
    }

    fn function(&self, e: &Expr, place: Place) -> Result<(), Problem> {
        match place {
            _ if !self.is_effectful(e) => Ok(()),
            Place::Seen => Ok(()),
            Place::Differentiated => {
                Err(wrong(e.at, "effect-in-gradient", "a function with effects cannot be differentiated"))
            }
            Place::Value => {
                let text =
                    "not supported: a function with effects as a value; call it by its name, or start it by `spawn`";
                Err(error(e.at, text))
            }
        }
    }
}
