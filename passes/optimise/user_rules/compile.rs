//! Compilation of the notation of rules to patterns: checks types and sizes, and that the left side determines all
//! variables.

use crate::optimise::normaliser::normalise::Normaliser;
use crate::optimise::rules::pattern::{Pattern, Rule, Variable};
use crate::optimise::rules::{self, Laws, Requirement};
use crate::optimise::terms::prim::{EQ, NE, Prim, SGE, SGT, SLE, SLT};
use crate::optimise::terms::{Flags, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::{Form, Number, Term};
use mlopt_dialects::value::Element;

type Outcome<T> = Result<T, Problem>;

const RULE: &str = "(rule NAME ((VARIABLE KIND SIZES…) …) LEFT RIGHT (when CONDITION…) (licence FLAG…))";

const FLAGS: [(&str, u16); 8] =
    [("reassoc", 1), ("nnan", 2), ("ninf", 4), ("nsz", 8), ("arcp", 16), ("contract", 32), ("afn", 64), ("fast", 127)];

/// Operators on numbers: on floats, and on integers.
const PRIMS: &[(&str, Option<Prim>, Option<Prim>)] = &[
    ("+", Some(Prim::AddF), Some(Prim::AddI)),
    ("-", Some(Prim::SubF), Some(Prim::SubI)),
    ("*", Some(Prim::MulF), Some(Prim::MulI)),
    ("/", Some(Prim::DivF), None),
    ("max", Some(Prim::MaximumF), Some(Prim::MaxSI)),
    ("min", Some(Prim::MinimumF), Some(Prim::MinSI)),
    ("neg", Some(Prim::NegF), None),
    ("pow", Some(Prim::PowF), None),
    ("sqrt", Some(Prim::Sqrt), None),
    ("abs", Some(Prim::AbsF), Some(Prim::AbsI)),
    ("exp", Some(Prim::Exp), None),
    ("log", Some(Prim::Log), None),
    ("log1p", Some(Prim::Log1p), None),
    ("expm1", Some(Prim::ExpM1), None),
    ("sin", Some(Prim::Sin), None),
    ("cos", Some(Prim::Cos), None),
    ("tan", Some(Prim::Tan), None),
    ("tanh", Some(Prim::Tanh), None),
    ("div", None, Some(Prim::Div)),
    ("mod", None, Some(Prim::Mod)),
];

/// Comparisons: the predicate of `cmpf`, and that of `cmpi`.
const COMPARISONS: &[(&str, u8, u8)] =
    &[("==", 1, EQ), ("!=", 13, NE), ("<", 4, SLT), ("<=", 5, SLE), (">", 2, SGT), (">=", 3, SGE)];

/// The fuel for bringing a left side into the normal form.
const FUEL: u64 = 10_000;

struct Compiler {
    pool: Pool,
    variables: Vec<Variable>,
    /// The indices in scope, outermost first: the name, and the variable at its own depth.
    bound: Vec<(String, Id, u32)>,
    depth: u32,
    flags: Flags,
}

pub fn rule(term: &Term) -> Outcome<Rule> {
    let expected = || term.error(format!("expected {RULE}, found {term}"));
    let [head, name, variables, left, right, rest @ ..] = term.list().ok_or_else(expected)? else {
        return Err(expected());
    };
    if head.name() != Some("rule") {
        return Err(expected());
    }
    let word = word(name, "the name of the rule")?;
    if rules::every().any(|(set, rule)| set == word || rule.name == word) {
        return Err(name.error(format!("`{word}` is the name of a built-in rule; choose another name")));
    }
    let (mut conditions, mut flags) = (&[][..], Flags::NONE);
    for part in rest {
        match part.list() {
            Some([head, items @ ..]) if head.name() == Some("when") => conditions = items,
            Some([head, items @ ..]) if head.name() == Some("licence") => flags = requirement(items)?,
            _ => return Err(part.expected("`(when CONDITION…)` or `(licence FLAG…)`")),
        }
    }
    let mut c = Compiler { pool: Pool::new(), variables: vec![], bound: vec![], depth: 0, flags };
    c.declare(variables)?;
    if left.list().is_none() {
        return Err(left.error(format!("expected an operator on the left, found {left}, which would match every term")));
    }
    let (l, r) = (c.term(left, None)?, c.term(right, None)?);
    c.same_type(right, "the left side", l, r)?;
    // The left side is normalised, because a pattern only meets normal forms.
    let fusion = Laws::named(&["array"]).expect("a set of rules").directed;
    let mut normaliser = Normaliser::new(&fusion, FUEL);
    let l = normaliser.normalise(&mut c.pool, l);
    let when = conditions.iter().map(|t| c.condition(t)).collect::<Outcome<Vec<Id>>>()?;
    let told = crate::optimise::rules::pattern::told(&c.pool, l, &c.variables);
    for (side, t) in [(right, r)].into_iter().chain(conditions.iter().zip(when.iter().copied())) {
        let reads = |k: &usize| mentions(&c.pool, t, c.variables[*k].leaf) && !told[*k];
        if let Some(k) = (0..c.variables.len()).find(reads) {
            return Err(side.error(format!("the left side does not determine `{}`; use it there", c.variables[k].name)));
        }
    }
    let text = |t: &Term| written(t);
    let grade = if flags == Flags::NONE { Requirement::Free } else { Requirement::Fast };
    let mut asks: Vec<String> = conditions.iter().map(text).collect();
    if flags != Flags::NONE {
        let names: Vec<&str> =
            FLAGS.iter().filter(|(n, bits)| *n != "fast" && flags.0 & bits != 0).map(|(n, _)| *n).collect();
        asks.push(format!("the operators on the left carry {}", names.join(", ")));
    }
    Ok(Rule {
        name: word.to_string(),
        at: term.at,
        law: format!("{} = {}", text(left), text(right)),
        when: asks.join("; "),
        requirement: grade,
        pattern: Pattern { pool: c.pool, left: l, right: r, conditions: when, variables: c.variables, flags },
    })
}

/// Returns a name. `inf` and `nan` are numbers.
fn word<'t>(t: &'t Term, what: &str) -> Outcome<&'t str> {
    let number = if t.number().is_some() { ", which reads as a number" } else { "" };
    t.name().ok_or_else(|| t.error(format!("expected {what}, found {t}{number}")))
}

/// Returns the whole text of a term, on one line.
fn written(t: &Term) -> String {
    match (t.list(), &t.form) {
        (Some(items), _) => format!("({})", items.iter().map(written).collect::<Vec<_>>().join(" ")),
        (None, Form::Atom(word)) => word.clone(),
        (None, _) => String::new(),
    }
}

fn requirement(items: &[Term]) -> Outcome<Flags> {
    let mut bits = 0;
    for item in items {
        let known = FLAGS.iter().find(|(name, _)| Some(*name) == item.name());
        let names = FLAGS.map(|f| f.0).join(" ");
        bits |= known.ok_or_else(|| item.expected(format!("a flag, one of {names}")))?.1;
    }
    Ok(Flags(bits))
}

/// Checks whether a leaf occurs in a term.
fn mentions(pool: &Pool, t: Id, leaf: Id) -> bool {
    t == leaf || pool.node(t).children.iter().any(|&c| mentions(pool, c, leaf))
}

impl Compiler {
    fn declare(&mut self, list: &Term) -> Outcome<()> {
        let items = list.list().ok_or_else(|| list.expected("a list of variables, `((VARIABLE KIND SIZES…) …)`"))?;
        for item in items {
            let Some([name, kind, sizes @ ..]) = item.list() else {
                return Err(item.expected("a variable, `(VARIABLE KIND SIZES…)`"));
            };
            let word = word(name, "the name of a variable")?;
            let element = kind.element()?;
            let sizes = sizes.iter().map(|s| self.size(s)).collect::<Outcome<Vec<Id>>>()?;
            if self.find(word).is_some() {
                return Err(name.error(format!("the variable `{word}` is declared twice")));
            }
            self.add(word, element, sizes);
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    fn add(&mut self, name: &str, element: Element, sizes: Vec<Id>) -> Id {
        let shape = sizes.iter().map(|&n| self.pool.as_int(n).map(|n| n as u64)).collect();
        let leaf = self.pool.leaf(element, shape);
        self.variables.push(Variable { name: name.to_string(), leaf, sizes });
        leaf
    }

    /// Compiles a size: a number, or the name of an index variable, which need not be declared.
    fn size(&mut self, t: &Term) -> Outcome<Id> {
        match (t.number(), t.name()) {
            (Some(Number::Int(n)), _) if n >= 0 => Ok(self.pool.index(n)),
            (_, Some(name)) => match self.find(name) {
                Some(k) if self.is_index(self.variables[k].leaf) => Ok(self.variables[k].leaf),
                Some(_) => Err(t.expected("a size: a number or an index")),
                None => Ok(self.add(name, Element::Index, vec![])),
            },
            _ => Err(t.expected("a size: a number or an index")),
        }
    }

    fn is_index(&self, t: Id) -> bool {
        self.pool.element(t) == Element::Index && self.pool.rank(t) == 0
    }

    fn kind(&self, t: Id) -> String {
        match self.pool.rank(t) {
            0 => self.pool.element(t).name().to_string(),
            1 => format!("{} with 1 axis", self.pool.element(t).name()),
            n => format!("{} with {n} axes", self.pool.element(t).name()),
        }
    }

    fn same_type(&self, at: &Term, what: &str, l: Id, r: Id) -> Outcome<()> {
        if (self.pool.element(l), self.pool.rank(l)) == (self.pool.element(r), self.pool.rank(r)) {
            return Ok(());
        }
        Err(at.error(format!("expected {}, the type of {what}, found {}", self.kind(l), self.kind(r))))
    }

    /// Compiles a comparison of indices.
    fn condition(&mut self, t: &Term) -> Outcome<Id> {
        let c = self.term(t, None)?;
        match self.pool.op(c) {
            Op::Prim(Prim::CmpI(_), _) => Ok(c),
            _ => Err(t.expected("a comparison of indices, such as `(< i n)`")),
        }
    }

    /// Compiles a term. `near` is the element type of a plain number.
    fn term(&mut self, t: &Term, near: Option<Element>) -> Outcome<Id> {
        if let Some(number) = t.number() {
            return self.number(t, number, near);
        }
        if let Some(name) = t.name() {
            if let Some((_, i, depth)) = self.bound.iter().rev().find(|b| b.0 == name).cloned() {
                return Ok(self.pool.shift(i, 0, (self.depth - depth) as i64));
            }
            return match self.find(name) {
                Some(k) => Ok(self.variables[k].leaf),
                None => {
                    let known: Vec<String> = self.variables.iter().map(|v| format!("`{}`", v.name)).collect();
                    Err(t.error(format!("unknown variable `{name}`; the rule declares {}", known.join(", "))))
                }
            };
        }
        let Some([head, rest @ ..]) = t.list() else { return Err(t.expected("a term")) };
        let name = head.name().ok_or_else(|| head.expected("an operator"))?;
        match (name, rest) {
            ("build1", [n, i, e]) => {
                let (n, body) = self.under(n, i, e)?;
                Ok(self.pool.build(n, body))
            }
            ("sumOuter" | "prodOuter" | "maxOuter" | "minOuter", [a]) => self.reduction(name, a),
            ("index", [a, positions]) => self.read(a, positions),
            ("cond", [c, a, b]) => {
                let condition = self.typed(c, |e| e == Element::I1, "a condition")?;
                let (x, y) = self.pair(a, b)?;
                if self.pool.element(x) != self.pool.element(y) || self.pool.rank(x) != self.pool.rank(y) {
                    return Err(b.error(format!(
                        "expected {} as in the other branch, found {}",
                        self.kind(x),
                        self.kind(y)
                    )));
                }
                Ok(self.pool.cond(condition, x, y))
            }
            ("and", [a, b]) => {
                let a = self.typed(a, |e| e == Element::I1, "a condition")?;
                let b = self.typed(b, |e| e == Element::I1, "a condition")?;
                Ok(self.pool.and(a, b))
            }
            ("ifold", [variables, e, z, n]) => self.ifold(variables, e, z, n),
            ("length", [a]) => {
                let x = self.term(a, None)?;
                if self.pool.rank(x) == 0 {
                    return Err(a.error(format!("expected an array, found {}", self.kind(x))));
                }
                Ok(self.length(x, 0))
            }
            _ => self.operator(t, name, rest),
        }
    }

    fn number(&mut self, t: &Term, number: Number, near: Option<Element>) -> Outcome<Id> {
        match (number, near) {
            (Number::Float(x), Some(e)) if e.is_float() => Ok(self.pool.float(e, x)),
            (Number::Float(x), None) => Ok(self.pool.float(Element::F64, x)),
            (Number::Int(n), Some(e)) if !e.is_float() && e != Element::I1 => Ok(self.pool.int(e, n)),
            (Number::Int(n), None) => Ok(self.pool.index(n)),
            (Number::Bool(b), _) => Ok(self.pool.bool(b)),
            (_, Some(e)) => Err(t.expected(format!("a number of type {}", e.name()))),
        }
    }

    /// Compiles two terms of one element type. A plain number has the type of the other.
    fn pair(&mut self, a: &Term, b: &Term) -> Outcome<(Id, Id)> {
        if a.number().is_some() {
            let y = self.term(b, None)?;
            let near = self.pool.element(y);
            return Ok((self.term(a, Some(near))?, y));
        }
        let x = self.term(a, None)?;
        let near = self.pool.element(x);
        Ok((x, self.term(b, Some(near))?))
    }

    fn typed(&mut self, t: &Term, accepts: impl Fn(Element) -> bool, what: &str) -> Outcome<Id> {
        let x = self.term(t, None)?;
        if accepts(self.pool.element(x)) && self.pool.rank(x) == 0 {
            return Ok(x);
        }
        Err(t.error(format!("expected {what}, found {}", self.kind(x))))
    }

    /// Compiles an extent, and `e` under an index with this extent.
    fn under(&mut self, n: &Term, i: &Term, e: &Term) -> Outcome<(Id, Id)> {
        let n = self.typed(n, |e| e == Element::Index, "an extent")?;
        let name = i.name().ok_or_else(|| i.expected("a variable"))?;
        let index = self.pool.bound_ix(n);
        self.depth += 1;
        self.bound.push((name.to_string(), index, self.depth));
        let body = self.term(e, None);
        self.bound.pop();
        self.depth -= 1;
        Ok((n, body?))
    }

    /// Returns the length of an axis according to the declarations of the variables.
    fn length(&mut self, t: Id, axis: usize) -> Id {
        let n = self.pool.extent(t, axis);
        match self.pool.op(n) {
            Op::Dim(axis) => {
                let leaf = self.pool.child(n, 0);
                let v = self.variables.iter().find(|v| v.leaf == leaf);
                v.map_or(n, |v| v.sizes[axis as usize])
            }
            _ => n,
        }
    }

    fn reduction(&mut self, name: &str, a: &Term) -> Outcome<Id> {
        let x = self.term(a, None)?;
        if self.pool.rank(x) != 1 {
            return Err(a.error(format!("expected an array with 1 axis, found {}", self.kind(x))));
        }
        let kind = match name {
            "sumOuter" => Reduction::Sum,
            "prodOuter" => Reduction::Prod,
            "maxOuter" => Reduction::Max,
            _ => Reduction::Min,
        };
        let n = self.length(x, 0);
        let body = match self.pool.op(x) {
            Op::Build => self.pool.child(x, 1),
            _ => {
                let (inside, i) = (self.pool.shift(x, 0, 1), self.pool.bound_ix(n));
                self.pool.get(inside, i)
            }
        };
        Ok(self.pool.add(Op::Reduce(kind, Flags::NONE), [n, body]))
    }

    fn read(&mut self, a: &Term, positions: &Term) -> Outcome<Id> {
        let mut x = self.term(a, None)?;
        let list = positions.list().ok_or_else(|| positions.expected("a list of indices"))?;
        if list.len() > self.pool.rank(x) {
            return Err(positions.error(format!(
                "expected at most {} indices, found {}",
                self.pool.rank(x),
                list.len()
            )));
        }
        for p in list {
            let i = self.typed(p, |e| e == Element::Index, "an index")?;
            x = self.pool.get(x, i);
        }
        Ok(x)
    }

    fn ifold(&mut self, variables: &Term, e: &Term, z: &Term, n: &Term) -> Outcome<Id> {
        let names: Option<Vec<&str>> = variables.list().map(|l| l.iter().filter_map(Term::name).collect());
        let Some([state, index]) = names.as_deref() else { return Err(variables.expected("two variables, `(s i)`")) };
        let n = self.typed(n, |e| e == Element::Index, "a trip count")?;
        let init = self.term(z, None)?;
        let s = self.pool.state(init, 0);
        let extent = self.pool.shift(n, 0, 2);
        let i = self.pool.ix(0, extent);
        self.depth += 2;
        self.bound.push((state.to_string(), s, self.depth));
        self.bound.push((index.to_string(), i, self.depth));
        let body = self.term(e, Some(self.pool.element(init)));
        self.bound.truncate(self.bound.len() - 2);
        self.depth -= 2;
        let body = body?;
        self.same_type(e, "the initial state", init, body)?;
        Ok(self.pool.ifold(n, &[init], &[body], 0))
    }

    /// Compiles an operator on scalars; on arrays, it is elementwise.
    fn operator(&mut self, t: &Term, name: &str, rest: &[Term]) -> Outcome<Id> {
        let comparison = COMPARISONS.iter().find(|c| c.0 == name);
        let prim = PRIMS.iter().find(|p| p.0 == name);
        let args = match rest {
            [a] => vec![self.term(a, None)?],
            [a, b] => {
                let (x, y) = self.pair(a, b)?;
                vec![x, y]
            }
            _ => vec![],
        };
        if comparison.is_none() && prim.is_none() {
            return Err(t.error(format!("unknown operator `{name}`")));
        }
        let Some(&first) = args.first() else {
            return Err(t.error(format!("expected one or two operands of `{name}`, found {}", rest.len())));
        };
        let element = self.pool.element(first);
        let p = match (comparison, prim) {
            (Some(&(_, float, _)), _) if element.is_float() => Prim::CmpF(float),
            (Some(&(_, _, int)), _) => Prim::CmpI(int),
            (_, Some(&(_, float, int))) => {
                let found = if element.is_float() { float } else { int };
                let takes = match (float, int) {
                    (Some(_), None) => "f64 or f32",
                    _ => "integers",
                };
                found.ok_or_else(|| rest[0].error(format!("`{name}` takes {takes}, found {}", self.kind(first))))?
            }
            _ => return Err(t.error(format!("unknown operator `{name}`"))),
        };
        if p.arity() != args.len() {
            return Err(t.error(format!("`{name}` takes {} operands, found {}", p.arity(), args.len())));
        }
        if let Some(&other) = args.iter().find(|&&a| self.pool.element(a) != element) {
            return Err(t.error(format!(
                "the operands of `{name}` must have the same type, found {} and {}",
                self.kind(first),
                self.kind(other)
            )));
        }
        self.elementwise(t, p, &args)
    }

    fn elementwise(&mut self, t: &Term, p: Prim, args: &[Id]) -> Outcome<Id> {
        let flags = if p.is_float() { self.flags } else { Flags::NONE };
        let Some(&array) = args.iter().max_by_key(|&&a| self.pool.rank(a)) else { return Err(t.expected("operands")) };
        let rank = self.pool.rank(array);
        if rank == 0 {
            return Ok(self.pool.prim(p, flags, args));
        }
        if let Some(&other) = args.iter().find(|&&a| ![0, rank].contains(&self.pool.rank(a))) {
            return Err(t.error(format!(
                "the operands must have the same number of axes, found {rank} and {}",
                self.pool.rank(other)
            )));
        }
        let sizes: Vec<Id> = (0..rank).map(|axis| self.length(array, axis)).collect();
        let elements: Vec<Id> = args
            .iter()
            .map(|&a| {
                let scalar = self.pool.rank(a) == 0;
                let mut e = self.pool.shift(a, 0, rank as i64);
                for (axis, &n) in sizes.iter().enumerate().filter(|_| !scalar) {
                    let n = self.pool.shift(n, 0, rank as i64);
                    let i = self.pool.ix((rank - 1 - axis) as u32, n);
                    e = self.pool.get(e, i);
                }
                e
            })
            .collect();
        let mut x = self.pool.prim(p, flags, &elements);
        for (axis, &n) in sizes.iter().enumerate().rev() {
            let n = self.pool.shift(n, 0, axis as i64);
            x = self.pool.build(n, x);
        }
        Ok(x)
    }
}
