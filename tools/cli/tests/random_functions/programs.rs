//! A generator of random well-typed programs in the notation of functional programs: functions from floats to a float.
//!
//! Every program terminates without an error for all inputs, and is differentiable except at kinks. All floats are
//! between -1 and 1 if the inputs are, and so are results of functions if their arguments are. All integers are between
//! 0 and 5, lists and arrays have the length of their type, and recursion counts down.

use mlopt_cases::Random;
use std::collections::BTreeSet;

/// The size of generated programs.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The approximate number of terms.
    pub terms: usize,
    /// The maximum number of gradients in the program.
    pub gradients: usize,
}

pub struct Program {
    /// The term `(lam (x …) e)`.
    pub term: String,
    /// The number of inputs, all `f64`.
    pub inputs: usize,
    /// The kinds of terms in it.
    pub kinds: BTreeSet<&'static str>,
}

/// Generates the program of a seed.
pub fn program(seed: u64, size: Size) -> Program {
    let mut g = Generator {
        random: Random::new(seed),
        scope: vec![],
        fresh: 0,
        repeats: (2 + size.terms / 15).min(6),
        gradients: size.gradients,
        kinds: BTreeSet::new(),
    };
    let inputs = 1 + g.below(3);
    let names = ["x", "y", "z"][..inputs].to_vec();
    g.scope.extend(names.iter().map(|name| (name.to_string(), Ty::Float)));
    let body = g.term(&Ty::Float, size.terms);
    Program { term: format!("(lam ({}) {body})", names.join(" ")), inputs, kinds: g.kinds }
}

/// Generates inputs for a program, away from -1, 0 and 1.
pub fn point(seed: u64, inputs: usize) -> Vec<f64> {
    let mut random = Random::new(seed ^ 0x90_1e75);
    let one = |_| {
        let unit = random.unit();
        let x = 0.05 + 0.9 * unit;
        if random.below(2) == 0 { x } else { -x }
    };
    (0..inputs).map(one).collect()
}

#[derive(Clone, Debug, PartialEq)]
enum Ty {
    Float,
    Int,
    Tuple(Vec<Ty>),
    /// A record `P` of two floats, `u` and `v`.
    Record,
    /// A list of at least one float, with its length.
    List(usize),
    /// An array of at least one float, with its length.
    Array(usize),
    Function(Vec<Ty>, Box<Ty>),
    /// The type of a recursive function that only its own code may call.
    Hidden,
}

impl Ty {
    fn function(inputs: &[Ty], result: Ty) -> Ty {
        Ty::Function(inputs.to_vec(), Box::new(result))
    }
}

/// Names that are bound repeatedly.
const NAMES: [&str; 8] = ["x", "y", "z", "f", "g", "k", "t", "max"];
/// The maximum length of lists and arrays.
const LONGEST: usize = 4;

struct Generator {
    random: Random,
    /// The variables, innermost last; a name shadows previous ones.
    scope: Vec<(String, Ty)>,
    fresh: usize,
    /// The number of terms that may still repeat others. A term within all of them is evaluated at most 5 to the power
    /// of their number.
    repeats: usize,
    gradients: usize,
    kinds: BTreeSet<&'static str>,
}

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        self.random.one_of(all)
    }

    fn has(&mut self, kind: &'static str) {
        self.kinds.insert(kind);
    }

    /// Decides whether a term may repeat another.
    fn repeat(&mut self) -> bool {
        let may = self.repeats > 0;
        self.repeats -= usize::from(may);
        may
    }

    /// Returns the size of each of `n` parts of a term.
    fn part(&mut self, size: usize, n: usize) -> usize {
        let fair = size.saturating_sub(1) / n.max(1);
        fair.saturating_sub(self.below(2))
    }

    fn name(&mut self) -> String {
        if self.below(4) == 0 {
            return self.one_of(&NAMES).to_string();
        }
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    /// Returns distinct names.
    fn names(&mut self, n: usize) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        while names.len() < n {
            let name = self.name();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Runs `f` with more variables in scope.
    fn within<T>(&mut self, variables: &[(String, Ty)], f: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.scope.len();
        self.scope.extend(variables.iter().cloned());
        let made = f(self);
        self.scope.truncate(outside);
        made
    }

    /// Returns a variable that satisfies `fits`; recent ones are more likely.
    fn variable(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<(String, Ty)> {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut all: Vec<(String, Ty)> = vec![];
        for (name, ty) in self.scope.iter().rev() {
            if seen.insert(name) && fits(ty) {
                all.push((name.clone(), ty.clone()));
            }
        }
        if all.is_empty() {
            return None;
        }
        let (a, b) = (self.below(all.len()), self.below(all.len()));
        Some(all.swap_remove(a.min(b)))
    }

    /// Checks that no variable shadows a primitive.
    fn is_free(&self, name: &str) -> bool {
        self.scope.iter().all(|(n, _)| n != name)
    }

    fn ty(&mut self, depth: usize) -> Ty {
        let choice = if depth == 0 { self.below(6) } else { self.below(13) };
        match choice {
            0..=3 => Ty::Float,
            4 => Ty::Int,
            5 => Ty::Array(1 + self.below(LONGEST)),
            6 => Ty::List(1 + self.below(LONGEST)),
            7 => Ty::Record,
            8 | 9 => {
                let n = 1 + self.below(3);
                Ty::Tuple((0..n).map(|_| self.ty(depth - 1)).collect())
            }
            _ => {
                let n = self.below(3);
                let inputs = (0..n).map(|_| self.ty(depth - 1)).collect();
                Ty::Function(inputs, Box::new(self.ty(depth - 1)))
            }
        }
    }

    fn literal(&mut self) -> String {
        format!("{:?}", (self.below(15) as f64 - 7.0) / 8.0)
    }

    /// Generates the smallest term of a type.
    fn leaf(&mut self, ty: &Ty) -> String {
        if let Some((name, _)) = self.variable(|t| t == ty) {
            return name;
        }
        match ty {
            Ty::Float => self.literal(),
            Ty::Int => self.below(5).to_string(),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|t| self.leaf(t)).collect();
                format!("(tuple {})", parts.join(" "))
            }
            Ty::Record => format!("(record P (u {}) (v {}))", self.leaf(&Ty::Float), self.leaf(&Ty::Float)),
            Ty::List(n) => self.list(*n, 0),
            Ty::Array(n) => format!("(toarray {})", self.list(*n, 0)),
            Ty::Function(inputs, result) => self.lambda(inputs, result, 0),
            Ty::Hidden => unreachable!("a hidden type is never requested"),
        }
    }

    fn list(&mut self, n: usize, size: usize) -> String {
        let values: Vec<String> = (0..n).map(|_| self.term(&Ty::Float, size)).collect();
        format!("(list {})", values.join(" "))
    }

    fn lambda(&mut self, inputs: &[Ty], result: &Ty, size: usize) -> String {
        let names = self.names(inputs.len());
        let parameters: Vec<(String, Ty)> = names.iter().cloned().zip(inputs.iter().cloned()).collect();
        let body = self.within(&parameters, |g| g.term(result, size));
        format!("(lam ({}) {body})", names.join(" "))
    }

    fn float(&mut self, size: usize) -> String {
        self.term(&Ty::Float, size)
    }

    /// Generates a term of a type.
    fn term(&mut self, ty: &Ty, size: usize) -> String {
        if size <= 1 {
            return self.leaf(ty);
        }
        if self.below(8) == 0
            && let Some((name, _)) = self.variable(|t| t == ty)
        {
            return name;
        }
        match self.below(20) {
            0 | 1 => self.bindings(ty, size),
            2 => self.choice(ty, size),
            3 | 4 | 10 => self.call(ty, size),
            5 => self.twice(ty, size),
            6 if self.repeat() => self.recursion(ty, size),
            7 if self.repeat() => self.counted(ty, size),
            8 if self.repeat() => self.conditioned(ty, size),
            9 => self.projection(ty, size),
            _ => self.construct(ty, size),
        }
    }

    fn bindings(&mut self, ty: &Ty, size: usize) -> String {
        self.has("let");
        let n = 1 + self.below(3);
        let outside = self.scope.len();
        let mut bindings = vec![];
        for _ in 0..n {
            // Functions that can be called.
            let bound = match (self.below(2), self.ty(2)) {
                (0, Ty::Function(inputs, _)) => Ty::function(&inputs, ty.clone()),
                (0, other) => Ty::function(&[other], Ty::Float),
                (_, other) => other,
            };
            let part = self.part(size / 2, n);
            let value = self.term(&bound, part);
            let name = self.name();
            bindings.push(format!("({name} {value})"));
            self.scope.push((name, bound));
        }
        let body = self.term(ty, size / 2);
        self.scope.truncate(outside);
        format!("(let ({}) {body})", bindings.join(" "))
    }

    fn condition(&mut self, size: usize) -> String {
        match self.below(6) {
            // The limits are unlikely points of differentiation.
            0..=2 => {
                let (compare, limit) =
                    (self.one_of(&["<", "<=", ">", ">="]), self.one_of(&["0.137", "-0.261", "0.0413"]));
                format!("({compare} {} {limit})", self.float(size))
            }
            3 => format!("(i< {} 2)", self.term(&Ty::Int, size)),
            4 => format!("(not (i= {} 1))", self.term(&Ty::Int, size)),
            _ => {
                let (both, part) = (self.one_of(&["and", "or"]), size / 2);
                format!("({both} {} {})", self.condition(part), self.condition(part))
            }
        }
    }

    fn choice(&mut self, ty: &Ty, size: usize) -> String {
        self.has(if matches!(ty, Ty::Function(..)) { "if of functions" } else { "if" });
        let part = self.part(size, 3);
        format!("(if {} {} {})", self.condition(part), self.term(ty, part), self.term(ty, part))
    }

    fn arguments(&mut self, inputs: &[Ty], size: usize) -> String {
        inputs.iter().map(|t| format!(" {}", self.term(t, size))).collect()
    }

    /// Generates a call of a variable, of the result of a call, or of a lambda.
    fn call(&mut self, ty: &Ty, size: usize) -> String {
        if let Some((name, Ty::Function(inputs, _))) =
            self.variable(|t| matches!(t, Ty::Function(_, result) if **result == *ty))
        {
            self.has("call of a variable");
            let part = self.part(size, inputs.len());
            return format!("({name}{})", self.arguments(&inputs, part));
        }
        self.has("call of a term");
        let n = self.below(3);
        let inputs: Vec<Ty> = (0..n).map(|_| self.ty(1)).collect();
        let part = self.part(size, n + 1);
        let f = self.term(&Ty::function(&inputs, ty.clone()), part + 1);
        format!("({f}{})", self.arguments(&inputs, part))
    }

    /// Generates a function of functions, for any type.
    fn twice(&mut self, ty: &Ty, size: usize) -> String {
        self.has("twice");
        let part = self.part(size, 2);
        let f = self.term(&Ty::function(std::slice::from_ref(ty), ty.clone()), part);
        format!("((lam (f a) (f (f a))) {f} {})", self.term(ty, part))
    }

    /// Generates a recursive function, or two mutually recursive ones, that count down.
    fn recursion(&mut self, ty: &Ty, size: usize) -> String {
        let part = self.part(size, 4);
        let carried = self.ty(1);
        let names = self.names(5);
        let [go, other, k, a, r] = [0, 1, 2, 3, 4].map(|n| names[n].clone());
        let is_mutual = self.below(3) == 0;
        let mut inside = vec![(go.clone(), Ty::Hidden), (k.clone(), Ty::Int), (a.clone(), carried.clone())];
        inside.extend(is_mutual.then(|| (other.clone(), Ty::Hidden)));
        self.has(if is_mutual { "mutual recursion" } else { "recursion" });
        let mut members = vec![];
        for (name, next) in [(&go, if is_mutual { &other } else { &go }), (&other, &go)] {
            let base = self.within(&inside, |g| g.term(ty, part));
            let again = self.within(&inside, |g| format!("({next} (i- {k} 1) {})", g.term(&carried, part)));
            let step = if self.below(3) == 0 {
                again
            } else {
                let with_result = [&inside[..], &[(r.clone(), ty.clone())]].concat();
                format!("(let (({r} {again})) {})", self.within(&with_result, |g| g.term(ty, part)))
            };
            members.push(format!("({name} (lam ({k} {a}) (if (i< {k} 1) {base} {step})))"));
            if !is_mutual {
                break;
            }
        }
        let (count, first) = (self.term(&Ty::Int, part), self.term(&carried, part));
        // The arguments are evaluated in the scope of the functions, whose names must not shadow variables in them.
        format!("((lam ({k} {a}) (letrec ({}) ({go} {k} {a}))) {count} {first})", members.join(" "))
    }

    fn counted(&mut self, ty: &Ty, size: usize) -> String {
        self.has("for");
        let n = 1 + self.below(2);
        let part = self.part(size, 2 * n + 2);
        let types: Vec<Ty> = (0..n).map(|_| self.ty(1)).collect();
        let names = self.names(n + 1);
        let (count, carried) = (self.term(&Ty::Int, part), self.carried(&names[1..], &types, part));
        let mut inside: Vec<(String, Ty)> = names[1..].iter().cloned().zip(types.iter().cloned()).collect();
        let result = self.within(&inside, |g| g.term(ty, part));
        inside.push((names[0].clone(), Ty::Int));
        let next: String = self.within(&inside, |g| g.arguments(&types, part));
        format!("(for {} {count} ({carried}) (next{next}) {result})", names[0])
    }

    /// Generates `(x e0) …`.
    fn carried(&mut self, names: &[String], types: &[Ty], size: usize) -> String {
        let one = |(name, ty): (&String, &Ty)| format!("({name} {})", self.term(ty, size));
        names.iter().zip(types).map(one).collect::<Vec<_>>().join(" ")
    }

    fn conditioned(&mut self, ty: &Ty, size: usize) -> String {
        self.has("while");
        let part = self.part(size, 4);
        let carried = self.ty(1);
        let names = self.names(2);
        let (k, a) = (&names[0], &names[1]);
        let first = self.carried(&names, &[Ty::Int, carried.clone()], part);
        let inside = [(k.clone(), Ty::Int), (a.clone(), carried.clone())];
        let (next, result) = self.within(&inside, |g| (g.term(&carried, part), g.term(ty, part)));
        format!("(while ({first}) (i< 0 {k}) (next (i- {k} 1) {next}) {result})")
    }

    /// Generates a component of a tuple.
    fn projection(&mut self, ty: &Ty, size: usize) -> String {
        self.has(if matches!(ty, Ty::Function(..)) { "function in a tuple" } else { "get" });
        let n = 1 + self.below(2);
        let at = self.below(n + 1);
        let mut parts: Vec<Ty> = (0..n).map(|_| self.ty(1)).collect();
        parts.insert(at, ty.clone());
        format!("(get {at} {})", self.term(&Ty::Tuple(parts), size - 1))
    }

    fn construct(&mut self, ty: &Ty, size: usize) -> String {
        match ty {
            Ty::Float => self.number(size),
            Ty::Int => {
                let part = self.part(size, 2);
                match self.below(4) {
                    0 => format!("(imod (i+ {} {}) 5)", self.term(&Ty::Int, part), self.term(&Ty::Int, part)),
                    1 => format!("(idiv2 {})", self.term(&Ty::Int, part)),
                    2 => {
                        let n = 1 + self.below(LONGEST);
                        format!("(length {})", self.term(&Ty::List(n), part))
                    }
                    _ => self.below(6).to_string(),
                }
            }
            Ty::Tuple(parts) => {
                self.has("tuple");
                let part = self.part(size, parts.len());
                format!("(tuple{})", self.arguments(parts, part))
            }
            Ty::Record => {
                self.has("record");
                let part = self.part(size, 2);
                match self.below(3) {
                    0 => format!("(with {} (v {}))", self.term(&Ty::Record, part), self.float(part)),
                    1 => {
                        let f = self.term(&Ty::function(&[Ty::Float], Ty::Float), part);
                        format!("(walk {f} {})", self.term(&Ty::Record, part))
                    }
                    _ => format!("(record P (u {}) (v {}))", self.float(part), self.float(part)),
                }
            }
            Ty::List(n) => self.make_list(*n, size),
            Ty::Array(n) => self.make_array(*n, size),
            Ty::Function(inputs, result) => self.make_function(inputs, result, size),
            Ty::Hidden => unreachable!("a hidden type is never requested"),
        }
    }

    fn make_list(&mut self, n: usize, size: usize) -> String {
        self.has("list");
        let part = self.part(size, 2);
        match self.below(5) {
            0 if self.repeat() => {
                self.has("maplist");
                let f = self.term(&Ty::function(&[Ty::Float], Ty::Float), part);
                format!("(maplist {f} {})", self.term(&Ty::List(n), part))
            }
            1 if n > 1 => format!("(cons {} {})", self.float(part), self.term(&Ty::List(n - 1), part)),
            2 if n < LONGEST => format!("(tail {})", self.term(&Ty::List(n + 1), part)),
            3 => format!("(tolist {})", self.term(&Ty::Array(n), part)),
            _ => {
                let part = self.part(size, n);
                self.list(n, part)
            }
        }
    }

    fn make_array(&mut self, n: usize, size: usize) -> String {
        self.has("array");
        let (part, same) = (self.part(size, 2), Ty::Array(n));
        match self.below(8) {
            0 if self.repeat() => {
                self.has("map");
                let f = self.term(&Ty::function(&[Ty::Float], Ty::Float), part);
                format!("(map {f} {})", self.term(&same, part))
            }
            1 if self.repeat() => {
                self.has("map2");
                let f = self.term(&Ty::function(&[Ty::Float, Ty::Float], Ty::Float), part);
                let part = part / 2;
                format!("(map2 {f} {} {})", self.term(&same, part), self.term(&same, part))
            }
            2 => format!("(* {} {})", self.term(&same, part), self.term(&same, part)),
            3 => format!("(scale {} {})", self.float(part), self.term(&same, part)),
            4 => {
                let at = self.below(n);
                format!("(aset {} {at} {})", self.term(&same, part), self.float(part))
            }
            5 => format!("({} {})", self.one_of(&["sin", "tanh", "cos"]), self.term(&same, part)),
            6 => format!("(fill {} {})", self.float(part), self.term(&same, part)),
            _ => format!("(toarray {})", self.term(&Ty::List(n), size - 1)),
        }
    }

    fn make_function(&mut self, inputs: &[Ty], result: &Ty, size: usize) -> String {
        let part = self.part(size, 2);
        match (inputs, result, self.below(6)) {
            ([Ty::Float], Ty::Float, 0) => {
                self.has("primitive as a value");
                self.one_of(&["sin", "cos", "tanh", "neg", "relu"]).into()
            }
            ([Ty::Float, Ty::Float], Ty::Float, 0) if self.is_free("max") => {
                self.has("primitive as a value");
                self.one_of(&["*", "max"]).into()
            }
            ([input], _, 1) => {
                self.has("compose");
                let between = self.ty(0);
                let f = self.term(&Ty::function(std::slice::from_ref(&between), result.clone()), part);
                format!("(compose {f} {})", self.term(&Ty::function(std::slice::from_ref(input), between), part))
            }
            _ => {
                self.has(if matches!(result, Ty::Function(..)) { "function that gives a function" } else { "lam" });
                self.lambda(inputs, result, size - 1)
            }
        }
    }

    /// Generates a float between -1 and 1.
    fn number(&mut self, size: usize) -> String {
        let part = self.part(size, 2);
        match self.below(24) {
            0 | 1 => {
                format!("({} {})", self.one_of(&["sin", "cos", "tanh", "sigmoid", "neg", "relu"]), self.float(size - 1))
            }
            2 | 3 => format!("(* {} {})", self.float(part), self.float(part)),
            4 | 5 => format!("(* 0.5 ({} {} {}))", self.one_of(&["+", "-"]), self.float(part), self.float(part)),
            6 => format!("(/ {} (+ 2.0 {}))", self.float(part), self.float(part)),
            7 => format!("(exp (- {} 1.0))", self.float(size - 1)),
            8 => format!("(log (+ 1.5 {}))", self.float(size - 1)),
            9 => format!("(* 0.6 (sqrt (+ 1.25 {})))", self.float(size - 1)),
            10 => {
                let n = self.below(4);
                format!("(powi {} {n})", self.float(size - 1))
            }
            11 if self.is_free("max") => format!("(max {} {})", self.float(part), self.float(part)),
            12 => format!("(* 0.2 (itof {}))", self.term(&Ty::Int, size - 1)),
            13 => {
                let n = 1 + self.below(LONGEST);
                let (scale, array) = (1.0 / n as f64, Ty::Array(n));
                match self.below(3) {
                    0 => format!("(* {scale:?} (sum {}))", self.term(&array, size - 1)),
                    1 => format!("(* {scale:?} (dot {} {}))", self.term(&array, part), self.term(&array, part)),
                    _ => {
                        let at = self.below(n);
                        format!("(aget {} {at})", self.term(&array, size - 1))
                    }
                }
            }
            14 | 15 if self.repeat() => {
                self.has("fold");
                let n = 1 + self.below(LONGEST);
                let part = self.part(size, 3);
                let f = self.term(&Ty::function(&[Ty::Float, Ty::Float], Ty::Float), part);
                format!("(fold {f} {} {})", self.float(part), self.term(&Ty::List(n), part))
            }
            16 => {
                let n = 1 + self.below(LONGEST);
                format!("(head {})", self.term(&Ty::List(n), size - 1))
            }
            17 => format!("(field {} {})", self.one_of(&["u", "v"]), self.term(&Ty::Record, size - 1)),
            18 | 19 if self.gradients > 0 => self.gradient(size),
            20 => format!("(* 0.25 (pow (+ 1.0 {}) 2.0))", self.float(size - 1)),
            21 | 22 => self.listed_functions(size),
            23 if self.repeat() => self.chain(size),
            _ => self.call(&Ty::Float, size),
        }
    }

    /// Generates a call of one function of a list, or of all in sequence.
    fn listed_functions(&mut self, size: usize) -> String {
        let n = 1 + self.below(3);
        let part = self.part(size, n + 1);
        let one = Ty::function(&[Ty::Float], Ty::Float);
        let functions: Vec<String> = (0..n).map(|_| self.term(&one, part)).collect();
        let list = format!("(list {})", functions.join(" "));
        let argument = self.float(part);
        if self.below(2) == 0 {
            self.has("function in a list");
            let at = self.below(n);
            return format!("((head {}{list}{}) {argument})", "(tail ".repeat(at), ")".repeat(at));
        }
        self.has("fold over functions");
        let names = self.names(2);
        let (a, f) = (&names[0], &names[1]);
        format!("(fold (lam ({a} {f}) ({f} {a})) {argument} {list})")
    }

    /// Generates a chain of closures, each of which captures the previous one; a count determines its length.
    fn chain(&mut self, size: usize) -> String {
        self.has("recursion through closures");
        let part = self.part(size, 5);
        let names = self.names(4);
        let [go, k, f, u] = [0, 1, 2, 3].map(|n| names[n].clone());
        // Each closure calls the previous one once, so a call of the last one calls each once.
        let around = [(go.clone(), Ty::Hidden), (k.clone(), Ty::Int), (f.clone(), Ty::Hidden)];
        let inside = [&around[..], &[(u.clone(), Ty::Float)]].concat();
        let next = self.within(&inside, |g| format!("(* {} ({f} {}))", g.float(part), g.float(part)));
        let last = self.within(&around, |g| format!("({f} {})", g.float(part)));
        let count = self.term(&Ty::Int, part);
        let first = self.term(&Ty::function(&[Ty::Float], Ty::Float), part);
        let step = format!("({go} (i- {k} 1) (lam ({u}) {next}))");
        let member = format!("({go} (lam ({k} {f}) (if (i< {k} 1) {last} {step})))");
        format!("((lam ({k} {f}) (letrec ({member}) ({go} {k} {f}))) {count} {first})")
    }

    fn gradient(&mut self, size: usize) -> String {
        self.has("grad");
        self.gradients -= 1;
        let part = self.part(size, 2);
        match self.below(3) {
            0 => {
                let f = self.term(&Ty::function(&[Ty::Float], Ty::Float), part);
                format!("(tanh ((grad {f}) {}))", self.float(part))
            }
            1 => {
                let f = self.term(&Ty::function(&[Ty::Float], Ty::Float), part);
                format!("(tanh (get 1 ((vgrad {f}) {})))", self.float(part))
            }
            _ => {
                let f = self.term(&Ty::function(&[Ty::Float, Ty::Float], Ty::Float), part);
                let (wrt, part) = (self.below(2), part / 2);
                format!("(tanh ((grad {wrt} 2 {f}) {} {}))", self.float(part), self.float(part))
            }
        }
    }
}
