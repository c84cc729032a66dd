//! Requests for the derivatives of a random program. A test includes this file by its path.

use mlopt_dialects::ir::Type;

fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ")
}

/// `@f`, its `@jvp` along all float arguments and its `@vjp`.
pub fn with_requests(text: &str, (inputs, results): &(Vec<Type>, Vec<Type>)) -> String {
    let wrt: Vec<usize> = (0..inputs.len()).filter(|&k| inputs[k].is_differentiable()).collect();
    let floats: Vec<Type> = results.iter().copied().filter(|t| t.is_differentiable()).collect();
    let varying: Vec<Type> = wrt.iter().map(|&k| inputs[k]).collect();
    let names = list((0..inputs.len()).map(|k| format!("%x{k}")));
    let request = |name: &str, word: &str, directions: &[Type], more: &[Type]| {
        let parameters = inputs.iter().enumerate().map(|(k, t)| format!("%x{k}: {t}"));
        let parameters = list(parameters.chain(directions.iter().enumerate().map(|(k, t)| format!("%d{k}: {t}"))));
        let given = list((0..directions.len()).map(|k| format!("%d{k}")));
        let (types, all) = (list(inputs.iter().chain(directions)), list(results.iter().chain(more)));
        let returned = list((results.len()..results.len() + more.len()).map(|k| format!("%r#{k}")));
        format!(
            "func.func @{name}({parameters}) -> ({}) {{
  %r:{} = dual.{name} @f({names}) {word}({given}) wrt [{}] : ({types}) -> ({all})
  return {returned} : {}
}}\n",
            list(more),
            results.len() + more.len(),
            list(&wrt),
            list(more)
        )
    };
    text.to_string() + &request("jvp", "tangents", &varying, &floats) + &request("vjp", "cotangents", &floats, &varying)
}
