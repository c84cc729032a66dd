//! Conversion of names to Rust's spelling.

/// Converts `staticSizes` to `static_sizes`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() && !out.ends_with(|p: char| p == '_' || p.is_uppercase()) {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// Converts `map_accum` to `MapAccum`.
pub fn camel(name: &str) -> String {
    let words = name.split(['_', '.', '-']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
