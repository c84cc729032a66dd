//! The boundary between the plugin and a compiler.

use crate::error::Error;
use crate::program::Program;
use mlopt_stablehlo::Module;

/// A compiler of programs in StableHLO.
pub trait Compiler: Send + Sync {
    /// Returns a text that identifies the compiler and its target: other versions need not load code that this one has
    /// compiled.
    fn version(&self) -> String;

    /// Returns the name of the processor.
    fn device(&self) -> String;

    /// Compiles the function `main` of a module, on a thread with a large stack.
    fn compile(&self, program: &Program, module: &Module) -> Result<Box<dyn Code>, Error>;

    /// Loads code that [`Code::serialize`] has written, with the same [`Compiler::version`].
    fn load(&self, program: &Program, code: &[u8]) -> Result<Box<dyn Code>, Error>;
}

/// The compiled function `main` of a program. Several threads may call it at once.
pub trait Code: Send + Sync {
    /// Calls the function. Arrays are contiguous and in row-major order.
    ///
    /// # Safety
    /// There is one pointer for each argument and each result of the program. Each points to memory of the size of its
    /// type, aligned as its elements, also if it is empty. The results overlap neither each other nor the arguments,
    /// which nothing writes during the call.
    #[allow(unsafe_code, reason = "compiled code is called with pointers")]
    unsafe fn run(&self, arguments: &[*const u8], results: &[*mut u8]) -> Result<(), Error>;

    /// Returns the size of the machine code in bytes.
    fn code_bytes(&self) -> usize;

    /// Returns the memory that a call needs besides its arguments and results, in bytes, if it is the same for all
    /// arguments.
    fn scratch_bytes(&self) -> Option<usize>;

    /// Returns the code as bytes for [`Compiler::load`].
    fn serialize(&self) -> Vec<u8>;
}
