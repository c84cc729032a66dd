//! A reader of the notation of functional programs (`spec/functional.md` F.1), for tests. It translates the programs of
//! the test vectors to ops with open types, which the evaluator runs.

use std::collections::HashMap;
use std::fmt::Write;

/// A term.
#[derive(Clone, Debug)]
enum Term {
    Word(String),
    List(Vec<Term>),
}

impl Term {
    fn list(&self) -> &[Term] {
        match self {
            Term::List(terms) => terms,
            Term::Word(word) => panic!("expected a list, found {word}"),
        }
    }

    fn word(&self) -> &str {
        match self {
            Term::Word(word) => word,
            Term::List(terms) => panic!("expected a word, found {terms:?}"),
        }
    }
}

fn parse(text: &str) -> Term {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let term = term(&mut words);
    assert!(words.peek().is_none(), "more than one term: {text}");
    term
}

fn term<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Term {
    let word = words.next().expect("a term");
    if word != "(" {
        return Term::Word(word.to_string());
    }
    let mut terms = Vec::new();
    while *words.peek().expect("a closing parenthesis") != ")" {
        terms.push(self::term(words));
    }
    words.next();
    Term::List(terms)
}

/// A value of the program: its name and its type.
#[derive(Clone)]
struct Name {
    name: String,
    ty: String,
}

type Scope = HashMap<String, Name>;

const ANY: &str = "!lambda.any";

/// Returns a module with `@f`, the function that the term describes.
pub fn module(text: &str) -> String {
    let term = parse(text);
    let [_, parameters, body] = term.list() else { panic!("expected a function: {text}") };
    let mut writer = Writer::default();
    let (mut scope, mut list) = (Scope::new(), Vec::new());
    for parameter in parameters.list() {
        let name = writer.open();
        list.push(format!("{}: {ANY}", name.name));
        scope.insert(parameter.word().to_string(), name);
    }
    let result = writer.term(body, &scope);
    let Name { name, ty } = result;
    format!("func.func @f({}) -> {ty} {{\n{}return {name} : {ty}\n}}\n", list.join(", "), writer.text)
}

#[derive(Default)]
struct Writer {
    text: String,
    names: usize,
}

/// The operations of the notation that have an op of their own, and the names of these ops.
const OPS: &[(&str, &str)] = &[
    ("cons", "cons"),
    ("head", "head"),
    ("tail", "tail"),
    ("empty?", "is_empty"),
    ("length", "length"),
    ("tolist", "to_list"),
    ("toarray", "to_array"),
    ("map", "map"),
    ("map2", "map"),
    ("maplist", "map"),
    ("fold", "fold"),
    ("walk", "walk"),
    ("stop", "stop_gradient"),
    ("opaque", "opaque"),
    ("tuple", "tuple"),
];

/// Returns the arity of an operation of `lambda.prim` that is used as a function.
fn arity(name: &str) -> Option<usize> {
    mlopt_dialects::primitives::function(name).map(|p| p.arity)
}

fn function(arguments: usize) -> String {
    format!("({}) -> {ANY}", vec![ANY; arguments].join(", "))
}

impl Writer {
    fn fresh(&mut self, ty: &str) -> Name {
        self.names += 1;
        Name { name: format!("%v{}", self.names), ty: ty.to_string() }
    }

    fn open(&mut self) -> Name {
        self.fresh(ANY)
    }

    /// Emits `%y = op operands rest : (types) -> type`.
    fn op(&mut self, op: &str, operands: &[Name], rest: &str) -> Name {
        let list: Vec<&str> = operands.iter().map(|x| x.name.as_str()).collect();
        self.written(op, &list.join(", "), operands, rest)
    }

    fn written(&mut self, op: &str, list: &str, operands: &[Name], rest: &str) -> Name {
        let y = self.open();
        let types: Vec<&str> = operands.iter().map(|x| x.ty.as_str()).collect();
        writeln!(self.text, "{} = lambda.{op} {list}{rest} : ({}) -> {ANY}", y.name, types.join(", ")).unwrap();
        y
    }

    fn terms(&mut self, terms: &[Term], scope: &Scope) -> Vec<Name> {
        terms.iter().map(|t| self.term(t, scope)).collect()
    }

    fn term(&mut self, term: &Term, scope: &Scope) -> Name {
        match term {
            Term::Word(word) => self.word(word, scope),
            Term::List(terms) => match &terms[0] {
                Term::Word(head) if !scope.contains_key(head) => self.form(head, &terms[1..], scope),
                _ => self.call(terms, scope),
            },
        }
    }

    fn word(&mut self, word: &str, scope: &Scope) -> Name {
        if let Some(name) = scope.get(word) {
            return self.opened(name.clone());
        }
        let literal = match word {
            "true" | "false" => word.to_string(),
            _ if word.parse::<i64>().is_ok() => format!("{word} : i64"),
            _ if word.parse::<f64>().is_ok() => format!("{:e} : f64", word.parse::<f64>().unwrap()),
            _ => return self.primitive(word),
        };
        // A number with an exponent needs a point before it.
        let literal = match literal.split_once('e') {
            Some((digits, rest)) if literal.ends_with("f64") && !digits.contains('.') => format!("{digits}.0e{rest}"),
            _ => literal,
        };
        let y = self.open();
        writeln!(self.text, "{} = lambda.literal {literal} -> {ANY}", y.name).unwrap();
        y
    }

    /// Emits an operation as a function.
    fn primitive(&mut self, name: &str) -> Name {
        let n = arity(name).unwrap_or_else(|| panic!("there is no `{name}`"));
        let parameters: Vec<Name> = (0..n).map(|_| self.open()).collect();
        let f = self.lambda(&parameters, |it| it.prim(name, &parameters));
        self.opened(f)
    }

    fn lambda(&mut self, parameters: &[Name], body: impl FnOnce(&mut Writer) -> Name) -> Name {
        let f = self.fresh(&function(parameters.len()));
        let list: Vec<String> = parameters.iter().map(|p| format!("{}: {ANY}", p.name)).collect();
        writeln!(self.text, "{} = lambda.lambda ({}) -> {ANY} {{", f.name, list.join(", ")).unwrap();
        let y = body(self);
        writeln!(self.text, "lambda.return {} : {}\n}}", y.name, y.ty).unwrap();
        f
    }

    /// Emits a conversion of the value to an open type.
    fn opened(&mut self, x: Name) -> Name {
        match x.ty == ANY {
            true => x,
            false => self.op("the", &[x], " {type = !lambda.any}"),
        }
    }

    fn prim(&mut self, name: &str, operands: &[Name]) -> Name {
        let list: Vec<&str> = operands.iter().map(|x| x.name.as_str()).collect();
        self.written("prim", &format!("\"{name}\"({})", list.join(", ")), operands, "")
    }

    fn apply(&mut self, f: &Name, inputs: &[Name]) -> Name {
        let y = self.open();
        let (names, types): (Vec<&str>, Vec<&str>) = inputs.iter().map(|x| (x.name.as_str(), x.ty.as_str())).unzip();
        let inner = format!("({}) -> {ANY}", types.join(", "));
        writeln!(self.text, "{} = lambda.apply {}({}) : {ANY} {inner}", y.name, f.name, names.join(", ")).unwrap();
        y
    }

    fn call(&mut self, terms: &[Term], scope: &Scope) -> Name {
        let all = self.terms(terms, scope);
        self.apply(&all[0], &all[1..])
    }

    fn function(&mut self, parts: &[Term], scope: &Scope) -> Name {
        let mut scope = scope.clone();
        let parameters: Vec<Name> = parts[0].list().iter().map(|_| self.open()).collect();
        let words = parts[0].list().iter().map(|p| p.word().to_string());
        scope.extend(words.zip(parameters.iter().cloned()));
        self.lambda(&parameters, |it| it.term(&parts[1], &scope))
    }

    fn form(&mut self, head: &str, parts: &[Term], scope: &Scope) -> Name {
        match head {
            "lam" => {
                let f = self.function(parts, scope);
                self.opened(f)
            }
            "let" => {
                let mut scope = scope.clone();
                for binding in parts[0].list() {
                    let [name, value] = binding.list() else { panic!("expected a binding: {binding:?}") };
                    let value = self.term(value, &scope);
                    scope.insert(name.word().to_string(), value);
                }
                self.term(&parts[1], &scope)
            }
            "letrec" => self.letrec(parts, scope),
            "if" => {
                let c = self.term(&parts[0], scope);
                let y = self.open();
                writeln!(self.text, "{} = lambda.if {} : {ANY} -> {ANY} {{", y.name, c.name).unwrap();
                for (branch, end) in [(&parts[1], "} else {"), (&parts[2], "}")] {
                    let z = self.term(branch, scope);
                    writeln!(self.text, "lambda.yield {} : {}\n{end}", z.name, z.ty).unwrap();
                }
                y
            }
            "get" => {
                let t = self.term(&parts[1], scope);
                let list = format!("{}[{}]", t.name, parts[0].word());
                self.written("get", &list, &[t], "")
            }
            "record" => {
                let (name, fields) = (parts[0].word(), &parts[1..]);
                let names: Vec<String> = fields.iter().map(|f| format!("{:?}", f.list()[0].word())).collect();
                let values: Vec<Name> = fields.iter().map(|f| self.term(&f.list()[1], scope)).collect();
                self.op("record", &values, &format!(" {{name = {name:?}, fields = [{}]}}", names.join(", ")))
            }
            "field" => {
                let r = self.term(&parts[1], scope);
                let list = format!("{}[{:?}]", r.name, parts[0].word());
                self.written("field", &list, &[r], "")
            }
            "with" => parts[1..].iter().fold(self.term(&parts[0], scope), |r, field| {
                let value = self.term(&field.list()[1], scope);
                let list = format!("{}[{:?}], {}", r.name, field.list()[0].word(), value.name);
                self.written("with", &list, &[r, value], "")
            }),
            "list" => {
                let values = self.terms(parts, scope);
                let nil = self.op("nil", &[], "");
                values.iter().rev().fold(nil, |list, value| self.op("cons", &[value.clone(), list], ""))
            }
            "nil" => self.op("nil", &[], ""),
            "grad" | "vgrad" => self.grad(head == "vgrad", parts, scope),
            "aget" | "aset" => {
                let x = self.terms(parts, scope);
                let list = match &x[..] {
                    [a, i] => format!("{}[{}]", a.name, i.name),
                    [a, i, v] => format!("{}[{}], {}", a.name, i.name, v.name),
                    _ => panic!("expected one index: {parts:?}"),
                };
                self.written(head, &list, &x, "")
            }
            "the" => {
                let x = self.term(&parts[1], scope);
                self.op("the", &[x], &format!(" {{type = {}}}", parts[0].word()))
            }
            "compose" => {
                let fs = self.terms(parts, scope);
                let parameter = [self.open()];
                let f = self.lambda(&parameter, |it| {
                    let inner = it.apply(&fs[1], &parameter);
                    it.apply(&fs[0], &[inner])
                });
                self.opened(f)
            }
            "for" | "while" => self.repeat(head, parts, scope),
            _ if OPS.iter().any(|o| o.0 == head) => {
                let x = self.terms(parts, scope);
                let (_, op) = OPS.iter().find(|o| o.0 == head).expect("found before");
                self.op(op, &x, "")
            }
            _ if arity(head).is_some() => {
                let x = self.terms(parts, scope);
                self.prim(head, &x)
            }
            _ => panic!("unknown form `{head}`"),
        }
    }

    fn letrec(&mut self, parts: &[Term], scope: &Scope) -> Name {
        let mut scope = scope.clone();
        let (mut members, mut results) = (Vec::new(), Vec::new());
        for binding in parts[0].list() {
            let [name, lam] = binding.list() else { panic!("expected a binding: {binding:?}") };
            let ty = function(lam.list()[1].list().len());
            let (member, result) = (self.fresh(&ty), self.fresh(&ty));
            scope.insert(name.word().to_string(), member.clone());
            members.push((name.word().to_string(), member, lam.list()[1..].to_vec()));
            results.push(result);
        }
        let list: Vec<&str> = results.iter().map(|r| r.name.as_str()).collect();
        writeln!(self.text, "{} = lambda.letrec {{", list.join(", ")).unwrap();
        for (_, member, lam) in &members {
            let f = self.function(lam, &scope);
            // The function was emitted under a different name.
            self.text =
                self.text.replace(&format!("{} = lambda.lambda", f.name), &format!("{} = lambda.lambda", member.name));
        }
        let (names, types): (Vec<&str>, Vec<&str>) =
            members.iter().map(|(_, m, _)| (m.name.as_str(), m.ty.as_str())).unzip();
        writeln!(self.text, "lambda.yield {} : {}\n}} : {}", names.join(", "), types.join(", "), types.join(", "))
            .unwrap();
        for ((name, ..), result) in members.into_iter().zip(results) {
            scope.insert(name, result);
        }
        self.term(&parts[1], &scope)
    }

    fn grad(&mut self, value: bool, parts: &[Term], scope: &Scope) -> Name {
        let (index, arity, f) = match parts {
            [f] => ("0", "1", f),
            [index, arity, f] => (index.word(), arity.word(), f),
            _ => panic!("expected a function to be differentiated: {parts:?}"),
        };
        let f = self.term(f, scope);
        let value = if value { ", value" } else { "" };
        self.op("grad", &[f], &format!(" {{wrt = array<i64: {index}>, arity = {arity} : i64{value}}}"))
    }

    /// Emits `(for i n ((x e0) ...) (next e ...) result)` and `(while ((x e0) ...) cond (next e ...) result)`.
    fn repeat(&mut self, head: &str, parts: &[Term], scope: &Scope) -> Name {
        let counted = head == "for";
        let n = counted.then(|| self.term(&parts[1], scope));
        let rest = if counted { &parts[2..] } else { parts };
        let bindings: Vec<&[Term]> = rest[0].list().iter().map(Term::list).collect();
        let inits: Vec<Name> = bindings.iter().map(|b| self.term(&b[1], scope)).collect();
        let results: Vec<Name> = bindings.iter().map(|_| self.open()).collect();
        let enter = |it: &mut Writer| {
            let names: Vec<Name> = bindings.iter().map(|_| it.open()).collect();
            let mut inner = scope.clone();
            inner.extend(bindings.iter().map(|b| b[0].word().to_string()).zip(names.iter().cloned()));
            (names, inner)
        };
        let list = |of: &[Name]| of.iter().map(|v| v.name.clone()).collect::<Vec<_>>().join(", ");
        let types = |of: &[Name]| of.iter().map(|v| v.ty.clone()).collect::<Vec<_>>().join(", ");
        let pairs = |a: &[Name], b: &[Name]| {
            a.iter().zip(b).map(|(a, b)| format!("{} = {}", a.name, b.name)).collect::<Vec<_>>().join(", ")
        };
        let (names, mut inner) = enter(self);
        let (head, given) = (list(&results), types(&results));
        if let Some(n) = n {
            let i = self.open();
            inner.insert(parts[0].word().to_string(), i.clone());
            writeln!(
                self.text,
                "{head} = lambda.for ({} < {}) iter_args({}) : ({ANY}, {}) -> ({given}) {{",
                i.name,
                n.name,
                pairs(&names, &inits),
                types(&inits)
            )
            .unwrap();
            self.next(&rest[1], &inner);
        } else {
            let text = format!(
                "{head} = lambda.while iter_args({}) : ({}) -> ({given}) {{",
                pairs(&names, &inits),
                types(&inits)
            );
            writeln!(self.text, "{text}").unwrap();
            let c = self.term(&rest[1], &inner);
            writeln!(self.text, "lambda.yield {} : {}", c.name, c.ty).unwrap();
            let (names, inner) = enter(self);
            writeln!(self.text, "}} do ({}) {{", list(&names)).unwrap();
            self.next(&rest[2], &inner);
        }
        self.text += "}\n";
        let mut after = scope.clone();
        after.extend(bindings.iter().map(|b| b[0].word().to_string()).zip(results));
        self.term(rest.last().expect("a result"), &after)
    }

    fn next(&mut self, term: &Term, scope: &Scope) {
        let values = self.terms(&term.list()[1..], scope);
        let names: Vec<&str> = values.iter().map(|v| v.name.as_str()).collect();
        let types: Vec<&str> = values.iter().map(|v| v.ty.as_str()).collect();
        writeln!(self.text, "lambda.yield {} : {}", names.join(", "), types.join(", ")).unwrap();
    }
}
