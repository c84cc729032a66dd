//! Functions of the C library that compiled code may call.

macro_rules! symbols {
    ($($name:ident),* $(,)?) => {
        /// Returns all functions that generated code may call, by name and address: no other symbol of the process is
        /// visible to it.
        pub fn symbols() -> Vec<(&'static str, usize)> {
            // Only the addresses are used; the types are those of the C library and do not matter here.
            #[link(name = "m")]
            unsafe extern "C" {
                $(fn $name();)*
            }
            vec![$((stringify!($name), $name as *const () as usize)),*]
        }
    };
}

symbols! {
    acos, acosf, acosh, acoshf, asin, asinf, asinh, asinhf, atan, atanf, atan2, atan2f, atanh, atanhf, cbrt,
    cbrtf, ceil, ceilf, copysign, copysignf, cos, cosf, cosh, coshf, erf, erff, exp, expf, exp2, exp2f, expm1,
    expm1f, fabs, fabsf, floor, floorf, fma, fmaf, fmax, fmaxf, fmin, fminf, fmod, fmodf, ldexp, ldexpf, log,
    logf, log10, log10f, log1p, log1pf, log2, log2f, pow, powf, rint, rintf, round, roundf, roundeven, roundevenf,
    sin, sinf, sinh, sinhf, sqrt, sqrtf, tan, tanf, tanh, tanhf, trunc, truncf, memcpy, memmove, memset, sincos,
    sincosf, __powidf2, __powisf2,
}
