//! Numbers of f16 and bf16 become the integers of 16 bits with the same bits, in registers and in memory. Conversions
//! to and from other floats become integer arithmetic: LLVM would call functions for them that the C library lacks,
//! except on processors with special instructions.
//! ```text
//! %y = arith.extf %x : bf16 to f32       becomes    %w = arith.extui %x : i16 to i32
//!                                                   %s = arith.shli %w, %c16 : i32
//!                                                   %y = arith.bitcast %s : i32 to f32
//! ```
//! A conversion to f16 or bf16 rounds to nearest, ties to even, and once, also that of an f64. NaN remains NaN, and
//! subnormal numbers are exact even if the processor treats those of f32 as zero.
//!
//! Input: no arithmetic on f16 and bf16 (`widen-halves`). Result: neither of these types occurs, apart from attributes
//! that describe a function to its callers.

use crate::ir::*;
use mlopt_dialects::value::{Data, Element};
use std::collections::HashMap;

/// Converts everything in `module`.
pub fn to_integers(module: Op) -> Result<()> {
    let mut types = Types { ctx: module.context(), known: HashMap::new() };
    let ops = module.nested_ops();
    let blocks: Vec<Block> = with_nested(module).flat_map(Op::regions).flat_map(Region::blocks).collect();
    let of_ops = ops.iter().flat_map(|op| op.operands().into_iter().chain(op.results()));
    let values: Vec<Value> = of_ops.chain(blocks.iter().flat_map(|block| block.arguments())).collect();
    if !values.iter().any(|v| types.has_halves(v.ty())) && !ops.iter().any(|op| types.is_of_halves(*op)) {
        return Ok(());
    }
    ops.iter().copied().try_for_each(convert)?;
    // The conversions have created further ops.
    for op in module.nested_ops() {
        op.results().into_iter().for_each(|z| types.retype(z));
        types.attributes(op)?;
    }
    blocks.into_iter().flat_map(|block| block.arguments()).for_each(|v| types.retype(v));
    for op in module.nested_ops() {
        if op.kind() == Kind::ArithBitcast && op.operand(0).ty() == op.result(0).ty() {
            op.replace_with([op.operand(0)]);
        }
    }
    Ok(())
}

/// The attributes of ops that contain types or numbers of values.
const ATTRIBUTES: [&str; 6] = ["function_type", "type", "elem_type", "global_type", "value", "initial_value"];

/// The types with integers in place of f16 and bf16.
struct Types {
    ctx: Context,
    known: HashMap<Type, Type>,
}

impl Types {
    fn of(&mut self, ty: Type) -> Type {
        let ctx = self.ctx;
        *self.known.entry(ty).or_insert_with(|| {
            let text = ty.to_string();
            if text.contains("f16") { ctx.ty(&text.replace("bf16", "i16").replace("f16", "i16")) } else { ty }
        })
    }

    fn has_halves(&mut self, ty: Type) -> bool {
        self.of(ty) != ty
    }

    /// Checks whether an attribute of `op` contains such a type: functions and global variables have no values.
    fn is_of_halves(&mut self, op: Op) -> bool {
        ATTRIBUTES.iter().filter_map(|name| op.attribute(name)?.as_type()).any(|ty| self.has_halves(ty))
    }

    fn retype(&mut self, v: Value) {
        let ty = self.of(v.ty());
        if ty != v.ty() {
            v.set_type(ty);
        }
    }

    fn attributes(&mut self, op: Op) -> Result<()> {
        for name in ATTRIBUTES {
            let Some(attribute) = op.attribute(name) else { continue };
            if let Some(ty) = attribute.as_type() {
                if self.has_halves(ty) {
                    let ty = self.of(ty);
                    op.set_attribute(name, self.ctx.type_attr(ty));
                }
            } else if attribute.ty().element().is_some_and(Element::is_half) {
                op.set_attribute(name, self.bits(op, attribute)?);
            }
        }
        Ok(())
    }

    /// Returns the integers with the bits of a constant of f16 or bf16.
    fn bits(&mut self, op: Op, constant: Attribute) -> Result<Attribute> {
        let (old, word) = (constant.ty(), self.ctx.int(16));
        let splat = constant.splat_value();
        let ty = match old.is_vector() {
            true => Type::tensor(&[Some(old.lanes())], old.scalar()),
            false => old,
        };
        let value = splat.map_or_else(|| constant.as_array_value(ty), |one| one.as_array_value(old.scalar()));
        let Some(Data::I16(bits)) = value.and_then(|x| x.data().reinterpreted(Element::I16)) else {
            return Err(op.not_supported(format!("a constant of type {old} must be a number or a list of numbers")));
        };
        let bits: Vec<Attribute> = bits.into_iter().map(|n| Attribute::integer(word, n.into())).collect();
        let new = self.of(old);
        Ok(match constant.is_dense_elements() {
            true if splat.is_some() => Attribute::splat(new, bits[0]),
            true => Attribute::dense(new, &bits),
            false => bits[0],
        })
    }
}

/// Replaces a conversion from or to f16 or bf16.
fn convert(op: Op) -> Result<()> {
    let is_half = |v: Value| v.ty().scalar().element().is_some_and(Element::is_half);
    match op.kind() {
        Kind::ArithExtf if is_half(op.operand(0)) => op.replace_with([extended(op)]),
        Kind::ArithTruncf if is_half(op.result(0)) => {
            if op.attribute("roundingmode").is_some_and(|mode| mode.as_i64() != Some(0)) {
                let text = "a conversion to f16 or bf16 must round to nearest, ties to even";
                return Err(op.not_supported(text));
            }
            op.replace_with([truncated(op)]);
        }
        _ => {}
    }
    Ok(())
}

/// Arithmetic on 32 bits, scalars or vectors of the shape of `like`.
#[derive(Clone, Copy)]
struct Words {
    b: Builder,
    like: Type,
}

impl Words {
    fn ty(self, scalar: Type) -> Type {
        self.like.with_scalar(scalar).expect("a scalar or a vector")
    }

    fn word(self) -> Type {
        self.ty(self.b.context().int(32))
    }

    fn single(self) -> Type {
        self.ty(self.b.context().scalar(Element::F32))
    }

    fn number(self, n: u32) -> Value {
        self.b.everywhere(self.word(), Attribute::integer(self.b.context().int(32), (n as i32).into()))
    }

    fn op(self, kind: Kind, x: Value, n: u32) -> Value {
        self.b.same(kind, &[x, self.number(n)])
    }

    fn cast(self, kind: Kind, x: Value, to: Type) -> Value {
        self.b.value(kind, &[x], to, &[])
    }

    fn as_single(self, x: Value) -> Value {
        self.cast(Kind::ArithBitcast, x, self.single())
    }

    fn as_word(self, x: Value) -> Value {
        self.cast(Kind::ArithBitcast, x, self.word())
    }

    /// Emits `yes` where the unsigned number `x` is at least `n`, else `no`.
    fn from(self, x: Value, n: u32, yes: Value, no: Value) -> Value {
        self.choose(self.compare(Kind::ArithCmpi, Compare::Uge as i64, x, self.number(n)), yes, no)
    }

    fn compare(self, kind: Kind, predicate: i64, x: Value, y: Value) -> Value {
        let (truth, ctx) = (self.ty(self.b.context().int(1)), self.b.context());
        self.b.value(kind, &[x, y], truth, &[("predicate", Attribute::integer(ctx.int(64), predicate))])
    }

    fn choose(self, condition: Value, yes: Value, no: Value) -> Value {
        self.b.select(condition, yes, no)
    }
}

/// The bits of numbers of f32: the sign, infinity, and powers of two by their exponents.
const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0xff << 23;
const fn power_of_two(exponent: i32) -> u32 {
    ((exponent + 127) as u32) << 23
}

/// The difference of the biases of the exponents of f32 and f16, at the place of the exponent.
const BIAS: u32 = (127 - 15) << 23;

/// The least normal number of f16, and the power of two above the greatest number.
const LEAST_F16: u32 = power_of_two(-14);
const END_F16: u32 = power_of_two(16);

/// Converts a number of f16 or bf16 to f32 or f64.
fn extended(op: Op) -> Value {
    let (x, to) = (op.operand(0), op.result(0).ty());
    let w = Words { b: Builder::before(op), like: to };
    let half = w.cast(Kind::ArithBitcast, x, w.ty(w.b.context().int(16)));
    let bits = w.cast(Kind::ArithExtui, half, w.word());
    let single = if x.ty().scalar().element() == Some(Element::BF16) {
        w.as_single(w.op(Kind::ArithShli, bits, 16))
    } else {
        // The exponent is moved to its place, and the difference of the biases is added.
        let magnitude = w.op(Kind::ArithShli, w.op(Kind::ArithAndi, bits, 0x7fff), 13);
        let normal = w.op(Kind::ArithAddi, magnitude, BIAS);
        let infinite = w.op(Kind::ArithAddi, normal, BIAS);
        // A subnormal number m·2⁻²⁴ is (1 + m·2⁻¹⁰)·2⁻¹⁴ - 2⁻¹⁴.
        let least = w.as_single(w.number(LEAST_F16));
        let above = w.as_single(w.op(Kind::ArithAddi, normal, 1 << 23));
        let subnormal = w.as_word(w.b.same(Kind::ArithSubf, &[above, least]));
        let finite = w.from(magnitude, 1 << 23, normal, subnormal);
        let magnitude = w.from(magnitude, 31 << 23, infinite, finite);
        let sign = w.op(Kind::ArithShli, w.op(Kind::ArithAndi, bits, 0x8000), 16);
        w.as_single(w.b.same(Kind::ArithOri, &[magnitude, sign]))
    };
    if to.scalar().element() == Some(Element::F32) { single } else { w.cast(Kind::ArithExtf, single, to) }
}

/// Converts a number of f32 or f64 to f16 or bf16.
fn truncated(op: Op) -> Value {
    let (x, to) = (op.operand(0), op.result(0).ty());
    let w = Words { b: Builder::before(op), like: to };
    let bits = if x.ty().scalar().element() == Some(Element::F32) { w.as_word(x) } else { rounded_to_odd(w, x) };
    let magnitude = w.op(Kind::ArithAndi, bits, !SIGN);
    let half = if to.scalar().element() == Some(Element::BF16) {
        // Half of the last place is added, or slightly less if the last bit is zero.
        let last = w.op(Kind::ArithAndi, w.op(Kind::ArithShrui, bits, 16), 1);
        let near = w.b.addi(w.op(Kind::ArithAddi, bits, 0x7fff), last);
        let nan = w.op(Kind::ArithOri, bits, 1 << 22);
        w.op(Kind::ArithShrui, w.from(magnitude, INFINITY + 1, nan, near), 16)
    } else {
        let last = w.op(Kind::ArithAndi, w.op(Kind::ArithShrui, magnitude, 13), 1);
        let near = w.b.addi(w.op(Kind::ArithAddi, magnitude, 0xfff_u32.wrapping_sub(BIAS)), last);
        let normal = w.op(Kind::ArithShrui, near, 13);
        // The last place of 2⁻¹ in f32 is that of subnormal numbers in f16, so that the sum is rounded to it.
        let half = w.number(power_of_two(-1));
        let sum = w.b.same(Kind::ArithAddf, &[w.as_single(magnitude), w.as_single(half)]);
        let subnormal = w.b.subi(w.as_word(sum), half);
        let infinite = w.from(magnitude, INFINITY + 1, w.number(0x7e00), w.number(0x7c00));
        let finite = w.from(magnitude, LEAST_F16, normal, subnormal);
        let magnitude = w.from(magnitude, END_F16, infinite, finite);
        let sign = w.op(Kind::ArithShrui, w.op(Kind::ArithAndi, bits, SIGN), 16);
        w.b.same(Kind::ArithOri, &[magnitude, sign])
    };
    let half = w.cast(Kind::ArithTrunci, half, w.ty(w.b.context().int(16)));
    w.cast(Kind::ArithBitcast, half, to)
}

/// Converts a number of f64 to the bits of one of the two adjacent numbers of f32, that with an odd last bit, unless it
/// is exact. Rounded to f16 or bf16, it is the number that is nearest to `x`.
fn rounded_to_odd(w: Words, x: Value) -> Value {
    let near = w.cast(Kind::ArithTruncf, x, w.single());
    let back = w.cast(Kind::ArithExtf, near, x.ty());
    let [size, exact] = [back, x].map(|v| w.b.same(Kind::MathAbsf, &[v]));
    let is_above = w.compare(Kind::ArithCmpf, CmpFPredicate::Ogt as i64, size, exact);
    let is_exact = w.compare(Kind::ArithCmpf, CmpFPredicate::Ueq as i64, back, x);
    let bits = w.as_word(near);
    let below = w.choose(is_above, w.op(Kind::ArithSubi, bits, 1), bits);
    w.choose(is_exact, bits, w.op(Kind::ArithOri, below, 1))
}
