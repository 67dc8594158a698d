//! The author, time, model and sub-agent of a message.

use smol_str::SmolStr;

/// The names and the time of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribution {
    /// The name of its author as written, if the role is `Other`.
    pub author: Option<SmolStr>,
    /// Its first time, as written: a date, or seconds or milliseconds since 1970.
    pub time: Option<SmolStr>,
    /// The model.
    pub model: Option<SmolStr>,
    /// The sub-agent, by its id; empty if it has none.
    pub agent: Option<SmolStr>,
}

impl Attribution {
    /// Adds what is missing from `outer`, the attribution of an envelope around the message.
    pub fn add_outer(&mut self, outer: &Self) {
        let own = [&mut self.time, &mut self.model, &mut self.agent];
        for (own, outer) in own.into_iter().zip([&outer.time, &outer.model, &outer.agent]) {
            if own.is_none() {
                own.clone_from(outer);
            }
        }
    }
}
