//! Handles to values and ops.

use super::super::{
    mlopt_erase, mlopt_has_no_own_effects, mlopt_is_function, mlopt_is_pure, mlopt_is_registered, mlopt_purity,
    mlopt_set_operands, text,
};
use super::*;

/// The condition under which an op has no memory effects and may run speculatively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purity {
    Impure,
    /// The op is pure, whatever its regions contain.
    Pure,
    /// The op is pure if all ops in its regions are.
    OfRegions,
}

impl Value {
    pub fn ty(self) -> Type {
        // SAFETY: the value is valid.
        Type(unsafe { mlirValueGetType(self.0) })
    }

    pub fn set_type(self, ty: Type) {
        // SAFETY: the handles are valid.
        unsafe { mlirValueSetType(self.0, ty.0) }
    }

    /// Returns the op of which this is a result, and the result's number.
    pub fn defining_op(self) -> Option<(Op, usize)> {
        // SAFETY: the value is valid, and the accessors are called for results only.
        unsafe {
            mlirValueIsAOpResult(self.0)
                .then(|| (Op(mlirOpResultGetOwner(self.0)), mlirOpResultGetResultNumber(self.0) as usize))
        }
    }

    /// Returns the block of which this is an argument, and the argument's number.
    pub fn block_argument(self) -> Option<(Block, usize)> {
        // SAFETY: the value is valid, and the accessors are called for block arguments only.
        unsafe {
            mlirValueIsABlockArgument(self.0)
                .then(|| (Block(mlirBlockArgumentGetOwner(self.0)), mlirBlockArgumentGetArgNumber(self.0) as usize))
        }
    }

    /// Returns the innermost block in which this value is visible from its definition on.
    pub fn block(self) -> Option<Block> {
        match self.block_argument() {
            Some((block, _)) => Some(block),
            None => self.defining_op()?.0.block(),
        }
    }

    /// Replaces all uses of this value. The new value also takes the name, if it is the result of an op and has no
    /// name.
    pub fn replace_all_uses_with(self, other: Value) {
        if let Some(name) = self.name()
            && other.defining_op().is_some()
        {
            other.suggest_name(&name);
        }
        // SAFETY: both values are valid.
        unsafe { mlirValueReplaceAllUsesOfWith(self.0, other.0) }
    }

    /// Returns the ops that use this value, with the operand's number.
    pub fn uses(self) -> Vec<(Op, usize)> {
        self.operands_of_users()
            // SAFETY: the use is valid, because the program does not change here.
            .map(|u| unsafe { (Op(mlirOpOperandGetOwner(u)), mlirOpOperandGetOperandNumber(u) as usize) })
            .collect()
    }

    /// Returns the ops that use this value as a lazy iterator, so that a query that the first one decides costs no
    /// more. The program must not change during the iteration.
    pub fn users(self) -> impl Iterator<Item = Op> {
        // SAFETY: the use is valid, because the program does not change during the iteration.
        self.operands_of_users().map(|u| Op(unsafe { mlirOpOperandGetOwner(u) }))
    }

    fn operands_of_users(self) -> impl Iterator<Item = MlirOpOperand> {
        // SAFETY: `u` is a use or null.
        let some = |u: MlirOpOperand| (!unsafe { mlirOpOperandIsNull(u) }).then_some(u);
        // SAFETY: the value is valid.
        std::iter::successors(some(unsafe { mlirValueGetFirstUse(self.0) }), move |&u| {
            // SAFETY: `u` is a use, because `some` drops null, and the program does not change during the iteration.
            some(unsafe { mlirOpOperandGetNextUse(u) })
        })
    }

    pub fn is_unused(self) -> bool {
        // SAFETY: the value is valid.
        unsafe { mlirOpOperandIsNull(mlirValueGetFirstUse(self.0)) }
    }

    /// Checks whether this is an operand exactly once in the whole program.
    pub fn is_used_once(self) -> bool {
        // SAFETY: the value is valid, and the next use is that of a use.
        unsafe {
            let first = mlirValueGetFirstUse(self.0);
            !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first))
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Value({:p}: {})", self.0.ptr, self.ty())
    }
}

impl Op {
    /// Returns the op for a call of MLIR; debug builds check that it was not erased.
    #[track_caller]
    fn live(self) -> MlirOperation {
        erased::check(self);
        self.0
    }

    pub fn context(self) -> Context {
        // SAFETY: the op is valid.
        Context(unsafe { mlirOperationGetContext(self.live()) })
    }

    /// Returns the full name: `array.build`.
    pub fn name(&self) -> &str {
        // SAFETY: the op is valid, and its context owns the name.
        unsafe { to_str(&mlirIdentifierStr(mlirOperationGetName(self.live()))) }
    }

    /// Returns the identity of the kind of op: one address for each registered kind, the same in all contexts, or 0 for
    /// ops that are not registered.
    pub fn type_id(self) -> usize {
        // SAFETY: the op is valid.
        unsafe { mlirOperationGetTypeID(self.live()) }.ptr as usize
    }

    pub fn num_successors(self) -> usize {
        // SAFETY: the op is valid.
        unsafe { mlirOperationGetNumSuccessors(self.live()) as usize }
    }

    /// Returns the block that is successor `i` of a branch.
    pub fn successor(self, i: usize) -> Block {
        // SAFETY: the op is valid, and `i` is in range.
        Block(unsafe { mlirOperationGetSuccessor(self.live(), i as isize) })
    }

    pub fn location(self) -> Location {
        // SAFETY: the op is valid.
        Location(unsafe { mlirOperationGetLocation(self.live()) })
    }

    pub fn num_operands(self) -> usize {
        // SAFETY: the op is valid.
        unsafe { mlirOperationGetNumOperands(self.live()) as usize }
    }

    pub fn operand(self, i: usize) -> Value {
        // SAFETY: the op is valid, and `i` is in range.
        Value(unsafe { mlirOperationGetOperand(self.live(), i as isize) })
    }

    pub fn operands(self) -> Vec<Value> {
        (0..self.num_operands()).map(|i| self.operand(i)).collect()
    }

    pub fn set_operand(self, i: usize, value: Value) {
        // SAFETY: the handles are valid, and `i` is in range.
        unsafe { mlirOperationSetOperand(self.live(), i as isize, value.0) }
    }

    /// Replaces all operands; their number may change.
    pub fn set_operands(self, values: &[Value]) {
        let raw: Vec<MlirValue> = values.iter().map(|v| v.0).collect();
        // SAFETY: the handles are valid, and C++ copies the `raw.len()` values.
        unsafe { mlopt_set_operands(self.live(), raw.len() as isize, raw.as_ptr()) }
    }

    /// Returns the positions of the operands or results of one group, where the attribute `sizes` has the size of each
    /// group.
    pub fn segment(self, sizes: &str, group: usize) -> std::ops::Range<usize> {
        let sizes = self.attribute(sizes).and_then(Attribute::as_i32_array).unwrap_or_default();
        let start: usize = sizes.iter().take(group).map(|&n| n as usize).sum();
        start..start + sizes.get(group).map_or(0, |&n| n as usize)
    }

    /// Returns the operands of one group of an op with `AttrSizedOperandSegments`.
    pub fn operand_segment(self, group: usize) -> Vec<Value> {
        self.segment("operandSegmentSizes", group).map(|i| self.operand(i)).collect()
    }

    pub fn num_results(self) -> usize {
        // SAFETY: the op is valid.
        unsafe { mlirOperationGetNumResults(self.live()) as usize }
    }

    pub fn result(self, i: usize) -> Value {
        // SAFETY: the op is valid, and `i` is in range.
        Value(unsafe { mlirOperationGetResult(self.live(), i as isize) })
    }

    pub fn results(self) -> Vec<Value> {
        (0..self.num_results()).map(|i| self.result(i)).collect()
    }

    pub fn num_regions(self) -> usize {
        // SAFETY: the op is valid.
        unsafe { mlirOperationGetNumRegions(self.live()) as usize }
    }

    pub fn region(self, i: usize) -> Region {
        // SAFETY: the op is valid, and `i` is in range.
        Region(unsafe { mlirOperationGetRegion(self.live(), i as isize) })
    }

    pub fn regions(self) -> Vec<Region> {
        (0..self.num_regions()).map(|i| self.region(i)).collect()
    }

    /// Returns the first block of the first region: the body of loops and functions. `None` for a declaration.
    pub fn body(self) -> Option<Block> {
        if self.num_regions() == 0 { None } else { self.region(0).first_block() }
    }

    /// Returns the block that [`Op::body`] returns, where the verifier or an earlier check guarantees it.
    ///
    /// # Panics
    ///
    /// Panics if the op has no block.
    #[track_caller]
    pub fn entry(self) -> Block {
        self.body().expect("verified: the op has a body")
    }

    pub fn attribute(self, name: &str) -> Option<Attribute> {
        // SAFETY: the op is valid, and MLIR only compares the name.
        Attribute::some(unsafe { mlirOperationGetAttributeByName(self.live(), text(name)) })
    }

    pub fn set_attribute(self, name: &str, value: Attribute) {
        // SAFETY: the handles are valid, and MLIR copies the name.
        unsafe { mlirOperationSetAttributeByName(self.live(), text(name), value.0) }
    }

    pub fn remove_attribute(self, name: &str) {
        // SAFETY: the op is valid, and MLIR only compares the name.
        unsafe { mlirOperationRemoveAttributeByName(self.live(), text(name)) };
    }

    /// Returns all attributes, including inherent ones, by name.
    pub fn attributes(self) -> Vec<(String, Attribute)> {
        // SAFETY: the op is valid.
        (0..unsafe { mlirOperationGetNumAttributes(self.live()) })
            // SAFETY: the op is valid, `i` is less than the number of attributes, and the context owns the names.
            .map(|i| unsafe {
                let named = mlirOperationGetAttribute(self.live(), i);
                (to_str(&mlirIdentifierStr(named.name)).to_string(), Attribute(named.attribute))
            })
            .collect()
    }

    pub fn block(self) -> Option<Block> {
        // SAFETY: the op is valid; MLIR returns null for a detached op.
        Block::some(unsafe { mlirOperationGetBlock(self.live()) })
    }

    pub fn parent_op(self) -> Option<Op> {
        // MLIR's accessor aborts on a detached op.
        self.block()?;
        // SAFETY: the op is valid, and in a block.
        Op::some(unsafe { mlirOperationGetParentOperation(self.live()) })
    }

    pub fn next(self) -> Option<Op> {
        // SAFETY: the op is valid.
        Op::some(unsafe { mlirOperationGetNextInBlock(self.live()) })
    }

    pub fn move_before(self, other: Op) {
        // SAFETY: both ops are valid, and in blocks.
        unsafe { mlirOperationMoveBefore(self.live(), other.0) }
    }

    /// Returns the text of an op that is known to be valid, such as a program that was just parsed: printing it
    /// verifies nothing.
    pub fn valid_text(self) -> String {
        // SAFETY: the op is valid, the flags are destroyed once, and MLIR calls back only during the call.
        printed(|append, data| unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsAssumeVerified(flags);
            mlirOperationPrintWithFlags(self.live(), flags, append, data);
            mlirOpPrintingFlagsDestroy(flags);
        })
    }

    /// Removes the op from its block; the caller inserts it into another.
    pub fn detach(self) -> Op {
        // SAFETY: the op is valid.
        unsafe { mlirOperationRemoveFromParent(self.live()) };
        self
    }

    /// Replaces the results by these values, one each, and erases the op.
    pub fn replace_with(self, values: impl IntoIterator<Item = Value>) {
        for (old, new) in self.results().into_iter().zip(values) {
            old.replace_all_uses_with(new);
        }
        self.erase();
    }

    /// Replaces those operands of this op, and of its nested ops, for which `by` returns a value.
    pub fn replace_operands(self, by: impl Fn(Value) -> Option<Value>) {
        for op in std::iter::once(self).chain(self.nested_ops()) {
            for (k, operand) in op.operands().into_iter().enumerate() {
                if let Some(new) = by(operand) {
                    op.set_operand(k, new);
                }
            }
        }
    }

    /// Removes the op from its block and destroys it. Its results must be unused.
    pub fn erase(self) {
        erased::record(self);
        // SAFETY: the op is valid and its results are unused; nothing uses its handle afterwards.
        unsafe { mlopt_erase(self.0) }
    }

    /// Creates a detached copy, including regions, with the same operands.
    pub fn clone_op(self) -> Op {
        // SAFETY: the op is valid.
        let copy = Op(unsafe { mlirOperationClone(self.live()) });
        erased::forget(copy);
        copy
    }

    /// Returns the name of a symbol.
    pub fn symbol(self) -> Option<String> {
        self.attribute("sym_name").and_then(Attribute::as_string)
    }

    /// Returns the name of the function that an op calls, or to which it refers.
    pub fn callee(self) -> Option<String> {
        self.attribute("callee").and_then(Attribute::as_symbol)
    }

    /// Returns the symbol `name` of this symbol table, by linear search. This is for a single look-up; a pass creates
    /// [`Symbols`] once.
    pub fn lookup(self, name: &str) -> Option<Op> {
        let ops = std::iter::successors(self.body()?.first_op(), |op| op.next());
        let mut named = ops.map(|op| (op, op.attribute("sym_name")));
        named.find(|(_, symbol)| symbol.is_some_and(|s| s.is_string(name))).map(|(op, _)| op)
    }

    /// Returns the `builtin.module` around this op.
    pub fn module(self) -> Option<Op> {
        let mut op = self;
        while !op.is_module() {
            op = op.parent_op()?;
        }
        Some(op)
    }

    /// Checks whether this is a `builtin.module`.
    pub fn is_module(self) -> bool {
        // SAFETY: the op is valid.
        !unsafe { mlirModuleFromOperation(self.live()) }.ptr.is_null()
    }

    /// Checks whether this is a `func.func`.
    pub fn is_function(self) -> bool {
        // SAFETY: the op is valid.
        unsafe { mlopt_is_function(self.live()) }
    }

    /// Returns the argument and result types of a `func.func`.
    pub fn function_type(self) -> Option<(Vec<Type>, Vec<Type>)> {
        self.attribute("function_type")?.as_type()?.signature()
    }

    /// Returns the types that [`Op::function_type`] returns, where the verifier or an earlier check guarantees them.
    ///
    /// # Panics
    ///
    /// Panics if the op is not a function.
    #[track_caller]
    pub fn signature(self) -> (Vec<Type>, Vec<Type>) {
        self.function_type().expect("verified: the op is a function")
    }

    /// Checks whether an operand was erased, as happens while `mlir-reduce` deletes ops.
    pub fn has_erased_operand(self) -> bool {
        (0..self.num_operands()).any(|k| self.operand(k).raw().ptr.is_null())
    }

    /// Checks that the op and its regions have no memory effects, and that it is safe to run speculatively.
    pub fn is_pure(self) -> bool {
        // SAFETY: the op is valid.
        unsafe { mlopt_is_pure(self.live()) }
    }

    /// Returns what decides whether the op is pure, without a traversal of its regions.
    pub fn purity(self) -> Purity {
        // SAFETY: the op is valid.
        match unsafe { mlopt_purity(self.live()) } {
            0 => Purity::Impure,
            1 => Purity::Pure,
            _ => Purity::OfRegions,
        }
    }

    /// Checks that the op has no memory effects except those of the ops in its regions.
    pub fn has_no_own_effects(self) -> bool {
        // SAFETY: the op is valid.
        unsafe { mlopt_has_no_own_effects(self.live()) }
    }

    /// Checks whether the op is registered and its dialect is loaded.
    pub fn is_registered(self) -> bool {
        // SAFETY: the op is valid.
        unsafe { mlopt_is_registered(self.live()) }
    }

    /// Verifies this op and its nested ops, and reports errors.
    pub fn verify(self) -> bool {
        // SAFETY: the op is valid.
        unsafe { mlirOperationVerify(self.live()) }
    }

    /// Returns the generic text, in which values have numbers instead of names, with or without locations.
    pub fn generic_text(self, with_locations: bool) -> String {
        // SAFETY: the op is valid, the flags are destroyed once, and MLIR calls back only during the call.
        printed(|append, data| unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsPrintGenericOpForm(flags);
            mlirOpPrintingFlagsEnableDebugInfo(flags, with_locations, false);
            mlirOperationPrintWithFlags(self.live(), flags, append, data);
            mlirOpPrintingFlagsDestroy(flags);
        })
    }

    /// Returns the text with every location inline.
    pub fn with_locations(self) -> String {
        // SAFETY: the op is valid, the flags are destroyed once, and MLIR calls back only during the call.
        unsafe {
            let flags = mlirOpPrintingFlagsCreate();
            mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
            mlirOpPrintingFlagsUseLocalScope(flags);
            let text = printed(|c, d| mlirOperationPrintWithFlags(self.live(), flags, c, d));
            mlirOpPrintingFlagsDestroy(flags);
            text
        }
    }

    /// Returns all ops nested in this one, each before the ops in its regions, in order. The traversal is iterative, so
    /// nesting may be deep.
    pub fn nested_ops(self) -> Vec<Op> {
        let mut found = Vec::new();
        let mut stack: Vec<Op> = self.child_ops();
        stack.reverse();
        while let Some(op) = stack.pop() {
            found.push(op);
            if op.num_regions() > 0 {
                let mut children = op.child_ops();
                children.reverse();
                stack.extend(children);
            }
        }
        found
    }

    /// Returns the ops directly in this op's regions.
    pub fn child_ops(self) -> Vec<Op> {
        self.blocks().into_iter().flat_map(Block::ops).collect()
    }

    /// Returns the blocks of this op's regions.
    pub fn blocks(self) -> Vec<Block> {
        self.regions().into_iter().flat_map(Region::blocks).collect()
    }
}

impl fmt::Display for Op {
    /// Prints the op. Never use this in a verifier: printing verifies.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // SAFETY: the op is valid, and MLIR calls back only during the call.
        f.write_str(&printed(|c, d| unsafe { mlirOperationPrint(self.0, c, d) }))
    }
}
