//! The cache of compiled code.

use mlopt::{Cache, ErrorKind, Pipeline, Session, Target, View};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("mlopt-test-{name}-{}", std::process::id()));
        let _absent = fs::remove_dir_all(&path);
        Folder(path)
    }

    fn cache(&self) -> Cache {
        Cache::open(&self.0).unwrap()
    }

    fn entries(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path()).collect();
        all.sort();
        all
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _absent = fs::remove_dir_all(&self.0);
    }
}

fn program(factor: f64) -> String {
    format!(
        "func.func @f(%x: tensor<?xf64>) -> tensor<?xf64> {{
           %n = array.length %x : tensor<?xf64>
           %a = arith.constant {factor:?} : f64
           %b = array.replicate %a, %n : (f64) -> tensor<?xf64>
           %z = arith.mulf %x, %b : tensor<?xf64>
           return %z : tensor<?xf64>
         }}"
    )
}

/// Compiles and calls a program. Returns what the cache counts: hits and misses.
fn counts(cache: &Cache, text: &str, pipeline: &Pipeline, target: &Target, factor: f64) -> (u64, u64) {
    let before = (cache.hits(), cache.misses());
    let module = Session::with_cache(cache.clone()).parse("f.mlir", text).unwrap();
    let code = module.compile(pipeline, target).unwrap_or_else(|error| panic!("{error}"));
    let found = code.function("f").unwrap().call(&[View::new(&[1.0, 2.0], &[2]).unwrap()]).unwrap();
    assert_eq!(found[0].elements::<f64>().unwrap(), [factor, 2.0 * factor]);
    (cache.hits() - before.0, cache.misses() - before.1)
}

#[test]
fn equal_programs_are_found_and_others_are_not() {
    let folder = Folder::new("keys");
    let cache = folder.cache();
    let (default, host) = (Pipeline::default(), Target::host());
    let run = |text: &str, pipeline: &Pipeline, target: &Target| counts(&cache, text, pipeline, target, 3.0);
    assert_eq!(run(&program(3.0), &default, &host), (0, 1));
    assert_eq!(run(&program(3.0), &default, &host), (1, 0));
    // Names of values do not matter.
    assert_eq!(run(&program(3.0).replace("%z", "%result"), &default, &host), (1, 0));
    // Passes, processors, features and options do.
    let options = default.clone().with_options("differentiate", "memory-budget=1");
    assert_eq!(run(&program(3.0), &options, &host), (0, 1));
    assert_eq!(run(&program(3.0), &default, &Target::named("x86-64", "").unwrap()), (0, 1));
    assert_eq!(run(&program(3.0), &default, &Target::named("native", "-avx512f").unwrap()), (0, 1));
    assert_eq!(counts(&cache, &program(4.0), &default, &host, 4.0), (0, 1));
    // A new session and a new `Cache` find all of them.
    let cache = folder.cache();
    assert_eq!(counts(&cache, &program(3.0), &default, &host, 3.0), (1, 0));
    let modes = folder.entries().into_iter().map(|path| fs::metadata(path).unwrap().permissions().mode() & 0o777);
    assert!(modes.into_iter().all(|mode| mode == 0o600));
    assert_eq!(fs::metadata(&folder.0).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn messages_keep_the_places_of_the_program() {
    let folder = Folder::new("places");
    let add = "func.func @add(%a: tensor<?xf64>, %b: tensor<?xf64>) -> tensor<?xf64> {
                 %z = arith.addf %a, %b : tensor<?xf64>
                 return %z : tensor<?xf64>
               }";
    let line = |text: &str| {
        let code = Session::with_cache(folder.cache()).compile("add.mlir", text).unwrap();
        let (a, b) = ([1.0], [1.0, 2.0]);
        let views = [View::new(&a, &[1]).unwrap(), View::new(&b, &[2]).unwrap()];
        let error = code.function("add").unwrap().call(&views).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
        error.diagnostics()[0].line
    };
    assert_eq!(line(add), Some(2));
    assert_eq!(line(&format!("\n\n{add}")), Some(4));
    assert_eq!(line(add), Some(2));
}

#[test]
fn damaged_entries_are_rebuilt() {
    let folder = Folder::new("damaged");
    let cache = folder.cache();
    let run = || counts(&cache, &program(3.0), &Pipeline::default(), &Target::host(), 3.0);
    assert_eq!(run(), (0, 1));
    let entry = folder.entries().pop().unwrap();
    let good = fs::read(&entry).unwrap();
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let middle = good.len() / 2;
    for damaged in [&[][..], &good[..10], &good[..middle], &good[..good.len() - 1], &flipped] {
        fs::write(&entry, damaged).unwrap();
        assert_eq!(run(), (0, 1));
        assert_eq!(run(), (1, 0));
    }
    assert_eq!(folder.entries().len(), 1);
}

#[test]
fn the_size_is_bounded() {
    let folder = Folder::new("size");
    let (default, host) = (Pipeline::default(), Target::host());
    counts(&folder.cache(), &program(1.0), &default, &host, 1.0);
    let size = fs::metadata(&folder.entries()[0]).unwrap().len();
    let cache = folder.cache().with_limit(size * 5 / 2);
    for factor in [2.0, 3.0, 4.0] {
        counts(&cache, &program(factor), &default, &host, factor);
        assert!(folder.entries().len() <= 2);
    }
    // The last one is still there.
    assert_eq!(counts(&cache, &program(4.0), &default, &host, 4.0), (1, 0));
    // An entry that is larger than the limit is removed at once.
    let none = folder.cache().with_limit(0);
    counts(&none, &program(5.0), &default, &host, 5.0);
    assert!(folder.entries().is_empty());
}

#[test]
fn processes_share_a_folder() {
    const VARIABLE: &str = "MLOPT_TEST_CACHE";
    if let Some(folder) = std::env::var_os(VARIABLE) {
        let cache = Cache::open(folder).unwrap().with_limit(200_000);
        for k in 0..20 {
            let factor = f64::from(k % 5);
            counts(&cache, &program(factor), &Pipeline::default(), &Target::host(), factor);
        }
        return;
    }
    let folder = Folder::new("processes");
    folder.cache();
    let start = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "cache::processes_share_a_folder"]).env(VARIABLE, &folder.0).spawn().unwrap()
    };
    for mut process in [start(), start(), start()] {
        assert!(process.wait().unwrap().success());
    }
    let is_temporary = |path: &PathBuf| path.extension().is_some_and(|e| e == "mlopt-tmp");
    assert!(!folder.entries().iter().any(is_temporary));
    let cache = folder.cache();
    counts(&cache, &program(4.0), &Pipeline::default(), &Target::host(), 4.0);
    assert_eq!(cache.misses(), 0);
}

/// Whoever finds code in the cache would not see what was said when it was compiled.
#[test]
fn code_with_remarks_is_not_kept() {
    let folder = Folder::new("remarks");
    let pipeline = Pipeline::default().with_options("egg-optimize", "report=true");
    let text = program(3.0);
    for _ in 0..2 {
        let module = Session::with_cache(folder.cache()).parse("f.mlir", &text).unwrap();
        let code = module.compile(&pipeline, &Target::host()).unwrap_or_else(|error| panic!("{error}"));
        assert!(!code.diagnostics().is_empty());
    }
}
