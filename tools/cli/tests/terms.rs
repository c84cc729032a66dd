//! Tests of the notation of terms: ill-typed terms are reported with their position, and every translated program is
//! verified, printed and parsed.

use super::rejected;
use mlopt_cases::Random;
use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::Problem;
use mlopt_frontend::terms;

const INPUTS: &str = "((x f64 3) (m f64 2 3) (s f64) (n i64 3) (k i32) (p bool) (e f64 0))";

fn import(term: &str) -> Result<Program, Problem> {
    terms::import_text("term", &format!("(def f {INPUTS}\n{term})"), terms::Zeros::Numbers)
}

/// Returns the text of the program of a valid term.
fn text(term: &str) -> String {
    import(term).expect("the term is valid").module().valid_text()
}

#[test]
fn terms_with_errors_are_rejected() {
    let error = |term: &str| import(term).err().map(|e| e.to_string());
    rejected::check(include_str!("../../../test/terms/rejected.txt"), "2:", error);
}

#[test]
fn definitions_have_their_form() {
    let error = |text: &str| terms::import_text("terms", text, terms::Zeros::Numbers).err().map(|e| e.to_string());
    rejected::check(include_str!("../../../test/terms/rejected_definitions.txt"), "", error);
}

/// Checks random terms of every form: each is rejected with a position, or imported as a program that MLIR accepts.
#[test]
fn whatever_is_imported_parses_and_verifies() {
    let mut random = Random::new(7);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..4000 {
        let term = random_term(&mut random, 4);
        match import(&term) {
            Ok(program) => {
                accepted += 1;
                let program = program.verified().unwrap_or_else(|_| panic!("{term}"));
                let module = program.module().valid_text();
                assert!(Program::parse(module.as_bytes(), "term").is_ok(), "{term}\n{module}");
            }
            Err(problem) => {
                refused += 1;
                assert_eq!(problem.at.line, 2, "{term}\n{problem}");
            }
        }
    }
    // The generator must produce both.
    assert!(accepted > 200 && refused > 200, "{accepted} accepted, {refused} refused");
}

#[test]
fn ops_have_the_positions_of_their_terms() {
    let program = import("(let y (sin s)\n (* y y))").expect("the term is valid");
    let text = program.module().with_locations();
    assert!(text.contains(r#"%y = math.sin %s : f64 loc("y"("term":2:8))"#), "{text}");
    assert!(text.contains(r#"%0 = arith.mulf %y, %y : f64 loc("term":3:2)"#), "{text}");
}

/// Checks chains as deep as the reader allows, on the stack of a test.
#[test]
fn long_chains_are_imported() {
    let n = 9_000;
    let nested = format!("{}s{}", "(sin ".repeat(n), ")".repeat(n));
    assert_eq!(text(&nested).matches("math.sin").count(), n);
    let chain: String = (0..n).map(|_| "(let s (+ s s) ").collect();
    assert_eq!(text(&format!("{chain}s{}", ")".repeat(n))).matches("arith.addf").count(), n);
    // The time of loops whose types are tried twice must not be exponential in their nesting.
    let loops = format!("{}(+ a n){}", "(ifold (a i) ".repeat(40), " 0.0 3)".repeat(40));
    assert!(import(&loops).is_err());
}

/// Generates a term of at most this depth. In the forms, `@` stands for a term, `#` for a size, `$` for an index.
fn random_term(random: &mut Random, depth: usize) -> String {
    const LEAVES: &[&str] = &["x", "m", "s", "n", "k", "p", "e", "i", "a", "0.5", "2", "true", "-1.0"];
    const FORMS: &str = "(+ @ @); (* @ @); (- @ @); (/ @ @); (pow @ @); (max @ @); (sin @); (relu @); (sigmoid @); \
        (neg @); (sign @); (recip @); (div @ @); (mod @ @); (< @ @); (== @ @); (and @ @); (not @); (i2f @); (floor @); \
        (let a @ @); (cond (< s @) @ @); (select (< x @) @ @); (index @ ($)); (index @ ($ $)); (get @ $); \
        (length @); (build1 # i @); (build (# #) (i a) @); (gather (#) @ (i) ($)); (gather (# #) @ (i a) ($)); \
        (scatter (#) @ (i) ($)); (scatter (#) @ () ($)); (sumOuter @); (maxOuter @); (prodOuter @); (sum @); \
        (argmaxOuter @); (replicate # @); (tr (1 0) @); (reshape (# #) @); (reshape (6) @); (stack @ @); \
        (append @ @); (slice # # @); (reverse @); (iota #); (oneHot (#) @ ($)); (ifold (a i) @ @ $); \
        (fold (a i) @ @ @); (mapAccumL (a i) (pair @ @) @ @); (pair @ @); (fst @); (snd @); (zip @ @); \
        (dot @ @); (matmul @ @); (deriv @ s); (deriv @ x); (snd (deriv @ m)); (const f64 (#) (1.0 2.0))";
    if depth == 0 || random.below(4) == 0 {
        return LEAVES[random.below(LEAVES.len())].to_string();
    }
    let forms: Vec<&str> = FORMS.split("; ").collect();
    let form = forms[random.below(forms.len())];
    let mut term = String::new();
    for c in form.chars() {
        match c {
            '@' => term += &random_term(random, depth - 1),
            '#' => term += ["0", "1", "2", "3", "(length x)"][random.below(5)],
            '$' => term += ["0", "1", "-1", "i", "k", "(+ 1 (index n (0)))"][random.below(6)],
            c => term.push(c),
        }
    }
    term
}
