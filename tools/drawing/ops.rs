//! Drawings of the dataflow of functions: a box for each op, in the colour of the region that contains it, and an edge
//! from each definition to its uses.

use crate::diagram::{Diagram, Edge, Line, Look, Node, Shape, Sign, breadth_first, cut};
use crate::texts::{constant, short, with_predicate};
use mlopt_dialects::ir::{Attribute, Block, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::count;
use std::collections::HashMap;

/// The maximum numbers of characters of a name or a constant in a line, of a line, and of an attribute in a tooltip.
const WORD: usize = 18;
const LINE: usize = 44;
const ATTRIBUTE: usize = 80;
/// The maximum number of regions in the legend.
const REGIONS: usize = 16;

/// Classes of edges.
const OPERAND: &str = "edge value";
const YIELDED: &str = "edge condition";

/// Returns the diagram of at most `limit` boxes, and a message if there are more. Constants are written in the lines
/// that read them.
pub fn diagram(function: Op, limit: usize) -> (Diagram, Option<String>) {
    let dataflow = Dataflow::of(function);
    let results: Vec<usize> =
        (0..dataflow.items.len()).filter(|&k| matches!(dataflow.items[k].content, Content::Result(..))).collect();
    let sources = |k: usize| dataflow.sources(k).into_iter().map(|(from, _)| from).collect();
    let (mut shown, _) = breadth_first(dataflow.items.len(), results.clone(), sources);
    let all = shown.len();
    shown.truncate(limit);
    shown.sort_unstable();
    let place: HashMap<usize, usize> = shown.iter().enumerate().map(|(k, &item)| (item, k)).collect();
    let nodes: Vec<Node> = shown.iter().map(|&item| dataflow.node(item)).collect();
    let mut edges = vec![];
    for (to, &item) in shown.iter().enumerate() {
        let sources = dataflow.sources(item);
        for (k, (from, class)) in sources.iter().enumerate() {
            let Some(&from) = place.get(from) else { continue };
            edges.push(Edge { from, line: None, to, place: Some((k, sources.len())), class, is_weak: false });
        }
    }
    let ops = dataflow.items.iter().filter(|item| matches!(item.content, Content::Op(_))).count();
    let inputs = function.body().map_or(0, Block::num_arguments);
    let counts = [(ops, "op"), (inputs, "argument"), (results.len(), "result"), (dataflow.regions.len(), "region")];
    let counts: Vec<String> = counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| count(*n, what)).collect();
    let omission = (shown.len() < all).then(|| {
        format!("{} of {all} boxes are drawn within the limit, the results and the ops nearest to them", shown.len())
    });
    let mut notes = vec![counts.join(", ")];
    notes.extend(omission.clone());
    let used: Vec<usize> =
        (1..=dataflow.regions.len()).filter(|r| shown.iter().any(|&k| dataflow.items[k].region == *r)).collect();
    if used.len() > REGIONS {
        notes.push(format!("the legend has {REGIONS} of {} regions", used.len()));
    }
    let mut signs = signs(&nodes, &edges);
    signs.push(Sign::Break);
    signs.extend(used.into_iter().take(REGIONS).map(|region| {
        Sign::Node(Look::Coloured(Shape::Box, region), format!("region of {}", dataflow.region(region)))
    }));
    let heading = format!("@{}", function.symbol().unwrap_or_default());
    (Diagram { heading, notes, signs, nodes, edges, is_down: true }, omission)
}

/// Returns the legend of the shapes and edges that occur.
fn signs(nodes: &[Node], edges: &[Edge]) -> Vec<Sign> {
    let has_shape = |shape: Shape| nodes.iter().any(|n| matches!(n.look, Look::Coloured(s, _) if s == shape));
    let shapes = [(Shape::Round, "argument"), (Shape::Box, "op"), (Shape::RoundThick, "result of the function")];
    let classes = [(OPERAND, "operand"), (YIELDED, "value that a region passes to its op")];
    let shapes = shapes.into_iter().filter(|s| has_shape(s.0));
    let shapes = shapes.map(|(shape, text)| Sign::Node(Look::Coloured(shape, 0), text.to_string()));
    let classes = classes.into_iter().filter(|c| edges.iter().any(|e| e.class == c.0));
    shapes.chain(classes.map(|(class, text)| Sign::Edge(class, text.to_string()))).collect()
}

/// The boxes of a function, in the order of the text.
#[derive(Default)]
struct Dataflow {
    items: Vec<Item>,
    /// The item that defines each value. Constants have none.
    of: HashMap<Value, usize>,
    /// The regions in the function, as the op and the number of each; the first one has the number 1.
    regions: Vec<(Op, usize)>,
}

struct Item {
    content: Content,
    /// The number of the region that contains it; 0 is the body of the function.
    region: usize,
    /// The values that the regions of the op yield.
    yielded: Vec<Value>,
}

enum Content {
    /// An argument of the function or of a block.
    Argument(Value),
    Op(Op),
    /// A value that the function returns, and its position.
    Result(Value, usize),
}

impl Dataflow {
    fn of(function: Op) -> Dataflow {
        let mut dataflow = Dataflow::default();
        for block in function.blocks() {
            dataflow.block(block, 0, None);
        }
        dataflow
    }

    fn add(&mut self, content: Content, region: usize) -> usize {
        self.items.push(Item { content, region, yielded: vec![] });
        self.items.len() - 1
    }

    /// Adds a block of a region, which is that of the item `around`, or the body of the function.
    fn block(&mut self, block: Block, region: usize, around: Option<usize>) {
        for argument in block.arguments() {
            let item = self.add(Content::Argument(argument), region);
            self.of.insert(argument, item);
        }
        let end = block.terminator().filter(|end| end.num_successors() == 0);
        for op in block.ops() {
            match around {
                _ if is_constant(op) => {}
                Some(around) if end == Some(op) => self.items[around].yielded.extend(op.operands()),
                None if end == Some(op) => {
                    for (k, value) in op.operands().into_iter().enumerate() {
                        self.add(Content::Result(value, k), region);
                    }
                }
                _ => self.op(op, region),
            }
        }
    }

    fn op(&mut self, op: Op, region: usize) {
        let item = self.add(Content::Op(op), region);
        self.of.extend(op.results().into_iter().map(|result| (result, item)));
        for (k, inner) in op.regions().into_iter().enumerate() {
            self.regions.push((op, k));
            let number = self.regions.len();
            for block in inner.blocks() {
                self.block(block, number, Some(item));
            }
        }
    }

    /// Returns the items whose values an item reads, each with the class of the edge.
    fn sources(&self, item: usize) -> Vec<(usize, &'static str)> {
        let Item { content, yielded, .. } = &self.items[item];
        let operands = match content {
            Content::Argument(_) => vec![],
            Content::Op(op) => op.operands(),
            Content::Result(value, _) => vec![*value],
        };
        let read = operands.iter().map(|v| (v, OPERAND)).chain(yielded.iter().map(|v| (v, YIELDED)));
        read.filter_map(|(value, class)| Some((*self.of.get(value)?, class))).collect()
    }

    fn node(&self, item: usize) -> Node {
        let Item { content, region, .. } = &self.items[item];
        let types = |values: &[Value]| values.iter().map(|v| short(v.ty())).collect::<Vec<_>>().join(", ");
        let (shape, title, lines, place) = match content {
            Content::Argument(value) => {
                (Shape::Round, self.name(*value), vec![short(value.ty())], value.location().place_text())
            }
            Content::Result(value, k) => {
                let text = format!("{} : {}", self.operand(*value), short(value.ty()));
                (Shape::RoundThick, format!("result {k}"), vec![text], String::new())
            }
            Content::Op(op) => {
                let results = op.results();
                let names: Vec<String> = results.iter().map(|v| self.name(*v)).collect();
                let title = if names.is_empty() { op.name().to_string() } else { names.join(", ") };
                let lines = [self.line(*op), types(&results)].into_iter().filter(|line| !line.is_empty());
                (Shape::Box, title, lines.collect(), op.location().place_text())
            }
        };
        let mut hint = vec![format!("{title}: {}", lines.join(" : "))];
        if let Content::Op(op) = content {
            hint.extend(attributes(*op));
        }
        hint.extend((*region > 0).then(|| format!("in the region of {}", self.region(*region))));
        hint.extend((!place.is_empty()).then(|| format!("at {place}")));
        let lines = lines.iter().map(|text| Line { text: cut(text, LINE), is_marked: false }).collect();
        Node { title: cut(&title, LINE), lines, look: Look::Coloured(shape, *region), hint: hint.join("\n") }
    }

    /// Returns the name of a value, or the number of its box.
    fn name(&self, value: Value) -> String {
        value.name().unwrap_or_else(|| match (self.of.get(&value), value.defining_op()) {
            (Some(item), Some((op, k))) if op.num_results() > 1 => format!("#{item}.{k}"),
            (Some(item), _) => format!("#{item}"),
            (None, _) => "?".into(),
        })
    }

    /// Returns the text of an operand: a name, or a constant.
    fn operand(&self, value: Value) -> String {
        let op = value.defining_op().map(|(op, _)| op).filter(|op| is_constant(*op));
        let Some(op) = op else { return cut(&self.name(value), WORD) };
        let text = op.attribute("value").map_or("constant".into(), constant);
        match value.name() {
            Some(name) if text.chars().count() > WORD => cut(&name, WORD),
            _ => cut(&text, WORD),
        }
    }

    /// Formats an op with its operands, without its regions.
    fn line(&self, op: Op) -> String {
        let callee = match op.kind() {
            Kind::LambdaPrim => op.attribute("name").and_then(Attribute::as_string),
            _ => op.callee().map(|name| format!("@{name}")),
        };
        let operands = op.operands().into_iter().map(|v| self.operand(v));
        let words = [with_predicate(op.name().to_string(), op)].into_iter().chain(callee).chain(operands);
        words.collect::<Vec<_>>().join(" ")
    }

    /// Describes a region by its op.
    fn region(&self, number: usize) -> String {
        let (op, k) = self.regions[number - 1];
        let name = op.results().first().map(|v| format!(" {}", self.name(*v))).unwrap_or_default();
        let which = if op.num_regions() > 1 { format!(", number {k}") } else { String::new() };
        format!("{}{}{which}", op.name(), cut(&name, WORD))
    }
}

/// Checks whether an op is written in the lines of its users.
fn is_constant(op: Op) -> bool {
    matches!(op.kind(), Kind::ArithConstant | Kind::LambdaLiteral)
}

/// Lists the attributes of an op that its line does not show.
fn attributes(op: Op) -> Vec<String> {
    let is_shown = |name: &str| {
        matches!(name, "callee" | "predicate")
            || name.ends_with("SegmentSizes")
            || (name == "name" && op.kind() == Kind::LambdaPrim)
    };
    let others = op.attributes().into_iter().filter(|(name, _)| !is_shown(name));
    others.map(|(name, value)| cut(&format!("{name} = {value}"), ATTRIBUTE)).collect()
}
