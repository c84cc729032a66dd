//! Pipelines of passes.

use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::ir::Op;
use mlopt_lowering::pipelines;
use std::fmt;

/// A list of passes.
///
/// ```
/// let mut module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }")?;
/// module.run(&mlopt::Pipeline::of(&["canonicalize", "cse"]))?;
/// let pipeline = mlopt::Pipeline::parse("builtin.module(func.func(cse))");
/// module.run(&pipeline)?;
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The passes of `mlopt compile`, which depend on the program.
    Default(Options),
    Text(String),
}

/// Options of the default passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Options {
    /// `(pass, options)`.
    of_passes: Vec<(String, String)>,
    fast: bool,
}

impl Pipeline {
    /// Returns the passes that differentiate, optimise and lower a program for processors: those of `mlopt compile`.
    /// They depend on the program, which may be one of arrays or of functions, and may contain ops of `tensor` and
    /// `linalg`.
    ///
    /// ```
    /// assert_eq!(mlopt::Pipeline::default(), mlopt::Pipeline::default_cpu());
    /// ```
    pub fn default_cpu() -> Pipeline {
        Pipeline(Kind::Default(Options::default()))
    }

    /// Returns the pipeline of these passes, each with its options: `name` or `name{option=value option=value}`.
    ///
    /// ```
    /// let pipeline = mlopt::Pipeline::of(&["canonicalize", "keep-sizes"]);
    /// assert_eq!(pipeline.to_string(), "builtin.module(canonicalize,keep-sizes)");
    /// ```
    pub fn of(passes: &[&str]) -> Pipeline {
        Pipeline(Kind::Text(pipelines::pipeline_text(passes)))
    }

    /// Returns the pipeline with this text, in the format of `mlopt --pass-pipeline`. Names and options are checked
    /// when the pipeline runs, because passes can be added.
    ///
    /// ```
    /// let mut module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }")?;
    /// let error = module.run(&mlopt::Pipeline::parse("builtin.module(canonicalise)")).unwrap_err();
    /// assert_eq!(error.kind(), mlopt::ErrorKind::Pipeline);
    /// assert!(error.to_string().starts_with("pipeline:1:16: error: unknown pass `canonicalise`"));
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn parse(text: &str) -> Pipeline {
        Pipeline(Kind::Text(text.to_string()))
    }

    /// Returns the pipeline with options for a pass of [`Pipeline::default_cpu`], `option=value option=value`. Other
    /// pipelines contain their options, and are not changed.
    ///
    /// ```
    /// // At most one MiB of intermediate values is kept for derivatives of a loop.
    /// let pipeline = mlopt::Pipeline::default_cpu().with_options("differentiate", "memory-budget=1");
    /// # let module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }")?;
    /// module.compile(&pipeline, &mlopt::Target::host())?;
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn with_options(mut self, pass: &str, options: &str) -> Pipeline {
        if let Kind::Default(all) = &mut self.0 {
            all.of_passes.push((pass.to_string(), options.to_string()));
        }
        self
    }

    /// Returns [`Pipeline::default_cpu`] with the permission that `fastmath<fast>` on every op gives: sums and products
    /// in any order, products with reciprocals for quotients, and no NaNs and infinities. Other pipelines are not
    /// changed; they may contain the pass `set-fastmath`.
    ///
    /// ```
    /// let pipeline = mlopt::Pipeline::default_cpu().fast();
    /// # let module = mlopt::Session::new().parse("f.mlir", "func.func @f() { return }")?;
    /// module.compile(&pipeline, &mlopt::Target::host())?;
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn fast(mut self) -> Pipeline {
        if let Kind::Default(options) = &mut self.0 {
            options.fast = true;
        }
        self
    }

    /// Returns the passes for this module.
    pub(crate) fn text_for(&self, module: Op) -> Result<String> {
        let options = match &self.0 {
            Kind::Default(options) => options,
            Kind::Text(text) => return Ok(text.clone()),
        };
        let mut pipeline = pipelines::for_cpu(module);
        if options.fast {
            pipeline = pipeline.fast();
        }
        for (pass, options) in &options.of_passes {
            let with = pipeline.clone().with_options(pass, options);
            if with == pipeline && !options.is_empty() {
                let text = format!("the default passes for this program have no `{pass}` without options: {pipeline}");
                return Err(Error::new(ErrorKind::Pipeline, text));
            }
            pipeline = with;
        }
        Ok(pipeline.to_string())
    }
}

impl Default for Pipeline {
    fn default() -> Pipeline {
        Pipeline::default_cpu()
    }
}

impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Kind::Default(_) => f.write_str("default"),
            Kind::Text(text) => f.write_str(text),
        }
    }
}
