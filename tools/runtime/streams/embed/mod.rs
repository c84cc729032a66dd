//! `mlopt compile --node`: compiles a node to an object file, and writes a C header through which C programs run it.
//!
//! The object file contains the functions of `stream-to-loops`. The header contains the C code that calls them:
//! `stream.h`, which is the same for every node, parts of `node.h.in` with the names of the node, and tables that
//! describe the arguments of the functions. All memory is one block whose size is known in advance.

mod header;
mod memory;

use super::compiled::{CompileError, Slot, TO_FUNCTIONS, simplified, slots_of};
use super::flat::Flat;
use super::memory::Depth;
use super::parameters::outer_names;
use super::session::{TICKED, held_name};
use crate::arguments::npy;
use crate::code::Needs;
use mlopt_dialects::Reported;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::ir::{Block, Builder, Op, OpBuilder, Region, Type};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::{Array, Element};
use mlopt_lowering::native::{self, Target};
use mlopt_passes::arrays::static_sizes::SIZES;
use mlopt_passes::streams::EquationKind;
use mlopt_passes::streams::nodes::clocks::Clock;
use mlopt_passes::streams::nodes::names::{resolve, strings};
use mlopt_passes::streams::nodes::plan::{self, Class};
use mlopt_passes::streams::stream_to_loops::{
    ARGUMENTS, BACK, ENDS, FAULTS, INIT, PARAMETERS, RESULTS, SEGMENT, STARTS, WHOLE,
};
use std::collections::{BTreeSet, HashMap};

/// Specialises a node of class `Forward` to a single cycle.
const ONE_CYCLE: &str = "builtin.module(static-sizes,canonicalize)";

/// A node that cannot be embedded.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Native(#[from] native::Error),
    #[error(
        "not supported: the amount of memory that a cycle needs depends on values of streams; use arrays whose sizes \
         do not depend on them"
    )]
    ByValues,
    #[error("the size of the memory for {cycles} cycles exceeds 63 bits; set a smaller --horizon")]
    TooLarge { cycles: u32 },
    #[error("internal error: expected code of `@{0}`, found none")]
    NoCode(String),
    #[error("internal error: expected memory for `{0}`, found none")]
    NoMemory(String),
    #[error("internal error: expected an initial value of numbers, found type {0}")]
    Initial(String),
}

impl From<Reported> for EmbedError {
    fn from(reported: Reported) -> EmbedError {
        EmbedError::Compile(reported.into())
    }
}

/// The location of an argument or a result of a function.
#[derive(Clone, Copy, Debug)]
enum Storage {
    /// The rows of a column.
    Rows(usize),
    /// A parameter or an initial value.
    Held(usize),
    State(usize),
    /// The number of cycles.
    Count,
    /// The caller's memory of an input whose rows are not kept.
    Given(usize),
}

struct Function {
    name: String,
    symbol: String,
    arguments: Vec<Storage>,
    results: Vec<Storage>,
    /// The number of size arguments.
    sizes: usize,
}

/// A kept value, and its type or that of one row.
struct Kept {
    slot: Slot,
    ty: Type,
}

impl Kept {
    fn bytes(&self) -> u64 {
        let elements: u64 = self.ty.shape().into_iter().map(|n| n.unwrap_or(0) as u64).product();
        elements * self.element().bytes() as u64
    }

    fn element(&self) -> Element {
        self.ty.element().unwrap_or(Element::F64)
    }
}

/// A stream of the interface, with the indices of its columns, if they exist.
struct Port {
    name: String,
    ty: Type,
    /// The clock as text; `None` for the base clock.
    clock_text: Option<String>,
    rows: Option<usize>,
    known: Option<usize>,
    clock: Option<usize>,
    clock_known: Option<usize>,
    /// For an input that is not on the base clock: the column that records where it was given.
    given: Option<usize>,
}

/// A parameter or state that can be read and set by name.
struct Named {
    name: String,
    /// True for a state, false for a parameter.
    is_state: bool,
    index: usize,
}

/// A compiled node, with the contents of its header.
pub struct Embedded {
    program: Program,
    symbol: String,
    class: Class,
    depth: Depth,
    functions: Vec<Function>,
    /// The number of functions that run once, before the first cycle; of those of the sweeps; and of those that find
    /// the ends of sequences and compute a whole sequence. The functions are in this order.
    counts: [usize; 3],
    /// The states that are true before a sequence.
    firsts: Vec<usize>,
    /// True if the state is unknown within a sequence.
    is_whole: bool,
    /// The input that ends sequences, and the inputs that are constant within one.
    boundary: Option<usize>,
    promised: Vec<usize>,
    tables: Tables,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    breaks: Vec<(usize, bool)>,
    /// True if each look-ahead is within a recurrence that one of `breaks` ends.
    is_ended: bool,
    awaited: String,
    named: Vec<Named>,
}

/// Suffixes of the names of a node's functions. They start with a dot, which no C identifier contains.
const INITIALS: &str = ".initials";
const NEW_NAMES: [(&str, &str); 6] = [
    (PARAMETERS, ".parameters"),
    (INIT, ".init"),
    ("", ".forward"),
    (BACK, ".backward"),
    (ENDS, ".ends"),
    (SEGMENT, ".segment"),
];

impl Embedded {
    /// Compiles the node of `flat` by `pipeline` to the LLVM dialect. `initials` are the values of its
    /// `stream.initial`, by name.
    ///
    /// # Errors
    /// The node cannot be compiled, or its code allocates memory.
    pub fn new(
        flat: &Flat,
        initials: &HashMap<String, Array>,
        horizon: Option<u32>,
        pipeline: &str,
        target: &Target,
    ) -> Result<Embedded, EmbedError> {
        let node = flat.graph.node;
        let symbol = node.symbol().unwrap_or_default();
        let module = node.module().ok_or_else(|| node.error("must be in a module").emit())?;
        let program = Program::parse(module.with_locations().as_bytes(), "node")?;
        Flat::nodes(&program).into_iter().filter(|n| n.symbol() != node.symbol()).for_each(Op::erase);
        let module = program.module();
        let others: Vec<Op> = module.child_ops().into_iter().filter(|op| op.kind() == Kind::FuncFunc).collect();
        others.iter().for_each(|op| op.set_attribute("sym_visibility", op.context().string_attr("private")));
        let simple = simplified(&program, &symbol)?;
        let (ahead, aliases) = (simple.ahead(), simple.aliases.clone());
        let depth = Depth::of(&ahead, horizon);
        let (breaks, is_ended) = breaks(&simple);
        drop(simple);
        program.run_pipeline(TO_FUNCTIONS)?;
        let tables = Tables::new(flat, depth == Depth::One, module, &symbol);
        let segment = module.lookup(&format!("{symbol}{SEGMENT}"));
        let is_first = |s: &Kept, names: &[String]| s.slot.role == "state" && names.contains(&s.slot.name);
        let firsts = segment.map_or(vec![], |op| {
            let names = strings(op, STARTS);
            (0..tables.states.len()).filter(|&k| is_first(&tables.states[k], &names)).collect()
        });
        let is_whole = segment.is_some_and(|op| op.attribute(WHOLE).is_some());
        // The name of each function, and the locations of its arguments and results.
        let mut functions: Vec<(String, Vec<Storage>, Vec<Storage>)> = Vec::new();
        if !tables.initials.is_empty() {
            let name = format!("{symbol}{INITIALS}");
            let values: Vec<&Array> = tables.initials.iter().map(|k| &initials[k]).collect();
            constants(module, &name, &values)?;
            functions.push((name, vec![], (0..values.len()).map(Storage::Held).collect()));
        }
        for (suffix, new) in NEW_NAMES {
            let Some(op) = module.lookup(&format!("{symbol}{suffix}")) else { continue };
            let [arguments, results] = [ARGUMENTS, RESULTS].map(|a| slots_of(op, a));
            let name = format!("{symbol}{new}");
            op.set_attribute("sym_name", op.context().string_attr(&name));
            if suffix.is_empty() && depth == Depth::One && flat.inputs().next().is_some() {
                op.set_attribute(SIZES, op.context().string_attr(&one_cycle(op, &arguments)));
            }
            let places = |slots: &[Slot]| {
                let mut states = 0;
                slots.iter().map(|s| tables.place(flat, s, &mut states)).collect::<Result<Vec<_>, _>>()
            };
            functions.push((name, places(&arguments)?, places(&results)?));
        }
        if depth == Depth::One {
            program.run_pipeline(ONE_CYCLE)?;
        }
        target.describe(module);
        program.run_pipeline("builtin.module(symbol-dce)")?;
        program.run_pipeline(pipeline)?;
        let exports = native::exports(module)?;
        let compiled = functions.into_iter().map(|(name, arguments, results)| {
            let export = exports.get(&name).ok_or_else(|| EmbedError::NoCode(name.clone()))?;
            if export.has_status() {
                return Err(EmbedError::ByValues);
            }
            let types = export.signature.inputs.iter().chain(&export.signature.results);
            let sizes = types.map(native::ValueType::dynamic_dims).sum();
            Ok(Function { symbol: export.symbol.clone(), name, arguments, results, sizes })
        });
        let functions = compiled.collect::<Result<Vec<_>, EmbedError>>()?;
        let first = |name: &str| functions.iter().position(|f| f.name.ends_with(name));
        let forward = first(".forward").ok_or_else(|| EmbedError::NoCode(format!("{symbol}.forward")))?;
        let ends = first(".ends").unwrap_or(functions.len());
        let counts = [forward, ends - forward, functions.len() - ends];
        let (inputs, outputs) = (tables.inputs(flat), tables.outputs(flat));
        let named = named(&aliases, &tables.held, &tables.states);
        Ok(Embedded {
            program,
            symbol,
            class: ahead.class,
            depth,
            functions,
            counts,
            firsts,
            is_whole,
            boundary: flat.plan.promise.as_ref().map(|p| p.boundary),
            promised: flat.plan.promise.as_ref().map_or(vec![], |p| p.constant.clone()),
            tables,
            inputs,
            outputs,
            breaks,
            is_ended,
            awaited: ahead.awaited,
            named,
        })
    }

    pub fn module(&self) -> Op {
        self.program.module()
    }

    /// Returns the functions that compute the memory of others. The module keeps only these.
    ///
    /// # Errors
    /// An internal error.
    pub fn needs(&self) -> Result<Needs, native::Error> {
        Needs::of(self.module())
    }
}

/// Returns the inputs that end recurrences backward in time, and whether each look-ahead is within one of these
/// recurrences.
fn breaks(flat: &Flat) -> (Vec<(usize, bool)>, bool) {
    let is_given = |b: &plan::Break| {
        let k = flat.graph.inputs().position(|v| v == b.when.condition)?;
        Some((k, b.when.holds))
    };
    let breaks: Vec<(usize, bool)> = flat.plan.breaks.iter().filter_map(is_given).collect();
    let needed = plan::needed_streams(&flat.graph, &flat.clocks);
    let is_inside = |v: &usize| flat.plan.breaks.iter().any(|b| b.streams.contains(v));
    let is_ended = !breaks.is_empty()
        && breaks.len() == flat.plan.breaks.len()
        && needed.iter().filter(|&&v| flat.graph.kind(v) == EquationKind::Post).all(is_inside);
    (breaks, is_ended)
}

/// Returns the sizes of the arguments of a function for one cycle.
fn one_cycle(function: Op, arguments: &[Slot]) -> String {
    let types = function.function_type().map(|t| t.0).unwrap_or_default();
    let one = |(ty, slot): (&Type, &Slot)| {
        let sizes = ty.shape().into_iter().map(|n| n.unwrap_or(1).to_string()).collect::<Vec<_>>();
        debug_assert!(slot.role == "input" || !ty.shape().contains(&None));
        if ty.is_tensor() && !sizes.is_empty() { sizes.join("x") } else { "-".to_string() }
    };
    types.iter().zip(arguments).map(one).collect::<Vec<_>>().join(",")
}

/// Adds a function that returns arrays of floats, bit by bit.
fn constants(module: Op, name: &str, values: &[&Array]) -> Result<(), EmbedError> {
    let context = module.context();
    let location = context.unknown_location();
    let block = Block::new(&[]);
    let b = Builder::at_end(block, location);
    let mut results = Vec::new();
    for value in values {
        let bytes = npy::bytes(value.data());
        let ty = value.type_text();
        let text = match value.shape() {
            [] => {
                let digits: String = bytes.iter().rev().map(|b| format!("{b:02X}")).collect();
                format!("0x{digits} : {ty}")
            }
            _ if value.is_empty() => format!("dense<> : {ty}"),
            _ => format!("dense<\"0x{}\"> : {ty}", bytes.iter().map(|b| format!("{b:02X}")).collect::<String>()),
        };
        let parsed = context.parse_attribute(&text).zip(context.parse_type(&ty));
        let (attribute, ty) = parsed.ok_or(EmbedError::Initial(ty))?;
        results.push(b.constant(attribute, ty));
    }
    block.append(OpBuilder::new(Kind::FuncReturn, location).operands(&results).build());
    let types: Vec<Type> = results.iter().map(|v| v.ty()).collect();
    let function = OpBuilder::new(Kind::FuncFunc, location)
        .attribute("sym_name", context.string_attr(name))
        .attribute("function_type", context.type_attr(context.function_type(&[], &types)))
        .region(Region::with_block(block));
    module.entry().append(function.build());
    Ok(())
}

/// The values that a node keeps, and their locations.
struct Tables {
    /// True if rows of inputs are not kept, except for inputs that may be absent.
    is_one: bool,
    initials: Vec<String>,
    /// The columns; the `given` first ones are those of inputs.
    columns: Vec<Kept>,
    given: usize,
    held: Vec<Kept>,
    states: Vec<Kept>,
    quotients: Vec<String>,
}

impl Tables {
    fn new(flat: &Flat, is_one: bool, module: Op, symbol: &str) -> Tables {
        let graph = &flat.graph;
        let (mut initials, mut columns, mut held, mut states) = (vec![], vec![], vec![], vec![]);
        let sampled: Vec<usize> = graph.inputs().filter(|&v| is_sampled(flat, v)).collect();
        let find = |suffix: &str| module.lookup(&format!("{symbol}{suffix}"));
        let slot = |role: &str, name: String| Slot { role: role.into(), name };
        for v in graph.inputs().filter(|v| !is_one || sampled.contains(v)) {
            columns.push(Kept { slot: slot("input", graph.label(v)), ty: graph.value(v).ty() });
        }
        let bit = module.context().scalar(Element::I1);
        for &v in sampled.iter().filter(|_| !is_one) {
            columns.push(Kept { slot: slot("given", graph.label(v)), ty: bit });
        }
        let given = columns.len();
        // Constant values, in the order in which they are required: initial values, then parameters.
        for suffix in [PARAMETERS, INIT, "", BACK] {
            let Some(op) = find(suffix) else { continue };
            let (inputs, _) = op.function_type().unwrap_or_default();
            for (slot, ty) in slots_of(op, ARGUMENTS).into_iter().zip(inputs) {
                if slot.role == "initial" && !initials.contains(&slot.name) {
                    initials.push(slot.name.clone());
                    held.push(Kept { slot, ty });
                }
            }
        }
        for suffix in [PARAMETERS, "", BACK, ENDS] {
            let Some(op) = find(suffix) else { continue };
            let (_, results) = op.function_type().unwrap_or_default();
            for (slot, ty) in slots_of(op, RESULTS).into_iter().zip(results) {
                match suffix {
                    PARAMETERS => held.push(Kept { slot, ty }),
                    _ if slot.is_state() => states.push(Kept { slot, ty }),
                    _ => columns.push(Kept { slot, ty: row_of(ty) }),
                }
            }
        }
        let quotients = find("").map(|op| strings(op, FAULTS)).unwrap_or_default();
        Tables { is_one, initials, columns, given, held, states, quotients }
    }

    fn column(&self, role: &str, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.slot.role == role && c.slot.name == name)
    }

    /// Returns the location of an argument or a result. The parts of the state are in order; `states` counts them.
    fn place(&self, flat: &Flat, slot: &Slot, states: &mut usize) -> Result<Storage, EmbedError> {
        let graph = &flat.graph;
        let found = match slot.role.as_str() {
            "cycles" => Some(Storage::Count),
            "initial" | "parameter" => self.held.iter().position(|h| h.slot == *slot).map(Storage::Held),
            _ if slot.is_state() => {
                *states += 1;
                Some(Storage::State(*states - 1))
            }
            "input" if self.is_one => graph.inputs().position(|v| graph.label(v) == slot.name).map(Storage::Given),
            role => self.column(role, &slot.name).map(Storage::Rows),
        };
        found.ok_or_else(|| EmbedError::NoMemory(slot.name.clone()))
    }

    /// Returns a stream of the interface. `roles` are those of its columns, in the order of the fields; `-` is none.
    fn port(&self, flat: &Flat, name: String, v: usize, roles: [&str; 5]) -> Port {
        let Flat { graph, clocks, .. } = flat;
        let [rows, known, clock, clock_known, given] = roles.map(|role| self.column(role, &name));
        let clock_text = is_sampled(flat, v).then(|| clocks.show(graph, clocks.of(v)));
        Port { name, ty: graph.value(v).ty(), clock_text, rows, known, clock, clock_known, given }
    }

    fn inputs(&self, flat: &Flat) -> Vec<Port> {
        let roles = ["input", "-", "clock", "clock?", "given"];
        flat.graph.inputs().map(|v| self.port(flat, flat.graph.label(v), v, roles)).collect()
    }

    fn outputs(&self, flat: &Flat) -> Vec<Port> {
        let roles = ["output", "output?", "presence", "presence?", "-"];
        flat.graph.outputs.iter().map(|(name, v)| self.port(flat, name.clone(), *v, roles)).collect()
    }
}

fn is_sampled(flat: &Flat, v: usize) -> bool {
    flat.clocks.of(v) != Clock::BASE
}

/// Returns the type of one row of rows.
fn row_of(rows: Type) -> Type {
    let shape = rows.shape();
    if shape.len() <= 1 { rows.scalar() } else { Type::tensor(&shape[1..], rows.scalar()) }
}

/// Returns all names of parameters and of the contents of delays.
fn named(aliases: &HashMap<String, String>, held: &[Kept], states: &[Kept]) -> Vec<Named> {
    let parameters = held.iter().enumerate().filter(|(_, h)| h.slot.role == "parameter");
    let parameters = parameters.map(|(index, h)| Named { name: h.slot.name.clone(), is_state: false, index });
    let state = |(index, s): (usize, &Kept)| Some(Named { name: held_name(&s.slot)?, is_state: true, index });
    let all: Vec<Named> = parameters.chain(states.iter().enumerate().filter_map(state)).collect();
    // The names of each value: those that files use, and those of its aliases.
    let (mut saved, mut others) = (HashMap::<&str, BTreeSet<&str>>::new(), HashMap::<&str, BTreeSet<&str>>::new());
    let outer = outer_names(aliases, all.iter().map(|n| n.name.clone()));
    for (outer, inner) in &outer {
        saved.entry(inner).or_default().insert(outer);
    }
    for alias in aliases.keys() {
        others.entry(resolve(aliases, alias)).or_default().insert(alias);
    }
    let mut found = Vec::new();
    for Named { name: inner, is_state, index } in &all {
        let first = saved.get(inner.as_str()).cloned().unwrap_or_default();
        let is_ticked = inner.ends_with(TICKED);
        let mut rest =
            if is_ticked { BTreeSet::new() } else { others.get(inner.as_str()).cloned().unwrap_or_default() };
        rest.insert(inner);
        let names = first.iter().chain(rest.difference(&first));
        found.extend(names.map(|n| Named { name: n.to_string(), is_state: *is_state, index: *index }));
    }
    found
}
