//! Generates C entry points (`docs/abi.md`) for functions of data: `@f`, which calls `@f.entry` of `lambda-to-llvm`.
//!
//! `@f` takes numbers and arrays, as the compiled form of a function of arrays does. It creates the context of the
//! generated code, determines the stack limit of the thread, calls `@f.entry`, writes the results, and frees all
//! memory. If the program stops with an error, `@f` returns a status and a message.
//!
//! Input: a lowered module, after `lambda-to-llvm` and `loops-to-llvm`. Preserves: all functions, but `@f.entry` and
//! the functions of the array computations get internal linkage.

use crate::abi::{TRAPS, names};
use crate::data::lambda_to_llvm::{CHUNKS, CONTEXT_BYTES, ENTRY, KERNEL, NAME, Part, SITES, STOPS, VALUES, parts};
use crate::ir::*;
use crate::llvm::function_splitting::MOST_ARGUMENTS;
use crate::llvm::heap::add_text;
use mlopt_dialects::bridge::{Options, Pass};
use mlopt_dialects::lambda::types::TypeKind;
use std::fmt::Write;

/// The pass `--functions-for-c`.
pub const PASS: Pass = Pass {
    name: "functions-for-c",
    description: "Add entry points for programs in C to functions of data",
    anchor: Kind::BuiltinModule.name(),
    options: &[],
    dialects: &["llvm"],
    run,
};

/// An attribute of a function for C: its type in the program.
pub const FOR_C: &str = "lambda.for_c";

/// The functions that entry points call: they begin and end a context, and determine the stack limit once per thread.
const HELPERS: &str = include_str!("entry_helpers.mlir");

fn run(module: Op, _: &Options) -> Result<()> {
    let entries: Vec<Op> = module.child_ops().into_iter().filter(|op| op.attribute(ENTRY).is_some()).collect();
    // Tasks have no host there; the compiler reports it.
    if entries.is_empty() || module.attribute(SITES).is_some() {
        return Ok(());
    }
    let ctx = module.context();
    let mut text = HELPERS.to_string() + &messages(module);
    let mut made = Vec::new();
    for entry in &entries {
        let ty = entry.attribute(ENTRY).and_then(Attribute::as_type);
        let (types, name) = (ty.and_then(Type::signature), entry.attribute(NAME).and_then(Attribute::as_string));
        let (Some(ty), Some((inputs, results)), Some(name), Some(way_in)) = (ty, types, name, entry.symbol()) else {
            let text =
                format!("expected a function with two attributes: `{ENTRY}` (a function type) and `{NAME}` (a name)");
            return Err(entry.error(text).emit());
        };
        let all = |types: &[Type]| all_parts(*entry, &name, types);
        let signature = Signature { inputs: all(&inputs)?, results: all(&results)? };
        if signature.parameters().len() > MOST_ARGUMENTS {
            let found = signature.parameters().len();
            let text = format!(
                "to be callable from C, `@{name}` must have at most {MOST_ARGUMENTS} parameters, found {found}"
            );
            return Err(entry.not_supported(text));
        }
        let symbol = names::symbol(&name);
        let _ = writeln!(text, "llvm.func @\"{way_in}\"(!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i64");
        text += &Code::of(&symbol, &way_in, &signature);
        made.push((name, symbol, ty));
    }
    add_text(module, &text);
    let symbols = Symbols::of(module);
    for (name, symbol, ty) in made {
        let function = symbols.get(&symbol).expect("just added");
        function.set_attribute(FOR_C, ctx.type_attr(ty));
        if symbol != name {
            function.set_attribute(names::NAME, ctx.string_attr(&name));
        }
    }
    let kernels = module.child_ops().into_iter().filter(|op| op.attribute(KERNEL).is_some()).filter_map(Op::symbol);
    let forms = |name: String| ["", ".sizes", ".packed", ".sizes.packed"].map(|end| format!("{name}{end}"));
    let kernels: Vec<Op> = kernels.flat_map(forms).filter_map(|name| symbols.get(&name)).collect();
    for op in kernels.into_iter().filter(|op| op.region(0).first_block().is_some()).chain(entries) {
        op.set_attribute("linkage", ctx.attribute("#llvm.linkage<internal>"));
    }
    Ok(())
}

/// Returns the numbers and arrays that represent values of these types.
fn all_parts(entry: Op, name: &str, types: &[Type]) -> Result<Vec<Type>> {
    let mut all = Vec::new();
    for ty in types {
        for part in parts(*ty).unwrap_or_default() {
            match part {
                Part::Number(ty) | Part::Array(ty) => all.push(ty),
                Part::List(_) | Part::Data(_) => {
                    let what = if matches!(part, Part::List(_)) { "lists" } else { "variants" };
                    return Err(entry.not_supported(format!(
                        "to be callable from C, `@{name}` must not take or return {what}, found type {ty}; pass and \
                         return arrays (`tolist`, `toarray`), or make the function private"
                    )));
                }
            }
        }
        if matches!(TypeKind::of(*ty), TypeKind::Chan(_) | TypeKind::Task(_)) {
            return Err(entry.not_supported(format!(
                "to be callable from C, `@{name}` must not take or return tasks or channels, found type {ty}"
            )));
        }
    }
    Ok(all)
}

/// The parameters and results of a function for C: numbers and arrays.
pub struct Signature {
    pub inputs: Vec<Type>,
    pub results: Vec<Type>,
}

/// A parameter of a function for C.
#[derive(Clone, Copy)]
pub enum Parameter {
    Input(usize),
    /// Memory of the caller, or the destination of the address of the result if its sizes are not known before the
    /// call.
    Result(usize),
    /// An axis of an input.
    Size(usize, usize),
    /// The destination of the size of an axis of a result.
    ResultSize(usize, usize),
}

impl Signature {
    /// Returns the signature of a function with the attribute [`FOR_C`].
    pub fn of(function: Op) -> Option<Signature> {
        let (inputs, results) = function.attribute(FOR_C)?.as_type()?.signature()?;
        let types = |all: Vec<Type>| -> Vec<Type> {
            let parts = all.into_iter().filter_map(parts).flatten();
            parts.filter_map(|p| if let Part::Number(t) | Part::Array(t) = p { Some(t) } else { None }).collect()
        };
        Some(Signature { inputs: types(inputs), results: types(results) })
    }

    /// Returns the parameters before the message and its capacity.
    pub fn parameters(&self) -> Vec<Parameter> {
        let open = |types: &[Type]| all_open_axes(types.iter().map(|ty| ty.shape()));
        let inputs = (0..self.inputs.len()).map(Parameter::Input);
        let results = (0..self.results.len()).map(Parameter::Result);
        let sizes = open(&self.inputs).into_iter().map(|(k, d)| Parameter::Size(k, d));
        let more = open(&self.results).into_iter().map(|(k, d)| Parameter::ResultSize(k, d));
        inputs.chain(results).chain(sizes).chain(more).collect()
    }
}

impl Parameter {
    pub fn name(self) -> String {
        match self {
            Parameter::Input(k) => format!("in{k}"),
            Parameter::Result(k) => format!("out{k}"),
            Parameter::Size(k, d) => format!("in{k}_{d}"),
            Parameter::ResultSize(k, d) => format!("out{k}_{d}"),
        }
    }
}

/// Returns the axes whose sizes are known only at run time.
pub fn open_axes(shape: &[Dim]) -> Vec<usize> {
    shape.iter().enumerate().filter(|(_, n)| n.is_none()).map(|(d, _)| d).collect()
}

/// Returns the open axes of several shapes, each after the number of its shape.
pub fn all_open_axes(shapes: impl Iterator<Item = Vec<Dim>>) -> Vec<(usize, usize)> {
    let of_one = |(k, shape): (usize, Vec<Dim>)| open_axes(&shape).into_iter().map(move |d| (k, d));
    shapes.enumerate().flat_map(of_one).collect()
}

//===-- the function ----------------------------------------------------------------------------------------------===//

/// The text of one function under construction.
#[derive(Default)]
struct Code {
    text: String,
    count: usize,
}

impl Code {
    fn of(symbol: &str, entry: &str, signature: &Signature) -> String {
        let mut code = Code::default();
        let parameters: Vec<String> = signature
            .parameters()
            .into_iter()
            .map(|p| format!("%{}: {}", p.name(), if let Parameter::Size(..) = p { "i64" } else { "!llvm.ptr" }))
            .chain(["%message: !llvm.ptr".to_string(), "%room: i64".to_string()])
            .collect();
        code.line(format!(
            "llvm.func @\"{symbol}\"({}) -> i64 attributes {{passthrough = [\"nounwind\"]}} {{",
            parameters.join(", ")
        ));
        code.line("%null = llvm.mlir.zero : !llvm.ptr");
        code.line("%none = llvm.mlir.constant(0 : i64) : i64");
        code.line("%minus = llvm.mlir.constant(-1 : i64) : i64");
        let [context, words, outs] = [CONTEXT_BYTES / 8, signature.inputs.len().max(1), signature.results.len().max(1)]
            .map(|n| {
                let n = code.number(n);
                code.value(format!("llvm.alloca {n} x i64 {{alignment = 64 : i64}} : (i64) -> !llvm.ptr"))
            });
        code.line(format!("llvm.call @mlopt.begin({context}) : (!llvm.ptr) -> ()"));
        for k in signature.allocated() {
            code.line(format!("llvm.store %null, %out{k} : !llvm.ptr, !llvm.ptr"));
        }
        code.arguments(&signature.inputs, &context, &words);
        let status = code.value(format!(
            "llvm.call @\"{entry}\"({words}, {outs}, {context}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i64"
        ));
        let fine = code.value(format!("llvm.icmp \"eq\" {status}, %none : i64"));
        code.line(format!("llvm.cond_br {fine}, ^results, ^stopped({status} : i64)"));
        code.line("^results:");
        signature.results.iter().enumerate().for_each(|(k, ty)| code.result(k, *ty, &outs));
        code.line(format!("llvm.call @mlopt.end({context}) : (!llvm.ptr) -> ()"));
        code.line("llvm.return %none : i64");
        code.line("^memory:");
        for k in signature.allocated() {
            let memory = code.value(format!("llvm.load %out{k} : !llvm.ptr -> !llvm.ptr"));
            code.line(format!("llvm.call @free({memory}) : (!llvm.ptr) -> ()"));
            code.line(format!("llvm.store %null, %out{k} : !llvm.ptr, !llvm.ptr"));
        }
        code.line("llvm.br ^stopped(%minus : i64)");
        code.line("^stopped(%status: i64):");
        code.line(format!(
            "llvm.call @mlopt.say({context}, %status, %message, %room) : (!llvm.ptr, i64, !llvm.ptr, i64) -> ()"
        ));
        code.line(format!("llvm.call @mlopt.end({context}) : (!llvm.ptr) -> ()"));
        code.line("llvm.return %status : i64");
        code.line("}");
        code.text
    }

    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}", line.as_ref());
    }

    fn value(&mut self, op: impl AsRef<str>) -> String {
        self.count += 1;
        let name = format!("%v{}", self.count);
        self.line(format!("{name} = {}", op.as_ref()));
        name
    }

    fn number(&mut self, n: usize) -> String {
        self.value(format!("llvm.mlir.constant({n} : i64) : i64"))
    }

    /// Emits the address at an offset in bytes from another address.
    fn behind(&mut self, start: &str, bytes: &str) -> String {
        self.value(format!("llvm.getelementptr {start}[{bytes}] : (!llvm.ptr, i64) -> !llvm.ptr, i8"))
    }

    fn word(&mut self, start: &str, k: usize) -> String {
        self.value(format!("llvm.getelementptr {start}[{k}] : (!llvm.ptr) -> !llvm.ptr, i64"))
    }

    fn copy(&mut self, to: &str, from: &str, bytes: &str) {
        self.line(format!(
            "\"llvm.intr.memcpy\"({to}, {from}, {bytes}) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()"
        ));
    }

    fn block(&mut self) -> String {
        self.count += 1;
        format!("^b{}", self.count)
    }

    /// Writes the words of the arguments. An array is its sizes followed by its elements, which are copied to the first
    /// chunk of memory.
    fn arguments(&mut self, inputs: &[Type], context: &str, words: &str) {
        let mut objects = Vec::new();
        for (k, ty) in inputs.iter().enumerate() {
            if ty.is_tensor() {
                let size = |(d, n): (usize, Dim)| n.map_or_else(|| format!("%in{k}_{d}"), |n| self.number(n));
                let sizes: Vec<String> = ty.shape().into_iter().enumerate().map(size).collect();
                let size = self.product(element_bytes(*ty), &sizes);
                objects.push((k, sizes, size));
            } else {
                let (place, size) = (self.word(words, k), self.number(element_bytes(*ty)));
                self.copy(&place, &format!("%in{k}"), &size);
            }
        }
        if objects.is_empty() {
            return;
        }
        // The chunk has its link, then the contiguous objects, each of whole words and at least one element.
        let mut offset = self.number(64);
        let mut offsets = Vec::new();
        for (_, sizes, size) in &objects {
            offsets.push(offset.clone());
            let room = self.number(8 * sizes.len() + 15);
            let all = self.value(format!("llvm.add {size}, {room} : i64"));
            let mask = self.value("llvm.mlir.constant(-8 : i64) : i64");
            let all = self.value(format!("llvm.and {all}, {mask} : i64"));
            offset = self.value(format!("llvm.add {offset}, {all} : i64"));
        }
        let (line, last) = (self.number(64), self.number(63));
        let mask = self.value("llvm.mlir.constant(-64 : i64) : i64");
        let whole = self.value(format!("llvm.add {offset}, {last} : i64"));
        let whole = self.value(format!("llvm.and {whole}, {mask} : i64"));
        let chunk = self.value(format!("llvm.call @aligned_alloc({line}, {whole}) : (i64, i64) -> !llvm.ptr"));
        self.unless_null(&chunk);
        self.line(format!("llvm.store %null, {chunk} : !llvm.ptr, !llvm.ptr"));
        // The chunk is full.
        let ends = self.word(&chunk, 1);
        self.line(format!("llvm.store %null, {ends} : !llvm.ptr, !llvm.ptr"));
        let chunks = self.word(context, CHUNKS);
        self.line(format!("llvm.store {chunk}, {chunks} : !llvm.ptr, !llvm.ptr"));
        for ((k, sizes, size), offset) in objects.iter().zip(offsets) {
            let object = self.behind(&chunk, &offset);
            for (d, n) in sizes.iter().enumerate() {
                let place = self.word(&object, d);
                self.line(format!("llvm.store {n}, {place} : i64, !llvm.ptr"));
            }
            let elements = self.word(&object, sizes.len());
            self.copy(&elements, &format!("%in{k}"), size);
            let place = self.word(words, *k);
            self.line(format!("llvm.store {object}, {place} : !llvm.ptr, !llvm.ptr"));
        }
    }

    /// Emits the number of bytes of an array of these sizes.
    fn product(&mut self, bytes: usize, sizes: &[String]) -> String {
        let one = self.number(bytes);
        sizes.iter().fold(one, |so_far, n| self.value(format!("llvm.mul {so_far}, {n} : i64")))
    }

    /// Continues here if there is memory.
    fn unless_null(&mut self, memory: &str) {
        let is_null = self.value(format!("llvm.icmp \"eq\" {memory}, %null : !llvm.ptr"));
        let rest = self.block();
        self.line(format!("llvm.cond_br {is_null} weights([1, 2000]), ^memory, {rest}"));
        self.line(format!("{rest}:"));
    }

    /// Writes a result to the memory of the caller, or to memory that the caller owns from then on.
    fn result(&mut self, k: usize, ty: Type, outs: &str) {
        let place = self.word(outs, k);
        if !ty.is_tensor() {
            let size = self.number(element_bytes(ty));
            return self.copy(&format!("%out{k}"), &place, &size);
        }
        let object = self.value(format!("llvm.load {place} : !llvm.ptr -> !llvm.ptr"));
        let shape = ty.shape();
        let mut sizes = Vec::new();
        for (d, n) in shape.iter().enumerate() {
            let place = self.word(&object, d);
            sizes.push(match n {
                Some(n) => self.number(*n),
                None => {
                    let size = self.value(format!("llvm.load {place} : !llvm.ptr -> i64"));
                    self.line(format!("llvm.store {size}, %out{k}_{d} : i64, !llvm.ptr"));
                    size
                }
            });
        }
        let size = self.product(element_bytes(ty), &sizes);
        let elements = self.word(&object, shape.len());
        if open_axes(&shape).is_empty() {
            return self.copy(&format!("%out{k}"), &elements, &size);
        }
        let one = self.number(1);
        let asked = self.value(format!("llvm.intr.umax({size}, {one}) : (i64, i64) -> i64"));
        let memory = self.value(format!("llvm.call @malloc({asked}) : (i64) -> !llvm.ptr"));
        self.unless_null(&memory);
        self.copy(&memory, &elements, &size);
        self.line(format!("llvm.store {memory}, %out{k} : !llvm.ptr, !llvm.ptr"));
    }
}

impl Signature {
    /// Returns the results for which the function allocates memory.
    fn allocated(&self) -> Vec<usize> {
        (0..self.results.len()).filter(|k| !open_axes(&self.results[*k].shape()).is_empty()).collect()
    }
}

//===-- helpers ---------------------------------------------------------------------------------------------------===//

const NO_MEMORY: &str = "out of memory";

/// Returns `mlopt.say`, which writes the message of a status, and the texts.
fn messages(module: Op) -> String {
    let pairs = |op: Op, name: &str| -> Vec<[String; 2]> {
        let pair = |a: Attribute| {
            let both: Vec<String> = a.as_array()?.into_iter().filter_map(Attribute::as_string).collect();
            both.try_into().ok()
        };
        op.attribute(name).and_then(Attribute::as_array).unwrap_or_default().into_iter().filter_map(pair).collect()
    };
    let symbols = Symbols::of(module);
    let mut say = Say::default();
    for (k, [place, message]) in pairs(module, STOPS).into_iter().enumerate() {
        let block = say.case(k as i64 + 1);
        if !place.is_empty() {
            say.print(&block, &format!("{place}: {message}"), 0);
            continue;
        }
        // A function of arrays has stopped with a status of its own, which is the first value.
        let kernel = symbols.get(message.trim_start_matches('@'));
        let traps = kernel.map(|op| pairs(op, TRAPS)).unwrap_or_default();
        let cases: Vec<String> = (1..=traps.len()).map(|j| format!("{}: {block}_{j}", -(j as i64))).collect();
        let _ = write!(say.body, "{block}:\n%s{k} = llvm.load %p0 : !llvm.ptr -> i64\n");
        let _ = writeln!(say.body, "llvm.switch %s{k} : i64, ^none [\n{}\n]", cases.join(",\n"));
        for (j, [place, message]) in traps.into_iter().enumerate() {
            say.print(&format!("{block}_{}", j + 1), &format!("{place}: {message}"), 1);
        }
    }
    say.finish()
}

#[derive(Default)]
struct Say {
    texts: String,
    body: String,
    cases: Vec<String>,
    count: usize,
    values: usize,
}

impl Say {
    fn case(&mut self, status: i64) -> String {
        let block = format!("^s{status}");
        self.cases.push(format!("{status}: {block}"));
        block
    }

    /// Emits a block that prints a text in which each `{}` is a value, starting with the value `first`.
    fn print(&mut self, block: &str, text: &str, first: usize) {
        let count = text.matches("{}").count();
        self.count += 1;
        self.values = self.values.max(first + count);
        let n = self.count;
        let format = text.replace('%', "%%").replace("{}", "%lld");
        let escaped: String = format.bytes().map(|b| format!("\\{b:02X}")).collect();
        let _ = writeln!(
            self.texts,
            "llvm.mlir.global internal constant @mlopt.text.{n}(\"{escaped}\\00\") {{addr_space = 0 : i32}}"
        );
        let _ = writeln!(self.body, "{block}:\n%t{n} = llvm.mlir.addressof @mlopt.text.{n} : !llvm.ptr");
        for k in 0..count {
            let _ = writeln!(self.body, "%v{n}_{k} = llvm.load %p{} : !llvm.ptr -> i64", first + k);
        }
        let values: String = (0..count).map(|k| format!(", %v{n}_{k}")).collect();
        let types = ", i64".repeat(count);
        let _ = writeln!(
            self.body,
            "%r{n} = llvm.call @snprintf(%message, %room, %t{n}{values}) \
             vararg(!llvm.func<i32 (ptr, i64, ptr, ...)>) : (!llvm.ptr, i64, !llvm.ptr{types}) -> i32\nllvm.return"
        );
    }

    fn finish(mut self) -> String {
        self.print("^none", NO_MEMORY, 0);
        let place =
            |k| format!("%p{k} = llvm.getelementptr %context[{}] : (!llvm.ptr) -> !llvm.ptr, i64\n", VALUES + k);
        let places: String = (0..self.values).map(place).collect();
        format!(
            "{}llvm.func @snprintf(!llvm.ptr, i64, !llvm.ptr, ...) -> i32\n\
             llvm.func internal @mlopt.say(%context: !llvm.ptr, %status: i64, %message: !llvm.ptr, %room: i64) \
             attributes {{passthrough = [\"cold\", \"noinline\", \"nounwind\"]}} {{\n\
             {places}llvm.switch %status : i64, ^none [\n{}\n]\n{}}}\n",
            self.texts,
            self.cases.join(",\n"),
            self.body
        )
    }
}
