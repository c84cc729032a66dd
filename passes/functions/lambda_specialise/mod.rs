//! Infers the types of programs with open types. A function is copied once for each signature with which it is called.
//!
//! Requires: each public function has typed arguments, or is called, directly or indirectly, by one that has. Result:
//! no `!lambda.any`, `lambda.prim`, `lambda.the` or `lambda.walk` and no `lambda.literal` of a number remains. Private
//! functions with open types that are never called are removed.
//! ```mlir before
//! func.func @f(%x: f64, %v: tensor<3xf64>) -> !lambda.any {
//!   %square = lambda.lambda (%a: !lambda.any) -> !lambda.any {
//!     %b = lambda.prim "*"(%a, %a) : (!lambda.any, !lambda.any) -> !lambda.any
//!     lambda.return %b : !lambda.any
//!   }
//!   %y = lambda.apply %square(%x) : (!lambda.any) -> !lambda.any (f64) -> !lambda.any
//!   %w = lambda.apply %square(%v) : (!lambda.any) -> !lambda.any (tensor<3xf64>) -> !lambda.any
//!   %t = lambda.tuple %y, %w : (!lambda.any, !lambda.any) -> !lambda.any
//!   return %t : !lambda.any
//! }
//! ```
//! ```mlir after
//! func.func @f(%x: f64, %v: tensor<3xf64>) -> tuple<f64, tensor<3xf64>> {
//!   %square = lambda.lambda (%a: f64) -> f64 {
//!     %b = arith.mulf %a, %a : f64
//!     lambda.return %b : f64
//!   }
//!   %squares = lambda.lambda (%a: tensor<3xf64>) -> tensor<3xf64> {
//!     %b = arith.mulf %a, %a : tensor<3xf64>
//!     lambda.return %b : tensor<3xf64>
//!   }
//!   %y = lambda.apply %square(%x) : (f64) -> f64
//!   %w = lambda.apply %squares(%v) : (tensor<3xf64>) -> tensor<3xf64>
//!   %t = lambda.tuple %y, %w : (f64, tensor<3xf64>) -> tuple<f64, tensor<3xf64>>
//!   return %t : tuple<f64, tensor<3xf64>>
//! }
//! ```

pub mod infer;
mod overloads;
pub mod primitives;
mod sizes;
pub mod unify;

use crate::analysis::fresh_names::FreshNames;
use crate::functions::lambda_specialise::infer::{Binding, Closure, Code, Copy, Infer};
use crate::functions::lambda_specialise::unify::Ty;
use crate::functions::{is_private, position_in};
use mlopt_dialects::bridge::{Options, Pass, PassOption, names};
use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Op, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::lambda::{Literal, Prim, Ref, While};
use mlopt_dialects::ops::{HasKind, Kind, Symbol};
use std::collections::{HashMap, HashSet};

pub const PASS: Pass = Pass {
    name: "lambda-specialise",
    description: "Infer open types, and specialise each function for the types of the arguments of its calls",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::integer("most", "10000", "Maximum number of copies of functions"),
        PassOption::flag("report", "Report the copies of functions"),
    ],
    dialects: &["arith", "array", "dual", "func", "lambda", "math", "tensor"],
    run,
};

fn run(module: Op, options: &Options) -> Result<(), Reported> {
    names::from_source(module);
    let functions: Vec<Op> = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc).collect();
    let concerned: Vec<Op> = functions.iter().copied().filter(|f| is_concerned(*f)).collect();
    if concerned.is_empty() {
        return Ok(());
    }
    let mut infer = Infer::new(module, options.integer("most").max(1) as usize);
    let mut entries = Vec::new();
    for function in &concerned {
        let body = function.entry();
        // The result type of a private function may depend on its callers.
        let is_open = function.function_type().is_some_and(|(_, r)| !r.iter().all(|t| types::is_closed(*t)));
        if body.arguments().iter().all(|a| types::is_closed(a.ty())) && !(is_private(*function) && is_open) {
            entries.push((*function, infer.entry(*function)?));
        }
    }
    // A private function is an entry only if no call has made a copy of it.
    entries.sort_by_key(|(function, _)| is_private(*function));
    let mut export = Export::new(&infer, module);
    for (function, copy) in &entries {
        if is_private(*function) && export.called.contains(function) {
            continue;
        }
        export.names.insert(*copy, function.symbol().unwrap_or_default());
        export.function(*copy, *function)?;
    }
    if options.bool("report") {
        export.report();
    }
    let made = export.called.clone();
    for function in &concerned {
        if !is_private(*function) && !made.contains(function) && !entries.iter().any(|e| e.0 == *function) {
            let text = "cannot-infer: this function is never called, so the types of its arguments are not determined; \
                        give their types";
            return Err(function.error(text).emit());
        }
    }
    // A private function without `lambda` ops that is used as a value also has a copy with its name.
    let copied = functions.into_iter().filter(|f| made.contains(f) && is_private(*f) && !concerned.contains(f));
    let gone: Vec<Op> = copied.chain(concerned.iter().copied()).collect();
    gone.into_iter().for_each(Op::erase);
    Ok(())
}

/// Checks whether a function contains `lambda` ops or types.
fn is_concerned(function: Op) -> bool {
    let Some((inputs, results)) = function.function_type() else { return false };
    let is_ours = |op: &Op| op.kind().dialect() == "lambda";
    function.body().is_some()
        && function.region(0).blocks().len() == 1
        && (function.nested_ops().iter().any(is_ours) || inputs.iter().chain(&results).any(|t| !types::is_closed(*t)))
}

/// Checks whether `end` is the end of the condition of a loop.
fn is_condition(around: Op, end: Op) -> bool {
    around.kind() == Kind::LambdaWhile && around.cast::<While>().condition().terminator() == Some(end)
}

/// The writer of the typed program.
struct Export<'i> {
    infer: &'i Infer,
    /// The new value of an old one in a copy.
    values: HashMap<(Copy, Value), Value>,
    /// The new function of a copy that is created at its use.
    made: HashMap<Copy, Value>,
    /// The symbols of copies of `func.func`.
    names: HashMap<Copy, String>,
    symbols: FreshNames,
    /// Functions that have copies.
    called: HashSet<Op>,
    waiting: Vec<Copy>,
}

/// Reports a function whose result has an open type.
fn undetermined(function: Op) -> Reported {
    let text = "cannot-infer: the type of the result is not determined, for example because the result is an empty \
                list or that of a function that always calls itself; state the type";
    let returned =
        function.body().and_then(Block::terminator).map_or(function.location(), |end| end.operand(0).location());
    function.error(text).note(returned, "the result is returned here").emit()
}

impl<'i> Export<'i> {
    fn new(infer: &'i Infer, module: Op) -> Export<'i> {
        Export {
            infer,
            values: HashMap::new(),
            made: HashMap::new(),
            names: HashMap::new(),
            symbols: FreshNames::of(module),
            called: HashSet::new(),
            waiting: Vec::new(),
        }
    }

    /// Writes the entry `function`, and its callees.
    fn function(&mut self, copy: Copy, function: Op) -> Result<(), Reported> {
        self.write_function(copy, function)?;
        while let Some(next) = self.waiting.pop() {
            self.write_function(next, function)?;
        }
        Ok(())
    }

    fn write_function(&mut self, copy: Copy, before: Op) -> Result<(), Reported> {
        let instance = &self.infer.instances[copy.0];
        let old = instance.closure.code.op();
        self.called.insert(old);
        let body = old.entry();
        let block = self.block_for(copy, body)?;
        let result = self.infer.types.closed(instance.result).ok_or_else(|| undetermined(old))?;
        let ty = old.context().function_type(&types_of(&block.arguments()), &[result]);
        let name = &self.names[&copy];
        let attributes = old.attributes().into_iter().map(|(key, value)| match key.as_str() {
            "sym_name" => (key, old.context().string_attr(name)),
            "function_type" => (key, old.context().type_attr(ty)),
            _ => (key, value),
        });
        let new = OpBuilder::new(Kind::FuncFunc, old.location()).attributes(attributes);
        let new = new.region(Region::with_block(block)).build();
        Builder::before(before).insert(new);
        self.fill(copy, body, block)
    }

    /// Returns the symbol of a copy of a function of the module.
    fn symbol(&mut self, copy: Copy) -> String {
        if let Some(name) = self.names.get(&copy) {
            return name.clone();
        }
        let function = self.infer.instances[copy.0].closure.code.op();
        let stem = function.symbol().unwrap_or_default();
        // The first copy of a private function may have its name, because the function is removed.
        let first = (is_private(function) && !self.called.contains(&function)).then(|| stem.clone());
        let name = first.unwrap_or_else(|| self.symbols.free(&stem));
        self.called.insert(function);
        self.names.insert(copy, name.clone());
        self.waiting.push(copy);
        name
    }

    fn closed(&self, op: Op, ty: Ty) -> Result<Type, Reported> {
        self.infer.types.closed(ty).ok_or_else(|| {
            let open = self.infer.types.text(ty);
            op.error(format!("cannot-infer: the type {open} is not determined here; write a complete type")).emit()
        })
    }

    /// Returns the type of a value of a copy.
    fn type_of(&self, copy: Copy, op: Op, value: Value) -> Result<Type, Reported> {
        let Binding::One(ty) = self.infer.binding(copy, value) else {
            unreachable!("a function has a type for each use")
        };
        let ty = self.closed(op, ty)?;
        // The written structure of a matrix is kept.
        Ok(if value.ty().is_tensor() && value.ty().with_encoding(None) == ty { value.ty() } else { ty })
    }

    /// Creates a block with the arguments of `old`.
    fn block_for(&mut self, copy: Copy, old: Block) -> Result<Block, Reported> {
        let owner = old.parent_op().expect("a block of an op");
        let arguments = old.arguments().into_iter().map(|a| Ok((self.type_of(copy, owner, a)?, a.location())));
        let block = Block::new(&arguments.collect::<Result<Vec<_>, Reported>>()?);
        for (old, new) in old.arguments().into_iter().zip(block.arguments()) {
            // Ops take general matrices: the written structure of an argument is used once, at the entry.
            let ty = new.ty().with_encoding(None);
            let new = match ty == new.ty() {
                true => new,
                false => Builder::at_end(block, old.location().unnamed()).unary(Kind::TensorCast, &[new], ty),
            };
            self.values.insert((copy, old), new);
        }
        Ok(block)
    }

    fn fill(&mut self, copy: Copy, old: Block, new: Block) -> Result<(), Reported> {
        for op in old.ops() {
            self.op(copy, op, Builder::at_end(new, op.location()))?;
        }
        Ok(())
    }

    /// Returns the new value of operand `k` of an op in a copy.
    fn operand(&mut self, copy: Copy, op: Op, k: usize, b: Builder) -> Result<Value, Reported> {
        self.operand_at(copy, op, k, 0, b)
    }

    fn operand_at(&mut self, copy: Copy, op: Op, k: usize, time: usize, b: Builder) -> Result<Value, Reported> {
        let value = op.operand(k);
        match self.infer.binding(copy, value) {
            Binding::One(_) => {
                let mut at = copy;
                loop {
                    if let Some(new) = self.values.get(&(at, value)) {
                        return Ok(*new);
                    }
                    at = self.infer.instances[at.0].closure.around.expect("a value is made before it is used");
                }
            }
            Binding::Each(closure) => {
                let used = self.infer.instances[copy.0].uses.get(&(op, k)).and_then(|u| u.get(time)).copied();
                match used.and_then(|ty| self.infer.chosen(closure, ty)) {
                    Some(chosen) => self.function_value(chosen, b),
                    // It is never called.
                    None => Ok(b.unary(Kind::LambdaUnit, &[], b.context().unit())),
                }
            }
        }
    }

    fn function_value(&mut self, copy: Copy, b: Builder) -> Result<Value, Reported> {
        if let Some(value) = self.made.get(&copy) {
            return Ok(*value);
        }
        let function = self.infer.instances[copy.0].closure.code.op();
        let ty = self.signature(copy).ok_or_else(|| undetermined(function))?;
        Ok(Ref::create(b, &Symbol(self.symbol(copy)), ty).f())
    }

    fn signature(&self, copy: Copy) -> Option<Type> {
        let instance = &self.infer.instances[copy.0];
        let inputs = instance.inputs.iter().map(|t| self.infer.types.closed(*t)).collect::<Option<Vec<_>>>()?;
        Some(types::function(&inputs, self.infer.types.closed(instance.result)?))
    }

    /// Returns the copies of a function that are written, one for each signature, and their types.
    fn copies(&self, closure: Closure) -> Vec<(Copy, Type)> {
        let mut seen = HashSet::new();
        let all = self.infer.by_closure.get(&closure).cloned().unwrap_or_default();
        all.into_iter().filter_map(|c| Some((c, self.signature(c)?))).filter(|(_, ty)| seen.insert(*ty)).collect()
    }

    fn operands(&mut self, copy: Copy, op: Op, b: Builder) -> Result<Vec<Value>, Reported> {
        (0..op.num_operands()).map(|k| self.operand(copy, op, k, b)).collect()
    }

    fn set(&mut self, copy: Copy, old: Value, new: Value) {
        self.values.insert((copy, old), new);
    }

    fn op(&mut self, copy: Copy, op: Op, b: Builder) -> Result<(), Reported> {
        match op.kind() {
            Kind::LambdaLambda => {
                for (made, ty) in self.copies(Closure { code: Code::Lambda(op), around: Some(copy) }) {
                    let block = self.lambda(made, op, ty, b)?;
                    self.fill(made, op.entry(), block)?;
                }
                Ok(())
            }
            Kind::LambdaLetrec => self.letrec(copy, op, b),
            Kind::LambdaRef if self.is_bound(copy, op) => Ok(()),
            Kind::LambdaGrad | Kind::LambdaVjp | Kind::LambdaJvp | Kind::LambdaHvp => {
                for (made, ty) in self.copies(Closure { code: Code::Derived(op), around: Some(copy) }) {
                    let f = self.operand(made, op, 0, b)?;
                    let attributes = op.attributes().into_iter().filter(|(k, _)| k != "arity");
                    let new = OpBuilder::new(op.name(), op.location()).operands(&[f]).results(&[ty]);
                    let new = b.insert(new.attributes(attributes).build());
                    self.made.insert(made, new.result(0));
                }
                Ok(())
            }
            Kind::LambdaLiteral => self.literal(copy, op, b),
            Kind::LambdaThe => {
                let x = self.operand(copy, op, 0, b)?;
                let ty = self.type_of(copy, op, op.result(0))?;
                self.set(copy, op.result(0), sizes::at_type(b, x, ty));
                Ok(())
            }
            Kind::LambdaPrim => {
                let x = self.operands(copy, op, b)?;
                let ty = self.type_of(copy, op, op.result(0))?;
                let own = self.infer.instances[copy.0].own.get(&op.result(0));
                let own = own.map_or(Ok(ty), |own| self.closed(op, *own))?;
                let y = sizes::at_type(b, primitives::lower(b, &op.cast::<Prim>().name(), &x, own), ty);
                if let Some(name) = op.result(0).name() {
                    y.suggest_name(&name);
                }
                self.set(copy, op.result(0), y);
                Ok(())
            }
            Kind::LambdaToList => {
                let x = self.operand(copy, op, 0, b)?;
                match TypeKind::of(x.ty()) {
                    TypeKind::List(_) => self.set(copy, op.result(0), x),
                    TypeKind::Tuple(_) => {
                        let ty = self.type_of(copy, op, op.result(0))?;
                        self.set(copy, op.result(0), overloads::listed(b, x, ty));
                    }
                    _ => return self.same_op(copy, op, b),
                }
                Ok(())
            }
            Kind::LambdaFold => {
                let of = self.operand(copy, op, 2, b)?;
                if !matches!(TypeKind::of(of.ty()), TypeKind::Tuple(_)) {
                    return self.same_op(copy, op, b);
                }
                let mut y = self.operand(copy, op, 1, b)?;
                for (time, part) in overloads::values(b, of).into_iter().enumerate() {
                    let f = self.operand_at(copy, op, 0, time, b)?;
                    let (_, results) = f.ty().signature().expect("a function");
                    let next = b.unary(Kind::LambdaApply, &[f, y, part], results[0]);
                    y = sizes::at_type(b, next, y.ty());
                }
                self.set(copy, op.result(0), y);
                Ok(())
            }
            Kind::LambdaWalk => {
                let records = (1..op.num_operands()).map(|k| self.operand(copy, op, k, b));
                let records = records.collect::<Result<Vec<_>, _>>()?;
                let y = self.walk(copy, op, &records, &mut 0, b)?;
                self.set(copy, op.result(0), y);
                Ok(())
            }
            _ => self.same_op(copy, op, b),
        }
    }

    fn is_bound(&self, copy: Copy, op: Op) -> bool {
        matches!(self.infer.binding(copy, op.result(0)), Binding::Each(_))
    }

    /// Creates a function with an empty block, which is filled later.
    fn lambda(&mut self, made: Copy, op: Op, ty: Type, b: Builder) -> Result<Block, Reported> {
        let block = self.block_for(made, op.entry())?;
        let new = OpBuilder::new(Kind::LambdaLambda, op.location()).results(&[ty]);
        let new = b.insert(new.region(Region::with_block(block)).build());
        self.made.insert(made, new.result(0));
        Ok(block)
    }

    fn letrec(&mut self, copy: Copy, op: Op, b: Builder) -> Result<(), Reported> {
        let members: Vec<Op> = op.child_ops().into_iter().filter(|m| m.kind() == Kind::LambdaLambda).collect();
        let group = Block::new(&[]);
        let inner = Builder::at_end(group, op.location());
        let mut all = Vec::new();
        for member in members {
            for (made, ty) in self.copies(Closure { code: Code::Lambda(member), around: Some(copy) }) {
                let block = self.lambda(made, member, ty, inner)?;
                all.push((made, member, block));
            }
        }
        if all.is_empty() {
            group.erase();
            return Ok(());
        }
        for (made, member, block) in &all {
            self.fill(*made, member.entry(), *block)?;
        }
        let values: Vec<Value> = all.iter().map(|(made, ..)| self.made[made]).collect();
        inner.insert(inner.op(Kind::LambdaYield).operands(&values).build());
        let new = OpBuilder::new(Kind::LambdaLetrec, op.location()).results(&types_of(&values));
        let new = b.insert(new.region(Region::with_block(group)).build());
        for (k, (made, ..)) in all.into_iter().enumerate() {
            self.made.insert(made, new.result(k));
        }
        Ok(())
    }

    fn literal(&mut self, copy: Copy, op: Op, b: Builder) -> Result<(), Reported> {
        let ty = self.type_of(copy, op, op.result(0))?;
        let value = op.cast::<Literal>().value();
        let new = if TypeKind::of(ty) == TypeKind::String {
            Literal::create(b, value, ty).y()
        } else if ty.is_differentiable() {
            b.constant(Attribute::float(ty, value.as_f64().expect("a float")), ty)
        } else {
            b.constant(Attribute::integer(ty, value.as_i64().expect("an integer")), ty)
        };
        self.set(copy, op.result(0), new);
        Ok(())
    }

    /// Writes the same op with the inferred types, with its regions.
    fn same_op(&mut self, copy: Copy, op: Op, b: Builder) -> Result<(), Reported> {
        let mut operands = self.operands(copy, op, b)?;
        let results = op.results().into_iter().map(|v| self.type_of(copy, op, v)).collect::<Result<Vec<_>, _>>()?;
        self.at_types(copy, op, &mut operands, &results, b)?;
        let mut new = OpBuilder::new(op.name(), op.location()).operands(&operands).results(&results);
        let gone: &[&str] = match op.kind() {
            Kind::LambdaRecord => &["name", "fields"],
            Kind::LambdaChannel => &["arrays"],
            _ => &[],
        };
        let attributes = op.attributes().into_iter().filter(|(k, _)| !gone.contains(&k.as_str()));
        new = new.attributes(attributes);
        let mut blocks = Vec::new();
        for region in op.regions() {
            let new_region = Region::new();
            for old in region.blocks() {
                let block = self.block_for(copy, old)?;
                new_region.append(block);
                blocks.push((old, block));
            }
            new = new.region(new_region);
        }
        let made = b.insert(new.build());
        for (old, block) in blocks {
            self.fill(copy, old, block)?;
        }
        for (old, new) in op.results().into_iter().zip(made.results()) {
            self.set(copy, old, new);
        }
        Ok(())
    }

    /// Converts the operands of an op to the types that it requires, which may determine other sizes.
    fn at_types(&self, copy: Copy, op: Op, x: &mut [Value], results: &[Type], b: Builder) -> Result<(), Reported> {
        use Kind::*;
        let last = x.len().saturating_sub(1);
        match op.kind() {
            LambdaSwitch => x[1..].iter_mut().for_each(|x| *x = sizes::at_type(b, *x, results[0])),
            LambdaCons => x[0] = sizes::at_type(b, x[0], results[0].parts()[0]),
            LambdaTset | LambdaWith => {
                if let Some(k) = position_in(x[0].ty(), |name| op.attribute(name)) {
                    x[1] = sizes::at_type(b, x[1], results[0].parts()[k]);
                }
            }
            LambdaAset => {
                let array = x[0].ty();
                let row = Type::array(&array.shape()[last - 1..], array.scalar());
                x[last] = sizes::at_type(b, x[last], row);
            }
            LambdaMap if results[0].is_tensor() => {
                let same = sizes::at_common_sizes(b, &x[1..]);
                x[1..].copy_from_slice(&same);
            }
            LambdaFold | LambdaScan | LambdaReduce => x[0] = sizes::with_result(b, x[0], x[1].ty()),
            FuncReturn | LambdaReturn => {
                let result = self.infer.instances[copy.0].result;
                if let ([x], Some(ty)) = (x, self.infer.types.closed(result)) {
                    *x = sizes::at_type(b, *x, ty);
                }
            }
            LambdaYield => {
                let around = op.parent_op().filter(|p| matches!(p.kind(), LambdaIf | LambdaFor | LambdaWhile));
                let Some(around) = around.filter(|p| !is_condition(*p, op)) else { return Ok(()) };
                for (x, value) in x.iter_mut().zip(around.results()) {
                    *x = sizes::at_type(b, *x, self.type_of(copy, around, value)?);
                }
            }
            kind if kind.dialect() != "lambda" => {
                for (x, value) in x.iter_mut().zip(op.operands()).filter(|(_, v)| v.ty().is_tensor()) {
                    *x = sizes::at_type(b, *x, value.ty().with_encoding(None));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Expands a walk: the function of each leaf.
    fn walk(&mut self, copy: Copy, op: Op, x: &[Value], time: &mut usize, b: Builder) -> Result<Value, Reported> {
        use Kind::*;
        let ty = x[0].ty();
        match TypeKind::of(ty) {
            kind @ (TypeKind::Tuple(_) | TypeKind::Record(..)) => {
                let mut leaves = Vec::new();
                for k in 0..ty.parts().len() {
                    let columns: Vec<Value> = x.iter().map(|x| overloads::part(b, *x, k)).collect();
                    leaves.push(self.walk(copy, op, &columns, time, b)?);
                }
                let whole = if let TypeKind::Tuple(_) = kind { LambdaTuple } else { LambdaRecord };
                Ok(b.unary(whole, &leaves, ty.with_parts(&types_of(&leaves))))
            }
            TypeKind::List(_) => {
                let elements: Vec<Type> = x.iter().map(|x| x.ty().parts()[0]).collect();
                let arguments: Vec<_> = elements.iter().map(|t| (*t, op.location())).collect();
                let block = Block::new(&arguments);
                let inner = Builder::at_end(block, op.location());
                let y = self.walk(copy, op, &block.arguments(), time, inner)?;
                inner.insert(inner.op(LambdaReturn).operands(&[y]).build());
                let f = b.op(LambdaLambda).results(&[types::function(&elements, y.ty())]);
                let f = b.insert(f.region(Region::with_block(block)).build()).result(0);
                Ok(b.unary(LambdaMap, &[&[f], x].concat(), types::list(y.ty())))
            }
            _ => {
                let f = self.operand_at(copy, op, 0, *time, b)?;
                *time += 1;
                let open = || op.error("cannot-infer: the type of the function is not determined").emit();
                let (_, results) = f.ty().signature().ok_or_else(open)?;
                Ok(b.unary(LambdaApply, &[&[f], x].concat(), results[0]))
            }
        }
    }

    /// Emits remarks about the copies, at the functions.
    fn report(&self) {
        let mut by_op: Vec<(Op, Vec<String>)> = Vec::new();
        for (k, instance) in self.infer.instances.iter().enumerate() {
            let is_written = self.made.contains_key(&Copy(k)) || self.names.contains_key(&Copy(k));
            let (op, Some(ty)) = (instance.closure.code.op(), self.signature(Copy(k))) else { continue };
            if !is_written {
                continue;
            }
            match by_op.iter_mut().find(|(o, _)| *o == op) {
                Some((_, all)) => all.push(ty.to_string()),
                None => by_op.push((op, vec![ty.to_string()])),
            }
        }
        for (op, all) in by_op {
            let what = if all.len() == 1 { "one copy" } else { "copies" };
            let _said = op.remark(format!("{what} made for {}", all.join(" and for "))).emit();
        }
    }
}
