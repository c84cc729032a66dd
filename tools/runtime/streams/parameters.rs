//! Parameters of a node and contents of its delays, by name: setting them, and saving them to and loading them from
//! files.
//!
//! The file format is `.safetensors` (github.com/huggingface/safetensors).

use super::session::{Session, TICKED};
use crate::arguments::argument;
use crate::arguments::npy;
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::{Array, Data};
use mlopt_passes::streams::nodes::names::resolve;
use safetensors::tensor::{Dtype, SafeTensorError, SafeTensors, TensorView, serialize_to_file};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

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
pub fn set(session: &mut Session, name: &str, text: &str) -> Result<(), String> {
    let names = outer_names(session.aliases(), held_names(session));
    let inner = names.get(name).map_or_else(|| resolve(session.aliases(), name).to_string(), String::clone);
    let found = session.held().find(|(n, _)| *n == inner).map(|(_, x)| x.type_text());
    let Some(ty) = found else {
        let known = names.iter().flat_map(|(outer, inner)| [outer.as_str(), inner]);
        let hint = did_you_mean(name, known);
        return Err(format!("--set: the node has no parameter or state `{name}`{hint}"));
    };
    let to = crate::arguments::parameter::Parameter::parse(&ty).expect("a type of values");
    let value = argument::read(text, &to).map_err(|e| format!("--set {name}: {e}"))?;
    session.set(&inner, value).map(drop).map_err(|e| format!("--set {name}: {e}"))
}

/// Sets all values that both a file and the node have. In `NAME=FILE`, the names of the file are relative to the
/// instance `NAME`.
///
/// # Errors
/// The file cannot be read, has values of other types, or has no value of the node.
pub fn load(session: &mut Session, text: &str) -> Result<(), String> {
    let at = |e: &dyn std::fmt::Display| format!("--load {text}: {e}");
    let (instance, path) = text.split_once('=').map_or((String::new(), text), |(i, path)| (format!("{i}."), path));
    let bytes = std::fs::read(path).map_err(|e| at(&e))?;
    let file = SafeTensors::deserialize(&bytes).map_err(|e| at(&e))?;
    let names = outer_names(session.aliases(), held_names(session));
    let mut is_any = false;
    for (name, tensor) in file.iter() {
        let Some(name) = name.strip_prefix(&instance) else { continue };
        let inner = names.get(name).map_or_else(|| resolve(session.aliases(), name).to_string(), String::clone);
        if session.held().any(|(n, _)| n == inner) {
            let value = array(&tensor).map_err(|e| at(&format!("`{name}`: {e}")))?;
            session.set(&inner, value).map_err(|e| at(&format!("`{name}`: {e}")))?;
            is_any = true;
        }
    }
    if !is_any {
        let has: Vec<&str> = file.names();
        let wanted: Vec<&str> = names.keys().map(String::as_str).collect();
        return Err(at(&format!(
            "it has no parameter and no state of the node; expected one of {}, found {}",
            list(wanted),
            list(has)
        )));
    }
    Ok(())
}

/// # Errors
/// The file cannot be written.
pub fn save(session: &Session, path: &Path) -> Result<(), String> {
    let values: HashMap<String, &Array> = session.held().collect();
    let one = |(outer, inner): (String, String)| (outer, values[&inner], npy::bytes(values[&inner].data()));
    let all: Vec<(String, &Array, Vec<u8>)> =
        outer_names(session.aliases(), held_names(session)).into_iter().map(one).collect();
    let view = |x: &Array, bytes| TensorView::new(dtype(x.data()), x.shape().to_vec(), bytes);
    let views = all.iter().map(|(name, x, bytes)| Ok((name, view(x, bytes)?)));
    let views: Result<Vec<(&String, TensorView)>, SafeTensorError> = views.collect();
    let done = views.and_then(|v| serialize_to_file(v, None, path));
    done.map_err(|e| format!("--save {}: {e}", path.display()))
}

fn list(mut names: Vec<&str>) -> String {
    names.sort_unstable();
    let shown: Vec<String> = names.iter().take(8).map(|n| format!("`{n}`")).collect();
    shown.join(", ") + if names.len() > 8 { ", ..." } else { "" }
}

fn dtype(data: &Data) -> Dtype {
    match data {
        Data::F32(_) => Dtype::F32,
        Data::F64(_) => Dtype::F64,
        Data::I1(_) => Dtype::BOOL,
        Data::I32(_) => Dtype::I32,
        Data::I64(_) | Data::Index(_) => Dtype::I64,
    }
}

fn array(tensor: &TensorView) -> Result<Array, String> {
    macro_rules! all {
        ($t:ty) => {{
            const SIZE: usize = std::mem::size_of::<$t>();
            tensor.data().chunks_exact(SIZE).map(|c| <$t>::from_le_bytes(c.try_into().expect("of this size"))).collect()
        }};
    }
    let data = match tensor.dtype() {
        Dtype::F32 => Data::F32(all!(f32)),
        Dtype::F64 => Data::F64(all!(f64)),
        Dtype::I32 => Data::I32(all!(i32)),
        Dtype::I64 => Data::I64(all!(i64)),
        Dtype::BOOL => Data::I1(tensor.data().iter().map(|&b| b != 0).collect()),
        other => return Err(format!("not supported: elements of {other:?}; expected F32, F64, I32, I64 or BOOL")),
    };
    Ok(Array::new(tensor.shape().to_vec(), data))
}
