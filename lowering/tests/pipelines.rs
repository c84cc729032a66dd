//! Tests of the text of pipelines.

use mlopt_lowering::pipelines::{Pipeline, before};

#[test]
fn pipelines_are_edited_as_lists() {
    let all = Pipeline::of(&["differentiate", "egg-optimize", "array-to-sweeps", "egg-optimize{code=functions}"]);
    let text = |pipeline: Pipeline| pipeline.to_string();
    let [whole, nested] = ["differentiate", "array-to-sweeps"];
    assert_eq!(
        text(all.clone().without("egg-optimize")),
        format!("builtin.module({whole},{nested},func.func(egg-optimize{{code=functions}}))")
    );
    let budget = all.with_options("differentiate", "memory-budget=1 report=true").after("func.func(cse)");
    assert!(text(budget).starts_with("builtin.module(func.func(cse),differentiate{memory-budget=1 report=true},"));
}

#[test]
fn what_users_write_keeps_its_text() {
    assert_eq!(before("a", "builtin.module()"), "builtin.module(a)");
    assert_eq!(before("a", "builtin.module(b,func.func(c))"), "builtin.module(a,b,func.func(c))");
    assert_eq!(before("a", "func.func(c)"), "func.func(c)");
}
