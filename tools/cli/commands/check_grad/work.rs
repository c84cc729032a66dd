//! The cost of derivatives, in scalar operations that the evaluator counts (`spec/arrays.md` C.8).

use super::subject::{Subject, refused};
use crate::commands::domain::{self, Domain};
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::ir::{Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Array;
use mlopt_runtime::entry;
use mlopt_runtime::failure::Failure;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use std::collections::HashMap;

/// The work at one choice of sizes.
pub struct Work {
    pub sizes: String,
    pub function: u64,
    pub jvp: u64,
    pub vjp: u64,
    /// The bound of C.8 for `vjp`, including the function.
    pub allowed: u64,
}

/// Measures the work with all sizes multiplied by `scale`.
pub fn measure(subject: &Subject, domain: &Domain, scale: usize, seed: u64) -> Result<Work, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = domain.choose(&mut rng, scale)?;
    let (program, [function, jvp, vjp]) = subject.functions();
    let mut lengths: HashMap<Value, u64> = HashMap::new();
    let mut look = |op: Op, result: usize, value: &Array| {
        lengths.insert(op.result(result), value.len() as u64);
    };
    let mut evaluator = Evaluator::new(program.module()).with_trace(&mut look);
    let y = evaluator.call(function, &x).map_err(|e| refused(e, domain))?;
    let function_work = evaluator.work();
    let body = entry::function(program.module(), Some(&format!("@{function}")), "--entry")?;
    lengths.extend(body.entry().arguments().into_iter().zip(&x).map(|(v, x)| (v, x.len() as u64)));
    let reads = body.nested_ops().into_iter().filter(|op| matches!(op.kind(), Kind::ArrayGet | Kind::ArrayGather));
    let sources: u64 = reads.map(|op| lengths.get(&op.operand(0)).copied().unwrap_or(0)).sum();
    let inputs: u64 = x.iter().map(|x| x.len() as u64).sum();

    let count = |name: &str, directions: Vec<Array>| -> Result<u64, Failure> {
        let mut evaluator = Evaluator::new(program.module());
        evaluator.call(name, &[x.as_slice(), &directions].concat()).map_err(|e| refused(e, domain))?;
        Ok(evaluator.work())
    };
    let t = domain::direction(&mut rng, &x[subject.wrt[0]]);
    let c = subject.floats(&y).into_iter().map(|y| domain::direction(&mut rng, y)).collect();
    let (jvp, vjp) = (count(jvp, vec![t])?, count(vjp, c)?);
    let allowed = 8 * function_work + 2 * sources + 2 * inputs;
    Ok(Work { sizes: domain.describe(scale), function: function_work, jvp, vjp, allowed })
}
