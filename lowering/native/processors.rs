//! The names of processors and their features, which LLVM does not check: it only warns. Also whether this machine can
//! run code for a processor.

use mlopt_dialects::bridge::{missing_features, x86_features, x86_processors};
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

/// The features whose instructions the code generator selects only for intrinsics, which no program of ours has. A
/// virtual machine often hides some of them.
const UNUSED: &str = "\
    64bit adx aes amx- cldemote clflushopt clwb clzero cmpccxadd enqcmd fsgsbase fxsr gfni hreset invpcid kl lwp \
    mwaitx movdir64b movdiri movrs pclmul pconfig pku prefetchi prfchw ptwrite raoint rdpid rdpru rdrnd rdseed rtm \
    serialize sgx sha shstk sm3 sm4 sse4a tsxldtrk uintr usermsr vaes vpclmulqdq waitpkg wbnoinvd widekl xsave";

/// Returns the features of a processor that this machine lacks and that code for it may use.
pub fn lacking(cpu: &str, features: &str) -> Vec<String> {
    let is_unused = |name: &str| UNUSED.split_whitespace().any(|unused| name.starts_with(unused));
    let mut missing = missing_features(cpu, features);
    missing.retain(|name| !is_unused(name));
    missing
}
