//! Translation of terms on whole arrays, without bound variables: indexing, reductions, shapes, choices, products.

use super::common::{elements_of, index_list, one_for_each_size};
use super::scope::Import;
use super::value::{Leaf, Outcome, Tuple, shape, static_sizes};
use crate::definitions::Call;
use crate::mlir::product;
use mlopt_dialects::ir::{Type, Value};
use mlopt_dialects::text::terms::{Number, Term};
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

impl Import {
    /// Applies `f` to each array of a value.
    pub fn each(&mut self, value: &Tuple, mut f: impl FnMut(&mut Import, Value) -> Result<Value, Problem>) -> Outcome {
        let results = self.values(value).into_iter().map(|x| f(self, x)).collect::<Result<Vec<_>, _>>()?;
        Ok(value.with(&mut results.into_iter()))
    }

    /// Returns the outermost size, which all arrays of a value must share.
    pub fn outer(&self, term: &Term, value: &Tuple) -> Result<usize, Problem> {
        let sizes: Vec<Option<usize>> = value.leaves().iter().map(|l| l.shape().first().copied()).collect();
        match sizes[0] {
            Some(n) if sizes.iter().all(|&s| s == Some(n)) => Ok(n),
            Some(n) => Err(term.error(format!("expected arrays of {}, found {value}", count(n, "row")))),
            None => Err(term.error(format!("expected an array with at least one axis, found {value}"))),
        }
    }

    /// Imports a conditional. Both branches are computed: the language is strict and all its terms are total. So the
    /// choice is a `select`, which `egg-optimize` may turn into a branch where that is cheaper; an `scf.if` could
    /// contain nothing but its two yields.
    pub fn cond(&mut self, call: Call) -> Outcome {
        let [c, a, b] = call.operands()?;
        let condition = self.array(c)?;
        if condition.ty() != self.context.scalar(Element::I1) {
            return Err(c.error(format!("expected a condition of type i1, found {}", condition.ty())));
        }
        let values = [self.term(a)?, self.term(b)?];
        let arms = self.unify(&[a, b], &values)?;
        Ok(values[0].with(&mut arms[0].iter().zip(&arms[1]).map(|(x, y)| self.builder().select(condition, *x, *y))))
    }

    pub fn select(&mut self, call: Call) -> Outcome {
        let terms @ [m, a, b] = call.operands()?;
        let mask = self.array(m)?;
        let i1 = mask.ty().scalar();
        if i1 != self.context.scalar(Element::I1) {
            return Err(m.error(format!("expected booleans, found {}", mask.ty())));
        }
        let (first, second) = (self.leaf(a)?, self.leaf(b)?);
        let element = self.common(&[&first, &second]);
        let leaves = [Leaf::Value(mask), first, second];
        let sizes = static_sizes(&self.shape_of(&terms, &leaves)?);
        let mask = self.spread(m, &leaves[0], Type::array(&sizes, i1))?;
        let ty = Type::array(&sizes, element);
        let x = self.spread(a, &leaves[1], ty)?;
        let y = self.spread(b, &leaves[2], ty)?;
        Ok(self.builder().select(mask, x, y).into())
    }

    pub fn index_array(&mut self, call: Call) -> Outcome {
        let [a, ix] = call.operands()?;
        self.elements(a, index_list(ix)?)
    }

    pub fn get(&mut self, call: Call) -> Outcome {
        let [a, i] = call.operands()?;
        self.elements(a, std::slice::from_ref(i))
    }

    fn elements(&mut self, array: &Term, indices: &[Term]) -> Outcome {
        let value = self.term(array)?;
        let indices = indices.iter().map(|i| self.index(i)).collect::<Result<Vec<_>, _>>()?;
        if indices.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| {
            if x.ty().rank() < indices.len() {
                let axes = count(indices.len(), "axis");
                let text = format!("expected an array with at least {axes}, found {}", x.ty());
                return Err(array.error(text));
            }
            Ok(me.builder().get(x, &indices))
        })
    }

    /// Imports `(length a)`: the size is part of the type.
    pub fn length(&mut self, call: Call) -> Outcome {
        let [a] = call.operands()?;
        let n = self.without_ops(a, |me, value| me.outer(a, value))?;
        Ok(Tuple::Leaf(Leaf::Int(n as i64)))
    }

    /// Imports a reduction of rows: `sumOuter`, `maxOuter`, `minOuter`, `prodOuter`, `argmaxOuter` or `argminOuter`.
    pub fn reduction(&mut self, call: Call) -> Outcome {
        let [a] = call.operands()?;
        let x = self.numbers(a)?;
        let n = self.outer(a, &Tuple::from(x))?;
        if n == 0 && !matches!(call.head, "sumOuter" | "prodOuter") {
            return Err(a.error(format!("`{}` needs at least one row, found {}", call.head, x.ty())));
        }
        let b = self.builder();
        let reduced = match call.head {
            "sumOuter" => b.sum(x),
            "prodOuter" => b.prod(x, &[0]),
            "maxOuter" => b.max(x, &[0]),
            "minOuter" => b.min(x, &[0]),
            "argmaxOuter" => b.argmax(x, 0),
            _ => b.argmin(x, 0),
        };
        Ok(reduced.into())
    }

    pub fn total(&mut self, call: Call) -> Outcome {
        let [a] = call.operands()?;
        let x = self.numbers(a)?;
        Ok(self.sum_leading(x, x.ty().rank()).into())
    }

    /// Sums over the first `n` axes; returns `x` itself if `n` is 0.
    pub fn sum_leading(&self, x: Value, n: usize) -> Value {
        if n == 0 { x } else { self.builder().sum_axes(x, &Vec::from_iter(0..n)) }
    }

    /// Imports a term that must be one array of numbers.
    fn numbers(&mut self, term: &Term) -> Result<Value, Problem> {
        let x = self.array(term)?;
        if x.ty().scalar().is_integer(1) {
            return Err(term.error(format!("expected numbers, found {}", x.ty())));
        }
        Ok(x)
    }

    pub fn replicate_array(&mut self, call: Call) -> Outcome {
        let [n, a] = call.operands()?;
        let n = self.size(n)?;
        let value = self.term(a)?;
        self.each(&value, |me, x| Ok(me.spread_leading(&[n], x)))
    }

    /// Replicates a value along new leading axes.
    pub fn spread_leading(&self, shape: &[usize], x: Value) -> Value {
        let b = self.builder();
        shape.iter().rev().fold(x, |x, &n| b.replicate(x, Some(n), x))
    }

    pub fn transpose(&mut self, call: Call) -> Outcome {
        let [axes, a] = call.operands()?;
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
            if x.ty().rank() < p.len() {
                let axes = count(p.len(), "axis");
                return Err(a.error(format!("expected an array with at least {axes}, found {}", x.ty())));
            }
            let p: Vec<usize> = p.iter().copied().chain(p.len()..x.ty().rank()).collect();
            Ok(me.builder().transpose(x, &p))
        })
    }

    pub fn reshape(&mut self, call: Call) -> Outcome {
        let [sizes, a] = call.operands()?;
        let sizes = self.sizes(sizes)?;
        let value = self.term(a)?;
        self.each(&value, |me, x| {
            let (wanted, found) = (elements_of(&sizes), elements_of(&shape(x.ty())));
            if wanted != found {
                let wanted = count(wanted, "element");
                return Err(a.error(format!("expected {wanted} for shape {sizes:?}, found {found} in {}", x.ty())));
            }
            Ok(me.builder().reshape(x, &static_sizes(&sizes), &[]))
        })
    }

    pub fn stack(&mut self, call: Call) -> Outcome {
        if call.rest.is_empty() {
            return Err(call.wrong());
        }
        let values = call.rest.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
        let unified = self.unify(&Vec::from_iter(call.rest), &values)?;
        Ok(values[0].with(&mut (0..unified[0].len()).map(|k| {
            let parts: Vec<Value> = unified.iter().map(|leaves| leaves[k]).collect();
            self.builder().stack(&parts)
        })))
    }

    pub fn append(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands()?;
        let (first, second) = (self.term(a)?, self.term(b)?);
        if !second.is_like(&first) {
            return Err(b.error(format!("expected a value with the structure of {first}, found {second}")));
        }
        self.outer(a, &first)?;
        self.outer(b, &second)?;
        let mut rest = self.values(&second).into_iter();
        self.each(&first, |me, x| {
            let y = rest.next().expect("one for each leaf");
            let [wanted, found] = [x, y].map(|array| array.ty().row());
            if found != wanted {
                return Err(b.error(format!("expected rows of type {wanted}, found {found}")));
            }
            Ok(me.builder().append(x, y))
        })
    }

    pub fn slice(&mut self, call: Call) -> Outcome {
        let [s, l, a] = call.operands()?;
        let (start, length) = (self.size(s)?, self.size(l)?);
        let value = self.term(a)?;
        let n = self.outer(a, &value)?;
        let needed = start.saturating_add(length);
        if needed > n {
            return Err(call.term.error(format!("expected at least {}, found {value}", count(needed, "row"))));
        }
        let start = self.filled(Number::Int(start as i64), self.context.index());
        self.each(&value, |me, x| Ok(me.builder().slice(x, start, Some(length), None)))
    }

    pub fn reverse(&mut self, call: Call) -> Outcome {
        let [a] = call.operands()?;
        let value = self.term(a)?;
        self.outer(a, &value)?;
        self.each(&value, |me, x| Ok(me.builder().reverse(x)))
    }

    pub fn iota(&mut self, call: Call) -> Outcome {
        let [n] = call.operands()?;
        let n = self.size(n)?;
        Ok(self.builder().iota(Some(n), None).into())
    }

    pub fn one_hot(&mut self, call: Call) -> Outcome {
        let [sizes, v, ix] = call.operands()?;
        let shape = self.sizes(sizes)?;
        let value = self.term(v)?;
        let indices = self.indices(ix)?;
        one_for_each_size(ix, "index", indices.len(), &shape)?;
        if indices.is_empty() {
            return Ok(value);
        }
        self.each(&value, |me, x| Ok(me.builder().one_hot(x, &indices, &static_sizes(&shape), &[])))
    }

    pub fn dot(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands()?;
        let (x, y) = (self.numbers(a)?, self.numbers(b)?);
        if x.ty().rank() != 1 {
            return Err(a.error(format!("expected a vector, found {}", x.ty())));
        }
        if y.ty() != x.ty() {
            return Err(b.error(format!("expected {} as in the first operand, found {}", x.ty(), y.ty())));
        }
        let b = self.builder();
        Ok(b.sum(product(b, x, y)).into())
    }

    /// Imports `build (i, j) (Σ A[i] · Bᵀ[j])`.
    pub fn matmul(&mut self, call: Call) -> Outcome {
        let [a, b] = call.operands()?;
        let (x, y) = (self.numbers(a)?, self.numbers(b)?);
        let [n, k] = x.ty().shape()[..] else {
            return Err(a.error(format!("expected a matrix, found {}", x.ty())));
        };
        let element = x.ty().scalar();
        let m = match y.ty().shape()[..] {
            [rows, m] if rows == k && y.ty().scalar() == element => m,
            _ => {
                let rows = count(shape(x.ty())[1], "row");
                let text = format!("expected a matrix of {rows} with elements of type {element}, found {}", y.ty());
                return Err(b.error(text));
            }
        };
        let columns = self.builder().transpose(y, &[1, 0]);
        let product = self.builder().build(&[n, m], &[], |b, indices| {
            indices.iter().zip(["i", "j"]).for_each(|(index, name)| index.suggest_name(name));
            let (u, v) = (b.get(x, &indices[..1]), b.get(columns, &indices[1..]));
            vec![b.sum(product(b, u, v))]
        });
        Ok(product[0].into())
    }
}
