//! Call-by-value reduction of closed terms (`spec/functional.md` C.5): first the callee is reduced, then the argument,
//! then the call.

use super::primitive::Primitive;
use super::print;
use super::read::Key;
use super::term::{self, Names, Point, Pullback, Stage, Term, TermKind, Var, substitute};
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Block, Location, Op, OpBuilder, Region, Symbols};
use mlopt_dialects::ops::Kind;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::rc::Rc;

/// The limits on an execution.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The maximum number of reductions.
    pub steps: u64,
    /// The maximum nesting of pending terms.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000, depth: 20_000 }
    }
}

/// A reduction: its rule, the original and the result.
#[derive(Debug)]
pub struct Step {
    pub rule: &'static str,
    pub from: String,
    pub to: String,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:<5} {}  ->  {}", self.rule, self.from, self.to)
    }
}

/// The reduction of terms of one module.
pub struct Machine {
    pub(super) symbols: Symbols,
    /// A module with ops as functions, for the evaluator.
    pub(super) scratch: Op,
    pub(super) names: Names,
    pub(super) primitives: HashMap<Key, Rc<Primitive>>,
    pub(super) functions: HashMap<Rc<str>, Rc<Primitive>>,
    pub(super) globals: HashMap<Rc<str>, Term>,
    /// The number of variables without a name so far.
    pub(super) unnamed: usize,
    limits: Limits,
    depth: usize,
    /// If positive, steps of a primitive are in progress and are not recorded.
    quiet: usize,
    /// True if steps are recorded.
    pub traces: bool,
    pub steps: Vec<Step>,
    /// The number of evaluations of each primitive.
    pub evaluations: BTreeMap<String, usize>,
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.scratch.erase();
    }
}

/// The stack size that a reduction may need.
const STACK: usize = 1 << 20;

impl Machine {
    pub fn new(module: Op, limits: Limits) -> Machine {
        let scratch = OpBuilder::new(Kind::BuiltinModule, module.location().unnamed());
        Machine {
            symbols: Symbols::of(module),
            scratch: scratch.region(Region::with_block(Block::new(&[]))).build(),
            names: Names::default(),
            primitives: HashMap::new(),
            functions: HashMap::new(),
            globals: HashMap::new(),
            unnamed: 0,
            limits,
            depth: 0,
            quiet: 0,
            traces: false,
            steps: Vec::new(),
            evaluations: BTreeMap::new(),
        }
    }

    pub fn text(&self, term: &Term) -> String {
        print::text(&self.names, term)
    }

    /// Reports a term that is not the expected one.
    pub(super) fn unexpected(&self, at: Location, expected: impl fmt::Display, found: &Term) -> Reported {
        error(at, format!("pullback-reduce: expected {expected}, found {}", self.text(found)))
    }

    /// Records a reduction.
    pub(super) fn step(&mut self, rule: &'static str, terms: impl FnOnce() -> (Term, Term)) {
        if self.traces && self.quiet == 0 {
            let (from, to) = terms();
            let step = Step { rule, from: self.text(&from), to: self.text(&to) };
            self.steps.push(step);
        }
    }

    /// Runs steps within a primitive, which are not recorded.
    pub(super) fn quietly<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> R {
        self.quiet += 1;
        let result = work(self);
        self.quiet -= 1;
        result
    }

    fn spend(&mut self, at: Location) -> Result<(), Reported> {
        if self.limits.steps == 0 {
            return Err(error(at, "the program does not end within the maximum number of steps (option `steps`)"));
        }
        self.limits.steps -= 1;
        Ok(())
    }

    /// Returns the value of a closed term.
    pub fn eval(&mut self, t: &Term) -> Result<Term, Reported> {
        if self.depth == self.limits.depth {
            return Err(error(t.at, "the program does not end, or its calls nest too deeply"));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(STACK / 4, STACK, || self.value(t.clone()));
        self.depth -= 1;
        result
    }

    fn value(&mut self, mut t: Term) -> Result<Term, Reported> {
        loop {
            let at = t.at;
            t = match &t.kind {
                TermKind::Zero | TermKind::Number(_) | TermKind::Primitive(_) => return Ok(t),
                TermKind::Global(_) | TermKind::Lambda(..) | TermKind::At(_) => return Ok(t),
                TermKind::Variable(_) => {
                    let text =
                        format!("pullback-reduce: expected a value of the variable `{}`, found none", self.text(&t));
                    return Err(error(at, text));
                }
                TermKind::Let(x, value, body) => {
                    let value = self.eval(value)?;
                    self.spend(at)?;
                    let next = substitute(body, &[(*x, value.clone())]);
                    self.step("1", || (term::new(TermKind::Let(*x, value, body.clone()), at), next.clone()));
                    next
                }
                TermKind::Tuple(parts) => {
                    let parts = parts.iter().map(|p| self.eval(p)).collect::<Result<Vec<_>, _>>()?;
                    return Ok(term::new(TermKind::Tuple(parts), at));
                }
                TermKind::Part { index, of, tuple } => return self.component(*index, *of, tuple, at),
                TermKind::Sum(a, b) => {
                    let a = self.eval(a)?;
                    let b = self.eval(b)?;
                    return self.add(a, b);
                }
                TermKind::Jacobian(f, s) => {
                    let f = self.eval(f)?;
                    let s = self.eval(s)?;
                    return Ok(term::jacobian(f, s));
                }
                TermKind::Pairing(w, x) => {
                    let w = self.eval(w)?;
                    let x = self.eval(x)?;
                    return self.pair(&w, &x);
                }
                TermKind::Dual(v, body, functional) => {
                    let c = self.eval(functional)?;
                    return self.transpose(*v, body, c);
                }
                TermKind::Pullback(p) => return self.pullback(p, &t),
                TermKind::Derivative(points, body) => return self.forward(points, body),
                TermKind::Apply(f, x) => {
                    let f = self.eval(f)?;
                    let x = self.eval(x)?;
                    match self.call(f, x, at)? {
                        Next::Done(value) => return Ok(value),
                        Next::Go(next) => next,
                    }
                }
            }
        }
    }

    fn component(&mut self, index: usize, of: usize, tuple: &Term, at: Location) -> Result<Term, Reported> {
        let tuple = self.eval(tuple)?;
        match &tuple.kind {
            TermKind::Zero => Ok(tuple),
            TermKind::Tuple(parts) if parts.len() == of => {
                let found = parts[index].clone();
                self.step("2", || (term::new(TermKind::Part { index, of, tuple: tuple.clone() }, at), found.clone()));
                Ok(found)
            }
            _ => Err(self.unexpected(at, format_args!("a tuple of {of} components"), &tuple)),
        }
    }

    /// Returns the sum of two values.
    pub(super) fn add(&mut self, a: Term, b: Term) -> Result<Term, Reported> {
        match (&a.kind, &b.kind) {
            (TermKind::Zero, _) => Ok(b),
            (_, TermKind::Zero) => Ok(a),
            (TermKind::Number(x), TermKind::Number(y)) => match term::add(x, y) {
                Some(sum) => Ok(term::number(sum, a.at)),
                None => {
                    let (x, y) = (self.text(&a), self.text(&b));
                    let text = format!("expected two values of the same type to add, found {x} and {y}");
                    Err(error(a.at, format!("pullback-reduce: {text}")))
                }
            },
            (TermKind::Tuple(x), TermKind::Tuple(y)) if x.len() == y.len() => {
                let parts = x.iter().zip(y).map(|(x, y)| self.add(x.clone(), y.clone()));
                let parts = parts.collect::<Result<Vec<_>, _>>()?;
                Ok(term::new(TermKind::Tuple(parts), a.at))
            }
            // Functions and functionals on functions: a formal sum.
            _ => Ok(term::sum(a, b)),
        }
    }

    /// Applies a functional to a value.
    fn pair(&mut self, w: &Term, x: &Term) -> Result<Term, Reported> {
        match (&w.kind, &x.kind) {
            (TermKind::Zero, _) | (_, TermKind::Zero) => Ok(term::zero(w.at)),
            (TermKind::Number(a), TermKind::Number(b)) => match term::dot(a, b) {
                Some(sum) => Ok(term::number(mlopt_dialects::value::Array::f64(sum), w.at)),
                None => Err(self.misapplied(w, x)),
            },
            (TermKind::Tuple(a), TermKind::Tuple(b)) if a.len() == b.len() => {
                let mut sum = term::zero(w.at);
                for (a, b) in a.iter().zip(b) {
                    let part = self.pair(a, b)?;
                    sum = self.add(sum, part)?;
                }
                Ok(sum)
            }
            (TermKind::Sum(a, b), _) => {
                let a = self.pair(a, x)?;
                let b = self.pair(b, x)?;
                self.add(a, b)
            }
            (TermKind::At(e), _) => {
                let y = self.eval(&term::apply(term::jets(x, &e.along), e.at.clone()))?;
                self.pair(&e.covector, &y)
            }
            // The converse: the paired value is a functional itself.
            (_, TermKind::Sum(..) | TermKind::At(..)) => self.pair(x, w),
            _ => Err(self.misapplied(w, x)),
        }
    }

    fn misapplied(&self, w: &Term, x: &Term) -> Reported {
        let found = format!("found {} applied to {}", self.text(w), self.text(x));
        let rule = "a functional must be applied to a value of the type that it takes";
        error(w.at, format!("pullback-reduce: {rule}, {found}"))
    }

    fn call(&mut self, f: Term, x: Term, at: Location) -> Result<Next, Reported> {
        self.spend(at)?;
        match &f.kind {
            TermKind::Zero => Ok(Next::Done(f)),
            TermKind::Sum(a, b) => {
                let a = self.eval(&term::apply(a.clone(), x.clone()))?;
                let b = self.eval(&term::apply(b.clone(), x))?;
                self.add(a, b).map(Next::Done)
            }
            TermKind::Lambda(y, body) => {
                let next = substitute(body, &[(*y, x.clone())]);
                self.step("1", || (term::apply(f.clone(), x), next.clone()));
                Ok(Next::Go(next))
            }
            TermKind::Primitive(p) => {
                let found = self.evaluate(p, &x, at)?;
                if self.quiet == 0 {
                    *self.evaluations.entry(p.name().to_string()).or_default() += 1;
                }
                self.step("3", || (term::apply(f.clone(), x), found.clone()));
                Ok(Next::Done(found))
            }
            TermKind::Global(symbol) => {
                let found = self.global(symbol, at)?;
                self.step("def", || (f.clone(), found.clone()));
                Ok(Next::Go(term::apply(found, x)))
            }
            TermKind::Jacobian(g, u) => self.along(g, u, &x, &f).map(Next::Done),
            TermKind::Pullback(p) => self.pull(p, &f, x).map(Next::Done),
            _ => Err(self.unexpected(at, "a function to call", &f)),
        }
    }

    /// Rule 4: reduces `(J f.u) x`.
    fn along(&mut self, f: &Term, u: &Term, x: &Term, whole: &Term) -> Result<Term, Reported> {
        if let TermKind::Primitive(p) = &f.kind {
            let derivative = self.derivative_of(p, x, u)?;
            let found = self.quietly(|this| this.eval(&derivative))?;
            self.step("4", || (term::apply(whole.clone(), x.clone()), found.clone()));
            return Ok(found);
        }
        let lambda = self.abstraction_of(f)?;
        let next = self.derivative_of_lambda(&lambda, x, u)?;
        self.step("J", || (term::apply(whole.clone(), x.clone()), next.clone()));
        self.eval(&next)
    }

    /// Returns a function value as an abstraction, whose body can be differentiated.
    pub(super) fn abstraction_of(&mut self, f: &Term) -> Result<Term, Reported> {
        let at = f.at;
        match &f.kind {
            TermKind::Lambda(..) => Ok(f.clone()),
            TermKind::Global(symbol) => self.global(symbol, at),
            TermKind::Pullback(p) => self.unfolded(p, f),
            // Along a direction: the derivative, written in primitives.
            TermKind::Jacobian(g, u) => {
                let a = self.names.fresh("a", None);
                let there = term::variable(a, at);
                let body = match &g.kind {
                    TermKind::Primitive(p) => self.derivative_of(p, &there, u)?,
                    _ => {
                        let g = self.abstraction_of(g)?;
                        self.derivative_of_lambda(&g, &there, u)?
                    }
                };
                let found = term::new(TermKind::Lambda(a, body), at);
                self.step("J", || (f.clone(), found.clone()));
                Ok(found)
            }
            TermKind::Primitive(_) | TermKind::Sum(..) | TermKind::Zero => {
                let a = self.names.fresh("a", None);
                let there = term::variable(a, at);
                let body = match &f.kind {
                    TermKind::Sum(f, g) => {
                        term::sum(term::apply(f.clone(), there.clone()), term::apply(g.clone(), there.clone()))
                    }
                    _ => term::apply(f.clone(), there),
                };
                Ok(term::new(TermKind::Lambda(a, body), at))
            }
            _ => Err(self.unexpected(at, "a function to differentiate", f)),
        }
    }

    /// Returns the derivative of an abstraction, which is deferred until its point and its direction are known.
    pub(super) fn derivative_of_lambda(&mut self, f: &Term, a: &Term, u: &Term) -> Result<Term, Reported> {
        let TermKind::Lambda(x, body) = &f.kind else { unreachable!("an abstraction") };
        let body = self.series_of(body)?;
        let point = Point { var: *x, value: a.clone(), along: u.clone() };
        Ok(term::new(TermKind::Derivative(vec![point], body), f.at))
    }

    /// Returns a derivative at known points along known directions.
    fn forward(&mut self, points: &[Point], body: &Term) -> Result<Term, Reported> {
        let mut known = Vec::new();
        for point in points {
            let (value, along) = (self.eval(&point.value)?, self.eval(&point.along)?);
            known.push(Point { var: point.var, value, along });
        }
        let mut rest = self.series_of(body)?;
        while let TermKind::Let(z, e, next) = &rest.kind {
            let value = self.eval(&substitute(e, &term::values(&known)))?;
            let along = self.derive(&known, e)?;
            let along = self.eval(&along)?;
            known.push(Point { var: *z, value, along });
            rest = next.clone();
        }
        let last = self.derive(&known, &rest)?;
        self.eval(&last)
    }

    /// Reduces a pullback that is not called: its body becomes a let series, then a chain of elementary pullbacks
    /// (rules 7 and 8).
    fn pullback(&mut self, p: &Pullback, t: &Term) -> Result<Term, Reported> {
        if let Stage::Split(_) = p.stage {
            return Ok(t.clone());
        }
        let mut series = p.clone();
        if let Stage::Raw = p.stage {
            series.body = self.series_of(&p.body)?;
            series.stage = Stage::Series;
            self.step("A", || (t.clone(), term::new(TermKind::Pullback(series.clone()), t.at)));
        }
        series.form = self.eval(&p.form)?;
        if series.form.is_zero() {
            return Ok(series.form);
        }
        let before = Rc::new(series);
        self.split(before.pattern.clone(), before.body.clone(), &before.form, Some(before.clone()), t.at)
    }

    pub(super) fn split(
        &mut self,
        pattern: Vec<Var>,
        body: Term,
        form: &Term,
        before: Option<Rc<Pullback>>,
        at: Location,
    ) -> Result<Term, Reported> {
        let make = |keeps: bool, body: Term, form: Term, stage: Stage, pattern: &[Var]| {
            term::new(TermKind::Pullback(Pullback { pattern: pattern.to_vec(), keeps, body, form, stage }), at)
        };
        let whole = make(false, body.clone(), form.clone(), Stage::Series, &pattern);
        let TermKind::Let(z, e, rest) = &body.kind else {
            return Ok(make(false, body, form.clone(), Stage::Split(before), &pattern));
        };
        self.spend(at)?;
        if matches!(rest.kind, TermKind::Variable(v) if v == *z) {
            let found = make(false, e.clone(), form.clone(), Stage::Split(before), &pattern);
            self.step("7", || (whole, found.clone()));
            return Ok(found);
        }
        // A value that does not depend on the variables needs no position in the tuple.
        if e.is_value() && e.is_closed() {
            let next = substitute(rest, &[(*z, e.clone())]);
            self.step("hoist", || (whole, make(false, next.clone(), form.clone(), Stage::Series, &pattern)));
            return self.split(pattern, next, form, before, at);
        }
        let longer = [pattern.as_slice(), &[*z]].concat();
        let inner = make(false, rest.clone(), form.clone(), Stage::Series, &longer);
        self.step("8", || (whole, make(true, e.clone(), inner, Stage::Split(None), &pattern)));
        let inner = self.split(longer, rest.clone(), form, None, at)?;
        Ok(make(true, e.clone(), inner, Stage::Split(before), &pattern))
    }

    /// Reduces `((Omega \y.E).w) V`, by the rule of `E`: 9 to 20.
    pub(super) fn pull(&mut self, p: &Pullback, f: &Term, x: Term) -> Result<Term, Reported> {
        let at = f.at;
        let Stage::Split(_) = p.stage else { unreachable!("a value") };
        if !p.keeps && !p.body.has_any(&p.pattern) {
            let zero = term::zero(at);
            self.step("9", || (term::apply(f.clone(), x), zero.clone()));
            return Ok(zero);
        }
        let values = term::components(p.pattern.len(), &x);
        let there: Vec<(Var, Term)> = p.pattern.iter().copied().zip(values.iter().cloned()).collect();
        let value = self.eval(&substitute(&p.body, &there))?;
        let v = self.names.fresh("v", None);
        let along = term::components(p.pattern.len(), &term::variable(v, at));
        let point = |((var, value), along)| Point { var, value, along };
        let points: Vec<Point> = there.into_iter().zip(along).map(point).collect();
        let derivative = self.derive(&points, &p.body)?;
        let (linear, image) = match p.keeps {
            false => (derivative, value),
            true => {
                let linear = term::new(TermKind::Tuple(vec![term::variable(v, at), derivative]), at);
                (linear, term::new(TermKind::Tuple(vec![x.clone(), value]), at))
            }
        };
        let functional = term::apply(p.form.clone(), image);
        self.step(rule_of(p), || {
            let dual = TermKind::Dual(v, linear.clone(), functional.clone());
            (term::apply(f.clone(), x), term::new(dual, at))
        });
        let c = self.eval(&functional)?;
        self.transpose(v, &linear, c)
    }

    /// Returns the pullback along `f` of the constant 1-form `c`, at `a`.
    pub(super) fn pull_constant(&mut self, f: &Term, a: &Term, c: &Term) -> Result<Term, Reported> {
        if c.is_zero() {
            return Ok(c.clone());
        }
        let TermKind::Lambda(x, body) = &f.kind else { unreachable!("an abstraction") };
        let any = self.names.fresh("_", None);
        let form = term::new(TermKind::Lambda(any, c.clone()), c.at);
        let body = self.series_of(body)?;
        let p = Pullback { pattern: vec![*x], keeps: false, body, form, stage: Stage::Series };
        let pulled = term::new(TermKind::Pullback(p), f.at);
        self.eval(&term::apply(pulled, a.clone()))
    }
}

enum Next {
    Done(Term),
    /// A term that replaces the call.
    Go(Term),
}

/// Returns the rule by which an elementary pullback is reduced.
fn rule_of(p: &Pullback) -> &'static str {
    if p.keeps {
        return if p.body.has_any(&p.pattern) { "20b" } else { "20a" };
    }
    let depends = |t: &Term| t.has_any(&p.pattern);
    match &p.body.kind {
        TermKind::Variable(_) => "10",
        TermKind::Sum(..) => "11",
        TermKind::Part { .. } => "12",
        TermKind::Tuple(_) => "13",
        TermKind::Jacobian(..) => "14",
        TermKind::Apply(f, _) if matches!(f.kind, TermKind::Primitive(_)) => "15",
        TermKind::Apply(f, x) => match (depends(f), depends(x)) {
            (true, false) => "19a",
            _ => "19b",
        },
        TermKind::Dual(_, body, z) => match (depends(body), depends(z)) {
            (false, _) => "16a",
            (true, false) => "16b",
            _ => "16c",
        },
        TermKind::Pullback(_) | TermKind::Lambda(..) => "18",
        _ => "pair",
    }
}
