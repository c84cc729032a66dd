//! Translation of terms that bind variables: builds, gathers, scatters and loops.

use super::Zeros;
use super::common::{index_list, one_for_each_size};
use super::scope::Import;
use super::text::Open;
use super::value::{Leaf, Outcome, Type, Typed, Value};
use crate::definitions::Call;
use crate::mlir::list;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

/// The head of a loop op without its result types, its next state, and the emitted value with the types of its arrays.
type Step = Result<(String, Value, Option<(Value, Vec<Type>)>), Problem>;

impl Import {
    pub fn build1(&mut self, call: Call) -> Outcome {
        let [n, i, e] = call.operands("(build1 n i e)")?;
        let (n, i) = (self.size(n)?, self.binder(i)?);
        self.build_over(&[n], &[i], e)
    }

    pub fn build(&mut self, call: Call) -> Outcome {
        let [sizes, names, e] = call.operands("(build (n1..nk) (i1..ik) e)")?;
        let (shape, indices) = (self.sizes(sizes)?, self.binders(names)?);
        one_for_each_size(names, "variable", indices.len(), &shape)?;
        if shape.is_empty() { self.term(e) } else { self.build_over(&shape, &indices, e) }
    }

    fn build_over(&mut self, shape: &[usize], names: &[&str], body: &Term) -> Outcome {
        let outside = self.scope.len();
        let open = self.text().open();
        let indices = self.bind_indices(names);
        let value = self.term(body)?;
        let elements = self.typed_leaves(&value);
        self.scope.truncate(outside);
        Ok(value.with(&mut self.close_build(open, &indices, shape, &elements).into_iter()))
    }

    /// Ends the region of an `array.build` of these elements.
    pub fn close_build(&mut self, open: Open, indices: &[Typed], shape: &[usize], elements: &[Typed]) -> Vec<Typed> {
        let types: Vec<Type> = elements.iter().map(|x| x.ty.within(shape)).collect();
        let head = format!("array.build ({}) -> ({})", space(indices, shape), list(&types));
        self.text().close(open, elements, types, head)
    }

    pub fn gather(&mut self, call: Call) -> Outcome {
        let [sizes, a, names, positions] = call.operands("(gather (s1..sk) a (i1..ik) (e1..em))")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        let names_of = self.binders(names)?;
        one_for_each_size(names, "variable", names_of.len(), &shape)?;
        let m = index_list(positions)?.len();
        if let Some(x) = value.leaves().into_iter().find(|x| x.shape().len() < m) {
            let most = count(x.shape().len(), "index");
            return Err(positions.error(format!("expected at most {most} for {x}, found {m}")));
        }
        if m == 0 {
            return self.each(&value, |me, x| Ok(me.spread_leading(&shape, x)));
        }
        if shape.is_empty() {
            let indices = self.indices(positions)?;
            return self.each(&value, |me, x| Ok(me.element(&x, &indices)));
        }
        self.each(&value, |me, x| {
            let ty = x.ty.after(m).within(&shape);
            let head =
                |indices: &[Typed]| format!("array.gather {x} : {} ({}) -> ({ty})", x.ty, space(indices, &shape));
            me.at_positions(&names_of, positions, &ty, head)
        })
    }

    pub fn scatter(&mut self, call: Call) -> Outcome {
        let [sizes, a, names, positions] = call.operands("(scatter (d1..dp) a (i1..ik) (e1..ep))")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        let names_of = self.binders(names)?;
        one_for_each_size(positions, "index", index_list(positions)?.len(), &shape)?;
        let k = names_of.len();
        self.each(&value, |me, x| {
            if x.ty.rank() < k || x.ty.element == Element::I1 {
                return Err(a.error(format!("expected numbers with at least {}, found {}", count(k, "axis"), x.ty)));
            }
            let ty = x.ty.after(k).within(&shape);
            if shape.is_empty() {
                // All elements have the same, empty position.
                return Ok(me.sum_leading(x, k));
            }
            if k == 0 {
                let indices = me.indices(positions)?;
                return Ok(me.one_hot_at(&x, &indices, &shape));
            }
            let init = match (me.zeros, ty.element.is_float()) {
                (Zeros::Structural, true) => me.op(format!("dual.zero : {ty}"), ty.clone()),
                (_, true) => me.literal(&Leaf::Float(0.0), &ty),
                (_, false) => me.literal(&Leaf::Int(0), &ty),
            };
            let head =
                |indices: &[Typed]| format!("array.scatter {x} into {init} : {} into {ty} ({})", x.ty, list(indices));
            me.at_positions(&names_of, positions, &ty, head)
        })
    }

    pub fn ifold(&mut self, call: Call) -> Outcome {
        let [names, e, z, n] = call.operands("(ifold (s i) e z n)")?;
        let [state, index] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s i)`")) };
        let init = self.term(z)?;
        let count = self.index(n)?;
        self.carried(e, z, &init, |me, start| {
            let i = me.text().named(index, Type::scalar(Element::Index));
            let carried = me.carried_arguments(state, start);
            me.bind(state, init.with(&mut carried.iter().cloned()));
            me.bind(index, i.clone());
            let next = me.term(e)?;
            Ok((format!("array.ifold ({i} < {count}) iter_args({})", equations(&carried, start)), next, None))
        })
    }

    /// Imports `fold` and `mapAccumL`, loops over rows whose functions are closed.
    pub fn over_rows(&mut self, call: Call) -> Outcome {
        let [names, e, z, a] = call.operands("(fold (s x) e z a)")?;
        let [state, row] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s x)`")) };
        let (init, arrays) = (self.term(z)?, self.term(a)?);
        let n = self.outer(a, &arrays)?;
        self.carried(e, z, &init, |me, start| {
            let sources = me.typed_leaves(&arrays);
            let rows: Vec<Typed> = sources.iter().map(|x| me.text().named(row, x.ty.after(1))).collect();
            let carried = me.carried_arguments(state, start);
            let closed = std::mem::replace(&mut me.closed, me.scope.len());
            me.bind(state, init.with(&mut carried.iter().cloned()));
            me.bind(row, arrays.with(&mut rows.iter().cloned()));
            let next = me.term(e)?;
            me.closed = closed;
            let spaces = list(rows.iter().zip(&sources).map(|(row, x)| format!("{row} = {x} : {}", x.ty)));
            let spaces = format!("({spaces}) iter_args({})", equations(&carried, start));
            if call.head == "fold" {
                return Ok((format!("array.fold {spaces}"), next, None));
            }
            let Value::Pair(next, emitted) = next else {
                return Err(e.error(format!("expected a pair of state and output, found {next}")));
            };
            let outputs = me.typed_leaves(&emitted).iter().map(|x| x.ty.within(&[n])).collect();
            Ok((format!("array.map_accum {spaces}"), *next, Some((*emitted, outputs))))
        })
    }

    fn carried_arguments(&mut self, name: &str, start: &[Typed]) -> Vec<Typed> {
        start.iter().map(|x| self.text().named(name, x.ty.clone())).collect()
    }

    /// Writes a loop whose carried values start as `init`. `write` binds the variables, and returns the op's head, the
    /// next carried values, and the emitted value with the types of its arrays.
    ///
    /// A literal among the initial values takes the type that the loop requires: `0.0` is an f32 if the body adds an
    /// f32. Therefore, if the loop is ill-typed with one float type, the other type is tried.
    fn carried(
        &mut self,
        body: &Term,
        z: &Term,
        init: &Value,
        mut write: impl FnMut(&mut Import, &[Typed]) -> Step,
    ) -> Outcome {
        let own = self.floats;
        let other = if own == Element::F64 { Element::F32 } else { Element::F64 };
        let has_numbers = init.leaves().into_iter().any(|leaf| matches!(leaf, Leaf::Float(_)));
        if !has_numbers {
            return self.carried_as(own, body, z, init, &mut write);
        }
        let (frames, scope, closed) = (self.frames.clone(), self.scope.len(), self.closed);
        let (functions, derivatives) = (self.functions.len(), self.derivatives);
        let restore = |me: &mut Import| {
            me.frames.clone_from(&frames);
            me.scope.truncate(scope);
            me.closed = closed;
            me.functions.truncate(functions);
            me.derivatives = derivatives;
        };
        let first = self.carried_as(own, body, z, init, &mut write);
        // The number of second attempts is bounded, because loops nest.
        if first.is_ok() || self.attempts == 0 {
            return first;
        }
        self.attempts -= 1;
        restore(self);
        let second = self.carried_as(other, body, z, init, &mut write);
        if second.is_err() {
            restore(self);
            return first;
        }
        second
    }

    fn carried_as(
        &mut self,
        floats: Element,
        body: &Term,
        z: &Term,
        init: &Value,
        write: &mut impl FnMut(&mut Import, &[Typed]) -> Step,
    ) -> Outcome {
        let outside = self.scope.len();
        let own = std::mem::replace(&mut self.floats, floats);
        let start = self.typed_leaves(init);
        self.floats = own;
        let open = self.text().open();
        let (head, next, emitted) = write(self, &start)?;
        if !next.is_like(init) {
            return Err(body.error(format!("expected a next state with the structure of {init}, found {next}")));
        }
        let mut yielded = vec![];
        for (leaf, x) in next.leaves().into_iter().zip(&start) {
            if leaf.shape() != x.ty.shape {
                return Err(body.error(format!("expected the next state of type {}, found {leaf}", x.ty)));
            }
            let given = self.cast(body, leaf, x.ty.element);
            yielded.push(given.map_err(|_| {
                z.error(format!("expected a next state of type {}, as the initial state has, found {leaf}", x.ty))
            })?);
        }
        let mut types: Vec<Type> = start.iter().map(|x| x.ty.clone()).collect();
        if let Some((outputs, arrays)) = &emitted {
            yielded.extend(self.typed_leaves(outputs));
            types.extend(arrays.iter().cloned());
        }
        self.scope.truncate(outside);
        let head = format!("{head} -> ({})", list(&types));
        let mut results = self.text().close(open, &yielded, types, head).into_iter();
        let state = init.with(&mut results);
        Ok(match emitted {
            Some((outputs, _)) => Value::pair(state, outputs.with(&mut results)),
            None => state,
        })
    }

    /// Writes an op of one result, of type `ty`, whose region maps indices of these names to a position. `head` formats
    /// the op without its region.
    fn at_positions(
        &mut self,
        names: &[&str],
        positions: &Term,
        ty: &Type,
        head: impl FnOnce(&[Typed]) -> String,
    ) -> Result<Typed, Problem> {
        let outside = self.scope.len();
        let open = self.text().open();
        let indices = self.bind_indices(names);
        let positions = self.indices(positions)?;
        self.scope.truncate(outside);
        Ok(self.text().close(open, &positions, vec![ty.clone()], head(&indices)).swap_remove(0))
    }

    fn bind_indices(&mut self, names: &[&str]) -> Vec<Typed> {
        let bind = |name: &&str| {
            let index = self.text().named(name, Type::scalar(Element::Index));
            self.bind(name, index.clone());
            index
        };
        names.iter().map(bind).collect()
    }

    /// Replicates a value along new leading axes.
    pub fn spread_leading(&mut self, shape: &[usize], x: Typed) -> Typed {
        shape.iter().rev().fold(x, |x, &n| self.replicate(n, &x))
    }
}

/// Formats the space of a region: `%i < 3, %j < 4`.
fn space(indices: &[Typed], shape: &[usize]) -> String {
    list(indices.iter().zip(shape).map(|(i, n)| format!("{i} < {n}")))
}

/// Formats `%a = %x, %b = %y`.
fn equations(arguments: &[Typed], start: &[Typed]) -> String {
    list(arguments.iter().zip(start).map(|(argument, x)| format!("{argument} = {x}")))
}
