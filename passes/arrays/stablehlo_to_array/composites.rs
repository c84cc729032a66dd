//! Ops that StableHLO defines by others.

use super::emit::{Emit, with_scalar};
use super::{Import, Parts, Result, elementwise};
use crate::arrays::shapes::index::Index;
use crate::arrays::shapes::sizes::spread;
use mlopt_dialects::ir::{Attribute, Builder, Op, Value};
use mlopt_dialects::ops::{HasKind, Kind};
use mlopt_dialects::value::Element;

impl Import {
    /// Converts the three kinds of batch normalisation.
    pub(super) fn batch_norm(&mut self, b: Builder, op: Op) -> Result<Vec<Parts>> {
        let e = Emit(b);
        let operands: Vec<Value> = op.operands().into_iter().map(|v| self.one(v)).collect();
        let scalar = operands[0].ty().scalar();
        let half = scalar.float_width() == Some(16);
        let accurate = if half { b.context().scalar(Element::F32) } else { scalar };
        let x: Vec<Value> = operands
            .iter()
            .zip(op.operands())
            .map(|(&x, old)| elementwise::converted(e, x, old.ty(), with_scalar(old.ty(), accurate)))
            .collect();
        let feature = op.attribute("feature_index").and_then(Attribute::as_i64).unwrap_or(0).max(0) as usize;
        let epsilon = op.attribute("epsilon").and_then(Attribute::as_f64).unwrap_or(0.0);
        let rank = x[0].ty().rank();
        let sizes = self.sizes.sizes(b, x[0]);
        let others: Vec<usize> = (0..rank).filter(|&axis| axis != feature).collect();
        let all: Vec<usize> = (0..rank).collect();
        let count = others.iter().fold(Index::Known(1), |n, &axis| n.multiply(b, sizes[axis])).value(b);
        let count = e.cast(Kind::ArithSitofp, e.cast(Kind::ArithIndexCast, count, b.context().signless(64)), accurate);
        let spread = |x: Value| spread(b, x, &[feature], &all, &sizes);
        let sum = |x: Value| if others.is_empty() { x } else { b.sum_axes(x, &others) };
        let mean_of = |x: Value| {
            let total = sum(x);
            e.div(total, e.filled(Some(total), count))
        };
        let deviation = |variance: Value| e.op(Kind::MathSqrt, &[e.add(variance, e.float(variance, epsilon))]);
        let results = match op.kind() {
            Kind::StablehloBatchNormInference => {
                let centred = e.sub(x[0], spread(x[3]));
                let normal = e.div(centred, spread(deviation(x[4])));
                vec![e.add(e.mul(normal, spread(x[1])), spread(x[2]))]
            }
            Kind::StablehloBatchNormTraining => {
                let mean = mean_of(x[0]);
                let centred = e.sub(x[0], spread(mean));
                let variance = mean_of(e.mul(centred, centred));
                let normal = e.div(centred, spread(deviation(variance)));
                vec![e.add(e.mul(normal, spread(x[1])), spread(x[2])), mean, variance]
            }
            _ => {
                // Operands: operand, scale, mean, variance, grad_output.
                let centred = e.sub(x[0], spread(x[2]));
                let deviation = deviation(x[3]);
                let grad_scale = e.div(sum(e.mul(x[4], centred)), deviation);
                let grad_offset = sum(x[4]);
                let along = e.mul(centred, spread(e.div(grad_scale, deviation)));
                let inner = e.mul(x[4], e.filled(Some(x[4]), count));
                let inner = e.sub(e.sub(inner, spread(grad_offset)), along);
                let factor = e.div(e.div(x[1], deviation), e.filled(Some(deviation), count));
                vec![e.mul(spread(factor), inner), grad_scale, grad_offset]
            }
        };
        Ok(results.into_iter().map(|z| vec![e.cast(Kind::ArithTruncf, z, scalar)]).collect())
    }
}
