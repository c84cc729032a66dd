//! The names that every lowering uses: the handles of `mlopt_dialects::ir`, the kinds of ops, and builders of
//! scalar arithmetic.

pub use mlopt_dialects::Reported;
pub use mlopt_dialects::ir::*;
pub use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate as Compare, HasKind, Kind, OpName};
pub use mlopt_passes::analysis::edit::{ancestor_in, ancestors, constant, known, with_nested, zero_of};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// A result whose error has been reported at an op.
pub type Result<T, E = Reported> = std::result::Result<T, E>;

/// Builders of scalar code.
pub trait Emit: Copy {
    fn builder(self) -> Builder;

    fn make(self, op: impl Into<OpName>, operands: &[Value], results: &[Type], attributes: &[(&str, Attribute)]) -> Op {
        let op = self.builder().op(op.into()).operands(operands).results(results);
        self.builder().insert(op.attributes(attributes.iter().copied()).build())
    }

    /// Creates an op with one result.
    fn value(self, op: impl Into<OpName>, operands: &[Value], result: Type, attributes: &[(&str, Attribute)]) -> Value {
        self.make(op, operands, &[result], attributes).result(0)
    }

    /// Creates an op whose result has the type of its first operand.
    fn same(self, op: impl Into<OpName>, operands: &[Value]) -> Value {
        self.value(op, operands, operands[0].ty(), &[])
    }

    /// Creates the constant `n` of any scalar type.
    fn number(self, ty: Type, n: i64) -> Value {
        let value = if ty.is_float() { Attribute::float(ty, n as f64) } else { Attribute::integer(ty, n) };
        self.builder().constant(value, ty)
    }

    /// Creates the constant of type `ty`, a scalar or a vector, whose elements are all `value`.
    fn everywhere(self, ty: Type, value: Attribute) -> Value {
        self.builder().constant(if ty.is_vector() { Attribute::splat(ty, value) } else { value }, ty)
    }

    /// Creates the constant of type `ty`, a scalar or a vector, whose elements are all zero.
    fn zeros(self, ty: Type) -> Value {
        self.everywhere(ty, zero_of(ty.scalar()))
    }

    fn compare(self, how: Compare, a: Value, b: Value) -> Value {
        self.builder().compare_integers(how, a, b)
    }

    /// Creates `x + y` of integers.
    fn addi(self, x: Value, y: Value) -> Value {
        self.same(Kind::ArithAddi, &[x, y])
    }

    /// Creates `x - y` of integers.
    fn subi(self, x: Value, y: Value) -> Value {
        self.same(Kind::ArithSubi, &[x, y])
    }

    /// Creates `x · y` of integers.
    fn muli(self, x: Value, y: Value) -> Value {
        self.same(Kind::ArithMuli, &[x, y])
    }

    /// Creates the bitwise conjunction.
    fn andi(self, x: Value, y: Value) -> Value {
        self.same(Kind::ArithAndi, &[x, y])
    }

    /// Creates the lesser of two signed integers.
    fn minsi(self, x: Value, y: Value) -> Value {
        self.same(Kind::ArithMinsi, &[x, y])
    }

    /// Creates the greater of two signed integers.
    fn maxsi(self, x: Value, y: Value) -> Value {
        self.same(Kind::ArithMaxsi, &[x, y])
    }

    /// Creates `x + n` of type `index`.
    fn plus(self, x: Value, n: usize) -> Value {
        self.addi(x, self.builder().index(n as i64))
    }

    /// Creates `x · n` of type `index`.
    fn times(self, x: Value, n: usize) -> Value {
        self.muli(x, self.builder().index(n as i64))
    }

    /// Creates the indices of the element with a row-major number.
    fn position(self, mut number: Value, extents: &[Value]) -> Vec<Value> {
        let mut indices = Vec::new();
        for n in extents.iter().skip(1).rev() {
            indices.push(self.same(Kind::ArithRemui, &[number, *n]));
            number = self.same(Kind::ArithDivui, &[number, *n]);
        }
        indices.extend((!extents.is_empty()).then_some(number));
        indices.reverse();
        indices
    }

    /// Creates the size of an axis of a memref.
    fn size_of(self, memory: Value, axis: usize) -> Value {
        self.value(Kind::MemrefDim, &[memory, self.builder().index(axis as i64)], self.builder().context().index(), &[])
    }

    /// Creates a shuffle: the lanes of two vectors that `mask` selects, with those of `a` numbered first.
    fn shuffle(self, a: Value, b: Value, mask: &[i64]) -> Value {
        let c = self.builder().context();
        // The form in LLVM 19.
        let lanes = c.array_attr(&mask.iter().map(|k| Attribute::integer(c.int(64), *k)).collect::<Vec<_>>());
        self.value(Kind::VectorShuffle, &[a, b], c.vector(mask.len(), a.ty().scalar()), &[("mask", lanes)])
    }

    /// Creates the vector whose lanes are all `x`.
    fn broadcast(self, x: Value, lanes: usize) -> Value {
        self.value(Kind::VectorBroadcast, &[x], self.builder().context().vector(lanes, x.ty()), &[])
    }

    /// Creates the read of an element of a tensor.
    fn read(self, array: Value, at: &[Value]) -> Value {
        self.value(Kind::TensorExtract, &[&[array], at].concat(), array.ty().scalar(), &[])
    }

    /// Creates the read of one lane of a vector.
    fn extract(self, vector: Value, lane: i64) -> Value {
        let position = [("static_position", self.builder().context().i64_array_attr(&[lane]))];
        self.value(Kind::VectorExtract, &[vector], vector.ty().scalar(), &position)
    }

    /// Creates the vector with one lane replaced.
    fn replace_lane(self, vector: Value, lane: i64, x: Value) -> Value {
        let position = [("static_position", self.builder().context().i64_array_attr(&[lane]))];
        self.value(Kind::VectorInsert, &[x, vector], vector.ty(), &position)
    }

    /// Creates an op of the kind of `op`, with its attributes, and with these operands and results.
    fn remake(self, op: Op, operands: &[Value], results: &[Type]) -> Op {
        let new = self.builder().op(op.name()).operands(operands).results(results);
        self.builder().insert(new.attributes(op.attributes()).build())
    }

    /// Inserts a copy of `op` and its regions in which the values of `new` replace old ones. Records the results in
    /// `new`.
    fn copy(self, op: Op, new: &mut HashMap<Value, Value>) -> Op {
        let copy = self.builder().insert(op.clone_op());
        copy.replace_operands(|v| new.get(&v).copied());
        new.extend(std::iter::zip(op.results(), copy.results()));
        copy
    }

    /// Inserts a copy of `op` with other operands.
    fn copy_with(self, op: Op, operands: &[Value]) -> Op {
        let copy = self.builder().insert(op.clone_op());
        copy.set_operands(operands);
        copy
    }
}

impl Emit for Builder {
    fn builder(self) -> Builder {
        self
    }
}

/// Replaces the uses of each value of `old` by the value of `new` at the same position.
pub fn replace_all(old: impl IntoIterator<Item = Value>, new: impl IntoIterator<Item = Value>) {
    std::iter::zip(old, new).for_each(|(old, new)| old.replace_all_uses_with(new));
}

/// Creates a block with arguments of these types.
pub fn block_of(types: impl IntoIterator<Item = Type>, location: Location) -> Block {
    Block::new(&types.into_iter().map(|ty| (ty, location)).collect::<Vec<_>>())
}

/// Creates a block with `count` arguments of type `index`.
pub fn block_of_indices(count: usize, location: Location) -> Block {
    block_of(std::iter::repeat_n(location.context().index(), count), location)
}

/// Creates a function with the attributes of `old` and another body.
pub fn with_body(old: Op, body: Block) -> Op {
    let new = OpBuilder::new(Kind::FuncFunc, old.location()).attributes(old.attributes());
    new.region(Region::with_block(body)).build()
}

/// Moves the ops of `old` except `left` to the end of `new`.
pub fn move_ops(old: Block, left: &[Op], new: Block) {
    for op in old.ops().into_iter().filter(|op| !left.contains(op)) {
        new.append(op.detach());
    }
}

/// Returns the insertion point at the beginning of `block`.
pub fn at_start(block: Block, location: Location) -> Builder {
    match block.first_op() {
        Some(first) => Builder::before(first).at(location),
        None => Builder::at_end(block, location),
    }
}

/// Returns the insertion point after `op`.
pub fn after(op: Op) -> Builder {
    Builder { next: op.next(), ..Builder::before(op) }
}

/// Inserts `op` at the beginning of `block`.
pub fn prepend(block: Block, op: Op) -> Op {
    at_start(block, op.location()).insert(op)
}

/// Returns the block that contains an op of a function.
pub fn enclosing_block(op: Op) -> Block {
    op.block().expect("an op of a function is in a block")
}

/// Returns the block in which a value of a function is defined.
pub fn defining_block(value: Value) -> Block {
    value.block().expect("a value of a function is defined in a block")
}

/// Returns the block that contains the op around `block`, which is inside a function.
pub fn outer_block(block: Block) -> Block {
    enclosing_block(block.parent_op().expect("a block of a function is in an op"))
}

/// Returns the block of region `k` of an op whose region has a block, as the verifier requires.
pub fn block_in(op: Op, k: usize) -> Block {
    op.region(k).first_block().expect("verified: the region has a block")
}

/// Returns the name of a function.
pub fn name_of(function: Op) -> String {
    function.symbol().expect("verified: a function has a name")
}

/// Returns the types of the arguments and results of a `func.func`.
pub fn signature(function: Op) -> (Vec<Type>, Vec<Type>) {
    function.function_type().expect("verified: a function has a function type")
}

/// Returns the size in bytes of one element of an array that has been accepted, or of such a scalar.
pub fn element_bytes(ty: Type) -> usize {
    ty.element().expect("an element type of the array language").bytes()
}

/// Returns the nested ops of this kind.
pub fn nested_of(op: Op, kind: Kind) -> Vec<Op> {
    op.nested_ops().into_iter().filter(|op| op.kind() == kind).collect()
}

/// Returns the ops of this kind that are directly in the regions of `op`.
pub fn children_of(op: Op, kind: Kind) -> Vec<Op> {
    op.child_ops().into_iter().filter(|op| op.kind() == kind).collect()
}

/// Returns the position of `item` in `items`, at whose end it is added if it is missing.
pub fn position_of<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    items.iter().position(|known| *known == item).unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

/// Returns an attribute that lists pairs of texts.
pub fn text_pairs(context: Context, pairs: &[[String; 2]]) -> Attribute {
    context.array_attr(&pairs.iter().map(|pair| context.strings_attr(pair)).collect::<Vec<_>>())
}

/// Checks whether a symbol is `private`, and thus not exported.
pub fn is_private(op: Op) -> bool {
    op.attribute("sym_visibility").and_then(Attribute::as_string).is_some_and(|v| v == "private")
}

/// Returns the operands of `op` and of its nested ops.
pub fn operands_of(op: Op) -> impl Iterator<Item = Value> {
    with_nested(op).flat_map(Op::operands)
}

/// Returns the values defined outside that `op` and its nested ops need.
pub fn operands_inside(op: Op) -> Vec<Value> {
    let inner = op.nested_ops().into_iter().flat_map(Op::operands).filter(|v| !is_made_inside(*v, op));
    op.operands().into_iter().chain(inner).collect()
}

/// Checks whether `op` is in a region of `around`.
pub fn is_inside(op: Op, around: Op) -> bool {
    ancestors(op).any(|p| p == around)
}

/// Checks whether `value` is defined in a region of `around`.
pub fn is_made_inside(value: Value, around: Op) -> bool {
    value.block().and_then(Block::parent_op).is_some_and(|p| p == around || is_inside(p, around))
}

/// Returns the `builtin.module` that `module` owns.
pub fn module_op(module: &melior::ir::Module) -> Op {
    Op::from_raw(module.as_operation().to_raw())
}

/// Returns the items of `open` and those to which `next` leads from them, each once. The last ones come first.
pub fn reached<T: Clone + Eq + Hash>(mut open: Vec<T>, mut next: impl FnMut(&T) -> Vec<T>) -> Vec<T> {
    let (mut seen, mut all) = (HashSet::new(), Vec::new());
    while let Some(item) = open.pop() {
        if seen.insert(item.clone()) {
            open.extend(next(&item));
            all.push(item);
        }
    }
    all
}

/// Checks whether a size is arithmetic on values that an `scf.while` computes.
pub fn is_counted(size: Value) -> bool {
    let maker = |value: &Value| value.defining_op().map(|(op, _)| op);
    let is_arithmetic = |op: &Op| op.num_regions() == 0 && op.kind().dialect() != "tensor";
    let values = reached(vec![size], |value| maker(value).filter(is_arithmetic).map(Op::operands).unwrap_or_default());
    values.iter().filter_map(maker).any(|op| op.kind() == Kind::ScfWhile)
}

/// Returns the vector and the lane from which a scalar is extracted.
pub fn lane_of(v: Value) -> Option<(Value, i64)> {
    let (op, _) = v.defining_op().filter(|(op, _)| op.kind() == Kind::VectorExtract && op.num_operands() == 1)?;
    let at = op.attribute("static_position").and_then(Attribute::as_i64_array)?;
    Some((op.operand(0), *at.first()?))
}

/// Checks whether LLVM supports a `math` op on vectors, or `maths.rs` expands it.
pub fn is_vector_math(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, MathAbsf | MathCeil | MathCopysign | MathFloor | MathFma | MathRsqrt | MathSqrt | MathTrunc)
        || matches!(kind, MathExp | MathExp2 | MathExpm1 | MathLog | MathLog1p | MathLog2 | MathPowf)
        || matches!(kind, MathCos | MathSin | MathTanh)
}

/// Checks whether an op of `arith` is on floats, and gives floats or an `i1`.
pub fn is_float_arithmetic(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, ArithAddf | ArithSubf | ArithMulf | ArithDivf | ArithRemf | ArithNegf | ArithCmpf)
        || matches!(kind, ArithMaximumf | ArithMinimumf | ArithMaxnumf | ArithMinnumf | ArithExtf | ArithTruncf)
}

/// Checks whether an op divides integers, which is undefined for some of them.
pub fn divides_integers(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, ArithDivsi | ArithRemsi | ArithFloordivsi | ArithCeildivsi)
        || matches!(kind, ArithDivui | ArithRemui | ArithCeildivui)
}
