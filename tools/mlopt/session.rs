//! Sessions: what programs are compiled with.

use crate::cache::Cache;
use crate::error::{Error, ErrorKind, Result};
use mlopt_dialects::bridge::{Pass, register_pass};
use mlopt_lowering::pipelines::names as pipeline_names;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The compiler, with the passes that were added to it and its cache. Copies share both. Sessions do not see each
/// other's passes. Programs may be parsed and compiled on several threads at once, with stacks of any size.
///
/// ```
/// let session = mlopt::Session::new();
/// std::thread::scope(|scope| {
///     for number in 0..4 {
///         let session = &session;
///         scope.spawn(move || {
///             let text = format!("func.func @f() -> i32 {{ %x = arith.constant {number} : i32  return %x : i32 }}");
///             let code = session.compile("f.mlir", &text).unwrap();
///             assert_eq!(code.function("f").unwrap().call(&[]).unwrap(), [mlopt::Tensor::scalar(number)]);
///         });
///     }
/// });
/// ```
#[derive(Clone)]
pub struct Session(Arc<State>);

struct State {
    number: u64,
    /// The passes of this session: the names under which MLIR knows them.
    passes: Mutex<BTreeMap<String, String>>,
    cache: Option<Cache>,
}

impl Session {
    /// Creates a session without a cache.
    ///
    /// ```
    /// let session = mlopt::Session::new();
    /// assert!(session.parse("f.mlir", "func.func @f() { return }").is_ok());
    /// ```
    pub fn new() -> Session {
        Session::of(None)
    }

    /// Creates a session that stores compiled code in files.
    ///
    /// ```
    /// let folder = std::env::temp_dir().join(format!("mlopt-session-{}", std::process::id()));
    /// let cache = mlopt::Cache::open(&folder)?;
    /// let session = mlopt::Session::with_cache(cache.clone());
    /// for _ in 0..2 {
    ///     session.compile("f.mlir", "func.func @f() { return }")?;
    /// }
    /// assert_eq!((cache.misses(), cache.hits()), (1, 1));
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    pub fn with_cache(cache: Cache) -> Session {
        Session::of(Some(cache))
    }

    fn of(cache: Option<Cache>) -> Session {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        mlopt_lowering::register_passes();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Session(Arc::new(State { number, passes: Mutex::default(), cache }))
    }

    /// Adds a pass, which pipelines of this session find by its name. Passes are written with the crate
    /// `mlopt-dialects`.
    ///
    /// ```
    /// use mlopt_dialects::bridge::Pass;
    ///
    /// const COUNT: Pass = Pass {
    ///     name: "count-functions",
    ///     description: "Reports the number of functions",
    ///     anchor: "builtin.module",
    ///     options: &[],
    ///     dialects: &[],
    ///     run: |module, _options| {
    ///         let text = format!("{} functions", module.child_ops().len());
    ///         mlopt_dialects::diagnostics::remark(module.location(), text);
    ///         Ok(())
    ///     },
    /// };
    /// let session = mlopt::Session::new();
    /// session.register_pass(&COUNT)?;
    /// let mut module = session.parse("f.mlir", "func.func @f() { return } func.func @g() { return }")?;
    /// let said = module.run(&mlopt::Pipeline::of(&["count-functions"]))?;
    /// assert_eq!(said[0].text, "2 functions");
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is a pass of this name, or the name is not one.
    pub fn register_pass(&self, pass: &Pass) -> Result<()> {
        let is_name =
            !pass.name.is_empty() && pass.name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        if !is_name {
            let text =
                format!("the name of a pass must consist of letters, digits, `-`, `_` and `.`, found `{}`", pass.name);
            return Err(Error::new(ErrorKind::Pipeline, text));
        }
        let mut passes = self.passes();
        if passes.contains_key(pass.name) || mlopt_dialects::bridge::is_pass_name(pass.name) {
            return Err(Error::new(ErrorKind::Pipeline, format!("there is already a pass `{}`", pass.name)));
        }
        // MLIR has one table for the whole process.
        let unique: &'static str = Box::leak(format!("session-{}.{}", self.0.number, pass.name).into_boxed_str());
        register_pass(&Pass { name: unique, ..*pass });
        passes.insert(pass.name.to_string(), unique.to_string());
        Ok(())
    }

    /// Checks the names in a pipeline. Returns the pipeline with the names under which MLIR knows the passes.
    pub(crate) fn checked(&self, pipeline: &str) -> Result<String> {
        let passes = self.passes();
        let known = || {
            let ours = mlopt_passes::PASSES.iter().chain(mlopt_lowering::PASSES).map(|pass| pass.name);
            let others = ["canonicalize", "cse", "inline", "symbol-dce"].into_iter();
            ours.chain(others).map(str::to_string).chain(passes.keys().cloned()).collect()
        };
        let resolve = |name: &str| passes.get(name).cloned().unwrap_or_else(|| name.to_string());
        let names = pipeline_names::Names { resolve: &resolve, known: &known };
        let checked = names.check(pipeline, "pipeline").and_then(|()| names.check_values(pipeline, "pipeline"));
        checked.map_err(|(place, text)| Error::at(ErrorKind::Pipeline, &place, text))?;
        Ok(names.resolved(pipeline))
    }

    /// Returns the cache, if there is one.
    ///
    /// ```
    /// assert!(mlopt::Session::new().cache().is_none());
    /// ```
    pub fn cache(&self) -> Option<&Cache> {
        self.0.cache.as_ref()
    }

    /// Returns true if passes were added, of which the build of the compiler says nothing.
    pub(crate) fn has_passes(&self) -> bool {
        !self.passes().is_empty()
    }

    fn passes(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.passes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("Session").field("passes", &self.passes().keys()).field("cache", &self.0.cache).finish()
    }
}
