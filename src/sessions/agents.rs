//! The table of agents: the places of their sessions, and of the values in them.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use super::Session;
use super::places::{Places, Root};

/// An agent: one row of the table.
#[derive(Debug)]
pub struct Agent {
    /// The name, for people and for `--agent`.
    pub name: &'static str,
    /// The folders in which it keeps sessions.
    roots: &'static [Root],
    /// The files of sessions below these folders. In a name `*` stands for any characters; `**` is
    /// any number of folders.
    files: &'static [&'static str],
    /// Prefixes of the names of files that are not separate sessions.
    except: &'static [&'static str],
    id: IdSource,
    /// The places of the values in a record.
    pub(super) paths: RecordPaths,
}

/// The source of a session's id.
#[derive(Clone, Copy, Debug)]
enum IdSource {
    /// The name of the file, without its extension.
    Stem,
    /// The last characters of that name.
    Tail(usize),
    /// The part of that name after the last such character.
    After(char),
    /// The name of the folder.
    Folder,
}

/// The places of values in a record: a line of a log, or the document. Paths of keys are joined by
/// `.`.
#[derive(Clone, Copy, Debug)]
pub struct RecordPaths {
    /// The arrays of messages in a document, which are read as records, too. The empty path is the
    /// document itself.
    pub messages: &'static [&'static str],
    /// The project's folder.
    pub folder: &'static [&'static str],
    /// The texts before and after the project's folder, where no record names it.
    pub folder_between: &'static [(&'static str, &'static str)],
    /// The project's folder in another file: its path from the session's folder, and the path of
    /// keys in it.
    pub folder_beside: Option<(&'static str, &'static str)>,
    /// The title. The last one counts.
    pub title: &'static [&'static str],
    /// The titles in another file of JSON Lines: its name, in a folder above the session, and
    /// the keys of id and title.
    pub title_index: Option<(&'static str, &'static str, &'static str)>,
    /// Messages of the user: a path with its string, and the path of the content.
    pub prompts: &'static [(&'static str, &'static str, &'static str)],
}

/// No values.
const NO_PATHS: RecordPaths = RecordPaths {
    messages: &[],
    folder: &[],
    folder_between: &[],
    folder_beside: None,
    title: &[],
    title_index: None,
    prompts: &[],
};

/// Tasks of Cline, and of the extensions made from it.
const CLINE_TASKS: RecordPaths = RecordPaths {
    messages: &[""],
    folder_between: &[("# Current Working Directory (", ")"), ("# Current Workspace Directory (", ")")],
    prompts: &[("role", "user", "content")],
    ..NO_PATHS
};

/// All agents.
pub static AGENTS: &[Agent] = &[
    // code.claude.com/docs/en/settings (`CLAUDE_CONFIG_DIR`); records: daaain/claude-code-log.
    // Files `agent-*` belong to sub-agents.
    Agent {
        name: "claude-code",
        roots: &[Root::Variable("CLAUDE_CONFIG_DIR", ".claude"), Root::Home(".config/claude")],
        files: &["projects/*/*.jsonl"],
        except: &["agent-"],
        id: IdSource::Stem,
        paths: RecordPaths {
            folder: &["cwd"],
            title: &["summary", "aiTitle", "customTitle"],
            prompts: &[("type", "user", "message.content")],
            ..NO_PATHS
        },
    },
    // openai/codex: `codex-rs/core/src/rollout/recorder.rs`, `session_index.rs`; `CODEX_HOME`.
    Agent {
        name: "codex",
        roots: &[Root::Variable("CODEX_HOME", ".codex")],
        files: &["sessions/**/rollout-*.jsonl", "archived_sessions/rollout-*.jsonl"],
        except: &[],
        id: IdSource::Tail(36),
        paths: RecordPaths {
            folder: &["payload.cwd"],
            folder_between: &[("<cwd>", "</cwd>"), ("Current working directory: ", "\\n")],
            title_index: Some(("session_index.jsonl", "id", "thread_name")),
            prompts: &[
                ("payload.type", "user_message", "payload.message"),
                ("payload.role", "user", "payload.content"),
                ("role", "user", "content"),
            ],
            ..NO_PATHS
        },
    },
    // sst/opencode: `packages/opencode/src/storage/storage.ts`, `session/index.ts`.
    Agent {
        name: "opencode",
        roots: &[Root::Data("opencode/storage")],
        files: &["session/*/*.json"],
        except: &[],
        id: IdSource::Stem,
        paths: RecordPaths { folder: &["directory"], title: &["title"], ..NO_PATHS },
    },
    // google-gemini/gemini-cli: `packages/core/src/services/chatRecordingService.ts`; for
    // `.project_root` `config/projectRegistry.ts`.
    Agent {
        name: "gemini",
        roots: &[Root::Below("GEMINI_CLI_HOME", ".gemini")],
        files: &["tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json"],
        except: &[],
        id: IdSource::After('-'),
        paths: RecordPaths {
            messages: &["messages"],
            folder_beside: Some(("../.project_root", "")),
            title: &["summary", "$set.summary"],
            prompts: &[("type", "user", "content")],
            ..NO_PATHS
        },
    },
    // cline/cline: `src/core/storage/disk.ts`; the command line keeps tasks in `~/.cline/data`.
    Agent {
        name: "cline",
        roots: &[Root::Editors("globalStorage/saoudrizwan.claude-dev"), Root::Home(".cline/data")],
        files: &["tasks/*/api_conversation_history.json"],
        except: &[],
        id: IdSource::Folder,
        paths: CLINE_TASKS,
    },
    // RooCodeInc/Roo-Code: `src/core/task-persistence/apiMessages.ts`.
    Agent {
        name: "roo-code",
        roots: &[Root::Editors("globalStorage/rooveterinaryinc.roo-cline")],
        files: &["tasks/*/api_conversation_history.json"],
        except: &[],
        id: IdSource::Folder,
        paths: CLINE_TASKS,
    },
    // Kilo-Org/kilocode, made from Roo Code.
    Agent {
        name: "kilo-code",
        roots: &[Root::Editors("globalStorage/kilocode.kilo-code"), Root::Home(".kilocode/cli/global")],
        files: &["tasks/*/api_conversation_history.json"],
        except: &[],
        id: IdSource::Folder,
        paths: CLINE_TASKS,
    },
    // microsoft/vscode: `src/vs/workbench/contrib/chat/common/chatSessionStore.ts`.
    Agent {
        name: "vscode",
        roots: &[Root::Editors("")],
        files: &[
            "workspaceStorage/*/chatSessions/*.json",
            "workspaceStorage/*/chatSessions/*.jsonl",
            "globalStorage/emptyWindowChatSessions/*.json",
            "globalStorage/emptyWindowChatSessions/*.jsonl",
        ],
        except: &[],
        id: IdSource::Stem,
        paths: RecordPaths {
            messages: &["requests", "v.requests"],
            folder_beside: Some(("../workspace.json", "folder")),
            title: &["customTitle", "v.customTitle"],
            prompts: &[("", "", "message.text")],
            ..NO_PATHS
        },
    },
    // GitHub Copilot CLI: its session state; events as in github/copilot-sdk.
    Agent {
        name: "copilot",
        roots: &[Root::Variable("COPILOT_HOME", ".copilot")],
        files: &["session-state/*/events.jsonl"],
        except: &[],
        id: IdSource::Folder,
        paths: RecordPaths {
            folder: &["data.context.cwd"],
            prompts: &[("type", "user.message", "data.content")],
            ..NO_PATHS
        },
    },
    // QwenLM/qwen-code: `packages/core/src/services/chatRecordingService.ts`.
    Agent {
        name: "qwen",
        roots: &[Root::Home(".qwen")],
        files: &["projects/*/chats/*.jsonl", "tmp/*/chats/*.jsonl"],
        except: &[],
        id: IdSource::Stem,
        paths: RecordPaths { folder: &["cwd"], prompts: &[("type", "user", "message.parts")], ..NO_PATHS },
    },
    // badlogic/pi-mono: `packages/coding-agent/docs/session-format.md`; `PI_CODING_AGENT_DIR`.
    Agent {
        name: "pi",
        roots: &[Root::Variable("PI_CODING_AGENT_DIR", ".pi/agent")],
        files: &["sessions/*/*.jsonl"],
        except: &[],
        id: IdSource::After('_'),
        paths: RecordPaths {
            folder: &["cwd"],
            title: &["name"],
            prompts: &[("message.role", "user", "message.content")],
            ..NO_PATHS
        },
    },
    // continuedev/continue: `core/util/paths.ts`; `sessions.json` is the list of all.
    Agent {
        name: "continue",
        roots: &[Root::Variable("CONTINUE_GLOBAL_DIR", ".continue")],
        files: &["sessions/*.json"],
        except: &["sessions.json"],
        id: IdSource::Stem,
        paths: RecordPaths {
            messages: &["history"],
            folder: &["workspaceDirectory"],
            title: &["title"],
            prompts: &[("message.role", "user", "message.content")],
            ..NO_PATHS
        },
    },
    // Factory: sessions begin with `session_start`, with `cwd` and `title`.
    Agent {
        name: "droid",
        roots: &[Root::Home(".factory")],
        files: &["sessions/**/*.jsonl"],
        except: &[],
        id: IdSource::Stem,
        paths: RecordPaths {
            folder: &["cwd"],
            title: &["title"],
            prompts: &[("message.role", "user", "message.content")],
            ..NO_PATHS
        },
    },
    // block/goose before its database: `crates/goose/src/session/storage.rs`.
    Agent {
        name: "goose",
        roots: &[Root::Data("goose")],
        files: &["sessions/*.jsonl"],
        except: &[],
        id: IdSource::Stem,
        paths: RecordPaths {
            folder: &["working_dir"],
            title: &["description"],
            prompts: &[("role", "user", "content")],
            ..NO_PATHS
        },
    },
    // Amp before threads were kept on its server: ampcode's `threads/T-*.json`.
    Agent {
        name: "amp",
        roots: &[Root::Data("amp")],
        files: &["threads/T-*.json"],
        except: &[],
        id: IdSource::Stem,
        paths: RecordPaths {
            messages: &["messages"],
            folder: &["env.initial.trees.0.uri"],
            title: &["title"],
            prompts: &[("role", "user", "content")],
            ..NO_PATHS
        },
    },
];

/// The environment variables that name folders of agents.
pub(super) fn variables() -> impl Iterator<Item = &'static str> {
    AGENTS.iter().flat_map(|agent| agent.roots).filter_map(|root| match root {
        Root::Variable(name, _) | Root::Below(name, _) => Some(*name),
        Root::Home(_) | Root::Data(_) | Root::Editors(_) => None,
    })
}

/// The sessions of `agent`, in no order.
pub(super) fn sessions_of(agent: &'static Agent, places: &Places) -> Vec<Session> {
    let mut found = Vec::new();
    for folder in agent.roots.iter().flat_map(|root| places.folders(*root)) {
        for pattern in agent.files {
            let names: Vec<_> = pattern.split('/').collect();
            files_at(&folder, &names, &mut |path, entry| found.extend(session_at(agent, path, entry)));
        }
    }
    found
}

fn session_at(agent: &'static Agent, path: PathBuf, entry: &DirEntry) -> Option<Session> {
    let name = path.file_name()?.to_str()?;
    if agent.except.iter().any(|except| name.starts_with(except)) {
        return None;
    }
    let metadata = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let (id, changed, size) = (agent.id.of(&path)?, metadata.modified().ok()?, metadata.len());
    Some(Session { agent, id, path, changed, size })
}

impl IdSource {
    fn of(self, path: &Path) -> Option<String> {
        let stem = path.file_stem()?.to_str()?;
        let id = match self {
            Self::Stem => stem,
            Self::Tail(length) => stem.get(stem.len().saturating_sub(length)..)?,
            Self::After(separator) => stem.rsplit(separator).next()?,
            Self::Folder => path.parent()?.file_name()?.to_str()?,
        };
        Some(id.to_owned())
    }
}

/// Visits the files below `folder` whose names match `names`. Links are not followed.
fn files_at(folder: &Path, names: &[&str], visit: &mut dyn FnMut(PathBuf, &DirEntry)) {
    let Some((name, rest)) = names.split_first() else { return };
    if !rest.is_empty() && !name.contains('*') {
        return files_at(&folder.join(name), rest, visit);
    }
    if *name == "**" {
        files_at(folder, rest, visit);
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
        let found = entry.file_name();
        let (Some(found), Ok(kind)) = (found.to_str(), entry.file_type()) else { continue };
        match *name {
            "**" if kind.is_dir() => files_at(&entry.path(), names, visit),
            _ if !is_match(found, name) => {}
            _ if rest.is_empty() && kind.is_file() => visit(entry.path(), &entry),
            _ if !rest.is_empty() && kind.is_dir() => files_at(&entry.path(), rest, visit),
            _ => {}
        }
    }
}

/// True if `name` matches `pattern`, in which one `*` stands for any characters.
fn is_match(name: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => name == pattern,
    }
}
