//! Processors to compile for.

use crate::error::{Error, ErrorKind, Result};
use mlopt_lowering::native::{self, check_processor};
use std::fmt;

/// A processor, by LLVM's name, with features to add or remove.
///
/// ```
/// let target = mlopt::Target::host();
/// # let session = mlopt::Session::new();
/// let module = session.parse("f.mlir", "func.func @f() { return }")?;
/// module.compile(&mlopt::Pipeline::default_cpu(), &target)?;
/// # Ok::<(), mlopt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    cpu: String,
    features: String,
}

impl Target {
    /// Returns the processor of this machine, with all its features.
    ///
    /// ```
    /// assert_eq!(mlopt::Target::host().to_string(), "native");
    /// ```
    pub fn host() -> Target {
        Target { cpu: "native".into(), features: String::new() }
    }

    /// Returns a processor by LLVM's name (`x86-64-v3`, `znver4`, or `native` for that of this machine) with features
    /// (`+avx2,-avx512f`). Code can be called only on machines that have all its features.
    ///
    /// ```
    /// let target = mlopt::Target::named("x86-64-v3", "-fma")?;
    /// assert_eq!(target.to_string(), "x86-64-v3,-fma");
    /// let error = mlopt::Target::named("x86-64-v33", "").unwrap_err();
    /// assert!(error.to_string().starts_with("error: unknown processor `x86-64-v33`; did you mean `x86-64-v3`?"));
    /// # Ok::<(), mlopt::Error>(())
    /// ```
    ///
    /// # Errors
    /// LLVM has no such processor or feature.
    pub fn named(cpu: &str, features: &str) -> Result<Target> {
        check_processor(cpu, features).map_err(|e| Error::new(ErrorKind::Target, e))?;
        Ok(Target { cpu: cpu.into(), features: features.into() })
    }

    /// Returns the target of the code generator.
    pub(crate) fn native(&self) -> Result<native::Target> {
        Ok(native::Target::named(&self.cpu, &self.features)?)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.cpu)?;
        if self.features.is_empty() { Ok(()) } else { write!(f, ",{}", self.features) }
    }
}
