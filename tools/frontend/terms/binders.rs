//! Translation of terms that bind variables: builds, gathers, scatters and loops.

use super::Zeros;
use super::common::{index_list, one_for_each_size};
use super::scope::Import;
use super::value::{Leaf, Outcome, Tuple, after, shape, static_sizes};
use crate::definitions::Call;
use mlopt_dialects::ir::{Block, Type, Value, types_of};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::ops::array::{Build, Fold, Gather, Ifold, MapAccum, Scatter};
use mlopt_dialects::ops::dual::Zero;
use mlopt_dialects::text::terms::{Number, Term};
use mlopt_dialects::text::{Problem, count};
use mlopt_dialects::value::Element;

/// A loop to import.
struct Loop<'t> {
    /// `array.ifold`, `array.fold` or `array.map_accum`.
    kind: Kind,
    /// The variables of the state, and of the index or the rows.
    names: [&'t str; 2],
    body: &'t Term,
    /// The term of the initial state.
    z: &'t Term,
    init: Tuple,
    /// The number of iterations of an `ifold`, or the arrays over whose rows the others iterate.
    over: Tuple,
}

impl Import {
    pub fn build1(&mut self, call: Call) -> Outcome {
        let [n, i, e] = call.operands()?;
        let (n, i) = (self.size(n)?, self.binder(i)?);
        self.build_over(&[n], &[i], e)
    }

    pub fn build(&mut self, call: Call) -> Outcome {
        let [sizes, names, e] = call.operands()?;
        let (shape, indices) = (self.sizes(sizes)?, self.binders(names)?);
        one_for_each_size(names, "variable", indices.len(), &shape)?;
        if shape.is_empty() { self.term(e) } else { self.build_over(&shape, &indices, e) }
    }

    fn build_over(&mut self, shape: &[usize], names: &[&str], body: &Term) -> Outcome {
        let (block, value) = self.indexed(names, |me, _| {
            let value = me.term(body)?;
            Ok((me.values(&value), value))
        })?;
        Ok(value.with(&mut self.end_build(shape, block).into_iter()))
    }

    /// Creates a detached block whose arguments are indices of these names, which are variables of `import`.
    pub fn indexed<T>(
        &mut self,
        names: &[&str],
        import: impl FnOnce(&mut Import, &[Value]) -> Result<(Vec<Value>, T), Problem>,
    ) -> Result<(Block, T), Problem> {
        let (outside, index) = (self.scope.len(), self.context.index());
        let region = self.region(names.iter().map(|name| (name, index)), |me, indices| {
            names.iter().zip(indices).for_each(|(name, index)| me.bind(name, *index));
            import(me, indices)
        })?;
        self.scope.truncate(outside);
        Ok(region)
    }

    /// Creates the `array.build` over `shape` with this block.
    pub fn end_build(&self, shape: &[usize], block: Block) -> Vec<Value> {
        let sizes = static_sizes(shape);
        let elements = block.end().operands();
        let types: Vec<Type> = elements.into_iter().map(|x| x.ty().stacked(&sizes)).collect();
        Build::create(self.builder(), &[], &types, block).results()
    }

    pub fn gather(&mut self, call: Call) -> Outcome {
        let [sizes, a, names, positions] = call.operands()?;
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
            return self.each(&value, |me, x| Ok(me.builder().get(x, &indices)));
        }
        self.each(&value, |me, x| {
            let block = me.at_positions(&names_of, positions)?;
            let ty = after(x.ty(), m).stacked(&static_sizes(&shape));
            Ok(Gather::create(me.builder(), x, &[], ty, block).z())
        })
    }

    pub fn scatter(&mut self, call: Call) -> Outcome {
        let [sizes, a, names, positions] = call.operands()?;
        let shape = self.sizes(sizes)?;
        let value = self.term(a)?;
        let names_of = self.binders(names)?;
        one_for_each_size(positions, "index", index_list(positions)?.len(), &shape)?;
        let k = names_of.len();
        self.each(&value, |me, x| {
            if x.ty().rank() < k || x.ty().scalar().is_integer(1) {
                return Err(a.error(format!("expected numbers with at least {}, found {}", count(k, "axis"), x.ty())));
            }
            if shape.is_empty() {
                // All elements have the same, empty position.
                return Ok(me.sum_leading(x, k));
            }
            let sizes = static_sizes(&shape);
            if k == 0 {
                let indices = me.indices(positions)?;
                return Ok(me.builder().one_hot(x, &indices, &sizes, &[]));
            }
            let ty = after(x.ty(), k).stacked(&sizes);
            let init = match me.zeros {
                Zeros::Structural if ty.scalar().is_float() => Zero::create(me.builder(), ty).z(),
                _ => me.filled(Number::Int(0), ty),
            };
            let block = me.at_positions(&names_of, positions)?;
            Ok(Scatter::create(me.builder(), x, init, ty, block).z())
        })
    }

    pub fn ifold(&mut self, call: Call) -> Outcome {
        let [names, body, z, n] = call.operands()?;
        let [state, index] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s i)`")) };
        let init = self.term(z)?;
        let over = self.index(n)?.into();
        self.carried(&Loop { kind: Kind::ArrayIfold, names: [state, index], body, z, init, over })
    }

    /// Imports `fold` and `mapAccumL`, loops over rows whose functions are closed.
    pub fn over_rows(&mut self, call: Call) -> Outcome {
        let [names, body, z, a] = call.operands()?;
        let [state, row] = self.binders(names)?[..] else { return Err(names.expected("two variables, `(s x)`")) };
        let (init, over) = (self.term(z)?, self.term(a)?);
        self.outer(a, &over)?;
        let kind = if call.head == "fold" { Kind::ArrayFold } else { Kind::ArrayMapAccum };
        self.carried(&Loop { kind, names: [state, row], body, z, init, over })
    }

    /// Creates a loop.
    ///
    /// A literal among the initial values takes the type that the loop requires: `0.0` is an f32 if the body adds an
    /// f32. Therefore, if the loop is ill-typed with one float type, the other type is tried.
    fn carried(&mut self, of: &Loop) -> Outcome {
        let own = self.floats;
        let has_numbers = of.init.leaves().into_iter().any(|leaf| matches!(leaf, Leaf::Float(_)));
        if !has_numbers {
            return self.carried_as(own, of);
        }
        let before = self.snapshot();
        let first = self.carried_as(own, of);
        // The number of second attempts is bounded, because loops nest.
        if first.is_ok() || self.attempts == 0 {
            return first;
        }
        self.attempts -= 1;
        self.restore(&before);
        let [single, double] = [Element::F32, Element::F64].map(|element| self.context.scalar(element));
        let second = self.carried_as(if own == double { single } else { double }, of);
        if second.is_err() {
            self.restore(&before);
            return first;
        }
        second
    }

    /// Creates a loop in whose initial state the literals have the type `floats`.
    fn carried_as(&mut self, floats: Type, of: &Loop) -> Outcome {
        let &Loop { kind, names: [state, each], body, z, ref init, ref over } = of;
        let outside = self.scope.len();
        let own = std::mem::replace(&mut self.floats, floats);
        let start = self.values(init);
        self.floats = own;
        let sources = self.values(over);
        let each_type = |x: &Value| if kind == Kind::ArrayIfold { x.ty() } else { x.ty().row() };
        let arguments = sources.iter().map(|x| (each, each_type(x))).chain(start.iter().map(|x| (state, x.ty())));
        let (block, emitted) = self.region(arguments, |me, arguments| {
            let (given, carried) = arguments.split_at(sources.len());
            let closed = me.closed;
            if kind != Kind::ArrayIfold {
                me.closed = me.scope.len();
            }
            me.bind(state, init.with(&mut carried.iter().copied()));
            me.bind(each, over.with(&mut given.iter().copied()));
            let next = me.term(body)?;
            me.closed = closed;
            let (next, emitted) = match next {
                next if kind != Kind::ArrayMapAccum => (next, None),
                Tuple::Pair(next, emitted) => (*next, Some(*emitted)),
                _ => return Err(body.error(format!("expected a pair of state and output, found {next}"))),
            };
            let outputs = emitted.as_ref().map(|emitted| me.values(emitted)).unwrap_or_default();
            if !next.is_like(init) {
                return Err(body.error(format!("expected a next state with the structure of {init}, found {next}")));
            }
            let mut yielded = vec![];
            for (leaf, x) in next.leaves().into_iter().zip(&start) {
                if leaf.shape() != shape(x.ty()) {
                    return Err(body.error(format!("expected the next state of type {}, found {leaf}", x.ty())));
                }
                let given = me.cast(body, leaf, x.ty().scalar());
                yielded.push(given.map_err(|_| {
                    z.error(format!(
                        "expected a next state of type {}, the type of the initial state, found {leaf}",
                        x.ty()
                    ))
                })?);
            }
            yielded.extend(outputs);
            Ok((yielded, emitted))
        })?;
        self.scope.truncate(outside);
        let mut types = types_of(&start);
        let outputs = block.end().operands().split_off(start.len());
        types.extend(outputs.iter().map(|x| x.ty().stacked(&sources[0].ty().shape()[..1])));
        let b = self.builder();
        let results = match kind {
            Kind::ArrayIfold => Ifold::create(b, sources[0], &start, &types, block).results(),
            Kind::ArrayFold => Fold::create(b, &sources, &start, &types, block).results(),
            _ => MapAccum::create(b, &sources, &start, &types, block).results(),
        };
        let mut results = results.into_iter();
        let state = init.with(&mut results);
        Ok(match emitted {
            Some(outputs) => Tuple::pair(state, outputs.with(&mut results)),
            None => state,
        })
    }

    /// Creates a detached block that maps indices of these names to a position.
    fn at_positions(&mut self, names: &[&str], positions: &Term) -> Result<Block, Problem> {
        let (block, ()) = self.indexed(names, |me, _| Ok((me.indices(positions)?, ())))?;
        Ok(block)
    }
}
