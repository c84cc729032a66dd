//! A textual notation of terms, for tests: `(sum i 5 (* (get a i) x))`.
//!
//! The variables are vectors `a`, `b` (of size 5) and `v` (of dynamic size), a matrix `m` (5 × 5), floats `x`, `y`,
//! `z`, indices `n`, `p`, a condition `c`, and a 32-bit integer `k`. Floats are written with a point. Operators with
//! bound variables are `(build i n e)`, `(sum i n e)`, `(prod i n e)`, `(fold i n k (s init body) ...)` for component
//! k, and `(scatter init ((i n) ...) (position ...) e)`. Flags follow an operator: `*!r` (reassoc), `*!f` (nnan, ninf,
//! nsz), `+!n` (nnan), `+!i` (ninf), `+!s` (nsz), `/!a` (arcp), `exp!m` (afn); also several: `+!rs`.

use egg::Id;
use mlopt_dialects::value::Element;
use mlopt_passes::optimise::terms::eval::Value;
use mlopt_passes::optimise::terms::prim::{EQ, NE, Prim, SGE, SGT, SLE, SLT, Scalar};
use mlopt_passes::optimise::terms::{Flags, Op, Pool, Reduction};
use std::collections::HashMap;

pub struct Text {
    pub pool: Pool,
    leaves: HashMap<String, Id>,
    /// The names in scope, outermost first: the term for each at its own depth, and that depth.
    names: Vec<(String, Id, u32)>,
    depth: u32,
    /// The sizes by leaf number.
    pub shapes: Vec<(Element, Vec<usize>)>,
}

impl Text {
    pub fn new() -> Text {
        Text::sized(5)
    }

    /// Creates the text with `size` for the lengths of `a`, `b` and `m`.
    pub fn sized(size: usize) -> Text {
        let n = size as u64;
        let mut t = Text { pool: Pool::new(), leaves: HashMap::new(), names: vec![], depth: 0, shapes: vec![] };
        /// The name, element, static sizes, and sizes in samples.
        type Input<'s> = (&'static str, Element, &'s [Option<u64>], &'s [usize]);
        let inputs: [Input; 11] = [
            ("a", Element::F64, &[Some(n)], &[size]),
            ("b", Element::F64, &[Some(n)], &[size]),
            ("v", Element::F64, &[None], &[4]),
            ("m", Element::F64, &[Some(n), Some(n)], &[size, size]),
            ("x", Element::F64, &[], &[]),
            ("y", Element::F64, &[], &[]),
            ("z", Element::F64, &[], &[]),
            ("n", Element::Index, &[], &[]),
            ("p", Element::Index, &[], &[]),
            ("c", Element::I1, &[], &[]),
            ("k", Element::I32, &[], &[]),
        ];
        for (name, element, shape, size) in inputs {
            let leaf = t.pool.leaf(element, shape.to_vec());
            t.leaves.insert(name.to_string(), leaf);
            t.shapes.push((element, size.to_vec()));
        }
        t
    }

    pub fn term(&mut self, source: &str) -> Id {
        let spaced = source.replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let mut at = 0;
        let t = self.parse(&words, &mut at);
        assert_eq!(at, words.len(), "one term: {source}");
        t
    }

    fn parse(&mut self, words: &[&str], at: &mut usize) -> Id {
        let word = words[*at];
        *at += 1;
        if word != "(" {
            return self.atom(word);
        }
        let head = words[*at];
        *at += 1;
        let t = match head {
            "build" | "sum" | "sum!r" | "sum!s" | "prod" => {
                let name = words[*at];
                *at += 1;
                let n = self.parse(words, at);
                let i = self.pool.bound_ix(n);
                self.depth += 1;
                self.names.push((name.to_string(), i, self.depth));
                let body = self.parse(words, at);
                self.names.pop();
                self.depth -= 1;
                match head {
                    "build" => self.pool.build(n, body),
                    "sum" => self.pool.sum(n, body),
                    "sum!r" => self.pool.add(Op::Reduce(Reduction::Sum, Flags::REASSOC), [n, body]),
                    "sum!s" => self.pool.add(Op::Reduce(Reduction::Sum, Flags::NSZ), [n, body]),
                    _ => self.pool.add(Op::Reduce(Reduction::Prod, Flags::NONE), [n, body]),
                }
            }
            "fold" => self.fold(words, at),
            "scatter" => self.scatter(words, at),
            _ => {
                let mut args = Vec::new();
                while words[*at] != ")" {
                    args.push(self.parse(words, at));
                }
                self.operator(head, &args)
            }
        };
        assert_eq!(words[*at], ")", "the end of {head}");
        *at += 1;
        t
    }

    /// Parses `(scatter init ((i n) ...) (position ...) e)`.
    fn scatter(&mut self, words: &[&str], at: &mut usize) -> Id {
        let init = self.parse(words, at);
        *at += 1;
        let (mut names, mut extents) = (vec![], vec![]);
        while words[*at] == "(" {
            names.push(words[*at + 1]);
            *at += 2;
            extents.push(self.parse(words, at));
            *at += 1;
        }
        *at += 1;
        let k = names.len();
        self.depth += k as u32;
        for (axis, name) in names.iter().enumerate() {
            let extent = self.pool.shift(extents[axis], 0, k as i64);
            let i = self.pool.ix((k - 1 - axis) as u32, extent);
            self.names.push((name.to_string(), i, self.depth));
        }
        *at += 1;
        let mut positions = vec![];
        while words[*at] != ")" {
            positions.push(self.parse(words, at));
        }
        *at += 1;
        let e = self.parse(words, at);
        self.names.truncate(self.names.len() - k);
        self.depth -= k as u32;
        self.pool.scatter(init, &extents, &positions, e)
    }

    fn fold(&mut self, words: &[&str], at: &mut usize) -> Id {
        let index = words[*at];
        *at += 1;
        let n = self.parse(words, at);
        let k: u32 = words[*at].parse().expect("a component");
        *at += 1;
        // Inits and names come first, because bodies see all states.
        let (mut names, mut inits, mut starts) = (vec![], vec![], vec![]);
        let mut look = *at;
        while words[look] == "(" {
            names.push(words[look + 1]);
            look += 2;
            inits.push(self.parse(words, &mut look));
            starts.push(look);
            let mut open = 1;
            while open > 0 {
                open += i32::from(words[look] == "(") - i32::from(words[look] == ")");
                look += 1;
            }
        }
        let extent = self.pool.shift(n, 0, 2);
        let i = self.pool.ix(0, extent);
        self.depth += 2;
        for (k, name) in names.iter().enumerate() {
            let s = self.pool.state(inits[k], k as u32);
            self.names.push((name.to_string(), s, self.depth));
        }
        self.names.push((index.to_string(), i, self.depth));
        let bodies: Vec<Id> = starts.into_iter().map(|mut start| self.parse(words, &mut start)).collect();
        self.names.truncate(self.names.len() - names.len() - 1);
        self.depth -= 2;
        *at = look;
        self.pool.ifold(n, &inits, &bodies, k)
    }

    fn atom(&mut self, word: &str) -> Id {
        if let Some((_, t, depth)) = self.names.iter().rev().find(|(n, ..)| n == word).cloned() {
            return self.pool.shift(t, 0, (self.depth - depth) as i64);
        }
        if let Some(&t) = self.leaves.get(word) {
            return t;
        }
        match word {
            "zero" => self.pool.add(Op::Zero(Element::F64), []),
            "one" => self.pool.add(Op::One(Element::F64), []),
            "true" | "false" => self.pool.bool(word == "true"),
            _ if word.contains('.') => self.pool.float(Element::F64, word.parse().expect("a float")),
            _ => self.pool.index(word.parse().unwrap_or_else(|_| panic!("an unknown name: {word}"))),
        }
    }

    fn operator(&mut self, head: &str, args: &[Id]) -> Id {
        let (name, flags) = head.split_once('!').unwrap_or((head, ""));
        let bits = flags.chars().map(|c| match c {
            'r' => 1,
            'f' => 14,
            's' => 8,
            'n' => 2,
            'i' => 4,
            'a' => 16,
            'm' => 64,
            _ => panic!("an unknown flag in {head}"),
        });
        let flags = Flags(bits.sum());
        let p = match name {
            "+" => Prim::AddF,
            "-" => Prim::SubF,
            "*" => Prim::MulF,
            "/" => Prim::DivF,
            "neg" => Prim::NegF,
            "exp" => Prim::Exp,
            "log" => Prim::Log,
            "sqrt" => Prim::Sqrt,
            "pow" => Prim::PowF,
            "sin" => Prim::Sin,
            "max" => Prim::MaximumF,
            "fma" => Prim::Fma,
            "fpowi" => Prim::FPowI,
            "+i" => Prim::AddI,
            "-i" => Prim::SubI,
            "*i" => Prim::MulI,
            "/i" => Prim::DivSI,
            "maxi" => Prim::MaxSI,
            "div" => Prim::Div,
            "mod" => Prim::Mod,
            "and" => Prim::AndI,
            "xor" => Prim::XOrI,
            "eq" => Prim::CmpI(EQ),
            "ne" => Prim::CmpI(NE),
            "lt" => Prim::CmpI(SLT),
            "le" => Prim::CmpI(SLE),
            "gt" => Prim::CmpI(SGT),
            "ge" => Prim::CmpI(SGE),
            "less" => Prim::CmpF(4),
            "if" => return self.pool.cond(args[0], args[1], args[2]),
            "get" => return args[1..].iter().fold(args[0], |a, &i| self.pool.get(a, i)),
            "stack" => return self.pool.stack(args),
            "length" => return self.pool.add(Op::Dim(0), args),
            _ => panic!("an unknown operator: {head}"),
        };
        self.pool.prim(p, flags, args)
    }

    /// Returns the leaves with a name, in the order of their numbers.
    pub fn names_of_leaves(&self) -> Vec<(String, u32)> {
        let number = |t: &Id| if let Op::Leaf(n, ..) = self.pool.op(*t) { n } else { unreachable!("it is a leaf") };
        let mut all: Vec<(String, u32)> = self.leaves.iter().map(|(name, t)| (name.clone(), number(t))).collect();
        all.sort_by_key(|leaf| leaf.1);
        all
    }

    /// Returns values for the leaves, a different set for each sample.
    pub fn values(&self, sample: u64) -> impl Fn(u32) -> Value + 'static {
        let shapes = self.shapes.clone();
        move |leaf| {
            let (element, shape) = &shapes[leaf as usize];
            match element {
                Element::F64 => super::gradients::random(shape, leaf as u64 + 100 * sample),
                Element::I1 => Value::Scalar(Scalar::I((sample % 2) as i64)),
                _ => Value::Scalar(Scalar::I(((sample * 7 + leaf as u64 * 3) % 9) as i64 - 2)),
            }
        }
    }
}
