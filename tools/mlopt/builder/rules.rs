//! The types of results that follow from operands, attributes and regions, where the definition of an op does not state
//! them. Constraints are left to the verifier: a rule fails only if there is no type.

use mlopt_dialects::ir::{Attribute, Context, Dim, Type};
use mlopt_dialects::lambda::types::TypeKind;
use mlopt_dialects::ops::Kind;

/// The parts of an op that are known before its results.
pub(super) struct Parts<'a> {
    pub context: Context,
    /// The types of the operands, by group.
    pub groups: Vec<Vec<Type>>,
    pub attributes: &'a [(&'static str, Attribute)],
    /// The types of the arguments of each region, and of the values that it yields.
    pub arguments: Vec<Vec<Type>>,
    pub yields: Vec<Vec<Type>>,
}

impl Parts<'_> {
    fn integers(&self, name: &str) -> Vec<i64> {
        let found = self.attributes.iter().find(|(key, _)| *key == name);
        found.and_then(|(_, value)| value.as_i64_array()).unwrap_or_default()
    }

    fn integer(&self, name: &str) -> i64 {
        let found = self.attributes.iter().find(|(key, _)| *key == name);
        found.and_then(|(_, value)| value.as_i64()).unwrap_or_default()
    }

    fn operand(&self, group: usize) -> Result<Type, String> {
        self.groups[group].first().copied().ok_or_else(|| "must have an operand, found none".to_string())
    }
}

/// Returns the types of the results of an op of this kind. The build script reads here which kinds have a rule.
pub(super) fn results(kind: Kind, op: &Parts) -> Result<Vec<Type>, String> {
    let one = |ty: Type| Ok(vec![ty]);
    match kind {
        Kind::ArraySum | Kind::ArrayProd | Kind::ArrayMax | Kind::ArrayMin => {
            one(without(op.operand(0)?, &op.integers("axes"))?)
        }
        Kind::ArrayArgmax | Kind::ArrayArgmin => {
            let rest = without(op.operand(0)?, &[op.integer("axis")])?;
            one(Type::array(&rest.shape(), op.context.index()))
        }
        Kind::ArrayGet => {
            let (x, count) = (op.operand(0)?, op.groups[1].len());
            let shape = x.shape();
            let rest = shape.get(count..).ok_or_else(|| format!("has {count} indices for `x` of type {x}"))?;
            one(Type::array(rest, x.scalar()))
        }
        Kind::ArrayTranspose => {
            let (x, permutation) = (op.operand(0)?, op.integers("permutation"));
            let shape = x.shape();
            let size = |axis: &i64| usize::try_from(*axis).ok().and_then(|axis| shape.get(axis).copied());
            let sizes: Option<Vec<Dim>> = permutation.iter().map(size).collect();
            let sizes = sizes.ok_or_else(|| format!("has the permutation {permutation:?} for `x` of type {x}"))?;
            one(Type::tensor(&sizes, x.scalar()))
        }
        Kind::ArrayStack => one(op.operand(0)?.stacked(&[Some(op.groups[0].len())])),
        Kind::ArrayAppend => {
            let (x, y) = (op.operand(0)?, op.operand(1)?);
            let (Some((n, rest)), Some(m)) = (x.shape().split_first().map(|(n, rest)| (*n, rest.to_vec())), outer(y))
            else {
                return Err(format!("must have arrays for operands, found {x} and {y}"));
            };
            let n = n.zip(m).and_then(|(n, m)| n.checked_add(m));
            one(Type::tensor(&[&[n], &rest[..]].concat(), x.scalar()))
        }
        Kind::ArrayFold | Kind::ArrayMapAccum => {
            let n = op.operand(0).ok().and_then(outer);
            let n = n.ok_or("must have arrays for operands, found none")?;
            let inits = op.groups[1].len();
            let emitted = op.yields[0].iter().skip(inits).map(|ty| ty.stacked(&[n]));
            Ok(op.groups[1].iter().copied().chain(emitted).collect())
        }
        Kind::LambdaLambda => match &op.yields[0][..] {
            [result] => one(op.context.function_type(&op.arguments[0], &[*result])),
            found => Err(format!("must return one value, found {}", found.len())),
        },
        Kind::LambdaLetrec => Ok(op.yields[0].clone()),
        Kind::LambdaApply => {
            let f = op.operand(0)?;
            match TypeKind::of(f) {
                TypeKind::Function(_, result) => one(result),
                TypeKind::Any => one(f),
                _ => Err(format!("must have a function for its first operand, found {f}")),
            }
        }
        Kind::LambdaSwitch => one(op.operand(1)?),
        Kind::LambdaIf => Ok(op.yields[0].clone()),
        Kind::LambdaFor => Ok(op.groups[1].clone()),
        Kind::LambdaWhile => Ok(op.groups[0].clone()),
        Kind::LambdaTuple => one(op.context.tuple(&op.groups[0])),
        Kind::LambdaGet => {
            let (tuple, index) = (op.operand(0)?, op.integer("index"));
            let TypeKind::Tuple(parts) = TypeKind::of(tuple) else {
                return Err(format!("must have a tuple for its operand, found {tuple}"));
            };
            let part = usize::try_from(index).ok().and_then(|index| parts.get(index).copied());
            one(part.ok_or_else(|| format!("must have a tuple with an element {index}, found {tuple}"))?)
        }
        Kind::LambdaTset | Kind::LambdaWith | Kind::LambdaAset | Kind::LambdaSliceSet => one(op.operand(0)?),
        Kind::LambdaCons | Kind::LambdaTail | Kind::LambdaConcat => {
            one(op.operand(usize::from(kind == Kind::LambdaCons))?)
        }
        Kind::LambdaHead => {
            let list = op.operand(0)?;
            match TypeKind::of(list) {
                TypeKind::List(element) => one(element),
                _ => Err(format!("must have a list for its operand, found {list}")),
            }
        }
        Kind::LambdaStopGradient | Kind::LambdaOpaque => one(op.operand(0)?),
        _ => Err(format!("must have types of results: there is no rule for '{}'", kind.name())),
    }
}

fn outer(ty: Type) -> Option<Dim> {
    ty.shape().first().copied()
}

/// Returns an array type without some axes.
fn without(x: Type, axes: &[i64]) -> Result<Type, String> {
    let shape = x.shape();
    let is_axis = |axis: &i64| usize::try_from(*axis).is_ok_and(|axis| axis < shape.len());
    if !axes.iter().all(is_axis) {
        return Err(format!("has the axes {axes:?} for `x` of type {x}"));
    }
    let rest: Vec<Dim> =
        (0..shape.len()).filter(|axis| !axes.contains(&(*axis as i64))).map(|axis| shape[axis]).collect();
    Ok(Type::array(&rest, x.scalar()))
}
