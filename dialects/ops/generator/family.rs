//! Families: ops that derive from one class of TableGen share its operands and attributes, and with them accessors.

use crate::names::camel;
use crate::op::OpDef;
use std::collections::BTreeMap;

/// The ops of a dialect that derive from one class: `ReductionOp` for `Array_ReductionOp`.
pub struct Family {
    pub name: String,
    /// Their places in the list of ops.
    pub members: Vec<usize>,
}

/// The families of a dialect: a class counts if at least two ops derive from it, but not all of the dialect.
///
/// In dialects of MLIR only classes called `…Op` count, since others are technicalities; in ours (`has_own_classes`)
/// all do.
pub fn families(dialect: &str, ops: &[OpDef], has_own_classes: bool) -> Vec<Family> {
    let mut classes: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (k, op) in ops.iter().enumerate() {
        op.classes.iter().for_each(|class| classes.entry(class).or_default().push(k));
    }
    let named = classes.into_iter().filter_map(|(class, members)| Some((class.split_once('_')?.1, members)));
    let named = named.filter(|(name, members)| {
        let is_part = members.len() > 1 && members.len() < ops.len();
        // `Array_Op` is the base of a dialect, whatever it leaves out; other classes are no ops at all.
        is_part && *name != "Op" && (name.ends_with("Op") || has_own_classes)
    });
    let mut families: Vec<Family> =
        named.map(|(name, members)| Family { name: name.replace('_', ""), members }).collect();
    // The enum of the whole dialect has that name.
    families.retain(|family| family.name != camel(dialect) + "Op");
    // Classes with the same ops say the same.
    let mut seen = Vec::new();
    families.retain(|family| {
        let is_new = !seen.contains(&family.members);
        seen.push(family.members.clone());
        is_new
    });
    families
}
