//! JSON with paths, for messages.

use serde_json::Value;

/// A value of the file with its path, for messages.
pub struct At<'a> {
    pub json: &'a Value,
    pub path: String,
}

impl<'a> At<'a> {
    pub fn error(&self, text: impl std::fmt::Display) -> String {
        let path = if self.path.is_empty() { "the file" } else { &self.path };
        format!("{path}: {text}")
    }

    pub fn expected(&self, what: &str) -> String {
        let found = self.json.to_string();
        let short: String = found.chars().take(40).collect();
        let dots = if short.len() < found.len() { "…" } else { "" };
        self.error(format!("expected {what}, found {short}{dots}"))
    }

    pub fn find(&self, key: &str) -> Option<At<'a>> {
        let json = self.json.get(key).filter(|v| !v.is_null())?;
        let dot = if self.path.is_empty() { "" } else { "." };
        Some(At { json, path: format!("{}{dot}{key}", self.path) })
    }

    pub fn get(&self, key: &str) -> Result<At<'a>, String> {
        self.find(key).ok_or_else(|| self.error(format!("expected the key `{key}`")))
    }

    pub fn items(&self) -> Result<Vec<At<'a>>, String> {
        let items = self.json.as_array().ok_or_else(|| self.expected("a list"))?;
        Ok(items.iter().enumerate().map(|(i, json)| At { json, path: format!("{}[{i}]", self.path) }).collect())
    }

    /// Returns the entries of an object, sorted by key.
    pub fn entries(&self) -> Result<Vec<(String, At<'a>)>, String> {
        let object = self.json.as_object().ok_or_else(|| self.expected("an object"))?;
        let mut keys: Vec<&String> = object.keys().collect();
        keys.sort();
        keys.into_iter()
            .map(|key| Ok((key.clone(), At { json: &object[key], path: format!("{}.{key}", self.path) })))
            .collect()
    }

    pub fn text(&self) -> Result<String, String> {
        self.json.as_str().map(String::from).ok_or_else(|| self.expected("a text"))
    }

    pub fn number(&self) -> Result<f64, String> {
        let special = match self.json.as_str() {
            Some("nan") => Some(f64::NAN),
            Some("inf") => Some(f64::INFINITY),
            Some("-inf") => Some(f64::NEG_INFINITY),
            _ => None,
        };
        special.or(self.json.as_f64()).ok_or_else(|| self.expected("a number, \"nan\", \"inf\" or \"-inf\""))
    }

    pub fn numbers(&self) -> Result<Vec<f64>, String> {
        self.items()?.iter().map(At::number).collect()
    }

    pub fn integer(&self) -> Result<i64, String> {
        self.json.as_i64().ok_or_else(|| self.expected("a whole number"))
    }

    pub fn size(&self) -> Result<usize, String> {
        self.json.as_u64().map(|n| n as usize).ok_or_else(|| self.expected("a size"))
    }

    pub fn truth(&self) -> Result<bool, String> {
        match (self.json.as_bool(), self.json.as_i64()) {
            (Some(b), _) => Ok(b),
            (_, Some(n @ (0 | 1))) => Ok(n == 1),
            _ => Err(self.expected("true or false")),
        }
    }
}
