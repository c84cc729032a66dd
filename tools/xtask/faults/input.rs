//! Faults in what is said of wrong input.

use super::{Fault, Test};

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "places: the text of a location instead of a place in a file",
        file: "dialects/bridge/names.rs",
        line: "self.place().map_or_else(|| self.to_string(), |place| place.to_string())",
        right: "self.place()",
        wrong: "None::<Place>",
        test: Test::File("test/tool/places.mlir"),
    },
    Fault {
        name: "attributes: the type of a value is not looked at",
        file: "dialects/attributes.rs",
        line: "if !row.kind.fits(value) {",
        right: "!row.kind.fits(value)",
        wrong: "!row.kind.fits(value) && false",
        test: Test::File("dialects/array/errors.mlir"),
    },
    Fault {
        name: "attributes: they may stand anywhere",
        file: "dialects/attributes.rs",
        line: "if !row.places.is_empty() && !row.places.iter().any(|place| is_place(op.name(), place)) {",
        right: "!row.places.is_empty()",
        wrong: "false",
        test: Test::File("dialects/array/errors.mlir"),
    },
    Fault {
        name: "attributes: a misspelt one without a dialect is ignored",
        file: "dialects/attributes.rs",
        line: "let is_unknown = |name: &&String| !name.contains('.') &&",
        right: "!name.contains('.')",
        wrong: "name.is_empty()",
        test: Test::File("dialects/array/errors.mlir"),
    },
    Fault {
        name: "plan-memory: nothing is refused before it is planned",
        file: "lowering/plan_memory.rs",
        line: "accepted::check(old)?;",
        right: "accepted::check(old)?",
        wrong: "()",
        test: Test::File("lowering/plan_memory_refused.mlir"),
    },
    Fault {
        name: "limits: steps are not counted",
        file: "dialects/limits.rs",
        line: "*left = rest;",
        right: "rest",
        wrong: "rest + 1",
        test: Test::File("test/tool/limits.mlir"),
    },
    Fault {
        name: "limits: compiled code takes the memory of the machine",
        file: "lowering/native/call.rs",
        line: "machine_memory().min(usize::try_from(limits::memory()).unwrap_or(usize::MAX))",
        right: "limits::memory()",
        wrong: "u64::MAX",
        test: Test::File("test/tool/limits.mlir"),
    },
    Fault {
        name: "reduce: the body of a named op of linalg is taken apart",
        file: "passes/shrink.rs",
        line: "if parent.name().starts_with(\"linalg.\")",
        right: "parent.name().starts_with(\"linalg.\")",
        wrong: "parent.name().is_empty()",
        test: Test::File("test/tool/reduce_linalg.mlir"),
    },
    Fault {
        name: "verifier: operands that were erased are read",
        file: "dialects/verify.rs",
        line: "if ends.any(Op::has_erased_operand) {",
        right: "ends.any(Op::has_erased_operand)",
        wrong: "ends.any(|_| false)",
        test: Test::File("test/tool/reduce_tree.mlir"),
    },
];
