//! Positions of arrays in memory: buffers, rows and parts of buffers, and views, which have other sizes than the array
//! whose memory they show.

use super::Plan;
use super::arena::dynamic;
use super::groups::Home;
use crate::ir::*;
use mlopt_dialects::ops::memref;

/// The part of a buffer that contains an array: the buffer, leading indices, and a start row.
#[derive(Clone, PartialEq)]
pub struct BufferSlice {
    pub buffer: Value,
    leading: Vec<Value>,
    first: Option<Value>,
}

impl BufferSlice {
    pub fn of(buffer: Value) -> BufferSlice {
        BufferSlice { buffer, leading: Vec::new(), first: None }
    }

    pub fn load(&self, b: Builder, indices: &[Value]) -> Value {
        let operands = [&[self.buffer], self.position(b, indices).as_slice()].concat();
        b.value(Kind::MemrefLoad, &operands, self.buffer.ty().scalar(), &[])
    }

    pub fn store(&self, b: Builder, value: Value, indices: &[Value]) {
        b.make(Kind::MemrefStore, &[&[value, self.buffer], self.position(b, indices).as_slice()].concat(), &[], &[]);
    }

    pub fn add(&self, b: Builder, value: Value, indices: &[Value]) {
        b.make(Kind::SweepAdd, &[&[value, self.buffer], self.position(b, indices).as_slice()].concat(), &[], &[]);
    }

    /// Returns the subarray at these indices.
    pub fn at(&self, b: Builder, indices: &[Value]) -> BufferSlice {
        if indices.is_empty() {
            return self.clone();
        }
        BufferSlice { buffer: self.buffer, leading: self.position(b, indices), first: None }
    }

    /// Returns the rows from this one on.
    pub fn from(&self, b: Builder, row: Value) -> BufferSlice {
        let first = match self.first {
            Some(first) => b.addi(first, row),
            None => row,
        };
        BufferSlice { first: Some(first), ..self.clone() }
    }

    /// Checks whether the buffer and the position in it are values of `block` itself.
    fn is_in(&self, block: Block) -> bool {
        let values = [self.buffer].into_iter().chain(self.leading.iter().copied()).chain(self.first);
        values.into_iter().all(|v| v.block() == Some(block))
    }

    /// Returns the indices in the buffer of the element with these indices.
    fn position(&self, b: Builder, indices: &[Value]) -> Vec<Value> {
        let mut position = self.leading.clone();
        position.extend(indices);
        if let (Some(first), Some(i)) = (self.first, position.get_mut(self.leading.len())) {
            *i = b.same(Kind::ArithAddi, &[first, *i]);
        }
        position
    }
}

impl Plan<'_> {
    /// Records that the group of `value` is in `buffer`, which has the sizes of `value`.
    pub(super) fn set_home(&mut self, value: Value, buffer: Value) {
        let group = self.groups.group(value);
        let shape = self.groups.shape(value);
        self.homes.insert(group, (shape, BufferSlice::of(buffer)));
    }

    /// Assigns memory to a group, from `b` until the op at the position `until` of a block is complete: in the arena if
    /// its size is known at the entry, otherwise in a separate allocation.
    pub(super) fn place_group(&mut self, group: usize, until: (Block, usize), user: Op, b: Builder) -> Result<()> {
        for member in self.groups.members(group).to_vec() {
            if let Some(sizes) = self.entry_sizes(member, user)? {
                let buffer = self.arena.place(member.ty(), &sizes, Some(until), b.at(user.location()));
                self.set_home(member, buffer);
                if self.arena.is_private() {
                    self.create_views(group, b)?;
                }
                return Ok(());
            }
        }
        for member in self.groups.members(group).to_vec() {
            let sizes = (0..member.ty().rank()).map(|axis| self.known_size(member, axis, b));
            if let Some(sizes) = sizes.collect::<Option<Vec<_>>>() {
                let buffer = self.allocate(member, &sizes, user, b)?;
                self.allocated.push((until, buffer));
                self.set_home(member, buffer);
                return self.create_views(group, b);
            }
        }
        Err(user.not_supported("the sizes of an array must be known before it is computed"))
    }

    /// Creates all views of the memory of a group that is not available at the entry. Otherwise a view that one region
    /// creates would not be visible in another one that needs it.
    pub(super) fn create_views(&mut self, group: usize, b: Builder) -> Result<()> {
        for value in self.groups.tree(group) {
            self.slice_of(value, b)?;
        }
        Ok(())
    }

    /// Returns separate memory for a copy of `value`: in the arena until the end of the block that is being emitted, or
    /// in a buffer, which is returned too, and which the caller of this function frees.
    pub(super) fn scratch(&mut self, value: Value, user: Op, b: Builder) -> Result<(BufferSlice, Option<Value>)> {
        if let Some(sizes) = self.entry_sizes(value, user)? {
            return Ok((BufferSlice::of(self.arena.place(value.ty(), &sizes, None, b.at(user.location()))), None));
        }
        let sizes = self.sizes_at(value, user, b)?;
        let buffer = self.allocate(value, &sizes, user, b)?;
        Ok((BufferSlice::of(buffer), Some(buffer)))
    }

    /// Allocates memory whose size is known only at `b`.
    fn allocate(&mut self, like: Value, sizes: &[Value], user: Op, b: Builder) -> Result<Value> {
        if self.threads > 0 {
            return Err(user.not_supported("on a device, the sizes of an array must not depend on data"));
        }
        let ty = like.ty();
        self.allocates = true;
        let memref = self.ctx.memref(&ty.shape(), ty.scalar());
        Ok(memref::Alloc::create(b.at(user.location()), &dynamic(ty, sizes), &[], memref).memref())
    }

    /// Frees the separate allocations that no op of `block` needs from `position` on.
    pub(super) fn free_dead(&mut self, block: Block, position: usize, b: Builder) {
        let dead = |((home, last), _): &((Block, usize), Value)| *home == block && *last < position;
        let (dead, kept) = self.allocated.drain(..).partition(dead);
        self.allocated = kept;
        for (_, buffer) in dead {
            b.make(Kind::MemrefDealloc, &[buffer], &[], &[]);
        }
    }

    /// Returns the memory of `value`, which need not have been computed yet.
    pub(super) fn slice_of(&mut self, value: Value, b: Builder) -> Result<BufferSlice> {
        let group = self.groups.group(value);
        let shape = self.groups.shape(value);
        if let Some(slice) = self.views.get(&(group, shape)) {
            return Ok(slice.clone());
        }
        let (first, slice) = match self.homes.get(&group) {
            Some(home) => home.clone(),
            None => {
                let Home::Part(join, k) = self.groups.home(group) else {
                    let text = "internal error: plan-memory: an array is used before its memory is decided";
                    return Err(self.old.error(text).emit());
                };
                let slice = self.part(join, k, b)?;
                let home = (self.groups.shape(join.operand_segment(0)[k]), slice);
                self.homes.insert(group, home.clone());
                home
            }
        };
        if first == shape {
            return Ok(slice);
        }
        let view = self.view(&slice, value, b)?;
        self.views.insert((group, shape), view.clone());
        Ok(view)
    }

    /// Returns the memory of part `k` of the result of `join`.
    fn part(&mut self, join: Op, k: usize, b: Builder) -> Result<BufferSlice> {
        // Values at the entry are visible wherever the part is computed. The positions of parts of rows and of private
        // memory are computed at `b`, which is the start of the iteration.
        let root = self.groups.root_of(self.groups.group(join.result(0)));
        let at_entry = self.homes.get(&root).is_none_or(|(_, slice)| slice.is_in(self.entry));
        let b = if at_entry { Builder::at_end(self.entry, join.location()) } else { b };
        let whole = self.slice_of(join.result(0), b)?;
        let parts = join.operand_segment(0);
        if k == 0 && !is_row(parts[0], join) {
            return Ok(whole);
        }
        let mut row = b.index(0);
        for part in &parts[..k] {
            let rows = if is_row(*part, join) { b.index(1) } else { self.sizes_at(*part, join, b)?[0] };
            row = b.addi(row, rows);
        }
        Ok(if is_row(parts[k], join) { whole.at(b, &[row]) } else { whole.from(b, row) })
    }

    /// Returns the memory of `slice` with the sizes of `value`; its rows are contiguous.
    fn view(&mut self, slice: &BufferSlice, value: Value, b: Builder) -> Result<BufferSlice> {
        let entry = Builder::at_end(self.entry, b.location);
        let b = if slice.is_in(self.entry) { entry } else { b };
        let (sizes, at) = match self.entry_sizes(value, self.old)? {
            Some(sizes) => (sizes, entry),
            None => (self.sizes_at(value, self.old, b)?, b),
        };
        let ty = value.ty();
        let shape = ty.shape();
        let whole = slice.leading.is_empty() && slice.first.is_none();
        let offset = if whole { None } else { Some(self.offset(slice, entry, b)) };

        // A stride is known if all sizes after it are.
        let mut strides = vec![(Some(1), None)];
        for k in (1..shape.len()).rev() {
            let (known, value) = strides[strides.len() - 1];
            let next = known.zip(shape[k]).map(|(s, n): (usize, usize)| s * n);
            // Only the last stride, which is 1, has no value.
            let value = value.unwrap_or_else(|| at.index(1));
            strides.push((next, Some(at.muli(value, sizes[k]))));
        }
        strides.truncate(shape.len());
        strides.reverse();

        let numbers = |all: &[Dim]| all.iter().map(|n| n.map_or(i64::MIN, |n| n as i64)).collect::<Vec<_>>();
        let given = |known: &[Option<usize>], values: Vec<Value>| -> Vec<Value> {
            known.iter().zip(values).filter(|(n, _)| n.is_none()).map(|(_, v)| v).collect()
        };
        let known_strides: Vec<Option<usize>> = strides.iter().map(|(n, _)| *n).collect();
        let stride_values = strides.iter().map(|(_, v)| v.unwrap_or(sizes[0])).collect();
        let result = match offset {
            None => self.ctx.memref(&shape, ty.scalar()),
            Some(_) => strided(self.ctx, &shape, ty.scalar(), &known_strides),
        };
        let view = memref::ReinterpretCast::create(
            b,
            slice.buffer,
            &Vec::from_iter(offset),
            &given(&shape, sizes.clone()),
            &given(&known_strides, stride_values),
            &numbers(&[if whole { Some(0) } else { None }]),
            &numbers(&shape),
            &numbers(&known_strides),
            result,
        );
        Ok(BufferSlice::of(view.result()))
    }

    /// Returns the number of elements of the buffer before the first one of `slice`.
    fn offset(&self, slice: &BufferSlice, entry: Builder, b: Builder) -> Value {
        let mut offset = entry.index(0);
        for (k, n) in slice.buffer.ty().shape().into_iter().enumerate() {
            let n = match n {
                Some(n) => entry.index(n as i64),
                None => {
                    let axis = entry.index(k as i64);
                    let b = if slice.buffer.block() == Some(self.entry) { entry } else { b };
                    b.value(Kind::MemrefDim, &[slice.buffer, axis], self.ctx.index(), &[])
                }
            };
            let start = if k == slice.leading.len() { slice.first } else { None };
            let index = slice.leading.get(k).copied().or(start);
            offset = b.muli(offset, n);
            if let Some(index) = index {
                offset = b.addi(offset, index);
            }
        }
        offset
    }
}

/// Checks whether a part of `join` is a single row.
pub(super) fn is_row(part: Value, join: Op) -> bool {
    part.ty().rank() < join.result(0).ty().rank()
}

/// Returns the type of a part of a buffer with an arbitrary offset.
fn strided(ctx: Context, shape: &[Dim], element: Type, strides: &[Option<usize>]) -> Type {
    let text = |n: &Option<usize>| n.map_or("?".to_string(), |n| n.to_string());
    let sizes: String = shape.iter().map(|n| format!("{}x", text(n))).collect();
    let strides: Vec<String> = strides.iter().map(text).collect();
    let source = format!("memref<{sizes}{element}, strided<[{}], offset: ?>>", strides.join(", "));
    ctx.parse_type(&source).unwrap_or_else(|| panic!("internal error: type `{source}`"))
}
