//! Functions whose types depend on the data of a call. Machine code is compiled once for each combination of argument
//! types, and kept.
//!
//! ```text
//! let mut program = Versions::of_notation("f.lambda", "(def norm (x) (sqrt (dot x x)))")?;
//! program.call("norm", &[Value::vector(&[3.0, 4.0])])?         compiles for tensor<2xf64>
//! program.call("norm", &[Value::vector(&[1.0, 2.0, 2.0])])?    compiles for tensor<?xf64>, for all lengths to come
//! ```
//! The rules are those of `spec/functional.md` A.5.6. The types of a call are determined by its data, except that a
//! declared type of a parameter is kept.
//!
//! - If a version accepts the data, it is called. If several do, the one with the fewest dynamic sizes is called.
//! - Otherwise, if the types of some versions differ from those of the call in sizes only, the *join* of all these
//!   types is compiled: sizes that differ become dynamic. The versions for exact sizes are kept.
//! - For other ranks, element types and structures, a separate version is compiled, for the exact sizes of the call.
//! - A join that the compiler rejected is not tried again, nor is one with more dynamic sizes, and the call gets a
//!   version for its exact sizes.
//!
//! The specification says "At most 4 exact versions per function before (a) is applied eagerly", where (a) is the join.
//! This is interpreted as follows. The join is always made at the second size. Once a function has 4 versions for exact
//! sizes, whatever their types, the first version for a new rank or structure already has dynamic sizes. The limit of 4
//! does not limit the number of versions: if no join compiles, each call still gets its exact version.
//!
//! Versions with dynamic sizes are compiled without the rules of `egg-optimize` on arrays. These rules hold only if
//! sizes match, and may remove the operation that would stop with the error `shape-mismatch`. A join of types is
//! rejected if, in the code for it, a `map2` combines arrays with dynamic sizes whose equality no operation checks.

use super::abstracts::{Abstract, Unfit, join_all};
use super::run::Machine;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mlopt_dialects::bridge;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::diagnostics::captured;
use mlopt_dialects::ir::{Attribute, Block, Builder, Location, Op, Region};
use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::count;
use mlopt_dialects::value::Element;
use mlopt_frontend::functions::{Request, import_text};
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::{Error, Target, Trap};
use mlopt_lowering::pipelines::{FUNCTIONS_CPU, Pipeline};
use mlopt_runtime::code::Compiled;
use mlopt_runtime::code::program::Console;
use mlopt_runtime::entry::place;
use mlopt_runtime::failure::Failure;
use mlopt_runtime::failure::stopped;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The number of exact versions of a function after which new types get dynamic sizes immediately.
const EXACT: usize = 4;
/// The pass whose laws of arrays require operands with matching sizes.
pub const LAWS_OF_ARRAYS: &str = "egg-optimize";

/// The passes after which all types are known.
const TYPES: &[&str] = &["symbol-dce", "lambda-specialise"];

/// A program, and the compiled versions of its functions. It stays in the thread that created it.
pub struct Versions {
    source: Source,
    most_exact: usize,
    functions: BTreeMap<String, Function>,
}

/// The program in MLIR syntax, and its target.
struct Source {
    name: String,
    text: String,
    target: Target,
}

struct Function {
    name: String,
    /// Its name in messages.
    shown: String,
    place: String,
    parameters: Vec<Abstract>,
    results: usize,
    /// True if its first argument is a token.
    takes_token: bool,
    versions: Vec<Version>,
    refused: Vec<Refused>,
}

struct Version {
    types: Vec<Abstract>,
    is_joined: bool,
    calls: usize,
    machine: Machine,
    /// The program to which the types of the machine belong.
    _program: Program,
}

/// Types for which a function cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub types: Vec<Abstract>,
    pub why: String,
}

/// The versions of a function that has been called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub function: String,
    /// The versions in the order of their compilation.
    pub versions: Vec<Entry>,
    /// The rejected joins, in whose place there are exact versions.
    pub refused: Vec<Refused>,
}

/// A version in a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub types: Vec<Abstract>,
    /// True if it accepts more than the sizes of one call.
    pub is_joined: bool,
    /// The number of calls, including those that stopped.
    pub calls: usize,
}

impl Versions {
    /// Parses definitions in the notation of `spec/functional.md` F.1.
    ///
    /// # Errors
    /// The text is invalid; the failure has its position.
    pub fn of_notation(name: &str, text: &str) -> Result<Versions, Failure> {
        let program = import_text(name, text, &Request::default())
            .map_err(|problem| Failure::at(problem.place(name), problem.message()))?;
        Versions::of_mlir(name, &program.module().with_locations())
    }

    /// Parses a module, whose types may be open.
    ///
    /// # Errors
    /// The text is invalid; the failure has its position.
    pub fn of_mlir(name: &str, text: &str) -> Result<Versions, Failure> {
        mlopt_lowering::register_passes();
        let target = Target::host().map_err(Failure::new)?;
        let source = Source { name: name.to_string(), text: text.to_string(), target };
        // `Program::parse` prints diagnostics instead of returning them, so the text is checked first.
        source.explained(|_| Ok(None))?;
        let program = source.parse()?;
        let functions = program.module().child_ops().into_iter().filter_map(Function::of);
        let functions = functions.map(|f| (f.name.clone(), f)).collect();
        Ok(Versions { source, most_exact: EXACT, functions })
    }

    /// Sets the number of exact versions of a function after which new types get dynamic sizes immediately.
    pub fn with_most_exact(self, most_exact: usize) -> Versions {
        Versions { most_exact, ..self }
    }

    /// Sets the name of all functions in messages, for definitions that a tool has named.
    pub fn with_shown(mut self, shown: &str) -> Versions {
        self.functions.values_mut().for_each(|f| f.shown = shown.to_string());
        self
    }

    /// Calls a function by name, with or without `@`, and compiles it if no version accepts these arguments. The
    /// function uses the standard input and output. Several results of an MLIR function are returned as a tuple.
    ///
    /// # Errors
    /// The function does not exist; no version accepts these types and none compiles; the program stops.
    pub fn call(&mut self, name: &str, arguments: &[Value]) -> Result<Value, Failure> {
        self.call_with(name, arguments, Console::standard())
    }

    /// Calls a function with other input and output.
    ///
    /// # Errors
    /// As for [`Versions::call`].
    pub fn call_with(&mut self, name: &str, arguments: &[Value], console: Console) -> Result<Value, Failure> {
        let version = self.version(name, arguments)?;
        self.run(name, version, arguments, console)
    }

    /// Returns the number of the version that accepts these arguments, which is compiled if there is none.
    ///
    /// # Errors
    /// The function does not exist; no version accepts these types and none compiles.
    pub fn version(&mut self, name: &str, arguments: &[Value]) -> Result<usize, Failure> {
        let most_exact = self.most_exact;
        let (function, source) = self.named(name)?;
        let types = function.types_of(arguments)?;
        match function.version_for(&types) {
            Some(version) => Ok(version),
            None => function.compile(types, source, most_exact),
        }
    }

    /// Calls a version of a function that accepts these arguments.
    ///
    /// # Errors
    /// The function does not exist; the program stops.
    pub fn run(&mut self, name: &str, version: usize, arguments: &[Value], console: Console) -> Result<Value, Failure> {
        let (function, _) = self.named(name)?;
        function.versions[version].calls += 1;
        let found = function.versions[version].machine.call_with(arguments, console);
        let mut results: Vec<Value> =
            found.map_err(|e| in_words(e, &function.place))?.into_iter().map(|(value, _)| value).collect();
        Ok(if results.len() == 1 { results.remove(0) } else { Value::tuple(results) })
    }

    /// Returns the program in MLIR, with a public function that takes arguments of these types, and its name.
    ///
    /// # Errors
    /// The function does not exist; an argument is not data of its type.
    pub fn with_types(&mut self, name: &str, arguments: &[Value]) -> Result<(String, String), Failure> {
        let (function, source) = self.named(name)?;
        let types = function.types_of(arguments)?;
        function.check_closed(&types)?;
        let program = source.parse()?;
        let entry = function.enter(program.module(), &types)?;
        Ok((program.module().with_locations(), entry))
    }

    fn named(&mut self, name: &str) -> Result<(&mut Function, &Source), Failure> {
        let name = name.trim_start_matches('@');
        let hint = || did_you_mean(name, self.functions.keys().map(String::as_str));
        let unknown = Failure::at(&self.source.name, format!("no function `@{name}`{}", hint()));
        Ok((self.functions.get_mut(name).ok_or(unknown)?, &self.source))
    }

    /// Reports on the functions that have been called, by name.
    pub fn report(&self) -> Vec<Report> {
        let called = self.functions.values().filter(|f| !f.versions.is_empty());
        called.map(Function::report).collect()
    }
}

impl Function {
    /// Returns `None` for an op that is not a function with a body.
    fn of(op: Op) -> Option<Function> {
        let (inputs, results) = op.function_type()?;
        op.body().filter(|_| op.kind() == Kind::FuncFunc)?;
        let takes_token = inputs.first().is_some_and(|ty| TypeKind::of(*ty) == TypeKind::Token);
        let parameters = inputs.into_iter().skip(usize::from(takes_token)).map(Abstract::declared).collect();
        let name = op.symbol()?;
        Some(Function {
            shown: format!("@{name}"),
            name,
            place: place(op.location()),
            parameters,
            results: results.len(),
            takes_token,
            versions: vec![],
            refused: vec![],
        })
    }

    fn failure(&self, text: impl fmt::Display) -> Failure {
        Failure::at(&self.place, text)
    }

    fn types_of(&self, arguments: &[Value]) -> Result<Vec<Abstract>, Failure> {
        let (expected, found) = (self.parameters.len(), arguments.len());
        if expected != found {
            let takes = count(expected, "argument");
            let text = format!("arity-mismatch: `{}` takes {takes}, found {found}", self.shown);
            return Err(self.failure(text));
        }
        let of = |(k, (value, declared)): (usize, (&Value, &Abstract))| {
            let said = |e: Unfit| self.failure(format!("{}: argument {k} of `{}`: {e}", e.code(), self.shown));
            Abstract::of(value, declared).map_err(said)
        };
        arguments.iter().zip(&self.parameters).enumerate().map(of).collect()
    }

    /// Returns the version that accepts these types with the fewest dynamic sizes; among equals, the oldest.
    fn version_for(&self, types: &[Abstract]) -> Option<usize> {
        let able = self.versions.iter().enumerate().filter(|(_, v)| covers(&v.types, types));
        able.min_by_key(|(_, v)| unknown_sizes(&v.types)).map(|(k, _)| k)
    }

    /// Compiles a version for these types, which no version accepts so far. Returns its number.
    fn compile(&mut self, types: Vec<Abstract>, source: &Source, most_exact: usize) -> Result<usize, Failure> {
        self.check_closed(&types)?;
        let joined = self.joined(&types, most_exact).filter(|joined| !self.is_refused(joined));
        let mut refused = None;
        if let Some(joined) = joined {
            match source.compile(self, &joined, true) {
                Ok(made) => return Ok(self.keep(joined, true, made)),
                Err(e) => refused = Some(Refused { types: joined, why: text_of(e) }),
            }
        }
        let made = source.compile(self, &types, false)?;
        // The exact version compiles, so the rejection is not due to an error in the call.
        self.refused.extend(refused);
        Ok(self.keep(types, false, made))
    }

    fn check_closed(&self, types: &[Abstract]) -> Result<(), Failure> {
        let Some(k) = types.iter().position(|ty| !ty.is_closed()) else { return Ok(()) };
        let shown = &self.shown;
        let text = "contains an empty list, whose element type is not determined; pass an array of no elements";
        Err(self.failure(format!("cannot-infer: argument {k} of `{shown}` {text}")))
    }

    /// Returns types with dynamic sizes that include these, if a join is due.
    fn joined(&self, types: &[Abstract], most_exact: usize) -> Option<Vec<Abstract>> {
        let mut joined = types.to_vec();
        for version in &self.versions {
            joined = join_all(&joined, &version.types).unwrap_or(joined);
        }
        let exact = self.versions.iter().filter(|v| !v.is_joined).count();
        if joined == types && exact >= most_exact {
            joined = types.iter().zip(&self.parameters).map(|(ty, declared)| ty.of_any_size(declared)).collect();
        }
        (joined != types).then_some(joined)
    }

    /// Checks whether a join with at most as many dynamic sizes was rejected.
    fn is_refused(&self, types: &[Abstract]) -> bool {
        self.refused.iter().any(|refused| covers(types, &refused.types))
    }

    fn keep(&mut self, types: Vec<Abstract>, is_joined: bool, (program, machine): (Program, Machine)) -> usize {
        self.versions.push(Version { types, is_joined, calls: 0, machine, _program: program });
        self.versions.len() - 1
    }

    /// Makes one function of a module public, which takes these types and calls this one. Returns its name.
    fn enter(&self, module: Op, types: &[Abstract]) -> Result<String, Failure> {
        let context = module.context();
        let functions: Vec<Op> = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc).collect();
        let is_called = |op: &&Op| op.symbol().as_deref() == Some(self.name.as_str());
        let called = *functions
            .iter()
            .find(is_called)
            .ok_or_else(|| self.failure("internal error: the function was removed"))?;
        functions.iter().for_each(|op| op.set_attribute("sym_visibility", context.string_attr("private")));
        if !self.takes_token && self.parameters.iter().all(Abstract::is_closed) {
            called.set_attribute("sym_visibility", context.string_attr("public"));
            return Ok(self.name.clone());
        }
        if self.results != 1 {
            return Err(self.failure(
                "not supported: a function with open types must have exactly one result; state the types, or return a \
                 tuple",
            ));
        }
        let mut name = format!("{}.call", self.name);
        while module.child_ops().into_iter().any(|op| op.symbol().as_ref() == Some(&name)) {
            name += "s";
        }
        let at = called.location();
        let mut arguments = Vec::new();
        for ty in types {
            let parsed = context.parse_type(&ty.to_string());
            let unknown = || self.failure(format!("internal error: `{ty}` is not a type"));
            arguments.push((parsed.ok_or_else(unknown)?, at));
        }
        let body = self.forwarding(Block::new(&arguments), at);
        let any = types::any(context);
        let inputs: Vec<_> = arguments.iter().map(|(ty, _)| *ty).collect();
        let function = Builder::at_end(module.entry(), at);
        let op = function.op(Kind::FuncFunc).attribute("sym_name", context.string_attr(&name));
        let op = op.attribute("function_type", context.type_attr(context.function_type(&inputs, &[any])));
        function.insert(op.region(Region::with_block(body)).build());
        Ok(name)
    }

    /// Returns a block that calls the function with its arguments and returns the results. Functions are specialised at
    /// their calls, so the function may call itself with other sizes.
    fn forwarding(&self, block: Block, at: Location) -> Block {
        let (b, context) = (Builder::at_end(block, at), at.context());
        let any = types::any(context);
        let callee = b.op(Kind::LambdaRef).attribute("callee", context.symbol_attr(&self.name));
        let mut operands = vec![b.insert(callee.results(&[any]).build()).result(0)];
        if self.takes_token {
            operands.push(b.unary(Kind::LambdaToken, &[], types::plain(context, "token")));
        }
        operands.extend(block.arguments());
        let mut found = b.unary(Kind::LambdaApply, &operands, any);
        if self.takes_token {
            let first = Attribute::integer(context.scalar(Element::I64), 0);
            let value = b.op(Kind::LambdaGet).operands(&[found]).attribute("index", first);
            found = b.insert(value.results(&[any]).build()).result(0);
        }
        b.insert(b.op(Kind::FuncReturn).operands(&[found]).build());
        block
    }

    fn report(&self) -> Report {
        let entry = |v: &Version| Entry { types: v.types.clone(), is_joined: v.is_joined, calls: v.calls };
        Report {
            function: self.name.clone(),
            versions: self.versions.iter().map(entry).collect(),
            refused: self.refused.clone(),
        }
    }
}

impl Source {
    fn parse(&self) -> Result<Program, Failure> {
        Ok(Program::parse(self.text.as_bytes(), &self.name)?)
    }

    /// Compiles a function for these types. With `checked`, it must stop if sizes do not match.
    fn compile(&self, function: &Function, types: &[Abstract], checked: bool) -> Result<(Program, Machine), Failure> {
        let program = self.parse()?;
        let module = program.module();
        let name = function.enter(module, types)?;
        self.target.describe(module);
        for (infers_types, passes) in [(true, Pipeline::of(TYPES)), (false, pipeline(types))] {
            let (ran, said) = captured(module.context(), || program.run_pipeline(&passes.to_string()));
            if ran.is_err() {
                // The passes run again to get the positions of the diagnostics.
                let all = Pipeline::of(TYPES).then(pipeline(types)).to_string();
                self.explained(|module| function.enter(module, types).map(|_| Some(all)))?;
                return Err(function.failure(said.join("\n")));
            }
            if let Some(op) = module.nested_ops().into_iter().find(|op| checked && infers_types && is_unchecked(*op)) {
                let text = "the operands have sizes that are known only at run time, and no check compares them";
                return Err(Failure::at(place(op.location()), format!("not supported: '{}': {text}", op.name())));
            }
        }
        let compiled = Compiled::new(module, &self.target).map_err(|e| function.failure(e))?;
        let machine = Machine::new(module, &compiled, &name).map_err(|e| function.failure(e))?;
        Ok((program, machine))
    }

    /// Returns MLIR's diagnostics of the program, and of the passes that `prepare` requests, as a failure.
    fn explained(&self, prepare: impl FnOnce(Op) -> Result<Option<String>, Failure>) -> Result<(), Failure> {
        let registry = DialectRegistry::new();
        bridge::register_dialects(registry.to_raw());
        let context = melior::Context::new();
        context.append_dialect_registry(&registry);
        let said: Arc<Mutex<Vec<(String, String)>>> = Arc::default();
        let sink = said.clone();
        context.attach_diagnostic_handler(move |d| {
            let mut text = d.to_string();
            for note in (0..d.note_count()).filter_map(|k| d.note(k).ok()) {
                text += &format!("\n{}: note: {note}", in_file(&note.location().to_string()));
            }
            sink.lock().unwrap_or_else(PoisonError::into_inner).push((in_file(&d.location().to_string()), text));
            true
        });
        let refused = |otherwise: &str| {
            let mut all = std::mem::take(&mut *said.lock().unwrap_or_else(PoisonError::into_inner)).into_iter();
            let (place, text) = all.next().unwrap_or((self.name.clone(), otherwise.to_string()));
            Failure::at(place, all.fold(text, |all, (place, text)| format!("{all}\n{place}: {text}")))
        };
        let mut module = Module::parse(&context, &self.text).ok_or_else(|| refused("the program is not valid"))?;
        let Some(pipeline) = prepare(module_op(&module))? else { return Ok(()) };
        self.target.describe(module_op(&module));
        let manager = PassManager::new(&context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).map_err(Failure::new)?;
        manager.run(&mut module).map_err(|_| refused("a pass failed without saying why"))
    }
}

/// Checks whether an op combines elements of arrays whose sizes may differ, and is compiled without a check of sizes.
fn is_unchecked(op: Op) -> bool {
    let arrays: Vec<_> = op.operands().into_iter().filter(|v| v.ty().is_tensor()).collect();
    let one = arrays.windows(2).all(|pair| pair[0] == pair[1]);
    op.kind() == Kind::LambdaMap && !one && arrays.iter().any(|v| v.ty().shape().contains(&None))
}

/// Returns the passes for functions of these types, after those that determine all types.
pub fn pipeline(types: &[Abstract]) -> Pipeline {
    let all = Pipeline::of(FUNCTIONS_CPU).without("lambda-specialise");
    if unknown_sizes(types) == 0 { all } else { all.without(LAWS_OF_ARRAYS) }
}

fn covers(types: &[Abstract], others: &[Abstract]) -> bool {
    types.len() == others.len() && types.iter().zip(others).all(|(ty, other)| ty.covers(other))
}

fn unknown_sizes(types: &[Abstract]) -> usize {
    types.iter().map(Abstract::unknown_sizes).sum()
}

/// Formats `loc("f.lambda":1:2)` and `loc("x"("f.lambda":1:2))` as `f.lambda:1:2`, and other locations unchanged.
pub fn in_file(location: &str) -> String {
    let whole = || location.to_string();
    let inner = location.trim_start_matches("loc(").trim_end_matches(')');
    let inner = inner.rsplit('(').next().unwrap_or(inner);
    match inner.strip_prefix('"').and_then(|rest| rest.split_once("\":")) {
        Some((file, place)) if place.bytes().all(|b| b.is_ascii_digit() || b == b':') => format!("{file}:{place}"),
        _ => whole(),
    }
}

fn text_of(failure: Failure) -> String {
    match failure {
        Failure::Reported => "a diagnostic was printed".to_string(),
        Failure::Error { place, text } => format!("{place}: {text}"),
    }
}

/// Converts the reason why a call stopped to a failure. Mismatched sizes get the same error name and position as when
/// types reveal them.
fn in_words(stop: super::run::Stop, place: &str) -> Failure {
    use super::run::Stop;
    match stop {
        Stop::Code(Error::Check { mismatch: Some(Trap { place, message }), .. }) => {
            Failure::at(place, format!("shape-mismatch: {message}"))
        }
        Stop::Code(Error::Stopped { place, text, is_mismatch: true }) => {
            Failure::at(place, format!("shape-mismatch: {text}"))
        }
        Stop::Code(e) => stopped(e, place),
        other => Failure::at(place, other),
    }
}
