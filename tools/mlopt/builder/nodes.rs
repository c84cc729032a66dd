//! Short forms of ops of reactive nodes, and of functions as values.

use super::{Builder, Type, Value};
use crate::error::Result;
use mlopt_dialects::ir;
use mlopt_dialects::ops::Kind;

impl Builder<'_> {
    /// Creates a stream that depends on its own previous value by `stream.fby`: the body gets the value of the previous
    /// cycle, in the first cycle `init`, and returns that of this cycle, which is the result.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session, Tensor, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "n.calc", "")?;
    /// module.node("count", &[], &["n"], |b, _| {
    ///     let (zero, one) = (b.number(Element::I64, 0.0)?, b.number(Element::I64, 1.0)?);
    ///     Ok(vec![b.feedback(zero, |b, before| b.arith_addi(before, one))?])
    /// })?;
    /// let mut count = module.finish()?.node("count")?;
    /// assert_eq!(count.step(&[])?, [Some(Tensor::scalar(1_i64))]);
    /// assert_eq!(count.step(&[])?, [Some(Tensor::scalar(2_i64))]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; it returns a value of another type than `init`; the builder is not in a node.
    pub fn feedback(&mut self, init: Value, body: impl FnOnce(&mut Builder, Value) -> Result<Value>) -> Result<Value> {
        // The second operand is replaced when it is known.
        let previous = self.stream_fby(init, init)?;
        let next = body(self, previous)?;
        let (delay, found) = (self.core.find(previous)?, self.core.find(next)?);
        if found.ty() != delay.ty() {
            return Err(self.error(format!("the next value must have the type {}, found {}", delay.ty(), found.ty())));
        }
        if let Some((op, _)) = delay.defining_op() {
            op.set_operand(1, found);
        }
        Ok(next)
    }

    /// Creates `stream.instance`: the outputs of a node that was built before, with a state of its own. `name` prefixes
    /// the names of its parameters.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session, Tensor, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "n.calc", "")?;
    /// module.node("previous", &[("x", Element::F64.into())], &["y"], |b, x| {
    ///     let zero = b.number(Element::F64, 0.0)?;
    ///     Ok(vec![b.stream_fby(zero, x[0])?])
    /// })?;
    /// module.node("change", &[("x", Element::F64.into())], &["d"], |b, x| {
    ///     let before = b.instance("before", "previous", x)?;
    ///     Ok(vec![b.arith_subf(x[0], before[0])?])
    /// })?;
    /// let mut change = module.finish()?.node("change")?;
    /// assert_eq!(change.step(&[Some(View::scalar(&3.0))])?, [Some(Tensor::scalar(3.0))]);
    /// assert_eq!(change.step(&[Some(View::scalar(&5.0))])?, [Some(Tensor::scalar(2.0))]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such node, or its inputs have other types.
    pub fn instance(&mut self, name: &str, node: &str, inputs: &[Value]) -> Result<Vec<Value>> {
        let (wanted, results) = self.signature(Kind::StreamNode, node)?;
        self.check_inputs(node, inputs, &wanted)?;
        let mut draft = self.draft(Kind::StreamInstance);
        draft.attribute("instance_name", name)?;
        draft.symbol("callee", node)?;
        draft.operands(inputs)?;
        draft.typed(results);
        draft.all()
    }

    /// Creates `lambda.lambda`: a function as a value. Values that the body uses are captured.
    ///
    /// ```
    /// # use mlopt::{ModuleBuilder, Session, Tensor, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("slope", &["f64".into()], |b, x| {
    ///     let cube = b.lambda(&["f64".into()], |b, y| {
    ///         let square = b.arith_mulf(y[0], y[0])?;
    ///         b.arith_mulf(square, y[0])
    ///     })?;
    ///     let slope = b.lambda_grad(cube, &[0], false, None)?;
    ///     Ok(vec![b.lambda_apply(slope, x)?])
    /// })?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// assert_eq!(code.function("slope")?.call(&[View::scalar(&2.0)])?, [Tensor::scalar(12.0)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body.
    pub fn lambda(
        &mut self,
        inputs: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Value>,
    ) -> Result<Value> {
        self.lambda_lambda(inputs, |b, values| Ok(vec![body(b, values)?]))
    }

    /// Creates `lambda.letrec` with one function of this type, which may call itself. The body gets the function and
    /// its inputs.
    ///
    /// ```
    /// # use mlopt::{Element, ModuleBuilder, Session, Tensor, Type, View};
    /// # let mut module = ModuleBuilder::new(&Session::new(), "f.calc", "")?;
    /// module.function("factorial", &["f64".into()], |b, x| {
    ///     let factorial = b.recursive(&["f64".into()], &"f64".into(), |b, itself, n| {
    ///         let (zero, one) = (b.number(Element::F64, 0.0)?, b.number(Element::F64, 1.0)?);
    ///         let is_zero = b.arith_cmpf(n[0], zero, mlopt::enums::CmpFPredicate::Oeq)?;
    ///         let value = b.lambda_if(is_zero, &[], |_, _| Ok(vec![one]), &[], |b, _| {
    ///             let less = b.arith_subf(n[0], one)?;
    ///             let rest = b.lambda_apply(itself, &[less])?;
    ///             Ok(vec![b.arith_mulf(n[0], rest)?])
    ///         })?;
    ///         Ok(value[0])
    ///     })?;
    ///     Ok(vec![b.lambda_apply(factorial, x)?])
    /// })?;
    /// let code = module.finish()?.compile(&Default::default(), &mlopt::Target::host())?;
    /// assert_eq!(code.function("factorial")?.call(&[View::scalar(&5.0)])?, [Tensor::scalar(120.0)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the body; its value has another type than `result`.
    pub fn recursive(
        &mut self,
        inputs: &[Type],
        result: &Type,
        body: impl FnOnce(&mut Builder, Value, &[Value]) -> Result<Value>,
    ) -> Result<Value> {
        let types: Result<Vec<ir::Type>> = inputs.iter().map(|ty| self.core.ty(ty)).collect();
        let function = self.core.context().function_type(&types?, &[self.core.ty(result)?]);
        let mut draft = self.draft(Kind::LambdaLetrec);
        // An argument of the region stands for the function until the function exists.
        draft.region_of(&[function], |b, itself| {
            let stand_in = b.core.find(itself[0])?;
            let made = b.lambda(inputs, |b, values| body(b, itself[0], values))?;
            let handle = b.core.find(made)?;
            if handle.ty() != function {
                return Err(b.error(format!("the function must have the type {function}, found {}", handle.ty())));
            }
            stand_in.replace_all_uses_with(handle);
            b.block.erase_argument(0);
            Ok(vec![made])
        })?;
        draft.inferred_by_rule()?;
        let functions = draft.all()?;
        Ok(functions[0])
    }
}
