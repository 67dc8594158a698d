//! The servers and programs of configurations, which can run tools. They are data: nothing here
//! starts anything.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::template::{Template, is_variable_name};
use crate::text::cut;
use crate::text::visible::{is_unseen, visible};

/// The servers and programs that a document's configuration names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSettings {
    /// MCP servers by name.
    pub servers: BTreeMap<String, ServerSettings>,
    /// Programs by the name of their tool.
    pub programs: BTreeMap<String, ProgramSettings>,
    /// Servers, and files with servers, that cannot be used, with the reasons.
    pub unusable: Vec<UnusableServer>,
}

/// An MCP server: `[servers.NAME]` in a `chatls.toml`, or the entry in a file of another client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerSettings {
    /// The name.
    pub name: String,
    /// The file that names it.
    pub file: PathBuf,
    /// The way to reach it.
    pub start: ServerStart,
    /// The file that lists its tools, relative to the configuration.
    pub listing: Option<String>,
}

/// The way to reach a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerStart {
    /// A child process, over its standard streams (MCP: stdio).
    Command(CommandSettings),
    /// An address (MCP: streamable HTTP).
    Address(AddressSettings),
}

/// A command that starts a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSettings {
    /// The program: a name that is looked up in `PATH`, or a path relative to `folder`.
    pub program: String,
    /// The arguments.
    pub arguments: Vec<Template>,
    /// The variables that are set for it, by name, besides the few that all programs get.
    pub variables: BTreeMap<String, Template>,
    /// The working folder, as an absolute path.
    pub folder: PathBuf,
    /// The folder of the file that names it, as an absolute path: its project.
    pub base: PathBuf,
}

/// The address of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressSettings {
    /// The address, `http` or `https`.
    pub url: String,
    /// The HTTP headers of requests, by name.
    pub headers: BTreeMap<String, Template>,
    /// The folder of the file that names it, as an absolute path.
    pub folder: PathBuf,
}

/// A program as a tool: `[run.NAME]` in a `chatls.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramSettings {
    /// The name of the tool.
    pub name: String,
    /// The file that names it.
    pub file: PathBuf,
    /// The command, which gets the input as JSON on stdin.
    pub command: CommandSettings,
}

/// A server that is configured and cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusableServer {
    /// The name; `None` if the whole file cannot be read.
    pub name: Option<String>,
    /// The file that names it.
    pub file: PathBuf,
    /// The reason.
    pub reason: String,
}

impl ServerSettings {
    /// The folder of the file that names it.
    pub fn folder(&self) -> &Path {
        match &self.start {
            ServerStart::Command(command) => &command.base,
            ServerStart::Address(address) => &address.folder,
        }
    }
}

/// Checks the name of a server or program, which questions show: nothing in it may look like
/// another part of a question.
///
/// # Errors
///
/// The reason why it is not valid.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let is_word = |character: char| {
        "_-./@:".contains(character) || character.is_alphanumeric() && !is_unseen(character)
    };
    let are_words = name.split(' ').all(|word| !word.is_empty() && word.chars().all(is_word));
    if are_words && name.chars().count() <= LONGEST_NAME {
        return Ok(());
    }
    Err(format!(
        "`{}` is not a name: it has 1 to {LONGEST_NAME} letters, digits, `_`, `-`, `.`, `/`, `@`, `:` and \
         single spaces between them",
        visible(&cut(name, LONGEST_NAME))
    ))
}

/// Checks the name of an HTTP header (RFC 9110, `token`).
///
/// # Errors
///
/// The reason why it is not valid.
pub(super) fn check_header(name: &str) -> Result<(), String> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    match !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(is_token) {
        true => Ok(()),
        false => Err(format!("`{}` is not the name of a header", visible(&cut(name, LONGEST_NAME)))),
    }
}

/// Checks the address of a server.
///
/// # Errors
///
/// The reason why it is not valid.
pub(super) fn check_url(url: &str) -> Result<(), String> {
    if url.contains("${") {
        return Err("an address cannot refer to variables: write secrets into `headers`".to_owned());
    }
    let parsed = url::Url::parse(url).map_err(|error| format!("this is not an address: {error}"))?;
    match parsed.scheme() {
        "http" | "https" if !parsed.username().is_empty() || parsed.password().is_some() => {
            Err("an address cannot contain a password: write `headers` that refer to a variable".to_owned())
        }
        "http" | "https" => Ok(()),
        other => Err(format!("an address begins with `https://` or `http://`; found `{other}:`")),
    }
}

/// Checks a variable that a configuration sets. Variables that make a program load other code are
/// refused unless they have the user's own value, because the command line does not show them.
///
/// # Errors
///
/// The reason why it is refused.
pub(super) fn check_variable(name: &str, value: &Template) -> Result<(), String> {
    if !is_variable_name(name) {
        return Err(format!("`{name}` is not the name of a variable"));
    }
    let upper = name.to_ascii_uppercase();
    let is_loader = LOADERS.contains(&&*upper) || LOADER_PREFIXES.iter().any(|it| upper.starts_with(it));
    let is_harmless = || {
        let value = value.as_text();
        let of_output = || value.is_some() && OUTPUT_ONLY.contains(&&*upper);
        of_output() || value.is_some_and(|value| HARMLESS.contains(&(&*upper, value)))
    };
    if is_loader && *value != Template::variable(name) && !is_harmless() {
        return Err(format!(
            "`{name}` can make a program run other code than its command line shows: write it into the command, \
             as `env {name}=… PROGRAM`"
        ));
    }
    Ok(())
}

/// Maximum number of characters of a name.
pub(super) const LONGEST_NAME: usize = 64;

/// The names of servers and programs as a regular expression of JSON Schema, apart from their
/// length and [`UNSEEN_LETTERS`].
const NAME_PATTERN: &str = r"^[\p{Alphabetic}\p{N}_./@:-]+( [\p{Alphabetic}\p{N}_./@:-]+)*$";

/// The letters that such names do not have because they have no glyph, as a regular expression.
const UNSEEN_LETTERS: &str = r"[\u115f\u1160\u3164\uffa0]";

/// The names of servers and programs as a JSON Schema.
pub(super) fn names_schema() -> serde_json::Value {
    serde_json::json!({
        "minLength": 1,
        "maxLength": LONGEST_NAME,
        "pattern": NAME_PATTERN,
        "not": {"pattern": UNSEEN_LETTERS},
    })
}

/// Variables that make shells, interpreters, libraries and package managers run other code, or that
/// decide which programs are found.
const LOADERS: [&str; 76] = [
    "APPDATA",
    "BASH_ENV",
    "BROWSER",
    "CDPATH",
    "CLASSPATH",
    "COMSPEC",
    "DOTNET_STARTUP_HOOKS",
    "EDITOR",
    "ELECTRON_RUN_AS_NODE",
    "ELIXIR_ERL_OPTIONS",
    "ENV",
    "ERL_AFLAGS",
    "ERL_FLAGS",
    "ERL_LIBS",
    "EXINIT",
    "GCONV_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "GLIBC_TUNABLES",
    "GOFLAGS",
    "GRADLE_OPTS",
    "GTK_MODULES",
    "GTK_PATH",
    "GUILE_LOAD_PATH",
    "HOME",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JULIA_LOAD_PATH",
    "LESSCLOSE",
    "LESSOPEN",
    "LUA_CPATH",
    "LUA_INIT",
    "LUA_PATH",
    "MAKEFLAGS",
    "MAVEN_OPTS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "PAGER",
    "PATH",
    "PATHEXT",
    "PERLLIB",
    "PHPRC",
    "PHP_INI_SCAN_DIR",
    "PROMPT_COMMAND",
    "PS4",
    "PSMODULEPATH",
    "PYTHONBREAKPOINT",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONPYCACHEPREFIX",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "PYTHONWARNINGS",
    "QT_PLUGIN_PATH",
    "RUBYLIB",
    "RUBYOPT",
    "RUSTC",
    "RUSTC_WRAPPER",
    "RUSTFLAGS",
    "R_PROFILE",
    "R_PROFILE_USER",
    "SHELL",
    "SHELLOPTS",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SYSTEMROOT",
    "TCLLIBPATH",
    "USERPROFILE",
    "VIMINIT",
    "VISUAL",
    "ZDOTDIR",
    "_JAVA_OPTIONS",
];

/// The beginnings of the names of such variables: of dynamic linkers, and of programs that take
/// their whole configuration from the environment.
const LOADER_PREFIXES: [&str; 17] = [
    "BUNDLE_",
    "BUN_",
    "CARGO_",
    "CORECLR_",
    "COREPACK_",
    "COR_",
    "DENO_",
    "DYLD_",
    "GIT_",
    "LD_",
    "NPM_CONFIG_",
    "PERL5",
    "PIP_",
    "RUSTUP_",
    "UV_",
    "XDG_",
    "YARN_",
];

/// Variables with one of these prefixes that only change the output or the waiting of programs.
const OUTPUT_ONLY: [&str; 14] = [
    "CARGO_TERM_COLOR",
    "CARGO_TERM_QUIET",
    "CARGO_TERM_VERBOSE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "NPM_CONFIG_COLOR",
    "NPM_CONFIG_LOGLEVEL",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "PIP_NO_INPUT",
    "UV_NO_PROGRESS",
];

/// Values that run nothing else: no pager, and the folder that Windows uses without these
/// variables.
const HARMLESS: [(&str, &str); 6] = [
    ("GIT_PAGER", ""),
    ("GIT_PAGER", "cat"),
    ("PAGER", ""),
    ("PAGER", "cat"),
    ("SYSTEMROOT", r"C:\WINDOWS"),
    ("SYSTEMROOT", r"C:\Windows"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_pretend() {
        let longest = "x".repeat(LONGEST_NAME);
        for name in ["git", "a_b-c.d/e@f:g 1", "größe", "検索", &longest] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        let too_long = "x".repeat(LONGEST_NAME + 1);
        for name in [
            "",
            " ",
            " a",
            "a ",
            "a  b",
            "a\nb",
            "a`b",
            "a, which",
            "a?",
            "\u{202e}a",
            "\u{3164}",
            "a\u{200b}",
            "a\u{a0}b",
            "\u{1b}[2J",
            &too_long,
        ] {
            let message = check_name(name).expect_err(name);
            assert!(message.contains("is not a name") && visible(&message) == message, "{message}");
            assert!(message.chars().count() < 250, "{message}");
        }
    }

    #[test]
    fn the_pattern_of_names_is_that_of_the_program() {
        let schema = names_schema();
        let compiled = crate::schema::compile(&schema).expect("a schema");
        let schema = crate::schema::Schema::new(&schema, &compiled).expect("a schema");
        // Blocks that newer versions of Unicode add nothing to: Latin to Cyrillic with combining
        // marks, Devanagari, Hangul, fullwidth forms.
        let blocks =
            ['\0'..='\u{52f}', '\u{900}'..='\u{97f}', '\u{1100}'..='\u{11ff}', '\u{ff00}'..='\u{ffef}'];
        let letters = blocks.into_iter().flatten().chain(['\u{3164}', '\u{200b}', '検', 'ー', '\u{1f600}']);
        for name in letters.flat_map(|letter| [format!("a{letter}b"), letter.to_string()]) {
            let accepts = schema.accepts(&name.as_str().into()).expect("an answer");
            assert_eq!(accepts, check_name(&name).is_ok(), "{}", name.escape_unicode());
        }
    }

    #[test]
    fn names_of_headers_are_tokens() {
        assert_eq!(check_header("X-Api_Key"), Ok(()));
        for name in ["", "a b", "a:", "A (yours)", "ä", &"x".repeat(LONGEST_NAME + 1)] {
            assert!(check_header(name).is_err(), "{name}");
        }
    }

    #[test]
    fn variables_that_load_code_are_refused() {
        for name in ["LD_PRELOAD", "ld_preload", "NODE_OPTIONS", "Path", "npm_config_registry", "PERL5OPT"] {
            let message = check_variable(name, &Template::text("x")).expect_err(name);
            assert!(message.contains("other code"), "{message}");
            assert_eq!(check_variable(name, &Template::variable(name)), Ok(()), "the user's own value");
            assert!(check_variable(name, &Template::variable("OTHER")).is_err());
        }
        for name in [
            "_JAVA_OPTIONS",
            "CORECLR_PROFILER_PATH",
            "COR_PROFILER",
            "yarn_rc_filename",
            "AppData",
            "LessOpen",
            "CARGO_HOME",
        ] {
            assert!(check_variable(name, &Template::text("x")).is_err(), "{name}");
        }
        for name in ["DOTNET_STARTUP_HOOKS", "OPENSSL_CONF", "GOFLAGS", "BUNDLE_GEMFILE", "COREPACK_ROOT"] {
            assert!(check_variable(name, &Template::text("x")).is_err(), "{name}");
        }
        for (name, value) in [
            ("PAGER", "cat"),
            ("GIT_PAGER", ""),
            ("CARGO_TERM_COLOR", "always"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("SystemRoot", r"C:\Windows"),
        ] {
            assert_eq!(check_variable(name, &Template::text(value)), Ok(()), "{name}");
            assert!(check_variable(name, &Template::variable("OTHER")).is_err(), "{name}");
        }
        for (name, value) in [("PAGER", "cat x"), ("SystemRoot", r"C:\w"), ("GIT_EDITOR", "cat")] {
            assert!(check_variable(name, &Template::text(value)).is_err(), "{name}");
        }
        assert_eq!(check_variable("PYTHONUNBUFFERED", &Template::text("1")), Ok(()));
        assert!(check_variable("A=B", &Template::default()).is_err());
        assert!(check_variable("", &Template::default()).is_err());
    }

    #[test]
    fn addresses_hide_nothing() {
        assert_eq!(check_url("https://example.com/mcp"), Ok(()));
        assert_eq!(check_url("http://127.0.0.1:3001/mcp"), Ok(()));
        for (url, expected) in [
            ("https://u:p@example.com", "password"),
            ("https://example.com/?k=${env:KEY}", "headers"),
            ("file:///etc/passwd", "found `file:`"),
            ("example.com", "not an address"),
        ] {
            let message = check_url(url).expect_err(url);
            assert!(message.contains(expected), "{message}");
        }
    }
}
