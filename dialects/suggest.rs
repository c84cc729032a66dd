//! Suggestions of the most similar known name, for messages about unknown names.

/// Returns `; did you mean `x`?` for the candidate that is closest to `name`, or an empty string if none is close.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map_or(String::new(), |n| format!("; did you mean `{n}`?"))
}

/// Returns the candidate with the smallest edit distance (adjacent swaps count once), at most a third of the longer
/// name's length; the alphabetically first of equal ones.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(name, c), c))
        .filter(|&(distance, c)| 3 * distance <= name.chars().count().max(c.chars().count()))
        .min()
        .map(|(_, c)| c)
}
