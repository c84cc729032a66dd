//! Tests of the notation of terms: ill-typed terms are reported with their position, and every translated program
//! parses, verifies and runs.

use mlopt_dialects::bridge::program::Program;
use mlopt_dialects::text::Problem;
use mlopt_frontend::terms;

const INPUTS: &str = "((x f64 3) (m f64 2 3) (s f64) (n i64 3) (k i32) (p bool) (e f64 0))";

fn import(term: &str) -> Result<String, Problem> {
    terms::import_text(&format!("(def f {INPUTS}\n{term})"), terms::Zeros::Numbers)
}

/// Checks the error of a term: its column in the second line, and the message.
#[track_caller]
fn refused(term: &str, message: &str) {
    assert_eq!(import(term).unwrap_err().to_string(), format!("2:{message}"), "{term}");
}

#[test]
fn operands_have_one_kind_and_shape() {
    refused("(+ x m)", "6: error: expected shape [3] or a scalar, found tensor<2x3xf64>");
    refused("(+ x 1)", "6: error: expected elements of type f64, found the integer `1`; write `1.0`");
    refused("(+ x n)", "6: error: expected elements of type f64, found tensor<3xi64>");
    refused("(+ n k)", "6: error: expected elements of type i64, found i32");
    refused("(sin n)", "6: error: `sin` takes floats, found tensor<3xi64>");
    refused("(div s s)", "6: error: `div` takes integers, found f64");
    refused("(not x)", "6: error: `not` takes booleans, found tensor<3xf64>");
    refused("(< p p)", "4: error: `<` takes numbers, found i1");
    refused(
        "(+ (pair x x) x)",
        "4: error: expected an array or a scalar, found the pair (tensor<3xf64>, tensor<3xf64>)",
    );
    refused("(+ x)", "1: error: expected 2 operands of `+`, found 1");
    refused("(cond p x 0.0)", "11: error: expected shape [3], found the float `0.0`");
    refused("(cond s x x)", "7: error: expected a condition of type i1, found f64");
    refused("(select x x x)", "9: error: expected booleans, found tensor<3xf64>");
    refused(
        "(cond p x (pair x x))",
        "11: error: expected a value like tensor<3xf64>, found the pair (tensor<3xf64>, tensor<3xf64>)",
    );
}

#[test]
fn names_are_known() {
    refused("(sinn x)", "1: error: unknown term or primitive `sinn`; did you mean `sign`?");
    refused("(+ x zz)", "6: error: unknown variable `zz`");
    refused("(let alpha x (+ alhpa s))", "17: error: unknown variable `alhpa`; did you mean `alpha`?");
    refused("(build1 3 i (+ (build1 3 j 1.0) (index x (j))))", "43: error: unknown variable `j`");
    refused("((x) s)", "2: error: expected the name of a term or primitive, found `(x)`");
    refused("()", "1: error: expected a term, found `()`");
    refused("(let 3 x x)", "6: error: expected the name of a variable, found `3`");
    refused(
        "99999999999999999999",
        "1: error: expected a whole number of at most 64 bits, found `99999999999999999999`",
    );
}

#[test]
fn forms_have_their_parts() {
    refused("(index x)", "1: error: expected (index a (i1..im)), found 1 operand");
    refused("(zip x)", "1: error: expected (zip a b), found 1 operand");
    refused("(let a x)", "1: error: expected (let x e1 e2), found 2 operands");
    refused("(ifold (a) a 0.0 3)", "8: error: expected two variables, `(s i)`, found `(a)`");
    refused("(build (2 3) (i i) i)", "17: error: `i` is bound twice");
    refused("(build (2 3) (i) i)", "14: error: expected 2 variables, one for each size, found 1");
    refused("(index x 0)", "10: error: expected a list of indices, found `0`");
    refused("(stack)", "1: error: expected (stack e1 .. en), found 0 operands");
}

#[test]
fn sizes_are_known_and_fit() {
    refused("(build1 s i i)", "9: error: expected a constant size, found f64");
    refused("(build1 (- 2 5) i i)", "9: error: expected a size that is not negative, found -3");
    refused("(index x (0 1))", "8: error: expected an array with at least 2 axes, found tensor<3xf64>");
    refused("(index x (1.5))", "11: error: expected elements of type index, found the float `1.5`");
    refused("(index x (x))", "11: error: expected an index, found tensor<3xf64>");
    refused("(tr (1 1) m)", "5: error: expected a permutation of 0 to 1, found [1, 1]");
    refused("(tr (1 0) x)", "11: error: expected an array with at least 2 axes, found tensor<3xf64>");
    refused("(reshape (4) x)", "14: error: expected 4 elements for shape [4], found 3 in tensor<3xf64>");
    refused("(slice 1 3 x)", "1: error: expected at least 4 rows, found tensor<3xf64>");
    refused(
        "(slice 1 9223372036854775807 x)",
        "1: error: expected at least 9223372036854775808 rows, found tensor<3xf64>",
    );
    refused("(append x m)", "11: error: expected rows of type f64, found tensor<3xf64>");
    refused("(stack x s)", "10: error: expected shape [3], found f64");
    refused("(scatter (3) x (i) (i i))", "20: error: expected 1 indices, one for each size, found 2");
    refused("(scatter (3) s (i) (i))", "14: error: expected numbers with at least 1 axes, found f64");
    refused("(gather (3) s (i) (i))", "19: error: expected at most 0 indices for f64, found 1");
    refused("(oneHot (3 3) s (0))", "17: error: expected 2 indices, one for each size, found 1");
    refused("(maxOuter e)", "11: error: `maxOuter` needs at least one row, found tensor<0xf64>");
    refused("(argminOuter s)", "14: error: expected an array with at least one axis, found f64");
    refused("(matmul m m)", "11: error: expected a matrix of 3 rows with elements of type f64, found tensor<2x3xf64>");
    refused("(dot m m)", "6: error: expected a vector, found tensor<2x3xf64>");
    refused("(zip x m)", "8: error: expected an array of 3 rows, found tensor<2x3xf64>");
    refused("(const f64 (2) (1.0))", "16: error: expected 2 numbers for shape [2], found 1");
    refused("(const i64 (1) (1.5))", "17: error: expected a number of kind i64, found `1.5`");
}

#[test]
fn loops_keep_the_type_of_their_state() {
    refused("(ifold (a i) x 0.0 3)", "14: error: expected the next state of type f64, found tensor<3xf64>");
    refused(
        "(ifold (a i) i 0.0 3)",
        "16: error: expected a next state of type f64, as the initial state has, found index",
    );
    refused(
        "(ifold (a i) (pair a a) 0.0 3)",
        "14: error: expected a next state with the structure of the float `0.0`, found the pair (f64, f64)",
    );
    refused("(mapAccumL (a e) a 0.0 x)", "18: error: expected a pair of state and output, found f64");
    refused("(fold (a e) e 0.0 s)", "19: error: expected an array with at least one axis, found f64");
    let closed = "the functions of `fold` and `mapAccumL` must not use `s`, which is defined outside; write `ifold`";
    refused("(fold (a e) (+ a (* e s)) 0.0 x)", &format!("23: error: {closed}"));
    refused("(mapAccumL (a e) (pair a s) 0.0 x)", &format!("26: error: {closed}"));
}

#[test]
fn derivatives_are_in_float_variables() {
    refused("(deriv (* s s) q)", "16: error: unknown variable `q`");
    refused("(deriv (* s s) n)", "16: error: expected a variable of floats, found tensor<3xi64>");
    refused("(deriv (* s s) 3)", "16: error: expected the name of a variable, found `3`");
    refused(
        "(let y (pair s s) (deriv (fst y) y))",
        "34: error: expected a variable of floats, found the pair (f64, f64)",
    );
}

#[test]
fn definitions_have_their_form() {
    let refused = |text: &str, message: &str| {
        assert_eq!(terms::import_text(text, terms::Zeros::Numbers).unwrap_err().to_string(), message, "{text}");
    };
    let form = "(def NAME ((INPUT KIND SIZES…) …) TERM)";
    refused("x", &format!("1:1: error: expected {form}, found `x`"));
    refused("(sin x)", &format!("1:1: error: expected {form}, found `(sin …)`"));
    refused("(def f x)", &format!("1:1: error: expected {form}, found 2 parts after `def`"));
    refused("(def f x 1.0)", "1:8: error: expected a list of inputs, `((INPUT KIND SIZES…) …)`, found `x`");
    refused("(def f (x) x)", "1:9: error: expected an input, `(NAME KIND SIZES…)`, found `x`");
    refused("(def f ((x f16)) x)", "1:12: error: expected a kind, one of f32 f64 i32 i64 index bool, found `f16`");
    refused("(def f ((x f64 n)) x)", "1:16: error: expected a size, a whole number that is not negative, found `n`");
    refused("(def f () 1.0)\n(def f () 2.0)", "2:6: error: `f` is defined twice");
    refused("(def f () (+ 1.0", "1:17: error: expected `)` for the `(` at 1:11, found the end of the text");
}

/// Checks random terms of every form: each is rejected with a position, or imported as a program that MLIR accepts.
#[test]
fn whatever_is_imported_parses_and_verifies() {
    let mut random = Random(7);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..4000 {
        let term = random.term(4);
        match import(&term) {
            Ok(module) => {
                accepted += 1;
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

/// Checks chains as deep as the reader allows, on the stack of a test.
#[test]
fn long_chains_are_imported() {
    let n = 9_000;
    let nested = format!("{}s{}", "(sin ".repeat(n), ")".repeat(n));
    assert_eq!(import(&nested).unwrap().matches("math.sin").count(), n);
    let chain: String = (0..n).map(|_| "(let s (+ s s) ").collect();
    assert_eq!(import(&format!("{chain}s{}", ")".repeat(n))).unwrap().matches("arith.addf").count(), n);
    // The time of loops whose types are tried twice must not be exponential in their nesting.
    let loops = format!("{}(+ a n){}", "(ifold (a i) ".repeat(40), " 0.0 3)".repeat(40));
    assert!(import(&loops).is_err());
}

/// A small pseudo-random generator, for the same terms in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    /// Generates a term of at most this depth. In the forms, `@` stands for a term, `#` for a size, `$` for an index.
    fn term(&mut self, depth: usize) -> String {
        const LEAVES: &[&str] = &["x", "m", "s", "n", "k", "p", "e", "i", "a", "0.5", "2", "true", "-1.0"];
        const FORMS: &[&str] = &[
            "(+ @ @)",
            "(* @ @)",
            "(- @ @)",
            "(/ @ @)",
            "(pow @ @)",
            "(max @ @)",
            "(sin @)",
            "(relu @)",
            "(sigmoid @)",
            "(neg @)",
            "(sign @)",
            "(recip @)",
            "(div @ @)",
            "(mod @ @)",
            "(< @ @)",
            "(== @ @)",
            "(and @ @)",
            "(not @)",
            "(i2f @)",
            "(floor @)",
            "(let a @ @)",
            "(cond (< s @) @ @)",
            "(select (< x @) @ @)",
            "(index @ ($))",
            "(index @ ($ $))",
            "(get @ $)",
            "(length @)",
            "(build1 # i @)",
            "(build (# #) (i a) @)",
            "(gather (#) @ (i) ($))",
            "(gather (# #) @ (i a) ($))",
            "(scatter (#) @ (i) ($))",
            "(scatter (#) @ () ($))",
            "(sumOuter @)",
            "(maxOuter @)",
            "(prodOuter @)",
            "(sum @)",
            "(argmaxOuter @)",
            "(replicate # @)",
            "(tr (1 0) @)",
            "(reshape (# #) @)",
            "(reshape (6) @)",
            "(stack @ @)",
            "(append @ @)",
            "(slice # # @)",
            "(reverse @)",
            "(iota #)",
            "(oneHot (#) @ ($))",
            "(ifold (a i) @ @ $)",
            "(fold (a i) @ @ @)",
            "(mapAccumL (a i) (pair @ @) @ @)",
            "(pair @ @)",
            "(fst @)",
            "(snd @)",
            "(zip @ @)",
            "(dot @ @)",
            "(matmul @ @)",
            "(deriv @ s)",
            "(deriv @ x)",
            "(snd (deriv @ m))",
            "(const f64 (#) (1.0 2.0))",
        ];
        if depth == 0 || self.below(4) == 0 {
            return LEAVES[self.below(LEAVES.len())].to_string();
        }
        let form = FORMS[self.below(FORMS.len())];
        let mut term = String::new();
        for c in form.chars() {
            match c {
                '@' => term += &self.term(depth - 1),
                '#' => term += ["0", "1", "2", "3", "(length x)"][self.below(5)],
                '$' => term += ["0", "1", "-1", "i", "k", "(+ 1 (index n (0)))"][self.below(6)],
                c => term.push(c),
            }
        }
        term
    }
}
