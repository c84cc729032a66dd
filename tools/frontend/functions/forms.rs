//! Translation of S-expressions to the syntax tree (`spec/functional.md` F.1).

use super::syntax::{Expr, ExprKind, Function, FunctionId, Lambda, Loop, Op, Program, Var, Variable};
use super::types::{self, Type};
use crate::definitions::Call;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::primitives::{self, Notation};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::terms::{Form, Number, Term};
use mlopt_dialects::text::{Problem, Span, count};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, Problem>;

const LAM: &str = "(lam (x …) e)";

/// The keywords, which cannot be names of variables, the syntax of their forms, and the functions that read them.
const FORMS: &[(&str, &str, fn(&mut Builder, Call) -> Result<ExprKind>)] = &[
    ("lam", LAM, Builder::function_of),
    ("let", "(let ((x e) …) e)", Builder::bindings),
    ("letrec", "(letrec ((f (lam (x …) e)) …) e)", Builder::letrec),
    ("if", "(if c a b)", Builder::choice),
    ("tuple", "(tuple e …)", |b, call| b.operation(call, Op::Plain(Kind::LambdaTuple))),
    ("get", "(get i e)", Builder::get),
    ("record", "(record Name (f e) …)", Builder::record),
    ("field", "(field f e)", Builder::field),
    ("with", "(with e (f e) …)", Builder::with),
    ("list", "(list e …)", |b, call| b.operation(call, Op::List)),
    ("nil", "(nil) or (nil T)", Builder::nil),
    ("while", "(while ((x e0) …) c (next e …) e)", Builder::repeat),
    ("for", "(for i n ((x e0) …) (next e …) e)", Builder::count),
    ("next", "(next e …)", |_, call| {
        Err(call.term.error("`next` may occur only in the bodies of `while` and `for`"))
    }),
    ("check", "(check c \"CODE\" \"TEXT\" e)", Builder::check),
    ("dense", "(dense T c …)", Builder::dense),
    ("grad", "(grad e), (grad i n e) or (grad (i …) n e)", Builder::gradient),
    ("vgrad", "(vgrad e), (vgrad i n e) or (vgrad (i …) n e)", Builder::gradient),
    ("jvp", "(jvp e)", |b, call| b.operation_of::<1>(call, Op::Plain(Kind::LambdaJvp))),
    ("vjp", "(vjp e)", |b, call| b.operation_of::<1>(call, Op::Plain(Kind::LambdaVjp))),
    ("pullback", "(pullback (x) e w)", |b, call| b.with_map(call, Kind::LambdaPullback)),
    ("dual", "(dual (v) e w)", |b, call| b.with_map(call, Kind::LambdaDual)),
    ("the", "(the T e)", Builder::the),
    ("do", "(do e … e)", Builder::sequence),
    ("spawn", "(spawn dev f e …)", Builder::spawn),
    ("spawn-n", "(spawn-n n f e …)", Builder::spawn_many),
    ("channel", "(channel T :dest d :buffer n)", Builder::channel),
    ("send", "(send c e)", |b, call| b.operation_of::<2>(call, Op::Action(Kind::LambdaSend))),
    ("recv", "(recv c)", |b, call| b.operation_of::<1>(call, Op::Receive(Kind::LambdaRecv))),
    ("close", "(close c)", |b, call| b.operation_of::<1>(call, Op::Action(Kind::LambdaClose))),
    ("join", "(join e)", |b, call| b.operation_of::<1>(call, Op::Join)),
    ("print", "(print e …)", |b, call| b.operation(call, Op::Action(Kind::LambdaPrint))),
    ("read", "(read)", |b, call| b.operation_of::<0>(call, Op::Receive(Kind::LambdaRead))),
];

/// The built-in functions other than primitives, with their arity; the last field states whether more arguments are
/// allowed. `compose` is no operation: it exists in the notation only.
const BUILTINS: &[(&str, Option<Op>, usize, bool)] = &[
    ("compose", None, 2, false),
    ("cons", Some(Op::Plain(Kind::LambdaCons)), 2, false),
    ("head", Some(Op::Plain(Kind::LambdaHead)), 1, false),
    ("tail", Some(Op::Plain(Kind::LambdaTail)), 1, false),
    ("empty?", Some(Op::Plain(Kind::LambdaIsEmpty)), 1, false),
    ("length", Some(Op::Plain(Kind::LambdaLength)), 1, false),
    ("concat", Some(Op::Plain(Kind::LambdaConcat)), 2, false),
    ("tolist", Some(Op::Plain(Kind::LambdaToList)), 1, false),
    ("toarray", Some(Op::Plain(Kind::LambdaToArray)), 1, false),
    ("stop", Some(Op::Plain(Kind::LambdaStopGradient)), 1, false),
    ("covector", Some(Op::Plain(Kind::LambdaCovector)), 1, false),
    ("pair-with", Some(Op::Plain(Kind::LambdaPairWith)), 2, false),
    ("opaque", Some(Op::Plain(Kind::LambdaOpaque)), 1, false),
    ("map", Some(Op::HigherOrder(Kind::LambdaMap)), 2, false),
    ("map2", Some(Op::HigherOrder(Kind::LambdaMap)), 3, false),
    ("maplist", Some(Op::HigherOrder(Kind::LambdaMap)), 2, false),
    ("fold", Some(Op::HigherOrder(Kind::LambdaFold)), 3, false),
    ("scan", Some(Op::HigherOrder(Kind::LambdaScan)), 3, false),
    ("walk", Some(Op::HigherOrder(Kind::LambdaWalk)), 2, true),
    ("aget", Some(Op::Aget), 2, true),
    ("aset", Some(Op::Aset), 3, true),
];

/// Returns the operation of the built-in function of this name (see [`BUILTINS`]), its arity, and whether more
/// arguments are allowed.
fn builtin(name: &str) -> Option<(Option<Op>, usize, bool)> {
    if let Some((_, op, arity, more)) = BUILTINS.iter().find(|b| b.0 == name) {
        return Some((op.clone(), *arity, *more));
    }
    let primitive = primitives::function(name)?;
    Some((Some(Op::Prim(primitive.name(Notation::Functions))), primitive.arity, false))
}

#[derive(Default)]
pub struct Builder {
    pub program: Program,
    /// The variables in scope, by name, innermost last.
    scope: HashMap<String, Vec<Var>>,
    definitions: HashMap<String, FunctionId>,
    /// The current definition.
    current: FunctionId,
}

impl Builder {
    /// Declares a definition before any body is read, because definitions may call each other in any order.
    pub fn declare(&mut self, name: &str, arity: usize) -> FunctionId {
        let id = self.function(arity);
        self.definitions.insert(name.into(), id);
        id
    }

    /// Binds the parameters of a definition, which stay in scope until [`Builder::leave`].
    pub fn enter(&mut self, current: FunctionId, parameters: &[&Term]) -> Result<Vec<Var>> {
        self.current = current;
        self.parameters(parameters.iter().copied())
    }

    pub fn leave(&mut self, parameters: &[Var]) {
        parameters.iter().rev().for_each(|&v| self.unbind(v));
    }

    pub fn function(&mut self, arity: usize) -> FunctionId {
        self.program.functions.push(Function { arity, effects: false });
        self.program.functions.len() - 1
    }

    fn fresh(&mut self, name: &str, at: Span) -> Var {
        self.program.variables.push(Variable { name: name.into(), at, function: None, arity: None });
        self.program.variables.len() - 1
    }

    fn bind(&mut self, name: &str, at: Span) -> Var {
        let v = self.fresh(name, at);
        self.scope.entry(name.into()).or_default().push(v);
        v
    }

    fn unbind(&mut self, v: Var) {
        let name = &self.program.variables[v].name;
        self.scope.get_mut(name).and_then(Vec::pop);
    }

    /// Binds parameters with distinct names.
    fn parameters<'t>(&mut self, terms: impl Iterator<Item = &'t Term>) -> Result<Vec<Var>> {
        let (mut named, mut seen): (Vec<(&str, Span)>, HashMap<&str, Span>) = (vec![], HashMap::new());
        for term in terms {
            let name = binder(term)?;
            if let Some(first) = seen.insert(name, term.at) {
                return Err(term.error(format!("`{name}` is bound twice, first at {first}")));
            }
            named.push((name, term.at));
        }
        Ok(named.into_iter().map(|(name, at)| self.bind(name, at)).collect())
    }

    fn lookup(&mut self, name: &str) -> Option<ExprKind> {
        if let Some(&v) = self.scope.get(name).and_then(|all| all.last()) {
            return Some(ExprKind::Variable(v));
        }
        let &id = self.definitions.get(name)?;
        self.program.uses.push((self.current, id));
        self.program.used.insert(id);
        Some(ExprKind::Definition(id))
    }

    fn unknown(&self, name: &str, at: Span, what: &str) -> Problem {
        let bound = self.scope.iter().filter(|(_, all)| !all.is_empty()).map(|(name, _)| name.as_str());
        let primitives = primitives::all(Notation::Functions).map(|p| p.name(Notation::Functions));
        let functions = BUILTINS.iter().map(|b| b.0).chain(primitives);
        let known = bound.chain(self.definitions.keys().map(String::as_str)).chain(functions);
        let forms = FORMS.iter().map(|f| f.0).filter(|_| what != "name");
        at.error(format!("unknown {what} `{name}`{}", did_you_mean(name, known.chain(forms))))
    }

    pub fn expr(&mut self, term: &Term) -> Result<Expr> {
        let kind = match &term.form {
            Form::Atom(word) => self.atom(term, word)?,
            Form::List(items) => match items.split_first() {
                None => return Err(term.expected("a term")),
                Some((head, rest)) => self.list(term, head, rest)?,
            },
        };
        Ok(Expr::new(term.at, kind))
    }

    fn all(&mut self, terms: &[Term]) -> Result<Vec<Expr>> {
        terms.iter().map(|t| self.expr(t)).collect()
    }

    fn atom(&mut self, term: &Term, word: &str) -> Result<ExprKind> {
        if let Some(number) = term.literal()? {
            return match number {
                Number::Float(x) if x.is_infinite() && !word.ends_with("inf") => {
                    Err(term.error(format!("the number {word} is too large for f64")))
                }
                _ => Ok(ExprKind::Literal(number)),
            };
        }
        if let Some(kind) = self.lookup(word) {
            return Ok(kind);
        }
        if let Some((_, form, _)) = FORMS.iter().find(|f| f.0 == word) {
            return Err(term.error(format!("expected a value, found `{word}`, which begins the form {form}")));
        }
        match builtin(word) {
            Some((builtin, arity, _)) => self.as_value(term.at, builtin, arity),
            None => Err(self.unknown(word, term.at, "name")),
        }
    }

    /// Returns `(lam (a b …) (f a b …))`.
    fn as_value(&mut self, at: Span, builtin: Option<Op>, arity: usize) -> Result<ExprKind> {
        let parameters: Vec<Var> = ["a", "b", "c"][..arity].iter().map(|name| self.fresh(name, at)).collect();
        let operands = parameters.iter().map(|&v| Expr::new(at, ExprKind::Variable(v))).collect();
        let body = self.apply(at, builtin, operands)?;
        Ok(self.lambda(at, parameters, Expr::new(at, body)))
    }

    fn lambda(&mut self, at: Span, parameters: Vec<Var>, body: Expr) -> ExprKind {
        let id = self.function(parameters.len());
        ExprKind::Lambda(Lambda { at, id, parameters, body: Box::new(body) })
    }

    fn list(&mut self, term: &Term, head: &Term, rest: &[Term]) -> Result<ExprKind> {
        if let Some(name) = head.name()
            && self.scope.get(name).is_none_or(|all| all.is_empty())
            && !self.definitions.contains_key(name)
        {
            if let Some(&(_, form, read)) = FORMS.iter().find(|f| f.0 == name) {
                return read(self, Call { term, head: name, form, rest });
            }
            let Some((builtin, arity, more)) = builtin(name) else {
                return Err(self.unknown(name, head.at, "function or form"));
            };
            if rest.len() != arity && !(more && rest.len() > arity) {
                let takes = format!("{}{}", count(arity, "argument"), if more { " or more" } else { "" });
                return Err(arity_mismatch(term.at, format!("`{name}` takes {takes}, found {}", rest.len())));
            }
            let operands = self.all(rest)?;
            return self.apply(term.at, builtin, operands);
        }
        if head.number().is_some() {
            return Err(head.expected("a function"));
        }
        let f = self.expr(head)?;
        let arguments = self.all(rest)?;
        self.takes(&f, head, term.at, arguments.len())?;
        Ok(ExprKind::Call(Box::new(f), arguments))
    }

    /// Rejects a call whose number of arguments differs from the arity of the callee, if that is known.
    fn takes(&self, f: &Expr, written: &Term, at: Span, found: usize) -> Result<()> {
        match f.arity(&self.program) {
            Some(arity) if arity != found => {
                let name = written.name().map_or("this function".into(), |name| format!("`{name}`"));
                Err(arity_mismatch(at, format!("{name} takes {}, found {found}", count(arity, "argument"))))
            }
            _ => Ok(()),
        }
    }

    /// Rejects a function whose arity differs from the number of arguments that its user passes.
    fn gives(&self, user: &str, f: &Expr, given: usize) -> Result<()> {
        match f.arity(&self.program) {
            Some(arity) if arity != given => {
                let text = format!(
                    "`{user}` needs a function of {}, found a function of {}",
                    count(given, "argument"),
                    count(arity, "argument")
                );
                Err(arity_mismatch(f.at, text))
            }
            _ => Ok(()),
        }
    }

    fn apply(&mut self, at: Span, builtin: Option<Op>, operands: Vec<Expr>) -> Result<ExprKind> {
        let Some(op) = builtin else { return self.compose(at, operands) };
        if let Op::HigherOrder(kind) = op {
            let is_fold = matches!(kind, Kind::LambdaFold | Kind::LambdaScan);
            let given = if is_fold { 2 } else { operands.len() - 1 };
            self.gives(kind.name().trim_start_matches("lambda."), &operands[0], given)?;
        }
        Ok(ExprKind::Op(op, operands))
    }

    /// Returns `(let ((f e1) (g e2)) (lam (x) (f (g x))))`.
    fn compose(&mut self, at: Span, operands: Vec<Expr>) -> Result<ExprKind> {
        let mut bindings = vec![];
        for (name, operand) in ["f", "g"].into_iter().zip(operands) {
            self.gives("compose", &operand, 1)?;
            bindings.push(self.binding(name, operand));
        }
        let x = self.fresh("x", at);
        let body = [bindings[1].0, bindings[0].0].into_iter().fold(Expr::new(at, ExprKind::Variable(x)), |x, f| {
            Expr::new(at, ExprKind::Call(Box::new(Expr::new(at, ExprKind::Variable(f))), vec![x]))
        });
        let composed = self.lambda(at, vec![x], body);
        Ok(ExprKind::Let(bindings, Box::new(Expr::new(at, composed))))
    }

    /// Returns a fresh variable bound to `value`.
    fn binding(&mut self, name: &str, value: Expr) -> (Var, Expr) {
        let v = self.fresh(name, value.at);
        self.describe(v, &value);
        (v, value)
    }

    /// Records the function that a variable denotes, and its arity.
    fn describe(&mut self, v: Var, value: &Expr) {
        let (function, arity) = (value.function(&self.program.variables), value.arity(&self.program));
        let variable = &mut self.program.variables[v];
        (variable.function, variable.arity) = (function, arity);
    }

    fn function_of(&mut self, call: Call) -> Result<ExprKind> {
        let [parameters, body] = call.operands()?;
        let parameters = self.parameters(parameters.items("a list of parameters, `(x …)`")?.iter())?;
        let body = self.expr(body)?;
        self.leave(&parameters);
        Ok(self.lambda(call.term.at, parameters, body))
    }

    fn choice(&mut self, call: Call) -> Result<ExprKind> {
        let parts: [&Term; 3] = call.operands()?;
        let [c, a, b] = parts.map(|t| self.expr(t));
        Ok(ExprKind::If(Box::new([c?, a?, b?])))
    }

    /// Reads a form of any number of operands.
    fn operation(&mut self, call: Call, op: Op) -> Result<ExprKind> {
        Ok(ExprKind::Op(op, self.all(call.rest)?))
    }

    fn operation_of<const N: usize>(&mut self, call: Call, op: Op) -> Result<ExprKind> {
        let _: [&Term; N] = call.operands()?;
        self.operation(call, op)
    }

    fn get(&mut self, call: Call) -> Result<ExprKind> {
        let [index, e] = call.operands()?;
        let k = whole(index, "the position of an element, a whole number")?;
        Ok(ExprKind::Op(Op::Get(k as i64), vec![self.expr(e)?]))
    }

    fn record(&mut self, call: Call) -> Result<ExprKind> {
        let [record, fields @ ..] = call.rest else { return Err(call.wrong()) };
        let record = record.named("the name of a record")?;
        let (fields, values) = self.fields(fields)?;
        Ok(ExprKind::Op(Op::Record(record.into(), fields), values))
    }

    fn field(&mut self, call: Call) -> Result<ExprKind> {
        let [field, e] = call.operands()?;
        let field = field.named("the name of a field")?;
        Ok(ExprKind::Op(Op::Field(field.into()), vec![self.expr(e)?]))
    }

    fn with(&mut self, call: Call) -> Result<ExprKind> {
        let [record, fields @ ..] = call.rest else { return Err(call.wrong()) };
        if fields.is_empty() {
            return Err(call.wrong());
        }
        let mut operands = vec![self.expr(record)?];
        let (fields, values) = self.fields(fields)?;
        operands.extend(values);
        Ok(ExprKind::Op(Op::With(fields), operands))
    }

    fn nil(&mut self, call: Call) -> Result<ExprKind> {
        let list = match call.rest {
            [] => None,
            [element] => Some(Type::Container("list", Box::new(ty(element)?))),
            _ => return Err(call.wrong()),
        };
        Ok(ExprKind::Op(Op::Nil(list), vec![]))
    }

    fn the(&mut self, call: Call) -> Result<ExprKind> {
        let [of, e] = call.operands()?;
        Ok(ExprKind::Op(Op::The(ty(of)?), vec![self.expr(e)?]))
    }

    fn check(&mut self, call: Call) -> Result<ExprKind> {
        let [condition, code, text, e] = call.operands()?;
        let string = |t: &Term| t.string().ok_or_else(|| t.expected("a string, `\"…\"`"));
        let op = Op::Check(string(code)?, string(text)?);
        Ok(ExprKind::Op(op, vec![self.expr(condition)?, self.expr(e)?]))
    }

    fn dense(&mut self, call: Call) -> Result<ExprKind> {
        let [of, numbers @ ..] = call.rest else { return Err(call.wrong()) };
        let of_type = ty(of)?;
        let Type::Array(sizes, _) = &of_type else { return Err(of.expected("a type of arrays")) };
        let wanted = sizes.iter().copied().product::<Option<usize>>();
        if wanted != Some(numbers.len()) {
            let text =
                format!("the type must have static sizes and as many elements as there are numbers, {}", numbers.len());
            return Err(Problem::with_code("shape-mismatch", of.at, text));
        }
        let number = |t: &Term| t.literal()?.ok_or_else(|| t.expected("a number"));
        let numbers = numbers.iter().map(number).collect::<Result<Vec<_>>>()?;
        Ok(ExprKind::Op(Op::Dense(of_type, numbers), vec![]))
    }

    fn sequence(&mut self, call: Call) -> Result<ExprKind> {
        let Some((last, before)) = call.rest.split_last() else { return Err(call.wrong()) };
        Ok(ExprKind::Do(self.all(before)?, Box::new(self.expr(last)?)))
    }

    fn spawn(&mut self, call: Call) -> Result<ExprKind> {
        let [on, f, arguments @ ..] = call.rest else { return Err(call.wrong()) };
        let on = device(on)?;
        let operands = self.all(&call.rest[1..])?;
        self.takes(&operands[0], f, call.term.at, arguments.len())?;
        Ok(ExprKind::Op(Op::Spawn(on), operands))
    }

    fn bindings(&mut self, call: Call) -> Result<ExprKind> {
        let [list, body] = call.operands()?;
        let mut bindings = vec![];
        for item in list.items("a list of variables, `((x e) …)`")? {
            let (name, value) = pair(item, "a variable and its value, `(x e)`")?;
            let text = binder(name)?;
            let value = self.expr(value)?;
            let v = self.bind(text, name.at);
            self.describe(v, &value);
            bindings.push((v, value));
        }
        let body = self.expr(body)?;
        bindings.iter().rev().for_each(|b| self.unbind(b.0));
        Ok(ExprKind::Let(bindings, Box::new(body)))
    }

    fn letrec(&mut self, call: Call) -> Result<ExprKind> {
        let [list, body] = call.operands()?;
        let mut heads = vec![];
        for item in list.items("a list of functions, `((f (lam (x …) e)) …)`")? {
            let (name, value) = pair(item, "a function and its name, `(f (lam (x …) e))`")?;
            let parts = match value.list() {
                Some([head, rest @ ..]) if head.name() == Some("lam") => {
                    Call { term: value, head: "lam", form: LAM, rest }.operands::<2>()?
                }
                _ => return Err(value.expected("a function, `(lam (x …) e)`")),
            };
            let parameters = parts[0].items("a list of parameters, `(x …)`")?;
            heads.push((name, value.at, parameters, parts[1]));
        }
        let variables = self.parameters(heads.iter().map(|h| h.0))?;
        let mut ids = vec![];
        for (&v, head) in variables.iter().zip(&heads) {
            let arity = head.2.len();
            let id = self.function(arity);
            let variable = &mut self.program.variables[v];
            (variable.function, variable.arity) = (Some(id), Some(arity));
            ids.push((v, id));
        }
        let mut members = vec![];
        for ((v, id), (_, at, parameters, body)) in ids.into_iter().zip(heads) {
            let parameters = self.parameters(parameters.iter())?;
            let body = Box::new(self.expr(body)?);
            self.leave(&parameters);
            members.push((v, Lambda { at, id, parameters, body }));
        }
        let body = self.expr(body)?;
        self.leave(&variables);
        Ok(ExprKind::Letrec(members, Box::new(body)))
    }

    /// Reads fields `(f e) …`.
    fn fields(&mut self, items: &[Term]) -> Result<(Vec<String>, Vec<Expr>)> {
        let (mut fields, mut values) = (vec![], vec![]);
        for item in items {
            let (field, value) = pair(item, "a field and its value, `(f e)`")?;
            let name = field.named("the name of a field")?;
            if fields.iter().any(|f| f == name) {
                return Err(field.error(format!("the field `{name}` is given twice")));
            }
            fields.push(name.into());
            values.push(self.expr(value)?);
        }
        Ok((fields, values))
    }

    /// Reads `((x e0) …)`: the variables, not yet bound, and their initial values, which are outside of the loop's
    /// scope.
    fn first_values<'t>(&mut self, list: &'t Term) -> Result<(Vec<&'t Term>, Vec<Expr>)> {
        let (mut names, mut values) = (vec![], vec![]);
        for item in list.items("a list of variables, `((x e0) …)`")? {
            let (name, value) = pair(item, "a variable and its first value, `(x e0)`")?;
            names.push(name);
            values.push(self.expr(value)?);
        }
        Ok((names, values))
    }

    fn next(&mut self, term: &Term, wanted: usize) -> Result<Vec<Expr>> {
        let Some([head, values @ ..]) = term.list().filter(|l| l.first().and_then(Term::name) == Some("next")) else {
            return Err(term.expected("the next values, `(next e …)`"));
        };
        if values.len() != wanted {
            let text = format!("expected {} for the variables, found {}", count(wanted, "value"), values.len());
            return Err(arity_mismatch(head.at, text));
        }
        self.all(values)
    }

    fn repeat(&mut self, call: Call) -> Result<ExprKind> {
        let [list, condition, next, result] = call.operands()?;
        let (names, values) = self.first_values(list)?;
        let variables = self.parameters(names.into_iter())?;
        let condition = self.expr(condition)?;
        let next = self.next(next, variables.len())?;
        let result = self.expr(result)?;
        self.leave(&variables);
        let carried = variables.into_iter().zip(values).collect();
        Ok(ExprKind::Loop(Box::new(Loop { index: None, control: condition, carried, next, result })))
    }

    fn count(&mut self, call: Call) -> Result<ExprKind> {
        let [index, count, list, next, result] = call.operands()?;
        let count = self.expr(count)?;
        let (names, values) = self.first_values(list)?;
        let mut variables = self.parameters(names.into_iter().chain([index]))?;
        let next = self.next(next, variables.len() - 1)?;
        let i = variables.pop().expect("the number of the run");
        self.unbind(i);
        let result = self.expr(result)?;
        self.leave(&variables);
        let carried = variables.into_iter().zip(values).collect();
        Ok(ExprKind::Loop(Box::new(Loop { index: Some(i), control: count, carried, next, result })))
    }

    fn gradient(&mut self, call: Call) -> Result<ExprKind> {
        let (wrt, arity, f) = match call.rest {
            [f] => (vec![0], 1, f),
            [wrt, arity, f] => {
                let position = |k: &Term| whole(k, "the position of an argument, a whole number");
                let all = match wrt.list() {
                    Some(all) => all.iter().map(position).collect::<Result<Vec<_>>>()?,
                    None => vec![position(wrt)?],
                };
                let n = whole(arity, "the number of arguments, a whole number")?;
                if let Some(k) = all.iter().find(|k| **k >= n) {
                    let text = format!("a function of {} has no argument {k}, counted from 0", count(n, "argument"));
                    return Err(arity_mismatch(wrt.at, text));
                }
                if all.is_empty() || !all.is_sorted_by(|a, b| a < b) {
                    return Err(wrt.error("the positions of arguments must be ascending, and at least one"));
                }
                (all, n, f)
            }
            _ => return Err(call.wrong()),
        };
        let f = self.expr(f)?;
        self.gives(call.head, &f, arity)?;
        Ok(ExprKind::Op(Op::Grad { wrt, arity, value: call.head == "vgrad" }, vec![f]))
    }

    /// Reads `(name (x) e w)`. The function from `x` to `e` is part of the op.
    fn with_map(&mut self, call: Call, op: Kind) -> Result<ExprKind> {
        let [parameter, body, form] = call.operands()?;
        let Some([variable]) = parameter.list() else { return Err(parameter.expected("one variable, `(x)`")) };
        let parameters = self.parameters(std::iter::once(variable))?;
        let body = self.expr(body)?;
        self.leave(&parameters);
        let at = call.term.at;
        let map = self.lambda(at, parameters, body);
        Ok(ExprKind::Op(Op::WithMap(op), vec![Expr::new(at, map), self.expr(form)?]))
    }

    fn channel(&mut self, call: Call) -> Result<ExprKind> {
        let is_option = |t: &Term| t.name().is_some_and(|n| n.starts_with(':'));
        let (carries, mut options) = match call.rest {
            [first, options @ ..] if !is_option(first) => (Some(first), options),
            _ => (None, call.rest),
        };
        let carries = carries.filter(|t| t.name() != Some("array")).map(ty).transpose()?;
        let (mut dest, mut buffer) = (None, None);
        while let [option, value, more @ ..] = options {
            match option.name().unwrap_or_default() {
                ":dest" if dest.is_none() => dest = Some(device(value)?),
                ":buffer" if buffer.is_none() => {
                    buffer = Some(whole(value, "the number of values that may wait, a whole number")? as i64);
                }
                ":dest" | ":buffer" => return Err(option.error(format!("{option} is given twice"))),
                name => {
                    let hint = did_you_mean(name, [":dest", ":buffer"]);
                    return Err(option.error(format!("expected `:dest` or `:buffer`, found {option}{hint}")));
                }
            }
            options = more;
        }
        match options {
            [] => Ok(ExprKind::Op(Op::Channel { carries, dest, buffer }, vec![])),
            _ => Err(call.wrong()),
        }
    }

    /// Starts `n` tasks in a loop whose value is `unit`.
    fn spawn_many(&mut self, call: Call) -> Result<ExprKind> {
        let [many, f, arguments @ ..] = call.rest else { return Err(call.wrong()) };
        let at = call.term.at;
        let many = self.expr(many)?;
        let mut bindings = vec![self.binding("n", many)];
        let operands = self.all(&call.rest[1..])?;
        self.takes(&operands[0], f, at, arguments.len() + 1)?;
        for (operand, name) in operands.into_iter().zip(std::iter::once("f").chain(std::iter::repeat("a"))) {
            bindings.push(self.binding(name, operand));
        }
        let (i, started) = (self.fresh("i", at), self.fresh("started", at));
        let get = |v: Var| Expr::new(at, ExprKind::Variable(v));
        let unit = || Expr::new(at, ExprKind::Op(Op::Unit, vec![]));
        let task = [bindings[1].0, i].into_iter().chain(bindings[2..].iter().map(|b| b.0)).map(get).collect();
        let start = Expr::new(at, ExprKind::Op(Op::Spawn("cpu:0".into()), task));
        let repeated = Loop {
            index: Some(i),
            control: get(bindings[0].0),
            carried: vec![(started, unit())],
            next: vec![Expr::new(at, ExprKind::Do(vec![start], Box::new(unit())))],
            result: get(started),
        };
        Ok(ExprKind::Let(bindings, Box::new(Expr::new(at, ExprKind::Loop(Box::new(repeated))))))
    }
}

/// The forms whose names a program may define, as those of operations: they are forms where no definition is visible.
const DEFINABLE: &[&str] = &["check", "dense", "jvp", "vjp"];

/// Returns the name that a term binds.
pub fn binder(term: &Term) -> Result<&str> {
    let name = term.named("a name")?;
    match FORMS.iter().find(|f| f.0 == name && !DEFINABLE.contains(&name)) {
        Some((_, form, _)) => {
            Err(term.error(format!("expected the name of a variable, found `{name}`, which begins the form {form}")))
        }
        None => Ok(name),
    }
}

fn arity_mismatch(at: Span, text: String) -> Problem {
    Problem::with_code("arity-mismatch", at, text)
}

/// Splits a term `(a b)`.
fn pair<'t>(term: &'t Term, what: &str) -> Result<(&'t Term, &'t Term)> {
    match term.list() {
        Some([a, b]) => Ok((a, b)),
        _ => Err(term.expected(what)),
    }
}

/// Reads a literal that must be a non-negative integer.
fn whole(term: &Term, what: &str) -> Result<usize> {
    match term.number() {
        Some(Number::Int(n)) if n >= 0 => Ok(n as usize),
        _ => Err(term.expected(what)),
    }
}

/// Reads a type.
pub fn ty(term: &Term) -> Result<Type> {
    match &term.form {
        Form::Atom(word) => types::read(word, term.at),
        Form::List(_) => Err(term.expected("a type, like `f64` or `array<2x3xf64>`")),
    }
}

/// Reads a device, such as `cpu:1`; `cpu` is the first one.
fn device(term: &Term) -> Result<String> {
    let name = term.name().unwrap_or_default();
    if name == "cpu" {
        return Ok("cpu:0".into());
    }
    let number = name.strip_prefix("cpu:").or_else(|| name.strip_prefix("gpu:"));
    match number {
        Some(n) if n.bytes().all(|b| b.is_ascii_digit()) && n.parse::<u16>().is_ok() => Ok(name.into()),
        _ => Err(Problem { code: Some("unknown-device"), ..term.expected("a device, `cpu:N` or `gpu:N`") }),
    }
}
