//! `cargo xtask faults`: do the tests find faults? Each entry of [`FAULTS`] is planted in a copy of the sources, one at a time; the test
//! that is named there must then fail. The copy is `target/faults`; nothing in the repository is touched.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One wrong line.
struct Fault {
    /// What is broken, and how: `cargo xtask faults WORD` plants those whose name holds WORD.
    name: &'static str,
    file: &'static str,
    /// Stands exactly once in the file.
    right: &'static str,
    wrong: &'static str,
    test: Test,
}

/// The test that must fail.
#[derive(Clone, Copy)]
enum Test {
    /// Of `mlopt-passes`: cases of every rule.
    Laws,
    /// A test of `mlopt-passes` by name.
    Passes(&'static str),
    /// A test of `mlopt-lowering` by name.
    Lowering(&'static str),
    /// A file that `mlopt test` runs.
    File(&'static str),
}

impl Test {
    /// Arguments of cargo that build, and those that run.
    fn commands(self) -> [Vec<&'static str>; 2] {
        let (build, run): (Vec<&str>, Vec<&str>) = match self {
            Test::Laws => (vec!["test", "--release", "--package", "mlopt-passes", "--lib"], vec![]),
            Test::Passes(name) => (vec!["test", "--release", "--package", "mlopt-passes", "--test", name], vec![]),
            Test::Lowering(name) => (vec!["test", "--release", "--package", "mlopt-lowering", "--test", name], vec![]),
            Test::File(file) => {
                let build = vec!["build", "--release", "--package", "mlopt"];
                return [build, vec!["run", "--release", "--package", "mlopt", "--", "test", file]];
            }
        };
        [[build.as_slice(), &["--no-run"]].concat(), [build, run].concat()]
    }
}

const FAULTS: &[Fault] = &[
    Fault {
        name: "folder: constants fold with their operands exchanged",
        file: "passes/terms/prim.rs",
        right: "SubF => a - b,",
        wrong: "SubF => b - a,",
        test: Test::Laws,
    },
    Fault {
        name: "folder: a structural zero folds to a structural one",
        file: "dialects/dual/dual.cpp",
        right: "return builder.create<ZeroOp>(loc, type);",
        wrong: "return builder.create<OneOp>(loc, type);",
        test: Test::File("dialects/dual/ops.mlir"),
    },
    Fault {
        name: "rule: one over x is x",
        file: "passes/rules/ring.rs",
        right: "Prim::DivF if zero(0) || one(1) => c[0],",
        wrong: "Prim::DivF if zero(0) || one(0) => c[0],",
        test: Test::Laws,
    },
    Fault {
        name: "rule: zero minus x is x",
        file: "passes/rules/ring.rs",
        right: "Prim::SubF if zero(0) => v.pool.prim(Prim::NegF, f, &[c[1]]),",
        wrong: "Prim::SubF if zero(0) => c[1],",
        test: Test::Laws,
    },
    Fault {
        name: "rule: a sum counts as empty when its extent is not known",
        file: "passes/rules/sum.rs",
        right: "v.pool.less(zero, n) == Some(false)",
        wrong: "v.pool.less(zero, n) != Some(true)",
        test: Test::Laws,
    },
    Fault {
        name: "rule: factors leave a sum without the licence",
        file: "passes/rules/choice.rs",
        right: "    if !f.allow(Flags::REASSOC) {\n        return;\n    }\n    for (x, a, fa) in products(v, node.children[0]) {",
        wrong: "    for (x, a, fa) in products(v, node.children[0]) {",
        test: Test::Laws,
    },
    Fault {
        name: "derivative: of a quotient in its divisor",
        file: "passes/derivatives.rs",
        right: "_ => Times(p.neg(p.apply(\"arith.divf\", &[p.z, p.x[1]]))),",
        wrong: "_ => Times(p.apply(\"arith.divf\", &[p.z, p.x[1]])),",
        test: Test::Passes("derivatives"),
    },
    Fault {
        name: "derivative: of the cosine",
        file: "passes/derivatives.rs",
        right: "(&[\"math.cos\"], Elementwise(|p, _| Times(p.neg(p.apply(\"math.sin\", &[p.x[0]]))))),",
        wrong: "(&[\"math.cos\"], Elementwise(|p, _| Times(p.apply(\"math.sin\", &[p.x[0]])))),",
        test: Test::Passes("derivatives"),
    },
    Fault {
        name: "derivative: a tie of a maximum goes to the second operand",
        file: "passes/derivatives.rs",
        right: "(&[\"arith.maximumf\"], Elementwise(|p, k| select_where(p.at_least(p.x[0], p.x[1]), k))),",
        wrong: "(&[\"arith.maximumf\"], Elementwise(|p, k| select_where(p.at_least(p.x[1], p.x[0]), 1 - k))),",
        test: Test::Passes("derivatives"),
    },
    Fault {
        name: "derivative: of a product, from the factors before on both sides",
        file: "passes/derivatives/reductions.rs",
        right: "let others = p.mul(before, after);",
        wrong: "let others = p.mul(before, before);",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "transposition: of a slice, to the wrong side",
        file: "passes/transpose_delta/ops.rs",
        right: "vec![b.unary(\"arith.addi\", &[start, i[0]], start.ty())]",
        wrong: "vec![b.unary(\"arith.subi\", &[i[0], start], start.ty())]",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "transposition: of a reversal, not reversed",
        file: "passes/transpose_delta/ops.rs",
        right: "let back = b.reverse(c);",
        wrong: "let back = c;",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "transposition: of a permutation, the same again",
        file: "passes/transpose_delta/ops.rs",
        right: "p.iter().enumerate().for_each(|(j, &axis)| inverse[axis as usize] = j);",
        wrong: "p.iter().enumerate().for_each(|(j, &axis)| inverse[j] = axis as usize);",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "bulk: a guard admits the index behind the last",
        file: "passes/bulk_operations/push.rs",
        right: "conditions.push(b.compare(SLT, i, n));",
        wrong: "conditions.push(b.compare(SGE, n, i));",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "bulk: the second part of an append starts in the wrong place",
        file: "passes/bulk_operations/push.rs",
        right: "let further = b.binary(\"arith.subi\", k, n);",
        wrong: "let further = b.binary(\"arith.addi\", k, n);",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "bulk: a product of nothing counts as zero",
        file: "passes/bulk_operations/push.rs",
        right: "!matches!(made.name(), \"array.sum\" | \"array.argmax\" | \"array.argmin\")",
        wrong: "!matches!(made.name(), \"array.sum\" | \"array.prod\" | \"array.argmax\" | \"array.argmin\")",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "bulk: the larger of two indices is taken for the smaller",
        file: "passes/bulk_operations/ranges.rs",
        right: "\"arith.maxsi\" => (la.max(lb), ma.max(mb)),",
        wrong: "\"arith.maxsi\" => (la.min(lb), ma.min(mb)),",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "lowering: a reversal starts behind the last row",
        file: "lowering/array_to_sweeps/elements.rs",
        right: "let row = self.arith(\"arith.subi\", last, indices[0], b);",
        wrong: "let row = self.arith(\"arith.subi\", n, indices[0], b);",
        test: Test::Lowering("random"),
    },
    Fault {
        name: "lowering: reads do not refuse negative indices",
        file: "lowering/array_to_sweeps/elements.rs",
        right: "let c = b.compare(Compare::Ult, *i, n);",
        wrong: "let c = b.compare(Compare::Slt, *i, n);",
        test: Test::Lowering("random"),
    },
    Fault {
        name: "lowering: products start from zero",
        file: "lowering/reduction.rs",
        right: "Kind::Prod => (1.0, 1),",
        wrong: "Kind::Prod => (0.0, 0),",
        test: Test::Lowering("random"),
    },
    Fault {
        name: "lowering: the part of a buffer starts at its beginning",
        file: "lowering/plan_memory/places.rs",
        right: "*i = b.same(\"arith.addi\", &[first, *i]);",
        wrong: "*i = b.same(\"arith.maxsi\", &[first, *i]);",
        test: Test::Lowering("arrays"),
    },
];

/// Plants each fault whose name holds `word`; fails when a test does not find one.
pub fn run(word: &str) -> Result<(), String> {
    let copy = root().join("target/faults");
    copy_sources(&copy)?;
    let chosen: Vec<&Fault> = FAULTS.iter().filter(|f| f.name.contains(word)).collect();
    let mut missed = vec![];
    for fault in &chosen {
        let found = plant(fault, &copy)?;
        println!("{} {}", if found { "found " } else { "MISSED" }, fault.name);
        if !found {
            missed.push(fault.name);
        }
    }
    println!("{} of {} faults found", chosen.len() - missed.len(), chosen.len());
    if chosen.is_empty() {
        Err(format!("no fault holds `{word}`"))
    } else if missed.is_empty() {
        Ok(())
    } else {
        Err(missed.join("\n"))
    }
}

/// Whether the test fails with the fault in the copy, which is as before afterwards.
fn plant(fault: &Fault, copy: &Path) -> Result<bool, String> {
    let file = copy.join(fault.file);
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", fault.file))?;
    if text.matches(fault.right).count() != 1 {
        return Err(format!("{}: expected once, to plant `{}`:\n{}", fault.file, fault.name, fault.right));
    }
    let write = |text: &str| fs::write(&file, text).map_err(|e| format!("{}: {e}", fault.file));
    write(&text.replacen(fault.right, fault.wrong, 1))?;
    let [build, run] = fault.test.commands();
    let built = cargo(copy, &build);
    let outcome = built.and_then(|built| match built.status.success() {
        true => cargo(copy, &run),
        false => Err(format!("`{}` does not compile:\n{}", fault.name, String::from_utf8_lossy(&built.stderr))),
    });
    write(&text)?;
    Ok(!outcome?.status.success())
}

/// Runs cargo on the copy, with the libraries that are built already.
fn cargo(copy: &Path, arguments: &[&str]) -> Result<Output, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(copy).env("CARGO_TARGET_DIR", root().join("target"));
    command.output().map_err(|e| format!("cargo: {e}"))
}

/// Every file that git knows, where it differs: what is equal keeps its time, so that little is built again.
fn copy_sources(copy: &Path) -> Result<(), String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.map_err(|e| format!("git: {e}"))?;
    for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|n| !n.is_empty()) {
        let (from, to): (PathBuf, PathBuf) = (root().join(name), copy.join(name));
        let Ok(bytes) = fs::read(&from) else { continue };
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        let made = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&to, bytes));
        made.map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code moves: an entry that can no longer be planted is found here, not in an hour's run.
    #[test]
    fn every_fault_can_be_planted() {
        for fault in FAULTS {
            let text = fs::read_to_string(root().join(fault.file)).unwrap_or_else(|e| panic!("{}: {e}", fault.file));
            assert_eq!(text.matches(fault.right).count(), 1, "{}: {}", fault.file, fault.right);
            assert_ne!(fault.right, fault.wrong);
        }
        assert!(FAULTS.len() >= 15);
        for kind in ["folder", "rule", "derivative", "transposition", "bulk", "lowering"] {
            assert!(FAULTS.iter().any(|f| f.name.starts_with(kind)), "no fault in a {kind}");
        }
    }
}
