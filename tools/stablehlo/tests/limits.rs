//! Hostile artifacts: deep nesting, cycles, sharing that expands, and counts beyond the bytes, on a small stack.

use mlopt_stablehlo::{Artifact, Error, read};
use std::thread;

/// The size of the stack on which artifacts must be readable; without optimisation, functions need more of it.
const STACK: usize = if cfg!(debug_assertions) { 2 << 20 } else { 512 << 10 };

/// The names of operations in `artifact`, by their numbers.
const MODULE: u64 = 0;
const CASE: u64 = 1;

/// The attributes that `artifact` starts with, by their numbers.
const UNKNOWN_LOCATION: u64 = 0;
const MODULE_ATTRIBUTES: u64 = 1;
const NAME: u64 = 2;
/// The number of the first attribute of VHLO.
const FIRST: u64 = 3;

/// Appends an unsigned integer, in the longest encoding unless it fits into one byte.
fn varint(bytes: &mut Vec<u8>, value: u64) {
    match u8::try_from(value) {
        Ok(value @ ..0x80) => bytes.push(value << 1 | 1),
        _ => {
            bytes.push(0);
            bytes.extend(value.to_le_bytes());
        }
    }
}

/// Returns the encoding of a list of unsigned integers.
fn varints(values: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    values.iter().for_each(|value| varint(&mut bytes, *value));
    bytes
}

/// Returns a section.
fn section(id: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![id];
    varint(&mut bytes, content.len() as u64);
    bytes.extend(content);
    bytes
}

/// Returns an artifact whose module has the attributes of VHLO `attributes`, the first one as an attribute of the
/// module, and the region `region`.
fn artifact(attributes: &[Vec<u8>], region: &[u8]) -> Vec<u8> {
    let names: [&[u8]; 5] = [b"builtin\0", b"vhlo\0", b"module\0", b"case_v1\0", b"x\0"];
    let mut strings = varints(&[names.len() as u64]);
    names.iter().rev().for_each(|name| varint(&mut strings, name.len() as u64));
    strings.extend(names.concat());
    // Two dialects without versions, and one operation of each.
    let dialects = varints(&[2, 0, 1 << 1, 2, 0, 1, 2 << 1 | 1, 1, 1, 3 << 1 | 1]);
    let builtin = [varints(&[15]), varints(&[1, 1, NAME, FIRST]), varints(&[2, 4])];
    let mut offsets = varints(&[FIRST + attributes.len() as u64, 0, 0, FIRST]);
    builtin.iter().for_each(|attribute| varint(&mut offsets, (attribute.len() as u64) << 1 | 1));
    varint(&mut offsets, 1);
    varint(&mut offsets, attributes.len() as u64);
    attributes.iter().for_each(|attribute| varint(&mut offsets, (attribute.len() as u64) << 1 | 1));
    let mut ir = varints(&[1 << 1, MODULE]);
    ir.push(0x11);
    ir.extend(varints(&[UNKNOWN_LOCATION, MODULE_ATTRIBUTES, 1 << 1]));
    ir.extend(region);
    let mut bytes = b"ML\xEFR".to_vec();
    varint(&mut bytes, 6);
    bytes.extend(b"StableHLO_v1.0.0\0");
    bytes.extend(section(0, &strings));
    bytes.extend(section(1, &dialects));
    bytes.extend(section(2, &[builtin.concat(), attributes.concat()].concat()));
    bytes.extend(section(3, &offsets));
    bytes.extend(section(4, &ir));
    bytes
}

/// Returns a region with `depth` operations, each in a region of the one before.
fn nested_region(depth: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..depth {
        bytes.extend(varints(&[1, 0, 1 << 1, CASE]));
        bytes.push(0x10);
        bytes.extend(varints(&[UNKNOWN_LOCATION, 1 << 1]));
    }
    varint(&mut bytes, 0);
    bytes
}

/// Returns the encodings of `count` lists, each with `width` times the next one, and of a boolean.
fn nested_lists(count: u64, width: usize) -> Vec<Vec<u8>> {
    let lists = (1..=count).map(|next| [vec![1, width as u64], vec![FIRST + next; width]].concat());
    lists.chain([vec![2, 1]]).map(|list| varints(&list)).collect()
}

/// Reads an artifact, and prints its program if it is valid.
fn read_and_print(bytes: &[u8]) -> Result<Artifact, Error> {
    read(bytes).inspect(|artifact| assert!(!artifact.module.to_string().is_empty()))
}

/// Reads an artifact on a small stack.
fn read_on_small_stack(bytes: Vec<u8>) -> Result<Artifact, Error> {
    let reader =
        thread::Builder::new().stack_size(STACK).spawn(move || read_and_print(&bytes)).expect("a thread starts");
    reader.join().expect("reading does not panic")
}

/// Checks that an artifact exceeds the limit on `expected`.
fn assert_limit(bytes: Vec<u8>, expected: &str) {
    let error = read_on_small_stack(bytes).expect_err("the artifact exceeds a limit");
    assert!(matches!(&error, Error::Limit { what, .. } if *what == expected), "{error}");
}

/// Checks that an artifact is malformed with the message `expected`.
fn assert_malformed(bytes: Vec<u8>, expected: &str) {
    let error = read_on_small_stack(bytes).expect_err("the artifact is malformed");
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn nested_regions() {
    let module = read_on_small_stack(artifact(&nested_lists(0, 1), &nested_region(63))).expect("63 regions are valid");
    assert_eq!(module.module.to_string().lines().count(), 64 * 2);
    assert_limit(artifact(&nested_lists(0, 1), &nested_region(64)), "nesting of regions");
    assert_limit(artifact(&nested_lists(0, 1), &nested_region(100_000)), "nesting of regions");
}

#[test]
fn nested_attributes() {
    let module = read_on_small_stack(artifact(&nested_lists(120, 1), &[1])).expect("120 lists are valid");
    assert!(module.module.to_string().contains(&format!("{{x = {}true{}}}", "[".repeat(120), "]".repeat(120))));
    assert_limit(artifact(&nested_lists(127, 1), &[1]), "nesting of attributes and types");
    assert_limit(artifact(&nested_lists(100_000, 1), &[1]), "nesting of attributes and types");
}

/// Each list has the next one twice.
#[test]
fn shared_attributes() {
    read_on_small_stack(artifact(&nested_lists(12, 2), &[1])).expect("12 lists are valid");
    assert_limit(artifact(&nested_lists(60, 2), &[1]), "the size of a shared attribute or type");
}

#[test]
fn cyclic_attributes() {
    let lists = [varints(&[1, 1, FIRST + 1]), varints(&[1, 1, FIRST])];
    assert_malformed(artifact(&lists, &[1]), "expected an attribute that does not contain itself, found a cycle");
}

/// Counts are compared with the bytes that remain before anything is allocated.
#[test]
fn counts_beyond_the_bytes() {
    let boolean = nested_lists(0, 1);
    for count in [1 << 20, 1 << 62, u64::MAX] {
        assert_malformed(artifact(&[varints(&[1, count])], &[1]), &format!("attributes, found {count}"));
        assert_malformed(artifact(&boolean, &varints(&[count])), &format!("blocks, found {count}"));
        assert_malformed(artifact(&boolean, &varints(&[1, count, 0])), &format!("values, found {count}"));
        assert_malformed(artifact(&boolean, &varints(&[1, 0, count])), "operations, found");
    }
}

/// Offsets in errors are offsets in the artifact.
#[test]
fn offsets_of_errors() {
    let mut bytes = artifact(&nested_lists(0, 1), &[1]);
    bytes.pop();
    bytes.push(0xFF);
    let len = bytes.len();
    let error = read(&bytes).expect_err("the last byte is wrong");
    assert!(error.to_string().starts_with(&format!("IR section, offset {len}: expected")), "{error}");
}
