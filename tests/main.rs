//! The one integration binary: the real process, as its users run it.

#![expect(clippy::unwrap_used, reason = "a test that fails panics")]

mod cases {
    mod ai_sdk;
    mod chartsmith;
    mod chatwrapper;
    mod element;
    mod loremllm;
    mod mindroom;
    mod partial_json;
    mod reading;
    mod table;
    mod tags;
}

mod cli {
    mod baseline;
    mod calls;
    mod check;
    mod config;
    #[cfg(feature = "run")]
    mod continuing;
    mod convert;
    mod demo;
    mod dialect;
    mod dialects;
    mod diff;
    mod escapes;
    mod events;
    mod explain;
    mod export;
    mod fixing;
    mod flow;
    mod fmt;
    mod foreign;
    mod formats;
    mod init;
    mod languages;
    mod long_logs;
    #[cfg(feature = "run")]
    pub mod model_server;
    mod odd_files;
    #[cfg(target_os = "linux")]
    mod progress;
    #[cfg(all(unix, feature = "run"))]
    mod proxies;
    mod records;
    mod redact;
    mod repair;
    mod replacing;
    mod reports;
    mod request;
    pub mod run;
    #[cfg(feature = "run")]
    mod run_calls;
    #[cfg(feature = "run")]
    mod run_places;
    mod selecting;
    mod serve;
    pub mod sessions;
    mod shells;
    mod stats;
    #[cfg(all(target_os = "linux", feature = "run"))]
    mod terminal;
    mod tools;
    #[cfg(all(unix, feature = "run"))]
    mod trust;
    #[cfg(all(unix, feature = "run"))]
    mod turns;
    mod unread;
    mod view;
    mod watch;
    #[cfg(windows)]
    mod windows;
}

mod house {
    mod circles;
    mod floors;
    mod generated;
    mod lengths;
    mod pages;
    mod paths;
    mod prose;
    mod quiet;
    mod rooms;
    mod samples;
    mod schema;
    mod sizes;
    mod typing;
}

mod lsp {
    mod client;
    mod code_actions;
    mod completion;
    mod config;
    mod conversations;
    mod diagnostics;
    mod document_links;
    mod extensions;
    #[cfg(unix)]
    mod foreign;
    mod formatting;
    mod frames;
    mod goto;
    #[cfg(target_os = "linux")]
    mod growth;
    mod hover;
    mod included;
    mod inlay_hints;
    mod life_cycle;
    #[cfg(target_os = "linux")]
    mod memory;
    mod names;
    mod off;
    mod pressure;
    mod pull;
    mod refactorings;
    mod rename;
    mod repair;
    mod requests;
    #[cfg(all(target_os = "linux", feature = "run"))]
    mod run_consent;
    #[cfg(all(unix, feature = "run"))]
    mod run_editor;
    #[cfg(all(unix, feature = "run"))]
    mod run_once;
    #[cfg(all(unix, feature = "run"))]
    mod run_turns;
    #[cfg(all(unix, feature = "run"))]
    mod runs;
    mod same;
    mod selection_range;
    mod semantic_tokens;
    mod session;
    mod sessions;
    mod settings;
    mod signature_help;
    mod sweep;
    mod symbols;
    mod sync;
}
