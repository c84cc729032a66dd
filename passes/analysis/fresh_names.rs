//! Names of new symbols.

use mlopt_dialects::ir::Op;
use std::collections::{HashMap, HashSet};

/// A generator of new symbols, all distinct.
pub struct FreshNames {
    taken: HashSet<String>,
    /// The character between a base and its number.
    separator: char,
    /// For each base, the first number that was not tried.
    next: HashMap<String, usize>,
}

impl FreshNames {
    /// Creates a generator of symbols that `module` does not contain.
    pub fn of(module: Op) -> FreshNames {
        FreshNames::except(module.child_ops().into_iter().filter_map(Op::symbol))
    }

    /// Creates a generator of symbols other than these.
    pub fn except(taken: impl IntoIterator<Item = String>) -> FreshNames {
        FreshNames { taken: taken.into_iter().collect(), separator: '.', next: HashMap::new() }
    }

    /// Changes the separator before numbers, which is a period by default.
    pub fn separated_by(self, separator: char) -> FreshNames {
        FreshNames { separator, ..self }
    }

    /// Returns a new symbol, `base` or `base` with a number, and reserves it.
    pub fn free(&mut self, base: &str) -> String {
        let next = self.next.entry(base.to_string()).or_default();
        loop {
            let name = if *next == 0 { base.to_string() } else { format!("{base}{}{next}", self.separator) };
            *next += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
