//! Operations and regions.
//!
//! The artifact numbers the values of a region from the number of values around it. A region that is isolated from
//! above starts at 0; it is a section of its own from version 2 on, so that readers may skip it.

use crate::container::{Container, Reader};
use crate::error::Error;
use crate::ir::{Attribute, Block, Module, NamedAttribute, Op, Region, Type, Value};
use crate::legalize::{self, Parent};
use crate::ops;
use crate::section::Section;
use crate::shape::Shape;
use crate::tables::{OpName, Tables};
use std::sync::Arc;

/// The limit on the nesting of regions.
const MAX_DEPTH: usize = 64;

/// Sharing may give operations this many attributes, and integers in attributes, for each byte of the artifact.
const EXPANSION: usize = 8;
/// Operations may have this many more attributes and integers in attributes.
const MIN_BUDGET: usize = 1 << 16;

/// The parts that the encoding of an operation has.
const HAS_ATTRIBUTES: u8 = 0x01;
const HAS_RESULTS: u8 = 0x02;
const HAS_OPERANDS: u8 = 0x04;
const HAS_SUCCESSORS: u8 = 0x08;
const HAS_REGIONS: u8 = 0x10;
const HAS_USE_LIST_ORDERS: u8 = 0x20;
const HAS_PROPERTIES: u8 = 0x40;
const KNOWN_PARTS: u8 = 0x7F;

/// The versions of the container that introduced features.
const ISOLATED_SECTIONS: u64 = 2;
const USE_LIST_ORDERS: u64 = 3;
const OPTIONAL_ARGUMENT_LOCATIONS: u64 = 4;
const PROPERTIES: u64 = 5;

/// A number of a value in the artifact: the value and its type, once it is defined.
type Slot = Option<(Value, Arc<Type>)>;

/// The values of a region and of the regions around it up to one that is isolated from above.
#[derive(Debug, Default)]
struct Scope {
    slots: Vec<Slot>,
    /// For each open region, the number of the next value that it defines.
    next: Vec<usize>,
}

/// The state of reading operations.
struct Body<'t, 'a> {
    tables: &'t mut Tables<'a>,
    scopes: Vec<Scope>,
    values: u32,
    depth: usize,
    /// The number of attributes and integers in attributes that operations may still have.
    budget: usize,
    /// The limit on the number of values of open regions.
    max_values: usize,
}

/// Reads the module.
pub(crate) fn read<'a>(tables: &mut Tables<'a>, container: &Container<'a>) -> Result<Module, Error> {
    let mut reader = container.required(Section::Ir)?;
    let mut body = Body {
        tables,
        scopes: vec![Scope { slots: Vec::new(), next: vec![0] }],
        values: 0,
        depth: 0,
        budget: container.len().saturating_mul(EXPANSION).saturating_add(MIN_BUDGET),
        max_values: container.len(),
    };
    let mut block = body.block(&mut reader, Parent::Other, 0)?;
    reader.finish("the IR section")?;
    match (block.ops.pop(), block.ops.is_empty()) {
        (Some(op), true) if op.is_module() => Ok(Module { op }),
        _ => Err(reader.malformed("one `builtin.module`", "other operations")),
    }
}

impl<'a> Body<'_, 'a> {
    /// Reads a block of a region with `blocks` blocks.
    fn block(&mut self, reader: &mut Reader<'a>, parent: Parent, blocks: usize) -> Result<Block, Error> {
        let (count, has_arguments) = reader.flagged()?;
        let count = reader.check_count(count, "operations")?;
        let arguments = if has_arguments { self.arguments(reader)? } else { Vec::new() };
        let mut ops = Vec::new();
        for _ in 0..count {
            ops.extend(self.op(reader, parent, blocks)?);
        }
        Ok(Block { arguments, ops })
    }

    /// Reads the arguments of a block.
    fn arguments(&mut self, reader: &mut Reader<'a>) -> Result<Vec<(Value, Arc<Type>)>, Error> {
        let count = reader.count("arguments")?;
        let mut arguments = Vec::with_capacity(count);
        for _ in 0..count {
            let ty = if self.tables.version >= OPTIONAL_ARGUMENT_LOCATIONS {
                let (ty, has_location) = reader.flagged()?;
                let ty = self.tables.type_at(ty, reader)?;
                if has_location {
                    self.tables.location(reader)?;
                }
                ty
            } else {
                let ty = self.tables.ty(reader)?;
                self.tables.location(reader)?;
                ty
            };
            arguments.push((self.define(&ty, reader)?, ty));
        }
        if self.tables.version >= USE_LIST_ORDERS && reader.byte()? != 0 {
            skip_use_list_orders(reader, count)?;
        }
        Ok(arguments)
    }

    /// Reads an operation in a region with `blocks` blocks, or nothing for a conversion that our types do not need.
    fn op(&mut self, reader: &mut Reader<'a>, parent: Parent, blocks: usize) -> Result<Option<Op>, Error> {
        let start = *reader;
        let name = self.tables.ops[reader.index(self.tables.ops.len(), "names of operations")?];
        let shape = ops::find(name.dialect, name.name).ok_or_else(|| unknown_op(&start, name))?;
        let mask = reader.byte()?;
        if mask & !KNOWN_PARTS != 0 {
            return Err(reader.malformed("known parts of an operation", format!("the mask {mask:02X}")));
        }
        let location = self.tables.location(reader)?;
        let mut attributes = if mask & HAS_ATTRIBUTES != 0 { self.attributes(reader)? } else { Vec::new() };
        if mask & HAS_PROPERTIES != 0 {
            self.properties(reader, name, &shape, &mut attributes)?;
        }
        let mut op = Op {
            name: String::new(),
            operands: Vec::new(),
            operand_types: Vec::new(),
            results: if mask & HAS_RESULTS != 0 { self.results(reader)? } else { Vec::new() },
            inherent: Vec::new(),
            discardable: Vec::new(),
            successors: Vec::new(),
            regions: Vec::new(),
            location,
        };
        if mask & HAS_OPERANDS != 0 {
            self.operands(reader, &mut op)?;
        }
        if mask & HAS_SUCCESSORS != 0 {
            let count = reader.count("successors")?;
            op.successors = (0..count).map(|_| reader.index(blocks, "blocks")).collect::<Result<_, Error>>()?;
        }
        if mask & HAS_USE_LIST_ORDERS != 0 {
            skip_use_list_orders(reader, op.results.len())?;
        }
        legalize::op(&mut op, name, &shape, attributes, parent)?;
        self.spend(&op, reader)?;
        if mask & HAS_REGIONS != 0 {
            let parent = Parent::of(&op);
            op.regions = self.regions(reader, parent)?;
        }
        Ok((!self.is_identity(name, &op)).then_some(op))
    }

    /// Checks whether `op` converts a type of VHLO to the same type of another dialect, and replaces its result.
    fn is_identity(&mut self, name: OpName<'a>, op: &Op) -> bool {
        if name.name != "unrealized_conversion_cast" {
            return false;
        }
        let ([operand], [from], [(_, to)]) = (&op.operands[..], &op.operand_types[..], &op.results[..]) else {
            return false;
        };
        // The result is the value that was defined last.
        let scope = self.scope();
        let last = scope.next.last().and_then(|next| scope.slots.get_mut(next.checked_sub(1)?));
        match last {
            Some(Some((value, _))) if from == to => *value = *operand,
            _ => return false,
        }
        true
    }

    /// Subtracts the attributes of `op` from the budget.
    fn spend(&mut self, op: &Op, reader: &Reader<'a>) -> Result<(), Error> {
        let attributes = op.inherent.iter().chain(&op.discardable);
        let cost = attributes.map(|(_, value)| value.own_size() + 1).sum();
        match self.budget.checked_sub(cost) {
            Some(rest) => self.budget = rest,
            None => return Err(reader.limit("the number of attributes of operations per byte", EXPANSION)),
        }
        Ok(())
    }

    /// Reads the attributes of an operation outside of its properties.
    fn attributes(&mut self, reader: &mut Reader<'a>) -> Result<Vec<NamedAttribute>, Error> {
        match &*self.tables.attribute(reader)? {
            Attribute::Dictionary(entries) => Ok(entries.clone()),
            _ => Err(reader.malformed("a dictionary of attributes", "another attribute")),
        }
    }

    /// Reads the properties of an operation: its inherent attributes in ascending order of their names.
    fn properties(
        &mut self,
        reader: &mut Reader<'a>,
        name: OpName<'a>,
        shape: &Shape,
        attributes: &mut Vec<NamedAttribute>,
    ) -> Result<(), Error> {
        if self.tables.version < PROPERTIES {
            return Err(reader.malformed("no properties before version 5", "properties"));
        }
        let mut content = self.tables.properties(reader)?;
        if !name.registered {
            attributes.extend(self.attributes(&mut content)?);
        } else {
            for property in shape.properties {
                if property.optional {
                    let value = self.tables.optional_attribute(&mut content)?;
                    attributes.extend(value.map(|value| (property.name.into(), value)));
                } else {
                    attributes.push((property.name.into(), self.tables.attribute(&mut content)?));
                }
            }
        }
        content.finish("the properties of an operation")
    }

    /// Reads the types of the results of an operation and defines them.
    fn results(&mut self, reader: &mut Reader<'a>) -> Result<Vec<(Value, Arc<Type>)>, Error> {
        let count = reader.count("results")?;
        let mut results = Vec::with_capacity(count);
        for _ in 0..count {
            let ty = self.tables.ty(reader)?;
            results.push((self.define(&ty, reader)?, ty));
        }
        Ok(results)
    }

    /// Reads the operands of an operation.
    fn operands(&mut self, reader: &mut Reader<'a>, op: &mut Op) -> Result<(), Error> {
        for _ in 0..reader.count("operands")? {
            let scope = self.scope();
            let index = reader.index(scope.slots.len(), "values")?;
            let Some((value, ty)) = &scope.slots[index] else {
                return Err(reader.malformed("an operand that is defined before its use", "a forward reference"));
            };
            op.operands.push(*value);
            op.operand_types.push(ty.clone());
        }
        Ok(())
    }

    /// Reads the regions of an operation.
    fn regions(&mut self, reader: &mut Reader<'a>, parent: Parent) -> Result<Vec<Region>, Error> {
        if self.depth >= MAX_DEPTH {
            return Err(reader.limit("nesting of regions", MAX_DEPTH));
        }
        let (count, isolated) = reader.flagged()?;
        let count = reader.check_count(count, "regions")?;
        self.depth += 1;
        let regions = if isolated {
            self.scopes.push(Scope::default());
            let regions = self.isolated_regions(reader, parent, count)?;
            self.scopes.pop();
            regions
        } else {
            self.region_list(reader, parent, count)?
        };
        self.depth -= 1;
        Ok(regions)
    }

    /// Reads regions that are isolated from above.
    fn isolated_regions(
        &mut self,
        reader: &mut Reader<'a>,
        parent: Parent,
        count: usize,
    ) -> Result<Vec<Region>, Error> {
        if self.tables.version < ISOLATED_SECTIONS {
            return self.region_list(reader, parent, count);
        }
        let (section, mut content) = reader.section()?;
        if section != Section::Ir {
            return Err(reader.malformed("an IR section", format!("{section} section")));
        }
        let regions = self.region_list(&mut content, parent, count)?;
        content.finish("the IR section of an operation")?;
        Ok(regions)
    }

    /// Reads `count` regions.
    fn region_list(&mut self, reader: &mut Reader<'a>, parent: Parent, count: usize) -> Result<Vec<Region>, Error> {
        let mut regions = Vec::new();
        for _ in 0..count {
            regions.push(self.region(reader, parent)?);
        }
        Ok(regions)
    }

    /// Reads a region.
    fn region(&mut self, reader: &mut Reader<'a>, parent: Parent) -> Result<Region, Error> {
        let count = reader.count("blocks")?;
        if count == 0 {
            return Ok(Region::default());
        }
        let values = reader.count("values")?;
        // Each value takes at least one byte of its own.
        let open: usize = self.scopes.iter().map(|scope| scope.slots.len()).sum();
        if values > self.max_values.saturating_sub(open) {
            return Err(
                reader.malformed(format!("at most {} values in nested regions", self.max_values), open + values)
            );
        }
        let scope = self.scope();
        let first = scope.slots.len();
        scope.next.push(first);
        scope.slots.resize(first + values, None);
        let mut blocks = Vec::new();
        for _ in 0..count {
            blocks.push(self.block(reader, parent, count)?);
        }
        let scope = self.scope();
        scope.slots.truncate(first);
        scope.next.pop();
        Ok(Region { blocks })
    }

    /// Returns the values that operations may use.
    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the scope of the module stays")
    }

    /// Defines the next value of the current region.
    fn define(&mut self, ty: &Arc<Type>, reader: &Reader<'a>) -> Result<Value, Error> {
        let value = Value(self.values);
        self.values =
            self.values.checked_add(1).ok_or_else(|| reader.limit("the number of values", u32::MAX as usize))?;
        let scope = self.scope();
        let Some(slot) = scope.next.last_mut().and_then(|next| {
            *next += 1;
            scope.slots.get_mut(*next - 1)
        }) else {
            return Err(reader.malformed("as many values as the region declares", "more values"));
        };
        *slot = Some((value, ty.clone()));
        Ok(value)
    }
}

/// Returns the error about an operation that this crate does not know.
fn unknown_op(reader: &Reader<'_>, name: OpName<'_>) -> Error {
    reader.unknown("operation", format!("`{}.{}`", name.dialect, name.name))
}

/// Skips the orders of the uses of `count` values, which do not change the meaning of the program.
fn skip_use_list_orders(reader: &mut Reader<'_>, count: usize) -> Result<(), Error> {
    let entries = if count > 1 { reader.count("orders of uses")? } else { 1 };
    for _ in 0..entries {
        if count > 1 {
            reader.index(count, "values")?;
        }
        let (uses, _) = reader.flagged()?;
        for _ in 0..reader.check_count(uses, "uses")? {
            reader.varint()?;
        }
    }
    Ok(())
}
