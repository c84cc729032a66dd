//! The options by which subcommands choose rules and limits of rewriting, as `egg-optimize` does.

use mlopt_dialects::suggest::did_you_mean;
use mlopt_passes::optimise::phases::{Options, Phases};
use mlopt_passes::optimise::rules::{Laws, SETS, every};
use mlopt_passes::optimise::terms::cost::{ASSUMED_LENGTH, Assumed};
use mlopt_passes::optimise::user_rules::Rules;
use mlopt_runtime::failure::Failure;

#[derive(clap::Args)]
pub struct Rewriting {
    /// Rules to use: names of rules or sets (docs/rules.md), or all; -NAME removes some; FILE.rules adds your own rules
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', allow_hyphen_values = true)]
    rules: Vec<String>,
    /// Test rules of files on random values first
    #[arg(long)]
    check_rules: bool,
    /// The driver of the rules
    #[arg(long, value_enum, default_value = "both")]
    driver: DriverName,
    /// Maximum number of e-nodes of saturation
    #[arg(long, value_name = "NODES", default_value_t = Options::default().fuel)]
    fuel: usize,
    /// Maximum number of iterations of saturation
    #[arg(long, value_name = "N", default_value_t = Options::default().iterations)]
    iter: usize,
    /// Length that costs assume for dynamic axes and unknown trip counts
    #[arg(long, value_name = "N", default_value_t = ASSUMED_LENGTH as u32,
          value_parser = clap::value_parser!(u32).range(1..))]
    assume_size: u32,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum DriverName {
    /// Deterministic rewriting only
    Normalise,
    /// All rules in the e-graph
    Egg,
    /// Both in sequence
    Both,
}

/// The settings of the options.
pub struct Settled {
    laws: Laws<'static>,
    /// The rules of files.
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
        more.iter().flat_map(Rules::warnings).for_each(|warning| eprintln!("{warning}"));
        let laws = Laws::named(&names).map_err(|name| {
            let known = std::iter::once("all").chain(SETS.iter().map(|s| s.0)).chain(every().map(|(_, r)| r.name));
            Failure::new(format!("--rules: unknown rule or set of rules `{name}`{}", did_you_mean(name, known)))
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
