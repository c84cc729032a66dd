//! Builders: programs that are built by calls instead of texts.
//!
//! Every op has a method, which is generated from the definition of the op in TableGen; `arrays.rs` and `nodes.rs` have
//! shorter forms of the ones that front ends use most. An op is verified when it is created.
#![allow(clippy::doc_lazy_continuation, reason = "the documentation of methods is that of ops, in MLIR's notation")]

mod arrays;
mod draft;
mod nodes;
mod rules;

use crate::error::{Error, ErrorKind, Result};
use crate::module::Module;
use crate::session::Session;
use crate::stack::on_large_stack;
use crate::{Element, TensorType};
use draft::Draft;
use mlopt_dialects::bridge::program::{Program, collecting};
use mlopt_dialects::diagnostics::{Messages, captured_at};
use mlopt_dialects::ir::{self, Attribute, Block, Location, Op, OpBuilder};
use mlopt_dialects::ops::enums::FastMath;
use mlopt_dialects::ops::{Kind, enums};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A type of values of a program, as MLIR writes it.
///
/// ```
/// use mlopt::{Element, Type};
///
/// assert_eq!(Type::from(Element::F64).to_string(), "f64");
/// assert_eq!(Type::tensor(Element::F32, &[Some(3), None]).to_string(), "tensor<3x?xf32>");
/// assert_eq!(Type::parse("(f64) -> f64"), "(f64) -> f64".into());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type(String);

impl Type {
    /// Returns the type of arrays of this shape, in which `None` is a size that is known at run time only.
    ///
    /// ```
    /// let ty = mlopt::Type::tensor(mlopt::Element::I64, &[None]);
    /// assert_eq!(ty.to_string(), "tensor<?xi64>");
    /// ```
    pub fn tensor(element: Element, shape: &[Option<usize>]) -> Type {
        TensorType { element, shape: shape.to_vec() }.into()
    }

    /// Returns the type with this text, which is checked when it is used.
    ///
    /// ```
    /// let list = mlopt::Type::parse("!lambda.list<f64>");
    /// assert_eq!(list.to_string(), "!lambda.list<f64>");
    /// ```
    pub fn parse(text: &str) -> Type {
        Type(text.to_string())
    }
}

impl From<Element> for Type {
    fn from(element: Element) -> Type {
        TensorType { element, shape: vec![] }.into()
    }
}

impl From<TensorType> for Type {
    fn from(ty: TensorType) -> Type {
        Type(ty.to_string())
    }
}

impl From<&str> for Type {
    fn from(text: &str) -> Type {
        Type::parse(text)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A value of a program under construction. It is a number, so it may be kept; where its builder does not know it, or
/// where it is not visible, its use is an error.
///
/// ```
/// let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "x")?;
/// let mut kept = None;
/// module.function("f", &["f64".into()], |_, inputs| {
///     kept = Some(inputs[0]);
///     Ok(inputs.to_vec())
/// })?;
/// let error = module.function("g", &[], |_, _| Ok(vec![kept.unwrap()])).unwrap_err();
/// assert_eq!(error.diagnostics()[0].text, "a value of another function or region is not visible here");
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    module: u64,
    index: usize,
}

/// A size of an array in a builder: a constant, or a value of type `index`.
///
/// ```
/// # use mlopt::{Element, ModuleBuilder, Session, Size, Type};
/// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
/// module.function("f", &[Type::from(Element::Index)], |b, n| {
///     let z = b.build(&[Size::from(2), Size::from(n[0])], |_, ij| Ok(vec![ij[1]]))?;
///     assert_eq!(b.type_of(z[0])?.to_string(), "tensor<2x?xindex>");
///     Ok(z)
/// })?;
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// A size that the type contains.
    Static(usize),
    /// A size that is known at run time.
    Dynamic(Value),
}

impl From<usize> for Size {
    fn from(size: usize) -> Size {
        Size::Static(size)
    }
}

impl From<Value> for Size {
    fn from(size: Value) -> Size {
        Size::Dynamic(size)
    }
}

/// A program under construction: functions and nodes, in the order in which they are built. Diagnostics show positions
/// in the source of the front end.
///
/// ```
/// use mlopt::{Element, ModuleBuilder, Pipeline, Session, Target, Tensor, Type, View};
///
/// let mut module = ModuleBuilder::new(&Session::new(), "square.calc", "x * x")?;
/// module.at(1, 3);
/// module.function("square", &[Element::F64.into()], |b, x| Ok(vec![b.arith_mulf(x[0], x[0])?]))?;
/// module.function("slope", &[Element::F64.into()], |b, x| b.grad("square", x, &[0]))?;
/// let code = module.finish()?.compile(&Pipeline::default_cpu(), &Target::host())?;
/// assert_eq!(code.function("slope")?.call(&[View::scalar(&3.0)])?, [Tensor::scalar(6.0)]);
/// # Ok::<(), mlopt::Error>(())
/// ```
pub struct ModuleBuilder {
    session: Session,
    core: Core,
    messages: Messages,
    source: Arc<str>,
}

/// The state that all builders of a program share.
pub(crate) struct Core {
    number: u64,
    /// `None` after [`ModuleBuilder::finish`].
    program: Option<Program>,
    file: String,
    source: Arc<str>,
    position: (usize, usize),
    fastmath: Option<FastMath>,
    /// The values, and the scope of each.
    values: Vec<(ir::Value, u64)>,
    /// The scopes that are open, from the outermost one on.
    scopes: Vec<u64>,
    next_scope: u64,
}

/// The insertion point in a function, a node or a region of an op. It has a method for each op, which creates it: the
/// name of the method is that of the op with `_` for `.`.
///
/// ```
/// # use mlopt::{ModuleBuilder, Session, Type};
/// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "sum(x)")?;
/// module.function("f", &[Type::parse("tensor<4x3xf64>")], |b, x| {
///     let z = b.array_sum(x[0], &[0])?;
///     assert_eq!(b.type_of(z)?.to_string(), "tensor<3xf64>");
///     Ok(vec![b.math_sin(z)?])
/// })?;
/// // Wrong operands are errors of the call.
/// let error = module.function("g", &["f64".into()], |b, x| Ok(vec![b.array_sum(x[0], &[0])?])).unwrap_err();
/// assert!(error.diagnostics()[0].text.starts_with("'array.sum' op"), "{error}");
/// # Ok::<(), mlopt::Error>(())
/// ```
pub struct Builder<'m> {
    core: &'m mut Core,
    block: Block,
}

/// The dialects of ops that builders create.
const DIALECTS: &[&str] = &["arith", "array", "dual", "func", "lambda", "math", "scf", "stream"];

include!(concat!(env!("OUT_DIR"), "/methods.rs"));

impl ModuleBuilder {
    /// Creates an empty program. `file` and `source` are the name and the text that diagnostics show.
    ///
    /// ```
    /// let module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "empty.calc", "")?;
    /// assert!(module.finish()?.functions()?.is_empty());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no memory for a stack.
    pub fn new(session: &Session, file: &str, source: &str) -> Result<ModuleBuilder> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let messages = Messages::default();
        let empty = on_large_stack(|| collecting(&messages, || Program::empty(file)))?;
        let program = empty.map_err(|_| Error::reported(messages.take()))?;
        program.module().context().load_dialects(DIALECTS);
        let source: Arc<str> = source.into();
        let core = Core {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            program: Some(program),
            file: file.to_string(),
            source: source.clone(),
            position: (0, 0),
            fastmath: None,
            values: vec![],
            scopes: vec![],
            next_scope: 0,
        };
        Ok(ModuleBuilder { session: session.clone(), core, messages, source })
    }

    /// Sets the position in the source, from one, of the functions that are built next.
    ///
    /// ```
    /// let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "f(x) = x + true")?;
    /// module.at(1, 8);
    /// let inputs = ["f64".into(), "i1".into()];
    /// let error = module.function("f", &inputs, |b, x| Ok(vec![b.arith_addf(x[0], x[1])?])).unwrap_err();
    /// assert!(error.to_string().starts_with("f.calc:1:8: error: 'arith.addf' op"), "{error}");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn at(&mut self, line: usize, column: usize) -> &mut ModuleBuilder {
        self.core.position = (line, column);
        self
    }

    /// Returns an error at the current position, for a front end that finds one.
    ///
    /// ```
    /// let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "f(x = x")?;
    /// let error = module.at(1, 5).error("expected `)`, found `=`");
    /// assert_eq!(error.to_string(), "f.calc:1:5: error: expected `)`, found `=`\nf(x = x\n    ^");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn error(&self, text: impl fmt::Display) -> Error {
        self.core.error(text)
    }

    /// Adds a function, which compiled code contains. The body gets the inputs, and returns the results.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "")?;
    /// module.function("first", &["f64".into(), "i64".into()], |_, inputs| Ok(vec![inputs[0]]))?;
    /// assert_eq!(module.finish()?.signature("first")?.1, ["f64"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; there is a function or node of this name.
    pub fn function(
        &mut self,
        name: &str,
        inputs: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        self.symbol(Kind::FuncFunc, name, inputs, vec![], body)
    }

    /// Adds a function that only other functions of the program use.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "")?;
    /// module.private_function("twice", &["f64".into()], |b, x| Ok(vec![b.arith_addf(x[0], x[0])?]))?;
    /// module.function("f", &["f64".into()], |b, x| b.call("twice", x))?;
    /// assert_eq!(module.finish()?.functions()?, ["f"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`ModuleBuilder::function`].
    pub fn private_function(
        &mut self,
        name: &str,
        inputs: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        let visibility = self.core.context().string_attr("private");
        self.symbol(Kind::FuncFunc, name, inputs, vec![("sym_visibility", visibility)], body)
    }

    /// Adds a reactive node. The inputs have names and types, the outputs have names; the body returns a stream for
    /// each output.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session, Tensor, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "total.calc", "")?;
    /// module.node("total", &[("x", Element::F64.into())], &["y"], |b, x| {
    ///     let zero = b.number(Element::F64, 0.0)?;
    ///     Ok(vec![b.feedback(zero, |b, before| b.arith_addf(before, x[0]))?])
    /// })?;
    /// let mut total = module.finish()?.node("total")?;
    /// for (x, y) in [(1.0, 1.0), (2.0, 3.0), (3.0, 6.0)] {
    ///     assert_eq!(total.step(&[Some(View::scalar(&x))])?, [Some(Tensor::scalar(y))]);
    /// }
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; there is a function or node of this name.
    pub fn node(
        &mut self,
        name: &str,
        inputs: &[(&str, Type)],
        outputs: &[&str],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        let context = self.core.context();
        let names = [
            ("inputs", context.strings_attr(inputs.iter().map(|(name, _)| name))),
            ("outputs", context.strings_attr(outputs)),
        ];
        let types: Vec<Type> = inputs.iter().map(|(_, ty)| ty.clone()).collect();
        self.symbol(Kind::StreamNode, name, &types, names.to_vec(), body)
    }

    /// Adds ops in the notation of MLIR, such as the declaration of a data type.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "")?;
    /// module.text("func.func private @half(%x: f64) -> f64 {
    ///     %h = arith.constant 0.5 : f64
    ///     %z = arith.mulf %h, %x : f64
    ///     return %z : f64
    /// }")?;
    /// module.function("f", &["f64".into()], |b, x| b.call("half", x))?;
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not valid.
    pub fn text(&mut self, text: &str) -> Result<()> {
        let module = self.core.module();
        let body = module.entry();
        let parsed = self.core.reported(|| module.context().parse_ops(text));
        let ops = parsed.map_err(|error| error.unwrap_or_else(|| self.core.error("the text is not valid")))?;
        ops.into_iter().for_each(|op| {
            body.append(op);
        });
        Ok(())
    }

    /// Verifies the program and returns it.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "")?;
    /// module.function("f", &["f64".into()], |_, x| Ok(x.to_vec()))?;
    /// let module = module.finish()?;
    /// assert_eq!(module.functions()?, ["f"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A constraint on several functions is violated.
    pub fn finish(mut self) -> Result<Module> {
        let program = self.core.program.take().ok_or_else(|| Error::internal("a program is finished once"))?;
        let messages = self.messages.clone();
        let verified = on_large_stack(move || program.verified())?;
        let program =
            verified.map_err(|_| Error::reported(messages.take()).with_lines(&self.core.file, &self.source))?;
        let (file, source) = (self.core.file.clone(), self.source.clone());
        Ok(Module::of(self.session.clone(), program, self.messages.clone(), file, Some(source)))
    }

    /// Adds an op with a name and a type of functions.
    fn symbol(
        &mut self,
        kind: Kind,
        name: &str,
        inputs: &[Type],
        attributes: Vec<(&str, Attribute)>,
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        let module = self.core.module();
        let name = name.trim_start_matches('@');
        if module.lookup(name).is_some() {
            return Err(self.core.error(format!("there is already a function or node `@{name}`")));
        }
        let types: Result<Vec<ir::Type>> = inputs.iter().map(|ty| self.core.ty(ty)).collect();
        let (types, location) = (types?, self.core.location());
        let block = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
        let op = OpBuilder::function(kind.name(), name, block, &[], location).attributes(attributes).build();
        module.entry().append(op);
        let position = self.core.position;
        let built = self.core.enter(block, kind, body);
        self.core.position = position;
        let outcome = built.and_then(|()| {
            let results = ir::types_of(&block.end().operands());
            let context = op.context();
            op.set_attribute("function_type", context.type_attr(context.function_type(&types, &results)));
            let core = &self.core;
            let verified = core.reported(|| op.verify().then_some(()));
            verified.map_err(|error| error.unwrap_or_else(|| core.error(format!("`@{name}` is not valid"))))
        });
        if outcome.is_err() {
            op.erase();
        }
        outcome
    }
}

impl fmt::Debug for ModuleBuilder {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("ModuleBuilder").field("file", &self.core.file).finish_non_exhaustive()
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        let _destroyed = self.program.take().map(|program| on_large_stack(move || drop(program)));
    }
}

impl Core {
    fn module(&self) -> Op {
        self.program.as_ref().expect("only `finish` takes the program").module()
    }

    fn context(&self) -> ir::Context {
        self.module().context()
    }

    fn location(&self) -> Location {
        self.context().position(&self.file, self.position.0, self.position.1)
    }

    /// Returns an error at the current position.
    fn error(&self, text: impl fmt::Display) -> Error {
        let place = match self.position {
            (0, _) => self.file.clone(),
            (line, column) => format!("{}:{line}:{column}", self.file),
        };
        Error::at(ErrorKind::Program, &place, text).with_lines(&self.file, &self.source)
    }

    /// Runs `work`. If it returns `None`, its diagnostics are the error, if there are any.
    fn reported<T>(&self, work: impl FnOnce() -> Option<T>) -> Result<T, Option<Error>> {
        let (outcome, messages) = captured_at(self.context(), work);
        outcome.ok_or_else(|| {
            (!messages.is_empty()).then(|| Error::reported(messages).with_lines(&self.file, &self.source))
        })
    }

    fn ty(&self, ty: &Type) -> Result<ir::Type> {
        let parsed = self.reported(|| self.context().parse_type(&ty.0));
        parsed.map_err(|_| self.error(format!("expected a type, found `{ty}`")))
    }

    fn attribute(&self, text: &str) -> Result<Attribute> {
        let parsed = self.reported(|| self.context().parse_attribute(text));
        parsed.map_err(|_| self.error(format!("expected an attribute, found `{text}`")))
    }

    /// Returns the handle of a value that is visible here.
    fn find(&self, value: Value) -> Result<ir::Value> {
        if value.module != self.number {
            return Err(self.error("a value of another program cannot be used here"));
        }
        let (found, scope) = self.values[value.index];
        match self.scopes.contains(&scope) {
            true => Ok(found),
            false => Err(self.error("a value of another function or region is not visible here")),
        }
    }

    fn add(&mut self, value: ir::Value) -> Value {
        let scope = self.scopes.last().copied().unwrap_or(u64::MAX);
        self.values.push((value, scope));
        Value { module: self.number, index: self.values.len() - 1 }
    }

    /// Builds the body of a block of an op of this kind, with its terminator.
    fn enter(
        &mut self,
        block: Block,
        kind: Kind,
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        let scope = Scope::open(self);
        let core = &mut *scope.0;
        let arguments: Vec<Value> = block.arguments().into_iter().map(|value| core.add(value)).collect();
        let values = body(&mut Builder { core, block }, &arguments)?;
        let values: Result<Vec<ir::Value>> = values.into_iter().map(|value| core.find(value)).collect();
        block.append(OpBuilder::new(end(kind).name(), core.location()).operands(&values?).build());
        Ok(())
    }
}

/// The time in which the values of a region are visible. It ends also by a panic, after which they are erased.
struct Scope<'c>(&'c mut Core, usize);

impl Scope<'_> {
    fn open(core: &mut Core) -> Scope<'_> {
        let depth = core.scopes.len();
        core.next_scope += 1;
        core.scopes.push(core.next_scope);
        Scope(core, depth)
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        self.0.scopes.truncate(self.1);
    }
}

/// Returns the op that ends the regions of an op.
fn end(kind: Kind) -> Kind {
    match kind {
        Kind::FuncFunc => Kind::FuncReturn,
        Kind::StreamNode => Kind::StreamYield,
        Kind::LambdaLambda => Kind::LambdaReturn,
        _ => match kind.dialect() {
            "lambda" => Kind::LambdaYield,
            "dual" => Kind::DualYield,
            "scf" => Kind::ScfYield,
            _ => Kind::ArrayYield,
        },
    }
}

impl<'m> Builder<'m> {
    fn draft<'b>(&'b mut self, kind: Kind) -> Draft<'b, 'm> {
        Draft::new(self, kind)
    }

    /// Sets the position in the source, from one, of the ops that are built next.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "x\n + 1")?;
    /// let error = module.function("f", &["f64".into()], |b, x| {
    ///     let one = b.at(2, 4).number(mlopt::Element::I64, 1.0)?;
    ///     Ok(vec![b.at(2, 2).arith_addf(x[0], one)?])
    /// });
    /// let error = error.unwrap_err();
    /// assert_eq!((error.diagnostics()[0].line, error.diagnostics()[0].column), (Some(2), Some(2)));
    /// assert_eq!(error.diagnostics()[0].source_line.as_deref(), Some(" + 1"));
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn at(&mut self, line: usize, column: usize) -> &mut Builder<'m> {
        self.core.position = (line, column);
        self
    }

    /// Sets the permissions of floating-point ops that are built next, such as `FastMath::REASSOC`.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "")?;
    /// module.function("f", &["f64".into()], |b, x| {
    ///     b.fastmath(mlopt::enums::FastMath::REASSOC);
    ///     Ok(vec![b.arith_addf(x[0], x[0])?])
    /// })?;
    /// assert!(module.finish()?.text()?.contains("fastmath<reassoc>"));
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn fastmath(&mut self, flags: FastMath) -> &mut Builder<'m> {
        self.core.fastmath = Some(flags);
        self
    }

    /// Returns the type of a value.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "")?;
    /// module.function("f", &["f64".into()], |b, x| {
    ///     assert_eq!(b.type_of(x[0])?, "f64".into());
    ///     Ok(vec![])
    /// })?;
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value is not visible here.
    pub fn type_of(&self, value: Value) -> Result<Type> {
        Ok(Type(self.core.find(value)?.ty().to_string()))
    }

    /// Returns an error at the current position, for a front end that finds one.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "y")?;
    /// let error = module.function("f", &[], |b, _| Err(b.at(1, 1).error("unknown name `y`"))).unwrap_err();
    /// assert_eq!(error.to_string(), "f.calc:1:1: error: unknown name `y`\ny\n^");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn error(&self, text: impl fmt::Display) -> Error {
        self.core.error(text)
    }
}

impl fmt::Debug for Builder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Builder").field("file", &self.core.file).field("position", &self.core.position).finish()
    }
}
