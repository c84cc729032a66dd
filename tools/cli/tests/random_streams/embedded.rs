//! Tests of random nodes in C programs: the output of `mlopt compile --node` computes the same as `mlopt run`, within
//! its declared memory.

use super::equations::{inputs, program, program_with_parameters};
use super::runs::{Loaded, compile, differs, initial, initial_name, interpret, load, same, seeds, shape};
use mlopt_cases::{Checked, Failures, is_one, variable};
use mlopt_dialects::eval::Shared;
use mlopt_dialects::interpret::{Input, Row};
use mlopt_dialects::stream::cells::Cell;
use mlopt_dialects::value::{Array, Data, Element};
use mlopt_lowering::native::{Emit, Target, c_type};
use mlopt_lowering::pipelines::default_pipeline;
use mlopt_runtime::streams::embed::Embedded;
use mlopt_runtime::streams::flat::{Flat, PIPELINE};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Returns a C program that runs the node twice on the inputs, and prints a line for each cycle: for each output `A`,
/// `U` or its values.
fn driver(flat: &Flat, given: &[Input], cycles: usize, horizon: Option<usize>) -> String {
    let mut t = String::from("#include \"f.h\"\n#include <stdio.h>\n#include <stdlib.h>\n\n");
    let (mut set, mut print) = (String::new(), String::new());
    let mut is_on = vec![true; cycles];
    for ((name, ty), input) in flat.inputs().zip(given) {
        let (Input::Cells(row) | Input::Slots(row)) = input;
        let size: usize = shape(ty).iter().product();
        let (element, mut values) = (ty.element().expect("a number"), Vec::new());
        for (n, cell) in row.iter().enumerate() {
            is_on[n] &= cell.value().is_some();
            let numbers = cell.value().map_or(vec![0.0; size], |x| x.to_f64());
            values.extend(numbers.iter().map(|x| format!("{x:?}")));
        }
        let _ = writeln!(t, "static const double given_{name}[] = {{{}}};", values.join(", "));
        if ty.is_tensor() {
            let _ = writeln!(set, "      in.{name} = given_{name} + {size} * n;");
        } else {
            let _ = writeln!(set, "      in.{name} = ({})given_{name}[n];", c_type(element));
        }
    }
    for (name, v) in &flat.graph.outputs {
        let ty = flat.graph.value(*v).ty();
        let size: usize = shape(ty).iter().product();
        let value = if ty.is_tensor() { format!("out.{name}[k]") } else { format!("out.{name}") };
        let how = if ty.element().is_some_and(Element::is_float) { ("%.17g", "double") } else { ("%lld", "long long") };
        let _ = write!(
            print,
            "    if (out.{name}_is != MLOPT_PRESENT) printf(\" %c\", out.{name}_is == MLOPT_ABSENT ? 'A' : 'U');
    else for (int k = 0; k < {size}; k++) printf(\"%c{}\", k ? ',' : ' ', ({}){value});\n",
            how.0, how.1
        );
    }
    let on = is_on.iter().map(|&x| if x { "1" } else { "0" }).collect::<Vec<_>>().join(", ");
    let horizon = horizon.map_or(String::new(), |h| h.to_string());
    let comma = if horizon.is_empty() { "" } else { ", " };
    let parts = [("ON", on), ("PRINT", print), ("SET", set), ("HORIZON", horizon), ("COMMA", comma.to_string())];
    let all = parts.into_iter().chain([("CYCLES", cycles.to_string())]);
    all.fold(t + include_str!("embedded.c"), |text, (name, part)| text.replace(&format!("@{name}@"), &part))
}

fn run(command: &mut Command) -> Checked<String> {
    let output = command.output()?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && err.is_empty() {
        Ok(out)
    } else {
        Err(format!("{}: {out}{err}", output.status).into())
    }
}

/// Parses a printed cell.
fn cell(word: &str, element: Element, shape: &[usize]) -> Cell<Shared> {
    let numbers = || word.split(',').map(|x| x.parse::<f64>().expect("a number"));
    match word {
        "A" => Cell::Absent,
        "U" => Cell::Undetermined,
        _ => {
            let data = match element {
                Element::I1 => Data::I1(numbers().map(|x| x != 0.0).collect()),
                Element::I64 => Data::I64(word.split(',').map(|x| x.parse().expect("an integer")).collect()),
                _ => Data::F64(numbers().collect()),
            };
            Cell::Value(Shared::new(Array::new(shape.to_vec(), data)))
        }
    }
}

/// Returns the rows of the outputs of both runs.
fn rows(flat: &Flat, text: &str) -> (Vec<Vec<Row>>, Vec<String>) {
    let outputs = &flat.graph.outputs;
    let (mut runs, mut ends) = (vec![vec![Row::new(); outputs.len()]], Vec::new());
    for line in text.lines() {
        let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
        match first {
            "bytes" => {}
            "end" => {
                ends.push(rest.to_string());
                runs.push(vec![Row::new(); outputs.len()]);
            }
            cycle => {
                let rows = runs.last_mut().expect("there is one");
                for ((row, (_, v)), word) in rows.iter_mut().zip(outputs).zip(rest.split(' ')) {
                    assert_eq!(row.len().to_string(), cycle, "cycles come in order");
                    let ty = flat.graph.value(*v).ty();
                    row.push(cell(word, ty.element().expect("a number"), &shape(ty)));
                }
            }
        }
    }
    runs.pop();
    (runs, ends)
}

/// Checks that a program computes the same in C as in a run.
fn check(seed: u64, flat: &Flat, cycles: usize, folder: &Path) -> Checked {
    let given = inputs(seed, cycles);
    interpret(flat, &given, cycles, "")?;
    let want = compile(flat, &given, cycles, "", true)?;
    let initials: HashMap<String, Array> =
        flat.initials().map(|op| (initial_name(op), initial(&initial_name(op), &shape(op.result(0).ty())))).collect();
    let is_baked = seed.is_multiple_of(2);
    let target = Target::host()?;
    let horizon = is_baked.then_some(cycles as u32);
    let node = Embedded::new(flat, &initials, horizon, &default_pipeline(), &target)?;
    std::fs::write(folder.join("f.o"), target.emit(node.module(), Emit::Object)?).unwrap();
    let needs = node.needs()?;
    let report = node.report(&needs)?;
    std::fs::write(folder.join("f.h"), node.header(&report)).unwrap();
    std::fs::write(folder.join("main.c"), driver(flat, &given, cycles, report.total.is_none().then_some(cycles)))
        .unwrap();
    let flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "main.c", "f.o", "-lm", "-o", "main"];
    run(Command::new("cc").args(flags).current_dir(folder))?;
    let printed = run(&mut Command::new(folder.join("main")))?;
    let bytes = printed.lines().find_map(|l| l.strip_prefix("bytes ")).unwrap_or_default();
    let room = node.room(&needs, cycles as u32).ok().flatten();
    let all = report.total.or_else(|| node.block(cycles as u32, room?)).map(|n| n.to_string());
    if all.as_deref() != Some(bytes) {
        return Err(format!("the certificate says {all:?} bytes, the header {bytes}").into());
    }
    let (runs, ends) = rows(flat, &printed);
    let is_open = flat.graph.outputs.iter().any(|o| want[o.1].contains(&Cell::Undetermined));
    let end = if is_open { "E-RT-UNTERMINATED" } else { "OK" };
    if ends != [end, end] {
        return Err(format!("expected to end in {end}, found {ends:?}").into());
    }
    for found in &runs {
        for ((name, v), got) in flat.graph.outputs.iter().zip(found) {
            if let Some(text) = differs(name, &want[*v], got, same) {
                return Err(format!("{}: {text}", flat.plan.class.name()).into());
            }
        }
    }
    Ok(())
}

#[test]
fn programs_in_c_do_what_runs_do() {
    let folder = std::env::temp_dir().join(format!("mlopt-embedded-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Failures::default();
    // Compiling each program takes time, so only a few of each class are tested.
    let most = if variable("MLOPT_CASES").or(variable("MLOPT_SEED")).is_some() { usize::MAX } else { 6 };
    for seed in seeds(300) {
        let size = 3 + seed as usize % 20;
        let text = if seed.is_multiple_of(5) { program_with_parameters(seed, size) } else { program(seed, size) };
        let Ok(Loaded { flat, .. }) = &load(&text, "f", PIPELINE) else { continue };
        let count = counts.entry(flat.plan.class.name()).or_default();
        if *count < most {
            *count += 1;
            if let Err(problem) = check(seed, flat, if seed.is_multiple_of(3) { 90 } else { 25 }, &folder) {
                failures.add(seed, &problem, &text);
            }
        }
    }
    println!("{counts:?}");
    failures.end();
    std::fs::remove_dir_all(&folder).unwrap();
    if !is_one() {
        for class in ["forward", "retimed", "waiting", "segmented"] {
            assert!(counts.contains_key(class), "no program is {class}: {counts:?}");
        }
    }
}
