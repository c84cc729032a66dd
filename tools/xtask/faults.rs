//! `cargo xtask faults`: do the tests find faults? All entries of [`FAULTS`] are planted in a copy of the sources, each where it is on
//! only if the environment names it; so one build is enough. The test that is named there must succeed without the fault and fail
//! with it. The copy is `target/faults`; nothing in the repository is touched.

use crate::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One wrong expression.
struct Fault {
    /// What is broken, and how: `cargo xtask faults WORD` plants those whose name holds WORD.
    name: &'static str,
    file: &'static str,
    /// Stands exactly once in the file.
    line: &'static str,
    /// An expression, exactly once in `line`, and what stands in its place.
    right: &'static str,
    wrong: &'static str,
    test: Test,
}

/// The test that must fail.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    /// The unit tests.
    Laws,
    /// Of these, the cases of every rule: each of its conditions stops it somewhere.
    Cases,
    /// A test of `mlopt-passes` by name.
    Passes(&'static str),
    /// A test of `mlopt-lowering` by name.
    Lowering(&'static str),
    /// A file that `mlopt test` runs.
    File(&'static str),
}

/// The name of that test.
const CASES: &str = "every_rule_fires_where_it_holds_and_only_there";

impl Test {
    /// Builds and runs the test in `copy`. Always the whole workspace, so that all tests share the libraries that they are built with.
    fn run(self, copy: &Path, fault: &str) -> Result<Output, String> {
        let test = ["test", "--release", "--workspace"];
        match self {
            Test::Laws => cargo(copy, &[&test[..], &["--lib"]].concat(), fault),
            Test::Cases => cargo(copy, &[&test[..], &["--lib", CASES]].concat(), fault),
            Test::Passes(name) | Test::Lowering(name) => cargo(copy, &[&test[..], &["--test", name]].concat(), fault),
            Test::File(file) => {
                let built = cargo(copy, &["build", "--release", "--workspace"], fault)?;
                if !built.status.success() {
                    return Ok(built);
                }
                let mlopt = copy.join("target/release/mlopt");
                let outcome = Command::new(mlopt).args(["test", file]).current_dir(copy).env(SWITCH, fault).output();
                outcome.map_err(|e| format!("mlopt: {e}"))
            }
        }
    }
}

const FAULTS: &[Fault] = &[
    Fault {
        name: "folder: constants fold with their operands exchanged",
        file: "passes/terms/prim.rs",
        line: "SubF => a - b,",
        right: "a - b",
        wrong: "b - a",
        test: Test::Laws,
    },
    Fault {
        name: "folder: a structural zero folds to a structural one",
        file: "dialects/dual/dual.cpp",
        line: "return builder.create<ZeroOp>(loc, type);",
        right: "builder.create<ZeroOp>(loc, type)",
        wrong: "builder.create<OneOp>(loc, type).getOperation()",
        test: Test::File("dialects/dual/ops.mlir"),
    },
    Fault {
        name: "rule: one over x is x",
        file: "passes/rules/ring.rs",
        line: "Prim::DivF if zero(0) || one(1) => c[0],",
        right: "one(1)",
        wrong: "one(0)",
        test: Test::Cases,
    },
    Fault {
        name: "rule: zero minus x is x",
        file: "passes/rules/ring.rs",
        line: "Prim::SubF if zero(0) => v.pool.prim(Prim::NegF, f, &[c[1]]),",
        right: "v.pool.prim(Prim::NegF, f, &[c[1]])",
        wrong: "c[1]",
        test: Test::Cases,
    },
    Fault {
        name: "rule: a sum counts as empty when its extent is not known",
        file: "passes/rules/sum.rs",
        line: "v.pool.less(zero, n) == Some(false)",
        right: "v.pool.less(zero, n) == Some(false)",
        wrong: "v.pool.less(zero, n) != Some(true)",
        test: Test::Cases,
    },
    Fault {
        name: "rule fold-constants: functions of the library fold",
        file: "passes/rules/index.rs",
        line: "    if !exactly_rounded(p) {",
        right: "!exactly_rounded(p)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule fold-constants: an undefined result is zero",
        file: "passes/rules/index.rs",
        line: "if let Some(bits) = r.to_bits(element) {",
        right: "r.to_bits(element)",
        wrong: "r.to_bits(element).or(Some(0))",
        test: Test::Cases,
    },
    Fault {
        name: "rule sort-operands: every operation commutes",
        file: "passes/rules/index.rs",
        line: "    if !p.commutes() || is_linear {",
        right: "!p.commutes()",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule decide-comparison: what is not proved is true",
        file: "passes/rules/index.rs",
        line: "        SLT => v.pool.less(a, b),",
        right: "v.pool.less(a, b)",
        wrong: "v.pool.less(a, b).or(Some(true))",
        test: Test::Cases,
    },
    Fault {
        name: "rule plain-zero: x + 0 = x without nsz",
        file: "passes/rules/ring.rs",
        line: "(Prim::AddF, _) if value == 0.0 && (negative || f.allow(Flags::NSZ)) => x,",
        right: "f.allow(Flags::NSZ)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule plain-zero: x·0 = 0 without a licence",
        file: "passes/rules/ring.rs",
        line: "if value == 0.0 && f.allow(Flags::ZERO_ABSORBS) => c,",
        right: "f.allow(Flags::ZERO_ABSORBS)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule cancel: x - x = 0 without a licence",
        file: "passes/rules/ring.rs",
        line: "!f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0))",
        right: "!f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0))",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule gather-constants: the outer operator carries nothing",
        file: "passes/rules/ring.rs",
        line: "    if !f.allow(Flags::REASSOC) {",
        right: "!f.allow(Flags::REASSOC)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule gather-constants: the inner operator carries nothing",
        file: "passes/rules/ring.rs",
        line: "if q == p && g.allow(Flags::REASSOC));",
        right: "g.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule distribute-mask: the product carries nothing",
        file: "passes/rules/cond.rs",
        line: "    for k in 0..if f.allow(Flags::REASSOC) { places } else { 0 } {",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule distribute-mask, double-mask: the addition carries nothing",
        file: "passes/rules/cond.rs",
        line: "    let splits = matches!(node.op, Op::Prim(Prim::AddF | Prim::SubF, f) if f.allow(Flags::REASSOC));",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule cond-merge: no arm is a constant",
        file: "passes/rules/cond.rs",
        line: "arms.iter().any(|&a| is_constant(v, a))",
        right: "arms.iter().any(|&a| is_constant(v, a))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule cond-out: arms do not simplify",
        file: "passes/rules/cond.rs",
        line: "                    simplified(v, p, f, &args)\n",
        right: "simplified(v, p, f, &args)",
        wrong: "simplified(v, p, f, &args).or_else(|| Some(v.pool.prim(p, f, &args)))",
        test: Test::Cases,
    },
    Fault {
        name: "rule get-of-build: every read is in range",
        file: "passes/rules/array.rs",
        line: "        match v.pool.in_bounds(i, n) {",
        right: "v.pool.in_bounds(i, n)",
        wrong: "Some(true)",
        test: Test::Cases,
    },
    Fault {
        name: "rule get-of-build: what may trap is guarded too",
        file: "passes/rules/array.rs",
        line: "                if !v.pool.info(body).speculatable {",
        right: "!v.pool.info(body).speculatable",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule get-of-stack: any row is the first",
        file: "passes/rules/array.rs",
        line: "    let Some(k) = v.pool.as_int(node.children[1]).and_then(",
        right: "v.pool.as_int(node.children[1])",
        wrong: "Some(0i64)",
        test: Test::Cases,
    },
    Fault {
        name: "rule stack-of-gets: some rows of the array",
        file: "passes/rules/array.rs",
        line: "        if all && node.children",
        right: "all",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule stack-of-equal: the rows differ",
        file: "passes/rules/array.rs",
        line: "others.iter().all(|&y| y == x) {",
        right: "others.iter().all(|&y| y == x)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule get-outside: every read is outside",
        file: "passes/rules/array.rs",
        line: "v.pool.in_bounds(node.children[1], n) == Some(false)",
        right: "v.pool.in_bounds(node.children[1], n) == Some(false)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule get-outside: rows are numbers",
        file: "passes/rules/array.rs",
        line: "    if v.pool.rank(t) > 0 {\n        return;\n    }\n    let n = v.pool.extent(node.children[0], 0);",
        right: "v.pool.rank(t) > 0",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule build-of-get: the array may depend on the index",
        file: "passes/rules/array.rs",
        line: "v.pool.op(i) != Op::Ix(0) || v.pool.mentions(a, 0)",
        right: "v.pool.mentions(a, 0)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule build-of-get: of any length",
        file: "passes/rules/array.rs",
        line: "v.pool.equal(length, n) == Some(true)",
        right: "v.pool.equal(length, n) == Some(true)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-last: the body may read the state",
        file: "passes/rules/ifold.rs",
        line: "f.inits.len() != 1 || v.pool.mentions(body, 1) ||",
        right: "v.pool.mentions(body, 1)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-last: what may trap runs once more",
        file: "passes/rules/ifold.rs",
        line: "!(runs || v.pool.info(body).speculatable)",
        right: "v.pool.info(body).speculatable",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-single, sum-one-hot: an index that is not solved for is the other side",
        file: "passes/rules/ifold.rs",
        line: "if let Some(d) = v.pool.solve(node.children[0], node.children[1]) {",
        right: "v.pool.solve(node.children[0], node.children[1])",
        wrong: "v.pool.solve(node.children[0], node.children[1]).or(Some(node.children[0]))",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-single: the index is compared with a state",
        file: "passes/rules/ifold.rs",
        line: "        if v.pool.mentions(d, 1) ||",
        right: "v.pool.mentions(d, 1)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-single: the condition reads the state",
        file: "passes/rules/ifold.rs",
        line: "|| rest.iter().any(|&r| v.pool.mentions(r, 1)) {",
        right: "rest.iter().any(|&r| v.pool.mentions(r, 1))",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-unswitch: the condition reads the index",
        file: "passes/rules/ifold.rs",
        line: "partition(|&p| !v.pool.mentions(p, 0) &&",
        right: "!v.pool.mentions(p, 0)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-unswitch: the condition reads the state",
        file: "passes/rules/ifold.rs",
        line: "&& !v.pool.mentions(p, 1));\n        if fixed.is_empty()",
        right: "!v.pool.mentions(p, 1)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-sum: additions carry nothing",
        file: "passes/rules/ifold.rs",
        line: "    let licensed = !float || flags.allow(Flags::REASSOC);",
        right: "flags.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-sum: what is added reads the state",
        file: "passes/rules/ifold.rs",
        line: "                if v.pool.mentions(e, 1) {",
        right: "v.pool.mentions(e, 1)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-sum: masks are added to a number",
        file: "passes/rules/ifold.rs",
        line: "matches!(v.pool.op(z), Op::Zero(_)) && masks.len() <= 2",
        right: "matches!(v.pool.op(z), Op::Zero(_))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-sum: any number of masks",
        file: "passes/rules/ifold.rs",
        line: "&& masks.len() <= 2 &&",
        right: "masks.len() <= 2",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-sum: masks that select more than one index",
        file: "passes/rules/ifold.rs",
        line: "masks.into_iter().all(|e| one_hot(v, e));",
        right: "masks.into_iter().all(|e| one_hot(v, e))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule last-writer: another body reads the component",
        file: "passes/rules/ifold.rs",
        line: "|| others.iter().any(|&j| reads(v, f.bodies[j]))\n",
        right: "others.iter().any(|&j| reads(v, f.bodies[j]))",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule last-writer: the condition reads the component",
        file: "passes/rules/ifold.rs",
        line: "    if reads(v, c)\n",
        right: "reads(v, c)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule last-writer: what is written reads a state",
        file: "passes/rules/ifold.rs",
        line: "        || v.pool.mentions(h, 1)\n",
        right: "v.pool.mentions(h, 1)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule last-writer: what is written may trap",
        file: "passes/rules/ifold.rs",
        line: "        || !v.pool.info(h).speculatable\n",
        right: "!v.pool.info(h).speculatable",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-one-hot: the user's zero vanishes",
        file: "passes/rules/sum.rs",
        line: "x == 0.0 && (ignores_sign || ignores_sign_of_zero(v, e)),",
        right: "(ignores_sign || ignores_sign_of_zero(v, e))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-mask-out: the condition reads the index",
        file: "passes/rules/sum.rs",
        line: "partition(|&p| !v.pool.mentions(p, 0));",
        right: "!v.pool.mentions(p, 0)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-mask-out: a number zero stays one outside",
        file: "passes/rules/sum.rs",
        line: "        if fixed.is_empty() || !stays_zero ||",
        right: "!stays_zero",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-split-mask: additions carry nothing",
        file: "passes/rules/sum.rs",
        line: "p == Prim::AddI || f.allow(Flags::REASSOC);",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-split-mask: no addend is a mask",
        file: "passes/rules/sum.rs",
        line: "        let worth = all.iter().any(|&x| is_mask(v, x));",
        right: "all.iter().any(|&x| is_mask(v, x))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-split-mask: any number of masks",
        file: "passes/rules/sum.rs",
        line: "all.len() == 2 &&",
        right: "all.len() == 2",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-split-mask: masks that select more than one index",
        file: "passes/rules/sum.rs",
        line: "&& all.iter().all(|&x| selects(v, x));",
        right: "all.iter().all(|&x| selects(v, x))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-exchange-one-hot: the condition selects more than one index",
        file: "passes/rules/sum.rs",
        line: "            if fixes_index(v, c).is_none() {",
        right: "fixes_index(v, c).is_none()",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-exchange-one-hot: the inner extent depends on the outer index",
        file: "passes/rules/sum.rs",
        line: "        if v.pool.mentions(m, 0) {",
        right: "v.pool.mentions(m, 0)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-exchange-one-hot: the user's zero",
        file: "passes/rules/sum.rs",
        line: "            if !is_structural_zero(v, z) {",
        right: "!is_structural_zero(v, z)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-invariant: what is added depends on the index",
        file: "passes/rules/sum.rs",
        line: "    if v.pool.mentions(body, 0) || !v.pool.may_leave(body, n) {",
        right: "v.pool.mentions(body, 0)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-invariant: nothing carries reassoc",
        file: "passes/rules/sum.rs",
        line: "Op::Prim(_, f) | Op::Reduce(_, f) if f.allow(Flags::REASSOC) => Some(f),",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-invariant: of negative extents too",
        file: "passes/rules/sum.rs",
        line: "    if v.pool.less(n, zero) != Some(false) {",
        right: "v.pool.less(n, zero) != Some(false)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule scatter-onto: positions that do not reach all are guarded",
        file: "passes/rules/scatter.rs",
        line: "            if !guarded || !v.pool",
        right: "!guarded",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule scatter-onto: a position that mentions no index",
        file: "passes/rules/scatter.rs",
        line: "            [] if guarded => solved",
        right: "guarded",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule scatter-into: what is added may trap",
        file: "passes/rules/scatter.rs",
        line: "|| !v.pool.info(s.e).speculatable {",
        right: "!v.pool.info(s.e).speculatable",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-scatter: the product carries nothing",
        file: "passes/rules/scatter.rs",
        line: "        && f.allow(Flags::REASSOC)\n    {",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-scatter: a number zero times an infinity",
        file: "passes/rules/scatter.rs",
        line: "f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0))",
        right: "f.allow(Flags(Flags::NNAN.0 | Flags::NINF.0))",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-split: the addition carries nothing",
        file: "passes/rules/contract.rs",
        line: "        && f.allow(Flags::REASSOC)\n",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-products: the products carry nothing",
        file: "passes/rules/contract.rs",
        line: "        Op::Prim(Prim::MulF, f) if f.allow(Flags::REASSOC) => {",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule unroll-build, unroll-sum: loops of any length",
        file: "passes/rules/unroll.rs",
        line: ".is_some_and(|n| n <= LONGEST)",
        right: "n <= LONGEST",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule unroll-build, unroll-sum, unroll-loop: loops that decide nothing",
        file: "passes/rules/unroll.rs",
        line: "    decides.then_some(Short { count, saves })",
        right: "decides.then_some(Short { count, saves })",
        wrong: "Some(Short { count, saves: saves || decides })",
        test: Test::Cases,
    },
    Fault {
        name: "rule unroll-build: loops that compare with an index from outside",
        file: "passes/rules/unroll.rs",
        line: "Op::Ix(level) => level <= depth &&",
        right: "level <= depth",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule unroll-build: arrays of any size",
        file: "passes/rules/unroll.rs",
        line: "    if elements > LARGEST_ARRAY || !saves {",
        right: "elements > LARGEST_ARRAY",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule factor, sum-factor-out: the products carry nothing",
        file: "passes/rules/choice.rs",
        line: "matches!(op, Op::Prim(Prim::MulF, f) if f.allow(Flags::REASSOC)))",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule factor: the addition carries nothing",
        file: "passes/rules/choice.rs",
        line: "    if !f.allow(Flags::REASSOC) {\n        return;\n    }\n    for (x, a, fa) in products(v, node.children[0]) {",
        right: "!f.allow(Flags::REASSOC)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-factor-out: the factor depends on the index",
        file: "passes/rules/choice.rs",
        line: "        if !v.pool.mentions(c, 0) && v.pool.may_leave(c, node.children[0]) {",
        right: "!v.pool.mentions(c, 0)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-exchange: the inner extent depends on the outer index",
        file: "passes/rules/choice.rs",
        line: "        if v.pool.mentions(m, 0) {",
        right: "v.pool.mentions(m, 0)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule cond-into: an arm is no constant",
        file: "passes/rules/cond.rs",
        line: "is_constant(v, c.children[1]) && is_constant(v, c.children[2])",
        right: "is_constant(v, c.children[2])",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-by-constant: without arcp",
        file: "passes/rules/strength.rs",
        line: "(f.allow(Flags::ARCP) && c != 0.0",
        right: "f.allow(Flags::ARCP)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-by-constant: by zero",
        file: "passes/rules/strength.rs",
        line: "&& c != 0.0 && c.is_finite())",
        right: "c != 0.0",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule peel-first: of a loop that does not run",
        file: "passes/rules/peel.rs",
        line: "filter(|&n| n > 0) else { return };\n    let (zero, fewer)",
        right: "n > 0",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule peel-last: of a loop that does not run",
        file: "passes/rules/peel.rs",
        line: "filter(|&n| n > 0) else { return };\n    let fewer",
        right: "n > 0",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule index-algebra: integers of any width",
        file: "passes/terms/range.rs",
        line: "        if !matches!(self.element(t), Element::Index | Element::I64) {\n            return self.as_int",
        right: "!matches!(self.element(t), Element::Index | Element::I64)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-factor-out: the quotient carries nothing",
        file: "passes/rules/choice.rs",
        line: "                if f.allow(Flags::REASSOC)\n",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-factor-out: the divisor depends on the index",
        file: "passes/rules/choice.rs",
        line: "                    && !v.pool.mentions(args[1], 0)",
        right: "!v.pool.mentions(args[1], 0)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-factor-out: the sign of an empty sum",
        file: "passes/rules/choice.rs",
        line: "Prim::NegF if ignores_sign => {}",
        right: "ignores_sign",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-by-invariant: without arcp",
        file: "passes/rules/strength.rs",
        line: "if f.allow(Flags::ARCP) && changes_less",
        right: "f.allow(Flags::ARCP)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-by-invariant: the divisor changes as often",
        file: "passes/rules/strength.rs",
        line: "&& changes_less &&",
        right: "changes_less",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule power: without afn",
        file: "passes/rules/strength.rs",
        line: "!f.allow(Flags::AFN)",
        right: "!f.allow(Flags::AFN)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule power: roots of -0 and -∞",
        file: "passes/rules/strength.rs",
        line: "        0.5 if root &&",
        right: "root",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: exp carries too little",
        file: "passes/rules/strength.rs",
        line: "Prim::Exp if f.allow(without_signs) => {",
        right: "f.allow(without_signs)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: the logarithm in exp carries nothing",
        file: "passes/rules/strength.rs",
        line: "operands(v, node.children[0], Prim::Log, without_signs)",
        right: "operands(v, node.children[0], Prim::Log, without_signs)",
        wrong: "operands(v, node.children[0], Prim::Log, Flags::NONE)",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: log carries too little",
        file: "passes/rules/strength.rs",
        line: "Prim::Log if f.allow(algebra) => {",
        right: "f.allow(algebra)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: exp in the logarithm carries nothing",
        file: "passes/rules/strength.rs",
        line: "operands(v, node.children[0], Prim::Exp, algebra)",
        right: "operands(v, node.children[0], Prim::Exp, algebra)",
        wrong: "operands(v, node.children[0], Prim::Exp, Flags::NONE)",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: the product of roots carries too little",
        file: "passes/rules/strength.rs",
        line: "node.children[0] == node.children[1] && f.allow(without_signs) => {",
        right: "f.allow(without_signs)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: the square in the root carries nothing",
        file: "passes/rules/strength.rs",
        line: "operands(v, node.children[0], Prim::MulF, algebra)",
        right: "operands(v, node.children[0], Prim::MulF, algebra)",
        wrong: "operands(v, node.children[0], Prim::MulF, Flags::NONE)",
        test: Test::Cases,
    },
    Fault {
        name: "rule inverse-functions: the root of any product",
        file: "passes/rules/strength.rs",
        line: "                if x[0] == x[1] {",
        right: "x[0] == x[1]",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule exponential-of-sum: the product carries nothing",
        file: "passes/rules/strength.rs",
        line: "    if !f.allow(Flags::REASSOC) {",
        right: "!f.allow(Flags::REASSOC)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule exponential-of-sum: a factor carries nothing",
        file: "passes/rules/strength.rs",
        line: "operands(v, node.children[1], Prim::Exp, Flags::REASSOC)",
        right: "operands(v, node.children[1], Prim::Exp, Flags::REASSOC)",
        wrong: "operands(v, node.children[1], Prim::Exp, Flags::NONE)",
        test: Test::Cases,
    },
    Fault {
        name: "rule cond-equal: what it equals is no constant",
        file: "passes/rules/cond.rs",
        line: "v.pool.as_int(k).is_some() &&",
        right: "v.pool.as_int(k).is_some()",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule cond-equal: constants are replaced too",
        file: "passes/rules/cond.rs",
        line: "&& v.pool.as_int(x).is_none()",
        right: "v.pool.as_int(x).is_none()",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-reduction: what is combined reads the state",
        file: "passes/rules/ifold.rs",
        line: "if q != p || v.pool.mentions(e, 1) {",
        right: "v.pool.mentions(e, 1)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-reduction: without a licence",
        file: "passes/rules/ifold.rs",
        line: "    if !flags.allow(needed) ||",
        right: "!flags.allow(needed)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-to-reduction: the greatest of nothing",
        file: "passes/rules/ifold.rs",
        line: "|| !has_elements {",
        right: "!has_elements",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule loop-interchange: another element of the state is read",
        file: "passes/rules/interchange.rs",
        line: "        if v.pool.mentions(e, 2) {",
        right: "v.pool.mentions(e, 2)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule shift-log-sum-exp: without a licence",
        file: "passes/rules/stable.rs",
        line: "    if !f.allow(NEEDED) || !v.pool",
        right: "!f.allow(NEEDED)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule shift-log-sum-exp: again and again",
        file: "passes/rules/stable.rs",
        line: "mentions(e, 0) || is_shifted {",
        right: "is_shifted",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule shift-softmax: without a licence",
        file: "passes/rules/stable.rs",
        line: "    if !f.allow(NEEDED) || !g.allow(NEEDED) {",
        right: "!f.allow(NEEDED) || !g.allow(NEEDED)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule affine-recurrence: without a licence",
        file: "passes/rules/recurrence.rs",
        line: "    if !flags.allow(Flags::REASSOC) ||",
        right: "!flags.allow(Flags::REASSOC)",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule affine-recurrence: the factor changes",
        file: "passes/rules/recurrence.rs",
        line: "!is_invariant || v.pool.mentions(e, 1) {",
        right: "!is_invariant",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule double-mask: without a licence",
        file: "passes/rules/cond.rs",
        line: "    if f.allow(Flags::REASSOC) && node.children[1] ==",
        right: "f.allow(Flags::REASSOC)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule double-mask: other terms",
        file: "passes/rules/cond.rs",
        line: "node.children[1] == s && has_mask(v, s)",
        right: "node.children[1] == s",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-window: any zero",
        file: "passes/rules/sum.rs",
        line: "        let is_absent = is_structural_zero(v, z);",
        right: "is_structural_zero(v, z)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-window: what may wrap",
        file: "passes/rules/sum.rs",
        line: "    if c.abs() != 1 || rest.terms.iter().any(|x| v.pool.mentions(x.0, 0)) || !v.pool.bounded(&[&gap]) {",
        right: "!v.pool.bounded(&[&gap])",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-window: no shorter",
        file: "passes/rules/sum.rs",
        line: "            (is_new && width > 0 && width <= longest).then(|| (l.clone(), u.clone(), width))",
        right: "width <= longest",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule build-to-scatter: a position of the array itself",
        file: "passes/rules/scatter.rs",
        line: "    if c.abs() != 1 || rest.terms.iter().any(|x| mentions_axis(x.0)) {",
        right: "rest.terms.iter().any(|x| mentions_axis(x.0))",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule build-to-scatter: what may be undefined",
        file: "passes/rules/scatter.rs",
        line: "    if depth == axes || !is_mask(v, body) || !v.pool.info(body).speculatable {",
        right: "!v.pool.info(body).speculatable",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule sum-of-invariant, sum-mask-out, loop-unswitch, sum-factor-out, affine-recurrence: out of a loop without iterations",
        file: "passes/terms/range.rs",
        line: "        self.info(t).speculatable || self.less(zero, n) == Some(true)",
        right: "self.info(t).speculatable",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-sum: what may wrap",
        file: "passes/rules/index.rs",
        line: "    if !v.pool.bounded(&[&q, &r, &divisor]) {",
        right: "!v.pool.bounded(&[&q, &r, &divisor])",
        wrong: "false",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-sum: the rest is taken for small",
        file: "passes/rules/index.rs",
        line: "    if v.pool.is_within(&r, d) {",
        right: "v.pool.is_within(&r, d)",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-quotient: a negative divisor outside",
        file: "passes/rules/index.rs",
        line: "let Some(b) = v.pool.positive_divisor(t) else",
        right: "v.pool.positive_divisor(t)",
        wrong: "v.pool.as_int(node.children[1]).map(i128::from)",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-quotient: a negative divisor inside",
        file: "passes/rules/index.rs",
        line: "        if a <= 0 {",
        right: "a <= 0",
        wrong: "a == 0",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-quotient: a remainder by another number",
        file: "passes/rules/index.rs",
        line: "Prim::Mod if !is_quotient && a % b == 0 =>",
        right: "a % b == 0",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "rule divide-quotient: a remainder divided by another number",
        file: "passes/rules/index.rs",
        line: "Prim::Div if !is_quotient && a % b == 0 =>",
        right: "a % b == 0",
        wrong: "true",
        test: Test::Cases,
    },
    Fault {
        name: "derivative: of a quotient in its divisor",
        file: "passes/derivatives.rs",
        line: "_ => Times(p.neg(p.apply(\"arith.divf\", &[p.z, p.x[1]]))),",
        right: "p.neg(p.apply(\"arith.divf\", &[p.z, p.x[1]]))",
        wrong: "p.apply(\"arith.divf\", &[p.z, p.x[1]])",
        test: Test::Passes("derivatives"),
    },
    Fault {
        name: "derivative: of the cosine",
        file: "passes/derivatives.rs",
        line: "(&[\"math.cos\"], Elementwise(|p, _| Times(p.neg(p.apply(\"math.sin\", &[p.x[0]]))))),",
        right: "p.neg(p.apply(\"math.sin\", &[p.x[0]]))",
        wrong: "p.apply(\"math.sin\", &[p.x[0]])",
        test: Test::Passes("derivatives"),
    },
    Fault {
        name: "derivative: a tie of a maximum goes to the second operand",
        file: "passes/derivatives.rs",
        line: "(&[\"arith.maximumf\"], Elementwise(|p, k| select_where(p.at_least(p.x[0], p.x[1]), k))),",
        right: "select_where(p.at_least(p.x[0], p.x[1]), k)",
        wrong: "select_where(p.at_least(p.x[1], p.x[0]), 1 - k)",
        test: Test::Passes("derivatives"),
    },
    Fault {
        name: "derivative: of a product, from the factors before on both sides",
        file: "passes/derivatives/reductions.rs",
        line: "let others = p.mul(before, after);",
        right: "p.mul(before, after)",
        wrong: "p.mul(before, before)",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "transposition: of a slice, to the wrong side",
        file: "passes/transpose_delta/ops.rs",
        line: "vec![b.unary(\"arith.addi\", &[start, i[0]], start.ty())]",
        right: "b.unary(\"arith.addi\", &[start, i[0]], start.ty())",
        wrong: "b.unary(\"arith.subi\", &[i[0], start], start.ty())",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "transposition: of a reversal, not reversed",
        file: "passes/transpose_delta/ops.rs",
        line: "let back = b.reverse(c);",
        right: "b.reverse(c)",
        wrong: "c",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "transposition: of a permutation, the same again",
        file: "passes/transpose_delta/ops.rs",
        line: "p.iter().enumerate().for_each(|(j, &axis)| inverse[axis as usize] = j);",
        right: "inverse[axis as usize] = j",
        wrong: "inverse[j] = axis as usize",
        test: Test::Passes("reverse"),
    },
    Fault {
        name: "bulk: a guard admits the index behind the last",
        file: "passes/bulk_operations/push.rs",
        line: "conditions.push(b.compare(SLT, i, n));",
        right: "b.compare(SLT, i, n)",
        wrong: "b.compare(SGE, n, i)",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "bulk: the second part of an append starts in the wrong place",
        file: "passes/bulk_operations/push.rs",
        line: "let further = b.binary(\"arith.subi\", k, n);",
        right: "\"arith.subi\"",
        wrong: "\"arith.addi\"",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "bulk: a product of nothing counts as zero",
        file: "passes/bulk_operations/push.rs",
        line: "!matches!(made.name(), \"array.sum\" | \"array.argmax\" | \"array.argmin\")",
        right: "!matches!(made.name(), \"array.sum\" | \"array.argmax\" | \"array.argmin\")",
        wrong: "!matches!(made.name(), \"array.sum\" | \"array.prod\" | \"array.argmax\" | \"array.argmin\")",
        test: Test::File("passes/bulk_operations/empty.mlir"),
    },
    Fault {
        name: "bulk: the larger of two indices is taken for the smaller",
        file: "passes/bulk_operations/ranges.rs",
        line: "\"arith.maxsi\" => (la.max(lb), ma.max(mb)),",
        right: "(la.max(lb), ma.max(mb))",
        wrong: "(la.min(lb), ma.min(mb))",
        test: Test::Passes("bulk"),
    },
    Fault {
        name: "lowering: a reversal starts behind the last row",
        file: "lowering/array_to_sweeps/elements.rs",
        line: "let row = self.arith(\"arith.subi\", last, indices[0], b);",
        right: "last",
        wrong: "n",
        test: Test::Lowering("random"),
    },
    Fault {
        name: "lowering: reads do not refuse negative indices",
        file: "lowering/array_to_sweeps/elements.rs",
        line: "let c = b.compare(Compare::Ult, *i, n);",
        right: "Compare::Ult",
        wrong: "Compare::Slt",
        test: Test::File("test/arrays/reads_outside.mlir"),
    },
    Fault {
        name: "lowering: products start from zero",
        file: "lowering/reduction.rs",
        line: "Kind::Prod => (1.0, 1),",
        right: "(1.0, 1)",
        wrong: "(0.0, 0)",
        test: Test::Lowering("random"),
    },
    Fault {
        name: "lowering: the part of a buffer starts at its beginning",
        file: "lowering/plan_memory/places.rs",
        line: "*i = b.same(\"arith.addi\", &[first, *i]);",
        right: "\"arith.addi\"",
        wrong: "\"arith.maxsi\"",
        test: Test::File("lowering/plan_memory_in_place.mlir"),
    },
];

/// The variable of the environment that holds the name of the fault that is on.
const SWITCH: &str = "MLOPT_FAULT";

impl Fault {
    /// The expression that is wrong when the fault is on.
    fn planted(&self) -> String {
        let Fault { name, right, wrong, .. } = self;
        if self.file.ends_with(".cpp") {
            return format!("(::llvm::StringRef(::getenv(\"{SWITCH}\") ?: \"\") == \"{name}\" ? {wrong} : {right})");
        }
        // Asked once: some of these run often.
        let on = format!(
            "{{ static ON: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| \
             std::env::var_os(\"{SWITCH}\").is_some_and(|fault| fault == \"{name}\")); *ON }}"
        );
        format!("(if {on} {{ {wrong} }} else {{ {right} }})")
    }
}

/// Plants all faults and turns on each whose name holds `word`; fails when a test does not find one.
pub fn run(word: &str) -> Result<(), String> {
    let chosen: Vec<&Fault> = FAULTS.iter().filter(|f| f.name.contains(word)).collect();
    if chosen.is_empty() {
        return Err(format!("no fault holds `{word}`"));
    }
    let copy = root().join("target/faults");
    copy_sources(&copy)?;
    let mut tests: Vec<Test> = vec![];
    for fault in &chosen {
        if !tests.contains(&fault.test) {
            tests.push(fault.test);
        }
    }
    for test in tests {
        let outcome = test.run(&copy, "")?;
        if !outcome.status.success() {
            return Err(format!("{test:?} fails without any fault:\n{}", said(&outcome)));
        }
    }
    let mut missed = vec![];
    for fault in &chosen {
        let outcome = fault.test.run(&copy, fault.name)?;
        match outcome.status.success() {
            true => missed.push(fault.name),
            false => println!("found {}: {}", fault.name, failures(&said(&outcome)).join(", ")),
        }
    }
    println!("{} of {} faults found", chosen.len() - missed.len(), chosen.len());
    if missed.is_empty() { Ok(()) } else { Err(format!("not found:\n{}", missed.join("\n"))) }
}

fn said(outcome: &Output) -> String {
    [&outcome.stdout, &outcome.stderr].map(|text| String::from_utf8_lossy(text)).concat()
}

/// The tests that failed, as the runners of cargo and of `mlopt test` list them.
fn failures(text: &str) -> Vec<String> {
    let rust = text.lines().filter_map(|l| l.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
    let files = text.lines().filter_map(|l| l.strip_prefix("FAILED "));
    rust.chain(files).map(str::to_string).collect()
}

/// Runs cargo on the copy, which keeps what it builds: programs with faults must not stand where those without are looked for.
fn cargo(copy: &Path, arguments: &[&str], fault: &str) -> Result<Output, String> {
    println!("$ cargo {}", arguments.join(" "));
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(copy).env_remove("CARGO_TARGET_DIR").env(SWITCH, fault);
    command.output().map_err(|e| format!("cargo: {e}"))
}

/// Every file that git knows, with the faults planted, where it differs: what is equal keeps its time, so that little is built again.
/// Files of earlier copies that the project no longer has go.
fn copy_sources(copy: &Path) -> Result<(), String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output();
    let listed = listed.map_err(|e| format!("git: {e}"))?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names: Vec<&str> = listed.split('\0').filter(|n| !n.is_empty()).collect();
    for old in files_in(copy).into_iter().filter(|old| !names.iter().any(|name| copy.join(name) == *old)) {
        fs::remove_file(&old).map_err(|e| format!("{}: {e}", old.display()))?;
    }
    for name in names {
        let (from, to): (PathBuf, PathBuf) = (root().join(name), copy.join(name));
        let Ok(mut bytes) = fs::read(&from) else { continue };
        for fault in FAULTS.iter().filter(|fault| fault.file == name) {
            bytes = plant(fault, &String::from_utf8_lossy(&bytes))?.into_bytes();
        }
        if fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        let made = to.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&to, bytes));
        made.map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(())
}

/// All files below `folder` but those that are built.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (vec![], vec![folder.to_path_buf()]);
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(&next).into_iter().flatten().flatten().map(|entry| entry.path()) {
            match path.is_dir() {
                true if path.ends_with("target") => {}
                true => folders.push(path),
                false => found.push(path),
            }
        }
    }
    found
}

fn plant(fault: &Fault, text: &str) -> Result<String, String> {
    if text.matches(fault.line).count() != 1 || fault.line.matches(fault.right).count() != 1 {
        return Err(format!("{}: expected once, to plant `{}`:\n{}", fault.file, fault.name, fault.line));
    }
    Ok(text.replacen(fault.line, &fault.line.replacen(fault.right, &fault.planted(), 1), 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Code moves: an entry that can no longer be planted is found here, not in a long run.
    #[test]
    fn every_fault_can_be_planted() {
        // All of a file at once, as a run plants them: two may stand in one line.
        let mut files: BTreeMap<&str, String> = BTreeMap::new();
        for fault in FAULTS {
            let read = || fs::read_to_string(root().join(fault.file)).unwrap_or_else(|e| panic!("{}: {e}", fault.file));
            let text = files.entry(fault.file).or_insert_with(read);
            *text = plant(fault, text).unwrap_or_else(|e| panic!("{e}"));
            assert!(text.contains(fault.wrong) && fault.right != fault.wrong, "{}", fault.name);
        }
        assert!(FAULTS.len() >= 15);
        for kind in ["folder", "rule", "derivative", "transposition", "bulk", "lowering"] {
            assert!(FAULTS.iter().any(|f| f.name.starts_with(kind)), "no fault in a {kind}");
        }
    }

    /// The list of rules is a document that a test compares with the rules.
    #[test]
    fn every_condition_has_a_fault() {
        let rules = fs::read_to_string(root().join("docs/rules.md")).unwrap();
        let names = |text: &str| text.split(", ").map(str::to_string).collect::<Vec<_>>();
        let covered: Vec<String> = FAULTS
            .iter()
            .filter_map(|f| f.name.strip_prefix("rule ")?.split_once(": "))
            .flat_map(|f| names(f.0))
            .collect();
        let conditional: Vec<&str> = rules
            .split("\n- **")
            .skip(1)
            .filter(|rule| rule.contains("\n  When: "))
            .filter_map(|rule| Some(rule.split_once("**")?.0))
            .collect();
        assert!(conditional.len() > 30);
        for rule in conditional {
            assert!(covered.iter().any(|name| name == rule), "no fault drops the condition of {rule}");
        }
    }

    #[test]
    fn failures_are_named() {
        let text = "test a::b ... ok\ntest a::c ... FAILED\nFAILED x.mlir\n  line 1: FAILED y\n";
        assert_eq!(failures(text), ["a::c", "x.mlir"]);
    }
}
