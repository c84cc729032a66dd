//! Element types and shapes (`spec/streams.md` 5.2), by unification over all instances.

use super::elaborate::{Equation, Op, Program, Value, Var};
use super::functions::{Function, show};
use super::syntax::{Error, Pointwise};
use std::collections::HashSet;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Bool,
    Int,
    Float,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Kind::Bool => "Boolean",
            Kind::Int => "integer",
            Kind::Float => "float",
        })
    }
}

/// Sizes, outermost axis first; empty for a scalar.
pub type Shape = Vec<u64>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub kind: Kind,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
enum Slot<T> {
    Same(Var),
    Open,
    Known(T),
}

/// Sets of variables that have something in common.
struct Classes<T>(Vec<Slot<T>>);

impl<T: Clone + PartialEq> Classes<T> {
    fn open(n: usize) -> Self {
        Classes((0..n).map(|_| Slot::Open).collect())
    }

    fn root(&mut self, v: Var) -> Var {
        let mut root = v;
        while let Slot::Same(w) = self.0[root] {
            root = w;
        }
        let mut v = v;
        while let Slot::Same(w) = self.0[v] {
            self.0[v] = Slot::Same(root);
            v = w;
        }
        root
    }

    fn get(&mut self, v: Var) -> Option<T> {
        let root = self.root(v);
        if let Slot::Known(t) = &self.0[root] { Some(t.clone()) } else { None }
    }

    /// Both, where they differ.
    fn unify(&mut self, a: Var, b: Var) -> Result<(), (T, T)> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        match (&self.0[a], &self.0[b]) {
            (Slot::Known(x), Slot::Known(y)) if x != y => return Err((x.clone(), y.clone())),
            (Slot::Known(_), _) => self.0[b] = Slot::Same(a),
            _ => self.0[a] = Slot::Same(b),
        }
        Ok(())
    }

    fn set(&mut self, v: Var, t: T) -> Result<(), (T, T)> {
        let v = self.root(v);
        match &self.0[v] {
            Slot::Known(x) if *x != t => Err((x.clone(), t)),
            _ => {
                self.0[v] = Slot::Known(t);
                Ok(())
            }
        }
    }
}

/// The type of each variable. `given` are those of inputs of the outermost instance.
pub fn infer(program: &Program, given: &[(Var, Type)]) -> Result<Vec<Type>, Vec<Error>> {
    let n = program.vars.len();
    let mut inference = Inference {
        program,
        equations: program.instances.iter().flat_map(|i| &i.equations).collect(),
        kinds: Classes::open(n),
        shapes: Classes::open(n),
        errors: vec![],
    };
    for (v, ty) in given {
        inference.kinds.0[*v] = Slot::Known(ty.kind);
        inference.shapes.0[*v] = Slot::Known(ty.shape.clone());
    }
    inference.kinds();
    inference.shapes();
    inference.conditions();
    inference.undecided();
    if !inference.errors.is_empty() {
        return Err(inference.errors);
    }
    let Inference { mut kinds, mut shapes, .. } = inference;
    let decided = |v: Var| Some(Type { kind: kinds.get(v)?, shape: shapes.get(v)? });
    Ok((0..n).filter_map(decided).collect())
}

struct Inference<'a> {
    program: &'a Program<'a>,
    equations: Vec<&'a Equation>,
    kinds: Classes<Kind>,
    shapes: Classes<Shape>,
    errors: Vec<Error>,
}

/// The streams that are one type in an equation: operands and results, conditions and learning rates left out.
fn alike(e: &Equation) -> Vec<Var> {
    let args = match e.op {
        Op::When(_) => &e.args[..1],
        Op::Merge | Op::Select => &e.args[1..],
        Op::Optimiser(..) => &e.args[..2],
        _ => &e.args[..],
    };
    args.iter().copied().chain(e.results.iter().flatten().copied()).collect()
}

fn condition(e: &Equation) -> Option<Var> {
    match e.op {
        Op::When(_) => Some(e.args[1]),
        Op::Merge | Op::Select => Some(e.args[0]),
        _ => None,
    }
}

fn is_comparison(op: Pointwise) -> bool {
    use Pointwise::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

fn is_logical(op: Pointwise) -> bool {
    matches!(op, Pointwise::And | Pointwise::Or | Pointwise::Not)
}

impl<'a> Inference<'a> {
    /// What an equation is called in a sentence.
    fn name(&self, e: &Equation) -> String {
        e.results.iter().flatten().next().map_or("an equation".into(), |&v| self.program.name(v))
    }

    fn fail(&mut self, code: &'static str, e: &Equation, text: String) {
        let name = self.name(e);
        self.errors.push(Error::new(code, &e.at, format!("{text}, in the equation of {name}")));
    }

    /// Arguments with the inputs, results with the outputs of an instance.
    fn links(&self, e: &Equation) -> Vec<(Var, Var)> {
        let Op::Instance(_, number) = e.op else { return vec![] };
        let callee = &self.program.instances[number];
        let results = e.results.iter().zip(&callee.outputs).filter_map(|(r, &o)| Some(((*r)?, o)));
        e.args.iter().copied().zip(callee.inputs.iter().copied()).chain(results).collect()
    }

    fn kinds(&mut self) {
        let mut consistent = Vec::new();
        for e in self.equations.clone() {
            match self.kinds_of(e) {
                Ok(()) => consistent.push(e),
                Err((a, b)) => self.fail("E-TYPE", e, format!("expected one type, found {a} and {b}")),
            }
        }
        for e in consistent {
            let operand = e.args.first().and_then(|&a| self.kinds.get(a));
            let wrong = match &e.op {
                Op::Pointwise(p) if is_logical(*p) => None,
                Op::Pointwise(Pointwise::Eq | Pointwise::Ne) => None,
                Op::Pointwise(_) if operand == Some(Kind::Bool) => Some("a number"),
                Op::Function(f) if f.is_of_floats() && operand.is_some_and(|k| k != Kind::Float) => Some("a float"),
                Op::Function(Function::Sum | Function::Matmul | Function::Outer) if operand == Some(Kind::Bool) => {
                    Some("numbers")
                }
                _ => None,
            };
            if let (Some(expected), Some(found)) = (wrong, operand) {
                self.fail("E-TYPE", e, format!("expected {expected}, found a {found}"));
            }
        }
    }

    fn kinds_of(&mut self, e: &Equation) -> Result<(), (Kind, Kind)> {
        if let Some(c) = condition(e) {
            self.kinds.set(c, Kind::Bool)?;
        }
        let results: Vec<Var> = e.results.iter().flatten().copied().collect();
        let all = |s: &mut Self, vars: &[Var]| vars.windows(2).try_for_each(|w| s.kinds.unify(w[0], w[1]));
        let set = |s: &mut Self, vars: &[Var], kind| vars.iter().try_for_each(|&v| s.kinds.set(v, kind));
        match &e.op {
            Op::Constant(Value::Bool(_)) => set(self, &results, Kind::Bool),
            Op::Constant(Value::Int(_)) => set(self, &results, Kind::Int),
            Op::Constant(Value::Float(_)) | Op::Fill(..) | Op::Initial(..) => set(self, &results, Kind::Float),
            Op::Pointwise(p) if is_comparison(*p) => {
                all(self, &e.args)?;
                set(self, &results, Kind::Bool)
            }
            Op::Pointwise(p) if is_logical(*p) => {
                set(self, &e.args, Kind::Bool)?;
                set(self, &results, Kind::Bool)
            }
            Op::Instance(..) => self.links(e).into_iter().try_for_each(|(a, b)| self.kinds.unify(a, b)),
            Op::Optimiser(..) => set(self, &[&e.args[..], &results].concat(), Kind::Float),
            _ => all(self, &alike(e)),
        }
    }

    /// Until nothing more is known; then conditions are scalars, and what is open around an operator has one shape.
    fn shapes(&mut self) {
        let mut open: Vec<&Equation> = self.equations.clone();
        let mut conditions: Vec<Var> = self.equations.iter().filter_map(|e| condition(e)).collect();
        let mut guess = false;
        loop {
            let before = open.len();
            let mut left = Vec::new();
            for e in open {
                match self.shapes_of(e, guess) {
                    Ok(true) => {}
                    Ok(false) => left.push(e),
                    Err(text) => self.fail("E-SHAPE", e, text),
                }
            }
            open = left;
            if open.len() == before {
                conditions.retain(|&c| self.shapes.get(c).is_none());
                if !conditions.is_empty() {
                    for c in std::mem::take(&mut conditions) {
                        self.shapes.set(c, vec![]).expect("it was open, or has become a scalar");
                    }
                    continue;
                }
                let inputs = self.program.instances[0].inputs.clone();
                let is_given = inputs.into_iter().all(|v| self.shapes.get(v).is_some());
                // What comes from outside is not guessed.
                if guess || open.is_empty() || !is_given {
                    return;
                }
                guess = true;
            }
        }
    }

    /// Whether all is said about an equation.
    fn shapes_of(&mut self, e: &Equation, guess: bool) -> Result<bool, String> {
        let differ = |(a, b): (Shape, Shape)| format!("expected one shape, found {} and {}", show(&a), show(&b));
        let result = e.results.iter().flatten().next().copied();
        let all =
            |s: &mut Self, vars: &[Var]| vars.windows(2).try_for_each(|w| s.shapes.unify(w[0], w[1])).map_err(differ);
        match &e.op {
            Op::Instance(..) => {
                self.links(e).into_iter().try_for_each(|(a, b)| self.shapes.unify(a, b)).map_err(differ)?;
            }
            Op::Constant(_) => self.result(e, vec![])?,
            Op::Fill(_, shape) | Op::Initial(.., shape) => self.result(e, shape.clone())?,
            Op::Pointwise(Pointwise::Neg | Pointwise::Not) => all(self, &alike(e))?,
            Op::Function(f) if f.is_of_floats() => all(self, &alike(e))?,
            Op::Fby | Op::Post | Op::Param(_) | Op::Same | Op::When(_) | Op::Merge | Op::Select => {
                all(self, &alike(e))?;
            }
            Op::Optimiser(..) => {
                self.shapes.set(e.args[2], vec![]).map_err(differ)?;
                all(self, &alike(e))?;
            }
            Op::Pointwise(_) => {
                let (a, b) = (self.shapes.get(e.args[0]), self.shapes.get(e.args[1]));
                let r = result.and_then(|r| self.shapes.get(r));
                match (a, b) {
                    (Some(a), Some(b)) if a == b || b.is_empty() => self.result(e, a)?,
                    (Some(a), Some(b)) if a.is_empty() => self.result(e, b)?,
                    (Some(a), Some(b)) => {
                        let (a, b) = (show(&a), show(&b));
                        return Err(format!("expected one shape, or a scalar and an array, found {a} and {b}"));
                    }
                    // An array decides; that the other operand fits is checked when it is known.
                    (Some(a), None) | (None, Some(a)) if !a.is_empty() => {
                        self.result(e, a)?;
                        if !guess {
                            return Ok(false);
                        }
                        all(self, &alike(e))?;
                    }
                    _ if r.is_some_and(|r| r.is_empty()) => {
                        e.args.iter().try_for_each(|&a| self.shapes.set(a, vec![])).map_err(differ)?;
                    }
                    _ if guess => all(self, &alike(e))?,
                    _ => return Ok(false),
                }
            }
            Op::Function(f) => {
                let known: Option<Vec<Shape>> = e.args.iter().map(|&a| self.shapes.get(a)).collect();
                let Some(known) = known else { return Ok(false) };
                self.result(e, f.shape(&known)?)?;
            }
        }
        Ok(true)
    }

    fn result(&mut self, e: &Equation, shape: Shape) -> Result<(), String> {
        let Some(&v) = e.results.iter().flatten().next() else { return Ok(()) };
        let differ = |(a, b): (Shape, Shape)| format!("expected one shape, found {} and {}", show(&b), show(&a));
        self.shapes.set(v, shape).map_err(differ)
    }

    fn conditions(&mut self) {
        for e in self.equations.clone() {
            let shape = condition(e).and_then(|c| self.shapes.get(c)).filter(|s| !s.is_empty());
            if let Some(shape) = shape {
                let text = format!("expected a scalar as the condition, found an array of shape {}", show(&shape));
                self.fail("E-TYPE", e, text);
            }
        }
    }

    /// Of all variables of one type that nothing decides, the first is reported.
    fn undecided(&mut self) {
        if !self.errors.is_empty() {
            return;
        }
        let mut seen = HashSet::new();
        for v in 0..self.program.vars.len() {
            let (what, root) = match (self.kinds.get(v), self.shapes.get(v)) {
                (None, _) => ("type", self.kinds.root(v)),
                (_, None) => ("shape", self.shapes.root(v)),
                _ => continue,
            };
            if !seen.insert(root) {
                continue;
            }
            let is_input = self.program.instances[0].inputs.contains(&v);
            let name = self.program.name(v);
            let bare = self.program.vars[v].name.as_deref().unwrap_or_default();
            let hint = if is_input { format!("; give it, as in `--type {bare}=f64`") } else { String::new() };
            let at = self.program.vars[v].at.clone();
            let code = if what == "type" { "E-TYPE" } else { "E-SHAPE" };
            self.errors.push(Error::new(code, &at, format!("nothing decides the {what} of {name}{hint}")));
        }
    }
}
