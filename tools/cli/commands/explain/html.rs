//! The page that `mlopt explain --html` writes: one step at a time, with the code before and after side by side. The
//! page loads nothing from the network.

use super::{Explained, heading};
use std::fmt::Write as _;

/// The page around `$body$`.
const PAGE: &str = include_str!("page.html");

pub fn page(functions: &[Explained]) -> String {
    let mut body = String::new();
    for f in functions {
        let _ = write!(
            body,
            "<section><h2>@{}</h2><p>{}</p><nav><button class=\"back\">←</button> <span class=\"where\"></span> \
             <button class=\"on\">→</button></nav>",
            escaped(&f.name),
            escaped(&f.place)
        );
        for step in f.pieces.iter().flat_map(|p| &p.steps) {
            let direction = if step.forward { "" } else { " (from right to left)" };
            let _ = write!(
                body,
                "<div class=\"step\"><h3>{}</h3><dl><dt>Law{direction}</dt><dd>{}</dd>",
                escaped(&heading(step)),
                escaped(&step.law)
            );
            if !step.when.is_empty() {
                let _ = write!(body, "<dt>When</dt><dd>{}</dd>", escaped(&step.when));
            }
            if !step.locations.is_empty() {
                let _ = write!(body, "<dt>At</dt><dd>{}</dd>", escaped(&step.locations.join(", ")));
            }
            let _ = write!(
                body,
                "</dl><div class=\"pair\"><div>before<pre>{}</pre></div><div>after<pre>{}</pre></div></div></div>",
                escaped(&step.before),
                escaped(&step.after)
            );
        }
        let _ = write!(body, "<h3>Result</h3><pre>{}</pre></section>", escaped(&f.result));
    }
    PAGE.replace("$body$", &body)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
