//! The built-in forms: a row per form, by kinds of programs, with its source.
//!
//! Of several rows that fit an object, the first one counts. The calls of Claude Code have
//! Anthropic's form; `crate::messages` reads the records around them. docs/logs.md lists all
//! families.

mod agents;
mod apis;
mod apps;
mod chats;
mod clients;
mod cline;
mod damaged;
mod datasets;
mod elements;
mod events;
mod flat;
mod frameworks;
mod messages;
mod platforms;
mod programs;
mod runs;
mod streams;
pub mod traces;

use std::sync::LazyLock;

use self::agents::agents;
use self::apis::{apis_after_programs, apis_and_repetitions};
use self::apps::apps;
use self::chats::chats;
use self::clients::{client_messages, clients};
use self::cline::cline;
use self::damaged::damaged;
use self::datasets::datasets;
use self::elements::elements;
use self::events::events;
use self::flat::flat;
use self::frameworks::frameworks;
use self::messages::messages;
use self::platforms::{platform_messages, platforms};
use self::programs::programs;
use self::runs::{run_messages, runs};
use self::streams::streams;
use self::traces::traces;
use super::form::Form;

/// All built-in forms.
pub static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    [
        elements(),
        streams(),
        apps(),
        apis_and_repetitions(),
        programs(),
        apis_after_programs(),
        platforms(),
        clients(),
        runs(),
        damaged(),
        agents(),
        events(),
        datasets(),
        frameworks(),
        traces(),
        chats(),
        flat(),
        messages(),
        platform_messages(),
        client_messages(),
        run_messages(),
        cline(),
    ]
    .concat()
});
