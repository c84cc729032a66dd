//! The programs of docs/linking.md: calls, and a pass of another crate.

use mlopt::{Pipeline, Session, Target, View, ViewMut};
use mlopt_dialects::bridge::Pass;
use mlopt_dialects::ops::{HasKind, Kind};

/// Replaces every division by a power of two by a multiplication.
const HALVES: Pass = Pass {
    name: "divisions-to-products",
    description: "Replaces divisions by a constant power of two by products",
    anchor: "func.func",
    options: &[],
    dialects: &["arith"],
    run: |function, _options| {
        for op in function.nested_ops().into_iter().filter(|op| op.kind() == Kind::ArithDivf) {
            let constant = op.operand(1).defining_op().filter(|(op, _)| op.kind() == Kind::ArithConstant);
            let number = constant.and_then(|(op, _)| op.attribute("value")?.as_f64());
            if let Some(number) = number.filter(|number| number.log2().fract() == 0.0 && number.recip().is_normal()) {
                let b = mlopt_dialects::ir::Builder::before(op);
                let ty = op.result(0).ty();
                let inverse = b.constant(mlopt_dialects::ir::Attribute::float(ty, number.recip()), ty);
                op.replace_with([b.elementwise(op, Kind::ArithMulf, &[op.operand(0), inverse])]);
            }
        }
        Ok(())
    },
};

pub fn main() -> mlopt::Result<()> {
    let (x, mut z) = (2.0, 0.0);
    let session = mlopt::Session::new();
    let code = session.compile("slope.lambda", "(def slope ((x f64)) ((grad (lam (y) (* y (sin y)))) x))")?;
    let slope = code.function("slope")?;
    let results = slope.call(&[mlopt::View::scalar(&2.0)])?; // new arrays
    let mut call = slope.prepare(&[&[]])?; // for many calls of these shapes
    call.call(&[View::scalar(&x)], &mut [ViewMut::scalar(&mut z)])?; // allocates nothing
    assert_eq!(results[0].elements::<f64>()?, [z]);
    assert_eq!(z, 2f64.sin() + 2.0 * 2f64.cos());
    passes()
}

fn passes() -> mlopt::Result<()> {
    let session = Session::new();
    session.register_pass(&HALVES)?;
    let text = "func.func @half(%x: f64) -> f64 {
        %two = arith.constant 2.0 : f64
        %z = arith.divf %x, %two : f64
        return %z : f64
    }";
    let mut module = session.parse("half.mlir", text)?;
    module.run(&Pipeline::parse("builtin.module(func.func(divisions-to-products))"))?;
    assert!(module.text()?.contains("arith.mulf"));
    let code = module.compile(&Pipeline::default_cpu(), &Target::host())?;
    assert_eq!(code.function("half")?.call(&[View::scalar(&3.0)])?[0].elements::<f64>()?, [1.5]);
    Ok(())
}
