//! Faults of the command line.

use super::{Fault, Test};

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "options that are lists have no names",
        file: "dialects/mlir/bridge/Options.cpp",
        line: "visit(wrap(option.getKey()), data);",
        right: "option.getKey()",
        wrong: "option.second->getNumOccurrencesFlag() == llvm::cl::ZeroOrMore ? llvm::StringRef() : option.getKey()",
        test: Test::Tools("cli"),
    },
    Fault {
        name: "options that MLIR accepts are refused",
        file: "tools/mlopt/cli/pipeline_check.rs",
        line: "if bridge::accepts_options(name, options) {",
        right: "bridge::accepts_options(name, options)",
        wrong: "false",
        test: Test::Tools("cli"),
    },
];
