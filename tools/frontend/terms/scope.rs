//! The state of the translation: the functions under construction, and the variables in scope.

use super::Zeros;
use super::value::{Leaf, Outcome, Tuple};
use crate::mlir::{identifier, location};
use mlopt_dialects::ir::{Attribute, Block, Builder, Context, Location, Op, OpBuilder, Type, Value, types_of};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::ops::array::Yield;
use mlopt_dialects::ops::func::Return;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::text::{Problem, Span};
use std::collections::HashMap;

pub(super) struct Import {
    pub context: Context,
    /// The name of the file in locations.
    pub file: String,
    /// The position of the term that is being translated.
    pub at: Span,
    /// The body of the module.
    pub module: Block,
    /// The block to which ops are added. It may be detached.
    pub block: Block,
    /// The name of the public function.
    pub symbol: String,
    /// The default float type: `f32` if all float inputs are `f32`, else `f64`.
    pub floats: Type,
    pub zeros: Zeros,
    /// The functions under construction, outermost first.
    pub frames: Vec<Frame>,
    /// The variables in scope, innermost last.
    pub scope: Vec<Binding>,
    /// Variables below this position are not visible: they are outside of a closed function.
    pub closed: usize,
    /// The functions outlined for `deriv`, which are complete.
    pub outlined: Vec<Op>,
    /// The number of loops that may still be tried with other types.
    pub attempts: usize,
}

/// A function under construction.
pub(super) struct Frame {
    /// The body. Its arguments are the parameters.
    body: Block,
    /// The detached constants, in the order of first use, with their values.
    constants: Vec<(Attribute, Op)>,
    known: HashMap<Attribute, Value>,
    /// The first position of its own variables. It receives the variables below that it uses as parameters.
    start: usize,
    /// The positions of the captured variables, and their values in this function.
    pub captured: Vec<(usize, Tuple)>,
}

pub(super) struct Binding {
    name: String,
    value: Tuple,
}

/// The extent of the state before a loop that may have to be imported a second time.
pub(super) struct Snapshot {
    /// For each frame, the numbers of captured variables, parameters and constants.
    frames: Vec<[usize; 3]>,
    scope: usize,
    closed: usize,
    outlined: usize,
    at: Span,
}

impl Import {
    pub fn location(&self) -> Location {
        location(self.context, &self.file, self.at, &[])
    }

    /// Returns the insertion point of new ops.
    pub fn builder(&self) -> Builder {
        Builder::at_end(self.block, self.location())
    }

    /// Runs `import`, which adds ops to `block`.
    fn inside<T>(&mut self, block: Block, import: impl FnOnce(&mut Import) -> T) -> T {
        let around = std::mem::replace(&mut self.block, block);
        let result = import(self);
        self.block = around;
        result
    }

    /// Creates a detached block with arguments of these names and types. `import` adds ops to it, and returns the
    /// values that it yields.
    pub fn region<T>(
        &mut self,
        arguments: impl IntoIterator<Item = (impl AsRef<str>, Type)>,
        import: impl FnOnce(&mut Import, &[Value]) -> Result<(Vec<Value>, T), Problem>,
    ) -> Result<(Block, T), Problem> {
        let location = self.location();
        let named = arguments.into_iter().map(|(name, ty)| (ty, location.named(&identifier(name.as_ref()))));
        let block = Block::new(&named.collect::<Vec<_>>());
        let result = self.inside(block, |me| {
            let (yielded, rest) = import(me, &block.arguments())?;
            Yield::create(me.builder(), &yielded);
            Ok((block, rest))
        });
        if result.is_err() {
            destroy(block);
        }
        result
    }

    /// Imports a term of which only the type or a constant value is needed, which `read` returns, and removes the ops
    /// that compute it.
    pub fn without_ops<T>(
        &mut self,
        term: &Term,
        read: impl FnOnce(&Import, &Tuple) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let block = Block::new(&[]);
        let result = self.inside(block, |me| {
            let value = me.term(term)?;
            read(me, &value)
        });
        destroy(block);
        result
    }

    /// Starts a function, to whose body `import` adds ops; [`Import::end_function`] completes it.
    pub fn function<T>(
        &mut self,
        import: impl FnOnce(&mut Import) -> Result<T, Problem>,
    ) -> Result<(Frame, T), Problem> {
        let body = Block::new(&[]);
        let (constants, known, captured) = (vec![], HashMap::new(), vec![]);
        self.frames.push(Frame { body, constants, known, start: self.scope.len(), captured });
        let result = self.inside(body, import);
        let frame = self.frames.pop().expect("pushed above");
        if result.is_err() {
            destroy(frame.body);
            frame.constants.iter().for_each(|(_, constant)| constant.erase());
        }
        Ok((frame, result?))
    }

    /// Adds a function to the module. Its constants become the first ops; those whose only uses were removed are
    /// dropped.
    pub fn end_function(&self, frame: Frame, name: &str, results: &[Value], is_private: bool) -> Op {
        let body = frame.body;
        let end = Return::create(Builder::at_end(body, self.location()), results).op();
        let first = body.first_op().unwrap_or(end);
        for (_, constant) in frame.constants {
            if constant.result(0).is_unused() {
                constant.erase();
            } else {
                body.insert_before(first, constant);
            }
        }
        let mut function = OpBuilder::function(Kind::FuncFunc, name, body, &types_of(results), self.location());
        if is_private {
            function = function.attribute("sym_visibility", self.context.string_attr("private"));
        }
        self.module.append(function.build())
    }

    /// Adds a parameter to a function under construction.
    pub fn parameter(&self, body: Block, name: &str, ty: Type) -> Value {
        body.add_argument(ty, self.location().named(&identifier(name)))
    }

    /// Returns `arith.constant`, which each function defines once.
    pub fn constant(&mut self, value: Attribute, ty: Type) -> Value {
        let location = self.location();
        let frame = self.frames.last_mut().expect("a function is being written");
        *frame.known.entry(value).or_insert_with(|| {
            let name = match value.as_i64() {
                Some(n) if ty.is_integer(1) => (n != 0).to_string(),
                Some(n) => format!("c{n}").replace('-', "_"),
                None => "cst".into(),
            };
            let constant = OpBuilder::new(Kind::ArithConstant, location.named(&name));
            let constant = constant.attribute("value", value).results(&[ty]).build();
            frame.constants.push((value, constant));
            constant.result(0)
        })
    }

    pub fn snapshot(&self) -> Snapshot {
        let extent = |f: &Frame| [f.captured.len(), f.body.num_arguments(), f.constants.len()];
        Snapshot {
            frames: self.frames.iter().map(extent).collect(),
            scope: self.scope.len(),
            closed: self.closed,
            outlined: self.outlined.len(),
            at: self.at,
        }
    }

    /// Removes everything that was added since the snapshot. Nothing uses it, because the loop's block was destroyed.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.outlined.drain(snapshot.outlined..).for_each(Op::erase);
        for (frame, &[captured, parameters, constants]) in self.frames.iter_mut().zip(&snapshot.frames) {
            frame.captured.truncate(captured);
            (parameters..frame.body.num_arguments()).rev().for_each(|k| frame.body.erase_argument(k));
            for (value, constant) in frame.constants.drain(constants..) {
                frame.known.remove(&value);
                constant.erase();
            }
        }
        self.scope.truncate(snapshot.scope);
        self.closed = snapshot.closed;
        self.at = snapshot.at;
    }

    pub fn bind(&mut self, name: &str, value: impl Into<Tuple>) {
        self.scope.push(Binding { name: name.into(), value: value.into() });
    }

    /// Returns the value of a name in the innermost function.
    pub fn variable(&mut self, term: &Term, name: &str) -> Outcome {
        match self.scope.iter().rposition(|b| b.name == name) {
            Some(position) if position >= self.closed => Ok(self.visible(position, self.frames.len() - 1)),
            Some(_) => Err(term.error(format!(
                "functions passed to `fold` and `mapAccumL` must not use `{name}`, which is defined outside; write the \
                 loop with `ifold`"
            ))),
            None => {
                let names = self.scope.iter().map(|b| b.name.as_str());
                Err(term.error(format!("unknown variable `{name}`{}", did_you_mean(name, names))))
            }
        }
    }

    /// Returns the variable at `position` as seen in `frame`: a parameter of that function if the variable belongs to
    /// an outer one.
    pub fn visible(&mut self, position: usize, frame: usize) -> Tuple {
        if position >= self.frames[frame].start {
            return self.scope[position].value.clone();
        }
        if let Some((_, value)) = self.frames[frame].captured.iter().find(|(p, _)| *p == position) {
            return value.clone();
        }
        let outside = self.visible(position, frame - 1);
        let (body, name) = (self.frames[frame].body, &self.scope[position].name);
        let value = outside.with(&mut outside.leaves().into_iter().map(|leaf| match leaf {
            Leaf::Value(x) => Tuple::from(self.parameter(body, name, x.ty())),
            literal => Tuple::Leaf(literal.clone()),
        }));
        self.frames[frame].captured.push((position, value.clone()));
        value
    }

    /// Returns the position of the innermost visible variable of that name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.scope.iter().rposition(|b| b.name == name).filter(|&p| p >= self.closed)
    }
}

/// Destroys a detached block, whose ops may be deeply nested, last op first.
fn destroy(block: Block) {
    block.ops().into_iter().rev().for_each(Op::erase);
    block.erase();
}
