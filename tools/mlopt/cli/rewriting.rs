//! How subcommands choose rules and limits for rewriting: the options of `egg-optimize`.

use mlopt_dialects::suggest::did_you_mean;
use mlopt_passes::optimise::phases::{Options, Phases};
use mlopt_passes::optimise::rules::{Laws, SETS, every};
use mlopt_passes::optimise::terms::cost::{ASSUMED_LENGTH, Assumed};
use mlopt_passes::optimise::user_rules::Rules;
use mlopt_runtime::failure::Failure;

#[derive(clap::Args)]
pub struct Rewriting {
    /// Rules to use: names of rules or sets (docs/rules.md), all; -NAME takes away; FILE.rules adds rules of yours
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', allow_hyphen_values = true)]
    rules: Vec<String>,
    /// Try rules of files on random values first
    #[arg(long)]
    check_rules: bool,
    /// What runs the rules
    #[arg(long, value_enum, default_value = "both")]
    driver: DriverName,
    /// E-nodes at which saturation stops
    #[arg(long, value_name = "NODES", default_value_t = Options::default().fuel)]
    fuel: usize,
    /// Iterations at which saturation stops
    #[arg(long, value_name = "N", default_value_t = Options::default().iterations)]
    iter: usize,
    /// Length by which costs count dynamic axes and unknown trip counts
    #[arg(long, value_name = "N", default_value_t = ASSUMED_LENGTH as u32, value_parser = clap::value_parser!(u32).range(1..))]
    assume_size: u32,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum DriverName {
    /// Deterministic rewriting alone
    Normalise,
    /// Everything in the e-graph
    Egg,
    /// One after the other
    Both,
}

/// What the options say.
pub struct Settled {
    laws: Laws<'static>,
    /// Of files.
    more: Vec<Rules>,
    pub options: Options,
}

impl Settled {
    pub fn laws(&self) -> Laws<'_> {
        self.laws.clone().with(&self.more)
    }
}

impl Rewriting {
    pub fn settle(&self) -> Result<Settled, Failure> {
        let names: Vec<&str> = self.rules.iter().map(String::as_str).collect();
        let (names, more) =
            Rules::load_all(&names, self.check_rules).map_err(|e| Failure::new(format!("--rules: {e}")))?;
        let laws = Laws::named(&names).map_err(|name| {
            let known = std::iter::once("all").chain(SETS.iter().map(|s| s.0)).chain(every().map(|(_, r)| r.name));
            Failure::new(format!("--rules: no rule or set of rules `{name}`{}", did_you_mean(name, known)))
        })?;
        let phases = match self.driver {
            DriverName::Normalise => Phases::DETERMINISTIC,
            DriverName::Egg => Phases::SATURATE,
            DriverName::Both => Phases::ALL,
        };
        let assumed_length = Assumed(self.assume_size.into());
        let options = Options { phases, fuel: self.fuel, iterations: self.iter, assumed_length, ..Options::default() };
        Ok(Settled { laws, more, options })
    }
}
