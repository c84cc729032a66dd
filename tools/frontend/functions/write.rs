//! Translation of the syntax tree to ops. The location of an op is its position in the source, and values keep their
//! names.
//!
//! Unknown types are `!lambda.any`. A function with effects takes a token before its parameters and returns a tuple of
//! its value and a token. In its body, each op with effects takes the current token and returns the next one.

use super::syntax::{Definition, Expr, ExprKind, Lambda, Loop, Op, Program, Var};
use super::types::Type as Declared;
use crate::mlir::{constant, identifier, list, location};
use mlopt_dialects::bridge::program::Program as Module;
use mlopt_dialects::ir::{Attribute, Block, Builder, Context, Location, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::{Kind, Symbol, func, lambda};
use mlopt_dialects::text::Span;
use mlopt_dialects::text::terms::Number;
use mlopt_dialects::value::Element;
use std::collections::{HashMap, HashSet};

/// Returns the module of all definitions, in order.
pub fn write(program: &Program, file: &str) -> Module {
    let made = Module::empty(file).expect("an empty text is a module");
    let module = made.module();
    let context = module.context();
    context.load_dialects(&["func", "lambda"]);
    let mut writer = Writer {
        program,
        symbols: symbols(program),
        file,
        context,
        any: types::any(context),
        token_type: types::plain(context, "token"),
        module: module.entry(),
        block: module.entry(),
        values: HashMap::new(),
        token: None,
    };
    (0..program.definitions.len()).for_each(|id| writer.definition(id));
    made
}

struct Writer<'a> {
    program: &'a Program,
    /// The symbol of each definition.
    symbols: Vec<Symbol>,
    file: &'a str,
    context: Context,
    /// `!lambda.any`.
    any: Type,
    /// `!lambda.token`.
    token_type: Type,
    /// The block of the module.
    module: Block,
    /// The block to which ops are appended.
    block: Block,
    /// The current values of the variables.
    values: HashMap<Var, Value>,
    /// The current token, in a function with effects.
    token: Option<Value>,
}

impl<'a> Writer<'a> {
    /// Writes a definition: a public function if all parameters have types, otherwise a private one for calls by other
    /// definitions. A definition with effects that the program calls becomes two functions: the public one creates the
    /// first token.
    fn definition(&mut self, id: usize) {
        let definition = &self.program.definitions[id];
        let is_open = definition.parameters.iter().any(|(_, ty)| ty.is_none());
        let is_used = self.program.used.contains(&id);
        let takes_function = definition.parameters.iter().any(|(_, ty)| matches!(ty, Some(Declared::Function(..))));
        let effects = self.program.functions[id].effects;
        let takes_token = effects && (is_open || is_used);
        self.begin(definition, takes_token);
        if effects && !takes_token {
            self.first_token(definition.at);
        }
        let value = self.body(&definition.body, takes_token);
        func::Return::create(self.at(definition.body.at, None), &[value]);
        // A function that takes or returns functions cannot be called from outside of the program.
        let is_part = is_used && (takes_function || value.ty().signature().is_some());
        let function = self.function(&self.symbols[id].0, value.ty(), definition.at);
        let is_private = is_open || takes_token || is_part;
        let visibility = is_private.then(|| ("sym_visibility", self.context.string_attr("private")));
        self.module.append(function.attributes(visibility).build());
        if takes_token && !is_open {
            self.beginning(id);
        }
    }

    /// Writes the public function that calls a definition with the first token.
    fn beginning(&mut self, id: usize) {
        let definition = &self.program.definitions[id];
        let at = definition.at;
        self.begin(definition, false);
        self.first_token(at);
        let f = self.reference(id, at, None);
        let arguments = definition.parameters.iter().map(|(v, _)| self.values[v]).collect();
        let value = self.call(f, arguments, true, at, None);
        func::Return::create(self.at(at, None), &[value]);
        self.module.append(self.function(&definition.symbol, value.ty(), at).build());
    }

    /// Starts the body of a function: its parameters are those of a definition, after a token if `takes_token`.
    fn begin(&mut self, definition: &Definition, takes_token: bool) {
        self.block = Block::new(&[]);
        self.token = takes_token.then(|| self.token_argument(self.block, definition.at));
        for (v, ty) in &definition.parameters {
            let ty = ty.as_ref().map_or(self.any, |ty| ty.in_context(self.context));
            self.argument(self.block, *v, ty);
        }
    }

    /// Returns the function whose body is the current block.
    fn function(&self, symbol: &str, result: Type, at: Span) -> OpBuilder {
        OpBuilder::function(Kind::FuncFunc, symbol, self.block, &[result], self.location(at, None))
    }

    /// Writes the body of a function or branch, whose value may be paired with the token.
    fn body(&mut self, e: &Expr, with_token: bool) -> Value {
        let value = self.expr(e, None);
        if with_token { self.with_token(value, e.at) } else { value }
    }

    /// Returns a location. Results are printed under `name`, which may be several names.
    fn location(&self, at: Span, name: Option<&str>) -> Location {
        let names = name.map(|names| list(names.split(", ").map(identifier)));
        let other = (at.file as usize).checked_sub(1).and_then(|k| self.program.files.get(k));
        location(self.context, other.map_or(self.file, String::as_str), at, names.as_deref().as_slice())
    }

    /// Returns the insertion point of an op with this location.
    fn at(&self, at: Span, name: Option<&str>) -> Builder {
        Builder { block: self.block, next: None, location: self.location(at, name) }
    }

    /// Returns `block` after `fill` has written ops to its end.
    fn filled(&mut self, block: Block, fill: impl FnOnce(&mut Self)) -> Block {
        let outside = std::mem::replace(&mut self.block, block);
        fill(self);
        self.block = outside;
        block
    }

    fn name(&self, v: Var) -> &'a str {
        &self.program.variables[v].name
    }

    /// Adds an argument for a variable to a block.
    fn argument(&mut self, block: Block, v: Var, ty: Type) {
        let at = self.program.variables[v].at;
        let value = block.add_argument(ty, self.location(at, Some(self.name(v))));
        self.values.insert(v, value);
    }

    /// Adds a token to the arguments of a block.
    fn token_argument(&self, block: Block, at: Span) -> Value {
        block.add_argument(self.token_type, self.location(at, Some("token")))
    }

    /// Writes the op that creates the first token.
    fn first_token(&mut self, at: Span) {
        self.token = Some(lambda::Token::create(self.at(at, Some("token")), self.token_type).y());
    }

    /// Returns the type of the tuple of a value and a token.
    fn paired(&self, ty: Type) -> Type {
        self.context.tuple(&[ty, self.token_type])
    }

    /// Returns the type of the result of a function.
    fn result_type(&self, effects: bool) -> Type {
        if effects { self.paired(self.any) } else { self.any }
    }

    /// Returns the type of the function whose body starts with this block.
    fn function_type(&self, body: Block, effects: bool) -> Type {
        types::function(&types_of(&body.arguments()), self.result_type(effects))
    }

    fn get(&self, tuple: Value, k: i64, ty: Type, at: Span, name: Option<&str>) -> Value {
        lambda::Get::create(self.at(at, name), tuple, k, ty).y()
    }

    fn token(&self) -> Value {
        self.token.expect("a function with effects has a token")
    }

    /// Returns the tuple of a value and the current token.
    fn with_token(&self, value: Value, at: Span) -> Value {
        lambda::Tuple::create(self.at(at, None), &[value, self.token()], self.result_type(true)).y()
    }

    /// Returns the value of a pair made by [`Writer::with_token`]; its token becomes the current one.
    fn without_token(&mut self, pair: Value, ty: Type, at: Span, name: Option<&str>) -> Value {
        let value = self.get(pair, 0, ty, at, name);
        self.token = Some(self.get(pair, 1, self.token_type, at, Some("token")));
        value
    }

    /// Writes an op that takes the token, and returns a value of an open type and the next token.
    fn effect(&mut self, kind: Kind, operands: &[Value], at: Span, name: Option<&str>) -> Value {
        let all = [&[self.token()], operands].concat();
        let pair = self.at(at, None).unary(kind, &all, self.paired(self.any));
        self.without_token(pair, self.any, at, name)
    }

    /// Writes an op that takes the token and returns only the next one.
    fn action(&mut self, kind: Kind, operands: &[Value], at: Span) {
        let all = [&[self.token()], operands].concat();
        self.token = Some(self.at(at, Some("token")).unary(kind, &all, self.token_type));
    }

    fn reference(&self, id: usize, at: Span, name: Option<&str>) -> Value {
        lambda::Ref::create(self.at(at, name), &self.symbols[id], self.any).f()
    }

    fn call(&mut self, f: Value, mut arguments: Vec<Value>, effects: bool, at: Span, name: Option<&str>) -> Value {
        if !effects {
            return lambda::Apply::create(self.at(at, name), f, &arguments, self.any).y();
        }
        arguments.insert(0, self.token());
        let pair = lambda::Apply::create(self.at(at, None), f, &arguments, self.result_type(true)).y();
        self.without_token(pair, self.any, at, name)
    }

    /// Writes an expression and returns its value. A new value is called `name`.
    fn expr(&mut self, e: &Expr, name: Option<&str>) -> Value {
        let at = e.at;
        match &e.kind {
            ExprKind::Literal(number) => self.literal(*number, at, name),
            ExprKind::Variable(v) => self.values[v],
            ExprKind::Definition(id) => self.reference(*id, at, name),
            ExprKind::Lambda(lambda) => {
                let body = self.parameters(lambda);
                self.fill(lambda, body);
                self.lambda(lambda, body, name)
            }
            ExprKind::Call(f, arguments) => {
                let effects = f.is_effectful(self.program);
                let f = self.expr(f, None);
                let arguments = self.all(arguments);
                self.call(f, arguments, effects, at, name)
            }
            ExprKind::Let(bindings, body) => {
                for (v, value) in bindings {
                    let value = self.expr(value, Some(self.name(*v)));
                    self.values.insert(*v, value);
                }
                self.expr(body, name)
            }
            ExprKind::Letrec(members, body) => {
                self.letrec(members, at);
                self.expr(body, name)
            }
            ExprKind::If(parts) => self.choice(parts, at, name),
            ExprKind::Loop(l) => self.repeat(l, at, name),
            ExprKind::Do(before, last) => {
                before.iter().for_each(|e| self.statement(e));
                self.expr(last, name)
            }
            ExprKind::Op(op, operands) => self.operation(op, operands, at, name),
        }
    }

    fn all(&mut self, all: &[Expr]) -> Vec<Value> {
        all.iter().map(|e| self.expr(e, None)).collect()
    }

    /// Writes an expression whose value is not used.
    fn statement(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Op(Op::Action(kind), operands) => {
                let operands = self.all(operands);
                self.action(*kind, &operands, e.at);
            }
            ExprKind::Op(Op::Unit, _) => {}
            _ => {
                self.expr(e, None);
            }
        }
    }

    fn literal(&self, number: Number, at: Span, name: Option<&str>) -> Value {
        let element = match number {
            Number::Bool(_) => Element::I1,
            Number::Int(_) => Element::I64,
            Number::Float(_) => Element::F64,
        };
        let value = constant(number, self.context.scalar(element));
        lambda::Literal::create(self.at(at, name), value, self.any).y()
    }

    /// Returns the block of a function, with arguments only.
    fn parameters(&mut self, lambda: &Lambda) -> Block {
        let block = Block::new(&[]);
        if self.program.functions[lambda.id].effects {
            self.token_argument(block, lambda.at);
        }
        lambda.parameters.iter().for_each(|&v| self.argument(block, v, self.any));
        block
    }

    /// Writes the ops of a function to its block.
    fn fill(&mut self, lambda: &Lambda, block: Block) {
        let effects = self.program.functions[lambda.id].effects;
        let outside = std::mem::replace(&mut self.token, effects.then(|| block.argument(0)));
        self.filled(block, |w| {
            let value = w.body(&lambda.body, effects);
            lambda::Return::create(w.at(lambda.body.at, None), value);
        });
        self.token = outside;
    }

    /// Writes the op of a function with this block.
    fn lambda(&self, lambda: &Lambda, block: Block, name: Option<&str>) -> Value {
        let ty = self.function_type(block, self.program.functions[lambda.id].effects);
        lambda::Lambda::create(self.at(lambda.at, name), ty, block).f()
    }

    /// Writes a group of recursive functions. They have the same names inside of the group and after it.
    fn letrec(&mut self, members: &[(Var, Lambda)], at: Span) {
        if members.is_empty() {
            return;
        }
        let mut functions = vec![];
        let group = self.filled(Block::new(&[]), |w| {
            // The functions see each other: all ops are created before the blocks are filled.
            let mut blocks = vec![];
            for (v, lambda) in members {
                let block = w.parameters(lambda);
                let function = w.lambda(lambda, block, Some(w.name(*v)));
                w.values.insert(*v, function);
                functions.push(function);
                blocks.push(block);
            }
            for ((_, lambda), block) in members.iter().zip(blocks) {
                w.fill(lambda, block);
            }
            w.yielded(&functions, at);
        });
        let names = list(members.iter().map(|(v, _)| self.name(*v)));
        let results = lambda::Letrec::create(self.at(at, Some(&names)), &types_of(&functions), group).functions();
        self.values.extend(members.iter().map(|(v, _)| *v).zip(results));
    }

    fn yielded(&self, values: &[Value], at: Span) {
        lambda::Yield::create(self.at(at, None), values);
    }

    fn choice(&mut self, parts: &[Expr; 3], at: Span, name: Option<&str>) -> Value {
        let [condition, a, b] = parts;
        let condition = self.expr(condition, None);
        let effects = a.effects || b.effects;
        let before = self.token;
        let [a, b] = [a, b].map(|e| {
            self.token = before;
            self.filled(Block::new(&[]), |w| {
                let value = w.body(e, effects);
                w.yielded(&[value], e.at);
            })
        });
        self.token = before;
        let place = self.at(at, name.filter(|_| !effects));
        let value = lambda::If::create(place, condition, &[self.result_type(effects)], a, b).result(0);
        if effects { self.without_token(value, self.any, at, name) } else { value }
    }

    fn repeat(&mut self, l: &Loop, at: Span, name: Option<&str>) -> Value {
        let count = l.index.map(|i| (i, self.expr(&l.control, None)));
        let mut inits: Vec<Value> = l.carried.iter().map(|(_, e)| self.expr(e, None)).collect();
        let effects = l.next.iter().any(|e| e.effects);
        let outside = self.token;
        inits.extend(effects.then(|| self.token()));
        let first = Block::new(&[]);
        if let Some((i, count)) = count {
            self.argument(first, i, count.ty());
        }
        self.carried(first, l, effects, at);
        let mut body = first;
        if count.is_none() {
            self.filled(first, |w| {
                let condition = w.expr(&l.control, None);
                w.yielded(&[condition], l.control.at);
            });
            body = Block::new(&[]);
            self.carried(body, l, effects, at);
        }
        self.filled(body, |w| {
            let mut next = w.all(&l.next);
            next.extend(effects.then(|| w.token()));
            w.yielded(&next, at);
        });
        let token = effects.then_some(("token", self.token_type));
        let carried = l.carried.iter().map(|(v, _)| (self.name(*v), self.any));
        let (names, types): (Vec<&str>, Vec<Type>) = carried.chain(token).unzip();
        let names = list(names);
        let place = self.at(at, Some(names.as_str()).filter(|names| !names.is_empty()));
        let results = match count {
            Some((_, count)) => lambda::For::create(place, count, &inits, &types, body).results(),
            None => lambda::While::create(place, &inits, &types, first, body).results(),
        };
        self.token = results.get(l.carried.len()).copied().or(outside);
        self.values.extend(l.carried.iter().map(|(v, _)| *v).zip(results));
        self.expr(&l.result, name)
    }

    /// Adds the carried variables of a loop to the arguments of one of its blocks. The token is the last one.
    fn carried(&mut self, block: Block, l: &Loop, effects: bool, at: Span) {
        l.carried.iter().for_each(|(v, _)| self.argument(block, *v, self.any));
        if effects {
            self.token = Some(self.token_argument(block, at));
        }
    }

    fn operation(&mut self, op: &Op, written: &[Expr], at: Span, name: Option<&str>) -> Value {
        if let (Op::WithMap(kind), [Expr { kind: ExprKind::Lambda(map), .. }, form]) = (op, written) {
            return self.with_map(*kind, map, form, at, name);
        }
        let operands = self.all(written);
        let (any, b) = (self.any, self.at(at, name));
        match op {
            Op::Prim(primitive) => lambda::Prim::create(b, &operands, primitive, any).y(),
            Op::Plain(kind) | Op::HigherOrder(kind) | Op::WithMap(kind) => b.unary(*kind, &operands, any),
            Op::Unit => self.unit(at, name),
            Op::List => {
                let place = |is_last: bool| self.at(at, name.filter(|_| is_last));
                let nil = lambda::Nil::create(place(operands.is_empty()), any).y();
                operands
                    .into_iter()
                    .enumerate()
                    .rev()
                    .fold(nil, |tail, (k, head)| lambda::Cons::create(place(k == 0), head, tail, any).y())
            }
            Op::Nil(ty) => lambda::Nil::create(b, ty.as_ref().map_or(any, |ty| ty.in_context(self.context))).y(),
            Op::Get(k) => self.get(operands[0], *k, any, at, name),
            Op::Record(record, fields) => {
                lambda::Record::create(b, &operands, any).with_name(record).with_fields(fields).y()
            }
            Op::Field(field) => lambda::Field::create(b, operands[0], field, any).y(),
            Op::With(fields) => {
                let mut record = operands[0];
                for (k, (field, value)) in fields.iter().zip(&operands[1..]).enumerate() {
                    let b = self.at(at, name.filter(|_| k + 1 == fields.len()));
                    record = lambda::With::create(b, record, *value, field, any).y();
                }
                record
            }
            Op::Aget => lambda::Aget::create(b, operands[0], &operands[1..], any).y(),
            Op::Aset => {
                let (value, indices) = operands[1..].split_last().expect("an index and a value");
                lambda::Aset::create(b, operands[0], indices, *value, any).y()
            }
            Op::The(ty) => lambda::The::create(b, operands[0], ty.in_context(self.context), any).y(),
            Op::Check(code, text) => lambda::Check::create(b, operands[0], operands[1], code, text, any).y(),
            Op::Dense(ty, numbers) => {
                let ty = ty.in_context(self.context);
                let elements: Vec<_> = numbers.iter().map(|n| constant(*n, ty.scalar())).collect();
                b.constant(Attribute::dense(ty, &elements), ty)
            }
            Op::Grad { wrt, arity, value } => {
                let mut grad = lambda::Grad::create(b, operands[0], any).with_arity(*arity as i64);
                if *value {
                    grad = grad.with_value();
                }
                if wrt[..] != [0] {
                    grad = grad.with_wrt(&wrt.iter().map(|k| *k as i64).collect::<Vec<_>>());
                }
                grad.y()
            }
            Op::Channel { carries, dest, buffer } => {
                let ty = types::chan(carries.as_ref().map_or(any, |ty| ty.in_context(self.context)));
                let mut channel = lambda::Channel::create(self.at(at, None), self.token(), self.paired(ty));
                if carries.is_none() {
                    channel = channel.with_arrays();
                }
                if let Some(buffer) = buffer {
                    channel = channel.with_buffer(*buffer);
                }
                if let Some(dest) = dest {
                    channel = channel.with_dest(dest);
                }
                self.without_token(channel.y(), ty, at, name)
            }
            Op::Receive(kind) => self.effect(*kind, &operands, at, name),
            Op::Join => {
                // A task returns the results of its function: a value and a token.
                let ended = self.effect(Kind::LambdaJoin, &operands, at, None);
                self.get(ended, 0, any, at, name)
            }
            Op::Action(kind) => {
                self.action(*kind, &operands, at);
                self.unit(at, name)
            }
            Op::Spawn(device) => self.spawn(device, &written[0], operands, at, name),
        }
    }

    /// Writes `lambda.pullback` or `lambda.dual`, whose region is the function.
    fn with_map(&mut self, kind: Kind, map: &Lambda, form: &Expr, at: Span, name: Option<&str>) -> Value {
        let form = self.expr(form, None);
        let block = Block::new(&[]);
        map.parameters.iter().for_each(|&v| self.argument(block, v, self.any));
        self.filled(block, |w| {
            let value = w.expr(&map.body, None);
            w.yielded(&[value], map.body.at);
        });
        let b = self.at(at, name);
        let op = b.op(kind).operands(&[form]).results(&[self.any]).region(Region::with_block(block));
        b.insert(op.build()).result(0)
    }

    fn unit(&self, at: Span, name: Option<&str>) -> Value {
        lambda::Unit::create(self.at(at, name), self.context.unit()).y()
    }

    /// Starts a task. A task is a function with effects; a function without effects is wrapped in one.
    fn spawn(&mut self, device: &str, f: &Expr, mut operands: Vec<Value>, at: Span, name: Option<&str>) -> Value {
        if !f.is_effectful(self.program) {
            operands[0] = self.task(operands[0], operands.len() - 1, at);
        }
        let (token, ty) = (self.token(), self.paired(self.any));
        let pair = lambda::Spawn::create(self.at(at, None), token, &operands, device, ty).y();
        self.without_token(pair, self.any, at, name)
    }

    /// Writes the function that calls `f` and passes its token through.
    fn task(&mut self, f: Value, arity: usize, at: Span) -> Value {
        let block = Block::new(&[]);
        let token = self.token_argument(block, at);
        let outside = self.token.replace(token);
        let place = self.location(at, Some("a"));
        let arguments: Vec<Value> = (0..arity).map(|_| block.add_argument(self.any, place)).collect();
        self.filled(block, |w| {
            let value = w.call(f, arguments, false, at, None);
            let pair = w.with_token(value, at);
            lambda::Return::create(w.at(at, None), pair);
        });
        self.token = outside;
        lambda::Lambda::create(self.at(at, Some("task")), self.function_type(block, true), block).f()
    }
}

/// Returns the symbols by which the program calls its definitions.
fn symbols(program: &Program) -> Vec<Symbol> {
    let taken: HashSet<&str> = program.definitions.iter().map(|d| d.symbol.as_str()).collect();
    let name = |(id, definition): (usize, &Definition)| {
        let is_open = definition.parameters.iter().any(|(_, ty)| ty.is_none());
        let is_used = program.used.contains(&id);
        let mut symbol = definition.symbol.clone();
        if program.functions[id].effects && is_used && !is_open {
            symbol += ".effects";
            while taken.contains(symbol.as_str()) {
                symbol += "_";
            }
        }
        Symbol(symbol)
    };
    program.definitions.iter().enumerate().map(name).collect()
}
