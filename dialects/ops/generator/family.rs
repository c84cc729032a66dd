//! Families of ops. Ops that derive from one TableGen class have its operands and attributes in common. The generator
//! emits one Rust type for such a family, with accessors for these.

use crate::names::camel;
use crate::op::OpDef;
use std::collections::BTreeMap;

/// The ops of a dialect that derive from one class: `ReductionOp` for `Array_ReductionOp`.
pub struct Family {
    pub name: String,
    /// Their positions in the list of ops.
    pub members: Vec<usize>,
}

/// Returns the families of a dialect: the classes from which at least two ops derive, but not all ops of the dialect.
///
/// In MLIR's dialects only classes named `…Op` are families, because others are technical; in ours (`has_own_classes`)
/// all are.
pub fn families(dialect: &str, ops: &[OpDef], has_own_classes: bool) -> Vec<Family> {
    let mut classes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, op) in ops.iter().enumerate() {
        op.classes.iter().for_each(|class| classes.entry(class).or_default().push(k));
    }
    let named = classes.into_iter().filter_map(|(class, members)| Some((class.split_once('_')?.1, members)));
    let named = named.filter(|(name, members)| {
        let is_part = members.len() > 1 && members.len() < ops.len();
        // `Array_Op` is the base class of a dialect, even if some ops do not derive from it; other classes are not ops.
        is_part && *name != "Op" && (name.ends_with("Op") || has_own_classes)
    });
    let mut families: Vec<Family> =
        named.map(|(name, members)| Family { name: name.replace('_', ""), members }).collect();
    // That is the name of the enum of the whole dialect.
    families.retain(|family| family.name != camel(dialect) + "Op");
    // Classes with the same ops are one family.
    let mut seen = Vec::new();
    families.retain(|family| {
        let is_new = !seen.contains(&family.members);
        seen.push(family.members.clone());
        is_new
    });
    families
}
