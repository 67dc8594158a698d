//! The JSON Schema of `chatls.toml` and the program accept the same configurations.

use std::path::Path;

use chatls::config::{ConfigLocation, Files, Loader, schema};
use chatls::diagnostic::Code;
use serde_json::{Value, json};

struct One<'a>(&'a str);

impl Files for One<'_> {
    fn read(&self, path: &Path) -> std::io::Result<String> {
        match path.file_name() {
            Some(name) if name == "chatls.toml" => Ok(self.0.to_owned()),
            _ => Ok("[]".to_owned()),
        }
    }
}

/// The program's diagnostics for the configuration `text`.
fn problems(text: &str) -> Vec<String> {
    let place = ConfigLocation {
        document: Some(Path::new("/w/a.md")),
        is_chat: false,
        folders: &[],
        project: None,
        config: None,
        editor: &Value::Null,
    };
    let loaded = Loader::default().load(&One(text), &place);
    loaded.problems.iter().map(|problem| problem.message.clone()).collect()
}

/// Fails unless the schema and the program agree on `text`.
#[track_caller]
fn check(text: &str, is_right: bool) {
    let validator = jsonschema::draft7::new(&schema()).unwrap();
    let value: Value = toml::from_str(text).unwrap();
    let faults: Vec<_> = validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
    assert_eq!(faults.is_empty(), is_right, "the schema of\n{text}\n{faults:?}");
    let problems = problems(text);
    assert_eq!(problems.is_empty(), is_right, "the program of\n{text}\n{problems:?}");
}

#[test]
fn it_is_a_schema_and_describes_all() {
    jsonschema::draft7::meta::validate(&schema()).unwrap();
    fn described(value: &Value, at: &str) {
        for (name, property) in value["properties"].as_object().into_iter().flatten() {
            let at = format!("{at}.{name}");
            assert!(property["description"].as_str().is_some_and(|text| text.ends_with('.')), "{at}");
            described(property, &at);
            described(&property["items"], &at);
        }
    }
    described(&schema(), "");
    let lint = &schema()["definitions"]["lint"];
    described(lint, "lint");
    assert_eq!(lint["properties"].as_object().unwrap().len(), Code::ALL.len());
}

#[test]
fn both_accept_valid_configurations() {
    for text in [
        "",
        "tools = [\"preset:file-tools\"]\nprotocol = \"auto\"\ninclude = [\"**/*.chat.md\", \"logs/**\"]\nexclude = \"README.md\"\n",
        "[fence]\nlanguages = [\"tool\", \"call\"]\n[format]\npayload = \"keep\"\nindent = 16\n[hints]\nbatch = false\nresult = true\nid = true\n",
        "[[override]]\nfiles = [\"drafts/**\"]\nlint = { unclosed-fence = \"off\" }\n[[override]]\nfiles = \"a.md\"\n",
        "fence = {}\nlint = {}\noverride = []\nformat.indent = 0\n",
        "[[dialect]]\nname = \"a\"\npart = \"call\"\nsignature = { own = [\"a\"], b = true, c.d = \"object\" }\ntool = \"x\"\n",
        "dialect = []\n",
        "[servers.a]\ncommand = \"x\"\nargs = [\"-y\"]\nenv = [\"TOKEN\"]\n[servers.b]\nurl = \"https://a.b/c\"\nheaders = { A = \"${env:B}\" }\n",
        "[run.a]\ncommand = \"./x\"\nenv = { A = \"${env:B}\" }\ndescription = \"Does.\"\n",
        "[turns]\nuser = [\"Ünal\", \"My Self\"]\nassistant = \"Bot\"\nsystem = []\n",
    ] {
        check(text, true);
    }
    // Every value that the schema lists, at any depth.
    let schema = schema();
    for (at, property) in [("", &schema), ("format.", &schema["properties"]["format"])] {
        for (name, property) in property["properties"].as_object().unwrap() {
            for value in property["enum"].as_array().into_iter().flatten() {
                check(&format!("{at}{name} = {value}"), true);
            }
        }
    }
    for code in Code::ALL {
        for value in schema["definitions"]["lint"]["properties"][code.name()]["enum"].as_array().unwrap() {
            check(&format!("lint.{} = {value}", code.name()), true);
        }
    }
}

#[test]
fn both_reject_invalid_configurations() {
    for text in [
        "tool = []",
        "dialect = 1",
        "[[dialect]]\npart = \"result\"\nsignature = { own = \"any\" }",
        "[[dialect]]\nname = \"a\"\nsignature = { own = \"any\" }",
        "[[dialect]]\nname = \"a\"\npart = \"result\"",
        "[[dialect]]\nname = \"a\"\npart = \"result\"\nsignature = {}",
        "[[dialect]]\nname = \"a\"\npart = \"result\"\nsignature = { own = \"strings\" }",
        "[[dialect]]\nname = \"a\"\npart = \"result\"\nsignature = { own = [] }",
        "[[dialect]]\nname = \"a\"\npart = \"results\"\nsignature = { own = \"any\" }",
        "[[dialect]]\nname = \"a\"\npart = \"result\"\nsignature = { own = \"any\" }\ntools = \"x\"",
        "tools = 1",
        "tools = [1]",
        "protocol = \"v8\"",
        "protocol = 5",
        "include = { a = 1 }",
        "exclude = [[\"a\"]]",
        "fence = 1",
        "fence.language = \"tool\"",
        "fence.languages = [\"two words\"]",
        "fence.languages = \"\"",
        "lint2 = {}",
        "lint.no-such-code = \"off\"",
        "lint.bad-state = \"loud\"",
        "lint.bad-state = false",
        "override = 1",
        "override = [1]",
        "[[override]]\nlint = {}",
        "[[override]]\nfiles = \"a\"\nexclude = \"b\"",
        "[[override]]\nfiles = \"a\"\nlint = { bad-state = 1 }",
        "format.payload = \"wide\"",
        "format.indent = 17",
        "format.indent = -1",
        "format.indent = \"2\"",
        "format.tabs = true",
        "hints.batch = \"yes\"",
        "hints.all = true",
        "turns.human = []",
        "turns.user = [\"\"]",
        "turns.user = [\" a\"]",
        "turns.system = 1",
        "extends = [\"a.toml\"]",
        "extends = \"\"",
        "root = \"yes\"",
    ] {
        check(text, false);
    }
}

#[test]
fn defaults_equal_the_settings_without_them() {
    let place = ConfigLocation {
        document: None,
        is_chat: false,
        folders: &[],
        project: None,
        config: None,
        editor: &Value::Null,
    };
    let settings = Loader::default().load(&One(""), &place).settings;
    let schema = schema();
    let properties = &schema["properties"];
    let default = |at: &str| {
        properties.pointer(&format!("/{}", at.replace("/", "/properties/"))).unwrap()["default"].clone()
    };
    assert_eq!(properties["protocol"]["default"], "auto");
    assert_eq!(default("fence/languages"), json!(settings.fence_languages));
    assert_eq!(default("format/indent"), json!(settings.format.indent));
    assert_eq!(default("hints/batch"), json!(settings.hints.batch));
    assert_eq!(default("hints/id"), json!(settings.hints.id));
    assert_eq!(default("turns/user"), json!(settings.turns.user));
    assert_eq!(default("turns/assistant"), json!(settings.turns.assistant));
    assert_eq!(default("turns/system"), json!(settings.turns.system));
}
