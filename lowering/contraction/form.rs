//! Recognition of nests that can be tiled, and the classification of their indices as indices of rows, columns and
//! terms.

use crate::ir::*;
use crate::nests::{are_all, indices, kinds};
use mlopt_dialects::sweep::ResultKind;
use mlopt_dialects::value::Element;
use std::collections::HashMap;

/// The attribute of a nest that must be tiled.
pub const ATTRIBUTE: &str = "contraction";

/// The minimum number of multiplications for which tiles are faster than loops.
const FEWEST: usize = 2048;
/// The minimum numbers of rows, columns and terms for which tiles are mostly full.
const LEAST: [usize; 3] = [4, 4, 4];

/// A read of an array, inside the nest.
pub struct Factor {
    /// `tensor.extract` or `memref.load`.
    pub read: Op,
    /// The range of the index and the size of each unsigned comparison `index < size` that must hold; otherwise the
    /// factor is zero.
    pub guards: Vec<(Range, Value)>,
}

/// A nest in the form of a contraction.
pub struct Contraction {
    pub nest: Op,
    pub sum: Op,
    pub left: Factor,
    pub right: Factor,
    /// The indices of the row, the column and the term of a tile, and their extents.
    pub row: Value,
    pub column: Value,
    pub term: Value,
    pub extent_of_rows: Value,
    pub extent_of_columns: Value,
    pub extent_of_terms: Value,
    /// The numbers of the other indices of `nest`: those of rows, of columns, and those that both factors need, or
    /// neither.
    pub other_rows: Vec<usize>,
    pub other_columns: Vec<usize>,
    pub repeated: Vec<usize>,
    pub element: Element,
}

/// The nests from the outermost one to a sum.
pub struct Around {
    /// The outermost nest.
    pub nest: Op,
    /// The indices and extents of all nests, outermost first.
    pub indices: Vec<Value>,
    pub extents: Vec<Value>,
}

impl Around {
    pub fn nest(nest: Op) -> Around {
        Around { nest, indices: indices(nest), extents: nest.operand_segment(0) }
    }

    /// Adds one more nest outside.
    pub fn inside(self, nest: Op) -> Around {
        let one = Around::nest(nest);
        Around { nest, indices: [one.indices, self.indices].concat(), extents: [one.extents, self.extents].concat() }
    }
}

/// The two sides of a sum of products in the body of a nest, before they are analysed.
pub struct Sides {
    pub left: Value,
    pub right: Value,
    /// The indices of the nest that each side needs.
    pub needs: [Vec<bool>; 2],
    /// The op that multiplies the sides.
    pub product: Op,
}

impl Sides {
    /// Returns the sides of `sum`, which is inside nests; the left one is the side that does not need the last column.
    pub fn of(around: &Around, sum: Op) -> Option<Sides> {
        let float = |v: Value| v.ty().is_float() && v.ty().is_scalar();
        if sum.kind() != Kind::SweepNest || kinds(sum) != [ResultKind::Sum] || !float(sum.result(0)) {
            return None;
        }
        let outer = &around.indices;
        let mut needs = Needs { nest: around.nest, sum, outer, known: HashMap::new() };
        for extent in sum.operand_segment(0).into_iter().chain(around.extents.iter().copied()) {
            if needs.of(extent)?.contains(&true) {
                return None;
            }
        }
        let term = sum.body()?.terminator()?.operand(0);
        let (product, _) = term.defining_op().filter(|(op, _)| op.kind() == Kind::ArithMulf && is_inside(*op, sum))?;
        let [x, y] = [product.operand(0), product.operand(1)];
        let (of_x, of_y) = (needs.of(x)?, needs.of(y)?);
        let only = |a: &[bool], b: &[bool]| (0..outer.len()).rev().find(|o| a[*o] && !b[*o]);
        let (column_x, column_y) = (only(&of_x, &of_y)?, only(&of_y, &of_x)?);
        Some(match column_x > column_y {
            true => Sides { left: y, right: x, needs: [of_y, of_x], product },
            false => Sides { left: x, right: y, needs: [of_x, of_y], product },
        })
    }

    /// Checks whether tiles are faster than loops, as far as the sizes are known.
    pub fn are_worthwhile(&self, around: &Around, sum: Op) -> bool {
        let extents = &around.extents;
        // Unknown sizes are assumed to be large.
        let product = |values: Vec<Value>| -> usize {
            values.into_iter().map(|n| known(n).map_or(1 << 20, |n| n.max(0) as usize)).fold(1, usize::saturating_mul)
        };
        let [l, r] = &self.needs;
        let of = |is: &dyn Fn(usize) -> bool| product((0..l.len()).filter(|o| is(*o)).map(|o| extents[o]).collect());
        let sizes = [of(&|o| l[o] && !r[o]), of(&|o| r[o] && !l[o]), product(sum.operand_segment(0))];
        let all = sizes.iter().copied().fold(1, usize::saturating_mul);
        all >= FEWEST && sizes.iter().zip(LEAST).all(|(n, least)| *n >= least)
    }
}

impl Contraction {
    /// Returns `nest` as a contraction, if it has the form.
    pub fn of(nest: Op) -> Option<Contraction> {
        let maps = are_all(nest, ResultKind::Map) && nest.operand_segment(1).is_empty();
        let body = nest.body()?;
        if !maps || body.terminator()?.operands().iter().any(|v| v.ty().is_tensor()) {
            return None;
        }
        let [sum] = nested_of(nest, Kind::SweepNest)[..] else { return None };
        // Effects of branches, other than computing values, are not repeated elsewhere.
        let branches = body.ops().into_iter().filter(|op| *op != sum && op.num_results() > 0);
        let pure = branches.flat_map(Op::nested_ops).all(|op| !matches!(op.kind(), Kind::MemrefStore | Kind::SweepAdd));
        if sum.block() != Some(body) || !pure {
            return None;
        }
        let sides = Sides::of(&Around::nest(nest), sum)?;
        let (left, right) = (Factor::of(sides.left, nest)?, Factor::of(sides.right, nest)?);
        let [l, r] = &sides.needs;
        let pick = |f: &dyn Fn(bool, bool) -> bool| (0..l.len()).filter(|o| f(l[*o], r[*o])).collect::<Vec<_>>();
        let (mut other_rows, mut other_columns) = (pick(&|l, r| l && !r), pick(&|l, r| r && !l));
        let [row, column] = [other_rows.pop()?, other_columns.pop()?];
        let (outer, extents) = (indices(nest), nest.operand_segment(0));
        Some(Contraction {
            row: outer[row],
            column: outer[column],
            term: *indices(sum).last()?,
            extent_of_rows: extents[row],
            extent_of_columns: extents[column],
            extent_of_terms: *sum.operand_segment(0).last()?,
            element: sum.result(0).ty().element()?,
            repeated: pick(&|l, r| l == r),
            nest,
            sum,
            left,
            right,
            other_rows,
            other_columns,
        })
    }
}

impl Factor {
    /// Returns `value`, computed inside `nest`, as a factor, if it is a plain read.
    pub fn of(value: Value, nest: Op) -> Option<Factor> {
        let (op, _) = value.defining_op().filter(|(op, _)| is_inside(*op, nest))?;
        match op.kind() {
            Kind::TensorExtract | Kind::MemrefLoad => Some(Factor { read: op, guards: Vec::new() }),
            Kind::ScfIf => {
                let yields = |r: usize| op.region(r).first_block()?.terminator().map(|end| end.operand(0));
                let zero = yields(1)?.defining_op()?.0.attribute("value")?.as_f64()?;
                let mut factor = Factor::of(yields(0)?, nest)?;
                if zero.to_bits() != 0 || !is_inside(factor.read, op) {
                    return None;
                }
                comparisons(op.operand(0), nest, &mut factor.guards)?;
                Some(factor)
            }
            _ => None,
        }
    }

    /// Returns the array that is read.
    pub fn array(&self) -> Value {
        self.read.operand(0)
    }

    /// Returns the position of the read.
    pub fn position(&self) -> Vec<Value> {
        self.read.operands()[1..].to_vec()
    }
}

/// Collects the comparisons of which `condition` is the conjunction; returns `None` if it contains other conditions.
fn comparisons(condition: Value, nest: Op, found: &mut Vec<(Range, Value)>) -> Option<()> {
    let (op, _) = condition.defining_op()?;
    match op.kind() {
        Kind::ArithAndi => {
            comparisons(op.operand(0), nest, found)?;
            comparisons(op.operand(1), nest, found)
        }
        Kind::ArithCmpi if op.attribute("predicate").and_then(Attribute::as_i64) == Some(Compare::Ult as i64) => {
            let size = op.operand(1);
            let outside = size.defining_op().is_none_or(|(maker, _)| !is_inside(maker, nest));
            found.push((range_of(op.operand(0), nest)?, size));
            outside.then_some(())
        }
        _ => None,
    }
}

/// The values of an index in a nest.
pub enum Range {
    One(Value),
    /// The first value, which is 0 if absent, and the number of values.
    Several(Option<Value>, Value),
}

/// Returns the range of `index`: an index of the nest or of the sum in it, a value computed outside, or the sum of
/// both.
fn range_of(index: Value, nest: Op) -> Option<Range> {
    if let Some((op, _)) = index.defining_op() {
        if !is_inside(op, nest) {
            return Some(Range::One(index));
        }
        if op.kind() != Kind::ArithAddi {
            return None;
        }
        return match [range_of(op.operand(0), nest)?, range_of(op.operand(1), nest)?] {
            [Range::One(first), Range::Several(None, extent)] | [Range::Several(None, extent), Range::One(first)] => {
                Some(Range::Several(Some(first), extent))
            }
            _ => None,
        };
    }
    let (block, k) = index.block_argument()?;
    let home = block.parent_op()?;
    if is_made_inside(index, nest) {
        let extent = home.operand_segment(0).get(k).copied().filter(|_| home.kind() == Kind::SweepNest)?;
        return Some(Range::Several(None, extent));
    }
    Some(Range::One(index))
}

/// The outer indices on which values depend.
struct Needs<'a> {
    nest: Op,
    sum: Op,
    outer: &'a [Value],
    known: HashMap<Value, Vec<bool>>,
}

impl Needs<'_> {
    /// Returns `None` if the value cannot be recomputed elsewhere: results of loops, or a value that a nest carries.
    fn of(&mut self, value: Value) -> Option<Vec<bool>> {
        if let Some(needs) = self.known.get(&value) {
            return Some(needs.clone());
        }
        let mut needs: Vec<bool> = self.outer.iter().map(|o| *o == value).collect();
        match value.defining_op() {
            Some((op, _)) if is_inside(op, self.nest) => {
                let is_branch = |op: &Op| op.num_regions() == 0 || op.kind() == Kind::ScfIf;
                if !with_nested(op).all(|op| is_branch(&op)) {
                    return None;
                }
                for operand in operands_inside(op) {
                    for (mine, its) in needs.iter_mut().zip(self.of(operand)?) {
                        *mine |= its;
                    }
                }
            }
            Some(_) => {}
            None => {
                let home = value.block().and_then(Block::parent_op)?;
                if is_made_inside(value, self.nest) && home != self.sum && !self.outer.contains(&value) {
                    return None;
                }
            }
        }
        self.known.insert(value, needs.clone());
        Some(needs)
    }
}
