//! Functions that differentiate functions among their arguments. If the derivative of a parameter is requested, the
//! parameter is passed together with its image under J. The same holds for a function that a loop carries.
//!
//! `f(g, x) = … (grad g) … f(g, x')` becomes `f(g, x, gJ)`, and a call `f(s, x)` becomes `f(s, x, J s)`; within `f` the
//! image of `g` is `gJ`. A loop that carries `g` also carries `gJ`, and if an iteration yields `g'` it also yields `J
//! g'`. A call that is inlined does not need this. The remaining cases are recursion, loops, and functions that are too
//! large to be inlined.
//!
//! A function whose only uses are calls is changed alone. If a function is used as a value, all functions of its type
//! and all calls of values of this type are changed, because the callees of these calls are not known.
//!
//! Each level of derivatives adds images of images. If a recursive function passes a derivative of one of its
//! parameters to itself as the new value of this parameter, then the number of levels depends on data, so no fixed
//! number of images suffices; this is reported as an error.

use crate::functions::anf::{Body, Code, Function, Program, Stmt, Var, free_of};
use crate::functions::{holds, is_request};
use mlopt_dialects::diagnostics::{Reported, error};
use mlopt_dialects::ir::{Location, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use std::collections::{HashMap, HashSet};

/// The images of parameters.
pub type Paired = HashMap<Var, Var>;

/// A function or a loop, which has parameters.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Target {
    /// A function of the module.
    Symbol(String),
    /// A `lambda.lambda`.
    Value(Var),
    /// All functions of a type.
    Type(Type),
    /// A loop, identified by its first result. Its parameters are the carried values.
    Loop(Var),
}

/// Adds parameters for the requested images, and the corresponding arguments to calls.
///
/// # Errors
/// A derivative whose order depends on data.
pub fn pair(program: &mut Program, functions: &mut [Function], paired: &mut Paired) -> Result<(), Reported> {
    let known = defined(functions);
    paired.retain(|var, image| known.contains(var) && known.contains(image));
    let mut uses = Uses::default();
    for function in functions.iter() {
        let target = Target::Symbol(function.symbol.clone());
        if let [result] = function.code.body.results[..] {
            let inputs = program.types_of(&function.code.params);
            uses.types.insert(target.clone(), types::function(&inputs, program.ty(result)));
        }
        let private = function.attributes.iter().find(|a| a.0 == "sym_visibility").and_then(|a| a.1.as_string());
        if private.as_deref() != Some("private") {
            uses.fixed.insert(target.clone());
        }
        uses.owns(target, &function.code.params);
        requests_in(&function.code.body, uses.inside_functions.entry(function.symbol.clone()).or_default());
    }
    for function in functions.iter() {
        uses.body(program, &function.code.body);
        // The results of a function are used as values elsewhere.
        uses.escape(&function.code.body.results);
    }
    let needed = uses.needed(program, paired)?;
    if needed.is_empty() {
        return Ok(());
    }
    let mut more: HashMap<Target, Vec<usize>> = HashMap::new();
    needed.into_iter().for_each(|(target, k)| more.entry(target).or_default().push(k));
    let by_type: HashMap<Type, Vec<usize>> = more
        .iter()
        .filter_map(|(target, ks)| if let Target::Type(ty) = target { Some((*ty, ks.clone())) } else { None })
        .collect();
    if !by_type.is_empty() {
        program.map_types(|ty| retyped(ty, &by_type));
    }
    let mut change = Change { program, more, uses: &uses, paired };
    for function in functions.iter_mut() {
        change.code(&uses.of_function(&Target::Symbol(function.symbol.clone())), &mut function.code);
        change.body(&mut function.code.body);
    }
    // An image of an earlier level that no longer has the type of one.
    let is_image = |var: &Var, image: &mut Var| types::transformed(program.ty(*var)) == program.ty(*image);
    paired.retain(is_image);
    Ok(())
}

/// Returns all values that functions define. Simplification may have removed an image that was not yet used.
fn defined(functions: &[Function]) -> HashSet<Var> {
    functions.iter().flat_map(|f| f.code.values()).collect()
}

/// Returns a type in which functions of some types have more parameters.
fn retyped(ty: Type, more: &HashMap<Type, Vec<usize>>) -> Type {
    if ty.is_tensor() {
        return ty;
    }
    match TypeKind::of(ty) {
        TypeKind::Function(inputs, result) => {
            let mut new: Vec<Type> = inputs.iter().map(|t| retyped(*t, more)).collect();
            let images = more.get(&ty).into_iter().flatten().map(|&k| types::transformed(new[k])).collect::<Vec<_>>();
            new.extend(images);
            types::function(&new, retyped(result, more))
        }
        TypeKind::Foreign => ty,
        _ if ty.parts().is_empty() => ty,
        _ => ty.with_parts(&ty.parts().into_iter().map(|t| retyped(t, more)).collect::<Vec<_>>()),
    }
}

/// The uses of the functions of a program.
#[derive(Default)]
struct Uses {
    /// The values from which the image of a value is computed.
    sources: HashMap<Var, Vec<Var>>,
    /// The functions of values; a member of a group has two names.
    targets: HashMap<Var, Target>,
    /// The type of each function.
    types: HashMap<Target, Type>,
    owners: HashMap<Var, (Target, usize)>,
    calls: HashMap<Target, Vec<Vec<Var>>>,
    /// The calls of functions of a type, for any function.
    calls_by_type: HashMap<Type, Vec<Vec<Var>>>,
    /// The original types of called values.
    applied: HashMap<Var, Type>,
    /// Functions that are used as values.
    escaping: HashSet<Target>,
    /// Functions that are called from outside of the module.
    fixed: HashSet<Target>,
    /// Types of functions that are called in other ways, or differentiated.
    fixed_types: HashSet<Type>,
    requests: Vec<(Var, Location)>,
    /// The functions of which the results of requests are derivatives.
    derivatives: HashMap<Var, (Var, Location)>,
    /// The requests in the definition of a value: its image contains their derivatives.
    inside: HashMap<Var, Vec<(Var, Location)>>,
    inside_functions: HashMap<String, Vec<(Var, Location)>>,
}

/// Adds the requests in `body` and in all that it contains.
fn requests_in(body: &Body, found: &mut Vec<(Var, Location)>) {
    body.visit(&mut |stmt| {
        if is_request(stmt.kind()) {
            found.push((stmt.operands[0], stmt.location));
        }
    });
}

impl Uses {
    fn owns(&mut self, target: Target, params: &[Var]) {
        for (k, param) in params.iter().enumerate() {
            self.owners.insert(*param, (target.clone(), k));
        }
    }

    fn escape(&mut self, values: &[Var]) {
        let targets = values.iter().filter_map(|v| self.targets.get(v));
        self.escaping.extend(targets.cloned());
    }

    /// Returns the function itself, or all those of its type where it is used as a value.
    fn of_function(&self, target: &Target) -> Target {
        match self.types.get(target) {
            Some(ty) if self.escaping.contains(target) => Target::Type(*ty),
            _ => target.clone(),
        }
    }

    fn call(&mut self, target: Option<Target>, ty: Option<Type>, arguments: &[Var]) {
        if let Some(target) = target {
            self.calls.entry(target).or_default().push(arguments.to_vec());
        }
        if let Some(ty) = ty {
            self.calls_by_type.entry(ty).or_default().push(arguments.to_vec());
        }
    }

    fn body(&mut self, program: &Program, body: &Body) {
        for stmt in &body.stmts {
            self.stmt(program, stmt);
        }
        self.escape(&body.results);
    }

    fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        let callee = stmt.callee().map(Target::Symbol);
        let mut given = &stmt.operands[..];
        match (stmt.kind(), callee) {
            (Kind::LambdaRef, Some(target)) => drop(self.targets.insert(stmt.result(), target)),
            (Kind::FuncCall, Some(target)) => {
                let ty = self.types.get(&target).copied();
                self.call(Some(target), ty, &stmt.operands);
            }
            (_, Some(target)) => drop(self.fixed.insert(target)),
            (Kind::LambdaApply, None) => {
                let target = self.targets.get(&stmt.operands[0]).cloned();
                given = &stmt.operands[target.is_some() as usize..];
                self.applied.insert(stmt.operands[0], program.ty(stmt.operands[0]));
                self.call(target, Some(program.ty(stmt.operands[0])), &stmt.operands[1..]);
            }
            // Those that take or return functions are not supported.
            (Kind::LambdaSpawn | Kind::LambdaMake | Kind::LambdaCase, None) => {
                self.fixed_types.extend(stmt.operands.iter().map(|v| program.ty(*v)))
            }
            _ => {}
        }
        self.escape(given);
        if is_request(stmt.kind()) {
            self.fixed_types.insert(program.ty(stmt.operands[0]));
            self.requests.push((stmt.operands[0], stmt.location));
            self.derivatives.insert(stmt.result(), (stmt.operands[0], stmt.location));
        }
        let mut sources = Vec::new();
        if stmt.results.iter().any(|v| types::transformed(program.ty(*v)) != program.ty(*v)) {
            sources.extend(&stmt.operands);
            sources.extend(free_of(&stmt.codes));
            self.sources.extend(stmt.results.iter().map(|v| (*v, sources.clone())));
            let mut inside = Vec::new();
            stmt.codes.iter().for_each(|code| requests_in(&code.body, &mut inside));
            inside.extend(stmt.callee().and_then(|name| self.inside_functions.get(&name)).into_iter().flatten());
            if !inside.is_empty() {
                self.inside.extend(stmt.results.iter().map(|v| (*v, inside.clone())));
            }
        }
        match stmt.kind() {
            Kind::LambdaLambda => self.lambda(program, stmt),
            Kind::LambdaLetrec => {
                let group = &stmt.codes[0].body;
                for (outside, inside) in stmt.results.iter().zip(&group.results) {
                    self.targets.insert(*inside, Target::Value(*inside));
                    self.targets.insert(*outside, Target::Value(*inside));
                }
                let inside = stmt.results.first().and_then(|v| self.inside.get(v)).cloned();
                for member in &group.stmts {
                    self.targets.insert(member.result(), Target::Value(member.result()));
                    self.sources.insert(member.result(), sources.clone());
                    self.inside.extend(inside.clone().map(|inside| (member.result(), inside)));
                }
                group.stmts.iter().for_each(|member| self.lambda(program, member));
            }
            Kind::LambdaFor | Kind::LambdaWhile => {
                if let Some(first) = stmt.results.first() {
                    let target = Target::Loop(*first);
                    let skipped = counter(stmt);
                    stmt.codes.iter().for_each(|code| self.owns(target.clone(), &code.params[skipped..]));
                    self.owns(target.clone(), &stmt.results);
                    let next = stmt.codes.iter().last().map(|code| code.body.results.clone());
                    let calls = std::iter::once(stmt.operands[skipped..].to_vec()).chain(next);
                    self.calls.entry(target).or_default().extend(calls);
                }
                stmt.codes.iter().for_each(|code| self.body(program, &code.body));
            }
            _ => stmt.codes.iter().for_each(|code| self.body(program, &code.body)),
        }
    }

    fn lambda(&mut self, program: &Program, stmt: &Stmt) {
        let target = Target::Value(stmt.result());
        self.targets.insert(stmt.result(), target.clone());
        self.types.insert(target.clone(), program.ty(stmt.result()));
        self.owns(target, &stmt.codes[0].params);
        self.body(program, &stmt.codes[0].body);
    }

    /// Returns the parameters whose images are needed, directly or for those of other functions.
    fn needed(&mut self, program: &Program, paired: &Paired) -> Result<Vec<(Target, usize)>, Reported> {
        loop {
            let needed = self.reached(program, paired)?;
            // All functions of a type change together, also those that are only called.
            let all: HashSet<Type> =
                needed.iter().filter_map(|(t, _)| if let Target::Type(ty) = t { Some(*ty) } else { None }).collect();
            let alone = self.types.iter().filter(|(target, ty)| all.contains(ty) && !self.escaping.contains(target));
            let alone: Vec<Target> = alone.map(|(target, _)| target.clone()).collect();
            if alone.is_empty() {
                return Ok(needed);
            }
            self.escaping.extend(alone);
        }
    }

    fn reached(&self, program: &Program, paired: &Paired) -> Result<Vec<(Target, usize)>, Reported> {
        let (mut orders, mut needed): (HashMap<Var, usize>, Vec<(Target, usize)>) = (HashMap::new(), Vec::new());
        let mut changeable: HashMap<Target, bool> = HashMap::new();
        let mut open: Vec<(Var, usize, Location)> = self.requests.iter().map(|(v, at)| (*v, 1, *at)).collect();
        while let Some((var, order, at)) = open.pop() {
            let ty = program.ty(var);
            if types::transformed(ty) == ty || orders.get(&var).is_some_and(|known| *known >= order) {
                continue;
            }
            // A path between requests without repetition is shorter.
            if order > self.requests.len() {
                let text = "unknown-function-value: the order of this derivative depends on data, because each call \
                            or iteration differentiates the previous derivative; write a fixed order, as in `(grad \
                            (grad f))`, or use the evaluator (`mlopt run --interpret`), which has no such limit. This \
                            can be a false alarm for functions in a tuple, record or list, whose parts the compiler \
                            does not distinguish here";
                return Err(error(at, text));
            }
            let is_new = orders.insert(var, order).is_none();
            if let Some((f, at)) = self.derivatives.get(&var) {
                open.push((*f, order + 1, *at));
                continue;
            }
            let owner = self.owners.get(&var).map(|(target, k)| (self.of_function(target), *k));
            let owner = owner.filter(|(target, _)| {
                *changeable.entry(target.clone()).or_insert_with(|| self.may_change(program, target))
            });
            let Some((target, k)) = owner else {
                open.extend(self.sources.get(&var).into_iter().flatten().map(|v| (*v, order, at)));
                open.extend(self.inside.get(&var).into_iter().flatten().map(|(v, at)| (*v, order + 1, *at)));
                continue;
            };
            if is_new && !paired.contains_key(&var) && !needed.contains(&(target.clone(), k)) {
                needed.push((target.clone(), k));
            }
            let calls = match &target {
                Target::Type(ty) => self.calls_by_type.get(ty),
                _ => self.calls.get(&target),
            };
            open.extend(calls.into_iter().flatten().filter_map(|call| call.get(k)).map(|v| (*v, order, at)));
        }
        needed.sort_by_key(|(_, k)| *k);
        Ok(needed)
    }

    /// Returns whether all functions and calls that would have to change are known.
    fn may_change(&self, program: &Program, target: &Target) -> bool {
        let Target::Type(ty) = target else { return !self.fixed.contains(target) };
        let is_fixed = |f: &Target| self.types.get(f) == Some(ty);
        // Images of such functions, from another level, would have to change in another way.
        let (transformed, all): (Type, HashSet<Type>) = (types::transformed(*ty), program.types().collect());
        !self.fixed.iter().any(is_fixed)
            && !self.fixed_types.iter().any(|other| holds(*other, &|part| part == *ty))
            && !all.into_iter().any(|other| holds(other, &|part| part == transformed))
    }
}

/// Returns the number of operands and parameters of a loop before the carried ones.
fn counter(stmt: &Stmt) -> usize {
    stmt.is(Kind::LambdaFor) as usize
}

struct Change<'a> {
    program: &'a mut Program,
    /// The parameters of functions whose images become parameters.
    more: HashMap<Target, Vec<usize>>,
    uses: &'a Uses,
    paired: &'a mut Paired,
}

impl Change<'_> {
    fn code(&mut self, target: &Target, code: &mut Code) {
        for k in self.more.get(target).cloned().unwrap_or_default() {
            let image = self.paired(code.params[k]);
            code.params.push(image);
        }
    }

    /// Sets the type of a function with more parameters. A function that changes with its whole type already has it.
    fn retype(&mut self, var: Var) {
        let Some(target) = self.uses.targets.get(&var).map(|target| self.uses.of_function(target)) else { return };
        if matches!(target, Target::Type(_)) {
            return;
        }
        let Some(ks) = self.more.get(&target) else { return };
        let (inputs, result) = self.program.signature(var);
        let images: Vec<Type> = ks.iter().map(|&k| types::transformed(inputs[k])).collect();
        self.program.set_ty(var, types::function(&[inputs, images].concat(), result));
    }

    fn body(&mut self, body: &mut Body) {
        let mut out = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            stmt.results.clone().into_iter().for_each(|v| self.retype(v));
            match stmt.kind() {
                Kind::LambdaLetrec => {
                    // Members see each other before their bodies are read.
                    let results = stmt.members().iter().map(Stmt::result);
                    results.filter(|v| !stmt.results.contains(v)).for_each(|v| self.retype(v));
                    stmt.codes[0].body.stmts.iter_mut().for_each(|member| self.lambda(member));
                }
                Kind::LambdaLambda => self.lambda(&mut stmt),
                _ => stmt.codes.iter_mut().for_each(|code| self.body(&mut code.body)),
            }
            match stmt.kind() {
                Kind::FuncCall | Kind::LambdaApply => self.call(&mut stmt, &mut out),
                Kind::LambdaFor | Kind::LambdaWhile => self.carry(&mut stmt, &mut out),
                _ => {}
            }
            out.push(stmt);
        }
        body.stmts = out;
    }

    /// Adds the images of arguments as arguments.
    fn call(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let first = stmt.is(Kind::LambdaApply) as usize;
        let target = match first {
            0 => stmt.callee().map(Target::Symbol),
            _ => self.uses.targets.get(&stmt.operands[0]).cloned(),
        };
        let target = match target {
            Some(target) => self.uses.of_function(&target),
            None => match self.uses.applied.get(&stmt.operands[0]) {
                Some(ty) => Target::Type(*ty),
                None => return,
            },
        };
        for k in self.more.get(&target).cloned().unwrap_or_default() {
            let image = self.image(stmt.operands[first + k], stmt.location, out);
            stmt.operands.push(image);
        }
    }

    /// Requests the image of a value.
    fn image(&mut self, var: Var, at: Location, out: &mut Vec<Stmt>) -> Var {
        let ty = types::transformed(self.program.ty(var));
        self.program.push(out, Kind::LambdaJ, &[var], ty, at)
    }

    /// Adds the images of carried values to a loop.
    fn carry(&mut self, stmt: &mut Stmt, out: &mut Vec<Stmt>) {
        let Some(ks) = stmt.results.first().and_then(|v| self.more.get(&Target::Loop(*v))).cloned() else { return };
        let skipped = counter(stmt);
        let last = stmt.codes.len() - 1;
        for k in ks {
            let image = self.image(stmt.operands[skipped + k], stmt.location, out);
            stmt.operands.push(image);
            for code in &mut stmt.codes {
                let param = self.paired(code.params[skipped + k]);
                code.params.push(param);
            }
            let body = &mut stmt.codes[last].body;
            let next = self.image(body.results[k], stmt.location, &mut body.stmts);
            body.results.push(next);
            let result = self.paired(stmt.results[k]);
            stmt.results.push(result);
        }
    }

    /// Creates the image of a value.
    fn paired(&mut self, var: Var) -> Var {
        let image = self.program.like(var, types::transformed(self.program.ty(var)));
        self.paired.insert(var, image);
        image
    }

    fn lambda(&mut self, stmt: &mut Stmt) {
        let target = self.uses.of_function(&Target::Value(stmt.result()));
        self.code(&target, &mut stmt.codes[0]);
        self.body(&mut stmt.codes[0].body);
    }
}
