//! Printing of arrays as numpy 2 does with its default options: at most 8 digits after the point, a summary with `...`
//! above 1000 elements, lines of 75 characters.
//!
//! Source: `numpy/_core/arrayprint.py` of numpy 2.4. `tests/numpy_print.txt` contains numpy's own output.

use mlopt_dialects::value::{Array, Data, Element};

/// The maximum number of digits after the point.
const PRECISION: usize = 8;
/// The number of elements above which an array is summarised.
const THRESHOLD: usize = 1000;
/// The number of elements shown at each end of a summarised axis.
const EDGE: usize = 3;
const LINE_WIDTH: usize = 75;

/// Formats an array like Python's `print(x)`: `[1. 2.]`. A scalar is formatted as a Python number, `3.0`, with all its
/// digits.
pub fn str(a: &Array) -> String {
    if a.rank() == 0 {
        return scalar(a.data());
    }
    array_text(a, " ", 0, THRESHOLD, LINE_WIDTH)
}

/// Formats an array like `print(x)`, on one line. An array of more than six elements is summarised.
pub fn line(a: &Array) -> String {
    if a.rank() == 0 {
        return scalar(a.data());
    }
    let text = array_text(a, " ", 0, 2 * EDGE, usize::MAX);
    text.split('\n').filter(|row| !row.is_empty()).map(|row| row.trim_start()).collect::<Vec<_>>().join(" ")
}

/// Formats an array like Python's `repr(x)`: `array([1., 2.], dtype=float32)`.
pub fn repr(a: &Array) -> String {
    let prefix = "array(";
    // A parenthesis must fit too.
    let text = array_text(a, ", ", prefix.len(), THRESHOLD, LINE_WIDTH - 1);
    let mut extras = vec![];
    if (a.is_empty() && a.shape() != [0]) || a.len() > THRESHOLD {
        extras.push(format!("shape={}", tuple(a.shape())));
    }
    let implied = matches!(a.element(), Element::F64 | Element::I64 | Element::Index | Element::I1);
    if !implied || a.is_empty() {
        extras.push(format!("dtype={}", dtype(a.element())));
    }
    if extras.is_empty() {
        return format!("{prefix}{text})");
    }
    let head = format!("{prefix}{text},");
    let tail = format!("{})", extras.join(", "));
    let last_line = head.len() - head.rfind('\n').map_or(0, |at| at + 1);
    let space =
        if last_line + tail.len() + 1 > LINE_WIDTH { format!("\n{}", " ".repeat(prefix.len())) } else { " ".into() };
    format!("{head}{space}{tail}")
}

/// Returns numpy's name of an element type.
pub fn dtype(element: Element) -> &'static str {
    match element {
        Element::F16 => "float16",
        Element::BF16 => "bfloat16",
        Element::F32 => "float32",
        Element::F64 => "float64",
        Element::I1 => "bool",
        Element::I8 => "int8",
        Element::I16 => "int16",
        Element::I32 => "int32",
        Element::I64 | Element::Index => "int64",
    }
}

/// Formats a shape as a Python tuple: `()`, `(3,)`, `(2, 3)`.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

// ---- scalars ----

fn scalar(data: &Data) -> String {
    match data {
        _ if data.element().is_float() => python_float(real(data, 0)),
        Data::I1(v) => if v[0] { "True" } else { "False" }.into(),
        data => data.to_integers()[0].to_string(),
    }
}

/// Formats a float like Python's `str`: the fewest digits that identify the number, with an exponent outside of [1e-4,
/// 1e16). For narrower types, exponents start where digits end, as for numpy's scalars since 2.4.
fn python_float(x: Real) -> String {
    if !x.value.is_finite() {
        return non_finite(x.value).into();
    }
    let magnitude = x.value.abs();
    let sign = if x.value.is_sign_negative() { "-" } else { "" };
    let large = if x.element == Element::F64 { 1e16 } else { x.end_of_digits() };
    if magnitude != 0.0 && !(1e-4..large).contains(&magnitude) {
        let (digits, exponent) = x.shortest();
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{point}{rest}e{}", exponent_text(exponent, 2));
    }
    let (int, frac, _) = x.positional(usize::MAX);
    format!("{int}.{}", if frac.is_empty() { "0" } else { &frac })
}

fn non_finite(x: f64) -> &'static str {
    match x {
        _ if x.is_nan() => "nan",
        _ if x > 0.0 => "inf",
        _ => "-inf",
    }
}

/// Formats an exponent as `+05` or `-123`: a sign and at least `width` digits.
fn exponent_text(exponent: i32, width: usize) -> String {
    format!("{}{:0width$}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

// ---- decimal digits of one number ----

/// A floating-point number and its precision, which determines its shortest digits.
#[derive(Clone, Copy)]
struct Real {
    value: f64,
    element: Element,
}

/// Returns an element of an array of floats.
fn real(data: &Data, at: usize) -> Real {
    let value = match data {
        Data::F16(v) => v[at].into(),
        Data::BF16(v) => v[at].into(),
        Data::F32(v) => v[at].into(),
        Data::F64(v) => v[at],
        _ => unreachable!("floats"),
    };
    Real { value, element: data.element() }
}

impl Real {
    /// Returns the fewest decimal digits that identify |value|, and the exponent of the first digit.
    fn shortest(self) -> (String, i32) {
        let magnitude = self.value.abs();
        let text = match self.element {
            Element::F32 => format!("{:e}", magnitude as f32),
            Element::F16 | Element::BF16 => {
                let digits = |n: usize| format!("{magnitude:.n$e}");
                let identifies = |text: &String| text.parse().is_ok_and(|x| self.element.rounded(x) == magnitude);
                // Five digits identify every number of 16 bits.
                (0..4).map(digits).find(identifies).unwrap_or_else(|| digits(4))
            }
            _ => format!("{magnitude:e}"),
        };
        let (int, frac, exponent) = parts(&text);
        (format!("{int}{frac}"), exponent)
    }

    /// Returns the power of ten from which on numbers of the type have fewer digits than their integers.
    fn end_of_digits(self) -> f64 {
        match self.element {
            Element::F16 | Element::BF16 => 1e3,
            Element::F32 => 1e6,
            _ => 1e8,
        }
    }

    /// Returns the digits before and after the point, at most `precision` after it, without trailing zeros; the
    /// exponent is 0.
    fn positional(self, precision: usize) -> (String, String, i32) {
        let (digits, exponent) = self.shortest();
        let after_point = (digits.len() as i64 - 1 - exponent as i64).max(0) as usize;
        // `{:.p}` rounds the exact binary value to nearest, ties to even, as numpy's Dragon4 does at its cut-off.
        let text = format!("{:.*}", after_point.min(precision), self.value);
        let (int, frac) = text.split_once('.').unwrap_or((&text, ""));
        (int.into(), frac.trim_end_matches('0').into(), 0)
    }

    /// Returns the digit before the point, the digits after it (at most `precision`, without trailing zeros), and the
    /// exponent.
    fn scientific(self, precision: usize) -> (String, String, i32) {
        let (digits, _) = self.shortest();
        let text = format!("{:.*e}", (digits.len() - 1).min(precision), self.value);
        let (int, frac, exponent) = parts(&text);
        (int.into(), frac.trim_end_matches('0').into(), exponent)
    }
}

/// Splits the output of `{:e}` into the digit before the point, the digits after it, and the exponent.
pub fn parts(text: &str) -> (&str, &str, i32) {
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` writes an exponent");
    let (int, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    (int, frac, exponent.parse().expect("`{:e}` writes a decimal exponent"))
}

// ---- one format for all elements of an array ----

/// Formats the elements at `shown`, which are positions in the array's data, so that columns align.
fn aligned(a: &Array, shown: &[usize]) -> Vec<String> {
    let shown = shown.iter().copied();
    match a.data() {
        data @ (Data::F16(_) | Data::BF16(_) | Data::F32(_) | Data::F64(_)) => {
            floats(&shown.map(|at| real(data, at)).collect::<Vec<_>>())
        }
        Data::I1(v) => {
            let width = if a.rank() == 0 { 0 } else { 5 };
            shown.map(|at| format!("{:>width$}", if v[at] { "True" } else { "False" })).collect()
        }
        Data::I8(v) => integers(shown.map(|at| v[at].into())),
        Data::I16(v) => integers(shown.map(|at| v[at].into())),
        Data::I32(v) => integers(shown.map(|at| v[at].into())),
        Data::I64(v) | Data::Index(v) => integers(shown.map(|at| v[at])),
    }
}

fn integers(all: impl Iterator<Item = i64>) -> Vec<String> {
    let texts: Vec<String> = all.map(|n| n.to_string()).collect();
    let width = texts.iter().map(String::len).max().unwrap_or(0);
    texts.iter().map(|text| format!("{text:>width$}")).collect()
}

/// Formats floats with `left` characters before the point and `right` after it. With exponents, the `e`, the sign and
/// the digits of the exponent also follow the point.
fn floats(all: &[Real]) -> Vec<String> {
    let finite: Vec<Real> = all.iter().copied().filter(|x| x.value.is_finite()).collect();
    let is_scientific = needs_exponent(&finite);
    let digits_of = if is_scientific { Real::scientific } else { Real::positional };
    let written: Vec<(String, String, i32)> = finite.iter().map(|x| digits_of(*x, PRECISION)).collect();
    let mut left = written.iter().map(|p| p.0.len()).max().unwrap_or(0);
    let digits = written.iter().map(|p| p.1.len()).max().unwrap_or(0);
    let exponent = written.iter().map(|p| exponent_text(p.2, 2).len() - 1).max().unwrap_or(2);
    let right = if is_scientific { exponent + 2 + digits } else { digits };
    for x in all.iter().filter(|x| !x.value.is_finite()) {
        // numpy reserves space for `nan` and `inf` as soon as one of them occurs: both have three letters.
        left = left.max(non_finite(x.value).len().saturating_sub(right + 1));
    }
    let text = |x: &Real| match is_scientific {
        _ if !x.value.is_finite() => format!("{:>width$}", non_finite(x.value), width = left + right + 1),
        false => {
            let (int, frac, _) = x.positional(PRECISION);
            format!("{int:>left$}.{frac:<right$}")
        }
        true => {
            // After its shortest digits, a number continues with the digits of its exact binary value.
            let text = format!("{:.digits$e}", x.value);
            let (int, frac, e) = parts(&text);
            format!("{int:>left$}.{frac}e{}", exponent_text(e, exponent))
        }
    };
    all.iter().map(text).collect()
}

/// Checks whether numbers are written with exponents: if one is large or small, or the ratio of two exceeds 1000. Zeros
/// do not count. numpy compares in the array's own type.
fn needs_exponent(finite: &[Real]) -> bool {
    let magnitudes = || finite.iter().map(|x| x.value.abs()).filter(|&m| m != 0.0);
    let max = magnitudes().fold(0.0, f64::max);
    let min = magnitudes().fold(f64::INFINITY, f64::min);
    if max == 0.0 {
        return false;
    }
    let element = finite[0].element;
    max >= finite[0].end_of_digits() || min < element.rounded(1e-4) || element.computed(max / min) > 1e3
}

// ---- brackets, separators, line breaks ----

/// Formats the brackets and their elements, in lines of at most `line` characters. Lines after the first are indented
/// by `prefix` characters. An array of more than `elements` elements is summarised.
fn array_text(a: &Array, separator: &str, prefix: usize, elements: usize, line: usize) -> String {
    if a.is_empty() {
        return "[]".into();
    }
    let summarised = a.len() > elements;
    let mut shown = vec![];
    collect_shown(a.shape(), summarised, 0, &mut shown);
    let mut layout = Layout { elements: aligned(a, &shown).into_iter(), shape: a.shape(), separator, summarised };
    layout.axis(0, &" ".repeat(prefix + 1), line)
}

/// Returns the positions along an axis that are shown, and whether `...` follows the first `EDGE` of them.
fn written(n: usize, summarised: bool) -> (Vec<usize>, bool) {
    if summarised && n > 2 * EDGE { ((0..EDGE).chain(n - EDGE..n).collect(), true) } else { ((0..n).collect(), false) }
}

/// Appends the data positions of all shown elements; `base` is the row number so far.
fn collect_shown(shape: &[usize], summarised: bool, base: usize, shown: &mut Vec<usize>) {
    let [n, rest @ ..] = shape else { return shown.push(base) };
    for i in written(*n, summarised).0 {
        collect_shown(rest, summarised, base * n + i, shown);
    }
}

struct Layout<'a> {
    /// The shown elements that are not written yet, in order.
    elements: std::vec::IntoIter<String>,
    shape: &'a [usize],
    separator: &'a str,
    summarised: bool,
}

impl Layout<'_> {
    /// Formats the next elements of axis `axis` and those inside it; `indent` is the indentation of its later lines.
    fn axis(&mut self, axis: usize, indent: &str, width: usize) -> String {
        let Some(&n) = self.shape.get(axis) else {
            return self.elements.next().expect("one for each shown position");
        };
        let (positions, gap) = written(n, self.summarised);
        let inner = format!("{indent} ");
        let mut words: Vec<String> = positions.iter().map(|_| self.axis(axis + 1, &inner, width - 1)).collect();
        if gap {
            words.insert(EDGE, "...".into());
        }
        let inner_axes = self.shape.len() - axis - 1;
        if inner_axes > 0 {
            let between = format!("{}{}{indent}", self.separator.trim_end(), "\n".repeat(inner_axes));
            return format!("[{}]", words.join(&between));
        }
        format!("[{}]", self.fill(&words, indent, width))
    }

    /// Breaks the words of the innermost axis into lines.
    fn fill(&self, words: &[String], indent: &str, width: usize) -> String {
        // A closing bracket or a comma must fit too.
        let width = width - self.separator.trim_end().len().max(1);
        let (mut text, mut line) = (String::new(), indent.to_string());
        for (k, word) in words.iter().enumerate() {
            // A break that would leave an empty line is useless.
            if line.len() + word.len() > width && line.len() > indent.len() {
                text += line.trim_end();
                text += "\n";
                line = indent.into();
            }
            line += word;
            if k + 1 < words.len() {
                line += self.separator;
            }
        }
        text += &line;
        text.split_off(indent.len())
    }
}
