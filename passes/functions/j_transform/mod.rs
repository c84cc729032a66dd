//! Expands requests for derivatives of function values: `lambda.grad` and similar ops become functions that call the
//! transformed function, J f (`spec/functional.md` B). The ops on pullbacks of 1-forms and on linear
//! functionals (`lambda.pullback`, `lambda.dual`; `spec/functional.md` C) are expanded too: a functional becomes a
//! cotangent, and the pullback along a function becomes its reverse derivative.
//!
//! Innermost requests are expanded first, so that J is never applied to code with a request. After each level of nested
//! derivatives except the last, the functions with remaining requests and the functions that they use are simplified,
//! because otherwise each level would multiply the size of the code. The derivative of an unknown function is reported
//! as the error `unknown-function-value`. A function that is a parameter counts as known if it is passed together with
//! its transformed function (`paired.rs`).
//!
//! Requires: typed programs. Result: no `lambda.grad`, `lambda.vjp`, `lambda.jvp`, `lambda.hvp` and no pullback
//! remains.

pub mod paired;
pub mod pullbacks;
pub mod reverse;

use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var, free_in, free_of};
use crate::functions::as_loops;
use crate::functions::j_transform::paired::Paired;
use crate::functions::j_transform::reverse::{Images, Table, Transform};
use crate::functions::lambda_simplify::simplify::{Limits, named, simplify_all};
use crate::functions::{self, is_request, remove_unused};
use mlopt_dialects::bridge::{Options, Pass, names};
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Attribute, Op, Symbols, Type};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::{HasKind, Kind};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub const PASS: Pass = Pass {
    name: "j-transform",
    description: "Expand derivatives of functions that are values, in reverse mode, innermost first",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["arith", "array", "dual", "func", "lambda", "math", "scf", "tensor"],
    run,
};

fn run(module: Op, _: &Options) -> Result<(), Reported> {
    names::from_source(module);
    remove_unused(module);
    let functions = functions_to_read(module);
    functions::check_types(&functions, PASS.name)?;
    let mut program = Program::new(module.context());
    let mut read = functions.iter().map(|op| program.read(*op)).collect::<Result<Vec<_>, _>>()?;
    pullbacks::lower(&mut program, &mut read)?;
    pullbacks::declare(module);
    for function in &mut read {
        as_loops::expand(&mut program, &mut function.code.body, as_loops::is_one);
    }
    let mut paired = Paired::new();
    while read.iter().any(has_requests) && level(&mut program, &mut read, &mut paired)? {
        let open = open(&read);
        let mut open: Vec<&mut Function> = read.iter_mut().filter(|f| open.contains(&f.symbol)).collect();
        simplify_all(&mut program, &mut open, Limits::default());
    }
    // The order of functions is that of the module.
    let (read, images) = read.split_at(functions.len());
    for (op, function) in functions.iter().zip(read) {
        program.replace(*op, function);
    }
    for function in images {
        module.entry().append(program.write(function));
    }
    Ok(())
}

/// Returns the functions that contain ops of `lambda`, and their callees.
fn functions_to_read(module: Op) -> Vec<Op> {
    let symbols = Symbols::of(module);
    let ours = functions::of_module(module);
    let mut names: HashSet<String> = ours.iter().filter_map(|f| f.symbol()).collect();
    let mut next = ours;
    while !next.is_empty() {
        let calls = next.iter().flat_map(|f| f.nested_ops()).filter(|op| op.kind() == Kind::FuncCall);
        let called: Vec<String> = calls.filter_map(Op::callee).collect();
        let new = called.into_iter().filter(|name| names.insert(name.clone()));
        let found = new.filter_map(|name| symbols.get(&name));
        next = found.filter(|f| f.body().is_some() && f.region(0).blocks().len() == 1).collect();
    }
    let is_read = |f: &Op| f.kind() == Kind::FuncFunc && f.body().is_some() && f.region(0).blocks().len() == 1;
    module.child_ops().into_iter().filter(|f| is_read(f) && f.symbol().is_some_and(|s| names.contains(&s))).collect()
}

/// Checks whether a function contains derivatives to expand.
fn has_requests(function: &Function) -> bool {
    let mut found = false;
    function.code.body.visit(&mut |s| found |= is_request(s.kind()));
    found
}

/// Returns the functions that contain derivatives to expand, and the functions to which they refer.
fn open(functions: &[Function]) -> HashSet<String> {
    let mut found = HashSet::new();
    let mut next: Vec<&Function> = functions.iter().filter(|f| has_requests(f)).collect();
    while let Some(function) = next.pop() {
        if found.insert(function.symbol.clone()) {
            let names = named(&function.code);
            next.extend(functions.iter().filter(|f| names.contains(&f.symbol)));
        }
    }
    found
}

/// Expands the derivatives of functions that contain no others. Returns whether others remain.
fn level(program: &mut Program, functions: &mut Vec<Function>, paired: &mut Paired) -> Result<bool, Reported> {
    paired::pair(program, functions, paired)?;
    let symbols: Vec<String> = functions.iter().map(|f| f.symbol.clone()).collect();
    let sources = std::mem::take(functions).into_iter().map(|f| (f.symbol.clone(), Source::Read(f))).collect();
    let mut expand = Expand {
        program,
        paired,
        table: Table::default(),
        made: HashMap::new(),
        names: HashMap::new(),
        sources,
        done: Vec::new(),
        fresh: HashSet::new(),
        put_off: false,
    };
    for symbol in &symbols {
        expand.function(symbol)?;
    }
    let put_off = expand.put_off;
    let mut done: HashMap<String, Function> = HashMap::new();
    let mut images = Vec::new();
    for function in expand.done {
        match symbols.contains(&function.symbol) {
            true => drop(done.insert(function.symbol.clone(), function)),
            false => images.push(function),
        }
    }
    functions.extend(symbols.iter().filter_map(|s| done.remove(s)).chain(images));
    Ok(put_off)
}

/// The state of a function of the module.
enum Source {
    Read(Function),
    /// The function is being expanded.
    Open,
    /// The position in the list of expanded functions.
    Done(usize),
}

struct Expand<'p> {
    program: &'p mut Program,
    paired: &'p Paired,
    table: Table,
    /// The statement that defines each value.
    made: HashMap<Var, Rc<Stmt>>,
    /// The images of values that `lambda.J` requested.
    names: HashMap<Var, Var>,
    sources: HashMap<String, Source>,
    done: Vec<Function>,
    /// The results of derivatives of this level and of the next ones.
    fresh: HashSet<Var>,
    /// True if derivatives of the next levels remain.
    put_off: bool,
}

impl Expand<'_> {
    /// Expands the derivatives in a function of the module.
    fn function(&mut self, symbol: &str) -> Result<(), Reported> {
        let Some(source) = self.sources.get_mut(symbol) else { return Ok(()) };
        let Source::Read(_) = source else { return Ok(()) };
        let Source::Read(mut function) = std::mem::replace(source, Source::Open) else { unreachable!("just seen") };
        self.body(&mut function.code.body)?;
        self.sources.insert(symbol.to_string(), Source::Done(self.done.len()));
        self.done.push(function);
        Ok(())
    }

    fn body(&mut self, body: &mut Body) -> Result<(), Reported> {
        let mut out = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            self.rename(&mut stmt.operands);
            for code in &mut stmt.codes {
                self.body(&mut code.body)?;
            }
            match stmt.kind() {
                kind if is_request(kind) && self.is_later(stmt.operands[0])? => {
                    self.put_off = true;
                    self.fresh.insert(stmt.result());
                    self.remember(&stmt);
                    out.push(stmt);
                }
                Kind::LambdaJ => self.image(&stmt, &mut out)?,
                kind if is_request(kind) => {
                    self.fresh.insert(stmt.result());
                    self.derivative(&stmt, &mut out)?;
                }
                _ => {
                    self.remember(&stmt);
                    out.push(stmt);
                }
            }
        }
        body.stmts = out;
        self.rename(&mut body.results);
        Ok(())
    }

    fn rename(&self, values: &mut [Var]) {
        for value in values {
            if let Some(image) = self.names.get(value) {
                *value = *image;
            }
        }
    }

    fn remember(&mut self, stmt: &Stmt) {
        let stmt = Rc::new(stmt.clone());
        if stmt.is(Kind::LambdaLetrec) {
            for member in stmt.members() {
                self.made.insert(member.result(), stmt.clone());
            }
        }
        for result in &stmt.results {
            self.made.insert(*result, stmt.clone());
        }
    }

    /// Checks whether a function contains derivatives: it is differentiated after their simplification.
    fn is_later(&mut self, var: Var) -> Result<bool, Reported> {
        let (mut values, mut symbols) = (HashSet::new(), HashSet::new());
        let mut open = vec![var];
        while let Some(var) = open.pop() {
            if self.fresh.contains(&var) {
                return Ok(true);
            }
            let Some(made) = self.made.get(&var).cloned().filter(|_| values.insert(var)) else { continue };
            open.extend(&made.operands);
            open.extend(free_of(&made.codes));
            let mut named = Vec::new();
            if self.has_fresh(&[made.as_ref().clone()], &mut named) {
                return Ok(true);
            }
            while let Some(name) = named.pop() {
                if !symbols.insert(name.clone()) {
                    continue;
                }
                self.function(&name)?;
                let Some(Source::Done(k)) = self.sources.get(&name) else { continue };
                if self.has_fresh(&self.done[*k].code.body.stmts, &mut named) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Checks whether statements, or nested ones, contain derivatives. Functions of the module to which they refer are
    /// added to `named`.
    fn has_fresh(&self, stmts: &[Stmt], named: &mut Vec<String>) -> bool {
        stmts.iter().any(|stmt| {
            named.extend(stmt.callee());
            stmt.results.iter().any(|r| self.fresh.contains(r))
                || stmt.codes.iter().any(|code| self.has_fresh(&code.body.stmts, named))
        })
    }

    /// Expands `lambda.J` of a known value: its uses are replaced by the image.
    fn image(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let mut images = Images::new();
        self.known_image(stmt.operands[0], &mut images, out, stmt)?;
        let image = images.get(&stmt.operands[0]).copied().unwrap_or(stmt.operands[0]);
        self.names.insert(stmt.result(), image);
        Ok(())
    }

    /// Creates the image of a value, and of the values that it is computed from, unless it is data.
    fn known_image(&mut self, var: Var, images: &mut Images, out: &mut Vec<Stmt>, near: &Stmt) -> Result<(), Reported> {
        let ty = self.program.ty(var);
        if types::transformed(ty) == ty || images.contains_key(&var) {
            return Ok(());
        }
        if let Some(image) = self.paired.get(&var) {
            images.insert(var, *image);
            return Ok(());
        }
        let Some(made) = self.made.get(&var).cloned() else {
            let text = "unknown-function-value: the derivative depends on a parameter that is a function, and inlining \
                        did not determine which function it is; in the calls, write the name of a function or an \
                        anonymous function as the argument for this parameter";
            return Err(error(near.location, text));
        };
        if made.is(Kind::LambdaRef) {
            return self.image_of_symbol(&made, images, out);
        }
        for var in free_in(std::slice::from_ref(made.as_ref()), &[]) {
            self.known_image(var, images, out, near)?;
        }
        let mut made = Body { stmts: vec![made.as_ref().clone()], results: vec![] };
        self.calls_of_values(&mut made);
        for stmt in made.stmts {
            if stmt.is(Kind::LambdaRef) {
                self.image_of_symbol(&stmt, images, out)?;
                continue;
            }
            let mut new = Body::default();
            let mut transform = Transform { program: self.program, table: &mut self.table };
            transform.image_of(&stmt, images, &mut new.stmts)?;
            self.body(&mut new)?;
            out.extend(new.stmts);
        }
        Ok(())
    }

    /// Creates the image of a function of the module, once.
    fn image_of_symbol(&mut self, made: &Stmt, images: &mut Images, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let name = made.callee().unwrap_or_default();
        let symbol = format!("{name}.J");
        self.function(&name)?;
        if !self.sources.contains_key(&symbol) {
            let Some(Source::Done(k)) = self.sources.get(&name) else {
                let must = match self.sources.get(&name) {
                    None => "can be differentiated only if it has a body with exactly one block",
                    Some(_) => {
                        "must not need its own derivative, directly or through other functions; replace the recursion \
                         by a loop"
                    }
                };
                let text = format!("unknown-function-value: `@{name}` {must}");
                return Err(error(made.location, text));
            };
            let Function { code, attributes, location, .. } = &self.done[*k];
            let (mut code, attributes, location) = (code.clone(), attributes.clone(), *location);
            if code.body.results.len() != 1 {
                let found = format!("`@{name}` has {} results", code.body.results.len());
                let text = "a function to be differentiated must have one result, which may be a tuple";
                return Err(error(made.location, format!("not supported: {text}; {found}")));
            }
            self.calls_of_values(&mut code.body);
            // Recursive calls are calls of the image.
            self.sources.insert(symbol.clone(), Source::Open);
            let mut transform = Transform { program: self.program, table: &mut self.table };
            let mut code = transform.function(&code, &Images::new(), &[], location)?;
            self.body(&mut code.body)?;
            let private = ("sym_visibility".to_string(), self.program.context.string_attr("private"));
            let attributes = attributes.into_iter().filter(|a| a.0 != "sym_visibility").chain([private]).collect();
            self.sources.insert(symbol.clone(), Source::Done(self.done.len()));
            self.done.push(Function { symbol: symbol.clone(), attributes, code, location });
        }
        let ty = types::transformed(self.program.ty(made.result()));
        let callee = self.program.context.symbol_attr(&symbol);
        images.insert(made.result(), self.program.reference(out, callee, ty, made.location));
        Ok(())
    }

    /// Rewrites calls of functions of the module as calls of values, whose images return backpropagators.
    fn calls_of_values(&mut self, body: &mut Body) {
        let mut out = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            // Ops of other dialects are differentiated by the table of derivatives, which knows no calls.
            if stmt.kind().dialect() == "lambda" {
                stmt.codes.iter_mut().for_each(|code| self.calls_of_values(&mut code.body));
            }
            let callee = stmt.attribute("callee").filter(|_| stmt.is(Kind::FuncCall) && stmt.results.len() == 1);
            if let Some(callee) = callee {
                let ty = types::function(&self.program.types_of(&stmt.operands), self.program.ty(stmt.result()));
                let f = self.program.reference(&mut out, callee, ty, stmt.location);
                stmt.operands.insert(0, f);
                stmt = Stmt { op: Kind::LambdaApply.into(), attributes: Rc::new([]), ..stmt };
            }
            out.push(stmt);
        }
        body.stmts = out;
    }

    /// Replaces a request by a function that calls the image of its operand.
    fn derivative(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>) -> Result<(), Reported> {
        let f = stmt.operands[0];
        let (inputs, result) = self.program.signature(f);
        let code = match stmt.kind() {
            Kind::LambdaJvp => self.jvp(stmt, &inputs, result)?,
            Kind::LambdaHvp => self.hvp(stmt, &inputs)?,
            _ => {
                let mut images = Images::new();
                self.known_image(f, &mut images, out, stmt)?;
                let of = if stmt.is(Kind::LambdaGrad) { Expand::grad } else { Expand::vjp };
                of(self, stmt, images[&f], &inputs, result)?
            }
        };
        let new = Stmt::new(Kind::LambdaLambda, stmt.results.clone(), vec![], vec![code], stmt.location);
        self.remember(&new);
        out.push(new);
        Ok(())
    }

    /// Calls the image of a function. Returns the result and the backpropagator.
    fn call(&mut self, stmt: &Stmt, image: Var, params: &[Var], out: &mut Vec<Stmt>) -> Result<(Var, Var), Reported> {
        if let Some(odd) = params.iter().find(|p| types::transformed(self.program.ty(**p)) != self.program.ty(**p)) {
            let text = "an argument of a function to be differentiated must not contain functions";
            let text = format!("not supported: {text}, found type {}", self.program.ty(*odd));
            return Err(error(stmt.location, text));
        }
        Ok(self.pair(out, image, params, stmt))
    }

    /// Selects the cotangents of the arguments in `wrt` from the result of the backpropagator.
    fn chosen(&mut self, stmt: &Stmt, sensitivities: Var, wrt: &[usize], out: &mut Vec<Stmt>) -> Var {
        let at = stmt.location;
        let parts: Vec<Var> = wrt.iter().map(|k| self.program.part(out, sensitivities, k + 1, at)).collect();
        self.program.packed(out, &parts, at)
    }

    fn wrt(stmt: &Stmt, default: Vec<usize>) -> Vec<usize> {
        let given = stmt.attribute("wrt").and_then(Attribute::as_i64_array);
        given.map_or(default, |all| all.into_iter().map(|k| k as usize).collect())
    }

    /// Returns `grad_i(f)(a…) = let (y, b) = J(f)(a…) in get (i+1) (b 1)` (B.8).
    fn grad(&mut self, stmt: &Stmt, image: Var, inputs: &[Type], result: Type) -> Result<Code, Reported> {
        let (params, mut stmts, at) = (self.program.fresh_all(inputs), Vec::new(), stmt.location);
        let (y, b) = self.call(stmt, image, &params, &mut stmts)?;
        let seed = self.program.constant(&mut stmts, Attribute::float(result, 1.0), result, at);
        let all = self.program.apply(&mut stmts, b, &[seed], at);
        let mut given = self.chosen(stmt, all, &Self::wrt(stmt, vec![0]), &mut stmts);
        if stmt.attribute("value").is_some() {
            given = self.program.tuple(&mut stmts, &[y, given], at);
        }
        Ok(Code::returns(params, stmts, vec![given]))
    }

    /// Returns the result, and the backpropagator for the arguments in `wrt`.
    fn vjp(&mut self, stmt: &Stmt, image: Var, inputs: &[Type], result: Type) -> Result<Code, Reported> {
        let (params, mut stmts, at) = (self.program.fresh_all(inputs), Vec::new(), stmt.location);
        let (y, b) = self.call(stmt, image, &params, &mut stmts)?;
        let d = self.program.fresh(types::tangent(result), None);
        let mut back = Vec::new();
        let all = self.program.apply(&mut back, b, &[d], at);
        let given = self.chosen(stmt, all, &Self::wrt(stmt, (0..inputs.len()).collect()), &mut back);
        let back = self.program.lambda(&mut stmts, Code::returns(vec![d], back, vec![given]), at);
        let pair = self.program.tuple(&mut stmts, &[y, back], at);
        Ok(Code::returns(params, stmts, vec![pair]))
    }

    /// Returns the derivative along a direction, from the backpropagator: it is linear, so its own backpropagator is
    /// the forward map.
    fn jvp(&mut self, stmt: &Stmt, inputs: &[Type], result: Type) -> Result<Code, Reported> {
        let at = stmt.location;
        let tangents: Vec<Type> = inputs.iter().map(|t| types::tangent(*t)).collect();
        let (x, t) = (self.program.fresh_all(inputs), self.program.fresh_all(&tangents));
        let mut stmts = Vec::new();
        let packed = if let [one] = tangents[..] { one } else { self.program.context.tuple(&tangents) };
        let back_type = types::function(&[types::tangent(result)], packed);
        let there = types::function(inputs, self.program.context.tuple(&[result, back_type]));
        let vjp = self.program.push(&mut stmts, Kind::LambdaVjp, &[stmt.operands[0]], there, at);
        let (y, back) = self.pair(&mut stmts, vjp, &x, stmt);
        let zero = self.program.push(&mut stmts, Kind::LambdaZerosLike, &[y], types::tangent(result), at);
        let again = types::function(&[packed], types::tangent(result));
        let linear = types::function(&[types::tangent(result)], self.program.context.tuple(&[packed, again]));
        let vjp = self.program.push(&mut stmts, Kind::LambdaVjp, &[back], linear, at);
        let (_, along) = self.pair(&mut stmts, vjp, &[zero], stmt);
        let direction = self.program.packed(&mut stmts, &t, at);
        let y_t = self.program.apply(&mut stmts, along, &[direction], at);
        let given = self.program.tuple(&mut stmts, &[y, y_t], at);
        self.expanded([x, t].concat(), stmts, given)
    }

    /// Returns the derivative of the gradient along a direction.
    fn hvp(&mut self, stmt: &Stmt, inputs: &[Type]) -> Result<Code, Reported> {
        let at = stmt.location;
        let k = stmt.attribute("wrt").and_then(Attribute::as_i64).unwrap_or(0) as usize;
        let tangent = types::tangent(inputs[k]);
        let (x, v) = (self.program.fresh_all(inputs), self.program.fresh(tangent, None));
        // The gradient as a function of this argument alone.
        let own = self.program.fresh(inputs[k], None);
        let mut inner = Vec::new();
        let wrt = self.program.context.i64_array_attr(&[k as i64]);
        let ty = types::function(inputs, tangent);
        let grad = self.program.push_with(&mut inner, Kind::LambdaGrad, &[stmt.operands[0]], &[("wrt", wrt)], ty, at);
        let mut arguments = vec![grad];
        arguments.extend(x.iter().enumerate().map(|(j, x)| if j == k { own } else { *x }));
        let gradient = self.program.push(&mut inner, Kind::LambdaApply, &arguments, tangent, at);
        let mut stmts = Vec::new();
        let f = self.program.lambda(&mut stmts, Code::returns(vec![own], inner, vec![gradient]), at);
        let pair = self.program.context.tuple(&[tangent, tangent]);
        let along = types::function(&[inputs[k], tangent], pair);
        let jvp = self.program.push(&mut stmts, Kind::LambdaJvp, &[f], along, at);
        let (_, given) = self.pair(&mut stmts, jvp, &[x[k], v], stmt);
        self.expanded([x.as_slice(), &[v]].concat(), stmts, given)
    }

    /// Calls a function with two results.
    fn pair(&mut self, out: &mut Vec<Stmt>, f: Var, x: &[Var], stmt: &Stmt) -> (Var, Var) {
        let t = self.program.apply(out, f, x, stmt.location);
        [0, 1].map(|k| self.program.part(out, t, k, stmt.location)).into()
    }

    /// Creates a function with these statements, in which requests are expanded.
    fn expanded(&mut self, params: Vec<Var>, stmts: Vec<Stmt>, given: Var) -> Result<Code, Reported> {
        let mut body = Body { stmts, results: vec![given] };
        self.body(&mut body)?;
        Ok(Code::new(params, body, Kind::LambdaReturn))
    }
}
