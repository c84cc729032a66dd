//! Calls of a compiled function of arrays whose sizes and scratch memory are determined once.
#![allow(unsafe_code)]

use super::call::{Arena, Function, dims, nothing};
use mlopt_lowering::native::{Error, ValueType};

/// A call of a function with arguments of fixed shapes. It keeps the scratch memory between calls.
pub struct Prepared {
    function: Function,
    /// The addresses that the code gets: arguments, results, scratch memory.
    buffers: Vec<*mut u8>,
    /// The dynamic sizes of arguments and results, and the bytes of scratch memory.
    sizes: Vec<i64>,
    /// The number of dynamic sizes of arguments.
    given: usize,
    /// True for each argument and result without elements.
    is_empty: Vec<bool>,
    shapes: Vec<Vec<usize>>,
    results: Vec<Vec<usize>>,
    arena: Arena,
}

// SAFETY: the addresses are used only during a call, which borrows the object exclusively.
unsafe impl Send for Prepared {}

impl Function {
    /// Prepares calls with arguments of these shapes.
    ///
    /// # Errors
    /// The function takes other shapes, or needs more memory than there is.
    pub fn prepare(&self, shapes: &[&[usize]]) -> Result<Prepared, Error> {
        let inputs = &self.signature().inputs;
        self.check_count(shapes.len())?;
        for (position, (want, have)) in inputs.iter().zip(shapes).enumerate() {
            if !want.accepts_shape(have) {
                let found = ValueType { element: want.element, shape: have.iter().copied().map(Some).collect() };
                let (expected, found) = (want.to_string(), found.to_string());
                return Err(Error::ArgumentType { function: self.name().to_string(), position, expected, found });
            }
        }
        let sizes = dims(inputs, shapes.iter().copied());
        let mut prepared = Prepared {
            function: self.clone(),
            buffers: vec![nothing(); inputs.len()],
            given: sizes.len(),
            sizes,
            is_empty: shapes.iter().map(|shape| shape.contains(&0)).collect(),
            shapes: shapes.iter().map(|shape| shape.to_vec()).collect(),
            results: vec![],
            arena: self.arena(0)?,
        };
        if !self.sized_by_values {
            // SAFETY: `f.sizes` reads no argument.
            unsafe { prepared.ask()? };
        }
        Ok(prepared)
    }
}

impl Prepared {
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Returns the shapes of the arguments.
    pub fn inputs(&self) -> &[Vec<usize>] {
        &self.shapes
    }

    /// Returns the shapes of the results. If they depend on values of arguments, they are those of the last
    /// [`Prepared::measure`].
    pub fn results(&self) -> &[Vec<usize>] {
        &self.results
    }

    /// Checks whether the shapes of results, or the scratch memory, depend on values of arguments.
    pub fn is_sized_by_values(&self) -> bool {
        self.function.sized_by_values
    }

    /// Returns the bytes of scratch memory. If they depend on values of arguments, they are those of the last
    /// [`Prepared::measure`].
    pub fn scratch_bytes(&self) -> usize {
        self.sizes.last().map_or(0, |bytes| *bytes as usize)
    }

    /// Determines the shapes of the results, and allocates scratch memory, if these depend on values of arguments.
    ///
    /// # Errors
    /// The arguments have other sizes than the function needs, or memory is exhausted.
    ///
    /// # Safety
    /// As for [`Prepared::run`].
    pub unsafe fn measure(&mut self, inputs: &[*const u8]) -> Result<(), Error> {
        if self.is_sized_by_values() {
            self.set(0, inputs.iter().map(|address| address.cast_mut()));
            // SAFETY: guaranteed by the caller.
            unsafe { self.ask()? };
        }
        Ok(())
    }

    /// Calls the function. If its results have sizes that depend on values, [`Prepared::measure`] must have been called
    /// with the same arguments.
    ///
    /// # Errors
    /// The program stops itself, or memory is exhausted.
    ///
    /// # Safety
    /// There is one address for each argument, and one for each result. It is that of an array of the element type and
    /// shape of the argument or result, contiguous and aligned; for an array without elements it is not used. Nothing
    /// else writes to the arguments, or accesses the results, during the call. Results overlap neither each other nor
    /// arguments.
    pub unsafe fn run(&mut self, inputs: &[*const u8], results: &[*mut u8]) -> Result<(), Error> {
        debug_assert!(inputs.len() == self.shapes.len() && results.len() == self.results.len());
        self.set(0, inputs.iter().map(|address| address.cast_mut()));
        self.set(self.shapes.len(), results.iter().copied());
        let function = &self.function;
        match function.enter(function.run, function.export.has_status(), &self.buffers, &self.sizes) {
            0 => Ok(()),
            status => function.outcome(status, &self.arena),
        }
    }

    fn set(&mut self, from: usize, addresses: impl Iterator<Item = *mut u8>) {
        let places = self.buffers.iter_mut().zip(&self.is_empty).skip(from);
        for ((buffer, is_empty), address) in places.zip(addresses) {
            *buffer = if *is_empty { nothing() } else { address };
        }
    }

    /// Determines the shapes of results, and allocates scratch memory.
    ///
    /// # Safety
    /// `f.sizes` may read the arguments in `buffers`.
    unsafe fn ask(&mut self) -> Result<(), Error> {
        let inputs = self.shapes.len();
        let (results, bytes) = self.function.ask(self.buffers[..inputs].to_vec(), &self.sizes[..self.given])?;
        self.sizes.truncate(self.given);
        self.sizes.extend(dims(&self.function.signature().results, results.iter().map(Vec::as_slice)));
        self.sizes.push(bytes as i64);
        self.is_empty.truncate(inputs);
        self.is_empty.extend(results.iter().map(|shape| shape.contains(&0)));
        if bytes > self.arena.bytes() {
            self.arena = self.function.arena(bytes)?;
        }
        self.buffers.truncate(inputs);
        self.buffers.extend(results.iter().map(|_| nothing()).chain([self.arena.base]));
        self.results = results;
        Ok(())
    }
}
