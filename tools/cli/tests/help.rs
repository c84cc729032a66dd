//! A test of the overview of subcommands and of their help texts.

use clap::CommandFactory;
use mlopt_cli::commands::{Cli, overview};

#[test]
fn every_subcommand_is_listed_and_has_an_example() {
    let cli = Cli::command();
    for command in cli.get_subcommands() {
        let name = command.get_name();
        assert!(overview().contains(&format!("mlopt {name} ")), "{name} is not in the overview");
        let help = command.clone().render_help().to_string();
        assert!(help.contains("Example"), "{name} has no example: {help}");
        assert!(help.contains(&format!("\n  mlopt {name}")), "the example of {name} does not call it: {help}");
    }
    Cli::command().debug_assert();
}
