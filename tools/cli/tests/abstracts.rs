//! Tests of the types of values. Joins of types are in `test/lambda/versions.txt`.

use mlopt_dialects::lambda::eval::Value;
use mlopt_dialects::value::Element;
use mlopt_functions::abstracts::Abstract::{self, Array, Open, Tuple};
use mlopt_functions::abstracts::{Unfit, known};

fn array(sizes: &[Option<usize>]) -> Abstract {
    Array(Element::F64, sizes.to_vec())
}

#[test]
fn values_have_types() {
    let of = |value: &Value| known(value).map(|ty| ty.to_string());
    let pair = Value::tuple(vec![Value::vector(&[1.0, 2.0]), Value::i64(3)]);
    assert_eq!(of(&pair).unwrap(), "tuple<tensor<2xf64>, i64>");
    let record = Value::record("P", vec![("u", Value::bool(true)), ("v", Value::Unit)]);
    assert_eq!(of(&record).unwrap(), "!lambda.record<\"P\", \"u\": i1, \"v\": none>");
    let list = Value::list(vec![Value::vector(&[1.0]), Value::vector(&[1.0, 2.0]), Value::vector(&[1.0])]);
    assert_eq!(of(&list).unwrap(), "!lambda.list<tensor<?xf64>>");
    assert_eq!(of(&Value::list(vec![])).unwrap(), "!lambda.list<!lambda.any>");
    let mixed = Value::list(vec![Value::f64(1.0), Value::i64(1)]);
    let refused = of(&mixed).unwrap_err();
    assert_eq!(refused.to_string(), "all values of a list must have the same type, found f64 and i64");
    assert_eq!(of(&Value::Token), Err(Unfit::Value { kind: "a token".into() }));
}

#[test]
fn declared_types_hold() {
    let vector = Value::vector(&[1.0, 2.0]);
    assert_eq!(Abstract::of(&vector, &array(&[None])), Ok(array(&[None])));
    let refused = Abstract::of(&vector, &array(&[Some(3)])).unwrap_err();
    assert_eq!(
        (refused.code(), refused.to_string().as_str()),
        ("type-mismatch", "expected tensor<3xf64>, found tensor<2xf64>")
    );
    let declared = Tuple(vec![Open, array(&[None])]);
    let found = Abstract::of(&Value::tuple(vec![vector.clone(), vector]), &declared);
    assert_eq!(found, Ok(Tuple(vec![array(&[Some(2)]), array(&[None])])));
}
