//! The state of the translation: the functions under construction, and the variables in scope.

use super::Zeros;
use super::text::Text;
use super::value::{Leaf, Outcome, Value};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::terms::Term;
use mlopt_dialects::value::Element;

pub(super) struct Import {
    /// The name of the public function.
    pub symbol: String,
    /// The default float type: `f32` if all float inputs are `f32`, else `f64`.
    pub floats: Element,
    pub zeros: Zeros,
    /// The functions under construction, outermost first.
    pub frames: Vec<Frame>,
    /// The variables in scope, innermost last.
    pub scope: Vec<Binding>,
    /// Variables below this position are not visible: they are outside of a closed function.
    pub closed: usize,
    /// The complete functions.
    pub functions: String,
    /// The number of functions outlined for `deriv`.
    pub derivatives: usize,
    /// The number of loops that may still be tried with other types.
    pub attempts: usize,
}

/// A function under construction.
#[derive(Clone)]
pub(super) struct Frame {
    pub text: Text,
    /// The first position of its own variables. It receives the variables below that it uses as parameters.
    pub start: usize,
    /// The positions of the captured variables, and their values in this function.
    pub captured: Vec<(usize, Value)>,
}

impl Frame {
    pub fn new(start: usize) -> Frame {
        Frame { text: Text::default(), start, captured: vec![] }
    }
}

pub(super) struct Binding {
    name: String,
    value: Value,
}

impl Import {
    pub fn text(&mut self) -> &mut Text {
        &mut self.frames.last_mut().expect("a function is being written").text
    }

    pub fn bind(&mut self, name: &str, value: impl Into<Value>) {
        self.scope.push(Binding { name: name.into(), value: value.into() });
    }

    /// Returns the value of a name in the innermost function.
    pub fn variable(&mut self, term: &Term, name: &str) -> Outcome {
        match self.scope.iter().rposition(|b| b.name == name) {
            Some(position) if position >= self.closed => Ok(self.visible(position, self.frames.len() - 1)),
            Some(_) => Err(term.error(format!(
                "the functions of `fold` and `mapAccumL` must not use `{name}`, which is defined outside; write `ifold`"
            ))),
            None => {
                let names = self.scope.iter().map(|b| b.name.as_str());
                Err(term.error(format!("unknown variable `{name}`{}", did_you_mean(name, names))))
            }
        }
    }

    /// Returns the variable at `position` as seen in `frame`: a parameter of that function if the variable belongs to
    /// an outer one.
    pub fn visible(&mut self, position: usize, frame: usize) -> Value {
        if position >= self.frames[frame].start {
            return self.scope[position].value.clone();
        }
        if let Some((_, value)) = self.frames[frame].captured.iter().find(|(p, _)| *p == position) {
            return value.clone();
        }
        let outside = self.visible(position, frame - 1);
        let name = self.scope[position].name.clone();
        let text = &mut self.frames[frame].text;
        let value = outside.with(&mut outside.leaves().into_iter().map(|leaf| match leaf {
            Leaf::Typed(x) => Value::from(text.named(&name, x.ty.clone())),
            literal => Value::Leaf(literal.clone()),
        }));
        self.frames[frame].captured.push((position, value.clone()));
        value
    }

    /// Returns the position of the innermost visible variable of that name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.scope.iter().rposition(|b| b.name == name).filter(|&p| p >= self.closed)
    }
}
