//! The threads of messages in a log: the messages of sub-agents, and sessions that share a log.
//!
//! - Claude Code: `isSidechain` is `true` for messages of sub-agents, and `agentId` names the
//!   sub-agent. Older versions write no `agentId`, but `parentUuid`, the `uuid` of the line before.
//! - Claude Code's `stream-json` and the Claude Agent SDK: `parent_tool_use_id`, the call that
//!   started a sub-agent (<https://docs.claude.com/en/api/agent-sdk/typescript#message-types>).
//! - Copilot CLI: `parentToolCallId` in the data of an event (`github/copilot-sdk`,
//!   `session-events.schema.json`).
//! - Events of opencode: `sessionID`; sub-agents have sessions of their own
//!   (`packages/opencode/src/session/message-v2.ts`).

use std::borrow::Cow;
use std::sync::LazyLock;

use smol_str::SmolStr;

use crate::call::{RecordLink, Thread, ThreadLink, half_of_hash};
use crate::forms::form::at;
use crate::forms::{KnownKey, Members};
use crate::json::Value;

/// The member that marks messages of sub-agents.
const SIDE: &str = "isSidechain";
/// Members that name a thread by themselves.
const NAMES: [&str; 3] = ["parent_tool_use_id", "parentToolCallId", "sessionID"];

/// The paths of the ids of calls that started a sub-agent.
const CALLERS: &[&str] = &["parent_tool_use_id", "data.parentToolCallId"];

static MARKS: LazyLock<Vec<KnownKey>> =
    LazyLock::new(|| NAMES.iter().chain([&SIDE]).filter_map(|key| KnownKey::of(key.as_bytes())).collect());

/// The thread that the members of an object show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadMark {
    /// A thread with a name.
    Named(Thread),
    /// A message that is linked to the message before it.
    Linked(ThreadLink),
}

impl ThreadMark {
    /// The mark of an object with these members; `preview` returns the text of a value, or its
    /// beginning.
    pub fn of_members<'t>(members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> Option<Self> {
        let may_be = members.known.iter().any(|member| MARKS.contains(&member.key));
        may_be.then(|| Self::of(|key| members.value_of(key).map(preview))).flatten()
    }

    /// The mark of an object.
    pub fn of_value(value: Value<'_>) -> Option<Self> {
        Self::of(|key| value.get(key).map(|value| Cow::Borrowed(value.raw())))
    }

    /// The mark of an object, whose values `raw` returns as JSON text.
    fn of<'t>(raw: impl Fn(&str) -> Option<Cow<'t, str>>) -> Option<Self> {
        let named = |key: &str| raw(key).and_then(|raw| Some(Thread::named(content_of(&raw)?)));
        if !raw(SIDE).is_some_and(|raw| raw.starts_with("true")) {
            return NAMES.iter().find_map(|key| named(key)).map(Self::Named);
        }
        if let Some(agent) = named("agentId") {
            return Some(Self::Named(agent));
        }
        let own = named("uuid").unwrap_or_else(Thread::anonymous);
        Some(Self::Linked(ThreadLink { own, before: named("parentUuid") }))
    }

    /// The link to the preceding message, if the thread has no name.
    pub fn link(self) -> Option<ThreadLink> {
        match self {
            Self::Named(_) => None,
            Self::Linked(link) => Some(link),
        }
    }

    /// The thread, for a message on a line of a log.
    pub fn in_line(self) -> Thread {
        match self {
            Self::Named(thread) => thread,
            Self::Linked(link) => link.own,
        }
    }

    /// The thread of an element of an array, in which links are not followed.
    pub fn in_array(self) -> Thread {
        match self {
            Self::Named(thread) => thread,
            Self::Linked(_) => Thread::anonymous(),
        }
    }
}

/// The link of the record with these members, of a session of Claude Code; `preview` returns the
/// text of a value, or its beginning.
pub fn record_link<'t>(members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> Option<RecordLink> {
    let parent = preview(members.value_of("parentUuid")?);
    let own = preview(members.value_of("uuid")?);
    let before = content_of(&parent).map(half_of_hash);
    let is_link = before.is_some() || parent.starts_with("null");
    let thread = ThreadMark::of_members(members, preview).map(ThreadMark::in_line);
    is_link.then_some(RecordLink { own: half_of_hash(content_of(&own)?), before, thread })
}

/// The id of the sub-agent of a message, or of the call that started the sub-agent.
pub(super) fn agent_of(root: Value<'_>) -> Option<SmolStr> {
    let text = |path| at(root, path).and_then(Value::as_str).map(SmolStr::from);
    if root.get("isSidechain").and_then(Value::as_bool) == Some(true) {
        return Some(text("agentId").unwrap_or_default());
    }
    CALLERS.iter().find_map(|path| text(path).filter(|id| !id.is_empty()))
}

/// The content of a JSON string that is not empty; `None` with escapes, which ids do not have.
fn content_of(raw: &str) -> Option<&str> {
    let (content, _) = raw.strip_prefix('"')?.split_once('"')?;
    (!content.is_empty()).then_some(content)
}
