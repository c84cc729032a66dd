//! Sizes of inputs as polynomials in the parameters of a benchmark: `t+p-1`, `4h`, `(dd+d)/2`.

/// A sum of terms, divided by `over`.
#[derive(Debug, PartialEq)]
pub struct Size {
    /// Each term: a factor, and the positions of its letters.
    pub terms: Vec<(i64, Vec<usize>)>,
    pub over: i64,
}

impl Size {
    /// # Panics
    /// `text` is invalid; the texts are those of the table of programs.
    pub fn parse(text: &str, letters: &str) -> Size {
        let (sum, over) = match text.strip_prefix('(').and_then(|t| t.split_once(")/")) {
            Some((sum, over)) => (sum, over.parse().expect("a number stands below")),
            None => (text, 1),
        };
        let signed = sum.replace('-', "+-");
        let terms = signed.split('+').map(|term| {
            let negative = term.starts_with('-');
            let term = term.trim_start_matches('-');
            let letter = term.find(|c: char| !c.is_ascii_digit()).unwrap_or(term.len());
            let number: i64 = if letter == 0 { 1 } else { term[..letter].parse().expect("digits are a number") };
            let factors = term[letter..].chars().map(|c| letters.find(c).expect("the letter stands for a size"));
            (if negative { -number } else { number }, factors.collect())
        });
        Size { terms: terms.collect(), over }
    }

    pub fn at(&self, dims: &[i64]) -> i64 {
        let term = |(number, factors): &(i64, Vec<usize>)| number * factors.iter().map(|&k| dims[k]).product::<i64>();
        self.terms.iter().map(term).sum::<i64>() / self.over
    }
}
