//! Calls of a compiled function of arrays whose sizes and scratch memory are determined once.
#![allow(unsafe_code)]

use super::call::{Function, dims, nothing};
use crate::blocks::Block;
use mlopt_lowering::native::{Error, ValueType};

/// The size of scratch memory that is kept, whatever a call needs.
const SMALL: usize = 1 << 20;

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
    scratch: Block,
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
        // Shapes that are part of the types are known before the first call.
        let results = self.signature().results.iter().map(|ty| ty.shape.iter().copied().collect());
        let results: Option<Vec<Vec<usize>>> = results.collect();
        let mut prepared = Prepared {
            function: self.clone(),
            buffers: vec![nothing(); inputs.len()],
            given: sizes.len(),
            sizes,
            is_empty: shapes.iter().map(|shape| shape.contains(&0)).collect(),
            shapes: shapes.iter().map(|shape| shape.to_vec()).collect(),
            results: results.unwrap_or_default(),
            scratch: self.scratch(0)?,
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
    /// [`Prepared::measure`], and none before the first one.
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
        self.sizes[self.given..].last().map_or(0, |bytes| *bytes as usize)
    }

    /// Sets the address of an argument for [`Prepared::measure`] and [`Prepared::run`].
    #[inline]
    pub fn set_argument(&mut self, position: usize, address: *const u8) {
        self.set(position, address.cast_mut());
    }

    /// Sets the address of a result for [`Prepared::run`].
    #[inline]
    pub fn set_result(&mut self, position: usize, address: *mut u8) {
        self.set(self.shapes.len() + position, address);
    }

    /// Stores an address, except of an array without elements, which has an address of ours.
    #[inline]
    fn set(&mut self, k: usize, address: *mut u8) {
        if !self.is_empty[k] {
            self.buffers[k] = address;
        }
    }

    /// Determines the shapes of the results, and allocates scratch memory, if these depend on values of arguments.
    ///
    /// # Errors
    /// The arguments have other sizes than the function needs, or memory is exhausted.
    ///
    /// # Safety
    /// As for [`Prepared::run`], of the arguments.
    #[inline]
    pub unsafe fn measure(&mut self) -> Result<(), Error> {
        // SAFETY: guaranteed by the caller.
        if self.is_sized_by_values() { unsafe { self.ask() } } else { Ok(()) }
    }

    /// Calls the function. If its results have sizes that depend on values, [`Prepared::measure`] must have been called
    /// with the same arguments.
    ///
    /// # Errors
    /// The program stops itself, or memory is exhausted.
    ///
    /// # Safety
    /// The addresses of all arguments and results have been set. Each is that of an array of the element type and shape
    /// of the argument or result, contiguous and aligned. Nothing else writes to the arguments, or accesses the
    /// results, during the call. Results overlap neither each other nor arguments.
    #[inline]
    pub unsafe fn run(&mut self) -> Result<(), Error> {
        let function = &self.function;
        match function.enter(function.run, function.export.has_status(), &self.buffers, &self.sizes) {
            0 => Ok(()),
            status => function.outcome(status, &self.scratch),
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
        // The memory for unusual values is not kept.
        let kept = self.scratch.bytes();
        if bytes > kept || kept > SMALL && bytes < kept / 2 {
            self.scratch = self.function.scratch(bytes)?;
        }
        self.buffers.truncate(inputs);
        self.buffers.extend(results.iter().map(|_| nothing()).chain([self.scratch.start()]));
        self.results = results;
        Ok(())
    }
}
