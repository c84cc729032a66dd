//! What `tools/fresh-debian.sh` relies on in README.md.

use crate::root;
use std::fs;

#[test]
fn the_set_up_block_is_two_targets_of_the_makefile() {
    let read = |file| fs::read_to_string(root().join(file)).unwrap();
    let (readme, makefile) = (read("README.md"), read("Makefile"));
    let block = readme.split_once("```sh setup\n").and_then(|(_, rest)| rest.split_once("```")).unwrap().0;
    let commands: Vec<&str> = block.lines().collect();
    assert_eq!(commands, ["make demo", "make test"]);
    for command in commands {
        let target = command.trim_start_matches("make ");
        assert!(makefile.contains(&format!("\n{target}: setup\n")), "{target} does not set up first");
    }
}
