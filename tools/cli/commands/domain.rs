//! The points at which checks evaluate functions: sizes, ranges and fixed values of inputs, and random points.

use mlopt_dialects::suggest::did_you_mean;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_frontend::mlir::list;
use mlopt_runtime::arguments::argument::{self, ValueError};
use mlopt_runtime::arguments::parameter::Parameter;
use mlopt_runtime::entry::Entry;
use mlopt_runtime::failure::Failure;
use rand_chacha::{ChaCha8Rng, rand_core::RngCore};

/// The default size of each `?`. It is small because everything is evaluated, and unlikely to be a size in the program.
const SIZE: usize = 4;

/// The size, range and value of one input at all points.
struct InputDomain {
    label: String,
    ty: Parameter,
    /// The size of each `?`, in order; for an index input that is a size, its value.
    sizes: Vec<usize>,
    range: (f64, f64),
    value: Option<Array>,
}

/// Options that choose points.
#[derive(clap::Args)]
pub struct DomainOptions {
    /// Dynamic sizes: of all inputs, of an input, or of an axis; or the value of an index input that is a size
    #[arg(long = "size", value_name = "[NAME[.AXIS]=]N", allow_hyphen_values = true)]
    sizes: Vec<String>,
    /// Range of floats, for all inputs or one; -1,1 by default
    #[arg(long = "range", value_name = "[NAME=]LOW,HIGH", allow_hyphen_values = true)]
    ranges: Vec<String>,
    /// A fixed value for an input, as `--arg` of `mlopt run`
    #[arg(long = "set", value_name = "NAME=VALUE")]
    values: Vec<String>,
}

impl DomainOptions {
    /// Returns the domain of a function.
    pub fn of(&self, entry: &Entry) -> Result<Domain, Failure> {
        let domain = Domain::new(entry, &self.sizes, &self.ranges, &self.values);
        domain.map_err(|text| Failure::at(&entry.place, text))
    }

    /// Returns the options that apply to each input.
    pub fn given(&self, entry: &Entry) -> Vec<GivenOptions> {
        let [size, range, value] = [&self.sizes, &self.ranges, &self.values].map(|list| named(entry, list));
        let by_name: Vec<String> = self.sizes.iter().filter(|text| text.contains('=')).cloned().collect();
        let size_by_name = named(entry, &by_name);
        let one = |k| GivenOptions { size: size[k], size_by_name: size_by_name[k], range: range[k], value: value[k] };
        (0..entry.parameters.len()).map(one).collect()
    }
}

/// The options that apply to an input.
pub struct GivenOptions {
    /// True if its size or all sizes are given.
    pub size: bool,
    /// True if its own size is given.
    pub size_by_name: bool,
    pub range: bool,
    pub value: bool,
}

/// Returns the inputs to which options `[NAME[.AXIS]=]…` apply. An option without a name applies to all.
fn named(entry: &Entry, options: &[String]) -> Vec<bool> {
    let mut found = vec![false; entry.parameters.len()];
    for option in options {
        let input = option.split_once('=').and_then(|(name, _)| {
            let whole = find(entry, name).ok();
            whole.or_else(|| find(entry, name.rsplit_once('.')?.0).ok())
        });
        match input {
            Some(k) => found[k] = true,
            None => found.fill(true),
        }
    }
    found
}

/// An error of the options `--size`, `--range` and `--set`.
#[derive(Debug, thiserror::Error)]
pub enum DomainError {
    #[error("{option} `{text}`: {problem}")]
    Option { option: &'static str, text: String, problem: Box<DomainError> },
    #[error("unknown input `{name}`{hint}; `@{function}` has {signature}")]
    NoInput { name: String, hint: String, function: String, signature: String },
    #[error("expected a size, found `{0}`")]
    Size(String),
    #[error("expected an input with a dynamic size, or the number of an axis with one, found {label}: {ty}")]
    NoSize { label: String, ty: Parameter },
    #[error("expected two numbers LOW < HIGH like `0.5,2`, found `{0}`")]
    Range(String),
    #[error("expected an input of floats, found {label}: {ty}")]
    NoFloat { label: String, ty: Parameter },
    #[error("expected NAME=VALUE")]
    NoName,
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error("{0} is set twice")]
    Twice(String),
}

/// The set from which the points of a function are drawn.
pub struct Domain {
    inputs: Vec<InputDomain>,
}

/// Returns the position of the input called `name` (with or without `%`), or with that number.
pub fn find(entry: &Entry, name: &str) -> Result<usize, DomainError> {
    let name = name.trim();
    let bare = |label: &str| label.trim_start_matches('%').to_string();
    if let Some(k) = entry.parameters.iter().position(|p| bare(&p.0) == bare(name)) {
        return Ok(k);
    }
    match name.parse::<usize>() {
        Ok(k) if k < entry.parameters.len() => Ok(k),
        _ => {
            let known: Vec<String> = entry.parameters.iter().map(|p| bare(&p.0)).collect();
            let hint = did_you_mean(&bare(name), known.iter().map(String::as_str));
            let (function, signature) = (entry.name.clone(), signature(entry));
            Err(DomainError::NoInput { name: name.into(), hint, function, signature })
        }
    }
}

/// Formats the inputs: `%x: f64, %n: index`.
pub fn signature(entry: &Entry) -> String {
    list(entry.parameters.iter().map(|(label, ty)| format!("{label}: {ty}")))
}

impl Domain {
    pub fn new(entry: &Entry, sizes: &[String], ranges: &[String], values: &[String]) -> Result<Domain, DomainError> {
        let at = |option, text: &String, problem| DomainError::Option {
            option,
            text: text.clone(),
            problem: Box::new(problem),
        };
        let input = |(label, ty): &(String, Parameter)| InputDomain {
            label: label.clone(),
            ty: ty.clone(),
            sizes: vec![SIZE; ty.shape.iter().filter(|d| d.is_none()).count()],
            range: (-1.0, 1.0),
            value: None,
        };
        let mut domain = Domain { inputs: entry.parameters.iter().map(input).collect() };
        // Options for all inputs are applied before those for one.
        let general = |texts: &[String]| -> Vec<String> {
            let (one, all): (Vec<&String>, Vec<&String>) = texts.iter().partition(|t| t.contains('='));
            all.into_iter().chain(one).cloned().collect()
        };
        for text in general(sizes) {
            domain.size(entry, &text).map_err(|e| at("--size", &text, e))?;
        }
        for text in general(ranges) {
            domain.range(entry, &text).map_err(|e| at("--range", &text, e))?;
        }
        for text in values {
            domain.set(entry, text).map_err(|e| at("--set", text, e))?;
        }
        Ok(domain)
    }

    fn size(&mut self, entry: &Entry, text: &str) -> Result<(), DomainError> {
        let (target, number) = text.split_once('=').map_or((None, text), |(t, n)| (Some(t), n));
        let n: usize = number.trim().parse().map_err(|_| DomainError::Size(number.into()))?;
        let Some(target) = target else {
            self.inputs.iter_mut().for_each(|p| p.sizes.fill(n));
            return Ok(());
        };
        let (name, axis) = match target.rsplit_once('.') {
            Some((name, axis)) if axis.parse::<usize>().is_ok() => (name, axis.parse::<usize>().ok()),
            _ => (target, None),
        };
        let input = &mut self.inputs[find(entry, name)?];
        let wrong = DomainError::NoSize { label: input.label.clone(), ty: input.ty.clone() };
        match axis {
            None if input.ty.element == Element::Index && input.ty.shape.is_empty() => input.sizes = vec![n],
            None if input.sizes.is_empty() => return Err(wrong),
            None => input.sizes.fill(n),
            Some(axis) => {
                if input.ty.shape.get(axis) != Some(&None) {
                    return Err(wrong);
                }
                let at = input.ty.shape[..axis].iter().filter(|d| d.is_none()).count();
                input.sizes[at] = n;
            }
        }
        Ok(())
    }

    fn range(&mut self, entry: &Entry, text: &str) -> Result<(), DomainError> {
        let (name, range) = text.split_once('=').map_or((None, text), |(n, r)| (Some(n), r));
        let number = |t: &str| t.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let bounds = range.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?)));
        let bounds = bounds.filter(|(low, high)| low < high);
        let bounds = bounds.ok_or_else(|| DomainError::Range(range.into()))?;
        match name {
            None => self.inputs.iter_mut().for_each(|p| p.range = bounds),
            Some(name) => {
                let input = &mut self.inputs[find(entry, name)?];
                if !input.ty.element.is_float() {
                    return Err(DomainError::NoFloat { label: input.label.clone(), ty: input.ty.clone() });
                }
                input.range = bounds;
            }
        }
        Ok(())
    }

    fn set(&mut self, entry: &Entry, text: &str) -> Result<(), DomainError> {
        let (name, value) = text.split_once('=').ok_or(DomainError::NoName)?;
        let input = &mut self.inputs[find(entry, name)?];
        if input.value.replace(argument::read(value, &input.ty)?).is_some() {
            return Err(DomainError::Twice(input.label.clone()));
        }
        Ok(())
    }

    /// Returns the factors of the sizes at which work is measured; only 1 if no size can grow.
    pub fn scales(&self) -> &'static [usize] {
        let grows = |p: &InputDomain| p.value.is_none() && !p.sizes.is_empty();
        if self.inputs.iter().any(grows) { &[1, 2, 4] } else { &[1] }
    }

    /// Formats the shape of each input, and the value of each input that is a size: `%x: 4x3, %n = 4`.
    pub fn describe(&self, scale: usize) -> String {
        let mut parts = vec![];
        for p in self.inputs.iter().filter(|p| !p.sizes.is_empty() || p.value.is_some()) {
            match &p.value {
                Some(v) => parts.push(format!("{}: {}", p.label, v.type_text())),
                None if p.ty.shape.is_empty() => parts.push(format!("{} = {}", p.label, p.sizes[0] * scale)),
                None => {
                    let shape: Vec<String> = p.shape(scale).iter().map(usize::to_string).collect();
                    parts.push(format!("{}: {}", p.label, shape.join("x")));
                }
            }
        }
        if parts.is_empty() { "as declared".into() } else { parts.join(", ") }
    }

    /// Draws a random point with all sizes multiplied by `scale`.
    pub fn choose(&self, rng: &mut ChaCha8Rng, scale: usize) -> Result<Vec<Array>, Failure> {
        let one = |p: &InputDomain| match &p.value {
            Some(value) => Ok(value.clone()),
            None if p.ty.shape.is_empty() && !p.sizes.is_empty() => Ok(Array::index((p.sizes[0] * scale) as i64)),
            None => {
                let shape = p.shape(scale);
                mlopt_runtime::arguments::memory::elements(&shape, p.ty.element.bytes())
                    .map_err(|e| Failure::new(format!("{}: {e}", p.label)))?;
                Ok(random(rng, p.ty.element, &shape, p.range))
            }
        };
        self.inputs.iter().map(one).collect()
    }
}

impl InputDomain {
    fn shape(&self, scale: usize) -> Vec<usize> {
        let mut sizes = self.sizes.iter();
        let size = |d: &Option<usize>| d.unwrap_or_else(|| sizes.next().map_or(0, |n| n * scale));
        self.ty.shape.iter().map(size).collect()
    }
}

/// Draws a number uniform in [0, 1).
fn unit(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Draws floats in the range, integers that are mostly positions of small arrays, or booleans.
fn random(rng: &mut ChaCha8Rng, element: Element, shape: &[usize], (low, high): (f64, f64)) -> Array {
    let len = shape.iter().product();
    let data = match element {
        _ if element.is_float() => Data::of_f64(element, (0..len).map(|_| low + (high - low) * unit(rng))),
        Element::I1 => Data::I1((0..len).map(|_| unit(rng) < 0.5).collect()),
        _ => Data::of_f64(element, (0..len).map(|_| unit(rng) * SIZE as f64)),
    };
    Array::new(shape.to_vec(), data)
}

/// Draws a tangent or cotangent of `x`. No entry is small, so that every part of a derivative is visible.
pub fn direction(rng: &mut ChaCha8Rng, x: &Array) -> Array {
    let entry = |_| {
        let size = 0.5 + 0.5 * unit(rng);
        if rng.next_u32().is_multiple_of(2) { size } else { -size }
    };
    x.with_f64((0..x.len()).map(entry))
}
