//! Typing rules of ops: the constraints on the types of their operands and results.

use super::super::unify::{Node, Numeral, Ty};
use super::prims::is_number;
use super::sizes::{Sizes, combined};
use super::{Closure, Code, Copy, Infer, Outcome, Reported, Step};
use mlopt_dialects::ir::{Attribute, Dim, Op, Type};
use mlopt_dialects::lambda::types;
use mlopt_dialects::ops::lambda::{If, Literal, The, While};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::text::count;
use mlopt_dialects::value::Element;

use Step::{Done, Waiting};

/// Returns from a step that needs an unknown type.
macro_rules! known {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return Ok(Waiting),
        }
    };
}

impl Infer {
    /// Processes one op. A deferred op is processed again later, so a step is idempotent.
    pub(super) fn step(&mut self, copy: Copy, op: Op) -> Outcome {
        let step = self.dispatch(copy, op)?;
        for value in op.results() {
            if !self.instances[copy.0].values.contains_key(&value)
                && !matches!(self.instances[copy.0].closure.code, Code::Derived(o) if o == op)
            {
                let ty = self.types.written(value.ty());
                self.bind(copy, value, ty);
            }
        }
        Ok(step)
    }

    fn dispatch(&mut self, copy: Copy, op: Op) -> Outcome {
        use Kind::*;
        match op.kind() {
            LambdaLambda => {
                self.bind_function(copy, op.result(0), Code::Lambda(op));
                Ok(Done)
            }
            LambdaLetrec => {
                let members: Vec<Op> = op.child_ops().into_iter().filter(|m| m.kind() == LambdaLambda).collect();
                for (member, result) in members.iter().zip(op.results()) {
                    self.bind_function(copy, member.result(0), Code::Lambda(*member));
                    self.bind_function(copy, result, Code::Lambda(*member));
                }
                Ok(Done)
            }
            LambdaRef => self.reference(copy, op),
            LambdaGrad | LambdaVjp | LambdaJvp | LambdaHvp => self.derivative(copy, op),
            LambdaApply => {
                let x = self.operands(copy, op);
                let y = self.apply(copy, op, x[0], &x[1..])?;
                self.give(copy, op, y)
            }
            LambdaSwitch => {
                let x = self.operands(copy, op);
                self.is_bool(copy, op, x[0])?;
                let y = self.agree(copy, op, x[1], x[2], Sizes::Join)?;
                self.give(copy, op, y)
            }
            LambdaIf => self.conditional(copy, op),
            LambdaFor => self.counted(copy, op),
            LambdaWhile => self.conditioned(copy, op),
            LambdaUnit => self.give_node(copy, op, Node::Leaf(self.types.context.unit())),
            LambdaLiteral => self.literal(copy, op),
            LambdaThe => {
                let x = self.operand(copy, op, 0);
                let wanted = self.types.written(op.cast::<The>().ty());
                let wanted = self.agree(copy, op, wanted, x, Sizes::First)?;
                self.give(copy, op, wanted)
            }
            LambdaTuple => {
                let x = self.operands(copy, op);
                self.give_node(copy, op, Node::Tuple(x))
            }
            LambdaGet | LambdaField => {
                let x = self.operand(copy, op, 0);
                let part = known!(self.part(copy, op, x)?);
                self.give(copy, op, part)
            }
            LambdaTset | LambdaWith => {
                let x = self.operands(copy, op);
                self.give(copy, op, x[0])?;
                let part = known!(self.part(copy, op, x[0])?);
                self.agree(copy, op, part, x[1], Sizes::First)?;
                Ok(Done)
            }
            LambdaRecord => self.record(copy, op),
            LambdaNil | LambdaCons | LambdaHead | LambdaTail | LambdaIsEmpty | LambdaLength | LambdaConcat => {
                self.list(copy, op)
            }
            LambdaToList => {
                let x = self.operand(copy, op, 0);
                if let Node::Tuple(parts) = self.types.node(x).clone()
                    && let Some(first) = parts.first()
                {
                    let row =
                        parts.iter().try_fold(*first, |row, part| self.agree(copy, op, row, *part, Sizes::Join))?;
                    return self.give_node(copy, op, Node::List(row));
                }
                let row = known!(self.row(copy, op, x)?);
                self.give_node(copy, op, Node::List(row))
            }
            LambdaToArray => {
                let (x, element) = (self.operand(copy, op, 0), self.types.unknown());
                self.is_node(copy, op, Node::List(element), x)?;
                let element = known!(self.shaped(copy, op, element)?);
                let length = self.known_length(copy, op.operand(0)).filter(|n| *n > 0);
                self.give_node(copy, op, Node::Leaf(element.stacked(&[length])))
            }
            LambdaMap => self.map(copy, op),
            LambdaReduce => self.reduce(copy, op),
            LambdaFold | LambdaScan => self.fold(copy, op),
            LambdaWalk => self.walk(copy, op),
            LambdaAget | LambdaAset => self.element(copy, op),
            LambdaSliceGet | LambdaSliceSet => self.slice(copy, op),
            LambdaPrim => self.prim(copy, op),
            LambdaCheck => {
                let x = self.operands(copy, op);
                self.is_bool(copy, op, x[0])?;
                self.give(copy, op, x[1])
            }
            LambdaOpaque => {
                let x = self.operand(copy, op, 0);
                self.assume(copy, op, Numeral::Float, x)?;
                self.give(copy, op, x)
            }
            LambdaJ => {
                let x = self.operand(copy, op, 0);
                // The function itself may have no calls: its written type determines the arguments of its image.
                if let types::TypeKind::Function(inputs, result) = types::TypeKind::of(op.operand(0).ty())
                    && types::is_closed(op.operand(0).ty())
                {
                    let inputs: Vec<Ty> = inputs.into_iter().map(|t| self.types.written(t)).collect();
                    let (y, result) = (self.apply(copy, op, x, &inputs)?, self.types.written(result));
                    self.unify(copy, op, result, y)?;
                }
                let ty = known!(self.transformed(x));
                self.give(copy, op, ty)
            }
            LambdaZerosLike => {
                let x = self.operand(copy, op, 0);
                let ty = known!(self.tangent(x));
                self.give(copy, op, ty)
            }
            LambdaGadd | LambdaEnvAdd => {
                let x = self.operands(copy, op);
                self.unify(copy, op, x[0], x[1])?;
                self.give(copy, op, x[0])
            }
            LambdaEnvGet => {
                let x = self.operands(copy, op);
                self.give(copy, op, x[1])
            }
            LambdaEnvSet | LambdaStopGradient | LambdaTransfer => {
                let x = self.operand(copy, op, 0);
                self.give(copy, op, x)
            }
            LambdaPrint | LambdaClose => {
                let x = self.operands(copy, op);
                self.give(copy, op, x[0])
            }
            LambdaChannel => self.channel(copy, op),
            LambdaSend => {
                let x = self.operands(copy, op);
                let channel = self.types.add(Node::Chan(x[2]));
                self.unify(copy, op, x[1], channel)?;
                self.give(copy, op, x[0])
            }
            LambdaRecv | LambdaJoin => {
                let (x, value) = (self.operands(copy, op), self.types.unknown());
                let node = if op.kind() == LambdaRecv { Node::Chan(value) } else { Node::Task(value) };
                self.is_node(copy, op, node, x[1])?;
                self.give_with_token(copy, op, value)
            }
            LambdaSpawn => {
                let x = self.operands(copy, op);
                let given = [&[x[0]], &x[2..]].concat();
                let result = self.apply(copy, op, x[1], &given)?;
                let task = self.types.add(Node::Task(result));
                self.give_with_token(copy, op, task)
            }
            LambdaRngSplit | LambdaRngSeed | LambdaJoinTokens | LambdaToken | LambdaEnvEmpty => self.fixed(copy, op),
            LambdaPullback | LambdaDual => self.form(copy, op),
            LambdaCovector => {
                let x = self.operand(copy, op, 0);
                self.give_node(copy, op, Node::Dual(x))
            }
            LambdaPairWith => {
                let x = self.operands(copy, op);
                self.is_node(copy, op, Node::Dual(x[1]), x[0])?;
                self.give_node(copy, op, Node::Leaf(self.types.context.scalar(Element::F64)))
            }
            _ => self.typed(copy, op),
        }
    }

    //===-- shared ----------------------------------------------------------------------------------------------===//

    /// Unifies the type of the first result of an op with `ty` and with its written type.
    pub(super) fn result(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<(), Reported> {
        self.result_at(copy, op, 0, ty)
    }

    fn result_at(&mut self, copy: Copy, op: Op, k: usize, ty: Ty) -> Result<(), Reported> {
        let value = op.result(k);
        let had = match self.instances[copy.0].values.get(&value).copied() {
            Some(super::Binding::One(had)) => Some(had),
            _ => types::is_closed(value.ty()).then(|| self.types.written(value.ty())),
        };
        let ty = match had {
            // These may leave sizes open that are known, or determine others than the op, which are checked.
            Some(had) if matches!(op.kind(), Kind::LambdaPrim | Kind::LambdaToArray) => {
                let result = self.agree(copy, op, had, ty, Sizes::First)?;
                self.instances[copy.0].own.insert(value, ty);
                result
            }
            Some(had) => {
                self.unify(copy, op, had, ty)?;
                had
            }
            None => ty,
        };
        self.bind(copy, value, ty);
        Ok(())
    }

    /// As [`Infer::result`], and completes the op.
    pub(super) fn give(&mut self, copy: Copy, op: Op, ty: Ty) -> Outcome {
        self.result(copy, op, ty)?;
        Ok(Done)
    }

    pub(super) fn give_node(&mut self, copy: Copy, op: Op, node: Node<Closure>) -> Outcome {
        let ty = self.types.add(node);
        self.give(copy, op, ty)
    }

    fn give_with_token(&mut self, copy: Copy, op: Op, value: Ty) -> Outcome {
        let token = self.types.leaf(types::plain(self.types.context, "token"));
        self.give_node(copy, op, Node::Tuple(vec![value, token]))
    }

    /// Processes an op with written types, and its regions.
    fn typed(&mut self, copy: Copy, op: Op) -> Outcome {
        for (k, value) in op.operands().into_iter().enumerate() {
            let (x, written) = (self.operand(copy, op, k), self.types.written(value.ty()));
            match op.kind().dialect() {
                "lambda" => self.unify(copy, op, written, x)?,
                _ => drop(self.agree(copy, op, written, x, Sizes::First)?),
            }
        }
        for block in op.regions().into_iter().flat_map(|r| r.blocks()) {
            for argument in block.arguments() {
                let ty = self.types.written(argument.ty());
                self.bind(copy, argument, ty);
            }
            let end = self.block(copy, block)?;
            for (k, value) in end.operands().into_iter().enumerate() {
                let (x, written) = (self.operand(copy, end, k), self.types.written(value.ty()));
                self.agree(copy, end, written, x, Sizes::First)?;
            }
        }
        for (k, value) in op.results().into_iter().enumerate() {
            let ty = self.types.written(value.ty());
            self.result_at(copy, op, k, ty)?;
        }
        Ok(Done)
    }

    /// Processes an op whose result type is fixed.
    fn fixed(&mut self, copy: Copy, op: Op) -> Outcome {
        let context = self.types.context;
        let rng = types::plain(context, "rng");
        let ty = match op.kind() {
            Kind::LambdaRngSeed => rng,
            Kind::LambdaRngSplit => context.tuple(&[rng, rng]),
            Kind::LambdaEnvEmpty => types::plain(context, "env"),
            _ => types::plain(context, "token"),
        };
        if op.kind() == Kind::LambdaRngSeed {
            let (x, seed) = (self.operand(copy, op, 0), self.types.leaf(context.scalar(Element::I64)));
            self.unify(copy, op, seed, x)?;
        }
        let ty = self.types.written(ty);
        self.give(copy, op, ty)
    }

    /// Returns the shape and elements of an array or scalar; `None` while it is not known.
    pub(super) fn shaped(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<Option<Type>, Reported> {
        match self.array(ty) {
            None if !self.is_unknown(ty) => self.mismatch(copy, op, "an array or a number", ty),
            known => Ok(known),
        }
    }

    fn is_bool(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<(), Reported> {
        let bool = self.types.bool();
        self.unify(copy, op, bool, ty)
    }

    fn is_node(&mut self, copy: Copy, op: Op, node: Node<Closure>, ty: Ty) -> Result<(), Reported> {
        let node = self.types.add(node);
        self.unify(copy, op, node, ty)
    }

    pub(super) fn takes_integer(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<(), Reported> {
        if self.is_unknown(ty) {
            return self.assume(copy, op, Numeral::Integer, ty);
        }
        match self.leaf(ty) {
            Some(t) if is_number(t) => Ok(()),
            _ => self.mismatch(copy, op, "an integer", ty),
        }
    }

    //===-- functions, choice, loops ----------------------------------------------------------------------------===//

    fn reference(&mut self, copy: Copy, op: Op) -> Outcome {
        let name = op.callee().unwrap_or_default();
        match self.functions.get(&name).copied().filter(|f| f.body().is_some()) {
            Some(function) => {
                self.bind_function(copy, op.result(0), Code::Function(function));
                Ok(Done)
            }
            None => self.typed(copy, op),
        }
    }

    fn conditional(&mut self, copy: Copy, op: Op) -> Outcome {
        let condition = self.operand(copy, op, 0);
        self.is_bool(copy, op, condition)?;
        let branch = op.cast::<If>();
        let (then, other) = (branch.consequent(), branch.alternative());
        // The results are created before the branches, so that a recursive branch learns its type from the other one.
        let results: Vec<Ty> = op.results().iter().map(|_| self.types.unknown()).collect();
        for (k, ty) in results.iter().enumerate() {
            self.result_at(copy, op, k, *ty)?;
        }
        let [then, other] = [self.block(copy, then)?, self.block(copy, other)?];
        for (k, ty) in results.into_iter().enumerate() {
            let [x, y] = [then, other].map(|end| self.operand(copy, end, k));
            let joined = self.agree(copy, other, x, y, Sizes::Join)?;
            self.unify(copy, op, ty, joined)?;
        }
        Ok(Done)
    }

    fn counted(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        self.takes_integer(copy, op, x[0])?;
        let body = op.entry();
        self.bind(copy, body.argument(0), x[0]);
        for (k, argument) in body.arguments()[1..].iter().enumerate() {
            self.bind(copy, *argument, x[k + 1]);
            self.result_at(copy, op, k, x[k + 1])?;
        }
        let end = self.block(copy, body)?;
        self.carries(copy, end, &x[1..])
    }

    fn conditioned(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let (condition, body) = (op.cast::<While>().condition(), op.cast::<While>().body());
        for (k, ty) in x.iter().enumerate() {
            self.bind(copy, condition.argument(k), *ty);
            self.bind(copy, body.argument(k), *ty);
            self.result_at(copy, op, k, *ty)?;
        }
        let end = self.block(copy, condition)?;
        let decided = self.operand(copy, end, 0);
        self.is_bool(copy, end, decided)?;
        let end = self.block(copy, body)?;
        self.carries(copy, end, &x)
    }

    /// Requires the types of the inits of the next carried values.
    fn carries(&mut self, copy: Copy, end: Op, x: &[Ty]) -> Outcome {
        for (k, ty) in x.iter().enumerate() {
            let next = self.operand(copy, end, k);
            self.agree(copy, end, *ty, next, Sizes::First)?;
        }
        Ok(Done)
    }

    /// Processes `lambda.grad` and similar requests. The op defines a function; a call of it uses a copy.
    fn derivative(&mut self, copy: Copy, op: Op) -> Outcome {
        let instance = &self.instances[copy.0];
        if instance.closure.code != Code::Derived(op) {
            self.bind_function(copy, op.result(0), Code::Derived(op));
            return Ok(Done);
        }
        let inputs = instance.inputs.clone();
        let f = self.operand(copy, op, 0);
        let result = match op.kind() {
            Kind::LambdaGrad => known!(self.grad(copy, op, f, &inputs)?),
            Kind::LambdaVjp => known!(self.vjp(copy, op, f, &inputs)?),
            Kind::LambdaJvp => known!(self.jvp(copy, op, f, &inputs)?),
            _ => known!(self.hvp(copy, op, f, &inputs)?),
        };
        let slot = self.instances[copy.0].result;
        self.unify(copy, op, slot, result)?;
        Ok(Done)
    }

    /// Returns the numbers of the arguments for which a derivative is requested.
    fn wrt(op: Op, default: Vec<i64>) -> Vec<i64> {
        let positions = |a: Attribute| a.as_i64_array().or(a.as_i64().map(|k| vec![k])).unwrap_or_default();
        op.attribute("wrt").map_or(default, positions)
    }

    /// Returns the types of these arguments.
    fn chosen_inputs(&mut self, copy: Copy, op: Op, inputs: &[Ty], default: Vec<i64>) -> Result<Vec<Ty>, Reported> {
        if let Some(arity) = op.attribute("arity").and_then(Attribute::as_i64)
            && arity != inputs.len() as i64
        {
            let [arity, given] = [arity, inputs.len() as i64].map(|n| count(n, "argument"));
            let text = format!("a function of {arity} is called with {given}");
            return self.refuse(copy, op, "arity-mismatch", text);
        }
        let mut chosen = Vec::new();
        for k in Self::wrt(op, default) {
            let Some(ty) = usize::try_from(k).ok().and_then(|k| inputs.get(k)) else {
                let arguments = count(inputs.len(), "argument");
                let text = format!("the function has {arguments}, but no argument {k}, counted from 0");
                return self.refuse(copy, op, "arity-mismatch", text);
            };
            chosen.push(*ty);
        }
        Ok(chosen)
    }

    fn packed(&mut self, parts: Vec<Ty>) -> Ty {
        if let [one] = parts[..] { one } else { self.types.add(Node::Tuple(parts)) }
    }

    /// Returns the types of the arguments for which a gradient is requested, which must contain floats, and the type of
    /// the result, which must be one float; `None` while they are not known.
    fn loss(&mut self, copy: Copy, op: Op, f: Ty, inputs: &[Ty]) -> Result<Option<(Vec<Ty>, Ty)>, Reported> {
        let chosen = self.chosen_inputs(copy, op, inputs, vec![0])?;
        for (ty, k) in chosen.iter().zip(Self::wrt(op, vec![0])) {
            match self.is_differentiable(*ty) {
                None => return Ok(None),
                Some(true) => {}
                Some(false) => {
                    let ty = self.types.text(*ty);
                    let text = format!("argument #{k} of the function must contain a float, found type {ty}");
                    return self.refuse(copy, op, "grad-of-non-differentiable", text);
                }
            }
        }
        let result = self.apply(copy, op, f, inputs)?;
        match self.types.node(result) {
            Node::Unknown(_) => Ok(None),
            Node::Leaf(t) if t.is_differentiable() && !t.is_tensor() => Ok(Some((chosen, result))),
            _ => {
                let text = format!("the result of the function must be one float, found {}", self.types.text(result));
                self.refuse(copy, op, "grad-of-non-scalar", text)
            }
        }
    }

    fn grad(&mut self, copy: Copy, op: Op, f: Ty, inputs: &[Ty]) -> Result<Option<Ty>, Reported> {
        let Some((chosen, result)) = self.loss(copy, op, f, inputs)? else { return Ok(None) };
        let Some(parts) = self.tangents(&chosen) else { return Ok(None) };
        let gradient = self.packed(parts);
        if op.attribute("value").is_none() {
            return Ok(Some(gradient));
        }
        Ok(Some(self.types.add(Node::Tuple(vec![result, gradient]))))
    }

    fn vjp(&mut self, copy: Copy, op: Op, f: Ty, inputs: &[Ty]) -> Result<Option<Ty>, Reported> {
        let chosen = self.chosen_inputs(copy, op, inputs, (0..inputs.len() as i64).collect())?;
        let result = self.apply(copy, op, f, inputs)?;
        let (Some(given), Some(parts)) = (self.tangent(result), self.tangents(&chosen)) else { return Ok(None) };
        let sensitivities = self.packed(parts);
        let back = self.types.add(Node::Function { arrow: Some((vec![given], sensitivities)), members: vec![] });
        Ok(Some(self.types.add(Node::Tuple(vec![result, back]))))
    }

    fn jvp(&mut self, copy: Copy, op: Op, f: Ty, inputs: &[Ty]) -> Result<Option<Ty>, Reported> {
        if !inputs.len().is_multiple_of(2) {
            let text = "expected the arguments of the function, followed by one tangent for each of them";
            let text = format!("{text}; found an odd number of values, {}", inputs.len());
            return self.refuse(copy, op, "arity-mismatch", text);
        }
        let (points, directions) = inputs.split_at(inputs.len() / 2);
        let result = self.apply(copy, op, f, points)?;
        let (Some(wanted), Some(tangent)) = (self.tangents(points), self.tangent(result)) else { return Ok(None) };
        for (wanted, given) in wanted.into_iter().zip(directions) {
            self.unify(copy, op, wanted, *given)?;
        }
        Ok(Some(self.types.add(Node::Tuple(vec![result, tangent]))))
    }

    fn hvp(&mut self, copy: Copy, op: Op, f: Ty, inputs: &[Ty]) -> Result<Option<Ty>, Reported> {
        let Some((direction, points)) = inputs.split_last() else {
            let text = "expected the arguments of the function, then a direction; found no operands";
            return self.refuse(copy, op, "arity-mismatch", text);
        };
        let Some((chosen, _)) = self.loss(copy, op, f, points)? else { return Ok(None) };
        let Some(wanted) = self.tangent(chosen[0]) else { return Ok(None) };
        self.unify(copy, op, wanted, *direction)?;
        Ok(Some(wanted))
    }

    //===-- data ------------------------------------------------------------------------------------------------===//

    fn literal(&mut self, copy: Copy, op: Op) -> Outcome {
        let value = op.cast::<Literal>().value();
        if types::is_closed(op.result(0).ty()) {
            return self.typed(copy, op);
        }
        let context = self.types.context;
        let ty = if value.as_string().is_some() {
            self.types.leaf(types::plain(context, "str"))
        } else if value.ty().is_integer(1) {
            self.types.bool()
        } else {
            self.numeral(if value.as_f64().is_some() { Numeral::Float } else { Numeral::Integer })
        };
        self.give(copy, op, ty)
    }

    /// Returns the type of the element of a tuple or the field of a record that an op names; `None` while it is not
    /// known.
    fn part(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<Option<Ty>, Reported> {
        let node = self.types.node(ty).clone();
        if let Some(field) = op.attribute("field").and_then(Attribute::as_string) {
            return match node {
                Node::Unknown(None) => Ok(None),
                Node::Record(name, fields) => match fields.iter().find(|f| f.0 == field) {
                    Some(found) => Ok(Some(found.1)),
                    None => {
                        let names: Vec<&str> = fields.iter().map(|f| f.0.as_str()).collect();
                        let hint = did_you_mean(&field, names.iter().copied());
                        let text = format!("`{name}` has no field `{field}`, only {}{hint}", names.join(", "));
                        self.refuse(copy, op, "unknown-field", text)
                    }
                },
                _ => self.mismatch(copy, op, "a record", ty),
            };
        }
        let index = op.attribute("index").and_then(Attribute::as_i64).unwrap_or_default();
        match node {
            Node::Unknown(None) => Ok(None),
            Node::Tuple(parts) => match usize::try_from(index).ok().and_then(|k| parts.get(k)) {
                Some(part) => Ok(Some(*part)),
                None => {
                    let values = count(parts.len(), "value");
                    let text = format!("a tuple of {values} has no value {index}, counted from 0");
                    self.refuse(copy, op, "type-mismatch", text)
                }
            },
            _ => self.mismatch(copy, op, "a tuple", ty),
        }
    }

    fn record(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let written = op.result(0).ty();
        let (name, names) = match types::TypeKind::of(written) {
            types::TypeKind::Record(name, fields) => (name, fields.into_iter().map(|f| f.0).collect()),
            _ => {
                let names = op.attribute("fields").and_then(Attribute::as_array).unwrap_or_default();
                let name = op.attribute("name").and_then(Attribute::as_string).unwrap_or_default();
                (name, names.into_iter().filter_map(Attribute::as_string).collect::<Vec<_>>())
            }
        };
        self.give_node(copy, op, Node::Record(name, names.into_iter().zip(x).collect()))
    }

    fn list(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let element = match op.kind() {
            Kind::LambdaCons => self.prepended(x[0], x[1]),
            _ => self.types.unknown(),
        };
        let list = self.types.add(Node::List(element));
        let lists = if op.kind() == Kind::LambdaCons { &x[1..] } else { &x };
        for x in lists {
            self.unify(copy, op, list, *x)?;
        }
        let ty = match op.kind() {
            Kind::LambdaHead => element,
            Kind::LambdaIsEmpty => self.types.bool(),
            Kind::LambdaLength => self.types.leaf(self.types.context.scalar(Element::I64)),
            _ => list,
        };
        self.give(copy, op, ty)
    }

    /// Returns the type of a value that is prepended to a list: that of the list's values, if these are arrays with
    /// fewer known sizes.
    fn prepended(&self, head: Ty, list: Ty) -> Ty {
        let Node::List(element) = *self.types.node(list) else { return head };
        let (Some(s), Some(t)) = (self.array(element), self.array(head)) else { return head };
        let shape = combined(&s.shape(), &t.shape(), Sizes::Join);
        if s.scalar() == t.scalar() && shape == Some(s.shape()) { element } else { head }
    }

    /// Returns the type of the elements over which a fold of a list or an array runs; `None` while it is not known.
    fn row(&mut self, copy: Copy, op: Op, ty: Ty) -> Result<Option<Ty>, Reported> {
        match self.types.node(ty) {
            Node::Unknown(_) => Ok(None),
            Node::List(element) => Ok(Some(*element)),
            Node::Leaf(t) if t.is_tensor() && t.rank() > 0 => {
                let row = t.row();
                Ok(Some(self.types.leaf(row)))
            }
            _ => self.mismatch(copy, op, "a list or an array", ty),
        }
    }

    //===-- higher order ----------------------------------------------------------------------------------------===//

    fn map(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let is_list = match x[1..].iter().find(|t| !self.is_unknown(**t)) {
            Some(t) => matches!(self.types.node(*t), Node::List(_)),
            None => return Ok(Waiting),
        };
        let mut elements = Vec::new();
        let mut first: Option<Type> = None;
        for xs in &x[1..] {
            if is_list {
                let element = self.types.unknown();
                self.is_node(copy, op, Node::List(element), *xs)?;
                elements.push(element);
                continue;
            }
            let array = known!(self.shaped(copy, op, *xs)?);
            let shape = first.map_or(Some(array.shape()), |f| combined(&f.shape(), &array.shape(), Sizes::Meet));
            let Some(shape) = shape else {
                let first = first.expect("the first one agrees");
                let code = if first.rank() == array.rank() { "shape-mismatch" } else { "rank-mismatch" };
                let text = format!("all arrays must have the same shape, found {first} and {array}");
                return self.refuse(copy, op, code, text);
            };
            first = Some(Type::array(&shape, array.scalar()));
            elements.push(self.types.leaf(array.scalar()));
        }
        let y = self.apply(copy, op, x[0], &elements)?;
        let Some(first) = first else {
            return self.give_node(copy, op, Node::List(y));
        };
        let element = known!(self.shaped(copy, op, y)?);
        let array = Type::array(&[first.shape(), element.shape()].concat(), element.scalar());
        self.give_node(copy, op, Node::Leaf(array))
    }

    fn reduce(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let array = known!(self.shaped(copy, op, x[2])?);
        let element = self.types.leaf(array.scalar());
        let next = self.apply(copy, op, x[0], &[x[1], element])?;
        self.agree(copy, op, x[1], next, Sizes::First)?;
        let dims = op.attribute("dims").and_then(Attribute::as_i64_array).unwrap_or_default();
        let shape = array.shape();
        if dims.iter().any(|d| usize::try_from(*d).map_or(true, |d| d >= shape.len())) {
            let text = format!("expected axes of {array}, counted from 0, found {dims:?}");
            return self.refuse(copy, op, "rank-mismatch", text);
        }
        let rest: Vec<Dim> = (0..shape.len()).filter(|k| !dims.contains(&(*k as i64))).map(|k| shape[k]).collect();
        if rest.is_empty() {
            return self.give(copy, op, x[1]);
        }
        let element = known!(self.shaped(copy, op, x[1])?);
        self.give_node(copy, op, Node::Leaf(element.stacked(&rest)))
    }

    fn fold(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        if let (Kind::LambdaFold, Node::Tuple(parts)) = (op.kind(), self.types.node(x[2]).clone()) {
            // The function is used once for each value, so that values may have different types.
            for (time, part) in parts.into_iter().enumerate() {
                let f = self.operand_at(copy, op, 0, time);
                let next = self.apply(copy, op, f, &[x[1], part])?;
                self.agree(copy, op, x[1], next, Sizes::First)?;
            }
            return self.give(copy, op, x[1]);
        }
        let row = known!(self.row(copy, op, x[2])?);
        let next = self.apply(copy, op, x[0], &[x[1], row])?;
        self.agree(copy, op, x[1], next, Sizes::First)?;
        if op.kind() == Kind::LambdaFold {
            return self.give(copy, op, x[1]);
        }
        let Some(array) = self.array(x[2]) else {
            return self.give_node(copy, op, Node::List(x[1]));
        };
        let element = known!(self.shaped(copy, op, x[1])?);
        self.give_node(copy, op, Node::Leaf(element.stacked(&array.shape()[..1])))
    }

    /// Processes a walk. The function is used once for each leaf, so that leaves may have different types.
    fn walk(&mut self, copy: Copy, op: Op) -> Outcome {
        let records: Vec<Ty> = (1..op.num_operands()).map(|k| self.operand(copy, op, k)).collect();
        let mut time = 0;
        let y = known!(self.walk_into(copy, op, &records, &mut time)?);
        self.give(copy, op, y)
    }

    fn walk_into(&mut self, copy: Copy, op: Op, x: &[Ty], time: &mut usize) -> Result<Option<Ty>, Reported> {
        let Some(first) = x.iter().copied().find(|t| !self.is_unknown(*t)) else { return Ok(None) };
        let node = self.types.node(first).clone();
        match node {
            Node::Tuple(_) | Node::Record(..) | Node::List(_) => {
                let mut columns = Vec::new();
                for x in x {
                    columns.push(match (&node, self.types.node(*x).clone()) {
                        (Node::Tuple(a), Node::Tuple(b)) if a.len() == b.len() => b,
                        (Node::Record(a, f), Node::Record(b, g)) if *a == b && f.len() == g.len() => {
                            g.into_iter().map(|f| f.1).collect()
                        }
                        (Node::List(_), Node::List(b)) => vec![b],
                        (_, Node::Unknown(_)) => return Ok(None),
                        _ => {
                            let [first, x] = [first, *x].map(|t| self.types.text(t));
                            let text = format!("expected records with the same nesting, found {first} and {x}");
                            return self.refuse(copy, op, "type-mismatch", text);
                        }
                    });
                }
                let mut parts = Vec::new();
                for k in 0..columns[0].len() {
                    let leaves: Vec<Ty> = columns.iter().map(|c| c[k]).collect();
                    let Some(part) = self.walk_into(copy, op, &leaves, time)? else { return Ok(None) };
                    parts.push(part);
                }
                Ok(Some(self.types.add(match node {
                    Node::Tuple(_) => Node::Tuple(parts),
                    Node::Record(name, fields) => {
                        Node::Record(name, fields.into_iter().map(|f| f.0).zip(parts).collect())
                    }
                    _ => Node::List(parts[0]),
                })))
            }
            _ => {
                let f = self.operand_at(copy, op, 0, *time);
                *time += 1;
                Ok(Some(self.apply(copy, op, f, x)?))
            }
        }
    }

    //===-- arrays ----------------------------------------------------------------------------------------------===//

    fn element(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let is_get = op.kind() == Kind::LambdaAget;
        let indices = if is_get { &x[1..] } else { &x[1..x.len() - 1] };
        for i in indices {
            self.takes_integer(copy, op, *i)?;
        }
        if !is_get {
            self.result(copy, op, x[0])?;
        }
        let array = known!(self.shaped(copy, op, x[0])?);
        let shape = array.shape();
        if shape.len() < indices.len() {
            let found = count(indices.len(), "index");
            let text = format!("expected at most one index for each axis of {array}, found {found}");
            return self.refuse(copy, op, "rank-mismatch", text);
        }
        for (k, size) in shape.iter().enumerate().take(indices.len()) {
            if let (Some(n), Some(i)) = (size, Infer::literal_integer(op.operand(k + 1)))
                && !(0..*n as i64).contains(&i)
            {
                return self.refuse(copy, op, "index-out-of-bounds", format!("axis #{k} of {array} has no index {i}"));
            }
        }
        let rest = self.types.leaf(Type::array(&shape[indices.len()..], array.scalar()));
        if is_get {
            return self.give(copy, op, rest);
        }
        let value = x[x.len() - 1];
        self.agree(copy, op, rest, value, Sizes::First)?;
        Ok(Done)
    }

    fn slice(&mut self, copy: Copy, op: Op) -> Outcome {
        let x = self.operands(copy, op);
        let begins = if op.kind() == Kind::LambdaSliceGet { &x[1..] } else { &x[1..x.len() - 1] };
        for i in begins {
            self.takes_integer(copy, op, *i)?;
        }
        if op.kind() == Kind::LambdaSliceSet {
            return self.give(copy, op, x[0]);
        }
        if !types::is_closed(op.result(0).ty()) {
            let text = "the sizes of the slice are not determined; state its type";
            return self.refuse(copy, op, "cannot-infer", text);
        }
        let ty = self.types.written(op.result(0).ty());
        self.give(copy, op, ty)
    }

    //===-- forms and channels ----------------------------------------------------------------------------------===//

    /// Processes `lambda.pullback` and `lambda.dual`: `y` as a function of `x` in the region.
    fn form(&mut self, copy: Copy, op: Op) -> Outcome {
        let given = self.operand(copy, op, 0);
        let body = op.entry();
        let x = self.types.written(body.argument(0).ty());
        self.bind(copy, body.argument(0), x);
        let end = self.block(copy, body)?;
        let y = self.operand(copy, end, 0);
        let [on_x, on_y] = [x, y].map(|t| self.types.add(Node::Dual(t)));
        let (wanted, ty) = if op.kind() == Kind::LambdaDual {
            (on_y, on_x)
        } else {
            let form = |this: &mut Infer, t: Ty, on: Ty| {
                this.types.add(Node::Function { arrow: Some((vec![t], on)), members: vec![] })
            };
            (form(self, y, on_y), form(self, x, on_x))
        };
        self.unify(copy, op, wanted, given)?;
        self.give(copy, op, ty)
    }

    fn channel(&mut self, copy: Copy, op: Op) -> Outcome {
        let element = self.types.unknown();
        let channel = self.types.add(Node::Chan(element));
        self.give_with_token(copy, op, channel)?;
        if op.attribute("arrays").is_none() {
            return Ok(Done);
        }
        match self.types.node(element) {
            Node::Unknown(_) => Ok(Waiting),
            Node::Leaf(ty) if ty.is_tensor() => Ok(Done),
            _ => self.mismatch(copy, op, "an array for a channel of arrays", element),
        }
    }
}
