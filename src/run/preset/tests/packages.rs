//! The tools that change `package.json`.

use super::*;

/// Runs a tool on the manifest `before`; `expected` is its text after that, or the message after
/// `!`.
#[track_caller]
fn check(name: &str, before: &str, input: &Value, expected: &str) {
    let folder = folder_with(&[("package.json", before)]);
    let said = run_in(folder.path(), name, input);
    let after = text_of(&folder, "package.json");
    if said.starts_with('!') {
        assert_eq!(said, expected);
        assert_eq!(after, before);
    } else {
        assert_eq!(after, expected);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is written");
}

#[track_caller]
fn check_add(before: &str, input: &Value, expected: &str) {
    check("add_package", before, input, expected);
}

#[track_caller]
fn check_remove(before: &str, input: &Value, expected: &str) {
    check("remove_package", before, input, expected);
}

const SORTED: &str =
    "{\n  \"name\": \"x\",\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"c\": \"^2\"\n  }\n}\n";

#[test]
fn packages_are_sorted_in() {
    check_add(
        SORTED,
        &json!({"name": "b"}),
        "{\n  \"name\": \"x\",\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"b\": \"latest\",\n    \"c\": \"^2\"\n  }\n}\n",
    );
    check_add(
        SORTED,
        &json!({"name": "d", "version": "^3"}),
        "{\n  \"name\": \"x\",\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"c\": \"^2\",\n    \"d\": \"^3\"\n  }\n}\n",
    );
    check_add(
        r#"{"dependencies":{"z":"1","a":"2"}}"#,
        &json!({"name": "@s/b@3"}),
        r#"{"dependencies":{"z":"1","a":"2","@s/b":"3"}}"#,
    );
}

#[test]
fn lists_are_added() {
    check_add(
        "{\r\n\t\"name\" : \"x\",\r\n\t\"dependencies\" : {},\r\n\t\"type\" : \"module\"\r\n}\r\n",
        &json!({"name": ["b", "a"], "isDev": true}),
        "{\r\n\t\"name\" : \"x\",\r\n\t\"dependencies\" : {},\r\n\t\"devDependencies\" : {\r\n\t\t\"a\" : \"latest\",\r\n\t\t\"b\" : \"latest\"\r\n\t},\r\n\t\"type\" : \"module\"\r\n}\r\n",
    );
    check_add("{}", &json!({"name": "a"}), "{\n  \"dependencies\": {\n    \"a\": \"latest\"\n  }\n}");
    check_add(
        "{\n  \"dependencies\": {}\n}",
        &json!({"name": "a"}),
        "{\n  \"dependencies\": {\n    \"a\": \"latest\"\n  }\n}",
    );
}

#[test]
fn a_package_is_in_one_list() {
    check_add(
        r#"{"dependencies":{"a":"1","b":"2"},"devDependencies":{"c":"3"}}"#,
        &json!({"name": "a", "isDev": true, "version": "2"}),
        r#"{"dependencies":{"b":"2"},"devDependencies":{"a":"2","c":"3"}}"#,
    );
    check_add(
        r#"{"dependencies":{"a":"1"}}"#,
        &json!({"name": "a", "version": "2"}),
        r#"{"dependencies":{"a":"2"}}"#,
    );
}

#[test]
fn packages_are_removed() {
    check_remove(
        SORTED,
        &json!({"name": "a"}),
        "{\n  \"name\": \"x\",\n  \"dependencies\": {\n    \"c\": \"^2\"\n  }\n}\n",
    );
    check_remove(SORTED, &json!({"name": ["c", "a"]}), "{\n  \"name\": \"x\",\n  \"dependencies\": {}\n}\n");
    check_remove(SORTED, &json!({"name": ["a", "b"]}), "!`b` is not in dependencies or devDependencies");
    check_remove(SORTED, &json!({"name": "a", "isDev": true}), "!`a` is not in devDependencies");
}

#[test]
fn what_is_refused() {
    check_add(SORTED, &json!({"name": "../x"}), "!`../x` is not the name of a package");
    check_add(SORTED, &json!({"name": ["b", ""]}), "!`` is not the name of a package");
    check_add(SORTED, &json!({"name": []}), "!`name` has no package");
    check_add("{\"a\": }", &json!({"name": "b"}), "!`package.json` is not a valid JSON object");
    check_add("[]", &json!({"name": "b"}), "!`package.json` is not a valid JSON object");
    check_add(
        r#"{"dependencies":[]}"#,
        &json!({"name": "b"}),
        "!`dependencies` in `package.json` is not an object",
    );
    let folder = folder_with(&[]);
    assert_eq!(run_in(folder.path(), "add_package", &json!({"name": "b"})), "!`package.json` does not exist");
}
