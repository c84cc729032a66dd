//! Translation of functions of data to the LLVM dialect. Functions of data use recursion, lists, or the variants of a
//! `lambda.data`.
//!
//! Input: first-order programs (the output of `closure-convert`). Output: each public function that uses more than
//! arrays and scalars is lowered together with the functions that it calls. Array computations inside them become
//! separate functions `@f.arrays.0`, …, so that the passes on arrays optimise and lower them. Preserves: functions of
//! arrays, as `func.func`.
//!
//! A tuple or a record is represented by its parts. A list is a null pointer, or a pointer to a cell of its head and
//! its tail. A value of a `lambda.data` is a cell with the number of its variant and its fields, or the number alone if
//! the variant has no fields. An array is its sizes followed by its elements. Cells are allocated by a bump allocator
//! (`memory.rs`). Cells are freed where only numbers remain live (`regions.rs`), and all others after the program has
//! ended. Updates of uniquely owned arrays are done in place (`owned.rs`).
//! ```text
//! func.func @f(%x: f64, %n: i64) -> f64 {
//!   %y = func.call @power(%x, %n) : (f64, i64) -> f64
//!   return %y : f64
//! }
//! func.func private @power(%x: f64, %n: i64) -> f64 {
//!   %zero = arith.constant 0 : i64
//!   %ends = arith.cmpi eq, %n, %zero : i64
//!   %y = lambda.if %ends : i1 -> f64 {
//!     %one = arith.constant 1.0 : f64
//!     lambda.yield %one : f64
//!   } else {
//!     %one = arith.constant 1 : i64
//!     %less = arith.subi %n, %one : i64
//!     %p = func.call @power(%x, %less) : (f64, i64) -> f64
//!     %q = arith.mulf %x, %p : f64
//!     lambda.yield %q : f64
//!   }
//!   return %y : f64
//! }
//! ```

mod arrays;
mod emit;
mod kernels;
mod layout;
mod memory;
mod ops;
mod owned;
mod random;
mod regions;
mod tasks;

use crate::abi::libm;
use crate::ir::*;
use crate::llvm::descriptors::llvm_number;
use crate::llvm::heap::{add_text, call, element, llvm_compare};
use emit::Emitter;
use layout::{Leaf, leaves};
use mlopt_dialects::bridge::{Options, Pass, PassOption};
use mlopt_dialects::diagnostics::remark;
use owned::Owned;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

pub use crate::abi::KERNEL;
pub use layout::{Leaf as Part, leaves as parts};
pub use memory::{CHUNKS, CONTEXT_BYTES, STACK_LIMIT, STATUS, TASK, VALUES};
pub use tasks::{ENDED, SITES};

/// Attributes of the entry point of a function, `@f.entry`: the type of the function, and its name.
pub use mlopt_dialects::lambda::{ENTRY, NAME};
/// An attribute of the module: `[place, message]` for each stop of its functions; status `k` is number `k - 1`. Without
/// a place, a function of arrays has stopped, `@f`, and its status is the first of the values.
pub const STOPS: &str = "lambda.stops";
/// An attribute of the module: the positions in [`STOPS`] of the errors that arrays have other sizes than a function of
/// arrays needs.
pub const MISMATCHES: &str = "lambda.mismatches";
/// The pass `--lambda-to-llvm`.
pub const PASS: Pass = Pass {
    name: "lambda-to-llvm",
    description: "Lower functions with lists, sum types and recursion to LLVM; computations on arrays become functions \
                  of arrays",
    anchor: Kind::BuiltinModule.name(),
    options: &[
        PassOption::flag("virtual-devices", "Run tasks on `gpu:N` on threads of this machine"),
        PassOption::flag("report", "Report the functional updates that copy their array, and the reason"),
    ],
    dialects: &["llvm", "arith", "func"],
    run,
};

/// Lowers every function of data.
fn run(module: Op, options: &Options) -> Result<()> {
    let functions = children_of(module, Kind::FuncFunc).into_iter();
    let functions: BTreeMap<String, Op> = functions.filter_map(|op| Some((op.symbol()?, op))).collect();
    let taken = taken(&functions);
    if taken.is_empty() {
        erase_data(module);
        return Ok(());
    }
    let functions = reachable(functions);
    let body = module.entry();
    let mut symbols = Symbols::of(module);
    for name in &taken {
        kernels::outline(functions[name], &mut symbols, &taken, &functions)?;
    }
    let started: BTreeSet<String> = taken.iter().flat_map(|name| tasks::started(functions[name])).collect();
    let owned = Owned::new(&functions, &taken);
    let in_place = in_place(&owned, &functions, &taken, options.bool("report"));
    let mut program = Program {
        data: alternatives(module),
        stops: Vec::new(),
        mismatches: BTreeSet::new(),
        sites: Vec::new(),
        taken: &taken,
        random: HashMap::new(),
        symbols,
        virtual_devices: options.bool("virtual-devices"),
        owned,
        in_place,
        allocating: regions::allocating(&functions, &taken),
    };
    for name in &taken {
        let function = functions[name];
        let new = declare(function);
        body.insert_before(function, new);
        Emitter::new(&mut program, new, function).run(function)?;
        if !is_private(function) {
            body.insert_before(function, way_in(function, Caller::Outside));
        }
        if started.contains(name) {
            body.insert_before(function, way_in(function, Caller::Task));
        }
    }
    taken.iter().for_each(|name| functions[name].erase());
    erase_data(module);
    let ctx = module.context();
    module.set_attribute(STOPS, text_pairs(ctx, &program.stops));
    if !program.mismatches.is_empty() {
        let number = |k: &i64| Attribute::integer(ctx.int(64), *k);
        module.set_attribute(MISMATCHES, ctx.array_attr(&program.mismatches.iter().map(number).collect::<Vec<_>>()));
    }
    if !program.sites.is_empty() {
        let site = |(place, op, ty): &(String, String, Type)| {
            ctx.array_attr(&[ctx.string_attr(place), ctx.string_attr(op), ctx.type_attr(*ty)])
        };
        module.set_attribute(SITES, ctx.array_attr(&program.sites.iter().map(site).collect::<Vec<_>>()));
    }
    add_text(module, memory::HELPERS);
    tasks::declare(module);
    kernels::declare(module);
    Ok(())
}

/// Erases types of data, which no function uses any more.
fn erase_data(module: Op) {
    children_of(module, Kind::LambdaData).into_iter().for_each(Op::erase);
}

/// Returns the functional updates that can be done in place. With `report`, remarks state why others cannot.
fn in_place(owned: &Owned, functions: &BTreeMap<String, Op>, taken: &BTreeSet<String>, report: bool) -> HashSet<Op> {
    let mut all = HashSet::new();
    for op in taken.iter().flat_map(|name| nested_of(functions[name], Kind::LambdaAset)) {
        match owned.why_copied(op) {
            None => {
                all.insert(op);
            }
            Some(why) if report => remark(op.location(), format!("this update copies its array: {why}")),
            Some(_) => {}
        }
    }
    all
}

/// The state that all functions share.
struct Program<'p> {
    /// The names and fields of the variants of each `lambda.data`.
    data: HashMap<String, Vec<(String, Vec<Type>)>>,
    stops: Vec<[String; 2]>,
    /// The positions in `stops` of the errors that sizes do not match.
    mismatches: BTreeSet<i64>,
    /// The entries of [`SITES`].
    sites: Vec<(String, String, Type)>,
    taken: &'p BTreeSet<String>,
    /// The functions of arrays of random numbers, by the type and whether they are normal.
    random: HashMap<(String, bool), String>,
    symbols: Symbols,
    virtual_devices: bool,
    owned: Owned,
    /// The functional updates that are done in place.
    in_place: HashSet<Op>,
    /// The functions that allocate memory.
    allocating: BTreeSet<String>,
}

impl Program<'_> {
    /// Returns the status of a stop at a place with a message, in which `{}` stands for a value.
    fn stop(&mut self, place: String, message: &str) -> i64 {
        position_of(&mut self.stops, [place, message.to_string()]) as i64 + 1
    }
}

/// Erases private functions that no public one reaches. Returns the others.
fn reachable(mut functions: BTreeMap<String, Op>) -> BTreeMap<String, Op> {
    let public = functions.iter().filter(|(_, op)| !is_private(**op)).map(|(name, _)| name.clone()).collect();
    let symbols = |name: &String| -> Vec<String> {
        let ops = functions.get(name).map(|op| op.nested_ops()).unwrap_or_default();
        ops.into_iter().flat_map(|op| op.attributes()).filter_map(|(_, a)| a.as_symbol()).collect()
    };
    let reached: BTreeSet<String> = reached(public, symbols).into_iter().collect();
    functions.retain(|name, op| {
        let stays = reached.contains(name);
        if !stays {
            op.erase();
        }
        stays
    });
    functions
}

/// Returns the public functions that are not purely of arrays, and their callees, unless those are purely of arrays.
fn taken(functions: &BTreeMap<String, Op>) -> BTreeSet<String> {
    let called = |name: &String| -> Vec<String> {
        let calls = |f: &Op| nested_of(*f, Kind::FuncCall).into_iter().filter_map(Op::callee).chain(tasks::started(*f));
        functions.get(name).into_iter().flat_map(calls).collect()
    };
    let reached = |name: &String| reached(called(name), called);
    // Recursion has no other lowering.
    let needs_us =
        |name: &String| functions.get(name).is_some_and(|op| speaks_of_data(*op)) || reached(name).contains(name);
    let of_data = |name: &String| needs_us(name) || reached(name).iter().any(needs_us);
    let mut taken = BTreeSet::new();
    for (name, op) in functions {
        if !is_private(*op) && of_data(name) {
            taken.insert(name.clone());
            // A call of a function of numbers is cheap here, and expensive as a function of arrays.
            let is_ours = |callee: &String| of_data(callee) || of_numbers(functions[callee], functions);
            taken.extend(reached(name).into_iter().filter(|callee| functions.contains_key(callee) && is_ours(callee)));
        }
    }
    taken
}

/// Checks whether a function is not recursive and computes only with numbers.
fn of_numbers(function: Op, functions: &BTreeMap<String, Op>) -> bool {
    let (inputs, results) = function.function_type().unwrap_or_default();
    let is_fine = |op: &Op| match op.kind() {
        Kind::ScfIf | Kind::ScfFor | Kind::ScfWhile | Kind::ScfYield | Kind::ScfCondition | Kind::FuncReturn => {
            op.operands().iter().chain(&op.results()).all(|v| v.ty().is_scalar())
        }
        Kind::FuncCall => {
            op.callee().and_then(|name| functions.get(&name)).is_some_and(|callee| of_numbers(*callee, functions))
        }
        _ => ops::is_scalar_code(*op, op.name()),
    };
    is_private(function)
        && function.body().is_some()
        && inputs.iter().chain(&results).all(|ty| ty.is_scalar())
        && function.nested_ops().iter().all(is_fine)
}

/// Checks whether a function has ops or types of dialect `lambda`.
fn speaks_of_data(function: Op) -> bool {
    let is_data = |ty: Type| !ty.is_tensor() && !ty.is_scalar();
    let (inputs, results) = function.function_type().unwrap_or_default();
    let speaks = |op: &Op| op.kind().dialect() == "lambda" || op.results().iter().any(|v| is_data(v.ty()));
    inputs.into_iter().chain(results).any(is_data) || function.nested_ops().iter().any(speaks)
}

fn alternatives(module: Op) -> HashMap<String, Vec<(String, Vec<Type>)>> {
    let mut all = HashMap::new();
    for op in children_of(module, Kind::LambdaData) {
        let names = op.attribute("alternatives").and_then(Attribute::as_array).unwrap_or_default();
        let fields = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
        let types =
            |a: Attribute| a.as_array().unwrap_or_default().into_iter().filter_map(Attribute::as_type).collect();
        let names = names.into_iter().filter_map(Attribute::as_string);
        all.insert(op.symbol().unwrap_or_default(), names.zip(fields.into_iter().map(types)).collect());
    }
    all
}

/// Returns the parts of several types, in order.
fn all_leaves(types: &[Type], at: Op) -> Result<Vec<Leaf>> {
    let unknown = |ty: &Type| at.not_supported(format!("machine code cannot represent a value of type `{ty}`"));
    Ok(types.iter().map(|ty| leaves(*ty).ok_or_else(|| unknown(ty))).collect::<Result<Vec<_>>>()?.concat())
}

/// Returns the type of a struct of all results, or of the only one.
fn result_type(parts: &[Leaf], ctx: Context) -> Type {
    match parts {
        [] => ctx.parse_type("!llvm.void").expect("a type of LLVM"),
        [one] => one.wire(ctx),
        _ => ctx.llvm_struct(&parts.iter().map(|p| p.wire(ctx)).collect::<Vec<_>>()),
    }
}

/// Returns the name of a function in LLVM: the plain name is that of the entry point, for external callers.
fn code(name: &str) -> String {
    format!("{name}.code")
}

/// Creates the function without ops.
fn declare(function: Op) -> Op {
    let (ctx, loc) = (function.context(), function.location());
    let (inputs, results) = signature(function);
    // A type without parts is reported when the body is emitted.
    let parts = |types: &[Type]| types.iter().filter_map(|ty| leaves(*ty)).flatten().collect::<Vec<_>>();
    let arguments: Vec<Type> = [ctx.ptr()].into_iter().chain(parts(&inputs).iter().map(|p| p.wire(ctx))).collect();
    let ty = function_type(&arguments, result_type(&parts(&results), ctx));
    let entry = block_of(arguments.iter().copied(), loc);
    llvm_function(loc, &code(&name_of(function)), ty, "internal", Region::with_block(entry))
}

fn llvm_function(loc: Location, name: &str, ty: Attribute, linkage: &str, body: Region) -> Op {
    let nounwind = loc.context().strings_attr(["nounwind"]);
    libm::llvm_function(loc, name, ty, linkage, body).attribute("passthrough", nounwind).build()
}

fn function_type(arguments: &[Type], result: Type) -> Attribute {
    let ctx = result.context();
    let list = arguments.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ");
    let result = result.to_string();
    ctx.attribute(&format!("!llvm.func<{} ({list})>", result.trim_start_matches("!llvm.")))
}

/// The caller of an entry point.
#[derive(PartialEq)]
enum Caller {
    /// The program that has compiled this one: `@f.entry`.
    Outside,
    /// A new task: `@f.task`.
    Task,
}

/// Creates `@f.entry(arguments, results, context)`, which reads the parts of the arguments from words, calls the
/// function, and writes the parts of its result to words. A stop ends here. It returns 0, or the status of the stop.
fn way_in(function: Op, caller: Caller) -> Op {
    let (ctx, loc) = (function.context(), function.location());
    let name = name_of(function);
    let (inputs, results) = signature(function);
    let parts = |types: &[Type]| types.iter().filter_map(|ty| leaves(*ty)).flatten().collect::<Vec<_>>();
    let (given, gives) = (parts(&inputs), parts(&results));
    let (ptr, word) = (ctx.ptr(), ctx.int(64));
    let region = Region::new();
    let blocks = [block_of([ptr; 3], loc), Block::new(&[]), Block::new(&[])];
    blocks.iter().for_each(|block| region.append(*block));
    let [start, run, stopped] = blocks;
    let [arguments, out, context] = [0, 1, 2].map(|k| start.argument(k));
    let b = Builder::at_end(start, loc);
    let state = element(b, context, memory::STATE);
    let back = call(b, "_setjmp", &[state], &[ctx.int(32)]).result(0);
    let again = llvm_compare(b, Compare::Eq, back, llvm_number(b, ctx.int(32), 0));
    b.insert(b.op(Kind::LlvmCondBr).operand_segments(&[&[again], &[], &[]]).successor(run).successor(stopped).build());

    let b = Builder::at_end(run, loc);
    let mut operands = vec![context];
    for (k, part) in given.iter().enumerate() {
        operands.push(b.value(Kind::LlvmLoad, &[element(b, arguments, k)], part.wire(ctx), &[]));
    }
    let types = if gives.is_empty() { vec![] } else { vec![result_type(&gives, ctx)] };
    let call = call(b, &code(&name), &operands, &types);
    for (k, value) in taken_apart(b, call, &gives).into_iter().enumerate() {
        b.make(Kind::LlvmStore, &[value, element(b, out, k)], &[], &[]);
    }
    b.make(Kind::LlvmReturn, &[llvm_number(b, word, 0)], &[], &[]);

    let b = Builder::at_end(stopped, loc);
    let status = b.value(Kind::LlvmLoad, &[element(b, context, memory::STATUS)], word, &[]);
    b.make(Kind::LlvmReturn, &[status], &[], &[]);
    let (symbol, linkage) = match caller {
        Caller::Outside => (format!("{name}.entry"), "external"),
        Caller::Task => (tasks::way_in(&name), "internal"),
    };
    let op = llvm_function(loc, &symbol, function_type(&[ptr, ptr, ptr], word), linkage, region);
    if caller == Caller::Outside {
        op.set_attribute(ENTRY, ctx.type_attr(ctx.function_type(&inputs, &results)));
        op.set_attribute(NAME, ctx.string_attr(&name));
    }
    op
}

/// Returns the parts of the results of a call.
fn taken_apart(b: Builder, call: Op, parts: &[Leaf]) -> Vec<Value> {
    match parts {
        [] => vec![],
        [_] => vec![call.result(0)],
        _ => {
            let part = |(k, part): (usize, &Leaf)| {
                let at = [("position", b.context().i64_array_attr(&[k as i64]))];
                b.value(Kind::LlvmExtractvalue, &[call.result(0)], part.wire(b.context()), &at)
            };
            parts.iter().enumerate().map(part).collect()
        }
    }
}
