//! The C header of a node: its interface, `stream.h`, and the tables of the node.

use super::{Embedded, Function, Kept, Place, Port};
use crate::streams::memory::{Depth, Report, cycles_text};
use mlopt_dialects::value::Element;
use mlopt_lowering::abi::names::{self, is_keyword};
use mlopt_lowering::native::c_type;
use std::collections::HashSet;
use std::fmt::Write;

/// The C runtime of nodes.
const RUNTIME: &str = include_str!("stream.h");

impl Embedded {
    /// Returns the header. `report` has the memory of a node, if its size is known at compile time.
    pub fn header(&self, report: &Report) -> String {
        let sizes = report.total.map(|total| (total, report.scratch));
        let writer = Header::new(self, sizes);
        let id = &writer.id;
        let guard = format!("MLOPT_NODE_{}_H", id.to_ascii_uppercase());
        let interface = writer.interface();
        let tables = writer.tables();
        let functions = writer.functions();
        let runtime = RUNTIME.trim_end();
        let about = writer.about();
        format!(
            "{about}#ifndef {guard}\n#define {guard}\n\n{runtime}\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
             {interface}\n{tables}\n{functions}\n#ifdef __cplusplus\n}}\n#endif\n#endif\n"
        )
    }
}

/// A stream of the interface as a member of a struct.
struct Member<'a> {
    port: &'a Port,
    /// The C names of the member and of its flag.
    name: String,
    flag: String,
    c_type: &'static str,
    /// The number of elements of an array; `None` for a scalar.
    elements: Option<u64>,
}

struct Header<'a> {
    node: &'a Embedded,
    id: String,
    sizes: Option<(u64, u64)>,
    inputs: Vec<Member<'a>>,
    outputs: Vec<Member<'a>>,
}

impl<'a> Header<'a> {
    fn new(node: &'a Embedded, sizes: Option<(u64, u64)>) -> Header<'a> {
        let id = names::identifier(&node.symbol);
        // The names of `stream.h` have this prefix.
        let id = if id == "mlopt" { "mlopt_mlopt".to_string() } else { id };
        let inputs = members(&node.inputs, &["_"], |name| format!("has_{name}"));
        let outputs = members(&node.outputs, &["cycle"], |name| format!("{name}_is"));
        Header { node, id, sizes, inputs, outputs }
    }

    fn is_one(&self) -> bool {
        self.node.depth == Depth::One
    }

    /// Returns the comment at the start of the header, which describes its use.
    fn about(&self) -> String {
        let (node, id) = (self.node, &self.id);
        let mut t = format!("/* Made by mlopt. The node @{}, class {}.\n\n", comment(&node.symbol), node.class.name());
        let macro_id = id.to_ascii_uppercase();
        let _ = match self.sizes {
            Some((total, _)) => {
                writeln!(
                    t,
                    "   static unsigned char memory[{macro_id}_MEMORY];  // {total} bytes, all that there is\n   \
                     {id}_node *node = {id}_init(memory, sizeof memory);"
                )
            }
            None => {
                writeln!(
                    t,
                    "   size_t bytes = {id}_memory(1000);  // for at most 1000 cycles that wait for others\n   \
                     {id}_node *node = {id}_init(malloc(bytes), bytes, 1000);"
                )
            }
        };
        if self.inputs.is_empty() {
            let _ = writeln!(t, "   while (... {id}_step(node) == MLOPT_OK) {{");
        } else {
            let _ = writeln!(t, "   {id}_in in = {{0}};\n   while (... {id}_step(node, &in) == MLOPT_OK) {{");
        }
        let _ = writeln!(
            t,
            "     {id}_out out;\n     while ({id}_take(node, &out)) ...\n   }}\n   \
             {id}_flush(node);  // and take what is left\n"
        );
        t.push_str(
            "   Link with -lm. One node is used by one thread at a time; there may be as many nodes as there is \
             memory for. */\n",
        );
        t
    }

    /// Returns the structs and declarations of the interface.
    fn interface(&self) -> String {
        let (node, id) = (self.node, &self.id);
        let mut t = String::new();
        if !self.inputs.is_empty() {
            let _ = writeln!(
                t,
                "/* The inputs of a cycle. Arrays are contiguous and row-major, and read during the step; \
                 NULL is absent. */\ntypedef struct {{"
            );
            for m in &self.inputs {
                let place = m.port.clock_text.as_ref().map(|c| format!("on the clock {}", comment(c)));
                let _ = match (m.elements, &place) {
                    (Some(_), _) => {
                        writeln!(t, "  const {} *{}; /* {} */", m.c_type, m.name, about(m, place.as_deref()))
                    }
                    (None, Some(place)) => {
                        writeln!(t, "  bool {};\n  {} {}; /* {place} */", m.flag, m.c_type, m.name)
                    }
                    (None, None) => writeln!(t, "  {} {};", m.c_type, m.name),
                };
            }
            let _ = writeln!(t, "}} {id}_in;\n");
        }
        let _ = writeln!(
            t,
            "/* The outputs of a cycle. Arrays stay until the next call that is no {id}_take; NULL where there is no \
             value. */\ntypedef struct {{\n  int64_t cycle; /* from 0 on */"
        );
        for m in &self.outputs {
            let (name, ty) = (&m.name, m.c_type);
            let place = m.port.clock_text.as_ref().map(|c| format!("on the clock {}", comment(c)));
            let pointer = if m.elements.is_some() { "const " } else { "" };
            let star = if m.elements.is_some() { "*" } else { "" };
            let about = about(m, place.as_deref());
            let about = if about.is_empty() { about } else { format!(" /* {about} */") };
            let _ = writeln!(t, "  mlopt_presence {};\n  {pointer}{ty} {star}{name};{about}", m.flag);
        }
        let _ = writeln!(t, "}} {id}_out;\n\ntypedef struct {{\n  mlopt_node node;\n}} {id}_node;\n");
        if !node.named.is_empty() {
            let _ = writeln!(t, "/* What can be read and set by name:");
            for n in &node.named {
                let _ = writeln!(t, "   {} : {}", comment(&n.name), self.kept(n.place).ty);
            }
            let _ = writeln!(t, "*/\n");
        }
        t
    }

    fn kept(&self, place: Place) -> &Kept {
        match place {
            Place::State(k) => &self.node.states[k],
            Place::Held(k) => &self.node.held[k],
            Place::Rows(k) => &self.node.columns[k],
            Place::Count | Place::Given(_) => unreachable!("they have no names"),
        }
    }

    fn tables(&self) -> String {
        let (node, id) = (self.node, &self.id);
        let mut t = String::new();
        for (k, f) in node.functions().enumerate() {
            let symbol = &f.symbol;
            let _ = writeln!(
                t,
                "void mlopt_{id}_run{k}(void **, int64_t *) __asm__(\"{symbol}.packed\");\n\
                 void mlopt_{id}_sizes{k}(void **, int64_t *) __asm__(\"{symbol}.sizes.packed\");"
            );
        }
        let mut places = Vec::new();
        let mut functions = Vec::new();
        for (k, f) in node.functions().enumerate() {
            let (arguments, results, at) = (f.arguments.len(), f.results.len(), places.len());
            functions.push(format!(
                "{{mlopt_{id}_run{k}, mlopt_{id}_sizes{k}, mlopt_{id}_places + {at}, {arguments}, {results}}}"
            ));
            places.extend(f.arguments.iter().chain(&f.results).map(|p| match p {
                Place::Rows(k) => format!("{{MLOPT_AT_ROWS, {k}}}"),
                Place::Held(k) => format!("{{MLOPT_AT_HELD, {k}}}"),
                Place::State(k) => format!("{{MLOPT_AT_STATE, {k}}}"),
                // A node of a single cycle reads inputs from the caller's memory.
                Place::Count | Place::Given(_) => "{MLOPT_AT_COUNT, 0}".to_string(),
            }));
        }
        let mut table = |ty: &str, name: &str, entries: Vec<String>, none: &str| {
            let entries = if entries.is_empty() { vec![none.to_string()] } else { entries };
            let _ = writeln!(t, "static const {ty}mlopt_{id}_{name}[] = {{{}}};", wrapped(&entries));
        };
        table("mlopt_place ", "places", places, "{0, 0}");
        table("mlopt_function ", "functions", functions, "{NULL, NULL, NULL, 0, 0}");
        let bytes = |all: &[Kept]| all.iter().map(|k| k.bytes().to_string()).collect::<Vec<_>>();
        table("int64_t ", "columns", bytes(&node.columns), "0");
        table("int64_t ", "held", bytes(&node.held), "0");
        table("int64_t ", "states", bytes(&node.states), "0");
        let masks: Vec<usize> = (0..node.columns.len()).filter(|&k| node.columns[k].slot.role == "post?").collect();
        table("int32_t ", "masks", masks.iter().map(usize::to_string).collect(), "0");
        let column = |k: Option<usize>| k.map_or("-1".to_string(), |k| k.to_string());
        let is_mark = |k: &usize| matches!(&*node.columns[*k].slot.role, "output?" | "presence?" | "clock?");
        let marks: Vec<usize> = (0..node.columns.len()).filter(is_mark).collect();
        table("int32_t ", "marks", marks.iter().map(usize::to_string).collect(), "0");
        table("int32_t ", "firsts", node.firsts.iter().map(usize::to_string).collect(), "0");
        table("int32_t ", "promised", node.promised.iter().map(usize::to_string).collect(), "0");
        let port = |p: &Port| {
            let columns = [p.rows, p.known, p.clock, p.clock_known, p.given].map(column).join(", ");
            format!("{{{}, {columns}}}", string(&p.name))
        };
        table("mlopt_port ", "inputs", node.inputs.iter().map(port).collect(), "{NULL, -1, -1, -1, -1, -1}");
        table("mlopt_port ", "outputs", node.outputs.iter().map(port).collect(), "{NULL, -1, -1, -1, -1, -1}");
        let breaks = node.breaks.iter().map(|(k, holds)| format!("{{{k}, {holds}}}"));
        table("mlopt_break ", "breaks", breaks.collect(), "{0, false}");
        table("char *const ", "quotients", node.quotients.iter().map(|q| string(q)).collect(), "NULL");
        let named = node.named.iter().map(|n| {
            let (is_state, k) = match n.place {
                Place::State(k) => (true, k),
                Place::Held(k) => (false, k),
                Place::Rows(_) | Place::Count | Place::Given(_) => unreachable!("they have no names"),
            };
            let kept = self.kept(n.place);
            let ty = kept.ty.to_string();
            format!("{{{}, {}, {is_state}, {k}, {}}}", string(&n.name), string(&ty), kept.bytes())
        });
        table("mlopt_named ", "named", named.collect(), "{NULL, NULL, false, 0, 0}");
        let role = |role: &str| column(node.columns.iter().position(|c| c.slot.role == role));
        let counts = [
            node.starts.len(),
            node.sweeps.len(),
            node.wholes.len(),
            node.columns.len(),
            node.given,
            node.held.len(),
            node.states.len(),
            masks.len(),
            marks.len(),
            node.firsts.len(),
            node.promised.len(),
            node.inputs.len(),
            node.outputs.len(),
            node.breaks.len(),
            node.named.len(),
        ];
        let counts = counts.map(|n| n.to_string()).join(", ");
        let tables = [
            "columns",
            "held",
            "states",
            "masks",
            "marks",
            "firsts",
            "promised",
            "inputs",
            "outputs",
            "breaks",
            "quotients",
            "named",
        ];
        let tables = tables.map(|name| format!("mlopt_{id}_{name}")).join(", ");
        let first = format!("mlopt_{id}_functions, mlopt_{id}_functions + {}", node.starts.len());
        let awaited = string(&node.awaited);
        let columns = ["settled", "closed", "fault", "end"].map(role).join(", ");
        let last =
            format!("{columns}, {}, {}, {}, {}", column(node.boundary), node.is_ended, node.is_whole, node.most());
        let _ = writeln!(
            t,
            "static const mlopt_stream mlopt_{id}_stream = {{\n  {first},\n  {tables}, {awaited},\n  \
             {counts}, {last}}};"
        );
        t
    }

    fn functions(&self) -> String {
        let id = &self.id;
        let mut t = self.memory_and_init();
        t.push_str(&if self.is_one() { self.step_of_one() } else { self.step() });
        t.push_str(&self.take());
        let _ = write!(
            t,
            "
/* The streams end: what is left is there to be taken, and MLOPT_UNTERMINATED says that not all of it is known. */
static inline mlopt_status {id}_flush({id}_node *node) {{ return mlopt_finish(&node->node); }}

/* Back to before the first cycle. Parameters stay what they were set to. */
static inline void {id}_reset({id}_node *node) {{ mlopt_restart(&node->node); }}

/* Copies a parameter, or what a delay holds, of so many bytes. */
static inline mlopt_status {id}_get_param(const {id}_node *node, const char *name, void *value, size_t bytes) {{
  return mlopt_get(&node->node, name, value, bytes);
}}

/* Sets one, from the first cycle on that is not known yet. Before the first step a parameter takes delays back to \
    where they start, which
   may be from it: set what delays hold after it. */
static inline mlopt_status {id}_set_param({id}_node *node, const char *name, const void *value, size_t bytes) {{
  return mlopt_set(&node->node, name, value, bytes);
}}

/* What stopped the node, when a call did not come to MLOPT_OK. */
static inline const mlopt_stop *{id}_stop(const {id}_node *node) {{ return &node->node.stop; }}
"
        );
        t
    }

    fn memory_and_init(&self) -> String {
        let (node, id) = (self.node, &self.id);
        let stream = format!("mlopt_{id}_stream");
        let macro_id = id.to_ascii_uppercase();
        let about = "/* A node in this memory, which it keeps; NULL where that is too small. */";
        match (self.sizes, node.depth.cycles()) {
            (Some((total, room)), Some(cycles)) => format!(
                "/* Bytes for a node: {why}. */
#define {macro_id}_MEMORY {total}
static inline size_t {id}_memory(void) {{ return {macro_id}_MEMORY; }}

{about}
static inline {id}_node *{id}_init(void *memory, size_t bytes) {{
  return ({id}_node *)(void *)mlopt_open(&{stream}, memory, bytes, {cycles}, {room});
}}
",
                why = match node.depth {
                    Depth::One => "it looks nowhere ahead".to_string(),
                    Depth::Latency(n) => format!("it looks ahead by {}", cycles_text(n - 1)),
                    _ => format!("at most {} wait for others", cycles_text(cycles)),
                }
            ),
            _ => format!(
                "static inline int64_t mlopt_{id}_room(int64_t horizon) {{
  void *buffers[{most}];
  int64_t sizes[{most}], answer[{most} + 2];
  return mlopt_room(&{stream}, horizon, buffers, sizes, answer);
}}

/* Bytes for a node in which at most `horizon` cycles wait for others; SIZE_MAX if there is no such number. */
static inline size_t {id}_memory(int64_t horizon) {{
  return horizon < 1 ? SIZE_MAX : mlopt_memory(&{stream}, horizon, mlopt_{id}_room(horizon));
}}

{about}
static inline {id}_node *{id}_init(void *memory, size_t bytes, int64_t horizon) {{
  return horizon < 1 ? NULL : ({id}_node *)(void *)mlopt_open(&{stream}, memory, bytes, horizon, \
      mlopt_{id}_room(horizon));
}}
",
                most = node.most(),
            ),
        }
    }

    /// Returns the head of the step function: its parameters other than the node, and a default for a missing `in`.
    fn step_head(&self) -> String {
        let id = &self.id;
        let quiet = "`in` is NULL in a cycle without activity.";
        match (self.inputs.is_empty(), self.inputs.iter().any(|m| m.port.clock_text.is_none())) {
            (true, _) => format!("\n/* One cycle. */\nstatic inline mlopt_status {id}_step({id}_node *node) {{\n"),
            (_, true) => {
                format!(
                    "\n/* One cycle. {quiet} */\nstatic inline mlopt_status {id}_step({id}_node *node, \
                     const {id}_in *in) {{\n"
                )
            }
            (_, false) => format!(
                "\n/* One cycle. */\nstatic inline mlopt_status {id}_step({id}_node *node, const {id}_in *in) {{\n  \
                 {id}_in nothing;\n  if (!in) {{\n    memset(&nothing, 0, sizeof nothing);\n    in = &nothing;\n  }}\n"
            ),
        }
    }

    /// Returns a step function that passes the inputs to the runtime.
    fn step(&self) -> String {
        let mut t = self.step_head();
        if self.inputs.is_empty() {
            t.push_str("  return mlopt_feed(&node->node, NULL);\n}\n");
            return t;
        }
        let values = self.inputs.iter().map(|m| {
            let name = &m.name;
            match (m.elements, &m.port.clock_text) {
                (Some(_), _) => format!("in ? (const void *)in->{name} : NULL"),
                (None, None) => format!("in ? (const void *)&in->{name} : NULL"),
                (None, Some(_)) => format!("in && in->{} ? (const void *)&in->{name} : NULL", m.flag),
            }
        });
        let values = values.collect::<Vec<_>>().join(",\n    ");
        let _ =
            write!(t, "  const void *values[] = {{\n    {values}}};\n  return mlopt_feed(&node->node, values);\n}}\n");
        t
    }

    /// Returns a step function that calls the code of one cycle directly.
    fn step_of_one(&self) -> String {
        let (node, id) = (self.node, &self.id);
        let f: &Function = &node.sweeps[0];
        let inputs = vec!["const void *"; f.arguments.len()];
        let outputs = vec!["void *"; f.results.len() + 1];
        let sizes = vec!["int64_t"; f.sizes + 1];
        let types = [inputs, outputs, sizes].concat().join(", ");
        let mut t = format!("void mlopt_{id}_cycle({types}) __asm__(\"{}\");\n", f.symbol);
        t.push_str(&self.step_head());
        t.push_str("  mlopt_node *n = &node->node;\n");
        if f.arguments.iter().any(|p| matches!(p, Place::Count)) {
            t.push_str("  const int64_t one = 1;\n");
        }
        t.push_str("  if (n->stop.status != MLOPT_OK) return n->stop.status;\n  n->taken = 0;\n  n->ready = 1;\n");
        let base: Vec<&Member> = self.inputs.iter().filter(|m| m.port.clock_text.is_none()).collect();
        if !base.is_empty() {
            let mut quiet = "!in".to_string();
            if base.iter().all(|m| m.elements.is_some()) {
                let all = base.iter().map(|m| format!("!in->{}", m.name)).collect::<Vec<_>>().join(" && ");
                quiet = format!("!in || ({all})");
            }
            let _ = writeln!(t, "  n->quiet = {quiet};\n  if (n->quiet) {{\n    n->fed++;\n    return MLOPT_OK;\n  }}");
            let first = string(&base[0].port.name);
            let arrays: Vec<String> =
                base.iter().filter(|m| m.elements.is_some()).map(|m| format!("!in->{}", m.name)).collect();
            if !arrays.is_empty() && base.len() > 1 {
                let _ = writeln!(
                    t,
                    "  if ({}) {{\n    n->ready = 0;\n    return mlopt_halt(n, MLOPT_CLOCK, n->fed, n->fed, \
                     {first});\n  }}",
                    arrays.join(" || ")
                );
            }
        }
        let value = |p: &Place, is_result: bool| match *p {
            Place::Rows(k) => format!("n->columns[{k}]"),
            Place::Held(k) => format!("n->held[{k}]"),
            Place::State(k) if is_result => format!("n->state[!n->now][{k}]"),
            Place::State(k) => format!("n->state[n->now][{k}]"),
            Place::Count => "&one".to_string(),
            Place::Given(k) => {
                let m = &self.inputs[k];
                let given = if m.elements.is_some() { format!("in->{}", m.name) } else { format!("&in->{}", m.name) };
                match m.port.rows {
                    None => given,
                    Some(column) => format!("{} ? (const void *){given} : n->columns[{column}]", is_there(m)),
                }
            }
        };
        let mut all: Vec<String> = f.arguments.iter().map(|p| value(p, false)).collect();
        all.extend(f.results.iter().map(|p| value(p, true)));
        all.push("n->scratch".into());
        all.extend(vec!["1".to_string(); f.sizes]);
        all.push("n->room".into());
        let _ = writeln!(t, "  mlopt_{id}_cycle({});", wrapped(&all));
        if let Some(k) = node.columns.iter().position(|c| c.slot.role == "fault") {
            let _ = writeln!(
                t,
                "  if (*(const int64_t *)n->columns[{k}] != 0) {{\n    n->ready = 0;\n    \
                 return mlopt_halt(n, MLOPT_DIVISION, n->fed, n->fed, \
                 mlopt_{id}_quotients[*(const int64_t *)n->columns[{k}] - 1]);\n  }}"
            );
        }
        for m in &self.inputs {
            if let Some(k) = m.port.clock {
                let (there, name) = (is_there(m), string(&m.port.name));
                let _ = writeln!(
                    t,
                    "  if (*(const bool *)n->columns[{k}] != ({there})) {{\n    n->ready = 0;\n    \
                     return mlopt_halt(n, MLOPT_CLOCK, n->fed, n->fed, {name});\n  }}"
                );
            }
        }
        t.push_str("  n->now = !n->now;\n  n->fed++;\n  return MLOPT_OK;\n}\n");
        t
    }

    fn take(&self) -> String {
        let id = &self.id;
        let next = if self.is_one() { "mlopt_next_of_one" } else { "mlopt_next" };
        let mut t = format!(
            "\n/* The next cycle that is known, if there is one. What is not taken before the next step is forgotten. */
static inline bool {id}_take({id}_node *node, {id}_out *out) {{
  mlopt_node *n = &node->node;
  int64_t row = {next}(n);
  if (row == MLOPT_NONE) return false;
  out->cycle = n->cycle - 1;
"
        );
        for (k, m) in self.outputs.iter().enumerate() {
            let (name, flag, ty) = (&m.name, &m.flag, m.c_type);
            let rows = m.port.rows.expect("an output has rows");
            let _ = writeln!(t, "  out->{flag} = mlopt_output(n, {k}, row);");
            let column = format!("(const {ty} *)n->columns[{rows}]");
            let _ = match m.elements {
                None if m.c_type == "bool" => {
                    writeln!(t, "  out->{name} = out->{flag} == MLOPT_PRESENT && ({column})[row];")
                }
                None => writeln!(t, "  out->{name} = out->{flag} == MLOPT_PRESENT ? ({column})[row] : 0;"),
                Some(n) => writeln!(t, "  out->{name} = out->{flag} == MLOPT_PRESENT ? {column} + row * {n} : NULL;"),
            };
        }
        t.push_str("  return true;\n}\n");
        t
    }
}

fn members<'a>(ports: &'a [Port], taken: &[&str], flag: impl Fn(&str) -> String) -> Vec<Member<'a>> {
    let mut taken: HashSet<String> = taken.iter().map(|t| t.to_string()).collect();
    let mut all = Vec::new();
    for port in ports {
        let mut name = member(&port.name);
        while taken.contains(&name) || taken.contains(&flag(&name)) {
            name.push('_');
        }
        let flag = flag(&name);
        taken.extend([name.clone(), flag.clone()]);
        let shape = port.ty.shape();
        let elements = port.ty.is_tensor().then(|| shape.iter().map(|n| n.unwrap_or(0) as u64).product());
        let c_type = c_type(port.ty.element().unwrap_or(Element::F64));
        all.push(Member { port, name, flag, c_type, elements });
    }
    all
}

/// Converts a name to the name of a struct member.
fn member(name: &str) -> String {
    let id: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_bad = id.is_empty() || id.starts_with(|c: char| c.is_ascii_digit()) || is_keyword(&id);
    if is_bad { format!("_{id}") } else { id }
}

/// Returns a C expression that checks whether an input that may be absent is present.
fn is_there(m: &Member) -> String {
    if m.elements.is_some() { format!("in->{} != NULL", m.name) } else { format!("in->{}", m.flag) }
}

/// Describes the shape and clock of a member.
fn about(m: &Member, clock: Option<&str>) -> String {
    let shape = m.port.ty.shape().iter().map(|n| n.unwrap_or(0).to_string()).collect::<Vec<_>>().join("x");
    let shape = (m.elements.is_some() && !shape.is_empty()).then_some(shape);
    let parts: Vec<String> = shape.into_iter().chain(clock.map(String::from)).collect();
    parts.join(", ")
}

/// Formats a text as a C string literal.
fn string(text: &str) -> String {
    let one = |b: u8| match b {
        b'"' | b'\\' | b'?' => format!("\\{}", b as char),
        b' '..=b'~' => (b as char).to_string(),
        _ => format!("\\{b:03o}"),
    };
    format!("\"{}\"", text.bytes().map(one).collect::<String>())
}

/// Escapes a text for use inside of a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// Arranges entries in lines of limited length.
fn wrapped(entries: &[String]) -> String {
    let mut lines = vec![String::new()];
    for (k, entry) in entries.iter().enumerate() {
        let last = lines.last_mut().expect("there is one");
        let comma = if k + 1 < entries.len() { "," } else { "" };
        if last.len() + entry.len() > 130 {
            lines.push(format!("{entry}{comma}"));
        } else {
            let space = if last.is_empty() { "" } else { " " };
            let _ = write!(last, "{space}{entry}{comma}");
        }
    }
    lines.join("\n  ")
}
