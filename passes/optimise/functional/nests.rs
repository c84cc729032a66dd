//! Facts about the regions of ops: the values that they read, their effects, and their equality. The facts about an op
//! are computed once, from the facts about the ops directly inside, because the optimiser needs them at every level of
//! nesting.

use crate::analysis::{dead_code, edit, kinds};
use crate::optimise::terms::cost;
use crate::optimise::terms::prim::{Cast, Prim};
use mlopt_dialects::ir::{Attribute, Block, Op, Purity, Type, Value};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::{HasKind, Kind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The number of a class of equal things.
type Number = u32;

/// An op and its regions.
pub struct Nest {
    /// The values from outside that the regions read, in the order of their first read.
    pub captured: Vec<Value>,
    /// The number of the regions. Regions with equal numbers contain the same ops in the same order, up to the names of
    /// values, and read the captured values at the same positions.
    content: Number,
    /// True if every op inside is ordered by its operands alone.
    pub is_ordered_by_data: bool,
    pub is_pure: bool,
    /// True if the op may be erased if its results are unused.
    pub is_harmless: bool,
    /// For a pure conditional: the work of both arms, if it is at most [`SPECULATED`].
    work: Option<f64>,
}

/// The nests of one function.
#[derive(Default)]
pub struct Nests {
    /// The nests of ops with regions. If an op is in the table, all ops with regions inside are.
    known: FxHashMap<Op, Rc<Nest>>,
    contents: FxHashMap<Vec<Number>, Number>,
    ops: FxHashMap<Alone, Number>,
    types: FxHashMap<Type, Number>,
}

/// One op: its name, attributes, operand types and result types, and its location if an error message may contain it.
type Alone = (String, Vec<(String, Attribute)>, Vec<Type>, Option<String>);

/// Ops with equal signatures compute the same results from equal operands and equal captured values. Ops that differ in
/// purity have different signatures: a captured constant can make a division pure.
pub type Signature = (Number, Number, bool);

/// The maximum work of both arms of a conditional that is replaced by a select.
const SPECULATED: f64 = 8.0;

/// The ops that take no time in a conditional.
const FREE: &[Kind] = kinds![
    ArithConstant DualZero DualOne LambdaUnit LambdaTuple LambdaRecord LambdaGet LambdaField LambdaEnvEmpty LambdaNil
    LambdaYield
];

/// The ops that may trap or wait, with a message that names their location.
const LOCATED: &[Kind] = kinds![
    LambdaHead LambdaTail LambdaAget LambdaAset LambdaSliceGet LambdaSliceSet LambdaSend LambdaRecv LambdaClose
    LambdaJoin LambdaSpawn LambdaChannel LambdaMap LambdaCheck ArrayCheck
];

impl Nests {
    /// Returns the signature of an op.
    pub fn signature(&mut self, op: Op) -> Signature {
        let nest = self.nest(op);
        (self.alone(op, None), nest.content, nest.is_pure)
    }

    /// Returns what is known about an op with its regions.
    pub fn nest(&mut self, op: Op) -> Rc<Nest> {
        if let Some(nest) = self.known.get(&op) {
            return nest.clone();
        }
        let nest = Rc::new(self.read(op));
        if op.num_regions() > 0 {
            self.known.insert(op, nest.clone());
        }
        nest
    }

    /// Checks whether both arms of a conditional may run for any condition and cost no more than a branch.
    pub fn is_cheap_choice(&mut self, op: Op) -> bool {
        op.kind() == Kind::LambdaIf && work(op, &self.nest(op)).is_some()
    }

    /// Forgets an op that is going to be erased, and the ops inside.
    pub fn forget(&mut self, op: Op) {
        for op in edit::with_nested(op).filter(|op| op.num_regions() > 0) {
            self.known.remove(&op);
        }
    }

    /// Forgets the users of a value and the ops around them, because they are going to read another value.
    pub fn forget_readers(&mut self, v: Value) {
        for user in v.users() {
            self.known.remove(&user);
            let mut around = user.parent_op();
            while let Some(op) = around.filter(|op| self.known.remove(op).is_some()) {
                around = op.parent_op();
            }
        }
    }

    fn read(&mut self, op: Op) -> Nest {
        let purity = op.purity();
        let (mut is_ordered_by_data, mut is_pure) = (true, purity != Purity::Impure);
        let (mut is_harmless, mut all_work) = (dead_code::is_harmless_alone(op), Some(0.0));
        let mut names = Names { inside: op.blocks().into_iter().collect(), ..Names::default() };
        let mut content = Vec::new();
        for region in op.regions() {
            let blocks = region.blocks();
            content.push(blocks.len() as Number);
            for block in blocks {
                let arguments = block.arguments();
                content.push(arguments.len() as Number);
                for argument in arguments {
                    content.extend([self.ty(argument.ty()), names.of(argument)]);
                }
                let ops = block.ops();
                content.push(ops.len() as Number);
                for inner in ops {
                    let of_inner = self.nest(inner);
                    let number = self.alone(inner, place(inner));
                    content.extend([number, inner.num_operands() as Number, inner.num_results() as Number]);
                    content.extend(inner.operands().into_iter().map(|v| names.of(v)));
                    content.push(of_inner.content);
                    content.extend(of_inner.captured.iter().map(|&v| names.of(v)));
                    content.extend(inner.results().into_iter().map(|v| names.of(v)));
                    is_ordered_by_data &= of_inner.is_ordered_by_data && is_ordered(inner, &of_inner);
                    is_pure &= purity == Purity::Pure || of_inner.is_pure;
                    is_harmless &= of_inner.is_harmless;
                    all_work = all_work.and_then(|sum| Some(sum + work(inner, &of_inner)?));
                }
            }
        }
        let next = self.contents.len() as Number;
        let content = *self.contents.entry(content).or_insert(next);
        let work = all_work.filter(|&work| is_pure && work <= SPECULATED);
        Nest { captured: names.captured, content, is_ordered_by_data, is_pure, is_harmless, work }
    }

    fn alone(&mut self, op: Op, place: Option<String>) -> Number {
        let types = op.operands().into_iter().chain(op.results()).map(Value::ty).collect();
        let next = self.ops.len() as Number;
        *self.ops.entry((op.name().to_string(), op.attributes(), types, place)).or_insert(next)
    }

    fn ty(&mut self, ty: Type) -> Number {
        let next = self.types.len() as Number;
        *self.types.entry(ty).or_insert(next)
    }
}

/// Names of values in regions: numbers in the order of their first occurrence.
#[derive(Default)]
struct Names {
    /// The blocks of the regions.
    inside: FxHashSet<Block>,
    numbers: FxHashMap<Value, Number>,
    captured: Vec<Value>,
}

impl Names {
    fn of(&mut self, v: Value) -> Number {
        let next = self.numbers.len() as Number;
        *self.numbers.entry(v).or_insert_with(|| {
            if v.block().is_none_or(|block| !self.inside.contains(&block)) {
                self.captured.push(v);
            }
            next
        })
    }
}

/// Returns the location of an op that may trap or wait. Such an op must not be replaced by an equal one elsewhere,
/// because its message names the location.
fn place(op: Op) -> Option<String> {
    LOCATED.contains(&op.kind()).then(|| op.location().unnamed().to_string())
}

/// Returns the work of an op in a conditional, if it may run for any condition.
fn work(op: Op, nest: &Nest) -> Option<f64> {
    if op.results().into_iter().any(|r| r.ty().is_tensor()) {
        return None;
    }
    match op.kind() {
        Kind::LambdaIf => nest.work,
        kind if FREE.contains(&kind) => Some(0.0),
        Kind::ArithSelect | Kind::LambdaSwitch | Kind::ArithCmpi | Kind::ArithCmpf => Some(cost::COND),
        _ => Prim::of(op.kind()).map(cost::prim).or(Cast::of(op.kind()).map(|_| cost::COND)),
    }
}

/// Checks whether an op of a region is ordered by its operands alone.
fn is_ordered(op: Op, nest: &Nest) -> bool {
    let mut types = op.operands().into_iter().chain(op.results()).map(Value::ty);
    let is_known =
        op.kind().dialect() == "lambda" || nest.is_pure || op.kind() == Kind::ArrayYield || is_arithmetic(op);
    op.is_registered() && is_known && types.all(is_ours)
}

/// Checks whether an op on numbers may trap: a division by zero.
pub fn is_arithmetic(op: Op) -> bool {
    Prim::of(op.kind()).is_some() && op.num_regions() == 0
}

/// Checks whether values of a type are ordered by data alone.
pub fn is_ours(ty: Type) -> bool {
    !matches!(
        TypeKind::of(ty),
        TypeKind::Any | TypeKind::Token | TypeKind::Chan(_) | TypeKind::Task(_) | TypeKind::Foreign
    )
}
