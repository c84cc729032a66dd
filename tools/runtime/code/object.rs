//! Machine code before it is loaded: an object file and the description of its functions, in memory or as bytes that
//! can be stored.

use super::exports::{self, Export as DataExport};
use super::needs::reads;
use mlopt_lowering::ir::{Op, Symbols};
use mlopt_lowering::native::{Emit, Error, Export, Target, exports};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The machine code of a module.
#[derive(Serialize, Deserialize)]
pub struct Object {
    /// An object file.
    #[serde(skip)]
    pub(super) code: Vec<u8>,
    /// The processor, and the features that are added to and removed from it.
    pub(super) processor: (String, String),
    pub(super) exports: BTreeMap<String, Export>,
    pub(super) programs: BTreeMap<String, DataExport>,
    /// The functions whose results and scratch memory have sizes that depend on values of arguments.
    pub(super) sized_by_values: BTreeSet<String>,
}

impl Object {
    /// Compiles a module in the LLVM dialect.
    pub fn of(module: Op, target: &Target) -> Result<Object, Error> {
        let (exports, programs) = (exports(module)?, exports::exports(module));
        let symbols = Symbols::of(module);
        let is_sized_by_values =
            |e: &Export| symbols.get(&format!("{}.sizes", e.symbol)).is_some_and(|sizes| !reads(sizes).is_empty());
        let sized = exports.iter().filter(|(_, e)| is_sized_by_values(e));
        let sized_by_values = sized.map(|(name, _)| name.clone()).collect();
        let processor = (target.cpu().to_string(), target.features().to_string());
        Ok(Object { code: target.emit(module, Emit::Object)?, processor, exports, programs, sized_by_values })
    }

    /// Returns the object file.
    pub fn code(&self) -> &[u8] {
        &self.code
    }

    /// Checks whether messages of its functions contain positions in the program.
    pub fn has_places(&self) -> bool {
        let has_places = |e: &Export| !(e.checks.is_empty() && e.traps.is_empty());
        self.exports.values().any(has_places) || self.programs.values().any(DataExport::has_places)
    }

    /// Returns the object as bytes, for [`Object::from_bytes`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = serde_json::to_vec(self).expect("maps have strings as keys");
        [&(head.len() as u64).to_le_bytes(), &head[..], &self.code].concat()
    }

    /// Returns `None` for bytes that [`Object::to_bytes`] has not written.
    pub fn from_bytes(bytes: &[u8]) -> Option<Object> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (head, code) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        let mut object: Object = serde_json::from_slice(head).ok()?;
        object.code = code.to_vec();
        Some(object)
    }
}
