//! The parameters of a node and the values of its delays, by name: setting them, saving them to files, and loading
//! them.
//!
//! The file format is `.safetensors` (github.com/huggingface/safetensors).

use super::session::{Session, SetError, TICKED};
use crate::arguments::argument::{self, ValueError};
use crate::arguments::npy;
use crate::arguments::parameter::Parameter;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::{Array, Element};
use mlopt_passes::streams::nodes::names::resolve;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView, serialize_to_file};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// An error of `--set`, `--load` or `--save`.
#[derive(Debug, thiserror::Error)]
pub enum ParameterError {
    #[error("--set: the node has no parameter or state `{name}`{hint}")]
    Unknown { name: String, hint: String },
    #[error("--set {name}: {problem}")]
    Value { name: String, problem: ValueError },
    #[error("--set {name}: {problem}")]
    Set { name: String, problem: SetError },
    #[error("--load {text}: {problem}")]
    Load { text: String, problem: LoadError },
    #[error("--save {path}: {problem}")]
    Save { path: String, problem: SafeTensorError },
}

/// A file that cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Format(#[from] SafeTensorError),
    #[error("`{name}`: not supported: elements of {found:?}; expected F16, BF16, F32, F64, I8, I16, I32, I64 or BOOL")]
    Elements { name: String, found: Dtype },
    #[error("`{name}`: {problem}")]
    Set { name: String, problem: SetError },
    #[error("the file contains no parameter or state of the node; expected at least one of {expected}, found {found}")]
    Nothing { expected: String, found: String },
}

/// Returns the name by which each value is saved: the alias of its stream that is least deep in instances.
pub(super) fn outer_names(
    aliases: &HashMap<String, String>,
    held: impl Iterator<Item = String>,
) -> BTreeMap<String, String> {
    let mut outer: HashMap<&str, &str> = HashMap::new();
    let depth = |name: &str| (name.matches('.').count(), name.len(), name.to_string());
    for alias in aliases.keys() {
        let held = resolve(aliases, alias);
        let best = outer.entry(held).or_insert(alias);
        if depth(alias) < depth(best) {
            *best = alias;
        }
    }
    let outer = |name: &str| outer.get(name).filter(|o| depth(o) < depth(name)).copied().unwrap_or(name).to_string();
    let pair = |name: String| match name.strip_suffix(TICKED) {
        Some(delay) => (outer(delay) + TICKED, name),
        None => (outer(&name), name),
    };
    held.map(pair).collect()
}

fn held_names(session: &Session) -> impl Iterator<Item = String> {
    session.held().map(|(name, _)| name)
}

/// Sets a value from `NAME=VALUE`.
///
/// # Errors
/// The name is unknown, or the value has another type.
pub fn set(session: &mut Session, name: &str, text: &str) -> Result<(), ParameterError> {
    let names = outer_names(&session.code.aliases, held_names(session));
    let inner = names.get(name).map_or_else(|| resolve(&session.code.aliases, name).to_string(), String::clone);
    let found = session.held().find(|(n, _)| *n == inner);
    let Some((_, held)) = found else {
        let known = names.iter().flat_map(|(outer, inner)| [outer.as_str(), inner]);
        let hint = did_you_mean(name, known);
        return Err(ParameterError::Unknown { name: name.into(), hint });
    };
    let to = Parameter { element: held.element(), shape: held.shape().iter().map(|&n| Some(n)).collect() };
    let value = argument::read(text, &to);
    let value = value.map_err(|problem| ParameterError::Value { name: name.into(), problem })?;
    session.set(&inner, value).map(drop).map_err(|problem| ParameterError::Set { name: name.into(), problem })
}

/// Sets all values that both a file and the node have. In `NAME=FILE`, the names of the file are relative to the
/// instance `NAME`.
///
/// # Errors
/// The file cannot be read, has values of other types, or has no value of the node.
pub fn load(session: &mut Session, text: &str) -> Result<(), ParameterError> {
    load_file(session, text).map_err(|problem| ParameterError::Load { text: text.into(), problem })
}

fn load_file(session: &mut Session, text: &str) -> Result<(), LoadError> {
    let (instance, path) = text.split_once('=').map_or((String::new(), text), |(i, path)| (format!("{i}."), path));
    let bytes = std::fs::read(path)?;
    let file = SafeTensors::deserialize(&bytes)?;
    let names = outer_names(&session.code.aliases, held_names(session));
    let mut is_any = false;
    for (name, tensor) in file.iter() {
        let Some(name) = name.strip_prefix(&instance) else { continue };
        let inner = names.get(name).map_or_else(|| resolve(&session.code.aliases, name).to_string(), String::clone);
        if session.held().any(|(n, _)| n == inner) {
            let value = array(&tensor).map_err(|found| LoadError::Elements { name: name.into(), found })?;
            session.set(&inner, value).map_err(|problem| LoadError::Set { name: name.into(), problem })?;
            is_any = true;
        }
    }
    if !is_any {
        let has: Vec<&str> = file.names();
        let wanted: Vec<&str> = names.keys().map(String::as_str).collect();
        return Err(LoadError::Nothing { expected: list(wanted), found: list(has) });
    }
    Ok(())
}

/// # Errors
/// The file cannot be written.
pub fn save(session: &Session, path: &Path) -> Result<(), ParameterError> {
    let values: HashMap<String, &Array> = session.held().collect();
    let one = |(outer, inner): (String, String)| (outer, values[&inner], npy::bytes(values[&inner].data()));
    let all: Vec<(String, &Array, Vec<u8>)> =
        outer_names(&session.code.aliases, held_names(session)).into_iter().map(one).collect();
    let view = |x: &Array, bytes| TensorView::new(dtype(x.element()), x.shape().to_vec(), bytes);
    let views = all.iter().map(|(name, x, bytes)| Ok((name, view(x, bytes)?)));
    let views: Result<Vec<(&String, TensorView)>, SafeTensorError> = views.collect();
    let done = views.and_then(|v| serialize_to_file(v, None, path));
    done.map_err(|problem| ParameterError::Save { path: path.display().to_string(), problem })
}

fn list(mut names: Vec<&str>) -> String {
    names.sort_unstable();
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    shown.join(", ") + if names.len() > 8 { ", ..." } else { "" }
}

/// The element types of files.
const DTYPES: [(Dtype, Element); 9] = [
    (Dtype::F16, Element::F16),
    (Dtype::BF16, Element::BF16),
    (Dtype::F32, Element::F32),
    (Dtype::F64, Element::F64),
    (Dtype::BOOL, Element::I1),
    (Dtype::I8, Element::I8),
    (Dtype::I16, Element::I16),
    (Dtype::I32, Element::I32),
    (Dtype::I64, Element::I64),
];

fn dtype(element: Element) -> Dtype {
    DTYPES.iter().find(|(_, e)| *e == element).map_or(Dtype::I64, |(dtype, _)| *dtype)
}

/// Returns the values of a tensor, or the type of its elements if arrays have none of that type.
fn array(tensor: &TensorView) -> Result<Array, Dtype> {
    let (_, element) = DTYPES.iter().find(|(dtype, _)| *dtype == tensor.dtype()).ok_or(tensor.dtype())?;
    Ok(Array::new(tensor.shape().to_vec(), npy::elements(*element, tensor.data())))
}
