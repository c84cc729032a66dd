//! Faults that appear only at real sizes: in lanes, tiles, joined reads and functions specialised to sizes. The random
//! programs of `mlopt-testkit` find them.

use super::{Fault, Test};

const RANDOM: Test = Test::Tools("random_programs");

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "tiles: rows that fill no tile are left out",
        file: "lowering/contraction/loops.rs",
        line: "return (b.index(n - n % step as i64), b.index(n % step as i64));",
        right: "b.index(n % step as i64)",
        wrong: "b.index(0)",
        test: RANDOM,
    },
    Fault {
        name: "tiles: rows and columns of unknown number that fill no tile are left out",
        file: "lowering/contraction/loops.rs",
        line: "(b.same(Kind::ArithSubi, &[n, rest]), rest)",
        right: "(b.same(Kind::ArithSubi, &[n, rest]), rest)",
        wrong: "(b.same(Kind::ArithSubi, &[n, rest]), zero)",
        test: RANDOM,
    },
    Fault {
        name: "tiles: a panel has the columns of its first vector twice",
        file: "lowering/contraction/pack.rs",
        line: "let first = b.index((v * tiles.lanes) as i64);",
        right: "v * tiles.lanes",
        wrong: "0",
        test: RANDOM,
    },
    Fault {
        name: "tiles: a narrow panel lacks its last column",
        file: "lowering/contraction/pack.rs",
        line: "            if c >= columns {",
        right: "c >= columns",
        wrong: "c + 1 >= columns",
        test: RANDOM,
    },
    Fault {
        name: "lanes: truth values are read and written as packed bits",
        file: "lowering/llvm/narrow.rs",
        line: "if memory.ty().is_memref() && !(bits >= 8 && bits.is_power_of_two()) {",
        right: "!(bits >= 8 && bits.is_power_of_two())",
        wrong: "bits == 0",
        test: RANDOM,
    },
    Fault {
        name: "joins: any numbers of one array are read as neighbours",
        file: "lowering/loops/lanes/joined.rs",
        line: "known(*last) == Some(start + k as i64) && before == outer.as_slice()",
        right: "known(*last) == Some(start + k as i64)",
        wrong: "known(*last).is_some_and(|n| n >= start)",
        test: RANDOM,
    },
    Fault {
        name: "sizes: some sizes that are open are not kept",
        file: "passes/arrays/keep_sizes.rs",
        line: "if !operand.ty().is_tensor() || shape.iter().all(Option::is_some) {",
        right: "shape.iter().all(Option::is_some)",
        wrong: "shape.iter().any(Option::is_some)",
        test: Test::File("passes/arrays/keep_sizes.mlir"),
    },
    Fault {
        name: "specialisation: the difference of sizes is their sum",
        file: "passes/arrays/static_sizes/facts.rs",
        line: "Kind::ArithSubi => both(i64::checked_sub),",
        right: "i64::checked_sub",
        wrong: "i64::checked_add",
        test: RANDOM,
    },
    Fault {
        name: "specialisation: a division of sizes has no rest",
        file: "passes/arrays/static_sizes/facts.rs",
        line: "Kind::ArrayDiv => both(|a, b| (b > 0).then(|| a.div_euclid(b))),",
        right: "a.div_euclid(b)",
        wrong: "(a + b - 1).div_euclid(b)",
        test: RANDOM,
    },
];
