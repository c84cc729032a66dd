//! Closure conversion and defunctionalisation: converts function values to data, and their calls to direct calls
//! (`spec/functional.md` D.1 to D.4).
//!
//! The first arguments of a converted function are the values that it captured. A call whose callee is known is direct.
//! A value that can only be one function is represented by the captures of that function. A value that may be one of
//! several functions is a variant of a `lambda.data`, and a call of it is a `lambda.case` with a direct call for each
//! variant.
//!
//! Requires: typed programs without requests for derivatives. Result: no function value and no `!lambda.env` (record of
//! cotangents) remains. Ops of the dialect `lambda` on other data remain, and every `func.call` calls a function of the
//! module.
//! ```mlir before
//! func.func @f(%x: f64, %c: i1) -> f64 {
//!   %scale = lambda.lambda (%y: f64) -> f64 {
//!     %z = arith.mulf %x, %y : f64
//!     lambda.return %z : f64
//!   }
//!   %turn = lambda.lambda (%y: f64) -> f64 {
//!     %z = math.sin %y : f64
//!     lambda.return %z : f64
//!   }
//!   %g = lambda.switch %c, %scale, %turn : (i1, (f64) -> f64, (f64) -> f64) -> ((f64) -> f64)
//!   %y = lambda.apply %g(%x) : (f64) -> f64
//!   return %y : f64
//! }
//! ```
//! ```mlir after
//! lambda.data @closure {f.scale(f64), f.turn()}
//! func.func @f(%x: f64, %c: i1) -> f64 {
//!   %scale = lambda.make f.scale(%x) : (f64) -> !lambda.data<@closure>
//!   %turn = lambda.make f.turn() : () -> !lambda.data<@closure>
//!   %g = lambda.switch %c, %scale, %turn : (i1, !lambda.data<@closure>, !lambda.data<@closure>)
//!     -> !lambda.data<@closure>
//!   %y = lambda.case %g : !lambda.data<@closure> -> f64 {
//!     f.scale(%captured: f64) {
//!       %z = func.call @f.scale(%captured, %x) : (f64, f64) -> f64
//!       lambda.yield %z : f64
//!     }
//!     f.turn() {
//!       %z = func.call @f.turn(%x) : (f64) -> f64
//!       lambda.yield %z : f64
//!     }
//!   }
//!   return %y : f64
//! }
//! func.func private @f.scale(%x: f64, %y: f64) -> f64 {
//!   %z = arith.mulf %x, %y : f64
//!   return %z : f64
//! }
//! func.func private @f.turn(%y: f64) -> f64 {
//!   %z = math.sin %y : f64
//!   return %z : f64
//! }
//! ```

pub mod closures;

use crate::analysis::fresh_names::FreshNames;
use crate::functions::anf::{Body, Code, Function, Program};
use crate::functions::closure_convert::closures::flow::{Flow, Node};
use crate::functions::closure_convert::closures::lift::Lift;
use crate::functions::closure_convert::closures::prepare::prepare;
use crate::functions::closure_convert::closures::represent::{Declaration, Form, Represent};
use crate::functions::closure_convert::closures::rewrite::Rewrite;
use crate::functions::closure_convert::closures::tail;
use crate::functions::lambda_simplify::simplify::dead;
use crate::functions::verify_first_order;
use crate::functions::{
    self, holds_functions, is_private, remove_unused, remove_unused_data, signature_holds_functions,
};
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::{Reported, remark};
use mlopt_dialects::ir::{Attribute, Op, OpBuilder, Type};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::count;
use std::collections::HashMap;

pub const PASS: Pass = Pass {
    name: "closure-convert",
    description: "Replace function values by data and direct calls",
    anchor: Kind::BuiltinModule.name(),
    options: &[PassOption::flag("report", "Report the representation of each function and function value")],
    dialects: &["arith", "array", "dual", "func", "lambda"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    remove_unused(module);
    check(module)?;
    let ops: Vec<Op> = module.child_ops().into_iter().filter(|op| is_concerned(*op)).collect();
    let mut names = FreshNames::of(module);
    let mut program = Program::new(module.context());
    let mut read = Vec::new();
    for op in &ops {
        let mut function = program.read(*op)?;
        prepare(&mut program, &mut function.code.body);
        read.push(function);
    }
    let declared = others(module, &ops, &mut program);
    let mut lift = Lift::new(&mut program, &mut names);
    read.iter().chain(&declared).for_each(|f| lift.declare(&f.symbol, &f.code, f.location));
    // The number of resulting functions for each original one.
    let mut sizes = Vec::new();
    let mut functions = Vec::new();
    for function in read {
        let all = lift.function(function);
        sizes.push(all.len());
        functions.extend(all);
    }
    let known = lift.known;
    let mut flow = Flow::new(&program, &known, &functions)?;
    flow.visit_all(&functions);
    let graph = flow.finish();
    let represent = Represent::new(&program, graph, &known, &mut names);
    let mut rewrite = Rewrite::new(&mut program, represent);
    rewrite.functions(&mut functions);
    if options.bool("report") {
        report(&mut rewrite.represent);
    }
    let (made, mut declarations) = (rewrite.made, rewrite.represent.declarations);
    functions.extend(made);
    for function in &mut functions {
        dead::remove(&program, &mut function.code.body);
    }
    tail::loops(&mut program, &mut functions, &mut names, &mut declarations);
    write(module, &program, (&ops, &sizes), &functions, &declarations);
    if options.bool("report") {
        module.child_ops().into_iter().flat_map(tail::tail_calls).for_each(said_last);
    }
    remove_unused_data(module);
    verify_first_order::check(module)
}

/// Checks whether a function of the module involves functions as values.
fn is_concerned(op: Op) -> bool {
    op.kind() == Kind::FuncFunc
        && op.body().is_some()
        && (signature_holds_functions(op) || op.nested_ops().iter().any(|inner| inner.kind().dialect() == "lambda"))
}

fn check(module: Op) -> Result<(), Reported> {
    functions::check_types(&module.child_ops(), PASS.name)?;
    for op in module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc) {
        if !signature_holds_functions(op) || is_private(op) && op.body().is_some() {
            continue;
        }
        let Some(body) = op.body() else {
            let text = "a declared function must not take or return functions; define it in this module";
            return Err(op.error(format!("unknown-function-value: {text}")).emit());
        };
        let odd = body.arguments().into_iter().find(|v| holds_functions(v.ty()));
        let what = if odd.is_some() { "take functions as arguments" } else { "return functions" };
        let error = op.error(format!("unknown-function-value: a public function must not {what}; make it private"));
        return Err(match odd {
            Some(v) => error.note_value(&v.name().map_or("the argument".into(), |n| format!("%{n}")), v).emit(),
            None => error.emit(),
        });
    }
    Ok(())
}

/// Returns functions of the module that stay unchanged, but may be named where a function is a value.
fn others(module: Op, read: &[Op], program: &mut Program) -> Vec<Function> {
    let is_other = |op: &Op| op.kind() == Kind::FuncFunc && !read.contains(op);
    let mut all = Vec::new();
    for op in module.child_ops().into_iter().filter(is_other) {
        let (inputs, results) = op.function_type().unwrap_or_default();
        let (params, results) = (program.fresh_all(&inputs), program.fresh_all(&results));
        let code = Code::new(params, Body { stmts: vec![], results }, Kind::FuncReturn);
        let symbol = op.symbol().unwrap_or_default();
        all.push(Function { symbol, attributes: vec![], code, location: op.location() });
    }
    all
}

fn write(
    module: Op,
    program: &Program,
    (ops, sizes): (&[Op], &[usize]),
    functions: &[Function],
    declarations: &[Declaration],
) {
    let context = module.context();
    let body = module.entry();
    let location = module.location();
    let first = body.first_op();
    for declaration in declarations {
        let names = declaration.alternatives.iter().map(|(name, _)| name);
        let types =
            |types: &[Type]| context.array_attr(&types.iter().map(|t| context.type_attr(*t)).collect::<Vec<_>>());
        let fields: Vec<Attribute> = declaration.alternatives.iter().map(|(_, all)| types(all)).collect();
        let op = OpBuilder::new(Kind::LambdaData, location)
            .attribute("sym_name", context.string_attr(&declaration.symbol))
            .attribute("alternatives", context.strings_attr(names))
            .attribute("fields", context.array_attr(&fields))
            .build();
        match first {
            Some(first) => body.insert_before(first, op),
            None => body.append(op),
        };
    }
    let mut rest = functions;
    for (op, size) in ops.iter().zip(sizes) {
        let (own, others) = rest.split_at(*size);
        for function in own {
            body.insert_before(*op, program.write(function));
        }
        op.erase();
        rest = others;
    }
    for function in rest {
        body.append(program.write(function));
    }
}

fn said_last(call: Op) {
    remark(call.location(), format!("@{} is called in tail position", call.callee().unwrap_or_default()));
}

/// Emits remarks: for each lambda its function of the module, and for function values their representation.
fn report(represent: &mut Represent) {
    let mut lines: HashMap<usize, Vec<String>> = HashMap::new();
    for class in represent.classes.clone() {
        let Node::Function { members, .. } = represent.graph.node(class).clone() else { continue };
        let ty = represent.ty(class);
        let all: Vec<String> = members.iter().map(|k| format!("@{}", represent.known[*k].symbol)).collect();
        let text = match represent.form(class) {
            Form::Captures(_) => format!("a closure of it is represented by its captures, {ty}"),
            Form::Data(symbol, _) => {
                format!("a closure of it is a variant of @{symbol}, whose variants are {}", all.join(", "))
            }
        };
        for k in members {
            let said = lines.entry(k).or_default();
            if !said.contains(&text) {
                said.push(text.clone());
            }
        }
    }
    for (k, known) in represent.known.iter().enumerate() {
        if known.is_global && !lines.contains_key(&k) {
            continue;
        }
        let mut text = format!("@{} captures {}", known.symbol, count(known.captures.len(), "value"));
        for line in lines.remove(&k).unwrap_or_else(|| vec!["there are only direct calls of it".to_string()]) {
            text += "; ";
            text += &line;
        }
        remark(known.location, text);
    }
}
