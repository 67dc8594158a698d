//! The rules: checks of one part of a tool use, one file per family of rules.
//!
//! A rule works on the model ([`Call`]) and knows no dialect. Codes are in [`crate::diagnostic`].

use crate::call::Call;
use crate::config::Settings;
use crate::diagnostic::CallDiagnostic;

mod edits;
mod fields;
mod keys;
pub mod links;
mod payload;
mod results;
mod schema;
mod secrets;
mod state;
mod strings;
mod tools;

pub use crate::call::shape::unclosed_fence;
pub use crate::json_repair::check_json;
pub use fields::{is_state, may_hide_result, states};
pub use tools::is_plain;

/// Checks one part of a tool use with all rules.
pub fn check_call(call: &Call<'_>, settings: &Settings, remarks: &mut Vec<CallDiagnostic>) {
    payload::check(call, settings, remarks);
    keys::check(call, remarks);
    fields::check(call, settings, remarks);
    state::check(call, remarks);
    strings::check(call, remarks);
    results::check(call, remarks);
    tools::check(call, settings, remarks);
    edits::check(call, remarks);
    secrets::check(call, remarks);
    // After what may keep it silent.
    schema::check(call, settings, remarks);
}
