//! A test that compares our output with numpy's: `numpy_print.txt`, written by `numpy_print.py`.

use mlopt_dialects::value::{Array, Data};
use mlopt_runtime::arguments::numpy_print;

#[test]
fn prints_as_numpy() {
    let text = include_str!("numpy_print.txt");
    let mut lines = text.lines().filter(|l| !l.starts_with('#')).peekable();
    let mut cases = 0;
    while let Some(header) = lines.next() {
        let array = read(header);
        let mut expected = |mark: &str| {
            let mut block = vec![];
            while let Some(line) = lines.next_if(|l| l.starts_with(mark)) {
                block.push(&line[2..]);
            }
            block.join("\n")
        };
        assert_eq!(numpy_print::str(&array), expected("s|"), "str of {header}");
        assert_eq!(numpy_print::repr(&array), expected("r|"), "repr of {header}");
        cases += 1;
    }
    assert!(cases >= 300, "only {cases} cases were read");
}

fn read(header: &str) -> Array {
    let words: Vec<&str> = header.split(' ').collect();
    let [kind, dtype, shape, values @ ..] = &words[..] else { panic!("not a case: {header}") };
    let shape: Vec<usize> = match *shape {
        "-" => vec![],
        _ => shape.split('x').map(|n| n.parse().unwrap()).collect(),
    };
    if *kind == "~" {
        let (start, step): (f64, f64) = (values[0].parse().unwrap(), values[1].parse().unwrap());
        let ramp = (0..shape.iter().product()).map(|i: usize| start + i as f64 * step);
        let data = match *dtype {
            "f8" => Data::F64(ramp.collect()),
            "f4" => Data::F32(ramp.map(|x| x as f32).collect()),
            "i4" => Data::I32(ramp.map(|x| x as i32).collect()),
            "i8" => Data::I64(ramp.map(|x| x as i64).collect()),
            other => panic!("unknown dtype {other}"),
        };
        return Array::new(shape, data);
    }
    let bits = values.iter().map(|w| u64::from_str_radix(w, 16).unwrap());
    let data = match *dtype {
        "f8" => Data::F64(bits.map(f64::from_bits).collect()),
        "f4" => Data::F32(bits.map(|b| f32::from_bits(b as u32)).collect()),
        "i4" => Data::I32(bits.map(|b| b as u32 as i32).collect()),
        "i8" => Data::I64(bits.map(|b| b as i64).collect()),
        "b1" => Data::I1(bits.map(|b| b != 0).collect()),
        other => panic!("unknown dtype {other}"),
    };
    Array::new(shape, data)
}
