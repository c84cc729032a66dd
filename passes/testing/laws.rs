//! Tests of every rule: a case in which it applies, of which both sides are evaluated, and a case that its condition
//! rejects.

use super::gradients::check_step;
use super::text::Text;
use crate::optimise::rules::{Rule, View, every};
use egg::Id;

/// The cases (rule, a term to which it applies, and one to which it does not). If a rule has no condition, the second
/// one is the nearest term that does not match.
pub const CASES: &[(&str, &str, &str)] = &[
    ("fold-constants", "(+ 1.0 2.0)", "(exp 1.0)"),
    ("fold-constants", "(*i 3 4)", "(/i 3 0)"),
    ("sort-operands", "(+ 2.0 x)", "(- 2.0 x)"),
    ("index-algebra", "(-i (+i n p) n)", "(-i n p)"),
    ("index-algebra", "(-i 4 (-i 4 p))", "(*i n p)"),
    ("index-algebra", "(+i (-i n n) p)", "(+i (-i k k) k)"),
    // (i·n + j) / n = i, for a known n and for a length.
    ("divide-sum", "(build i 4 (build j 3 (get a (div (+i (*i 3 i) j) 3))))", "(build j 5 (get a (div (+i n j) 3)))"),
    ("divide-sum", "(build i 4 (build j 3 (get a (mod (+i (*i 3 i) j) 3))))", "(build j 5 (get a (mod (+i n j) 3)))"),
    (
        "divide-sum",
        "(build i 4 (build j (length v) (get a (mod (+i (*i (length v) i) j) (length v)))))",
        "(build i 4 (build j 5 (get a (mod (+i (*i (length v) i) j) (length v)))))",
    ),
    ("divide-sum", "(build j 5 (get a (div (+i (*i 6 j) 7) 3)))", "(build j 5 (get a (div (+i (*i 6 j) 7) -3)))"),
    ("divide-sum", "(build j 5 (get a (mod (-i (*i 6 j) 3) 3)))", "(build j 5 (get a (mod (-i (*i 6 j) 3) 0)))"),
    (
        "divide-sum",
        "(build i 9 (build j 3 (get a (div (+i (*i 3 i) j) 3))))",
        "(build j 3 (get a (div (+i (*i 3 n) j) 3)))",
    ),
    ("divide-quotient", "(div (div n 2) 3)", "(div (div n 2) -3)"),
    ("divide-quotient", "(div (div n 2) 3)", "(div (div n -2) 3)"),
    ("divide-quotient", "(div (mod n 6) 2)", "(div (mod n 6) 4)"),
    ("divide-quotient", "(mod (mod n 6) 3)", "(mod (mod n 6) 4)"),
    ("index-algebra", "(+i (*i 3 (div n 3)) (mod n 3))", "(+i (*i (div n 3) 2) (mod n 3))"),
    ("index-algebra", "(+i (*i 3 (div n 12)) (mod (div n 4) 3))", "(+i (*i (div n 11) 3) (mod (div n 4) 3))"),
    ("integer-identity", "(+i n 0)", "(+i n 1)"),
    ("integer-identity", "(and c true)", "(xor c true)"),
    ("turn-comparison", "(gt n p)", "(lt n p)"),
    ("decide-comparison", "(build i 5 (if (lt i 5) (get a i) x))", "(build i 5 (if (lt i 4) (get a i) x))"),
    ("decide-comparison", "(build i n (if (le 0 i) x y))", "(build i n (if (le 1 i) x y))"),
    ("decide-comparison", "(eq (+i n 1) n)", "(lt n (+i n 1))"),
    ("negate-comparison", "(xor (eq n p) true)", "(xor (lt n p) true)"),
    ("negate-comparison", "(xor (eq n p) true)", "(xor (eq n p) c)"),
    ("divide-twice", "(/!ra (/!ra x y) z)", "(/!ra (/!r x y) z)"),
    ("divide-twice", "(/!ra (/!ra x y) z)", "(/!r (/!ra x y) z)"),
    ("conjunction-set", "(and (and c (eq n p)) c)", "(and c (eq n p))"),
    ("structural-zero", "(* x zero)", "(* x 0.0)"),
    ("structural-zero", "(+ zero x)", "(+ 0.0 x)"),
    ("structural-zero", "(- zero x)", "(- 0.0 x)"),
    ("structural-zero", "(/ zero x)", "(/ x zero)"),
    ("structural-zero", "(/ x one)", "(/ x 2.0)"),
    // One over x is not an identity: the structural one becomes a number.
    ("structural-zero", "(/ one x)", "(/ 2.0 x)"),
    ("structural-zero", "(* one x)", "(sin one)"),
    ("structural-zero", "(fma zero x y)", "(fma x y z)"),
    ("plain-zero", "(* x 1.0)", "(* x 2.0)"),
    ("plain-zero", "(+!s x 0.0)", "(+ x 0.0)"),
    ("plain-zero", "(+ x -0.0)", "(- x -0.0)"),
    ("plain-zero", "(*!f x 0.0)", "(*!s x 0.0)"),
    ("plain-zero", "(/!f 0.0 x)", "(/ 0.0 x)"),
    ("cancel", "(-!f x x)", "(- x x)"),
    ("cancel", "(/!f x x)", "(/!r x x)"),
    ("gather-constants", "(*!r (*!r x 2.0) 0.5)", "(*!r (* x 2.0) 0.5)"),
    ("gather-constants", "(+!r 1.5 (+!r x 2.0))", "(+!r 1.5 (*!r x 2.0))"),
    ("gather-constants", "(*!r (*!r x 2.0) 0.5)", "(* (*!r x 2.0) 0.5)"),
    ("negation", "(neg (neg x))", "(neg x)"),
    ("negation", "(+ x (neg y))", "(- x y)"),
    ("negation", "(* (neg x) y)", "(exp (neg x))"),
    ("cond-known", "(if true x y)", "(if c x y)"),
    ("cond-known", "(if c x x)", "(if c x y)"),
    ("cond-bool", "(if c true false)", "(if c false true)"),
    ("cond-not", "(if (xor c true) x y)", "(if c x y)"),
    ("cond-not", "(if (ne n p) x y)", "(if (eq n p) x y)"),
    ("cond-and", "(if c (if (eq n p) x y) y)", "(if c (if (eq n p) x y) z)"),
    ("cond-context", "(if c (+ x (if c y z)) z)", "(if c (+ x (if (eq n p) y z)) z)"),
    ("mask-out", "(* (if c x zero) y)", "(* (if c x 0.0) y)"),
    ("mask-out", "(/ (if c x zero) y)", "(/ y (if c x zero))"),
    ("mask-out", "(neg (if c x zero))", "(exp (if c x zero))"),
    ("subtract-mask", "(- x (if c y zero))", "(- x (if c y 0.0))"),
    ("distribute-mask", "(*!r (+!r (if c x zero) y) z)", "(* (+!r (if c x zero) y) z)"),
    ("distribute-mask", "(*!r z (-!r y (if c x zero)))", "(*!r z (- y (if c x zero)))"),
    ("cond-merge", "(+ (if c x zero) (if c y zero))", "(+ (if c x zero) (if (eq n p) y zero))"),
    ("cond-merge", "(* (if c x 1.0) (if c y z))", "(* (if c x y) (if c y z))"),
    ("cond-out", "(*!f x (if c 1.0 0.0))", "(* x (if c 1.0 0.0))"),
    ("get-of-build", "(build j 5 (get (build i 5 (exp (get a i))) j))", "(build j 5 (get a j))"),
    ("get-of-build", "(get (build i 5 (exp (get a i))) n)", "(get (build i 5 (if (eq (/i 7 i) 1) x y)) n)"),
    ("get-of-cond", "(get (if c a b) n)", "(get a n)"),
    ("get-outside", "(get a 5)", "(get a 4)"),
    ("get-outside", "(get a -1)", "(get v 5)"),
    ("get-outside", "(get m 4 5)", "(get m 5)"),
    ("get-of-stack", "(get (stack x y z) 1)", "(get (stack x y z) n)"),
    ("get-of-stack", "(get (stack a b) 1 n)", "(get (stack x y) 2)"),
    (
        "stack-of-gets",
        "(stack (get a 0) (get a 1) (get a 2) (get a 3) (get a 4))",
        "(stack (get a 0) (get a 1) (get a 2))",
    ),
    (
        "stack-of-gets",
        "(get (stack (get m 0) (get m 1) (get m 2) (get m 3) (get m 4)) n)",
        "(stack (get a 0) (get a 1) (get a 2) (get a 4) (get a 3))",
    ),
    ("stack-of-equal", "(stack x x x)", "(stack x y x)"),
    ("stack-of-equal", "(build i 5 (stack (get a i)))", "(build i 5 (stack (get a i) (get b i)))"),
    ("build-of-get", "(build i 5 (get a i))", "(build i 4 (get a i))"),
    ("build-of-get", "(build i (length v) (get v i))", "(build i 4 (get v i))"),
    ("build-of-get", "(build i 5 (get m i))", "(build i 5 (get m i i))"),
    ("length-known", "(length (build i n x))", "(length v)"),
    ("loop-empty", "(fold i 0 0 (s x (+ s y)))", "(fold i n 0 (s x (+ s y)))"),
    ("fission", "(fold i 4 1 (s x (+ s (get a i))) (t y (* t x)))", "(fold i 4 1 (s x (+ s (get a i))) (t y (+ t s)))"),
    ("loop-identity", "(fold i n 0 (s x s))", "(fold i n 0 (s x (+ s y)))"),
    ("loop-identity", "(fold i n 0 (s x (+ s t)) (t y t))", "(fold i n 0 (s x t) (t y s))"),
    ("zero-states", "(fold i n 0 (s zero (* s x)))", "(fold i n 0 (s zero (+ s x)))"),
    ("zero-states", "(fold i n 0 (s x (+ s t)) (t zero (* t s)))", "(fold i n 0 (s x (+ s t)) (t 0.0 (* t s)))"),
    // An empty product is one.
    ("zero-states", "(fold i 3 0 (s zero (sum j n s)))", "(fold i 3 0 (s zero (prod j n s)))"),
    ("zero-states", "(fold i 3 0 (s zero (prod j 4 s)))", "(fold i 3 0 (s zero (prod j p s)))"),
    ("loop-last", "(fold i n 0 (s x (get a i)))", "(fold i n 0 (s x (+ s (get a i))))"),
    ("loop-last", "(fold i 4 0 (s x (get a (/i 8 (+i i 1)))))", "(fold i n 0 (s x (get a (/i 8 (+i i 1)))))"),
    (
        "loop-single",
        "(build q 5 (fold i 5 0 (s x (if (eq i q) (+ s (get a i)) s))))",
        "(build q 5 (fold i 5 0 (s x (if (le i q) (+ s (get a i)) s))))",
    ),
    (
        "loop-single",
        "(build q 6 (fold i 4 0 (s x (if (eq i (-i q 1)) (exp (get a i)) s))))",
        "(build q 6 (fold i 4 0 (s x (if (eq (*i 2 i) q) (exp (get a i)) s))))",
    ),
    ("loop-single", "(fold i n 0 (s x (+ s (if (eq i p) y zero))))", "(fold i n 0 (s x (+ s (if (eq i p) y 0.0))))"),
    ("loop-single", "(fold i n 0 (s x (+!s s (if (eq i p) y 0.0))))", "(fold i n 0 (s x (+!s s (if (eq i p) y 1.0))))"),
    (
        "loop-single",
        "(fold i n 0 (s x (if (and c (eq i p)) y s)))",
        "(fold i n 0 (s x (if (and (less s y) (eq i p)) y s)))",
    ),
    ("loop-single", "(fold i n 0 (s p (if (eq i 2) n s)))", "(fold i n 0 (s p (if (eq i s) n s)))"),
    ("loop-unswitch", "(fold i n 0 (s x (if c (+ s y) s)))", "(fold i n 0 (s x (if (less s y) (+ s y) s)))"),
    ("loop-unswitch", "(fold i n 0 (s x (if c (+ s y) s)))", "(fold i n 0 (s x (if (lt i p) (+ s y) s)))"),
    ("loop-to-sum", "(fold i n 0 (s x (+!r s (get a i))))", "(fold i n 0 (s x (+ s (get a i))))"),
    ("loop-to-sum", "(fold i n 0 (s p (+i s i)))", "(fold i n 0 (s p (+i s (*i s i))))"),
    (
        "loop-to-sum",
        "(fold i n 0 (s zero (+ s (+ (if (eq i p) x zero) (if (eq i 2) y zero)))))",
        "(fold i n 0 (s zero (+ s (+ (if (eq i p) x zero) (if (lt i 2) y zero)))))",
    ),
    (
        "loop-to-sum",
        "(fold i n 0 (s zero (+ s (if (eq i p) x zero))))",
        "(fold i n 0 (s y (+ s (if (eq i p) x zero))))",
    ),
    (
        "loop-to-sum",
        "(fold i n 0 (s zero (+ (+ s (if (eq i 1) x zero)) (if (eq i 2) y zero))))",
        "(fold i n 0 (s zero (+ (+ (+ s (if (eq i 1) x zero)) (if (eq i 2) y zero)) (if (eq i p) z zero))))",
    ),
    (
        "last-writer",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t zero (if (less s (get a j)) (get m q j) t))))",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t zero (if (less s (get a j)) (get m q (/i 8 j)) t))))",
    ),
    (
        "last-writer",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t zero (if (less s (get a j)) (if (eq q j) one zero) t))))",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t zero (if (less s (get a j)) (* s (get b q)) t))))",
    ),
    (
        "last-writer",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t zero (if (less s (get a j)) (get m q j) t))))",
        "(build q 5 (fold j 5 1 (s x (max s t)) (t zero (if (less s (get a j)) (get m q j) t))))",
    ),
    ("sum-empty", "(sum i n zero)", "(sum i n 0.0)"),
    ("sum-empty", "(sum i 0 x)", "(sum i n x)"),
    (
        "sum-one-hot",
        "(build q 5 (sum i 5 (if (eq i q) (exp (get a i)) zero)))",
        "(build q 5 (sum i 5 (if (eq i q) (exp (get a i)) 1.0)))",
    ),
    (
        "sum-one-hot",
        "(build q 7 (sum i 5 (if (eq (-i 4 i) q) (exp (get a i)) zero)))",
        "(build q 7 (sum i 5 (if (eq (*i 2 i) q) (get a i) zero)))",
    ),
    ("sum-one-hot", "(sum i 5 (if (eq i n) (*!f x (get a i)) 0.0))", "(sum i 5 (if (eq i n) (* x (get a i)) 0.0))"),
    ("sum-mask-out", "(sum i 5 (if c (get a i) zero))", "(sum i 5 (if c (get a i) 0.0))"),
    ("sum-mask-out", "(sum i 5 (if (and c (lt i p)) (get a i) zero))", "(sum i 5 (if (lt i p) (get a i) zero))"),
    ("sum-mask-out", "(sum!s i 5 (if c (get a i) zero))", "(sum!s i 5 (if c (get a i) 0.0))"),
    (
        "sum-split-mask",
        "(sum i 5 (+ (if (eq i n) x zero) (if (eq i p) y zero)))",
        "(sum i 5 (+ (if (eq i n) x zero) (+ (if (eq i p) y zero) (if (eq i 2) z zero))))",
    ),
    (
        "sum-split-mask",
        "(sum i 5 (+ (if (eq i n) x zero) (if (eq i p) y zero)))",
        "(sum i 5 (+ (if (eq i n) x zero) (get a i)))",
    ),
    ("sum-split-mask", "(sum i 5 (+!r (if (eq i n) x zero) (get a i)))", "(sum i 5 (+!r (get b i) (get a i)))"),
    (
        "sum-exchange-one-hot",
        "(sum i 5 (sum j 4 (if (eq i (+i j j)) (get m i j) zero)))",
        "(sum i 5 (sum j 4 (if (le i (+i j j)) (get m i j) zero)))",
    ),
    (
        "sum-exchange-one-hot",
        "(sum i 5 (sum j 4 (if (eq i (+i j j)) (*!f x (get m i j)) zero)))",
        "(sum i 5 (sum j 4 (if (eq i (+i j j)) (*!f x (get m i j)) 0.0)))",
    ),
    (
        "sum-exchange-one-hot",
        "(sum i 5 (sum j p (if (eq i j) (get m i j) zero)))",
        "(sum i 5 (sum j i (if (eq i 2) (get m i j) zero)))",
    ),
    ("sum-of-invariant", "(sum i 4 (*!r x y))", "(sum i 4 (* x y))"),
    // 0·∞ is not an empty sum: if an extent may be 0, the result handles it.
    ("sum-of-invariant", "(sum i (length v) (*!r x y))", "(sum i n (*!r x y))"),
    ("sum-factor-out", "(sum i n (*!r x (get a i)))", "(sum i n (* x (get a i)))"),
    ("sum-factor-out", "(sum i n (/!r (get a i) x))", "(sum i n (/ (get a i) x))"),
    (
        "sum-of-products",
        "(sum i n (sum j p (*!r (*!r (get a i) (get b j)) x)))",
        "(sum i n (sum j p (* (* (get a i) (get b j)) x)))",
    ),
    // If an operand is known to be finite, 0 times it is 0.
    ("sum-factor-out", "(sum i n (*!r 2.0 (get a i)))", "(sum i n (* 2.0 (get a i)))"),
    // The reciprocal of a smallest number is infinite.
    ("divide-by-constant", "(/!a x 3.0)", "(/!a x 1.0e-310)"),
    ("sum-of-invariant", "(sum i 4 (*!r x y))", "(sum i 4 (*!r x (get a i)))"),
    ("sum-of-invariant", "(sum i 4 n)", "(sum i n n)"),
    ("sum-of-invariant", "(sum!r i 4 x)", "(sum i 4 x)"),
    ("sum-one-hot", "(sum!s i 5 (if (eq i n) (* x (get a i)) 0.0))", "(sum!s i 5 (if (eq i n) (* x (get a i)) 1.0))"),
    (
        "last-writer",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t (get m q 2) (if (less s (get a j)) (get m q j) t))))",
        "(build q 5 (fold j 5 1 (s x (max s (get a j))) (t (get m q 2) (if (less s t) (get m q j) t))))",
    ),
    ("index-algebra", "(+i n -1)", "(-i n 1)"),
    ("decide-comparison", "(build i 9 (if (lt (mod i 4) 4) x y))", "(build i 9 (if (lt (mod i 4) 3) x y))"),
    ("decide-comparison", "(build i 4 (if (lt (div i 2) 2) x y))", "(build i 5 (if (lt (div i 2) 2) x y))"),
    ("decide-comparison", "(build i 4 (if (le 0 (div i 2)) x y))", "(build i 4 (if (le 0 (div (-i i 1) 2)) x y))"),
    ("scatter-onto", "(scatter a ((i 5)) (i) (exp (get b i)))", "(scatter a ((i 4)) (i) (exp (get b i)))"),
    ("scatter-onto", "(scatter a ((i 5)) ((-i 4 i)) (get b i))", "(scatter a ((i 5)) ((-i 5 i)) (get b i))"),
    ("scatter-onto", "(scatter a ((i 5)) (i) (get b i))", "(scatter a ((i 5)) (2) (get b i))"),
    (
        "scatter-onto",
        "(scatter m ((i 5) (j 5)) (j i) (get m i j))",
        "(scatter m ((i 5) (j 5)) (j (+i i j)) (get m i j))",
    ),
    ("scatter-onto", "(scatter a ((i 5) (j 4)) (i) (get m i j))", "(scatter a ((i 5) (j 4)) ((*i 2 i)) (get m i j))"),
    ("scatter-onto", "(scatter a ((i n) (j 5)) (j) (get v i))", "(scatter a ((i n) (j 5)) (i) (get v j))"),
    ("scatter-into", "(scatter a ((i 4)) ((+i i n)) (get b i))", "(scatter a ((i 4)) ((/i i n)) (get b i))"),
    (
        "scatter-into",
        "(scatter m ((i 3) (j p)) ((-i j 1) 2) (get m i j))",
        "(scatter m ((i 3) (j p)) (j j) (get m i j))",
    ),
    (
        "scatter-scatter",
        "(scatter a ((j 6)) ((/i j 2)) (get (scatter (build k 6 zero) ((i 5)) ((*i 2 i)) (get b i)) j))",
        "(scatter a ((j 6)) ((/i j 2)) (get (scatter (build k 6 0.0) ((i 5)) ((*i 2 i)) (get b i)) j))",
    ),
    (
        "scatter-scatter",
        "(scatter (build k 4 0.0) ((j 6)) ((/i j 2)) (get (scatter (build k 6 0.0) ((i 5)) (p) (get b i)) j))",
        "(scatter (build k 4 0.0) ((j 6)) ((/i j 2)) (get (scatter (build k 7 0.0) ((i 5)) (p) (get b i)) j))",
    ),
    (
        "sum-of-scatter",
        "(sum q 6 (get (scatter (build k 6 0.0) ((i 5)) ((*i 2 i)) (get b i)) q))",
        "(sum q 5 (get (scatter (build k 6 0.0) ((i 5)) ((*i 2 i)) (get b i)) q))",
    ),
    (
        "sum-of-scatter",
        "(sum q 3 (sum p 4 (get (scatter (build k 3 (build l 4 zero)) ((i 5)) (i n) (get b i)) q p)))",
        "(sum q 3 (sum p 4 (get (scatter (build k 3 (build l 4 x)) ((i 5)) (i n) (get b i)) q p)))",
    ),
    ("sum-split", "(sum i 5 (-!r (get a i) (get b i)))", "(sum i 5 (- (get a i) (get b i)))"),
    (
        "sum-of-products",
        "(sum i 5 (sum j 5 (*!r (*!r (get a i) (get b i)) (get b j))))",
        "(build l 5 (sum i 5 (sum j i (*!r (get m i j) (get m l j)))))",
    ),
    ("sum-of-products", "(sum i 5 (*!r x (get a i)))", "(sum i 5 (* x (get a i)))"),
    ("unroll-build", "(build i 3 (if (eq i 1) (exp (get a i)) x))", "(build i 3 (if (eq i n) (exp (get a i)) x))"),
    ("unroll-build", "(build i 3 (exp (get (stack x y z) i)))", "(build i 3 (exp (get (stack x y z) (+i i n))))"),
    (
        "unroll-build",
        "(build i 4 (sum j 3 (if (lt i j) (get m i j) x)))",
        "(build i 4 (sum j 13 (if (lt i j) (get m i j) x)))",
    ),
    (
        "unroll-build",
        "(build i 13 (build j 3 (if (eq j 2) (exp (get a j)) x)))",
        "(build i 13 (build j 3 (if (eq i j) (exp (get a j)) x)))",
    ),
    // The rejected array would have 72 elements.
    (
        "unroll-build",
        "(build i 12 (build j 5 (if (eq i 3) (exp (get a i)) x)))",
        "(build i 12 (build j 6 (if (eq i 3) (exp (get a i)) x)))",
    ),
    (
        "unroll-sum",
        "(sum i 3 (* (get a i) (get (stack x y z) i)))",
        "(sum i 3 (* (get a i) (get (stack x y z) (+i i n))))",
    ),
    // An outer index is not unrolled here, however short its loop is; the loops together are too long.
    (
        "unroll-build",
        "(build i 12 (build j 6 (if (eq j 2) (exp (get a j)) x)))",
        "(build i 12 (build j 6 (if (eq i j) (exp (get a j)) x)))",
    ),
    ("unroll-sum", "(sum i 5 (if (eq i 2) (get a i) x))", "(sum i 5 (if (eq i n) (get a i) x))"),
    ("unroll-sum", "(sum i 12 (if (lt i 4) (get a i) x))", "(sum i 13 (if (lt i 4) (get a i) x))"),
    ("unroll-loop", "(fold i 4 0 (s x (if (eq i 2) (* s y) s)))", "(fold i 4 0 (s x (if (eq i n) (* s y) s)))"),
    (
        "sum-of-scatter",
        "(sum q 6 (*!r (get v q) (get (scatter (build k 6 zero) ((i 5)) ((*i 2 i)) (get b i)) q)))",
        "(sum q 6 (*!r (get v q) (get (scatter (build k 6 0.0) ((i 5)) ((*i 2 i)) (get b i)) q)))",
    ),
    (
        "sum-of-scatter",
        "(sum q 6 (*!r (get v q) (get (scatter (build k 6 zero) ((i 5)) (i) (get b i)) q)))",
        "(sum q 6 (* (get v q) (get (scatter (build k 6 zero) ((i 5)) (i) (get b i)) q)))",
    ),
    ("scatter-into", "(scatter a ((i 4)) ((+i i n)) (get b i))", "(scatter a ((i 4)) ((+i i n)) (get b (/i 8 i)))"),
    ("cond-into", "(+ y (if c 1.0 2.0))", "(+ y (if c 1.0 x))"),
    ("peel-first", "(fold i 4 0 (s x (+ (* s y) (get a i))))", "(fold i n 0 (s x (+ (* s y) (get a i))))"),
    ("peel-first", "(fold i 1 0 (s x (+ s y)))", "(fold i 0 0 (s x (+ s y)))"),
    ("peel-last", "(fold i 4 1 (s x (+ (* s y) (get a i))) (t y (* t s)))", "(fold i 0 1 (s x (* s y)) (t y (* t s)))"),
    ("factor", "(+!r (*!r x y) (*!r x z))", "(+ (*!r x y) (*!r x z))"),
    ("factor", "(-!r (*!r y x) (*!r x z))", "(-!r (* y x) (*!r x z))"),
    ("regroup", "(build i 5 (+!r (+!r (get a i) x) y))", "(build i 5 (+!r (+ (get a i) x) y))"),
    ("regroup", "(build i 5 (*!r x (*!r (get a i) y)))", "(build i 5 (* x (*!r (get a i) y)))"),
    (
        "regroup",
        "(fold i 4 0 (s x (exp (+!r (+!r s (get a i)) (get b i)))))",
        "(fold i 4 0 (s x (exp (+ (+!r s (get a i)) (get b i)))))",
    ),
    ("sum-factor-out", "(sum i 5 (*!r x (get a i)))", "(sum i 5 (* x (get a i)))"),
    ("sum-factor-out", "(sum i 5 (*!r (get a i) y))", "(sum i 5 (*!r (get a i) (get b i)))"),
    ("sum-exchange", "(sum i 5 (sum j 4 (get m i j)))", "(sum i 5 (sum j i (get m i j)))"),
    ("divide-by-constant", "(/ x 4.0)", "(/ x 3.0)"),
    ("sum-factor-out", "(sum i 5 (/!r (get a i) x))", "(sum i 5 (/ (get a i) x))"),
    ("sum-factor-out", "(sum i 5 (/!r (get a i) x))", "(sum i 5 (/!r x (get a i)))"),
    ("sum-factor-out", "(sum!s i 5 (neg (get a i)))", "(sum i 5 (neg (get a i)))"),
    ("divide-by-constant", "(/!a x 3.0)", "(/!a x 0.0)"),
    ("divide-by-invariant", "(build i 5 (/!a (get a i) x))", "(build i 5 (/ (get a i) x))"),
    ("divide-by-invariant", "(build i 5 (/!a (get a i) x))", "(build i 5 (/!a x (get a i)))"),
    (
        "divide-by-invariant",
        "(build i 5 (build j 5 (/!a (get m i j) (get a i))))",
        "(build i 5 (/!a (get a i) (get b i)))",
    ),
    ("power", "(pow!m x 2.0)", "(pow x 2.0)"),
    ("power", "(pow!m x 3.0)", "(pow!m x 2.5)"),
    ("power", "(pow!m x 4.0)", "(pow!m x y)"),
    ("power", "(pow!m x -1.0)", "(pow x -1.0)"),
    ("power", "(pow!m x 0.0)", "(pow!m 2.0 x)"),
    ("power", "(pow!ims (*!f x x) 0.5)", "(pow!m x 0.5)"),
    ("power", "(pow!ims (*!f x x) 0.5)", "(pow!is x 0.5)"),
    ("inverse-functions", "(exp!rns (log!rns (exp x)))", "(exp!rn (log!rns x))"),
    ("inverse-functions", "(exp!rns (log!rns (exp x)))", "(exp!rns (log!rs x))"),
    ("inverse-functions", "(log!rns (exp!rns x))", "(log!rns (exp!rn x))"),
    ("inverse-functions", "(log!rns (exp!rns x))", "(log!rn (exp!rns x))"),
    ("inverse-functions", "(*!rns (sqrt!rns (* x x)) (sqrt!rns (* x x)))", "(*!rns (sqrt!rns x) (sqrt!rns y))"),
    ("inverse-functions", "(*!rns (sqrt!rns (* x x)) (sqrt!rns (* x x)))", "(*!rn (sqrt!rns x) (sqrt!rns x))"),
    ("inverse-functions", "(sqrt!rn (*!rn x x))", "(sqrt!rn (*!rn x y))"),
    ("inverse-functions", "(sqrt!rn (*!rn x x))", "(sqrt!rn (* x x))"),
    ("exponential-of-sum", "(*!r (exp!r x) (exp!r y))", "(*!r (exp!r x) (exp y))"),
    ("exponential-of-sum", "(/!r (exp!r x) (exp!r y))", "(/ (exp!r x) (exp!r y))"),
    ("cond-equal", "(if (eq n 3) (get a n) x)", "(if (eq n p) (get a (+i n p)) x)"),
    ("cond-equal", "(if (eq n 3) (get a n) x)", "(if (eq 2 3) (get a (+i 2 3)) x)"),
    ("cond-equal", "(if (and c (eq n 3)) (get a (+i n p)) x)", "(if (le n 3) (get a n) x)"),
    (
        "cond-equal",
        "(build i n (if (eq i 3) (build j 4 (get m i j)) b))",
        "(build i n (if (eq i 3) b (build j 4 (get m i j))))",
    ),
    ("loop-to-reduction", "(fold i 5 0 (s x (max!ns s (get a i))))", "(fold i 5 0 (s x (max!n s (get a i))))"),
    (
        "loop-to-reduction",
        "(fold i 5 0 (s x (max!ns (get b i) (max!ns s (get a i)))))",
        "(fold i n 0 (s x (max!ns s (get a i))))",
    ),
    ("loop-to-reduction", "(fold i 5 0 (s n (maxi s (*i i p))))", "(fold i 5 0 (s n (maxi s (*i i s))))"),
    ("loop-to-reduction", "(fold i n 0 (s x (*!r s (get a i))))", "(fold i n 0 (s x (* s (get a i))))"),
    ("loop-to-reduction", "(fold i n 0 (s p (*i s (+i i 1))))", "(fold i n 0 (s p (*i s (+i s 1))))"),
    // The multiplied term is not a factor.
    ("loop-to-reduction", "(fold i n 0 (s x (*!r s (get a i))))", "(fold i n 0 (s x (*!r (exp s) (get a i))))"),
    (
        "loop-interchange",
        "(fold i n 0 (s a (build j 5 (+ (* x (get s j)) (get b i)))))",
        "(fold i n 0 (s a (build j 5 (+ (* x (get s j)) (get s i)))))",
    ),
    (
        "loop-interchange",
        "(fold i n 1 (s a (build j 5 (+ (get t j) (get b j)))) (t b (build j 5 (* (get s j) x))))",
        "(fold i n 1 (s a (build j 5 (+ (get t j) (get b j)))) (t b (build j 5 (* (get s (+i j 0)) (get t 1)))))",
    ),
    (
        "loop-interchange",
        "(build k 5 (fold i k 0 (s m (build j 5 (build l 5 (+ (get s j l) (* (get a j) (get b k))))))))",
        "(build k 5 (fold i k 0 (s a (build j 4 (+ (get s j) (get b k))))))",
    ),
    ("shift-log-sum-exp", "(log!rni (sum i 5 (exp!rni (get a i))))", "(log!rni (sum i 5 (exp!rn (get a i))))"),
    ("shift-log-sum-exp", "(log!rni (sum i 5 (exp!rni (get a i))))", "(log!ri (sum i 5 (exp!rni (get a i))))"),
    (
        "shift-log-sum-exp",
        "(log!rni (sum i 5 (exp!rni (- x (get a i)))))",
        "(log!rni (sum i 5 (exp!rni (- (get a i) x))))",
    ),
    ("shift-log-sum-exp", "(log!rni (sum i 5 (exp!rni (get a i))))", "(log!rni (sum i 5 (exp!rni x)))"),
    (
        "shift-softmax",
        "(build j 5 (/!rni (exp!rni (get a j)) (sum i 5 (exp!rni (get a i)))))",
        "(build j 5 (/!rni (exp!ni (get a j)) (sum i 5 (exp!rni (get a i)))))",
    ),
    (
        "shift-softmax",
        "(build j 5 (/!rni (exp!rni (get b j)) (sum i 5 (exp!rni (get m i j)))))",
        "(build j 5 (/!rn (exp!rni (get b j)) (sum i 5 (exp!rni (get m i j)))))",
    ),
    // An op that may be undefined does not leave a loop that may have no iteration.
    ("sum-of-invariant", "(sum i 5 (/i n p))", "(sum i n (/i n p))"),
    ("sum-mask-out", "(sum i 5 (if (eq (/i n p) 1) (get a i) zero))", "(sum i n (if (eq (/i n p) 1) (get a i) zero))"),
    (
        "loop-unswitch",
        "(fold i 5 0 (s x (if (eq (/i n p) 1) (* s y) s)))",
        "(fold i n 0 (s x (if (eq (/i n p) 1) (* s y) s)))",
    ),
    (
        "sum-of-products",
        "(sum i 5 (sum j 5 (*!r (get a i) (get b j))))",
        "(sum i 5 (sum j 5 (*!r (get a (/i i n)) (get b j))))",
    ),
    ("sum-factor-out", "(sum i 5 (*!r (get b n) (get a i)))", "(sum i n (*!r (get b (/i 7 p)) (get a i)))"),
    ("sum-factor-out", "(sum i 5 (/!r (get a i) x))", "(sum i n (/!r (get a i) (get b (/i 7 p))))"),
    ("distribute-mask", "(neg!r (+!r x (if c x zero)))", "(neg (+!r x (if c x zero)))"),
    ("distribute-mask", "(*!r z (-!r x (+!r y (if c x zero))))", "(*!r z (-!r x (+ y (if c x zero))))"),
    ("distribute-mask", "(/!r (-!r (if c x zero) y) z)", "(/!r z (-!r (if c x zero) y))"),
    (
        "double-mask",
        "(+!r (+!r (if c x zero) y) (+!r (if c x zero) y))",
        "(+ (+!r (if c x zero) y) (+!r (if c x zero) y))",
    ),
    (
        "double-mask",
        "(+!r (-!r y (if c x zero)) (-!r y (if c x zero)))",
        "(+!r (+ (if c x zero) y) (+ (if c x zero) y))",
    ),
    (
        "double-mask",
        "(+!r (-!r y (if c x zero)) (-!r y (if c x zero)))",
        "(+!r (-!r y (if c x 0.0)) (-!r y (if c x 0.0)))",
    ),
    (
        "double-mask",
        "(+!r (-!r y (if c x zero)) (-!r y (if c x zero)))",
        "(+!r (-!r y (if c x zero)) (-!r z (if c x zero)))",
    ),
    ("cond-out", "(+ (if c 1.0 zero) 0.5)", "(+!r (if c 1.0 zero) 0.5)"),
    (
        "sum-window",
        "(build q (length v) (sum i (length v) (if (and (le 0 (-i q i)) (lt (-i q i) 3)) (get v i) zero)))",
        "(build q (length v) (sum i (length v) (if (and (le 0 (-i q i)) (lt (-i q i) 3)) (get v i) 0.0)))",
    ),
    (
        "sum-window",
        "(build q 5 (sum i 5 (if (and (and (le q i) c) (lt i (+i q 2))) (* (get a i) (get b q)) zero)))",
        "(build q 5 (sum i 5 (if (and (and (le q i) c) (lt i (+i q 5))) (* (get a i) (get b q)) zero)))",
    ),
    ("sum-window", "(sum i 5 (if (lt i 3) (get a i) zero))", "(sum i 5 (if (lt i n) (get a i) zero))"),
    ("sum-window", "(sum i 5 (if (lt i 3) (*!s x (get a i)) zero))", "(sum i 5 (if (lt i 3) (*!s x (get a i)) 0.0))"),
    (
        "sum-window",
        "(sum i 5 (if (le 3 i) (get a i) zero))",
        "(sum i 5 (if (and (le n i) (lt i (+i n 2))) (get a i) zero))",
    ),
    ("sum-window", "(sum i 5 (if (le 3 i) (get a i) zero))", "(sum i 5 (if (le 3 i) (get a (/i 7 i)) zero))"),
    (
        "build-to-scatter",
        "(build q 6 (sum i 5 (if (eq q (*i i i)) (get a i) zero)))",
        "(build q 6 (sum i 5 (if (eq q (*i i i)) (get a i) 0.0)))",
    ),
    (
        "build-to-scatter",
        "(build q 6 (sum i 5 (if (and (eq (*i i n) (+i q 1)) (lt i p)) (* (get a i) (get b q)) zero)))",
        "(build q 6 (sum i 5 (if (and (eq (*i q n) (+i q 1)) (lt i p)) (* (get a i) (get b q)) zero)))",
    ),
    (
        "build-to-scatter",
        "(build q 6 (build l 5 (sum i 5 (if (eq (*i i n) q) (* (get m i l) (get b q)) zero))))",
        "(build q 4 (build l 5 (sum i 5 (if (eq (*i i n) q) (* (get m i l) (get b q)) zero))))",
    ),
    (
        "build-to-scatter",
        "(build l 3 (build q 6 (sum i 5 (sum j 2 (if (and (eq (*i i j) q) (eq (*i i i) (-i 1 l))) \
         (get m i j) zero)))))",
        "(build l 3 (build q 6 (sum i 5 (sum j i (if (and (eq (*i i j) q) (eq (*i i i) (-i 1 l))) \
         (get m i j) zero)))))",
    ),
    (
        "build-to-scatter",
        "(build l 2 (build q 6 (* x (+ y (sum i 5 (if (eq q (*i i i)) (* (get a i) (get b l)) zero))))))",
        "(build q 6 (* x (+ y (sum i 5 (if (eq q (+i n i)) (get a i) zero)))))",
    ),
    (
        "build-to-scatter",
        "(build q 6 (sum i 5 (if (eq q (*i i i)) (get a i) zero)))",
        "(build q 6 (sum i 5 (if (eq q (*i i i)) (get a (/i 7 q)) zero)))",
    ),
    (
        "mask-to-scatter",
        "(build i 6 (build j 6 (if (eq i j) (get a i) zero)))",
        "(build i 6 (build j 4 (if (eq i j) (get a i) zero)))",
    ),
    (
        "mask-to-scatter",
        "(build i 7 (build j 6 (if (and (eq i (+i j n)) c) (* (get a i) (get b j)) zero)))",
        "(build i 7 (build j 6 (if (and (lt i (+i j n)) c) (* (get a i) (get b j)) zero)))",
    ),
    (
        "mask-to-scatter",
        "(build i 12 (build j 6 (if (eq i (*i 2 j)) (get a j) zero)))",
        "(build i 12 (build j 6 (if (eq (*i 3 i) (*i 2 j)) (get a j) zero)))",
    ),
    (
        "mask-to-scatter",
        "(build i 3 (build j 2 (build k 3 (build l 2 (if (and (eq i k) (eq j l)) (get a (+i i l)) zero)))))",
        "(build i 6 (build l i (if (eq i l) (get a (+i i l)) zero)))",
    ),
    // An extent that depends on an outer index: positions beyond it are ignored.
    (
        "mask-to-scatter",
        "(build i 3 (get (get (get (build j 2 (build k 3 (build l i (if (and (eq i k) (eq j l)) \
         (get a (+i i l)) zero)))) n) p) 1))",
        "(build i 3 (get (get (get (build j 2 (build k 3 (build l i (if (and (lt i k) (lt j l)) \
         (get a (+i i l)) zero)))) n) p) 1))",
    ),
    (
        "mask-to-scatter",
        "(build i 6 (build j 6 (build k 6 (if (and (and (eq j (+i k 1)) (eq i (*i 2 k))) (lt i p)) (get a k) zero))))",
        "(build i 6 (if (eq i n) (get a i) zero))",
    ),
    (
        "mask-to-scatter",
        "(build i 6 (build j 6 (if (eq j (*i i i)) (*!s x (get a i)) 0.0)))",
        "(build i 6 (build j 6 (if (eq j (*i i i)) (* x (get a i)) 0.0)))",
    ),
    (
        "mask-to-scatter",
        "(build i 6 (build j 6 (if (eq j i) (get a i) zero)))",
        "(build i 6 (build j 6 (if (eq j i) (get a (/i 7 i)) zero)))",
    ),
    (
        "mask-to-scatter",
        "(build i 6 (build j 6 (if (eq j i) (get a i) zero)))",
        "(build i 6 (build j 6 (if (eq j (*i i j)) (get a i) zero)))",
    ),
    (
        "affine-recurrence",
        "(fold i n 0 (s x (+!r (*!r s y) (get a i))))",
        "(fold i n 0 (s x (+!r (*!r s (get b (/i 7 p))) y)))",
    ),
    ("affine-recurrence", "(fold i n 0 (s x (+!r (*!r s y) (get a i))))", "(fold i n 0 (s x (+!r (* s y) (get a i))))"),
    (
        "affine-recurrence",
        "(fold i 5 0 (s x (+!r (get a i) (*!r y s))))",
        "(fold i 5 0 (s x (+!r (get a i) (*!r s (get b i)))))",
    ),
    (
        "affine-recurrence",
        "(fold i 3 0 (s x (-!r (*!r s y) (get a i))))",
        "(fold i 3 0 (s x (-!r (get a i) (*!r s y))))",
    ),
    ("affine-recurrence", "(fold i 3 0 (s x (-!r (*!r s y) (get a i))))", "(fold i 3 0 (s x (+!r (*!r s y) (* s y))))"),
    ("affine-recurrence", "(fold i 3 0 (s x (+!r (*!r s y) z)))", "(fold i 3 0 (s x (+!r (*!r s (* s y)) z)))"),
];

pub fn rule(name: &str) -> Rule<'static> {
    every().map(|(_, r)| r).find(|r| r.name == name).unwrap_or_else(|| panic!("there is no rule {name}"))
}

/// Returns all subterms, each once.
pub fn subterms(text: &Text, t: Id) -> Vec<Id> {
    let (mut seen, mut todo) = (vec![], vec![t]);
    while let Some(t) = todo.pop() {
        if !seen.contains(&t) {
            seen.push(t);
            todo.extend(&text.pool.node(t).children);
        }
    }
    seen
}

/// Returns every application of the rule in the term: (left, right).
pub fn applications(text: &mut Text, rule: Rule<'static>, t: Id) -> Vec<(Id, Id)> {
    let mut found = Vec::new();
    for left in subterms(text, t) {
        let mut out = Vec::new();
        rule.apply(&mut View { pool: &mut text.pool, classes: None }, left, &mut out);
        found.extend(out.into_iter().filter(|&r| r != left).map(|right| (left, right)));
    }
    found
}

#[test]
fn every_rule_fires_where_it_holds_and_only_there() {
    for (name, fires, stopped) in CASES {
        let mut text = Text::new();
        let t = text.term(fires);
        let found = applications(&mut text, rule(name), t);
        assert!(!found.is_empty(), "{name} does not fire on {fires}");
        for (left, right) in found {
            for sample in 0..60 {
                let leaves = text.values(sample);
                check_step(&text.pool, name, left, right, sample, &leaves);
            }
        }
        let mut text = Text::new();
        let t = text.term(stopped);
        let found = applications(&mut text, rule(name), t);
        assert!(found.is_empty(), "{name} fires on {stopped}, which its condition must reject");
    }
}

#[test]
fn every_rule_has_a_case() {
    // Readings are not steps: they are tested in `tools/mlopt/tests/pairs.rs`. Rules on data are tested with the
    // evaluator of functions in `tools/mlopt/tests/equalities.rs`.
    let elsewhere = ["reading", "data", "data-choice", "expanded"];
    for (_, rule) in every().filter(|(set, _)| !elsewhere.contains(set)) {
        assert!(CASES.iter().any(|c| c.0 == rule.name), "the rule {} has no case", rule.name);
    }
}

/// Directed rules do not undo each other: little fuel suffices for every case, and the result is its own normal form.
#[test]
fn normalisation_ends() {
    use crate::optimise::normaliser::normalise::Normaliser;
    let directed = crate::optimise::rules::Laws::all().directed;
    for (_, fires, stopped) in CASES {
        for source in [fires, stopped] {
            let mut text = Text::new();
            let t = text.term(source);
            let mut normaliser = Normaliser::new(&directed, 300);
            let once = normaliser.normalise(&mut text.pool, t);
            assert!(normaliser.fuel > 0, "no end on {source}");
            let twice = Normaliser::new(&directed, 300).normalise(&mut text.pool, once);
            assert_eq!(once, twice, "{source} has no normal form");
            for sample in 0..20 {
                let leaves = text.values(sample);
                check_step(&text.pool, "normalise", t, once, sample, &leaves);
            }
        }
    }
}
