//! State of refresh requests to the client.

/// Whether the client is to ask again for what it was told.
#[derive(Debug, Default)]
pub struct RefreshRequest {
    pub(crate) is_requested: bool,
    /// Whether the client is being told so.
    pub(crate) in_flight: bool,
}

impl RefreshRequest {
    /// Has the client ask again.
    pub fn request(&mut self) {
        self.is_requested = true;
    }
}
