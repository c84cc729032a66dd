//! Short forms of ops on arrays, whose result types follow from sizes, bodies and functions.

use super::{Builder, Size, Value};
use crate::Element;
use crate::error::Result;
use crate::tensor::Tensor;
use mlopt_dialects::ir::{self, Attribute, Dim};
use mlopt_dialects::ops::{HasKind, Kind};

impl Builder<'_> {
    /// Creates a constant: a number of this type. An integer is rounded towards zero.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("two", &[], |b, _| Ok(vec![b.number(Element::F64, 2.0)?, b.number(Element::I64, 2.0)?]))?;
    /// assert_eq!(module.finish()?.signature("two")?.1, ["f64", "i64"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// An integer is not in the range of the type.
    pub fn number(&mut self, element: Element, number: f64) -> Result<Value> {
        let context = self.core.context();
        let ty = context.scalar(element);
        let (least, most) = if element.is_float() { (0, 0) } else { element.range() };
        let value = match element.is_float() {
            true => Attribute::float(ty, number),
            false if (least as f64..=most as f64).contains(&number) => Attribute::integer(ty, number as i64),
            false => {
                return Err(self.error(format!("a number of type {element} is in {least} to {most}, found {number}")));
            }
        };
        let mut draft = self.draft(Kind::ArithConstant);
        draft.attribute("value", value)?;
        draft.inferred_by_mlir()?;
        draft.one()
    }

    /// Creates a constant array.
    ///
    /// ```
    /// # use mlopt::{ModuleBuilder, Session, Tensor};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// let weights = Tensor::new(&[2], vec![0.5, 1.5])?;
    /// module.function("weights", &[], |b, _| Ok(vec![b.constant(&weights)?]))?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// assert_eq!(code.function("weights")?.call(&[])?, [weights]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// MLIR has no constant of this type.
    pub fn constant(&mut self, tensor: &Tensor) -> Result<Value> {
        let context = self.core.context();
        let scalar = context.scalar(tensor.element());
        let array = tensor.array();
        let numbers: Vec<Attribute> = match tensor.element().is_float() {
            true => array.to_f64().into_iter().map(|number| Attribute::float(scalar, number)).collect(),
            false => array.data().to_integers().into_iter().map(|n| Attribute::integer(scalar, n)).collect(),
        };
        let value = match (&numbers[..], tensor.shape().is_empty()) {
            ([number], true) => *number,
            _ => {
                let sizes: Vec<Dim> = tensor.shape().iter().copied().map(Some).collect();
                Attribute::dense(ir::Type::tensor(&sizes, scalar), &numbers)
            }
        };
        let mut draft = self.draft(Kind::ArithConstant);
        draft.attribute("value", value)?;
        draft.inferred_by_mlir()?;
        draft.one()
    }

    /// Creates `array.build`: arrays of these sizes, whose elements the body computes from their indices. An element
    /// may be an array, whose axes follow.
    ///
    /// ```
    /// # use mlopt::{ModuleBuilder, Session, Type};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("transposed", &[Type::parse("tensor<4x3xf64>")], |b, x| {
    ///     let z = b.build(&[3.into(), 4.into()], |b, ij| Ok(vec![b.array_get(x[0], &[ij[1], ij[0]])?]))?;
    ///     assert_eq!(b.type_of(z[0])?.to_string(), "tensor<3x4xf64>");
    ///     Ok(z)
    /// })?;
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; a size is not of type `index`.
    pub fn build(
        &mut self,
        sizes: &[Size],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let (sizes, extents) = split(sizes);
        let indices = vec![self.core.context().index(); sizes.len()];
        let mut draft = self.draft(Kind::ArrayBuild);
        draft.operands(&extents)?;
        draft.region_of(&indices, body)?;
        draft.typed(draft.yields().iter().map(|ty| ty.stacked(&sizes)).collect());
        draft.all()
    }

    /// Creates `array.ifold`: a loop with carried values. The body gets the index and the carried values, and returns
    /// the next ones.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session, Tensor, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("power", &["f64".into(), "index".into()], |b, x| {
    ///     let one = b.number(Element::F64, 1.0)?;
    ///     b.repeat(x[1], &[one], |b, _, carried| Ok(vec![b.arith_mulf(carried[0], x[0])?]))
    /// })?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// let power = code.function("power")?.call(&[View::scalar(&2.0), View::scalar(&10_i64)])?;
    /// assert_eq!(power, [Tensor::scalar(1024.0)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; it returns values of other types than `inits`.
    pub fn repeat(
        &mut self,
        count: Value,
        inits: &[Value],
        body: impl FnOnce(&mut Builder, Value, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let types = self.types_of(inits)?;
        let arguments = [&[self.core.context().index()], &types[..]].concat();
        let mut draft = self.draft(Kind::ArrayIfold);
        draft.operands(&[count])?;
        draft.operands(inits)?;
        draft.region_of(&arguments, |b, values| body(b, values[0], &values[1..]))?;
        draft.same_as(1);
        draft.all()
    }

    /// Creates `array.map_accum`: a loop over the rows of arrays. The
    /// body gets a row of each array and the carried values; it returns the next carried values and then rows, which
    /// become arrays.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session, Tensor, Type, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("sums", &[Type::parse("tensor<?xf64>")], |b, x| {
    ///     let zero = b.number(Element::F64, 0.0)?;
    ///     b.scan(x, &[zero], |b, rows, carried| {
    ///         let sum = b.arith_addf(carried[0], rows[0])?;
    ///         Ok(vec![sum, sum])
    ///     })
    /// })?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// let sums = code.function("sums")?.call(&[View::new(&[1.0, 2.0, 3.0], &[3])?])?;
    /// assert_eq!(sums, [Tensor::scalar(6.0), Tensor::new(&[3], vec![1.0, 3.0, 6.0])?]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; the arrays have no rows, or different numbers of them.
    pub fn scan(
        &mut self,
        arrays: &[Value],
        inits: &[Value],
        body: impl FnOnce(&mut Builder, &[Value], &[Value]) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let rows: Vec<ir::Type> = self.types_of(arrays)?;
        if let Some(scalar) = rows.iter().find(|ty| ty.shape().is_empty()) {
            return Err(self.error(format!("expected arrays of at least one axis, found {scalar}")));
        }
        let rows = rows.into_iter().map(ir::Type::row);
        let arguments: Vec<ir::Type> = rows.chain(self.types_of(inits)?).collect();
        let mut draft = self.draft(Kind::ArrayMapAccum);
        draft.operands(arrays)?;
        draft.operands(inits)?;
        draft.has_segments = true;
        draft.region_of(&arguments, |b, values| body(b, &values[..arrays.len()], &values[arrays.len()..]))?;
        draft.inferred_by_rule()?;
        draft.all()
    }

    /// Creates `scf.if`: one of two computations, whose values have the same types.
    ///
    /// ```
    /// # use mlopt::{ModuleBuilder, Session, Tensor, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("f", &["i1".into(), "f64".into()], |b, x| {
    ///     b.choose(x[0], |b| Ok(vec![b.math_sqrt(x[1])?]), |_| Ok(vec![x[1]]))
    /// })?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// let root = code.function("f")?.call(&[View::scalar(&true), View::scalar(&9.0)])?;
    /// assert_eq!(root, [Tensor::scalar(3.0)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the bodies; they return values of different types.
    pub fn choose(
        &mut self,
        condition: Value,
        consequent: impl FnOnce(&mut Builder) -> Result<Vec<Value>>,
        alternative: impl FnOnce(&mut Builder) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let mut draft = self.draft(Kind::ScfIf);
        draft.operands(&[condition])?;
        draft.region_of(&[], |b, _| consequent(b))?;
        draft.region_of(&[], |b, _| alternative(b))?;
        draft.typed(draft.yields());
        draft.all()
    }

    /// Creates `func.call`: the results of a function that was built before.
    ///
    /// ```
    /// # let mut module = mlopt::ModuleBuilder::new(&mlopt::Session::new(), "f.calc", "g(1)")?;
    /// let error = module.function("f", &[], |b, x| b.at(1, 1).call("g", x)).unwrap_err();
    /// assert_eq!(error.to_string(), "f.calc:1:1: error: there is no function `@g`\ng(1)\n^");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such function, or its inputs have other types.
    pub fn call(&mut self, function: &str, inputs: &[Value]) -> Result<Vec<Value>> {
        let (wanted, results) = self.signature(Kind::FuncFunc, function)?;
        self.check_inputs(function, inputs, &wanted)?;
        let mut draft = self.draft(Kind::FuncCall);
        draft.symbol("callee", function)?;
        draft.operands(inputs)?;
        draft.typed(results);
        draft.all()
    }

    /// Creates `dual.grad`: the gradient of a function with one result, a float, with respect to the inputs at these
    /// positions.
    ///
    /// ```
    /// # use mlopt::{ModuleBuilder, Session, Tensor, Type, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// let vectors = [Type::parse("tensor<?xf64>"), Type::parse("tensor<?xf64>")];
    /// module.private_function("dot", &vectors, |b, x| {
    ///     let products = b.arith_mulf(x[0], x[1])?;
    ///     Ok(vec![b.array_sum(products, &[0])?])
    /// })?;
    /// module.function("slope", &vectors, |b, x| b.grad("dot", x, &[1]))?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// let (x, y) = ([1.0, 2.0], [3.0, 4.0]);
    /// let slope = code.function("slope")?.call(&[View::new(&x, &[2])?, View::new(&y, &[2])?])?;
    /// assert_eq!(slope, [Tensor::new(&[2], vec![1.0, 2.0])?]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such function, its inputs have other types, or a position is not that of an input.
    pub fn grad(&mut self, function: &str, inputs: &[Value], wrt: &[usize]) -> Result<Vec<Value>> {
        let (wanted, _) = self.signature(Kind::FuncFunc, function)?;
        self.check_inputs(function, inputs, &wanted)?;
        if wrt.iter().any(|&k| k >= wanted.len()) {
            return Err(self.error(format!("`@{function}` has {} inputs, found the positions {wrt:?}", wanted.len())));
        }
        let positions: Vec<i64> = wrt.iter().map(|&k| k as i64).collect();
        self.dual_grad(inputs, Some(function), Some(&positions), None)
    }

    /// Returns the types of inputs and results of a function or node of the program.
    pub(super) fn signature(&self, kind: Kind, name: &str) -> Result<(Vec<ir::Type>, Vec<ir::Type>)> {
        let name = name.trim_start_matches('@');
        let found = self.core.module().lookup(name).filter(|op| op.kind() == kind).and_then(ir::Op::function_type);
        let what = if kind == Kind::StreamNode { "node" } else { "function" };
        found.ok_or_else(|| self.error(format!("there is no {what} `@{name}`")))
    }

    pub(super) fn check_inputs(&self, function: &str, inputs: &[Value], wanted: &[ir::Type]) -> Result<()> {
        let list = |types: &[ir::Type]| types.iter().map(ir::Type::to_string).collect::<Vec<_>>().join(", ");
        let found = self.types_of(inputs)?;
        match found == wanted {
            true => Ok(()),
            false => {
                let name = function.trim_start_matches('@');
                Err(self.error(format!("`@{name}` takes ({}), found ({})", list(wanted), list(&found))))
            }
        }
    }

    fn types_of(&self, values: &[Value]) -> Result<Vec<ir::Type>> {
        values.iter().map(|value| Ok(self.core.find(*value)?.ty())).collect()
    }
}

/// Returns the sizes of a type, and the values of those that it does not contain.
fn split(sizes: &[Size]) -> (Vec<Dim>, Vec<Value>) {
    let dims = sizes.iter().map(|size| match size {
        Size::Static(n) => Some(*n),
        Size::Dynamic(_) => None,
    });
    let extents = sizes.iter().filter_map(|size| match size {
        Size::Static(_) => None,
        Size::Dynamic(value) => Some(*value),
    });
    (dims.collect(), extents.collect())
}
