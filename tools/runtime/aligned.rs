//! Tables of text with aligned columns.

/// Formats a table whose columns are as wide as their widest cell. The first `left` columns are left-aligned, the
/// others right-aligned.
pub fn table(rows: &[impl AsRef<[String]>], left: usize) -> String {
    // The maximum width in format strings.
    let most = usize::from(u16::MAX);
    let cell_width = |row: &[String], c: usize| row.get(c).map_or(0, |cell| cell.chars().count());
    let width = |c: usize| rows.iter().map(|row| cell_width(row.as_ref(), c)).max().unwrap_or(0).min(most);
    let widths: Vec<usize> = (0..rows.first().map_or(0, |row| row.as_ref().len())).map(width).collect();
    let line = |row: &[String]| {
        let cells = row.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| match c < left {
            true => format!("{cell:width$}"),
            false => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_string() + "\n"
    };
    rows.iter().map(|row| line(row.as_ref())).collect()
}
