//! A violation of a schema: its location, its kind and its message.
//!
//! A message names the expected and the found value; of alternatives, it describes the closest one.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::{MAX_VIOLATIONS, ValueStep, branches};
use crate::nearest::nearest;
use crate::schema::wording;
use crate::schema::wording::ValueNames;

/// A violation of a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// The path of the value that it concerns; of the object, for properties that are missing or
    /// not allowed.
    pub path: Vec<ValueStep>,
    /// The kind of the violation.
    pub kind: ViolationKind,
    /// The expected value, as a sentence that does not mention the found one.
    pub expected: String,
    /// The found value, if the message mentions it.
    pub actual: Option<String>,
    /// Additional advice; may be empty.
    pub hint: String,
}

/// The kind of a violation, for fixes and ranges.
#[derive(Clone, Debug, PartialEq)]
pub enum ViolationKind {
    /// The object lacks these properties.
    Missing(Vec<String>),
    /// The object has a property that is not allowed; with the similar allowed names.
    NotAllowed(String, Vec<String>),
    /// The value is none of these, the most similar first, at most ten; and whether the value is
    /// probably a typo of the first.
    Choice(Vec<Value>, bool),
    /// The value has none of these types.
    Type(Vec<&'static str>),
    /// Anything else.
    Other,
}

impl Violation {
    /// A violation without a found value and advice.
    fn new(path: Vec<ValueStep>, kind: ViolationKind, expected: String) -> Self {
        Self { path, kind, expected, actual: None, hint: String::new() }
    }

    /// A violation whose location is unknown.
    pub(super) fn unplaced(names: &ValueNames<'_>) -> Self {
        let expected = format!(
            "{} does not match the schema, whose alternatives nest too deeply to locate the error: compare them by hand",
            names.root
        );
        Self::new(Vec::new(), ViolationKind::Other, expected)
    }

    /// The whole message, as one sentence.
    pub fn message(&self) -> String {
        self.message_with(self.actual.as_deref())
    }

    /// The message, with `found` as the found value.
    pub fn message_with(&self, found: Option<&str>) -> String {
        let found = found.map(|found| format!(", found {found}")).unwrap_or_default();
        format!("{}{found}{}", self.expected, self.hint)
    }
}

/// Collects violations and creates their messages.
pub(super) struct ViolationReporter<'a> {
    pub schema: &'a Value,
    pub instance: &'a Value,
    pub value_names: &'a ValueNames<'a>,
    pub violations: Vec<Violation>,
}

/// The violations for `errors` of `instance`, without duplicates, in document order.
pub(super) fn collect<'e>(
    errors: impl Iterator<Item = ValidationError<'e>>,
    schema: &Value,
    instance: &Value,
    names: &ValueNames<'_>,
) -> Vec<Violation> {
    let mut reporter = ViolationReporter { schema, instance, value_names: names, violations: Vec::new() };
    for error in errors.take(10 * MAX_VIOLATIONS) {
        reporter.report(&error);
    }
    // A value of the wrong type is also none of the allowed values.
    let is_of_other_type = |violation: &Violation, among: &[Violation]| {
        let is_type = |fault: &ViolationKind| matches!(fault, ViolationKind::Type(_));
        let is_value = matches!(violation.kind, ViolationKind::Choice(..) | ViolationKind::Other);
        is_value && among.iter().any(|other| is_type(&other.kind) && other.path == violation.path)
    };
    let mut violations: Vec<Violation> = Vec::new();
    for violation in &reporter.violations {
        if !violations.contains(violation) && !is_of_other_type(violation, &reporter.violations) {
            violations.push(violation.clone());
        }
    }
    violations.sort_by(|one, other| one.path.cmp(&other.path));
    violations.truncate(MAX_VIOLATIONS);
    violations
}

impl ViolationReporter<'_> {
    /// Reports one error, or the errors of its closest alternative.
    pub(super) fn report(&mut self, error: &ValidationError<'_>) {
        let path = path_of(error.instance_path().as_str(), self.instance);
        let value = error.instance();
        match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                branches::report_branches(self, path, value, context)
            }
            Kind::Required { property } => {
                let key = property.as_str().unwrap_or_default().to_owned();
                self.missing(path, vec![key]);
            }
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                self.not_allowed(path, unexpected);
            }
            Kind::FalseSchema => self.report_never(path, error.schema_path().as_str()),
            Kind::PropertyNames { error } => {
                let key = error.instance().as_str().unwrap_or_default().to_owned();
                let name = wording::shown(error.instance());
                let expected = match wording::plain(error.kind(), error.instance()) {
                    Some((expected, _)) => format!("the name {name} {expected}"),
                    None => format!("the name {name} is not allowed in {}", self.value_names.name(&path)),
                };
                let kind = ViolationKind::NotAllowed(key, Vec::new());
                self.violations.push(Violation::new(path, kind, expected));
            }
            Kind::Enum { options } => {
                self.choice(path, value, options.as_array().map(Vec::as_slice).unwrap_or_default());
            }
            Kind::Constant { expected_value } => {
                self.choice(path, value, std::slice::from_ref(&**expected_value))
            }
            Kind::Type { kind } => self.types(path, value, wording::types_of(kind)),
            kind => {
                // Failures of the regex engine are not errors of the value.
                let Some((expected, actual)) = wording::plain(kind, value) else { return };
                let expected = format!("{} {expected}", self.value_names.name(&path));
                let violation = Violation::new(path, ViolationKind::Other, expected);
                self.violations.push(Violation { actual, ..violation });
            }
        }
    }

    /// Reports that the object at `path` lacks one of `keys`.
    pub(super) fn missing(&mut self, path: Vec<ValueStep>, keys: Vec<String>) {
        let names: Vec<String> = keys.iter().map(|key| wording::code(key)).collect();
        let owner = self.value_names.owner(&path);
        let expected = match keys.as_slice() {
            [key] => {
                let mut below = path.clone();
                below.push(ValueStep::Key(key.clone()));
                let about = wording::about(self.schema, &below);
                format!("{} is missing: {owner} needs it{about}", wording::code(key))
            }
            _ => format!("{} is missing: {owner} needs one of them", wording::or(&names)),
        };
        self.violations.push(Violation::new(path, ViolationKind::Missing(keys), expected));
    }

    fn not_allowed(&mut self, path: Vec<ValueStep>, keys: &[String]) {
        let below = super::names::schemas_at(self.schema, &path);
        let names = super::names::PropertyNames::of(self.schema, &below);
        let known: Vec<&str> = names.map(|names| names.known.keys().copied().collect()).unwrap_or_default();
        // Names may be given by patterns, or by schemas that are not followed.
        let all = super::names::applicable(self.schema, &below);
        let is_complete = all.is_some_and(|all| all.iter().all(|it| !it.contains_key("patternProperties")));
        for key in keys {
            let near: Vec<String> =
                nearest(key, known.iter().copied()).into_iter().map(str::to_owned).collect();
            let reason = match is_complete || !known.is_empty() {
                true => self.value_names.accepts(&path, &known),
                false => self.value_names.has_no_such(&path),
            };
            let expected = format!("{} is not allowed: {reason}", wording::code(key));
            let hint = wording::did_you_mean(&near);
            let kind = ViolationKind::NotAllowed(key.clone(), near);
            self.violations.push(Violation { hint, ..Violation::new(path.clone(), kind, expected) });
        }
    }

    /// Reports a value for which the schema is `false`: it should not be there.
    fn report_never(&mut self, mut path: Vec<ValueStep>, schema_path: &str) {
        // `additionalProperties: false` without properties: the validator reports the object.
        if schema_path.ends_with("/additionalProperties") || schema_path.ends_with("/unevaluatedProperties") {
            let value = path.iter().try_fold(self.instance, |value, step| match step {
                ValueStep::Key(key) => value.get(key),
                ValueStep::Index(at) => value.get(at),
            });
            if let Some(Value::Object(members)) = value {
                let keys: Vec<String> = members.keys().cloned().collect();
                return self.not_allowed(path, &keys);
            }
        }
        let (kind, expected) = match path.pop() {
            Some(ValueStep::Key(key)) => {
                let (name, owner) = (wording::code(&key), self.value_names.owner(&path));
                let expected = format!("{name} is not allowed: {owner} does not accept it here");
                (ViolationKind::NotAllowed(key, Vec::new()), expected)
            }
            last => {
                path.extend(last);
                (ViolationKind::Other, format!("{} is not allowed here", self.value_names.name(&path)))
            }
        };
        self.violations.push(Violation::new(path, kind, expected));
    }

    /// Reports that `options` do not contain the value at `path`.
    pub(super) fn choice(&mut self, path: Vec<ValueStep>, value: &Value, options: &[Value]) {
        let (first, is_near) = wording::nearest_first(value, options);
        let shown: Vec<String> = first.iter().map(|option| wording::shown(option)).collect();
        let allowed = wording::or_others(&shown, options.len());
        let expected = format!("{} must be {allowed}", self.value_names.name(&path));
        let is_other = options.iter().all(|option| option.is_string() != value.is_string());
        let actual = Some(if is_other { wording::kind(value).to_owned() } else { wording::shown(value) });
        let hint = match shown.first() {
            Some(first) if is_near && shown.len() > 1 => format!("; did you mean {first}?"),
            _ => String::new(),
        };
        let kind = ViolationKind::Choice(first.into_iter().cloned().collect(), is_near);
        self.violations.push(Violation { actual, hint, ..Violation::new(path, kind, expected) });
    }

    /// Reports that the value at `path` has none of the types `wanted`.
    pub(super) fn types(&mut self, path: Vec<ValueStep>, value: &Value, wanted: Vec<&'static str>) {
        let names: Vec<String> = wanted.iter().map(|name| wording::with_article(name).to_owned()).collect();
        let expected = format!("{} must be {}", self.value_names.name(&path), wording::or(&names));
        let is_fraction = value.is_number() && wanted.contains(&"integer");
        let found = if is_fraction { wording::shown(value) } else { wording::kind(value).to_owned() };
        let violation = Violation::new(path, ViolationKind::Type(wanted), expected);
        self.violations.push(Violation { actual: Some(found), ..violation });
    }
}

/// Converts the JSON pointer `pointer` into `instance` to steps.
pub(super) fn path_of(pointer: &str, instance: &Value) -> Vec<ValueStep> {
    let mut value = Some(instance);
    let mut path = Vec::new();
    for piece in pointer.split('/').skip(1) {
        let key = piece.replace("~1", "/").replace("~0", "~");
        let (step, below) = match value {
            Some(Value::Array(items)) => {
                let at = key.parse().unwrap_or(usize::MAX);
                (ValueStep::Index(at), items.get(at))
            }
            Some(value) => (ValueStep::Key(key.clone()), value.get(&key)),
            None => (ValueStep::Key(key), None),
        };
        path.push(step);
        value = below;
    }
    path
}
