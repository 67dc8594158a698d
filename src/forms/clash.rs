//! Forms of configurations that take over the objects of others.

use super::built_in::FORMS;
use super::form::{Form, FormText, ValueTest};

/// The form that conflicts with a form of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clash {
    /// A built-in form whose objects it would take over, by its family.
    BuiltIn(FormText),
    /// A form of messages or texts whose objects it would take over.
    Messages,
    /// An earlier form of the configuration, by its name, which matches all of its objects.
    Earlier(FormText),
}

/// The form that conflicts with `form`, among the built-in forms and `earlier`.
pub fn clash(form: &Form, earlier: &[Form]) -> Option<Clash> {
    // Objects of built-in forms have no members that only the configuration knows.
    let is_present =
        |(_, test): &&(FormText, ValueTest)| !matches!(test, ValueTest::Absent | ValueTest::Empty);
    let present: Vec<_> = form.signature.iter().filter(is_present).cloned().collect();
    let is_excluded = |other: &Form| form.signature.iter().any(|member| excludes(member, other));
    let taken = FORMS.iter().filter(|other| other.markup().is_none());
    let mut taken = taken.filter(|other| takes_over(&present, other) && !is_excluded(other));
    if let Some(taken) = taken.next() {
        return Some(if taken.family.is_empty() {
            Clash::Messages
        } else {
            Clash::BuiltIn(taken.family.clone())
        });
    }
    let before = earlier.iter().find(|before| takes_over(&before.signature, form));
    before.map(|before| Clash::Earlier(before.family.clone()))
}

/// True if `name` is the name of a family of built-in forms.
pub fn is_built_in(name: &str) -> bool {
    FORMS.iter().any(|form| form.family == name)
}

/// True if this member must be absent, and objects of the form `other` have it.
fn excludes((path, test): &(FormText, ValueTest), other: &Form) -> bool {
    let has = |(known, has): &(FormText, ValueTest)| {
        let is_around = known.strip_prefix(&**path).is_some_and(|rest| rest.starts_with('.'));
        (known == path || is_around) && !matches!(has, ValueTest::Absent)
    };
    matches!(test, ValueTest::Absent) && other.signature.iter().any(has)
}

/// True if each object that fits `other` also fits `signature`.
fn takes_over(signature: &[(FormText, ValueTest)], other: &Form) -> bool {
    signature.iter().all(|(path, test)| other.signature.iter().any(|known| implies(known, path, test)))
}

/// True if each object that passes the test `known` passes `test` at `path`.
fn implies((known, has): &(FormText, ValueTest), path: &str, test: &ValueTest) -> bool {
    use ValueTest::{
        Absent, Any, Boolean, Empty, Ends, Flag, Is, IsNot, Markup, Object, Piece, Prose, Starts, Text,
    };
    let is_around = known.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    match (has, test) {
        (Absent | Empty, _) | (_, Absent) => known == path && has == test,
        (_, Any | Object) if is_around => true,
        _ if known != path => false,
        (_, Any)
        | (Text | Prose | Piece | Markup(_) | Is(_) | IsNot(_) | Starts(_) | Ends(_), Text)
        | (Flag(_), Boolean) => true,
        (Is(some), Is(texts)) => some.iter().all(|text| texts.contains(text)),
        (has, test) => has == test,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::result;
    use super::*;

    #[test]
    fn forms_that_take_over_others_clash() {
        let is = |texts: &[&'static str]| ValueTest::Is(texts.iter().map(|text| (*text).into()).collect());
        let form =
            |name: &'static str, signature: &[(&'static str, ValueTest)]| result(name, signature, &[], &[]);
        let check = |signature: &[(&'static str, ValueTest)], expected: Option<Clash>| {
            assert_eq!(clash(&form("own", signature), &[]), expected, "{signature:?}");
        };
        check(&[("kind", is(&["invoke"])), ("fn", ValueTest::Text)], None);
        check(&[("id", ValueTest::Text), ("name", ValueTest::Text)], Some(Clash::BuiltIn("gemini".into())));
        check(&[("function", ValueTest::Any)], Some(Clash::BuiltIn("openai-chat".into())));
        check(&[("function", ValueTest::Object), ("kind", ValueTest::Any)], None);
        check(&[("function.name", is(&["x"]))], None);
        check(&[("role", ValueTest::Text)], Some(Clash::BuiltIn("openai-chat".into())));
        check(&[("text", ValueTest::Text)], Some(Clash::Messages));
        check(&[("role", is(&["robot"])), ("content", ValueTest::Any)], None);
        check(&[("type", is(&["tool_use", "x"])), ("id", ValueTest::Any)], None);
        check(&[("own", ValueTest::Absent)], Some(Clash::BuiltIn("openai-chat".into())));
        check(
            &[("own", ValueTest::Absent), ("tool_use_id", ValueTest::Any)],
            Some(Clash::BuiltIn("anthropic".into())),
        );
        check(
            &[("type", ValueTest::Absent), ("tool_use_id", ValueTest::Any)],
            Some(Clash::BuiltIn("amazon-q".into())),
        );

        let first = form("first", &[("own", ValueTest::Text)]);
        let second = form("second", &[("own", is(&["a"])), ("fn", ValueTest::Any)]);
        let earlier = Some(Clash::Earlier("first".into()));
        assert_eq!(clash(&second, std::slice::from_ref(&first)), earlier);
        assert_eq!(clash(&first, &[second]), None);
    }
}
