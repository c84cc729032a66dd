//! The types of results that follow from operands, attributes and regions, where the definition of an op does not state
//! them. Constraints are left to the verifier: a rule fails only if there is no type.

use mlopt_dialects::dual;
use mlopt_dialects::ir::{Attribute, Context, Dim, Type};
use mlopt_dialects::lambda::types::{self, TypeKind};
use mlopt_dialects::ops::Kind;
use mlopt_dialects::value::Element;

/// The parts of an op that are known before its results.
pub(super) struct Parts<'a> {
    pub context: Context,
    /// The types of the operands, by group.
    pub groups: Vec<Vec<Type>>,
    pub attributes: &'a [(&'static str, Attribute)],
    /// The types of inputs and results of the function that the attribute `callee` names.
    pub callee: Option<(Vec<Type>, Vec<Type>)>,
    /// The types of the arguments of each region, and of the values that it yields.
    pub arguments: Vec<Vec<Type>>,
    pub yields: Vec<Vec<Type>>,
}

impl Parts<'_> {
    fn attribute(&self, name: &str) -> Option<Attribute> {
        self.attributes.iter().find(|(key, _)| *key == name).map(|(_, value)| *value)
    }

    fn integers(&self, name: &str) -> Vec<i64> {
        self.attribute(name).and_then(Attribute::as_i64_array).unwrap_or_default()
    }

    fn integer(&self, name: &str) -> i64 {
        self.attribute(name).and_then(Attribute::as_i64).unwrap_or_default()
    }

    /// Returns the types at the positions that an attribute contains, or at all positions.
    fn chosen(&self, name: &str, types: &[Type]) -> Result<Vec<Type>, String> {
        let Some(positions) = self.attribute(name).and_then(Attribute::as_i64_array) else { return Ok(types.to_vec()) };
        let at = |k: &i64| usize::try_from(*k).ok().and_then(|k| types.get(k).copied());
        let found: Option<Vec<Type>> = positions.iter().map(at).collect();
        found.ok_or_else(|| format!("has {} arguments, found the positions {positions:?} in `{name}`", types.len()))
    }

    /// Returns the types of the arguments and of the result of a function that is the first operand.
    fn function(&self) -> Result<(Vec<Type>, Type), String> {
        match TypeKind::of(self.operand(0)?) {
            TypeKind::Function(inputs, result) => Ok((inputs, result)),
            _ => Err(format!("must have a function for its first operand, found {}", self.operand(0)?)),
        }
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
        Kind::ArrayGet | Kind::LambdaAget => {
            let (x, count) = (op.operand(0)?, op.groups[1].len());
            let shape = x.shape();
            let rest = shape.get(count..).ok_or_else(|| format!("has {count} indices for an array of type {x}"))?;
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
        Kind::DualGrad
        | Kind::DualValueAndGrad
        | Kind::DualHessian
        | Kind::DualJacobian
        | Kind::DualJvp
        | Kind::DualVjp
        | Kind::DualHvp => {
            let (_, results) = op.callee.as_ref().ok_or("must name a function of the program in `callee`")?;
            let floats = |types: &[Type]| types.iter().copied().filter(|ty| ty.is_differentiable()).collect();
            let wrt = match op.attribute("wrt") {
                Some(_) => op.chosen("wrt", &op.groups[0])?,
                None => floats(&op.groups[0]),
            };
            Ok(dual::result_types(kind, results, &wrt))
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
        Kind::LambdaStopGradient | Kind::LambdaOpaque | Kind::LambdaGadd => one(op.operand(0)?),
        Kind::LambdaIsEmpty => one(op.context.scalar(Element::I1)),
        Kind::LambdaLength => one(op.context.scalar(Element::I64)),
        Kind::LambdaCheck | Kind::LambdaFold => one(op.operand(1)?),
        Kind::LambdaZerosLike => one(types::tangent(op.operand(0)?)),
        Kind::LambdaGrad => {
            let (inputs, result) = op.function()?;
            let wrt = op.chosen("wrt", &inputs)?;
            let gradient = packed(op, wrt.into_iter().map(types::tangent).collect());
            let value = op.attribute("value").is_some();
            one(types::function(&inputs, if value { op.context.tuple(&[result, gradient]) } else { gradient }))
        }
        Kind::LambdaVjp => {
            let (inputs, result) = op.function()?;
            let wrt = op.chosen("wrt", &inputs)?;
            let cotangents = packed(op, wrt.into_iter().map(types::tangent).collect());
            let pullback = types::function(&[types::tangent(result)], cotangents);
            one(types::function(&inputs, op.context.tuple(&[result, pullback])))
        }
        Kind::LambdaJvp => {
            let (inputs, result) = op.function()?;
            let tangents = inputs.iter().map(|ty| types::tangent(*ty));
            let all: Vec<Type> = inputs.iter().copied().chain(tangents).collect();
            one(types::function(&all, op.context.tuple(&[result, types::tangent(result)])))
        }
        Kind::LambdaHvp => {
            let (mut inputs, _) = op.function()?;
            let wrt = op.integer("wrt");
            let chosen = usize::try_from(wrt).ok().and_then(|k| inputs.get(k).copied());
            let direction = chosen.ok_or_else(|| format!("must name an argument of `f` in `wrt`, found {wrt}"))?;
            let direction = types::tangent(direction);
            inputs.push(direction);
            one(types::function(&inputs, direction))
        }
        _ => Err(format!("must have types of results: there is no rule for '{}'", kind.name())),
    }
}

/// Returns one type, or the tuple of several.
fn packed(op: &Parts, types: Vec<Type>) -> Type {
    if let [ty] = types[..] { ty } else { op.context.tuple(&types) }
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
