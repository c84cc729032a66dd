//! Detection of streams that are equal in all cycles: the coarsest partition of the streams of a node such that equal
//! streams apply the same op to equal operands on equal clocks. Streams that depend on themselves through delays count
//! as equal unless some equation distinguishes them, so two copies of a counter are merged.
//!
//! The partition is refined like that of the states of an automaton (Hopcroft, 1971), in time O(m log m) for m
//! operands.

use crate::streams::nodes::clocks::{Clock, Clocks};
use crate::streams::nodes::graph::{EquationKind, Graph, Var};
use mlopt_dialects::ir::{Attribute, Block, Op, Type, Value};
use std::collections::{BTreeSet, HashMap};

/// Returns for each stream the first one of the text that is equal to it. A stream outside of `needed` is only equal to
/// itself, and so is a delay with a name, whose state can be set, unless `named` is true.
pub fn representatives(graph: &Graph, clocks: &Clocks, needed: &BTreeSet<Var>, named: bool) -> Vec<Var> {
    let mut kinds: HashMap<Key, usize> = HashMap::new();
    let mut number = |key: Key| {
        let next = kinds.len();
        *kinds.entry(key).or_insert(next)
    };
    let is_alone = |v: Var| !needed.contains(&v) || graph.kind(v) == EquationKind::Input || !can_be_shared(graph.op(v));
    let streams = graph.vars().map(|v| if is_alone(v) { Key::Alone(v) } else { key(graph, v, named) });
    let levels = clocks.all().map(|c| Key::Clock(clocks.level(c).map(|l| l.1.holds)));
    let start: Vec<usize> = streams.chain(levels).map(&mut number).collect();
    // Clocks come after the streams, and equal clocks are refined with them.
    let clock = |c: Clock| graph.len() + c.number();
    let of_stream = |v: Var| std::iter::once(clock(clocks.of(v))).chain(graph.args(v).iter().copied()).collect();
    let of_clock = |c: Clock| clocks.level(c).map_or(vec![], |(around, l)| vec![clock(around), l.condition]);
    let operands: Vec<Vec<usize>> = graph.vars().map(of_stream).chain(clocks.all().map(of_clock)).collect();
    let classes = refined(&start, &operands);
    let mut first: Vec<Option<Var>> = vec![None; operands.len()];
    graph.vars().map(|v| *first[classes[v]].get_or_insert(v)).collect()
}

/// Checks whether two executions of an op can be replaced by one.
fn can_be_shared(op: Op) -> bool {
    op.has_no_own_effects() && op.nested_ops().into_iter().all(Op::has_no_own_effects)
}

/// The initial key of an equation.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Alone(Var),
    /// True if the condition of its innermost level must hold; `None` for the base clock.
    Clock(Option<bool>),
    /// The op, the number of the result, and for a delay its instance.
    Stream(Vec<Token>, usize, Option<String>),
}

#[derive(PartialEq, Eq, Hash)]
enum Token {
    Op(String, usize),
    Attribute(String, Attribute),
    Type(Type),
    /// An operand from the node; the operands of the equation identify it.
    Outside,
    /// The number of an operand that a region defines.
    Inside(usize),
    /// The number of blocks, of arguments of a block, or of ops in it.
    Count(usize),
}

fn key(graph: &Graph, v: Var, named: bool) -> Key {
    let op = graph.op(v);
    let mut writer = Writer { home: op.block(), inside: HashMap::new(), tokens: vec![] };
    writer.op(op);
    let result = graph.value(v).defining_op().map_or(0, |d| d.1);
    // The state of a delay with a name can be set separately.
    let name = if graph.kind(v) == EquationKind::Fby && !named { graph.value(v).name() } else { None };
    Key::Stream(writer.tokens, result, name)
}

/// The serialisation of an op without the names of values.
struct Writer {
    /// The block of the equations.
    home: Option<Block>,
    inside: HashMap<Value, usize>,
    tokens: Vec<Token>,
}

impl Writer {
    fn op(&mut self, op: Op) {
        self.tokens.push(Token::Op(op.name().to_string(), op.num_operands()));
        self.tokens.extend(op.attributes().into_iter().map(|(name, value)| Token::Attribute(name, value)));
        for operand in op.operands() {
            let inside = self.inside.get(&operand);
            self.tokens.push(inside.map_or(Token::Outside, |&number| Token::Inside(number)));
        }
        op.results().into_iter().for_each(|result| self.define(result));
        for region in op.regions() {
            let blocks = region.blocks();
            self.tokens.push(Token::Count(blocks.len()));
            blocks.into_iter().for_each(|block| self.block(block));
        }
    }

    fn block(&mut self, block: Block) {
        self.tokens.push(Token::Count(block.num_arguments()));
        block.arguments().into_iter().for_each(|v| self.define(v));
        let ops = block.ops();
        self.tokens.push(Token::Count(ops.len()));
        ops.into_iter().for_each(|op| self.op(op));
    }

    fn define(&mut self, v: Value) {
        self.tokens.push(Token::Type(v.ty()));
        // Equations of the node are distinguished by the partition, not here.
        if v.block() != self.home {
            let next = self.inside.len();
            self.inside.insert(v, next);
        }
    }
}

/// Returns the class of each element: the classes of `start`, split until the elements of each have operands of equal
/// classes.
pub fn refined(start: &[usize], operands: &[Vec<usize>]) -> Vec<usize> {
    let mut readers: Vec<Vec<(usize, usize)>> = vec![vec![]; start.len()];
    for (e, all) in operands.iter().enumerate() {
        all.iter().enumerate().for_each(|(place, &operand)| readers[operand].push((place, e)));
    }
    let mut partition = Partition::new(start);
    let mut open: Vec<usize> = (0..partition.classes.len()).collect();
    while let Some(class) = open.pop() {
        let mut reads: Vec<(usize, usize)> =
            partition.members(class).iter().flat_map(|&e| readers[e].iter().copied()).collect();
        reads.sort_unstable();
        // Elements with and without an operand of this class in some position are different.
        for place in reads.chunk_by(|a, b| a.0 == b.0) {
            place.iter().for_each(|r| partition.mark(r.1));
            open.extend(partition.split());
        }
    }
    partition.class
}

/// Elements in classes, with the members of each class consecutive.
struct Partition {
    elements: Vec<usize>,
    place: Vec<usize>,
    class: Vec<usize>,
    classes: Vec<Class>,
    /// Classes with marked members.
    touched: Vec<usize>,
}

/// A range of members: of those from `first` on, the first `marked` ones are marked.
struct Class {
    first: usize,
    end: usize,
    marked: usize,
}

impl Partition {
    fn new(start: &[usize]) -> Partition {
        let mut elements: Vec<usize> = (0..start.len()).collect();
        elements.sort_by_key(|&e| start[e]);
        let mut made = Partition {
            place: vec![0; start.len()],
            class: vec![0; start.len()],
            classes: vec![],
            touched: vec![],
            elements,
        };
        for (place, &e) in made.elements.iter().enumerate() {
            if place == 0 || start[made.elements[place - 1]] != start[e] {
                made.classes.push(Class { first: place, end: place, marked: 0 });
            }
            let class = made.classes.len() - 1;
            made.classes[class].end = place + 1;
            (made.place[e], made.class[e]) = (place, class);
        }
        made
    }

    fn members(&self, class: usize) -> &[usize] {
        let Class { first, end, .. } = self.classes[class];
        &self.elements[first..end]
    }

    fn mark(&mut self, e: usize) {
        let class = &mut self.classes[self.class[e]];
        let (from, to) = (self.place[e], class.first + class.marked);
        if from < to {
            return;
        }
        if class.marked == 0 {
            self.touched.push(self.class[e]);
        }
        class.marked += 1;
        let other = self.elements[to];
        self.elements.swap(from, to);
        (self.place[e], self.place[other]) = (to, from);
    }

    /// Splits classes into marked and unmarked members; the smaller part of each becomes a new class.
    fn split(&mut self) -> Vec<usize> {
        let mut made = Vec::new();
        for number in std::mem::take(&mut self.touched) {
            let next = self.classes.len();
            let class = &mut self.classes[number];
            let middle = class.first + std::mem::take(&mut class.marked);
            if middle == class.end {
                continue;
            }
            let (first, end) = match middle - class.first <= class.end - middle {
                true => (std::mem::replace(&mut class.first, middle), middle),
                false => (middle, std::mem::replace(&mut class.end, middle)),
            };
            self.elements[first..end].iter().for_each(|&e| self.class[e] = next);
            self.classes.push(Class { first, end, marked: 0 });
            made.push(next);
        }
        made
    }
}
