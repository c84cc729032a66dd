//! Bulk forms of the ops in the body of a build, one rule for each op. The bulk form of an op that computes `z`
//! computes the array `⟦z⟧`, which contains the values of `z` for all values of the index, along a new outermost axis
//! (spec/arrays.md B.2).

use super::lift::Lifting;
use super::ops::{self, Emit, Extent, Map};
use super::simplify::{simplify, transposed};
use super::sizes;
use super::terms::Position;
use mlopt_dialects::ir::{Attribute, Builder, Op, Type, Value};
use mlopt_dialects::ops::array::ArrayOp;
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;

impl Lifting<'_> {
    /// Emits an op that depends on the index, for all values of the index.
    pub fn op(&mut self, op: Op) {
        if let Some(typed) = ArrayOp::of(op) {
            return self.array_op(op, typed);
        }
        match op.kind() {
            Kind::ArithSelect => {
                let value = self.select(op);
                self.set(op, &[value]);
            }
            _ if ops::is_elementwise(op) => self.elementwise(op),
            _ => self.control(op),
        }
    }

    fn array_op(&mut self, op: Op, typed: ArrayOp) {
        let value = match typed {
            ArrayOp::Length(_) => self.length(op),
            ArrayOp::Get(_) => self.get(op),
            ArrayOp::Gather(_) => self.gather(op),
            ArrayOp::Scatter(_) => self.scatter(op),
            ArrayOp::OneHot(_) => self.one_hot(op),
            ArrayOp::Replicate(_) => self.replicate(op),
            ArrayOp::Transpose(_) => self.transpose(op),
            ArrayOp::Reshape(_) => self.reshape(op),
            ArrayOp::Stack(_) => self.stack(op),
            ArrayOp::Append(_) | ArrayOp::Reverse(_) => self.by_rows(op),
            ArrayOp::Slice(_) => self.slice(op),
            ArrayOp::Sum(_) | ArrayOp::Prod(_) | ArrayOp::Max(_) | ArrayOp::Min(_) => self.reduction(op),
            ArrayOp::Argmax(_) | ArrayOp::Argmin(_) => self.reduction(op),
            ArrayOp::Div(_) | ArrayOp::Mod(_) | ArrayOp::Floor(_) => return self.elementwise(op),
            ArrayOp::Ifold(_) | ArrayOp::Fold(_) | ArrayOp::MapAccum(_) => return self.control(op),
            // An iota depends on the index by its size only, builds and maps are expanded before, and checks stay in
            // loops.
            ArrayOp::Build(_)
            | ArrayOp::Vmap(_)
            | ArrayOp::Iota(_)
            | ArrayOp::Check(_)
            | ArrayOp::SameSize(_)
            | ArrayOp::Yield(_) => {
                return self.control(op);
            }
        };
        self.set(op, &[value]);
    }

    fn elementwise(&mut self, op: Op) {
        let operands: Vec<Value> = op.operands().into_iter().map(|v| self.bulk(v)).collect();
        let types: Vec<Type> = op.results().into_iter().map(|r| self.bulk_type(r.ty())).collect();
        let values = self.b().rebuild(op, &operands, &types, &[]);
        self.set(op, &values);
    }

    /// Emits an op with other operands and attributes, whose result is a bulk value.
    fn rebuilt(&mut self, op: Op, operands: &[Value], attributes: &[(&str, Attribute)]) -> Value {
        let ty = self.bulk_type(op.result(0).ty());
        self.b().rebuild(op, operands, &[ty], attributes)[0]
    }

    /// No size depends on the index.
    fn length(&mut self, op: Op) -> Value {
        let x = self.bulk(op.operand(0));
        sizes::value(self.b(), sizes::of(x, ops::axis(op) + 1))
    }

    /// ⟦x[e...]⟧ = gather x (i → e(i)...), and from ⟦x⟧ at i, e(i)...
    fn get(&mut self, op: Op) -> Value {
        let (x, indices) = (op.operand(0), &op.operands()[1..]);
        let lifted = self.depends(x);
        let array = self.either(x, lifted);
        let (extent, b) = ([self.extent], self.b());
        let gather = b.gather_over(array, &extent, |inner, at| {
            let mut position = Position { lifting: self, inner, map: Map::new(), at: at[0], copies: true };
            let leading = lifted.then_some(at[0]);
            leading.into_iter().chain(indices.iter().map(|&i| position.value(i))).collect()
        });
        simplify(gather)
    }

    /// ⟦gather x (j → e(j))⟧ = gather x (i, j → e(i, j)), and from ⟦x⟧ at i, e(i, j).
    fn gather(&mut self, op: Op) -> Value {
        let x = op.operand(0);
        let lifted = self.depends(x);
        let array = self.either(x, lifted);
        let extents = [vec![self.extent], self.extents(&ops::extents(op))].concat();
        let b = self.b();
        let gather = b.gather_over(array, &extents, |inner, arguments| {
            let leading = lifted.then_some(arguments[0]);
            leading.into_iter().chain(self.position(op, inner, arguments)).collect()
        });
        simplify(gather)
    }

    /// ⟦scatter x into z (j → e(j))⟧ = scatter ⟦x⟧ into ⟦z⟧ (i, j → i, e(i, j)).
    fn scatter(&mut self, op: Op) -> Value {
        let (x, init) = (self.bulk(op.operand(0)), self.bulk(op.operand(1)));
        let count = op.body().map_or(0, |b| b.num_arguments());
        let b = self.b();
        let scatter = b.scatter(x, init, count + 1, |inner, arguments| {
            std::iter::once(arguments[0]).chain(self.position(op, inner, arguments)).collect()
        });
        simplify(scatter)
    }

    /// Emits the values that the region of `op` yields, in a region with one more argument in front.
    fn position(&mut self, op: Op, inner: Builder, arguments: &[Value]) -> Vec<Value> {
        let body = op.entry();
        // A long region does not get longer: the values that it uses are read.
        let copies = op.nested_ops().len() <= 2 * super::terms::LONGEST;
        let map = body.arguments().into_iter().zip(arguments[1..].iter().copied()).collect();
        Position { lifting: self, inner, map, at: arguments[0], copies }.copy(op)
    }

    /// ⟦one_hot x at e⟧ = scatter ⟦x⟧ into zeros (i → i, e(i)). If the position does not depend on the index, the op is
    /// kept.
    fn one_hot(&mut self, op: Op) -> Value {
        let (x, indices) = (op.operand(0), op.operand_segment(1));
        let k = indices.len();
        let sizes: Vec<Value> = op.operand_segment(2).into_iter().map(|n| self.free(n)).collect();
        let (x, ty) = (self.bulk(x), self.bulk_type(op.result(0).ty()));
        let shape = ty.shape();
        if indices.iter().all(|&i| !self.depends(i)) {
            let indices: Vec<Value> = indices.into_iter().map(|i| self.free(i)).collect();
            let b = self.b();
            return transposed(b, b.one_hot(x, &indices, &shape[1..=k], &sizes), &back(k, shape.len()));
        }
        let b = self.b();
        if ty.element() == Some(Element::I1) {
            // Numbers can be added, booleans cannot.
            let i32 = b.context().scalar(Element::I32);
            let x = b.unary(Kind::ArithExtui, &[x], Type::tensor(&x.ty().shape(), i32));
            let hot = self.scatter_hot(x, &indices, Type::tensor(&shape, i32), sizes);
            return self.b().unary(Kind::ArithTrunci, &[hot], ty);
        }
        self.scatter_hot(x, &indices, ty, sizes)
    }

    fn scatter_hot(&mut self, x: Value, indices: &[Value], ty: Type, sizes: Vec<Value>) -> Value {
        let b = self.b();
        let outer = self.extent.operand();
        let inner = sizes::dynamic(b, x, 1);
        let zeros = b.zeros(ty, &outer.into_iter().chain(sizes).chain(inner).collect::<Vec<_>>());
        let scatter = b.scatter(x, zeros, 1, |inner, at| {
            let mut position = Position { lifting: self, inner, map: Map::new(), at: at[0], copies: true };
            std::iter::once(at[0]).chain(indices.iter().map(|&i| position.value(i))).collect()
        });
        simplify(scatter)
    }

    /// ⟦replicate n x⟧ = replicate n ⟦x⟧ with the two outermost axes exchanged.
    fn replicate(&mut self, op: Op) -> Value {
        let extent = match op.result(0).ty().shape()[0] {
            Some(n) => Extent::Known(n),
            None => Extent::Value(self.free(op.operand(1))),
        };
        let x = self.bulk(op.operand(0));
        let b = self.b();
        b.swapped(b.replicated(x, extent))
    }

    fn transpose(&mut self, op: Op) -> Value {
        let p: Vec<usize> = std::iter::once(0).chain(ops::permutation(op).into_iter().map(|a| a + 1)).collect();
        let x = self.bulk(op.operand(0));
        transposed(self.b(), x, &p)
    }

    fn reshape(&mut self, op: Op) -> Value {
        let (x, ty) = (self.bulk(op.operand(0)), self.bulk_type(op.result(0).ty()));
        let b = self.b();
        let outer = self.extent.operand().map(|_| sizes::value(b, sizes::of(x, 0)));
        let sizes: Vec<Value> = outer.into_iter().chain(op.operands()[1..].iter().map(|n| self.free(*n))).collect();
        b.reshape(x, &ty.shape(), &sizes)
    }

    fn stack(&mut self, op: Op) -> Value {
        let parts: Vec<Value> = op.operands().into_iter().map(|v| self.bulk(v)).collect();
        let b = self.b();
        b.swapped(b.stack(&parts))
    }

    /// Emits `append` or `reverse`: the rows become outermost, and are transposed back.
    fn by_rows(&mut self, op: Op) -> Value {
        let operands: Vec<Value> = op.operands().into_iter().map(|v| self.bulk(v)).collect();
        let b = self.b();
        let operands: Vec<Value> = operands.into_iter().map(|x| b.swapped(x)).collect();
        let ty = self.rows_outside(op.result(0).ty());
        b.swapped(b.rebuild(op, &operands, &[ty], &[])[0])
    }

    /// Returns the type of a bulk value after the exchange of its outermost axes.
    pub fn rows_outside(&self, ty: Type) -> Type {
        let mut shape = self.bulk_type(ty).shape();
        shape.swap(0, 1);
        Type::tensor(&shape, ty.scalar())
    }

    /// As `append`; if the start depends on the index, ⟦slice x s⟧ = gather ⟦x⟧ (i, r → i, s(i) + r).
    fn slice(&mut self, op: Op) -> Value {
        let (x, start) = (op.operand(0), op.operand(1));
        let size = op.operands().get(2).map(|n| self.free(*n));
        if !self.depends(start) {
            let (x, start, b) = (self.bulk(x), self.free(start), self.b());
            let ty = self.rows_outside(op.result(0).ty());
            let operands: Vec<Value> = [b.swapped(x), start].into_iter().chain(size).collect();
            return b.swapped(b.rebuild(op, &operands, &[ty], &[])[0]);
        }
        let lifted = self.depends(x);
        let x = self.either(x, lifted);
        let rows = size.map_or_else(|| Extent::Known(op.result(0).ty().shape()[0].unwrap_or(0)), Extent::Value);
        let (extents, b) = ([self.extent, rows], self.b());
        let gather = b.gather_over(x, &extents, |inner, at| {
            let mut position = Position { lifting: self, inner, map: Map::new(), at: at[0], copies: true };
            let row = position.value(start);
            let row = inner.binary(Kind::ArithAddi, row, at[1]);
            lifted.then_some(at[0]).into_iter().chain([row]).collect()
        });
        simplify(gather)
    }

    fn reduction(&mut self, op: Op) -> Value {
        let x = self.bulk(op.operand(0));
        self.rebuilt(op, &[x], &[ops::axes_attribute(op, ops::axes(op).into_iter().map(|axis| axis + 1))])
    }

    /// A scalar condition for a whole array becomes a mask of all its elements.
    fn select(&mut self, op: Op) -> Value {
        let (a, b) = (self.bulk(op.operand(1)), self.bulk(op.operand(2)));
        let condition = self.condition(op.operand(0), a);
        self.rebuilt(op, &[condition, a, b], &[])
    }

    /// Returns the condition of a choice between values like the bulk value `like`.
    pub fn condition(&mut self, condition: Value, like: Value) -> Value {
        if ops::is_scalar(condition) && !self.depends(condition) {
            return self.free(condition);
        }
        let mut mask = self.bulk(condition);
        let b = self.b();
        let rank = like.ty().rank();
        if mask.ty().rank() == rank {
            return mask;
        }
        for axis in (1..rank).rev() {
            mask = b.replicated(mask, sizes::extent(b, like, axis));
        }
        transposed(b, mask, &back(rank - 1, rank))
    }
}

/// Returns the permutation that makes the axis after the first `k` outermost.
fn back(k: usize, rank: usize) -> Vec<usize> {
    std::iter::once(k).chain(0..k).chain(k + 1..rank).collect()
}
