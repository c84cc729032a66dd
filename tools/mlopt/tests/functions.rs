//! Tests of the notation of functional programs: errors are reported with their position, and every program of the test
//! vectors parses and verifies.

use mlopt::vectors::functions::{Kind, parse};
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::Problem;
use mlopt_frontend::functions::{Request, import_text};
use std::collections::BTreeMap;
use std::path::Path;

const INPUTS: &str = "((x f64) (n i64) (c chan<f64>))";

fn import(term: &str) -> Result<String, Problem> {
    import_text("f.lambda", &format!("(def f {INPUTS}\n{term})"), &Request::default())
}

/// Checks the error of a term: its column in the second line, and the message.
#[track_caller]
fn refused(term: &str, message: &str) {
    assert_eq!(import(term).unwrap_err().to_string(), format!("2:{message}"), "{term}");
}

/// Imports a term, checks that it verifies and survives printing, and returns the module.
#[track_caller]
fn accepted(term: &str) -> String {
    let module = import(term).unwrap_or_else(|e| panic!("{term}: {e}"));
    same_after_printing(term, &module);
    module
}

#[track_caller]
fn same_after_printing(name: &str, module: &str) {
    let print = |text: &str| {
        let program = Program::parse(text.as_bytes(), name).unwrap_or_else(|_| panic!("{name} is refused:\n{text}"));
        program.module().to_string()
    };
    let (once, twice) = (print(module), print(&print(module)));
    assert_eq!(without_names(&twice), without_names(&once), "{name}");
    // Values have numbers now, which depend on where each is used.
    assert_eq!(print(&twice), twice, "{name}");
}

/// Removes names of values, which exist only with locations; in the text alone, values are numbered, and the results of
/// one op share a name.
fn without_names(text: &str) -> String {
    let line = |line: &str| {
        let line = line.split_once(" = lambda.").map_or(line.trim().into(), |(_, op)| format!("lambda.{op}"));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "$._-#".contains(c);
        let (first, rest) = line.split_once('%').unwrap_or((&line, ""));
        first.to_string() + &rest.split('%').map(|part| part.trim_start_matches(is_name)).collect::<Vec<_>>().join("%")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn programs_of_the_vectors_are_imported() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/vectors/functional_vectors.json");
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    let cases = parse(&serde_json::from_str(&text).expect("they are JSON")).expect("they are cases");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &cases {
        let kind = match &case.kind {
            Kind::Run { .. } => "run",
            Kind::Error { .. } => "error",
            Kind::Message { .. } => "message",
            Kind::Pullback(_) => "pullback",
            Kind::Attributes { .. } => "attributes",
            Kind::Rng { .. } => "rng",
        };
        *counts.entry(kind).or_default() += 1;
        let Some(program) = case.program() else { continue };
        match (program.import(&case.id), &case.kind) {
            // Errors visible in the syntax or the types of inputs are reported now, others by `lambda-specialise`.
            (Err(e), Kind::Error { code, .. }) => assert_eq!(e.code, Some(code.as_str()), "{}: {e}", case.id),
            (Err(e), _) => panic!("{}: {e}", case.id),
            // The type of the input shows the error: the verifier rejects the op.
            (Ok(module), Kind::Error { code, .. }) if code == "unknown-field" => {
                assert!(Program::parse(module.as_bytes(), &case.id).is_err(), "{}", case.id);
            }
            (Ok(module), _) => same_after_printing(&case.id, &module),
        }
    }
    let wanted = [("attributes", 1), ("error", 11), ("message", 7), ("pullback", 6), ("rng", 1), ("run", 112)];
    assert_eq!(counts, BTreeMap::from(wanted));
}

#[test]
fn names_are_known() {
    refused("(+ x y)", "6: error: unknown name `y`");
    refused("(let ((alpha x)) (+ alhpa x))", "21: error: unknown name `alhpa`; did you mean `alpha`?");
    refused("(sni x)", "2: error: unknown function or form `sni`; did you mean `sin`?");
    refused("(lambda (y) y)", "2: error: unknown function or form `lambda`");
    refused("(whle ((a x)) (< a 1.0) (next a) a)", "2: error: unknown function or form `whle`; did you mean `while`?");
    refused("(tuple (let ((a x)) a) a)", "24: error: unknown name `a`");
    refused("(for i n ((s i)) (next s) s)", "14: error: unknown name `i`");
    refused("(for i n ((s x)) (next s) i)", "27: error: unknown name `i`");
    refused(
        "(let ((if x)) x)",
        "8: error: expected the name of a variable, found `if`, which begins the form (if c a b)",
    );
    refused("(lam (get) x)", "7: error: expected the name of a variable, found `get`, which begins the form (get i e)");
    refused("(lam (1.0) x)", "7: error: expected a name, found `1.0`");
    refused("if", "1: error: expected a value, found `if`, which begins the form (if c a b)");
    refused("(lam (a b a) x)", "11: error: `a` is bound twice, first at 2:7");
    refused("(while ((a x) (a x)) true (next a a) a)", "16: error: `a` is bound twice, first at 2:10");
    refused("(for i n ((i x)) (next i) i)", "6: error: `i` is bound twice, first at 2:12");
    refused("(letrec ((f (lam () x)) (f (lam () x))) (f))", "26: error: `f` is bound twice, first at 2:11");
    // MLIR does not allow such names.
    let module = accepted("(let ((x' (+ x x))) (* x' x'))");
    assert!(module.contains("%x_ = lambda.prim") && module.contains("loc(\"x_\"(\"f.lambda\":2:11))"), "{module}");
    // Names of functions can be variables.
    accepted("(let ((max x) (head (lam (a) a))) (head (* max max)))");
}

#[test]
fn forms_have_their_parts() {
    refused("(if x x)", "1: error: expected (if c a b), found 2 operands");
    refused("(let ((a x)))", "1: error: expected (let ((x e) …) e), found 1 operand");
    refused("(let (a x) a)", "7: error: expected a variable and its value, `(x e)`, found `a`");
    refused("(lam x x)", "6: error: expected a list of parameters, `(x …)`, found `x`");
    refused("(letrec ((f x)) f)", "13: error: expected a function, `(lam (x …) e)`, found `x`");
    refused("(letrec ((f (let () (lam () x)))) f)", "13: error: expected a function, `(lam (x …) e)`, found `(let …)`");
    refused("(get x 0)", "6: error: expected the position of an element, a whole number, found `x`");
    refused("(get -1 x)", "6: error: expected the position of an element, a whole number, found `-1`");
    refused("(record P (a x) (a x))", "18: error: the field `a` is given twice");
    refused("(record P x)", "11: error: expected a field and its value, `(f e)`, found `x`");
    refused("(with x)", "1: error: expected (with e (f e) …), found 1 operand");
    refused("(nil f46)", "6: error: unknown type `f46`; did you mean `f16`?");
    refused("(the (f64) x)", "6: error: expected a type, like `f64` or `array<2x3xf64>`, found `(f64)`");
    refused("(do)", "1: error: expected (do e … e), found 0 operands");
    refused("(next x)", "1: error: `next` may occur only in the bodies of `while` and `for`");
    refused("(while ((a x)) true a a)", "21: error: expected the next values, `(next e …)`, found `a`");
    refused("(spawn tpu:0 sin x)", "8: error: unknown-device: expected a device, `cpu:N` or `gpu:N`, found `tpu:0`");
    refused(
        "(spawn cpu:99999 sin x)",
        "8: error: unknown-device: expected a device, `cpu:N` or `gpu:N`, found `cpu:99999`",
    );
    refused(
        "(channel f64 :bufer 2)",
        "14: error: expected `:dest` or `:buffer`, found `:bufer`; did you mean `:buffer`?",
    );
    refused(
        "(channel f64 :buffer -2)",
        "22: error: expected the number of values that may wait, a whole number, found `-2`",
    );
    refused("(channel f64 :buffer 1 :buffer 2)", "24: error: `:buffer` is given twice");
    refused("(channel f64 :buffer)", "1: error: expected (channel T :dest d :buffer n), found 2 operands");
    refused("()", "1: error: expected a term, found `()`");
    refused("(1.0 x)", "2: error: expected a function, found `1.0`");
    refused(
        "99999999999999999999",
        "1: error: expected a whole number of at most 64 bits, found `99999999999999999999`",
    );
}

#[test]
fn functions_have_as_many_arguments_as_they_take() {
    refused("(+ x)", "1: error: arity-mismatch: `+` takes 2 arguments, found 1");
    refused("(sin x x)", "1: error: arity-mismatch: `sin` takes 1 argument, found 2");
    refused("(aget x)", "1: error: arity-mismatch: `aget` takes 2 arguments or more, found 1");
    refused("((lam (a b) a) x)", "1: error: arity-mismatch: this function takes 2 arguments, found 1");
    refused("(let ((f (lam (a b) a)) (g f)) (g x))", "32: error: arity-mismatch: `g` takes 2 arguments, found 1");
    refused("(letrec ((f (lam (a) (f)))) x)", "22: error: arity-mismatch: `f` takes 1 argument, found 0");
    refused("((grad 0 2 *) x)", "1: error: arity-mismatch: this function takes 2 arguments, found 1");
    refused("(f x)", "1: error: arity-mismatch: `f` takes 3 arguments, found 1");
    refused(
        "(grad *)",
        "7: error: arity-mismatch: `grad` needs a function of 1 argument, found a function of 2 arguments",
    );
    refused(
        "(grad 2 2 *)",
        "7: error: arity-mismatch: there is no argument 2, counted from 0, of a function of 2 arguments",
    );
    refused("(grad 1 x *)", "9: error: expected the number of arguments, a whole number, found `x`");
    refused("(grad 1 *)", "1: error: expected (grad e) or (grad i n e), found 2 operands");
    refused(
        "(map * (list x))",
        "6: error: arity-mismatch: `map` needs a function of 1 argument, found a function of 2 arguments",
    );
    refused(
        "(fold sin x (list x))",
        "7: error: arity-mismatch: `fold` needs a function of 2 arguments, found a function of 1 argument",
    );
    refused(
        "(compose sin *)",
        "14: error: arity-mismatch: `compose` needs a function of 1 argument, found a function of 2 arguments",
    );
    refused("(spawn cpu:0 * x)", "1: error: arity-mismatch: `*` takes 2 arguments, found 1");
    refused("(spawn-n n sin x)", "1: error: arity-mismatch: `sin` takes 1 argument, found 2");
    refused("(while ((a x)) true (next) a)", "22: error: arity-mismatch: expected 1 value for the variables, found 0");
    refused("(for i n () (next x) x)", "14: error: arity-mismatch: expected 0 values for the variables, found 1");
}

#[test]
fn functions_with_effects_are_called_where_one_can_see_them() {
    const VALUE: &str = "error: not supported: a function with effects must not be a value; call it by its name, \
         or start it by `spawn`";
    refused("(map (lam (y) (send c y)) (list x))", &format!("6: {VALUE}"));
    refused("(let ((f (lam (y) (send c y)))) (tuple f x))", &format!("40: {VALUE}"));
    refused("(lam (y) (send c y))", &format!("1: {VALUE}"));
    refused("((if true (lam () (recv c)) (lam () (recv c))))", &format!("11: {VALUE}"));
    refused(
        "((if true (lam () (recv c)) (lam () x)))",
        "2: error: effect-in-branch-mismatch: both branches must be functions with effects, or neither; found \
         one of each",
    );
    refused(
        "((grad (lam (y) (do (send c y) y))) x)",
        "8: error: effect-in-gradient: a function with effects cannot be differentiated",
    );
    refused(
        "(while ((a x)) (< (recv c) 1.0) (next a) a)",
        "16: error: not supported: the condition of `while` must have no effects",
    );
    // Effects of a later function in the group propagate to the first one.
    let module = accepted("(letrec ((f (lam (y) (g y))) (g (lam (y) (do (send c y) y)))) (f x))");
    assert_eq!(module.matches("-> tuple<!lambda.any, !lambda.token> {").count(), 2, "{module}");
    let module =
        accepted("(let ((f (lam (y) (send c y))) (g f)) (do (g x) (spawn cpu:1 g x) (spawn cpu:1 sin x) (f x)))");
    assert_eq!(module.matches("lambda.spawn").count(), 2, "{module}");
    // Only one branch has effects.
    let module = accepted("(if (< x 1.0) (recv c) (if (< x 0.0) x 1.0))");
    assert_eq!(module.matches("lambda.if").count(), 2, "{module}");
    assert_eq!(module.matches("-> tuple<!lambda.any, !lambda.token> {").count(), 1, "{module}");
    // A task in a loop, and tasks started in a loop.
    accepted("(for i n ((s x)) (next (do (spawn-n 3 (lam (k y) (send c y)) s) (+ s (recv c)))) s)");
    accepted("(while ((s x)) (< s 10.0) (next (+ s (recv c))) (do (close c) s))");
}

#[test]
fn definitions_are_well_formed() {
    let error = |text: &str, request: &Request| import_text("f.lambda", text, request).unwrap_err().to_string();
    let refused = |text: &str, message: &str| assert_eq!(error(text, &Request::default()), message, "{text}");
    refused("x", "1:1: error: expected (def NAME ((x TYPE) …) e), found `x`");
    refused("(def f)", "1:1: error: expected (def NAME ((x TYPE) …) e), found 1 part after `def`");
    refused("(def f x x)", "1:8: error: expected a list of parameters, `((x TYPE) …)` or `(x …)`, found `x`");
    refused("(def f ((x f64 3)) x)", "1:9: error: expected a parameter, `(x TYPE)` or `x`, found `(x …)`");
    refused("(def f ((x f6)) x)", "1:12: error: unknown type `f6`; did you mean `f16`?");
    refused("(def f () 1) (def f () 2)", "1:19: error: `f` is defined twice");
    refused(
        "(def let () 1)",
        "1:6: error: expected the name of a variable, found `let`, which begins the form (let ((x e) …) e)",
    );
    refused("(def f (x) (g x)) (def g () 1)", "1:12: error: arity-mismatch: `g` takes 0 arguments, found 1");
    let types = |types: &[(&str, &str)], entry: Option<&str>| Request {
        entry: entry.map(String::from),
        types: types.iter().map(|(name, ty)| (name.to_string(), ty.to_string())).collect(),
    };
    let text = "(def f (x) (g x))\n(def g (x) x)\n(def h (y) (g y))";
    let refused = |request: &Request, message: &str| assert_eq!(error(text, request), message);
    refused(
        &types(&[("x", "f64")], None),
        "1:1: error: expected `--entry` with the name of a definition, one of `f`, `h`",
    );
    refused(&types(&[("x", "f64")], Some("i")), "1:1: error: `--entry` must name a definition, found `i`");
    refused(&types(&[("z", "f64")], Some("f")), "1:6: error: `f` has no parameter `z`");
    refused(&types(&[], Some("f")), "1:9: error: the parameter `x` needs a type; set it, as in `--type x=f64`");
    refused(
        &types(&[("x", "f64"), ("x", "f32")], Some("f")),
        "1:9: error: `--type` must not set the type of `x`, which has one in the program",
    );
    let module = import_text("f.lambda", text, &types(&[("x", "f64")], Some("@f"))).unwrap();
    assert!(module.contains("func.func @f(%x: f64 loc") && module.contains("func.func private @h(%y: !lambda.any loc"));
    same_after_printing("f", &module);
}

#[test]
fn effects_go_through_definitions() {
    let text = "(def say (c x) (send c x))\n(def main ((c chan<f64>) (x f64)) (do (say c x) (main2 c x)))\n\
                (def main2 ((c chan<f64>) (x f64)) (recv c))";
    let module = import_text("f.lambda", text, &Request::default()).unwrap();
    for line in [
        "func.func private @say(%token: !lambda.token loc",
        "func.func @main(%c: !lambda.chan<f64> loc",
        "func.func private @main2.effects(%token: !lambda.token loc",
        "func.func @main2(%c: !lambda.chan<f64> loc",
    ] {
        assert!(module.contains(line), "{line} is not in\n{module}");
    }
    same_after_printing("f", &module);
}

#[test]
fn deep_and_long_programs_are_imported() {
    let deep = format!("{}x{}", "(sin ".repeat(9_000), ")".repeat(9_000));
    assert!(import(&deep).is_ok());
    let nested = format!("{}x{}", "(lam () ".repeat(3_000), ")".repeat(3_000));
    assert!(import(&nested).is_ok());
    let bindings: String = (0..20_000).map(|k| format!("(x (+ x {k}.0))")).collect();
    assert!(import(&format!("(let ({bindings}) x)")).is_ok());
}
