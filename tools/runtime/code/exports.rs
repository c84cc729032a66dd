//! The functions of data that a lowered module exports, and the errors with which they may stop.

use crate::limit;
use mlopt_dialects::array::filled_in;
use mlopt_lowering::abi::shape::Shape;
use mlopt_lowering::abi::{KERNEL, TRAPS};
use mlopt_lowering::data::lambda_to_llvm::{ENTRY, MISMATCHES, SITES, STOPS};
use mlopt_lowering::ir::{Attribute, Op, Type};
use mlopt_lowering::native::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An op that may wait, or that does input or output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Site {
    pub place: String,
    pub op: String,
    /// The shapes of the printed or read values.
    pub values: Vec<Shape>,
}

/// A function of data that a lowered module exports, before its compilation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Export {
    pub name: String,
    pub symbol: String,
    /// The type, as text.
    pub text: String,
    pub inputs: Vec<Shape>,
    pub results: Vec<Shape>,
    stops: Vec<[String; 2]>,
    /// The positions in `stops` of the errors that sizes do not match.
    mismatches: Vec<i64>,
    /// The checks of the array functions that it calls, by name.
    kernels: BTreeMap<String, Vec<[String; 2]>>,
    pub sites: Vec<Site>,
}

/// Returns the exported functions of data of a lowered module, by name.
pub fn exports(module: Op) -> BTreeMap<String, Export> {
    let pair = |a: Attribute| -> Option<[String; 2]> {
        let both: Vec<String> = a.as_array()?.into_iter().filter_map(Attribute::as_string).collect();
        both.try_into().ok()
    };
    let stops = module.attribute(STOPS).and_then(Attribute::as_array).unwrap_or_default();
    let stops: Vec<[String; 2]> = stops.into_iter().filter_map(pair).collect();
    let mismatches = module.attribute(MISMATCHES).and_then(Attribute::as_array).unwrap_or_default();
    let mismatches: Vec<i64> = mismatches.into_iter().filter_map(Attribute::as_i64).collect();
    let sites = sites(module);
    let checks = |op: &Op| {
        op.attribute(KERNEL)?;
        let traps = op.attribute(TRAPS).and_then(Attribute::as_array).unwrap_or_default();
        Some((op.symbol()?, traps.into_iter().filter_map(pair).collect()))
    };
    let kernels: BTreeMap<String, Vec<[String; 2]>> = module.child_ops().iter().filter_map(checks).collect();
    let mut all = BTreeMap::new();
    for op in module.child_ops() {
        let Some(ty) = op.attribute(ENTRY).and_then(Attribute::as_type) else { continue };
        let shapes = |types: Vec<Type>| types.into_iter().map(Shape::of).collect::<Option<Vec<_>>>();
        let (Some(symbol), Some((inputs, results))) = (op.symbol(), ty.signature()) else { continue };
        let (Some(inputs), Some(results)) = (shapes(inputs), shapes(results)) else { continue };
        let name = symbol.trim_end_matches(".entry").to_string();
        let export = Export {
            name: name.clone(),
            symbol,
            text: ty.to_string(),
            inputs,
            results,
            stops: stops.clone(),
            mismatches: mismatches.clone(),
            kernels: kernels.clone(),
            sites: sites.clone(),
        };
        all.insert(name, export);
    }
    all
}

/// Returns the position of the first op of a lowered program that uses tasks, input or output.
pub fn first_site(module: Op) -> Option<String> {
    sites(module).into_iter().next().map(|site| site.place)
}

fn sites(module: Op) -> Vec<Site> {
    let sites = module.attribute(SITES).and_then(Attribute::as_array).unwrap_or_default();
    sites.into_iter().filter_map(site).collect()
}

fn site(entry: Attribute) -> Option<Site> {
    let [place, op, ty] = entry.as_array()?.try_into().ok()?;
    let (inputs, results) = ty.as_type()?.signature()?;
    let values = inputs.into_iter().chain(results).map(Shape::of).collect::<Option<_>>()?;
    Some(Site { place: place.as_string()?, op: op.as_string()?, values })
}

impl Export {
    /// Checks whether messages of the function contain positions in the program.
    pub fn has_places(&self) -> bool {
        !(self.stops.is_empty() && self.sites.is_empty() && self.kernels.values().all(Vec::is_empty))
    }

    /// Returns the error of a status, with the values of its message.
    pub fn stopped(&self, status: i64, values: &[u64]) -> Error {
        self.stop(status, values).unwrap_or_else(|| Error::TooLarge {
            function: self.name.clone(),
            bytes: "too many".to_string(),
            what: " for its data".to_string(),
            bound: limit::bound(),
        })
    }

    /// Returns the error of a check; `None` if memory is exhausted.
    fn stop(&self, status: i64, values: &[u64]) -> Option<Error> {
        let stop = self.stops.get(usize::try_from(status - 1).ok()?)?;
        let is_mismatch = self.mismatches.contains(&(status - 1));
        let ([place, message], is_mismatch, values) = match stop {
            // A check of an array function.
            [place, name] if place.is_empty() => {
                let traps = self.kernels.get(name.trim_start_matches('@'))?;
                (traps.get(usize::try_from(-(values[0] as i64) - 1).ok()?)?, false, &values[1..])
            }
            [_, message] => (stop, is_mismatch, &values[..message.matches("{}").count().min(values.len())]),
        };
        let values: Vec<i64> = values.iter().map(|v| *v as i64).collect();
        Some(Error::Stopped { place: place.clone(), text: filled_in(message, &values), is_mismatch })
    }
}
