//! Specialisation of the functions with the attribute `growth` (`test/gradients`) for static sizes. Tests include this
//! file by its path.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Op, Type};

/// Returns the functions with the attribute `growth`.
pub fn functions_with_growth(program: &Program) -> Vec<Op> {
    program.module().child_ops().into_iter().filter(|f| f.attribute("growth").is_some()).collect()
}

/// Specialises these functions for dynamic sizes that are `n`.
pub fn make_static(program: &Program, n: usize) {
    for function in functions_with_growth(program) {
        let sizes = |ty: Type| match ty.rank() {
            0 => "-".to_string(),
            _ => ty.shape().into_iter().map(|d| d.unwrap_or(n).to_string()).collect::<Vec<_>>().join("x"),
        };
        let (inputs, _) = function.function_type().expect("a function has a type");
        let sizes: Vec<String> = inputs.into_iter().map(sizes).collect();
        function.set_attribute("array.sizes", function.context().string_attr(&sizes.join(",")));
    }
    program.run_pipeline("builtin.module(static-sizes)").expect("the sizes are known");
}
