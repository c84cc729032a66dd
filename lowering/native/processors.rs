//! The names of processors and their features, which LLVM does not check: it only warns.

use mlopt_dialects::bridge::{x86_features, x86_processors};
use mlopt_dialects::suggest::did_you_mean;

/// A name that LLVM does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnknownProcessor {
    #[error("unknown processor `{name}`{hint}; expected `native` or LLVM's name of an x86-64 processor")]
    Cpu { name: String, hint: String },
    #[error("expected `+` or `-` before a feature, found `{feature}`")]
    Sign { feature: String },
    #[error("unknown feature `{name}`{hint}")]
    Feature { name: String, hint: String },
}

/// Checks the name of a processor, or `native`, and its features, `+avx2,-fma`.
pub fn check_processor(cpu: &str, features: &str) -> Result<(), UnknownProcessor> {
    let known = x86_processors();
    if cpu != "native" && !known.iter().any(|k| k == cpu) {
        let hint = did_you_mean(cpu, known.iter().map(String::as_str));
        return Err(UnknownProcessor::Cpu { name: cpu.into(), hint });
    }
    let known = x86_features();
    for feature in features.split(',').filter(|f| !f.is_empty()) {
        let Some(name) = feature.strip_prefix(['+', '-']) else {
            return Err(UnknownProcessor::Sign { feature: feature.into() });
        };
        if !known.iter().any(|k| k == name) {
            let hint = did_you_mean(name, known.iter().map(String::as_str));
            return Err(UnknownProcessor::Feature { name: name.into(), hint });
        }
    }
    Ok(())
}
