//! An op under construction: operands and regions are checked, result types are inferred, and the op is verified.

use super::rules;
use super::{Builder, Type, Value};
use crate::error::{Error, Result};
use mlopt_dialects::bridge::crash::silently;
use mlopt_dialects::ir::{self, Attribute, Block, Location, Op, OpBuilder, Region};
use mlopt_dialects::ops::{Kind, Symbol, ToAttribute};

/// An op that the methods of [`Builder`] describe part by part.
pub(super) struct Draft<'b, 'm> {
    builder: &'b mut Builder<'m>,
    kind: Kind,
    groups: Vec<Vec<ir::Value>>,
    /// True if an attribute contains the sizes of the groups of operands.
    pub has_segments: bool,
    attributes: Vec<(&'static str, Attribute)>,
    results: Vec<ir::Type>,
    infers_results: bool,
    regions: Vec<Option<Block>>,
    /// An op that contains the regions until the types of the results are known.
    holder: Option<Op>,
}

impl<'b, 'm> Draft<'b, 'm> {
    pub fn new(builder: &'b mut Builder<'m>, kind: Kind) -> Draft<'b, 'm> {
        Draft {
            builder,
            kind,
            groups: vec![],
            has_segments: false,
            attributes: vec![],
            results: vec![],
            infers_results: false,
            regions: vec![],
            holder: None,
        }
    }

    fn location(&self) -> Location {
        self.builder.core.location()
    }

    /// Adds a group of operands.
    pub fn operands(&mut self, values: &[Value]) -> Result<()> {
        let values: Result<Vec<_>> = values.iter().map(|value| self.builder.core.find(*value)).collect();
        self.groups.push(values?);
        Ok(())
    }

    pub fn attribute(&mut self, name: &'static str, value: impl ToAttribute) -> Result<()> {
        self.attributes.push((name, value.to_attribute(self.location().context())));
        Ok(())
    }

    /// Adds an attribute in the notation of MLIR.
    pub fn parsed(&mut self, name: &'static str, text: &str) -> Result<()> {
        let attribute = self.builder.core.attribute(text)?;
        self.attributes.push((name, attribute));
        Ok(())
    }

    pub fn ty(&mut self, name: &'static str, ty: &Type) -> Result<()> {
        let ty = self.builder.core.ty(ty)?;
        self.attributes.push((name, self.location().context().type_attr(ty)));
        Ok(())
    }

    pub fn symbol(&mut self, name: &'static str, symbol: &str) -> Result<()> {
        let symbol = Symbol(symbol.trim_start_matches('@').to_string());
        self.attributes.push((name, (&symbol).to_attribute(self.location().context())));
        Ok(())
    }

    pub fn unit(&mut self, name: &'static str) {
        self.attributes.push((name, self.location().context().unit_attr()));
    }

    /// Adds an attribute that is the same for all ops of a builder.
    pub fn common(&mut self, name: &'static str) {
        if let Some(flags) = self.builder.core.fastmath.filter(|_| name == "fastmath") {
            self.attributes.push((name, flags.to_attribute(self.location().context())));
        }
    }

    pub fn results(&mut self, types: &[Type]) -> Result<()> {
        for ty in types {
            self.results.push(self.builder.core.ty(ty)?);
        }
        Ok(())
    }

    /// Gives the results the types that the definition of the op permits.
    pub fn fixed(&mut self, types: &[&str]) -> Result<()> {
        self.results(&types.iter().map(|ty| Type::parse(ty)).collect::<Vec<_>>())
    }

    /// Gives the results these types.
    pub fn typed(&mut self, types: Vec<ir::Type>) {
        self.results = types;
    }

    /// Returns the types of the values that the first region yields.
    pub fn yields(&self) -> Vec<ir::Type> {
        let first = self.regions.first().copied().flatten();
        first.map(|block| ir::types_of(&block.end().operands())).unwrap_or_default()
    }

    /// Gives the results the types of a group of operands.
    pub fn same_as(&mut self, group: usize) {
        self.results = ir::types_of(&self.groups[group]);
    }

    pub fn inferred_by_mlir(&mut self) -> Result<()> {
        self.infers_results = true;
        Ok(())
    }

    pub fn inferred_by_rule(&mut self) -> Result<()> {
        let yields =
            |block: &Option<Block>| block.map(|block| ir::types_of(&block.end().operands())).unwrap_or_default();
        let callee = self.attributes.iter().find(|(name, _)| *name == "callee").and_then(|(_, name)| name.as_symbol());
        let op = rules::Parts {
            context: self.location().context(),
            callee: callee.map(|name| self.builder.signature(Kind::FuncFunc, &name)).transpose()?,
            groups: self.groups.iter().map(|group| ir::types_of(group)).collect(),
            attributes: &self.attributes,
            arguments: self.regions.iter().flatten().map(|block| ir::types_of(&block.arguments())).collect(),
            yields: self.regions.iter().map(yields).collect(),
        };
        let types = rules::results(self.kind, &op);
        self.results = types.map_err(|text| self.builder.core.error(format!("'{}' op {text}", self.kind.name())))?;
        Ok(())
    }

    /// Adds a region without blocks.
    pub fn empty_region(&mut self) {
        self.regions.push(None);
    }

    /// Adds a region with arguments of these types, and builds its body, which returns the values that the region
    /// yields.
    pub fn region(
        &mut self,
        arguments: &[Type],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        let types: Result<Vec<_>> = arguments.iter().map(|ty| self.builder.core.ty(ty)).collect();
        self.region_of(&types?, body)
    }

    pub fn region_of(
        &mut self,
        types: &[ir::Type],
        body: impl FnOnce(&mut Builder, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        let location = self.location();
        let block = Block::new(&types.iter().map(|ty| (*ty, location)).collect::<Vec<_>>());
        let region = Region::with_block(block);
        // Ops in the region are verified before the op exists, so another one contains the region until then.
        let regions = match self.holder.take() {
            Some(holder) => {
                let blocks: Vec<Block> = self.regions.iter().flatten().map(|block| block.detach()).collect();
                holder.erase();
                blocks.into_iter().map(Region::with_block).collect()
            }
            None => vec![],
        };
        let holder = OpBuilder::new(self.kind.name(), location).regions(&[&regions[..], &[region]].concat()).build();
        self.holder = Some(self.builder.block.append(holder));
        self.regions.push(Some(block));
        self.builder.core.enter(block, self.kind, body)
    }

    /// Adds regions, of which each has arguments of these types. The body also gets the position of the region.
    pub fn regions(
        &mut self,
        arguments: &[&[Type]],
        mut body: impl FnMut(&mut Builder, usize, &[Value]) -> Result<Vec<Value>>,
    ) -> Result<()> {
        for (k, arguments) in arguments.iter().enumerate() {
            self.region(arguments, |builder, values| body(builder, k, values))?;
        }
        Ok(())
    }

    /// Creates and verifies the op, and returns its results.
    pub fn all(mut self) -> Result<Vec<Value>> {
        let blocks: Vec<Option<Block>> = std::mem::take(&mut self.regions);
        let holder = self.holder.take();
        let regions = blocks.iter().map(|block| match block {
            Some(block) => Region::with_block(block.detach()),
            None => Region::new(),
        });
        let regions: Vec<Region> = regions.collect();
        holder.into_iter().for_each(Op::erase);
        let mut op = OpBuilder::new(self.kind.name(), self.location());
        op = match self.has_segments {
            true => op.operand_segments(&self.groups.iter().map(Vec::as_slice).collect::<Vec<_>>()),
            false => op.operands(&self.groups.concat()),
        };
        op = op.attributes(self.attributes.iter().copied()).regions(&regions);
        op = if self.infers_results { op.infer_results() } else { op.results(&self.results) };
        let (block, kind) = (self.builder.block, self.kind);
        let core = &mut *self.builder.core;
        let created = core.reported(|| {
            // MLIR reports why it cannot infer the types of results.
            let op = silently(|| op.build()).ok()?;
            block.append(op);
            match silently(|| op.verify()) {
                Ok(true) => Some(op),
                _ => {
                    op.erase();
                    None
                }
            }
        });
        match created {
            Ok(op) => Ok(op.results().into_iter().map(|value| core.add(value)).collect()),
            Err(Some(error)) => Err(error),
            Err(None) => Err(core.error(format!("'{}' op cannot be created from these parts", kind.name()))),
        }
    }

    pub fn one(self) -> Result<Value> {
        let name = self.kind.name();
        self.all()?.pop().ok_or_else(|| Error::internal(format_args!("'{name}' op must have a result")))
    }

    pub fn none(self) -> Result<()> {
        self.all().map(drop)
    }
}

impl Drop for Draft<'_, '_> {
    fn drop(&mut self) {
        self.holder.take().into_iter().for_each(Op::erase);
    }
}
