//! Compilation of the notation to patterns: types, sizes, and the set of variables that the left side determines.
//!
//! An equation over a class of types, such as `float`, is compiled once for each type of the class.

use super::functions::FUNCTIONS;
use super::program::{kinds, told};
use super::{
    APPLICATION, Condition, FUNCTION, MANY, OPERATION, POSITIONS, Pattern, Property, Rule, Scope, VARIABLES, Variable,
    VariableKind, counts, is_many, level, reorders,
};
use crate::optimise::rules::Requirement;
use crate::optimise::terms::data::{Form, Prototype, Type};
use crate::optimise::terms::prim::{Cast, EQ, NE, Prim, SGE, SGT, SLE, SLT};
use crate::optimise::terms::{Flags, Op, Pool, Reduction};
use egg::Id;
use mlopt_dialects::text::terms::{self, Form as Syntax, Number, Term, element};
use mlopt_dialects::text::{Problem, Span, count};
use mlopt_dialects::value::Element;

type Outcome<T> = Result<T, Problem>;

/// Brings the left side of a rule into the normal form, because a pattern of a user only meets normal forms.
type Normal<'n> = dyn FnMut(&mut Pool, Id) -> Id + 'n;

const RULE: &str = "(rule NAME ((VARIABLE KIND SIZES…) …) LEFT RIGHT (when CONDITION…) (fastmath FLAG…) \
                    (else LEFT RIGHT …) …)";

const FLAGS: [(&str, u16); 8] =
    [("reassoc", 1), ("nnan", 2), ("ninf", 4), ("nsz", 8), ("arcp", 16), ("contract", 32), ("afn", 64), ("fast", 127)];

/// Classes of types. All variables of a class have the same type in one equation.
const CLASSES: [(&str, &[Element]); 5] = [
    ("float", &[Element::F64, Element::F32]),
    ("integer", &[Element::Index, Element::I64, Element::I32, Element::I16, Element::I8]),
    ("wide", &[Element::Index, Element::I64]),
    ("number", NUMBERS),
    ("scalar", SCALARS),
];

const NUMBERS: &[Element] =
    &[Element::F64, Element::F32, Element::Index, Element::I64, Element::I32, Element::I16, Element::I8];

const SCALARS: &[Element] =
    &[Element::F64, Element::F32, Element::Index, Element::I64, Element::I32, Element::I16, Element::I8, Element::I1];

/// Returns the kinds of variables for a message.
fn variable_kinds() -> String {
    let classes = "a class of types (`float`, `integer`, `wide`, `number`, `scalar`)";
    let others = "one of `any`, `tuple`, `list`, `env`, `position`, `key`, `many`, `operation`";
    format!("a type ({}), {classes}, or {others}", terms::kinds())
}

/// Operators on numbers: on floats, and on integers.
const PRIMS: &[(&str, Option<Prim>, Option<Prim>)] = &[
    ("+", Some(Prim::AddF), Some(Prim::AddI)),
    ("-", Some(Prim::SubF), Some(Prim::SubI)),
    ("*", Some(Prim::MulF), Some(Prim::MulI)),
    ("/", Some(Prim::DivF), None),
    ("max", Some(Prim::MaximumF), Some(Prim::MaxSI)),
    ("min", Some(Prim::MinimumF), Some(Prim::MinSI)),
    ("maxui", None, Some(Prim::MaxUI)),
    ("minui", None, Some(Prim::MinUI)),
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
    ("fma", Some(Prim::Fma), None),
    ("div", None, Some(Prim::Div)),
    ("mod", None, Some(Prim::Mod)),
    ("divsi", None, Some(Prim::DivSI)),
    ("divui", None, Some(Prim::DivUI)),
    ("floordivsi", None, Some(Prim::FloorDivSI)),
    ("and", None, Some(Prim::AndI)),
    ("or", None, Some(Prim::OrI)),
    ("xor", None, Some(Prim::XOrI)),
];

/// Comparisons: the predicate of `cmpf`, and that of `cmpi`.
const COMPARISONS: &[(&str, u8, u8)] =
    &[("==", 1, EQ), ("!=", 13, NE), ("<", 4, SLT), ("<=", 5, SLE), (">", 2, SGT), (">=", 3, SGE)];

/// Operations on data, with the least and the greatest number of operands.
const FORMS: &[(&str, Form, usize, usize)] = &[
    ("tuple", Form::Tuple, 1, usize::MAX),
    ("cons", Form::Cons, 2, 2),
    ("head", Form::Head, 1, 1),
    ("tail", Form::Tail, 1, 1),
    ("is_empty", Form::IsEmpty, 1, 1),
    ("nil", Form::Nil, 0, 0),
    ("gadd", Form::Sum, 2, 2),
    ("env.add", Form::EnvSum, 2, 2),
    ("stop_gradient", Form::StopGradient, 1, 1),
    ("zeros_like", Form::Zeros(0), 1, 1),
    ("zero", Form::Zeros(0), 0, 0),
    ("J", Form::Transform, 1, 1),
    ("Jinv", Form::Inverse, 1, 1),
    ("aget", Form::Read(0), 2, usize::MAX),
    ("aset", Form::Write(0), 3, usize::MAX),
    ("linear", Form::Linear(0), 1, usize::MAX),
];

/// Conversions: the type of the operand, and the operation.
const CASTS: &[(&str, Element, Prim)] = &[
    ("extf", Element::F32, Prim::Cast(Cast::ExtF, Element::F64)),
    ("truncf", Element::F64, Prim::Cast(Cast::TruncF, Element::F32)),
];

/// Conditions on one term.
const PROPERTIES: [(&str, Property); 14] = [
    ("finite", Property::Finite),
    ("power-of-two", Property::PowerOfTwo),
    ("zero", Property::Zero),
    ("one", Property::One),
    ("same-type", Property::SameType),
    ("first-order", Property::FirstOrder),
    ("masked", Property::Masked),
    ("mask-in", Property::MaskIn),
    ("absorbs", Property::Absorbs),
    ("divides", Property::Divides),
    ("unshifted", Property::Unshifted),
    ("known", Property::Known),
    ("shorter", Property::Shorter),
    ("simplifies", Property::Simplifies),
];

/// The numbers of the types of data in the pool of a pattern: anything, and truth values.
const ANYTHING: u32 = 0;
const TRUTH: u32 = 1;
const INDEX: u32 = 2;

/// A declared variable.
struct Declared<'t> {
    name: &'t str,
    class: Class,
    sizes: &'t [Term],
    is_map: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Of(VariableKind),
    /// One of the types of a class, by its number in [`CLASSES`].
    Some(usize),
    /// A position in a tuple, or a key of an environment.
    Position,
    /// Any number of terms.
    Many,
    /// An operation on numbers.
    Operation,
}

/// One equation as text.
struct Equation<'t> {
    left: &'t Term,
    right: &'t Term,
    conditions: &'t [Term],
    flags: Flags,
    /// The number of its group of alternatives.
    group: usize,
}

/// A position or key.
struct Position<'t> {
    /// The name, in its scope.
    name: &'t str,
    /// True for the number of an operand, which has no meaning elsewhere.
    is_number: bool,
}

struct Compiler<'t> {
    pool: Pool,
    variables: Vec<Variable>,
    /// The variable for an operation on numbers.
    operation: Option<&'t str>,
    /// The positions and keys, by number.
    positions: Vec<Position<'t>>,
    /// True if the states of loops are of any type.
    has_any_states: bool,
    /// The indices in scope, outermost first: the name, and the variable at its own depth.
    bound: Vec<(String, Id, u32)>,
    depth: u32,
    flags: Flags,
    is_right: bool,
    /// True where a term has the type of the whole right side.
    is_whole: bool,
}

/// Compiles `term`, a rule in `text`. Uses of old words are appended to `warnings`.
pub fn rule(term: &Term, text: &str, normal: &mut Normal, warnings: &mut Vec<Problem>) -> Outcome<Rule> {
    let expected = || term.error(format!("expected {RULE}, found {term}"));
    let [head, name, variables, equation @ ..] = term.list().ok_or_else(expected)? else {
        return Err(expected());
    };
    if head.name() != Some("rule") || equation.len() < 2 {
        return Err(expected());
    }
    let name = word(name, "the name of the rule")?;
    let declared = declarations(variables)?;
    let first = equation.iter().position(is_more).unwrap_or(equation.len());
    let mut equations = vec![parse(term, &equation[..first], 0, warnings)?];
    for more in &equation[first..] {
        let expected = || more.expected("another `(else LEFT RIGHT …)` or `(also LEFT RIGHT …)`");
        let [head, parts @ ..] = more.list().filter(|_| is_more(more)).ok_or_else(expected)? else {
            return Err(expected());
        };
        let before = equations.last().map_or(0, |e: &Equation| e.group);
        equations.push(parse(more, parts, before + usize::from(head.name() == Some("also")), warnings)?);
    }
    let mut patterns = vec![];
    for (k, equation) in equations.iter().enumerate() {
        let used = used(equation, &declared, equations.len() == 1);
        for types in instances(&used) {
            patterns.push(pattern(equation, k, &used, &types, normal)?);
        }
    }
    let at = |kind: u8| {
        let is_at = |pattern: &Pattern| kinds(pattern.pool.op(pattern.left)) >> kind & 1 != 0;
        let all: Vec<u16> =
            (0..).zip(&patterns).filter(|(_, pattern)| is_at(pattern)).map(|(number, _)| number).collect();
        (!all.is_empty()).then_some((kind, all))
    };
    let by_kind: Vec<(u8, Vec<u16>)> = (0..64).filter_map(at).collect();
    let kinds = by_kind.iter().fold(0, |kinds, (kind, _)| kinds | 1u64 << kind);
    let (text, comment) = source(text, term.at);
    let sides = |e: &Equation| format!("{} = {}", written(e.left), written(e.right));
    let law = match (equations.as_slice(), comment) {
        ([_, _, ..], Some(comment)) => comment,
        _ => equations.iter().map(sides).collect::<Vec<_>>().join("; "),
    };
    let mut asks: Vec<String> = vec![];
    for ask in equations.iter().map(asked).filter(|ask| !ask.is_empty()) {
        if !asks.contains(&ask) {
            asks.push(ask);
        }
    }
    let requirement = requirement(&patterns);
    let (name, at) = (name.to_string(), term.at);
    Ok(Rule { name, at, text, law, when: asks.join(", or "), requirement, patterns, by_kind, kinds })
}

/// Checks whether a part of a rule is another equation.
fn is_more(part: &Term) -> bool {
    part.list().and_then(|items| items.first()).is_some_and(|head| matches!(head.name(), Some("else" | "also")))
}

/// Parses one equation.
fn parse<'t>(at: &Term, parts: &'t [Term], group: usize, warnings: &mut Vec<Problem>) -> Outcome<Equation<'t>> {
    let [left, right, rest @ ..] = parts else { return Err(at.error(format!("expected {RULE}, found {at}"))) };
    let mut equation = Equation { left, right, conditions: &[], flags: Flags::NONE, group };
    for part in rest {
        match part.list() {
            Some([head, items @ ..]) if head.name() == Some("when") && equation.conditions.is_empty() => {
                equation.conditions = items;
            }
            Some([head, items @ ..]) if head.name() == Some("fastmath") && equation.flags == Flags::NONE => {
                equation.flags = flags(items)?;
            }
            Some([head, items @ ..]) if head.name() == Some("licence") && equation.flags == Flags::NONE => {
                warnings.push(head.at.error("`licence` is now `fastmath`; the old word will be removed"));
                equation.flags = flags(items)?;
            }
            _ => return Err(part.expected("at most one `(when CONDITION…)` and one `(fastmath FLAG…)`")),
        }
    }
    Ok(equation)
}

/// Describes what an equation requires.
fn asked(equation: &Equation) -> String {
    let mut asks: Vec<String> = equation.conditions.iter().map(written).collect();
    if equation.flags != Flags::NONE {
        let flags = equation.flags.0;
        let names: Vec<&str> =
            FLAGS.iter().filter(|(n, bits)| *n != "fast" && flags & bits != 0).map(|f| f.0).collect();
        asks.push(format!("the operators on the left carry {}", names.join(", ")));
    }
    asks.join("; ")
}

/// Returns the requirement of a rule, which its equations determine.
fn requirement(patterns: &[Pattern]) -> Requirement {
    let any = |such: &dyn Fn(&Pattern) -> bool| patterns.iter().any(such);
    let has = |p: &Pattern, such: &dyn Fn(Op) -> bool| [p.left, p.right].iter().any(|&t| contains(&p.pool, t, such));
    let is_structural = |op: Op| matches!(op, Op::Zero(_) | Op::One(_));
    let is_zero = |p: &Pattern, c: &Condition| match *c {
        Condition::Term(Property::Zero, t) => {
            p.variables.iter().any(|v| v.leaf == t && matches!(v.kind, VariableKind::Element(_)))
        }
        Condition::Term(Property::One, _) | Condition::Neutral(..) | Condition::OneHot(_) => true,
        _ => false,
    };
    if any(&|p| p.flags != Flags::NONE || p.conditions.iter().any(|c| matches!(c, Condition::Carry(..)))) {
        Requirement::Fast
    } else if any(&|p| has(p, &is_structural) || p.conditions.iter().any(|c| is_zero(p, c))) {
        Requirement::Exact0
    } else if any(&|p| has(p, &reorders)) {
        Requirement::Free
    } else {
        Requirement::Exact
    }
}

/// Checks whether an operator occurs in a term.
fn contains(pool: &Pool, t: Id, such: &dyn Fn(Op) -> bool) -> bool {
    such(pool.op(t)) || pool.node(t).children.iter().any(|&c| contains(pool, c, such))
}

/// Returns the text of the rule at a position with the comment directly above it, and the comment on one line.
fn source(text: &str, at: Span) -> (String, Option<String>) {
    let lines: Vec<&str> = text.lines().collect();
    let above = lines[..at.line - 1].iter().rev().take_while(|line| line.trim().starts_with(';')).count();
    let comment = &lines[at.line - 1 - above..at.line - 1];
    let found: String = comment.iter().flat_map(|line| [*line, "\n"]).chain([&text[at.start..at.end]]).collect();
    let words: Vec<&str> = comment.iter().map(|line| line.trim().trim_start_matches(';').trim()).collect();
    (found, Some(words.join(" ")).filter(|comment| !comment.is_empty()))
}

/// Parses a list of variables.
fn declarations(list: &Term) -> Outcome<Vec<Declared<'_>>> {
    let items = list.list().ok_or_else(|| list.expected("a list of variables, `((VARIABLE KIND SIZES…) …)`"))?;
    let mut all: Vec<Declared> = vec![];
    for item in items {
        let Some([name, kind, sizes @ ..]) = item.list() else {
            return Err(item.expected("a variable, `(VARIABLE KIND SIZES…)`"));
        };
        let word = word(name, "the name of a variable")?;
        let (is_map, kind, sizes) = match (kind.name(), sizes) {
            (Some("map"), [kind]) => (true, kind, &[][..]),
            _ => (false, kind, sizes),
        };
        let class =
            kind.name().and_then(class).ok_or_else(|| kind.expected(format!("a kind: {}", variable_kinds())))?;
        let may_have_axes = matches!(class, Class::Some(_) | Class::Of(VariableKind::Element(_) | VariableKind::Any));
        if is_map && !may_have_axes {
            return Err(kind.expected("a type, a class of types, or `any` after `map`"));
        }
        if let Some(size) = sizes.first().filter(|_| !may_have_axes) {
            return Err(size.expected("no size, because variables of this kind are not arrays"));
        }
        if all.iter().any(|v| v.name == word) {
            return Err(name.error(format!("the variable `{word}` is declared twice")));
        }
        let is_size = all.iter().flat_map(|v| v.sizes).any(|size| size.name() == Some(word));
        let is_index = class == Class::Of(VariableKind::Element(Element::Index)) && sizes.is_empty() && !is_map;
        if is_size && !is_index {
            return Err(kind.expected(format!("the kind `index`, because `{word}` is a size")));
        }
        all.push(Declared { name: word, class, sizes, is_map });
    }
    let positions = all.iter().filter(|v| v.class == Class::Position).count();
    if positions > POSITIONS {
        return Err(list.error(format!("expected at most {POSITIONS} positions and keys, found {positions}")));
    }
    if all.iter().filter(|v| v.class == Class::Operation).count() > 1 {
        return Err(list.error("expected at most one variable of the kind `operation`"));
    }
    let many = all.iter().filter(|v| v.class == Class::Many).count();
    if many > MANY {
        return Err(list.error(format!("expected at most {MANY} variables of the kind `many`, found {many}")));
    }
    Ok(all)
}

fn class(kind: &str) -> Option<Class> {
    Some(match kind {
        "any" => Class::Of(VariableKind::Any),
        "tuple" => Class::Of(VariableKind::Tuple),
        "list" => Class::Of(VariableKind::List),
        "env" => Class::Of(VariableKind::Env),
        "position" | "key" => Class::Position,
        "many" => Class::Many,
        "operation" => Class::Operation,
        _ => match CLASSES.iter().position(|c| c.0 == kind) {
            Some(class) => Class::Some(class),
            None => Class::Of(VariableKind::Element(element(kind)?)),
        },
    })
}

/// Returns the variables that an equation uses, in the order of their declaration. With `all`, every variable counts.
fn used<'d, 't>(equation: &Equation, declared: &'d [Declared<'t>], all: bool) -> Vec<&'d Declared<'t>> {
    fn words<'t>(t: &'t Term, found: &mut Vec<&'t str>) {
        match (t.list(), t.name()) {
            (Some(items), _) => items.iter().for_each(|item| words(item, found)),
            (None, Some(name)) => found.push(name),
            _ => {}
        }
    }
    let mut names = vec![];
    [equation.left, equation.right].into_iter().chain(equation.conditions).for_each(|t| words(t, &mut names));
    for v in declared.iter().filter(|v| names.contains(&v.name)).collect::<Vec<_>>() {
        v.sizes.iter().for_each(|size| words(size, &mut names));
    }
    declared.iter().filter(|v| all || names.contains(&v.name)).collect()
}

/// Returns every choice of a type for each class of the variables.
fn instances(used: &[&Declared]) -> Vec<Vec<(usize, Element)>> {
    let mut all: Vec<Vec<(usize, Element)>> = vec![vec![]];
    for (class, (_, elements)) in CLASSES.iter().enumerate() {
        if used.iter().any(|v| v.class == Class::Some(class)) {
            let with = |types: &Vec<(usize, Element)>| {
                elements.iter().map(|&e| [types.as_slice(), &[(class, e)]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
    }
    all
}

/// Compiles an equation for one choice of types.
fn pattern(
    equation: &Equation,
    number: usize,
    used: &[&Declared],
    types: &[(usize, Element)],
    normal: &mut Normal,
) -> Outcome<Pattern> {
    let Equation { left, right, conditions, flags, group } = *equation;
    let mut pool = Pool::new();
    pool.types.types = vec![
        Type::Numbers { element: Element::F64, is_fixed: false },
        Type::Numbers { element: Element::I1, is_fixed: true },
        Type::Numbers { element: Element::Index, is_fixed: true },
    ];
    pool.types.prototypes = vec![Prototype { cost: 0.0, may_trap: false }; POSITIONS];
    let mut c = Compiler {
        pool,
        variables: vec![],
        operation: None,
        positions: vec![],
        has_any_states: false,
        bound: vec![],
        depth: 0,
        flags,
        is_right: false,
        is_whole: false,
    };
    for v in used {
        c.declare(v, types)?;
    }
    if left.list().is_none() {
        return Err(left.error(format!("expected an operator on the left, found {left}, which would match every term")));
    }
    let l = c.term(left, None)?;
    // Rules for a fixed number of operands do not apply to any number of them.
    let is_open =
        c.variables.iter().any(|v| matches!(v.kind, VariableKind::Many(_))) || c.positions.iter().any(|p| p.is_number);
    let l = if is_open { l } else { normal(&mut c.pool, l) };
    c.scopes(left, l, 0)?;
    (c.is_right, c.is_whole) = (true, true);
    c.positions.iter_mut().filter(|p| p.is_number).for_each(|p| p.name = "");
    let r = c.term(right, Some(c.pool.element(l)))?;
    c.same_type(right, "the left side", l, r)?;
    if c.variables.len() > VARIABLES {
        return Err(left.error(format!("expected at most {VARIABLES} variables, found {}", c.variables.len())));
    }
    let is_data = |op: Op| matches!(op, Op::Data(..));
    if contains(&c.pool, r, &is_data) && !is_data(c.pool.op(l)) {
        return Err(right
            .error("the right side contains an operation on data, so the root of the left side must be one as well"));
    }
    let is_numbered = |op: Op| matches!(op, Op::Data(Form::Read(_) | Form::Write(_) | Form::Linear(_), _));
    if contains(&c.pool, r, &|op| is_numbered(op) && op.head() != c.pool.op(l).head()) {
        return Err(right.error(
            "`aget`, `aset` and `linear` may occur on the right only if the left side applies the same operation at \
             its root",
        ));
    }
    if c.is_many(r) {
        return Err(right.error(format!("expected one term, found {}", c.kind(r))));
    }
    c.is_whole = false;
    let proved = conditions.iter().map(|t| c.condition(t)).collect::<Outcome<Vec<_>>>()?;
    let told = told(&c.pool, l, &c.variables);
    let terms = |condition: &Option<Condition>| condition.map_or_else(Vec::new, Condition::terms);
    let asked = conditions.iter().zip(&proved).flat_map(|(at, c)| terms(c).into_iter().map(move |t| (at, t)));
    let asked: Vec<(&Term, Id)> = [(right, r)].into_iter().chain(asked).collect();
    for &(side, t) in &asked {
        let reads = |k: &usize| mentions(&c.pool, t, c.variables[*k].leaf) && !told[*k];
        if let Some(k) = (0..c.variables.len()).find(reads) {
            let name = &c.variables[k].name;
            let text = format!("the left side does not determine `{name}`; use `{name}` on the left as well");
            return Err(side.error(text));
        }
    }
    for k in 0..c.variables.len() {
        let leaf = c.variables[k].leaf;
        let of_sizes: usize = c.variables.iter().map(|v| v.sizes.iter().filter(|&&n| n == leaf).count()).sum();
        let is_read = asked.iter().any(|&(_, t)| mentions(&c.pool, t, leaf));
        let variable = &c.variables[k];
        let is_needed = is_read || of_sizes > 1 || variable.sizes.len() > 1;
        let is_single = occurrences(&c.pool, l, leaf) == 1;
        (c.variables[k].is_needed, c.variables[k].is_single) = (is_needed, is_single);
    }
    let spares_negation = contains(&c.pool, l, &|op| matches!(op, Op::Prim(p, _) if counts(p)));
    let subtracts = contains(&c.pool, l, &|op| matches!(op, Op::Prim(Prim::SubF, _)));
    let root = (!c.is_any(l)).then(|| (c.pool.element(l), c.pool.rank(l)));
    Ok(Pattern {
        left: l,
        right: r,
        equation: number,
        group,
        conditions: proved.into_iter().flatten().collect(),
        positions: c.positions.len(),
        variables: c.variables,
        pool: c.pool,
        flags,
        spares_negation,
        subtracts,
        first_kinds: !0,
        root,
        has_many: false,
        has_each: false,
        slots: vec![],
        tests: vec![],
        registers: 0,
    }
    .compiled())
}

/// Returns the number of times that a leaf occurs in a term, besides in the extents of its variables.
fn occurrences(pool: &Pool, t: Id, leaf: Id) -> usize {
    if t == leaf {
        return 1;
    }
    match pool.op(t) {
        Op::Ix(_) | Op::State(..) => 0,
        _ => pool.node(t).children.iter().map(|&c| occurrences(pool, c, leaf)).sum(),
    }
}

/// Returns a name. `inf` and `nan` are numbers.
fn word<'t>(t: &'t Term, what: &str) -> Outcome<&'t str> {
    let number = if t.number().is_some() { ", which is parsed as a number" } else { "" };
    t.name().ok_or_else(|| t.error(format!("expected {what}, found {t}{number}")))
}

/// Returns the parts of `(each k n e)`.
fn repeated(t: &Term) -> Option<(&Term, &Term, &Term)> {
    match t.list()? {
        [head, k, n, e] if head.name() == Some("each") => Some((k, n, e)),
        _ => None,
    }
}

/// Returns the whole text of a term, on one line.
fn written(t: &Term) -> String {
    match (t.list(), &t.form) {
        (Some(items), _) => format!("({})", items.iter().map(written).collect::<Vec<_>>().join(" ")),
        (None, Syntax::Atom(word)) => word.clone(),
        (None, _) => String::new(),
    }
}

/// Describes a number or a conversion, `name`, whose type is not known.
fn without_type(name: &str) -> String {
    format!("the type of `{name}` is unknown: no operand beside it determines the type")
}

fn flags(items: &[Term]) -> Outcome<Flags> {
    let mut bits = 0;
    for item in items {
        let known = FLAGS.iter().find(|(name, _)| Some(*name) == item.name());
        let names = FLAGS.map(|f| f.0).join("`, `");
        bits |= known.ok_or_else(|| item.expected(format!("a flag, one of `{names}`")))?.1;
    }
    Ok(Flags(bits))
}

/// Checks whether a leaf occurs in a term.
fn mentions(pool: &Pool, t: Id, leaf: Id) -> bool {
    t == leaf || pool.node(t).children.iter().any(|&c| mentions(pool, c, leaf))
}

impl<'t> Compiler<'t> {
    fn declare(&mut self, declared: &Declared<'t>, types: &[(usize, Element)]) -> Outcome<()> {
        let kind = match declared.class {
            Class::Position => {
                self.positions.push(Position { name: declared.name, is_number: false });
                return Ok(());
            }
            Class::Operation => {
                self.operation = Some(declared.name);
                return Ok(());
            }
            Class::Of(kind) => kind,
            Class::Many => {
                VariableKind::Many(self.variables.iter().filter(|v| matches!(v.kind, VariableKind::Many(_))).count())
            }
            Class::Some(class) => {
                let chosen = types.iter().find(|(c, _)| *c == class);
                VariableKind::Element(chosen.map_or(Element::F64, |c| c.1))
            }
        };
        let sizes = declared.sizes.iter().map(|s| self.size(s)).collect::<Outcome<Vec<Id>>>()?;
        self.add(declared.name, kind, sizes);
        if let Some(variable) = self.variables.last_mut().filter(|_| declared.is_map) {
            variable.scope = Some(Scope::default());
        }
        Ok(())
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }

    fn add(&mut self, name: &str, kind: VariableKind, sizes: Vec<Id>) -> Id {
        let shape = sizes.iter().map(|&n| self.pool.as_int(n).map(|n| n as u64)).collect();
        let element = if let VariableKind::Element(e) = kind { e } else { Element::F64 };
        let leaf = self.pool.leaf(element, shape);
        self.variables.push(Variable {
            name: name.to_string(),
            leaf,
            kind,
            sizes,
            is_constant: false,
            is_given: false,
            is_needed: true,
            is_single: false,
            scope: None,
        });
        leaf
    }

    /// Determines the binders and the arguments of each map in the left side, of which `t` is a part under `depth`
    /// binders.
    fn scopes(&mut self, at: &Term, t: Id, depth: u32) -> Outcome<()> {
        let node = self.pool.node(t).clone();
        match node.op {
            Op::Opaque(APPLICATION, ..) => {
                let arguments = node.children[1..].to_vec();
                let levels: Vec<Option<u32>> = arguments.iter().map(|&a| level(&self.pool, a)).collect();
                let is_own = |k: usize| levels[k].is_some_and(|l| l < depth) && !levels[..k].contains(&levels[k]);
                let is_plain = !levels.is_empty() && (0..levels.len()).all(is_own);
                let scope = Scope { depth, arguments };
                let map = self.variables.iter_mut().find(|v| v.leaf == node.children[0]);
                let known = map.map(|v| v.scope.replace(scope.clone())).unwrap_or_default();
                let is_same = known.is_none_or(|known| known == Scope::default() || known == scope);
                let text = "on the left, every application of a map must have the same arguments, which must be \
                            distinct bound indices or states";
                if is_plain && is_same { Ok(()) } else { Err(at.error(text)) }
            }
            Op::Ix(_) | Op::State(..) => Ok(()),
            _ => {
                let mut operands = node.children.iter().enumerate();
                operands.try_for_each(|(k, &child)| self.scopes(at, child, depth + node.binds(k)))
            }
        }
    }

    /// Compiles a size: a number, or the name of an index variable, which need not be declared.
    fn size(&mut self, t: &Term) -> Outcome<Id> {
        match (t.number(), t.name()) {
            (Some(Number::Int(n)), _) if n >= 0 => Ok(self.pool.index(n)),
            (_, Some(name)) => match self.find(name) {
                Some(k) if self.is_index(self.variables[k].leaf) => Ok(self.variables[k].leaf),
                Some(_) => Err(t.expected("a size: a number or an index")),
                None => Ok(self.add(name, VariableKind::Element(Element::Index), vec![])),
            },
            _ => Err(t.expected("a size: a number or an index")),
        }
    }

    /// Checks whether a term of the pattern stands for terms of any type.
    fn is_any(&self, t: Id) -> bool {
        let c = &self.pool.node(t).children;
        match self.pool.op(t) {
            Op::Leaf(..) => self.variables.iter().any(|v| v.leaf == t && !matches!(v.kind, VariableKind::Element(_))),
            Op::Cond => self.is_any(c[1]) || self.is_any(c[2]),
            Op::Get => self.is_any(c[0]),
            Op::Build => self.is_any(c[1]),
            Op::Stack => self.is_any(c[0]),
            Op::Opaque(OPERATION, ..) => true,
            Op::Opaque(APPLICATION, ..) => self.is_any(c[0]),
            Op::Opaque(..) => c.iter().any(|&c| self.is_any(c)),
            Op::State(..) => self.has_any_states,
            Op::Proj(_) => self.pool.node(c[0]).children.iter().any(|&c| self.is_any(c)),
            Op::Data(_, ty) => ty == ANYTHING,
            _ => false,
        }
    }

    fn is_index(&self, t: Id) -> bool {
        self.pool.element(t) == Element::Index && self.pool.rank(t) == 0
    }

    fn kind(&self, t: Id) -> String {
        match self.pool.rank(t) {
            _ if self.is_many(t) => "terms of the kind `many`".to_string(),
            _ if self.is_any(t) => "a term of any type".to_string(),
            0 => self.pool.element(t).name().to_string(),
            n => format!("{} with {}", self.pool.element(t).name(), count(n, "axis")),
        }
    }

    fn same_type(&self, at: &Term, what: &str, l: Id, r: Id) -> Outcome<()> {
        let kind = |t: Id| (self.pool.element(t), self.pool.rank(t), self.is_any(t));
        if kind(l) == kind(r) {
            return Ok(());
        }
        Err(at.error(format!("expected {}, the type of {what}, found {}", self.kind(l), self.kind(r))))
    }

    /// Compiles a condition. Returns `None` if it limits the terms that a variable matches.
    fn condition(&mut self, t: &Term) -> Outcome<Option<Condition>> {
        let items = t.list().unwrap_or(&[]);
        let (name, operands) = (items.first().and_then(Term::name), items.get(1..).unwrap_or(&[]));
        match (name, operands) {
            (Some("constant"), [v]) => {
                let k = self.variable(v)?;
                self.variables[k].is_constant = true;
                return Ok(None);
            }
            (Some("given"), [v]) => {
                let k = self.variable(v)?;
                self.variables[k].is_given = true;
                return Ok(None);
            }
            (Some(test), [e]) if PROPERTIES.iter().any(|p| p.0 == test) => {
                let property = PROPERTIES.iter().find(|p| p.0 == test).map_or(Property::One, |p| p.1);
                let x = self.operand(e)?;
                if matches!(property, Property::Finite | Property::PowerOfTwo)
                    && let Some(k) = e.name().and_then(|n| self.find(n))
                {
                    self.variables[k].is_constant = true;
                }
                self.accept_many(e, test, x, false, &[])?;
                let is_float = self.pool.element(x).is_float() && !self.is_any(x);
                let (what, is_accepted) = match property {
                    Property::Known | Property::Shorter | Property::Simplifies => ("a term", true),
                    Property::SameType | Property::FirstOrder => ("data", self.is_any(x) && self.pool.rank(x) == 0),
                    Property::Unshifted => ("f64 or f32 with 1 axis", is_float && self.pool.rank(x) == 1),
                    Property::Zero if self.is_any(x) => ("data", self.pool.rank(x) == 0),
                    _ => ("f64 or f32", is_float && self.pool.rank(x) == 0),
                };
                if !is_accepted {
                    return Err(e.error(format!("`{test}` takes {what}, found {}", self.kind(x))));
                }
                return Ok(Some(Condition::Term(property, x)));
            }
            (Some(test @ ("invariant" | "leaves")), [a, b]) => {
                let (a, b) = (self.operand(a)?, self.term(b, None)?);
                return Ok(Some(if test == "leaves" { Condition::Leaves(a, b) } else { Condition::Invariant(a, b) }));
            }
            (Some("runs"), [map, at, n]) => {
                let map = self.map(map)?;
                let [at, n] = [at, n].map(|t| self.typed(t, |e| e == Element::Index, "an index"));
                return Ok(Some(Condition::Runs(self.variables[map].leaf, at?, n?)));
            }
            (Some("neutral"), [z, rest @ ..]) if rest.len() <= 1 => {
                let z = self.variables[self.variable(z)?].leaf;
                let map = rest.first().map(|map| self.map(map)).transpose()?;
                return Ok(Some(Condition::Neutral(z, map.map(|map| self.variables[map].leaf))));
            }
            (Some("one-hot"), [map]) => return Ok(Some(Condition::OneHot(self.variables[self.map(map)?].leaf))),
            (Some("carry"), [names @ .., last]) => {
                let term = last.name().and_then(|name| self.find(name)).map(|k| self.variables[k].leaf);
                let names = if term.is_some() { names } else { operands };
                return Ok(Some(Condition::Carry(flags(names)?, term)));
            }
            (Some("without"), [k, e]) => {
                let key = self.position(k).ok_or_else(|| k.expected("a variable for a key"))?;
                let env = self.variables[self.variable(e)?].leaf;
                return Ok(Some(Condition::Without(key, env)));
            }
            (Some("apart"), [a, b]) => {
                let (a, b) = (self.variable(a)?, self.variable(b)?);
                if let Some(k) = [a, b].into_iter().find(|&k| !matches!(self.variables[k].kind, VariableKind::Many(_)))
                {
                    let kind = self.kind(self.variables[k].leaf);
                    return Err(t.error(format!("`apart` takes two variables of the kind `many`, found {kind}")));
                }
                return Ok(Some(Condition::Apart(a, b)));
            }
            (Some(equality @ ("==" | "!=")), [a, b]) => {
                if let (Some(a), Some(b)) = (self.position(a), self.position(b)) {
                    return Ok(Some(Condition::Positions { equal: equality == "==", a, b }));
                }
            }
            _ => {}
        }
        let c = self.term(t, None)?;
        match self.pool.op(c) {
            Op::Prim(Prim::CmpI(predicate), _) => {
                Ok(Some(Condition::Compare(predicate, self.pool.child(c, 0), self.pool.child(c, 1))))
            }
            _ => Err(t.expected("a comparison of indices, such as `(< i n)`")),
        }
    }

    fn variable(&self, t: &Term) -> Outcome<usize> {
        t.name().and_then(|name| self.find(name)).ok_or_else(|| t.expected("a variable"))
    }

    /// Returns the variable that is a map.
    fn map(&self, t: &Term) -> Outcome<usize> {
        let found = t.name().and_then(|name| self.find(name)).filter(|&k| self.variables[k].scope.is_some());
        found.ok_or_else(|| t.expected("a map"))
    }

    /// Compiles an operand of a condition or a function: a map, or a term.
    fn operand(&mut self, t: &Term) -> Outcome<Id> {
        match self.map(t) {
            Ok(map) => Ok(self.variables[map].leaf),
            Err(_) => self.term(t, None),
        }
    }

    fn position(&self, t: &Term) -> Option<u32> {
        let name = t.name()?;
        self.positions.iter().position(|p| p.name == name).map(|k| k as u32)
    }

    /// Checks whether a term is a literal, whose type its neighbours determine.
    fn is_literal(&self, t: &Term) -> bool {
        t.number().is_some()
            || matches!(t.name(), Some(name @ ("zero" | "one")) if self.find(name).is_none())
            || matches!(t.list(), Some([head, _]) if matches!(head.name(), Some("itof" | "itoi")))
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
            if let Some(k) = self.position(t).filter(|&k| self.positions[k as usize].is_number) {
                return Ok(self.pool.data(Form::Part(k), INDEX, []));
            }
            return match self.find(name) {
                Some(k) if self.depth > 0 && self.is_many(self.variables[k].leaf) => {
                    let text = "is of the kind `many`, which must not occur where an index or state is bound";
                    Err(t.error(format!("`{name}` {text}")))
                }
                Some(k) if self.variables[k].scope.is_some() => {
                    Err(t.error(format!("the map `{name}` must be applied to indices or states")))
                }
                Some(k) => Ok(self.variables[k].leaf),
                None if self.is_literal(t) => match near.filter(|e| e.is_float() || name == "zero") {
                    Some(e) => Ok(if name == "zero" { self.pool.zero(e) } else { self.pool.add(Op::One(e), []) }),
                    None => Err(t.error(without_type(name))),
                },
                None => {
                    let known: Vec<String> = self.variables.iter().map(|v| format!("`{}`", v.name)).collect();
                    Err(t.error(format!("unknown variable `{name}`; the rule declares {}", known.join(", "))))
                }
            };
        }
        let Some([head, rest @ ..]) = t.list() else { return Err(t.expected("a term")) };
        let name = head.name().ok_or_else(|| head.expected("an operator"))?;
        let is_whole = self.is_whole && matches!(name, "cond" | "gadd" | "env.add" | "tuple" | "tset");
        let before = std::mem::replace(&mut self.is_whole, is_whole);
        let x = self.operation(t, name, rest, near, before);
        self.is_whole = before;
        x
    }

    /// Compiles an operation. `is_whole` says that it has the type of the whole right side.
    fn operation(&mut self, t: &Term, name: &str, rest: &[Term], near: Option<Element>, is_whole: bool) -> Outcome<Id> {
        if let Some(map) = self.find(name).filter(|&k| self.variables[k].scope.is_some()) {
            return self.application(t, map, rest);
        }
        if let Some(number) = FUNCTIONS.iter().position(|f| f.0 == name) {
            return self.function(t, number, rest);
        }
        if let Some(x) = self.data(t, name, rest, is_whole)? {
            return Ok(x);
        }
        if self.operation == Some(name) {
            let operands = rest.iter().map(|x| self.single(x, name)).collect::<Outcome<Vec<Id>>>()?;
            return Ok(self.pool.add(Op::Opaque(OPERATION, 0, Element::F64, 0), operands));
        }
        match (name, rest) {
            ("build1", [n, i, e]) => {
                let (n, body) = self.under(n, i, e, near)?;
                Ok(self.pool.build(n, body))
            }
            ("sumOuter" | "prodOuter" | "maxOuter" | "minOuter", [a]) => self.reduction(name, a, near),
            ("index", [a, positions]) => self.read(a, positions),
            ("cond", [c, a, b]) => {
                let whole = std::mem::replace(&mut self.is_whole, false);
                let condition = self.typed(c, |e| e == Element::I1, "a condition")?;
                self.is_whole = whole;
                let arms = self.operands(&[a, b], near)?;
                let (x, y) = (arms[0], arms[1]);
                let kind = |t: Id| (self.pool.element(t), self.pool.rank(t), self.is_any(t), self.is_many(t));
                if kind(x) != kind(y) || self.is_many(x) {
                    return Err(b.error(format!(
                        "expected {} as in the other branch, found {}",
                        self.kind(x),
                        self.kind(y)
                    )));
                }
                Ok(self.pool.cond(condition, x, y))
            }
            ("stack", rows @ [first, ..]) => {
                if let (Some((k, n, e)), [_]) = (repeated(first), rows) {
                    let row = self.each(first, k, n, e)?;
                    return Ok(self.pool.stack(&[row]));
                }
                let rows: Vec<&Term> = rows.iter().collect();
                let all = self.operands(&rows, near)?;
                for (k, &row) in all.iter().enumerate() {
                    self.same_type(rows[k], "the first row", all[0], row)?;
                    self.accept_many(rows[k], name, row, true, &all[..k])?;
                }
                Ok(self.pool.stack(&all))
            }
            ("not", [c]) => {
                let c = self.typed(c, |e| e == Element::I1, "a condition")?;
                let yes = self.pool.bool(true);
                Ok(self.pool.prim2(Prim::XOrI, c, yes))
            }
            ("fpowi", [x, n]) => {
                let x = self.typed(x, Element::is_float, "f64 or f32")?;
                let n = self.typed(n, |e| !e.is_float() && e != Element::I1, "an integer")?;
                Ok(self.pool.prim(Prim::FPowI, self.flags, &[x, n]))
            }
            ("ifold", [variables, e, z, n]) => self.ifold(variables, e, z, n),
            ("length", [a]) => {
                let x = self.term(a, None)?;
                if self.pool.rank(x) == 0 {
                    return Err(a.error(format!("expected an array, found {}", self.kind(x))));
                }
                Ok(self.length(x, 0))
            }
            _ => self.operator(t, name, rest, near),
        }
    }

    /// Compiles an operation on data; returns `None` for other operations. On the right side it must have the type of
    /// the whole, or of a part of it, because only these are known.
    fn data(&mut self, t: &Term, name: &str, rest: &[Term], is_whole: bool) -> Outcome<Option<Id>> {
        let position =
            |c: &Self, p: &Term| c.position(p).ok_or_else(|| p.expected("a variable for a position or a key"));
        if let ("tuple", [part]) = (name, rest)
            && let Some((k, n, e)) = repeated(part)
        {
            let part = self.each(part, k, n, e)?;
            return Ok(Some(self.pool.data(Form::Tuple, ANYTHING, [part])));
        }
        let (form, operands): (Form, Vec<&Term>) = match (name, rest) {
            ("get", [k, x]) => (Form::Part(position(self, k)?), vec![x]),
            ("tset", [k, x, v]) => (Form::Update(position(self, k)?), vec![x, v]),
            ("env.get", [e, k, z]) => (Form::Lookup(position(self, k)?), vec![e, z]),
            ("env.set", [e, k, v]) => (Form::Insert(position(self, k)?), vec![e, v]),
            _ => match FORMS.iter().find(|f| f.0 == name && (f.2..=f.3).contains(&rest.len())) {
                Some(&(_, form, ..)) => (form, rest.iter().collect()),
                None => return Ok(None),
            },
        };
        if self.is_right && !is_whole {
            let text = format!("on the right, `{name}` may occur only where the type of the whole side is expected");
            return Err(t.error(text));
        }
        if form == Form::Zeros(0) && self.is_right != operands.is_empty() {
            return Err(t.error("`zeros_like` may occur only on the left, and `(zero)` only on the right"));
        }
        let takes_any = matches!(form, Form::Read(_) | Form::Write(_) | Form::Linear(_));
        let mut children = vec![];
        for operand in operands {
            let x = self.term(operand, None)?;
            if !self.is_any(x) && !takes_any {
                return Err(operand.error(format!("`{name}` takes data, found {}", self.kind(x))));
            }
            let may_be_many = match form {
                Form::Tuple | Form::Read(_) | Form::Write(_) | Form::Linear(_) => true,
                Form::Part(_) | Form::Update(_) => self.is_right && children.is_empty(),
                Form::Sum | Form::Transform | Form::Inverse => self.is_right,
                _ => false,
            };
            self.accept_many(operand, name, x, may_be_many, &children)?;
            children.push(x);
        }
        if form == Form::Sum && self.is_many(children[0]) != self.is_many(children[1]) {
            return Err(t.error(format!("`{name}` takes two variables of the kind `many`, or none")));
        }
        let ty = if form == Form::IsEmpty { TRUTH } else { ANYTHING };
        Ok(Some(self.pool.data(form, ty, children)))
    }

    /// Compiles an application of a map.
    fn application(&mut self, t: &Term, map: usize, rest: &[Term]) -> Outcome<Id> {
        let Variable { leaf, scope, .. } = self.variables[map].clone();
        let wanted = scope.map_or(0, |scope| scope.arguments.len());
        if self.is_right && rest.len() != wanted {
            return Err(t.error(format!("expected {wanted} arguments as on the left, found {}", rest.len())));
        }
        let arguments = rest.iter().map(|x| self.term(x, None)).collect::<Outcome<Vec<Id>>>()?;
        let op = Op::Opaque(APPLICATION, 0, self.pool.element(leaf), 0);
        Ok(self.pool.add(op, [&[leaf], arguments.as_slice()].concat()))
    }

    /// Compiles a function, followed by what it means in the random test.
    fn function(&mut self, t: &Term, number: usize, rest: &[Term]) -> Outcome<Id> {
        let (name, arity, _) = FUNCTIONS[number];
        if !self.is_right {
            return Err(t.error(format!("`{name}` may occur only on the right")));
        }
        if rest.len() != arity {
            return Err(t.error(format!("`{name}` takes {arity} operands, found {}", rest.len())));
        }
        let mut operands = vec![];
        for (k, operand) in rest.iter().enumerate() {
            operands.push(self.operand_of(name, k, operand)?);
        }
        match name {
            "inside" => {
                let zero = self.pool.index(0);
                let [least, most] = [(SLE, zero, operands[0]), (SLT, operands[0], operands[1])]
                    .map(|(p, a, b)| self.pool.prim2(Prim::CmpI(p), a, b));
                operands.push(self.pool.and(least, most));
            }
            "outside" => operands.push(self.pool.plain_zero(self.pool.element(operands[0]))),
            _ => {}
        }
        let meaning = operands[operands.len() - 1];
        let op = Op::Opaque(FUNCTION + number as u32, 0, self.pool.element(meaning), self.pool.rank(meaning) as u8);
        Ok(self.pool.add(op, operands))
    }

    /// Compiles operand `k` of a function. Only `outside` takes a map, and no function takes an array with given sizes,
    /// because the lengths of its result would not be known.
    fn operand_of(&mut self, name: &str, k: usize, operand: &Term) -> Outcome<Id> {
        let x = if (name, k) == ("outside", 0) { self.operand(operand)? } else { self.term(operand, None)? };
        self.accept_many(operand, name, x, false, &[])?;
        let (element, is_typed) = (self.pool.element(x), !self.is_any(x));
        let is_integer = !element.is_float() && element != Element::I1;
        let (what, is_accepted) = match (name, k) {
            ("assuming" | "denying" | "equating", 0) | ("decided", _) => {
                ("a condition", is_typed && element == Element::I1)
            }
            ("inside", _) | ("outside", 1 | 2) => ("an index", is_typed && element == Element::Index),
            ("canonical", _) => ("an integer", is_typed && is_integer),
            _ => ("a term without sizes", true),
        };
        if !is_accepted || self.pool.rank(x) > 0 {
            return Err(operand.error(format!("`{name}` takes {what} here, found {}", self.kind(x))));
        }
        Ok(x)
    }

    /// Compiles an operand of an operation on numbers that is not known.
    fn single(&mut self, t: &Term, name: &str) -> Outcome<Id> {
        let x = self.term(t, None)?;
        self.accept_many(t, name, x, false, &[])?;
        if self.pool.rank(x) > 0 {
            return Err(t.error(format!("`{name}` takes numbers, found {}", self.kind(x))));
        }
        Ok(x)
    }

    /// Compiles a term that all operands match, in which `k` is the number of the operand; `n` is how many there are.
    fn each(&mut self, t: &Term, k: &Term, n: &Term, e: &Term) -> Outcome<Id> {
        let k_th = self.position(k).ok_or_else(|| k.expected("a variable for a position"))?;
        if self.is_right || self.depth > 0 || self.positions[k_th as usize].is_number {
            return Err(t.error("`each` may occur only once, on the left, and not where an index is bound"));
        }
        let n = self.variables[self.variable(n)?].leaf;
        self.positions[k_th as usize].is_number = true;
        let body = self.term(e, None)?;
        Ok(self.pool.data(Form::Other(k_th), ANYTHING, [n, body]))
    }

    /// Checks whether operand `x` of `name` may stand for any number of terms, after other operands.
    fn accept_many(&self, operand: &Term, name: &str, x: Id, may_be_many: bool, others: &[Id]) -> Outcome<()> {
        if !self.is_many(x) {
            return Ok(());
        }
        if !may_be_many {
            return Err(operand.error(format!("`{name}` takes one term here, found {}", self.kind(x))));
        }
        if !self.is_right && others.iter().any(|&other| self.is_many(other)) {
            return Err(operand.error(format!("`{name}` takes at most one variable of the kind `many`")));
        }
        Ok(())
    }

    fn is_many(&self, t: Id) -> bool {
        is_many(&self.pool, &self.variables, t)
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

    /// Compiles terms of one element type. A literal has the type of the first other term, or `near`.
    fn operands(&mut self, terms: &[&Term], near: Option<Element>) -> Outcome<Vec<Id>> {
        let first = terms.iter().position(|t| !self.is_literal(t));
        let known = first.map(|k| self.term(terms[k], near)).transpose()?;
        let near = known.map_or(near, |x| Some(self.pool.element(x)));
        let mut all = vec![];
        for (k, t) in terms.iter().enumerate() {
            all.push(match known {
                Some(x) if first == Some(k) => x,
                _ => self.term(t, near)?,
            });
        }
        Ok(all)
    }

    fn typed(&mut self, t: &Term, accepts: impl Fn(Element) -> bool, what: &str) -> Outcome<Id> {
        let x = self.term(t, None)?;
        if accepts(self.pool.element(x)) && self.pool.rank(x) == 0 && !self.is_any(x) {
            return Ok(x);
        }
        Err(t.error(format!("expected {what}, found {}", self.kind(x))))
    }

    /// Compiles an extent, and `e` under an index with this extent.
    fn under(&mut self, n: &Term, i: &Term, e: &Term, near: Option<Element>) -> Outcome<(Id, Id)> {
        let n = self.typed(n, |e| e == Element::Index, "an extent")?;
        let name = i.name().ok_or_else(|| i.expected("a variable"))?;
        let index = self.pool.bound_ix(n);
        self.depth += 1;
        self.bound.push((name.to_string(), index, self.depth));
        let body = self.term(e, near);
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

    fn reduction(&mut self, name: &str, a: &Term, near: Option<Element>) -> Outcome<Id> {
        let x = self.term(a, near)?;
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
        self.accept_many(a, "index", x, self.is_right && list.len() == 1, &[])?;
        if list.len() > self.pool.rank(x) && !self.is_many(x) {
            let most = count(self.pool.rank(x), "index");
            return Err(positions.error(format!("expected at most {most}, found {}", list.len())));
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
        self.has_any_states |= self.is_any(init);
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
    fn operator(&mut self, t: &Term, name: &str, rest: &[Term], near: Option<Element>) -> Outcome<Id> {
        if let ("itof", [x]) = (name, rest) {
            let n = self.typed(x, |e| e == Element::Index, "an index")?;
            let to = near.filter(|e| e.is_float()).ok_or_else(|| t.error(without_type("itof")))?;
            let n = self.pool.prim1(Prim::Cast(Cast::Index, Element::I64), n);
            return Ok(self.pool.prim1(Prim::Cast(Cast::SIToFP, to), n));
        }
        if let ("itoi", [x]) = (name, rest) {
            let n = self.typed(x, |e| e == Element::Index, "an index")?;
            let to = near.filter(|e| !e.is_float()).ok_or_else(|| t.error(without_type("itoi")))?;
            return Ok(if to == Element::Index { n } else { self.pool.prim1(Prim::Cast(Cast::Index, to), n) });
        }
        if let (Some(&(_, from, cast)), [x]) = (CASTS.iter().find(|c| c.0 == name), rest) {
            let found = self.term(x, Some(from))?;
            if self.pool.element(found) != from || self.pool.rank(found) > 0 {
                return Err(x.error(format!("`{name}` takes {}, found {}", from.name(), self.kind(found))));
            }
            return Ok(self.pool.prim(cast, Flags::NONE, &[found]));
        }
        let comparison = COMPARISONS.iter().find(|c| c.0 == name);
        let prim = PRIMS.iter().find(|p| p.0 == name);
        // The operands of a comparison have another type than its value.
        let near = near.filter(|_| comparison.is_none());
        let terms: Vec<&Term> = if rest.len() <= 3 { rest.iter().collect() } else { vec![] };
        let args = self.operands(&terms, near)?;
        if comparison.is_none() && prim.is_none() {
            return Err(t.error(format!("unknown operator `{name}`")));
        }
        let Some(&first) = args.first() else {
            return Err(t.error(format!("expected one to three operands of `{name}`, found {}", rest.len())));
        };
        if let Some(k) = (0..args.len()).find(|&k| self.is_any(args[k])) {
            return Err(rest[k].error(format!("`{name}` takes numbers, found {}", self.kind(args[k]))));
        }
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
            return Err(t.error(format!("`{name}` takes {}, found {}", count(p.arity(), "operand"), args.len())));
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
