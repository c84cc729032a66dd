//! Tests of long programs: the code of a chain of ops grows linearly, and no nest becomes too large for the later
//! passes, whose time grows faster than the size of a nest.

use crate::common::*;
use mlopt_lowering::ir::{Op, module_op};
use mlopt_lowering::pipelines;
use mlopt_lowering::sweeps::array_to_sweeps;

/// Returns the derivative of `x·sin x`, composed `links` times, in the form of reverse mode: the reverse sweep reads
/// values of the forward sweep.
fn chain(links: usize) -> String {
    let mut text = String::from("func.func @f(%x0: tensor<?xf64>, %c: tensor<?xf64>) -> tensor<?xf64> {\n");
    let mut line = |z: String, op: &str, operands: String| {
        text.push_str(&format!("  %{z} = {op} {operands} : tensor<?xf64>\n"));
    };
    for k in 1..=links {
        let before = k - 1;
        line(format!("s{k}"), "math.sin", format!("%x{before}"));
        line(format!("c{k}"), "math.cos", format!("%x{before}"));
        line(format!("x{k}"), "arith.mulf", format!("%x{before}, %s{k}"));
    }
    for k in (1..=links).rev() {
        let (before, after) = (k - 1, if k == links { "%c".to_string() } else { format!("%g{k}") });
        line(format!("a{k}"), "arith.mulf", format!("%x{before}, %c{k}"));
        line(format!("b{k}"), "arith.addf", format!("%a{k}, %s{k}"));
        line(format!("g{before}"), "arith.mulf", format!("{after}, %b{k}"));
    }
    text + "  return %g0 : tensor<?xf64>\n}\n"
}

/// Returns the number of operations in each outermost nest.
fn bodies(source: &str) -> Vec<usize> {
    let context = context();
    let module = parse(&context, source);
    let op = module_op(&module);
    pipelines::prepare(op);
    array_to_sweeps::run(op).expect("the chain is lowered");
    let function = op.child_ops()[0];
    let nests = function.child_ops().into_iter().filter(|op| op.name() == "sweep.nest");
    nests.map(|nest: Op| nest.nested_ops().len()).collect()
}

#[test]
fn nests_are_bounded_and_few() {
    let mut before: Option<(usize, usize)> = None;
    for links in [50, 100, 200, 400] {
        let sizes = bodies(&chain(links));
        let largest = *sizes.iter().max().expect("there are nests");
        let all: usize = sizes.iter().sum();
        println!("{links} links: {} nests, {all} operations, at most {largest} in one", sizes.len());
        // Reads of the results of other nests are counted in addition.
        assert!(largest <= 600, "{links} links: a nest of {largest} operations");
        // Six operations for each link, in nests of a hundred and more.
        assert!(sizes.len() <= 2 + links * 6 / 60, "{links} links: {} nests", sizes.len());
        if let Some((fewer, ops)) = before {
            assert!(all <= ops * 9 / 4, "{fewer} links: {ops} operations; {links} links: {all}");
        }
        before = Some((links, all));
    }
}

/// The pieces compute the same result as the whole.
#[test]
fn pieces_agree_with_the_evaluator() {
    let cases = [0, 1, 9].map(|n| vec![array(1, &[n]), array(2, &[n])]);
    agrees(&chain(90), &cases);
}

/// A size with 2⁶⁰ paths to its origin, before a loop and inside one: each step is visited once.
#[test]
fn sizes_of_many_paths() {
    let steps: String = (0..60)
        .map(|k| format!("%m{k} = arith.muli %s{k}, %n : index\n %s{} = arith.addi %m{k}, %s{k} : index\n", k + 1))
        .collect();
    let function = |outside: &str, inside: &str| {
        format!(
            "func.func @f(%x: tensor<?xf64>) -> (f64, tensor<?x?xf64>) {{
               %one = arith.constant 1 : index
               %seven = arith.constant 7 : index
               %zero = arith.constant 0.0 : f64
               %n = array.length %x : tensor<?xf64>
               %s0 = arith.addi %n, %one : index
               {outside}
               %t, %e = array.map_accum (%a = %x : tensor<?xf64>) iter_args(%t = %zero) -> (f64, tensor<?x?xf64>) {{
                 {inside}
                 %size = array.mod %s60, %seven : index
                 %r = array.replicate %a, %size : (f64) -> tensor<?xf64>
                 %u = arith.addf %t, %a : f64
                 array.yield %u, %r : f64, tensor<?xf64>
               }}
               return %t, %e : f64, tensor<?x?xf64>
             }}"
        )
    };
    for source in [function(&steps, ""), function("", &steps)] {
        agrees(&source, &[0, 1, 4].map(|n| vec![array(1, &[n])]));
    }
}

/// More arguments than a call in C may have, a loop that carries more values than the limit for LLVM's passes, and
/// consecutive ops that are cut into pieces.
#[test]
fn functions_of_a_thousand_arguments() {
    const STATES: usize = 1500;
    let each = |f: &dyn Fn(usize) -> String| (0..STATES).map(f).collect::<Vec<_>>().join(", ");
    let (arguments, types) = (each(&|k| format!("%a{k}: f64")), each(&|_| "f64".into()));
    let carried = each(&|k| format!("%s{k} = %a{k}"));
    let steps: String = (0..STATES)
        .map(|k| {
            let before = (k + STATES - 1) % STATES;
            format!("%p{k} = arith.mulf %s{before}, %half : f64\n%t{k} = arith.addf %p{k}, %e : f64\n")
        })
        .collect();
    let next = each(&|k| format!("%t{k}"));
    let results = each(&|k| format!("%z#{k}"));
    let text = format!(
        "func.func @f(%x: tensor<?xf64>, {arguments}) -> ({types}, tensor<?xf64>) {{
          %half = arith.constant 0.5 : f64
          %z:{} = array.map_accum (%e = %x : tensor<?xf64>) iter_args({carried}) -> ({types}, tensor<?xf64>) {{
            {steps}
            array.yield {next}, %t0 : {types}, f64
          }}
          return {results}, %z#{STATES} : {types}, tensor<?xf64>
        }}",
        STATES + 1
    );
    let given = |n: usize| {
        let mut all = vec![array(1, &[n])];
        all.extend((0..STATES).map(|k| array(k as u64 + 2, &[])));
        all
    };
    agrees(&text, &[given(0), given(1), given(17)]);
}
