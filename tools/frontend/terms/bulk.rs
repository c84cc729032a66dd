//! Translation of terms on whole arrays, without bound variables: indexing, reductions, shapes, choices, products.

use super::common::elements_of;
use super::scope::Import;
use super::value::{Leaf, Type, Typed, Value};
use crate::definitions::operands;
use crate::mlir::list;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::value::Element;

type Outcome = Result<Value, Problem>;

impl Import {
    /// Imports a bulk term. Returns `None` if `head` is not one.
    pub fn bulk(&mut self, term: &Term, head: &str, rest: &[Term]) -> Result<Option<Value>, Problem> {
        let value = match head {
            "cond" => self.cond(term, rest),
            "select" => self.select(term, rest),
            "index" => {
                let [a, ix] = operands(term, rest, "(index a (i1..im))")?;
                let items = ix.list().ok_or_else(|| ix.expected("a list of indices"))?;
                self.get(a, items)
            }
            "get" => {
                let [a, i] = operands(term, rest, "(get a i)")?;
                self.get(a, std::slice::from_ref(i))
            }
            "length" => {
                let [a] = operands(term, rest, "(length a)")?;
                // The size is part of the type, so the ops that compute the array are removed.
                let mark = self.text().mark();
                let value = self.term(a)?;
                self.text().forget(mark);
                let n = self.outer(a, &value)?;
                Ok(Value::Leaf(Leaf::Int(n as i64)))
            }
            "sumOuter" | "maxOuter" | "minOuter" | "prodOuter" => self.reduction(term, head, rest),
            "argmaxOuter" | "argminOuter" => self.search(term, head, rest),
            "sum" => self.total(term, rest),
            "replicate" => {
                let [n, a] = operands(term, rest, "(replicate n a)")?;
                let n = self.size(n)?;
                let value = self.term(a)?;
                self.each(&value, |me, x| Ok(me.replicate(n, x)))
            }
            "tr" => self.transpose(term, rest),
            "reshape" => self.reshape(term, rest),
            "stack" => self.stack(term, rest),
            "append" => self.append(term, rest),
            "slice" => self.slice(term, rest),
            "reverse" => {
                let [a] = operands(term, rest, "(reverse a)")?;
                let value = self.term(a)?;
                self.outer(a, &value)?;
                self.each(&value, |me, x| Ok(me.op(format!("array.reverse {} : {}", x.id, x.ty), x.ty)))
            }
            "iota" => {
                let [n] = operands(term, rest, "(iota n)")?;
                let ty = Type::new(Element::Index, &[self.size(n)?]);
                Ok(self.op(format!("array.iota : {ty}"), ty))
            }
            "oneHot" => self.one_hot(term, rest),
            "dot" => self.dot(term, rest),
            "matmul" => self.matmul(term, rest),
            _ => return Ok(None),
        };
        value.map(Some)
    }

    /// Writes an op with one result.
    pub fn op(&mut self, right: String, ty: Type) -> Value {
        Value::typed(self.text().op(right), ty)
    }

    /// Applies `f` to each array of a value.
    pub fn each(&mut self, value: &Value, mut f: impl FnMut(&mut Import, Typed) -> Outcome) -> Outcome {
        let results = self.typed_leaves(value).into_iter().map(|x| f(self, x)).collect::<Result<Vec<_>, _>>()?;
        Ok(value.with(&mut results.into_iter()))
    }

    /// Returns the outermost size, which all arrays of a value must share.
    pub fn outer(&self, term: &Term, value: &Value) -> Result<usize, Problem> {
        let sizes: Vec<Option<usize>> = value.leaves().iter().map(|l| l.shape().first().copied()).collect();
        match sizes[0] {
            Some(n) if sizes.iter().all(|&s| s == Some(n)) => Ok(n),
            Some(n) => Err(term.error(format!("expected arrays of {n} rows, found {value}"))),
            None => Err(term.error(format!("expected an array with at least one axis, found {value}"))),
        }
    }

    pub fn same_length(&self, second: &Term, a: &Value, b: &Value) -> Result<(), Problem> {
        let n = self.outer(second, a)?;
        if self.outer(second, b)? == n {
            return Ok(());
        }
        Err(second.error(format!("expected an array of {n} rows, found {b}")))
    }

    /// Imports a conditional. Both branches are computed: the language is strict and all its terms are total. So the
    /// choice is a `select`, which `egg-optimize` may turn into a branch where that is cheaper; an `scf.if` could
    /// contain nothing but its two yields.
    fn cond(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [c, a, b] = operands(term, rest, "(cond c a b)")?;
        let condition = self.array(c)?;
        if condition.ty != Type::scalar(Element::I1) {
            return Err(c.error(format!("expected a condition of type i1, found {}", condition.ty)));
        }
        let (first, second) = (self.term(a)?, self.term(b)?);
        let shape = first.clone();
        let arms = self.unify(&[a, b], &[first, second])?;
        let chosen: Vec<Value> = arms[0]
            .iter()
            .zip(&arms[1])
            .map(|(x, y)| {
                self.op(format!("arith.select {}, {}, {} : {}", condition.id, x.id, y.id, x.ty), x.ty.clone())
            })
            .collect();
        Ok(shape.with(&mut chosen.into_iter()))
    }

    fn select(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [m, a, b] = operands(term, rest, "(select m a b)")?;
        let mask = self.array(m)?;
        if mask.ty.element != Element::I1 {
            return Err(m.error(format!("expected booleans, found {}", mask.ty)));
        }
        let (first, second) = (self.leaf(a)?, self.leaf(b)?);
        let element = self.common(&[&first, &second]);
        let leaves = [Leaf::Typed(mask), first, second];
        let terms = [m, a, b];
        let shape = self.shape_of(&terms, &leaves)?;
        let mask = self.spread(m, &leaves[0], &Type::new(Element::I1, &shape))?;
        let ty = Type::new(element, &shape);
        let x = self.spread(a, &leaves[1], &ty)?;
        let y = self.spread(b, &leaves[2], &ty)?;
        let types = if ty.rank() == 0 { format!("{ty}") } else { format!("{}, {ty}", mask.ty) };
        Ok(self.op(format!("arith.select {}, {}, {} : {types}", mask.id, x.id, y.id), ty))
    }

    fn get(&mut self, array: &Term, indices: &[Term]) -> Outcome {
        let value = self.term(array)?;
        let indices = indices.iter().map(|i| self.index(i)).collect::<Result<Vec<_>, _>>()?;
        if indices.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| {
            if x.ty.rank() < indices.len() {
                let text = format!("expected an array with at least {} axes, found {}", indices.len(), x.ty);
                return Err(array.error(text));
            }
            let ty = x.ty.after(indices.len());
            Ok(me.op(format!("array.get {}[{}] : ({}) -> {ty}", x.id, list(&indices), x.ty), ty))
        })
    }

    fn reduction(&mut self, term: &Term, head: &str, rest: &[Term]) -> Outcome {
        let [a] = operands(term, rest, "(sumOuter a)")?;
        let name = head.strip_suffix("Outer").expect("these heads end so");
        let x = self.numbers(a)?;
        let n = self.outer(a, &Value::typed(x.id, x.ty.clone()))?;
        if n == 0 && matches!(name, "max" | "min") {
            return Err(a.error(format!("`{head}` needs at least one row, found {}", x.ty)));
        }
        let ty = x.ty.after(1);
        Ok(self.op(format!("array.{name} {} : ({}) -> {ty}", x.id, x.ty), ty))
    }

    fn search(&mut self, term: &Term, head: &str, rest: &[Term]) -> Outcome {
        let [a] = operands(term, rest, "(argmaxOuter a)")?;
        let name = head.strip_suffix("Outer").expect("these heads end so");
        let x = self.numbers(a)?;
        if self.outer(a, &Value::typed(x.id, x.ty.clone()))? == 0 {
            return Err(a.error(format!("`{head}` needs at least one row, found {}", x.ty)));
        }
        let ty = x.ty.after(1).of(Element::Index);
        Ok(self.op(format!("array.{name} {} : ({}) -> {ty}", x.id, x.ty), ty))
    }

    fn total(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [a] = operands(term, rest, "(sum a)")?;
        let x = self.numbers(a)?;
        Ok(self.sum_leading(x.clone(), x.ty.rank()))
    }

    /// Sums over the first `n` axes; returns `x` itself if `n` is 0.
    pub fn sum_leading(&mut self, x: Typed, n: usize) -> Value {
        let axes: Vec<usize> = (0..n).collect();
        let ty = x.ty.after(n);
        match n {
            0 => Value::typed(x.id, x.ty),
            1 => self.op(format!("array.sum {} : ({}) -> {ty}", x.id, x.ty), ty),
            _ => self.op(format!("array.sum {} axes [{}] : ({}) -> {ty}", x.id, list(&axes), x.ty), ty),
        }
    }

    /// Imports a term that must be one array of numbers.
    fn numbers(&mut self, term: &Term) -> Result<Typed, Problem> {
        let x = self.array(term)?;
        if x.ty.element == Element::I1 {
            return Err(term.error(format!("expected numbers, found {}", x.ty)));
        }
        Ok(x)
    }

    pub fn replicate(&mut self, n: usize, x: Typed) -> Value {
        let ty = x.ty.within(&[n]);
        self.op(format!("array.replicate {} : ({}) -> {ty}", x.id, x.ty), ty)
    }

    fn transpose(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [axes, a] = operands(term, rest, "(tr (p0..pq) a)")?;
        let p = self.sizes(axes)?;
        let mut sorted = p.clone();
        sorted.sort_unstable();
        if sorted.iter().enumerate().any(|(k, &axis)| k != axis) {
            return Err(axes.error(format!("expected a permutation of 0 to {}, found {p:?}", p.len().max(1) - 1)));
        }
        let value = self.term(a)?;
        if p.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| {
            if x.ty.rank() < p.len() {
                return Err(a.error(format!("expected an array with at least {} axes, found {}", p.len(), x.ty)));
            }
            let p: Vec<usize> = p.iter().copied().chain(p.len()..x.ty.rank()).collect();
            let sizes: Vec<usize> = p.iter().map(|&j| x.ty.shape[j]).collect();
            let ty = Type::new(x.ty.element, &sizes);
            Ok(me.op(format!("array.transpose {} [{}] : ({}) -> {ty}", x.id, list(&p), x.ty), ty))
        })
    }

    fn reshape(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [sizes, a] = operands(term, rest, "(reshape (n1..) a)")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        self.each(&value, |me, x| {
            let (wanted, found) = (elements_of(&shape), elements_of(&x.ty.shape));
            if wanted != found {
                return Err(
                    a.error(format!("expected {wanted} elements for shape {shape:?}, found {found} in {}", x.ty))
                );
            }
            let ty = Type::new(x.ty.element, &shape);
            Ok(me.op(format!("array.reshape {} : ({}) -> {ty}", x.id, x.ty), ty))
        })
    }

    fn stack(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        if rest.is_empty() {
            return Err(term.error("expected (stack e1 .. en), found 0 operands"));
        }
        let values = rest.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
        let terms: Vec<&Term> = rest.iter().collect();
        let typed = self.unify(&terms, &values)?;
        let columns: Vec<Value> = (0..typed[0].len())
            .map(|k| {
                let ids: Vec<_> = typed.iter().map(|t| t[k].id).collect();
                let part = &typed[0][k].ty;
                let (ty, parts) = (part.within(&[ids.len()]), vec![part; ids.len()]);
                self.op(format!("array.stack {} : ({}) -> {ty}", list(&ids), list(&parts)), ty)
            })
            .collect();
        Ok(values[0].with(&mut columns.into_iter()))
    }

    fn append(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [a, b] = operands(term, rest, "(append a b)")?;
        let (first, second) = (self.term(a)?, self.term(b)?);
        if !second.is_like(&first) {
            return Err(b.error(format!("expected a value like {first}, found {second}")));
        }
        let (m, n) = (self.outer(a, &first)?, self.outer(b, &second)?);
        let pairs: Vec<(Typed, Typed)> =
            self.typed_leaves(&first).into_iter().zip(self.typed_leaves(&second)).collect();
        let mut results = vec![];
        for (x, y) in pairs {
            if y.ty.after(1) != x.ty.after(1) {
                return Err(b.error(format!("expected rows of type {}, found {}", x.ty.after(1), y.ty.after(1))));
            }
            let ty = x.ty.after(1).within(&[m + n]);
            let right = format!("array.append {}, {} : ({}, {}) -> {ty}", x.id, y.id, x.ty, y.ty);
            results.push(self.op(right, ty));
        }
        Ok(first.with(&mut results.into_iter()))
    }

    fn slice(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [s, l, a] = operands(term, rest, "(slice s l a)")?;
        let (start, length) = (self.size(s)?, self.size(l)?);
        let value = self.term(a)?;
        let n = self.outer(a, &value)?;
        if start.saturating_add(length) > n {
            return Err(term.error(format!("expected at least {} rows, found {value}", start.saturating_add(length))));
        }
        let start = self.literal(&Leaf::Int(start as i64), &Type::scalar(Element::Index)).id;
        self.each(&value, |me, x| {
            let ty = x.ty.after(1).within(&[length]);
            Ok(me.op(format!("array.slice {} from {start} : ({}) -> {ty}", x.id, x.ty), ty))
        })
    }

    fn one_hot(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [sizes, v, ix] = operands(term, rest, "(oneHot (d..) v (i..))")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(v)?;
        let indices = self.indices(ix)?;
        if indices.len() != shape.len() {
            return Err(ix.error(format!(
                "expected {} indices, one for each size, found {}",
                shape.len(),
                indices.len()
            )));
        }
        if indices.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| {
            let ty = x.ty.within(&shape);
            Ok(me.op(format!("array.one_hot {} at [{}] : ({}) -> {ty}", x.id, list(&indices), x.ty), ty))
        })
    }

    fn dot(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [a, b] = operands(term, rest, "(dot a b)")?;
        let (x, y) = (self.numbers(a)?, self.numbers(b)?);
        if x.ty.rank() != 1 {
            return Err(a.error(format!("expected a vector, found {}", x.ty)));
        }
        if y.ty != x.ty {
            return Err(b.error(format!("expected {} as in the first operand, found {}", x.ty, y.ty)));
        }
        let products = self.product(&x, &y);
        Ok(self.sum_leading(products, 1))
    }

    fn product(&mut self, x: &Typed, y: &Typed) -> Typed {
        let kind = if x.ty.element.is_float() { Kind::ArithMulf } else { Kind::ArithMuli };
        let id = self.text().op(format_args!("{kind} {}, {} : {}", x.id, y.id, x.ty));
        Typed { id, ty: x.ty.clone() }
    }

    /// Imports `build (i, j) (Σ A[i] · Bᵀ[j])`.
    fn matmul(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [a, b] = operands(term, rest, "(matmul A B)")?;
        let (x, y) = (self.numbers(a)?, self.numbers(b)?);
        let &[n, k] = &x.ty.shape[..] else {
            return Err(a.error(format!("expected a matrix, found {}", x.ty)));
        };
        let m = match y.ty.shape[..] {
            [rows, m] if rows == k && y.ty.element == x.ty.element => m,
            _ => {
                return Err(b.error(format!(
                    "expected a matrix of {k} rows with elements of type {}, found {}",
                    x.ty.element, y.ty
                )));
            }
        };
        let element = x.ty.element;
        let (row, turned) = (Type::new(element, &[k]), Type::new(element, &[m, k]));
        let columns = self.text().op(format_args!("array.transpose {} [1, 0] : ({}) -> {turned}", y.id, y.ty));
        let open = self.text().open();
        let (i, j) = (self.text().named("i"), self.text().named("j"));
        let u = self.text().op(format_args!("array.get {}[{i}] : ({}) -> {row}", x.id, x.ty));
        let v = self.text().op(format_args!("array.get {columns}[{j}] : ({turned}) -> {row}"));
        let products = self.product(&Typed { id: u, ty: row.clone() }, &Typed { id: v, ty: row });
        let scalar = Type::scalar(element);
        let sum = self.text().op(format_args!("array.sum {} : ({}) -> {scalar}", products.id, products.ty));
        let ty = Type::new(element, &[n, m]);
        let head = format!("array.build ({i} < {n}, {j} < {m}) -> ({ty})");
        let results = self.text().close(open, &[(sum, scalar)], 1, head);
        Ok(Value::typed(results[0], ty))
    }
}
