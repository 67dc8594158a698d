//! The rules: checks of one part of a tool use, one file per family of rules.
//!
//! A rule works on the model ([`Call`]). It knows a dialect only by its shape of objects, its
//! pairing, and the code that reports it as outdated. Codes are in [`crate::diagnostic`].

use crate::call::Call;
use crate::config::Settings;
use crate::diagnostic::CallDiagnostic;

pub mod edits;
mod encoded;
mod fields;
mod keys;
pub mod links;
mod payload;
pub mod requests;
mod results;
mod schema;
pub mod search_replace;
pub mod secrets;
mod state;
mod strings;
mod tools;

pub use fields::{has_misnamed_field, is_state, may_hide_result, states};
pub use tools::is_plain;

/// Checks one call with all rules.
pub fn check_call(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    payload::check(call, settings, diagnostics);
    keys::check(call, diagnostics);
    fields::check(call, settings, diagnostics);
    state::check(call, diagnostics);
    strings::check(call, diagnostics);
    results::check(call, diagnostics);
    tools::check(call, settings, diagnostics);
    edits::check(call, diagnostics);
    encoded::check(call, settings, diagnostics);
    // Last: it skips fields that other rules have reported.
    schema::check(call, settings, diagnostics);
}
