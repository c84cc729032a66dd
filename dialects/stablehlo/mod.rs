//! The dialect `stablehlo`: programs of JAX and other front ends, before `stablehlo-to-array`.
