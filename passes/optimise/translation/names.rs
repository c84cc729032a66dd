//! The text of operators and values in drawings of e-graphs and in explanations.

use super::import::Prototypes;
use crate::optimise::terms::op::{Flags, Op};
use crate::optimise::terms::prim::{Prim, Scalar};
use mlopt_dialects::ir::Value;
use mlopt_dialects::ops::{CmpFPredicate, CmpIPredicate};
use mlopt_dialects::value::Element;

/// The names of values and opaque ops, which terms refer to by number.
#[derive(Clone, Debug, Default)]
pub struct Names {
    leaves: Vec<String>,
    opaque: Vec<String>,
}

/// Returns the names of values from outside in the source; `v0`, `v1`, … for unnamed ones.
pub fn of_values(leaves: &[Value]) -> Vec<String> {
    leaves.iter().enumerate().map(|(k, v)| v.name().unwrap_or(format!("v{k}"))).collect()
}

impl Names {
    /// Creates the names, with `leaves` by number.
    pub fn new(leaves: &[Value], prototypes: &Prototypes) -> Self {
        Names { leaves: of_values(leaves), opaque: prototypes.ops.iter().map(|op| op.name().to_string()).collect() }
    }

    /// Formats `addf reassoc`, `cmpi slt`, `%x`, `i@0`: variables with the level of their binder, counted from the
    /// inside.
    pub fn label(&self, op: Op) -> String {
        match op {
            Op::Const(Element::I1, bits) => (bits != 0).to_string(),
            Op::Const(element, bits) => match Scalar::from_bits(element, bits) {
                Scalar::F(x) => format!("{x:?}"),
                Scalar::I(x) => x.to_string(),
                Scalar::Poison => "poison".to_string(),
            },
            Op::Zero(_) => "Zero".to_string(),
            Op::One(_) => "One".to_string(),
            Op::Ix(level) => format!("i@{level}"),
            Op::State(level, component, _) => format!("s{component}@{level}"),
            Op::Leaf(number, ..) => self.leaves.get(number as usize).map_or(format!("v{number}"), |n| format!("%{n}")),
            Op::Dim(0) => "length".to_string(),
            Op::Dim(axis) => format!("length of axis {axis}"),
            Op::Build => "build".to_string(),
            Op::Stack => "stack".to_string(),
            Op::Reduce(r, flags) => with_flags(last(r.kind().name()), flags, true),
            Op::Scatter(..) => "scatter".to_string(),
            Op::Ifold(_) => "ifold".to_string(),
            Op::Proj(component) => format!("component {component}"),
            Op::Get => "get".to_string(),
            Op::Cond => "cond".to_string(),
            Op::Prim(p, flags) => {
                let name = match p {
                    Prim::CmpI(k) => format!("cmpi {}", CmpIPredicate::ALL.get(k as usize).map_or("?", |p| p.text())),
                    Prim::CmpF(k) => format!("cmpf {}", CmpFPredicate::ALL.get(k as usize).map_or("?", |p| p.text())),
                    Prim::Cast(_, to) => format!("{} {to}", last(p.kind().name())),
                    _ => last(p.kind().name()).to_string(),
                };
                with_flags(&name, flags, p.is_float())
            }
            Op::Data(form, _) => format!("{form:?}"),
            Op::Opaque(number, result, ..) => {
                let name = self.opaque.get(number as usize).map_or("?", String::as_str);
                if result == 0 { name.to_string() } else { format!("{name} #{result}") }
            }
        }
    }
}

/// Returns a name without its dialect.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn with_flags(name: &str, flags: Flags, is_float: bool) -> String {
    if flags == Flags::NONE { name.to_string() } else { format!("{name} {}", flags.words(is_float)) }
}
