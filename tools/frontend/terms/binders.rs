//! Translation of terms that bind variables: builds, gathers, scatters and loops.

use super::Zeros;
use super::scope::Import;
use super::value::{Id, Leaf, Type, Typed, Value};
use crate::definitions::operands;
use crate::mlir::list;
use mlopt_dialects::text::Problem;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::value::Element;

type Outcome = Result<Value, Problem>;
/// The head of a loop op, its next state, and the emitted value with the types of its arrays.
type Step = Result<(String, Value, Option<(Value, Vec<Type>)>), Problem>;

impl Import {
    /// Imports a term that binds variables. Returns `None` if `head` is not one.
    pub fn binder_form(&mut self, term: &Term, head: &str, rest: &[Term]) -> Result<Option<Value>, Problem> {
        let value = match head {
            "build1" => {
                let [n, i, e] = operands(term, rest, "(build1 n i e)")?;
                let (n, i) = (self.size(n)?, self.binder(i)?);
                self.build(&[n], &[i], e)
            }
            "build" => {
                let [sizes, names, e] = operands(term, rest, "(build (n1..nk) (i1..ik) e)")?;
                let (shape, indices) = (self.sizes(sizes)?, self.binders(names)?);
                if shape.len() != indices.len() {
                    let text =
                        format!("expected {} variables, one for each size, found {}", shape.len(), indices.len());
                    return Err(names.error(text));
                }
                if shape.is_empty() { self.term(e) } else { self.build(&shape, &indices, e) }
            }
            "gather" => self.gather(term, rest),
            "scatter" => self.scatter(term, rest),
            "ifold" => self.ifold(term, rest),
            "fold" => self.fold(term, rest),
            "mapAccumL" => self.map_accum(term, rest),
            _ => return Ok(None),
        };
        value.map(Some)
    }

    fn build(&mut self, shape: &[usize], names: &[&str], body: &Term) -> Outcome {
        let outside = self.scope.len();
        let open = self.text().open();
        let indices = self.bind_indices(names);
        let value = self.term(body)?;
        let elements = self.typed_leaves(&value);
        self.scope.truncate(outside);
        let types: Vec<Type> = elements.iter().map(|x| x.ty.within(shape)).collect();
        let space: Vec<String> = indices.iter().zip(shape).map(|(i, n)| format!("{i} < {n}")).collect();
        let head = format!("array.build ({}) -> ({})", space.join(", "), list(&types));
        let yielded = pairs(elements);
        let results = self.text().close(open, &yielded, types.len(), head);
        Ok(assemble(&value, results, types))
    }

    fn gather(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [sizes, a, names, positions] = operands(term, rest, "(gather (s1..sk) a (i1..ik) (e1..em))")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        let names_of = self.binders(names)?;
        if shape.len() != names_of.len() {
            let text = format!("expected {} variables, one for each size, found {}", shape.len(), names_of.len());
            return Err(names.error(text));
        }
        let m = positions.list().ok_or_else(|| positions.expected("a list of indices"))?.len();
        if let Some(x) = value.leaves().into_iter().find(|x| x.shape().len() < m) {
            return Err(positions.error(format!("expected at most {} indices for {x}, found {m}", x.shape().len())));
        }
        if m == 0 {
            return self.each(&value, |me, x| Ok(me.spread_leading(&shape, x)));
        }
        if shape.is_empty() {
            let indices = self.indices(positions)?;
            return self.each(&value, |me, x| {
                let ty = x.ty.after(m);
                Ok(me.op(format!("array.get {}[{}] : ({}) -> {ty}", x.id, list(&indices), x.ty), ty))
            });
        }
        self.each(&value, |me, x| {
            let ty = x.ty.after(m).within(&shape);
            let (open, indices, positions) = me.index_function(&names_of, positions)?;
            let space: Vec<String> = indices.iter().zip(&shape).map(|(i, n)| format!("{i} < {n}")).collect();
            let head = format!("array.gather {} : {} ({}) -> ({ty})", x.id, x.ty, space.join(", "));
            let results = me.text().close(open, &positions, 1, head);
            Ok(Value::typed(results[0], ty))
        })
    }

    fn scatter(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [sizes, a, names, positions] = operands(term, rest, "(scatter (d1..dp) a (i1..ik) (e1..ep))")?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        let names_of = self.binders(names)?;
        let p = positions.list().ok_or_else(|| positions.expected("a list of indices"))?.len();
        if p != shape.len() {
            return Err(positions.error(format!("expected {} indices, one for each size, found {p}", shape.len())));
        }
        let k = names_of.len();
        self.each(&value, |me, x| {
            if x.ty.rank() < k || x.ty.element == Element::I1 {
                return Err(a.error(format!("expected numbers with at least {k} axes, found {}", x.ty)));
            }
            let ty = x.ty.after(k).within(&shape);
            if p == 0 {
                // All elements have the same, empty position.
                return Ok(me.sum_leading(x, k));
            }
            if k == 0 {
                let indices = me.indices(positions)?;
                return Ok(me.op(format!("array.one_hot {} at [{}] : ({}) -> {ty}", x.id, list(&indices), x.ty), ty));
            }
            let init = match (me.zeros, ty.element.is_float()) {
                (Zeros::Structural, true) => me.text().op(format_args!("dual.zero : {ty}")),
                (_, true) => me.literal(&Leaf::Float(0.0), &ty).id,
                (_, false) => me.literal(&Leaf::Int(0), &ty).id,
            };
            let (open, indices, positions) = me.index_function(&names_of, positions)?;
            let head = format!("array.scatter {} into {init} : {} into {ty} ({})", x.id, x.ty, list(&indices));
            let results = me.text().close(open, &positions, 1, head);
            Ok(Value::typed(results[0], ty))
        })
    }

    fn ifold(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [names, e, z, n] = operands(term, rest, "(ifold (s i) e z n)")?;
        let [state, index] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s i)`")) };
        let init = self.term(z)?;
        let count = self.index(n)?;
        self.carried(e, z, &init, |me, start| {
            let i = me.text().named(index);
            let (value, ids) = me.carried_arguments(state, &init, start);
            me.bind(state, value);
            me.bind(index, Value::typed(i, Type::scalar(Element::Index)));
            let next = me.term(e)?;
            let types: Vec<&Type> = start.iter().map(|x| &x.ty).collect();
            let head =
                format!("array.ifold ({i} < {count}) iter_args({}) -> ({})", equations(&ids, start), list(&types));
            Ok((head, next, None))
        })
    }

    fn fold(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [names, e, z, a] = operands(term, rest, "(fold (s x) e z a)")?;
        let [state, row] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s x)`")) };
        let (init, arrays) = (self.term(z)?, self.term(a)?);
        self.outer(a, &arrays)?;
        self.carried(e, z, &init, |me, start| {
            let (spaces, next) = me.rows(state, row, &init, start, &arrays, e)?;
            let types: Vec<&Type> = start.iter().map(|x| &x.ty).collect();
            Ok((format!("array.fold {spaces} -> ({})", list(&types)), next, None))
        })
    }

    fn map_accum(&mut self, term: &Term, rest: &[Term]) -> Outcome {
        let [names, e, z, a] = operands(term, rest, "(mapAccumL (s x) e z a)")?;
        let [state, row] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s x)`")) };
        let (init, arrays) = (self.term(z)?, self.term(a)?);
        let n = self.outer(a, &arrays)?;
        self.carried(e, z, &init, |me, start| {
            let (spaces, next) = me.rows(state, row, &init, start, &arrays, e)?;
            let Value::Pair(next, emitted) = next else {
                return Err(e.error(format!("expected a pair of state and output, found {next}")));
            };
            let outputs: Vec<Type> = me.typed_leaves(&emitted).iter().map(|x| x.ty.within(&[n])).collect();
            let types: Vec<&Type> = start.iter().map(|x| &x.ty).chain(&outputs).collect();
            let head = format!("array.map_accum {spaces} -> ({})", list(&types));
            Ok((head, *next, Some((*emitted, outputs))))
        })
    }

    /// Returns the part `(ROWS) iter_args(CARRIED)` of a closed loop over rows, and the result of its body.
    fn rows(
        &mut self,
        state: &str,
        row: &str,
        init: &Value,
        start: &[Typed],
        arrays: &Value,
        body: &Term,
    ) -> Result<(String, Value), Problem> {
        let sources = self.typed_leaves(arrays);
        let rows: Vec<Typed> =
            sources.iter().map(|x| Typed { id: self.text().named(row), ty: x.ty.after(1) }).collect();
        let (carried, ids) = self.carried_arguments(state, init, start);
        let closed = std::mem::replace(&mut self.closed, self.scope.len());
        self.bind(state, carried);
        let leaves: Vec<Value> = rows.iter().map(|r| Value::typed(r.id, r.ty.clone())).collect();
        self.bind(row, arrays.with(&mut leaves.into_iter()));
        let next = self.term(body)?;
        self.closed = closed;
        let spaces: Vec<String> =
            rows.iter().zip(&sources).map(|(r, x)| format!("{} = {} : {}", r.id, x.id, x.ty)).collect();
        Ok((format!("({}) iter_args({})", spaces.join(", "), equations(&ids, start)), next))
    }

    fn carried_arguments(&mut self, name: &str, init: &Value, start: &[Typed]) -> (Value, Vec<Id>) {
        let ids: Vec<Id> = start.iter().map(|_| self.text().named(name)).collect();
        let types = start.iter().map(|x| x.ty.clone()).collect();
        (assemble(init, ids.clone(), types), ids)
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
        let before = self.checkpoint();
        let first = self.carried_as(own, body, z, init, &mut write);
        // The number of second attempts is bounded, because loops nest.
        if first.is_ok() || self.attempts == 0 {
            return first;
        }
        self.attempts -= 1;
        let outside = self.restore(before);
        let second = self.carried_as(other, body, z, init, &mut write);
        if second.is_err() {
            self.restore(outside);
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
            let given = given.map_err(|_| {
                z.error(format!("expected a next state of type {}, as the initial state has, found {leaf}", x.ty))
            })?;
            yielded.push((given.id, given.ty));
        }
        let mut types: Vec<Type> = start.iter().map(|x| x.ty.clone()).collect();
        let carried = types.len();
        if let Some((outputs, arrays)) = &emitted {
            yielded.extend(pairs(self.typed_leaves(outputs)));
            types.extend(arrays.iter().cloned());
        }
        self.scope.truncate(outside);
        let mut results = self.text().close(open, &yielded, types.len(), head);
        let outputs = results.split_off(carried);
        let arrays = types.split_off(carried);
        let state = assemble(init, results, types);
        Ok(match emitted {
            Some((value, _)) => Value::pair(state, assemble(&value, outputs, arrays)),
            None => state,
        })
    }

    /// Opens a region with indices, and imports the positions in it.
    #[allow(clippy::type_complexity)]
    fn index_function(
        &mut self,
        names: &[&str],
        positions: &Term,
    ) -> Result<(super::text::Open, Vec<Id>, Vec<(Id, Type)>), Problem> {
        let outside = self.scope.len();
        let open = self.text().open();
        let indices = self.bind_indices(names);
        let positions = self.indices(positions)?;
        self.scope.truncate(outside);
        Ok((open, indices, positions.into_iter().map(|id| (id, Type::scalar(Element::Index))).collect()))
    }

    fn bind_indices(&mut self, names: &[&str]) -> Vec<Id> {
        let bind = |name: &&str| {
            let id = self.text().named(name);
            self.bind(name, Value::typed(id, Type::scalar(Element::Index)));
            id
        };
        names.iter().map(bind).collect()
    }

    /// Replicates a value along new leading axes.
    pub fn spread_leading(&mut self, shape: &[usize], x: Typed) -> Value {
        let mut value = Value::typed(x.id, x.ty.clone());
        let mut ty = x.ty;
        for &n in shape.iter().rev() {
            let Value::Leaf(Leaf::Typed(inner)) = value else { unreachable!("one array") };
            value = self.replicate(n, inner);
            ty = ty.within(&[n]);
        }
        value
    }
}

/// Formats `%a = %x, %b = %y`.
fn equations(ids: &[Id], start: &[Typed]) -> String {
    ids.iter().zip(start).map(|(id, x)| format!("{id} = {}", x.id)).collect::<Vec<_>>().join(", ")
}

/// Arranges values in the structure of `like`.
fn assemble(like: &Value, ids: Vec<Id>, types: Vec<Type>) -> Value {
    like.with(&mut ids.into_iter().zip(types).map(|(id, ty)| Value::typed(id, ty)))
}

fn pairs(values: Vec<Typed>) -> Vec<(Id, Type)> {
    values.into_iter().map(|x| (x.id, x.ty)).collect()
}
