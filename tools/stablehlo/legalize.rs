//! From VHLO to StableHLO: names of operations, forms of attributes, records, and defaults that are left out.
//!
//! This is the mapping of StableHLO's `VhloLegalizeToStablehlo.cpp`. Older versions of an operation lack attributes
//! of newer ones; an absent attribute has its default value.

use crate::error::Error;
use crate::ir::{Attribute, Dense, Field, NamedAttribute, Op, Type};
use crate::shape::{Form, Preset, Property, Shape};
use crate::tables::OpName;
use std::sync::Arc;

/// The limit on the number of integers in an attribute of an operation, which concern the dimensions of tensors.
const MAX_INTEGERS: u64 = 4096;

/// The operation whose region holds an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parent {
    Function,
    Other,
}

impl Parent {
    /// Returns the kind of `op` as a parent.
    pub fn of(op: &Op) -> Parent {
        if op.is_function() { Parent::Function } else { Parent::Other }
    }
}

/// Gives `op` its name and attributes in StableHLO.
pub(crate) fn op(
    op: &mut Op,
    name: OpName<'_>,
    shape: &Shape,
    attributes: Vec<NamedAttribute>,
    parent: Parent,
) -> Result<(), Error> {
    op.name = stablehlo_name(name.dialect, shape.base_name(), parent);
    let mut inherent = Inherent { op: shape.name, attributes: Vec::new() };
    for (attribute, value) in attributes {
        match shape.properties.iter().find(|property| property.name == &*attribute) {
            Some(property) => inherent.attributes.extend(inherent.convert(property, value)?),
            None => op.discardable.push((attribute, value)),
        }
    }
    inherent.combine(shape.base_name())?;
    inherent.attributes.sort_by(|(a, _), (b, _)| a.cmp(b));
    if let Some(pair) = inherent.attributes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(inherent.error(&pair[0].0, "one attribute with this name"));
    }
    op.inherent = inherent.attributes;
    Ok(())
}

/// Returns the name in StableHLO of the operation `base` in a region of `parent`.
fn stablehlo_name(dialect: &str, base: &str, parent: Parent) -> String {
    match (dialect, base) {
        ("vhlo", "func" | "call") => format!("func.{base}"),
        ("vhlo", "return") if parent == Parent::Function => format!("func.{base}"),
        ("vhlo", _) => format!("stablehlo.{base}"),
        _ => format!("{dialect}.{base}"),
    }
}

/// Returns whether `value` is the default `preset`.
fn is_default(preset: Preset, value: &Attribute) -> bool {
    match (preset, value) {
        (Preset::False, Attribute::Bool(value)) => !value,
        (Preset::Integer(expected), Attribute::Integer { value, .. }) => *value == expected,
        (Preset::Splat(expected), Attribute::Dense(dense)) => splat(dense) == Some(expected),
        (Preset::Case(expected), Attribute::Enum { case, .. }) => *case == expected,
        (Preset::Cases(expected), Attribute::Array(values)) => values.iter().all(|value| is_case(value, expected)),
        (Preset::EmptyString | Preset::Empty, Attribute::String(text)) => text.is_empty(),
        (Preset::EmptyArray, Attribute::Array(values)) => values.is_empty(),
        (Preset::EmptyDictionary | Preset::Empty, Attribute::Dictionary(entries)) => entries.is_empty(),
        (Preset::EmptyTensor, Attribute::Dense(dense)) => dense.data.is_empty(),
        (Preset::DefaultAccuracy, Attribute::Record { fields, .. }) => {
            matches!(fields[..], [("mode", Field::Case(_, "DEFAULT"))])
        }
        _ => false,
    }
}

/// Returns whether `value` is the case `expected` of an enumeration.
fn is_case(value: &Attribute, expected: &str) -> bool {
    matches!(value, Attribute::Enum { case, .. } if *case == expected)
}

/// Returns the integer that all elements of `dense` equal, if the tensor is stored as one element.
fn splat(dense: &Dense) -> Option<i64> {
    let size = dense.ty.element()?.element_size()?;
    if dense.data.len() == size { integer(&dense.data) } else { None }
}

/// Returns the integer of at most eight bytes with sign.
fn integer(bytes: &[u8]) -> Option<i64> {
    let mut word = [if bytes.last()? & 0x80 != 0 { 0xFF } else { 0 }; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(i64::from_le_bytes(word))
}

/// Returns the integers of a tensor.
fn dense_integers(dense: &Dense) -> Option<Vec<i64>> {
    let element = dense.ty.element()?;
    if !matches!(**element, Type::Integer { .. } | Type::Index) {
        return None;
    }
    let count = dense.ty.element_count()?;
    if count > MAX_INTEGERS {
        return None;
    }
    if dense.splat {
        return Some(vec![integer(&dense.data)?; count as usize]);
    }
    dense.data.chunks(element.element_size()?).map(integer).collect()
}

/// Returns the integers of a tensor or array.
fn integer_list(value: &Attribute) -> Option<Vec<i64>> {
    match value {
        Attribute::Dense(dense) => dense_integers(dense),
        Attribute::Integers(values) => Some(values.clone()),
        _ => None,
    }
}

/// Returns the symbol that a string names.
fn symbol(value: &Attribute) -> Option<Attribute> {
    match value {
        Attribute::String(name) => Some(Attribute::Symbol(vec![name.clone()])),
        Attribute::Symbol(_) => Some(value.clone()),
        _ => None,
    }
}

/// The inherent attributes of an operation.
struct Inherent {
    /// The name of the operation in VHLO, for errors.
    op: &'static str,
    attributes: Vec<NamedAttribute>,
}

impl Inherent {
    /// Returns an error about the attribute `name`.
    fn error(&self, name: &str, expected: &'static str) -> Error {
        Error::Attribute { op: format!("vhlo.{}", self.op), attribute: name.to_owned(), expected }
    }

    /// Returns the attribute in the form of StableHLO, or nothing for a default value.
    fn convert(&self, property: &Property, value: Arc<Attribute>) -> Result<Option<NamedAttribute>, Error> {
        if is_default(property.default, &value) {
            return Ok(None);
        }
        let name = property.name;
        let converted = match property.form {
            Form::Same | Form::Part => return Ok(Some((name.into(), value))),
            Form::Integers => {
                integer_list(&value).map(Attribute::Integers).ok_or_else(|| self.error(name, "a tensor of integers"))?
            }
            Form::Booleans => {
                let values = integer_list(&value).ok_or_else(|| self.error(name, "a tensor of booleans"))?;
                Attribute::Booleans(values.into_iter().map(|value| value != 0).collect())
            }
            Form::Symbol => symbol(&value).ok_or_else(|| self.error(name, "a string"))?,
            Form::Symbols => self.symbols(name, &value)?,
            Form::Flag => match *value {
                Attribute::Bool(true) | Attribute::Unit => Attribute::Unit,
                Attribute::Bool(false) => return Ok(None),
                _ => return Err(self.error(name, "a boolean")),
            },
            Form::Channel => match *value {
                Attribute::Integer { value, .. } => {
                    return Ok(Some(("channel_handle".into(), Arc::new(channel_handle(value, 0)))));
                }
                _ => return Err(self.error(name, "an integer")),
            },
        };
        Ok(Some((name.into(), Arc::new(converted))))
    }

    /// Returns the symbols that a list of strings names.
    fn symbols(&self, name: &str, value: &Attribute) -> Result<Attribute, Error> {
        let Attribute::Array(values) = value else {
            return Err(self.error(name, "a list of strings"));
        };
        let symbols = values.iter().map(|value| symbol(value).map(Arc::new)).collect::<Option<Vec<_>>>();
        symbols.map(Attribute::Array).ok_or_else(|| self.error(name, "a list of strings"))
    }

    /// Combines attributes of the operation `base` into records.
    fn combine(&mut self, base: &str) -> Result<(), Error> {
        match base {
            "convolution" | "dynamic_conv" => self.convolution(),
            "dot_general" => self.dot_general(),
            "gather" | "dynamic_gather" => self.gather(),
            "scatter" => self.scatter(),
            "recv" | "send" => self.channel(),
            "custom_call" => {
                self.custom_call_layouts();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Removes the attribute `name`.
    fn take(&mut self, name: &str) -> Option<Arc<Attribute>> {
        let index = self.attributes.iter().position(|(found, _)| **found == *name)?;
        Some(self.attributes.swap_remove(index).1)
    }

    /// Removes the list of integers `name`, which is empty if it is absent.
    fn take_integers(&mut self, name: &str) -> Result<Vec<i64>, Error> {
        match self.take(name) {
            Some(value) => integer_list(&value).ok_or_else(|| self.error(name, "a tensor of integers")),
            None => Ok(Vec::new()),
        }
    }

    /// Removes the integer `name`.
    fn take_integer(&mut self, name: &str) -> Result<i64, Error> {
        match self.take(name).as_deref() {
            Some(Attribute::Integer { value, .. }) => Ok(*value),
            _ => Err(self.error(name, "an integer")),
        }
    }

    /// Removes the lists of integers `names` and returns those that are not empty as fields.
    fn take_fields(&mut self, names: &[&'static str]) -> Result<Vec<(&'static str, Field)>, Error> {
        let mut fields = Vec::new();
        for name in names {
            let values = self.take_integers(name)?;
            if !values.is_empty() {
                fields.push((*name, Field::Integers(values)));
            }
        }
        Ok(fields)
    }

    /// Adds the record `record` as attribute `name`.
    fn add_record(&mut self, name: &str, record: &'static str, fields: Vec<(&'static str, Field)>) {
        self.attributes.push((name.into(), Arc::new(Attribute::Record { name: record, fields })));
    }

    /// Combines the numbers of dimensions and the algorithm of a general dot product.
    fn dot_general(&mut self) -> Result<(), Error> {
        let fields = self.take_fields(&[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
        ])?;
        self.add_record("dot_dimension_numbers", "dot", fields);
        let mut fields = Vec::new();
        for name in ["lhs_precision_type", "rhs_precision_type", "accumulation_type"] {
            fields.extend(self.take(name).map(|value| (name, Field::Attribute(value))));
        }
        for name in ["lhs_component_count", "rhs_component_count", "num_primitive_operations"] {
            if let Some(Attribute::Integer { value, .. }) = self.take(name).as_deref() {
                fields.push((name, Field::Integer(*value)));
            }
        }
        let name = "allow_imprecise_accumulation";
        fields.extend(self.take(name).map(|value| (name, Field::Attribute(value))));
        if let Some((_, Field::Attribute(value))) = fields.first()
            && !matches!(&**value, Attribute::Type(ty) if **ty == Type::None)
        {
            self.add_record("algorithm", "dot_algorithm", fields);
        }
        Ok(())
    }

    /// Combines the numbers of dimensions of a gather.
    fn gather(&mut self) -> Result<(), Error> {
        let mut fields = self.take_fields(&[
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
        ])?;
        self.index_vector_dim(&mut fields)?;
        self.add_record("dimension_numbers", "gather", fields);
        Ok(())
    }

    /// Combines the numbers of dimensions of a scatter.
    fn scatter(&mut self) -> Result<(), Error> {
        let mut fields = self.take_fields(&[
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
        ])?;
        self.index_vector_dim(&mut fields)?;
        self.add_record("scatter_dimension_numbers", "scatter", fields);
        Ok(())
    }

    /// Adds the dimension of the index vectors of a gather or scatter, whose default is 0.
    fn index_vector_dim(&mut self, fields: &mut Vec<(&'static str, Field)>) -> Result<(), Error> {
        let dimension = self.take_integer("index_vector_dim")?;
        if dimension != 0 {
            fields.push(("index_vector_dim", Field::Integer(dimension)));
        }
        Ok(())
    }

    /// Combines the number and the type of a channel.
    fn channel(&mut self) -> Result<(), Error> {
        let handle = channel_handle(self.take_integer("channel_id")?, self.take_integer("channel_type")?);
        self.attributes.push(("channel_handle".into(), Arc::new(handle)));
        Ok(())
    }

    /// Leaves out the layouts of a custom call if both are empty.
    fn custom_call_layouts(&mut self) {
        let is_layout = |name: &str| name == "operand_layouts" || name == "result_layouts";
        let mut layouts = self.attributes.iter().filter(|(name, _)| is_layout(name));
        if layouts.all(|(_, value)| is_default(Preset::EmptyArray, value)) {
            self.attributes.retain(|(name, _)| !is_layout(name));
        }
    }

    /// Combines the numbers of dimensions of a convolution.
    fn convolution(&mut self) -> Result<(), Error> {
        let input = self
            .labels([("input_batch_dimension", "b"), ("input_feature_dimension", "f")], "input_spatial_dimensions")?;
        let kernel = self.labels(
            [("kernel_input_feature_dimension", "i"), ("kernel_output_feature_dimension", "o")],
            "kernel_spatial_dimensions",
        )?;
        let output = self.labels(
            [("output_batch_dimension", "b"), ("output_feature_dimension", "f")],
            "output_spatial_dimensions",
        )?;
        let numbers = Attribute::Convolution([input, kernel, output]);
        self.attributes.push(("dimension_numbers".into(), Arc::new(numbers)));
        // A dynamic convolution has its padding as operand; its first version had both.
        if self.op == "dynamic_conv_v1" {
            self.take("padding");
        }
        Ok(())
    }

    /// Returns the labels of the dimensions of a tensor: letters, and numbers for the spatial dimensions.
    fn labels(&mut self, letters: [(&str, &str); 2], spatial: &str) -> Result<Vec<String>, Error> {
        let spatial_dimensions = self.take_integers(spatial)?;
        let mut labels = vec![String::new(); spatial_dimensions.len() + letters.len()];
        let mut place = |dimension: i64, label: String| match usize::try_from(dimension) {
            Ok(dimension) if labels.get(dimension).is_some_and(String::is_empty) => labels[dimension] = label,
            _ => labels.clear(),
        };
        for (name, letter) in letters {
            place(self.take_integer(name)?, letter.to_owned());
        }
        for (number, dimension) in spatial_dimensions.into_iter().enumerate() {
            place(dimension, number.to_string());
        }
        if labels.is_empty() { Err(self.error(spatial, "different dimensions of the tensor")) } else { Ok(labels) }
    }
}

/// Returns the handle of a channel.
fn channel_handle(handle: i64, ty: i64) -> Attribute {
    let fields = vec![("handle", Field::Integer(handle)), ("type", Field::Integer(ty))];
    Attribute::Record { name: "channel_handle", fields }
}
