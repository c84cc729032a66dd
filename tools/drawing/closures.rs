//! Drawings of programs with functions as nested boxes: each function is in the box of the function that creates it,
//! with the values that it captures.

use crate::boxes::{self, Entry, Nested};
use crate::diagram::{MARGIN, cut, framed, headed};
use crate::functions::Functions;
use crate::layers::At;
use crate::texts::{plain, short};
use mlopt_dialects::ir::{Attribute, Op, Type, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::text::count;

/// The maximum numbers of characters of a name, of a type, and of a constant.
const NAME: usize = 36;
const TYPE: usize = 40;
const CONSTANT: usize = 16;
/// The minimum width of rows of functions of the module.
const ROW: f64 = 600.0;

/// Returns the picture of at most `limit` functions, in the order of the text, and a message if there are more.
pub fn svg(heading: &str, module: Op, limit: usize) -> (String, Option<String>) {
    let functions = Functions::new(module);
    let makes = |id: usize| functions.all.iter().any(|f| f.around == Some(id));
    let outermost: Vec<usize> = (0..functions.all.len()).filter(|&k| functions.all[k].around.is_none()).collect();
    let captured = functions.captured();
    let mut picture = Picture { functions: &functions, captured: &captured, left: limit, drawn: 0 };
    let mut boxes: Vec<Nested> = Vec::new();
    for &id in outermost.iter().filter(|&&id| makes(id)) {
        boxes.extend(picture.function(id));
    }
    let all: usize = functions.all.iter().enumerate().filter(|(k, f)| f.around.is_some() || makes(*k)).count();
    let drawn = picture.drawn;
    boxes.extend(module.child_ops().into_iter().filter(|op| op.kind() == Kind::LambdaData).map(data));
    let values = functions.all.len() - outermost.len();
    let mut notes = vec![match values {
        0 => "no function is created in another one: nothing is captured".to_string(),
        _ => format!(
            "{values} of {} functions are nested; the colour of a spot shows where a variable is defined",
            functions.all.len()
        ),
    }];
    let plain = outermost.iter().filter(|&&id| !makes(id)).count();
    if plain > 0 && values > 0 {
        notes.push(format!("{plain} without nested functions {} omitted", if plain == 1 { "is" } else { "are" }));
    }
    let cut =
        (drawn < all).then(|| format!("{drawn} of {all} functions are drawn, in the order of the text (--limit)"));
    notes.extend(cut.clone());
    let (mut body, mut y) = (String::new(), MARGIN);
    let width = headed(&mut body, &mut y, heading, &notes);
    let whole = boxes::rows(&mut body, &boxes, At { along: MARGIN, across: y }, ROW);
    (framed(&body, width.max(whole.along), y + whole.across), cut)
}

struct Picture<'f> {
    functions: &'f Functions,
    /// The captured values of each function.
    captured: &'f [Vec<Value>],
    /// The number of functions that may still be drawn.
    left: usize,
    drawn: usize,
}

impl Picture<'_> {
    fn function(&mut self, id: usize) -> Option<Nested> {
        if self.left == 0 {
            return None;
        }
        (self.left, self.drawn) = (self.left - 1, self.drawn + 1);
        let function = &self.functions.all[id];
        let body = self.functions.body(id)?;
        let parameters: Vec<String> = body.arguments().into_iter().enumerate().map(|(k, v)| described(v, k)).collect();
        let mut lines = vec![Entry { text: format!("({})", parameters.join(", ")), colour: None }];
        let captured = &self.captured[id];
        lines.extend(captured.iter().map(|v| self.entry(*v)));
        let mut hint = format!("{} takes {}", function.name, lines[0].text);
        if function.around.is_some() {
            let names: Vec<&str> = lines[1..].iter().map(|l| l.text.as_str()).collect();
            hint += &if names.is_empty() {
                "\ncaptures nothing".into()
            } else {
                format!("\ncaptures {}", names.join(", "))
            };
        }
        if captured.is_empty() && function.around.is_some() {
            lines.push(Entry { text: "captures nothing".into(), colour: None });
        }
        let is_thick = function.around.is_none();
        let title = cut(&function.name, NAME);
        Some(Nested { title, colour: id, is_thick, lines, hint, inside: self.inside(id) })
    }

    /// Returns the boxes of the functions that a function creates. Those of a recursive group are in a common box.
    fn inside(&mut self, id: usize) -> Vec<Nested> {
        let functions = self.functions;
        let children: Vec<usize> = (0..functions.all.len()).filter(|&k| functions.all[k].around == Some(id)).collect();
        let mut boxes = Vec::new();
        for members in children
            .chunk_by(|a, b| functions.all[*a].group.is_some() && functions.all[*a].group == functions.all[*b].group)
        {
            let drawn: Vec<Nested> = members.iter().filter_map(|&k| self.function(k)).collect();
            if functions.all[members[0]].group.is_none() || drawn.is_empty() {
                boxes.extend(drawn);
                continue;
            }
            let names: Vec<&str> = members.iter().map(|&k| functions.all[k].name.as_str()).collect();
            let called = if names.len() == 1 { "itself" } else { "each other" };
            let (hint, lines) = (format!("{} may call {called}", names.join(", ")), vec![]);
            boxes.push(Nested { title: "letrec".into(), colour: id, is_thick: false, lines, hint, inside: drawn });
        }
        boxes
    }

    /// Describes a captured value: its name, its type and the function that defines it.
    fn entry(&self, value: Value) -> Entry {
        let home = self.functions.home(value);
        let from = home.map_or(String::new(), |k| format!(" of {}", cut(&self.functions.all[k].name, NAME)));
        // A function without a name is called as in the title of its box.
        let function = value.defining_op().and_then(|(op, _)| self.functions.of(op)).filter(|_| value.name().is_none());
        let text = match function {
            Some(k) => format!("{}: {}", self.functions.all[k].name, cut(&short(value.ty()), TYPE)),
            None => described(value, 0),
        };
        Entry { text: format!("↥ {text}{from}"), colour: home }
    }
}

/// Formats `x: f64`; for values without a name, the constant or the op that defines them.
fn described(value: Value, position: usize) -> String {
    let ty = cut(&short(value.ty()), TYPE);
    if let Some(name) = value.name() {
        return format!("{}: {ty}", cut(&name, NAME));
    }
    match value.defining_op() {
        Some((op, _)) => match op.attribute("value") {
            Some(constant) => format!("{}: {ty}", cut(&plain(constant), CONSTANT)),
            None => format!("{}: {ty}", op.name().rsplit('.').next().unwrap_or_default()),
        },
        None => format!("#{position}: {ty}"),
    }
}

/// Returns the box of a sum type, to which functions are converted: its variants and their fields.
fn data(op: Op) -> Nested {
    let names = op.attribute("alternatives").and_then(Attribute::as_array).unwrap_or_default();
    let fields = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
    let alternative = |(name, fields): (&Attribute, &Attribute)| {
        let types = fields.as_array().unwrap_or_default().into_iter().filter_map(Attribute::as_type);
        let lines: Vec<Entry> = types.map(|ty: Type| Entry { text: cut(&short(ty), TYPE), colour: None }).collect();
        let title = name.as_string().unwrap_or_default();
        let hint = format!("{title} holds {}", count(lines.len(), "value"));
        Nested { title, colour: 0, is_thick: false, lines, hint, inside: vec![] }
    };
    let inside = names.iter().zip(&fields).map(alternative).collect();
    let title = format!("data @{}", op.symbol().unwrap_or_default());
    Nested { hint: title.clone(), title, colour: 4, is_thick: true, lines: vec![], inside }
}
