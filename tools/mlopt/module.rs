//! Programs before they are compiled.

use crate::cache::Key;
use crate::code::Code;
use crate::error::{Diagnostic, Error, ErrorKind, Result, Severity};
use crate::pipeline::Pipeline;
use crate::session::Session;
use crate::stack::on_large_stack;
use crate::target::Target;
use mlopt_dialects::bridge::names;
use mlopt_dialects::bridge::program::{Program, collecting};
use mlopt_dialects::diagnostics::Messages;
use mlopt_dialects::ir::{Op, Type};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_frontend::{functions, terms};
use mlopt_lowering::ir::is_private;
use mlopt_lowering::native;
use mlopt_lowering::pipelines::{self, pipeline_text};
use mlopt_runtime::code::{Compiled, Object};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A verified program. It owns its ops, so nothing outlives it.
///
/// ```
/// let session = mlopt::Session::new();
/// let mut module = session.parse("f.mlir", "func.func @f() -> f64 {
///     %x = arith.constant 1.0 : f64
///     %z = arith.addf %x, %x : f64
///     return %z : f64
/// }")?;
/// module.run(&mlopt::Pipeline::of(&["canonicalize"]))?;
/// assert!(module.text()?.contains("arith.constant 2.0"));
/// # Ok::<(), mlopt::Error>(())
/// ```
///
/// Compilation consumes it:
///
/// ```compile_fail,E0382
/// let module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }").unwrap();
/// let code = module.compile(&mlopt::Pipeline::default(), &mlopt::Target::host());
/// module.text();
/// ```
pub struct Module {
    session: Session,
    /// `None` after a pass has failed.
    program: Mutex<Option<Program>>,
    messages: Messages,
    file: String,
    /// The text of the program, for diagnostics whose positions MLIR does not find: those of other notations, and of a
    /// copy.
    source: Option<Arc<str>>,
}

impl Session {
    /// Parses a program, MLIR text or bytecode. If the name ends in `.terms` or `.lambda`, it is a text in the notation
    /// of arrays or functions. A program of StableHLO, text or portable artifact, is converted to arrays. Diagnostics
    /// show the name.
    ///
    /// ```
    /// let session = mlopt::Session::new();
    /// assert!(session.parse("f.mlir", "func.func @f() { return }").is_ok());
    /// assert!(session.parse("g.lambda", "(def g ((x f64)) (* x x))").is_ok());
    /// let error = session.parse("g.lambda", "(def g ((x f64)) (* x y))").unwrap_err();
    /// assert!(error.to_string().starts_with("g.lambda:1:23: error: "));
    /// ```
    ///
    /// # Errors
    /// The program is not valid.
    pub fn parse(&self, name: &str, source: impl AsRef<[u8]>) -> Result<Module> {
        Module::read(self, name, source.as_ref(), "")
    }

    /// Parses a program of StableHLO that JAX has written, with XLA's meaning: a scatter drops the whole update if a
    /// part of it is outside the array, and not only that part.
    ///
    /// ```
    /// let session = mlopt::Session::new();
    /// assert!(session.parse_jax("f.mlir", "func.func @f() { return }").is_ok());
    /// ```
    ///
    /// # Errors
    /// The program is not valid.
    pub fn parse_jax(&self, name: &str, source: impl AsRef<[u8]>) -> Result<Module> {
        Module::read(self, name, source.as_ref(), "{xla-scatter=true}")
    }

    /// Parses a program and compiles it for this machine with the default passes.
    ///
    /// ```
    /// let code = mlopt::Session::new().compile("f.terms", "(def f ((x f64)) (* x x))")?;
    /// assert_eq!(code.function("f")?.call(&[mlopt::View::scalar(&3.0)])?, [mlopt::Tensor::scalar(9.0)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The program is not valid, or a pass rejects it.
    pub fn compile(&self, name: &str, source: impl AsRef<[u8]>) -> Result<Code> {
        self.parse(name, source)?.compile(&Pipeline::default_cpu(), &Target::host())
    }
}

impl Module {
    /// Parses a program. The extension of `file` selects the notation; `options` are those of `stablehlo-to-array`.
    fn read(session: &Session, file: &str, source: &[u8], options: &str) -> Result<Module> {
        let messages = Messages::default();
        let read = || match extension(file) {
            "lambda" => imported(source, file, &messages, |text| {
                functions::import_text(file, text, &functions::Request::default())
            }),
            "terms" => imported(source, file, &messages, |text| terms::import_text(file, text, terms::Zeros::Numbers)),
            _ => parsed(source, file, &messages, options),
        };
        let program = on_large_stack(|| collecting(&messages, read))??;
        let source = std::str::from_utf8(source).ok().map(Arc::from);
        Ok(Module {
            session: session.clone(),
            program: Mutex::new(Some(program)),
            messages,
            file: file.to_string(),
            source,
        })
    }

    /// Returns the module of a verified program.
    pub(crate) fn of(
        session: Session,
        program: Program,
        messages: Messages,
        file: String,
        source: Option<Arc<str>>,
    ) -> Module {
        Module { session, program: Mutex::new(Some(program)), messages, file, source }
    }

    /// Returns a copy of the program with the functions of another text, which may use those of this program. Without
    /// a text, it is a copy.
    ///
    /// ```
    /// let module = mlopt::Session::new().parse("f.terms", "(def f ((x f64)) (* x x))")?;
    /// let both = module.extended("g.mlir", "func.func @g(%x: f64) -> f64 {
    ///     %g = dual.grad @f(%x) : (f64) -> f64
    ///     return %g : f64
    /// }")?;
    /// let code = both.compile(&mlopt::Pipeline::default_cpu(), &mlopt::Target::host())?;
    /// assert_eq!(code.function("g")?.call(&[mlopt::View::scalar(&3.0)])?, [mlopt::Tensor::scalar(6.0)]);
    /// assert_eq!(module.functions()?, ["f"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not valid, or defines a function of this program once more; a pass has failed before.
    pub fn extended(&self, name: &str, text: &str) -> Result<Module> {
        let (ops, attributes) = self.with(|program| {
            let module = program.module();
            let ops: Vec<String> = module.child_ops().into_iter().map(Op::with_locations).collect();
            let attributes = module.attributes().into_iter().map(|(name, value)| (name, value.to_string()));
            Ok((ops.join("\n"), attributes.collect::<Vec<_>>()))
        })?;
        // The text comes first, so that its lines keep their numbers.
        let both = format!("{text}\n{ops}\n");
        let messages = Messages::default();
        let read = || {
            let program = Program::parse(both.as_bytes(), name).map_err(|_| Error::reported(messages.take()))?;
            let module = program.module();
            for (name, value) in &attributes {
                if let Some(value) = module.context().parse_attribute(value) {
                    module.set_attribute(name, value);
                }
            }
            Ok::<_, Error>(program)
        };
        let program = on_large_stack(|| collecting(&messages, read))??;
        Ok(Module {
            session: self.session.clone(),
            program: Mutex::new(Some(program)),
            messages,
            file: self.file.clone(),
            source: self.source.clone(),
        })
    }

    /// Returns the names of the public functions, in their order.
    ///
    /// ```
    /// let module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return } func.func @g() { return }")?;
    /// assert_eq!(module.functions()?, ["f", "g"]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pass has failed before.
    pub fn functions(&self) -> Result<Vec<String>> {
        self.with(|program| {
            let functions = program.module().child_ops().into_iter();
            let functions = functions.filter(|op| op.kind() == Kind::FuncFunc && !is_private(*op));
            Ok(functions.filter_map(|op| op.symbol()).collect())
        })
    }

    /// Checks whether the program uses functions as values, or data other than arrays.
    ///
    /// ```
    /// let session = mlopt::Session::new();
    /// assert!(session.parse("f.lambda", "(def f ((x f64)) ((grad (lam (y) (* y y))) x))")?.is_functional()?);
    /// assert!(!session.parse("f.terms", "(def f ((x f64)) (* x x))")?.is_functional()?);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pass has failed before.
    pub fn is_functional(&self) -> Result<bool> {
        self.with(|program| Ok(pipelines::is_functional(program.module())))
    }

    /// Returns the types of the arguments and results of a function, as MLIR.
    ///
    /// ```
    /// let module = mlopt::Session::new().parse("f.terms", "(def f ((x f64)) (* x x))")?;
    /// assert_eq!(module.signature("f")?, (vec!["f64".to_string()], vec!["f64".to_string()]));
    /// assert_eq!(module.signature("g").unwrap_err().kind(), mlopt::ErrorKind::UnknownFunction);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such function; a pass has failed before.
    pub fn signature(&self, function: &str) -> Result<(Vec<String>, Vec<String>)> {
        let name = function.trim_start_matches('@');
        let known = self.functions()?;
        self.with(|program| {
            let functions = program.module().child_ops().into_iter();
            let found = functions.filter(|op| op.symbol().as_deref() == Some(name)).find_map(Op::function_type);
            let (inputs, results) =
                found.ok_or_else(|| native::Error::UnknownFunction { name: name.to_string(), known })?;
            let texts = |types: &[Type]| types.iter().map(Type::to_string).collect();
            Ok((texts(&inputs), texts(&results)))
        })
    }

    /// Runs passes. Returns their warnings and remarks.
    ///
    /// ```
    /// let mut module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }")?;
    /// assert!(module.run(&mlopt::Pipeline::of(&["cse"]))?.is_empty());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pass or option does not exist; a pass rejects the program. In the latter case the module is lost.
    pub fn run(&mut self, pipeline: &Pipeline) -> Result<Vec<Diagnostic>> {
        let (session, messages) = (&self.session, &self.messages);
        let ran = self.with(|program| {
            let text = session.checked(&pipeline.text_for(program.module())?)?;
            Ok(program.run_pipeline(&text).map_err(|_| ()))
        })?;
        let said = messages.take();
        if ran.is_err() {
            self.lose();
            return Err(self.explained(Error::reported(said)));
        }
        Ok(self.diagnostics(said))
    }

    /// Returns the program as MLIR.
    ///
    /// ```
    /// let module = mlopt::Session::new().parse("f.terms", "(def f ((x f64)) (* x x))")?;
    /// assert!(module.text()?.contains("func.func @f(%x: f64) -> f64"));
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pass has failed before.
    pub fn text(&self) -> Result<String> {
        self.with(|program| Ok(format!("{}\n", program.module().to_string().trim_end())))
    }

    /// Compiles the program and loads the code into this process.
    ///
    /// ```
    /// let text = "(def slope ((x f64)) ((grad (lam (y) (* y (* y y)))) x))";
    /// let module = mlopt::Session::new().parse("f.lambda", text)?;
    /// let code = module.compile(&mlopt::Pipeline::default_cpu(), &mlopt::Target::host())?;
    /// assert_eq!(code.function("slope")?.call(&[mlopt::View::scalar(&2.0)])?, [mlopt::Tensor::scalar(12.0)]);
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pass or option does not exist; a pass rejects the program; the pipeline does not end in machine code; this
    /// machine lacks features of the target.
    pub fn compile(self, pipeline: &Pipeline, target: &Target) -> Result<Code> {
        let compiled = self.with(|program| {
            let module = program.module();
            let target = target.native()?;
            target.describe(module);
            let text = pipeline.text_for(module)?;
            let text = self.session.checked(&text)?;
            // The build of the compiler says nothing about added passes.
            let cache = self.session.cache().filter(|_| !self.session.has_passes());
            let entry = cache.and_then(|cache| Some((cache, Key::of(module, &text, &target)?)));
            if let Some((cache, key)) = &entry
                && let Some(object) = cache.load(key)
            {
                return Ok(Ok(Compiled::load(object)?));
            }
            let before = self.messages.count();
            if program.run_pipeline(&text).is_err() {
                return Ok(Err(()));
            }
            let object = Object::of(program.module(), &target)?;
            // Code with warnings or remarks is not kept: whoever finds it would not see them.
            if let Some((cache, key)) = entry.filter(|_| self.messages.count() == before) {
                cache.store(&key, &object);
            }
            Ok(Ok(Compiled::load(object)?))
        });
        let said = self.messages.take();
        match compiled {
            Ok(Ok(compiled)) => Ok(Code::new(compiled, self.diagnostics(said))),
            Ok(Err(())) => Err(self.explained(Error::reported(said))),
            Err(error) => Err(error),
        }
    }

    /// Returns the name of the source, the program as text with locations, and the source.
    pub(crate) fn located(&self) -> Result<(String, String, Option<Arc<str>>)> {
        let text = self.with(|program| Ok(program.module().with_locations()))?;
        Ok((self.file.clone(), text, self.source.clone()))
    }

    /// Checks that the passes and options of a pipeline exist. Then only a pass that rejects the program makes
    /// [`Module::run`] and [`Module::compile`] lose the module.
    ///
    /// ```
    /// let module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }")?;
    /// let error = module.check(&mlopt::Pipeline::of(&["canonicalise"])).unwrap_err();
    /// assert_eq!(error.kind(), mlopt::ErrorKind::Pipeline);
    /// assert!(module.text().is_ok());
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A pass or option does not exist; a pass has failed before.
    pub fn check(&self, pipeline: &Pipeline) -> Result<()> {
        self.with(|program| self.session.checked(&pipeline.text_for(program.module())?).map(drop))
    }

    /// Runs `work` with the program on a large stack.
    fn with<R: Send>(&self, work: impl FnOnce(&Program) -> Result<R> + Send) -> Result<R> {
        let mut program = self.program.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(program) = program.as_mut() else {
            return Err(Error::new(ErrorKind::Program, "the module is lost: a pass has failed on it before"));
        };
        on_large_stack(move || work(program))?
    }

    /// Destroys the program.
    fn lose(&self) {
        let program = self.program.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The destructor recurses, too.
        let _destroyed = program.map(|program| on_large_stack(move || drop(program)));
    }

    /// Returns warnings and remarks.
    fn diagnostics(&self, said: Vec<mlopt_dialects::diagnostics::Message>) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = said.into_iter().map(Diagnostic::from_message).collect();
        all.retain(|diagnostic| diagnostic.severity != Severity::Error);
        if let Some(text) = &self.source {
            all.iter_mut().for_each(|diagnostic| diagnostic.add_line(&self.file, text));
        }
        all
    }

    fn explained(&self, error: Error) -> Error {
        match &self.source {
            Some(text) => error.with_lines(&self.file, text),
            None => error,
        }
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        self.lose();
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Module").field("file", &self.file).finish_non_exhaustive()
    }
}

fn extension(file: &str) -> &str {
    Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Parses MLIR, and converts a program of StableHLO to arrays with these options.
fn parsed(source: &[u8], file: &str, messages: &Messages, options: &str) -> Result<Program> {
    let reported = |_| Error::reported(messages.take());
    let program = match mlopt_stablehlo::is_artifact(source) {
        true => {
            let module = mlopt_stablehlo::read(source).map_err(|e| Error::at(ErrorKind::Program, file, e))?.module;
            Program::parse(module.with_locations().to_string().as_bytes(), file).map_err(reported)?
        }
        false => Program::parse(source, file).map_err(reported)?,
    };
    names::from_source(program.module());
    let is_stablehlo = |op: Op| matches!(op.kind().dialect(), "stablehlo" | "chlo");
    if program.module().nested_ops().into_iter().any(is_stablehlo) {
        let pass = format!("stablehlo-to-array{options}");
        program.run_pipeline(&pipeline_text(&[&pass])).map_err(reported)?;
    }
    Ok(program)
}

/// Imports a text in a notation, and verifies it.
fn imported(
    source: &[u8],
    file: &str,
    messages: &Messages,
    import: impl FnOnce(&str) -> Result<Program, mlopt_dialects::text::Problem>,
) -> Result<Program> {
    let text = mlopt_dialects::text::utf8(source);
    let text = text.map_err(|e| Error::problem(file, &String::from_utf8_lossy(source), &e))?;
    let program = import(text).map_err(|e| Error::problem(file, text, &e))?;
    program.verified().map_err(|_| Error::reported(messages.take()).with_lines(file, text))
}
