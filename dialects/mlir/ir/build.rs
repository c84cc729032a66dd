//! Creation of ops.

use super::super::text;
use super::*;

/// An op under construction; [`OpBuilder::build`] creates it detached.
#[must_use]
pub struct OpBuilder {
    name: String,
    location: Location,
    operands: Vec<MlirValue>,
    results: Vec<MlirType>,
    regions: Vec<MlirRegion>,
    attributes: Vec<(String, Attribute)>,
    successors: Vec<MlirBlock>,
    infer: bool,
}

impl OpBuilder {
    pub fn new(name: impl AsRef<str>, location: Location) -> OpBuilder {
        OpBuilder {
            name: name.as_ref().to_string(),
            location,
            operands: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
            attributes: Vec::new(),
            successors: Vec::new(),
            infer: false,
        }
    }

    /// Starts an op that defines a function; the inputs are the arguments of its body.
    pub fn function(op: impl AsRef<str>, name: &str, body: Block, results: &[Type], location: Location) -> OpBuilder {
        let context = location.context();
        let inputs: Vec<Type> = body.arguments().into_iter().map(Value::ty).collect();
        OpBuilder::new(op, location)
            .attribute("sym_name", context.string_attr(name))
            .attribute("function_type", context.type_attr(context.function_type(&inputs, results)))
            .region(Region::with_block(body))
    }

    pub fn operands(mut self, values: &[Value]) -> OpBuilder {
        self.operands.extend(values.iter().map(|v| v.0));
        self
    }

    /// Adds groups of operands, for ops with `AttrSizedOperandSegments`.
    pub fn operand_segments(self, groups: &[&[Value]]) -> OpBuilder {
        let sizes: Vec<i32> = groups.iter().map(|g| g.len() as i32).collect();
        let context = self.location.context();
        let all: Vec<Value> = groups.concat();
        self.operands(&all).attribute("operandSegmentSizes", context.i32_array_attr(&sizes))
    }

    pub fn results(mut self, types: &[Type]) -> OpBuilder {
        self.results.extend(types.iter().map(|t| t.0));
        self
    }

    /// Lets the op infer its result types.
    pub fn infer_results(mut self) -> OpBuilder {
        self.infer = true;
        self
    }

    pub fn attribute(mut self, name: &str, value: Attribute) -> OpBuilder {
        self.attributes.push((name.to_string(), value));
        self
    }

    /// Adds several attributes, such as those of another op.
    pub fn attributes<N: AsRef<str>>(mut self, all: impl IntoIterator<Item = (N, Attribute)>) -> OpBuilder {
        self.attributes.extend(all.into_iter().map(|(name, value)| (name.as_ref().to_string(), value)));
        self
    }

    pub fn region(mut self, region: Region) -> OpBuilder {
        self.regions.push(region.0);
        self
    }

    pub fn regions(mut self, regions: &[Region]) -> OpBuilder {
        self.regions.extend(regions.iter().map(|r| r.0));
        self
    }

    pub fn successor(self, block: Block) -> OpBuilder {
        self.successors(&[block])
    }

    pub fn successors(mut self, blocks: &[Block]) -> OpBuilder {
        self.successors.extend(blocks.iter().map(|b| b.0));
        self
    }

    /// # Panics
    ///
    /// Panics if MLIR cannot create the op, which only a failed inference of result types causes.
    pub fn build(self) -> Op {
        // SAFETY: the handles are valid, and the regions detached, so the op can own them; MLIR copies the name and the
        // lists, which outlive the block.
        unsafe {
            let mut state = mlirOperationStateGet(text(&self.name), self.location.0);
            mlirOperationStateAddOperands(&mut state, self.operands.len() as isize, self.operands.as_ptr());
            mlirOperationStateAddOwnedRegions(&mut state, self.regions.len() as isize, self.regions.as_ptr());
            mlirOperationStateAddSuccessors(&mut state, self.successors.len() as isize, self.successors.as_ptr());
            let context = mlirLocationGetContext(self.location.0);
            let named = self.attributes.iter();
            let named = named.map(|(n, a)| mlirNamedAttributeGet(mlirIdentifierGet(context, text(n)), a.0));
            let named: Vec<MlirNamedAttribute> = named.collect();
            mlirOperationStateAddAttributes(&mut state, named.len() as isize, named.as_ptr());
            if self.infer {
                mlirOperationStateEnableResultTypeInference(&mut state);
            } else {
                mlirOperationStateAddResults(&mut state, self.results.len() as isize, self.results.as_ptr());
            }
            let op = Op::some(mlirOperationCreate(&mut state));
            let op = op.unwrap_or_else(|| panic!("cannot create '{}'", self.name));
            erased::forget(op);
            op
        }
    }
}
