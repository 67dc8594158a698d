//! `textDocument/hover`.

use lsp_types::request::{self, Request as _};
use lsp_types::{Hover, HoverContents, HoverProviderCapability, Url};

#[cfg(feature = "run")]
use serde_json::json;

#[cfg(feature = "run")]
use crate::features::hover;
use crate::features::hover::hover as hover_of;

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::announced_capabilities::AnnouncedCapabilities;
#[cfg(feature = "run")]
use crate::lsp::conversions::command_arguments::{CommandArgument, PULL_TOOLS};
use crate::lsp::conversions::locations::{PositionParams, lsp_range};
use crate::lsp::conversions::to_proto::markup;
use crate::lsp::handlers::config_file;
use crate::lsp::request::{HandlerResult, RequestHandler};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::pending::PendingRequest;
use crate::lsp::workspace::settings::is_config;
#[cfg(feature = "run")]
use crate::run::offers::servers_to_ask_at;

/// Handles `textDocument/hover`.
pub struct HoverHandler;

impl RequestHandler for HoverHandler {
    const METHOD: &'static str = request::HoverRequest::METHOD;
    type Params = PositionParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn announce(capabilities: &mut AnnouncedCapabilities, _: &SessionCapabilities) {
        capabilities.hover_provider = Some(HoverProviderCapability::Simple(true));
    }

    fn handle(params: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let at = params.byte(snapshot);
        let found = match is_config(&snapshot.uri) {
            true => config_file::hover(text, at),
            false => hover_of(&snapshot.document, at),
        };
        #[cfg(feature = "run")]
        let found = found.map(|hover| with_links(hover, snapshot, at));
        let found = found.map(|found| Hover {
            contents: HoverContents::Markup(markup(&found.prose, snapshot.client.markdown)),
            range: Some(lsp_range(text, &found.range, encoding)),
        });
        pending.response(found)
    }
}

/// The hover of a call with an unknown tool, with links that ask servers for their tools.
#[cfg(feature = "run")]
fn with_links(hover: hover::Hover, snapshot: &Snapshot, at: usize) -> hover::Hover {
    if !snapshot.client.command_links || !snapshot.client.runs() {
        return hover;
    }
    let link = |server: String| {
        let argument = CommandArgument { server: Some(server.clone()), ..CommandArgument::of(snapshot)? };
        let arguments = json!([CommandArgument { version: None, ..argument }]).to_string();
        let arguments: String = url::form_urlencoded::byte_serialize(arguments.as_bytes()).collect();
        let arguments = arguments.replace('+', "%20");
        Some(format!("[Ask {server} for its tools](command:{PULL_TOOLS}?{arguments})"))
    };
    let links: Vec<_> = servers_to_ask_at(&snapshot.document, at).into_iter().filter_map(link).collect();
    hover::Hover { prose: hover.prose.text(links.join(" · ")), ..hover }
}
