//! TableGen records, as printed by `llvm-tblgen --dump-json`.

use crate::Config;
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

/// All records of one `.td` file and of the files that it includes, by name.
pub struct Records(Map<String, Json>);

/// One record: an op, a constraint, an enum.
#[derive(Clone, Copy)]
pub struct Record<'a>(&'a Json);

impl Records {
    pub fn read(config: &Config, td: &Path) -> Records {
        let output = run(config, "llvm-tblgen", "--dump-json", td);
        match serde_json::from_slice(&output.stdout) {
            Ok(Json::Object(records)) => Records(records),
            _ => panic!("`llvm-tblgen --dump-json {}` did not print an object", td.display()),
        }
    }

    #[cfg(test)]
    pub fn from_json(json: Json) -> Records {
        match json {
            Json::Object(records) => Records(records),
            other => panic!("not an object: {other}"),
        }
    }

    /// Returns the records that are instances of `class`, in the order of their names.
    pub fn instances(&self, class: &str) -> Vec<Record<'_>> {
        let names = self.0["!instanceof"].get(class).and_then(Json::as_array);
        let names = names.into_iter().flatten().filter_map(Json::as_str);
        names.map(|name| Record(&self.0[name])).collect()
    }

    /// Returns the record to which the field `name` refers.
    pub fn field(&self, record: Record, name: &str) -> Option<Record<'_>> {
        self.target(&record.0[name])
    }

    /// Returns the records to which the list `name` refers.
    pub fn list(&self, record: Record, name: &str) -> Vec<Record<'_>> {
        let list = record.0[name].as_array();
        list.into_iter().flatten().filter_map(|reference| self.target(reference)).collect()
    }

    /// Returns the entries of a dag such as `(ins A:$x, B:$y)`: the record, and the name if there is one.
    pub fn dag<'a>(&'a self, record: Record<'a>, name: &str) -> Vec<(Record<'a>, Option<&'a str>)> {
        let entry = |entry: &'a Json| {
            let target = self.target(&entry[0]);
            let target = target.unwrap_or_else(|| panic!("{}: `{name}` has an entry {}", record.name(), entry[0]));
            // `Arg<…>` and `Res<…>` attach memory effects to a constraint.
            let target =
                if target.is_a("OpVariable") { self.field(target, "constraint").unwrap_or(target) } else { target };
            (target, entry[1].as_str())
        };
        record.0[name]["args"].as_array().into_iter().flatten().map(entry).collect()
    }

    /// Returns the C++ type and the name of each parameter of the attribute `record`, such as `(ins "int64_t":$lower)`.
    pub fn parameters<'a>(&'a self, record: Record<'a>) -> Vec<(&'a str, &'a str)> {
        let ty = |entry: &'a Json| entry.as_str().or_else(|| Some(self.target(entry)?.text("cppType")));
        let entries = record.0["parameters"]["args"].as_array().into_iter().flatten();
        entries.map(|entry| (ty(&entry[0]).unwrap_or(""), entry[1].as_str().unwrap_or(""))).collect()
    }

    fn target(&self, reference: &Json) -> Option<Record<'_>> {
        self.0.get(reference["def"].as_str()?).map(Record)
    }
}

impl<'a> Record<'a> {
    pub fn name(self) -> &'a str {
        self.text("!name")
    }

    pub fn is_a(self, class: &str) -> bool {
        self.classes().any(|name| name == class)
    }

    /// Returns the classes from which this record derives, the most general first.
    pub fn classes(self) -> impl Iterator<Item = &'a str> {
        self.0["!superclasses"].as_array().into_iter().flatten().filter_map(Json::as_str)
    }

    /// Returns a string field; empty if it is unset.
    pub fn text(self, field: &str) -> &'a str {
        self.0[field].as_str().unwrap_or("").trim()
    }

    /// Returns the texts in a list.
    pub fn texts(self, field: &str) -> Vec<&'a str> {
        self.0[field].as_array().into_iter().flatten().filter_map(Json::as_str).collect()
    }

    pub fn integer(self, field: &str) -> Option<i64> {
        self.0[field].as_i64()
    }

    pub fn flag(self, field: &str) -> bool {
        self.integer(field) == Some(1)
    }
}

/// Returns the C++ classes of `td` whose result types MLIR infers.
///
/// The traits in the `.td` file do not determine this: `mlir-tblgen` adds `InferTypeOpInterface` by its own rules, for
/// example to ops with `AllTypesMatch`, and only if the file includes `InferTypeOpInterface.td`. Therefore its output
/// is read.
pub fn inferring(config: &Config, td: &Path) -> BTreeSet<String> {
    let output = run(config, "mlir-tblgen", "-gen-op-decls", td);
    let class = |line: &str| {
        let (name, bases) = line.strip_prefix("class ")?.split_once(" : public ::mlir::Op<")?;
        bases.contains("::mlir::InferTypeOpInterface::Trait").then(|| name.to_string())
    };
    String::from_utf8_lossy(&output.stdout).lines().filter_map(class).collect()
}

fn run(config: &Config, tool: &str, action: &str, td: &Path) -> Output {
    let mut command = Command::new(config.llvm.join("bin").join(tool));
    command.arg(action).arg("-I").arg(config.llvm.join("include"));
    // Some of MLIR's files include files of the same folder without a path.
    command.args(td.parent().iter().flat_map(|folder| [Path::new("-I"), folder]));
    command.args(config.includes.iter().flat_map(|folder| [Path::new("-I"), folder]));
    let output = command.arg(td).output();
    let output = output.unwrap_or_else(|e| panic!("cannot run {tool} of {}: {e}", config.llvm.display()));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} {action} failed on {}:\n{errors}", td.display());
    output
}
