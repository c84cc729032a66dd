//! The terms of the pullback language (`spec/functional.md` C.2).

use super::primitive::Primitive;
use mlopt_dialects::ir::{Location, Type};
use mlopt_dialects::value::{Array, Data};
use std::rc::Rc;

/// A variable. Each binder has its own. Copies of a term share theirs, which is correct because substituted terms are
/// closed, or open only in new variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub(super) u32);

pub type Term = Rc<Node>;

pub struct Node {
    pub kind: TermKind,
    /// The location of its op.
    pub at: Location,
    /// The free variables, ascending.
    free: Box<[Var]>,
}

/// The syntactic form of a term, with its parts.
pub enum TermKind {
    /// The zero of any type.
    Zero,
    Number(Rc<Array>),
    Variable(Var),
    /// A function that is evaluated in one step, and differentiated by the table.
    Primitive(Rc<Primitive>),
    /// A function of the module by its symbol; it is resolved when it is called.
    Global(Rc<str>),
    Lambda(Var, Term),
    Apply(Term, Term),
    /// `let x = S in P`
    Let(Var, Term, Term),
    Tuple(Vec<Term>),
    /// A component of a tuple, with the number of components.
    Part {
        index: usize,
        of: usize,
        tuple: Term,
    },
    Sum(Term, Term),
    /// `J f.S`: the derivative of a function along a direction, as a function of the point.
    Jacobian(Term, Term),
    /// `(\x.S1)^*.S2`
    Dual(Var, Term, Term),
    /// `(Omega \x.P).S`
    Pullback(Pullback),
    /// `D[y,L,V]` along a direction: it is deferred below a binder until the points are known (C.4, executable
    /// variant).
    Derivative(Vec<Point>, Term),
    /// `[a |> c]`: the functional on functions that evaluates at `a` and then applies `c`; `[a; u, … |> c]` evaluates
    /// the derivative along these directions.
    At(Evaluation),
    /// A functional of a value.
    Pairing(Term, Term),
}

#[derive(Clone)]
pub struct Pullback {
    /// The variables of the pattern `<<y, z1>, z2>`, outermost part first.
    pub pattern: Vec<Var>,
    /// True if the function also returns its argument: it is `\y.<y, body>`.
    pub keeps: bool,
    pub body: Term,
    pub form: Term,
    pub stage: Stage,
}

/// The point at which a function is evaluated, the directions of derivatives, and the covector that is applied to the
/// result.
#[derive(Clone)]
pub struct Evaluation {
    pub at: Term,
    pub along: Vec<Term>,
    pub covector: Term,
}

#[derive(Clone)]
pub enum Stage {
    /// The body is as written.
    Raw,
    /// The body is a let series.
    Series,
    /// The body is elementary. The field is the pullback before rules 7 and 8, if it was a function of one variable.
    Split(Option<Rc<Pullback>>),
}

/// The value of a variable, and the direction along which its function is differentiated.
#[derive(Clone)]
pub struct Point {
    pub var: Var,
    pub value: Term,
    pub along: Term,
}

impl Node {
    pub fn is_closed(&self) -> bool {
        self.free.is_empty()
    }

    pub fn has(&self, var: Var) -> bool {
        self.free.binary_search(&var).is_ok()
    }

    pub fn has_any(&self, vars: &[Var]) -> bool {
        vars.iter().any(|v| self.has(*v))
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.kind, TermKind::Zero)
    }

    /// Checks whether nothing in the term can be reduced, except terms that wait for arguments.
    pub fn is_value(&self) -> bool {
        match &self.kind {
            TermKind::Zero
            | TermKind::Number(_)
            | TermKind::Primitive(_)
            | TermKind::Global(_)
            | TermKind::Lambda(..) => true,
            TermKind::Tuple(parts) => parts.iter().all(|p| p.is_value()),
            _ => false,
        }
    }
}

/// Creates a term of this kind.
pub fn new(kind: TermKind, at: Location) -> Term {
    let mut free = Vec::new();
    match &kind {
        TermKind::Zero | TermKind::Number(_) | TermKind::Primitive(_) | TermKind::Global(_) => {}
        TermKind::Variable(v) => free.push(*v),
        TermKind::Lambda(x, body) => take(&mut free, body, &[*x]),
        TermKind::Apply(a, b) | TermKind::Sum(a, b) | TermKind::Jacobian(a, b) | TermKind::Pairing(a, b) => {
            take(&mut free, a, &[]);
            take(&mut free, b, &[]);
        }
        TermKind::At(e) => {
            let all = std::iter::once(&e.at).chain(&e.along).chain([&e.covector]);
            all.for_each(|t| take(&mut free, t, &[]));
        }
        TermKind::Let(x, value, body) | TermKind::Dual(x, body, value) => {
            take(&mut free, value, &[]);
            take(&mut free, body, &[*x]);
        }
        TermKind::Tuple(parts) => parts.iter().for_each(|p| take(&mut free, p, &[])),
        TermKind::Part { tuple, .. } => take(&mut free, tuple, &[]),
        TermKind::Pullback(p) => {
            take(&mut free, &p.form, &[]);
            take(&mut free, &p.body, &p.pattern);
        }
        TermKind::Derivative(points, body) => {
            take(&mut free, body, &variables(points));
            for point in points {
                take(&mut free, &point.value, &[]);
                take(&mut free, &point.along, &[]);
            }
        }
    }
    free.sort_unstable();
    free.dedup();
    Rc::new(Node { kind, at, free: free.into() })
}

fn take(free: &mut Vec<Var>, term: &Term, bound: &[Var]) {
    free.extend(term.free.iter().filter(|v| !bound.contains(v)));
}

pub fn zero(at: Location) -> Term {
    new(TermKind::Zero, at)
}

pub fn variable(var: Var, at: Location) -> Term {
    new(TermKind::Variable(var), at)
}

pub fn number(x: Array, at: Location) -> Term {
    new(TermKind::Number(Rc::new(x)), at)
}

pub fn apply(f: Term, x: Term) -> Term {
    let at = x.at;
    if f.is_zero() {
        return zero(at);
    }
    new(TermKind::Apply(f, x), at)
}

/// Returns `a + b`, where 0 is neutral.
pub fn sum(a: Term, b: Term) -> Term {
    if a.is_zero() {
        return b;
    }
    if b.is_zero() {
        return a;
    }
    let at = a.at;
    new(TermKind::Sum(a, b), at)
}

/// Returns a component; of a tuple term, the component itself.
pub fn part(index: usize, of: usize, tuple: Term) -> Term {
    match &tuple.kind {
        TermKind::Zero => tuple,
        TermKind::Tuple(parts) if parts.len() == of => parts[index].clone(),
        _ => {
            let at = tuple.at;
            new(TermKind::Part { index, of, tuple }, at)
        }
    }
}

/// Returns a tuple; a tuple of zeros is zero.
pub fn tuple(parts: Vec<Term>, at: Location) -> Term {
    if !parts.is_empty() && parts.iter().all(|p| p.is_zero()) {
        return zero(at);
    }
    new(TermKind::Tuple(parts), at)
}

/// Returns `J f.S`; along the zero direction, zero.
pub fn jacobian(f: Term, along: Term) -> Term {
    let at = along.at;
    if along.is_zero() || f.is_zero() {
        return zero(at);
    }
    new(TermKind::Jacobian(f, along), at)
}

/// Returns the derivative of a function along several directions, as a function of the point.
pub fn jets(f: &Term, along: &[Term]) -> Term {
    along.iter().fold(f.clone(), |f, u| jacobian(f, u.clone()))
}

/// Returns the variables of points.
pub fn variables(points: &[Point]) -> Vec<Var> {
    points.iter().map(|p| p.var).collect()
}

/// Returns the values of the variables of points.
pub fn values(points: &[Point]) -> Vec<(Var, Term)> {
    points.iter().map(|p| (p.var, p.value.clone())).collect()
}

/// Returns `let x = … in … result`.
pub fn series(lets: Vec<(Var, Term)>, result: Term) -> Term {
    lets.into_iter().rev().fold(result, |body, (x, value)| {
        let at = value.at;
        new(TermKind::Let(x, value, body), at)
    })
}

/// Returns the tuple `<<a, b>, c>` of several terms.
pub fn nested(parts: impl IntoIterator<Item = Term>, at: Location) -> Term {
    let whole = parts.into_iter().reduce(|rest, part| new(TermKind::Tuple(vec![rest, part]), at));
    whole.expect("a tuple has parts")
}

/// Returns the tuple that a pattern `<<y, z1>, z2>` represents.
pub fn pattern(vars: &[Var], at: Location) -> Term {
    nested(vars.iter().map(|v| variable(*v, at)), at)
}

/// Returns the components of `<<y, z1>, z2>` for a pattern of `n` variables.
pub fn components(n: usize, whole: &Term) -> Vec<Term> {
    let (mut all, mut rest) = (Vec::with_capacity(n), whole.clone());
    for _ in 1..n {
        all.push(part(1, 2, rest.clone()));
        rest = part(0, 2, rest);
    }
    all.push(rest);
    all.reverse();
    all
}

/// Returns `term` with each variable replaced.
pub fn substitute(term: &Term, with: &[(Var, Term)]) -> Term {
    if !with.iter().any(|(v, _)| term.has(*v)) {
        return term.clone();
    }
    let go = |t: &Term| substitute(t, with);
    // A bound variable shadows the outer one.
    let under = |bound: &[Var], t: &Term| match with.iter().any(|(v, _)| bound.contains(v)) {
        false => substitute(t, with),
        true => substitute(t, &with.iter().filter(|(v, _)| !bound.contains(v)).cloned().collect::<Vec<_>>()),
    };
    let kind = match &term.kind {
        TermKind::Zero | TermKind::Number(_) | TermKind::Primitive(_) | TermKind::Global(_) => return term.clone(),
        TermKind::Variable(v) => return with.iter().find(|(w, _)| w == v).expect("it is free").1.clone(),
        TermKind::Lambda(x, body) => TermKind::Lambda(*x, under(&[*x], body)),
        TermKind::Apply(f, x) => return at(apply(go(f), go(x)), term.at),
        TermKind::Let(x, value, body) => TermKind::Let(*x, go(value), under(&[*x], body)),
        TermKind::Tuple(parts) => TermKind::Tuple(parts.iter().map(go).collect()),
        TermKind::Part { index, of, tuple } => TermKind::Part { index: *index, of: *of, tuple: go(tuple) },
        TermKind::Sum(a, b) => return sum(go(a), go(b)),
        TermKind::Jacobian(f, s) => TermKind::Jacobian(go(f), go(s)),
        TermKind::Dual(x, body, value) => TermKind::Dual(*x, under(&[*x], body), go(value)),
        TermKind::Pullback(p) => {
            let stage = match &p.stage {
                // The original is only kept for closed pullbacks, where it is used.
                Stage::Split(_) => Stage::Split(None),
                stage => stage.clone(),
            };
            let body = under(&p.pattern, &p.body);
            TermKind::Pullback(Pullback { body, form: go(&p.form), stage, ..p.clone() })
        }
        TermKind::Derivative(points, body) => {
            let bound = variables(points);
            let points = points.iter().map(|p| Point { var: p.var, value: go(&p.value), along: go(&p.along) });
            TermKind::Derivative(points.collect(), under(&bound, body))
        }
        TermKind::At(e) => {
            let along = e.along.iter().map(go).collect();
            TermKind::At(Evaluation { at: go(&e.at), along, covector: go(&e.covector) })
        }
        TermKind::Pairing(w, x) => TermKind::Pairing(go(w), go(x)),
    };
    new(kind, term.at)
}

/// Returns the same term at another location, unless it is shared.
fn at(mut term: Term, place: Location) -> Term {
    if let Some(node) = Rc::get_mut(&mut term) {
        node.at = place;
    }
    term
}

/// The names of variables, and their types where known.
#[derive(Default)]
pub struct Names {
    all: Vec<(Rc<str>, Option<Type>)>,
    counted: usize,
}

impl Names {
    pub fn fresh(&mut self, name: &str, ty: Option<Type>) -> Var {
        self.all.push((name.into(), ty));
        Var(self.all.len() as u32 - 1)
    }

    /// Returns a variable `z1`, `z2`, … for an intermediate value.
    pub fn counted(&mut self) -> Var {
        self.counted += 1;
        self.fresh(&format!("z{}", self.counted), None)
    }

    /// Returns a new variable with the name of another one.
    pub fn like(&mut self, var: Var) -> Var {
        let (name, ty) = self.all[var.0 as usize].clone();
        self.all.push((name, ty));
        Var(self.all.len() as u32 - 1)
    }

    pub fn name(&self, var: Var) -> &str {
        &self.all[var.0 as usize].0
    }

    pub fn ty(&self, var: Var) -> Option<Type> {
        self.all[var.0 as usize].1
    }
}

/// Returns the sum of two arrays of one shape and type; `None` for other arrays.
pub fn add(a: &Array, b: &Array) -> Option<Array> {
    if a.shape() != b.shape() {
        return None;
    }
    let data = match (a.data(), b.data()) {
        (Data::F64(a), Data::F64(b)) => Data::F64(a.iter().zip(b).map(|(a, b)| a + b).collect()),
        (Data::F32(a), Data::F32(b)) => Data::F32(a.iter().zip(b).map(|(a, b)| a + b).collect()),
        _ => return None,
    };
    Some(Array::new(a.shape().to_vec(), data))
}

/// Returns Σ a·b over the elements of two arrays of one shape.
pub fn dot(a: &Array, b: &Array) -> Option<f64> {
    let is_float = |x: &Array| x.element().is_float();
    (a.shape() == b.shape() && is_float(a) && is_float(b))
        .then(|| a.to_f64().iter().zip(b.to_f64()).map(|(a, b)| a * b).sum())
}

/// Returns `s` times each element.
pub fn scaled(s: f64, a: &Array) -> Option<Array> {
    let data = match a.data() {
        Data::F64(a) => Data::F64(a.iter().map(|a| s * a).collect()),
        Data::F32(a) => Data::F32(a.iter().map(|a| (s * f64::from(*a)) as f32).collect()),
        _ => return None,
    };
    Some(Array::new(a.shape().to_vec(), data))
}
