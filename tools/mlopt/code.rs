//! Compiled code, its functions, and calls.
#![allow(unsafe_code)]

use crate::elements::{Element, TensorType, is_same_memory, is_same_shape};
use crate::error::{Diagnostic, Error, ErrorKind, Result};
use crate::tensor::Tensor;
use crate::view::{View, ViewMut};
use mlopt_dialects::value::{Array, Data};
use mlopt_runtime::code::program::Program;
use mlopt_runtime::code::{self, Compiled, Prepared};
use std::fmt;
use std::sync::Arc;

/// Machine code in this process, and its functions. Copies share the code, which exists as long as a copy or one of its
/// functions. It may be used from several threads at once.
///
/// ```
/// let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
/// let function = code.function("f")?;
/// drop(code);
/// assert_eq!(function.call(&[mlopt::View::scalar(&2.0)])?, [mlopt::Tensor::scalar(2.0)]);
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone)]
pub struct Code(Arc<(Compiled, Vec<Diagnostic>)>);

/// A compiled function. Its arguments and results are arrays; tuples and records of them are flattened to their parts.
///
/// ```
/// let code = mlopt::Session::new().compile(
///     "sum.mlir",
///     "func.func @sum(%x: tensor<?xf64>) -> f64 {
///        %z = array.sum %x : (tensor<?xf64>) -> f64
///        return %z : f64
///      }",
/// )?;
/// let sum = code.function("sum")?;
/// assert_eq!(sum.to_string(), "@sum(tensor<?xf64>) -> (f64)");
/// let z = sum.call(&[mlopt::View::new(&[1.0, 2.0, 3.0], &[3])?])?;
/// assert_eq!(z[0].elements::<f64>()?, [6.0]);
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone)]
pub struct Function {
    name: String,
    kind: Kind,
    inputs: Vec<TensorType>,
    results: Vec<TensorType>,
}

#[derive(Clone)]
enum Kind {
    Arrays(code::Function),
    Data(Program),
}

/// A call of a function with arguments of fixed shapes, for many calls: sizes are determined and scratch memory is
/// allocated once. It keeps the code alive.
///
/// ```
/// let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 {
///     %z = arith.mulf %x, %x : f64
///     return %z : f64
/// }")?;
/// let mut square = code.function("f")?.prepare(&[&[]])?;
/// let mut z = 0.0;
/// for x in [1.0, 2.0, 3.0] {
///     square.call(&[mlopt::View::scalar(&x)], &mut [mlopt::ViewMut::scalar(&mut z)])?;
///     assert_eq!(z, x * x);
/// }
/// # Ok::<(), mlopt::Error>(())
/// ```
pub struct Call {
    prepared: Prepared,
    inputs: Vec<Element>,
    results: Vec<Element>,
    /// Copies of arguments that cannot be read in place, during a call.
    copies: Vec<Tensor>,
}

impl Code {
    pub(crate) fn new(compiled: Compiled, diagnostics: Vec<Diagnostic>) -> Code {
        Code(Arc::new((compiled, diagnostics)))
    }

    /// Returns the names of the functions that can be called, sorted.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f() { return } func.func @a() { return }")?;
    /// assert_eq!(code.functions(), ["a", "f"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn functions(&self) -> Vec<String> {
        self.0.0.names().into_iter().map(str::to_string).collect()
    }

    /// Returns a function by its name, with or without `@`.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f() { return }")?;
    /// let error = code.function("g").err().unwrap();
    /// assert_eq!(error.kind(), mlopt::ErrorKind::UnknownFunction);
    /// assert_eq!(error.to_string(), "error: there is no function `@g`; the module has `@f`");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such function, or its arguments or results are lists or other values without a fixed number of
    /// arrays.
    pub fn function(&self, name: &str) -> Result<Function> {
        let compiled = &self.0.0;
        let name = name.trim_start_matches('@');
        let types = |types: &[_]| types.iter().map(TensorType::of).collect();
        if let Some(program) = compiled.program(name) {
            let program = program?;
            let (inputs, results) = program.types().ok_or_else(|| {
                let text = format!("not supported: `@{name}` takes or returns a value that is not numbers and arrays");
                Error::new(ErrorKind::NotSupported, text)
            })?;
            let (inputs, results) = (types(&inputs), types(&results));
            return Ok(Function { name: name.to_string(), kind: Kind::Data(program), inputs, results });
        }
        let function = compiled.function(name).map_err(|error| match error {
            mlopt_lowering::native::Error::UnknownFunction { name, .. } => {
                mlopt_lowering::native::Error::UnknownFunction { name, known: self.functions() }
            }
            other => other,
        })?;
        let (inputs, results) = (types(&function.signature().inputs), types(&function.signature().results));
        Ok(Function { name: name.to_string(), kind: Kind::Arrays(function), inputs, results })
    }

    /// Returns the warnings and remarks of the compilation.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f() { return }")?;
    /// assert!(code.diagnostics().is_empty());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.1
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_tuple("Code").field(&self.functions()).finish()
    }
}

impl Function {
    /// Returns the name, without `@`.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f() { return }")?;
    /// assert_eq!(code.function("@f")?.name(), "f");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the types of the arguments.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%n: index) { return }")?;
    /// assert_eq!(code.function("f")?.inputs()[0].element, mlopt::Element::Index);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn inputs(&self) -> &[TensorType] {
        &self.inputs
    }

    /// Returns the types of the results.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f() { return }")?;
    /// assert!(code.function("f")?.results().is_empty());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn results(&self) -> &[TensorType] {
        &self.results
    }

    /// Calls the function, and returns new arrays.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// let f = code.function("f")?;
    /// assert_eq!(f.call(&[mlopt::View::scalar(&1.5)])?, [mlopt::Tensor::scalar(1.5)]);
    /// let error = f.call(&[mlopt::View::scalar(&true)]).unwrap_err();
    /// assert_eq!(error.to_string(), "error: argument #0 of `@f` must be `f64`, found `i1`");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The arguments have other types than the function takes, the program stops itself, or memory is exhausted.
    pub fn call(&self, arguments: &[View]) -> Result<Vec<Tensor>> {
        self.check(arguments)?;
        let function = match &self.kind {
            Kind::Arrays(function) => function,
            Kind::Data(program) => {
                let arrays: Result<Vec<Array>> =
                    arguments.iter().zip(&self.inputs).map(|(x, ty)| array(x, ty)).collect();
                return Ok(program.call_arrays(&arrays?)?.into_iter().map(Tensor::of).collect());
            }
        };
        let shapes: Vec<&[usize]> = arguments.iter().map(View::shape).collect();
        let mut call = self.prepared(function, &shapes)?;
        call.read(arguments)?;
        let shapes = call.prepared.results().iter().zip(&self.results);
        let mut results: Vec<Tensor> =
            shapes.map(|(shape, ty)| Tensor::zeros(ty.element, shape)).collect::<Result<_>>()?;
        call.finish(&mut results.iter_mut().map(Tensor::view_mut).collect::<Vec<_>>())?;
        Ok(results)
    }

    /// Calls the function, and writes the results into these arrays, which must have their types and shapes.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// let mut z = 0.0;
    /// code.function("f")?.call_into(&[mlopt::View::scalar(&1.5)], &mut [mlopt::ViewMut::scalar(&mut z)])?;
    /// assert_eq!(z, 1.5);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Function::call`]; the results have other types or shapes.
    pub fn call_into(&self, arguments: &[View], results: &mut [ViewMut]) -> Result<()> {
        match &self.kind {
            Kind::Arrays(function) => {
                self.check(arguments)?;
                let shapes: Vec<&[usize]> = arguments.iter().map(View::shape).collect();
                self.prepared(function, &shapes)?.call(arguments, results)
            }
            Kind::Data(_) => {
                let found = self.call(arguments)?;
                check_count(&self.name, found.len(), results.len())?;
                for (position, (result, found)) in results.iter_mut().zip(&found).enumerate() {
                    check_result(&self.name, position, (self.results[position].element, found.shape()), result)?;
                }
                results.iter_mut().zip(&found).for_each(|(result, found)| found.view().copy_to(result));
                Ok(())
            }
        }
    }

    /// Prepares calls with arguments of these shapes.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile(
    ///     "f.mlir",
    ///     "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> { return %x : tensor<?xf64> }",
    /// )?;
    /// let call = code.function("f")?.prepare(&[&[5]])?;
    /// assert_eq!(call.result_shapes(), [[5]]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The function takes other shapes; it works with data that is not arrays, so that the sizes of its results are
    /// known only after a call; memory is exhausted.
    pub fn prepare(&self, shapes: &[&[usize]]) -> Result<Call> {
        match &self.kind {
            Kind::Arrays(function) => self.prepared(function, shapes),
            Kind::Data(_) => {
                let text = format!("not supported: `@{}` works with data, so its calls cannot be prepared", self.name);
                Err(Error::new(ErrorKind::NotSupported, text))
            }
        }
    }

    fn prepared(&self, function: &code::Function, shapes: &[&[usize]]) -> Result<Call> {
        let elements = |types: &[TensorType]| types.iter().map(|ty| ty.element).collect();
        Ok(Call {
            prepared: function.prepare(shapes)?,
            inputs: elements(&self.inputs),
            results: elements(&self.results),
            copies: vec![],
        })
    }

    /// Checks the types of arguments.
    fn check(&self, arguments: &[View]) -> Result<()> {
        use mlopt_lowering::native::Error;
        let (expected, found) = (self.inputs.len(), arguments.len());
        if expected != found {
            return Err(Error::ArgumentCount { function: self.name.clone(), expected, found }.into());
        }
        for (position, (ty, x)) in self.inputs.iter().zip(arguments).enumerate() {
            if !ty.accepts(x.element(), x.shape()) {
                return Err(wrong_argument(&self.name, position, ty, x));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let list = |types: &[TensorType]| types.iter().map(TensorType::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "@{}({}) -> ({})", self.name, list(&self.inputs), list(&self.results))
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Copies an argument to an array of the evaluator.
fn array(x: &View, ty: &TensorType) -> Result<Array> {
    let copy = x.try_to_tensor()?.array().clone();
    Ok(match (ty.element, copy.data()) {
        (Element::Index, Data::I64(v)) => Array::new(copy.shape().to_vec(), Data::Index(v.clone())),
        (Element::I64, Data::Index(v)) => Array::new(copy.shape().to_vec(), Data::I64(v.clone())),
        _ => copy,
    })
}

#[cold]
fn wrong_argument(function: &str, position: usize, expected: &TensorType, found: &View) -> Error {
    let shape = found.shape().iter().copied().map(Some).collect();
    let found = TensorType { element: found.element(), shape }.to_string();
    let (function, expected) = (function.to_string(), expected.to_string());
    mlopt_lowering::native::Error::ArgumentType { function, position, expected, found }.into()
}

/// Checks the number of arrays for the results of a function.
#[inline]
fn check_count(name: &str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(wrong_results(name, expected, found)) }
}

#[cold]
fn wrong_results(name: &str, expected: usize, found: usize) -> Error {
    Error::new(ErrorKind::Argument, format!("`@{name}` has {expected} results, found memory for {found}"))
}

/// Checks the type and the shape of the memory of a result.
#[inline]
fn check_result(name: &str, position: usize, expected: (Element, &[usize]), found: &ViewMut) -> Result<()> {
    if is_same_memory(expected.0, found.element()) && is_same_shape(found.shape(), expected.1) {
        return Ok(());
    }
    Err(wrong_result(name, position, expected, found))
}

#[cold]
fn wrong_result(name: &str, position: usize, (element, shape): (Element, &[usize]), found: &ViewMut) -> Error {
    let ty = |element, shape: &[usize]| TensorType { element, shape: shape.iter().copied().map(Some).collect() };
    let (expected, found) = (ty(element, shape), ty(found.element(), found.shape()));
    let text = format!("the memory of result #{position} of `@{name}` must be `{expected}`, found `{found}`");
    Error::new(ErrorKind::Argument, text)
}

impl Call {
    /// Returns the shapes of the results. For a function whose results have sizes that depend on values of arguments,
    /// they are those of the last call, and none before the first one.
    ///
    /// ```
    /// # let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// assert_eq!(code.function("f")?.prepare(&[&[]])?.result_shapes(), [[0_usize; 0]]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn result_shapes(&self) -> &[Vec<usize>] {
        self.prepared.results()
    }

    /// Returns the bytes of scratch memory that it keeps. For a function whose scratch memory depends on values of
    /// arguments, they are those of the last call.
    ///
    /// ```
    /// # let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// assert_eq!(code.function("f")?.prepare(&[&[]])?.scratch_bytes(), 0);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn scratch_bytes(&self) -> usize {
        self.prepared.scratch_bytes()
    }

    /// Calls the function, and writes the results into these arrays.
    ///
    /// ```
    /// # let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// let mut call = code.function("f")?.prepare(&[&[]])?;
    /// let mut z = 0.0;
    /// call.call(&[mlopt::View::scalar(&1.5)], &mut [mlopt::ViewMut::scalar(&mut z)])?;
    /// assert_eq!(z, 1.5);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Arguments or results have other types or shapes than prepared, the program stops itself, or memory is exhausted.
    pub fn call(&mut self, arguments: &[View], results: &mut [ViewMut]) -> Result<()> {
        let outcome = self.read(arguments).and_then(|()| self.finish(results));
        if !self.copies.is_empty() {
            self.copies.clear();
        }
        outcome
    }

    /// Calls the function with arguments and results at these addresses, without checks.
    ///
    /// ```
    /// # let code = mlopt::Session::new().compile("f.mlir", "func.func @f(%x: f64) -> f64 { return %x : f64 }")?;
    /// let mut call = code.function("f")?.prepare(&[&[]])?;
    /// let (x, mut z) = (1.5_f64, 0.0_f64);
    /// // SAFETY: `@f` takes and returns one number.
    /// unsafe { call.call_raw(&[(&raw const x).cast()], &[(&raw mut z).cast()])? };
    /// assert_eq!(z, 1.5);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The program stops itself, or memory is exhausted; the number of addresses is wrong. If sizes of results depend
    /// on values of arguments, these arguments give other shapes than [`Call::result_shapes`] returned before the call.
    /// Then nothing is computed, [`Call::result_shapes`] returns the new shapes, and the call can be repeated with
    /// memory for them.
    ///
    /// # Safety
    /// Each address is that of a contiguous, row-major and aligned array with the element type of the argument or
    /// result, and with its shape: that of the preparation, or in [`Call::result_shapes`]. A truth value is a byte that
    /// is 0 or 1. Nothing else writes to arguments or accesses results during the call. Results overlap neither each
    /// other nor arguments.
    pub unsafe fn call_raw(&mut self, arguments: &[*const u8], results: &[*mut u8]) -> Result<()> {
        let (inputs, outputs) = (self.inputs.len(), self.results.len());
        if (arguments.len(), results.len()) != (inputs, outputs) {
            let text = format!(
                "expected {inputs} addresses of arguments and {outputs} of results, found {} and {}",
                arguments.len(),
                results.len()
            );
            return Err(Error::new(ErrorKind::Argument, text));
        }
        arguments.iter().enumerate().for_each(|(k, address)| self.prepared.set_argument(k, *address));
        let expected = self.prepared.is_sized_by_values().then(|| self.prepared.results().to_vec());
        // SAFETY: guaranteed by the caller.
        unsafe { self.prepared.measure()? };
        if let Some(expected) = expected.filter(|expected| expected != self.prepared.results()) {
            return Err(self.other_shapes(&expected));
        }
        results.iter().enumerate().for_each(|(k, address)| self.prepared.set_result(k, *address));
        // SAFETY: guaranteed by the caller.
        unsafe { self.prepared.run()? };
        Ok(())
    }

    #[cold]
    fn other_shapes(&self, expected: &[Vec<usize>]) -> Error {
        let (name, found) = (self.name(), self.prepared.results());
        let known = match expected {
            [] => "which were not known before this call".to_string(),
            _ => format!("and not {expected:?} as before"),
        };
        let text = format!("these arguments give results of `@{name}` of shapes {found:?}, {known}");
        Error::new(ErrorKind::Argument, text)
    }

    fn name(&self) -> String {
        self.prepared.function().name().to_string()
    }

    /// Checks arguments, stores their addresses, and determines the shapes of results. Copies arguments that cannot be
    /// read in place; the copies must exist until the end of the call.
    #[inline]
    fn read(&mut self, arguments: &[View]) -> Result<()> {
        if arguments.len() != self.inputs.len() {
            return Err(self.wrong_count(arguments.len()));
        }
        for (position, (view, element)) in arguments.iter().zip(&self.inputs).enumerate() {
            let shape = &self.prepared.inputs()[position];
            if !is_same_memory(*element, view.element()) || !is_same_shape(view.shape(), shape) {
                let ty = TensorType { element: *element, shape: shape.iter().copied().map(Some).collect() };
                return Err(wrong_argument(&self.name(), position, &ty, view));
            }
            let start = if view.is_zero_copy() { view.as_ptr() } else { copied(&mut self.copies, view)? };
            self.prepared.set_argument(position, start);
        }
        // SAFETY: the views have the types of the arguments and exist during the call.
        unsafe { self.prepared.measure()? };
        Ok(())
    }

    #[cold]
    fn wrong_count(&self, found: usize) -> Error {
        mlopt_lowering::native::Error::ArgumentCount { function: self.name(), expected: self.inputs.len(), found }
            .into()
    }

    /// Checks results and runs the code on the arguments of [`Call::read`].
    #[inline]
    fn finish(&mut self, results: &mut [ViewMut]) -> Result<()> {
        check_count(self.prepared.function().name(), self.results.len(), results.len())?;
        for (position, (view, element)) in results.iter_mut().zip(&self.results).enumerate() {
            let (name, shape) = (self.prepared.function().name(), &self.prepared.results()[position]);
            check_result(name, position, (*element, shape), view)?;
            self.prepared.set_result(position, view.as_mut_ptr());
        }
        // SAFETY: the caller still borrows the arguments of `read`. All views have the types and shapes of the prepared
        // call, and those of results are exclusive.
        unsafe { self.prepared.run()? };
        Ok(())
    }
}

/// Adds a copy of an array, and returns its address.
#[cold]
fn copied(copies: &mut Vec<Tensor>, view: &View) -> Result<*const u8> {
    let copy = view.try_to_tensor()?;
    let start = copy.view().as_ptr();
    copies.push(copy);
    Ok(start)
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Call")
            .field("function", &self.prepared.function().name())
            .field("shapes", &self.prepared.inputs())
            .finish()
    }
}
