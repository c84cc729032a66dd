//! A test of the documentation that `mlopt lsp` adds to the answers of MLIR's server.

use mlopt_cli::commands::lsp::forward;

fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn hovers_over_our_ops_gain_their_documentation() {
    let ours = r#"{"id":1,"result":{"contents":{"kind":"markdown","value":"\"array.sum\"\n"}}}"#;
    let theirs = r#"{"id":2,"result":{"contents":{"kind":"markdown","value":"\"arith.addf\"\n"}}}"#;
    let mut out = Vec::new();
    forward((frame(ours) + &frame(theirs) + "noise\n").as_bytes(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains("_Sum over axes_"), "{text}");
    assert!(text.ends_with(&(frame(theirs) + "noise\n")), "{text}");
}
