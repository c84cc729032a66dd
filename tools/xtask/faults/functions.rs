//! Faults in functions as values. A number is that of the mistake in section G.1 of the specification of functions.

use super::{Fault, Test};

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "functions 1: what a called function captured gets no sensitivity",
        file: "passes/functions/reverse/mod.rs",
        line: "if self.varies(*operand) {",
        right: "self.varies(*operand)",
        wrong: "k > 0 && self.varies(*operand)",
        test: Test::Tools("random_functions"),
    },
    Fault {
        name: "functions 1: functions of a group are keys of each other",
        file: "passes/functions/reverse/mod.rs",
        line: "captured.into_iter().partition(|v| group.contains(v));",
        right: "group.contains(v)",
        wrong: "false",
        test: Test::Tools("random_functions"),
    },
    Fault {
        name: "functions: the rest of a list has no sensitivity",
        file: "passes/functions/reverse/sensitivity.rs",
        line: "let (head, tail) = (sum(t, out, heads), sum(t, out, tails));",
        right: "sum(t, out, tails)",
        wrong: "None",
        test: Test::Tools("random_functions"),
    },
    Fault {
        name: "functions: a recursion goes on where it should end",
        file: "passes/functions/simplify/tail.rs",
        line: "if !tail.goes_on_if {",
        right: "!tail.goes_on_if",
        wrong: "tail.goes_on_if",
        test: Test::File("passes/lambda_simplify.mlir"),
    },
    Fault {
        name: "functions: nobody waits for a loop that may run for ever",
        file: "passes/functions/simplify/dead.rs",
        line: "if is_effect(&stmt.op) || stmt.is(\"lambda.while\") {",
        right: "stmt.is(\"lambda.while\")",
        wrong: "false",
        test: Test::File("passes/lambda_simplify.mlir"),
    },
    Fault {
        name: "functions: a parameter has another type in each call of a recursion",
        file: "passes/functions/infer/mod.rs",
        line: "known.iter().rev().find(|c| self.instances[c.0].open && similar(self, c)).copied()",
        right: "self.instances[c.0].open",
        wrong: "false",
        test: Test::File("passes/lambda_specialise.mlir"),
    },
    Fault {
        name: "functions: constants of a loop are kept for each round",
        file: "passes/functions/reverse/loops.rs",
        line: "if copies.is_empty() {",
        right: "copies.is_empty()",
        wrong: "true",
        test: Test::File("passes/j_transform.mlir"),
    },
];
