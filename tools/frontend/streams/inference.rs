//! Inference of element types and shapes (`spec/streams.md` 5.2), by unification over all instances.

use super::elaborate::{Equation, Op, Program, Var};
use super::functions::{self, Function};
use super::types::{Elements, Mismatch, Shape, Type, element, with_article};
use mlopt_dialects::primitives::{Notation, Primitive, named};
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::value::Element;
use std::collections::{HashSet, VecDeque};
use std::fmt::Display;

/// Equivalence classes of variables that have the same kind or shape.
struct Classes<T> {
    /// The next variable on the way to the representative; a representative itself.
    next: Vec<Var>,
    /// For each representative, its value, and the equations to wake when the value becomes known.
    known: Vec<Option<T>>,
    waiting: Vec<Vec<usize>>,
    /// The equations that were woken.
    woken: Vec<usize>,
}

impl<T: Clone + PartialEq> Classes<T> {
    fn open(n: usize) -> Self {
        Classes { next: (0..n).collect(), known: vec![None; n], waiting: vec![vec![]; n], woken: vec![] }
    }

    /// Returns the representative, with path compression.
    fn root(&mut self, mut v: Var) -> Var {
        while self.next[v] != v {
            self.next[v] = self.next[self.next[v]];
            v = self.next[v];
        }
        v
    }

    fn get(&mut self, v: Var) -> Option<T> {
        let root = self.root(v);
        self.known[root].clone()
    }

    /// Unifies two classes. Returns both values if they differ.
    fn unify(&mut self, a: Var, b: Var) -> Result<(), (T, T)> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        let (from, to) = match (&self.known[a], &self.known[b]) {
            (Some(x), Some(y)) if x != y => return Err((x.clone(), y.clone())),
            (Some(_), _) => (b, a),
            _ => (a, b),
        };
        self.next[from] = to;
        let mut waiting = std::mem::take(&mut self.waiting[from]);
        if self.known[to].is_some() {
            self.woken.extend(waiting);
            return Ok(());
        }
        // The shorter list is appended to the longer one.
        if self.waiting[to].len() > waiting.len() {
            std::mem::swap(&mut self.waiting[to], &mut waiting);
        }
        let others = std::mem::replace(&mut self.waiting[to], waiting);
        self.waiting[to].extend(others);
        Ok(())
    }

    /// Unifies the classes of all these variables.
    fn unify_all(&mut self, vars: &[Var]) -> Result<(), (T, T)> {
        vars.windows(2).try_for_each(|pair| self.unify(pair[0], pair[1]))
    }

    /// Unifies the variables of an instance with those of its node. `mismatch` formats a difference.
    fn link(
        &mut self,
        program: &Program,
        e: &Equation,
        mismatch: impl Fn(&str, (T, T)) -> Mismatch,
    ) -> Result<(), Mismatch> {
        let Op::Instance(_, number) = e.op else { return Ok(()) };
        let callee = &program.instances[number];
        let mut vars = e.args.iter().zip(&callee.inputs).chain(e.results.iter().zip(&callee.outputs));
        vars.try_for_each(|(&actual, &formal)| {
            let place = || format!("for {} in its node and in the instance", program.name(formal));
            self.unify(actual, formal).map_err(|both| mismatch(&place(), both))
        })
    }

    /// Sets the value of a class. Returns the known value and `t` if they differ.
    fn set(&mut self, v: Var, t: T) -> Result<(), (T, T)> {
        let v = self.root(v);
        match &self.known[v] {
            Some(x) if *x != t => Err((x.clone(), t)),
            _ => {
                self.known[v] = Some(t);
                self.woken.append(&mut self.waiting[v]);
                Ok(())
            }
        }
    }

    /// Registers an equation to be woken when the value of `v` becomes known.
    fn wait(&mut self, v: Var, equation: usize) {
        let root = self.root(v);
        if self.known[root].is_none() {
            self.waiting[root].push(equation);
        }
    }
}

/// Infers the type of each variable. `given` are the types of inputs of the outermost instance; floats are written as
/// `float`.
pub fn infer(program: &Program, given: &[(Var, Type)], float: Element) -> Result<Vec<Type>, Vec<Problem>> {
    let n = program.vars.len();
    let mut inference = Inference {
        program,
        equations: program.instances.iter().flat_map(|i| &i.equations).collect(),
        kinds: Classes::open(n),
        shapes: Classes::open(n),
        errors: vec![],
    };
    for (v, ty) in given {
        inference.kinds.known[*v] = Some(ty.kind);
        inference.shapes.known[*v] = Some(ty.shape.clone());
    }
    inference.kinds();
    inference.shapes();
    inference.conditions();
    inference.undecided(float);
    if !inference.errors.is_empty() {
        return Err(inference.errors);
    }
    let Inference { mut kinds, mut shapes, .. } = inference;
    Ok((0..n).filter_map(|v| Some(Type { kind: kinds.get(v)?, shape: shapes.get(v)? })).collect())
}

struct Inference<'a> {
    program: &'a Program<'a>,
    equations: Vec<&'a Equation>,
    kinds: Classes<Elements>,
    shapes: Classes<Shape>,
    errors: Vec<Problem>,
}

/// Returns the streams of an equation that have the same type: operands and results, without conditions and learning
/// rates.
fn of_one_type(e: &Equation) -> Vec<Var> {
    let args = match e.op {
        Op::When(_) => &e.args[..1],
        Op::Merge | Op::Select => &e.args[1..],
        Op::Optimiser(..) => &e.args[..2],
        _ => &e.args[..],
    };
    args.iter().copied().chain(e.results.iter().copied()).collect()
}

fn condition(e: &Equation) -> Option<Var> {
    match e.op {
        Op::When(_) => Some(e.args[1]),
        Op::Merge | Op::Select => Some(e.args[0]),
        _ => None,
    }
}

/// Checks whether a primitive has these elements.
fn takes(p: &Primitive, kind: Elements) -> bool {
    p.elements == kind || named(Notation::Streams, p.name(Notation::Streams)).any(|p| p.elements == kind)
}

impl<'a> Inference<'a> {
    fn fail(&mut self, code: &'static str, e: &Equation, text: impl Display) {
        let equation = e.results.first().map_or("an instance without results".into(), |&v| self.program.equation(v));
        self.errors.push(Problem::with_code(code, e.at, format!("{text}, in the equation of {equation}")));
    }

    fn kinds(&mut self) {
        let mut consistent = Vec::new();
        for e in self.equations.clone() {
            match self.kinds_of(e) {
                Ok(()) => consistent.push(e),
                Err(mismatch) => self.fail("E-TYPE", e, mismatch),
            }
        }
        for e in consistent {
            let operand = e.args.first().and_then(|&a| self.kinds.get(a));
            let wrong = match &e.op {
                Op::Pointwise(p) if operand.is_none_or(|kind| takes(p, kind)) => None,
                Op::Pointwise(p) if takes(p, Elements::Int) => Some("a number"),
                Op::Pointwise(_) => Some("a float"),
                Op::Function(_, Function::Sum | Function::Matmul | Function::Outer)
                    if operand == Some(Elements::Bool) =>
                {
                    Some("numbers")
                }
                _ => None,
            };
            if let (Some(expected), Some(found)) = (wrong, operand) {
                self.fail("E-TYPE", e, format!("expected {expected}, found {}", with_article(found)));
            }
        }
    }

    fn kinds_of(&mut self, e: &Equation) -> Result<(), Mismatch> {
        if let Some(c) = condition(e) {
            let wrong = |(found, _)| Mismatch::new("a Boolean condition", with_article(found));
            self.kinds.set(c, Elements::Bool).map_err(wrong)?;
        }
        let differ = |place: &str, (a, b): (Elements, Elements)| {
            Mismatch::new(format!("the same type {place}"), format!("{a} and {b}"))
        };
        let alike = |s: &mut Self, vars: &[Var]| s.kinds.unify_all(vars).map_err(|both| differ(&places(e), both));
        let set = |s: &mut Self, kind: Elements| {
            let wrong =
                |(found, _)| Mismatch::new(format!("{} {}", with_article(kind), places(e)), with_article(found));
            e.args.iter().try_for_each(|&v| s.kinds.set(v, kind)).map_err(wrong)
        };
        let result = match &e.op {
            Op::Constant(Number::Bool(_), _) => Elements::Bool,
            Op::Constant(Number::Int(_), _) => Elements::Int,
            Op::Constant(Number::Float(_), _) | Op::Initial(..) => Elements::Float,
            Op::Pointwise(p) if p.is_comparison() => {
                alike(self, &e.args)?;
                Elements::Bool
            }
            Op::Pointwise(p) if p.elements == Elements::Bool => {
                set(self, Elements::Bool)?;
                Elements::Bool
            }
            Op::Optimiser(..) => {
                set(self, Elements::Float)?;
                Elements::Float
            }
            Op::Instance(..) => return self.kinds.link(self.program, e, differ),
            _ => return alike(self, &of_one_type(e)),
        };
        let wrong = |(found, _)| Mismatch::new(with_article(found), with_article(result));
        e.results.iter().try_for_each(|&v| self.kinds.set(v, result)).map_err(wrong)
    }

    /// Infers shapes until a fixpoint is reached. Then it sets open conditions to scalars, and finally assumes one
    /// shape for all open operands and results of an operator.
    fn shapes(&mut self) {
        let equations = self.equations.clone();
        let mut conditions: Vec<Var> = equations.iter().filter_map(|e| condition(e)).collect();
        let mut queue: VecDeque<usize> = (0..equations.len()).collect();
        // For each equation: whether its shapes are complete, and whether it waits.
        let (mut done, mut waits) = (vec![false; equations.len()], vec![false; equations.len()]);
        let mut guess = false;
        loop {
            while let Some(k) = queue.pop_front() {
                if done[k] {
                    continue;
                }
                let e = equations[k];
                match self.shapes_of(e, guess) {
                    Ok(is_done) => done[k] = is_done,
                    Err(mismatch) => {
                        self.fail("E-SHAPE", e, mismatch);
                        done[k] = true;
                    }
                }
                if !done[k] && !std::mem::replace(&mut waits[k], true) {
                    e.args.iter().chain(&e.results).for_each(|&v| self.shapes.wait(v, k));
                }
                queue.extend(self.shapes.woken.drain(..));
            }
            conditions.retain(|&c| self.shapes.get(c).is_none());
            if !conditions.is_empty() {
                for c in std::mem::take(&mut conditions) {
                    self.shapes.set(c, vec![]).expect("it was open, or has become a scalar");
                }
                queue.extend(self.shapes.woken.drain(..));
                continue;
            }
            let inputs = self.program.instances[0].inputs.clone();
            let is_given = inputs.into_iter().all(|v| self.shapes.get(v).is_some());
            // No shape is guessed while the shape of an input is unknown.
            if guess || !is_given {
                return;
            }
            guess = true;
            queue.extend((0..equations.len()).filter(|&k| !done[k]));
        }
    }

    /// Applies the rule of an equation. Returns whether its shapes are complete.
    fn shapes_of(&mut self, e: &Equation, guess: bool) -> Result<bool, Mismatch> {
        let both = |(a, b): (Shape, Shape)| format!("{a:?} and {b:?}");
        let differ = |place: &str, ab| Mismatch::new(format!("the same shape {place}"), both(ab));
        let differ_here = |ab| differ(&places(e), ab);
        let alike = |s: &mut Self| s.shapes.unify_all(&of_one_type(e)).map_err(differ_here);
        match &e.op {
            Op::Instance(..) => self.shapes.link(self.program, e, differ)?,
            Op::Constant(_, shape) | Op::Initial(.., shape) => self.result(e, shape.clone())?,
            Op::Pointwise(p) if p.arity == 1 => alike(self)?,
            Op::Fby | Op::Post | Op::Param(_) | Op::Same | Op::When(_) | Op::Merge | Op::Select => alike(self)?,
            Op::Optimiser(..) => {
                let expected = "a scalar for the learning rate of the optimiser";
                let wrong = |(found, _): (Shape, Shape)| Mismatch::new(expected, format!("{found:?}"));
                self.shapes.set(e.args[2], vec![]).map_err(wrong)?;
                alike(self)?;
            }
            Op::Pointwise(_) => {
                let (a, b) = (self.shapes.get(e.args[0]), self.shapes.get(e.args[1]));
                let r = e.results.first().and_then(|&r| self.shapes.get(r));
                match (a, b) {
                    (Some(a), Some(b)) if a == b || b.is_empty() => self.result(e, a)?,
                    (Some(a), Some(b)) if a.is_empty() => self.result(e, b)?,
                    (Some(a), Some(b)) => {
                        let expected = format!("the same shape {}, or a scalar and an array", places(e));
                        return Err(Mismatch::new(expected, both((a, b))));
                    }
                    // An array determines the result. The shape of the other operand is checked when it becomes known.
                    (Some(a), None) | (None, Some(a)) if !a.is_empty() => {
                        self.result(e, a)?;
                        if !guess {
                            return Ok(false);
                        }
                        alike(self)?;
                    }
                    _ if r.is_some_and(|r| r.is_empty()) => {
                        e.args.iter().try_for_each(|&a| self.shapes.set(a, vec![])).map_err(differ_here)?;
                    }
                    _ if guess => alike(self)?,
                    _ => return Ok(false),
                }
            }
            Op::Function(name, f) => {
                let known: Option<Vec<Shape>> = e.args.iter().map(|&a| self.shapes.get(a)).collect();
                let Some(known) = known else { return Ok(false) };
                self.result(e, f.shape(name, &known)?)?;
            }
        }
        Ok(true)
    }

    fn result(&mut self, e: &Equation, shape: Shape) -> Result<(), Mismatch> {
        let Some(&v) = e.results.first() else { return Ok(()) };
        let differ = |(a, b): (Shape, Shape)| Mismatch::new(format!("an array of shape {a:?}"), format!("{b:?}"));
        self.shapes.set(v, shape).map_err(differ)
    }

    fn conditions(&mut self) {
        for e in self.equations.clone() {
            let shape = condition(e).and_then(|c| self.shapes.get(c)).filter(|s| !s.is_empty());
            if let Some(shape) = shape {
                let text = format!("expected a scalar as the condition, found an array of shape {shape:?}");
                self.fail("E-TYPE", e, text);
            }
        }
    }

    /// Reports the first variable of each class whose type is undetermined. If there are such inputs, only inputs are
    /// reported, because the others derive from them.
    fn undecided(&mut self, float: Element) {
        if !self.errors.is_empty() {
            return;
        }
        let inputs: HashSet<Var> = self.program.instances[0].inputs.iter().copied().collect();
        let open = |s: &mut Self, v: Var| s.kinds.get(v).is_none() || s.shapes.get(v).is_none();
        let mut vars: Vec<Var> = inputs.iter().copied().filter(|&v| open(self, v)).collect();
        vars.sort_unstable();
        if vars.is_empty() {
            vars = (0..self.program.vars.len()).filter(|&v| open(self, v)).collect();
            // Named variables come first, because they are more informative.
            vars.sort_by_key(|&v| self.program.vars[v].name.is_none());
        }
        let mut seen = HashSet::new();
        for v in vars {
            let (kind, shape) = (self.kinds.get(v), self.shapes.get(v));
            let (what, code, root) = match kind {
                None => ("type", "E-TYPE", self.kinds.root(v)),
                Some(_) => ("shape", "E-SHAPE", self.shapes.root(v)),
            };
            if !seen.insert((code, root)) {
                continue;
            }
            let sizes: String = shape.unwrap_or_default().iter().map(|n| format!("{n}x")).collect();
            let element = kind.map_or(float, |kind| element(kind, float));
            let bare = self.program.vars[v].name.as_deref().unwrap_or_default();
            let hint = match inputs.contains(&v) {
                true => format!("; give it, as in `--type {bare}={sizes}{element}`"),
                false => String::new(),
            };
            let text = format!("the {what} of {} is not determined{hint}", self.program.name(v));
            self.errors.push(Problem::with_code(code, self.program.vars[v].at, text));
        }
    }
}

/// Names the parts of an operation that must have the same type.
fn places(e: &Equation) -> String {
    let place = match &e.op {
        Op::Pointwise(p) if functions::is_of_floats(p.name(Notation::Streams)) => "for the arguments",
        Op::Pointwise(p) => {
            let side = if p.arity == 1 { "after" } else { "around" };
            return format!("{side} `{}`", p.name(Notation::Streams));
        }
        Op::Fby => "around `fby`",
        Op::Post => "after `post`",
        Op::When(_) => "before `when`",
        Op::Merge => "for the two branches of `merge`",
        Op::Select => "for `then` and `else`",
        Op::Param(_) => "for `param`",
        Op::Optimiser(..) => "for the operands of the optimiser",
        Op::Function(..) => "for the arguments",
        _ => "on both sides",
    };
    place.into()
}
