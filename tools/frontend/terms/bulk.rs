//! Translation of terms on whole arrays, without bound variables: indexing, reductions, shapes, choices, products.

use super::common::{elements_of, index_list, one_for_each_size};
use super::scope::Import;
use super::value::{Leaf, Outcome, Type, Typed, Value};
use crate::definitions::Call;
use crate::mlir::list;
use mlopt_dialects::ops::Kind;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

impl Import {
    /// Writes an op with one result.
    pub fn op(&mut self, right: String, ty: Type) -> Typed {
        self.text().op(right, ty)
    }

    /// Writes an op whose operands and result have one type.
    pub fn same(&mut self, kind: Kind, operands: &[&Typed]) -> Typed {
        let ty = operands[0].ty.clone();
        self.op(format!("{kind} {} : {ty}", list(operands)), ty)
    }

    /// Applies `f` to each array of a value.
    pub fn each(&mut self, value: &Value, mut f: impl FnMut(&mut Import, Typed) -> Result<Typed, Problem>) -> Outcome {
        let results = self.typed_leaves(value).into_iter().map(|x| f(self, x)).collect::<Result<Vec<_>, _>>()?;
        Ok(value.with(&mut results.into_iter()))
    }

    /// Returns the outermost size, which all arrays of a value must share.
    pub fn outer(&self, term: &Term, value: &Value) -> Result<usize, Problem> {
        let sizes: Vec<Option<usize>> = value.leaves().iter().map(|l| l.shape().first().copied()).collect();
        match sizes[0] {
            Some(n) if sizes.iter().all(|&s| s == Some(n)) => Ok(n),
            Some(n) => Err(term.error(format!("expected arrays of {}, found {value}", count(n, "row")))),
            None => Err(term.error(format!("expected an array with at least one axis, found {value}"))),
        }
    }

    pub fn same_length(&self, second: &Term, a: &Value, b: &Value) -> Result<(), Problem> {
        let n = self.outer(second, a)?;
        if self.outer(second, b)? == n {
            return Ok(());
        }
        Err(second.error(format!("expected an array of {}, found {b}", count(n, "row"))))
    }

    /// Imports a conditional. Both branches are computed: the language is strict and all its terms are total. So the
    /// choice is a `select`, which `egg-optimize` may turn into a branch where that is cheaper; an `scf.if` could
    /// contain nothing but its two yields.
    pub fn cond(&mut self, call: Call) -> Outcome {
        let [c, a, b] = call.operands("(cond c a b)")?;
        let condition = self.array(c)?;
        if condition.ty != Type::scalar(Element::I1) {
            return Err(c.error(format!("expected a condition of type i1, found {}", condition.ty)));
        }
        let values = [self.term(a)?, self.term(b)?];
        let arms = self.unify(&[a, b], &values)?;
        Ok(values[0].with(&mut arms[0].iter().zip(&arms[1]).map(|(x, y)| self.choose(&condition, x, y))))
    }

    pub fn select(&mut self, call: Call) -> Outcome {
        let terms @ [m, a, b] = call.operands("(select m a b)")?;
        let mask = self.array(m)?;
        if mask.ty.element != Element::I1 {
            return Err(m.error(format!("expected booleans, found {}", mask.ty)));
        }
        let (first, second) = (self.leaf(a)?, self.leaf(b)?);
        let element = self.common(&[&first, &second]);
        let leaves = [Leaf::Typed(mask), first, second];
        let shape = self.shape_of(&terms, &leaves)?;
        let mask = self.spread(m, &leaves[0], &Type::new(Element::I1, &shape))?;
        let ty = Type::new(element, &shape);
        let x = self.spread(a, &leaves[1], &ty)?;
        let y = self.spread(b, &leaves[2], &ty)?;
        Ok(self.choose(&mask, &x, &y).into())
    }

    /// Writes `arith.select`. The condition is a scalar or has the shape of the alternatives.
    pub fn choose(&mut self, condition: &Typed, x: &Typed, y: &Typed) -> Typed {
        let ty = x.ty.clone();
        let types = if condition.ty.rank() == 0 { format!("{ty}") } else { format!("{}, {ty}", condition.ty) };
        self.op(format!("arith.select {condition}, {x}, {y} : {types}"), ty)
    }

    pub fn index_array(&mut self, call: Call) -> Outcome {
        let [a, ix] = call.operands("(index a (i1..im))")?;
        self.elements(a, index_list(ix)?)
    }

    pub fn get(&mut self, call: Call) -> Outcome {
        let [a, i] = call.operands("(get a i)")?;
        self.elements(a, std::slice::from_ref(i))
    }

    fn elements(&mut self, array: &Term, indices: &[Term]) -> Outcome {
        let value = self.term(array)?;
        let indices = indices.iter().map(|i| self.index(i)).collect::<Result<Vec<_>, _>>()?;
        if indices.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| {
            if x.ty.rank() < indices.len() {
                let axes = count(indices.len(), "axis");
                let text = format!("expected an array with at least {axes}, found {}", x.ty);
                return Err(array.error(text));
            }
            Ok(me.element(&x, &indices))
        })
    }

    /// Writes `array.get` of the element or part of `x` at these indices.
    pub fn element(&mut self, x: &Typed, indices: &[Typed]) -> Typed {
        let ty = x.ty.after(indices.len());
        self.op(format!("array.get {x}[{}] : ({}) -> {ty}", list(indices), x.ty), ty)
    }

    /// Imports `(length a)`: the size is part of the type.
    pub fn length(&mut self, call: Call) -> Outcome {
        let [a] = call.operands("(length a)")?;
        let value = self.without_ops(a)?;
        let n = self.outer(a, &value)?;
        Ok(Value::Leaf(Leaf::Int(n as i64)))
    }

    /// Imports a reduction of rows: `sumOuter`, `maxOuter`, `minOuter`, `prodOuter`, `argmaxOuter` or `argminOuter`.
    pub fn reduction(&mut self, call: Call) -> Outcome {
        let [a] = call.operands("(sumOuter a)")?;
        let name = call.head.strip_suffix("Outer").unwrap_or(call.head);
        let x = self.numbers(a)?;
        let n = self.outer(a, &Value::from(x.clone()))?;
        if n == 0 && !matches!(name, "sum" | "prod") {
            return Err(a.error(format!("`{}` needs at least one row, found {}", call.head, x.ty)));
        }
        let element = if name.starts_with("arg") { Element::Index } else { x.ty.element };
        let ty = x.ty.after(1).of(element);
        Ok(self.op(format!("array.{name} {x} : ({}) -> {ty}", x.ty), ty).into())
    }

    pub fn total(&mut self, call: Call) -> Outcome {
        let [a] = call.operands("(sum a)")?;
        let x = self.numbers(a)?;
        let axes = x.ty.rank();
        Ok(self.sum_leading(x, axes).into())
    }

    /// Sums over the first `n` axes; returns `x` itself if `n` is 0.
    pub fn sum_leading(&mut self, x: Typed, n: usize) -> Typed {
        let ty = x.ty.after(n);
        match n {
            0 => x,
            1 => self.op(format!("array.sum {x} : ({}) -> {ty}", x.ty), ty),
            _ => self.op(format!("array.sum {x} axes [{}] : ({}) -> {ty}", list(0..n), x.ty), ty),
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

    pub fn replicate_array(&mut self, call: Call) -> Outcome {
        let [n, a] = call.operands("(replicate n a)")?;
        let n = self.size(n)?;
        let value = self.term(a)?;
        self.each(&value, |me, x| Ok(me.replicate(n, &x)))
    }

    pub fn replicate(&mut self, n: usize, x: &Typed) -> Typed {
        let ty = x.ty.within(&[n]);
        self.op(format!("array.replicate {x} : ({}) -> {ty}", x.ty), ty)
    }

    pub fn transpose(&mut self, call: Call) -> Outcome {
        let [axes, a] = call.operands("(tr (p0..pq) a)")?;
        let p = self.sizes(axes)?;
        let mut sorted = p.clone();
        sorted.sort_unstable();
        if sorted.iter().enumerate().any(|(k, &axis)| k != axis) {
            let all = count(p.len(), "axis");
            return Err(axes.error(format!("expected a permutation of {all}, counted from 0, found {p:?}")));
        }
        let value = self.term(a)?;
        if p.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| {
            if x.ty.rank() < p.len() {
                let axes = count(p.len(), "axis");
                return Err(a.error(format!("expected an array with at least {axes}, found {}", x.ty)));
            }
            let p: Vec<usize> = p.iter().copied().chain(p.len()..x.ty.rank()).collect();
            Ok(me.permuted(&x, &p))
        })
    }

    /// Writes `array.transpose`: axis `j` of the result is axis `p[j]` of `x`.
    fn permuted(&mut self, x: &Typed, p: &[usize]) -> Typed {
        let ty = Type { element: x.ty.element, shape: p.iter().map(|&j| x.ty.shape[j]).collect() };
        self.op(format!("array.transpose {x} [{}] : ({}) -> {ty}", list(p), x.ty), ty)
    }

    pub fn reshape(&mut self, call: Call) -> Outcome {
        let [sizes, a] = call.operands("(reshape (n1..) a)")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        self.each(&value, |me, x| {
            let (wanted, found) = (elements_of(&shape), elements_of(&x.ty.shape));
            if wanted != found {
                let wanted = count(wanted, "element");
                return Err(a.error(format!("expected {wanted} for shape {shape:?}, found {found} in {}", x.ty)));
            }
            let ty = Type::new(x.ty.element, &shape);
            Ok(me.op(format!("array.reshape {x} : ({}) -> {ty}", x.ty), ty))
        })
    }

    pub fn stack(&mut self, call: Call) -> Outcome {
        if call.rest.is_empty() {
            return Err(call.term.error("expected (stack e1 .. en), found 0 operands"));
        }
        let values = call.rest.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
        let typed = self.unify(&Vec::from_iter(call.rest), &values)?;
        Ok(values[0].with(&mut (0..typed[0].len()).map(|k| {
            let parts: Vec<&Typed> = typed.iter().map(|t| &t[k]).collect();
            let ty = parts[0].ty.within(&[parts.len()]);
            self.op(format!("array.stack {} : ({}) -> {ty}", list(&parts), list(parts.iter().map(|x| &x.ty))), ty)
        })))
    }

    pub fn append(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands("(append a b)")?;
        let (first, second) = (self.term(a)?, self.term(b)?);
        if !second.is_like(&first) {
            return Err(b.error(format!("expected a value like {first}, found {second}")));
        }
        let (m, n) = (self.outer(a, &first)?, self.outer(b, &second)?);
        let mut rest = self.typed_leaves(&second).into_iter();
        self.each(&first, |me, x| {
            let y = rest.next().expect("one for each leaf");
            if y.ty.after(1) != x.ty.after(1) {
                return Err(b.error(format!("expected rows of type {}, found {}", x.ty.after(1), y.ty.after(1))));
            }
            let ty = x.ty.after(1).within(&[m + n]);
            Ok(me.op(format!("array.append {x}, {y} : ({}, {}) -> {ty}", x.ty, y.ty), ty))
        })
    }

    pub fn slice(&mut self, call: Call) -> Outcome {
        let [s, l, a] = call.operands("(slice s l a)")?;
        let (start, length) = (self.size(s)?, self.size(l)?);
        let value = self.term(a)?;
        let n = self.outer(a, &value)?;
        let needed = start.saturating_add(length);
        if needed > n {
            return Err(call.term.error(format!("expected at least {}, found {value}", count(needed, "row"))));
        }
        let start = self.literal(&Leaf::Int(start as i64), &Type::scalar(Element::Index));
        self.each(&value, |me, x| {
            let ty = x.ty.after(1).within(&[length]);
            Ok(me.op(format!("array.slice {x} from {start} : ({}) -> {ty}", x.ty), ty))
        })
    }

    pub fn reverse(&mut self, call: Call) -> Outcome {
        let [a] = call.operands("(reverse a)")?;
        let value = self.term(a)?;
        self.outer(a, &value)?;
        self.each(&value, |me, x| Ok(me.same(Kind::ArrayReverse, &[&x])))
    }

    pub fn iota(&mut self, call: Call) -> Outcome {
        let [n] = call.operands("(iota n)")?;
        let ty = Type::new(Element::Index, &[self.size(n)?]);
        Ok(self.op(format!("array.iota : {ty}"), ty).into())
    }

    pub fn one_hot(&mut self, call: Call) -> Outcome {
        let [sizes, v, ix] = call.operands("(oneHot (d..) v (i..))")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(v)?;
        let indices = self.indices(ix)?;
        one_for_each_size(ix, "index", indices.len(), &shape)?;
        if indices.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| Ok(me.one_hot_at(&x, &indices, &shape)))
    }

    /// Writes an array that is zero except for `x` at these indices, one for each size.
    pub fn one_hot_at(&mut self, x: &Typed, indices: &[Typed], shape: &[usize]) -> Typed {
        let ty = x.ty.within(shape);
        self.op(format!("array.one_hot {x} at [{}] : ({}) -> {ty}", list(indices), x.ty), ty)
    }

    pub fn dot(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands("(dot a b)")?;
        let (x, y) = (self.numbers(a)?, self.numbers(b)?);
        if x.ty.rank() != 1 {
            return Err(a.error(format!("expected a vector, found {}", x.ty)));
        }
        if y.ty != x.ty {
            return Err(b.error(format!("expected {} as in the first operand, found {}", x.ty, y.ty)));
        }
        Ok(self.sum_of_products(&x, &y).into())
    }

    /// Writes the inner product of two vectors of one type.
    fn sum_of_products(&mut self, x: &Typed, y: &Typed) -> Typed {
        let kind = if x.ty.element.is_float() { Kind::ArithMulf } else { Kind::ArithMuli };
        let products = self.same(kind, &[x, y]);
        self.sum_leading(products, 1)
    }

    /// Imports `build (i, j) (Σ A[i] · Bᵀ[j])`.
    pub fn matmul(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands("(matmul A B)")?;
        let (x, y) = (self.numbers(a)?, self.numbers(b)?);
        let &[n, k] = &x.ty.shape[..] else {
            return Err(a.error(format!("expected a matrix, found {}", x.ty)));
        };
        let m = match y.ty.shape[..] {
            [rows, m] if rows == k && y.ty.element == x.ty.element => m,
            _ => {
                return Err(b.error(format!(
                    "expected a matrix of {} with elements of type {}, found {}",
                    count(k, "row"),
                    x.ty.element,
                    y.ty
                )));
            }
        };
        let columns = self.permuted(&y, &[1, 0]);
        let open = self.text().open();
        let indices = ["i", "j"].map(|name| self.text().named(name, Type::scalar(Element::Index)));
        let (u, v) = (self.element(&x, &indices[..1]), self.element(&columns, &indices[1..]));
        let sum = self.sum_of_products(&u, &v);
        let mut product = self.close_build(open, &indices, &[n, m], &[sum]);
        Ok(product.swap_remove(0).into())
    }
}
