//! A program that JAX sends: a portable artifact of StableHLO with the function `main`.

use crate::error::Error;
use crate::types::ArrayType;
use mlopt_stablehlo::{Attribute, Module, Op, Type};

/// A program.
pub struct Program {
    /// The name of the module, such as `jit_step`.
    pub name: String,
    /// The types of the arguments of `main`.
    pub arguments: Vec<ArrayType>,
    /// The types of its results.
    pub results: Vec<ArrayType>,
    /// The positions of arguments whose memory the caller gives up.
    pub donated: Vec<usize>,
    /// The artifact.
    pub artifact: Vec<u8>,
}

impl Program {
    /// Reads a portable artifact. Returns also the module in StableHLO.
    pub fn read(artifact: &[u8]) -> Result<(Program, Module), Error> {
        let module = mlopt_stablehlo::read(artifact).map_err(|e| Error::invalid(e.to_string()))?.module;
        let name = symbol(&module.op).unwrap_or("program").to_string();
        let body = module.op.regions.iter().flat_map(|region| &region.blocks).flat_map(|block| &block.ops);
        let main = body.into_iter().find(|op| op.is_function() && symbol(op) == Some("main"));
        let main = main.ok_or_else(|| Error::invalid(format!("`{name}`: expected a function `@main`, found none")))?;
        let Some(Attribute::Type(ty)) = main.attribute("function_type").map(|a| &**a) else {
            return Err(Error::invalid(format!("`{name}`: expected the type of `@main`, found none")));
        };
        let Type::Function { inputs, results } = &**ty else {
            return Err(Error::invalid(format!("`{name}`: expected a function type for `@main`, found {ty:?}")));
        };
        let types = |types: &[std::sync::Arc<Type>], what: &str| {
            let each =
                types.iter().enumerate().map(|(k, ty)| ArrayType::of(ty, format_args!("{what} #{k} of `{name}`")));
            each.collect::<Result<Vec<_>, Error>>()
        };
        let (arguments, results) = (types(inputs, "argument")?, types(results, "result")?);
        let donated = donated(main, arguments.len());
        Ok((Program { name, arguments, results, donated, artifact: artifact.to_vec() }, module))
    }
}

fn symbol(op: &Op) -> Option<&str> {
    match &**op.attribute("sym_name")? {
        Attribute::String(name) => Some(name),
        _ => None,
    }
}

/// Returns the positions of the arguments that `main` marks as given up.
fn donated(main: &Op, arguments: usize) -> Vec<usize> {
    let Some(Attribute::Array(attributes)) = main.attribute("arg_attrs").map(|a| &**a) else { return vec![] };
    let is_donated = |attribute: &Attribute| match attribute {
        Attribute::Dictionary(entries) => {
            entries.iter().any(|(name, _)| ["tf.aliasing_output", "jax.buffer_donor"].contains(&&**name))
        }
        _ => false,
    };
    (0..arguments).filter(|&k| attributes.get(k).is_some_and(|a| is_donated(a))).collect()
}
