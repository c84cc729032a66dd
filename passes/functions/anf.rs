//! The form in which the passes on functions hold a program: trees of statements whose values have numbers.
//!
//! A body is a list of statements and its results. An op of any dialect is a statement, with its name, attributes and
//! operands. Each region of a statement is a function of its block arguments, and may use values from outside. Each
//! value has a number that is unique in the whole program. Therefore code can move without regard to scopes, while
//! copying code gives new numbers to its values.

use mlopt_dialects::diagnostics::Reported;
use mlopt_dialects::ir::{Attribute, Block, Builder, Context, Location, Op, OpBuilder, Region, Type, Value, types_of};
use mlopt_dialects::ops::{HasKind, Kind, OpName};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Var(u32);

struct Info {
    ty: Type,
    name: Option<Rc<str>>,
    /// The value of which this one is the image, or itself: its key in environments.
    primal: Var,
}

/// A function of its parameters, in the enclosing scope.
#[derive(Clone)]
pub struct Code {
    pub params: Vec<Var>,
    pub body: Body,
    /// The terminator of the block: `lambda.return`, `array.yield`.
    pub end: OpName,
}

#[derive(Clone, Default)]
pub struct Body {
    pub stmts: Vec<Stmt>,
    pub results: Vec<Var>,
}

#[derive(Clone)]
pub struct Stmt {
    pub op: OpName,
    pub results: Vec<Var>,
    pub operands: Vec<Var>,
    pub attributes: Rc<[(String, Attribute)]>,
    pub codes: Vec<Code>,
    pub location: Location,
}

/// A `func.func`.
pub struct Function {
    pub symbol: String,
    pub attributes: Vec<(String, Attribute)>,
    pub code: Code,
    pub location: Location,
}

/// The functions of a module, and all their values.
pub struct Program {
    pub context: Context,
    values: Vec<Info>,
    pub functions: Vec<Function>,
}

impl Code {
    pub fn new(params: Vec<Var>, body: Body, end: Kind) -> Code {
        Code { params, body, end: end.into() }
    }

    /// Creates a region that ends in `lambda.yield`.
    pub fn yields(params: Vec<Var>, stmts: Vec<Stmt>, results: Vec<Var>) -> Code {
        Code::new(params, Body { stmts, results }, Kind::LambdaYield)
    }

    /// Creates the code of a `lambda.lambda`.
    pub fn returns(params: Vec<Var>, stmts: Vec<Stmt>, results: Vec<Var>) -> Code {
        Code::new(params, Body { stmts, results }, Kind::LambdaReturn)
    }

    /// Returns the values that a function defines: its parameters, then for each statement its results and the values
    /// inside of it.
    pub fn values(&self) -> Vec<Var> {
        let mut values = Vec::new();
        self.add_values(&mut values);
        values
    }

    fn add_values(&self, values: &mut Vec<Var>) {
        values.extend(&self.params);
        for stmt in &self.body.stmts {
            values.extend(&stmt.results);
            stmt.codes.iter().for_each(|code| code.add_values(values));
        }
    }
}

impl Body {
    /// Visits all statements, outer ones before those inside of them.
    pub fn visit<'b>(&'b self, visit: &mut impl FnMut(&'b Stmt)) {
        for stmt in &self.stmts {
            visit(stmt);
            for code in &stmt.codes {
                code.body.visit(visit);
            }
        }
    }

    /// Renames the used values.
    pub fn rename(&mut self, names: &HashMap<Var, Var>) {
        if names.is_empty() {
            return;
        }
        let change = |values: &mut Vec<Var>| values.iter_mut().for_each(|v| *v = *names.get(v).unwrap_or(v));
        for stmt in &mut self.stmts {
            change(&mut stmt.operands);
            stmt.codes.iter_mut().for_each(|c| c.body.rename(names));
        }
        change(&mut self.results);
    }
}

impl Stmt {
    /// Creates a statement without attributes.
    pub fn new(op: impl Into<OpName>, results: Vec<Var>, operands: Vec<Var>, codes: Vec<Code>, at: Location) -> Stmt {
        Stmt { op: op.into(), results, operands, attributes: Rc::new([]), codes, location: at }
    }

    /// Returns the statement with one more attribute.
    pub fn with(self, name: &str, value: Attribute) -> Stmt {
        let attributes = self.attributes.iter().cloned().chain([(name.to_string(), value)]).collect();
        Stmt { attributes, ..self }
    }

    pub fn is(&self, kind: Kind) -> bool {
        self.op == kind
    }

    /// Returns the kind of the op; `Kind::Other` for ops that no type is generated for.
    pub fn kind(&self) -> Kind {
        self.op.kind()
    }

    pub fn attribute(&self, name: &str) -> Option<Attribute> {
        self.attributes.iter().find(|(n, _)| n == name).map(|a| a.1)
    }

    /// Returns an attribute that the verifier requires.
    ///
    /// # Panics
    ///
    /// Panics if the op does not have the attribute.
    #[track_caller]
    pub fn required(&self, name: &str) -> Attribute {
        self.attribute(name).expect("verified: the op has the attribute")
    }

    /// Returns the function of the module that the op names.
    pub fn callee(&self) -> Option<String> {
        self.attribute("callee").and_then(Attribute::as_symbol)
    }

    /// Returns the functions of a group that see each other.
    pub fn members(&self) -> &[Stmt] {
        &self.codes[0].body.stmts
    }

    /// Returns the body of a loop, its last region.
    pub fn body(&self) -> &Code {
        &self.codes[self.codes.len() - 1]
    }

    /// Returns the value of an op with one result.
    pub fn result(&self) -> Var {
        self.results[0]
    }
}

impl Program {
    pub fn new(context: Context) -> Program {
        Program { context, values: Vec::new(), functions: Vec::new() }
    }

    /// Creates a value.
    pub fn fresh(&mut self, ty: Type, name: Option<Rc<str>>) -> Var {
        let var = Var(self.values.len() as u32);
        self.values.push(Info { ty, name, primal: var });
        var
    }

    /// Creates a value with the name of another.
    pub fn like(&mut self, var: Var, ty: Type) -> Var {
        let name = self.values[var.0 as usize].name.clone();
        self.fresh(ty, name)
    }

    /// Creates a value that represents `var` after a transform: it has the same key in environments.
    pub fn image(&mut self, var: Var, ty: Type) -> Var {
        let new = self.like(var, ty);
        self.values[new.0 as usize].primal = self.values[var.0 as usize].primal;
        new
    }

    pub fn ty(&self, var: Var) -> Type {
        self.values[var.0 as usize].ty
    }

    pub fn set_ty(&mut self, var: Var, ty: Type) {
        self.values[var.0 as usize].ty = ty;
    }

    /// Returns the name of a value.
    pub fn name_of(&self, var: Var) -> Option<&str> {
        self.values[var.0 as usize].name.as_deref()
    }

    /// Returns the types of all values.
    pub fn types(&self) -> impl Iterator<Item = Type> {
        self.values.iter().map(|info| info.ty)
    }

    /// Changes the types of all values.
    pub fn map_types(&mut self, change: impl Fn(Type) -> Type) {
        self.values.iter_mut().for_each(|info| info.ty = change(info.ty));
    }

    /// Returns the key of a value in environments (`spec/functional.md` B.4).
    pub fn key(&self, var: Var) -> String {
        let primal = self.values[var.0 as usize].primal;
        let name = self.values[primal.0 as usize].name.as_deref().unwrap_or("v");
        format!("{name}.{}", primal.0)
    }

    /// Reads a function with one block in each of its regions.
    ///
    /// # Errors
    /// Control flow between blocks.
    pub fn read(&mut self, function: Op) -> Result<Function, Reported> {
        let mut scope = HashMap::new();
        let code = self.read_region(function, 0, &mut scope)?;
        Ok(Function {
            symbol: function.symbol().unwrap_or_default(),
            attributes: function.attributes(),
            code,
            location: function.location(),
        })
    }

    fn read_region(&mut self, op: Op, k: usize, scope: &mut HashMap<Value, Var>) -> Result<Code, Reported> {
        let [block] = op.region(k).blocks()[..] else {
            return Err(
                op.not_supported("a function with function values must have one block; use `scf` instead of `cf`")
            );
        };
        if block.terminator().is_none() {
            return Err(op.not_supported("a region in a function with function values must end in a terminator"));
        }
        let params = block.arguments().into_iter().map(|a| self.read_value(a, scope)).collect();
        // Functions of a group see each other before their definitions.
        if op.kind() == Kind::LambdaLetrec {
            for member in block.ops().into_iter().filter(|member| member.num_results() > 0) {
                self.read_value(member.result(0), scope);
            }
        }
        let (body, end) = self.read_body(block, scope)?;
        Ok(Code { params, body, end })
    }

    fn read_body(&mut self, block: Block, scope: &mut HashMap<Value, Var>) -> Result<(Body, OpName), Reported> {
        let (ops, end) = block.split_end();
        let stmts = ops.into_iter().map(|op| self.read_stmt(op, scope)).collect::<Result<_, _>>()?;
        Ok((Body { stmts, results: end.operands().into_iter().map(|v| scope[&v]).collect() }, OpName::of(end)))
    }

    fn read_value(&mut self, value: Value, scope: &mut HashMap<Value, Var>) -> Var {
        *scope.entry(value).or_insert_with(|| self.fresh(value.ty(), value.name().map(Into::into)))
    }

    fn read_stmt(&mut self, op: Op, scope: &mut HashMap<Value, Var>) -> Result<Stmt, Reported> {
        let operands = op.operands().into_iter().map(|v| scope[&v]).collect();
        let codes = (0..op.num_regions()).map(|k| self.read_region(op, k, scope)).collect::<Result<_, _>>()?;
        let results = op.results().into_iter().map(|v| self.read_value(v, scope)).collect();
        Ok(Stmt {
            attributes: op.attributes().into(),
            ..Stmt::new(OpName::of(op), results, operands, codes, op.location())
        })
    }

    /// Reads the statements of a block whose arguments are these values.
    pub fn read_block(&mut self, block: Block, arguments: &[Var]) -> Result<Body, Reported> {
        let mut scope: HashMap<Value, Var> = block.arguments().into_iter().zip(arguments.iter().copied()).collect();
        Ok(self.read_body(block, &mut scope)?.0)
    }

    /// Writes the function as an op that is in no module yet.
    pub fn write(&self, function: &Function) -> Op {
        let mut scope = HashMap::new();
        let block = self.write_code(&function.code, &mut scope, function.location);
        let (inputs, results) = (&function.code.params, &function.code.body.results);
        let ty = self.context.function_type(&self.types_of(inputs), &self.types_of(results));
        let attributes = function.attributes.iter().map(|(name, value)| match name.as_str() {
            "function_type" => (name, self.context.type_attr(ty)),
            "sym_name" => (name, self.context.string_attr(&function.symbol)),
            _ => (name, *value),
        });
        let op = OpBuilder::new(Kind::FuncFunc, function.location).attributes(attributes);
        op.region(Region::with_block(block)).build()
    }

    /// Replaces a function of a module.
    pub fn replace(&self, old: Op, new: &Function) {
        Builder::before(old).insert(self.write(new));
        old.erase();
    }

    fn write_code(&self, code: &Code, scope: &mut HashMap<Var, Value>, location: Location) -> Block {
        let place = location.unnamed();
        let arguments: Vec<(Type, Location)> = code.params.iter().map(|v| (self.ty(*v), place)).collect();
        let block = Block::new(&arguments);
        self.fill(code, block, scope, location);
        block
    }

    /// Writes a function into a block with its parameters.
    fn fill(&self, code: &Code, block: Block, scope: &mut HashMap<Var, Value>, location: Location) {
        self.define(&code.params, block.arguments(), scope);
        let b = Builder::at_end(block, location);
        self.write_stmts(&code.body.stmts, scope, b);
        b.insert(b.op(&code.end).operands(&self.all_known(scope, &code.body.results)).build());
    }

    fn all_known(&self, scope: &HashMap<Var, Value>, vars: &[Var]) -> Vec<Value> {
        vars.iter().map(|v| self.known(scope, *v)).collect()
    }

    fn known(&self, scope: &HashMap<Var, Value>, var: Var) -> Value {
        *scope
            .get(&var)
            .unwrap_or_else(|| panic!("{} of type {} is used where it is not known", self.key(var), self.ty(var)))
    }

    /// Names the new values, and adds them to the scope.
    fn define(&self, vars: &[Var], values: Vec<Value>, scope: &mut HashMap<Var, Value>) {
        for (var, value) in vars.iter().zip(values) {
            if let Some(name) = &self.values[var.0 as usize].name {
                value.suggest_name(name);
            }
            scope.insert(*var, value);
        }
    }

    pub fn write_stmts(&self, stmts: &[Stmt], scope: &mut HashMap<Var, Value>, b: Builder) {
        for stmt in stmts {
            let b = b.at(stmt.location);
            if stmt.is(Kind::LambdaLetrec) {
                self.write_group(stmt, scope, b);
                continue;
            }
            let operands = self.all_known(scope, &stmt.operands);
            let mut op = b.op(&stmt.op).operands(&operands).results(&self.types_of(&stmt.results));
            op = op.attributes(stmt.attributes.iter().cloned());
            for code in &stmt.codes {
                op = op.region(Region::with_block(self.write_code(code, scope, stmt.location)));
            }
            self.define(&stmt.results, b.insert(op.build()).results(), scope);
        }
    }

    /// Writes functions that see each other: all are created before one is filled.
    fn write_group(&self, stmt: &Stmt, scope: &mut HashMap<Var, Value>, b: Builder) {
        let block = Block::new(&[]);
        let inner = Builder::at_end(block, stmt.location);
        let mut members = Vec::new();
        for member in stmt.members() {
            let body = inner.at(member.location).new_block(&self.types_of(&member.codes[0].params)).block;
            let op = inner.op(Kind::LambdaLambda).results(&self.types_of(&member.results));
            let op = inner.insert(op.region(Region::with_block(body)).build());
            self.define(&member.results, op.results(), scope);
            members.push((member, body));
        }
        for (member, body) in members {
            self.fill(&member.codes[0], body, scope, member.location);
        }
        let yielded = self.all_known(scope, &stmt.codes[0].body.results);
        inner.insert(inner.op(Kind::LambdaYield).operands(&yielded).build());
        let op = b.op(Kind::LambdaLetrec).results(&types_of(&yielded)).region(Region::with_block(block));
        self.define(&stmt.results, b.insert(op.build()).results(), scope);
    }

    /// Copies `code` with new values for its own ones; captured ones are replaced according to `names`, to which the
    /// new ones are added.
    pub fn copy(&mut self, code: &Code, names: &mut HashMap<Var, Var>) -> Code {
        let params = code.params.iter().map(|v| self.renamed(*v, names)).collect();
        Code { params, body: self.copy_body(&code.body, names), end: code.end.clone() }
    }

    fn renamed(&mut self, var: Var, names: &mut HashMap<Var, Var>) -> Var {
        let new = self.like(var, self.ty(var));
        names.insert(var, new);
        new
    }

    pub fn copy_body(&mut self, body: &Body, names: &mut HashMap<Var, Var>) -> Body {
        let stmts = body.stmts.iter().map(|s| self.copy_stmt(s, names)).collect();
        Body { stmts, results: body.results.iter().map(|v| *names.get(v).unwrap_or(v)).collect() }
    }

    pub fn copy_stmt(&mut self, stmt: &Stmt, names: &mut HashMap<Var, Var>) -> Stmt {
        let operands = stmt.operands.iter().map(|v| *names.get(v).unwrap_or(v)).collect();
        if stmt.is(Kind::LambdaLetrec) {
            for member in stmt.members() {
                self.renamed(member.result(), names);
            }
            let mut members = Vec::new();
            for member in stmt.members() {
                let code = self.copy(&member.codes[0], names);
                members.push(Stmt { results: vec![names[&member.result()]], codes: vec![code], ..member.clone() });
            }
            let group = Body { results: members.iter().map(Stmt::result).collect(), stmts: members };
            let code = Code { params: vec![], body: group, end: stmt.codes[0].end.clone() };
            let results = stmt.results.iter().map(|v| self.renamed(*v, names)).collect();
            return Stmt { results, operands, codes: vec![code], ..stmt.clone() };
        }
        let codes = stmt.codes.iter().map(|c| self.copy(c, names)).collect();
        let results = stmt.results.iter().map(|v| self.renamed(*v, names)).collect();
        Stmt {
            attributes: stmt.attributes.clone(),
            ..Stmt::new(stmt.op.clone(), results, operands, codes, stmt.location)
        }
    }

    /// Appends an op with one result.
    pub fn push(&mut self, out: &mut Vec<Stmt>, op: impl Into<OpName>, inputs: &[Var], ty: Type, at: Location) -> Var {
        self.push_with(out, op, inputs, &[], ty, at)
    }

    pub fn push_with(
        &mut self,
        out: &mut Vec<Stmt>,
        op: impl Into<OpName>,
        operands: &[Var],
        attributes: &[(&str, Attribute)],
        ty: Type,
        at: Location,
    ) -> Var {
        let result = self.fresh(ty, None);
        let attributes = attributes.iter().map(|(n, a)| (n.to_string(), *a)).collect();
        out.push(Stmt { attributes, ..Stmt::new(op, vec![result], operands.to_vec(), vec![], at) });
        result
    }
}

/// Returns the value that replaces another one at last.
pub fn last_name(names: &HashMap<Var, Var>, mut var: Var) -> Var {
    while let Some(next) = names.get(&var) {
        var = *next;
    }
    var
}

/// Returns the free variables of a function, including those of nested functions, in the order of their first use.
pub fn free(code: &Code) -> Vec<Var> {
    free_of([code])
}

/// Returns [`free`] of several functions together.
pub fn free_of<'c>(codes: impl IntoIterator<Item = &'c Code>) -> Vec<Var> {
    free_by(codes, &operands)
}

/// Returns [`free_of`] where `used` visits the values that a statement uses, besides those that its regions use.
pub fn free_by<'c>(codes: impl IntoIterator<Item = &'c Code>, used: &dyn Fn(&Stmt, &mut dyn FnMut(Var))) -> Vec<Var> {
    let mut free = Free { used, made: HashSet::new(), seen: HashSet::new(), found: Vec::new() };
    codes.into_iter().for_each(|c| free.code(c));
    free.found
}

/// Returns the free variables of statements, and those of `results` that the statements do not define.
pub fn free_in(stmts: &[Stmt], results: &[Var]) -> Vec<Var> {
    let mut free = Free { used: &operands, made: HashSet::new(), seen: HashSet::new(), found: Vec::new() };
    stmts.iter().for_each(|s| free.stmt(s));
    results.iter().for_each(|v| free.uses(*v));
    free.found
}

fn operands(stmt: &Stmt, uses: &mut dyn FnMut(Var)) {
    stmt.operands.iter().for_each(|v| uses(*v));
}

struct Free<'u> {
    used: &'u dyn Fn(&Stmt, &mut dyn FnMut(Var)),
    made: HashSet<Var>,
    seen: HashSet<Var>,
    found: Vec<Var>,
}

impl Free<'_> {
    fn uses(&mut self, var: Var) {
        if !self.made.contains(&var) && self.seen.insert(var) {
            self.found.push(var);
        }
    }

    fn code(&mut self, code: &Code) {
        self.made.extend(&code.params);
        code.body.stmts.iter().for_each(|s| self.stmt(s));
        code.body.results.iter().for_each(|v| self.uses(*v));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let used = self.used;
        used(stmt, &mut |v| self.uses(v));
        if stmt.is(Kind::LambdaLetrec) {
            self.made.extend(stmt.members().iter().map(Stmt::result));
        }
        stmt.codes.iter().for_each(|c| self.code(c));
        self.made.extend(&stmt.results);
    }
}
