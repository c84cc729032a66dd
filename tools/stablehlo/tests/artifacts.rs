//! Artifacts of several versions of VHLO against the expected text.
//!
//! The artifacts were written by StableHLO's own serialisation. The texts agree with its own deserialisation after
//! both were parsed and printed by `mlir-opt`.

use mlopt_stablehlo::{Attribute, Error, Location, Op, read};
use std::fs;
use std::path::PathBuf;

/// Returns the path of a file of the test.
fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/artifacts").join(name)
}

/// Reads the artifact `name` and checks its text, its version of VHLO and its version of bytecode.
fn check(name: &str, producer: &str, bytecode_version: u64) {
    let bytes = fs::read(path(&format!("{name}.bc"))).expect("the artifact exists");
    let expected = fs::read_to_string(path(&format!("{name}.mlir"))).expect("the expected text exists");
    let artifact = read(&bytes).expect("the artifact is valid");
    assert_eq!(artifact.producer, producer);
    assert_eq!(artifact.bytecode_version, bytecode_version);
    assert_eq!(artifact.module.to_string(), expected);
}

#[test]
fn convolution() {
    check("convolution", "StableHLO_v0.9.0", 0);
}

#[test]
fn linear_algebra() {
    check("linear_algebra", "StableHLO_v0.13.0", 3);
}

#[test]
fn while_loop() {
    check("while_loop", "StableHLO_v0.14.0", 4);
}

#[test]
fn random_bits() {
    check("random_bits", "StableHLO_v0.15.0", 6);
}

#[test]
fn types() {
    check("types", "StableHLO_v0.18.0", 6);
}

#[test]
fn sort_and_reduce_window() {
    check("sort_reduce_window", "StableHLO_v1.0.0", 6);
}

#[test]
fn gather_and_scatter() {
    check("gather_scatter", "StableHLO_v1.1.0", 6);
}

#[test]
fn custom_call() {
    check("custom_call", "StableHLO_v1.3.0", 6);
}

#[test]
fn dot_general() {
    check("dot_general", "StableHLO_v1.6.0", 6);
}

#[test]
fn dynamic_slice() {
    check("dynamic_slice", "StableHLO_v1.9.0", 6);
}

#[test]
fn mixed_dialects() {
    check("mixed_dialects", "StableHLO_v1.11.0", 6);
}

/// An export of JAX with a mesh of devices.
#[test]
fn sharded() {
    check("sharded", "StableHLO_v1.15.0", 6);
}

/// An export of JAX with sizes that are known only at run time.
#[test]
fn symbolic_sizes() {
    check("symbolic_sizes", "StableHLO_v1.15.0", 6);
}

#[test]
fn attributes() {
    check("attributes", "StableHLO_v1.17.0", 6);
}

#[test]
fn replica_mesh() {
    check("replica_mesh", "StableHLO_v1.17.0", 6);
}

#[test]
fn mlp_gradient() {
    check("mlp_gradient", "StableHLO_v1.17.0", 6);
}

#[test]
fn constants() {
    check("constants", "StableHLO_v1.17.0", 6);
}

/// Returns the first operation of the first function of the artifact `name`.
fn first_op(name: &str) -> Op {
    let bytes = fs::read(path(name)).expect("the artifact exists");
    let module = read(&bytes).expect("the artifact is valid").module.op;
    let function = &module.regions[0].blocks[0].ops[0];
    function.regions[0].blocks[0].ops[0].clone()
}

/// Returns the file of a location, inside of names and call sites.
fn file(location: &Location) -> Option<&str> {
    match location {
        Location::Unknown => None,
        Location::File { file, .. } => Some(file),
        Location::Name { child, .. } => file(child),
        Location::CallSite { callee, .. } => file(callee),
        Location::Fused(locations) => locations.iter().find_map(|location| file(location)),
    }
}

/// Locations name the line of the source program.
#[test]
fn locations() {
    let op = first_op("gather_scatter.bc");
    assert!(file(&op.location).is_some_and(|file| file.ends_with(".py")), "{:?}", op.location);
}

/// Attributes are plain data.
#[test]
fn attributes_as_data() {
    let op = first_op("dot_general.bc");
    assert_eq!(op.name, "stablehlo.dot_general");
    assert_eq!(op.operands.len(), 2);
    let precision = op.attribute("precision_config").expect("the precision is not the default");
    let Attribute::Array(cases) = &**precision else { panic!("{precision:?} is no array") };
    assert_eq!(*cases[0], Attribute::Enum { name: "precision", case: "HIGH" });
}

/// A newer version of VHLO is an error that names it.
#[test]
fn newer_version() {
    let mut bytes = fs::read(path("dot_general.bc")).expect("the artifact exists");
    let digit = bytes.windows(3).position(|window| window == b"_v1").expect("the producer has a version") + 2;
    bytes[digit] = b'7';
    let error = read(&bytes).expect_err("the version is too new");
    assert_eq!(error.to_string(), "VHLO version 7.6.0 is not supported: the newest supported version is 1.21.0");
}

/// An unknown operation is an error that names it.
#[test]
fn unknown_operation() {
    let mut bytes = fs::read(path("dot_general.bc")).expect("the artifact exists");
    let name = bytes.windows(14).position(|window| window == b"dot_general_v2").expect("the operation has a name");
    bytes[name + 13] = b'9';
    let error = read(&bytes).expect_err("the operation is unknown");
    assert!(matches!(&error, Error::Unknown { kind: "operation", name, .. } if name == "`vhlo.dot_general_v9`"));
}

/// Text is not bytecode.
#[test]
fn not_bytecode() {
    assert_eq!(read(b"module {}"), Err(Error::NotBytecode));
    assert_eq!(read(b""), Err(Error::NotBytecode));
}
