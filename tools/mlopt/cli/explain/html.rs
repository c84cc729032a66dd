//! The page that `mlopt explain --html` writes: one step at a time, with the code before and after side by side. The
//! page loads nothing from the network.

use super::{Explained, heading};
use std::fmt::Write as _;

const STYLE: &str = "\
body { font: 16px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1a1a2e }
nav { position: sticky; top: 0; background: #fff; padding: .5em 0; border-bottom: 1px solid #ccd }
nav button { font: inherit; padding: .2em .9em }
.step { display: none } .step.shown { display: block }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1em }
pre { background: #f4f5fa; padding: .8em; overflow-x: auto; font: 13px/1.45 ui-monospace, monospace; margin: .3em 0 }
dt { font-weight: 600 } dd { margin: 0 0 .4em 1.5em }
@media (max-width: 50em) { .pair { grid-template-columns: 1fr } }";

const SCRIPT: &str = "\
for (const section of document.querySelectorAll('section')) {
  const steps = [...section.querySelectorAll('.step')], where = section.querySelector('.where');
  let at = 0;
  const show = k => {
    at = Math.max(0, Math.min(steps.length - 1, k));
    steps.forEach((s, i) => s.classList.toggle('shown', i === at));
    where.textContent = steps.length ? `step ${at + 1} of ${steps.length}` : 'no steps';
  };
  section.querySelector('.back').onclick = () => show(at - 1);
  section.querySelector('.on').onclick = () => show(at + 1);
  show(0);
}";

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
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>mlopt explain</title><style>{STYLE}</style>\
         <h1>What egg-optimize did</h1>{body}<script>{SCRIPT}</script></html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
