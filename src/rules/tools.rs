//! Rules on the tool that a call names: `unknown-tool`.

use super::{Code, Remark};
use crate::call::{Call, Part};
use crate::config::Settings;
use crate::nearest::did_you_mean;

/// Judges the tool of `call`: only with a registry, and only a written, non-empty name.
pub fn check(call: &Call<'_>, settings: &Settings, remarks: &mut Vec<Remark>) {
    if !call.checks_tool || !matches!(call.part, Part::Call | Part::Both) {
        return;
    }
    let Some(name) = call.name.as_ref().filter(|name| !name.text.is_empty()) else { return };
    let registry = &settings.registry;
    // Where no source could be read, nothing is known, and the registry's own problem is said.
    let is_blind = registry.tools.is_empty() && !registry.broken.is_empty();
    if is_blind || registry.knows(&name.text) {
        return;
    }
    let mut message = format!("no tool is called `{}`", crate::call::cut(&name.text, 60));
    message.push_str(&did_you_mean(&registry.nearest(&name.text)));
    if !registry.broken.is_empty() {
        message.push_str(&format!(" ({} is broken: it may be there)", registry.broken.join(", ")));
    }
    remarks.push(Remark::new(Code::UnknownTool, name.span, message));
}
