//! The ways in which a program is run: which passes, and then the evaluator or machine code.

use super::program::{Check, Mode, Program};
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mlopt_dialects::bridge;
use mlopt_dialects::eval::Evaluator;
use mlopt_dialects::value::Array;
use mlopt_lowering::ir::module_op;
use mlopt_lowering::native::Target;
use mlopt_lowering::pipelines::LOWER_CPU;
use mlopt_lowering::pipelines::pipeline_text;
use mlopt_runtime::code::Compiled;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

/// What runs the program after the passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Engine {
    Evaluator,
    Jit,
}

/// One column of the scoreboard.
#[derive(Debug)]
pub struct Way {
    /// As in `--way`.
    pub name: WayName,
    pub mode: Mode,
    engine: Engine,
    /// Before the lowering, which machine code needs as well.
    passes: &'static [&'static str],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum WayName {
    /// The reference evaluator
    Eval,
    /// Machine code
    Jit,
    /// Machine code after bulk-operations
    Bulk,
    /// Machine code after egg-optimize
    Egg,
}

/// Every way, by mode. A way whose passes are not all there is not run, and says so.
pub const WAYS: &[Way] = &[
    Way { name: WayName::Eval, mode: Mode::Forward, engine: Engine::Evaluator, passes: &["differentiate"] },
    Way { name: WayName::Jit, mode: Mode::Forward, engine: Engine::Jit, passes: &["differentiate"] },
    Way {
        name: WayName::Bulk,
        mode: Mode::Forward,
        engine: Engine::Jit,
        passes: &["bulk-operations", "differentiate"],
    },
    Way { name: WayName::Egg, mode: Mode::Forward, engine: Engine::Jit, passes: &["differentiate", "egg-optimize"] },
    Way { name: WayName::Eval, mode: Mode::Reverse, engine: Engine::Evaluator, passes: &["differentiate"] },
    Way { name: WayName::Jit, mode: Mode::Reverse, engine: Engine::Jit, passes: &["differentiate"] },
    Way {
        name: WayName::Bulk,
        mode: Mode::Reverse,
        engine: Engine::Jit,
        passes: &["bulk-operations", "differentiate"],
    },
    Way { name: WayName::Egg, mode: Mode::Reverse, engine: Engine::Jit, passes: &["differentiate", "egg-optimize"] },
];

impl Way {
    /// `jit forward`.
    pub fn title(&self) -> String {
        format!("{:?} {:?}", self.name, self.mode).to_lowercase()
    }

    /// The passes that this build does not have.
    pub fn missing(&self) -> Vec<&'static str> {
        self.passes.iter().copied().filter(|name| !bridge::is_pass_name(name)).collect()
    }

    /// As `--pass-pipeline`. What only requests named is gone before it is compiled.
    pub fn pipeline(&self) -> String {
        let lowering = if self.engine == Engine::Jit { LOWER_CPU } else { &[] };
        pipeline_text(&[self.passes, &["symbol-dce"], lowering].concat())
    }
}

/// What is made once and used for many programs; one for each thread.
pub struct Workshop {
    context: melior::Context,
    diagnostics: Arc<Mutex<String>>,
    target: Target,
}

/// What a check computed, or why it did not.
pub type Found = Result<Vec<Array>, String>;

impl Workshop {
    pub fn new() -> Result<Workshop, String> {
        let registry = DialectRegistry::new();
        bridge::register_dialects(registry.to_raw());
        let context = melior::Context::new();
        context.append_dialect_registry(&registry);
        // Each thread has its own context, and what recurses with the program's nesting runs on that thread's stack.
        context.enable_multi_threading(false);
        let diagnostics = Arc::new(Mutex::new(String::new()));
        let sink = diagnostics.clone();
        context.attach_diagnostic_handler(move |d| {
            let mut text = sink.lock().expect("no thread panics while it writes");
            text.push_str(&format!("{d}\n"));
            true
        });
        Ok(Workshop { context, diagnostics, target: Target::host().map_err(|e| e.to_string())? })
    }

    /// The results of each check, in order. They are compiled together; when that fails, one by one, so that the failure
    /// is said of what it belongs to.
    pub fn run(&self, way: &Way, program: &Program, checks: &[&Check]) -> Vec<Found> {
        match self.together(way, program, checks) {
            Ok(results) => results,
            Err(error) if checks.len() == 1 => vec![Err(error)],
            Err(_) => {
                let alone = |check: &&Check| self.together(way, program, &[*check]).map(|mut r| r.remove(0));
                checks.iter().map(|check| alone(check).unwrap_or_else(Err)).collect()
            }
        }
    }

    fn together(&self, way: &Way, program: &Program, checks: &[&Check]) -> Result<Vec<Found>, String> {
        let mut text: String = std::iter::once(&program.text).chain(checks.iter().map(|c| &c.text)).cloned().collect();
        if checks.iter().all(|c| c.function != "f") {
            // Differentiated only: it need not be compiled itself.
            text = text.replacen("func.func @f(", "func.func private @f(", 1);
        }
        let work = || -> Result<Vec<Found>, String> {
            let mut module = Module::parse(&self.context, &text).ok_or_else(|| self.reported("it does not parse"))?;
            self.target.describe(module_op(&module));
            self.passes(way, &mut module)?;
            match way.engine {
                Engine::Evaluator => {
                    let evaluate = |c: &&Check| {
                        let result = Evaluator::new(module_op(&module)).call(&c.function, &c.arguments);
                        result.map_err(|e| e.text)
                    };
                    Ok(checks.iter().map(evaluate).collect())
                }
                Engine::Jit => {
                    let compiled = Compiled::new(module_op(&module), &self.target).map_err(|e| e.to_string())?;
                    let call = |c: &&Check| {
                        let function = compiled.function(&c.function).map_err(|e| e.to_string())?;
                        function.call(&c.arguments).map_err(|e| e.to_string())
                    };
                    Ok(checks.iter().map(call).collect())
                }
            }
        };
        catch_unwind(AssertUnwindSafe(work))
            .unwrap_or_else(|panic| Err(format!("internal error: {}", bridge::crash::message(&*panic))))
    }

    fn passes(&self, way: &Way, module: &mut Module) -> Result<(), String> {
        self.reported("");
        let manager = PassManager::new(&self.context);
        parse_pass_pipeline(manager.as_operation_pass_manager(), &way.pipeline()).map_err(|e| e.to_string())?;
        manager.run(module).map_err(|_| self.reported("a pass failed without saying why"))
    }

    /// The first diagnostic since the last call.
    fn reported(&self, otherwise: &str) -> String {
        let mut text = self.diagnostics.lock().expect("no thread panics while it writes");
        let first = text.lines().next().unwrap_or(otherwise).to_string();
        text.clear();
        first
    }
}
