//! Handles to blocks and regions.

use super::super::mlopt_erase_first_arguments;
use super::*;

impl Block {
    /// Creates a detached block.
    pub fn new(arguments: &[(Type, Location)]) -> Block {
        let types: Vec<MlirType> = arguments.iter().map(|(t, _)| t.0).collect();
        let locations: Vec<MlirLocation> = arguments.iter().map(|(_, l)| l.0).collect();
        // SAFETY: the types and locations are valid, and there are as many of each; MLIR copies the lists.
        Block(unsafe { mlirBlockCreate(types.len() as isize, types.as_ptr(), locations.as_ptr()) })
    }

    pub fn num_arguments(self) -> usize {
        // SAFETY: the block is valid.
        unsafe { mlirBlockGetNumArguments(self.0) as usize }
    }

    pub fn argument(self, i: usize) -> Value {
        // SAFETY: the block is valid, and `i` is in range.
        Value(unsafe { mlirBlockGetArgument(self.0, i as isize) })
    }

    pub fn arguments(self) -> Vec<Value> {
        (0..self.num_arguments()).map(|i| self.argument(i)).collect()
    }

    pub fn add_argument(self, ty: Type, location: Location) -> Value {
        // SAFETY: the handles are valid.
        Value(unsafe { mlirBlockAddArgument(self.0, ty.0, location.0) })
    }

    /// Inserts an argument before argument `i`.
    pub fn insert_argument(self, i: usize, ty: Type, location: Location) -> Value {
        // SAFETY: the handles are valid, and `i` is at most the number of arguments.
        Value(unsafe { mlirBlockInsertArgument(self.0, i as isize, ty.0, location.0) })
    }

    pub fn erase_argument(self, i: usize) {
        // SAFETY: the block is valid, and `i` is in range.
        unsafe { mlirBlockEraseArgument(self.0, i as u32) }
    }

    /// Erases the first `n` arguments, which must be unused, in linear time.
    pub fn erase_first_arguments(self, n: usize) {
        assert!(n <= self.num_arguments());
        // SAFETY: the block is valid and has `n` arguments.
        unsafe { mlopt_erase_first_arguments(self.0, n as isize) }
    }

    pub fn first_op(self) -> Option<Op> {
        // SAFETY: the block is valid.
        Op::some(unsafe { mlirBlockGetFirstOperation(self.0) })
    }

    pub fn terminator(self) -> Option<Op> {
        // SAFETY: the block is valid; MLIR returns null if it has no terminator.
        Op::some(unsafe { mlirBlockGetTerminator(self.0) })
    }

    /// Returns the last op of a verified block: its terminator, or an unregistered op, which may be one.
    ///
    /// # Panics
    ///
    /// Panics if the block is empty.
    #[track_caller]
    pub fn end(self) -> Op {
        self.terminator().or_else(|| self.ops().pop()).expect("verified: the block ends in a terminator")
    }

    /// Returns the ops of a verified block before its [`Block::end`], and that op.
    ///
    /// # Panics
    ///
    /// Panics if the block is empty.
    #[track_caller]
    pub fn split_end(self) -> (Vec<Op>, Op) {
        let (mut ops, end) = (self.ops(), self.end());
        ops.pop();
        (ops, end)
    }

    pub fn ops(self) -> Vec<Op> {
        std::iter::successors(self.first_op(), |op| op.next()).collect()
    }

    pub fn parent_op(self) -> Option<Op> {
        // SAFETY: the block is valid; MLIR returns null for a detached block.
        Op::some(unsafe { mlirBlockGetParentOperation(self.0) })
    }

    /// Appends a detached op.
    pub fn append(self, op: Op) -> Op {
        // SAFETY: the handles are valid, and the op is detached, so the block can own it.
        unsafe { mlirBlockAppendOwnedOperation(self.0, op.0) };
        op
    }

    /// Removes the block from its region.
    pub fn detach(self) -> Block {
        // SAFETY: the block is valid and in a region.
        unsafe { mlirBlockDetach(self.0) };
        self
    }

    /// Destroys a detached block and its ops.
    pub fn erase(self) {
        self.ops().into_iter().for_each(erased::record);
        // SAFETY: the block is valid and detached, so nothing else owns it.
        unsafe { mlirBlockDestroy(self.0) }
    }

    pub fn insert_before(self, next: Op, op: Op) -> Op {
        // SAFETY: the handles are valid, `next` is in the block, and `op` is detached.
        unsafe { mlirBlockInsertOwnedOperationBefore(self.0, next.0, op.0) };
        op
    }
}

impl Region {
    /// Creates a detached region, for an [`OpBuilder`].
    pub fn new() -> Region {
        // SAFETY: creation has no preconditions.
        Region(unsafe { mlirRegionCreate() })
    }

    /// Creates a region with this one block.
    pub fn with_block(block: Block) -> Region {
        let region = Region::new();
        region.append(block);
        region
    }

    pub fn append(self, block: Block) {
        // SAFETY: the handles are valid, and the block is detached, so the region can own it.
        unsafe { mlirRegionAppendOwnedBlock(self.0, block.0) }
    }

    pub fn first_block(self) -> Option<Block> {
        // SAFETY: the region is valid.
        Block::some(unsafe { mlirRegionGetFirstBlock(self.0) })
    }

    pub fn blocks(self) -> Vec<Block> {
        // SAFETY: the block is valid, because its region is.
        std::iter::successors(self.first_block(), |b| Block::some(unsafe { mlirBlockGetNextInRegion(b.0) })).collect()
    }
}

impl Default for Region {
    fn default() -> Region {
        Region::new()
    }
}
