//! A table of the symbols of a module, by name.

use super::super::{mlopt_symbol, text};
use super::*;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A look-up of symbols by name.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<Op>;

/// The symbols of one symbol table, read once. A pass that adds or erases symbols keeps it up to date.
#[derive(Default)]
pub struct Symbols {
    by_name: HashMap<String, Op>,
}

impl Symbols {
    /// Reads the symbols of `table`, a module. If two have the same name, as only in invalid IR, the first counts.
    pub fn of(table: Op) -> Symbols {
        let mut symbols = Symbols::default();
        for op in table.body().map(Block::ops).unwrap_or_default() {
            symbols.add(op);
        }
        symbols
    }

    pub fn get(&self, name: &str) -> Option<Op> {
        self.by_name.get(name).copied()
    }

    /// Returns the `func.func` of this name.
    pub fn function(&self, name: &str) -> Option<Op> {
        self.get(name).filter(|op| op.is_function())
    }

    pub fn contains(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Records an op that was added; an op without a name is ignored.
    pub fn add(&mut self, op: Op) {
        if let Some(name) = op.symbol()
            && let Entry::Vacant(free) = self.by_name.entry(name)
        {
            free.insert(op);
        }
    }

    /// Removes a symbol that is about to be erased or renamed.
    pub fn remove(&mut self, name: &str) -> Option<Op> {
        self.by_name.remove(name)
    }

    /// Returns the first of `names` that no symbol has.
    ///
    /// # Panics
    ///
    /// Panics if all of them are taken; the iterator should be infinite.
    pub fn free(&self, mut names: impl Iterator<Item = String>) -> String {
        names.find(|name| !self.contains(name)).expect("some name is free")
    }
}

/// MLIR's own symbol tables, which are passed to a verifier of symbols: each is read once per verification.
#[derive(Clone, Copy)]
pub struct SymbolTables(*mut c_void);

impl SymbolTables {
    pub fn from_raw(raw: *mut c_void) -> SymbolTables {
        SymbolTables(raw)
    }

    /// Returns the symbol `name` of the module around `op`.
    pub fn lookup(self, op: Op, name: &str) -> Option<Op> {
        // SAFETY: the table is that of the verifier's call, the module is valid, and C++ copies the name.
        Op::some(unsafe { mlopt_symbol(self.0, op.module()?.0, text(name)) })
    }
}
