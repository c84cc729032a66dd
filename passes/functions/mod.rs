//! Functions as values: what the passes on the dialect `lambda` share.

pub mod anf;
pub mod as_loops;
pub mod closures;
pub mod equalities;
pub mod infer;
pub mod primitives;
pub mod pullbacks;
pub mod reverse;
pub mod simplify;
pub mod unify;

use mlopt_dialects::ir::{Attribute, Op, Type};
use std::collections::HashSet;

/// Whether functionals are among what a function takes or gives.
fn has_functionals(f: &Op) -> bool {
    fn is_one(ty: Type) -> bool {
        ty.name() == "lambda.dual" || !ty.is_tensor() && ty.parts().into_iter().any(is_one)
    }
    f.function_type().is_some_and(|(inputs, results)| inputs.into_iter().chain(results).any(is_one))
}

/// The functions of a module that have something of the language in them, and one block.
pub fn of_module(module: Op) -> Vec<Op> {
    // Functions that are values are too, whatever is in them.
    let names = |op: &Op| matches!(op.name(), "lambda.ref" | "lambda.jacobian");
    let named = module.nested_ops().into_iter().filter(names);
    let values: HashSet<String> = named.filter_map(|op| op.attribute("callee")?.as_symbol()).collect();
    let is_ours = |f: &Op| {
        f.name() == "func.func"
            && f.body().is_some()
            && f.region(0).blocks().len() == 1
            && (f.nested_ops().iter().any(|op| op.name().starts_with("lambda."))
                || has_functionals(f)
                || f.symbol().is_some_and(|s| values.contains(&s)))
    };
    module.child_ops().into_iter().filter(is_ours).collect()
}

/// Whether nobody outside the module may call a function.
pub fn is_private(op: Op) -> bool {
    op.attribute("sym_visibility").and_then(Attribute::as_string).as_deref() == Some("private")
}
