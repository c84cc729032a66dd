//! Functions as values: what the passes on the dialect `lambda` share.

pub mod anf;
pub mod as_loops;
pub mod closures;
pub mod infer;
pub mod primitives;
pub mod reverse;
pub mod simplify;
pub mod unify;

use mlopt_dialects::ir::Op;

/// The functions of a module that have something of the language in them, and one block.
pub fn of_module(module: Op) -> Vec<Op> {
    let is_ours = |f: &Op| {
        f.name() == "func.func"
            && f.body().is_some()
            && f.region(0).blocks().len() == 1
            && f.nested_ops().iter().any(|op| op.name().starts_with("lambda."))
    };
    module.child_ops().into_iter().filter(is_ours).collect()
}
