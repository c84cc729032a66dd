//! Bytes as text.

/// The line and column, from one, of the first byte that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotUtf8 {
    pub line: usize,
    pub column: usize,
}

/// The text of the diagnostic at that position.
pub const EXPECTED_UTF8: &str = "expected text in UTF-8, found other bytes";

/// Reads `bytes` as UTF-8.
pub fn utf8(bytes: &[u8]) -> Result<&str, NotUtf8> {
    std::str::from_utf8(bytes).map_err(|e| {
        let before = &bytes[..e.valid_up_to()];
        let last = before.split(|b| *b == b'\n').next_back().unwrap_or_default();
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        NotUtf8 { line, column: String::from_utf8_lossy(last).chars().count() + 1 }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_bytes_have_a_place() {
        assert_eq!(utf8(b"a\n\xc3\xa9"), Ok("a\n\u{e9}"));
        assert_eq!(utf8(b"a\n\xc3\xa9 \xff"), Err(NotUtf8 { line: 2, column: 3 }));
    }
}
